// outbox.c - sending: numbers, credit, and what is kept until it is acknowledged.
//
// PROTOCOL.md sections 2 (rules 3, 5 to 8, 12) and 3. A small message is one record of the fifo; a
// large one has its further frames beside it, which are lent to the connection and kept here by
// reference at once.

#include <stdlib.h>
#include <string.h>

#include "link.h"

// ---- putting out ----

static void put_out(PychoralMachine *m, PychoralOutRecord *record)
{
    PychoralFrame one = {record->bytes, record->size, NULL};
    PychoralFrame *frames = &one;
    size_t count = 1;
    if (record->more != NULL) {
        frames = record->more->frames;
        frames[0] = one;
        count += record->more->count;
    }
    pychoral_frame_renew(record->bytes, m->session, m->safe, pychoral_limit(m));
    pychoral_in_told(m);
    if (m->config.crc)
        pychoral_frame_seal(record->bytes, frames, count);
    m->output.send(m->output.context, m->conn, frames, count);
}

void pychoral_out_resend(PychoralMachine *m)
{
    uint64_t seq = m->peer_next > m->acked ? m->peer_next : m->acked + 1;
    for (; seq < m->next_seq && m->peer_window_messages > 0; seq++) {
        PychoralOutRecord *record = pychoral_slots_at(&m->out, seq)->record;
        if (!PYCHORAL_HOLDS(m, record != NULL))
            return;
        put_out(m, record);
    }
}

// ---- letting go ----

static void free_more(PychoralMore *more)
{
    for (size_t i = 1; i <= more->count; i++)
        pychoral_buffer_release(more->frames[i].owner);
    free(more);
}

static void release_one(PychoralMachine *m, uint64_t seq)
{
    PychoralSlot *slot = pychoral_slots_at(&m->out, seq);
    PychoralOutRecord *record = slot->record;
    if (record == NULL)
        return;
    slot->record = NULL;
    if (record->more != NULL)
        free_more(record->more);
    pychoral_fifo_pop(&m->out_records);
}

// Lets go of slots that the peer has read.
static void advance(PychoralMachine *m)
{
    uint64_t last = m->peer_read < m->next_seq ? m->peer_read : m->next_seq - 1;
    if (last < m->out.first)
        return;
    m->read_total = pychoral_slots_at(&m->out, last)->total;
    m->out.first = last + 1;
}

static void update_read(PychoralMachine *m)
{
    uint64_t window = m->peer_window_messages;
    uint64_t read = m->peer_limit > window ? m->peer_limit - window : 0;
    if (read > m->acked)
        read = m->acked;
    if (read > m->peer_read)
        m->peer_read = read;
    advance(m);
}

void pychoral_out_acked(PychoralMachine *m, uint64_t ack)
{
    if (ack <= m->acked)
        return;
    m->acked = ack;
    m->breaks = 0;
    for (; m->released < ack && m->released + 1 < m->next_seq; m->released++)
        release_one(m, m->released + 1);
    update_read(m);
}

void pychoral_out_limit(PychoralMachine *m, uint64_t limit)
{
    m->peer_limit = limit;
    update_read(m);
}

// Everything but an own END or ERROR counts as acknowledged.
void pychoral_out_forget(PychoralMachine *m)
{
    pychoral_out_acked(m, m->end_seq != 0 ? m->end_seq - 1 : m->next_seq - 1);
}

void pychoral_out_clear(PychoralMachine *m)
{
    while (m->released + 1 < m->next_seq)
        release_one(m, ++m->released);
    free(m->out.ring);
    pychoral_fifo_clear(&m->out_records);
}

// ---- sending ----

static bool is_over(const PychoralMachine *m)
{
    return m->end_seq != 0 || m->peer_ended || m->failed || m->left;
}

static bool has_credit(const PychoralMachine *m, uint64_t size)
{
    uint64_t seq = m->next_seq, unread = m->out_total - m->read_total;
    if (seq <= m->acked)  // an earlier process of this role has sent it
        return true;
    return seq <= m->peer_limit && seq - m->peer_read <= m->in_force_messages &&
           (unread == 0 || (unread <= m->in_force_bytes && size <= m->in_force_bytes - unread));
}

bool pychoral_machine_has_credit(const PychoralMachine *m, uint64_t size)
{
    return is_over(m) || has_credit(m, size);
}

static bool keep_frame(PychoralFrame *out, const PychoralFrame *frame)
{
    *out = *frame;
    if (frame->owner != NULL) {
        pychoral_buffer_retain(frame->owner);
        return true;
    }
    out->owner = pychoral_buffer_new(frame->size);
    if (out->owner == NULL)
        return false;
    if (frame->size > 0)
        memcpy(out->owner->data, frame->data, frame->size);
    out->data = out->owner->data;
    return true;
}

// Further frames, each owned. NULL when memory has run out.
static PychoralMore *keep_more(const PychoralFrame *frames, size_t count)
{
    PychoralMore *more = malloc(sizeof *more + (count + 1) * sizeof *frames);
    if (more == NULL)
        return NULL;
    for (more->count = 0; more->count < count; more->count++)
        if (!keep_frame(&more->frames[more->count + 1], &frames[more->count])) {
            free_more(more);
            return NULL;
        }
    return more;
}

// A record with its header and a body of `size` bytes that stands in it, or of further frames.
static PychoralOutRecord *new_record(PychoralMachine *m, const PychoralHeader *header,
                                     const void *body, size_t size, PychoralMore *more)
{
    size_t behind = header->length + (m->config.crc ? PYCHORAL_CRC_SIZE : 0);
    PychoralOutRecord *record = pychoral_fifo_push(&m->out_records, sizeof *record + behind + size);
    if (record == NULL)
        return NULL;
    record->more = more;
    record->size = behind + size;
    pychoral_frame_write_header(record->bytes, header);
    if (m->stamp_size > 0)
        memcpy(record->bytes + PYCHORAL_HEADER_SIZE, m->stamp, m->stamp_size);
    if (size > 0)
        memcpy(record->bytes + behind, body, size);
    return record;
}

static PychoralOutRecord *keep(PychoralMachine *m, PychoralHeader header, const void *body,
                               size_t size, PychoralMore *more)
{
    if (m->out.next - m->out.first == m->out.capacity && !pychoral_slots_grow(&m->out))
        return NULL;
    header.seq = m->next_seq;
    header.length = (uint16_t)(PYCHORAL_HEADER_SIZE + m->stamp_size);
    header.flags = (uint8_t)((more != NULL ? PYCHORAL_FLAG_MORE : 0) |
                             (m->config.crc ? PYCHORAL_FLAG_CRC : 0));
    return new_record(m, &header, body, size, more);
}

// Gives a message its number, keeps it, and puts it out where the peer has not got it. `counted` is
// what it takes of the window in bytes. Takes `more`. False when memory has run out.
static bool number(PychoralMachine *m, PychoralHeader header, const void *body, size_t size,
                   PychoralMore *more, uint64_t counted)
{
    uint64_t seq = m->next_seq;
    PychoralOutRecord *record = keep(m, header, body, size, more);
    if (record == NULL) {
        if (more != NULL)
            free_more(more);
        pychoral_machine_memory(m);
        return false;
    }
    m->out_total += counted;
    m->next_seq = seq + 1;
    pychoral_slots_push(&m->out, m->out_total, record);
    if (seq <= m->acked) {  // acknowledged before this process began
        release_one(m, seq);
        m->released = seq;
        advance(m);
    } else if (m->phase == PYCHORAL_UP && seq >= m->peer_next) {
        put_out(m, record);
    }
    return true;
}

// Nobody will read it. It uses up its number as if it had been sent and acknowledged, so that a
// program that runs again gives the same numbers, wherever it learns that the peer has ended.
static PychoralSent waste(PychoralMachine *m)
{
    if (!m->peer_ended || m->end_seq != 0 || m->failed || m->left)
        return PYCHORAL_GONE;
    m->released = m->next_seq++;
    if (m->acked < m->released)
        m->acked = m->released;
    m->out.first = m->out.next = m->next_seq;
    m->read_total = m->out_total;
    return PYCHORAL_GONE;
}

void pychoral_machine_stamp(PychoralMachine *m, const void *stamp, size_t size)
{
    m->stamp = stamp;
    m->stamp_size = size <= PYCHORAL_EXTRA_MAX ? size : 0;
}

PychoralSent pychoral_machine_send(PychoralMachine *m, uint64_t now, PychoralFrameKind kind,
                                   uint32_t site, uint32_t label, const PychoralFrame *frames,
                                   size_t count)
{
    (void)now;
    uint64_t size = 0;
    if (kind != PYCHORAL_DATA)  // site and label say all
        count = 0;
    for (size_t i = 0; i < count; i++)
        size += frames[i].size;
    if (is_over(m))
        return waste(m);
    if (size > m->config.max_message || count > PYCHORAL_FRAMES_MAX)
        return PYCHORAL_LARGE;
    if (!has_credit(m, size))
        return PYCHORAL_FULL;
    PychoralHeader header = {.kind = (uint8_t)kind, .site = site, .label = label};
    PychoralMore *more = NULL;
    bool is_small = count == 0 || (count == 1 && size <= PYCHORAL_INLINE_MAX);
    if (!is_small && (more = keep_more(frames, count)) == NULL) {
        pychoral_machine_memory(m);
        return PYCHORAL_GONE;
    }
    const void *body = is_small && count == 1 ? frames[0].data : NULL;
    return number(m, header, body, is_small ? (size_t)size : 0, more, size) ? PYCHORAL_SENT
                                                                         : PYCHORAL_GONE;
}

// ---- the last message ----

static void finish(PychoralMachine *m, uint64_t now, PychoralFrameKind kind, const uint8_t *body,
                   size_t size)
{
    m->ended_at = m->cut_at = now;
    m->was_cut = m->phase != PYCHORAL_UP;
    uint64_t seq = m->next_seq;
    if (number(m, (PychoralHeader){.kind = (uint8_t)kind}, body, size, NULL, 0))
        m->end_seq = seq;
}

void pychoral_machine_end(PychoralMachine *m, uint64_t now, uint16_t status)
{
    uint8_t body[2];
    if (m->end_seq == 0 && !m->failed && !m->left)
        finish(m, now, PYCHORAL_END, body, pychoral_frame_write_end(body, status));
}

// A copy of at most 500 bytes in which what is not UTF-8 is a question mark.
static PychoralText clean(char *out, PychoralText text)
{
    return pychoral_text_cleaned(out, pychoral_text_shortened(text, PYCHORAL_TEXT_MAX));
}

void pychoral_machine_error(PychoralMachine *m, uint64_t now, PychoralText role,
                            PychoralText type, PychoralText text)
{
    char clear[3][PYCHORAL_TEXT_MAX];
    uint8_t body[3 * (2 + PYCHORAL_TEXT_MAX)];
    if (m->end_seq != 0 || m->failed || m->left)
        return;
    size_t size = pychoral_frame_write_failure(body, clean(clear[0], role), clean(clear[1], type),
                                               clean(clear[2], text));
    finish(m, now, PYCHORAL_ERROR, body, size);
}
