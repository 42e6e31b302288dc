static inline double math_acos(Call *call, int line, double x)
{
    return math_result(call, line, acos(x), x);
}

static inline double math_acosh(Call *call, int line, double x)
{
    return math_result(call, line, acosh(x), x);
}

static inline double math_asin(Call *call, int line, double x)
{
    return math_result(call, line, asin(x), x);
}

static inline double math_asinh(Call *call, int line, double x)
{
    return math_result(call, line, asinh(x), x);
}

static inline double math_atan(Call *call, int line, double x)
{
    return math_result(call, line, atan(x), x);
}

static inline double math_cos(Call *call, int line, double x)
{
    return math_result(call, line, cos(x), x);
}

static inline double math_cosh(Call *call, int line, double x)
{
    return math_result(call, line, cosh(x), x);
}

static inline double math_exp(Call *call, int line, double x)
{
    return math_result(call, line, exp(x), x);
}

static inline double math_exp2(Call *call, int line, double x)
{
    return math_result(call, line, exp2(x), x);
}

static inline double math_expm1(Call *call, int line, double x)
{
    return math_result(call, line, expm1(x), x);
}

static inline double math_sin(Call *call, int line, double x)
{
    return math_result(call, line, sin(x), x);
}

static inline double math_sinh(Call *call, int line, double x)
{
    return math_result(call, line, sinh(x), x);
}

static inline double math_sqrt(Call *call, int line, double x)
{
    return math_result(call, line, sqrt(x), x);
}

static inline double math_tan(Call *call, int line, double x)
{
    return math_result(call, line, tan(x), x);
}

static inline double math_tanh(Call *call, int line, double x)
{
    return math_result(call, line, tanh(x), x);
}

static inline double math_cbrt(Call *call, int line, double x)
{
    return math_result(call, line, cbrt(x), x);
}

static inline double math_atanh(Call *call, int line, double x)
{
    return math_poles(call, line, atanh(x), x);
}

static inline double math_log(Call *call, int line, double x)
{
    return math_poles(call, line, log(x), x);
}

static inline double math_log10(Call *call, int line, double x)
{
    return math_poles(call, line, log10(x), x);
}

static inline double math_log2(Call *call, int line, double x)
{
    return math_poles(call, line, log2(x), x);
}

static inline double math_log1p(Call *call, int line, double x)
{
    return math_poles(call, line, log1p(x), x);
}
