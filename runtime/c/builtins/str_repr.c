// str_repr.c - repr and ascii of str and bytes (str.h).

#include "bytes.h"
#include "text.h"

static const char HEX[] = "0123456789abcdef";

// The quote that Python chooses: the single one unless only that is there.
static char quote_for(const PychoralBytes *s)
{
    bool has_single = pychoral_text_find(s->data, s->size, "'", 1) != NULL;
    return has_single && pychoral_text_find(s->data, s->size, "\"", 1) == NULL ? '"' : '\'';
}

static void put_escape(PychoralOut *out, char letter)
{
    pychoral_out_byte(out, '\\');
    pychoral_out_byte(out, letter);
}

void pychoral_out_hex_escape(PychoralOut *out, uint32_t character)
{
    int digits = character < 0x100 ? 2 : character < 0x10000 ? 4 : 8;
    put_escape(out, digits == 2 ? 'x' : digits == 4 ? 'u' : 'U');
    while (digits-- > 0)
        pychoral_out_byte(out, HEX[character >> digits * 4 & 0xf]);
}

// Writes what all kinds of repr escape alike; false: it is none of these.
static bool put_common(PychoralOut *out, uint32_t character, char quote)
{
    if (character == (unsigned char)quote || character == '\\')
        put_escape(out, (char)character);
    else if (character == '\t')
        put_escape(out, 't');
    else if (character == '\n')
        put_escape(out, 'n');
    else if (character == '\r')
        put_escape(out, 'r');
    else if (character >= ' ' && character < 0x7f)
        pychoral_out_byte(out, (char)character);
    else
        return false;
    return true;
}

PychoralStr *pychoral_str_repr(const PychoralStr *s)
{
    PychoralOut out = {0};
    char quote = quote_for(s);
    pychoral_out_byte(&out, quote);
    for (const char *at = s->data, *end = at + s->size; at < end;) {
        uint32_t character = pychoral_utf8_next(&at);
        if (put_common(&out, character, quote))
            continue;
        if (pychoral_char_flags(character) & PYCHORAL_PRINTABLE)
            pychoral_out_char(&out, character);
        else
            pychoral_out_hex_escape(&out, character);
    }
    pychoral_out_byte(&out, quote);
    return pychoral_out_str(&out);
}

PychoralStr *pychoral_str_ascii(const PychoralStr *s)
{
    if (pychoral_str_is_ascii(s))
        return pychoral_same(s);
    PychoralOut out = {0};
    for (const char *at = s->data, *end = at + s->size; at < end;) {
        uint32_t character = pychoral_utf8_next(&at);
        if (character < 0x80)
            pychoral_out_byte(&out, (char)character);
        else
            pychoral_out_hex_escape(&out, character);
    }
    return pychoral_out_str(&out);
}

PychoralStr *pychoral_bytes_repr(const PychoralBytes *s)
{
    PychoralOut out = {0};
    char quote = quote_for(s);
    pychoral_out_byte(&out, 'b');
    pychoral_out_byte(&out, quote);
    for (size_t i = 0; i < s->size; i++)
        if (!put_common(&out, (unsigned char)s->data[i], quote))
            pychoral_out_hex_escape(&out, (unsigned char)s->data[i]);
    pychoral_out_byte(&out, quote);
    return pychoral_out_str(&out);
}
