// mixture.hpp - the mixture of Gaussians of arrays.c over a tool's number T, for its program, which
// has `number(const T &)` in front of this: what T is now.
#include <ctime>
#include <vector>

// Microseconds.
static double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

// The largest is not taped: the result does not depend on what is subtracted, and ADOL-C warns of each
// tie of its fmax, which would be a third of the time of the smallest mixture.
template <typename T> static T lse(const T *x, int n)
{
    double top = number(x[0]);
    for (int i = 1; i < n; i++)
        top = number(x[i]) > top ? number(x[i]) : top;
    T sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - top);
    return top + log(sum);
}

// gamma and m stand behind x.
template <typename T> static T gmm(const T *al, const double *x, int k, int d, int e, int n)
{
    const T *mu = al + k, *q = mu + k * d, *l = q + k * d;
    double gamma = x[n * d], m = x[n * d + 1];
    std::vector<T> eq(k * d), sums(k), y(d), z(d), beta(k);
    T squares = 0.0, total = 0.0, all = 0.0;
    for (int a = 0; a < k; a++) {
        sums[a] = 0.0;
        for (int j = a * d; j < (a + 1) * d; j++) {
            eq[j] = exp(q[j]);
            sums[a] += q[j];
            squares += eq[j] * eq[j];
        }
        total += sums[a];
    }
    for (int j = 0; j < k * e; j++)
        squares += l[j] * l[j];
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < k; a++) {
            const T *column = l + a * e;
            T norm = 0.0;
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
        all += lse(beta.data(), k);
    }
    return all - (double)n * lse(al, k) - gamma * gamma / 2.0 * squares + m * total;
}
