// unauthenticated.h - connections to a listener that have not greeted, which are let go of
// (PROTOCOL.md section 6), as unauthenticated.py.
//
// libzmq keeps whoever speaks ZeroMQ, and has no call that ends one connection of a
// socket. So the connection is shut down below it, by its descriptor: libzmq then finds it at its
// end, as if the other side had closed it.

#ifndef PYCHORAL_UNAUTHENTICATED_H
#define PYCHORAL_UNAUTHENTICATED_H

#include <stddef.h>
#include <stdint.h>

#include "descriptor.h"

// More are not watched; they are more than there are descriptors.
enum { PYCHORAL_STRANGERS_MOST = 4096, PYCHORAL_STRANGERS_ADDRESS = 600 };

typedef struct {
    PychoralDescriptor descriptor;
    uint64_t since;
} PychoralStranger;

// All zeros: none. `address` is where the listener is.
typedef struct {
    PychoralStranger *all;
    size_t count, room;
    char address[PYCHORAL_STRANGERS_ADDRESS];
} PychoralUnauthenticated;

// A connection was accepted; it has greeted or has ended.
void pychoral_unauthenticated_add(PychoralUnauthenticated *strangers, int file, uint64_t now);
void pychoral_unauthenticated_forget(PychoralUnauthenticated *strangers, int file);

// Ends those that have had their time; what has come was looked at before.
void pychoral_unauthenticated_dismiss(PychoralUnauthenticated *strangers, uint64_t now);
void pychoral_unauthenticated_free(PychoralUnauthenticated *strangers);

#endif
