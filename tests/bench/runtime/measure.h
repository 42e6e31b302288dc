// measure.h - what the programs of this folder measure: CPU time of their process, round trips.
//
// Each prints one line of JSON when it is done: {"count": N, "cpu_us": PER_MESSAGE, "p50_us":
// MEDIAN}.

#ifndef PYCHORAL_TESTS_MEASURE_H
#define PYCHORAL_TESTS_MEASURE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static inline double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

// CPU time of all threads of this process so far.
static inline double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static inline double clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Prints the result; `trips` (may be NULL) are round trips in us.
static inline void print_result(int64_t count, double cpu, double *trips)
{
    double median = 0;
    if (trips && count > 0) {
        qsort(trips, (size_t)count, sizeof *trips, compare_doubles);
        median = trips[count / 2];
    }
    printf("{\"count\": %" PRId64 ", \"cpu_us\": %.4f, \"p50_us\": %.3f}\n", count,
           cpu * 1e6 / (double)(count > 0 ? count : 1), median);
    fflush(stdout);
}

#endif
