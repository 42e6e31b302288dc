// desugar.h - what the C emitter should not see, written in core forms.
//
// Gone are comprehensions, generator expressions that are consumed at once, assignment expressions,
// chained comparisons, augmented and unpacking assignment, several targets, `with`, `match`,
// `assert`, f-strings, `else` of loops, and displays with stars. What is left means the same: the
// order of evaluation is Python's, and it still runs under python3.

#ifndef PYCHORAL_DESUGAR_H
#define PYCHORAL_DESUGAR_H

#include "ir_gen.h"

// Gives the Endpoints with the bodies of endpoints and modules desugared. Expressions should have
// types (the pass `type`); what depends on a type that is absent stays as it is.
const Unit *desugar_unit(Arena *a, Names *names, const Unit *unit);

#endif
