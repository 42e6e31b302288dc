// flat_closure.h - functions as values, before a program is made flat (defunctionalisation:
// Reynolds, Definitional Interpreters for Higher-Order Programming Languages, 1972).
//
// A lambda or local function that is a value becomes a record of what it captures and a function of
// the program that takes the record first. Which records a value of a function type can be is found
// by unification over the whole program; a call through it is a test on the record's class.

#ifndef PYCHORAL_AD_FLAT_CLOSURE_H
#define PYCHORAL_AD_FLAT_CLOSURE_H

#include "compiler/pass/ad/flat_internal.h"

#define REF_TYPE "pychoral.ad.Ref"

// ---- names (flat_scope.c) ----

// A variable of a function, or of one inside it.
typedef struct FlatVar {
    Sym       name;             // differs from those of the functions around, and of the module
    const Ty *ty;
    const struct FlatScope *scope;
    size_t    stores;
    bool      parameter, captured;
    bool      shared;           // captured, and assigned when the record may have been made
    bool      touched, made;    // mentioned by what has been rewritten; its Ref has been made
    Sym       cell;             // the name of its Ref; NULL: it needs none
} FlatVar;

typedef struct FlatScope {
    const struct FlatScope *outer;
    Table *vars;                // name in the source -> FlatVar
    Vec(FlatVar *) all;
} FlatScope;

// What the names of a function mean.
typedef struct FlatNames {
    Table *of;                  // Name, Arg, FunctionDef -> its FlatVar
    Table *scopes;              // FunctionDef, Lambda -> its FlatScope
    Table *unique;              // the names that they get -> FlatVar
    Table *callees;             // expressions that are called
    Table *taken;               // names
    bool   closures;            // there are functions inside
} FlatNames;

FlatNames flat_resolve(Flat *flat, const Stmt *def);
const Ty *flat_function_ty(const Ad *ad, const Stmt *def);      // a Callable of all parameters

// ---- records (flat_closure.c) ----

typedef struct FlatRecord {
    Sym     class_, function;
    size_t  number;
    bool    self;               // the function takes the record first
    AdNames params;             // behind it, as the source names them
    AdNames defaults;           // fields that are the last of them, where a call leaves them out
} FlatRecord;

const FlatRecord *flat_record(const Flat *flat, Sym class_);    // NULL: it is none
const Stmt *flat_closed(Flat *flat, const Stmt *def);           // without functions as values

typedef Vec(const Arg *) FlatFields;

Sym  flat_free_name(const Flat *flat, const char *base);        // no function or class has it
void flat_add_class(Flat *flat, Span at, Sym name, const FlatFields *fields);
void flat_add_function(Flat *flat, Span at, Sym name, const FlatFields *params, ExprList defaults,
                       StmtList body, const Ty *result);
const Arg *flat_arg(const Ad *ad, Span at, Sym name, const Ty *ty);

FlatRecord *flat_new_record(Flat *flat, Sym function, bool self);

// ---- derivatives inside (flat_nested.c) ----

#define FLAT_JVP "jvp/"         // then a pattern: a call of it answers a value and its tangent

Sym flat_derivative_word(const Flat *flat, const Expr *func);   // `grad` ..; NULL: none of them
const Expr *flat_derivative(Flat *flat, const Expr *e, Sym word);
Sym flat_variant(Flat *flat, Span at, Sym of, const char *pattern);
void flat_variants_typed(Flat *flat);                   // the program has its types
const Stmt *flat_made(const Flat *flat, Sym name);      // the flat function; NULL: not yet
const Stmt *flat_make(Flat *flat, Sym name);

// ---- types (flat_shape.c), and calls (flat_apply.c) ----

typedef enum ShapeForm {
    SHAPE_OPEN,                 // nothing is known yet
    SHAPE_KNOWN,                // a type without functions
    SHAPE_LIST, SHAPE_TUPLE, SHAPE_REF,
    SHAPE_FUNCTION,             // its parts are the result, then the parameters
} ShapeForm;

typedef struct Shape {
    struct Shape *link;         // it is that one
    ShapeForm form;
    const Ty *ty;               // of SHAPE_KNOWN
    bool      found;            // and not declared: an int may turn out to be a float
    bool      clashes;          // two types that do not agree: reported
    struct Shape **at;
    size_t    len, cap;
    Vec(const FlatRecord *) records;
    Table    *calls;            // how many arguments -> the function that asks which record it is
} Shape;

typedef struct Shapes {
    Flat   *flat;
    const Ad *ad;
    Table  *functions;          // name -> FunctionShape
    Table  *fields;             // "Class.field" -> Shape
    Table  *of;                 // Expr -> Shape
    Vec(const Stmt *) reached;  // functions
    struct FunctionShape *current;
    Span    at;                 // of what is unified
    bool    changed, rewrites;
} Shapes;

typedef struct FunctionShape {
    const Stmt *def;
    Table *vars;                // name -> Shape
    Vec(Shape *) params;
    Shape *result;
} FunctionShape;

Shape *shapes_root(Shape *s);
Shape *shapes_part(Shapes *ss, Shape *s, size_t i);
Shape *shapes_of(Shapes *ss, const Expr *e);
const Ty *shapes_ty(Shapes *ss, Shape *s);           // what it is after all
const Ty *shapes_retyped(Shapes *ss, const Ty *ty, Shape *s);
FunctionShape *shapes_function(Shapes *ss, Sym name);    // reaches it; NULL: it is none
const Expr *shapes_rewritten(Shapes *ss, const Expr *e); // a call through a value

// The functions that are reached, without functions as values and without types that are not known.
void flat_first_order(Flat *flat);

#endif
