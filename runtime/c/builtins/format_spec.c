// format_spec.c - format specifications: read, and carried out for padding and grouping.

#include "format_parts.h"

// ---- reading ----

bool pychoral_read_count(const char **at, const char *end, int64_t *number, size_t *digits)
{
    *number = 0;
    *digits = 0;
    while (*at < end) {
        const char *next = *at;
        int digit = pychoral_char_decimal(pychoral_utf8_next(&next));
        if (digit < 0)
            return true;
        if (*number > (INT64_MAX - digit) / 10) {
            pychoral_throw(&pychoral_type_ValueError,
                           "Too many decimal digits in format string");
            return false;
        }
        *number = *number * 10 + digit;
        ++*digits;
        *at = next;
    }
    return true;
}

static bool is_align(char letter) { return letter != '\0' && strchr("<>=^", letter) != NULL; }

// Fill and alignment; true: an alignment is given.
static bool read_align(const char **at, const char *end, PychoralSpec *to, bool *fills)
{
    if (*at == end)
        return false;
    const char *next = *at;
    uint32_t fill = pychoral_utf8_next(&next);
    if (next < end && is_align(*next)) {
        to->fill = fill;
        to->align = *next;
        *at = next + 1;
        return *fills = true;
    }
    if (!is_align(**at))
        return false;
    to->align = *(*at)++;
    return true;
}

static bool accept(const char **at, const char *end, char letter)
{
    bool there = *at < end && **at == letter;
    *at += there;
    return there;
}

// Fill, alignment, sign, z, #, 0.
static void read_front(const char **at, const char *end, PychoralSpec *to)
{
    bool of_number = to->align == '>';
    bool fills = false, aligns = read_align(at, end, to, &fills);
    if (*at < end && (**at == ' ' || **at == '+' || **at == '-'))
        to->sign = *(*at)++;
    to->no_minus_zero = accept(at, end, 'z');
    to->alternate = accept(at, end, '#');
    if (!fills && accept(at, end, '0')) {
        to->fill = '0';
        if (!aligns && of_number)
            to->align = '=';
    }
}

// A comma, an underscore; false: raised.
static bool read_grouping(const char **at, const char *end, PychoralSpec *to)
{
    if (accept(at, end, ','))
        to->grouping = ',';
    bool both = false;
    if (accept(at, end, '_')) {
        both = to->grouping != '\0';
        to->grouping = '_';
    }
    both = both || (to->grouping == '_' && accept(at, end, ','));
    if (both)
        pychoral_throw(&pychoral_type_ValueError, "Cannot specify both ',' and '_'.");
    return !both;
}

static bool read_precision(const char **at, const char *end, PychoralSpec *to)
{
    size_t digits;
    if (!accept(at, end, '.'))
        return true;
    if (!pychoral_read_count(at, end, &to->precision, &digits))
        return false;
    if (digits == 0)
        pychoral_throw(&pychoral_type_ValueError, "Format specifier missing precision");
    return digits > 0;
}

// The type letter, which is all that may be left; false: raised.
static bool read_type(const char *at, const PychoralStr *spec, const char *type_name,
                      PychoralSpec *to)
{
    const char *end = spec->data + spec->size;
    if (at < end)
        to->type = pychoral_utf8_next(&at);
    if (at == end)
        return true;
    PychoralOut out = {0};
    pychoral_out_text(&out, "Invalid format specifier '");
    pychoral_out_whole(&out, spec);
    pychoral_out_text(&out, "' for object of type '");
    pychoral_out_text(&out, type_name);
    pychoral_out_text(&out, "'");
    pychoral_text_raise(&pychoral_type_ValueError, &out);
    return false;
}

// Whether the type may be grouped; false: raised.
static bool may_group(const PychoralSpec *spec)
{
    if (spec->grouping == '\0' || spec->type == 0)
        return true;
    bool ascii = spec->type < 0x80;
    if (ascii && strchr("defgEG%F", (int)spec->type) != NULL)
        return true;
    if (ascii && spec->grouping == '_' && strchr("boxX", (int)spec->type) != NULL)
        return true;
    if (spec->type > 32 && ascii)
        pychoral_throw(&pychoral_type_ValueError, "Cannot specify '%c' with '%c'.", spec->grouping,
                       (char)spec->type);
    else
        pychoral_throw(&pychoral_type_ValueError, "Cannot specify '%c' with '\\x%x'.",
                       spec->grouping, (unsigned)spec->type);
    return false;
}

bool pychoral_spec_read(const PychoralStr *spec, const char *type_name, PychoralSpec *to)
{
    const char *at = spec->data, *end = at + spec->size;
    size_t digits;
    to->fill = ' ';
    to->precision = -1;
    read_front(&at, end, to);
    if (!pychoral_read_count(&at, end, &to->width, &digits))
        return false;
    if (digits == 0)
        to->width = -1;
    if (!read_grouping(&at, end, to) || !read_precision(&at, end, to) ||
        !read_type(at, spec, type_name, to))
        return false;
    return may_group(to);
}

PychoralStr *pychoral_spec_unknown(uint32_t letter, const char *type_name)
{
    if (letter > 32 && letter < 128)
        pychoral_throw(&pychoral_type_ValueError,
                       "Unknown format code '%c' for object of type '%s'", (char)letter, type_name);
    else
        pychoral_throw(&pychoral_type_ValueError,
                       "Unknown format code '\\x%x' for object of type '%s'", (unsigned)letter,
                       type_name);
    return NULL;
}

// ---- grouping ----

// How many digits stand together; 0: all.
static size_t group_of(const PychoralSpec *spec)
{
    bool of_bits = spec->type != 0 && spec->type < 0x80 && strchr("boxX", (int)spec->type);
    return spec->grouping == '\0' ? 0 : of_bits ? 4 : 3;
}

// How many zeros stand before the digits so that all, with separators, take `width` at least.
// A separator is never first, so one zero more may stand there.
static size_t zeros_for(size_t digits, size_t group, int64_t width)
{
    size_t all = digits;
    if (width <= 0)
        return 0;
    if (group == 0)
        return (size_t)width > digits ? (size_t)width - digits : 0;
    while (all + (all - 1) / group < (size_t)width)
        all++;
    return all - digits;
}

static size_t grouped_size(size_t digits, size_t group)
{
    return group == 0 || digits == 0 ? digits : digits + (digits - 1) / group;
}

static void put_grouped(PychoralOut *out, const PychoralSpec *spec, const PychoralNumber *number,
                        size_t zeros)
{
    size_t all = zeros + number->digit_count, group = group_of(spec);
    for (size_t i = 0; i < all; i++) {
        if (i > 0 && group > 0 && (all - i) % group == 0)
            pychoral_out_byte(out, spec->grouping);
        pychoral_out_byte(out, i < zeros ? '0' : number->digits[i - zeros]);
    }
}

// ---- layout ----

// How much of the padding is to the left.
static size_t left_of(char align, size_t padding)
{
    return align == '<' ? 0 : align == '^' ? padding / 2 : padding;
}

void pychoral_spec_put(PychoralOut *out, const PychoralSpec *spec, const PychoralNumber *number)
{
    size_t prefix = number->prefix == NULL ? 0 : strlen(number->prefix);
    size_t fixed = (number->sign != '\0') + prefix + number->rest_characters, zeros = 0;
    bool with_zeros = spec->fill == '0' && spec->align == '=';
    if (with_zeros && number->digit_count > 0)
        zeros = zeros_for(number->digit_count, group_of(spec), spec->width - (int64_t)fixed);
    size_t taken = fixed + grouped_size(zeros + number->digit_count, group_of(spec));
    size_t padding = spec->width > (int64_t)taken ? (size_t)spec->width - taken : 0;
    size_t left = left_of(spec->align, padding);
    if (spec->align != '=')
        pychoral_out_fill(out, spec->fill, left);
    if (number->sign != '\0')
        pychoral_out_byte(out, number->sign);
    pychoral_out_bytes(out, number->prefix, prefix);
    if (spec->align == '=')
        pychoral_out_fill(out, spec->fill, left);
    put_grouped(out, spec, number, zeros);
    for (const char *at = number->rest, *end = at + number->rest_size; at < end;)
        pychoral_out_char(out, pychoral_utf8_next(&at));
    pychoral_out_fill(out, spec->fill, padding - left);
}

void pychoral_spec_pad(PychoralOut *out, const PychoralSpec *spec, const PychoralStr *text,
                       const char *from, size_t size, size_t characters)
{
    size_t padding = spec->width > (int64_t)characters ? (size_t)spec->width - characters : 0;
    size_t left = left_of(spec->align, padding);
    pychoral_out_fill(out, spec->fill, left);
    pychoral_out_part(out, text, from, size);
    pychoral_out_fill(out, spec->fill, padding - left);
}
