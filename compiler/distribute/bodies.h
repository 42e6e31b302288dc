// bodies.h - the statement lists within a statement.

#ifndef PYCHORAL_DISTRIBUTE_BODIES_H
#define PYCHORAL_DISTRIBUTE_BODIES_H

#include "ir_gen.h"

// Which list of its statement a list is.
typedef enum BodyKind {
    BODY_FUNCTION, BODY_CLASS, BODY_LOOP, BODY_BRANCH, BODY_WITH, BODY_TRY, BODY_HANDLER,
    BODY_ELSE, BODY_FINALLY, BODY_CASE,
} BodyKind;

typedef void BodySeen(void *cx, const Stmt *owner, BodyKind kind, StmtList body);

// Calls `seen` for each list of a statement, in source order, empty ones left out. An `elif` is a
// list of one statement.
void bodies_each(const Stmt *s, BodySeen *seen, void *cx);

// Calls `seen` for every statement, a statement before those within it.
typedef void StmtSeen(void *cx, const Stmt *s);
void bodies_walk(StmtList list, StmtSeen *seen, void *cx);

// Calls `seen` for every expression of a statement that is not within a nested statement.
typedef bool ExprSeen(void *cx, const Expr *e);         // false: not what is inside it
void stmt_exprs(const Stmt *s, ExprSeen *seen, void *cx);

#endif
