// value_testing.c - see value_testing.h.

#include "value_testing.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "codec.h"
#include "value_types.h"

const PychoralType *type_named(const char *expression)
{
    for (size_t i = 0; i < value_type_count; i++)
        if (strcmp(value_types[i].expression, expression) == 0)
            return value_types[i].type;
    ck_abort_msg("no type %s", expression);
    return NULL;
}

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

unsigned char *parse_hex(const char *hex, size_t *size)
{
    unsigned char *bytes = malloc(strlen(hex) / 2 + 1);
    *size = 0;
    for (; *hex != '\0'; hex++)
        if (*hex != ' ') {
            bytes[(*size)++] = (unsigned char)(digit(hex[0]) << 4 | digit(hex[1]));
            hex++;
        }
    return bytes;
}

void read_value_of(const PychoralType *type, const char *hex, void *value)
{
    size_t size;
    unsigned char *bytes = parse_hex(hex, &size);
    PychoralFrame frame = {bytes, size, NULL};
    PychoralFault fault;
    bool taken = pychoral_decode(type, &frame, 1, value, &fault);
    free(bytes);
    ck_assert_msg(taken, "%s", fault.text);
}

bool encode_failing(const PychoralType *type, const void *value, long allocations)
{
    PychoralFault fault;
    PychoralWriter writer = {0};
    allocations_fail_after(allocations);
    bool written = pychoral_encode(&writer, type, value, &fault);
    allocations_fail_after(-1);
    if (!written)
        ck_assert_str_eq(fault.text, "out of memory");
    pychoral_writer_clear(&writer);
    return written;
}
