// nest_linear.c - linear maps out of sums: sum_i sum_j a[j] * b[i, j] = sum_j a[j] * sum_i b[i, j].
// The factor that does not change with i is then read once, not once for each i. In the same way
// sum_i a * b[i] = a * sum_i b[i].

#include "compiler/pass/ad/nest_internal.h"
#include "compiler/pass/ad/simplify_internal.h"

#include <string.h>

typedef struct Linear {
    Nest *n;
    Table *uses;
    Table *read;                // of what sums read: ReadBy *
    bool deep;                  // single sums, too, and factors of factors
} Linear;

enum { DEEP = 8 };              // a power is a product of products: all are gone through

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

// ---- factors ----

// A term as the product, or its negative, of what is the same along a dimension and of what
// changes; NULL: 1.
typedef struct Factors { const Expr *same, *rest; bool minus; } Factors;

static const Expr *product(Terms *t, const Expr *x, const Expr *y)
{
    return x == NULL ? y : y == NULL ? x : term_binary(t, OPERATOR_MULT, x, y);
}

static bool is_product(const Expr *e)
{
    return e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_MULT;
}

static bool is_negated(const Expr *e)
{
    return e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
}

static Factors factors_along(Terms *t, const Expr *e, size_t q, unsigned depth);

// Of what a view shows.
static Factors factors_seen(Terms *t, const Expr *e, size_t q, unsigned depth)
{
    bool turned = e->kind == EXPR_TRANSPOSE;
    Factors f = turned ? factors_along(t, e->transpose.array, term_axes(t, e)[q], depth)
                       : factors_along(t, e->replicate.array, q - 1, depth);
    const Expr **seen[] = {&f.same, &f.rest};
    for (size_t i = 0; i < 2; i++)
        if (*seen[i] != NULL)
            *seen[i] = turned ? nest_transpose(t, term_axes(t, e), term_rank(e), *seen[i])
                              : term_replicate(t, term_shape(e).at[0], *seen[i]);
    return f;
}

static Factors factors_along(Terms *t, const Expr *e, size_t q, unsigned depth)
{
    if (is_product(e) && depth > 0) {
        Factors x = factors_along(t, e->bin_op.left, q, depth - 1);
        Factors y = factors_along(t, e->bin_op.right, q, depth - 1);
        return (Factors){product(t, x.same, y.same), product(t, x.rest, y.rest),
                         x.minus != y.minus};
    }
    if (is_thin(t, e, q))
        return (Factors){e, NULL, false};
    if (is_negated(e) && depth > 0) {
        Factors f = factors_along(t, e->unary_op.operand, q, depth - 1);
        f.minus = !f.minus;
        return f;
    }
    return nest_is_view(e) && depth > 0 ? factors_seen(t, e, q, depth - 1)
                                        : (Factors){NULL, e, false};
}

// ---- which sums read a product ----

// So many of its uses are factors in sums over this size, `others` in sums over another.
typedef struct ReadBy { const Ty *size; size_t count; bool others; } ReadBy;

static void note_read(Linear *l, const Expr *e, const Ty *size, unsigned depth)
{
    ReadBy *r = table_get(l->read, e);
    if (r == NULL) {
        r = ARENA_NEW(l->n->arena, ReadBy);
        *r = (ReadBy){.size = size};
        table_set(l->read, e, r);
    }
    r->others = r->others || r->size != size;
    bool open = nest_is_view(e) || is_negated(e) || is_product(e);
    if (r->count++ > 0 || depth == 0 || !open)
        return;
    ExprList parts = nest_parts(l->n, e);
    for (size_t i = 0; i < parts.len; i++)
        note_read(l, parts.at[i], size, depth - 1);
}

static Linear new_linear(Nest *n, ExprList roots, bool deep)
{
    Linear l = {n, table_new(n->arena), table_new(n->arena), deep};
    ExprList order = term_order(n->t, roots);
    for (size_t i = 0; i < order.len + 1; i++) {
        const Expr *e = i == 0 ? NULL : order.at[i - 1];
        ExprList parts = i == 0 ? roots : nest_parts(n, e);
        for (size_t k = 0; k < parts.len; k++)
            table_set(l.uses, parts.at[k],
                      (void *)((uintptr_t)table_get(l.uses, parts.at[k]) + 1));
        if (e != NULL && e->kind == EXPR_REDUCE && e->reduce.op == REDUCTION_SUM)
            note_read(&l, e->reduce.array, term_shape(e->reduce.array).at[0], DEEP);
    }
    return l;
}

// Nothing but sums over the same size reads it: they have one loop, before and after.
static bool is_summed_only(const Linear *l, const Expr *e)
{
    const ReadBy *r = table_get(l->read, e);
    return r != NULL && !r->others && r->count == (uintptr_t)table_get(l->uses, e);
}

// It is computed anyway.
static bool is_there(const Linear *l, const Expr *sum)
{
    while (nest_is_view(sum))
        sum = sum->kind == EXPR_REPLICATE ? sum->replicate.array : sum->transpose.array;
    return table_get(l->uses, sum) != NULL;
}

// A sum of sums of a product, through a transposition: the first `sums` of `axes` are summed.
typedef struct Product { const Expr *of; size_t *axes, rank, sums; } Product;

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
    p->of = e;
    while (l->deep && is_negated(e))
        e = e->unary_op.operand;
    return (l->deep ? p->sums == 1 : p->sums > 1) && is_product(e) && term_elem(e) == ELEM_FLOAT;
}

// The sum over one of the dimensions is done inside, on the factor that changes along it.
static const Expr *with_sum_inside(Linear *l, const Product *p, size_t sum, Factors f)
{
    Terms *t = l->n->t;
    size_t q = p->axes[sum], len = 0, *axes = ARENA_ARRAY(l->n->arena, size_t, p->rank + 1);
    Pull at = {.n = l->n, .index = term_int(t, 0)};
    const Ty *size = term_shape(p->of).at[q];
    const Expr *same = pull(&at, f.minus ? term_negate(t, f.same) : f.same, q);
    const Expr *e = product(t, simplify_outside(t, size, same), summed(t, f.rest, q));
    for (size_t i = 0; i < p->rank; i++)
        if (i != sum)
            axes[len++] = p->axes[i] - (p->axes[i] > q);
    e = nest_transpose(t, axes, len, e);
    for (size_t i = 1; i < p->sums; i++)
        e = term_reduce(t, REDUCTION_SUM, e);
    return e;
}

// Whether a sum gains by a sum inside. A single one does if the product is not made for others, and
// it is not itself summed: what changes with the outer sum only would part the two.
static bool is_better(const Linear *l, const Expr *e, const Product *p, size_t q, Factors f)
{
    if (f.same == NULL || f.rest == NULL)
        return false;
    const Expr *array = e->reduce.array;
    return !l->deep || is_there(l, summed(l->n->t, f.rest, q)) ||
           (is_summed_only(l, array) && is_summed_only(l, p->of) &&
            table_get(l->read, e) == NULL);
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
        Factors f = factors_along(t, p.of, p.axes[i], l->deep ? DEEP : 1);
        if (is_better(l, e, &p, p.axes[i], f))
            return with_sum_inside(l, &p, i, f);
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

static bool rewrite(Nest *n, ExprList *roots, bool deep)
{
    Linear l = new_linear(n, *roots, deep);
    TermPass pass = {.terms = n->t, .step = step, .cx = &l};
    const Expr **at = ARENA_ARRAY(n->arena, const Expr *, roots->len + 1);
    bool changed = false;
    for (size_t i = 0; i < roots->len; i++) {
        at[i] = added_in_place(&l, roots->at[i], term_rewrite(&pass, roots->at[i]));
        changed = changed || at[i] != roots->at[i];
    }
    *roots = (ExprList){at, roots->len};
    return changed;
}

// What reads a term is known before it is rewritten: what reads the new one, in the next pass.
void nest_linear_maps(Nest *n, ExprList *roots)
{
    enum { PASSES = 4 };
    bool changed = true;
    rewrite(n, roots, false);
    for (size_t i = 0; i < PASSES && changed; i++)
        changed = rewrite(n, roots, true);
}
