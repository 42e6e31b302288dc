// random_floats.c - distributions of floats, drawn in the steps of Python's random.py.

#include "random.h"

static const double TWO_PI = 6.283185307179586;
static const double NORMAL = 1.7155277699214135;   // 4 exp(-1/2) / sqrt(2)
static const double LOG_4 = 1.3862943611198906;
static const double LOG_4_5 = 2.504077396776274;   // and 1
static const double E = 2.718281828459045;

double pychoral_random_uniform(PychoralRandom *self, double a, double b)
{
    return a + (b - a) * pychoral_random_random(self);
}

// `peak`: where the most likely value stands, from 0 to 1.
static double triangle(double drawn, double low, double high, double peak)
{
    if (drawn > peak)
        return high + (low - high) * sqrt((1.0 - drawn) * (1.0 - peak));
    return low + (high - low) * sqrt(drawn * peak);
}

double pychoral_random_triangular(PychoralRandom *self, double low, double high)
{
    return triangle(pychoral_random_random(self), low, high, 0.5);
}

double pychoral_random_triangular_to(PychoralRandom *self, double low, double high, double mode)
{
    double drawn = pychoral_random_random(self);
    return high == low ? low : triangle(drawn, low, high, (mode - low) / (high - low));
}

double pychoral_random_gauss(PychoralRandom *self, double mu, double sigma)
{
    double normal = self->normal;
    if (!self->has_normal) {
        double angle = pychoral_random_random(self) * TWO_PI;
        double radius = sqrt(-2.0 * log(1.0 - pychoral_random_random(self)));
        normal = cos(angle) * radius;
        self->normal = sin(angle) * radius;
    }
    self->has_normal = !self->has_normal;
    return mu + normal * sigma;
}

double pychoral_random_normalvariate(PychoralRandom *self, double mu, double sigma)
{
    for (;;) {
        double first = pychoral_random_random(self), second = 1.0 - pychoral_random_random(self);
        double normal = NORMAL * (first - 0.5) / second;
        if (normal * normal / 4.0 <= -log(second))
            return mu + normal * sigma;
    }
}

double pychoral_random_lognormvariate(PychoralRandom *self, double mu, double sigma)
{
    double x = pychoral_random_normalvariate(self, mu, sigma), power = exp(x);
    if (isinf(power) && isfinite(x))
        pychoral_throw(&pychoral_type_OverflowError, "math range error");
    return power;
}

double pychoral_random_expovariate(PychoralRandom *self, double lambd)
{
    return pychoral_float_truediv(-log(1.0 - pychoral_random_random(self)), lambd);
}

double pychoral_random_vonmisesvariate(PychoralRandom *self, double mu, double kappa)
{
    if (kappa <= 1e-6)
        return TWO_PI * pychoral_random_random(self);
    double s = 0.5 / kappa, r = s + sqrt(1.0 + s * s), z, d, drawn;
    do {
        z = cos(TWO_PI / 2 * pychoral_random_random(self));
        d = z / (r + z);
        drawn = pychoral_random_random(self);
    } while (drawn >= 1.0 - d * d && drawn > (1.0 - d) * exp(d));
    double q = 1.0 / r, f = (q + z) / (1.0 + q * z);
    double turn = pychoral_random_random(self) > 0.5 ? acos(f) : -acos(f);
    return pychoral_float_mod(mu + turn, TWO_PI);
}

// For alpha > 1 (Cheng 1977).
static double gamma_large(PychoralRandom *self, double alpha)
{
    double root = sqrt(2.0 * alpha - 1.0), b = alpha - LOG_4, c = alpha + root;
    for (;;) {
        double first = pychoral_random_random(self);
        if (!(1e-7 < first && first < 0.9999999))
            continue;
        double second = 1.0 - pychoral_random_random(self);
        double v = log(first / (1.0 - first)) / root;
        double x = alpha * exp(v), z = first * first * second, r = b + c * v - x;
        if (r + LOG_4_5 - 4.5 * z >= 0.0 || r >= log(z))
            return x;
    }
}

// For alpha < 1.
static double gamma_small(PychoralRandom *self, double alpha)
{
    double b = (E + alpha) / E;
    for (;;) {
        double p = b * pychoral_random_random(self);
        double x = p <= 1.0 ? pow(p, 1.0 / alpha) : -log((b - p) / alpha);
        double drawn = pychoral_random_random(self);
        if (drawn <= (p > 1.0 ? pow(x, alpha - 1.0) : exp(-x)))
            return x;
    }
}

double pychoral_random_gammavariate(PychoralRandom *self, double alpha, double beta)
{
    if (alpha <= 0.0 || beta <= 0.0) {
        pychoral_throw(&pychoral_type_ValueError, "gammavariate: alpha and beta must be > 0.0");
        return 0;
    }
    if (alpha > 1.0)
        return gamma_large(self, alpha) * beta;
    if (alpha == 1.0)
        return -log(1.0 - pychoral_random_random(self)) * beta;
    return gamma_small(self, alpha) * beta;
}

double pychoral_random_betavariate(PychoralRandom *self, double alpha, double beta)
{
    double y = pychoral_random_gammavariate(self, alpha, 1.0);
    if (pychoral_raised != NULL || y == 0)
        return 0;
    return y / (y + pychoral_random_gammavariate(self, beta, 1.0));
}

double pychoral_random_paretovariate(PychoralRandom *self, double alpha)
{
    double drawn = 1.0 - pychoral_random_random(self);
    double power = pychoral_float_truediv(-1.0, alpha);
    return pychoral_raised == NULL ? pychoral_float_pow(drawn, power) : 0;
}

double pychoral_random_weibullvariate(PychoralRandom *self, double alpha, double beta)
{
    double drawn = -log(1.0 - pychoral_random_random(self));
    double power = pychoral_float_truediv(1.0, beta);
    return pychoral_raised == NULL ? alpha * pychoral_float_pow(drawn, power) : 0;
}
