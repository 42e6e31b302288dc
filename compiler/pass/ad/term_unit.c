// term_unit.c - from the graph to text: a name for what is used more than once, for what the
// source named, and for what would nest too deep. What has no index variable stands outside of
// every binder, so a loop never makes again what does not change in it. A loop is a statement, and
// its rounds are a text of their own. What a round puts into arrays that are its states has names,
// too, for it is computed before anything changes.

#include "compiler/base/table.h"
#include "compiler/pass/ad/term_unit.h"

enum { MAX_DEPTH = 24 };

typedef struct Namer {
    Terms *t;
    Arena *arena;
    Table *uses, *depth, *taken;
    Table *loops;               // TermRounds by its first result
    Table *puts;                // what is put, and where: it has a name of its own
    const TermRounds *of;       // the rounds that it is the text of; NULL: none
    Vec(TermLet) lets;
    unsigned numbered;
} Namer;

// Numbers by node.
static size_t number_of(const Table *table, const Expr *e)
{
    return (size_t)(uintptr_t)table_get(table, e);
}

static void set_number(Table *table, const Expr *e, size_t number)
{
    table_set(table, e, (void *)(uintptr_t)number);
}

// ---- uses ----

// Numbers, names and sums of them: as cheap to write as a name.
static bool is_cheap(Terms *t, const Expr *e)
{
    Poly p;
    while (e->kind == EXPR_REPLICATE)
        e = e->replicate.array;
    return term_is_atom(e) || term_is_iota(e) ||
           (term_rank(e) == 0 && term_elem(e) == ELEM_INT && term_poly(t, e, &p));
}

// Stores nothing: what it shows has the name.
static bool is_view(const Expr *e)
{
    return e->kind == EXPR_REPLICATE || e->kind == EXPR_TRANSPOSE;
}

static void use(Namer *n, const Expr *e, size_t times)
{
    set_number(n->uses, e, number_of(n->uses, e) + times);
}

// All that is read of what it changes is read before.
static void use_put(Namer *n, const Expr *e)
{
    ExprList parts = term_parts(n->t, e);
    bool alone = n->of->changes == 1;
    use(n, parts.at[0], 1);
    for (size_t k = 1; k < parts.len; k++) {
        use(n, parts.at[k], alone ? 1 : 2);
        if (!alone)
            table_set(n->puts, parts.at[k], n);
    }
}

static void count(Namer *n, ExprList roots);

// In a body only what is closed can be named; it is made once for all rounds.
static void count_body(Namer *n, ExprList bodies)
{
    for (size_t i = 0; i < bodies.len; i++) {
        if (term_is_closed(n->t, bodies.at[i])) {
            bool seen = number_of(n->uses, bodies.at[i]) > 0;
            use(n, bodies.at[i], 2);
            if (!seen)
                count(n, (ExprList){&bodies.at[i], 1});
            continue;
        }
        if (table_get(n->depth, bodies.at[i]) != NULL)
            continue;
        table_set(n->depth, bodies.at[i], n);
        count_body(n, term_parts(n->t, bodies.at[i]));
        Opened o = term_open(n->t, bodies.at[i]);
        if (o.bodies.len > 0)
            count_body(n, o.bodies);
    }
}

static void count(Namer *n, ExprList roots)
{
    ExprList order = term_order(n->t, roots);
    for (size_t i = 0; i < roots.len; i++)
        use(n, roots.at[i], 1);
    for (size_t i = order.len; i-- > 0;) {
        const Expr *e = order.at[i];
        if (table_get(n->depth, e) != NULL)
            continue;
        table_set(n->depth, e, n);
        if (e->kind == EXPR_PUT_AT) {
            use_put(n, e);
            continue;
        }
        ExprList parts = term_parts(n->t, e);
        for (size_t k = 0; k < parts.len; k++)
            use(n, parts.at[k], is_view(e)               ? number_of(n->uses, e)
                                : e->kind == EXPR_LOOP ? 2 : 1);
        if (e->kind == EXPR_LOOP)
            continue;
        Opened o = term_open(n->t, e);
        if (o.bodies.len > 0)
            count_body(n, o.bodies);
    }
}

// ---- names ----

static Sym new_name(Namer *n, const Expr *from)
{
    Sym hint = term_hinted(n->t, from);
    if (hint != NULL && table_get(n->taken, hint) == NULL) {
        table_set(n->taken, hint, n);
        return hint;
    }
    Sym name;
    do
        name = names_format(terms_names(n->t), "x%u", ++n->numbered);
    while (table_get(n->taken, name) != NULL);
    table_set(n->taken, name, n);
    return name;
}

static size_t depth_of(Namer *n, const Expr *e)
{
    size_t deepest = 0;
    ExprList parts = term_parts(n->t, e);
    for (size_t i = 0; i < parts.len; i++) {
        size_t depth = number_of(n->depth, parts.at[i]);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

static const Expr *named(Namer *n, const Expr *from, const Expr *e)
{
    TermLet let = {new_name(n, from), e, table_get(n->puts, from) != NULL, NULL};
    vec_push(n->arena, &n->lets, let);
    const Expr *name = term_name(n->t, let.name, e->ty);
    set_number(n->depth, name, 1);
    return name;
}

static const Expr *first_result(Terms *t, const Expr *e) { return term_loop_result(t, e, 0); }

static TermText text_of(Terms *t, ExprList roots, const TermRounds *of, Table *taken);

// How many states and parts of states a round changes.
static size_t changes_of(const TermLoop *l)
{
    size_t count = 0;
    for (size_t k = 0; k < l->states.len; k++)
        for (const Expr *e = l->next.at[k]; e != l->states.at[k]; count++) {
            if (e->kind != EXPR_PUT_AT) {
                count++;
                break;
            }
            e = e->put_at.array;
        }
    return count;
}

// The rounds, with readable names for what they bind.
static const TermRounds *rounds_of(Namer *n, const Expr *from, const Expr *e)
{
    Terms *t = n->t;
    TermLoop l = term_open_loop(t, e);
    size_t states = l.states.len, all = states + l.records.len;
    const Expr **as = ARENA_ARRAY(n->arena, const Expr *, states + 1);
    Sym *names = ARENA_ARRAY(n->arena, Sym, all + 1);
    Sym index = names_get(terms_names(t), "t");
    while (table_get(n->taken, index) != NULL)
        index = names_format(terms_names(t), "%s_", index);
    table_set(n->taken, index, n);
    for (size_t i = 0; i < all; i++) {
        names[i] = new_name(n, term_loop_result(t, from, i));
        if (i < states)
            as[i] = term_name(t, names[i], l.states.at[i]->ty);
    }
    ExprList variables = term_join(t, term_list(t, l.index, NULL), l.states);
    ExprList values = term_join(t, term_list(t, term_name(t, index, l.index->ty), NULL),
                                (ExprList){as, states});
    ExprList bodies = term_join(t, l.next, l.records);
    const Expr **at = ARENA_ARRAY(n->arena, const Expr *, all + 1);
    for (size_t i = 0; i < all; i++) {
        at[i] = term_with(t, bodies.at[i], variables, values);
        Sym hint = term_hinted(t, bodies.at[i]);
        if (hint != NULL)
            term_hint(t, at[i], hint);
    }
    TermRounds *r = ARENA_NEW(n->arena, TermRounds);
    *r = (TermRounds){l.size, l.down, index, {names, states}, {names + states, l.records.len},
                      l.before, changes_of(&l), {{NULL, 0}, {NULL, 0}}};
    r->text = text_of(t, (ExprList){at, all}, r, n->taken);
    table_set(n->taken, index, NULL);
    return r;
}

static const Expr *name_loop(Namer *n, const Expr *from, const Expr *e)
{
    const TermRounds *r = table_get(n->loops, first_result(n->t, from));
    if (r == NULL) {
        r = rounds_of(n, from, e);
        table_set(n->loops, first_result(n->t, from), (void *)r);
        TermLet let = {NULL, NULL, false, r};
        vec_push(n->arena, &n->lets, let);
    }
    size_t which = (size_t)e->loop.which;
    Sym name = which < r->states.len ? r->states.at[which] : r->records.at[which - r->states.len];
    const Expr *named = term_name(n->t, name, e->ty);
    set_number(n->depth, named, 1);
    return named;
}

// A number that no state is.
static bool is_settled(Namer *n, const Expr *e)
{
    ExprList order = term_order(n->t, term_list(n->t, e, NULL));
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->kind == EXPR_NAME && sym_in(n->of->states, order.at[i]->name.id))
            return false;
    return term_rank(e) == 0 || term_filled_with(e) != NULL;
}

static const Expr *name_plain(Namer *n, const Expr *from, const Expr *e)
{
    if (e->kind == EXPR_LOOP && term_is_closed(n->t, e))
        return name_loop(n, from, e);
    size_t uses = number_of(n->uses, from);
    if (is_cheap(n->t, e) || !term_is_closed(n->t, e))
        return e;
    size_t depth = depth_of(n, e);
    if (is_view(e) || e->kind == EXPR_PUT_AT) {
        set_number(n->depth, e, depth);
        return e;
    }
    if (uses > 1 || depth > MAX_DEPTH || (term_hinted(n->t, from) != NULL && uses > 0))
        return named(n, from, e);
    set_number(n->depth, e, depth);
    return e;
}

static const Expr *name_here(Namer *n, const Expr *from, const Expr *e)
{
    bool put = table_get(n->puts, from) != NULL;
    if (put && e->kind != EXPR_LOOP && !is_settled(n, e))
        return named(n, from, e);
    e = name_plain(n, from, e);
    return put && from->kind == EXPR_LOOP && term_rank(e) > 0 ? named(n, from, e) : e;
}

static const Expr *step(TermPass *p, const Expr *original, const Expr *e)
{
    return name_here(p->cx, original, e);
}

static TermText text_of(Terms *t, ExprList roots, const TermRounds *of, Table *taken)
{
    Arena *a = terms_arena(t);
    Namer n = {.t = t, .arena = a, .uses = table_new(a), .depth = table_new(a), .taken = taken,
               .loops = table_new(a), .puts = table_new(a), .of = of};
    count(&n, roots);
    n.depth = table_new(a);
    TermPass p = {.terms = t, .step_from = step, .cx = &n};
    const Expr **new = ARENA_ARRAY(a, const Expr *, roots.len + 1);
    for (size_t i = 0; i < roots.len; i++)
        new[i] = term_rewrite(&p, roots.at[i]);
    return (TermText){{n.lets.at, n.lets.len}, {new, roots.len}};
}

TermText term_text(Terms *t, ExprList roots, Table *taken)
{
    return text_of(t, roots, NULL, taken);
}

// ---- index variables ----

typedef struct Rename { Terms *t; Table *taken; } Rename;

static Sym readable(Rename *r, Sym name)
{
    static const char letters[] = "ijpqrstuv";
    size_t number = 0;
    if (name[0] != '%')
        return name;
    for (const char *c = name + 1; *c >= '0' && *c <= '9'; c++)
        number = number * 10 + (size_t)(*c - '0');
    Names *names = terms_names(r->t);
    Sym plain = number <= sizeof letters - 1 ? names_format(names, "%c", letters[number - 1])
                                             : names_format(names, "i%zu", number);
    while (table_get(r->taken, plain) != NULL)
        plain = names_format(names, "%s_", plain);
    return plain;
}

static SymList readable_all(Rename *r, SymList list)
{
    Sym *at = ARENA_ARRAY(terms_arena(r->t), Sym, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = readable(r, list.at[i]);
    return (SymList){at, list.len};
}

static const Expr *rename_here(IrMapper *m, const Expr *e)
{
    Rename *r = m->cx;
    const Expr *new = e;
    if (e->kind == EXPR_NAME && e->name.id[0] == '%')
        new = expr_name(m->arena, e->at, readable(r, e->name.id), e->name.ctx);
    else if (e->kind == EXPR_BUILD)
        new = expr_build(m->arena, e->at, readable(r, e->build.index), e->build.size,
                         e->build.body);
    else if (e->kind == EXPR_GATHER)
        new = expr_gather(m->arena, e->at, e->gather.shape, e->gather.array,
                          readable_all(r, e->gather.indices), e->gather.place);
    else if (e->kind == EXPR_SCATTER)
        new = expr_scatter(m->arena, e->at, e->scatter.shape, e->scatter.array,
                           readable_all(r, e->scatter.indices), e->scatter.place);
    else if (e->kind == EXPR_LOOP)
        new = expr_loop(m->arena, e->at, e->loop.size, e->loop.down,
                        readable_all(r, e->loop.indices), e->loop.before, e->loop.bodies,
                        e->loop.which);
    return new == e ? e : expr_with_ty(m->arena, new, e->ty, (SymList){NULL, 0});
}

const Expr *term_readable(Terms *t, const Expr *e, Table *taken)
{
    if (term_text_size(t, term_list(t, e, NULL)) >= TERM_LARGE)
        return expr_constant(terms_arena(t), e->at, const_ellipsis(terms_arena(t)), NULL);
    Rename r = {t, taken};
    IrMapper m = {.arena = terms_arena(t), .cx = &r, .expr = rename_here};
    return ir_map_expr(&m, e);
}

// ---- statements ----

#define NOWHERE ((Span){0, 0})
typedef Vec(const Stmt *) Stmts;

static const Expr *name_of(TermPrinter *p, const char *name, bool store)
{
    return expr_name(terms_arena(p->terms), NOWHERE, names_get(terms_names(p->terms), name),
                     store ? EXPR_CONTEXT_STORE : EXPR_CONTEXT_LOAD);
}

static void assign(TermPrinter *p, Stmts *body, const Expr *target, const Expr *value)
{
    Arena *a = terms_arena(p->terms);
    vec_push(a, body, stmt_assign(a, NOWHERE, term_list(p->terms, target, NULL), value));
}

static const Expr *call_of(TermPrinter *p, const Expr *f, ExprList args)
{
    return expr_call(terms_arena(p->terms), NOWHERE, f, args, (KeywordList){NULL, 0});
}

// np.empty((n, ..), kind)
static const Expr *empty(TermPrinter *p, const Ty *size, const Expr *record)
{
    static const char *const kinds[ELEM_COUNT] = {"float", "int", "bool"};
    Terms *t = p->terms;
    Arena *a = terms_arena(t);
    TyList shape = shape_cons(t, size, term_shape(record));
    const Expr **sizes = ARENA_ARRAY(a, const Expr *, shape.len + 1);
    for (size_t i = 0; i < shape.len; i++)
        sizes[i] = size_shown(t, shape.at[i]);
    const Expr *f = expr_attribute(a, NOWHERE, name_of(p, "np", false),
                                   names_get(terms_names(t), "empty"), EXPR_CONTEXT_LOAD);
    const Expr *tuple = expr_tuple(a, NOWHERE, (ExprList){sizes, shape.len}, EXPR_CONTEXT_LOAD);
    return call_of(p, f, term_list(t, tuple, name_of(p, kinds[term_elem(record)], false)));
}

static const Expr *print_as(TermPrinter *p, const Expr *e, TermUse as)
{
    p->as = as;
    const Expr *text = p->print(p, e);
    p->as = TERM_KEPT;
    return text;
}

// state[i, :, j] = value
static const Stmt *put_statement(TermPrinter *p, const Expr *e, Sym state)
{
    Arena *a = terms_arena(p->terms);
    ExprList axes = e->put_at.axes;
    Vec(const Expr *) at = {0};
    for (size_t q = 0, i = 0; i < axes.len; q++)
        vec_push(a, &at, term_is_int(axes.at[i], (int64_t)q)
                             ? print_as(p, e->put_at.place.at[i++], TERM_SPREAD)
                             : expr_slice(a, NOWHERE, NULL, NULL, NULL));
    const Expr *place = at.len == 1 ? at.at[0]
                                    : expr_tuple(a, NOWHERE, (ExprList){at.at, at.len},
                                                 EXPR_CONTEXT_LOAD);
    const Expr *target = expr_subscript(a, NOWHERE, name_of(p, state, false), place,
                                        EXPR_CONTEXT_STORE);
    const Expr *value = print_as(p, e->put_at.value, TERM_SPREAD);
    return e->put_at.adds
               ? stmt_aug_assign(a, NOWHERE, target, OPERATOR_ADD, value)
               : stmt_assign(a, NOWHERE, term_list(p->terms, target, NULL), value);
}

// Statements under one test.
typedef struct Puts { const Expr *test; Stmts under; } Puts;

static void end_puts(TermPrinter *p, Stmts *body, Puts *puts)
{
    Arena *a = terms_arena(p->terms);
    StmtList under = {puts->under.at, puts->under.len};
    bool always = puts->test == NULL || puts->test->kind == EXPR_CONSTANT;
    for (size_t i = 0; i < under.len && always; i++)
        vec_push(a, body, under.at[i]);
    if (!always)
        vec_push(a, body, stmt_if(a, NOWHERE, print_as(p, puts->test, TERM_SPREAD), under,
                                  (StmtList){NULL, 0}));
    *puts = (Puts){0};
}

static void put_into(TermPrinter *p, Stmts *body, Puts *puts, const Expr *e, Sym state)
{
    if (e->kind != EXPR_PUT_AT)
        return;
    put_into(p, body, puts, e->put_at.array, state);
    if (e->put_at.test != puts->test)
        end_puts(p, body, puts);
    puts->test = e->put_at.test;
    vec_push(terms_arena(p->terms), &puts->under, put_statement(p, e, state));
}

static bool is_changed_there(const TermRounds *r, size_t state)
{
    return r->text.roots.at[state]->kind == EXPR_PUT_AT;
}

// h, c = e, e: all at once. What shows an array that is changed in place does not stay.
static void assign_states(TermPrinter *p, Stmts *body, const TermRounds *r)
{
    Arena *a = terms_arena(p->terms);
    size_t n = 0;
    const Expr **to = ARENA_ARRAY(a, const Expr *, r->states.len + 1);
    const Expr **from = ARENA_ARRAY(a, const Expr *, r->states.len + 1);
    bool there = false;
    for (size_t i = 0; i < r->states.len; i++)
        there = there || is_changed_there(r, i);
    for (size_t i = 0; i < r->states.len; i++) {
        const Expr *next = r->text.roots.at[i];
        bool same = next->kind == EXPR_NAME && next->name.id == r->states.at[i];
        if (is_changed_there(r, i) || (there && same))
            continue;
        to[n] = name_of(p, r->states.at[i], true);
        from[n++] = print_as(p, next, there ? TERM_OWN : TERM_KEPT);
    }
    if (n == 1)
        assign(p, body, to[0], from[0]);
    else if (n > 1)
        assign(p, body, expr_tuple(a, NOWHERE, (ExprList){to, n}, EXPR_CONTEXT_STORE),
               expr_tuple(a, NOWHERE, (ExprList){from, n}, EXPR_CONTEXT_LOAD));
    Puts puts = {0};
    for (size_t i = 0; i < r->states.len; i++)
        put_into(p, body, &puts, r->text.roots.at[i], r->states.at[i]);
    end_puts(p, body, &puts);
}

static void add_lets(TermPrinter *p, Stmts *body, TermLets lets);

static void add_rounds(TermPrinter *p, Stmts *body, const TermRounds *r)
{
    Arena *a = terms_arena(p->terms);
    size_t n = r->states.len;
    Stmts inner = {0};
    for (size_t i = 0; i < n; i++)
        assign(p, body, name_of(p, r->states.at[i], true),
               print_as(p, r->before.at[i], is_changed_there(r, i) ? TERM_OWN : TERM_KEPT));
    for (size_t i = 0; i < r->records.len; i++)
        assign(p, body, name_of(p, r->records.at[i], true),
               empty(p, r->size, r->text.roots.at[n + i]));
    vec_push(a, &p->counters, r->index);
    vec_push(a, &p->sizes, r->size);
    add_lets(p, &inner, r->text.lets);
    for (size_t i = 0; i < r->records.len; i++)
        assign(p, &inner, expr_subscript(a, NOWHERE, name_of(p, r->records.at[i], false),
                                         name_of(p, r->index, false), EXPR_CONTEXT_STORE),
               p->print(p, r->text.roots.at[n + i]));
    assign_states(p, &inner, r);
    p->counters.len--;
    p->sizes.len--;
    const Expr *end = size_shown(p->terms, size_rounds(p->terms, r->size));
    const Expr *range = call_of(p, name_of(p, "range", false),
                                term_list(p->terms, end, NULL));
    if (r->down)
        range = call_of(p, name_of(p, "reversed", false), term_list(p->terms, range, NULL));
    vec_push(a, body, stmt_for(a, NOWHERE, name_of(p, r->index, true), range,
                               (StmtList){inner.at, inner.len}, (StmtList){NULL, 0}));
}

static void add_lets(TermPrinter *p, Stmts *body, TermLets lets)
{
    for (size_t i = 0; i < lets.len; i++)
        if (lets.at[i].rounds != NULL)
            add_rounds(p, body, lets.at[i].rounds);
        else {
            p->name = lets.at[i].name;
            const Expr *value = print_as(p, lets.at[i].value,
                                         lets.at[i].own ? TERM_OWN : TERM_KEPT);
            p->name = NULL;
            assign(p, body, name_of(p, lets.at[i].name, true), value);
        }
}

StmtList term_lets(TermPrinter *p, TermLets lets)
{
    Stmts body = {0};
    add_lets(p, &body, lets);
    return (StmtList){body.at, body.len};
}

static const Expr *print_readable(TermPrinter *p, const Expr *e)
{
    return term_readable(p->terms, e, p->cx);
}

StmtList term_statements(Terms *t, const TermText *text, Table *taken)
{
    Arena *a = terms_arena(t);
    Stmts body = {0};
    TermPrinter p = {.print = print_readable, .terms = t, .cx = taken};
    add_lets(&p, &body, text->lets);
    const Expr **roots = ARENA_ARRAY(a, const Expr *, text->roots.len + 1);
    for (size_t i = 0; i < text->roots.len; i++)
        roots[i] = term_readable(t, text->roots.at[i], taken);
    const Expr *result = text->roots.len == 1
                             ? roots[0]
                             : expr_tuple(a, NOWHERE, (ExprList){roots, text->roots.len},
                                          EXPR_CONTEXT_LOAD);
    vec_push(a, &body, stmt_return(a, NOWHERE, result));
    return (StmtList){body.at, body.len};
}
