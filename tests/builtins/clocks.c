// clocks.c - prints what the functions of time.h give, for clocks.py.

#include <stdio.h>

#include "modules/time.h"

static void show(const char *name, PychoralRef value)
{
    PychoralException *raised = pychoral_catch(&pychoral_type_BaseException);
    PychoralStr *shown = raised != NULL ? pychoral_exception_repr(raised) : pychoral_repr(value);
    if (raised != NULL)
        pychoral_handled(raised);
    printf("%s %s\n", name, shown->data);
    pychoral_drop_str(&shown);
}

static void show_float(const char *name, double x)
{
    show(name, PYCHORAL_REF(pychoral_type_float, x));
}

static void show_int(const char *name, PychoralInt number)
{
    show(name, PYCHORAL_REF(pychoral_type_int, number));
}

static void show_str(const char *name, PychoralStr *text)
{
    show(name, PYCHORAL_REF(pychoral_type_str, text));
    pychoral_drop_str(&text);
}

static void show_strftime(const char *name, const char *format, size_t size)
{
    PychoralStr *text = pychoral_str_new(format, size);
    show_str(name, pychoral_time_strftime(text));
    pychoral_drop_str(&text);
}

static void show_sleep(double seconds)
{
    PychoralNone none = 0;
    pychoral_time_sleep(seconds);
    show("sleep", PYCHORAL_REF(pychoral_type_none, none));
}

int main(void)
{
    const double times[] = {0, -1.5, 1e9, 1719000000.25, -1e11, 1e12, 1e18, 1e19, NAN, INFINITY};
    const double sleeps[] = {0, 0.06, -0.0, -1, 1e20, -1e20, NAN, INFINITY};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        show_str("ctime", pychoral_time_ctime(times[i]));
    for (size_t i = 0; i < sizeof sleeps / sizeof sleeps[0]; i++)
        show_sleep(sleeps[i]);
    show_strftime("strftime", "", 0);
    show_strftime("strftime", "a\0b", 3);
    show_strftime("strftime", "\xc3\xa9 %% %n%t|", 11);
    show_strftime("strftime", "\xed\xa0\x80", 3);
    show_int("timezone", pychoral_time_timezone());
    show_int("altzone", pychoral_time_altzone());
    show_int("daylight", pychoral_time_daylight());
    show_float("time", pychoral_time_time());
    show_float("monotonic", pychoral_time_monotonic());
    show_float("perf_counter", pychoral_time_perf_counter());
    show_float("process_time", pychoral_time_process_time());
    show_float("thread_time", pychoral_time_thread_time());
    show_int("time_ns", pychoral_time_time_ns());
    show_int("monotonic_ns", pychoral_time_monotonic_ns());
    show_int("perf_counter_ns", pychoral_time_perf_counter_ns());
    show_int("process_time_ns", pychoral_time_process_time_ns());
    show_int("thread_time_ns", pychoral_time_thread_time_ns());
    show_strftime("now", "%Y-%m-%d %H:%M:%S %j %a %b %Z %z", 32);
    show_str("now", pychoral_time_ctime_now());
    return 0;
}
