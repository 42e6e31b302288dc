// process_endpoint.c - a role without peers, written by hand as the compiler writes them: each case
// of process_ends.py is a function.

#include "builtins/generated.h"
#include "builtins/parameter.h"
#include "builtins/print.h"
#include "builtins/process.h"

#define PYCHORAL_FILE "tests/builtins/process_ends.py"
#define TEXT(name, text) static PychoralStr name = PYCHORAL_CONSTANT(text, PYCHORAL_ASCII)

static void print_text(const char *text)
{
    PYCHORAL_OWNED(str) PychoralStr *str = pychoral_str_new(text, strlen(text));
    pychoral_print(1, &PYCHORAL_REF(pychoral_type_str, str), NULL, NULL, NULL, false);
}

static void divide(void)
{
    pychoral_throw(&pychoral_type_ZeroDivisionError, "division by zero");
    (void)PYCHORAL_FAILED("divide", 1);
}

static void uncaught(void)
{
    print_text("before");
    divide();
    (void)PYCHORAL_FAILED("main", 2);
}

static void chained(void)
{
    divide();
    (void)PYCHORAL_FAILED("main", 2);
    PYCHORAL_OWNED(handled) PychoralException *e = pychoral_catch(&pychoral_type_Exception);
    pychoral_throw(&pychoral_type_ValueError, "second");
    (void)PYCHORAL_FAILED("main", 4);
}

static void caused(void)
{
    divide();
    (void)PYCHORAL_FAILED("main", 2);
    PYCHORAL_OWNED(handled) PychoralException *e = pychoral_catch(&pychoral_type_Exception);
    PychoralAny cause = {.type = e->object.type, .pointer = e};
    PychoralException *made = pychoral_exception_new(&pychoral_type_ValueError, 0, NULL);
    pychoral_raise_object(made, &cause);
    (void)PYCHORAL_FAILED("main", 4);
    pychoral_release(&pychoral_type_BaseException, &made);
}

static void hidden(void)
{
    divide();
    (void)PYCHORAL_FAILED("main", 2);
    PYCHORAL_OWNED(handled) PychoralException *e = pychoral_catch(&pychoral_type_Exception);
    PychoralAny cause = {.type = &pychoral_type_none};
    PychoralException *made = pychoral_exception_new(&pychoral_type_ValueError, 0, NULL);
    pychoral_raise_object(made, &cause);
    (void)PYCHORAL_FAILED("main", 4);
    pychoral_release(&pychoral_type_BaseException, &made);
}

static void again(void)
{
    divide();
    (void)PYCHORAL_FAILED("main", 2);
    PYCHORAL_OWNED(handled) PychoralException *e = pychoral_catch(&pychoral_type_BaseException);
    print_text("finally");
    pychoral_raise_again();
}

static void key(void)
{
    PYCHORAL_OWNED(str) PychoralStr *text = pychoral_str_new("it's\n", 5);
    pychoral_throw_key(&pychoral_type_str, &text);
    (void)PYCHORAL_FAILED("main", 1);
}

static void recurse(int depth);
static void (*volatile deeper)(int depth) = recurse;

static void recurse(int depth)
{
    if (PYCHORAL_TOO_DEEP())
        return;
    deeper(depth + 1);
    (void)PYCHORAL_FAILED("recurse", 7);
}

static void deep(void)
{
    recurse(0);
    (void)PYCHORAL_FAILED("main", 8);
}

static void caught(void)
{
    recurse(0);
    PYCHORAL_OWNED(handled) PychoralException *e = pychoral_catch(&pychoral_type_RecursionError);
    PYCHORAL_OWNED(str) PychoralStr *line = pychoral_exception_line(e);
    print_text(line->data);
}

static void leave(void)
{
    print_text("left");
    pychoral_throw_with(&pychoral_type_SystemExit, 0, NULL);
}

static void leave_with(void)
{
    PychoralAny status = {.type = &pychoral_type_int, .number = pychoral_int(-3)};
    pychoral_throw_with(&pychoral_type_SystemExit, 1, &status);
}

static void leave_saying(void)
{
    pychoral_throw(&pychoral_type_SystemExit, "good\xed\xb2\x80 bye");
}

static void surrogate(void)
{
    TEXT(sep, "<>");
    TEXT(end, ".\n");
    PYCHORAL_OWNED(str) PychoralStr *a = pychoral_str_new("\xc3\xa9", 2);
    PYCHORAL_OWNED(str) PychoralStr *b = pychoral_str_new("a\xed\xb2\x80", 4);
    PychoralRef values[] = {PYCHORAL_REF(pychoral_type_str, a), PYCHORAL_REF(pychoral_type_str, b)};
    pychoral_print(2, values, &sep, &end, &pychoral_sys_stderr, false);
    pychoral_print(1, values, &sep, &end, NULL, true);
    pychoral_print(2, values, &sep, &end, NULL, false);
    (void)PYCHORAL_FAILED("main", 3);
}

static void inputs(void)
{
    TEXT(prompt, "? ");
    PychoralStr *asked = &prompt;
    for (;;) {
        PYCHORAL_OWNED(str) PychoralStr *line =
            pychoral_input(PYCHORAL_REF(pychoral_type_str, asked));
        if (PYCHORAL_FAILED("main", 2))
            return;
        PYCHORAL_OWNED(str) PychoralStr *repr =
            pychoral_repr(PYCHORAL_REF(pychoral_type_str, line));
        print_text(repr->data);
    }
}

static void missing_file(void)
{
    TEXT(name, "/no/such/file");
    TEXT(mode, "r");
    pychoral_open(&name, &mode, -1, NULL, NULL);
    (void)PYCHORAL_FAILED("main", 1);
}

static void options(void);

// ---- the program ----

static const struct Case {
    const char *name;
    void (*run)(void);
} CASES[] = {
    {"uncaught", uncaught},     {"chained", chained},       {"caused", caused},
    {"hidden", hidden},         {"again", again},           {"key", key},
    {"deep", deep},             {"caught", caught},         {"leave", leave},
    {"leave_with", leave_with}, {"leave_saying", leave_saying}, {"surrogate", surrogate},
    {"inputs", inputs},         {"missing_file", missing_file}, {"options", options},
};

static void start(void)
{
    PYCHORAL_OWNED(str) PychoralStr *wanted = NULL;
    pychoral_option(0, &wanted);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (strcmp(wanted->data, CASES[i].name) == 0)
            CASES[i].run();
}

static int body(PychoralRole *role) { return pychoral_run(role, start); }

// ---- options: prints what a parameter is ----

static const char *const COLOURS[] = {"RED", "BLUE"};
static const PychoralType COLOUR = {.kind = PYCHORAL_ENUM, .size = sizeof(uint32_t), .count = 2,
                                    .members = COLOURS, .name = "Colour"};
#define ROW(NAME, KIND, TEXT, ...)                                                                \
    static const PychoralType NAME = {.kind = PYCHORAL_##KIND, .size = sizeof(void *),            \
                                      .name = (TEXT), __VA_ARGS__};
ROW(INTS, LIST, "list[int]", .element = &pychoral_type_int)
ROW(COLOURED, LIST, "list[Colour]", .element = &COLOUR)
ROW(SEQUENCE, SEQUENCE, "tuple[int, ...]", .element = &pychoral_type_int)
ROW(NAMED, DICT, "dict[str, list[int]]", .key = &pychoral_type_str, .element = &INTS)
ROW(SET, SET, "set[int]", .element = &pychoral_type_int)

typedef struct Pair {
    PychoralInt number;
    PychoralStr *text;
} Pair;
static const PychoralField PAIR_FIELDS[] = {
    {.type = &pychoral_type_int, .offset = offsetof(Pair, number)},
    {.type = &pychoral_type_str, .offset = offsetof(Pair, text)}};
static const PychoralType PAIR = {.kind = PYCHORAL_TUPLE, .size = sizeof(Pair), .count = 2,
                                  .fields = PAIR_FIELDS, .name = "tuple[int, str]"};
typedef struct Maybe {
    uint32_t member;
    union {
        PychoralNone none;
        PychoralInt number;
    };
} Maybe;
static const PychoralField MAYBE_FIELDS[] = {
    {.type = &pychoral_type_int, .offset = offsetof(Maybe, number)},
    {.type = &pychoral_type_none, .offset = offsetof(Maybe, none)}};
static const PychoralType MAYBE = {.kind = PYCHORAL_UNION, .size = sizeof(Maybe), .count = 2,
                                   .fields = MAYBE_FIELDS, .name = "Optional[int]"};

static void make_bytes(void *result) { *(PychoralBytes **)result = pychoral_bytes_new("a\0'", 3); }

static const PychoralParameter PARAMETERS[] = {
    {.name = "case", .type = "str", .standard = "options", .row = &pychoral_type_str},
    {.name = "int", .type = "int", .standard = "1", .row = &pychoral_type_int},
    {.name = "float", .type = "float", .standard = "1", .row = &pychoral_type_float},
    {.name = "bool", .type = "bool", .standard = "no", .row = &pychoral_type_bool},
    {.name = "str", .type = "str", .standard = "", .row = &pychoral_type_str},
    {.name = "bytes", .type = "bytes", .row = &pychoral_type_bytes, .make_default = make_bytes},
    {.name = "colour", .type = "Colour", .standard = "RED", .row = &COLOUR, .help = "of it"},
    {.name = "maybe", .type = "Optional[int]", .standard = "None", .row = &MAYBE},
    {.name = "ints", .type = "list[int]", .standard = "[]", .row = &INTS},
    {.name = "coloured", .type = "list[Colour]", .standard = "[]", .row = &COLOURED},
    {.name = "sequence", .type = "tuple[int, ...]", .standard = "()", .row = &SEQUENCE},
    {.name = "named", .type = "dict[str, list[int]]", .standard = "{}", .row = &NAMED},
    {.name = "set", .type = "set[int]", .standard = "set()", .row = &SET},
    {.name = "pair", .type = "tuple[int, str]", .standard = "(1, '')", .row = &PAIR},
    {.name = "object", .type = "object", .standard = "None", .row = &pychoral_type_object},
    {.name = "complex", .type = "complex", .standard = "0", .row = &pychoral_type_complex},
};
enum { PARAMETER_COUNT = sizeof PARAMETERS / sizeof *PARAMETERS };

static void options(void)
{
    for (size_t i = 1; i < PARAMETER_COUNT; i++) {
        char value[64];
        pychoral_option(i, value);
        pychoral_print_result(PARAMETERS[i].row, value);
        pychoral_release(PARAMETERS[i].row, value);
        if (pychoral_raised != NULL)
            return;
    }
}

int main(int argc, char **argv)
{
    static const char *const roles[] = {"A"};
    static const PychoralProgram program = {
        .role = "A", .roles = roles, .role_count = 1, .source = "process_ends.py",
        .protocol = "0000000000000000000000000000000000000000000000000000000000000000",
        .parameters = PARAMETERS, .parameter_count = PARAMETER_COUNT, .body = body,
        .reading = &pychoral_reading};
    return pychoral_main(&program, argc, argv);
}
