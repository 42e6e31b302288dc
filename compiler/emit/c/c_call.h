// c_call.h - what the files about calls and attributes share.

#ifndef PYCHORAL_EMIT_C_CALL_H
#define PYCHORAL_EMIT_C_CALL_H

#include "compiler/emit/c/c_internal.h"

// c_call.c
CFunction  *c_method_function(CEmit *c, CMethod *m);
// The same for objects of a class: an enum has its own of the methods that it has from others.
CFunction  *c_method_on(CEmit *c, const CMethod *m, CClass *k);
CClass     *c_class_named(CEmit *c, const Expr *e);         // `C` of `C.make()`; NULL: no class
// What `make` gives of a part of a union, for the part that the value is.
typedef Value OfPart(CEmit *c, const Expr *e, const Expr *base);
Value       c_over_parts(CEmit *c, const Expr *e, const Expr *base_expr, Value base, OfPart *make);

const Expr *c_on_first(CEmit *c, const Expr *call);

// c_attribute.c: the last arm of what was asked of a value of any class: it has no such thing.
void        c_no_attribute(CEmit *c, Value place, Sym name);
Value       c_has_attribute(CEmit *c, const Expr *call);    // hasattr(object, "name")
Value       c_get_attribute(CEmit *c, const Expr *call);    // getattr(object, "name", otherwise)
// Assigns a value of its type to what is open; nothing where the type has no values.
void        c_put_into(CEmit *c, Value out, Value v);

// c_class_value.c: of a class that is a value
ExprList    c_classes_named(CEmit *c, const Expr *e);       // (A, B), A | B, and names of these
const Expr *c_meant(CEmit *c, const Expr *e);               // what the name stands for; or itself
Value       c_call_class(CEmit *c, const Expr *call, Value class_);     // kind("x")
Value       c_call_of_class(CEmit *c, const Expr *call, Value class_);  // kind.make()
Value       c_attribute_of_class(CEmit *c, const Expr *e, Value class_);
CClass     *c_only_class(CEmit *c, const Expr *e);          // that it may be; NULL: of several

// c_super.c
bool        c_is_super(const Expr *e);
Value       c_call_super(CEmit *c, Span at, Sym name, ExprList args, KeywordList keywords);
Value       c_super_attribute(CEmit *c, const Expr *e);

// c_star_args.c
bool        c_has_star(ExprList args);
bool        c_has_open_star(CEmit *c, ExprList args);      // of how many, shows when it is there
Value       c_gathered(CEmit *c, ExprList args, const Rep *rep);
ExprList    c_with_parts(CEmit *c, ExprList args);
// Whether a parameter of a builtin of this code takes `*rows`, and its arguments: "count, array".
bool        c_can_spread(const char *code);
const char *c_spread(CEmit *c, const char *code, ExprList args);

// c_bind.c: which argument is which parameter's.
typedef enum CParamKind {
    PARAM_POSITIONAL, PARAM_EITHER, PARAM_REST, PARAM_KEYWORD, PARAM_NAMED
} CParamKind;

typedef struct CParam {
    CParamKind  kind;
    Sym         name;
    const Rep  *rep;
    const Expr *otherwise;      // its default; NULL: none
    enum { GIVEN_NOT, GIVEN_BY_PLACE, GIVEN_BY_NAME } given;
    Value       v;
} CParam;

typedef struct CCallee {
    const char *module, *shown; // as messages name it
    CParam     *params;
    size_t      count;
    bool        stores;         // it does nothing with the arguments but keep them
    void       *of;             // for `otherwise`
    Value     (*otherwise)(CEmit *c, const struct CCallee *callee, size_t i);
} CCallee;

CCallee     c_callee(CEmit *c, CFunction *f);               // `of` is the function
void        c_give(CParam *p, Value v);
// Evaluates the arguments in Python's order: all parameters have a value then, as C passes it.
bool        c_bind(CEmit *c, Span at, CCallee *callee, ExprList args, KeywordList keywords);

// c_object.c
Value       c_construct_exception(CEmit *c, ExprList args, CClass *k, const char *row);
// The parameters of a class's constructor, `self` first. False: it has none of its own.
bool        c_constructor_callee(CEmit *c, CClass *k, CCallee *out);

// c_dispatch.c
// Arguments that are evaluated once, for calls of several functions. `like`: a callee whose
// parameters say what displays are wanted as; NULL: not known. The first `skip` are given already.
ExprList    c_settle_args(CEmit *c, ExprList args, const CCallee *like, size_t skip);
KeywordList c_settle_keywords(CEmit *c, KeywordList keywords, const CCallee *like);
void        c_put_result(CEmit *c, Value out, Value v, Span at);
Value       c_object_as(CEmit *c, const char *pointer, CClass *k);  // as one of that class
Value       c_call_by_protocol(CEmit *c, const Expr *call, Value self, Sym name);
// Where derived classes have the method with other parameters, or it is a class method or a static
// one: a call that looks at the object's class. False: it needs none.
bool        c_call_of_derived(CEmit *c, Span at, CMethod *m, Value self, ExprList args,
                              KeywordList keywords, Value *result);

// c_replace.c
// dataclasses.replace(object, field=value); false: it is none.
bool        c_replace(CEmit *c, const Expr *e, Sym name, Value *out);

// c_builtin.c
Value       c_nothing(CEmit *c);                            // None
Value       c_type_of(CEmit *c, const Expr *e);             // type(e)
const char *c_refs_of(CEmit *c, ExprList args);             // an array of PychoralRefs, or NULL
// A builtin that is more than a row of c_prim; false: it is none.
bool        c_special_call(CEmit *c, const Expr *e, Sym name, Value *out);

// c_generic.c: what stands for the type variables of a function; NULL: it has none. `call` NULL: it
// is a value.
Table      *c_solve_types(CEmit *c, const Stmt *def, const Expr *callee, const Expr *call);
// The function for what stands for them; NULL: it needs itself with ever deeper types, `refused`.
CFunction  *c_generic_function(CEmit *c, Span at, const Stmt *def, Table *types, Value *refused);

#endif
