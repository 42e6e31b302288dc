// descriptor.h - inside the runtime: connections of libzmq's, by their descriptors (PROTOCOL.md
// section 6; as python/pychoral/descriptor.py).
//
// libzmq has no call that ends one connection of a socket, nor one that says when something last
// came over it. The kernel has both. But the descriptor is libzmq's, which may close it at any
// time, and then it is another's: it is used only while it has the cookie that it had.

#ifndef PYCHORAL_DESCRIPTOR_H
#define PYCHORAL_DESCRIPTOR_H

#include <stdint.h>

// Over TCP only the dialler beats: once a second. A listener's own timer would cost each of its
// round trips (measured: 4 %); it ends a connection over which three more beats have not come.
enum { PYCHORAL_SILENCE_MS = 4000 };

// The kernel's name of the connection with this descriptor, never used again; 0 if it is none.
uint64_t pychoral_descriptor_cookie(int file);

// Ends the connection, if the descriptor still is its own, as if the other side had closed it.
void pychoral_descriptor_end(int file, uint64_t cookie);

// The same, if nothing has come over it for `silence` milliseconds and it is one over TCP.
void pychoral_descriptor_end_silent(int file, uint64_t cookie, uint32_t silence);

#endif
