// math_ints.c - comb, perm, factorial, isqrt, gcd and lcm: exact, over GMP.

#include "../builtins/big.h"
#include "math.h"

static bool is_natural(PychoralInt n, const char *message)
{
    if (pychoral_int_is_negative(n))
        pychoral_throw(&pychoral_type_ValueError, "%s", message);
    return !pychoral_int_is_negative(n);
}

// Whether n factors, each at most `most`, have room.
static bool has_room(double factors, PychoralInt most)
{
    return pychoral_has_room(factors * (double)pychoral_bits(most) / GMP_NUMB_BITS + 2);
}

PychoralInt pychoral_math_factorial(PychoralInt n)
{
    if (!is_natural(n, "factorial() not defined for negative values"))
        return pychoral_int(0);
    int64_t count = pychoral_int_fit(
        n, "factorial() argument should not exceed 9223372036854775807");
    if (pychoral_raised != NULL || !has_room((double)count, n))
        return pychoral_int(0);
    mpz_t product;
    mpz_init(product);
    mpz_fac_ui(product, (unsigned long)count);
    return pychoral_take(product);
}

static bool are_naturals(PychoralInt n, PychoralInt k)
{
    return is_natural(n, "n must be a non-negative integer") &&
           is_natural(k, "k must be a non-negative integer");
}

PychoralInt pychoral_math_comb(PychoralInt n, PychoralInt k)
{
    if (!are_naturals(n, k) || pychoral_int_lt(n, k))
        return pychoral_int(0);
    PychoralInt others = pychoral_int_sub(n, k);
    PychoralInt fewer = pychoral_int_lt(others, k) ? others : k;
    int64_t count =
        pychoral_int_fit(fewer, "min(n - k, k) must not exceed 9223372036854775807");
    pychoral_drop_int(&others);
    if (pychoral_raised != NULL || !has_room((double)count, n))
        return pychoral_int(0);
    PychoralView view;
    pychoral_view(&view, n);
    mpz_t result;
    mpz_init(result);
    mpz_bin_ui(result, view.z, (unsigned long)count);
    return pychoral_take(result);
}

// n (n - 1) ... of `count` factors, by halves, so that factors are of like size.
static void falling(mpz_t product, const mpz_t n, uint64_t count)
{
    enum { FEW = 8 };
    mpz_t factor;
    mpz_init(factor);
    if (count <= FEW) {
        mpz_set_ui(product, 1);
        for (uint64_t i = 0; i < count; i++) {
            mpz_sub_ui(factor, n, i);
            mpz_mul(product, product, factor);
        }
    } else {
        mpz_t lower;
        mpz_init(lower);
        mpz_sub_ui(lower, n, count / 2);
        falling(product, n, count / 2);
        falling(factor, lower, count - count / 2);
        mpz_mul(product, product, factor);
        mpz_clear(lower);
    }
    mpz_clear(factor);
}

PychoralInt pychoral_math_perm(PychoralInt n, PychoralInt k)
{
    if (!are_naturals(n, k) || pychoral_int_lt(n, k))
        return pychoral_int(0);
    int64_t count = pychoral_int_fit(k, "k must not exceed 9223372036854775807");
    if (pychoral_raised != NULL || !has_room((double)count, n))
        return pychoral_int(0);
    PychoralView view;
    pychoral_view(&view, n);
    mpz_t result;
    mpz_init(result);
    falling(result, view.z, (uint64_t)count);
    return pychoral_take(result);
}

PychoralInt pychoral_math_perm_all(PychoralInt n) { return pychoral_math_factorial(n); }

PychoralInt pychoral_math_isqrt(PychoralInt n)
{
    if (!is_natural(n, "isqrt() argument must be nonnegative"))
        return pychoral_int(0);
    PychoralView view;
    pychoral_view(&view, n);
    mpz_t root;
    mpz_init(root);
    mpz_sqrt(root, view.z);
    return pychoral_take(root);
}

// The numbers put together two by two, from `start` on.
static PychoralInt fold(PychoralInt start, size_t count, const PychoralInt *numbers,
                        PychoralInt (*step)(PychoralInt a, PychoralInt b))
{
    PychoralInt result = start;
    for (size_t i = 0; i < count; i++) {
        PychoralInt before = result;
        result = step(before, numbers[i]);
        pychoral_drop_int(&before);
    }
    return result;
}

PychoralInt pychoral_math_gcd(size_t count, const PychoralInt *numbers)
{
    return fold(pychoral_int(0), count, numbers, pychoral_int_gcd);
}

PychoralInt pychoral_math_lcm(size_t count, const PychoralInt *numbers)
{
    return fold(pychoral_int(1), count, numbers, pychoral_int_lcm);
}
