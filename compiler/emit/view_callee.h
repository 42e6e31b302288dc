// view_callee.h - which definition a call in a diagram runs, and which roles of the entry play its
// roles. A call of a parameter runs the argument; a call of a variable runs the value that is
// assigned to it, if the program assigns it once.

#ifndef PYCHORAL_EMIT_VIEW_CALLEE_H
#define PYCHORAL_EMIT_VIEW_CALLEE_H

#include "compiler/base/table.h"
#include "ir_gen.h"

// All choreographies of a module, by name.
typedef struct ViewChoreos {
    Arena   *arena;
    Names   *names;
    StmtList module;
    Table   *functions, *classes;       // name -> Choreo
} ViewChoreos;

// A choreography that is being followed.
typedef struct ViewFrame {
    const struct ViewFrame *outer;      // the one that calls it
    const struct ViewFrame *around;     // the one whose body defines it; NULL: the module
    const Stmt *def;
    SymList formals, actuals;           // actuals are roles of the entry
    int     depth;
    int     number;                     // no other body has it
    Table  *types;                      // what its type variables stand for
    Table  *values;                     // each local name -> the ViewValue that it stands for
    Table  *nested;                     // name -> Choreo, of those that were met
} ViewFrame;

typedef enum ViewFound {
    VIEW_FOUND,
    VIEW_SILENT,                // no message: it communicates nothing, or is not written at all
    VIEW_UNKNOWN,               // it depends on the run
} ViewFound;

ViewChoreos view_choreos(Arena *a, Names *names, StmtList module);

// The roles of the entry that play these roles of a frame.
SymList view_roles(Arena *a, const ViewFrame *frame, SymList roles);

// Gives in *frame that of the entry, which has no caller. A frame stays where it is while it and
// what it calls are followed.
void view_entry(const ViewChoreos *c, const Stmt *choreo, ViewFrame *frame);

// Gives in *callee the frame of what `call`, in `frame`, runs. If it is unknown, only `actuals` is
// given: who may take part.
ViewFound view_callee(const ViewChoreos *c, const ViewFrame *frame, const Expr *call,
                      ViewFrame *callee);

// Whether the frames are of one definition, with the same functions and classes of objects as
// arguments, so that the one does what the other does.
bool view_same_body(const ViewChoreos *c, const ViewFrame *x, const ViewFrame *y);

#endif
