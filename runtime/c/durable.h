// durable.h - inside the runtime: what makes a role durable (as python/pychoral/durable.py).
//
// PROTOCOL.md section 9. What is taken goes to the journal and is acknowledged when it is on disk;
// a message leaves when the effects it may depend on are on disk. A role that starts again is given
// its history: its messages are there to be read, its effects come out as they did, and what it
// sends has the same numbers, so that nobody gets anything twice. All calls hold the role's lock;
// with `role->durability` NULL (no --journal) they have nothing to do.

#ifndef PYCHORAL_DURABLE_H
#define PYCHORAL_DURABLE_H

#include "role.h"

// Opens the journal of the settings. The role's program, settings and run are known by then.
bool pychoral_durable_open(PychoralRole *role, const uint8_t protocol[32], PychoralFault *fault);
void pychoral_durable_close(PychoralRole *role);

// The number of this start of the role.
uint64_t pychoral_durable_incarnation(const PychoralRole *role);

// Whether the role has come to its end before.
bool pychoral_durable_has_ended(const PychoralRole *role);

// Before the machines start: gives them what earlier incarnations have taken.
void pychoral_durable_restore(PychoralRole *role);

// A message was taken: it is to be acknowledged when it is on disk.
void pychoral_durable_taken(PychoralLink *link, const PychoralFrame *frames, size_t count);

// Whether there is nothing to be forced to disk.
bool pychoral_durable_is_settled(const PychoralRole *role);

// Forces the journal and lets what was taken be acknowledged. `pressing`: only if much waits.
// False when that cannot be: the role has failed, once.
bool pychoral_durable_settle(PychoralRole *role, bool pressing);

// Before a message is given to the machine: what the program has seen of the world is on disk
// before others see what follows from it; what the message is outlives this process; and one that
// was sent before a restart is the same again. False when the role cannot go on.
bool pychoral_durable_before_send(PychoralLink *link, PychoralFrameKind kind, uint32_t site,
                                  uint32_t label, const PychoralFrame *frames, size_t count);

// Before an ERROR: uses up the numbers of messages that the peer has taken already, which it would
// be taken for.
void pychoral_durable_skip(PychoralLink *link);

// The role has come to its end, and all its peers know.
bool pychoral_durable_end(PychoralRole *role);

#endif
