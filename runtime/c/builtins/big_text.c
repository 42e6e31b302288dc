// big_text.c - ints from text and to text, in any base, and Python's limit for huge ones.
//
// GMP converts in less than quadratic time; its digits are values, so they are mapped to characters
// here. The limit is that of Python's `sys.set_int_max_str_digits`.

#include "big.h"
#include "str.h"
#include "unicode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the limit ----

enum { DEFAULT_LIMIT = 4300, LEAST_LIMIT = 640, NOT_READ = -1 };

static _Thread_local int64_t digit_limit = NOT_READ;

// The most digits of a conversion; 0: any number.
static int64_t limit(void)
{
    if (digit_limit != NOT_READ)
        return digit_limit;
    const char *set = getenv("PYTHONINTMAXSTRDIGITS");
    char *end = NULL;
    long wanted = set == NULL ? DEFAULT_LIMIT : strtol(set, &end, 10);
    if (end != NULL && (end == set || *end != '\0'))
        wanted = DEFAULT_LIMIT;
    digit_limit = wanted != 0 && wanted < LEAST_LIMIT ? DEFAULT_LIMIT : wanted;
    return digit_limit;
}

void pychoral_set_int_max_str_digits(PychoralInt digits)
{
    int64_t wanted = pychoral_int_fit(digits, "Python int too large to convert to C int");
    if (pychoral_raised != NULL)
        return;
    if (wanted > INT32_MAX || wanted < INT32_MIN)
        pychoral_throw(&pychoral_type_OverflowError, "Python int too large to convert to C int");
    else if (wanted != 0 && wanted < LEAST_LIMIT)
        pychoral_throw(&pychoral_type_ValueError, "maxdigits must be 0 or larger than %d",
                       LEAST_LIMIT);
    else
        digit_limit = wanted;
}

PychoralInt pychoral_get_int_max_str_digits(void) { return pychoral_int(limit()); }

// ---- to text ----

// Whether so many digits may be written.
static bool may_write(double digits)
{
    if (digits <= LEAST_LIMIT || limit() == 0 || digits <= (double)limit())
        return true;
    pychoral_throw(&pychoral_type_ValueError,
                   "Exceeds the limit (%lld digits) for integer string conversion; "
                   "use sys.set_int_max_str_digits() to increase the limit",
                   (long long)limit());
    return false;
}

enum { MOST_DIGITS = 66 };  // of 64 bits, with a sign and a NUL

// Writes the digits, which end in NUL where the room does; gives where they start.
static char *write_small(int64_t number, unsigned base, char room[MOST_DIGITS])
{
    char *at = room + MOST_DIGITS;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    *--at = '\0';
    for (; base == 10 && rest > 9; rest /= 10)      // a division by a constant is none
        *--at = (char)('0' + rest % 10);
    do
        *--at = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % base];
    while ((rest /= base) != 0);
    if (number < 0)
        *--at = '-';
    return at;
}

static char *small_digits(int64_t number, int base, size_t *size)
{
    char room[MOST_DIGITS], *at = write_small(number, (unsigned)base, room);
    *size = (size_t)(room + MOST_DIGITS - 1 - at);
    return memcpy(pychoral_allocate(*size + 1), at, *size + 1);
}

static PychoralStr *small_repr(int64_t number)
{
    if (number >= 0 && number < 10)
        return &pychoral_ascii_chars['0' + number];
    char room[MOST_DIGITS], *at = write_small(number, 10, room);
    size_t size = (size_t)(room + MOST_DIGITS - 1 - at);
    PychoralStr *text = pychoral_bytes_room(size, PYCHORAL_ASCII);
    if (text == NULL)
        pychoral_no_memory();
    memcpy((char *)text->data, at, size);
    return text;
}

char *pychoral_int_digits(PychoralInt a, int base, size_t *size)
{
    size_t ignored;
    size = size == NULL ? &ignored : size;
    *size = 0;
    if (!pychoral_int_is_big(a))
        return small_digits(a.small, base, size);
    const double decimals = 0.30102999566;  // a little less than a bit has
    bool decimal = base == 10;
    if (decimal && !may_write(decimals * (double)(pychoral_bits(a) - 1)))
        return NULL;
    PychoralView view;
    pychoral_view(&view, a);
    char *text = pychoral_allocate(mpz_sizeinbase(view.z, base) + 2);
    mpz_get_str(text, base, view.z);
    *size = strlen(text);
    if (decimal && !may_write((double)(*size - (text[0] == '-')))) {
        free(text);
        return NULL;
    }
    return text;
}

static PychoralStr *str_of(char *text, size_t size)
{
    PychoralStr *str = text == NULL ? NULL : pychoral_str_new(text, size);
    if (text != NULL && str == NULL)
        pychoral_throw_bare(&pychoral_type_MemoryError);
    free(text);
    return str;
}

PychoralStr *pychoral_int_repr(PychoralInt a)
{
    static PychoralStr truth = PYCHORAL_CONSTANT("True", PYCHORAL_ASCII);
    static PychoralStr untruth = PYCHORAL_CONSTANT("False", PYCHORAL_ASCII);
    if (pychoral_int_is_bool(a))
        return a.small != 0 ? &truth : &untruth;
    if (a.big == NULL)
        return small_repr(a.small);
    size_t size;
    char *text = pychoral_int_digits(a, 10, &size);
    return str_of(text, size);
}

// The digits with 0b, 0o or 0x in front of them.
static PychoralStr *prefixed(PychoralInt a, int base, char letter)
{
    size_t size;
    char *digits = pychoral_int_digits(a, base, &size);
    bool negative = digits[0] == '-';
    char *text = pychoral_allocate(size + 3);
    sprintf(text, "%s0%c%s", negative ? "-" : "", letter, digits + negative);
    free(digits);
    return str_of(text, size + 2);
}

PychoralStr *pychoral_int_bin(PychoralInt a) { return prefixed(a, 2, 'b'); }
PychoralStr *pychoral_int_oct(PychoralInt a) { return prefixed(a, 8, 'o'); }
PychoralStr *pychoral_int_hex(PychoralInt a) { return prefixed(a, 16, 'x'); }

// ---- from text: characters of any script ----

char *pychoral_ascii_number(const PychoralStr *text, size_t *size)
{
    char *ascii = pychoral_allocate(text->size + 1), *to = ascii;
    const char *at = text->data, *end = at + text->size;
    bool ends = false;
    while (at < end && !ends) {
        uint32_t character = pychoral_utf8_next(&at);
        int digit = pychoral_char_decimal(character);
        bool is_space = (pychoral_char_flags(character) & PYCHORAL_SPACE) != 0;
        ends = character >= 0x80 && digit < 0 && !is_space;
        if (character < 0x80)
            *to++ = (char)character;
        else
            *to++ = digit >= 0 ? (char)('0' + digit) : ends ? '?' : ' ';
    }
    *to = '\0';
    *size = (size_t)(to - ascii);
    return ascii;
}

// ---- from text: numbers ----

typedef struct Literal {
    const char *at, *end;
    int base;
    bool negative;
} Literal;

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int value_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return isalpha((unsigned char)c) ? (c | 0x20) - 'a' + 10 : 99;
}

// The base that a prefix stands for; 0: it is none.
static int prefix_base(const Literal *literal)
{
    if (literal->end - literal->at < 2 || literal->at[0] != '0')
        return 0;
    char letter = (char)(literal->at[1] | 0x20);
    return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
}

// Takes off spaces, sign and prefix. `*zero_only`: base 0 and no prefix, so that 0 alone may start
// with 0.
static void open_literal(Literal *literal, bool *zero_only)
{
    while (literal->at < literal->end && is_blank(*literal->at))
        literal->at++;
    while (literal->end > literal->at && is_blank(literal->end[-1]))
        literal->end--;
    if (literal->at < literal->end && (*literal->at == '-' || *literal->at == '+'))
        literal->negative = *literal->at++ == '-';
    int prefix = prefix_base(literal);
    *zero_only = literal->base == 0 && prefix == 0 && literal->at < literal->end &&
                 *literal->at == '0';
    if (prefix != 0 && (literal->base == 0 || literal->base == prefix)) {
        literal->base = prefix;
        literal->at += 2;
        if (literal->at < literal->end && *literal->at == '_')
            literal->at++;
    }
    if (literal->base == 0)
        literal->base = 10;
}

// The values of the digits, underscores left out. False: they are none.
static bool digit_values(const Literal *literal, unsigned char *values, size_t *count)
{
    bool after_digit = false;
    *count = 0;
    for (const char *at = literal->at; at < literal->end; at++) {
        if (*at == '_' && after_digit) {
            after_digit = false;
            continue;
        }
        int value = value_of(*at);
        if (value >= literal->base)
            return false;
        values[(*count)++] = (unsigned char)value;
        after_digit = true;
    }
    return after_digit;
}

static bool may_read(size_t count, int base)
{
    if ((base & (base - 1)) == 0 || count <= LEAST_LIMIT || limit() == 0 ||
        count <= (uint64_t)limit())
        return true;
    pychoral_throw(&pychoral_type_ValueError,
                   "Exceeds the limit (%lld digits) for integer string conversion: value has %zu "
                   "digits; use sys.set_int_max_str_digits() to increase the limit",
                   (long long)limit(), count);
    return false;
}

static PychoralInt of_values(const unsigned char *values, size_t count, int base, bool negative)
{
    size_t skip = 0;
    while (skip < count && values[skip] == 0)
        skip++;
    values += skip;
    count -= skip;
    int64_t small = 0;
    if (count <= 12) {  // 36 ** 12 < 2 ** 63
        for (size_t i = 0; i < count; i++)
            small = small * base + values[i];
        return pychoral_int(negative ? -small : small);
    }
    size_t bits = 1;
    while (1 << bits < base)
        bits++;
    PychoralBig *big = pychoral_big_new(count * bits / GMP_NUMB_BITS + 2);
    if (big == NULL)
        return pychoral_int(0);
    mp_size_t size = mpn_set_str(big->limbs, values, count, base);
    return pychoral_big_done(big, (size_t)size, negative);
}

// int() of ASCII. False: it is no number, or raised.
static bool parse(const char *text, size_t size, int base, PychoralInt *result)
{
    Literal literal = {text, text + size, base, false};
    bool zero_only = false, done = false;
    open_literal(&literal, &zero_only);
    size_t count;
    unsigned char *values = pychoral_allocate(size + 1);
    if (digit_values(&literal, values, &count) && may_read(count, literal.base)) {
        *result = of_values(values, count, literal.base, literal.negative);
        done = pychoral_raised == NULL;
        if (done && zero_only && pychoral_int_truth(*result)) {
            pychoral_drop_int(result);
            done = false;
        }
    }
    free(values);
    return done;
}

// Says that `literal` is no number: its repr, up to 200 characters of it.
static void refuse(PychoralRef literal, int base)
{
    PychoralStr *shown = pychoral_repr(literal);
    if (shown == NULL)
        return;
    size_t size = 0;
    for (size_t count = 0; size < shown->size; size++)
        if (((unsigned char)shown->data[size] & 0xc0) != 0x80 && ++count > 200)
            break;
    pychoral_throw(&pychoral_type_ValueError, "invalid literal for int() with base %d: %.*s", base,
                   (int)size, shown->data);
    pychoral_drop_str(&shown);
}

static bool base_of(PychoralInt base, int *result)
{
    int64_t wanted = pychoral_int_clip(base);
    *result = (int)wanted;
    if (wanted == 0 || (wanted >= 2 && wanted <= 36))
        return true;
    pychoral_throw(&pychoral_type_ValueError, "int() base must be >= 2 and <= 36, or 0");
    return false;
}

// Reads up to 18 decimal digits and a sign, and nothing else: nearly all that is ever read.
static bool parse_short(const PychoralStr *text, int64_t *result)
{
    const char *at = text->data, *end = at + text->size;
    bool negative = at < end && *at == '-';
    at += negative;
    if (at == end || end - at > 18)
        return false;
    int64_t number = 0;
    for (; at < end; at++) {
        unsigned digit = (unsigned char)*at - (unsigned)'0';
        if (digit > 9)
            return false;
        number = number * 10 + digit;
    }
    *result = negative ? -number : number;
    return true;
}

PychoralInt pychoral_int_of_str(const PychoralStr *text, PychoralInt base)
{
    PychoralInt result = {0, NULL};
    if (base.small == 10 && base.big == NULL && parse_short(text, &result.small))
        return result;
    int number_base;
    if (!base_of(base, &number_base))
        return result;
    size_t size;
    char *ascii = pychoral_ascii_number(text, &size);
    if (!parse(ascii, size, number_base, &result) && pychoral_raised == NULL)
        refuse((PychoralRef){&pychoral_type_str, &text}, number_base);
    free(ascii);
    return result;
}

PychoralInt pychoral_int_of_bytes_text(const PychoralBytes *text, PychoralInt base)
{
    PychoralInt result = {0, NULL};
    int number_base;
    if (!base_of(base, &number_base))
        return result;
    if (!parse(text->data, text->size, number_base, &result) && pychoral_raised == NULL)
        refuse((PychoralRef){&pychoral_type_bytes, &text}, number_base);
    return result;
}
