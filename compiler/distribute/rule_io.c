// rule_io.c - C1, C2, S1, M1, P1-P3: only rank 0 prints and writes; what costs the processes
// nothing to agree on, they agree on first.

#include <string.h>

#include "compiler/distribute/plan.h"

// ---- C1 ----

static const char *const WRITE_FUNCTIONS[] = {
    "numpy.save", "numpy.savez", "numpy.savetxt", "numpy.savez_compressed", "os.mkdir",
    "os.makedirs", "os.remove", "os.rmdir", "os.rename", "os.unlink", "os.replace",
    "shutil.rmtree", "shutil.move", "shutil.copy", "shutil.copyfile", "shutil.copytree",
    "json.dump", "pickle.dump", "matplotlib.pyplot.savefig", "matplotlib.pyplot.show",
    "tf.io.gfile.makedirs", "tf.io.gfile.mkdir", "tf.io.gfile.rmtree", "tf.io.gfile.remove",
    "tf.saved_model.save", "keras.models.save_model", "keras.utils.plot_model",
    "keras.preprocessing.image.save_img", "keras.utils.save_img", "torch.save",
    "torch.jit.save", "torch.onnx.export", "torchvision.utils.save_image", "wandb.log",
    "wandb.finish", "wandb.watch", "wandb.config.update", "mlflow.*", NULL,
};
static const char *const PATH_METHODS[] = {
    "mkdir", "unlink", "rmdir", "write_text", "write_bytes", "touch", "savefig", "to_csv",
    "to_json", "to_pickle", NULL,
};

static bool writes_model(Plan *p, const Expr *call)
{
    static const char *const SAVES[] = {"save", "save_weights", "save_model", "export", NULL};
    const Expr *f = call->call.func;
    if (f->kind != EXPR_ATTRIBUTE || !sym_is_one_of(f->attribute.attr, SAVES))
        return false;
    Kind kind = scan_value(p->s, f->attribute.value).kind;
    return kind == KIND_MODEL || kind == KIND_LAYER;
}

static bool writes(Plan *p, const Expr *call)
{
    Sym path = scan_value(p->s, call->call.func).path;
    const Expr *f = call->call.func;
    return scan_method(p->s, call, KIND_CHECKPOINT, "save") != NULL ||
           scan_method(p->s, call, KIND_CHECKPOINT, "write") != NULL ||
           scan_method(p->s, call, KIND_MANAGER, "save") != NULL || writes_model(p, call) ||
           (path != NULL && sym_is_one_of(path, WRITE_FUNCTIONS)) ||
           (f->kind == EXPR_ATTRIBUTE && (path == NULL || path_is(path, "pathlib.*")) &&
            sym_is_one_of(f->attribute.attr, PATH_METHODS));
}

static bool reads(Plan *p, const Expr *call)
{
    static const char *const READS[] = {"restore", "load_weights", NULL};
    static const char *const LOADS[] = {"numpy.load", "numpy.loadtxt", "keras.models.load_model",
                                        "json.load", "pickle.load", "torch.load", NULL};
    Sym path = scan_value(p->s, call->call.func).path;
    const Expr *f = call->call.func;
    return (f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, READS)) ||
           (path != NULL && sym_is_one_of(path, LOADS));
}

// Whether something is read after it: later in the text.
static bool is_read_later(Plan *p, const Expr *write)
{
    for (size_t i = 0; i < p->s->calls.len; i++)
        if (p->s->calls.at[i].call->at.start > write->at.end && reads(p, p->s->calls.at[i].call))
            return true;
    return false;
}

// Whether all can be told what the first one has done.
static bool is_told(Plan *p, const CallSite *c)
{
    if (plan_framework(p) == FRAMEWORK_HOROVOD || plan_framework(p) == FRAMEWORK_DDP)
        return true;
    diag_help(diag_report(p->diags, c->call->at, DIAG_REPLICA_STEP,
                          "other hosts may read this file before the first host has written it"),
              "read the file in a separate script, or use `--target=horovod`");
    return false;
}

// `path = manager.save()`: rank 0 saves; who uses the value elsewhere is told it.
static void guard_assigned(Plan *p, const CallSite *c)
{
    Sym x;
    const char *rank = p->main;
    if (stmt_strict_call(c->stmt, &x) != c->call) {
        rewrite_around(p->t->rewrite, c->call->at, "(",
                       tool_format(p->t, " if %s else None)", rank));
        return;
    }
    const Expr *target = c->stmt->kind == STMT_ASSIGN ? c->stmt->assign.targets.at[0]
                                                       : c->stmt->ann_assign.target;
    bool read = plan_is_read(p, scan_slot(p->s, target), c->stmt->at.end, NULL);
    rewrite_guard(p->t->rewrite, c->stmt, tool_format(p->t, "if %s:", rank),
                  read ? tool_format(p->t, "else:\n\t%s = None", x) : NULL);
    if (read && is_told(p, c)) {
        plan_decide(p, c->stmt);
        plan_core(p);
        rewrite_after(p->t->rewrite, c->stmt, tool_format(p->t, "%s = %s(%s)", x, p->agree, x));
    }
}

static void write_once(Plan *p, const CallSite *c)
{
    plan_fire(p, "C1", c->call->at);
    bool statement = c->stmt->kind == STMT_EXPR && c->stmt->expr.value == c->call;
    if (!statement) {
        guard_assigned(p, c);
        return;
    }
    plan_guard(p, c->stmt);
    if (is_read_later(p, c->call) && is_told(p, c)) {
        plan_decide(p, c->stmt);
        rewrite_after(p->t->rewrite, c->stmt, plan_wait(p));
    }
}

// `open(path, 'w')`: the others write to nowhere.
static void open_once(Plan *p, const CallSite *c)
{
    const Expr *call = c->call;
    const Expr *f = call->call.func, *mode = call_argument(call, 1, "mode");
    const Expr *path = call_argument(call, 0, "file");
    bool open = f->kind == EXPR_NAME && sym_is(f->name.id, "open") && path != NULL &&
                mode != NULL && mode->kind == EXPR_CONSTANT &&
                mode->constant.value->kind == CONST_STR;
    bool write = false;
    for (size_t i = 0; open && i < mode->constant.value->text.len; i++)
        write |= strchr("wax+", mode->constant.value->text.at[i]) != NULL;
    if (!write || plan_guards(p, c->stmt))
        return;
    plan_fire(p, "C1", call->at);
    rewrite_around(p->t->rewrite, path->at, "(", tool_format(p->t,
        " if %s else '/dev/null')", p->main));
}

void rule_write(Plan *p)
{
    for EACH_CALL(c, p->s) {
        if (writes(p, c->call))
            write_once(p, c);
        else
            open_once(p, c);
    }
}

// ---- C2 ----

// A number that is restored and decides how many epochs or steps follow.
void rule_restore(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++)
        if (reads(p, p->s->calls.at[i].call))
            plan_fire(p, "C2", p->s->calls.at[i].call->at);
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        const Expr *iter = n->kind == STMT_FOR ? n->for_.iter : NULL;
        bool range = iter != NULL && iter->kind == EXPR_CALL &&
                     iter->call.func->kind == EXPR_NAME &&
                     sym_is(iter->call.func->name.id, "range");
        for (size_t k = 0; range && plan_trains(p, n) && k < iter->call.args.len; k++) {
            const Expr *bound = iter->call.args.at[k];
            if ((flow_labels(p->flow, bound) & LABEL_RESTORED) == 0)
                continue;
            plan_fire(p, "C2", bound->at);
            plan_core(p);
            bool whole = bound->kind == EXPR_CALL && bound->call.func->kind == EXPR_NAME &&
                         sym_is(bound->call.func->name.id, "int");
            rewrite_around(p->t->rewrite, bound->at,
                           tool_format(p->t, "%s(%s", p->agree,
                                       whole ? "" : "int("), whole ? ")" : "))");
        }
        if (n->kind == STMT_WHILE && plan_trains(p, n) &&
            (flow_labels(p->flow, n->while_.test) & LABEL_RESTORED)) {
            plan_core(p);
            rewrite_around(p->t->rewrite, n->while_.test->at,
                           tool_format(p->t, "%s(bool(", p->agree), "))");
        }
    }
}

// ---- S1 ----

void rule_summary(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        if (!path_is(scan_value(p->s, call->call.func).path, "tf.summary.create_file_writer"))
            continue;
        plan_fire(p, "S1", call->at);
        rewrite_around(p->t->rewrite, call->at, "(", tool_format(p->t,
            " if %s else %s.summary.create_noop_writer())", p->main, p->tf));
    }
}

// ---- P1, P3, M1 ----

static const char *const LOG_METHODS[] = {"debug", "info", "warning", "error", "critical", "log",
                                          NULL};
static const char *const PRINTERS[] = {"tf.print", "pprint.pprint", "sys.stdout.write",
                                       "sys.stderr.write", "sys.stdout.flush", NULL};

static bool is_print(Plan *p, const Expr *call)
{
    const Expr *f = call->call.func;
    Sym path = scan_value(p->s, f).path;
    if (f->kind == EXPR_NAME && sym_is(f->name.id, "print") && path == NULL)
        return scan_value(p->s, f).func == NULL;
    if (path != NULL && sym_is_one_of(path, PRINTERS))
        return true;
    if (f->kind != EXPR_ATTRIBUTE)
        return false;
    Value of = scan_value(p->s, f->attribute.value);
    bool logs = sym_is_one_of(f->attribute.attr, LOG_METHODS) &&
                (value_is(of, KIND_LOGGER) || path_is(of.path, "logging") ||
                 path_is(of.path, "absl.logging"));
    bool shows = sym_is(f->attribute.attr, "summary") && value_is(of, KIND_MODEL);
    return logs || shows || value_is(of, KIND_PROGBAR);
}

static const CallSite *print_of(Plan *p, size_t i)
{
    const CallSite *c = &p->s->calls.at[i];
    return is_print(p, c->call) && !plan_guards(p, c->stmt) ? c : NULL;
}

typedef struct Metrics { Plan *p; const CallSite *at; } Metrics;

static bool see_metric(void *cx, const Expr *e)
{
    Metrics *m = cx;
    Plan *p = m->p;
    const Expr *of = scan_method(p->s, e, KIND_METRIC, "result");
    if (of == NULL || !flow_is_own(p->flow, of))
        return e->kind != EXPR_LAMBDA;
    const char *name = tool_fresh(p->t, "average");
    plan_fire(p, "M1", e->at);
    rewrite_before(p->t->rewrite, m->at->stmt, tool_format(p->t, "%s = %s.allreduce(%s)", name,
                                                           p->hvd, rewrite_take(p->t->rewrite,
                                                                                e->at)));
    rewrite_replace(p->t->rewrite, e->at, name);
    return false;
}

void rule_metric(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const CallSite *c = print_of(p, i);
        Metrics m = {p, c};
        const IrWalker w = {.cx = &m, .expr = see_metric};
        if (c == NULL || c->stmt->kind != STMT_EXPR || !plan_is_common(p, c->stmt) ||
            (c->in != NULL && c->in->traced))
            continue;
        ir_walk_exprs(&w, c->call->call.args);
    }
}

// A call of the script itself, or of a model, in an expression; hosts read metrics together.
static bool needs_all(Plan *p, Span at)
{
    for EACH_CALL(in, p->s)
        if (at.start <= in->call->at.start && in->call->at.end <= at.end &&
            (in->callee != NULL || scan_method(p->s, in->call, KIND_MODEL, "evaluate") != NULL ||
             scan_method(p->s, in->call, KIND_MODEL, "fit") != NULL ||
             (plan_framework(p) == FRAMEWORK_TF &&
              scan_method(p->s, in->call, KIND_METRIC, "result") != NULL)))
            return true;
    return false;
}

// What all have to do, before the guard. Other calls only compute.
static void hoist(Plan *p, const CallSite *c)
{
    for (size_t i = 0; i < c->call->call.args.len; i++) {
        const Expr *e = c->call->call.args.at[i];
        const Expr *alone[] = {e};
        Expr call = {.kind = EXPR_CALL};
        call.call.args = (ExprList){alone, 1};
        if ((args_effect(&call) == NULL && !needs_all(p, e->at)) || e->kind == EXPR_STARRED)
            continue;
        const char *name = tool_fresh(p->t, "value");
        const char *text = rewrite_take(p->t->rewrite, e->at);
        bool lines = strchr(text, '\n') != NULL;
        plan_fire(p, "P3", e->at);
        rewrite_before(p->t->rewrite, c->stmt, tool_format(p->t, lines ? "%s = (%s)" : "%s = %s",
                                                           name, text));
        rewrite_replace(p->t->rewrite, e->at, name);
    }
}

static Span arguments_of(const Expr *call) { return (Span){call->call.func->at.end, call->at.end}; }

void rule_hoist(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const CallSite *c = print_of(p, i);
        if (c != NULL && c->stmt->kind == STMT_EXPR && needs_all(p, arguments_of(c->call)))
            hoist(p, c);
    }
}

void rule_print(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const CallSite *c = print_of(p, i);
        if (c == NULL)
            continue;
        plan_fire(p, "P1", c->call->at);
        if (c->stmt->kind == STMT_EXPR && c->stmt->expr.value == c->call)
            plan_guard(p, c->stmt);
        else
            rewrite_around(p->t->rewrite, c->call->at, "(", tool_format(p->t,
                " if %s else None)", p->main));
    }
}

void rule_progress(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call, *f = call->call.func;
        Sym path = scan_value(p->s, f).path;
        bool bar = path_is(path, "tqdm.*");
        if (!bar || call_keyword(call, "disable") != NULL || call->call.args.len == 0)
            continue;
        plan_fire(p, "P2", call->at);
        rewrite_argument(p->t->rewrite, call,
                         plan_framework(p) == FRAMEWORK_TF
                         ? tool_format(p->t, "disable=not %s", p->main)
                         : tool_format(p->t, "disable=%s != 0", p->rank));
    }
}
