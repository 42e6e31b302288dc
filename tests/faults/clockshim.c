/* For LD_PRELOAD: the wall clock jumps forth and back by CLOCK_JUMP seconds every CLOCK_EVERY
 * milliseconds of the monotonic clock, which itself runs on as it is. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now);
int gettimeofday(struct timeval *restrict now, void *restrict zone);
time_t time(time_t *now);

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : atol(text);
}

static time_t jump(void)
{
    struct timespec steady;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &steady);
    long elapsed = steady.tv_sec * 1000 + steady.tv_nsec / 1000000;
    long turn = elapsed / setting("CLOCK_EVERY", 200) % 3;
    return (turn - 1) * setting("CLOCK_JUMP", 86400);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += jump();
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now)
{
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (now != NULL)
        *now = precise.tv_sec;
    return precise.tv_sec;
}
