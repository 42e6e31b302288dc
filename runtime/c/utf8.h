// utf8.h - is it UTF-8? (PROTOCOL.md 5.2)

#ifndef PYCHORAL_UTF8_H
#define PYCHORAL_UTF8_H

#include <stddef.h>

typedef enum PychoralText {
    PYCHORAL_TEXT_ASCII,       // each byte is a character
    PYCHORAL_TEXT_UTF8,
    PYCHORAL_TEXT_SURROGATES,  // but for surrogates, written as three bytes each
    PYCHORAL_TEXT_BAD          // overlong, above U+10FFFF, cut off, or no UTF-8 at all
} PychoralText;

PychoralText pychoral_utf8_check(const void *text, size_t size);

#endif
