// prune.h - takes parameters and names out of the sweeps that nothing reads.

#ifndef PYCHORAL_AD_PRUNE_H
#define PYCHORAL_AD_PRUNE_H

#include "compiler/pass/ad/sweep.h"

typedef struct Pruned Pruned;
typedef Vec(Pruned *) PrunedList;

// Adds the last function of a unit: it may lose what it does not need. `inner`: only the unit calls
// it, so that parameters may go, too. `again`: it is a way back; what it reads was read before.
void prune_add(PrunedList *list, const Sweep *s, const AdBlock *unit, bool inner, bool again);

// The unit without what is not needed.
StmtList prune_unit(const Ad *ad, StmtList unit, const PrunedList *functions);

#endif
