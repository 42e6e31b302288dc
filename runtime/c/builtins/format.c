// format.c - format(value, spec) of str, int, float and complex (format.h).

#include "format.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "float_repr.h"
#include "format_parts.h"
#include "number.h"

static PychoralStr *refuse(const char *why)
{
    pychoral_throw(&pychoral_type_ValueError, "%s", why);
    return NULL;
}

// ---- str ----

// Why a specification is not one for strs; NULL: it is.
static const char *wrong_for_str(const PychoralSpec *spec)
{
    if (spec->sign == ' ')
        return "Space not allowed in string format specifier";
    if (spec->sign != '\0')
        return "Sign not allowed in string format specifier";
    if (spec->no_minus_zero)
        return "Negative zero coercion (z) not allowed in string format specifier";
    if (spec->alternate)
        return "Alternate form (#) not allowed in string format specifier";
    return spec->align == '=' ? "'=' alignment not allowed in string format specifier" : NULL;
}

PychoralStr *pychoral_format_str(const PychoralStr *value, const PychoralStr *spec)
{
    PychoralSpec read = {.align = '<', .type = 's'};
    if (spec->size == 0)
        return pychoral_same(value);
    if (!pychoral_spec_read(spec, "str", &read))
        return NULL;
    if (read.type != 's')
        return pychoral_spec_unknown(read.type, "str");
    const char *wrong = wrong_for_str(&read);
    if (wrong != NULL)
        return refuse(wrong);
    size_t characters = (size_t)pychoral_str_len(value), size = value->size;
    if (read.precision >= 0 && (uint64_t)read.precision < characters) {
        characters = (size_t)read.precision;
        size = pychoral_str_offset(value, characters);
    }
    if (read.width > (int64_t)PYCHORAL_TEXT_MOST)
        return pychoral_text_too_large();
    PychoralOut out = {0};
    pychoral_spec_pad(&out, &read, value, value->data, size, characters);
    return pychoral_out_str(&out);
}

// ---- float ----

// Writes `format`, of a precision and a float, as printf does.
__attribute__((format(printf, 2, 0))) static void put_printf(PychoralOut *out, const char *format,
                                                             int precision, double value)
{
    enum { MOST_DIGITS = 330 };  // before the point, with all that is not a digit
    size_t room = (size_t)precision + MOST_DIGITS;
    int size = snprintf(pychoral_out_room(out, room), room, format, precision, value);
    out->size += (size_t)size;
}

static void put_fixed(PychoralOut *out, double value, int precision, bool alternate)
{
    char text[PYCHORAL_FIXED_ROOM];
    size_t size = alternate ? 0 : pychoral_float_fixed(value, precision, text);
    if (size != 0)
        pychoral_out_bytes(out, text, size);
    else
        put_printf(out, alternate ? "%#.*f" : "%.*f", precision, value);
}

// The decimal exponent of a number that is rounded to so many digits.
static int exponent_of(double value, int digits)
{
    PychoralOut out = {0};
    put_printf(&out, "%.*e", digits - 1, value);
    char *text = (char *)(out.bytes + 1);
    text[out.size] = '\0';
    int exponent = atoi((char *)memchr(text, 'e', out.size) + 1);
    pychoral_out_drop(&out);
    return exponent;
}

// %e without zeros at the end of its digits.
static void put_short_exponent(PychoralOut *out, double value, int digits)
{
    size_t start = out->size;
    put_printf(out, "%.*e", digits - 1, value);
    char *text = (char *)(out->bytes + 1) + start;
    size_t size = out->size - start, e = (size_t)((char *)memchr(text, 'e', size) - text);
    size_t kept = e;
    if (memchr(text, '.', e) != NULL)
        while (text[kept - 1] == '0' || text[kept - 1] == '.')
            if (text[--kept] == '.')
                break;
    memmove(text + kept, text + e, size - e);
    out->size -= e - kept;
}

// %g, with zeros at the end if `alternate` (where the C library is not to be trusted); `dot`: so
// that it reads as a float, "3.0", "1e+02".
static void put_general(PychoralOut *out, double value, int digits, bool alternate, bool dot)
{
    if (!alternate && !dot) {
        put_printf(out, "%.*g", digits, value);
        return;
    }
    digits = digits == 0 ? 1 : digits;
    int exponent = exponent_of(value, digits);
    size_t start = out->size;
    if (exponent >= -4 && exponent < digits - dot) {
        if (alternate)
            put_printf(out, "%#.*f", digits - 1 - exponent, value);
        else
            put_printf(out, "%.*g", digits, value);
        if (memchr((char *)(out->bytes + 1) + start, '.', out->size - start) == NULL)
            pychoral_out_text(out, ".0");
    } else if (alternate) {
        put_printf(out, "%#.*e", digits - 1, value);
    } else {
        put_short_exponent(out, value, digits);
    }
}

static void capitalize(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] >= 'a' && text[i] <= 'z')
            text[i] ^= 0x20;
}

static void put_shortest(PychoralOut *out, double value, bool alternate, bool dot)
{
    char text[PYCHORAL_FLOAT_ROOM];
    size_t size = pychoral_float_write(value, dot, text), front = size;
    if (alternate && memchr(text, '.', size) == NULL) {
        const char *e = memchr(text, 'e', size);
        front = e == NULL ? size : (size_t)(e - text);
        pychoral_out_bytes(out, text, front);
        pychoral_out_byte(out, '.');
        pychoral_out_bytes(out, text + front, size - front);
        return;
    }
    pychoral_out_bytes(out, text, size);
}

void pychoral_float_put(PychoralOut *out, double value, char type, int precision, bool alternate,
                        bool dot)
{
    size_t start = out->size;
    value = fabs(value);
    char lower = type == 'r' ? type : (char)(type | 0x20);
    if (!isfinite(value))
        pychoral_out_text(out, isnan(value) ? "nan" : "inf");
    else if (lower == 'e')
        put_printf(out, alternate ? "%#.*e" : "%.*e", precision, value);
    else if (lower == 'f')
        put_fixed(out, value, precision, alternate);
    else if (lower == 'g')
        put_general(out, value, precision, alternate, dot);
    else
        put_shortest(out, value, alternate, dot);
    if (lower != type)
        capitalize((char *)(out->bytes + 1) + start, out->size - start);
}

// Whether a written number is zero.
static bool is_zero(const char *text, size_t size)
{
    for (size_t i = 0; i < size && text[i] != 'e' && text[i] != 'E'; i++)
        if (text[i] >= '1' && text[i] <= '9')
            return false;
    return size > 0 && text[0] >= '0' && text[0] <= '9';
}

// The sign to be written: `sign` is what the specification says of positive numbers.
static char sign_of(bool negative, char sign)
{
    return negative ? '-' : sign == '+' || sign == ' ' ? sign : '\0';
}

// A float in two parts, the digits before the point and the rest. `written` holds them.
static PychoralNumber number_of(double value, const PychoralSpec *spec, char type, bool dot,
                                PychoralOut *written)
{
    bool percent = type == '%';
    int precision = spec->precision >= 0 ? (int)spec->precision : 6;
    pychoral_float_put(written, percent ? value * 100 : value, percent ? 'f' : type, precision,
                       spec->alternate, dot);
    if (percent)
        pychoral_out_byte(written, '%');
    const char *text = (const char *)(written->bytes + 1);
    size_t digits = 0;
    while (digits < written->size && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    bool negative = signbit(value) && !isnan(value);
    if (negative && spec->no_minus_zero && is_zero(text, written->size))
        negative = false;
    size_t rest = written->size - digits;
    return (PychoralNumber){.sign = sign_of(negative, spec->sign), .digits = text,
                            .digit_count = digits, .rest = text + digits, .rest_size = rest,
                            .rest_characters = rest};
}

// Which way a float is written: type 0 is the shortest, but with a precision as 'g'.
static char float_type(const PychoralSpec *spec)
{
    if (spec->type == 0)
        return spec->precision < 0 ? 'r' : 'g';
    return spec->type == 'n' ? 'g' : (char)spec->type;
}

static bool is_one_of(uint32_t type, const char *letters)
{
    return type == 0 || (type < 0x80 && strchr(letters, (int)type) != NULL);
}

// Why a width or precision cannot be; false: raised.
static bool has_sane_sizes(const PychoralSpec *spec)
{
    if (spec->precision > INT_MAX)
        refuse("precision too big");
    else if (spec->width > (int64_t)PYCHORAL_TEXT_MOST)
        pychoral_text_too_large();
    else
        return true;
    return false;
}

static PychoralStr *format_float(double value, const PychoralSpec *spec)
{
    PychoralOut written = {0}, out = {0};
    if (!has_sane_sizes(spec))
        return NULL;
    PychoralNumber number =
        number_of(value, spec, float_type(spec), spec->type == 0, &written);
    pychoral_spec_put(&out, spec, &number);
    pychoral_out_drop(&written);
    return pychoral_out_str(&out);
}

PychoralStr *pychoral_format_float(double value, const PychoralStr *spec)
{
    PychoralSpec read = {.align = '>'};
    if (spec->size == 0)
        return pychoral_float_repr(value);
    if (!pychoral_spec_read(spec, "float", &read))
        return NULL;
    if (!is_one_of(read.type, "eEfFgGn%"))
        return pychoral_spec_unknown(read.type, "float");
    return format_float(value, &read);
}

// ---- complex ----

// Writes one part of a complex number, without padding.
static void put_part(PychoralOut *out, double value, PychoralSpec spec, char sign, bool bare)
{
    PychoralOut written = {0};
    spec.sign = sign;
    spec.width = -1;
    spec.align = '<';
    char type = bare ? spec.precision < 0 ? 'r' : 'g' : float_type(&spec);
    PychoralNumber number = number_of(value, &spec, type, false, &written);
    pychoral_spec_put(out, &spec, &number);
    pychoral_out_drop(&written);
}

static PychoralStr *format_complex(PychoralComplex value, const PychoralSpec *spec)
{
    PychoralOut out = {0}, padded = {0};
    bool bare = spec->type == 0;
    bool imaginary = bare && value.real == 0 && !signbit(value.real);
    if (bare && !imaginary)
        pychoral_out_byte(&out, '(');
    if (!imaginary)
        put_part(&out, value.real, *spec, spec->sign, bare);
    put_part(&out, value.imag, *spec, imaginary ? spec->sign : '+', bare);
    pychoral_out_byte(&out, 'j');
    if (bare && !imaginary)
        pychoral_out_byte(&out, ')');
    PychoralStr *text = pychoral_out_str(&out);
    pychoral_spec_pad(&padded, spec, text, text->data, text->size, text->size);
    pychoral_drop_str(&text);
    return pychoral_out_str(&padded);
}

PychoralStr *pychoral_format_complex(PychoralComplex value, const PychoralStr *spec)
{
    PychoralSpec read = {.align = '>'};
    if (spec->size == 0)
        return pychoral_complex_repr(value);
    if (!pychoral_spec_read(spec, "complex", &read))
        return NULL;
    if (!is_one_of(read.type, "eEfFgGn"))
        return pychoral_spec_unknown(read.type, "complex");
    if (read.precision > INT_MAX)
        return refuse("precision too big");
    if (read.fill == '0')
        return refuse("Zero padding is not allowed in complex format specifier");
    if (read.align == '=')
        return refuse("'=' alignment flag is not allowed in complex format specifier");
    return has_sane_sizes(&read) ? format_complex(value, &read) : NULL;
}

// ---- int ----

char *pychoral_spec_digits(PychoralInt value, int base, bool capitals, size_t *size)
{
    char *digits = pychoral_int_digits(value, base, size);
    if (digits == NULL)
        return NULL;
    if (digits[0] == '-')
        memmove(digits, digits + 1, (*size)--);  // with its NUL
    for (size_t i = 0; capitals && i < *size; i++)
        if (digits[i] >= 'a')
            digits[i] ^= 0x20;
    return digits;
}

static PychoralStr *format_char(PychoralInt value, const PychoralSpec *spec)
{
    if (spec->sign != '\0')
        return refuse("Sign not allowed with integer format specifier 'c'");
    if (spec->alternate)
        return refuse("Alternate form (#) not allowed with integer format specifier 'c'");
    if (pychoral_int_is_big(value)) {
        pychoral_throw(&pychoral_type_OverflowError, "Python int too large to convert to C long");
        return NULL;
    }
    if (value.small < 0 || value.small > 0x10ffff) {
        pychoral_throw(&pychoral_type_OverflowError, "%%c arg not in range(0x110000)");
        return NULL;
    }
    char text[4];
    PychoralOut out = {0};
    PychoralNumber number = {.digits = text, .rest = text, .rest_characters = 1,
                             .rest_size = pychoral_utf8_put(text, (uint32_t)value.small)};
    pychoral_spec_put(&out, spec, &number);
    return pychoral_out_str(&out);
}

static PychoralStr *format_digits(PychoralInt value, const PychoralSpec *spec)
{
    char type = (char)spec->type;
    int base = type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
    char prefix[] = {'0', type, '\0'};
    size_t size;
    char *digits = pychoral_spec_digits(value, base, type == 'X', &size);
    if (digits == NULL)
        return NULL;
    PychoralNumber number = {.sign = sign_of(pychoral_int_is_negative(value), spec->sign),
                             .prefix = spec->alternate && base != 10 ? prefix : NULL,
                             .digits = digits, .digit_count = size, .rest = ""};
    PychoralOut out = {0};
    pychoral_spec_put(&out, spec, &number);
    free(digits);
    return pychoral_out_str(&out);
}

static PychoralStr *format_as_float(PychoralInt value, const PychoralSpec *spec)
{
    double number = pychoral_int_as_float(value);
    return pychoral_raised == NULL ? format_float(number, spec) : NULL;
}

PychoralStr *pychoral_format_int(PychoralInt value, const PychoralStr *spec)
{
    const char *type_name = pychoral_int_is_bool(value) ? "bool" : "int";
    PychoralSpec read = {.align = '>', .type = 'd'};
    if (spec->size == 0)
        return pychoral_int_repr(value);
    if (!pychoral_spec_read(spec, type_name, &read))
        return NULL;
    if (read.type != 0 && is_one_of(read.type, "eEfFgG%"))
        return format_as_float(value, &read);
    if (read.type == 0 || !is_one_of(read.type, "bcdoxXn"))
        return pychoral_spec_unknown(read.type, type_name);
    if (read.precision >= 0)
        return refuse("Precision not allowed in integer format specifier");
    if (read.no_minus_zero)
        return refuse("Negative zero coercion (z) not allowed in integer format specifier");
    if (!has_sane_sizes(&read))
        return NULL;
    return read.type == 'c' ? format_char(value, &read) : format_digits(value, &read);
}
