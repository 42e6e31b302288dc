// desugar_with.c - `with`, as PEP 343 defines it, and the managers of contextlib that are simpler.

#include "compiler/pass/desugar_internal.h"

static void put_try(Desugar *d, Span at, Block body, ExcepthandlerList handlers, Block finalbody)
{
    desugar_put(d, stmt_try(d->arena, at, desugar_stmts(d, at, body), handlers, (StmtList){0},
                            (StmtList){finalbody.at, finalbody.len}));
}

// What a handler of this class, or of one of these, catches.
static const Ty *caught_ty(Desugar *d, const Expr *type)
{
    Vec(const Ty *) all = {0};
    if (type->kind != EXPR_TUPLE)
        return desugar_instance_ty(d, type);
    for (size_t i = 0; i < type->tuple.elts.len; i++)
        vec_push(d->arena, &all, desugar_instance_ty(d, type->tuple.elts.at[i]));
    return ty_union(d->arena, (TyList){all.at, all.len});
}

static ExcepthandlerList handler(Desugar *d, Span at, const Expr *type, Sym name, Block body)
{
    const Excepthandler **one = ARENA_NEW(d->arena, const Excepthandler *);
    *one = excepthandler_except_handler(d->arena, at, type, name, desugar_stmts(d, at, body));
    *one = excepthandler_with_ty(d->arena, *one, caught_ty(d, type));
    return (ExcepthandlerList){one, 1};
}

static void put_items(Desugar *d, const Stmt *s, size_t i);

static Block body_of(Desugar *d, const Stmt *s, size_t i)
{
    Block body = {0}, *before = d->out;
    d->out = &body;
    put_items(d, s, i + 1);
    d->out = before;
    return body;
}

static const Expr *exit_call(Desugar *d, const Expr *manager, const Expr *const *args)
{
    return desugar_method(d, manager, "__exit__", desugar_list(d, 3, args), desugar_ty(d, "bool"));
}

// clean = False; if not manager.__exit__(..): raise
static Block failed_exit(Desugar *d, const Expr *manager, Sym clean, Sym error)
{
    Block block = {0}, again = {0}, *before = d->out;
    Span at = manager->at;
    const Expr *caught = desugar_name(d, at, error, desugar_ty(d, "BaseException"));
    const Expr *args[] = {
        desugar_call1(d, "type", caught, desugar_ty(d, "type")), caught,
        desugar_attribute(d, caught, names_get(d->names, "__traceback__"), desugar_ty(d, "object")),
    };
    d->out = &block;
    desugar_set(d, at, clean, desugar_bool(d, at, false));
    vec_push(d->arena, &again, stmt_raise(d->arena, at, NULL, NULL));
    desugar_if(d, at, desugar_not(d, exit_call(d, manager, args)), again, (Block){0});
    d->out = before;
    return block;
}

static Block clean_exit(Desugar *d, const Expr *manager, Sym clean)
{
    Block block = {0}, leave = {0}, *before = d->out;
    Span at = manager->at;
    const Expr *none = desugar_none(d, at), *args[] = {none, none, none};
    vec_push(d->arena, &leave, stmt_expr(d->arena, at, exit_call(d, manager, args)));
    d->out = &block;
    desugar_if(d, at, desugar_name(d, at, clean, desugar_ty(d, "bool")), leave, (Block){0});
    d->out = before;
    return block;
}

static void put_general(Desugar *d, const Stmt *s, size_t i)
{
    const Withitem *item = s->with.items.at[i];
    const Expr *manager = desugar_expr(d, item->context_expr), *target = item->optional_vars;
    Span at = manager->at;
    if (manager->kind != EXPR_NAME || !desugar_settled(d, manager, 0, NULL)
        || desugar_binds(d, s, manager->name.id))
        manager = desugar_temp(d, manager, "manager");
    const Ty *given = desugar_result_ty(d, manager->ty, "__enter__");
    if (given == NULL)
        given = target ? target->ty : desugar_ty(d, "object");
    const Expr *entered = desugar_method(d, manager, "__enter__", (ExprList){0}, given);
    Block body = {0}, guarded = {0}, *before = d->out;
    if (target == NULL)
        desugar_call_stmt(d, entered);
    else if (target->kind == EXPR_NAME)
        desugar_store(d, target, entered);
    else
        entered = desugar_temp(d, entered, "value");
    Sym clean = desugar_fresh(d, "clean"), error = desugar_fresh(d, "error");
    desugar_set(d, at, clean, desugar_bool(d, at, true));
    d->out = &body;
    if (target && target->kind != EXPR_NAME)
        desugar_store(d, target, entered);
    put_items(d, s, i + 1);
    d->out = &guarded;
    put_try(d, s->at, body, handler(d, at, desugar_class(d, at, "BaseException"), error,
                                    failed_exit(d, manager, clean, error)), (Block){0});
    d->out = before;
    put_try(d, s->at, guarded, (ExcepthandlerList){0}, clean_exit(d, manager, clean));
}

// ---- contextlib ----

static bool is_plain_call(const Expr *e)
{
    bool plain = e->kind == EXPR_CALL && e->call.keywords.len == 0;
    for (size_t i = 0; plain && i < e->call.args.len; i++)
        plain = e->call.args.at[i]->kind != EXPR_STARRED;
    return plain;
}

static void put_suppress(Desugar *d, const Stmt *s, size_t i)
{
    ExprList args = s->with.items.at[i]->context_expr->call.args;
    Block pass = {0};
    Vec(const Ty *) each = {0};
    for (size_t j = 0; j < args.len; j++)
        vec_push(d->arena, &each, args.at[j]->ty);
    const Expr *types = args.len == 1 ? args.at[0]
                                      : desugar_typed(d, expr_tuple(d->arena, args.at[0]->at, args,
                                                                    EXPR_CONTEXT_LOAD),
                                                      desugar_tuple_ty(d, each.len, each.at));
    ExcepthandlerList handlers = handler(d, s->at, desugar_expr(d, types), NULL, pass);
    put_try(d, s->at, body_of(d, s, i), handlers, (Block){0});
}

static void put_closing(Desugar *d, const Stmt *s, size_t i)
{
    const Withitem *item = s->with.items.at[i];
    const Expr *thing = desugar_temp(d, desugar_expr(d, item->context_expr->call.args.at[0]),
                                     "resource");
    Block body = {0}, close = {0}, *before = d->out;
    d->out = &body;
    if (item->optional_vars)
        desugar_store(d, item->optional_vars, thing);
    put_items(d, s, i + 1);
    d->out = &close;
    desugar_call_stmt(d, desugar_method(d, thing, "close", (ExprList){0}, ty_none_type(d->arena)));
    d->out = before;
    put_try(d, s->at, body, (ExcepthandlerList){0}, close);
}

static void put_null(Desugar *d, const Stmt *s, size_t i)
{
    const Withitem *item = s->with.items.at[i];
    ExprList args = item->context_expr->call.args;
    const Expr *value = args.len > 0 ? desugar_expr(d, args.at[0]) : desugar_none(d, s->at);
    if (item->optional_vars)
        desugar_store(d, item->optional_vars, value);
    else if (args.len > 0)
        desugar_call_stmt(d, value);
    put_items(d, s, i + 1);
}

static void put_items(Desugar *d, const Stmt *s, size_t i)
{
    if (i == s->with.items.len) {
        desugar_body_to(d, d->out, s->with.body);
        return;
    }
    const Withitem *item = s->with.items.at[i];
    const Expr *e = item->context_expr;
    const char *known = is_plain_call(e) ? desugar_imported(d, e->call.func) : NULL;
    size_t args = known ? e->call.args.len : 0;
    if (known && strcmp(known, "contextlib.suppress") == 0 && args > 0
        && item->optional_vars == NULL)
        put_suppress(d, s, i);
    else if (known && strcmp(known, "contextlib.closing") == 0 && args == 1)
        put_closing(d, s, i);
    else if (known && strcmp(known, "contextlib.nullcontext") == 0)
        put_null(d, s, i);
    else
        put_general(d, s, i);
}

void desugar_with(Desugar *d, const Stmt *s) { put_items(d, s, 0); }
