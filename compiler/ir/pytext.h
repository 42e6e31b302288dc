// pytext.h - values as Python writes them: the repr() of str, bytes, float, complex and the
// building blocks of it, for every printer that writes Python text.

#ifndef PYCHORAL_PYTEXT_H
#define PYCHORAL_PYTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/ir/ir_base.h"

// The code point at `*i` of a WTF-8 text (UTF-8 in which lone surrogates are allowed); moves on.
// A byte that starts nothing valid counts as itself.
uint32_t pytext_next(Text text, size_t *i);

// What str.isprintable() says of one code point.
bool pytext_is_printable(uint32_t c);

// The escape of a code point: \\ \n \r \t, \xNN, \uNNNN or \UNNNNNNNN.
void pytext_escape(Buf *b, uint32_t c);

// The body of a literal between quotes `quote` ('"' or '\''): escapes that quote, backslashes and
// what is not printable.
void pytext_str_body(Buf *b, Text text, char quote);
void pytext_bytes_body(Buf *b, Text bytes, char quote);

void pytext_str_repr(Buf *b, Text text);        // 'text', as repr(str)
void pytext_bytes_repr(Buf *b, Text bytes);     // b'bytes', as repr(bytes)

// The shortest digits that read back as the same number, as repr(float): 1.0, 1e+16, inf, nan.
void pytext_float_repr(Buf *b, double number);
// The same without ".0" when integral, as the imaginary part in repr(complex).
void pytext_imaginary_repr(Buf *b, double number);
// The text of float.hex(): 0x1.8000000000000p+1.
void pytext_float_hex(Buf *b, double number);

#endif
