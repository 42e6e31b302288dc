// flat_method.c - methods of dataclasses become functions of the program, before anything else is
// made flat: `p.norm(k)` of a `p: Point` is `Point_norm(p, k)` (control-ad 3.1: first-order
// functions). A call through a union, a method with a decorator, and one whose name Python itself
// looks for (`__eq__`) stay as they are; their classes are refused where floats go through them.

#include <string.h>

#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/flat_internal.h"

typedef struct Methods {
    Ad     *ad;
    Table  *of_class;           // class -> its Table: method -> the name of its function
} Methods;

static bool is_special(Sym name) { return strncmp(name, "__", 2) == 0; }

static bool is_method(const Stmt *s)
{
    return s->kind == STMT_FUNCTION_DEF && s->function_def.decorator_list.len == 0
           && !is_special(s->function_def.name) && s->function_def.args->args.len > 0
           && s->function_def.args->posonlyargs.len == 0;
}

// All of them, or none: a method that stays may call the others through `self`.
static bool is_taken(const Stmt *class_)
{
    bool any = false;
    for (size_t i = 0; i < class_->class_def.body.len; i++) {
        const Stmt *s = class_->class_def.body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && !is_method(s))
            return false;
        any = any || is_method(s);
    }
    return any && class_->class_def.bases.len == 0 && class_->class_def.decorator_list.len == 1
           && class_->class_def.type_params.len == 0;
}

// ---- calls ----

static const Expr *called(IrMapper *m, const Expr *e)
{
    const Methods *ms = m->cx;
    const Expr *func = e->kind == EXPR_CALL ? e->call.func : NULL;
    if (func == NULL || func->kind != EXPR_ATTRIBUTE)
        return e;
    const Expr *object = func->attribute.value;
    if (object->ty == NULL || object->ty->kind != TY_NAMED)
        return e;
    const Table *methods = table_get(ms->of_class, object->ty->named.name);
    Sym name = methods != NULL ? table_get(methods, func->attribute.attr) : NULL;
    if (name == NULL)
        return e;
    const Expr **args = ARENA_ARRAY(m->arena, const Expr *, e->call.args.len + 1);
    args[0] = object;
    for (size_t i = 0; i < e->call.args.len; i++)
        args[i + 1] = e->call.args.at[i];
    const Expr *function = ad_name(ms->ad, func->at, name, func->ty);
    const Expr *call = expr_call(m->arena, e->at, function, (ExprList){args, e->call.args.len + 1},
                                 e->call.keywords);
    return expr_with_ty(m->arena, call, e->ty, e->roles);
}

// ---- definitions ----

static const Stmt *function_of(const Methods *ms, const Stmt *class_, const Stmt *s, Sym name)
{
    Arena *a = ms->ad->arena;
    const Arguments *old = s->function_def.args;
    const Arg **args = ARENA_ARRAY(a, const Arg *, old->args.len);
    memcpy(args, old->args.at, old->args.len * sizeof *args);
    const Ty *type = ty_named(a, class_->class_def.name, (TyList){NULL, 0});
    args[0] = arg_with_ty(a, arg_new(a, args[0]->at, args[0]->arg,
                                     ad_annotation(ms->ad, args[0]->at, type)), type);
    const Arguments *all = arguments_new(a, old->posonlyargs, (ArgList){args, old->args.len},
                                         old->vararg, old->kwonlyargs, old->kw_defaults,
                                         old->kwarg, old->defaults);
    return stmt_function_def(a, s->at, name, all, s->function_def.body, (ExprList){NULL, 0},
                             s->function_def.returns, s->function_def.type_params);
}

static void lift_class(Methods *ms, AdBlock *out, const Stmt *class_, Table *taken)
{
    Arena *a = ms->ad->arena;
    AdBlock fields = {0}, functions = {0};
    Table *methods = table_new(a);
    for (size_t i = 0; i < class_->class_def.body.len; i++) {
        const Stmt *s = class_->class_def.body.at[i];
        if (!is_method(s)) {
            vec_push(a, &fields, s);
            continue;
        }
        Sym name = ad_fresh(ms->ad, taken, names_format(ms->ad->names, "%s_%s",
                            class_->class_def.name, s->function_def.name));
        table_set(methods, s->function_def.name, (void *)name);
        vec_push(a, &functions, function_of(ms, class_, s, name));
    }
    table_set(ms->of_class, class_->class_def.name, methods);
    if (fields.len == 0)
        vec_push(a, &fields, stmt_pass(a, class_->at));
    vec_push(a, out, stmt_class_def(a, class_->at, class_->class_def.name, class_->class_def.bases,
                                    class_->class_def.keywords, ad_stmts(&fields),
                                    class_->class_def.decorator_list,
                                    class_->class_def.type_params));
    for (size_t i = 0; i < functions.len; i++)
        vec_push(a, out, functions.at[i]);
}

static void note_names(const Methods *ms, EndpointList modules, Table *taken)
{
    for (size_t m = 0; m < modules.len; m++) {
        SymList bound = names_bound(ms->ad->arena, ms->ad->names, modules.at[m]->body);
        for (size_t i = 0; i < bound.len; i++)
            table_set(taken, bound.at[i], taken);
    }
}

EndpointList flat_methods(Ad *ad, EndpointList modules)
{
    Arena *a = ad->arena;
    Methods ms = {ad, table_new(a)};
    Table *taken = table_new(a);
    const Endpoint **made = ARENA_ARRAY(a, const Endpoint *, modules.len + 1);
    note_names(&ms, modules, taken);
    for (size_t m = 0; m < modules.len; m++) {
        AdBlock out = {0};
        for (size_t i = 0; i < modules.at[m]->body.len; i++) {
            const Stmt *s = modules.at[m]->body.at[i];
            if (s->kind == STMT_CLASS_DEF && is_taken(s))
                lift_class(&ms, &out, s, taken);
            else
                vec_push(a, &out, s);
        }
        made[m] = endpoint_new(a, modules.at[m]->role, ad_stmts(&out), modules.at[m]->types,
                               modules.at[m]->loads, modules.at[m]->pieces);
    }
    IrMapper mapper = {.arena = a, .cx = &ms, .expr = called};
    return ir_map_endpoints(&mapper, (EndpointList){made, modules.len});
}
