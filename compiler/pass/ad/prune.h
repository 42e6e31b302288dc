// prune.h - takes out of the sweeps what they do not need: parameters, and names that nothing reads.

#ifndef PYCHORAL_AD_PRUNE_H
#define PYCHORAL_AD_PRUNE_H

#include "compiler/pass/ad/ad.h"

// A function of a unit while it is pruned.
typedef struct Pruned {
    const Stmt *def;
    bool   inner;               // only the unit calls it: parameters may go
    bool   again;               // a way back: what it reads was read on the way there
    Table *twins;               // statements that are about twins
    Table *twin_of;             // parameter -> its twin, where nothing assigns either
    Table *needed;              // names
    Table *by_twin;             // an `if` -> the twin that its test may ask
} Pruned;

typedef Vec(Pruned *) PrunedList;

// The unit without what is not needed. Of a function that is not in the list nothing is known.
StmtList prune_unit(const Ad *ad, StmtList unit, const PrunedList *functions);

#endif
