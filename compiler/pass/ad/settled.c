// settled.c - a derivative takes the constants and functions of a module as its text has them, so
// each name that it reads must be bound once, by a statement that always runs. A function may be
// defined again: the last definition is the one that every call finds. A decorator answers another
// function than the one that is written.

#include "compiler/pass/ad/settled.h"

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/ir/free_names.h"
#include "compiler/pass/ad/array_program.h"
#include "compiler/pass/ad/core.h"
#include "typecheck/typecheck.h"

typedef struct Settled {
    Arena *arena;
    Names *names;
    Diags *diags;
    Table *bound;               // Sym -> what binds it
    Table *unsettled;           // Sym -> not NULL
    Table *reached;             // Sym -> not NULL
    bool c;                     // variables must surely have a value
    Vec(Sym) todo;
} Settled;

static void unsettle(Settled *s, Sym name) { table_set(s->unsettled, name, s); }

// `what` is one object for bindings that agree with each other.
static void bind(Settled *s, Sym name, const void *what)
{
    const void *before = table_get(s->bound, name);
    if (before != NULL && before != what)
        unsettle(s, name);
    table_set(s->bound, name, (void *)what);
}

static void bind_import(Settled *s, const Stmt *stmt)
{
    bool from = stmt->kind == STMT_IMPORT_FROM;
    const AliasList list = from ? stmt->import_from.names : stmt->import.names;
    for (size_t i = 0; i < list.len; i++) {
        const Alias *a = list.at[i];
        Sym whole = names_intern(s->names, a->name, strcspn(a->name, "."));
        if (from)
            bind(s, a->asname ? a->asname : a->name,
                 names_format(s->names, "%s.%s",
                              stmt->import_from.module ? stmt->import_from.module : "", a->name));
        else
            bind(s, a->asname ? a->asname : whole, a->asname ? a->name : whole);
    }
}

// A derivative calls these by name: `max = min` would not be seen.
static bool is_builtin(Sym name)
{
    return sym_is(name, "sum") || sym_is_one_of(name, core_builtins);
}

static void bind_all(Settled *s, const Stmt *stmt, bool always)
{
    SymList bound = names_bound(s->arena, s->names, (StmtList){&stmt, 1});
    for (size_t i = 0; i < bound.len; i++) {
        bind(s, bound.at[i], stmt);
        if (!always || is_builtin(bound.at[i]))
            unsettle(s, bound.at[i]);
    }
}

static void unsettle_root(Settled *s, const Expr *e)
{
    while (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT)
        e = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e->subscript.value;
    if (e->kind == EXPR_NAME)
        unsettle(s, e->name.id);
}

// `math.pi = 3.0`, `K["a"] = 3.0`, `K.update(a=3.0)`, `del K`.
static bool unsettle_target(void *cx, const Expr *e)
{
    static const char *const changes[] = {"append", "extend", "insert", "update", "setdefault",
                                          "pop", "clear", "remove", "sort", "reverse", "fill",
                                          NULL};
    Settled *s = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_DEL)
        unsettle(s, e->name.id);
    if ((e->kind == EXPR_ATTRIBUTE && e->attribute.ctx != EXPR_CONTEXT_LOAD) ||
        (e->kind == EXPR_SUBSCRIPT && e->subscript.ctx != EXPR_CONTEXT_LOAD))
        unsettle_root(s, e);
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_ATTRIBUTE &&
        sym_is_one_of(e->call.func->attribute.attr, changes))
        unsettle_root(s, e->call.func->attribute.value);
    return true;
}

static bool outside_functions(void *cx, const Stmt *stmt)
{
    (void)cx;
    return stmt->kind != STMT_FUNCTION_DEF && stmt->kind != STMT_ASYNC_FUNCTION_DEF
           && stmt->kind != STMT_CLASS_DEF;
}

static bool unsettle_global(void *cx, const Stmt *stmt)
{
    for (size_t i = 0; stmt->kind == STMT_GLOBAL && i < stmt->global.names.len; i++)
        unsettle(cx, stmt->global.names.at[i]);
    return true;
}

static void read_stmt(Settled *s, const Stmt *stmt)
{
    IrWalker targets = {.cx = s, .stmt = outside_functions, .expr = unsettle_target};
    IrWalker globals = {.cx = s, .stmt = unsettle_global};
    ir_walk_stmts(&targets, (StmtList){&stmt, 1});
    ir_walk_stmts(&globals, (StmtList){&stmt, 1});
    if (stmt->kind == STMT_IMPORT || stmt->kind == STMT_IMPORT_FROM)
        bind_import(s, stmt);
    else if (stmt->kind == STMT_FUNCTION_DEF)
        bind(s, stmt->function_def.name, s);
    else if (stmt->kind != STMT_ANN_ASSIGN || stmt->ann_assign.value != NULL)
        bind_all(s, stmt, stmt->kind == STMT_ASSIGN || stmt->kind == STMT_ANN_ASSIGN
                              || stmt->kind == STMT_CLASS_DEF || stmt->kind == STMT_TYPE_ALIAS);
}

// ---- what is reached ----

static void reach(Settled *s, Sym name, Span at)
{
    if (table_get(s->reached, name) != NULL)
        return;
    table_set(s->reached, name, s);
    vec_push(s->arena, &s->todo, name);
    if (table_get(s->unsettled, name) == NULL)
        return;
    Diag *d = diag_report(s->diags, at, DIAG_GRAD_CONSTRUCT,
                          "`%s` must be assigned by exactly one statement of the module, "
                          "outside of `if` and loops",
                          unqualified(name));
    diag_help(d, "assign the variable once, or pass the value as an argument");
}

static void see(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_LOAD)
        reach(cx, e->name.id, e->at);
}

static void check_function(Settled *s, const Stmt *def)
{
    if (s->c)
        typecheck_assigned(s->arena, s->diags, def);
    if (def->function_def.decorator_list.len == 0)
        return;
    Diag *d = diag_report(s->diags, def->function_def.decorator_list.at[0]->at,
                          DIAG_GRAD_CONSTRUCT, "a function with a decorator cannot be "
                                               "differentiated");
    diag_help(d, "differentiate the function without the decorator");
}

static void visit(Settled *s, const Stmt *def, Sym name)
{
    Sym own = def->kind == STMT_FUNCTION_DEF ? def->function_def.name
              : def->kind == STMT_CLASS_DEF ? def->class_def.name : NULL;
    if (own != name)
        return;
    if (def->kind == STMT_FUNCTION_DEF)
        check_function(s, def);
    (void)names_visit(s->arena, s->names, (StmtList){&def, 1}, see, s);
}

void settled_check(Arena *a, Names *names, Diags *diags, const Unit *linked,
                   const GradRequest *request)
{
    Settled s = {.arena = a, .names = names, .diags = diags, .bound = table_new(a),
                 .unsettled = table_new(a), .reached = table_new(a)};
    const StmtList body = linked->module.body;
    for (size_t i = 0; i < body.len; i++)
        read_stmt(&s, body.at[i]);
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF
            && body.at[i]->function_def.name == request->function) {
            s.c = request->c &&                     // staging knows what is assigned
                  !array_program_is_for(a, names, linked, request->function,
                                        request->mode == GRAD_ARRAY);
            reach(&s, request->function, body.at[i]->at);
        }
    while (s.todo.len > 0) {
        Sym name = s.todo.at[--s.todo.len];
        for (size_t i = 0; i < body.len; i++)
            visit(&s, body.at[i], name);
    }
}
