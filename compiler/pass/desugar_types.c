// desugar_types.c - types of what is added, and types written as annotations.

#include "compiler/pass/desugar_internal.h"

#include "compiler/emit/python.h"
#include "compiler/ir/ty.h"

// The type of a function whose parameters are these arguments; NULL where one has no type.
const Ty *desugar_callable(Desugar *d, ExprList args, const Ty *result)
{
    Vec(const Ty *) params = {0};
    for (size_t i = 0; i < args.len; i++) {
        if (args.at[i]->ty == NULL)
            return NULL;
        vec_push(d->arena, &params, args.at[i]->ty);
    }
    return result ? ty_callable(d->arena, (TyList){params.at, params.len}, result) : NULL;
}

const Ty *desugar_list_ty(Desugar *d, const Ty *item)
{
    return item ? desugar_ty1(d, "list", item) : NULL;
}

const Ty *desugar_tuple_ty(Desugar *d, size_t n, const Ty *const *items)
{
    const Ty **copy = ARENA_ARRAY(d->arena, const Ty *, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (items[i] == NULL)
            return NULL;
        copy[i] = items[i];
    }
    return ty_tuple(d->arena, (TyList){copy, n});
}

static const Ty *pair_ty(Desugar *d, const Ty *first, const Ty *second)
{
    const Ty *both[] = {first, second};
    return desugar_tuple_ty(d, 2, both);
}

const Ty *desugar_item_ty(Desugar *d, const Ty *t)
{
    if (t == NULL || t->kind == TY_ANY)
        return t;
    if (t->kind == TY_TUPLE && t->tuple.items.len > 0) {
        for (size_t i = 1; i < t->tuple.items.len; i++)
            if (!ir_equal_ty(t->tuple.items.at[0], t->tuple.items.at[i]))
                return ty_union(d->arena, t->tuple.items);
        return t->tuple.items.at[0];
    }
    if (desugar_is(t, "str"))
        return t;
    if (desugar_is(t, "range") || desugar_is(t, "bytes") || desugar_is(t, "bytearray"))
        return desugar_ty(d, "int");
    if (t->kind != TY_NAMED || t->named.args.len == 0)
        return NULL;
    TyList args = t->named.args;
    if (desugar_is(t, "enumerate"))
        return pair_ty(d, desugar_ty(d, "int"), args.at[0]);
    if (desugar_is(t, "dict_items") || desugar_is(t, "ItemsView"))
        return pair_ty(d, args.at[0], args.at[args.len - 1]);
    bool values = desugar_is(t, "dict_values") || desugar_is(t, "ValuesView");
    return values ? args.at[args.len - 1] : args.at[0];
}

const Ty *desugar_target_ty(Desugar *d, const Expr *target, const Ty *iterable)
{
    const Ty *t = target->ty;
    bool known = t != NULL && t->kind != TY_ANY && t->kind != TY_POISON;
    return known ? t : desugar_item_ty(d, iterable);
}

// ---- annotations ----

static bool see_name(void *cx, const Ty *t)
{
    static const char *const builtin[] = {
        "bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "set",
        "str", "tuple", NULL,
    };
    bool *builtins_only = cx;
    if (t->kind != TY_NONE_TYPE && t->kind != TY_TUPLE && t->kind != TY_UNION
        && !(t->kind == TY_NAMED && sym_is_one_of(t->named.name, builtin)))
        *builtins_only = false;
    return true;
}

static const Expr *name_of(Desugar *d, Span at, const char *name)
{
    return desugar_name(d, at, names_get(d->names, name), NULL);
}

static const Expr *written(Desugar *d, Span at, const Ty *t);

static const Expr *generic(Desugar *d, Span at, const char *name, TyList args, bool open)
{
    const Expr *base = name_of(d, at, name), *index;
    ExprVec all = {0};
    if (args.len == 0)
        return base;
    for (size_t i = 0; i < args.len; i++)
        vec_push(d->arena, &all, written(d, at, args.at[i]));
    if (open)
        vec_push(d->arena, &all, expr_constant(d->arena, at, const_ellipsis(d->arena), NULL));
    index = all.len == 1 ? all.at[0]
                         : expr_tuple(d->arena, at, (ExprList){all.at, all.len}, EXPR_CONTEXT_LOAD);
    return expr_subscript(d->arena, at, base, index, EXPR_CONTEXT_LOAD);
}

static const Expr *written(Desugar *d, Span at, const Ty *t)
{
    if (t->kind == TY_NONE_TYPE)
        return expr_constant(d->arena, at, const_none(d->arena), NULL);
    if (t->kind == TY_TUPLE)
        return generic(d, at, "tuple", t->tuple.items, false);
    if (t->kind == TY_NAMED)
        return generic(d, at, t->named.name, t->named.args,
                       ty_is_open_tuple(t->named.name, t->named.args));
    const Expr *all = NULL;
    for (size_t i = 0; i < t->union_.items.len; i++) {
        const Expr *one = written(d, at, t->union_.items.at[i]);
        all = all ? expr_bin_op(d->arena, at, all, OPERATOR_BIT_OR, one) : one;
    }
    return all;
}

// In quotes where it names a class that may not be there yet.
const Expr *desugar_annotation(Desugar *d, Span at, const Ty *ty)
{
    bool builtins_only = true;
    IrWalker w = {.cx = &builtins_only, .ty = see_name};
    if (ty == NULL || ty->kind == TY_ANY || ty->kind == TY_POISON)
        return NULL;
    ir_walk_ty(&w, ty);
    if (builtins_only)
        return desugar_typed(d, written(d, at, ty), ty);
    Buf b = buf_new(d->arena);
    emit_ty(&b, ty);
    return desugar_typed(d, desugar_str(d, at, buf_text(&b)), ty);
}

// What code made here gives. Of whatever type it is, it is a value.
const Expr *desugar_result(Desugar *d, Span at, const Ty *ty)
{
    const Expr *known = desugar_annotation(d, at, ty);
    return known != NULL ? known : desugar_typed(d, name_of(d, at, "object"), ty_any(d->arena));
}

const Arguments *desugar_typed_parameters(Desugar *d, const Arguments *args, const Ty *callable)
{
    Arguments *out = ARENA_NEW(d->arena, Arguments);
    Vec(const Arg *) all = {0};
    *out = *args;
    if (callable == NULL || callable->kind != TY_CALLABLE || args->posonlyargs.len > 0
        || callable->callable.params.len != args->args.len)
        return out;
    for (size_t i = 0; i < args->args.len; i++) {
        const Arg *arg = args->args.at[i];
        const Ty *ty = arg->ty ? arg->ty : callable->callable.params.at[i];
        const Arg *typed = arg_new(d->arena, arg->at, arg->arg, desugar_annotation(d, arg->at, ty));
        vec_push(d->arena, &all, arg_with_ty(d->arena, typed, ty));
    }
    out->args = (ArgList){all.at, all.len};
    return out;
}
