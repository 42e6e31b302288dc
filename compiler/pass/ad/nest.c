// nest.c - the body of a function over arrays of numbers: what its sizes must be, the arrays that
// it needs, the loops.

#include "compiler/pass/ad/nest_internal.h"

#define NOWHERE ((Span){0, 0})

static Slot *whole_of(Nest *n, Sym name, const Expr *term, bool optional)
{
    Store *s = ARENA_NEW(n->arena, Store);
    Slot *p = ARENA_NEW(n->arena, Slot);
    *s = (Store){.name = name, .elem = term_elem(term), .shape = term_shape(term), .given = true,
                 .optional = optional};
    *p = (Slot){s, {ARENA_ARRAY(n->arena, const Expr *, s->shape.len + 1), s->shape.len}};
    return p;
}

void nest_need(Nest *n, const Ty *size, bool positive)
{
    Poly p = size_poly(n->t, size);
    int64_t number;
    for (size_t i = 0; i < n->rounds.len; i++)      // there is a round, so there is an element
        positive = positive && n->rounds.at[i] != size_rounds(n->t, size);
    if (table_get(n->sizes, size) == NULL && !poly_is_number(p, &number) &&
        size_rounds(n->t, size) == size)
        vec_push(n->arena, &n->natural, size);
    table_set(n->sizes, size, n);
    for (size_t i = 0; positive && i < n->positive.len; i++)
        positive = n->positive.at[i] != size;
    if (positive && !(poly_is_number(p, &number) && number > 0))
        vec_push(n->arena, &n->positive, size);
}

// Of an array that is given, or to be set. How many elements it has is a size, too.
static void add_sizes(Nest *n, TyList shape)
{
    const Ty *all = size_number(n->t, 1);
    for (size_t i = 0; i < shape.len; i++) {
        Poly p = size_poly(n->t, shape.at[i]);
        for (size_t k = 0; k < p.len; k++)
            for (size_t m = 0; m < p.at[k].names.len; m++)
                table_set(n->size_names, p.at[k].names.at[m], n);
        nest_need(n, shape.at[i], false);
        all = size_mul(n->t, all, shape.at[i]);
    }
    nest_need(n, all, false);
}

static void add_params(Nest *n, const NestAim *aim)
{
    for (size_t i = 0; i < aim->params.len; i++) {
        const Expr *param = aim->params.at[i];
        add_sizes(n, term_shape(param));
        if (term_rank(param) > 0)
            table_set(n->places, param->name.id, whole_of(n, param->name.id, param, false));
    }
}

static ExprList terms_of(Nest *n, const NestAim *aim)
{
    Exprs all = {0};
    for (size_t i = 0; i < aim->checks.len; i++)
        vec_push(n->arena, &all, aim->checks.at[i]);
    for (size_t i = 0; i < aim->count; i++)
        vec_push(n->arena, &all, aim->results[i].term);
    return (ExprList){all.at, all.len};
}

static Items items_of(Nest *n, const NestAim *aim, const Store *value)
{
    Items items = {0};
    ExprList terms = terms_of(n, aim);
    nest_linear_maps(n, &terms);
    for (size_t i = 0; i < aim->checks.len; i++)
        vec_push(n->arena, &items, ((Item){.term = terms.at[i], .mode = MODE_CHECK,
                                           .to = {value, {NULL, 0}}}));
    nest_note_value(n, terms.at[aim->checks.len]);
    for (size_t i = 0; i < aim->count; i++) {
        NestResult r = aim->results[i];
        r.term = terms.at[aim->checks.len + i];
        Slot to = r.name == NULL ? (Slot){value, {NULL, 0}}
                                 : *whole_of(n, r.name, r.term, r.optional);
        add_sizes(n, term_shape(r.term));
        vec_push(n->arena, &items, ((Item){.term = r.term, .mode = MODE_SUM, .fresh = true,
                                           .to = to}));
    }
    nest_distinct(n, &items);
    nest_repeat(n, &items);
    return items;
}

static const Expr *nest_true(Nest *n)
{
    return expr_with_ty(n->arena, term_bool(n->t, true), nest_ty(n, ELEM_BOOL),
                        (SymList){NULL, 0});
}

static void check_size(Nest *n, const Ty *size, int64_t least, const char *text)
{
    Stmts body = {0}, *outer = n->out;
    const Expr *test = nest_compare(n, nest_size(n, size), CMPOP_LT, nest_int(n, least));
    n->out = &body;
    nest_raise(n, "ValueError", text);
    n->out = outer;
    nest_if(n, test, body);
}

static void check_sizes(Nest *n)
{
    for (size_t i = 0; i < n->natural.len; i++)
        check_size(n, n->natural.at[i], 0, "negative dimensions are not allowed");
    for (size_t i = 0; i < n->positive.len; i++)
        check_size(n, n->positive.at[i], 1, "zero-size array to a reduction without identity");
}

Nest nest_new(Terms *t, Table *taken, NestStrips *strips, Stmts *out)
{
    Arena *a = terms_arena(t);
    return (Nest){.t = t, .arena = a, .out = out, .places = table_new(a), .parts = table_new(a),
                  .values = table_new(a), .taken = taken, .sizes = table_new(a),
                  .size_names = table_new(a), .value = table_new(a), .zeros = table_new(a),
                  .below = table_new(a),
                  .strips = strips};
}

void nest_note_strips(Nest *n, const Ty *size)
{
    NestStrips *strips = n->strips;
    strips->several = strips->several || (strips->only != NULL && strips->only != size);
    strips->only = strips->several ? NULL : size;
}

static StmtList with_stores(const Nest *n, Stmts head, Stmts body)
{
    for (size_t i = 0; i < n->stores.len; i++)
        vec_push(n->arena, &head, n->stores.at[i]);
    for (size_t i = 0; i < body.len; i++)
        vec_push(n->arena, &head, body.at[i]);
    return (StmtList){head.at, head.len};
}

StmtList nest_lane_sum_body(Terms *t, Sym array, Sym first, Sym width)
{
    Table *taken = table_new(terms_arena(t));
    Stmts body = {0};
    NestStrips strips = {0};
    Nest n = nest_new(t, taken, &strips, &body);
    const Sym params[] = {array, first, width};
    for (size_t i = 0; i < sizeof params / sizeof *params; i++)
        table_set(taken, params[i], t);
    const Store of = {.name = array, .elem = ELEM_FLOAT, .given = true};
    nest_lane_sum(&n, &of, nest_var(&n, first, ELEM_INT, false),
                  nest_var(&n, width, ELEM_INT, false));
    return with_stores(&n, (Stmts){0}, body);
}

bool nest_body(Terms *t, const NestAim *aim, Table *taken, NestStrips *strips, StmtList *to)
{
    Arena *a = terms_arena(t);
    Stmts body = {0}, head = {0};
    Nest n = nest_new(t, taken, strips, &body);
    bool answers = false;
    for (size_t i = 0; i < aim->count; i++)
        answers = answers || aim->results[i].name == NULL;
    const Store *value = nest_store(&n, "value", ELEM_FLOAT, (TyList){NULL, 0}, false);
    n.broken = aim->broken;
    add_params(&n, aim);
    nest_block(&n, items_of(&n, aim, value));
    if (answers)
        vec_push(a, &body, stmt_return(a, NOWHERE, nest_var(&n, value->name, ELEM_FLOAT, false)));
    else
        vec_push(a, &body, stmt_return(a, NOWHERE, nest_true(&n)));
    n.out = &head;
    check_sizes(&n);
    if (strips->only != NULL)
        strips->is_one = nest_compare(&n, nest_size(&n, strips->only), CMPOP_EQ, nest_int(&n, 1));
    *to = with_stores(&n, head, body);
    return !n.failed;
}
