// big_bits.c - ints as bits and bytes: shifts, & | ^, lengths, to_bytes and from_bytes.

#include "big.h"

#include <stdlib.h>
#include <string.h>

size_t pychoral_bits(PychoralInt number)
{
    if (pychoral_int_is_big(number)) {
        mp_limb_t top = number.big->limbs[number.big->count - 1];
        return number.big->count * GMP_NUMB_BITS - (size_t)__builtin_clzl(top);
    }
    uint64_t small = number.small < 0 ? -(uint64_t)number.small : (uint64_t)number.small;
    return small == 0 ? 0 : 64 - (size_t)__builtin_clzl(small);
}

PychoralInt pychoral_int_bit_length(PychoralInt a)
{
    return pychoral_int((int64_t)pychoral_bits(a));
}

PychoralInt pychoral_int_bit_count(PychoralInt a)
{
    PychoralView view;
    pychoral_view(&view, a);
    size_t count = mpz_size(view.z);
    return pychoral_int(count == 0 ? 0 : (int64_t)mpn_popcount(mpz_limbs_read(view.z),
                                                               (mp_size_t)count));
}

// ---- operators ----

// a & b of which neither is negative: no more limbs than the shorter has.
static PychoralInt common_bits(PychoralInt a, PychoralInt b)
{
    PychoralView left, right;
    pychoral_view(&left, a);
    pychoral_view(&right, b);
    size_t count = mpz_size(left.z) < mpz_size(right.z) ? mpz_size(left.z) : mpz_size(right.z);
    PychoralBig *big = pychoral_big_new(count);
    if (big == NULL)
        return pychoral_int(0);
    if (count > 0)
        mpn_and_n(big->limbs, mpz_limbs_read(left.z), mpz_limbs_read(right.z), (mp_size_t)count);
    return pychoral_big_done(big, count, false);
}

PychoralInt pychoral_big_and(PychoralInt a, PychoralInt b)
{
    if (pychoral_int_is_negative(a) || pychoral_int_is_negative(b))
        return pychoral_big_operate(mpz_and, a, b);
    return common_bits(a, b);
}

PychoralInt pychoral_big_or(PychoralInt a, PychoralInt b)
{
    return pychoral_big_operate(mpz_ior, a, b);
}

PychoralInt pychoral_big_xor(PychoralInt a, PychoralInt b)
{
    return pychoral_big_operate(mpz_xor, a, b);
}

PychoralInt pychoral_int_gcd(PychoralInt a, PychoralInt b)
{
    return pychoral_big_operate(mpz_gcd, a, b);
}

PychoralInt pychoral_int_lcm(PychoralInt a, PychoralInt b)
{
    return pychoral_big_operate(mpz_lcm, a, b);
}

static bool is_count(PychoralInt shift)
{
    if (pychoral_int_is_negative(shift))
        pychoral_throw(&pychoral_type_ValueError, "negative shift count");
    return pychoral_raised == NULL;
}

// What CPython cannot count it refuses in other words than what it has no memory for.
static PychoralInt shift_too_far(PychoralInt shift)
{
    const double countable = 30 * 0x1p61;
    if (pychoral_int_compare_float(shift, countable) == PYCHORAL_LESS)
        pychoral_throw_bare(&pychoral_type_MemoryError);
    else
        pychoral_throw(&pychoral_type_OverflowError, "too many digits in integer");
    return pychoral_int(0);
}

PychoralInt pychoral_big_lshift(PychoralInt a, PychoralInt shift)
{
    if (!is_count(shift) || !pychoral_int_truth(a))
        return pychoral_int(0);
    if (pychoral_int_is_big(shift))
        return shift_too_far(shift);
    uint64_t places = (uint64_t)shift.small;
    size_t whole = places / GMP_NUMB_BITS;
    PychoralView view;
    pychoral_view(&view, a);
    size_t count = mpz_size(view.z);
    PychoralBig *big = pychoral_big_new(whole + count + 1);
    if (big == NULL)
        return pychoral_int(0);
    memset(big->limbs, 0, whole * sizeof(mp_limb_t));
    unsigned rest = (unsigned)(places % GMP_NUMB_BITS);
    mp_limb_t *to = big->limbs + whole;
    to[count] = 0;
    if (rest == 0)
        memcpy(to, mpz_limbs_read(view.z), count * sizeof(mp_limb_t));
    else
        to[count] = mpn_lshift(to, mpz_limbs_read(view.z), (mp_size_t)count, rest);
    return pychoral_big_done(big, whole + count + 1, mpz_sgn(view.z) < 0);
}

// What is not negative, without its lowest bits, of which it has more.
static PychoralInt high_bits(PychoralInt a, uint64_t places)
{
    PychoralView view;
    pychoral_view(&view, a);
    size_t whole = places / GMP_NUMB_BITS, count = mpz_size(view.z) - whole;
    unsigned rest = (unsigned)(places % GMP_NUMB_BITS);
    PychoralBig *big = pychoral_big_new(count);
    if (big == NULL)
        return pychoral_int(0);
    if (rest == 0)
        memcpy(big->limbs, mpz_limbs_read(view.z) + whole, count * sizeof(mp_limb_t));
    else
        mpn_rshift(big->limbs, mpz_limbs_read(view.z) + whole, (mp_size_t)count, rest);
    return pychoral_big_done(big, count, false);
}

PychoralInt pychoral_big_rshift(PychoralInt a, PychoralInt shift)
{
    if (!is_count(shift))
        return pychoral_int(0);
    if (pychoral_int_is_big(shift) || (uint64_t)shift.small >= pychoral_bits(a))
        return pychoral_int(pychoral_int_is_negative(a) ? -1 : 0);
    if (!pychoral_int_is_negative(a))
        return high_bits(a, (uint64_t)shift.small);
    PychoralView view;
    pychoral_view(&view, a);
    mpz_t result;
    mpz_init(result);
    mpz_fdiv_q_2exp(result, view.z, (mp_bitcnt_t)shift.small);
    return pychoral_take(result);
}

// ---- bytes ----

static bool is_little(const PychoralStr *order)
{
    if (order->size == 6 && memcmp(order->data, "little", 6) == 0)
        return true;
    if (order->size != 3 || memcmp(order->data, "big", 3) != 0)
        pychoral_throw(&pychoral_type_ValueError,
                       "byteorder must be either 'little' or 'big'");
    return false;
}

static void reverse(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size / 2; i++) {
        unsigned char kept = bytes[i];
        bytes[i] = bytes[size - 1 - i];
        bytes[size - 1 - i] = kept;
    }
}

// How many bits two's complement takes, without its sign.
static size_t plain_bits(PychoralInt a)
{
    if (!pychoral_int_is_negative(a))
        return pychoral_bits(a);
    PychoralInt inverse = pychoral_int_invert(a);
    size_t bits = pychoral_bits(inverse);
    pychoral_drop_int(&inverse);
    return bits;
}

// Two's complement, highest byte first; it is known to fit.
static void write_bytes(PychoralInt a, unsigned char *bytes, size_t size)
{
    if (pychoral_int_is_big(a)) {
        pychoral_big_to_bytes(a.big, bytes, size);
        return;
    }
    int64_t rest = a.small;
    for (size_t i = size; i-- > 0; rest >>= 8)
        bytes[i] = (unsigned char)(rest & 0xff);
}

// -1 is held by no bytes, as 0 is.
static bool can_hold(PychoralInt a, size_t size, bool is_signed)
{
    size_t bits = plain_bits(a);
    if (pychoral_int_is_negative(a) && !is_signed)
        pychoral_throw(&pychoral_type_OverflowError, "can't convert negative int to unsigned");
    else if (bits != 0 && bits + is_signed > size * 8)
        pychoral_throw(&pychoral_type_OverflowError, "int too big to convert");
    return pychoral_raised == NULL;
}

PychoralBytes *pychoral_int_to_bytes(PychoralInt a, PychoralInt length, const PychoralStr *order,
                                     bool is_signed)
{
    int64_t size = pychoral_int_fit(length, "Python int too large to convert to C ssize_t");
    bool little = pychoral_raised == NULL && is_little(order);
    if (pychoral_raised == NULL && size < 0)
        pychoral_throw(&pychoral_type_ValueError, "length argument must be non-negative");
    if (pychoral_raised != NULL || !can_hold(a, (size_t)size, is_signed))
        return NULL;
    unsigned char *bytes = malloc((size_t)size + 1);
    if (bytes == NULL) {
        pychoral_throw_bare(&pychoral_type_MemoryError);
        return NULL;
    }
    write_bytes(a, bytes, (size_t)size);
    if (little)
        reverse(bytes, (size_t)size);
    PychoralBytes *result = pychoral_bytes_new(bytes, (size_t)size);
    free(bytes);
    if (result == NULL)
        pychoral_throw_bare(&pychoral_type_MemoryError);
    return result;
}

PychoralInt pychoral_int_of_bytes(const PychoralBytes *bytes, const PychoralStr *order,
                                  bool is_signed)
{
    PychoralInt result = {0, NULL};
    bool little = is_little(order);
    if (pychoral_raised != NULL || bytes->size == 0)
        return result;
    unsigned char *copy = pychoral_allocate(bytes->size + 1);  // a zero in front: no sign
    copy[0] = 0;
    memcpy(copy + 1, bytes->data, bytes->size);
    if (little)
        reverse(copy + 1, bytes->size);
    bool done = is_signed ? pychoral_int_from_bytes(copy + 1, bytes->size, &result)
                          : pychoral_int_from_bytes(copy, bytes->size + 1, &result);
    free(copy);
    if (!done)
        pychoral_throw_bare(&pychoral_type_MemoryError);
    return result;
}
