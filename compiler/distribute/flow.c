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
static const char *const RESTORED_CALLS[] = {"tf.train.latest_checkpoint", "json.load",
                                             "pickle.load", NULL};

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
    if (func.path != NULL && sym_is_one_of(func.path, RESTORED_CALLS))
        found |= LABEL_RESTORED;
    const Expr *of = e->call.func->kind == EXPR_ATTRIBUTE ? e->call.func->attribute.value : NULL;
    if (of != NULL && value_is(scan_value(f->s, of), KIND_ENVIRONMENT))
        found |= LABEL_OWN;
    if (e->call.func->kind == EXPR_NAME && sym_is(e->call.func->name.id, "next"))
        found |= LABEL_OWN;
    return found;
}

static bool see_labels(void *cx, const Expr *e)
{
    Labels *l = cx;
    if (e->kind == EXPR_CALL)
        l->found |= labels_of_call(l->f, e);
    if (e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, "latest_checkpoint"))
        l->found |= LABEL_RESTORED;
    const Slot *slot = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE ? scan_slot(l->f->s, e)
                                                                          : NULL;
    if (slot != NULL)
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

bool flow_is_own(Flow *f, const Expr *e) { return (flow_labels(f, e) & LABEL_OWN) != 0; }

// ---- labels of slots ----

static bool add(uint64_t *labels, uint64_t more)
{
    bool changed = (*labels | more) != *labels;
    *labels |= more;
    return changed;
}

typedef struct Trains { Flow *f; bool found; } Trains;

static bool see_training(void *cx, const Stmt *n)
{
    Trains *t = cx;
    for (size_t i = 0; !t->found && i < t->f->s->calls.len; i++) {
        const CallSite *c = &t->f->s->calls.at[i];
        if (c->stmt == n)
            t->found |= (c->callee != NULL && c->callee->trains) ||
                        scan_method(t->f->s, c->call, KIND_OPTIMIZER, "apply_gradients") != NULL ||
                        scan_method(t->f->s, c->call, KIND_OPTIMIZER, "apply") != NULL ||
                        scan_method(t->f->s, c->call, KIND_OPTIMIZER, "minimize") != NULL ||
                        scan_method(t->f->s, c->call, KIND_VARIABLE, "assign_sub") != NULL;
    }
    return !t->found;
}

// The elements of a dataset that a loop trains on.
static uint64_t labels_of_element(Flow *f, const Binding *b)
{
    Trains t = {f, false};
    const IrWalker w = {.cx = &t, .stmt = see_training};
    if (b->stmt != NULL && b->stmt->kind == STMT_FOR)
        ir_walk_stmts(&w, b->stmt->for_.body);
    return t.found && b->value->kind != EXPR_CONSTANT ? LABEL_OWN : 0;
}

static bool is_range(const Expr *e)
{
    return e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME &&
           sym_is(e->call.func->name.id, "range");
}

// Under a test, what is assigned says something about the test.
static uint64_t labels_of_tests(Flow *f, const Stmt *n)
{
    uint64_t found = 0;
    for (; n != NULL; n = scan_info(f->s, n)->parent) {
        const Stmt *up = scan_info(f->s, n)->parent;
        if (up != NULL && up->kind == STMT_IF)
            found |= flow_labels(f, up->if_.test) & LABEL_OWN;
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
        changed |= add(&b->slot->labels, flow_labels(f, b->value));
        if (b->slot->value.kind == KIND_NONE)
            changed |= add(&b->slot->labels, labels_of_tests(f, b->stmt));
        if (b->how == BIND_ELEMENT && !is_range(b->value))
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
        Slot *slot = of->kind == EXPR_NAME || of->kind == EXPR_ATTRIBUTE ? scan_slot(f->s, of)
                                                                         : NULL;
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
            Slot *slot = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE ? scan_slot(f->s, e)
                                                                           : NULL;
            if (slot != NULL && value_is(slot->value, KIND_VARIABLE))
                slot->labels |= LABEL_RESTORED;
        }
    }
}

static void note_uses(Flow *f)
{
    for (size_t i = 0; i < f->s->calls.len; i++) {
        const CallSite *c = &f->s->calls.at[i];
        Tape *tape = flow_gradient(f, c->call);
        for (size_t k = 0; tape != NULL && k < f->tapes.len; k++)
            if (&f->tapes.at[k] != tape && f->tapes.at[k].with != tape->with &&
                scan_is_within(f->s, c->stmt, f->tapes.at[k].with))
                tape->nested = true;
    }
}

Flow *flow_new(Scan *s)
{
    Flow *f = ARENA_NEW(s->arena, Flow);
    f->s = s;
    note_tapes(f);
    label_restored(f);
    for (bool changed = true; changed;) {
        changed = settle_bindings(f);
        changed |= settle_receivers(f);
        changed |= settle_returns(f);
    }
    note_uses(f);
    return f;
}
