// buf.h - growable text output with indentation. Emitters never print leading blanks themselves.

#ifndef PYCHORAL_BUF_H
#define PYCHORAL_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/arena.h"

typedef struct Buf {
    Arena *arena;           // the text lives here; NULL is not allowed
    char  *at;              // NUL-terminated once anything was written
    size_t len, cap;
    int    indent;          // levels of four spaces put before the next line's first byte
    bool   mid_line;        // something was written since the last newline
} Buf;

Buf  buf_new(Arena *a);
void buf_puts(Buf *b, const char *s);                 // a '\n' in s ends a line
void buf_write(Buf *b, const char *s, size_t len);    // the same, by length
void buf_raw(Buf *b, const char *s, size_t len);      // no indentation is added, newlines or not
void buf_putc(Buf *b, char c);
void buf_line(Buf *b, const char *s);                 // on one line: control characters are `?`
void buf_printf(Buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *buf_text(Buf *b);                         // NUL-terminated, owned by the arena

#endif
