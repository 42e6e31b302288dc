// sweep.h - what the files of reverse mode share: the names of a function, what is kept of them,
// and their cotangents.

#ifndef PYCHORAL_AD_SWEEP_H
#define PYCHORAL_AD_SWEEP_H

#include <stdint.h>

#include "compiler/pass/ad/ad.h"

typedef struct NameSet { uint64_t *words; } NameSet;        // of the names of one function

// What the program assigns: kinds of places, by class and field and by the elements of lists.
typedef struct Changes {
    const Ad *ad;
    Table    *places;
    bool      all;              // a place that is not known
} Changes;

// How the way back gets, where a block ends, the block's own names that it reads.
typedef struct AtEnd {
    SymList  kept;
    StmtList again;             // assigned again, behind those that are taken off the tape
} AtEnd;

// What is kept around a statement or block.
typedef struct Plan {
    bool    keep;               // an assignment: the value that it overwrites
    AtEnd   at_end[2];          // of a loop's body, or of the arms of an `if`
    Sym     rounds;             // of a `while`: how often it ran
} Plan;

// Of a statement about twins: the way back has nothing to do for it, or puts `old` in again.
typedef struct TwinPart { Sym old; } TwinPart;

// One function on its way to two sweeps.
typedef struct Sweep {
    const Ad *ad;
    Table    *functions;        // of the unit: name -> FunctionDef
    const Changes *changes;     // of the unit
    const Stmt *def;
    StmtList  body;             // without the Return
    const Expr *result;         // what is returned
    bool      pair;             // the sweeps are two functions
    struct Flat *flat;          // of a function inside a function (flat_nested.c)
    Table    *outside;          // its names of objects that are not its own; NULL: not inside
    bool      tangent;          // one way: cotangents are tangents, and floats have them as twins
    Table    *taken;
    Table    *index;            // name -> its number, from 1
    AdNames   vars;
    Vec(const Ty *) types;
    size_t    words;
    NameSet   still, remade;    // as `sweep_find_remade` says
    NameSet   scratch;          // of one statement
    Table    *own;              // the statements of a block -> its own names: NameSet *
    uint32_t *tally;            // how often each name occurs in the body
    Table    *plans;            // Stmt -> Plan
    AtEnd     at_end;
    AdNames   unset;            // kept where nothing may be assigned yet: begin as zeros
    Table    *active;           // names that carry derivatives
    Table    *twins;            // Stmt -> its TwinPart
    Table    *cotangents;       // name -> the name of its cotangent
    Table    *cotangent_of;     // and back
} Sweep;

// ---- names (names.c) ----

void    sweep_names(Sweep *s);
size_t  sweep_index(const Sweep *s, Sym name);          // from 0; SIZE_MAX: no variable
NameSet set_new(const Sweep *s);
NameSet set_copy(const Sweep *s, NameSet of);
void    set_add(NameSet set, size_t i);
void    set_remove(NameSet set, size_t i);
bool    set_has(NameSet set, size_t i);
bool    set_join(const Sweep *s, NameSet into, NameSet from);   // whether it grows
void    set_meet(const Sweep *s, NameSet into, NameSet with);

void set_add_reads(const Sweep *s, NameSet set, const Expr *e);
NameSet names_in(const Sweep *s, StmtList body);        // all that occur
NameSet names_assigned(const Sweep *s, StmtList body);
NameSet names_exposed(const Sweep *s, StmtList body);   // read before the block assigns them
// Those that occur nowhere but in the block, and whose value at its start is not read.
NameSet names_own(Sweep *s, StmtList body);

const Ty *sweep_ty(const Sweep *s, Sym name);
bool sweep_is_active(const Sweep *s, const Expr *e);    // an active float name
Sym  sweep_cotangent(Sweep *s, Sym name);
Sym  sweep_name_of(const Sweep *s, Sym cotangent);      // NULL: it is none

// The body with a count of the rounds of each `while`, which its Plan names.
StmtList sweep_count_rounds(Sweep *s, StmtList body);

// ---- what is made again (remake.c) ----

void changes_find(Changes *c, const Ad *ad, StmtList unit);
bool changes_has(const Changes *c, const Expr *place);     // `o.f`, `xs[i]`

// `remade`: assigned once, to a place that is never changed, and which names that are `still` or
// remade themselves lead to. `still`: the value of the name where it is read is its value at the
// end of every block around that place, without being kept.
void sweep_find_remade(Sweep *s);

// ---- what is kept (keep.c) ----

void  sweep_plan(Sweep *s);
TwinPart *sweep_twin_part(const Sweep *s, const Stmt *stmt);    // NULL: it is about no twin
Plan *sweep_plan_of(const Sweep *s, const Stmt *stmt);

// The primitive of a right side that is one, with its arguments; NULL: it is none.
const Partial *sweep_primitive(const Sweep *s, const Expr *value, ExprList *arguments);
const Stmt *sweep_callee(const Sweep *s, const Expr *value);    // a function of the unit; or NULL

// ---- twins (twin.c) ----

StmtList    twin_block(Sweep *s, StmtList body);
const Expr *twin_name(Sweep *s, const Expr *name);
// Of an atom or place that is a reference; of a float 0.0 or its tangent; else itself.
const Expr *twin_value(Sweep *s, const Expr *e);
const Expr *twin_made(Sweep *s, const Expr *value);         // of what is made, taken or read
const Expr *twin_method(const Sweep *s, const Expr *value); // the list of a method call; or NULL
ExprList    twin_parameters(Sweep *s, const Stmt *def);     // those that have twins
void        twin_inputs(Sweep *s, const Stmt *def, bool copies, AdBlock *out);

// ---- products and sums (back.c) ----

const Expr *sweep_times(const Ad *ad, const Expr *x, const Expr *partial);
const Expr *sweep_plus(const Ad *ad, const Expr *x, const Expr *y);
// With respect to argument i; NULL: nothing flows. `result` has the value after the operation.
const Expr *sweep_partial(const Sweep *s, const Partial *p, ExprList args, size_t i,
                          const Expr *result);

// ---- the one way (tangent.c) ----

StmtList sweep_tangent(Sweep *s, StmtList body);
void sweep_variant_call(Sweep *s, const Stmt *stmt, AdBlock *out);      // inside
Sym sweep_tangent_name(const Ad *ad, Sym function);
const Ty *sweep_with_tangent(const Ad *ad, const Ty *ty);   // what such a function answers

// ---- the two ways (there.c, back.c) ----

StmtList sweep_there(Sweep *s);
// With the cotangent of the result; gives the cotangents of the parameters that have one.
StmtList sweep_back(Sweep *s, const Expr *result_cotangent, ExprList *of_parameters);

Sym sweep_there_name(const Ad *ad, Sym function);
Sym sweep_back_name(const Ad *ad, Sym function);

#endif
