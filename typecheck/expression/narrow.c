// narrow.c - what a condition says about the types of variables, as Python's type checkers have
// it: `x is None`, `x is not None`, `x`, `not x`, `isinstance(x, C)`, and `and` of these.

#include "typecheck/internal.h"

const Ty *type_without_none(Program *p, const Ty *t) {
    if (t == NULL || t->kind != TY_UNION) return t;
    Vec(const Ty *) rest = {0};
    for (size_t i = 0; i < t->union_.items.len; i++)
        if (t->union_.items.at[i]->kind != TY_NONE_TYPE)
            vec_push(p->arena, &rest, t->union_.items.at[i]);
    if (rest.len == 1) return rest.at[0];
    return ty_union(p->arena, (TyList){rest.at, rest.len});
}

static Var *variable(Scope *sc, const Expr *e) {
    return e->kind == EXPR_NAME ? scope_find(sc, e->name.id) : NULL;
}

static void learn(Scope *sc, Narrowing *n, Var *v, const Ty *t) {
    if (v == NULL || t == NULL || t == var_type(v)) return;
    Narrowed one = {v, v->narrowed};
    vec_push(sc->p->arena, n, one);
    v->narrowed = t;
}

static bool is_none(const Expr *e) {
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE;
}

static void learn_compare(Scope *sc, Narrowing *n, const Expr *e, bool truth) {
    if (e->compare.ops.len != 1 || !is_none(e->compare.comparators.at[0])) return;
    Cmpop op = e->compare.ops.at[0];
    Var *v = variable(sc, e->compare.left);
    bool none = (op == CMPOP_IS || op == CMPOP_EQ) == truth;
    if (v == NULL || (op != CMPOP_IS && op != CMPOP_IS_NOT && op != CMPOP_EQ && op != CMPOP_NOT_EQ))
        return;
    learn(sc, n, v, none ? ty_none_type(sc->p->arena) : type_without_none(sc->p, var_type(v)));
}

static void learn_isinstance(Scope *sc, Narrowing *n, const Expr *e, bool truth) {
    const Expr *f = e->call.func;
    bool isinstance = f->kind == EXPR_NAME && sym_is(f->name.id, "isinstance");
    if (!truth || !isinstance || e->call.args.len != 2) return;
    const Expr *c = e->call.args.at[1];
    Var *v = variable(sc, e->call.args.at[0]);
    if (c->kind == EXPR_NAME && v != NULL && !type_unknown(var_type(v)))
        learn(sc, n, v, ty_named(sc->p->arena, c->name.id, (TyList){0}));
}

void narrow_by(Scope *sc, Narrowing *n, const Expr *test, bool truth) {
    while (test->kind == EXPR_UNARY_OP && test->unary_op.op == UNARYOP_NOT) {
        test = test->unary_op.operand;
        truth = !truth;
    }
    if (test->kind == EXPR_COMPARE) learn_compare(sc, n, test, truth);
    if (test->kind == EXPR_CALL) learn_isinstance(sc, n, test, truth);
    if (test->kind == EXPR_NAME && truth && variable(sc, test) != NULL)
        learn(sc, n, variable(sc, test), type_without_none(sc->p, var_type(variable(sc, test))));
    bool all = test->kind == EXPR_BOOL_OP && (test->bool_op.op == BOOLOP_AND) == truth;
    for (size_t i = 0; all && i < test->bool_op.values.len; i++)
        narrow_by(sc, n, test->bool_op.values.at[i], truth);
}

void narrow_end(Narrowing *n) {
    while (n->len > 0) {
        n->len--;
        n->at[n->len].var->narrowed = n->at[n->len].before;
    }
}
