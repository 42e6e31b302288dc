// machine.h - one end of a link between two roles: exactly once, in order, without I/O.
//
// PROTOCOL.md sections 2 and 3; python/pychoral/machine.py answers the same inputs with the same
// outputs. A machine knows no socket, clock or random number: its owner tells it what came and what
// time it is (milliseconds of a monotonic clock, as `now`), and does what it asks for through
// PychoralOutput. An output must not call the machine. A machine is not thread-safe; its owner has
// a lock. Frames are those of buffer.h.

#ifndef PYCHORAL_MACHINE_H
#define PYCHORAL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agreement.h"
#include "buffer.h"

typedef struct PychoralMachine PychoralMachine;

typedef enum PychoralEventKind {
    PYCHORAL_EVENT_UP,             // number: the peer's incarnation
    PYCHORAL_EVENT_DOWN,
    PYCHORAL_EVENT_STORED_WANTED,  // number: seq of the message just given to `frame`
    PYCHORAL_EVENT_PEER_END,       // number: status
    PYCHORAL_EVENT_PEER_ERROR,     // role, type, text
    PYCHORAL_EVENT_PONG,           // number: steps; state, site, role
    PYCHORAL_EVENT_REFUSED,        // number: PychoralCode; text
    PYCHORAL_EVENT_FAULT,          // number: PychoralCode; text
    PYCHORAL_EVENT_ABSENT,
    PYCHORAL_EVENT_GONE,
    PYCHORAL_EVENT_LEFT,           // number: 1 if confirmed
} PychoralEventKind;

// Texts are valid during the call.
typedef struct PychoralEvent {
    PychoralEventKind kind;
    uint64_t number;
    uint32_t site;
    uint8_t state;
    PychoralText role, type, text;
} PychoralEvent;

// Connections are numbers the owner chooses, never used again; 0 is none. Frames of `send` without
// an owner are valid during the call; one with an owner may be kept by a reference of one's own.
typedef struct PychoralOutput {
    void *context;
    void (*send)(void *context, uint64_t conn, const PychoralFrame *frames, size_t count);
    void (*dial)(void *context);
    void (*drop)(void *context, uint64_t conn);
    void (*event)(void *context, const PychoralEvent *event);
} PychoralOutput;

// Strings are copied, but for what must agree, which must last. Intervals are in ms.
typedef struct PychoralConfig {
    const char *me, *peer;
    bool dials;
    uint8_t hash[32];
    uint8_t run_id[16];
    const char *run_name;
    PychoralAgreement agreed;   // what both ends must have been given alike
    uint64_t incarnation;
    bool durable;
    uint32_t window_messages;
    uint64_t window_bytes, max_message;
    bool crc;
    bool beats;     // the transport itself finds out that a link is silent
    uint64_t seed;  // of the nonces: must differ from start to start
    uint32_t handshake, redial_min, redial_max, idle_ack, ping, connect, lost, time_wait, end;
} PychoralConfig;

typedef enum PychoralSent {
    PYCHORAL_SENT,
    PYCHORAL_FULL,   // no credit: nothing was done, try again after the next input
    PYCHORAL_LARGE,  // over max_message: nothing was done
    PYCHORAL_GONE,   // nobody will read it any more: dropped
} PychoralSent;

typedef enum PychoralPhase {
    PYCHORAL_DOWN,
    PYCHORAL_GREETING,
    PYCHORAL_UP,
} PychoralPhase;

// A message that was taken. Payloads of one frame of at most 4 KiB have no owner and are valid
// until the next `take`, others own their frames until `pychoral_message_drop`. SELECT has none.
typedef struct PychoralMessage {
    PychoralFrameKind kind;  // DATA, SELECT, END or ERROR
    uint32_t site, label;
    uint64_t seq;
    const PychoralFrame *frames;
    size_t count;
    PychoralFrame *owned;
    const void *extra;  // what lengthened the header: valid until the next `take`
    size_t extra_size;
} PychoralMessage;

// What reports want to know.
typedef struct PychoralLinkState {
    PychoralPhase phase;
    bool failed, left, ended, peer_ended, peer_durable;
    uint64_t conn, peer_incarnation;
    uint32_t peer_window;  // in messages, as it has greeted
    uint64_t held_conn;    // of what may be a second process of the peer; 0: there is none
    uint64_t next_seq, acked, peer_next, peer_limit, peer_read;
    uint64_t expected, safe, read;
    uint64_t unread;    // messages taken and not read
    uint64_t kept;      // messages kept for resending
    uint64_t heard;     // time of the last frame while UP
    PychoralText failure;  // why it failed, while the machine lives
} PychoralLinkState;

// All defaults of PROTOCOL.md section 3; names are empty.
PychoralConfig pychoral_config_default(void);

// Milliseconds from `since` to `now`: 0 if the caller looked at the clock before `since` was set.
static inline uint64_t pychoral_elapsed(uint64_t now, uint64_t since)
{
    return now > since ? now - since : 0;
}

// A machine, or NULL when memory has run out or a name is longer than 65,535 bytes or empty.
PychoralMachine *pychoral_machine_new(const PychoralConfig *config, const PychoralOutput *output);
void pychoral_machine_free(PychoralMachine *machine);

// Before `start`, durable mode: a message from the journal, as it was taken.
void pychoral_machine_restore(PychoralMachine *machine, const PychoralFrame *frames, size_t count);

void pychoral_machine_start(PychoralMachine *machine, uint64_t now);
void pychoral_machine_connected(PychoralMachine *machine, uint64_t now, uint64_t conn);
void pychoral_machine_frame(PychoralMachine *machine, uint64_t now, uint64_t conn,
                            const PychoralFrame *frames, size_t count);
void pychoral_machine_lost(PychoralMachine *machine, uint64_t now, uint64_t conn);
void pychoral_machine_tick(PychoralMachine *machine, uint64_t now);

// DATA: the payload as frames, one or the encoded value and its buffers; SELECT: none. A frame with
// an owner is kept by reference where it is large, others are copied.
PychoralSent pychoral_machine_send(PychoralMachine *machine, uint64_t now, PychoralFrameKind kind,
                                   uint32_t site, uint32_t label, const PychoralFrame *frames,
                                   size_t count);

// What lengthens the headers of messages that are sent from now on (PROTOCOL.md section 1, longer
// headers): nothing if `size` is 0, or more than 4,096. The bytes stay the caller's, and must last
// as long as they are set.
void pychoral_machine_stamp(PychoralMachine *machine, const void *stamp, size_t size);

// The next unread message; false if there is none. Ends the validity of the one before.
bool pychoral_machine_take(PychoralMachine *machine, uint64_t now, PychoralMessage *out);
void pychoral_message_drop(PychoralMessage *message);

// While it is on, the payload of a frame without an owner stays the caller's, where it is: what
// `frame` brings must be taken, and read, before the caller lets go of it.
void pychoral_machine_lend(PychoralMachine *machine, bool on);

// Whether `take` has something.
bool pychoral_machine_has_message(const PychoralMachine *machine);

void pychoral_machine_stored(PychoralMachine *machine, uint64_t now, uint64_t seq);
void pychoral_machine_end(PychoralMachine *machine, uint64_t now, uint16_t status);
// Texts are cut to 500 bytes; what is not UTF-8 in them becomes `?`.
void pychoral_machine_error(PychoralMachine *machine, uint64_t now, PychoralText role,
                            PychoralText type, PychoralText text);

// The role can take no more messages: from its next greeting on its window is 0, so that the peer
// sends none again, but hears ERROR.
void pychoral_machine_shut(PychoralMachine *machine);

// What PING and PONG tell: steps made, state (0 computes, 1 waits for a message, 2 waits to send,
// 3 has ended), the site it is at, and the role waited for, whose name must outlive the machine.
void pychoral_machine_progress(PychoralMachine *machine, uint64_t steps, uint8_t state,
                               uint32_t site, PychoralText role);

PychoralLinkState pychoral_machine_state(const PychoralMachine *machine);

// Whether nothing more is to be done on this link: it has left or failed.
bool pychoral_machine_may_leave(const PychoralMachine *machine);

// Whether a message of `size` bytes would be SENT or GONE now.
bool pychoral_machine_has_credit(const PychoralMachine *machine, uint64_t size);

#endif
