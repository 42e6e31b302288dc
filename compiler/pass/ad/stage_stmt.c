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
    Slot place;
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        bind_parts(s, scope, target->kind == EXPR_TUPLE ? target->tuple.elts : target->list.elts,
                   v, target->at, from);
    } else if (target->kind == EXPR_NAME) {
        if (v->kind == VALUE_TERM && s->depth == 1)
            term_hint(s->t, v->term, target->name.id);
        stage_note_binding(v);
        if (v->kind == VALUE_LIST && v->self != NULL)       // Python sees what is stored later
            stage_note_escape((Value *)v->self);
        table_set(scope->names, target->name.id, v);
    } else if (target->kind == EXPR_SUBSCRIPT) {
        stage_store(s, scope, target, v);
    } else if (stage_place(s, scope, target, &place)) {
        record_set(s, place.record, place.key, v, target->at);
    } else {
        (void)stage_refuse(s, target->at, "an array function supports assignment to an attribute "
                           "only for an instance of a class of the program");
    }
}

// ---- branches ----

static const Expr *known_test(Stage *s, Scope *scope, const Expr *test, bool *truth)
{
    const Expr *c = stage_condition(s, scope, test);
    if (c->kind != EXPR_CONSTANT)
        return c;
    *truth = c->constant.value->truth;
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

typedef struct Rebound { Sym name; bool found; } Rebound;

static bool note_rebound(void *cx, const Expr *e)
{
    Rebound *r = cx;
    r->found = r->found || (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE &&
                            e->name.id == r->name);
    return true;
}

bool stage_rebinds(Stage *s, StmtList body, Sym name)
{
    Rebound r = {name, false};
    IrWalker w = {.cx = &r, .expr = note_rebound};
    (void)s;
    ir_walk_stmts(&w, body);
    return r.found;
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

// Item by item.
static Value *merged_items(Stage *s, const Expr *test, Value *left, Value *right, Span at)
{
    bool record = left->kind == VALUE_RECORD;
    Value *v = record ? record_like(s, left) : value_list(s, (ValueVec){0}, left->tuple);
    v->cls = left->cls;
    v->escaped = record && !(stage_may_store(left) && stage_may_store(right));
    for (size_t i = 0; i < left->items.len && !s->failed; i++) {
        Value *x = left->items.at[i], *y = right->items.at[i];
        vec_push(s->arena, &v->items, x == y ? x : stage_merged(s, test, x, y, at));
        v->items.at[i]->bindings += x != y;
    }
    return v;
}

Value *stage_merged(Stage *s, const Expr *test, Value *left, Value *right, Span at)
{
    bool parts = left->kind == VALUE_TERM || left->kind == VALUE_LIST || left->kind == VALUE_RECORD;
    if (!parts && stage_is_like(s, left, right))
        return left;
    bool records = left->kind == VALUE_RECORD && right->kind == VALUE_RECORD;
    bool tuples = left->kind == VALUE_LIST && right->kind == VALUE_LIST && left->tuple &&
                  right->tuple && left->items.len == right->items.len && left->cls == right->cls;
    if (records && !record_same_keys(s, left, right))
        (void)stage_refuse(s, at, "after this `if`, the keys of a dict or the class of an instance "
                           "depend on data");
    Value *v = (records || tuples) && !s->failed
                   ? merged_items(s, test, left, right, at)
                   : value_term(s, stage_where(s, test, value_as_term(s, left, at),
                                               value_as_term(s, right, at), at));
    v->fresh = v->kind == VALUE_TERM && stage_may_store(left) && stage_may_store(right);
    stage_note_replaced(left);
    stage_note_replaced(right);
    return v;
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
    Value *v = stage_merged(s, test, left, right, at);
    v->bindings = 1;
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

// A name may refer to what is returned, unless it is a new dict or instance.
static void note_returned(Value *v)
{
    if (v->kind != VALUE_RECORD || v->bindings > 0)
        stage_note_escape(v);
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
    Journal on_left, on_right;
    const Expr *old = stage_guard(s, test);
    journal_open(s, &on_left);
    run_arm(s, x, stmt->if_.body, &left);
    journal_close(s, &on_left);
    s->guard = old;
    (void)stage_guard(s, term_not(s->t, test));
    journal_open(s, &on_right);
    run_arm(s, y, stmt->if_.orelse, &right);
    if (left.returned != NULL && right.returned == NULL)
        run_rest(s, y, &after, &right);
    journal_close(s, &on_right);
    s->guard = old;
    (void)stage_guard(s, test);
    journal_resume(s, &on_left);
    if (right.returned != NULL && left.returned == NULL)
        run_rest(s, x, &after, &left);
    journal_close(s, &on_left);
    s->guard = old;
    journal_merge(s, test, &on_left, &on_right, stmt->at);
    if (left.returned != NULL && right.returned != NULL) {
        note_returned(left.returned);
        note_returned(right.returned);
        r->returned = left.returned == right.returned || s->failed ? left.returned
                      : stage_merged(s, test, left.returned, right.returned, stmt->at);
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

static void run_append(Stage *s, Scope *scope, const Expr *name, const Expr *value, Span at)
{
    Value *list = stage_current(s, scope, name);
    if (s->failed || list == NULL || list->kind != VALUE_LIST) {
        (void)stage_refuse(s, at, "`%s` is not a list whose length is known here",
                           stage_shown(s, name));
        return;
    }
    if (list->bindings > 1) {
        (void)stage_refuse(s, at, STAGE_SHARED_LIST, stage_shown(s, name),
                           stage_shown(s, name));
        return;
    }
    Value *new = value_list(s, (ValueVec){0}, list->tuple);
    new->bindings = name->kind == EXPR_NAME;
    for (size_t i = 0; i < list->items.len; i++)
        vec_push(s->arena, &new->items, list->items.at[i]);
    Value *item = stage_eval(s, scope, value);
    stage_note_binding(item);
    vec_push(s->arena, &new->items, item);
    if (!s->failed)
        stage_set_current(s, scope, name, new);
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
        {STMT_RAISE, "`raise`" CHECK}, {STMT_DELETE, "`del`"},
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

// `name.append(x)`, and so for a list in a record.
static bool is_append(Stage *s, Scope *scope, const Stmt *stmt)
{
    Sym name;
    const Expr *value, *e = stmt->kind == STMT_EXPR ? stmt->expr.value : NULL;
    if (stage_is_append(stmt, &name, &value))
        return stage_find(scope, name) == NULL || stage_find(scope, name)->kind != VALUE_RECORD;
    if (e == NULL || e->kind != EXPR_CALL || e->call.func->kind != EXPR_ATTRIBUTE ||
        !sym_is(e->call.func->attribute.attr, "append") || e->call.args.len != 1)
        return false;
    const Value *list = stage_current(s, scope, e->call.func->attribute.value);
    return list != NULL && list->kind == VALUE_LIST;
}

// Whether a function is one of an instance, a class or a dict, which may change that.
static bool may_change(Stage *s, Scope *scope, const Expr *f)
{
    const Expr *of = f->kind == EXPR_ATTRIBUTE ? f->attribute.value : f;
    while (of->kind == EXPR_ATTRIBUTE || of->kind == EXPR_SUBSCRIPT)
        of = of->kind == EXPR_ATTRIBUTE ? of->attribute.value : of->subscript.value;
    if (of->kind == EXPR_CALL)
        return f->kind == EXPR_ATTRIBUTE;
    const Value *v = of->kind == EXPR_NAME ? stage_find(scope, of->name.id) : NULL;
    if (v == NULL || v->kind == VALUE_TERM || v->kind == VALUE_LIBRARY || v->kind == VALUE_MODULE)
        return false;
    v = stage_eval(s, scope, f->kind == EXPR_ATTRIBUTE ? f->attribute.value : f);
    return v->kind == VALUE_RECORD || v->kind == VALUE_CLASS || v->kind == VALUE_SUPER ||
           (v->kind == VALUE_FUNCTION && f->kind != EXPR_ATTRIBUTE) ||
           (v->kind == VALUE_LIST && v->cls != NULL);
}

// `x.sort()` of an array; false: it is something else.
static bool run_sort(Stage *s, Scope *scope, const Expr *call)
{
    const Expr *of = is_sort(call) ? call->call.func->attribute.value : NULL;
    const Value *v = of != NULL && of->kind == EXPR_NAME ? stage_find(scope, of->name.id) : NULL;
    if (v == NULL || v->kind != VALUE_TERM)
        return false;
    const Expr *in_order = stage_term_of_library(s, "sort", value_fresh(s, v->term),
                                                 call->call.keywords, scope, call->at);
    if (!s->failed)
        stage_store_all(s, scope, of, in_order);
    return true;
}

// A call that is a statement: false: it is something else.
static bool run_call(Stage *s, Scope *scope, const Expr *call)
{
    if (call->kind != EXPR_CALL)
        return false;
    if (stage_add_at(s, scope, call))
        return true;
    if (run_sort(s, scope, call))
        return true;
    if (changed_by_call(call) == NULL && !may_change(s, scope, call->call.func))
        return false;
    s->statement = call;
    (void)stage_eval(s, scope, call);
    return true;
}

// What is not known is checked when the function runs.
static void run_assert(Stage *s, Scope *scope, const Stmt *stmt)
{
    const Expr *test = stage_condition(s, scope, stmt->assert.test);
    if (s->failed)
        return;
    if (term_rank(test) > 0 || term_elem(test) != ELEM_BOOL)
        (void)stage_refuse(s, stmt->assert.test->at, "the condition of `assert` must be a single "
                           "value\nfor an array, write `np.all(c)`");
    else if (test->kind != EXPR_CONSTANT)
        stage_check_true(s, test);
    else if (!test->constant.value->truth && s->guard == NULL)
        (void)stage_refuse(s, stmt->at, "this `assert` fails whatever the arguments are");
    else if (!test->constant.value->truth)
        stage_check_true(s, test);
}

static void run_one(Stage *s, Scope *scope, const Stmt *stmt, Run *r)
{
    if (is_append(s, scope, stmt)) {
        run_append(s, scope, stmt->expr.value->call.func->attribute.value,
                   stmt->expr.value->call.args.at[0], stmt->at);
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
    } else if (stmt->kind == STMT_WHILE && stage_while(s, scope, stmt, r)) {
        return;
    } else if (stmt->kind == STMT_ASSERT) {
        run_assert(s, scope, stmt);
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

static const char *function_words(Stage *s, const Value *f)
{
    return f->name == NULL ? "the lambda" : names_format(s->names, "`%s`", f->name);
}

// The parameters that a position may give.
static ArgList positional(Stage *s, const Value *f)
{
    ArgList front = f->args->posonlyargs, rest = f->args->args;
    Vec(const Arg *) all = {0};
    for (size_t i = 0; front.len > 0 && i < front.len + rest.len; i++)
        vec_push(s->arena, &all, i < front.len ? front.at[i] : rest.at[i - front.len]);
    return front.len == 0 ? rest : (ArgList){all.at, all.len};
}

void stage_defaults(Stage *s, Scope *scope, Value *function)
{
    const ExprList all[] = {function->args->defaults, function->args->kw_defaults};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < all[k].len && !s->failed; i++) {
            Value *v = all[k].at[i] == NULL ? NULL : stage_eval(s, scope, all[k].at[i]);
            if (v != NULL)
                stage_note_binding(v);
            vec_push(s->arena, &function->items, v);
        }
}

// The i-th of all defaults. All calls have the same dict or list, which is not known here to be
// unchanged.
static Value *default_value(Stage *s, const Value *f, const Expr *e, size_t i)
{
    if (f->items.len > 0)
        return f->items.at[i];
    Value *v = stage_eval(s, f->scope, e);
    if (v->kind == VALUE_RECORD && f->body.len > 0 && !f->fresh)
        stage_note_escape(v);
    v->bindings += v->kind == VALUE_LIST && !v->tuple && !f->fresh ? 2 : 0;
    return v;
}

static void bind_defaults(Stage *s, Scope *inside, const Value *f, Span at)
{
    const Arguments *args = f->args;
    ArgList front = positional(s, f);
    size_t plain = front.len - args->defaults.len;
    for (size_t i = 0; i < front.len + args->kwonlyargs.len && !s->failed; i++) {
        bool only = i >= front.len;
        Sym name = only ? args->kwonlyargs.at[i - front.len]->arg : front.at[i]->arg;
        const Expr *e = only ? args->kw_defaults.at[i - front.len]
                        : i < plain ? NULL : args->defaults.at[i - plain];
        if (table_get(inside->names, name) != NULL)
            continue;
        if (e == NULL)
            (void)stage_refuse(s, at, "the argument `%s` of %s is missing", name,
                               function_words(s, f));
        else
            table_set(inside->names, name, default_value(s, f, e, i - plain));
    }
}

static void refuse_keyword(Stage *s, const Value *f, Sym name, Span at)
{
    if (s->library_depth > 0)
        (void)stage_refuse(s, at, "an array function does not support the argument `%s` of %s",
                           name, function_words(s, f));
    else
        (void)stage_refuse(s, at, "%s has no parameter `%s`", function_words(s, f), name);
}

// `rest`: what `**` takes; NULL: nothing.
static void bind_keyword(Stage *s, Scope *inside, const Value *f, Value *rest, Sym name, Value *v,
                         Span at)
{
    const ArgList lists[] = {f->args->args, f->args->kwonlyargs};
    bool found = false;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k].len; i++)
            found = found || lists[k].at[i]->arg == name;
    if (found && table_get(inside->names, name) != NULL)
        (void)stage_refuse(s, at, "%s has two values for the parameter `%s`", function_words(s, f),
                           name);
    else if (!found && rest == NULL)
        refuse_keyword(s, f, name, at);
    else if (!found)
        record_set(s, rest, stage_text(s, name), v, at);
    if (!found || s->failed)
        return;
    stage_note_binding(v);
    table_set(inside->names, name, v);
}

static void bind_keywords(Stage *s, Scope *inside, const Value *f, KeywordList keywords,
                          Scope *scope)
{
    Value *rest = f->args->kwarg == NULL ? NULL : value_of(s, VALUE_RECORD);
    for (size_t i = 0; i < keywords.len && !s->failed; i++) {
        const Keyword *k = keywords.at[i];
        Value *v = stage_eval(s, scope, k->value);
        if (k->arg != NULL)
            bind_keyword(s, inside, f, rest, k->arg, v, k->at);
        else if (v->kind != VALUE_RECORD || v->cls != NULL)
            (void)stage_refuse(s, k->at, "an array function supports `**` only before a dict");
        for (size_t n = 0; k->arg == NULL && n < v->keys.len && !s->failed; n++) {
            Text key = v->keys.at[n]->text;
            bind_keyword(s, inside, f, rest, names_intern(s->names, key.at, key.len),
                         v->items.at[n], k->at);
        }
    }
    if (rest != NULL)
        table_set(inside->names, f->args->kwarg->arg, rest);
}

static void bind_positions(Stage *s, Scope *inside, const Value *f, ValueVec args, Span at)
{
    ArgList front = positional(s, f);
    Value *rest = f->args->vararg == NULL ? NULL : value_list(s, (ValueVec){0}, true);
    if (args.len > front.len && rest == NULL)
        (void)stage_refuse(s, at, "%s takes %s%zu positional argument%s, but %zu %s given",
                           function_words(s, f), f->args->defaults.len > 0 ? "at most " : "",
                           front.len, diag_s(front.len), args.len, diag_was(args.len));
    for (size_t i = 0; i < args.len && !s->failed; i++) {
        stage_note_binding(args.at[i]);
        if (i < front.len)
            table_set(inside->names, front.at[i]->arg, args.at[i]);
        else
            vec_push(s->arena, &rest->items, args.at[i]);
    }
    if (rest != NULL)
        table_set(inside->names, f->args->vararg->arg, rest);
}

// In a method: what `super()` is.
static void bind_super(Stage *s, Scope *inside, const Value *f, ValueVec args)
{
    if (f->cls == NULL || args.len == 0)
        return;
    Value *v = value_of(s, VALUE_SUPER);
    v->self = args.at[0];
    v->cls = f->cls->cls;
    table_set(inside->names, names_get(s->names, "super()"), v);
}

static ValueVec with_self(Stage *s, const Value *self, ValueVec args)
{
    ValueVec all = {0};
    vec_push(s->arena, &all, (Value *)self);
    for (size_t i = 0; i < args.len; i++)
        vec_push(s->arena, &all, args.at[i]);
    return all;
}

Value *stage_call_function(Stage *s, const Value *f, ValueVec args, KeywordList keywords,
                           Scope *scope, Span at, bool statement)
{
    Scope *inside = scope_inside(s, f->scope);
    inside->function = true;
    if (f->self != NULL)
        args = with_self(s, f->self, args);
    if (s->depth >= MAX_CALLS)
        (void)stage_refuse(s, at, "calls are nested more than %d deep: the depth of recursion in "
                                  "an array function must not depend on data", MAX_CALLS);
    if (!s->failed)
        bind_positions(s, inside, f, args, at);
    if (!s->failed)
        bind_keywords(s, inside, f, keywords, scope);
    bind_defaults(s, inside, f, at);
    bind_super(s, inside, f, args);
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
    if (r.returned == NULL && (statement || f->name == names_get(s->names, "__init__")))
        r.returned = value_of(s, VALUE_NONE);
    if (r.returned == NULL && !s->failed)
        (void)stage_refuse(s, at, "%s does not return a value", function_words(s, f));
    return r.returned != NULL ? r.returned : value_term(s, term_float(s->t, 0.0));
}
