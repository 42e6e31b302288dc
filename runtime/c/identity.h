// identity.h - whose journal a file is: its record 0 (as python/pychoral/identity.py).
//
// PROTOCOL.md section 9. A program that runs again must be the one that ran before, with the same
// options: else it would read old messages and do something else with them.

#ifndef PYCHORAL_IDENTITY_H
#define PYCHORAL_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

// One of the program's own options; the text is NULL if none was given.
typedef struct PychoralGiven {
    const char *name, *text;
} PychoralGiven;

// Whose journal it is, and what else the role's program depends on.
typedef struct PychoralIdentity {
    uint8_t protocol[32];               // SHA-256 of the whole choreography
    const char *role, *run;
    const PychoralGiven *options;
    size_t option_count;
} PychoralIdentity;

// The body of record 0; the caller frees it. NULL when memory has run out.
uint8_t *pychoral_identity_body(const PychoralIdentity *identity, size_t *size);

// Whether a journal whose record 0 has this body is this one's. False with a fault that says why.
bool pychoral_identity_check(const PychoralIdentity *identity, const char *path,
                             const uint8_t *body, size_t size, PychoralFault *fault);

// The fault of a file without a record 0; returns false.
bool pychoral_identity_missing(const char *path, PychoralFault *fault);

#endif
