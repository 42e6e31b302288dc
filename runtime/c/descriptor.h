// descriptor.h - inside the runtime: connections of libzmq's, by their descriptors (PROTOCOL.md
// section 6; as python/pychoral/descriptor.py).
//
// libzmq has no call that ends one connection of a socket, nor one that says whether anything moves
// over it: its heartbeats count whole frames only, and one of many megabytes may take minutes. The
// kernel has both. But the descriptor is libzmq's, which may close it at any time, and then it is
// another's: it is used only while it has the cookie that it had.

#ifndef PYCHORAL_DESCRIPTOR_H
#define PYCHORAL_DESCRIPTOR_H

#include <stdint.h>

// Over TCP the dialler's libzmq beats once a second, and the listener's answers: so much and three
// more without anything is silence. A timer of the listener's would cost each of its round trips
// (measured: 4 %).
enum { PYCHORAL_SILENCE_MS = 4000 };

typedef struct {
    int file;
    uint64_t cookie;                    // the kernel's name of it, never used again; 0: none
    uint64_t acked, moved_at;           // bytes that the other side's kernel has taken; when seen
} PychoralDescriptor;

// The connection with this descriptor.
PychoralDescriptor pychoral_descriptor_of(int file);

// Ends the connection, if the descriptor still is its own, as if the other side had closed it.
void pychoral_descriptor_end(const PychoralDescriptor *descriptor);

// The same, if it is over TCP and for `silence` milliseconds nothing has come nor, of what waits to
// be sent, gone. To be called several times a second.
void pychoral_descriptor_end_silent(PychoralDescriptor *descriptor, uint64_t now, uint32_t silence);

#endif
