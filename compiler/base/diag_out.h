// diag_out.h - everything that a call of the compiler has to say, in one of five forms.
//
// The one way out for diagnostics: what a program reads must not be mixed with other text.
// Diagnostics come in lots, one for each file, and are limited together. The forms:
//
//   human   diag_print.h
//   short   one line each, `file:line:col: error[E0402]: text`
//   json    one object a line, {"version":1,"code":...}, at the end {"summary":...}
//   sarif   one document of SARIF 2.1.0, at the end
//   github  workflow commands of GitHub Actions, `::error file=...::text`

#ifndef PYCHORAL_DIAG_OUT_H
#define PYCHORAL_DIAG_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/buf.h"
#include "compiler/base/diag.h"

typedef enum DiagFormat {
    DIAG_HUMAN, DIAG_SHORT, DIAG_JSON, DIAG_SARIF, DIAG_GITHUB,
    DIAG_FORMAT_COUNT
} DiagFormat;

enum {
    DIAG_MAX_ERRORS = 20,       // the usual limit
    DIAG_MAX_ALIKE = 3,         // of one code, role and declaration, if there is a limit
};

typedef struct DiagStyle {
    DiagFormat format;
    bool   color;           // human, short: with the escape sequences of ECMA-48
    bool   explain;         // human: below the first of each code, how to read more about it
    size_t max_errors;      // errors, and as many warnings, that are given; 0: all of them
    const char *folder;     // sarif: paths are made relative to it; NULL leaves them as they are
} DiagStyle;

typedef struct DiagOut DiagOut;

DiagOut *diag_out_new(Arena *a, DiagStyle style);

// Writes a lot, in source order. Its sources live until the end.
void diag_out_add(DiagOut *out, Buf *b, const Diags *ds);

// Writes what comes last: how many were left out, the summary, the document. `files` is the number
// of sources that were looked at.
void diag_out_end(DiagOut *out, Buf *b, size_t files, int exit_code);

// Words of an option by DiagFormat, with bars between them.
#define DIAG_FORMATS "human|short|json|sarif|github"
bool diag_format_find(const char *word, DiagFormat *format);

// All of a lot in the human or the short form, and how many were left out. Nothing when there are
// none.
void diag_print_all(Buf *b, const Diags *ds, DiagStyle style);

#endif
