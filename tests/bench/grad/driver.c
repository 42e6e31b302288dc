// driver.c - times a function and its gradient: `driver SIZE ROUNDS` prints the least time of each,
// in nanoseconds for an operation, of interleaved rounds, and the bytes for an operation that the
// first gradient took.
// -include the header of the gradient, and -D one of LOOP, LIST, TREE, DET, SCAN and F.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define GRADIENT JOIN(F, _value_and_grad)
#define ERROR JOIN(F, _error)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// The most memory that was in use, in bytes.
static long peak(void)
{
    char line[256];
    long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1)
            break;
    if (status != NULL)
        fclose(status);
    return kilobytes * 1024;
}

static volatile double sink;

#if defined LOOP
typedef struct Input { long size; } Input;
static Input input(long size) { return (Input){size}; }
static double operations(const Input *in) { return (double)in->size; }
static void value(const Input *in) { sink = F(1.0 + 1e-9, in->size); }
static void gradient(Input *in)
{
    double x;
    sink = GRADIENT(1.0 + 1e-9, in->size, &x);
    sink = x;
}
#elif defined LIST
typedef struct Input { long size; Cons *data, *grad; } Input;
static Input input(long size)
{
    Cons *cells = malloc((size_t)size * sizeof *cells);
    for (long i = 0; i < size; i++)
        cells[i] = (Cons){1.0 + 1e-9 * (double)(i % 7), i + 1 < size ? &cells[i + 1] : NULL};
    return (Input){size, cells, cons_twin(cells)};
}
static double operations(const Input *in) { return (double)in->size; }
#elif defined DET
// A square matrix; an operation is a minor that is looked at.
typedef struct Input { long size; double *data, *grad; } Input;
static Input input(long size)
{
    size_t bytes = (size_t)(size * size) * sizeof(double);
    Input in = {size, malloc(bytes), malloc(bytes)};
    for (long i = 0; i < size * size; i++)
        in.data[i] = (double)(i * i % 17) - 8.0 + (i % (size + 1) == 0 ? 12.0 : 0.0);
    return in;
}
static double operations(const Input *in)
{
    double all = 1.0;
    for (long n = 2; n <= in->size; n++)
        all = all * (double)n + 1.0;
    return all;
}
static void value(const Input *in)
{
    sink = F(in->data, in->size * in->size, in->size);
}
static void gradient(Input *in)
{
    sink = GRADIENT(in->data, in->size * in->size, in->size, in->grad);
    sink = in->grad[0];
}
#elif defined SCAN
// `size` steps of 60 floats; an operation is one of them in one step.
enum { LEAVES = 60 };
typedef struct Input { long size; double data[2][LEAVES], grad[2][LEAVES]; } Input;
static Input input(long size)
{
    Input in = {.size = size};
    for (int i = 0; i < LEAVES; i++) {
        in.data[0][i] = 0.01 * i - 0.3;
        in.data[1][i] = 1.0 + 0.005 * i;
    }
    return in;
}
static double operations(const Input *in) { return (double)(in->size * LEAVES); }
static void value(const Input *in)
{
    sink = F(in->data[0], LEAVES, in->data[1], LEAVES, in->size);
}
static void gradient(Input *in)
{
    sink = GRADIENT(in->data[0], LEAVES, in->data[1], LEAVES, in->size, in->grad[0], in->grad[1]);
    sink = in->grad[0][0];
}
#else
typedef struct Input { long size; Node *data, *grad; } Input;
static Node *tree(long height, double v)
{
    Node *t = height == 0 ? NULL : malloc(sizeof *t);
    if (t != NULL)
        *t = (Node){v * (double)height, tree(height - 1, v), tree(height - 1, v)};
    return t;
}
static Input input(long height)
{
    Node *t = tree(height, 1e-4);
    return (Input){height, t, node_twin(t)};
}
static double operations(const Input *in) { return (double)(2L << in->size); }
#endif

#if !defined LOOP && !defined DET && !defined SCAN
static void value(const Input *in) { sink = F(in->data, 0.5); }
static void gradient(Input *in)
{
    double x;
    sink = GRADIENT(in->data, 0.5, in->grad, &x);
    sink = x;
}
#endif

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    Input in = input(atol(argv[1]));
    double best[2] = {1e300, 1e300}, ops = operations(&in);
    long repeat = (long)(2e6 / ops) + 1;
    value(&in);
    long before = peak();
    gradient(&in);
    double bytes = (double)(peak() - before) / ops;
    for (int round = 0; round < atoi(argv[2]); round++)
        for (int kind = 0; kind < 2; kind++) {
            double start = now();
            for (long i = 0; i < repeat; i++)
                if (kind == 0)
                    value(&in);
                else
                    gradient(&in);
            double time = (now() - start) / (double)repeat / ops;
            best[kind] = time < best[kind] ? time : best[kind];
        }
    if (ERROR() != NULL)
        fprintf(stderr, "%s\n", ERROR());
    printf("%.4f %.4f %.2f\n", best[0], best[1], bytes);
    return ERROR() != NULL;
}
