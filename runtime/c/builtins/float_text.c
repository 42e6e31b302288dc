// float_text.c - floats and complex numbers from text, as float(), float.fromhex() and complex()
// read it.
//
// The C library converts what is known to be a number, correctly rounded; what is one, is Python's
// to say.

#include "big.h"
#include "bytes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// ---- decimal ----

// Past "inf", "infinity" or "nan"; NULL: it is none of them.
static const char *scan_word(const char *at, double *x)
{
    if (strncasecmp(at, "inf", 3) == 0) {
        *x = INFINITY;
        return at + (strncasecmp(at, "infinity", 8) == 0 ? 8 : 3);
    }
    if (strncasecmp(at, "nan", 3) != 0)
        return NULL;
    *x = NAN;
    return at + 3;
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

// Past an exponent, if there is one.
static const char *skip_exponent(const char *at)
{
    if (*at != 'e' && *at != 'E')
        return at;
    const char *digits = at + 1 + (at[1] == '+' || at[1] == '-');
    return is_digit(*digits) ? skip_digits(digits) : at;
}

const char *pychoral_float_scan(const char *text, double *x)
{
    bool negative = *text == '-';
    const char *start = text + (*text == '-' || *text == '+');
    const char *end = scan_word(start, x);
    if (end != NULL) {
        *x = negative ? -*x : *x;
        return end;
    }
    end = skip_digits(start);
    ptrdiff_t digits = end - start;
    if (*end == '.') {
        const char *fraction = end + 1;
        end = skip_digits(fraction);
        digits += end - fraction;
    }
    if (digits == 0)
        return NULL;
    end = skip_exponent(end);
    *x = strtod(text, NULL);
    return end;
}

// Takes underscores out, each of which must stand between digits. False: one does not.
static bool drop_underscores(char *text, size_t *size)
{
    char *to = text;
    for (size_t i = 0; i < *size; i++) {
        if (text[i] != '_')
            *to++ = text[i];
        else if (i == 0 || !is_digit(text[i - 1]) || !is_digit(text[i + 1]))
            return false;
    }
    *to = '\0';
    *size = (size_t)(to - text);
    return true;
}

// float() of text that may be written to and ends in NUL.
static bool parse(char *text, size_t size, double *x)
{
    while (size > 0 && is_blank(text[size - 1]))
        text[--size] = '\0';
    while (size > 0 && is_blank(*text)) {
        text++;
        size--;
    }
    if (memchr(text, '_', size) != NULL && !drop_underscores(text, &size))
        return false;
    const char *end = pychoral_float_scan(text, x);
    return end != NULL && end == text + size;
}

static double refuse(PychoralRef literal, const char *kind)
{
    PychoralStr *shown = pychoral_repr(literal);
    if (shown != NULL)
        pychoral_throw(&pychoral_type_ValueError, "could not convert string to %s: %s", kind,
                       shown->data);
    pychoral_drop_str(&shown);
    return 0;
}

double pychoral_float_of_str(const PychoralStr *text)
{
    size_t size;
    double x = 0;
    char *ascii = pychoral_ascii_number(text, &size);
    bool done = parse(ascii, size, &x);
    free(ascii);
    return done ? x : refuse((PychoralRef){&pychoral_type_str, &text}, "float");
}

double pychoral_float_of_bytes(const PychoralBytes *text)
{
    double x = 0;
    char *copy = pychoral_allocate(text->size + 1);
    memcpy(copy, text->data, text->size);
    copy[text->size] = '\0';
    bool done = parse(copy, text->size, &x);
    free(copy);
    return done ? x : refuse((PychoralRef){&pychoral_type_bytes, &text}, "float");
}

// ---- hexadecimal ----

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Past digits with at most one point; NULL: there are none.
static const char *skip_hex(const char *at)
{
    const char *start = at;
    while (is_hex(*at))
        at++;
    ptrdiff_t digits = at - start;
    if (*at == '.')
        for (at++; is_hex(*at); at++)
            digits++;
    return digits == 0 ? NULL : at;
}

// Past an exponent of two; NULL: it is none.
static const char *skip_power(const char *at)
{
    if (*at != 'p' && *at != 'P')
        return at;
    at += 1 + (at[1] == '+' || at[1] == '-');
    return is_digit(*at) ? skip_digits(at) : NULL;
}

// What is at `start`, without sign and prefix, as C reads it.
static double convert_hex(const char *start, const char *end)
{
    size_t size = (size_t)(end - start);
    char *text = pychoral_allocate(size + 3);
    memcpy(text, "0x", 2);
    memcpy(text + 2, start, size);
    text[size + 2] = '\0';
    double x = strtod(text, NULL);
    free(text);
    if (isinf(x))
        pychoral_throw(&pychoral_type_OverflowError,
                       "hexadecimal value too large to represent as a float");
    return x;
}

// Past the number at `at`; NULL: there is none.
static const char *scan_hex(const char *at, double *x)
{
    bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    const char *end = scan_word(at, x);
    if (end == NULL) {
        if (at[0] == '0' && (at[1] | 0x20) == 'x')
            at += 2;
        end = skip_hex(at);
        end = end == NULL ? NULL : skip_power(end);
        if (end != NULL)
            *x = convert_hex(at, end);
    }
    *x = negative ? -*x : *x;
    return end;
}

// Python asks for UTF-8 first, which lone surrogates do not have.
static bool is_encodable(const PychoralStr *text)
{
    PychoralBytes *encoded = NULL;
    if ((text->head.flags & PYCHORAL_SURROGATES) != 0)
        encoded = pychoral_str_encode(text, NULL, NULL);
    pychoral_drop_str(&encoded);
    return pychoral_raised == NULL;
}

double pychoral_float_fromhex(const PychoralStr *text)
{
    if (!is_encodable(text))
        return 0;
    const char *at = text->data, *end = text->data + text->size;
    char *copy = pychoral_allocate(text->size + 1);
    while (at < end && is_blank(*at))
        at++;
    while (end > at && is_blank(end[-1]))
        end--;
    size_t size = (size_t)(end - at);
    memcpy(copy, at, size);
    copy[size] = '\0';
    double x = 0;
    const char *last = scan_hex(copy, &x);
    if (pychoral_raised == NULL && (last == NULL || last != copy + size))
        pychoral_throw(&pychoral_type_ValueError, "invalid hexadecimal floating-point string");
    free(copy);
    return pychoral_raised == NULL ? x : 0;
}

// ---- complex ----

// One part at *at, which goes past it: a number, or (before j) a sign alone or nothing for 1.
static bool scan_part(const char **at, double *x)
{
    const char *end = pychoral_float_scan(*at, x);
    if (end == NULL) {
        *x = **at == '-' ? -1 : 1;
        end = *at + (**at == '-' || **at == '+');
        if (*end != 'j' && *end != 'J')
            return false;
    }
    *at = end;
    return true;
}

static bool is_imaginary(const char **at)
{
    if (**at != 'j' && **at != 'J')
        return false;
    ++*at;
    return true;
}

static bool scan_complex(const char **at, PychoralComplex *z)
{
    double first;
    if (!scan_part(at, &first))
        return false;
    if (is_imaginary(at)) {
        *z = pychoral_complex(0, first);
        return true;
    }
    *z = pychoral_complex(first, 0);
    if (**at != '+' && **at != '-')
        return true;
    return scan_part(at, &z->imag) && is_imaginary(at);
}

static const char *skip_blanks(const char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

// complex() of text that ends in NUL: spaces, parentheses around it, no spaces within.
static bool parse_complex(const char *at, const char *end, PychoralComplex *z)
{
    at = skip_blanks(at);
    bool enclosed = *at == '(';
    if (enclosed)
        at = skip_blanks(at + 1);
    if (!scan_complex(&at, z))
        return false;
    at = skip_blanks(at);
    if (enclosed && *at++ != ')')
        return false;
    return skip_blanks(at) == end;
}

PychoralComplex pychoral_complex_of_str(const PychoralStr *text)
{
    PychoralComplex z = {0, 0};
    size_t size;
    char *ascii = pychoral_ascii_number(text, &size);
    if (!drop_underscores(ascii, &size))
        refuse((PychoralRef){&pychoral_type_str, &text}, "complex");
    else if (!parse_complex(ascii, ascii + size, &z))
        pychoral_throw(&pychoral_type_ValueError, "complex() arg is a malformed string");
    free(ascii);
    return pychoral_raised == NULL ? z : pychoral_complex(0, 0);
}
