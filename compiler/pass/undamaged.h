// undamaged.h - what can be checked of a file with syntax errors.

#ifndef PYCHORAL_UNDAMAGED_H
#define PYCHORAL_UNDAMAGED_H

#include "compiler/base/diag.h"
#include "ir_gen.h"

// The statements of a parsed module without those that a syntax error is in, and without all that
// use what these define, directly or not: nothing that is reported about the rest follows from what
// could not be read. `diags` holds the errors of the parse.
const Unit *undamaged_part(Arena *a, Names *names, const Source *source, const Unit *unit,
                           const Diags *diags);

#endif
