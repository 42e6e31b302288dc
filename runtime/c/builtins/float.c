// float.c - Python's operators and methods of float where they are not C's.

#include "big.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "float_repr.h"

double pychoral_float_divide_by_zero(const char *message)
{
    pychoral_throw(&pychoral_type_ZeroDivisionError, "%s", message);
    return 0;
}

// ---- //, % ----

// The rest of the sign of b; b is not zero.
static double floor_rest(double a, double b)
{
    double rest = fmod(a, b);
    if (rest == 0)
        return copysign(0.0, b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
}

// a // b, as CPython comes to it: by way of the rest, which is exact.
static double floor_quotient(double a, double b)
{
    double rest = fmod(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign(0.0, a / b);
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

double pychoral_float_floordiv(double a, double b)
{
    if (b == 0)
        return pychoral_float_divide_by_zero("float floor division by zero");
    return floor_quotient(a, b);
}

double pychoral_float_mod(double a, double b)
{
    return b == 0 ? pychoral_float_divide_by_zero("float modulo") : floor_rest(a, b);
}

void pychoral_float_divmod(double a, double b, void *result)
{
    PychoralFloatPair *pair = result;
    *pair = (PychoralFloatPair){0, 0};
    if (b == 0)
        pychoral_float_divide_by_zero("float divmod()");
    else
        *pair = (PychoralFloatPair){floor_quotient(a, b), floor_rest(a, b)};
}

// ---- ** ----

bool pychoral_float_pow_is_complex(double a, double b)
{
    return a < 0 && isfinite(a) && isfinite(b) && b != floor(b);
}

// As Python says it: with the number and the words of errno.
static double power_overflow(void)
{
    static PychoralStr words = PYCHORAL_CONSTANT("Numerical result out of range", PYCHORAL_ASCII);
    PychoralAny args[] = {{&pychoral_type_int, {.number = pychoral_int(ERANGE)}},
                          {&pychoral_type_str, {.pointer = &words}}};
    pychoral_throw_with(&pychoral_type_OverflowError, 2, args);
    return 0;
}

double pychoral_float_pow(double a, double b)
{
    if (a == 0 && b < 0 && isfinite(b))
        return pychoral_float_divide_by_zero("0.0 cannot be raised to a negative power");
    if (pychoral_float_pow_is_complex(a, b)) {
        pychoral_throw(&pychoral_type_ValueError,
                       "a negative number to a fractional power is complex, where a float is "
                       "expected");
        return 0;
    }
    double power = pow(a, b);
    if (isinf(power) && isfinite(a) && isfinite(b))
        return power_overflow();
    return power;
}

PychoralAny pychoral_float_pow_any(double a, double b)
{
    if (!pychoral_float_pow_is_complex(a, b))
        return (PychoralAny){&pychoral_type_float, {.real = pychoral_float_pow(a, b)}};
    PychoralComplex power = pychoral_complex_pow(pychoral_complex(a, 0), pychoral_complex(b, 0));
    return (PychoralAny){&pychoral_type_complex, {.complex = power}};
}

// ---- round ----

PychoralInt pychoral_float_round(double x) { return pychoral_int_from_float(nearbyint(x)); }

// x rounded to a multiple of 10**zeros, exactly: the digits of its whole part are, and the rest of
// it decides ties.
static double round_whole(double x, int zeros)
{
    double whole, rest = modf(x, &whole);
    PychoralInt number = pychoral_int_from_float(whole);
    mpz_t unit, half;
    mpz_inits(unit, half, NULL);
    mpz_ui_pow_ui(unit, 10, (unsigned long)zeros);
    mpz_fdiv_q_2exp(half, unit, 1);
    PychoralInt rounded = pychoral_int_round(number, pychoral_int(-zeros));
    PychoralInt lost = pychoral_int_sub(number, rounded);
    PychoralView view;
    pychoral_view(&view, lost);
    double result = 0;
    if (rest != 0 && mpz_cmpabs(view.z, half) == 0 && (mpz_sgn(view.z) < 0) == (rest < 0)) {
        PychoralInt whole_tie = rounded, twice = pychoral_int_add(lost, lost);
        rounded = pychoral_int_add(whole_tie, twice);
        pychoral_drop_int(&whole_tie);
        pychoral_drop_int(&twice);
    }
    if (!pychoral_int_to_float(rounded, &result))
        pychoral_throw(&pychoral_type_OverflowError, "rounded value too large to represent");
    mpz_clears(unit, half, NULL);
    pychoral_drop_int(&number);
    pychoral_drop_int(&rounded);
    pychoral_drop_int(&lost);
    return copysign(result, x);
}

double pychoral_float_round_to(double x, PychoralInt digits)
{
    enum { MOST = 323, LEAST = -308, ROOM = 800 };
    int64_t count = pychoral_int_clip(digits);
    if (!isfinite(x) || x == 0 || count > MOST)
        return x;
    if (count < LEAST)
        return 0.0 * x;
    if (count < 0)
        return round_whole(x, (int)-count);
    char text[ROOM];
    size_t size = pychoral_float_fixed(fabs(x), (int)count, text);
    if (size != 0)
        text[size] = '\0';
    else
        snprintf(text, sizeof text, "%.*f", (int)count, fabs(x));
    return copysign(strtod(text, NULL), x);
}

// ---- methods ----

bool pychoral_float_is_integer(double x) { return isfinite(x) && floor(x) == x; }

void pychoral_float_as_integer_ratio(double x, void *result)
{
    PychoralIntPair *pair = result;
    *pair = (PychoralIntPair){{0, NULL}, {0, NULL}};
    if (isinf(x))
        pychoral_throw(&pychoral_type_OverflowError, "cannot convert Infinity to integer ratio");
    else if (isnan(x))
        pychoral_throw(&pychoral_type_ValueError, "cannot convert NaN to integer ratio");
    if (pychoral_raised != NULL)
        return;
    int exponent;
    double fraction = frexp(x, &exponent);
    for (; fraction != floor(fraction); exponent--)
        fraction *= 2;
    PychoralInt places = pychoral_int(exponent < 0 ? -exponent : exponent);
    PychoralInt scale = pychoral_int_lshift(pychoral_int(1), places);
    PychoralInt whole = pychoral_int_from_float(fraction);
    if (exponent < 0) {
        *pair = (PychoralIntPair){whole, scale};
        return;
    }
    *pair = (PychoralIntPair){pychoral_int_mul(whole, scale), pychoral_int(1)};
    pychoral_drop_int(&scale);
}

PychoralStr *pychoral_float_hex(double x)
{
    char text[40];
    const char *sign = signbit(x) ? "-" : "";
    int exponent = 0;
    if (isnan(x))
        snprintf(text, sizeof text, "nan");
    else if (isinf(x))
        snprintf(text, sizeof text, "%sinf", sign);
    else if (x == 0)
        snprintf(text, sizeof text, "%s0x0.0p+0", sign);
    else {
        double fraction = frexp(fabs(x), &exponent);
        int shift = exponent - 1 < -1022 ? exponent + 1022 : 1;  // leading digit 0 of subnormals
        uint64_t bits = (uint64_t)ldexp(fraction, 52 + shift);
        exponent -= shift;
        snprintf(text, sizeof text, "%s0x%d.%013llxp%+d", sign, (int)(bits >> 52),
                 (unsigned long long)(bits & (((uint64_t)1 << 52) - 1)), exponent);
    }
    return pychoral_str_new(text, strlen(text));
}
