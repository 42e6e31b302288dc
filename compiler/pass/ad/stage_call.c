// stage_call.c - calls: functions of the program are run, those of numpy, math, pychoral.ad and
// Python itself stand in one table (stage_function.def), with a handler for each.

#include "compiler/pass/ad/stage_internal.h"

#include <string.h>

typedef struct Call {
    Stage *s;
    Sym   name;
    ValueVec args;
    KeywordList keywords;
    Scope *scope;
    Span  at;
} Call;

typedef Value *Handler(Call *c);

// ---- arguments ----

// The argument at a position, or of a name; NULL: it is not given.
static Value *given(Call *c, size_t i, const char *name)
{
    if (i < c->args.len)
        return c->args.at[i];
    for (size_t k = 0; k < c->keywords.len; k++)
        if (sym_is(c->keywords.at[k]->arg, name))
            return stage_eval(c->s, c->scope, c->keywords.at[k]->value);
    return NULL;
}

static Value *wanted(Call *c, size_t i, const char *name)
{
    Value *v = given(c, i, name);
    if (v == NULL)
        return value_term(c->s, stage_refuse(c->s, c->at, "the argument `%s` is missing", name));
    return v;
}

static const Expr *array(Call *c, size_t i, const char *name)
{
    return value_as_term(c->s, wanted(c, i, name), c->at);
}

static Value *term(Call *c, const Expr *e) { return value_term(c->s, e); }

// A shape: a size, or a tuple of sizes.
static TyList shape_of(Call *c, const Value *v)
{
    Stage *s = c->s;
    Vec(const Ty *) shape = {0};
    size_t n = v->kind == VALUE_LIST ? v->items.len : 1;
    for (size_t i = 0; i < n && !s->failed; i++) {
        const Value *one = v->kind == VALUE_LIST ? v->items.at[i] : v;
        const Ty *size = one->kind == VALUE_TERM ? size_of_term(s->t, one->term) : NULL;
        int64_t number;
        if (size == NULL)
            (void)stage_refuse(s, c->at, "a size is built of sizes and numbers with `+ - *`");
        else if (poly_is_number(size_poly(s->t, size), &number) && number < 0)
            (void)stage_refuse(s, c->at, "a size is not negative");
        else
            vec_push(s->arena, &shape, size);
    }
    return (TyList){shape.at, shape.len};
}

static bool truth(Call *c, const char *name)
{
    Value *v = given(c, (size_t)-1, name);
    return v != NULL && v->kind == VALUE_TERM && v->term->kind == EXPR_CONSTANT &&
           v->term->constant.value->truth;
}

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
    if (s->failed || !truth(c, "keepdims"))
        return sum;
    TyList old = term_shape(x);
    size_t at = (size_t)(n < 0 ? n + rank : n);
    TyList shape = shape_join(s->t, (TyList){old.at, at},
                              shape_cons(s->t, size_number(s->t, 1), shape_drop(old, at + 1)));
    return term_reshape(s->t, shape, sum);
}

static const Expr *whole_tests(Stage *s, const Expr *x)
{
    if (term_elem(x) != ELEM_BOOL)
        return x;
    TyList shape = term_shape(x);
    return term_where(s->t, x, term_fill(s->t, shape, term_int(s->t, 1)),
                      term_fill(s->t, shape, term_int(s->t, 0)));
}

static Value *reduce(Call *c, Reduction op)
{
    const Expr *x = whole_tests(c->s, array(c, 0, "a"));
    return term(c, c->s->failed ? x : reduce_axes(c, op, x, given(c, 1, "axis")));
}

static Value *np_sum(Call *c)    { return reduce(c, REDUCTION_SUM); }
static Value *np_max(Call *c)    { return reduce(c, REDUCTION_MAX); }
static Value *np_min(Call *c)    { return reduce(c, REDUCTION_MIN); }
static Value *np_argmax(Call *c) { return reduce(c, REDUCTION_ARG_MAX); }
static Value *np_argmin(Call *c) { return reduce(c, REDUCTION_ARG_MIN); }

// The product of the sizes that a reduction takes away.
static Value *np_mean(Call *c)
{
    Stage *s = c->s;
    const Expr *x = stage_float(s, array(c, 0, "a"));
    if (s->failed)
        return term(c, x);
    const Expr *sum = reduce_axes(c, REDUCTION_SUM, x, given(c, 1, "axis"));
    const Expr *ones = term_fill(s->t, term_shape(x), term_int(s->t, 1));
    const Expr *count = reduce_axes(c, REDUCTION_SUM, ones, given(c, 1, "axis"));
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
        const Expr *x = array(c, 0, "values");
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

static Value *py_max(Call *c) { return extreme(c, true); }
static Value *py_min(Call *c) { return extreme(c, false); }

static Value *py_sum(Call *c)
{
    Stage *s = c->s;
    Value *of = wanted(c, 0, "iterable"), *start = given(c, 1, "start");
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
    const Expr *x = whole_tests(s, of->kind == VALUE_TERM ? of->term
                                                          : value_as_term(s, of, c->at));
    if (!s->failed && term_rank(x) < depth)
        (void)stage_refuse(s, c->at, "a number is not summed");
    for (size_t i = 0; i < depth && !s->failed; i++)
        x = term_reduce(s->t, REDUCTION_SUM, x);
    return term(c, start == NULL || s->failed ? x : stage_binary(s, OPERATOR_ADD, sum, x, c->at));
}

// ---- products ----

static Value *np_dot(Call *c)
{
    const Expr *x = array(c, 0, "a"), *y = array(c, 1, "b");
    if (c->s->failed || term_rank(x) == 0 || term_rank(y) == 0)
        return term(c, c->s->failed ? x : stage_binary(c->s, OPERATOR_MULT, x, y, c->at));
    return term(c, stage_matmul(c->s, x, y, c->at));
}

static Value *np_outer(Call *c)
{
    const Expr *x = array(c, 0, "a"), *y = array(c, 1, "b");
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

static Value *np_einsum(Call *c)
{
    Stage *s = c->s;
    const Value *spec = wanted(c, 0, "subscripts");
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
    const Expr *x = array(c, 1, "x"), *y = two ? array(c, 2, "y") : NULL;
    if (!next_labels(&at, end, result, sizeof result) || s->failed ||
        strlen(xs) != term_rank(x) || (two && strlen(ys) != term_rank(y)))
        return term(c, stage_refuse(s, c->at, "the labels of `np.einsum` are one for each "
                                    "dimension, each once"));
    return term(c, stage_contract(s, x, xs, y, ys, result, c->at));
}

// ---- new arrays ----

static Value *filled(Call *c, const Expr *with)
{
    TyList shape = shape_of(c, wanted(c, 0, "shape"));
    return term(c, c->s->failed ? with : term_fill(c->s->t, shape, with));
}

static Value *np_zeros(Call *c) { return filled(c, term_float(c->s->t, 0.0)); }
static Value *np_ones(Call *c)  { return filled(c, term_float(c->s->t, 1.0)); }

static Value *np_full(Call *c)
{
    const Expr *x = array(c, 1, "fill_value");
    if (!c->s->failed && term_rank(x) > 0)
        (void)stage_refuse(c->s, c->at, "`np.full` fills with a number");
    return c->s->failed ? term(c, x) : filled(c, x);
}

static Value *like(Call *c, const Expr *with)
{
    const Expr *x = array(c, 0, "a");
    return term(c, c->s->failed ? x : term_fill(c->s->t, term_shape(x), with));
}

static Value *np_zeros_like(Call *c) { return like(c, term_float(c->s->t, 0.0)); }
static Value *np_ones_like(Call *c)  { return like(c, term_float(c->s->t, 1.0)); }

static Value *np_arange(Call *c)
{
    Stage *s = c->s;
    TyList shape = shape_of(c, wanted(c, 0, "stop"));
    if (!s->failed && c->args.len > 1)
        return term(c, stage_refuse(s, c->at, "`np.arange` has one argument here: write "
                                    "`np.arange(n) + a`"));
    return term(c, s->failed ? term_int(s->t, 0) : term_iota(s->t, shape.at[0]));
}

static Value *np_eye(Call *c)
{
    Stage *s = c->s;
    TyList one = shape_of(c, wanted(c, 0, "N"));
    if (s->failed)
        return term(c, term_float(s->t, 0.0));
    TyList shape = shape_cons(s->t, one.at[0], one);
    const Expr *column = term_spread(s->t, term_iota(s->t, one.at[0]), one);
    const Expr *row = term_replicate(s->t, one.at[0], term_iota(s->t, one.at[0]));
    return term(c, term_where(s->t, term_compare(s->t, CMPOP_EQ, column, row),
                              term_fill(s->t, shape, term_float(s->t, 1.0)),
                              term_fill(s->t, shape, term_float(s->t, 0.0))));
}

static Value *np_array(Call *c) { return term(c, array(c, 0, "object")); }

static Value *np_stack(Call *c)
{
    Stage *s = c->s;
    int64_t axis = 0;
    const Value *v = given(c, 1, "axis");
    const Expr *x = array(c, 0, "arrays");
    if (v != NULL && (!value_number(s, v, &axis) || axis < 0 || (size_t)axis >= term_rank(x)))
        return term(c, stage_refuse(s, c->at, "the axis of `np.stack` is a number from 0 on"));
    size_t *axes = ARENA_ARRAY(s->arena, size_t, (size_t)axis + 1);
    for (size_t i = 0; i <= (size_t)axis; i++)
        axes[i] = i == (size_t)axis ? 0 : i + 1;
    return term(c, axis == 0 || s->failed ? x : term_transpose(s->t, axes, (size_t)axis + 1, x));
}

// Each part scattered to its place.
static Value *np_concatenate(Call *c)
{
    Stage *s = c->s;
    const Value *parts = wanted(c, 0, "arrays"), *axis = given(c, 1, "axis");
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

static Value *np_transpose(Call *c)
{
    Stage *s = c->s;
    const Expr *x = array(c, 0, "a");
    size_t rank = s->failed ? 0 : term_rank(x), *axes = ARENA_ARRAY(s->arena, size_t, rank + 1);
    const Value *list = given(c, 1, "axes");
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

static const Expr *reshaped(Call *c, const Expr *x, const Value *to)
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
        TyList size = shape_of(c, one);
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

static Value *np_reshape(Call *c)
{
    const Expr *x = array(c, 0, "a");
    Value *to = wanted(c, 1, "newshape");
    if (c->args.len > 2)
        to = value_list(c->s, (ValueVec){c->args.at + 1, c->args.len - 1, 0}, true);
    return term(c, c->s->failed ? x : reshaped(c, x, to));
}

static Value *np_ravel(Call *c)
{
    const Expr *x = array(c, 0, "a");
    return term(c, c->s->failed ? x : reshaped(c, x, value_term(c->s, term_int(c->s->t, -1))));
}

// ---- element by element ----

static Value *np_where(Call *c)
{
    const Expr *test = array(c, 0, "condition"), *x = array(c, 1, "x"), *y = array(c, 2, "y");
    return term(c, c->s->failed ? x : stage_where(c->s, test, x, y, c->at));
}

static Value *binary(Call *c, Operator op)
{
    const Expr *x = array(c, 0, "x1"), *y = array(c, 1, "x2");
    return term(c, c->s->failed ? x : stage_binary(c->s, op, x, y, c->at));
}

static Value *np_add(Call *c)      { return binary(c, OPERATOR_ADD); }
static Value *np_subtract(Call *c) { return binary(c, OPERATOR_SUB); }
static Value *np_multiply(Call *c) { return binary(c, OPERATOR_MULT); }
static Value *np_divide(Call *c)   { return binary(c, OPERATOR_DIV); }
static Value *np_power(Call *c)    { return binary(c, OPERATOR_POW); }
static Value *np_and(Call *c)      { return binary(c, OPERATOR_BIT_AND); }
static Value *np_or(Call *c)       { return binary(c, OPERATOR_BIT_OR); }

static Value *np_not(Call *c)
{
    const Expr *x = array(c, 0, "x");
    if (!c->s->failed && term_elem(x) != ELEM_BOOL)
        (void)stage_refuse(c->s, c->at, "`not` is for tests here");
    return term(c, c->s->failed ? x : term_not(c->s->t, x));
}

static Value *np_square(Call *c)
{
    const Expr *x = array(c, 0, "x");
    return term(c, c->s->failed ? x : stage_binary(c->s, OPERATOR_MULT, x, x, c->at));
}

static Value *np_negative(Call *c)
{
    const Expr *x = array(c, 0, "x");
    return term(c, c->s->failed ? x : term_negate(c->s->t, x));
}

static Value *np_clip(Call *c)
{
    const Expr *x = array(c, 0, "a"), *low = array(c, 1, "a_min"), *high = array(c, 2, "a_max");
    Stage *s = c->s;
    if (s->failed)
        return term(c, x);
    const Expr *above = stage_elementwise(s, array_function(names_get(s->names, "maximum")),
                                          term_list(s->t, x, low), c->at);
    return term(c, s->failed ? x : stage_elementwise(s, array_function(names_get(s->names,
                                                                                 "minimum")),
                                                     term_list(s->t, above, high), c->at));
}

static Value *to_float(Call *c) { return term(c, stage_float(c->s, array(c, 0, "x"))); }

// Towards 0, as int() has it.
static Value *to_int(Call *c)
{
    const Expr *x = array(c, 0, "x");
    if (c->s->failed || term_elem(x) == ELEM_INT)
        return term(c, x);
    return term(c, term_elem(x) == ELEM_BOOL ? whole_tests(c->s, x)
                                             : term_call1(c->s->t, "int64", ELEM_INT, x));
}

static Value *py_abs(Call *c)
{
    const Expr *x = array(c, 0, "x");
    return term(c, c->s->failed ? x : stage_elementwise(c->s, array_function(names_get(
                                          c->s->names, "fabs")), term_list(c->s->t, x, NULL),
                                          c->at));
}

// ---- Python's own ----

static Value *py_range(Call *c)
{
    Stage *s = c->s;
    Value *v = value_of(s, VALUE_RANGE);
    if (c->args.len == 0 || c->args.len > 2)
        return term(c, stage_refuse(s, c->at, "a `range` has a start and an end here, and no "
                                    "step"));
    const Expr *end = value_as_term(s, c->args.at[c->args.len - 1], c->at);
    const Expr *start = c->args.len == 2 ? value_as_term(s, c->args.at[0], c->at)
                                         : term_int(s->t, 0);
    if (!s->failed && (term_elem(end) != ELEM_INT || term_elem(start) != ELEM_INT))
        (void)stage_refuse(s, c->at, "a `range` goes over whole numbers");
    vec_push(s->arena, &v->items, value_term(s, start));
    vec_push(s->arena, &v->items, value_term(s, end));
    return v;
}

static Value *py_len(Call *c)
{
    Stage *s = c->s;
    const Value *v = wanted(c, 0, "obj");
    if (v->kind == VALUE_LIST)
        return term(c, term_int(s->t, (int64_t)v->items.len));
    const Expr *x = value_as_term(s, v, c->at);
    if (!s->failed && term_rank(x) == 0)
        return term(c, stage_refuse(s, c->at, "a number has no length"));
    return term(c, s->failed ? x : term_of_size(s->t, term_shape(x).at[0]));
}

static bool length(Stage *s, const Value *v, int64_t *n)
{
    if (v->kind == VALUE_LIST)
        *n = (int64_t)v->items.len;
    else if (v->kind != VALUE_TERM || term_rank(v->term) == 0 ||
             !poly_is_number(size_poly(s->t, term_shape(v->term).at[0]), n))
        return false;
    return true;
}

static Value *item(Stage *s, const Value *v, int64_t i)
{
    if (v->kind == VALUE_LIST)
        return v->items.at[i];
    return value_term(s, term_index(s->t, v->term, term_list(s->t, term_int(s->t, i), NULL)));
}

static Value *tuples(Call *c, bool numbered)
{
    Stage *s = c->s;
    Value *all = value_list(s, (ValueVec){0}, false);
    int64_t n = 0, shortest = -1;
    for (size_t k = 0; k < c->args.len; k++) {
        if (!length(s, c->args.at[k], &n))
            return term(c, stage_refuse(s, c->at, "how many elements these are is not known: "
                                        "go over `range(n)`"));
        shortest = shortest < 0 || n < shortest ? n : shortest;
    }
    for (int64_t i = 0; i < shortest; i++) {
        Value *one = value_list(s, (ValueVec){0}, true);
        if (numbered)
            vec_push(s->arena, &one->items, value_term(s, term_int(s->t, i)));
        for (size_t k = 0; k < c->args.len; k++)
            vec_push(s->arena, &one->items, item(s, c->args.at[k], i));
        vec_push(s->arena, &all->items, one);
    }
    return all;
}

static Value *py_zip(Call *c)       { return tuples(c, false); }
static Value *py_enumerate(Call *c) { return tuples(c, true); }
static Value *same_value(Call *c)   { return wanted(c, 0, "x"); }

// ---- pychoral.ad ----

typedef struct Indexed {
    const Value *f;
    TyList   shape;
    size_t   axis;
    ValueVec indices;
    Span     at;
} Indexed;

static Value *indexed(void *cx, Stage *s, const Expr *index)
{
    Indexed inner = *(Indexed *)cx;
    ValueVec indices = {0};
    for (size_t i = 0; i < inner.indices.len; i++)
        vec_push(s->arena, &indices, inner.indices.at[i]);
    vec_push(s->arena, &indices, value_term(s, index));
    inner.indices = indices;
    if (++inner.axis == inner.shape.len)
        return stage_apply(s, inner.f, indices, inner.at);
    return value_term(s, stage_build(s, inner.shape.at[inner.axis], indexed, &inner, inner.at));
}

static Value *ad_build(Call *c)
{
    Stage *s = c->s;
    TyList shape = shape_of(c, wanted(c, 0, "shape"));
    Indexed in = {wanted(c, 1, "f"), shape, 0, {0}, c->at};
    if (s->failed || shape.len == 0)
        return s->failed ? term(c, term_float(s->t, 0.0)) : stage_apply(s, in.f, in.indices, c->at);
    return term(c, stage_build(s, shape.at[0], indexed, &in, c->at));
}

// The indices go over the first sizes of `extents`.
static ExprList place_of(Call *c, const Value *f, ExprList indices, TyList extents)
{
    Stage *s = c->s;
    ValueVec args = {0};
    Vec(const Expr *) place = {0};
    for (size_t i = 0; i < indices.len; i++) {
        vec_push(s->arena, &args, value_term(s, indices.at[i]));
        if (i < extents.len) {
            vec_push(s->arena, &s->bound, indices.at[i]);
            vec_push(s->arena, &s->extents, extents.at[i]);
        }
    }
    const Value *at = stage_apply(s, f, args, c->at);
    size_t known = indices.len < extents.len ? indices.len : extents.len;
    s->bound.len -= known;
    s->extents.len -= known;
    size_t n = at->kind == VALUE_LIST ? at->items.len : 1;
    for (size_t i = 0; i < n && !s->failed; i++) {
        const Expr *e = value_as_term(s, at->kind == VALUE_LIST ? at->items.at[i] : at, c->at);
        if (!s->failed && (term_elem(e) != ELEM_INT || term_rank(e) > 0))
            (void)stage_refuse(s, c->at, "the index that the function gives is whole numbers");
        vec_push(s->arena, &place, e);
    }
    return (ExprList){place.at, place.len};
}

static size_t parameters_of(const Value *f)
{
    return f->kind == VALUE_FUNCTION ? f->args->args.len : 0;
}

static ExprList new_indices(Stage *s, size_t n)
{
    Vec(const Expr *) indices = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(s->arena, &indices, term_variable(s->t));
    return (ExprList){indices.at, indices.len};
}

// The shapes of a gather or a scatter do not go together.
static Value *misfit(Call *c, const Expr *x, TyList shape)
{
    const Expr *other = term_zero(c->s->t, term_ty(c->s->t, ELEM_FLOAT, shape));
    return term(c, stage_differ(c->s, c->at, c->name, x, other));
}

static Value *ad_gather(Call *c)
{
    Stage *s = c->s;
    TyList shape = shape_of(c, wanted(c, 0, "shape"));
    const Expr *x = array(c, 1, "x");
    const Value *f = wanted(c, 2, "f");
    ExprList indices = new_indices(s, parameters_of(f));
    ExprList place = s->failed ? indices : place_of(c, f, indices, shape);
    if (s->failed)
        return term(c, x);
    if (indices.len > shape.len || place.len > term_rank(x) ||
        !shape_equal(shape_drop(shape, indices.len), shape_drop(term_shape(x), place.len)))
        return misfit(c, x, shape);
    return term(c, term_gather(s->t, shape, x, indices, place));
}

static Value *ad_scatter(Call *c)
{
    Stage *s = c->s;
    TyList shape = shape_of(c, wanted(c, 0, "shape"));
    const Expr *x = whole_tests(s, array(c, 1, "x"));
    const Value *f = wanted(c, 2, "f");
    ExprList indices = new_indices(s, parameters_of(f));
    ExprList place = s->failed ? indices : place_of(c, f, indices, term_shape(x));
    if (s->failed)
        return term(c, x);
    if (indices.len > term_rank(x) || place.len > shape.len ||
        !shape_equal(shape_drop(shape, place.len), shape_drop(term_shape(x), indices.len)))
        return misfit(c, x, shape);
    return term(c, term_scatter(s->t, shape, x, indices, place));
}

static Value *ad_replicate(Call *c)
{
    TyList size = shape_of(c, wanted(c, 0, "size"));
    const Expr *x = array(c, 1, "x");
    return term(c, c->s->failed ? x : term_replicate(c->s->t, size.at[0], x));
}

// transpose((1, 0), x): fewer axes than dimensions are those in front.
static Value *ad_transpose(Call *c)
{
    Stage *s = c->s;
    const Value *list = wanted(c, 0, "axes");
    const Expr *x = array(c, 1, "x");
    size_t n = list->items.len, *axes = ARENA_ARRAY(s->arena, size_t, n + 1);
    bool *seen = ARENA_ARRAY(s->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        int64_t axis;
        if (!value_number(s, list->items.at[i], &axis) || axis < 0 || (size_t)axis >= n ||
            seen[axis] || n > term_rank(x))
            return term(c, stage_refuse(s, c->at, "the axes of a transposition are each number "
                                        "from 0 on once"));
        seen[axis] = true;
        axes[i] = (size_t)axis;
    }
    return term(c, s->failed ? x : term_transpose(s->t, axes, n, x));
}

static Value *ad_reshape(Call *c)
{
    const Expr *x = array(c, 1, "x");
    return term(c, c->s->failed ? x : reshaped(c, x, wanted(c, 0, "shape")));
}

static Value *ad_stack(Call *c)
{
    return term(c, value_as_term(c->s, value_list(c->s, c->args, false), c->at));
}

static Value *outer(Call *c, Reduction op)
{
    const Expr *x = array(c, 0, "x");
    if (!c->s->failed && term_rank(x) == 0)
        (void)stage_refuse(c->s, c->at, "a number has no outermost dimension");
    return term(c, c->s->failed ? x : term_reduce(c->s->t, op, x));
}

static Value *ad_sum(Call *c)    { return outer(c, REDUCTION_SUM); }
static Value *ad_max(Call *c)    { return outer(c, REDUCTION_MAX); }
static Value *ad_min(Call *c)    { return outer(c, REDUCTION_MIN); }
static Value *ad_argmax(Call *c) { return outer(c, REDUCTION_ARG_MAX); }
static Value *ad_argmin(Call *c) { return outer(c, REDUCTION_ARG_MIN); }

static Value *ad_one_hot(Call *c)
{
    Stage *s = c->s;
    TyList shape = shape_of(c, wanted(c, 0, "shape"));
    const Value *at = wanted(c, 1, "place");
    const Expr *x = array(c, 2, "x");
    Vec(const Expr *) place = {0};
    for (size_t i = 0; i < at->items.len; i++)
        vec_push(s->arena, &place, value_as_term(s, at->items.at[i], c->at));
    if (s->failed)
        return term(c, x);
    if (place.len > shape.len || !shape_equal(shape_drop(shape, place.len), term_shape(x)))
        return misfit(c, x, shape);
    return term(c, term_one_hot(s->t, shape, (ExprList){place.at, place.len}, x));
}

// ---- the table ----

typedef enum Home { HOME_PYTHON, HOME_NUMPY, HOME_METHOD, HOME_AD } Home;

static const struct { Home home; const char *name; Handler *handler; } rows[] = {
#define STAGE(home, name, handler) {HOME_##home, name, handler},
#include "compiler/pass/ad/stage_function.def"
#undef STAGE
};

static Handler *find_handler(Home home, Sym name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].home == home && sym_is(name, rows[i].name))
            return rows[i].handler;
    return NULL;
}

static bool is_from(const Value *f, const char *module)
{
    return f->text.at != NULL && strncmp(f->text.at, module, strlen(module)) == 0;
}

static const ArrayFunction *function_of(const Value *f)
{
    return is_from(f, "math") ? array_function_of_math(f->name)
           : is_from(f, "numpy") ? array_function(f->name) : NULL;
}

static Value *elementwise(Call *c, const ArrayFunction *f)
{
    Vec(const Expr *) args = {0};
    for (size_t i = 0; i < c->args.len; i++)
        vec_push(c->s->arena, &args, value_as_term(c->s, c->args.at[i], c->at));
    if (c->s->failed || args.len == 0)
        return term(c, stage_refuse(c->s, c->at, "an argument is missing"));
    return term(c, stage_elementwise(c->s, f, (ExprList){args.at, args.len}, c->at));
}

static Value *library_call(Call *c, const Value *f)
{
    const ArrayFunction *each = function_of(f);
    if (each != NULL)
        return elementwise(c, each);
    Handler *h = is_from(f, "numpy")           ? find_handler(HOME_NUMPY, f->name)
                 : is_from(f, "pychoral.ad")   ? find_handler(HOME_AD, f->name)
                 : f->text.at == NULL          ? find_handler(HOME_PYTHON, f->name)
                                               : NULL;
    if (h == NULL)
        return term(c, stage_refuse(c->s, c->at, "the array language has no function `%s`",
                                    f->name));
    return h(c);
}

static Value *applied(Call *c, const Value *f)
{
    Stage *s = c->s;
    c->name = f->name;
    if (s->failed)
        return term(c, term_float(s->t, 0.0));
    if (f->kind == VALUE_FUNCTION)
        return stage_call_function(s, f, c->args, c->keywords, c->scope, c->at);
    if (f->kind == VALUE_LIBRARY)
        return library_call(c, f);
    Handler *h = f->kind == VALUE_METHOD ? find_handler(HOME_METHOD, f->name) : NULL;
    if (h == NULL)
        return term(c, stage_refuse(s, c->at, f->kind == VALUE_METHOD
                                    ? "an array has no method `%s` here"
                                    : "this is not called in the array language",
                                    f->name == NULL ? "" : f->name));
    ValueVec with = {0};
    vec_push(s->arena, &with, (Value *)f->self);
    for (size_t i = 0; i < c->args.len; i++)
        vec_push(s->arena, &with, c->args.at[i]);
    c->args = with;
    return h(c);
}

Value *stage_apply(Stage *s, const Value *f, ValueVec args, Span at)
{
    Call c = {s, NULL, args, {NULL, 0}, s->module, at};
    return applied(&c, f);
}

Value *stage_call(Stage *s, Scope *scope, const Expr *e)
{
    const Value *f = stage_eval(s, scope, e->call.func);
    Call c = {s, NULL, {0}, e->call.keywords, scope, e->at};
    for (size_t i = 0; i < e->call.args.len && !s->failed; i++) {
        const Expr *arg = e->call.args.at[i];
        bool star = arg->kind == EXPR_STARRED;
        Value *v = stage_eval(s, scope, star ? arg->starred.value : arg);
        if (star && v->kind != VALUE_LIST)
            (void)stage_refuse(s, arg->at, "how many arguments these are is not known");
        for (size_t k = 0; star && k < v->items.len; k++)
            vec_push(s->arena, &c.args, v->items.at[k]);
        if (!star)
            vec_push(s->arena, &c.args, v);
    }
    return applied(&c, f);
}
