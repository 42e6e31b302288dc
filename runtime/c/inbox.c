// inbox.c - what comes with a number: taken in order, kept until it is read.
//
// PROTOCOL.md sections 2 (rules 4 to 6, 9, 12) and 3. Small payloads are copied into the fifo,
// large ones are kept by reference. Acknowledging and letting more come are two things: `safe` and
// `done`.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"

// ---- acknowledging ----

void pychoral_in_told(PychoralMachine *m)
{
    m->ack_told = m->safe;
    m->limit_told = pychoral_limit(m);
    m->safe_total_told = m->safe_total;
    m->done_total_told = m->done_total;
    m->owed = false;
}

static uint64_t quarter(uint64_t window) { return window < 8 ? 1 : window / 4; }

static bool is_due(const PychoralMachine *m)
{
    uint64_t messages = quarter(m->in_force_messages), bytes = quarter(m->in_force_bytes);
    return m->safe - m->ack_told >= messages ||
           pychoral_limit(m) - m->limit_told >= messages ||
           m->safe_total - m->safe_total_told >= bytes ||
           m->done_total - m->done_total_told >= bytes;
}

// What was taken, stored or read is told: at once, if much of it is, or at a tick.
void pychoral_in_settle(PychoralMachine *m, uint64_t now, bool at_once)
{
    if (m->phase == PYCHORAL_UP && (at_once || is_due(m))) {
        pychoral_send_ack(m);
        return;
    }
    if (m->owed || (m->safe == m->ack_told && pychoral_limit(m) == m->limit_told))
        return;
    m->owed = true;
    m->owed_since = now;
}

// Before END and ERROR messages may be missing that were let go at the other side. They have no
// slot: the last message's is that of the first that is missing.
static PychoralSlot *slot_of(PychoralMachine *m, uint64_t seq)
{
    return pychoral_slots_at(&m->in, seq > m->gap_at ? seq - m->gap : seq);
}

// done = min(read, safe), and what was restored counts as done.
static void update_done(PychoralMachine *m)
{
    uint64_t done = m->read < m->safe ? m->read : m->safe;
    if (done > m->done) {
        m->done_total = slot_of(m, done)->total;
        m->done = done;
    }
    uint64_t over = m->read < m->done ? m->read : m->done;
    if (over > m->gap_at)
        over -= m->gap;
    if (over + 1 > m->in.first)
        m->in.first = over + 1;
}

// ---- keeping ----

// How much is kept of what lengthens a header.
static size_t extra_size(const PychoralParsed *message)
{
    return message->extra_size <= PYCHORAL_EXTRA_MAX ? message->extra_size : 0;
}

// Behind the payload, if that is in the record too.
static uint8_t *extra_of(PychoralInRecord *record)
{
    return record->bytes + (record->one.data == record->bytes ? record->one.size : 0);
}

static PychoralInRecord *keep_small(PychoralMachine *m, const PychoralParsed *message)
{
    bool lent = m->lent && extra_size(message) == 0;
    PychoralInRecord *record = pychoral_fifo_push(
        &m->in_records, sizeof *record + (lent ? 0 : message->size + extra_size(message)));
    if (record == NULL)
        return NULL;
    record->owned = NULL;
    record->one = (PychoralFrame){lent ? message->body : record->bytes, message->size, NULL};
    if (message->size > 0 && !lent)
        memcpy(record->bytes, message->body, message->size);
    return record;
}

static bool keep_frame(PychoralFrame *out, const void *data, size_t size, PychoralBuffer *owner)
{
    out->owner = owner != NULL ? pychoral_buffer_retain(owner) : pychoral_buffer_new(size);
    if (out->owner == NULL)
        return false;
    if (owner == NULL && size > 0)
        memcpy(out->owner->data, data, size);
    out->data = owner != NULL ? data : out->owner->data;
    out->size = size;
    return true;
}

static void free_frames(PychoralFrame *frames, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pychoral_buffer_release(frames[i].owner);
    free(frames);
}

// The payload's frames, owned: what is behind the header, or the frames after the first.
static PychoralFrame *keep_frames(const PychoralParsed *message, const PychoralFrame *frames,
                                  size_t count)
{
    bool further = (message->header.flags & PYCHORAL_FLAG_MORE) != 0;
    PychoralFrame *kept = malloc(count * sizeof *kept);
    if (kept == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const PychoralFrame *from = &frames[further ? i + 1 : 0];
        const void *data = further ? from->data : message->body;
        if (!keep_frame(&kept[i], data, further ? from->size : message->size, from->owner)) {
            free_frames(kept, i);
            return NULL;
        }
    }
    return kept;
}

static PychoralInRecord *keep_large(PychoralMachine *m, const PychoralParsed *message,
                                    const PychoralFrame *frames, size_t count)
{
    PychoralFrame *kept = keep_frames(message, frames, count);
    if (kept == NULL)
        return NULL;
    PychoralInRecord *record = pychoral_fifo_push(&m->in_records,
                                                  sizeof *record + extra_size(message));
    if (record == NULL)
        free_frames(kept, count);
    else
        *record = (PychoralInRecord){.owned = kept};
    return record;
}

// Puts a message into the queue; false when memory has run out.
static bool keep(PychoralMachine *m, const PychoralParsed *message, const PychoralFrame *frames,
                 size_t count, uint64_t size)
{
    if (m->in.next - m->in.first == m->in.capacity && !pychoral_slots_grow(&m->in))
        return false;
    bool is_small = count == 1 && message->size <= PYCHORAL_INLINE_MAX;
    size_t payloads = (message->header.flags & PYCHORAL_FLAG_MORE) ? count - 1 : 1;
    PychoralInRecord *record = is_small ? keep_small(m, message)
                                        : keep_large(m, message, frames, payloads);
    if (record == NULL)
        return false;
    record->count = message->header.kind == PYCHORAL_SELECT ? 0 : payloads;
    record->kind = message->header.kind;
    record->site = message->header.site;
    record->label = message->header.label;
    record->extra_size = extra_size(message);
    if (record->extra_size > 0)
        memcpy(extra_of(record), message->extra, record->extra_size);
    m->in_total += size;
    pychoral_slots_push(&m->in, m->in_total, record);
    m->gap_at = m->expected - 1;
    m->gap = message->header.seq - m->expected;
    m->expected = message->header.seq + 1;
    return true;
}

// ---- taking ----

static uint64_t payload_size(const PychoralParsed *message, const PychoralFrame *frames,
                             size_t count)
{
    uint64_t size = message->header.kind == PYCHORAL_DATA ? message->size : 0;
    for (size_t i = 1; i < count; i++)
        size += frames[i].size;
    return size;
}

static bool is_last(uint8_t kind) { return kind == PYCHORAL_END || kind == PYCHORAL_ERROR; }

// The limits that the sender has checked; one who has not is stopped.
static bool check_limits(PychoralMachine *m, const PychoralHeader *header, uint64_t size)
{
    const char *wrong = "is beyond its credit";
    uint64_t unread = m->in_total - m->done_total;
    if (is_last(header->kind))
        return true;
    if (size > m->config.max_message)
        wrong = "is larger than the limit";
    else if (header->seq <= m->limit_told &&
             (unread == 0 || unread + size <= m->in_force_bytes || size == 0))
        return true;
    pychoral_fault(m, PYCHORAL_LIMITS, "message %" PRIu64 " from %.*s %s", header->seq,
                   PYCHORAL_SHOWN(m->peer), wrong);
    return false;
}

static void tell_last(PychoralMachine *m, const PychoralParsed *message)
{
    if (message->header.kind == PYCHORAL_END) {
        pychoral_event(m, PYCHORAL_EVENT_PEER_END, message->as.status);
        return;
    }
    PychoralEvent event = {.kind = PYCHORAL_EVENT_PEER_ERROR, .role = message->as.failure.role,
                           .type = message->as.failure.type, .text = message->as.failure.text};
    m->output.event(m->output.context, &event);
}

static void take_in(PychoralMachine *m, uint64_t now, const PychoralParsed *message,
                    const PychoralFrame *frames, size_t count, uint64_t size)
{
    bool last = is_last(message->header.kind);
    if (!keep(m, message, frames, count, size)) {
        pychoral_machine_memory(m);
        return;
    }
    m->breaks = 0;
    if (!m->config.durable) {
        m->safe = m->expected - 1;
        m->safe_total = m->in_total;
    } else {
        pychoral_event(m, PYCHORAL_EVENT_STORED_WANTED, message->header.seq);
    }
    if (last) {
        m->peer_ended = true;
        m->peer_ended_at = now;
        pychoral_note_over(m, message);
        pychoral_out_forget(m);
        tell_last(m, message);
    }
    pychoral_in_settle(m, now, last && !m->config.durable);
}

void pychoral_in_numbered(PychoralMachine *m, uint64_t now, const PychoralParsed *message,
                          const PychoralFrame *frames, size_t count)
{
    uint64_t seq = message->header.seq;
    if (seq < m->expected) {
        pychoral_send_ack(m);
        return;
    }
    if (m->peer_ended || (seq > m->expected && !is_last(message->header.kind))) {
        pychoral_break(m, now);
        return;
    }
    uint64_t size = payload_size(message, frames, count);
    if (check_limits(m, &message->header, size))
        take_in(m, now, message, frames, count, size);
}

void pychoral_machine_restore(PychoralMachine *m, const PychoralFrame *frames, size_t count)
{
    PychoralParsed message;
    if (m->failed)
        return;
    if (!pychoral_frame_parse(frames, count, &message) || m->peer_ended ||
        message.header.seq < m->expected ||
        (message.header.seq > m->expected && !is_last(message.header.kind))) {
        pychoral_fault(m, PYCHORAL_STATE_LOST, "the journal lacks message %" PRIu64 " from %.*s",
                       m->expected, PYCHORAL_SHOWN(m->peer));
        return;
    }
    if (!keep(m, &message, frames, count, 0)) {
        pychoral_machine_memory(m);
        return;
    }
    m->safe = m->done = m->expected - 1;
    pychoral_in_told(m);
    if (is_last(message.header.kind)) {
        m->peer_ended = true;
        pychoral_note_over(m, &message);
    }
    pychoral_out_acked(m, message.header.ack);
}

// ---- reading ----

void pychoral_machine_lend(PychoralMachine *m, bool on) { m->lent = on; }

bool pychoral_machine_has_message(const PychoralMachine *m) { return m->read + 1 < m->expected; }

bool pychoral_machine_take(PychoralMachine *m, uint64_t now, PychoralMessage *out)
{
    if (m->given)
        pychoral_fifo_pop(&m->in_records);
    m->given = pychoral_machine_has_message(m);
    if (!m->given)
        return false;
    m->read += m->read == m->gap_at ? m->gap + 1 : 1;
    PychoralInRecord *record = slot_of(m, m->read)->record;
    *out = (PychoralMessage){
        .kind = (PychoralFrameKind)record->kind, .site = record->site, .label = record->label,
        .seq = m->read, .frames = record->owned != NULL ? record->owned : &record->one,
        .count = record->count, .owned = record->owned,
        .extra = extra_of(record), .extra_size = record->extra_size};
    slot_of(m, m->read)->record = NULL;
    update_done(m);
    if (!m->left && !m->failed)
        pychoral_in_settle(m, now, false);
    return true;
}

void pychoral_message_drop(PychoralMessage *message)
{
    if (message->owned != NULL)
        free_frames(message->owned, message->count);
    message->owned = NULL;
    message->frames = NULL;
    message->count = 0;
}

void pychoral_machine_stored(PychoralMachine *m, uint64_t now, uint64_t seq)
{
    if (!m->config.durable || m->failed || m->left)
        return;
    if (seq >= m->expected)
        seq = m->expected - 1;
    else if (seq > m->gap_at && seq + 1 < m->expected)
        seq = m->gap_at;
    if (seq <= m->safe)
        return;
    m->safe = seq;
    m->safe_total = slot_of(m, seq)->total;
    update_done(m);
    pychoral_in_settle(m, now, m->peer_ended && seq + 1 == m->expected);
}

void pychoral_in_clear(PychoralMachine *m)
{
    uint64_t place = m->read > m->gap_at ? m->read - m->gap : m->read;
    while (++place < m->in.next) {
        PychoralInRecord *record = pychoral_slots_at(&m->in, place)->record;
        if (record != NULL && record->owned != NULL)
            free_frames(record->owned, record->count);
    }
    free(m->in.ring);
    pychoral_fifo_clear(&m->in_records);
}
