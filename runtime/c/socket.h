// socket.h - a role's ZeroMQ sockets (PROTOCOL.md section 6).
//
// One ROUTER listens for all peers that dial this role, with ids of its own; each dialled peer has
// one DEALER, a fresh one for each connection. A *link* here is the number that the owner gave a
// peer. Not for several threads at once: the owner's lock is held in every call.

#ifndef PYCHORAL_SOCKET_H
#define PYCHORAL_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "fault.h"
#include "unauthenticated.h"
#include "zap.h"

typedef struct PychoralSockets PychoralSockets;

enum { PYCHORAL_LISTENER = -1 };        // in place of a link: what came to the ROUTER

typedef struct {
    void *context;                      // a ZeroMQ context that several roles share, or NULL
    const uint8_t *secret;              // this role's key (32 bytes), for CURVE; NULL: it has none
    bool keys_at_listener;              // whether those who dial must have keys
    PychoralRoleOf *role_of;            // which role has a key
    void *who;                          // handed to it
    uint64_t max_message;
    uint32_t window_messages;
    int links;
} PychoralSocketSetup;

// A message that came. Its frames are valid until the next pychoral_sockets_receive; those of more
// than 4 KiB have an owner and may be kept.
typedef struct {
    int link;                           // or PYCHORAL_LISTENER
    uint64_t conn;                      // its connection, never 0
    const PychoralFrame *frames;        // a message beyond all limits has none
    size_t count;
} PychoralIncoming;

// What a monitor tells.
typedef enum {
    PYCHORAL_MONITOR_OTHER,             // worth a word in a report only
    PYCHORAL_MONITOR_ACCEPTED,          // listener: somebody has connected
    PYCHORAL_MONITOR_LOST,              // the connection is gone
    PYCHORAL_MONITOR_ALL_THERE,         // dialler: and all that it has brought can be read
    PYCHORAL_MONITOR_NOBODY,            // dialler: nobody is there
    PYCHORAL_MONITOR_NO_NAME,           // dialler: the name in the address does not resolve
    PYCHORAL_MONITOR_NO_KEY,            // the peer does not know this role's key
    PYCHORAL_MONITOR_NO_HANDSHAKE,      // other mechanism or key, or no ZeroMQ at all
} PychoralMonitorKind;

typedef struct {
    int link;                           // or PYCHORAL_LISTENER
    uint64_t conn;                      // 0 at the listener
    PychoralMonitorKind kind;
    bool is_mismatch;                   // NO_HANDSHAKE: one has keys, the other none
    bool is_unanswered;                 // NO_HANDSHAKE: who accepted has said nothing
    int file;                           // the connection's descriptor, as libzmq had it
} PychoralMonitorEvent;

// The setup is copied, what it points to must stay. NULL with a fault.
PychoralSockets *pychoral_sockets_new(const PychoralSocketSetup *setup, PychoralFault *fault);

// Closes all: monitors first, then sockets with time for what is on its way (`linger` false:
// none), then the context if it is its own.
void pychoral_sockets_free(PychoralSockets *sockets, bool linger);

// Listens at an address, once. False with a fault that says why not.
bool pychoral_sockets_listen(PychoralSockets *sockets, const char *address, PychoralFault *fault);

// Whether it does.
bool pychoral_sockets_listens(const PychoralSockets *sockets);

// Uses a secret key that was made later, for dialling.
bool pychoral_sockets_use(PychoralSockets *sockets, const uint8_t *secret);

// Throws away any connection of the link and dials anew. `key` is the peer's public key (32
// bytes); NULL: plain.
// Returns the new connection's number; with a fault if there is none, and it will never be.
uint64_t pychoral_sockets_dial(PychoralSockets *sockets, int link, const char *address,
                               const uint8_t *key, PychoralFault *fault);

// How long what is on its way to a dialled peer may take at the end; a second unless this says so.
void pychoral_sockets_linger(PychoralSockets *sockets, int link, int milliseconds);

// Sends a message; frames with an owner are lent, others copied. False: the connection is gone or
// hopelessly behind, or memory is exhausted; nothing was sent.
bool pychoral_sockets_send(PychoralSockets *sockets, int link, uint64_t conn,
                           const PychoralFrame *frames, size_t count);

// The next message that is there already; false if there is none.
bool pychoral_sockets_receive(PychoralSockets *sockets, PychoralIncoming *incoming);

// The next message of one link (or of the listener), for which it waits a few milliseconds. This is
// the short way of a program that waits for one peer: no poll.
bool pychoral_sockets_pull(PychoralSockets *sockets, int link, PychoralIncoming *incoming);

// The role that the last message's key belongs to; NULL for a plain peer.
const char *pychoral_sockets_user(PychoralSockets *sockets);

// The descriptor of the connection that it came over, -1 if there is none (inproc).
int pychoral_sockets_file(PychoralSockets *sockets);

// The connections to the listener that have not greeted; the caller keeps the account.
PychoralUnauthenticated *pychoral_sockets_strangers(PychoralSockets *sockets);

// The next event of a monitor that is there already; false if there is none.
bool pychoral_sockets_event(PychoralSockets *sockets, PychoralMonitorEvent *event);

// Waits for a message or an event, at most so many milliseconds.
void pychoral_sockets_wait(PychoralSockets *sockets, long milliseconds);

#endif
