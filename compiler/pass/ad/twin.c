// twin.c - twins. A reference t has beside it t_, an object of the same class that holds cotangents
// where the object holds floats. What is done to references is done to their twins, in front of
// the statement itself; the way back reads twins, never the objects.

#include "compiler/pass/ad/sweep.h"

static bool is_ref(const Sweep *s, const Expr *e) { return ad_is_reference(s->ad, e->ty); }

const Expr *twin_name(Sweep *s, const Expr *name)
{
    return ad_name(s->ad, name->at, sweep_cotangent(s, name->name.id), name->ty);
}

static bool has_tangent(const Sweep *s, const Expr *e)
{
    bool place = !ad_is_atom(e) && (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT);
    const Expr *base = !place ? NULL : e->kind == EXPR_ATTRIBUTE ? e->attribute.value
                                                                  : e->subscript.value;
    if (place && s->outside != NULL && table_get(s->outside, base->name.id) != NULL)
        return false;
    return s->tangent && (place || sweep_is_active(s, e));
}

// A variable of floats may hold an int where it is read, and be of that type there.
static bool is_of_floats(const Sweep *s, const Expr *e)
{
    const Ty *declared = e->kind == EXPR_NAME ? sweep_ty(s, e->name.id) : NULL;
    return ad_is_float(e->ty) || (declared != NULL && ad_is_float(declared));
}

const Expr *twin_value(Sweep *s, const Expr *e)
{
    const Ad *ad = s->ad;
    bool of_floats = is_of_floats(s, e);
    if (of_floats && !has_tangent(s, e))
        return ad_float(ad, e->at, 0.0);
    bool outside = s->outside != NULL && e->kind == EXPR_NAME
                   && table_get(s->outside, e->name.id) != NULL;
    if (outside || (!of_floats && !is_ref(s, e)))
        return e;
    if (e->kind == EXPR_NAME)
        return twin_name(s, e);
    if (e->kind == EXPR_ATTRIBUTE)
        return ad_attribute(ad, twin_name(s, e->attribute.value), e->attribute.attr, e->ty);
    if (e->kind == EXPR_SUBSCRIPT)
        return ad_item(ad, twin_name(s, e->subscript.value), e->subscript.slice, e->ty);
    return e;
}

static ExprList twin_values(Sweep *s, ExprList list)
{
    const Expr **out = ARENA_ARRAY(s->ad->arena, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        out[i] = twin_value(s, list.at[i]);
    return (ExprList){out, list.len};
}

static void put(Sweep *s, AdBlock *out, const Stmt *stmt, TwinPart part)
{
    TwinPart *kept = ARENA_NEW(s->ad->arena, TwinPart);
    *kept = part;
    table_set(s->twins, stmt, kept);
    vec_push(s->ad->arena, out, stmt);
}

const Expr *twin_method(const Sweep *s, const Expr *value)
{
    (void)s;
    bool method = value->kind == EXPR_CALL && value->call.func->kind == EXPR_ATTRIBUTE
                  && !ad_is_atom(value->call.func);
    const Expr *of = method ? value->call.func->attribute.value : NULL;
    bool number = of != NULL && (ad_is_float(of->ty) || ad_is_discrete(of->ty));
    return of == NULL || number ? NULL : of;       // `x.is_integer()`
}

// ---- assignments ----

// `pair = g(..)`, then both halves.
static void twin_call(Sweep *s, const Stmt *stmt, const Expr *call, AdBlock *out)
{
    const Ad *ad = s->ad;
    const Expr *target = stmt->assign.targets.at[0];
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, 2);
    items[0] = items[1] = call->ty;
    const Ty *both = ty_tuple(ad->arena, (TyList){items, 2});
    Sym pair = ad_fresh(ad, s->taken, "both");
    const Expr *name = ad_name(ad, stmt->at, pair, both);
    vec_push(ad->arena, out, ad_assign(ad, pair, ad_typed(ad, call, both)));
    const Expr *twin = ad_item(ad, name, ad_int(ad, stmt->at, 1), target->ty);
    put(s, out, ad_store(ad, twin_name(s, target), twin), (TwinPart){0});
    put(s, out, ad_store(ad, target, ad_item(ad, name, ad_int(ad, stmt->at, 0), target->ty)),
        (TwinPart){0});
}

static const Expr *with_twins(Sweep *s, const Expr *call)
{
    AdExprs args = {0};
    for (size_t i = 0; i < call->call.args.len; i++)
        vec_push(s->ad->arena, &args, call->call.args.at[i]);
    const Stmt *callee = sweep_callee(s, call);
    ArgList params = callee->function_def.args->args;
    for (size_t i = 0; i < params.len; i++)
        if (ad_is_reference(s->ad, params.at[i]->ty))
            vec_push(s->ad->arena, &args, twin_value(s, call->call.args.at[i]));
    return ad_call(s->ad, call->call.func, call->ty, args.len, args.at);
}

const Expr *twin_made(Sweep *s, const Expr *value)
{
    const Ad *ad = s->ad;
    if (value->kind == EXPR_LIST)
        return ad_typed(ad, expr_list(ad->arena, value->at, twin_values(s, value->list.elts),
                                      EXPR_CONTEXT_LOAD), value->ty);
    const Expr *list = twin_method(s, value);
    if (list != NULL)
        return ad_method(ad, twin_name(s, list), value->call.func->attribute.attr, value->ty, 0,
                         NULL);
    if (value->kind != EXPR_CALL)
        return twin_value(s, value);
    ExprList args = twin_values(s, value->call.args);
    return ad_call(ad, value->call.func, value->ty, args.len, args.at);
}

static void twin_assign(Sweep *s, const Stmt *stmt, AdBlock *out)
{
    const Ad *ad = s->ad;
    const Expr *target = stmt->assign.targets.at[0], *value = stmt->assign.value;
    if (sweep_callee(s, value) != NULL) {
        const Expr *call = with_twins(s, value);
        if (ad_is_reference(ad, value->ty))
            twin_call(s, stmt, call, out);
        else
            vec_push(ad->arena, out, ad_store(ad, target, call));
        return;
    }
    if (target->kind != EXPR_NAME && is_ref(s, value)) {
        Sym old = ad_fresh(ad, s->taken, "old");
        const Expr *place = twin_value(s, ad_typed(ad, target, value->ty));
        put(s, out, ad_assign(ad, old, place), (TwinPart){0});
        put(s, out, ad_store(ad, place, twin_value(s, value)), (TwinPart){.old = old});
    } else if (target->kind == EXPR_NAME && ad_is_reference(ad, target->ty)) {
        put(s, out, ad_store(ad, twin_name(s, target), twin_made(s, value)), (TwinPart){0});
    } else if (twin_method(s, value) != NULL && ad_is_float(value->ty)) {
        put(s, out, stmt_expr(ad->arena, stmt->at, twin_made(s, value)), (TwinPart){0});
    }
    vec_push(ad->arena, out, stmt);
}

// `xs.append(a)`.
static void twin_expr(Sweep *s, const Stmt *stmt, AdBlock *out)
{
    const Ad *ad = s->ad;
    const Expr *value = stmt->expr.value, *list = twin_method(s, value);
    if (list != NULL && is_ref(s, list)) {
        ExprList args = twin_values(s, value->call.args);
        put(s, out, stmt_expr(ad->arena, stmt->at,
                              ad_method(ad, twin_name(s, list), value->call.func->attribute.attr,
                                        value->ty, args.len, args.at)), (TwinPart){0});
    }
    vec_push(ad->arena, out, stmt);
}

StmtList twin_block(Sweep *s, StmtList body)
{
    Arena *a = s->ad->arena;
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *stmt = body.at[i];
        if (stmt->kind == STMT_ASSIGN) {
            twin_assign(s, stmt, &out);
        } else if (stmt->kind == STMT_EXPR) {
            twin_expr(s, stmt, &out);
        } else if (stmt->kind == STMT_IF) {
            vec_push(a, &out, stmt_if(a, stmt->at, stmt->if_.test, twin_block(s, stmt->if_.body),
                                      twin_block(s, stmt->if_.orelse)));
        } else if (stmt->kind == STMT_FOR) {
            vec_push(a, &out, stmt_for(a, stmt->at, stmt->for_.target, stmt->for_.iter,
                                       twin_block(s, stmt->for_.body), (StmtList){0}));
        } else if (stmt->kind == STMT_WHILE) {
            vec_push(a, &out, stmt_while(a, stmt->at, stmt->while_.test,
                                         twin_block(s, stmt->while_.body), (StmtList){0}));
        } else {
            vec_push(a, &out, stmt);
        }
    }
    return ad_stmts(&out);
}

// ---- inputs ----

static ExprList parameters(const Ad *ad, const Stmt *def, bool (*which)(const Ad *, const Ty *))
{
    AdExprs out = {0};
    ArgList params = def->function_def.args->args;
    for (size_t i = 0; i < params.len; i++)
        if (which(ad, params.at[i]->ty))
            vec_push(ad->arena, &out, ad_name(ad, def->at, params.at[i]->arg, params.at[i]->ty));
    return (ExprList){out.at, out.len};
}

ExprList twin_parameters(Sweep *s, const Stmt *def)
{
    return parameters(s->ad, def, ad_is_reference);
}

static void put_made(Sweep *s, AdBlock *out, ExprList names, ExprList from, const char *maker)
{
    const Ad *ad = s->ad;
    bool twins = strcmp(maker, AD_COPIES) != 0;
    Sym all = ad_fresh(ad, s->taken, maker + 1);
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, names.len);
    for (size_t i = 0; i < names.len; i++)
        items[i] = names.at[i]->ty;
    const Ty *ty = ty_tuple(ad->arena, (TyList){items, names.len});
    Span at = names.at[0]->at;
    put(s, out, ad_assign(ad, all, ad_call_name(ad, at, maker, ty, from.len, from.at)),
        (TwinPart){0});
    for (size_t i = 0; i < names.len; i++) {
        const Expr *item = ad_item(ad, ad_name(ad, at, all, ty), ad_int(ad, at, (long)i), items[i]);
        const Expr *to = twins ? twin_name(s, names.at[i]) : names.at[i];
        put(s, out, ad_store(ad, to, item), (TwinPart){0});
    }
}

static ExprList with_given(Sweep *s, ExprList names)
{
    AdExprs out = {0};
    for (size_t i = 0; i < names.len; i++) {
        vec_push(s->ad->arena, &out, names.at[i]);
        vec_push(s->ad->arena, &out, twin_name(s, names.at[i]));
    }
    return (ExprList){out.at, out.len};
}

void twin_inputs(Sweep *s, const Stmt *def, bool copies, AdBlock *out)
{
    ExprList names = twin_parameters(s, def), data = parameters(s->ad, def, ad_is_data);
    if (data.len > 0 && copies)
        put_made(s, out, data, data, AD_COPIES);
    if (names.len > 0 && s->tangent)
        put_made(s, out, names, with_given(s, names), AD_TANGENTS);
    else if (names.len > 0)
        put_made(s, out, names, names, AD_TWINS);
}
