// rendezvous.h - the links between processes that the settings ask for (as rendezvous.py).
//
// PROTOCOL.md sections 6 and 7. Where each peer is: what the command line says, else the manifest,
// else the meeting place of this user on this machine. And what keeps a link private: keys of the
// manifest, or at the meeting place keys made for the run if a channel must be secure.

#ifndef PYCHORAL_RENDEZVOUS_H
#define PYCHORAL_RENDEZVOUS_H

#include "role.h"

// Fills in addresses, keys and configurations of the role's links and makes its sockets, which
// listen. False with a fault. Close it in either case.
bool pychoral_rendezvous_open(PychoralRole *role, void *context, PychoralFault *fault);
// Opens what it takes to tell peers why the role cannot start, as far as that can be had. Whether
// it can be said on links; at the meeting place it has been said then.
bool pychoral_rendezvous_farewell(PychoralRole *role, void *context, const char *why);

// What a peer at the meeting place has said of why it cannot start, if it is there.
bool pychoral_rendezvous_mark(const PychoralLink *link, char *why, size_t size);

void pychoral_rendezvous_close(PychoralRole *role);

// The public key to reach a peer with, as it is now; NULL: plain. `room` has 32 bytes.
const uint8_t *pychoral_rendezvous_key(PychoralLink *link, uint8_t *room);

// False if it is certain that the peer's program has ended.
bool pychoral_rendezvous_is_alive(const PychoralLink *link);

#endif
