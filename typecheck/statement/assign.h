// assign.h - targets of assignments, for assign.c and unpack.c.

#ifndef PYCHORAL_TYPECHECK_ASSIGN_H
#define PYCHORAL_TYPECHECK_ASSIGN_H

#include "typecheck/internal.h"

// What a target asks of its value. `roles.len == 0`: nothing is known yet, the value decides.
typedef struct Target {
    const Expr *expr;           // checked; roles are set once the value is known
    LocType     want;
    const char *what;
    bool        failed;
} Target;

bool        target_is_tuple(const Expr *t);
ExprList    target_elements(const Expr *t);
Target      target_read(Scope *sc, const Expr *t);      // of a name, attribute or subscript
// Binds a new variable or field once its first value is known.
void        target_define(Scope *sc, const Target *t, const Expr *value);
// The value if it is somewhere, or can be put there; reports and gives poison otherwise.
const Expr *value_need_place(Scope *sc, const Expr *value, const char *what);

// ---- unpack.c ----
// An assignment with a tuple among its targets, or with several targets.
void        unpack_assign(Scope *sc, const Stmt *s, StmtVec *out);

#endif
