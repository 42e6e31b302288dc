// ad.h - what the passes of differentiation share: a context, and nodes with types.

#ifndef PYCHORAL_AD_H
#define PYCHORAL_AD_H

#include "compiler/base/diag.h"
#include "compiler/base/intern.h"
#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/pass/ad/partial.h"
#include "ir_gen.h"

// What makes the twins and the copies of the inputs of a function: with one memo, so that what is
// one object stays one.
#define AD_TWINS  "_twins"
#define AD_COPIES "_copies"
// Of each input and its tangent, in turns: the tangent with the sharing of the input.
#define AD_TANGENTS "_tangents"
// Adds the floats of a cotangent to those of the twin, an object of the same shape.
#define AD_SEEDS "_seeds"

typedef Vec(const Stmt *) AdBlock;
typedef Vec(const Expr *) AdExprs;
typedef Vec(Sym) AdNames;

typedef struct Ad {
    Arena    *arena;
    Names    *names;
    Diags    *diags;
    Partials *partials;
    const Ty *float_, *int_, *bool_, *none;
    Table    *classes;          // name -> the ClassDef of a dataclass
} Ad;

void ad_open(Ad *ad, Arena *a, Names *names, Diags *diags);

// ---- types ----

bool ad_is(const Ty *t, const char *name);              // a class without arguments
bool ad_is_float(const Ty *t);
bool ad_is_discrete(const Ty *t);                       // int, bool, str, None, an enum
bool ad_holds_float(const Ad *ad, const Ty *t);         // itself, or somewhere in it
bool ad_is_reference(const Ad *ad, const Ty *t);        // holds floats and is none
bool ad_is_data(const Ad *ad, const Ty *t);                // a list, or an object that may change
bool ad_has_twin(const Ad *ad, const Ty *t);            // or needs none
// A class that stands for "tuple" or for "float", one that may be None; NULL: it is the program's.
const char *ad_stands_for(const Stmt *class_);
bool ad_is_frozen(const Stmt *class_);
const Ty *ad_list_element(const Ty *t);                 // of list[T]; NULL: it is none

// ---- nodes, each with a type ----

const Expr *ad_typed(const Ad *ad, const Expr *e, const Ty *ty);
const Expr *ad_name(const Ad *ad, Span at, Sym name, const Ty *ty);
const Expr *ad_float(const Ad *ad, Span at, double number);
const Expr *ad_int(const Ad *ad, Span at, long number);
const Expr *ad_bool(const Ad *ad, Span at, bool truth);
const Expr *ad_none(const Ad *ad, Span at);
const Expr *ad_bin(const Ad *ad, const Expr *left, Operator op, const Expr *right, const Ty *ty);
const Expr *ad_not(const Ad *ad, const Expr *e);
const Expr *ad_and(const Ad *ad, const Expr *left, const Expr *right);
const Expr *ad_compare(const Ad *ad, const Expr *left, Cmpop op, const Expr *right);
const Expr *ad_attribute(const Ad *ad, const Expr *base, Sym attr, const Ty *ty);
const Expr *ad_item(const Ad *ad, const Expr *base, const Expr *index, const Ty *ty);
const Expr *ad_call(const Ad *ad, const Expr *func, const Ty *ty, size_t n,
                    const Expr *const *args);
const Expr *ad_call_name(const Ad *ad, Span at, const char *func, const Ty *ty, size_t n,
                         const Expr *const *args);
const Expr *ad_method(const Ad *ad, const Expr *base, const char *method, const Ty *ty, size_t n,
                      const Expr *const *args);
const Expr *ad_annotation(const Ad *ad, Span at, const Ty *t);

const Stmt *ad_assign(const Ad *ad, Sym name, const Expr *value);       // of the value's type
const Stmt *ad_store(const Ad *ad, const Expr *target, const Expr *value);      // any target
const Stmt *ad_increase(const Ad *ad, const Expr *target, const Expr *by);      // target += by

StmtList ad_stmts(const AdBlock *block);
const Endpoint *ad_module(Arena *a, Sym role, StmtList body);       // with nothing beside it
ExprList ad_exprs(const Ad *ad, size_t n, const Expr *const *at);

bool ad_is_atom(const Expr *e);         // a name, a constant, or one of `math`
bool ad_is_name(const Expr *e, Sym name);

// A name that is not taken yet, `base`, `base_2` ..; takes it.
Sym ad_fresh(const Ad *ad, Table *taken, const char *base);

// Whether an expression or a statement list mentions a name.
bool ad_mentions(const Expr *e, Sym name);

#endif
