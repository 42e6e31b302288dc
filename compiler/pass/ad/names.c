// names.c - the names of one function: their types, sets of them, where they are assigned and read.

#include "compiler/pass/ad/sweep.h"

// ---- numbering ----

static void number(Sweep *s, Sym name, const Ty *ty)
{
    table_set(s->taken, name, s);
    if (ty == NULL || table_get(s->index, name) != NULL)
        return;
    vec_push(s->ad->arena, &s->vars, name);
    vec_push(s->ad->arena, &s->types, ty);
    table_set(s->index, name, (void *)(uintptr_t)s->vars.len);
}

static bool number_name(void *cx, const Expr *e)
{
    Sweep *s = cx;
    if (e->kind == EXPR_NAME)
        number(s, e->name.id, e->name.ctx == EXPR_CONTEXT_STORE ? e->ty : NULL);
    return true;
}

void sweep_names(Sweep *s)
{
    ArgList args = s->def->function_def.args->args;
    IrWalker w = {.cx = s, .expr = number_name};
    for (size_t i = 0; i < args.len; i++)
        number(s, args.at[i]->arg, args.at[i]->ty);
    ir_walk_stmts(&w, s->body);
    s->words = s->vars.len / 64 + 1;
}

size_t sweep_index(const Sweep *s, Sym name)
{
    return (size_t)(uintptr_t)table_get(s->index, name) - 1;
}

const Ty *sweep_ty(const Sweep *s, Sym name)
{
    size_t i = sweep_index(s, name);
    return i == SIZE_MAX ? NULL : s->types.at[i];
}

// ---- sets ----

NameSet set_new(const Sweep *s)
{
    NameSet set = {ARENA_ARRAY(s->ad->arena, uint64_t, s->words)};
    memset(set.words, 0, s->words * sizeof *set.words);
    return set;
}

NameSet set_copy(const Sweep *s, NameSet of)
{
    NameSet set = set_new(s);
    memcpy(set.words, of.words, s->words * sizeof *set.words);
    return set;
}

void set_add(NameSet set, size_t i) { set.words[i / 64] |= (uint64_t)1 << (i % 64); }

void set_remove(NameSet set, size_t i) { set.words[i / 64] &= ~((uint64_t)1 << (i % 64)); }

bool set_has(NameSet set, size_t i) { return set.words[i / 64] >> (i % 64) & 1; }

bool set_join(const Sweep *s, NameSet into, NameSet from)
{
    bool grows = false;
    for (size_t i = 0; i < s->words; i++) {
        grows = grows || (from.words[i] & ~into.words[i]) != 0;
        into.words[i] |= from.words[i];
    }
    return grows;
}

void set_meet(const Sweep *s, NameSet into, NameSet with)
{
    for (size_t i = 0; i < s->words; i++)
        into.words[i] &= with.words[i];
}

// ---- occurrences ----

typedef struct Gather { const Sweep *sweep; NameSet set; bool stores; } Gather;

static bool gather(void *cx, const Expr *e)
{
    Gather *g = cx;
    size_t i = e->kind == EXPR_NAME ? sweep_index(g->sweep, e->name.id) : SIZE_MAX;
    if (i != SIZE_MAX && (!g->stores || e->name.ctx == EXPR_CONTEXT_STORE))
        set_add(g->set, i);
    return true;
}

void set_add_reads(const Sweep *s, NameSet set, const Expr *e)
{
    Gather g = {s, set, false};
    IrWalker w = {.cx = &g, .expr = gather};
    ir_walk_expr(&w, e);
}

NameSet names_in(const Sweep *s, StmtList body)
{
    Gather g = {s, set_new(s), false};
    IrWalker w = {.cx = &g, .expr = gather};
    ir_walk_stmts(&w, body);
    return g.set;
}

NameSet names_assigned(const Sweep *s, StmtList body)
{
    Gather g = {s, set_new(s), true};
    IrWalker w = {.cx = &g, .expr = gather};
    ir_walk_stmts(&w, body);
    return g.set;
}

// ---- exposure ----

typedef struct Flow { NameSet assigned, exposed; } Flow;    // surely assigned; read before that

static void expose_block(const Sweep *s, StmtList body, Flow *flow);

typedef struct Exposing { const Sweep *sweep; Flow *flow; } Exposing;

static bool expose_name(void *cx, const Expr *e)
{
    Exposing *x = cx;
    size_t i = e->kind == EXPR_NAME ? sweep_index(x->sweep, e->name.id) : SIZE_MAX;
    if (i != SIZE_MAX && !set_has(x->flow->assigned, i))
        set_add(x->flow->exposed, i);
    return true;
}

static void expose_expr(const Sweep *s, const Expr *e, Flow *flow)
{
    Exposing x = {s, flow};
    IrWalker w = {.cx = &x, .expr = expose_name};
    ir_walk_expr(&w, e);
}

static void expose_assign(const Sweep *s, const Stmt *stmt, Flow *flow)
{
    const Expr *target = stmt->assign.targets.at[0];
    expose_expr(s, stmt->assign.value, flow);
    if (target->kind == EXPR_NAME)
        set_add(flow->assigned, sweep_index(s, target->name.id));
    else
        expose_expr(s, target, flow);
}

static void expose_if(const Sweep *s, const Stmt *stmt, Flow *flow)
{
    expose_expr(s, stmt->if_.test, flow);
    Flow other = {set_copy(s, flow->assigned), flow->exposed};
    expose_block(s, stmt->if_.body, flow);
    expose_block(s, stmt->if_.orelse, &other);
    set_meet(s, flow->assigned, other.assigned);
}

static void expose_loop(const Sweep *s, const Expr *head, Sym counter, StmtList body, Flow *flow)
{
    expose_expr(s, head, flow);
    Flow inner = {set_copy(s, flow->assigned), flow->exposed};
    if (counter != NULL)
        set_add(inner.assigned, sweep_index(s, counter));
    expose_block(s, body, &inner);
}

static void expose_block(const Sweep *s, StmtList body, Flow *flow)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *stmt = body.at[i];
        if (stmt->kind == STMT_ASSIGN)
            expose_assign(s, stmt, flow);
        else if (stmt->kind == STMT_EXPR)
            expose_expr(s, stmt->expr.value, flow);
        else if (stmt->kind == STMT_IF)
            expose_if(s, stmt, flow);
        else if (stmt->kind == STMT_FOR)
            expose_loop(s, stmt->for_.iter, stmt->for_.target->name.id, stmt->for_.body, flow);
        else if (stmt->kind == STMT_WHILE)
            expose_loop(s, stmt->while_.test, NULL, stmt->while_.body, flow);
    }
}

NameSet names_exposed(const Sweep *s, StmtList body)
{
    Flow flow = {set_new(s), set_new(s)};
    expose_block(s, body, &flow);
    return flow.exposed;
}

// ---- own names ----

typedef struct Tally { const Sweep *sweep; uint32_t *n; } Tally;

static bool tally(void *cx, const Expr *e)
{
    Tally *t = cx;
    size_t i = e->kind == EXPR_NAME ? sweep_index(t->sweep, e->name.id) : SIZE_MAX;
    if (i != SIZE_MAX)
        t->n[i]++;
    return true;
}

static uint32_t *tallied(const Sweep *s, StmtList body)
{
    Tally t = {s, ARENA_ARRAY(s->ad->arena, uint32_t, s->vars.len + 1)};
    IrWalker w = {.cx = &t, .expr = tally};
    memset(t.n, 0, (s->vars.len + 1) * sizeof *t.n);
    ir_walk_stmts(&w, body);
    return t.n;
}

NameSet names_own(Sweep *s, StmtList body)
{
    if (body.len == 0)
        return set_new(s);
    NameSet *known = table_get(s->own, body.at);
    if (known != NULL)
        return *known;
    if (s->tally == NULL)
        s->tally = tallied(s, s->body);
    uint32_t *here = tallied(s, body), *all = s->tally;
    NameSet own = set_new(s), exposed = names_exposed(s, body);
    for (size_t i = 0; i < s->vars.len; i++) {
        bool result = ad_is_name(s->result, s->vars.at[i]);
        if (here[i] > 0 && here[i] == all[i] && !result && !set_has(exposed, i))
            set_add(own, i);
    }
    known = ARENA_NEW(s->ad->arena, NameSet);
    *known = own;
    table_set(s->own, body.at, known);
    return own;
}

// ---- cotangents ----

bool sweep_is_active(const Sweep *s, const Expr *e)
{
    return e->kind == EXPR_NAME && ad_is_float(sweep_ty(s, e->name.id))
           && table_get(s->active, e->name.id) != NULL;
}

Sym sweep_cotangent(Sweep *s, Sym name)
{
    Sym of = table_get(s->cotangents, name);
    if (of != NULL)
        return of;
    of = names_format(s->ad->names, s->tangent ? "%s_dot" : "%s_", name);
    while (table_get(s->taken, of) != NULL)
        of = names_format(s->ad->names, "%s_", of);
    table_set(s->taken, of, s);
    table_set(s->cotangents, name, (void *)of);
    table_set(s->cotangent_of, of, (void *)name);
    return of;
}

Sym sweep_name_of(const Sweep *s, Sym cotangent) { return table_get(s->cotangent_of, cotangent); }
