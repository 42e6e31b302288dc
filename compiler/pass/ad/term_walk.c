// term_walk.c - the parts of terms, what is free in them, substitution and rewriting. All of it
// goes over the graph in an order of evaluation, never down a chain of operations by recursion;
// only binders inside binders nest.

#include "compiler/pass/ad/term_internal.h"

#include <stdlib.h>
#include <string.h>

static const TermInfo *info_of(const Terms *t, const Expr *e) { return table_get(t->info, e); }

// ---- parts ----

static ExprList one(Terms *t, const Expr *e) { return term_list(t, e, NULL); }

static ExprList where_parts(Terms *t, const Expr *e)
{
    return term_join(t, one(t, e->where.test), term_list(t, e->where.on_true, e->where.on_false));
}

// What a loop starts from, and what its bodies read.
static ExprList loop_parts(Terms *t, const Expr *e)
{
    const TermInfo *info = info_of(t, e);
    return info == NULL ? e->loop.before : term_join(t, e->loop.before, info->captured);
}

static ExprList put_parts(Terms *t, const Expr *e)
{
    return term_join(t, term_list(t, e->put_at.array, e->put_at.value),
                     term_join(t, one(t, e->put_at.test), e->put_at.place));
}

ExprList term_parts(Terms *t, const Expr *e)
{
    static const ExprList none = {NULL, 0};
    switch ((int)e->kind) {
    case EXPR_BIN_OP:    return term_list(t, e->bin_op.left, e->bin_op.right);
    case EXPR_UNARY_OP:  return one(t, e->unary_op.operand);
    case EXPR_COMPARE:   return term_list(t, e->compare.left, e->compare.comparators.at[0]);
    case EXPR_CALL:      return term_is_iota(e) ? none : e->call.args;
    case EXPR_SUBSCRIPT:
        return term_join(t, one(t, e->subscript.value), e->subscript.slice->tuple.elts);
    case EXPR_GATHER:    return one(t, e->gather.array);
    case EXPR_SCATTER:   return one(t, e->scatter.array);
    case EXPR_REDUCE:    return one(t, e->reduce.array);
    case EXPR_ARG_SORT:  return one(t, e->arg_sort.array);
    case EXPR_REPLICATE: return one(t, e->replicate.array);
    case EXPR_TRANSPOSE: return one(t, e->transpose.array);
    case EXPR_RESHAPE:   return one(t, e->reshape.array);
    case EXPR_STACK:     return e->stack.parts;
    case EXPR_WHERE:     return where_parts(t, e);
    case EXPR_ONE_HOT:   return term_join(t, e->one_hot.place, one(t, e->one_hot.value));
    case EXPR_PUT_AT:    return put_parts(t, e);
    case EXPR_LOOP:      return loop_parts(t, e);
    }
    return none;                // leaves, and Build, which has a body only
}

static ExprList bodies_of(Terms *t, const Expr *e)
{
    if (e->kind == EXPR_BUILD)
        return one(t, e->build.body);
    return e->kind == EXPR_GATHER    ? e->gather.place
           : e->kind == EXPR_SCATTER ? e->scatter.place
           : e->kind == EXPR_LOOP    ? e->loop.bodies
                                     : (ExprList){NULL, 0};
}

ExprList term_inner(Terms *t, const Expr *e)
{
    return term_join(t, term_parts(t, e), bodies_of(t, e));
}

static SymList bound_by(const Expr *e)
{
    if (e->kind == EXPR_BUILD)
        return (SymList){&e->build.index, 1};
    return e->kind == EXPR_GATHER    ? e->gather.indices
           : e->kind == EXPR_SCATTER ? e->scatter.indices
           : e->kind == EXPR_LOOP    ? e->loop.indices
                                     : (SymList){NULL, 0};
}

static bool is_binder(const Expr *e)
{
    return e->kind == EXPR_BUILD || e->kind == EXPR_GATHER || e->kind == EXPR_SCATTER ||
           e->kind == EXPR_LOOP;
}

static const Expr *rebuilt_loop(Terms *t, const Expr *e, ExprList p, ExprList indices,
                                ExprList bodies)
{
    size_t n = e->loop.before.len;
    TermLoop l = {size_of_term(t, e->loop.size), e->loop.down != 0, indices.at[0],
                  term_drop(indices, 1), {p.at, n}, {bodies.at, n}, term_drop(bodies, n)};
    return term_loop(t, &l, (size_t)e->loop.which);
}

static const Expr *rebuilt_put(Terms *t, const Expr *e, ExprList p)
{
    return term_make(t, expr_put_at(t->arena, e->at, p.at[0], e->put_at.axes, term_drop(p, 3),
                                    p.at[1], p.at[2], e->put_at.adds), e->ty);
}

// e with other parts and bodies.
static const Expr *rebuilt(Terms *t, const Expr *e, ExprList p, ExprList indices, ExprList bodies)
{
    TyList shape = e->ty == NULL ? (TyList){NULL, 0} : term_shape(e);
    switch ((int)e->kind) {
    case EXPR_BIN_OP:    return term_binary(t, e->bin_op.op, p.at[0], p.at[1]);
    case EXPR_UNARY_OP:
        return e->unary_op.op == UNARYOP_NOT ? term_not(t, p.at[0]) : term_negate(t, p.at[0]);
    case EXPR_COMPARE:   return term_compare(t, e->compare.ops.at[0], p.at[0], p.at[1]);
    case EXPR_CALL:
        return term_is_iota(e) ? e : term_call(t, term_function(e), term_elem(e), p);
    case EXPR_SUBSCRIPT: return term_index(t, p.at[0], term_drop(p, 1));
    case EXPR_BUILD:     return term_build(t, indices.at[0], shape.at[0], bodies.at[0]);
    case EXPR_GATHER:    return term_gather(t, shape, p.at[0], indices, bodies);
    case EXPR_SCATTER:   return term_scatter(t, shape, p.at[0], indices, bodies);
    case EXPR_REDUCE:    return term_reduce(t, e->reduce.op, p.at[0]);
    case EXPR_ARG_SORT:  return term_argsort(t, p.at[0]);
    case EXPR_REPLICATE: return term_replicate(t, shape.at[0], p.at[0]);
    case EXPR_TRANSPOSE:
        return term_transpose(t, term_axes(t, e), e->transpose.axes.len, p.at[0]);
    case EXPR_RESHAPE:   return term_reshape(t, shape, p.at[0]);
    case EXPR_STACK:     return term_stack(t, p);
    case EXPR_WHERE:     return term_where(t, p.at[0], p.at[1], p.at[2]);
    case EXPR_ONE_HOT:
        return term_one_hot(t, shape, (ExprList){p.at, p.len - 1}, p.at[p.len - 1]);
    case EXPR_PUT_AT:    return rebuilt_put(t, e, p);
    case EXPR_LOOP:      return rebuilt_loop(t, e, p, indices, bodies);
    }
    return e;
}

const Expr *term_like(Terms *t, const Expr *e, ExprList parts)
{
    return rebuilt(t, e, parts, (ExprList){NULL, 0}, (ExprList){NULL, 0});
}

// ---- looking ----

Sym term_function(const Expr *e)
{
    return e->kind == EXPR_CALL ? e->call.func->attribute.attr : NULL;
}

bool term_is_iota(const Expr *e) { return sym_is(term_function(e), "arange"); }

bool term_is_elementwise(const Expr *e)
{
    if (e->kind == EXPR_WHERE)
        return term_rank(e->where.test) == term_rank(e);
    return e->kind == EXPR_BIN_OP || e->kind == EXPR_UNARY_OP || e->kind == EXPR_COMPARE ||
           (e->kind == EXPR_CALL && !term_is_iota(e));
}

bool term_is_atom(const Expr *e) { return e->kind == EXPR_NAME || e->kind == EXPR_CONSTANT; }

const Const *term_filled_with(const Expr *e)
{
    while (e->kind == EXPR_REPLICATE)
        e = e->replicate.array;
    return e->kind == EXPR_CONSTANT ? e->constant.value : NULL;
}

bool term_is_float(const Expr *e, double number)
{
    const Const *c = term_filled_with(e);
    return c != NULL && c->kind == CONST_FLOAT && c->number == number;
}

bool term_is_int(const Expr *e, int64_t number)
{
    const Const *c = term_filled_with(e);
    return c != NULL && c->kind == CONST_INT && strtoll(c->text.at, NULL, 10) == number;
}

size_t *term_axes(Terms *t, const Expr *e)
{
    size_t rank = term_rank(e), *axes = ARENA_ARRAY(t->arena, size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        axes[i] = i;
    for (size_t i = 0; i < e->transpose.axes.len; i++)
        axes[i] = strtoul(e->transpose.axes.at[i]->constant.value->text.at, NULL, 10);
    return axes;
}

// ---- what is free, and how high binders are ----

typedef struct Gathered { unsigned height; Vec(Sym) free; } Gathered;

static void add_info(Terms *t, Gathered *g, ExprList from, SymList bound)
{
    for (size_t i = 0; i < from.len; i++) {
        const TermInfo *info = info_of(t, from.at[i]);
        if (info == NULL)
            continue;
        g->height = info->height > g->height ? info->height : g->height;
        for (size_t k = 0; k < info->free.len; k++)
            if (!sym_in(bound, info->free.at[k]) &&
                !sym_in((SymList){g->free.at, g->free.len}, info->free.at[k]))
                vec_push(t->arena, &g->free, info->free.at[k]);
    }
}

// A name bound by a binder that is not open.
static bool is_bound_inside(const TermInfo *info)
{
    for (size_t i = 0; info != NULL && i < info->free.len; i++)
        if (info->free.at[i][1] != 'v')
            return true;
    return false;
}

// The largest terms in the bodies of a loop that no binder in it binds.
static ExprList captured_by(Terms *t, const Expr *loop)
{
    Vec(const Expr *) open = {0}, found = {0};
    Table *seen = table_new(t->arena);
    for (size_t i = loop->loop.bodies.len; i-- > 0;)
        vec_push(t->arena, &open, loop->loop.bodies.at[i]);
    while (open.len > 0) {
        const Expr *e = open.at[--open.len];
        if (term_filled_with(e) != NULL || table_get(seen, e) != NULL)
            continue;
        table_set(seen, e, t);
        if (!is_bound_inside(info_of(t, e))) {
            vec_push(t->arena, &found, e);
            continue;
        }
        ExprList inner = term_inner(t, e);
        for (size_t i = inner.len; i-- > 0;)
            vec_push(t->arena, &open, inner.at[i]);
    }
    return (ExprList){found.at, found.len};
}

// Only what is not plain has an entry: a height, or something free. What `nest` stores for the
// rounds of a strip is free under one name, however many arrays there are.
void term_note(Terms *t, const Expr *e)
{
    Gathered g = {0, {0}};
    SymList bound = bound_by(e);
    if (e->kind == EXPR_NAME && strncmp(e->name.id, "%s", 2) == 0)
        vec_push(t->arena, &g.free, names_get(t->names, "%s"));
    else if (e->kind == EXPR_NAME && e->name.id[0] == '%')
        vec_push(t->arena, &g.free, e->name.id);
    add_info(t, &g, term_parts(t, e), (SymList){NULL, 0});      // of a Loop not yet the captured
    add_info(t, &g, bodies_of(t, e), bound);
    for (size_t i = 0; i < bound.len; i++) {
        unsigned number = (unsigned)strtoul(bound.at[i] + 1, NULL, 10);
        g.height = number > g.height ? number : g.height;
    }
    if (g.height == 0 && g.free.len == 0)
        return;
    TermInfo *info = ARENA_NEW(t->arena, TermInfo);
    *info = (TermInfo){g.height, {g.free.at, g.free.len}, {NULL, 0}};
    table_set(t->info, e, info);
    if (e->kind == EXPR_LOOP)
        info->captured = captured_by(t, e);
}

bool term_has(Terms *t, const Expr *e, const Expr *variable)
{
    const TermInfo *info = info_of(t, e);
    return info != NULL && sym_in(info->free, variable->name.id);
}

bool term_is_closed(Terms *t, const Expr *e)
{
    const TermInfo *info = info_of(t, e);
    return info == NULL || info->free.len == 0;
}

static bool has_any(Terms *t, const Expr *e, ExprList variables)
{
    for (size_t i = 0; i < variables.len; i++)
        if (term_has(t, e, variables.at[i]))
            return true;
    return false;
}

// ---- an order of evaluation ----

typedef struct Visit { const Expr *e; ExprList parts; size_t next; } Visit;

static ExprList kept(Arena *a, ExprList list)
{
    const Expr **at = ARENA_ARRAY(a, const Expr *, list.len + 1);
    if (list.len > 0)
        memcpy(at, list.at, list.len * sizeof *at);
    return (ExprList){at, list.len};
}

// Of the terms that have one of the variables (NULL: of all), without what is known.
static ExprList order_of(Terms *t, ExprList roots, const ExprList *variables, const Table *known)
{
    Arena *scratch = arena_within(t->arena);
    Vec(const Expr *) order = {0};
    Vec(Visit) open = {0};
    Table *seen = table_new(scratch);
    ExprList top = roots;
    Visit start = {NULL, top, 0};
    vec_push(scratch, &open, start);
    while (open.len > 0) {
        Visit *v = &open.at[open.len - 1];
        if (v->next == v->parts.len) {
            if (v->e != NULL)
                vec_push(scratch, &order, v->e);
            open.len--;
            continue;
        }
        const Expr *part = v->parts.at[v->next++];
        if (table_get(seen, part) != NULL || (variables && !has_any(t, part, *variables)) ||
            (known && table_get(known, part) != NULL))
            continue;
        table_set(seen, part, t);
        Visit inner = {part, term_parts(t, part), 0};
        vec_push(scratch, &open, inner);
    }
    ExprList all = kept(t->arena, (ExprList){order.at, order.len});
    arena_free(scratch);
    return all;
}

ExprList term_order(Terms *t, ExprList roots) { return order_of(t, roots, NULL, NULL); }

ExprList term_order_with(Terms *t, ExprList roots, ExprList variables)
{
    return order_of(t, roots, &variables, NULL);
}

ExprList term_order_new(Terms *t, const Expr *root, const Table *known)
{
    return order_of(t, one(t, root), NULL, known);
}

// ---- substitution ----

typedef struct Put { Terms *terms; ExprList variables, values; Table *done; } Put;

static const Expr *put(Put *p, const Expr *e);

static ExprList put_all(Put *p, ExprList list)
{
    const Expr **at = ARENA_ARRAY(p->terms->arena, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = put(p, list.at[i]);
    return (ExprList){at, list.len};
}

static ExprList done_of(Table *done, Arena *a, ExprList list)
{
    const Expr **at = ARENA_ARRAY(a, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++) {
        const Expr *e = table_get(done, list.at[i]);
        at[i] = e != NULL ? e : list.at[i];
    }
    return (ExprList){at, list.len};
}

// Names as terms: indices, and then, in a loop, states of the types of `before`.
static ExprList names_as_terms(Terms *t, SymList names, ExprList before)
{
    const Expr **at = ARENA_ARRAY(t->arena, const Expr *, names.len + 1);
    const Ty *index = term_ty(t, ELEM_INT, (TyList){NULL, 0});
    for (size_t i = 0; i < names.len; i++)
        at[i] = term_name(t, names.at[i], i > 0 && i <= before.len ? before.at[i - 1]->ty : index);
    return (ExprList){at, names.len};
}

static ExprList before_of(const Expr *e)
{
    return e->kind == EXPR_LOOP ? e->loop.before : (ExprList){NULL, 0};
}

static const Expr *put_here(Put *p, const Expr *e)
{
    for (size_t i = 0; i < p->variables.len; i++)
        if (e == p->variables.at[i])
            return p->values.at[i];
    Terms *t = p->terms;
    return rebuilt(t, e, done_of(p->done, t->arena, term_parts(t, e)),
                   names_as_terms(t, bound_by(e), before_of(e)), put_all(p, bodies_of(t, e)));
}

static const Expr *put(Put *p, const Expr *e)
{
    Terms *t = p->terms;
    if (!has_any(t, e, p->variables))
        return e;
    const Expr *known = table_get(p->done, e);
    if (known != NULL)
        return known;
    ExprList order = order_of(t, one(t, e), &p->variables, p->done);
    for (size_t i = 0; i < order.len; i++)
        if (table_get(p->done, order.at[i]) == NULL)
            table_set(p->done, order.at[i], (void *)put_here(p, order.at[i]));
    return table_get(p->done, e);
}

const Expr *term_with(Terms *t, const Expr *e, ExprList variables, ExprList values)
{
    Put p = {t, variables, values, table_new(t->arena)};
    return put(&p, e);
}

// ---- binders ----

SymList term_close(Terms *t, ExprList indices, ExprList before, ExprList *bodies)
{
    Gathered g = {0, {0}};
    add_info(t, &g, *bodies, (SymList){NULL, 0});
    Sym *names = ARENA_ARRAY(t->arena, Sym, indices.len + 1);
    for (size_t i = 0; i < indices.len; i++)
        names[i] = names_format(t->names, "%%%u", g.height + 1 + (unsigned)i);
    SymList bound = {names, indices.len};
    Put p = {t, indices, names_as_terms(t, bound, before), table_new(t->arena)};
    *bodies = put_all(&p, *bodies);
    return bound;
}

static Opened opened_as(Terms *t, const Expr *e, ExprList variables)
{
    Opened o = {variables, bodies_of(t, e)};
    if (variables.len == 0)
        return o;
    Put p = {t, names_as_terms(t, bound_by(e), before_of(e)), variables, table_new(t->arena)};
    o.bodies = put_all(&p, o.bodies);
    return o;
}

Opened term_open(Terms *t, const Expr *e)
{
    SymList bound = bound_by(e);
    const Expr **new = ARENA_ARRAY(t->arena, const Expr *, bound.len + 1);
    for (size_t i = 0; i < bound.len; i++)
        new[i] = i > 0 && e->kind == EXPR_LOOP ? term_state(t, e->loop.before.at[i - 1]->ty)
                                               : term_variable(t);
    return opened_as(t, e, (ExprList){new, bound.len});
}

TermLoop term_open_loop_as(Terms *t, const Expr *e, const TermLoop *like)
{
    size_t n = e->loop.before.len;
    Opened o = opened_as(t, e, term_join(t, one(t, like->index), like->states));
    return (TermLoop){size_of_term(t, e->loop.size), e->loop.down != 0, like->index, like->states,
                      e->loop.before, {o.bodies.at, n}, term_drop(o.bodies, n)};
}

TermLoop term_open_loop(Terms *t, const Expr *e)
{
    Opened o = term_open(t, e);
    size_t n = e->loop.before.len;
    return (TermLoop){size_of_term(t, e->loop.size), e->loop.down != 0, o.indices.at[0],
                      term_drop(o.indices, 1), e->loop.before, {o.bodies.at, n},
                      term_drop(o.bodies, n)};
}

// ---- rewriting ----

static const Expr *stepped(TermPass *p, const Expr *original, const Expr *e)
{
    return p->step_from != NULL ? p->step_from(p, original, e) : p->step(p, e);
}

static const Expr *rewritten(TermPass *p, const Expr *e)
{
    Terms *t = p->terms;
    ExprList parts = term_parts(t, e), new = done_of(p->done, t->arena, parts);
    if (!is_binder(e)) {
        bool same = parts.len == 0 || memcmp(parts.at, new.at, parts.len * sizeof *new.at) == 0;
        return stepped(p, e, same ? e : term_like(t, e, new));
    }
    Opened o = term_open(t, e);
    const Expr **bodies = ARENA_ARRAY(t->arena, const Expr *, o.bodies.len + 1);
    for (size_t i = 0; i < o.bodies.len; i++)
        bodies[i] = term_rewrite(p, o.bodies.at[i]);
    return stepped(p, e, rebuilt(t, e, new, o.indices, (ExprList){bodies, o.bodies.len}));
}

const Expr *term_rewrite(TermPass *p, const Expr *root)
{
    if (p->done == NULL)
        p->done = table_new(p->terms->arena);
    ExprList order = term_order_new(p->terms, root, p->done);
    for (size_t i = 0; i < order.len; i++)
        if (table_get(p->done, order.at[i]) == NULL)
            table_set(p->done, order.at[i], (void *)rewritten(p, order.at[i]));
    return table_get(p->done, root);
}

// ---- text ----

// Of each term, and of all that is in bodies; `known` has the sizes.
static size_t sizes_of(Terms *t, Table *known, ExprList list)
{
    size_t largest = 0;
    ExprList order = order_of(t, list, NULL, known);
    for (size_t k = 0; k < order.len; k++) {
        ExprList parts = term_parts(t, order.at[k]), bodies = bodies_of(t, order.at[k]);
        size_t size = 1;
        if (bodies.len > 0) {
            (void)sizes_of(t, known, bodies);
            parts = term_join(t, parts, bodies);
        }
        for (size_t p = 0; p < parts.len && size < TERM_LARGE; p++)
            size += (size_t)(uintptr_t)table_get(known, parts.at[p]);
        size = size < TERM_LARGE ? size : TERM_LARGE;
        table_set(known, order.at[k], (void *)(uintptr_t)size);
    }
    for (size_t i = 0; i < list.len; i++) {
        size_t size = (size_t)(uintptr_t)table_get(known, list.at[i]);
        largest = size > largest ? size : largest;
    }
    return largest;
}

size_t term_text_size(Terms *t, ExprList list)
{
    return sizes_of(t, table_new(t->arena), list);
}

void term_hint(Terms *t, const Expr *e, Sym name)
{
    if (!term_is_atom(e) && table_get(t->hints, e) == NULL)
        table_set(t->hints, e, (void *)name);
}

Sym term_hinted(const Terms *t, const Expr *e) { return table_get(t->hints, e); }
