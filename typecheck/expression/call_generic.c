// call_generic.c - the type parameters of a call: fresh names, bounds, and what is written of them.

#include "typecheck/expression/call.h"

SymList call_own_vars(Program *p, SymList params, Subst *view) {
    Vec(Sym) names = {0}, fresh = {0};
    Vec(const Ty *) types = {0};
    for (size_t i = 0; i < view->vars.len; i++) {
        vec_push(p->arena, &names, view->vars.at[i]);
        vec_push(p->arena, &types, i < view->to_types.len ? view->to_types.at[i] : NULL);
    }
    for (size_t i = 0; i < params.len; i++) {
        Sym own = names_format(p->names, "?%s", params.at[i]);
        vec_push(p->arena, &names, params.at[i]);
        vec_push(p->arena, &fresh, own);
        vec_push(p->arena, &types, ty_type_var(p->arena, own));
    }
    view->vars = (SymList){names.at, names.len};
    view->to_types = (TyList){types.at, types.len};
    return (SymList){fresh.at, fresh.len};
}

SymList call_source_vars(Program *p, SymList vars) {
    Sym *at = ARENA_ARRAY(p->arena, Sym, vars.len + 1);
    for (size_t i = 0; i < vars.len; i++) at[i] = names_get(p->names, vars.at[i] + 1);
    return (SymList){at, vars.len};
}

static bool same_type(Program *p, const Ty *a, const Ty *b) {
    return type_fits(p, a, b) && type_fits(p, b, a);
}

// What a type variable of the caller may be.
static Bound own_bound(Scope *sc, Sym var) {
    for (; sc != NULL && sc->fn != NULL; sc = sc->outer) {
        if (roles_has(sc->fn->type_params, var)) return type_bound(sc->p, sc->fn->def, var);
        const Decl *owner = sc->fn->owner;
        if (owner != NULL && roles_has(owner->type_params, var))
            return type_bound(sc->p, owner->stmt, var);
    }
    return (Bound){0};
}

static bool within(Scope *sc, const Ty *t, Bound bound) {
    Program *p = sc->p;
    if (t->kind == TY_TYPE_VAR && bound.constraints.len == 0 && bound.upper == NULL) return true;
    Bound own = t->kind == TY_TYPE_VAR ? own_bound(sc, t->type_var.name) : (Bound){0};
    for (size_t i = 0; i < own.constraints.len; i++)        // all that it may be
        if (!within(sc, own.constraints.at[i], bound)) return false;
    if (own.constraints.len > 0) return true;
    if (bound.upper != NULL && !type_fits(p, t, bound.upper)) return false;
    for (size_t i = 0; i < bound.constraints.len; i++)
        if (same_type(p, t, bound.constraints.at[i])) return true;
    return bound.constraints.len == 0;
}

static const char *bound_text(Program *p, Bound bound) {
    if (bound.constraints.len == 0)
        return names_format(p->names, "`%s`", type_text(p, bound.upper));
    Buf b = buf_new(p->arena);
    for (size_t i = 0; i < bound.constraints.len; i++)
        buf_printf(&b, "%s`%s`", i == 0 ? "one of " : ", ",
                   type_text(p, bound.constraints.at[i]));
    return buf_text(&b);
}

// `Box[int, A, B]`: with roles of the scope, or those of the class where these are too few.
static const char *stated(Scope *sc, const Callee *c) {
    const Decl *d = program_find(sc->p, c->generic->class_def.name);
    SymList roles = d->formals;
    if (sc->roles.len >= roles.len) roles = (SymList){sc->roles.at, roles.len};
    const Ty **ints = ARENA_ARRAY(sc->p->arena, const Ty *, c->vars.len + 1);
    for (size_t i = 0; i < c->vars.len; i++) ints[i] = type_named(sc->p, "int");
    return type_text(sc->p, ty_inst(sc->p->arena, d->name, (TyList){ints, c->vars.len}, roles));
}

bool call_types_fit(Scope *sc, const Expr *call, const Callee *c, const Ty **given) {
    Program *p = sc->p;
    for (size_t i = 0; i < c->vars.len; i++) {
        Sym var = names_get(p->names, c->vars.at[i] + 1);
        Bound bound = type_bound(p, c->generic, var);
        if (given[i] == NULL && c->generic->kind == STMT_CLASS_DEF) {
            Diag *d = report_at(sc, call->at, DIAG_TYPE_ARGUMENTS,
                                "the type argument `%s` of this call of `%s` cannot be inferred",
                                var, c->name);
            diag_help(d, "write the type arguments before the roles, as in `%s(...)`",
                      stated(sc, c));
            return false;
        }
        if (type_unknown(given[i]) || within(sc, given[i], bound)) continue;
        Diag *d = report_at(sc, call->at, DIAG_TYPE_ARGUMENTS,
                            "`%s` of `%s` must be %s, but this call makes it `%s`", var, c->name,
                            bound_text(p, bound), type_text(p, given[i]));
        diag_label(d, source_first_line(p->source, c->generic->at), "declared here");
        return false;
    }
    return true;
}

const Expr *call_put_types(Scope *sc, const Expr *target, const Callee *c, const Ty **given) {
    Program *p = sc->p;
    if (c->vars.len == 0 || c->generic->kind != STMT_CLASS_DEF) return target;
    TyList types = {given, c->vars.len};
    if (target->kind == EXPR_NAME) return type_apply(p, target, types);
    return expr_attribute(p->arena, target->at, type_apply(p, target->attribute.value, types),
                          target->attribute.attr, EXPR_CONTEXT_LOAD);
}
