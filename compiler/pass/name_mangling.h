// name_mangling.h - the private names of classes.
//
// In a class `C`, Python reads a name `__x` that does not end in `__` as `_C__x` (The Python
// Language Reference, section 6.2.1), whatever it names. The tree says so from here on: what a
// derived class calls the same is another name, and it stays one when `C` becomes `C_A` and `C_B`.
// Parameters keep their names, which nobody outside can use, and which tell type checkers so.

#ifndef PYCHORAL_NAME_MANGLING_H
#define PYCHORAL_NAME_MANGLING_H

#include "compiler/base/source.h"
#include "ir_gen.h"

// Gives the unit itself when its source has no such name.
const Unit *mangle_private_names(Arena *a, Names *names, const Source *source, const Unit *unit);

#endif
