// stage_select.c - `x[c]`, the elements or rows that a condition selects, and `x[a:b]` where data
// says how long that is. How many they are depends on data, so the whole array is kept, with the
// condition: what is done to each of them is done to all elements, and the condition is asked where
// they are stored (`y[c] = f(x[c])`) or reduced.

#include "compiler/pass/ad/stage_call.h"

#include <math.h>

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
           (shape_equal(term_shape(c), term_shape(x)) ||
            (term_rank(c) == 1 && term_shape(c).at[0] == term_shape(x).at[0])) ? c : NULL;
}

const Value *stage_first_selected(Value *const *operands, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (operands[i]->kind == VALUE_SELECTED)
            return operands[i];
    return NULL;
}

// How many dimensions are behind those of the condition.
static size_t behind(const Value *v)
{
    return term_rank(v->term) > term_rank(v->test) ? term_rank(v->term) - term_rank(v->test) : 0;
}

// Each row that is selected sees the same of it.
static bool is_for_each_row(Stage *s, const Expr *x, size_t rank)
{
    return term_rank(x) <= rank ||
           (term_rank(x) == rank + 1 && size_is(s->t, term_shape(x).at[0], 1));
}

const Expr *stage_whole(Stage *s, const Value *v, const Value *selected, Span at)
{
    if (selected == NULL)
        return value_as_term(s, v, at);
    bool is = v->kind == VALUE_SELECTED, same = is && v->test == selected->test;
    const Expr *x = is ? v->term : value_as_term(s, v, at);
    if (!s->failed && (same ? behind(v) != behind(selected)
                       : is ? term_rank(x) > 0 : !is_for_each_row(s, x, behind(selected))))
        return stage_refuse(s, at, "an array function combines elements that a condition selects "
                            "only with numbers and with elements that the same condition "
                            "selects\nwrite `np.where(c, x, 0.0)`");
    return x;
}

Value *stage_as_selected(Stage *s, const Expr *x, const Value *selected)
{
    return selected == NULL ? value_fresh(s, x) : stage_selected(s, x, selected->test);
}

const Expr *stage_masked(Stage *s, const Value *v, Reduction op, Span at)
{
    const Expr *x = stage_whole_tests(s, v->term), *test = v->test;
    double least = op == REDUCTION_MAX ? -(double)INFINITY : (double)INFINITY;
    bool whole = term_elem(x) == ELEM_INT;
    const Expr *other = op == REDUCTION_SUM ? term_int(s->t, 0)
                        : whole ? term_int(s->t, op == REDUCTION_MAX ? -INT64_MAX : INT64_MAX)
                                : term_float(s->t, least);
    if (behind(v) > 0)
        test = term_spread(s->t, test, shape_drop(term_shape(x), 1));
    return stage_where(s, test, x, other, at);
}

static const Expr *flat(Stage *s, const Expr *x, size_t rank)
{
    TyList shape = term_shape(x);
    const Ty *all = size_number(s->t, 1);
    for (size_t i = 0; i < rank; i++)
        all = size_mul(s->t, all, shape.at[i]);
    return rank == 1 ? x : term_reshape(s->t, shape_cons(s->t, all, shape_drop(shape, rank)), x);
}

Value *stage_flat_selected(Stage *s, const Value *v)
{
    size_t rank = term_rank(v->test);
    return stage_selected(s, flat(s, v->term, rank), flat(s, v->test, rank));
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
    const Value *some = stage_first_selected(both, 2);
    const Expr *x = stage_whole(s, both[0], some, at), *y = stage_whole(s, both[1], some, at);
    if (!s->failed && (term_rank(x) != 1 || term_rank(y) != 1))
        return stage_refuse(s, at, "an array function multiplies elements that a condition selects "
                            "only with others of one dimension\nwrite `np.where(c, x, 0.0)`");
    const Expr *all = s->failed ? x : stage_binary(s, OPERATOR_MULT, x, y, at);
    const Value product = {.kind = VALUE_SELECTED, .term = all, .test = some->test};
    return s->failed ? all : stage_sum_selected(s, &product, at);
}

const Expr *stage_sum_selected(Stage *s, const Value *v, Span at)
{
    const Expr *all = stage_masked(s, v, REDUCTION_SUM, at);
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
