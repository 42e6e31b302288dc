// activity.h - which names of a function carry derivatives: a name is active if it depends on an
// input, and the result on it. Calls and cells are taken to depend on all that goes in.

#ifndef PYCHORAL_AD_ACTIVITY_H
#define PYCHORAL_AD_ACTIVITY_H

#include "compiler/pass/ad/diff.h"
#include "compiler/pass/ad/sweep.h"

// Whether the derivative by this parameter is asked for: --wrt names those of the function itself.
bool activity_is_wanted(const GradRequest *r, const Sweep *s, Sym name);

// Fills `active` of a sweep whose body, result and variables are there.
void activity_find(const Ad *ad, const GradRequest *r, Sweep *s);

#endif
