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

// Of the last: diagonal covariances, and full square roots of precisions.
static double mixture(I k, I d, I n, const double *al, const double *mu, const double *x,
                      const double *diagonal, const double *full, const double *logs)
{
    double *y = malloc(sizeof *y * (size_t)d), *beta = malloc(sizeof *beta * (size_t)k);
    double value = 0.0;
    for (I i = 0; i < n; i++) {
        double top = -INFINITY, sum = 0.0;
        for (I a = 0; a < k; a++) {
            double norm = 0.0;
            for (I j = 0; j < d; j++)
                y[j] = x[i * d + j] - mu[a * d + j];
            for (I r = 0; r < d; r++) {
                double z = diagonal ? diagonal[a * d + r] * y[r] : 0.0;
                for (I c = 0; full && c < d; c++)
                    z += full[(a * d + r) * d + c] * y[c];
                norm += z * z;
            }
            beta[a] = al[a] + (logs ? logs[a] : 0.0) - 0.5 * norm;
            top = beta[a] > top ? beta[a] : top;
        }
        for (I a = 0; a < k; a++)
            sum += exp(beta[a] - top);
        value += top + log(sum);
    }
    free(y), free(beta);
    return value;
}

double gmm_diagonal_ref(I k, I d, I n, const double *al, const double *mu, const double *q,
                        const double *x)
{
    double *e = malloc(sizeof *e * (size_t)(k * d)), *sums = calloc((size_t)k, sizeof *sums);
    for (I a = 0; a < k; a++)
        for (I j = 0; j < d; j++) {
            e[a * d + j] = exp(q[a * d + j]);
            sums[a] += q[a * d + j];
        }
    double value = mixture(k, d, n, al, mu, x, e, NULL, sums);
    free(e), free(sums);
    return value;
}

double gmm_full_ref(I k, I d, I n, const double *al, const double *mu, const double *l,
                    const double *x)
{
    return mixture(k, d, n, al, mu, x, NULL, l, NULL);
}

static double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

double lstm_ref(I l, I b, I c, const double *main, const double *extra, const double *state,
                const double *sequence)
{
    double *s = malloc(sizeof *s * (size_t)(l * 2 * b)), *x = malloc(sizeof *x * (size_t)b);
    double total = 0.0;
    for (I i = 0; i < l * 2 * b; i++)
        s[i] = state[i];
    for (I t = 0; t + 1 < c; t++) {
        double sum = 0.0, all = 0.0;
        for (I j = 0; j < b; j++)
            x[j] = sequence[t * b + j] * extra[j];
        for (I k = 0; k < l; k++) {
            const double *w = main + k * 8 * b, *o = w + 4 * b;
            double *h = s + k * 2 * b, *cell = h + b;
            for (I j = 0; j < b; j++) {
                double forget = sigmoid(x[j] * w[j] + o[j]);
                double in = sigmoid(h[j] * w[b + j] + o[b + j]);
                double out = sigmoid(x[j] * w[2 * b + j] + o[2 * b + j]);
                double change = tanh(h[j] * w[3 * b + j] + o[3 * b + j]);
                cell[j] = cell[j] * forget + in * change;
                x[j] = h[j] = out * tanh(cell[j]);
            }
        }
        for (I j = 0; j < b; j++) {
            x[j] = x[j] * extra[b + j] + extra[2 * b + j];
            sum += exp(x[j]);
        }
        sum = log(2.0 + sum);
        for (I j = 0; j < b; j++)
            all += sequence[(t + 1) * b + j] * (x[j] - sum);
        total += all;
    }
    free(s), free(x);
    return -total / (double)(b * (c - 1));
}

double kmeans_ref(I k, I d, I n, const double *centroids, const double *points)
{
    double value = 0.0;
    for (I i = 0; i < n; i++) {
        double best = INFINITY;
        for (I c = 0; c < k; c++) {
            double far = 0.0;
            for (I j = 0; j < d; j++) {
                double apart = points[i * d + j] - centroids[c * d + j];
                far += apart * apart;
            }
            best = far < best ? far : best;
        }
        value += best;
    }
    return value;
}

static void slope(I n, const double *x, const double *y, double *to)
{
    to[0] = x[0];
    for (I i = 1; i < n; i++)
        to[i] = x[i] * y[i - 1];
}

double ode_ref(I n, const double *x, I s)
{
    double *at = calloc((size_t)n * 6, sizeof *at), h = 2.0 / (double)s;
    double *y = at, *z = at + n, *k1 = at + 2 * n, *k2 = at + 3 * n, *k3 = at + 4 * n;
    double *k4 = at + 5 * n;
    for (I step = 0; step < s; step++) {
        slope(n, x, y, k1);
        for (I i = 0; i < n; i++)
            z[i] = y[i] + h / 2.0 * k1[i];
        slope(n, x, z, k2);
        for (I i = 0; i < n; i++)
            z[i] = y[i] + h / 2.0 * k2[i];
        slope(n, x, z, k3);
        for (I i = 0; i < n; i++)
            z[i] = y[i] + h * k3[i];
        slope(n, x, z, k4);
        for (I i = 0; i < n; i++)
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    double last = y[n - 1];
    free(at);
    return last;
}

static void cross(const double *a, const double *b, double *to)
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

double ba_ref(I n, I m, I p, const double *cameras, const double *points, const double *w,
              const double *features, double *errors)
{
    for (I i = 0; i < p; i++) {
        const double *camera = cameras + i % n * 11, *point = points + i % m * 3;
        double at[3], around[3], y[3], uv[2], square = 0.0;
        for (int j = 0; j < 3; j++) {
            at[j] = point[j] - camera[3 + j];
            square += camera[j] * camera[j];
        }
        cross(camera, at, around);
        if (square > 0.0) {
            double theta = sqrt(square), c = cos(theta), s = sin(theta), along = 0.0;
            for (int j = 0; j < 3; j++)
                along += camera[j] / theta * at[j];
            for (int j = 0; j < 3; j++)
                y[j] = at[j] * c + around[j] / theta * s
                       + camera[j] / theta * along * (1.0 - c);
        } else {
            for (int j = 0; j < 3; j++)
                y[j] = at[j] + around[j];
        }
        uv[0] = y[0] / y[2];
        uv[1] = y[1] / y[2];
        double s = uv[0] * uv[0] + uv[1] * uv[1];
        double distortion = 1.0 + camera[9] * s + camera[10] * s * s;
        for (int j = 0; j < 2; j++)
            errors[i * 2 + j] = w[i] * (camera[6] * distortion * uv[j] + camera[7 + j]
                                        - features[i * 2 + j]);
    }
    return 0.0;
}

typedef double Four[4][4];

static void product(const double *a, const double *b, double *to)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += a[i * 4 + k] * b[k * 4 + j];
            to[i * 4 + j] = sum;
        }
}

static void turn_about(double x, double y, double z, Four to)
{
    double cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y), cz = cos(z), sz = sin(z);
    Four turn = {{cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx, 0.0},
                 {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx, 0.0},
                 {-sy, cy * sx, cy * cx, 0.0},
                 {0.0, 0.0, 0.0, 1.0}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            to[i][j] = turn[i][j];
}

static void about_axis(const double *r, double to[3][3])
{
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], theta = sqrt(square);
    double a[3] = {r[0] / theta, r[1] / theta, r[2] / theta}, c = cos(theta), s = sin(theta);
    double skew[3][3] = {{0.0, -a[2], a[1]}, {a[2], 0.0, -a[0]}, {-a[1], a[0], 0.0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[i][j] = (i == j ? c : 0.0) + s * skew[i][j] + (1.0 - c) * a[i] * a[j];
}

double ht_ref(I v, I c, const double *theta, const double *relatives, const double *inverses,
              const double *base, const double *weights, const double *points, const I *vertices,
              double *errors)
{
    double absolute[22][16], transform[22][16], turn[3][3];
    double *placed = calloc((size_t)v * 3, sizeof *placed);
    for (int bone = 0; bone < 22; bone++) {
        int joint = (bone - 2) % 4, first = 6 + 4 * ((bone - 2) / 4);
        int parent = bone == 0 ? -1 : bone == 1 || joint == 0 ? 0 : bone - 1;
        double x = bone < 2 || joint == 3 ? 0.0 : theta[joint == 0 ? first : first + joint + 1];
        Four own;
        turn_about(x, bone >= 2 && joint == 0 ? theta[first + 1] : 0.0, 0.0, own);
        product(relatives + bone * 16, own[0], transform[bone]);
        if (parent >= 0)
            product(absolute[parent], transform[bone], absolute[bone]);
        for (int i = 0; parent < 0 && i < 16; i++)
            absolute[bone][i] = transform[bone][i];
    }
    for (int bone = 0; bone < 22; bone++)
        product(absolute[bone], inverses + bone * 16, transform[bone]);
    for (int bone = 0; bone < 22; bone++)
        for (I i = 0; i < v; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0.0;
                for (int k = 0; k < 4; k++)
                    sum += transform[bone][j * 4 + k] * base[i * 4 + k];
                placed[i * 3 + j] += weights[bone * v + i] * sum;
            }
    about_axis(theta, turn);
    for (I i = 0; i < c; i++)
        for (int j = 0; j < 3; j++) {
            double at = theta[3 + j];
            for (int k = 0; k < 3; k++)
                at += turn[j][k] * placed[vertices[i] * 3 + k];
            errors[i * 3 + j] = points[i * 3 + j] - at;
        }
    free(placed);
    return 0.0;
}
