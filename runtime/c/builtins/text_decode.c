// text_decode.c - bytes.decode (bytes.h).

#include "bytes.h"
#include "codec_names.h"
#include "utf8.h"

typedef struct Decoder {
    const PychoralBytes *s;
    const unsigned char *at, *end;
    PychoralEncoding encoding;
    PychoralErrors errors;
    const PychoralStr *errors_name;
    PychoralOut out;
} Decoder;

// What is wrong at a place: so many bytes, and why. size 0: nothing.
typedef struct Wrong {
    size_t size;
    const char *why;
} Wrong;

// ---- UTF-8 ----

static bool continues(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// Whether the second byte may follow the first, of three or four.
static bool is_second(unsigned char first, unsigned char second)
{
    return continues(second) && !(first == 0xe0 && second < 0xa0) &&
           !(first == 0xed && second >= 0xa0) && !(first == 0xf0 && second < 0x90) &&
           !(first == 0xf4 && second >= 0x90);
}

// What is wrong with a character of `size` bytes, of which `left` are there.
static Wrong check_utf_8(const unsigned char *at, size_t left, size_t size)
{
    static const char bad[] = "invalid continuation byte";
    for (size_t i = 1; i < size; i++) {
        if (i == left)
            return (Wrong){left, "unexpected end of data"};
        if (i == 1 && size > 2 ? !is_second(at[0], at[1]) : !continues(at[i]))
            return (Wrong){i, bad};
    }
    return (Wrong){0, NULL};
}

static Wrong next_utf_8(Decoder *d)
{
    unsigned char first = *d->at;
    size_t left = (size_t)(d->end - d->at), size = pychoral_utf8_step((char)first);
    if ((first >= 0x80 && first < 0xc2) || first > 0xf4)
        return (Wrong){1, "invalid start byte"};
    Wrong wrong = check_utf_8(d->at, left, size);
    if (wrong.size == 0) {
        const char *at = (const char *)d->at;
        pychoral_out_char(&d->out, pychoral_utf8_next(&at));
        d->at += size;
    }
    return wrong;
}

// ---- UTF-16 and UTF-32 ----

static uint32_t unit(const unsigned char *at, int bytes, bool big)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[big ? i : bytes - 1 - i];
    return value;
}

static Wrong next_utf_16(Decoder *d, bool big)
{
    size_t left = (size_t)(d->end - d->at);
    if (left < 2)
        return (Wrong){1, "truncated data"};
    uint32_t first = unit(d->at, 2, big);
    if (first < 0xd800 || first >= 0xe000) {
        pychoral_out_char(&d->out, first);
        d->at += 2;
        return (Wrong){0, NULL};
    }
    if (first >= 0xdc00)
        return (Wrong){2, "illegal encoding"};
    if (left < 4)
        return (Wrong){left, "unexpected end of data"};
    uint32_t second = unit(d->at + 2, 2, big);
    if (second < 0xdc00 || second >= 0xe000)
        return (Wrong){2, "illegal UTF-16 surrogate"};
    pychoral_out_char(&d->out, 0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff)));
    d->at += 4;
    return (Wrong){0, NULL};
}

static Wrong next_utf_32(Decoder *d, bool big)
{
    size_t left = (size_t)(d->end - d->at);
    if (left < 4)
        return (Wrong){left, "truncated data"};
    uint32_t character = unit(d->at, 4, big);
    if (character >= 0xd800 && character < 0xe000)
        return (Wrong){4, "code point in surrogate code point range(0xd800, 0xe000)"};
    if (character > 0x10ffff)
        return (Wrong){4, "code point not in range(0x110000)"};
    pychoral_out_char(&d->out, character);
    d->at += 4;
    return (Wrong){0, NULL};
}

// ---- errors ----

// A lone surrogate at a place, as it is encoded: how many bytes; 0: there is none.
static size_t surrogate_at(const Decoder *d, uint32_t *surrogate)
{
    size_t left = (size_t)(d->end - d->at);
    bool big = d->encoding == PYCHORAL_UTF_16_BE || d->encoding == PYCHORAL_UTF_32_BE;
    size_t size = d->encoding == PYCHORAL_UTF_8                               ? 3
                  : d->encoding >= PYCHORAL_UTF_16_LE &&
                          d->encoding <= PYCHORAL_UTF_16_BE                   ? 2
                  : d->encoding == PYCHORAL_ASCII_ONLY                        ? 0
                                                                              : 4;
    if (size == 0 || left < size)
        return 0;
    const char *at = (const char *)d->at;
    if (size == 3 && (d->at[0] != 0xed || !continues(d->at[1]) || !continues(d->at[2])))
        return 0;
    *surrogate = size == 3 ? pychoral_utf8_next(&at) : unit(d->at, (int)size, big);
    return *surrogate >= 0xd800 && *surrogate < 0xe000 ? size : 0;
}

static bool raise_error(const Decoder *d, Wrong wrong)
{
    size_t start = (size_t)((const char *)d->at - d->s->data);
    pychoral_codec_raise(&pychoral_type_UnicodeDecodeError, pychoral_encoding_name(d->encoding),
                         d->s, start, start + wrong.size, wrong.why);
    return false;
}

static bool escape(Decoder *d, Wrong wrong)
{
    size_t done = 0;
    for (; done < wrong.size && d->at[done] >= 0x80; done++)
        pychoral_out_char(&d->out, 0xdc00u + d->at[done]);
    if (done == 0)
        return raise_error(d, wrong);
    d->at += done;
    return true;
}

static bool pass(Decoder *d, Wrong wrong)
{
    uint32_t surrogate;
    size_t size = surrogate_at(d, &surrogate);
    if (size == 0)
        return raise_error(d, wrong);
    pychoral_out_char(&d->out, surrogate);
    d->at += size;
    return true;
}

// Deals with what is wrong; false: raised.
static bool substitute(Decoder *d, Wrong wrong)
{
    switch (d->errors) {
    case PYCHORAL_STRICT: return raise_error(d, wrong);
    case PYCHORAL_IGNORE: break;
    case PYCHORAL_REPLACE: pychoral_out_char(&d->out, 0xfffd); break;
    case PYCHORAL_BACKSLASHREPLACE:
        for (size_t i = 0; i < wrong.size; i++)
            pychoral_out_hex_escape(&d->out, d->at[i]);
        break;
    case PYCHORAL_SURROGATEESCAPE: return escape(d, wrong);
    case PYCHORAL_SURROGATEPASS: return pass(d, wrong);
    case PYCHORAL_XMLCHARREFREPLACE:
        pychoral_throw(&pychoral_type_TypeError,
                       "don't know how to handle UnicodeDecodeError in error callback");
        return false;
    case PYCHORAL_NO_ERRORS: pychoral_errors_unknown(d->errors_name); return false;
    }
    d->at += wrong.size;
    return true;
}

// ---- the whole ----

static Wrong next_character(Decoder *d)
{
    switch (d->encoding) {
    case PYCHORAL_UTF_16_LE: return next_utf_16(d, false);
    case PYCHORAL_UTF_16_BE: return next_utf_16(d, true);
    case PYCHORAL_UTF_32_LE: return next_utf_32(d, false);
    case PYCHORAL_UTF_32_BE: return next_utf_32(d, true);
    case PYCHORAL_ASCII_ONLY:
        if (*d->at >= 0x80)
            return (Wrong){1, "ordinal not in range(128)"};
        pychoral_out_byte(&d->out, (char)*d->at++);
        return (Wrong){0, NULL};
    case PYCHORAL_LATIN_1: pychoral_out_char(&d->out, *d->at++); return (Wrong){0, NULL};
    default: return next_utf_8(d);
    }
}

// Skips a byte order mark and settles which order it is.
static void read_mark(Decoder *d)
{
    bool wide = d->encoding == PYCHORAL_UTF_32, marked = d->encoding == PYCHORAL_UTF_16 || wide;
    size_t left = (size_t)(d->end - d->at), size = wide ? 4 : 2;
    if (d->encoding == PYCHORAL_UTF_8_SIG) {
        d->encoding = PYCHORAL_UTF_8;
        if (left >= 3 && memcmp(d->at, "\xef\xbb\xbf", 3) == 0)
            d->at += 3;
    }
    if (!marked)
        return;
    bool little = left >= size && unit(d->at, (int)size, false) == 0xfeff;
    bool big = left >= size && unit(d->at, (int)size, true) == 0xfeff;
    d->encoding = (PychoralEncoding)(d->encoding + (big ? 2 : 1));
    if (little || big)
        d->at += size;
}

PychoralStr *pychoral_bytes_decode(const PychoralBytes *s, const PychoralStr *encoding,
                                   const PychoralStr *errors)
{
    const unsigned char *data = (const unsigned char *)s->data;
    Decoder d = {.s = s, .at = data, .end = data + s->size,
                 .encoding = s->size == 0 ? PYCHORAL_UTF_8 : pychoral_encoding_of(encoding),
                 .errors = pychoral_errors_of(errors), .errors_name = errors};
    if (d.encoding == PYCHORAL_NO_ENCODING)
        return NULL;
    PychoralText kind = pychoral_utf8_check(s->data, s->size);
    if (kind == PYCHORAL_TEXT_ASCII ? d.encoding <= PYCHORAL_LATIN_1
                                    : kind == PYCHORAL_TEXT_UTF8 && d.encoding == PYCHORAL_UTF_8)
        return pychoral_must(pychoral_str_new(s->data, s->size));
    read_mark(&d);
    while (d.at < d.end) {
        Wrong wrong = next_character(&d);
        if (wrong.size != 0 && !substitute(&d, wrong))
            return pychoral_out_drop(&d.out);
    }
    return pychoral_out_str(&d.out);
}
