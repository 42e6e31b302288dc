// settled.h - names of a module that mean one thing.

#ifndef PYCHORAL_PASS_AD_SETTLED_H
#define PYCHORAL_PASS_AD_SETTLED_H

#include "compiler/pass/pass.h"

// Refuses what a function reaches and what a derivative would read wrongly: names of the linked
// program that are bound again, in some arm only, or deleted, and functions with decorators; in C
// also variables that may be read before they have a value.
void settled_check(Arena *a, Names *names, Diags *diags, const Unit *linked,
                   const GradRequest *request);

#endif
