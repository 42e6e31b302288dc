// signature.c - the located signatures of choreographies; the fields of role-parametric classes.
//
// Every role name in a signature that the class around it does not bind is a role parameter of the
// function, in order of first occurrence; `@roles(A, B)` states them (docs/language.md, "Roles").

#include <string.h>

#include "compiler/base/suggest.h"
#include "typecheck/internal.h"
#include "typecheck/python/python.h"

static const Expr *decorator_head(const Expr *d) {
    return d->kind == EXPR_CALL ? d->call.func : d;
}

bool decorator_is(const Expr *d, const char *name) {
    const Expr *h = decorator_head(d);
    return (h->kind == EXPR_NAME && sym_is(h->name.id, name)) ||
        (h->kind == EXPR_ATTRIBUTE && sym_is(h->attribute.attr, name));
}

bool def_has_decorator(const Stmt *def, const char *name) {
    ExprList list = def->kind == STMT_CLASS_DEF ? def->class_def.decorator_list
                                                : def->function_def.decorator_list;
    for (size_t i = 0; i < list.len; i++)
        if (decorator_is(list.at[i], name)) return true;
    return false;
}

const Stmt *def_method(const Stmt *class_, const char *name) {
    for (size_t i = 0; i < class_->class_def.body.len; i++) {
        const Stmt *s = class_->class_def.body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && sym_is(s->function_def.name, name)) return s;
    }
    return NULL;
}

// ---- role parameters ----

static void roles_of_args(Program *p, ArgList args, SymList bound, SymList *found) {
    for (size_t i = 0; i < args.len; i++)
        if (args.at[i]->annotation != NULL)
            annotation_roles(p, args.at[i]->annotation, bound, found);
}

static void roles_of_decorators(Program *p, const Stmt *def, SymList bound, SymList *found) {
    ExprList list = def->function_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        if (!decorator_is(list.at[i], "roles") || list.at[i]->kind != EXPR_CALL) continue;
        ExprList args = list.at[i]->call.args;
        for (size_t j = 0; j < args.len; j++) {
            if (args.at[j]->kind != EXPR_NAME)
                annotation_no_role(p, args.at[j]);
            else if (!roles_has(bound, args.at[j]->name.id))
                *found = roles_join(p->arena, *found, roles_one(p->arena, args.at[j]->name.id));
        }
    }
}

SymList signature_roles(Program *p, const Stmt *def, SymList bound) {
    SymList found = {0};
    const Arguments *args = def->function_def.args;
    roles_of_decorators(p, def, bound, &found);
    roles_of_args(p, args->posonlyargs, bound, &found);
    roles_of_args(p, args->args, bound, &found);
    roles_of_args(p, args->kwonlyargs, bound, &found);
    if (args->vararg != NULL) roles_of_args(p, (ArgList){&args->vararg, 1}, bound, &found);
    if (args->kwarg != NULL) roles_of_args(p, (ArgList){&args->kwarg, 1}, bound, &found);
    if (def->function_def.returns != NULL)
        annotation_roles(p, def->function_def.returns, bound, &found);
    return found;
}

bool signature_mentions_roles(Program *p, const Stmt *def) {
    return signature_roles(p, def, (SymList){0}).len > 0;
}

// With declared roles, every role name must be one of them; without, any name may be a role, but
// not one that names something else.
typedef struct Mention { Sym name; Span at; bool found; } Mention;

static bool find_mention(void *cx, const Expr *e) {
    Mention *m = cx;
    bool quoted = e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR &&
        e->constant.value->text.len == strlen(m->name) &&
        strncmp(e->constant.value->text.at, m->name, strlen(m->name)) == 0;
    if (!m->found && (quoted || (e->kind == EXPR_NAME && e->name.id == m->name)))
        *m = (Mention){m->name, e->at, true};
    return !m->found;
}

// `class A: ...`, in which there is nothing.
static bool is_bare_class(const Stmt *s) {
    if (s == NULL || s->kind != STMT_CLASS_DEF || s->class_def.bases.len > 0) return false;
    const Stmt *only = s->class_def.body.at[0];
    return s->class_def.body.len == 1 &&
        (only->kind == STMT_PASS ||
         (only->kind == STMT_EXPR && only->expr.value->kind == EXPR_CONSTANT));
}

// Where a definition's header mentions a name first.
static Span mention_span(const Stmt *def, Sym name) {
    Mention m = {.name = name, .at = {def->at.start, def->at.start}};
    IrWalker w = {.cx = &m, .expr = find_mention};
    ir_walk_stmt(&w, def);
    return m.at;
}

static bool is_role(const Expr *annotation) {
    return annotation != NULL && annotation->kind == EXPR_NAME &&
        sym_is(annotation->name.id, "Role");
}

// `who: Role`, which newcomers write to hand a role on.
static bool is_role_parameter(const Stmt *def, Sym r) {
    ArgList args = def->kind == STMT_FUNCTION_DEF ? def->function_def.args->args : (ArgList){0};
    for (size_t i = 0; i < args.len; i++)
        if (args.at[i]->arg == r) return is_role(args.at[i]->annotation);
    return false;
}

// It is a role already where the other types name it.
static void report_role_parameter(Program *p, const Function *f, const Arg *arg) {
    if (!roles_has(f->roles, arg->arg)) return;
    Diag *d = diag_report(p->diags, arg->annotation->at, DIAG_NO_TYPE,
                          "`Role` is a word of the choreography language, not a type");
    bool declared = !program_declares_roles(p, f->def->at) || program_find(p, arg->arg) != NULL;
    diag_help(d, "remove the parameter `%s: Role` and the role in the calls of `%s`: a call infers "
              "role `%s` from its arguments%s", arg->arg, f->name, arg->arg,
              declared ? "" : names_format(p->names, "; declare it as the file's roles are, `class "
                                           "%s(Role): ...`", arg->arg));
}

void signature_role_names(Program *p, SymList formals, const Stmt *def) {
    for (size_t i = 0; i < formals.len; i++) {
        Sym r = formals.at[i];
        if (is_role_parameter(def, r)) continue;        // said where it is declared
        diags_add_role(p->diags, r);
        Decl *d = program_find(p, r);
        if (d != NULL && d->kind != DECL_ROLE) {
            Diag *g = diag_report(p->diags, mention_span(def, r), DIAG_ROLE_CLASH,
                                  "`%s` is used as a role, but is not defined as one", r);
            diag_label(g, source_first_line(p->source, d->at), "`%s` is defined here", r);
            if (is_bare_class(d->stmt))
                diag_help(g, "if it declares the role, write `class %s(Role): ...`", r);
        } else if (d == NULL && program_declares_roles(p, def->at)) {
            Span at = mention_span(def, r);
            Diag *g = diag_report(p->diags, at, DIAG_ROLE_UNKNOWN, "unknown role `%s`", r);
            Sym near = program_did_you_mean(p, r, (SymList){0});
            if (near != NULL && program_find(p, near)->kind == DECL_ROLE) {
                Help *h = diag_help(g, "did you mean `%s`?", near);
                diag_edit(g, h, at, "%s", near);
            } else
                diag_help(g, "declare the role: `class %s(Role): ...`", r);
        }
    }
}

// ---- parameters ----

// The type of a parameter without a role: as it is written, or that of its default value.
static const char *likely_type(Program *p, const Expr *annotation, const Expr *value) {
    bool bare = annotation == NULL || sym_is(annotation_head(annotation), "At");
    if (!bare) return annotation_text(p, annotation);
    bool constant = value != NULL && value->kind == EXPR_CONSTANT;
    return constant ? type_text(p, pyt_const_type(p->py, value->constant.value)) : "int";
}

typedef struct ChannelUse { Sym name; bool found; } ChannelUse;

static bool see_channel_use(void *cx, const Expr *e) {
    ChannelUse *use = cx;
    use->found |= e->kind == EXPR_ATTRIBUTE && e->attribute.value->kind == EXPR_NAME &&
                  e->attribute.value->name.id == use->name &&
                  channel_has_method(e->attribute.attr);
    return !use->found;
}

static void help_parameter_role(Program *p, Diag *d, const Function *f, const Arg *arg,
                                const Expr *default_value) {
    const char *a = f->roles.len > 0 ? f->roles.at[0] : "Alice";
    ChannelUse use = {.name = arg->arg};
    const IrWalker w = {.cx = &use, .expr = see_channel_use};
    if (arg->annotation == NULL) ir_walk_stmt(&w, f->def);
    if (use.found)
        diag_help(d, "write what it carries and the roles that it connects, as in `%s: "
                  "Channel[int, %s, %s]`", arg->arg, a, f->roles.len > 1 ? f->roles.at[1] : "Bob");
    else
        diag_help(d, "write its role, as in `%s: At[%s, %s]`", arg->arg,
                  likely_type(p, arg->annotation, default_value), a);
}

static void add_param(Program *p, Function *f, const Arg *arg, ParamKind kind,
                      const Expr *default_value) {
    Param q = {.name = arg->arg, .kind = kind, .arg = arg, .at = arg->at,
               .default_value = default_value};
    if (arg->annotation != NULL) {
        const Expr *out;
        if (is_role(arg->annotation)) report_role_parameter(p, f, arg);
        q.type = annotation_signature(p, arg->annotation, f, &out);
        if (!f->local && !annotation_names(p, NULL, f->roles, arg->annotation))
            q.type.ty = ty_poison(p->arena);
        if (type_unknown(q.type.ty) && q.type.ty->kind == TY_POISON) f->broken = true;
    }
    if (q.type.roles.len == 0 && !f->broken && !f->local) {
        Diag *d = diag_report(p->diags, arg->at, DIAG_SIGNATURE_PLACE,
                              "parameter `%s` of the choreography `%s` has no role",
                              arg->arg, f->name);
        help_parameter_role(p, d, f, arg, default_value);
        q.type.ty = ty_poison(p->arena);
        f->broken = true;
    }
    if (roles_has(f->roles, q.name) && !is_role(arg->annotation))
        diag_help(diag_report(p->diags, q.at, DIAG_ROLE_CLASH,
                              "parameter `%s` has the name of a role", q.name),
                  "give the parameter another name");
    vec_push(p->arena, &f->params, q);
}

// `*args`: a list of what each of them is.
static void help_rest(Program *p, const Function *f, Diag *d, const Arg *rest, Sym role) {
    const Arguments *a = f->def->function_def.args;
    bool list = rest == a->vararg;
    const Expr *value = annotation_of_value(p, rest->annotation);
    const Expr *type = value != NULL ? value : rest->annotation;
    const char *written = names_format(p->names, "%s: At[%s%s], %s]", rest->arg,
                                       list ? "list[" : "dict[str, ",
                                       type != NULL ? annotation_text(p, type) : "int",
                                       role != NULL ? role
                                       : f->roles.len > 0 ? f->roles.at[0] : "Alice");
    const char *what = list ? "a list" : "a dict";
    Help *h = diag_help(d, "declare %s, as in `%s`, and pass %s in the calls", what, written, what);
    if (a->defaults.len == 0 && a->kwonlyargs.len == 0 && (!list || a->kwarg == NULL))
        diag_edit(d, h, (Span){rest->at.start - (list ? 1 : 2), rest->at.end}, "%s", written);
}

static void add_params(Program *p, Function *f) {
    const Arguments *a = f->def->function_def.args;
    size_t positional = a->posonlyargs.len + a->args.len;
    size_t first_default = positional - a->defaults.len;
    bool self = f->owner != NULL && !f->is_static;      // or `cls`
    for (size_t i = 0; i < positional; i++) {
        const Arg *arg = i < a->posonlyargs.len ? a->posonlyargs.at[i]
                                                : a->args.at[i - a->posonlyargs.len];
        if (i == 0 && self) continue;
        add_param(p, f, arg, i < a->posonlyargs.len ? PARAM_POSITIONAL : PARAM_PLAIN,
                  i >= first_default ? a->defaults.at[i - first_default] : NULL);
    }
    for (size_t i = 0; i < a->kwonlyargs.len; i++)
        add_param(p, f, a->kwonlyargs.at[i], PARAM_KEYWORD, a->kw_defaults.at[i]);
    const Arg *rest = a->vararg != NULL ? a->vararg : a->kwarg;
    if (rest != NULL && !f->local) {
        Diag *d = report_unsupported(p, rest->at,
                                     rest == a->vararg ? "a `*args` parameter"
                                                       : "a `**kwargs` parameter");
        SymList several = {0};
        if (rest->annotation != NULL) annotation_roles(p, rest->annotation, (SymList){0}, &several);
        if (several.len > 1)
            diag_help(d, "use a separate parameter for each argument");
        else
            help_rest(p, f, d, rest, several.len == 1 ? several.at[0] : NULL);
        f->broken = true;
    }
    const char *first = def_has_decorator(f->def, "classmethod") ? "cls" : "self";
    if (self && positional == 0)
        diag_help(diag_report(p->diags, source_first_line(p->source, f->def->at),
                              DIAG_CALL_ARGUMENTS, "method `%s` has no parameter `%s`", f->name,
                              first),
                  "write `%s` as the first parameter", first);
}

static const char *const OF_METHODS[] = {"staticmethod", "classmethod", "property", "setter",
                                         "abstractmethod", "final", "override"};
enum { OF_METHODS_COUNT = sizeof OF_METHODS / sizeof *OF_METHODS };

static void report_unknown_decorator(Program *p, const Expr *e) {
    Sym name = e->name.id, known[OF_METHODS_COUNT + 2];
    size_t n = 0;
    known[n++] = names_get(p->names, "roles");
    known[n++] = names_get(p->names, "effect");
    for (size_t i = 0; i < OF_METHODS_COUNT; i++) known[n++] = names_get(p->names, OF_METHODS[i]);
    Diag *d = diag_report(p->diags, e->at, DIAG_NAME_UNKNOWN, "name `%s` is not defined", name);
    help_unknown(p, d, name, e->at, (SymList){known, n}, false);
    if (d->helps == NULL)
        diag_help(d, "remove the decorator: a function is a choreography because its signature "
                  "names roles");
}

static bool cache_like(Sym name) {
    return sym_is(name, "cache") || sym_is(name, "lru_cache") || sym_is(name, "cached_property");
}

// `@p.seter` of a method `p`.
static bool report_of_property(Program *p, const Function *f, const Expr *head) {
    if (head->kind != EXPR_ATTRIBUTE || head->attribute.value->kind != EXPR_NAME ||
        head->attribute.value->name.id != f->name || f->owner == NULL)
        return false;
    static const char *const KNOWN[] = {"setter"};
    Sym name = head->attribute.attr;
    if (sym_is(name, "getter") || sym_is(name, "deleter")) {
        report_unsupported(p, head->at, names_format(p->names, "`@%s.%s`", f->name, name));
        return true;
    }
    Diag *d = diag_report(p->diags, head->at, DIAG_ATTRIBUTE_UNKNOWN,
                          "the property `%s` has no decorator `%s`", f->name, name);
    const char *near = suggest_nearest(name, KNOWN, 1);
    if (near == NULL) return true;
    uint32_t len = (uint32_t)strlen(name);
    diag_edit(d, diag_help(d, "did you mean `%s`?", near),
              (Span){head->at.end - len, head->at.end}, "%s", near);
    return true;
}

// `@staticmethod` of a function.
static bool report_of_method(Program *p, const Function *f, const Expr *head) {
    for (size_t i = 0; f->owner == NULL && i < OF_METHODS_COUNT; i++) {
        if (head->kind != EXPR_NAME || !sym_is(head->name.id, OF_METHODS[i])) continue;
        Diag *d = diag_report(p->diags, head->at, DIAG_NEVER_LOCAL,
                              "`@%s` is for methods of a class, but `%s` is a function",
                              head->name.id, f->name);
        diag_help(d, "remove `@%s`", head->name.id);
        return true;
    }
    return false;
}

// `@effect` without roles, `@staticmethod()`.
static bool report_parentheses(Program *p, const Function *f, const Expr *e) {
    const Expr *head = decorator_head(e);
    if (decorator_is(e, "effect")) {
        Diag *d = diag_report(p->diags, e->at, DIAG_CALL_ARGUMENTS, "`@effect` lists no roles");
        diag_help(d, "write the roles that may act, as in `@effect(%s)`",
                  f->roles.len > 0 ? f->roles.at[0] : "Alice");
        return true;
    }
    for (size_t i = 0; e->kind == EXPR_CALL && i < OF_METHODS_COUNT; i++) {
        if (!decorator_is(e, OF_METHODS[i])) continue;
        Diag *d = diag_report(p->diags, e->at, DIAG_CALL_ARGUMENTS,
                              "`@%s` takes no parentheses", OF_METHODS[i]);
        Help *h = diag_help(d, "write `@%s`", OF_METHODS[i]);
        diag_edit(d, h, (Span){head->at.end, e->at.end}, "%s", "");
        return true;
    }
    return false;
}

// A decorator gets the function, and decides when and whether it runs.
static void report_decorator(Program *p, const Function *f, const Expr *e) {
    const Expr *head = decorator_head(e);
    Sym name = head->kind == EXPR_NAME ? head->name.id
        : head->kind == EXPR_ATTRIBUTE ? head->attribute.attr : NULL;
    if (head->kind == EXPR_NAME && program_find(p, name) == NULL && !builtin_exists(name)) {
        report_unknown_decorator(p, head);
        return;
    }
    if (report_of_property(p, f, head) || report_of_method(p, f, head)) return;
    if (report_parentheses(p, f, e)) return;
    Diag *d = diag_report(p->diags, e->at, DIAG_NEVER_LOCAL,
                          name == NULL ? "this decorator cannot be used on a choreography, "
                                         "because it would decide whether and when the "
                                         "choreography runs" : "`@%s` cannot be used on a "
                                                               "choreography, because it would "
                                                               "decide whether and when the "
                                                               "choreography runs", name);
    if (cache_like(name))
        diag_help(d, "remove `@%s` and store the result in a variable: a cached choreography would "
                     "skip messages that other roles wait for", name);
    else
        diag_help(d, "decorate a local function and call it here");
}

static bool known_decorator(const Function *f, const Expr *e) {
    if (decorator_is(e, "roles")) return !f->is_static;
    if (decorator_is(e, "effect")) return e->kind == EXPR_CALL;
    if (f->external && interface_decorator(e)) return true;
    for (size_t i = 0; f->owner != NULL && i < OF_METHODS_COUNT; i++)
        if (decorator_is(e, OF_METHODS[i])) return e->kind != EXPR_CALL;
    return false;
}

// `@effect(A, B)`: who may communicate and act at least; without it, whoever the body says, or all
// roles of a method that has no body yet.
static void read_effect(Program *p, Function *f) {
    ExprList list = f->def->function_def.decorator_list;
    SymList roles = {0};
    if (f->external) {
        interface_read_effects(p, f);
        return;
    }
    for (size_t i = 0; i < list.len; i++) {
        if (!decorator_is(list.at[i], "effect") || list.at[i]->kind != EXPR_CALL) continue;
        f->states_effect = true;
        ExprList args = list.at[i]->call.args;
        for (size_t j = 0; j < args.len; j++)
            if (!role_expr(p, f->roles, args.at[j], &roles))
                diag_report(p->diags, args.at[j]->at, DIAG_ROLE_UNKNOWN,
                            "`@effect` accepts only roles of `%s`: %s", f->name,
                            roles_text(p->arena, f->roles));
    }
    if (!f->states_effect && f->is_abstract) roles = f->roles;
    for (size_t i = 0; i < roles.len; i++) {
        vec_push(p->arena, &f->communicates, roles.at[i]);
        vec_push(p->arena, &f->acts, roles.at[i]);
    }
}

static void check_decorators(Program *p, Function *f) {
    ExprList list = f->def->function_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        if (!known_decorator(f, list.at[i])) {
            report_decorator(p, f, list.at[i]);
            f->broken = true;
        }
    }
}

static void read_located(Program *p, Function *f) {
    const Stmt *def = f->def;
    if (f->broken) return;
    check_decorators(p, f);
    read_effect(p, f);
    add_params(p, f);
    f->result = (LocType){ty_none_type(p->arena), {0}};
    if (def->function_def.returns == NULL) return;
    const Expr *out;
    f->result = annotation_signature(p, def->function_def.returns, f, &out);
    if (!f->local && !annotation_names(p, NULL, f->roles, def->function_def.returns))
        f->result.ty = ty_poison(p->arena);
    bool none = f->result.ty->kind == TY_NONE_TYPE, poison = f->result.ty->kind == TY_POISON;
    if (f->result.roles.len == 0 && !none && !poison && !f->local) {
        Diag *d = diag_report(p->diags, def->function_def.returns->at, DIAG_SIGNATURE_PLACE,
                              "the result of the choreography `%s` has no role", f->name);
        const char *type = annotation_text(p, def->function_def.returns);
        if (f->roles.len > 1)
            diag_help(d, "write the role that has the result: `-> At[%s, R]`, where R is %s",
                      type, roles_choice(p->arena, f->roles));
        else
            diag_help(d, "write the role that has the result, as in `-> At[%s, %s]`", type,
                      f->roles.len > 0 ? f->roles.at[0] : "Alice");
        f->result.ty = ty_poison(p->arena);
    }
    f->broken |= poison;
    if (pyt_yields(def)) f->result.ty = ty_poison(p->arena);         // its `yield` is refused
}

static void read_signature(Program *p, Function *f) {
    SymList before = type_params_enter(p, f->owner != NULL ? f->owner->type_params : (SymList){0});
    type_params_enter(p, f->type_params);
    if (!annotation_bounds(p, f->def->function_def.type_params)) f->broken = true;
    read_located(p, f);
    p->type_vars = before;
}
Function *signature_new(Program *p, const Stmt *def, Decl *owner, SymList around) {
    Function *f = ARENA_NEW(p->arena, Function);
    f->name = def->function_def.name;
    f->def = def;
    f->owner = owner;
    f->is_static = def_has_decorator(def, "staticmethod");
    f->external = interface_part(p, def->at);
    f->formals = signature_roles(p, def, around);
    f->type_params = type_params_of(p, def, owner != NULL ? owner->type_params : (SymList){0});
    p->is_generic |= f->type_params.len > 0 || (owner != NULL && owner->type_params.len > 0);
    f->roles = roles_join(p->arena, around, f->formals);
    vec_push(p->arena, &p->functions, f);
    return f;
}

Function *signature_nested(Program *p, const Stmt *def, SymList roles, SymList place) {
    Function *f = signature_new(p, def, NULL, roles);
    if (f->formals.len > 0) {
        Diag *d = report_unsupported(p, source_first_line(p->source, def->at),
                                     "a nested function with roles of its own");
        diag_help(d, "move it out of the function around it; inside, only the roles of that "
                  "function can be used: %s", roles_text(p->arena, roles));
        f->broken = true;
    }
    f->formals = (SymList){0};
    f->roles = roles;
    f->place = place;
    read_signature(p, f);
    return f;
}

// ---- functions and classes ----

static void collect_function(Program *p, Decl *d) {
    if (d->stmt == NULL || d->stmt->kind != STMT_FUNCTION_DEF) return;
    if (!signature_mentions_roles(p, d->stmt)) return;
    d->kind = DECL_CHOREOGRAPHY;
    d->function = signature_new(p, d->stmt, NULL, (SymList){0});
    signature_role_names(p, d->function->formals, d->stmt);
}

void signature_collect(Program *p) {
    for (size_t i = 0; i < p->order.len; i++) {
        if (p->order.at[i]->kind == DECL_ROLE_CLASS) {
            signature_role_names(p, p->order.at[i]->formals, p->order.at[i]->stmt);
            class_collect(p, p->order.at[i]);
        }
        if (p->order.at[i]->kind == DECL_LOCAL_FUNCTION) collect_function(p, p->order.at[i]);
    }
    hierarchy_collect(p);
    for (size_t i = 0; i < p->functions.len; i++) read_signature(p, p->functions.at[i]);
    for (size_t i = 0; i < p->order.len; i++)
        if (p->order.at[i]->kind == DECL_ROLE_CLASS) class_read_fields(p, p->order.at[i]);
}
