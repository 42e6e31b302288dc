// bulk.c - the bulk-operation transformation: Build is pushed down to the leaves, where it meets
// indices and becomes a Gather (Dual-Numbers Reverse AD for Functional Array Languages, section 4).
//
// One Build is taken at a time, the inner ones first, and its body is vectorised node by node in
// an order of evaluation: since equal terms are one object, the rule for `let` is the sharing of
// the result, and what does not have the index is only replicated (B-inv first). The rules differ
// from the paper's in four places, always to the same value:
//
//   B-gather'   what is gathered from stays as it is when it does not have the index
//   BI'         so does what is indexed; an index goes only into what has an index variable
//   B-cond'     a condition that has the index becomes a selection by a whole array of tests
//   I-gather'   a gather whose indices are all given stays a gather without index variables, since
//               out of range it is 0 and an index is not
//
// An index never goes into a reduction, a sort, a reshape or a scatter: what it reads there is made
// once.

#include "compiler/pass/ad/bulk.h"

#include "compiler/base/table.h"
#include "compiler/pass/ad/loop.h"

enum { MAX_PUSH = 1000 };       // operations that an index goes through; then it stays

// ---- indices, pushed down ----

typedef struct Push { Terms *t; ExprList place; Table *done; int depth; } Push;

static const Expr *pushed(Push *p, const Expr *e);

static const Expr *push_place(Terms *t, const Expr *e, ExprList place, int depth)
{
    Push p = {t, place, table_new(terms_arena(t)), depth};
    return pushed(&p, e);
}

// index (tr t) place: the dimensions that are left are gathered.
static const Expr *push_transpose(Push *p, const Expr *e)
{
    Terms *t = p->t;
    size_t rank = term_rank(e), given = p->place.len, *axes = term_axes(t, e);
    const Expr **all = ARENA_ARRAY(terms_arena(t), const Expr *, rank + 1);
    Vec(const Expr *) left = {0};
    for (size_t q = 0; q < rank; q++) {
        all[axes[q]] = q < given ? p->place.at[q] : term_variable(t);
        if (q >= given)
            vec_push(terms_arena(t), &left, all[axes[q]]);
    }
    ExprList place = {all, rank};
    if (left.len == 0)
        return push_place(t, e->transpose.array, place, p->depth + 1);
    return term_gather(t, shape_drop(term_shape(e), given), e->transpose.array,
                       (ExprList){left.at, left.len}, place);
}

static const Expr *push_gather(Push *p, const Expr *e)
{
    Terms *t = p->t;
    Opened o = term_open(t, e);
    size_t n = p->place.len < o.indices.len ? p->place.len : o.indices.len;
    const Expr **place = ARENA_ARRAY(terms_arena(t), const Expr *, o.bodies.len + 1);
    for (size_t i = 0; i < o.bodies.len; i++)
        place[i] = term_with(t, o.bodies.at[i], (ExprList){o.indices.at, n},
                             (ExprList){p->place.at, n});
    const Expr *rest = term_gather(t, shape_drop(term_shape(e), n), e->gather.array,
                                   term_drop(o.indices, n), (ExprList){place, o.bodies.len});
    return term_index(t, rest, term_drop(p->place, n));
}

static const Expr *push_stack(Push *p, const Expr *e)
{
    Terms *t = p->t;
    ExprList parts = e->stack.parts, rest = term_drop(p->place, 1);
    const Expr **at = ARENA_ARRAY(terms_arena(t), const Expr *, parts.len + 1);
    for (size_t i = 0; i < parts.len; i++)
        at[i] = push_place(t, parts.at[i], rest, p->depth + 1);
    ExprList new = {at, parts.len};
    return term_index(t, term_stack(t, new), (ExprList){p->place.at, 1});
}

static const Expr *push_elementwise(Push *p, const Expr *e)
{
    Terms *t = p->t;
    ExprList parts = term_parts(t, e);
    const Expr **at = ARENA_ARRAY(terms_arena(t), const Expr *, parts.len + 1);
    bool scalar_test = e->kind == EXPR_WHERE && term_rank(e->where.test) < term_rank(e);
    for (size_t i = 0; i < parts.len; i++)
        at[i] = i == 0 && scalar_test ? parts.at[0] : pushed(p, parts.at[i]);
    return term_like(t, e, (ExprList){at, parts.len});
}

static const Expr *push_here(Push *p, const Expr *e)
{
    Terms *t = p->t;
    if (term_is_elementwise(e) || e->kind == EXPR_WHERE)
        return push_elementwise(p, e);
    if (e->kind == EXPR_SUBSCRIPT)
        return push_place(t, e->subscript.value,
                          term_join(t, e->subscript.slice->tuple.elts, p->place), p->depth + 1);
    if (e->kind == EXPR_REPLICATE)
        return push_place(t, e->replicate.array, term_drop(p->place, 1), p->depth + 1);
    if (e->kind == EXPR_TRANSPOSE)
        return push_transpose(p, e);
    if (e->kind == EXPR_GATHER)
        return push_gather(p, e);
    if (e->kind == EXPR_STACK && p->place.len > 1)
        return push_stack(p, e);
    return term_index(t, e, p->place);
}

static const Expr *pushed(Push *p, const Expr *e)
{
    if (p->place.len == 0)
        return e;
    if (term_is_closed(p->t, e) || p->depth > MAX_PUSH)
        return term_index(p->t, e, p->place);
    const Expr *known = table_get(p->done, e);
    if (known == NULL) {
        p->depth++;
        known = push_here(p, e);
        p->depth--;
        table_set(p->done, e, (void *)known);
    }
    return known;
}

// ---- Build, pushed down ----

typedef struct Vectorised {
    Terms *t;
    const Expr *index;
    const Ty *size;
    Table *done;                // of what has the index, or a state of a loop that has it
    ExprList states, rows;      // of that loop; what they are in one of the builds
} Vectorised;

static const Expr *whole(Vectorised *v, const Expr *e)
{
    const Expr *known = table_get(v->done, e);
    return known != NULL ? known : term_replicate(v->t, v->size, e);
}

static TyList longer(Vectorised *v, const Expr *e)
{
    return shape_cons(v->t, v->size, term_shape(e));
}

static bool has_any(Terms *t, const Expr *e, ExprList variables)
{
    for (size_t i = 0; i < variables.len; i++)
        if (term_has(t, e, variables.at[i]))
            return true;
    return false;
}

// Sorts that depend on the index are made for all builds. Not what has an index of the place.
static void find_sorts(Vectorised *v, const Expr *e, ExprList own, Table *seen, Table *done)
{
    Terms *t = v->t;
    if (table_get(seen, e) != NULL || !term_has(t, e, v->index))
        return;
    table_set(seen, e, v);
    if (e->kind == EXPR_ARG_SORT && !has_any(t, e, own)) {
        const Expr *all = bulk_build(t, v->index, v->size, e);
        table_set(done, e, (void *)term_index(t, all, term_list(t, v->index, NULL)));
        return;
    }
    ExprList parts = term_parts(t, e);
    for (size_t i = 0; i < parts.len; i++)
        find_sorts(v, parts.at[i], own, seen, done);
}

static const Expr *same(TermPass *p, const Expr *e)
{
    (void)p;
    return e;
}

// A place: where states stand in it, they are those of this build. `own`: indices of the place.
static ExprList place_here(Vectorised *v, ExprList list, ExprList own)
{
    Arena *a = terms_arena(v->t);
    const Expr **at = ARENA_ARRAY(a, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++) {
        TermPass p = {.terms = v->t, .step = same, .done = table_new(a)};
        at[i] = term_with(v->t, list.at[i], v->states, v->rows);
        find_sorts(v, at[i], own, table_new(a), p.done);
        at[i] = term_rewrite(&p, at[i]);
    }
    return (ExprList){at, list.len};
}

static ExprList with_index(Vectorised *v, ExprList list)
{
    return term_join(v->t, term_list(v->t, v->index, NULL), list);
}

static bool is_made(const Vectorised *v, const Expr *e) { return table_get(v->done, e) != NULL; }

static const Expr *vectorise_parts(Vectorised *v, const Expr *e)
{
    ExprList parts = term_parts(v->t, e);
    const Expr **at = ARENA_ARRAY(terms_arena(v->t), const Expr *, parts.len + 1);
    for (size_t i = 0; i < parts.len; i++)
        at[i] = whole(v, parts.at[i]);
    return term_like(v->t, e, (ExprList){at, parts.len});
}

static const Expr *vectorise_where(Vectorised *v, const Expr *e)
{
    const Expr *test = e->where.test;
    const Expr *x = whole(v, e->where.on_true), *y = whole(v, e->where.on_false);
    if (term_rank(test) < term_rank(e) && !is_made(v, test))
        return term_where(v->t, test, x, y);
    const Expr *tests = whole(v, test);
    if (term_rank(test) < term_rank(e))
        tests = term_spread(v->t, tests, term_shape(e));
    return term_where(v->t, tests, x, y);
}

static const Expr *vectorise_index(Vectorised *v, const Expr *e)
{
    const Expr *x = e->subscript.value;
    ExprList place = place_here(v, e->subscript.slice->tuple.elts, (ExprList){NULL, 0});
    bool has = is_made(v, x);
    return term_gather(v->t, longer(v, e), has ? whole(v, x) : x, term_list(v->t, v->index, NULL),
                       has ? with_index(v, place) : place);
}

static const Expr *vectorise_gather(Vectorised *v, const Expr *e)
{
    Opened o = term_open(v->t, e);
    const Expr *x = e->gather.array;
    bool has = is_made(v, x);
    ExprList place = place_here(v, o.bodies, o.indices);
    return term_gather(v->t, longer(v, e), has ? whole(v, x) : x, with_index(v, o.indices),
                       has ? with_index(v, place) : place);
}

static const Expr *vectorise_scatter(Vectorised *v, const Expr *e)
{
    Opened o = term_open(v->t, e);
    return term_scatter(v->t, longer(v, e), whole(v, e->scatter.array), with_index(v, o.indices),
                        with_index(v, place_here(v, o.bodies, o.indices)));
}

static const Expr *vectorise_transpose(Vectorised *v, const Expr *e)
{
    size_t rank = term_rank(e), *axes = term_axes(v->t, e);
    size_t *new = ARENA_ARRAY(terms_arena(v->t), size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        new[i + 1] = axes[i] + 1;
    return term_transpose(v->t, new, rank + 1, whole(v, e->transpose.array));
}

static void vectorise_all(Vectorised *v, ExprList roots, ExprList variables);

static ExprList whole_all(Vectorised *v, ExprList list)
{
    const Expr **at = ARENA_ARRAY(terms_arena(v->t), const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = whole(v, list.at[i]);
    return (ExprList){at, list.len};
}

// A loop in each build is a loop whose states are those of all builds.
static const Expr *vectorise_loop(Vectorised *v, const Expr *e)
{
    Terms *t = v->t;
    Arena *a = terms_arena(t);
    TermLoop l = term_open_loop(t, e);
    size_t n = l.states.len;
    const Expr **states = ARENA_ARRAY(a, const Expr *, n + 1);
    const Expr **rows = ARENA_ARRAY(a, const Expr *, n + 1);
    Vectorised in = {t, v->index, v->size, table_new(a),
                     term_join(t, v->states, l.states), {NULL, 0}};
    for (size_t k = 0; k < v->states.len; k++)
        table_set(in.done, v->states.at[k], (void *)whole(v, v->states.at[k]));
    for (size_t k = 0; k < n; k++) {
        const Expr *old = l.states.at[k];
        states[k] = term_state(t, term_ty(t, term_elem(old), longer(v, old)));
        rows[k] = term_index(t, states[k], term_list(t, v->index, NULL));
        table_set(in.done, old, (void *)states[k]);
    }
    in.rows = term_join(t, v->rows, (ExprList){rows, n});
    ExprList roots = term_join(t, l.next, l.records);
    vectorise_all(&in, roots, term_join(t, term_list(t, v->index, NULL), in.states));
    ExprList bodies = whole_all(&in, roots);
    TermLoop all = {l.size, l.down, l.index, {states, n}, whole_all(v, l.before),
                    {bodies.at, n}, term_drop(bodies, n)};
    const Expr *made = term_loop(t, &all, (size_t)e->loop.which);
    return (size_t)e->loop.which < n ? made : term_swap(t, made);
}

static const Expr *vectorised(Vectorised *v, const Expr *e)
{
    Terms *t = v->t;
    switch ((int)e->kind) {
    case EXPR_NAME:      return term_iota(t, v->size);
    case EXPR_WHERE:     return vectorise_where(v, e);
    case EXPR_SUBSCRIPT: return vectorise_index(v, e);
    case EXPR_GATHER:    return vectorise_gather(v, e);
    case EXPR_SCATTER:   return vectorise_scatter(v, e);
    case EXPR_REDUCE:
        return term_reduce(t, e->reduce.op, term_swap(t, whole(v, e->reduce.array)));
    case EXPR_ARG_SORT:
        return term_swap(t, term_argsort(t, term_swap(t, whole(v, e->arg_sort.array))));
    case EXPR_REPLICATE:
        return term_swap(t, term_replicate(t, term_shape(e).at[0],
                                           whole(v, e->replicate.array)));
    case EXPR_TRANSPOSE: return vectorise_transpose(v, e);
    case EXPR_RESHAPE:   return term_reshape(t, longer(v, e), whole(v, e->reshape.array));
    case EXPR_STACK:     return term_swap(t, vectorise_parts(v, e));
    case EXPR_ONE_HOT:
        return term_scatter(t, longer(v, e), whole(v, e->one_hot.value),
                            term_list(t, v->index, NULL),
                            with_index(v, place_here(v, e->one_hot.place,
                                                     (ExprList){NULL, 0})));
    case EXPR_LOOP:      return vectorise_loop(v, e);
    }
    return vectorise_parts(v, e);
}

static void vectorise_all(Vectorised *v, ExprList roots, ExprList variables)
{
    ExprList order = term_order_with(v->t, roots, variables);
    for (size_t i = 0; i < order.len; i++) {
        const Expr *e = order.at[i];
        if (is_made(v, e))
            continue;
        table_set(v->done, e, (void *)vectorised(v, e));
        Sym hint = term_hinted(v->t, e);
        if (hint != NULL)
            term_hint(v->t, table_get(v->done, e), hint);
    }
}

const Expr *bulk_build(Terms *t, const Expr *index, const Ty *size, const Expr *e)
{
    Vectorised v = {t, index, size, table_new(terms_arena(t)), {NULL, 0}, {NULL, 0}};
    vectorise_all(&v, term_list(t, e, NULL), term_list(t, index, NULL));
    return whole(&v, e);
}

// ---- the pass ----

// Rounds do what the states need; the rest is done in bulk before and after them.
static const Expr *bulk_loop(Terms *t, const Expr *e)
{
    TermLoop l = term_open_loop(t, e);
    size_t which = (size_t)e->loop.which;
    loop_hoist(t, &l);
    return which < l.states.len ? term_final(t, &l, which)
                                : loop_kept(t, &l, l.records.at[which - l.states.len]);
}

static const Expr *bulk_here(TermPass *p, const Expr *e)
{
    Terms *t = p->terms;
    if (e->kind == EXPR_BUILD) {
        Opened o = term_open(t, e);
        return bulk_build(t, o.indices.at[0], term_shape(e).at[0], o.bodies.at[0]);
    }
    if (e->kind == EXPR_LOOP)
        return bulk_loop(t, e);
    if (e->kind != EXPR_SUBSCRIPT || term_is_closed(t, e->subscript.value))
        return e;
    return push_place(t, e->subscript.value, e->subscript.slice->tuple.elts, 0);
}

const Expr *bulk_term(Terms *t, const Expr *root)
{
    TermPass p = {.terms = t, .step = bulk_here};
    return term_rewrite(&p, root);
}
