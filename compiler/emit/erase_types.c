// erase_types.c - the central program as a type checker of Python reads it: a variable is declared
// once, and what is returned has the declared type though nothing is known of it.

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

// ---- results of which nothing is known ----

static bool is_unknown(const Expr *e)
{
    return e && e->ty && e->ty->kind == TY_ANY && e->kind != EXPR_CONSTANT;
}

bool types_unknown(const Stmt *s)
{
    if (s->kind == STMT_RETURN)
        return is_unknown(s->return_.value);
    if (s->kind == STMT_ANN_ASSIGN)
        return is_unknown(s->ann_assign.value);
    return s->kind == STMT_ASSIGN && is_unknown(s->assign.value);
}

// `result: int = e`, and later ones without the annotation; then `return result`.
static StmtList typed_return(const Eraser *x, const Stmt *s)
{
    const Stmt **two = ARENA_ARRAY(x->arena, const Stmt *, 2);
    const Expr **target = ARENA_NEW(x->arena, const Expr *);
    *target = expr_name(x->arena, s->at, x->result, EXPR_CONTEXT_STORE);
    two[0] = *x->result_declared
                 ? stmt_assign(x->arena, s->at, (ExprList){target, 1}, s->return_.value)
                 : stmt_ann_assign(x->arena, s->at, *target, x->returns, s->return_.value, 1);
    two[1] = stmt_return(x->arena, s->at, erase_name(x, x->result));
    *x->result_declared = true;
    return (StmtList){two, 2};
}

static bool needs_type(const Eraser *x, const Stmt *s)
{
    return s->kind == STMT_RETURN && x->returns && types_unknown(s)
           && s->return_.value->roles.len > 0;
}

// Inside another statement: both in a `with`, which is one.
static const Stmt *type_inner(IrMapper *m, const Stmt *s)
{
    const Eraser *x = m->cx;
    return needs_type(x, s) ? erase_turn(x, s->return_.value->roles, typed_return(x, s)) : s;
}

StmtList types_results(const Eraser *x, StmtList body)
{
    Vec(const Stmt *) out = {0};
    IrMapper m = {.arena = x->arena, .cx = (void *)x, .stmt = type_inner};
    for (size_t i = 0; i < body.len; i++) {
        StmtList two = needs_type(x, body.at[i]) ? typed_return(x, body.at[i]) : (StmtList){0};
        for (size_t j = 0; j < two.len; j++)
            vec_push(x->arena, &out, two.at[j]);
        if (two.len == 0)
            vec_push(x->arena, &out, ir_map_stmt(&m, body.at[i]));
    }
    return (StmtList){out.at, out.len};
}

// The same for what others return: of a message, it is what is sent that matters.
StmtList types_received(const Eraser *x, const Stmt *s)
{
    const Expr *value = s->kind == STMT_RETURN ? s->return_.value : NULL;
    const Stmt **one = ARENA_NEW(x->arena, const Stmt *);
    *one = s;
    bool unknown = types_unknown(s)
                   || (value && value->kind == EXPR_COM && is_unknown(value->com.value));
    return unknown && value && x->returns ? typed_return(x, s) : (StmtList){one, 1};
}
