// k_scope.c - the variables of a function, and where each is declared: by its first assignment,
// where that stands in front of all else that is done with it; else in front of the loops around,
// with a value that nobody reads.

#include "compiler/emit/kernel/k_internal.h"

typedef struct Block {
    struct Block *parent;
    const Stmt   *in_parent;    // the statement of the parent that this is a part of
    bool          loop;
    int           depth;
} Block;

typedef struct Scope {
    Kernel *k;
    Block  *block;
    const Stmt *stmt;           // the one of the block that is walked over
    Vec(Sym) counters;          // the loops around
    Vec(KLocal *) all;
} Scope;

static KLocal *local_of(Scope *s, Sym name)
{
    KLocal *l = table_get(s->k->locals, name);
    if (l == NULL) {
        l = ARENA_NEW(s->k->arena, KLocal);
        *l = (KLocal){.name = name, .c = k_local_name(s->k, name)};
        table_set(s->k->locals, name, l);
        vec_push(s->k->arena, &s->all, l);
    }
    return l;
}

static void climb(KLocal *l)
{
    l->stmt = l->block->in_parent;
    l->block = l->block->parent;
    l->direct = false;
}

static void seen(Scope *s, KLocal *l, bool direct)
{
    bool inside = false;
    for (size_t i = 0; i < s->counters.len; i++)
        inside |= s->counters.at[i] == l->name;
    l->outside |= !inside;
    if (l->block == NULL) {
        l->block = s->block;
        l->stmt = s->stmt;
        l->direct = direct;
        return;
    }
    Block *b = s->block;
    while (b != l->block)
        if (b->depth > l->block->depth)
            b = b->parent;
        else
            climb(l);
}

static void see_expr(Scope *s, const Expr *e);

// The caller has the twin of a parameter, which is then not read.
static void see_twins(Scope *s, ExprList of)
{
    for (size_t i = 0; i < of.len; i++) {
        KLocal *l = k_twin_param(s->k, of.at[i]->name.id) != NULL
                        ? table_get(s->k->locals, of.at[i]->name.id) : NULL;
        if (l != NULL)
            seen(s, l, false);
        else
            see_expr(s, of.at[i]);
    }
}

static bool see_name(void *cx, const Expr *e)
{
    Scope *s = cx;
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
        && sym_is(e->call.func->name.id, "_twins")) {
        see_twins(s, e->call.args);
        return false;
    }
    KLocal *l = e->kind == EXPR_NAME ? table_get(s->k->locals, e->name.id) : NULL;
    if (l != NULL) {
        l->read |= l->type->kind != K_NONE;         // of None nothing is read
        seen(s, l, false);
    }
    return true;
}

static void see_expr(Scope *s, const Expr *e)
{
    IrWalker w = {.cx = s, .expr = see_name};
    if (e != NULL)
        ir_walk_expr(&w, e);
}

// The local array whose element is stored to, which does not read it; NULL: something else.
static KLocal *own_array(Scope *s, const Expr *target)
{
    const Expr *array = target->kind == EXPR_SUBSCRIPT ? target->subscript.value : target;
    KLocal *l = array->kind == EXPR_NAME ? table_get(s->k->locals, array->name.id) : NULL;
    return array != target && l != NULL && l->type != NULL && l->type->kind == K_ARRAY &&
           !l->declared ? l : NULL;
}

static void see_target(Scope *s, const Expr *target, bool direct)
{
    if (target->kind != EXPR_NAME) {
        KLocal *array = own_array(s, target);
        if (array != NULL)
            seen(s, array, false);
        see_expr(s, array != NULL ? target->subscript.slice : target);
        return;
    }
    KLocal *l = local_of(s, target->name.id);
    if (l->type == NULL)
        l->type = k_type(s->k, target->ty, target->at);
    seen(s, l, direct);
}

static void see_body(Scope *s, StmtList body, const Stmt *of, bool loop);

static void see_for(Scope *s, const Stmt *st)
{
    see_expr(s, st->for_.iter);
    if (st->for_.target->kind == EXPR_NAME) {
        KLocal *l = local_of(s, st->for_.target->name.id);
        vec_push(s->k->arena, &s->counters, l->name);
        see_target(s, st->for_.target, false);
        see_body(s, st->for_.body, st, true);
        s->counters.len--;
    }
}

static void see_stmt(Scope *s, const Stmt *st)
{
    switch (st->kind) {
    case STMT_ASSIGN:
        see_expr(s, st->assign.value);
        see_target(s, st->assign.targets.at[0], true);
        return;
    case STMT_ANN_ASSIGN:
        see_expr(s, st->ann_assign.value);
        see_target(s, st->ann_assign.target, true);
        return;
    case STMT_AUG_ASSIGN:
        see_expr(s, st->aug_assign.value);
        see_target(s, st->aug_assign.target, false);
        return;
    case STMT_BACK:   see_target(s, st->back.target, true); return;
    case STMT_KEEP:   see_expr(s, st->keep.value); return;
    case STMT_RETURN: see_expr(s, st->return_.value); return;
    case STMT_EXPR:   see_expr(s, st->expr.value); return;
    case STMT_DELETE:
        for (size_t i = 0; i < st->delete.targets.len; i++)
            see_expr(s, st->delete.targets.at[i]);
        return;
    case STMT_IF:
        see_expr(s, st->if_.test);
        see_body(s, st->if_.body, st, false);
        see_body(s, st->if_.orelse, st, false);
        return;
    case STMT_WHILE:
        see_expr(s, st->while_.test);
        see_body(s, st->while_.body, st, true);
        return;
    case STMT_FOR:    see_for(s, st); return;
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_TYPE_ALIAS:
    case STMT_ASYNC_FOR: case STMT_WITH: case STMT_ASYNC_WITH:
    case STMT_MATCH: case STMT_RAISE: case STMT_TRY: case STMT_TRY_STAR: case STMT_ASSERT:
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_PASS:
    case STMT_BREAK: case STMT_CONTINUE: case STMT_CHOREO: case STMT_OFFER: case STMT_STOPPED:
    case STMT_TAPE: case STMT_COUNT:
        return;
    }
}

static void see_body(Scope *s, StmtList body, const Stmt *of, bool loop)
{
    Block *block = ARENA_NEW(s->k->arena, Block), *outer = s->block;
    const Stmt *stmt = s->stmt;
    *block = (Block){.parent = outer, .in_parent = of, .loop = loop,
                     .depth = outer ? outer->depth + 1 : 0};
    s->block = block;
    for (size_t i = 0; i < body.len; i++) {
        s->stmt = body.at[i];
        see_stmt(s, body.at[i]);
    }
    s->block = outer;
    s->stmt = stmt;
}

static void leave_loops(KLocal *l)
{
    int up = 0, depth = 0;
    for (const Block *b = l->block; b->parent != NULL; b = b->parent) {
        depth++;
        up = b->loop ? depth : up;
    }
    while (up-- > 0)
        climb(l);
}

void k_scope(Kernel *k, KFunction *f)
{
    Scope s = {.k = k};
    const Arguments *args = f->def->function_def.args;
    k->locals = table_new(k->arena);
    k->local_c = table_new(k->arena);
    k->homes = table_new(k->arena);
    const ArgList lists[] = {args->posonlyargs, args->args};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            const Arg *a = lists[l].at[i];
            KLocal *p = local_of(&s, a->arg);
            p->type = k_type(k, a->ty, a->at);
            p->declared = true;
        }
    for (size_t i = 0; k_param(f, i) != NULL; i++)
        if (k_has_twin(k, f, i)) {
            KLocal *p = table_get(k->locals, k_param(f, i)->arg);
            p->twin = k_local_name(k, k_text(k, "%s_twin", p->name));
        }
    see_body(&s, f->def->function_def.body, NULL, false);
    for (size_t i = 0; i < s.all.len; i++) {
        KLocal *l = s.all.at[i];
        if (l->declared || l->block == NULL)
            continue;
        l->counter = !l->outside;
        if (l->direct || l->counter)
            continue;
        leave_loops(l);
        l->next = table_get(k->homes, l->stmt);
        table_set(k->homes, l->stmt, l);
    }
}

void k_declare_at(Kernel *k, const Stmt *home)
{
    for (KLocal *l = table_get(k->homes, home); l != NULL; l = l->next) {
        k_line_out(k, "%s%s = %s;", l->type->c, l->c, k_zero(l->type));
        if (!l->read)
            k_line_out(k, "(void)%s;", l->c);
        l->declared = true;
    }
}
