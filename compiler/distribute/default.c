// default.c - the default rules: what the script has, its set-up, and what the rules share.

#include "compiler/distribute/default.h"

#include <string.h>

#include "compiler/distribute/plan.h"

// ---- shared by the rules ----

void plan_fire(Plan *p, const char *id, Span at)
{
    tool_fire(p->t, p->rule != NULL ? p->rule : id, at);
}

void plan_guard(Plan *p, const Stmt *s)
{
    if (!plan_guards(p, s))
        rewrite_guard(p->t->rewrite, s, tool_format(p->t, "if %s:", p->main), NULL);
}

bool plan_guards(const Plan *p, const Stmt *s)
{
    for (; s != NULL; s = scan_info(p->s, s)->parent)
        if (rewrite_is_guarded(p->t->rewrite, s))
            return true;
    return false;
}

Framework plan_framework(const Plan *p) { return p->t->cx->options.framework; }

void plan_core(Plan *p) { p->core = true; }

const char *plan_wait(Plan *p)
{
    if (p->ddp != NULL)
        return tool_format(p->t, "%s.barrier()", p->hvd);
    plan_core(p);
    return tool_format(p->t, "%s(None)", p->agree);
}

void plan_module_line(Plan *p, const char *line)
{
    p->module_lines = tool_format(p->t, "%s\n%s", p->module_lines, line);
}

const char *plan_rate_factor(Plan *p)
{
    switch (p->t->cx->options.scale) {
    case SCALE_LINEAR: return tool_format(p->t, " * %s", p->size);
    case SCALE_SQRT: return tool_format(p->t, " * %s ** 0.5", p->size);
    case SCALE_NONE: break;
    }
    return "";
}

const char *plan_scaled(Plan *p, const char *rate)
{
    const char *factor = plan_rate_factor(p), *steps = p->t->cx->options.warmup;
    if (steps == NULL || *factor == '\0')
        return tool_format(p->t, "%s%s", rate, factor);
    return tool_format(p->t, "%s.keras.optimizers.schedules.PolynomialDecay(%s, %s, %s%s)", p->tf,
                       rate, steps, rate, factor);
}

void plan_scale(Plan *p, const Expr *rate)
{
    const char *factor = plan_rate_factor(p);
    if (*factor)
        tool_factor(p->t, rate, factor);
}

bool call_trains(const Plan *p, const CallSite *c)
{
    return (c->callee != NULL && c->callee->trains) ||
           scan_method(p->s, c->call, KIND_OPTIMIZER, "apply_gradients") != NULL ||
           scan_method(p->s, c->call, KIND_OPTIMIZER, "apply") != NULL ||
           scan_method(p->s, c->call, KIND_VARIABLE, "assign_sub") != NULL ||
           scan_method(p->s, c->call, KIND_MODEL, "fit") != NULL;
}

bool plan_trains(const Plan *p, const Stmt *s) { return scan_trains(p->s, s->at); }

static bool has_inner(const Plan *p, const Stmt *n, int depth)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *inner = p->s->stmts.at[i];
        if (inner != n && (inner->kind == STMT_FOR || inner->kind == STMT_WHILE) &&
            scan_is_within(p->s, inner, n) && plan_trains(p, inner))
            return true;
    }
    for (size_t i = 0; depth > 0 && i < p->s->training.len; i++) {
        const CallSite *c = p->s->training.at[i];
        if (c->callee != NULL && c->callee->def != n && scan_is_within(p->s, c->stmt, n) &&
            has_inner(p, c->callee->def, depth - 1))
            return true;
    }
    return false;
}

bool plan_has_inner(const Plan *p, const Stmt *loop)
{
    enum { CALLS = 8 };
    return has_inner(p, loop, CALLS);
}

typedef struct Reads { Scan *s; const Slot *slot; uint32_t after; bool found; } Reads;

static bool see_read(void *cx, const Expr *e)
{
    Reads *r = cx;
    r->found |= expr_is_load(e) && e->at.start >= r->after && scan_slot(r->s, e) == r->slot;
    return true;
}

bool plan_is_read(Plan *p, const Slot *slot, uint32_t after, const Stmt *in)
{
    Reads r = {p->s, slot, after, false};
    const IrWalker w = {.cx = &r, .expr = see_read};
    if (in != NULL)
        ir_walk_stmt(&w, in);
    else
        ir_walk_unit(&w, p->t->cx->unit);
    return r.found;
}

// ---- what there is ----

static void find_patterns(Plan *p)
{
    for EACH_CALL(c, p->s) {
        bool fit = scan_method(p->s, c->call, KIND_MODEL, "fit") != NULL;
        p->fits |= fit;
        p->sessions |= value_is(scan_value(p->s, c->call), KIND_OPTIMIZER_V1) &&
                       plan_framework(p) == FRAMEWORK_HOROVOD;
        p->tapes |= (!fit && call_trains(p, c) && c->callee == NULL) ||
                    scan_method(p->s, c->call, KIND_OPTIMIZER, "minimize") != NULL ||
                    (c->call->call.func->kind == EXPR_ATTRIBUTE &&
                     sym_is(c->call->call.func->attribute.attr, "apply_gradients"));
        if (path_is(scan_value(p->s, c->call->call.func).path, "keras.layers.BatchNormalization"))
            diag_report(p->diags, c->call->at, DIAG_BATCH_NORM,
                        "each process normalizes with its own batches");
    }
}

bool plan_is_import(const Stmt *n)
{
    return n->kind == STMT_IMPORT || n->kind == STMT_IMPORT_FROM;
}

static bool is_below(Sym module, const char *const *roots)
{
    for (; *roots != NULL; roots++) {
        size_t n = strlen(*roots);
        if (module != NULL && strncmp(module, *roots, n) == 0 &&
            (module[n] == '\0' || module[n] == '.'))
            return true;
    }
    return false;
}

const char *plan_module(Plan *p, const char *module)
{
    const char *name = NULL;
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        for (size_t k = 0; n->kind == STMT_IMPORT && k < n->import.names.len; k++) {
            const Alias *a = n->import.names.at[k];
            if (sym_is(a->name, module) && name == NULL && scan_info(p->s, n)->in == NULL)
                name = a->asname != NULL ? a->asname : a->name;
        }
    }
    return name;
}

const Stmt *plan_import(Plan *p, const char *const *roots, const char *title)
{
    const Stmt *found = NULL;
    for (size_t i = 0; found == NULL && i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        bool below = n->kind == STMT_IMPORT_FROM && is_below(n->import_from.module, roots);
        for (size_t k = 0; n->kind == STMT_IMPORT && k < n->import.names.len; k++)
            below |= is_below(n->import.names.at[k]->name, roots);
        found = below ? n : NULL;
    }
    if (found != NULL && scan_info(p->s, found)->in != NULL)
        diag_help(diag_report(p->diags, found->at, DIAG_IMPORT_LATE,
                              "%s is imported inside a function", title),
                  "import it at the top of the module");
    while (found != NULL && scan_info(p->s, found)->parent != NULL)
        found = scan_info(p->s, found)->parent;
    return found;
}

const Stmt *plan_last_import(const Plan *p, const Stmt *import)
{
    StmtList body = p->t->cx->unit->module.body;
    size_t i = 0;
    while (i < body.len && body.at[i] != import)
        i++;
    while (i + 1 < body.len && plan_is_import(body.at[i + 1]))
        i++;
    return body.at[i];
}

// ---- N1 ----

static const char *horovod_lines(Plan *p)
{
    const char *config = tool_format(p->t, "%s.config.experimental", p->tf);
    const char *gpus = tool_fresh(p->t, "gpus"), *gpu = tool_fresh(p->t, "gpu");
    bool both = p->keras != p->hvd;
    const char *imports = tool_format(p->t, "import horovod.tensorflow%s as %s%s%s%s",
        p->fits && !both ? ".keras" : "", p->hvd,
        both ? "\nimport horovod.tensorflow.keras as " : "", both ? p->keras : "",
        p->import_tf ? tool_format(p->t, "\nimport tensorflow as %s", p->tf) : "");
    if (p->sessions)
        return tool_format(p->t, "%s\n%s.init()%s", imports, p->hvd, p->module_lines);
    return tool_format(p->t,
        "%s\n%s.init()\n%s = %s.list_physical_devices('GPU')\n"
        "for %s in %s:\n\t%s.set_memory_growth(%s, True)\n"
        "if %s:\n\t%s.set_visible_devices(%s[%s.local_rank()], 'GPU')%s",
        imports, p->hvd, gpus, config, gpu, gpus, config, gpu, gpus, config, gpus, p->hvd,
        p->module_lines);
}

static const char *strategy_lines(Plan *p)
{
    const char *import = p->import_tf ? tool_format(p->t, "import tensorflow as %s\n", p->tf) : "";
    if (!p->t->cx->options.many_hosts)
        return tool_format(p->t, "%s%s = %s.distribute.MirroredStrategy()", import, p->hvd, p->tf);
    return tool_format(p->t, "%s%s = %s.distribute.MultiWorkerMirroredStrategy()\n"
                       "%s = %s.cluster_resolver.task_type == 'chief' or (\n"
                       "\t%s.cluster_resolver.task_id in (None, 0)\n"
                       "\tand 'chief' not in %s.cluster_resolver.cluster_spec().jobs)",
                       import, p->hvd, p->tf, p->main, p->hvd, p->hvd, p->hvd);
}

static const char *setup_lines(Plan *p)
{
    switch (plan_framework(p)) {
    case FRAMEWORK_HOROVOD: return horovod_lines(p);
    case FRAMEWORK_TF: return strategy_lines(p);
    case FRAMEWORK_KERAS:
        return tool_format(p->t, "%s%s = len(%s.distribution.list_devices())\n"
                           "%s.distribution.set_distribution(%s.distribution.DataParallel())",
                           p->module_lines, p->size, p->keras, p->keras, p->keras);
    case FRAMEWORK_DDP: break;
    }
    return "";
}

void plan_drop_choice(Plan *p)
{
    static const char *const PINNING[] = {"tf.config.experimental.set_visible_devices",
        "tf.config.set_visible_devices", "tf.config.experimental.set_memory_growth", NULL};
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        const Expr *target = n->kind == STMT_ASSIGN ? n->assign.targets.at[0] : NULL;
        bool cuda = target != NULL && target->kind == EXPR_SUBSCRIPT &&
                    target->subscript.slice->kind == EXPR_CONSTANT &&
                    strstr(tool_text(p->t, target->subscript.slice), "CUDA_VISIBLE_DEVICES");
        const Expr *call = n->kind == STMT_EXPR && n->expr.value->kind == EXPR_CALL ? n->expr.value
                                                                                    : NULL;
        Sym path = call == NULL ? NULL : scan_value(p->s, call->call.func).path;
        if (cuda || (path != NULL && sym_is_one_of(path, PINNING)))
            rewrite_remove(p->t->rewrite, n);
    }
}

void rule_setup(Plan *p)
{
    const Stmt *at = plan_last_import(p, p->import);
    plan_fire(p, "N1", at->at);
    rewrite_after(p->t->rewrite, at, setup_lines(p));
    plan_drop_choice(p);
}

// ---- all of it ----

static void name_modules(Plan *p, bool core)
{
    bool strategy = plan_framework(p) == FRAMEWORK_TF;
    p->hvd = tool_fresh(p->t, strategy ? "strategy" : "hvd");
    p->rank = tool_format(p->t, "%s.rank()", p->hvd);
    p->agree = tool_format(p->t, "%s.broadcast_object", p->hvd);
    p->size = plan_framework(p) == FRAMEWORK_KERAS ? tool_fresh(p->t, "devices")
              : tool_format(p->t, strategy ? "%s.num_replicas_in_sync" : "%s.size()", p->hvd);
    p->main = strategy ? tool_fresh(p->t, "first_host")
                       : tool_format(p->t, "%s.rank() == 0", p->hvd);
    p->keras = p->fits && (p->tapes || core) ? tool_fresh(p->t, "hvd_keras") : p->hvd;
    if (p->tf == NULL) {
        p->tf = tool_fresh(p->t, "tf");
        p->import_tf = p->tapes || p->fits;
    }
}

static void run_rules(Plan *p)
{
    switch (plan_framework(p)) {
    case FRAMEWORK_HOROVOD:
#define RULE(id, function, about) function(p);
#include "compiler/distribute/default.def"
        break;
    case FRAMEWORK_TF:
#define RULE(id, function, about) function(p);
#include "compiler/distribute/tf.def"
        break;
    case FRAMEWORK_KERAS:
#define RULE(id, function, about) function(p);
#include "compiler/distribute/keras.def"
        break;
    case FRAMEWORK_DDP: break;
    }
}

static Plan plan_new(Tool *t, bool core)
{
    rewrite_join(t->rewrite);
    Plan p = {.t = t, .diags = t->cx->diags, .module_lines = "",
              .decided = table_new(t->arena), .traced = table_new(t->arena),
              .trained = table_new(t->arena)};
    p.s = scan_new(t);
    p.flow = flow_new(p.s);
    find_patterns(&p);
    p.tf = plan_module(&p, "tensorflow");
    p.import = plan_import(&p, (const char *const[]){"tensorflow", "keras", "tf_keras", NULL},
                           "TensorFlow");
    name_modules(&p, core);
    return p;
}

void default_transform(Tool *t)
{
    Plan p = plan_new(t, false);
    StmtList body = t->cx->unit->module.body;
    if (!p.tapes && !p.fits && !p.sessions) {
        diag_help(diag_report(t->cx->diags, body.len > 0 ? body.at[0]->at : (Span){0, 0},
                              DIAG_NO_TRAINING, "no training was found in this script: neither "
                              "`apply_gradients` nor `fit` of a model that it creates"),
                  "pass the file that creates the model and trains it; for PyTorch, use "
                  "`--target=ddp`");
        return;
    }
    run_rules(&p);
    if (p.core && p.keras == p.hvd && p.fits) {         // once more, with both modules
        *t = tool_new(t->cx);
        p = plan_new(t, true);
        run_rules(&p);
    }
}
