// decode.c - the bytes of a file to UTF-8: byte order mark, coding cookie (PEP 263), validation.
//
// UTF-8, ASCII and Latin-1 are done here, every other encoding by the C library's iconv.

#include "compiler/front/front.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

#include "compiler/front/unicode.h"

enum { MAX_COOKIE = 64 };

typedef enum Charset { CHARSET_UTF_8, CHARSET_ASCII, CHARSET_LATIN_1, CHARSET_ICONV } Charset;

typedef struct Encoding {
    Charset charset;
    const char *iconv_name;             // CHARSET_ICONV only
} Encoding;

typedef struct NamedEncoding { const char *iconv_name, *names; } NamedEncoding;

typedef struct Decoder {
    Arena *arena;
    const char *name;
    Text bytes;
    Diags *diags;
} Decoder;

// --- errors

// Reports something about the bytes from `at` on. What is shown of the file are its bytes up to
// there, and '?' for what is beyond ASCII after that, so that places stay right.
static Diag *report(Decoder *dc, size_t at, const char *message)
{
    char *shown = arena_strndup(dc->arena, dc->bytes.at, dc->bytes.len);
    for (size_t i = at; i < dc->bytes.len; i++)
        if ((unsigned char)shown[i] >= 0x80)
            shown[i] = '?';
    const Source *source = source_new(dc->arena, dc->name, (Text){shown, dc->bytes.len});
    diags_set_source(dc->diags, source);
    uint32_t start = (uint32_t)at, end = start + (at < dc->bytes.len);
    return diag_report(dc->diags, (Span){start, end}, DIAG_ENCODING, "%s", message);
}

// `declared`: by the file.
static void report_byte(Decoder *dc, size_t at, const char *encoding, bool declared)
{
    char *message = ARENA_ARRAY(dc->arena, char, 128);
    unsigned byte = (unsigned char)dc->bytes.at[at];
    snprintf(message, 128, "the byte 0x%02x is not valid %s%s", byte, encoding,
             declared ? ", the encoding that the file declares" : "");
    Diag *d = report(dc, at, message);
    diag_help(d, declared ? "save the file in this encoding, or correct the declaration"
                 : "save the file as UTF-8, or name its encoding in the first line, as in "
                   "`# -*- coding: latin-1 -*-`");
}

// --- bytecode

// A compiled module starts with a magic number and "\r\n"; the flags after it hold NUL bytes, which
// no source has.
static bool is_bytecode(Text bytes)
{
    if (bytes.len < 16 || memcmp(bytes.at + 2, "\r\n", 2) != 0)
        return false;
    unsigned magic = (unsigned char)bytes.at[0] | (unsigned)(unsigned char)bytes.at[1] << 8;
    bool python3 = magic >= 3000 && magic < 4000, python2 = magic >= 20121 && magic <= 62211;
    return (python3 || python2) && memchr(bytes.at, '\0', bytes.len) != NULL;
}

static void report_bytecode(Decoder *dc)
{
    diags_set_source(dc->diags, NULL);
    Diag *d = diag_report(dc->diags, (Span){0, 0}, DIAG_FILE_BYTECODE,
                          "`%s` is CPython bytecode, not source text", dc->name);
    diag_note(d, "Python also stores compiled modules in `.pyc` files");
    diag_help(d, "compile the source file of this module instead");
}

// --- the coding cookie

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

static bool is_cookie_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || c == '-' || c == '_' || c == '.';
}

static Text take_line(Text *rest)
{
    size_t len = 0;
    while (len < rest->len && rest->at[len] != '\n' && rest->at[len] != '\r')
        len++;
    Text line = {rest->at, len};
    if (len + 1 < rest->len && rest->at[len] == '\r' && rest->at[len + 1] == '\n')
        len++;
    if (len < rest->len)
        len++;
    *rest = (Text){rest->at + len, rest->len - len};
    return line;
}

// The name after `coding:` or `coding=` in a comment line; empty when there is none.
static Text cookie_of_comment(Text line)
{
    const char *end = line.at + line.len;
    for (const char *p = line.at; end - p > 6; p++) {
        if (memcmp(p, "coding", 6) != 0 || (p[6] != ':' && p[6] != '='))
            continue;
        const char *start = p + 7;
        while (start < end && (*start == ' ' || *start == '\t'))
            start++;
        size_t len = 0;
        while (start + len < end && is_cookie_char(start[len]))
            len++;
        if (len > 0)
            return (Text){start, len};
    }
    return (Text){NULL, 0};
}

// A cookie stands in a comment of the first line, or of the second below a blank or comment line.
static Text find_cookie(Text text)
{
    for (int i = 0; i < 2; i++) {
        Text line = take_line(&text);
        size_t blanks = 0;
        while (blanks < line.len && is_blank(line.at[blanks]))
            blanks++;
        if (blanks == line.len)
            continue;
        if (line.at[blanks] != '#')
            break;
        Text cookie = cookie_of_comment(line);
        if (cookie.len > 0)
            return cookie;
    }
    return (Text){NULL, 0};
}

// As CPython's get_normal_name: what follows "utf-8-" or "latin-1-" names a line-end convention.
static bool is_family(const char *lower, const char *name)
{
    size_t len = strlen(name);
    return strncmp(lower, name, len) == 0 && (lower[len] == '\0' || lower[len] == '-');
}

static void lower_with(char *out, Text name, char separator)
{
    size_t len = name.len < MAX_COOKIE ? name.len : MAX_COOKIE;
    for (size_t i = 0; i < len; i++) {
        char c = name.at[i];
        out[i] = c == '_' || c == '-' ? separator : c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    out[len] = '\0';
}

// As encodings.normalize_encoding, between blanks: what is looked for in a list of names.
static void codec_name(char *out, Text name)
{
    char lower[MAX_COOKIE + 1];
    lower_with(lower, name, '_');
    *out++ = ' ';
    for (const char *p = lower; *p != '\0'; p++)
        if (*p != '_' || (p > lower && p[-1] != '_'))
            *out++ = *p;
    *out++ = ' ';
    *out = '\0';
}

static bool find_encoding(Text cookie, Encoding *out)
{
    static const char ascii[] =
        " ascii 646 ansi_x3.4_1968 ansi_x3.4_1986 ansi_x3_4_1968 cp367 csascii ibm367 iso646_us "
        "iso_646.irv_1991 iso_ir_6 us us_ascii ";
    static const char latin_1[] =
        " latin_1 8859 cp819 csisolatin1 ibm819 iso8859 iso8859_1 iso_8859_1 iso_8859_1_1987 "
        "iso_ir_100 l1 latin latin1 ";
    static const char utf_8[] = " utf_8 cp65001 u8 utf utf8 utf8_ucs2 utf8_ucs4 utf_8_sig ";
    static const NamedEncoding others[] = {
#define ENCODING(iconv_name, names) {iconv_name, names},
#include "compiler/front/encodings.def"
#undef ENCODING
    };
    char lower[MAX_COOKIE + 1], name[MAX_COOKIE + 3];
    lower_with(lower, cookie, '-');
    codec_name(name, cookie);
    *out = (Encoding){CHARSET_UTF_8, NULL};
    if (is_family(lower, "utf-8") || strstr(utf_8, name) != NULL)
        return true;
    out->charset = CHARSET_LATIN_1;
    if (is_family(lower, "latin-1") || is_family(lower, "iso-8859-1")
        || is_family(lower, "iso-latin-1") || strstr(latin_1, name) != NULL)
        return true;
    out->charset = CHARSET_ASCII;
    if (strstr(ascii, name) != NULL)
        return true;
    out->charset = CHARSET_ICONV;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        out->iconv_name = others[i].iconv_name;
        if (strstr(others[i].names, name) != NULL)
            return true;
    }
    return false;
}

// --- decoding; each gives a text with `at` NULL after reporting

static const Text failed = {NULL, 0};

static Text check_utf8(Decoder *dc, Text bytes)
{
    const char *p = bytes.at, *end = p + bytes.len;
    uint32_t code;
    while (p < end) {
        size_t len = (unsigned char)*p < 0x80 ? 1 : unicode_decode(p, (size_t)(end - p), &code);
        if (len == 0) {
            report_byte(dc, (size_t)(p - dc->bytes.at), "UTF-8", false);
            return failed;
        }
        p += len;
    }
    return bytes;
}

static Text check_ascii(Decoder *dc, Text bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        if ((unsigned char)bytes.at[i] >= 0x80) {
            report_byte(dc, i, "ASCII", true);
            return failed;
        }
    return bytes;
}

static Text decode_latin_1(Decoder *dc, Text bytes)
{
    char *out = ARENA_ARRAY(dc->arena, char, 2 * bytes.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < bytes.len; i++)
        len += unicode_encode((unsigned char)bytes.at[i], out + len);
    return (Text){out, len};
}

// Converts with an open descriptor. Four bytes of UTF-8 for each byte are always enough, and a few
// more for what a stateful encoding keeps to its end.
static Text convert(Decoder *dc, Text bytes, iconv_t cd, const char *encoding)
{
    size_t size = 4 * bytes.len + 64;
    char *out = ARENA_ARRAY(dc->arena, char, size + 1), *to = out;
    char *from = arena_strndup(dc->arena, bytes.at, bytes.len), *start = from;
    size_t from_left = bytes.len, to_left = size;
    size_t done = iconv(cd, &from, &from_left, &to, &to_left);
    if (done != (size_t)-1)
        done = iconv(cd, NULL, NULL, &to, &to_left);
    if (done == (size_t)-1) {
        size_t at = (size_t)(from - start);
        report_byte(dc, at < bytes.len ? at : bytes.len - 1, encoding, true);
        return failed;
    }
    return (Text){out, (size_t)(to - out)};
}

// The C library lets single bytes from 0x80 to 0x9f through in encodings where they mean nothing.
static bool has_stray_control(Text utf8, const char *encoding)
{
    if (strncmp(encoding, "EUC", 3) != 0 && strncmp(encoding, "GBK", 3) != 0
        && strncmp(encoding, "BIG5", 4) != 0)
        return false;
    for (size_t i = 0; i + 1 < utf8.len; i++)
        if ((unsigned char)utf8.at[i] == 0xC2 && (unsigned char)utf8.at[i + 1] < 0xA0)
            return true;
    return false;
}

static Text decode_iconv(Decoder *dc, Text bytes, const char *encoding)
{
    iconv_t cd = iconv_open("UTF-8", encoding);
    if (cd == (iconv_t)-1) {
        report(dc, 0, "the C library of this machine does not support the declared encoding");
        return failed;
    }
    Text out = convert(dc, bytes, cd, encoding);
    iconv_close(cd);
    if (out.at != NULL && has_stray_control(out, encoding)) {
        report(dc, 0, "the file contains bytes that are not valid in the declared encoding");
        return failed;
    }
    return out;
}

static Text decode(Decoder *dc, Text bytes, Encoding encoding)
{
    switch (encoding.charset) {
    case CHARSET_UTF_8:   return check_utf8(dc, bytes);
    case CHARSET_ASCII:   return check_ascii(dc, bytes);
    case CHARSET_LATIN_1: return decode_latin_1(dc, bytes);
    case CHARSET_ICONV:   return decode_iconv(dc, bytes, encoding.iconv_name);
    }
    return failed;
}

// Finds out how the bytes after a byte order mark, if there was one, are encoded.
static bool choose_encoding(Decoder *dc, Text text, bool has_mark, Encoding *out)
{
    Text cookie = find_cookie(text);
    *out = (Encoding){CHARSET_UTF_8, NULL};
    if (cookie.len == 0)
        return true;
    char lower[MAX_COOKIE + 1];
    char *message = ARENA_ARRAY(dc->arena, char, 2 * MAX_COOKIE + 64);
    int shown = cookie.len < MAX_COOKIE ? (int)cookie.len : MAX_COOKIE;
    size_t at = (size_t)(cookie.at - dc->bytes.at);
    lower_with(lower, cookie, '-');
    if (has_mark && !is_family(lower, "utf-8"))
        snprintf(message, 2 * MAX_COOKIE + 64,
                 "the encoding `%.*s` contradicts the byte order mark of UTF-8", shown, cookie.at);
    else if (cookie.len > MAX_COOKIE || !find_encoding(cookie, out))
        snprintf(message, 2 * MAX_COOKIE + 64, "unknown encoding `%.*s`", shown, cookie.at);
    else
        return true;
    diag_help(report(dc, at, message), "save the file as UTF-8, and remove the declaration");
    return false;
}

static bool has_nul(Decoder *dc, Text text)
{
    const char *nul = memchr(text.at, '\0', text.len);
    if (nul == NULL)
        return false;
    size_t at = (size_t)(nul - text.at);
    report(dc, at < dc->bytes.len ? at : 0, "source code cannot contain null bytes");
    return true;
}

const Source *front_decode(Arena *a, const char *name, Text bytes, Diags *diags)
{
    if (bytes.len == 0)
        bytes.at = "";
    Decoder dc = {a, name, bytes, diags};
    if (is_bytecode(bytes)) {
        report_bytecode(&dc);
        return NULL;
    }
    if (bytes.len > UINT32_MAX / 8) {
        diags_set_source(diags, NULL);
        diag_report(diags, (Span){0, 0}, DIAG_ENCODING, "`%s` is larger than 512 MB", name);
        return NULL;
    }
    if (has_nul(&dc, bytes))
        return NULL;
    bool has_mark = bytes.len >= 3 && memcmp(bytes.at, "\xEF\xBB\xBF", 3) == 0;
    Text text = has_mark ? (Text){bytes.at + 3, bytes.len - 3} : bytes;
    Encoding encoding;
    if (!choose_encoding(&dc, text, has_mark, &encoding))
        return NULL;
    text = decode(&dc, text, encoding);
    if (text.at == NULL || (encoding.charset == CHARSET_ICONV && has_nul(&dc, text)))
        return NULL;
    return source_new(a, name, (Text){arena_strndup(a, text.at, text.len), text.len});
}
