// gradient.h - the symbolic reverse pass: cotangents of the inputs of a bulk term, as terms.

#ifndef PYCHORAL_AD_GRADIENT_H
#define PYCHORAL_AD_GRADIENT_H

#include "compiler/pass/ad/delta.h"

// `cotangents` are one for each root of d, of its type. Answers one term for each input, of its
// type.
ExprList gradient_of(Terms *t, const Deltas *d, ExprList cotangents, ExprList inputs);

// The same where a cotangent may be NULL, for 0, and so may what is answered. `masks` says of each
// cotangent, and `masked` of what is answered, whether it may be 0 where what it belongs to is not
// finite.
void gradient_parts(Terms *t, const Deltas *d, const Expr *const *cotangents, const bool *masks,
                    ExprList inputs, const Expr **grads, bool *masked);

// c * factor, but 0 where c is.
const Expr *gradient_masked(Terms *t, const Expr *c, const Expr *factor);

// The cotangents of what a loop starts from and reads, by its inputs; NULL: none. `loop_back.c`.
void loop_back(Terms *t, const DeltaLoop *loop, const Expr *const *cotangents, bool masked,
               const Expr **grads);

#endif
