// erase_types.c - the central program as a type checker of Python reads it: a variable is declared
// once.

#include "compiler/emit/erase_internal.h"

// ---- one declaration for each variable ----

// What binds the names of a function, in the order of its text.
typedef struct Declarations {
    Table *first;               // name -> the statement that binds it first; else the table itself
    Table *annotations;         // name -> its first annotation
} Declarations;

static void bind(Declarations *d, Sym name, const void *by)
{
    if (table_get(d->first, name) == NULL)
        table_set(d->first, name, (void *)by);
}

static Sym declared_name(const Stmt *s)
{
    const Expr *target = s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target
                         : s->kind == STMT_ASSIGN && s->assign.targets.len == 1
                             ? s->assign.targets.at[0] : NULL;
    return target && target->kind == EXPR_NAME ? target->name.id : NULL;
}

static const Stmt *local_def(const Stmt *s)
{
    const Stmt *def = s->kind == STMT_CHOREO ? s->choreo.def : s;
    return def->kind == STMT_FUNCTION_DEF || def->kind == STMT_CLASS_DEF ? def : NULL;
}

static bool note_binding(void *cx, const Stmt *s)
{
    Declarations *d = cx;
    const Stmt *def = local_def(s);
    Sym name = declared_name(s);
    if (def != NULL) {
        bind(d, def->kind == STMT_CLASS_DEF ? def->class_def.name : def->function_def.name, d);
        return false;
    }
    if (name != NULL)
        bind(d, name, s);
    if (name && s->kind == STMT_ANN_ASSIGN && table_get(d->annotations, name) == NULL)
        table_set(d->annotations, name, (void *)s->ann_assign.annotation);
    return true;
}

static bool note_store(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE)
        bind(cx, e->name.id, cx);
    return e->kind != EXPR_LAMBDA;
}

static bool note_parameter(void *cx, const Arg *arg)
{
    bind(cx, arg->arg, cx);
    return true;
}

// Where the annotation stands is where the variable is bound first, as in the endpoint programs.
static const Stmt *declare_once(IrMapper *m, const Stmt *s)
{
    const Declarations *d = m->cx;
    Sym name = declared_name(s);
    const Expr *annotation = name ? table_get(d->annotations, name) : NULL;
    const void *first = name ? table_get(d->first, name) : NULL;
    if (annotation == NULL || (first == s) == (s->kind == STMT_ANN_ASSIGN))
        return s;
    if (s->kind == STMT_ASSIGN)
        return stmt_ann_assign(m->arena, s->at, s->assign.targets.at[0], annotation,
                               s->assign.value, 1);
    if (s->ann_assign.value == NULL)
        return stmt_pass(m->arena, s->at);
    const Expr **target = ARENA_NEW(m->arena, const Expr *);
    *target = s->ann_assign.target;
    return stmt_assign(m->arena, s->at, (ExprList){target, 1}, s->ann_assign.value);
}

StmtList types_declare(const Eraser *x, const Arguments *args, StmtList body)
{
    Declarations d = {.first = table_new(x->arena), .annotations = table_new(x->arena)};
    IrWalker w = {.cx = &d, .stmt = note_binding, .expr = note_store, .arg = note_parameter};
    IrMapper m = {.arena = x->arena, .cx = &d, .stmt = declare_once};
    ir_walk_arguments(&w, args);
    ir_walk_stmts(&w, body);
    return ir_map_stmts(&m, body);
}
