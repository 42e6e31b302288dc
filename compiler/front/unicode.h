// unicode.h - what the front end needs to know of Unicode: UTF-8, identifiers, names, NFKC.
//
// The tables are written by unigen.c from the Unicode Character Database. Identifiers are those of
// PEP 3131 (XID_Start, XID_Continue, and the underscore); names are those that `\N{...}` accepts.

#ifndef PYCHORAL_UNICODE_H
#define PYCHORAL_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"

enum { UNICODE_MAX = 0x10FFFF, UNICODE_MAX_BYTES = 4 };

// Reads one code point of strict UTF-8 (no surrogates, nothing overlong) from `len` bytes. Gives
// the number of bytes read, or 0 when they are not UTF-8 or `len` is 0.
size_t unicode_decode(const char *s, size_t len, uint32_t *code);

// Writes a code point, a surrogate included, at `out` (room for UNICODE_MAX_BYTES). Gives the
// number of bytes written.
size_t unicode_encode(uint32_t code, char *out);

bool unicode_is_xid_start(uint32_t code);       // the underscore included
bool unicode_is_xid_continue(uint32_t code);

// Finds the character of a name or alias, letters in any case; Hangul syllables and CJK unified
// ideographs by rule and in upper case only. Named sequences have no character.
bool unicode_find_name(Text name, uint32_t *code);

// Normalises to form NFKC. Text that is not UTF-8 is given back as it is.
Text unicode_nfkc(Arena *a, Text utf8);

#endif
