// stage.h - from a Python function over arrays to one term of the core array language.
//
// Staging runs the function on symbols: what Python decides by itself (calls, loops over a number,
// lists, closures, shapes) is gone when it has run, and what is left is a term. Shapes are found
// on the way; where two differ that must be equal, E0911 says both and where each comes from, and
// what has no term is E0912.

#ifndef PYCHORAL_AD_STAGE_H
#define PYCHORAL_AD_STAGE_H

#include "compiler/base/diag.h"
#include "compiler/pass/ad/term.h"

typedef struct Staged {
    const Stmt *function;       // of the source
    ExprList params;            // one name for each parameter, with its type
    const Expr *result;
    ExprList checks;            // tests (scalars of bool) that the arguments have to pass
    const char *broken;         // what the function says where one fails
    bool guarded;               // an arm of a condition that is not taken may read out of range,
                                // or a loop that has no rounds
} Staged;

// Of the function `name` of a module. False: it has been reported why not.
bool stage_function(Terms *t, Diags *diags, const Unit *unit, const Stmt *function, Staged *staged);

// The parameter types say arrays: `Float[Array, "n"]`.
bool stage_has_arrays(const Stmt *function);

#endif
