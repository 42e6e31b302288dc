// adolc_gmm.cpp - the mixture of Gaussians of arrays.c under ADOL-C, with the taping: `adolc_gmm D K
// N ROUNDS` prints microseconds.
#include <adolc/adolc.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static adouble lse(const std::vector<adouble> &x)
{
    adouble top = x[0], sum = 0.0;
    for (const adouble &e : x)
        top = fmax(top, e);
    for (const adouble &e : x)
        sum += exp(e - top);
    return top + log(sum);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    int d = atoi(argv[1]), k = atoi(argv[2]), n = atoi(argv[3]), rounds = atoi(argv[4]);
    int e = d * (d - 1) / 2, count = k * (1 + 2 * d + e);
    std::vector<double> at(count), grad(count), x(n * d);
    for (double &v : at)
        v = rand() / (double)RAND_MAX - 0.5;
    for (double &v : x)
        v = rand() / (double)RAND_MAX - 0.5;
    double best = 1e300, value;
    for (int round = 0; round < rounds; round++) {
        double start = now();
        trace_on(1);
        std::vector<adouble> p(count), eq(k * d), y(d), z(d), beta(k), sums(k);
        for (int i = 0; i < count; i++)
            p[i] <<= at[i];
        adouble *al = &p[0], *mu = al + k, *q = mu + k * d, *l = q + k * d;
        adouble all = 0.0;
        for (int a = 0; a < k; a++)
            for (int j = 0; j < d; j++) {
                eq[a * d + j] = exp(q[a * d + j]);
                sums[a] += q[a * d + j];
            }
        for (int i = 0; i < n; i++) {
            for (int a = 0; a < k; a++) {
                adouble norm = 0.0, *column = l + a * e;
                for (int j = 0; j < d; j++) {
                    y[j] = x[i * d + j] - mu[a * d + j];
                    z[j] = eq[a * d + j] * y[j];
                }
                for (int c = 0; c < d; c++)
                    for (int j = c + 1; j < d; j++)
                        z[j] += *column++ * y[c];
                for (int j = 0; j < d; j++)
                    norm += z[j] * z[j];
                beta[a] = al[a] + sums[a] - 0.5 * norm;
            }
            all += lse(beta);
        }
        all -= n * lse(std::vector<adouble>(al, al + k));
        all >>= value;
        trace_off();
        gradient(1, count, at.data(), grad.data());
        double time = now() - start;
        best = time < best ? time : best;
    }
    std::printf("%.4f\n", best);
}
