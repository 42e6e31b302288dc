// partial.c - rows of partial.def as typed expressions, and what is put in for their names.

#include "compiler/pass/ad/partial.h"

#include <string.h>

#include "compiler/base/diag.h"
#include "compiler/base/vec.h"
#include "compiler/front/front.h"
#include "compiler/ir/free_names.h"

typedef struct Row {
    const char *name;
    PartialKind kind;
    const char *text[PARTIAL_MAX];      // REFUSED: why
} Row;

static const Row rows[] = {
#define PARTIAL(name, ...)    {name, PARTIAL_ARGUMENTS, {__VA_ARGS__}},
#define EACH(name, partial)   {name, PARTIAL_EACH, {partial}},
#define LOOP(name)            {name, PARTIAL_LOOP, {NULL}},
#define REFUSED(name, why)    {name, PARTIAL_REFUSED, {why}},
#include "compiler/pass/ad/partial.def"
};

static const struct { const char *name, *text; } helpers[] = {
#define PARTIAL(name, ...)
#define HELPER(name, text)    {name, text},
#include "compiler/pass/ad/partial.def"
};

enum { ROWS = sizeof rows / sizeof *rows, HELPERS = sizeof helpers / sizeof *helpers };

struct Partials {
    Arena *arena;
    Names *names;
    const Ty *float_, *bool_;
    const Partial *found[ROWS];
};

Partials *partials_new(Arena *a, Names *names)
{
    Partials *ps = ARENA_NEW(a, Partials);
    ps->arena = a;
    ps->names = names;
    ps->float_ = ty_named(a, names_get(names, "float"), (TyList){0});
    ps->bool_ = ty_named(a, names_get(names, "bool"), (TyList){0});
    return ps;
}

// ---- parsing: every number of a partial is a float, every test a bool ----

static const Ty *module_ty(Partials *ps, Sym name)
{
    const Ty **args = ARENA_NEW(ps->arena, const Ty *);
    args[0] = ty_named(ps->arena, name, (TyList){0});
    return ty_named(ps->arena, names_get(ps->names, "module"), (TyList){args, 1});
}

static const Ty *function_ty(Partials *ps, size_t arguments)
{
    const Ty **params = ARENA_ARRAY(ps->arena, const Ty *, arguments + 1);
    for (size_t i = 0; i < arguments; i++)
        params[i] = ps->float_;
    return ty_callable(ps->arena, (TyList){params, arguments}, ps->float_);
}

static const Expr *typed(IrMapper *m, const Expr *e)
{
    Partials *ps = m->cx;
    const Ty *ty = ps->float_;
    if (e->kind == EXPR_COMPARE || e->kind == EXPR_BOOL_OP)
        ty = ps->bool_;
    if (e->kind == EXPR_NAME && sym_is(e->name.id, "math"))
        ty = module_ty(ps, e->name.id);
    if (e->kind == EXPR_CALL) {
        const Ty *callable = function_ty(ps, e->call.args.len);
        const Expr *func = expr_with_ty(m->arena, e->call.func, callable, (SymList){0});
        e = expr_call(m->arena, e->at, func, e->call.args, e->call.keywords);
    }
    return expr_with_ty(m->arena, e, ty, (SymList){0});
}

const Expr *partial_parse(Partials *ps, const char *text)
{
    const Source *source = source_new(ps->arena, "partial.def", (Text){text, strlen(text)});
    const Unit *unit = front_parse(ps->arena, ps->names, source, diags_new(ps->arena));
    IrMapper m = {.arena = ps->arena, .cx = ps, .expr = typed};
    return ir_map_expr(&m, unit->module.body.at[0]->expr.value);
}

static size_t row_count(const Row *row)
{
    size_t n = 0;
    while (row->kind == PARTIAL_ARGUMENTS && n < PARTIAL_MAX && row->text[n] != NULL)
        n++;
    return n;
}

static const char *find_helper(const char *text)
{
    for (size_t i = 0; i < HELPERS; i++)
        if (strstr(text, helpers[i].name) != NULL)
            return helpers[i].name;
    return NULL;
}

static const Partial *row_partial(Partials *ps, size_t i)
{
    if (ps->found[i] != NULL)
        return ps->found[i];
    const Row *row = &rows[i];
    Partial *p = ARENA_NEW(ps->arena, Partial);
    *p = (Partial){.name = row->name, .kind = row->kind, .count = row_count(row)};
    if (row->kind == PARTIAL_REFUSED)
        p->why = row->text[0];
    size_t texts = row->kind == PARTIAL_EACH ? 1 : p->count;
    for (size_t k = 0; k < texts; k++) {
        p->of[k] = strcmp(row->text[k], "0") == 0 ? NULL : partial_parse(ps, row->text[k]);
        p->helper[k] = find_helper(row->text[k]);
    }
    return ps->found[i] = p;
}

const Partial *partial_find(Partials *ps, const char *name, size_t arguments)
{
    const Partial *any = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        const Partial *p = row_partial(ps, i);
        if (p->kind == PARTIAL_ARGUMENTS && p->count == arguments)
            return p;
        if (p->kind != PARTIAL_ARGUMENTS)
            any = p;
    }
    return any;
}

const char *partial_of_operator(Operator op)
{
    static const char *const names[OPERATOR_COUNT] = {
        [OPERATOR_ADD] = "float.__add__",   [OPERATOR_SUB] = "float.__sub__",
        [OPERATOR_MULT] = "float.__mul__",  [OPERATOR_DIV] = "float.__truediv__",
        [OPERATOR_MOD] = "float.__mod__",   [OPERATOR_FLOOR_DIV] = "float.__floordiv__",
        [OPERATOR_POW] = "float.__pow__",
    };
    return names[op];
}

const char *partial_of_unary(Unaryop op)
{
    static const char *const names[UNARYOP_COUNT] = {
        [UNARYOP_U_SUB] = "float.__neg__",  [UNARYOP_U_ADD] = "float.__pos__",
    };
    return names[op];
}

// ---- using ----

// 0, 1, 2 of the arguments, PARTIAL_MAX of the result; -1: another name.
static int name_index(const Expr *e)
{
    if (e->kind != EXPR_NAME || e->name.id[1] != '\0')
        return -1;
    char c = e->name.id[0];
    return c == 'r' ? PARTIAL_MAX : c >= 'a' && c < 'a' + PARTIAL_MAX ? c - 'a' : -1;
}

static const Expr *put_name(IrMapper *m, const Expr *e)
{
    const PartialUse *use = m->cx;
    int index = name_index(e);
    const Expr *with = index < 0 ? NULL : index == PARTIAL_MAX ? use->result : use->argument[index];
    if (e->kind == EXPR_NAME && sym_is(e->name.id, "math"))
        with = use->math;
    if (with != NULL && with->kind != EXPR_NAME && with->kind != EXPR_CONSTANT)
        return with;
    return expr_with_at(m->arena, with != NULL ? with : e, use->at);
}

const Expr *partial_put(Partials *ps, const Expr *e, const PartialUse *use)
{
    PartialUse putting = *use;
    IrMapper m = {.arena = ps->arena, .cx = &putting, .expr = put_name};
    return ir_map_expr(&m, e);
}

const Expr *partial_with(Partials *ps, const Partial *p, size_t i, const PartialUse *use)
{
    return p->of[i] == NULL ? NULL : partial_put(ps, p->of[i], use);
}

typedef struct Reading { int index; bool found; } Reading;

static bool find_name(void *cx, const Expr *e)
{
    Reading *r = cx;
    r->found = r->found || name_index(e) == r->index;
    return true;
}

bool partial_reads(const Partial *p, size_t i, char name)
{
    Reading r = {.index = name == 'r' ? PARTIAL_MAX : name - 'a'};
    IrWalker w = {.cx = &r, .expr = find_name};
    if (p->of[i] != NULL)
        ir_walk_expr(&w, p->of[i]);
    return r.found;
}

bool partial_is_number(const Expr *e, double number)
{
    if (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB)
        return number < 0.0 && partial_is_number(e->unary_op.operand, -number);
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_FLOAT
           && e->constant.value->number == number;
}

const char *partial_helper(const char *name)
{
    for (size_t i = 0; i < HELPERS; i++)
        if (strcmp(helpers[i].name, name) == 0)
            return helpers[i].text;
    return NULL;
}

static const Arg *typed_arg(IrMapper *m, const Arg *arg)
{
    return arg_with_ty(m->arena, arg, ((Partials *)m->cx)->float_);
}

StmtList partial_helpers_for(Arena *a, Names *names, StmtList body, SymList bound)
{
    Vec(const Stmt *) out = {0};
    SymList missing = names_free(a, names, body);
    for (size_t i = 0; i < HELPERS; i++) {
        Sym name = names_get(names, helpers[i].name);
        if (!sym_in(missing, name) || sym_in(bound, name))
            continue;
        const Source *source = source_new(a, name, (Text){helpers[i].text,
                                                          strlen(helpers[i].text)});
        Partials *ps = partials_new(a, names);
        IrMapper m = {.arena = a, .cx = ps, .expr = typed, .arg = typed_arg};
        StmtList def = ir_map_stmts(&m, front_parse(a, names, source, diags_new(a))->module.body);
        for (size_t k = 0; k < def.len; k++)
            vec_push(a, &out, def.at[k]);
    }
    return (StmtList){out.at, out.len};
}
