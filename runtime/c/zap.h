// zap.h - who may connect: the ZAP handler (ZeroMQ RFC 27), PROTOCOL.md section 6.
//
// Decides on the key alone: libzmq asks it about each connection, and is answered 200 with the
// role's name as the user id, or 400. A thread of its own, so that handshakes do not wait for the
// program.

#ifndef PYCHORAL_ZAP_H
#define PYCHORAL_ZAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

typedef struct PychoralZap PychoralZap;

// Writes the name of the role that has this public key; false if none has. Called by the thread.
typedef bool PychoralRoleOf(void *who, const uint8_t key[32], char *name, size_t size);

// Starts the handler of a ZeroMQ context. Plain peers, who can only come to plain sockets, are let
// in and have no name. NULL with a fault.
PychoralZap *pychoral_zap_start(void *context, PychoralRoleOf *role_of, void *who,
                                PychoralFault *fault);

// Waits for the thread, which ends when the context does (zmq_ctx_shutdown first).
void pychoral_zap_join(PychoralZap *zap);

#endif
