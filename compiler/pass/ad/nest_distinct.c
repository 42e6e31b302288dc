// nest_distinct.c - rows that are looked up. Where row i of a result has an index `x[i]`, what it
// has of i through that index alone is the same for all rows of one index: it is computed once for
// each index that there is, and read by the rows. There are never more of these than rows.
//
//     f(x[i]) for i in range(c)   =   g[row[i]], g = f(used[r]) for r in range(count)
//
// A result that is such rows and nothing else is its own `g`: they are computed where the first
// row of each index is, and copied to the others.
//
//     to[first[r]] = f(used[r]) for r in range(count)
//     to[again[q]] = to[first[row[again[q]]]] for q in range(others)
//
// Which indices there are is known only when the function runs: `count` and `others` are sizes
// that no caller gives.

#include "compiler/pass/ad/nest_internal.h"

typedef struct Distinct {
    Nest *n;
    const Expr *x, *i, *at;     // x[i] has the name `at`
    const Ty *rows, *most;      // the size of x; of what it is an index of
    const Store *seen_at, *used, *row, *first, *again;      // of the program that is made
    const Store *count, *others, *reach, *index;
    Items *items;
    Exprs  terms;               // of each item: a row, over `i` and `at`, or the term
    Exprs  moved;               // terms of `at` that are computed first
    Items  before;              // these, and others
    Table *seen;
    Table *reads;               // term -> what stands for it
    Table *shared;              // terms of none of these variables that `moved` have
} Distinct;

// ---- what is worth it ----

enum { UNKNOWN = 64, MARKING = 64, READING = 4 };   // operations, about

static int64_t elements(Terms *t, const Expr *e)
{
    int64_t all = 1, size;
    TyList shape = term_shape(e);
    for (size_t i = 0; i < shape.len && all < INT32_MAX; i++)
        all *= poly_is_number(size_poly(t, shape.at[i]), &size) && size < INT32_MAX ? size
                                                                                    : UNKNOWN;
    return all < INT32_MAX ? all : INT32_MAX;
}

// How many numbers are summed in it for each index.
static int64_t work_of(Distinct *d, const Expr *e)
{
    Terms *t = d->n->t;
    ExprList order = term_order(t, term_list(t, e, NULL));
    int64_t work = 0;
    for (size_t i = 0; i < order.len && work < INT32_MAX; i++)
        if (order.at[i]->kind == EXPR_REDUCE && term_has(t, order.at[i], d->at))
            work += elements(t, order.at[i]->reduce.array);
    return work;
}

// It has no variable but `at`.
static bool is_of_index(Distinct *d, const Expr *e)
{
    Terms *t = d->n->t;
    const Expr *zero = term_int(t, 0);
    return term_has(t, e, d->at) &&
           term_is_closed(t, term_with(t, e, (ExprList){&d->at, 1}, (ExprList){&zero, 1}));
}

static bool is_new(Distinct *d, const Expr *e)
{
    bool new = table_get(d->seen, e) == NULL;
    table_set(d->seen, e, d);
    return new;
}

// ---- the index ----

static bool is_looked_up_at(const Expr *e, const Expr *i)
{
    return e->kind == EXPR_SUBSCRIPT && e->subscript.value->kind == EXPR_NAME &&
           term_elem(e) == ELEM_INT && term_rank(e) == 0 &&
           e->subscript.slice->tuple.elts.len == 1 && e->subscript.slice->tuple.elts.at[0] == i;
}

// The arrays that a row looks its indices up in. (A state of rounds is none.)
static void find_arrays(Distinct *d, const Expr *e, Exprs *found)
{
    if (!term_has(d->n->t, e, d->i) || !is_new(d, e))
        return;
    if (is_looked_up_at(e, d->i) && is_new(d, e->subscript.value) &&
        table_get(d->n->places, e->subscript.value->name.id) != NULL)
        vec_push(d->n->arena, found, e->subscript.value);
    ExprList inner = term_inner(d->n->t, e);
    for (size_t i = 0; i < inner.len; i++)
        find_arrays(d, inner.at[i], found);
}

static const Expr *name_index(TermPass *pass, const Expr *e)
{
    Distinct *d = pass->cx;
    return is_looked_up_at(e, d->i) && e->subscript.value == d->x ? d->at : e;
}

static bool has_rows(const Distinct *d, const Item *item)
{
    return item->mode != MODE_CHECK && item->term->kind == EXPR_BUILD &&
           term_shape(item->term).at[0] == d->rows;
}

static const Expr *row_of(Distinct *d, const Expr *root)
{
    Opened o = term_open(d->n->t, root);
    const Expr *row = term_with(d->n->t, o.bodies.at[0], o.indices, (ExprList){&d->i, 1});
    TermPass pass = {.terms = d->n->t, .step = name_index, .cx = d};
    return term_rewrite(&pass, row);
}

// The size of a dimension that `at` is an index of.
static void find_most(Distinct *d, const Expr *e)
{
    const Expr *array = e->kind == EXPR_SUBSCRIPT ? e->subscript.value
                        : e->kind == EXPR_GATHER  ? e->gather.array : NULL;
    if (d->most != NULL || !term_has(d->n->t, e, d->at) || !is_new(d, e))
        return;
    ExprList place = array == NULL                ? (ExprList){NULL, 0}
                     : e->kind == EXPR_SUBSCRIPT ? e->subscript.slice->tuple.elts
                                                 : e->gather.place;
    for (size_t i = 0; i < place.len; i++)
        if (place.at[i] == d->at)
            d->most = term_shape(array).at[i];
    ExprList inner = term_inner(d->n->t, e);
    for (size_t i = 0; i < inner.len; i++)
        find_most(d, inner.at[i]);
}

// ---- what is moved ----

// The largest terms of `at` alone whose sums cost more than to mark an index and to read them.
static void find_moved(Distinct *d, const Expr *e)
{
    Terms *t = d->n->t;
    if (!term_has(t, e, d->at) || !is_new(d, e))
        return;
    if (is_of_index(d, e)) {
        int64_t work = work_of(d, e);
        bool dear = work >= MARKING + READING * elements(t, e);
        if (dear && term_elem(e) == ELEM_FLOAT)
            vec_push(d->n->arena, &d->moved, e);
        if (work < MARKING || (dear && term_elem(e) == ELEM_FLOAT))
            return;
    }
    ExprList inner = term_inner(t, e);
    for (size_t i = 0; i < inner.len; i++)
        find_moved(d, inner.at[i]);
}

static const Expr *row_at(Distinct *d, const Expr *array, const Expr *number)
{
    return term_index(d->n->t, array, term_list(d->n->t, number, NULL));
}

static const Expr *at_number(Distinct *d, const Store *array, const Expr *number)
{
    Terms *t = d->n->t;
    return row_at(d, term_name(t, array->name, term_ty(t, array->elem, array->shape)), number);
}

static const Ty *size_of(Distinct *d, const Store *number)
{
    return size_name(d->n->t, number->name);
}

static void compute(Distinct *d, const Expr *term, Slot to)
{
    vec_push(d->n->arena, &d->before, ((Item){.term = term, .mode = MODE_SUM, .fresh = true,
                                              .to = to}));
}

// The rows of an array that `through` says.
static Slot rows_at(Distinct *d, const Store *of, const Store *through)
{
    Nest *n = d->n;
    Store *view = ARENA_NEW(n->arena, Store);
    *view = *of;
    view->shape = shape_join(n->t, through->shape, shape_drop(of->shape, 1));
    view->through = through;
    return nest_whole(n, view);
}

static const Expr *named(Nest *n, const Store *s)
{
    return nest_named(n, s->name, nest_whole(n, s), term_ty(n->t, s->elem, s->shape));
}

// An array that is computed first, under the name of its store.
static const Expr *computed_first(Distinct *d, const Expr *term)
{
    Store *s = nest_store(d->n, "each", term_elem(term), term_shape(term), false);
    compute(d, term, nest_whole(d->n, s));
    return named(d->n, s);
}

// The first result that is made of these rows; not where the rows of a strip would lie side by
// side. NULL: there is none.
static Item *result_of(Distinct *d, const Expr *e)
{
    for (size_t i = 0; i < d->items->len && term_rank(e) > 0; i++) {
        Item *item = &d->items->at[i];
        if (has_rows(d, item) && d->terms.at[i] == e && !item->to.store->optional)
            return item;
    }
    return NULL;
}

// A row as one dimension: it lies together, and is copied in one loop.
static const Store *with_flat_rows(Nest *n, const Store *of)
{
    Store *flat = ARENA_NEW(n->arena, Store);
    const Ty *all = size_number(n->t, 1);
    for (size_t i = 1; i < of->shape.len; i++)
        all = size_mul(n->t, all, of->shape.at[i]);
    *flat = *of;
    flat->shape = shape_cons(n->t, of->shape.at[0], shape_cons(n->t, all, (TyList){NULL, 0}));
    return flat;
}

// `row` is the first row of the index that row `i` has.
static void copy_rows(Distinct *d, Item *result, const Expr *row)
{
    Terms *t = d->n->t;
    const Store *flat = with_flat_rows(d->n, result->to.store);
    const Expr *v = term_variable(t), *again = at_number(d, d->again, v);
    const Expr *same = term_with(t, row, (ExprList){&d->i, 1}, (ExprList){&again, 1});
    const Expr *rows = nest_named(d->n, nest_name(d->n, "rows"), nest_whole(d->n, flat),
                                  term_ty(t, flat->elem, flat->shape));
    result->term = term_build(t, v, size_of(d, d->others), row_at(d, rows, same));
    result->to = rows_at(d, flat, d->again);
}

// Of a term of `at`: it is computed for each index, and read by the rows.
static void move(Distinct *d, const Expr *e)
{
    Terms *t = d->n->t;
    const Expr *v = term_variable(t), *used = at_number(d, d->used, v);
    const Expr *of = term_with(t, e, (ExprList){&d->at, 1}, (ExprList){&used, 1});
    const Expr *each = term_build(t, v, size_of(d, d->count), of);
    const Expr *row = at_number(d, d->row, d->i);
    Item *result = result_of(d, e);
    if (result == NULL) {
        each = computed_first(d, each);
    } else {
        const Store *to = result->to.store;
        compute(d, each, rows_at(d, to, d->first));
        each = named(d->n, to);
        row = at_number(d, d->first, row);
        copy_rows(d, result, row);
    }
    table_set(d->reads, e, (void *)row_at(d, each, row));
}

static void note_shared(Distinct *d, const Expr *e)
{
    Terms *t = d->n->t;
    ExprList order = term_order(t, term_list(t, e, NULL));
    for (size_t i = 0; i < order.len; i++)
        if ((order.at[i]->kind == EXPR_REDUCE || order.at[i]->kind == EXPR_LOOP ||
             order.at[i]->kind == EXPR_ARG_SORT) &&
            term_is_closed(t, order.at[i]))
            table_set(d->shared, order.at[i], d);
}

// The largest terms that roots share with what is moved, and that are the same for all rows.
static void move_shared(Distinct *d, const Expr *e)
{
    if (!is_new(d, e) || table_get(d->reads, e) != NULL)
        return;
    if (table_get(d->shared, e) != NULL) {
        table_set(d->reads, e, (void *)computed_first(d, e));
        return;
    }
    ExprList inner = term_inner(d->n->t, e);
    for (size_t i = 0; i < inner.len; i++)
        move_shared(d, inner.at[i]);
}

static const Expr *read_moved(TermPass *pass, const Expr *original, const Expr *e)
{
    Distinct *d = pass->cx;
    const Expr *read = table_get(d->reads, original);
    return read != NULL ? read : e;
}

// ---- which indices there are ----

static const Expr *local(Nest *n, const Store *s, bool store)
{
    return nest_var(n, s->name, ELEM_INT, store);
}

static const Expr *element_at(Nest *n, const Store *of, const Expr *at, bool store)
{
    const Expr **place = ARENA_NEW(n->arena, const Expr *);
    *place = term_variable(n->t);
    table_set(n->values, place[0]->name.id, (void *)at);
    return nest_element(n, (Slot){of, {place, 1}}, store);
}

// At a number that has a name.
static const Expr *element(Nest *n, const Store *of, Sym at, bool store)
{
    return element_at(n, of, nest_var(n, at, ELEM_INT, false), store);
}

static void put(Nest *n, const Store *of, const Store *at, const Expr *value)
{
    nest_assign(n, element(n, of, at->name, true), value);
}

// The index of a row has a place in `seen_at`.
static const Expr *is_near(Distinct *d)
{
    Nest *n = d->n;
    const Expr *at = local(n, d->index, false);
    return nest_binary(n, nest_compare(n, nest_int(n, 0), CMPOP_LT_E, at), OPERATOR_BIT_AND,
                       nest_compare(n, at, CMPOP_LT, local(n, d->reach, false)));
}

static void read_index(Distinct *d, const Expr *row)
{
    const Slot *x = table_get(d->n->places, d->x->name.id);
    nest_assign(d->n, local(d->n, d->index, true), element_at(d->n, x->store, row, false));
}

// `seen_at` has the first row of each index: from the last row on, each is put there unasked.
static void mark_first(Distinct *d, Sym i, const Expr *size)
{
    Nest *n = d->n;
    Stmts near = {0}, *outer = n->out;
    const Expr *last = nest_binary(n, size, OPERATOR_SUB, nest_int(n, 1));
    const Expr *row = nest_binary(n, last, OPERATOR_SUB, nest_var(n, i, ELEM_INT, false));
    read_index(d, row);
    n->out = &near;
    put(n, d->seen_at, d->index, row);
    n->out = outer;
    nest_if(n, is_near(d), near);
}

// Its number is the next one.
static void count_index(Distinct *d, const Expr *index, const Expr *first)
{
    Nest *n = d->n;
    put(n, d->used, d->count, index);
    put(n, d->first, d->count, first);
}

static void count_one(Nest *n, const Store *number)
{
    nest_assign(n, local(n, number, true),
                nest_binary(n, local(n, number, false), OPERATOR_ADD, nest_int(n, 1)));
}

// `seen_at` has the number of each index that there is: these increase with it, so that what is
// read at one lies near what is read at the next.
static void number_index(Distinct *d, Sym p)
{
    Nest *n = d->n;
    Stmts seen = {0}, *outer = n->out;
    const Expr *first = element(n, d->seen_at, p, false);
    n->out = &seen;
    count_index(d, nest_var(n, p, ELEM_INT, false), first);
    nest_assign(n, element(n, d->seen_at, p, true), local(n, d->count, false));
    count_one(n, d->count);
    n->out = outer;
    nest_if(n, nest_compare(n, first, CMPOP_GT_E, nest_int(n, 0)), seen);
}

static void number_row(Distinct *d, Sym i)
{
    Nest *n = d->n;
    Stmts near = {0}, new = {0}, again = {0}, *outer = n->out;
    const Expr *here = nest_var(n, i, ELEM_INT, false), *row = element(n, d->row, i, false);
    read_index(d, here);
    nest_assign(n, element(n, d->row, i, true), local(n, d->count, false));
    n->out = &near;
    nest_assign(n, element(n, d->row, i, true), element(n, d->seen_at, d->index->name, false));
    n->out = &new;
    count_index(d, local(n, d->index, false), here);
    count_one(n, d->count);
    n->out = &again;
    count_one(n, d->others);
    n->out = outer;
    nest_if(n, is_near(d), near);
    nest_if(n, nest_compare(n, row, CMPOP_EQ, local(n, d->count, false)), new);
    put(n, d->again, d->others, here);
    const Expr *first = element_at(n, d->first, row, false);
    nest_if(n, nest_compare(n, first, CMPOP_NOT_EQ, here), again);
}

static void loop_over(Nest *n, Sym counter, const Expr *end, Stmts body)
{
    nest_loop(n, counter, nest_int(n, 0), end, 1, body);
}

// Where there are few rows for the indices that there may be, hardly two have the same one: none
// is looked for, as for an index out of range.
static void mark_rows(Distinct *d)
{
    Nest *n = d->n;
    Stmts near = {0}, clear = {0}, mark = {0}, indices = {0}, rows = {0}, *outer = n->out;
    Sym p = nest_name(n, "p"), i = nest_name(n, "i");
    const Expr *size = nest_size(n, d->rows), *most = nest_size(n, d->most), *zero = nest_int(n, 0);
    nest_assign(n, local(n, d->reach, true), zero);
    nest_assign(n, local(n, d->count, true), zero);
    nest_assign(n, local(n, d->others, true), zero);
    n->out = &near;
    nest_assign(n, local(n, d->reach, true), most);
    n->out = &clear;
    nest_assign(n, element(n, d->seen_at, p, true), nest_int(n, -1));
    n->out = &mark;
    mark_first(d, i, size);
    n->out = &indices;
    number_index(d, p);
    n->out = &rows;
    number_row(d, i);
    n->out = outer;
    nest_if(n, nest_compare(n, nest_binary(n, most, OPERATOR_SUB, size), CMPOP_LT_E, size), near);
    loop_over(n, p, local(n, d->reach, false), clear);
    loop_over(n, i, size, mark);
    loop_over(n, p, local(n, d->reach, false), indices);
    loop_over(n, i, size, rows);
}

static const Store *number(Distinct *d, const char *name)
{
    const Store *s = nest_store(d->n, name, ELEM_INT, (TyList){NULL, 0}, false);
    table_set(d->n->size_names, s->name, d);
    table_set(d->n->sizes, size_of(d, s), d);       // no caller gives it
    return s;
}

// The first `len` elements of an array of numbers below `below`.
static const Store *numbers(Distinct *d, const char *name, const Ty *len, const Ty *below)
{
    Nest *n = d->n;
    Store *s = nest_store(n, name, ELEM_INT, shape_cons(n->t, d->rows, (TyList){NULL, 0}), false);
    s->shape = shape_cons(n->t, len, (TyList){NULL, 0});
    (void)named(n, s);
    table_set(n->below, s->name, (void *)below);
    return s;
}

// In front of the stores, of which some have `count` for a size.
static void find_indices(Distinct *d)
{
    Nest *n = d->n;
    Stmts *outer = n->out;
    d->count = number(d, "count");
    d->others = number(d, "others");
    d->reach = number(d, "reach");
    d->index = number(d, "at");
    d->seen_at = nest_store(n, "seen", ELEM_INT, shape_cons(n->t, d->most, (TyList){NULL, 0}),
                            false);
    d->used = numbers(d, "used", size_of(d, d->count), NULL);
    d->row = numbers(d, "row", d->rows, size_of(d, d->count));
    d->first = numbers(d, "first", size_of(d, d->count), d->rows);
    d->again = numbers(d, "again", size_of(d, d->others), d->rows);
    n->out = &n->stores;
    mark_rows(d);
    n->out = outer;
    n->strips->several = true;
}

// ---- all of it ----

static bool find_in(Distinct *d)
{
    d->seen = table_new(d->n->arena);
    for (size_t i = 0; i < d->items->len; i++) {
        const Item *item = &d->items->at[i];
        vec_push(d->n->arena, &d->terms, has_rows(d, item) ? row_of(d, item->term) : item->term);
        find_moved(d, d->terms.at[i]);
    }
    d->seen = table_new(d->n->arena);
    for (size_t i = 0; i < d->moved.len; i++)
        find_most(d, d->moved.at[i]);
    return d->moved.len > 0 && d->most != NULL;
}

// What an item has left to do, of which something is computed before.
static const Expr *left_of(Distinct *d, TermPass *pass, const Item *item, const Expr *term)
{
    Terms *t = d->n->t;
    const Expr *x = term_index(t, d->x, term_list(t, d->i, NULL));
    const Expr *left = term_rewrite(pass, term);
    if (!has_rows(d, item))
        return left;
    left = term_with(t, left, (ExprList){&d->at, 1}, (ExprList){&x, 1});
    return term_build(t, d->i, d->rows, left);
}

// Checks are done first, too.
static void compute_before(Distinct *d)
{
    Nest *n = d->n;
    Items left = {0};
    TermPass pass = {.terms = n->t, .step_from = read_moved, .cx = d};
    find_indices(d);
    for (size_t i = 0; i < d->moved.len; i++) {
        note_shared(d, d->moved.at[i]);
        move(d, d->moved.at[i]);
    }
    d->seen = table_new(n->arena);
    for (size_t i = 0; i < d->items->len; i++) {
        Item item = d->items->at[i];
        if (item.mode == MODE_CHECK) {
            vec_push(n->arena, &d->before, item);
            continue;
        }
        if (item.to.store->through == NULL) {
            move_shared(d, d->terms.at[i]);
            item.term = left_of(d, &pass, &item, d->terms.at[i]);
        }
        vec_push(n->arena, &left, item);
    }
    nest_block(n, d->before);
    *d->items = left;
}

static bool try_array(Nest *n, const Expr *x, const Expr *i, Items *items)
{
    Distinct d = {.n = n, .x = x, .i = i, .at = term_variable(n->t), .items = items,
                  .rows = term_shape(x).at[0], .reads = table_new(n->arena),
                  .shared = table_new(n->arena)};
    if (!find_in(&d))
        return false;
    compute_before(&d);
    return true;
}

void nest_distinct(Nest *n, Items *items)
{
    Exprs arrays = {0};
    Distinct d = {.n = n, .i = term_variable(n->t), .seen = table_new(n->arena)};
    for (size_t k = 0; k < items->len; k++) {
        const Expr *e = items->at[k].term;
        if (e->kind != EXPR_BUILD)
            continue;
        Opened o = term_open(n->t, e);
        find_arrays(&d, term_with(n->t, o.bodies.at[0], o.indices, (ExprList){&d.i, 1}), &arrays);
    }
    bool done = false;
    for (size_t k = 0; k < arrays.len && !done; k++)
        done = try_array(n, arrays.at[k], d.i, items);
}
