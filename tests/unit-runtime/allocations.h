// allocations.h - counts what the runtime allocates in these tests, and makes it fail.
//
// The linker puts allocations.c between the runtime and the C library (--wrap). Not for threads.

#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stddef.h>

// Blocks that have been taken and not given back.
long allocations_open(void);

// The most that was asked for in one call since the last call of this.
size_t allocations_largest(void);

// Lets the next `count` allocations succeed and all later ones fail; negative: none fails.
void allocations_fail_after(long count);

#endif
