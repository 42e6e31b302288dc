// source.h - a source text in UTF-8, its lines, and spans of it.
//
// A span is a pair of byte offsets into the decoded text. Lines end at "\n", "\r\n" or "\r".

#ifndef PYCHORAL_SOURCE_H
#define PYCHORAL_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "compiler/base/arena.h"

typedef struct Span { uint32_t start, end; } Span;            // end is exclusive
typedef struct Text { const char *at; size_t len; } Text;     // bytes, NULs allowed

typedef struct Source {
    const char *name;           // as shown in messages
    Text        text;           // UTF-8; at[len] is NUL
    const uint32_t *lines;      // offset at which each line starts
    size_t      line_count;     // at least 1
} Source;

// Counted from 1, from 0, and from 1; the column in code points.
typedef struct Place { uint32_t line, byte, column; } Place;

// Wraps a text that is UTF-8 already. Keeps the pointers; computes the line table.
const Source *source_new(Arena *a, const char *name, Text utf8);
Place source_place(const Source *s, uint32_t offset);         // binary search
Text  source_line(const Source *s, uint32_t line);            // from 1; without its line end

// Index of the line that holds an offset, from 0. A binary search that counts no columns.
size_t source_line_index(const Source *s, uint32_t offset);
// As much of a span as is on its first line: a message about a definition underlines its header.
Span source_first_line(const Source *s, Span at);

static inline Span span_join(Span a, Span b) { return (Span){a.start, b.end}; }

#endif
