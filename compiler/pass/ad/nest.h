// nest.h - terms as loops over numbers: flat code (compiler/IR.md, "After `flat`") that stores into
// arrays of numbers, for the kernel emitter.

#ifndef PYCHORAL_AD_NEST_H
#define PYCHORAL_AD_NEST_H

#include "compiler/pass/ad/term.h"

// What a function is to compute: terms, and for each the array that it is put into. A result
// without a name is what the function answers; it answers True if there is none. One that is
// `optional` is not computed where the array is None.
typedef struct NestResult { const Expr *term; Sym name; bool optional; } NestResult;

typedef struct NestAim {
    ExprList params;            // names with their types
    ExprList checks;            // tests: none of them holds
    const char *broken;         // what is raised where one does
    const NestResult *results;
    size_t count;
} NestAim;

// Rounds of a loop are done in strips, side by side, in so many lanes.
enum { NEST_LANES = 64 };

typedef struct NestStrips {         // answered
    const Ty *only;             // the size of all strips; NULL: none, or several
    bool several;               // strips are over several sizes
    const Expr *is_one;         // a test whether `only` is 1
    bool sums;                  // NEST_LANE_SUM is called
} NestStrips;

// A function of an array, a place in it and a number: the sum of so many elements from there. It
// has PARTS partial sums.
#define NEST_LANE_SUM "_lane_sum"

StmtList nest_lane_sum_body(Terms *t, Sym array, Sym first, Sym width);

// The statements of its body; `taken` holds names that are in use. False: it has something that
// is no loop over numbers (an array that is made inside of an index).
bool nest_body(Terms *t, const NestAim *aim, struct Table *taken, NestStrips *strips,
               StmtList *body);

// The terms with loops of which rounds put elements of a state where they are (`PutAt`).
ExprList nest_states_in_place(Terms *t, ExprList roots);

// Parameters and terms where a size is 1. False: they stay, or have loops that hand arrays on.
bool nest_where_one(Terms *t, const Ty *size, ExprList *params, ExprList *terms);

#endif
