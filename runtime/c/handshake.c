// handshake.c - how connections come and go: HELLO, WELCOME, REFUSE, breaks, redials.
//
// PROTOCOL.md sections 2 (rules 1 to 3) and 3. The order of checks and outputs is that of the page.

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"

// ---- frames of our own ----

uint8_t *pychoral_body(PychoralMachine *m)
{
    return m->scratch + PYCHORAL_HEADER_SIZE + (m->config.crc ? PYCHORAL_CRC_SIZE : 0);
}

void pychoral_send_own(PychoralMachine *m, uint64_t conn, PychoralHeader header, size_t body_size)
{
    if (m->config.crc)
        header.flags |= PYCHORAL_FLAG_CRC;
    pychoral_frame_write_header(m->scratch, &header);
    PychoralFrame frame = {m->scratch, (size_t)(pychoral_body(m) - m->scratch) + body_size, NULL};
    if (m->config.crc)
        pychoral_frame_seal(m->scratch, &frame, 1);
    m->output.send(m->output.context, conn, &frame, 1);
}

// A header of this connection; sending it tells ack and limit.
static PychoralHeader telling_header(PychoralMachine *m, PychoralFrameKind kind)
{
    pychoral_in_told(m);
    return (PychoralHeader){.kind = (uint8_t)kind, .session = m->session, .ack = m->safe,
                            .limit = pychoral_limit(m)};
}

void pychoral_send_ack(PychoralMachine *m)
{
    pychoral_send_own(m, m->conn, telling_header(m, PYCHORAL_ACK), 0);
}

void pychoral_send_progress(PychoralMachine *m, PychoralFrameKind kind)
{
    PychoralHeader header = telling_header(m, kind);
    header.site = m->site;
    size_t size = pychoral_frame_write_progress(pychoral_body(m), m->steps, m->state, m->waited);
    pychoral_send_own(m, m->conn, header, size);
}

void pychoral_refuse(PychoralMachine *m, uint64_t conn, uint16_t code, PychoralText text)
{
    size_t size = pychoral_frame_write_refusal(pychoral_body(m), code, text);
    pychoral_send_own(m, conn, (PychoralHeader){.kind = PYCHORAL_REFUSE}, size);
}

static uint64_t next_nonce(PychoralMachine *m)  // splitmix64
{
    uint64_t mixed = m->nonces += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

static size_t write_greeting(PychoralMachine *m, uint8_t *out)
{
    const PychoralConfig *config = &m->config;
    PychoralGreeting greeting = {
        .lowest = PYCHORAL_WIRE_VERSION, .highest = PYCHORAL_WIRE_VERSION,
        .incarnation = config->incarnation, .expected = m->expected,
        .window_bytes = config->window_bytes, .window_messages = config->window_messages,
        .durable = config->durable, .max_message = config->max_message, .nonce = m->nonce,
        .role = m->me, .peer = m->peer, .run = m->run};
    memcpy(greeting.hash, config->hash, sizeof greeting.hash);
    memcpy(greeting.run_id, config->run_id, sizeof greeting.run_id);
    return pychoral_frame_write_greeting(out, &greeting);
}

// HELLO or WELCOME: behind its header what both ends must have been given alike.
static void send_greeting(PychoralMachine *m, PychoralFrameKind kind, const uint64_t nonces[2])
{
    PychoralHeader header = telling_header(m, kind);
    size_t more = pychoral_agreement_write(m->scratch + PYCHORAL_HEADER_SIZE, m->config.agreed,
                                           nonces);
    header.length = (uint16_t)(PYCHORAL_HEADER_SIZE + more);
    pychoral_send_own(m, m->conn, header, more + write_greeting(m, pychoral_body(m) + more));
}

void pychoral_machine_shut(PychoralMachine *m) { m->is_shut = true; }

// What it has told on a connection holds to the end of that.
static void close_window(PychoralMachine *m)
{
    if (m->is_shut)
        m->config.window_messages = 0;
}

void pychoral_greet(PychoralMachine *m, uint64_t now, uint64_t conn)
{
    close_window(m);
    m->conn = conn;
    m->phase = PYCHORAL_GREETING;
    m->greeted_at = now;
    m->redials = false;
    m->nonce = next_nonce(m);
    m->session = 0;
    send_greeting(m, PYCHORAL_HELLO, (const uint64_t[]){m->nonce, 0});
}

// ---- how a connection ends ----

void pychoral_event(PychoralMachine *m, PychoralEventKind kind, uint64_t number)
{
    m->output.event(m->output.context, &(PychoralEvent){.kind = kind, .number = number});
}

static void drop(PychoralMachine *m, uint64_t conn) { m->output.drop(m->output.context, conn); }

// Without a connection from now on.
static void disconnect(PychoralMachine *m, uint64_t now)
{
    if (m->phase == PYCHORAL_UP)
        m->lost_at = now;
    if (m->end_seq && !m->was_cut) {
        m->was_cut = true;
        m->cut_at = now;
    }
    m->phase = PYCHORAL_DOWN;
    m->conn = 0;
}

void pychoral_down(PychoralMachine *m, uint64_t now)
{
    disconnect(m, now);
    pychoral_event(m, PYCHORAL_EVENT_DOWN, 0);
}

// Whether a connection is still of use, to one of the two. A peer that has said ERROR may be
// started again, and must hear that it cannot go on.
static bool may_dial(const PychoralMachine *m, uint64_t now)
{
    return m->config.dials &&
           (m->over[0] != '\0' || !m->peer_ended ||
            pychoral_elapsed(now, m->peer_ended_at) < m->config.end);
}

void pychoral_redial(PychoralMachine *m, uint64_t now)
{
    if (may_dial(m, now))
        m->output.dial(m->output.context);
}

void pychoral_redial_later(PychoralMachine *m, uint64_t now)
{
    disconnect(m, now);
    m->redials = may_dial(m, now);
    m->redial_at = now + m->redial_wait;
    m->redial_wait = m->redial_wait * 2 < m->config.redial_max ? m->redial_wait * 2
                                                                : m->config.redial_max;
}

void pychoral_fail(PychoralMachine *m, const PychoralEvent *event)
{
    uint64_t conn = m->conn;
    m->failed = true;
    m->phase = PYCHORAL_DOWN;
    m->conn = 0;
    m->redials = false;
    PychoralText text = pychoral_text_shortened(event->text, PYCHORAL_TEXT_MAX);
    memcpy(m->failure, text.data, text.size);
    m->failure[text.size] = '\0';
    if (conn != 0)
        drop(m, conn);
    PychoralEvent told = *event;
    told.text = pychoral_text(m->failure);
    m->output.event(m->output.context, &told);
}

// printf into a text of at most 500 bytes; the names in it may be long.
static PychoralText format_text(char *out, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(out, size, format, arguments);
    if (length < 0 || (size_t)length < size)
        return pychoral_text(out);
    return pychoral_text_shortened((PychoralText){out, size - 1}, PYCHORAL_TEXT_MAX);
}

static void stop(PychoralMachine *m, uint16_t code, PychoralText text)
{
    if (m->conn != 0)
        pychoral_refuse(m, m->conn, code, text);
    pychoral_fail(m, &(PychoralEvent){.kind = PYCHORAL_EVENT_FAULT, .number = code, .text = text});
}

void pychoral_fault(PychoralMachine *m, uint16_t code, const char *format, ...)
{
    char buffer[PYCHORAL_TEXT_MAX + 2];
    va_list arguments;
    va_start(arguments, format);
    PychoralText text = format_text(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    stop(m, code, text);
}

void pychoral_break(PychoralMachine *m, uint64_t now)
{
    if (++m->breaks == PYCHORAL_BREAKS_MAX) {
        pychoral_fault(m, PYCHORAL_BAD_PROTOCOL, "the connection broke ten times in a "
                       "row; check the network between the two roles");
        return;
    }
    uint64_t conn = m->conn;
    pychoral_down(m, now);
    if (!m->config.dials)
        pychoral_refuse(m, conn, PYCHORAL_AGAIN, pychoral_text("dial again"));
    drop(m, conn);
    pychoral_redial(m, now);
}

void pychoral_refused(PychoralMachine *m, uint64_t now, const PychoralParsed *refuse)
{
    uint16_t code = refuse->as.refusal.code;
    if (code == PYCHORAL_AGAIN || m->peer_ended)
        pychoral_machine_lost(m, now, m->conn);
    else
        pychoral_fail(m, &(PychoralEvent){.kind = PYCHORAL_EVENT_REFUSED, .number = code,
                                          .text = refuse->as.refusal.text});
}

// ---- checks of a greeting ----

typedef struct Verdict {
    uint16_t code;  // 0: it fits
    char text[PYCHORAL_TEXT_MAX + 2];
} Verdict;

__attribute__((format(printf, 3, 4)))
static void judge(Verdict *verdict, PychoralCode code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    PychoralText text = format_text(verdict->text, sizeof verdict->text, format, arguments);
    va_end(arguments);
    verdict->text[text.size] = '\0';
    verdict->code = (uint16_t)code;
}

static bool same(PychoralText one, PychoralText other)
{
    return one.size == other.size && (one.size == 0 || memcmp(one.data, other.data, one.size) == 0);
}

#define SHOWN(text) PYCHORAL_SHOWN(text)

// What both ends must have been given alike; `out` says how it differs.
static bool disagrees(const PychoralMachine *m, const PychoralParsed *greeting, Verdict *out)
{
    uint64_t nonce = greeting->as.greeting.nonce;
    bool answers = greeting->header.kind == PYCHORAL_WELCOME;
    const uint64_t nonces[2] = {answers ? m->nonce : nonce, answers ? nonce : 0};
    char text[PYCHORAL_TEXT_MAX + 2];
    if (!pychoral_agreement_differs(m->config.agreed, greeting, nonces, m->me, m->peer, text,
                                    sizeof text))
        return false;
    judge(out, PYCHORAL_DISAGREED, "%s", text);
    return true;
}

// The other end is not of this link. HELLO comes from who dials, WELCOME from who listens.
static void judge_roles(const PychoralMachine *m, const PychoralParsed *greeting, Verdict *out)
{
    const PychoralGreeting *its = &greeting->as.greeting;
    bool answers = greeting->header.kind == PYCHORAL_WELCOME;
    if (answers && same(its->role, m->peer))
        judge(out, PYCHORAL_BAD_ROLE, "%.*s took %.*s for %.*s", SHOWN(m->peer), SHOWN(m->me),
              SHOWN(its->peer));
    else if (answers)
        judge(out, PYCHORAL_BAD_ROLE,
              "%.*s tried to connect to %.*s, but %.*s listens at this address", SHOWN(m->me),
              SHOWN(m->peer), SHOWN(its->role));
    else if (same(its->peer, m->me))
        judge(out, PYCHORAL_BAD_ROLE, "%.*s connected to %.*s, but %.*s expected %.*s here",
              SHOWN(its->role), SHOWN(m->me), SHOWN(m->me), SHOWN(m->peer));
    else
        judge(out, PYCHORAL_BAD_ROLE,
              "%.*s tried to connect to %.*s, but %.*s listens at this address",
              SHOWN(its->role), SHOWN(its->peer), SHOWN(m->me));
}

static void check_identity(const PychoralMachine *m, const PychoralParsed *greeting, Verdict *out)
{
    const PychoralGreeting *its = &greeting->as.greeting;
    if (its->lowest > PYCHORAL_WIRE_VERSION || its->highest < PYCHORAL_WIRE_VERSION)
        judge(out, PYCHORAL_BAD_VERSION,
              "%.*s supports versions %u to %u of the wire protocol, but %.*s supports version %d",
              SHOWN(m->peer), its->lowest, its->highest, SHOWN(m->me), PYCHORAL_WIRE_VERSION);
    else if (!same(its->role, m->peer) || !same(its->peer, m->me))
        judge_roles(m, greeting, out);
    else if (memcmp(its->hash, m->config.hash, sizeof its->hash) != 0)
        judge(out, PYCHORAL_BAD_PROTOCOL, "%.*s runs another program", SHOWN(m->peer));
    else if (disagrees(m, greeting, out))
        return;
    else if (memcmp(its->run_id, m->config.run_id, sizeof its->run_id) != 0)
        judge(out, PYCHORAL_BAD_RUN, "%.*s is in the run %.*s, not %.*s", SHOWN(m->peer),
              SHOWN(its->run), SHOWN(m->run));
    else if (its->max_message != m->config.max_message)
        judge(out, PYCHORAL_LIMITS,
              "the message limit of %.*s is %" PRIu64 " bytes, but that of %.*s is %" PRIu64,
              SHOWN(m->peer), its->max_message, SHOWN(m->me), m->config.max_message);
    else if (its->incarnation < m->peer_incarnation)
        judge(out, PYCHORAL_OLDER, "a newer process of %.*s has taken over", SHOWN(m->peer));
    else if (m->over[0] != '\0' && its->incarnation > m->peer_incarnation)
        judge(out, PYCHORAL_STOPPED, "%s", m->over);
    else if (its->window_messages == 0 && m->config.durable &&
             its->incarnation > m->peer_incarnation)    // it cannot start, and is awaited
        judge(out, PYCHORAL_AGAIN, "dial again");
}

// What it would still be sent is let go when it has said ERROR: a later process of it waited for
// ever.
void pychoral_note_over(PychoralMachine *m, const PychoralParsed *last)
{
    Verdict verdict;
    if (last->header.kind != PYCHORAL_ERROR)
        return;
    PychoralText role = last->as.failure.role, type = last->as.failure.type;
    bool is_own = same(role, m->peer);
    judge(&verdict, PYCHORAL_STOPPED,
          "%.*s cannot continue: it told %.*s that it stopped%s%.*s%s: %.*s%s%.*s", SHOWN(m->peer),
          SHOWN(m->me), is_own ? "" : ", as ", is_own ? 0 : (int)role.size, role.data,
          is_own ? "" : " did", SHOWN(type), type.size > 0 ? ": " : "",
          SHOWN(last->as.failure.text));
    memcpy(m->over, verdict.text, sizeof m->over);
}

// What it expects must be what can be sent: neither let go already nor far ahead.
static void check_state(const PychoralMachine *m, const PychoralGreeting *its, Verdict *out)
{
    if (its->expected <= m->acked && !m->peer_ended)
        judge(out, PYCHORAL_STATE_LOST, "%.*s has lost its state: it expects message %" PRIu64
              ", and %" PRIu64 " is the first that can be sent", SHOWN(m->peer), its->expected,
              m->acked + 1);
    else if (its->expected > m->next_seq && !m->config.durable)
        judge(out, PYCHORAL_STATE_LOST, "%.*s has lost its state: %.*s expects message %" PRIu64
              ", and %" PRIu64 " is the next", SHOWN(m->me), SHOWN(m->peer), its->expected,
              m->next_seq);
}

// A newer process of a peer that has a connection, which would not go on where that one is: it may
// be a second one, started by mistake.
static bool may_be_second(const PychoralMachine *m, uint64_t conn, const PychoralGreeting *its)
{
    return m->phase == PYCHORAL_UP && conn != m->conn && !its->durable && !m->peer_ended &&
           its->incarnation > m->peer_incarnation;
}

static void check(const PychoralMachine *m, const PychoralParsed *welcome, Verdict *out)
{
    out->code = 0;
    check_identity(m, welcome, out);
    if (out->code == 0)
        check_state(m, &welcome->as.greeting, out);
}

// ---- acceptance ----

static uint64_t lesser(uint64_t one, uint64_t other) { return one < other ? one : other; }

// What the greeting says of the other side's state.
static void adopt(PychoralMachine *m, const PychoralParsed *greeting)
{
    const PychoralGreeting *its = &greeting->as.greeting;
    m->peer_incarnation = its->incarnation;
    m->peer_durable = its->durable;
    m->peer_window_messages = its->window_messages;
    m->in_force_messages = lesser(its->window_messages, m->config.window_messages);
    m->in_force_bytes = lesser(its->window_bytes, m->config.window_bytes);
    m->peer_crc = (greeting->header.flags & PYCHORAL_FLAG_CRC) != 0;
    m->peer_next = its->expected;
    m->peer_limit = greeting->header.limit;  // before acked: what it told before holds no longer
    pychoral_out_acked(m, lesser(greeting->header.ack, its->expected - (its->expected > 0)));
    pychoral_out_limit(m, greeting->header.limit);
    m->session = m->nonce ^ its->nonce;
}

static void rise(PychoralMachine *m, uint64_t now)
{
    m->phase = PYCHORAL_UP;
    m->was_up = true;
    m->heard = m->pinged = m->up_at = now;
    m->unanswered = 0;
    m->redial_wait = m->config.redial_min;
}

static void announce(PychoralMachine *m, uint64_t now)
{
    pychoral_event(m, PYCHORAL_EVENT_UP, m->peer_incarnation);
    pychoral_out_resend(m);
    pychoral_in_settle(m, now, false);
}

// The connection that another one replaces: its dialler may still believe in it.
static void replace(PychoralMachine *m, const PychoralGreeting *its)
{
    Verdict older = {.code = PYCHORAL_AGAIN, .text = "dial again"};
    if (its->incarnation > m->peer_incarnation)
        judge(&older, PYCHORAL_OLDER, "a newer process of %.*s has taken over", SHOWN(m->peer));
    pychoral_refuse(m, m->conn, older.code, pychoral_text(older.text));
    drop(m, m->conn);
}

// ---- what may be a second process ----

static void let_go(PychoralMachine *m, PychoralCode code, PychoralText text)
{
    uint64_t conn = m->held_conn;
    m->held_conn = 0;
    pychoral_refuse(m, conn, code, text);
    drop(m, conn);
}

// Its peer is there: the second one goes.
static void busy(PychoralMachine *m)
{
    Verdict verdict;
    if (m->held_conn == 0)
        return;
    judge(&verdict, PYCHORAL_BUSY, "%.*s of this run is already connected", SHOWN(m->peer));
    let_go(m, PYCHORAL_BUSY, pychoral_text(verdict.text));
}

void pychoral_ping(PychoralMachine *m, uint64_t now)
{
    m->pinged = now;
    m->unanswered++;
    pychoral_send_progress(m, PYCHORAL_PING);
}

// Asks the process that is there whether it is.
static void ask(PychoralMachine *m, uint64_t now)
{
    pychoral_ping(m, now);
    m->held_answers = m->unanswered;
}

static void accept_hello(PychoralMachine *m, uint64_t now, uint64_t conn,
                         const PychoralParsed *hello)
{
    if (m->conn != 0 && m->conn != conn)
        replace(m, &hello->as.greeting);
    m->conn = conn;
    m->nonce = next_nonce(m);
    close_window(m);
    adopt(m, hello);
    rise(m, now);
    send_greeting(m, PYCHORAL_WELCOME, (const uint64_t[]){hello->as.greeting.nonce, m->nonce});
    announce(m, now);
    if (m->held_conn != 0)              // this may have been read late, so it is no answer
        ask(m, now);
}

// Whether a peer that does not fit stops this side too: it can never fit, or what it needs is gone.
// Who has had a connection does not stop for a stranger.
static bool stops(const PychoralMachine *m, uint16_t code)
{
    if (code == PYCHORAL_STATE_LOST)
        return true;
    return !m->was_up && (code == PYCHORAL_BAD_VERSION || code == PYCHORAL_BAD_ROLE ||
                          code == PYCHORAL_BAD_PROTOCOL || code == PYCHORAL_LIMITS ||
                          code == PYCHORAL_DISAGREED);
}

static void turn_away(PychoralMachine *m, uint64_t now, uint64_t conn, const Verdict *verdict)
{
    pychoral_refuse(m, conn, verdict->code, pychoral_text(verdict->text));
    drop(m, conn);
    if (conn == m->conn)
        pychoral_down(m, now);
    if (!m->failed && !m->left && stops(m, verdict->code))
        stop(m, verdict->code, pychoral_text(verdict->text));
}

// A HELLO of a known process that expects what it has acknowledged comes from one of its earlier
// connections and was read late.
static bool is_stale(const PychoralMachine *m, const PychoralGreeting *its, const Verdict *verdict)
{
    return verdict->code == PYCHORAL_STATE_LOST && its->incarnation == m->peer_incarnation &&
           its->expected <= m->acked;
}

// Takes a HELLO, or sends it away.
static void meet(PychoralMachine *m, uint64_t now, uint64_t conn, const PychoralParsed *hello,
                 Verdict *verdict)
{
    if (verdict->code == 0)
        check_state(m, &hello->as.greeting, verdict);
    if (is_stale(m, &hello->as.greeting, verdict) && ++m->breaks < PYCHORAL_BREAKS_MAX)
        judge(verdict, PYCHORAL_AGAIN, "dial again");
    if (verdict->code == 0)
        accept_hello(m, now, conn, hello);
    else
        turn_away(m, now, conn, verdict);
}

// One to a PING from before it was asked may be the last word of a process that has ended.
void pychoral_ponged(PychoralMachine *m)
{
    m->unanswered -= m->unanswered > 0;
    m->held_answers -= m->held_answers > 0;
    if (m->held_answers == 0)
        busy(m);
}

void pychoral_held_lost(PychoralMachine *m) { m->held_conn = 0; }

// Asks the process that is there whether it is; until it answers, the other's HELLO is kept.
static void hold(PychoralMachine *m, uint64_t now, uint64_t conn, const PychoralFrame *frame)
{
    if (m->held_conn != 0 && m->held_conn != conn)
        let_go(m, PYCHORAL_AGAIN, pychoral_text("dial again"));
    uint8_t *bytes = realloc(m->held, frame->size);
    m->held_conn = conn;
    if (bytes == NULL) {
        let_go(m, PYCHORAL_AGAIN, pychoral_text("dial again"));
        return;
    }
    memcpy(bytes, frame->data, frame->size);
    m->held = bytes;
    m->held_size = frame->size;
    m->held_since = now;
    ask(m, now);
}

void pychoral_held_due(PychoralMachine *m, uint64_t now)
{
    PychoralParsed hello;
    Verdict verdict = {.code = 0};
    PychoralFrame frame = {m->held, m->held_size, NULL};
    uint64_t conn = m->held_conn;
    if (conn == 0 || (m->phase == PYCHORAL_UP &&
                      pychoral_elapsed(now, m->held_since) < PYCHORAL_ANSWER_MS))
        return;
    m->held_conn = 0;
    if (!pychoral_frame_parse(&frame, 1, &hello))
        return;
    check_identity(m, &hello, &verdict);
    meet(m, now, conn, &hello, &verdict);
}

void pychoral_hello(PychoralMachine *m, uint64_t now, uint64_t conn, const PychoralParsed *hello,
                    const PychoralFrame *frame)
{
    Verdict verdict = {.code = 0};
    if (m->failed)
        judge(&verdict, PYCHORAL_STOPPED, "%s", m->failure);
    else if (m->left)
        judge(&verdict, PYCHORAL_STOPPED, "%.*s has ended", SHOWN(m->me));
    else
        check_identity(m, hello, &verdict);
    if (conn == m->held_conn)
        pychoral_held_lost(m);          // this one says more
    if (verdict.code == 0 && may_be_second(m, conn, &hello->as.greeting))
        hold(m, now, conn, frame);
    else
        meet(m, now, conn, hello, &verdict);
}

static void welcome(PychoralMachine *m, uint64_t now, const PychoralParsed *welcome)
{
    const PychoralGreeting *its = &welcome->as.greeting;
    if (welcome->header.session != (m->nonce ^ its->nonce))
        return;
    Verdict verdict;
    check(m, welcome, &verdict);
    if (verdict.code == 0) {
        adopt(m, welcome);
        rise(m, now);
        announce(m, now);
    } else if (verdict.code == PYCHORAL_OLDER || verdict.code == PYCHORAL_AGAIN ||
               verdict.code == PYCHORAL_STOPPED) {      // its own affair
        uint64_t conn = m->conn;
        pychoral_refuse(m, conn, verdict.code, pychoral_text(verdict.text));
        drop(m, conn);
        pychoral_redial_later(m, now);
    } else {
        stop(m, verdict.code, pychoral_text(verdict.text));
    }
}

// A dialler that waits for WELCOME takes nothing else but a refusal.
static void answered(PychoralMachine *m, uint64_t now, const PychoralFrame *frames, size_t count)
{
    PychoralParsed parsed;
    if (!pychoral_frame_parse(frames, count, &parsed))
        return;
    if (parsed.header.kind == PYCHORAL_REFUSE)
        pychoral_refused(m, now, &parsed);
    else if (parsed.header.kind == PYCHORAL_WELCOME)
        welcome(m, now, &parsed);
}

void pychoral_stray(PychoralMachine *m, uint64_t now, uint64_t conn, const PychoralFrame *frames,
                    size_t count)
{
    PychoralParsed parsed;
    if (m->config.dials) {
        if (conn == m->conn && m->phase == PYCHORAL_GREETING)
            answered(m, now, frames, count);
        return;
    }
    bool sound = pychoral_frame_parse(frames, count, &parsed);
    if (sound && parsed.header.kind == PYCHORAL_HELLO) {
        pychoral_hello(m, now, conn, &parsed, &frames[0]);
        return;
    }
    if (sound && parsed.header.kind != PYCHORAL_REFUSE)
        pychoral_refuse(m, conn, PYCHORAL_AGAIN, pychoral_text("dial again"));
    drop(m, conn);
}
