// arrays.c - the programs of arrays.py as plain loops, straight from their definitions: what their
// gradients are compared with.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef int64_t I;

// The columns of l are contiguous.
double gmm_ref(I k, I d, I e, I n, const double *al, const double *mu, const double *q,
               const double *l, const double *x, double gamma, I m)
{
    double *eq = malloc(sizeof *eq * (size_t)(k * d)), *y = malloc(sizeof *y * (size_t)d);
    double *z = malloc(sizeof *z * (size_t)d), *sums = calloc((size_t)k, sizeof *sums);
    double *beta = malloc(sizeof *beta * (size_t)k), value = 0.0, squares = 0.0, all = 0.0;
    for (I a = 0; a < k; a++) {
        for (I j = 0; j < d; j++) {
            eq[a * d + j] = exp(q[a * d + j]);
            squares += eq[a * d + j] * eq[a * d + j];
            sums[a] += q[a * d + j];
        }
        for (I j = 0; j < d * (d - 1) / 2; j++)
            squares += l[a * e + j] * l[a * e + j];
        all += sums[a];
    }
    for (I i = 0; i < n; i++) {
        double top = -INFINITY, sum = 0.0;
        for (I a = 0; a < k; a++) {
            const double *column = l + a * e;
            double norm = 0.0;
            for (I j = 0; j < d; j++) {
                y[j] = x[i * d + j] - mu[a * d + j];
                z[j] = eq[a * d + j] * y[j];
            }
            for (I c = 0; c < d; c++)
                for (I j = c + 1; j < d; j++)
                    z[j] += *column++ * y[c];
            for (I j = 0; j < d; j++)
                norm += z[j] * z[j];
            beta[a] = al[a] + sums[a] - 0.5 * norm;
            top = beta[a] > top ? beta[a] : top;
        }
        for (I a = 0; a < k; a++)
            sum += exp(beta[a] - top);
        value += top + log(sum);
    }
    double top = -INFINITY, sum = 0.0;
    for (I a = 0; a < k; a++)
        top = al[a] > top ? al[a] : top;
    for (I a = 0; a < k; a++)
        sum += exp(al[a] - top);
    free(eq), free(y), free(z), free(sums), free(beta);
    return value - (double)n * (top + log(sum)) - gamma * gamma / 2.0 * squares + (double)m * all;
}

double dot_ref(I n, const double *a, const double *b, double *ag, double *bg)
{
    double sum = 0.0;
    for (I i = 0; i < n; i++) {
        sum += a[i] * b[i];
        ag[i] = b[i];
        bg[i] = a[i];
    }
    return sum;
}

double lse_ref(I n, const double *x)
{
    double top = -INFINITY, sum = 0.0;
    for (I i = 0; i < n; i++)
        top = x[i] > top ? x[i] : top;
    for (I i = 0; i < n; i++)
        sum += exp(x[i] - top);
    return top + log(sum);
}

double llsq_ref(I m, I n, const double *x, const double *y, const double *t)
{
    double sum = 0.0;
    for (I i = 0; i < n; i++) {
        double inner = 0.0;
        for (I j = 0; j < m; j++)
            inner += x[j] * pow(t[i], (double)j);
        sum += (y[i] - inner) * (y[i] - inner);
    }
    return 0.5 * sum;
}

double matmul_ref(I n, I m, I p, const double *a, const double *b, const double *w)
{
    double *row = malloc(sizeof *row * (size_t)p), sum = 0.0;
    for (I i = 0; i < n; i++) {
        for (I j = 0; j < p; j++)
            row[j] = 0.0;
        for (I k = 0; k < m; k++)
            for (I j = 0; j < p; j++)
                row[j] += a[i * m + k] * b[k * p + j];
        for (I j = 0; j < p; j++)
            sum += row[j] * w[i * p + j];
    }
    free(row);
    return sum;
}

double conv2d_ref(I h, I w, I p, I q, const double *image, const double *kernel)
{
    double sum = 0.0;
    for (I i = 0; i + p <= h; i++)
        for (I j = 0; j + q <= w; j++) {
            double out = 0.0;
            for (I a = 0; a < p; a++)
                for (I b = 0; b < q; b++)
                    out += image[(i + a) * w + j + b] * kernel[a * q + b];
            sum += out * out;
        }
    return sum;
}

double mlp_ref(I h, I d, I o, I n, const double *w1, const double *b1, const double *w2,
               const double *b2, const double *x, const double *y)
{
    double *hidden = malloc(sizeof *hidden * (size_t)h), *out = malloc(sizeof *out * (size_t)o);
    double value = 0.0;
    for (I i = 0; i < n; i++) {
        double top = -INFINITY, sum = 0.0;
        for (I j = 0; j < h; j++) {
            double s = b1[j];
            for (I c = 0; c < d; c++)
                s += x[i * d + c] * w1[j * d + c];
            hidden[j] = tanh(s);
        }
        for (I j = 0; j < o; j++) {
            out[j] = b2[j];
            for (I c = 0; c < h; c++)
                out[j] += hidden[c] * w2[j * h + c];
            top = out[j] > top ? out[j] : top;
            value -= out[j] * y[i * o + j];
        }
        for (I j = 0; j < o; j++)
            sum += exp(out[j] - top);
        value += top + log(sum);
    }
    free(hidden), free(out);
    return value / (double)n;
}
