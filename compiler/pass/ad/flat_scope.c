// flat_scope.c - what each name of a function and of the functions inside it means (The Python
// Language Reference, section 4.2), and which variables are captured.

#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/flat_closure.h"

typedef struct Resolve {
    Flat      *flat;
    FlatNames *names;
    FlatScope *scope;
    bool       inside;          // a loop of this function
} Resolve;

// ---- variables ----

static bool in_use(const Resolve *r, Sym name)
{
    const Flat *flat = r->flat;
    if (table_get(flat->functions, name) || table_get(flat->imports, name)
        || table_get(flat->globals, name) || table_get(flat->ad.classes, name))
        return true;
    return table_get(r->names->taken, name) != NULL;
}

static void add_var(Resolve *r, Sym name, const Ty *ty, bool parameter)
{
    const Ad *ad = &r->flat->ad;
    if (table_get(r->scope->vars, name) != NULL)
        return;
    FlatVar *v = ARENA_NEW(ad->arena, FlatVar);
    *v = (FlatVar){.name = name, .ty = ty, .scope = r->scope, .parameter = parameter};
    if (r->scope->outer != NULL && in_use(r, name))
        v->name = ad_fresh(ad, r->names->taken, name);
    table_set(r->names->taken, v->name, r);
    table_set(r->names->unique, v->name, v);
    table_set(r->scope->vars, name, v);
    vec_push(ad->arena, &r->scope->all, v);
}

static FlatVar *find(const FlatScope *scope, Sym name)
{
    FlatVar *v = NULL;
    for (; scope != NULL && v == NULL; scope = scope->outer)
        v = table_get(scope->vars, name);
    return v;
}

static void store(Resolve *r, FlatVar *v, const Ty *ty)
{
    v->stores++;
    v->ty = v->ty != NULL ? v->ty : ty;
    v->shared = v->shared || r->inside || v->scope != r->scope
                || v->stores > (v->parameter ? 0 : 1);
}

static void mention(Resolve *r, const void *node, Sym name, bool stores, const Ty *ty)
{
    FlatVar *v = find(r->scope, name);
    if (v == NULL)
        return;
    table_set(r->names->of, node, v);
    if (stores)
        store(r, v, ty);
    if (v->scope == r->scope)
        return;
    v->captured = true;
    v->shared = v->shared || (!v->parameter && v->stores == 0);
}

// ---- functions ----

static bool see_stmt(void *cx, const Stmt *s);
static bool see_expr(void *cx, const Expr *e);

static void walk(Resolve *r, StmtList body)
{
    IrWalker w = {.cx = r, .stmt = see_stmt, .expr = see_expr};
    ir_walk_stmts(&w, body);
}

static void walk_expr(Resolve *r, const Expr *e)
{
    IrWalker w = {.cx = r, .stmt = see_stmt, .expr = see_expr};
    if (e != NULL)
        ir_walk_expr(&w, e);
}

static void walk_defaults(Resolve *r, const Arguments *args)
{
    for (size_t i = 0; i < args->defaults.len; i++)
        walk_expr(r, args->defaults.at[i]);
    for (size_t i = 0; i < args->kw_defaults.len; i++)
        walk_expr(r, args->kw_defaults.at[i]);
}

static bool note_nonlocal(void *cx, const Stmt *s)
{
    for (size_t i = 0; s->kind == STMT_NONLOCAL && i < s->nonlocal.names.len; i++)
        table_set(cx, s->nonlocal.names.at[i], cx);
    return s->kind != STMT_FUNCTION_DEF;
}

static void open_scope(Resolve *r, const Arguments *args, StmtList body)
{
    Arena *a = r->flat->ad.arena;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    Table *others = table_new(a);
    IrWalker w = {.cx = others, .stmt = note_nonlocal};
    ir_walk_stmts(&w, body);
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            add_var(r, lists[l].at[i]->arg, lists[l].at[i]->ty, true);
            table_set(r->names->of, lists[l].at[i], find(r->scope, lists[l].at[i]->arg));
        }
    SymList bound = names_bound(a, r->flat->ad.names, body);
    for (size_t i = 0; i < bound.len; i++)
        if (table_get(others, bound.at[i]) == NULL)
            add_var(r, bound.at[i], NULL, false);
}

static void resolve(Resolve *outer, const void *node, const Arguments *args, StmtList body,
                    const Expr *value)
{
    Arena *a = outer->flat->ad.arena;
    FlatScope *scope = ARENA_NEW(a, FlatScope);
    *scope = (FlatScope){.outer = outer->scope, .vars = table_new(a)};
    Resolve r = {.flat = outer->flat, .names = outer->names, .scope = scope};
    table_set(r.names->scopes, node, scope);
    open_scope(&r, args, body);
    walk(&r, body);
    walk_expr(&r, value);
}

const Ty *flat_function_ty(const Ad *ad, const Stmt *s)
{
    Arena *a = ad->arena;
    const Arguments *args = s->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    Vec(const Ty *) params = {0};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l].len; i++)
            vec_push(a, &params, lists[l].at[i]->ty ? lists[l].at[i]->ty : ty_any(a));
    const Ty *result = s->function_def.returns ? s->function_def.returns->ty : NULL;
    return ty_callable(a, (TyList){params.at, params.len}, result ? result : ty_none_type(a));
}

static bool see_loop(Resolve *r, const Stmt *s)
{
    bool before = r->inside;
    walk_expr(r, s->kind == STMT_FOR ? s->for_.iter : NULL);
    r->inside = true;
    walk_expr(r, s->kind == STMT_FOR ? s->for_.target : s->while_.test);
    walk(r, s->kind == STMT_FOR ? s->for_.body : s->while_.body);
    r->inside = before;
    return false;
}

// The value of an assignment comes first: a function in it may capture the target.
static bool see_stmt(void *cx, const Stmt *s)
{
    Resolve *r = cx;
    if (s->kind == STMT_FUNCTION_DEF) {
        r->names->closures = true;
        mention(r, s, s->function_def.name, true, flat_function_ty(&r->flat->ad, s));
        walk_defaults(r, s->function_def.args);
        resolve(r, s, s->function_def.args, s->function_def.body, NULL);
        return false;
    }
    if (s->kind == STMT_FOR || s->kind == STMT_WHILE)
        return see_loop(r, s);
    if (s->kind == STMT_ANN_ASSIGN) {
        walk_expr(r, s->ann_assign.value);
        if (s->ann_assign.value != NULL)
            walk_expr(r, s->ann_assign.target);
        return false;
    }
    if (s->kind != STMT_ASSIGN)
        return true;
    walk_expr(r, s->assign.value);
    for (size_t i = 0; i < s->assign.targets.len; i++)
        walk_expr(r, s->assign.targets.at[i]);
    return false;
}

static bool see_expr(void *cx, const Expr *e)
{
    Resolve *r = cx;
    if (e->kind == EXPR_CALL)
        table_set(r->names->callees, e->call.func, r);
    if (e->kind == EXPR_NAME)
        mention(r, e, e->name.id, e->name.ctx != EXPR_CONTEXT_LOAD, e->ty);
    if (e->kind != EXPR_LAMBDA)
        return true;
    r->names->closures = true;
    walk_defaults(r, e->lambda.args);
    resolve(r, e, e->lambda.args, (StmtList){0}, e->lambda.body);
    return false;
}

FlatNames flat_resolve(Flat *flat, const Stmt *def)
{
    Arena *a = flat->ad.arena;
    FlatNames names = {.of = table_new(a), .unique = table_new(a), .callees = table_new(a),
                       .scopes = table_new(a),
                       .taken = table_new(a)};
    SymList free = names_free(a, flat->ad.names, (StmtList){&def, 1});
    SymList bound = names_bound(a, flat->ad.names, def->function_def.body);
    Resolve r = {.flat = flat, .names = &names};
    for (size_t i = 0; i < free.len; i++)
        table_set(names.taken, free.at[i], flat);
    for (size_t i = 0; i < bound.len; i++)
        table_set(names.taken, bound.at[i], flat);
    resolve(&r, def, def->function_def.args, def->function_def.body, NULL);
    return names;
}
