// stage_array.c - whole arrays: subscripts, attributes, reductions along an axis, contractions.

#include "compiler/ir/ty.h"
#include "compiler/pass/ad/simplify.h"
#include "compiler/pass/ad/stage_internal.h"

#include <math.h>
#include <string.h>

// ---- axes ----

const Expr *stage_axis_first(Stage *s, const Expr *x, size_t axis)
{
    size_t *axes = ARENA_ARRAY(s->arena, size_t, axis + 1);
    for (size_t i = 0; i <= axis; i++)
        axes[i] = i == 0 ? axis : i - 1;
    return axis == 0 ? x : term_transpose(s->t, axes, axis + 1, x);
}

// axis NULL: over all.
const Expr *stage_reduce(Stage *s, Reduction op, const Expr *x, const int64_t *axis, Span at)
{
    int64_t rank = (int64_t)term_rank(x);
    if (axis != NULL && (*axis < -rank || *axis >= rank))
        return stage_refuse(s, at, "axis %lld is out of bounds for array of dimension %lld",
                            (long long)*axis, (long long)rank);
    if (axis != NULL)
        return term_reduce(s->t, op, stage_axis_first(s, x, (size_t)(*axis < 0 ? *axis + rank
                                                                               : *axis)));
    if (op == REDUCTION_ARG_MAX || op == REDUCTION_ARG_MIN) {
        const Ty *all = size_number(s->t, 1);
        for (int64_t i = 0; i < rank; i++)
            all = size_mul(s->t, all, term_shape(x).at[i]);
        x = rank == 1 ? x : term_reshape(s->t, (TyList){&all, 1}, x);
        return term_reduce(s->t, op, x);
    }
    for (int64_t i = 0; i < rank; i++)
        x = term_reduce(s->t, op, x);
    return x;
}

// ---- contractions: einsum of one or two arrays ----

static const Ty *size_of_label(const Expr *x, const char *xs, char label)
{
    const char *found = strchr(xs, label);
    return found == NULL ? NULL : term_shape(x).at[found - xs];
}

// x with one dimension for each label, in their order.
static const Expr *spread_to(Stage *s, const Expr *x, const char *xs, const char *labels,
                             const Ty *const *sizes)
{
    size_t rank = strlen(labels), missing = 0, *axes = ARENA_ARRAY(s->arena, size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        missing += strchr(xs, labels[i]) == NULL;
    for (size_t i = rank; i-- > 0;)
        if (strchr(xs, labels[i]) == NULL)
            x = term_replicate(s->t, sizes[i], x);
    size_t next = 0;
    for (size_t i = 0; i < rank; i++) {
        const char *found = strchr(xs, labels[i]);
        axes[i] = found == NULL ? next++ : missing + (size_t)(found - xs);
    }
    return term_transpose(s->t, axes, rank, x);
}

// The labels that are summed, then those of the result.
static char *all_labels(Stage *s, const char *xs, const char *ys, const char *result, size_t *sums)
{
    char *labels = ARENA_ARRAY(s->arena, char, strlen(xs) + strlen(ys) + strlen(result) + 1);
    size_t n = 0;
    for (const char *both[] = {xs, ys}, **p = both; p < both + 2; p++)
        for (const char *c = *p; *c != '\0'; c++)
            if (strchr(result, *c) == NULL && strchr(labels, *c) == NULL)
                labels[n++] = *c;
    *sums = n;
    strcpy(labels + n, result);
    return labels;
}

const Expr *stage_contract(Stage *s, const Expr *x, const char *xs, const Expr *y, const char *ys,
                           const char *result, Span at)
{
    size_t sums;
    char *labels = all_labels(s, xs, ys, result, &sums);
    const Ty **sizes = ARENA_ARRAY(s->arena, const Ty *, strlen(labels) + 1);
    for (size_t i = 0; labels[i] != '\0'; i++) {
        const Ty *a = size_of_label(x, xs, labels[i]);
        const Ty *b = y == NULL ? NULL : size_of_label(y, ys, labels[i]);
        if (a == NULL && b == NULL)
            return stage_refuse(s, at, "the label `%c` of the result does not occur in an operand",
                                labels[i]);
        if (a != NULL && b != NULL && a != b)
            return stage_differ(s, at, "this product", x, y);
        sizes[i] = a != NULL ? a : b;
    }
    const Expr *product = spread_to(s, x, xs, labels, sizes);
    if (y != NULL) {
        const Expr *other = spread_to(s, y, ys, labels, sizes);
        if (term_elem(product) == ELEM_FLOAT || term_elem(other) == ELEM_FLOAT) {
            product = stage_float(s, product);
            other = stage_float(s, other);
        }
        product = term_binary(s->t, OPERATOR_MULT, product, other);
    }
    for (size_t i = 0; i < sums; i++)
        product = term_reduce(s->t, REDUCTION_SUM, product);
    return product;
}

enum { MAX_RANK = 8 };

// The first labels, one for each dimension of a batch; then those of a matrix or of a vector.
static const char *matrix_labels(Stage *s, const char *batch, size_t rank, const char *matrix,
                                 const char *vector)
{
    return names_format(s->names, "%.*s%s", rank > 2 ? (int)rank - 2 : 0, batch,
                        rank > 1 ? matrix : vector);
}

const Expr *stage_matmul(Stage *s, const Expr *x, const Expr *y, Span at)
{
    size_t p = term_rank(x), q = term_rank(y);
    if (p == 0 || q == 0)
        return stage_refuse(s, at, "an operand of `@` is a number\nwrite `*`");
    size_t batch = p > q ? p : q;
    if (batch > MAX_RANK)
        return stage_refuse(s, at, "an array function supports matrix products only of arrays of "
                            "at most %d dimensions\nwrite the product with `np.einsum`", MAX_RANK);
    const char *labels = &"abcdefgh"[MAX_RANK - batch];        // of the batch, from the last on
    const char *xs = matrix_labels(s, labels + batch - p, p, "ik", "k");
    const char *ys = matrix_labels(s, labels + batch - q, q, "kj", "k");
    const char *result = matrix_labels(s, labels, batch, p == 1 ? "j" : q == 1 ? "i" : "ij", "");
    return stage_contract(s, x, xs, y, ys, result, at);
}

// ---- indices in range ----

const Expr *stage_guard(Stage *s, const Expr *test)
{
    const Expr *old = s->guard;
    if (term_rank(test) == 0 && term_elem(test) == ELEM_BOOL)
        s->guard = old == NULL ? test : term_binary(s->t, OPERATOR_BIT_AND, old, test);
    return old;
}

static const Expr *over_builds(Stage *s, const Expr *count, size_t from)
{
    for (size_t i = s->bound.len; i-- > from;)
        count = term_reduce(s->t, REDUCTION_SUM,
                            term_build(s->t, s->bound.at[i], s->extents.at[i], count));
    return count;
}

static void add_check(Stage *s, const Expr *check)
{
    for (size_t i = 0; i < s->checks.len; i++)
        if (s->checks.at[i] == check)
            return;
    vec_push(s->arena, &s->checks, check);
}

// Summed over all rounds of what is around: of a loop with states when it is made.
void stage_check_count(Stage *s, const Expr *count)
{
    Rounds *rounds = s->rounds;
    const Expr *inside = rounds == NULL ? NULL : over_builds(s, count, rounds->bound + 1);
    for (size_t i = 0; rounds != NULL && i < rounds->states.len; i++)
        if (term_has(s->t, inside, rounds->states.at[i])) {
            vec_push(s->arena, &rounds->counts, inside);
            return;
        }
    s->rounds = rounds == NULL ? NULL : rounds->outer;      // it does not depend on these states
    if (rounds != NULL) {
        stage_check_count(s, count);
        s->rounds = rounds;
        return;
    }
    add_check(s, term_compare(s->t, CMPOP_GT, over_builds(s, count, 0), term_int(s->t, 0)));
}

// How many indices are out of range, in one round of the builds around.
static const Expr *count_outside(Stage *s, const Expr *index, const Ty *size)
{
    Terms *t = s->t;
    TyList shape = term_shape(index);
    const Expr *zero = term_fill(t, shape, term_int(t, 0));
    const Expr *end = term_fill(t, shape, term_of_size(t, size));
    const Expr *outside = term_binary(t, OPERATOR_BIT_OR, term_compare(t, CMPOP_LT, index, zero),
                                      term_compare(t, CMPOP_GT_E, index, end));
    const Expr *count = term_where(t, outside, term_fill(t, shape, term_int(t, 1)), zero);
    for (size_t i = 0; i < shape.len; i++)
        count = term_reduce(t, REDUCTION_SUM, count);
    return count;
}

static void check_where_run(Stage *s, const Expr *count)
{
    s->guarded = s->guarded || s->guard != NULL;
    stage_check_count(s, s->guard == NULL ? count
                         : term_where(s->t, s->guard, count, term_int(s->t, 0)));
}

void stage_check_true(Stage *s, const Expr *test)
{
    const Expr *wrong = term_where(s->t, test, term_int(s->t, 0), term_int(s->t, 1));
    s->asserts = true;
    s->guarded = s->guarded || (s->bound.len > 0 && term_is_closed(s->t, test));
    check_where_run(s, wrong);
}

// Some of the places in what is sorted; slices of them are checked where they are taken.
static bool is_of_sort(const Expr *e, const Ty *size)
{
    while (e->kind == EXPR_GATHER || e->kind == EXPR_TRANSPOSE || e->kind == EXPR_SUBSCRIPT)
        e = e->kind == EXPR_GATHER      ? e->gather.array
            : e->kind == EXPR_TRANSPOSE ? e->transpose.array : e->subscript.value;
    return e->kind == EXPR_ARG_SORT && term_shape(e).at[0] == size;
}

void stage_check_index(Stage *s, const Expr *index, const Ty *size)
{
    ExprList bound = {s->bound.at, s->bound.len};
    TyList extents = {s->extents.at, s->extents.len};
    if (s->failed || is_of_sort(index, size) || (term_rank(index) == 0 &&
                      simplify_in_range(s->t, index, size, bound, extents)))
        return;
    // What does not depend on the round is read before the loop, which may have no rounds.
    s->guarded = s->guarded || (s->bound.len > 0 && term_is_closed(s->t, index));
    check_where_run(s, count_outside(s, index, size));
}

// ---- subscripts ----

typedef struct Subscript {
    Stage *s;
    const Expr *x;              // what is left to take from
    size_t rank;                // of the whole
    size_t axis;                // of x, done so far
    Span at;
    Vec(const Expr *) arrays;   // of indices, for the axes from `first` on
    size_t first, numbers;      // indices that are numbers, after them
    bool selects;               // a slice may be open
    const Expr *open;           // the condition of a slice whose length is not known; or NULL
} Subscript;

void stage_refuse_indices(Stage *s, size_t rank, Span at)
{
    (void)stage_refuse(s, at, rank == 0 ? "a number has no items"
                       : "too many indices for array: the array has %zu dimension%s",
                       rank, diag_s(rank));
}

// What has to hold for a plain index, unless it is proved or under a condition.
static const Expr *index_at(Subscript *u, const Expr *index)
{
    Stage *s = u->s;
    const Ty *size = term_shape(u->x).at[u->axis];
    Poly p;
    int64_t n;
    if (term_elem(index) != ELEM_INT)
        return stage_refuse(s, u->at, "an index must be an integer");
    if (term_poly(s->t, index, &p) && poly_is_number(p, &n)) {
        int64_t len;
        bool known = poly_is_number(size_poly(s->t, size), &len);
        if (known && (n >= len || n < -len))
            return stage_refuse(s, u->at, "index %lld is out of bounds: the size is %lld",
                                (long long)n, (long long)len);
        if (n < 0)
            index = stage_binary(s, OPERATOR_ADD, term_of_size(s->t, size), index, u->at);
        if (known)
            return index;
    }
    stage_check_index(s, index, size);
    return index;
}

static void take_index(Subscript *u, const Expr *index)
{
    Stage *s = u->s;
    if (term_elem(index) == ELEM_BOOL && term_rank(index) > 0) {
        (void)stage_refuse(s, u->at, term_rank(index) == term_rank(u->x)
                           ? "the number of elements that this condition selects depends on data\n"
                             "to sum the elements of `x` where `c` is true, write "
                             "`np.sum(np.where(c, x, 0.0))`; to count them, "
                             "`np.sum(np.where(c, 1.0, 0.0))`"
                           : "the number of elements that this condition selects depends on data\n"
                             "write `np.where(c, x, 0.0)` with a condition of the shape of `x`");
    } else if (term_rank(index) == 0) {
        const Expr *x = stage_axis_first(s, u->x, u->axis), *place = index_at(u, index);
        if (s->failed)
            return;
        x = term_index(s->t, x, term_list(s->t, place, NULL));
        u->x = x;
        u->numbers += u->arrays.len > 0;
    } else if (term_elem(index) != ELEM_INT) {
        (void)stage_refuse(s, u->at, "an index must be an integer");
    } else if (u->arrays.len > 0 && (u->first + u->arrays.len != u->axis || u->numbers > 0)) {
        (void)stage_refuse(s, u->at, "the indices that are arrays must be next to each other, "
                           "as in `x[i, j, :]`");
    } else {
        if (u->arrays.len == 0)
            u->first = u->axis;
        vec_push(s->arena, &u->arrays, index);
        u->axis++;
    }
}

// x[.., i, j]: the dimensions of i and j together take the place of their axes.
static void take_arrays(Subscript *u)
{
    Stage *s = u->s;
    Terms *t = s->t;
    Vec(const Expr *) is = {0}, place = {0};
    const Expr *like = u->arrays.at[0];
    for (size_t i = 1; i < u->arrays.len && !s->failed; i++)
        like = term_zero(t, term_ty(t, ELEM_INT, stage_common_shape(s, like, u->arrays.at[i], u->at,
                                                                    "these indices")));
    if (s->failed)
        return;
    TyList old = term_shape(u->x), front = {old.at, u->first}, by = term_shape(like);
    for (size_t i = 0; i < front.len + by.len; i++) {
        vec_push(s->arena, &is, term_variable(t));
        if (i < front.len)
            vec_push(s->arena, &place, is.at[i]);
    }
    ExprList indices = {is.at, is.len};
    for (size_t i = 0; i < u->arrays.len; i++) {
        const Expr *index = stage_broadcast(s, u->arrays.at[i], by, u->at);
        stage_check_index(s, u->arrays.at[i], old.at[u->first + i]);
        vec_push(s->arena, &place, term_index(t, index, term_drop(indices, front.len)));
    }
    TyList shape = shape_join(t, shape_join(t, front, by),
                              shape_drop(old, u->first + u->arrays.len));
    u->x = term_gather(t, shape, u->x, indices, (ExprList){place.at, place.len});
}

static const Expr *bound_of(Subscript *u, Scope *scope, const Expr *e, const Expr *otherwise)
{
    Stage *s = u->s;
    int64_t n;
    if (e == NULL)
        return otherwise;
    Value *v = stage_eval(s, scope, e);
    if (value_number(s, v, &n) && n < 0)
        return stage_binary(s, OPERATOR_ADD, term_of_size(s->t, term_shape(u->x).at[u->axis]),
                            v->term, e->at);
    return value_as_term(s, v, e->at);
}

// Elements from + i * step of the axis.
static void gather_axis(Subscript *u, const Expr *from, int64_t step, const Ty *length)
{
    Stage *s = u->s;
    size_t n = u->axis + 1;
    Vec(const Expr *) indices = {0}, place = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(s->arena, &indices, term_variable(s->t));
    for (size_t i = 0; i < n; i++) {
        const Expr *scaled = stage_binary(s, OPERATOR_MULT, term_int(s->t, step), indices.at[i],
                                          u->at);
        vec_push(s->arena, &place,
                 i + 1 < n ? indices.at[i] : stage_binary(s, OPERATOR_ADD, from, scaled, u->at));
    }
    TyList old = term_shape(u->x);
    TyList shape = shape_join(s->t, (TyList){old.at, u->axis},
                              shape_cons(s->t, length, shape_drop(old, n)));
    u->x = term_gather(s->t, shape, u->x, (ExprList){indices.at, n}, (ExprList){place.at, n});
    u->axis++;
}

static bool are_natural_names(Stage *s, Poly p);

// Only sizes are never negative: a parameter that is none may be, unless a loop runs over it.
static bool is_natural_name(Stage *s, Sym name)
{
    int64_t by;
    const Poly *of = size_quotient_of(s->t, name, &by);
    if (of != NULL)                                 // no factor of it is negative
        return are_natural_names(s, *of);
    if (size_clamped_of(s->t, name) != NULL || table_get(s->natural, size_name(s->t, name)) != NULL)
        return true;
    for (size_t i = 0; i < s->extents.len; i++)
        if (s->extents.at[i] == size_name(s->t, name))
            return true;
    return name[0] == '%' || table_get(s->origins, name) != NULL;
}

static bool are_natural_names(Stage *s, Poly p)
{
    for (size_t i = 0; i < p.len; i++)
        for (size_t k = 0; k < p.at[i].names.len; k++)
            if (!is_natural_name(s, p.at[i].names.at[k]))
                return false;
    return true;
}

static bool is_natural(Stage *s, const Expr *e)
{
    Poly p;
    return term_poly(s->t, e, &p) && are_natural_names(s, p) &&
           simplify_never_negative(s->t, e, (ExprList){s->bound.at, s->bound.len},
                                   (TyList){s->extents.at, s->extents.len});
}

const Ty *stage_check_size(Stage *s, const Ty *size)
{
    Terms *t = s->t;
    const Expr *e = term_of_size(t, size), *zero = term_int(t, 0);
    if (table_get(s->natural, size) != NULL || is_natural(s, e))
        return size;
    const Expr *negative = term_compare(t, CMPOP_LT, e, zero);
    if (s->guard != NULL && !s->plain_lengths) {
        check_where_run(s, term_where(t, negative, term_int(t, 1), zero));
        return size_clamped(t, size);
    }
    add_check(s, negative);
    table_set(s->natural, size, s);
    return size;
}

const Ty *stage_clamped(Stage *s, const Ty *length)
{
    if (s->plain_lengths)
        return stage_check_size(s, length);
    return table_get(s->natural, length) != NULL || is_natural(s, term_of_size(s->t, length))
               ? length : size_clamped(s->t, length);
}

// Whether x is greater than y for all arguments, in each round.
static bool is_after(Stage *s, const Expr *x, const Expr *y, Span at)
{
    const Expr *least = stage_binary(s, OPERATOR_ADD, y, term_int(s->t, 1), at);
    return is_natural(s, stage_binary(s, OPERATOR_SUB, x, least, at));
}

// `-k`, but not a number.
static bool is_minus(Stage *s, const Expr *bound)
{
    Poly p;
    int64_t n;
    return term_poly(s->t, bound, &p) && !poly_is_number(p, &n) &&
           poly_never_negative(poly_sub(s->arena, (Poly){NULL, 0}, p));
}

// Refuses a slice that is outside whatever the arguments are.
static void refuse_slice(Stage *s, const Expr *from, const Expr *to, const Expr *end, Span at)
{
    if (is_minus(s, from) || is_minus(s, to))
        (void)stage_refuse(s, at, "only a constant bound of a slice can count from the end\n"
                           "write the size of the array before it, such as `len(x) - k` "
                           "for `-k`");
    else if (is_after(s, from, to, at))
        (void)stage_refuse(s, at, "this slice ends before it starts");
    else if (is_after(s, to, end, at))
        (void)stage_refuse(s, at, "this slice ends after the end of the array\nremove its end");
    else if (is_after(s, term_int(s->t, 0), from, at))
        (void)stage_refuse(s, at, "this slice starts before the start of the array\n"
                           "remove its start");
}

// Nothing is read or stored outside: what is not proved is checked. Answers the length.
static const Ty *check_slice(Stage *s, const Expr *from, const Expr *to, const Ty *size, Span at)
{
    Terms *t = s->t;
    const Expr *zero = term_int(t, 0), *end = term_of_size(t, size), *outside = NULL;
    const Expr *length = stage_binary(s, OPERATOR_SUB, to, from, at);
    refuse_slice(s, from, to, end, at);
    if (s->failed)
        return NULL;
    const Ty *natural = stage_check_size(s, size_of_term(t, length));
    if (!is_natural(s, from))
        outside = term_compare(t, CMPOP_LT, from, zero);
    if (!is_natural(s, stage_binary(s, OPERATOR_SUB, end, to, at))) {
        const Expr *after = term_compare(t, CMPOP_GT, to, end);
        outside = outside == NULL ? after : term_binary(t, OPERATOR_BIT_OR, outside, after);
    }
    if (outside != NULL)
        check_where_run(s, term_where(t, outside, term_int(t, 1), zero));
    return natural;
}

const Ty *stage_slice_length(Stage *s, const Expr *from, const Expr *to, const Ty *size, Span at)
{
    if (s->failed)
        return NULL;
    bool whole = term_elem(from) == ELEM_INT && term_elem(to) == ELEM_INT &&
                 term_rank(from) == 0 && term_rank(to) == 0;
    const Ty *length = whole ? size_of_term(s->t, stage_binary(s, OPERATOR_SUB, to, from, at))
                             : NULL;
    if (length == NULL)
        (void)stage_refuse(s, at, whole ? "the length of a slice must be computed from " STAGE_SIZES
                                        : "the bounds of a slice must be integers");
    else
        length = check_slice(s, from, to, size, at);
    return s->failed ? NULL : length;
}

const Ty *stage_every(Stage *s, const Ty *length, int64_t step)
{
    Poly rounded = poly_add(s->arena, size_poly(s->t, length), poly_number(s->arena, step - 1));
    return step == 1 ? length : size_quotient(s->t, size_of_poly(s->t, rounded), step);
}

int64_t stage_step(Stage *s, Scope *scope, const Expr *slice)
{
    int64_t step = 1;
    if (slice->slice.step == NULL)
        return 1;
    Value *v = stage_eval(s, scope, slice->slice.step);
    if (!s->failed && v->kind != VALUE_NONE && !value_number(s, v, &step))
        (void)stage_refuse(s, slice->at, "the step of a slice must be an integer constant");
    else if (!s->failed && step == 0)
        (void)stage_refuse(s, slice->at, "slice step cannot be zero");
    return s->failed ? 1 : step;
}

bool stage_is_open(Stage *s, const Expr *from, const Expr *to)
{
    return !s->failed && term_elem(from) == ELEM_INT && term_elem(to) == ELEM_INT &&
           term_rank(from) == 0 && term_rank(to) == 0 &&
           size_of_term(s->t, stage_binary(s, OPERATOR_SUB, to, from, (Span){0, 0})) == NULL;
}

// numpy counts a negative bound from the end, and shortens a slice that ends after the array.
void stage_check_open(Stage *s, const Expr *from, const Expr *to, const Ty *size)
{
    const Ty *places = size_of_poly(s->t, poly_add(s->arena, size_poly(s->t, size),
                                                   poly_number(s->arena, 1)));
    stage_check_index(s, from, places);
    stage_check_index(s, to, places);
}

static void take_open(Subscript *u, const Expr *slice, const Expr *from, const Expr *to)
{
    Stage *s = u->s;
    const Ty *size = term_shape(u->x).at[u->axis++];
    stage_check_open(s, from, to, size);
    u->open = stage_between(s, size, slice->slice.lower == NULL ? NULL : from,
                            slice->slice.upper == NULL ? NULL : to);
}

static void take_slice(Subscript *u, Scope *scope, const Expr *slice)
{
    Stage *s = u->s;
    const Ty *size = term_shape(u->x).at[u->axis];
    int64_t step = stage_step(s, scope, slice);
    bool whole = slice->slice.lower == NULL && slice->slice.upper == NULL;
    if (step < 0 && whole) {
        gather_axis(u, stage_binary(s, OPERATOR_SUB, term_of_size(s->t, size), term_int(s->t, 1),
                                    u->at), step, stage_every(s, size, -step));
        return;
    }
    if (step < 0)
        (void)stage_refuse(s, slice->at, "a slice with a negative step that has a bound\nwrite "
                           "`y = x[::-1]`, and take a slice of `y`");
    if (s->failed)
        return;
    if (whole && step == 1) {
        u->axis++;
        return;
    }
    const Expr *from = bound_of(u, scope, slice->slice.lower, term_int(s->t, 0));
    const Expr *to = bound_of(u, scope, slice->slice.upper, term_of_size(s->t, size));
    if (step == 1 && u->open == NULL && u->selects && stage_is_open(s, from, to)) {
        take_open(u, slice, from, to);
        return;
    }
    const Ty *length = stage_slice_length(s, from, to, size, slice->at);
    if (length == NULL)
        return;
    gather_axis(u, from, step, stage_every(s, length, step));
}

static void add_axis(Subscript *u)
{
    Stage *s = u->s;
    TyList old = term_shape(u->x);
    TyList shape = shape_join(s->t, (TyList){old.at, u->axis},
                              shape_cons(s->t, size_number(s->t, 1), shape_drop(old, u->axis)));
    u->x = term_reshape(s->t, shape, u->x);
    u->axis++;
}

static void take_value(Subscript *u, const Value *v, Span at)
{
    if (v->kind == VALUE_NONE)
        add_axis(u);
    else if (u->axis >= term_rank(u->x))
        stage_refuse_indices(u->s, u->rank, u->at);
    else
        take_index(u, value_as_term(u->s, v, at));
}

// `alone`: a tuple, as np.triu_indices answers it, is an index for each of several axes.
static void take_one(Subscript *u, Scope *scope, const Expr *e, bool alone)
{
    Stage *s = u->s;
    if (e->kind == EXPR_SLICE && u->axis < term_rank(u->x)) {
        take_slice(u, scope, e);
        return;
    }
    const Value *v = e->kind == EXPR_SLICE ? value_of(s, VALUE_TEXT) : stage_eval(s, scope, e);
    bool several = alone && v->kind == VALUE_LIST && v->tuple;
    for (size_t i = 0; several && i < v->items.len && !s->failed; i++)
        take_value(u, v->items.at[i], e->at);
    if (!several)
        take_value(u, v, e->at);
}

const Expr *stage_subscript(Stage *s, const Expr *x, const Expr *slice, Scope *scope, Span at,
                            const Expr **open)
{
    Subscript u = {.s = s, .x = x, .rank = term_rank(x), .at = at, .selects = open != NULL};
    ExprList parts = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    for (size_t i = 0; i < parts.len && !s->failed; i++) {
        if (!ty_is_ellipsis(parts.at[i])) {
            take_one(&u, scope, parts.at[i], slice->kind != EXPR_TUPLE);
            continue;
        }
        size_t behind = 0;              // `None` takes no dimension
        for (size_t k = i + 1; k < parts.len; k++)
            behind += parts.at[k]->kind != EXPR_CONSTANT ||
                      parts.at[k]->constant.value->kind != CONST_NONE;
        if (term_rank(u.x) >= behind && term_rank(u.x) - behind >= u.axis)
            u.axis = term_rank(u.x) - behind;
        else
            stage_refuse_indices(s, u.rank, at);
    }
    if (u.arrays.len > 0 && !s->failed)
        take_arrays(&u);
    if (u.open != NULL && !s->failed && term_rank(u.x) != 1)
        (void)stage_refuse(s, at, "the length of a slice must be computed from " STAGE_SIZES "\n"
                           "only a slice of one dimension, such as `x[:k]` or a row `x[i, :k]`, "
                           "may have another length");
    if (open != NULL)
        *open = u.open;
    return u.x;
}

// ---- attributes ----

static Value *shape_of(Stage *s, const Expr *x)
{
    Value *all = value_list(s, (ValueVec){0}, true);
    TyList shape = term_shape(x);
    for (size_t i = 0; i < shape.len; i++)
        vec_push(s->arena, &all->items, value_term(s, term_of_size(s->t, shape.at[i])));
    return all;
}

static const Expr *reversed_axes(Stage *s, const Expr *x)
{
    size_t rank = term_rank(x), *axes = ARENA_ARRAY(s->arena, size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        axes[i] = rank - 1 - i;
    return rank < 2 ? x : term_transpose(s->t, axes, rank, x);
}

static const Expr *size_of_all(Stage *s, const Expr *x)
{
    const Ty *all = size_number(s->t, 1);
    for (size_t i = 0; i < term_rank(x); i++)
        all = size_mul(s->t, all, term_shape(x).at[i]);
    return term_of_size(s->t, all);
}

static Value *library(Stage *s, const Value *module, Sym name)
{
    Value *v = value_of(s, VALUE_LIBRARY);
    v->name = stage_library_name(s, module->name, name);
    v->text = (Text){module->name, strlen(module->name)};
    if (sym_is(name, "inf"))
        return value_term(s, term_float(s->t, (double)INFINITY));
    if (sym_is(name, "nan"))
        return value_term(s, term_float(s->t, (double)NAN));
    if (sym_is(name, "pi"))
        return value_term(s, term_float(s->t, 3.141592653589793));
    if (sym_is(name, "e"))
        return value_term(s, term_float(s->t, 2.718281828459045));
    if (sym_is(name, "newaxis"))
        return value_of(s, VALUE_NONE);
    return v;
}

static Value *method_of(Stage *s, const Value *self, Sym name)
{
    Value *method = value_of(s, VALUE_METHOD);
    method->self = self;
    method->name = name;
    return method;
}

// A function of two arrays, element by element, which has `outer`, `reduce` and `accumulate`.
static bool is_ufunc(const Value *v)
{
    static const char *const names[] = {
        "add", "subtract", "multiply", "divide", "true_divide", "power", "maximum", "minimum",
        "fmax", "fmin", "logaddexp", "arctan2", "hypot", "logical_and", "logical_or", NULL};
    return v->kind == VALUE_LIBRARY && v->text.at != NULL && strcmp(v->text.at, "numpy") == 0 &&
           sym_is_one_of(v->name, names);
}

// Of an instance, a class, `super()`, a named tuple or a dict; NULL: of another value.
static Value *attribute_of_object(Stage *s, const Value *v, Sym name, Span at)
{
    static const char *const of_dict[] = {"items", "keys", "values", "get", "copy", "update", NULL};
    const bool record = v->kind == VALUE_RECORD && v->cls != NULL;
    const bool tuple = v->kind == VALUE_LIST && v->cls != NULL;
    if (v->kind == VALUE_RECORD && !record)
        return sym_is_one_of(name, of_dict) ? method_of(s, v, name) : NULL;
    if (!record && !tuple && v->kind != VALUE_CLASS && v->kind != VALUE_SUPER)
        return NULL;
    Value *found = record && !stage_is_property(s, v, name)
                       ? record_get(s, v, stage_text(s, name)) : NULL;
    for (size_t i = 0; tuple && found == NULL && i < v->items.len; i++)
        if (v->cls->args->args.at[i]->arg == name)
            found = v->items.at[i];
    if (found == NULL && tuple && sym_is(name, "_replace"))
        return method_of(s, v, name);
    if (found == NULL)
        found = stage_member(s, v, name, at);
    return found != NULL ? found
           : value_term(s, stage_refuse(s, at, "an instance of `%s` does not have the attribute "
                                        "`%s` here", v->kind == VALUE_CLASS ? v->name
                                        : v->cls != NULL ? v->cls->name : "object", name));
}

Value *stage_attribute(Stage *s, const Value *v, Sym name, Span at)
{
    Value *found = s->failed ? NULL : attribute_of_object(s, v, name, at);
    if (found != NULL)
        return found;
    if (v->kind == VALUE_MODULE)
        return library(s, v, name);
    if (is_ufunc(v) && (sym_is(name, "outer") || sym_is(name, "reduce") ||
                        sym_is(name, "accumulate")))
        return method_of(s, v, names_format(s->names, "ufunc_%s", name));
    if (v->kind == VALUE_LIBRARY && v->text.at != NULL) {       // np.linalg.norm
        Value *module = value_of(s, VALUE_MODULE);
        module->name = names_format(s->names, "%s.%s", v->text.at, v->name);
        return library(s, module, name);
    }
    if (v->kind == VALUE_LIST && (sym_is(name, "ndim") || sym_is(name, "shape") ||
                                  sym_is(name, "T")))
        return stage_attribute(s, value_term(s, value_as_term(s, v, at)), name, at);
    static const char *const reductions[] = {"sum", "mean", "max", "min", "var", "std", NULL};
    bool sums = v->kind == VALUE_SELECTED && sym_is_one_of(name, reductions);
    if (v->kind != VALUE_TERM && !sums)
        return value_term(s, stage_refuse(s, at, "an array function does not support the "
                                          "attribute `%s` of this value", name));
    if (sym_is(name, "shape"))
        return shape_of(s, v->term);
    if (sym_is(name, "T")) {
        Value *view = value_term(s, reversed_axes(s, v->term));
        view->base = (Value *)v;
        return view;
    }
    if (sym_is(name, "size"))
        return value_term(s, size_of_all(s, v->term));
    if (sym_is(name, "ndim"))
        return value_term(s, term_int(s->t, (int64_t)term_rank(v->term)));
    return method_of(s, v, name);
}
