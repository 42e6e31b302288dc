// complex.c - division, powers and size of complex numbers, in the steps in which CPython takes
// them, so that they round alike.

#include "number.h"

#include <errno.h>

static const PychoralComplex ONE = {1, 0};

// a / b by the larger part of b; false: b is zero.
static bool divide(PychoralComplex a, PychoralComplex b, PychoralComplex *result)
{
    double real = fabs(b.real), imag = fabs(b.imag);
    *result = (PychoralComplex){0, 0};
    if (real >= imag) {
        if (real == 0)
            return false;
        double ratio = b.imag / b.real, scale = b.real + b.imag * ratio;
        *result = pychoral_complex((a.real + a.imag * ratio) / scale,
                                   (a.imag - a.real * ratio) / scale);
    } else if (imag >= real) {
        double ratio = b.real / b.imag, scale = b.real * ratio + b.imag;
        *result = pychoral_complex((a.real * ratio + a.imag) / scale,
                                   (a.imag * ratio - a.real) / scale);
    } else
        *result = pychoral_complex(NAN, NAN);
    return true;
}

PychoralComplex pychoral_complex_truediv(PychoralComplex a, PychoralComplex b)
{
    PychoralComplex result;
    if (!divide(a, b, &result))
        pychoral_float_divide_by_zero("complex division by zero");
    return result;
}

// z ** n for n > 0, by squares.
static PychoralComplex power_of(PychoralComplex z, long n)
{
    PychoralComplex power = ONE, square = z;
    for (long bit = 1; bit <= n; bit <<= 1) {
        if ((n & bit) != 0)
            power = pychoral_complex_mul(power, square);
        square = pychoral_complex_mul(square, square);
    }
    return power;
}

// In polar form. Sets errno where there is none, as the C library does.
static PychoralComplex polar_power(PychoralComplex a, PychoralComplex b)
{
    if (b.real == 0 && b.imag == 0)
        return ONE;
    if (a.real == 0 && a.imag == 0) {
        if (b.imag != 0 || b.real < 0)
            errno = EDOM;
        return pychoral_complex(0, 0);
    }
    double size = hypot(a.real, a.imag), angle = atan2(a.imag, a.real);
    double length = pow(size, b.real), phase = angle * b.real;
    if (b.imag != 0) {
        length /= exp(angle * b.imag);
        phase += b.imag * log(size);
    }
    return pychoral_complex(length * cos(phase), length * sin(phase));
}

static PychoralComplex power(PychoralComplex a, PychoralComplex b)
{
    enum { MOST_STEPS = 100 };
    if (b.imag != 0 || b.real != floor(b.real) || fabs(b.real) > MOST_STEPS)
        return polar_power(a, b);
    long n = (long)b.real;
    if (n > 0)
        return power_of(a, n);
    PychoralComplex inverse;
    if (!divide(ONE, power_of(a, -n), &inverse))
        errno = EDOM;
    return inverse;
}

// Which error it is, is the C library's to say: it finds an infinite angle out of its domain.
PychoralComplex pychoral_complex_pow(PychoralComplex a, PychoralComplex b)
{
    errno = 0;
    PychoralComplex result = power(a, b);
    bool is_infinite = isinf(result.real) || isinf(result.imag);
    if (errno == EDOM)
        pychoral_float_divide_by_zero("0.0 to a negative or complex power");
    else if (is_infinite)
        pychoral_throw(&pychoral_type_OverflowError, "complex exponentiation");
    return result;
}

double pychoral_complex_abs(PychoralComplex a)
{
    double size = hypot(a.real, a.imag);
    if (isinf(size) && isfinite(a.real) && isfinite(a.imag))
        pychoral_throw(&pychoral_type_OverflowError, "absolute value too large");
    return size;
}

PychoralComplex pychoral_complex_of_parts(PychoralComplex real, PychoralComplex imag)
{
    return pychoral_complex(real.real - imag.imag, real.imag + imag.real);
}
