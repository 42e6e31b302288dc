// ddp_nets.c - P-loop, P-model, P-attr: the models that optimizers train, and their wrappers.
//
// An optimizer says what is trained: `Adam(model.parameters())`. From there the model is followed
// back, through parameters and other names, to the variable that it is made in. It is wrapped
// behind the last statement that prepares it (moves it, loads it, freezes a part); what holds it
// later holds the wrapper. Only a call of the wrapper averages gradients.

#include <string.h>

#include "compiler/distribute/ddp.h"
#include "compiler/distribute/origins.h"

// Methods that give the model itself, moved or switched.
static const char *const PLACING[] = {"to", "cuda", "cpu", "half", "float", "double", "bfloat16",
                                      "train", "eval", "apply", "requires_grad_", NULL};
// What the wrapper does as its model does.
static const char *const SAME[] = {"to", "cuda", "cpu", "half", "float", "double", "train", "eval",
    "parameters", "zero_grad", "requires_grad_", "training", "module", "buffers", NULL};
// What a module has that computes nothing.
static const char *const PLAIN[] = {"state_dict", "load_state_dict", "named_parameters", "modules",
    "named_modules", "children", "named_children", "named_buffers", "apply", "add_module",
    "get_parameter", "get_submodule", "register_buffer", "register_forward_hook", "extra_repr",
    "register_forward_pre_hook", "share_memory", "type", NULL};
static const char *const OF_TENSORS[] = {"norm", "pow", "sum", "abs", "mean", "square", "detach",
    "clone", "item", "numel", "size", "view", "data_ptr", "cpu", "numpy", "max", "min", NULL};

// ---- P-loop: what is trained ----

static bool is_data_parallel(Plan *p, const Expr *e)
{
    return e->kind == EXPR_CALL && e->call.args.len > 0 &&
           path_is(scan_value(p->s, e->call.func).path, "torch.nn.DataParallel");
}

// `e` without what only moves or compiles it.
static const Expr *unplaced(Plan *p, const Expr *e)
{
    for (;;) {
        if (is_data_parallel(p, e) || (e->kind == EXPR_CALL && e->call.args.len > 0 &&
                                       path_is(scan_value(p->s, e->call.func).path,
                                               "torch.compile")))
            e = e->call.args.at[0];
        else if (e->kind == EXPR_CALL && call_is_method(e, PLACING))
            e = e->call.func->attribute.value;
        else
            return e;
    }
}

static void refuse_net(Plan *p, const Expr *at, const char *what)
{
    diag_help(diag_report(p->diags, at->at, DIAG_OPTIMIZER_UNKNOWN, "%s", what),
              "assign the model to a variable of this script, and create the optimizer from its "
              "`parameters()`");
}

static Net *net_of(Plan *p, const Slot *slot)
{
    for (size_t i = 0; i < p->ddp->nets.len; i++)
        if (p->ddp->nets.at[i].slot == slot)
            return &p->ddp->nets.at[i];
    return NULL;
}

static void add_net(Plan *p, Slot *slot, const Expr *mention)
{
    if (net_of(p, slot) == NULL)
        vec_push(p->t->arena, &p->ddp->nets, ((Net){.slot = slot, .mention = mention}));
}

static bool is_called(Plan *p, const Slot *slot)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        if (scan_slot(p->s, p->s->calls.at[i].call->call.func) == slot)
            return true;
    }
    return false;
}

typedef struct Trained { Plan *p; size_t found; Table *mentions; } Trained;

// On to another variable with the same model; where it is made, it is wrapped.
static const Expr *see_made(void *cx, const Expr *e, const Binding *by)
{
    Trained *t = cx;
    Plan *p = t->p;
    const Expr *from = by == NULL ? e : unplaced(p, e);
    Slot *slot = scan_slot(p->s, from);
    bool alias = by == NULL || (by->how == BIND_VALUE &&
                                (from == e ||           // `m = model.to(device)`, and `model(x)`
                                 (!is_called(p, by->slot) && is_called(p, slot))));
    if (by != NULL && slot == by->slot)
        return NULL;
    if (slot != NULL && alias) {
        table_set(t->mentions, slot, (void *)from);
        return from;
    }
    if (by != NULL)
        add_net(p, by->slot, table_get(t->mentions, by->slot));
    return by != NULL ? NULL : e;
}

// The variable in front of `.parameters()`: past the parts of the model.
static const Expr *model_of(Plan *p, const Expr *e)
{
    const Expr *chain[16];
    size_t n = 0;
    if (e->kind == EXPR_SUBSCRIPT && value_is(scan_value(p->s, e->subscript.value), KIND_NET))
        e = e->subscript.value;             // a part of a Sequential
    for (; e->kind == EXPR_ATTRIBUTE && n < 15; e = e->attribute.value)
        chain[n++] = e;
    if (e->kind != EXPR_NAME)
        return NULL;
    for (;;) {
        Value v = scan_value(p->s, e);
        const Slot *part = n > 0 ? scan_slot(p->s, chain[n - 1]) : NULL;
        bool object = v.kind == KIND_NONE &&
                      (v.class_ != NULL || (part != NULL && part->class_ != NULL));
        bool plain = v.class_ != NULL && v.class_->class_def.bases.len == 0;
        if (!object || n == 0)
            return object && plain ? NULL : e;
        e = chain[--n];
    }
}

static void trace(Plan *p, const Expr *model)
{
    Trained t = {p, 0, table_new(p->t->arena)};
    Origins o = {.s = p->s, .asked = see_made, .cx = &t, .seen = table_new(p->t->arena)};
    origins_walk(&o, model);
    if (o.lost != NULL)
        refuse_net(p, o.lost, "it is not known where this model is created");
}

static const Expr *see_trained(void *cx, const Expr *e, const Binding *by)
{
    static const char *const PARAMETERS[] = {"parameters", "named_parameters", NULL};
    Trained *t = cx;
    const Slot *slot = scan_slot(t->p->s, e);
    (void)by;
    if (e->kind != EXPR_CALL || !call_is_method(e, PARAMETERS))
        return slot != NULL && value_is(slot->value, KIND_NET) ? NULL : e;
    const Expr *model = model_of(t->p, e->call.func->attribute.value);
    t->found++;
    if (model == NULL || sym_is(model->kind == EXPR_NAME ? model->name.id : NULL, "self"))
        refuse_net(t->p, e, "it is not known which model this optimizer trains");
    else
        trace(t->p, model);
    return NULL;
}

static void find_trained(Plan *p)
{
    size_t optimizers = 0;
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        if (!ddp_is_optimizer(p, call))
            continue;
        Trained t = {.p = p};
        Origins o = {.s = p->s, .asked = see_trained, .cx = &t, .contents = true,
                     .seen = table_new(p->t->arena)};
        optimizers++;
        origins_walk(&o, call->call.args.at[0]);
        if (t.found == 0)
            refuse_net(p, call, "it is not known which model this optimizer trains");
        if (path_is(scan_value(p->s, call->call.func).path, "torch.optim.LBFGS"))
            diag_help(diag_report(p->diags, call->at, DIAG_APPLY_UNKNOWN,
                                  "`LBFGS` is not supported: each process may evaluate the "
                                  "gradients a different number of times"),
                      "use an optimizer that evaluates them once in each step, such as `SGD`");
    }
    if (optimizers == 0)
        refuse_net(p, p->s->training.at[0]->call, "this script creates no optimizer of "
                   "`torch.optim`");
}

// ---- where a model is wrapped ----

typedef struct Mentions { Plan *p; const Net *net; bool found, used; } Mentions;

static bool see_mention(void *cx, const Expr *e)
{
    Mentions *m = cx;
    Scan *s = m->p->s;
    bool mention = scan_slot(s, e) == m->net->slot;
    m->found |= mention;
    m->used |= e->kind == EXPR_CALL && scan_slot(s, e->call.func) == m->net->slot;
    for (size_t i = 0; mention && i < s->bindings.len; i++)
        m->used |= s->bindings.at[i].value == e && s->bindings.at[i].slot != m->net->slot;
    return !mention;
}

// The statements that make and move a model, of one function.
static bool prepares(Plan *p, const Net *net, size_t i)
{
    static const char *const MOVES[] = {"to", "cuda", "half", "float", "double", "bfloat16", NULL};
    const Expr *call = p->s->calls.at[i].call;
    return call_is_method(call, MOVES) &&
           scan_slot(p->s, call->call.func->attribute.value) == net->slot;
}

// The innermost list of statements that both are in: `at` moves up to it.
static const Stmt *join_list(Plan *p, const Stmt *at, const Stmt *more)
{
    for (;; at = scan_info(p->s, at)->parent) {
        const Stmt *outer = scan_info(p->s, at)->parent;
        const Stmt *other = stmt_under(p, more, outer);
        if (other != NULL && (outer == NULL ||
                              scan_info(p->s, other)->kind == scan_info(p->s, at)->kind))
            return other->at.start > at->at.start ? other : at;
        if (outer == NULL)
            return at;
    }
}

static void extend(Plan *p, Net *net)
{
    const StmtInfo *list = scan_info(p->s, net->after);
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        const StmtInfo *info = scan_info(p->s, n);
        Mentions m = {p, net, false, false};
        const IrWalker w = {.cx = &m, .expr = see_mention};
        if (info->parent != list->parent || info->kind != list->kind ||
            n->at.start <= net->after->at.start || n->kind == STMT_FUNCTION_DEF ||
            n->kind == STMT_CLASS_DEF)
            continue;
        ir_walk_stmt(&w, n);
        if (m.used || plan_trains(p, n))
            return;
        if (m.found)
            net->after = n;
    }
}

static void refuse_places(Plan *p, Sym name, const Binding *b, bool module)
{
    module |= scan_info(p->s, b->stmt)->in == NULL;
    diag_help(diag_report(p->diags, b->value->at, DIAG_OPTIMIZER_UNKNOWN,
                          module ? "`%s` is assigned in a function and outside it"
                                 : "`%s` is assigned in more than one function", name),
              "create the model in one place, such as one function that returns it");
}

// False, with an error, if functions assign the model that the code of another one wraps.
static bool place(Plan *p, Net *net)
{
    const Func *in = net->slot->parameter_of;
    const Stmt *after = NULL;
    for EACH_BINDING(b, p->s, net->slot) {
        if (b->stmt == NULL || b->value->kind == EXPR_CONSTANT || plan_trains(p, b->stmt))
            continue;
        if (after != NULL && scan_info(p->s, b->stmt)->in != scan_info(p->s, after)->in) {
            refuse_places(p, net->slot->name, b, scan_info(p->s, after)->in == NULL);
            return false;
        }
        after = after == NULL ? b->stmt : join_list(p, after, b->stmt);
    }
    for (size_t i = 0; after != NULL && i < p->s->calls.len; i++)
        if (prepares(p, net, i) &&
            p->s->calls.at[i].in == scan_info(p->s, after)->in)
            after = join_list(p, after, p->s->calls.at[i].stmt);
    net->after = after;
    if (after == NULL) {
        net->in = in;
        net->from = in->def->function_def.body.at[0]->at.start;
        return true;
    }
    net->in = scan_info(p->s, after)->in;
    extend(p, net);
    net->from = net->after->at.end;
    return true;
}

// The models that are not placed are dropped: the later rules read where each one is wrapped.
static void place_all(Plan *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->ddp->nets.len; i++)
        if (place(p, &p->ddp->nets.at[i]))
            p->ddp->nets.at[kept++] = p->ddp->nets.at[i];
    p->ddp->nets.len = kept;
}

// ---- what holds a wrapper ----

typedef struct Held {
    Plan *p;
    const Net *net;             // wrapped
    bool raw;                   // it is also held from before
    bool part;                  // something that is taken apart is on the way
    const Expr *other;          // another model
} Held;

static bool is_after(Plan *p, const Net *net, const Expr *e)
{
    const Block *block = scan_block(p->s, e->at.start);
    while (block->kind != BLOCK_FUNCTION && block->outer != NULL)
        block = block->outer;
    bool same = net->in == NULL ? block->outer == NULL : block == net->in->block;
    return !same || e->at.start >= net->from;
}

// Mentions that hand the model on need no `module`.
static const Expr *see_held(void *cx, const Expr *e, const Binding *by)
{
    Held *h = cx;
    const Expr *from = unplaced(h->p, e);
    const Slot *slot = scan_slot(h->p->s, from);
    const Net *net = slot == NULL ? NULL : net_of(h->p, slot);
    if (by != NULL && by->how == BIND_PART) {
        h->part = true;
        return NULL;
    }
    if (slot != NULL)
        table_set(h->p->ddp->handed, from, h);
    if (net == NULL)
        return e->kind == EXPR_CONSTANT ? NULL : from;
    if (is_after(h->p, net, from))
        h->net = net;
    else
        h->raw = true;
    return NULL;
}

static void hold_binding(Held *h, const Binding *b)
{
    Origins o = {.s = h->p->s, .asked = see_held, .cx = h, .seen = table_new(h->p->t->arena)};
    origins_walk_binding(&o, b);
    if (o.lost != NULL || h->part || b->how == BIND_ELEMENT || b->how == BIND_MORE)
        h->other = b->value;
}

static const Held *hold(Plan *p, const Slot *slot)
{
    Held *h = table_get(p->ddp->holds, slot);
    if (h != NULL)
        return h;
    h = ARENA_NEW(p->t->arena, Held);
    *h = (Held){.p = p};
    table_set(p->ddp->holds, slot, h);
    for EACH_BINDING(b, p->s, slot)
        hold_binding(h, b);
    return h;
}

const Net *ddp_net(Plan *p, const Expr *e)
{
    const Slot *slot = scan_slot(p->s, e);
    const Net *net = slot == NULL ? NULL : net_of(p, slot);
    if (net == NULL)
        return slot == NULL ? NULL : hold(p, slot)->net;
    return is_after(p, net, e) ? net : NULL;
}

// A name for a wrapped model and, elsewhere, for another one.
static void check_mixed(Plan *p)
{
    Table *told = table_new(p->t->arena);
    for (size_t i = 0; i < p->s->all_slots.len; i++) {
        const Slot *slot = p->s->all_slots.at[i];
        const Held *h = hold(p, slot);
        if (h->net == NULL || h->other == NULL || net_of(p, slot) != NULL ||
            table_get(told, h->other) != NULL)
            continue;
        table_set(told, h->other, p);
        diag_help(diag_report(p->diags, h->other->at, DIAG_OBJECT_ALIASED,
                              "`%s` already names another model that is trained", slot->name),
                  "use a separate variable or function for the other model");
    }
}

// `model = train(model)`: it gives the model back.
static void check_returned(Plan *p, const Net *net)
{
    for EACH_BINDING(b, p->s, net->slot) {
        Held h = {.p = p};
        if (b->stmt == NULL || !plan_trains(p, b->stmt) || expr_is_none(b->value))
            continue;
        hold_binding(&h, b);
        if (h.net != net || h.other != NULL || h.raw)
            diag_help(diag_report(p->diags, b->value->at, DIAG_OPTIMIZER_UNKNOWN,
                                  "it is not known whether this value is the trained model"),
                      "assign the result to another variable, or return the model itself");
    }
}

static bool see_toggle(void *cx, const Expr *e)
{
    Plan *p = cx;
    static const char *const TOGGLES[] = {"requires_grad_", NULL};
    const Expr *of = e->kind == EXPR_CALL && call_is_method(e, TOGGLES)
                     ? e->call.func->attribute.value : NULL;
    while (of != NULL && of->kind == EXPR_ATTRIBUTE && ddp_net(p, of) == NULL)
        of = of->attribute.value;
    Net *net = of == NULL ? NULL : (Net *)ddp_net(p, of);
    if (net != NULL)
        net->toggled = true;
    return true;
}

// `for p in model.parameters(): p.requires_grad = False`, once it is wrapped.
static void note_toggles(Plan *p)
{
    const IrWalker w = {.cx = p, .expr = see_toggle};
    ir_walk_unit(&w, p->t->cx->unit);
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        const Expr *to = n->kind == STMT_ASSIGN ? n->assign.targets.at[0] : NULL;
        const Stmt *loop = scan_loop(p->s, n);
        if (to == NULL || to->kind != EXPR_ATTRIBUTE || !sym_is(to->attribute.attr,
                                                                "requires_grad"))
            continue;
        for (size_t k = 0; k < p->ddp->nets.len; k++) {
            Net *net = &p->ddp->nets.at[k];
            Mentions m = {p, net, false, false};
            const IrWalker mention = {.cx = &m, .expr = see_mention};
            if (loop != NULL && loop->kind == STMT_FOR)
                ir_walk_expr(&mention, loop->for_.iter);
            net->toggled |= m.found && n->at.start > net->from;
        }
    }
}

// A model that nothing calls where its wrapper is known.
static void check_called(Plan *p)
{
    for (size_t i = 0; i < p->ddp->nets.len; i++) {
        const Net *net = &p->ddp->nets.at[i];
        bool called = false;
        for (size_t k = 0; k < p->s->calls.len; k++)
            called |= ddp_net(p, p->s->calls.at[k].call->call.func) == net;
        if (!called)
            diag_help(diag_report(p->diags, net->mention->at, DIAG_APPLY_UNKNOWN,
                                  "this model is not called, so its gradients cannot be averaged"),
                      "call the model by the name of its variable, such as `model(...)`");
    }
}

static void count_forwards(Plan *p)
{
    for EACH_CALL(c, p->s) {
        Net *net = (Net *)ddp_net(p, c->call->call.func);
        const Stmt *loop = scan_loop(p->s, c->stmt);
        if (net != NULL && ((loop != NULL && plan_trains(p, loop)) ||
                            (c->in != NULL && c->in->trains && loop == NULL)))
            net->forwards++;
    }
}

void rule_ddp_nets(Plan *p)
{
    find_trained(p);
    place_all(p);
    check_mixed(p);
    for (size_t i = 0; i < p->ddp->nets.len; i++)
        check_returned(p, &p->ddp->nets.at[i]);
    note_toggles(p);
    check_called(p);
    count_forwards(p);
    for (size_t i = 0; i < p->ddp->nets.len; i++)
        plan_fire(p, "P-loop", p->ddp->nets.at[i].mention->at);
}

// ---- P-model ----

// `nn.DataParallel(model, ...)` becomes `model`.
static void drop_data_parallel(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        if (!is_data_parallel(p, call))
            continue;
        Span head = {call->at.start, call->call.args.at[0]->at.start};
        Span tail = {call->call.args.at[0]->at.end, call->at.end};
        plan_fire(p, "P-model", call->at);
        rewrite_replace(p->t->rewrite, head, "");
        rewrite_replace(p->t->rewrite, tail, "");
    }
}

static bool is_normalized(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++)
        if (path_is(scan_value(p->s, p->s->calls.at[i].call->call.func).path,
                    "torch.nn.BatchNorm*"))
            return true;
    return false;
}

// A device by number becomes the one that the process has.
static bool see_device(void *cx, const Expr *e)
{
    Plan *p = cx;
    Text text = e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR
                ? e->constant.value->text : (Text){0};
    uint32_t number = (uint32_t)text.len - 4;               // `:0`, before the quote
    if (text.len > 5 && memcmp(text.at, "cuda:", 5) == 0)
        rewrite_replace(p->t->rewrite, (Span){e->at.end - 1 - number, e->at.end - 1}, "");
    return true;
}

static void drop_pinning(Plan *p)
{
    static const char *const CUDA[] = {"cuda", NULL};
    const IrWalker w = {.cx = p, .expr = see_device};
    ir_walk_unit(&w, p->t->cx->unit);
    for EACH_CALL(c, p->s) {
        Sym path = scan_value(p->s, c->call->call.func).path;
        const Expr *arg = c->call->call.args.len > 0 ? c->call->call.args.at[0] : NULL;
        if (path_is(path, "torch.cuda.set_device") && c->stmt->kind == STMT_EXPR)
            rewrite_remove(p->t->rewrite, c->stmt);
        else if (path == NULL && arg != NULL && arg->kind == EXPR_CONSTANT &&
                 arg->constant.value->kind != CONST_STR && call_is_method(c->call, CUDA))
            rewrite_replace(p->t->rewrite, arg->at, "");
    }
    plan_drop_choice(p);
}

static const char *net_name(Plan *p, const Net *net)
{
    const Expr *e = net->mention;
    return net->slot->class_ != NULL && e->kind == EXPR_ATTRIBUTE && net->in != NULL &&
           net->in->class_ == net->slot->class_
           ? tool_format(p->t, "%s.%s", net->in->self, net->slot->name) : net->slot->name;
}

void rule_ddp_model(Plan *p)
{
    bool normalized = is_normalized(p);
    drop_data_parallel(p);
    drop_pinning(p);
    for (size_t i = 0; i < p->ddp->nets.len; i++) {
        const Net *net = &p->ddp->nets.at[i];
        const char *name = net_name(p, net);
        bool often = net->forwards > 1 || p->ddp->plays;
        const char *line = tool_format(p->t, "%s = %s(%s%s%s)", name, p->ddp->wrap, name,
                                       often ? ", broadcast_buffers=False" : "",
                                       net->toggled ? ", find_unused_parameters=True" : "");
        plan_fire(p, "P-model", net->mention->at);
        if (net->after != NULL)
            rewrite_after(p->t->rewrite, net->after, line);
        else
            rewrite_before(p->t->rewrite, net->in->def->function_def.body.at[0], line);
        if (normalized)
            diag_report(p->diags, net->mention->at, DIAG_BATCH_NORM,
                        "batch normalization uses only the batches of the same process");
        normalized = false;
    }
}

// ---- P-attr ----

typedef struct Attrs { Plan *p; Table *done; } Attrs;

static void to_module(Attrs *a, const Expr *e)
{
    plan_fire(a->p, "P-attr", e->at);
    rewrite_insert(a->p->t->rewrite, e->at.end, ".module");
}

// A method that reads nothing of its object but numbers: what it gives has no gradients.
typedef struct Reads { Plan *p; const Func *f; bool numbers; } Reads;

static bool see_own(void *cx, const Expr *e)
{
    Reads *r = cx;
    if (e->kind == EXPR_ATTRIBUTE && expr_is_name(e->attribute.value, r->f->self)) {
        const Slot *slot = scan_slot(r->p->s, e);
        r->numbers &= slot != NULL && slot->first != 0 && value_is(slot->value, KIND_NONE);
        for EACH_BINDING(b, r->p->s, slot)
            r->numbers &= b->value->kind == EXPR_CONSTANT || b->value->kind == EXPR_NAME;
        return false;
    }
    r->numbers &= !expr_is_name(e, r->f->self) &&
                  (e->kind != EXPR_CALL || scan_slot(r->p->s, e->call.func) == NULL ||
                   scan_callee(r->p->s, e) == NULL);
    return true;
}

static bool reads_numbers(Plan *p, const Func *f)
{
    Reads r = {p, f, f != NULL && f->class_ != NULL};
    const IrWalker w = {.cx = &r, .expr = see_own};
    if (r.numbers)
        ir_walk_stmts(&w, f->def->function_def.body);
    return r.numbers;
}

static bool is_plain_call(Plan *p, const Expr *call, const Expr *model)
{
    const Expr *f = call->call.func;
    if (f->kind == EXPR_ATTRIBUTE && f->attribute.value == model &&
        reads_numbers(p, scan_callee(p->s, call)))
        return true;
    return f->kind == EXPR_ATTRIBUTE &&
           (f->attribute.value == model ? sym_is_one_of(f->attribute.attr, PLAIN) ||
                                          sym_is_one_of(f->attribute.attr, SAME)
                                        : sym_is_one_of(f->attribute.attr, OF_TENSORS) ||
                                          sym_is_one_of(f->attribute.attr, PLAIN));
}

static const Expr *root_of(Plan *p, const Expr *e)
{
    while (e->kind == EXPR_ATTRIBUTE && ddp_net(p, e) == NULL)
        e = e->attribute.value;
    return ddp_net(p, e) != NULL ? e : NULL;
}

static bool see_attr(void *cx, const Expr *e)
{
    Attrs *a = cx;
    Plan *p = a->p;
    if (e->kind == EXPR_CALL) {
        const Expr *model = root_of(p, e->call.func);
        if (model == e->call.func && model != NULL)
            table_set(a->done, model, a);
        else if (model != NULL && !is_plain_call(p, e, model))
            table_set(p->flow->bypass, e, a);
    }
    if (e->kind == EXPR_ATTRIBUTE && ddp_net(p, e->attribute.value) != NULL) {
        if (!sym_is_one_of(e->attribute.attr, SAME))
            to_module(a, e->attribute.value);
        table_set(a->done, e->attribute.value, a);
    }
    if (expr_is_load(e) && ddp_net(p, e) != NULL && table_get(a->done, e) == NULL &&
        table_get(p->ddp->handed, e) == NULL) {
        to_module(a, e);
        table_set(p->flow->bypass, e, a);
    }
    return true;
}

// `m = model` before it is wrapped: what `m(x)` gives goes past the wrapper.
static void note_raw(Plan *p)
{
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        const Slot *slot = scan_slot(p->s, call->call.func);
        if (slot != NULL && net_of(p, slot) == NULL && hold(p, slot)->raw)
            table_set(p->flow->bypass, call, p);
    }
}

static void check_losses(Plan *p)
{
    note_raw(p);
    ddp_check_passes(p);
    flow_settle(p->flow);
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        bool grad = path_is(scan_value(p->s, call->call.func).path, "torch.autograd.grad") &&
                    strstr(tool_text(p->t, call), ".parameters()") != NULL;
        if (grad)
            diag_help(diag_report(p->diags, call->at, DIAG_APPLY_UNKNOWN,
                                  "the gradients of `torch.autograd.grad` would not be averaged"),
                      "call `backward` on the loss, and use the `grad` of the parameters");
        else if (scan_backward(p->s, call) &&
                 (flow_labels(p->flow, call->call.func) & LABEL_BYPASS) != 0)
            diag_help(diag_report(p->diags, call->at, DIAG_APPLY_UNKNOWN,
                                  "these gradients do not come from a call of the model, so they "
                                  "would not be averaged"),
                      "compute the loss from `model(...)`, and move the code of the method into "
                      "`forward`");
    }
}

void rule_ddp_attr(Plan *p)
{
    Attrs a = {p, table_new(p->t->arena)};
    const IrWalker w = {.cx = &a, .expr = see_attr};
    ir_walk_unit(&w, p->t->cx->unit);
    check_losses(p);
}
