// ty.c - see ty.h. Literals side by side in a union are written in one pair of brackets.

#include "compiler/ir/ty.h"

#include "compiler/base/arena.h"
#include "compiler/base/buf.h"
#include "compiler/base/vec.h"

size_t ty_literal_run(TyList of, size_t from)
{
    size_t n = 0;
    while (from + n < of.len && of.at[from + n]->kind == TY_LITERAL)
        n++;
    return n;
}

const Expr *ty_literal_expr(Arena *a, Names *names, Span at, TyList of)
{
    const Expr **items = ARENA_ARRAY(a, const Expr *, of.len);
    for (size_t i = 0; i < of.len; i++)
        items[i] = expr_constant(a, at, of.at[i]->literal.value, NULL);
    const Expr *base = expr_name(a, at, names_get(names, "Literal"), EXPR_CONTEXT_LOAD);
    const Expr *slice = of.len == 1
        ? items[0] : expr_tuple(a, at, (ExprList){items, of.len}, EXPR_CONTEXT_LOAD);
    return expr_subscript(a, at, base, slice, EXPR_CONTEXT_LOAD);
}

// ---- type variables ----

TyList ty_parts(const Ty *t)
{
    return t->kind == TY_NAMED ? t->named.args : t->kind == TY_TUPLE ? t->tuple.items
        : t->kind == TY_UNION ? t->union_.items : t->kind == TY_INST ? t->inst.args
        : t->kind == TY_CALLABLE ? t->callable.params : (TyList){0};
}

typedef Vec(Sym) Vars;

static void add_vars(Arena *a, Vars *out, const Ty *t)
{
    bool is_new = t->kind == TY_TYPE_VAR;
    for (size_t i = 0; i < out->len; i++)
        is_new = is_new && out->at[i] != t->type_var.name;
    if (is_new)
        vec_push(a, out, t->type_var.name);
    TyList of = ty_parts(t);
    for (size_t i = 0; i < of.len; i++)
        add_vars(a, out, of.at[i]);
    if (t->kind == TY_CALLABLE && t->callable.result != NULL)
        add_vars(a, out, t->callable.result);
}

SymList ty_vars(Arena *a, const Ty *t)
{
    Vars out = {0};
    add_vars(a, &out, t);
    return (SymList){out.at, out.len};
}

const Const *ty_constant(Arena *a, const Expr *e)
{
    const Expr *of = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB
        ? e->unary_op.operand : e;
    const Const *value = of->kind == EXPR_CONSTANT ? of->constant.value : NULL;
    if (of == e || value == NULL)
        return value;
    if (value->kind != CONST_INT || *value->text.at == '0')
        return NULL;
    Buf text = buf_new(a);
    buf_printf(&text, "-%.*s", (int)value->text.len, value->text.at);
    return const_int(a, (Text){buf_text(&text), value->text.len + 1});
}

typedef struct Substitution { SymList vars; TyList by; } Substitution;

static const Ty *replace(IrMapper *m, const Ty *t)
{
    const Substitution *s = m->cx;
    if (t->kind != TY_TYPE_VAR)
        return t;
    for (size_t i = 0; i < s->vars.len && i < s->by.len; i++)
        if (s->vars.at[i] == t->type_var.name)
            return s->by.at[i];
    return t;
}

const Ty *ty_apply(Arena *a, const Ty *t, SymList vars, TyList by)
{
    Substitution s = {vars, by};
    IrMapper m = {.arena = a, .cx = &s, .ty = replace};
    return ir_map_ty(&m, t);
}
