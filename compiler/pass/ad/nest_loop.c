// nest_loop.c - rounds that hand arrays on: the states are arrays that each round makes anew; what
// it keeps of itself is a row of an array.

#include "compiler/pass/ad/nest_internal.h"

// Where the number of the round is known, tests of it are decided.
static Item put_into(Nest *n, const Expr *term, Slot to)
{
    return (Item){.term = nest_decided(n, term), .mode = MODE_SUM, .fresh = true, .to = to};
}

static Slot new_slot(Nest *n, const Expr *like, const Ty *rounds)
{
    TyList shape = term_shape(like);
    if (rounds != NULL)
        shape = shape_cons(n->t, rounds, shape);
    return nest_whole(n, nest_store(n, rounds != NULL ? "kept" : "state", term_elem(like), shape,
                                    false));
}

// A state that only grows, and that nothing else reads, is added to where it is; NULL: it is none.
static const Expr *grows_by(Terms *t, const TermLoop *l, size_t k)
{
    const Expr *state = l->states.at[k], *next = l->next.at[k];
    if (next->kind != EXPR_BIN_OP || next->bin_op.op != OPERATOR_ADD ||
        next->bin_op.left != state || term_has(t, next->bin_op.right, state) ||
        term_elem(state) != ELEM_FLOAT)
        return NULL;
    for (size_t i = 0; i < l->next.len; i++)
        if (i != k && term_has(t, l->next.at[i], state))
            return NULL;
    for (size_t i = 0; i < l->records.len; i++)
        if (term_has(t, l->records.at[i], state))
            return NULL;
    return next->bin_op.right;
}

// ---- states that are written where they are ----

typedef struct Seen { Sym name; const Expr *place; size_t uses, alike; } Seen;

static bool see(void *cx, const Expr *e)
{
    Seen *s = cx;
    const Expr *x = e->kind == EXPR_SUBSCRIPT ? e->subscript.value : e;
    bool named = x->kind == EXPR_NAME && x->name.id == s->name;
    s->uses += named && x == e;
    s->alike += named && x != e && e->subscript.ctx == EXPR_CONTEXT_LOAD && s->place != NULL &&
                ir_equal_expr(e->subscript.slice, s->place);
    return true;
}

static Seen seen_in(StmtList list, Sym name, const Expr *place)
{
    Seen s = {.name = name, .place = place};
    IrWalker w = {.cx = &s, .expr = see};
    ir_walk_stmts(&w, list);
    return s;
}

// The index of the only statement that mentions a name; the length of the list: none, or several.
static size_t only_with(StmtList list, Sym name)
{
    size_t found = list.len;
    for (size_t i = 0; i < list.len; i++) {
        if (seen_in((StmtList){list.at + i, 1}, name, NULL).uses == 0)
            continue;
        if (found < list.len)
            return list.len;
        found = i;
    }
    return found;
}

// The element of a state that this element of its next value replaces; NULL: not known.
static const Expr *element_there(Nest *n, const Expr *of, Slot state)
{
    const Expr *v = term_variable(n->t);
    const Expr **at = ARENA_ARRAY(n->arena, const Expr *, state.index.len + 1);
    size_t open = 0;
    for (size_t i = 0; i < state.index.len; i++) {
        bool free = state.index.at[i] == NULL;
        at[i] = free ? v : state.index.at[i];
        open += free;
    }
    if (of->kind != EXPR_SUBSCRIPT || (open != 1 && open < state.index.len))
        return NULL;
    table_set(n->values, v->name.id, (void *)of->subscript.slice);
    const Expr *first = nest_element(n, (Slot){state.store, {at, state.index.len}}, true);
    return open == 1 ? first
                     : expr_with_ty(n->arena, expr_subscript(n->arena, of->at,
                                                             first->subscript.value,
                                                             of->subscript.slice,
                                                             EXPR_CONTEXT_STORE),
                                    first->ty, (SymList){NULL, 0});
}

static StmtList with_target(Nest *n, StmtList list, const Stmt *assign, const Expr *const *target)
{
    Stmts all = {0};
    for (size_t i = 0; i < list.len; i++) {
        const Stmt *s = list.at[i];
        if (s == assign)
            s = stmt_assign(n->arena, s->at, (ExprList){target, 1}, s->assign.value);
        else if (s->kind == STMT_FOR)
            s = stmt_for(n->arena, s->at, s->for_.target, s->for_.iter,
                         with_target(n, s->for_.body, assign, target), s->for_.orelse);
        vec_push(n->arena, &all, s);
    }
    return (StmtList){all.at, all.len};
}

// A statement that writes elements of the next value, and the elements that they replace.
typedef struct Writer { const Stmt *assign; const Expr *const *target; } Writer;

static bool is_element_of(const Expr *e, Sym name)
{
    return e->kind == EXPR_SUBSCRIPT && e->subscript.value->kind == EXPR_NAME &&
           e->subscript.value->name.id == name;
}

// The only one in a statement of the round; `alike` counts the elements of the state that are read
// there in the round that replaces them. False: there is another use of the next value.
static bool find_writer(Nest *n, const Stmt *s, const Store *next, Slot state, Writer *writer,
                        size_t *alike)
{
    StmtList block = {&s, 1};
    size_t at = 0;
    while (at < block.len && block.at[at]->kind == STMT_FOR) {
        block = block.at[at]->for_.body;
        at = only_with(block, next->name);
    }
    if (at == block.len || block.at[at]->kind != STMT_ASSIGN ||
        seen_in((StmtList){block.at + at, 1}, next->name, NULL).uses != 1 ||
        !is_element_of(block.at[at]->assign.targets.at[0], next->name))
        return false;
    const Expr **target = ARENA_NEW(n->arena, const Expr *);
    *target = element_there(n, block.at[at]->assign.targets.at[0], state);
    *writer = (Writer){block.at[at], target};
    if (*target != NULL)
        *alike += seen_in((StmtList){block.at, at + 1}, state.store->name,
                          (*target)->subscript.slice).alike;
    return *target != NULL;
}

static void drop_store(Nest *n, Sym name)
{
    size_t made = only_with((StmtList){n->stores.at, n->stores.len}, name);
    for (n->stores.len--; made < n->stores.len; made++)
        n->stores.at[made] = n->stores.at[made + 1];
}

// The next value of a state replaces it element by element, without a second array, if from the
// first statement that writes it each element of the state is read only in the round that replaces
// it. (Each is written once.)
static bool is_put_in_place(Nest *n, const Store *next, Slot state)
{
    StmtList body = {n->out->at, n->out->len};
    Vec(Writer) writers = {0};
    size_t first = body.len, alike = 0;
    for (size_t i = 0; i < body.len; i++) {
        Writer writer;
        if (seen_in((StmtList){body.at + i, 1}, next->name, NULL).uses == 0)
            continue;
        if (!find_writer(n, body.at[i], next, state, &writer, &alike))
            return false;
        vec_push(n->arena, &writers, writer);
        first = i < first ? i : first;
    }
    if (writers.len == 0 || seen_in((StmtList){body.at + first, body.len - first},
                                    state.store->name, NULL).uses != alike)
        return false;
    for (size_t i = 0; i < writers.len; i++)
        body = with_target(n, body, writers.at[i].assign, writers.at[i].target);
    n->out->len = 0;
    for (size_t i = 0; i < body.len; i++)
        vec_push(n->arena, n->out, body.at[i]);
    drop_store(n, next->name);
    return true;
}

// ---- states that are rows ----

// A state of which each round keeps what it was lies in the rows of what is kept: a round reads its
// own row and makes the next one, of which there is one more than rounds. Nothing is copied.

// The record that is this state; the number of records: none is, or it has a place already.
static size_t record_of(const TermLoop *l, const Node *node, size_t k)
{
    size_t i = 0, none = l->records.len;
    while (i < none && l->records.at[i] != l->states.at[k])
        i++;
    bool placed = i < none && (node->kept[k].store != NULL ||
                               node->kept[l->states.len + i].store != NULL);
    return l->down || placed || l->next.at[k] == l->states.at[k] ? none : i;
}

static void put_in_rows(Nest *n, const TermLoop *l, const Node *node, Slot *rows)
{
    const Poly one = poly_number(n->arena, 1);
    const Ty *more = size_of_poly(n->t, poly_add(n->arena, size_poly(n->t, l->size), one));
    for (size_t k = 0; k < l->states.len; k++) {
        size_t i = record_of(l, node, k);
        if (i == l->records.len)
            continue;
        rows[k] = node->kept[l->states.len + i] = new_slot(n, l->states.at[k], more);
        node->kept[k] = nest_part(n, rows[k], term_of_size(n->t, l->size), 0);
    }
}

static bool is_row(const TermLoop *l, const Slot *rows, const Expr *record)
{
    for (size_t k = 0; k < l->states.len; k++)
        if (rows[k].store != NULL && l->states.at[k] == record)
            return true;
    return false;
}

// ---- rounds ----

// What one round computes, then the states change.
static void round_body(Nest *n, const TermLoop *l, const Slot *kept, const Slot *rows)
{
    Items items = {0}, moves = {0}, left = {0};
    Vec(const Store *) made = {0};
    NestPuts *puts = ARENA_ARRAY(n->arena, NestPuts, l->states.len + 1);
    const Expr *after = term_binary(n->t, OPERATOR_ADD, l->index, term_int(n->t, 1));
    for (size_t i = 0; i < l->records.len; i++)
        if (!is_row(l, rows, l->records.at[i]))
            vec_push(n->arena, &items, put_into(n, l->records.at[i],
                                                nest_part(n, kept[l->states.len + i], l->index,
                                                          0)));
    for (size_t i = 0; i < l->states.len; i++) {
        const Expr *state = l->states.at[i];
        const Expr *more = grows_by(n->t, l, i);
        if (more != NULL)
            vec_push(n->arena, &items, ((Item){.term = nest_decided(n, more), .mode = MODE_SUM,
                                               .to = kept[i]}));
        if (rows[i].store != NULL)
            vec_push(n->arena, &items, put_into(n, l->next.at[i],
                                                nest_part(n, rows[i], after, 0)));
        if (l->next.at[i] == state || more != NULL || rows[i].store != NULL)
            continue;
        if (nest_find_puts(n, l->next.at[i], state, &puts[i])) {
            nest_compute_puts(n, &puts[i], &items);
            continue;
        }
        puts[i].len = 0;
        Slot next = new_slot(n, state, NULL);
        const Expr *name = nest_named(n, names_format(n->t->names, ".%u", ++n->loops), next,
                                      state->ty);
        vec_push(n->arena, &items, put_into(n, l->next.at[i], next));
        vec_push(n->arena, &moves, put_into(n, name, kept[i]));
        vec_push(n->arena, &made, next.store);
    }
    nest_block(n, items);
    for (size_t i = 0; i < l->states.len; i++)
        nest_do_puts(n, &puts[i], kept[i]);
    for (size_t i = 0; i < moves.len; i++)
        if (!is_put_in_place(n, made.at[i], moves.at[i].to))
            vec_push(n->arena, &left, moves.at[i]);
    nest_block(n, left);
}

void nest_rounds(Block *b, const Node *node)
{
    Nest *n = b->n;
    TermLoop l = term_open_loop(n->t, node->item.term);
    Items first = {0};
    Slot *rows = ARENA_ARRAY(n->arena, Slot, l.states.len + 1);
    put_in_rows(n, &l, node, rows);
    for (size_t i = 0; i < l.states.len; i++) {
        bool row = rows[i].store != NULL;
        if (node->kept[i].store == NULL)
            node->kept[i] = new_slot(n, l.states.at[i], NULL);
        Slot from = row ? nest_part(n, rows[i], term_int(n->t, 0), 0) : node->kept[i];
        (void)nest_named(n, l.states.at[i]->name.id,
                         row ? nest_part(n, rows[i], l.index, 0) : from, l.states.at[i]->ty);
        vec_push(n->arena, &first, put_into(n, l.before.at[i], from));
    }
    for (size_t i = 0; i < l.records.len; i++)
        if (node->kept[l.states.len + i].store == NULL)
            node->kept[l.states.len + i] = new_slot(n, l.records.at[i], l.size);
    nest_block(n, first);
    ExprList variables = n->variables;
    TyList extents = n->extents, rounds = n->rounds;
    Stmts body = {0}, *outer = n->out;
    unsigned depth = n->depth;
    Sym r = nest_name(n, "r");
    const Expr *round = nest_var(n, r, ELEM_INT, false);
    const Expr *last = nest_binary(n, nest_size(n, l.size), OPERATOR_SUB, nest_int(n, 1));
    if (l.down)
        round = nest_binary(n, last, OPERATOR_SUB, round);
    table_set(n->values, l.index->name.id, (void *)round);
    n->variables = term_join(n->t, n->variables, term_list(n->t, l.index, NULL));
    n->extents = shape_join(n->t, n->extents, (TyList){&l.size, 1});
    n->rounds = shape_cons(n->t, size_rounds(n->t, l.size), n->rounds);
    n->out = &body;
    n->depth = 0;
    round_body(n, &l, node->kept, rows);
    n->depth = depth;
    n->out = outer;
    n->variables = variables;
    n->extents = extents;
    n->rounds = rounds;
    nest_loop(n, r, nest_int(n, 0), nest_end(n, l.size), 1, body);
}
