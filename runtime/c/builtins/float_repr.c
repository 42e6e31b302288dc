// float_repr.c - the shortest decimal number that reads as a float, and repr (float_repr.h).
//
// A float stands for all numbers that are nearer to it than to its neighbours. With 4 * c * 2**q as
// its middle and 4 * c - 2 and 4 * c + 2 (or - 1, above a power of two) as the ends of this
// interval, all three are multiplied by a power of ten so that at least 16 digits are whole; what
// is lost is noted in the last bit ("rounded to odd"), which keeps comparisons exact. One of two
// multiples of ten, else one of two whole numbers around the middle, then is the shortest number
// within, and the nearer one if both are (R. Giulietti, The Schubfach way to render doubles).

#include "float_repr.h"

#include <math.h>
#include <string.h>

#include "text.h"

__extension__ typedef unsigned __int128 Wide;

typedef struct Power {
    uint64_t high, low;
} Power;

#include "powers_of_ten.inc"

enum { SIGNIFICAND_BITS = 52, BIAS = 1075, LEAST_EXPONENT = 1 - BIAS };

// floor(log10(2**e)), of 3/4 of it, floor(log2(10**e)), for all e that occur.
static int log10_of_power_of_2(int e) { return (e * 1262611) >> 22; }
static int log10_of_lower_power_of_2(int e) { return (e * 1262611 - 524031) >> 22; }
static int log2_of_power_of_10(int e) { return (e * 1741647) >> 19; }

// factor * power / 2**128, rounded to odd.
static uint64_t scale(Power power, uint64_t factor)
{
    uint64_t carried = (uint64_t)((Wide)power.low * factor >> 64);
    Wide product = (Wide)power.high * factor + carried;
    return (uint64_t)(product >> 64) | ((uint64_t)product > 1);
}

// A decimal number: significand * 10**exponent.
typedef struct Scaled {
    uint64_t significand;
    int exponent;
} Scaled;

static Scaled nearest_of(uint64_t lower, uint64_t middle, uint64_t upper, int exponent)
{
    uint64_t whole = middle / 4, tens = whole / 10;
    if (tens > 0) {
        bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
        if (below != above)
            return (Scaled){tens + above, exponent + 1};
    }
    bool below = lower <= 4 * whole, above = 4 * whole + 4 <= upper;
    if (below != above)
        return (Scaled){whole + above, exponent};
    uint64_t half = 4 * whole + 2;
    bool up = middle > half || (middle == half && (whole & 1));
    return (Scaled){whole + up, exponent};
}

// The shortest decimal number of c * 2**q; `closer`: the neighbour below is half as far away.
static Scaled shortest_of(uint64_t c, int q, bool closer)
{
    int k = closer ? log10_of_lower_power_of_2(q) : log10_of_power_of_2(q);
    int shift = q + log2_of_power_of_10(-k) + 1;
    Power power = POWERS[-k - FIRST_POWER];
    bool open = c & 1;  // the ends read as the even neighbour
    uint64_t lower = scale(power, (4 * c - 2 + closer) << shift);
    uint64_t middle = scale(power, (4 * c) << shift);
    uint64_t upper = scale(power, (4 * c + 2) << shift);
    return nearest_of(lower + open, middle, upper - open, k);
}

static Scaled shortest(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << SIGNIFICAND_BITS) - 1);
    int exponent = (int)(bits >> SIGNIFICAND_BITS & 0x7ff);
    if (exponent == 0)
        return fraction == 0 ? (Scaled){0, 0} : shortest_of(fraction, LEAST_EXPONENT, false);
    uint64_t c = fraction | (uint64_t)1 << SIGNIFICAND_BITS;
    int q = exponent - BIAS;
    if (q <= 0 && q > -SIGNIFICAND_BITS - 1 && (c & (((uint64_t)1 << -q) - 1)) == 0)
        return (Scaled){c >> -q, 0};  // a whole number that is exact
    return shortest_of(c, q, fraction == 0 && exponent > 1);
}

PychoralDecimal pychoral_float_shortest(double value)
{
    Scaled scaled = shortest(value);
    char reversed[24];
    int count = 0;
    do
        reversed[count++] = (char)('0' + scaled.significand % 10);
    while ((scaled.significand /= 10) > 0);
    PychoralDecimal decimal = {.point = count + scaled.exponent};
    int zeros = 0;
    while (zeros + 1 < count && reversed[zeros] == '0')
        zeros++;
    while (count > zeros)
        decimal.digits[decimal.count++] = reversed[--count];
    if (decimal.digits[0] == '0')
        decimal.point = 1;
    return decimal;
}

// ---- repr ----

static char *put(char *to, const char *text, int count)
{
    memcpy(to, text, (size_t)count);
    return to + count;
}

static char *zeros(char *to, int count)
{
    memset(to, '0', (size_t)count);
    return to + count;
}

static char *put_exponent(char *to, int exponent)
{
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    exponent = exponent < 0 ? -exponent : exponent;
    if (exponent >= 100)
        *to++ = (char)('0' + exponent / 100);
    *to++ = (char)('0' + exponent / 10 % 10);
    *to++ = (char)('0' + exponent % 10);
    return to;
}

// Numbers from 1e-4 to below 1e16 stand without an exponent; with a point if `dot`.
static char *put_decimal(char *to, const PychoralDecimal *decimal, bool dot)
{
    int count = decimal->count, point = decimal->point;
    const char *digits = decimal->digits;
    if (point > 16 || point <= -4) {
        *to++ = digits[0];
        if (count > 1) {
            *to++ = '.';
            to = put(to, digits + 1, count - 1);
        }
        return put_exponent(to, point - 1);
    }
    if (point <= 0)
        return put(zeros(put(to, "0.", 2), -point), digits, count);
    if (count > point)
        return put(put(put(to, digits, point), ".", 1), digits + point, count - point);
    to = zeros(put(to, digits, count), point - count);
    return dot ? put(to, ".0", 2) : to;
}

static char *put_float(char *to, double value, bool dot)
{
    if (isnan(value))
        return put(to, "nan", 3);
    if (signbit(value))
        *to++ = '-';
    if (isinf(value))
        return put(to, "inf", 3);
    PychoralDecimal decimal = pychoral_float_shortest(fabs(value));
    return put_decimal(to, &decimal, dot);
}

size_t pychoral_float_write(double value, bool dot, char text[PYCHORAL_FLOAT_ROOM])
{
    return (size_t)(put_float(text, value, dot) - text);
}

static PychoralStr *ascii_str(const char *text, size_t size)
{
    PychoralStr *s = pychoral_must(pychoral_bytes_room(size, PYCHORAL_ASCII));
    memcpy((char *)s->data, text, size);
    return s;
}

PychoralStr *pychoral_float_repr(double value)
{
    char text[PYCHORAL_FLOAT_ROOM];
    return ascii_str(text, pychoral_float_write(value, true, text));
}

PychoralStr *pychoral_complex_repr(PychoralComplex value)
{
    char text[2 * PYCHORAL_FLOAT_ROOM + 4], *to = text;
    bool pure = value.real == 0 && !signbit(value.real);
    if (!pure) {
        *to++ = '(';
        to = put_float(to, value.real, false);
        if (isnan(value.imag) || !signbit(value.imag))
            *to++ = '+';
    }
    to = put_float(to, value.imag, false);
    *to++ = 'j';
    if (!pure)
        *to++ = ')';
    return ascii_str(text, (size_t)(to - text));
}

// ---- a number of digits behind the point ----

enum { MOST_FIXED = 15, WIDEST = 120 };  // of digits; bits below one that a Wide has room for

// value * 10**precision as a whole number, half to even; false: it has more than 64 bits.
static bool scale_fixed(double value, int precision, uint64_t *to)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t significand = bits & ((UINT64_C(1) << SIGNIFICAND_BITS) - 1);
    int exponent = (int)(bits >> SIGNIFICAND_BITS), below = BIAS - exponent;
    if (value == 0)
        below = 0;
    else
        significand |= UINT64_C(1) << SIGNIFICAND_BITS;
    if (below < 0 || below > WIDEST)    // what is less than normal is among them
        return false;
    Wide scaled = significand;
    for (int i = 0; i < precision; i++)
        scaled *= 10;
    Wide whole = scaled >> below, rest = scaled - (whole << below);
    Wide half = below == 0 ? 1 : (Wide)1 << (below - 1);
    whole += rest > half || (rest == half && (whole & 1));
    *to = (uint64_t)whole;
    return whole >> 64 == 0;
}

size_t pychoral_float_fixed(double value, int precision, char text[PYCHORAL_FIXED_ROOM])
{
    uint64_t left;
    if (precision > MOST_FIXED || !scale_fixed(value, precision, &left))
        return 0;
    char digits[PYCHORAL_FIXED_ROOM], *at = digits + sizeof digits;
    for (int i = 0; i < precision; i++, left /= 10)
        *--at = (char)('0' + left % 10);
    if (precision > 0)
        *--at = '.';
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) != 0);
    size_t size = (size_t)(digits + sizeof digits - at);
    memcpy(text, at, size);
    return size;
}
