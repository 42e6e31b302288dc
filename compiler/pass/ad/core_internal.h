// core_internal.h - what the files that make terms of a program share.

#ifndef PYCHORAL_CORE_INTERNAL_H
#define PYCHORAL_CORE_INTERNAL_H

#include "compiler/base/table.h"
#include "compiler/pass/ad/core.h"

// A function, or a lambda, that statements or an expression are in.
typedef struct CoreScope {
    const struct CoreScope *outer;
    Table *bound;               // its parameters and variables
    Table *cells;               // those that are Refs
    const Ty *returns;          // NULL: unknown
} CoreScope;

// `isinstance(x, Inl)` has been answered on the way here.
typedef struct CoreCase {
    const struct CoreCase *outer;
    Sym subject, payload;
    bool right;
} CoreCase;

typedef struct Core {
    Arena *arena;
    Names *names;
    Diags *diags;
    Table *used;                // names of the program
    Table *imports;             // name -> what it stands for: `math.sin`, `pychoral.ad.Ref`
    Table *classes, *functions; // of the module: name -> Stmt
    const CoreScope *scope;
    const CoreCase *cases;
    const Ty *float_, *int_, *bool_;
} Core;

// ---- core.c ----
Sym         core_fresh(Core *c, const char *base);
void        core_refuse(Core *c, Span at, const char *what, const char *instead);
const Expr *core_body(Core *c, const Arguments *args, StmtList body, const Expr *result,
                      const Ty *returns);       // of a function, or of a lambda: one is NULL
bool        core_is_cell(const Core *c, Sym name);
bool        core_is_local(const Core *c, Sym name);
const Arguments *core_parameters(Core *c, const Arguments *args);

// ---- core_scope.c ----
CoreScope   core_scope(Core *c, const Arguments *args, StmtList body);
// Loads of a variable of the scope around, also in functions inside.
size_t      core_loads(const Stmt *const *at, size_t n, Sym name);
size_t      core_stores(const Stmt *const *at, size_t n, Sym name);

// ---- core_expr.c ----
const Expr *core_expr(Core *c, const Expr *e);
const Expr *core_expr_as(Core *c, const Expr *e, const Ty *wanted);
const Expr *core_test(Core *c, const Expr *e);          // only its truth matters
// Whether a test asks which side of a sum a variable is: then what, and whether `right` is meant.
bool        core_asks_side(Core *c, const Expr *test, const Expr **subject, bool *right);
const Expr *core_name(Core *c, Span at, Sym name, const Ty *ty);
const Expr *core_call(Core *c, const Expr *f, size_t n, const Expr *const *args);
const Expr *core_method(Core *c, const Expr *base, const char *name, size_t n,
                        const Expr *const *args);
const Expr *core_let(Core *c, Sym name, const Expr *value, const Expr *body);
const Expr *core_int(Core *c, Span at, long n);
const Expr *core_compare(Core *c, const Expr *left, Cmpop op, const Expr *right);
const char *core_qualified(Core *c, const Expr *func);  // `math.sin`, `len`; NULL: no such name

#endif
