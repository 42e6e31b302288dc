// utf8.c - checks UTF-8, eight bytes at a time while they are ASCII.

#include "utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const unsigned char *skip_ascii(const unsigned char *at, const unsigned char *end)
{
    while (end - at >= 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        if (word & 0x8080808080808080u)
            break;
        at += 8;
    }
    while (at < end && *at < 0x80)
        at++;
    return at;
}

static bool continues(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// The bytes of the character at `at`, which is not ASCII; 0 if it is none.
static size_t character_size(const unsigned char *at, size_t left, bool *surrogate)
{
    unsigned char first = at[0];
    if (first < 0xc2 || first > 0xf4 || left < 2 || !continues(at[1]))
        return 0;
    if (first < 0xe0)
        return 2;
    if (left < 3 || !continues(at[2]))
        return 0;
    if (first < 0xf0) {
        if (first == 0xe0 && at[1] < 0xa0)
            return 0;
        *surrogate |= first == 0xed && at[1] >= 0xa0;
        return 3;
    }
    bool in_range = (first != 0xf0 || at[1] >= 0x90) && (first != 0xf4 || at[1] < 0x90);
    return left >= 4 && continues(at[3]) && in_range ? 4 : 0;
}

PychoralText pychoral_utf8_check(const void *text, size_t size)
{
    if (size == 0)
        return PYCHORAL_TEXT_ASCII;
    const unsigned char *at = text, *end = at + size;
    at = skip_ascii(at, end);
    if (at == end)
        return PYCHORAL_TEXT_ASCII;
    bool surrogates = false;
    while (at < end) {
        size_t step = character_size(at, (size_t)(end - at), &surrogates);
        if (step == 0)
            return PYCHORAL_TEXT_BAD;
        at = skip_ascii(at + step, end);
    }
    return surrogates ? PYCHORAL_TEXT_SURROGATES : PYCHORAL_TEXT_UTF8;
}
