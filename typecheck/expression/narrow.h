// narrow.h - what is known of the types of variables and places (`b.amount`) where the program is:
// conditions and assignments say it, ways that meet join it (python/flow.c), and what may have been
// assigned on the way, in a loop or in front of a handler, is forgotten.

#ifndef PYCHORAL_TYPECHECK_NARROW_H
#define PYCHORAL_TYPECHECK_NARROW_H

#include "typecheck/python/python.h"

// Takes a checked condition for true, or false.
void        narrow_by(Scope *sc, const Expr *test, bool truth);
// A checked name, attribute or item with the type that it has here.
const Expr *narrow_read(Scope *sc, const Expr *e);
const Expr *narrow_now(Scope *sc, const Expr *e);       // the same of one that was checked before
// What it has here if that is known better; NULL.
const Ty   *narrow_known(Scope *sc, const Expr *place);
// After an assignment of `value` (NULL: it is not known), whose expression is `e` (or NULL), to a
// checked target, name or other, that can hold `declared`.
void        narrow_assign(Scope *sc, const Expr *target, const Ty *declared, const Ty *value,
                          const Expr *e);
void        narrow_forget(Scope *sc, StmtList body);    // what these assign
void        narrow_forget_all(Scope *sc);               // in a function of its own
// Behind a part of an expression that may have been evaluated or not; `mark` is pyt_mark before.
void        narrow_end(Scope *sc, size_t mark);

// The ways that lead from one point to another.
typedef struct Ways { Scope *sc; size_t mark; Vec(PyExit) exits; } Ways;
Ways        ways_begin(Scope *sc);
void        ways_note(Ways *w, bool goes_on);   // what holds now is one of them
void        ways_back(Ways *w);                 // to where they part
void        ways_join(Ways *w);                 // goes on where they meet

// A loop whose body is being checked.
typedef struct Round {
    struct Round *outer;
    Ways ways;                      // out of it, by `break`
    Vec(StmtList) finals;           // what stands in `finally` on these ways
} Round;

#endif
