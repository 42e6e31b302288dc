// jacobian.c - dense Jacobians: a pass for a symbol in the place of an element, built for all of
// them and made bulk, as the program itself was.

#include "compiler/pass/ad/jacobian.h"

#include "compiler/pass/ad/bulk.h"
#include "compiler/pass/ad/gradient.h"

typedef struct Element { ExprList place; const Expr *one; } Element;

// 1 at a place of symbols.
static Element element_of(Terms *t, const Expr *like)
{
    TyList shape = term_shape(like);
    const Expr **place = ARENA_ARRAY(terms_arena(t), const Expr *, shape.len + 1);
    for (size_t i = 0; i < shape.len; i++)
        place[i] = term_variable(t);
    ExprList at = {place, shape.len};
    const Expr *one = term_float(t, 1.0);
    return (Element){at, shape.len == 0 ? one : term_one_hot(t, shape, at, one)};
}

// For all places of the element: its dimensions in front.
static const Expr *for_all(Terms *t, Element e, TyList shape, const Expr *x)
{
    for (size_t i = shape.len; i-- > 0;)
        x = bulk_build(t, e.place.at[i], shape.at[i], x);
    return x;
}

static Poly elements(Terms *t, const Expr *x)
{
    Poly all = poly_number(terms_arena(t), 1);
    for (size_t i = 0; i < term_rank(x); i++)
        all = poly_mul(terms_arena(t), all, size_poly(t, term_shape(x).at[i]));
    return all;
}

// Sizes that have a name are taken to be larger than those that are numbers.
bool jacobian_is_smaller(Terms *t, const Expr *input, const Expr *root)
{
    int64_t n, m;
    Poly in = elements(t, input), out = elements(t, root);
    if (poly_is_number(in, &n))
        return !poly_is_number(out, &m) || n < m;
    Poly more = poly_sub(terms_arena(t), out, in);
    return more.len > 0 && poly_never_negative(more);
}

static const Expr *reverse(Terms *t, const Deltas *d, const Expr *root, const Expr *input)
{
    Element e = element_of(t, root);
    const Expr *grad = NULL;
    bool mask = true, masked = false;           // 0 but for one element
    gradient_parts(t, d, &e.one, &mask, term_list(t, input, NULL), &grad, &masked);
    if (grad == NULL)
        grad = term_zero(t, input->ty);
    return for_all(t, e, term_shape(root), grad);
}

const Expr *jacobian_forward(Terms *t, const Deltas *d, const Expr *root, const Expr *input)
{
    Element e = element_of(t, input);
    size_t in = term_rank(input), rank = in + term_rank(root);
    const Expr *tangent = forward_of(t, d, term_list(t, input, NULL), &e.one)[0];
    if (tangent == NULL)
        tangent = term_zero(t, root->ty);
    size_t *axes = ARENA_ARRAY(terms_arena(t), size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        axes[i] = i < rank - in ? in + i : i - (rank - in);
    return term_transpose(t, axes, rank, for_all(t, e, term_shape(input), tangent));
}

ExprList jacobian_of(Terms *t, const Deltas *d, const Expr *root, ExprList inputs)
{
    const Expr **all = ARENA_ARRAY(terms_arena(t), const Expr *, inputs.len + 1);
    for (size_t i = 0; i < inputs.len; i++)
        all[i] = jacobian_is_smaller(t, inputs.at[i], root)
                     ? jacobian_forward(t, d, root, inputs.at[i])
                     : reverse(t, d, root, inputs.at[i]);
    return (ExprList){all, inputs.len};
}
