// test_emit.c - what no program reaches of the printers: the forms that only the checker and the
// projector make, local types, and numbers at the edges.

#include <check.h>
#include <math.h>
#include <string.h>

#include "compiler/ir/pytext.h"
#include "compiler/emit/python.h"
#include "ir_gen.h"

// Reads a unit from its exact text and prints it as Python.
static const char *print_ir(Arena *a, const char *ir, int width)
{
    const char *error = NULL;
    Buf b = buf_new(a);
    const Unit *u = ir_read_unit(a, names_new(a), (Text){ir, strlen(ir)}, &error);
    ck_assert_msg(u != NULL, "%s", error);
    emit_python_unit(&b, u, (PythonOptions){.width = width});
    return buf_text(&b);
}

static void check_print(const char *ir, int width, const char *expected)
{
    Arena *a = arena_new();
    ck_assert_str_eq(print_ir(a, ir, width), expected);
    arena_free(a);
}

#define AT "@0:1 "
#define NAME(x) "(Name " AT x " Load)"
#define EXPR(e) "(Module [(Expr " AT e ")])"
#define DATA_TY "(Named str [])"

START_TEST(located_code)
{
    check_print("(Module [(AnnAssign " AT "(Name " AT "x Store) (Located " AT NAME("int")
                " [A B]) nil 1)])", 0, "x: At[int, A, B]\n");
    check_print(EXPR("(Call " AT "(Inst " AT NAME("f") " [X Y] [A B] []) [] [])"), 0,
                "f[A, B]()\n");
    check_print(EXPR("(Call " AT "(Inst " AT NAME("f") " [] [] []) [] [])"), 0, "f()\n");
    check_print(EXPR("(Pin " AT "(BinOp " AT NAME("x") " Add " NAME("y") ") [A])"), 0,
                "(x + y)@A\n");
    check_print(EXPR("(Pin " AT NAME("x") " [A B])"), 0, "x@(A, B)\n");
    check_print(EXPR("(Com " AT NAME("ch") " " NAME("x") " A B " DATA_TY " false)"),
                0, "ch.com(x)\n");
    check_print(EXPR("(Com " AT NAME("ch") " " NAME("x") " A B " DATA_TY " true)"),
                0, "ch.share(x)\n");
    check_print(EXPR("(Select " AT NAME("ch") " (Attribute " AT NAME("E") " M Load) A B)"), 0,
                "ch.select(E.M@A)\n");
}
END_TEST

START_TEST(local_code)
{
    check_print(EXPR("(Unit " AT "[])"), 0, "Unit.id\n");
    check_print(EXPR("(Unit " AT "[" NAME("a") " " NAME("b") "])"), 0, "Unit.id(a, b)\n");
    check_print(EXPR("(Send " AT NAME("ch") " " NAME("x") " " DATA_TY " false)"), 0,
                "ch.com(x, expect=str)\n");
    check_print(EXPR("(Recv " AT NAME("ch") " " DATA_TY ")"), 0, "ch.com(expect=str)\n");
    check_print(EXPR("(SendLabel " AT NAME("ch") " (Attribute " AT NAME("E") " M Load))"), 0,
                "ch.select(E.M)\n");
}
END_TEST

START_TEST(an_offer_refuses_what_it_does_not_name)
{
    check_print("(Module [(Offer " AT NAME("ch") " " NAME("E") " [(OfferArm " AT "(Attribute " AT
                NAME("E") " M Load) [(Pass @0:1)]) (OfferArm " AT "(Attribute " AT NAME("E")
                " N Load) [])])])", 0,
                "match ch.select(expect=E):\n"
                "    case E.M:\n"
                "        pass\n"
                "    case E.N:\n"
                "        pass\n"
                "    case other:\n"
                "        raise UnexpectedSelection(other)\n");
}
END_TEST

START_TEST(endpoints_stand_one_after_the_other)
{
    check_print("(Endpoints [(Endpoint A [(Pass @0:1)] [] [] []) "
                "(Endpoint B [(Break @0:1)] [] [] [])] [] [])",
                0,
                "# ---- role A ----\n\npass\n\n\n# ---- role B ----\n\nbreak\n");
}
END_TEST

static void check_ty(const char *ir, const char *expected)
{
    Arena *a = arena_new();
    const char *error = NULL;
    Buf b = buf_new(a);
    const Ty *t = ir_read_ty(a, names_new(a), (Text){ir, strlen(ir)}, &error);
    ck_assert_msg(t != NULL, "%s", error);
    emit_ty(&b, t);
    ck_assert_str_eq(buf_text(&b), expected);
    arena_free(a);
}

START_TEST(types)
{
    check_ty("(Any)", "object");
    check_ty("(Poison)", "object");
    check_ty("(NoneType)", "None");
    check_ty("(Named list [(Named int [])])", "list[int]");
    check_ty("(Inst Box [(Named int [])] [A B])", "Box[int, A, B]");
    check_ty("(Tuple [])", "tuple[()]");
    check_ty("(Tuple [(Named int []) (Any)])", "tuple[int, object]");
    check_ty("(Union [(Named int []) (NoneType)])", "int | None");
    check_ty("(Callable [(Named int [])] (NoneType))", "Callable[[int], None]");
    check_ty("(Literal (str \"a\"))", "Literal[\"a\"]");
    check_ty("(Placed (Named int []) [A])", "At[int, A]");
}
END_TEST

// Passes make constants that no literal is.
START_TEST(negative_constants_are_operations)
{
    check_print(EXPR("(BinOp " AT "(Constant " AT "(int -2) nil) Pow (Constant " AT
                     "(int 3) nil))"), 0, "(-2) ** 3\n");
    check_print(EXPR("(BinOp " AT "(Constant " AT "(float -0.5) nil) Mult (Constant " AT
                     "(complex -2) nil))"), 0, "-0.5 * -2j\n");
    check_print(EXPR("(Attribute " AT "(Constant " AT "(int 1) nil) real Load)"), 0,
                "(1).real\n");
}
END_TEST

START_TEST(long_lines_are_broken_in_brackets)
{
    const char *call = EXPR("(Call " AT NAME("function") " [" NAME("first") " " NAME("second")
                            " " NAME("third") "] [])");
    check_print(call, 40, "function(first, second, third)\n");
    check_print(call, 20, "function(\n    first, second,\n    third)\n");
    check_print(EXPR("(BoolOp " AT "And [" NAME("first") " " NAME("second") " " NAME("third")
                     "])"), 18, "(first and second\n    and third)\n");
    check_print("(Module [(ImportFrom " AT "m [(Alias " AT "one nil) (Alias " AT
                "two nil)] 1)])", 16, "from .m import (\n    one, two)\n");
}
END_TEST

static void check_float(double number, const char *repr, const char *hex)
{
    Arena *a = arena_new();
    Buf b = buf_new(a), h = buf_new(a);
    pytext_float_repr(&b, number);
    pytext_float_hex(&h, number);
    ck_assert_str_eq(buf_text(&b), repr);
    ck_assert_str_eq(buf_text(&h), hex);
    arena_free(a);
}

START_TEST(floats_as_python_writes_them)
{
    check_float(0.0, "0.0", "0x0.0p+0");
    check_float(-0.0, "-0.0", "-0x0.0p+0");
    check_float(1e16, "1e+16", "0x1.1c37937e08000p+53");
    check_float(123456789012345678.0, "1.2345678901234568e+17", "0x1.b69b4ba630f35p+56");
    check_float(9999999999999998.0, "9999999999999998.0", "0x1.1c37937e07fffp+53");
    check_float(1e-4, "0.0001", "0x1.a36e2eb1c432dp-14");
    check_float(1e-5, "1e-05", "0x1.4f8b588e368f1p-17");
    check_float(0.1, "0.1", "0x1.999999999999ap-4");
    check_float(5e-324, "5e-324", "0x0.0000000000001p-1022");
    check_float(1.7976931348623157e308, "1.7976931348623157e+308", "0x1.fffffffffffffp+1023");
    check_float(INFINITY, "inf", "inf");
    check_float(100.0, "100.0", "0x1.9000000000000p+6");
}
END_TEST

static void check_repr(const char *text, size_t len, const char *expected)
{
    Arena *a = arena_new();
    Buf b = buf_new(a);
    pytext_str_repr(&b, (Text){text, len});
    ck_assert_str_eq(buf_text(&b), expected);
    arena_free(a);
}

START_TEST(strings_as_python_writes_them)
{
    check_repr("it's", 4, "\"it's\"");
    check_repr("'\"", 2, "'\\'\"'");
    check_repr("a\n\0\x7f", 4, "'a\\n\\x00\\x7f'");
    check_repr("\xc3\xa9\xc2\xa0\xc2\xad", 6, "'\xc3\xa9\\xa0\\xad'");
    check_repr("\xed\xa0\xbd\xed\xb8\x80", 6, "'\\ud83d\\ude00'");
    check_repr("\xf0\x9f\x98\x80\xf3\xa0\x80\x81", 8, "'\xf0\x9f\x98\x80\\U000e0001'");
}
END_TEST

Suite *emit_suite(void);

Suite *emit_suite(void)
{
    Suite *s = suite_create("emit");
    TCase *forms = tcase_create("our own forms");
    tcase_add_test(forms, located_code);
    tcase_add_test(forms, local_code);
    tcase_add_test(forms, an_offer_refuses_what_it_does_not_name);
    tcase_add_test(forms, endpoints_stand_one_after_the_other);
    tcase_add_test(forms, types);
    suite_add_tcase(s, forms);
    TCase *text = tcase_create("text");
    tcase_add_test(text, negative_constants_are_operations);
    tcase_add_test(text, long_lines_are_broken_in_brackets);
    tcase_add_test(text, floats_as_python_writes_them);
    tcase_add_test(text, strings_as_python_writes_them);
    suite_add_tcase(s, text);
    return s;
}
