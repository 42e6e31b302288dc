// seed.c - the rules of the paper's appendix (seed.def): the functions `trans` of its section 2.2,
// with what it prints that is not Python, or cannot work, repaired:
//
//   1 one key, `tensorflow`            2 no `global` for an attribute of a module
//   3 the gradients are a list         4 `variables` may be a list or a method
//   5 `Adam()` has the rate 0.001      6 a schedule, or a starred argument, is not scaled
//   7 LET .. THEN is IF                8 the tape's key goes after wrapping
//   9 one rule for conditional expressions
//
// The environment maps each kind of thing to the one identifier that holds it. It goes from a
// statement to the next one of its list.

#include "compiler/distribute/seed.h"

#include <string.h>

typedef struct Env { Sym tensorflow, dataset, optimizer, checkpoint, tape; } Env;

typedef struct Seed { Tool *t; } Seed;

static void go_stmts(Seed *m, StmtList list, Env *env);
static void go_body(Seed *m, StmtList list, const Env *env);
static void go_expr(Seed *m, const Expr *e, const Env *env);

static const char *const DATASET[] = {"data", "Dataset", NULL};
static const char *const CHECKPOINT[] = {"train", "Checkpoint", NULL};
static const char *const ADAM[] = {"optimizers", "Adam", NULL};
static const char *const APPLY[] = {"apply_gradients", NULL};
static const char *const SAVE[] = {"save", NULL};
static const char *const TAKE[] = {"take", NULL};
static const char *const TAPE[] = {"GradientTape", NULL};

// ---- imports ----

// `alias-plain`, `alias-as`, `alias-dotted`.
static void fold_aliases(Seed *m, AliasList list, Env *env)
{
    for (size_t i = 0; i < list.len; i++) {
        const Alias *a = list.at[i];
        bool dotted = strchr(a->name, '.') != NULL, found = sym_is(a->name, "tensorflow");
        if (found)
            env->tensorflow = a->asname != NULL ? a->asname : a->name;
        if (found || dotted)
            tool_fire(m->t, dotted ? "alias-dotted" : a->asname ? "alias-as" : "alias-plain",
                      a->at);
    }
}

static bool act_import(Seed *m, const Stmt *s, Env *env)
{
    Sym before = env->tensorflow;
    fold_aliases(m, s->import.names, env);
    if (env->tensorflow == before)
        return false;
    const char *hvd = m->t->hvd = m->t->hvd != NULL ? m->t->hvd : tool_fresh(m->t, "hvd");
    const char *gpus = tool_fresh(m->t, "gpus"), *gpu = tool_fresh(m->t, "gpu");
    const char *gpu_config = tool_format(m->t, "%s.config.experimental", env->tensorflow);
    rewrite_after(m->t->rewrite, s, tool_format(m->t,
        "import horovod.tensorflow%s%s\n"
        "%s.broadcast_done = False\n"
        "%s.init()\n"
        "%s = %s.list_physical_devices('GPU')\n"
        "for %s in %s: %s.set_memory_growth(%s, True)\n"
        "if %s: %s.set_visible_devices(%s[%s.local_rank()], 'GPU')",
        " as ", hvd, hvd, hvd, gpus, gpu_config, gpu, gpus, gpu_config, gpu, gpus, gpu_config,
        gpus, hvd));
    return true;
}

// ---- creations ----

// `t.data.Dataset.C`, with calls and attributes after it.
static bool starts_at_dataset(Seed *m, const Expr *func, const Env *env)
{
    size_t n;
    const Expr **spine = expr_spine(m->t->arena, func, &n);
    for (size_t i = 0; i + 3 < n; i++)
        if (spine[i]->kind != EXPR_ATTRIBUTE && spine[i]->kind != EXPR_CALL)
            return false;
    return n >= 4 && spine[n - 4]->kind == EXPR_ATTRIBUTE &&
           expr_is_chain(spine[n - 3], env->tensorflow, DATASET);
}

static bool act_dataset(Seed *m, const Stmt *s, Env *env)
{
    Sym x;
    const Expr *call = stmt_strict_call(s, &x);
    if (call == NULL || !starts_at_dataset(m, call->call.func, env))
        return false;
    env->dataset = x;
    return true;
}

static const Expr *created(const Stmt *s, Sym *x, const Env *env, const char *const *attrs)
{
    const Expr *call = stmt_strict_call(s, x);
    return call != NULL && expr_is_chain(call->call.func, env->tensorflow, attrs) ? call : NULL;
}

static bool act_checkpoint(Seed *m, const Stmt *s, Env *env)
{
    Sym x;
    (void)m;
    if (created(s, &x, env, CHECKPOINT) == NULL)
        return false;
    env->checkpoint = x;
    return true;
}

// A rate whose type is not a number for certain (repair 6): what is written as a call or a name of
// a schedule.
static bool is_schedule(const Expr *rate)
{
    const Expr *f = rate->kind == EXPR_CALL ? rate->call.func : rate;
    Sym name = f->kind == EXPR_ATTRIBUTE ? f->attribute.attr : f->kind == EXPR_NAME ? f->name.id
                                                                                     : NULL;
    size_t len = name == NULL ? 0 : strlen(name);
    return len > 0 && (strstr(name, "chedule") != NULL ||
                       (len > 5 && strcmp(name + len - 5, "Decay") == 0));
}

static void scale(Seed *m, const Expr *rate)
{
    if (rate->kind == EXPR_STARRED || is_schedule(rate))
        diag_report(m->t->cx->diags, rate->at, DIAG_RATE_KEPT,
                    "the learning rate is not scaled, because it is not a number literal");
    else
        tool_factor(m->t, rate, tool_format(m->t, " * %s.size()", m->t->hvd));
}

static bool act_optimizer_kw(Seed *m, const Stmt *s, Env *env)
{
    Sym x;
    const Expr *call = created(s, &x, env, ADAM);
    const Expr *rate = call == NULL ? NULL : call_keyword(call, "learning_rate");
    if (rate == NULL)
        return false;
    scale(m, rate);
    env->optimizer = x;
    return true;
}

static bool act_optimizer_pos(Seed *m, const Stmt *s, Env *env)
{
    Sym x;
    const Expr *call = created(s, &x, env, ADAM);
    if (call == NULL)
        return false;
    if (call->call.args.len > 0)
        scale(m, call->call.args.at[0]);
    else
        rewrite_argument(m->t->rewrite, call,
                         tool_format(m->t, "learning_rate=0.001 * %s.size()", m->t->hvd));
    env->optimizer = x;
    return true;
}

// ---- uses ----

// The call of a statement `f(...)` or `x = f(...)`.
static const Expr *used(const Stmt *s, Sym object, const char *const *attrs)
{
    Sym x;
    const Expr *call = s->kind == STMT_EXPR ? s->expr.value : stmt_strict_call(s, &x);
    bool is_call = call != NULL && call->kind == EXPR_CALL;
    return is_call && object != NULL && expr_is_chain(call->call.func, object, attrs) ? call : NULL;
}

static void bind_and_broadcast(Seed *m, const Stmt *s, const Expr *pairs, const Env *env)
{
    const char *z = tool_fresh(m->t, "grads_and_vars"), *hvd = m->t->hvd, *o = env->optimizer;
    rewrite_before(m->t->rewrite, s, tool_format(m->t, "%s = list(%s)", z,
                                                 tool_text(m->t, pairs)));
    rewrite_replace(m->t->rewrite, pairs->at, z);
    rewrite_after(m->t->rewrite, s, tool_format(m->t,
        "if not %s.broadcast_done:\n"
        "\t%s.broadcast_variables([x[1] for x in %s], root_rank=0)\n"
        "\t%s.broadcast_variables(\n"
        "\t\t%s.variables() if callable(%s.variables) else %s.variables, root_rank=0)\n"
        "\t%s.broadcast_done = True", hvd, hvd, z, hvd, o, o, o, hvd));
}

static bool act_apply_kw(Seed *m, const Stmt *s, Env *env)
{
    const Expr *call = used(s, env->optimizer, APPLY);
    const Expr *pairs = call == NULL ? NULL : call_keyword(call, "grads_and_vars");
    if (pairs == NULL)
        return false;
    bind_and_broadcast(m, s, pairs, env);
    return true;
}

static bool act_apply_pos(Seed *m, const Stmt *s, Env *env)
{
    const Expr *call = used(s, env->optimizer, APPLY);
    const Expr *pairs = call == NULL ? NULL : call_positional(call, 0);
    if (pairs == NULL)
        return false;
    bind_and_broadcast(m, s, pairs, env);
    return true;
}

static void guard(Seed *m, const Stmt *s)
{
    rewrite_guard(m->t->rewrite, s, tool_format(m->t, "if %s.rank() == 0:", m->t->hvd), NULL);
}

static bool act_save(Seed *m, const Stmt *s, Env *env)
{
    if (used(s, env->checkpoint, SAVE) == NULL)
        return false;
    guard(m, s);
    return true;
}

// Without TensorFlow there is no `hvd` either.
static bool act_print(Seed *m, const Stmt *s, Env *env)
{
    const Expr *call = s->expr.value;
    if (call->kind != EXPR_CALL || call->call.func->kind != EXPR_NAME ||
        !sym_is(call->call.func->name.id, "print") || env->tensorflow == NULL)
        return false;
    guard(m, s);
    return true;
}

static bool take_is_dataset(const Expr *e, const Env *env)
{
    return env->dataset != NULL && expr_is_chain(e->call.func, env->dataset, TAKE);
}

static bool act_take_kw(Seed *m, const Expr *e, const Env *env)
{
    const Expr *count = take_is_dataset(e, env) ? call_keyword(e, "count") : NULL;
    if (count == NULL)
        return false;
    tool_factor(m->t, count, tool_format(m->t, " // %s.size()", m->t->hvd));
    return true;
}

static bool act_take_pos(Seed *m, const Expr *e, const Env *env)
{
    const Expr *count = take_is_dataset(e, env) ? call_positional(e, 0) : NULL;
    if (count == NULL)
        return false;
    tool_factor(m->t, count, tool_format(m->t, " // %s.size()", m->t->hvd));
    return true;
}

// ---- with ----

static bool is_tape(const Withitem *w, const Env *env)
{
    const Expr *e = w->context_expr;
    return e->kind == EXPR_CALL && e->call.args.len == 0 && e->call.keywords.len == 0 &&
           expr_is_chain(e->call.func, env->tensorflow, TAPE) && w->optional_vars != NULL &&
           w->optional_vars->kind == EXPR_NAME;
}

static bool has_tape(WithitemList items, const Env *env)
{
    for (size_t i = 0; i < items.len; i++)
        if (is_tape(items.at[i], env))
            return true;
    return false;
}

// `withitem`, `withitem-as`.
static void go_items(Seed *m, WithitemList items, Env *env)
{
    for (size_t i = 0; i < items.len; i++) {
        if (is_tape(items.at[i], env))
            env->tape = items.at[i]->optional_vars->name.id;
        else
            go_expr(m, items.at[i]->context_expr, env);
    }
}

static bool act_tape(Seed *m, const Stmt *s, Env *env)
{
    bool async = s->kind == STMT_ASYNC_WITH;
    WithitemList items = async ? s->async_with.items : s->with.items;
    if (!has_tape(items, env))
        return false;
    Env inner = *env;
    go_items(m, items, &inner);
    Sym x = inner.tape;
    go_stmts(m, async ? s->async_with.body : s->with.body, &inner);
    *env = inner;
    env->tape = NULL;
    rewrite_after(m->t->rewrite, s, tool_format(m->t, "%s = %s.DistributedGradientTape(%s)", x,
                                                m->t->hvd, x));
    return true;
}

// ---- congruence ----

static void go_exprs(Seed *m, ExprList list, const Env *env)
{
    for (size_t i = 0; i < list.len; i++)
        go_expr(m, list.at[i], env);
}

// `comprehension`, `async-comprehension`.
static void go_generators(Seed *m, ComprehensionList list, const Env *env)
{
    for (size_t i = 0; i < list.len; i++) {
        go_expr(m, list.at[i]->iter, env);
        go_exprs(m, list.at[i]->ifs, env);
    }
}

static void go_values(Seed *m, ExprList keys, ExprList values, const Env *env)
{
    for (size_t i = 0; i < values.len; i++)
        if (keys.at[i] != NULL)
            go_expr(m, values.at[i], env);
}

static void go_keywords(Seed *m, KeywordList list, const Env *env)
{
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i]->arg != NULL)
            go_expr(m, list.at[i]->value, env);
}

static void go_pattern(Seed *m, const Pattern *p, const Env *env);

static void go_patterns(Seed *m, PatternList list, const Env *env)
{
    for (size_t i = 0; i < list.len; i++)
        go_pattern(m, list.at[i], env);
}

#define E(field)            go_expr(m, n->field, env);
#define ES(field)           go_exprs(m, n->field, env);
#define SPINE(field)
#define GENERATORS(field)   go_generators(m, n->field, env);
#define VALUES(keys, field) go_values(m, n->keys, n->field, env);
#define KEYWORDS(field)     go_keywords(m, n->field, env);
#define P(field)            if (n->field != NULL) go_pattern(m, n->field, env);
#define PS(field)           go_patterns(m, n->field, env);
#define B(field)            go_body(m, n->field, env);
#define GO_ON(field)        go_stmts(m, n->field, env);
#define ITEMS(field)        go_items(m, n->field, env);
#define CASES(field)        go_cases(m, n->field, env);
#define HANDLERS(field)     for (size_t i = 0; i < n->field.len; i++) \
                                go_body(m, n->field.at[i]->except_handler.body, env);

// The forms of the IR that are not Python's do not come from a parser: the table has Python's.
static void go_pattern(Seed *m, const Pattern *n, const Env *env)
{
#define PATTERN(id, form, parts) if (n->kind == PATTERN_##form) { parts return; }
#include "compiler/distribute/seed.def"
}

// The first acting rule that fits.
static bool act_on_expr(Seed *m, const Expr *e, const Env *env)
{
#define ACT_EXPR(id, form, function)                                    \
    if (e->kind == EXPR_##form && function(m, e, env)) {                \
        tool_fire(m->t, id, e->at);                                     \
        return true;                                                    \
    }
#include "compiler/distribute/seed.def"
    return false;
}

static void enter_expr(Seed *m, const Expr *n, const Env *env)
{
#define EXPR(id, form, parts) if (n->kind == EXPR_##form) { parts return; }
#include "compiler/distribute/seed.def"
}

static void go_expr(Seed *m, const Expr *e, const Env *env)
{
    size_t n;
    if (e == NULL)
        return;
    const Expr **spine = expr_spine(m->t->arena, e, &n);
    for (size_t i = 0; i < n && !act_on_expr(m, spine[i], env); i++)
        enter_expr(m, spine[i], env);
}

// `case`.
static void go_cases(Seed *m, MatchCaseList cases, const Env *env)
{
    for (size_t i = 0; i < cases.len; i++) {
        go_pattern(m, cases.at[i]->pattern, env);
        go_expr(m, cases.at[i]->guard, env);
        go_body(m, cases.at[i]->body, env);
    }
}

static bool act_on_stmt(Seed *m, const Stmt *s, Env *env)
{
#define ACT_STMT(id, form, function)                                    \
    if (s->kind == STMT_##form && function(m, s, env)) {                \
        tool_fire(m->t, id, s->at);                                     \
        return true;                                                    \
    }
#include "compiler/distribute/seed.def"
    return false;
}

static void enter_stmt(Seed *m, const Stmt *n, Env *env)
{
#define STMT(id, form, parts) if (n->kind == STMT_##form) { parts return; }
#include "compiler/distribute/seed.def"
}

// A chain of `elif` is followed in a loop.
static void go_stmt(Seed *m, const Stmt *s, Env *env)
{
    size_t n;
    const Stmt **spine = stmt_spine(m->t->arena, s, &n);
    for (size_t i = 0; i < n; i++)
        if (!act_on_stmt(m, spine[i], env))
            enter_stmt(m, spine[i], env);
    const Stmt *last = spine[n - 1];
    if (last->kind == STMT_IF)
        go_body(m, last->if_.orelse, env);
}

static void go_stmts(Seed *m, StmtList list, Env *env)
{
    for (size_t i = 0; i < list.len; i++)
        go_stmt(m, list.at[i], env);
}

// What a body adds to the environment is dropped.
static void go_body(Seed *m, StmtList list, const Env *env)
{
    Env inner = *env;
    go_stmts(m, list, &inner);
}

void seed_transform(Tool *t)
{
    Seed m = {t};
    Env env = {0};
    go_stmts(&m, t->cx->unit->module.body, &env);
}
