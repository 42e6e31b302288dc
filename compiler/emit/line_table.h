// line_table.h - which line of the choreography a line of a generated Python program comes from.
//
// The table stands at the end of the program, in comments; tracebacks are shown by it
// (tracebacks.py of the runtime):
//
//     # lines of auth.pyc (sha256 0123456789abcdef):
//     # 8:4 9-12:20 15:31
//
// Line 8 of the program comes from line 4 of auth.pyc, lines 9 to 12 from lines 20 to 23. What has
// no entry belongs to the last line that has one.

#ifndef PYCHORAL_EMIT_LINE_TABLE_H
#define PYCHORAL_EMIT_LINE_TABLE_H

#include "compiler/base/buf.h"
#include "compiler/base/source.h"
#include "compiler/base/vec.h"

// A statement that is printed: where in the text, and the line of the source.
typedef struct NotedLine { size_t at; uint32_t line; } NotedLine;

typedef struct LineTable {
    Arena        *arena;
    const Source *source;       // of all modules
    size_t        part;         // of it: the module that is printed
    const char   *name, *hash;  // of that part, for the heading
    Vec(NotedLine) noted;
} LineTable;

// What comes from elsewhere, or from nowhere, is not noted.
void line_table_note(LineTable *t, size_t at, Span span);

// `body` is the text in which the statements were noted; `before` lines stand before it.
void line_table_print(Buf *b, const LineTable *t, const Buf *body, size_t before);

#endif
