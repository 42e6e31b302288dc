// flow.c - labels of slots, to a fixed point.

#include "compiler/distribute/flow.h"

#include <string.h>

// ---- tapes ----

static void note_tape(Flow *f, const Stmt *with, const Withitem *item)
{
    const Expr *as = item->optional_vars;
    if (!value_is(scan_value(f->s, item->context_expr), KIND_TAPE) || as == NULL)
        return;
    size_t n = f->tapes.len < LABEL_TAPES ? f->tapes.len : LABEL_TAPES - 1;
    vec_push(f->s->arena, &f->tapes,
             ((Tape){.with = with, .item = item, .slot = scan_slot(f->s, as),
                     .name = as->kind == EXPR_NAME ? as->name.id : NULL,
                     .label = (uint64_t)LABEL_FIRST_TAPE << n}));
}

static void note_tapes(Flow *f)
{
    for (size_t i = 0; i < f->s->stmts.len; i++) {
        const Stmt *n = f->s->stmts.at[i];
        for (size_t k = 0; n->kind == STMT_WITH && k < n->with.items.len; k++)
            note_tape(f, n, n->with.items.at[k]);
    }
}

Tape *flow_gradient(Flow *f, const Expr *call)
{
    const Expr *of = call->kind == EXPR_CALL && call->call.func->kind == EXPR_ATTRIBUTE
                     ? call->call.func->attribute.value : NULL;
    bool gradient = of != NULL && (sym_is(call->call.func->attribute.attr, "gradient") ||
                                   sym_is(call->call.func->attribute.attr, "jacobian"));
    const Slot *slot = gradient ? scan_slot(f->s, of) : NULL;
    Tape *found = NULL;
    for (size_t i = 0; slot != NULL && i < f->tapes.len; i++)     // the last one before the call
        if (f->tapes.at[i].slot == slot && f->tapes.at[i].with->at.start < call->at.start)
            found = &f->tapes.at[i];
    return found;
}

// ---- labels of expressions ----

static const char *const OWN_CALLS[] = {
    "time.time", "time.perf_counter", "time.monotonic", "random.random", "random.randint",
    "random.choice", "random.uniform", "datetime.datetime.now", "socket.gethostname", NULL,
};
static const char *const FILES_CALLS[] = {
    "os.path.exists", "os.path.isdir", "os.path.isfile", "os.listdir", "os.access", "glob.glob",
    "tf.io.gfile.exists", "tf.io.gfile.isdir", "tf.io.gfile.listdir", "tf.io.gfile.glob", NULL,
};
static const char *const FILES_METHODS[] = {"exists", "is_dir", "is_file", "iterdir", NULL};
static const char *const RESTORED_CALLS[] = {"tf.train.latest_checkpoint", "json.load",
                                             "pickle.load", "torch.load", NULL};

static const char *const COLLECTIVES[] = {
    "allreduce", "allreduce_", "grouped_allreduce", "allgather", "allgather_object", "broadcast",
    "broadcast_", "broadcast_variables", "broadcast_global_variables", "broadcast_object",
    "broadcast_parameters", "broadcast_optimizer_state", "alltoall", "reducescatter", "barrier",
    "join", "all_reduce", "all_gather", "all_gather_object", "broadcast_object_list", "reduce",
    "scatter", "gather", NULL,
};
static const char *const RANKS[] = {"rank", "local_rank", "cross_rank", "get_rank",
                                    "get_local_rank", NULL};
static const char *const RANK_VARIABLES[] = {"RANK", "LOCAL_RANK", "HOROVOD_RANK", "SLURM_PROCID",
                                             "OMPI_COMM_WORLD_RANK", "PMI_RANK", NULL};

static bool is_of_library(Sym path, const char *const *names)
{
    const char *dot = path == NULL ? NULL : strrchr(path, '.');
    bool library = path_is(path, "horovod.*") || path_is(path, "torch.distributed.*");
    return library && sym_is_one_of(dot + 1, names);
}

bool path_is_collective(Sym path) { return is_of_library(path, COLLECTIVES); }

typedef struct Labels { Flow *f; uint64_t found; } Labels;

static uint64_t labels_of_call(Flow *f, const Expr *e)
{
    Value func = scan_value(f->s, e->call.func);
    Func *callee = scan_callee(f->s, e);
    const Tape *tape = flow_gradient(f, e);
    uint64_t found = tape != NULL ? tape->label : 0;
    if (callee != NULL)
        found |= callee->trains ? callee->labels | LABEL_OWN : callee->labels;
    if (func.path != NULL && sym_is_one_of(func.path, OWN_CALLS))
        found |= LABEL_OWN;
    if ((func.path != NULL && sym_is_one_of(func.path, FILES_CALLS)) ||
        (func.path == NULL && e->call.func->kind == EXPR_ATTRIBUTE &&
         sym_is_one_of(e->call.func->attribute.attr, FILES_METHODS)))
        found |= LABEL_FILES;
    if (is_of_library(func.path, RANKS))
        found |= LABEL_RANK;
    if (func.path != NULL && sym_is_one_of(func.path, RESTORED_CALLS))
        found |= LABEL_RESTORED;
    const Expr *of = e->call.func->kind == EXPR_ATTRIBUTE ? e->call.func->attribute.value : NULL;
    if (of != NULL && (value_is(scan_value(f->s, of), KIND_ENVIRONMENT) ||
                       (value_is(scan_value(f->s, of), KIND_SESSION) &&
                        sym_is(e->call.func->attribute.attr, "run"))))
        found |= LABEL_OWN;
    if (e->call.func->kind == EXPR_NAME && sym_is(e->call.func->name.id, "next"))
        found |= LABEL_OWN;
    if (f->strict && value_is(func, KIND_NET))
        found |= LABEL_OWN;
    return found;
}

bool flow_is_wrapped(Flow *f, const Expr *e, const char *wrapper)
{
    for EACH_BINDING(b, f->s, scan_slot(f->s, e)) {
        Sym path = b->value->kind == EXPR_CALL
                   ? scan_value(f->s, b->value->call.func).path : NULL;
        const char *dot = path == NULL ? NULL : strrchr(path, '.');
        if (dot != NULL && strcmp(dot + 1, wrapper) == 0)
            return true;
    }
    return false;
}

// A function of the file that returns nothing but what a collective has made equal in place.
static bool gives_equal(Flow *f, const Expr *call)
{
    const Func *func = scan_callee(f->s, call);
    bool equal = func != NULL && func->returns.len > 0;
    for (size_t i = 0; equal && i < func->returns.len; i++) {
        const Expr *e = func->returns.at[i];
        while (e->kind == EXPR_SUBSCRIPT)
            e = e->subscript.value;
        const Slot *slot = e->kind == EXPR_NAME ? scan_slot(f->s, e) : NULL;
        equal = slot != NULL && slot->equal;
    }
    return equal;
}

// The result of a collective is equal on all processes.
static bool is_made_equal(Flow *f, const Expr *call)
{
    const Expr *func = call->call.func;
    return path_is_collective(scan_value(f->s, func).path) || gives_equal(f, call) ||
           (func->kind == EXPR_ATTRIBUTE && sym_is(func->attribute.attr, "gradient") &&
            flow_is_wrapped(f, func->attribute.value, "DistributedGradientTape"));
}

static bool is_rank_variable(Text text)
{
    for (size_t i = 0; RANK_VARIABLES[i] != NULL; i++)
        if (text.len == strlen(RANK_VARIABLES[i]) &&
            memcmp(text.at, RANK_VARIABLES[i], text.len) == 0)
            return true;
    return false;
}

// Of a progress bar, not who shows it.
static uint64_t labels_of_bar(Flow *f, const Expr *call)
{
    uint64_t found = 0;
    for (size_t i = 0; i < call->call.args.len; i++)
        found |= flow_labels(f, call->call.args.at[i]);
    return found;
}

static bool see_labels(void *cx, const Expr *e)
{
    Labels *l = cx;
    if (e->kind == EXPR_CALL && path_is(scan_value(l->f->s, e->call.func).path, "tqdm.*")) {
        l->found |= labels_of_bar(l->f, e);
        return false;
    }
    if (e->kind == EXPR_CALL && is_made_equal(l->f, e))
        return false;
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR &&
        is_rank_variable(e->constant.value->text))
        l->found |= LABEL_RANK;
    if (e->kind == EXPR_CALL)
        l->found |= labels_of_call(l->f, e);
    if (table_get(l->f->bypass, e) != NULL)
        l->found |= LABEL_BYPASS;
    if (e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, "latest_checkpoint"))
        l->found |= LABEL_RESTORED;
    const Slot *slot = scan_slot(l->f->s, e);
    if (slot != NULL && !slot->equal)
        l->found |= slot->labels;
    return true;
}

uint64_t flow_labels(Flow *f, const Expr *e)
{
    Labels l = {f, 0};
    const IrWalker w = {.cx = &l, .expr = see_labels};
    if (e != NULL)
        ir_walk_expr(&w, e);
    return l.found;
}

bool flow_differs(Flow *f, const Expr *e) { return (flow_labels(f, e) & LABEL_DIFFERS) != 0; }
bool flow_is_own(Flow *f, const Expr *e) { return (flow_labels(f, e) & LABEL_OWN) != 0; }

// ---- labels of slots ----

static bool add(uint64_t *labels, uint64_t more)
{
    bool changed = (*labels | more) != *labels;
    *labels |= more;
    return changed;
}

// The elements of a dataset that a loop trains on.
static uint64_t labels_of_element(Flow *f, const Binding *b)
{
    bool trains = b->stmt != NULL && b->stmt->kind == STMT_FOR && scan_trains(f->s, b->stmt->at);
    bool wrapped = b->value->kind == EXPR_CALL && b->value->call.args.len > 0;
    bool batch = f->strict && (value_is(scan_value(f->s, b->value), KIND_LOADER) ||
                               (wrapped && value_is(scan_value(f->s, b->value->call.args.at[0]),
                                                    KIND_LOADER)));
    return (trains && b->value->kind != EXPR_CONSTANT) || batch ? LABEL_OWN : 0;
}

// Under a test, what is assigned says something about the test.
static uint64_t labels_of_tests(Flow *f, const Stmt *n)
{
    uint64_t found = 0;
    for (; n != NULL; n = scan_info(f->s, n)->parent) {
        const Stmt *up = scan_info(f->s, n)->parent;
        if (up != NULL && up->kind == STMT_IF)
            found |= flow_labels(f, up->if_.test) & LABEL_DIFFERS;
        if (up != NULL && up->kind == STMT_FUNCTION_DEF)
            break;
    }
    return found;
}

static bool settle_bindings(Flow *f)
{
    bool changed = false;
    for (size_t i = 0; i < f->s->bindings.len; i++) {
        const Binding *b = &f->s->bindings.at[i];
        bool data = value_is(b->slot->value, KIND_DATASET);     // its elements differ, it does not
        changed |= add(&b->slot->labels,
                       flow_labels(f, b->value) & ~(data ? (uint64_t)LABEL_RANK : 0));
        if (b->slot->value.kind == KIND_NONE)
            changed |= add(&b->slot->labels, labels_of_tests(f, b->stmt));
        const Expr *of = expr_unwrap(b->value);
        if (b->how == BIND_ELEMENT && !call_is_name(of, "range") && of->kind != EXPR_LIST &&
            of->kind != EXPR_TUPLE)
            changed |= add(&b->slot->labels, labels_of_element(f, b));
    }
    return changed;
}

// `m(loss)`, `m.update_state(loss)`, `losses.append(loss)`: what an object is given, it holds.
static bool settle_receivers(Flow *f)
{
    bool changed = false;
    for (size_t i = 0; i < f->s->calls.len; i++) {
        const Expr *call = f->s->calls.at[i].call, *of = call->call.func;
        if (of->kind == EXPR_ATTRIBUTE && value_is(scan_value(f->s, of), KIND_NONE) &&
            scan_value(f->s, of).func == NULL)
            of = of->attribute.value;
        Slot *slot = scan_slot(f->s, of);
        bool holds = slot != NULL && (value_is(slot->value, KIND_METRIC) ||
                                      (of != call->call.func && slot->value.kind == KIND_NONE &&
                                       slot->value.path == NULL && slot->value.class_ == NULL));
        for (size_t k = 0; holds && k < call->call.args.len; k++)
            changed |= add(&slot->labels, flow_labels(f, call->call.args.at[k]));
    }
    return changed;
}

static bool settle_returns(Flow *f)
{
    bool changed = false;
    for (size_t i = 0; i < f->s->all_funcs.len; i++) {
        Func *func = f->s->all_funcs.at[i];
        for (size_t k = 0; k < func->returns.len; k++)
            changed |= add(&func->labels, flow_labels(f, func->returns.at[k]));
    }
    for (size_t i = 0; i < f->s->stmts.len; i++) {
        Func *in = scan_info(f->s, f->s->stmts.at[i])->in;
        if (f->s->stmts.at[i]->kind == STMT_RETURN && in != NULL)
            changed |= add(&in->labels, labels_of_tests(f, f->s->stmts.at[i]));
    }
    return changed;
}

// Variables that a checkpoint gives back.
static void label_restored(Flow *f)
{
    for (size_t i = 0; i < f->s->calls.len; i++) {
        const Expr *call = f->s->calls.at[i].call;
        if (!path_is(scan_value(f->s, call->call.func).path, "tf.train.Checkpoint"))
            continue;
        for (size_t k = 0; k < call->call.keywords.len; k++) {
            const Expr *e = call->call.keywords.at[k]->value;
            Slot *slot = scan_slot(f->s, e);
            if (slot != NULL && value_is(slot->value, KIND_VARIABLE))
                slot->labels |= LABEL_RESTORED;
        }
    }
}

// `dist.all_reduce(total)`.
static void note_equal(Flow *f)
{
    for (size_t i = 0; i < f->s->calls.len; i++) {
        const Expr *call = f->s->calls.at[i].call, *to = call_positional(call, 0);
        Sym path = scan_value(f->s, call->call.func).path;
        Slot *slot = to != NULL && path_is(path, "torch.distributed.*") && path_is_collective(path)
                     ? scan_slot(f->s, to) : NULL;
        if (slot != NULL)
            slot->equal = true;
    }
}

static void note_uses(Flow *f)
{
    for EACH_CALL(c, f->s) {
        Tape *tape = flow_gradient(f, c->call);
        for (size_t k = 0; tape != NULL && k < f->tapes.len; k++)
            if (&f->tapes.at[k] != tape && f->tapes.at[k].with != tape->with &&
                scan_is_within(f->s, c->stmt, f->tapes.at[k].with))
                tape->nested = true;
    }
}

void flow_settle(Flow *f)
{
    for (bool changed = true; changed;) {
        changed = settle_bindings(f);
        changed |= settle_receivers(f);
        changed |= settle_returns(f);
    }
}

Flow *flow_new(Scan *s)
{
    Flow *f = ARENA_NEW(s->arena, Flow);
    f->s = s;
    f->bypass = table_new(s->arena);
    note_tapes(f);
    label_restored(f);
    note_equal(f);
    flow_settle(f);
    note_uses(f);
    return f;
}
