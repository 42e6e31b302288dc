// origins.h - where a value comes from: back through variables, parameters, results of functions of
// the file, arms of conditional expressions and items of dicts, to what makes it.

#ifndef PYCHORAL_DISTRIBUTE_ORIGINS_H
#define PYCHORAL_DISTRIBUTE_ORIGINS_H

#include "compiler/distribute/recognise.h"

// Asked at every expression on the way; `by` is the binding whose value it is, or NULL. Gives the
// expression from which to go on: `e`, or a part of it; NULL ends this way.
typedef const Expr *OriginAsked(void *cx, const Expr *e, const Binding *by);

typedef struct Origins {
    Scan *s;
    OriginAsked *asked;
    void *cx;
    bool contents;              // all that a value contains, too
    Table *seen;                // Slot: passed
    const Expr *lost;           // the first expression that leads no further
    const Expr *key;            // of the item of a dict from which it came, or NULL
    int depth;                  // of items within items
} Origins;

void origins_walk(Origins *o, const Expr *e);
// From what one assignment gives; false: nothing that could be followed.
bool origins_walk_binding(Origins *o, const Binding *b);

// Whether one of the expressions is what is asked for, of all that a value contains and comes from.
typedef bool OriginIs(void *cx, const Expr *e);
bool origins_any(Scan *s, const Expr *e, OriginIs *is, void *cx);

#endif
