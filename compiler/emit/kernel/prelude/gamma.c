static inline double np_lgamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

// Reflected to the right half, moved to where the asymptotic series has all digits.
static double np_digamma(double x)
{
    double value = 0.0;
    if (x < 0.5) {
        double below = x - floor(x + 0.5);
        value = x < 0.0 && below == 0.0 ? NAN : -3.141592653589793 / tan(3.141592653589793 * below);
        x = 1.0 - x;
    }
    for (; x < 12.0; x += 1.0)
        value -= 1.0 / x;
    double y = 1.0 / x / x, series = 1.0 / 132.0 - y * (691.0 / 32760.0);
    series = 1.0 / 252.0 - y * (1.0 / 240.0 - y * series);
    series = 1.0 / 12.0 - y * (1.0 / 120.0 - y * series);
    return value + log(x) - 0.5 / x - y * series;
}

// The derivative number n of pi cot(pi x): pi**(n + 1) times a polynomial in the cotangent.
static double cotangent_slope(int n, double x)
{
    double c = 1.0 / tan(3.141592653589793 * (x - floor(x + 0.5)));
    double powers[175] = {0.0, 1.0}, value = 0.0;
    for (int k = 2; k < n + 2; k++) {
        for (int i = 0; i < k; i++)
            powers[i] = (i + 1) * powers[i + 1];
        for (int i = k; i >= 0; i--)
            powers[i] = -powers[i] - (i > 1 ? powers[i - 2] : 0.0);
    }
    for (int i = n + 1; i >= 0; i--)
        value = value * c + powers[i];
    return value * pow(3.141592653589793, n + 1.0);
}

// The derivative number n of digamma.
static double np_polygamma(double n, double x)
{
    static const double BERNOULLI[] = {1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 5.0 / 66.0,
                                       -691.0 / 2730.0, 7.0 / 6.0};
    double sign = fmod(n, 2.0) == 1.0 ? 1.0 : -1.0, value = 0.0, factor = tgamma(n);
    if (!(n >= 1.0 && n < 170.0 && n == floor(n) && x > -INFINITY))
        return NAN;
    if (x <= 0.0 && x == floor(x))
        return sign > 0.0 ? INFINITY : NAN;
    if (x < 0.0)
        return -sign * np_polygamma(n, 1.0 - x) - cotangent_slope((int)n, x);
    for (; x < 15.0 + n; x += 1.0)
        value += n * factor / pow(x, n + 1.0);
    double y = 1.0 / x / x, term = n * y / 2.0, series = 1.0 + n / x / 2.0;
    for (int i = 0; i < 7; i++) {
        series += term * (n + 1.0) * BERNOULLI[i];
        term *= y * (n + 2.0 * i + 2.0) * (n + 2.0 * i + 3.0)
                / ((2.0 * i + 3.0) * (2.0 * i + 4.0));
    }
    return sign * (value + factor * series / pow(x, n));
}
