// pass.h - runs the pipeline of pass.def and checks what each pass answers.
//
// The library does no input or output: whoever wants to see a unit, or to know how long a pass
// took, gives an observer, which is called after every pass.

#ifndef PYCHORAL_PASS_H
#define PYCHORAL_PASS_H

#include <stdbool.h>

#include "compiler/base/diag.h"
#include "compiler/base/intern.h"
#include "compiler/base/loader.h"
#include "compiler/base/source.h"
#include "ir_gen.h"

typedef enum PassId {
#define PASS(id, name, after, function, needs, removes, adds, summary) PASS_##id,
#include "compiler/pass/pass.def"
#undef PASS
    PASS_COUNT,
    PASS_NONE = PASS_COUNT,     // what the first row comes after
} PassId;

// GRAD_ARRAY: GRAD_REVERSE by the passes of array functions, whatever the parameters are.
typedef enum GradMode { GRAD_REVERSE, GRAD_TANGENT, GRAD_ARRAY, GRAD_TERM } GradMode;

// What `pychoralc grad` is asked for.
typedef struct GradRequest {
    Sym      function;
    Span     at;                // where it is asked for; of a command line: nowhere
    GradMode mode;
    int      term;              // of GRAD_TERM: one of the seven, a Mode (ad/mode.h)
    SymList  wrt;               // parameters; none: all that hold floats
    bool     sparse;            // Jacobians as rows, columns, values
    bool     split;             // the two sweeps as two functions
    bool     c;                 // in C, where a variable without a value is not noticed
} GradRequest;

// One compilation: what every pass is given, and what the passes have made so far.
typedef struct PassCx {
    Arena  *arena;
    Names  *names;
    Diags  *diags;
    const Source *source;
    const Loader *loader;       // of imported modules; NULL: there are none
    Sym     entry;              // the name of the entry function
    const char *entry_from;     // the module of the program that `entry` is imported from, or NULL
    Sym     entry_class;        // of an entry `C.method`: what `entry` is made from (entry.h);
    Sym     entry_method;       // NULL: it is a function
    bool    plain;              // plain Python is compiled, choreographies or not, as a library
    const struct Widening *widening;    // what `widen` does (int_or_float.h); NULL: nothing
    const GradRequest *grad;            // NULL: nothing is differentiated
    bool  unseen;                       // nothing but the last unit is looked at
    struct ArrayProgram *array;         // what the passes behind `stage` rewrite; NULL: nothing
    bool    verify;             // check the forms after each pass
    void   *observer;
    void  (*observe)(void *observer, PassId id, const Unit *unit);     // NULL is fine

    const struct LinkedModule *linked;  // the modules of the program (link.h), none if it is one
    size_t      linked_count;
    UnitList    interfaces;             // of a library: of each part of the source
    const struct Loads *loads;          // what statements do while they load (ir/loads.h)
    Sym         module;                 // what others would import the main module as

    size_t      unread;                 // errors of the parse
    const Unit *units[PASS_COUNT];      // the answer of each pass that was run
    const char *broken_form;            // a pass answered a form that it must not: an internal
    PassId      broken_pass;            // error; no pass runs after it
} PassCx;

const char *pass_name(PassId id);
const char *pass_summary(PassId id);
PassId      pass_after(PassId id);      // the row whose unit it takes, or PASS_NONE
const Unit *pass_before(const PassCx *cx, PassId id);   // that unit, if it has been made
bool        pass_find(const char *name, PassId *id);

// Runs the passes on the way from the first row of the tree to `last`, but not again those that
// have been run. After a parse with errors a choreography is checked without what could not be read
// and all that uses it; nothing else goes on then. Goes on after a check with errors, so that
// projection judges what is clean. Gives true if the last pass was run, no error was reported and
// no pass broke the rules.
bool pass_run(PassCx *cx, PassId last);

// Forgets the unit of a row and all that was made of it: pass_run makes them again.
void pass_drop(PassCx *cx, PassId id);

#endif
