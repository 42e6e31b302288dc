// batch.h - many choreographies in one binary, by number.

#ifndef PYCHORAL_FUZZ_BATCH_H
#define PYCHORAL_FUZZ_BATCH_H

#include "pychoral.h"

// A choreography: the programs of its roles.
typedef struct Choreography {
    unsigned long number;
    const PychoralProgram *const *const *programs;      // of a NULL at the end
} Choreography;

extern const Choreography batch[];      // of the number 0 at the end; fuzz_c.py writes it

#endif
