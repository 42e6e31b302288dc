// stage_loop.c - loops, run on symbols. A loop over a number is unrolled. A loop over a range of
// unknown length is run once on a symbol for the round: what only adds up, stores one element for
// each round or appends is an array of all rounds, and what goes from one round to the next is a
// state of a Loop.

#include "compiler/pass/ad/stage_call.h"

#include <string.h>

enum { MAX_ROUNDS = 10000, MAX_UNROLLED = 50, MAX_RUNS = 8 };

typedef Vec(const Expr *) TermVec;

// ---- what a round puts out ----

// What a loop over an unknown number of rounds makes of one name.
typedef struct Made {
    const Stmt *stmt;
    Sym         name;
    const Expr *value;
    const Expr *place;          // STORES
    enum { ADDS, STORES, APPENDS } how;
} Made;

typedef struct Loop {
    Stage *s;
    const Stmt *stmt;
    const Value *over;
    const Ty *size;
    bool open;                  // the number of rounds depends on the rounds around
    Scope *scope;               // around the loop
    Vec(Made) made;
    Vec(Sym) names;             // of states
    ValueVec values;            // of them before the loop
    Vec(Slot) places;          // of them in records; record NULL: it is a variable
    TermVec before;             // the arrays that they are made of
    TermVec next, records;      // records: by made
} Loop;

bool stage_is_append(const Stmt *stmt, Sym *name, const Expr **value)
{
    const Expr *e = stmt->kind == STMT_EXPR ? stmt->expr.value : NULL;
    if (e == NULL || e->kind != EXPR_CALL || e->call.func->kind != EXPR_ATTRIBUTE ||
        !sym_is(e->call.func->attribute.attr, "append") || e->call.args.len != 1 ||
        e->call.func->attribute.value->kind != EXPR_NAME)
        return false;
    *name = e->call.func->attribute.value->name.id;
    *value = e->call.args.at[0];
    return true;
}

static bool is_in_target(const Expr *target, const Expr *name)
{
    ExprList elts = target->kind == EXPR_TUPLE ? target->tuple.elts : (ExprList){&target, 1};
    for (size_t i = 0; i < elts.len; i++)
        if (elts.at[i]->kind == EXPR_NAME && elts.at[i]->name.id == name->name.id)
            return true;
    return false;
}

// Whether a name of the target is the number of the round.
static bool is_round(const Value *over, const Expr *target, Sym name)
{
    if (target->kind == EXPR_NAME)
        return target->name.id == name && over->kind == VALUE_RANGE && !over->down &&
               over->step == 0 &&
               term_is_int(over->items.at[0]->term, 0);
    if (target->kind != EXPR_TUPLE || over->kind != VALUE_ROWS)
        return false;
    ExprList elts = target->tuple.elts;
    for (size_t i = 0; i < elts.len; i++) {
        bool number = over->numbered && i == 0;
        if (number ? elts.at[i]->kind == EXPR_NAME && elts.at[i]->name.id == name
                   : i - over->numbered < over->items.len &&
                     is_round(over->items.at[i - over->numbered], elts.at[i], name))
            return true;
    }
    return false;
}

// out[i] = e, i the number of the round.
static bool is_store(const Stmt *stmt, const Loop *l, Made *made)
{
    const Expr *e = stmt->kind == STMT_ASSIGN && stmt->assign.targets.len == 1
                        ? stmt->assign.targets.at[0] : NULL;
    if (e == NULL || e->kind != EXPR_SUBSCRIPT || e->subscript.value->kind != EXPR_NAME ||
        e->subscript.slice->kind != EXPR_NAME ||
        !is_round(l->over, l->stmt->for_.target, e->subscript.slice->name.id))
        return false;
    made->name = e->subscript.value->name.id;
    made->place = e->subscript.slice;
    made->value = stmt->assign.value;
    return true;
}

static bool is_sum(const Stmt *stmt, Sym *name, const Expr **value)
{
    if (stmt->kind != STMT_AUG_ASSIGN || stmt->aug_assign.target->kind != EXPR_NAME ||
        (stmt->aug_assign.op != OPERATOR_ADD && stmt->aug_assign.op != OPERATOR_SUB))
        return false;
    *name = stmt->aug_assign.target->name.id;
    *value = stmt->aug_assign.value;
    return true;
}

static bool made_by(const Stmt *stmt, const Loop *l, Made *made)
{
    *made = (Made){.stmt = stmt};
    if (is_sum(stmt, &made->name, &made->value))
        return made->how = ADDS, true;
    if (is_store(stmt, l, made))
        return made->how = STORES, true;
    if (stage_is_append(stmt, &made->name, &made->value))
        return made->how = APPENDS, true;
    return false;
}

typedef struct Reads { Sym name; size_t count; } Reads;

static bool note_read(void *cx, const Expr *e)
{
    Reads *r = cx;
    r->count += e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_LOAD && e->name.id == r->name;
    return true;
}

static bool is_made_name(const Loop *l, Sym name)
{
    for (size_t i = 0; i < l->made.len; i++)
        if (l->made.at[i].name == name)
            return true;
    return false;
}

// Whether the body reads a name, or changes it, but for the statements that make it in one way.
static bool is_read_in(const Loop *l, const Made *of)
{
    Sym name = of->name;
    Reads r = {name, 0};
    IrWalker w = {.cx = &r, .expr = note_read};
    StmtList body = l->stmt->for_.body;
    Made made;
    ir_walk_stmts(&w, body);
    for (size_t i = 0; i < body.len; i++) {
        if (made_by(body.at[i], l, &made) && made.name == name && made.how == of->how) {
            r.count -= made.how != ADDS;
            continue;
        }
        Assigned a = stage_assigned(l->s, (StmtList){&body.at[i], 1});
        for (size_t k = 0; k < a.names.len; k++)
            r.count += a.names.at[k] == name;
    }
    return r.count > 0;
}

static void find_made(Loop *l)
{
    StmtList body = l->stmt->for_.body;
    Made made;
    for (size_t i = 0; i < body.len; i++)
        if (made_by(body.at[i], l, &made) && (!l->open || made.how == ADDS) &&
            !is_read_in(l, &made))
            vec_push(l->s->arena, &l->made, made);
}

static bool has_parts(const Value *v) { return v->kind == VALUE_LIST || v->kind == VALUE_RECORD; }

// The arrays in a value. What else is in it is the same in all rounds.
static void take_apart(Stage *s, const Value *v, Span at, TermVec *terms)
{
    if (v->kind == VALUE_TERM)
        vec_push(s->arena, terms, value_as_term(s, v, at));
    for (size_t i = 0; has_parts(v) && i < v->items.len; i++)
        take_apart(s, v->items.at[i], at, terms);
}

static Value *put_together(Stage *s, const Value *like, const Expr *const **next)
{
    if (like->kind == VALUE_TERM) {
        Value *v = value_term(s, *(*next)++);
        v->fresh = stage_may_store(like);
        v->bindings = 1;
        return v;
    }
    bool record = like->kind == VALUE_RECORD;
    if (!has_parts(like))
        return (Value *)like;
    Value *all = record ? record_like(s, like) : value_list(s, (ValueVec){0}, like->tuple);
    all->cls = like->cls;
    all->bindings = 1;
    all->escaped = record && !stage_may_store(like);
    for (size_t i = 0; i < like->items.len; i++)
        vec_push(s->arena, &all->items, put_together(s, like->items.at[i], next));
    return all;
}

// The names that the body changes and that have a value before it.
static void find_states(Loop *l)
{
    Stage *s = l->s;
    Assigned a = stage_assigned(s, l->stmt->for_.body);
    for (size_t i = 0; i < a.names.len && !s->failed; i++) {
        Sym name = a.names.at[i];
        Value *v = stage_find(l->scope, name);
        if (v != NULL && v->kind == VALUE_TEXT)         // a key: it has no value of all rounds
            table_set(l->scope->names, name, v = value_of(s, VALUE_TEXT));
        bool seen = v == NULL || v->kind == VALUE_TEXT || is_made_name(l, name);
        for (size_t k = 0; k < l->names.len; k++)
            seen = seen || l->names.at[k] == name;
        const Expr *target = l->stmt->for_.target;
        const Expr as_name = {.kind = EXPR_NAME, .name = {.id = name}};
        bool same = v != NULL && v->kind == VALUE_RECORD &&     // the journal of a round sees it
                    !stage_rebinds(s, l->stmt->for_.body, name);
        if (seen || same || is_in_target(target, &as_name))
            continue;
        take_apart(s, v, l->stmt->at, &l->before);
        if (v->kind != VALUE_TERM && !has_parts(v))
            (void)stage_refuse(s, l->stmt->at, "`%s` keeps its value from one round of the loop to "
                               "the next, but is neither an array nor a number\nassign an array or "
                               "a number to it before the loop", name);
        vec_push(s->arena, &l->names, name);
        vec_push(s->arena, &l->values, v);
        vec_push(s->arena, &l->places, (Slot){0});
    }
}

// The items of records that a round changes are states, too. False: run again with them.
static bool find_places(Loop *l, const Journal *round)
{
    Stage *s = l->s;
    bool found = false;
    for (size_t i = 0; i < round->changes.len && !s->failed; i++) {
        Value *record = round->changes.at[i].record;
        const Value now = {.kind = VALUE_RECORD, .cls = record->cls,
                           .keys = round->changes.at[i].keys, .items = round->changes.at[i].items};
        if (record->cls == NULL && !record_same_keys(s, record, &now))
            (void)stage_refuse(s, l->stmt->at, "a round of this loop adds a key to a dict\nassign "
                               "each key before the loop");
        for (size_t k = 0; k < record->keys.len && !s->failed; k++) {
            const Slot place = {record, record->keys.at[k]};
            Value *old = record->items.at[k];
            bool seen = record_get(s, &now, place.key) == old;
            for (size_t n = 0; n < l->places.len && !seen; n++)
                seen = l->places.at[n].record == record &&
                       record_same_key(s, l->places.at[n].key, place.key);
            if (seen)
                continue;
            Sym name = place.key->kind == VALUE_TEXT
                           ? names_intern(s->names, place.key->text.at, place.key->text.len)
                           : names_get(s->names, "an item of a dict");
            take_apart(s, old, l->stmt->at, &l->before);
            if (old->kind != VALUE_TERM && !has_parts(old))
                (void)stage_refuse(s, l->stmt->at, "`%s` keeps its value from one round of the loop"
                                   " to the next, but is neither an array nor a number\nassign an "
                                   "array or a number to it before the loop", name);
            vec_push(s->arena, &l->names, name);
            vec_push(s->arena, &l->values, old);
            vec_push(s->arena, &l->places, place);
            found = true;
        }
    }
    return !found;
}

static Value *state_of(const Loop *l, Scope *inside, size_t i)
{
    const Slot *place = &l->places.at[i];
    return place->record != NULL ? record_get(l->s, place->record, place->key)
                                 : stage_find(inside, l->names.at[i]);
}

static void run_statement(Loop *l, Scope *inside, const Stmt *stmt, const Expr *index)
{
    Stage *s = l->s;
    Run r = {0};
    for (size_t i = 0; i < l->made.len; i++) {
        const Made *made = &l->made.at[i];
        if (made->stmt != stmt)
            continue;
        if (made->how == STORES && stage_term(s, inside, made->place) != index)
            (void)stage_refuse(s, stmt->at, "`%s` is the variable of this loop, so the loop must "
                               "not assign it\nuse another name", made->place->name.id);
        Value *v = stage_eval(s, inside, made->value);
        if (made->how == APPENDS)
            stage_note_escape(v);
        const Expr *e = value_as_term(s, v, made->value->at);
        bool less = made->how == ADDS && stmt->aug_assign.op == OPERATOR_SUB && !s->failed;
        l->records.at[i] = less ? term_negate(s->t, stage_whole_tests(s, e)) : e;
        return;
    }
    stage_run(s, inside, (StmtList){&stmt, 1}, &r);
    if (r.returned != NULL)
        stage_refuse_return(s, stmt->at);
}

// What a round changes counts only where there is such a round.
static void only_if(Loop *l, const Expr *test, const TermVec *states)
{
    Stage *s = l->s;
    for (size_t i = 0; i < l->next.len && i < states->len && !s->failed; i++)
        if (l->next.at[i] != states->at[i] &&
            shape_equal(term_shape(l->next.at[i]), term_shape(states->at[i])))
            l->next.at[i] = stage_where(s, test, l->next.at[i], states->at[i], l->stmt->at);
    for (size_t i = 0; i < l->made.len && !s->failed; i++)
        if (l->records.at[i] != NULL)
            l->records.at[i] = stage_where(s, test, l->records.at[i],
                                           term_zero(s->t, l->records.at[i]->ty), l->stmt->at);
}

// It has no other name than the item.
static void set_place(Stage *s, const Slot *place, Value *v, Span at)
{
    v->bindings = 0;
    record_set(s, place->record, place->key, v, at);
}

// One round on symbols for its number and the states.
static Scope *run_round(Loop *l, const Expr *index, const TermVec *states)
{
    Stage *s = l->s;
    Scope *inside = scope_inside(s, l->scope);
    const Expr *const *next = states->at;
    StmtList body = l->stmt->for_.body;
    const Expr *old = s->guard, *test = !l->open ? NULL
                                        : stage_is_round(s, l->over, index, l->stmt->at);
    if (l->open)
        (void)stage_guard(s, test);
    for (size_t i = 0; i < l->made.len; i++)
        table_set(inside->names, l->made.at[i].name, value_of(s, VALUE_TEXT));
    for (size_t i = 0; i < l->names.len; i++) {
        Value *v = put_together(s, l->values.at[i], &next);
        const Slot *place = &l->places.at[i];
        if (place->record == NULL)
            table_set(inside->names, l->names.at[i], v);
        else
            set_place(s, place, v, l->stmt->at);
    }
    stage_bind(s, inside, l->stmt->for_.target,
               stage_element(s, l->over, index, l->stmt->for_.iter->at), l->stmt->for_.target->at);
    l->next.len = 0;
    for (size_t i = 0; i < body.len && !s->failed; i++)
        run_statement(l, inside, body.at[i], index);
    for (size_t i = 0; i < l->names.len && !s->failed; i++) {
        const Value *v = state_of(l, inside, i);
        take_apart(s, v, l->stmt->at, &l->next);
        if (!stage_is_like(s, l->values.at[i], v))
            (void)stage_refuse(s, l->stmt->at, "the type or the number of items of `%s` changes in "
                               "the loop\nto collect states, keep the last one in a variable, and "
                               "append to a list that is empty before the loop",
                               l->names.at[i]);
    }
    s->guard = old;
    if (l->open)
        only_if(l, test, states);
    return inside;
}

static size_t count_terms(const Value *v)
{
    size_t count = v->kind == VALUE_TERM;
    for (size_t i = 0; has_parts(v) && i < v->items.len; i++)
        count += count_terms(v->items.at[i]);
    return count;
}

// The name that the i-th of the states belongs to.
static Sym name_of_state(const Loop *l, size_t i)
{
    size_t k = 0;
    for (size_t end = count_terms(l->values.at[0]); end <= i; end += count_terms(l->values.at[k]))
        k++;
    return l->names.at[k];
}

// Whole numbers that become floats in a round are floats before it. False: run again.
static bool fit_states(Loop *l)
{
    Stage *s = l->s;
    bool fits = true;
    for (size_t i = 0; i < l->before.len && !s->failed; i++) {
        const Expr *old = l->before.at[i];
        if (term_elem(old) == ELEM_INT && term_elem(l->next.at[i]) == ELEM_FLOAT) {
            l->before.at[i] = stage_float(s, old);
            fits = false;
        } else if (term_elem(old) == ELEM_FLOAT) {
            l->next.at[i] = stage_float(s, l->next.at[i]);
        }
        if (!shape_equal(term_shape(old), term_shape(l->next.at[i])))
            (void)stage_differ(s, l->stmt->at,
                               names_format(s->names, "`%s`, which keeps its value from one round "
                                            "to the next", name_of_state(l, i)),
                               old, l->next.at[i]);
    }
    return fits || s->failed;
}

// The arrays and records in a value.
static void find_leaves(Stage *s, Value *v, ValueVec *leaves)
{
    for (size_t i = 0; has_parts(v) && i < v->items.len; i++)
        find_leaves(s, v->items.at[i], leaves);
    if (v->kind == VALUE_TERM || v->kind == VALUE_RECORD)
        vec_push(s->arena, leaves, v);
}

static size_t count_value(const ValueVec *leaves, const Value *v)
{
    size_t count = 0;
    for (size_t i = 0; i < leaves->len; i++)
        count += leaves->at[i] == v;
    return count;
}

static Value *after_round(const Loop *l, Scope *inside, size_t i, const Journal *journal)
{
    const Slot *place = &l->places.at[i];
    for (size_t k = 0; place->record != NULL && k < journal->changes.len; k++)
        if (journal->changes.at[k].record == place->record)
            return record_get(l->s, &(Value){.keys = journal->changes.at[k].keys,
                                             .items = journal->changes.at[k].items}, place->key);
    return table_get(inside->names, l->names.at[i]);
}

// An array that another state shows at the end of a round is one that the next round must not store
// into. False: run again.
static bool keep_shared(Loop *l, Scope *inside, size_t round, const Journal *journal)
{
    ValueVec before = {0}, after = {0};
    bool fits = true;
    for (size_t i = 0; i < l->names.len && !l->s->failed; i++) {
        find_leaves(l->s, l->values.at[i], &before);
        find_leaves(l->s, after_round(l, inside, i, journal), &after);
    }
    for (size_t i = 0; i < before.len && i < after.len; i++) {
        if (after.at[i]->region < round || after.at[i]->base != NULL)   // it is from outside
            stage_note_escape(after.at[i]);
        Value one = *after.at[i];
        one.bindings = (int)count_value(&after, after.at[i]);
        if (stage_may_store(before.at[i]) && !stage_may_store(&one))
            fits = !(before.at[i]->shared = true);
    }
    return fits;
}

static TermLoop run_rounds(Loop *l, Rounds *rounds)
{
    Stage *s = l->s;
    TermVec states = {0};
    const Expr *index = NULL;
    size_t checks = s->checks.len;
    bool fits = false;
    for (int run = 0; run < MAX_RUNS && !fits && !s->failed; run++) {
        states = (TermVec){0};
        index = term_variable(s->t);
        for (size_t i = 0; i < l->before.len; i++)
            vec_push(s->arena, &states, term_state(s->t, l->before.at[i]->ty));
        *rounds = (Rounds){.outer = s->rounds, .states = {states.at, states.len},
                           .bound = s->bound.len};
        s->rounds = rounds;
        s->checks.len = checks;
        vec_push(s->arena, &s->bound, index);
        vec_push(s->arena, &s->extents, l->size);
        size_t region = stage_enter(s), round = s->region;
        Journal journal;
        journal_open(s, &journal);
        Scope *inside = run_round(l, index, &states);
        journal_close(s, &journal);
        s->region = region;
        s->bound.len--;
        s->extents.len--;
        s->rounds = rounds->outer;
        bool same = s->failed || fit_states(l);
        bool kept = s->failed || keep_shared(l, inside, round, &journal);   // the next run has both
        bool known = s->failed || find_places(l, &journal);
        fits = same && kept && known;
    }
    if (!fits)
        (void)stage_refuse(s, l->stmt->at, "a variable that this loop changes must have the same "
                           "type and shape in every round\nassign a float such as `0.0` to it "
                           "before the loop");
    return (TermLoop){l->size, false, index, {states.at, states.len},
                      {l->before.at, l->before.len}, {l->next.at, l->next.len}, {NULL, 0}};
}

// [size] of a value of each round.
static const Expr *of_all_rounds(Stage *s, const TermLoop *l, const Expr *e)
{
    return l->states.len == 0 ? term_build(s->t, l->index, l->size, e) : term_kept(s->t, l, e);
}

// ---- after it ----

static bool is_made_before(const Loop *l, const Made *made)
{
    for (const Made *other = l->made.at; other < made; other++)
        if (other->name == made->name)
            return true;
    return false;
}

static void bind_made(Loop *l, const TermLoop *rounds, const Made *made, const Expr *record)
{
    Stage *s = l->s;
    Value *old = stage_find(l->scope, made->name);
    const Expr *all = of_all_rounds(s, rounds, record);
    if (old == NULL) {
        (void)stage_refuse(s, made->stmt->at, "`%s` must be assigned before the loop", made->name);
    } else if (made->how == ADDS && old->kind == VALUE_TERM && !stage_may_store(old)) {
        stage_refuse_shared(s, made->stmt->at, made->name);     // a round may read another name
    } else if (made->how == ADDS) {
        const Expr *sum = stage_binary(s, OPERATOR_ADD, value_as_term(s, old, l->stmt->at),
                                       term_reduce(s->t, REDUCTION_SUM, all), made->stmt->at);
        stage_set_augmented(s, l->scope, made->stmt, sum);
    } else if (made->how == APPENDS && is_made_before(l, made)) {
        (void)stage_refuse(s, made->stmt->at, "this loop may append to `%s` only once in each "
                           "round\nuse another list for the second element", made->name);
    } else if (made->how == APPENDS && (old->kind != VALUE_LIST || old->items.len > 0)) {
        (void)stage_refuse(s, made->stmt->at, "`%s` must be an empty list before the loop",
                           made->name);
    } else if (made->how == APPENDS && old->bindings > 1) {
        (void)stage_refuse(s, made->stmt->at, STAGE_SHARED_LIST, made->name, made->name);
    } else if (made->how == STORES && old->kind == VALUE_RECORD) {
        (void)stage_refuse(s, made->stmt->at, "`%s` is a dict, but the number of rounds of this "
                           "loop is not known, so its keys are not\nuse an array", made->name);
    } else if (made->how == STORES && old->kind == VALUE_LIST) {
        (void)stage_refuse(s, made->stmt->at, "`%s` is a list, not an array\nwrite `%s = "
                           "np.zeros(n)` before the loop, where `n` is the number of rounds",
                           made->name, made->name);
    } else if (made->how == STORES && (old->kind != VALUE_TERM ||
                                       term_rank(old->term) != term_rank(all) ||
                                       !shape_equal(shape_drop(term_shape(old->term), 1),
                                                    shape_drop(term_shape(all), 1)))) {
        (void)stage_differ(s, made->stmt->at, "the stored elements",
                           value_as_term(s, old, l->stmt->at), all);
    } else if (made->how == STORES && !stage_may_store(old)) {
        stage_refuse_shared(s, made->stmt->at, made->name);
    } else {
        if (made->how == STORES && term_elem(old->term) == ELEM_FLOAT)
            all = stage_float(s, all);
        if (made->how == STORES)
            all = stage_with_front(s, old->term, all, made->stmt->at);
        Value *v = made->how == STORES ? value_fresh(s, all) : value_term(s, all);
        v->bindings = 1;
        table_set(l->scope->names, made->name, v);
    }
}

static void bind_results(Loop *l, const TermLoop *rounds)
{
    Stage *s = l->s;
    TermVec finals = {0};
    for (size_t i = 0; i < l->before.len; i++)
        vec_push(s->arena, &finals, term_final(s->t, rounds, i));
    const Expr *const *next = finals.at;
    for (size_t i = 0; i < l->names.len; i++) {
        Value *v = put_together(s, l->values.at[i], &next);
        const Slot *place = &l->places.at[i];
        if (v->kind == VALUE_TERM)
            term_hint(s->t, v->term, l->names.at[i]);
        stage_note_replaced(l->values.at[i]);
        if (place->record == NULL)
            table_set(l->scope->names, l->names.at[i], v);
        else
            set_place(s, place, v, l->stmt->at);
    }
}

static void run_unknown(Stage *s, Scope *scope, const Stmt *stmt, const Value *over,
                        const Ty *size, bool open)
{
    Loop l = {.s = s, .stmt = stmt, .over = over, .size = size, .open = open, .scope = scope};
    Rounds rounds = {0};
    find_made(&l);
    find_states(&l);
    for (size_t i = 0; i < l.made.len; i++)
        vec_push(s->arena, &l.records, NULL);
    if (s->failed)
        return;
    TermLoop loop = run_rounds(&l, &rounds);
    for (size_t i = 0; i < l.made.len && !s->failed; i++)
        bind_made(&l, &loop, &l.made.at[i], l.records.at[i]);
    for (size_t i = 0; i < rounds.counts.len && !s->failed; i++)
        stage_check_count(s, term_reduce(s->t, REDUCTION_SUM,
                                         term_kept(s->t, &loop, rounds.counts.at[i])));
    if (!s->failed)
        bind_results(&l, &loop);
}

// ---- which loop ----

static void run_list(Stage *s, Scope *scope, const Stmt *loop, const Value *over, Run *r)
{
    for (size_t i = 0; i < over->items.len && !s->failed && r->returned == NULL; i++) {
        stage_bind(s, scope, loop->for_.target, over->items.at[i], loop->for_.target->at);
        stage_run(s, scope, loop->for_.body, r);
    }
}

static void unroll(Stage *s, Scope *scope, const Stmt *loop, const Value *over, int64_t rounds,
                   Run *r)
{
    for (int64_t i = 0; i < rounds && !s->failed && r->returned == NULL; i++) {
        stage_bind(s, scope, loop->for_.target,
                   stage_element(s, over, term_int(s->t, i), loop->for_.iter->at),
                   loop->for_.target->at);
        stage_run(s, scope, loop->for_.body, r);
    }
}

// Written out while it is short, or when a round is left.
static bool is_unrolled(const Stmt *loop, int64_t rounds)
{
    StmtList body = loop->for_.body;
    bool leaves = false;
    for (size_t i = 0; i < body.len; i++)
        leaves = leaves || body.at[i]->kind == STMT_IF || body.at[i]->kind == STMT_RETURN;
    return rounds <= MAX_UNROLLED || (leaves && rounds <= MAX_ROUNDS);
}

// The arrays that a loop goes over: Python reads each element in its round, so none is stored into.
static void find_arrays(Stage *s, Value *over, ValueVec *arrays)
{
    for (size_t i = 0; over->kind != VALUE_TERM && over->kind != VALUE_RECORD &&
                       i < over->items.len; i++)
        find_arrays(s, over->items.at[i], arrays);
    for (; over != NULL && over->kind == VALUE_TERM; over = over->base)
        if (term_rank(over->term) > 0 && !over->shared) {
            over->shared = true;
            vec_push(s->arena, arrays, over);
        }
}

static bool run_over(Stage *s, Scope *scope, const Stmt *loop, const Value *over, bool breaks,
                     Run *r);

// Behind a loop that is written out, the last row still shows its array.
static void run_loop(Stage *s, Scope *scope, const Stmt *loop, bool breaks, Run *r)
{
    ValueVec arrays = {0};
    Value *over = stage_iterated(s, stage_eval(s, scope, loop->for_.iter));
    find_arrays(s, over, &arrays);
    bool written = run_over(s, scope, loop, over, breaks, r);
    for (size_t i = 0; i < arrays.len; i++)
        arrays.at[i]->shared = written && term_rank(arrays.at[i]->term) > 1;
}

// True: each round is written out.
static bool run_over(Stage *s, Scope *scope, const Stmt *loop, const Value *over, bool breaks,
                     Run *r)
{
    int64_t n;
    if (loop->for_.orelse.len > 0)
        (void)stage_refuse(s, loop->at, "an array function does not support `else` of a loop");
    if (!s->failed && over->kind == VALUE_LIST) {
        run_list(s, scope, loop, over, r);
        return true;
    }
    bool array = over->kind == VALUE_TERM && term_rank(over->term) > 0;
    if (!array && over->kind != VALUE_RANGE && over->kind != VALUE_ROWS)
        (void)stage_refuse(s, loop->for_.iter->at, "a loop of an array function must iterate over "
                           "a `range`, an array, a list or a tuple, or `zip` or `enumerate` of "
                           "these\nwrite `for i in range(n)`");
    const Ty *most = stage_most_rounds(s, over, loop->for_.iter->at);
    const Ty *size = s->failed || most != NULL ? most
                                               : stage_length(s, over, loop->for_.iter->at);
    if (size == NULL || s->failed)
        return false;
    bool written = most == NULL && poly_is_number(size_poly(s->t, size), &n) &&
                   (breaks ? n <= MAX_UNROLLED : is_unrolled(loop, n));
    if (written)
        unroll(s, scope, loop, over, n, r);
    else
        run_unknown(s, scope, loop, over, size, most != NULL);
    return written;
}

void stage_for(Stage *s, Scope *scope, const Stmt *loop, Run *r)
{
    int outer = s->loop_depth;
    const Rest *after = r->after;
    s->loop_depth = s->depth;
    r->after = NULL;
    bool breaks;
    loop = stage_whole_rounds(s, scope, loop, &breaks);
    if (!s->failed)
        run_loop(s, scope, loop, breaks, r);
    r->after = after;
    s->loop_depth = outer;
}
