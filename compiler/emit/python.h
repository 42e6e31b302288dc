// python.h - any unit as readable Python source.
//
// Law: for every tree the parser can make, parse(emit(tree)) is an equal tree (positions aside).
// Parentheses are the fewest that keep the tree, blank lines as PEP 8 has them, lines longer than
// PYTHON_WIDTH columns are broken inside brackets where there are any. The text is Python 3.10
// unless the tree has a form that is newer: f-strings are re-quoted, `a[*b]` is `a[(*b,)]`.
//
// Our own forms print as what they mean to a reader:
//
//   Located  At[T, R]          Com     ch.com(e)          Send       ch.com(e)
//   Inst     C[A, B]           Select  ch.select(E.M@A)   Recv       ch.com(expect=T)
//   Pin      e@R, e@(A, B)     Unit    Unit.id, or        SendLabel  ch.select(E.M)
//   Choreo   its definition            Unit.id(a, b)      Offer      match ch.select(expect=E): ...
// and with sites the last column as ch.com(e, site=7).

#ifndef PYCHORAL_EMIT_PYTHON_H
#define PYCHORAL_EMIT_PYTHON_H

#include "compiler/base/buf.h"
#include "compiler/base/source.h"
#include "ir_gen.h"

enum { PYTHON_WIDTH = 100 };

typedef struct PythonOptions {
    int width;                  // columns; 0 means PYTHON_WIDTH
    const Source *source;       // keep a blank line where this text has one; NULL: only PEP 8's
    const struct SiteTable *sites;      // the numbers of messages (site_table.h); NULL: none
    struct LineTable *lines;    // notes where statements are printed (line_table.h); NULL: no
} PythonOptions;

// A MODULE, or ENDPOINTS one after the other under a comment that names the role. Ends with a
// newline unless there is nothing to print. Text goes to the buffer's present indentation.
void emit_python_unit(Buf *b, const Unit *u, PythonOptions o);

// Statements as they stand at the top of a module.
void emit_python_stmts(Buf *b, StmtList body, PythonOptions o);

// One expression on one line, as it would stand in brackets.
void emit_python_expr(Buf *b, const Expr *e);
void emit_python_pattern(Buf *b, const Pattern *pattern);       // on one line, as the expression

// A local type as an annotation: str, list[int], int | None, object where nothing is known.
void emit_ty(Buf *b, const Ty *t);

#endif
