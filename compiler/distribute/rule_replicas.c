// rule_replicas.c - tf.distribute: a step of training becomes a function that each replica runs on
// its part of the batch; what it gives to the loop around it is the mean.
//
// The step is what touches the elements of the dataset, and what trains. If that is a call of one
// function, the replicas run this function; a traced one gets a traced function around it that
// starts the replicas, since they cannot meet inside a trace of their own.

#include "compiler/distribute/pipeline.h"

typedef struct Step {
    Plan *p;
    const Stmt *loop;
    StmtList body;
    Table *elements;            // Slot: of the batch, or made of it by one replica
    Vec(Sym) names;             // what the loop gives, in order
    size_t first, last;         // the statements of the step
    Span at;
    bool found;
} Step;

static void refuse(Plan *p, Span at, const char *what, const char *help)
{
    diag_help(diag_report(p->diags, at, DIAG_REPLICA_STEP, "%s", what), "%s", help);
}

// ---- what there is in a part of the text ----

typedef bool Asked(Step *s, const Expr *e);

typedef struct Search { Step *s; Asked *asked; const Expr *found; Span outside; } Search;

static bool see_asked(void *cx, const Expr *e)
{
    Search *k = cx;
    bool outside = e->at.start < k->outside.start || e->at.end > k->outside.end;
    if (k->found == NULL && outside && k->asked(k->s, e))
        k->found = e;
    return k->found == NULL;
}

static const Expr *find_in(Step *s, const Stmt *n, Asked *asked, Span outside)
{
    Search k = {s, asked, NULL, outside};
    const IrWalker w = {.cx = &k, .expr = see_asked};
    ir_walk_stmt(&w, n);
    return k.found;
}

static bool is_load(const Expr *e)
{
    return e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_LOAD;
}

static bool is_element(Step *s, const Expr *e)
{
    return e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_STORE &&
           table_get(s->elements, scan_slot(s->p->s, e)) != NULL;
}

// ---- numbers ----

// A loss: one number on each replica, so that the mean is what the whole batch gives.
static bool is_loss(Plan *p, const Expr *e)
{
    static const char *const READS[] = {"numpy", "item", "result", NULL};
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME &&
        sym_is(e->call.func->name.id, "float") && e->call.args.len == 1)
        e = e->call.args.at[0];
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_ATTRIBUTE &&
        sym_is_one_of(e->call.func->attribute.attr, READS))
        e = e->call.func->attribute.value;
    if (value_is(scan_value(p->s, e), KIND_METRIC))
        return true;
    const Slot *slot = e->kind == EXPR_NAME ? scan_slot(p->s, e) : NULL;
    for (size_t i = 0; i < p->s->calls.len; i++) {
        const Expr *call = p->s->calls.at[i].call;
        const Expr *of = flow_gradient(p->flow, call) ? call_argument(call, 0, "target") : NULL;
        if (slot != NULL && of != NULL && of->kind == EXPR_NAME && scan_slot(p->s, of) == slot)
            return true;
    }
    return path_is(scan_value(p->s, e->kind == EXPR_CALL ? e->call.func : e).path,
                   "tf.reduce_mean");
}

static bool is_tuple_of_losses(Plan *p, const Expr *e)
{
    for (size_t i = 0; e->kind == EXPR_TUPLE && i < e->tuple.elts.len; i++)
        if (!is_loss(p, e->tuple.elts.at[i]))
            return false;
    return e->kind == EXPR_TUPLE || is_loss(p, e);
}

static const char *mean_of(Plan *p, bool many, const char *run)
{
    const char *mean = tool_format(p->t, "%s.reduce(%s.distribute.ReduceOp.MEAN, ", p->hvd, p->tf);
    if (!many)
        return tool_format(p->t, "%s%s, axis=None)", mean, run);
    return tool_format(p->t, "%s.nest.map_structure(lambda v: %sv, axis=None), %s)", p->tf, mean,
                       run);
}

// ---- what replicas cannot do each for itself ----

typedef struct Deeds { Step *s; const Func *f; int loops; } Deeds;

static bool see_call(void *cx, const Expr *e)
{
    static const char *const KEEPS[] = {"append", "extend", "add_scalar", "insert", NULL};
    const Deeds *d = cx;
    Plan *p = d->s->p;
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    bool prints = f != NULL && f->kind == EXPR_NAME && sym_is(f->name.id, "print") &&
                  scan_value(p->s, f).func == NULL;
    if (f != NULL && (prints || path_is(scan_value(p->s, f).path, "tf.print")))
        refuse(p, e->at, "each replica would call this `print`", "return the value from the step, "
               "and print it outside the step");
    if (f != NULL && f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, KEEPS))
        refuse(p, e->at, "each replica would store only the result of its own part of the batch",
               "return the result from the step, and store it outside the step");
    if (e->kind == EXPR_ATTRIBUTE && e->attribute.ctx == EXPR_CONTEXT_STORE)
        refuse(p, e->at, "each replica would set this attribute from its own part of the batch",
               "return the value from the step, and set the attribute outside the step");
    return true;
}

static bool see_leave(void *cx, const Stmt *n)
{
    Step *s = cx;
    bool own = n->kind == STMT_RETURN || ((n->kind == STMT_BREAK || n->kind == STMT_CONTINUE) &&
                                          scan_loop(s->p->s, n) == s->loop);
    if (own && n->kind == STMT_CONTINUE)
        refuse(s->p, n->at, "one replica could skip the rest of this round without the others",
               "remove the elements from the dataset, with its `filter` method");
    else if (own)
        refuse(s->p, n->at, "one replica could leave the loop without the others",
               "return a value from the step, and leave the loop depending on this value");
    return n->kind != STMT_FUNCTION_DEF && n->kind != STMT_CLASS_DEF;
}

static void check_functions(Step *s, Span at, Table *seen);

static void check_body(Step *s, const Stmt *n, Table *seen)
{
    Deeds d = {s, NULL, 0};
    const IrWalker w = {.cx = &d, .expr = see_call};
    ir_walk_stmt(&w, n);
    check_functions(s, n->at, seen);
}

// The functions of the file that a part of the text calls; not how models compute.
static void check_functions(Step *s, Span at, Table *seen)
{
    for EACH_CALL(c, s->p->s) {
        Func *f = c->callee;
        if (f == NULL || c->call->at.start < at.start || c->call->at.end > at.end || !f->trains ||
            table_get(seen, f) != NULL)
            continue;
        table_set(seen, f, f);
        for (size_t k = 0; k < f->def->function_def.body.len; k++)
            check_body(s, f->def->function_def.body.at[k], seen);
    }
}

// ---- the step is a call ----

static const CallSite *training_call(Step *s, Span at)
{
    const CallSite *found = NULL;
    for (size_t i = 0; i < s->p->s->training.len; i++) {
        const CallSite *c = s->p->s->training.at[i];
        bool inside = at.start <= c->call->at.start && c->call->at.end <= at.end;
        if (inside && found != NULL)
            return NULL;
        found = inside ? c : found;
    }
    return found;
}

static bool has_decorator(Plan *p, const Func *f)
{
    ExprList d = f->def->function_def.decorator_list;
    return d.len == 1 && path_is(scan_value(p->s, d.at[0]->kind == EXPR_CALL
                                                  ? d.at[0]->call.func : d.at[0]).path,
                                 "tf.function");
}

// The optimizer of a step, in a function that has `self` and the arguments of the step as `args`.
static const char *outer_optimizer(Plan *p, const Func *f, const Expr *optimizer)
{
    const Expr *root = optimizer;
    while (root->kind == EXPR_ATTRIBUTE)
        root = root->attribute.value;
    const Slot *slot = root->kind == EXPR_NAME ? scan_slot(p->s, root) : NULL;
    if (slot == NULL || slot->block == p->s->scopes.module || root->name.id == f->self)
        return slot == NULL ? NULL : tool_text(p->t, optimizer);
    const Arguments *a = f->def->function_def.args;
    size_t skip = f->class_ != NULL ? 1 : 0;
    for (size_t i = skip; i < a->args.len; i++)
        if (a->args.at[i]->arg == root->name.id)
            return tool_format(p->t, "args[%zu]%s", i - skip,
                               tool_text(p->t, optimizer) + (root->at.end - root->at.start));
    return NULL;
}

// Whether the optimizers of a step have their variables; NULL: it cannot be written outside of it.
static const char *are_built(Plan *p, const Func *f)
{
    const char *built = NULL;
    for EACH_CALL(c, p->s) {
        const Expr *o = scan_method(p->s, c->call, KIND_OPTIMIZER, "apply_gradients");
        o = o != NULL ? o : scan_method(p->s, c->call, KIND_OPTIMIZER, "apply");
        const char *text = o != NULL && c->in == f ? outer_optimizer(p, f, o) : NULL;
        if (o != NULL && c->in == f && text == NULL)
            return NULL;
        if (text != NULL)
            built = tool_format(p->t, "%s%s%s.built", built == NULL ? "" : built,
                                built == NULL ? "" : " and ", text);
    }
    return built;
}

// The decorator goes to a function of its own, which starts the replicas. The first step is not
// traced: it makes the variables, which replicas cannot make inside of a trace.
static const char *trace_outside(Plan *p, Func *f)
{
    const Stmt *def = f->def;
    Sym own = def->function_def.name;
    const char *known = table_get(p->traced, f), *built = are_built(p, f);
    const char *self = f->class_ != NULL ? tool_format(p->t, "%s.", f->self) : "";
    const char *first = f->class_ != NULL ? tool_format(p->t, "%s, ", f->self) : "";
    const char *gap = f->class_ != NULL ? "\n" : "\n\n";
    if (known != NULL || built == NULL)
        return known;
    const char *traced = tool_fresh(p->t, tool_format(p->t, "traced_%s", own));
    const char *name = tool_fresh(p->t, tool_format(p->t, "distributed_%s", own));
    table_set(p->traced, f, (void *)(uintptr_t)name);
    rewrite_undecorate(p->t->rewrite, def);
    rewrite_after(p->t->rewrite, def, tool_format(p->t,
        "%s@%s\ndef %s(%s*args):\n\treturn %s.run(%s%s, args=args)\n%s"
        "def %s(%s*args):\n\tif %s:\n\t\treturn %s%s(*args)\n\treturn %s.run(%s%s, args=args)",
        gap, tool_text(p->t, def->function_def.decorator_list.at[0]), traced, first, p->hvd, self,
        own, gap, name, first, built, self, traced, p->hvd, self, own));
    return name;
}

// The text of arguments, the positional ones or those with a name.
static const char *arguments(Plan *p, const Expr *call)
{
    const char *text = "", *named = "";
    for (size_t i = 0; i < call->call.args.len; i++)
        text = tool_format(p->t, "%s%s%s", text, i > 0 ? ", " : "",
                           rewrite_take(p->t->rewrite, call->call.args.at[i]->at));
    for (size_t i = 0; i < call->call.keywords.len; i++)
        named = tool_format(p->t, "%s%s'%s': %s", named, i > 0 ? ", " : "",
                            call->call.keywords.at[i]->arg,
                            rewrite_take(p->t->rewrite, call->call.keywords.at[i]->value->at));
    return tool_format(p->t, "args=(%s%s)%s%s%s", text, call->call.args.len == 1 ? "," : "",
                       *named ? ", kwargs={" : "", named, *named ? "}" : "");
}

static const char *running(Plan *p, const CallSite *c)
{
    const char *of = rewrite_take(p->t->rewrite, c->call->call.func->at);
    if (!c->callee->traced)
        return tool_format(p->t, "%s.run(%s, %s)", p->hvd, of, arguments(p, c->call));
    const char *name = trace_outside(p, c->callee);
    if (name == NULL) {
        refuse(p, c->call->at, "the optimizer of this traced step cannot be accessed outside the "
               "step",
               "use an optimizer that is a variable of the module, an attribute of `self` or an "
               "argument");
        return "";
    }
    const Expr *f = c->call->call.func;
    Span rest = {f->at.end, c->call->at.end};
    const char *object = f->kind == EXPR_ATTRIBUTE ? tool_text(p->t, f->attribute.value) : "";
    return tool_format(p->t, "%s%s%s%s", object, *object ? "." : "", name,
                       rewrite_take(p->t->rewrite, rest));
}

// Whether replicas can run a function where it is called.
static bool can_run(Plan *p, const CallSite *c)
{
    bool named = c->call->call.keywords.len > 0 && c->callee->traced;
    if (c->callee->traced && (!has_decorator(p, c->callee) || named))
        refuse(p, c->call->at, "this traced function cannot be run on replicas",
               "decorate the function with `@tf.function`, and pass its arguments by position");
    else
        return true;
    return false;
}

static void run_call(Step *s, const CallSite *c)
{
    Plan *p = s->p;
    bool used = c->stmt->kind != STMT_EXPR || c->stmt->expr.value != c->call;
    bool many = false, traced = false;
    for (size_t i = 0; i < p->s->calls.len; i++)
        traced |= p->s->calls.at[i].in == c->callee && p->s->calls.at[i].callee != NULL &&
                  p->s->calls.at[i].callee->traced && p->s->calls.at[i].callee->trains;
    if (traced && !c->callee->traced)
        refuse(p, c->call->at, "the traced step is not called directly from the loop",
               "call the traced step directly from the loop over the data");
    for (size_t i = 0; used && i < c->callee->returns.len; i++) {
        const Expr *e = c->callee->returns.at[i];
        many |= e->kind == EXPR_TUPLE;
        if (!is_tuple_of_losses(p, e))
            refuse(p, e->at, "it is not known whether this value can be replaced by its mean over "
                   "the replicas",
                   "return only losses from the step, and use metrics for other values");
    }
    if (!can_run(p, c))
        return;
    const char *run = running(p, c);
    rewrite_replace(p->t->rewrite, c->call->at, used ? mean_of(p, many, run) : run);
}

// ---- the step is some statements ----

typedef struct Stores { Step *s; Vec(const Expr *) at; } Stores;

static bool see_store(void *cx, const Expr *e)
{
    Stores *k = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE)
        vec_push(k->s->p->t->arena, &k->at, e);
    return true;
}

static Stores stores_of(Step *s, size_t from, size_t to)
{
    Stores k = {.s = s};
    const IrWalker w = {.cx = &k, .expr = see_store};
    for (size_t i = from; i <= to; i++)
        ir_walk_stmt(&w, s->body.at[i]);
    return k;
}

typedef struct Reads {
    Step *s;
    const Slot *slot;
    Span step;
    Vec(uint32_t) stores;       // of the slot, so far
    const Expr *before, *outside;
} Reads;

static const Stmt *stmt_at(const Plan *p, uint32_t at)
{
    const Stmt *found = NULL;                           // the innermost one comes last
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        Span span = p->s->stmts.at[i]->at;
        if (span.start <= at && at < span.end)
            found = p->s->stmts.at[i];
    }
    return found;
}

// Whether another statement sets the variable on the way from the step to where it is read.
static bool is_set_again(const Reads *r, const Expr *e)
{
    Plan *p = r->s->p;
    const Stmt *read = stmt_at(p, e->at.start);
    bool later = e->at.start > r->step.end, found = false;
    for (size_t i = 0; i < r->stores.len; i++) {
        const Stmt *store = stmt_at(p, r->stores.at[i]);
        const Stmt *list = scan_info(p->s, store)->parent;
        while (list != NULL && list->kind == STMT_WITH)
            list = scan_info(p->s, list)->parent;
        bool between = !later || r->stores.at[i] > r->step.end;
        found |= between && store != read &&
                 (list == NULL ? scan_info(p->s, read)->in == NULL
                               : scan_is_within(p->s, read, list));
        found |= between && store->kind == STMT_FOR && scan_is_within(p->s, read, store);
    }
    return found;
}

// Whether the step comes before the read: in the text, or in the next round of a loop around both.
static bool is_reached(const Reads *r, const Expr *e)
{
    Scan *s = r->s->p->s;
    const Stmt *read = stmt_at(r->s->p, e->at.start);
    if (e->at.start > r->step.end)
        return true;
    for (const Stmt *up = r->s->loop; up != NULL; up = scan_info(s, up)->parent)
        if ((up->kind == STMT_FOR || up->kind == STMT_WHILE) && scan_is_within(s, read, up))
            return true;
    return scan_info(s, read)->in != scan_info(s, r->s->loop)->in;
}

static bool see_read(void *cx, const Expr *e)
{
    Reads *r = cx;
    if (e->kind != EXPR_NAME || scan_slot(r->s->p->s, e) != r->slot)
        return true;
    bool inside = r->step.start <= e->at.start && e->at.end <= r->step.end;
    if (!is_load(e))
        vec_push(r->s->p->t->arena, &r->stores, e->at.start);
    else if (inside && r->before == NULL)
        r->before = e;
    else if (!inside && r->outside == NULL && is_reached(r, e) && !is_set_again(r, e))
        r->outside = e;
    return true;
}

// Where a variable that the step sets is read: first in the step, and outside of it.
static Reads reads_of(Step *s, const Expr *store)
{
    Reads r = {.s = s, .slot = scan_slot(s->p->s, store), .step = s->at};
    const IrWalker w = {.cx = &r, .expr = see_read};
    ir_walk_unit(&w, s->p->t->cx->unit);
    return r;
}

static bool is_carried(Step *s, const Expr *store, const Reads *r)
{
    for (size_t i = s->first; i <= s->last; i++)
        if (s->body.at[i]->kind == STMT_AUG_ASSIGN &&
            s->body.at[i]->aug_assign.target->at.start == store->at.start)
            return true;
    // The value of an assignment stands after its target, and is read before it.
    return r->before != NULL && r->before->at.start < store->at.start;
}

static void make_function(Step *s)
{
    Plan *p = s->p;
    Stores stores = stores_of(s, s->first, s->last);
    Table *seen = table_new(p->t->arena);
    const char *results = "", *parameters = "";
    size_t count = 0;
    for (size_t i = 0; i < stores.at.len; i++) {
        const Expr *store = stores.at.at[i];
        Slot *slot = scan_slot(p->s, store);
        Reads r = reads_of(s, store);
        bool own = slot->block != scan_block(p->s, s->loop->at.start);      // of a comprehension
        if (own || table_get(seen, slot) != NULL)
            continue;
        table_set(seen, slot, slot);
        if (is_carried(s, store, &r) && table_get(s->elements, slot) != NULL)
            refuse(p, store->at, "each replica would keep its own value from step to step",
                   "use a metric, or add the values that the step returns");
        if (r.outside == NULL)
            continue;
        if (!is_loss(p, store))
            refuse(p, r.outside->at, "this value is computed from only one replica's part of the "
                   "batch",
                   "use only losses and metrics outside the step");
        results = tool_format(p->t, "%s%s%s", results, count++ > 0 ? ", " : "", slot->name);
    }
    for (size_t i = 0; i < s->names.len; i++)
        parameters = tool_format(p->t, "%s%s%s", parameters, i > 0 ? ", " : "", s->names.at[i]);
    const char *name = tool_fresh(p->t, "replica_step");
    const char *run = tool_format(p->t, "%s.run(%s, args=(%s%s))", p->hvd, name, parameters,
                                  s->names.len == 1 ? "," : "");
    for (size_t i = s->first; i <= s->last; i++)
        rewrite_guard(p->t->rewrite, s->body.at[i],
                      tool_format(p->t, "def %s(%s):", name, parameters), NULL);
    const char *back = tool_format(p->t, "\treturn %s\n", results);
    rewrite_after(p->t->rewrite, s->body.at[s->last], tool_format(p->t, "%s%s%s%s",
        count > 0 ? back : "", results, count > 0 ? " = " : "",
        count > 0 ? mean_of(p, count > 1, run) : run));
}

// ---- the loop ----

static bool touches(Step *s, const Stmt *n)
{
    return plan_trains(s->p, n) || find_in(s, n, is_element, (Span){0, 0}) != NULL;
}

// What a function that trains gives is the mean.
static bool is_result(Step *s, const Stmt *n)
{
    const CallSite *c = n->kind == STMT_ASSIGN ? training_call(s, n->at) : NULL;
    return c != NULL && c->callee != NULL && n->assign.value == c->call;
}

// What one replica makes of its part is of that part, too.
static void follow_elements(Step *s)
{
    for (size_t i = 0; i < s->body.len; i++) {
        if (!touches(s, s->body.at[i]))
            continue;
        if (!s->found)
            s->first = i;
        s->last = i;
        s->found = true;
        Stores stores = stores_of(s, i, i);
        bool means = is_result(s, s->body.at[i]);
        for (size_t k = 0; k < stores.at.len && !means; k++)
            if (!is_loss(s->p, stores.at.at[k]))
                table_set(s->elements, scan_slot(s->p->s, stores.at.at[k]), s);
    }
    s->at = (Span){s->body.at[s->first]->at.start, s->body.at[s->last]->at.end};
}

static void note_names(Step *s, const Expr *target)
{
    ExprList parts = target->kind == EXPR_TUPLE ? target->tuple.elts
                     : target->kind == EXPR_LIST ? target->list.elts : (ExprList){NULL, 0};
    for (size_t i = 0; i < parts.len; i++)
        note_names(s, parts.at[i]);
    if (target->kind == EXPR_NAME) {
        vec_push(s->p->t->arena, &s->names, target->name.id);
        table_set(s->elements, scan_slot(s->p->s, target), s);
    }
}

// What a replica is given of the batch is a part of it as it is, not computed of it.
static bool gives_parts(Step *s, const CallSite *c)
{
    bool parts = true;
    for (size_t i = 0; i < c->call->call.args.len; i++) {
        const Expr *e = c->call->call.args.at[i];
        Search k = {s, is_element, NULL, {0, 0}};
        const IrWalker w = {.cx = &k, .expr = see_asked};
        if (e->kind == EXPR_STARRED)
            e = e->starred.value;
        while (e->kind == EXPR_SUBSCRIPT)
            e = e->subscript.value;
        ir_walk_expr(&w, e);
        parts &= e->kind == EXPR_NAME || k.found == NULL;
    }
    return parts;
}

static bool is_simple_step(Step *s, const CallSite *c)
{
    const Stmt *n = s->body.at[s->first];
    return c != NULL && c->callee != NULL && c->stmt == n && s->first == s->last &&
           find_in(s, n, is_element, c->call->at) == NULL && gives_parts(s, c);
}

// The step is traced already, and the loop uses the batch beside it.
static void refuse_other_use(Step *s, const CallSite *c)
{
    const Expr *use = NULL;
    for (size_t i = s->first; i <= s->last && use == NULL; i++)
        use = find_in(s, s->body.at[i], is_element, c->call->at);
    const char *help = "move the code that uses the batch into the step";
    if (use == NULL) {
        refuse(s->p, c->call->at, "the traced step gets a value computed from the batch", help);
        return;
    }
    Diag *d = diag_report(s->p->diags, use->at, DIAG_REPLICA_STEP, "the batch is also used here, "
                          "outside the call of the traced step");
    diag_label(d, c->call->at, "the traced step is called here");
    diag_help(d, "%s", help);
}

static void replicate(Plan *p, const Stmt *loop, StmtList body, const Expr *target)
{
    Step s = {.p = p, .loop = loop, .body = body, .elements = table_new(p->t->arena)};
    note_names(&s, target);
    follow_elements(&s);
    if (!s.found)
        return;
    plan_fire(p, "X2", loop->at);
    const CallSite *c = training_call(&s, s.at);
    const IrWalker leaves = {.cx = &s, .stmt = see_leave};
    for (size_t i = s.first; i <= s.last; i++) {
        ir_walk_stmt(&leaves, s.body.at[i]);
        if (!is_simple_step(&s, c))
            check_body(&s, s.body.at[i], table_new(p->t->arena));
    }
    if (is_simple_step(&s, c)) {
        check_functions(&s, s.at, table_new(p->t->arena));
        run_call(&s, c);
    } else if (c != NULL && c->callee != NULL && c->callee->traced) {
        refuse_other_use(&s, c);
    } else {
        make_function(&s);
    }
}

static void distribute_data(Plan *p, const Expr *data)
{
    data = expr_unwrap(data);
    rewrite_around(p->t->rewrite, data->at,
                   tool_format(p->t, "%s.experimental_distribute_dataset(", p->hvd), ")");
}

static const Expr *element_target(const Stmt *n)
{
    const Expr *target = n->for_.target, *iter = n->for_.iter;
    while (iter->kind == EXPR_CALL && expr_unwrap(iter) != iter) {
        bool counted = iter->call.func->kind == EXPR_NAME &&
                       sym_is(iter->call.func->name.id, "enumerate");
        if (counted && target->kind == EXPR_TUPLE && target->tuple.elts.len == 2)
            target = target->tuple.elts.at[1];
        iter = iter->call.args.at[0];
    }
    return target;
}

// `x, y = next(it)`, the first statement that touches the batch.
static void replicate_draw(Plan *p, const CallSite *c, const Stmt *loop)
{
    StmtList body = loop->kind == STMT_FOR ? loop->for_.body : loop->while_.body;
    size_t i = 0;
    while (i < body.len && body.at[i] != c->stmt)
        i++;
    if (i < body.len && c->stmt->kind == STMT_ASSIGN && c->stmt->assign.value == c->call)
        replicate(p, loop, (StmtList){body.at + i + 1, body.len - i - 1},
                  c->stmt->assign.targets.at[0]);
    else
        refuse(p, c->call->at, "the batch is not assigned to a variable in the loop",
               "write `batch = next(iterator)`");
}

static void distribute_use(Plan *p, Pipeline *l, const Expr *use)
{
    (void)l;
    bool fit = false;                                   // it distributes what it is given
    for (size_t i = 0; i < p->s->calls.len; i++)
        fit |= scan_method(p->s, p->s->calls.at[i].call, KIND_MODEL, "fit") != NULL &&
               call_argument(p->s->calls.at[i].call, 0, "x") == use;
    if (!fit)
        distribute_data(p, use);
}

// The step, and the loop around it, are in one function.
static bool is_own_step(Plan *p, const Stmt *n)
{
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *inner = p->s->stmts.at[i];
        if (inner != n && inner->kind == STMT_FOR && scan_is_within(p->s, inner, n) &&
            plan_trains(p, inner) && pipeline_is_data(p, inner->for_.iter))
            return false;
    }
    return true;
}

static void check_traced_loop(Plan *p, const Stmt *n)
{
    const Func *f = scan_info(p->s, n)->in;
    if (f != NULL && f->traced)
        diag_help(diag_report(p->diags, n->at, DIAG_LOOP_TRACED,
                              "the loop over the data runs inside a `tf.function`"),
                  "make only one step a `tf.function`, and call it from a loop outside");
}

void rule_replicas(Plan *p)
{
    size_t found = 0;
    for (size_t i = 0; i < p->s->stmts.len; i++) {
        const Stmt *n = p->s->stmts.at[i];
        if (n->kind != STMT_FOR || !plan_trains(p, n) || !pipeline_is_data(p, n->for_.iter) ||
            !is_own_step(p, n))
            continue;
        found++;
        check_traced_loop(p, n);
        replicate(p, n, n->for_.body, element_target(n));
    }
    for EACH_CALL(c, p->s) {
        const Stmt *loop = pipeline_draws(p, c) ? scan_loop(p->s, c->stmt) : NULL;
        if (loop != NULL)
            replicate_draw(p, c, loop);
        found += loop != NULL;
    }
    pipeline_each(p, distribute_use);
    if (p->tapes && !p->fits && found == 0)
        diag_help(diag_report(p->diags, p->t->cx->unit->module.body.at[0]->at,
                              DIAG_NOTHING_DIVIDED,
                              "this training uses no dataset that can be divided among the "
                              "processes"),
                  "iterate over a `tf.data.Dataset`");
}
