// rewrite.h - edits of a source by statement: lines before and after one, a guard around it.
//
// What is asked for is noted first; rewrite_edits lays it out. Inserted lines have the indentation
// of their statement, and the file's own unit inside; `a; b` on one line and one-line suites are
// split where a statement in them needs a line of its own; a guarded statement is indented, except
// its lines that begin inside a string.

#ifndef PYCHORAL_DISTRIBUTE_REWRITE_H
#define PYCHORAL_DISTRIBUTE_REWRITE_H

#include "compiler/base/edit.h"
#include "ir_gen.h"

typedef struct Rewrite Rewrite;

Rewrite *rewrite_new(Arena *a, const Source *source, const Unit *unit);

// Text for text. The spans of replacements must not overlap.
void rewrite_replace(Rewrite *r, Span at, const char *text);
void rewrite_insert(Rewrite *r, uint32_t at, const char *text);
// One more argument of a call, after what is done to the others.
void rewrite_argument(Rewrite *r, const Expr *call, const char *text);
// The text of a span with what was asked for within it, which then is done only there.
const char *rewrite_take(Rewrite *r, Span at);
void rewrite_around(Rewrite *r, Span at, const char *before, const char *after);

// Lines are separated by "\n"; a "\t" in front of one is a level of indentation.
void rewrite_before(Rewrite *r, const Stmt *s, const char *lines);
void rewrite_after(Rewrite *r, const Stmt *s, const char *lines);
// The header has no indentation of its own ("if hvd.rank() == 0:"). `otherwise` are the lines that
// follow the statement ("else:\n\tx = None"), or NULL. A second guard of a statement is ignored.
// After rewrite_join, neighbours with one header and nothing between them get one guard.
void rewrite_join(Rewrite *r);
void rewrite_guard(Rewrite *r, const Stmt *s, const char *header, const char *otherwise);
bool rewrite_is_guarded(const Rewrite *r, const Stmt *s);
// Takes the statement out, with its line if nothing else is on it.
// Takes the only decorator of a function away.
void rewrite_undecorate(Rewrite *r, const Stmt *def);
void rewrite_remove(Rewrite *r, const Stmt *s);

bool rewrite_touches(const Rewrite *r, Span at);    // whether anything in it is changed
size_t rewrite_count(const Rewrite *r);         // how many changes were asked for
Edits rewrite_edits(Rewrite *r);                // once

#endif
