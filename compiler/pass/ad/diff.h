// diff.h - the pass `diff`: the derivative of a flat unit (compiler/IR.md, "After diff").
//
// `reverse`: a way there that keeps what the way back reads, and a way back that is the program in
// reverse. `tangent`: beside each statement on an active value one on its tangent.

#ifndef PYCHORAL_AD_DIFF_H
#define PYCHORAL_AD_DIFF_H

#include "compiler/pass/pass.h"

// What `cx->grad` asks for, of a unit of the pass `flat`.
const Unit *diff_unit(PassCx *cx, const Unit *flat);

// The same unit with a tape that is a list for each type of value. `typed`: what makes twins and
// copies is given the types of what it copies, which plain Python needs.
const Unit *tape_lists(Arena *a, Names *names, const Unit *diff, bool typed);

// What the way back of `--split` is given is a struct of this name in C, a tuple in Python.
Sym diff_saved_name(Names *names, Sym function);

// For Python: functions that assign to parts of tuples and of frozen objects have objects of other
// classes in their place (flat_value.c); who calls the derivative has the ones that he knows.
// `source` is the program as it is written.
const Unit *value_objects(Arena *a, Names *names, const Unit *unit, EndpointList source,
                          const GradRequest *request);

// The heads of functions, with the types that the caller knows.
StmtList value_heads(Arena *a, Names *names, StmtList body);

#endif
