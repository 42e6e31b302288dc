// activity.c - see activity.h. A call that may change what it is given has effects: its arguments
// are useful, whatever becomes of its result.

#include "compiler/pass/ad/activity.h"

typedef struct Activity {
    Sweep  *sweep;
    Table  *varied, *useful;
    Table  *made;               // a name -> what is assigned to it: AdExprs *
    AdNames todo;               // useful ones whose operands are not marked yet
    bool    changed;
} Activity;

static void mark(Activity *a, Table *set, const Expr *e)
{
    bool real = e->kind == EXPR_NAME && ad_is_float(sweep_ty(a->sweep, e->name.id));
    if (!real || table_get(set, e->name.id) != NULL)
        return;
    table_set(set, e->name.id, a);
    a->changed = true;
    if (set == a->useful)
        vec_push(a->sweep->ad->arena, &a->todo, e->name.id);
}

static bool is_varied(const Activity *a, const Expr *value)
{
    ExprList args = {0};
    if (value->kind == EXPR_NAME)
        return table_get(a->varied, value->name.id) != NULL;
    const Partial *p = sweep_primitive(a->sweep, value, &args);
    if (p == NULL)
        return !ad_is_atom(value) && ad_is_float(value->ty);
    for (size_t i = 0; i < args.len; i++)
        if (args.at[i]->kind == EXPR_NAME && table_get(a->varied, args.at[i]->name.id) != NULL
            && p->of[p->kind == PARTIAL_EACH ? 0 : i] != NULL)
            return true;
    return false;
}

static void mark_operands(Activity *a, const Expr *value)
{
    ExprList args = {0};
    if (value->kind == EXPR_NAME) {
        mark(a, a->useful, value);
        return;
    }
    const Partial *p = sweep_primitive(a->sweep, value, &args);
    if (p == NULL && value->kind == EXPR_CALL)
        args = value->call.args;
    if (value->kind == EXPR_LIST)
        args = value->list.elts;
    for (size_t i = 0; i < args.len; i++)
        if (p == NULL || p->of[p->kind == PARTIAL_EACH ? 0 : i] != NULL)
            mark(a, a->useful, args.at[i]);
}

static bool spread_varied(void *cx, const Stmt *s)
{
    Activity *a = cx;
    const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : NULL;
    if (target != NULL && target->kind == EXPR_NAME && is_varied(a, s->assign.value))
        mark(a, a->varied, target);
    return true;
}

// A call that is given what it may change: `x = g(closure, u)` gives u to others than x.
static bool may_change(const Activity *a, const Expr *value)
{
    ExprList args = {0};
    if (value->kind != EXPR_CALL || sweep_primitive(a->sweep, value, &args) != NULL)
        return false;
    for (size_t i = 0; i < value->call.args.len; i++)
        if (ad_is_reference(a->sweep->ad, value->call.args.at[i]->ty))
            return true;
    return false;
}

// What has an effect is useful, and what a useful name is made of.
static bool find_useful(void *cx, const Stmt *s)
{
    Activity *a = cx;
    const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : NULL;
    if (s->kind == STMT_EXPR)
        mark_operands(a, s->expr.value);
    if (target == NULL)
        return true;
    bool has_effect = target->kind != EXPR_NAME || may_change(a, s->assign.value);
    if (has_effect || !ad_is_float(target->ty)) {
        mark_operands(a, s->assign.value);
        return true;
    }
    AdExprs *made = table_get(a->made, target->name.id);
    if (made == NULL) {
        made = ARENA_NEW(a->sweep->ad->arena, AdExprs);
        *made = (AdExprs){0};
        table_set(a->made, target->name.id, made);
    }
    vec_push(a->sweep->ad->arena, made, s->assign.value);
    return true;
}

static void spread_useful(Activity *a)
{
    while (a->todo.len > 0) {
        const AdExprs *made = table_get(a->made, a->todo.at[--a->todo.len]);
        for (size_t i = 0; made != NULL && i < made->len; i++)
            mark_operands(a, made->at[i]);
    }
}

bool activity_is_wanted(const GradRequest *r, const Sweep *s, Sym name)
{
    bool all = r->wrt.len == 0 || s->pair || s->def->function_def.name != r->function;
    for (size_t i = 0; !all && i < r->wrt.len; i++)
        all = r->wrt.at[i] == name;
    return all;
}

void activity_find(const Ad *ad, const GradRequest *r, Sweep *s)
{
    Arena *arena = ad->arena;
    Activity a = {.sweep = s, .varied = table_new(arena), .useful = table_new(arena),
                  .made = table_new(arena)};
    ArgList args = s->def->function_def.args->args;
    IrWalker w = {.cx = &a, .stmt = spread_varied}, useful = {.cx = &a, .stmt = find_useful};
    for (size_t i = 0; i < args.len; i++)
        if (activity_is_wanted(r, s, args.at[i]->arg))
            mark(&a, a.varied, ad_name(ad, s->def->at, args.at[i]->arg, args.at[i]->ty));
    mark(&a, a.useful, s->result);
    ir_walk_stmts(&useful, s->body);
    spread_useful(&a);
    do {
        a.changed = false;
        ir_walk_stmts(&w, s->body);
    } while (a.changed);
    for (size_t i = 0; i < s->vars.len; i++)
        if (table_get(a.varied, s->vars.at[i]) && table_get(a.useful, s->vars.at[i]))
            table_set(s->active, s->vars.at[i], s);
}
