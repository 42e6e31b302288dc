// size.h - sizes of arrays: polynomials with integer coefficients over names.
//
// A size is a `Ty` in canonical form (`Literal`, `TypeVar`, `Named("*", ..)`, `Named("+", ..)`),
// made once for each table, so that two sizes are equal when they are one object. The same
// polynomials say what an index is that is built of numbers, sizes and index variables with
// `+ - *`: what is proved of them decides whether it stays in range.

#ifndef PYCHORAL_AD_SIZE_H
#define PYCHORAL_AD_SIZE_H

#include <stdbool.h>

#include "compiler/base/intern.h"
#include "ir_gen.h"

typedef struct Mono { int64_t factor; SymList names; } Mono;    // names sorted by spelling
typedef struct Poly { const Mono *at; size_t len; } Poly;       // no factor is 0; sorted

Poly poly_number(Arena *a, int64_t number);
Poly poly_name(Arena *a, Sym name);
Poly poly_add(Arena *a, Poly x, Poly y);
Poly poly_mul(Arena *a, Poly x, Poly y);
Poly poly_sub(Arena *a, Poly x, Poly y);
bool poly_is_number(Poly x, int64_t *number);
bool poly_equal(Poly x, Poly y);
bool poly_quotient(Arena *a, Poly x, Poly by, Poly *quotient);     // exact, by one product

// x with `value` for a name.
Poly poly_with(Arena *a, Poly x, Sym name, Poly value);

// Whether x is at least 0 whenever each name is a natural number: no factor is negative.
bool poly_never_negative(Poly x);

Poly      poly_of_ty(Arena *a, const Ty *size);
const Ty *poly_ty(Arena *a, Poly x);                            // canonical, not yet made once

#endif
