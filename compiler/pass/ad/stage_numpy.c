// stage_numpy.c - handlers of calls of numpy: reductions, products, new arrays, other shapes.

#include "compiler/pass/ad/stage_call.h"

#include <string.h>

// ---- reductions ----

// Which dimensions an axis says: a number, a tuple, or None for all.
static bool *axes_of(Call *c, size_t rank, const Value *axis)
{
    bool *taken = ARENA_ARRAY(c->s->arena, bool, rank + 1);
    bool all = axis == NULL || axis->kind == VALUE_NONE;
    ValueVec one = {0};
    vec_push(c->s->arena, &one, (Value *)axis);
    ValueVec list = !all && axis->kind == VALUE_LIST ? axis->items : one;
    for (size_t i = 0; all && i < rank; i++)
        taken[i] = true;
    for (size_t i = 0; !all && i < list.len && !c->s->failed; i++) {
        int64_t n;
        if (!value_number(c->s, list.at[i], &n))
            (void)stage_refuse(c->s, c->at, "an axis must be an integer constant");
        else if (n < -(int64_t)rank || n >= (int64_t)rank)
            (void)stage_refuse(c->s, c->at, "axis %lld is out of bounds for array of dimension %zu",
                               (long long)n, rank);
        else
            taken[n < 0 ? n + (int64_t)rank : n] = true;
    }
    return taken;
}

// From the last axis down, so that the others keep their places.
static const Expr *reduce_axes(Call *c, Reduction op, const Expr *x, const Value *axis)
{
    Stage *s = c->s;
    TyList old = term_shape(x);
    bool *taken = axes_of(c, old.len, axis), place = op == REDUCTION_ARG_MAX ||
                                                     op == REDUCTION_ARG_MIN;
    if (!s->failed && place && (axis == NULL || axis->kind == VALUE_NONE))
        return stage_reduce(s, op, x, NULL, c->at);
    for (int64_t i = (int64_t)old.len; i-- > 0 && !s->failed;)
        if (taken[i])
            x = stage_reduce(s, op, x, &i, c->at);
    if (s->failed || !call_truth(c, "keepdims"))
        return x;
    const Ty **shape = ARENA_ARRAY(s->arena, const Ty *, old.len + 1);
    for (size_t i = 0; i < old.len; i++)
        shape[i] = taken[i] ? size_number(s->t, 1) : old.at[i];
    return term_reshape(s->t, (TyList){shape, old.len}, x);
}

const Expr *stage_whole_tests(Stage *s, const Expr *x)
{
    if (term_elem(x) != ELEM_BOOL)
        return x;
    TyList shape = term_shape(x);
    return term_where(s->t, x, term_fill(s->t, shape, term_int(s->t, 1)),
                      term_fill(s->t, shape, term_int(s->t, 0)));
}

// `x[c].max(axis=0)`: what is not selected leaves the result as it is. Along another axis the rows
// stay selected.
static Value *reduce_selected(Call *c, Reduction op, const Value *v)
{
    Stage *s = c->s;
    v = stage_flat_selected(s, v);
    const Value *axis = call_given(c, 1, "axis");
    if (op == REDUCTION_ARG_MAX || op == REDUCTION_ARG_MIN)
        return term(c, value_as_term(s, v, c->at));
    if (!axes_of(c, term_rank(v->term), axis)[0])
        return stage_as_selected(s, reduce_axes(c, op, v->term, axis), v);
    if (op != REDUCTION_SUM && !s->failed) {
        const Expr *count = stage_count_selected(s, v, term_int(s->t, 1), c->at);
        const Expr *none = term_compare(s->t, CMPOP_EQ, count, term_int(s->t, 0));
        stage_check_index(s, term_where(s->t, none, term_int(s->t, 1), term_int(s->t, 0)),
                          size_number(s->t, 1));
    }
    return term(c, s->failed ? v->term : reduce_axes(c, op, stage_masked(s, v, op, c->at), axis));
}

static Value *reduce(Call *c, Reduction op)
{
    const Value *v = call_wanted(c, 0, "a");
    if (v->kind == VALUE_SELECTED)
        return reduce_selected(c, op, v);
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
    const Value *some = call_wanted(c, 0, "a");
    if (some->kind == VALUE_SELECTED) {
        const Expr *each = term_fill(s->t, term_shape(some->term), term_float(s->t, 1.0));
        Value *total = reduce_selected(c, REDUCTION_SUM, some);
        Value *number = reduce_selected(c, REDUCTION_SUM, stage_selected(s, each, some->test));
        const Expr *mean = s->failed ? total->term : stage_binary(s, OPERATOR_DIV, total->term,
                                                                  number->term, c->at);
        return stage_as_selected(s, mean, total->kind == VALUE_SELECTED ? total : NULL);
    }
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
    bool whole = term_elem(x) == ELEM_INT && term_elem(y) == ELEM_INT;
    if (whole)
        (void)stage_same(c->s, &x, &y, c->at, "this function");
    if (whole && !c->s->failed)
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
        if (!s->failed && term_rank(x) == 0)
            return term(c, stage_refuse(s, c->at, "`%s` requires an array, a list or several "
                                        "numbers, not one number", c->name));
        if (!s->failed && term_rank(x) > 1)
            return term(c, stage_refuse(s, c->at, "`%s` supports only arrays of one dimension\n"
                                        "write `np.%s(x)`", c->name, c->name));
        return term(c, s->failed ? x : term_reduce(s->t, larger ? REDUCTION_MAX : REDUCTION_MIN,
                                                   x));
    }
    ValueVec of = *call_all(c);
    of = of.len == 1 ? of.at[0]->items : of;
    const Expr *best = NULL;
    for (size_t i = 0; i < of.len && !s->failed; i++) {
        const Expr *x = value_as_term(s, of.at[i], c->at);
        best = best == NULL ? x : smaller_or_larger(c, larger, best, x);
    }
    return term(c, best != NULL ? best : stage_refuse(s, c->at, "`%s` requires at least "
                                                      "one value", c->name));
}

Value *stage_py_max(Call *c) { return extreme(c, true); }
Value *stage_py_min(Call *c) { return extreme(c, false); }

Value *stage_py_sum(Call *c)
{
    Stage *s = c->s;
    Value *of = call_wanted(c, 0, "iterable"), *start = call_given(c, 1, "start");
    const Expr *sum = start == NULL ? term_int(s->t, 0) : value_as_term(s, start, c->at);
    if (of->kind == VALUE_SELECTED && !s->failed)
        return term(c, stage_binary(s, OPERATOR_ADD, sum, stage_sum_each(s, of, c->at), c->at));
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
        (void)stage_refuse(s, c->at, "`%s` requires an array or a list, not a number", c->name);
    for (size_t i = 0; i < depth && !s->failed; i++)
        x = term_reduce(s->t, REDUCTION_SUM, x);
    return term(c, start == NULL || s->failed ? x : stage_binary(s, OPERATOR_ADD, sum, x, c->at));
}

// ---- products ----

Value *stage_np_dot(Call *c)
{
    if (c->args.len > 1 && stage_first_selected(c->args.at, 2) != NULL)
        return term(c, stage_dot_selected(c->s, call_all(c)->at, c->at));
    const Expr *x = call_array(c, 0, "a"), *y = call_array(c, 1, "b");
    if (c->s->failed || term_rank(x) == 0 || term_rank(y) == 0)
        return term(c, c->s->failed ? x : stage_binary(c->s, OPERATOR_MULT, x, y, c->at));
    if (sym_is(c->name, "dot") && term_rank(x) > 1 && term_rank(y) > 2)
        return term(c, stage_refuse(c->s, c->at, "an array function supports `np.dot` only for a "
                                    "second array of one or two dimensions\nwrite `x @ y` for "
                                    "a product of matrices for each index before them"));
    return term(c, stage_matmul(c->s, x, y, c->at));
}

Value *stage_np_outer(Call *c)
{
    const Expr *x = call_array(c, 0, "a"), *y = call_array(c, 1, "b");
    if (!c->s->failed && (term_rank(x) != 1 || term_rank(y) != 1))
        return term(c, stage_refuse(c->s, c->at, "an array function supports `np.outer` only for "
                                    "arrays of one dimension\nwrite `np.outer(np.ravel(x), "
                                    "np.ravel(y))`"));
    return term(c, c->s->failed ? x : stage_contract(c->s, x, "i", y, "j", "ij", c->at));
}

// ---- einsum ----

enum { MAX_OPERANDS = 8, MAX_LABELS = 27 };

typedef struct Labels { char at[MAX_LABELS]; } Labels;

// The labels of the operands and of the result; false: not as numpy has them.
static bool read_labels(Text spec, Labels *of, size_t *operands, Labels *result, bool *given)
{
    size_t n = 0, k = 0;
    *given = false;
    for (size_t i = 0; i < spec.len; i++) {
        char x = spec.at[i];
        Labels *to = *given ? result : &of[n];
        if (x == ' ')
            continue;
        if (x == ',' && !*given && n + 1 < MAX_OPERANDS) {
            n++;
            k = 0;
        } else if (x == '-' && !*given && i + 1 < spec.len && spec.at[i + 1] == '>') {
            *given = true;
            i++;
            k = 0;
        } else if (((x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z')) && k + 1 < MAX_LABELS) {
            to->at[k++] = x;
        } else {
            return false;
        }
    }
    *operands = n + 1;
    return true;
}

// Without `->`: the labels that stand once, in their order in the alphabet.
static void implied_result(const Labels *of, size_t operands, Labels *result)
{
    size_t count[128] = {0}, k = 0;
    for (size_t i = 0; i < operands; i++)
        for (const char *c = of[i].at; *c != '\0'; c++)
            count[(int)*c]++;
    for (int c = 'A'; c <= 'z'; c++)
        if (count[c] == 1)
            result->at[k++] = (char)c;
}

static const Expr *of_size(Stage *s, const Ty *size)
{
    return term_fill(s->t, (TyList){&size, 1}, term_float(s->t, 0.0));
}

// "iij": the diagonal of the first label that stands twice.
static const Expr *diagonal(Call *c, const Expr *x, Labels *labels)
{
    Stage *s = c->s;
    for (size_t i = 0; labels->at[i] != '\0'; i++) {
        const char *again = strchr(labels->at + i + 1, labels->at[i]);
        size_t k = again == NULL ? 0 : (size_t)(again - labels->at), rank = term_rank(x);
        if (again == NULL)
            continue;
        TyList shape = term_shape(x);
        if (shape.at[i] != shape.at[k])
            return stage_differ(s, c->at, "the diagonal of a square matrix",
                                of_size(s, shape.at[i]), of_size(s, shape.at[k]));
        Vec(const Expr *) is = {0}, place = {0};
        Vec(const Ty *) left = {0};
        for (size_t q = 0; q < rank; q++) {
            if (q != k) {
                vec_push(s->arena, &is, term_variable(s->t));
                vec_push(s->arena, &left, shape.at[q]);
            }
            vec_push(s->arena, &place, q == k ? place.at[i] : is.at[is.len - 1]);
        }
        memmove(labels->at + k, labels->at + k + 1, strlen(labels->at + k));
        return diagonal(c, term_gather(s->t, (TyList){left.at, left.len}, x,
                                       (ExprList){is.at, is.len}, (ExprList){place.at, rank}),
                        labels);
    }
    return x;
}

static void keep_labels(const Labels *from, const Labels *later, size_t n, const Labels *result,
                        Labels *to)
{
    size_t k = strlen(to->at);
    for (const char *c = from->at; *c != '\0'; c++) {
        bool wanted = strchr(result->at, *c) != NULL;
        for (size_t i = 0; i < n; i++)
            wanted = wanted || strchr(later[i].at, *c) != NULL;
        if (wanted && strchr(to->at, *c) == NULL && k + 1 < MAX_LABELS)
            to->at[k++] = *c;
    }
}

static void refuse_labels(Call *c, const Expr *x, size_t operand, const char *labels)
{
    size_t rank = term_rank(x), wanted = strlen(labels);
    if (c->s->library_depth > 0)
        (void)stage_refuse(c->s, c->at, "the array must have %zu dimensions, but it has %zu",
                           wanted, rank);
    else
        (void)stage_refuse(c->s, c->at, "operand %zu has %zu dimension%s, but its labels are `%s`",
                           operand + 1, rank, diag_s(rank), labels);
}

// The first operand with the second, that with the third, ..
Value *stage_np_einsum(Call *c)
{
    Stage *s = c->s;
    const Value *spec = call_wanted(c, 0, "subscripts");
    Labels of[MAX_OPERANDS] = {{{0}}}, result = {{0}};
    size_t operands = 0;
    bool given;
    if (spec->kind != VALUE_TEXT)
        return term(c, stage_refuse(s, c->at, "the first argument of `np.einsum` must be a string "
                                    "literal, such as `\"ik,kj->ij\"`"));
    if (!read_labels(spec->text, of, &operands, &result, &given))
        return term(c, stage_refuse(s, c->at, "the subscripts of `np.einsum` must consist of "
                                    "letters for each of at most %d arrays, such as "
                                    "`\"ik,kj->ij\"`",
                                    MAX_OPERANDS));
    if (c->args.len != operands + 1)
        return term(c, stage_refuse(s, c->at, "the subscripts of `np.einsum` are for %zu array%s, "
                                    "but %zu %s given", operands, diag_s(operands),
                                    c->args.len - 1, diag_was(c->args.len - 1)));
    if (!given)
        implied_result(of, operands, &result);
    const Expr *all = NULL;
    for (size_t i = 0; i < operands && !s->failed; i++) {
        const Expr *x = call_array(c, i + 1, "operand");
        if (!s->failed && strlen(of[i].at) != term_rank(x))
            refuse_labels(c, x, i, of[i].at);
        if (!s->failed)
            x = diagonal(c, x, &of[i]);
        Labels next = {{0}};
        if (i > 0)
            keep_labels(&of[i - 1], of + i + 1, operands - i - 1, &result, &next);
        keep_labels(&of[i], of + i + 1, operands - i - 1, &result, &next);
        if (i + 1 == operands)
            next = result;
        if (!s->failed && i == 0 && operands > 1)
            all = x;
        else if (!s->failed)
            all = stage_contract(s, all == NULL ? x : all, all == NULL ? of[i].at : of[i - 1].at,
                                 all == NULL ? NULL : x, all == NULL ? "" : of[i].at, next.at,
                                 c->at);
        if (i > 0)
            of[i] = next;
    }
    return term(c, s->failed ? term_float(s->t, 0.0) : all);
}

// ---- new arrays ----

// Of the type that `dtype` says.
static const Expr *number(Call *c, int64_t n, Elem otherwise)
{
    const Value *dtype = call_given(c, 1, "dtype");
    char kind = dtype != NULL && dtype->name != NULL ? dtype->name[0] : '\0';
    Elem elem = kind == 'i' ? ELEM_INT : kind == 'b' ? ELEM_BOOL
                : kind == 'f' ? ELEM_FLOAT : otherwise;
    if (dtype != NULL && kind != 'i' && kind != 'b' && kind != 'f')
        return stage_refuse(c->s, c->at, "this value of the argument `dtype` of `%s` is not "
                            "supported", c->name);
    return elem == ELEM_INT ? term_int(c->s->t, n)
           : elem == ELEM_BOOL ? term_bool(c->s->t, n != 0) : term_float(c->s->t, (double)n);
}

static Value *filled(Call *c, const Expr *with)
{
    TyList shape = call_shape(c, call_wanted(c, 0, "shape"));
    return term(c, c->s->failed ? with : term_fill(c->s->t, shape, with));
}

Value *stage_np_zeros(Call *c) { return filled(c, number(c, 0, ELEM_FLOAT)); }
Value *stage_np_ones(Call *c)  { return filled(c, number(c, 1, ELEM_FLOAT)); }

Value *stage_np_full(Call *c)
{
    const Expr *x = call_array(c, 1, "fill_value");
    if (!c->s->failed && term_rank(x) > 0)
        (void)stage_refuse(c->s, c->at, "the value of `np.full` must be a number");
    return c->s->failed ? term(c, x) : filled(c, x);
}

static Value *like(Call *c, int64_t n)
{
    const Value *some = call_wanted(c, 0, "a");
    if (some->kind == VALUE_SELECTED)
        return stage_selected(c->s, term_fill(c->s->t, term_shape(some->term),
                                              number(c, n, term_elem(some->term))), some->test);
    const Expr *x = call_array(c, 0, "a");
    const Expr *with = c->s->failed ? x : number(c, n, term_elem(x));
    return term(c, c->s->failed ? x : term_fill(c->s->t, term_shape(x), with));
}

Value *stage_np_zeros_like(Call *c) { return like(c, 0); }
Value *stage_np_ones_like(Call *c)  { return like(c, 1); }

Value *stage_np_arange(Call *c)
{
    Stage *s = c->s;
    if (c->args.len > 1)
        return term(c, value_as_term(s, stage_py_range(c), c->at));
    TyList shape = call_lengths(c, call_wanted(c, 0, "stop"));
    return term(c, s->failed ? term_int(s->t, 0) : term_iota(s->t, stage_clamped(s, shape.at[0])));
}

Value *stage_np_eye(Call *c)
{
    Stage *s = c->s;
    TyList rows = call_shape(c, call_wanted(c, 0, "N"));
    const Value *given = call_given(c, 1, "M");
    TyList columns = s->failed || given == NULL ? rows : call_shape(c, given);
    if (s->failed)
        return term(c, term_float(s->t, 0.0));
    TyList shape = shape_join(s->t, rows, columns);
    const Expr *column = term_spread(s->t, term_iota(s->t, rows.at[0]), columns);
    const Expr *row = term_replicate(s->t, rows.at[0], term_iota(s->t, columns.at[0]));
    return term(c, term_where(s->t, term_compare(s->t, CMPOP_EQ, column, row),
                              term_fill(s->t, shape, term_float(s->t, 1.0)),
                              term_fill(s->t, shape, term_float(s->t, 0.0))));
}

Value *stage_np_array(Call *c) { return term(c, call_array(c, 0, "object")); }

// The axis of that name, from 0 to `rank`.
static size_t axis_of(Call *c, size_t i, const char *name, size_t rank, int64_t otherwise)
{
    const Value *v = call_given(c, i, name);
    int64_t n = otherwise;
    if (v != NULL && (!value_number(c->s, v, &n) || n < -(int64_t)rank || n >= (int64_t)rank))
        (void)stage_refuse(c->s, c->at, "an axis must be an integer constant within the dimensions "
                           "of the array");
    return c->s->failed ? 0 : (size_t)(n < 0 ? n + (int64_t)rank : n);
}

// The first dimension as dimension `to`.
static const Expr *first_to(Stage *s, const Expr *x, size_t to)
{
    size_t *axes = ARENA_ARRAY(s->arena, size_t, to + 1);
    for (size_t i = 0; i <= to; i++)
        axes[i] = i == to ? 0 : i + 1;
    return to == 0 ? x : term_transpose(s->t, axes, to + 1, x);
}

Value *stage_np_stack(Call *c)
{
    const Expr *x = call_array(c, 0, "arrays");
    size_t axis = c->s->failed ? 0 : axis_of(c, 1, "axis", term_rank(x), 0);
    return term(c, c->s->failed ? x : first_to(c->s, x, axis));
}

// The parts with their axis in front and of one kind of element; empty: refused.
static ExprList parts_of(Call *c, ValueVec items, size_t *axis)
{
    Stage *s = c->s;
    Vec(const Expr *) all = {0};
    bool real = false;
    for (size_t i = 0; i < items.len && !s->failed; i++) {
        const Expr *x = value_as_term(s, items.at[i], c->at);
        if (!s->failed && term_rank(x) == 0)
            (void)stage_refuse(s, c->at, "zero-dimensional arrays cannot be concatenated\n"
                               "write a list of the number, `[a]`");
        if (!s->failed && i == 0)
            *axis = axis_of(c, 1, "axis", term_rank(x), 0);
        if (!s->failed && *axis >= term_rank(x))
            (void)stage_refuse(s, c->at, "axis %zu is out of bounds for array of dimension %zu",
                               *axis, term_rank(x));
        if (s->failed)
            break;
        vec_push(s->arena, &all, stage_axis_first(s, x, *axis));
        real = real || term_elem(x) == ELEM_FLOAT;
        if (!shape_equal(shape_drop(term_shape(all.at[i]), 1),
                         shape_drop(term_shape(all.at[0]), 1)))
            (void)stage_differ(s, c->at, "`np.concatenate`", all.at[0], all.at[i]);
    }
    for (size_t i = 0; i < all.len && real; i++)
        all.at[i] = stage_float(s, all.at[i]);
    return (ExprList){all.at, s->failed ? 0 : all.len};
}

// The first dimension goes into the one along which the rows are joined.
static const Expr *joined_rows(Call *c, const Expr *x)
{
    size_t axis = axis_of(c, 1, "axis", term_rank(x) - 1, 0);
    TyList shape = term_shape(c->s->failed ? x : (x = first_to(c->s, x, axis)));
    const Ty *both = size_mul(c->s->t, shape.at[axis], shape.at[axis + 1]);
    return term_reshape(c->s->t, shape_join(c->s->t, (TyList){shape.at, axis},
                                            shape_cons(c->s->t, both, shape_drop(shape, axis + 2))),
                        x);
}

// Each part scattered to its place.
Value *stage_np_concatenate(Call *c)
{
    Stage *s = c->s;
    const Value *parts = call_wanted(c, 0, "arrays");
    if (!s->failed && parts->kind == VALUE_TERM && term_rank(parts->term) > 1)
        return term(c, joined_rows(c, value_as_term(s, parts, c->at)));
    if (!s->failed && (parts->kind != VALUE_LIST || parts->items.len == 0))
        (void)stage_refuse(s, c->at, "the arrays to join must be in a list or a tuple whose length "
                           "is known and not 0");
    size_t axis = 0;
    ExprList all = s->failed ? (ExprList){NULL, 0} : parts_of(c, parts->items, &axis);
    Poly total = {NULL, 0}, offset = total;
    const Expr *sum = NULL;
    for (size_t i = 0; i < all.len; i++)
        total = poly_add(s->arena, total, size_poly(s->t, term_shape(all.at[i]).at[0]));
    for (size_t i = 0; i < all.len; i++) {
        const Expr *x = all.at[i], *index = term_variable(s->t);
        const Expr *place = stage_binary(s, OPERATOR_ADD, index, term_of_poly(s->t, offset), c->at);
        TyList shape = shape_cons(s->t, size_of_poly(s->t, total), shape_drop(term_shape(x), 1));
        const Expr *one = term_scatter(s->t, shape, x, term_list(s->t, index, NULL),
                                       term_list(s->t, place, NULL));
        sum = sum == NULL ? one : term_binary(s->t, OPERATOR_ADD, sum, one);
        offset = poly_add(s->arena, offset, size_poly(s->t, term_shape(x).at[0]));
    }
    return term(c, sum == NULL ? term_float(s->t, 0.0) : first_to(s, sum, axis));
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
        given_axes = (ValueVec){call_all(c)->at + 1, c->args.len - 1, 0};
    bool *seen = ARENA_ARRAY(s->arena, bool, rank + 1);
    for (size_t i = 0; i < rank; i++) {
        int64_t n = (int64_t)(rank - 1 - i);
        if (given_axes.len > 0 && (given_axes.len != rank ||
                                   !value_number(s, given_axes.at[i], &n) || n < 0 ||
                                   (size_t)n >= rank || seen[n]))
            return term(c, call_refuse_axes(c, "np.transpose", rank, given_axes.len));
        axes[i] = (size_t)n;
        seen[n] = true;
    }
    return term(c, rank < 2 ? x : term_transpose(s->t, axes, rank, x));
}

static bool has_quotient(Terms *t, Poly p)
{
    int64_t by;
    for (size_t i = 0; i < p.len; i++)
        for (size_t k = 0; k < p.at[i].names.len; k++)
            if (size_quotient_of(t, p.at[i].names.at[k], &by) != NULL)
                return true;
    return false;
}

// A size that is divided may be a multiple: of such the numbers of elements are compared when the
// function runs. Not in an arm that may not be taken.
static bool may_fit(Call *c, Poly have, Poly want)
{
    Stage *s = c->s;
    if (poly_equal(have, want))
        return true;
    if (s->guard != NULL || (!has_quotient(s->t, have) && !has_quotient(s->t, want)))
        return false;
    (void)stage_check_size(s, size_of_poly(s->t, poly_sub(s->arena, have, want)));
    (void)stage_check_size(s, size_of_poly(s->t, poly_sub(s->arena, want, have)));
    return true;
}

const Expr *call_reshaped(Call *c, const Expr *x, const Value *to)
{
    Stage *s = c->s;
    Poly have = poly_number(s->arena, 1), want = have;
    Poly left;
    int64_t n, parts;
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
        if (value_number(s, one, &n) && n == -1)
            return stage_refuse(s, c->at, "can only specify one unknown dimension");
        TyList size = call_shape(c, one);
        if (s->failed)
            return x;
        shape[i] = size.at[0];
        want = poly_mul(s->arena, want, size_poly(s->t, shape[i]));
    }
    if (hole != (size_t)-1) {
        if (poly_quotient(s->arena, have, want, &left))
            shape[hole] = size_of_poly(s->t, left);
        else if (poly_is_number(want, &parts) && parts > 0 && s->guard == NULL)
            shape[hole] = size_quotient(s->t, size_of_poly(s->t, have), parts);
        else
            return stage_refuse(s, c->at, "the size that -1 stands for is not known: the number of "
                                "elements is not a multiple of the other sizes for all sizes\nif "
                                "it is one, annotate the array with a multiple, such as "
                                "`Float[Array, \"2*n\"]`, and add a parameter `n: int`");
        want = poly_mul(s->arena, want, size_poly(s->t, shape[hole]));
    }
    const Expr *new = term_reshape(s->t, (TyList){shape, len}, x);
    return may_fit(c, have, want) ? new : stage_differ(s, c->at, "`reshape`", x, new);
}

Value *stage_np_reshape(Call *c)
{
    const Expr *x = call_array(c, 0, "a");
    Value *to = call_wanted(c, 1, "newshape");
    if (c->args.len > 2)
        to = value_list(c->s, (ValueVec){call_all(c)->at + 1, c->args.len - 1, 0}, true);
    return term(c, c->s->failed ? x : call_reshaped(c, x, to));
}

Value *stage_np_ravel(Call *c)
{
    const Expr *x = call_array(c, 0, "a");
    return term(c, c->s->failed ? x : call_reshaped(c, x, value_term(c->s, term_int(c->s->t, -1))));
}

Value *stage_np_moveaxis(Call *c)
{
    const Expr *x = call_array(c, 0, "a");
    size_t rank = c->s->failed ? 0 : term_rank(x);
    size_t from = axis_of(c, 1, "source", rank, 0), to = axis_of(c, 2, "destination", rank, 0);
    return term(c, c->s->failed ? x : first_to(c->s, stage_axis_first(c->s, x, from), to));
}

Value *stage_np_swapaxes(Call *c)
{
    const Expr *x = call_array(c, 0, "a");
    size_t rank = c->s->failed ? 0 : term_rank(x);
    size_t p = axis_of(c, 1, "axis1", rank, 0), q = axis_of(c, 2, "axis2", rank, 0);
    size_t *axes = ARENA_ARRAY(c->s->arena, size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        axes[i] = i == p ? q : i == q ? p : i;
    return term(c, c->s->failed ? x : term_transpose(c->s->t, axes, rank, x));
}

// Without the dimensions of size 1, or those of `axis`.
Value *stage_np_squeeze(Call *c)
{
    Stage *s = c->s;
    const Expr *x = call_array(c, 0, "a");
    if (s->failed)
        return term(c, x);
    TyList old = term_shape(x);
    const Value *axis = call_given(c, 1, "axis");
    bool *taken = axes_of(c, old.len, axis), all = axis == NULL || axis->kind == VALUE_NONE;
    Vec(const Ty *) kept = {0};
    for (size_t i = 0; i < old.len && !s->failed; i++) {
        bool one = size_is(s->t, old.at[i], 1);
        if (!one && taken[i] && !all)
            (void)stage_refuse(s, c->at, "axis %zu cannot be removed, because its size may "
                               "differ from 1", i);
        if (!one || !taken[i])
            vec_push(s->arena, &kept, old.at[i]);
    }
    return term(c, term_reshape(s->t, (TyList){kept.at, kept.len}, x));
}

Value *stage_np_expand_dims(Call *c)
{
    Stage *s = c->s;
    const Expr *x = call_array(c, 0, "a");
    size_t axis = s->failed ? 0 : axis_of(c, 1, "axis", term_rank(x) + 1, 0);
    if (s->failed)
        return term(c, x);
    TyList old = term_shape(x), rest = shape_drop(old, axis);
    return term(c, term_reshape(s->t, shape_join(s->t, (TyList){old.at, axis},
                                                 shape_cons(s->t, size_number(s->t, 1), rest)), x));
}

Value *stage_np_broadcast_to(Call *c)
{
    Stage *s = c->s;
    const Expr *x = call_array(c, 0, "array");
    TyList shape = call_shape(c, call_wanted(c, 1, "shape"));
    if (!s->failed && shape.len < term_rank(x))
        (void)stage_refuse(s, c->at, "the array has more dimensions than this shape");
    return term(c, s->failed ? x : stage_broadcast(s, x, shape, c->at));
}

// Each dimension s as [r, s], repeated along r, then one again.
Value *stage_np_tile(Call *c)
{
    Stage *s = c->s;
    const Expr *x = call_array(c, 0, "A");
    TyList reps = call_shape(c, call_wanted(c, 1, "reps")), old = term_shape(x);
    size_t rank = reps.len > old.len ? reps.len : old.len;
    Vec(const Ty *) thin = {0}, wide = {0}, whole = {0};
    const Ty *one = size_number(s->t, 1);
    for (size_t i = 0; i < rank && !s->failed; i++) {
        const Ty *r = i + reps.len < rank ? one : reps.at[i + reps.len - rank];
        const Ty *n = i + old.len < rank ? one : old.at[i + old.len - rank];
        vec_push(s->arena, &thin, one);
        vec_push(s->arena, &thin, n);
        vec_push(s->arena, &wide, r);
        vec_push(s->arena, &wide, n);
        vec_push(s->arena, &whole, size_mul(s->t, r, n));
    }
    if (s->failed)
        return term(c, x);
    x = term_reshape(s->t, (TyList){thin.at, thin.len}, x);
    x = stage_broadcast(s, x, (TyList){wide.at, wide.len}, c->at);
    return term(c, term_reshape(s->t, (TyList){whole.at, whole.len}, x));
}

// x.astype(float), x.astype(np.int64)
Value *stage_np_astype(Call *c)
{
    const Value *kind = call_wanted(c, 1, "dtype");
    if (kind->kind == VALUE_TEXT || kind->name == NULL)
        return term(c, stage_refuse(c->s, c->at, "an array function supports only "
                                    "`x.astype(float)`, `x.astype(int)` and `x.astype(bool)`"));
    if (kind->name[0] == 'b') {
        const Expr *x = call_array(c, 0, "x");
        bool test = c->s->failed || term_elem(x) == ELEM_BOOL;
        return term(c, test ? x : term_compare(c->s->t, CMPOP_NOT_EQ, x,
                                               term_zero(c->s->t, x->ty)));
    }
    return kind->name[0] == 'f' ? stage_to_float(c) : stage_to_int(c);
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
        (void)stage_refuse(c->s, c->at, "an array function supports `np.logical_not` only for "
                           "conditions, such as `x > 0.0`");
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

Value *stage_np_maximum(Call *c)
{
    const Expr *x = call_array(c, 0, "x1"), *y = call_array(c, 1, "x2");
    return term(c, c->s->failed ? x : smaller_or_larger(c, true, x, y));
}

Value *stage_np_minimum(Call *c)
{
    const Expr *x = call_array(c, 0, "x1"), *y = call_array(c, 1, "x2");
    return term(c, c->s->failed ? x : smaller_or_larger(c, false, x, y));
}

// A bound may be missing or None.
Value *stage_np_clip(Call *c)
{
    const Expr *x = call_array(c, 0, "a");
    for (size_t i = 1; i < 3; i++) {
        Value *bound = call_given(c, i, i == 1 ? "a_min" : "a_max");
        if (bound == NULL)
            bound = call_given(c, (size_t)-1, i == 1 ? "min" : "max");
        if (bound == NULL || bound->kind == VALUE_NONE)
            continue;
        const Expr *limit = value_as_term(c->s, bound, c->at);
        x = c->s->failed ? x : smaller_or_larger(c, i == 1, x, limit);
    }
    return term(c, x);
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

// To the nearest whole number, of two the even one.
Value *stage_py_round(Call *c)
{
    Stage *s = c->s;
    const Expr *x = call_array(c, 0, "number");
    if (s->failed || (term_elem(x) == ELEM_INT && term_rank(x) == 0))
        return term(c, x);
    if (term_rank(x) > 0)
        return term(c, stage_refuse(s, c->at, "`round` requires a number\nwrite `np.round(x)`"));
    const Expr *whole = stage_elementwise(s, array_function(names_get(s->names, "rint")),
                                          term_list(s->t, x, NULL), c->at);
    return term(c, term_call1(s->t, "int64", ELEM_INT, whole));
}

Value *stage_py_abs(Call *c)
{
    const Expr *x = call_array(c, 0, "x");
    return term(c, c->s->failed ? x : stage_elementwise(c->s, array_function(names_get(
                                          c->s->names, "fabs")), term_list(c->s->t, x, NULL),
                                          c->at));
}

