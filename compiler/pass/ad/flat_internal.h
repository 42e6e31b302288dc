// flat_internal.h - what the files of the pass share.
//
// A value is flattened to what may stand on the right of an assignment; the statements that it
// takes go in front, to `out`.

#ifndef PYCHORAL_AD_FLAT_INTERNAL_H
#define PYCHORAL_AD_FLAT_INTERNAL_H

#include "compiler/pass/ad/flat.h"

// The whole program.
typedef struct Flat {
    Ad     ad;
    const Stmt *root;           // the function that is asked for
    Table *functions;           // name -> its FunctionDef in the desugared unit
    Table *imports;             // name -> what it is, as `math.exp`
    Table *globals;             // name -> the value that it is given once, an Expr
    Table *records;             // class of a closure -> its FlatRecord
    size_t record_count;
    Table *as_records;          // functions as values -> theirs (flat_closure.c)
    AdNames wanted;             // variants whose types wait for those of the program
    bool   typed;
    Table *variants;            // of functions that are differentiated inside (flat_nested.c)
    Table *refs, *ref_classes;  // what a Ref holds -> its class; these classes
    Table *values;              // text of a type -> the class that stands for it, a Ty
    Table *helpers;             // name and type of item -> a function of list.def
    Table *tys;                 // Ty -> the same with these classes
    Table *reached;             // FunctionDef -> itself: on `todo`, or done
    Vec(const Stmt *) todo;
    AdBlock done;               // flat functions
    AdBlock classes;
} Flat;

// A truth that stands for a jump: set where the jump was. Only what is asked is kept.
typedef struct Flag {
    Sym  name;
    bool asked;
} Flag;

typedef struct Loop {
    const struct Loop *outer;
    Flag *stop, *skip;          // for `break` and `continue`
} Loop;

typedef struct Attempt Attempt;     // a `try` (flat_try.c)
typedef struct Open Open;

// Where statements go.
typedef struct FlatPlace { AdBlock *out; Open *open; } FlatPlace;

// One function.
typedef struct Fun {
    Flat   *flat;
    const Stmt *def;
    Table  *taken;              // all names
    Table  *locals;             // name -> its Ty, of variables and parameters
    Table  *parts;              // a tuple that is never made -> ExprList * of its parts
    AdBlock *out;
    Flag    returned;
    Vec(Flag *) flags;
    Sym     value;              // what is returned
    const Ty *result;
    const Loop *loop;
    const Attempt *attempt;     // the innermost `try`
    Open   *open;               // tests in whose arm the present statement is
    size_t  raises;             // jumps to handlers so far
    size_t  errors;             // reported before this function
} Fun;

// ---- flat_method.c ----
// Methods of dataclasses as functions of their modules, and calls of them.
EndpointList flat_methods(Ad *ad, EndpointList modules);

// ---- reports ----

Diag *flat_refuse(Fun *f, Span at, const char *format, ...)     // E0902: a construct
      __attribute__((format(printf, 3, 4)));
Diag *flat_refuse_type(Fun *f, Span at, const char *format, ...)    // E0903
      __attribute__((format(printf, 3, 4)));
void flat_check_type(Fun *f, Span at, const Ty *t);         // of a variable
const char *flat_ty_text(Fun *f, const Ty *t);

// ---- expressions (flat_expr.c) ----

const Expr *flat_value(Fun *f, const Expr *e);      // what may stand on the right
// if TEST: raise ValueError(TEXT)
void flat_raise_if(Fun *f, const Expr *test, const char *text);
const Expr *flat_atom(Fun *f, const Expr *e);
const Expr *flat_named(Fun *f, const Expr *value);  // what is flat already, by a name
const Expr *flat_test(Fun *f, const Expr *e);       // a truth that is read once
const Expr *flat_settled(Fun *f, const Expr *e);    // the same where it is read again later
const Expr *flat_argument(Fun *f, const Expr *e);   // of a call: an atom, or discrete
const Expr *flat_place(Fun *f, const Expr *target); // of a store: `o.f`, `xs[i]`
// An atom for a place of this type: where the place is of floats, an int gets a name that is one.
const Expr *flat_part(Fun *f, const Expr *e, const Ty *place);
void flat_put(Fun *f, Sym name, const Expr *value);
void flat_effect(Fun *f, const Expr *e);            // an expression statement
bool flat_is_plain_method(const Expr *func);
bool flat_calls(const Fun *f, const Expr *e);       // whether it does more than compute

// ---- tuples and floats that may be None (flat_value.c) ----

const Ty   *flat_ty(Flat *flat, const Ty *t);
const Stmt *flat_typed(Flat *flat, const Stmt *s);      // with these types
void flat_type_classes(Flat *flat);
const Expr *flat_held(Fun *f, const Expr *e, const Ty *held);   // what a place of that type gives
const Expr *flat_read(Fun *f, const Expr *e);       // a place or question whose parts are made
const Expr *flat_as(Fun *f, const Expr *e, const Ty *want);     // the value as a place holds it
const Expr *flat_as_list(Fun *f, const Expr *e);    // a tuple that is gone through
void flat_check_truths(Fun *f);
bool flat_is_int(const Expr *e, long *i);        // a constant

// ---- lists (flat_helper.c) ----

// A call of a function of list.def; the first atom is a list.
const Expr *flat_helper(Fun *f, Span at, const char *name, size_t n, const Expr *const *atoms);
const Expr *flat_list_method(Fun *f, const Expr *e, const Expr *list);  // NULL: not known
const Expr *flat_list_builtin(Fun *f, const Expr *e);                   // the same
bool flat_is_list_operation(const Expr *e);         // an operator, a slice, `in`
const Expr *flat_list_operation(Fun *f, const Expr *e);
void flat_list_delete(Fun *f, const Expr *target);
void flat_list_splice(Fun *f, const Expr *target, const Expr *value);   // `xs[i:j] = ys`

// ---- calls (flat_call.c) ----

bool flat_is_control(const Fun *f, const Expr *e);       // a call of shift or reset
const Expr *flat_call(Fun *f, const Expr *e);
const char *flat_primitive(const Fun *f, const Expr *func);     // as in partial.def; or NULL

// ---- statements (flat_stmt.c) ----

void flat_block(Fun *f, StmtList body);
void flat_function(Flat *flat, const Stmt *def);

// ---- local functions (flat_local.c) ----

const Stmt *flat_lifted(Flat *flat, const Stmt *def);   // the same function without them

// ---- tuples (flat_tuple.c) ----

const Stmt *flat_apart(Flat *flat, const Stmt *def);    // the same function with fewer of them

// ---- exceptions (flat_try.c) ----

// Statements go to another block from here on, until flat_back_to.
FlatPlace flat_into(Fun *f, AdBlock *block);
void flat_back_to(Fun *f, FlatPlace place);

// Of a primitive or operator with these atoms: in a `try`, the tests for what a handler takes.
void flat_guard(Fun *f, Span at, const char *primitive, size_t n, const Expr *const *args);
void flat_guard_operator(Fun *f, Span at, Operator op, const Expr *left, const Expr *right);
bool flat_may_raise(const Fun *f, const Expr *e);           // in a `try`
bool flat_block_may_raise(const Fun *f, StmtList body);
bool flat_raise(Fun *f, const Stmt *s);     // goes to its handler; false: it leaves the function
const Expr *flat_not_raised(Fun *f, Span at, const Expr *test);     // and the test, if any
// Behind a compound statement: what follows is done where nothing was raised since `raises`.
void flat_go_on(Fun *f, Span at, size_t raises);
StmtList flat_try(Fun *f, const Stmt *s);   // gives what is done behind its body

// ---- loops (flat_loop.c) ----

void flat_for(Fun *f, const Stmt *s);
void flat_while(Fun *f, const Stmt *s);
bool flat_assigns(StmtList body, Sym name);
bool flat_reads(StmtList body, Sym name);
StmtList flat_arm(Fun *f, StmtList body, const Loop *loop);     // a block of its own
Flag *flat_flag(Fun *f, const char *name);

#endif
