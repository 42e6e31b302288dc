// literal.c - numbers as Python's reference 2.4.5 to 2.4.7 and CPython's tokenizer read them,
// strings as 2.4.1.

#include "compiler/front/literal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/front/unicode.h"

// --- numbers

typedef struct Number {
    const char *start, *at, *end;       // the run and how far it is read
    int  radix;                         // 10 unless there is a prefix
    bool is_float, is_imaginary, leading_zero;
    const char *fault;                  // what is wrong with it
} Number;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

static bool is_word(char c)
{
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char peek(const Number *n) { return n->at < n->end ? *n->at : '\0'; }

static bool accept(Number *n, char lower)
{
    if (n->at == n->end || (*n->at | 0x20) != lower)
        return false;
    n->at++;
    return true;
}

static bool starts_with(const Number *n, const char *word)
{
    size_t len = strlen(word);
    return (size_t)(n->end - n->at) >= len && memcmp(n->at, word, len) == 0;
}

// A number may be followed at once only by one of the keywords that can follow an operand.
static void check_end(Number *n, const char *fault)
{
    static const char *const allowed[] = {"and", "else", "for", "if", "in", "is", "or", "not"};
    if (!is_word(peek(n)))
        return;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        if (starts_with(n, allowed[i]))
            return;
    n->fault = fault;
}

// Digits with single underscores between them.
static void scan_decimal(Number *n)
{
    while (is_digit(peek(n))) {
        n->at++;
        if (peek(n) != '_')
            continue;
        n->at++;
        if (!is_digit(peek(n)))
            n->fault = "invalid decimal literal";
    }
}

static const char *radix_name(int radix)
{
    return radix == 16 ? "hexadecimal" : radix == 8 ? "octal" : "binary";
}

static const char *radix_fault(int radix)
{
    return radix == 16  ? "invalid hexadecimal literal"
           : radix == 8 ? "invalid octal literal" : "invalid binary literal";
}

// What follows 0x, 0o or 0b.
static void scan_radix(Number *n)
{
    const char *fault = radix_fault(n->radix);
    do {
        if (peek(n) == '_')
            n->at++;
        if (digit_value(peek(n)) >= n->radix) {
            n->fault = fault;
            return;
        }
        while (digit_value(peek(n)) < n->radix)
            n->at++;
    } while (peek(n) == '_');
    if (is_digit(peek(n)))
        n->fault = fault;
    else
        check_end(n, fault);
}

// An `e` that no digits follow belongs to what comes after the number (`1else`).
static void scan_exponent(Number *n)
{
    const char *e = n->at;
    if (!accept(n, 'e'))
        return;
    bool sign = accept(n, '+') || accept(n, '-');
    if (is_digit(peek(n))) {
        n->is_float = true;
        scan_decimal(n);
    } else if (sign) {
        n->fault = "invalid decimal literal";
    } else {
        n->at = e;
    }
}

static void scan_fraction(Number *n)
{
    if (peek(n) == '.') {
        n->at++;
        n->is_float = true;
        scan_decimal(n);
    }
    scan_exponent(n);
    if (n->fault == NULL && accept(n, 'j'))
        n->is_imaginary = true;
    if (n->fault == NULL)
        check_end(n, n->is_imaginary ? "invalid imaginary literal" : "invalid decimal literal");
}

static int radix_of_prefix(const Number *n)
{
    if (n->end - n->start < 2 || n->start[0] != '0')
        return 10;
    char letter = (char)(n->start[1] | 0x20);
    return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
}

// `00` is an int, `01` is not, `01.5` is a float.
static bool has_leading_zero(const Number *n)
{
    if (n->is_float || n->is_imaginary || n->start[0] != '0')
        return false;
    for (const char *p = n->start; p < n->at; p++)
        if (*p != '0' && *p != '_')
            return true;
    return false;
}

static Number scan_number(const char *start, const char *end)
{
    Number n = {.start = start, .at = start, .end = end};
    n.radix = radix_of_prefix(&n);
    if (n.radix != 10) {
        n.at += 2;
        scan_radix(&n);
        return n;
    }
    scan_decimal(&n);
    if (n.fault == NULL)
        scan_fraction(&n);
    if (n.fault == NULL && has_leading_zero(&n))
        n.leading_zero = true;
    return n;
}

// The digits of a literal without its underscores and leading zeros.
static Text clean_digits(Arena *a, const char *at, const char *end)
{
    char *out = ARENA_ARRAY(a, char, (size_t)(end - at) + 1);
    size_t len = 0;
    for (; at < end; at++)
        if (*at != '_' && (len > 0 || *at != '0'))
            out[len++] = *at;
    if (len == 0)
        out[len++] = '0';
    return (Text){out, len};
}

enum { LIMB = 1000000000, LIMB_DIGITS = 9 };

// A natural number to the base LIMB, lowest limb first.
typedef struct Big { uint32_t *at; size_t len; } Big;

static void big_multiply_add(Big *b, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (size_t i = 0; i < b->len; i++) {
        carry += (uint64_t)b->at[i] * factor;
        b->at[i] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
    while (carry > 0) {
        b->at[b->len++] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
}

static Text big_decimal(Arena *a, const Big *b)
{
    size_t size = b->len * LIMB_DIGITS + 2, len = 0;
    char *out = ARENA_ARRAY(a, char, size);
    for (size_t i = b->len; i > 0; i--)
        len += (size_t)snprintf(out + len, size - len, i == b->len ? "%u" : "%09u",
                                (unsigned)b->at[i - 1]);
    if (len == 0)
        out[len++] = '0';
    return (Text){out, len};
}

// Converts the digits 24 bits at a time: eight octal, six hexadecimal or 24 binary digits.
static Text radix_decimal(Arena *a, Text digits, int radix)
{
    int bits = radix == 16 ? 4 : radix == 8 ? 3 : 1;
    size_t total_bits = digits.len * (size_t)bits;
    Big b = {ARENA_ARRAY(a, uint32_t, total_bits / 29 + 2), 0};
    uint32_t chunk = 0, factor = 1;
    for (size_t i = 0; i < digits.len; i++) {
        chunk = chunk << bits | (uint32_t)digit_value(digits.at[i]);
        factor <<= bits;
        if (factor == 1u << 24 || i + 1 == digits.len) {
            big_multiply_add(&b, factor, chunk);
            chunk = 0;
            factor = 1;
        }
    }
    return big_decimal(a, &b);
}

// The text strtod reads alike in every locale: digits and an exponent, no point.
static double float_value(Arena *a, const char *at, const char *end)
{
    char *out = ARENA_ARRAY(a, char, (size_t)(end - at) + 32);
    size_t len = 0;
    long long scale = 0, exponent = 0;
    bool in_fraction = false;
    for (; at < end && (*at | 0x20) != 'e'; at++) {
        if (*at == '.')
            in_fraction = true;
        if (!is_digit(*at))
            continue;
        out[len++] = *at;
        scale -= in_fraction;
    }
    bool negative = at + 1 < end && at[1] == '-';
    for (; at < end; at++)
        if (is_digit(*at) && exponent < 100000000000)
            exponent = exponent * 10 + (*at - '0');
    snprintf(out + len, 32, "e%lld", scale + (negative ? -exponent : exponent));
    return strtod(out, NULL);
}

static const Const *zero(Literals *cx) { return const_int(cx->arena, (Text){"0", 1}); }

static void report_number(Literals *cx, Span at, const Number *n)
{
    if (n->leading_zero) {
        Diag *d = diag_report(cx->diags, at, DIAG_NUMBER,
                              "leading zeros in decimal integer literals are not permitted");
        bool octal = memchr(n->start, '8', (size_t)(n->at - n->start)) == NULL
                     && memchr(n->start, '9', (size_t)(n->at - n->start)) == NULL;
        diag_help(d, octal ? "remove the zeros, or use the prefix `0o` for an octal integer"
                           : "remove the zeros");
        return;
    }
    if (n->radix != 10 && is_digit(peek(n)))
        diag_report(cx->diags, at, DIAG_NUMBER, "invalid digit `%c` in %s literal", peek(n),
                    radix_name(n->radix));
    else
        diag_report(cx->diags, at, DIAG_NUMBER, "%s", n->fault);
}

static const Const *int_value(Literals *cx, Span at, const Number *n)
{
    const char *start = n->radix == 10 ? n->start : n->start + 2;
    Text digits = clean_digits(cx->arena, start, n->at);
    size_t limit = n->radix == 10 ? LITERAL_MAX_DECIMAL : LITERAL_MAX_RADIX;
    if (digits.len > limit) {
        diag_report(cx->diags, at, DIAG_NUMBER,
                    "this integer has %zu digits; the limit of %s literals is %zu", digits.len,
                    n->radix == 10 ? "decimal" : radix_name(n->radix), limit);
        return zero(cx);
    }
    if (n->radix != 10)
        digits = radix_decimal(cx->arena, digits, n->radix);
    return const_int(cx->arena, digits);
}

// Most numbers are a few digits; their text is taken as it stands in the source.
static bool is_plain(const char *start, const char *end)
{
    if (end - start > 18 || (start[0] == '0' && end - start > 1))
        return false;
    for (const char *p = start; p < end; p++)
        if (!is_digit(*p))
            return false;
    return true;
}

const Const *literal_number(Literals *cx, Span run, uint32_t *len)
{
    const char *start = cx->source->text.at + run.start;
    const char *end = cx->source->text.at + run.end;
    *len = run.end - run.start;
    if (is_plain(start, end))
        return const_int(cx->arena, (Text){start, *len});
    Number n = scan_number(start, end);
    if (n.fault != NULL || n.leading_zero) {
        report_number(cx, run, &n);
        return zero(cx);
    }
    *len = (uint32_t)(n.at - start);
    if (n.is_imaginary)
        return const_complex(cx->arena, float_value(cx->arena, start, n.at - 1));
    if (n.is_float)
        return const_float(cx->arena, float_value(cx->arena, start, n.at));
    return int_value(cx, (Span){run.start, run.start + *len}, &n);
}

// --- strings

// Copying a string literal to its value. The value is never longer than the literal.
typedef struct Copy {
    Literals *cx;
    const char *at, *end;
    char *out;
    unsigned modes;
} Copy;

static Span span_of(const Copy *c, const char *start, const char *end)
{
    const char *base = c->cx->source->text.at;
    return (Span){(uint32_t)(start - base), (uint32_t)(end - base)};
}

static void put_code(Copy *c, uint32_t code)
{
    if (c->modes & LITERAL_BYTES)
        *c->out++ = (char)code;
    else
        c->out += unicode_encode(code, c->out);
}

// Moves over a line end of any style; the value gets "\n" (`keep`) or nothing.
static void copy_newline(Copy *c, bool keep)
{
    c->at += c->at[0] == '\r' && c->end - c->at > 1 && c->at[1] == '\n' ? 2 : 1;
    if (keep)
        *c->out++ = '\n';
}

static void copy_octal(Copy *c)
{
    uint32_t code = 0;
    for (int i = 0; i < 3 && c->at < c->end && *c->at >= '0' && *c->at <= '7'; i++)
        code = code * 8 + (uint32_t)(*c->at++ - '0');
    put_code(c, code);
}

// `start` is the backslash, `digits` the number of hexadecimal digits that must follow.
static void copy_hex(Copy *c, const char *start, int digits)
{
    uint32_t code = 0;
    int n = 0;
    for (; n < digits && c->at < c->end && digit_value(*c->at) < 16; n++)
        code = code << 4 | (uint32_t)digit_value(*c->at++);
    if (n < digits)
        diag_report(c->cx->diags, span_of(c, start, c->at), DIAG_STRING,
                    "`\\%c` needs %d hexadecimal digits", start[1], digits);
    else if (code > UNICODE_MAX)
        diag_report(c->cx->diags, span_of(c, start, c->at), DIAG_STRING,
                    "illegal Unicode character: the largest is U+10FFFF");
    else
        put_code(c, code);
}

static void copy_named(Copy *c, const char *start)
{
    const char *close = c->at < c->end && *c->at == '{'
                            ? memchr(c->at, '}', (size_t)(c->end - c->at)) : NULL;
    if (close == NULL || close == c->at + 1) {
        diag_report(c->cx->diags, span_of(c, start, c->at), DIAG_STRING,
                    "`\\N` needs the name of a character in braces");
        return;
    }
    Text name = {c->at + 1, (size_t)(close - c->at - 1)};
    uint32_t code;
    c->at = close + 1;
    if (unicode_find_name(name, &code))
        put_code(c, code);
    else
        diag_report(c->cx->diags, span_of(c, start, c->at), DIAG_STRING,
                    "unknown Unicode character name `%.*s`", (int)name.len, name.at);
}

// The character that a one-letter escape stands for; 0 when there is none.
static char simple_escape(char letter)
{
    switch (letter) {
    case '\\': case '\'': case '"': return letter;
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default:  return '\0';
    }
}

static void copy_escape(Copy *c)
{
    const char *start = c->at++;
    char letter = c->at < c->end ? *c->at : '\0';
    bool is_bytes = (c->modes & LITERAL_BYTES) != 0;
    if (letter == '\n' || letter == '\r') {
        copy_newline(c, false);
    } else if (letter >= '0' && letter <= '7') {
        copy_octal(c);
    } else if (simple_escape(letter) != '\0') {
        *c->out++ = simple_escape(letter);
        c->at++;
    } else if (letter == 'x' || (!is_bytes && (letter == 'u' || letter == 'U'))) {
        c->at++;
        copy_hex(c, start, letter == 'x' ? 2 : letter == 'u' ? 4 : 8);
    } else if (!is_bytes && letter == 'N') {
        c->at++;
        copy_named(c, start);
    } else {
        *c->out++ = '\\';       // no escape: CPython warns and keeps both characters
    }
}

// In an f-string a backslash before a brace is always itself.
static void copy_backslash(Copy *c)
{
    bool brace = c->end - c->at > 1 && (c->at[1] == '{' || c->at[1] == '}');
    if ((c->modes & LITERAL_RAW) || ((c->modes & LITERAL_FSTRING) && brace))
        *c->out++ = *c->at++;
    else
        copy_escape(c);
}

static void copy_char(Copy *c)
{
    char first = *c->at;
    if (first == '\\') {
        copy_backslash(c);
    } else if (first == '\r') {
        copy_newline(c, true);
    } else {
        bool doubled = c->end - c->at > 1 && c->at[1] == first;
        if ((c->modes & LITERAL_FSTRING) && doubled && (first == '{' || first == '}'))
            c->at++;
        *c->out++ = *c->at++;
    }
}

static void check_ascii(Literals *cx, Span body)
{
    const char *text = cx->source->text.at;
    for (uint32_t i = body.start; i < body.end; i++) {
        if ((unsigned char)text[i] < 0x80)
            continue;
        uint32_t code, end = i;
        end += (uint32_t)unicode_decode(text + i, body.end - i, &code);
        Diag *d = diag_report(cx->diags, (Span){i, end}, DIAG_STRING,
                              "bytes can only contain ASCII literal characters");
        diag_help(d, "write the byte as an escape such as `\\xe9`");
        return;
    }
}

static bool needs_copy(const char *at, size_t len, unsigned modes)
{
    if (memchr(at, '\r', len) != NULL)
        return true;
    if (!(modes & LITERAL_RAW) && memchr(at, '\\', len) != NULL)
        return true;
    return (modes & LITERAL_FSTRING)
           && (memchr(at, '{', len) != NULL || memchr(at, '}', len) != NULL);
}

const Const *literal_string(Literals *cx, Span body, unsigned modes)
{
    Text text = {cx->source->text.at + body.start, body.end - body.start};
    if (modes & LITERAL_BYTES)
        check_ascii(cx, body);
    if (needs_copy(text.at, text.len, modes)) {
        char *out = ARENA_ARRAY(cx->arena, char, text.len + 1);
        Copy c = {cx, text.at, text.at + text.len, out, modes};
        while (c.at < c.end)
            copy_char(&c);
        text = (Text){out, (size_t)(c.out - out)};
    }
    return modes & LITERAL_BYTES ? const_bytes(cx->arena, text) : const_str(cx->arena, text);
}
