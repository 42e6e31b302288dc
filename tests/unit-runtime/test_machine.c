// test_machine.c - the machine, rule by rule of PROTOCOL.md section 2, and when memory runs out.

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "pair.h"

static Pair pair;

static void setup(void) { pair_configure(&pair); }

static void teardown(void) { pair_free(&pair); }

static void expect(int end, const char *text)
{
    PychoralMessage message;
    ck_assert_msg(pair_take(&pair, end, &message), "no message where %s was due", text);
    ck_assert_int_eq(message.kind, PYCHORAL_DATA);
    ck_assert_uint_eq(message.count, 1);
    ck_assert_uint_eq(message.frames[0].size, strlen(text));
    ck_assert_mem_eq(message.frames[0].data, text, strlen(text));
    pychoral_message_drop(&message);
}

static void expect_nothing(int end)
{
    PychoralMessage message;
    ck_assert(!pair_take(&pair, end, &message));
}

// ---- connections ----

START_TEST(nothing_but_hello_before_welcome)
{
    pair_start(&pair);
    ck_assert_int_eq(pair_send(&pair, 1, "early"), PYCHORAL_FULL);
    pair_connect(&pair);
    ck_assert_uint_eq(pair.ends[1].sent_count, 1);
    ck_assert_uint_eq(pair_count(&pair, 1, PYCHORAL_HELLO), 1);
    ck_assert_int_eq(pair_send(&pair, 1, "early"), PYCHORAL_FULL);
    pair_settle(&pair);
    ck_assert_int_eq(pair_send(&pair, 1, "now"), PYCHORAL_SENT);
    pair_settle(&pair);
    expect(0, "now");
}
END_TEST

START_TEST(what_was_lost_comes_on_the_next_connection)
{
    pair_up(&pair);
    pair_send(&pair, 1, "one");
    pair_settle(&pair);
    pair_send(&pair, 1, "two");
    pair_send(&pair, 1, "three");
    pair_send(&pair, 0, "back");
    pair_lose(&pair);
    pychoral_machine_lost(pair.ends[1].machine, pair.now, pair.conn);
    ck_assert_uint_eq(pair.ends[1].dials, 2);
    pair_connect(&pair);
    pair_settle(&pair);
    expect(0, "one");
    expect(0, "two");
    expect(0, "three");
    expect(1, "back");
    expect_nothing(0);
}
END_TEST

START_TEST(frames_of_a_replaced_connection_are_dropped)
{
    pair_up(&pair);
    pair_send(&pair, 1, "once");
    Sent late = pair.ends[1].sent[0];
    late.frames[0].owner = pychoral_buffer_retain(late.frames[0].owner);
    pychoral_machine_lost(pair.ends[1].machine, pair.now, 1);
    pair_lose(&pair);
    pair_connect(&pair);
    pair_settle(&pair);
    pychoral_machine_frame(pair.ends[0].machine, pair.now, 1, late.frames, 1);
    ck_assert_uint_eq(pair_count(&pair, 0, PYCHORAL_REFUSE), 1);
    expect(0, "once");
    expect_nothing(0);
    pychoral_buffer_release(late.frames[0].owner);
}
END_TEST

static void check_refusal(uint16_t code, bool listener_fails, const char *text)
{
    uint64_t number = 0;
    pair_start(&pair);
    pair_connect(&pair);
    pair_settle(&pair);
    ck_assert(pair_told(&pair, 1, PYCHORAL_EVENT_REFUSED, &number));
    ck_assert_uint_eq(number, code);
    ck_assert_ptr_nonnull(strstr(pair.ends[1].text, text));
    ck_assert_int_eq(pair_told(&pair, 0, PYCHORAL_EVENT_FAULT, &number), listener_fails);
    ck_assert(pychoral_machine_may_leave(pair.ends[1].machine));
    ck_assert_int_eq(pair_send(&pair, 1, "x"), PYCHORAL_GONE);
}

START_TEST(another_program_is_refused)
{
    pair.ends[1].config.hash[0] = 1;
    check_refusal(PYCHORAL_BAD_PROTOCOL, true, "another program");
}
END_TEST

START_TEST(another_run_is_refused)
{
    pair.ends[1].config.run_id[0] = 1;
    pair.ends[1].config.run_name = "other";
    check_refusal(PYCHORAL_BAD_RUN, false, "the run other, not test");
}
END_TEST

START_TEST(another_role_is_refused)
{
    pair.ends[1].config.me = "Mallory";
    check_refusal(PYCHORAL_BAD_ROLE, true, "Mallory");
}
END_TEST

START_TEST(another_limit_is_refused)
{
    pair.ends[1].config.max_message = 5;
    check_refusal(PYCHORAL_LIMITS, true, " is 5 bytes, but that of ");
}
END_TEST

START_TEST(an_older_process_is_refused)
{
    pair.ends[1].config.incarnation = 5;
    pair_up(&pair);
    pair.ends[1].config.incarnation = 4;
    pair_make(&pair, 1);
    pychoral_machine_start(pair.ends[1].machine, pair.now);
    pair_connect(&pair);
    pair_settle(&pair);
    uint64_t code = 0;
    ck_assert(pair_told(&pair, 1, PYCHORAL_EVENT_REFUSED, &code));
    ck_assert_uint_eq(code, PYCHORAL_OLDER);
    ck_assert(!pair_state(&pair, 0).failed);
}
END_TEST

START_TEST(a_lost_state_stops_both)
{
    pair_up(&pair);
    pair_send(&pair, 0, "one");
    pair_settle(&pair);
    expect(1, "one");
    pair_tick(&pair, 100);
    pair_settle(&pair);
    ck_assert_uint_eq(pair_state(&pair, 0).acked, 1);
    pair.ends[1].config.incarnation = 2;
    pair_make(&pair, 1);
    pychoral_machine_start(pair.ends[1].machine, pair.now);
    pair_connect(&pair);
    pair_settle(&pair);
    pair_tick(&pair, 1000);     // the process that was there does not answer
    pair_settle(&pair);
    uint64_t code = 0;
    ck_assert(pair_told(&pair, 1, PYCHORAL_EVENT_REFUSED, &code));
    ck_assert_uint_eq(code, PYCHORAL_STATE_LOST);
    ck_assert(pair_told(&pair, 0, PYCHORAL_EVENT_FAULT, &code));
    ck_assert_uint_eq(code, PYCHORAL_STATE_LOST);
}
END_TEST

START_TEST(ten_breaks_are_a_fault)
{
    pair_up(&pair);
    uint64_t code = 0;
    for (int i = 0; i < 10; i++) {
        ck_assert(!pair_told(&pair, 1, PYCHORAL_EVENT_FAULT, &code));
        pair_give(&pair, 1, pair.conn, (const uint8_t *)"junk", 4);
        pair_connect(&pair);
        pair_settle(&pair);
    }
    ck_assert(pair_told(&pair, 1, PYCHORAL_EVENT_FAULT, &code));
    ck_assert_uint_eq(code, PYCHORAL_BAD_PROTOCOL);
}
END_TEST

// ---- windows ----

START_TEST(a_full_window_opens_when_messages_are_read)
{
    pair.ends[0].config.window_messages = 2;
    pair_up(&pair);
    ck_assert_int_eq(pair_send(&pair, 1, "1"), PYCHORAL_SENT);
    ck_assert_int_eq(pair_send(&pair, 1, "2"), PYCHORAL_SENT);
    ck_assert_int_eq(pair_send(&pair, 1, "3"), PYCHORAL_FULL);
    pair_settle(&pair);
    ck_assert_uint_eq(pair_state(&pair, 1).acked, 2);           // safe,
    ck_assert_int_eq(pair_send(&pair, 1, "3"), PYCHORAL_FULL);  // but not read
    expect(0, "1");
    pair_settle(&pair);
    ck_assert_int_eq(pair_send(&pair, 1, "3"), PYCHORAL_SENT);
}
END_TEST

START_TEST(bytes_count_too_and_one_large_message_may_go_alone)
{
    pair.ends[0].config.window_bytes = 10;
    pair_up(&pair);
    ck_assert_int_eq(pair_send(&pair, 1, "more than ten bytes"), PYCHORAL_SENT);
    ck_assert_int_eq(pair_send(&pair, 1, "x"), PYCHORAL_FULL);
    pair_settle(&pair);
    expect(0, "more than ten bytes");
    pair_settle(&pair);
    ck_assert_int_eq(pair_send(&pair, 1, "12345"), PYCHORAL_SENT);
    ck_assert_int_eq(pair_send(&pair, 1, "67890"), PYCHORAL_SENT);
    ck_assert_int_eq(pair_send(&pair, 1, "x"), PYCHORAL_FULL);
}
END_TEST

START_TEST(too_large_is_said_before_anything_is_sent)
{
    pair.ends[0].config.max_message = pair.ends[1].config.max_message = 3;
    pair_up(&pair);
    ck_assert_int_eq(pair_send(&pair, 1, "four"), PYCHORAL_LARGE);
    ck_assert_uint_eq(pair.ends[1].sent_count, 0);
    ck_assert_int_eq(pair_send(&pair, 1, "thr"), PYCHORAL_SENT);
}
END_TEST

START_TEST(large_payloads_are_lent)
{
    pair_up(&pair);
    PychoralBuffer *buffer = pychoral_buffer_new(100000);
    memset(buffer->data, 'x', buffer->size);
    PychoralFrame frames[] = {{"value", 5, NULL}, {buffer->data, buffer->size, buffer}};
    ck_assert_int_eq(pychoral_machine_send(pair.ends[1].machine, pair.now, PYCHORAL_DATA, 1, 0,
                                           frames, 2), PYCHORAL_SENT);
    ck_assert_uint_eq(atomic_load(&buffer->refs), 2);  // the window has it, nobody a copy
    pair_settle(&pair);
    PychoralMessage message;
    ck_assert(pair_take(&pair, 0, &message));
    ck_assert_uint_eq(message.count, 2);
    ck_assert_uint_eq(message.frames[0].size, 5);
    ck_assert_uint_eq(message.frames[1].size, 100000);
    ck_assert_ptr_nonnull(message.frames[1].owner);
    pychoral_message_drop(&message);
    pair_tick(&pair, 100);
    pair_settle(&pair);
    ck_assert_uint_eq(atomic_load(&buffer->refs), 1);
    pychoral_buffer_release(buffer);
}
END_TEST

// What came before is the machine's own; what comes while it borrows is read where it is.
START_TEST(small_payloads_are_read_where_they_are)
{
    PychoralMessage message;
    pair_up(&pair);
    pair_send(&pair, 1, "kept");
    pair_settle(&pair);
    pair_send(&pair, 1, "lent");
    Sent *sent = &pair.ends[1].sent[0];
    PychoralFrame frame = {sent->frames[0].data, sent->frames[0].size, NULL};
    const char *end = (const char *)frame.data + frame.size;
    pychoral_machine_lend(pair.ends[0].machine, true);
    pychoral_machine_frame(pair.ends[0].machine, pair.now, pair.conn, &frame, 1);
    pychoral_machine_lend(pair.ends[0].machine, false);
    expect(0, "kept");
    ck_assert(pair_take(&pair, 0, &message));
    ck_assert_ptr_eq(message.frames[0].data, end - strlen("lent"));
    pychoral_message_drop(&message);
    expect_nothing(0);
}
END_TEST

START_TEST(sizes_around_the_limit_of_one_frame)
{
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 65535, 65536};
    static char bytes[65536];
    pair_up(&pair);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        PychoralFrame frame = {bytes, sizes[i], NULL};
        memset(bytes, 'a' + (int)i, sizeof bytes);
        ck_assert_int_eq(pychoral_machine_send(pair.ends[1].machine, pair.now, PYCHORAL_DATA, 1, 0,
                                               &frame, 1), PYCHORAL_SENT);
        ck_assert_uint_eq(pair.ends[1].sent[0].count, sizes[i] > 4096 ? 2 : 1);
        pair_settle(&pair);
        PychoralMessage message;
        ck_assert(pair_take(&pair, 0, &message));
        ck_assert_uint_eq(message.frames[0].size, sizes[i]);
        ck_assert_mem_eq(message.frames[0].data, bytes, sizes[i]);
        pychoral_message_drop(&message);
        pair_settle(&pair);
    }
}
END_TEST

// ---- the end ----

START_TEST(both_leave_confirmed)
{
    uint64_t confirmed = 0;
    pair_up(&pair);
    pychoral_machine_end(pair.ends[0].machine, pair.now, 0);
    pychoral_machine_end(pair.ends[1].machine, pair.now, 0);
    pair_settle(&pair);
    pair_tick(&pair, 0);
    for (int end = 0; end < 2; end++) {
        ck_assert(pair_told(&pair, end, PYCHORAL_EVENT_LEFT, &confirmed));
        ck_assert_uint_eq(confirmed, 1);
    }
}
END_TEST

START_TEST(an_end_that_nobody_hears_is_not_confirmed)
{
    uint64_t confirmed = 1;
    pair_up(&pair);
    pychoral_machine_end(pair.ends[0].machine, pair.now, 0);
    pair_lose(&pair);
    pair_tick(&pair, 4999);
    pair_lose(&pair);
    ck_assert(!pair_told(&pair, 0, PYCHORAL_EVENT_LEFT, NULL));
    pair_tick(&pair, 1);
    ck_assert(pair_told(&pair, 0, PYCHORAL_EVENT_LEFT, &confirmed));
    ck_assert_uint_eq(confirmed, 0);
}
END_TEST

START_TEST(an_error_is_read_in_its_place)
{
    pair_up(&pair);
    pair_send(&pair, 0, "before");
    pychoral_machine_error(pair.ends[0].machine, pair.now, pychoral_text("Alice"),
                           pychoral_text("ValueError"), pychoral_text("no \xff good"));
    pair_settle(&pair);
    ck_assert(pair_told(&pair, 1, PYCHORAL_EVENT_PEER_ERROR, NULL));
    ck_assert_str_eq(pair.ends[1].text, "no ? good");
    ck_assert_int_eq(pair_send(&pair, 1, "for nobody"), PYCHORAL_GONE);
    expect(1, "before");
    PychoralMessage message;
    ck_assert(pair_take(&pair, 1, &message));
    ck_assert_int_eq(message.kind, PYCHORAL_ERROR);
    pychoral_message_drop(&message);
}
END_TEST

START_TEST(absent_and_gone_are_said)
{
    pair_start(&pair);
    pair_tick(&pair, 29999);
    ck_assert(!pair_told(&pair, 0, PYCHORAL_EVENT_ABSENT, NULL));
    pair_tick(&pair, 1);
    ck_assert(pair_told(&pair, 0, PYCHORAL_EVENT_ABSENT, NULL));
    ck_assert(pair_told(&pair, 1, PYCHORAL_EVENT_ABSENT, NULL));
    pair_free(&pair);
    pair_configure(&pair);
    pair_up(&pair);
    pychoral_machine_lost(pair.ends[1].machine, pair.now, pair.conn);
    pair_tick(&pair, 10000);
    ck_assert(pair_told(&pair, 1, PYCHORAL_EVENT_GONE, NULL));
}
END_TEST

START_TEST(ping_is_answered_with_progress)
{
    uint64_t steps = 0;
    pair_up(&pair);
    pychoral_machine_progress(pair.ends[0].machine, 42, 1, 7, pychoral_text("Carol"));
    pair_tick(&pair, 1000);
    ck_assert_uint_eq(pair_count(&pair, 1, PYCHORAL_PING), 1);
    pair_settle(&pair);
    ck_assert(pair_told(&pair, 1, PYCHORAL_EVENT_PONG, &steps));
    ck_assert_uint_eq(steps, 42);
}
END_TEST

// ---- durable mode ----

START_TEST(acknowledged_when_stored)
{
    uint64_t seq = 0;
    pair.ends[0].config.durable = true;
    pair_up(&pair);
    pair_send(&pair, 1, "one");
    pair_settle(&pair);
    ck_assert(pair_told(&pair, 0, PYCHORAL_EVENT_STORED_WANTED, &seq));
    ck_assert_uint_eq(seq, 1);
    pair_tick(&pair, 1000);
    pair_settle(&pair);
    ck_assert_uint_eq(pair_state(&pair, 1).acked, 0);
    pychoral_machine_stored(pair.ends[0].machine, pair.now, 1);
    pair_tick(&pair, 100);
    pair_settle(&pair);
    ck_assert_uint_eq(pair_state(&pair, 1).acked, 1);
}
END_TEST

START_TEST(a_restarted_role_goes_on_from_its_journal)
{
    pair.ends[0].config.durable = true;
    pair_up(&pair);
    pair_send(&pair, 1, "one");
    Sent first = pair.ends[1].sent[0];
    pychoral_buffer_retain(first.frames[0].owner);
    pair_settle(&pair);
    pychoral_machine_stored(pair.ends[0].machine, pair.now, 1);
    pair_send(&pair, 0, "answer");
    pair_settle(&pair);
    pair_send(&pair, 1, "two");
    pair_lose(&pair);
    pair.ends[0].config.incarnation = 2;
    pair_make(&pair, 0);
    pychoral_machine_restore(pair.ends[0].machine, first.frames, 1);
    pychoral_buffer_release(first.frames[0].owner);
    pychoral_machine_start(pair.ends[0].machine, pair.now);
    pychoral_machine_lost(pair.ends[1].machine, pair.now, pair.conn);
    pair_connect(&pair);
    pair_settle(&pair);
    expect(0, "one");
    ck_assert_int_eq(pair_send(&pair, 0, "answer"), PYCHORAL_SENT);
    pair_settle(&pair);
    expect(0, "two");
    expect(1, "answer");
    expect_nothing(1);
}
END_TEST

// ---- memory ----

// The nth allocation and all later ones fail, for every n: a fault at most, and nothing leaks.
static void exchange(void)
{
    static char bytes[10000];
    PychoralFrame frames[] = {{bytes, 5000, NULL}, {bytes, 10000, NULL}};
    PychoralMessage message;
    for (int i = 0; i < 40; i++) {
        pair_send(&pair, 1, "small");
        pychoral_machine_send(pair.ends[1].machine, pair.now, PYCHORAL_DATA, 1, 0, frames, 2);
        if (i % 8 == 7)
            pair_settle(&pair);
    }
    while (pair_take(&pair, 0, &message))
        pychoral_message_drop(&message);
    pychoral_machine_end(pair.ends[1].machine, pair.now, 0);
    pair_settle(&pair);
}

START_TEST(memory_that_runs_out_is_a_fault)
{
    long before = allocations_open();
    for (long left = 0; left < 120; left++) {
        pair_configure(&pair);
        pair_up(&pair);
        allocations_fail_after(left);
        exchange();
        allocations_fail_after(-1);
        for (int end = 0; end < 2; end++)
            if (pair_state(&pair, end).failed)
                ck_assert_uint_gt(strlen(pair.ends[end].text), 0);
        pair_free(&pair);
        ck_assert_int_eq(allocations_open(), before);
    }
    pair_configure(&pair);
}
END_TEST

START_TEST(a_machine_needs_names_and_memory)
{
    PychoralConfig config = pychoral_config_default();
    PychoralOutput output = {0};
    long before = allocations_open();
    ck_assert_ptr_null(pychoral_machine_new(&config, &output));
    config.me = "Alice";
    config.peer = "Bob";
    for (long left = 0; left < 5; left++) {
        allocations_fail_after(left);
        PychoralMachine *machine = pychoral_machine_new(&config, &output);
        allocations_fail_after(-1);
        ck_assert_ptr_null(machine);
    }
    ck_assert_int_eq(allocations_open(), before);
}
END_TEST

Suite *machine_suite(void);

Suite *machine_suite(void)
{
    Suite *suite = suite_create("machine");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, setup, teardown);
    tcase_add_test(rules, nothing_but_hello_before_welcome);
    tcase_add_test(rules, what_was_lost_comes_on_the_next_connection);
    tcase_add_test(rules, frames_of_a_replaced_connection_are_dropped);
    tcase_add_test(rules, another_program_is_refused);
    tcase_add_test(rules, another_run_is_refused);
    tcase_add_test(rules, another_role_is_refused);
    tcase_add_test(rules, another_limit_is_refused);
    tcase_add_test(rules, an_older_process_is_refused);
    tcase_add_test(rules, a_lost_state_stops_both);
    tcase_add_test(rules, ten_breaks_are_a_fault);
    tcase_add_test(rules, a_full_window_opens_when_messages_are_read);
    tcase_add_test(rules, bytes_count_too_and_one_large_message_may_go_alone);
    tcase_add_test(rules, too_large_is_said_before_anything_is_sent);
    tcase_add_test(rules, large_payloads_are_lent);
    tcase_add_test(rules, small_payloads_are_read_where_they_are);
    tcase_add_test(rules, sizes_around_the_limit_of_one_frame);
    tcase_add_test(rules, both_leave_confirmed);
    tcase_add_test(rules, an_end_that_nobody_hears_is_not_confirmed);
    tcase_add_test(rules, an_error_is_read_in_its_place);
    tcase_add_test(rules, absent_and_gone_are_said);
    tcase_add_test(rules, ping_is_answered_with_progress);
    tcase_add_test(rules, acknowledged_when_stored);
    tcase_add_test(rules, a_restarted_role_goes_on_from_its_journal);
    tcase_add_test(rules, memory_that_runs_out_is_a_fault);
    tcase_add_test(rules, a_machine_needs_names_and_memory);
    suite_add_tcase(suite, rules);
    return suite;
}
