// big_convert.c - ints to floats, indexes and hashes and back, exactly as CPython rounds them.

#include "big.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- 64 bits ----

int64_t pychoral_int_clip(PychoralInt a)
{
    if (!pychoral_int_is_big(a))
        return a.small;
    return pychoral_int_is_negative(a) ? INT64_MIN : INT64_MAX;
}

int64_t pychoral_int_fit(PychoralInt a, const char *message)
{
    if (!pychoral_int_is_big(a))
        return a.small;
    pychoral_throw(&pychoral_type_OverflowError, "%s", message);
    return 0;
}

int64_t pychoral_index_too_large(void)
{
    pychoral_throw(&pychoral_type_IndexError, "cannot fit 'int' into an index-sized integer");
    return 0;
}

void pychoral_counter_ends(void)
{
    fputs("a counter has left 64 bits\n", stderr);
    abort();
}

int64_t pychoral_any_item_index(PychoralInt a)
{
    if (!pychoral_int_is_big(a))
        return a.small;
    (void)pychoral_index_too_large();
    return INT64_MAX;
}

void pychoral_int_as_integer_ratio(PychoralInt a, void *result)
{
    *(PychoralIntPair *)result = (PychoralIntPair){pychoral_int_pos(a), pychoral_int(1)};
}

// ---- floats ----

double pychoral_int_as_float(PychoralInt a)
{
    double x = 0;
    if (pychoral_int_to_float(a, &x))
        return x;
    pychoral_throw(&pychoral_type_OverflowError, "int too large to convert to float");
    return 0;
}

PychoralInt pychoral_int_from_float(double x)
{
    if (x >= -0x1p63 && x < 0x1p63)
        return pychoral_int((int64_t)x);
    if (isnan(x))
        pychoral_throw(&pychoral_type_ValueError, "cannot convert float NaN to integer");
    else if (isinf(x))
        pychoral_throw(&pychoral_type_OverflowError, "cannot convert float infinity to integer");
    if (pychoral_raised != NULL)
        return pychoral_int(0);
    mpz_t whole;
    mpz_init_set_d(whole, x);
    return pychoral_take(whole);
}

double pychoral_scaled(uint64_t top, long exponent)
{
    enum { WIDTH = 64, PRECISION = 53, LEAST = -1074 };
    long drop = WIDTH - PRECISION;
    if (exponent + drop < LEAST)
        drop = LEAST - exponent;
    if (drop > WIDTH)
        return 0;
    uint64_t half = (uint64_t)1 << (drop - 1);
    uint64_t kept = drop == WIDTH ? 0 : top >> drop, rest = top & (half | (half - 1));
    if (rest > half || (rest == half && (kept & 1) != 0))
        kept++;
    if (exponent > 2000)
        return INFINITY;
    return ldexp((double)kept, (int)(exponent + drop));
}

// a / b of positive numbers, correctly rounded: 64 bits of the quotient and whether there are more.
static double divide(const mpz_t a, const mpz_t b)
{
    long shift = (long)mpz_sizeinbase(b, 2) - (long)mpz_sizeinbase(a, 2) + 64;
    mpz_t quotient, rest;
    mpz_inits(quotient, rest, NULL);
    if (shift >= 0) {
        mpz_mul_2exp(quotient, a, (mp_bitcnt_t)shift);
        mpz_fdiv_qr(quotient, rest, quotient, b);
    } else {
        mpz_mul_2exp(rest, b, (mp_bitcnt_t)-shift);
        mpz_fdiv_qr(quotient, rest, a, rest);
    }
    bool has_more = mpz_sgn(rest) != 0;
    if (mpz_sizeinbase(quotient, 2) == 65) {
        has_more |= mpz_odd_p(quotient);
        mpz_fdiv_q_2exp(quotient, quotient, 1);
        shift--;
    }
    double result = pychoral_scaled(mpz_getlimbn(quotient, 0) | has_more, -shift);
    mpz_clears(quotient, rest, NULL);
    return result;
}

double pychoral_big_truediv(PychoralInt a, PychoralInt b)
{
    if (!pychoral_int_truth(b))
        return pychoral_float_divide_by_zero("division by zero");
    bool negative = pychoral_int_is_negative(a) != pychoral_int_is_negative(b);
    if (!pychoral_int_truth(a))
        return negative ? -0.0 : 0.0;
    PychoralView left, right;
    pychoral_view(&left, a);
    pychoral_view(&right, b);
    left.z->_mp_size = (int)mpz_size(left.z);
    right.z->_mp_size = (int)mpz_size(right.z);
    double result = divide(left.z, right.z);
    if (isinf(result)) {
        pychoral_throw(&pychoral_type_OverflowError,
                       "integer division result too large for a float");
        return 0;
    }
    return negative ? -result : result;
}

// ---- round ----

// a rounded to a multiple of `unit` (positive), ties to the even multiple.
static PychoralInt round_to(const mpz_t a, const mpz_t unit)
{
    mpz_t quotient, rest;
    mpz_inits(quotient, rest, NULL);
    mpz_fdiv_qr(quotient, rest, a, unit);
    mpz_mul_2exp(rest, rest, 1);
    int order = mpz_cmp(rest, unit);
    if (order > 0 || (order == 0 && mpz_odd_p(quotient)))
        mpz_add_ui(quotient, quotient, 1);
    mpz_mul(quotient, quotient, unit);
    mpz_clear(rest);
    return pychoral_take(quotient);
}

PychoralInt pychoral_int_round(PychoralInt a, PychoralInt digits)
{
    if (!pychoral_int_is_negative(digits))
        return pychoral_int_pos(a);
    if (pychoral_int_is_big(digits) || digits.small < -(int64_t)pychoral_bits(a) / 3 - 1)
        return pychoral_int(0);  // 10 ** n is more than 8 ** n
    PychoralView view;
    pychoral_view(&view, a);
    mpz_t unit;
    mpz_init(unit);
    mpz_ui_pow_ui(unit, 10, (unsigned long)-digits.small);
    PychoralInt result = round_to(view.z, unit);
    mpz_clear(unit);
    return result;
}

// ---- hashes: numbers modulo 2**61 - 1, so that equal ones of any type have the same ----

enum { HASH_BITS = 61, HASH_INF = 314159, HASH_IMAG = 1000003 };
static const uint64_t HASH_PRIME = ((uint64_t)1 << HASH_BITS) - 1;

// -1 is no hash.
static int64_t signed_hash(uint64_t hash, bool negative)
{
    int64_t result = negative ? -(int64_t)hash : (int64_t)hash;
    return result == -1 ? -2 : result;
}

int64_t pychoral_int_hash(PychoralInt a)
{
    PychoralView view;
    pychoral_view(&view, a);
    size_t count = mpz_size(view.z);
    uint64_t rest = 0;
    if (count != 0)
        rest = mpn_mod_1(mpz_limbs_read(view.z), (mp_size_t)count, HASH_PRIME);
    return signed_hash(rest, mpz_sgn(view.z) < 0);
}

// hash * 2**bits modulo the prime: a rotation.
static uint64_t rotate(uint64_t hash, int bits)
{
    return ((hash << bits) & HASH_PRIME) | hash >> (HASH_BITS - bits);
}

int64_t pychoral_float_hash(double x)
{
    if (isnan(x))
        return 0;
    if (isinf(x))
        return x > 0 ? HASH_INF : -HASH_INF;
    int exponent;
    double fraction = frexp(fabs(x), &exponent);
    uint64_t whole = (uint64_t)ldexp(fraction, 53);
    exponent = (exponent - 53) % HASH_BITS;
    if (exponent < 0)
        exponent += HASH_BITS;
    return signed_hash(exponent == 0 ? whole : rotate(whole, exponent), x < 0);
}

int64_t pychoral_complex_hash(PychoralComplex a)
{
    uint64_t imag = (uint64_t)pychoral_float_hash(a.imag) * HASH_IMAG;
    int64_t hash = (int64_t)((uint64_t)pychoral_float_hash(a.real) + imag);
    return hash == -1 ? -2 : hash;
}

int64_t pychoral_number_hash(PychoralRef number)
{
    const void *value = number.value;
    if (number.type->kind == PYCHORAL_BOOL)
        return *(const bool *)value;
    if (number.type->kind == PYCHORAL_INT)
        return pychoral_int_hash(*(const PychoralInt *)value);
    if (number.type->kind == PYCHORAL_FLOAT)
        return pychoral_float_hash(*(const double *)value);
    return pychoral_complex_hash(*(const PychoralComplex *)value);
}
