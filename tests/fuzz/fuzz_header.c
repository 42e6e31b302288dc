// fuzz_header.c - libFuzzer target: arbitrary bytes for the decoder of frames alone.
//
// Nothing is copied, so that a read beyond the input is seen. A header that is taken is written
// again and must be the same, and so must a greeting; texts must be UTF-8 without NUL.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_text(PychoralText text)
{
    require(memchr(text.data, '\0', text.size) == NULL);
}

static void check_greeting(const PychoralParsed *parsed)
{
    uint8_t again[4096];
    if (parsed->size > sizeof again)
        return;
    require(pychoral_frame_write_greeting(again, &parsed->as.greeting) == parsed->size);
    require(memcmp(again, parsed->body, parsed->size) == 0);
    check_text(parsed->as.greeting.role);
    check_text(parsed->as.greeting.peer);
}

static void check(const PychoralFrame *frame, const PychoralParsed *parsed)
{
    uint8_t again[PYCHORAL_HEADER_SIZE];
    pychoral_frame_write_header(again, &parsed->header);
    memcpy(again + 6, (const uint8_t *)frame->data + 6, 2);  // the length may be greater
    require(memcmp(again, frame->data, sizeof again) == 0);
    if (parsed->header.kind == PYCHORAL_HELLO || parsed->header.kind == PYCHORAL_WELCOME)
        check_greeting(parsed);
    if (parsed->header.kind == PYCHORAL_REFUSE)
        check_text(parsed->as.refusal.text);
    if (parsed->header.kind == PYCHORAL_ERROR)
        check_text(parsed->as.failure.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PychoralParsed parsed;
    PychoralText role, peer;
    size_t first = size > 60 && data[size - 1] == 1 ? 48 + data[size - 2] % 8 : size;
    PychoralFrame frames[2] = {{data, first, NULL}, {data + first, size - first, NULL}};
    if (pychoral_frame_parse(frames, first < size ? 2 : 1, &parsed))
        check(frames, &parsed);
    if (pychoral_frame_peek_hello(frames, &role, &peer))
        check_text(role);
    return 0;
}
