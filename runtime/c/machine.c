// machine.c - one end of a link: inputs and questions; contracts in machine.h.
//
// PROTOCOL.md section 3. The work is done in handshake.c, outbox.c, inbox.c and timer.c.

#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include "link.h"

PychoralConfig pychoral_config_default(void)
{
    return (PychoralConfig){
        .me = "", .peer = "", .run_name = "", .incarnation = 1, .window_messages = 1024,
        .window_bytes = UINT64_C(8) << 20, .max_message = UINT64_C(256) << 20, .handshake = 2000,
        .redial_min = 20, .redial_max = 500, .idle_ack = 20, .ping = 1000, .connect = 30000,
        .lost = 10000, .time_wait = 250, .end = 5000};
}

// ---- making ----

static bool is_name(const char *name, size_t least)
{
    size_t size = strlen(name);
    return size >= least && size <= PYCHORAL_STRING_MAX;
}

static bool copy_text(PychoralText *out, const char *string)
{
    size_t size = strlen(string);
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, string, size + 1);
    *out = (PychoralText){copy, size};
    return true;
}

static bool copy_names(PychoralMachine *m)
{
    const PychoralConfig *config = &m->config;
    size_t greeting = PYCHORAL_HEADER_SIZE + PYCHORAL_CRC_SIZE + PYCHORAL_GREETING_SIZE + 6 +
                      strlen(config->me) + strlen(config->peer) + strlen(config->run_name);
    greeting += config->agreed.count > 0 ? PYCHORAL_EXTRA_MAX : 0;
    m->scratch_size = greeting > PYCHORAL_SCRATCH_SIZE ? greeting : PYCHORAL_SCRATCH_SIZE;
    m->scratch = malloc(m->scratch_size);
    if (m->scratch == NULL || !copy_text(&m->me, config->me) ||
        !copy_text(&m->peer, config->peer) || !copy_text(&m->run, config->run_name))
        return false;
    m->config.me = m->me.data;
    m->config.peer = m->peer.data;
    m->config.run_name = m->run.data;
    return true;
}

PychoralMachine *pychoral_machine_new(const PychoralConfig *config, const PychoralOutput *output)
{
    if (!is_name(config->me, 1) || !is_name(config->peer, 1) || !is_name(config->run_name, 0))
        return NULL;
    PychoralMachine *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->config = *config;
    m->output = *output;
    m->nonces = config->seed;
    m->next_seq = m->peer_next = m->expected = 1;
    m->out.first = m->out.next = m->in.first = m->in.next = 1;
    m->limit_told = config->window_messages;
    m->in_force_messages = config->window_messages;
    m->in_force_bytes = config->window_bytes;
    m->redial_wait = config->redial_min;
    m->waited = pychoral_text("");
    if (copy_names(m))
        return m;
    pychoral_machine_free(m);
    return NULL;
}

void pychoral_machine_free(PychoralMachine *m)
{
    if (m == NULL)
        return;
    pychoral_out_clear(m);
    pychoral_in_clear(m);
    free((char *)m->me.data);
    free((char *)m->peer.data);
    free((char *)m->run.data);
    free(m->scratch);
    free(m->held);
    free(m);
}

// ---- connections ----

void pychoral_machine_start(PychoralMachine *m, uint64_t now)
{
    m->started = m->lost_at = m->peer_ended_at = now;
    if (m->config.dials && !m->failed)
        m->output.dial(m->output.context);
}

void pychoral_machine_connected(PychoralMachine *m, uint64_t now, uint64_t conn)
{
    if (m->config.dials && !m->failed && !m->left && m->phase != PYCHORAL_UP && conn != 0)
        pychoral_greet(m, now, conn);
}

void pychoral_machine_lost(PychoralMachine *m, uint64_t now, uint64_t conn)
{
    if (conn == m->held_conn)
        pychoral_held_lost(m);
    if (conn != m->conn || m->failed || m->left)
        return;
    if (m->phase != PYCHORAL_UP) {
        if (m->config.dials && !m->redials)
            pychoral_redial_later(m, now);
        return;
    }
    pychoral_down(m, now);
    pychoral_redial(m, now);
}

// ---- frames ----

static void tell_pong(PychoralMachine *m, const PychoralParsed *pong)
{
    PychoralEvent event = {.kind = PYCHORAL_EVENT_PONG, .number = pong->as.progress.steps,
                           .state = pong->as.progress.state, .site = pong->header.site,
                           .role = pong->as.progress.role};
    m->output.event(m->output.context, &event);
}

// Whether ack and limit can be; then they count.
static bool take_told(PychoralMachine *m, const PychoralHeader *header)
{
    uint64_t beyond = m->next_seq > m->peer_next ? m->next_seq : m->peer_next;
    if (header->session != m->session || header->ack >= beyond || header->limit < m->peer_limit)
        return false;
    if (header->ack > m->acked)
        pychoral_out_acked(m, header->ack);
    if (header->limit > m->peer_limit)
        pychoral_out_limit(m, header->limit);
    return true;
}

// A frame of this connection, after HELLO and WELCOME.
static void take_frame(PychoralMachine *m, uint64_t now, const PychoralParsed *parsed,
                       const PychoralFrame *frames, size_t count)
{
    if (!take_told(m, &parsed->header)) {
        pychoral_break(m, now);
        return;
    }
    switch ((PychoralFrameKind)parsed->header.kind) {
    case PYCHORAL_DATA:
    case PYCHORAL_SELECT:
    case PYCHORAL_END:
    case PYCHORAL_ERROR: pychoral_in_numbered(m, now, parsed, frames, count); break;
    case PYCHORAL_PING: pychoral_send_progress(m, PYCHORAL_PONG); break;
    case PYCHORAL_PONG:
        pychoral_ponged(m);
        tell_pong(m, parsed);
        break;
    case PYCHORAL_HELLO:
    case PYCHORAL_WELCOME:
    case PYCHORAL_REFUSE:
    case PYCHORAL_ACK: break;
    }
}

void pychoral_machine_frame(PychoralMachine *m, uint64_t now, uint64_t conn,
                            const PychoralFrame *frames, size_t count)
{
    PychoralParsed parsed;
    if (conn != m->conn || m->phase != PYCHORAL_UP) {
        pychoral_stray(m, now, conn, frames, count);
        return;
    }
    if (!pychoral_frame_parse(frames, count, &parsed)) {
        pychoral_break(m, now);
        return;
    }
    m->heard = now;
    if (parsed.header.kind == PYCHORAL_HELLO) {
        if (!m->config.dials)
            pychoral_hello(m, now, conn, &parsed, &frames[0]);
    } else if (parsed.header.kind == PYCHORAL_REFUSE) {
        pychoral_refused(m, now, &parsed);
    } else if (((parsed.header.flags & PYCHORAL_FLAG_CRC) != 0) != m->peer_crc) {
        pychoral_break(m, now);
    } else {
        take_frame(m, now, &parsed, frames, count);
    }
}

// ---- the rest ----

void pychoral_machine_progress(PychoralMachine *m, uint64_t steps, uint8_t state, uint32_t site,
                               PychoralText role)
{
    m->steps = steps;
    m->state = state;
    m->site = site;
    m->waited = role;
}

void pychoral_machine_memory(PychoralMachine *m)
{
    pychoral_fault(m, PYCHORAL_STOPPED, "out of memory");
}

void pychoral_machine_broken(PychoralMachine *m, const char *condition)
{
    if (!m->failed)
        pychoral_fault(m, PYCHORAL_STOPPED, "broken invariant: %s", condition);
}

PychoralLinkState pychoral_machine_state(const PychoralMachine *m)
{
    return (PychoralLinkState){
        .phase = m->phase, .failed = m->failed, .left = m->left, .ended = m->end_seq != 0,
        .peer_ended = m->peer_ended, .peer_durable = m->peer_durable,
        .conn = m->conn, .peer_incarnation = m->peer_incarnation,
        .peer_window = m->peer_window_messages, .held_conn = m->held_conn,
        .next_seq = m->next_seq, .acked = m->acked, .peer_next = m->peer_next,
        .peer_limit = m->peer_limit, .peer_read = m->peer_read, .expected = m->expected,
        .safe = m->safe, .read = m->read,
        .unread = m->expected - 1 - m->read - (m->read > m->gap_at ? 0 : m->gap),
        .kept = m->next_seq - 1 - m->released, .heard = m->heard,
        .failure = pychoral_text(m->failure)};
}

bool pychoral_machine_may_leave(const PychoralMachine *m) { return m->failed || m->left; }
