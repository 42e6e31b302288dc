// diag_print.h - a diagnostic as text for people.

#ifndef PYCHORAL_DIAG_PRINT_H
#define PYCHORAL_DIAG_PRINT_H

#include "compiler/base/buf.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_out.h"

// Of the style counts whether it is the short form, the colour, and whether to explain.
void diag_print(Buf *b, const Diag *d, DiagStyle style);

#endif
