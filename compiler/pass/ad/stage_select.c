// stage_select.c - `x[c]`, the elements that a condition selects, and `x[a:b]` where data says how
// long that is. How many they are depends on data, so the whole array is kept, with the condition:
// what is done to each of them is done to all elements, and the condition is asked where they are
// stored (`y[c] = f(x[c])`) or summed.

#include "compiler/pass/ad/stage_call.h"

Value *stage_selected(Stage *s, const Expr *x, const Expr *test)
{
    Value *v = value_of(s, VALUE_SELECTED);
    v->term = x;
    v->test = test;
    return v;
}

// Of an index of an array; NULL: it is none.
const Expr *stage_selection(Stage *s, Scope *scope, const Expr *index, const Expr *x)
{
    const Value *v = index->kind == EXPR_NAME ? stage_find(scope, index->name.id) : NULL;
    bool test = index->kind == EXPR_COMPARE ||
                (index->kind == EXPR_UNARY_OP && index->unary_op.op == UNARYOP_INVERT) ||
                (index->kind == EXPR_CALL && index->call.func->kind == EXPR_ATTRIBUTE) ||
                (index->kind == EXPR_BIN_OP && (index->bin_op.op == OPERATOR_BIT_AND ||
                                                index->bin_op.op == OPERATOR_BIT_OR));
    if (!test && (v == NULL || v->kind != VALUE_TERM))
        return NULL;
    const Expr *c = test ? stage_term(s, scope, index) : v->term;
    return !s->failed && term_rank(x) > 0 && term_elem(c) == ELEM_BOOL &&
           shape_equal(term_shape(c), term_shape(x)) ? c : NULL;
}

const Expr *stage_test_of(Value *const *operands, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (operands[i]->kind == VALUE_SELECTED)
            return operands[i]->test;
    return NULL;
}

const Expr *stage_whole(Stage *s, const Value *v, const Expr *test, Span at)
{
    if (test == NULL || (v->kind == VALUE_SELECTED && v->test == test))
        return test == NULL ? value_as_term(s, v, at) : v->term;
    const Expr *x = v->kind == VALUE_SELECTED ? v->term : value_as_term(s, v, at);
    if (!s->failed && term_rank(x) > 0)
        return stage_refuse(s, at, "an array function combines elements that a condition selects "
                            "only with numbers and with elements that the same condition "
                            "selects\nwrite `np.where(c, x, 0.0)`");
    return x;
}

static const Expr *compared(Stage *s, const Ty *size, Cmpop op, const Expr *with)
{
    return term_compare(s->t, op, term_iota(s->t, size), term_fill(s->t, (TyList){&size, 1}, with));
}

const Expr *stage_between(Stage *s, const Ty *size, const Expr *from, const Expr *to)
{
    const Expr *low = from == NULL ? NULL : compared(s, size, CMPOP_GT_E, from);
    const Expr *high = to == NULL ? NULL : compared(s, size, CMPOP_LT, to);
    return low == NULL ? high : high == NULL ? low
           : term_binary(s->t, OPERATOR_BIT_AND, low, high);
}

const Expr *stage_dot_selected(Stage *s, Value *const *both, Span at)
{
    const Expr *test = stage_test_of(both, 2);
    const Expr *x = stage_whole(s, both[0], test, at), *y = stage_whole(s, both[1], test, at);
    if (!s->failed && (term_rank(x) != 1 || term_rank(y) != 1))
        return stage_refuse(s, at, "an array function multiplies elements that a condition selects "
                            "only with others of one dimension\nwrite `np.where(c, x, 0.0)`");
    const Expr *all = s->failed ? x : stage_binary(s, OPERATOR_MULT, x, y, at);
    const Value product = {.kind = VALUE_SELECTED, .term = all, .test = test};
    return s->failed ? all : stage_sum_selected(s, &product, at);
}

const Expr *stage_sum_selected(Stage *s, const Value *v, Span at)
{
    const Expr *all = stage_where(s, v->test, stage_whole_tests(s, v->term), term_int(s->t, 0), at);
    return s->failed ? all : stage_reduce(s, REDUCTION_SUM, all, NULL, at);
}

const Expr *stage_sum_each(Stage *s, const Value *v, Span at)
{
    if (v->depth == 0)
        return stage_sum_selected(s, v, at);
    const Expr *all = stage_where(s, v->test, v->term, term_int(s->t, 0), at);
    for (size_t i = 0; i < v->depth && !s->failed; i++)
        all = term_reduce(s->t, REDUCTION_SUM, all);
    return all;
}

const Expr *stage_count_selected(Stage *s, const Value *v, const Expr *one_of, Span at)
{
    const Value one = {.kind = VALUE_SELECTED, .term = one_of, .test = v->test};
    return stage_sum_selected(s, &one, at);
}
