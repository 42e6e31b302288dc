// nest_put.c - states of which a round changes some elements, or rows, each at one place: these
// are put there, and the others stay where they are.
//
//     where(i == p and j == q, e, state)      state[p, q] = e
//     state + where(i == p, e, 0)             state[p] += e
//     e where the round's test t says which   if t: ..    if not t: ..
//
// What is put is computed before any element changes.

#include "compiler/pass/ad/nest_internal.h"
#include "compiler/pass/ad/simplify_internal.h"

typedef struct Search {
    Nest *n;
    const Expr *state;
    NestPuts *puts;
    size_t steps;               // so far
} Search;

static const Expr *both_true(Nest *n, const Expr *x, const Expr *y)
{
    return x == NULL ? y : y == NULL ? x : term_binary(n->t, OPERATOR_BIT_AND, x, y);
}

typedef const Expr *PlaceOf(Nest *n, const Expr *e, size_t q);

// One for each dimension; NULL: all of it is meant. False: that is all of the array.
static bool find_places(Nest *n, const Expr *e, PlaceOf *place_of, ExprList *places)
{
    size_t rank = term_rank(e);
    const Expr **at = ARENA_ARRAY(n->arena, const Expr *, rank + 1);
    bool some = false;
    for (size_t q = 0; q < rank; q++) {
        at[q] = place_of(n, e, q);
        some = some || at[q] != NULL;
    }
    *places = (ExprList){at, rank};
    return some;
}

static const Expr *at_places(Nest *n, const Expr *e, ExprList places)
{
    for (size_t q = places.len; q-- > 0;) {
        Pull p = {.n = n, .index = places.at[q], .rows = true};
        if (places.at[q] != NULL)
            e = pull(&p, e, q);
    }
    return nest_decided(n, e);
}

static bool is_true(const Expr *e)
{
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_BOOL &&
           e->constant.value->truth;
}

static const Expr *range_of(Nest *n, ExprList places, TyList sizes)
{
    const Expr *test = NULL;
    for (size_t q = 0; q < places.len; q++)
        if (places.at[q] != NULL)
            test = both_true(n, test, nest_range_test(n, (ExprList){places.at + q, 1},
                                                      (TyList){sizes.at + q, 1}));
    test = test == NULL ? NULL : nest_decided(n, test);
    return test == NULL || is_true(test) ? NULL : test;
}

static bool put(Search *s, ExprList places, const Expr *value, const Expr *test, bool adds)
{
    enum { MOST = 16 };
    const Expr *range = range_of(s->n, places, term_shape(s->state));
    NestPut new = {.places = places, .value = value, .adds = adds,
                   .test = both_true(s->n, test, range)};
    vec_push(s->n->arena, s->puts, new);
    return s->puts->len <= MOST;
}

static bool find(Search *s, const Expr *e);

static bool find_sum(Search *s, const Expr *rest, const Expr *more)
{
    ExprList places;
    return find_places(s->n, more, nest_only_place, &places) && find(s, rest) &&
           put(s, places, at_places(s->n, more, places), NULL, true);
}

static bool find_choice(Search *s, const Expr *e)
{
    Nest *n = s->n;
    ExprList places;
    if (!find_places(n, e->where.test, nest_only_true, &places) || !find(s, e->where.on_false))
        return false;
    const Expr *test = at_places(n, e->where.test, places);
    while (test->kind == EXPR_REPLICATE)
        test = test->replicate.array;
    if (!is_true(test) && term_rank(test) > 0)
        return false;
    return put(s, places, at_places(n, e->where.on_true, places), is_true(test) ? NULL : test,
               false);
}

// ---- tests that are the same for all elements ----

static bool is_sum(const Expr *e)
{
    return e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_ADD && term_elem(e) == ELEM_FLOAT;
}

static const Expr *same_test(const Expr *e)
{
    const Expr *test = e->where.test;
    while (test->kind == EXPR_REPLICATE)
        test = test->replicate.array;
    return term_rank(test) == 0 && test->kind != EXPR_CONSTANT ? test : NULL;
}

// The first one that chooses between arrays which are added up; NULL: there is none.
static const Expr *first_test(const Expr *e)
{
    const Expr *found = NULL;
    if (e->kind == EXPR_WHERE) {
        found = same_test(e);
        found = found != NULL ? found : first_test(e->where.on_true);
        return found != NULL ? found : first_test(e->where.on_false);
    }
    if (is_sum(e))
        found = first_test(e->bin_op.left);
    return found != NULL || !is_sum(e) ? found : first_test(e->bin_op.right);
}

typedef struct Case { const Expr *test; bool truth; } Case;

static const Expr *in_case(Terms *t, const Expr *e, Case c)
{
    if (e->kind == EXPR_WHERE) {
        if (same_test(e) == c.test)
            return in_case(t, c.truth ? e->where.on_true : e->where.on_false, c);
        return simplify_here(t, term_where(t, e->where.test, in_case(t, e->where.on_true, c),
                                           in_case(t, e->where.on_false, c)));
    }
    if (!is_sum(e))
        return e;
    return simplify_here(t, term_binary(t, OPERATOR_ADD, in_case(t, e->bin_op.left, c),
                                        in_case(t, e->bin_op.right, c)));
}

static bool is_same_put(const NestPut *x, const NestPut *y)
{
    for (size_t q = 0; q < x->places.len; q++)
        if (x->places.at[q] != y->places.at[q])
            return false;
    return x->value == y->value && x->test == y->test && x->adds == y->adds;
}

// How many puts two cases end with, from `first` and from `second` on, that are the same in both.
static size_t same_ends(const NestPuts *puts, size_t first, size_t second)
{
    size_t same = 0;
    while (same < second - first && same < puts->len - second &&
           is_same_put(&puts->at[second - 1 - same], &puts->at[puts->len - 1 - same]))
        same++;
    return same;
}

static void add_test(Search *s, size_t from, size_t to, const Expr *test)
{
    for (size_t i = from; i < to; i++)
        s->puts->at[i].test = both_true(s->n, test, s->puts->at[i].test);
}

// What both cases end with is put in either.
static bool find_cases(Search *s, const Expr *e, const Expr *test)
{
    Terms *t = s->n->t;
    NestPuts *puts = s->puts;
    size_t first = puts->len, second, same;
    if (!find(s, in_case(t, e, (Case){test, true})))
        return false;
    second = puts->len;
    if (!find(s, in_case(t, e, (Case){test, false})))
        return false;
    same = same_ends(puts, first, second);
    add_test(s, first, second - same, test);
    add_test(s, second, puts->len - same, term_not(t, test));
    for (size_t i = second; i < puts->len && same > 0; i++)
        puts->at[i - same] = puts->at[i];
    puts->len -= same;
    return true;
}

static bool find(Search *s, const Expr *e)
{
    enum { STEPS = 64 };
    size_t before = s->puts->len;
    if (e == s->state)
        return true;
    if (s->steps++ == STEPS)
        return false;
    if (is_sum(e)) {
        if (find_sum(s, e->bin_op.left, e->bin_op.right))
            return true;
        s->puts->len = before;
        if (find_sum(s, e->bin_op.right, e->bin_op.left))
            return true;
        s->puts->len = before;
    }
    const Expr *test = first_test(e);
    if (test == NULL)
        return e->kind == EXPR_WHERE && find_choice(s, e);
    return find_cases(s, e, test);
}

bool nest_find_puts(Nest *n, const Expr *next, const Expr *state, NestPuts *puts)
{
    Search s = {n, state, puts, 0};
    return n->strip == NULL && term_rank(state) > 0 && find(&s, next) && puts->len > 0;
}

typedef struct Computing { Nest *n; Items *items; Table *names; } Computing;

static const Expr *computed(Computing *c, const Expr *term)
{
    Nest *n = c->n;
    const Expr *name = table_get(c->names, term);
    if (name != NULL)
        return name;
    const Store *s = nest_store(n, "put", term_elem(term), term_shape(term), false);
    vec_push(n->arena, c->items, ((Item){.term = term, .mode = MODE_SUM, .fresh = true,
                                         .to = nest_whole(n, s)}));
    name = nest_named(n, s->name, nest_whole(n, s), term->ty);
    table_set(c->names, term, (void *)name);
    return name;
}

// A place that data says may change in the round.
static ExprList computed_places(Computing *c, ExprList places)
{
    const Expr **at = ARENA_ARRAY(c->n->arena, const Expr *, places.len + 1);
    for (size_t q = 0; q < places.len; q++)
        at[q] = places.at[q] == NULL || nest_is_counted(c->n, places.at[q])
                    ? places.at[q] : computed(c, places.at[q]);
    return (ExprList){at, places.len};
}

void nest_compute_puts(Nest *n, NestPuts *puts, Items *items)
{
    Computing c = {n, items, table_new(n->arena)};
    for (size_t i = 0; i < puts->len; i++) {
        NestPut *p = &puts->at[i];
        p->places = computed_places(&c, p->places);
        p->value = computed(&c, p->value);
        p->test = p->test == NULL ? NULL : computed(&c, p->test);
    }
}

void nest_do_puts(Nest *n, const NestPuts *puts, Slot state)
{
    for (size_t i = 0; i < puts->len; i++) {
        const NestPut *p = &puts->at[i];
        Stmts body = {0}, *outer = n->out;
        Item item = {.term = p->value, .mode = MODE_SUM, .fresh = !p->adds, .to = state};
        for (size_t q = p->places.len; q-- > 0;)
            if (p->places.at[q] != NULL)
                item.to = nest_part(n, item.to, p->places.at[q], q);
        Items one = {0};
        vec_push(n->arena, &one, item);
        n->out = p->test == NULL ? outer : &body;
        nest_block(n, one);
        n->out = outer;
        if (p->test != NULL)
            nest_if(n, nest_var(n, p->test->name.id, ELEM_BOOL, false), body);
    }
}
