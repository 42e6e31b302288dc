// tool.h - what the rule sets share: the rewriting of one file, its names, text of its expressions.

#ifndef PYCHORAL_DISTRIBUTE_TOOL_H
#define PYCHORAL_DISTRIBUTE_TOOL_H

#include "compiler/base/table.h"
#include "compiler/distribute/distribute.h"
#include "compiler/distribute/rewrite.h"

typedef struct Tool {
    const DistributeCx *cx;
    Arena *arena;
    Rewrite *rewrite;
    Table *taken;               // every identifier of the file
    Vec(Fired) fired;
    const char *hvd;            // what the module of collectives is called in the output
} Tool;

Tool tool_new(const DistributeCx *cx);

// An identifier that the file does not have: `base`, `base_1`, ...; it is taken then.
const char *tool_fresh(Tool *t, const char *base);
void tool_fire(Tool *t, const char *id, Span at);
const char *tool_format(Tool *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *tool_text(const Tool *t, const Expr *e);            // as the source has it

// Makes `e` the left operand of an operator of the precedence of `*` and `//`.
void tool_factor(Tool *t, const Expr *e, const char *after);

// `name.attr1.attr2`: whether an expression is that chain. The attributes end with NULL.
bool expr_is_chain(const Expr *e, Sym name, const char *const *attrs);
bool expr_is_name(const Expr *e, Sym name);
bool expr_is_none(const Expr *e);               // `None`, or absent
bool call_is_name(const Expr *e, const char *name);             // `name(...)`
// Where a variable or an attribute is read.
bool expr_is_load(const Expr *e);
// `e` without `enumerate`, `tqdm`, `iter` around it.
const Expr *expr_unwrap(const Expr *e);
// The argument of a call by keyword, or NULL.
const Expr *call_keyword(const Expr *call, const char *name);
// The positional argument, unless it or one before it is starred; else NULL.
const Expr *call_positional(const Expr *call, size_t at);
const Expr *call_argument(const Expr *call, size_t at, const char *name);

// Statement of a strict form: `x = f(...)`, `x: T = f(...)`; gives x, or NULL.
const Expr *stmt_strict_call(const Stmt *s, Sym *target);

// The first part of the arguments of a call that may have an effect, or that communicates: a call
// other than of what only reads and formats; NULL when there is none.
const Expr *args_effect(const Expr *call);

#endif
