// settled.h - names of a module that mean one thing.

#ifndef PYCHORAL_PASS_AD_SETTLED_H
#define PYCHORAL_PASS_AD_SETTLED_H

#include "compiler/base/diag.h"
#include "compiler/base/intern.h"
#include "ir_gen.h"

// Refuses what `function` reaches and what a derivative would read wrongly: names of the linked
// program that are bound again, in some arm only, or deleted, and functions with decorators.
void settled_check(Arena *a, Names *names, Diags *diags, const Unit *linked, Sym function);

#endif
