// test_frame.c - whatever bytes come: each truncation and each change of each byte of valid frames,
// on their own and at a machine; numbers that are written are read; fifo and slots.
//
// Verdicts are compared with those of the Python runtime by tests/schedules (`--frames`).

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "fifo.h"
#include "frame.h"
#include "pair.h"
#include "slots.h"

enum { FRAME_MAX = 400 };

typedef struct Bytes { uint8_t data[FRAME_MAX]; size_t size; } Bytes;

static Bytes frame_of(PychoralFrameKind kind)
{
    Bytes out;
    PychoralHeader header = {.kind = (uint8_t)kind, .ack = 1, .limit = 9};
    PychoralGreeting greeting = {.lowest = 2, .highest = 2, .expected = 1, .window_messages = 4,
                                 .window_bytes = 4, .role = pychoral_text("Alice"),
                                 .peer = pychoral_text("B\xc3\xb6rk"), .run = pychoral_text("")};
    if (pychoral_kind_is_numbered(header.kind))
        header.seq = 3;
    if (kind != PYCHORAL_HELLO && kind != PYCHORAL_REFUSE)
        header.session = 77;
    if (kind == PYCHORAL_REFUSE)
        header.ack = header.limit = 0;
    out.size = pychoral_frame_write_header(out.data, &header);
    uint8_t *body = out.data + out.size;
    if (kind == PYCHORAL_HELLO || kind == PYCHORAL_WELCOME)
        out.size += pychoral_frame_write_greeting(body, &greeting);
    else if (kind == PYCHORAL_REFUSE)
        out.size += pychoral_frame_write_refusal(body, 3, pychoral_text("no"));
    else if (kind == PYCHORAL_PING || kind == PYCHORAL_PONG)
        out.size += pychoral_frame_write_progress(body, 5, 1, pychoral_text("Carol"));
    else if (kind == PYCHORAL_END)
        out.size += pychoral_frame_write_end(body, 1);
    else if (kind == PYCHORAL_ERROR)
        out.size += pychoral_frame_write_failure(body, pychoral_text("A"), pychoral_text("T"),
                                                 pychoral_text("text"));
    return out;
}

// Read from a block of exactly its size, so that a sanitizer sees a read beyond it.
static bool parses(const uint8_t *bytes, size_t size)
{
    PychoralParsed parsed;
    uint8_t *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, bytes, size);
    PychoralFrame frame = {copy, size, NULL};
    bool is_sound = pychoral_frame_parse(&frame, 1, &parsed);
    free(copy);
    return is_sound;
}

START_TEST(each_kind_is_read)
{
    for (int kind = PYCHORAL_HELLO; kind <= PYCHORAL_ERROR; kind++) {
        Bytes bytes = frame_of((PychoralFrameKind)kind);
        PychoralParsed parsed;
        PychoralFrame frame = {bytes.data, bytes.size, NULL};
        ck_assert_msg(pychoral_frame_parse(&frame, 1, &parsed), "kind %d", kind);
        ck_assert_uint_eq(parsed.header.limit, kind == PYCHORAL_REFUSE ? 0 : 9);
    }
}
END_TEST

START_TEST(no_truncation_is_taken)
{
    for (int kind = PYCHORAL_HELLO; kind <= PYCHORAL_ERROR; kind++) {
        Bytes bytes = frame_of((PychoralFrameKind)kind);
        size_t least = kind == PYCHORAL_REFUSE ? 50 : bytes.size;  // its text may be shorter
        for (size_t size = 0; size < least; size++)
            ck_assert_msg(!parses(bytes.data, size), "kind %d, %zu bytes", kind, size);
    }
}
END_TEST

START_TEST(no_change_does_harm)
{
    Pair pair;
    pair_configure(&pair);
    pair.ends[1].config.me = "B\xc3\xb6rk";
    pair.ends[0].config.peer = "B\xc3\xb6rk";
    for (int kind = PYCHORAL_HELLO; kind <= PYCHORAL_ERROR; kind++) {
        Bytes bytes = frame_of((PychoralFrameKind)kind);
        for (size_t at = 0; at < bytes.size; at++) {
            pair_make(&pair, 0);
            pychoral_machine_start(pair.ends[0].machine, 0);
            for (unsigned value = 0; value < 256; value++) {
                Bytes changed = bytes;
                changed.data[at] = (uint8_t)value;
                parses(changed.data, changed.size);
                pair_give(&pair, 0, 1 + value % 2, changed.data, changed.size);
                pair_lose(&pair);
                pair.ends[0].event_count = 0;
            }
        }
    }
    pair_free(&pair);
}
END_TEST

START_TEST(no_bit_of_a_frame_with_crc_may_change)
{
    Bytes bytes = frame_of(PYCHORAL_PING);
    memmove(bytes.data + 52, bytes.data + 48, bytes.size - 48);
    bytes.size += 4;
    bytes.data[5] = PYCHORAL_FLAG_CRC;
    PychoralFrame frame = {bytes.data, bytes.size, NULL};
    pychoral_frame_seal(bytes.data, &frame, 1);
    ck_assert(parses(bytes.data, bytes.size));
    for (size_t bit = 0; bit < bytes.size * 8; bit++) {
        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ck_assert_msg(!parses(bytes.data, bytes.size), "bit %zu", bit);
        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}
END_TEST

START_TEST(texts_are_cut_at_characters_and_cleaned)
{
    char out[16];
    PychoralText text = pychoral_text("a\xc3\xb6\xe2\x82\xac");
    ck_assert_uint_eq(pychoral_text_shortened(text, 6).size, 6);
    ck_assert_uint_eq(pychoral_text_shortened(text, 5).size, 3);
    ck_assert_uint_eq(pychoral_text_shortened(text, 2).size, 1);
    PychoralText clean = pychoral_text_cleaned(out, (PychoralText){"a\0\xff\xc3\xb6\xe2\x82", 7});
    ck_assert_uint_eq(clean.size, 7);
    ck_assert_mem_eq(out, "a??\xc3\xb6??", 7);
}
END_TEST

static void check_clean(const char *text, size_t size, const char *wanted)
{
    char room[80];
    snprintf(room, sizeof room, "%s", text);
    pychoral_string_clean(room, size);
    ck_assert_str_eq(room, wanted);
}

// As repr writes them in Python.
START_TEST(what_cannot_be_seen_is_escaped)
{
    check_clean("a\\ \xc3\xb6\xf0\x9f\x98\x80", 80, "a\\ \xc3\xb6\xf0\x9f\x98\x80");
    check_clean("\x1b[31m\n\r\t\x7f\xc2\x85", 80, "\\x1b[31m\\n\\r\\t\\x7f\\x85");
    check_clean("\xe2\x80\xa8\xe2\x80\xae\xe2\x80\x8b\xef\xbb\xbf", 80,
                "\\u2028\\u202e\\u200b\\ufeff");
    check_clean("\xf3\xa0\x81\x81\xc2\xa0", 80, "\\U000e0041\\xa0");
    check_clean("\xff\xc3(\xe2\x80", 80, "\\udcff\\udcc3(\\udce2\\udc80");
    check_clean("\x1b\x1b\x1b", 8, "\\x1b");
    check_clean("\x1b\xc3\xb6\xc3\xb6", 8, "\\x1b\xc3\xb6");
    check_clean("\x1b", 4, "");
}
END_TEST

START_TEST(fifo_keeps_records_where_they_are)
{
    PychoralFifo fifo = {0};
    uint32_t *records[2000];
    size_t first = 0;
    for (size_t i = 0; i < 2000; i++) {
        records[i] = pychoral_fifo_push(&fifo, 4 + i * 7 % PYCHORAL_FIFO_RECORD_MAX);
        ck_assert_uint_eq((uintptr_t)records[i] % 16, 0);
        *records[i] = (uint32_t)i;
        if (i % 3 == 0)
            pychoral_fifo_pop(&fifo), first++;
    }
    for (; first < 2000; first++) {
        ck_assert_uint_eq(*records[first], first);
        pychoral_fifo_pop(&fifo);
    }
    ck_assert_ptr_nonnull(pychoral_fifo_push(&fifo, 1));
    pychoral_fifo_clear(&fifo);
}
END_TEST

START_TEST(slots_are_found_by_number)
{
    PychoralSlots slots = {.first = 1, .next = 1};
    for (uint64_t seq = 1; seq < 5000; seq++) {
        ck_assert(pychoral_slots_push(&slots, seq * 3, NULL));
        if (seq % 2 == 0)
            slots.first++;
        for (uint64_t held = slots.first; held < slots.next; held += 97)
            ck_assert_uint_eq(pychoral_slots_at(&slots, held)->total, held * 3);
    }
    free(slots.ring);
}
END_TEST

Suite *frame_suite(void);

Suite *frame_suite(void)
{
    Suite *suite = suite_create("frame");
    TCase *bytes = tcase_create("bytes");
    tcase_add_test(bytes, each_kind_is_read);
    tcase_add_test(bytes, no_truncation_is_taken);
    tcase_add_test(bytes, no_change_does_harm);
    tcase_add_test(bytes, no_bit_of_a_frame_with_crc_may_change);
    tcase_add_test(bytes, texts_are_cut_at_characters_and_cleaned);
    tcase_add_test(bytes, what_cannot_be_seen_is_escaped);
    tcase_add_test(bytes, fifo_keeps_records_where_they_are);
    tcase_add_test(bytes, slots_are_found_by_number);
    tcase_set_timeout(bytes, 60);
    suite_add_tcase(suite, bytes);
    return suite;
}
