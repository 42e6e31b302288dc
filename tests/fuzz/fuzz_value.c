// fuzz_value.c - arbitrary frames into the decoder of values, under libFuzzer.
//
// The first byte chooses one of the types in tests/values/types_of_tests.py, the second says how
// many further frames of 64 KiB there are (0 to 3) and whether they may be borrowed; the rest is
// the value. What is accepted must be written again byte for byte, as each value has one form only:
// but where an int stood for a float, what is written must be read and written alike. A set may
// have its elements in another order then, and is as long.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/raise.h"
#include "codec.h"
#include "price.h"
#include "value_types.h"
#include "wire.h"

enum { DEPTH_OF_TYPES = 8, MAX_FRAMES = 4, OWNED = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_converted(PychoralKind kind)  // from ints
{
    return kind == PYCHORAL_FLOAT || kind == PYCHORAL_COMPLEX;
}

static bool is_reordered(PychoralKind kind)  // or may hold a set, whose order is that of its table
{
    return kind == PYCHORAL_SET || kind == PYCHORAL_FROZENSET || kind == PYCHORAL_OBJECT;
}

// Whether there may be a value of such a kind somewhere in a value of the type.
static bool has(const PychoralType *type, int depth, bool (*is_one)(PychoralKind))
{
    if (type == NULL || depth == 0)
        return false;
    if (is_one(type->kind) || has(type->element, depth - 1, is_one) ||
        has(type->key, depth - 1, is_one))
        return true;
    for (uint32_t i = 0; i < type->derived_count; i++)
        if (has(type->derived[i], depth - 1, is_one))
            return true;
    for (uint32_t i = 0; type->fields != NULL && i < type->count; i++)
        if (has(type->fields[i].type, depth - 1, is_one))
            return true;
    return false;
}

static void check(bool is_so, const char *text)
{
    if (is_so)
        return;
    fprintf(stderr, "broken: %s\n", text);
    abort();
}

static bool equal_frames(const PychoralFrame *a, size_t count_a, const PychoralFrame *b,
                         size_t count_b)
{
    bool equal = count_a == count_b;
    for (size_t i = 0; equal && i < count_a; i++)
        equal = a[i].size == b[i].size && memcmp(a[i].data, b[i].data, a[i].size) == 0;
    return equal;
}

static uint64_t size_of(const PychoralFrame *frames, size_t count)
{
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += frames[i].size;
    return size;
}

// Decodes and encodes; false if it is no value.
static bool again(PychoralWriter *writer, const PychoralType *type, const PychoralFrame *frames,
                  size_t count)
{
    PychoralFault fault;
    _Alignas(16) char value[256];
    check(type->size <= sizeof value, "a value has its place");
    uint64_t size = size_of(frames, count);
    bool is_cheap = pychoral_price_fits(frames, count, 164 * size - (size > 0));
    if (!pychoral_decode(type, frames, count, value, &fault)) {
        check(fault.status != 0 && fault.text[0] != '\0', "each fault has a text");
        return false;
    }
    check(is_cheap, "no byte costs more than 164");
    check(pychoral_raised == NULL, "what was read can be kept");
    check(pychoral_encode(writer, type, value, &fault), "what is accepted can be sent");
    pychoral_release(type, value);
    return true;
}

static void run(const PychoralType *type, const PychoralFrame *frames, size_t count)
{
    static PychoralWriter first, second;  // kept, as a role keeps its own
    if (!again(&first, type, frames, count) ||
        equal_frames(frames, count, first.frames, first.count))
        return;
    bool is_reordered_only = has(type, DEPTH_OF_TYPES, is_reordered) &&
                             size_of(frames, count) == size_of(first.frames, first.count);
    check(is_reordered_only || has(type, DEPTH_OF_TYPES, is_converted), "a value has one form");
    check(again(&second, type, first.frames, first.count), "what is sent is accepted");
    check(has(type, DEPTH_OF_TYPES, is_reordered)
              ? size_of(first.frames, first.count) == size_of(second.frames, second.count)
              : equal_frames(first.frames, first.count, second.frames, second.count),
          "conversion is done once");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char large[PYCHORAL_LARGE];
    if (size < 2)
        return 0;
    PychoralFrame frames[MAX_FRAMES];
    size_t count = 1 + (data[1] & 3);
    PychoralBuffer *buffer = NULL;
    if (data[1] & OWNED)
        buffer = pychoral_buffer_wrap(large, sizeof large, NULL, NULL);
    char *value = malloc(size - 2 + 1);  // of its own size, so that reading behind it is noticed
    memcpy(value, data + 2, size - 2);
    frames[0] = (PychoralFrame){value, size - 2, NULL};
    for (size_t i = 1; i < count; i++)
        frames[i] = (PychoralFrame){large, sizeof large, buffer};
    run(value_types[data[0] % value_type_count].type, frames, count);
    free(value);
    pychoral_buffer_release(buffer);
    return 0;
}
