// diff.h - the pass `diff`: the derivative of a flat unit (compiler/IR.md, "After diff").
//
// `reverse`: a way there that keeps what the way back reads, and a way back that is the program in
// reverse. `tangent`: beside each statement on an active value one on its tangent.

#ifndef PYCHORAL_AD_DIFF_H
#define PYCHORAL_AD_DIFF_H

#include "compiler/pass/pass.h"

// What `cx->grad` asks for, of a unit of the pass `flat`.
const Unit *diff_unit(PassCx *cx, const Unit *flat);

// The same unit with a tape that is a list for each type of value: plain Python.
const Unit *tape_lists(Arena *a, Names *names, const Unit *diff);

#endif
