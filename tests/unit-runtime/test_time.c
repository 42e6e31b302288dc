// test_time.c - a machine that is told a time before the last one: nothing is late then.
//
// An owner may look at the clock, do something that takes a moment and sets a later time, and tick
// with what it saw first. An unsigned difference would be huge, and the peer gone at once.

#include <check.h>
#include <stdint.h>

#include "machine.h"

static void count_event(void *context, const PychoralEvent *event)
{
    (void)event;
    ++*(int *)context;
}

static void nothing_sent(void *context, uint64_t conn, const PychoralFrame *frames, size_t count)
{
    (void)context, (void)conn, (void)frames, (void)count;
}

static void nothing_dialled(void *context)
{
    (void)context;
}

static void nothing_dropped(void *context, uint64_t conn)
{
    (void)context, (void)conn;
}

START_TEST(nothing_is_late_before_its_time)
{
    for (int dials = 0; dials < 2; dials++) {
        int events = 0;
        PychoralConfig config = pychoral_config_default();
        config.me = "Alice";
        config.peer = "Bob";
        config.run_name = "";
        config.dials = dials != 0;
        PychoralOutput output = {&events, nothing_sent, nothing_dialled, nothing_dropped,
                                 count_event};
        PychoralMachine *machine = pychoral_machine_new(&config, &output);
        pychoral_machine_start(machine, 1000);
        pychoral_machine_connected(machine, 1000, 1);
        pychoral_machine_tick(machine, 999);
        ck_assert_int_eq(events, 0);
        pychoral_machine_tick(machine, 1000 + config.connect);
        ck_assert_int_eq(events, 1);
        pychoral_machine_free(machine);
    }
}
END_TEST

Suite *time_suite(void);

Suite *time_suite(void)
{
    Suite *suite = suite_create("time");
    TCase *tests = tcase_create("time");
    tcase_add_test(tests, nothing_is_late_before_its_time);
    suite_add_tcase(suite, tests);
    return suite;
}
