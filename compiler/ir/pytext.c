// pytext.c - Python's text of values. Rules: Objects/unicodeobject.c (repr, isprintable) and
// Python/pystrtod.c (format code 'r') of CPython, restated.

#include "compiler/ir/pytext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

// ---- code points ----

static int sequence_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xf0)
        return 4;
    return first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

uint32_t pytext_next(Text text, size_t *i)
{
    unsigned char first = (unsigned char)text.at[*i];
    size_t len = (size_t)sequence_length(first), start = *i;
    uint32_t c = len == 1 ? first : first & (0x7fu >> len);
    *i += 1;
    for (size_t k = 1; k < len; k++) {
        if (start + k == text.len || (text.at[start + k] & 0xc0) != 0x80)
            return first;
        c = c << 6 | ((unsigned char)text.at[start + k] & 0x3f);
    }
    *i = start + len;
    return c;
}

// What Unicode 15.1 added, which Python 3.13 knows and older tables of utf8proc do not.
static bool is_of_unicode_15_1(uint32_t c)
{
    return (c >= 0x2ffc && c <= 0x2fff) || c == 0x31ef || (c >= 0x2ebf0 && c <= 0x2ee5d);
}

bool pytext_is_printable(uint32_t c)
{
    if (c < 0x80)
        return c >= ' ' && c < 0x7f;
    if (is_of_unicode_15_1(c))
        return true;
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_CC: case UTF8PROC_CATEGORY_CF: case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO: case UTF8PROC_CATEGORY_CN: case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: case UTF8PROC_CATEGORY_ZS:
        return false;
    default:
        return true;
    }
}

void pytext_escape(Buf *b, uint32_t c)
{
    char text[16];
    switch (c) {
    case '\\': buf_puts(b, "\\\\"); return;
    case '\n': buf_puts(b, "\\n"); return;
    case '\r': buf_puts(b, "\\r"); return;
    case '\t': buf_puts(b, "\\t"); return;
    }
    const char *format = c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x";
    snprintf(text, sizeof text, format, (unsigned)c);
    buf_puts(b, text);
}

// ---- literals ----

void pytext_str_body(Buf *b, Text text, char quote)
{
    for (size_t i = 0; i < text.len; ) {
        size_t start = i;
        uint32_t c = pytext_next(text, &i);
        if (c == (unsigned char)quote)
            buf_putc(b, '\\');
        if (c == '\\' || !pytext_is_printable(c))
            pytext_escape(b, c);
        else
            buf_raw(b, text.at + start, i - start);
    }
}

void pytext_bytes_body(Buf *b, Text bytes, char quote)
{
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char c = (unsigned char)bytes.at[i];
        if (c == (unsigned char)quote)
            buf_putc(b, '\\');
        if (c == '\\' || c < ' ' || c >= 0x7f)
            pytext_escape(b, c);
        else
            buf_putc(b, (char)c);
    }
}

// Single quotes, unless there are such in the text and no double ones.
static char repr_quote(Text text)
{
    bool has_single = text.len > 0 && memchr(text.at, '\'', text.len) != NULL;
    bool has_double = text.len > 0 && memchr(text.at, '"', text.len) != NULL;
    return has_single && !has_double ? '"' : '\'';
}

void pytext_str_repr(Buf *b, Text text)
{
    char quote = repr_quote(text);
    buf_putc(b, quote);
    pytext_str_body(b, text, quote);
    buf_putc(b, quote);
}

void pytext_bytes_repr(Buf *b, Text bytes)
{
    char quote = repr_quote(bytes);
    buf_putc(b, 'b');
    buf_putc(b, quote);
    pytext_bytes_body(b, bytes, quote);
    buf_putc(b, quote);
}

// ---- numbers ----

// The shortest significant digits of a finite number and the place of the point: 0.d1d2... * 10^n.
typedef struct Digits { char at[32]; int len, point; bool negative; } Digits;

static Digits shortest_digits(double number)
{
    char text[40];
    Digits d = {.negative = false};
    for (int precision = 0; precision <= 16; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, number);
        if (strtod(text, NULL) == number)
            break;
    }
    const char *s = text;
    if (*s == '-') {
        d.negative = true;
        s++;
    }
    for (; *s != 'e'; s++)
        if (*s >= '0' && *s <= '9')
            d.at[d.len++] = *s;
    while (d.len > 1 && d.at[d.len - 1] == '0')
        d.len--;
    d.point = atoi(s + 1) + 1;
    if (number == 0)
        d.point = 1;
    return d;
}

static void put_exponential(Buf *b, const Digits *d)
{
    int exponent = d->point - 1;
    buf_write(b, d->at, 1);
    if (d->len > 1) {
        buf_putc(b, '.');
        buf_write(b, d->at + 1, (size_t)d->len - 1);
    }
    buf_printf(b, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
}

static void put_zeros(Buf *b, int n)
{
    for (; n > 0; n--)
        buf_putc(b, '0');
}

static void put_positional(Buf *b, const Digits *d, bool add_point)
{
    if (d->point <= 0) {
        buf_puts(b, "0.");
        put_zeros(b, -d->point);
        buf_write(b, d->at, (size_t)d->len);
    } else if (d->point < d->len) {
        buf_write(b, d->at, (size_t)d->point);
        buf_putc(b, '.');
        buf_write(b, d->at + d->point, (size_t)(d->len - d->point));
    } else {
        buf_write(b, d->at, (size_t)d->len);
        put_zeros(b, d->point - d->len);
        if (add_point)
            buf_puts(b, ".0");
    }
}

// Exponents are used below 1e-4 and from 1e16 on.
static void put_number(Buf *b, double number, bool add_point)
{
    if (number != number || number - number != 0) {
        buf_puts(b, number != number ? "nan" : number > 0 ? "inf" : "-inf");
        return;
    }
    Digits d = shortest_digits(number);
    if (d.negative)
        buf_putc(b, '-');
    if (d.point <= -4 || d.point > 16)
        put_exponential(b, &d);
    else
        put_positional(b, &d, add_point);
}

void pytext_float_repr(Buf *b, double number)
{
    put_number(b, number, true);
}

void pytext_imaginary_repr(Buf *b, double number)
{
    put_number(b, number, false);
}

void pytext_float_hex(Buf *b, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t fraction = bits & 0xfffffffffffffu;
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) {
        put_number(b, number, true);
        return;
    }
    const char *sign = bits >> 63 ? "-" : "";
    if (exponent == 0 && fraction == 0)
        buf_printf(b, "%s0x0.0p+0", sign);
    else
        buf_printf(b, "%s0x%d.%013llxp%+d", sign, exponent != 0, (unsigned long long)fraction,
                   exponent != 0 ? exponent - 1023 : -1022);
}
