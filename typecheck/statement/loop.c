// loop.c - `while` and `for` of a choreography (docs/language.md, "Loops").

#include "typecheck/expression/operands.h"

static SymList loop_roles(Scope *sc, const Expr *head, StmtList body, StmtList orelse) {
    if (head->roles.len > 0) return head->roles;
    Program *p = sc->p;
    SymList both = roles_join(p->arena, roles_of_stmts(p, sc->roles, body),
                              roles_of_stmts(p, sc->roles, orelse));
    return both.len > 0 ? roles_sorted(p->arena, sc->roles, both) : sc->roles;
}

// `while True@A` is a loop of A's, whatever is in it; one that nobody was named for is left out
// where a role has nothing to do in it.
static const Expr *keep_pin(Scope *sc, const Expr *test, SymList named) {
    if (named.len == 0 || test->kind != EXPR_CONSTANT) return test;
    return expr_typed(sc, expr_pin(sc->p->arena, test->at, test, named), test->ty, named);
}

void check_while(Scope *sc, const Stmt *s, StmtVec *out) {
    const Expr *test = check_condition(sc, s->while_.test);
    SymList around = sc->branch_roles;
    sc->branch_roles = test->roles;
    StmtList body = check_body(sc, s->while_.body), orelse = check_body(sc, s->while_.orelse);
    sc->branch_roles = around;
    test = keep_pin(sc, expr_place(sc, test, loop_roles(sc, test, body, orelse)), test->roles);
    vec_push(sc->p->arena, out, stmt_while(sc->p->arena, s->at, test, body, orelse));
}

// A loop binds variables, or a tuple of them.
static bool binds_names(Scope *sc, const Expr *t) {
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++)
        if (!binds_names(sc, elts.at[i])) return false;
    if (t->kind == EXPR_STARRED) return binds_names(sc, t->starred.value);
    if (t->kind == EXPR_NAME || t->kind == EXPR_TUPLE || t->kind == EXPR_LIST) return true;
    Diag *d = report_unsupported(sc->p, t->at, "a loop whose target is not a variable");
    diag_help(d, "assign it in the body");
    sc->fn->failed = true;
    return false;
}

// ---- the variables of a target ----

typedef Vec(Var *) Vars;

static void find_vars(Scope *sc, const Expr *t, Vars *out) {
    if (t->kind == EXPR_STARRED) t = t->starred.value;
    Var *v = t->kind == EXPR_NAME ? table_get(sc->vars, t->name.id) : NULL;
    if (v != NULL) vec_push(sc->p->arena, out, v);
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) find_vars(sc, elts.at[i], out);
}

static Var *found_before(const Vars *olds, Sym name) {
    for (size_t i = 0; i < olds->len; i++)
        if (olds->at[i]->name == name) return olds->at[i];
    return NULL;
}

// Where the variables already are that keep their roles.
static SymList roles_of_vars(Scope *sc, const Vars *olds) {
    SymList roles = {0};
    for (size_t i = 0; i < olds->len; i++)
        if (!olds->at[i]->looped)
            roles = roles_join(sc->p->arena, roles, olds->at[i]->type.roles);
    return roles;
}

static void enter_loop(Scope *sc, const Expr *target, const Vars *olds) {
    Vars now = {0};
    find_vars(sc, target, &now);
    for (size_t i = 0; i < now.len; i++) {
        const Var *old = found_before(olds, now.at[i]->name);
        now.at[i]->looped = old == NULL || old->looped;
        now.at[i]->roams = old != NULL && old->roams;
    }
}

// A variable of nothing but loops may be at other roles in each: it has no value behind them
// (assigned.c). Any other stays where it was.
static void leave_loop(Scope *sc, const Expr *target, const Vars *olds, SymList roles,
                       bool breaks) {
    Vars now = {0};
    find_vars(sc, target, &now);
    for (size_t i = 0; i < now.len; i++) {
        const Var *old = found_before(olds, now.at[i]->name);
        now.at[i]->stays = breaks || (old != NULL && old->stays);
    }
    for (size_t i = 0; i < olds->len; i++) {
        Var *old = olds->at[i], *v = table_get(sc->vars, old->name);
        v->narrowed = NULL;
        if (old->type.roles.len == 0 || roles_equal(v->type.roles, old->type.roles)) continue;
        v->roams = old->looped && v->looped;
        if (v->roams) continue;
        Diag *d = report_at(sc, v->at, DIAG_PLACE_WRONG, "`%s` is at %s, but this loop is at %s",
                            v->name, roles_text(sc->p->arena, old->type.roles),
                            roles_text(sc->p->arena, roles));
        diag_label(d, old->at, "`%s` was placed here", v->name);
        diag_help(d, "take another name");
        sc->fn->failed = true;
    }
}

// A variable that has a value already gets that of the last round, also where a role has nothing
// to do in the rounds.
static const Expr *keep_rounds(Scope *sc, const Expr *iter, const Vars *olds) {
    for (size_t i = 0; i < olds->len; i++)
        if (!olds->at[i]->looped || olds->at[i]->stays)
            return expr_typed(sc, expr_pin(sc->p->arena, iter->at, iter, iter->roles), iter->ty,
                              iter->roles);
    return iter;
}

static SymList for_roles(Scope *sc, const Expr *iter, const Vars *olds, StmtList body,
                         StmtList orelse) {
    SymList old = roles_of_vars(sc, olds);
    if (iter->roles.len > 0 || old.len == 0) return loop_roles(sc, iter, body, orelse);
    Program *p = sc->p;
    SymList both = roles_join(p->arena, roles_of_stmts(p, sc->roles, body),
                              roles_of_stmts(p, sc->roles, orelse));
    return roles_sorted(p->arena, sc->roles, roles_join(p->arena, both, old));
}

void check_for(Scope *sc, const Stmt *s, StmtVec *out) {
    Program *p = sc->p;
    const Expr *iter = check_condition(sc, s->for_.iter), *target = s->for_.target;
    if (iter->ty != NULL && iter->ty->kind == TY_POISON) return;
    if (!binds_names(sc, target)) return;
    if (target_apart(sc, target, iter->roles, "this loop runs over a value")) return;
    Vars olds = {0};
    find_vars(sc, target, &olds);
    if (!target_bind(sc, target, (LocType){element_type(sc, iter), iter->roles})) {
        bind_poison(sc, s);
        return;
    }
    enter_loop(sc, target, &olds);
    SymList around = sc->branch_roles;
    size_t breaks = sc->breaks;
    sc->branch_roles = iter->roles;
    StmtList body = check_body(sc, s->for_.body), orelse = check_body(sc, s->for_.orelse);
    sc->branch_roles = around;
    SymList roles = for_roles(sc, iter, &olds, body, orelse);
    iter = keep_rounds(sc, expr_place(sc, iter, roles), &olds);
    target_settle(sc, target, roles);
    leave_loop(sc, target, &olds, roles, sc->breaks > breaks);
    vec_push(p->arena, out, stmt_for(p->arena, s->at, place_target(sc, target, roles), iter, body,
                                     orelse));
}
