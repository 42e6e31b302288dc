// ddp_train.c - P-lr, P-metric, P-accum, P-load: what a training loop computes with shares.

#include <string.h>

#include "compiler/distribute/ddp.h"

// ---- P-lr ----

typedef struct Rate { const char *path, *rate; } Rate;

// The learning rates that the classes have by themselves.
static const Rate RATES[] = {
    {"torch.optim.Adagrad", "0.01"}, {"torch.optim.Adadelta", "1.0"},
    {"torch.optim.RMSprop", "0.01"}, {"torch.optim.Adamax", "0.002"},
    {"torch.optim.NAdam", "0.002"}, {"torch.optim.ASGD", "0.01"}, {"torch.optim.Rprop", "0.01"},
    {"torch.optim.*", "0.001"},
};

static bool is_number(const Plan *p, const Expr *e)
{
    return e->kind != EXPR_STARRED && e->kind != EXPR_LAMBDA && e->kind != EXPR_LIST &&
           scan_value(p->s, e).kind == KIND_NONE && scan_value(p->s, e).func == NULL;
}

static void scale(Plan *p, const Expr *rate)
{
    if (rate == NULL || table_get(p->t->taken, rate) != NULL)
        return;
    table_set(p->t->taken, rate, p);
    if (!is_number(p, rate)) {
        diag_help(diag_report(p->diags, rate->at, DIAG_OPTIMIZER_UNKNOWN,
                              "it is not known whether this learning rate is a number"),
                  "use a number, or a variable that holds a number");
        return;
    }
    plan_fire(p, "P-lr", rate->at);
    plan_scale(p, rate);
}

static bool is_rate_key(const Expr *key)
{
    return key != NULL && key->kind == EXPR_CONSTANT && key->constant.value->kind == CONST_STR &&
           key->constant.value->text.len == 2 && memcmp(key->constant.value->text.at, "lr", 2) == 0;
}

static bool see_group(void *cx, const Expr *e)
{
    for (size_t i = 0; e->kind == EXPR_DICT && i < e->dict.keys.len; i++)
        if (is_rate_key(e->dict.keys.at[i]))
            scale(cx, e->dict.values.at[i]);
    return true;
}

static void scale_optimizer(Plan *p, const Expr *call)
{
    Sym path = scan_value(p->s, call->call.func).path;
    const Expr *rate = call_argument(call, 1, "lr"), *groups = call->call.args.at[0];
    const IrWalker w = {.cx = p, .expr = see_group};
    size_t i = 0;
    ir_walk_expr(&w, groups);
    for EACH_BINDING(b, p->s, groups->kind == EXPR_NAME ? scan_slot(p->s, groups) : NULL)
        ir_walk_expr(&w, b->value);
    bool adam = strstr(path, "Adam") != NULL;
    if (adam && p->t->cx->options.scale == SCALE_LINEAR)
        diag_report(p->diags, call->at, DIAG_ADAM_SCALED,
                    "optimizers such as Adam rarely need a linearly scaled learning rate; see "
                    "`--lr-scale`");
    if (rate != NULL) {
        scale(p, rate);
        return;
    }
    for (size_t k = 0; k < call->call.keywords.len; k++)
        if (call->call.keywords.at[k]->arg == NULL) {
            diag_help(diag_report(p->diags, call->at, DIAG_OPTIMIZER_UNKNOWN,
                                  "the learning rate is not known"), "pass the learning rate as "
                                                                     "`lr=`");
            return;
        }
    while (!path_is(path, RATES[i].path))
        i++;
    const char *factor = plan_rate_factor(p);
    plan_fire(p, "P-lr", call->at);
    if (*factor)
        rewrite_argument(p->t->rewrite, call, tool_format(p->t, "lr=%s%s", RATES[i].rate, factor));
}

// Schedules that have rates or numbers of steps of their own; `by_batch`: stepped with each batch.
static void scale_schedule(Plan *p, const Expr *call, bool by_batch)
{
    static const char *const RATE[] = {"max_lr", "base_lr", "eta_min", "min_lr"};
    static const char *const STEPS[] = {"step_size", "T_max", "T_0", "total_steps", "total_iters",
                                        "step_size_up", "step_size_down"};
    Sym path = scan_value(p->s, call->call.func).path;
    for (size_t i = 0; i < sizeof RATE / sizeof *RATE; i++) {
        const Expr *e = call_keyword(call, RATE[i]);
        if (e == NULL && i == 0 && path_is(path, "torch.optim.lr_scheduler.OneCycleLR"))
            e = call_positional(call, 1);
        if (e != NULL && e->kind != EXPR_LIST)
            scale(p, e);
    }
    for (size_t i = 0; by_batch && i < sizeof STEPS / sizeof *STEPS; i++) {
        const Expr *e = call_keyword(call, STEPS[i]);
        bool first = (i == 0 && path_is(path, "torch.optim.lr_scheduler.StepLR")) ||
                     (i == 1 && path_is(path, "torch.optim.lr_scheduler.CosineAnnealingLR"));
        if (e == NULL && first)
            e = call_positional(call, 1);
        if (e == NULL || strstr(tool_text(p->t, e), "len(") != NULL)    // it counts the share
            continue;
        plan_fire(p, "P-lr", e->at);
        rewrite_insert(p->t->rewrite, e->at.start, "max(1, ");
        tool_factor(p->t, e, tool_format(p->t, " // %s)", p->size));
    }
}

static bool is_stepped_by_batch(Plan *p, const Expr *schedule)
{
    const Slot *slot = NULL;
    for (size_t i = 0; i < p->s->bindings.len; i++)
        if (p->s->bindings.at[i].value == schedule)
            slot = p->s->bindings.at[i].slot;
    for (size_t i = 0; slot != NULL && i < p->s->calls.len; i++) {
        const CallSite *c = &p->s->calls.at[i];
        const Expr *of = scan_method(p->s, c->call, KIND_STEP_SCHEDULE, "step");
        const Slot *own = of == NULL ? NULL : scan_slot(p->s, of);
        if (own == NULL || (own != slot && own->parameter_of == NULL))
            continue;
        for (const Stmt *n = scan_loop(p->s, c->stmt); n != NULL; n = scan_loop(p->s, n))
            if (ddp_loop(p, n) != NULL)
                return true;
    }
    return false;
}

// A rate that is computed of the one before.
static bool see_before(void *cx, const Expr *e)
{
    bool *found = cx;
    *found |= (e->kind == EXPR_SUBSCRIPT && is_rate_key(e->subscript.slice)) ||
              (e->kind == EXPR_ATTRIBUTE && sym_is(e->attribute.attr, "get_last_lr"));
    return true;
}

// `group['lr'] = e`.
static void scale_later(Plan *p, const Stmt *n)
{
    const Expr *to = n->kind == STMT_ASSIGN ? n->assign.targets.at[0] : NULL;
    bool relative = false;
    const IrWalker w = {.cx = &relative, .expr = see_before};
    if (to == NULL || to->kind != EXPR_SUBSCRIPT || !is_rate_key(to->subscript.slice))
        return;
    const Expr *value = n->assign.value;
    ir_walk_expr(&w, value);
    for EACH_BINDING(b, p->s, value->kind == EXPR_NAME ? scan_slot(p->s, value) : NULL)
        ir_walk_expr(&w, b->value);
    if (!relative)
        scale(p, value);
}

void rule_ddp_rate(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        Value v = scan_value(p->s, call);
        if (ddp_is_optimizer(p, call))
            scale_optimizer(p, call);
        else if (value_is(v, KIND_STEP_SCHEDULE) && scan_value(p->s, call->call.func).path != NULL)
            scale_schedule(p, call, is_stepped_by_batch(p, call));
        const Expr *seen = scan_method(p->s, call, KIND_STEP_SCHEDULE, "step") != NULL
                           ? call_positional(call, 0) : NULL;
        if (seen != NULL && flow_is_own(p->flow, seen)) {       // all take the same decision
            plan_core(p);
            rewrite_around(p->t->rewrite, seen->at, tool_format(p->t, "%s(", p->agree), ")");
        }
    }
    for (size_t i = 0; i < p->s->stmts.len; i++)
        scale_later(p, p->s->stmts.at[i]);
}

// ---- P-metric ----

// In the same list, past `with` around the loop.
static bool is_beside(Plan *p, const StmtInfo *info, const Stmt *loop)
{
    const StmtInfo *list = scan_info(p->s, loop);
    while (list->kind == BODY_WITH && (info->parent != list->parent || info->kind != list->kind))
        list = scan_info(p->s, list->parent);
    return info->parent == list->parent && info->kind == list->kind;
}

static bool is_constant_before(Plan *p, const Stmt *loop, const Slot *slot)
{
    for EACH_BINDING(b, p->s, slot) {
        const StmtInfo *info = b->stmt == NULL ? NULL : scan_info(p->s, b->stmt);
        bool zero = b->value->kind == EXPR_CONSTANT &&
                    (b->value->constant.value->kind == CONST_INT ||
                     b->value->constant.value->kind == CONST_FLOAT);
        if (zero && info != NULL && b->stmt->at.end <= loop->at.start &&
            is_beside(p, info, loop))
            return true;
    }
    return false;
}

static const Stmt *function_of(const Plan *p, const Stmt *n)
{
    const Func *f = scan_info(p->s, n)->in;
    return f == NULL ? NULL : f->def;
}

// Also set again within the loop (`running_loss = 0.0` after it was printed): then what is left
// after the loop is of the last few batches only.
static bool is_reset_within(Plan *p, const Stmt *loop, const Slot *slot)
{
    for EACH_BINDING(b, p->s, slot)
        if (b->how == BIND_VALUE && b->stmt != NULL && scan_is_within(p->s, b->stmt, loop))
            return true;
    return false;
}

// A sum over a loop: set before it in the same list, added to in it, read after it.
static bool is_sum(Plan *p, const Stmt *loop, const Slot *slot)
{
    return is_constant_before(p, loop, slot) && !is_reset_within(p, loop, slot) &&
           plan_is_read(p, slot, loop->at.end, function_of(p, loop));
}

typedef struct Mean {
    Plan *p;
    const Stmt *loop;
    Table *sums, *done;
    bool holds, mixed;
    bool shares;                // something is divided by the batches of a share
    bool divides;               // it is divided by those of all, if it is one of the sums
} Mean;

static bool see_held(void *cx, const Expr *e)
{
    Mean *m = cx;
    const Slot *slot = scan_slot(m->p->s, e);
    m->holds |= slot != NULL && table_get(m->sums, slot) != NULL;
    return true;
}

static bool holds_sum(Mean *m, const Expr *e)
{
    const IrWalker w = {.cx = m, .expr = see_held};
    m->holds = false;
    ir_walk_expr(&w, e);
    return m->holds;
}

// `loader.sampler` and `loader.batch_sampler` have the length of the share, too.
static const Expr *sampled(const Expr *e)
{
    static const char *const SAMPLERS[] = {"sampler", "batch_sampler", NULL};
    return e->kind == EXPR_ATTRIBUTE && sym_is_one_of(e->attribute.attr, SAMPLERS)
           ? e->attribute.value : e;
}

// How many batches the process had: `len(loader)`, the number of an enumeration.
static bool counts_share(Mean *m, const Expr *e)
{
    Plan *p = m->p;
    const Expr *iter = m->loop->for_.iter, *to = m->loop->for_.target;
    if (call_is_name(e, "len") && e->call.args.len == 1)
        return ddp_is_divided(p, sampled(e->call.args.at[0]));
    if (e->kind == EXPR_BIN_OP)
        return counts_share(m, e->bin_op.left) || counts_share(m, e->bin_op.right);
    const Expr *number = call_is_name(iter, "enumerate") &&
                         to->kind == EXPR_TUPLE && to->tuple.elts.len > 0 ? to->tuple.elts.at[0]
                                                                          : NULL;
    return number != NULL && e->kind == EXPR_NAME && number->kind == EXPR_NAME &&
           scan_slot(p->s, number) == scan_slot(p->s, e);
}

static void divide(Mean *m, const Expr *of, const Expr *by)
{
    if (by->at.start < m->loop->at.end || !counts_share(m, by))
        return;
    m->shares = true;
    if (!m->divides || table_get(m->done, by) != NULL || !holds_sum(m, of))
        return;
    table_set(m->done, by, m);
    rewrite_insert(m->p->t->rewrite, by->at.start, "(");
    tool_factor(m->p->t, by, tool_format(m->p->t, " * %s)", m->p->size));
    if (m->mixed)
        diag_help(diag_report(m->p->diags, by->at, DIAG_STEPS_UNEQUAL,
                              "this loop runs on divided and on undivided data, so the divisor of "
                              "this mean is not known"),
                  "count the samples in the loop, and divide by this number");
}

// `total /= len(loader)`.
static bool see_division(void *cx, const Stmt *n)
{
    if (n->kind == STMT_AUG_ASSIGN && n->aug_assign.op == OPERATOR_DIV)
        divide(cx, n->aug_assign.target, n->aug_assign.value);
    return true;
}

static bool see_quotient(void *cx, const Expr *e)
{
    if (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_DIV)
        divide(cx, e->bin_op.left, e->bin_op.right);
    return true;
}

static void see_divisions(Mean *m)
{
    const IrWalker w = {.cx = m, .expr = see_quotient, .stmt = see_division};
    const Stmt *f = function_of(m->p, m->loop);
    if (f != NULL)
        ir_walk_stmt(&w, f);
    else
        ir_walk_unit(&w, m->p->t->cx->unit);
}

static void sum_loop(Plan *p, const BatchLoop *batches, Table *done)
{
    const Stmt *loop = batches->loop;
    const Expr *mixed = ddp_mixed(p, batches);
    Mean m = {.p = p, .loop = loop, .sums = table_new(p->t->arena), .done = done,
              .mixed = mixed != NULL};
    see_divisions(&m);
    if (m.shares && !plan_trains(p, loop))      // the mean of a share is a mean
        return;
    for (size_t i = 0; i < p->s->bindings.len; i++) {
        const Binding *b = &p->s->bindings.at[i];
        const Expr *to = b->stmt != NULL && b->stmt->kind == STMT_AUG_ASSIGN
                         ? b->stmt->aug_assign.target : NULL;
        if (to == NULL || to->kind == EXPR_SUBSCRIPT || b->stmt->aug_assign.op != OPERATOR_ADD ||
            !scan_is_within(p->s, b->stmt, loop) || table_get(m.sums, b->slot) != NULL ||
            !is_sum(p, loop, b->slot))
            continue;
        table_set(m.sums, b->slot, p);
        p->ddp->sums = true;
        plan_fire(p, "P-metric", b->stmt->at);
        const char *line = tool_format(p->t, "%s = %s(%s)", tool_text(p->t, to), p->ddp->sum,
                                       tool_text(p->t, to));
        rewrite_after(p->t->rewrite, loop, mixed == NULL ? line : tool_format(p->t,
            "if isinstance(%s.sampler, %s):\n\t%s", tool_text(p->t, mixed), p->ddp->sampler, line));
    }
    m.divides = !table_empty(m.sums);
    if (m.divides)
        see_divisions(&m);
}

// Loops that test on the data that is trained on.
static void sum_tests(Plan *p, Table *done)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        BatchLoop loop = {.loop = n};
        if (n->kind != STMT_FOR || plan_trains(p, n) || !ddp_is_divided(p, n->for_.iter))
            continue;
        vec_push(p->t->arena, &loop.loaders, expr_unwrap(n->for_.iter));
        sum_loop(p, &loop, done);
    }
}

void rule_ddp_metric(Plan *p)
{
    Table *done = table_new(p->t->arena);
    for (size_t i = 0; i < p->ddp->loops.len; i++)
        if (p->ddp->loops.at[i].loop->kind == STMT_FOR && !p->ddp->random)
            sum_loop(p, &p->ddp->loops.at[i], done);
    sum_tests(p, done);
}

// ---- P-accum ----

// `if (i + 1) % 4 == 0: optimizer.step()` beside `loss.backward()` in the list of a loop.
static const Stmt *stepping(Plan *p, const Stmt *loop, StmtList body, size_t *backward)
{
    const Stmt *found = NULL;
    bool always = false;
    *backward = body.len;
    for EACH_CALL(c, p->s) {
        const Stmt *child = scan_is_within(p->s, c->stmt, loop) && c->stmt != loop
                            ? stmt_under(p, c->stmt, loop) : NULL;
        for (size_t k = 0; child != NULL && k < body.len; k++)
            if (body.at[k] == child && c->stmt == child && scan_backward(p->s, c->call))
                *backward = k;
        bool step = child != NULL && scan_method(p->s, c->call, KIND_STEPPER, "step") != NULL;
        if (step && child->kind == STMT_IF && child->if_.orelse.len == 0)
            found = child;
        else if (step)
            always = true;
    }
    return always || *backward == body.len ? NULL : found;
}

static const Expr *forward_in(Plan *p, const Stmt *n)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        if (call->at.start >= n->at.start && call->at.end <= n->at.end &&
            ddp_net(p, call->call.func) != NULL)
            return call->call.func;
    }
    return NULL;
}

static bool sets_name(const Plan *p, const Stmt *n, const Expr *test)
{
    for (size_t i = 0; i < p->s->bindings.len; i++) {
        const Binding *b = &p->s->bindings.at[i];
        if (b->stmt == n && strstr(tool_text(p->t, test), b->slot->name) != NULL)
            return true;
    }
    return false;
}

static void accumulate(Plan *p, const Stmt *loop)
{
    StmtList body = loop->for_.body;
    size_t last, first = 0;
    const Stmt *step = stepping(p, loop, body, &last);
    const Expr *model = NULL;
    if (step == NULL || step->at.start < body.at[last]->at.start)
        return;
    while (first <= last && (model = forward_in(p, body.at[first])) == NULL)
        first++;
    if (model == NULL || p->ddp->nets.len != 1)
        return;
    for (size_t i = first; i < body.len && body.at[i] != step; i++)
        if (sets_name(p, body.at[i], step->if_.test))
            return;
    for (size_t i = first; i <= last; i++)
        if (body.at[i]->kind != STMT_ASSIGN && body.at[i]->kind != STMT_EXPR &&
            body.at[i]->kind != STMT_AUG_ASSIGN && body.at[i]->kind != STMT_WITH)
            return;
    const char *null = tool_fresh(p->t, "nullcontext");
    const char *header = tool_format(p->t, "with %s() if %s else %s.no_sync():", null,
                                     tool_text(p->t, step->if_.test), tool_text(p->t, model));
    plan_fire(p, "P-accum", step->at);
    p->ddp->nothing = null;
    for (size_t i = first; i <= last; i++)
        rewrite_guard(p->t->rewrite, body.at[i], header, NULL);
}

void rule_ddp_accum(Plan *p)
{
    for (size_t i = 0; i < p->ddp->loops.len; i++)
        if (p->ddp->loops.at[i].loop->kind == STMT_FOR)
            accumulate(p, p->ddp->loops.at[i].loop);
}

// ---- P-save ----

// `writer.add_scalar(...)`, and the writer itself.
static void guard_board(Plan *p, const CallSite *c)
{
    const Expr *f = c->call->call.func;
    bool made = value_is(scan_value(p->s, c->call), KIND_BOARD) &&
                scan_value(p->s, f).path != NULL;
    bool used = f->kind == EXPR_ATTRIBUTE &&
                value_is(scan_value(p->s, f->attribute.value), KIND_BOARD);
    if (!made && !used)
        return;
    plan_fire(p, "P-save", c->call->at);
    if (c->stmt->kind == STMT_EXPR && c->stmt->expr.value == c->call)
        plan_guard(p, c->stmt);
    else
        rewrite_around(p->t->rewrite, c->call->at, "(",
                       tool_format(p->t, " if %s else None)", p->main));
}

// Rank 0 downloads; the others find the files.
static void download_once(Plan *p, const CallSite *c)
{
    const Expr *wanted = call_keyword(c->call, "download");
    if (wanted == NULL || (wanted->kind == EXPR_CONSTANT && !wanted->constant.value->truth) ||
        c->callee != NULL)
        return;
    const char *text = tool_text(p->t, c->call);
    plan_fire(p, "P-save", c->call->at);
    rewrite_before(p->t->rewrite, c->stmt, tool_format(p->t, "if %s:\n\t%s\n%s", p->main,
                                                       text, plan_wait(p)));
}

void rule_ddp_save(Plan *p)
{
    rule_write(p);
    for (size_t i = 0; i < p->s->calls.len; i++) {
        guard_board(p, &p->s->calls.at[i]);
        download_once(p, &p->s->calls.at[i]);
    }
}

// ---- P-load ----

void rule_ddp_load(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        if (!path_is(scan_value(p->s, call->call.func).path, "torch.load") ||
            call_argument(call, 1, "map_location") != NULL)
            continue;
        plan_fire(p, "P-load", call->at);
        rewrite_argument(p->t->rewrite, call, "map_location='cpu'");
    }
}
