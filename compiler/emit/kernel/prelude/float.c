// for NAN INFINITY M_PI fabs fma fmod floor pow sqrt exp log sin cos tan atan2 isnan isfinite
#include <math.h>

static inline double float_truediv(Call *call, int line, double a, double b)
{
    if (unlikely(b == 0.0))
        fail(call, line, "ZeroDivisionError: float division by zero");
    return a / b;
}

static inline double float_mod(Call *call, int line, double a, double b)
{
    if (unlikely(b == 0.0))
        fail(call, line, "ZeroDivisionError: float modulo");
    double r = fmod(a, b);
    if (r == 0.0)
        return copysign(0.0, b);
    return (r < 0.0) != (b < 0.0) ? r + b : r;
}

static inline double float_floordiv(Call *call, int line, double a, double b)
{
    if (unlikely(b == 0.0))
        fail(call, line, "ZeroDivisionError: float floor division by zero");
    double r = fmod(a, b), q = (a - r) / b;
    if (r != 0.0 && (r < 0.0) != (b < 0.0))
        q -= 1.0;
    double whole = floor(q);
    return q == 0.0 ? copysign(0.0, a / b) : q - whole > 0.5 ? whole + 1.0 : whole;
}

static inline double float_pow(Call *call, int line, double a, double b)
{
    if (b == 2.0 && isfinite(a * a))
        return a * a;
    double r = pow(a, b);
    if (unlikely(!isfinite(r))) {
        if (a == 0.0 && b < 0.0)
            fail(call, line, "ZeroDivisionError: 0.0 cannot be raised to a negative power");
        if (isnan(r) && !isnan(a) && !isnan(b))
            fail(call, line, "ValueError: a negative number to a fractional power is complex");
        if (isfinite(a) && isfinite(b))
            fail(call, line, "OverflowError: (34, 'Numerical result out of range')");
    }
    return r;
}

// A whole number as an int.
static inline int64_t float_int(Call *call, int line, double a)
{
    if (unlikely(isnan(a)))
        fail(call, line, "ValueError: cannot convert float NaN to integer");
    if (unlikely(isinf(a)))
        fail(call, line, "OverflowError: cannot convert float infinity to integer");
    if (unlikely(!(a >= -0x1p63 && a < 0x1p63)))
        int_overflow(call, line);
    return (int64_t)a;
}

static inline int64_t float_round(Call *call, int line, double a)
{
    return float_int(call, line, nearbyint(a));
}

static inline bool float_is_integer(double a) { return isfinite(a) && floor(a) == a; }

static inline double float_same(double a) { return a; }

static inline double float_min(double a, double b) { return b < a ? b : a; }

static inline double float_max(double a, double b) { return b > a ? b : a; }

static COLD _Noreturn void domain_error(Call *call, int line)
{
    fail(call, line, "ValueError: math domain error");
}

// What a function of libm gives, where Python raises for what is no number or too large.
static inline double math_result(Call *call, int line, double r, double x)
{
    if (unlikely(!isfinite(r))) {
        if (isnan(r) && !isnan(x))
            domain_error(call, line);
        if (isinf(r) && isfinite(x))
            fail(call, line, "OverflowError: math range error");
    }
    return r;
}

// The same where infinite means that there is a pole.
static inline double math_poles(Call *call, int line, double r, double x)
{
    if (unlikely(!isfinite(r)))
        if (!isnan(x) && (isnan(r) || isfinite(x)))
            domain_error(call, line);
    return r;
}

static inline int64_t math_floor(Call *call, int line, double a)
{
    return float_int(call, line, floor(a));
}

static inline int64_t math_ceil(Call *call, int line, double a)
{
    return float_int(call, line, ceil(a));
}

static inline int64_t math_trunc(Call *call, int line, double a)
{
    return float_int(call, line, a);
}

static inline double math_degrees(double a) { return a * (180.0 / 0x1.921fb54442d18p+1); }

static inline double math_radians(double a) { return a * (0x1.921fb54442d18p+1 / 180.0); }

static inline bool math_isnan(double a) { return isnan(a); }

static inline bool math_isinf(double a) { return isinf(a); }

static inline bool math_isfinite(double a) { return isfinite(a); }
