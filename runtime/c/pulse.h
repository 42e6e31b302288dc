// pulse.h - inside the runtime: when something last came over an accepted connection, by the
// kernel's books (PROTOCOL.md section 6; as python/pychoral/pulse.py).
//
// Over TCP only the dialler beats. A listener's own timer would cost each of its round trips
// (measured: 4 %); it needs none, as the kernel knows when the last beat came. What it has is a
// descriptor of libzmq's, which may be closed and another's at any time: hence the cookie.

#ifndef PYCHORAL_PULSE_H
#define PYCHORAL_PULSE_H

#include <stdint.h>

enum { PYCHORAL_SILENCE_MS = 4000 };    // a beat of a second, and three more without one

// The kernel's name of the TCP connection with this descriptor, never used again; 0 for others.
uint64_t pychoral_pulse_cookie(int file);

// Ends the connection if nothing has come over it for `silence` milliseconds. libzmq then tells of
// its end.
void pychoral_pulse_check(int file, uint64_t cookie, uint32_t silence);

#endif
