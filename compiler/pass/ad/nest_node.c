// nest_node.c - the nodes of a block: terms that are computed in a loop of their own, and what is
// read under which name.
//
// A node is an item of the block, a reduction, a scatter, what is read several times and costs
// something, what does not change in a loop.

#include "compiler/pass/ad/nest_internal.h"

// ---- what is read how often, and what it costs ----

static uintptr_t number_of(const Table *t, const Expr *e) { return (uintptr_t)table_get(t, e); }

static void count(Block *b, const Expr *e)
{
    table_set(b->uses, e, (void *)(number_of(b->uses, e) + 1));
}

typedef struct Open { const Expr *e; ExprList parts; size_t next; } Open;

// All terms that the items stand on, each behind what it reads.
ExprList nest_order(Block *b, ExprList roots)
{
    Exprs order = {0};
    Vec(Open) open = {0};
    Table *seen = table_new(b->n->arena);
    vec_push(b->n->arena, &open, ((Open){NULL, roots, 0}));
    while (open.len > 0) {
        Open *top = &open.at[open.len - 1];
        if (top->next == top->parts.len) {
            if (top->e != NULL)
                vec_push(b->n->arena, &order, top->e);
            open.len--;
            continue;
        }
        const Expr *part = top->parts.at[top->next++];
        count(b, part);
        if (table_get(seen, part) != NULL)
            continue;
        table_set(seen, part, b);
        vec_push(b->n->arena, &open, ((Open){part, nest_parts(b->n, part), 0}));
    }
    return (ExprList){order.at, order.len};
}

ExprList nest_roots(Block *b)
{
    Exprs roots = {0};
    for (size_t i = 0; i < b->items.len; i++) {
        const Item *item = &b->items.at[i];
        vec_push(b->n->arena, &roots, item->term);
        for (size_t k = 0; k < item->at.len; k++)
            vec_push(b->n->arena, &roots, item->at.at[k]);
    }
    return (ExprList){roots.at, roots.len};
}

static uintptr_t own_cost(const Expr *e)
{
    static const char *const cheap[] = {"fabs", "float64", "maximum", "minimum", "logical_not",
                                        "copysign", NULL};
    if (e->kind == EXPR_CALL)
        return term_is_iota(e) ? 0 : sym_is_one_of(term_function(e), cheap) ? 1 : 20;
    if (e->kind != EXPR_BIN_OP)
        return term_is_atom(e) || e->kind == EXPR_REPLICATE || e->kind == EXPR_TRANSPOSE ? 0 : 1;
    Operator op = e->bin_op.op;
    return op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT ? 1
           : op == OPERATOR_DIV ? 5 : 20;
}

static uintptr_t cost_of(Block *b, const Expr *e)
{
    enum { MOST = 1000 };
    uintptr_t sum = own_cost(e);
    ExprList parts = term_parts(b->n->t, e);
    if (e->kind == EXPR_REPLICATE && term_rank(e->replicate.array) == 0)
        return 0;                   // computed once, in front of the loop
    for (size_t i = 0; i < parts.len && sum < MOST; i++)
        if (table_get(b->marked, parts.at[i]) == NULL)
            sum += number_of(b->cost, parts.at[i]);
    return sum < MOST ? sum : MOST;
}

// ---- which terms are nodes ----

bool nest_is_view(const Expr *e)
{
    return e->kind == EXPR_REPLICATE || e->kind == EXPR_TRANSPOSE;
}

// A row of an array that is not stored by strips: its elements do not lie together.
static bool is_scattered_row(Block *b, const Expr *e)
{
    Nest *n = b->n;
    if (n->strip == NULL || e->kind != EXPR_SUBSCRIPT || term_rank(e) == 0 ||
        e->subscript.value->kind != EXPR_NAME)
        return false;
    ExprList place = e->subscript.slice->tuple.elts;
    return place.at[place.len - 1] == n->strip && !in_strip(n, e->subscript.value);
}

// A column that is gone through once, and of which the rounds of a strip read what lies side by
// side. In a product of matrices it is read again for each row, and pays for a copy.
static bool is_along_strip(Block *b, const Expr *e)
{
    Nest *n = b->n;
    TyList sizes = term_shape(e->gather.array);
    Opened o = term_open(n->t, e);
    ExprList place = o.bodies;
    ExprList variables = n->variables;
    TyList extents = n->extents;
    if (term_rank(e) < b->widest || place.len != sizes.len ||
        place.at[place.len - 1] != n->strip)
        return false;
    n->variables = term_join(n->t, variables, o.indices);
    n->extents = shape_join(n->t, extents, term_shape(e));
    bool inside = nest_range_test(n, place, sizes) == NULL;
    n->variables = variables;
    n->extents = extents;
    return inside;
}

// What is read through an index in each round of a strip: then what computes with it has no tests.
static bool is_looked_up(Block *b, const Expr *e)
{
    Nest *n = b->n;
    bool row = e->kind == EXPR_SUBSCRIPT && term_rank(e) > 0;
    if (n->strip == NULL || (e->kind != EXPR_GATHER && !row))
        return false;
    const Expr *x = row ? e->subscript.value : e->gather.array;
    ExprList place = row ? e->subscript.slice->tuple.elts : e->gather.place;
    if (x->kind != EXPR_NAME || in_strip(n, x) || (!row && is_along_strip(b, e)))
        return false;
    bool moves = false;
    for (size_t i = 0; i < place.len; i++)
        moves = moves || in_strip(n, place.at[i]);
    return moves && nest_range_test(n, place, term_shape(x)) != NULL;
}

static const Item *given_for(Block *b, const Expr *e);

// Another name for what is stored anyway.
static bool is_shown(const Expr *e)
{
    return e->kind == EXPR_RESHAPE || e->kind == EXPR_LOOP || e->kind == EXPR_ARG_SORT;
}

// What is put somewhere anyway is read there if it costs more than that.
static bool is_node(Block *b, const Expr *e)
{
    enum { DEAR = 8, LOADED = 3 };
    Poly p;
    if (table_get(b->marked, e) != NULL || e->kind == EXPR_REDUCE ||
        (e->kind == EXPR_SCATTER && e->scatter.indices.len > 0) ||
        e->kind == EXPR_STACK || is_shown(e) ||
        is_scattered_row(b, e) || is_looked_up(b, e))
        return true;
    if (term_is_atom(e) || nest_is_view(e) || term_is_iota(e) ||
        (term_elem(e) == ELEM_INT && term_rank(e) == 0 && term_poly(b->n->t, e, &p)))
        return false;
    bool shared = number_of(b->uses, e) > 1 && (term_rank(e) > 0 || b->n->strip != NULL);
    return shared && number_of(b->cost, e) >= (given_for(b, e) != NULL ? LOADED : DEAR);
}

// The place of a scatter is computed where its index is known: not yet.
static bool is_for_later(Block *b, const Expr *e)
{
    for (size_t i = 0; i < b->items.len; i++)
        for (size_t k = 0; k < b->items.at[i].indices.len; k++)
            if (term_has(b->n->t, e, b->items.at[i].indices.at[k]))
                return true;
    return false;
}

// What a gather or a reshape reads is stored if it costs something; of a gather of a gather, what
// the inner one reads.
static void mark_read(Block *b, const Expr *e)
{
    bool gathers = e->kind == EXPR_GATHER && e->gather.array->kind != EXPR_NAME &&
                   e->gather.array->kind != EXPR_GATHER;
    if (gathers && number_of(b->cost, e->gather.array) >= 8)
        table_set(b->marked, e->gather.array, b);
    if (e->kind == EXPR_RESHAPE && e->reshape.array->kind != EXPR_NAME)
        table_set(b->marked, e->reshape.array, b);
}

void nest_mark(Block *b, ExprList order)
{
    b->widest = 0;
    b->reshaped = table_new(b->n->arena);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->kind == EXPR_RESHAPE)
            table_set(b->reshaped, order.at[i]->reshape.array, b);
    for (size_t i = 0; i < order.len; i++)
        if (!term_is_atom(order.at[i]) && term_rank(order.at[i]) > b->widest)
            b->widest = term_rank(order.at[i]);
    for (size_t i = 0; i < order.len; i++) {
        const Expr *e = order.at[i];
        bool later = is_for_later(b, e);
        if (!later)
            mark_read(b, e);
        table_set(b->cost, e, (void *)cost_of(b, e));
        if (!later && is_node(b, e))
            table_set(b->marked, e, b);
    }
}

// ---- terms over the names of nodes ----

// It waits for what is not known yet: a state, an index of a binder.
static bool is_inside(const Nest *n, const Expr *e)
{
    const TermInfo *info = table_get(n->t->info, e);
    for (size_t i = 0; info != NULL && i < info->free.len; i++) {
        Sym name = info->free.at[i];
        size_t k = 0;
        while (k < n->variables.len && n->variables.at[k]->name.id != name)
            k++;
        if (k == n->variables.len && name[1] == 'v' && table_get(n->places, name) == NULL &&
            table_get(n->values, name) == NULL)
            return true;
    }
    return false;
}

// An element of what a round computes as a whole is read there, as others may read it, too.
static const Expr *cut_step(TermPass *p, const Expr *original, const Expr *e)
{
    Block *b = p->cx;
    Node *node = table_get(b->nodes_of, original);
    if (node != NULL && node->name != NULL && table_get(b->skip, original) == NULL)
        return node->name;
    const Expr *x = e->kind == EXPR_SUBSCRIPT ? e->subscript.value : NULL;
    if (x != NULL && x->kind != EXPR_NAME && !is_inside(b->n, x)) {
        ExprList place = e->subscript.slice->tuple.elts;
        for (size_t i = 0; i < place.len; i++)
            x = pull_at(b->n, x, place.at[i]);
        e = x;
    }
    if (e->kind == EXPR_GATHER)
        e = nest_gathered(b->n, e);
    if (table_get(b->origin, e) == NULL)
        table_set(b->origin, e, (void *)original);
    return e;
}

void nest_begin_cut(Block *b)
{
    b->cut = (TermPass){.terms = b->n->t, .step_from = cut_step, .cx = b};
    b->origin = table_new(b->n->arena);
}

static const Expr *cut(Block *b, const Expr *e) { return term_rewrite(&b->cut, e); }

static ExprList cut_all(Block *b, ExprList list)
{
    const Expr **at = ARENA_ARRAY(b->n->arena, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = cut(b, list.at[i]);
    return (ExprList){at, list.len};
}

// A term over the names of the nodes below it, but not under its own.
const Expr *nest_content(Block *b, const Expr *e)
{
    Node *own = table_get(b->nodes_of, e);
    if (own == NULL)
        return cut(b, e);
    bool skipped = table_get(b->skip, e) != NULL;
    table_set(b->skip, e, b);
    const Expr *of = cut(b, e);
    table_set(b->skip, e, skipped ? b : NULL);
    if (!skipped && own->name != NULL)
        table_set(b->cut.done, e, (void *)own->name);
    return of;
}

static Mode mode_of(Reduction op)
{
    static const Mode modes[REDUCTION_COUNT] = {
        [REDUCTION_SUM] = MODE_SUM, [REDUCTION_MAX] = MODE_MAX, [REDUCTION_MIN] = MODE_MIN,
        [REDUCTION_ARG_MAX] = MODE_ARG_MAX, [REDUCTION_ARG_MIN] = MODE_ARG_MIN};
    return modes[op];
}

// How a term of its own is computed.
static Item item_of(Block *b, const Expr *e)
{
    Terms *t = b->n->t;
    Item item = {.term = e, .mode = MODE_SUM, .fresh = true};
    if (e->kind == EXPR_REDUCE) {
        item.term = e->reduce.array;
        item.mode = mode_of(e->reduce.op);
        item.reduced = 1;
        if (item.mode == MODE_ARG_MAX || item.mode == MODE_ARG_MIN)
            item.indices = item.at = term_list(t, term_variable(t), NULL);
    } else if (e->kind == EXPR_SCATTER) {
        Opened o = term_open(t, e);
        item.term = e->scatter.array;
        item.reduced = o.indices.len;
        item.indices = o.indices;
        item.at = o.bodies;
    }
    return item;
}

static bool is_sum(const Expr *e)
{
    return e->kind == EXPR_REDUCE && e->reduce.op == REDUCTION_SUM;
}

// The sum of a sum is one, of no more dimensions than this.
static void join_sums(Item *item, size_t most)
{
    bool sums = item->mode == MODE_SUM && item->indices.len == 0 &&
                (item->reduced > 0 || !item->fresh);
    for (; sums && item->reduced < most && is_sum(item->term); item->reduced++)
        item->term = item->term->reduce.array;
}

Item nest_cut_item(Block *b, Node *node, size_t most)
{
    Item item = node->asked;
    if (node->term == NULL) {
        item.term = cut(b, item.term);
        item.at = cut_all(b, item.at);
    } else {
        item = item_of(b, nest_content(b, node->term));
        item.to = node->item.to;
        item.best = node->item.best;
    }
    join_sums(&item, most);
    return item;
}

// ---- nodes ----

Slot nest_whole(Nest *n, const Store *s)
{
    const Expr **at = ARENA_ARRAY(n->arena, const Expr *, s->shape.len + 1);
    return (Slot){s, {at, s->shape.len}};
}

const Expr *nest_named(Nest *n, Sym name, Slot slot, const Ty *ty)
{
    Slot *p = ARENA_NEW(n->arena, Slot);
    *p = slot;
    table_set(n->places, name, p);
    return term_name(n->t, name, ty);
}

static const Expr *name_for(Block *b, const Expr *e)
{
    Nest *n = b->n;
    Sym name = names_format(n->t->names, in_strip(n, e) ? "%%s%u" : ".%u", ++n->loops);
    return term_name(n->t, name, e->ty);
}

static Node *add_node(Block *b, const Expr *term)
{
    Node *node = ARENA_NEW(b->n->arena, Node);
    *node = (Node){.term = term};
    if (term != NULL) {
        node->zeros = b->n->variables.len == 0 && nest_has_zeros(b->n, term);
        node->name = name_for(b, term);
        table_set(b->nodes_of, term, node);
        table_set(b->nodes_of, node->name, node);
    }
    vec_push(b->n->arena, &b->nodes, node);
    return node;
}

void nest_place(Block *b, Node *node, Slot to)
{
    Slot *p = ARENA_NEW(b->n->arena, Slot);
    *p = node->item.to = to;
    node->placed = true;
    if (node->name != NULL)
        table_set(b->n->places, node->name->name.id, p);
}

static const char *wanted_name(Block *b, const Expr *e)
{
    Sym hint = term_hinted(b->n->t, e);
    return hint != NULL ? hint : "x";
}

void nest_store_node(Block *b, Node *node)
{
    Nest *n = b->n;
    TyList shape = term_shape(node->term);
    bool strip = in_strip(n, node->term);
    if (node->placed)
        return;
    const char *wanted = wanted_name(b, node->term);
    Store *s = nest_store(n, wanted, term_elem(node->term), shape, strip);
    s->zeros = node->zeros;
    if (is_sum(node->term) && s->elem == ELEM_FLOAT)
        s->bounds = nest_bounds_of(b, node->term);
    nest_place(b, node, nest_whole(n, s));
}

// The node of another reduction of the same array, in the same loop over what is combined.
static Node *beside(Block *b, const Node *node, Reduction op)
{
    const Expr *array = node->term->reduce.array;
    Node *other = table_get(b->nodes_of, term_reduce(b->n->t, op, array));
    bool together = other != NULL && !other->waits && other->size == node->size &&
                    other->stage == node->stage && other->dimension == node->dimension &&
                    node->dimension < node->item.reduced;
    return together ? other : NULL;
}

static bool is_reduction(const Node *node, Reduction op)
{
    return node->term != NULL && node->term->kind == EXPR_REDUCE && node->term->reduce.op == op;
}

Node *nest_with_place(Block *b, const Node *node)
{
    return is_reduction(node, REDUCTION_MAX)   ? beside(b, node, REDUCTION_ARG_MAX)
           : is_reduction(node, REDUCTION_MIN) ? beside(b, node, REDUCTION_ARG_MIN)
                                               : NULL;
}

bool nest_need_best(Block *b, Node *node)
{
    Mode mode = node->item.mode;
    if (mode != MODE_ARG_MAX && mode != MODE_ARG_MIN)
        return false;
    Node *best = is_reduction(node, REDUCTION_ARG_MAX)   ? beside(b, node, REDUCTION_MAX)
                 : is_reduction(node, REDUCTION_ARG_MIN) ? beside(b, node, REDUCTION_MIN)
                                                         : NULL;
    if (best != NULL) {
        nest_store_node(b, best);
        node->item.best = best->item.to;
        return false;
    }
    if (node->item.best.store == NULL && node->term != NULL)
        node->item.best = nest_whole(b->n, nest_store(b->n, "best", term_elem(node->item.term),
                                                 term_shape(node->term),
                                                 nest_moves(b->n, node->item.to)));
    return true;
}

Slot nest_part(Nest *n, Slot p, const Expr *index, size_t free)
{
    const Expr **at = ARENA_ARRAY(n->arena, const Expr *, p.index.len + 1);
    for (size_t i = 0; i < p.index.len; i++) {
        at[i] = p.index.at[i];
        if (at[i] == NULL && free-- == 0)
            at[i] = index;
    }
    return (Slot){p.store, {at, p.index.len}};
}

// What the rounds of a strip put there lies side by side.
static bool lies_together(Block *b, Slot to)
{
    const Expr *last = to.index.len > 0 ? to.index.at[to.index.len - 1] : NULL;
    for (size_t i = 0; i < to.index.len; i++)
        if (b->n->strip != NULL && to.index.at[i] == b->n->strip)
            return last == b->n->strip;
    return true;
}

// Its elements lie in memory one after the other.
static bool is_row(Slot to)
{
    size_t i = 0;
    while (i < to.index.len && to.index.at[i] != NULL)
        i++;
    while (i < to.index.len && to.index.at[i] == NULL)
        i++;
    return i == to.index.len;
}

// Whether others can read the value where it is put. Not what is the same in all rounds of a strip
// and put to a place of each: it is read outside of the rounds, too.
static bool is_read_there(Block *b, const Item *item)
{
    return item->fresh && item->reduced == 0 && item->mode == MODE_SUM &&
           !item->to.store->optional && lies_together(b, item->to) &&
           (is_row(item->to) || table_get(b->reshaped, item->term) == NULL) &&
           (in_strip(b->n, item->term) || !nest_moves(b->n, item->to));
}

static void add_item(Block *b, const Item *item)
{
    bool own = is_read_there(b, item);
    bool known = table_get(b->nodes_of, item->term) != NULL;
    bool marked = table_get(b->marked, item->term) != NULL && !is_shown(item->term);
    Node *node = add_node(b, own && marked && !known ? item->term : NULL);
    node->asked = node->item = *item;
    node->given = true;
    if (node->term != NULL)
        nest_place(b, node, item->to);
}

// The parts of a stack are put into it one by one.
static void add_stack(Block *b, Node *node)
{
    Nest *n = b->n;
    ExprList parts = node->term->stack.parts;
    nest_store_node(b, node);
    b->nodes.len--;
    node->parts = ARENA_ARRAY(n->arena, Node *, parts.len + 1);
    node->parts_len = parts.len;
    for (size_t i = 0; i < parts.len; i++) {
        Node *of = node->parts[i] = add_node(b, NULL);
        of->asked = (Item){.term = parts.at[i], .mode = MODE_SUM, .fresh = true,
                           .to = nest_part(n, node->item.to, term_int(n->t, (int64_t)i), 0)};
        of->item = of->asked;
        of->given = true;
    }
    vec_push(n->arena, &b->nodes, node);
}

// What asks for nothing but this result of a loop: the rounds put it there at once.
static const Item *asked_of_loop(Block *b, const Expr *result)
{
    for (size_t i = 0; i < b->items.len && b->n->strip == NULL; i++) {
        const Item *item = &b->items.at[i];
        if (item->term == result && item->fresh && item->reduced == 0 && item->at.len == 0 &&
            item->mode == MODE_SUM && is_row(item->to))
            return item;
    }
    return NULL;
}

// In front of the node that waits for it.
static Node *add_maker(Block *b, Node *node, size_t results)
{
    b->nodes.len--;
    Node *of = add_node(b, NULL);
    vec_push(b->n->arena, &b->nodes, node);
    of->loop = node->term;
    of->kept = ARENA_ARRAY(b->n->arena, Slot, results + 1);
    return of;
}

static void wait_for(Block *b, Node *node, Node *of)
{
    node->parts = ARENA_NEW(b->n->arena, Node *);
    node->parts[0] = of;
    node->parts_len = 1;
}

// The rounds are one node, and each of their results is one that waits for it.
static void add_loop(Block *b, Node *node, Table *done)
{
    Nest *n = b->n;
    const Expr *first = term_loop_result(n->t, node->term, 0);
    Node *of = table_get(b->loops, first);
    if (of == NULL) {
        of = add_maker(b, node, node->term->loop.bodies.len);
        table_set(b->loops, first, of);
    }
    wait_for(b, node, of);
    const Item *asked = asked_of_loop(b, node->term);
    if (asked == NULL)
        return;
    of->kept[node->term->loop.which] = asked->to;
    table_set(done, asked, b);
}

static const Item *given_for(Block *b, const Expr *e)
{
    for (size_t i = 0; i < b->items.len; i++) {
        const Item *item = &b->items.at[i];
        if (item->term == e && !is_shown(e) && is_read_there(b, item))
            return item;
    }
    return NULL;
}

// Whether it is a part of another sum, and of nothing else.
static bool is_inside_sum(Block *b, const Expr *e, const Table *summed)
{
    return is_sum(e) && number_of(b->uses, e) == 1 && table_get(summed, e) != NULL;
}

static Table *summed_terms(Block *b, ExprList order)
{
    Table *summed = table_new(b->n->arena);
    for (size_t i = 0; i < order.len; i++)
        if (is_sum(order.at[i]))
            table_set(summed, order.at[i]->reduce.array, b);
    for (size_t i = 0; i < b->items.len; i++) {
        const Item *item = &b->items.at[i];
        if (item->mode == MODE_SUM && item->indices.len == 0 &&
            (item->reduced > 0 || !item->fresh))
            table_set(summed, item->term, b);
    }
    return summed;
}

void nest_collect(Block *b, ExprList order)
{
    Table *done = table_new(b->n->arena), *summed = summed_terms(b, order);
    b->nodes.len = 0;
    b->nodes_of = table_new(b->n->arena);
    b->skip = table_new(b->n->arena);
    b->loops = table_new(b->n->arena);
    for (size_t i = 0; i < order.len; i++) {
        const Expr *e = order.at[i];
        if (table_get(b->marked, e) == NULL || is_inside_sum(b, e, summed))
            continue;
        const Item *given = given_for(b, e);
        if (given != NULL) {
            table_set(done, given, b);
            add_item(b, given);
        } else {
            add_node(b, e);
        }
        Node *node = table_get(b->nodes_of, e);
        if (e->kind == EXPR_STACK)
            add_stack(b, node);
        if (e->kind == EXPR_LOOP)
            add_loop(b, node, done);
        if (e->kind == EXPR_ARG_SORT)
            wait_for(b, node, add_maker(b, node, 1));
        node->waits = e->kind == EXPR_STACK || is_shown(e);
    }
    for (size_t i = 0; i < b->items.len; i++)
        if (table_get(done, &b->items.at[i]) == NULL)
            add_item(b, &b->items.at[i]);
}
