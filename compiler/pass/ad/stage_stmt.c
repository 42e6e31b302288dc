// stage_stmt.c - statements, run on symbols. An `if` whose test is not known runs both arms and
// selects. Loops are in stage_loop.c.

#include "compiler/pass/ad/stage_internal.h"

#include <string.h>

enum { MAX_CALLS = 100, MAX_COPIES = 8 };

Scope *scope_inside(Stage *s, Scope *outer)
{
    Scope *scope = ARENA_NEW(s->arena, Scope);
    *scope = (Scope){table_new(s->arena), outer, false, false};
    return scope;
}

Scope *scope_captured(Scope *scope)
{
    for (Scope *at = scope; at != NULL; at = at->outer)
        at->captured = true;
    return scope;
}

// ---- assignment ----

static void refuse_unpacking(Stage *s, const Value *v, Span from)
{
    if (v->kind == VALUE_TERM)
        (void)stage_refuse(s, from, "a number cannot be unpacked");
    else
        (void)stage_refuse(s, from, "an array function cannot unpack this value: it is not an "
                           "array, a tuple or a list of known items\nwrite its items, as in "
                           "`a, b = x[0], x[1]`");
}

static void bind_parts(Stage *s, Scope *scope, ExprList targets, Value *v, Span at, Span from)
{
    bool array = v->kind == VALUE_TERM && term_rank(v->term) > 0;
    for (size_t i = 0; i < targets.len; i++)
        if (targets.at[i]->kind == EXPR_STARRED)
            (void)stage_refuse(s, targets.at[i]->at, "an array function does not support `*` in "
                                                     "the target of an assignment");
    if (array && !size_is(s->t, term_shape(v->term).at[0], (int64_t)targets.len))
        (void)stage_refuse(s, at, "cannot unpack this array into %zu variable%s: its length is not "
                           "known to be %zu\ntake each element by its index, such as `x[0]`",
                           targets.len, diag_s(targets.len), targets.len);
    else if (!array && v->kind != VALUE_LIST)
        refuse_unpacking(s, v, from);
    else if (!array && v->items.len != targets.len)
        (void)stage_refuse(s, at, "cannot unpack %zu item%s into %zu variable%s", v->items.len,
                           diag_s(v->items.len), targets.len, diag_s(targets.len));
    for (size_t i = 0; i < targets.len && !s->failed; i++) {
        Value *part = array ? value_term(s, term_index(s->t, v->term, term_list(s->t,
                                  term_int(s->t, (int64_t)i), NULL)))
                            : v->items.at[i];
        if (array && term_rank(part->term) > 0)
            part->base = v;
        stage_bind(s, scope, targets.at[i], part, targets.at[i]->at);
    }
}

void stage_bind(Stage *s, Scope *scope, const Expr *target, Value *v, Span from)
{
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        bind_parts(s, scope, target->kind == EXPR_TUPLE ? target->tuple.elts : target->list.elts,
                   v, target->at, from);
    } else if (target->kind == EXPR_NAME) {
        if (v->kind == VALUE_TERM && s->depth == 1)
            term_hint(s->t, v->term, target->name.id);
        stage_note_binding(v);
        table_set(scope->names, target->name.id, v);
    } else if (target->kind == EXPR_SUBSCRIPT) {
        stage_store(s, scope, target, v);
    } else {
        (void)stage_refuse(s, target->at, "an array function does not support assignment to an "
                           "attribute");
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


// `x.sort()`: `np.sort` has an argument.
static bool is_sort(const Expr *call)
{
    return call->call.func->kind == EXPR_ATTRIBUTE && call->call.args.len == 0 &&
           sym_is(call->call.func->attribute.attr, "sort");
}

// The name of what `x.append(..)`, `x.sort()`, `np.add.at(x, ..)` and `np.exp(y, out=x)` change;
// NULL: something else.
static const Expr *changed_by_call(const Expr *e)
{
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    if (f == NULL || f->kind != EXPR_ATTRIBUTE)
        return NULL;
    for (size_t i = 0; i < e->call.keywords.len; i++)
        if (e->call.keywords.at[i]->arg != NULL && sym_is(e->call.keywords.at[i]->arg, "out"))
            return e->call.keywords.at[i]->value;
    if (sym_is(f->attribute.attr, "append") || is_sort(e))
        return f->attribute.value;
    return sym_is(f->attribute.attr, "at") && e->call.args.len > 0 ? e->call.args.at[0] : NULL;
}

enum { MAX_HELPERS = 4 };

static bool note_target(void *cx, const Expr *e);
static bool note_augmented(void *cx, const Stmt *stmt);

static Assigned stores_in(Stage *s, StmtList body, int helpers)
{
    Assigned in = {.stage = s, .helpers = helpers, .stores = true};
    IrWalker w = {.cx = &in, .expr = note_target, .stmt = note_augmented};
    ir_walk_stmts(&w, body);
    return in;
}

static size_t count_name(const Assigned *a, size_t first, Sym name)
{
    size_t count = 0;
    for (size_t i = 0; i < first; i++)
        count += a->names.at[i] == name;
    return count;
}

// The names that a call of a function of the module stores into.
static void note_stores(Assigned *a, const Expr *call)
{
    const Expr *f = call->call.func;
    const Value *v = f->kind == EXPR_NAME ? table_get(a->stage->module->names, f->name.id) : NULL;
    if (v == NULL || v->kind != VALUE_FUNCTION || a->helpers == MAX_HELPERS)
        return;
    const Assigned in = stores_in(a->stage, v->body, a->helpers + 1);
    for (size_t k = 0; k < call->call.args.len && k < v->args->args.len; k++)
        if (count_name(&in, in.names.len, v->args->args.at[k]->arg) > 0 &&
            call->call.args.at[k]->kind == EXPR_NAME)
            vec_push(a->stage->arena, &a->names, call->call.args.at[k]->name.id);
}

static bool count_return(void *cx, const Stmt *stmt)
{
    *(size_t *)cx += stmt->kind == STMT_RETURN;
    return true;
}

// After a `return` in a branch a parameter has no single value.
static bool returns_early(StmtList body)
{
    size_t count = 0;
    IrWalker w = {.cx = &count, .stmt = count_return};
    ir_walk_stmts(&w, body);
    return count > (body.len > 0 && body.at[body.len - 1]->kind == STMT_RETURN);
}

bool stage_changes(Stage *s, const Value *f, Sym name)
{
    if (returns_early(f->body))
        return false;
    const Assigned all = stage_assigned(s, f->body), stores = stores_in(s, f->body, 0);
    size_t changes = count_name(&stores, stores.names.len, name);
    return changes > 0 && count_name(&all, all.names.len, name) == changes;
}

static bool note_augmented(void *cx, const Stmt *stmt)
{
    Assigned *a = cx;
    if (stmt->kind == STMT_AUG_ASSIGN && stmt->aug_assign.target->kind == EXPR_NAME)
        vec_push(a->stage->arena, &a->names, stmt->aug_assign.target->name.id);
    return true;
}

static bool note_target(void *cx, const Expr *e)
{
    Assigned *a = cx;
    const Expr *changed = changed_by_call(e);
    if (e->kind == EXPR_CALL)
        note_stores(a, e);
    if (changed != NULL && changed->kind == EXPR_NAME)
        vec_push(a->stage->arena, &a->names, changed->name.id);
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE && !a->stores)
        vec_push(a->stage->arena, &a->names, e->name.id);
    if (e->kind == EXPR_SUBSCRIPT && e->subscript.ctx == EXPR_CONTEXT_STORE) {
        const Expr *base = e->subscript.value;
        while (base->kind == EXPR_SUBSCRIPT)
            base = base->subscript.value;
        if (base->kind == EXPR_NAME)
            vec_push(a->stage->arena, &a->names, base->name.id);
    }
    return e->kind != EXPR_LAMBDA && e->kind != EXPR_LIST_COMP && e->kind != EXPR_GENERATOR_EXP;
}

Assigned stage_assigned(Stage *s, StmtList body)
{
    Assigned a = {.stage = s};
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
    if (left == NULL || right == NULL)
        return;                 // bound in one arm only: it cannot be read behind
    if (left == right) {
        table_set(scope->names, name, left);
        return;
    }
    if (left->kind == VALUE_LIST && right->kind == VALUE_LIST &&
        left->items.len != right->items.len) {
        (void)stage_refuse(s, at, "after this `if`, the length of the list `%s` depends on data\n"
                           "use an array of a known length", name);
        return;
    }
    const Expr *chosen = stage_where(s, test, value_as_term(s, left, at),
                                     value_as_term(s, right, at), at);
    Value *v = value_term(s, chosen);
    v->fresh = stage_may_store(left) && stage_may_store(right);
    v->bindings = 1;
    stage_note_replaced(left);
    stage_note_replaced(right);
    table_set(scope->names, name, v);
}

static void run_arm(Stage *s, Scope *arm, StmtList body, Run *r)
{
    size_t region = stage_enter(s);
    stage_run(s, arm, body, r);
    s->region = region;
}

static StmtList from(StmtList body, size_t i)
{
    return (StmtList){body.at + i, body.len - i};
}

void stage_refuse_return(Stage *s, Span at)
{
    (void)stage_refuse(s, at, "in a loop of an array function, `return` is supported only if it is "
                       "known which round reaches it\nassign the value to a variable, and return "
                       "it after the loop");
}

// The other arm has returned: this one goes on to the end of the function.
static void run_rest(Stage *s, Scope *scope, const Rest *rest, Run *r)
{
    size_t region = stage_enter(s);
    for (bool own = true; rest != NULL && r->returned == NULL && !s->failed; own = false) {
        r->copies += !own && rest->body.len > 0;
        if (r->copies > MAX_COPIES)
            break;
        r->after = rest->next;
        stage_run(s, scope, rest->body, r);
        rest = rest->next;
    }
    s->region = region;
}

static void refuse_one_arm(Stage *s, const Run *other, Span at)
{
    if (s->loop_depth == s->depth)
        stage_refuse_return(s, at);
    else if (other->copies > MAX_COPIES)
        (void)stage_refuse(s, at, "in an array function, both branches of this `if` must return, "
                           "or neither\nend the other branch with `return`, too");
    else
        (void)stage_refuse(s, at, "one path through the function does not return a value\nadd a "
                           "`return` at the end of the function");
}

// An arm that returns makes what follows the other arm.
static void run_branch(Stage *s, Scope *scope, const Stmt *stmt, StmtList rest, Run *r)
{
    bool truth;
    const Rest after = {rest, r->after};
    const Expr *test = known_test(s, scope, stmt->if_.test, &truth);
    if (test == NULL) {
        r->after = &after;
        stage_run(s, scope, truth ? stmt->if_.body : stmt->if_.orelse, r);
        r->after = after.next;
        return;
    }
    if (!stage_decides(s, test, stmt->if_.test->at))
        return;
    Run left = {NULL, &after, r->copies}, right = left;
    Scope *x = scope_inside(s, scope), *y = scope_inside(s, scope);     // arms see all around
    const Expr *old = stage_guard(s, test);
    run_arm(s, x, stmt->if_.body, &left);
    s->guard = old;
    (void)stage_guard(s, term_not(s->t, test));
    run_arm(s, y, stmt->if_.orelse, &right);
    if (left.returned != NULL && right.returned == NULL)
        run_rest(s, y, &after, &right);
    s->guard = old;
    (void)stage_guard(s, test);
    if (right.returned != NULL && left.returned == NULL)
        run_rest(s, x, &after, &left);
    s->guard = old;
    if (left.returned != NULL && right.returned != NULL) {
        stage_note_escape(left.returned);
        stage_note_escape(right.returned);
        r->returned = value_term(s, stage_where(s, test, value_as_term(s, left.returned, stmt->at),
                                                value_as_term(s, right.returned, stmt->at),
                                                stmt->at));
        return;
    }
    if (left.returned != right.returned) {
        refuse_one_arm(s, left.returned != NULL ? &right : &left, stmt->at);
        return;
    }
    const Assigned a = stage_assigned(s, (StmtList){&stmt, 1});
    for (size_t i = 0; i < a.names.len; i++)
        if (count_name(&a, i, a.names.at[i]) == 0)
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
        (void)stage_refuse(s, at, STAGE_SHARED_LIST, name, name);
        return;
    }
    Value *new = value_list(s, (ValueVec){0}, list->tuple);
    new->bindings = 1;
    for (size_t i = 0; i < list->items.len; i++)
        vec_push(s->arena, &new->items, list->items.at[i]);
    Value *item = stage_eval(s, scope, value);
    stage_note_binding(item);
    vec_push(s->arena, &new->items, item);
    table_set(scope->names, name, new);
}

static void define(Stage *s, Scope *scope, const Stmt *stmt)
{
    Value *v = value_of(s, VALUE_FUNCTION);
    v->args = stmt->function_def.args;
    v->body = stmt->function_def.body;
    v->scope = scope_captured(scope);
    v->name = stmt->function_def.name;
    stage_defaults(s, scope, v);
    table_set(scope->names, v->name, v);
}

// What is not supported, and what to write in its place.
static const char *words(StmtKind kind)
{
    static const struct { StmtKind kind; const char *words; } rows[] = {
#define ROUNDS "\nwrite a `for` loop over a known number of rounds, and `if` for what a round " \
    "may leave out"
#define CHECK "\ncheck the arguments before the call, and in the function choose with `if`"
#define TOP "an import in a function\nput it at the top of the module"
        {STMT_WHILE, "`while`" ROUNDS}, {STMT_BREAK, "`break`" ROUNDS},
        {STMT_CONTINUE, "`continue`"}, {STMT_TRY, "`try`" CHECK}, {STMT_WITH, "`with`"},
        {STMT_RAISE, "`raise`" CHECK}, {STMT_ASSERT, "`assert`" CHECK}, {STMT_DELETE, "`del`"},
        {STMT_GLOBAL, "`global`"}, {STMT_NONLOCAL, "`nonlocal`"},
        {STMT_CLASS_DEF, "a class in a function"}, {STMT_IMPORT, TOP}, {STMT_IMPORT_FROM, TOP},
        {STMT_MATCH, "`match`"},
        {STMT_EXPR, "an expression as a statement\nreturn what it shows, or remove it"},
#undef ROUNDS
#undef CHECK
#undef TOP
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == kind)
            return rows[i].words;
    return "this statement";
}

// `y[0], y[1] = y[1], y[0]` reads the second view after the first store.
static void note_views(Value *tuple)
{
    for (size_t i = 0; i < tuple->items.len; i++)
        for (Value *base = tuple->items.at[i]->base; base != NULL; base = base->base)
            base->shared = true;
}

// A call that is a statement: false: it is something else.
static bool run_call(Stage *s, Scope *scope, const Expr *call)
{
    if (call->kind != EXPR_CALL)
        return false;
    const Expr *out = changed_by_call(call), *f = call->call.func;
    const Value *v = f->kind == EXPR_NAME ? stage_find(scope, f->name.id) : NULL;
    if (stage_add_at(s, scope, call))
        return true;
    if (is_sort(call) && f->attribute.value->kind == EXPR_NAME) {
        const Expr *x = stage_term(s, scope, f->attribute.value);
        const Expr *in_order = stage_term_of_library(s, "sort", value_fresh(s, x),
                                                     call->call.keywords, scope, call->at);
        if (!s->failed)
            stage_store_all(s, scope, f->attribute.value, in_order);
        return true;
    }
    if (out == NULL && (v == NULL || v->kind != VALUE_FUNCTION))
        return false;
    s->statement = call;
    (void)stage_eval(s, scope, call);
    return true;
}

static void run_one(Stage *s, Scope *scope, const Stmt *stmt, Run *r)
{
    Sym name;
    const Expr *value;
    if (stage_is_append(stmt, &name, &value)) {
        run_append(s, scope, name, value, stmt->at);
    } else if (stmt->kind == STMT_ASSIGN) {
        s->statement = stmt->assign.value;
        Value *v = stage_eval(s, scope, stmt->assign.value);
        if (v->kind == VALUE_LIST && stmt->assign.value->kind == EXPR_TUPLE)
            note_views(v);
        for (size_t i = 0; i < stmt->assign.targets.len && !s->failed; i++)
            stage_bind(s, scope, stmt->assign.targets.at[i], v, stmt->assign.value->at);
    } else if (stmt->kind == STMT_ANN_ASSIGN) {
        if (stmt->ann_assign.value != NULL)
            stage_bind(s, scope, stmt->ann_assign.target,
                       stage_eval(s, scope, stmt->ann_assign.value), stmt->ann_assign.value->at);
    } else if (stmt->kind == STMT_AUG_ASSIGN) {
        stage_augment(s, scope, stmt);
    } else if (stmt->kind == STMT_RETURN) {
        s->statement = stmt->return_.value;
        r->returned = stmt->return_.value == NULL ? value_of(s, VALUE_NONE)
                                                  : stage_eval(s, scope, stmt->return_.value);
        s->returned_at = stmt->at;
    } else if (stmt->kind == STMT_FOR) {
        stage_for(s, scope, stmt, r);
    } else if (stmt->kind == STMT_FUNCTION_DEF) {
        define(s, scope, stmt);
    } else if (stmt->kind == STMT_EXPR && run_call(s, scope, stmt->expr.value)) {
        return;
    } else if (stmt->kind != STMT_PASS &&
               !(stmt->kind == STMT_EXPR && stmt->expr.value->kind == EXPR_CONSTANT)) {
        (void)stage_refuse(s, stmt->at, "an array function does not support %s",
                           words(stmt->kind));
    }
}

// `with np.errstate(..)`: there are no warnings anyway.
static bool is_quiet(Stage *s, Scope *scope, const Stmt *stmt)
{
    if (stmt->kind != STMT_WITH || stmt->with.items.len != 1 ||
        stmt->with.items.at[0]->context_expr->kind != EXPR_CALL)
        return false;
    const Value *f = stage_eval(s, scope, stmt->with.items.at[0]->context_expr->call.func);
    return f->kind == VALUE_LIBRARY && sym_is(f->name, "errstate");
}

void stage_run(Stage *s, Scope *scope, StmtList body, Run *r)
{
    for (size_t i = 0; i < body.len && !s->failed && r->returned == NULL; i++) {
        if (body.at[i]->kind == STMT_IF)
            run_branch(s, scope, body.at[i], from(body, i + 1), r);
        else if (is_quiet(s, scope, body.at[i]))
            stage_run(s, scope, body.at[i]->with.body, r);
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

static const char *function_words(Stage *s, const Value *f)
{
    return f->name == NULL ? "the lambda" : names_format(s->names, "`%s`", f->name);
}

void stage_defaults(Stage *s, Scope *scope, Value *function)
{
    ExprList defaults = function->args->defaults;
    for (size_t i = 0; i < defaults.len && !s->failed; i++) {
        Value *v = stage_eval(s, scope, defaults.at[i]);
        stage_note_binding(v);
        vec_push(s->arena, &function->items, v);
    }
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
            (void)stage_refuse(s, at, "the argument `%s` of %s is missing", name,
                               function_words(s, f));
        else
            table_set(inside->names, name, f->items.len > 0 ? f->items.at[i - plain]
                      : stage_eval(s, f->scope, args->defaults.at[i - plain]));
    }
}

static void refuse_keyword(Stage *s, const Value *f, const Keyword *k)
{
    if (k->arg == NULL)
        (void)stage_refuse(s, k->at, "an array function does not support `**` in a call\n"
                           "write each argument");
    else if (s->library_depth > 0)
        (void)stage_refuse(s, k->at, "an array function does not support the argument `%s` of %s",
                           k->arg, function_words(s, f));
    else
        (void)stage_refuse(s, k->at, "%s has no parameter `%s`", function_words(s, f), k->arg);
}

Value *stage_call_function(Stage *s, const Value *f, ValueVec args, KeywordList keywords,
                           Scope *scope, Span at, bool statement)
{
    Scope *inside = scope_inside(s, f->scope);
    inside->function = true;
    size_t most = f->args->args.len;
    if (s->depth >= MAX_CALLS)
        (void)stage_refuse(s, at, "calls are nested more than %d deep: the depth of recursion in "
                                  "an array function must not depend on data", MAX_CALLS);
    else if (f->args->posonlyargs.len + f->args->kwonlyargs.len > 0 || f->args->vararg != NULL ||
             f->args->kwarg != NULL)
        (void)stage_refuse(s, at, "%s has a parameter list that an array function does not "
                           "support\nwrite the parameters without `*`, `**` and `/`",
                           function_words(s, f));
    else if (args.len > most)
        (void)stage_refuse(s, at, "%s takes %s%zu positional argument%s, but %zu %s given",
                           function_words(s, f), f->args->defaults.len > 0 ? "at most " : "", most,
                           diag_s(most), args.len, diag_was(args.len));
    for (size_t i = 0; i < args.len && !s->failed; i++)
    {
        stage_note_binding(args.at[i]);
        table_set(inside->names, f->args->args.at[i]->arg, args.at[i]);
    }
    for (size_t i = 0; i < keywords.len && !s->failed; i++)
        if (!bind_keyword(s, inside, f->args, keywords.at[i], scope))
            refuse_keyword(s, f, keywords.at[i]);
    bind_defaults(s, inside, f, at);
    Run r = {0};
    s->depth++;
    if (!s->failed && f->result != NULL)
        r.returned = stage_eval(s, inside, f->result);
    else if (!s->failed)
        stage_run(s, inside, f->body, &r);
    s->depth--;
    s->called = inside;
    for (size_t i = 0; i < args.len && !s->failed && !inside->captured; i++)
        args.at[i]->bindings--;
    if (statement && r.returned == NULL)
        r.returned = value_of(s, VALUE_NONE);
    if (r.returned == NULL && !s->failed)
        (void)stage_refuse(s, at, "%s does not return a value", function_words(s, f));
    return r.returned != NULL ? r.returned : value_term(s, term_float(s->t, 0.0));
}
