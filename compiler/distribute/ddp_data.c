// ddp_data.c - P-sampler, P-epoch: each process has a share of the training data.
//
// A loop over batches that trains is followed back to the calls of DataLoader that feed it, through
// variables, parameters and functions. DistributedSampler gives all processes equally many samples:
// it repeats a few where the number does not divide. Other loaders stay as they are.

#include <string.h>

#include "compiler/distribute/ddp.h"
#include "compiler/distribute/origins.h"
#include "compiler/distribute/pipeline.h"

// Numbers, not data.
static bool is_counted(Plan *p, const Expr *e)
{
    return call_is_name(e, "range") || (e->kind == EXPR_CALL &&
                           path_is(scan_value(p->s, e->call.func).path, "itertools.count"));
}

// ---- following a loader ----

typedef struct Made { const Expr *call, *key; } Made;   // a call of DataLoader; its key in a dict

typedef struct Loaders {
    Plan *p;
    Origins o;
    Vec(Made) made;
} Loaders;

static const Expr *see_loader(void *cx, const Expr *e, const Binding *by)
{
    Loaders *l = cx;
    (void)by;
    if (e->kind != EXPR_CALL || !path_is(scan_value(l->p->s, e->call.func).path,
                                         "torch.utils.data.DataLoader"))
        return e;
    vec_push(l->p->t->arena, &l->made, ((Made){e, l->o.key}));
    return NULL;
}

static const Loaders *loaders_of(Plan *p, const Expr *e)
{
    Loaders *l = ARENA_NEW(p->t->arena, Loaders);
    *l = (Loaders){.p = p, .o = {.s = p->s, .asked = see_loader, .cx = l,
                                 .seen = table_new(p->t->arena)}};
    origins_walk(&l->o, e);
    return l;
}

// Where one call makes the loaders for all keys: for which it is divided, as tests in the text.
typedef struct Only {
    const char *yes, *no;       // NULL: always
    const Expr *is;             // the key that `yes` compares with
    bool equal;
} Only;

typedef enum Division { DIVISION_NONE, DIVISION_WHOLE, DIVISION_SOME } Division;

// How the loader that an expression stands for is divided, if a call makes it.
static Division division(Plan *p, const Expr *e, const Expr *call)
{
    const Only *only = table_get(p->ddp->divided, call);
    const Expr *key = e->kind == EXPR_SUBSCRIPT ? e->subscript.slice : NULL;
    if (only == NULL)
        return DIVISION_NONE;
    if (only->yes == NULL)
        return DIVISION_WHOLE;
    if (key == NULL || key->kind != EXPR_CONSTANT)
        return DIVISION_SOME;
    return ir_equal_expr(key, only->is) == only->equal ? DIVISION_WHOLE : DIVISION_NONE;
}

bool ddp_is_divided(Plan *p, const Expr *e)
{
    const Expr *loader = expr_unwrap(e);
    const Loaders *l = loaders_of(p, loader);
    for (size_t i = 0; i < l->made.len; i++)
        if (division(p, loader, l->made.at[i].call) != DIVISION_NONE)
            return true;
    return false;
}

static bool is_length(void *cx, const Expr *e)
{
    return call_is_name(e, "len") && e->call.args.len == 1 &&
           ddp_is_divided(cx, e->call.args.at[0]);
}

bool ddp_counts_share(Plan *p, const Expr *n) { return origins_any(p->s, n, is_length, p); }

// ---- which loops train ----

// The parts of `zip(a, b)`, or the one iterable.
static ExprList iterated(const Expr **one)
{
    *one = expr_unwrap(*one);
    if (call_is_name(*one, "zip"))
        return (*one)->call.args;
    return (ExprList){one, 1};
}

static void note_loop(Plan *p, const Stmt *n, const Expr *iter)
{
    BatchLoop loop = {.loop = n};
    const Expr *one = iter;
    ExprList parts = iterated(&one);
    for (size_t i = 0; i < parts.len; i++)
        if (!call_is_name(expr_unwrap(parts.at[i]), "range"))
            vec_push(p->t->arena, &loop.loaders, expr_unwrap(parts.at[i]));
    vec_push(p->t->arena, &p->ddp->loops, loop);
}

static void note_loops(Plan *p)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        const Expr *iter = n->kind == STMT_FOR && plan_trains(p, n) ? expr_unwrap(n->for_.iter)
                                                                    : NULL;
        if (iter == NULL || is_counted(p, iter) || iter->kind == EXPR_LIST ||
            iter->kind == EXPR_TUPLE)
            continue;
        if (loaders_of(p, iter)->made.len > 0 || call_is_name(iter, "zip") || !plan_has_inner(p, n))
            note_loop(p, n, n->for_.iter);
    }
}

// What a function of the file yields of loaders: `for x in loader: yield x`.
static bool note_yielded(Plan *p, const Func *f)
{
    size_t before = p->ddp->loops.len;
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i], *inner = scan_info(p->s, n)->parent;
        if (scan_info(p->s, n)->in == f && n->kind == STMT_EXPR &&
            n->expr.value->kind == EXPR_YIELD && inner->kind == STMT_FOR &&
            ddp_loop(p, inner) == NULL)
            note_loop(p, inner, inner->for_.iter);
    }
    return p->ddp->loops.len > before;
}

static void note_drawn(Plan *p, const Stmt *loop, const Expr *from)
{
    const Func *callee = from->kind == EXPR_CALL ? scan_callee(p->s, from) : NULL;
    bool yielded = callee != NULL && note_yielded(p, callee);
    if (ddp_loop(p, loop) == NULL)
        vec_push(p->t->arena, &p->ddp->loops, ((BatchLoop){.loop = loop}));
    if (!yielded)
        vec_push(p->t->arena, &((BatchLoop *)ddp_loop(p, loop))->loaders, expr_unwrap(from));
}

// `next(it)` in a loop that trains, where `it = iter(loader)`.
static void note_draws(Plan *p)
{
    for EACH_CALL(c, p->s) {
        const Stmt *loop = scan_loop(p->s, c->stmt);
        if (loop == NULL || !plan_trains(p, loop) || !call_is_name(c->call, "next") ||
            c->call->call.args.len == 0)
            continue;
        const Expr *it = c->call->call.args.at[0];
        for EACH_BINDING(b, p->s, scan_slot(p->s, it))
            note_drawn(p, loop, b->value);
        if (call_is_name(it, "iter") && it->call.args.len > 0)
            note_drawn(p, loop, it);
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

// Whether the dataset of a loader can be divided by number.
static bool is_dividable(Plan *p, const Expr *call, const Expr *data)
{
    static const char *const OWN[] = {"sampler", "batch_sampler"};
    for (size_t i = 0; i < 2; i++)
        if (!expr_is_none(call_argument(call, 3 + i, OWN[i]))) {
            refuse_data(p, call_argument(call, 3 + i, OWN[i]), DIAG_STEPS_UNEQUAL,
                        "this loader already has a sampler",
                        "remove the sampler, and select the samples with `Subset(dataset, "
                        "indices)`");
            return false;
        }
    if (data == NULL) {
        refuse_data(p, call, DIAG_STEPS_UNEQUAL, "the dataset of this loader is not known",
                    "pass the dataset as the first argument");
        return false;
    }
    if (value_is(scan_value(p->s, data), KIND_ITERABLE)) {
        refuse_data(p, data, DIAG_STEPS_UNEQUAL,
                    "the number of steps of this iterable dataset on each process is not known",
                    "use a dataset that defines `__len__` and `__getitem__`");
        return false;
    }
    return true;
}

// The function that a comprehension or lambda is, around an expression: no statement before it is
// evaluated with its variables.
static bool is_inline(Plan *p, const Expr *e)
{
    BlockKind kind = scan_block(p->s, e->at.start)->kind;
    return kind == BLOCK_COMPREHENSION || kind == BLOCK_LAMBDA;
}

static bool is_repeatable(const Expr *e)
{
    return e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE ||
           (e->kind == EXPR_SUBSCRIPT && is_repeatable(e->subscript.value) &&
            (e->subscript.slice->kind == EXPR_CONSTANT || e->subscript.slice->kind == EXPR_NAME));
}

// A name for the dataset, which is mentioned twice.
static const char *dataset_name(Plan *p, const CallSite *c, const Expr *data)
{
    const char *text = tool_text(p->t, data);
    if (is_repeatable(data))
        return text;
    const char *name = tool_fresh(p->t, "dataset");
    if (is_inline(p, data)) {
        if (call_keyword(c->call, "dataset") != NULL || scan_info(p->s, c->stmt)->class_ != NULL)
            refuse_data(p, data, DIAG_STEPS_UNEQUAL,
                        "this dataset is created where it cannot be assigned to a variable",
                        "create the dataset in a statement before the loader");
        rewrite_around(p->t->rewrite, data->at, tool_format(p->t, "(%s := ", name), ")");
        return name;
    }
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
    bool counted = loop != NULL && loop->kind == STMT_FOR && call_is_name(loop->for_.iter, "range");
    const Expr *to = counted ? loop->for_.target : NULL;
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

static void divide_loader(Plan *p, const Expr *call, const Only *only)
{
    const CallSite *c = site_of(p, call);
    const Expr *data = call_argument(call, 0, "dataset");
    const Expr *shuffle = call_argument(call, 2, "shuffle");
    const Keyword *named = keyword_at(call, "shuffle"), *rest = keyword_at(call, NULL);
    const Only *before = table_get(p->ddp->divided, call);
    if (before != NULL && before != only && (before->yes == NULL || only->yes == NULL ||
                                             strcmp(before->yes, only->yes) != 0))
        refuse_data(p, call, DIAG_STEPS_UNEQUAL, "this call creates loaders for several training "
                    "loops",
                    "create each loader with a separate call");
    if (before != NULL || c == NULL)
        return;
    table_set(p->ddp->divided, call, (void *)only);
    if (!is_dividable(p, call, data))
        return;
    const char *name = dataset_name(p, c, data), *how = "False", *kept = "False";
    if (shuffle != NULL)
        how = rewrite_take(p->t->rewrite, shuffle->at);
    else if (rest != NULL)
        how = tool_format(p->t, "%s.get('shuffle', False)", tool_text(p->t, rest->value));
    const char *sampler = tool_format(p->t, "%s(%s, shuffle=%s)", p->ddp->sampler, name, how);
    p->ddp->samples = true;
    plan_fire(p, "P-sampler", call->at);
    if (c->stmt->kind == STMT_FOR && strcmp(how, "False") != 0 && !is_inline(p, call))
        sampler = name_sampler(p, c->stmt, sampler);
    if (only->yes != NULL) {
        sampler = tool_format(p->t, "%s if %s else None", sampler, only->yes);
        kept = strcmp(how, "True") == 0 ? only->no
                                        : tool_format(p->t, "(%s) and %s", how, only->no);
    }
    if (named != NULL)
        rewrite_replace(p->t->rewrite, (Span){named->at.start, named->value->at.end},
                        only->yes == NULL ? tool_format(p->t, "sampler=%s", sampler) :
                        tool_format(p->t, "sampler=%s, shuffle=%s", sampler, kept));
    else if (rest != NULL)
        rewrite_around(p->t->rewrite, rest->value->at, "{**", tool_format(p->t,
            ", 'shuffle': %s, 'sampler': %s}", kept, sampler));
    else
        rewrite_argument(p->t->rewrite, call, tool_format(p->t, "sampler=%s", sampler));
    if (shuffle != NULL && named == NULL)
        rewrite_replace(p->t->rewrite, shuffle->at, kept);
    if (call_keyword(call, "drop_last") != NULL)
        diag_report(p->diags, call->at, DIAG_SHARD_SMALL,
                    "with `drop_last`, a process whose share is smaller than a batch does not "
                    "train");
}

static const Only ALWAYS[] = {{NULL, NULL, NULL, false}};

// ---- loops that only some calls of a function train in ----

// What a test of a parameter is for the arguments of a call: 1 true, 0 false, -1 unknown.
static int truth(Plan *p, const Expr *test, const CallSite *c, const Func *f)
{
    if (test->kind == EXPR_UNARY_OP && test->unary_op.op == UNARYOP_NOT) {
        int inner = truth(p, test->unary_op.operand, c, f);
        return inner < 0 ? inner : !inner;
    }
    bool compared = test->kind == EXPR_COMPARE && test->compare.ops.len == 1 &&
                    expr_is_none(test->compare.comparators.at[0]);
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
    bool none = expr_is_none(value);
    if (compared)
        return test->compare.ops.at[0] == CMPOP_IS_NOT ? !none : none;
    if (value->kind != EXPR_CONSTANT || (!none && value->constant.value->kind != CONST_BOOL))
        return -1;
    return none ? 0 : value->constant.value->truth;
}

// A test in a loop that the training in it is under, and which arm it is in; from the inside out.
typedef bool TestSeen(void *cx, const Expr *test, bool arm);   // false: no further

static void training_tests(Plan *p, const Stmt *loop, TestSeen *seen, void *cx)
{
    for (size_t i = 0; i < p->s->training.len; i++) {
        const CallSite *c = p->s->training.at[i];
        if (!scan_backward(p->s, c->call) || !scan_is_within(p->s, c->stmt, loop))
            continue;
        for (const Stmt *n = c->stmt; n != loop; n = scan_info(p->s, n)->parent) {
            const StmtInfo *info = scan_info(p->s, n);
            if (info->parent->kind == STMT_IF &&
                !seen(cx, info->parent->if_.test, info->kind == BODY_BRANCH))
                return;
        }
    }
}

// Whether the loop trains when its function is called here: 1, 0, or -1, which is unknown.
typedef struct Trains { Plan *p; const CallSite *c; const Func *f; int value; } Trains;

static bool see_truth(void *cx, const Expr *test, bool arm)
{
    Trains *t = cx;
    int value = truth(t->p, test, t->c, t->f);
    if (value < 0)
        t->value = -1;
    else if (value != arm)
        t->value = 0;
    return t->value > 0;
}

// The loaders that a loop gets from the calls of its function for which it trains.
static void divide_parameter(Plan *p, const Stmt *loop, const Expr *e, const Slot *slot)
{
    const Func *f = slot->parameter_of;
    for EACH_CALL(c, p->s) {
        Trains t = {p, c, f, 1};
        if (c->callee != f)
            continue;
        training_tests(p, loop, see_truth, &t);
        if (t.value < 0)
            refuse_data(p, e, DIAG_STEPS_UNEQUAL,
                        "it is not known whether this loop trains",
                        "train and evaluate in separate functions");
        for EACH_BINDING(b, p->s, slot) {
            if (t.value != 1 || b->value->at.start < c->call->at.start ||
                b->value->at.end > c->call->at.end)
                continue;
            const Loaders *l = loaders_of(p, b->value);
            for (size_t m = 0; m < l->made.len; m++)
                divide_loader(p, l->made.at[m].call, ALWAYS);
        }
    }
}

// `phase == 'train'`: with which items of a dict of loaders a loop trains.
typedef struct Phase { Plan *p; const Slot *key; const Expr *is; bool equal; } Phase;

static bool see_phase(void *cx, const Expr *test, bool arm)
{
    Phase *k = cx;
    if (test->kind != EXPR_COMPARE || test->compare.ops.len != 1 ||
        scan_slot(k->p->s, test->compare.left) != k->key ||
        test->compare.comparators.at[0]->kind != EXPR_CONSTANT)
        return true;
    Cmpop op = test->compare.ops.at[0];
    if (op != CMPOP_EQ && op != CMPOP_NOT_EQ)
        return true;
    k->is = test->compare.comparators.at[0];
    k->equal = (op == CMPOP_EQ) == arm;
    return false;
}

static bool any_test(void *cx, const Expr *test, bool arm)
{
    (void)test, (void)arm;
    *(bool *)cx = true;
    return false;
}

// Only those of its loaders that train, if a test of the key says which. False: it cannot be seen.
static bool divide_items(Plan *p, const Stmt *loop, const Expr *e, const Loaders *l)
{
    const Expr *key = e->subscript.slice;
    Phase k = {p, scan_slot(p->s, key), key->kind == EXPR_CONSTANT ? key : NULL, true};
    bool tested = false, seen = true;
    training_tests(p, loop, any_test, &tested);
    if (k.key != NULL)
        training_tests(p, loop, see_phase, &k);
    if (k.is == NULL && tested)
        return false;
    for (size_t i = 0; i < l->made.len; i++) {
        const Made *m = &l->made.at[i];
        const char *is = k.is == NULL ? "" : tool_text(p->t, k.is);
        if (k.is == NULL || (m->key != NULL && m->key->kind == EXPR_CONSTANT &&
                             ir_equal_expr(m->key, k.is) == k.equal)) {
            divide_loader(p, m->call, ALWAYS);
        } else if (m->key != NULL && m->key->kind == EXPR_NAME) {
            const char *name = m->key->name.id;
            Only *only = ARENA_NEW(p->t->arena, Only);
            *only = (Only){tool_format(p->t, "%s %s %s", name, k.equal ? "==" : "!=", is),
                           tool_format(p->t, "%s %s %s", name, k.equal ? "!=" : "==", is), k.is,
                           k.equal};
            divide_loader(p, m->call, only);
        } else {
            seen &= m->key != NULL && m->key->kind == EXPR_CONSTANT;
        }
    }
    return seen;
}

static void divide_use(Plan *p, const Stmt *loop, const Expr *e)
{
    const Loaders *l = loaders_of(p, e);
    const Slot *slot = e->kind == EXPR_NAME ? scan_slot(p->s, e) : NULL;
    bool parameter = slot != NULL && slot->parameter_of != NULL && l->made.len > 1;
    if (l->o.lost != NULL || l->made.len == 0)
        refuse_data(p, e, DIAG_NOTHING_DIVIDED,
                    "this data cannot be divided among the processes",
                    "iterate over a `DataLoader` that is created in this script");
    else if (parameter)
        divide_parameter(p, loop, e, slot);
    else if (e->kind == EXPR_SUBSCRIPT && !divide_items(p, loop, e, l))
        refuse_data(p, e, DIAG_STEPS_UNEQUAL, "this loop trains with one loader and evaluates with "
                    "another",
                    "train and evaluate in separate loops");
    for (size_t i = 0; e->kind != EXPR_SUBSCRIPT && !parameter && i < l->made.len; i++)
        divide_loader(p, l->made.at[i].call, ALWAYS);
}

void rule_ddp_sampler(Plan *p)
{
    note_loops(p);
    note_draws(p);
    for (size_t i = 0; i < p->ddp->loops.len; i++) {
        const BatchLoop *loop = &p->ddp->loops.at[i];
        for (size_t k = 0; k < loop->loaders.len; k++)
            divide_use(p, loop->loop, loop->loaders.at[k]);
    }
    for (size_t i = 0; i < p->ddp->loops.len; i++)
        if (p->ddp->loops.at[i].loop->kind == STMT_FOR)
            pipeline_divide_rounds(p, p->ddp->loops.at[i].loop);
    p->ddp->plays = p->ddp->loops.len == 0 && pipeline_plays(p);
    if (!p->ddp->plays)
        pipeline_divide_limits(p);
    if (p->ddp->loops.len > 0)
        return;
    if (p->ddp->plays || pipeline_is_random(p)) {
        p->ddp->random = !pipeline_spread_seeds(p);
        for (size_t i = 0; !p->ddp->plays && i < p->s->stmts.len; i++) {
            const Stmt *n = p->s->stmts.at[i];
            if (n->kind != STMT_FOR || !plan_trains(p, n) || plan_has_inner(p, n))
                continue;
            pipeline_check_slices(p, n);
            pipeline_divide_rounds(p, n);
        }
    } else {
        refuse_data(p, p->s->training.at[0]->call, DIAG_NOTHING_DIVIDED,
                    "this training uses no data that can be divided among the processes",
                    "iterate over a `DataLoader`");
    }
}

// ---- P-epoch ----

// Past `bar = tqdm(loader)`: the loader itself as it is called, or NULL.
static const Expr *bare_loader(Plan *p, const Expr *e)
{
    for EACH_BINDING(b, p->s, scan_slot(p->s, e)) {
        const Expr *inner = expr_unwrap(b->value);
        if (b->how == BIND_VALUE && inner != b->value)
            return is_repeatable(inner) ? inner : NULL;
    }
    return is_repeatable(e) ? e : NULL;
}

static bool is_epoch(Plan *p, const Expr *e)
{
    const Slot *slot = scan_slot(p->s, e);
    for (size_t i = 0; slot != NULL && i < p->s->stmts.len; i++) {
        const Stmt *loop = p->s->stmts.at[i];
        const Expr *number = loop_number(loop);
        if (number != NULL && scan_slot(p->s, number) == slot && e->at.start > loop->at.start &&
            e->at.end <= loop->at.end)
            return true;
    }
    return false;
}

// A parameter of a function that gets the number of the epoch from every call.
static Sym epoch_parameter(Plan *p, const Func *f)
{
    for (size_t i = 0; i < p->s->all_slots.len; i++) {
        const Slot *slot = p->s->all_slots.at[i];
        bool all = slot->parameter_of == f && slot->first != 0;
        for EACH_BINDING(b, p->s, slot)
            all &= b->stmt == NULL && is_epoch(p, b->value);
        if (all)
            return slot->name;
    }
    return NULL;
}

const Expr *ddp_mixed(Plan *p, const BatchLoop *loop)
{
    for (size_t i = 0; i < loop->loaders.len; i++) {
        const Expr *loader = loop->loaders.at[i], *e = bare_loader(p, loader);
        const Loaders *l = loaders_of(p, loader);
        size_t count[DIVISION_SOME + 1] = {0};
        for (size_t k = 0; k < l->made.len; k++)
            count[division(p, loader, l->made.at[k].call)]++;
        if (e != NULL && (count[DIVISION_SOME] > 0 ||
                          (count[DIVISION_WHOLE] > 0 && count[DIVISION_NONE] > 0)))
            return e;
    }
    return NULL;
}

// The number of the round of the loop around, past one over what is listed: `['train', 'val']`.
static const Expr *epoch_around(Plan *p, const Stmt *loop)
{
    const Stmt *up = scan_loop(p->s, loop);
    while (up != NULL && up->kind == STMT_FOR && (up->for_.iter->kind == EXPR_LIST ||
                                                  up->for_.iter->kind == EXPR_TUPLE))
        up = scan_loop(p->s, up);
    return loop_number(up);
}

static void renew(Plan *p, const Stmt *loop, const Expr *loader, bool mixed)
{
    const Expr *number = epoch_around(p, loop);
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

// `it = iter(loader)`, again and again.
static void renew_iterators(Plan *p)
{
    for (size_t i = 0; i < p->s->bindings.len; i++) {
        const Binding *b = &p->s->bindings.at[i];
        const Expr *loader = call_is_name(b->value, "iter") && b->how == BIND_VALUE &&
                             b->stmt != NULL && scan_loop(p->s, b->stmt) != NULL
                             ? bare_loader(p, expr_unwrap(b->value)) : NULL;
        if (loader != NULL && ddp_is_divided(p, loader))
            renew(p, b->stmt, loader, false);
    }
}

void rule_ddp_epoch(Plan *p)
{
    for (size_t i = 0; i < p->ddp->loops.len; i++) {
        const BatchLoop *loop = &p->ddp->loops.at[i];
        for (size_t k = 0; loop->loop->kind == STMT_FOR && k < loop->loaders.len; k++) {
            const Expr *e = bare_loader(p, loop->loaders.at[k]);
            bool once = scan_loop(p->s, loop->loop) == NULL &&
                        scan_info(p->s, loop->loop)->in == NULL;
            if (e != NULL && !once && !call_is_name(loop->loop->for_.iter, "range") &&
                ddp_is_divided(p, e))
                renew(p, loop->loop, e, ddp_mixed(p, loop) != NULL);
        }
    }
    renew_iterators(p);
}
