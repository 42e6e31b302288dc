// nest_state.c - loops for statements that change arrays where they are: the next value of a state
// of which a round changes some elements, rows or columns is a chain of `PutAt`. What the chain
// starts from is the state itself, and what it puts is read before anything changes.

#include "compiler/pass/ad/nest_internal.h"

typedef struct Places {
    Nest *n;
    Table *loops;               // what a loop has become, by the first of its results
    Table *known;               // indices and states of the loops around, by name
} Places;

static ExprList in_rounds(Places *p, ExprList roots);
static const Expr *loop_here(Places *p, TermPass *pass, const Expr *e);

static const Expr *with_hint(Terms *t, const Expr *from, const Expr *e)
{
    if (e != from && term_hinted(t, from) != NULL)
        term_hint(t, e, term_hinted(t, from));
    return e;
}

static bool is_known(const Places *p, const Expr *e)
{
    const TermInfo *info = table_get(p->n->t->info, e);
    for (size_t i = 0; info != NULL && i < info->free.len; i++)
        if (table_get(p->known, info->free.at[i]) == NULL)
            return false;
    return info != NULL && info->free.len > 0;
}

// A test that was made for all rounds, `(at[:, None] == np.arange(n))[t]`, as that of this round.
static const Expr *test_here(TermPass *pass, const Expr *e)
{
    bool of_all = e->kind == EXPR_SUBSCRIPT && term_elem(e) == ELEM_BOOL && term_rank(e) > 0;
    const Expr *x = of_all ? e->subscript.value : NULL;
    if (x == NULL || term_is_atom(x) || x->kind == EXPR_LOOP)
        return e;
    ExprList place = e->subscript.slice->tuple.elts;
    for (size_t i = 0; i < place.len; i++)
        x = pull_at(pass->cx, x, place.at[i]);
    return x;
}

static const Expr *with_tests_here(Nest *n, const Expr *e)
{
    TermPass pass = {.terms = n->t, .step = test_here, .cx = n};
    return term_rewrite(&pass, e);
}

static const Expr *hot_sum(Nest *n, const Expr *e)
{
    const Expr *new = nest_hot_sum(n, e), *here;
    if (new != e || e->kind != EXPR_REDUCE)
        return new;
    here = with_tests_here(n, e);
    new = nest_hot_sum(n, here);
    return new == here ? e : new;
}

static const Expr *step(TermPass *pass, const Expr *original, const Expr *e)
{
    Places *p = pass->cx;
    if (original->kind == EXPR_LOOP)            // in an index
        return loop_here(p, pass, original);
    return with_hint(p->n->t, original, is_known(p, e) ? hot_sum(p->n, e) : e);
}

static ExprList rewrite_all(TermPass *pass, ExprList list)
{
    const Expr **at = ARENA_ARRAY(terms_arena(pass->terms), const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = term_rewrite(pass, list.at[i]);
    return (ExprList){at, list.len};
}

static const Expr *next_of(Nest *n, const Expr *next, const Expr *state)
{
    NestPuts puts = {0};
    if (!nest_find_puts(n, next, state, &puts)) {
        puts.len = 0;
        if (!nest_find_puts(n, with_tests_here(n, next), state, &puts))
            return next;
    }
    const Expr *e = state, *always = term_bool(n->t, true);
    for (size_t i = 0; i < puts.len; i++) {
        const NestPut *put = &puts.at[i];
        e = term_put_at(n->t, e, put->places, put->value, put->test == NULL ? always : put->test,
                        put->adds);
    }
    return e;
}

static const Expr *made_loop(Places *p, TermLoop l)
{
    Nest *n = p->n;
    Terms *t = n->t;
    ExprList variables = n->variables;
    TyList extents = n->extents;
    table_set(p->known, l.index->name.id, p);
    for (size_t k = 0; k < l.states.len; k++)
        table_set(p->known, l.states.at[k]->name.id, p);
    n->variables = term_join(t, variables, term_list(t, l.index, NULL));
    n->extents = shape_join(t, extents, (TyList){&l.size, 1});
    ExprList bodies = in_rounds(p, term_join(t, l.next, l.records));
    const Expr **next = ARENA_ARRAY(n->arena, const Expr *, l.states.len + 1);
    for (size_t k = 0; k < l.states.len; k++)
        next[k] = next_of(n, bodies.at[k], l.states.at[k]);
    n->variables = variables;
    n->extents = extents;
    l.next = (ExprList){next, l.states.len};
    l.records = term_drop(bodies, l.states.len);
    return term_loop(t, &l, 0);
}

static const Expr *loop_here(Places *p, TermPass *pass, const Expr *e)
{
    Terms *t = p->n->t;
    const Expr *first = term_loop_result(t, e, 0), *made = table_get(p->loops, first);
    if (made == NULL) {
        TermLoop l = term_open_loop(t, first);
        l.before = rewrite_all(pass, l.before);
        made = made_loop(p, l);
        table_set(p->loops, first, (void *)made);
    }
    return with_hint(t, e, term_loop_result(t, made, (size_t)e->loop.which));
}

// Loops before the terms that stand on them: a loop is opened here, where its rounds are known.
static ExprList in_rounds(Places *p, ExprList roots)
{
    Terms *t = p->n->t;
    TermPass pass = {.terms = t, .step_from = step, .done = table_new(p->n->arena), .cx = p};
    ExprList order = term_order(t, roots);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->kind == EXPR_LOOP)
            table_set(pass.done, order.at[i], (void *)loop_here(p, &pass, order.at[i]));
    return rewrite_all(&pass, roots);
}

ExprList nest_states_in_place(Terms *t, ExprList roots)
{
    NestStrips strips = {0};
    Stmts none = {0};
    Nest n = nest_new(t, table_new(terms_arena(t)), &strips, &none);
    Places p = {&n, table_new(terms_arena(t)), table_new(terms_arena(t))};
    return in_rounds(&p, roots);
}
