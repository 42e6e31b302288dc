// site_table.h - the numbers of communications, and their places (docs/projection.md, "Sites").
//
// The main module of a program counts from 1. What other programs may import as well has the same
// numbers in all of them, so that a module is the same text whoever was compiled with it: it counts
// from a number that comes of its name.

#ifndef PYCHORAL_EMIT_SITE_TABLE_H
#define PYCHORAL_EMIT_SITE_TABLE_H

#include "compiler/base/buf.h"
#include "compiler/base/source.h"
#include "ir_gen.h"

// One communication. Those that merging has united have one number.
typedef struct PlacedSite {
    uint32_t end;               // of its span, by which it is known
    int      number;
    size_t   part;              // of the source
    const char *place;          // "auth.pyc:12"
} PlacedSite;

typedef struct SiteTable {
    const PlacedSite *at;       // by `end`
    size_t            len;
    const Source     *source;   // NULL: no places are wanted
} SiteTable;

// `modules` names what each part of the source is for those who import it; NULL: the program.
SiteTable site_table(Arena *a, const Source *source, SiteList sites, const Sym *modules);

// Where a communication or a statement is: "auth.pyc:12", the file without its folders.
const char *site_place(Arena *a, const Source *source, Span at);

// The number of what ends there; 0 if that is no communication, or `t` is NULL.
int site_number(const SiteTable *t, uint32_t end);

// A number, and all its places: "auth.pyc:14, auth.pyc:19".
typedef struct SiteRow { int number; const char *places; } SiteRow;
typedef struct SiteRows { SiteRow *at; size_t len, cap; } SiteRows;

// The rows of the communications in projected statements, by number.
SiteRows site_rows_of(Arena *a, const SiteTable *t, StmtList body);
SiteRows site_rows_of_part(Arena *a, const SiteTable *t, size_t part);
void     site_rows_add(Arena *a, SiteRows *rows, SiteRows more);        // by number, each once

// An interface says the sites of its module: `# site 1234560001 lib.pyc:5` for each. `text` is what
// follows the first line of its heading.
void     site_rows_print(Buf *b, SiteRows rows);
SiteRows site_rows_read(Arena *a, const char *text);

#endif
