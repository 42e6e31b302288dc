// ddp.c - `--target=ddp`: PyTorch's DistributedDataParallel. The script's processes are started by
// torchrun; each has a device, a share of the data and a copy of the model.

#include "compiler/distribute/ddp.h"

#include <string.h>

// ---- shared by the rules ----

bool call_is_method(const Expr *call, const char *const *names)
{
    const Expr *f = call->call.func;
    return f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, names);
}

const Stmt *stmt_under(const Plan *p, const Stmt *s, const Stmt *outer)
{
    while (s != NULL && scan_info(p->s, s)->parent != outer)
        s = scan_info(p->s, s)->parent;
    return s;
}

bool ddp_is_optimizer(Plan *p, const Expr *call)
{
    return value_is(scan_value(p->s, call), KIND_STEPPER) &&
           scan_value(p->s, call->call.func).path != NULL && call->call.args.len > 0;
}

const BatchLoop *ddp_loop(const Plan *p, const Stmt *loop)
{
    for (size_t i = 0; i < p->ddp->loops.len; i++)
        if (p->ddp->loops.at[i].loop == loop)
            return &p->ddp->loops.at[i];
    return NULL;
}

// ---- P-init ----

static const Stmt *main_guard(const Plan *p)
{
    StmtList body = p->t->cx->unit->module.body;
    const Stmt *last = body.at[body.len - 1];
    const Expr *test = last->kind == STMT_IF ? last->if_.test : NULL;
    bool guard = test != NULL && test->kind == EXPR_COMPARE &&
                 test->compare.left->kind == EXPR_NAME &&
                 sym_is(test->compare.left->name.id, "__name__");
    return guard && last->if_.orelse.len == 0 ? last : NULL;
}

static const char *helper_lines(Plan *p)
{
    const Ddp *d = p->ddp;
    const char *agreed = !p->core ? "" : tool_format(p->t,
        "\n\n\ndef %s(value):\n\tvalues = [value]\n\t%s.broadcast_object_list(values)\n"
        "\treturn values[0]", d->agreed, p->hvd);
    const char *cuda = !d->cuda ? "" : tool_format(p->t,
        "\tif %s.get_backend() == 'nccl':\n\t\ttotal = total.cuda()\n", p->hvd);
    const char *sum = !d->sums ? "" : tool_format(p->t,
        "\n\n\ndef %s(value):\n\ttensor = %s.is_tensor(value)\n"
        "\ttotal = value.detach().clone() if tensor else %s.tensor(value, dtype=%s.float64)\n%s"
        "\t%s.all_reduce(total)\n\treturn total if tensor else type(value)(total.item())",
        d->sum, d->torch, d->torch, d->torch, cuda, p->hvd);
    return tool_format(p->t, "%s%s", agreed, sum);
}

static const char *import_as(Plan *p, const char *name, const char *as)
{
    return strcmp(name, as) == 0 ? name : tool_format(p->t, "%s as %s", name, as);
}

static const char *import_lines(Plan *p)
{
    const Ddp *d = p->ddp;
    return tool_format(p->t,
        "%s%s%simport torch.distributed as %s\nfrom torch.nn.parallel import %s%s%s",
        d->import_os && d->cuda ? tool_format(p->t, "import %s\n", import_as(p, "os", d->os)) : "",
        d->import_torch ? tool_format(p->t, "import %s\n", import_as(p, "torch", d->torch)) : "",
        d->nothing == NULL ? "" : tool_format(p->t, "from contextlib import %s\n",
                                              import_as(p, "nullcontext", d->nothing)),
        p->hvd, import_as(p, "DistributedDataParallel", d->wrap),
        d->samples ? "\nfrom torch.utils.data.distributed import " : "",
        d->samples ? import_as(p, "DistributedSampler", d->sampler) : "");
}

static const char *meeting_lines(Plan *p)
{
    const Ddp *d = p->ddp;
    const char *random = !d->random ? "" : tool_format(p->t,
        "\n%s.manual_seed(%s.initial_seed() + %s)", d->torch, d->torch, p->rank);
    if (!d->cuda)
        return tool_format(p->t, "%s.init_process_group('gloo')%s", p->hvd, random);
    return tool_format(p->t,
        "%s.init_process_group('nccl' if %s.cuda.is_available() else 'gloo')\n"
        "if %s.cuda.is_available():\n\t%s.cuda.set_device(int(%s.environ['LOCAL_RANK']))%s",
        p->hvd, d->torch, d->torch, d->torch, d->os, random);
}

// Whether a statement of the module only defines: processes that a loader starts import the
// module, and must not meet.
static bool only_defines(Plan *p, const Stmt *n, const Stmt *guard)
{
    return n == guard || plan_is_import(n) || n->kind == STMT_FUNCTION_DEF ||
           n->kind == STMT_CLASS_DEF || !rewrite_touches(p->t->rewrite, n->at);
}

void rule_ddp_init(Plan *p)
{
    StmtList body = p->t->cx->unit->module.body;
    const Stmt *import = plan_last_import(p, p->import), *guard = main_guard(p);
    for (size_t i = 0; guard != NULL && i < body.len; i++)
        if (!only_defines(p, body.at[i], guard))
            guard = NULL;
    plan_fire(p, "P-init", import->at);
    const char *meet = meeting_lines(p), *lines = import_lines(p), *helpers = helper_lines(p);
    if (guard != NULL) {
        rewrite_after(p->t->rewrite, import, tool_format(p->t, "%s%s", lines, helpers));
        rewrite_before(p->t->rewrite, guard->if_.body.at[0], meet);
    } else {
        rewrite_after(p->t->rewrite, import, tool_format(p->t, "%s%s%s\n%s", lines, helpers,
                                                         *helpers ? "\n\n" : "", meet));
    }
    p->ddp->start = guard;
}

// ---- P-end ----

void rule_ddp_end(Plan *p)
{
    StmtList body = p->t->cx->unit->module.body;
    if (p->ddp->start != NULL)
        body = p->ddp->start->if_.body;
    const Stmt *last = body.at[body.len - 1];
    plan_fire(p, "P-end", last->at);
    rewrite_after(p->t->rewrite, last, tool_format(p->t, "%s.destroy_process_group()", p->hvd));
}

// ---- all of it ----

static bool see_cuda(void *cx, const Expr *e)
{
    Ddp *d = cx;
    if (e->kind == EXPR_ATTRIBUTE)
        d->cuda |= sym_is(e->attribute.attr, "cuda");
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR)
        d->cuda |= e->constant.value->text.len >= 4 &&
                   memcmp(e->constant.value->text.at, "cuda", 4) == 0;
    return true;
}

static void name_modules(Plan *p)
{
    Ddp *d = p->ddp;
    const IrWalker w = {.cx = d, .expr = see_cuda};
    ir_walk_unit(&w, p->t->cx->unit);
    p->hvd = tool_fresh(p->t, "dist");
    d->torch = plan_module(p, "torch");
    d->os = plan_module(p, "os");
    p->rank = tool_format(p->t, "%s.get_rank()", p->hvd);
    p->size = tool_format(p->t, "%s.get_world_size()", p->hvd);
    p->main = tool_format(p->t, "%s == 0", p->rank);
    d->wrap = tool_fresh(p->t, "DistributedDataParallel");
    d->sampler = tool_fresh(p->t, "DistributedSampler");
    d->agreed = p->agree = tool_fresh(p->t, "agreed");
    d->sum = tool_fresh(p->t, "sum_of_all");
    d->import_torch = d->torch == NULL;
    d->import_os = d->os == NULL;
    if (d->import_torch)
        d->torch = tool_fresh(p->t, "torch");
    if (d->import_os)
        d->os = tool_fresh(p->t, "os");
}

static bool has_backward(const Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++)
        if (scan_backward(p->s, p->s->calls.at[i].call))
            return true;
    return false;
}

void ddp_transform(Tool *t)
{
    Ddp d = {.holds = table_new(t->arena), .handed = table_new(t->arena),
             .divided = table_new(t->arena)};
    Plan p = {.t = t, .diags = t->cx->diags, .module_lines = "", .ddp = &d,
              .decided = table_new(t->arena), .trained = table_new(t->arena)};
    StmtList body = t->cx->unit->module.body;
    rewrite_join(t->rewrite);
    p.s = scan_new(t);
    p.flow = flow_new(p.s);
    p.flow->strict = true;
    p.import = plan_import(&p, (const char *const[]){"torch", NULL}, "PyTorch");
    if (p.import == NULL || !has_backward(&p)) {
        diag_help(diag_report(t->cx->diags, body.len > 0 ? body.at[0]->at : (Span){0, 0},
                              DIAG_NO_TRAINING, "this script contains no PyTorch training"),
                  "pass the file that calls `backward`");
        return;
    }
    name_modules(&p);
#define RULE(id, function, about) p.rule = id; function(&p);
#include "compiler/distribute/ddp.def"
}
