// text_encode.c - str.encode (bytes.h).

#include <stdio.h>

#include "bytes.h"
#include "codec_names.h"

typedef struct Encoder {
    const PychoralStr *s;
    PychoralEncoding encoding;
    PychoralErrors errors;
    const PychoralStr *errors_name;
    PychoralOut out;
} Encoder;

static bool is_surrogate(uint32_t character) { return character >= 0xd800 && character < 0xe000; }

static bool fits(PychoralEncoding encoding, uint32_t character)
{
    if (encoding == PYCHORAL_ASCII_ONLY || encoding == PYCHORAL_LATIN_1)
        return character < (encoding == PYCHORAL_ASCII_ONLY ? 0x80 : 0x100);
    return !is_surrogate(character);
}

// ---- writing a character ----

static void put_unit(PychoralOut *out, uint32_t unit, int bytes, bool big)
{
    for (int i = 0; i < bytes; i++)
        pychoral_out_byte(out, (char)(unit >> 8 * (big ? bytes - 1 - i : i)));
}

static void put_utf_16(PychoralOut *out, uint32_t character, bool big)
{
    if (character >= 0x10000) {
        put_unit(out, 0xd800 + ((character - 0x10000) >> 10), 2, big);
        put_unit(out, 0xdc00 + (character & 0x3ff), 2, big);
    } else {
        put_unit(out, character, 2, big);
    }
}

static void put_char(PychoralOut *out, PychoralEncoding encoding, uint32_t character)
{
    switch (encoding) {
    case PYCHORAL_ASCII_ONLY:
    case PYCHORAL_LATIN_1: pychoral_out_byte(out, (char)character); return;
    case PYCHORAL_UTF_16:
    case PYCHORAL_UTF_16_LE: put_utf_16(out, character, false); return;
    case PYCHORAL_UTF_16_BE: put_utf_16(out, character, true); return;
    case PYCHORAL_UTF_32:
    case PYCHORAL_UTF_32_LE: put_unit(out, character, 4, false); return;
    case PYCHORAL_UTF_32_BE: put_unit(out, character, 4, true); return;
    case PYCHORAL_UTF_8:
    case PYCHORAL_UTF_8_SIG:
    case PYCHORAL_NO_ENCODING: pychoral_out_char(out, character); return;
    }
}

static void put_text(Encoder *e, const char *ascii)
{
    for (; *ascii != '\0'; ascii++)
        put_char(&e->out, e->encoding, (unsigned char)*ascii);
}

// ---- what does not fit ----

static const char *reason_of(PychoralEncoding encoding)
{
    return encoding == PYCHORAL_ASCII_ONLY ? "ordinal not in range(128)"
           : encoding == PYCHORAL_LATIN_1  ? "ordinal not in range(256)"
                                           : "surrogates not allowed";
}

static bool raise_error(const Encoder *e, const char *from, const char *to)
{
    size_t start = pychoral_str_place(e->s, (size_t)(from - e->s->data));
    size_t end = pychoral_str_place(e->s, (size_t)(to - e->s->data));
    pychoral_codec_raise(&pychoral_type_UnicodeEncodeError, pychoral_encoding_name(e->encoding),
                         e->s, start, end, reason_of(e->encoding));
    return false;
}

// Whether units are single bytes, so that errors come in runs and escapes are possible.
static bool is_of_bytes(PychoralEncoding encoding)
{
    return encoding <= PYCHORAL_LATIN_1 || encoding == PYCHORAL_UTF_8_SIG;
}

// Writes what stands for one character that does not fit; false: nothing can.
static bool put_substitute(Encoder *e, uint32_t character)
{
    char text[16];
    bool is_byte = character >= 0xdc80 && character <= 0xdcff && is_of_bytes(e->encoding);
    switch (e->errors) {
    case PYCHORAL_IGNORE: return true;
    case PYCHORAL_REPLACE: put_text(e, "?"); return true;
    case PYCHORAL_BACKSLASHREPLACE:
        snprintf(text, sizeof text, character < 0x100     ? "\\x%02x"
                                    : character < 0x10000 ? "\\u%04x"
                                                          : "\\U%08x", (unsigned)character);
        put_text(e, text);
        return true;
    case PYCHORAL_XMLCHARREFREPLACE:
        snprintf(text, sizeof text, "&#%u;", (unsigned)character);
        put_text(e, text);
        return true;
    case PYCHORAL_SURROGATEESCAPE:
        if (is_byte)
            pychoral_out_byte(&e->out, (char)(character - 0xdc00));
        return is_byte;
    case PYCHORAL_SURROGATEPASS:
        if (!is_surrogate(character) || reason_of(e->encoding)[0] == 'o')
            return false;
        put_char(&e->out, e->encoding, character);
        return true;
    case PYCHORAL_STRICT:
    case PYCHORAL_NO_ERRORS: return false;
    }
    return false;
}

// The end of the characters from `at` on that do not fit and are one error.
static const char *end_of_run(const Encoder *e, const char *at)
{
    const char *end = e->s->data + e->s->size, *next = at;
    do {
        at = next;
        if (at == end)
            break;
    } while (!fits(e->encoding, pychoral_utf8_next(&next)) && is_of_bytes(e->encoding));
    return is_of_bytes(e->encoding) ? at : next;
}

// Deals with the characters from *at on that do not fit; false: raised.
static bool put_run(Encoder *e, const char **at)
{
    const char *end = end_of_run(e, *at);
    if (e->errors == PYCHORAL_NO_ERRORS) {
        pychoral_errors_unknown(e->errors_name);
        return false;
    }
    while (*at < end) {
        const char *from = *at;
        if (!put_substitute(e, pychoral_utf8_next(at)))
            return raise_error(e, from, end);
    }
    return true;
}

// ---- the whole ----

static bool encode(Encoder *e)
{
    const char *at = e->s->data, *end = at + e->s->size;
    if (e->encoding == PYCHORAL_UTF_16 || e->encoding == PYCHORAL_UTF_32 ||
        e->encoding == PYCHORAL_UTF_8_SIG)
        put_char(&e->out, e->encoding, 0xfeff);
    while (at < end) {
        const char *next = at;
        uint32_t character = pychoral_utf8_next(&next);
        if (fits(e->encoding, character)) {
            put_char(&e->out, e->encoding, character);
            at = next;
        } else if (!put_run(e, &at)) {
            return false;
        }
    }
    return true;
}

PychoralBytes *pychoral_str_encode(const PychoralStr *s, const PychoralStr *encoding,
                                   const PychoralStr *errors)
{
    Encoder e = {.s = s, .encoding = pychoral_encoding_of(encoding),
                 .errors = pychoral_errors_of(errors), .errors_name = errors};
    if (e.encoding == PYCHORAL_NO_ENCODING)
        return NULL;
    bool as_it_is = e.encoding == PYCHORAL_UTF_8 ? !(s->head.flags & PYCHORAL_SURROGATES)
                                                 : e.encoding <= PYCHORAL_LATIN_1 &&
                                                       pychoral_str_is_ascii(s);
    if (as_it_is)
        return pychoral_must(pychoral_bytes_new(s->data, s->size));
    return encode(&e) ? pychoral_out_as_bytes(&e.out) : pychoral_out_drop(&e.out);
}
