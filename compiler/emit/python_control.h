// python_control.h - terms of the control calculus as Python statements.

#ifndef PYCHORAL_EMIT_PYTHON_CONTROL_H
#define PYCHORAL_EMIT_PYTHON_CONTROL_H

#include "ir_gen.h"

// The unit without forms of IR_CONTROL. What binds, branches or has several steps becomes nested
// definitions and statements; the rest are calls of what `pychoral.ad` has (Ref, Inl, Inr, shift,
// reset), which the unit must import.
const Unit *control_as_python(Arena *a, const Unit *unit);

#endif
