// room.h - the descriptors, threads and memory that a role needs, had before anything is opened.

#ifndef PYCHORAL_ROOM_H
#define PYCHORAL_ROOM_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"

// Has so many descriptors free. The soft limit is raised to the hard one if need be, and is the
// usual one in children, as programs with `select` live with no more. False if they cannot be had:
// libzmq would abort the process.
bool pychoral_room_make(int needed, PychoralFault *fault);

// Whether the threads of a role can be started, without which libzmq would abort, too.
bool pychoral_room_for_threads(PychoralFault *fault);

// Whether there is a limit of addresses (ulimit -v).
bool pychoral_room_is_limited(void);

// Addresses that nothing else takes, and that are given back when the role ends: when memory has
// run out, its peers can still be told, for which libzmq needs some. NULL: there are none.
void *pychoral_room_reserve(void);
void pychoral_room_give(void *reserved);

// Whether a message of so many bytes can be sent where addresses are limited: what libzmq's threads
// take for it they must get, as they would end the process. Sets `needed`, the bytes that must be
// free for that.
bool pychoral_room_for_message(size_t size, size_t *needed);

#endif
