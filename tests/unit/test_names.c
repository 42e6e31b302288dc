// test_names.c - names: which a statement binds and mentions, which word was meant, digests.

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/base/sha256.h"
#include "compiler/base/suggest.h"
#include "compiler/front/front.h"
#include "compiler/ir/free_names.h"

Suite *names_suite(void);

typedef SymList NamesFn(Arena *a, Names *names, StmtList body);

// What `list` gives for a source text, joined by blanks, must be `expected`.
static void check_names(NamesFn *list, const char *text, const char *expected)
{
    Arena *a = arena_new();
    Names *names = names_new(a);
    Diags *diags = diags_new(a);
    const Source *source = source_new(a, "x.pyc", (Text){text, strlen(text)});
    const Unit *unit = front_parse(a, names, source, diags);
    ck_assert_uint_eq(diags_error_count(diags), 0);
    SymList found = list(a, names, unit->module.body);
    Buf b = buf_new(a);
    for (size_t i = 0; i < found.len; i++)
        buf_printf(&b, "%s%s", i ? " " : "", found.at[i]);
    ck_assert_str_eq(buf_text(&b), expected);
    arena_free(a);
}

START_TEST(test_bound)
{
    check_names(names_bound, "x = y.z = 1\nx[0] = a\n(b, *c) = x\n", "x b c");
    check_names(names_bound, "import a.b, c as d\nfrom m import e, f as g\n", "a d e g");
    check_names(names_bound, "for i in xs:\n    with o as p: pass\n", "i p");
    check_names(names_bound, "def f(q):\n    r = 1\nclass C:\n    s = 1\n", "f C");
    check_names(names_bound, "try: pass\nexcept E as e: pass\n", "e");
    check_names(names_bound, "match v:\n    case [a, *b]: pass\n    case {1: c, **d}: pass\n",
                "a b d c");
    check_names(names_bound, "print([w := x for x in ys])\nl = lambda t: t\n", "w l");
}
END_TEST

START_TEST(test_free)
{
    check_names(names_free, "def f(a, b=c, *, d: E = g) -> H:\n    return a + b + d + i\n",
                "E g c H i");
    check_names(names_free, "def f():\n    x = 1\n    def g():\n        return x, y\n", "y");
    check_names(names_free, "def f():\n    global x\n    x = 1\n", "x");
    check_names(names_free, "def f():\n    return [y for x in xs for y in x if z]\n", "xs z");
    check_names(names_free, "def f(a: 'list[T]') -> \"Optional[U]\":\n    return 'V'\n",
                "list T Optional U");
    check_names(names_free, "def f():\n    return (lambda a, b=c: a + b + d)(e)\n", "c d e");
}
END_TEST

START_TEST(test_suggest)
{
    static const char *const words[] = {"build", "check", "run", "view"};
    ck_assert_str_eq(suggest_nearest("chekc", words, 4), "check");
    ck_assert_str_eq(suggest_nearest("Check", words, 4), "check");
    ck_assert_str_eq(suggest_nearest("veiw", words, 4), "view");
    ck_assert_ptr_null(suggest_nearest("frobnicate", words, 4));
    ck_assert_ptr_null(suggest_nearest("x", words, 0));
}
END_TEST

// The examples of FIPS 180-2, appendix B, and the empty text.
START_TEST(test_sha256)
{
    static const struct { const char *text, *hex; } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char hex[SHA256_HEX_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sha256_hex(cases[i].text, strlen(cases[i].text), hex);
        ck_assert_str_eq(hex, cases[i].hex);
    }
    char *million = malloc(1000000);
    memset(million, 'a', 1000000);
    sha256_hex(million, 1000000, hex);
    free(million);
    ck_assert_str_eq(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

Suite *names_suite(void)
{
    Suite *s = suite_create("names");
    TCase *c = tcase_create("names");
    tcase_add_test(c, test_bound);
    tcase_add_test(c, test_free);
    tcase_add_test(c, test_suggest);
    tcase_add_test(c, test_sha256);
    suite_add_tcase(s, c);
    return s;
}
