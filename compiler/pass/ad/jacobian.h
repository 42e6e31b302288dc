// jacobian.h - all derivatives of an array by its inputs, as terms.

#ifndef PYCHORAL_AD_JACOBIAN_H
#define PYCHORAL_AD_JACOBIAN_H

#include "compiler/pass/ad/delta.h"

// For each input the derivatives of the root of d: an array of the shape of the root, then that of
// the input. One reverse pass for each element of the root, or, where an input has fewer elements,
// one forward pass for each of these; all passes are one, in bulk.
ExprList jacobian_of(Terms *t, const Deltas *d, const Expr *root, ExprList inputs);

// The same of one input, by forward passes; whether that has fewer than reverse ones.
const Expr *jacobian_forward(Terms *t, const Deltas *d, const Expr *root, const Expr *input);
bool jacobian_is_smaller(Terms *t, const Expr *input, const Expr *root);

// The tangent of each root of d, from tangents of the inputs (NULL: 0); NULL: 0. `forward.c`.
const Expr **forward_of(Terms *t, const Deltas *d, ExprList inputs, const Expr *const *tangents);

#endif
