// flat_local.c - local functions that are only called become functions of the program, before the
// function around them is made flat: what they read of it are parameters in front of their own
// (Johnsson, Lambda Lifting, 1985). As they assign nothing of it, each call gives what the variable
// holds then. Where something else is done with one of them all stay, and are refused.

#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/flat_internal.h"

typedef struct Local {
    const Stmt *def;
    Sym      name;              // as a function of the program
    AdNames  captured;
    size_t   calls, mentions;
} Local;

typedef struct Lift {
    Flat       *flat;
    const Stmt *def;
    Table  *locals;             // name -> Local
    Vec(Local *) all;
    Table  *types;              // of the variables of the function around
    Table  *bound, *taken;      // names that are assigned or parameters anywhere; all names
    bool    fails;
} Lift;

// ---- what there is ----

static void note_args(Lift *l, const Arguments *args, bool outer)
{
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < lists[k].len; i++) {
            Sym name = lists[k].at[i]->arg;
            table_set(l->bound, name, l);
            table_set(l->taken, name, l);
            if (outer && lists[k].at[i]->ty != NULL)
                table_set(l->types, name, (void *)lists[k].at[i]->ty);
        }
}

static bool note_name(void *cx, const Expr *e)
{
    Lift *l = cx;
    l->fails = l->fails || e->kind == EXPR_LAMBDA;
    Local *local = e->kind == EXPR_NAME ? table_get(l->locals, e->name.id) : NULL;
    if (local != NULL)
        local->mentions++;
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
        && table_get(l->locals, e->call.func->name.id) != NULL)
        ((Local *)table_get(l->locals, e->call.func->name.id))->calls++;
    if (e->kind != EXPR_NAME)
        return true;
    table_set(l->taken, e->name.id, l);
    if (e->name.ctx != EXPR_CONTEXT_LOAD)
        table_set(l->bound, e->name.id, l);
    return true;
}

// In a local function.
static bool note_inner(void *cx, const Stmt *s)
{
    Lift *l = cx;
    l->fails = l->fails || s->kind == STMT_FUNCTION_DEF || s->kind == STMT_CLASS_DEF
               || s->kind == STMT_NONLOCAL || s->kind == STMT_GLOBAL || s->kind == STMT_IMPORT
               || s->kind == STMT_IMPORT_FROM;
    return true;
}

static bool is_simple(const Stmt *s)
{
    const Arguments *args = s->function_def.args;
    for (size_t i = 0; i < args->defaults.len; i++)
        if (args->defaults.at[i]->kind == EXPR_NAME)
            return false;
    for (size_t i = 0; i < args->kw_defaults.len; i++)
        if (args->kw_defaults.at[i] != NULL && args->kw_defaults.at[i]->kind == EXPR_NAME)
            return false;
    return args->vararg == NULL && args->kwarg == NULL && s->function_def.decorator_list.len == 0
           && s->function_def.type_params.len == 0;
}

static void add_local(Lift *l, const Stmt *s)
{
    Arena *a = l->flat->ad.arena;
    IrWalker inner = {.cx = l, .stmt = note_inner};
    Local *local = ARENA_NEW(a, Local);
    *local = (Local){.def = s};
    l->fails = l->fails || !is_simple(s) || table_get(l->locals, s->function_def.name) != NULL;
    ir_walk_stmts(&inner, s->function_def.body);
    note_args(l, s->function_def.args, false);
    table_set(l->locals, s->function_def.name, local);
    vec_push(a, &l->all, local);
}

static const Expr *stored(const Stmt *s)
{
    const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
                         : s->kind == STMT_ANN_ASSIGN && s->ann_assign.value != NULL
                             ? s->ann_assign.target : NULL;
    return target != NULL && target->kind == EXPR_NAME ? target : NULL;
}

// ---- what they read ----

static bool capture(Lift *l, Local *local, Sym name)
{
    for (size_t i = 0; i < local->captured.len; i++)
        if (local->captured.at[i] == name)
            return false;
    vec_push(l->flat->ad.arena, &local->captured, name);
    return true;
}

// Of the names that it does not bind: variables, and what other local functions read.
static bool capture_free(Lift *l, Local *local, SymList outer)
{
    const Ad *ad = &l->flat->ad;
    SymList names = names_free(ad->arena, ad->names, (StmtList){&local->def, 1});
    bool grows = false;
    for (size_t i = 0; i < names.len; i++) {
        const Local *other = table_get(l->locals, names.at[i]);
        for (size_t k = 0; other != NULL && k < other->captured.len; k++)
            grows = capture(l, local, other->captured.at[k]) || grows;
        bool variable = table_get(l->types, names.at[i]) != NULL;
        for (size_t k = 0; k < outer.len; k++)
            variable = variable || outer.at[k] == names.at[i];
        if (other == NULL && variable)
            grows = capture(l, local, names.at[i]) || grows;
    }
    return grows;
}

// What is captured has a value where the function is defined.
static void check_ready(Lift *l, const Table *ready, const Local *local)
{
    for (size_t i = 0; i < local->captured.len; i++)
        l->fails = l->fails || table_get(ready, local->captured.at[i]) == NULL;
}

static void check_order(Lift *l)
{
    StmtList body = l->def->function_def.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        const Expr *target = stored(s);
        if (s->kind == STMT_FUNCTION_DEF)
            check_ready(l, l->types, table_get(l->locals, s->function_def.name));
        if (target != NULL && target->ty != NULL
            && table_get(l->types, target->name.id) == NULL)
            table_set(l->types, target->name.id, (void *)target->ty);
    }
}

// ---- the new functions ----

static const Expr *new_call(IrMapper *m, const Expr *e)
{
    const Lift *l = m->cx;
    const Ad *ad = &l->flat->ad;
    const Local *local = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
                             ? table_get(l->locals, e->call.func->name.id) : NULL;
    AdExprs args = {0};
    if (local == NULL)
        return e;
    for (size_t i = 0; i < local->captured.len; i++)
        vec_push(ad->arena, &args, ad_name(ad, e->at, local->captured.at[i],
                                           table_get(l->types, local->captured.at[i])));
    for (size_t i = 0; i < e->call.args.len; i++)
        vec_push(ad->arena, &args, e->call.args.at[i]);
    const Expr *func = ad_name(ad, e->call.func->at, local->name, e->call.func->ty);
    return ad_typed(ad, expr_call(ad->arena, e->at, func, (ExprList){args.at, args.len},
                                  e->call.keywords), e->ty);
}

static StmtList without_locals(Lift *l, StmtList body)
{
    IrMapper m = {.arena = l->flat->ad.arena, .cx = l, .expr = new_call};
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind != STMT_FUNCTION_DEF)
            vec_push(l->flat->ad.arena, &out, ir_map_stmt(&m, body.at[i]));
    return ad_stmts(&out);
}

static void lift(Lift *l, const Local *local)
{
    Arena *a = l->flat->ad.arena;
    const Stmt *s = local->def;
    const Arguments *old = s->function_def.args;
    Vec(const Arg *) first = {0};
    for (size_t i = 0; i < local->captured.len; i++)
        vec_push(a, &first, arg_with_ty(a, arg_new(a, s->at, local->captured.at[i], NULL),
                                        table_get(l->types, local->captured.at[i])));
    for (size_t i = 0; i < old->posonlyargs.len; i++)
        vec_push(a, &first, old->posonlyargs.at[i]);
    const Arguments *args = arguments_new(a, (ArgList){first.at, first.len}, old->args, NULL,
                                          old->kwonlyargs, old->kw_defaults, NULL, old->defaults);
    table_set(l->flat->functions, local->name,
              (void *)stmt_function_def(a, s->at, local->name, args,
                                        without_locals(l, s->function_def.body), (ExprList){0},
                                        s->function_def.returns, (TypeParamList){0}));
}

static void name_local(Lift *l, Local *local)
{
    const Flat *flat = l->flat;
    Names *names = flat->ad.names;
    const char *base = names_format(names, "%s_%s", l->def->function_def.name,
                                    local->def->function_def.name);
    do
        local->name = ad_fresh(&flat->ad, l->taken, base);
    while (table_get(flat->functions, local->name) || table_get(flat->imports, local->name)
           || table_get(flat->globals, local->name) || table_get(flat->ad.classes, local->name));
}

static void capture_all(Lift *l)
{
    const Ad *ad = &l->flat->ad;
    SymList outer = names_bound(ad->arena, ad->names, l->def->function_def.body);
    bool grows = true;
    while (grows) {
        grows = false;
        for (size_t i = 0; i < l->all.len; i++)
            grows = capture_free(l, l->all.at[i], outer) || grows;
    }
    check_order(l);
    for (size_t i = 0; i < l->all.len; i++) {
        const Local *local = l->all.at[i];
        l->fails = l->fails || local->calls != local->mentions
                   || table_get(l->bound, local->def->function_def.name) != NULL;
    }
}

const Stmt *flat_lifted(Flat *flat, const Stmt *def)
{
    Arena *a = flat->ad.arena;
    Lift l = {.flat = flat, .def = def, .locals = table_new(a), .types = table_new(a),
              .bound = table_new(a), .taken = table_new(a)};
    StmtList body = def->function_def.body;
    IrWalker w = {.cx = &l, .expr = note_name};
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF)
            add_local(&l, body.at[i]);
    if (l.all.len == 0)
        return def;
    note_args(&l, def->function_def.args, true);
    ir_walk_stmts(&w, body);
    capture_all(&l);
    if (l.fails)
        return def;
    for (size_t i = 0; i < l.all.len; i++)
        name_local(&l, l.all.at[i]);
    for (size_t i = 0; i < l.all.len; i++)
        lift(&l, l.all.at[i]);
    return stmt_function_def(a, def->at, def->function_def.name, def->function_def.args,
                             without_locals(&l, body), def->function_def.decorator_list,
                             def->function_def.returns, def->function_def.type_params);
}
