// assigned.h - what the files about definite assignment share.

#ifndef PYCHORAL_TYPECHECK_ASSIGNED_H
#define PYCHORAL_TYPECHECK_ASSIGNED_H

#include "typecheck/internal.h"

typedef Vec(const Expr *) Reads;

// What is assigned wherever a loop is left by `break`.
typedef struct Left { bool *set; bool dead; } Left;

// A nested function or class. Several may share a name.
typedef struct Inner {
    const Stmt   *def;
    size_t        other;    // the number + 1 of the fact that its name stands for something else
    Reads         reads;    // which variables may have no value where it is defined
    Reads         calls;    // of a module: which functions it calls
    bool          visiting;
    struct Inner *next;     // of the same name
    struct Inner *before;   // of any name
} Inner;

// Of a module, only names that are bound in some arm, or deleted, are followed through the arms;
// any other has no value `later` on, and then has one.
typedef struct Flow {
    Program *p;
    Table   *inners;        // Sym -> Inner
    Inner   *last;
    Table   *deleted;       // Sym -> not NULL: it is deleted somewhere
    Table   *homes;         // Sym -> const Expr *: where a loop first binds it
    Table   *roaming;       // Sym -> const Expr *: where loops bind it at other roles
    bool     named;         // there is a `:=`
    Table   *index;         // Sym -> number of the variable + 1
    size_t   count;
    bool    *set;           // which variables surely have a value here
    bool     dead;          // nobody gets here
    StmtList body;          // of a function
    bool     ranked;        // its roles have branches of their own: reported
    Left    *left;          // of the innermost loop
    size_t   depth;         // of compound statements around
    bool     module;
    Table   *later;         // Sym -> not NULL: it is bound further below
    Table   *own;           // what the class around binds; NULL: none
} Flow;

// ---- assigned.c ----
const Stmt *assigned_definition(const Stmt *s);     // NULL if it is none
Sym    assigned_name(const Stmt *def);
void   assigned_note(Flow *f, Sym name);            // a variable that is followed
void   assigned_note_inner(Flow *f, const Stmt *def);
void   assigned_note_deleted(Flow *f, StmtList body);
void   assigned_set(Flow *f, Sym name);
bool   assigned_lacks(const Flow *f, Sym name);
void   assigned_read(Flow *f, const Expr *name);
void   assigned_help(const Flow *f, Diag *d, Sym name);      // how it gets a value
void   assigned_read_all(Flow *f, ExprList list);
void   assigned_flow(Flow *f, StmtList body);

// ---- assigned_module.c ----
void   assigned_module_call(Flow *f, const Expr *function);     // of a function, by its name
void   assigned_module_definition(Flow *f, const Stmt *def);    // what is evaluated at once
void   assigned_module_simple(Flow *f, const Stmt *s);

#endif
