// name.c - names and attributes: what they mean, and who has it.

#include <ctype.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "typecheck/expression/call.h"
#include "typecheck/python/python.h"

// ---- names ----

const Ty *const_type(Program *p, const Const *c) {
    switch (c->kind) {
    case CONST_NONE: return ty_none_type(p->arena);
    case CONST_BOOL: return type_named(p, "bool");
    case CONST_INT: return type_named(p, "int");
    case CONST_FLOAT: return type_named(p, "float");
    case CONST_COMPLEX: return type_named(p, "complex");
    case CONST_STR: return type_named(p, "str");
    case CONST_BYTES: return type_named(p, "bytes");
    case CONST_ELLIPSIS: return ty_any(p->arena);
    }
    return ty_any(p->arena);
}

static const Ty *global_type(Program *p, const Decl *d) {
    const Ty *t = d->rebound ? NULL : judge_global(p, d->name);
    return t != NULL ? t : ty_any(p->arena);
}

static const Ty *variable_type(Program *p, const Decl *d) {
    const Stmt *s = d->stmt;
    const Expr *annotation = s != NULL && s->kind == STMT_ANN_ASSIGN ? s->ann_assign.annotation
                                                                     : NULL;
    bool inferred = annotation == NULL || sym_is(annotation_head(annotation), "Final");
    return inferred ? global_type(p, d) : annotation_local(p, annotation);
}

// ---- roles as objects ----

static const Stmt *first_method(const Decl *role) {
    bool class_ = role != NULL && role->stmt != NULL && role->stmt->kind == STMT_CLASS_DEF;
    StmtList body = class_ ? role->stmt->class_def.body : (StmtList){0};
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF) return body.at[i];
    return NULL;
}

// The name after the dot.
static const char *attribute_of(const Program *p, const Expr *e) {
    Text text = p->source->text;
    size_t start = e->at.end + 1, end = start;
    while (end < text.len && (text.at[end] == '_' || isalnum((unsigned char)text.at[end]))) end++;
    return end > start ? arena_strndup(p->arena, text.at + start, end - start) : "x";
}

static const char *const CHANNEL_METHODS[] = {"com", "share", "select", NULL};

bool channel_has_method(Sym name) { return sym_is_one_of(name, CHANNEL_METHODS); }

// `Alice.com(x)`: a channel of the choreography in place of the role.
static void help_channel(Scope *sc, Diag *d, const Expr *e, const char *method) {
    Sym role = e->name.id;
    for (size_t i = 0; sc->fn != NULL && i < sc->fn->params.len; i++) {
        const Param *q = &sc->fn->params.at[i];
        if (!type_is_channel(sc->p, q->type.ty) || !roles_has(q->type.roles, role)) continue;
        Help *h = diag_help(d, "roles do not send, channels do: `y = %s.com(x)`", q->name);
        if (sym_is_one_of(names_get(sc->p->names, method), CHANNEL_METHODS))
            diag_edit(d, h, e->at, "%s", q->name);
        return;
    }
    diag_help(d, "roles do not send, channels do: `y = ch.com(x)`");
}

// `next`: the character after the role, as in `Alice(3)`, `Alice.secret`.
static void help_role(Scope *sc, Diag *d, const Expr *e, char next) {
    Sym role = e->name.id;
    const Stmt *method = first_method(program_find(sc->p, role));
    if (method != NULL && (next == '(' || next == '.')) {
        diag_label(d, source_first_line(sc->p->source, method->at), "a role has no methods");
        diag_help(d, "put the methods in a separate class, such as `class Code%s:`, and make an "
                  "object of it at %s: `Code%s(..)@%s`", role, role, role, role);
    } else if (next == '(') {
        diag_help(d, "a role cannot be instantiated; to create a value at %s, pin it, as in "
                  "`0@%s`", role, role);
    } else if (next == '.') {
        const char *name = attribute_of(sc->p, e);
        static const char *const MESSAGES[] = {"send", "recv", "receive", "com", "select",
                                               "share", "put", "get", NULL};
        if (sym_is_one_of(names_get(sc->p->names, name), MESSAGES))
            help_channel(sc, d, e, name);
        else
            diag_help(d, "use a variable `%s` instead: a variable is at the role of its value; to "
                      "put a constant at %s, pin it: `%s = 0@%s`", name, role, name, role);
    } else {
        diag_help(d, "code runs at the roles of its values: pin a value to %s, as in `0@%s`; no "
                  "test of the role is needed", role, role);
    }
}

static const Expr *role_as_value(Scope *sc, const Expr *e) {
    Text text = sc->p->source->text;
    char next = e->at.end < text.len ? text.at[e->at.end] : ' ';
    Sym role = e->name.id;
    bool object = next == '(' || next == '.', known = table_get(sc->p->said, role) != NULL;
    if (object) table_set(sc->p->said, role, (void *)e);
    if (object && known) {
        if (sc->fn != NULL) sc->fn->failed = true;
        return expr_poison(sc, e);
    }
    help_role(sc, report_at(sc, e->at, DIAG_ROLE_AS_VALUE, "`%s` is a role, not a value", role),
              e, next);
    return expr_poison(sc, e);
}

// `ch = Channel[int, A, B]()`, as one makes a socket.
static bool created_channel(Scope *sc, const Expr *e) {
    const Source *source = sc->p->source;
    const char *type = source->text.at + e->at.start, *end = source->text.at + e->at.end;
    size_t len = *end == '[' ? strcspn(end, "(\n") : 0;
    if (end[len] != '(' || (len > 0 && end[len - 1] != ']')) return false;
    const char *line = source_line(source, source_place(source, e->at.start).line).at;
    const char *name = line + strspn(line, " "), *after = name + strcspn(name, " =:,.([#");
    bool assigned = len > 0 && after + strspn(after, " =") == type;
    Diag *d = report_at(sc, e->at, DIAG_ROLE_AS_VALUE, "a choreography cannot create a channel");
    if (assigned)
        diag_help(d, "make it a parameter: `%.*s: %.*s`, and remove this line", (int)(after - name),
                  name, (int)(end + len - type), type);
    else
        diag_help(d, "make it a parameter: the channels of the entry are created when the program "
                     "starts");
    return true;
}

static const Expr *wrong_name(Scope *sc, const Expr *e, const Decl *decl, const char *what) {
    Diag *d = report_at(sc, e->at, DIAG_ROLE_AS_VALUE, "`%s` is %s, not a value", e->name.id, what);
    if (decl != NULL && sym_is(decl->name, "At"))
        diag_help(d, "write it in an annotation, as in `x: At[int, %s]`; to put a value at a role, "
                  "pin it, as in `0@%s`", sc->roles.len > 0 ? sc->roles.at[0] : "A",
                  sc->roles.len > 0 ? sc->roles.at[0] : "A");
    else if (decl != NULL && decl->channel != NULL)
        diag_help(d, "channels are parameters; the channels of the entry are created when the "
                     "program starts");
    return expr_poison(sc, e);
}

static const Expr *check_decl_name(Scope *sc, const Expr *e, Decl *d, bool callee,
                                   const LocType *want) {
    Program *p = sc->p;
    if (program_is_misspelt(d)) {
        if (sc->fn != NULL) sc->fn->failed = true;
        return expr_poison(sc, e);
    }
    switch (d->kind) {
    case DECL_ROLE: return role_as_value(sc, e);
    case DECL_CHANNEL:
        if (created_channel(sc, e)) return expr_poison(sc, e);
        return wrong_name(sc, e, d, "a word of the choreography language");
    case DECL_LIBRARY:
        return wrong_name(sc, e, d, "a word of the choreography language");
    case DECL_CHOREOGRAPHY: case DECL_ROLE_CLASS:
        return callee ? e : instantiated_value(sc, e, want);
    case DECL_VARIABLE: return expr_typed(sc, e, variable_type(p, d), (SymList){0});
    case DECL_LOCAL_FUNCTION:
        return expr_typed(sc, e, callee ? ty_any(p->arena) : global_type(p, d), (SymList){0});
    case DECL_ENUM: case DECL_LOCAL_CLASS: case DECL_IMPORT:
        return expr_typed(sc, e, ty_any(p->arena), (SymList){0});
    }
    return e;
}

// `com(x)`: the method of a channel that is in scope.
static bool help_channel_method(Scope *sc, Diag *d, const Expr *e) {
    if (!channel_has_method(e->name.id)) return false;
    for (size_t i = 0; sc->fn != NULL && i < sc->fn->params.len; i++) {
        const Ty *t = sc->fn->params.at[i].type.ty;
        Decl *c = t != NULL && t->kind == TY_INST ? program_find(sc->p, t->inst.name) : NULL;
        if (c == NULL || c->channel == NULL) continue;
        Help *h = diag_help(d, "`%s` is a method of a channel", e->name.id);
        diag_edit(d, h, (Span){e->at.start, e->at.start}, "%s.", sc->fn->params.at[i].name);
        return true;
    }
    if (scope_find(sc, names_get(sc->p->names, "self")) != NULL) return false;
    diag_help(d, "`%s` is a method of a channel, and channels are parameters: add `ch`, and write "
              "`ch.%s`", e->name.id, e->name.id);
    return true;
}

// `ch` for `self.ch` in a method.
static bool help_self(Scope *sc, Diag *d, const Expr *e) {
    Var *self = scope_find(sc, names_get(sc->p->names, "self"));
    const Ty *t = self != NULL ? self->type.ty : NULL;
    Decl *class_ = t != NULL && t->kind == TY_INST ? program_find(sc->p, t->inst.name) : NULL;
    Member m = {0};
    if (class_ == NULL || !hierarchy_find(class_, e->name.id, &m)) return false;
    diag_edit(d, diag_help(d, "did you mean `self.%s`?", e->name.id),
              (Span){e->at.start, e->at.start}, "self.");
    return true;
}

// `ch.com(x)`: a channel that the function does not have. Of more roles than two it is not known
// which it is to connect.
static bool help_lacking_channel(Scope *sc, Diag *d, const Expr *e) {
    const char *after = sc->p->source->text.at + e->at.end, *name = e->name.id;
    if (strncmp(after, ".com(", 5) != 0 && strncmp(after, ".select(", 8) != 0) return false;
    if (sc->roles.len == 2)
        diag_help(d, "channels are parameters: add it, as in `%s: Channel[.., %s, %s]`, and pass "
                  "it in the calls", name, sc->roles.at[0], sc->roles.at[1]);
    else
        diag_help(d, "channels are parameters: add `%s`, and pass it in the calls", name);
    return true;
}

static const Expr *unknown_name(Scope *sc, const Expr *e) {
    if (program_misspelt_import(sc->p, e->name.id)) return expr_poison(sc, e);
    Diag *d = report_at(sc, e->at, DIAG_NAME_UNKNOWN, "name `%s` is not defined", e->name.id);
    note_private(d, e);
    if (help_channel_method(sc, d, e) || help_self(sc, d, e) || help_lacking_channel(sc, d, e))
        return expr_poison(sc, e);
    Vec(Sym) near = {0};
    for (const PyEnv *s = sc->env; s != NULL; s = s->outer)
        for (size_t i = 0; i < s->order.len; i++)
            if (scope_find(sc, s->order.at[i]) != NULL)
                vec_push(sc->p->arena, &near, s->order.at[i]);
    help_unknown(sc->p, d, e->name.id, e->at, (SymList){near.at, near.len}, true);
    return expr_poison(sc, e);
}

static const Expr *class_as_value(Scope *sc, const Expr *e) {
    Diag *d = report_at(sc, e->at, DIAG_NEVER_LOCAL, "the class `%s` cannot be used as a value "
                                                     "here", e->name.id);
    diag_help(d, "call the class, or one of its class methods");
    return expr_poison(sc, e);
}

const Expr *check_name(Scope *sc, const Expr *e, bool callee, const LocType *want) {
    Sym name = e->name.id;
    Var *v = scope_find(sc, name);
    if (v != NULL && v->function != NULL && !callee) return instantiated_value(sc, e, want);
    if (v != NULL && v->is_class && !callee) return class_as_value(sc, e);
    if (v != NULL) return expr_typed(sc, e, var_type(v), v->type.roles);
    if (roles_has(sc->roles, name)) return role_as_value(sc, e);
    Decl *d = program_find(sc->p, name);
    if (d != NULL) {
        table_set(sc->p->uses, table_key(e->at.start), d);
        return check_decl_name(sc, e, d, callee, want);
    }
    if (builtin_exists(name) && (!builtin_deterministic(name) || builtin_makes_set(name)))
        table_set(sc->p->unsure_names, table_key(e->at.start), sc);
    if (builtin_exists(name)) return expr_typed(sc, e, ty_any(sc->p->arena), (SymList){0});
    if (table_get(sc->p->located_names, name) != NULL)
        return wrong_name(sc, e, NULL, "a located type");
    return unknown_name(sc, e);
}

// ---- attributes ----

Decl *class_named(Scope *sc, const Expr *e) {
    if (e->kind != EXPR_NAME || scope_find(sc, e->name.id) != NULL) return NULL;
    return program_find(sc->p, e->name.id);
}

void help_attribute(Scope *sc, Diag *d, const Expr *e, const Decl *of, SymList names) {
    Vec(Sym) near = {0};
    bool class_ = of != NULL && of->stmt != NULL && of->stmt->kind == STMT_CLASS_DEF;
    StmtList body = class_ ? of->stmt->class_def.body : (StmtList){0};
    for (size_t i = 0; i < names.len; i++) vec_push(sc->p->arena, &near, names.at[i]);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_FUNCTION_DEF) vec_push(sc->p->arena, &near, s->function_def.name);
        if (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME)
            vec_push(sc->p->arena, &near, s->assign.targets.at[0]->name.id);
    }
    const char *meant = suggest_nearest(e->attribute.attr, near.at, near.len);
    if (meant == NULL) return;
    Help *h = diag_help(d, "did you mean `%s`?", meant);
    uint32_t len = (uint32_t)strlen(e->attribute.attr);
    diag_edit(d, h, (Span){e->at.end - len, e->at.end}, "%s", meant);
}

static void note_members(Scope *sc, Diag *d, const Decl *of) {
    StmtList body = of->stmt != NULL && of->stmt->kind == STMT_CLASS_DEF ? of->stmt->class_def.body
                                                                         : (StmtList){0};
    Buf b = buf_new(sc->p->arena);
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_ASSIGN && body.at[i]->assign.targets.at[0]->kind == EXPR_NAME)
            buf_printf(&b, "%s`%s`", b.len > 0 ? ", " : "",
                       body.at[i]->assign.targets.at[0]->name.id);
    if (b.len > 0) diag_note(d, "its members are %s", buf_text(&b));
}

static const Expr *enum_member(Scope *sc, const Expr *e, const Expr *base, Decl *d) {
    Program *p = sc->p;
    const Stmt *member = table_get(d->members, e->attribute.attr);
    if (member == NULL && program_local_base(p, d) == NULL) {
        Diag *g = report_at(sc, e->at, DIAG_ATTRIBUTE_UNKNOWN, "enum `%s` has no member `%s`",
                            d->name, e->attribute.attr);
        help_attribute(sc, g, e, d, (SymList){0});
        if (g->helps == NULL) note_members(sc, g, d);
        return expr_poison(sc, e);
    }
    const Expr *out = expr_attribute(p->arena, e->at, base, e->attribute.attr, e->attribute.ctx);
    bool value = member != NULL && member->kind == STMT_ASSIGN;
    return expr_typed(sc, out, value ? ty_named(p->arena, d->name, (TyList){0}) : ty_any(p->arena),
                 (SymList){0});
}

static const Expr *unknown_attribute(Scope *sc, const Expr *e, const Decl *d) {
    Diag *g = report_at(sc, e->at, DIAG_ATTRIBUTE_UNKNOWN, "`%s` has no attribute `%s`", d->name,
                        e->attribute.attr);
    help_attribute(sc, g, e, d, (SymList){d->field_order.at, d->field_order.len});
    return expr_poison(sc, e);
}

static const Expr *value_of_constant(Scope *sc, const Expr *e, const Stmt *s, SymList roles) {
    const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value : s->ann_assign.value;
    return expr_typed(sc, e, const_type(sc->p, value->constant.value), roles);
}

// A property is a method that is called where it is read.
static const Expr *read_property(Scope *sc, const Expr *e, const Expr *method, const Member *m) {
    const Expr *call = expr_call(sc->p->arena, e->at, method, (ExprList){0}, (KeywordList){0});
    return call_method(sc, call, method, method->attribute.value->ty, m, NULL);
}

// How `ch.com`, which is not called, is written: `want` is the type of the parameter it is for.
static void help_channel_value(Program *p, Diag *d, const Expr *e, const LocType *want) {
    const char *method = source_written(p->arena, p->source, e->at);
    if (sym_is(e->attribute.attr, "select"))
        diag_help(d, "write a statement, as in `%s(Label.X@A)`", method);
    else if (want != NULL && want->ty != NULL && type_choreographic(want->ty))
        diag_help(d, "write `lambda x: %s(x)`", method);
    else
        diag_help(d, "call it directly: `%s(x)`", method);
}

static const Expr *unknown_of_channel(Scope *sc, const Expr *e) {
    Vec(Sym) methods = {0};
    for (size_t i = 0; CHANNEL_METHODS[i] != NULL; i++)
        vec_push(sc->p->arena, &methods, names_get(sc->p->names, CHANNEL_METHODS[i]));
    Diag *d = report_at(sc, e->at, DIAG_ATTRIBUTE_UNKNOWN, "a channel has no attribute `%s`",
                        e->attribute.attr);
    help_attribute(sc, d, e, NULL, (SymList){methods.at, methods.len});
    if (d->helps == NULL) diag_help(d, "%s", help_channel_methods());
    return expr_poison(sc, e);
}

// A field or method of an instance at several roles, or of a channel.
static const Expr *instance_attribute(Scope *sc, const Expr *e, const Expr *base, bool callee,
                                      const LocType *want) {
    Program *p = sc->p;
    const Ty *t = base->ty;
    Decl *d = program_find(p, t->inst.name);
    const Expr *out = expr_attribute(p->arena, e->at, base, e->attribute.attr, e->attribute.ctx);
    Member m = {0};
    if (expr_is_super(base) && callee) return expr_typed(sc, out, ty_any(p->arena), base->roles);
    bool found = d->channel == NULL &&
        (expr_is_super(base) ? hierarchy_find_after(d, e->attribute.attr, &m)
                             : hierarchy_find(d, e->attribute.attr, &m));
    if (m.field != NULL && expr_is_super(base)) {
        Diag *g = report_at(sc, e->at, DIAG_ATTRIBUTE_UNKNOWN,
                            "`super()` accesses only methods, but `%s` is a field", m.field->name);
        diag_help(g, "write `self.%s`", m.field->name);
        return expr_poison(sc, e);
    }
    if (m.field != NULL) {
        Subst view = hierarchy_view(p, m.from, t);
        LocType type = located_subst(p, m.field->type, &view);
        return expr_typed(sc, out, type.ty, type.roles);
    }
    if (m.constant != NULL) return value_of_constant(sc, out, m.constant, base->roles);
    if (m.function != NULL && m.function->kind == METHOD_GETTER)
        return read_property(sc, e, expr_typed(sc, out, ty_any(p->arena), base->roles), &m);
    const Decl *lifted = lift_named(p, out);
    if (lifted != NULL && !callee) {
        Diag *g = report_unsupported(p, e->at, "using a method with roles of its own as a value");
        diag_help(g, "write a `lambda` that calls the method");
        sc->fn->failed = true;
        return expr_poison(sc, e);
    }
    bool method = d->channel != NULL || found || lifted != NULL;
    if (method && callee) return expr_typed(sc, out, ty_any(p->arena), base->roles);
    if (d->channel != NULL && !channel_has_method(e->attribute.attr))
        return unknown_of_channel(sc, e);
    if (method && d->channel != NULL) {
        Diag *g = diag_report(p->diags, e->at, DIAG_NEVER_LOCAL,
                              "a channel's method cannot be used as a value, because one role "
                              "would decide when the other end waits");
        help_channel_value(p, g, e, want);
        sc->fn->failed = true;
        return expr_poison(sc, e);
    }
    if (method) return method_value(sc, out, &m, want);
    return unknown_attribute(sc, e, d);
}

// What is known of an attribute of one role's object.
static const Ty *local_attribute(Scope *sc, const Expr *base, Sym attr) {
    Program *p = sc->p;
    if (base->ty == NULL || base->ty->kind != TY_NAMED) return ty_any(p->arena);
    for (Decl *d = program_find(p, base->ty->named.name); d != NULL; d = program_local_base(p, d)) {
        Field *f = table_get(d->fields, attr);
        if (f != NULL) return f->type.ty;
        if (d->kind == DECL_ENUM && sym_is(attr, "name")) return type_named(p, "str");
    }
    return ty_any(p->arena);
}

// `P.m`, not called, with P a class of several roles.
static const Expr *refuse_class_attribute(Scope *sc, const Expr *e, const Decl *d) {
    Member m = {0};
    Sym attr = e->attribute.attr;
    if (!hierarchy_find(d, attr, &m) && lift_find(d, attr) == NULL)
        return unknown_attribute(sc, e, d);
    MethodKind kind = m.function != NULL ? m.function->kind : METHOD_PLAIN;
    if (kind == METHOD_STATIC || kind == METHOD_CLASS) {
        Diag *g = report_unsupported(sc->p, e->at, "using a static method or class method of a "
                                     "class of several roles as a value");
        if (!m.function->local) diag_help(g, "write a `lambda` that calls the method");
    } else {
        Diag *g = report_at(sc, e->at, DIAG_MEMBER_KIND,
                            "`%s` belongs to the instances of `%s` and cannot be read on the class",
                            attr, d->name);
        diag_help(g, "use an instance of `%s`", d->name);
    }
    sc->fn->failed = true;
    return expr_poison(sc, e);
}

const Expr *check_attribute(Scope *sc, const Expr *e, const Expr *base, bool callee,
                            const LocType *want) {
    Decl *d = class_named(sc, base);
    if (d != NULL && d->kind == DECL_ENUM) return enum_member(sc, e, base, d);
    if (d == NULL && base->kind == EXPR_SUBSCRIPT && base->ty == NULL)
        d = class_named(sc, base->subscript.value);
    if (d != NULL && d->kind == DECL_ROLE_CLASS) {
        const Expr *out = expr_attribute(sc->p->arena, e->at, base, e->attribute.attr,
                                         e->attribute.ctx);
        Member m;
        if (callee) return expr_typed(sc, out, ty_any(sc->p->arena), (SymList){0});
        if (hierarchy_find(d, e->attribute.attr, &m) && m.constant != NULL) {
            const Expr *value = expr_constant(sc->p->arena, e->at,
                                              m.constant->assign.value->constant.value, NULL);
            return value_of_constant(sc, value, m.constant, (SymList){0});
        }
        return refuse_class_attribute(sc, e, d);
    }
    if (base->ty != NULL && base->ty->kind == TY_INST)
        return instance_attribute(sc, e, base, callee, want);
    if (base->ty != NULL && base->ty->kind == TY_POISON) return expr_poison(sc, e);
    const Expr *out = expr_attribute(sc->p->arena, e->at, base, e->attribute.attr,
                                     e->attribute.ctx);
    const Ty *judged = judge_attribute(sc, e, base);
    if (judged != NULL && judged->kind == TY_POISON) return expr_poison(sc, e);
    const Ty *ty = local_attribute(sc, base, e->attribute.attr);
    return expr_typed(sc, out, type_unknown(ty) && judged != NULL ? judged : ty, base->roles);
}
