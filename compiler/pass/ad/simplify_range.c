// simplify_range.c - what an index reaches: bounds as polynomials over sizes. A variable is
// replaced by its first and its last value, as the sign of its factor says; what is then proved is
// proved for all sizes. While there is a variable below max(p, 0), that is p; and so it is while
// there is one below the number of steps that go into it.

#include "compiler/pass/ad/simplify.h"

static const Ty *extent_of(ExprList variables, TyList extents, Sym name)
{
    for (size_t i = 0; i < variables.len; i++)
        if (variables.at[i]->name.id == name)
            return extents.at[i];
    return NULL;
}

// The bound of x above or below; false: a variable is not known, or stands in a product.
static bool bound(Terms *t, Poly x, ExprList variables, TyList extents, bool above, Poly *result)
{
    Arena *a = terms_arena(t);
    Poly sum = {NULL, 0};
    for (size_t i = 0; i < x.len; i++) {
        Mono m = x.at[i];
        const Ty *extent = NULL;
        for (size_t k = 0; k < m.names.len; k++)
            if (m.names.at[k][0] == '%') {
                if (extent != NULL)
                    return false;
                extent = extent_of(variables, extents, m.names.at[k]);
                if (extent == NULL)
                    return false;
            }
        Poly value = {&m, 1};
        if (extent != NULL && (m.factor > 0) == above)
            for (size_t k = 0; k < m.names.len; k++)
                if (m.names.at[k][0] == '%')
                    value = poly_with(a, value, m.names.at[k],
                                      poly_sub(a, size_poly(t, extent), poly_number(a, 1)));
        if (extent == NULL || (m.factor > 0) == above)
            sum = poly_add(a, sum, value);
    }
    *result = sum;
    return true;
}

bool simplify_largest(Terms *t, const Expr *e, ExprList variables, TyList extents, Poly *most)
{
    Poly p;
    return term_poly(t, e, &p) && bound(t, p, variables, extents, true, most);
}

// What is max(p, 0), if a name is, or if it is (max(p, 0) + by - 1) // by; NULL: it is neither.
static Sym clamp_in(Terms *t, Sym name)
{
    int64_t by;
    const Poly *of = size_quotient_of(t, name, &by);
    Poly p = of == NULL ? (Poly){NULL, 0}
                        : poly_sub(terms_arena(t), *of, poly_number(terms_arena(t), by - 1));
    if (p.len == 1 && p.at[0].factor == 1 && p.at[0].names.len == 1)
        name = p.at[0].names.at[0];
    return size_clamped_of(t, name) == NULL ? NULL : name;
}

// x with p for max(p, 0) where that is a factor of an extent, which is positive.
static Poly unclamped(Terms *t, Poly x, TyList extents)
{
    for (size_t i = 0; i < extents.len; i++) {
        Poly extent = size_poly(t, extents.at[i]);
        for (size_t k = 0; extent.len == 1 && k < extent.at[0].names.len; k++) {
            Sym name = clamp_in(t, extent.at[0].names.at[k]);
            if (name != NULL)
                x = poly_with(terms_arena(t), x, name, *size_clamped_of(t, name));
        }
    }
    return x;
}

static TyList unclamped_extents(Terms *t, TyList extents)
{
    const Ty **at = ARENA_ARRAY(terms_arena(t), const Ty *, extents.len + 1);
    for (size_t i = 0; i < extents.len; i++)
        at[i] = size_of_poly(t, unclamped(t, size_poly(t, extents.at[i]), extents));
    return (TyList){at, extents.len};
}

static bool is_inside(Terms *t, Poly p, Poly size, ExprList variables, TyList extents)
{
    Arena *a = terms_arena(t);
    Poly low, high;
    if (!bound(t, p, variables, extents, false, &low) ||
        !bound(t, p, variables, extents, true, &high))
        return false;
    Poly left = poly_sub(a, poly_sub(a, size, poly_number(a, 1)), high);
    low = unclamped(t, size_unquotient(t, low, false), extents);
    left = unclamped(t, size_unquotient(t, left, false), extents);
    return poly_never_negative(low) && poly_never_negative(left);
}

// A place in what is sorted. (What a gather reads of it out of range is none.)
static bool is_sorted_place(const Expr *e, const Ty *size)
{
    while (e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_TRANSPOSE)
        e = e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e->transpose.array;
    return e->kind == EXPR_ARG_SORT && term_shape(e).at[0] == size;
}

bool simplify_in_range(Terms *t, const Expr *index, const Ty *size, ExprList variables,
                       TyList extents)
{
    Poly p;
    if (is_sorted_place(index, size))
        return true;
    return term_poly(t, index, &p) &&
           (is_inside(t, p, size_poly(t, size), variables, extents) ||
            is_inside(t, unclamped(t, p, extents), unclamped(t, size_poly(t, size), extents),
                      variables, unclamped_extents(t, extents)));
}

static bool is_natural(Terms *t, Poly p, ExprList variables, TyList extents)
{
    Poly low;
    return bound(t, p, variables, extents, false, &low) &&
           (poly_never_negative(low) ||
            poly_never_negative(unclamped(t, size_unquotient(t, low, false), extents)));
}

bool simplify_never_negative(Terms *t, const Expr *e, ExprList variables, TyList extents)
{
    Poly p;
    return term_poly(t, e, &p) &&
           (is_natural(t, p, variables, extents) ||
            is_natural(t, unclamped(t, p, extents), variables, unclamped_extents(t, extents)));
}
