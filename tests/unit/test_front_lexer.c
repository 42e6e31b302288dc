// test_front_lexer.c - tokens, layout, literals, decoding and the Unicode tables.

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/front/front.h"
#include "compiler/front/token.h"
#include "compiler/front/unicode.h"
#include "parser.h"

Suite *front_lexer_suite(void);

typedef struct World {
    Arena *arena;
    Names *names;
    Diags *diags;
    const Source *source;
    TokenList tokens;
} World;

static World scan(const char *text)
{
    World w = {.arena = arena_new()};
    w.names = names_new(w.arena);
    w.diags = diags_new(w.arena);
    w.source = source_new(w.arena, "test", (Text){text, strlen(text)});
    diags_set_source(w.diags, w.source);
    TokenList lexed = lexer_run(w.arena, w.arena, w.names, w.source, w.diags);
    w.tokens = layout_run(w.arena, w.names, w.source, lexed, w.diags);
    return w;
}

// What a token is shown as; NULL: its own text.
static const char *mark_of(int kind)
{
    switch (kind) {
    case TOK_END:            return ".";
    case TOK_NEWLINE:        return "NL";
    case TOK_INDENT:         return ">";
    case TOK_DEDENT:         return "<";
    case TOK_ERROR:          return "ERROR";
    case TOK_MATCH:          return "MATCH";
    case TOK_CASE:           return "CASE";
    case TOK_TYPE:           return "TYPE";
    case TOK_FSTRING_MIDDLE: return "MIDDLE";
    case TOK_FSTRING_BANG:   return "BANG";
    case TOK_FSTRING_COLON:  return "COLON";
    case TOK_FSTRING_EQUAL:  return "EQUAL";
    default:                 return NULL;
    }
}

static const char *shape(const World *w)
{
    Buf b = buf_new(w->arena);
    for (size_t i = 0; i < w->tokens.len; i++) {
        const Token *t = &w->tokens.at[i];
        const char *mark = mark_of(t->kind);
        if (i > 0)
            buf_putc(&b, ' ');
        if (mark != NULL)
            buf_puts(&b, mark);
        else
            buf_raw(&b, w->source->text.at + t->at.start, t->at.end - t->at.start);
    }
    return buf_text(&b);
}

static void check_shape(const char *text, const char *expected)
{
    World w = scan(text);
    ck_assert_str_eq(shape(&w), expected);
    ck_assert_uint_eq(diags_error_count(w.diags), 0);
    arena_free(w.arena);
}

// The codes reported, in the order of the text.
static void check_errors(const char *text, const char *codes)
{
    World w = scan(text);
    Buf b = buf_new(w.arena);
    for (size_t i = 0; i < diags_count(w.diags); i++)
        buf_printf(&b, i == 0 ? "%s" : " %s", diag_code(diags_get(w.diags, i)->id));
    ck_assert_str_eq(buf_text(&b), codes);
    arena_free(w.arena);
}

// --- tokens and lines

START_TEST(operators)
{
    check_shape("a:=b**c//d>>=e->f...g..h!=i\n",
                "a := b ** c // d >>= e -> f ... g . . h != i NL .");
}
END_TEST

START_TEST(lines)
{
    check_shape("", ".");
    check_shape("# only a comment", ".");
    check_shape("x", "x NL .");
    check_shape("\n\n  # c\nx\n\n  \n", "x NL .");
    check_shape("(\n  x,\n\n# c\n y)\n", "( x , y ) NL .");
    check_shape("x + \\\r\n  y\r\n", "x + y NL .");
    check_shape("x\ry\r", "x NL y NL .");
}
END_TEST

START_TEST(blocks)
{
    check_shape("if x:\n  if y:\n    z\nw\n", "if x : NL > if y : NL > z NL < < w NL .");
    check_shape("if x:\n  y\n  # deeper\n      # and\n  z", "if x : NL > y NL z NL < .");
    check_shape("if x:\n \\\n  y\n z\n", "if x : NL > y NL z NL < .");
    check_shape("if x:\n\f  y\n  z\n", "if x : NL > y NL z NL < .");
}
END_TEST

START_TEST(bad_blocks)
{
    check_errors("if x:\n    y\n  z\n  w\n", "E0102");
    check_errors("if x:\n\ty\n        z\n", "E0102");
    check_errors("if x:\n        y\n\tz\n", "E0102");
}
END_TEST

START_TEST(soft_keywords)
{
    check_shape("match x:\n case 1: y\n", "MATCH x : NL > CASE 1 : y NL < .");
    check_shape("match (x):\n case case: y\n", "MATCH ( x ) : NL > CASE case : y NL < .");
    check_shape("match -x:\n case _: y\n", "MATCH - x : NL > CASE _ : y NL < .");
    check_shape("match(x)\n", "match ( x ) NL .");
    check_shape("match[x]: int = 3\n", "match [ x ] : int = 3 NL .");
    check_shape("match: int\n", "match : int NL .");
    check_shape("match, x = y\n", "match , x = y NL .");
    check_shape("case = match = type\n", "case = match = type NL .");
    check_shape("type X = int; type Y[T] = T\n", "TYPE X = int ; TYPE Y [ T ] = T NL .");
    check_shape("type(x); type = 3\n", "type ( x ) ; type = 3 NL .");
    check_shape("if x: type type = y\n", "if x : TYPE type = y NL .");
}
END_TEST

START_TEST(names)
{
    World w = scan("\xEF\xAC\x81nd = \xE2\x84\x98\n");      // the ligature fi; SCRIPT CAPITAL P
    ck_assert_str_eq(w.tokens.at[0].sym, "find");
    ck_assert_str_eq(w.tokens.at[2].sym, "\xE2\x84\x98");
    ck_assert_uint_eq(diags_count(w.diags), 0);
    arena_free(w.arena);
    check_errors("x = \xE2\x80\x9Chello\xE2\x80\x9D\n", "E0106");
    check_errors("x\xC2\xA0= 1\ny = ?\nz = $\n", "E0106 E0106 E0106");
}
END_TEST

// --- literals

static void check_number(const char *text, ConstKind kind, const char *expected)
{
    World w = scan(text);
    const Const *c = w.tokens.at[0].constant;
    ck_assert_int_eq(w.tokens.at[0].kind, TOK_NUMBER);
    ck_assert_uint_eq(diags_count(w.diags), 0);
    ck_assert_int_eq(c->kind, kind);
    if (kind == CONST_INT) {
        ck_assert_uint_eq(c->text.len, strlen(expected));
        ck_assert_mem_eq(c->text.at, expected, c->text.len);
    } else {
        double value = strtod(expected, NULL);
        ck_assert(c->number == value);
    }
    arena_free(w.arena);
}

START_TEST(numbers)
{
    check_number("0", CONST_INT, "0");
    check_number("0_0", CONST_INT, "0");
    check_number("1_000", CONST_INT, "1000");
    check_number("0xFF_ff", CONST_INT, "65535");
    check_number("0o777", CONST_INT, "511");
    check_number("0b_101", CONST_INT, "5");
    check_number("0x1_0000_0000_0000_0000_0000_0000", CONST_INT, "79228162514264337593543950336");
    check_number("123456789012345678901234567890", CONST_INT, "123456789012345678901234567890");
    check_number("1.5", CONST_FLOAT, "1.5");
    check_number("1_0.2_5e-1_0", CONST_FLOAT, "10.25e-10");
    check_number(".1e400", CONST_FLOAT, "inf");
    check_number("5e-324", CONST_FLOAT, "5e-324");
    check_number("9007199254740993.0", CONST_FLOAT, "9007199254740992");
    check_number("01e0", CONST_FLOAT, "1");
    check_number("1e5j", CONST_COMPLEX, "1e5");
    check_number("010j", CONST_COMPLEX, "10");
    check_shape("1if 0xfor x else 1.", "1 if 0xf or x else 1. NL .");
}
END_TEST

START_TEST(bad_numbers)
{
    static const char *const bad[] = {
        "01", "0_7", "1_", "1__0", "0x", "0x_", "0b2", "0o8", "1e", "1e+", "1abc", "1.real",
        "1_.5", "0b1_", "1jx",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_errors(bad[i], "E0105");
}
END_TEST

static void check_string(const char *text, const char *expected, size_t len)
{
    World w = scan(text);
    const Const *c = w.tokens.at[0].constant;
    ck_assert_int_eq(w.tokens.at[0].kind, TOK_STRING);
    ck_assert_uint_eq(diags_count(w.diags), 0);
    ck_assert_uint_eq(c->text.len, len);
    ck_assert(len == 0 || memcmp(c->text.at, expected, len) == 0);
    arena_free(w.arena);
}

START_TEST(strings)
{
    check_string("''", "", 0);
    check_string("'''a'b''c'''", "a'b''c", 6);
    check_string("\"\\a\\n\\\\\\'\\x41\\101\\q\"", "\a\n\\'AA\\q", 8);
    check_string("'a\\\nb\\\r\nc'", "abc", 3);
    check_string("'''a\r\nb\rc'''", "a\nb\nc", 5);
    check_string("rb'\\n\\''", "\\n\\'", 4);
    check_string("b'\\xff\\400\\u0041'", "\xff\0\\u0041", 8);
    check_string("'\\u00e9\\U0001F600\\ud800'", "\xC3\xA9\xF0\x9F\x98\x80\xED\xA0\x80", 9);
    check_string("'\\N{bullet}\\N{HANGUL SYLLABLE GAG}\\N{CJK UNIFIED IDEOGRAPH-4E00}'",
                 "\xE2\x80\xA2\xEA\xB0\x81\xE4\xB8\x80", 9);
    World w = scan("u'a' U'a' 'a'");
    ck_assert(w.tokens.at[0].u_prefix);
    ck_assert(!w.tokens.at[1].u_prefix);
    ck_assert(!w.tokens.at[2].u_prefix);
    arena_free(w.arena);
}
END_TEST

START_TEST(bad_strings)
{
    static const char *const bad[] = {
        "'a\n", "'a\\", "\"", "'''a", "'\\x4'", "'\\u123'", "'\\U00110000'", "'\\N{NO SUCH NAME}'",
        "'\\N'", "'\\N{}'", "b'\xC3\xA9'", "b'\\x'", "'\\N{KEYCAP DIGIT ONE}'",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_errors(bad[i], "E0104");
}
END_TEST

START_TEST(f_strings)
{
    check_shape("f'a{x!r:>{w}}{{b'\n", "f' MIDDLE { x BANG r COLON MIDDLE { w } } MIDDLE ' NL .");
    check_shape("f'{x = }'", "f' { x EQUAL } ' NL .");
    check_shape("f'{x!=y:=5}'", "f' { x != y COLON MIDDLE } ' NL .");
    check_shape("f'{(a:=b)}{d['k']}'", "f' { ( a := b ) } { d [ 'k' ] } ' NL .");
    check_shape("f'{f'{x}'}'", "f' { f' { x } ' } ' NL .");
    check_shape("f'''{\nx # c\n:\n}'''", "f''' { x COLON MIDDLE } ''' NL .");
    check_shape("f'{x:a\n}'", "f' { x COLON MIDDLE } ' NL .");
    check_shape("f''F\"\"", "f' ' F\" \" NL .");
    World w = scan("rf'\\n{{{x}' f'\\N{BULLET}\\{x}'");
    ck_assert_mem_eq(w.tokens.at[1].constant->text.at, "\\n{", 3);
    ck_assert_uint_eq(w.tokens.at[1].at.end, 7);
    ck_assert_mem_eq(w.tokens.at[7].constant->text.at, "\xE2\x80\xA2\\", 4);
    arena_free(w.arena);
}
END_TEST

START_TEST(bad_f_strings)
{
    check_errors("f'}'", "E0109");
    check_errors("f'abc\n", "E0109");
    check_errors("f'''abc", "E0109");
    check_errors("f'{x'\n", "E0109");
    check_errors("f'{x:a'\n", "E0109");
    check_errors("f'{a:{b:{c:{d}}}}'", "E0111");
}
END_TEST

// --- going on after errors

START_TEST(brackets)
{
    check_errors("foo(a]\n", "E0103");
    check_errors(")\n", "E0103");
    check_errors("x = (1,\n", "E0103");
    check_errors("x = [1, (2, 3]\ny = )\n", "E0103 E0103");
}
END_TEST

START_TEST(unclosed_bracket)
{
    World w = scan("def f():\n  x = g(1,\n  return x\ndef h():\n  y = [\nimport a\n");
    ck_assert_str_eq(shape(&w), "def f ( ) : NL > x = g ( 1 , ERROR NL return x NL < "
                                "def h ( ) : NL > y = [ ERROR NL < import a NL .");
    ck_assert_uint_eq(diags_error_count(w.diags), 2);
    ck_assert_uint_eq(diags_get(w.diags, 0)->at.start, 16);
    arena_free(w.arena);
    check_shape("x = (a\nif b\nelse c\nfor d in e)\n", "x = ( a if b else c for d in e ) NL .");
    check_shape("x = (yield\nfrom y)\n", "x = ( yield from y ) NL .");
}
END_TEST

START_TEST(three_errors)
{
    check_errors("x = 'abc\ny = 01\nz = (1]\nif x:\n    a\n  b\n", "E0104 E0105 E0103 E0102");
    check_errors("x \\ y\nz = \\", "E0106 E0101");
}
END_TEST

static const char *repeat(Arena *a, const char *head, const char *tail, int count)
{
    Buf b = buf_new(a);
    for (int i = 0; i < count; i++)
        buf_puts(&b, head);
    for (int i = 0; i < count; i++)
        buf_puts(&b, tail);
    return buf_text(&b);
}

static const char *nested_blocks(Arena *a, int depth)
{
    Buf b = buf_new(a);
    for (int i = 0; i < depth; i++)
        buf_printf(&b, "%*sif x:\n", i, "");
    buf_printf(&b, "%*spass\n", depth, "");
    return buf_text(&b);
}

START_TEST(limits)
{
    Arena *a = arena_new();
    check_errors(repeat(a, "(", ")", 200), "");
    check_errors(repeat(a, "(", ")", 201), "E0111");
    check_errors(repeat(a, "f'{", "}'", 149), "");
    check_errors(repeat(a, "f'{", "}'", 150), "E0111");
    check_errors(repeat(a, "1", "", 4300), "");
    check_errors(repeat(a, "1", "", 4301), "E0105");
    check_errors(nested_blocks(a, 99), "");
    check_errors(nested_blocks(a, 100), "E0111");
    arena_free(a);
}
END_TEST

// --- decoding

static void check_decode(const char *bytes, size_t len, const char *expected)
{
    Arena *a = arena_new();
    Diags *ds = diags_new(a);
    const Source *s = front_decode(a, "test", (Text){bytes, len}, ds);
    if (expected == NULL) {
        ck_assert_ptr_null(s);
        ck_assert_uint_eq(diags_error_count(ds), 1);
    } else {
        ck_assert_ptr_nonnull(s);
        ck_assert_str_eq(s->text.at, expected);
    }
    arena_free(a);
}

#define DECODE(bytes, expected) check_decode(bytes, sizeof(bytes) - 1, expected)

START_TEST(encodings)
{
    DECODE("", "");
    DECODE("\xEF\xBB\xBFx", "x");
    DECODE("\xC3\xA9", "\xC3\xA9");
    DECODE("# coding: latin-1\n\xE9", "# coding: latin-1\n\xC3\xA9");
    DECODE("#!x\r# vim: fileencoding=Latin_1 :\r\xE9",
           "#!x\r# vim: fileencoding=Latin_1 :\r\xC3\xA9");
    DECODE("# coding: cp1252\n\x80", "# coding: cp1252\n\xE2\x82\xAC");
    DECODE("# coding: EUC_JP\n\xA4\xA2", "# coding: EUC_JP\n\xE3\x81\x82");
    DECODE("x\n# coding: foo\n", "x\n# coding: foo\n");
}
END_TEST

START_TEST(bad_encodings)
{
    DECODE("\xFF", NULL);
    DECODE("\xED\xA0\x80", NULL);
    DECODE("\xC0\x80", NULL);
    DECODE("# coding: ascii\n\xE9", NULL);
    DECODE("# coding: foo\n", NULL);
    DECODE("# coding: cp1252\n\x81", NULL);
    DECODE("\xEF\xBB\xBF# coding: latin-1\n", NULL);
    DECODE("a\0b", NULL);
    DECODE("\xA7\x0D\x0D\x0A\0\0\0\0\0\0\0\0\0\0\0\0", NULL);
}
END_TEST

START_TEST(utf8)
{
    uint32_t code;
    char out[UNICODE_MAX_BYTES];
    for (uint32_t c = 0; c <= UNICODE_MAX; c++) {
        bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        size_t len = unicode_encode(c, out);
        size_t read = unicode_decode(out, len, &code);
        if (read != (surrogate ? 0 : len) || (!surrogate && code != c))
            ck_abort_msg("U+%04X", (unsigned)c);
        if (unicode_decode(out, len - 1, &code) != 0)
            ck_abort_msg("U+%04X cut short", (unsigned)c);
    }
}
END_TEST

Suite *front_lexer_suite(void)
{
    Suite *s = suite_create("front_lexer");
    TCase *t = tcase_create("front_lexer");
    suite_add_tcase(s, t);
    tcase_add_test(t, operators);
    tcase_add_test(t, lines);
    tcase_add_test(t, blocks);
    tcase_add_test(t, bad_blocks);
    tcase_add_test(t, soft_keywords);
    tcase_add_test(t, names);
    tcase_add_test(t, numbers);
    tcase_add_test(t, bad_numbers);
    tcase_add_test(t, strings);
    tcase_add_test(t, bad_strings);
    tcase_add_test(t, f_strings);
    tcase_add_test(t, bad_f_strings);
    tcase_add_test(t, brackets);
    tcase_add_test(t, unclosed_bracket);
    tcase_add_test(t, three_errors);
    tcase_add_test(t, limits);
    tcase_add_test(t, encodings);
    tcase_add_test(t, bad_encodings);
    tcase_add_test(t, utf8);
    return s;
}
