// test_vectors.c - the golden frames (runtime/vectors/frames.json): the verdict on each is that of
// the Python runtime, so is what it says, and the same bytes are written from it.

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "json.h"

enum { MOST_BYTES = 8192, MOST_FRAMES = 8 };

static const char *const KINDS[] = {"", "HELLO", "WELCOME", "REFUSE", "DATA", "SELECT",
                                    "ACK", "PING", "PONG", "END", "ERROR"};

typedef struct Vector {
    const PychoralJsonValue *json;
    const char *name;
    uint8_t bytes[MOST_FRAMES][MOST_BYTES];
    PychoralFrame frames[MOST_FRAMES];
    size_t count;
} Vector;

static size_t unhex(const char *text, uint8_t *out)
{
    size_t size = strlen(text) / 2;
    ck_assert_uint_le(size, MOST_BYTES);
    for (size_t i = 0; i < size; i++) {
        char pair[3] = {text[2 * i], text[2 * i + 1], '\0'};
        out[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return size;
}

static void read_vector(const PychoralJsonValue *json, Vector *out)
{
    out->json = json;
    out->name = pychoral_json_member(json, "name")->text;
    out->count = 0;
    const PychoralJsonValue *each = pychoral_json_member(json, "frames")->first;
    for (; each != NULL; each = each->next) {
        ck_assert_uint_lt(out->count, MOST_FRAMES);
        uint8_t *bytes = out->bytes[out->count];
        out->frames[out->count++] = (PychoralFrame){bytes, unhex(each->text, bytes), NULL};
    }
}

static PychoralJson *read_file(void)
{
    FILE *file = fopen("runtime/vectors/frames.json", "rb");
    ck_assert_ptr_nonnull(file);
    static char text[1 << 20];
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    PychoralFault fault = {0};
    PychoralJson *json = pychoral_json_read(text, size, &fault);
    ck_assert_ptr_nonnull(json);
    return json;
}

// ---- what a frame says ----

static uint64_t number_of(const PychoralJsonValue *object, const char *key)
{
    uint64_t number = 0;
    const PychoralJsonValue *value = pychoral_json_member(object, key);
    ck_assert_msg(value != NULL && pychoral_json_whole(value, UINT64_MAX, &number), "%s", key);
    return number;
}

static PychoralText text_of(const PychoralJsonValue *object, const char *key)
{
    return pychoral_text(pychoral_json_member(object, key)->text);
}

static bool same(PychoralText one, PychoralText other)
{
    return one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
}

static bool same_bytes(const uint8_t *bytes, size_t size, const PychoralJsonValue *hex)
{
    uint8_t wanted[64];
    return unhex(hex->text, wanted) == size && memcmp(bytes, wanted, size) == 0;
}

static void check_header(const Vector *vector, const PychoralHeader *header)
{
    const PychoralJsonValue *json = vector->json;
    const char *kind = pychoral_json_member(json, "kind")->text;
    ck_assert_str_eq(KINDS[header->kind], kind);
    ck_assert_uint_eq(header->flags, number_of(json, "flags"));
    ck_assert_uint_eq(header->length, number_of(json, "header"));
    ck_assert_uint_eq(header->site, number_of(json, "site"));
    ck_assert_uint_eq(header->label, number_of(json, "label"));
    ck_assert_uint_eq(header->session, number_of(json, "session"));
    ck_assert_uint_eq(header->seq, number_of(json, "seq"));
    ck_assert_uint_eq(header->ack, number_of(json, "ack"));
    ck_assert_uint_eq(header->limit, number_of(json, "limit"));
}

static void check_greeting(const PychoralGreeting *greeting, const PychoralJsonValue *body)
{
    ck_assert_uint_eq(greeting->lowest, number_of(body, "lowest"));
    ck_assert_uint_eq(greeting->highest, number_of(body, "highest"));
    ck_assert(same_bytes(greeting->hash, 32, pychoral_json_member(body, "protocol")));
    ck_assert(same_bytes(greeting->run_id, 16, pychoral_json_member(body, "run_id")));
    ck_assert_uint_eq(greeting->incarnation, number_of(body, "incarnation"));
    ck_assert_uint_eq(greeting->expected, number_of(body, "expected"));
    ck_assert_uint_eq(greeting->window_bytes, number_of(body, "window_bytes"));
    ck_assert_uint_eq(greeting->window_messages, number_of(body, "window_messages"));
    ck_assert_uint_eq(greeting->durable, number_of(body, "durable"));
    ck_assert_uint_eq(greeting->max_message, number_of(body, "max_message"));
    ck_assert_uint_eq(greeting->nonce, number_of(body, "nonce"));
    ck_assert(same(greeting->role, text_of(body, "role")));
    ck_assert(same(greeting->peer, text_of(body, "peer")));
    ck_assert(same(greeting->run, text_of(body, "run")));
}

static void check_body(const Vector *vector, const PychoralParsed *parsed)
{
    const PychoralJsonValue *body = pychoral_json_member(vector->json, "body");
    switch ((PychoralFrameKind)parsed->header.kind) {
    case PYCHORAL_HELLO:
    case PYCHORAL_WELCOME: check_greeting(&parsed->as.greeting, body); break;
    case PYCHORAL_REFUSE:
        ck_assert_uint_eq(parsed->as.refusal.code, number_of(body, "code"));
        ck_assert(same(parsed->as.refusal.text, text_of(body, "text")));
        break;
    case PYCHORAL_PING:
    case PYCHORAL_PONG:
        ck_assert_uint_eq(parsed->as.progress.steps, number_of(body, "steps"));
        ck_assert_uint_eq(parsed->as.progress.state, number_of(body, "state"));
        ck_assert(same(parsed->as.progress.role, text_of(body, "role")));
        break;
    case PYCHORAL_END: ck_assert_uint_eq(parsed->as.status, number_of(body, "status")); break;
    case PYCHORAL_ERROR:
        ck_assert(same(parsed->as.failure.role, text_of(body, "role")));
        ck_assert(same(parsed->as.failure.type, text_of(body, "type")));
        ck_assert(same(parsed->as.failure.text, text_of(body, "text")));
        break;
    case PYCHORAL_DATA:
    case PYCHORAL_SELECT:
    case PYCHORAL_ACK: ck_assert_ptr_null(body); break;
    }
}

// ---- writing it again ----

static size_t write_body(uint8_t *out, const PychoralParsed *parsed)
{
    switch ((PychoralFrameKind)parsed->header.kind) {
    case PYCHORAL_HELLO:
    case PYCHORAL_WELCOME: return pychoral_frame_write_greeting(out, &parsed->as.greeting);
    case PYCHORAL_REFUSE:
        return pychoral_frame_write_refusal(out, parsed->as.refusal.code, parsed->as.refusal.text);
    case PYCHORAL_PING:
    case PYCHORAL_PONG:
        return pychoral_frame_write_progress(out, parsed->as.progress.steps,
                                             parsed->as.progress.state, parsed->as.progress.role);
    case PYCHORAL_END: return pychoral_frame_write_end(out, parsed->as.status);
    case PYCHORAL_ERROR:
        return pychoral_frame_write_failure(out, parsed->as.failure.role, parsed->as.failure.type,
                                            parsed->as.failure.text);
    case PYCHORAL_DATA:
    case PYCHORAL_SELECT:
    case PYCHORAL_ACK: break;
    }
    memcpy(out, parsed->body, parsed->size);
    return parsed->size;
}

static void check_writing(Vector *vector, const PychoralParsed *parsed)
{
    uint8_t out[MOST_BYTES];
    bool has_crc = (parsed->header.flags & PYCHORAL_FLAG_CRC) != 0;
    size_t at = pychoral_frame_write_header(out, &parsed->header);
    memcpy(out + at, parsed->extra, parsed->extra_size);
    at += parsed->extra_size;
    at += has_crc ? PYCHORAL_CRC_SIZE : 0;
    at += write_body(out + at, parsed);
    if (has_crc) {
        PychoralFrame again[MOST_FRAMES];
        memcpy(again, vector->frames, sizeof again);
        again[0] = (PychoralFrame){out, at, NULL};
        pychoral_frame_seal(out, again, vector->count);
    }
    ck_assert_uint_eq(at, vector->frames[0].size);
    ck_assert_mem_eq(out, vector->bytes[0], at);
}

// ---- tests ----

START_TEST(frames_are_read_and_written)
{
    static Vector vector;
    PychoralJson *json = read_file();
    size_t count = 0;
    for (const PychoralJsonValue *each = pychoral_json_root(json)->first; each != NULL;
         each = each->next, count++) {
        PychoralParsed parsed;
        read_vector(each, &vector);
        bool valid = pychoral_frame_parse(vector.frames, vector.count, &parsed);
        ck_assert_msg(valid == pychoral_json_member(each, "valid")->truth, "%s", vector.name);
        if (!valid)
            continue;
        check_header(&vector, &parsed.header);
        check_body(&vector, &parsed);
        check_writing(&vector, &parsed);
    }
    ck_assert_uint_gt(count, 50);
    pychoral_json_free(json);
}
END_TEST

Suite *vectors_suite(void);
Suite *vectors_suite(void)
{
    Suite *suite = suite_create("vectors");
    TCase *tcase = tcase_create("frames");
    tcase_add_test(tcase, frames_are_read_and_written);
    suite_add_tcase(suite, tcase);
    return suite;
}
