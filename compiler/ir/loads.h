// loads.h - what the statements of a program's modules change and read while they load, and what of
// that the code of each role may read: facts of the checker for projection.
//
// A *thing* is an object, or a field of one, that a statement changes which did not make it. Who
// needs what another statement makes needs its names; for a change there need not be any name.

#ifndef PYCHORAL_IR_LOADS_H
#define PYCHORAL_IR_LOADS_H

#include <stddef.h>
#include <stdint.h>

#include "compiler/base/intern.h"

typedef struct Things { const uint32_t *at; size_t len; } Things;

typedef struct Load { uint32_t start; Things changes, reads; } Load;    // start: of the statement
typedef struct Sight { Sym role; Things reads; } Sight;                 // of code that it runs

typedef struct Loads {
    size_t       things;            // they are numbered from 0
    const Load  *at;
    size_t       len;
    const Sight *roles;
    size_t       role_count;
} Loads;

#endif
