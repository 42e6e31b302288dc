// nest_flat.c - what a block has decided as statements: stores, loops, and the numbers in them.
//
// In a strip, what is a number for each of its rounds is computed in a loop over them; what is
// summed over them has PARTS partial sums, in a fixed order, so that such a loop can be done in
// vectors as it stands.

#include <string.h>

#include "compiler/pass/ad/nest_internal.h"

#define NOWHERE ((Span){0, 0})

// ---- expressions ----

const Ty *nest_ty(Nest *n, Elem elem)
{
    static const char *const names[ELEM_COUNT] = {"float", "int", "bool"};
    return ty_named(n->arena, names_get(n->t->names, names[elem]), (TyList){NULL, 0});
}

const Ty *nest_array_ty(Nest *n, Elem elem)
{
    const Ty **of = ARENA_NEW(n->arena, const Ty *);
    *of = nest_ty(n, elem);
    return ty_named(n->arena, n->t->array, (TyList){of, 1});
}

static const Expr *typed(Nest *n, const Expr *e, const Ty *ty)
{
    return expr_with_ty(n->arena, e, ty, (SymList){NULL, 0});
}

const Expr *nest_int(Nest *n, int64_t number)
{
    return typed(n, term_int(n->t, number), nest_ty(n, ELEM_INT));
}

const Expr *nest_var(Nest *n, Sym name, Elem elem, bool store)
{
    return typed(n, expr_name(n->arena, NOWHERE, name, store ? EXPR_CONTEXT_STORE
                                                             : EXPR_CONTEXT_LOAD),
                 nest_ty(n, elem));
}

const Expr *nest_binary(Nest *n, const Expr *x, Operator op, const Expr *y)
{
    return typed(n, expr_bin_op(n->arena, NOWHERE, x, op, y), x->ty);
}

const Expr *nest_np(Nest *n, const char *f, ExprList args, Elem elem)
{
    const Expr *np = expr_name(n->arena, NOWHERE, names_get(n->t->names, "np"), EXPR_CONTEXT_LOAD);
    const Expr *of = expr_attribute(n->arena, NOWHERE, np, names_get(n->t->names, f),
                                    EXPR_CONTEXT_LOAD);
    return typed(n, expr_call(n->arena, NOWHERE, of, args, (KeywordList){NULL, 0}),
                 nest_ty(n, elem));
}

static const Expr *builtin(Nest *n, const char *f, ExprList args)
{
    const Expr *name = expr_name(n->arena, NOWHERE, names_get(n->t->names, f), EXPR_CONTEXT_LOAD);
    return typed(n, expr_call(n->arena, NOWHERE, name, args, (KeywordList){NULL, 0}),
                 nest_ty(n, ELEM_INT));
}

const Expr *nest_min(Nest *n, const Expr *x, const Expr *y)
{
    return builtin(n, "min", term_list(n->t, x, y));
}

const Expr *nest_max(Nest *n, const Expr *x, const Expr *y)
{
    return builtin(n, "max", term_list(n->t, x, y));
}

static bool is_number(const Expr *e, int64_t number) { return term_is_int(e, number); }

static const Expr *times(Nest *n, const Expr *x, const Expr *y)
{
    return is_number(x, 0) || is_number(y, 1) ? x
           : is_number(x, 1) ? y : nest_binary(n, x, OPERATOR_MULT, y);
}

static const Expr *plus(Nest *n, const Expr *x, const Expr *y)
{
    return is_number(x, 0) ? y : is_number(y, 0) ? x : nest_binary(n, x, OPERATOR_ADD, y);
}

// ---- names and stores ----

Sym nest_name(Nest *n, const char *wanted)
{
    Sym name = names_get(n->t->names, wanted);
    while (table_get(n->taken, name) != NULL)
        name = names_format(n->t->names, "%s%u", wanted, ++n->numbered);
    table_set(n->taken, name, n);
    return name;
}

static bool is_scalar(const Store *s) { return s->shape.len == 0 && !s->strip && !s->given; }

// What it is made of: truths of the lanes of a strip are as wide as the numbers that they choose,
// so that one loop of vectors does both.
static Elem held_as(const Store *s)
{
    return s->strip && s->elem == ELEM_BOOL ? ELEM_INT : s->elem;
}

static const Expr *count_of(Nest *n, const Store *s)
{
    const Expr *count = nest_int(n, 1);
    for (size_t i = 0; i < s->shape.len; i++)
        count = times(n, count, nest_size(n, s->shape.at[i]));
    return s->strip ? times(n, count, nest_int(n, NEST_LANES)) : count;
}

const Expr *nest_array(Nest *n, const Store *s, bool store)
{
    return typed(n, expr_name(n->arena, NOWHERE, s->name, store ? EXPR_CONTEXT_STORE
                                                                : EXPR_CONTEXT_LOAD),
                 nest_array_ty(n, held_as(s)));
}

static const Expr *array_element(Nest *n, const Store *s, const Expr *at, bool store)
{
    return typed(n, expr_subscript(n->arena, NOWHERE, nest_array(n, s, false), at,
                                   store ? EXPR_CONTEXT_STORE : EXPR_CONTEXT_LOAD),
                 nest_ty(n, s->elem));
}

static void put(Nest *n, Stmts *out, const Stmt *s) { vec_push(n->arena, out, s); }

Store *nest_store(Nest *n, const char *wanted, Elem elem, TyList shape, bool strip)
{
    static const char *const kinds[ELEM_COUNT] = {"float", "int", "bool"};
    Store *s = ARENA_NEW(n->arena, Store);
    *s = (Store){.name = nest_name(n, wanted), .elem = elem, .shape = shape, .strip = strip};
    if (is_scalar(s))
        return s;
    const Expr *kind = expr_name(n->arena, NOWHERE, names_get(n->t->names, kinds[held_as(s)]),
                                 EXPR_CONTEXT_LOAD);
    const Expr *make = nest_np(n, "empty", term_list(n->t, count_of(n, s), kind), elem);
    const Expr **target = ARENA_NEW(n->arena, const Expr *);
    *target = nest_array(n, s, true);
    put(n, &n->stores, stmt_assign(n->arena, NOWHERE, (ExprList){target, 1},
                                   typed(n, make, (*target)->ty)));
    for (size_t i = 0; i < shape.len; i++)
        nest_need(n, shape.at[i], false);
    return s;
}

// ---- statements ----

void nest_assign(Nest *n, const Expr *to, const Expr *value)
{
    const Expr **target = ARENA_NEW(n->arena, const Expr *);
    *target = to;
    put(n, n->out, stmt_assign(n->arena, NOWHERE, (ExprList){target, 1}, value));
}

void nest_loop(Nest *n, Sym counter, const Expr *first, const Expr *end, int64_t step, Stmts body)
{
    Exprs args = {0};
    if (step != 1 || !is_number(first, 0))
        vec_push(n->arena, &args, first);
    vec_push(n->arena, &args, end);
    if (step != 1)
        vec_push(n->arena, &args, nest_int(n, step));
    put(n, n->out, stmt_for(n->arena, NOWHERE, nest_var(n, counter, ELEM_INT, true),
                            builtin(n, "range", (ExprList){args.at, args.len}),
                            (StmtList){body.at, body.len}, (StmtList){NULL, 0}));
}

void nest_if(Nest *n, const Expr *test, Stmts body)
{
    put(n, n->out, stmt_if(n->arena, NOWHERE, test, (StmtList){body.at, body.len},
                           (StmtList){NULL, 0}));
}

static Stmts *begin(Nest *n, Stmts *body)
{
    Stmts *outer = n->out;
    *body = (Stmts){0};
    n->out = body;
    return outer;
}

// ---- the numbers of one place in the program ----

typedef struct Scope { Nest *n; Table *uses, *done; int depth; } Scope;

static const Expr *flat(Scope *s, const Expr *e);

const Expr *nest_size(Nest *n, const Ty *size)
{
    Scope s = {n, NULL, table_new(n->arena), 0};
    return flat(&s, term_of_size(n->t, size));
}

const Expr *nest_end(Nest *n, const Ty *size) { return nest_size(n, size_rounds(n->t, size)); }

void nest_unless_zeros(Nest *n, ExprList factors, Stmts body)
{
    Scope s = {n, NULL, table_new(n->arena), 0};
    const Expr *any = NULL, *row = nest_row_moves(n, factors);
    for (size_t i = 0; i < factors.len; i++) {
        const Expr *test = term_compare(n->t, CMPOP_NOT_EQ, factors.at[i], term_float(n->t, 0.0));
        any = any == NULL ? test : term_binary(n->t, OPERATOR_BIT_OR, any, test);
    }
    nest_if(n, row != NULL ? row : flat(&s, any), body);
}

// The number of an element in its store.
static const Expr *offset(Scope *s, Slot p)
{
    Nest *n = s->n;
    const Expr *at = nest_int(n, 0);
    for (size_t i = 0; i < p.index.len; i++) {
        const Expr *index = flat(s, p.index.at[i]);
        if (i == 0 && p.store->through != NULL)
            index = array_element(n, p.store->through, index, false);
        at = plus(n, times(n, at, nest_size(n, p.store->shape.at[i])), index);
    }
    return p.store->strip ? plus(n, times(n, at, nest_int(n, NEST_LANES)), n->lane) : at;
}

static const Expr *element(Scope *s, Slot p, bool store)
{
    Nest *n = s->n;
    if (is_scalar(p.store))
        return nest_var(n, p.store->name, p.store->elem, store);
    return array_element(n, p.store, offset(s, p), store);
}

const Expr *nest_element(Nest *n, Slot p, bool store)
{
    Scope s = {n, NULL, table_new(n->arena), 0};
    return element(&s, p, store);
}

const Expr *nest_compare(Nest *n, const Expr *x, Cmpop op, const Expr *y)
{
    Cmpop *ops = ARENA_NEW(n->arena, Cmpop);
    *ops = op;
    return typed(n, expr_compare(n->arena, NOWHERE, x, (CmpopList){ops, 1},
                                 term_list(n->t, y, NULL)), nest_ty(n, ELEM_BOOL));
}

static const Expr *both(Nest *n, Boolop op, const Expr *x, const Expr *y)
{
    return x == NULL ? y : typed(n, expr_bool_op(n->arena, NOWHERE, op, term_list(n->t, x, y)),
                                 nest_ty(n, ELEM_BOOL));
}

// What a place must pass; NULL: it is proved to be in range.
static const Expr *range_test(Scope *s, ExprList place, TyList sizes)
{
    Nest *n = s->n;
    const Expr *test = NULL;
    for (size_t i = 0; i < place.len; i++) {
        if (nest_in_range(n, place.at[i], sizes.at[i]))
            continue;
        const Expr *at = flat(s, place.at[i]);
        test = both(n, BOOLOP_AND, test, nest_compare(n, nest_int(n, 0), CMPOP_LT_E, at));
        test = both(n, BOOLOP_AND, test, nest_compare(n, at, CMPOP_LT,
                                                 nest_size(n, sizes.at[i])));
    }
    return test;
}

static const Expr *zero(Nest *n, Elem elem)
{
    return typed(n, term_zero(n->t, term_ty(n->t, elem, (TyList){NULL, 0})), nest_ty(n, elem));
}

static const Expr *choice(Nest *n, const Expr *test, const Expr *x, const Expr *y)
{
    return test == NULL ? x : typed(n, expr_if_exp(n->arena, NOWHERE, test, x, y), x->ty);
}

static Slot filled(Nest *n, Slot p, ExprList with)
{
    const Expr **at = ARENA_ARRAY(n->arena, const Expr *, p.index.len + 1);
    size_t next = 0;
    for (size_t i = 0; i < p.index.len; i++)
        at[i] = p.index.at[i] != NULL ? p.index.at[i]
                : next < with.len     ? with.at[next++] : NULL;
    return (Slot){p.store, {at, p.index.len}};
}

// An element of what is stored under this name, 0 where there is none.
static const Expr *read(Scope *s, const Expr *array, ExprList place)
{
    Slot *p = array->kind == EXPR_NAME ? table_get(s->n->places, array->name.id) : NULL;
    if (p == NULL) {
        s->n->failed = true;
        return zero(s->n, term_elem(array));
    }
    const Expr *test = range_test(s, place, term_shape(array));
    return choice(s->n, test, element(s, filled(s->n, *p, place), false),
                  zero(s->n, term_elem(array)));
}

static const Expr *flat_named(Scope *s, const Expr *e)
{
    Nest *n = s->n;
    const Expr *value = table_get(n->values, e->name.id);
    if (value != NULL)
        return value;
    n->failed = n->failed || (e->name.id[0] == '%' && table_get(n->places, e->name.id) == NULL);
    return table_get(n->places, e->name.id) != NULL ? read(s, e, (ExprList){NULL, 0})
                                                    : nest_var(n, e->name.id, term_elem(e), false);
}

static void flat_all(Scope *s, ExprList parts, const Expr **x)
{
    for (size_t i = 0; i < parts.len; i++)
        x[i] = flat(s, parts.at[i]);
}

static const Expr *temp(Scope *s, const Expr *value, Elem elem)
{
    if (value->kind == EXPR_NAME || value->kind == EXPR_CONSTANT)
        return value;
    Sym name = nest_name(s->n, "t");
    nest_assign(s->n, nest_var(s->n, name, elem, true), value);
    return nest_var(s->n, name, elem, false);
}

// It is of the order of the places of an array: a product of two sizes or counters at most. Other
// ints wrap around as those of numpy do.
static bool is_place(const Nest *n, Poly p)
{
    enum { LARGE = 1 << 16 };
    for (size_t i = 0; i < p.len; i++) {
        Mono m = p.at[i];
        if (m.names.len > 2 || (m.names.len > 0 && (m.factor > LARGE || m.factor < -LARGE)))
            return false;
        for (size_t k = 0; k < m.names.len; k++)
            if (m.names.at[k][0] != '%' && table_get(n->size_names, m.names.at[k]) == NULL)
                return false;
    }
    return true;
}

static const Expr *operation(Scope *s, const Expr *e, const Expr *const *x)
{
    static const struct { Operator op; const char *np; } calls[] = {
        {OPERATOR_POW, "power"}, {OPERATOR_MOD, "remainder"}, {OPERATOR_FLOOR_DIV, "floor_divide"},
        {OPERATOR_ADD, "add"}, {OPERATOR_SUB, "subtract"}, {OPERATOR_MULT, "multiply"}};
    Nest *n = s->n;
    Operator op = e->bin_op.op;
    Poly p;
    bool size = s->uses == NULL;        // is checked on entry
    bool wraps = term_elem(e) == ELEM_INT && !(term_poly(n->t, e, &p) && (size || is_place(n, p)));
    if (op == OPERATOR_POW && (term_is_float(e->bin_op.right, 2.0)
                               || term_is_int(e->bin_op.right, 2))) {
        const Expr *base = temp(s, x[0], term_elem(e->bin_op.left));
        return wraps ? nest_np(n, "multiply", term_list(n->t, base, base), ELEM_INT)
                     : nest_binary(n, base, OPERATOR_MULT, base);
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].op == op && (i < 3 || wraps))
            return nest_np(n, calls[i].np, (ExprList){x, 2}, term_elem(e));
    return typed(n, expr_bin_op(n->arena, NOWHERE, x[0], op, x[1]), nest_ty(n, term_elem(e)));
}

static const Expr *flat_here(Scope *s, const Expr *e)
{
    Nest *n = s->n;
    ExprList parts = term_parts(n->t, e);
    const Expr **x = ARENA_ARRAY(n->arena, const Expr *, parts.len + 1);
    switch ((int)e->kind) {
    case EXPR_CONSTANT:  return typed(n, e, nest_ty(n, term_elem(e)));
    case EXPR_NAME:      return flat_named(s, e);
    case EXPR_SUBSCRIPT: return read(s, e->subscript.value, e->subscript.slice->tuple.elts);
    case EXPR_GATHER:    return read(s, e->gather.array, e->gather.place);
    }
    if (term_rank(e) > 0 || !(term_is_elementwise(e) || e->kind == EXPR_WHERE)) {
        n->failed = true;
        return zero(n, term_elem(e));
    }
    flat_all(s, parts, x);
    switch ((int)e->kind) {
    case EXPR_BIN_OP:    return operation(s, e, x);
    case EXPR_UNARY_OP:
        return typed(n, expr_unary_op(n->arena, NOWHERE, e->unary_op.op, x[0]),
                     nest_ty(n, term_elem(e)));
    case EXPR_COMPARE:   return nest_compare(n, x[0], e->compare.ops.at[0], x[1]);
    case EXPR_WHERE:     return choice(n, x[0], x[1], x[2]);
    }
    return nest_np(n, term_function(e), (ExprList){x, parts.len}, term_elem(e));
}

// Nothing is gained by a name for it.
static bool is_trivial(Nest *n, const Expr *e)
{
    Poly p;
    return term_is_atom(e) || (term_elem(e) == ELEM_INT && term_poly(n->t, e, &p));
}

static const Expr *flat(Scope *s, const Expr *e)
{
    enum { DEEP = 24 };
    const Expr *known = table_get(s->done, e);
    if (known != NULL)
        return known;
    int depth = s->depth;
    const Expr *value = flat_here(s, e);
    bool shared = s->uses != NULL && (uintptr_t)table_get(s->uses, e) > 1;
    s->depth = depth > s->depth ? depth : s->depth;
    if (s->uses != NULL && !is_trivial(s->n, e) && (shared || ++s->depth > DEEP)) {
        value = temp(s, value, term_elem(e));
        s->depth = 0;
    }
    table_set(s->done, e, (void *)value);
    return value;
}

// Whether each round of a strip has elements of its own there.
bool nest_moves(const Nest *n, Slot to)
{
    for (size_t i = 0; i < to.index.len; i++)
        if (to.index.at[i] != NULL && in_strip(n, to.index.at[i]))
            return true;
    return to.store->strip;
}

// ---- items ----

static ExprList terms_of(Nest *n, const Item *item)
{
    Exprs all = {0};
    vec_push(n->arena, &all, item->term);
    for (size_t i = 0; i < item->to.index.len; i++)
        if (item->to.index.at[i] != NULL)
            vec_push(n->arena, &all, item->to.index.at[i]);
    for (size_t i = 0; i < item->at.len; i++)
        vec_push(n->arena, &all, item->at.at[i]);
    return (ExprList){all.at, all.len};
}

static Scope scope_of(Nest *n, const Item *items, size_t len)
{
    Scope s = {n, table_new(n->arena), table_new(n->arena), 0};
    Exprs roots = {0};
    for (size_t i = 0; i < len; i++) {
        ExprList terms = terms_of(n, &items[i]);
        for (size_t k = 0; k < terms.len; k++)
            vec_push(n->arena, &roots, terms.at[k]);
    }
    ExprList order = term_order(n->t, (ExprList){roots.at, roots.len});
    for (size_t i = 0; i < order.len + 1; i++) {
        ExprList parts = i == 0 ? (ExprList){roots.at, roots.len}
                                : nest_parts(n, order.at[i - 1]);
        for (size_t k = 0; k < parts.len; k++)
            table_set(s.uses, parts.at[k],
                      (void *)((uintptr_t)table_get(s.uses, parts.at[k]) + 1));
    }
    return s;
}

void nest_raise(Nest *n, const char *class, const char *text)
{
    const Const *message = const_str(n->arena, (Text){text, strlen(text)});
    const Expr *args = expr_constant(n->arena, NOWHERE, message, NULL);
    put(n, n->out, stmt_raise(n->arena, NOWHERE, builtin(n, class, term_list(n->t, args, NULL)),
                              NULL));
}

static void check(Scope *s, const Item *item)
{
    Stmts body;
    const Expr *test = flat(s, item->term);
    Stmts *outer = begin(s->n, &body);
    nest_raise(s->n, "IndexError", s->n->broken);
    s->n->out = outer;
    nest_if(s->n, test, body);
}

static void combine(Scope *s, const Item *item, Slot to, const Expr *value)
{
    static const char *const np[] = {[MODE_MAX] = "maximum", [MODE_MIN] = "minimum"};
    Nest *n = s->n;
    const Expr *old = element(s, to, false), *new = value;
    if (!item->fresh)
        new = item->mode == MODE_SUM
                  ? nest_binary(n, old, OPERATOR_ADD, value)
                  : nest_np(n, np[item->mode], term_list(n->t, old, value), to.store->elem);
    nest_assign(n, element(s, to, true), new);
}

static const Expr *negated(Nest *n, const Expr *test)
{
    return typed(n, expr_unary_op(n->arena, NOWHERE, UNARYOP_NOT, test), test->ty);
}

// Whether a value that is not at most the best so far is larger: NaN is larger than all numbers.
// For lanes side by side one more comparison answers that; where one element comes after the other,
// a C compiler would make the comparison of the best with itself for each of them.
static const Expr *is_more(Nest *n, const Item *item, const Expr *value, const Expr *best)
{
    const Expr *number = nest_compare(n, best, CMPOP_EQ, best);
    if (nest_moves(n, item->best))
        return number;
    Cmpop op = item->mode == MODE_ARG_MAX ? CMPOP_GT : CMPOP_LT;
    const Expr *nan = both(n, BOOLOP_AND, nest_compare(n, value, CMPOP_NOT_EQ, value), number);
    return both(n, BOOLOP_OR, nest_compare(n, value, op, best), nan);
}

// The first of the largest. One comparison rejects most elements.
static void arg(Scope *s, const Item *item, const Expr *value)
{
    Nest *n = s->n;
    Stmts body;
    value = temp(s, value, item->best.store->elem);
    const Expr *best = element(s, item->best, false);
    Cmpop op = item->mode == MODE_ARG_MAX ? CMPOP_LT_E : CMPOP_GT_E;
    const Expr *not_more = negated(n, nest_compare(n, value, op, best));
    const Expr *at = flat(s, item->at.at[0]);
    Stmts *outer = begin(n, &body);
    nest_assign(n, element(s, item->best, true), value);
    nest_assign(n, element(s, item->to, true), at);
    n->out = outer;
    nest_if(n, both(n, BOOLOP_AND, not_more, is_more(n, item, value, best)), body);
}

static void flat_item(Scope *s, const Item *item)
{
    Nest *n = s->n;
    if (item->mode == MODE_CHECK) {
        check(s, item);
        return;
    }
    const Expr *value = flat(s, item->term);
    if (item->mode == MODE_ARG_MAX || item->mode == MODE_ARG_MIN) {
        arg(s, item, value);
        return;
    }
    Vec(const Ty *) free = {0};
    for (size_t i = 0; i < item->to.index.len; i++)
        if (item->to.index.at[i] == NULL)
            vec_push(n->arena, &free, item->to.store->shape.at[i]);
    const Expr *test = range_test(s, item->at, (TyList){free.at, free.len});
    Slot to = filled(n, item->to, item->at);
    if (test == NULL) {
        combine(s, item, to, value);
        return;
    }
    Stmts body;
    Stmts *outer = begin(n, &body);
    combine(s, item, to, value);
    n->out = outer;
    nest_if(n, test, body);
}

static void flat_list(Nest *n, const Item *items, size_t len)
{
    Scope s = scope_of(n, items, len);
    for (size_t i = 0; i < len; i++)
        flat_item(&s, &items[i]);
}

// ---- in a strip ----

static void set_lane(Nest *n, const Expr *lane)
{
    n->lane = lane;
    table_set(n->values, n->strip->name.id, (void *)plus(n, n->start, lane));
}

void nest_lane_loop(Nest *n, const Item *items, size_t len)
{
    Stmts body;
    if (len == 0)
        return;
    Sym b = nest_name(n, "b");
    Stmts *outer = begin(n, &body);
    set_lane(n, nest_var(n, b, ELEM_INT, false));
    flat_list(n, items, len);
    n->out = outer;
    nest_loop(n, b, nest_int(n, 0), n->width, 1, body);
}

// What is summed: the term of an item, or, without one, elements of an array from a place.
static const Expr *lane_value(Nest *n, const Item *item, const Expr *lane)
{
    if (item->term == NULL)
        return array_element(n, item->to.store, plus(n, item->to.index.at[0], lane), false);
    Scope s = scope_of(n, item, 1);
    set_lane(n, lane);
    return flat(&s, item->term);
}

static void add_to_part(Nest *n, const Item *item, const Store *parts, const Expr *lane,
                        const Expr *part)
{
    const Expr *value = lane_value(n, item, lane);
    nest_assign(n, array_element(n, parts, part, true),
                nest_binary(n, array_element(n, parts, part, false), OPERATOR_ADD, value));
}

// ((p0 + p1) + (p2 + p3)) + ...
static const Expr *sum_of_parts(Nest *n, const Store *parts, int64_t first, int64_t len)
{
    if (len > 1)
        return nest_binary(n, sum_of_parts(n, parts, first, len / 2), OPERATOR_ADD,
                           sum_of_parts(n, parts, first + len / 2, len / 2));
    return array_element(n, parts, nest_int(n, first), false);
}

static const Store *part_store(Nest *n, Elem elem, int64_t parts)
{
    const Ty **shape = ARENA_NEW(n->arena, const Ty *);
    *shape = size_number(n->t, parts);
    return nest_store(n, "part", elem, (TyList){shape, 1}, false);
}

// How many lanes are in groups of so many.
static const Expr *whole_groups(Nest *n, int64_t parts)
{
    return nest_binary(n, n->width, OPERATOR_BIT_AND, nest_int(n, -parts));
}

static const Expr *partial_sums(Nest *n, const Item *item)
{
    Elem elem = item->to.store->elem;
    const Store *parts = part_store(n, elem, PARTS);
    Sym b = nest_name(n, "b"), u = nest_name(n, "u");
    Stmts inner, body;
    nest_fill(n, nest_whole(n, parts), zero(n, elem));
    const Expr *at = nest_var(n, b, ELEM_INT, false), *part = nest_var(n, u, ELEM_INT, false);
    const Expr *rest = whole_groups(n, PARTS);
    Stmts *outer = begin(n, &body);
    begin(n, &inner);
    add_to_part(n, item, parts, plus(n, at, part), part);
    n->out = &body;
    nest_loop(n, u, nest_int(n, 0), nest_int(n, PARTS), 1, inner);
    n->out = outer;
    nest_loop(n, b, nest_int(n, 0), rest, PARTS, body);
    begin(n, &body);
    add_to_part(n, item, parts, at, nest_int(n, 0));
    n->out = outer;
    nest_loop(n, b, rest, n->width, 1, body);
    return sum_of_parts(n, parts, 0, PARTS);
}

void nest_lane_sum(Nest *n, const Store *array, const Expr *first, const Expr *width)
{
    n->width = width;
    Item item = {.to = {array, term_list(n->t, first, NULL)}};
    put(n, n->out, stmt_return(n->arena, NOWHERE, partial_sums(n, &item)));
}

// Where one element for each lane lies, one beside the other: in the strip, or in a row along it.
static bool is_in_lanes(Nest *n, const Expr *e, Slot *slot)
{
    const Expr *array = e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e;
    ExprList place = e->kind == EXPR_SUBSCRIPT ? e->subscript.slice->tuple.elts
                                               : (ExprList){NULL, 0};
    const Slot *p = array->kind == EXPR_NAME ? table_get(n->places, array->name.id) : NULL;
    if (p == NULL || p->store->elem != ELEM_FLOAT ||
        nest_range_test(n, place, term_shape(array)) != NULL)
        return false;
    *slot = filled(n, *p, place);
    size_t others = slot->index.len;
    if (!p->store->strip && (others == 0 || slot->index.at[--others] != n->strip))
        return false;
    for (size_t i = 0; i < others; i++)
        if (in_strip(n, slot->index.at[i]))
            return false;
    return true;
}

// Products are the hot ones: they are summed as they are made. That is four loops, which the C
// compiler would pay for at each of the other sums, too.
static bool is_summed_here(const Item *item)
{
    const Expr *e = item->term;
    return item->to.store->elem != ELEM_FLOAT ||
           (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_MULT);
}

static const Expr *call_lane_sum(Nest *n, Slot from)
{
    Scope s = {n, NULL, table_new(n->arena), 0};
    set_lane(n, nest_int(n, 0));
    const Expr **args = ARENA_ARRAY(n->arena, const Expr *, 3);
    args[0] = nest_array(n, from.store, false);
    args[1] = offset(&s, from);
    args[2] = n->width;
    n->strips->sums = true;
    const Expr *f = expr_name(n->arena, NOWHERE, names_get(n->t->names, NEST_LANE_SUM),
                              EXPR_CONTEXT_LOAD);
    return typed(n, expr_call(n->arena, NOWHERE, f, (ExprList){args, 3}, (KeywordList){NULL, 0}),
                 nest_ty(n, ELEM_FLOAT));
}

static const Expr *sum_over_lanes(Nest *n, const Item *item)
{
    Slot from;
    if (is_summed_here(item))
        return partial_sums(n, item);
    if (!is_in_lanes(n, item->term, &from)) {
        from = (Slot){nest_store(n, "each", ELEM_FLOAT, (TyList){NULL, 0}, true), {NULL, 0}};
        nest_over_lanes(n, &(Item){.term = item->term, .to = from, .mode = MODE_SUM,
                                   .fresh = true}, 1);
    }
    return call_lane_sum(n, from);
}

static void add_sum(Nest *n, const Item *item, const Expr *sum)
{
    Scope s = scope_of(n, item, 1);
    const Expr *old = element(&s, item->to, false);
    nest_assign(n, element(&s, item->to, true), nest_binary(n, old, OPERATOR_ADD, sum));
}

// ---- sums over lanes that share operations ----

// An operation of each lane: not what is read, nor what is the same in all lanes.
bool nest_is_lane_work(Nest *n, const Expr *e)
{
    return term_rank(e) == 0 && (term_is_elementwise(e) || e->kind == EXPR_WHERE) &&
           !is_trivial(n, e) && in_strip(n, e);
}

// Whether it needs an operation that is in the table, or is the first; then the table has all of
// its own, too.
static bool shares_work(Nest *n, const Item *item, Table *work, bool first)
{
    bool shares = first;
    ExprList order = term_order(n->t, term_list(n->t, item->term, NULL));
    for (size_t i = 0; i < order.len; i++)
        shares = shares || (nest_is_lane_work(n, order.at[i]) &&
                            table_get(work, order.at[i]) != NULL);
    for (size_t i = 0; i < order.len && shares; i++)
        table_set(work, order.at[i], n);
    return shares;
}

// A sum and the later ones that share operations with it, or with another sum of the group.
static Items sharing(Nest *n, const Items *sums, size_t first, Table *done)
{
    enum { TOGETHER = 4 };              // each takes registers of its own
    Table *work = table_new(n->arena);
    Items all = {0};
    for (size_t i = first; i < sums->len && all.len < TOGETHER; i++) {
        const Item *item = &sums->at[i];
        bool alone = !is_summed_here(item);
        if (table_get(done, item) != NULL || (i > first && alone) ||
            !shares_work(n, item, work, i == first))
            continue;
        table_set(done, item, n);
        vec_push(n->arena, &all, *item);
        if (alone)
            break;
    }
    return all;
}

static Item added_to(Nest *n, Item item, const Store *s, const Expr *index)
{
    item.to = (Slot){s, s->shape.len > 0 ? term_list(n->t, index, NULL) : (ExprList){NULL, 0}};
    item.fresh = false;
    return item;
}

// Of whole groups of lanes: the loop over the partial sums is around the one over the groups, so
// that these are numbers, and a C compiler does all partial sums of each sum in one vector. If both
// were in the innermost loop, it would do so with one sum only.
static void sum_groups(Nest *n, const Items *parts, const Expr *whole)
{
    Items numbers = {0};
    Stmts inner, body;
    Sym b = nest_name(n, "b"), u = nest_name(n, "u");
    const Expr *at = nest_var(n, b, ELEM_INT, false), *part = nest_var(n, u, ELEM_INT, false);
    Stmts *outer = begin(n, &body);
    for (size_t i = 0; i < parts->len; i++) {
        Elem elem = parts->at[i].to.store->elem;
        const Store *sum = nest_store(n, "sum", elem, (TyList){NULL, 0}, false);
        vec_push(n->arena, &numbers, added_to(n, parts->at[i], sum, NULL));
        nest_assign(n, nest_element(n, numbers.at[i].to, true), zero(n, elem));
    }
    begin(n, &inner);
    set_lane(n, plus(n, at, part));
    flat_list(n, numbers.at, numbers.len);
    n->out = &body;
    nest_loop(n, b, nest_int(n, 0), whole, PARTS_TOGETHER, inner);
    for (size_t i = 0; i < parts->len; i++)
        nest_assign(n, array_element(n, parts->at[i].to.store, part, true),
                    nest_element(n, numbers.at[i].to, false));
    n->out = outer;
    nest_loop(n, u, nest_int(n, 0), nest_int(n, PARTS_TOGETHER), 1, body);
}

// One loop for sums that share operations: these are done once.
static void add_sums_together(Nest *n, const Items *sums)
{
    Items parts = {0};
    Stmts body;
    Sym e = nest_name(n, "e"), b = nest_name(n, "b");
    const Expr *whole = nest_var(n, e, ELEM_INT, false);
    for (size_t i = 0; i < sums->len; i++) {
        const Store *part = part_store(n, sums->at[i].to.store->elem, PARTS_TOGETHER);
        nest_fill(n, nest_whole(n, part), zero(n, part->elem));
        vec_push(n->arena, &parts, added_to(n, sums->at[i], part, term_int(n->t, 0)));
    }
    nest_assign(n, nest_var(n, e, ELEM_INT, true), whole_groups(n, PARTS_TOGETHER));
    Stmts *outer = begin(n, &body);
    sum_groups(n, &parts, whole);
    n->out = outer;
    nest_if(n, nest_compare(n, whole, CMPOP_GT, nest_int(n, 0)), body);
    begin(n, &body);
    set_lane(n, nest_var(n, b, ELEM_INT, false));
    flat_list(n, parts.at, parts.len);
    n->out = outer;
    nest_loop(n, b, whole, n->width, 1, body);
    for (size_t i = 0; i < sums->len; i++)
        add_sum(n, &sums->at[i], sum_of_parts(n, parts.at[i].to.store, 0, PARTS_TOGETHER));
}

static void add_sums_over_lanes(Nest *n, const Items *sums)
{
    Table *done = table_new(n->arena);
    for (size_t i = 0; i < sums->len; i++) {
        if (table_get(done, &sums->at[i]) != NULL)
            continue;
        Items together = sharing(n, sums, i, done);
        if (together.len > 1)
            add_sums_together(n, &together);
        else
            add_sum(n, &sums->at[i], sum_over_lanes(n, &sums->at[i]));
    }
}

void nest_items_here(Nest *n, const Item *items, size_t len)
{
    Items plain = {0}, lane = {0}, sums = {0};
    for (size_t i = 0; i < len; i++) {
        const Item *item = &items[i];
        bool fixed = !nest_moves(n, item->to);
        if (n->strip == NULL || item->mode == MODE_CHECK
            || (fixed && !item->over_strip && !in_strip(n, item->term)))
            vec_push(n->arena, &plain, *item);
        else if (fixed && item->mode == MODE_SUM && item->at.len == 0)
            vec_push(n->arena, &sums, *item);
        else
            vec_push(n->arena, &lane, *item);
    }
    flat_list(n, plain.at, plain.len);
    nest_over_lanes(n, lane.at, lane.len);
    add_sums_over_lanes(n, &sums);
}

// ---- filling ----

static void fill_from(Nest *n, Slot p, size_t from, const Expr *value)
{
    Stmts body, *outer;
    while (from < p.index.len && p.index.at[from] != NULL)
        from++;
    if (from < p.index.len) {
        const Expr *v = term_variable(n->t);
        Sym name = nest_name(n, "p");
        table_set(n->values, v->name.id, (void *)nest_var(n, name, ELEM_INT, false));
        outer = begin(n, &body);
        fill_from(n, filled(n, p, term_list(n->t, v, NULL)), from, value);
        n->out = outer;
        nest_loop(n, name, nest_int(n, 0), nest_size(n, p.store->shape.at[from]), 1, body);
        return;
    }
    if (!nest_moves(n, p)) {
        nest_assign(n, nest_element(n, p, true), value);
        return;
    }
    Sym b = nest_name(n, "b");
    outer = begin(n, &body);
    set_lane(n, nest_var(n, b, ELEM_INT, false));
    nest_assign(n, nest_element(n, p, true), value);
    n->out = outer;
    nest_loop(n, b, nest_int(n, 0), n->width, 1, body);
}

// The elements of a place that are meant; if that is all of them, in one loop.
void nest_fill(Nest *n, Slot p, const Expr *value)
{
    bool whole = p.index.len > 0;
    for (size_t i = 0; i < p.index.len; i++)
        whole = whole && p.index.at[i] == NULL;
    if (!whole || p.store->given) {
        fill_from(n, p, 0, value);
        return;
    }
    Sym c = nest_name(n, "p");
    Stmts body, *outer = begin(n, &body);
    nest_assign(n, array_element(n, p.store, nest_var(n, c, ELEM_INT, false), true), value);
    n->out = outer;
    nest_loop(n, c, nest_int(n, 0), count_of(n, p.store), 1, body);
}
