// for FUSED
// With a fused multiply-add, exp, expm1, log, log1p and tanh are arithmetic that compilers
// vectorize. Without it the C library is faster, and where operations may be reordered only the
// library is right. A select is between constants, or a minimum: compilers make no branch of it.
#if (defined __FP_FAST_FMA || defined __FMA__) && !defined __FAST_MATH__
#define FUSED 1
#else
#define FUSED 0
#endif

// for LANES
#define LANES static inline __attribute__((always_inline))

LANES double float_of_bits(uint64_t bits)
{
    double a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

LANES uint64_t bits_of_float(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

// exp(a) is (1 + the result) * 2**n, with n + 2046 in the low bits of `*n`: a - n ln 2 is at most
// (ln 2) / 2, and of degree 11 the polynomial nearest to exp there differs by 4e-18.
LANES double exp_without_one(double a, uint64_t *n)
{
    const double whole = 0x1.8p52 + 2046.0;
    double placed = fma(a, 0x1.71547652b82fep0, whole), count = placed - whole;
    double r = fma(count, -0x1.cf79abc9e3b39p-40, fma(count, -0x1.62e42fefap-1, a));
    double r2 = r * r, r4 = r2 * r2;
    double low = fma(r2, fma(r, 0x1.111111110d742p-7, 0x1.5555555550337p-5),
                     fma(r, 0x1.5555555555561p-3, 0x1.000000000000bp-1));
    double high = fma(r2, fma(r, 0x1.71dde0469ab35p-19, 0x1.a01997a4db2e3p-16),
                      fma(r, 0x1.a01a01ba9cd59p-13, 0x1.6c16c18527b61p-10));
    double top = fma(r, 0x1.af84ec0cf75bbp-26, 0x1.28af7c4813219p-22);
    *n = bits_of_float(placed);
    return fma(r2, fma(r4, fma(r4, top, high), low), r);
}

// Two factors: 2**n may be too large or too small for one.
LANES double np_exp(double a)
{
    if (!FUSED)
        return exp(a);
    double near = a > 710.0 ? 710.0 : a;
    near = near < -746.0 ? -746.0 : near;
    uint64_t n, half;
    double e = 1.0 + exp_without_one(near, &n);
    half = n >> 1;
    return e * float_of_bits(half << 52) * float_of_bits((n - half) << 52);
}

LANES double np_expm1(double a)
{
    if (!FUSED)
        return expm1(a);
    double near = a > 710.0 ? 710.0 : a;
    near = near < -40.0 ? -40.0 : near;
    uint64_t n;
    double rest = exp_without_one(near, &n), half = float_of_bits((n - 1024) << 52);
    return copysign(2.0 * fma(half, rest, half - 0.5), a);
}

// By expm1(-2 |a|).
LANES double np_tanh(double a)
{
    if (!FUSED)
        return tanh(a);
    double twice = -2.0 * fabs(a);
    twice = twice < -44.0 ? -44.0 : twice;
    uint64_t n;
    double rest = exp_without_one(twice, &n), power = float_of_bits((n - 1023) << 52);
    double e = fma(power, rest, power - 1.0);
    return copysign(e / (2.0 + e), a);
}
