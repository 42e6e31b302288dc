// int.c - whole numbers beyond 64 bits: GMP's limbs in memory that may run out.
//
// Numbers are kept as magnitude and sign, normalised, and only if they do not fit in an int64_t, so
// that equal numbers look alike. GMP reads them through views (mpz_roinit_n), which allocate
// nothing.

#include <math.h>
#include <stdlib.h>

#include "value.h"
#include "wire.h"

PychoralBig pychoral_bool_mark = {.head = {.refs = PYCHORAL_IMMORTAL}};

enum { LIMB_BYTES = sizeof(mp_limb_t) };

static bool is_negative(const PychoralBig *big) { return (big->head.flags & PYCHORAL_NEGATIVE); }

void pychoral_int_view(const PychoralInt *number, mp_limb_t *limb, mpz_t view)
{
    if (pychoral_int_is_big(*number)) {
        mp_size_t count = (mp_size_t)number->big->count;
        mpz_roinit_n(view, number->big->limbs, is_negative(number->big) ? -count : count);
        return;
    }
    int64_t small = number->small;
    *limb = small < 0 ? -(uint64_t)small : (uint64_t)small;
    mpz_roinit_n(view, limb, small < 0 ? -1 : small > 0);
}

// The number of magnitude `limbs` (normalised), as small if it fits. False: out of memory.
static bool int_of(const mp_limb_t *limbs, size_t count, bool negative, PychoralInt *to)
{
    uint64_t edge = (uint64_t)INT64_MAX + negative;
    if (count == 0 || (count == 1 && limbs[0] <= edge)) {
        uint64_t magnitude = count == 0 ? 0 : limbs[0];
        *to = pychoral_int((int64_t)(negative ? -magnitude : magnitude));
        return true;
    }
    PychoralBig *big = malloc(sizeof *big + count * sizeof *limbs);
    if (big == NULL)
        return false;
    big->head.refs = 1;
    big->head.flags = negative ? PYCHORAL_NEGATIVE : 0;
    big->count = count;
    memcpy(big->limbs, limbs, count * sizeof *limbs);
    *to = pychoral_int_of_big(big);
    return true;
}

bool pychoral_int_from_mpz(const mpz_t from, PychoralInt *to)
{
    return int_of(mpz_limbs_read(from), mpz_size(from), mpz_sgn(from) < 0, to);
}

// Byte `index` (0: lowest) of the two's complement in `bytes`, extended by its sign.
static unsigned byte_of(const unsigned char *bytes, size_t size, size_t index, unsigned fill)
{
    return index < size ? bytes[size - 1 - index] : fill;
}

// Limb `index` of the two's complement in `bytes`.
static mp_limb_t limb_of(const unsigned char *bytes, size_t size, size_t index, unsigned fill)
{
    mp_limb_t limb = 0;
    for (size_t i = LIMB_BYTES; i-- > 0;)
        limb = limb << 8 | byte_of(bytes, size, index * LIMB_BYTES + i, fill);
    return limb;
}

static void negate(mp_limb_t *limbs, size_t count)
{
    bool carry = true;
    for (size_t i = 0; i < count; i++) {
        limbs[i] = ~limbs[i] + carry;
        carry = carry && limbs[i] == 0;
    }
}

bool pychoral_int_from_bytes(const unsigned char *bytes, size_t size, PychoralInt *to)
{
    unsigned fill = size > 0 && bytes[0] >= 0x80 ? 0xff : 0;
    size_t count = size / LIMB_BYTES + 1;  // one bit more than the bytes have
    PychoralBig *big = malloc(sizeof *big + count * sizeof(mp_limb_t));
    if (big == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        big->limbs[i] = limb_of(bytes, size, i, fill);
    if (fill != 0)
        negate(big->limbs, count);
    while (count > 0 && big->limbs[count - 1] == 0)
        count--;
    PychoralInt small = {0, NULL};
    if (count == 0 || (count == 1 && big->limbs[0] <= (uint64_t)INT64_MAX + (fill != 0))) {
        bool done = int_of(big->limbs, count, fill != 0, &small);
        free(big);
        *to = small;
        return done;
    }
    big->head.refs = 1;
    big->head.flags = fill != 0 ? PYCHORAL_NEGATIVE : 0;
    big->count = count;
    *to = pychoral_int_of_big(big);
    return true;
}

static size_t bit_length(const PychoralBig *big)
{
    mp_limb_t top = big->limbs[big->count - 1];
    return big->count * GMP_NUMB_BITS - (size_t)__builtin_clzl(top);
}

static bool is_power_of_two(const PychoralBig *big)
{
    mp_limb_t top = big->limbs[big->count - 1];
    for (size_t i = 0; i + 1 < big->count; i++)
        if (big->limbs[i] != 0)
            return false;
    return (top & (top - 1)) == 0;
}

size_t pychoral_big_size(const PychoralBig *big)
{
    size_t bits = bit_length(big);
    if (is_negative(big) && is_power_of_two(big))
        bits--;  // -128 fits in a byte, 128 does not
    return bits / 8 + 1;
}

void pychoral_big_to_bytes(const PychoralBig *big, unsigned char *bytes, size_t size)
{
    bool negative = is_negative(big), carry = negative;
    for (size_t i = 0; i < size; i++) {
        size_t limb = i / LIMB_BYTES;
        unsigned byte = 0;
        if (limb < big->count)
            byte = (unsigned)(big->limbs[limb] >> (i % LIMB_BYTES * 8)) & 0xff;
        if (negative) {
            byte = (~byte & 0xff) + carry;
            carry = byte > 0xff;
        }
        bytes[size - 1 - i] = (unsigned char)byte;
    }
}

// The 64 highest bits, the lowest of them set if any below is: enough to round correctly.
static uint64_t top_bits(const PychoralBig *big, size_t bits)
{
    size_t low = bits - 64, limb = low / 64, shift = low % 64;
    uint64_t top = big->limbs[limb] >> shift;
    if (shift != 0)
        top |= big->limbs[limb + 1] << (64 - shift);
    bool sticky = shift != 0 && big->limbs[limb] << (64 - shift) != 0;
    for (size_t i = 0; i < limb && !sticky; i++)
        sticky = big->limbs[i] != 0;
    return top | sticky;
}

bool pychoral_int_to_float(PychoralInt number, double *to)
{
    if (!pychoral_int_is_big(number)) {
        *to = (double)number.small;
        return true;
    }
    size_t bits = bit_length(number.big);
    if (bits > 1024)
        return false;
    double magnitude = bits <= 64 ? (double)number.big->limbs[0]
                                  : ldexp((double)top_bits(number.big, bits), (int)bits - 64);
    *to = is_negative(number.big) ? -magnitude : magnitude;
    return isfinite(magnitude);
}
