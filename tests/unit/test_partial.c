// test_partial.c - the reader of the table of derivatives. What the rows say is judged by
// tests/grad/partial.py.

#include <check.h>

#include "compiler/emit/python.h"
#include "compiler/front/front.h"
#include "compiler/pass/ad/partial.h"

Suite *partial_suite(void);

typedef struct Fixture {
    Arena *arena;
    Names *names;
    Partials *partials;
} Fixture;

static Fixture open_fixture(void)
{
    Arena *a = arena_new();
    Names *names = names_new(a);
    return (Fixture){a, names, partials_new(a, names)};
}

static const Expr *name(const Fixture *f, const char *id)
{
    return expr_name(f->arena, (Span){0, 1}, names_get(f->names, id), EXPR_CONTEXT_LOAD);
}

static const char *printed(const Fixture *f, const Expr *e)
{
    Buf b = buf_new(f->arena);
    emit_python_expr(&b, e);
    return buf_text(&b);
}

// A use that puts each name in for itself.
static PartialUse use_itself(const Fixture *f)
{
    return (PartialUse){.at = {7, 9}, .argument = {name(f, "a"), name(f, "b"), name(f, "c")},
                        .result = name(f, "r")};
}

static bool is_typed(void *cx, const Expr *e)
{
    bool *ok = cx;
    bool given = e->kind == EXPR_NAME && sym_is_one_of(e->name.id, (const char *const[]){
                                                           "a", "b", "c", "r", NULL});
    *ok = *ok && (given || e->ty != NULL) && e->at.start == 7;
    return true;
}

static void check_partial(const char *primitive, size_t arguments, size_t i, const char *text)
{
    Fixture f = open_fixture();
    const Partial *p = partial_find(f.partials, primitive, arguments);
    ck_assert_msg(p != NULL, "%s has no row", primitive);
    PartialUse use = use_itself(&f);
    const Expr *e = partial_with(f.partials, p, i, &use);
    ck_assert_str_eq(e == NULL ? "0" : printed(&f, e), text);
    bool ok = true;
    IrWalker w = {.cx = &ok, .expr = is_typed};
    if (e != NULL)
        ir_walk_expr(&w, e);
    ck_assert_msg(ok, "%s: a part without type or place", primitive);
    if (p->helper[i] != NULL)
        ck_assert_ptr_nonnull(partial_helper(p->helper[i]));
    arena_free(f.arena);
}

static void check_row(const char *primitive, const char *const *texts)
{
    size_t n = 0;
    while (n < PARTIAL_MAX && texts[n] != NULL)
        n++;
    for (size_t i = 0; i < n; i++)
        check_partial(primitive, n, i, texts[i]);
}

START_TEST(every_row_is_read)
{
#define PARTIAL(name, ...) check_row(name, (const char *const[PARTIAL_MAX]){__VA_ARGS__});
#define EACH(name, partial) check_partial(name, 9, 0, partial);
#include "compiler/pass/ad/partial.def"
}
END_TEST

START_TEST(every_helper_parses)
{
#define PARTIAL(name, ...)
#define HELPER(name, body) {                                                              \
        Fixture f = open_fixture();                                                       \
        Diags *diags = diags_new(f.arena);                                                \
        Text text = {body, strlen(body)};                                                 \
        front_parse(f.arena, f.names, source_new(f.arena, name, text), diags);            \
        ck_assert_uint_eq(diags_error_count(diags), 0);                                   \
        arena_free(f.arena);                                                              \
    }
#include "compiler/pass/ad/partial.def"
}
END_TEST

START_TEST(kinds)
{
    Fixture f = open_fixture();
    ck_assert_ptr_null(partial_find(f.partials, "len", 1));
    ck_assert_ptr_null(partial_find(f.partials, "math.sin", 2));
    ck_assert_int_eq(partial_find(f.partials, "max", 2)->kind, PARTIAL_ARGUMENTS);
    ck_assert_int_eq(partial_find(f.partials, "max", 1)->kind, PARTIAL_LOOP);
    ck_assert_int_eq(partial_find(f.partials, "sum", 1)->kind, PARTIAL_EACH);
    ck_assert_ptr_nonnull(partial_find(f.partials, "math.modf", 1)->why);
    ck_assert_ptr_null(partial_find(f.partials, "math.sin", 1)->helper[0]);
    ck_assert_str_eq(partial_of_operator(OPERATOR_POW), "float.__pow__");
    ck_assert_ptr_null(partial_of_operator(OPERATOR_BIT_OR));
    ck_assert_ptr_null(partial_of_unary(UNARYOP_NOT));
    arena_free(f.arena);
}
END_TEST

START_TEST(what_is_read)
{
    Fixture f = open_fixture();
    const Partial *divide = partial_find(f.partials, "float.__truediv__", 2);
    ck_assert(!partial_reads(divide, 0, 'a') && partial_reads(divide, 0, 'b'));
    ck_assert(partial_reads(divide, 1, 'r') && !partial_reads(divide, 1, 'a'));
    const Partial *sub = partial_find(f.partials, "float.__sub__", 2);
    ck_assert(partial_is_number(sub->of[0], 1.0) && !partial_is_number(sub->of[0], -1.0));
    ck_assert(partial_is_number(sub->of[1], -1.0) && !partial_is_number(sub->of[1], 1.0));
    ck_assert(!partial_is_number(divide->of[0], 1.0));
    arena_free(f.arena);
}
END_TEST

START_TEST(what_is_put_in)
{
    Fixture f = open_fixture();
    const Partial *p = partial_find(f.partials, "float.__pow__", 2);
    PartialUse use = use_itself(&f);
    use.argument[0] = expr_bin_op(f.arena, use.at, name(&f, "b"), OPERATOR_ADD, name(&f, "r"));
    use.argument[1] = name(&f, "y");
    use.math = name(&f, "math_1");
    ck_assert_str_eq(printed(&f, partial_with(f.partials, p, 1, &use)),
                     "r * math_1.log(b + r) if b + r > 0.0 else 0.0");
    arena_free(f.arena);
}
END_TEST

Suite *partial_suite(void)
{
    Suite *s = suite_create("partial");
    TCase *c = tcase_create("partial");
    tcase_add_test(c, every_row_is_read);
    tcase_add_test(c, every_helper_parses);
    tcase_add_test(c, kinds);
    tcase_add_test(c, what_is_read);
    tcase_add_test(c, what_is_put_in);
    suite_add_tcase(s, c);
    return s;
}
