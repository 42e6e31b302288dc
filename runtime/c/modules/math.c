// math.c - functions of floats: the C library's, with Python's errors.
//
// A result that is no number where the argument is one is an error of the domain; an infinite one
// of a finite argument is out of range, or a pole, which is of the domain again.

#include "math.h"

#include <limits.h>

static const double PI = 3.141592653589793238462643383279502884197;

static double domain_error(void)
{
    pychoral_throw(&pychoral_type_ValueError, "math domain error");
    return 0;
}

static double range_error(void)
{
    pychoral_throw(&pychoral_type_OverflowError, "math range error");
    return 0;
}

// ---- of one float ----

// What a function that has poles, but no other infinite results, gave for x.
static double with_poles(double x, double result)
{
    if ((isnan(result) && !isnan(x)) || (isinf(result) && isfinite(x)))
        return domain_error();
    return result;
}

// What a function that grows beyond all floats gave for x.
static double unbounded(double x, double result)
{
    if (isnan(result) && !isnan(x))
        return domain_error();
    return isinf(result) && isfinite(x) ? range_error() : result;
}

double pychoral_math_acos(double x) { return with_poles(x, acos(x)); }
double pychoral_math_acosh(double x) { return with_poles(x, acosh(x)); }
double pychoral_math_asin(double x) { return with_poles(x, asin(x)); }
double pychoral_math_asinh(double x) { return with_poles(x, asinh(x)); }
double pychoral_math_atan(double x) { return with_poles(x, atan(x)); }
double pychoral_math_atanh(double x) { return with_poles(x, atanh(x)); }
double pychoral_math_cbrt(double x) { return with_poles(x, cbrt(x)); }
double pychoral_math_cos(double x) { return with_poles(x, cos(x)); }
double pychoral_math_cosh(double x) { return unbounded(x, cosh(x)); }
double pychoral_math_exp(double x) { return unbounded(x, exp(x)); }
double pychoral_math_exp2(double x) { return unbounded(x, exp2(x)); }
double pychoral_math_expm1(double x) { return unbounded(x, expm1(x)); }
double pychoral_math_log(double x) { return with_poles(x, log(x)); }
double pychoral_math_log10(double x) { return with_poles(x, log10(x)); }
double pychoral_math_log1p(double x) { return with_poles(x, log1p(x)); }
double pychoral_math_log2(double x) { return with_poles(x, log2(x)); }
double pychoral_math_sin(double x) { return with_poles(x, sin(x)); }
double pychoral_math_sinh(double x) { return unbounded(x, sinh(x)); }
double pychoral_math_sqrt_failed(void) { return domain_error(); }
double pychoral_math_tan(double x) { return with_poles(x, tan(x)); }
double pychoral_math_tanh(double x) { return with_poles(x, tanh(x)); }
double pychoral_math_degrees(double x) { return x * (180.0 / PI); }
double pychoral_math_radians(double x) { return x * (PI / 180.0); }

double pychoral_math_ulp(double x)
{
    if (isnan(x) || isinf(x))
        return fabs(x);
    x = fabs(x);
    double above = nextafter(x, INFINITY);
    return isinf(above) ? x - nextafter(x, -INFINITY) : above - x;
}

PychoralInt pychoral_math_ceil(double x) { return pychoral_int_from_float(ceil(x)); }
PychoralInt pychoral_math_floor(double x) { return pychoral_int_from_float(floor(x)); }
PychoralInt pychoral_math_trunc(double x) { return pychoral_int_from_float(x); }

void pychoral_math_frexp(double x, void *result)
{
    int exponent = 0;
    double fraction = isfinite(x) ? frexp(x, &exponent) : x;
    *(PychoralFloatInt *)result = (PychoralFloatInt){fraction, pychoral_int(exponent)};
}

void pychoral_math_modf(double x, void *result)
{
    PychoralFloatPair *pair = result;
    pair->first = modf(x, &pair->second);
}

// ---- gamma: Lanczos' approximation, by a quotient of polynomials ----
//
// gamma(x) = sum(x) / exp(g + x - 1/2) * (g + x - 1/2) ** (x - 1/2), with g and the coefficients of
// the Boost library. The C library's gamma rounds differently, so Python has its own, and so here.

enum { TERMS = 13, WHOLE = 23 };
static const double G = 6.024680040776729583740234375;
static const double G_LESS_HALF = 5.524680040776729583740234375;
static const double LOG_PI = 1.144729885849400174143427351353058711647;

static const double NUMERATOR[TERMS] = {
    23531376880.410759688572007674451636754734846804940,
    42919803642.649098768957899047001988850926355848959,
    35711959237.355668049440185451547166705960488635843,
    17921034426.037209699919755754458931112671403265390,
    6039542586.3520280050642916443072979210699388420708,
    1439720407.3117216736632230727949123939715485786372,
    248874557.86205415651146038641322942321632125127801,
    31426415.585400194380614231628318205362874684987640,
    2876370.6289353724412254090516208496135991145378768,
    186056.26539522349504029498971604569928220784236328,
    8071.6720023658162106380029022722506138218516325024,
    210.82427775157934587250973392071336271166969580291,
    2.5066282746310002701649081771338373386264310793408,
};

// x (x + 1) ... (x + 11)
static const double DENOMINATOR[TERMS] = {
    0,       39916800, 120543840, 150917976, 105258076, 45995730, 13339535,
    2637558, 357423,   32670,     1925,      66,        1,
};

// The quotient, in powers of 1/x where x is large.
static double lanczos(double x)
{
    double above = 0, below = 0;
    for (int i = 0; i < TERMS; i++) {
        if (x < 5) {
            above = above * x + NUMERATOR[TERMS - 1 - i];
            below = below * x + DENOMINATOR[TERMS - 1 - i];
        } else {
            above = above / x + NUMERATOR[i];
            below = below / x + DENOMINATOR[i];
        }
    }
    return above / below;
}

// sin(pi * x), exact where x is a multiple of a half.
static double sin_pi(double x)
{
    double y = fmod(fabs(x), 2.0), result = 0;
    switch ((int)round(2.0 * y)) {
    case 0: result = sin(PI * y); break;
    case 1: result = cos(PI * (y - 0.5)); break;
    case 2: result = sin(PI * (1.0 - y)); break;
    case 3: result = -cos(PI * (y - 1.5)); break;
    default: result = sin(PI * (y - 2.0)); break;
    }
    return copysign(1.0, x) * result;
}

// gamma of what is neither whole nor too small or large.
static double gamma_between(double x)
{
    double size = fabs(x), y = size + G_LESS_HALF, lost;  // by rounding y
    if (size > G_LESS_HALF)
        lost = y - size - G_LESS_HALF;
    else
        lost = y - G_LESS_HALF - size;
    lost = lost * G / y;
    bool in_two_steps = size >= 140.0;  // the power alone may be too large
    double power = in_two_steps ? pow(y, size / 2.0 - 0.25) : pow(y, size - 0.5);
    double result;
    if (x < 0) {
        result = -PI / sin_pi(size) / size * exp(y) / lanczos(size);
        result -= lost * result;
        result /= power;
        return in_two_steps ? result / power : result;
    }
    result = lanczos(size) / exp(y);
    result += lost * result;
    result *= power;
    return in_two_steps ? result * power : result;
}

// (n - 1)! for n from 1.
static double gamma_of_whole(int n)
{
    double product = 1;
    for (int i = 2; i < n; i++)
        product *= i;
    return product;
}

double pychoral_math_gamma(double x)
{
    if (isnan(x) || (isinf(x) && x > 0))
        return x;
    if (isinf(x) || x == 0 || (x < 0 && x == floor(x)))
        return domain_error();
    if (x == floor(x) && x <= WHOLE)
        return gamma_of_whole((int)x);
    double result;
    if (fabs(x) < 1e-20)
        result = 1.0 / x;
    else if (fabs(x) > 200.0)
        result = x < 0 ? 0.0 / sin_pi(x) : INFINITY;
    else
        result = gamma_between(x);
    return isinf(result) ? range_error() : result;
}

double pychoral_math_lgamma(double x)
{
    if (isnan(x) || isinf(x))
        return fabs(x);
    if (x == floor(x) && x <= 2.0)
        return x <= 0 ? domain_error() : 0.0;
    double size = fabs(x);
    if (size < 1e-20)
        return -log(size);
    double result = log(lanczos(size)) - G;
    result += (size - 0.5) * (log(size + G - 0.5) - 1.0);
    if (x < 0)
        result = LOG_PI - log(fabs(sin_pi(size))) - log(size) - result;
    return isinf(result) ? range_error() : result;
}

// ---- of two floats ----

double pychoral_math_fmod(double x, double y)
{
    double rest = fmod(x, y);
    return isnan(rest) && !isnan(x) && !isnan(y) ? domain_error() : rest;
}

// What |x| is from the nearest multiple of |y|. The C library's loses the sign of some zeros.
static double nearest_rest(double x, double y)
{
    double below = fmod(x, y), above = y - below;
    if (below < above)
        return below;
    if (below > above)
        return -above;
    return below - 2.0 * fmod(0.5 * (x - below), y);  // of two, the even multiple
}

double pychoral_math_remainder(double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? x : y;
    if (isinf(x) || y == 0)
        return domain_error();
    return isinf(y) ? x : copysign(1.0, x) * nearest_rest(fabs(x), fabs(y));
}

double pychoral_math_pow(double x, double y)
{
    double power = pow(x, y);
    if (!isfinite(x) || !isfinite(y) || isfinite(power))
        return power;
    return isnan(power) || x == 0 ? domain_error() : range_error();
}

double pychoral_math_ldexp(double x, PychoralInt exponent)
{
    int64_t by = pychoral_int_clip(exponent);
    if (x == 0 || !isfinite(x))
        return x;
    if (by > INT_MAX)
        return range_error();
    double result = by < INT_MIN ? copysign(0.0, x) : ldexp(x, (int)by);
    return isinf(result) ? range_error() : result;
}

bool pychoral_math_isclose(double a, double b, double rel_tol, double abs_tol)
{
    if (rel_tol < 0 || abs_tol < 0) {
        pychoral_throw(&pychoral_type_ValueError, "tolerances must be non-negative");
        return false;
    }
    if (a == b)
        return true;
    if (isinf(a) || isinf(b))
        return false;
    double apart = fabs(b - a);
    return apart <= fabs(rel_tol * b) || apart <= fabs(rel_tol * a) || apart <= abs_tol;
}

// ---- logarithms of ints ----

// The logarithm of an int: where it is too large for a float, that of its fraction and the power
// of two apart.
static double log_of(PychoralInt n, double (*log_float)(double))
{
    double x;
    if (pychoral_int_is_negative(n) || !pychoral_int_truth(n))
        return domain_error();
    if (pychoral_int_to_float(n, &x))
        return log_float(x);
    PychoralInt copy = n;
    mp_limb_t limb;
    mpz_t view;
    pychoral_int_view(&copy, &limb, view);
    long exponent;
    double fraction = mpz_get_d_2exp(&exponent, view);
    return log_float(fraction) + log_float(2.0) * (double)exponent;
}

double pychoral_math_log_int(PychoralInt n) { return log_of(n, log); }
double pychoral_math_log2_int(PychoralInt n) { return log_of(n, log2); }
double pychoral_math_log10_int(PychoralInt n) { return log_of(n, log10); }

static double log_of_any(PychoralRef number)
{
    PychoralRef known = pychoral_look(number.type, number.value);
    if (known.type->kind == PYCHORAL_FLOAT)
        return pychoral_math_log(*(const double *)known.value);
    if (known.type->kind == PYCHORAL_BOOL)
        return pychoral_math_log(*(const bool *)known.value);
    return pychoral_math_log_int(*(const PychoralInt *)known.value);
}

double pychoral_math_log_base(PychoralRef x, PychoralRef base)
{
    double above = log_of_any(x);
    double below = pychoral_raised == NULL ? log_of_any(base) : 0;
    return pychoral_raised == NULL ? pychoral_float_truediv(above, below) : 0;
}
