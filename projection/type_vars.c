// type_vars.c - type parameters in the halves of generic definitions.
//
// A half keeps the type parameters of its class, and those that its own parameters mention. Any
// other is about values that live elsewhere, or come in messages: its callers cannot know it, so it
// is `Any` there.

#include "projection/projection_internal.h"

static bool makes_type_var(const Expr *e)
{
    if (e->kind != EXPR_CALL)
        return false;
    const Expr *f = e->call.func;
    return (f->kind == EXPR_NAME && sym_is(f->name.id, "TypeVar")) ||
           (f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "TypeVar"));
}

void type_vars_note(ProjectCx *cx, StmtList module)
{
    for (size_t i = 0; i < module.len; i++) {
        const Stmt *s = module.at[i];
        if (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME &&
            makes_type_var(s->assign.value))
            table_set(cx->type_vars, s->assign.targets.at[0]->name.id, cx);
    }
}

typedef struct Closing { ProjectCx *cx; Table *bound; } Closing;

static bool note_bound(void *cx, const Expr *e)
{
    Closing *c = cx;
    if (e->kind == EXPR_NAME && table_get(c->cx->type_vars, e->name.id))
        table_set(c->bound, e->name.id, c);
    return true;
}

static void note_args(Closing *c, ArgList args)
{
    IrWalker w = {.cx = c, .expr = note_bound};
    for (size_t i = 0; i < args.len; i++)
        if (args.at[i]->annotation != NULL)
            ir_walk_expr(&w, args.at[i]->annotation);
}

static bool is_open(const Closing *c, Sym name)
{
    return table_get(c->cx->type_vars, name) && !table_get(c->bound, name);
}

static const Expr *close_expr(IrMapper *m, const Expr *e)
{
    const Closing *c = m->cx;
    if (e->kind != EXPR_NAME || !is_open(c, e->name.id))
        return e;
    return expr_with_ty(m->arena, expr_name(m->arena, e->at, project_any_name(c->cx),
                                            e->name.ctx), e->ty, e->roles);
}

static const Ty *close_ty(IrMapper *m, const Ty *t)
{
    const Closing *c = m->cx;
    return t->kind == TY_TYPE_VAR && is_open(c, t->type_var.name) ? ty_any(m->arena) : t;
}

const Stmt *type_vars_close(ProjectCx *cx, const Stmt *outer, const Stmt *function)
{
    if (table_empty(cx->type_vars))
        return function;
    Closing c = {cx, table_new(cx->arena)};
    IrWalker w = {.cx = &c, .expr = note_bound};
    const Arguments *args = function->function_def.args;
    for (size_t i = 0; outer != NULL && i < outer->class_def.bases.len; i++)
        ir_walk_expr(&w, outer->class_def.bases.at[i]);
    note_args(&c, args->posonlyargs);
    note_args(&c, args->args);
    note_args(&c, args->kwonlyargs);
    IrMapper m = {.arena = cx->arena, .cx = &c, .expr = close_expr, .ty = close_ty};
    return ir_map_stmt(&m, function);
}

// ---- results that callers cannot know ----

Sym type_vars_callee(const Expr *func)
{
    return func->kind == EXPR_NAME        ? func->name.id
           : func->kind == EXPR_ATTRIBUTE ? func->attribute.attr
                                          : "";
}

static const Stmt *find_definition(const ProjectCx *cx, Sym name)
{
    StmtList body = cx->unit->module.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *def = body.at[i]->kind == STMT_CHOREO ? body.at[i]->choreo.def : NULL;
        if (def != NULL && def->kind == STMT_FUNCTION_DEF && def->function_def.name == name)
            return body.at[i];
    }
    return NULL;
}

static Sym formal_played(const Expr *inst, Sym role)
{
    for (size_t i = 0; i < inst->inst.formals.len; i++)
        if (inst->inst.actuals.at[i] == role)
            return inst->inst.formals.at[i];
    return NULL;
}

typedef struct Mentions { const Closing *c; bool open; } Mentions;

static bool find_open(void *cx, const Expr *e)
{
    Mentions *m = cx;
    m->open = m->open || (e->kind == EXPR_NAME && is_open(m->c, e->name.id));
    return !m->open;
}

static void note_args_at(Closing *c, ArgList args, Sym formal)
{
    for (size_t i = 0; i < args.len; i++) {
        const Expr *annotation = args.at[i]->annotation;
        if (annotation != NULL && annotation->kind == EXPR_LOCATED &&
            role_in(annotation->located.at_roles, formal))
            note_args(c, (ArgList){args.at + i, 1});
    }
}

bool type_vars_open_result(Half *h, const Expr *inst, const Expr *callee)
{
    if (table_empty(h->cx->type_vars))
        return false;
    const Expr *target = inst->inst.target;
    Sym formal = formal_played(inst, h->role);
    const Stmt *choreo = target->kind == EXPR_NAME && formal != NULL
                             ? find_definition(h->cx, target->name.id) : NULL;
    if (choreo == NULL || choreo->choreo.def->function_def.returns == NULL)
        return false;
    const Stmt *def = choreo->choreo.def;
    Closing c = {h->cx, table_new(h->arena)};
    note_args_at(&c, def->function_def.args->posonlyargs, formal);
    note_args_at(&c, def->function_def.args->args, formal);
    note_args_at(&c, def->function_def.args->kwonlyargs, formal);
    Mentions m = {&c, false};
    IrWalker w = {.cx = &m, .expr = find_open};
    ir_walk_expr(&w, def->function_def.returns);
    if (m.open)
        table_set(h->cx->open_calls, type_vars_callee(callee), h);
    return m.open;
}
