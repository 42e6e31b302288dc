// mode_internal.h - what the files of the seven transformations share.
//
// Every binder of the terms that a transformation reads has a name of its own (mode_apart), so that
// nothing is captured. In the four that differentiate, a real (a value of type float) is a pair: of
// value and tangent in `forward`, else of value and Ref of its cotangent.

#ifndef PYCHORAL_MODE_INTERNAL_H
#define PYCHORAL_MODE_INTERNAL_H

#include "compiler/base/table.h"
#include "compiler/ir/control.h"
#include "compiler/pass/ad/mode.h"
#include "compiler/pass/ad/partial.h"

typedef struct Kinds Kinds;

typedef struct Modes {
    Arena *arena;
    Names *names;
    Diags *diags;
    Mode   mode;
    Partials *partials;
    Table *used;                // names that are taken
    Table *bound;               // those that a term or the module binds: calls of them apply
    Kinds *kinds;               // of the terms that are read
    Table *instead;             // y -> the Name that it is another name for
    Table *helpers;             // functions of partial.def that are called
} Modes;

// ---- mode_names.c ----
Sym         mode_fresh(Modes *m, const char *base);
void        mode_reserve(Modes *m, const Unit *unit);           // what the unit means by a name
void        mode_reserve_free(Modes *m, const Expr *e, const Arguments *args);
const Expr *mode_apart(Modes *m, const Expr *e, const Arguments **args);
// Left operands that are read late are bound first: in `!r + g(x)` the read comes before the call.
const Expr *mode_ordered(Modes *m, const Expr *e);
bool        mode_applies(Modes *m, const Expr *e);      // a Call of a function of the program

// ---- kinds.c: which expressions are real ----
Kinds *kinds_new(Modes *m);
void   kinds_read(Kinds *ks, Sym name, const Arguments *args, const Expr *term);
void   kinds_solve(Kinds *ks, bool report);     // report: what stays open
bool   kinds_real(const Kinds *ks, const Expr *e);
bool   kinds_tuple(const Kinds *ks, const Expr *e);
bool   kinds_name_real(const Kinds *ks, Sym name);
bool   kinds_name_holds_real(const Kinds *ks, Sym name);
bool   kinds_holds_real(const Kinds *ks, const Expr *e);        // it or a part of it

// ---- mode_make.c: nodes, and operators of reals ----
const Expr *mode_name_of(Modes *m, Span at, Sym name);
const Expr *mode_let(Modes *m, Sym name, const Expr *value, const Expr *body);
const Expr *mode_then(Modes *m, const Expr *first, const Expr *next);       // first; next
const Expr *mode_apply(Modes *m, const Expr *f, size_t n, const Expr *const *args);
const Expr *mode_apply1(Modes *m, const Expr *f, const Expr *arg);
const Expr *mode_lambda1(Modes *m, Sym name, const Expr *body);
const Expr *mode_pair(Modes *m, const Expr *first, const Expr *second);
const Expr *mode_part(Modes *m, const Expr *e, int i);                      // e[i]
const Expr *mode_zero(Modes *m, Span at);                                   // 0.0
const Expr *mode_lifted(Modes *m, const Expr *e);           // of a real: (e, 0.0), (e, ref 0.0)
const Arguments *mode_parameter(Modes *m, const Arguments *before, Sym name);   // one more
ExprList    mode_list(Modes *m, size_t n, const Expr *const *at);

typedef enum Work {
    WORK_STRUCTURE,             // the operands as they are
    WORK_APPLY,                 // a function of the program is called
    WORK_READ,                  // the values of real operands; the result is no real
    WORK_REAL,                  // an operator of reals
} Work;

Work mode_work(Modes *m, const Expr *e);

// let y1 = p1 in let y2 = p2 in let y = (y1[0] op y2[0], ref 0.0) in ..
typedef struct RealOperator {
    const Expr *e;
    ExprList    operands;       // all of them, also what is called
    size_t      first;          // the first that is an argument
    const Partial *partial;     // NULL: nothing flows
    Sym        *names;
    Sym         result;
} RealOperator;

RealOperator mode_operator(Modes *m, const Expr *e);
const Expr *operator_values(Modes *m, const RealOperator *o);       // op on the halves
const Expr *operator_lets(Modes *m, const RealOperator *o, const Expr *const *values,
                          const Expr *body);
// let y = (.., ref 0.0) in rest; y1[1] += !y[1] * partial1; ..
const Expr *operator_reverse(Modes *m, const RealOperator *o, const Expr *rest);
const Expr *operator_forward(Modes *m, const RealOperator *o);      // (.., sum of tangents)
const Expr *operator_read(Modes *m, const Expr *e, const Expr *const *values);   // WORK_READ

// ---- the transformations: of a term, and of a function to another parameter and body ----
const Expr *direct_term(Modes *m, const Expr *e);

// `|[e]| K` for a K that answers its argument, or that calls a continuation.
const Expr *cps_term(Modes *m, const Expr *e, Sym k);
const Expr *cps_meta_term(Modes *m, const Expr *e, Sym k);

// ---- mode_make.c, for both translators to continuation-passing style ----
const Expr *mode_contracted(Modes *m, Sym y, const Expr *body);     // \y. body; of \y. k y: k
const Expr *mode_atom(Modes *m, const Expr *e);     // a name for what it stands for; a real lifted

#endif
