// view_label.h - the texts of a diagram: what a message carries, and conditions as written.

#ifndef PYCHORAL_EMIT_VIEW_LABEL_H
#define PYCHORAL_EMIT_VIEW_LABEL_H

#include "compiler/base/table.h"
#include "compiler/emit/view.h"

// A name as people read it, with a dot between module and name.
const char *view_label_name(Arena *a, const char *name);

// Source text, on one line and shortened.
void view_label_expr(Buf *b, const ViewCx *cx, const Expr *e);
void view_label_pattern(Buf *b, const ViewCx *cx, const Pattern *pattern);

// The variable that a message is assigned to (`target`, or NULL), else the variable that is sent,
// else NULL.
const char *view_label_variable(const ViewCx *cx, const Expr *com, const Expr *target);

const char *view_label_type(Arena *a, const Ty *t);

// ---- generic code: `types` has what a type variable stands for ----

// The type with its variables replaced; NULL for NULL.
const Ty *view_type(Arena *a, const Table *types, const Ty *t);

// The variables of a class are `args`.
void view_types_of_class(Table *types, const Stmt *class_, TyList args);

// Those of a base that a class names as `base`, with `types` being those of the class.
Table *view_types_of_base(Arena *a, const Table *types, const Stmt *class_, const Expr *base);

// Variables of a function follow from an argument of a call, whose type `outer` completes.
void view_types_of_argument(Arena *a, Table *types, const Table *outer, const Arg *param,
                            const Expr *value);

#endif
