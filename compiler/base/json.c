// json.c - strings by RFC 8259.

#include "compiler/base/json.h"

#include <stdint.h>
#include <string.h>

enum { REPLACEMENT = 0xfffd };

static bool is_surrogate(uint32_t c) { return c >= 0xd800 && c <= 0xdfff; }

static int sequence_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}

// The code point at `*i`, which goes behind it. REPLACEMENT for a byte that starts none.
static uint32_t next(Text text, size_t *i, bool *valid)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t start = (*i)++;
    unsigned char first = (unsigned char)text.at[start];
    int len = sequence_length(first);
    uint32_t c = len > 1 ? first & (0x7fu >> len) : first;
    *valid = len > 0 && start + (size_t)len <= text.len;
    for (int k = 1; *valid && k < len; k++) {
        unsigned char byte = (unsigned char)text.at[start + (size_t)k];
        *valid = (byte & 0xc0) == 0x80;
        c = c << 6 | (byte & 0x3f);
    }
    *valid = *valid && c >= least[len] && c <= 0x10ffff;
    if (*valid)
        *i = start + (size_t)len;
    return *valid ? c : REPLACEMENT;
}

static void put_escape(Buf *b, uint32_t c)
{
    switch (c) {
    case '"':  buf_raw(b, "\\\"", 2); break;
    case '\\': buf_raw(b, "\\\\", 2); break;
    case '\n': buf_raw(b, "\\n", 2); break;
    case '\r': buf_raw(b, "\\r", 2); break;
    case '\t': buf_raw(b, "\\t", 2); break;
    default:   buf_printf(b, "\\u%04x", (unsigned)c); break;
    }
}

void json_string(Buf *b, Text wtf8)
{
    size_t start = 0;           // of the text that stands for itself and is not yet written
    buf_raw(b, "\"", 1);
    for (size_t i = 0; i < wtf8.len; ) {
        size_t before = i;
        bool valid;
        uint32_t c = next(wtf8, &i, &valid);
        if (valid && c >= ' ' && c != '"' && c != '\\' && c != 0x7f && !is_surrogate(c))
            continue;
        buf_raw(b, wtf8.at + start, before - start);
        if (valid)
            put_escape(b, c);
        else
            buf_raw(b, "\xef\xbf\xbd", 3);
        start = i;
    }
    buf_raw(b, wtf8.at + start, wtf8.len - start);
    buf_raw(b, "\"", 1);
}
