// math.h - Python's module math: the C library's functions with Python's errors, and its own.
//
// Functions of floats raise ValueError ("math domain error") and OverflowError ("math range
// error"). Those of ints are exact.

#ifndef PYCHORAL_MATH_H
#define PYCHORAL_MATH_H

#include "../builtins/number.h"

// tuple[float, int], as its row lays it out.
typedef struct PychoralFloatInt {
    double first;
    PychoralInt second;
} PychoralFloatInt;

// ---- of one float, as their names say ----

double pychoral_math_acos(double x);
double pychoral_math_acosh(double x);
double pychoral_math_asin(double x);
double pychoral_math_asinh(double x);
double pychoral_math_atan(double x);
double pychoral_math_atanh(double x);
double pychoral_math_cbrt(double x);
double pychoral_math_cos(double x);
double pychoral_math_cosh(double x);
double pychoral_math_exp(double x);
double pychoral_math_exp2(double x);
double pychoral_math_expm1(double x);
double pychoral_math_log(double x);
double pychoral_math_log10(double x);
double pychoral_math_log1p(double x);
double pychoral_math_log2(double x);
double pychoral_math_sin(double x);
double pychoral_math_sinh(double x);
double pychoral_math_sqrt_failed(void);
double pychoral_math_tan(double x);
double pychoral_math_tanh(double x);
double pychoral_math_gamma(double x);
double pychoral_math_lgamma(double x);
double pychoral_math_ulp(double x);
double pychoral_math_degrees(double x);
double pychoral_math_radians(double x);

static inline double pychoral_math_sqrt(double x)
{
    return PYCHORAL_UNLIKELY(x < 0) ? pychoral_math_sqrt_failed() : sqrt(x);
}

static inline bool pychoral_math_isfinite(double x) { return isfinite(x); }
static inline bool pychoral_math_isinf(double x) { return isinf(x); }
static inline bool pychoral_math_isnan(double x) { return isnan(x); }

PychoralInt pychoral_math_ceil(double x);
PychoralInt pychoral_math_floor(double x);
PychoralInt pychoral_math_trunc(double x);

// (fraction, exponent) into a PychoralFloatInt; (fraction, whole) into a PychoralFloatPair.
void pychoral_math_frexp(double x, void *result);
void pychoral_math_modf(double x, void *result);

// ---- of more floats ----

double pychoral_math_fmod(double x, double y);
double pychoral_math_remainder(double x, double y);
double pychoral_math_pow(double x, double y);
double pychoral_math_ldexp(double x, PychoralInt exponent);
bool pychoral_math_isclose(double a, double b, double rel_tol, double abs_tol);
double pychoral_math_hypot(size_t count, const double *coordinates);

// Of iterators whose items are floats. `dist` raises ValueError where they do not end together.
double pychoral_math_dist(PychoralIterator *p, PychoralIterator *q);
double pychoral_math_fsum(PychoralIterator *items);

// ---- logarithms of ints, however large, and to a base; the references are to ints or floats ----

double pychoral_math_log_int(PychoralInt n);
double pychoral_math_log2_int(PychoralInt n);
double pychoral_math_log10_int(PychoralInt n);
double pychoral_math_log_base(PychoralRef x, PychoralRef base);  // Raises ZeroDivisionError, too.

// ---- of ints; they raise ValueError for what is negative, OverflowError for what is huge ----

PychoralInt pychoral_math_comb(PychoralInt n, PychoralInt k);
PychoralInt pychoral_math_perm(PychoralInt n, PychoralInt k);
PychoralInt pychoral_math_perm_all(PychoralInt n);
PychoralInt pychoral_math_factorial(PychoralInt n);
PychoralInt pychoral_math_isqrt(PychoralInt n);
PychoralInt pychoral_math_gcd(size_t count, const PychoralInt *numbers);
PychoralInt pychoral_math_lcm(size_t count, const PychoralInt *numbers);

// Of numbers of any kind, and what else can be multiplied.
void pychoral_math_prod(PychoralIterator *items, PychoralRef start, const PychoralType *type,
                        void *result);

#endif
