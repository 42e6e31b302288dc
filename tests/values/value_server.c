// value_server.c - decodes and encodes again what tests/runtime/agree.py sends.
//
// Lines in: the number of a type, a blank, frames in hex with commas between them. Lines out: `ok`,
// a blank and the frames of the value encoded again, or `bad` and the reason. An empty frame that
// comes is nothing, one that goes is `-`.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "value_types.h"

enum { MAX_FRAMES = 64 };

static void fail(const char *reason)
{
    fprintf(stderr, "value_server: %s\n", reason);
    exit(EXIT_FAILURE);
}

static int digit(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The bytes of `text` up to a comma or the end, in a buffer of their own.
static PychoralBuffer *parse_hex(const char **text)
{
    size_t digits = strcspn(*text, ",\n");
    PychoralBuffer *buffer = pychoral_buffer_new(digits / 2);
    if (buffer == NULL)
        fail("out of memory");
    unsigned char *bytes = buffer->data;
    for (size_t i = 0; i + 1 < digits; i += 2)
        bytes[i / 2] = (unsigned char)(digit((*text)[i]) << 4 | digit((*text)[i + 1]));
    *text += digits;
    return buffer;
}

static size_t parse_frames(const char *text, PychoralFrame *frames)
{
    size_t count = 0;
    for (;;) {
        if (count == MAX_FRAMES)
            fail("too many frames");
        PychoralBuffer *buffer = parse_hex(&text);
        frames[count++] = (PychoralFrame){buffer->data, buffer->size, buffer};
        if (*text++ != ',')
            return count;
    }
}

static void print_frame(const PychoralFrame *frame)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *bytes = frame->data;
    for (size_t i = 0; i < frame->size; i++) {
        putchar(digits[bytes[i] >> 4]);
        putchar(digits[bytes[i] & 15]);
    }
    if (frame->size == 0)
        putchar('-');
}

static void answer(PychoralWriter *writer, const PychoralType *type, const PychoralFrame *frames,
                   size_t count)
{
    PychoralFault fault;
    void *value = malloc(type->size + 1);
    if (value == NULL)
        fail("out of memory");
    if (!pychoral_decode(type, frames, count, value, &fault)) {
        printf("bad %s\n", fault.text);
    } else if (!pychoral_encode(writer, type, value, &fault)) {
        printf("lost %s\n", fault.text);
        pychoral_release(type, value);
    } else {
        printf("ok ");
        for (size_t i = 0; i < writer->count; i++) {
            if (i > 0)
                putchar(',');
            print_frame(&writer->frames[i]);
        }
        putchar('\n');
        pychoral_release(type, value);
    }
    free(value);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    PychoralWriter writer = {0};
    while (getline(&line, &room, stdin) > 0) {
        char *text;
        size_t number = strtoul(line, &text, 10);
        if (number >= value_type_count || *text != ' ')
            fail("a line that is no request");
        PychoralFrame frames[MAX_FRAMES];
        size_t count = parse_frames(text + 1, frames);
        answer(&writer, value_types[number].type, frames, count);
        for (size_t i = 0; i < count; i++)
            pychoral_buffer_release(frames[i].owner);
        fflush(stdout);
    }
    pychoral_writer_clear(&writer);
    free(line);
    return EXIT_SUCCESS;
}
