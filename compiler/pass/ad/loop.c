// loop.c - work that leaves a loop, and loops that become one.
//
// A loop does what its states need and nothing else: what the index alone decides is made before
// it, in bulk (`loop_hoist`), and what the rounds only put out is made after it, in bulk, of the
// values that they compute anyway (`loop_kept`). In a recurrent network the product with the
// inputs is then one matrix product, and so is the gradient of each matrix.

#include "compiler/pass/ad/loop.h"

#include "compiler/base/table.h"
#include "compiler/pass/ad/bulk.h"

typedef Vec(const Expr *) TermVec;

bool loop_is_view(const Expr *e)
{
    return e->kind == EXPR_REPLICATE || e->kind == EXPR_TRANSPOSE || e->kind == EXPR_RESHAPE;
}

static ExprList rewrite_all(TermPass *p, ExprList list)
{
    const Expr **at = ARENA_ARRAY(terms_arena(p->terms), const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = term_rewrite(p, list.at[i]);
    return (ExprList){at, list.len};
}

static const Expr *unchanged(TermPass *p, const Expr *e)
{
    (void)p;
    return e;
}

static TermPass replacing(Terms *t)
{
    return (TermPass){.terms = t, .step = unchanged, .done = table_new(terms_arena(t))};
}

static const Expr *of_round(Terms *t, const Expr *all, const Expr *index)
{
    return term_index(t, all, term_list(t, index, NULL));
}

static bool has_any(Terms *t, const Expr *e, ExprList variables)
{
    for (size_t i = 0; i < variables.len; i++)
        if (term_has(t, e, variables.at[i]))
            return true;
    return false;
}

// ---- before the loop ----

// x[index], and what is as cheap.
static bool is_plain(Terms *t, const Expr *e, const Expr *index)
{
    Poly p;
    if (term_rank(e) == 0 && term_elem(e) == ELEM_INT && term_poly(t, e, &p))
        return true;
    return loop_is_view(e) ||
           (e->kind == EXPR_SUBSCRIPT && !term_has(t, e->subscript.value, index) &&
            e->subscript.slice->tuple.elts.len == 1 &&
            e->subscript.slice->tuple.elts.at[0] == index);
}

// A test of places alone, such as `i == r + 1 and j == r`: for all rounds it would have as many
// elements as the rounds times an array, and each costs no more than to read it.
static bool is_of_places(Terms *t, const Expr *e)
{
    ExprList order = term_order(t, term_list(t, e, NULL));
    bool test = term_rank(e) > 0 && term_elem(e) == ELEM_BOOL;
    for (size_t i = 0; i < order.len && test; i++) {
        const Expr *x = order.at[i];
        test = term_elem(x) != ELEM_FLOAT && x->kind != EXPR_REDUCE && x->kind != EXPR_LOOP &&
               x->kind != EXPR_ARG_SORT &&
               (x->kind != EXPR_NAME || term_rank(x) == 0);
    }
    return test;
}

void loop_hoist(Terms *t, TermLoop *l)
{
    ExprList roots = term_join(t, l->next, l->records), index = term_list(t, l->index, NULL);
    ExprList order = term_order_with(t, roots, index);
    Table *reached = table_new(terms_arena(t));
    TermPass p = replacing(t);
    for (size_t i = 0; i < roots.len; i++)
        table_set(reached, roots.at[i], l);
    for (size_t i = order.len; i-- > 0;) {
        const Expr *e = order.at[i];
        if (table_get(reached, e) == NULL)
            continue;
        if (!has_any(t, e, l->states) && !is_plain(t, e, l->index) && !is_of_places(t, e)) {
            const Expr *all = bulk_build(t, l->index, l->size, e);
            Sym hint = term_hinted(t, e);
            if (hint != NULL)
                term_hint(t, all, hint);
            table_set(p.done, e, (void *)of_round(t, all, l->index));
            continue;
        }
        ExprList parts = term_parts(t, e);
        for (size_t k = 0; k < parts.len; k++)
            table_set(reached, parts.at[k], l);
    }
    l->next = rewrite_all(&p, l->next);
    l->records = rewrite_all(&p, l->records);
}

// ---- after the loop ----

static bool is_state(const TermLoop *l, const Expr *e)
{
    for (size_t i = 0; i < l->states.len; i++)
        if (l->states.at[i] == e)
            return true;
    return false;
}

// Rounds inside of a round: the loop that goes through the same ones and keeps nothing.
static const Expr *rounds_of(Terms *t, const Expr *e)
{
    TermLoop l = term_open_loop(t, e);
    return l.next.len == 0 ? e : term_final(t, &l, 0);
}

// Whether e reads the states only as elements of one array, at other places.
static bool has_moved(Terms *t, const TermLoop *l, const Expr *e, const Expr **array)
{
    bool sum = e->kind == EXPR_BIN_OP &&
               (e->bin_op.op == OPERATOR_ADD || e->bin_op.op == OPERATOR_SUB);
    if (!has_any(t, e, l->states))
        return true;
    const Expr *x = e;
    while (x->kind == EXPR_GATHER)
        x = x->gather.array;
    if (x != e && (*array == NULL || *array == x)) {
        *array = x;
        return true;
    }
    ExprList parts = term_parts(t, e);
    bool moved = sum || loop_is_view(e) || e->kind == EXPR_WHERE;
    for (size_t i = 0; i < parts.len && moved; i++)
        moved = has_moved(t, l, parts.at[i], array);
    return moved;
}

// The array from whose elements, at other places, e can be computed again; or e. That array is
// stored in each round anyway, so it is the one that is kept.
static const Expr *made_of(Terms *t, const TermLoop *l, const Expr *e)
{
    const Expr *array = NULL;
    bool moved = has_moved(t, l, e, &array) && array != NULL &&
                 shape_equal(term_shape(array), term_shape(e));
    return moved ? array : e;
}

static void keep(Terms *t, const TermLoop *l, const Expr *x, TermPass *p)
{
    const Expr *kept = term_kept(t, l, x);
    Sym hint = term_hinted(t, x);
    if (hint != NULL)
        term_hint(t, kept, names_format(terms_names(t), "%ss", hint));
    table_set(p->done, x, (void *)of_round(t, kept, l->index));
}

// The largest parts of e that the loop computes, as what it keeps of them. What rounds inside keep
// of themselves is computed where they are.
static void keep_parts(Terms *t, const TermLoop *l, const Expr *e, TermPass *p)
{
    ExprList made = term_order_with(t, l->next, l->states);
    Table *computed = table_new(terms_arena(t)), *seen = table_new(terms_arena(t));
    TermVec open = {0};
    for (size_t i = 0; i < made.len; i++) {
        table_set(computed, made.at[i], t);
        if (made.at[i]->kind == EXPR_LOOP)
            table_set(computed, rounds_of(t, made.at[i]), t);
    }
    vec_push(terms_arena(t), &open, e);
    while (open.len > 0) {
        const Expr *x = open.at[--open.len];
        if (table_get(seen, x) != NULL || !has_any(t, x, l->states))
            continue;
        table_set(seen, x, t);
        const Expr *made_by = x->kind == EXPR_LOOP ? rounds_of(t, x) : x;
        if (is_state(l, x) || (table_get(computed, made_by) != NULL && !loop_is_view(x))) {
            keep(t, l, made_of(t, l, x), p);
            continue;
        }
        ExprList inner = term_inner(t, x);
        for (size_t i = 0; i < inner.len; i++)
            vec_push(terms_arena(t), &open, inner.at[i]);
    }
}

const Expr *loop_read(Terms *t, const TermLoop *l, const Expr *e)
{
    TermPass p = replacing(t);
    keep_parts(t, l, e, &p);
    return term_rewrite(&p, e);
}

const Expr *loop_kept(Terms *t, const TermLoop *l, const Expr *e)
{
    const Expr *outside = loop_read(t, l, e);
    return term_has(t, outside, l->index) ? bulk_build(t, l->index, l->size, outside)
                                          : term_replicate(t, l->size, outside);
}

// ---- loops that are one ----
//
// Loops are one when their rounds are, and when none stands on the result of another: that is so
// of loops that stand on equally long chains of loops (`level`).

typedef struct Group {
    struct Group *next;         // another one of the same rounds
    size_t    level;
    TermVec   members;
    TermLoop  opened;           // the first of them
    TermLoop  loop;             // what they become
    TermVec   records;          // of all members, over the variables of loop
    size_t   *place;            // of a state in loop
    bool      built;
} Group;

typedef struct Merge { Terms *t; Table *groups, *levels; } Merge;

static size_t level_of(const Merge *m, const Expr *e)
{
    return (size_t)(uintptr_t)table_get(m->levels, e);
}

static Group *group_of(Merge *m, const Expr *e)
{
    const Expr *key = rounds_of(m->t, e);
    Group *first = table_get(m->groups, key);
    size_t level = level_of(m, e);
    for (Group *g = first; g != NULL; g = g->next)
        if (g->level == level)
            return g;
    Group *g = ARENA_NEW(terms_arena(m->t), Group);
    *g = (Group){.next = first, .level = level};
    table_set(m->groups, key, g);
    return g;
}

static void collect(Merge *m, ExprList order)
{
    for (size_t i = 0; i < order.len; i++) {
        const Expr *e = order.at[i];
        ExprList parts = term_parts(m->t, e);
        size_t level = e->kind == EXPR_LOOP;
        for (size_t k = 0; k < parts.len; k++)
            if (level_of(m, parts.at[k]) + (e->kind == EXPR_LOOP) > level)
                level = level_of(m, parts.at[k]) + (e->kind == EXPR_LOOP);
        table_set(m->levels, e, (void *)(uintptr_t)level);
        if (e->kind == EXPR_LOOP) {
            Group *g = group_of(m, e);
            vec_push(terms_arena(m->t), &g->members, e);
        }
    }
}

static bool *needed_states(Terms *t, const TermLoop *l, const Group *g)
{
    bool *needed = ARENA_ARRAY(terms_arena(t), bool, l->states.len + 1), changed = true;
    for (size_t i = 0; i < g->members.len; i++)
        if ((size_t)g->members.at[i]->loop.which < l->states.len)
            needed[g->members.at[i]->loop.which] = true;
    for (size_t k = 0; k < l->states.len; k++)
        for (size_t i = 0; i < g->records.len; i++)
            needed[k] = needed[k] || term_has(t, g->records.at[i], l->states.at[k]);
    while (changed) {
        changed = false;
        for (size_t k = 0; k < l->states.len; k++)
            for (size_t i = 0; i < l->states.len; i++)
                if (!needed[k] && needed[i] && term_has(t, l->next.at[i], l->states.at[k]))
                    needed[k] = changed = true;
    }
    return needed;
}

static size_t place_in(const TermVec *list, const Expr *e)
{
    size_t i = 0;
    while (i < list->len && list->at[i] != e)
        i++;
    return i;
}

static ExprList merge_inside(Terms *t, const TermLoop *l, ExprList bodies);

static void build_group(Terms *t, TermPass *p, Group *g)
{
    TermLoop l = term_open_loop(t, g->members.at[0]);
    TermVec states = {0}, before = {0}, bodies = {0};
    for (size_t i = 0; i < g->members.len; i++) {
        TermLoop other = term_open_loop_as(t, g->members.at[i], &l);
        size_t which = (size_t)g->members.at[i]->loop.which;
        if (which >= l.states.len &&
            place_in(&g->records, other.records.at[which - l.states.len]) == g->records.len)
            vec_push(terms_arena(t), &g->records, other.records.at[which - l.states.len]);
    }
    bool *needed = needed_states(t, &l, g);
    g->place = ARENA_ARRAY(terms_arena(t), size_t, l.states.len + 1);
    for (size_t k = 0; k < l.states.len; k++) {
        g->place[k] = states.len;
        if (!needed[k])
            continue;
        vec_push(terms_arena(t), &states, l.states.at[k]);
        vec_push(terms_arena(t), &before, term_rewrite(p, l.before.at[k]));
        vec_push(terms_arena(t), &bodies, term_rewrite(p, l.next.at[k]));
    }
    for (size_t i = 0; i < g->records.len; i++)
        vec_push(terms_arena(t), &bodies, term_rewrite(p, g->records.at[i]));
    ExprList all = merge_inside(t, &l, (ExprList){bodies.at, bodies.len});
    size_t n = states.len;
    g->opened = l;
    g->loop = (TermLoop){l.size, l.down, l.index, {states.at, n}, {before.at, n}, {all.at, n},
                         term_drop(all, n)};
    g->built = true;
}

static const Expr *merge_here(TermPass *p, const Expr *original, const Expr *e)
{
    Merge *m = p->cx;
    if (original->kind != EXPR_LOOP || table_get(m->levels, original) == NULL)
        return e;
    Group *g = group_of(m, original);
    if (!g->built)
        build_group(m->t, p, g);
    size_t which = (size_t)original->loop.which, states = original->loop.before.len;
    if (which < states)
        return term_loop(m->t, &g->loop, g->place[which]);
    const Expr *record = term_open_loop_as(m->t, original, &g->opened).records.at[which - states];
    return term_loop(m->t, &g->loop, g->loop.states.len + place_in(&g->records, record));
}

static bool has_loops(ExprList order)
{
    size_t i = 0;
    while (i < order.len && order.at[i]->kind != EXPR_LOOP)
        i++;
    return i < order.len;
}

static ExprList merge(Terms *t, ExprList roots, ExprList order)
{
    if (!has_loops(order))
        return roots;
    Merge m = {t, table_new(terms_arena(t)), table_new(terms_arena(t))};
    TermPass p = {.terms = t, .step_from = merge_here, .cx = &m};
    collect(&m, order);
    return rewrite_all(&p, roots);
}

// Loops inside a round; what a round reads from outside is merged already.
static ExprList merge_inside(Terms *t, const TermLoop *l, ExprList bodies)
{
    ExprList variables = term_join(t, term_list(t, l->index, NULL), l->states);
    return merge(t, bodies, term_order_with(t, bodies, variables));
}

ExprList loop_merge(Terms *t, ExprList roots) { return merge(t, roots, term_order(t, roots)); }
