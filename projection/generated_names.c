// generated_names.c - names of the source that stand in the way of what generated programs say.
//
// A few names are the programs' own wherever they stand. `Any` of typing is theirs if they mention
// it. And a variable of a function hides the type of that name: `expect=list[str]` would be said of
// the variable `list`.

#include <string.h>

#include "compiler/ir/free_names.h"
#include "projection/projection_internal.h"

// ---- names of the whole program ----

typedef struct Taken { ProjectCx *cx; const char *const *names; size_t count; } Taken;

static void check_name(const Taken *t, Sym name, Span at)
{
    for (size_t i = 0; name && i < t->count; i++)
        if (sym_is(name, t->names[i])) {
            Diag *d = diag_report(t->cx->diags, at, DIAG_GENERATED_NAME,
                                  "`%s` is reserved for generated programs", name);
            diag_help(d, "use another name");
        }
}

static bool is_of_typing(const Stmt *s, const Alias *alias)
{
    const char *module = s->import_from.module;
    return alias->asname == NULL && module &&
           (strcmp(module, "typing") == 0 || strcmp(module, "typing_extensions") == 0);
}

static bool check_stmt(void *cx, const Stmt *s)
{
    AliasList aliases = {0};
    if (s->kind == STMT_FUNCTION_DEF)
        check_name(cx, s->function_def.name, s->at);
    else if (s->kind == STMT_ASYNC_FUNCTION_DEF)
        check_name(cx, s->async_function_def.name, s->at);
    else if (s->kind == STMT_CLASS_DEF)
        check_name(cx, s->class_def.name, s->at);
    else if (s->kind == STMT_IMPORT)
        aliases = s->import.names;
    else if (s->kind == STMT_IMPORT_FROM)
        aliases = s->import_from.names;
    for (size_t i = 0; i < aliases.len; i++) {
        const Alias *alias = aliases.at[i];
        if (s->kind == STMT_IMPORT || !is_of_typing(s, alias))
            check_name(cx, alias->asname ? alias->asname : alias->name, alias->at);
    }
    return true;
}

static bool check_expr(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE)
        check_name(cx, e->name.id, e->at);
    return true;
}

static bool check_arg(void *cx, const Arg *arg)
{
    check_name(cx, arg->arg, arg->at);
    return true;
}

// Where such a name is bound has to be looked for only if it is.
static void check_taken(Taken t, StmtList body)
{
    bool found = false;
    for (size_t i = 0; i < t.count; i++)
        found = found || table_get(t.cx->bound, names_get(t.cx->names, t.names[i]));
    if (!found)
        return;
    IrWalker w = {.cx = &t, .stmt = check_stmt, .expr = check_expr, .arg = check_arg};
    ir_walk_stmts(&w, body);
}

void generated_any_check(ProjectCx *cx, StmtList body)
{
    static const char *const any[] = {"Any"};
    if (cx->adds_any)
        check_taken((Taken){cx, any, 1}, body);
}

// ---- types that variables hide ----

// What a function binds: name -> where, as Binding *.
typedef struct Binding { Span at; bool reported; } Binding;

typedef struct Scope {
    const struct Scope *outer;
    Table *bound;
} Scope;

typedef struct Hiding {
    ProjectCx   *cx;
    Table       *types;         // names of types that messages mention
    const Scope *scope;
    Span         message;         // being looked at
} Hiding;

static Sym head_of(const ProjectCx *cx, const Ty *t)
{
    switch (t->kind) {
    case TY_NAMED:
        return names_intern(cx->names, t->named.name, strcspn(t->named.name, "."));
    case TY_TYPE_VAR: return t->type_var.name;
    case TY_TUPLE:    return names_get(cx->names, "tuple");
    case TY_POISON: case TY_ANY:
        return names_get(cx->names, "object");
    case TY_NONE_TYPE: case TY_INST: case TY_UNION: case TY_CALLABLE: case TY_LITERAL:
    case TY_PLACED: case TY_COUNT:
        break;
    }
    return NULL;
}

static bool note_type(void *cx, const Ty *t)
{
    Hiding *h = cx;
    Sym name = head_of(h->cx, t);
    if (name && table_get(h->cx->bound, name))
        table_set(h->types, name, h);
    return true;
}

static bool find_message(void *cx, const Expr *e)
{
    IrWalker types = {.cx = cx, .ty = note_type};
    if (e->kind == EXPR_COM)
        ir_walk_ty(&types, e->com.payload);
    return true;
}

static void bind(Hiding *h, Table *bound, Sym name, Span at)
{
    if (name == NULL || table_get(h->types, name) == NULL || table_get(bound, name))
        return;
    Binding *b = ARENA_NEW(h->cx->arena, Binding);
    *b = (Binding){at, false};
    table_set(bound, name, b);
}

typedef struct Binder { Hiding *h; Table *bound; } Binder;

static bool bind_stmt(void *cx, const Stmt *s)
{
    Binder *b = cx;
    if (s->kind == STMT_FUNCTION_DEF)
        bind(b->h, b->bound, s->function_def.name, s->at);
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

static bool bind_expr(void *cx, const Expr *e)
{
    Binder *b = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE)
        bind(b->h, b->bound, e->name.id, e->at);
    return e->kind != EXPR_LAMBDA;
}

static bool bind_arg(void *cx, const Arg *arg)
{
    bind(((Binder *)cx)->h, ((Binder *)cx)->bound, arg->arg, arg->at);
    return false;
}

static bool bind_handler(void *cx, const Excepthandler *e)
{
    bind(((Binder *)cx)->h, ((Binder *)cx)->bound, e->except_handler.name, e->at);
    return true;
}

static bool bind_pattern(void *cx, const Pattern *p)
{
    Binder *b = cx;
    bind(b->h, b->bound, pattern_name(p), p->at);
    return true;
}

// The targets of a comprehension are its own.
static bool bind_comprehension(void *cx, const Comprehension *c)
{
    Binder *b = cx;
    IrWalker w = {.cx = b, .expr = bind_expr, .comprehension = bind_comprehension};
    ir_walk_expr(&w, c->iter);
    ir_walk_exprs(&w, c->ifs);
    return false;
}

static Diag *report_hidden(Hiding *h, Sym name, Span at)
{
    Diag *d = diag_report(h->cx->diags, at, DIAG_GENERATED_NAME,
                          "this `%s` hides the type `%s`, which generated programs use", name,
                          name);
    diag_help(d, "use another name");
    return d;
}

static void check_hidden(Hiding *h, Sym name)
{
    Binding *b = NULL;
    for (const Scope *s = h->scope; s && b == NULL; s = s->outer)
        b = table_get(s->bound, name);
    if (b == NULL || b->reported)
        return;
    b->reported = true;
    diag_label(report_hidden(h, name, b->at), h->message, "the type of a received value uses the "
                                                          "name");
}

static bool check_type(void *cx, const Ty *t)
{
    Hiding *h = cx;
    Sym name = head_of(h->cx, t);
    if (name)
        check_hidden(h, name);
    return true;
}

static bool check_inner_stmt(void *cx, const Stmt *s);

static bool check_inner_expr(void *cx, const Expr *e);

static void check_scope(Hiding *h, const Arguments *args, StmtList body, const Expr *value)
{
    Scope scope = {h->scope, table_new(h->cx->arena)};
    Binder b = {h, scope.bound};
    IrWalker binder = {.cx = &b, .stmt = bind_stmt, .expr = bind_expr, .arg = bind_arg,
                       .comprehension = bind_comprehension, .excepthandler = bind_handler,
                       .pattern = bind_pattern};
    IrWalker inner = {.cx = h, .stmt = check_inner_stmt, .expr = check_inner_expr};
    ir_walk_arguments(&binder, args);
    ir_walk_stmts(&binder, body);
    h->scope = &scope;
    ir_walk_stmts(&inner, body);
    if (value)
        ir_walk_expr(&inner, value);
    h->scope = scope.outer;
}

static bool check_inner_stmt(void *cx, const Stmt *s)
{
    if (s->kind == STMT_FUNCTION_DEF)
        check_scope(cx, s->function_def.args, s->function_def.body, NULL);
    return s->kind != STMT_FUNCTION_DEF;
}

static bool check_inner_expr(void *cx, const Expr *e)
{
    Hiding *h = cx;
    IrWalker types = {.cx = h, .ty = check_type};
    if (e->kind == EXPR_LAMBDA)
        check_scope(h, e->lambda.args, (StmtList){0}, e->lambda.body);
    h->message = e->at;
    if (e->kind == EXPR_COM)
        ir_walk_ty(&types, e->com.payload);
    return e->kind != EXPR_LAMBDA;
}

// A class of the module is a type of its own, except where Python has one of that name.
static bool is_builtin_type(Sym name)
{
    static const char *const types[] = {
        "bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "set",
        "str", "tuple",
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (sym_is(name, types[i]))
            return true;
    return false;
}

static void check_module(Hiding *h, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i]->kind == STMT_CHOREO ? body.at[i]->choreo.def : body.at[i];
        SymList bound = names_bound(h->cx->arena, h->cx->names, (StmtList){&s, 1});
        for (size_t j = 0; j < bound.len; j++)
            if (is_builtin_type(bound.at[j]) && table_get(h->types, bound.at[j]))
                report_hidden(h, bound.at[j], s->at);
    }
}

void generated_names_check(ProjectCx *cx, StmtList body, IrIndex index)
{
    static const char *const own[] = {
        "PROGRAM", "UnexpectedSelection", "PeerStopped", "copy_value",
    };
    Hiding h = {.cx = cx, .types = table_new(cx->arena)};
    IrWalker messages = {.cx = &h, .expr = find_message};
    IrWalker inner = {.cx = &h, .stmt = check_inner_stmt, .expr = check_inner_expr};
    check_taken((Taken){cx, own, sizeof own / sizeof *own}, body);
    ir_index_walk(&messages, index, (IrKinds){.exprs = IR_KIND(EXPR_COM)});
    if (table_empty(h.types))
        return;
    check_module(&h, body);
    ir_walk_stmts(&inner, body);
}
