// test_diag.c - diagnostics: storage and order, and their layout for people.

#include <check.h>
#include <string.h>

#include "compiler/base/diag.h"
#include "compiler/base/diag_out.h"

Suite *diag_suite(void);

typedef struct World { Arena *arena; Diags *diags; const Source *source; } World;

static World open_world(const char *name, const char *text)
{
    Arena *a = arena_new();
    Diags *ds = diags_new(a);
    const Source *s = source_new(a, name, (Text){text, strlen(text)});
    diags_set_source(ds, s);
    return (World){a, ds, s};
}

// The span of the nth (from 1) occurrence of a text.
static Span find(const World *w, const char *what, int nth)
{
    const char *at = w->source->text.at - 1;
    while (nth-- > 0) {
        at = strstr(at + 1, what);
        ck_assert_ptr_nonnull(at);
    }
    uint32_t start = (uint32_t)(at - w->source->text.at);
    return (Span){start, start + (uint32_t)strlen(what)};
}

static Span before(Span at)
{
    return (Span){at.start, at.start};
}

static Span behind(Span at)
{
    return (Span){at.end, at.end};
}

static void check_print(const World *w, DiagStyle style, const char *expected)
{
    Buf b = buf_new(w->arena);
    diag_print_all(&b, w->diags, style);
    ck_assert_str_eq(buf_text(&b), expected);
    arena_free(w->arena);
}

static const char auth[] =
    "class Auth:\n"
    "    salt: At[str, Client] = read()\n"
    "\n"
    "    def hash(self):\n"
    "        h: At[str, IP] = calc_hash(salt + pepper)\n"
    "        return h\n";

START_TEST(two_roles)
{
    World w = open_world("auth.py", auth);
    Diag *d = diag_report(w.diags, find(&w, "salt", 2), DIAG_SYNTAX,
                          "`salt` is at %s but `pepper` is at %s", "Client", "IP");
    diag_primary(d, "at Client");
    diag_label(d, find(&w, "pepper", 1), "at IP");
    diag_label(d, find(&w, "At[str, Client]", 1), "`salt` was placed at Client here");
    Help *h = diag_help(d, "send `salt` to IP first");
    diag_edit(d, h, behind(find(&w, "salt", 2)), ")");
    diag_edit(d, h, before(find(&w, "salt", 2)), "self.ch.com(");
    check_print(&w, (DiagStyle){0},
        "auth.py:5:36: error[E0101]: `salt` is at Client but `pepper` is at IP\n"
        "  |\n"
        "2 |     salt: At[str, Client] = read()\n"
        "  |           --------------- `salt` was placed at Client here\n"
        "...\n"
        "5 |         h: At[str, IP] = calc_hash(salt + pepper)\n"
        "  |                                    ^^^^   ------ at IP\n"
        "  |                                    |\n"
        "  |                                    at Client\n"
        "help: send `salt` to IP first\n"
        "  |\n"
        "5 |         h: At[str, IP] = calc_hash(self.ch.com(salt) + pepper)\n"
        "  |                                    ++++++++++++    +\n");
}
END_TEST

START_TEST(notes_and_new_lines)
{
    World w = open_world("a.py", "if valid:\n    yes()\nelse:\n    no()\n");
    Diag *d = diag_report(w.diags, find(&w, "valid", 1), DIAG_SYNTAX, "IP cannot tell");
    diag_primary(d, "decided here");
    diag_label(d, find(&w, "no()", 1), "told here");
    diag_note(d, "one fact");
    diag_note(d, "another\nof two lines");
    Help *h = diag_help(d, "tell IP");
    diag_edit(d, h, before(find(&w, "    yes", 1)), "    tell(YES)\n");
    diag_edit(d, h, behind(find(&w, "no()", 1)), "\n    tell(NO)");
    check_print(&w, (DiagStyle){.explain = true},
        "a.py:1:4: error[E0101]: IP cannot tell\n"
        "  |\n"
        "1 | if valid:\n"
        "  |    ^^^^^ decided here\n"
        "...\n"
        "4 |     no()\n"
        "  |     ---- told here\n"
        "  = note: one fact\n"
        "  = note: another\n"
        "          of two lines\n"
        "help: tell IP\n"
        "  |\n"
        "2 +     tell(YES)\n"
        "6 +     tell(NO)\n"
        "  = for more: pychoralc explain E0101\n");
}
END_TEST

START_TEST(replacing_and_deleting)
{
    World w = open_world("a.py", "x = a + b\ny = (c)\ndel z\n");
    Diag *d = diag_report(w.diags, find(&w, "+", 1), DIAG_SYNTAX, "wrong");
    Help *h = diag_help(d, "multiply");
    diag_edit(d, h, find(&w, "+", 1), "**");
    h = diag_help(d, "leave out");
    diag_edit(d, h, find(&w, "(", 1), "%s", "");
    diag_edit(d, h, find(&w, ")", 1), "%s", "");
    h = diag_help(d, "delete the line");
    diag_edit(d, h, find(&w, "del z\n", 1), "%s", "");
    check_print(&w, (DiagStyle){0},
        "a.py:1:7: error[E0101]: wrong\n"
        "  |\n"
        "1 | x = a + b\n"
        "  |       ^\n"
        "help: multiply\n"
        "  |\n"
        "1 | x = a ** b\n"
        "  |       ~~\n"
        "help: leave out\n"
        "  |\n"
        "2 - y = (c)\n"
        "2 + y = c\n"
        "help: delete the line\n"
        "  |\n"
        "3 - del z\n");
}
END_TEST

START_TEST(several_labels)
{
    World w = open_world("a.py", "f(aa, bb, cc)\n");
    Diag *d = diag_report(w.diags, find(&w, "f(aa, bb, cc)", 1), DIAG_SYNTAX, "wrong");
    diag_primary(d, "call");
    diag_label(d, find(&w, "bb", 1), "second");
    diag_label(d, find(&w, "aa", 1), "first");
    diag_label(d, find(&w, "aa", 1), "again");
    diag_label(d, find(&w, "cc", 1), "%s", "");
    check_print(&w, (DiagStyle){0},
        "a.py:1:1: error[E0101]: wrong\n"
        "  |\n"
        "1 | f(aa, bb, cc)\n"
        "  | ^^--^^--^^--^\n"
        "  | | |   |\n"
        "  | | |   second\n"
        "  | | again\n"
        "  | | first\n"
        "  | call\n");
}
END_TEST

START_TEST(columns)
{
    World w = open_world("a.py", "\tx\t= '日本é', y\r\n\xff\x1b[1m z\n");
    diag_report(w.diags, find(&w, "x\t", 1), DIAG_SYNTAX, "a tab inside");
    diag_report(w.diags, find(&w, "y", 1), DIAG_SYNTAX, "behind wide characters");
    diag_report(w.diags, find(&w, "z", 1), DIAG_SYNTAX, "behind what cannot be shown");
    check_print(&w, (DiagStyle){0},
        "a.py:1:2: error[E0101]: a tab inside\n"
        "  |\n"
        "1 |     x   = '日本é', y\n"
        "  |     ^^^^\n"
        "\n"
        "a.py:1:13: error[E0101]: behind wide characters\n"
        "  |\n"
        "1 |     x   = '日本é', y\n"
        "  |                    ^\n"
        "\n"
        "a.py:2:7: error[E0101]: behind what cannot be shown\n"
        "  |\n"
        "2 | \xef\xbf\xbd\xef\xbf\xbd[1m z\n"
        "  |       ^\n");
}
END_TEST

START_TEST(spans_of_lines)
{
    World w = open_world("a.py", "f(1,\n  2,\n  3)\ng(\n1,\n2,\n3,\n4)\n");
    Diag *d = diag_report(w.diags, find(&w, "f(1,\n  2,\n  3)\n", 1), DIAG_SYNTAX, "short");
    diag_primary(d, "all of it");
    diag_report(w.diags, find(&w, "g(\n1,\n2,\n3,\n4)", 1), DIAG_SYNTAX, "long");
    diag_report(w.diags, (Span){34, 34}, DIAG_SYNTAX, "at the end");
    check_print(&w, (DiagStyle){0},
        "a.py:1:1: error[E0101]: short\n"
        "  |\n"
        "1 | f(1,\n"
        "  | ^^^^\n"
        "2 |   2,\n"
        "  |   ^^\n"
        "3 |   3)\n"
        "  |   ^^ all of it\n"
        "\n"
        "a.py:4:1: error[E0101]: long\n"
        "  |\n"
        "4 | g(\n"
        "  | ^^\n"
        "...\n"
        "8 | 4)\n"
        "  | ^^\n"
        "\n"
        "a.py:9:1: error[E0101]: at the end\n"
        "  |\n"
        "9 |\n"
        "  | ^\n");
}
END_TEST

START_TEST(long_lines)
{
    char text[1001];
    memset(text, 'a', 1000);
    text[500] = '!';
    text[1000] = '\0';
    World w = open_world("a.py", text);
    Buf b = buf_new(w.arena);
    diag_report(w.diags, (Span){500, 501}, DIAG_SYNTAX, "wrong");
    diag_print_all(&b, w.diags, (DiagStyle){0});
    const char *line = strstr(buf_text(&b), "1 | ...aaa");
    ck_assert_ptr_nonnull(line);
    const char *next = strchr(line, '\n') + 1;
    ck_assert_int_eq(next - line, 4 + 3 + 160 + 3 + 1);
    ck_assert_int_eq(strchr(line, '!') - line, strchr(next, '^') - next);
    arena_free(w.arena);
}
END_TEST

START_TEST(short_form_and_no_source)
{
    World w = open_world("a.py", "x\n");
    diag_report(w.diags, (Span){0, 1}, DIAG_SYNTAX, "wrong");
    diags_set_source(w.diags, NULL);
    diag_report(w.diags, (Span){0, 0}, DIAG_FILE_MISSING, "cannot read `b.py`");
    diag_report(w.diags, (Span){0, 0}, DIAG_FILE_MISSING, "cannot read `c.py`");
    check_print(&w, (DiagStyle){.format = DIAG_SHORT},
        "error[E0001]: cannot read `b.py`\n"
        "error[E0001]: cannot read `c.py`\n"
        "a.py:1:1: error[E0101]: wrong\n");
}
END_TEST

START_TEST(colours)
{
    World w = open_world("a.py", "x\n");
    Diag *d = diag_report(w.diags, (Span){0, 1}, DIAG_SYNTAX, "wrong");
    diag_primary(d, "here");
    Buf plain = buf_new(w.arena), colour = buf_new(w.arena);
    diag_print_all(&plain, w.diags, (DiagStyle){0});
    diag_print_all(&colour, w.diags, (DiagStyle){.color = true});
    Buf stripped = buf_new(w.arena);
    for (const char *c = buf_text(&colour); *c != '\0'; c++) {
        if (*c == '\033')
            c += strcspn(c, "m");
        else
            buf_putc(&stripped, *c);
    }
    ck_assert_ptr_nonnull(strstr(buf_text(&colour), "\033[1;31merror[E0101]\033[0m"));
    ck_assert_str_eq(buf_text(&stripped), buf_text(&plain));
    arena_free(w.arena);
}
END_TEST

START_TEST(limit)
{
    World w = open_world("a.py", "abcdefghijklmnopqrstuvwxyz\n");
    for (uint32_t i = 0; i < 25; i++)
        diag_report(w.diags, (Span){i, i + 1}, DIAG_SYNTAX, "wrong");
    Buf b = buf_new(w.arena);
    diag_print_all(&b, w.diags, (DiagStyle){.format = DIAG_SHORT, .max_errors = DIAG_MAX_ERRORS});
    const char *text = buf_text(&b);
    ck_assert_ptr_nonnull(strstr(text, "a.py:1:20: "));
    ck_assert_ptr_null(strstr(text, "a.py:1:21: "));
    ck_assert_str_eq(strstr(text, "5 more"),
                     "5 more errors not shown; `--max-errors=0` shows all\n");
    arena_free(w.arena);
}
END_TEST

START_TEST(order_and_repetition)
{
    World w = open_world("a.py", "abcdef\n");
    diag_report(w.diags, (Span){4, 5}, DIAG_SYNTAX, "third");
    diag_report(w.diags, (Span){1, 2}, DIAG_SYNTAX, "first");
    Diag *twice = diag_report(w.diags, (Span){4, 6}, DIAG_SYNTAX, "again");
    diag_note(twice, "a note on what nobody sees");
    diag_report(w.diags, (Span){4, 5}, DIAG_STRING, "fourth");
    diag_report(w.diags, (Span){2, 3}, DIAG_SYNTAX, "second");
    static const char *const texts[] = {"first", "second", "third", "fourth"};
    ck_assert_uint_eq(diags_count(w.diags), 4);
    ck_assert_uint_eq(diags_error_count(w.diags), 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(diags_get(w.diags, i)->text, texts[i]);
    arena_free(w.arena);
}
END_TEST

START_TEST(codes)
{
    ck_assert_str_eq(diag_code(DIAG_SYNTAX), "E0101");
    for (int i = 0; i < DIAG_COUNT; i++) {
        ck_assert_uint_eq(strlen(diag_code((DiagId)i)), 5);
        ck_assert_uint_gt(strlen(diag_summary((DiagId)i)), 0);
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(diag_code((DiagId)i), diag_code((DiagId)k));
    }
}
END_TEST

Suite *diag_suite(void)
{
    Suite *s = suite_create("diag");
    TCase *layout = tcase_create("layout"), *storage = tcase_create("storage");
    tcase_add_test(layout, two_roles);
    tcase_add_test(layout, notes_and_new_lines);
    tcase_add_test(layout, replacing_and_deleting);
    tcase_add_test(layout, several_labels);
    tcase_add_test(layout, columns);
    tcase_add_test(layout, spans_of_lines);
    tcase_add_test(layout, long_lines);
    tcase_add_test(layout, short_form_and_no_source);
    tcase_add_test(layout, colours);
    tcase_add_test(layout, limit);
    tcase_add_test(storage, order_and_repetition);
    tcase_add_test(storage, codes);
    suite_add_tcase(s, layout);
    suite_add_tcase(s, storage);
    return s;
}
