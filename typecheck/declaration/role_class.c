// role_class.c - what a class of several roles declares: its header, methods, fields, constructor.
//
// A property is a method that is called where the attribute is read; its setter is a method of
// another name (docs/language.md, "Classes").

#include <string.h>

#include "typecheck/internal.h"

// ---- the header ----

static bool is_metaclass(const Keyword *k) {
    const Expr *v = k->value;
    return k->arg != NULL && sym_is(k->arg, "metaclass") &&
        ((v->kind == EXPR_NAME && sym_is(v->name.id, "ABCMeta")) ||
         (v->kind == EXPR_ATTRIBUTE && sym_is(v->attribute.attr, "ABCMeta")));
}

static void check_header(Program *p, const Decl *d) {
    KeywordList keywords = d->stmt->class_def.keywords;
    ExprList decorators = d->stmt->class_def.decorator_list;
    for (size_t i = 0; i < keywords.len; i++)
        if (!is_metaclass(keywords.at[i]))
            report_unsupported(p, keywords.at[i]->at, keywords.at[i]->arg == NULL
                               ? "`**` in the header of a class of several roles"
                               : names_format(p->names, "the class keyword `%.*s`",
                                              (int)(keywords.at[i]->at.end -
                                                    keywords.at[i]->at.start),
                                              p->source->text.at + keywords.at[i]->at.start));
    for (size_t i = 0; i < decorators.len; i++)
        if (!decorator_is(decorators.at[i], "dataclass") &&
            !decorator_is(decorators.at[i], "final"))
            report_unsupported(p, decorators.at[i]->at,
                               names_format(p->names, "the decorator %s on a class of several "
                                            "roles", expr_text(p, decorators.at[i])));
    for (size_t i = 0; i < d->type_params.len; i++)
        if (roles_has(d->formals, d->type_params.at[i]))
            diag_help(diag_report(p->diags, source_first_line(p->source, d->stmt->at),
                                  DIAG_ROLE_CLASH,
                                  "`%s` is a type parameter of `%s` and also a role",
                                  d->type_params.at[i], d->name),
                      "give the type parameter another name");
}

// ---- methods ----

static MethodKind method_kind(const Stmt *s) {
    if (def_has_decorator(s, "staticmethod")) return METHOD_STATIC;
    if (def_has_decorator(s, "classmethod")) return METHOD_CLASS;
    if (def_has_decorator(s, "property")) return METHOD_GETTER;
    return def_has_decorator(s, "setter") ? METHOD_SETTER : METHOD_PLAIN;
}

static bool is_empty(const Stmt *s) {
    if (s->kind == STMT_PASS) return true;
    if (s->kind != STMT_EXPR || s->expr.value->kind != EXPR_CONSTANT) return false;
    ConstKind k = s->expr.value->constant.value->kind;
    return k == CONST_STR || k == CONST_ELLIPSIS;
}

static bool has_body(const Stmt *def) {
    for (size_t i = 0; i < def->function_def.body.len; i++)
        if (!is_empty(def->function_def.body.at[i])) return true;
    return false;
}

static bool is_special(Sym name) {
    size_t n = strlen(name);
    return n > 4 && strncmp(name, "__", 2) == 0 && strcmp(name + n - 2, "__") == 0;
}

static void judge_name(Program *p, const Decl *d, Function *f) {
    bool known = sym_is(f->name, "__init__") || sym_is(f->name, "__call__") ||
        (sym_is(f->name, "__post_init__") && d->is_dataclass);
    if (!is_special(f->name) || known) return;
    f->broken = true;
    Diag *g = diag_report(p->diags, source_first_line(p->source, f->def->at),
                          DIAG_WHOLE_INSTANCE,
                          "a class of several roles cannot define `%s`, because Python would call "
                          "it for each role's half", f->name);
    diag_help(g, "write a method with another name, and call it");
}

Sym class_setter_name(Program *p, Sym property) {
    return names_format(p->names, "set_%s", property);
}

// How messages call a member: the setter of a property by the name of the property.
static const char *member_text(Program *p, const Function *f, bool method) {
    if (f->kind == METHOD_SETTER)
        return names_format(p->names, "setter of `%s`", f->def->function_def.name);
    return names_format(p->names, method ? "method `%s`" : "member `%s`", f->name);
}

// A plain method has the name that the compiler gives to a setter.
static bool takes_setter_name(const Function *f, const Function *old) {
    return old != NULL && (f->kind == METHOD_SETTER) != (old->kind == METHOD_SETTER);
}

// `@p.seter`, which is reported as that.
static bool is_unknown_accessor(const Function *f) {
    ExprList list = f->def->function_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        const Expr *e = list.at[i], *head = e->kind == EXPR_CALL ? e->call.func : e;
        if (head->kind == EXPR_ATTRIBUTE && head->attribute.value->kind == EXPR_NAME &&
            head->attribute.value->name.id == f->name && !sym_is(head->attribute.attr, "setter"))
            return true;
    }
    return false;
}

static void judge_two(Program *p, const Decl *d, const Function *f) {
    const Stmt *other = NULL;
    Function *old = table_get(d->members, f->name);
    if (old != NULL) other = old->def;
    if (table_get(d->constants, f->name) != NULL) other = table_get(d->constants, f->name);
    if (table_get(d->fields, f->name) != NULL) other = d->stmt;
    if (other == NULL || is_unknown_accessor(f)) return;
    Span at = source_first_line(p->source, f->def->at);
    bool taken = takes_setter_name(f, old);
    const Function *setter = f->kind == METHOD_SETTER ? f : old;
    Diag *g = taken
        ? diag_report(p->diags, at, DIAG_CLASS_HEADER, "`%s` is the name that the %s has in the "
                      "generated programs, so `%s` cannot define another method of this name",
                      f->name, member_text(p, setter, true), d->name)
        : diag_report(p->diags, at, DIAG_CLASS_HEADER, "`%s` defines the %s twice", d->name,
                      member_text(p, f, old != NULL));
    if (taken) diag_help(g, "rename the method `%s`", f->name);
    if (other == d->stmt) return;
    if (taken && setter == old)
        diag_label(g, source_first_line(p->source, other->at), "the %s",
                   member_text(p, setter, true));
    else
        diag_label(g, source_first_line(p->source, other->at), "also here");
}

static void collect_method(Program *p, Decl *d, const Stmt *s) {
    SymList own = signature_roles(p, s, d->formals);
    if (own.len > 0) {
        lift_method(p, d, s, own);
        return;
    }
    Function *f = signature_new(p, s, d, d->formals);
    f->kind = method_kind(s);
    f->is_abstract = def_has_decorator(s, "abstractmethod");
    f->is_final = def_has_decorator(s, "final");
    f->bodiless = !has_body(s) && (f->is_abstract || d->is_protocol);
    f->is_abstract |= f->bodiless;
    f->formals = d->formals;
    f->local = f->is_static && !signature_mentions_roles(p, s);
    if (f->local) local_note_inner(p, s);
    judge_name(p, d, f);
    if (f->kind == METHOD_SETTER) f->name = class_setter_name(p, f->name);
    judge_two(p, d, f);
    if (table_get(d->members, f->name) == NULL) table_set(d->members, f->name, f);
    if (sym_is(f->name, "__init__")) d->init = f;
    d->own_init = d->init != NULL;
}

void class_collect(Program *p, Decl *d) {
    check_header(p, d);
    StmtList body = d->stmt->class_def.body;
    d->members = table_new(p->arena);
    for (size_t i = 0; i < body.len; i++) {
        if (body.at[i]->kind == STMT_FUNCTION_DEF) collect_method(p, d, body.at[i]);
        if (body.at[i]->kind == STMT_ASYNC_FUNCTION_DEF)
            report_async(p, body.at[i]);
        if (body.at[i]->kind == STMT_CLASS_DEF)
            diag_help(report_unsupported(p, source_first_line(p->source, body.at[i]->at),
                                         "a class inside a class of several roles"),
                      "move it out of `%s`", d->name);
    }
}

// ---- fields ----

static bool makes_mutable(const Expr *e) {
    return e->kind == EXPR_LIST || e->kind == EXPR_DICT || e->kind == EXPR_SET ||
        e->kind == EXPR_LIST_COMP || e->kind == EXPR_DICT_COMP || e->kind == EXPR_SET_COMP;
}

const Expr *class_field_call(const Expr *value) {
    bool field = value != NULL && value->kind == EXPR_CALL &&
        decorator_is(value, "field");
    return field ? value : NULL;
}

static const Expr *field_option(const Expr *value, const char *name) {
    const Expr *call = class_field_call(value);
    for (size_t i = 0; call != NULL && i < call->call.keywords.len; i++)
        if (call->call.keywords.at[i]->arg != NULL && sym_is(call->call.keywords.at[i]->arg, name))
            return call->call.keywords.at[i]->value;
    return NULL;
}

const Expr *class_metaclass(const Stmt *def) {
    KeywordList words = def->class_def.keywords;
    for (size_t i = 0; i < words.len; i++)
        if (words.at[i]->arg != NULL && sym_is(words.at[i]->arg, "metaclass"))
            return words.at[i]->value;
    return NULL;
}

const Expr *class_field_value(const Expr *value) {
    return class_field_call(value) != NULL ? field_option(value, "default") : value;
}

static bool is_truth(const Expr *e, bool truth) {
    return e != NULL && e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_BOOL &&
        e->constant.value->truth == truth;
}

static void judge_default(Program *p, const Decl *d, const Stmt *s) {
    const Expr *value = s->ann_assign.value;
    if (value == NULL || !makes_mutable(value)) return;
    Diag *g = diag_report(p->diags, value->at, DIAG_SHARED_STATE,
                          "all instances of `%s` would share this mutable value", d->name);
    diag_help(g, d->is_dataclass ? "write `field(default_factory=...)`"
                                 : "assign the value in `__init__`");
}

static void read_field(Program *p, Decl *d, const Stmt *s) {
    const Expr *out;
    Field *field = table_get(d->fields, s->ann_assign.target->name.id);
    if (field->at.start != s->at.start)
        diag_report(p->diags, s->at, DIAG_CLASS_HEADER, "`%s` defines the field `%s` twice",
                                                        d->name,
                    field->name);
    field->type = annotation_located(p, s->ann_assign.annotation, d->formals, &out);
    if (!annotation_names(p, NULL, d->formals, s->ann_assign.annotation))
        field->type.ty = ty_poison(p->arena);
    judge_default(p, d, s);
    if (field->type.roles.len > 0 || field->type.ty->kind == TY_POISON) return;
    Diag *g = diag_report(p->diags, s->at, DIAG_SIGNATURE_PLACE,
                          "field `%s` of `%s` has no role", field->name, d->name);
    diag_help(g, "write its role, as in `%s: At[%s, %s]`", field->name,
              annotation_text(p, s->ann_assign.annotation), d->formals.at[0]);
    field->type.ty = ty_poison(p->arena);
}

// `_: KW_ONLY`: the fields behind it are given by keyword.
bool class_keywords_follow(const Stmt *s) {
    return s->kind == STMT_ANN_ASSIGN &&
        sym_is(annotation_head(s->ann_assign.annotation), "KW_ONLY");
}

static bool is_field(const Stmt *s) {
    return s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME &&
        !class_keywords_follow(s);
}

// ---- the constructor of a dataclass ----

static bool all_keywords(const Decl *d) {
    ExprList list = d->stmt->class_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        if (list.at[i]->kind != EXPR_CALL) continue;
        for (size_t j = 0; j < list.at[i]->call.keywords.len; j++) {
            const Keyword *k = list.at[i]->call.keywords.at[j];
            if (k->arg != NULL && sym_is(k->arg, "kw_only") && is_truth(k->value, true))
                return true;
        }
    }
    return false;
}

static void put_param(Program *p, Function *f, Param q) {
    for (size_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].name == q.name) {   // a field that is declared again keeps its place
            f->params.at[i] = q;
            return;
        }
    vec_push(p->arena, &f->params, q);
}

// The fields of one class among those that the dataclass inherits from.
static void add_fields(Program *p, Function *f, const Ancestor *a) {
    const Decl *d = a->decl;
    StmtList body = d->stmt->class_def.body;
    Subst up = {d->formals, a->roles, d->type_params, a->args};
    bool keywords = all_keywords(d);
    for (size_t i = 0; d->is_dataclass && i < body.len; i++) {
        const Stmt *s = body.at[i];
        keywords |= class_keywords_follow(s);
        if (!is_field(s) || is_truth(field_option(s->ann_assign.value, "init"), false)) continue;
        const Field *field = table_get(d->fields, s->ann_assign.target->name.id);
        const Expr *stated = field_option(s->ann_assign.value, "kw_only");
        bool only = stated != NULL ? is_truth(stated, true) : keywords;
        const Expr *value = s->ann_assign.value;
        bool optional = value != NULL &&
            (class_field_call(value) == NULL || field_option(value, "default") != NULL ||
             field_option(value, "default_factory") != NULL);
        Param q = {.name = field->name, .type = located_subst(p, field->type, &up), .at = s->at,
                   .kind = only ? PARAM_KEYWORD : PARAM_PLAIN,
                   .default_value = optional ? value : NULL};
        put_param(p, f, q);
    }
}

// Fields by keyword come behind all others.
static void keywords_last(Program *p, Function *f) {
    Param *all = ARENA_ARRAY(p->arena, Param, f->params.len + 1);
    size_t n = 0;
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < f->params.len; i++)
            if ((f->params.at[i].kind == PARAM_KEYWORD) == last) all[n++] = f->params.at[i];
    for (size_t i = 0; i < n; i++) f->params.at[i] = all[i];
}

static void judge_params(Program *p, const Function *f) {
    const Param *optional = NULL;
    for (size_t i = 0; i < f->params.len; i++) {
        const Param *q = &f->params.at[i];
        if (q->kind == PARAM_KEYWORD) continue;
        if (q->default_value != NULL) optional = q;
        else if (optional != NULL) {
            Diag *g = diag_report(p->diags, q->at, DIAG_CLASS_HEADER,
                                  "field `%s` without a default follows field `%s` with a default",
                                  q->name, optional->name);
            diag_label(g, optional->at, "has a default value");
            diag_help(g, "give `%s` a default value", q->name);
            return;
        }
    }
}

static Function *constructor_new(Program *p, Decl *d) {
    Function *f = ARENA_NEW(p->arena, Function);
    *f = (Function){.name = names_get(p->names, "__init__"), .owner = d, .formals = d->formals,
                    .roles = d->formals};
    f->result.ty = ty_none_type(p->arena);
    return f;
}

// Python calls `__post_init__` at the end of the constructor that it makes.
static void call_post_init(Program *p, Decl *d, Function *init) {
    Member m;
    if (!hierarchy_find(d, names_get(p->names, "__post_init__"), &m) || m.function == NULL) return;
    CallSite site = {.callee = m.function, .caller = init, .formals = m.function->roles,
                     .actuals = m.from->roles};
    vec_push(p->arena, &p->sites, site);
}

void class_read_fields(Program *p, Decl *d) {
    annotation_bounds(p, d->stmt->class_def.type_params);
    StmtList body = d->stmt->class_def.body;
    SymList before = type_params_enter(p, d->type_params);
    for (size_t i = 0; i < body.len; i++)
        if (is_field(body.at[i])) read_field(p, d, body.at[i]);
    p->type_vars = before;
    if (d->own_init) return;
    d->init = constructor_new(p, d);
    for (size_t i = d->order.len; d->is_dataclass && i-- > 0;)
        add_fields(p, d->init, &d->order.at[i]);
    keywords_last(p, d->init);
    judge_params(p, d->init);
    if (d->is_dataclass) call_post_init(p, d, d->init);
}
