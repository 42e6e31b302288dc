// out.h - a str or bytes while it is being written: grows, then becomes the value without a copy.
//
//     PychoralOut out = {0};
//     pychoral_out_char(&out, 0xe9);
//     return pychoral_out_str(&out);

#ifndef PYCHORAL_OUT_H
#define PYCHORAL_OUT_H

#include <string.h>

#include "raise.h"
#include "unicode.h"

typedef struct PychoralOut {
    PychoralBytes *bytes;  // NULL: nothing has been written
    size_t size, room;
    uint32_t flags;        // seen so far: PYCHORAL_SURROGATES, OUT_WIDE
} PychoralOut;

enum { PYCHORAL_OUT_WIDE = 4 };  // a character beyond ASCII

char *pychoral_out_more(PychoralOut *out, size_t more);

// Room for `more` bytes behind what is there; they count once `size` says so.
static inline char *pychoral_out_room(PychoralOut *out, size_t more)
{
    return out->bytes != NULL && more <= out->room - out->size
               ? (char *)(out->bytes + 1) + out->size
               : pychoral_out_more(out, more);
}

// That a str with these flags is in it.
static inline void pychoral_out_note(PychoralOut *out, uint32_t flags)
{
    if (!(flags & PYCHORAL_ASCII))
        out->flags |= PYCHORAL_OUT_WIDE | (flags & PYCHORAL_SURROGATES);
}

// Bytes; for a str they must be ASCII.
static inline void pychoral_out_bytes(PychoralOut *out, const void *data, size_t size)
{
    if (size == 0)
        return;
    memcpy(pychoral_out_room(out, size), data, size);
    out->size += size;
}

static inline void pychoral_out_text(PychoralOut *out, const char *ascii)
{
    pychoral_out_bytes(out, ascii, strlen(ascii));
}

static inline void pychoral_out_byte(PychoralOut *out, char byte)
{
    *pychoral_out_room(out, 1) = byte;
    out->size++;
}

static inline void pychoral_out_char(PychoralOut *out, uint32_t character)
{
    if (character >= 0x80)
        out->flags |= character >= 0xd800 && character < 0xe000
                          ? PYCHORAL_OUT_WIDE | PYCHORAL_SURROGATES
                          : PYCHORAL_OUT_WIDE;
    out->size += pychoral_utf8_put(pychoral_out_room(out, 4), character);
}

void pychoral_out_fill(PychoralOut *out, uint32_t character, size_t count);

// A whole str, or `size` bytes of it from `from`, which are whole characters.
void pychoral_out_whole(PychoralOut *out, const PychoralStr *str);
void pychoral_out_part(PychoralOut *out, const PychoralStr *str, const char *from, size_t size);

// What has been written as a value, owned; `out` is empty again.
PychoralStr *pychoral_out_str(PychoralOut *out);
PychoralBytes *pychoral_out_as_bytes(PychoralOut *out);

// Forgets what has been written; gives NULL, for where something was raised.
void *pychoral_out_drop(PychoralOut *out);

#endif
