// time.h - Python's module time: clocks, sleep and dates as text.
//
// What clocks show is recorded in durable roles, and shown again when they are started again.

#ifndef PYCHORAL_TIME_H
#define PYCHORAL_TIME_H

#include "../builtins/number.h"

// ---- clocks: seconds, or nanoseconds; they raise only what recording does ----

double pychoral_time_time(void);
double pychoral_time_monotonic(void);
double pychoral_time_perf_counter(void);
double pychoral_time_process_time(void);
double pychoral_time_thread_time(void);
PychoralInt pychoral_time_time_ns(void);
PychoralInt pychoral_time_monotonic_ns(void);
PychoralInt pychoral_time_perf_counter_ns(void);
PychoralInt pychoral_time_process_time_ns(void);
PychoralInt pychoral_time_thread_time_ns(void);

// Waits. Raises ValueError, OverflowError.
void pychoral_time_sleep(double seconds);

// ---- dates, in local time ----

// Now, as `format` says. Raises ValueError.
PychoralStr *pychoral_time_strftime(const PychoralStr *format);

// Now, and a time in seconds since 1970, as "Sun Jun 20 23:21:05 1993". Raise OverflowError,
// ValueError, OSError.
PychoralStr *pychoral_time_ctime_now(void);
PychoralStr *pychoral_time_ctime(double seconds);

// Seconds west of Greenwich, without and with daylight saving; whether there is such a thing.
PychoralInt pychoral_time_timezone(void);
PychoralInt pychoral_time_altzone(void);
PychoralInt pychoral_time_daylight(void);

#endif
