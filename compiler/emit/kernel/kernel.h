// kernel.h - first-order typed functions as C that stands alone: libc, libm, pthread.
//
// What the passes of differentiation make of a Python function (compiler/IR.md, "After `diff`") as
// a file of C, its header, and a Python module that calls it. There is no runtime library: what a
// file needs of kernel/prelude/ is in it, and nothing else.

#ifndef PYCHORAL_EMIT_KERNEL_H
#define PYCHORAL_EMIT_KERNEL_H

#include "compiler/base/diag.h"
#include "compiler/base/intern.h"
#include "compiler/base/source.h"
#include "compiler/emit/module_text.h"
#include "ir_gen.h"

// How many elements an array has that a function sets: what its dimensions are, as numbers and
// parameters with `+ - *` and np.maximum.
typedef struct KernelSet { Sym array; ExprList shape; } KernelSet;

typedef struct KernelOptions {
    const Source *source;       // of the unit, for the lines in comments and errors
    const char *stem;           // the files are STEM.c, STEM.h and STEM.py; NULL: one text
    const char *heading;        // what the files begin with, without comment marks
    SymList public;             // the functions that others may call
    StmtList heads;             // of the public ones, with the types that the caller knows
    SymList python;             // those that only the Python module has, as they stand
    const ModuleText *module;   // of the Python module, and the program as it is written, from
    EndpointList modules;       // which it takes classes; for a stem only
    SymList wrt;                // the parameters that have a gradient; none: all that hold floats
    Sym     function;           // the name behind them all: FUNCTION_error
    Sym     saved;              // the class of what lives until FUNCTION_saved_free; NULL: nothing
    bool    arrays;             // numbers and arrays of them alone (compiler/pass/ad/nest.h);
    StmtList calling;           // the Python module is these functions, which call them,
    const KernelSet *sets;      // and when one raises, these are set to what is no number
    size_t sets_len;
} KernelOptions;

typedef struct KernelText {
    const char *header;         // types and declarations, without a guard when there is no stem
    const char *body;
    const char *twin;           // Python; NULL when there is no stem
} KernelText;

// What C cannot say is reported at the construct; false then.
bool emit_kernel(Arena *a, Names *names, Diags *diags, StmtList body, const KernelOptions *o,
                 KernelText *text);

#endif
