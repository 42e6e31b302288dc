// rule_strategy.c - tf.distribute and keras.distribution: batches for all replicas, what is made
// in the scope of the strategy, the backend.

#include <string.h>

#include "compiler/distribute/pipeline.h"

// ---- X1 ----

static size_t batch_step(const Pipeline *l)
{
    size_t i = 0;
    while (i < l->steps.len && !sym_is(pipeline_method(l->steps.at[i]), "batch"))
        i++;
    return i;
}

// The last batch must divide among the replicas: one that gets nothing has no loss.
static void divide_evenly(Plan *p, const Pipeline *l, size_t at)
{
    const Expr *batch = l->steps.at[at], *last, *drop = call_argument(batch, 1, "drop_remainder");
    Pipeline before = *l;
    before.steps.at += at + 1;
    before.steps.len -= at + 1;
    Length length = pipeline_length(&before, &last);
    if (drop != NULL && drop->kind == EXPR_CONSTANT &&
        drop->constant.value->kind == CONST_BOOL && drop->constant.value->truth)
        diag_report(p->diags, batch->at, DIAG_SHARD_SMALL,
                    "with `drop_remainder`, a dataset smaller than the global batch is not used");
    else if (length == LENGTH_EQUAL)
        rewrite_insert(p->t->rewrite, batch->call.func->attribute.value->at.end, tool_format(p->t,
            ".apply(lambda d: d.take(d.cardinality() // %s * %s))", p->size, p->size));
    else if (length == LENGTH_UNKNOWN && drop != NULL)
        rewrite_replace(p->t->rewrite, drop->at, "True");
    else if (length == LENGTH_UNKNOWN)
        rewrite_argument(p->t->rewrite, batch, "drop_remainder=True");
}

static void enlarge(Plan *p, const Expr *size)
{
    bool plain = size->kind == EXPR_CONSTANT || size->kind == EXPR_NAME;
    if (plan_framework(p) == FRAMEWORK_KERAS)           // the next size that divides
        rewrite_around(p->t->rewrite, size->at, plain ? "-(-" : "-(-(",
                       tool_format(p->t, "%s // %s) * %s", plain ? "" : ")", p->size, p->size));
    else
        tool_factor(p->t, size, tool_format(p->t, " * %s", p->size));
}

static void enlarge_batch(Plan *p, Pipeline *l, const Expr *use)
{
    size_t at = batch_step(l);
    const Expr *size = at < l->steps.len ? call_argument(l->steps.at[at], 0, "batch_size") : NULL;
    if (size == NULL) {
        diag_help(diag_report(p->diags, use->at, DIAG_STEPS_UNEQUAL,
                              "this file does not create the batches that are divided among the "
                              "replicas"),
                  "create the batches with the `batch` method of the dataset");
        return;
    }
    if (table_get(p->t->taken, size) != NULL)           // two loops over one dataset
        return;
    table_set(p->t->taken, size, p);
    plan_fire(p, "X1", l->steps.at[at]->at);
    enlarge(p, size);
    divide_evenly(p, l, at);
}

// `fit` adds up the first batches of all replicas to see their shape.
static void enlarge_validation(Plan *p, const Expr *call)
{
    const Expr *data = call_keyword(call, "validation_data");
    Pipeline *l = data != NULL && pipeline_is_data(p, data) ? pipeline_of(p, data) : NULL;
    size_t at = l != NULL ? batch_step(l) : 0;
    const Expr *step = l != NULL && at < l->steps.len ? l->steps.at[at] : NULL;
    const Expr *size = step != NULL ? call_argument(step, 0, "batch_size") : NULL;
    if (size == NULL || table_get(p->t->taken, size) != NULL)
        return;
    table_set(p->t->taken, size, p);
    enlarge(p, size);
}

static void enlarge_size(Plan *p, const Expr *call, const char *name, bool always)
{
    const Expr *size = call_keyword(call, name);
    if (size != NULL && !expr_is_none(size))
        enlarge(p, size);
    else if (size == NULL && always)
        rewrite_argument(p->t->rewrite, call, tool_format(p->t,
            plan_framework(p) == FRAMEWORK_KERAS ? "%s=-(-32 // %s) * %s" : "%s=32 * %s", name,
            p->size, p->size));
}

static void divide_arrays(Plan *p, const Expr *call, const Expr *x, const Expr *y)
{
    pipeline_divide_array(p, x);
    pipeline_divide_array(p, y);
    pipeline_divide_array(p, call_keyword(call, "sample_weight"));
}

// `fit` of arrays makes the batches.
static void enlarge_fit(Plan *p, const Expr *call)
{
    const Expr *x = call_argument(call, 0, "x");
    if (x == NULL || pipeline_is_data(p, x))
        return;
    Value v = scan_value(p->s, x);
    if (v.kind != KIND_NONE || v.func != NULL) {
        diag_help(diag_report(p->diags, x->at, DIAG_STEPS_UNEQUAL,
                              "the number of elements in a batch of this data is not known"),
                  "pass an array or a `tf.data.Dataset` that this script creates");
        return;
    }
    plan_fire(p, "X1", call->at);
    enlarge_size(p, call, "batch_size", true);
    if (plan_framework(p) == FRAMEWORK_KERAS)
        divide_arrays(p, call, x, call_argument(call, 1, "y"));
}

// Keras divides each batch of every other data, too; none may be left that does not divide.
static void divide_tested(Plan *p, const Expr *call, const Expr *data)
{
    bool pair = data->kind == EXPR_TUPLE && data->tuple.elts.len == 2;
    if (pipeline_is_data(p, data)) {
        enlarge_batch(p, pipeline_of(p, data), data);
    } else if (pair) {
        divide_arrays(p, call, data->tuple.elts.at[0], data->tuple.elts.at[1]);
        enlarge_size(p, call, "validation_batch_size", false);
    } else {
        divide_arrays(p, call, data, call_argument(call, 1, "y"));
        enlarge_size(p, call, "batch_size", true);
    }
    diag_report(p->diags, data->at, DIAG_SHARD_SMALL,
                "the last elements are not used if their number is not a multiple of the number of "
                "devices");
}

static void divide_tests(Plan *p, const Expr *call)
{
    const Expr *x = scan_method(p->s, call, KIND_MODEL, "evaluate") != NULL
                    ? call_argument(call, 0, "x") : NULL;
    const Expr *predict = scan_method(p->s, call, KIND_MODEL, "predict");
    const Expr *split = call_keyword(call, "validation_split");
    const Expr *tested = scan_method(p->s, call, KIND_MODEL, "fit") != NULL
                         ? call_keyword(call, "validation_data") : x;
    if (tested != NULL && !expr_is_none(tested))
        divide_tested(p, call, tested);
    if (predict != NULL || (split != NULL && tested == NULL))
        diag_help(diag_report(p->diags, predict != NULL ? call->at : split->at,
                              DIAG_STEPS_UNEQUAL, "it is not known whether the size of this data "
                                                  "is a multiple of the number of devices"),
                  predict != NULL ? "move the prediction to a separate script"
                                  : "split the arrays before the call, and pass `validation_data`");
}

void rule_batch(Plan *p)
{
    pipeline_each(p, enlarge_batch);
    for EACH_CALL(c, p->s) {
        if (plan_framework(p) == FRAMEWORK_KERAS)
            divide_tests(p, c->call);
        if (scan_method(p->s, c->call, KIND_MODEL, "fit") == NULL)
            continue;
        if (p->t->cx->options.many_hosts)
            diag_help(diag_report(p->diags, c->call->at, DIAG_WORKERS_FIT,
                                  "Keras 3 does not support `fit` on several hosts"),
                      "remove `--workers`, or use `--target=horovod`");
        enlarge_fit(p, c->call);
        if (plan_framework(p) == FRAMEWORK_TF)
            enlarge_validation(p, c->call);
    }
}

// ---- X3 ----

static bool is_made(Value v)
{
    return v.kind == KIND_MODEL || v.kind == KIND_LAYER || v.kind == KIND_OPTIMIZER ||
           v.kind == KIND_METRIC || v.kind == KIND_VARIABLE || v.kind == KIND_CHECKPOINT ||
           v.kind == KIND_SCHEDULE;
}

// A variable that is not trained; one of the scope has no `int`.
static bool is_counter(const Expr *call)
{
    const Expr *first = call_argument(call, 0, "initial_value");
    const Expr *trainable = call_keyword(call, "trainable");
    return (first != NULL && first->kind == EXPR_CONSTANT &&
            first->constant.value->kind == CONST_INT) ||
           (trainable != NULL && trainable->kind == EXPR_CONSTANT);
}

// Whether a call makes something with variables, or builds or compiles it.
static bool makes(Plan *p, const CallSite *c)
{
    static const char *const BUILDS[] = {"compile", "add", "build", "load_weights", NULL};
    const Expr *f = c->call->call.func;
    Value of = scan_value(p->s, f);
    if (f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, BUILDS) &&
        value_is(scan_value(p->s, f->attribute.value), KIND_MODEL))
        return true;
    if (of.kind == KIND_MODEL && c->stmt->kind == STMT_EXPR && c->stmt->expr.value == c->call)
        return true;                                    // `model(x)`, to build it
    if (path_is(of.path, "tf.Variable") && is_counter(c->call))
        return false;
    return of.kind == KIND_NONE && is_made(scan_value(p->s, c->call));
}

// What is in a function that gives it is in the scope of whoever calls it; what is in a model, too.
static bool is_inside(Plan *p, const Stmt *n)
{
    const StmtInfo *info = scan_info(p->s, n);
    const Stmt *class_ = info->in != NULL ? info->in->class_ : NULL;
    for (size_t i = 0; class_ != NULL && i < class_->class_def.bases.len; i++)
        if (scan_value(p->s, class_->class_def.bases.at[i]).path != NULL)
            return true;
    for (size_t i = 0; info->in != NULL && i < info->in->returns.len; i++)
        if (is_made(scan_value(p->s, info->in->returns.at[i])))
            return true;
    return info->in != NULL && (info->in->traced || info->in->trains) &&
           scan_loop(p->s, n) != NULL;
}

void rule_scope(Plan *p)
{
    for EACH_CALL(c, p->s) {
        StmtKind kind = c->stmt->kind;
        if (!makes(p, c) || is_inside(p, c->stmt) ||
            (kind != STMT_ASSIGN && kind != STMT_ANN_ASSIGN && kind != STMT_EXPR &&
             kind != STMT_RETURN))
            continue;
        plan_fire(p, "X3", c->call->at);
        rewrite_guard(p->t->rewrite, c->stmt, tool_format(p->t, "with %s.scope():", p->hvd), NULL);
    }
}

// ---- X4 ----

void rule_hosts(Plan *p)
{
    if (!p->t->cx->options.many_hosts)
        return;
    plan_fire(p, "X4", p->t->cx->unit->module.body.at[0]->at);
    rule_write(p);
    rule_hoist(p);
    rule_print(p);
    rule_progress(p);
}

// ---- keras.distribution ----

static bool names_backend(Plan *p, const Stmt *n)
{
    const Expr *target = n->kind == STMT_ASSIGN ? n->assign.targets.at[0] : NULL;
    return target != NULL && target->kind == EXPR_SUBSCRIPT &&
           strstr(tool_text(p->t, target->subscript.slice), "KERAS_BACKEND") != NULL;
}

// The name of Keras in the module.
static const char *find_keras(Plan *p)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        bool from = n->kind == STMT_IMPORT_FROM && sym_is(n->import_from.module, "tensorflow");
        AliasList names = n->kind == STMT_IMPORT ? n->import.names
                          : from ? n->import_from.names : (AliasList){NULL, 0};
        for (size_t k = 0; k < names.len; k++)
            if (sym_is(names.at[k]->name, "keras"))
                return names.at[k]->asname != NULL ? names.at[k]->asname : "keras";
    }
    return p->import_tf ? NULL : tool_format(p->t, "%s.keras", p->tf);
}

void rule_backend(Plan *p)
{
    StmtList body = p->t->cx->unit->module.body;
    size_t first = 0;
    bool named = false;
    while (first < body.len && (body.at[first]->kind == STMT_EXPR ||
           (body.at[first]->kind == STMT_IMPORT_FROM &&
            sym_is(body.at[first]->import_from.module, "__future__"))))
        first++;
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        named |= names_backend(p, n);
        if (names_backend(p, n) && strstr(tool_text(p->t, n->assign.value), "jax") == NULL)
            diag_help(diag_report(p->diags, n->at, DIAG_TARGET_FIT,
                                  "`keras.distribution` supports only the JAX backend"),
                      "use `--target=tf`, or the JAX backend");
    }
    for (size_t i = 0; i < p->s->calls.len && p->tapes; i++)
        if (call_trains(p, &p->s->calls.at[i]) && p->s->calls.at[i].callee == NULL &&
            scan_method(p->s, p->s->calls.at[i].call, KIND_MODEL, "fit") == NULL)
            diag_help(diag_report(p->diags, p->s->calls.at[i].call->at, DIAG_TARGET_FIT,
                                  "`keras.distribution` supports only training with `fit`"),
                      "use `--target=tf` for a custom training loop");
    p->keras = find_keras(p);
    if (p->keras == NULL) {
        p->keras = tool_fresh(p->t, "keras");
        p->module_lines = tool_format(p->t, "import keras as %s\n", p->keras);
    }
    if (!named && first < body.len) {
        const char *os = tool_fresh(p->t, "os");
        plan_fire(p, "Y1", body.at[first]->at);
        rewrite_before(p->t->rewrite, body.at[first], tool_format(p->t,
            "import os%s%s\n%s.environ.setdefault('KERAS_BACKEND', 'jax')",
            strcmp(os, "os") != 0 ? " as " : "", strcmp(os, "os") != 0 ? os : "", os));
    }
}
