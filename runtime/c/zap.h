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
#include "manifest.h"

typedef struct PychoralZap PychoralZap;

// Starts the handler of a ZeroMQ context. `manifest` (kept by the caller until the end) says which
// key is which role; NULL: there are no keys, plain peers are let in and have no name. NULL with a
// fault.
PychoralZap *pychoral_zap_start(void *context, const PychoralManifest *manifest,
                                PychoralFault *fault);

// Waits for the thread, which ends when the context does (zmq_ctx_shutdown first).
void pychoral_zap_join(PychoralZap *zap);

#endif
