// stage_stmt.c - statements, run on symbols. An `if` whose test is not known runs both arms and
// selects. Loops are in stage_loop.c.

#include "compiler/pass/ad/stage_internal.h"

#include <string.h>

enum { MAX_CALLS = 100 };

Scope *scope_inside(Stage *s, Scope *outer)
{
    Scope *scope = ARENA_NEW(s->arena, Scope);
    *scope = (Scope){table_new(s->arena), outer, false};
    return scope;
}

// ---- assignment ----

static void bind_parts(Stage *s, Scope *scope, ExprList targets, Value *v, Span at)
{
    bool array = v->kind == VALUE_TERM && term_rank(v->term) > 0;
    if (array && !size_is(s->t, term_shape(v->term).at[0], (int64_t)targets.len))
        (void)stage_refuse(s, at, "cannot unpack this array into %zu variable%s: its length is not "
                           "known to be %zu", targets.len, diag_s(targets.len),
                           targets.len);
    else if (!array && (v->kind != VALUE_LIST || v->items.len != targets.len))
        (void)stage_refuse(s, at, "cannot unpack this value into %zu variable%s", targets.len,
                           diag_s(targets.len));
    for (size_t i = 0; i < targets.len && !s->failed; i++) {
        Value *part = array ? value_term(s, term_index(s->t, v->term, term_list(s->t,
                                  term_int(s->t, (int64_t)i), NULL)))
                            : v->items.at[i];
        stage_bind(s, scope, targets.at[i], part);
    }
}

void stage_bind(Stage *s, Scope *scope, const Expr *target, Value *v)
{
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        bind_parts(s, scope, target->kind == EXPR_TUPLE ? target->tuple.elts : target->list.elts,
                   v, target->at);
    } else if (target->kind == EXPR_NAME) {
        if (v->kind == VALUE_TERM && s->depth == 1)
            term_hint(s->t, v->term, target->name.id);
        stage_note_binding(v);
        table_set(scope->names, target->name.id, v);
    } else if (target->kind == EXPR_SUBSCRIPT) {
        stage_store(s, scope, target, v);
    } else {
        (void)stage_refuse(s, target->at, "the array language does not support this target of an "
                           "assignment");
    }
}

// ---- branches ----

static const Expr *known_test(Stage *s, Scope *scope, const Expr *test, bool *truth)
{
    const Expr *c = stage_term(s, scope, test);
    if (c->kind != EXPR_CONSTANT)
        return c;
    const Const *value = c->constant.value;
    *truth = value->kind == CONST_BOOL    ? value->truth
             : value->kind == CONST_FLOAT ? value->number != 0.0
                                          : !term_is_int(c, 0);
    return NULL;
}


static bool note_target(void *cx, const Expr *e)
{
    Assigned *a = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE)
        vec_push(a->arena, &a->names, e->name.id);
    if (e->kind == EXPR_SUBSCRIPT && e->subscript.ctx == EXPR_CONTEXT_STORE &&
        e->subscript.value->kind == EXPR_NAME)
        vec_push(a->arena, &a->names, e->subscript.value->name.id);
    return e->kind != EXPR_LAMBDA && e->kind != EXPR_LIST_COMP && e->kind != EXPR_GENERATOR_EXP;
}

Assigned stage_assigned(Stage *s, StmtList body)
{
    Assigned a = {.arena = s->arena};
    IrWalker w = {.cx = &a, .expr = note_target};
    ir_walk_stmts(&w, body);
    return a;
}

Value *stage_find(Scope *scope, Sym name)
{
    for (; scope != NULL; scope = scope->outer) {
        Value *v = table_get(scope->names, name);
        if (v != NULL)
            return v;
    }
    return NULL;
}

static void merge_name(Stage *s, Scope *scope, const Expr *test, Sym name, Scope *x, Scope *y,
                       Span at)
{
    Value *left = stage_find(x, name), *right = stage_find(y, name);
    if (left == NULL || right == NULL || left == right)
        return;                 // bound in one arm only: it cannot be read behind
    const Expr *chosen = stage_where(s, test, value_as_term(s, left, at),
                                     value_as_term(s, right, at), at);
    Value *v = value_term(s, chosen);
    v->fresh = stage_may_store(left) && stage_may_store(right);
    v->bindings = 1;
    table_set(scope->names, name, v);
}

static StmtList from(StmtList body, size_t i)
{
    return (StmtList){body.at + i, body.len - i};
}

// An arm that returns makes what follows the other arm.
static void run_branch(Stage *s, Scope *scope, const Stmt *stmt, StmtList rest, Run *r)
{
    bool truth;
    const Expr *test = known_test(s, scope, stmt->if_.test, &truth);
    if (test == NULL) {
        stage_run(s, scope, truth ? stmt->if_.body : stmt->if_.orelse, r);
        return;
    }
    Run left = {0}, right = {0};
    Scope *x = scope_inside(s, scope), *y = scope_inside(s, scope);     // arms see all around
    const Expr *old = stage_guard(s, test);
    stage_run(s, x, stmt->if_.body, &left);
    s->guard = old;
    const Expr *other = term_elem(test) == ELEM_BOOL ? term_not(s->t, test) : test;
    (void)stage_guard(s, other);
    stage_run(s, y, stmt->if_.orelse, &right);
    if (left.returned != NULL && right.returned == NULL)
        stage_run(s, y, rest, &right);
    s->guard = old;
    (void)stage_guard(s, test);
    if (right.returned != NULL && left.returned == NULL)
        stage_run(s, x, rest, &left);
    s->guard = old;
    if (left.returned != NULL && right.returned != NULL) {
        r->returned = value_term(s, stage_where(s, test, value_as_term(s, left.returned, stmt->at),
                                                value_as_term(s, right.returned, stmt->at),
                                                stmt->at));
        return;
    }
    if (left.returned != right.returned) {
        (void)stage_refuse(s, stmt->at, "one path through the function does not return a value");
        return;
    }
    Assigned a = stage_assigned(s, (StmtList){&stmt, 1});
    for (size_t i = 0; i < a.names.len; i++)
        merge_name(s, scope, test, a.names.at[i], x, y, stmt->at);
}

// ---- all ----

static void run_append(Stage *s, Scope *scope, Sym name, const Expr *value, Span at)
{
    Value *list = stage_find(scope, name);
    if (list == NULL || list->kind != VALUE_LIST) {
        (void)stage_refuse(s, at, "`%s` is not a list whose length is known here", name);
        return;
    }
    if (list->bindings > 1) {
        (void)stage_refuse(s, at, "another variable may refer to this list\ncreate a new list, `%s "
                           "= %s + [..]`", name, name);
        return;
    }
    Value *new = value_list(s, (ValueVec){0}, list->tuple);
    new->bindings = 1;
    for (size_t i = 0; i < list->items.len; i++)
        vec_push(s->arena, &new->items, list->items.at[i]);
    vec_push(s->arena, &new->items, stage_eval(s, scope, value));
    table_set(scope->names, name, new);
}

static void define(Stage *s, Scope *scope, const Stmt *stmt)
{
    Value *v = value_of(s, VALUE_FUNCTION);
    v->args = stmt->function_def.args;
    v->body = stmt->function_def.body;
    v->scope = scope;
    v->name = stmt->function_def.name;
    table_set(scope->names, v->name, v);
}

static void run_one(Stage *s, Scope *scope, const Stmt *stmt, Run *r)
{
    Sym name;
    const Expr *value;
    if (stage_is_append(stmt, &name, &value)) {
        run_append(s, scope, name, value, stmt->at);
    } else if (stmt->kind == STMT_ASSIGN) {
        Value *v = stage_eval(s, scope, stmt->assign.value);
        for (size_t i = 0; i < stmt->assign.targets.len && !s->failed; i++)
            stage_bind(s, scope, stmt->assign.targets.at[i], v);
    } else if (stmt->kind == STMT_ANN_ASSIGN) {
        if (stmt->ann_assign.value != NULL)
            stage_bind(s, scope, stmt->ann_assign.target,
                       stage_eval(s, scope, stmt->ann_assign.value));
    } else if (stmt->kind == STMT_AUG_ASSIGN) {
        stage_augment(s, scope, stmt);
    } else if (stmt->kind == STMT_RETURN) {
        r->returned = stmt->return_.value == NULL ? value_of(s, VALUE_NONE)
                                                  : stage_eval(s, scope, stmt->return_.value);
    } else if (stmt->kind == STMT_FOR) {
        stage_for(s, scope, stmt, r);
    } else if (stmt->kind == STMT_FUNCTION_DEF) {
        define(s, scope, stmt);
    } else if (stmt->kind == STMT_EXPR && stmt->expr.value->kind == EXPR_CALL &&
               stage_add_at(s, scope, stmt->expr.value)) {
        return;
    } else if (stmt->kind != STMT_PASS &&
               !(stmt->kind == STMT_EXPR && stmt->expr.value->kind == EXPR_CONSTANT)) {
        (void)stage_refuse(s, stmt->at, "the array language does not support this statement");
    }
}

void stage_run(Stage *s, Scope *scope, StmtList body, Run *r)
{
    for (size_t i = 0; i < body.len && !s->failed && r->returned == NULL; i++) {
        if (body.at[i]->kind == STMT_IF)
            run_branch(s, scope, body.at[i], from(body, i + 1), r);
        else
            run_one(s, scope, body.at[i], r);
    }
}

// ---- calls ----

static bool bind_keyword(Stage *s, Scope *inside, const Arguments *args, const Keyword *k,
                         Scope *scope)
{
    for (size_t i = 0; i < args->args.len; i++)
        if (k->arg != NULL && args->args.at[i]->arg == k->arg) {
            Value *v = stage_eval(s, scope, k->value);
            stage_note_binding(v);
            table_set(inside->names, k->arg, v);
            return true;
        }
    return false;
}

static void bind_defaults(Stage *s, Scope *inside, const Value *f, Span at)
{
    const Arguments *args = f->args;
    size_t plain = args->args.len - args->defaults.len;
    for (size_t i = 0; i < args->args.len && !s->failed; i++) {
        Sym name = args->args.at[i]->arg;
        if (table_get(inside->names, name) != NULL)
            continue;
        if (i < plain)
            (void)stage_refuse(s, at, "the argument `%s` is missing", name);
        else
            table_set(inside->names, name, stage_eval(s, f->scope, args->defaults.at[i - plain]));
    }
}

Value *stage_call_function(Stage *s, const Value *f, ValueVec args, KeywordList keywords,
                           Scope *scope, Span at)
{
    Scope *inside = scope_inside(s, f->scope);
    inside->function = true;
    size_t most = f->args->args.len;
    if (s->depth >= MAX_CALLS)
        (void)stage_refuse(s, at, "the calls are nested too deeply: the array language does not "
                           "support recursion that depends on data");
    else if (args.len > most)
        (void)stage_refuse(s, at, "the function takes %zu positional argument%s, but %zu %s given",
                           most, diag_s(most), args.len, diag_was(args.len));
    for (size_t i = 0; i < args.len && !s->failed; i++)
    {
        stage_note_binding(args.at[i]);
        table_set(inside->names, f->args->args.at[i]->arg, args.at[i]);
    }
    for (size_t i = 0; i < keywords.len && !s->failed; i++)
        if (!bind_keyword(s, inside, f->args, keywords.at[i], scope))
            (void)stage_refuse(s, keywords.at[i]->at, keywords.at[i]->arg == NULL
                               ? "the array language does not support `**` in a call"
                               : "the function has no parameter `%s`", keywords.at[i]->arg);
    bind_defaults(s, inside, f, at);
    Run r = {0};
    s->depth++;
    if (!s->failed && f->result != NULL)
        r.returned = stage_eval(s, inside, f->result);
    else if (!s->failed)
        stage_run(s, inside, f->body, &r);
    s->depth--;
    if (r.returned == NULL && !s->failed)
        (void)stage_refuse(s, at, "the function does not return a value");
    return r.returned != NULL ? r.returned : value_term(s, term_float(s->t, 0.0));
}
