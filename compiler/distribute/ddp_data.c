// ddp_data.c - P-sampler, P-epoch: each process has a share of the training data.
//
// A loop over batches that trains is followed back to the calls of DataLoader that feed it, through
// variables, parameters and functions. DistributedSampler gives all processes equally many samples:
// it repeats a few where the number does not divide. Other loaders stay as they are.

#include <string.h>

#include "compiler/distribute/ddp.h"

static bool calls_name(const Expr *e, const char *name)
{
    return e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME &&
           sym_is(e->call.func->name.id, name);
}

static bool is_range(const Expr *e) { return calls_name(e, "range"); }

// Numbers, not data.
static bool is_counted(Plan *p, const Expr *e)
{
    return is_range(e) || (e->kind == EXPR_CALL &&
                           path_is(scan_value(p->s, e->call.func).path, "itertools.count"));
}

// ---- following a loader ----

typedef Vec(const Expr *) ExprVec;
typedef struct Origins { Plan *p; Table *seen; ExprVec made; bool unknown; } Origins;

static void follow(Origins *o, const Expr *e)
{
    Scan *s = o->p->s;
    e = plan_unwrap(e);
    if (e->kind == EXPR_IF_EXP) {
        follow(o, e->if_exp.body);
        follow(o, e->if_exp.orelse);
        return;
    }
    if (e->kind == EXPR_CALL && path_is(scan_value(s, e->call.func).path,
                                        "torch.utils.data.DataLoader")) {
        vec_push(o->p->t->arena, &o->made, e);
        return;
    }
    const Func *callee = e->kind == EXPR_CALL ? scan_callee(s, e) : NULL;
    for (size_t i = 0; callee != NULL && i < callee->returns.len; i++)
        follow(o, callee->returns.at[i]);
    if (callee != NULL && callee->returns.len > 0)
        return;
    Slot *slot = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE ? scan_slot(s, e) : NULL;
    if (slot != NULL && table_get(o->seen, slot) != NULL)
        return;
    bool known = false;
    for (size_t i = 0; slot != NULL && i < s->bindings.len; i++) {
        const Binding *b = &s->bindings.at[i];
        if (b->slot != slot || b->how != BIND_VALUE ||
            (b->value->kind == EXPR_CONSTANT && b->value->constant.value->kind == CONST_NONE))
            continue;
        table_set(o->seen, slot, slot);
        known = true;
        follow(o, b->value);
    }
    o->unknown |= !known;
}

static Origins origins_of(Plan *p, const Expr *e)
{
    Origins o = {.p = p, .seen = table_new(p->t->arena)};
    follow(&o, e);
    return o;
}

bool ddp_is_divided(Plan *p, const Expr *e)
{
    Origins o = origins_of(p, e);
    for (size_t i = 0; i < o.made.len; i++)
        if (table_get(p->ddp->divided, o.made.at[i]) != NULL)
            return true;
    return false;
}

// ---- which loops train ----

static bool has_inner(Plan *p, const Stmt *n)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *inner = p->s->stmts.at[i];
        if (inner != n && (inner->kind == STMT_FOR || inner->kind == STMT_WHILE) &&
            scan_is_within(p->s, inner, n) && plan_trains(p, inner))
            return true;
    }
    return false;
}

// The parts of `zip(a, b)`, or the one iterable.
static ExprList iterated(const Expr **one)
{
    *one = plan_unwrap(*one);
    if (calls_name(*one, "zip"))
        return (*one)->call.args;
    return (ExprList){one, 1};
}

static void note_loop(Plan *p, const Stmt *n, const Expr *iter)
{
    BatchLoop loop = {.loop = n};
    const Expr *one = iter;
    ExprList parts = iterated(&one);
    for (size_t i = 0; i < parts.len; i++)
        if (!is_range(plan_unwrap(parts.at[i])))
            vec_push(p->t->arena, &loop.loaders, plan_unwrap(parts.at[i]));
    vec_push(p->t->arena, &p->ddp->loops, loop);
}

static void note_loops(Plan *p)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        const Expr *iter = n->kind == STMT_FOR && plan_trains(p, n) ? plan_unwrap(n->for_.iter)
                                                                    : NULL;
        if (iter == NULL || is_counted(p, iter) || iter->kind == EXPR_LIST ||
            iter->kind == EXPR_TUPLE)
            continue;
        Origins o = origins_of(p, iter);
        if (o.made.len > 0 || calls_name(iter, "zip") || !has_inner(p, n))
            note_loop(p, n, n->for_.iter);
    }
}

// `next(it)` in a loop that trains, where `it = iter(loader)`.
static void note_draws(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const CallSite *c = &p->s->calls.at[i];
        const Stmt *loop = scan_loop(p->s, c->stmt);
        if (loop == NULL || !plan_trains(p, loop) || !calls_name(c->call, "next") ||
            c->call->call.args.len == 0)
            continue;
        const Slot *it = scan_slot(p->s, c->call->call.args.at[0]);
        BatchLoop drawn = {.loop = loop};
        for (size_t k = 0; it != NULL && k < p->s->bindings.len; k++)
            if (p->s->bindings.at[k].slot == it)
                vec_push(p->t->arena, &drawn.loaders, plan_unwrap(p->s->bindings.at[k].value));
        if (calls_name(c->call->call.args.at[0], "iter") &&
            c->call->call.args.at[0]->call.args.len > 0)
            vec_push(p->t->arena, &drawn.loaders, plan_unwrap(c->call->call.args.at[0]));
        if (drawn.loaders.len > 0 && ddp_loop(p, loop) == NULL)
            vec_push(p->t->arena, &p->ddp->loops, drawn);
    }
}

// ---- P-sampler ----

static void refuse_data(Plan *p, const Expr *at, DiagId id, const char *what, const char *help)
{
    diag_help(diag_report(p->diags, at->at, id, "%s", what), "%s", help);
}

static const CallSite *site_of(const Plan *p, const Expr *call)
{
    for (size_t i = 0; i < p->s->calls.len; i++)
        if (p->s->calls.at[i].call == call)
            return &p->s->calls.at[i];
    return NULL;
}

static bool is_none(const Expr *e)
{
    return e == NULL || (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE);
}

// Whether the dataset of a loader can be divided by number.
static bool is_dividable(Plan *p, const Expr *call, const Expr *data)
{
    static const char *const OWN[] = {"sampler", "batch_sampler"};
    for (size_t i = 0; i < 2; i++)
        if (!is_none(call_argument(call, 3 + i, OWN[i]))) {
            refuse_data(p, call_argument(call, 3 + i, OWN[i]), DIAG_STEPS_UNEQUAL,
                        "this loader has a sampler of its own",
                        "choose the samples by `Subset(dataset, indices)` instead");
            return false;
        }
    if (data == NULL) {
        refuse_data(p, call, DIAG_STEPS_UNEQUAL, "the dataset of this loader cannot be seen here",
                    "give it as the first argument");
        return false;
    }
    if (value_is(scan_value(p->s, data), KIND_ITERABLE)) {
        refuse_data(p, data, DIAG_STEPS_UNEQUAL,
                    "how many steps this iterable dataset makes on each process is not known",
                    "make it a dataset with `__len__` and `__getitem__`");
        return false;
    }
    return true;
}

// A name for the dataset, which is mentioned twice.
static const char *dataset_name(Plan *p, const CallSite *c, const Expr *data)
{
    const char *text = tool_text(p->t, data);
    if (data->kind == EXPR_NAME || data->kind == EXPR_ATTRIBUTE ||
        (data->kind == EXPR_SUBSCRIPT && data->subscript.slice->kind == EXPR_CONSTANT))
        return text;
    const char *name = tool_fresh(p->t, "dataset");
    rewrite_before(p->t->rewrite, c->stmt, tool_format(p->t, strchr(text, '\n') == NULL
                                                       ? "%s = %s" : "%s = (%s)", name, text));
    rewrite_replace(p->t->rewrite, data->at, name);
    return name;
}

static const Keyword *keyword_at(const Expr *call, const char *name)
{
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        if (name == NULL ? k->arg == NULL : sym_is(k->arg, name))
            return k;
    }
    return NULL;
}

static const Expr *loop_number(const Stmt *loop)
{
    const Expr *to = loop != NULL && loop->kind == STMT_FOR && is_range(loop->for_.iter)
                     ? loop->for_.target : NULL;
    return to != NULL && to->kind == EXPR_NAME ? to : NULL;
}

// A loader that is made anew for each epoch: its sampler is told which one.
static const char *name_sampler(Plan *p, const Stmt *loop, const char *made)
{
    const Expr *number = loop_number(scan_loop(p->s, loop));
    if (number == NULL)
        return made;
    const char *name = tool_fresh(p->t, "sampler");
    rewrite_before(p->t->rewrite, loop, tool_format(p->t, "%s = %s\n%s.set_epoch(%s)", name, made,
                                                    name, number->name.id));
    return name;
}

static void divide_loader(Plan *p, const Expr *call)
{
    const CallSite *c = site_of(p, call);
    const Expr *data = call_argument(call, 0, "dataset");
    const Expr *shuffle = call_argument(call, 2, "shuffle");
    const Keyword *named = keyword_at(call, "shuffle"), *rest = keyword_at(call, NULL);
    if (table_get(p->ddp->divided, call) != NULL || c == NULL)
        return;
    table_set(p->ddp->divided, call, p);
    if (!is_dividable(p, call, data))
        return;
    const char *name = dataset_name(p, c, data), *how = "False";
    if (shuffle != NULL)
        how = rewrite_take(p->t->rewrite, shuffle->at);
    else if (rest != NULL)
        how = tool_format(p->t, "%s.get('shuffle', False)", tool_text(p->t, rest->value));
    const char *sampler = tool_format(p->t, "%s(%s, shuffle=%s)", p->ddp->sampler, name, how);
    p->ddp->samples = true;
    plan_fire(p, "P-sampler", call->at);
    if (c->stmt->kind == STMT_FOR && strcmp(how, "False") != 0)
        sampler = name_sampler(p, c->stmt, sampler);
    if (named != NULL)
        rewrite_replace(p->t->rewrite, (Span){named->at.start, named->value->at.end},
                        tool_format(p->t, "sampler=%s", sampler));
    else if (rest != NULL)
        rewrite_around(p->t->rewrite, rest->value->at, "{**", tool_format(p->t,
            ", 'shuffle': False, 'sampler': %s}", sampler));
    else
        rewrite_argument(p->t->rewrite, call, tool_format(p->t, "sampler=%s", sampler));
    if (shuffle != NULL && named == NULL)
        rewrite_replace(p->t->rewrite, shuffle->at, "False");
    if (call_keyword(call, "drop_last") != NULL)
        diag_report(p->diags, call->at, DIAG_SHARD_SMALL,
                    "a share that is smaller than a batch trains nothing");
}

// ---- loops that only some calls of a function train in ----

// What a test of a parameter is for the arguments of a call: 1 true, 0 false, -1 unknown.
static int truth(Plan *p, const Expr *test, const CallSite *c, const Func *f)
{
    if (test->kind == EXPR_UNARY_OP && test->unary_op.op == UNARYOP_NOT) {
        int inner = truth(p, test->unary_op.operand, c, f);
        return inner < 0 ? inner : !inner;
    }
    bool compared = test->kind == EXPR_COMPARE && test->compare.ops.len == 1 &&
                    is_none(test->compare.comparators.at[0]);
    const Expr *name = compared ? test->compare.left : test;
    const Slot *slot = name->kind == EXPR_NAME ? scan_slot(p->s, name) : NULL;
    if (slot == NULL || slot->parameter_of != f)
        return -1;
    const Arguments *a = f->def->function_def.args;
    const Expr *value = NULL;
    for (size_t i = 0; i < a->args.len; i++) {
        size_t skip = f->class_ != NULL ? 1 : 0, k = a->args.len - a->defaults.len;
        if (a->args.at[i]->arg != slot->name)
            continue;
        value = i >= skip ? call_positional(c->call, i - skip) : NULL;
        value = value != NULL ? value : call_keyword(c->call, slot->name);
        value = value == NULL && i >= k ? a->defaults.at[i - k] : value;
    }
    if (value == NULL)
        return -1;
    bool none = is_none(value);
    if (compared)
        return test->compare.ops.at[0] == CMPOP_IS_NOT ? !none : none;
    if (value->kind != EXPR_CONSTANT || (!none && value->constant.value->kind != CONST_BOOL))
        return -1;
    return none ? 0 : value->constant.value->truth;
}

// The test in a loop that the training in it is under, and which arm it is in.
static const Expr *training_test(Plan *p, const Stmt *loop, bool *arm)
{
    for (size_t i = 0; i < p->s->training.len; i++) {
        const CallSite *c = p->s->training.at[i];
        if (!scan_backward(p->s, c->call) || !scan_is_within(p->s, c->stmt, loop))
            continue;
        for (const Stmt *n = c->stmt; n != loop; n = scan_info(p->s, n)->parent) {
            const StmtInfo *info = scan_info(p->s, n);
            if (info->parent->kind == STMT_IF) {
                *arm = info->kind == BODY_BRANCH;
                return info->parent->if_.test;
            }
        }
    }
    return NULL;
}

// The loaders that a loop gets from the calls of its function for which it trains.
static void divide_parameter(Plan *p, const Stmt *loop, const Expr *e, const Slot *slot)
{
    const Func *f = slot->parameter_of;
    bool arm = true;
    const Expr *test = training_test(p, loop, &arm);
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const CallSite *c = &p->s->calls.at[i];
        if (c->callee != f)
            continue;
        int value = test == NULL ? arm : truth(p, test, c, f);
        if (value < 0)
            refuse_data(p, e, DIAG_STEPS_UNEQUAL,
                        "whether this loop trains depends on what cannot be seen here",
                        "train and evaluate in functions of their own");
        for (size_t k = 0; value == arm && k < p->s->bindings.len; k++) {
            const Binding *b = &p->s->bindings.at[k];
            if (b->slot != slot || b->value->at.start < c->call->at.start ||
                b->value->at.end > c->call->at.end)
                continue;
            Origins o = origins_of(p, b->value);
            for (size_t m = 0; m < o.made.len; m++)
                divide_loader(p, o.made.at[m]);
        }
    }
}

// `for step in range(n): x = next(it)`: fewer rounds.
static void divide_drawn(Plan *p, const Stmt *loop)
{
    if (loop->kind != STMT_FOR || !is_range(loop->for_.iter))
        return;
    ExprList args = loop->for_.iter->call.args;
    const Expr *count = args.len > 0 ? args.at[args.len > 1 ? 1 : 0] : NULL;
    if (count == NULL || table_get(p->t->taken, count) != NULL ||
        strstr(tool_text(p->t, count), "len(") != NULL)         // of the share
        return;
    table_set(p->t->taken, count, p);
    plan_fire(p, "P-sampler", count->at);
    rewrite_insert(p->t->rewrite, count->at.start, "max(1, ");
    tool_factor(p->t, count, tool_format(p->t, " // %s)", p->size));
}

static void divide_use(Plan *p, const Stmt *loop, const Expr *e)
{
    Origins o = origins_of(p, e);
    const Slot *slot = e->kind == EXPR_NAME ? scan_slot(p->s, e) : NULL;
    bool arm;
    if (o.unknown || o.made.len == 0) {
        refuse_data(p, e, DIAG_NOTHING_DIVIDED,
                    "how this data could be divided cannot be seen here",
                    "iterate over a `DataLoader` that is made in this script");
        return;
    }
    if (slot != NULL && slot->parameter_of != NULL && o.made.len > 1) {
        divide_parameter(p, loop, e, slot);
        return;
    }
    if (o.made.len > 1 && training_test(p, loop, &arm) != NULL && e->kind == EXPR_SUBSCRIPT) {
        refuse_data(p, e, DIAG_STEPS_UNEQUAL, "this loop trains on one loader and tests on another",
                    "train and evaluate in loops of their own");
        return;
    }
    for (size_t i = 0; i < o.made.len; i++)
        divide_loader(p, o.made.at[i]);
}

// ---- batches that are drawn ----

// What an environment gives depends on its seed.
static bool plays(Plan *p)
{
    bool found = false;
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call, *f = call->call.func;
        const Expr *seed = call_keyword(call, "seed");
        if (f->kind != EXPR_ATTRIBUTE ||
            !value_is(scan_value(p->s, f->attribute.value), KIND_ENVIRONMENT))
            continue;
        found = true;
        seed = seed == NULL && sym_is(f->attribute.attr, "seed") ? call_positional(call, 0) : seed;
        if (seed != NULL)
            rewrite_insert(p->t->rewrite, seed->at.end, tool_format(p->t, " + %s", p->rank));
    }
    return found;
}

static bool draws_randomly(Plan *p)
{
    static const char *const RANDOM[] = {"torch.randint", "torch.randperm", "torch.rand",
        "torch.randn", "torch.normal", "torch.randn_like", "torch.rand_like", "numpy.random.*",
        "random.*", NULL};
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const CallSite *c = &p->s->calls.at[i];
        const Stmt *loop = scan_loop(p->s, c->stmt);
        Sym path = scan_value(p->s, c->call->call.func).path;
        for (size_t k = 0; RANDOM[k] != NULL; k++)
            if (path_is(path, RANDOM[k]) &&
                ((loop != NULL && plan_trains(p, loop)) || (loop == NULL && c->in != NULL)))
                return true;
    }
    return false;
}

static bool add_ranks(Plan *p)
{
    static const char *const SEEDS[] = {"torch.manual_seed", "numpy.random.seed", "random.seed",
        "torch.cuda.manual_seed", "torch.cuda.manual_seed_all", "numpy.random.default_rng", NULL};
    bool found = false;
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        Sym path = scan_value(p->s, call->call.func).path;
        if (path == NULL || !sym_is_one_of(path, SEEDS) || call->call.args.len == 0)
            continue;
        found |= sym_is(path, "torch.manual_seed");
        plan_fire(p, "P-sampler", call->at);
        rewrite_insert(p->t->rewrite, call->call.args.at[0]->at.end,
                       tool_format(p->t, " + %s", p->rank));
    }
    return found;
}

static void divide_rounds(Plan *p)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        if (n->kind == STMT_FOR && plan_trains(p, n) && !has_inner(p, n))
            divide_drawn(p, n);
    }
}

void rule_ddp_sampler(Plan *p)
{
    note_loops(p);
    note_draws(p);
    for (size_t i = 0; i < p->ddp->loops.len; i++) {
        const BatchLoop *loop = &p->ddp->loops.at[i];
        divide_drawn(p, loop->loop);
        for (size_t k = 0; k < loop->loaders.len; k++)
            divide_use(p, loop->loop, loop->loaders.at[k]);
    }
    if (p->ddp->loops.len > 0)
        return;
    p->ddp->plays = plays(p);
    if (p->ddp->plays) {
        p->ddp->random = !add_ranks(p);
    } else if (draws_randomly(p)) {
        p->ddp->random = !add_ranks(p);
        divide_rounds(p);
    } else {
        refuse_data(p, p->s->training.at[0]->call, DIAG_NOTHING_DIVIDED,
                    "this training uses no data that could be divided",
                    "iterate over a `DataLoader`");
    }
}

// ---- P-epoch ----

static bool is_variable(const Expr *e)
{
    return e != NULL && (e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE);
}

// Past `bar = tqdm(loader)`: the name of the loader itself, or NULL.
static const Expr *bare_loader(Plan *p, const Expr *e)
{
    for (size_t i = 0; is_variable(e) && i < p->s->bindings.len; i++) {
        const Binding *b = &p->s->bindings.at[i];
        const Expr *inner = plan_unwrap(b->value);
        if (b->slot == scan_slot(p->s, e) && b->how == BIND_VALUE && inner != b->value)
            return is_variable(inner) ? inner : NULL;
    }
    return is_variable(e) ? e : NULL;
}

// A parameter of a function that gets the number of the epoch from every call.
static Sym epoch_parameter(Plan *p, const Func *f)
{
    const Arguments *a = f->def->function_def.args;
    for (size_t i = 0; i < a->args.len; i++) {
        size_t calls = 0, good = 0;
        for (size_t k = 0; k < p->s->bindings.len; k++) {
            const Binding *b = &p->s->bindings.at[k];
            if (b->stmt != NULL || b->slot->parameter_of != f ||
                b->slot->name != a->args.at[i]->arg)
                continue;
            calls++;
            const Slot *slot = b->value->kind == EXPR_NAME ? scan_slot(p->s, b->value) : NULL;
            for (size_t m = 0; slot != NULL && m < p->s->stmts.len; m++) {
                const Expr *number = loop_number(p->s->stmts.at[m]);
                good += number != NULL && scan_slot(p->s, number) == slot &&
                        b->value->at.start > p->s->stmts.at[m]->at.start &&
                        b->value->at.end <= p->s->stmts.at[m]->at.end;
            }
        }
        if (calls > 0 && good >= calls)
            return a->args.at[i]->arg;
    }
    return NULL;
}

const Expr *ddp_mixed(Plan *p, const BatchLoop *loop)
{
    for (size_t i = 0; i < loop->loaders.len; i++) {
        const Expr *e = bare_loader(p, loop->loaders.at[i]);
        Origins o = origins_of(p, loop->loaders.at[i]);
        size_t divided = 0;
        for (size_t k = 0; k < o.made.len; k++)
            divided += table_get(p->ddp->divided, o.made.at[k]) != NULL;
        if (e != NULL && divided > 0 && divided < o.made.len)
            return e;
    }
    return NULL;
}

static void renew(Plan *p, const Stmt *loop, const Expr *loader, bool mixed)
{
    const Expr *number = loop_number(scan_loop(p->s, loop));
    const Func *f = scan_info(p->s, loop)->in;
    Sym given = number == NULL && f != NULL ? epoch_parameter(p, f) : NULL;
    const char *text = tool_text(p->t, loader);
    const char *epoch = number != NULL ? number->name.id : given != NULL ? given
                        : tool_format(p->t, "%s.sampler.epoch + 1", text);
    const char *line = tool_format(p->t, "%s.sampler.set_epoch(%s)", text, epoch);
    plan_fire(p, "P-epoch", loop->at);
    rewrite_before(p->t->rewrite, loop, !mixed ? line : tool_format(p->t,
        "if isinstance(%s.sampler, %s):\n\t%s", text, p->ddp->sampler, line));
}

void rule_ddp_epoch(Plan *p)
{
    for (size_t i = 0; i < p->ddp->loops.len; i++) {
        const BatchLoop *loop = &p->ddp->loops.at[i];
        for (size_t k = 0; loop->loop->kind == STMT_FOR && k < loop->loaders.len; k++) {
            const Expr *e = bare_loader(p, loop->loaders.at[k]);
            bool once = scan_loop(p->s, loop->loop) == NULL &&
                        scan_info(p->s, loop->loop)->in == NULL;
            if (e != NULL && !once && !is_range(loop->loop->for_.iter) && ddp_is_divided(p, e))
                renew(p, loop->loop, e, ddp_mixed(p, loop) != NULL);
        }
    }
}
