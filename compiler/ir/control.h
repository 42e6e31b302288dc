// control.h - terms of the control calculus (IR_CONTROL and the Python forms around them), seen as
// what evaluates its operands from left to right, and what binds, branches or waits.

#ifndef PYCHORAL_CONTROL_H
#define PYCHORAL_CONTROL_H

#include "ir_gen.h"

// A name or a constant: nothing happens when it is read, and it is the same at every time.
bool control_is_atom(const Expr *e);

// A condition that always holds: `True`, whoever it is pinned to.
bool control_always(const Expr *test);

// Whether a form evaluates all its operands, in order, and does nothing else with them. The others
// are Lambda, Let, LetRec, Case, IfExp, Shift, Reset, and whatever is no term at all.
bool control_is_operation(const Expr *e);

// The operands of an operation: what is called, its arguments and the values of its keywords; the
// base and the index; the parts of a display.
ExprList control_operands(Arena *a, const Expr *e);

// The operation with other operands, as many as control_operands gives.
const Expr *control_rebuild(Arena *a, const Expr *e, const Expr *const *operands);

// A term with its own children, whether operands or not, replaced by what `of` answers for them.
typedef const Expr *ControlMap(void *cx, const Expr *child);
const Expr *control_map(Arena *a, const Expr *e, ControlMap *of, void *cx);

#endif
