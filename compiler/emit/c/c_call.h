// c_call.h - what the files about calls and attributes share.

#ifndef PYCHORAL_EMIT_C_CALL_H
#define PYCHORAL_EMIT_C_CALL_H

#include "compiler/emit/c/c_internal.h"

// c_call.c
CFunction  *c_method_function(CEmit *c, CMethod *m);
CClass     *c_class_named(CEmit *c, const Expr *e);         // `C` of `C.make()`; NULL: no class
// What `make` gives of a part of a union, for the part that the value is.
typedef Value OfPart(CEmit *c, const Expr *e, const Expr *base);
Value       c_over_parts(CEmit *c, const Expr *e, const Expr *base_expr, Value base, OfPart *make);

// c_attribute.c: the last arm of what was asked of a value of any class: it has no such thing.
void        c_no_attribute(CEmit *c, Value place, Sym name);

// c_spread.c
bool        c_has_star(ExprList args);
Value       c_gathered(CEmit *c, ExprList args, const Rep *rep);
ExprList    c_with_parts(CEmit *c, ExprList args);
Value       c_spread_item(CEmit *c, Value list, size_t at, const Rep *rep, const Expr *otherwise,
                          CFunction *f, size_t index);
void        c_check_spread(CEmit *c, const CFunction *f, Value list, size_t from, size_t required,
                           size_t room, bool any_number);

// c_builtin.c
Value       c_nothing(CEmit *c);                            // None
const char *c_refs_of(CEmit *c, ExprList args);             // an array of PychoralRefs, or NULL
// A builtin that is more than a row of c_prim; false: it is none.
bool        c_special_call(CEmit *c, const Expr *e, Sym name, Value *out);

// c_generic.c: what stands for the type variables of a function; NULL: it has none. `call` NULL: it
// is a value.
Table      *c_solve_types(CEmit *c, const Stmt *def, const Expr *callee, const Expr *call);

#endif
