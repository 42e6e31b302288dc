// nest_apart.c - calls apart from the operations around them: a loop over lanes in which `exp` is
// called is not done in vectors. One loop computes the arguments, the next one calls, and a third
// uses the results.

#include "compiler/pass/ad/nest_internal.h"

enum { CALLS = 8 };             // of one level, at most: each has an array for its results

typedef struct Apart {
    Nest *n;
    Items items;
    Exprs calls;                // of this level: none is called with what another answers
    Table *names;               // of each call: its result
    Items before, called;
} Apart;

static bool is_called(Nest *n, const Expr *e)
{
    static const char *const library[] = {"sqrt", "exp", "expm1", "log", "log1p", "log2", "log10",
                                          "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin",
                                          "arccos", "arctan", "arctan2", NULL};
    return e->kind == EXPR_CALL && term_rank(e) == 0 && in_strip(n, e) &&
           sym_is_one_of(term_function(e), library);
}

static const Store *store_of(Nest *n, const Expr *e)
{
    const Slot *p = e->kind == EXPR_NAME ? table_get(n->places, e->name.id) : NULL;
    return p == NULL ? NULL : p->store;
}

static bool reads(Nest *n, const Expr *e, const Store *s)
{
    ExprList order = term_order(n->t, term_list(n->t, e, NULL));
    for (size_t i = 0; i < order.len; i++)
        if (store_of(n, order.at[i]) == s)
            return true;
    return false;
}

// Not what the same loop writes: it is not there before.
static bool is_known_before(const Apart *a, const Expr *e)
{
    for (size_t i = 0; i < a->items.len; i++)
        if (reads(a->n, e, a->items.at[i].to.store))
            return false;
    return true;
}

// Those that are made whatever a test says, innermost first. True: the term has one.
static bool find_calls(Apart *a, const Expr *e, Table *seen)
{
    bool found = false;
    if (e->kind == EXPR_WHERE || term_is_atom(e) || a->calls.len > CALLS)
        return false;
    if (table_get(seen, e) != NULL)
        return table_get(seen, e) != a;
    table_set(seen, e, a);
    ExprList parts = term_parts(a->n->t, e);
    for (size_t i = 0; i < parts.len; i++)
        found |= find_calls(a, parts.at[i], seen);
    if (!found && is_called(a->n, e) && is_known_before(a, e)) {
        vec_push(a->n->arena, &a->calls, e);
        found = true;
    }
    if (found)
        table_set(seen, e, seen);
    return found;
}

// How many operations are done in vectors without the calls.
static size_t operations(const Apart *a)
{
    Exprs roots = {0};
    size_t count = 0;
    for (size_t i = 0; i < a->items.len; i++) {
        vec_push(a->n->arena, &roots, a->items.at[i].term);
        count += !a->items.at[i].fresh;
    }
    ExprList order = term_order(a->n->t, (ExprList){roots.at, roots.len});
    for (size_t i = 0; i < order.len; i++)
        count += nest_is_lane_work(a->n, order.at[i]) && !is_called(a->n, order.at[i]);
    return count;
}

// Where the result of a call is put: to where it is to be, if no item before that reads there.
static Slot result_of(const Apart *a, const Expr *call)
{
    for (size_t i = 0; i < a->items.len; i++) {
        const Item *item = &a->items.at[i];
        if (item->term == call && item->fresh && item->mode == MODE_SUM && item->at.len == 0 &&
            item->to.store->strip && item->to.store->elem == ELEM_FLOAT)
            return item->to;
        if (item->term == call)
            break;
    }
    return nest_whole(a->n, nest_store(a->n, "each", ELEM_FLOAT, (TyList){NULL, 0}, true));
}

static const Expr *name_for(Nest *n, const Expr *like, Slot slot)
{
    return nest_named(n, names_format(n->t->names, "%%s%u", ++n->loops), slot, like->ty);
}

// The first argument that is computed is put to where the result will be.
static void take_apart(Apart *a, const Expr *call)
{
    Nest *n = a->n;
    Slot to = result_of(a, call);
    ExprList parts = term_parts(n->t, call);
    const Expr **with = ARENA_ARRAY(n->arena, const Expr *, parts.len + 1);
    for (size_t i = 0; i < parts.len; i++) {
        with[i] = parts.at[i];
        if (!nest_is_lane_work(n, parts.at[i]))
            continue;
        Slot at = i == 0 ? to : nest_whole(n, nest_store(n, "each", ELEM_FLOAT,
                                                         (TyList){NULL, 0}, true));
        vec_push(n->arena, &a->before, ((Item){.term = parts.at[i], .mode = MODE_SUM,
                                               .fresh = true, .to = at}));
        with[i] = name_for(n, parts.at[i], at);
    }
    vec_push(n->arena, &a->called, ((Item){.term = term_like(n->t, call,
                                                             (ExprList){with, parts.len}),
                                           .mode = MODE_SUM, .fresh = true, .to = to}));
    table_set(a->names, call, (void *)name_for(n, call, to));
}

static const Expr *name_step(TermPass *p, const Expr *e)
{
    const Expr *name = table_get(((Apart *)p->cx)->names, e);
    return name == NULL ? e : name;
}

// What is left when the calls are made.
static void use_results(Apart *a)
{
    TermPass pass = {.terms = a->n->t, .step = name_step, .cx = a};
    Items left = {0};
    for (size_t i = 0; i < a->items.len; i++) {
        Item item = a->items.at[i];
        item.term = term_rewrite(&pass, item.term);
        const Slot *p = item.term->kind == EXPR_NAME
                            ? table_get(a->n->places, item.term->name.id) : NULL;
        bool there = table_get(a->names, a->items.at[i].term) != NULL &&
                     p->store == item.to.store && p->index.at == item.to.index.at;
        if (!there)
            vec_push(a->n->arena, &left, item);
    }
    a->items = left;
}

void nest_over_lanes(Nest *n, const Item *items, size_t len)
{
    enum { LEVELS = 4, LEAST = 3 };
    Apart a = {.n = n};
    for (size_t i = 0; i < len; i++)
        vec_push(n->arena, &a.items, items[i]);
    for (size_t level = 0; level < LEVELS && operations(&a) >= LEAST; level++) {
        Table *seen = table_new(n->arena);
        a.calls = (Exprs){0};
        a.before = a.called = (Items){0};
        a.names = table_new(n->arena);
        for (size_t i = 0; i < a.items.len; i++)
            find_calls(&a, a.items.at[i].term, seen);
        if (a.calls.len == 0 || a.calls.len > CALLS)
            break;
        for (size_t i = 0; i < a.calls.len; i++)
            take_apart(&a, a.calls.at[i]);
        nest_lane_loop(n, a.before.at, a.before.len);
        nest_lane_loop(n, a.called.at, a.called.len);
        use_results(&a);
    }
    nest_lane_loop(n, a.items.at, a.items.len);
}
