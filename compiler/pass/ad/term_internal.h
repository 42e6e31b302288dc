// term_internal.h - what the files of terms share.

#ifndef PYCHORAL_AD_TERM_INTERNAL_H
#define PYCHORAL_AD_TERM_INTERNAL_H

#include "compiler/base/table.h"
#include "compiler/pass/ad/term.h"

typedef struct Quotient { Poly of; int64_t by; } Quotient;     // rounded down

typedef struct TermFacts { TyList shape; Table *of; } TermFacts;

struct Terms {
    Arena *arena;
    Names *names;
    Table *nodes, *tys;         // what was made, by hash
    Table *info;                // TermInfo of a node
    Table *hints;
    Table *clamped;             // Poly of which a name of a size is max(.., 0)
    Table *quotients;           // Quotient that a name of a size is
    Table *filled;              // sizes and names in them that are taken to be at least 1
    Vec(TermFacts) facts;
    Sym    array;               // "Array"
    const Expr *np;
    const Ty *elems[ELEM_COUNT];
    unsigned variables;         // made so far
};

// What is computed once for a node.
typedef struct TermInfo {
    unsigned height;            // the highest number of a bound variable inside; 0: none
    SymList  free;              // variables
    ExprList captured;          // of a Loop: what its bodies read from outside, constants apart
} TermInfo;

// The one node that is like e; its type is set when it is new (NULL: it has none).
const Expr *term_make(Terms *t, const Expr *e, const Ty *ty);

void term_note(Terms *t, const Expr *e);        // what is computed once

// Gives the indices the names that the height of the bodies asks for, and puts them in. `before`
// has the types of the states of a loop, which come after its index.
SymList term_close(Terms *t, ExprList indices, ExprList before, ExprList *bodies);

#endif
