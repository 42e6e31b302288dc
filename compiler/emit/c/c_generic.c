// c_generic.c - generic functions: what stands for their type variables in a call. Each choice is a
// function of its own in C.

#include <string.h>

#include "compiler/emit/c/c_call.h"

// ---- generic functions: what stands for the type variables ----

static void match(CEmit *c, Table *types, const Ty *declared, const Ty *actual)
{
    if (declared == NULL || actual == NULL)
        return;
    actual = c_ty(c, actual);
    if (declared->kind == TY_TYPE_VAR) {
        if (table_get(types, declared->type_var.name) == NULL && actual->kind != TY_ANY)
            table_set(types, declared->type_var.name, (void *)c_settled(c, actual));
        return;
    }
    if (declared->kind == TY_UNION && actual->kind != TY_UNION) {
        for (size_t i = 0; i < declared->union_.items.len; i++)
            if (declared->union_.items.at[i]->kind == TY_TYPE_VAR && actual->kind != TY_NONE_TYPE)
                match(c, types, declared->union_.items.at[i], actual);
        return;
    }
    if (declared->kind == TY_UNION && actual->kind == TY_UNION) {
        for (size_t i = 0; i < declared->union_.items.len; i++)
            for (size_t j = 0; j < actual->union_.items.len; j++)
                if (actual->union_.items.at[j]->kind != TY_NONE_TYPE)
                    match(c, types, declared->union_.items.at[i], actual->union_.items.at[j]);
        return;
    }
    if (declared->kind != actual->kind)
        return;
    TyList a = {0}, b = {0};
    if (declared->kind == TY_NAMED)
        a = declared->named.args, b = actual->named.args;
    else if (declared->kind == TY_TUPLE)
        a = declared->tuple.items, b = actual->tuple.items;
    else if (declared->kind == TY_CALLABLE) {
        a = declared->callable.params, b = actual->callable.params;
        match(c, types, declared->callable.result, actual->callable.result);
    }
    for (size_t i = 0; i < a.len && i < b.len; i++)
        match(c, types, a.at[i], b.at[i]);
}

static void vars_of(CEmit *c, const Ty *t, SymVec *out)
{
    if (t == NULL)
        return;
    TyList list = {0};
    switch (t->kind) {
    case TY_TYPE_VAR:
        for (size_t i = 0; i < out->len; i++)
            if (out->at[i] == t->type_var.name)
                return;
        vec_push(c->arena, out, t->type_var.name);
        return;
    case TY_NAMED: list = t->named.args; break;
    case TY_TUPLE: list = t->tuple.items; break;
    case TY_UNION: list = t->union_.items; break;
    case TY_CALLABLE:
        list = t->callable.params;
        vars_of(c, t->callable.result, out);
        break;
    case TY_PLACED: vars_of(c, t->placed.of, out); return;
    case TY_POISON: case TY_ANY: case TY_NONE_TYPE: case TY_INST: case TY_LITERAL: case TY_COUNT:
        return;
    }
    for (size_t i = 0; i < list.len; i++)
        vars_of(c, list.at[i], out);
}

static const Ty *arg_ty(CEmit *c, const Arg *arg)
{
    return arg->ty != NULL ? arg->ty : arg->annotation ? c_annotation(c, arg->annotation) : NULL;
}

TypeVars c_type_vars(CEmit *c, const Stmt *def)
{
    SymVec vars = {0};
    const Arguments *args = def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l].len; i++)
            vars_of(c, arg_ty(c, lists[l].at[i]), &vars);
    if (def->function_def.returns != NULL)
        vars_of(c, c_annotation(c, def->function_def.returns), &vars);
    return (TypeVars){vars.at, vars.len};
}

Table *c_solve_types(CEmit *c, const Stmt *def, const Expr *callee, const Expr *call)
{
    TypeVars vars = c_type_vars(c, def);
    if (vars.len == 0)
        return NULL;
    Table *types = table_new(c->arena);
    const Arguments *args = def->function_def.args;
    const Ty *t = callee->ty ? c_ty(c, callee->ty) : NULL;
    size_t n = 0;
    const ArgList lists[] = {args->posonlyargs, args->args};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].len; i++, n++) {
            const Ty *declared = arg_ty(c, lists[l].at[i]);
            if (t && t->kind == TY_CALLABLE && n < t->callable.params.len)
                match(c, types, declared, t->callable.params.at[n]);
            if (call != NULL && n < call->call.args.len && call->call.args.at[n]->ty)
                match(c, types, declared, call->call.args.at[n]->ty);
        }
    if (def->function_def.returns != NULL && t && t->kind == TY_CALLABLE)
        match(c, types, c_annotation(c, def->function_def.returns), t->callable.result);
    if (def->function_def.returns != NULL && call != NULL && call->ty != NULL)
        match(c, types, c_annotation(c, def->function_def.returns), call->ty);
    return types;
}

// ---- functions that need themselves with ever deeper types ----

static bool nests_deeper(const Ty *t, size_t left)
{
    TyList list = t == NULL ? (TyList){0} : t->kind == TY_NAMED ? t->named.args
        : t->kind == TY_TUPLE ? t->tuple.items : t->kind == TY_UNION ? t->union_.items
        : t->kind == TY_CALLABLE ? t->callable.params : (TyList){0};
    if (left == 0)
        return true;
    for (size_t i = 0; i < list.len; i++)
        if (nests_deeper(list.at[i], left - 1))
            return true;
    return t != NULL && t->kind == TY_CALLABLE && nests_deeper(t->callable.result, left - 1);
}

bool c_nests_too_deep(const Ty *t)
{
    enum { DEEPEST = 16 };
    return nests_deeper(t, DEEPEST);
}

// `g[int]`
static const char *instance_text(CEmit *c, const Stmt *def, Table *types, TypeVars vars)
{
    const char *text = "";
    for (size_t i = 0; i < vars.len; i++) {
        const Ty *t = types != NULL ? table_get(types, vars.at[i]) : NULL;
        text = c_text(c, "%s%s%s", text, i > 0 ? ", " : "",
                      t != NULL ? c_type_name(c, rep_of(c, t, def->at)) : "Any");
    }
    return c_text(c, "%s[%s]", def->function_def.name, text);
}

CFunction *c_generic_function(CEmit *c, Span at, const Stmt *def, Table *types, Value *refused)
{
    TypeVars vars = c_type_vars(c, def);
    bool deep = false;
    for (size_t i = 0; i < vars.len; i++)
        deep |= c_nests_too_deep(table_get(types, vars.at[i]));
    const CFunction *first = NULL, *second = NULL;
    for (const CFunction *f = deep ? c->function : NULL; f != NULL; f = f->asked_by)
        if (f->def == def)
            second = first, first = f;
    if (second == NULL)
        return c_function(c, def, NULL, types);
    *refused = c_refuse(c, at, "`%s` needs `%s`, which needs another type again, so the C program "
                        "would need infinitely many functions", instance_text(c, def, first->types,
                        vars), instance_text(c, def, second->types, vars));
    return NULL;
}

static const Ty *settled_var(IrMapper *m, const Ty *t)
{
    return t->kind == TY_TYPE_VAR ? c_ty(m->cx, t) : t;
}

const Ty *c_settled(CEmit *c, const Ty *t)
{
    IrMapper m = {.arena = c->arena, .cx = c, .ty = settled_var};
    t = c_ty(c, t);
    return t != NULL ? ir_map_ty(&m, t) : NULL;
}
