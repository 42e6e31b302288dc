// test_projection.c - what no annotated program shows of the projector: that its work grows with
// the size of the choreography, and that the selections it proposes make a choreography compile.

#include <check.h>
#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/front/front.h"
#include "projection/projection.h"
#include "typecheck/typecheck.h"

typedef struct Compilation {
    Arena      *arena;
    Diags      *diags;
    const Unit *endpoints;
    size_t      used;               // bytes that projection took
} Compilation;

static Compilation compile(const char *text)
{
    Compilation c = {.arena = arena_new()};
    Names *names = names_new(c.arena);
    Sym entry = names_get(names, "main");
    const Source *source = source_new(c.arena, "t.pyc", (Text){text, strlen(text)});
    c.diags = diags_new(c.arena);
    diags_set_source(c.diags, source);
    const Unit *unit = front_parse(c.arena, names, source, c.diags);
    unit = typecheck_unit(c.arena, names, source, NULL, front_parse, unit, entry, NULL, c.diags);
    size_t before = arena_used(c.arena);
    c.endpoints = project_unit(c.arena, names, source, unit, NULL, entry, c.diags);
    c.used = arena_used(c.arena) - before;
    return c;
}

static const char header[] =
    "from enum import Enum\n"
    "from pychoral import At, Channel\n"
    "class Way(Enum):\n"
    "    L = 1\n"
    "    R = 2\n"
    "def main(ab: Channel[object, A, B], bc: Channel[object, B, C],\n"
    "         a: At[int, A] = 1, b: At[int, B] = 2) -> At[int, A]:\n";

// ---- growth ----

// The header, `part` n times with its number for each `#`, and the end.
static const char *repeat(Arena *a, const char *part, size_t n, const char *end)
{
    Buf b = buf_new(a);
    buf_puts(&b, header);
    for (size_t i = 0; i < n; i++)
        for (const char *at = part; *at != '\0'; at++) {
            if (*at == '#')
                buf_printf(&b, "%zu", i);
            else
                buf_putc(&b, *at);
        }
    buf_puts(&b, end);
    return buf_text(&b);
}

static size_t projection_of(const char *part, size_t n, const char *end)
{
    Arena *a = arena_new();
    Compilation c = compile(repeat(a, part, n, end));
    ck_assert_uint_eq(diags_error_count(c.diags), 0);
    arena_free(a);
    arena_free(c.arena);
    return c.used;
}

static void check_linear(const char *part, size_t n, const char *end)
{
    size_t one = projection_of(part, n, end), two = projection_of(part, 2 * n, end);
    ck_assert_msg(two < one * 5 / 2, "%zu bytes, then %zu, for\n%s", one, two, part);
}

START_TEST(grows_with_messages)
{
    check_linear("    x#: At[int, B] = ab.com(a)\n", 5000, "    return a\n");
    check_linear("    ab.select(Way.L@A)\n", 5000, "    return a\n");
}
END_TEST

START_TEST(grows_with_choices)
{
    check_linear("    if a > #:\n"
                 "        ab.select(Way.L@A)\n"
                 "        bc.select(Way.L@B)\n"
                 "        print(1@C)\n"
                 "    else:\n"
                 "        ab.select(Way.R@A)\n"
                 "        bc.select(Way.R@B)\n"
                 "        bc.com(b)\n", 200, "    return a\n");
    check_linear("    if a > #:\n"
                 "        y#: At[int, B] = ab.com(a)\n"
                 "        print(y#)\n"
                 "    else:\n"
                 "        z#: At[int, B] = ab.com(a)\n"
                 "        print(z#)\n", 200, "    return a\n");
}
END_TEST

START_TEST(grows_with_guards)
{
    check_linear("    if a > #:\n"
                 "        ab.select(Way.L@A)\n"
                 "        bc.select(Way.L@B)\n"
                 "        print(1@C)\n"
                 "        return 0@A\n"
                 "    ab.select(Way.R@A)\n"
                 "    bc.select(Way.R@B)\n"
                 "    bc.com(b)\n", 200, "    return a\n");
    check_linear("    if a > #:\n"
                 "        return 0@A\n", 2000, "    return a\n");
}
END_TEST

// Both arms of an untold choice hold the same long chain of told choices of somebody else.
START_TEST(grows_with_merged_choices)
{
    Arena *a = arena_new();
    size_t used[2];
    for (size_t k = 0; k < 2; k++) {
        Buf b = buf_new(a);
        buf_puts(&b, header);
        for (size_t arm = 0; arm < 2; arm++) {
            buf_puts(&b, arm == 0 ? "    if a > 0:\n" : "    else:\n");
            buf_printf(&b, "        v%zu: At[int, B] = ab.com(a)\n", arm);
            for (size_t i = 0; i < 50 * (k + 1); i++)
                buf_printf(&b, "        if v%zu > %zu:\n            bc.select(Way.L@B)\n"
                               "            print(%zu@C)\n        else:\n"
                               "            bc.select(Way.R@B)\n", arm, i, i);
        }
        buf_puts(&b, "    return a\n");
        Compilation c = compile(buf_text(&b));
        ck_assert_uint_eq(diags_error_count(c.diags), 0);
        used[k] = c.used;
        arena_free(c.arena);
    }
    arena_free(a);
    ck_assert_uint_lt(used[1], used[0] * 5 / 2);
}
END_TEST

// ---- proposals ----

static const Help *find_edits(const Diags *ds)
{
    for (size_t i = 0; i < diags_count(ds); i++)
        for (const Help *h = diags_get(ds, i)->helps; h != NULL; h = h->next)
            if (h->edit_count > 0)
                return h;
    return NULL;
}

// The text with the edits of a help made; edits are in source order.
static const char *edited(Arena *a, const char *text, const Help *h)
{
    Buf b = buf_new(a);
    size_t at = 0;
    for (size_t i = 0; i < h->edit_count; i++) {
        buf_raw(&b, text + at, h->edits[i].at.start - at);
        buf_raw(&b, h->edits[i].text, strlen(h->edits[i].text));
        at = h->edits[i].at.end;
    }
    buf_raw(&b, text + at, strlen(text + at));
    return buf_text(&b);
}

// Takes proposals until there are none; then the choreography compiles.
static void check_proposals(const char *body)
{
    Arena *a = arena_new();
    Buf b = buf_new(a);
    buf_puts(&b, header);
    buf_puts(&b, body);
    const char *text = buf_text(&b);
    Compilation c = compile(text);
    ck_assert_uint_gt(diags_error_count(c.diags), 0);
    for (int i = 0; i < 10 && diags_error_count(c.diags) > 0; i++) {
        const Help *h = find_edits(c.diags);
        ck_assert_msg(h != NULL, "no proposal for\n%s", text);
        text = edited(a, text, h);
        arena_free(c.arena);
        c = compile(text);
    }
    ck_assert_msg(diags_error_count(c.diags) == 0, "still wrong:\n%s", text);
    arena_free(c.arena);
    arena_free(a);
}

START_TEST(proposes_selections)
{
    check_proposals("    if a > 0:\n        print(1@B)\n    else:\n        print(2@B)\n"
                    "    return a\n");
    check_proposals("    if a > 0:\n        print(1@B)\n    return a\n");
    check_proposals("    if a > 0:\n        return 0@A\n    return ab.com(b)\n");
    check_proposals("    if a > 0:\n        if b > 0:\n            print(1@A)\n"
                    "        x: At[int, B] = ab.com(a)\n    return a\n");
}
END_TEST

START_TEST(proposes_to_pass_on)
{
    check_proposals("    if a > 0:\n        ab.select(Way.L@A)\n        print(1@C)\n"
                    "    else:\n        ab.select(Way.R@A)\n    return a\n");
    check_proposals("    if a > 0:\n        ab.select(Way.R@A)\n        bc.com(b)\n"
                    "    else:\n        ab.select(Way.L@A)\n        print(2@C)\n    return a\n");
}
END_TEST

Suite *projection_suite(void);

Suite *projection_suite(void)
{
    Suite *s = suite_create("projection");
    TCase *growth = tcase_create("growth"), *proposals = tcase_create("proposals");
    tcase_set_timeout(growth, 60);
    tcase_add_test(growth, grows_with_messages);
    tcase_add_test(growth, grows_with_choices);
    tcase_add_test(growth, grows_with_guards);
    tcase_add_test(growth, grows_with_merged_choices);
    tcase_add_test(proposals, proposes_selections);
    tcase_add_test(proposals, proposes_to_pass_on);
    suite_add_tcase(s, growth);
    suite_add_tcase(s, proposals);
    return s;
}
