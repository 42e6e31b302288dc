// source.h - a source text in UTF-8, its lines, and spans of it.
//
// A span is a pair of byte offsets into the decoded text. Lines end at "\n", "\r\n" or "\r".

#ifndef PYCHORAL_SOURCE_H
#define PYCHORAL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/arena.h"

typedef struct Span { uint32_t start, end; } Span;            // end is exclusive
typedef struct Text { const char *at; size_t len; } Text;     // bytes, NULs allowed

bool text_in_word(char c);                                    // a name may have it
bool text_has_word(Text text, const char *word, size_t len);  // as a whole word

// A file within the text of several (source_join): `at` is where it starts there.
typedef struct SourcePart {
    const struct Source *file;
    uint32_t at;
    bool     interface;         // the file says what a module has, not how: nothing is made of it
    const char *name;           // of the generated module
    const char *shown;          // as the program imports it
} SourcePart;

typedef struct Source {
    const char *name;           // as shown in messages
    Text        text;           // UTF-8; at[len] is NUL
    const uint32_t *lines;      // offset at which each line starts
    size_t      line_count;     // at least 1
    const SourcePart *parts;    // of several files, in order; NULL: it is one
    size_t      part_count;
} Source;

// Counted from 1, from 0, and from 1; the column in code points.
typedef struct Place { uint32_t line, byte, column; } Place;

// Wraps a text that is UTF-8 already. Keeps the pointers; computes the line table.
const Source *source_new(Arena *a, const char *name, Text utf8);
// The texts of several files one behind the other, so that one span says where and in which file.
// The starts in `parts` are filled in.
const Source *source_join(Arena *a, SourcePart *parts, size_t count);
// Where the next part would start, behind a part at `at`.
uint32_t source_next_part(uint32_t at, const Source *file);
// Which part holds an offset; 0 when the source is one file.
size_t source_part(const Source *s, uint32_t offset);
Place source_place(const Source *s, uint32_t offset);         // binary search
// The file that holds an offset, which becomes one of that file.
const Source *source_file(const Source *s, uint32_t *offset);
Text  source_line(const Source *s, uint32_t line);            // from 1; without its line end

// Index of the line that holds an offset, from 0. A binary search that counts no columns.
size_t source_line_index(const Source *s, uint32_t offset);
// As much of a span as is on its first line: a message about a definition underlines its header.
Span source_first_line(const Source *s, Span at);

// A span on one line: each run of blanks and line ends is one blank.
const char *source_written(Arena *a, const Source *s, Span at);

static inline Span span_join(Span a, Span b) { return (Span){a.start, b.end}; }

#endif
