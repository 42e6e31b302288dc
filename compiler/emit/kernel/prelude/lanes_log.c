// Of a = 2**n (1 + f), 1 + f at most the root of 2 from 1: n ln 2 + 2 artanh(f / (2 + f)); the
// polynomial differs by 1e-17. `odd` is added where the result is not finite.
LANES double np_log(double a)
{
    if (!FUSED)
        return log(a);
    double odd = a > 0.0 ? 0.0 : -INFINITY;
    odd = a < 0.0 ? NAN : odd;
    odd = a < INFINITY ? odd : a;
    uint64_t small = (bits_of_float(a) - 0x0170000000000000) >> 63 << 6;
    uint64_t bits = bits_of_float(a * float_of_bits((1021 + small) << 52));
    uint64_t power = (bits + 0x00195f61980c4433) >> 52;
    double n = float_of_bits(0x4330000000000000 | (power + 64 - small)) - (0x1p52 + 1086.0);
    double f = float_of_bits(bits - ((power - 1024) << 52)) - 1.0;
    double s = f / (2.0 + f), z = s * s, z2 = z * z, half = 0.5 * f * f;
    double low = fma(z, 0x1.99999999951bep-2, 0x1.5555555555558p-1);
    double middle = fma(z, 0x1.c71c62c212c89p-3, 0x1.2492492e0f0a1p-2);
    double high = fma(z, 0x1.39fd33ed6146ap-3, 0x1.7462be2d74f77p-3);
    high = fma(z2, 0x1.2b662bcf5f94cp-3, high);
    double tail = fma(z2, fma(z2, high, middle), low);
    tail = fma(s, fma(z, tail, half), n * 0x1.cf79abc9e3b39p-40);
    return fma(n, 0x1.62e42fefap-1, f - (half - tail)) + odd;
}

// Rounding loses `lost` of the sum 1 + a, and so nearly lost / sum of its logarithm.
LANES double np_log1p(double a)
{
    if (!FUSED)
        return log1p(a);
    double sum = 1.0 + a, lost = a - (sum - 1.0), by = fabs(sum);
    lost = lost < 2.0 ? lost : 2.0;
    by = by < 0x1p-99 ? 0x1p-99 : by;
    return copysign(np_log(sum) + lost / by, a);
}
