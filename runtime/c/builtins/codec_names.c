// codec_names.c - encodings and ways to treat errors, by name (codec_names.h).

#include "codec_names.h"

#include <stdio.h>

#include "bytes.h"

static const struct {
    const char *name;
    PychoralEncoding encoding;
} NAMES[] = {
    {"utf-8", PYCHORAL_UTF_8},           {"ascii", PYCHORAL_ASCII_ONLY},
    {"latin-1", PYCHORAL_LATIN_1},       {"utf-16", PYCHORAL_UTF_16},
    {"utf-16-le", PYCHORAL_UTF_16_LE},   {"utf-16-be", PYCHORAL_UTF_16_BE},
    {"utf-32", PYCHORAL_UTF_32},         {"utf-32-le", PYCHORAL_UTF_32_LE},
    {"utf-32-be", PYCHORAL_UTF_32_BE},   {"utf-8-sig", PYCHORAL_UTF_8_SIG},
    {"utf8", PYCHORAL_UTF_8},            {"u8", PYCHORAL_UTF_8},
    {"utf", PYCHORAL_UTF_8},             {"cp65001", PYCHORAL_UTF_8},
    {"us-ascii", PYCHORAL_ASCII_ONLY},   {"646", PYCHORAL_ASCII_ONLY},
    {"iso646-us", PYCHORAL_ASCII_ONLY},  {"ansi-x3.4-1968", PYCHORAL_ASCII_ONLY},
    {"latin1", PYCHORAL_LATIN_1},        {"latin", PYCHORAL_LATIN_1},
    {"l1", PYCHORAL_LATIN_1},            {"iso-8859-1", PYCHORAL_LATIN_1},
    {"iso8859-1", PYCHORAL_LATIN_1},     {"8859", PYCHORAL_LATIN_1},
    {"cp819", PYCHORAL_LATIN_1},         {"utf16", PYCHORAL_UTF_16},
    {"u16", PYCHORAL_UTF_16},            {"utf-16le", PYCHORAL_UTF_16_LE},
    {"utf-16be", PYCHORAL_UTF_16_BE},    {"utf32", PYCHORAL_UTF_32},
    {"u32", PYCHORAL_UTF_32},            {"utf-32le", PYCHORAL_UTF_32_LE},
    {"utf-32be", PYCHORAL_UTF_32_BE},    {"utf8-sig", PYCHORAL_UTF_8_SIG},
};

static const char *const ERRORS[] = {
    [PYCHORAL_STRICT] = "strict",
    [PYCHORAL_IGNORE] = "ignore",
    [PYCHORAL_REPLACE] = "replace",
    [PYCHORAL_BACKSLASHREPLACE] = "backslashreplace",
    [PYCHORAL_XMLCHARREFREPLACE] = "xmlcharrefreplace",
    [PYCHORAL_SURROGATEESCAPE] = "surrogateescape",
    [PYCHORAL_SURROGATEPASS] = "surrogatepass",
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static char simple(char letter)
{
    return letter == '_' || letter == ' ' ? '-'
           : letter >= 'A' && letter <= 'Z' ? (char)(letter | 0x20)
                                            : letter;
}

static bool means(const PychoralStr *text, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < size && i < text->size; i++)
        if (simple(text->data[i]) != name[i])
            return false;
    return size == text->size;
}

PychoralEncoding pychoral_encoding_of(const PychoralStr *name)
{
    if (name == NULL)
        return PYCHORAL_UTF_8;
    for (size_t i = 0; i < COUNT_OF(NAMES); i++)
        if (means(name, NAMES[i].name))
            return NAMES[i].encoding;
    PychoralOut out = {0};
    pychoral_out_text(&out, "unknown encoding: ");
    pychoral_out_whole(&out, name);
    pychoral_text_raise(&pychoral_type_LookupError, &out);
    return PYCHORAL_NO_ENCODING;
}

const char *pychoral_encoding_name(PychoralEncoding encoding)
{
    return encoding == PYCHORAL_UTF_8_SIG ? "utf-8" : NAMES[encoding].name;
}

PychoralErrors pychoral_errors_of(const PychoralStr *name)
{
    if (name == NULL)
        return PYCHORAL_STRICT;
    for (size_t i = 0; i < COUNT_OF(ERRORS); i++)
        if (strlen(ERRORS[i]) == name->size && memcmp(ERRORS[i], name->data, name->size) == 0)
            return (PychoralErrors)i;
    return PYCHORAL_NO_ERRORS;
}

void pychoral_errors_unknown(const PychoralStr *name)
{
    PychoralOut out = {0};
    pychoral_out_text(&out, "unknown error handler name '");
    pychoral_out_whole(&out, name);
    pychoral_out_text(&out, "'");
    pychoral_text_raise(&pychoral_type_LookupError, &out);
}

static PychoralAny any_text(const char *text)
{
    PychoralStr *s = pychoral_must(pychoral_str_new(text, strlen(text)));
    PychoralAny any = pychoral_any(&pychoral_type_str, &s);
    pychoral_drop_str(&s);
    return any;
}

static PychoralAny any_number(size_t number)
{
    PychoralInt value = pychoral_int((int64_t)number);
    return pychoral_any(&pychoral_type_int, &value);
}

void pychoral_codec_raise(const PychoralType *kind, const char *encoding, const PychoralBytes *of,
                          size_t start, size_t end, const char *reason)
{
    const PychoralType *type =
        kind == &pychoral_type_UnicodeDecodeError ? &pychoral_type_bytes : &pychoral_type_str;
    PychoralAny args[] = {any_text(encoding), pychoral_any(type, &of), any_number(start),
                          any_number(end), any_text(reason)};
    pychoral_throw_with(kind, 5, args);
    for (size_t i = 0; i < 5; i++)
        pychoral_drop_any(&args[i]);
}

// ---- str of the errors ----

// The character or byte that an error is about, if it is one; false: several.
static bool put_culprit(PychoralOut *out, const PychoralList *args, int64_t start, int64_t end)
{
    const PychoralAny *any = args->items;
    const PychoralBytes *of = any[1].pointer;
    bool decodes = any[1].type->kind == PYCHORAL_BYTES;
    int64_t length = decodes ? pychoral_bytes_len(of) : pychoral_str_len(of);
    if (start >= length || end != start + 1)
        return false;
    if (decodes) {
        char text[8];
        snprintf(text, sizeof text, "0x%02x", (unsigned char)of->data[start]);
        pychoral_out_text(out, " byte ");
        pychoral_out_text(out, text);
    } else {
        const char *at = of->data + pychoral_str_offset(of, (size_t)start);
        pychoral_out_text(out, " character '");
        pychoral_out_hex_escape(out, pychoral_utf8_next(&at));
        pychoral_out_byte(out, '\'');
    }
    return true;
}

PychoralStr *pychoral_unicode_error_str(const PychoralList *args)
{
    const PychoralAny *any = args->items;
    bool decodes = any[1].type->kind == PYCHORAL_BYTES;
    int64_t start = any[2].number.small, end = any[3].number.small;
    char places[64];
    PychoralOut out = {0};
    pychoral_out_byte(&out, '\'');
    pychoral_out_whole(&out, any[0].pointer);
    pychoral_out_text(&out, decodes ? "' codec can't decode" : "' codec can't encode");
    if (put_culprit(&out, args, start, end)) {
        snprintf(places, sizeof places, " in position %lld: ", (long long)start);
    } else {
        pychoral_out_text(&out, decodes ? " bytes" : " characters");
        snprintf(places, sizeof places, " in position %lld-%lld: ", (long long)start,
                 (long long)end - 1);
    }
    pychoral_out_text(&out, places);
    pychoral_out_whole(&out, any[4].pointer);
    return pychoral_out_str(&out);
}
