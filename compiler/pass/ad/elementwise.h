// elementwise.h - functions of arrays element by element (array.def) and their derivatives as
// terms.

#ifndef PYCHORAL_AD_ELEMENTWISE_H
#define PYCHORAL_AD_ELEMENTWISE_H

#include "compiler/pass/ad/partial.h"
#include "compiler/pass/ad/term.h"

typedef struct ArrayFunction { const char *np, *partial; int arguments; } ArrayFunction;

const ArrayFunction *array_function(Sym np);            // NULL: no row
const ArrayFunction *array_function_of_math(Sym name);  // `math.NAME`

// The derivative of an elementwise term of float (no Where) with respect to its part i, of the
// shape of the term. NULL: it is 0 wherever there is one.
const Expr *elementwise_partial(Terms *t, Partials *ps, const Expr *e, size_t i);

// What is known of terms that are computed in a round of loops over these sizes: none is 0.
struct Table *elementwise_known(Terms *t, TyList rounds);

// Whether no element can be infinite or no number, as long as the inputs are finite and nothing
// overflows in a sum or a product.
bool elementwise_is_finite(Terms *t, struct Table *known, const Expr *e);

// Whether no element can be infinite or no number because an array that it stands on has no
// elements, of a size that may be 0 and is neither in its shape nor in `filled`.
bool elementwise_bears_empty(Terms *t, const Expr *e, TyList filled);

#endif
