// nest_block.c - a block: which loops there are, and in which order.
//
// A node is driven along one of its dimensions. Nodes that go over the same size are in one loop as
// long as each reads of the others only what the present round makes; what nobody reads outside of
// the loop is not stored there.

#include "compiler/pass/ad/nest_internal.h"
#include "compiler/pass/ad/simplify_internal.h"

// ---- which dimension ----

static const Expr *variable_of(Block *b, const Ty *size)
{
    Nest *n = b->n;
    const Expr *v = table_get(b->variables, size);
    if (v != NULL)
        return v;
    v = term_variable(n->t);
    table_set(b->variables, size, (void *)v);
    n->variables = term_join(n->t, n->variables, term_list(n->t, v, NULL));
    n->extents = shape_join(n->t, n->extents, (TyList){&size, 1});
    return v;
}

// How much is to be stored if all that can is driven along this size: what waits for a loop to
// end. Larger arrays weigh more than any number of smaller ones.
static void find_stages(Block *b);
static void drive(Block *b, const Table *scores, const Ty *first);

static uintptr_t stored_along(Block *b, const Table *scores, const Ty *size)
{
    uintptr_t sum = 0;
    drive(b, scores, size);
    find_stages(b);
    for (size_t i = 0; i < b->nodes.len; i++) {
        const Node *node = b->nodes.at[i];
        if (!node->stored || node->given || node->term == NULL || node->term->kind == EXPR_LOOP ||
            node->term->kind == EXPR_ARG_SORT)
            continue;
        TyList shape = term_shape(node->term);
        size_t weight = shape.len < 12 ? shape.len : 12;
        bool cut = false;           // by the loop: what it makes for each round waits for its end
        for (size_t k = 0; k < shape.len; k++)
            cut = cut || shape.at[k] == size;
        sum += (uintptr_t)1 << 4 * (weight - (weight > 0 && !cut));
    }
    return sum;
}

// In a strip: how much is gone through again in each round, when what is driven along this size is
// a sum over it.
static uintptr_t swept(const Block *b)
{
    uintptr_t sum = 0;
    for (size_t i = 0; i < b->nodes.len && b->n->strip != NULL; i++) {
        const Node *node = b->nodes.at[i];
        if (node->size == NULL || node->dimension >= node->item.reduced)
            continue;
        size_t rest = term_rank(node->item.term) - node->item.reduced;
        sum += (uintptr_t)1 << 4 * (rest < 12 ? rest : 12);
    }
    return sum;
}

static void score(Block *b, Table *scores, const Node *node)
{
    TyList shape = term_shape(node->item.term);
    uintptr_t weight = (uintptr_t)4 << (2 * (shape.len < 8 ? shape.len : 8));
    for (size_t i = 0; i < shape.len; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || shape.at[k] == shape.at[i];
        uintptr_t old = (uintptr_t)table_get(scores, shape.at[i]);
        if (!again)
            table_set(scores, shape.at[i], (void *)(old + weight));
    }
    if (b->n->variables.len > 0)
        return;
    ExprList order = term_order(b->n->t, term_list(b->n->t, node->item.term, NULL));
    for (size_t i = 0; i < order.len; i++) {        // what lies together
        TyList of = term_shape(order.at[i]);
        if (order.at[i]->kind != EXPR_NAME || of.len == 0)
            continue;
        uintptr_t old = (uintptr_t)table_get(scores, of.at[of.len - 1]);
        table_set(scores, of.at[of.len - 1], (void *)(old + 1));
    }
}

// In a strip a sum goes over what is summed inside, where it is one number for each lane.
static void choose(const Table *scores, const Ty *first, bool strip, Node *node)
{
    TyList shape = term_shape(node->item.term);
    uintptr_t best = 0;
    node->size = NULL;
    node->dimension = 0;
    if (node->item.term->kind == EXPR_BUILD) {      // what it computes is computed once for each
        node->size = shape.at[0];
        return;
    }
    for (size_t i = 0; i < shape.len; i++) {
        uintptr_t here = shape.at[i] == first ? UINTPTR_MAX
                                              : (uintptr_t)table_get(scores, shape.at[i]);
        bool inside = strip && node->dimension < node->item.reduced && i >= node->item.reduced;
        if (here > best || (here == best && here > 0 && inside)) {
            best = here;
            node->size = shape.at[i];
            node->dimension = i;
        }
    }
}

static void choose_all(Block *b)
{
    Table *scores = table_new(b->n->arena), *seen = table_new(b->n->arena);
    Vec(const Ty *) sizes = {0};
    for (size_t i = 0; i < b->nodes.len; i++) {
        if (b->nodes.at[i]->waits || b->nodes.at[i]->loop != NULL)
            continue;
        score(b, scores, b->nodes.at[i]);
        TyList shape = term_shape(b->nodes.at[i]->item.term);
        for (size_t k = 0; k < shape.len; k++) {
            if (table_get(seen, shape.at[k]) == NULL)
                vec_push(b->n->arena, &sizes, shape.at[k]);
            table_set(seen, shape.at[k], b);
        }
    }
    const Ty *best = NULL;
    uintptr_t least = UINTPTR_MAX;
    for (size_t i = 0; i < sizes.len && sizes.len > 1; i++) {
        uintptr_t cost = stored_along(b, scores, sizes.at[i]) + swept(b);
        bool tie = cost == least &&
                   (uintptr_t)table_get(scores, sizes.at[i]) > (uintptr_t)table_get(scores, best);
        if (cost < least || tie) {
            least = cost;
            best = sizes.at[i];
        }
    }
    drive(b, scores, best);
}

static void drive(Block *b, const Table *scores, const Ty *first)
{
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *node = b->nodes.at[i];
        node->stage = 0;
        node->stored = false;
        if (node->waits || node->loop != NULL)
            continue;
        choose(scores, first, b->n->strip != NULL, node);
        if (node->size == NULL)
            continue;
        Pull p = {.n = b->n, .index = variable_of(b, node->size)};
        node->row = pull(&p, node->item.term, node->dimension);
    }
}

// ---- what does not change in a loop ----

// A comparison of what is stored with a number is done again as fast as its answer is read.
static bool is_quick_test(const Expr *e)
{
    const Expr *x = e->kind == EXPR_COMPARE ? e->compare.left : e;
    while (nest_is_view(x))
        x = x->kind == EXPR_REPLICATE ? x->replicate.array : x->transpose.array;
    x = x->kind == EXPR_SUBSCRIPT ? x->subscript.value
        : x->kind == EXPR_GATHER  ? x->gather.array : x;
    return e->kind == EXPR_COMPARE && x->kind == EXPR_NAME &&
           term_filled_with(e->compare.comparators.at[0]) != NULL;
}

static bool find_fixed(Block *b, const Expr *e, const Expr *variable, Table *seen)
{
    bool found = false;
    if (term_is_atom(e) || table_get(seen, e) != NULL)
        return false;
    table_set(seen, e, b);
    if (term_has(b->n->t, e, variable)) {
        ExprList parts = nest_parts(b->n, e);
        for (size_t i = 0; i < parts.len; i++)
            found |= find_fixed(b, parts.at[i], variable, seen);
        return found;
    }
    while (nest_is_view(e))
        e = e->kind == EXPR_REPLICATE ? e->replicate.array : e->transpose.array;
    const Expr *original = table_get(b->origin, e);
    Poly p;
    if (original == NULL || !(term_is_elementwise(e) || e->kind == EXPR_WHERE) ||
        table_get(b->marked, original) != NULL || is_quick_test(e) ||
        (term_elem(e) == ELEM_INT && term_rank(e) == 0 && term_poly(b->n->t, e, &p)))
        return false;
    table_set(b->marked, original, b);
    return true;
}

static bool mark_fixed(Block *b)
{
    bool found = false;
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *node = b->nodes.at[i];
        if (!node->waits && node->size != NULL)
            found |= find_fixed(b, node->row, variable_of(b, node->size), table_new(b->n->arena));
    }
    return found;
}

// ---- stages ----

typedef Vec(Node *) NodeVec;

static void find_names(Block *b, const Expr *e, Table *seen, NodeVec *found)
{
    ExprList order = term_order(b->n->t, term_list(b->n->t, e, NULL));
    for (size_t i = 0; i < order.len; i++) {
        const Expr *x = order.at[i];
        if (table_get(seen, x) != NULL)
            continue;
        table_set(seen, x, b);
        Node *node = x->kind == EXPR_NAME ? table_get(b->nodes_of, x) : NULL;
        if (node != NULL)
            vec_push(b->n->arena, found, node);
        ExprList bodies = term_open(b->n->t, x).bodies;
        for (size_t k = 0; k < bodies.len; k++)
            find_names(b, bodies.at[k], seen, found);
    }
}

static void find_reads(Block *b, Node *node)
{
    NodeVec found = {0};
    Table *seen = table_new(b->n->arena);
    for (size_t i = 0; i < node->parts_len; i++)
        vec_push(b->n->arena, &found, node->parts[i]);
    if (node->parts_len == 0)
        find_names(b, node->item.term, seen, &found);
    for (size_t i = 0; i < node->item.at.len && node->parts_len == 0; i++)
        find_names(b, node->item.at.at[i], seen, &found);
    node->reads = found.at;
    node->reads_len = found.len;
}

static bool is_arg(const Item *item)
{
    return item->mode == MODE_ARG_MAX || item->mode == MODE_ARG_MIN;
}

// The dimension of the place that the rounds of a loop over a dimension of an item go over. False:
// each round goes over all of them.
static bool place_dimension(const Item *item, const Expr *term, size_t dimension, size_t *of)
{
    size_t scattered = is_arg(item) ? 0 : item->at.len;
    *of = dimension - item->reduced + scattered;
    if (dimension >= item->reduced || scattered == 0 || term == NULL)
        return dimension >= item->reduced;
    for (*of = 0; *of < item->at.len; ++*of)
        if (nest_own_index(term_shape(item->term), term_shape(term), item->indices, item->at,
                           *of) == dimension)
            return true;
    return false;
}

static bool is_mapped(const Node *m)
{
    size_t of;
    return m->size != NULL && m->term != NULL && !m->waits &&
           place_dimension(&m->item, m->term, m->dimension, &of);
}

// The nodes of which the present round reads what other rounds make: each term is visited once.
typedef struct Apart { Block *b; const Node *node; const Expr *round; Table *seen, *found; } Apart;

static void find_apart(Apart *a, const Expr *e);

static void find_all_apart(Apart *a, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        find_apart(a, list.at[i]);
}

// An element of a named array.
static void read_apart(Apart *a, const Expr *array, ExprList place)
{
    size_t at;
    const Node *m = table_get(a->b->nodes_of, array);
    if (m != NULL && m->size == a->node->size && is_mapped(m)) {
        (void)place_dimension(&m->item, m->term, m->dimension, &at);
        if (place.len <= at || place.at[at] != a->round)
            table_set(a->found, m, a);
    }
    find_all_apart(a, place);
}

static void find_apart(Apart *a, const Expr *e)
{
    Terms *t = a->b->n->t;
    if (table_get(a->seen, e) != NULL)
        return;
    table_set(a->seen, e, a);
    if (e->kind == EXPR_NAME && table_get(a->b->nodes_of, e) != NULL)
        table_set(a->found, table_get(a->b->nodes_of, e), a);
    if (term_is_atom(e))
        return;
    if (e->kind == EXPR_SUBSCRIPT && e->subscript.value->kind == EXPR_NAME) {
        read_apart(a, e->subscript.value, e->subscript.slice->tuple.elts);
        return;
    }
    Opened o = term_open(t, e);
    if (e->kind == EXPR_GATHER && e->gather.array->kind == EXPR_NAME) {
        read_apart(a, e->gather.array, o.bodies);
        return;
    }
    find_all_apart(a, term_parts(t, e));
    find_all_apart(a, o.bodies);
}

static Table *apart_of(Block *b, const Node *node)
{
    Apart a = {.b = b, .node = node, .seen = table_new(b->n->arena),
               .found = table_new(b->n->arena)};
    if (node->size == NULL)
        return a.found;
    a.round = variable_of(b, node->size);
    find_apart(&a, node->row);
    for (size_t i = 0; i < node->item.at.len; i++) {
        const Expr *place = node->item.at.at[i];
        if (node->dimension < node->item.indices.len)
            place = term_with(b->n->t, place,
                              (ExprList){&node->item.indices.at[node->dimension], 1},
                              (ExprList){&a.round, 1});
        find_apart(&a, place);
    }
    return a.found;
}

// Whether a round of one loop for both makes what it reads.
static bool in_round(const Node *node, const Node *m, const Table *apart)
{
    return node->size != NULL && node->size == m->size && is_mapped(m) &&
           table_get(apart, m) == NULL;
}

static void find_stages(Block *b)
{
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *node = b->nodes.at[i];
        node->apart = apart_of(b, node);
        for (size_t k = 0; k < node->reads_len; k++) {
            Node *m = node->reads[k];
            bool round = m->loop != NULL || (m->size != NULL && !in_round(node, m, node->apart));
            unsigned after = m->stage + round;
            node->stage = after > node->stage ? after : node->stage;
        }
    }
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *node = b->nodes.at[i];
        for (size_t k = 0; k < node->reads_len; k++) {
            Node *m = node->reads[k];
            if (m->size == NULL || node->stage != m->stage || !in_round(node, m, node->apart))
                m->stored = true;
        }
    }
}

// ---- statements ----

// Rounds that hand arrays on, or a sort, for each round of this loop: not done in lanes.
static bool has_rounds(Block *b, ExprList roots, Table *seen)
{
    for (size_t i = 0; i < roots.len; i++) {
        const Expr *e = roots.at[i];
        if (table_get(seen, e) != NULL)
            continue;
        table_set(seen, e, b);
        if (e->kind == EXPR_LOOP || e->kind == EXPR_ARG_SORT ||
            has_rounds(b, term_inner(b->n->t, e), seen))
            return true;
    }
    return false;
}

// The item of one round.
static Item at_round(Block *b, Node *node, Item item, Pull *p)
{
    Nest *n = b->n;
    size_t d = node->dimension, free;
    Item at = item;
    bool mapped = place_dimension(&item, node->term, d, &free);
    if (mapped) {
        at.to = nest_part(n, item.to, p->index, free);
        if (item.best.store != NULL)
            at.best = nest_part(n, item.best, p->index, free);
    }
    if (mapped && node->term != NULL) {
        const Expr *row = pull(p, nest_content(b, node->term), free);
        at = (Item){.term = row, .to = at.to, .mode = MODE_SUM, .fresh = true};
        return at;
    }
    if (d < item.reduced) {
        at.term = pull(p, item.term, d);
        at.reduced--;
        at.fresh = false;
        if (item.indices.len == 0)
            return at;
        ExprList variable = {&item.indices.at[d], 1}, value = {&p->index, 1};
        const Expr **place = ARENA_ARRAY(n->arena, const Expr *, item.at.len + 1);
        for (size_t i = 0; i < item.at.len; i++)
            place[i] = term_with(n->t, item.at.at[i], variable, value);
        at.at = (ExprList){place, item.at.len};
        at.indices = term_join(n->t, (ExprList){item.indices.at, d},
                               term_drop(item.indices, d + 1));
        return at;
    }
    at.term = pull(p, item.term, d);
    return at;
}

// The value with which the search for the largest, or the least, begins.
static const Expr *first_best(Nest *n, Elem elem, bool most)
{
    double infinity = 1e308 * 10.0;
    const Expr *value = elem == ELEM_BOOL ? term_bool(n->t, !most)
                        : elem == ELEM_FLOAT
                            ? term_float(n->t, most ? -infinity : infinity)
                            : term_int(n->t, most ? INT64_MIN + 1 : INT64_MAX);
    return expr_with_ty(n->arena, value, nest_ty(n, elem), (SymList){NULL, 0});
}

static void fill_first(Block *b, const Item *item, bool best)
{
    Nest *n = b->n;
    Elem elem = item->to.store->elem;
    bool arg = item->mode == MODE_ARG_MAX || item->mode == MODE_ARG_MIN;
    bool most = item->mode == MODE_MAX || item->mode == MODE_ARG_MAX;
    const Expr *zero = term_zero(n->t, term_ty(n->t, elem, (TyList){NULL, 0}));
    const Expr *value = expr_with_ty(n->arena, zero, nest_ty(n, elem), (SymList){NULL, 0});
    if (item->mode != MODE_SUM)
        for (size_t i = 0; i < item->reduced; i++)
            nest_need(n, term_shape(item->term).at[i], true);
    nest_fill(n, item->to, item->mode == MODE_SUM || arg ? value : first_best(n, elem, most));
    if (best)
        nest_fill(n, item->best, first_best(n, item->best.store->elem, most));
}

static Sym counter_name(Nest *n)
{
    static const char *const names[] = {"i", "j", "k", "l", "m"};
    size_t depth = n->depth < 5 ? n->depth : 4;
    return nest_name(n, names[depth]);
}

// What a loop goes over: rounds of `step`, each of which has one variable for each of them.
typedef struct Rounds {
    const Expr *first, *end;
    int64_t  step;
    ExprList variables;
} Rounds;

static void rounds(Block *b, Items items, const Rounds *r)
{
    Nest *n = b->n;
    Stmts body = {0}, inner = {0}, *outer = n->out;
    ExprList factors = {NULL, 0};
    if (nest_is_contraction(n, &items))
        factors = nest_zero_factors(n, &items);
    Sym i = counter_name(n);
    const Expr *counter = nest_var(n, i, ELEM_INT, false);
    for (size_t k = 0; k < r->variables.len; k++) {
        const Expr *at = k == 0 ? counter : nest_binary(n, counter, OPERATOR_ADD,
                                                        nest_int(n, (int64_t)k));
        table_set(n->values, r->variables.at[k]->name.id, (void *)at);
    }
    n->out = factors.len > 0 ? &inner : &body;
    n->depth++;
    nest_block(n, items);
    n->depth--;
    n->out = &body;
    if (factors.len > 0)
        nest_unless_zeros(n, factors, inner);
    n->out = outer;
    nest_loop(n, i, r->first, r->end, r->step, body);
}

static bool has_place(Block *b, const Ty *size, const Items *items)
{
    for (size_t i = 0; i < items->len; i++)
        if (nest_is_at_variable(b->n, &items->at[i], variable_of(b, size)))
            return true;
    return false;
}

static void written_out(Block *b, const Ty *size, Items items, int64_t count)
{
    Terms *t = b->n->t;
    Items all = {0};
    for (int64_t r = 0; r < count; r++)
        for (size_t i = 0; i < items.len; i++) {
            Item item = nest_at_variable(b->n, items.at[i], variable_of(b, size), term_int(t, r));
            item.term = simplify_index(t, item.term);
            vec_push(b->n->arena, &all, item);
        }
    nest_block(b->n, all);
}

// UNROLLED rounds at once: what they are added to is read and written once for all of them. The
// order in which they are added stays.
static void unrolled(Block *b, const Ty *size, Items items)
{
    enum { UNROLLED = 4 };
    Nest *n = b->n;
    const Expr *v = variable_of(b, size), *end = nest_size(n, size), *new[UNROLLED];
    const Expr *most = nest_binary(n, end, OPERATOR_BIT_AND, nest_int(n, -UNROLLED));
    ExprList variables = n->variables;
    TyList extents = n->extents;
    Items all = {0};
    int64_t count;
    bool known = poly_is_number(size_poly(n->t, size), &count);
    for (size_t k = 0; k < UNROLLED; k++) {
        new[k] = k == 0 ? v : term_variable(n->t);
        n->variables = term_join(n->t, n->variables, (ExprList){&new[k], 1});
        n->extents = shape_join(n->t, n->extents, (TyList){&size, 1});
        for (size_t i = 0; i < items.len; i++)
            vec_push(n->arena, &all, nest_at_variable(n, items.at[i], v, new[k]));
    }
    if (!known || count >= UNROLLED)
        rounds(b, all, &(Rounds){nest_int(n, 0), most, UNROLLED, {new, UNROLLED}});
    n->variables = variables;
    n->extents = extents;
    if (!known || count % UNROLLED > 0)
        rounds(b, items, &(Rounds){most, end, 1, {&v, 1}});
}

// The rounds between the edges, where tests are decided.
static void middle(Block *b, const Ty *size, Items items, const Edges *edges)
{
    Nest *n = b->n;
    Terms *t = n->t;
    const Expr *v = variable_of(b, size), *new = term_variable(t);
    const Expr *at = term_binary(t, OPERATOR_ADD, new, term_int(t, edges->first));
    const Ty *left = size_of_poly(t, poly_sub(n->arena, size_poly(t, size),
                                              poly_number(n->arena, edges->first + edges->last)));
    ExprList variables = n->variables;
    TyList extents = n->extents;
    Items all = {0};
    n->variables = term_join(t, n->variables, (ExprList){&new, 1});
    n->extents = shape_join(t, n->extents, (TyList){&left, 1});
    for (size_t i = 0; i < items.len; i++) {
        Item item = nest_at_variable(n, items.at[i], v, at);
        item.term = nest_decided(n, item.term);
        vec_push(n->arena, &all, item);
    }
    rounds(b, all, &(Rounds){nest_int(n, 0), nest_size(n, left), 1, {&new, 1}});
    n->variables = variables;
    n->extents = extents;
}

// One number each: no loop inside.
static bool is_innermost(Block *b, const Items *items)
{
    for (size_t i = 0; i < items->len; i++)
        if (term_rank(items->at[i].term) > 0 || items->at[i].at.len > 0 ||
            nest_has_loops(b->n, items->at[i].term))
            return false;
    return true;
}

// First and last rounds in which tests answer otherwise are loops of their own.
static bool edged(Block *b, const Ty *size, Items items)
{
    Nest *n = b->n;
    const Expr *v = variable_of(b, size);
    Exprs terms = {0};
    if (n->strip != NULL || !is_innermost(b, &items))
        return false;
    for (size_t i = 0; i < items.len; i++)
        vec_push(n->arena, &terms, items.at[i].term);
    Edges edges = nest_edges(n, v, size, (ExprList){terms.at, terms.len});
    if (edges.first + edges.last == 0)
        return false;
    const Expr *all = nest_size(n, size), *first = nest_int(n, edges.first), *zero = nest_int(n, 0);
    if (edges.first > 0)
        rounds(b, items, &(Rounds){zero, nest_min(n, first, all), 1, {&v, 1}});
    middle(b, size, items, &edges);
    if (edges.last > 0)
        rounds(b, items, &(Rounds){nest_max(n, first, nest_binary(n, all, OPERATOR_SUB,
                                                                  nest_int(n, edges.last))),
                                   all, 1, {&v, 1}});
    return true;
}

// Only the rounds in which something is computed that is read.
static void bounded(Block *b, const Ty *size, Items items)
{
    Nest *n = b->n;
    const Expr *v = variable_of(b, size);
    Rounds r = {nest_int(n, 0), nest_end(n, size), 1, {&v, 1}};
    nest_bound_rounds(n, &items, v, &r.first, &r.end);
    rounds(b, items, &r);
}

static void plain_loop(Block *b, const Ty *size, Items items)
{
    Nest *n = b->n;
    const Expr *v = variable_of(b, size);
    int64_t written = nest_written_rounds(n, size, v, &items);
    if (written > 0) {
        written_out(b, size, items, written);
        return;
    }
    if (edged(b, size, items))
        return;
    bool jammed = nest_is_jammed(n, &items, v);
    n->jammed |= jammed;
    if (jammed || (nest_is_contraction(n, &items) && !n->jammed && !has_place(b, size, &items) &&
                   nest_zero_factors(n, &items).len == 0))
        unrolled(b, size, items);
    else
        bounded(b, size, items);
    n->jammed = n->jammed && !jammed;
}

static void strip_loop(Block *b, const Ty *size, Items items)
{
    Nest *n = b->n;
    Stmts body = {0}, before = {0}, *outer = n->out;
    Sym i = counter_name(n), w = nest_name(n, "w");
    const Expr *left = nest_binary(n, nest_size(n, size), OPERATOR_SUB,
                                   nest_var(n, i, ELEM_INT, false));
    n->strip = variable_of(b, size);
    n->before = &before;
    n->moved = table_new(n->arena);
    n->start = nest_var(n, i, ELEM_INT, false);
    n->width = nest_var(n, w, ELEM_INT, false);
    n->out = &body;
    n->depth++;
    nest_assign(n, nest_var(n, w, ELEM_INT, true), nest_min(n, nest_int(n, NEST_LANES), left));
    nest_block(n, items);
    n->depth--;
    n->strip = NULL;
    n->before = NULL;
    n->out = outer;
    for (size_t k = 0; k < before.len; k++)
        vec_push(n->arena, outer, before.at[k]);
    nest_note_strips(n, size);
    nest_loop(n, i, nest_int(n, 0), nest_size(n, size), NEST_LANES, body);
}

// Fewer rounds than there are partial sums: nothing in a strip of them is done side by side, and a
// compiler warns of the loop over the partial sums, which it takes for reached.
static bool is_narrow(const Block *b, const Ty *size)
{
    int64_t count;
    return poly_is_number(size_poly(b->n->t, size), &count) && count < PARTS;
}

// Each round puts what lies apart, and the rounds what lies side by side: they are done in strips.
static bool is_put_apart(const Items *items, const Expr *v)
{
    for (size_t i = 0; i < items->len; i++) {
        const Item *item = &items->at[i];
        size_t rank = item->to.index.len;
        if (item->fresh && term_rank(item->term) > 0 && rank > 1 &&
            item->to.index.at[rank - 1] == v)
            return true;
    }
    return false;
}

static void some_loop(Block *b, const Ty *size, Items items, bool strip)
{
    if (strip)
        strip_loop(b, size, items);
    else
        plain_loop(b, size, items);
}

// A loop that writes to nothing but one optional store goes inside the `if` of that store.
static void asked_loop(Block *b, const Ty *size, Items items, bool strip)
{
    Nest *n = b->n;
    const Store *s = items.len > 0 ? nest_optional(n, &items.at[0]) : NULL;
    for (size_t i = 1; i < items.len; i++)
        s = items.at[i].to.store == s ? s : NULL;
    if (s == NULL) {
        some_loop(b, size, items, strip);
        return;
    }
    Stmts body = {0}, *outer = n->out;
    n->out = &body;
    n->asked = s;
    some_loop(b, size, items, strip);
    n->asked = NULL;
    n->out = outer;
    nest_if_asked(n, s, body);
}

static void group(Block *b, unsigned stage, const Ty *size)
{
    Nest *n = b->n;
    NodeVec members = {0};
    Items items = {0};
    bool strip = false, handed = false;
    b->skip = table_new(n->arena);
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *node = b->nodes.at[i];
        if (node->waits || node->stage != stage || node->size != size)
            continue;
        handed = handed || has_rounds(b, term_join(n->t, term_list(n->t, node->row, NULL),
                                                 node->item.at), table_new(n->arena));
        vec_push(n->arena, &members, node);
        if (is_mapped(node))
            table_set(b->skip, node->term, b);
    }
    nest_need(n, size, false);
    nest_begin_cut(b);
    Pull p = {.n = n, .index = variable_of(b, size)};
    for (size_t i = 0; i < members.len; i++) {
        Node *node = members.at[i];
        if (!node->given && is_mapped(node) && !node->stored)
            continue;
        if (node->term != NULL)
            nest_store_node(b, node);
        bool best = nest_need_best(b, node);
        Item item = nest_cut_item(b, node, node->item.reduced);
        strip = strip || item.reduced > 0 || nest_has_loops(b->n, item.term) ||
                (node->term != NULL && nest_has_loops(n, node->term)) ||
                nest_has_loops(n, node->row);
        if (item.fresh && node->dimension < item.reduced && !is_mapped(node))
            fill_first(b, &item, best);
        if (nest_with_place(b, node) == NULL)
            vec_push(n->arena, &items, at_round(b, node, item, &p));
    }
    strip = (strip || is_put_apart(&items, p.index)) && !handed && !is_narrow(b, size);
    for (size_t i = 0; i < items.len; i++)
        items.at[i].over_strip |= strip && n->depth == 0 && !items.at[i].fresh;
    asked_loop(b, size, items, strip && n->depth == 0);
}

// The elements of a place in another shape: the dimensions after the indices that are fixed.
static Slot reshaped(Nest *n, Slot of, TyList shape)
{
    size_t fixed = 0;
    while (fixed < of.index.len && of.index.at[fixed] != NULL)
        fixed++;
    Store *view = ARENA_NEW(n->arena, Store);
    *view = *of.store;
    view->shape = shape_join(n->t, (TyList){view->shape.at, fixed}, shape);
    view->given = true;                 // memory, also of one number
    Slot to = nest_whole(n, view);
    for (size_t i = 0; i < fixed; i++)
        ((const Expr **)to.index.at)[i] = of.index.at[i];
    return to;
}

// Views of what is complete, and numbers.
static void numbers(Block *b, unsigned stage)
{
    Nest *n = b->n;
    Items items = {0};
    b->skip = table_new(n->arena);
    nest_begin_cut(b);
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *node = b->nodes.at[i];
        if (node->stage != stage || node->size != NULL || node->loop != NULL)
            continue;
        if (node->waits && node->term->kind == EXPR_RESHAPE) {
            const Expr *x = nest_content(b, node->term)->reshape.array;
            nest_place(b, node, reshaped(n, *(Slot *)table_get(n->places, x->name.id),
                                         term_shape(node->term)));
        } else if (node->waits && node->term->kind == EXPR_LOOP) {
            nest_place(b, node, node->parts[0]->kept[node->term->loop.which]);
        } else if (node->waits && node->term->kind == EXPR_ARG_SORT) {
            nest_place(b, node, node->parts[0]->kept[0]);
            n->below = n->below == NULL ? table_new(n->arena) : n->below;
            table_set(n->below, node->name->name.id, (void *)term_shape(node->term).at[0]);
        } else if (!node->waits) {
            if (node->term != NULL)
                nest_store_node(b, node);
            Item item = nest_cut_item(b, node, node->item.reduced);
            if (item.fresh && item.at.len > 0)
                fill_first(b, &item, false);
            item.fresh = item.fresh && item.at.len == 0;
            vec_push(n->arena, &items, item);
        }
    }
    nest_items(n, items.at, items.len);
}

static void emit(Block *b)
{
    unsigned last = 0;
    for (size_t i = 0; i < b->nodes.len; i++)
        last = b->nodes.at[i]->stage > last ? b->nodes.at[i]->stage : last;
    for (unsigned stage = 0; stage <= last; stage++) {
        Table *done = table_new(b->n->arena);
        numbers(b, stage);
        for (size_t i = 0; i < b->nodes.len; i++)
            if (b->nodes.at[i]->stage == stage && b->nodes.at[i]->loop != NULL)
                (b->nodes.at[i]->loop->kind == EXPR_LOOP ? nest_rounds
                                                         : nest_sort)(b, b->nodes.at[i]);
        for (size_t i = 0; i < b->nodes.len; i++) {
            Node *node = b->nodes.at[i];
            if (node->waits || node->stage != stage || node->size == NULL ||
                table_get(done, node->size) != NULL)
                continue;
            table_set(done, node->size, b);
            group(b, stage, node->size);
        }
    }
}

static void cut_items(Block *b)
{
    nest_begin_cut(b);
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *node = b->nodes.at[i];
        if (node->loop != NULL)
            node->item.term = nest_content(b, node->loop);
        else if (!node->waits)
            node->item = nest_cut_item(b, node, SIZE_MAX);
        else if (node->parts_len == 0)
            node->item.term = nest_content(b, node->term);
    }
    for (size_t i = 0; i < b->nodes.len; i++)
        find_reads(b, b->nodes.at[i]);
}

// A term of a body that is opened anew each time is another one each time it is marked: so often
// nothing more may be stored after all.
enum { MOST_IDLE = 4 };

void nest_block(Nest *n, Items items)
{
    nest_hot(n, &items);
    Block b = {.n = n, .items = items, .marked = table_new(n->arena)};
    ExprList variables = n->variables;
    TyList extents = n->extents;
    ExprList order;
    size_t nodes, idle = 0;
    do {
        nodes = b.nodes.len;
        n->variables = variables;
        n->extents = extents;
        b.uses = table_new(n->arena);
        b.cost = table_new(n->arena);
        b.variables = table_new(n->arena);
        order = nest_order(&b, nest_roots(&b));
        nest_mark(&b, order);
        nest_collect(&b, order);
        cut_items(&b);
        choose_all(&b);
        idle = b.nodes.len > nodes ? 0 : idle + 1;
    } while (mark_fixed(&b) && idle < MOST_IDLE);
    nest_find_bounds(&b, order);
    find_stages(&b);
    emit(&b);
    n->variables = variables;
    n->extents = extents;
}
