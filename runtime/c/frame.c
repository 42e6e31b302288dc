// frame.c - frames of the wire, written and read; PROTOCOL.md section 1, contracts in frame.h.

#include "frame.h"

#include <string.h>
#include <zlib.h>

// ---- numbers, big-endian ----

static uint16_t get16(const uint8_t *at) { return (uint16_t)(at[0] << 8 | at[1]); }

static uint32_t get32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap32(value);
}

static uint64_t get64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap64(value);
}

static void put16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
    value = __builtin_bswap32(value);
    memcpy(at, &value, sizeof value);
}

static void put64(uint8_t *at, uint64_t value)
{
    value = __builtin_bswap64(value);
    memcpy(at, &value, sizeof value);
}

// ---- texts ----

PychoralText pychoral_text(const char *string)
{
    return (PychoralText){string, strlen(string)};
}

// How many bytes the character at `at` has; 0 if it is none (RFC 3629: shortest form, no
// surrogates, at most U+10FFFF) or NUL, which no string of the wire has.
static size_t character(const uint8_t *at, size_t left)
{
    uint8_t lead = at[0], second_least = 0x80, second_most = 0xBF;
    if (lead < 0x80)
        return lead != 0;
    size_t size = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (size == 0 || size > left)
        return 0;
    if (lead == 0xE0 || lead == 0xF0)
        second_least = lead == 0xE0 ? 0xA0 : 0x90;
    if (lead == 0xED || lead == 0xF4)
        second_most = lead == 0xED ? 0x9F : 0x8F;
    if (at[1] < second_least || at[1] > second_most)
        return 0;
    for (size_t i = 2; i < size; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return size;
}

bool pychoral_text_is_sound(const uint8_t *at, size_t size)
{
    for (size_t step; size > 0; at += step, size -= step)
        if ((step = character(at, size)) == 0)
            return false;
    return true;
}

PychoralText pychoral_text_shortened(PychoralText text, size_t most)
{
    if (text.size <= most)
        return text;
    while (most > 0 && ((uint8_t)text.data[most] & 0xC0) == 0x80)
        most--;
    return (PychoralText){text.data, most};
}

PychoralText pychoral_text_cleaned(char *out, PychoralText text)
{
    for (size_t at = 0, step; at < text.size; at += step) {
        step = character((const uint8_t *)text.data + at, text.size - at);
        if (step > 0)
            memcpy(out + at, text.data + at, step);
        else
            out[at] = '?', step = 1;
    }
    return (PychoralText){out, text.size};
}

// ---- writing ----

static size_t put_string(uint8_t *out, PychoralText text)
{
    put16(out, (uint16_t)text.size);
    if (text.size > 0)
        memcpy(out + 2, text.data, text.size);
    return 2 + text.size;
}

size_t pychoral_frame_write_header(uint8_t *out, const PychoralHeader *header)
{
    memcpy(out, "CHZ1", 4);
    out[4] = header->kind;
    out[5] = header->flags;
    put16(out + 6, header->length != 0 ? header->length : PYCHORAL_HEADER_SIZE);
    put32(out + 8, header->site);
    put32(out + 12, header->label);
    put64(out + 24, header->seq);
    pychoral_frame_renew(out, header->session, header->ack, header->limit);
    return PYCHORAL_HEADER_SIZE;
}

void pychoral_frame_renew(uint8_t *header, uint64_t session, uint64_t ack, uint64_t limit)
{
    put64(header + 16, session);
    put64(header + 32, ack);
    put64(header + 40, limit);
}

size_t pychoral_frame_write_greeting(uint8_t *out, const PychoralGreeting *greeting)
{
    put16(out, greeting->lowest);
    put16(out + 2, greeting->highest);
    memcpy(out + 4, greeting->hash, 32);
    memcpy(out + 36, greeting->run_id, 16);
    put64(out + 52, greeting->incarnation);
    put64(out + 60, greeting->expected);
    put64(out + 68, greeting->window_bytes);
    put32(out + 76, greeting->window_messages);
    put32(out + 80, greeting->durable);
    put64(out + 84, greeting->max_message);
    put64(out + 92, greeting->nonce);
    size_t size = PYCHORAL_GREETING_SIZE;
    size += put_string(out + size, greeting->role);
    size += put_string(out + size, greeting->peer);
    return size + put_string(out + size, greeting->run);
}

size_t pychoral_frame_write_refusal(uint8_t *out, uint16_t code, PychoralText text)
{
    text = pychoral_text_shortened(text, PYCHORAL_TEXT_MAX);
    put16(out, code);
    memcpy(out + 2, text.data, text.size);
    return 2 + text.size;
}

size_t pychoral_frame_write_progress(uint8_t *out, uint64_t steps, uint8_t state,
                                     PychoralText role)
{
    put64(out, steps);
    out[8] = state;
    return 9 + put_string(out + 9, pychoral_text_shortened(role, PYCHORAL_TEXT_MAX));
}

size_t pychoral_frame_write_end(uint8_t *out, uint16_t status)
{
    put16(out, status);
    return 2;
}

size_t pychoral_frame_write_failure(uint8_t *out, PychoralText role, PychoralText type,
                                    PychoralText text)
{
    size_t size = put_string(out, pychoral_text_shortened(role, PYCHORAL_TEXT_MAX));
    size += put_string(out + size, pychoral_text_shortened(type, PYCHORAL_TEXT_MAX));
    return size + put_string(out + size, pychoral_text_shortened(text, PYCHORAL_TEXT_MAX));
}

// The CRC of a message whose first frame has it at `length`, left out of the sum.
static uint32_t checksum(const PychoralFrame *frames, size_t count, size_t length)
{
    const uint8_t *first = frames[0].data;
    size_t at = length + PYCHORAL_CRC_SIZE;
    uLong crc = crc32_z(0, first, length);
    if (frames[0].size > at)  // zlib takes NULL for "begin anew"
        crc = crc32_z(crc, first + at, frames[0].size - at);
    for (size_t i = 1; i < count; i++)
        if (frames[i].size > 0)
            crc = crc32_z(crc, frames[i].data, frames[i].size);
    return (uint32_t)crc;
}

void pychoral_frame_seal(uint8_t *first, const PychoralFrame *frames, size_t count)
{
    size_t length = get16(first + 6);
    put32(first + length, checksum(frames, count, length));
}

// ---- reading ----

bool pychoral_kind_is_numbered(uint8_t kind)
{
    return kind == PYCHORAL_DATA || kind == PYCHORAL_SELECT || kind == PYCHORAL_END ||
           kind == PYCHORAL_ERROR;
}

static void read_header(const uint8_t *at, PychoralHeader *out)
{
    out->kind = at[4];
    out->flags = at[5];
    out->length = get16(at + 6);
    out->site = get32(at + 8);
    out->label = get32(at + 12);
    out->session = get64(at + 16);
    out->seq = get64(at + 24);
    out->ack = get64(at + 32);
    out->limit = get64(at + 40);
}

static bool has_site(uint8_t kind)
{
    return kind == PYCHORAL_DATA || kind == PYCHORAL_SELECT || kind == PYCHORAL_PING ||
           kind == PYCHORAL_PONG;
}

// The header alone: kind, flags, and the fields that only some kinds have.
static bool header_is_sound(const PychoralHeader *header)
{
    uint8_t kind = header->kind;
    if (kind < PYCHORAL_HELLO || kind > PYCHORAL_ERROR || header->length < PYCHORAL_HEADER_SIZE ||
        (header->flags & ~(PYCHORAL_FLAG_MORE | PYCHORAL_FLAG_CRC)) != 0)
        return false;
    if (pychoral_kind_is_numbered(kind) != (header->seq != 0) || header->seq >> 63 != 0)
        return false;
    if ((header->site != 0 && !has_site(kind)) || (header->label != 0 && kind != PYCHORAL_SELECT))
        return false;
    if ((kind == PYCHORAL_HELLO || kind == PYCHORAL_REFUSE) && header->session != 0)
        return false;
    return kind != PYCHORAL_REFUSE || (header->ack == 0 && header->limit == 0);
}

// Reads `count` strings of at most `most` bytes each, and nothing behind them.
static bool read_strings(const uint8_t *at, size_t left, PychoralText **out, size_t count,
                         size_t most)
{
    for (size_t i = 0; i < count; i++) {
        if (left < 2)
            return false;
        size_t size = get16(at);
        if (size > most || size > left - 2 || !pychoral_text_is_sound(at + 2, size))
            return false;
        *out[i] = (PychoralText){(const char *)at + 2, size};
        at += 2 + size;
        left -= 2 + size;
    }
    return left == 0;
}

static bool read_greeting(const uint8_t *at, size_t size, PychoralGreeting *out)
{
    if (size < PYCHORAL_GREETING_SIZE)
        return false;
    out->lowest = get16(at);
    out->highest = get16(at + 2);
    memcpy(out->hash, at + 4, 32);
    memcpy(out->run_id, at + 36, 16);
    out->incarnation = get64(at + 52);
    out->expected = get64(at + 60);
    out->window_bytes = get64(at + 68);
    out->window_messages = get32(at + 76);
    out->durable = get32(at + 80);
    out->max_message = get64(at + 84);
    out->nonce = get64(at + 92);
    PychoralText *strings[] = {&out->role, &out->peer, &out->run};
    return out->durable <= 1 &&
           read_strings(at + PYCHORAL_GREETING_SIZE, size - PYCHORAL_GREETING_SIZE, strings, 3,
                        PYCHORAL_STRING_MAX) &&
           out->role.size > 0 && out->peer.size > 0;
}

static bool read_refusal(const uint8_t *at, size_t size, PychoralParsed *out)
{
    if (size < 2 || size - 2 > PYCHORAL_TEXT_MAX || !pychoral_text_is_sound(at + 2, size - 2))
        return false;
    out->as.refusal.code = get16(at);
    out->as.refusal.text = (PychoralText){(const char *)at + 2, size - 2};
    return true;
}

static bool read_progress(const uint8_t *at, size_t size, PychoralParsed *out)
{
    if (size < 9 || at[8] > 3)
        return false;
    out->as.progress.steps = get64(at);
    out->as.progress.state = at[8];
    PychoralText *strings[] = {&out->as.progress.role};
    return read_strings(at + 9, size - 9, strings, 1, PYCHORAL_STRING_MAX);
}

static bool read_failure(const uint8_t *at, size_t size, PychoralParsed *out)
{
    PychoralText *strings[] = {&out->as.failure.role, &out->as.failure.type,
                               &out->as.failure.text};
    return read_strings(at, size, strings, 3, PYCHORAL_TEXT_MAX);
}

static bool read_end(const uint8_t *at, size_t size, PychoralParsed *out)
{
    if (size != 2)
        return false;
    out->as.status = get16(at);
    return true;
}

static bool read_body(PychoralParsed *out)
{
    switch ((PychoralFrameKind)out->header.kind) {
    case PYCHORAL_HELLO:
    case PYCHORAL_WELCOME: return read_greeting(out->body, out->size, &out->as.greeting);
    case PYCHORAL_REFUSE: return read_refusal(out->body, out->size, out);
    case PYCHORAL_DATA: return true;
    case PYCHORAL_SELECT:
    case PYCHORAL_ACK: return out->size == 0;
    case PYCHORAL_PING:
    case PYCHORAL_PONG: return read_progress(out->body, out->size, out);
    case PYCHORAL_END: return read_end(out->body, out->size, out);
    case PYCHORAL_ERROR: return read_failure(out->body, out->size, out);
    }
    return false;
}

// As many frames, and bytes behind the header, as the flags say.
static bool frames_fit(const PychoralParsed *message, size_t count)
{
    if (message->header.flags & PYCHORAL_FLAG_MORE)
        return message->header.kind == PYCHORAL_DATA && message->size == 0 && count > 1 &&
               count <= PYCHORAL_FRAMES_MAX + 1;
    return count == 1;
}

bool pychoral_frame_parse(const PychoralFrame *frames, size_t count, PychoralParsed *out)
{
    if (count == 0 || frames[0].size < PYCHORAL_HEADER_SIZE ||
        memcmp(frames[0].data, "CHZ1", 4) != 0)
        return false;
    const uint8_t *first = frames[0].data;
    read_header(first, &out->header);
    bool has_crc = (out->header.flags & PYCHORAL_FLAG_CRC) != 0;
    size_t length = out->header.length, at = length + (has_crc ? PYCHORAL_CRC_SIZE : 0);
    if (!header_is_sound(&out->header) || at > frames[0].size)
        return false;
    out->extra = first + PYCHORAL_HEADER_SIZE;
    out->extra_size = length - PYCHORAL_HEADER_SIZE;
    out->body = first + at;
    out->size = frames[0].size - at;
    if (!frames_fit(out, count) ||
        (has_crc && checksum(frames, count, length) != get32(first + length)))
        return false;
    return out->header.kind == PYCHORAL_DATA || read_body(out);
}

bool pychoral_frame_peek_hello(const PychoralFrame *frame, PychoralText *role, PychoralText *peer)
{
    PychoralParsed parsed;
    if (!pychoral_frame_parse(frame, 1, &parsed) || parsed.header.kind != PYCHORAL_HELLO)
        return false;
    *role = parsed.as.greeting.role;
    *peer = parsed.as.greeting.peer;
    return true;
}
