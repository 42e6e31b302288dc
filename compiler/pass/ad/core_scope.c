// core_scope.c - which variables of a function are Refs: those that are bound more than once, and
// those that are read where what follows their only binding does not reach.

#include "compiler/pass/ad/core_internal.h"

#include "compiler/base/vec.h"
#include "compiler/ir/free_names.h"

typedef struct Count {
    Sym name;
    size_t loads, stores;
} Count;

static bool has_parameter(const Arguments *args, Sym name)
{
    for (size_t i = 0; i < args->args.len; i++)
        if (args->args.at[i]->arg == name)
            return true;
    return false;
}

static bool is_nonlocal(const Stmt *s, Sym name)
{
    for (size_t i = 0; s->kind == STMT_NONLOCAL && i < s->nonlocal.names.len; i++)
        if (s->nonlocal.names.at[i] == name)
            return true;
    return false;
}

// What a function inside binds by itself is another variable.
static bool hides(const Stmt *def, Sym name)
{
    if (has_parameter(def->function_def.args, name))
        return true;
    StmtList body = def->function_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (is_nonlocal(body.at[i], name))
            return false;
    return core_stores(body.at, body.len, name) > 0;
}

static bool count_expr(void *cx, const Expr *e)
{
    Count *c = cx;
    if (e->kind == EXPR_LAMBDA && has_parameter(e->lambda.args, c->name))
        return false;
    if (e->kind == EXPR_NAME && e->name.id == c->name) {
        c->loads += e->name.ctx == EXPR_CONTEXT_LOAD;
        c->stores += e->name.ctx == EXPR_CONTEXT_STORE;
    }
    return true;
}

static bool count_stmt(void *cx, const Stmt *s)
{
    Count *c = cx;
    if (s->kind != STMT_FUNCTION_DEF)
        return true;
    c->stores += s->function_def.name == c->name;
    return !hides(s, c->name);
}

static Count count(const Stmt *const *at, size_t n, Sym name)
{
    Count c = {.name = name};
    IrWalker w = {.cx = &c, .stmt = count_stmt, .expr = count_expr};
    for (size_t i = 0; i < n; i++)
        ir_walk_stmt(&w, at[i]);
    return c;
}

size_t core_loads(const Stmt *const *at, size_t n, Sym name) { return count(at, n, name).loads; }

// Of this function itself: what functions inside bind with `nonlocal` counts, too.
size_t core_stores(const Stmt *const *at, size_t n, Sym name) { return count(at, n, name).stores; }

// The loads that the one binding in these statements reaches.
static size_t reached(StmtList body, Sym name)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        const Stmt *const *rest = body.at + i + 1;
        size_t after = body.len - i - 1;
        if (core_stores(&s, 1, name) == 0)
            continue;
        if (s->kind == STMT_FOR)
            return s->for_.target->name.id == name
                       ? core_loads(s->for_.body.at, s->for_.body.len, name)
                       : reached(s->for_.body, name);
        if (s->kind == STMT_WHILE)
            return reached(s->while_.body, name);
        if (s->kind == STMT_IF)
            return reached(s->if_.body, name) + reached(s->if_.orelse, name);
        if (s->kind == STMT_FUNCTION_DEF && s->function_def.name != name)
            return 0;
        bool own = s->kind == STMT_FUNCTION_DEF;
        return core_loads(rest, after, name) + (own ? core_loads(&s, 1, name) : 0);
    }
    return 0;
}

typedef struct Looped { Sym name; bool inside, captured, stored; } Looped;

static bool see_captured(void *cx, const Expr *e)
{
    Looped *l = cx;
    if (e->kind == EXPR_NAME && e->name.id == l->name) {
        l->captured = l->captured || l->inside;
        l->stored = l->stored || e->name.ctx == EXPR_CONTEXT_STORE;
    }
    if (e->kind != EXPR_LAMBDA)
        return true;
    if (!has_parameter(e->lambda.args, l->name)) {
        Looped inner = {.name = l->name, .inside = true};
        IrWalker w = {.cx = &inner, .expr = see_captured};
        ir_walk_expr(&w, e->lambda.body);
        l->captured = l->captured || inner.captured;
    }
    return false;
}

static bool see_inner(void *cx, const Stmt *s)
{
    Looped *l = cx;
    if (s->kind != STMT_FUNCTION_DEF)
        return true;
    l->captured = l->captured || (!hides(s, l->name) && core_loads(&s, 1, l->name) > 0);
    return false;
}

// All functions that a loop makes share a variable of it.
static bool find_looped(void *cx, const Stmt *s)
{
    Looped *l = cx, inner = {.name = l->name};
    IrWalker w = {.cx = &inner, .stmt = see_inner, .expr = see_captured};
    if (s->kind == STMT_FOR || s->kind == STMT_WHILE)
        ir_walk_stmts(&w, (StmtList){&s, 1});
    l->captured = l->captured || (inner.captured && inner.stored);
    return s->kind != STMT_FUNCTION_DEF;
}

static bool is_cell(const Arguments *args, StmtList body, Sym name)
{
    Count all = count(body.at, body.len, name);
    Looped looped = {.name = name};
    IrWalker w = {.cx = &looped, .stmt = find_looped};
    if (args != NULL && has_parameter(args, name))
        return all.stores > 0;
    ir_walk_stmts(&w, body);
    return all.stores > 1 || looped.captured || reached(body, name) != all.loads;
}

CoreScope core_scope(Core *c, const Arguments *args, StmtList body)
{
    CoreScope scope = {.outer = c->scope, .bound = table_new(c->arena),
                       .cells = table_new(c->arena)};
    SymList bound = names_bound(c->arena, c->names, body);
    for (size_t i = 0; args != NULL && i < args->args.len; i++) {
        Sym name = args->args.at[i]->arg;
        table_set(scope.bound, name, c);
        if (is_cell(args, body, name))
            table_set(scope.cells, name, c);
    }
    for (size_t i = 0; i < bound.len; i++) {
        Sym name = bound.at[i];
        bool outer = false;
        for (size_t k = 0; k < body.len; k++)
            outer = outer || is_nonlocal(body.at[k], name);
        if (outer || table_get(scope.bound, name) != NULL)
            continue;
        table_set(scope.bound, name, c);
        if (is_cell(args, body, name))
            table_set(scope.cells, name, c);
    }
    return scope;
}
