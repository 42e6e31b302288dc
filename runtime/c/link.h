// link.h - the inside of a machine, for the files that make it up; nobody else includes it.
//
// machine.c: inputs and questions; handshake.c: HELLO, WELCOME, REFUSE, and how connections come
// and go; outbox.c: numbers, credit, the resend window; inbox.c: what comes, in order; timer.c:
// tick. PROTOCOL.md sections 2 and 3.

#ifndef PYCHORAL_LINK_H
#define PYCHORAL_LINK_H

#include "fifo.h"
#include "machine.h"
#include "slots.h"

enum {
    PYCHORAL_BREAKS_MAX = 10,
    PYCHORAL_ANSWER_MS = 1000,     // for a process that is there to say so
    PYCHORAL_SCRATCH_SIZE = 4096,  // any frame of our own but a greeting with long names
};

// A message that was sent: its frame 0, whose header is renewed each time it goes out, and the
// further frames if there are any. frames[0] of `more` is filled in when it goes out.
typedef struct PychoralMore {
    size_t count;
    PychoralFrame frames[];
} PychoralMore;

typedef struct PychoralOutRecord {
    PychoralMore *more;  // NULL: frame 0 is all
    size_t size;         // of frame 0
    uint8_t bytes[];
} PychoralOutRecord;

// A message that was taken and not read.
typedef struct PychoralInRecord {
    PychoralFrame *owned;  // NULL: `one` is the payload, which stands behind or is lent
    size_t count, extra_size;
    uint32_t site, label;
    uint8_t kind;
    PychoralFrame one;
    uint8_t bytes[];
} PychoralInRecord;

struct PychoralMachine {
    PychoralConfig config;
    PychoralOutput output;
    PychoralText me, peer, run;
    uint64_t nonces;  // state of splitmix64

    // The connection.
    PychoralPhase phase;
    uint64_t conn, session, nonce;
    bool peer_crc;
    bool was_up, failed, left;
    bool peer_durable;
    uint64_t peer_incarnation;
    uint64_t in_force_messages, in_force_bytes;
    uint32_t peer_window_messages;
    unsigned breaks;
    uint8_t *held;      // the HELLO of a process that may be a second one
    size_t held_size;
    uint64_t held_conn, held_since;     // 0: there is none
    uint64_t unanswered;                // how many PINGs of this connection
    uint64_t held_answers;              // PONGs up to that to the one which asked about it
    char failure[PYCHORAL_TEXT_MAX + 1];
    char over[PYCHORAL_TEXT_MAX + 2];   // the peer has said ERROR: a later process of it is told so

    // Sending. Slots: from the first that the peer has not read.
    uint64_t next_seq, acked, peer_next, peer_limit, peer_read;
    uint64_t out_total;   // bytes of payload given a number
    uint64_t read_total;  // of them, up to peer_read
    uint64_t released;    // records up to this number are let go
    uint64_t end_seq;     // own END's or ERROR's number; 0: not given
    const void *stamp;    // what lengthens the headers of messages
    size_t stamp_size;
    PychoralSlots out;
    PychoralFifo out_records;

    // Receiving. Slots: from the first that is not both read and done.
    uint64_t expected, safe, read, done;
    uint64_t in_total, safe_total, done_total;    // bytes of payload up to expected-1, safe, done
    uint64_t ack_told, limit_told;
    uint64_t safe_total_told, done_total_told;
    bool peer_ended, given, owed;
    bool lent;             // payloads that come are read where they are
    uint64_t gap_at, gap;  // so many numbers are missing after gap_at, before END or ERROR
    PychoralSlots in;
    PychoralFifo in_records;

    // Times.
    uint64_t started, redial_at, redial_wait, greeted_at, heard, pinged, owed_since;
    uint64_t up_at, lost_at, ended_at, peer_ended_at;
    bool was_cut;      // since the own end; first so at cut_at
    uint64_t cut_at;
    bool redials;  // redial_at holds
    bool is_shut;  // takes no more messages

    // What PING and PONG tell.
    uint64_t steps;
    uint32_t site;
    uint8_t state;
    PychoralText waited;

    uint8_t *scratch;
    size_t scratch_size;
};

// A text for printf's %.*s; of more than 500 bytes only the beginning would be seen.
#define PYCHORAL_SHOWN(text) \
    (int)((text).size > PYCHORAL_TEXT_MAX ? PYCHORAL_TEXT_MAX + 1 : (text).size), (text).data

// Invariants stay on: what must hold and does not is a fault of this side, never a crash.
#define PYCHORAL_HOLDS(machine, condition) \
    ((condition) || (pychoral_machine_broken(machine, #condition), false))

void pychoral_machine_broken(PychoralMachine *m, const char *condition);
void pychoral_machine_memory(PychoralMachine *m);  // memory has run out: fault 10

// handshake.c
void pychoral_greet(PychoralMachine *m, uint64_t now, uint64_t conn);  // sends HELLO
void pychoral_stray(PychoralMachine *m, uint64_t now, uint64_t conn, const PychoralFrame *frames,
                    size_t count);  // a frame outside of a connection that is UP
void pychoral_hello(PychoralMachine *m, uint64_t now, uint64_t conn, const PychoralParsed *hello,
                    const PychoralFrame *frame);
void pychoral_ping(PychoralMachine *m, uint64_t now);
void pychoral_ponged(PychoralMachine *m);
void pychoral_held_due(PychoralMachine *m, uint64_t now);       // or has not answered
void pychoral_held_lost(PychoralMachine *m);
void pychoral_note_over(PychoralMachine *m, const PychoralParsed *last);
void pychoral_refused(PychoralMachine *m, uint64_t now, const PychoralParsed *refuse);
void pychoral_refuse(PychoralMachine *m, uint64_t conn, uint16_t code, PychoralText text);
void pychoral_break(PychoralMachine *m, uint64_t now);
void pychoral_down(PychoralMachine *m, uint64_t now);    // no longer UP: event
void pychoral_redial(PychoralMachine *m, uint64_t now);  // dialler: at once
void pychoral_redial_later(PychoralMachine *m, uint64_t now);
void pychoral_fault(PychoralMachine *m, uint16_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pychoral_fail(PychoralMachine *m, const PychoralEvent *event);
void pychoral_event(PychoralMachine *m, PychoralEventKind kind, uint64_t number);
// Sends a frame of our own without a number; its body stands in scratch behind header and CRC.
uint8_t *pychoral_body(PychoralMachine *m);
void pychoral_send_own(PychoralMachine *m, uint64_t conn, PychoralHeader header, size_t body_size);
void pychoral_send_ack(PychoralMachine *m);
void pychoral_send_progress(PychoralMachine *m, PychoralFrameKind kind);

// outbox.c
void pychoral_out_acked(PychoralMachine *m, uint64_t ack);    // acked rises to ack, if it does
void pychoral_out_limit(PychoralMachine *m, uint64_t limit);  // peer_limit is this
void pychoral_out_resend(PychoralMachine *m);
void pychoral_out_forget(PychoralMachine *m);  // the peer has ended
void pychoral_out_clear(PychoralMachine *m);

// inbox.c
void pychoral_in_numbered(PychoralMachine *m, uint64_t now, const PychoralParsed *message,
                          const PychoralFrame *frames, size_t count);
void pychoral_in_told(PychoralMachine *m);  // a frame with ack and limit has gone out
void pychoral_in_settle(PychoralMachine *m, uint64_t now, bool at_once);
void pychoral_in_clear(PychoralMachine *m);

static inline uint64_t pychoral_limit(const PychoralMachine *m)
{
    return m->done + m->config.window_messages;
}

#endif
