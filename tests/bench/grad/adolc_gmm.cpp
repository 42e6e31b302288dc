// adolc_gmm.cpp - the mixture of Gaussians of arrays.c under ADOL-C, with the taping: `adolc_gmm D K
// N ROUNDS` prints microseconds. ADOL-C is used as it is fastest for a tape that is read once: the
// values are kept while taping, so that the way back needs no second way there, and memory stays with
// the process between rounds, as each page that the system hands out anew costs.
#include <adolc/adolc.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>

static double number(const adouble &x) { return x.value(); }

#include "mixture.hpp"

// Whether the gradient is the one of ADOL-C's own driver, which goes there a second time.
static bool same(const std::vector<double> &at, const std::vector<double> &grad)
{
    std::vector<double> own(at.size());
    gradient(1, (int)at.size(), at.data(), own.data());
    for (size_t i = 0; i < own.size(); i++)
        if (!(std::fabs(own[i] - grad[i]) <= 1e-11 * (1.0 + std::fabs(own[i]))))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 1 << 26);
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
        trace_on(1, 1);
        std::vector<adouble> p(count);
        for (int i = 0; i < count; i++)
            p[i] <<= at[i];
        adouble all = gmm(p.data(), x.data(), k, d, e, n);
        all >>= value;
        trace_off();
        reverse(1, 1, count, 0, 1.0, grad.data());
        double time = now() - start;
        best = time < best ? time : best;
    }
    if (!same(at, grad))
        return 1;
    std::printf("%.4f\n", best);
}
