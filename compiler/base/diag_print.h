// diag_print.h - diagnostics as text for people.

#ifndef PYCHORAL_DIAG_PRINT_H
#define PYCHORAL_DIAG_PRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/buf.h"
#include "compiler/base/diag.h"

typedef struct DiagPrintOptions {
    bool   brief;       // one line each, `file:line:col: error[E0402]: text`
    bool   colour;      // with the escape sequences of ECMA-48
    bool   explain;     // below the first of each code: how to read more about it
    size_t limit;       // errors, and as many warnings, that are shown; 0: all of them
} DiagPrintOptions;

enum { DIAG_PRINT_LIMIT = 20 };         // the usual limit

// One diagnostic. Needs no newline behind it.
void diag_print(Buf *b, const Diag *d, const DiagPrintOptions *options);

// All of them in source order, with an empty line between two; a last line says how many were left
// out. Nothing at all when there are none.
void diags_print(Buf *b, const Diags *ds, const DiagPrintOptions *options);

#endif
