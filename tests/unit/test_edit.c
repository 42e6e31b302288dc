// test_edit.c - edits of a text: order, line ends, what moved where, undoing.

#include <check.h>
#include <string.h>

#include "compiler/base/edit.h"

Suite *edit_suite(void);

static Text text_of(const char *s) { return (Text){s, strlen(s)}; }

static void add(Arena *a, Edits *edits, uint32_t start, uint32_t end, const char *text)
{
    vec_push(a, edits, ((Edit){{start, end}, text}));
}

static void expect(Arena *a, const char *old, Edits *edits, const char *new_)
{
    Edited e = edits_apply(a, text_of(old), edits);
    ck_assert_ptr_nonnull(e.text.at);
    ck_assert_str_eq(e.text.at, new_);
    ck_assert_uint_eq(e.text.len, strlen(new_));
    Text undone = edited_undo(a, &e, text_of(old));
    ck_assert_uint_eq(undone.len, strlen(old));
    ck_assert_int_eq(memcmp(undone.at, old, undone.len), 0);
}

START_TEST(sorts_and_keeps_the_order_at_one_place)
{
    Arena *a = arena_new();
    Edits edits = {0};
    add(a, &edits, 6, 6, ")");
    add(a, &edits, 0, 0, "f(");
    add(a, &edits, 0, 0, "g(");
    add(a, &edits, 2, 3, ",");
    add(a, &edits, 6, 6, ")");
    expect(a, "a b + c d", &edits, "f(g(a , + ))c d");
    arena_free(a);
}
END_TEST

START_TEST(inserts_line_ends_of_the_text)
{
    Arena *a = arena_new();
    Edits edits = {0}, again = {0};
    add(a, &edits, 3, 3, "x\ny\r\nz\n");
    add(a, &again, 2, 2, "x\ny\n");
    expect(a, "a\r\nb\r\n", &edits, "a\r\nx\r\ny\r\nz\r\nb\r\n");
    expect(a, "a\nb\n", &again, "a\nx\ny\nb\n");
    arena_free(a);
}
END_TEST

START_TEST(refuses_overlaps)
{
    Arena *a = arena_new();
    Edits edits = {0}, outside = {0};
    add(a, &edits, 0, 3, "x");
    add(a, &edits, 2, 4, "y");
    ck_assert_ptr_null(edits_apply(a, text_of("abcdef"), &edits).text.at);
    add(a, &outside, 2, 9, "x");
    ck_assert_ptr_null(edits_apply(a, text_of("abcdef"), &outside).text.at);
    arena_free(a);
}
END_TEST

START_TEST(knows_where_things_were)
{
    Arena *a = arena_new();
    Edits edits = {0};
    add(a, &edits, 1, 1, "12");
    add(a, &edits, 3, 5, "3");
    Edited e = edits_apply(a, text_of("abcdef"), &edits);   // a12bc3f
    const uint32_t before[] = {0, 1, 1, 1, 2, 3, 5, 6};
    ck_assert_str_eq(e.text.at, "a12bc3f");
    for (uint32_t i = 0; i < sizeof before / sizeof *before; i++)
        ck_assert_uint_eq(edited_before(&e, i), before[i]);
    arena_free(a);
}
END_TEST

START_TEST(sorts_many)
{
    enum { COUNT = 1000 };
    Arena *a = arena_new();
    Edits edits = {0};
    char old[COUNT + 1], new_[2 * COUNT + 1];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t at = i * 387 % COUNT;                      // 387 and 1000 have no common factor
        add(a, &edits, at, at, "-");
        old[i] = 'a';
        memcpy(new_ + 2 * i, "-a", 2);
    }
    old[COUNT] = new_[2 * COUNT] = '\0';
    expect(a, old, &edits, new_);
    arena_free(a);
}
END_TEST

Suite *edit_suite(void)
{
    Suite *s = suite_create("edit");
    TCase *c = tcase_create("edit");
    tcase_add_test(c, sorts_and_keeps_the_order_at_one_place);
    tcase_add_test(c, inserts_line_ends_of_the_text);
    tcase_add_test(c, refuses_overlaps);
    tcase_add_test(c, knows_where_things_were);
    tcase_add_test(c, sorts_many);
    suite_add_tcase(s, c);
    return s;
}
