// mode.h - the seven transformations: terms of the control calculus to terms.
//
// A unit of terms is a MODULE of imports, classes (whose methods are functions as below), values
// `Assign(name, term)`, and functions `FunctionDef(name, parameters, [Return(term)])`. `core`
// (core.h) makes such a unit of a program; the transformations keep the shape.

#ifndef PYCHORAL_MODE_H
#define PYCHORAL_MODE_H

#include "compiler/base/diag.h"
#include "compiler/base/intern.h"
#include "ir_gen.h"

typedef enum Mode {
#define MODE(id, name, summary) MODE_##id,
#include "compiler/pass/ad/mode.def"
#undef MODE
    MODE_COUNT
} Mode;

bool        mode_find(const char *name, Mode *mode);
const char *mode_name(Mode mode);
bool        mode_differentiates(Mode mode);

// What is differentiated, and where it is.
typedef struct ModeAim {
    Sym     function;
    SymList wrt;                // names of parameters; none: all that hold floats
} ModeAim;

// The unit in the mode, with the imports that it needs. One that differentiates answers
// `NAME_grad` beside what it calls. What it cannot take is reported: then the answer is of no use.
const Unit *mode_unit(Arena *a, Names *names, Diags *diags, Mode mode, ModeAim aim,
                      const Unit *unit);

// A single closed term, without a public function around it.
const Expr *mode_term(Arena *a, Names *names, Diags *diags, Mode mode, const Expr *term);

// The term with its binders renamed to what says only where they are bound: terms that differ in
// names alone become equal.
const Expr *mode_canonical(Arena *a, Names *names, const Expr *term);

#endif
