// call.c - calls: what is called, and calls of one role's code.

#include "typecheck/call.h"

// ---- what is called ----

static const Expr *call_method(Scope *sc, const Expr *call, const Expr *callee,
                               const LocType *want) {
    const Ty *t = callee->attribute.value->ty;
    Decl *d = program_find(sc->p, t->inst.name);
    Function *f = table_get(d->members, callee->attribute.attr);
    Callee c = {f, f->name, callee, {0}, d->formals, t->inst.actuals, f->result};
    return call_choreography(sc, call, c, want);
}

static const Expr *call_constructor(Scope *sc, const Expr *call, const Expr *name, Decl *d,
                                    const LocType *want) {
    LocType result = {ty_inst(sc->p->arena, d->name, (TyList){0}, d->formals), d->formals};
    Callee c = {d->init, d->name, name, d->formals, {0}, {0}, result};
    return call_choreography(sc, call, c, want);
}

static const Expr *call_named(Scope *sc, const Expr *call, const Expr *name, const LocType *want,
                              bool *done) {
    Var *v = scope_find(sc, name->name.id);
    *done = true;
    if (v != NULL && v->function != NULL) {
        Function *f = v->function;
        Callee c = {f, f->name, name, {0}, f->roles, f->roles, f->result};
        return call_choreography(sc, call, c, want);
    }
    Decl *d = v == NULL ? program_find(sc->p, name->name.id) : NULL;
    if (d != NULL && d->kind == DECL_ROLE_CLASS) return call_constructor(sc, call, name, d, want);
    if (d != NULL && d->kind == DECL_CHOREOGRAPHY) {
        Function *f = d->function;
        Callee c = {f, d->name, name, f->formals, {0}, {0}, f->result};
        return call_choreography(sc, call, c, want);
    }
    *done = false;
    return NULL;
}

// `C.m(..)` with C a class of several roles: only its local static methods.
static const Expr *call_static(Scope *sc, const Expr *call, const Expr *callee, bool *done) {
    const Expr *base = callee->attribute.value;
    Decl *d = base->kind == EXPR_NAME ? program_find(sc->p, base->name.id) : NULL;
    *done = d != NULL && d->kind == DECL_ROLE_CLASS && scope_find(sc, base->name.id) == NULL;
    if (!*done) return NULL;
    report_unsupported(sc->p, call->at, "a static method of a class of several roles");
    return call_failed(sc, call);
}

// ---- local calls ----

static const Ty *annotated_result(Program *p, const Stmt *def) {
    if (def == NULL || def->kind != STMT_FUNCTION_DEF) return ty_any(p->arena);
    const Expr *r = def->function_def.returns;
    return r != NULL ? annotation_local(p, r) : ty_any(p->arena);
}

static const Ty *class_attribute_result(Program *p, const Decl *d, Sym name, const Ty *self) {
    for (; d != NULL; d = program_local_base(p, d)) {
        const Stmt *m = table_get(d->members, name);
        if (m == NULL) continue;
        const Ty *t = annotated_result(p, m);
        return type_is(t, "Self") ? self : t;
    }
    return ty_any(p->arena);
}

static const Ty *local_result(Scope *sc, const Expr *callee, ExprList args) {
    Program *p = sc->p;
    if (callee->kind == EXPR_NAME) {
        Sym name = callee->name.id;
        if (scope_find(sc, name) != NULL) return ty_any(p->arena);
        Decl *d = program_find(p, name);
        if (d == NULL) {
            const Ty *t = type_of_builtin(p, name, args);
            return t != NULL ? t : ty_any(p->arena);
        }
        if (d->kind == DECL_LOCAL_CLASS || d->kind == DECL_ENUM)
            return ty_named(p->arena, d->name, (TyList){0});
        return d->kind == DECL_LOCAL_FUNCTION ? annotated_result(p, d->stmt) : ty_any(p->arena);
    }
    if (callee->kind != EXPR_ATTRIBUTE) return ty_any(p->arena);
    const Expr *base = callee->attribute.value;
    Decl *d = base->kind == EXPR_NAME && scope_find(sc, base->name.id) == NULL
        ? program_find(p, base->name.id) : NULL;
    if (d != NULL && d->kind == DECL_LOCAL_CLASS)
        return class_attribute_result(p, d, callee->attribute.attr,
                                      ty_named(p->arena, d->name, (TyList){0}));
    if (base->ty != NULL && base->ty->kind == TY_NAMED &&
        (d = program_find(p, base->ty->named.name)) != NULL)
        return class_attribute_result(p, d, callee->attribute.attr, base->ty);
    return type_of_method(p, base->ty, callee->attribute.attr);
}

bool refuse_several(Scope *sc, const Expr *e, const char *what) {
    if (!type_several(e->ty)) return false;
    report_at(sc, e->at, DIAG_NEVER_LOCAL, "%s lives at several roles and cannot %s",
              expr_text(sc->p, e), what);
    return true;
}

static void check_store_through(Scope *sc, const Expr *callee, SymList roles) {
    if (callee->kind != EXPR_ATTRIBUTE) return;
    const Expr *base = callee->attribute.value;
    if (base->roles.len <= roles.len || roles.len == 0 || !type_mutable(sc->p, base->ty)) return;
    if (method_pure(base->ty, callee->attribute.attr)) return;
    Program *p = sc->p;
    Diag *d = report_at(sc, callee->at, DIAG_REPLICATED_STORE,
                        "%s is replicated at %s, but only %s would call `%s` on it",
                        expr_text(p, base), roles_text(p->arena, base->roles),
                        roles_text(p->arena, roles), callee->attribute.attr);
    diag_help(d, "send the arguments to all of %s first, or narrow the object: "
              "`obj: At[.., %s] = %s`", roles_text(p->arena, base->roles), roles.at[0], "...");
}

// A builtin only looks at its arguments, but what it gives may hold their elements.
static bool reads_only(Scope *sc, const Expr *callee, const Expr *arg) {
    Program *p = sc->p;
    if (callee->kind != EXPR_NAME || program_find(p, callee->name.id) != NULL ||
        !builtin_deterministic(callee->name.id))
        return false;
    const Ty *result = type_of_builtin(p, callee->name.id, (ExprList){&arg, 1});
    return (result != NULL && !type_mutable(p, result)) ||
        !type_mutable(p, type_of_element(p, arg->ty));
}

static const Expr *narrowed(Scope *sc, const Expr *callee, const Expr *arg, SymList roles) {
    if (arg->kind == EXPR_STARRED || arg->roles.len <= roles.len || reads_only(sc, callee, arg))
        return arg;
    return expr_coerce(sc, arg, (LocType){arg->ty, roles}, "the argument");
}

static const Expr *call_local(Scope *sc, const Expr *call, const Expr *callee,
                              const LocType *want) {
    Arena *a = sc->p->arena;
    size_t n = call->call.args.len, m = call->call.keywords.len;
    const Expr **k = ARENA_ARRAY(a, const Expr *, n + m + 1);
    bool ok = callee->ty == NULL || callee->ty->kind != TY_POISON;
    LocType hint = {NULL, callee->roles.len > 0 || want == NULL ? callee->roles : want->roles};
    for (size_t i = 0; i < n + m; i++) {
        const Expr *arg = i < n ? call->call.args.at[i] : call->call.keywords.at[i - n]->value;
        k[i] = check_expr(sc, arg, &hint);
        if (hint.roles.len == 0) hint.roles = k[i]->roles;
        if (k[i]->roles.len == 0 && !expr_unplaced(k[i])) {
            report_at(sc, arg->at, DIAG_PLACE_WRONG, "%s gives no value at any role",
                      expr_text(sc->p, arg));
            ok = false;
        }
        if (ok) ok = !refuse_several(sc, k[i], "be given to one role's code");
        ok &= k[i]->ty == NULL || k[i]->ty->kind != TY_POISON;
    }
    k[n + m] = callee;
    SymList roles;
    if (!ok || !expr_meet(sc, n + m + 1, k, &roles)) return call_failed(sc, call);
    check_store_through(sc, callee, roles);
    for (size_t i = 0; i <= n + m && roles.len > 0; i++) k[i] = expr_place(sc, k[i], roles);
    for (size_t i = 0; i < n + m && roles.len > 0; i++) k[i] = narrowed(sc, callee, k[i], roles);
    const Keyword **keywords = ARENA_ARRAY(a, const Keyword *, m);
    for (size_t i = 0; i < m; i++) {
        const Keyword *old = call->call.keywords.at[i];
        keywords[i] = keyword_new(a, old->at, old->arg, k[n + i]);
    }
    ExprList args = {k, n};
    const Ty *ty = local_result(sc, callee, args);
    return expr_typed(sc, expr_call(a, call->at, k[n + m], args, (KeywordList){keywords, m}), ty,
                      roles);
}

const Expr *check_call(Scope *sc, const Expr *call, const Expr *callee, const LocType *want) {
    bool done = false;
    const Expr *name = callee->kind == EXPR_SUBSCRIPT && callee->ty == NULL
        ? callee->subscript.value : callee;
    if (name->kind == EXPR_NAME) {
        const Expr *out = call_named(sc, call, name, want, &done);
        if (done) return out;
    }
    Channel ch;
    if (channel_of(sc, callee, &ch)) return call_channel(sc, call, callee, &ch, want);
    if (type_choreographic(callee->ty)) return call_value(sc, call, callee);
    if (callee->kind == EXPR_ATTRIBUTE) {
        const Ty *t = callee->attribute.value->ty;
        bool whole = callee->ty != NULL && callee->ty->kind != TY_POISON;
        if (t != NULL && t->kind == TY_INST && whole) {
            Decl *d = program_find(sc->p, t->inst.name);
            Function *f = table_get(d->members, callee->attribute.attr);
            if (f != NULL && !f->local) return call_method(sc, call, callee, want);
        }
        const Expr *out = call_static(sc, call, callee, &done);
        if (done) return out;
    }
    return call_local(sc, call, callee, want);
}
