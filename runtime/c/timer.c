// timer.c - what a machine does because time has passed: redials, acks, PING, giving up, leaving.
//
// PROTOCOL.md section 3, `tick`; the order is that of the page.

#include <string.h>

#include "link.h"

static void tick_dialler(PychoralMachine *m, uint64_t now)
{
    if (m->phase == PYCHORAL_GREETING &&
        pychoral_elapsed(now, m->greeted_at) >= m->config.handshake)
        pychoral_redial_later(m, now);
    if (m->redials && now >= m->redial_at) {
        m->redials = false;
        m->output.dial(m->output.context);
    }
}

// A connection on which nothing comes is none. Its dialler makes another. Where the transport
// beats, one that is up and silent has a peer that is busy.
static void tick_silence(PychoralMachine *m, uint64_t now)
{
    bool silent = m->phase == PYCHORAL_UP && pychoral_elapsed(now, m->heard) >= m->config.lost;
    if (m->config.beats || !silent)
        return;
    uint64_t conn = m->conn;
    pychoral_machine_lost(m, now, conn);
    if (!m->config.dials)
        m->output.drop(m->output.context, conn);
}

static void tick_up(PychoralMachine *m, uint64_t now)
{
    if (m->phase != PYCHORAL_UP)
        return;
    if (m->owed && pychoral_elapsed(now, m->owed_since) >= m->config.idle_ack)
        pychoral_send_ack(m);
    if (pychoral_elapsed(now, m->heard) >= m->config.ping &&
        pychoral_elapsed(now, m->pinged) >= m->config.ping)
        pychoral_ping(m, now);
}

// ---- giving up and leaving ----

static void leave(PychoralMachine *m, bool confirmed)
{
    if (m->owed && m->phase == PYCHORAL_UP)
        pychoral_send_ack(m);
    m->left = true;
    m->phase = PYCHORAL_DOWN;
    m->conn = 0;
    m->redials = false;
    pychoral_event(m, PYCHORAL_EVENT_LEFT, confirmed);
}

static uint64_t later(uint64_t one, uint64_t other) { return one > other ? one : other; }

// TIME_WAIT is over: the other has had time to ask again for what it may have missed.
static bool has_waited(const PychoralMachine *m, uint64_t now)
{
    uint64_t since = m->phase == PYCHORAL_UP ? later(later(m->ended_at, m->up_at), m->peer_ended_at)
                                             : later(m->lost_at, m->peer_ended_at);
    return pychoral_elapsed(now, since) >= m->config.time_wait;
}

// The peer has had its time to acknowledge the end; a busy one has more.
static bool end_is_over(const PychoralMachine *m, uint64_t now)
{
    if (!m->config.beats)
        return pychoral_elapsed(now, m->ended_at) >= m->config.end;
    return m->was_cut && pychoral_elapsed(now, m->cut_at) >= m->config.end;
}

static void tick_leaving(PychoralMachine *m, uint64_t now)
{
    if (m->acked >= m->end_seq || (m->peer_ended && has_waited(m, now)))
        leave(m, true);
    else if (end_is_over(m, now))
        leave(m, m->peer_ended);
}

static void give_up(PychoralMachine *m, PychoralEventKind kind, const char *what)
{
    char text[2 * PYCHORAL_TEXT_MAX];
    size_t size = pychoral_text_shortened(m->peer, PYCHORAL_TEXT_MAX - 16).size;
    memcpy(text, m->peer.data, size);
    memcpy(text + size, what, strlen(what));
    pychoral_fail(m, &(PychoralEvent){.kind = kind, .text = {text, size + strlen(what)}});
}

static void tick_peer(PychoralMachine *m, uint64_t now)
{
    if (m->failed || m->phase == PYCHORAL_UP || m->peer_ended || m->end_seq != 0)
        return;
    if (!m->was_up && pychoral_elapsed(now, m->started) >= m->config.connect)
        give_up(m, PYCHORAL_EVENT_ABSENT, " did not connect");
    else if (m->was_up && pychoral_elapsed(now, m->lost_at) >= m->config.lost)
        give_up(m, PYCHORAL_EVENT_GONE, " is unreachable");
}

// What must hold between inputs, whatever came.
static bool is_sound(PychoralMachine *m)
{
    return PYCHORAL_HOLDS(m, m->peer_read <= m->acked) &&
           PYCHORAL_HOLDS(m, m->acked < m->next_seq || m->acked < m->peer_next ||
                             m->config.durable) &&
           PYCHORAL_HOLDS(m, m->released < m->next_seq && m->out.next == m->next_seq) &&
           PYCHORAL_HOLDS(m, m->safe < m->expected && m->read < m->expected) &&
           PYCHORAL_HOLDS(m, m->done <= m->safe && m->ack_told <= m->safe) &&
           PYCHORAL_HOLDS(m, m->done_total <= m->in_total && m->read_total <= m->out_total) &&
           PYCHORAL_HOLDS(m, (m->phase == PYCHORAL_DOWN) == (m->conn == 0));
}

void pychoral_machine_tick(PychoralMachine *m, uint64_t now)
{
    if (m->failed || m->left || !is_sound(m))
        return;
    tick_dialler(m, now);
    tick_silence(m, now);
    pychoral_held_due(m, now);
    tick_up(m, now);
    tick_peer(m, now);
    if (m->end_seq != 0 && !m->failed)
        tick_leaving(m, now);
}
