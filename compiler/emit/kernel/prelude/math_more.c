static inline double math_gamma(Call *call, int line, double x)
{
    if (unlikely(x == -INFINITY || (x <= 0.0 && x == floor(x))))
        domain_error(call, line);
    return math_result(call, line, tgamma(x), x);
}

static inline double math_lgamma(Call *call, int line, double x)
{
    if (unlikely(x <= 0.0 && x == floor(x) && isfinite(x)))
        domain_error(call, line);
    return math_result(call, line, lgamma(x), x);
}

static inline double math_two(Call *call, int line, double r, double x, double y)
{
    if (unlikely(!isfinite(r))) {
        if (isnan(r) && !isnan(x) && !isnan(y))
            domain_error(call, line);
        if (isinf(r) && isfinite(x) && isfinite(y))
            fail(call, line, "OverflowError: math range error");
    }
    return r;
}

static inline double math_fmod(Call *call, int line, double x, double y)
{
    return isinf(y) && isfinite(x) ? x : math_two(call, line, fmod(x, y), x, y);
}

static inline double math_remainder(Call *call, int line, double x, double y)
{
    return math_two(call, line, remainder(x, y), x, y);
}

static inline double math_pow(Call *call, int line, double x, double y)
{
    if (unlikely(x == 0.0 && y < 0.0 && isfinite(y)))
        domain_error(call, line);
    return math_two(call, line, pow(x, y), x, y);
}

static inline double math_log_base(Call *call, int line, double x, double y)
{
    double below = math_log(call, line, y);
    return float_truediv(call, line, math_log(call, line, x), below);
}

static inline double math_ldexp(Call *call, int line, double x, int64_t n)
{
    int small = n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n;
    return math_result(call, line, ldexp(x, small), x);
}

static inline double math_ulp(double x)
{
    x = fabs(x);
    if (!isfinite(x))
        return x;
    double above = nextafter(x, INFINITY);
    return isinf(above) ? x - nextafter(x, 0.0) : above - x;
}
