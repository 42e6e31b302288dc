// literal.h - the values of number and string literals (Python reference 2.4).
//
// The lexer finds where a literal may end; these functions judge what is inside and report it. A
// value that stands in the source as it is shares the source's text.

#ifndef PYCHORAL_LITERAL_H
#define PYCHORAL_LITERAL_H

#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/ir/ir_base.h"

enum {
    LITERAL_MAX_DECIMAL = 4300,         // digits of a decimal int, as in CPython
    LITERAL_MAX_RADIX   = 20000,        // digits of a hex, octal or binary int: converting is slow
};

typedef struct Literals { Arena *arena; const Source *source; Diags *diags; } Literals;

// How the text of a string literal is to be read.
typedef enum LiteralMode {
    LITERAL_RAW     = 1 << 0,           // no escapes
    LITERAL_BYTES   = 1 << 1,
    LITERAL_FSTRING = 1 << 2,           // {{ and }} stand for one brace
} LiteralMode;

// Reads the number at the start of `run`, the longest run of digits, letters, underscores, dots and
// exponent signs there is. Sets `*len` to what belongs to the number. A number that is not valid is
// reported, covers the whole run and counts as 0.
const Const *literal_number(Literals *cx, Span run, uint32_t *len);

// Reads what stands between the quotes. What is not valid is reported and left out.
const Const *literal_string(Literals *cx, Span body, unsigned modes);

#endif
