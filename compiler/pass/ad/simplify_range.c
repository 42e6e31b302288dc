// simplify_range.c - what an index reaches: bounds as polynomials over sizes. A variable is
// replaced by its first and its last value, as the sign of its factor says; what is then proved is
// proved for all sizes.

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

bool simplify_in_range(Terms *t, const Expr *index, const Ty *size, ExprList variables,
                       TyList extents)
{
    Arena *a = terms_arena(t);
    Poly p, low, high;
    if (!term_poly(t, index, &p) || !bound(t, p, variables, extents, false, &low) ||
        !bound(t, p, variables, extents, true, &high))
        return false;
    Poly last = poly_sub(a, size_poly(t, size), poly_number(a, 1));
    return poly_never_negative(low) && poly_never_negative(poly_sub(a, last, high));
}

bool simplify_never_negative(Terms *t, const Expr *e, ExprList variables, TyList extents)
{
    Poly p, low;
    return term_poly(t, e, &p) && bound(t, p, variables, extents, false, &low) &&
           poly_never_negative(low);
}
