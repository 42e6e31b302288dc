// rule_session.c - V1, V2: the sessions of TensorFlow 1. The optimizer averages what it minimizes;
// the weights of rank 0 are told to all after the initializer, or by a hook.

#include <string.h>

#include "compiler/distribute/pipeline.h"

// A name of TensorFlow 1, as it is or by `tf.compat.v1`.
static bool is_v1(Plan *p, const Expr *e, const char *name)
{
    Sym path = e->kind == EXPR_CALL ? scan_value(p->s, e->call.func).path : NULL;
    const char *rest = path_is(path, "v1.*") || path_is(path, "tf.*") ? path + 3 : NULL;
    return rest != NULL && strcmp(rest, name) == 0;
}

// ---- what trains ----

// Whether what a session runs is an update: what `minimize` or `apply_gradients` gave.
static bool is_update(Plan *p, const Expr *e)
{
    ExprList list = e->kind == EXPR_LIST ? e->list.elts
                    : e->kind == EXPR_TUPLE ? e->tuple.elts : (ExprList){NULL, 0};
    for (size_t i = 0; i < list.len; i++)
        if (is_update(p, list.at[i]))
            return true;
    for EACH_BINDING(b, p->s, scan_slot(p->s, e))
        if (scan_method(p->s, b->value, KIND_OPTIMIZER_V1, "minimize") != NULL ||
            scan_method(p->s, b->value, KIND_OPTIMIZER_V1, "apply_gradients") != NULL)
            return true;
    return false;
}

static void divide_work(Plan *p, const CallSite *c)
{
    const Expr *what = call_argument(c->call, 0, "fetches");
    const Stmt *loop = scan_loop(p->s, c->stmt);
    if (what != NULL && is_update(p, what) && loop != NULL && loop->kind == STMT_FOR &&
        table_get(p->decided, loop) == NULL) {
        table_set(p->decided, loop, p);
        pipeline_check_slices(p, loop);
        pipeline_divide_rounds(p, loop);
    }
}

// ---- V1 ----

static bool is_initializer(Plan *p, const Expr *e)
{
    for EACH_BINDING(b, p->s, e->kind == EXPR_NAME ? scan_slot(p->s, e) : NULL)
        if (is_initializer(p, b->value))
            return true;
    return is_v1(p, e, "global_variables_initializer") || is_v1(p, e, "initialize_all_variables");
}

// `sess.run(init)`, `init.run()`.
static bool broadcast_session(Plan *p, const CallSite *c)
{
    const Expr *f = c->call->call.func, *what = call_argument(c->call, 0, "fetches");
    if (f->kind != EXPR_ATTRIBUTE || !sym_is(f->attribute.attr, "run"))
        return false;
    const char *all = tool_format(p->t, "%s.broadcast_global_variables(0)", p->hvd);
    bool own = is_initializer(p, f->attribute.value);
    if (!own && (what == NULL || !is_initializer(p, what)))
        return false;
    plan_core(p);
    rewrite_after(p->t->rewrite, c->stmt, own ? tool_format(p->t, "%s.run()", all)
                  : tool_format(p->t, "%s.run(%s)", tool_text(p->t, f->attribute.value), all));
    return true;
}

// The module of a class that is called: `tf` of `tf.Session` and of `tf.train.MonitoredSession`.
static const char *module_text(Plan *p, const Expr *f)
{
    if (f->kind != EXPR_ATTRIBUTE)
        return tool_format(p->t, "%s.compat.v1", p->tf);
    f = f->attribute.value;
    if (f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "train"))
        f = f->attribute.value;
    return tool_text(p->t, f);
}

static void pin_device(Plan *p, const Expr *call)
{
    const char *device = tool_format(p->t, "visible_device_list=str(%s.local_rank())", p->hvd);
    const Expr *config = call_keyword(call, "config");
    const char *module = module_text(p, call->call.func);
    if (config == NULL)
        rewrite_argument(p->t->rewrite, call, tool_format(p->t,
            "config=%s.ConfigProto(gpu_options=%s.GPUOptions(%s))", module, module, device));
    for EACH_BINDING(b, p->s, scan_slot(p->s, config))
        if (b->slot->block != NULL && b->stmt != NULL && is_v1(p, b->value, "ConfigProto"))
            rewrite_after(p->t->rewrite, b->stmt, tool_format(p->t,
                "%s.gpu_options.visible_device_list = str(%s.local_rank())", b->slot->name,
                p->hvd));
}

void rule_session(Plan *p)
{
    bool told = false;
    const Expr *session = NULL;
    for (size_t i = 0; i < p->s->calls.len && p->sessions; i++) {
        const CallSite *c = &p->s->calls.at[i];
        divide_work(p, c);
        told |= broadcast_session(p, c);
        if (scan_value(p->s, c->call).kind == KIND_OPTIMIZER_V1 &&
            scan_value(p->s, c->call->call.func).kind == KIND_NONE) {
            plan_fire(p, "V1", c->call->at);
            plan_core(p);
            rewrite_around(p->t->rewrite, c->call->at,
                           tool_format(p->t, "%s.DistributedOptimizer(", p->hvd), ")");
        }
        if (is_v1(p, c->call, "Session") || is_v1(p, c->call, "InteractiveSession")) {
            session = c->call;
            pin_device(p, c->call);
        }
    }
    if (session != NULL && !told)
        diag_help(diag_report(p->diags, session->at, DIAG_APPLY_UNKNOWN,
                              "it is not known where this session initializes the variables"),
                  "write `sess.run(tf.global_variables_initializer())`");
}

// ---- V2 ----

static void add_hook(Plan *p, const Expr *call)
{
    const Expr *hooks = call_keyword(call, "hooks"), *folder = call_keyword(call, "checkpoint_dir");
    const char *own = tool_format(p->t, "%s.BroadcastGlobalVariablesHook(0)", p->hvd);
    plan_fire(p, "V2", call->at);
    plan_core(p);
    if (hooks == NULL)
        rewrite_argument(p->t->rewrite, call, tool_format(p->t, "hooks=[%s]", own));
    else if (hooks->kind == EXPR_LIST)
        rewrite_insert(p->t->rewrite, hooks->at.start + 1,
                       tool_format(p->t, "%s%s", own, hooks->list.elts.len > 0 ? ", " : ""));
    else
        rewrite_around(p->t->rewrite, hooks->at, tool_format(p->t, "[%s, *", own), "]");
    if (folder != NULL)
        rewrite_insert(p->t->rewrite, folder->at.end, tool_format(p->t, " if %s else None",
                                                                  p->main));
    pin_device(p, call);
}

void rule_monitored(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len && p->sessions; i++) {
        const Expr *call = p->s->calls.at[i].call;
        if (is_v1(p, call, "train.MonitoredTrainingSession"))
            add_hook(p, call);
        const Expr *last = call_argument(call, 1, "last_step");
        const Expr *steps = last != NULL ? last : call_argument(call, 0, "num_steps");
        if (is_v1(p, call, "train.StopAtStepHook") && steps != NULL)
            pipeline_divide_count(p, steps);
    }
}
