// diag_print.h - diagnostics as text for people.

#ifndef PYCHORAL_DIAG_PRINT_H
#define PYCHORAL_DIAG_PRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/buf.h"
#include "compiler/base/diag.h"

typedef struct DiagStyle {
    bool   brief;       // one line each, `file:line:col: error[E0402]: text`
    bool   color;       // with the escape sequences of ECMA-48
    bool   explain;     // below the first of each code: how to read more about it
    size_t max_errors;  // errors, and as many warnings, that are shown; 0: all of them
} DiagStyle;

enum { DIAG_MAX_ERRORS = 20 };          // the usual limit

// One diagnostic. Needs no newline behind it.
void diag_print(Buf *b, const Diag *d, DiagStyle style);

// All of them in source order, with an empty line between two; a last line says how many were left
// out. Nothing at all when there are none.
void diag_print_all(Buf *b, const Diags *ds, DiagStyle style);

#endif
