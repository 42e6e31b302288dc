// numpy.h - terms as numpy: one call for each operation on whole arrays.

#ifndef PYCHORAL_AD_NUMPY_H
#define PYCHORAL_AD_NUMPY_H

#include "compiler/pass/ad/term_unit.h"

// The functions of numpy_helper.def: HELP_ARRAY ..
enum {
#define HELPER(id, text) HELP_##id,
#include "compiler/pass/ad/numpy_helper.def"
#undef HELPER
};

typedef struct Numpy {
    Terms *t;
    unsigned helpers;       // those that the printed code calls, as bits
    struct Table *orders;   // from a name to its dimensions as a product of matrices wants them
    bool guarded;           // reads may be out of range where a condition does not hold
    const TermPrinter *printer;     // of statements, in which loops are; or NULL
} Numpy;

// A bulk term over names as an expression of plain Python: an array of the term's shape, or a
// number. `stored`: it is kept or answered, so it must not be a read-only view.
const Expr *numpy_expr(Numpy *np, const Expr *e, bool stored);

// The same, never an array that something else shows, too.
const Expr *numpy_own(Numpy *np, const Expr *e);

// Of a shape that numpy spreads to that of the term.
const Expr *numpy_spread(Numpy *np, const Expr *e);

// The same as an array for a name; what is computed element by element is computed in the order of
// `orders`.
const Expr *numpy_let(Numpy *np, Sym name, const Expr *e);

const char *numpy_helper_text(unsigned i);      // NULL: there are no more

#endif
