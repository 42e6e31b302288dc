// by_hand.h - what the programs by hand of bench_c.py share: processor time as they print it.

#ifndef PYCHORAL_TESTS_BY_HAND_H
#define PYCHORAL_TESTS_BY_HAND_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline int64_t amount(int argc, char **argv)
{
    return argc > 1 ? strtoll(argv[1], NULL, 10) : 0;
}

static inline uint64_t next_number(uint64_t x) { return (x * 1103515245 + 12345) % 2147483648; }

#endif
