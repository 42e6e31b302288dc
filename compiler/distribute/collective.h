// collective.h - the collective check: no process makes a collective operation that another does
// not make with it.

#ifndef PYCHORAL_DISTRIBUTE_COLLECTIVE_H
#define PYCHORAL_DISTRIBUTE_COLLECTIVE_H

#include "compiler/distribute/distribute.h"

// Reports E1119 at each branch, loop bound, handler or early exit that depends on the rank, or on
// the process's share of the data, and decides about a collective. Gives how many there are.
size_t collective_check(const DistributeCx *cx);

#endif
