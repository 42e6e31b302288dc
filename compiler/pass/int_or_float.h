// int_or_float.h - programs in which what is declared `float` may be an int, as it may in Python.

#ifndef PYCHORAL_PASS_INT_OR_FLOAT_H
#define PYCHORAL_PASS_INT_OR_FLOAT_H

#include "ir_gen.h"

typedef struct Widening {
    SymList     messages;       // classes whose fields a message converts: they stay as they are
    const Stmt *entry;          // its parameters are converted already; NULL: there is none
} Widening;

// The programs of a projected unit with `float | int` wherever an annotation says `float`. They do
// the same: annotations do nothing.
const Unit *int_or_float_unit(Arena *a, Names *names, const Unit *endpoints, Widening w);

#endif
