// time.c - clocks, sleep and dates as text, as CPython has them on POSIX systems.

#define _DEFAULT_SOURCE 1  // tm_gmtoff

#include "time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../builtins/process.h"
#include "../role.h"

enum { SECOND = 1000000000 };

// ---- clocks ----

static int64_t read_clock(clockid_t clock)
{
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

// Nanoseconds as seconds: whole ones without rounding twice.
static double seconds_of(int64_t time)
{
    return time % SECOND == 0 ? (double)(time / SECOND) : (double)time / 1e9;
}

// What a clock shows, or showed when `effect` was recorded.
static double recorded_seconds(const char *effect, clockid_t clock)
{
    double seconds = 0;
    if (pychoral_effect_replayed(effect, &pychoral_type_float, &seconds) ||
        pychoral_raised != NULL)
        return seconds;
    seconds = seconds_of(read_clock(clock));
    pychoral_effect_record(effect, &pychoral_type_float, &seconds);
    return seconds;
}

static PychoralInt recorded_time(const char *effect, clockid_t clock)
{
    PychoralInt time = {0, NULL};
    if (pychoral_effect_replayed(effect, &pychoral_type_int, &time) || pychoral_raised != NULL)
        return time;
    time = pychoral_int(read_clock(clock));
    pychoral_effect_record(effect, &pychoral_type_int, &time);
    return time;
}

double pychoral_time_time(void) { return recorded_seconds("time.time", CLOCK_REALTIME); }

double pychoral_time_monotonic(void)
{
    return recorded_seconds("time.monotonic", CLOCK_MONOTONIC);
}

double pychoral_time_perf_counter(void)
{
    return recorded_seconds("time.perf_counter", CLOCK_MONOTONIC);
}

double pychoral_time_process_time(void)
{
    return recorded_seconds("time.process_time", CLOCK_PROCESS_CPUTIME_ID);
}

double pychoral_time_thread_time(void)
{
    return recorded_seconds("time.thread_time", CLOCK_THREAD_CPUTIME_ID);
}

PychoralInt pychoral_time_time_ns(void) { return recorded_time("time.time_ns", CLOCK_REALTIME); }

PychoralInt pychoral_time_monotonic_ns(void)
{
    return recorded_time("time.monotonic_ns", CLOCK_MONOTONIC);
}

PychoralInt pychoral_time_perf_counter_ns(void)
{
    return recorded_time("time.perf_counter_ns", CLOCK_MONOTONIC);
}

PychoralInt pychoral_time_process_time_ns(void)
{
    return recorded_time("time.process_time_ns", CLOCK_PROCESS_CPUTIME_ID);
}

PychoralInt pychoral_time_thread_time_ns(void)
{
    return recorded_time("time.thread_time_ns", CLOCK_THREAD_CPUTIME_ID);
}

// ---- sleep ----

static bool is_number(double seconds)
{
    if (isnan(seconds))
        pychoral_throw(&pychoral_type_ValueError, "Invalid value NaN (not a number)");
    return !isnan(seconds);
}

// Whether no signal has come that ends the role. False: it raised.
static bool goes_on(void)
{
    PychoralRole *role = pychoral_self();
    if (role == NULL || atomic_load(&role->interrupted) == 0)
        return true;
    return pychoral_enter(role) ? pychoral_leave(role, true) : pychoral_com_failed();
}

// Waits until the clock shows `end`; looks now and then whether it should, as another thread takes
// the signals.
static void wait_until(int64_t end)
{
    const int64_t patience = SECOND / 20;
    int64_t now = read_clock(CLOCK_MONOTONIC);
    while (now < end && goes_on()) {
        int64_t rest = end - now < patience ? end - now : patience;
        nanosleep(&(struct timespec){0, (long)rest}, NULL);
        now = read_clock(CLOCK_MONOTONIC);
    }
}

void pychoral_time_sleep(double seconds)
{
    int64_t end;
    double nanoseconds = ceil(seconds * 1e9);
    if (!is_number(seconds))
        return;
    if (!(nanoseconds >= -0x1p63 && nanoseconds < 0x1p63))
        pychoral_throw(&pychoral_type_OverflowError,
                       "timestamp too large to convert to C _PyTime_t");
    else if (nanoseconds < 0)
        pychoral_throw(&pychoral_type_ValueError, "sleep length must be non-negative");
    else if (__builtin_add_overflow(read_clock(CLOCK_MONOTONIC), (int64_t)nanoseconds, &end))
        wait_until(INT64_MAX);
    else
        wait_until(end);
}

// ---- dates ----

// Raises OSError with the number and the words of errno.
static void system_error(int number)
{
    PychoralStr *words = pychoral_str_new(strerror(number), strlen(strerror(number)));
    PychoralAny args[] = {{&pychoral_type_int, {.number = pychoral_int(number)}},
                          {&pychoral_type_str, {.pointer = words}}};
    pychoral_throw_with(&pychoral_type_OSError, 2, args);
    pychoral_drop_str(&words);
}

// The local date of a time. False: it raised.
static bool local_date(double seconds, struct tm *date)
{
    double whole = floor(seconds);
    if (!is_number(seconds))
        return false;
    if (!(whole >= -0x1p63 && whole < 0x1p63)) {
        pychoral_throw(&pychoral_type_OverflowError,
                       "timestamp out of range for platform time_t");
        return false;
    }
    time_t time = (time_t)whole;
    errno = 0;
    if (localtime_r(&time, date) != NULL)
        return true;
    system_error(errno == 0 ? EINVAL : errno);
    return false;
}

// The date as strftime writes it, owned; the format ends in NUL.
static PychoralStr *formatted(const char *format, const struct tm *date)
{
    size_t length = strlen(format), room = 1024;
    char *text = NULL;
    size_t size = 0;
    while (size == 0 && room <= 1024 + 256 * length) {
        text = pychoral_reallocate(text, room);
        size = strftime(text, room, format, date);
        room *= 2;
    }
    PychoralStr *str = pychoral_str_new(text, size);
    free(text);
    return str;
}

PychoralStr *pychoral_time_strftime(const PychoralStr *format)
{
    struct tm date;
    if (!local_date(recorded_seconds("time.strftime", CLOCK_REALTIME), &date) ||
        pychoral_raised != NULL)
        return NULL;
    if (memchr(format->data, '\0', format->size) != NULL) {
        pychoral_throw(&pychoral_type_ValueError, "embedded null character");
        return NULL;
    }
    char *text = pychoral_allocate(format->size + 1);
    memcpy(text, format->data, format->size);
    text[format->size] = '\0';
    PychoralStr *result = formatted(text, &date);
    free(text);
    return result;
}

PychoralStr *pychoral_time_ctime(double seconds)
{
    struct tm date;
    if (!local_date(seconds, &date))
        return NULL;
    return formatted("%a %b %e %H:%M:%S %Y", &date);
}

PychoralStr *pychoral_time_ctime_now(void)
{
    double seconds = recorded_seconds("time.ctime", CLOCK_REALTIME);
    return pychoral_raised == NULL ? pychoral_time_ctime(seconds) : NULL;
}

// ---- the zone, by its offsets half a year apart ----

typedef struct Zone {
    int64_t standard, saving;
} Zone;

static Zone zone(void)
{
    const time_t year = (time_t)(365 * 24 + 6) * 3600;
    time_t winter = time(NULL) / year * year, summer = winter + year / 2;
    struct tm date;
    localtime_r(&winter, &date);
    int64_t first = -date.tm_gmtoff;
    localtime_r(&summer, &date);
    int64_t second = -date.tm_gmtoff;
    return first < second ? (Zone){second, first} : (Zone){first, second};
}

PychoralInt pychoral_time_timezone(void) { return pychoral_int(zone().standard); }
PychoralInt pychoral_time_altzone(void) { return pychoral_int(zone().saving); }

PychoralInt pychoral_time_daylight(void)
{
    Zone here = zone();
    return pychoral_int(here.standard != here.saving);
}
