// free_names.h - which module-level names a statement binds, and which it mentions.

#ifndef PYCHORAL_FREE_NAMES_H
#define PYCHORAL_FREE_NAMES_H

#include "ir_gen.h"

// The names that statements bind in their own scope (not those of nested functions, lambdas or
// comprehensions): assignments, definitions, imports, loop targets, handlers, patterns. Each once.
SymList names_bound(Arena *a, Names *names, StmtList body);

// The same for expressions (`:=`) and the statements after them.
SymList names_bound_in(Arena *a, Names *names, ExprList first, StmtList body);

// The name that a pattern itself binds, its parts aside; NULL: none.
Sym pattern_name(const Pattern *p);

// The names that statements mention and that no function inside them binds: what the module, or
// Python, must provide. Names in quoted annotations and in the types that a receive expects count
// too. Projected or local code only. Each once, in order of first mention.
SymList names_free(Arena *a, Names *names, StmtList body);

// The same, and calls `seen` for each Name that is the module's, and for each quoted annotation.
// What a class body binds is not the module's. Any code.
typedef void NameSeen(void *cx, const Expr *name_or_string);
SymList names_visit(Arena *a, Names *names, StmtList body, NameSeen *seen, void *cx);

#endif
