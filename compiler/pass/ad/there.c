// there.c - the way there: the function itself, which puts on the tape what the way back reads.

#include "compiler/pass/ad/sweep.h"

// ---- rounds ----

static const Stmt *counted_while(Sweep *s, const Stmt *stmt, AdBlock *out)
{
    const Ad *ad = s->ad;
    Sym rounds = ad_fresh(ad, s->taken, "rounds");
    const Expr *now = ad_name(ad, stmt->at, rounds, ad->int_);
    AdBlock body = {0};
    vec_push(ad->arena, out, ad_assign(ad, rounds, ad_int(ad, stmt->at, 0)));
    vec_push(ad->arena, &body, ad_increase(ad, now, ad_int(ad, stmt->at, 1)));
    StmtList rest = sweep_count_rounds(s, stmt->while_.body);
    for (size_t i = 0; i < rest.len; i++)
        vec_push(ad->arena, &body, rest.at[i]);
    const Stmt *loop = stmt_while(ad->arena, stmt->at, stmt->while_.test, ad_stmts(&body),
                                  (StmtList){0});
    sweep_plan_of(s, loop)->rounds = rounds;
    return loop;
}

StmtList sweep_count_rounds(Sweep *s, StmtList body)
{
    Arena *a = s->ad->arena;
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *stmt = body.at[i];
        if (stmt->kind == STMT_WHILE)
            stmt = counted_while(s, stmt, &out);
        else if (stmt->kind == STMT_IF)
            stmt = stmt_if(a, stmt->at, stmt->if_.test, sweep_count_rounds(s, stmt->if_.body),
                           sweep_count_rounds(s, stmt->if_.orelse));
        else if (stmt->kind == STMT_FOR)
            stmt = stmt_for(a, stmt->at, stmt->for_.target, stmt->for_.iter,
                            sweep_count_rounds(s, stmt->for_.body), (StmtList){0});
        vec_push(a, &out, stmt);
    }
    return ad_stmts(&out);
}

// ---- the statements ----

static StmtList there(Sweep *s, StmtList body, SymList at_end);

static void keep(Sweep *s, AdBlock *out, Span at, Sym name)
{
    Arena *a = s->ad->arena;
    vec_push(a, out, stmt_keep(a, at, ad_name(s->ad, at, name, sweep_ty(s, name))));
}

static Span place_of(StmtList body) { return body.len > 0 ? body.at[0]->at : (Span){0, 0}; }

// A call in the way there is of the callee's way there.
static const Stmt *sweeping(Sweep *s, const Stmt *stmt)
{
    const Ad *ad = s->ad;
    const Expr *value = stmt->assign.value;
    if (sweep_callee(s, value) == NULL)
        return stmt;
    Sym name = sweep_there_name(ad, value->call.func->name.id);
    const Expr *func = ad_name(ad, value->at, name, value->call.func->ty);
    return ad_store(ad, stmt->assign.targets.at[0],
                    ad_call(ad, func, value->ty, value->call.args.len, value->call.args.at));
}

// The way back takes the old value before it calls the callee's way back: on the tape it is on top
// of what the callee keeps.
static void there_kept_call(Sweep *s, const Stmt *stmt, AdBlock *out)
{
    const Ad *ad = s->ad;
    const Expr *target = stmt->assign.targets.at[0];
    const Expr *value = sweeping(s, stmt)->assign.value;
    Sym name = ad_fresh(ad, s->taken, "new");
    vec_push(ad->arena, out, ad_assign(ad, name, value));
    keep(s, out, stmt->at, target->name.id);
    vec_push(ad->arena, out, ad_store(ad, target, ad_name(ad, stmt->at, name, target->ty)));
}

static void there_assign(Sweep *s, const Stmt *stmt, AdBlock *out)
{
    const Expr *target = stmt->assign.targets.at[0];
    bool kept = sweep_plan_of(s, stmt)->keep;
    if (kept && sweep_callee(s, stmt->assign.value) != NULL) {
        there_kept_call(s, stmt, out);
        return;
    }
    if (kept)
        keep(s, out, stmt->at, target->name.id);
    vec_push(s->ad->arena, out, sweeping(s, stmt));
}

static const Stmt *there_compound(Sweep *s, const Stmt *stmt)
{
    Arena *a = s->ad->arena;
    const Plan *plan = sweep_plan_of(s, stmt);
    if (stmt->kind == STMT_IF)
        return stmt_if(a, stmt->at, stmt->if_.test,
                       there(s, stmt->if_.body, plan->at_end[0].kept),
                       there(s, stmt->if_.orelse, plan->at_end[1].kept));
    if (stmt->kind == STMT_FOR)
        return stmt_for(a, stmt->at, stmt->for_.target, stmt->for_.iter,
                        there(s, stmt->for_.body, plan->at_end[0].kept), (StmtList){0});
    if (stmt->kind == STMT_WHILE)
        return stmt_while(a, stmt->at, stmt->while_.test,
                          there(s, stmt->while_.body, plan->at_end[0].kept), (StmtList){0});
    return stmt;
}

static StmtList there(Sweep *s, StmtList body, SymList at_end)
{
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++) {
        if (body.at[i]->kind == STMT_ASSIGN)
            there_assign(s, body.at[i], &out);
        else
            vec_push(s->ad->arena, &out, there_compound(s, body.at[i]));
    }
    for (size_t i = 0; i < at_end.len; i++)
        keep(s, &out, place_of(body), at_end.at[i]);
    return ad_stmts(&out);
}

// ---- what may be kept before it is assigned ----

static const Expr *zero_of(Sweep *s, Span at, const Ty *ty)
{
    const Ad *ad = s->ad;
    if (ad_is_float(ty))
        return ad_float(ad, at, 0.0);
    if (ad_is(ty, "int"))
        return ad_int(ad, at, 0);
    if (ad_is(ty, "bool"))
        return ad_bool(ad, at, false);
    return ad_typed(ad, ad_none(ad, at), ty);
}

StmtList sweep_there(Sweep *s)
{
    const Ad *ad = s->ad;
    AdBlock out = {0};
    Table *done = table_new(ad->arena);
    for (size_t i = 0; i < s->unset.len; i++) {
        Sym name = s->unset.at[i];
        if (table_get(done, name) == NULL)
            vec_push(ad->arena, &out,
                     ad_assign(ad, name, zero_of(s, s->def->at, sweep_ty(s, name))));
        table_set(done, name, s);
    }
    StmtList rest = there(s, s->body, s->at_end.kept);
    for (size_t i = 0; i < rest.len; i++)
        vec_push(ad->arena, &out, rest.at[i]);
    return ad_stmts(&out);
}

Sym sweep_there_name(const Ad *ad, Sym function)
{
    return names_format(ad->names, "%s_sweep", function);
}

Sym sweep_back_name(const Ad *ad, Sym function)
{
    return names_format(ad->names, "%s_back", function);
}
