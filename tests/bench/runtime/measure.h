// measure.h - what the C programs of this folder measure and print, as bare.py does.
//
// `trip SECONDS`, the median round trip; of the stream one way `cpu SECONDS`, the processor time of
// this process, and `wall SECONDS`; `gap SECONDS`, the longest wait for a message that comes each
// millisecond.

#ifndef PYCHORAL_TESTS_MEASURE_H
#define PYCHORAL_TESTS_MEASURE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { WARM_UP = 200 };                 // round trips, and messages

static inline double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

// Processor time of all threads of this process so far.
static inline double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static inline double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void print_median(double *trips, int64_t count)
{
    qsort(trips, (size_t)count, sizeof *trips, compare_doubles);
    printf("trip %.9f\n", count ? trips[count / 2] : 0.0);
}

static inline void print_cpu(double cpu_since, double since)
{
    printf("cpu %.9f\n", cpu_seconds() - cpu_since);
    printf("wall %.9f\n", clock_seconds() - since);
}

#endif
