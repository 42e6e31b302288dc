// stage_select.c - `x[c]`, the elements that a condition selects. How many they are depends on
// data, so the whole array is kept, with the condition: what is done to each of them is done to all
// elements, and the condition is asked where they are stored (`y[c] = f(x[c])`) or summed.

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

const Expr *stage_sum_selected(Stage *s, const Value *v, Span at)
{
    const Expr *all = stage_where(s, v->test, stage_whole_tests(s, v->term), term_int(s->t, 0), at);
    return s->failed ? all : stage_reduce(s, REDUCTION_SUM, all, NULL, at);
}

const Expr *stage_count_selected(Stage *s, const Value *v, Span at)
{
    const Value one = {.kind = VALUE_SELECTED, .term = term_float(s->t, 1.0), .test = v->test};
    return stage_sum_selected(s, &one, at);
}
