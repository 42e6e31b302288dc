// test_ir.c - the generated IR: constructors, text form, walk, map, equality, hash, verification,
// all of them also on spines a million links long.

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/buf.h"
#include "compiler/ir/ir_index.h"
#include "ir_gen.h"

Suite *ir_suite(void);

enum { DEEP = 1000000 };

typedef struct World { Arena *arena; Names *names; } World;

static World open_world(void)
{
    Arena *a = arena_new();
    return (World){a, names_new(a)};
}

static const Expr *name(World *w, const char *id)
{
    return expr_name(w->arena, (Span){1, 2}, names_get(w->names, id), EXPR_CONTEXT_LOAD);
}

static ExprList exprs(World *w, size_t n, const Expr *a, const Expr *b)
{
    const Expr **at = ARENA_ARRAY(w->arena, const Expr *, 2);
    at[0] = a;
    at[1] = b;
    return (ExprList){at, n};
}

static StmtList stmts(World *w, const Stmt *s)
{
    const Stmt **at = ARENA_ARRAY(w->arena, const Stmt *, 1);
    at[0] = s;
    return (StmtList){at, 1};
}

static const Unit *unit_of(World *w, const Expr *e)
{
    return unit_module(w->arena, stmts(w, stmt_expr(w->arena, (Span){0, 9}, e)));
}

static const Expr *add(World *w, const Expr *left, const Expr *right)
{
    return expr_bin_op(w->arena, (Span){3, 9}, left, OPERATOR_ADD, right);
}

static const Expr *deep_sum(World *w, const char *first)
{
    const Expr *e = name(w, first), *link = name(w, "a");
    for (int i = 0; i < DEEP; i++)
        e = add(w, e, link);
    return e;
}

static StmtList deep_elif(World *w, const char *last)
{
    const Expr *test = name(w, "t");
    StmtList body = stmts(w, stmt_pass(w->arena, (Span){5, 9}));
    StmtList orelse = stmts(w, stmt_expr(w->arena, (Span){6, 7}, name(w, last)));
    for (int i = 0; i < DEEP; i++)
        orelse = stmts(w, stmt_if(w->arena, (Span){0, 9}, test, body, orelse));
    return orelse;
}

static Text print(World *w, const Unit *u)
{
    Buf b = buf_new(w->arena);
    ir_print_unit(&b, u);
    return (Text){buf_text(&b), b.len};
}

static const Unit *read_back(World *w, const char *text)
{
    const char *error;
    const Unit *u = ir_read_unit(w->arena, w->names, (Text){text, strlen(text)}, &error);
    ck_assert_msg(u != NULL, "%s: %s", text, error);
    return u;
}

static void check_identity(World *w, const Unit *u)
{
    const char *error;
    Text text = print(w, u);
    const Unit *again = ir_read_unit(w->arena, w->names, text, &error);
    ck_assert_msg(again != NULL, "%s in %s", error, text.at);
    ck_assert(ir_equal_unit(u, again));
    ck_assert_uint_eq(ir_hash_unit(u), ir_hash_unit(again));
    Text second = print(w, again);
    ck_assert_uint_eq(text.len, second.len);
    ck_assert(memcmp(text.at, second.at, text.len) == 0);
}

// ---- text form --------------------------------------------------------------------------------

START_TEST(print_shape)
{
    World w = open_world();
    Buf b = buf_new(w.arena);
    const Const *number = const_int(w.arena, (Text){"1", 1});
    const Expr *one = expr_constant(w.arena, (Span){8, 9}, number, NULL);
    ir_print_expr(&b, add(&w, name(&w, "x"), one));
    ck_assert_str_eq(buf_text(&b),
                     "(BinOp @3:9 (Name @1:2 x Load) Add (Constant @8:9 (int 1) nil))");
    arena_free(w.arena);
}
END_TEST

START_TEST(print_read_constants)
{
    World w = open_world();
    Arena *a = w.arena;
    static const double numbers[] = {0.0, -0.0, 1.5, 0.1, 1e300, 5e-324, 1e308 * 10, 1.0 / 3};
    const Const *texts[] = {
        const_none(a), const_ellipsis(a), const_bool(a, true), const_bool(a, false),
        const_int(a, (Text){"123456789012345678901234567890", 30}), const_int(a, (Text){"-7", 2}),
        const_str(a, (Text){"a\"b\\c\n\r\t\0\x7f", 10}), const_str(a, (Text){NULL, 0}),
        const_str(a, (Text){"\xed\xa0\x80 \xc3\xa9", 6}), const_bytes(a, (Text){"\xff\x00\x80", 3}),
        const_float(a, strtod("nan", NULL)), const_complex(a, -2.5),
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        check_identity(&w, unit_of(&w, expr_constant(a, (Span){0, 0}, const_float(a, numbers[i]),
                                                     NULL)));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_identity(&w, unit_of(&w, expr_constant(a, (Span){7, 4000000000u}, texts[i],
                                                     names_get(w.names, "u"))));
    arena_free(a);
}
END_TEST

START_TEST(print_read_names)
{
    World w = open_world();
    static const char *const names[] = {"x", "nil", "", "a b", "é", "a.b", "()", "\n", "@1:2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_identity(&w, unit_of(&w, name(&w, names[i])));
    arena_free(w.arena);
}
END_TEST

START_TEST(print_read_attributes)
{
    World w = open_world();
    const Sym *roles = (const Sym[]){names_get(w.names, "A"), names_get(w.names, "B")};
    const Ty *type = ty_named(w.arena, names_get(w.names, "int"), (TyList){0});
    const Expr *e = expr_with_ty(w.arena, name(&w, "x"), type, (SymList){roles, 2});
    Text text = print(&w, unit_of(&w, e));
    ck_assert_str_eq(text.at, "(Module [\n    (Expr @0:9 (Name @1:2 :ty (Named int []) "
                              ":roles [A B] x Load))])");
    check_identity(&w, unit_of(&w, e));
    ck_assert(ir_equal_expr(e, name(&w, "x")));
    ck_assert_uint_eq(ir_hash_expr(e), ir_hash_expr(name(&w, "x")));
    arena_free(w.arena);
}
END_TEST

// One text with forms of every family and field shape.
static const char rich[] =
    "(Module [\n"
    "(FunctionDef @0:9 f (Arguments [(Arg @1:2 p nil)] [(Arg @1:2 a (Name @1:2 int Load))]"
    " (Arg @1:2 v nil) [] [nil (Name @1:2 d Load)] nil []) [(Pass @1:2)] [] nil"
    " [(TypeVar @1:2 T nil nil) (ParamSpec @1:2 P nil)])"
    "(If @0:5 (Name @1:2 t Load) [(Pass @1:2)] [(Pass @1:2) (If @0:5 (Name @1:2 t Load) [] [])])"
    "(ImportFrom @0:1 nil [(Alias @0:1 x nil)] 2)"
    "(Match @0:1 (Name @0:1 x Load) [(MatchCase (MatchAs @0:1 nil nil) nil [(Break @0:1)])"
    " (MatchCase (MatchMapping @0:1 [] [] rest) (Name @0:1 g Load) [(Continue @0:1)])])"
    "(Try @0:1 [(Pass @0:1)] [(ExceptHandler @0:1 nil nil [(Pass @0:1)])] [] [])"
    "(With @0:1 [(Withitem (Name @0:1 c Load) nil)] [(Pass @0:1)])"
    "(Expr @0:1 (Compare @0:1 (Name @0:1 a Load) [Lt NotIn] [(Name @0:1 b Load)]))"
    "(Expr @0:1 (Dict @0:1 [nil (Name @0:1 k Load)] [(Name @0:1 a Load) (Name @0:1 b Load)]))"
    "(Expr @0:1 (ListComp @0:1 (Name @0:1 a Load) [(Comprehension (Name @0:1 a Store)"
    " (Name @0:1 b Load) [] 0)]))"
    "(Expr @0:1 (Call @0:1 (Attribute @0:1 (Name @0:1 a Load) m Load) []"
    " [(Keyword @0:1 nil (Name @0:1 k Load))]))"
    "(Expr @0:1 (Send @0:1 (Name @0:1 c Load) (Name @0:1 v Load) (Union [(NoneType) (Any)]) true))"
    "(Offer @0:1 (Name @0:1 c Load) (Name @0:1 e Load) [(OfferArm @0:1 (Name @0:1 l Load) [])])"
    "(Global @0:1 [a b])])";

START_TEST(print_read_forms)
{
    World w = open_world();
    check_identity(&w, read_back(&w, rich));
    check_identity(&w, read_back(
        &w, "(Endpoints [(Endpoint A [(Pass @0:1)] [C] [m] [(Fragment @0:1 m _)]) "
            "(Endpoint B [] [] [] [])] [] [])"));
    arena_free(w.arena);
}
END_TEST

START_TEST(read_refuses)
{
    static const char *const texts[] = {
        "", "nil", "(", "(Module", "(Module [", "(Module [])x", "(Nodule [])", "(Module [nil])",
        "(Module [(Pass)])", "(Module [(Pass @1)])", "(Module [(Pass @1:)])",
        "(Module [(Pass @1:99999999999)])", "(Module [(Return @0:1 nil)",
        "(Module [(Global @0:1 [nil])])", "(Module [(Global @0:1 [\"a\\x00b\"])])",
        "(Module [(Expr @0:1 nil)])", "(Module [(Expr @0:1 (Constant @0:1 (int 1x) nil))])",
        "(Module [(Expr @0:1 (Constant @0:1 (str \"abc) nil))])",
        "(Module [(Expr @0:1 (BinOp @0:1 nil Add (Name @0:1 a Load)))])",
        "(Module [(Expr @0:1 (Name @0:1 a Lead))])",
        "(Module [(If @0:1 (Name @0:1 a Load) [] [nil])])",
        "(Module [(ImportFrom @0:1 nil [] 99999999999)])",
    };
    World w = open_world();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *error = NULL;
        Text text = {texts[i], strlen(texts[i])};
        ck_assert_msg(ir_read_unit(w.arena, w.names, text, &error) == NULL, "%s", texts[i]);
        ck_assert_ptr_nonnull(error);
    }
    arena_free(w.arena);
}
END_TEST

// Every way to damage one byte, and every way to cut, gives a tree or an error.
START_TEST(read_survives_damage)
{
    static const char bytes[] = {'(', ')', '[', ']', '"', ' ', 'n', '@', ':', '\0', '\\', '\xff'};
    World w = open_world();
    char *text = malloc(sizeof rich);
    for (size_t i = 0; i < sizeof rich - 1; i++) {
        Arena *a = arena_new();
        Names *names = names_new(a);
        const char *error;
        memcpy(text, rich, sizeof rich);
        ir_read_unit(a, names, (Text){text, i}, &error);
        for (size_t k = 0; k < sizeof bytes; k++) {
            text[i] = bytes[k];
            ir_read_unit(a, names, (Text){text, sizeof rich - 1}, &error);
        }
        arena_free(a);
    }
    free(text);
    arena_free(w.arena);
}
END_TEST

// `depth` lists in each other, around one name.
static const Unit *read_nested(World *w, const char *open, const char *close, int depth,
                               const char **error)
{
    Buf b = buf_new(w->arena);
    buf_puts(&b, "(Module [(Expr @0:1 ");
    for (int i = 0; i < depth; i++)
        buf_puts(&b, open);
    buf_puts(&b, "(Name @0:1 a Load)");
    for (int i = 0; i < depth; i++)
        buf_puts(&b, close);
    buf_puts(&b, ")])");
    return ir_read_unit(w->arena, w->names, (Text){buf_text(&b), b.len}, error);
}

START_TEST(read_limits_nesting)
{
    World w = open_world();
    const char *error;
    ck_assert_ptr_nonnull(read_nested(&w, "(List @0:1 [", "] Load)", 1900, &error));
    ck_assert_ptr_null(read_nested(&w, "(List @0:1 [", "] Load)", 100000, &error));
    ck_assert_ptr_nonnull(read_nested(&w, "(UnaryOp @0:1 Not ", ")", 100000, &error));
    Buf b = buf_new(w.arena);
    buf_puts(&b, "(Module [");
    for (int i = 0; i < 5000; i++)
        buf_puts(&b, "(If @0:1 (Name @0:1 a Load) [] [");
    for (int i = 0; i < 5000; i++)
        buf_puts(&b, "(Pass @0:1)])");
    buf_puts(&b, "])");
    ck_assert_ptr_null(ir_read_unit(w.arena, w.names, (Text){buf_text(&b), b.len}, &error));
    arena_free(w.arena);
}
END_TEST

// ---- walk and map -----------------------------------------------------------------------------

typedef struct Seen { Buf names; size_t exprs, stmts; bool stop_at_calls; } Seen;

static bool see_expr(void *cx, const Expr *e)
{
    Seen *seen = cx;
    seen->exprs++;
    if (e->kind == EXPR_NAME)
        buf_puts(&seen->names, e->name.id);
    return !(seen->stop_at_calls && e->kind == EXPR_CALL);
}

static bool see_stmt(void *cx, const Stmt *s)
{
    (void)s;
    ((Seen *)cx)->stmts++;
    return true;
}

START_TEST(walk_order)
{
    World w = open_world();
    Seen seen = {.names = buf_new(w.arena)};
    IrWalker walker = {.cx = &seen, .expr = see_expr, .stmt = see_stmt};
    const Expr *call = expr_call(w.arena, (Span){0, 1}, add(&w, name(&w, "b"), name(&w, "c")),
                                 exprs(&w, 2, name(&w, "d"), name(&w, "e")), (KeywordList){0});
    const Expr *choice = expr_if_exp(w.arena, (Span){0, 1}, add(&w, call, name(&w, "f")),
                                     name(&w, "g"), name(&w, "h"));
    ir_walk_expr(&walker, choice);
    ck_assert_str_eq(buf_text(&seen.names), "bcdefgh");
    seen = (Seen){.names = buf_new(w.arena), .stop_at_calls = true};
    ir_walk_unit(&walker, unit_of(&w, choice));
    ck_assert_str_eq(buf_text(&seen.names), "fgh");
    ck_assert_uint_eq(seen.stmts, 1);
    arena_free(w.arena);
}
END_TEST

// A call above a chain and beside one: what is asked for is seen in the order of a walk, and what
// a callback leaves out is left out whole.
START_TEST(index_order)
{
    World w = open_world();
    Seen seen = {.names = buf_new(w.arena)};
    IrWalker walker = {.cx = &seen, .expr = see_expr, .stmt = see_stmt};
    const Expr *call = expr_call(w.arena, (Span){0, 1}, add(&w, name(&w, "b"), name(&w, "c")),
                                 exprs(&w, 2, name(&w, "d"), name(&w, "e")), (KeywordList){0});
    const Unit *u = unit_of(&w, add(&w, call, add(&w, name(&w, "f"), name(&w, "g"))));
    StmtList body = u->module.body, elifs = deep_elif(&w, "x");
    IrIndex index = ir_index_open(w.arena, body), rest = index;
    ir_index_walk(&walker, index, (IrKinds){IR_KIND(EXPR_NAME), ~(uint64_t)0});
    ck_assert_str_eq(buf_text(&seen.names), "bcdefg");
    ck_assert_uint_eq(seen.exprs, 6);
    ck_assert_uint_eq(seen.stmts, 1);
    seen = (Seen){.names = buf_new(w.arena), .stop_at_calls = true};
    ir_index_walk(&walker, index, (IrKinds){~(uint64_t)0, 0});
    ck_assert_str_eq(buf_text(&seen.names), "fg");
    ck_assert_uint_eq(seen.stmts, 0);
    ck_assert_uint_eq(ir_index_next(&rest).len, index.len);
    ck_assert_uint_eq(rest.len, 0);
    ir_index_close(&index);
    index = ir_index_open(w.arena, elifs);           // more than lie together
    seen = (Seen){.names = buf_new(w.arena)};
    ir_index_walk(&walker, index, (IrKinds){0, ~(uint64_t)0});
    ck_assert_uint_eq(seen.stmts, 2 * (size_t)DEEP + 1);
    ir_index_close(&index);
    arena_free(w.arena);
}
END_TEST

static const Expr *rename_x(IrMapper *m, const Expr *e)
{
    Sym y = m->cx;
    if (e->kind == EXPR_NAME && sym_is(e->name.id, "x"))
        return expr_name(m->arena, e->at, y, e->name.ctx);
    return e;
}

static const Stmt *drop_value(IrMapper *m, const Stmt *s)
{
    if (s->kind == STMT_EXPR && s->expr.value->kind == EXPR_NAME)
        return stmt_pass(m->arena, s->at);
    return s;
}

START_TEST(map_shares)
{
    World w = open_world();
    IrMapper m = {.arena = w.arena, .cx = (void *)names_get(w.names, "y"), .expr = rename_x};
    const Expr *same = add(&w, name(&w, "a"), name(&w, "b"));
    const Expr *e = expr_call(w.arena, (Span){0, 1}, same,
                              exprs(&w, 2, same, name(&w, "x")), (KeywordList){0});
    const Unit *u = unit_of(&w, same);
    ck_assert_ptr_eq(ir_map_unit(&m, u), u);
    const Expr *mapped = ir_map_expr(&m, e);
    ck_assert_ptr_ne(mapped, e);
    ck_assert_ptr_eq(mapped->call.func, same);
    ck_assert_ptr_eq(mapped->call.args.at[0], same);
    ck_assert_str_eq(mapped->call.args.at[1]->name.id, "y");
    ck_assert_str_eq(e->call.args.at[1]->name.id, "x");
    ck_assert(!ir_equal_expr(e, mapped));
    arena_free(w.arena);
}
END_TEST

// ---- spines -----------------------------------------------------------------------------------

START_TEST(deep_expressions)
{
    World w = open_world();
    const Expr *e = deep_sum(&w, "x"), *twin = deep_sum(&w, "x"), *other = deep_sum(&w, "z");
    Seen seen = {.names = buf_new(w.arena)};
    IrWalker walker = {.cx = &seen, .expr = see_expr};
    IrMapper m = {.arena = w.arena, .cx = (void *)names_get(w.names, "z"), .expr = rename_x};
    size_t n;
    ir_walk_expr(&walker, e);
    ck_assert_uint_eq(seen.exprs, 2 * (size_t)DEEP + 1);
    ck_assert(ir_equal_expr(e, twin));
    ck_assert(!ir_equal_expr(e, other));
    ck_assert_uint_eq(ir_hash_expr(e), ir_hash_expr(twin));
    ck_assert_uint_ne(ir_hash_expr(e), ir_hash_expr(other));
    ck_assert(ir_equal_expr(ir_map_expr(&m, e), other));
    ck_assert_ptr_eq(ir_map_expr(&m, other), other);
    const Expr **spine = expr_spine(w.arena, e, &n);
    ck_assert_uint_eq(n, (size_t)DEEP + 1);
    ck_assert_ptr_eq(spine[0], e);
    ck_assert_ptr_eq(spine[1], expr_spine_child(e));
    ck_assert_int_eq(spine[n - 1]->kind, EXPR_NAME);
    arena_free(w.arena);
}
END_TEST

START_TEST(deep_text)
{
    World w = open_world();
    check_identity(&w, unit_of(&w, deep_sum(&w, "x")));
    arena_free(w.arena);
    w = open_world();
    check_identity(&w, unit_module(w.arena, deep_elif(&w, "x")));
    arena_free(w.arena);
}
END_TEST

START_TEST(deep_statements)
{
    World w = open_world();
    StmtList list = deep_elif(&w, "x"), other = deep_elif(&w, "z");
    Seen seen = {.names = buf_new(w.arena)};
    IrWalker walker = {.cx = &seen, .stmt = see_stmt};
    IrMapper m = {.arena = w.arena, .stmt = drop_value};
    const Unit *u = unit_module(w.arena, list);
    ir_walk_stmts(&walker, list);
    ck_assert_uint_eq(seen.stmts, 2 * (size_t)DEEP + 1);
    ck_assert(ir_equal_stmts(list, deep_elif(&w, "x")));
    ck_assert(!ir_equal_stmts(list, other));
    ck_assert(ir_equal_stmts(ir_map_stmts(&m, list), ir_map_stmts(&m, other)));
    ck_assert_uint_eq(ir_tags_of_unit(u), 0);
    arena_free(w.arena);
}
END_TEST

START_TEST(spine_child)
{
    World w = open_world();
    const Expr *a = name(&w, "a"), *b = name(&w, "b"), *e = add(&w, a, a);
    ck_assert_ptr_null(expr_spine_child(a));
    ck_assert_ptr_eq(expr_with_spine_child(w.arena, e, a), e);
    ck_assert_ptr_eq(expr_with_spine_child(w.arena, e, b)->bin_op.left, b);
    const Stmt *pass = stmt_pass(w.arena, (Span){0, 1});
    const Stmt *s = stmt_if(w.arena, (Span){0, 1}, a, stmts(&w, pass), (StmtList){0});
    ck_assert_ptr_null(stmt_spine_child(s));
    s = stmt_if(w.arena, (Span){0, 1}, a, stmts(&w, pass), stmts(&w, s));
    ck_assert_ptr_eq(stmt_with_spine_child(w.arena, s, pass)->if_.orelse.at[0], pass);
    arena_free(w.arena);
}
END_TEST

// ---- verification -----------------------------------------------------------------------------

START_TEST(verify_tags)
{
    World w = open_world();
    const char *form = NULL;
    Span at = {0, 0};
    const Expr *await = expr_await(w.arena, (Span){4, 6}, name(&w, "a"));
    const Unit *u = unit_of(&w, add(&w, name(&w, "a"), await));
    ck_assert_uint_eq(ir_tags_of_unit(u), IR_SURFACE);
    ck_assert(ir_verify_unit(u, IR_SURFACE, &form, &at));
    ck_assert(!ir_verify_unit(u, IR_SUGAR | IR_CHOREO, &form, &at));
    ck_assert_str_eq(form, "Await");
    ck_assert_uint_eq(at.start, 4);
    arena_free(w.arena);
}
END_TEST

START_TEST(verify_missing)
{
    World w = open_world();
    const char *form = NULL;
    Span at = {0, 0};
    ck_assert(!ir_verify_unit(unit_of(&w, add(&w, name(&w, "a"), NULL)), ~0u, &form, &at));
    ck_assert_str_eq(form, "BinOp");
    const Expr *nameless = expr_name(w.arena, (Span){1, 2}, NULL, EXPR_CONTEXT_LOAD);
    ck_assert(!ir_verify_expr(nameless, ~0u, &form, &at));
    ck_assert_str_eq(form, "Name");
    const Expr *hole = expr_tuple(w.arena, (Span){1, 2}, exprs(&w, 2, nameless, NULL),
                                  EXPR_CONTEXT_LOAD);
    ck_assert(!ir_verify_expr(hole, ~0u, &form, &at));
    ck_assert_str_eq(form, "Tuple");
    arena_free(w.arena);
}
END_TEST

START_TEST(equality)
{
    World w = open_world();
    const Expr *load = name(&w, "a");
    const Expr *store = expr_name(w.arena, load->at, load->name.id, EXPR_CONTEXT_STORE);
    ck_assert(ir_equal_expr(load, expr_with_at(w.arena, load, (Span){70, 80})));
    ck_assert(!ir_equal_expr(load, store));
    ck_assert(ir_equal_expr(NULL, NULL));
    ck_assert(!ir_equal_expr(NULL, load));
    ck_assert(!ir_equal_exprs(exprs(&w, 2, load, NULL), exprs(&w, 2, load, load)));
    ck_assert(!const_equal(const_int(w.arena, (Text){"1", 1}), const_bool(w.arena, true)));
    ck_assert(!const_equal(const_float(w.arena, 0.0), const_float(w.arena, -0.0)));
    ck_assert_str_eq(expr_kind_name(EXPR_JOINED_STR), "JoinedStr");
    ck_assert_str_eq(operator_name(OPERATOR_FLOOR_DIV), "FloorDiv");
    arena_free(w.arena);
}
END_TEST

static TCase *text_case(void)
{
    TCase *c = tcase_create("text");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, print_shape);
    tcase_add_test(c, print_read_constants);
    tcase_add_test(c, print_read_names);
    tcase_add_test(c, print_read_attributes);
    tcase_add_test(c, print_read_forms);
    tcase_add_test(c, read_refuses);
    tcase_add_test(c, read_survives_damage);
    tcase_add_test(c, read_limits_nesting);
    return c;
}

static TCase *tree_case(void)
{
    TCase *c = tcase_create("tree");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, walk_order);
    tcase_add_test(c, index_order);
    tcase_add_test(c, map_shares);
    tcase_add_test(c, deep_expressions);
    tcase_add_test(c, deep_statements);
    tcase_add_test(c, deep_text);
    tcase_add_test(c, spine_child);
    tcase_add_test(c, verify_tags);
    tcase_add_test(c, verify_missing);
    tcase_add_test(c, equality);
    return c;
}

Suite *ir_suite(void)
{
    Suite *s = suite_create("ir");
    suite_add_tcase(s, text_case());
    suite_add_tcase(s, tree_case());
    return s;
}
