// test_pass.c - the tree of passes: a row's path and no other, each pass once; plain Python as a
// library.

#include <check.h>
#include <string.h>

#include "compiler/front/front.h"
#include "compiler/pass/pass.h"

typedef struct Run {
    PassCx cx;
    PassId seen[2 * PASS_COUNT];
    size_t count;
} Run;

static void note(void *observer, PassId id, const Unit *unit)
{
    Run *run = observer;
    ck_assert(unit == run->cx.units[id]);
    run->seen[run->count++] = id;
}

static void start(Run *run, const char *text, bool plain)
{
    Arena *a = arena_new();
    *run = (Run){.cx = {.arena = a, .names = names_new(a), .diags = diags_new(a), .plain = plain,
                        .verify = true, .observer = run, .observe = note}};
    run->cx.entry = names_get(run->cx.names, "main");
    run->cx.source = source_new(a, "t.py", (Text){text, strlen(text)});
    diags_set_source(run->cx.diags, run->cx.source);
}

static void finish(Run *run) { arena_free(run->cx.arena); }

static const char choreography[] =
    "from pychoral import At, Channel\n"
    "def main(ab: Channel[int, A, B], a: At[int, A] = 1) -> None:\n"
    "    b = ab.com(a)\n";

static const char plain[] = "def main(x: float) -> float:\n    return x * x\n";

START_TEST(each_pass_runs_once)
{
    Run run;
    start(&run, choreography, false);
    ck_assert(pass_run(&run.cx, PASS_PROJECT));
    size_t before = run.count;
    ck_assert(pass_run(&run.cx, PASS_PROJECT));
    ck_assert_uint_eq(run.count, before);
    ck_assert(pass_run(&run.cx, PASS_DESUGAR));
    for (size_t i = 1; i < run.count; i++)
        ck_assert_uint_eq(pass_after(run.seen[i]), run.seen[i - 1]);
    ck_assert_uint_eq(run.seen[run.count - 1], PASS_DESUGAR);
    finish(&run);
}
END_TEST

START_TEST(plain_python_is_a_library)
{
    Run run;
    start(&run, plain, true);
    ck_assert(pass_run(&run.cx, PASS_DESUGAR));
    const Unit *unit = run.cx.units[PASS_DESUGAR];
    ck_assert_uint_eq(unit->endpoints.endpoints.len, 0);
    ck_assert_uint_eq(unit->endpoints.modules.len, 1);
    finish(&run);
    start(&run, plain, false);
    ck_assert(!pass_run(&run.cx, PASS_DESUGAR));
    finish(&run);
    start(&run, choreography, true);
    ck_assert(pass_run(&run.cx, PASS_DESUGAR));
    ck_assert_uint_eq(run.cx.units[PASS_DESUGAR]->endpoints.modules.len, 1);
    finish(&run);
}
END_TEST

START_TEST(errors_of_plain_python_are_told)
{
    Run run;
    start(&run, "def f(x: float) -> str:\n    return x\n", true);
    ck_assert(!pass_run(&run.cx, PASS_DESUGAR));
    ck_assert_uint_eq(diags_error_count(run.cx.diags), 1);
    finish(&run);
}
END_TEST

Suite *pass_suite(void);

Suite *pass_suite(void)
{
    Suite *s = suite_create("pass");
    TCase *c = tcase_create("pass");
    tcase_add_test(c, each_pass_runs_once);
    tcase_add_test(c, plain_python_is_a_library);
    tcase_add_test(c, errors_of_plain_python_are_told);
    suite_add_tcase(s, c);
    return s;
}
