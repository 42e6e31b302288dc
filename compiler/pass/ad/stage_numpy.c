// stage_numpy.c - handlers of calls of numpy: reductions, products, new arrays, other shapes.

#include "compiler/pass/ad/stage_call.h"

#include <string.h>

// ---- reductions ----

static const Expr *reduce_axes(Call *c, Reduction op, const Expr *x, const Value *axis)
{
    Stage *s = c->s;
    int64_t n, rank = (int64_t)term_rank(x);
    if (axis == NULL || axis->kind == VALUE_NONE)
        return stage_reduce(s, op, x, NULL, c->at);
    if (axis->kind == VALUE_LIST) {         // from the last down, so that the others keep theirs
        for (int64_t i = rank; i-- > 0;)
            for (size_t k = 0; k < axis->items.len; k++)
                if (value_number(s, axis->items.at[k], &n) && (n == i || n + rank == i))
                    x = stage_reduce(s, op, x, &i, c->at);
        return x;
    }
    if (!value_number(s, axis, &n))
        return stage_refuse(s, c->at, "an axis is a number");
    const Expr *sum = stage_reduce(s, op, x, &n, c->at);
    if (s->failed || !call_truth(c, "keepdims"))
        return sum;
    TyList old = term_shape(x);
    size_t at = (size_t)(n < 0 ? n + rank : n);
    TyList shape = shape_join(s->t, (TyList){old.at, at},
                              shape_cons(s->t, size_number(s->t, 1), shape_drop(old, at + 1)));
    return term_reshape(s->t, shape, sum);
}

const Expr *stage_whole_tests(Stage *s, const Expr *x)
{
    if (term_elem(x) != ELEM_BOOL)
        return x;
    TyList shape = term_shape(x);
    return term_where(s->t, x, term_fill(s->t, shape, term_int(s->t, 1)),
                      term_fill(s->t, shape, term_int(s->t, 0)));
}

static Value *reduce(Call *c, Reduction op)
{
    const Expr *x = stage_whole_tests(c->s, call_array(c, 0, "a"));
    return term(c, c->s->failed ? x : reduce_axes(c, op, x, call_given(c, 1, "axis")));
}

Value *stage_np_sum(Call *c)    { return reduce(c, REDUCTION_SUM); }
Value *stage_np_max(Call *c)    { return reduce(c, REDUCTION_MAX); }
Value *stage_np_min(Call *c)    { return reduce(c, REDUCTION_MIN); }
Value *stage_np_argmax(Call *c) { return reduce(c, REDUCTION_ARG_MAX); }
Value *stage_np_argmin(Call *c) { return reduce(c, REDUCTION_ARG_MIN); }

// The product of the sizes that a reduction takes away.
Value *stage_np_mean(Call *c)
{
    Stage *s = c->s;
    const Expr *x = stage_float(s, call_array(c, 0, "a"));
    if (s->failed)
        return term(c, x);
    const Expr *sum = reduce_axes(c, REDUCTION_SUM, x, call_given(c, 1, "axis"));
    const Expr *ones = term_fill(s->t, term_shape(x), term_int(s->t, 1));
    const Expr *count = reduce_axes(c, REDUCTION_SUM, ones, call_given(c, 1, "axis"));
    return term(c, s->failed ? sum : stage_binary(s, OPERATOR_DIV, sum, count, c->at));
}

static const Expr *smaller_or_larger(Call *c, bool larger, const Expr *x, const Expr *y)
{
    if (term_elem(x) == ELEM_INT && term_elem(y) == ELEM_INT && term_rank(x) == 0 &&
        term_rank(y) == 0)
        return stage_where(c->s, term_compare(c->s->t, larger ? CMPOP_GT_E : CMPOP_LT_E, x, y),
                           x, y, c->at);
    return stage_elementwise(c->s, array_function(names_get(c->s->names,
                                                            larger ? "maximum" : "minimum")),
                             term_list(c->s->t, x, y), c->at);
}

// max(a, b, ..) of numbers, or of all elements.
static Value *extreme(Call *c, bool larger)
{
    Stage *s = c->s;
    if (c->args.len == 1 && c->args.at[0]->kind != VALUE_LIST) {
        const Expr *x = call_array(c, 0, "values");
        if (!s->failed && term_rank(x) != 1)
            return term(c, stage_refuse(s, c->at, "`max` and `min` are of numbers: write "
                                        "`np.max(x)`"));
        return term(c, s->failed ? x : term_reduce(s->t, larger ? REDUCTION_MAX : REDUCTION_MIN,
                                                   x));
    }
    ValueVec of = c->args.len == 1 ? c->args.at[0]->items : c->args;
    const Expr *best = NULL;
    for (size_t i = 0; i < of.len && !s->failed; i++) {
        const Expr *x = value_as_term(s, of.at[i], c->at);
        best = best == NULL ? x : smaller_or_larger(c, larger, best, x);
    }
    return term(c, best != NULL ? best : stage_refuse(s, c->at, "this is the largest of nothing"));
}

Value *stage_py_max(Call *c) { return extreme(c, true); }
Value *stage_py_min(Call *c) { return extreme(c, false); }

Value *stage_py_sum(Call *c)
{
    Stage *s = c->s;
    Value *of = call_wanted(c, 0, "iterable"), *start = call_given(c, 1, "start");
    const Expr *sum = start == NULL ? term_int(s->t, 0) : value_as_term(s, start, c->at);
    if (of->kind == VALUE_LIST) {
        for (size_t i = 0; i < of->items.len && !s->failed; i++)
            sum = i == 0 && start == NULL
                      ? value_as_term(s, of->items.at[i], c->at)
                      : stage_binary(s, OPERATOR_ADD, sum,
                                     value_as_term(s, of->items.at[i], c->at), c->at);
        return term(c, sum);
    }
    size_t depth = of->kind == VALUE_TERM && of->depth > 0 ? of->depth : 1;
    const Expr *x = stage_whole_tests(s, of->kind == VALUE_TERM ? of->term
                                                          : value_as_term(s, of, c->at));
    if (!s->failed && term_rank(x) < depth)
        (void)stage_refuse(s, c->at, "a number is not summed");
    for (size_t i = 0; i < depth && !s->failed; i++)
        x = term_reduce(s->t, REDUCTION_SUM, x);
    return term(c, start == NULL || s->failed ? x : stage_binary(s, OPERATOR_ADD, sum, x, c->at));
}

// ---- products ----

Value *stage_np_dot(Call *c)
{
    const Expr *x = call_array(c, 0, "a"), *y = call_array(c, 1, "b");
    if (c->s->failed || term_rank(x) == 0 || term_rank(y) == 0)
        return term(c, c->s->failed ? x : stage_binary(c->s, OPERATOR_MULT, x, y, c->at));
    return term(c, stage_matmul(c->s, x, y, c->at));
}

Value *stage_np_outer(Call *c)
{
    const Expr *x = call_array(c, 0, "a"), *y = call_array(c, 1, "b");
    if (!c->s->failed && (term_rank(x) != 1 || term_rank(y) != 1))
        return term(c, stage_refuse(c->s, c->at, "`np.outer` is of two vectors here"));
    return term(c, c->s->failed ? x : stage_contract(c->s, x, "i", y, "j", "ij", c->at));
}

// The next list of labels; false: it does not have one label for each dimension, each once.
static bool next_labels(const char **text, const char *end, char *labels, size_t max)
{
    size_t n = 0;
    for (; *text < end && **text != ',' && **text != '-'; ++*text) {
        if (**text == ' ')
            continue;
        if (n + 1 >= max || memchr(labels, **text, n) != NULL)
            return false;
        labels[n++] = **text;
    }
    labels[n] = '\0';
    return true;
}

Value *stage_np_einsum(Call *c)
{
    Stage *s = c->s;
    const Value *spec = call_wanted(c, 0, "subscripts");
    char xs[16], ys[16] = "", result[16];
    const char *at = spec->text.at, *end = at + spec->text.len;
    bool two = c->args.len == 3;
    if (spec->kind != VALUE_TEXT || c->args.len < 2 || c->args.len > 3 ||
        !next_labels(&at, end, xs, sizeof xs) || (two && (at == end || *at++ != ',')) ||
        (two && !next_labels(&at, end, ys, sizeof ys)) || end - at < 2 || at[0] != '-' ||
        at[1] != '>')
        return term(c, stage_refuse(s, c->at, "`np.einsum` has a constant text such as "
                                    "`\"ik,kj->ij\"` and one or two arrays here"));
    at += 2;
    const Expr *x = call_array(c, 1, "x"), *y = two ? call_array(c, 2, "y") : NULL;
    if (!next_labels(&at, end, result, sizeof result) || s->failed ||
        strlen(xs) != term_rank(x) || (two && strlen(ys) != term_rank(y)))
        return term(c, stage_refuse(s, c->at, "the labels of `np.einsum` are one for each "
                                    "dimension, each once"));
    return term(c, stage_contract(s, x, xs, y, ys, result, c->at));
}

// ---- new arrays ----

static Value *filled(Call *c, const Expr *with)
{
    TyList shape = call_shape(c, call_wanted(c, 0, "shape"));
    return term(c, c->s->failed ? with : term_fill(c->s->t, shape, with));
}

Value *stage_np_zeros(Call *c) { return filled(c, term_float(c->s->t, 0.0)); }
Value *stage_np_ones(Call *c)  { return filled(c, term_float(c->s->t, 1.0)); }

Value *stage_np_full(Call *c)
{
    const Expr *x = call_array(c, 1, "fill_value");
    if (!c->s->failed && term_rank(x) > 0)
        (void)stage_refuse(c->s, c->at, "`np.full` fills with a number");
    return c->s->failed ? term(c, x) : filled(c, x);
}

static Value *like(Call *c, const Expr *with)
{
    const Expr *x = call_array(c, 0, "a");
    return term(c, c->s->failed ? x : term_fill(c->s->t, term_shape(x), with));
}

Value *stage_np_zeros_like(Call *c) { return like(c, term_float(c->s->t, 0.0)); }
Value *stage_np_ones_like(Call *c)  { return like(c, term_float(c->s->t, 1.0)); }

Value *stage_np_arange(Call *c)
{
    Stage *s = c->s;
    TyList shape = call_shape(c, call_wanted(c, 0, "stop"));
    if (!s->failed && c->args.len > 1)
        return term(c, stage_refuse(s, c->at, "`np.arange` has one argument here: write "
                                    "`np.arange(n) + a`"));
    return term(c, s->failed ? term_int(s->t, 0) : term_iota(s->t, shape.at[0]));
}

Value *stage_np_eye(Call *c)
{
    Stage *s = c->s;
    TyList one = call_shape(c, call_wanted(c, 0, "N"));
    if (s->failed)
        return term(c, term_float(s->t, 0.0));
    TyList shape = shape_cons(s->t, one.at[0], one);
    const Expr *column = term_spread(s->t, term_iota(s->t, one.at[0]), one);
    const Expr *row = term_replicate(s->t, one.at[0], term_iota(s->t, one.at[0]));
    return term(c, term_where(s->t, term_compare(s->t, CMPOP_EQ, column, row),
                              term_fill(s->t, shape, term_float(s->t, 1.0)),
                              term_fill(s->t, shape, term_float(s->t, 0.0))));
}

Value *stage_np_array(Call *c) { return term(c, call_array(c, 0, "object")); }

Value *stage_np_stack(Call *c)
{
    Stage *s = c->s;
    int64_t axis = 0;
    const Value *v = call_given(c, 1, "axis");
    const Expr *x = call_array(c, 0, "arrays");
    if (v != NULL && (!value_number(s, v, &axis) || axis < 0 || (size_t)axis >= term_rank(x)))
        return term(c, stage_refuse(s, c->at, "the axis of `np.stack` is a number from 0 on"));
    size_t *axes = ARENA_ARRAY(s->arena, size_t, (size_t)axis + 1);
    for (size_t i = 0; i <= (size_t)axis; i++)
        axes[i] = i == (size_t)axis ? 0 : i + 1;
    return term(c, axis == 0 || s->failed ? x : term_transpose(s->t, axes, (size_t)axis + 1, x));
}

// Each part scattered to its place.
Value *stage_np_concatenate(Call *c)
{
    Stage *s = c->s;
    const Value *parts = call_wanted(c, 0, "arrays"), *axis = call_given(c, 1, "axis");
    int64_t n;
    if (parts->kind != VALUE_LIST || parts->items.len == 0 ||
        (axis != NULL && (!value_number(s, axis, &n) || n != 0)))
        return term(c, stage_refuse(s, c->at, "`np.concatenate` takes a list of arrays, along "
                                    "axis 0"));
    Poly total = {NULL, 0};
    Vec(const Expr *) all = {0};
    bool real = false;
    for (size_t i = 0; i < parts->items.len && !s->failed; i++) {
        vec_push(s->arena, &all, value_as_term(s, parts->items.at[i], c->at));
        if (s->failed || term_rank(all.at[i]) == 0)
            return term(c, stage_refuse(s, c->at, "a number is not concatenated"));
        total = poly_add(s->arena, total, size_poly(s->t, term_shape(all.at[i]).at[0]));
        real = real || term_elem(all.at[i]) == ELEM_FLOAT;
        if (!shape_equal(shape_drop(term_shape(all.at[i]), 1),
                         shape_drop(term_shape(all.at[0]), 1)))
            return term(c, stage_differ(s, c->at, "`np.concatenate`", all.at[0], all.at[i]));
    }
    const Expr *sum = NULL;
    Poly offset = {NULL, 0};
    for (size_t i = 0; i < all.len; i++) {
        const Expr *x = real ? stage_float(s, all.at[i]) : all.at[i];
        const Expr *index = term_variable(s->t);
        const Expr *place = stage_binary(s, OPERATOR_ADD, index, term_of_poly(s->t, offset), c->at);
        TyList shape = shape_cons(s->t, size_of_poly(s->t, total), shape_drop(term_shape(x), 1));
        const Expr *one = term_scatter(s->t, shape, x, term_list(s->t, index, NULL),
                                       term_list(s->t, place, NULL));
        sum = sum == NULL ? one : term_binary(s->t, OPERATOR_ADD, sum, one);
        offset = poly_add(s->arena, offset, size_poly(s->t, term_shape(x).at[0]));
    }
    return term(c, sum);
}

// ---- other shapes ----

Value *stage_np_transpose(Call *c)
{
    Stage *s = c->s;
    const Expr *x = call_array(c, 0, "a");
    size_t rank = s->failed ? 0 : term_rank(x), *axes = ARENA_ARRAY(s->arena, size_t, rank + 1);
    const Value *list = call_given(c, 1, "axes");
    ValueVec given_axes = {0};
    if (list != NULL && list->kind == VALUE_LIST)
        given_axes = list->items;
    else if (c->args.len > 1)
        given_axes = (ValueVec){c->args.at + 1, c->args.len - 1, 0};
    bool *seen = ARENA_ARRAY(s->arena, bool, rank + 1);
    for (size_t i = 0; i < rank; i++) {
        int64_t n = (int64_t)(rank - 1 - i);
        if (given_axes.len > 0 && (given_axes.len != rank ||
                                   !value_number(s, given_axes.at[i], &n) || n < 0 ||
                                   (size_t)n >= rank || seen[n]))
            return term(c, stage_refuse(s, c->at, "the axes of a transposition are each number "
                                        "from 0 to %zu once", rank - 1));
        axes[i] = (size_t)n;
        seen[n] = true;
    }
    return term(c, rank < 2 ? x : term_transpose(s->t, axes, rank, x));
}

const Expr *call_reshaped(Call *c, const Expr *x, const Value *to)
{
    Stage *s = c->s;
    Poly have = poly_number(s->arena, 1), want = have;
    int64_t n, all, rest;
    size_t hole = (size_t)-1;
    size_t len = to->kind == VALUE_LIST ? to->items.len : 1;
    const Ty **shape = ARENA_ARRAY(s->arena, const Ty *, len + 1);
    for (size_t i = 0; i < term_rank(x); i++)
        have = poly_mul(s->arena, have, size_poly(s->t, term_shape(x).at[i]));
    for (size_t i = 0; i < len; i++) {
        const Value *one = to->kind == VALUE_LIST ? to->items.at[i] : to;
        if (value_number(s, one, &n) && n == -1 && hole == (size_t)-1) {
            hole = i;
            continue;
        }
        TyList size = call_shape(c, one);
        if (s->failed)
            return x;
        shape[i] = size.at[0];
        want = poly_mul(s->arena, want, size_poly(s->t, shape[i]));
    }
    if (hole != (size_t)-1) {
        if (poly_is_number(want, &rest) && rest == 1)
            shape[hole] = size_of_poly(s->t, have);
        else if (poly_is_number(want, &rest) && poly_is_number(have, &all) && rest != 0 &&
                 all % rest == 0)
            shape[hole] = size_number(s->t, all / rest);
        else
            return stage_refuse(s, c->at, "the size that -1 stands for is not known: write it");
        want = poly_mul(s->arena, want, size_poly(s->t, shape[hole]));
    }
    const Expr *new = term_reshape(s->t, (TyList){shape, len}, x);
    return poly_equal(have, want) ? new : stage_differ(s, c->at, "`reshape`", x, new);
}

Value *stage_np_reshape(Call *c)
{
    const Expr *x = call_array(c, 0, "a");
    Value *to = call_wanted(c, 1, "newshape");
    if (c->args.len > 2)
        to = value_list(c->s, (ValueVec){c->args.at + 1, c->args.len - 1, 0}, true);
    return term(c, c->s->failed ? x : call_reshaped(c, x, to));
}

Value *stage_np_ravel(Call *c)
{
    const Expr *x = call_array(c, 0, "a");
    return term(c, c->s->failed ? x : call_reshaped(c, x, value_term(c->s, term_int(c->s->t, -1))));
}

// ---- element by element ----

Value *stage_np_where(Call *c)
{
    const Expr *test = call_array(c, 0, "condition"), *x = call_array(c, 1, "x");
    const Expr *y = call_array(c, 2, "y");
    return term(c, c->s->failed ? x : stage_where(c->s, test, x, y, c->at));
}

static Value *binary(Call *c, Operator op)
{
    const Expr *x = call_array(c, 0, "x1"), *y = call_array(c, 1, "x2");
    return term(c, c->s->failed ? x : stage_binary(c->s, op, x, y, c->at));
}

Value *stage_np_add(Call *c)      { return binary(c, OPERATOR_ADD); }
Value *stage_np_subtract(Call *c) { return binary(c, OPERATOR_SUB); }
Value *stage_np_multiply(Call *c) { return binary(c, OPERATOR_MULT); }
Value *stage_np_divide(Call *c)   { return binary(c, OPERATOR_DIV); }
Value *stage_np_power(Call *c)    { return binary(c, OPERATOR_POW); }
Value *stage_np_and(Call *c)      { return binary(c, OPERATOR_BIT_AND); }
Value *stage_np_or(Call *c)       { return binary(c, OPERATOR_BIT_OR); }

Value *stage_np_not(Call *c)
{
    const Expr *x = call_array(c, 0, "x");
    if (!c->s->failed && term_elem(x) != ELEM_BOOL)
        (void)stage_refuse(c->s, c->at, "`not` is for tests here");
    return term(c, c->s->failed ? x : term_not(c->s->t, x));
}

Value *stage_np_square(Call *c)
{
    const Expr *x = call_array(c, 0, "x");
    return term(c, c->s->failed ? x : stage_binary(c->s, OPERATOR_MULT, x, x, c->at));
}

Value *stage_np_negative(Call *c)
{
    const Expr *x = call_array(c, 0, "x");
    return term(c, c->s->failed ? x : term_negate(c->s->t, x));
}

Value *stage_np_clip(Call *c)
{
    const Expr *x = call_array(c, 0, "a"), *low = call_array(c, 1, "a_min");
    const Expr *high = call_array(c, 2, "a_max");
    Stage *s = c->s;
    if (s->failed)
        return term(c, x);
    const Expr *above = stage_elementwise(s, array_function(names_get(s->names, "maximum")),
                                          term_list(s->t, x, low), c->at);
    return term(c, s->failed ? x : stage_elementwise(s, array_function(names_get(s->names,
                                                                                 "minimum")),
                                                     term_list(s->t, above, high), c->at));
}

Value *stage_to_float(Call *c) { return term(c, stage_float(c->s, call_array(c, 0, "x"))); }

// Towards 0, as int() has it.
Value *stage_to_int(Call *c)
{
    const Expr *x = call_array(c, 0, "x");
    if (c->s->failed || term_elem(x) == ELEM_INT)
        return term(c, x);
    return term(c, term_elem(x) == ELEM_BOOL ? stage_whole_tests(c->s, x)
                                             : term_call1(c->s->t, "int64", ELEM_INT, x));
}

Value *stage_py_abs(Call *c)
{
    const Expr *x = call_array(c, 0, "x");
    return term(c, c->s->failed ? x : stage_elementwise(c->s, array_function(names_get(
                                          c->s->names, "fabs")), term_list(c->s->t, x, NULL),
                                          c->at));
}

