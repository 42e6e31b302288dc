// typecheck.h - judging: names, roles, local types, communication effects.
//
// The pass `check` turns a parsed unit into one in which every role question is decided
// (compiler/IR.md, "After check"), or reports why it cannot be.

#ifndef PYCHORAL_TYPECHECK_H
#define PYCHORAL_TYPECHECK_H

#include "compiler/base/diag.h"
#include "compiler/base/loader.h"
#include "ir_gen.h"

// Reads a module's text, as front_parse does.
typedef const Unit *TypecheckParse(Arena *a, Names *names, const Source *source, Diags *diags);

typedef struct TypecheckFacts {
    UnitList *interfaces;           // of a library that is clean: of each part; NULL: nobody asks
    const struct Loads *loads;      // what statements do while they load (ir/loads.h), or NULL
} TypecheckFacts;

// Checks a module. `parse` reads stubs; `loader` finds stub files beside it and on the search path.
// `entry` names the entry function (NULL: there is none); a module without it is a library. Always
// gives a unit; it means something only if no error was reported. A definition whose own body has
// errors is left out of it, so that projection can go on with the clean ones.
// `facts` (NULL is fine) gets what later passes need to know besides.
const Unit *typecheck_unit(Arena *a, Names *names, const Source *source, const Loader *loader,
                           TypecheckParse *parse, const Unit *unit, Sym entry,
                           TypecheckFacts *facts, Diags *diags);

// Gives the types of the programs of the roles, as Python's typing has them at each place
// (compiler/IR.md, "After type"). `projected` is what projection made of a unit without errors;
// its modules are typed, too. `real`: a power of floats is a float. Reports nothing.
const Unit *typecheck_endpoints(Arena *a, Names *names, const Source *source, const Loader *loader,
                                TypecheckParse *parse, const Unit *projected, bool real);

// Reports what a plain function reads of its variables where they may have no value: for a target
// that cannot see that they have none.
void typecheck_assigned(Arena *a, Diags *diags, const Stmt *def);

#endif
