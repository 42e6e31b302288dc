// adolc_gmm.cpp - the mixture of Gaussians of arrays.c under ADOL-C, with the taping: `adolc_gmm D K
// N ROUNDS` prints microseconds.
#include <adolc/adolc.h>
#include <cstdio>
#include <cstdlib>

static double number(const adouble &x) { return x.value(); }

#include "mixture.hpp"

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
    x.push_back(1.0);
    x.push_back(0.0);
    double best = 1e300, value;
    for (int round = 0; round < rounds; round++) {
        double start = now();
        trace_on(1);
        std::vector<adouble> p(count);
        for (int i = 0; i < count; i++)
            p[i] <<= at[i];
        adouble all = gmm(p.data(), x.data(), k, d, e, n);
        all >>= value;
        trace_off();
        gradient(1, count, at.data(), grad.data());
        double time = now() - start;
        best = time < best ? time : best;
    }
    std::printf("%.4f\n", best);
}
