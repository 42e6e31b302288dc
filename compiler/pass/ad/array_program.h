// array_program.h - the passes of array functions, from a linked unit to numpy or loops.
//
// The graph of the function goes along in ArrayProgram; the unit that a pass answers is what a
// reader sees of it, and runs when the functions of `pychoral.ad` are there.

#ifndef PYCHORAL_AD_ARRAY_PROGRAM_H
#define PYCHORAL_AD_ARRAY_PROGRAM_H

#include "compiler/base/diag.h"
#include "compiler/emit/kernel/kernel.h"
#include "ir_gen.h"

typedef struct ArrayProgram ArrayProgram;

// The function that has this name in a linked unit; `wrt` are names of parameters, none: all that
// hold floats. NULL: reported.
ArrayProgram *array_program_new(Arena *a, Names *names, Diags *diags, const Unit *unit,
                                Sym function, SymList wrt);

// Whether this function is one for these passes: it is asked for, a parameter is an array, or it
// uses numpy, also in functions that it calls.
bool array_program_is_for(Arena *a, Names *names, const Unit *unit, Sym function, bool asked);

// Its Jacobians as rows, columns and values; reported if it has none.
void array_program_want_sparse(ArrayProgram *p);

// The units before `numpy` are not looked at: they stay empty.
void array_program_hide(ArrayProgram *p);

// What the passes answer; each takes what the one before has left. stage gives NULL after an error.
const Unit *array_program_stage(ArrayProgram *p);
const Unit *array_program_bulk(ArrayProgram *p);
const Unit *array_program_simplify(ArrayProgram *p);
const Unit *array_program_gradient(ArrayProgram *p);
const Unit *array_program_tidy(ArrayProgram *p);
const Unit *array_program_numpy(ArrayProgram *p);
const Unit *array_program_nest(ArrayProgram *p);

// Those of its functions that others may call, and the arrays that they set.
SymList array_program_public(ArrayProgram *p);
const KernelSet *array_program_sets(ArrayProgram *p, size_t *len);

// The functions of Python that call what `nest` made when it is C: of kernel/twin/arrays.py.
StmtList array_program_twin(ArrayProgram *p);

// The text of the Delta that `gradient` was made of.
const char *array_program_delta(ArrayProgram *p);

#endif
