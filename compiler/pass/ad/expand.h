// expand.h - derivatives in a program: where a choreography uses them, and of choreographies.

#ifndef PYCHORAL_PASS_AD_EXPAND_H
#define PYCHORAL_PASS_AD_EXPAND_H

#include "compiler/pass/pass.h"

// In front of the checker: what stands behind it sees ordinary local code.
const Unit *expand_unit(PassCx *cx, const Unit *linked);

// Behind the checker, of the program with roles: projection and the central run take what it gives.
const Unit *grad_unit(PassCx *cx, const Unit *checked);

#endif
