// collective.c - the collective check. A collective must not stand under a test that may differ
// from process to process, unless both arms make the same sequence; nor after an early exit
// under one.

#include "compiler/distribute/collective.h"

#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/distribute/flow.h"

typedef struct Check {
    Tool t;
    Scan *s;
    Flow *f;
    bool data_parallel;         // torch's DistributedDataParallel is there
    Vec(const CallSite *) collectives;  // once they are known
    size_t found;
} Check;

// ---- what is a collective ----

static bool is_collective(Check *c, const CallSite *site)
{
    static const char *const STEPS[] = {"apply_gradients", "step", "minimize", NULL};
    const Expr *f = site->call->call.func;
    if (site->callee != NULL && site->callee->collective)
        return true;
    if (path_is_collective(scan_value(c->s, f).path))
        return true;
    if (f->kind != EXPR_ATTRIBUTE)
        return false;
    Sym method = f->attribute.attr;
    return (sym_is(method, "gradient") &&
            flow_is_wrapped(c->f, f->attribute.value, "DistributedGradientTape")) ||
           (sym_is_one_of(method, STEPS) &&
            flow_is_wrapped(c->f, f->attribute.value, "DistributedOptimizer")) ||
           (sym_is(method, "backward") && c->data_parallel) ||
           (sym_is(method, "fit") && value_is(scan_value(c->s, f->attribute.value), KIND_MODEL));
}

static void note_functions(Check *c)
{
    for (bool changed = true; changed;) {
        changed = false;
        for EACH_CALL(site, c->s) {
            if (site->in != NULL && !site->in->collective && is_collective(c, site))
                site->in->collective = changed = true;
        }
    }
    for (size_t i = 0; i < c->s->calls.len; i++)
        if (is_collective(c, &c->s->calls.at[i]))
            vec_push(c->t.arena, &c->collectives, &c->s->calls.at[i]);
}

// ---- what is in a part of the text ----

static const CallSite *first_in(Check *c, Span at)
{
    const CallSite *first = NULL;
    for (size_t i = 0; i < c->collectives.len; i++) {
        const CallSite *site = c->collectives.at[i];
        if (site->call->at.start >= at.start && site->call->at.end <= at.end &&
            (first == NULL || site->call->at.start < first->call->at.start))
            first = site;
    }
    return first;
}

static Span span_of(StmtList body)
{
    return body.len == 0 ? (Span){0, 0}
                         : (Span){body.at[0]->at.start, body.at[body.len - 1]->at.end};
}

// The collectives of a part, in order, as text.
static const char *sequence(Check *c, Span at)
{
    Buf b = buf_new(c->t.arena);
    buf_puts(&b, "");
    for (const CallSite *site = first_in(c, at); site != NULL;
         site = first_in(c, (Span){site->call->at.start + 1, at.end}))
        buf_printf(&b, "%s;", tool_text(&c->t, site->call->call.func));
    return buf_text(&b);
}

static bool is_torch(const Check *c, const CallSite *site)
{
    Sym path = scan_value(c->s, site->call->call.func).path;
    return c->data_parallel || (path != NULL && strncmp(path, "torch.", 6) == 0);
}

// A part in which a collective operation is called, or not, or more often than elsewhere.
typedef struct Part { bool repeated, has_value; const char *move; } Part;

static const Part BRANCH = {false, true, "move the collective operation out of the branch"};
static const Part ROUNDS = {true, true, "move the collective operation out of the loop"};
static const Part EXIT = {false, true, "call the collective operation before the exit"};
static const Part OPERAND = {false, true, "call the collective operation in a statement before"};
static const Part HANDLER = {false, false, "move the collective operation out of the handler"};

// `what` determines whether the operation is called; the number of rounds of a loop, how often.
static void report(Check *c, Span at, const CallSite *site, const char *what, const Part *part)
{
    Diag *d = diag_report(c->t.cx->diags, at, DIAG_RANK_BRANCH, "%s may differ between processes, "
                          "but determines %s a collective operation is called", what,
                          part->repeated ? "how often" : "whether");
    diag_label(d, site->call->at,
               "processes that reach this call would wait forever for those that do not");
    if (part->has_value)
        diag_help(d, "use the same value in all processes, such as one from `%s(...)`, or %s",
                  is_torch(c, site) ? "torch.distributed.broadcast_object_list"
                                    : "hvd.broadcast_object",
                  part->move);
    else
        diag_help(d, "%s", part->move);
    c->found++;
}

// ---- early exits ----

typedef struct Exits { bool leaves_loop, returns, raises; int loops; } Exits;

static bool see_exit(void *cx, const Stmt *n)
{
    Exits *e = cx;
    e->leaves_loop |= n->kind == STMT_BREAK || n->kind == STMT_CONTINUE;
    e->returns |= n->kind == STMT_RETURN;
    e->raises |= n->kind == STMT_RAISE;
    return n->kind != STMT_FUNCTION_DEF && n->kind != STMT_CLASS_DEF;
}

static bool see_call_of_exit(void *cx, const Expr *e)
{
    static const char *const EXITS[] = {"exit", "_exit", "quit", "abort", NULL};
    Exits *x = cx;
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    if (f != NULL)
        x->raises |= (f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, EXITS)) ||
                     (f->kind == EXPR_NAME && sym_is_one_of(f->name.id, EXITS));
    return true;
}

// Where a collective is not reached any more by a process that leaves at `n`.
static const CallSite *missed(Check *c, const Stmt *n, const Exits *e)
{
    const Stmt *loop = scan_loop(c->s, n), *outer = loop;
    const CallSite *found = NULL;
    if (e->leaves_loop && loop != NULL)
        found = first_in(c, loop->at);
    if (found != NULL || (!e->returns && !e->raises))
        return found;
    for (; outer != NULL; outer = scan_loop(c->s, outer))
        loop = outer;
    Span all = {0, (uint32_t)c->t.cx->source->text.len};
    for (const StmtInfo *i = scan_info(c->s, n); i->parent != NULL && all.start == 0;
         i = scan_info(c->s, i->parent))
        if (i->kind == BODY_FUNCTION)
            all = i->parent->at;
    uint32_t from = loop != NULL ? loop->at.start : n->at.end;
    return first_in(c, (Span){from, all.end});
}

static void check_exits(Check *c, const Stmt *n)
{
    Exits e = {0};
    const IrWalker w = {.cx = &e, .stmt = see_exit, .expr = see_call_of_exit};
    ir_walk_stmts(&w, n->if_.body);
    ir_walk_stmts(&w, n->if_.orelse);
    const CallSite *site = missed(c, n, &e);
    if (site != NULL)
        report(c, n->if_.test->at, site, "the condition of this early exit", &EXIT);
}

// ---- statements ----

static void check_if(Check *c, const Stmt *n)
{
    Span body = span_of(n->if_.body), orelse = span_of(n->if_.orelse);
    const CallSite *in_body = first_in(c, body);
    const CallSite *site = in_body != NULL ? in_body : first_in(c, orelse);
    uint64_t labels = flow_labels(c->f, n->if_.test);
    if ((labels & LABEL_APART) == 0)
        return;
    if (site != NULL && strcmp(sequence(c, body), sequence(c, orelse)) != 0)
        report(c, n->if_.test->at, site, "this condition", &BRANCH);
    else if (labels & LABEL_DIFFERS)
        check_exits(c, n);
}

static void check_for(Check *c, const Stmt *n)
{
    const Expr *iter = n->for_.iter;
    const CallSite *site = first_in(c, span_of(n->for_.body));
    bool call = iter->kind == EXPR_CALL && iter->call.args.len > 0;
    bool data = value_is(scan_value(c->s, iter), KIND_DATASET) ||
                (call && value_is(scan_value(c->s, iter->call.args.at[0]), KIND_DATASET));
    uint64_t labels = site == NULL || data ? 0 : flow_labels(c->f, iter);
    if ((labels & LABEL_RANK) || (call_is_name(iter, "range") && (labels & LABEL_OWN)))
        report(c, iter->at, site, "the number of rounds of this loop", &ROUNDS);
}

static void check_handlers(Check *c, const Stmt *n)
{
    for (size_t i = 0; i < n->try.handlers.len; i++) {
        const Excepthandler *h = n->try.handlers.at[i];
        const CallSite *site = first_in(c, span_of(h->except_handler.body));
        if (site != NULL)
            report(c, h->at, site, "the exception of this handler", &HANDLER);
    }
}

static void check_stmt(Check *c, const Stmt *n)
{
    if (n->kind == STMT_IF)
        check_if(c, n);
    else if (n->kind == STMT_FOR)
        check_for(c, n);
    else if (n->kind == STMT_TRY)
        check_handlers(c, n);
    else if (n->kind == STMT_WHILE && flow_differs(c->f, n->while_.test)) {
        const CallSite *site = first_in(c, span_of(n->while_.body));
        if (site != NULL)
            report(c, n->while_.test->at, site, "the condition of this loop", &ROUNDS);
    }
}

// `a if rank() == 0 else b`, `rank() == 0 and a`.
static bool check_expr(void *cx, const Expr *e)
{
    Check *c = cx;
    const CallSite *site = NULL;
    if (e->kind == EXPR_IF_EXP && flow_differs(c->f, e->if_exp.test)) {
        site = first_in(c, e->if_exp.body->at);
        site = site != NULL ? site : first_in(c, e->if_exp.orelse->at);
        if (site != NULL && strcmp(sequence(c, e->if_exp.body->at),
                                   sequence(c, e->if_exp.orelse->at)) != 0)
            report(c, e->if_exp.test->at, site, "this condition", &OPERAND);
    }
    for (size_t i = 1; e->kind == EXPR_BOOL_OP && i < e->bool_op.values.len; i++) {
        site = first_in(c, e->bool_op.values.at[i]->at);
        if (site != NULL && flow_differs(c->f, e->bool_op.values.at[i - 1]))
            report(c, e->bool_op.values.at[i - 1]->at, site, "this operand", &OPERAND);
    }
    return true;
}

static bool see_wrapper(void *cx, const Expr *e)
{
    Check *c = cx;
    c->data_parallel |= (e->kind == EXPR_NAME && sym_is(e->name.id, "DistributedDataParallel")) ||
                        (e->kind == EXPR_NAME && sym_is(e->name.id, "DDP")) ||
                        (e->kind == EXPR_ATTRIBUTE &&
                         sym_is(e->attribute.attr, "DistributedDataParallel"));
    return true;
}

size_t collective_check(const DistributeCx *cx)
{
    Check c = {.t = tool_new(cx)};
    c.s = scan_new(&c.t);
    c.f = flow_new(c.s);
    const IrWalker wrappers = {.cx = &c, .expr = see_wrapper};
    const IrWalker exprs = {.cx = &c, .expr = check_expr};
    ir_walk_unit(&wrappers, cx->unit);
    note_functions(&c);
    for (size_t i = 0; i < c.s->stmts.len; i++)
        check_stmt(&c, c.s->stmts.at[i]);
    ir_walk_unit(&exprs, cx->unit);
    return c.found;
}
