// funval.c - choreographies as values: names, methods and lambdas where a function is wanted, and
// calls of such values.
//
// The type of a value is a Callable of located types: its parameters, and its result, are Placed
// (no roles: None). The value lives at the roles of its type, and at those that are written in
// addition, `At[Callable[..], A, B]`; a call of it may do anything at all of them. What the value
// does elsewhere is found when the effects are known (effect.c).

#include <string.h>

#include "typecheck/expression/call.h"

// ---- types ----

bool type_choreographic(const Ty *t) {
    return t != NULL && t->kind == TY_CALLABLE && t->callable.result != NULL &&
        t->callable.result->kind == TY_PLACED;
}

SymList type_callable_roles(Arena *a, const Ty *t) {
    SymList roles = t->callable.result->placed.at_roles;
    for (size_t i = 0; i < t->callable.params.len; i++)
        roles = roles_join(a, roles, t->callable.params.at[i]->placed.at_roles);
    return roles;
}

// Python's conversions happen where a value is passed; a function has no such place.
static bool converts(const Ty *from, const Ty *to) {
    static const char *const NUMBERS[] = {"bool", "int", "float", "complex"};
    for (int i = 0; i < 4; i++)
        if (type_is(from, NUMBERS[i]) != type_is(to, NUMBERS[i])) return true;
    return false;
}

static bool placed_fits(Program *p, const Ty *from, const Ty *to) {
    const Ty *a = from->placed.of, *b = to->placed.of;
    bool numbers = a != NULL && b != NULL && a->kind == TY_NAMED && b->kind == TY_NAMED &&
        converts(a, b);
    return roles_equal(from->placed.at_roles, to->placed.at_roles) && type_fits(p, a, b) &&
        !numbers;
}

bool type_callable_fits(Program *p, const Ty *from, const Ty *to) {
    if (!type_choreographic(from) || !type_choreographic(to)) return false;
    TyList a = from->callable.params, b = to->callable.params;
    if (a.len != b.len) return false;
    for (size_t i = 0; i < a.len; i++)
        if (!placed_fits(p, b.at[i], a.at[i])) return false;
    return placed_fits(p, from->callable.result, to->callable.result);
}

// ---- values ----

// How many positional arguments a call must and may give.
static void count_params(const Function *f, size_t *least, size_t *most) {
    *least = *most = 0;
    for (size_t i = 0; i < f->params.len; i++) {
        const Param *q = &f->params.at[i];
        bool required = q->default_value == NULL;
        if (q->kind != PARAM_KEYWORD) *most += 1;
        if (required) *least = q->kind == PARAM_KEYWORD ? SIZE_MAX : *least + 1;
        if (*least == SIZE_MAX) return;
    }
}

static const Param *required_keyword(const Function *f) {
    for (size_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].kind == PARAM_KEYWORD && f->params.at[i].default_value == NULL)
            return &f->params.at[i];
    return NULL;
}

static bool takes(Scope *sc, const Expr *e, const Function *f, const Ty *want, size_t *count) {
    size_t least, most;
    count_params(f, &least, &most);
    *count = want != NULL ? want->callable.params.len : least;
    if (*count >= least && *count <= most) return true;
    if (least == SIZE_MAX)
        diag_help(report_at(sc, e->at, DIAG_TYPE_MISMATCH,
                            "`%s` cannot be used as a value here, because its keyword-only "
                            "parameter `%s` has no default value",
                            f->name, required_keyword(f)->name),
                  "write a lambda that passes it");
    else {
        size_t taken = *count < least ? least : most;
        report_at(sc, e->at, DIAG_TYPE_MISMATCH,
                  "`%s` takes %s%zu argument%s, but `%s` passes %zu", f->name,
                  least == most ? "" : *count < least ? "at least " : "at most ", taken,
                  diag_s(taken), type_text(sc->p, want), *count);
    }
    return false;
}

// The first `count` parameters and the result, as the value's type says them.
static const Ty *value_type(Scope *sc, const Callee *c, const Binding *b, size_t count) {
    Arena *a = sc->p->arena;
    Subst all = call_decided(b);
    Vec(const Ty *) params = {0};
    for (size_t i = 0; i < count; i++) {
        LocType t = located_subst(sc->p, b->types[i], &all);
        vec_push(a, &params, ty_placed(a, t.ty, roles_sorted(a, sc->roles, t.roles)));
    }
    LocType r = located_subst(sc->p, c->result, &all);
    const Ty *result = ty_placed(a, r.ty, roles_sorted(a, sc->roles, r.roles));
    return ty_callable(a, (TyList){params.at, params.len}, result);
}

static void learn_from_want(Scope *sc, const Callee *c, const Binding *b, const Ty *want) {
    const Ty *r = want->callable.result;
    for (size_t i = 0; i < want->callable.params.len && i < b->f->params.len; i++)
        type_learn(sc->p, b->vars, b->given, b->types[i].ty, want->callable.params.at[i]);
    type_learn_rest(sc->p, b->vars, b->given, c->result.ty, r->placed.of);
    for (LearnStep step = LEARN_SINGLE; step <= LEARN_SETS; step++) {
        for (size_t i = 0; i < want->callable.params.len && i < b->f->params.len; i++) {
            const Ty *q = want->callable.params.at[i];
            call_learn(sc, b, b->types[i],
                       (LocType){q->placed.of, q->placed.at_roles}, step);
        }
        call_learn(sc, b, c->result, (LocType){r->placed.of, r->placed.at_roles}, step);
    }
}

static Sym name_of(const Expr *e) {
    if (e->kind == EXPR_SUBSCRIPT) e = e->subscript.value;
    return e->kind == EXPR_NAME ? e->name.id : e->attribute.attr;
}

static void report_undecided(Scope *sc, const Expr *e, Sym formal, Sym name) {
    Diag *d = report_at(sc, e->at, DIAG_ROLE_INFER,
                        "the role %s of `%s` cannot be inferred where it is used as a value",
                        formal, name);
    diag_help(d, "state the roles, as in `%s[...]`, or annotate the type: `f: Callable[[...], "
                 "...] = %s`", name, name);
}

static Sym undecided(const Binding *b) {
    for (size_t i = 0; i < b->formals.len; i++)
        if (b->actuals[i] == NULL) return b->formals.at[i];
    return NULL;
}

// Most contexts refuse a function of several roles anyway; one that takes it asks for its roles.
static const Expr *open_value(Scope *sc, const Expr *e, const Function *f) {
    Arena *a = sc->p->arena;
    const Ty *none = ty_placed(a, ty_none_type(a), (SymList){0});
    return expr_typed(sc, expr_inst(a, e->at, e, f->formals, (SymList){0}, (SymList){0}),
                      ty_callable(a, (TyList){0}, none), sc->roles);
}

bool refuse_open_value(Scope *sc, const Expr *e) {
    bool open = e->kind == EXPR_INST && e->inst.formals.len > 0 && e->inst.actuals.len == 0;
    if (open) report_undecided(sc, e, e->inst.formals.at[0], name_of(e->inst.target));
    return open;
}

static bool value_decided(Scope *sc, const Expr *e, const Binding *b, Sym name) {
    Sym formal = undecided(b);
    if (formal != NULL) report_undecided(sc, e, formal, name);
    return formal == NULL && call_roles_distinct(sc, e, b, name);
}

const Expr *function_value(Scope *sc, const Expr *e, Callee c, const LocType *want) {
    Program *p = sc->p;
    Arena *a = p->arena;
    Function *f = c.f;
    const Ty *w = want != NULL && type_choreographic(want->ty) ? want->ty : NULL;
    SymList formals = c.roles, given = {0};
    Binding b = call_binding(sc, &c);
    size_t count;
    if (f->broken || !call_explicit_roles(sc, e, &b, &given)) return call_failed(sc, e);
    if (w != NULL && given.len != formals.len) learn_from_want(sc, &c, &b, w);
    if (given.len > 0 && !call_give_explicit(sc, e, c.name, &b, given)) return call_failed(sc, e);
    if (w == NULL && undecided(&b) != NULL) return open_value(sc, e, f);
    if (!takes(sc, e, f, w, &count) || !value_decided(sc, e, &b, c.name))
        return call_failed(sc, e);
    SymList actuals = {b.actuals, formals.len};
    const Ty *ty = value_type(sc, &c, &b, count);
    SymList roles = w != NULL ? want->roles
        : f->body_roles.len > 0 ? roles_join(a, type_callable_roles(a, ty), f->body_roles)
                                : actuals;
    roles = roles_sorted(a, sc->roles, roles);
    SymList seen = roles_map_all(a, c.view.roles, c.view.to_roles, f->roles);
    CallSite site = {.at = e->at, .callee = f, .caller = sc->fn, .formals = f->roles,
                     .actuals = roles_map_all(a, formals, actuals, seen), .value = true,
                     .shown = roles, .generic = c.generic,
                     .vars = call_source_vars(p, c.vars), .given = {b.given, c.vars.len}};
    vec_push(a, &p->sites, site);
    const Expr *target = expr_typed(sc, c.target, ty_any(a), roles);
    return expr_typed(sc, expr_inst(a, e->at, target, c.formals, actuals, (SymList){0}), ty,
                      roles);
}

const Expr *instantiated_value(Scope *sc, const Expr *e, const LocType *want) {
    const Expr *name = e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e;
    Var *v = scope_find(sc, name->name.id);
    Decl *d = v == NULL ? program_find(sc->p, name->name.id) : NULL;
    if (v != NULL && v->function != NULL)
        return function_value(sc, e, callee_of_nested(v->function, name), want);
    if (d != NULL && d->kind == DECL_CHOREOGRAPHY)
        return function_value(sc, e, callee_of_function(sc, d, name), want);
    Diag *g = diag_report(sc->p->diags, e->at, DIAG_NEVER_LOCAL, "the class `%s` of several roles "
                                                                 "cannot be used as a value, "
                                                                 "because all its roles create an "
                                                                 "instance together",
                          name->name.id);
    diag_help(g, "to pass a choreography, write a function that creates an instance: `lambda: "
                 "%s[...](...)`", name->name.id);
    return call_failed(sc, e);
}

const Expr *method_value(Scope *sc, const Expr *e, const Member *m, const LocType *want) {
    return function_value(sc, e, callee_of_method(sc, e->attribute.value->ty, m, e), want);
}

// ---- instances that can be called ----

// `o.__call__`, if the class of the instance has one.
static const Expr *call_method_of(Scope *sc, const Expr *o, Member *m) {
    Program *p = sc->p;
    const Decl *d = o->ty != NULL && o->ty->kind == TY_INST ? program_find(p, o->ty->inst.name)
                                                            : NULL;
    Sym name = names_get(p->names, "__call__");
    if (d == NULL || d->channel != NULL || !hierarchy_find(d, name, m) || m->function == NULL ||
        m->function->broken || m->function->local)
        return NULL;
    const Expr *method = expr_attribute(p->arena, o->at, o, name, EXPR_CONTEXT_LOAD);
    return expr_typed(sc, method, ty_any(p->arena), o->roles);
}

const Ty *instance_call_type(Scope *sc, const Expr *o) {
    Member m = {0};
    const Expr *method = call_method_of(sc, o, &m);
    if (method == NULL) return o->ty;
    Callee c = callee_of_method(sc, o->ty, &m, method);
    Binding b = call_binding(sc, &c);
    return value_type(sc, &c, &b, c.f->params.len);
}

const Expr *instance_as_function(Scope *sc, const Expr *o, const LocType *want) {
    Member m = {0};
    const Expr *method = call_method_of(sc, o, &m);
    return method != NULL ? method_value(sc, method, &m, want) : o;
}

// ---- choreographies in one role's code ----

const Expr *value_of_one_role(Scope *sc, const Expr *e) {
    Arena *a = sc->p->arena;
    if (e->kind != EXPR_INST || e->inst.target->kind != EXPR_NAME) return e;
    Var *v = scope_find(sc, e->inst.target->name.id);
    SymList roles = type_callable_roles(a, e->ty);
    if (v == NULL || v->function == NULL || roles.len != 1) return e;
    CallSite *site = &sc->p->sites.at[sc->p->sites.len - 1];
    site->shown = roles;                // who else acts in it is known later
    site->local = true;
    TyList params = e->ty->callable.params;
    const Ty **local = ARENA_ARRAY(a, const Ty *, params.len);
    for (size_t i = 0; i < params.len; i++) local[i] = params.at[i]->placed.of;
    const Ty *result = e->ty->callable.result->placed.of;
    return expr_typed(sc, e, ty_callable(a, (TyList){local, params.len}, result), roles);
}

// What a name, or a field of what it names, is.
const Ty *type_of_path(Scope *sc, const Expr *e) {
    if (e->kind == EXPR_NAME) {
        Var *v = scope_find(sc, e->name.id);
        return v != NULL ? v->type.ty : NULL;
    }
    const Ty *t = e->kind == EXPR_ATTRIBUTE ? type_of_path(sc, e->attribute.value) : NULL;
    Decl *d = t != NULL && t->kind == TY_INST ? program_find(sc->p, t->inst.name) : NULL;
    Member m = {0};
    if (d == NULL || d->channel != NULL || !hierarchy_find(d, e->attribute.attr, &m)) return NULL;
    return m.field != NULL ? m.field->type.ty : NULL;
}

bool names_channel_method(Scope *sc, const Expr *e) {
    const Ty *t = e->kind == EXPR_ATTRIBUTE ? type_of_path(sc, e->attribute.value) : NULL;
    return t != NULL && type_is_channel(sc->p, t);
}

static bool calls_choreography(Scope *sc, const Expr *f) {
    if (f->kind == EXPR_SUBSCRIPT) f = f->subscript.value;
    if (type_choreographic(type_of_path(sc, f))) return true;
    if (f->kind == EXPR_NAME) {
        Var *v = scope_find(sc, f->name.id);
        Decl *d = v == NULL ? program_find(sc->p, f->name.id) : NULL;
        return (v != NULL && v->function != NULL) ||
            (d != NULL && (d->kind == DECL_CHOREOGRAPHY || d->kind == DECL_ROLE_CLASS));
    }
    const Ty *t = f->kind == EXPR_ATTRIBUTE ? type_of_path(sc, f->attribute.value) : NULL;
    Decl *d = t != NULL && t->kind == TY_INST ? program_find(sc->p, t->inst.name) : NULL;
    if (d == NULL) return false;
    Member m = {0};
    if (d->channel == NULL) hierarchy_find(d, f->attribute.attr, &m);
    return d->channel != NULL || (m.function != NULL && !m.function->local) ||
        lift_find(d, f->attribute.attr) != NULL;
}

typedef struct Called { Scope *sc; const Expr *found; } Called;

static bool find_called(void *cx, const Expr *e) {
    Called *c = cx;
    if (c->found == NULL && e->kind == EXPR_CALL && calls_choreography(c->sc, e->call.func))
        c->found = e->call.func;
    return c->found == NULL;
}

bool refuse_local_lambda(Scope *sc, const Expr *e) {
    Called c = {sc, NULL};
    IrWalker w = {.cx = &c, .expr = find_called};
    ir_walk_expr(&w, e->lambda.body);
    if (c.found == NULL) return false;
    Diag *d = report_at(sc, e->at, DIAG_NEVER_LOCAL,
                        "this lambda calls %s, but one role's code would decide whether and when "
                        "it runs", expr_text(sc->p, c.found));
    diag_help(d, "call it in a statement, or pass the lambda to a parameter whose type is a "
                 "`Callable` of located types");
    return true;
}

// ---- calls of values ----

// The type of a function value says how many arguments there are, but not their names.
static void report_value_arguments(Scope *sc, const Expr *call, const char *text, size_t takes) {
    ExprList args = call->call.args;
    size_t given = args.len;
    bool starred = false;
    for (size_t i = 0; i < args.len; i++) starred |= args.at[i]->kind == EXPR_STARRED;
    if (starred || call->call.keywords.len > 0)
        diag_help(report_at(sc, call->at, DIAG_CALL_ARGUMENTS, starred
                            ? "%s does not accept arguments that are unpacked with `*`"
                            : "%s does not accept keyword arguments", text),
                  "write the arguments one by one, in the order of the parameters");
    else
        report_at(sc, call->at, DIAG_CALL_ARGUMENTS, "%s takes exactly %zu positional argument%s, "
                  "but %zu %s given", text, takes, diag_s(takes), given, diag_was(given));
}

const Expr *call_value(Scope *sc, const Expr *call, const Expr *callee) {
    Program *p = sc->p;
    Arena *a = p->arena;
    TyList params = callee->ty->callable.params;
    const char *text = expr_text(p, callee);
    Vec(const Expr *) args = {0};
    bool plain = call->call.keywords.len == 0 && call->call.args.len == params.len;
    for (size_t i = 0; i < call->call.args.len; i++)
        plain &= call->call.args.at[i]->kind != EXPR_STARRED;
    if (!plain) {
        report_value_arguments(sc, call, text, params.len);
        return call_failed(sc, call);
    }
    for (size_t i = 0; i < params.len; i++) {
        LocType want = {params.at[i]->placed.of, params.at[i]->placed.at_roles};
        const Expr *arg = check_placed(sc, call->call.args.at[i], want,
                                       names_format(p->names, "argument %zu of %s", i + 1, text));
        if (arg->ty != NULL && arg->ty->kind == TY_POISON) return call_failed(sc, call);
        vec_push(a, &args, arg);
    }
    const Expr *inst = expr_inst(a, callee->at, callee, (SymList){0}, callee->roles,
                                 callee->roles);
    const Ty *result = callee->ty->callable.result;
    return expr_typed(sc, expr_call(a, call->at, inst, (ExprList){args.at, args.len},
                                    (KeywordList){0}),
                      result->placed.of, result->placed.at_roles);
}

// ---- lambdas ----

// A name that nothing in the file has.
static Sym lambda_name(Program *p) {
    Sym name;
    do {
        size_t n = ++p->lambdas;
        name = n == 1 ? names_get(p->names, "function") : names_format(p->names, "function_%zu", n);
    } while (strstr(p->source->text.at, name) != NULL);
    return name;
}

static const Arg *lambda_param(Scope *sc, Function *f, const Arg *arg, const Ty *placed) {
    LocType type = {placed->placed.of, placed->placed.at_roles};
    Param q = {.name = arg->arg, .kind = PARAM_PLAIN, .type = type, .arg = arg, .at = arg->at};
    vec_push(sc->p->arena, &f->params, q);
    return arg_new(sc->p->arena, arg->at, arg->arg, annotation_of(sc->p, arg->at, type));
}

// The lambda as a nested function of the type that is wanted.
static Function *lambda_function(Scope *sc, const Expr *e, const Ty *want) {
    Program *p = sc->p;
    Arena *a = p->arena;
    Function *f = ARENA_NEW(a, Function);
    const Ty *result = want->callable.result;
    *f = (Function){.name = lambda_name(p), .roles = sc->roles, .is_lambda = true};
    f->result = (LocType){result->placed.of, result->placed.at_roles};
    Vec(const Arg *) args = {0};
    ArgList params = e->lambda.args->args;
    for (size_t i = 0; i < params.len; i++)
        vec_push(a, &args, lambda_param(sc, f, params.at[i], want->callable.params.at[i]));
    const Arguments *all = arguments_new(a, (ArgList){0}, (ArgList){args.at, args.len}, NULL,
                                         (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
    const Stmt **body = ARENA_NEW(a, const Stmt *);
    *body = f->result.roles.len > 0 ? stmt_return(a, e->lambda.body->at, e->lambda.body)
                                    : stmt_expr(a, e->lambda.body->at, e->lambda.body);
    const Expr *returns = f->result.roles.len > 0
        ? annotation_of(p, e->at, f->result) : expr_constant(a, e->at, const_none(a), NULL);
    f->def = stmt_function_def(a, e->at, f->name, all, (StmtList){body, 1}, (ExprList){0}, returns,
                               (TypeParamList){0});
    vec_push(a, &p->functions, f);
    return f;
}

static bool lambda_fits(Scope *sc, const Expr *e, const Ty *want) {
    const Arguments *args = e->lambda.args;
    if (args->posonlyargs.len + args->kwonlyargs.len + args->defaults.len > 0 ||
        args->vararg != NULL || args->kwarg != NULL) {
        Diag *d = report_unsupported(sc->p, e->at, "a lambda of several roles with default values, "
                                     "keyword-only or variadic parameters");
        diag_help(d, "write only plain parameters, as in `lambda x: ...`");
        return false;
    }
    if (sc->transparent || sc->front == NULL) {
        Diag *d = report_unsupported(sc->p, e->at, sc->transparent
                                     ? "a lambda of several roles inside a comprehension or lambda"
                                     : "a lambda of several roles in a default value");
        diag_help(d, "define a function with `def` before this statement");
        return false;
    }
    if (args->args.len == want->callable.params.len) return true;
    report_at(sc, e->at, DIAG_TYPE_MISMATCH,
              "this lambda takes %zu argument%s, but `%s` passes %zu", args->args.len,
              diag_s(args->args.len), type_text(sc->p, want), want->callable.params.len);
    return false;
}

const Expr *lambda_value(Scope *sc, const Expr *e, const LocType *want) {
    Program *p = sc->p;
    if (!lambda_fits(sc, e, want->ty)) return call_failed(sc, e);
    Function *f = lambda_function(sc, e, want->ty);
    const Stmt *checked = check_function(p, sc, f);
    if (checked == NULL) return call_failed(sc, e);
    vec_push(p->arena, sc->front, stmt_choreo(p->arena, e->at, (SymList){0}, (SymList){0},
                                              (SymList){0}, checked));
    scope_bind(sc, f->name, (LocType){ty_any(p->arena), {0}}, e->at)->function = f;
    const Expr *name = expr_name(p->arena, e->at, f->name, EXPR_CONTEXT_LOAD);
    return function_value(sc, e, callee_of_nested(f, name), want);
}

// The body is looked at once more, quietly, before it is known who gets its result.
LocType lambda_gives(Scope *sc, const Expr *e, const Ty *want) {
    Program *p = sc->p;
    ArgList args = e->lambda.args->args;
    TyList params = want->callable.params;
    if (args.len != params.len) return (LocType){ty_poison(p->arena), {0}};
    Diags *diags = p->diags;
    size_t sites = p->sites.len, functions = p->functions.len, lambdas = p->lambdas;
    bool failed = sc->fn->failed;
    p->diags = diags_new(p->arena);
    Scope *in = scope_new(p, sc, sc->fn, sc->roles);
    StmtVec front = {0};
    in->front = &front;
    for (size_t i = 0; i < args.len; i++) {
        const Ty *placed = params.at[i];
        scope_bind(in, args.at[i]->arg, (LocType){placed->placed.of, placed->placed.at_roles},
                   args.at[i]->at);
    }
    const Expr *body = check_expr(in, e->lambda.body, NULL);
    bool clean = diags_error_count(p->diags) == 0;
    p->diags = diags;
    p->sites.len = sites;
    p->functions.len = functions;
    p->lambdas = lambdas;
    sc->fn->failed = failed;
    return (LocType){clean ? body->ty : ty_poison(p->arena), body->roles};
}

// ---- what values do at roles that their type does not show ----

static const char *role_list(Program *p, SymList roles) {
    const char *text = roles.at[0];
    for (size_t i = 1; i < roles.len; i++)
        text = names_format(p->names, "%s, %s", text, roles.at[i]);
    return text;
}

void values_check(Program *p) {
    for (size_t i = 0; i < p->sites.len; i++) {
        const CallSite *s = &p->sites.at[i];
        if (!s->value) continue;
        Vec(Sym) hidden = {0};
        for (size_t j = 0; j < s->callee->acts.len; j++) {
            Sym r = roles_map(s->formals, s->actuals, s->callee->acts.at[j]);
            if (!roles_has(s->shown, r)) vec_push(p->arena, &hidden, r);
        }
        if (hidden.len == 0) continue;
        SymList list = {hidden.at, hidden.len}, all = roles_join(p->arena, s->shown, list);
        if (s->caller != NULL) all = roles_sorted(p->arena, s->caller->roles, all);
        if (s->local) {
            diag_report(p->diags, s->at, DIAG_NEVER_LOCAL,
                        "`%s` also involves %s and cannot be passed to one role's code",
                        s->callee->name, roles_text(p->arena, list));
            continue;
        }
        const char *name = s->callee->is_lambda ? "this lambda"
            : names_format(p->names, "`%s`", s->callee->name);
        Diag *d = diag_report(p->diags, s->at, DIAG_CALLABLE_HIDES,
                              "%s also involves %s, which its type here does not name", name,
                              roles_text(p->arena, list));
        diag_help(d, "write all roles that take part in the type of the function: "
                     "`At[Callable[...], %s]`",
                     role_list(p, all));
    }
}
