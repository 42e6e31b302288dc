// array_program_internal.h - what the functions of array programs are put together from: those in
// numpy (array_program.c) and those around code in C (array_nest.c).

#ifndef PYCHORAL_AD_ARRAY_PROGRAM_INTERNAL_H
#define PYCHORAL_AD_ARRAY_PROGRAM_INTERNAL_H

#include "compiler/base/table.h"
#include "compiler/pass/ad/array_program.h"
#include "compiler/pass/ad/gradient.h"
#include "compiler/pass/ad/numpy.h"
#include "compiler/pass/ad/stage.h"

struct ArrayProgram {
    Arena *arena;
    Names *names;
    Diags *diags;
    Terms *t;
    const Unit *unit;
    const Stmt *function;
    SymList wrt;
    Staged staged;
    ExprList inputs;            // that derivatives are taken of
    ExprList roots;             // the value; behind `gradient` its derivatives too
    ExprList checks;
    Sym missing;                // the name of a size that no shape tells; NULL: there is none
    Deltas deltas;
    bool sparse;                // `roots`: behind the value the columns and values of each block
    ExprList loops;             // the same as roots, of sparse ones: the blocks are `Build`s
    size_t blocks;
    size_t *block_inputs;       // by block: the number of the input
    bool hidden;                // units before the last are not looked at
};

#define NOWHERE ((Span){0, 0})

typedef Vec(const Stmt *) ArrayStmts;

Table *array_taken_names(ArrayProgram *p);
const Expr *array_name(ArrayProgram *p, const char *text, bool store);
void array_add_text(ArrayProgram *p, ArrayStmts *body, const char *text);

// The function FUNCTION and a suffix, with the types of the source as Python has them.
const Stmt *array_def(ArrayProgram *p, const char *suffix, const Arguments *args,
                           StmtList body, ExprList decorators, const Expr *returns);
const Arguments *array_python_args(ArrayProgram *p);
const Expr *array_python_ty(ArrayProgram *p, const Expr *e);
const Expr *array_tuple(ArrayProgram *p, ExprList list);
const Expr *array_tuple_ty(ArrayProgram *p, ExprList list);

const char *array_both_suffix(const ArrayProgram *p);       // of value and derivatives

// What is answered for each input in place of the columns and values of its blocks, and its type;
// without the pattern, in place of the values alone.
ExprList array_entries(ArrayProgram *p, Numpy *np, ExprList made, bool pattern);
ExprList array_entries_ty(ArrayProgram *p, bool pattern);

// Whether result i (0 is the value) holds columns of the pattern.
bool array_is_columns(const ArrayProgram *p, size_t i);

// The functions of Python: whether they answer the value, and what of the derivatives.
typedef enum ArrayGrads { GRADS_NONE, GRADS_ALL, GRADS_VALUES } ArrayGrads;     // no pattern
typedef struct ArrayAnswers { const char *suffix; bool value; ArrayGrads grads; } ArrayAnswers;
enum { ARRAY_ANSWERS = 4 };
ArrayAnswers array_answers(const ArrayProgram *p, size_t i);   // no suffix: there is none

// Makes arrays of the arguments, and gives the size names their values. False: they have none.
bool array_enter(ArrayProgram *p, ArrayStmts *body, Numpy *np);

#endif
