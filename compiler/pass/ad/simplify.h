// simplify.h - rules that make terms smaller and keep their value.

#ifndef PYCHORAL_AD_SIMPLIFY_H
#define PYCHORAL_AD_SIMPLIFY_H

#include "compiler/pass/ad/term.h"

// `done` is for several roots that share terms; both runs of one program may use one.
typedef struct Simplifier { TermPass pass; } Simplifier;

void simplify_open(Simplifier *s, Terms *t);
const Expr *simplify_term(Simplifier *s, const Expr *root);

// Whether an index (a component of a place) is proved to be in [0, size), the variables being in
// [0, extent) each. `simplify_range.c`.
bool simplify_in_range(Terms *t, const Expr *index, const Ty *size, ExprList variables,
                       TyList extents);

// What e is at most, of sizes; false: a variable in it is not known.
bool simplify_largest(Terms *t, const Expr *e, ExprList variables, TyList extents, Poly *most);

// Whether a scalar of int is proved to be at least 0, the variables being where they are above.
bool simplify_never_negative(Terms *t, const Expr *e, ExprList variables, TyList extents);

// Finds sizes that are never 0 as the program then raises or its value is NaN: it takes the
// largest or the mean of nothing. Of a value that is not simplified yet.
void simplify_note_filled(Terms *t, const Expr *value);

#endif
