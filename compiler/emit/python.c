// python.c - the entries of the Python emitter, and local types as annotations.

#include <string.h>

#include "compiler/emit/python_control.h"
#include "compiler/emit/python_internal.h"
#include "compiler/ir/pytext.h"
#include "compiler/ir/ty.h"

static Py start(Buf *b, PythonOptions o)
{
    return (Py){.out = b, .arena = b->arena, .options = o, .line = buf_new(b->arena),
                .quotes = QUOTE_ALL, .other = "other"};
}

static const char other_text[] = "other";

// Counts the underscores of `other`, `other_`, `other__2` where a program has such a name.
static void note_other(size_t *underscores, const char *name)
{
    size_t n = sizeof other_text - 1;
    if (strncmp(name, other_text, n) != 0 || name[n + strspn(name + n, "_0123456789")] != '\0')
        return;
    n = strspn(name + n, "_") + 1;
    *underscores = n > *underscores ? n : *underscores;
}

static bool note_name(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        note_other(cx, e->name.id);
    return true;
}

static bool note_arg(void *cx, const Arg *arg)
{
    note_other(cx, arg->arg);
    return true;
}

// A name for unexpected labels that the statements do not use.
static const char *other_name(Arena *a, StmtList body)
{
    size_t underscores = 0;
    IrWalker w = {.cx = &underscores, .expr = note_name, .arg = note_arg};
    ir_walk_stmts(&w, body);
    Buf b = buf_new(a);
    buf_puts(&b, other_text);
    while (underscores-- > 0)
        buf_putc(&b, '_');
    return buf_text(&b);
}

static void put_endpoint(Py *p, const Endpoint *e, const char *what, bool first)
{
    if (!first)
        buf_puts(p->out, "\n\n");
    buf_printf(p->out, "# ---- %s %s ----\n\n", what, e->role);
    p->other = other_name(p->arena, e->body);
    py_block(p, e->body, PLACE_MODULE);
}

void emit_python_unit(Buf *b, const Unit *u, PythonOptions o)
{
    Py p = start(b, o);
    u = control_as_python(b->arena, u);
    switch (u->kind) {
    case UNIT_MODULE:
        py_block(&p, u->module.body, PLACE_MODULE);
        break;
    case UNIT_ENDPOINTS:
        for (size_t i = 0; i < u->endpoints.endpoints.len; i++)
            put_endpoint(&p, u->endpoints.endpoints.at[i], "role", i == 0);
        for (size_t i = 0; i < u->endpoints.modules.len; i++)
            put_endpoint(&p, u->endpoints.modules.at[i], "module",
                         u->endpoints.endpoints.len == 0 && i == 0);
        break;
    case UNIT_COUNT:
        break;
    }
}

void emit_python_stmts(Buf *b, StmtList body, PythonOptions o)
{
    Py p = start(b, o);
    p.other = other_name(p.arena, body);
    py_block(&p, body, PLACE_MODULE);
}

void emit_python_expr(Buf *b, const Expr *e)
{
    Py p = start(b, (PythonOptions){0});
    p.unbreakable = 1;
    py_expr(&p, e, PREC_TEST);
    buf_write(b, buf_text(&p.line), p.line.len);
}

void emit_python_pattern(Buf *b, const Pattern *pattern)
{
    Py p = start(b, (PythonOptions){0});
    p.unbreakable = 1;
    py_pattern(&p, pattern);
    buf_write(b, buf_text(&p.line), p.line.len);
}

// ---- types ----

// In brackets, a generic class without its own is an error of `mypy --strict`.
static bool put_bare(Buf *b, const Ty *t)
{
    static const char *const BARE[][2] = {
        {"list", "list[object]"}, {"set", "set[object]"}, {"frozenset", "frozenset[object]"},
        {"dict", "dict[object, object]"}, {"tuple", "tuple[object, ...]"}};
    for (size_t i = 0; i < sizeof BARE / sizeof *BARE; i++)
        if (t && t->kind == TY_NAMED && t->named.args.len == 0
            && sym_is(t->named.name, BARE[i][0])) {
            buf_puts(b, BARE[i][1]);
            return true;
        }
    return false;
}

static void put_types(Buf *b, TyList types, const char *between)
{
    for (size_t i = 0; i < types.len; i++) {
        if (i > 0)
            buf_puts(b, between);
        if (!put_bare(b, types.at[i]))
            emit_ty(b, types.at[i]);
    }
}

static void put_names(Buf *b, SymList names, bool more)
{
    for (size_t i = 0; i < names.len; i++) {
        if (i > 0 || more)
            buf_puts(b, ", ");
        buf_puts(b, names.at[i]);
    }
}

static void put_applied(Buf *b, Sym name, TyList args, SymList roles)
{
    buf_puts(b, name);
    if (args.len + roles.len == 0)
        return;
    buf_putc(b, '[');
    put_types(b, args, ", ");
    if (ty_is_open_tuple(name, args))
        buf_puts(b, ", ...");
    put_names(b, roles, args.len > 0);
    buf_putc(b, ']');
}

static void put_callable(Buf *b, const Ty *t)
{
    buf_puts(b, "Callable[[");
    put_types(b, t->callable.params, ", ");
    buf_puts(b, "], ");
    emit_ty(b, t->callable.result);
    buf_putc(b, ']');
}

static void put_constant(Buf *b, const Const *value)
{
    Py p = start(b, (PythonOptions){0});
    p.unbreakable = 1;
    py_constant(&p, value, NULL);
    buf_write(b, buf_text(&p.line), p.line.len);
}

static bool is_literal(const Ty *t, bool some)
{
    return t->kind == TY_LITERAL || (some && t->kind == TY_NONE_TYPE);
}

// Literals are last, in one pair of brackets, and None is one of them: `Literal["a"] | None` is a
// type, but to mypy no value.
static void put_union(Buf *b, TyList of)
{
    bool some = false;
    const char *before = "";
    for (size_t i = 0; i < of.len; i++)
        some |= of.at[i]->kind == TY_LITERAL;
    for (size_t i = 0; i < of.len; i++) {
        if (is_literal(of.at[i], some))
            continue;
        buf_puts(b, before);
        put_types(b, (TyList){&of.at[i], 1}, "");
        before = " | ";
    }
    if (!some)
        return;
    buf_printf(b, "%sLiteral[", before);
    before = "";
    for (size_t i = 0; i < of.len; i++) {
        if (!is_literal(of.at[i], some))
            continue;
        buf_puts(b, before);
        if (of.at[i]->kind == TY_LITERAL)
            put_constant(b, of.at[i]->literal.value);
        else
            buf_puts(b, "None");
        before = ", ";
    }
    buf_putc(b, ']');
}

void emit_ty(Buf *b, const Ty *t)
{
    if (t == NULL) {
        buf_puts(b, "object");
        return;
    }
    switch (t->kind) {
    case TY_POISON:
    case TY_ANY:       buf_puts(b, "object"); break;
    case TY_NONE_TYPE: buf_puts(b, "None"); break;
    case TY_NAMED:     put_applied(b, t->named.name, t->named.args, (SymList){0}); break;
    case TY_INST:      put_applied(b, t->inst.name, t->inst.args, t->inst.actuals); break;
    case TY_TUPLE:
        buf_puts(b, t->tuple.items.len > 0 ? "tuple[" : "tuple[()");
        put_types(b, t->tuple.items, ", ");
        buf_putc(b, ']');
        break;
    case TY_UNION:     put_union(b, t->union_.items); break;
    case TY_CALLABLE:  put_callable(b, t); break;
    case TY_TYPE_VAR:  buf_puts(b, t->type_var.name); break;
    case TY_LITERAL:   put_union(b, (TyList){&t, 1}); break;
    case TY_PLACED:
        buf_puts(b, "At[");
        emit_ty(b, t->placed.of);
        put_names(b, t->placed.at_roles, true);
        buf_putc(b, ']');
        break;
    case TY_COUNT:
        break;
    }
}
