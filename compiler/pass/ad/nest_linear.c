// nest_linear.c - linear maps out of sums: sum_i sum_j a[j] * b[i, j] = sum_j a[j] * sum_i b[i, j].
// The factor that does not change with i is then read once, not once for each i.

#include "compiler/pass/ad/nest_internal.h"
#include "compiler/pass/ad/simplify_internal.h"

#include <string.h>

typedef struct Linear {
    Nest *n;
    Table *uses;
} Linear;

// Whether all elements along a dimension are the same by construction.
static bool is_thin(Terms *t, const Expr *e, size_t q)
{
    if (e->kind == EXPR_REPLICATE)
        return q == 0 || is_thin(t, e->replicate.array, q - 1);
    if (e->kind == EXPR_TRANSPOSE)
        return is_thin(t, e->transpose.array, term_axes(t, e)[q]);
    if (e->kind == EXPR_REDUCE)
        return is_thin(t, e->reduce.array, q + 1);
    if (!term_is_elementwise(e))
        return false;
    ExprList parts = term_parts(t, e);
    for (size_t i = 0; i < parts.len; i++)
        if (!is_thin(t, parts.at[i], q))
            return false;
    return parts.len > 0;
}

// The sum over one dimension, of as little as there is: under views and signs.
static const Expr *summed(Terms *t, const Expr *e, size_t q)
{
    size_t rank = term_rank(e), *axes = ARENA_ARRAY(terms_arena(t), size_t, rank + 1), len = 0;
    if (e->kind == EXPR_REPLICATE && q > 0)
        return term_replicate(t, term_shape(e).at[0], summed(t, e->replicate.array, q - 1));
    if (e->kind == EXPR_UNARY_OP)
        return term_negate(t, summed(t, e->unary_op.operand, q));
    if (e->kind == EXPR_TRANSPOSE) {
        size_t *inner = term_axes(t, e);
        for (size_t i = 0; i < rank; i++)
            if (i != q)
                axes[len++] = inner[i] - (inner[i] > inner[q]);
        return nest_transpose(t, axes, len, summed(t, e->transpose.array, inner[q]));
    }
    axes[0] = q;
    for (size_t i = 1; i < rank; i++)
        axes[i] = i <= q ? i - 1 : i;
    return term_reduce(t, REDUCTION_SUM, q == 0 ? e : term_transpose(t, axes, rank, e));
}

// A sum of sums of a product, through a transposition: the first `sums` of `axes` are summed.
typedef struct Product { const Expr *x, *y; size_t *axes, rank, sums; } Product;

static bool read_product(Linear *l, const Expr *e, Product *p)
{
    Terms *t = l->n->t;
    p->sums = 0;
    for (; e->kind == EXPR_REDUCE && e->reduce.op == REDUCTION_SUM; e = e->reduce.array)
        if (p->sums++ > 0 && (uintptr_t)table_get(l->uses, e) > 1)
            return false;
    p->rank = term_rank(e);
    p->axes = ARENA_ARRAY(l->n->arena, size_t, p->rank + 1);
    for (size_t i = 0; i < p->rank; i++)
        p->axes[i] = i;
    if (e->kind == EXPR_TRANSPOSE) {
        p->axes = term_axes(t, e);
        e = e->transpose.array;
    }
    if (p->sums < 2 || e->kind != EXPR_BIN_OP || e->bin_op.op != OPERATOR_MULT)
        return false;
    p->x = e->bin_op.left;
    p->y = e->bin_op.right;
    return true;
}

// The sum over one of the dimensions is done inside, on the factor that changes along it.
static const Expr *with_sum_inside(Linear *l, const Product *p, size_t sum, bool left)
{
    Terms *t = l->n->t;
    size_t q = p->axes[sum], len = 0, *axes = ARENA_ARRAY(l->n->arena, size_t, p->rank + 1);
    Pull at = {.n = l->n, .index = term_int(t, 0)};
    const Ty *size = term_shape(p->x).at[q];
    const Expr *fixed = simplify_outside(t, size, pull(&at, left ? p->x : p->y, q));
    const Expr *e = term_binary(t, OPERATOR_MULT, fixed, summed(t, left ? p->y : p->x, q));
    for (size_t i = 0; i < p->rank; i++)
        if (i != sum)
            axes[len++] = p->axes[i] - (p->axes[i] > q);
    e = nest_transpose(t, axes, len, e);
    for (size_t i = 1; i < p->sums; i++)
        e = term_reduce(t, REDUCTION_SUM, e);
    return e;
}

static const Expr *step(TermPass *pass, const Expr *e)
{
    Linear *l = pass->cx;
    Terms *t = l->n->t;
    Product p;
    if (e->kind == EXPR_RESHAPE && term_rank(e->reshape.array) == 0)
        return term_fill(t, term_shape(e), e->reshape.array);
    if (e->kind == EXPR_REDUCE && e->reduce.op == REDUCTION_SUM && term_rank(e) > 0) {
        const Expr *x = e->reduce.array;
        bool same = x->kind == EXPR_TRANSPOSE && x->transpose.array->kind == EXPR_REPLICATE;
        if (same && term_axes(t, x)[0] > 0)
            return summed(t, x, 0);
    }
    if (e->kind != EXPR_REDUCE || !read_product(l, e, &p))
        return e;
    for (size_t i = 0; i < p.sums; i++) {
        bool x = is_thin(t, p.x, p.axes[i]), y = is_thin(t, p.y, p.axes[i]);
        if (x != y)
            return with_sum_inside(l, &p, i, x);
    }
    return e;
}

// A result that is a transposed sum, which nobody else reads, is a sum of what is transposed: each
// number is added where it is to be in the end.
static const Expr *added_in_place(const Linear *l, const Expr *root, const Expr *e)
{
    Terms *t = l->n->t;
    bool own = root->kind == EXPR_TRANSPOSE &&
               (uintptr_t)table_get(l->uses, root->transpose.array) == 1;
    const Expr *sum = own && e->kind == EXPR_TRANSPOSE ? e->transpose.array : NULL;
    if (sum == NULL || sum->kind != EXPR_REDUCE || sum->reduce.op != REDUCTION_SUM)
        return e;
    size_t rank = term_rank(e), *axes = ARENA_ARRAY(l->n->arena, size_t, rank + 1);
    const size_t *inner = term_axes(t, e);
    for (size_t i = 0; i < rank; i++)
        axes[i + 1] = inner[i] + 1;
    return term_reduce(t, REDUCTION_SUM, term_transpose(t, axes, rank + 1, sum->reduce.array));
}

void nest_linear_maps(Nest *n, ExprList *roots)
{
    Linear l = {n, table_new(n->arena)};
    ExprList order = term_order(n->t, *roots);
    for (size_t i = 0; i < order.len + 1; i++) {
        ExprList parts = i == 0 ? *roots : nest_parts(n, order.at[i - 1]);
        for (size_t k = 0; k < parts.len; k++)
            table_set(l.uses, parts.at[k],
                      (void *)((uintptr_t)table_get(l.uses, parts.at[k]) + 1));
    }
    TermPass pass = {.terms = n->t, .step = step, .cx = &l};
    const Expr **at = ARENA_ARRAY(n->arena, const Expr *, roots->len + 1);
    for (size_t i = 0; i < roots->len; i++)
        at[i] = added_in_place(&l, roots->at[i], term_rewrite(&pass, roots->at[i]));
    *roots = (ExprList){at, roots->len};
}
