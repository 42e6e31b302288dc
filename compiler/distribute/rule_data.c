// rule_data.c - D1-D5: each process has a share of the training data, and all take equally many
// steps.
//
// A pipeline is followed from the loop (or `fit`) back to its source, through variables, methods
// and functions of the file. The shard goes behind the source, where all that follows is training;
// what is split off before (`take`, `skip` of a dataset that others use too) is split first.

#include <string.h>

#include "compiler/distribute/ddp.h"
#include "compiler/distribute/origins.h"
#include "compiler/distribute/pipeline.h"

static const char *const UNEVEN[] = {
    "filter", "flat_map", "interleave", "take_while", "skip_while", "unbatch", "window",
    "group_by_window", "bucket_by_sequence_length", "rejection_resample", NULL,
};
static const char *const SHUFFLING[] = {"shuffle", NULL};

Sym pipeline_method(const Expr *call)
{
    return call->call.func->kind == EXPR_ATTRIBUTE ? call->call.func->attribute.attr : NULL;
}

// ---- following a pipeline ----

static const Expr *see_step(void *cx, const Expr *e, const Binding *by)
{
    Pipeline *l = cx;
    Scan *s = l->p->s;
    if (e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE) {
        vec_push(s->arena, &l->names, e);
        table_set(l->p->trained, e, l);
    }
    if (by != NULL && by->how != BIND_VALUE)
        return NULL;
    if (e->kind != EXPR_CALL)
        return e;
    const Expr *f = e->call.func;
    if (f->kind == EXPR_ATTRIBUTE && value_is(scan_value(s, f->attribute.value), KIND_DATASET)) {
        vec_push(s->arena, &l->steps, e);
        return f->attribute.value;
    }
    if (value_is(scan_value(s, e), KIND_DATASET))
        vec_push(s->arena, &l->sources, e);
    return NULL;
}

// ---- how many elements ----

enum { MAX_FUNCTIONS = 8 };     // that give each other's datasets

static bool is_endless_generator(Plan *p, const Expr *source)
{
    const Expr *g = call_positional(source, 0);
    Value v = g == NULL ? (Value){0} : scan_value(p->s, g);
    StmtList body = v.func == NULL ? (StmtList){NULL, 0} : v.func->def->function_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_WHILE && body.at[i]->while_.test->kind == EXPR_CONSTANT)
            return true;
    return false;
}

// Of the datasets that a function of the file returns.
static Length length_of_results(const Pipeline *l, const Func *f)
{
    Length length = LENGTH_EQUAL;
    for (size_t i = 0; i < f->returns.len; i++) {
        const Expr *last;
        Pipeline *inner = pipeline_of(l->p, f->returns.at[i]);
        inner->depth = l->depth + 1;
        Length own = inner->depth > MAX_FUNCTIONS ? LENGTH_UNKNOWN : pipeline_length(inner, &last);
        length = own > length ? own : length;
    }
    return length;
}

static Length length_of_source(const Pipeline *l, const Expr *source)
{
    Plan *p = l->p;
    const Func *made_by = scan_callee(p->s, source);
    if (made_by != NULL)
        return length_of_results(l, made_by);
    Sym path = scan_value(p->s, source->call.func).path;
    if (path_is(path, "tf.data.Dataset.from_generator"))
        return is_endless_generator(p, source) ? LENGTH_ENDLESS : LENGTH_UNKNOWN;
    if (path_is(path, "tf.data.Dataset.random"))
        return LENGTH_ENDLESS;
    return path_is(path, "tf.data.TFRecordDataset") || path_is(path, "tf.data.TextLineDataset") ||
           path_is(path, "tf.data.FixedLengthRecordDataset") ? LENGTH_UNKNOWN : LENGTH_EQUAL;
}

static bool step_is(const Expr *step, const char *const *names)
{
    return sym_is_one_of(pipeline_method(step), names);
}

// Steps are from the end to the source; `last` gets the last one that makes the number unknown.
Length pipeline_length(const Pipeline *l, const Expr **last)
{
    Length length = LENGTH_EQUAL;
    *last = NULL;
    for (size_t i = 0; i < l->sources.len; i++) {
        Length own = length_of_source(l, l->sources.at[i]);
        length = own > length ? own : length;
    }
    for (size_t i = l->steps.len; i-- > 0;) {
        const Expr *step = l->steps.at[i];
        bool all = sym_is(pipeline_method(step), "repeat") &&
                   call_argument(step, 0, "count") == NULL;
        if (all)
            length = LENGTH_ENDLESS;
        else if (length == LENGTH_ENDLESS && sym_is(pipeline_method(step), "take"))
            length = LENGTH_EQUAL;
        else if (length != LENGTH_ENDLESS && step_is(step, UNEVEN)) {
            length = LENGTH_UNKNOWN;
            *last = step;
        }
    }
    return length;
}

// ---- D1 ----

// A mention in any pipeline that is trained on.
static bool is_mention(const Pipeline *l, const Expr *e)
{
    return table_get(l->p->trained, e) != NULL;
}

typedef Vec(const Expr *) Loads;

// Where each slot is read, other than for its length or the types of its elements.
static bool note_load(void *cx, const Expr *e)
{
    Plan *p = cx;
    if (call_is_name(e, "len"))
        return false;
    if (e->kind == EXPR_ATTRIBUTE && (sym_is(e->attribute.attr, "cardinality") ||
                                      sym_is(e->attribute.attr, "element_spec")))
        return false;
    const Slot *slot = expr_is_load(e) ? scan_slot(p->s, e) : NULL;
    if (slot == NULL)
        return true;
    Loads *loads = table_get(p->loads, slot);
    if (loads == NULL) {
        loads = ARENA_NEW(p->t->arena, Loads);
        table_set(p->loads, slot, loads);
    }
    vec_push(p->t->arena, loads, e);
    return true;
}

// Whether something other than this pipeline uses the dataset that a name stands for.
static bool is_shared(Pipeline *l, const Expr *name)
{
    Plan *p = l->p;
    if (p->loads == NULL) {
        const IrWalker w = {.cx = p, .expr = note_load};
        p->loads = table_new(p->t->arena);
        ir_walk_unit(&w, p->t->cx->unit);
    }
    const Slot *slot = scan_slot(p->s, name);
    const Loads *loads = slot == NULL ? NULL : table_get(p->loads, slot);
    for (size_t i = 0; loads != NULL && i < loads->len; i++)
        if (!is_mention(l, loads->at[i]))
            return true;
    return false;
}

static const Expr *receiver(const Expr *call) { return call->call.func->attribute.value; }

// The step of the pipeline whose receiver is an expression.
static const Expr *step_on(const Pipeline *l, const Expr *e)
{
    for (size_t i = 0; i < l->steps.len; i++)
        if (receiver(l->steps.at[i]) == e)
            return l->steps.at[i];
    return NULL;
}

// Behind `take` and `skip` on it: what splits a dataset.
static const Expr *past_split(const Pipeline *l, const Expr *e)
{
    for (const Expr *step = step_on(l, e); step != NULL; step = step_on(l, e)) {
        if (!sym_is(pipeline_method(step), "take") && !sym_is(pipeline_method(step), "skip"))
            break;
        e = step;
    }
    return e;
}

static bool skips(const Pipeline *l)
{
    for (size_t i = 0; i < l->steps.len; i++)
        if (sym_is(pipeline_method(l->steps.at[i]), "skip"))
            return true;
    return false;
}

// Where the shards are made: behind the source, or behind the last variable that is shared.
static const Expr *shard_point(Pipeline *l)
{
    for (size_t i = 0; i < l->names.len; i++)
        if (is_shared(l, l->names.at[i]))
            return past_split(l, l->names.at[i]);
    const Expr *source = l->sources.at[l->sources.len - 1];
    return skips(l) ? past_split(l, source) : source;
}

static bool is_before(const Expr *step, const Expr *point)
{
    return step->at.start <= point->at.start && step->at.end <= point->at.end;
}

static void warn_order(Plan *p, const Pipeline *l, const Expr *point)
{
    for (size_t i = 0; i < l->steps.len; i++) {
        const Expr *step = l->steps.at[i];
        bool dropped = call_keyword(step, "drop_remainder") != NULL;
        if (step_is(step, SHUFFLING) && call_keyword(step, "seed") == NULL &&
            is_before(step, point))
            diag_help(diag_report(p->diags, step->at, DIAG_SHUFFLE_UNSEEDED,
                                  "the data is shuffled before it is divided, but each process "
                                  "shuffles differently"),
                      "pass a number as `seed=`");
        if (sym_is(pipeline_method(step), "batch") && dropped)
            diag_report(p->diags, step->at, DIAG_SHARD_SMALL,
                        "a process whose share is smaller than a batch does not train");
    }
}

static void shard(Plan *p, Pipeline *l)
{
    const Expr *point = shard_point(l);
    if (table_get(p->t->taken, point) != NULL)          // two loops over one dataset
        return;
    table_set(p->t->taken, point, p);
    const char *d = "d", *hvd = p->hvd;
    plan_fire(p, "D1", point->at);
    rewrite_insert(p->t->rewrite, point->at.end, tool_format(p->t,
        ".apply(lambda %s: %s.take(%s.cardinality() // %s.size() * %s.size())"
        ".shard(%s.size(), %s.rank()))", d, d, d, hvd, hvd, hvd, hvd));
    warn_order(p, l, point);
}

// ---- D2 ----

static void agree_on_count(Plan *p, const Pipeline *l, const Expr *last)
{
    const Expr *at = last != NULL ? last : l->sources.at[l->sources.len - 1];
    if (table_get(p->t->taken, &at->call) != NULL)
        return;
    table_set(p->t->taken, &at->call, p);
    plan_fire(p, "D2", at->at);
    plan_core(p);
    rewrite_insert(p->t->rewrite, at->at.end, tool_format(p->t,
        ".apply(lambda d: d.take(int(%s.allreduce(%s.constant(sum(1 for _ in d)), op=%s.Min))))",
        p->hvd, p->tf, p->hvd));
}

// ---- what trains ----

Pipeline *pipeline_of(Plan *p, const Expr *e)
{
    Pipeline *l = ARENA_NEW(p->t->arena, Pipeline);
    *l = (Pipeline){.p = p};
    Origins o = {.s = p->s, .asked = see_step, .cx = l, .seen = table_new(p->t->arena)};
    origins_walk(&o, e);
    return l;
}

bool pipeline_is_data(Plan *p, const Expr *e)
{
    Kind kind = scan_value(p->s, expr_unwrap(e)).kind;
    return kind == KIND_DATASET;
}

// `next(it)` in a statement that trains, or beside it in a loop that does.
bool pipeline_draws(Plan *p, const CallSite *c)
{
    const Stmt *loop = scan_loop(p->s, c->stmt);
    return call_is_name(c->call, "next") && c->call->call.args.len > 0 && loop != NULL &&
           plan_trains(p, loop);
}

// The dataset of an iterator of TensorFlow 1.
static const Expr *iterated(Plan *p, const Expr *call)
{
    static const char *const ITERATORS[] = {"make_one_shot_iterator",
                                            "make_initializable_iterator", NULL};
    const Expr *f = call->call.func;
    if (!p->sessions || f->kind != EXPR_ATTRIBUTE || !sym_is_one_of(f->attribute.attr, ITERATORS))
        return NULL;
    return call->call.args.len > 0 ? call->call.args.at[0] : f->attribute.value;
}

void pipeline_each(Plan *p, UseSeen *seen)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        if (n->kind == STMT_FOR && plan_trains(p, n) && pipeline_is_data(p, n->for_.iter))
            seen(p, pipeline_of(p, n->for_.iter), n->for_.iter);
    }
    for EACH_CALL(c, p->s) {
        const Expr *x = scan_method(p->s, c->call, KIND_MODEL, "fit") != NULL
                        ? call_argument(c->call, 0, "x") : NULL;
        if (x != NULL && pipeline_is_data(p, x))
            seen(p, pipeline_of(p, x), x);
        const Expr *once = iterated(p, c->call);
        if (once != NULL && pipeline_is_data(p, once))
            seen(p, pipeline_of(p, once), once);
        if (!pipeline_draws(p, c))
            continue;
        for EACH_BINDING(b, p->s, scan_slot(p->s, c->call->call.args.at[0]))
            if (pipeline_is_data(p, b->value))
                seen(p, pipeline_of(p, b->value), b->value);
    }
}

static void shard_use(Plan *p, Pipeline *l, const Expr *use)
{
    if (l->sources.len == 0) {
        diag_help(diag_report(p->diags, use->at, DIAG_STEPS_UNEQUAL,
                              "this file does not create this dataset"),
                  "create the dataset in this file");
        return;
    }
    shard(p, l);
}

static void only_follow(Plan *p, Pipeline *l, const Expr *use) { (void)p, (void)l, (void)use; }

void rule_shard(Plan *p)
{
    pipeline_each(p, only_follow);
    pipeline_each(p, shard_use);
}

static void count_use(Plan *p, Pipeline *l, const Expr *use)
{
    const Expr *last;
    (void)use;
    if (l->sources.len > 0 && pipeline_length(l, &last) == LENGTH_UNKNOWN)
        agree_on_count(p, l, last);
}

void rule_count(Plan *p) { pipeline_each(p, count_use); }

// ---- D4 ----

void pipeline_divide_count(Plan *p, const Expr *n)
{
    if (expr_is_none(n) || table_get(p->t->taken, n) != NULL ||
        (p->ddp != NULL && ddp_counts_share(p, n)))
        return;
    table_set(p->t->taken, n, p);
    plan_fire(p, "D4", n->at);
    rewrite_insert(p->t->rewrite, n->at.start, "max(1, ");
    tool_factor(p->t, n, tool_format(p->t, " // %s)", p->size));
}

static void divide_takes(Plan *p, Pipeline *l, const Expr *use)
{
    const Expr *point = l->sources.len > 0 ? shard_point(l) : NULL;
    (void)use;
    bool whole = plan_framework(p) == FRAMEWORK_TF;     // only batches are fewer, then
    for (size_t i = 0; point != NULL && i < l->steps.len; i++) {
        if (whole && sym_is(pipeline_method(l->steps.at[i]), "batch"))
            break;
        const Expr *step = l->steps.at[i], *n = call_argument(step, 0, "count");
        bool split = step->at.start == point->at.start && step->at.end <= point->at.end;
        if (sym_is(pipeline_method(step), "take") && n != NULL && !split)
            pipeline_divide_count(p, n);
    }
}

// `range(n)`, `range(1, n)`: how many rounds.
void pipeline_divide_rounds(Plan *p, const Stmt *loop)
{
    const Expr *iter = loop->for_.iter;
    size_t args = call_is_name(iter, "range") ? iter->call.args.len : 0;
    const Expr *n = args == 0 ? NULL : iter->call.args.at[args > 1 ? 1 : 0];
    if (n == NULL || (p->ddp != NULL && ddp_counts_share(p, n)))
        return;
    const char *from = args == 1 ? "" : tool_text(p->t, iter->call.args.at[0]);
    if (args != 2 || strcmp(from, "0") == 0 || table_get(p->t->taken, n) != NULL) {
        pipeline_divide_count(p, n);
        return;
    }
    table_set(p->t->taken, n, p);
    plan_fire(p, "D4", n->at);
    rewrite_around(p->t->rewrite, n->at, tool_format(p->t, "%s + max(1, (", from),
                   tool_format(p->t, " - %s) // %s)", from, p->size));
}

// Loops over datasets that train, and draws from them.
static size_t uses_of(Plan *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        count += n->kind == STMT_FOR && plan_trains(p, n) && pipeline_is_data(p, n->for_.iter);
    }
    for (size_t i = 0; i < p->s->calls.len; i++)
        count += pipeline_draws(p, &p->s->calls.at[i]);
    return count;
}

// A loop that takes a batch in each round, and trains on it.
static bool is_batch_loop(Plan *p, const Stmt *loop)
{
    if (loop == NULL || p->ddp != NULL)
        return loop != NULL && ddp_loop(p, loop) != NULL;
    bool found = loop->kind == STMT_FOR && pipeline_is_data(p, loop->for_.iter);
    for (size_t i = 0; !found && i < p->s->calls.len; i++)
        found = pipeline_draws(p, &p->s->calls.at[i]) &&
                scan_loop(p->s, p->s->calls.at[i].stmt) == loop;
    return found && plan_trains(p, loop);
}

// A statement in such a loop, or in a function that such loops call.
static bool is_once_a_batch(Plan *p, const Stmt *n)
{
    const Func *f = scan_info(p->s, n)->in;
    bool called = false;
    if (scan_loop(p->s, n) != NULL || f == NULL)
        return is_batch_loop(p, scan_loop(p->s, n));
    for (size_t i = 0; i < p->s->calls.len; i++) {
        if (p->s->calls.at[i].callee != f)
            continue;
        called = true;
        if (!is_batch_loop(p, scan_loop(p->s, p->s->calls.at[i].stmt)))
            return false;
    }
    return called;
}

// `for i, batch in enumerate(data)`.
static bool is_number_of_batch(Plan *p, const Expr *e)
{
    const Slot *slot = e->kind == EXPR_NAME ? scan_slot(p->s, e) : NULL;
    for (size_t i = 0; slot != NULL && i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        const Expr *to = n->kind == STMT_FOR && call_is_name(n->for_.iter, "enumerate") &&
                         n->for_.target->kind == EXPR_TUPLE ? n->for_.target->tuple.elts.at[0]
                                                            : NULL;
        if (to != NULL && scan_slot(p->s, to) == slot && is_batch_loop(p, n))
            return true;
    }
    return false;
}

// A variable that counts the batches one by one.
static bool counts_batches(Plan *p, const Expr *e)
{
    bool counts = is_number_of_batch(p, e);
    for EACH_BINDING(b, p->s, scan_slot(p->s, e)) {
        bool number = b->value->kind == EXPR_CONSTANT &&
                      b->value->constant.value->kind == CONST_INT;
        if (b->how != BIND_MORE)
            continue;
        if (!number || !is_once_a_batch(p, b->stmt))
            return false;
        counts = true;
    }
    return counts && !flow_is_own(p->flow, e);
}

// `step < n`: the limit becomes that of one process. Parts of `and` and `or` are limits, too.
static void divide_limit(Plan *p, const Expr *test)
{
    for (size_t i = 0; test->kind == EXPR_BOOL_OP && i < test->bool_op.values.len; i++)
        divide_limit(p, test->bool_op.values.at[i]);
    const Expr *n = test->kind == EXPR_COMPARE && test->compare.ops.len == 1
                    ? test->compare.comparators.at[0] : NULL;
    if (n != NULL && counts_batches(p, test->compare.left) && !flow_is_own(p->flow, n))
        pipeline_divide_count(p, n);
    else if (n != NULL && counts_batches(p, n) && !flow_is_own(p->flow, test->compare.left))
        pipeline_divide_count(p, test->compare.left);
}

static bool see_end(void *cx, const Stmt *n)
{
    bool *ends = cx;
    *ends |= n->kind == STMT_BREAK || n->kind == STMT_RETURN;
    return n->kind != STMT_FOR && n->kind != STMT_WHILE;
}

void pipeline_divide_limits(Plan *p)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i], *loop = scan_loop(p->s, n);
        bool ends = false;
        const IrWalker w = {.cx = &ends, .stmt = see_end};
        if (n->kind == STMT_WHILE && plan_trains(p, n))
            divide_limit(p, n->while_.test);
        if (n->kind != STMT_IF || loop == NULL || !plan_trains(p, loop))
            continue;
        ir_walk_stmts(&w, n->if_.body);
        if (ends)
            divide_limit(p, n->if_.test);
    }
}

void rule_steps(Plan *p)
{
    pipeline_each(p, divide_takes);
    if (uses_of(p) > 0)
        pipeline_divide_limits(p);
    for EACH_CALL(c, p->s) {
        const Expr *n = scan_method(p->s, c->call, KIND_MODEL, "fit") != NULL
                        ? call_keyword(c->call, "steps_per_epoch") : NULL;
        const Stmt *loop = pipeline_draws(p, c) ? scan_loop(p->s, c->stmt) : NULL;
        if (n != NULL)
            pipeline_divide_count(p, n);
        if (loop != NULL && loop->kind == STMT_FOR)
            pipeline_divide_rounds(p, loop);
    }
}

// ---- D3 ----

static const char *const SEEDS[] = {
    "numpy.random.seed", "numpy.random.default_rng", "numpy.random.RandomState", "random.seed",
    "tf.random.set_seed", "random.Random", "torch.manual_seed", "torch.cuda.manual_seed",
    "torch.cuda.manual_seed_all", NULL,
};
static const char *const RANDOM[] = {
    "numpy.random.*", "random.*", "tf.random.*", "torch.randint", "torch.randperm", "torch.rand",
    "torch.randn", "torch.normal", "torch.randn_like", "torch.rand_like", NULL,
};

static bool is_random(void *cx, const Expr *e)
{
    Plan *p = cx;
    Sym path = e->kind == EXPR_CALL ? scan_value(p->s, e->call.func).path : NULL;
    bool random = false;
    for (size_t i = 0; RANDOM[i] != NULL; i++)
        random |= path_is(path, RANDOM[i]);
    return random;
}

typedef struct Share {
    Plan *p;
    const Slot *slot;           // the number of a round
    bool found;
    const Expr *at;
} Share;

static bool is_of_environment(Plan *p, const Expr *call)
{
    const Expr *f = call->call.func;
    return f->kind == EXPR_ATTRIBUTE &&
           value_is(scan_value(p->s, f->attribute.value), KIND_ENVIRONMENT);
}

bool pipeline_plays(Plan *p)
{
    bool found = false;
    for (size_t i = 0; i < p->s->calls.len; i++)
        found |= is_of_environment(p, p->s->calls.at[i].call);
    return found;
}

// In a loop that trains, or in a function of it.
static bool is_in_training(Plan *p, const CallSite *c)
{
    const Stmt *loop = scan_loop(p->s, c->stmt);
    return (loop != NULL && plan_trains(p, loop)) || (c->in != NULL && c->in->trains);
}

static bool is_for_training(Plan *p, const CallSite *c)
{
    bool found = is_in_training(p, c);
    for (size_t i = 0; c->in != NULL && i < p->s->calls.len; i++)
        found |= p->s->calls.at[i].callee == c->in && is_in_training(p, &p->s->calls.at[i]);
    return found;
}

bool pipeline_is_random(Plan *p)
{
    for EACH_CALL(c, p->s) {
        if ((is_of_environment(p, c->call) || is_random(p, c->call)) && is_for_training(p, c))
            return true;
    }
    return false;
}

static bool see_number(void *cx, const Expr *e)
{
    Share *k = cx;
    k->found |= e->kind == EXPR_NAME && scan_slot(k->p->s, e) == k->slot;
    return true;
}

static bool has_number(Share *k, const Expr *e)
{
    const IrWalker w = {.cx = k, .expr = see_number};
    k->found = false;
    ir_walk_expr(&w, e);
    return k->found;
}

static bool see_slice(void *cx, const Expr *e)
{
    Share *k = cx;
    const Func *callee = e->kind == EXPR_CALL ? scan_callee(k->p->s, e) : NULL;
    if (e->kind == EXPR_SUBSCRIPT && has_number(k, e->subscript.slice) &&
        !origins_any(k->p->s, e->subscript.value, is_random, k->p))
        k->at = e;
    for (size_t i = 0; callee != NULL && i < e->call.args.len; i++)
        if (has_number(k, e->call.args.at[i]) && !callee->trains)
            k->at = e;
    return true;
}

// Fewer rounds, each with another batch: what batch it is must not come from the number.
void pipeline_check_slices(Plan *p, const Stmt *loop)
{
    Share k = {.p = p, .slot = scan_slot(p->s, loop->for_.target)};
    const IrWalker w = {.cx = &k, .expr = see_slice};
    ir_walk_stmts(&w, loop->for_.body);
    if (k.at != NULL)
        diag_help(diag_report(p->diags, k.at->at, DIAG_NOTHING_DIVIDED,
                              "all processes would use the same slices of this data"),
                  p->ddp != NULL ? "iterate over a `DataLoader`, or slice a permutation"
                                 : "draw the batches at random, or iterate over a "
                                   "`tf.data.Dataset`");
}

bool pipeline_spread_seeds(Plan *p)
{
    bool torch = false;
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call, *f = call->call.func;
        Sym path = scan_value(p->s, f).path;
        bool environment = is_of_environment(p, call);
        const Expr *seed = environment ? call_keyword(call, "seed")
                           : path != NULL && sym_is_one_of(path, SEEDS) ? call_positional(call, 0)
                                                                        : NULL;
        if (environment && seed == NULL && sym_is(f->attribute.attr, "seed"))
            seed = call_positional(call, 0);
        if (seed == NULL)
            continue;
        torch |= path_is(path, "torch.manual_seed");
        plan_fire(p, "D3", seed->at);
        rewrite_insert(p->t->rewrite, seed->at.end, tool_format(p->t, " + %s", p->rank));
    }
    return torch;
}

void pipeline_divide_array(Plan *p, const Expr *x)
{
    const char *text = x == NULL ? NULL : tool_text(p->t, x);
    if (x == NULL || (x->kind == EXPR_CONSTANT))
        return;
    if (x->kind != EXPR_NAME && x->kind != EXPR_ATTRIBUTE && x->kind != EXPR_SUBSCRIPT) {
        diag_help(diag_report(p->diags, x->at, DIAG_STEPS_UNEQUAL,
                              "this data is neither a variable nor a `tf.data.Dataset`"),
                  "assign the array to a variable, or create a `tf.data.Dataset`");
        return;
    }
    if (plan_framework(p) == FRAMEWORK_KERAS) {
        rewrite_insert(p->t->rewrite, x->at.end, tool_format(p->t, "[:len(%s) // %s * %s]", text,
                                                             p->size, p->size));
        return;
    }
    plan_fire(p, "D3", x->at);
    rewrite_insert(p->t->rewrite, x->at.end, tool_format(p->t,
        "[%s.rank()::%s.size()][:len(%s) // %s.size()]", p->hvd, p->hvd, text, p->hvd));
}

// Whether what a variable gets is a generator or a dataset of a library: no array to be sliced.
typedef struct Generator { Plan *p; bool found; } Generator;

static const Expr *see_generator(void *cx, const Expr *e, const Binding *by)
{
    static const char *const FLOWS[] = {"flow", "flow_from_directory", "flow_from_dataframe", NULL};
    Generator *k = cx;
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    (void)by;
    bool method = f != NULL && f->kind == EXPR_ATTRIBUTE;
    k->found |= (f != NULL && path_is(scan_value(k->p->s, f).path, "tensorflow_datasets.*")) ||
                (method && sym_is_one_of(f->attribute.attr, FLOWS));
    return method ? f->attribute.value : e;
}

static void divide_fit(Plan *p, const Expr *call)
{
    const Expr *x = call_argument(call, 0, "x");
    Value v = scan_value(p->s, x);
    if (x == NULL || pipeline_is_data(p, x))
        return;
    Generator g = {p, false};
    Origins o = {.s = p->s, .asked = see_generator, .cx = &g, .seen = table_new(p->t->arena)};
    origins_walk(&o, x);
    if (v.kind != KIND_NONE || v.func != NULL || g.found) {
        diag_help(diag_report(p->diags, x->at, DIAG_STEPS_UNEQUAL,
                              "the number of steps on each process is not known for this data"),
                  "pass an array or a `tf.data.Dataset` that this script creates");
        return;
    }
    pipeline_divide_array(p, x);
    pipeline_divide_array(p, call_argument(call, 1, "y"));
    pipeline_divide_array(p, call_keyword(call, "sample_weight"));
}

// What is applied is made of the input itself: variables that start from data.
static bool trains_input(Plan *p, const CallSite *c)
{
    const Expr *pairs = call_argument(c->call, 0, "grads_and_vars");
    const Expr *list = pairs != NULL && pairs->kind == EXPR_LIST ? pairs : NULL;
    for (size_t i = 0; list != NULL && i < list->list.elts.len; i++) {
        const Expr *pair = list->list.elts.at[i];
        if (pair->kind == EXPR_TUPLE && pair->tuple.elts.len == 2 &&
            value_is(scan_value(p->s, pair->tuple.elts.at[1]), KIND_VARIABLE))
            return true;
    }
    return false;
}

// A loop that trains on the elements of something that is not a dataset of this script.
static bool is_unknown_data(Plan *p, const Stmt *n)
{
    const Expr *iter = n->kind == STMT_FOR && plan_trains(p, n) ? expr_unwrap(n->for_.iter) : NULL;
    Sym f = iter != NULL && iter->kind == EXPR_CALL && iter->call.func->kind == EXPR_NAME
            ? iter->call.func->name.id : NULL;
    if (iter == NULL || pipeline_is_data(p, iter) || sym_is(f, "range") ||
        iter->kind == EXPR_LIST || iter->kind == EXPR_TUPLE)
        return false;
    return !plan_has_inner(p, n);
}

static bool refuse_unknown_data(Plan *p)
{
    bool found = false;
    for (size_t i = 0; i < p->s->stmts.len; i++)
        if (is_unknown_data(p, p->s->stmts.at[i])) {
            found = true;
            diag_help(diag_report(p->diags, p->s->stmts.at[i]->for_.iter->at,
                                  DIAG_NOTHING_DIVIDED,
                                  "this data cannot be divided among the processes"),
                      "iterate over a `tf.data.Dataset` that is created in this script");
        }
    return found;
}

void rule_arrays(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++)
        if (scan_method(p->s, p->s->calls.at[i].call, KIND_MODEL, "fit") != NULL)
            divide_fit(p, p->s->calls.at[i].call);
    if ((!p->tapes && !p->sessions) || refuse_unknown_data(p) || uses_of(p) > 0)
        return;
    if (pipeline_is_random(p)) {
        for (size_t i = 0; i < p->s->stmts.len; i++) {
            const Stmt *n = p->s->stmts.at[i];
            if (n->kind == STMT_FOR && call_is_name(n->for_.iter, "range") && plan_trains(p, n) &&
                !plan_has_inner(p, n))
                pipeline_check_slices(p, n);
        }
        pipeline_spread_seeds(p);
        return;
    }
    for EACH_CALL(c, p->s) {
        bool of_fit = p->fits && c->in != NULL && c->in->class_ != NULL &&
                      sym_is(c->in->def->function_def.name, "train_step");
        if (!call_trains(p, c) || c->callee != NULL || of_fit ||
            scan_method(p->s, c->call, KIND_MODEL, "fit") != NULL)
            continue;
        if (trains_input(p, c))
            diag_help(diag_report(p->diags, c->call->at, DIAG_INPUT_TRAINED,
                                  "this loop optimizes its own input, so it has no data to divide "
                                  "among processes"),
                      "run the script in one process; or start it once for each of several inputs");
        else
            diag_help(diag_report(p->diags, c->call->at, DIAG_NOTHING_DIVIDED,
                                  "this training uses no dataset that can be divided among the "
                                  "processes"),
                      "iterate over a `tf.data.Dataset`");
        return;
    }
}

// ---- D5 ----

// Loops that do not train: they have been left alone, and are named in the report.
void rule_evaluation(Plan *p)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        if (n->kind == STMT_FOR && !plan_trains(p, n) && pipeline_is_data(p, n->for_.iter))
            plan_fire(p, "D5", n->for_.iter->at);
    }
}
