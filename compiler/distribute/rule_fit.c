// rule_fit.c - K1-K3: training by `compile` and `fit`.

#include <string.h>

#include "compiler/distribute/plan.h"

// ---- K1 ----

typedef struct Named { const char *name, *class_, *rate; } Named;

static const Named NAMED[] = {
    {"adam", "Adam", "0.001"}, {"sgd", "SGD", "0.01"}, {"rmsprop", "RMSprop", "0.001"},
    {"adagrad", "Adagrad", "0.001"}, {"adadelta", "Adadelta", "0.001"},
    {"adamax", "Adamax", "0.001"}, {"nadam", "Nadam", "0.001"}, {"ftrl", "Ftrl", "0.001"},
};

static const Named *named(Text name)
{
    for (size_t i = 0; i < sizeof NAMED / sizeof *NAMED; i++) {
        size_t n = strlen(NAMED[i].name), k = 0;
        while (k < n && k < name.len && (name.at[k] | 32) == NAMED[i].name[k])
            k++;
        if (k == n && name.len == n)
            return &NAMED[i];
    }
    return NULL;
}

static const char *named_optimizer(Plan *p, const Named *o)
{
    const char *made = tool_format(p->t, "%s.keras.optimizers.%s(%s)", p->tf, o->class_,
                                   plan_scaled(p, o->rate));
    return plan_framework(p) == FRAMEWORK_TF ? made
           : tool_format(p->t, "%s.DistributedOptimizer(%s)", p->keras, made);
}

static void compile(Plan *p, const Expr *call)
{
    const Expr *o = call_argument(call, 0, "optimizer");
    plan_fire(p, "K1", call->at);
    if (o == NULL) {
        rewrite_argument(p->t->rewrite, call,
                         tool_format(p->t, "optimizer=%s", named_optimizer(p, &NAMED[2])));
        return;
    }
    bool text = o->kind == EXPR_CONSTANT && o->constant.value->kind == CONST_STR;
    const Named *name = text ? named(o->constant.value->text) : NULL;
    if (name != NULL)
        rewrite_replace(p->t->rewrite, o->at, named_optimizer(p, name));
    else if (!text && value_is(scan_value(p->s, o), KIND_OPTIMIZER) &&
             plan_framework(p) == FRAMEWORK_TF)
        return;
    else if (!text && value_is(scan_value(p->s, o), KIND_OPTIMIZER))
        rewrite_around(p->t->rewrite, o->at,
                       tool_format(p->t, "%s.DistributedOptimizer(", p->keras), ")");
    else
        diag_help(diag_report(p->diags, o->at, DIAG_OPTIMIZER_UNKNOWN,
                              "the class of this optimizer is not known"),
                  "pass the call of the optimizer's class, or a variable that is assigned such a "
                  "call, as in `optimizer=tf.keras.optimizers.SGD(0.1)`");
}

// `compile` with an optimizer of something that is not known to be a model.
static void refuse_unknown(Plan *p, const Expr *call)
{
    const Expr *f = call->call.func;
    if (f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "compile") &&
        value_is(scan_value(p->s, f->attribute.value), KIND_NONE) &&
        (call_keyword(call, "optimizer") != NULL || call_keyword(call, "loss") != NULL))
        diag_help(diag_report(p->diags, call->at, DIAG_OPTIMIZER_UNKNOWN,
                              "it is not known whether `%s` is a model",
                              tool_text(p->t, f->attribute.value)),
                  "create the model in this script, as in `model = tf.keras.Sequential(..)`, and "
                  "call `model.compile(..)` on that variable");
}

void rule_compile(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        if (scan_method(p->s, call, KIND_MODEL, "compile") == NULL)
            refuse_unknown(p, call);
        else if (p->fits)
            compile(p, call);
    }
}

// ---- K2 ----

// Callbacks that write files.
static bool is_of_rank_0(Plan *p, const Expr *e)
{
    static const char *const WRITING[] = {
        "keras.callbacks.ModelCheckpoint", "keras.callbacks.TensorBoard",
        "keras.callbacks.CSVLogger", "keras.callbacks.BackupAndRestore",
        "keras.callbacks.ProgbarLogger", NULL,
    };
    Value v = scan_value(p->s, e);
    return value_is(v, KIND_CALLBACK) && v.path != NULL && sym_is_one_of(v.path, WRITING);
}

static void guard_elements(Plan *p, ExprList elts)
{
    for (size_t i = 0; i < elts.len; i++)
        if (is_of_rank_0(p, elts.at[i]))
            rewrite_around(p->t->rewrite, elts.at[i]->at, "*([",
                           tool_format(p->t, "] if %s.rank() == 0 else [])", p->hvd));
}

// Everything that a list of callbacks is made of.
static void guard_list(Plan *p, const Slot *slot)
{
    for EACH_BINDING(b, p->s, slot)
        if (b->value->kind == EXPR_LIST)
            guard_elements(p, b->value->list.elts);
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call, *f = call->call.func;
        bool append = f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "append") &&
                      scan_slot(p->s, f->attribute.value) == slot;
        if (append && call->call.args.len == 1 && is_of_rank_0(p, call->call.args.at[0]))
            plan_guard(p, p->s->calls.at[i].stmt);
    }
}

static void add_callbacks(Plan *p, const Expr *call)
{
    const Expr *list = call_keyword(call, "callbacks");
    const char *own = tool_format(p->t, "%s.callbacks.BroadcastGlobalVariablesCallback(0), "
                                  "%s.callbacks.MetricAverageCallback()", p->keras, p->keras);
    bool none = list != NULL && list->kind == EXPR_CONSTANT;
    plan_fire(p, "K2", call->at);
    if (list == NULL) {
        rewrite_argument(p->t->rewrite, call, tool_format(p->t, "callbacks=[%s]", own));
    } else if (none) {
        rewrite_replace(p->t->rewrite, list->at, tool_format(p->t, "[%s]", own));
    } else if (list->kind == EXPR_LIST) {
        rewrite_insert(p->t->rewrite, list->at.start + 1,
                       tool_format(p->t, "%s%s", own, list->list.elts.len > 0 ? ", " : ""));
        guard_elements(p, list->list.elts);
    } else {
        rewrite_around(p->t->rewrite, list->at, tool_format(p->t, "[%s, *", own), "]");
        if (list->kind == EXPR_NAME || list->kind == EXPR_ATTRIBUTE)
            guard_list(p, scan_slot(p->s, list));
    }
}

// A schedule of the epoch alone gives absolute rates.
static void scale_scheduler(Plan *p, const Expr *call)
{
    if (!path_is(scan_value(p->s, call->call.func).path, "keras.callbacks.LearningRateScheduler"))
        return;
    const Expr *f = call_argument(call, 0, "schedule");
    Value v = scan_value(p->s, f);
    const Arguments *a = f != NULL && f->kind == EXPR_LAMBDA ? f->lambda.args
                         : v.func != NULL ? v.func->def->function_def.args : NULL;
    if (f == NULL || a == NULL || a->args.len != 1)
        diag_help(diag_report(p->diags, call->at, DIAG_OPTIMIZER_UNKNOWN,
                              "it is not known whether this schedule returns absolute rates"),
                  "use a function whose only parameter is the epoch");
    else if (*plan_rate_factor(p))
        rewrite_around(p->t->rewrite, f->at, "lambda epoch: (",
                       tool_format(p->t, ")(epoch)%s", plan_rate_factor(p)));
}

void rule_callbacks(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        if (scan_method(p->s, call, KIND_MODEL, "fit") != NULL)
            add_callbacks(p, call);
        scale_scheduler(p, call);
    }
}

// ---- K3 ----

void rule_verbose(Plan *p)
{
    static const char *const METHODS[] = {"fit", "evaluate", "predict"};
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        const char *rank = tool_format(p->t, " if %s.rank() == 0 else 0", p->hvd);
        bool shows = false;
        for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++)
            shows |= scan_method(p->s, call, KIND_MODEL, METHODS[k]) != NULL;
        const Expr *verbose = shows ? call_keyword(call, "verbose") : NULL;
        if (!shows || plan_guards(p, p->s->calls.at[i].stmt))
            continue;
        plan_fire(p, "K3", call->at);
        if (verbose != NULL)
            rewrite_insert(p->t->rewrite, verbose->at.end, rank);
        else
            rewrite_argument(p->t->rewrite, call, tool_format(p->t, "verbose='auto'%s", rank));
    }
}
