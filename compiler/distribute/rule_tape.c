// rule_tape.c - L1, L2, T1-T4: learning rates, tapes, and the broadcast after the first step.

#include <string.h>

#include "compiler/distribute/plan.h"

// ---- L1, L2 ----

typedef struct Rate { const char *path, *rate; } Rate;

// The learning rates that the classes have by themselves.
static const Rate RATES[] = {
    {"keras.optimizers.SGD", "0.01"}, {"keras.optimizers.Adagrad", "0.001"},
    {"keras.optimizers.*", "0.001"},
};

const Expr *plan_rate(const Plan *p, const Expr *call)
{
    const Expr *rate = call_keyword(call, "learning_rate");
    (void)p;
    return rate != NULL ? rate : call_argument(call, 0, "lr");
}

// A number, or what may be one: not what a function that is not known gives.
static bool may_be_number(const Plan *p, const Expr *e)
{
    static const char *const NUMBERS[] = {"float", "int", "min", "max", "round", "abs", "pow",
                                          NULL};
    if (e->kind == EXPR_CALL)
        return e->call.func->kind == EXPR_NAME && sym_is_one_of(e->call.func->name.id, NUMBERS);
    return e->kind != EXPR_STARRED && e->kind != EXPR_LAMBDA &&
           scan_value(p->s, e).kind == KIND_NONE;
}

static void report_rate(Plan *p, const Expr *e)
{
    diag_help(diag_report(p->diags, e->at, DIAG_OPTIMIZER_UNKNOWN,
                          "it is not known whether this learning rate is a number or a schedule"),
              "use a number, a variable that holds a number, or a Keras schedule");
}

static void add_rate(Plan *p, const Expr *call, Sym path)
{
    size_t i = 0;
    while (!path_is(path, RATES[i].path))
        i++;
    if (*plan_rate_factor(p))
        rewrite_argument(p->t->rewrite, call, tool_format(p->t, "learning_rate=%s",
                                                          plan_scaled(p, RATES[i].rate)));
}

static void warn_adam(Plan *p, const Expr *call, Sym path)
{
    bool adam = strstr(path, "Adam") != NULL || strstr(path, "Nadam") != NULL;
    if (adam && p->t->cx->options.scale == SCALE_LINEAR)
        diag_report(p->diags, call->at, DIAG_ADAM_SCALED,
                    "optimizers such as Adam rarely need a linearly scaled learning rate; see "
                    "`--lr-scale`");
}

// L3: a schedule that goes from the rate to the scaled one, and stays there.
static void warm_up(Plan *p, const Expr *rate)
{
    const char *text = tool_text(p->t, rate);
    bool simple = rate->kind == EXPR_CONSTANT || rate->kind == EXPR_NAME ||
                  rate->kind == EXPR_ATTRIBUTE;
    plan_fire(p, "L3", rate->at);
    rewrite_replace(p->t->rewrite, rate->at,
                    plan_scaled(p, simple ? text : tool_format(p->t, "(%s)", text)));
}

static void scale_optimizer(Plan *p, const Expr *call)
{
    Value v = scan_value(p->s, call);
    const Expr *rate = plan_rate(p, call);
    bool old = value_is(v, KIND_OPTIMIZER_V1);
    bool creation = (old || value_is(v, KIND_OPTIMIZER)) && scan_callee(p->s, call) == NULL &&
                    scan_value(p->s, call->call.func).path != NULL &&
                    (call->call.func->kind != EXPR_ATTRIBUTE ||
                     scan_value(p->s, call->call.func->attribute.value).kind == KIND_NONE);
    if (!creation)
        return;
    plan_fire(p, "L1", call->at);
    if (rate == NULL && call->call.args.len > 0) {
        report_rate(p, call->call.args.at[0]);
        return;
    }
    if (rate != NULL && value_is(scan_value(p->s, rate), KIND_SCHEDULE))
        return;
    if (rate != NULL && !may_be_number(p, rate)) {
        report_rate(p, rate);
        return;
    }
    warn_adam(p, call, v.path);
    if (rate != NULL && p->t->cx->options.warmup != NULL && !old)
        warm_up(p, rate);
    else if (rate != NULL)
        plan_scale(p, rate);
    else if (!old)
        add_rate(p, call, v.path);
}

// L1 makes the schedules; what changes the rate later does not go with one.
void rule_warmup(Plan *p)
{
    static const char *const CHANGING[] = {"keras.callbacks.ReduceLROnPlateau",
                                           "keras.callbacks.LearningRateScheduler", NULL};
    for (size_t i = 0; i < p->s->calls.len && p->t->cx->options.warmup != NULL; i++) {
        const Expr *call = p->s->calls.at[i].call;
        Sym path = scan_value(p->s, call->call.func).path;
        if (path != NULL && sym_is_one_of(path, CHANGING))
            diag_help(diag_report(p->diags, call->at, DIAG_OPTIMIZER_UNKNOWN,
                                  "this callback sets the learning rate, so `--warmup` has no "
                                  "effect"),
                      "remove `--warmup`");
    }
}

// `o.learning_rate = e`, `o.learning_rate.assign(e)`: a rate that is set later.
static const Expr *later_target(Plan *p, const Stmt *n, const Expr **value)
{
    const Expr *target = NULL;
    if (n->kind == STMT_ASSIGN && n->assign.targets.len == 1) {
        target = n->assign.targets.at[0];
        *value = n->assign.value;
    } else if (n->kind == STMT_EXPR && n->expr.value->kind == EXPR_CALL) {
        const Expr *call = n->expr.value, *f = call->call.func;
        if (f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "assign")) {
            target = f->attribute.value;
            *value = call_positional(call, 0);
        }
    }
    bool rate = target != NULL && *value != NULL && target->kind == EXPR_ATTRIBUTE &&
                (sym_is(target->attribute.attr, "learning_rate") ||
                 sym_is(target->attribute.attr, "lr")) &&
                value_is(scan_value(p->s, target->attribute.value), KIND_OPTIMIZER);
    return rate ? target : NULL;
}

static void scale_later(Plan *p, const Stmt *n)
{
    const Expr *value = NULL, *target = later_target(p, n, &value);
    if (target == NULL || strstr(tool_text(p->t, value), tool_text(p->t, target)) != NULL ||
        value_is(scan_value(p->s, value), KIND_SCHEDULE))
        return;
    plan_fire(p, "L1", n->at);
    if (p->t->cx->options.warmup != NULL)
        diag_help(diag_report(p->diags, n->at, DIAG_OPTIMIZER_UNKNOWN,
                              "the learning rate is set here, so `--warmup` has no effect"),
                  "remove `--warmup`");
    if (may_be_number(p, value))
        plan_scale(p, value);
    else
        report_rate(p, value);
}

void rule_rate(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++)
        scale_optimizer(p, p->s->calls.at[i].call);
    for (size_t i = 0; i < p->s->stmts.len; i++)
        scale_later(p, p->s->stmts.at[i]);
}

static void divide(Plan *p, const Expr *steps)
{
    if (steps == NULL)
        return;
    rewrite_insert(p->t->rewrite, steps->at.start, "max(1, ");
    tool_factor(p->t, steps, tool_format(p->t, " // %s)", p->size));
}

static void each_element(Plan *p, const Expr *list, void (*change)(Plan *, const Expr *))
{
    ExprList elts = list->kind == EXPR_LIST ? list->list.elts : list->kind == EXPR_TUPLE
                    ? list->tuple.elts : (ExprList){NULL, 0};
    for (size_t i = 0; i < elts.len; i++)
        change(p, elts.at[i]);
    if (list->kind != EXPR_LIST && list->kind != EXPR_TUPLE)
        diag_help(diag_report(p->diags, list->at, DIAG_OPTIMIZER_UNKNOWN,
                              "the boundaries and values of this schedule must be list or tuple "
                              "literals"),
                  "write the list in the call, such as `[1000, 2000]`");
}

void rule_schedule(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        Value v = scan_value(p->s, call);
        Sym path = scan_value(p->s, call->call.func).path;
        bool old = path_is(path, "v1.train.exponential_decay") ||
                   path_is(path, "tf.train.exponential_decay");
        if ((!old && !path_is(path, "keras.optimizers.schedules.*")) || v.kind != KIND_SCHEDULE)
            continue;
        plan_fire(p, "L2", call->at);
        if (path_is(path, "keras.optimizers.schedules.PiecewiseConstantDecay")) {
            const Expr *bounds = call_argument(call, 0, "boundaries");
            const Expr *values = call_argument(call, 1, "values");
            if (bounds != NULL && values != NULL) {
                each_element(p, bounds, divide);
                each_element(p, values, plan_scale);
            }
            continue;
        }
        const Expr *rate = call_argument(call, 0, old ? "learning_rate" : "initial_learning_rate");
        if (rate != NULL && may_be_number(p, rate))
            plan_scale(p, rate);
        else
            report_rate(p, rate != NULL ? rate : call);
        const Expr *steps = call_keyword(call, "first_decay_steps");
        divide(p, steps != NULL ? steps : call_argument(call, old ? 2 : 1, "decay_steps"));
    }
}

// ---- T1 ----

// Methods that `fit` calls: its optimizer averages.
static bool is_of_fit(const Plan *p, const Stmt *n)
{
    const Func *f = scan_info(p->s, n)->in;
    return p->fits && f != NULL && f->class_ != NULL &&
           sym_is(f->def->function_def.name, "train_step");
}

// What a step of an optimizer is given; NULL: it is none of its calls.
static const Expr *applied_pairs(Plan *p, const Expr *call)
{
    if (scan_method(p->s, call, KIND_OPTIMIZER, "apply_gradients") != NULL)
        return call_argument(call, 0, "grads_and_vars");
    return scan_method(p->s, call, KIND_OPTIMIZER, "apply") != NULL
           ? call_argument(call, 0, "grads") : NULL;
}

static bool is_by_hand(const Expr *call)
{
    return call->call.func->kind == EXPR_ATTRIBUTE &&
           sym_is(call->call.func->attribute.attr, "assign_sub");
}

static bool reaches_step(Plan *p, const Tape *tape)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        const Expr *given = is_by_hand(call) ? call_positional(call, 0) : applied_pairs(p, call);
        if (given != NULL && (flow_labels(p->flow, given) & tape->label))
            return true;
    }
    return false;
}

// The gradient is taken in the block of its own tape.
static void check_inside(Plan *p, const Tape *tape)
{
    for EACH_CALL(c, p->s) {
        if (flow_gradient(p->flow, c->call) != tape || c->stmt == tape->with ||
            !scan_is_within(p->s, c->stmt, tape->with))
            continue;
        Diag *d = diag_report(p->diags, c->call->at, DIAG_TAPE_ESCAPES,
                              "`gradient` is called inside the `with` block of its tape");
        diag_label(d, tape->item->context_expr->at, "the tape is still recording");
        diag_help(d, "call it after the `with` block");
    }
}

// Uses of the tape other than `tape.gradient(..)`, `tape.watch(..)`.
static bool escapes(Plan *p, const Tape *tape, const CallSite *c)
{
    for (size_t i = 0; i < c->call->call.args.len; i++) {
        const Expr *e = c->call->call.args.at[i];
        if (e->kind == EXPR_NAME && tape->slot != NULL && scan_slot(p->s, e) == tape->slot)
            return true;
    }
    const Expr *own = call_keyword(c->call, "tape");
    return own != NULL && own->kind == EXPR_NAME && scan_slot(p->s, own) == tape->slot;
}

static void check_escapes(Plan *p, const Tape *tape)
{
    for (size_t i = 0; i < p->s->calls.len; i++)
        if (escapes(p, tape, &p->s->calls.at[i]))
            diag_help(diag_report(p->diags, p->s->calls.at[i].call->at, DIAG_TAPE_ESCAPES,
                                  "this tape is passed to another function, so its gradients "
                                  "cannot be tracked"),
                      "call `gradient` in the function that creates the tape, and pass the "
                      "gradients");
}

// Horovod's tape goes through the sources one by one, and a variable is then taken apart.
static void list_lone_sources(Plan *p, const Tape *tape)
{
    for EACH_CALL(c, p->s) {
        const Expr *of = flow_gradient(p->flow, c->call) == tape
                         ? call_argument(c->call, 1, "sources") : NULL;
        if (of == NULL || !value_is(scan_value(p->s, of), KIND_VARIABLE))
            continue;
        rewrite_around(p->t->rewrite, of->at, "[", "]");
        rewrite_insert(p->t->rewrite, c->call->at.end, "[0]");
    }
}

static void wrap_tape(Plan *p, const Tape *tape)
{
    check_inside(p, tape);
    list_lone_sources(p, tape);
    const char *name = tool_text(p->t, tape->item->optional_vars);
    plan_core(p);
    rewrite_after(p->t->rewrite, tape->with, tool_format(p->t,
        "%s = %s.DistributedGradientTape(%s)", name, p->hvd, name));
}

// ---- T1, of tf.distribute ----

// Whether gradients go to the optimizer as the tape gives them.
static bool is_plain(Plan *p, const Expr *e, int depth)
{
    bool passes = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME && e->call.args.len > 0 &&
                  (sym_is(e->call.func->name.id, "zip") || sym_is(e->call.func->name.id, "list"));
    if (passes && depth > 0)
        return is_plain(p, e->call.args.at[0], depth - 1);
    if (e->kind == EXPR_LIST) {
        bool plain = true;
        for (size_t i = 0; i < e->list.elts.len && plain; i++)
            plain = depth > 0 && is_plain(p, e->list.elts.at[i], depth - 1);
        return plain;
    }
    if (e->kind == EXPR_TUPLE && e->tuple.elts.len > 0 && depth > 0)
        return is_plain(p, e->tuple.elts.at[0], depth - 1);
    const Slot *slot = e->kind == EXPR_NAME ? scan_slot(p->s, e) : NULL;
    bool plain = slot != NULL && depth > 0;
    for EACH_BINDING(b, p->s, slot)
        plain = plain && is_plain(p, b->value, depth - 1);
    return plain || flow_gradient(p->flow, e) != NULL;
}

// The labels of the tapes whose gradients are averaged first: something is done with them before
// they are applied, or they are applied with such.
static uint64_t clipped_labels(Plan *p)
{
    enum { CHAIN = 12 };
    uint64_t clipped = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->s->calls.len; i++) {
            const Expr *given = applied_pairs(p, p->s->calls.at[i].call);
            uint64_t others = LABEL_FIRST_TAPE - 1;
            uint64_t labels = given == NULL ? 0 : flow_labels(p->flow, given) & ~others;
            bool first = (labels & ~clipped) != 0 &&
                         ((labels & clipped) != 0 || !is_plain(p, given, CHAIN));
            clipped |= first ? labels : 0;
            changed |= first;
        }
    }
    return clipped;
}

// An optimizer adds what replicas give it: what is averaged already is divided again.
static void average_first(Plan *p, uint64_t clipped)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call, *given = applied_pairs(p, call);
        const Tape *tape = flow_gradient(p->flow, call);
        if (tape != NULL && (tape->label & clipped) && !tape->nested)
            rewrite_around(p->t->rewrite, call->at, tool_format(p->t,
                "%s.distribute.get_replica_context().all_reduce(%s.distribute.ReduceOp.MEAN, ",
                p->tf, p->tf), ")");
        if (given == NULL || (flow_labels(p->flow, given) & clipped) == 0)
            continue;
        bool pairs = scan_method(p->s, call, KIND_OPTIMIZER, "apply") == NULL;
        rewrite_around(p->t->rewrite, given->at, tool_format(p->t,
            pairs ? "[(g / %s, v) for g, v in " : "[g / %s for g in ", p->size), "]");
    }
}

// Within the block of the tape, so that it records the division.
static void share_loss(Plan *p, const Tape *tape, const CallSite *c, const Expr *loss)
{
    StmtList body = tape->with->with.body;
    if (loss->kind != EXPR_NAME) {
        diag_help(diag_report(p->diags, loss->at, DIAG_REPLICA_STEP,
                              "the loss that is divided among the replicas is not a variable here"),
                  "assign the loss to a variable in the `with` block of the tape");
        return;
    }
    const char *name = tool_fresh(p->t, "replica_loss");
    const char *line = tool_format(p->t, "%s = %s / %s", name, tool_text(p->t, loss), p->size);
    rewrite_replace(p->t->rewrite, loss->at, name);
    if (scan_is_within(p->s, c->stmt, tape->with) && c->stmt != tape->with)
        rewrite_before(p->t->rewrite, c->stmt, line);
    else
        rewrite_after(p->t->rewrite, body.at[body.len - 1], line);
}

static void share(Plan *p, const Tape *tape)
{
    for EACH_CALL(c, p->s) {
        const Expr *loss = flow_gradient(p->flow, c->call) == tape
                           ? call_argument(c->call, 0, "target") : NULL;
        bool list = loss != NULL && loss->kind == EXPR_LIST;
        for (size_t k = 0; list && k < loss->list.elts.len; k++)
            share_loss(p, tape, c, loss->list.elts.at[k]);
        if (loss != NULL && !list)
            share_loss(p, tape, c, loss);
    }
}

static bool is_only_by_hand(Plan *p, const Tape *tape)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *given = applied_pairs(p, p->s->calls.at[i].call);
        if (given != NULL && (flow_labels(p->flow, given) & tape->label))
            return false;
    }
    return true;
}

void rule_tape(Plan *p)
{
    bool replicas = plan_framework(p) == FRAMEWORK_TF;
    uint64_t clipped = replicas ? clipped_labels(p) : 0;
    for (size_t i = 0; i < p->flow->tapes.len; i++) {
        Tape *tape = &p->flow->tapes.at[i];
        if (!replicas && is_of_fit(p, tape->with))
            continue;
        check_escapes(p, tape);
        if (tape->nested || !reaches_step(p, tape) || (replicas && is_only_by_hand(p, tape)))
            continue;
        plan_fire(p, "T1", tape->with->at);
        if (replicas && (tape->label & clipped) == 0)
            share(p, tape);
        else if (!replicas)
            wrap_tape(p, tape);
    }
    if (clipped)
        average_first(p, clipped);
}

// ---- T2, T3 ----

static const char *variables_of(Plan *p, const Expr *optimizer, const char *text)
{
    Value v = scan_value(p->s, optimizer);
    return path_is(v.path, "keras.optimizers.legacy.*")
           ? tool_format(p->t, "%s.variables()", text) : tool_format(p->t, "%s.variables", text);
}

// The flag that says that it has been done, and how it is set.
static const char *broadcast(Plan *p, const char *flag, bool local, const char *first,
                             const char *second)
{
    return tool_format(p->t,
        "%s%s%sif not %s:\n\t%s.broadcast_variables(%s, root_rank=0)\n"
        "\t%s.broadcast_variables(%s, root_rank=0)\n\t%s = True",
        local ? "global " : "", local ? flag : "", local ? "\n" : "", flag, p->hvd, first, p->hvd,
        second, flag);
}

static const char *new_flag(Plan *p)
{
    const char *flag = tool_fresh(p->t, "broadcast_done");
    plan_module_line(p, tool_format(p->t, "%s = False", flag));
    plan_core(p);
    return flag;
}

// One step for several optimizers or lists of variables: a set of the variables that are done.
static void broadcast_each(Plan *p, const Stmt *n, const char *pairs, const Expr *optimizer)
{
    const char *done = tool_fresh(p->t, "broadcast_done"), *o = tool_text(p->t, optimizer);
    plan_module_line(p, tool_format(p->t, "%s = set()", done));
    plan_core(p);
    rewrite_after(p->t->rewrite, n, tool_format(p->t,
        "if any(id(v) not in %s for _, v in %s):\n"
        "\t%s.broadcast_variables([v for _, v in %s], root_rank=0)\n"
        "\t%s.broadcast_variables(%s, root_rank=0)\n\t%s.update(id(v) for _, v in %s)", done,
        pairs, p->hvd, pairs, p->hvd, variables_of(p, optimizer, o), done, pairs));
}

typedef struct Parameters { Plan *p; bool found; } Parameters;

static bool see_parameter(void *cx, const Expr *e)
{
    Parameters *seen = cx;
    const Slot *slot = e->kind == EXPR_NAME ? scan_slot(seen->p->s, e) : NULL;
    seen->found |= slot != NULL && slot->parameter_of != NULL;
    return true;
}

// Whether it depends on what the callers of a function give.
static bool of_parameters(Plan *p, const Expr *e)
{
    Parameters seen = {p, false};
    const IrWalker w = {.cx = &seen, .expr = see_parameter};
    ir_walk_expr(&w, e);
    return seen.found;
}

static bool is_direct(const Stmt *n, const Expr *call)
{
    Sym x;
    return (n->kind == STMT_EXPR && n->expr.value == call) || stmt_strict_call(n, &x) == call ||
           (n->kind == STMT_RETURN && n->return_.value == call);
}

static void apply_eagerly(Plan *p, const CallSite *c, const Expr *optimizer)
{
    const Expr *pairs = applied_pairs(p, c->call);
    const char *z = tool_fresh(p->t, "grads_and_vars");
    if (pairs == NULL)
        return;
    rewrite_before(p->t->rewrite, c->stmt, tool_format(p->t, "%s = list(%s)", z,
                                                       rewrite_take(p->t->rewrite, pairs->at)));
    rewrite_replace(p->t->rewrite, pairs->at, z);
    if (of_parameters(p, pairs) || of_parameters(p, optimizer)) {
        broadcast_each(p, c->stmt, z, optimizer);
        return;
    }
    const char *o = tool_text(p->t, optimizer);
    rewrite_after(p->t->rewrite, c->stmt, broadcast(p, new_flag(p), c->in != NULL,
        tool_format(p->t, "[v for _, v in %s]", z), variables_of(p, optimizer, o)));
}

// Keras 3: `o.apply(grads, variables)`.
static void apply_plainly(Plan *p, const CallSite *c, const Expr *optimizer)
{
    const Expr *variables = call_argument(c->call, 1, "trainable_variables");
    const char *o = tool_text(p->t, optimizer);
    if (variables == NULL) {
        diag_help(diag_report(p->diags, c->call->at, DIAG_APPLY_UNKNOWN,
                              "this call does not say which variables it changes"),
                  "pass the variables: `apply(grads, model.trainable_variables)`");
        return;
    }
    rewrite_after(p->t->rewrite, c->stmt, broadcast(p, new_flag(p), c->in != NULL,
        tool_text(p->t, variables), variables_of(p, optimizer, o)));
}

static bool check_place(Plan *p, const CallSite *c)
{
    if (!is_direct(c->stmt, c->call) || c->stmt->kind == STMT_RETURN)
        diag_help(diag_report(p->diags, c->call->at, DIAG_APPLY_NESTED,
                              "the gradients are applied inside an expression"),
                  "make the call a separate statement");
    else
        return true;
    return false;
}

// `apply_gradients` of something whose class is not known: nothing about it would be changed.
static void refuse_unknown(Plan *p, const CallSite *c, const Expr *optimizer)
{
    const Expr *f = c->call->call.func;
    if (optimizer == NULL && f->kind == EXPR_ATTRIBUTE &&
        sym_is(f->attribute.attr, "apply_gradients") && !is_of_fit(p, c->stmt))
        diag_help(diag_report(p->diags, f->at, DIAG_OPTIMIZER_UNKNOWN,
                              "it is not known which optimizer this is"),
                  "create the optimizer in this script by calling its class");
}

void rule_apply(Plan *p)
{
    for EACH_CALL(c, p->s) {
        const Expr *pairs = scan_method(p->s, c->call, KIND_OPTIMIZER, "apply_gradients");
        const Expr *plain = scan_method(p->s, c->call, KIND_OPTIMIZER, "apply");
        const Expr *least = scan_method(p->s, c->call, KIND_OPTIMIZER, "minimize");
        if (least != NULL)
            diag_help(diag_report(p->diags, c->call->at, DIAG_APPLY_UNKNOWN,
                                  "`minimize` computes gradients without a tape, so they would not "
                                  "be averaged"),
                      "use a `GradientTape` and `apply_gradients`");
        refuse_unknown(p, c, pairs);
        if ((pairs == NULL && plain == NULL) || is_of_fit(p, c->stmt) || !check_place(p, c) ||
            (c->in != NULL && c->in->traced))
            continue;
        plan_fire(p, "T2", c->call->at);
        if (pairs != NULL)
            apply_eagerly(p, c, pairs);
        else
            apply_plainly(p, c, plain);
    }
}

// The variables of `zip(grads, variables)`, written as such.
static const Expr *zipped_variables(const Expr *pairs)
{
    if (pairs != NULL && pairs->kind == EXPR_CALL && pairs->call.func->kind == EXPR_NAME &&
        sym_is(pairs->call.func->name.id, "list") && pairs->call.args.len == 1)
        pairs = pairs->call.args.at[0];
    bool zip = pairs != NULL && pairs->kind == EXPR_CALL && pairs->call.func->kind == EXPR_NAME &&
               sym_is(pairs->call.func->name.id, "zip") && pairs->call.args.len == 2;
    return zip ? pairs->call.args.at[1] : NULL;
}

// An expression of a function as its caller writes it: names of the module stay, parameters become
// the arguments. NULL: it cannot be written there.
static const char *as_caller(Plan *p, const Func *f, const Expr *e, const CallSite *from)
{
    const Expr *root = e, *object = from->call->call.func;
    while (root->kind == EXPR_ATTRIBUTE)
        root = root->attribute.value;
    if (root->kind != EXPR_NAME)
        return NULL;
    const char *rest = arena_strndup(p->t->arena, p->t->cx->source->text.at + root->at.end,
                                     e->at.end - root->at.end);
    const Slot *slot = scan_slot(p->s, root);
    if (f->self == root->name.id && object->kind == EXPR_ATTRIBUTE)
        return tool_format(p->t, "%s%s", tool_text(p->t, object->attribute.value), rest);
    if (slot->block == p->s->scopes.module)
        return tool_text(p->t, e);
    const Arguments *a = f->def->function_def.args;
    for (size_t i = 0; i < a->args.len; i++) {
        size_t at = i - (f->class_ != NULL && i > 0 ? 1 : 0);
        const Expr *given = a->args.at[i]->arg == root->name.id
                            ? call_argument(from->call, at, root->name.id) : NULL;
        if (given != NULL)
            return tool_format(p->t, "%s%s", tool_text(p->t, given), rest);
    }
    return NULL;
}

static void broadcast_after(Plan *p, const CallSite *from, const CallSite *applied,
                            const Expr *optimizer)
{
    const Expr *variables = zipped_variables(applied_pairs(p, applied->call));
    const char *o = as_caller(p, applied->in, optimizer, from);
    const char *v = variables == NULL ? NULL : as_caller(p, applied->in, variables, from);
    if (o == NULL || v == NULL) {
        diag_help(diag_report(p->diags, applied->call->at, DIAG_APPLY_UNKNOWN,
                              "the variables that this step changes are not accessible outside the "
                              "step"),
                  "make the model and the optimizer variables of the module, and apply "
                  "`zip(grads, model.trainable_variables)`");
        return;
    }
    plan_fire(p, "T3", from->call->at);
    rewrite_after(p->t->rewrite, from->stmt, broadcast(p, new_flag(p), from->in != NULL, v,
                                                       variables_of(p, optimizer, o)));
}

// The outermost traced function is called from plain code.
static void leave_traced(Plan *p, const CallSite *applied, const Expr *optimizer)
{
    size_t found = 0;
    for EACH_CALL(from, p->s) {
        if (from->callee != applied->in || (from->in != NULL && from->in->traced))
            continue;
        found++;
        broadcast_after(p, from, applied, optimizer);
    }
    if (found == 0)
        diag_help(diag_report(p->diags, applied->call->at, DIAG_APPLY_UNKNOWN,
                              "the `tf.function` that contains this step is not called directly"),
                  "call the `tf.function` directly from the training loop");
}

void rule_traced(Plan *p)
{
    for EACH_CALL(c, p->s) {
        const Expr *o = scan_method(p->s, c->call, KIND_OPTIMIZER, "apply_gradients");
        const Stmt *loop = scan_loop(p->s, c->stmt);
        if (o == NULL || c->in == NULL || !c->in->traced || is_of_fit(p, c->stmt))
            continue;
        if (loop != NULL && loop->kind == STMT_FOR)
            diag_help(diag_report(p->diags, loop->at, DIAG_LOOP_TRACED,
                                  "the loop over the data runs inside a `tf.function`"),
                      "make only one step a `tf.function`, and call it from a loop outside");
        else
            leave_traced(p, c, o);
    }
}

// ---- T4 ----

// `v.assign_sub(rate * g)`: a product with the gradient.
static const Expr *manual_rate(Plan *p, const Expr *e)
{
    if (e == NULL || e->kind != EXPR_BIN_OP || e->bin_op.op != OPERATOR_MULT)
        return NULL;
    bool left = flow_labels(p->flow, e->bin_op.left) >= LABEL_FIRST_TAPE;
    bool right = flow_labels(p->flow, e->bin_op.right) >= LABEL_FIRST_TAPE;
    return right && !left ? e->bin_op.left : left && !right ? e->bin_op.right : NULL;
}

// What replicas assign to the variables of the file is averaged.
static void average_variables(Plan *p, bool first)
{
    for (size_t i = 0; first && i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        if (path_is(scan_value(p->s, call->call.func).path, "tf.Variable"))
            rewrite_argument(p->t->rewrite, call, tool_format(p->t,
                "aggregation=%s.VariableAggregation.MEAN", p->tf));
    }
}

void rule_manual(Plan *p)
{
    size_t found = 0;
    for EACH_CALL(c, p->s) {
        const Expr *of = c->call->call.func;
        const Expr *by = call_positional(c->call, 0);
        if (of->kind != EXPR_ATTRIBUTE || !sym_is(of->attribute.attr, "assign_sub") || by == NULL ||
            flow_labels(p->flow, by) < LABEL_FIRST_TAPE)
            continue;
        const Expr *rate = manual_rate(p, by);
        bool replicas = plan_framework(p) == FRAMEWORK_TF;
        if (rate == NULL || (!replicas && c->in != NULL && c->in->traced)) {
            diag_help(diag_report(p->diags, c->call->at, DIAG_APPLY_UNKNOWN,
                                  rate == NULL ? "this update is not `learning_rate * gradient`"
                                  : "this update runs inside a `tf.function`"),
                      "write `v.assign_sub(rate * gradient)`%s",
                      replicas ? "" : " outside of every `tf.function`");
            continue;
        }
        if (replicas) {
            plan_fire(p, "T4", c->call->at);
            plan_scale(p, rate);
            average_variables(p, found++ == 0);
            continue;
        }
        const char *done = tool_fresh(p->t, "broadcast_done");
        const char *v = tool_text(p->t, of->attribute.value);
        plan_fire(p, "T4", c->call->at);
        plan_core(p);
        plan_module_line(p, tool_format(p->t, "%s = set()", done));
        plan_scale(p, rate);
        rewrite_before(p->t->rewrite, c->stmt, tool_format(p->t,
            "if id(%s) not in %s:\n\t%s.broadcast_variables([%s], root_rank=0)\n\t%s.add(id(%s))",
            v, done, p->hvd, v, done, v));
    }
}
