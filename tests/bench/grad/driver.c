// driver.c - times a function and its gradient: `driver SIZE ROUNDS` prints the least time of each,
// in nanoseconds for an operation, of interleaved rounds, and the peak of memory in bytes.
// -include the header of the gradient, and -D one of LOOP, LIST, TREE and F.

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

#ifndef LOOP
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
    printf("%.4f %.4f %ld\n", best[0], best[1], peak());
    return ERROR() != NULL;
}
