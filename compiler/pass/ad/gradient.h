// gradient.h - the symbolic reverse pass: cotangents of the inputs of a bulk term, as terms.

#ifndef PYCHORAL_AD_GRADIENT_H
#define PYCHORAL_AD_GRADIENT_H

#include "compiler/pass/ad/delta.h"

// `cotangent` has the type of the term that d is of. Answers one term for each input, of its type.
ExprList gradient_of(Terms *t, const Deltas *d, const Expr *cotangent, ExprList inputs);

#endif
