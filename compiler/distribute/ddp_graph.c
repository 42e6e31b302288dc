// ddp_graph.c - which calls of a model a backward pass goes back through. DistributedDataParallel
// averages what the first pass after a call computes; a second pass through the same call, or
// through one before the first pass, stays the process's own.

#include "compiler/distribute/ddp.h"

typedef struct Forward { const Net *net; uint32_t at; } Forward;

typedef struct Graph {
    Plan *p;
    const CallSite *pass;       // the backward pass
    uint32_t called;            // where the function is called that is looked at; 0: it is its own
    int depth;
    Table *seen;                // Binding
    Vec(Forward) forwards;
} Graph;

static bool see_value(void *cx, const Expr *e);

static void look(Graph *g, const Expr *e)
{
    const IrWalker w = {.cx = g, .expr = see_value};
    ir_walk_expr(&w, e);
}

// What a variable was set to last, and what was added to it since.
static void look_behind(Graph *g, const Expr *name)
{
    Scan *s = g->p->s;
    const Slot *slot = scan_slot(s, name);
    const Binding *last = NULL;
    for EACH_BINDING(b, s, slot)
        if (b->stmt != NULL && b->stmt->at.start < name->at.start && b->how != BIND_MORE &&
            (last == NULL || b->stmt->at.start >= last->stmt->at.start))
            last = b;
    for EACH_BINDING(b, s, slot) {
        bool since = b == last || (last != NULL && b->stmt != NULL && b->how == BIND_MORE &&
                                   b->stmt->at.start > last->stmt->at.start &&
                                   b->stmt->at.start < name->at.start);
        if (!since || table_get(g->seen, b) != NULL)
            continue;
        table_set(g->seen, b, g);
        look(g, b->value);
    }
}

static void look_inside(Graph *g, const Expr *call, const Func *callee)
{
    enum { CALLS = 6 };
    uint32_t called = g->called;
    if (g->depth >= CALLS)
        return;
    g->depth++;
    g->called = called != 0 ? called : call->at.start;
    for (size_t i = 0; i < callee->returns.len; i++)
        look(g, callee->returns.at[i]);
    g->called = called;
    g->depth--;
}

static bool see_value(void *cx, const Expr *e)
{
    static const char *const CUTS[] = {"detach", "item", "numpy", "tolist", "parameters", NULL};
    Graph *g = cx;
    if (e->kind == EXPR_NAME)
        look_behind(g, e);
    if (e->kind != EXPR_CALL)
        return true;
    const Net *net = ddp_net(g->p, e->call.func);
    const Func *callee = scan_callee(g->p->s, e);
    if (net != NULL)
        vec_push(g->p->t->arena, &g->forwards,
                 ((Forward){net, g->called != 0 ? g->called : e->at.start}));
    else if (callee != NULL)
        look_inside(g, e, callee);
    return !call_is_method(e, CUTS);
}

static Graph graph_of(Plan *p, const CallSite *pass)
{
    Graph g = {.p = p, .pass = pass, .seen = table_new(p->t->arena)};
    look(&g, pass->call->call.func->attribute.value);
    return g;
}

// The last call of a model that a pass goes through; 0: none.
static uint32_t last_forward(const Graph *g, const Net *net)
{
    uint32_t last = 0;
    for (size_t i = 0; i < g->forwards.len; i++)
        if (g->forwards.at[i].net == net && g->forwards.at[i].at > last)
            last = g->forwards.at[i].at;
    return last;
}

// In two arms of one statement.
static bool are_exclusive(Plan *p, const Stmt *a, const Stmt *b)
{
    for (const Stmt *n = a; n != NULL; n = scan_info(p->s, n)->parent) {
        const Stmt *up = scan_info(p->s, n)->parent, *other = stmt_under(p, b, up);
        if (up != NULL && other != NULL && up->kind == STMT_IF &&
            scan_info(p->s, other)->kind != scan_info(p->s, n)->kind)
            return true;
    }
    return false;
}

static bool is_second(const Graph *first, const Graph *g, const Net *net)
{
    const Stmt *a = first->pass->stmt, *b = g->pass->stmt;
    Scan *s = g->p->s;
    return first->pass->in == g->pass->in && scan_loop(s, a) == scan_loop(s, b) &&
           first->pass->call->at.start < g->pass->call->at.start &&
           last_forward(first, net) != 0 &&
           last_forward(g, net) < first->pass->call->at.start && !are_exclusive(g->p, a, b);
}

void ddp_check_passes(Plan *p)
{
    Vec(Graph) graphs = {0};
    for (size_t i = 0; i < p->s->calls.len; i++)
        if (scan_backward(p->s, p->s->calls.at[i].call))
            vec_push(p->t->arena, &graphs, graph_of(p, &p->s->calls.at[i]));
    for (size_t i = 0; i < graphs.len; i++) {
        const Graph *g = &graphs.at[i];
        const Stmt *loop = scan_loop(p->s, g->pass->stmt);
        bool again = false;
        for (size_t k = 0; k < g->forwards.len; k++) {
            const Net *net = g->forwards.at[k].net;
            again |= loop != NULL && last_forward(g, net) < loop->at.start;
            for (size_t m = 0; m < graphs.len; m++)
                again |= is_second(&graphs.at[m], g, net);
        }
        if (again)
            diag_help(diag_report(p->diags, g->pass->call->at, DIAG_APPLY_UNKNOWN,
                                  "one call of the model has several backward passes, and the "
                                  "gradients of this one would not be averaged"),
                      "add the losses, and call `backward` once on the sum");
    }
}
