// ty.h - what is to be known of types beyond their constructors.

#ifndef PYCHORAL_IR_TY_H
#define PYCHORAL_IR_TY_H

#include "ir_gen.h"

// `tuple[int, ...]` is Named("tuple", [int]); `tuple[int]`, of one part, is a Tuple.
static inline bool ty_is_open_tuple(Sym name, TyList args)
{
    return sym_is(name, "tuple") && args.len == 1;
}

// `...`, as in `tuple[int, ...]`.
static inline bool ty_is_ellipsis(const Expr *e)
{
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_ELLIPSIS;
}

// How many literals there are side by side, from this index on.
size_t      ty_literal_run(TyList of, size_t from);
// `Literal[..]` of them, as an annotation.
const Expr *ty_literal_expr(Arena *a, Names *names, Span at, TyList of);
// The constant that `e` is in `Literal[e]`: `-1` is one, too. NULL: it is none.
const Const *ty_constant(Arena *a, const Expr *e);

// What a type is made of at once, but for a callable's result and what is placed.
TyList      ty_parts(const Ty *t);
// Its type variables, each once, in the order in which they come.
SymList     ty_vars(Arena *a, const Ty *t);
// The type with these in place of its variables, all at once: what they are in `by` stays.
const Ty   *ty_apply(Arena *a, const Ty *t, SymList vars, TyList by);

#endif
