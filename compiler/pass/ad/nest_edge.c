// nest_edge.c - the edges of a loop: its first and last rounds, where what is read is out of range
// or a test answers otherwise. The rounds between are a loop without these tests, which can be done
// in vectors: `x[i - 1] if 0 <= i - 1 else 0` is tested once, not n times.

#include "compiler/pass/ad/nest_internal.h"
#include "compiler/pass/ad/simplify.h"
#include "compiler/pass/ad/simplify_internal.h"

// It is of this variable, and of no other name.
static bool is_of(Terms *t, const Expr *e, const Expr *variable)
{
    Poly p;
    if (!term_has(t, e, variable) || !term_poly(t, e, &p))
        return false;
    for (size_t i = 0; i < p.len; i++)
        for (size_t k = 0; k < p.at[i].names.len; k++)
            if (p.at[i].names.at[k] != variable->name.id)
                return false;
    return true;
}

static bool has_place_of(Terms *t, ExprList place, const Expr *variable)
{
    for (size_t i = 0; i < place.len; i++)
        if (is_of(t, place.at[i], variable))
            return true;
    return false;
}

bool nest_is_decided(Nest *n, const Expr *e, const Expr *v)
{
    Terms *t = n->t;
    if (e->kind == EXPR_ONE_HOT)
        return has_place_of(t, e->one_hot.place, v);
    if (e->kind == EXPR_GATHER && e->gather.indices.len == 0)
        return has_place_of(t, e->gather.place, v) &&
               nest_range_test(n, e->gather.place, term_shape(e->gather.array)) != NULL;
    if (e->kind != EXPR_COMPARE || term_rank(e) > 0)
        return false;
    const Expr *x = e->compare.left, *y = e->compare.comparators.at[0];
    return term_elem(x) == ELEM_INT && is_of(t, term_binary(t, OPERATOR_SUB, x, y), v);
}

// ---- which rounds they are ----

typedef struct Edging { Nest *n; const Expr *variable; Poly size; Edges edges; } Edging;

// The test changes its answer between the rounds at - 1 and at, or size + at - 1 and size + at.
static void add_edge(Edging *g, Poly at)
{
    enum { MOST = 4, LINE = 8 };            // the loop between begins at a line of the cache
    int64_t number;
    if (poly_is_number(at, &number)) {
        if (number > 0 && number <= MOST)
            g->edges.first = LINE;
    } else if (poly_is_number(poly_sub(g->n->arena, g->size, at), &number)) {
        if (number > g->edges.last && number <= MOST)
            g->edges.last = number;
    }
}

// Where x = variable + rest, or rest - variable, changes between negative and not.
static void add_test(Edging *g, Poly x)
{
    Arena *a = g->n->arena;
    Poly v = poly_name(a, g->variable->name.id), rest = poly_sub(a, x, v);
    Poly zero = poly_number(a, 0), one = poly_number(a, 1);
    Sym name = g->variable->name.id;
    if (poly_equal(poly_with(a, rest, name, zero), rest)) {
        add_edge(g, poly_sub(a, zero, rest));
        return;
    }
    rest = poly_add(a, x, v);
    if (poly_equal(poly_with(a, rest, name, zero), rest))
        add_edge(g, poly_add(a, rest, one));
}

// x - y, where the test is whether that is negative; of an equation both ways.
static void add_compare(Edging *g, const Expr *e)
{
    Arena *a = g->n->arena;
    Poly x, y, one = poly_number(a, 1);
    Cmpop op = e->compare.ops.at[0];
    if (term_rank(e) > 0 || !term_poly(g->n->t, e->compare.left, &x) ||
        !term_poly(g->n->t, e->compare.comparators.at[0], &y))
        return;
    if (op != CMPOP_GT && op != CMPOP_LT_E)
        add_test(g, poly_sub(a, x, y));
    if (op != CMPOP_LT && op != CMPOP_GT_E)
        add_test(g, poly_sub(a, y, x));
    if (op == CMPOP_EQ || op == CMPOP_NOT_EQ) {
        add_test(g, poly_sub(a, poly_sub(a, x, y), one));
        add_test(g, poly_sub(a, poly_sub(a, y, x), one));
    }
}

static void add_place(Edging *g, ExprList place, TyList sizes)
{
    Terms *t = g->n->t;
    Poly p;
    for (size_t i = 0; i < place.len; i++)
        if (!nest_in_range(g->n, place.at[i], sizes.at[i]) && term_poly(t, place.at[i], &p)) {
            add_test(g, p);
            add_test(g, poly_sub(g->n->arena, p, size_poly(t, sizes.at[i])));
        }
}

Edges nest_edges(Nest *n, const Expr *variable, const Ty *size, ExprList terms)
{
    enum { TERMS = 300 };
    Edging g = {n, variable, size_poly(n->t, size), {0, 0}};
    ExprList order = term_order(n->t, terms);
    for (size_t i = 0; i < order.len && order.len <= TERMS; i++) {
        const Expr *e = order.at[i];
        if (e->kind == EXPR_COMPARE && term_has(n->t, e, variable))
            add_compare(&g, e);
        if (e->kind == EXPR_GATHER && e->gather.indices.len == 0)
            add_place(&g, e->gather.place, term_shape(e->gather.array));
    }
    return g.edges;
}

// ---- between them ----

static bool is_positive(Nest *n, const Expr *x, const Expr *y, int64_t more)
{
    const Expr *d = term_binary(n->t, OPERATOR_SUB, x, y);
    return simplify_never_negative(n->t, term_binary(n->t, OPERATOR_SUB, d, term_int(n->t, more)),
                                   n->variables, n->extents);
}

// What is proved of x and y.
static const Expr *decided(Nest *n, const Expr *e)
{
    const Expr *x = e->compare.left, *y = e->compare.comparators.at[0];
    if (term_rank(e) > 0 || term_elem(x) != ELEM_INT || term_elem(y) != ELEM_INT)
        return e;
    bool above = is_positive(n, x, y, 0), more = above && is_positive(n, x, y, 1);
    bool below = is_positive(n, y, x, 0), less = below && is_positive(n, y, x, 1);
    Cmpop op = e->compare.ops.at[0];
    if (x == y && (op == CMPOP_EQ || op == CMPOP_NOT_EQ))
        return term_bool(n->t, op == CMPOP_EQ);
    if (op == CMPOP_EQ || op == CMPOP_NOT_EQ)
        return more || less ? term_bool(n->t, op == CMPOP_NOT_EQ) : e;
    if (op == CMPOP_LT || op == CMPOP_GT_E)
        return above || less ? term_bool(n->t, less == (op == CMPOP_LT)) : e;
    return below || more ? term_bool(n->t, more == (op == CMPOP_GT)) : e;
}

// Parts of a concatenation are added up: in a round of one of them the others are 0.
static bool is_added_to_none(const Expr *e)
{
    return e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_ADD &&
           (term_is_float(e->bin_op.left, 0.0) || term_is_float(e->bin_op.right, 0.0));
}

static const Expr *decide_step(TermPass *p, const Expr *e)
{
    if (e->kind == EXPR_COMPARE)
        return decided(p->cx, e);
    bool choice = e->kind == EXPR_WHERE || (e->kind == EXPR_BIN_OP && term_elem(e) == ELEM_BOOL);
    return choice || is_added_to_none(e) ? simplify_here(p->terms, e) : e;
}

const Expr *nest_decided(Nest *n, const Expr *e)
{
    TermPass p = {.terms = n->t, .step = decide_step, .cx = n};
    return term_rewrite(&p, e);
}
