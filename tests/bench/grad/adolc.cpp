// adolc.cpp - the loop under ADOL-C, with the taping: `adolc SIZE ROUNDS` prints nanoseconds.
#include <adolc/adolc.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>

static double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    long size = argc > 1 ? atol(argv[1]) : 1000;
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    double best = 1e300, at = 1.0 + 1e-9, grad = 0.0, value;
    for (int round = 0; round < rounds; round++) {
        double start = now();
        trace_on(1);
        adouble x, acc = 1.0;
        x <<= at;
        for (long i = 0; i < size; i++)
            acc = x * acc;
        acc >>= value;
        trace_off();
        gradient(1, 1, &at, &grad);
        double time = (now() - start) / (double)size;
        best = time < best ? time : best;
    }
    std::printf("%.4f %g\n", best, grad);
}
