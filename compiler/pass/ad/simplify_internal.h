// simplify_internal.h - one step for each family of terms: a smaller term, or the same.
// Each is given a term whose parts are simplified already, and answers one that is.

#ifndef PYCHORAL_AD_SIMPLIFY_INTERNAL_H
#define PYCHORAL_AD_SIMPLIFY_INTERNAL_H

#include "compiler/pass/ad/simplify.h"

const Expr *simplify_here(Terms *t, const Expr *e);             // simplify.c: all of them
const Expr *simplify_index(Terms *t, const Expr *e);            // one with parts that are not
const Expr *simplify_elementwise(Terms *t, const Expr *e);      // simplify_op.c
const Expr *simplify_where(Terms *t, const Expr *e);
const Expr *simplify_gather(Terms *t, const Expr *e);           // simplify_move.c
const Expr *simplify_scatter(Terms *t, const Expr *e);

// A factor or divisor of each element of a sum, which leaves it: over no elements the sum is 0
// whatever the factor is. simplify_empty.c
const Expr *simplify_outside(Terms *t, const Ty *size, const Expr *factor);
const Expr *simplify_divisor_outside(Terms *t, const Ty *size, const Expr *divisor);

// The same of factors that are the same along the dimension of a sum, inside a transposition or
// other sums: they leave it where matrix products are made.
const Expr *simplify_thin_factors(Terms *t, const Expr *sum);

// x, but another number everywhere if a size is 0.
const Expr *simplify_if_any(Terms *t, const Ty *size, const Expr *x, double otherwise);

#endif
