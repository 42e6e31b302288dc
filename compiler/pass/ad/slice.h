// slice.h - what a function needs of its module: nothing else is looked at for its derivative.

#ifndef PYCHORAL_AD_SLICE_H
#define PYCHORAL_AD_SLICE_H

#include "ir_gen.h"

// The statements that a function leads to by the names that they bind, in order. The unit itself
// if it has no such function.
const Unit *slice_unit(Arena *a, Names *names, const Unit *linked, Sym function);

// The unit in which `@grad` or `@value_and_grad` of `pychoral.ad` does not stand before a
// function: what is differentiated is the function that is written.
const Unit *slice_undecorated(Arena *a, const Unit *linked, Sym function);

#endif
