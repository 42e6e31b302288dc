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

static void settle_target(Scope *sc, const Expr *t, SymList roles) {
    if (t->kind == EXPR_NAME) {
        Var *v = table_get(sc->vars, t->name.id);
        if (v != NULL && v->type.roles.len == 0) v->type.roles = roles;
    }
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) settle_target(sc, elts.at[i], roles);
}

static bool loop_variable_apart(Scope *sc, const Expr *t, SymList roles) {
    if (t->kind != EXPR_NAME) return false;
    Var *v = table_get(sc->vars, t->name.id);
    if (v == NULL || v->type.roles.len == 0 || roles.len == 0 ||
        roles_equal(v->type.roles, roles))
        return false;
    Diag *d = report_at(sc, t->at, DIAG_PLACE_WRONG,
                        "`%s` is at %s, but this loop runs over a value at %s", t->name.id,
                        roles_text(sc->p->arena, v->type.roles), roles_text(sc->p->arena, roles));
    diag_label(d, v->at, "`%s` was placed here", t->name.id);
    return true;
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

void check_for(Scope *sc, const Stmt *s, StmtVec *out) {
    Program *p = sc->p;
    const Expr *iter = check_condition(sc, s->for_.iter), *target = s->for_.target;
    if (iter->ty != NULL && iter->ty->kind == TY_POISON) return;
    if (!binds_names(sc, target)) return;
    if (loop_variable_apart(sc, target, iter->roles)) return;
    bind_target(sc, target, (LocType){element_type(sc, iter), iter->roles});
    SymList around = sc->branch_roles;
    sc->branch_roles = iter->roles;
    StmtList body = check_body(sc, s->for_.body), orelse = check_body(sc, s->for_.orelse);
    sc->branch_roles = around;
    SymList roles = loop_roles(sc, iter, body, orelse);
    iter = expr_place(sc, iter, roles);
    settle_target(sc, target, roles);
    vec_push(p->arena, out, stmt_for(p->arena, s->at, place_target(sc, target, roles), iter, body,
                                     orelse));
}
