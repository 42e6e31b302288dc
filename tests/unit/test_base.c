// test_base.c - arena, vec, intern, buf, source and screen lines.

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/buf.h"
#include "compiler/base/intern.h"
#include "compiler/base/screen_line.h"
#include "compiler/base/source.h"
#include "compiler/base/vec.h"

Suite *base_suite(void);

// ---- arena ------------------------------------------------------------------------------------

static bool is_zero(const char *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (p[i] != 0)
            return false;
    return true;
}

START_TEST(arena_zeroed_and_aligned)
{
    Arena *a = arena_new();
    for (int round = 0; round < 3; round++) {
        for (size_t size = 0; size < 3000; size += 7) {
            char *p = arena_alloc(a, size);
            ck_assert_uint_eq((uintptr_t)p % 16, 0);
            ck_assert(is_zero(p, size));
            memset(p, 0xff, size);
        }
        arena_reset(a);
        ck_assert_uint_eq(arena_used(a), 0);
    }
    arena_free(a);
}
END_TEST

START_TEST(arena_does_not_move)
{
    enum { COUNT = 20000 };
    Arena *a = arena_new();
    int **at = ARENA_ARRAY(a, int *, COUNT);
    for (int i = 0; i < COUNT; i++) {
        at[i] = ARENA_NEW(a, int);
        *at[i] = i;
    }
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(*at[i], i);
    ck_assert_uint_ge(arena_used(a), COUNT * (sizeof(int) + sizeof(int *)));
    arena_free(a);
    arena_free(NULL);
}
END_TEST

START_TEST(arena_large_blocks)
{
    Arena *a = arena_new();
    char *large = arena_alloc(a, 50 << 20);
    ck_assert(is_zero(large, 50 << 20));
    large[(50 << 20) - 1] = 1;
    char *small = arena_strndup(a, "abc", 2);
    ck_assert_str_eq(small, "ab");
    arena_reset(a);
    ck_assert(is_zero(arena_alloc(a, 1000), 1000));
    arena_free(a);
}
END_TEST

// What lies within an arena leaves it its memory, which is zero again and used before any other.
START_TEST(arena_memory_is_used_again)
{
    enum { SIZE = 3 << 20, SMALL = 100 };
    Arena *a = arena_new(), *inner = arena_within(a), *innermost = arena_within(inner);
    char *large = memset(arena_alloc(innermost, SIZE), 0xff, SIZE);
    memset(arena_node(innermost, SMALL), 0xff, SMALL);
    arena_free(innermost);
    arena_free(inner);
    bool again = false;
    for (size_t used = 0; used < SIZE; used += SMALL) {
        char *p = arena_alloc(a, SMALL);
        ck_assert(is_zero(p, SMALL));
        memset(p, 0xff, SMALL);
        again |= (uintptr_t)p - (uintptr_t)large < SIZE;
    }
    ck_assert(again);
    arena_reset(a);
    ck_assert(is_zero(arena_alloc(a, SIZE), SIZE));
    arena_free(a);
}
END_TEST

START_TEST(arena_out_of_memory)
{
    Arena *a = arena_new();
    arena_array(a, SIZE_MAX / 2, 16);
}
END_TEST

START_TEST(vec_grows)
{
    Arena *a = arena_new();
    Vec(long) v = {0};
    for (long i = 0; i < 100000; i++)
        vec_push(a, &v, i * i);
    ck_assert_uint_eq(v.len, 100000);
    for (long i = 0; i < 100000; i++)
        ck_assert_int_eq(v.at[i], i * i);
    arena_free(a);
}
END_TEST

// ---- names ------------------------------------------------------------------------------------

START_TEST(names_are_unique)
{
    Arena *a = arena_new();
    Names *n = names_new(a);
    Vec(Sym) syms = {0};
    char text[20];
    for (int i = 0; i < 50000; i++)
        vec_push(a, &syms, names_format(n, "name%d", i));
    for (int i = 0; i < 50000; i++) {
        int len = snprintf(text, sizeof text, "name%d", i);
        ck_assert_str_eq(syms.at[i], text);
        ck_assert_ptr_eq(names_intern(n, text, (size_t)len), syms.at[i]);
    }
    ck_assert_ptr_eq(names_intern(n, "name12", 4), names_get(n, "name"));
    ck_assert_ptr_ne(names_get(n, ""), names_get(n, "name"));
    ck_assert(sym_is(names_get(n, "x"), "x") && !sym_is(NULL, "x"));
    arena_free(a);
}
END_TEST

// ---- buf --------------------------------------------------------------------------------------

START_TEST(buf_indents)
{
    Arena *a = arena_new();
    Buf b = buf_new(a);
    ck_assert_str_eq(buf_text(&b), "");
    buf_puts(&b, "if x:\n");
    b.indent++;
    buf_puts(&b, "one\n\ntwo");
    buf_printf(&b, " %d\n", 2);
    buf_raw(&b, "raw\nraw\n", 8);
    buf_putc(&b, '.');
    b.indent--;
    buf_puts(&b, "\nend\n");
    ck_assert_str_eq(buf_text(&b), "if x:\n    one\n\n    two 2\nraw\nraw\n    .\nend\n");
    arena_free(a);
}
END_TEST

START_TEST(buf_grows)
{
    Arena *a = arena_new();
    Buf b = buf_new(a);
    char text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 1000; i++)
        buf_printf(&b, "%s", text);
    ck_assert_uint_eq(b.len, 999000);
    ck_assert_uint_eq(strlen(buf_text(&b)), 999000);
    arena_free(a);
}
END_TEST

// ---- source -----------------------------------------------------------------------------------

START_TEST(source_lines)
{
    Arena *a = arena_new();
    const char *text = "a\nbé\r\n\rd";
    const Source *s = source_new(a, "f", (Text){text, strlen(text)});
    static const char *const lines[] = {"a", "bé", "", "d"};
    ck_assert_uint_eq(s->line_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        Text line = source_line(s, i + 1);
        ck_assert_uint_eq(line.len, strlen(lines[i]));
        ck_assert(memcmp(line.at, lines[i], line.len) == 0);
    }
    arena_free(a);
}
END_TEST

START_TEST(source_places)
{
    Arena *a = arena_new();
    const char *text = "a\nbéx\r\n";
    const Source *s = source_new(a, "f", (Text){text, strlen(text)});
    static const Place places[] = {
        {1, 0, 1}, {1, 1, 2}, {2, 0, 1}, {2, 1, 2}, {2, 2, 3}, {2, 3, 3}, {2, 4, 4}, {2, 5, 5},
        {3, 0, 1}, {3, 0, 1},
    };
    for (uint32_t i = 0; i < sizeof places / sizeof *places; i++) {
        Place p = source_place(s, i);
        ck_assert_uint_eq(p.line, places[i].line);
        ck_assert_uint_eq(p.byte, places[i].byte);
        ck_assert_uint_eq(p.column, places[i].column);
    }
    const Source *empty = source_new(a, "f", (Text){"", 0});
    ck_assert_uint_eq(empty->line_count, 1);
    ck_assert_uint_eq(source_line(empty, 1).len, 0);
    ck_assert_uint_eq(source_place(empty, 5).line, 1);
    arena_free(a);
}
END_TEST

START_TEST(screen_columns)
{
    Arena *a = arena_new();
    const char *text = "a\t日e\xcc\x81" "b";
    ScreenLine line = screen_line(a, (Text){text, strlen(text)});
    static const uint32_t columns[] = {0, 1, 4, 4, 4, 6, 7, 7, 7, 8};
    ck_assert_uint_eq(line.width, 8);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ck_assert_uint_eq(line.columns[i], columns[i]);
    Text part = screen_line_part(&line, 4, 7);
    ck_assert_uint_eq(part.len, strlen("日e\xcc\x81"));
    ck_assert(memcmp(part.at, "日e\xcc\x81", part.len) == 0);
    line = screen_line(a, (Text){"\xff\xe2\x80\xae\x7f", 5});
    ck_assert_uint_eq(line.width, 3);
    ck_assert_uint_eq(line.shown.len, 9);
    arena_free(a);
}
END_TEST

static TCase *memory_case(void)
{
    TCase *c = tcase_create("memory");
    tcase_add_test(c, arena_zeroed_and_aligned);
    tcase_add_test(c, arena_does_not_move);
    tcase_add_test(c, arena_large_blocks);
    tcase_add_test(c, arena_memory_is_used_again);
    tcase_add_exit_test(c, arena_out_of_memory, 70);
    tcase_add_test(c, vec_grows);
    tcase_add_test(c, names_are_unique);
    return c;
}

static TCase *text_case(void)
{
    TCase *c = tcase_create("text");
    tcase_add_test(c, buf_indents);
    tcase_add_test(c, buf_grows);
    tcase_add_test(c, source_lines);
    tcase_add_test(c, source_places);
    tcase_add_test(c, screen_columns);
    return c;
}

Suite *base_suite(void)
{
    Suite *s = suite_create("base");
    suite_add_tcase(s, memory_case());
    suite_add_tcase(s, text_case());
    return s;
}
