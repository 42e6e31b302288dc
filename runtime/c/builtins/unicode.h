// unicode.h - what CPython 3.11 knows about each character (Unicode 14), and UTF-8 by characters.
//
// A character is a code point, 0 to 0x10ffff, surrogates among them.

#ifndef PYCHORAL_UNICODE_H
#define PYCHORAL_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a character is; the str methods of these names ask for it.
enum {
    PYCHORAL_ALPHA = 1 << 0,
    PYCHORAL_DECIMAL = 1 << 1,
    PYCHORAL_DIGIT = 1 << 2,
    PYCHORAL_NUMERIC = 1 << 3,
    PYCHORAL_LOWER = 1 << 4,
    PYCHORAL_UPPER = 1 << 5,
    PYCHORAL_TITLE = 1 << 6,          // a title case letter, as U+01C5
    PYCHORAL_PRINTABLE = 1 << 7,
    PYCHORAL_SPACE = 1 << 8,
    PYCHORAL_ID_START = 1 << 9,       // of identifiers
    PYCHORAL_ID_CONTINUE = 1 << 10,
    PYCHORAL_CASED = 1 << 11,         // what follows is not the first letter of a word
    PYCHORAL_CASE_IGNORABLE = 1 << 12,
    PYCHORAL_LINE_BREAK = 1 << 13,
    PYCHORAL_ALNUM = PYCHORAL_ALPHA | PYCHORAL_DECIMAL | PYCHORAL_DIGIT | PYCHORAL_NUMERIC
};

typedef enum PychoralCase {
    PYCHORAL_TO_LOWER,  // of a sigma, the one that stands within words
    PYCHORAL_TO_UPPER,
    PYCHORAL_TO_TITLE,
    PYCHORAL_TO_FOLDED
} PychoralCase;

enum { PYCHORAL_MAX_CASE = 3 };

unsigned pychoral_char_flags(uint32_t character);

// The character in another case: how many characters that is (1 to PYCHORAL_MAX_CASE).
size_t pychoral_char_case(uint32_t character, PychoralCase which, uint32_t to[PYCHORAL_MAX_CASE]);

// The value of a decimal digit of whatever script; -1 for others.
int pychoral_char_decimal(uint32_t character);

// How many bytes the character takes whose first byte this is.
static inline size_t pychoral_utf8_step(char first)
{
    unsigned char byte = (unsigned char)first;
    return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

// The character at `*at`, of text that has been checked; `*at` moves behind it.
static inline uint32_t pychoral_utf8_next(const char **at)
{
    const unsigned char *p = (const unsigned char *)*at;
    if (p[0] < 0x80) {
        *at += 1;
        return p[0];
    }
    if (p[0] < 0xe0) {
        *at += 2;
        return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
    }
    if (p[0] < 0xf0) {
        *at += 3;
        return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
    }
    *at += 4;
    return (p[0] & 0x07u) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
}

// Moves back to the character before `at`, which must not be the first, and gives it.
static inline uint32_t pychoral_utf8_before(const char **at)
{
    do
        --*at;
    while ((**at & 0xc0) == 0x80);
    const char *here = *at;
    return pychoral_utf8_next(&here);
}

// Writes a character (at most four bytes); how many bytes it took.
static inline size_t pychoral_utf8_put(char *to, uint32_t character)
{
    if (character < 0x80) {
        to[0] = (char)character;
        return 1;
    }
    if (character < 0x800) {
        to[0] = (char)(0xc0 | character >> 6);
        to[1] = (char)(0x80 | (character & 0x3f));
        return 2;
    }
    if (character < 0x10000) {
        to[0] = (char)(0xe0 | character >> 12);
        to[1] = (char)(0x80 | (character >> 6 & 0x3f));
        to[2] = (char)(0x80 | (character & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | character >> 18);
    to[1] = (char)(0x80 | (character >> 12 & 0x3f));
    to[2] = (char)(0x80 | (character >> 6 & 0x3f));
    to[3] = (char)(0x80 | (character & 0x3f));
    return 4;
}

#endif
