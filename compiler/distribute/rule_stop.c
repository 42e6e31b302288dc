// rule_stop.c - D6: what a process sees of its own share of the data decides nothing alone: neither
// how often it steps, nor whether it takes part in what all do.

#include "compiler/distribute/plan.h"

// ---- what a branch does ----

typedef struct Deeds { Plan *p; bool jumps, leaves, rate, keeps; } Deeds;

static bool see_deed(void *cx, const Stmt *n)
{
    Deeds *d = cx;
    d->jumps |= n->kind == STMT_BREAK || n->kind == STMT_CONTINUE;
    d->leaves |= n->kind == STMT_RETURN || n->kind == STMT_RAISE;
    const Expr *target = n->kind == STMT_ASSIGN ? n->assign.targets.at[0] : NULL;
    d->rate |= target != NULL && target->kind == EXPR_ATTRIBUTE &&
               (sym_is(target->attribute.attr, "learning_rate") ||
                sym_is(target->attribute.attr, "lr") ||
                sym_is(target->attribute.attr, "stop_training"));
    return n->kind != STMT_FUNCTION_DEF && n->kind != STMT_CLASS_DEF;
}

static bool see_exit(void *cx, const Expr *e)
{
    static const char *const EXITS[] = {"exit", "quit", "_exit", NULL};
    static const char *const STATES[] = {"state_dict", "load_state_dict", "get_weights",
                                         "set_weights", NULL};
    Deeds *d = cx;
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    if (f != NULL && f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "assign"))
        d->rate |= f->attribute.value->kind == EXPR_ATTRIBUTE &&
                   (sym_is(f->attribute.value->attribute.attr, "learning_rate") ||
                    sym_is(f->attribute.value->attribute.attr, "lr"));
    if (f != NULL && f->kind == EXPR_NAME)
        d->leaves |= sym_is_one_of(f->name.id, EXITS);
    if (f != NULL && f->kind == EXPR_ATTRIBUTE) {
        d->leaves |= sym_is_one_of(f->attribute.attr, EXITS);
        d->keeps |= sym_is_one_of(f->attribute.attr, STATES);
    }
    return true;
}

// Whether the arms decide steps, rates or collectives.
static bool decides(Plan *p, const Stmt *n)
{
    Deeds d = {.p = p};
    const Stmt *loop = scan_loop(p->s, n);
    const IrWalker w = {.cx = &d, .stmt = see_deed, .expr = see_exit};
    ir_walk_stmts(&w, n->if_.body);
    ir_walk_stmts(&w, n->if_.orelse);
    // How often a loop runs that does not train is the process's own affair.
    return d.leaves || d.rate || d.keeps || plan_trains(p, n) ||
           (d.jumps && (loop == NULL || plan_trains(p, loop)));
}

// In training: a loop that trains is around it, or a function that trains or is called by one.
static bool in_training(Plan *p, const Stmt *n)
{
    const Func *f = scan_info(p->s, n)->in;
    if (f != NULL && f->trains)
        return true;
    for (const Stmt *up = scan_info(p->s, n)->parent; up != NULL;
         up = scan_info(p->s, up)->parent)
        if ((up->kind == STMT_FOR || up->kind == STMT_WHILE) && plan_trains(p, up))
            return true;
    return plan_trains(p, n);
}

static void decide_once(Plan *p, const Expr *test)
{
    if (table_get(p->decided, test) != NULL)
        return;
    table_set(p->decided, test, p);
    plan_fire(p, "D6", test->at);
    plan_core(p);
    rewrite_around(p->t->rewrite, test->at,
                   tool_format(p->t, "%s(bool(", p->agree), "))");
}

void plan_decide(Plan *p, const Stmt *s)
{
    for (; s != NULL; s = scan_info(p->s, s)->parent) {
        const Stmt *up = scan_info(p->s, s)->parent;
        if (up != NULL && up->kind == STMT_IF &&
            (flow_labels(p->flow, up->if_.test) & LABEL_APART) != 0)
            decide_once(p, up->if_.test);
    }
}

bool plan_is_common(const Plan *p, const Stmt *s)
{
    for (; s != NULL; s = scan_info(p->s, s)->parent) {
        const Stmt *up = scan_info(p->s, s)->parent;
        if (up != NULL && (up->kind == STMT_TRY || up->kind == STMT_MATCH))
            return false;
        if (up != NULL && up->kind == STMT_IF && table_get(p->decided, up->if_.test) == NULL &&
            (flow_labels(p->flow, up->if_.test) & LABEL_APART) != 0)
            return false;
    }
    return true;
}

static void refuse_bound(Plan *p, const Expr *e, const char *what)
{
    diag_help(diag_report(p->diags, e->at, DIAG_STEPS_UNEQUAL,
                          "%s depends on the data of one process, so the numbers of steps would "
                          "differ between processes", what),
              "loop over a fixed number of rounds, and leave the loop with `if ...: break`");
}

void rule_stop(Plan *p)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        const Func *f = scan_info(p->s, n)->in;
        if (n->kind == STMT_WHILE && plan_trains(p, n) && flow_is_own(p->flow, n->while_.test))
            refuse_bound(p, n->while_.test, "the condition of this loop");
        if (n->kind == STMT_FOR && call_is_name(n->for_.iter, "range") && plan_trains(p, n) &&
            flow_is_own(p->flow, n->for_.iter))
            refuse_bound(p, n->for_.iter, "the number of rounds of this loop");
        uint64_t labels = n->kind == STMT_IF ? flow_labels(p->flow, n->if_.test) : 0;
        bool own = (labels & LABEL_OWN) != 0 && decides(p, n) && in_training(p, n);
        if (!own && ((labels & LABEL_FILES) == 0 || !plan_trains(p, n)))
            continue;
        if (f != NULL && f->traced)
            refuse_bound(p, n->if_.test, "this condition in a `tf.function`");
        else
            decide_once(p, n->if_.test);
    }
}
