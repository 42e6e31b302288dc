// sparse.c - sparse Jacobians. A row of the root at symbols for its place reads some elements of
// each input: `cameras[i % n]` is a row of 11, whatever `n` is. What it reads becomes an input of
// its own, by which the row has a dense Jacobian; then this is built for all places.
//
// The symbols stand for the dimensions in front whose size is no number, one at least.

#include "compiler/pass/ad/bulk.h"
#include "compiler/pass/ad/jacobian.h"
#include "compiler/pass/ad/nest_internal.h"
#include "compiler/pass/ad/simplify.h"
#include "compiler/pass/ad/sparse.h"

typedef struct Read {
    const Expr *value;          // what the row reads
    const Expr *local;          // the variable in its place
    size_t   input;
    TyList   shape;             // of the indices of its own, then what is left of the input
    ExprList indices, place;    // the place in the input is of these indices and the symbols
} Read;

typedef struct Sparse {
    Terms *t;
    Arena *arena;
    const Expr *root;
    ExprList inputs;
    ExprList symbols;
    TyList   extents;
    size_t  *fixed;             // of each input: how many dimensions all of its reads fix
    Vec(Read) reads;
    bool     counting;
} Sparse;

static size_t input_number(const Sparse *s, const Expr *e)
{
    size_t i = 0;
    while (i < s->inputs.len && s->inputs.at[i] != e)
        i++;
    return i;
}

static bool has_symbol(Sparse *s, const Expr *e)
{
    for (size_t i = 0; i < s->symbols.len; i++)
        if (term_has(s->t, e, s->symbols.at[i]))
            return true;
    return false;
}

// It has no variables but the symbols.
static bool is_of_symbols(Sparse *s, const Expr *e)
{
    const Expr **zeros = ARENA_ARRAY(s->arena, const Expr *, s->symbols.len + 1);
    for (size_t i = 0; i < s->symbols.len; i++)
        zeros[i] = term_int(s->t, 0);
    return term_is_closed(s->t, term_with(s->t, e, s->symbols,
                                          (ExprList){zeros, s->symbols.len}));
}

// How many indices in front are of symbols, each of one at least.
static size_t count_fixed(Sparse *s, ExprList place)
{
    size_t n = 0;
    while (n < place.len && has_symbol(s, place.at[n]) && is_of_symbols(s, place.at[n]))
        n++;
    return n;
}

static const Expr *add_read(Sparse *s, Read r)
{
    for (size_t i = 0; i < s->reads.len; i++)
        if (s->reads.at[i].value == r.value)
            return s->reads.at[i].local;
    r.shape = term_shape(r.value);
    r.local = term_state(s->t, r.value->ty);
    vec_push(s->arena, &s->reads, r);
    return r.local;
}

static ExprList first_of(ExprList list, size_t n) { return (ExprList){list.at, n}; }

static const Expr *range_test(Sparse *s, ExprList place, TyList shape, ExprList variables,
                              TyList extents)
{
    Nest n = {.t = s->t, .arena = s->arena, .variables = variables, .extents = extents};
    return nest_range_test(&n, place, shape);
}

static const Expr *with_read(Sparse *s, const Expr *e, size_t input, ExprList indices,
                             ExprList place)
{
    Terms *t = s->t;
    size_t fixed = s->fixed[input];
    if (fixed == 0)             // as a whole, at places of its own
        return has_symbol(s, e) && is_of_symbols(s, e)
                   ? add_read(s, (Read){.value = e, .input = input, .indices = indices,
                                        .place = place}) : e;
    ExprList front = first_of(place, fixed), rest = term_drop(place, fixed);
    const Expr *x = s->inputs.at[input];
    TyList left = shape_drop(term_shape(x), fixed);
    bool is = range_test(s, front, term_shape(x), s->symbols, s->extents) == NULL;
    const Expr *value = is ? term_index(t, x, front)
                           : term_gather(t, left, x, (ExprList){NULL, 0}, front);
    const Expr *row = add_read(s, (Read){.value = value, .input = input, .place = front});
    return e->kind == EXPR_SUBSCRIPT ? term_index(t, row, rest)
                                     : nest_gather(t, term_shape(e), row, indices, rest);
}

static const Expr *step(TermPass *pass, const Expr *e)
{
    Sparse *s = pass->cx;
    const Expr *x = e->kind == EXPR_SUBSCRIPT ? e->subscript.value
                    : e->kind == EXPR_GATHER ? e->gather.array : NULL;
    size_t input = x == NULL ? s->inputs.len : input_number(s, x);
    if (input == s->inputs.len)
        return e;
    Opened o = {{NULL, 0}, {NULL, 0}};
    if (e->kind == EXPR_GATHER)
        o = term_open(s->t, e);
    else
        o.bodies = e->subscript.slice->tuple.elts;
    if (!s->counting)
        return with_read(s, e, input, o.indices, o.bodies);
    size_t fixed = count_fixed(s, o.bodies);
    if (fixed < s->fixed[input])
        s->fixed[input] = fixed;
    return e;
}

static const Expr *pass_over(Sparse *s, const Expr *row, bool counting)
{
    TermPass pass = {.terms = s->t, .step = step, .cx = s};
    s->counting = counting;
    return term_rewrite(&pass, row);
}

static const Expr *narrow(TermPass *pass, const Expr *e)
{
    return e->kind == EXPR_GATHER ? nest_gathered(pass->cx, e) : e;
}

static const Expr *narrowed(Nest *n, const Expr *row)
{
    const Expr *old = NULL;
    while (old != row) {
        TermPass pass = {.terms = n->t, .step = narrow, .cx = n};
        old = row;
        row = term_rewrite(&pass, row);
    }
    return row;
}

// Where a row is chosen by a test, the same test is true in what is chosen.
static const Expr *decided(TermPass *pass, const Expr *e)
{
    return e->kind == EXPR_WHERE && e->where.test == pass->cx ? e->where.on_true : e;
}

static const Expr *step_choice(TermPass *pass, const Expr *e)
{
    if (e->kind != EXPR_WHERE || term_rank(e->where.test) > 0)
        return e;
    TermPass inside = {.terms = pass->terms, .step = decided, .cx = (void *)e->where.test};
    return term_where(pass->terms, e->where.test, term_rewrite(&inside, e->where.on_true),
                      e->where.on_false);
}

static const Expr *with_choices(Terms *t, const Expr *row)
{
    TermPass pass = {.terms = t, .step = step_choice};
    return term_rewrite(&pass, row);
}

// What the row has of an input besides: all of it.
static void add_whole(Sparse *s, const Expr *row)
{
    ExprList order = term_order(s->t, term_list(s->t, row, NULL));
    for (size_t i = 0; i < order.len; i++) {
        size_t input = input_number(s, order.at[i]);
        if (input < s->inputs.len)
            vec_push(s->arena, &s->reads, ((Read){.value = order.at[i], .local = order.at[i],
                                                  .input = input,
                                                  .shape = term_shape(order.at[i])}));
    }
}

// ---- blocks ----

// For all indices of a shape.
static const Expr *for_all(Sparse *s, ExprList variables, TyList shape, const Expr *x)
{
    for (size_t i = shape.len; i-- > 0;)
        x = bulk_build(s->t, variables.at[i], shape.at[i], x);
    return x;
}

static const Expr *for_symbols(Sparse *s, const Expr *x)
{
    for (size_t i = s->extents.len; i-- > 0;)
        x = term_build(s->t, s->symbols.at[i], s->extents.at[i], x);
    return x;
}

static ExprList new_variables(Sparse *s, size_t n)
{
    const Expr **at = ARENA_ARRAY(s->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        at[i] = term_variable(s->t);
    return (ExprList){at, n};
}

static const Expr *element_number(Terms *t, ExprList place, TyList shape)
{
    const Expr *at = term_int(t, 0);
    for (size_t i = 0; i < place.len; i++) {
        const Expr *size = term_of_size(t, shape.at[i]);
        at = i == 0 ? place.at[0]
                    : term_binary(t, OPERATOR_ADD, term_binary(t, OPERATOR_MULT, at, size),
                                  place.at[i]);
    }
    return at;
}

// `jacobian` is of the row by the read, over the variables of all reads.
static SparseBlock block_of(Sparse *s, const Read *r, TyList out, const Expr *jacobian)
{
    Terms *t = s->t;
    const Expr *x = s->inputs.at[r->input];
    TyList shape = shape_join(t, out, r->shape), all = shape_join(t, s->extents, shape);
    ExprList own = new_variables(s, shape.len), mine = term_drop(own, out.len);
    const Expr **place = ARENA_ARRAY(s->arena, const Expr *, r->place.len + 1);
    for (size_t i = 0; i < r->place.len; i++)
        place[i] = term_with(t, r->place.at[i], r->indices, first_of(mine, r->indices.len));
    ExprList at = term_join(t, (ExprList){place, r->place.len}, term_drop(mine, r->indices.len));
    const Expr *test = range_test(s, (ExprList){place, r->place.len}, term_shape(x),
                                  term_join(t, s->symbols, own), all);
    const Expr *column = element_number(t, at, term_shape(x));
    if (test != NULL) {
        column = term_where(t, test, column, term_int(t, 0));
        jacobian = term_where(t, for_all(s, own, shape, test), jacobian,
                              term_zero(t, jacobian->ty));
    }
    return (SparseBlock){r->input, for_symbols(s, for_all(s, own, shape, column)),
                         for_symbols(s, jacobian)};
}

// What is read as a whole is the same for all rows, and so is what its tangents go through first.
static const Expr *derivative(Sparse *s, const Deltas *d, const Expr *row, const Read *r)
{
    bool whole = r->local == r->value;
    return whole && jacobian_is_smaller(s->t, r->local, s->root)
               ? jacobian_forward(s->t, d, row, r->local)
               : jacobian_of(s->t, d, row, term_list(s->t, r->local, NULL)).at[0];
}

static SparseBlocks blocks_of(Sparse *s, Partials *ps, const Expr *row)
{
    Terms *t = s->t;
    Vec(const Expr *) locals = {0}, values = {0};
    Vec(SparseBlock) blocks = {0};
    for (size_t i = 0; i < s->reads.len; i++) {
        vec_push(s->arena, &locals, s->reads.at[i].local);
        vec_push(s->arena, &values, s->reads.at[i].value);
    }
    ExprList from = {locals.at, locals.len}, to = {values.at, values.len};
    Deltas d = delta_of(t, ps, term_list(t, row, NULL), from);
    const Expr **each = ARENA_ARRAY(s->arena, const Expr *, from.len + 1);
    for (size_t i = 0; i < from.len; i++)
        each[i] = derivative(s, &d, row, &s->reads.at[i]);
    ExprList all = {each, from.len};
    size_t states = from.len;
    while (states > 0 && from.at[states - 1] == to.at[states - 1])
        states--;
    for (size_t input = 0; input < s->inputs.len; input++)
        for (size_t i = 0; i < all.len; i++)
            if (s->reads.at[i].input == input) {
                const Expr *jacobian = term_with(t, all.at[i], first_of(from, states),
                                                 first_of(to, states));
                vec_push(s->arena, &blocks, block_of(s, &s->reads.at[i], term_shape(row),
                                                     bulk_term(t, jacobian)));
            }
    return (SparseBlocks){blocks.at, blocks.len, NULL};
}

SparseBlocks sparse_jacobian(Terms *t, Partials *ps, const Expr *root, ExprList inputs)
{
    Sparse s = {.t = t, .arena = terms_arena(t), .root = root, .inputs = inputs};
    TyList shape = term_shape(root);
    int64_t number;
    size_t n = 1;
    while (n < shape.len && !poly_is_number(size_poly(t, shape.at[n]), &number))
        n++;
    s.symbols = new_variables(&s, n);
    s.extents = (TyList){shape.at, n};
    s.fixed = ARENA_ARRAY(s.arena, size_t, inputs.len + 1);
    for (size_t i = 0; i < inputs.len; i++)
        s.fixed[i] = term_rank(inputs.at[i]);
    Nest nest = {.t = t, .arena = s.arena, .parts = table_new(s.arena),
                 .variables = s.symbols, .extents = s.extents};
    const Expr *row = root;
    for (size_t i = 0; i < s.symbols.len; i++)
        row = pull_at(&nest, row, s.symbols.at[i]);
    row = nest_sliced(&nest, with_choices(t, narrowed(&nest, row)));
    const Expr *value = for_symbols(&s, bulk_term(t, row));
    (void)pass_over(&s, row, true);
    row = pass_over(&s, row, false);
    add_whole(&s, row);
    SparseBlocks blocks = blocks_of(&s, ps, bulk_term(t, row));
    blocks.value = value;
    return blocks;
}
