// tangent.c - beside each statement on a value that depends on an input one on its tangent
// (Griewank and Walther, Evaluating Derivatives, 2008, section 3.1). A reference has a twin beside
// it that holds tangents where the object holds floats.
//
// An operation comes in front of its tangent: where it raises, nothing else has. If it overwrites
// what a partial reads, the new value waits in a name until the tangent is computed. What is done
// to a twin comes in front of what is done to its object, which may change what an index reads.

#include "compiler/pass/ad/sweep.h"

static void put(Sweep *s, AdBlock *out, const Stmt *stmt)
{
    vec_push(s->ad->arena, out, stmt);
}

static bool is_place(const Expr *e)
{
    return !ad_is_atom(e) && (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT);
}

// ---- primitives ----

static const Expr *rule_tangent(Sweep *s, const Partial *p, ExprList args, const Expr *result)
{
    const Expr *sum = NULL;
    for (size_t i = 0; i < args.len; i++) {
        if (!sweep_is_active(s, args.at[i]))
            continue;
        const Expr *partial = sweep_partial(s, p, args, i, result);
        if (partial == NULL)
            continue;
        const Expr *part = sweep_times(s->ad, twin_value(s, args.at[i]), partial);
        sum = sum == NULL ? part : sweep_plus(s->ad, sum, part);
    }
    return sum != NULL ? sum : ad_float(s->ad, result->at, 0.0);
}

// Whether a partial that is needed reads the name as an argument.
static bool reads_argument(const Sweep *s, const Partial *p, ExprList args, Sym name)
{
    bool each = p->kind == PARTIAL_EACH;
    for (size_t i = 0; i < args.len; i++)
        for (size_t k = 0; sweep_is_active(s, args.at[i]) && k < args.len; k++)
            if (ad_is_name(args.at[k], name) && (each || k < PARTIAL_MAX)
                && partial_reads(p, each ? 0 : i, each ? 'a' : (char)('a' + k)))
                return true;
    return false;
}

static void put_rule(Sweep *s, const Stmt *stmt, const Partial *p, ExprList args, AdBlock *out)
{
    const Ad *ad = s->ad;
    const Expr *target = stmt->assign.targets.at[0];
    const Expr *name = ad_name(ad, target->at, target->name.id, target->ty);
    if (!reads_argument(s, p, args, target->name.id)) {
        put(s, out, stmt);
        put(s, out, ad_store(ad, twin_name(s, name), rule_tangent(s, p, args, name)));
        return;
    }
    Sym fresh = ad_fresh(ad, s->taken, "new");
    const Expr *waiting = ad_name(ad, target->at, fresh, target->ty);
    put(s, out, ad_assign(ad, fresh, ad_typed(ad, stmt->assign.value, target->ty)));
    put(s, out, ad_store(ad, twin_name(s, name), rule_tangent(s, p, args, waiting)));
    put(s, out, ad_store(ad, target, waiting));
}

// ---- calls ----

static const Expr *with_tangents(Sweep *s, const Expr *call, const Stmt *callee)
{
    const Ad *ad = s->ad;
    ArgList params = callee->function_def.args->args;
    const Ty *returns = callee->function_def.returns->ty;
    AdExprs args = {0};
    for (size_t i = 0; i < params.len; i++)
        vec_push(ad->arena, &args, call->call.args.at[i]);
    for (size_t i = 0; i < params.len; i++) {
        const Expr *arg = call->call.args.at[i];
        bool whole = ad_is_float(params.at[i]->ty) && !ad_is_float(arg->ty);
        if (ad_holds_float(ad, params.at[i]->ty))
            vec_push(ad->arena, &args, whole ? ad_float(ad, arg->at, 0.0) : twin_value(s, arg));
    }
    Sym name = sweep_tangent_name(ad, call->call.func->name.id);
    return ad_call_name(ad, call->at, name, sweep_with_tangent(ad, returns), args.len, args.at);
}

static void put_call(Sweep *s, const Stmt *stmt, const Stmt *callee, AdBlock *out)
{
    const Ad *ad = s->ad;
    const Expr *target = stmt->assign.targets.at[0];
    const Expr *call = with_tangents(s, stmt->assign.value, callee);
    if (!ad_holds_float(ad, callee->function_def.returns->ty)) {
        put(s, out, ad_store(ad, target, call));
        return;
    }
    Sym both = ad_fresh(ad, s->taken, "both");
    const Expr *pair = ad_name(ad, stmt->at, both, call->ty);
    put(s, out, ad_assign(ad, both, call));
    put(s, out, ad_store(ad, target, ad_item(ad, pair, ad_int(ad, stmt->at, 0), target->ty)));
    const Expr *name = ad_name(ad, target->at, target->name.id, target->ty);
    if (sweep_is_active(s, name) || ad_is_reference(ad, target->ty))
        put(s, out, ad_store(ad, twin_name(s, name),
                             ad_item(ad, pair, ad_int(ad, stmt->at, 1), target->ty)));
}

// ---- statements ----

// What is neither a primitive nor a call of a function.
static const Expr *other_tangent(Sweep *s, const Expr *target, const Expr *value)
{
    bool made = ad_is_reference(s->ad, target->ty) || twin_method(s, value) != NULL;
    if (made)
        return twin_made(s, value);
    bool copied = ad_is_float(value->ty) && (value->kind == EXPR_NAME || is_place(value));
    return copied ? twin_value(s, value) : ad_float(s->ad, value->at, 0.0);
}

static void put_named(Sweep *s, const Stmt *stmt, AdBlock *out)
{
    const Ad *ad = s->ad;
    const Expr *target = stmt->assign.targets.at[0], *value = stmt->assign.value;
    const Expr *list = twin_method(s, value);
    bool active = sweep_is_active(s, target);
    if (s->outside != NULL && table_get(s->outside, target->name.id) != NULL) {
        put(s, out, stmt);
        return;
    }
    ExprList args;
    const Partial *p = active ? sweep_primitive(s, value, &args) : NULL;
    if (p != NULL) {
        put_rule(s, stmt, p, args, out);
        return;
    }
    if (active || ad_is_reference(ad, target->ty))
        put(s, out, ad_store(ad, twin_name(s, target), other_tangent(s, target, value)));
    else if (list != NULL && ad_is_reference(ad, list->ty))
        put(s, out, stmt_expr(ad->arena, stmt->at, twin_made(s, value)));
    put(s, out, stmt);
}

static void put_assign(Sweep *s, const Stmt *stmt, AdBlock *out)
{
    const Expr *target = stmt->assign.targets.at[0], *value = stmt->assign.value;
    const Stmt *callee = sweep_callee(s, value);
    if (callee != NULL && s->outside != NULL) {
        sweep_variant_call(s, stmt, out);
    } else if (callee != NULL) {
        put_call(s, stmt, callee, out);
    } else if (target->kind == EXPR_NAME) {
        put_named(s, stmt, out);
    } else {
        if (ad_holds_float(s->ad, target->ty))
            put(s, out, ad_store(s->ad, twin_value(s, target), twin_value(s, value)));
        put(s, out, stmt);
    }
}

// `xs.append(a)`.
static void put_effect(Sweep *s, const Stmt *stmt, AdBlock *out)
{
    const Ad *ad = s->ad;
    const Expr *value = stmt->expr.value, *list = twin_method(s, value);
    put(s, out, stmt);
    if (list == NULL || !ad_is_reference(ad, list->ty))
        return;
    const Expr *arg = value->call.args.len > 0 ? twin_value(s, value->call.args.at[0]) : NULL;
    put(s, out, stmt_expr(ad->arena, stmt->at,
                          ad_method(ad, twin_name(s, list), value->call.func->attribute.attr,
                                    value->ty, arg != NULL, &arg)));
}

StmtList sweep_tangent(Sweep *s, StmtList body)
{
    Arena *a = s->ad->arena;
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *stmt = body.at[i];
        if (stmt->kind == STMT_ASSIGN)
            put_assign(s, stmt, &out);
        else if (stmt->kind == STMT_EXPR)
            put_effect(s, stmt, &out);
        else if (stmt->kind == STMT_IF)
            put(s, &out, stmt_if(a, stmt->at, stmt->if_.test, sweep_tangent(s, stmt->if_.body),
                                 sweep_tangent(s, stmt->if_.orelse)));
        else if (stmt->kind == STMT_FOR)
            put(s, &out, stmt_for(a, stmt->at, stmt->for_.target, stmt->for_.iter,
                                  sweep_tangent(s, stmt->for_.body), (StmtList){0}));
        else if (stmt->kind == STMT_WHILE)
            put(s, &out, stmt_while(a, stmt->at, stmt->while_.test,
                                    sweep_tangent(s, stmt->while_.body), (StmtList){0}));
        else
            put(s, &out, stmt);
    }
    return ad_stmts(&out);
}

Sym sweep_tangent_name(const Ad *ad, Sym function)
{
    return names_format(ad->names, "%s_tangent", function);
}

const Ty *sweep_with_tangent(const Ad *ad, const Ty *ty)
{
    if (!ad_holds_float(ad, ty))
        return ty;
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, 2);
    items[0] = items[1] = ty;
    return ty_tuple(ad->arena, (TyList){items, 2});
}
