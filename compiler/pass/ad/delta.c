// delta.c - D on bulk terms (Dual-Numbers Reverse AD for Functional Array Languages, section 5):
// built directly, without duals in between, since a term is a graph in an order of evaluation.
// What no input flows into is Zero, and whatever stands on Zeros alone too.

#include "compiler/pass/ad/delta.h"

#include "compiler/base/table.h"
#include "compiler/emit/python.h"

typedef Vec(const Delta *) DeltaVec;
typedef Vec(const Expr *) TermVec;

typedef struct D {
    Terms *t;
    Partials *ps;
    Arena *arena;
    Table *of;                  // Delta of a term
    Table *loops;               // Delta of a loop, by its first result
    DeltaVec shared;
    Delta *zero;
    TyList rounds;
} D;

static const Delta *delta(D *d, const Expr *e)
{
    const Delta *known = table_get(d->of, e);
    return known != NULL ? known : d->zero;
}

static bool is_zero(const Delta *x) { return x->kind == DELTA_ZERO; }

static Delta *share(D *d, DeltaKind kind, const Expr *term, const Expr *like, DeltaVec of,
                          const Expr *const *factors)
{
    Delta *new = ARENA_NEW(d->arena, Delta);
    *new = (Delta){kind, (unsigned)d->shared.len + 1, like->ty, term, of.at, factors, of.len, NULL,
                   0};
    vec_push(d->arena, &d->shared, new);
    return new;
}

static const Delta *one(D *d, DeltaKind kind, const Expr *term, const Expr *like, const Expr *of)
{
    DeltaVec list = {0};
    if (is_zero(delta(d, of)))
        return d->zero;
    vec_push(d->arena, &list, delta(d, of));
    return share(d, kind, term, like, list, NULL);
}

static const Delta *of_operation(D *d, const Expr *e)
{
    ExprList parts = term_parts(d->t, e);
    DeltaVec list = {0};
    TermVec factors = {0};
    for (size_t i = 0; i < parts.len; i++) {
        const Delta *part = delta(d, parts.at[i]);
        const Expr *factor = is_zero(part) ? NULL : elementwise_partial(d->t, d->ps, e, i);
        if (factor == NULL)
            continue;
        vec_push(d->arena, &list, part);
        vec_push(d->arena, &factors, term_is_float(factor, 1.0) ? NULL : factor);
    }
    return list.len == 0 ? d->zero : share(d, DELTA_ADD, e, e, list, factors.at);
}

static const Delta *of_all(D *d, DeltaKind kind, const Expr *e, ExprList parts)
{
    DeltaVec list = {0};
    bool any = false;
    for (size_t i = 0; i < parts.len; i++) {
        vec_push(d->arena, &list, delta(d, parts.at[i]));
        any = any || !is_zero(list.at[i]);
    }
    return any ? share(d, kind, e, e, list, NULL) : d->zero;
}

// max x = gather sh x (\is. argmax x [is] ::: is): of a tie the first.
static const Delta *of_extreme(D *d, const Expr *e)
{
    Terms *t = d->t;
    Reduction op = e->reduce.op == REDUCTION_MAX ? REDUCTION_ARG_MAX : REDUCTION_ARG_MIN;
    const Expr *best = term_reduce(t, op, e->reduce.array);
    TermVec indices = {0}, place = {0};
    for (size_t i = 0; i < term_rank(e); i++)
        vec_push(d->arena, &indices, term_variable(t));
    ExprList is = {indices.at, indices.len};
    vec_push(d->arena, &place, term_index(t, best, is));
    for (size_t i = 0; i < is.len; i++)
        vec_push(d->arena, &place, is.at[i]);
    const Expr *gather = term_gather(t, term_shape(e), e->reduce.array, is,
                                     (ExprList){place.at, place.len});
    return one(d, DELTA_GATHER, gather, e, e->reduce.array);
}

// ---- loops ----

typedef struct Leaves { TermVec terms, sources; Vec(bool) each; } Leaves;

static void add_leaf(D *d, Leaves *leaves, const Expr *term, const Expr *source, bool each)
{
    vec_push(d->arena, &leaves->terms, term);
    vec_push(d->arena, &leaves->sources, source);
    vec_push(d->arena, &leaves->each, each);
}

// x[index] of an active x, and what else is active around the loop.
static Leaves leaves_of(D *d, const Expr *e, const TermLoop *l)
{
    Leaves leaves = {{0}, {0}, {0}};
    ExprList read = term_drop(term_parts(d->t, e), l->states.len);
    ExprList order = term_order_with(d->t, term_join(d->t, l->next, l->records),
                                     term_list(d->t, l->index, NULL));
    for (size_t i = 0; i < order.len; i++) {
        const Expr *x = order.at[i], *of = x->kind == EXPR_SUBSCRIPT ? x->subscript.value : NULL;
        if (of != NULL && x->subscript.slice->tuple.elts.len == 1 &&
            x->subscript.slice->tuple.elts.at[0] == l->index && !is_zero(delta(d, of)))
            add_leaf(d, &leaves, x, of, true);
    }
    for (size_t i = 0; i < read.len; i++)
        if (term_elem(read.at[i]) == ELEM_FLOAT && !is_zero(delta(d, read.at[i])))
            add_leaf(d, &leaves, read.at[i], read.at[i], false);
    return leaves;
}

static Deltas delta_within(Terms *t, Partials *ps, ExprList roots, ExprList inputs, TyList rounds);

static Deltas round_of(D *d, const TermLoop *l, const bool *active, const Leaves *leaves,
                       DeltaLoop *loop)
{
    TermVec inputs = {0}, roots = {0};
    for (size_t k = 0; k < l->states.len; k++)
        if (active[k]) {
            vec_push(d->arena, &inputs, l->states.at[k]);
            vec_push(d->arena, &roots, l->next.at[k]);
        }
    loop->states = inputs.len;
    for (size_t k = 0; k < l->states.len; k++)
        if (!active[k])
            vec_push(d->arena, &roots, l->next.at[k]);
    for (size_t i = 0; i < l->records.len; i++)
        vec_push(d->arena, &roots, l->records.at[i]);
    for (size_t i = 0; i < leaves->terms.len; i++)
        vec_push(d->arena, &inputs, leaves->terms.at[i]);
    loop->inputs = (ExprList){inputs.at, inputs.len};
    return delta_within(d->t, d->ps, (ExprList){roots.at, roots.len}, loop->inputs,
                        shape_cons(d->t, l->size, d->rounds));
}

// A state is active when what it starts from is, or what it becomes.
static bool activate(const TermLoop *l, const DeltaLoop *loop, bool *active)
{
    bool more = false;
    size_t root = loop->states;
    for (size_t k = 0; k < l->states.len; k++)
        if (!active[k] && loop->round.roots[root++]->kind != DELTA_ZERO)
            active[k] = more = true;
    return more;
}

static const Delta *make_loop(D *d, const Expr *e)
{
    DeltaLoop *loop = ARENA_NEW(d->arena, DeltaLoop);
    TermLoop l = term_open_loop(d->t, e);
    Leaves leaves = leaves_of(d, e, &l);
    DeltaVec of = {0};
    bool *active = ARENA_ARRAY(d->arena, bool, l.states.len + 1), any = false;
    for (size_t k = 0; k < l.states.len; k++)
        active[k] = !is_zero(delta(d, l.before.at[k]));
    do
        loop->round = round_of(d, &l, active, &leaves, loop);
    while (activate(&l, loop, active));
    bool *each = ARENA_ARRAY(d->arena, bool, loop->inputs.len + 1);
    for (size_t k = 0; k < l.states.len; k++)
        if (active[k])
            vec_push(d->arena, &of, delta(d, l.before.at[k]));
    for (size_t i = 0; i < leaves.terms.len; i++) {
        each[of.len] = leaves.each.at[i];
        vec_push(d->arena, &of, delta(d, leaves.sources.at[i]));
    }
    for (size_t i = 0; i < loop->round.len; i++)
        any = any || !is_zero(loop->round.roots[i]);
    loop->loop = l;
    loop->each = each;
    if (!any)
        return d->zero;
    Delta *new = share(d, DELTA_LOOP, e, e, of, NULL);
    new->loop = loop;
    return new;
}

// Which root of the round a result is: the active states come first.
static size_t root_of(const DeltaLoop *loop, size_t which)
{
    size_t root = 0;
    if (which >= loop->loop.states.len)
        return which;
    for (size_t k = 0; k < loop->states; k++)
        if (loop->inputs.at[k] == loop->loop.states.at[which])
            return k;
    for (size_t i = 0; i < which; i++) {
        bool active = false;
        for (size_t k = 0; k < loop->states; k++)
            active = active || loop->inputs.at[k] == loop->loop.states.at[i];
        root += !active;
    }
    return loop->states + root;
}

static const Delta *of_loop(D *d, const Expr *e)
{
    const Expr *first = term_loop_result(d->t, e, 0);
    const Delta *loop = table_get(d->loops, first);
    DeltaVec of = {0};
    if (loop == NULL) {
        loop = make_loop(d, e);
        table_set(d->loops, first, (void *)loop);
    }
    if (is_zero(loop))
        return d->zero;
    size_t root = root_of(loop->loop, (size_t)e->loop.which);
    if (is_zero(loop->loop->round.roots[root]))
        return d->zero;
    vec_push(d->arena, &of, loop);
    Delta *new = share(d, DELTA_RESULT, e, e, of, NULL);
    new->result = root;
    return new;
}

// ---- all ----

static const Delta *of_term(D *d, const Expr *e)
{
    switch ((int)e->kind) {
    case EXPR_SUBSCRIPT: return one(d, DELTA_INDEX, e, e, e->subscript.value);
    case EXPR_REDUCE:
        return e->reduce.op == REDUCTION_SUM ? one(d, DELTA_SUM_OUTER, e, e, e->reduce.array)
                                             : of_extreme(d, e);
    case EXPR_GATHER:    return one(d, DELTA_GATHER, e, e, e->gather.array);
    case EXPR_SCATTER:   return one(d, DELTA_SCATTER, e, e, e->scatter.array);
    case EXPR_STACK:     return of_all(d, DELTA_LIT_ARRAY, e, e->stack.parts);
    case EXPR_REPLICATE: return one(d, DELTA_REPLICATE, e, e, e->replicate.array);
    case EXPR_TRANSPOSE: return one(d, DELTA_TRANSPOSE, e, e, e->transpose.array);
    case EXPR_RESHAPE:   return one(d, DELTA_RESHAPE, e, e, e->reshape.array);
    case EXPR_ONE_HOT:   return one(d, DELTA_ONE_HOT, e, e, e->one_hot.value);
    case EXPR_WHERE:
        return of_all(d, DELTA_COND, e, term_list(d->t, e->where.on_true, e->where.on_false));
    case EXPR_LOOP:
        return of_loop(d, e);
    case EXPR_NAME: case EXPR_CONSTANT: case EXPR_ARG_SORT:
        return d->zero;
    }
    return of_operation(d, e);
}

static Deltas delta_within(Terms *t, Partials *ps, ExprList roots, ExprList inputs, TyList rounds)
{
    Arena *a = terms_arena(t);
    D d = {.t = t, .ps = ps, .arena = a, .of = table_new(a), .loops = table_new(a),
           .rounds = rounds};
    d.zero = ARENA_NEW(d.arena, Delta);
    *d.zero = (Delta){.kind = DELTA_ZERO, .ty = roots.len > 0 ? roots.at[0]->ty : NULL};
    for (size_t i = 0; i < inputs.len; i++) {
        Delta *input = ARENA_NEW(d.arena, Delta);
        *input = (Delta){.kind = DELTA_INPUT, .ty = inputs.at[i]->ty, .term = inputs.at[i]};
        table_set(d.of, inputs.at[i], input);
    }
    ExprList order = term_order(t, roots);
    for (size_t i = 0; i < order.len; i++) {
        const Expr *e = order.at[i];
        if (term_elem(e) == ELEM_FLOAT && table_get(d.of, e) == NULL) {
            const Delta *new = of_term(&d, e);
            if (new != d.zero)
                table_set(d.of, e, (void *)new);
        }
    }
    const Delta **all = ARENA_ARRAY(a, const Delta *, roots.len + 1);
    for (size_t i = 0; i < roots.len; i++)
        all[i] = delta(&d, roots.at[i]);
    return (Deltas){all, roots.len, d.shared.at, (unsigned)d.shared.len, rounds};
}

Deltas delta_of(Terms *t, Partials *ps, ExprList roots, ExprList inputs)
{
    return delta_within(t, ps, roots, inputs, (TyList){NULL, 0});
}

// ---- text ----

enum { MAX_FACTOR = 500 };      // nodes that are written: a factor has no names inside

typedef struct Print { Buf *b; Terms *t; Table *written; } Print;

static void print(Print *p, const Delta *d);

static const char *const names[] = {
    [DELTA_ZERO] = "Zero", [DELTA_INPUT] = "Input", [DELTA_ADD] = "Add", [DELTA_INDEX] = "Index",
    [DELTA_SUM_OUTER] = "SumOuter", [DELTA_GATHER] = "Gather", [DELTA_SCATTER] = "Scatter",
    [DELTA_LIT_ARRAY] = "LitArray", [DELTA_REPLICATE] = "Replicate",
    [DELTA_TRANSPOSE] = "Transpose", [DELTA_RESHAPE] = "Reshape", [DELTA_COND] = "Cond",
    [DELTA_ONE_HOT] = "OneHot", [DELTA_LOOP] = "Loop", [DELTA_RESULT] = "Result",
};

static void print_scaled(Print *p, const Delta *d, size_t i)
{
    const Expr *factor = d->kind == DELTA_ADD ? d->factors[i] : NULL;
    if (factor != NULL) {
        buf_puts(p->b, "Scale(");
        if (term_text_size(p->t, term_list(p->t, factor, NULL)) < MAX_FACTOR)
            emit_python_expr(p->b, factor);
        else
            buf_puts(p->b, "...");
        buf_puts(p->b, ", ");
    }
    print(p, d->of[i]);
    if (factor != NULL)
        buf_puts(p->b, ")");
}

static void print_of(Print *p, const Delta *d)
{
    bool bare = d->kind == DELTA_ADD && d->len == 1;
    if (!bare)
        buf_printf(p->b, "%s(", names[d->kind]);
    for (size_t i = 0; i < d->len; i++) {
        if (i > 0)
            buf_puts(p->b, ", ");
        print_scaled(p, d, i);
    }
    if (!bare)
        buf_puts(p->b, ")");
}

static void print(Print *p, const Delta *d)
{
    if (d->kind == DELTA_ZERO || d->kind == DELTA_INPUT) {
        buf_printf(p->b, d->kind == DELTA_ZERO ? "Zero%s" : "Input(%s)",
                   d->kind == DELTA_ZERO ? "" : d->term->name.id);
        return;
    }
    if (table_get(p->written, d) != NULL) {
        buf_printf(p->b, "Share(%u)", d->id);
        return;
    }
    table_set(p->written, d, p);
    buf_printf(p->b, "Share(%u, ", d->id);
    print_of(p, d);
    buf_puts(p->b, ")");
}

void delta_print(Buf *b, Terms *t, const Deltas *d)
{
    Print p = {b, t, table_new(terms_arena(t))};
    print(&p, d->roots[0]);
}
