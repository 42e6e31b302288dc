// call_choreo.c - calls of choreographies: arguments to parameters, actual roles to formal ones.

#include "typecheck/call.h"

// ---- choreographic calls: parameters ----

typedef struct Binding {
    const Function *f;
    const Expr **args;              // by parameter; NULL: left to its default
    SymList formals;
    Sym    *actuals;                // by formal; NULL: not known yet
} Binding;

static int param_named(const Function *f, Sym name) {
    for (size_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].name == name) return (int)i;
    return -1;
}

static bool bind_positional(Scope *sc, const Expr *call, const Function *f, const Expr **by_param) {
    size_t next = 0;
    for (size_t i = 0; i < call->call.args.len; i++) {
        const Expr *arg = call->call.args.at[i];
        if (arg->kind == EXPR_STARRED) {
            report_unsupported(sc->p, arg->at, "unpacking arguments (`*`)");
            return false;
        }
        if (next >= f->params.len || f->params.at[next].kind == PARAM_KEYWORD) {
            report_at(sc, arg->at, DIAG_CALL_ARGUMENTS, "`%s` takes %zu positional argument%s",
                      f->name, next, next == 1 ? "" : "s");
            return false;
        }
        by_param[next++] = arg;
    }
    return true;
}

static bool bind_keywords(Scope *sc, const Expr *call, const Function *f, const Expr **by_param) {
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        if (k->arg == NULL) {
            report_unsupported(sc->p, k->at, "unpacking arguments (`**`)");
            return false;
        }
        int at = param_named(f, k->arg);
        if (at < 0 || f->params.at[at].kind == PARAM_POSITIONAL || by_param[at] != NULL) {
            report_at(sc, k->at, DIAG_CALL_ARGUMENTS, at >= 0 && by_param[at] != NULL
                      ? "`%s` gets `%s` twice" : "`%s` has no parameter `%s`", f->name, k->arg);
            return false;
        }
        by_param[at] = k->value;
    }
    return true;
}

static bool bind_arguments(Scope *sc, const Expr *call, const Function *f, const Expr **by_param) {
    if (!bind_positional(sc, call, f, by_param) || !bind_keywords(sc, call, f, by_param))
        return false;
    for (size_t i = 0; i < f->params.len; i++) {
        if (by_param[i] != NULL || f->params.at[i].default_value != NULL) continue;
        Diag *d = report_at(sc, call->at, DIAG_CALL_ARGUMENTS, "`%s` needs an argument for `%s`",
                            f->name, f->params.at[i].name);
        diag_label(d, f->params.at[i].at, "this parameter has no default");
        return false;
    }
    return true;
}

// ---- choreographic calls: roles ----

static Sym *actual_of(const Binding *b, Sym formal) {
    for (size_t i = 0; i < b->formals.len; i++)
        if (b->formals.at[i] == formal) return &b->actuals[i];
    return NULL;
}

static bool all_known(const Binding *b) {
    for (size_t i = 0; i < b->formals.len; i++)
        if (b->actuals[i] == NULL) return false;
    return true;
}

static void learn(const Binding *b, SymList params, SymList args) {
    for (size_t i = 0; i < params.len && i < args.len; i++) {
        Sym *slot = actual_of(b, params.at[i]);
        if (slot != NULL && *slot == NULL) *slot = args.at[i];
    }
}

// A symmetric channel may be given the other way round: decide by the end that is known already.
static void learn_channel(const Binding *b, SymList params, SymList args) {
    Sym *first = actual_of(b, params.at[0]), *second = actual_of(b, params.at[1]);
    bool swap = (first != NULL && *first == args.at[1]) ||
        (second != NULL && *second == args.at[0]);
    SymList turned = {(const Sym[]){args.at[1], args.at[0]}, 2};
    learn(b, params, swap ? turned : args);
}

static void learn_roles(Scope *sc, const Binding *b, bool channels) {
    for (size_t i = 0; i < b->f->params.len; i++) {
        const Expr *arg = b->args[i];
        const LocType *t = &b->f->params.at[i].type;
        if (arg == NULL || t->ty == NULL || arg->ty == NULL) continue;
        bool inst = t->ty->kind == TY_INST && arg->ty->kind == TY_INST;
        Decl *d = inst ? program_find(sc->p, t->ty->inst.name) : NULL;
        bool channel = d != NULL && d->channel != NULL;
        if (channel != channels) continue;
        if (channel) learn_channel(b, t->ty->inst.actuals, arg->ty->inst.actuals);
        else if (inst) learn(b, t->ty->inst.actuals, arg->ty->inst.actuals);
        else if (t->roles.len == arg->roles.len) learn(b, t->roles, arg->roles);
    }
}

static bool roles_decided(Scope *sc, const Expr *call, const Binding *b, Sym name) {
    for (size_t i = 0; i < b->formals.len; i++) {
        if (b->actuals[i] == NULL) {
            Diag *d = report_at(sc, call->at, DIAG_ROLE_INFER,
                                "nothing says who plays %s in this call of `%s`", b->formals.at[i],
                                name);
            diag_help(d, "name the roles: `%s[...](...)`", name);
            return false;
        }
        for (size_t j = 0; j < i; j++) {
            if (b->actuals[i] != b->actuals[j]) continue;
            report_at(sc, call->at, DIAG_ROLE_REPEATED,
                      "`%s` needs two different roles for %s and %s, but both are %s", name,
                      b->formals.at[j], b->formals.at[i], b->actuals[i]);
            return false;
        }
    }
    return true;
}

// The roles written in `f[A, B]`: all of them, or those that no argument fixes.
static bool explicit_roles(Scope *sc, const Expr *callee, SymList *out) {
    if (callee->kind != EXPR_SUBSCRIPT) return true;
    const Expr *slice = callee->subscript.slice;
    ExprList list = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    Vec(Sym) roles = {0};
    for (size_t i = 0; i < list.len; i++) {
        if (list.at[i]->kind != EXPR_NAME || !roles_has(sc->roles, list.at[i]->name.id)) {
            report_at(sc, list.at[i]->at, DIAG_ROLE_UNKNOWN, "a role in scope is expected here");
            return false;
        }
        vec_push(sc->p->arena, &roles, list.at[i]->name.id);
    }
    *out = (SymList){roles.at, roles.len};
    return true;
}

static bool give_explicit(Scope *sc, const Expr *callee, const Binding *b, SymList given) {
    size_t next = 0;
    bool all = given.len == b->formals.len;
    for (size_t i = 0; i < b->formals.len && next < given.len; i++)
        if (all || b->actuals[i] == NULL) b->actuals[i] = given.at[next++];
    if (next == given.len) return true;
    report_at(sc, callee->at, DIAG_ROLE_COUNT, "%zu roles are given, but `%s` has %zu", given.len,
              b->f->name, b->formals.len);
    return false;
}

// ---- choreographic calls ----

static void check_args(Scope *sc, const Binding *b, const Expr **by_param) {
    for (size_t i = 0; i < b->f->params.len; i++) {
        if (by_param[i] == NULL) continue;
        const Param *q = &b->f->params.at[i];
        SymList to = {b->actuals, b->formals.len};
        LocType want = {type_map_roles(sc->p, q->type.ty, b->formals, to),
                        roles_map_all(sc->p->arena, b->formals, to, q->type.roles)};
        b->args[i] = check_expr(sc, by_param[i], all_known(b) ? &want : NULL);
    }
}

static bool coerce_args(Scope *sc, const Binding *b, SymList to) {
    bool ok = true;
    for (size_t i = 0; i < b->f->params.len; i++) {
        if (b->args[i] == NULL) continue;
        const Param *q = &b->f->params.at[i];
        LocType want = {type_map_roles(sc->p, q->type.ty, b->formals, to),
                        roles_map_all(sc->p->arena, b->formals, to, q->type.roles)};
        want.roles = roles_sorted(sc->p->arena, sc->roles, want.roles);
        b->args[i] = expr_coerce(sc, b->args[i], want,
                                 names_format(sc->p->names, "argument `%s` of `%s`", q->name,
                                              b->f->name));
        ok &= b->args[i]->ty->kind != TY_POISON;
    }
    return ok;
}

static const Expr *rebuild_call(Scope *sc, const Expr *call, const Expr *inst, const Binding *b) {
    Arena *a = sc->p->arena;
    Vec(const Expr *) args = {0};
    Vec(const Keyword *) keywords = {0};
    for (size_t i = 0; i < call->call.args.len; i++) vec_push(a, &args, b->args[i]);
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        vec_push(a, &keywords, keyword_new(a, k->at, k->arg, b->args[param_named(b->f, k->arg)]));
    }
    return expr_call(a, call->at, inst, (ExprList){args.at, args.len},
                     (KeywordList){keywords.at, keywords.len});
}

const Expr *call_choreography(Scope *sc, const Expr *call, Callee c, const LocType *want) {
    Program *p = sc->p;
    Arena *a = p->arena;
    Function *f = c.f;
    if (f->broken) return call_failed(sc, call);
    const Expr **by_param = ARENA_ARRAY(a, const Expr *, f->params.len + 1);
    SymList given = {0};
    if (!explicit_roles(sc, call->call.func, &given) || !bind_arguments(sc, call, f, by_param))
        return call_failed(sc, call);
    SymList formals = c.from.len > 0 ? c.from : f->roles;
    Binding b = {f, ARENA_ARRAY(a, const Expr *, f->params.len + 1), formals,
                 ARENA_ARRAY(a, Sym, formals.len + 1)};
    learn(&b, c.from, c.to);
    if (given.len == formals.len) give_explicit(sc, call->call.func, &b, given);
    if (want != NULL && want->roles.len == 1 && c.result.roles.len == 1)
        learn(&b, c.result.roles, want->roles);
    check_args(sc, &b, by_param);
    learn_roles(sc, &b, false);
    learn_roles(sc, &b, true);
    const Ty *w = want != NULL ? want->ty : NULL;
    if (w != NULL && w->kind == TY_INST && c.result.ty->kind == TY_INST)
        learn(&b, c.result.ty->inst.actuals, w->inst.actuals);
    if (given.len > 0 && given.len != formals.len &&
        !give_explicit(sc, call->call.func, &b, given))
        return call_failed(sc, call);
    if (!roles_decided(sc, call, &b, c.name)) return call_failed(sc, call);
    SymList actuals = {b.actuals, formals.len};
    if (!coerce_args(sc, &b, actuals)) return call_failed(sc, call);
    CallSite site = {call->call.func->at, f, sc->fn, formals, actuals};
    vec_push(a, &p->sites, site);
    const Expr *inst = expr_inst(a, call->call.func->at, c.target, c.formals, actuals,
                                 (SymList){0});
    SymList roles = roles_map_all(a, formals, actuals, c.result.roles);
    return expr_typed(sc, rebuild_call(sc, call, inst, &b),
                 type_map_roles(p, c.result.ty, formals, actuals),
                 roles_sorted(a, sc->roles, roles));
}
