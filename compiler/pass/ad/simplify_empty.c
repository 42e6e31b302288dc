// simplify_empty.c - sums over no elements. Such a sum is 0, also where a factor of each element
// would be infinite as it divides by the number of elements, or by another sum over them. So a
// factor that leaves the sum is replaced by 0 (a divisor by 1) where the sum has no elements,
// unless the factor is finite for all sizes, or the size is never 0.

#include "compiler/pass/ad/elementwise.h"
#include "compiler/pass/ad/simplify_internal.h"

#include "compiler/base/table.h"

// ---- factors that leave a sum ----

const Expr *simplify_if_any(Terms *t, const Ty *size, const Expr *x, double otherwise)
{
    if (x->kind == EXPR_REPLICATE)
        return term_replicate(t, term_shape(x).at[0],
                              simplify_if_any(t, size, x->replicate.array,
                                              otherwise));
    const Expr *test = term_compare(t, CMPOP_GT, term_of_size(t, size_rounds(t, size)),
                                    term_int(t, 0));
    const Expr *other = term_fill(t, term_shape(x), term_float(t, otherwise));
    return simplify_here(t, term_where(t, test, x, other));
}

static bool bears_empty(Terms *t, const Ty *size, const Expr *x)
{
    return term_elem(x) != ELEM_FLOAT || size_is_filled(t, size) ||
           elementwise_bears_empty(t, x, (TyList){NULL, 0});
}

const Expr *simplify_outside(Terms *t, const Ty *size, const Expr *factor)
{
    return bears_empty(t, size, factor) ? factor : simplify_if_any(t, size, factor, 0.0);
}

const Expr *simplify_divisor_outside(Terms *t, const Ty *size, const Expr *divisor)
{
    const Expr *one = term_fill(t, term_shape(divisor), term_float(t, 1.0));
    return bears_empty(t, size, term_binary(t, OPERATOR_DIV, one, divisor))
               ? divisor : simplify_if_any(t, size, divisor, 1.0);
}

// ---- factors that may leave a sum later ----

// A factor that is the same along dimension q, of that size; NULL: it is not.
static const Expr *thin_factor(Terms *t, const Ty *size, const Expr *x, size_t q)
{
    const Expr *of = x->kind == EXPR_REPLICATE   ? x->replicate.array
                     : x->kind == EXPR_TRANSPOSE ? x->transpose.array : NULL;
    if (of == NULL)
        return NULL;
    if (x->kind == EXPR_REPLICATE && q == 0)
        return term_replicate(t, size, simplify_outside(t, size, of));
    size_t inner = x->kind == EXPR_REPLICATE ? q - 1 : term_axes(t, x)[q];
    const Expr *new = thin_factor(t, size, of, inner);
    return new == NULL ? NULL : term_like(t, x, term_list(t, new, NULL));
}

// A term that is summed over dimension q.
static const Expr *summed_over(Terms *t, const Ty *size, const Expr *x, size_t q)
{
    if ((x->kind == EXPR_REDUCE && x->reduce.op == REDUCTION_SUM) || x->kind == EXPR_TRANSPOSE) {
        const Expr *of = term_parts(t, x).at[0];
        size_t inner = x->kind == EXPR_REDUCE ? q + 1 : term_axes(t, x)[q];
        return term_like(t, x, term_list(t, summed_over(t, size, of, inner), NULL));
    }
    if (x->kind != EXPR_BIN_OP || x->bin_op.op != OPERATOR_MULT)
        return x;
    const Expr *left = thin_factor(t, size, x->bin_op.left, q);
    const Expr *right = thin_factor(t, size, x->bin_op.right, q);
    if ((left == NULL) == (right == NULL))
        return x;
    return term_binary(t, OPERATOR_MULT, left != NULL ? left : x->bin_op.left,
                       right != NULL ? right : x->bin_op.right);
}

const Expr *simplify_thin_factors(Terms *t, const Expr *sum)
{
    const Expr *x = sum->reduce.array;
    const Ty *size = term_shape(x).at[0];
    if (term_elem(sum) != ELEM_FLOAT || size_is_filled(t, size))
        return sum;
    return term_reduce(t, REDUCTION_SUM, summed_over(t, size, x, 0));
}

// ---- sizes that are never 0 ----

enum { MOST_DEEP = 20 };

// Whether e is 0 or NaN if `count` is 0: a sum over so many elements, or a product with one.
static bool empties(Terms *t, const Expr *e, Poly summed, Poly count, int depth)
{
    bool product = e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_MULT;
    if (e->kind == EXPR_REDUCE && e->reduce.op == REDUCTION_SUM)
        summed = poly_mul(terms_arena(t), summed,
                          size_poly(t, term_shape(e->reduce.array).at[0]));
    if (poly_equal(summed, count))
        return true;
    if (depth == 0)
        return false;
    if (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_ADD)
        return term_is_float(e->bin_op.left, 0.0) &&
               empties(t, e->bin_op.right, summed, count, depth - 1);
    if (product && empties(t, e->bin_op.right, summed, count, depth - 1))
        return true;
    return (product || e->kind == EXPR_REDUCE || e->kind == EXPR_TRANSPOSE ||
            e->kind == EXPR_RESHAPE || e->kind == EXPR_UNARY_OP) &&
           empties(t, term_parts(t, e).at[0], summed, count, depth - 1);
}

// The size, or product of sizes, that each element of e is as a float. False: it is none.
static bool is_count(Terms *t, const Expr *e, Poly *count)
{
    for (;;) {
        Sym f = term_function(e);
        Poly other;
        if (f != NULL && sym_is(f, "float64"))
            e = e->call.args.at[0];
        else if (e->kind == EXPR_REPLICATE || e->kind == EXPR_RESHAPE || e->kind == EXPR_TRANSPOSE)
            e = term_parts(t, e).at[0];
        else if (e->kind != EXPR_BIN_OP || e->bin_op.op != OPERATOR_MULT)
            return term_rank(e) == 0 && term_poly(t, e, count);
        else if (!is_count(t, e->bin_op.left, count) || !is_count(t, e->bin_op.right, &other))
            return false;
        else
            return *count = poly_mul(terms_arena(t), *count, other), true;
    }
}

// The mean of nothing is 0.0 / 0.0.
static void note_mean(Terms *t, const Expr *e)
{
    Poly count, one = poly_number(terms_arena(t), 1);
    if (is_count(t, simplify_index(t, e->bin_op.right), &count) &&
        empties(t, e->bin_op.left, one, count, MOST_DEEP))
        size_fill(t, size_of_poly(t, count));
}

// Whether the result is NaN where an operand is.
static bool is_strict(const Expr *e)
{
    static const char *const may_drop[] = {"copysign", "hypot", "fmod", NULL};
    Sym f = term_function(e);
    if (e->kind == EXPR_BIN_OP)
        return e->bin_op.op != OPERATOR_POW || term_filled_with(e->bin_op.right) != NULL;
    return f != NULL ? !sym_is_one_of(f, may_drop)
                     : e->kind == EXPR_UNARY_OP || e->kind == EXPR_REPLICATE ||
                           e->kind == EXPR_TRANSPOSE || e->kind == EXPR_RESHAPE ||
                           e->kind == EXPR_STACK;
}

// `open` has what is certainly computed, `strict` what makes the value NaN if it is.
typedef struct Walk { Terms *t; Vec(const Expr *) open; Table *seen, *strict; } Walk;

static void reach(Walk *w, const Expr *e, bool strict)
{
    if (table_get(w->seen, e) != NULL && (!strict || table_get(w->strict, e) != NULL))
        return;
    table_set(w->seen, e, w);
    if (strict)
        table_set(w->strict, e, w);
    vec_push(terms_arena(w->t), &w->open, e);
}

static void note(Walk *w, const Expr *e)
{
    Terms *t = w->t;
    bool strict = table_get(w->strict, e) != NULL;
    if (e->kind == EXPR_REDUCE) {
        const Ty *size = term_shape(e->reduce.array).at[0];
        if (e->reduce.op != REDUCTION_SUM)
            size_fill(t, size);
        reach(w, e->reduce.array, strict && size_is_filled(t, size));
        return;
    }
    if (strict && e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_DIV)
        note_mean(t, e);
    ExprList parts = term_parts(t, e);
    if (e->kind == EXPR_WHERE)          // what is not chosen may be of nothing
        parts.len = 1;
    for (size_t i = 0; i < parts.len; i++)
        reach(w, parts.at[i], strict && is_strict(e));
}

void simplify_note_filled(Terms *t, const Expr *value)
{
    for (int round = 0; round < 2; round++) {       // what is found later may be on the way
        Walk w = {t, {0}, table_new(terms_arena(t)), table_new(terms_arena(t))};
        reach(&w, value, true);
        while (w.open.len > 0)
            note(&w, w.open.at[--w.open.len]);
    }
}
