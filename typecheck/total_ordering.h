// total_ordering.h - classes under `@total_ordering` get the comparisons that it makes.

#ifndef PYCHORAL_TYPECHECK_TOTAL_ORDERING_H
#define PYCHORAL_TYPECHECK_TOTAL_ORDERING_H

#include "ir_gen.h"

// The programs of a projected unit. A class of which it cannot be said what Python would make of it
// keeps the decorator.
const Unit *total_ordering_write_out(Arena *a, Names *names, const Unit *endpoints);

#endif
