// core.h - from a desugared program to terms of the control calculus (mode.h).
//
//   x = e                      let x = e in next; a variable that is assigned again, or read where
//                              its binding does not reach, is a Ref
//   if c: A else: B            if c then A next else B next; next is bound first if both need it
//   while c: A                 letrec loop = \(). if c then A (loop ()) else next in loop ()
//   for x in range(..), list   the same, with a counter that is a parameter of loop
//   def, lambda                lambda or letrec
//   isinstance(x, Inl)         case, where it is a test
//   list, dataclass            kept: their operations evaluate from left to right
//
// An int that comes where a float is declared is made a float.

#ifndef PYCHORAL_CORE_H
#define PYCHORAL_CORE_H

#include "compiler/base/diag.h"
#include "compiler/base/intern.h"
#include "ir_gen.h"

// What `function` needs of a unit after `desugar`, as a unit of terms. What cannot be a term is
// reported at its place. A function that is not there gives an empty unit.
const Unit *core_unit(Arena *a, Names *names, Diags *diags, Sym function, const Unit *unit);

// The builtins that stay calls by name, up to a NULL.
extern const char *const core_builtins[];

#endif
