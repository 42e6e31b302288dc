// stage_test.c - conditions: comparisons, `and`, `or`, `in`, and what Python takes for true.

#include "compiler/pass/ad/stage_internal.h"

#include <string.h>

// ---- comparisons ----

static const Expr *known_comparison(Stage *s, Cmpop op, const Expr *x, const Expr *y)
{
    Poly p, q;
    int64_t n;
    if (term_elem(x) == ELEM_FLOAT || !term_poly(s->t, x, &p) || !term_poly(s->t, y, &q) ||
        !poly_is_number(poly_sub(s->arena, p, q), &n))
        return NULL;
    return term_bool(s->t, op == CMPOP_EQ       ? n == 0
                           : op == CMPOP_NOT_EQ ? n != 0
                           : op == CMPOP_LT     ? n < 0
                           : op == CMPOP_LT_E   ? n <= 0
                           : op == CMPOP_GT     ? n > 0
                                                : n >= 0);
}

const Expr *stage_truth(Stage *s, const Value *v, Span at)
{
    if (v->kind == VALUE_LIST || (v->kind == VALUE_RECORD && v->cls == NULL))
        return term_bool(s->t, v->items.len > 0);
    if (v->kind == VALUE_TEXT)
        return term_bool(s->t, v->text.len > 0);
    if (v->kind == VALUE_NONE || v->kind == VALUE_RECORD || v->kind == VALUE_FUNCTION)
        return term_bool(s->t, v->kind != VALUE_NONE);
    const Expr *x = value_as_term(s, v, at);
    if (s->failed || term_rank(x) > 0 || term_elem(x) == ELEM_BOOL)
        return x;
    if (x->kind == EXPR_CONSTANT)
        return term_bool(s->t, !term_is_int(x, 0) && !term_is_float(x, 0.0));
    const Expr *zero = term_elem(x) == ELEM_FLOAT ? term_float(s->t, 0.0) : term_int(s->t, 0);
    const Expr *known = known_comparison(s, CMPOP_NOT_EQ, x, zero);
    return known != NULL ? known : term_compare(s->t, CMPOP_NOT_EQ, x, zero);
}

static const Expr *refuse_is(Stage *s, Span at)
{
    return stage_refuse(s, at, "an array function supports `is` only in a single comparison with "
                        "`None`");
}

static const Expr *compared(Stage *s, Cmpop op, const Expr *x, const Expr *y, Span at)
{
    if (op == CMPOP_IS || op == CMPOP_IS_NOT)
        return refuse_is(s, at);
    if (op == CMPOP_IN || op == CMPOP_NOT_IN)
        return stage_refuse(s, at, "an array function supports `in` only in a single comparison");
    const Expr *known = known_comparison(s, op, x, y);
    if (known != NULL)
        return known;
    (void)stage_same(s, &x, &y, at, "this comparison");
    return s->failed ? x : term_compare(s->t, op, x, y);
}

static const Expr *both(Stage *s, Boolop op, const Expr *x, const Expr *y, Span at)
{
    if (term_elem(x) != ELEM_BOOL || term_elem(y) != ELEM_BOOL)
        return stage_refuse(s, at, "an array function supports `and` and `or` only for "
                            "conditions, such as `x > 0.0`");
    if (x->kind == EXPR_CONSTANT || y->kind == EXPR_CONSTANT) {
        const Expr *c = x->kind == EXPR_CONSTANT ? x : y, *other = c == x ? y : x;
        return c->constant.value->truth == (op == BOOLOP_OR) ? c : other;
    }
    (void)stage_same(s, &x, &y, at, "this condition");
    return s->failed ? x : term_binary(s->t, op == BOOLOP_OR ? OPERATOR_BIT_OR : OPERATOR_BIT_AND,
                                       x, y);
}

static const Expr *compared_with_none(Stage *s, Scope *scope, const Expr *e)
{
    const Value *x = stage_eval(s, scope, e->compare.left);
    const Value *y = stage_eval(s, scope, e->compare.comparators.at[0]);
    if (!s->failed && (e->compare.ops.len > 1 || y->kind != VALUE_NONE))
        return refuse_is(s, e->at);
    return term_bool(s->t, (x->kind == VALUE_NONE) == (e->compare.ops.at[0] == CMPOP_IS));
}

// `mode == "valid"`; NULL: something else.
static const Expr *compared_texts(Stage *s, Scope *scope, const Expr *e)
{
    Cmpop op = e->compare.ops.at[0];
    const Expr *to = e->compare.comparators.at[0];
    if (to->kind != EXPR_CONSTANT || to->constant.value->kind != CONST_STR ||
        e->compare.ops.len > 1 || (op != CMPOP_EQ && op != CMPOP_NOT_EQ))
        return NULL;
    const Value *x = stage_eval(s, scope, e->compare.left), *y = stage_eval(s, scope, to);
    bool same = x->kind == VALUE_TEXT && x->text.len == y->text.len &&
                memcmp(x->text.at, y->text.at, y->text.len) == 0;
    return term_bool(s->t, same == (op == CMPOP_EQ));
}

// `x.shape == (n, 3)`; NULL: something else.
static const Expr *compared_tuples(Stage *s, Scope *scope, const Expr *e)
{
    Cmpop op = e->compare.ops.at[0];
    const Expr *sides[] = {e->compare.left, e->compare.comparators.at[0]};
    bool shape = false;
    for (size_t i = 0; i < 2; i++)
        shape = shape || sides[i]->kind == EXPR_TUPLE ||
                (sides[i]->kind == EXPR_ATTRIBUTE && sym_is(sides[i]->attribute.attr, "shape"));
    if (!shape || e->compare.ops.len > 1 || (op != CMPOP_EQ && op != CMPOP_NOT_EQ))
        return NULL;
    const Value *x = stage_eval(s, scope, sides[0]), *y = stage_eval(s, scope, sides[1]);
    if (s->failed || x->kind != VALUE_LIST || y->kind != VALUE_LIST || !x->tuple || !y->tuple)
        return NULL;
    const Expr *all = term_bool(s->t, x->items.len == y->items.len);
    for (size_t i = 0; x->items.len == y->items.len && i < x->items.len && !s->failed; i++)
        all = both(s, BOOLOP_AND, all, compared(s, CMPOP_EQ,
                                                value_as_term(s, x->items.at[i], e->at),
                                                value_as_term(s, y->items.at[i], e->at), e->at),
                   e->at);
    return s->failed || op == CMPOP_EQ ? all : term_not(s->t, all);
}

const Expr *stage_comparison(Stage *s, Scope *scope, const Expr *e)
{
    Cmpop first = e->compare.ops.at[0];
    const Expr *texts = compared_texts(s, scope, e);
    if (texts != NULL)
        return texts;
    if (first == CMPOP_IS || first == CMPOP_IS_NOT)
        return compared_with_none(s, scope, e);
    if ((first == CMPOP_IN || first == CMPOP_NOT_IN) && e->compare.ops.len == 1) {
        const Value *item = stage_eval(s, scope, e->compare.left);
        const Value *in = stage_eval(s, scope, e->compare.comparators.at[0]);
        const Expr *found = s->failed ? term_int(s->t, 0) : stage_contained(s, item, in, e->at);
        return s->failed || first == CMPOP_IN ? found : term_not(s->t, found);
    }
    const Expr *tuples = compared_tuples(s, scope, e);
    if (tuples != NULL)
        return tuples;
    const Expr *all = NULL, *left = stage_term(s, scope, e->compare.left);
    for (size_t i = 0; i < e->compare.ops.len && !s->failed; i++) {
        const Expr *right = stage_term(s, scope, e->compare.comparators.at[i]);
        const Expr *one = compared(s, e->compare.ops.at[i], left, right, e->at);
        all = all == NULL ? one : both(s, BOOLOP_AND, all, one, e->at);
        left = right;
    }
    return all != NULL ? all : left;
}

const Expr *stage_tests(Stage *s, Scope *scope, const Expr *e, StageOperand *operand)
{
    const Expr *all = operand(s, scope, e->bool_op.values.at[0]);
    for (size_t i = 1; i < e->bool_op.values.len && !s->failed; i++) {
        const Const *known = all->kind == EXPR_CONSTANT ? all->constant.value : NULL;
        if (known != NULL && known->kind == CONST_BOOL &&
            known->truth == (e->bool_op.op == BOOLOP_OR))
            return all;
        Journal journal;
        journal_open(s, &journal);
        const Expr *next = operand(s, scope, e->bool_op.values.at[i]);
        journal_end(s, &journal, e->at);
        all = s->failed ? all : both(s, e->bool_op.op, all, next, e->at);
    }
    return all;
}

const Expr *stage_condition(Stage *s, Scope *scope, const Expr *e)
{
    if (e->kind == EXPR_BOOL_OP)
        return stage_tests(s, scope, e, stage_condition);
    return stage_truth(s, stage_eval(s, scope, e), e->at);
}
