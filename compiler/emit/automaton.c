// automaton.c - see automaton.h.
//
// The events of the diagram become a nondeterministic automaton, in which what other roles do is an
// empty step; then subsets of its states are the states of a deterministic one (M. O. Rabin and
// D. Scott), of which those that cannot be told apart are united (E. F. Moore).

#include "compiler/emit/automaton.h"

#include <string.h>

#include "compiler/base/vec.h"

enum { EMPTY = -1 };

typedef struct Step { int from, to, letter; } Step;

// A call of a choreography that is being followed already.
typedef struct Recursion { int from, to, start, end, letter; } Recursion;

// A choreography that is being followed.
typedef struct Scope {
    const struct Scope *outer;
    const ViewEvent *enter;
    int start, end;
} Scope;

typedef struct Round {
    const struct Round *outer;
    int head, after;            // where `continue` and `break` go
} Round;

typedef struct Builder {
    Arena *arena;
    const Diagram *d;
    Sym    role;
    size_t at;                  // the next event
    int    states;
    Vec(Step) steps;
    Vec(Recursion) recursions;
    Vec(const char *) letters;
} Builder;

static int sequence(Builder *b, int state, const Scope *scope, const Round *round);

// ---- steps ----

static int new_state(Builder *b) { return b->states++; }

static void add_step(Builder *b, int from, int to, int letter)
{
    Step step = {from, to, letter};
    vec_push(b->arena, &b->steps, step);
}

static int letter_of(Builder *b, const char *text)
{
    for (size_t i = 0; i < b->letters.len; i++)
        if (strcmp(b->letters.at[i], text) == 0)
            return (int)i;
    vec_push(b->arena, &b->letters, text);
    return (int)b->letters.len - 1;
}

static bool takes_part(SymList roles, Sym role)
{
    for (size_t i = 0; i < roles.len; i++)
        if (roles.at[i] == role)
            return true;
    return false;
}

static int act(Builder *b, int state, int letter)
{
    int next = new_state(b);
    add_step(b, state, next, letter);
    return next;
}

static int communicate(Builder *b, int state, const ViewEvent *e)
{
    Buf text = buf_new(b->arena);
    if (e->from != b->role && e->to != b->role)
        return state;
    bool sends = e->from == b->role;
    buf_printf(&text, "%s %s %s", sends ? e->to : e->from, sends ? "!" : "?", e->type);
    return act(b, state, letter_of(b, buf_text(&text)));
}

static bool same_roles(SymList a, SymList b)
{
    for (size_t i = 0; i < a.len && i < b.len; i++)
        if (a.at[i] != b.at[i])
            return false;
    return a.len == b.len;
}

static int call(Builder *b, int state, const ViewEvent *e, const Scope *scope)
{
    if (!takes_part(e->roles, b->role))
        return state;
    Buf text = buf_new(b->arena);
    buf_printf(&text, "call %s[", e->text);
    for (size_t i = 0; i < e->roles.len; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", e->roles.at[i]);
    buf_puts(&text, "]");
    int next = new_state(b), letter = letter_of(b, buf_text(&text));
    const Scope *outer = scope;
    while (outer && (outer->enter->body != e->body || !same_roles(outer->enter->roles, e->roles)))
        outer = outer->outer;
    if (outer) {
        Recursion r = {state, next, outer->start, outer->end, letter};
        vec_push(b->arena, &b->recursions, r);
    } else {
        add_step(b, state, next, letter);
    }
    return next;
}

// ---- events ----

// The state that no path reaches: it follows a jump.
static int jump(Builder *b, int state, const ViewEvent *e, const Scope *scope, const Round *round)
{
    const Scope *entry = scope;
    while (entry->outer)
        entry = entry->outer;
    add_step(b, state, e->jump == STMT_BREAK      ? round->after
                       : e->jump == STMT_CONTINUE ? round->head
                       : e->jump == STMT_RETURN   ? scope->end
                                                  : entry->end, EMPTY);
    return new_state(b);
}

static int choice(Builder *b, int state, const Scope *scope, const Round *round)
{
    int join = new_state(b);
    bool closed = b->d->at[b->at++].closed;
    for (;;) {
        int part = act(b, state, EMPTY);
        add_step(b, sequence(b, part, scope, round), join, EMPTY);
        if (b->d->at[b->at++].kind == VIEW_END)
            break;
    }
    if (!closed)
        add_step(b, state, join, EMPTY);
    return join;
}

static int loop(Builder *b, int state, const Scope *scope, const Round *round)
{
    bool closed = b->d->at[b->at++].closed;
    int head = act(b, state, EMPTY), exit = new_state(b);
    Round own = {round, head, new_state(b)};
    add_step(b, sequence(b, head, scope, &own), head, EMPTY);
    b->at++;
    if (!closed)
        add_step(b, head, exit, EMPTY);
    add_step(b, sequence(b, exit, scope, round), own.after, EMPTY);
    b->at++;
    return own.after;
}

static int body(Builder *b, int state, const Scope *outer)
{
    Scope scope = {outer, &b->d->at[b->at++], act(b, state, EMPTY), 0};
    scope.end = new_state(b);
    add_step(b, sequence(b, scope.start, &scope, NULL), scope.end, EMPTY);
    b->at++;
    return scope.end;
}

// The events up to one that ends what is around them.
static int sequence(Builder *b, int state, const Scope *scope, const Round *round)
{
    while (b->at < b->d->len) {
        const ViewEvent *e = &b->d->at[b->at];
        switch (e->kind) {
        case VIEW_ELSE: case VIEW_END: case VIEW_LEAVE: case VIEW_AFTER_LOOP: return state;
        case VIEW_ALT: state = choice(b, state, scope, round); continue;
        case VIEW_LOOP: state = loop(b, state, scope, round); continue;
        case VIEW_ENTER: state = body(b, state, scope); continue;
        case VIEW_MESSAGE: case VIEW_SELECT: state = communicate(b, state, e); break;
        case VIEW_CALL: state = call(b, state, e, scope); break;
        case VIEW_JUMP: state = jump(b, state, e, scope, round); break;
        case VIEW_NOTE: break;
        }
        b->at++;
    }
    return state;
}

// ---- sets of states ----

typedef struct Set { bool *has; } Set;

static Set set_new(const Builder *b)
{
    return (Set){ARENA_ARRAY(b->arena, bool, (size_t)b->states)};
}

// Adds what empty steps lead to, but not from `stop`.
static void close_set(const Builder *b, Set set, int stop)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < b->steps.len; i++) {
            const Step *s = &b->steps.at[i];
            if (s->letter == EMPTY && s->from != stop && set.has[s->from] && !set.has[s->to])
                grown = set.has[s->to] = true;
        }
    }
}

// Whether the role does nothing between the call and the end of the choreography that it calls.
static bool is_last(const Builder *b, const Recursion *r)
{
    Set after = set_new(b);
    after.has[r->to] = true;
    close_set(b, after, r->end);
    for (size_t i = 0; i < b->steps.len; i++) {
        const Step *s = &b->steps.at[i];
        if (s->letter != EMPTY && s->from != r->end && after.has[s->from])
            return false;
    }
    for (size_t i = 0; i < b->recursions.len; i++)
        if (b->recursions.at[i].from != r->end && after.has[b->recursions.at[i].from])
            return false;
    return after.has[r->end];
}

static void add_recursions(Builder *b)
{
    size_t count = b->recursions.len;
    bool *last = ARENA_ARRAY(b->arena, bool, count);
    for (size_t i = 0; i < count; i++)
        last[i] = is_last(b, &b->recursions.at[i]);
    for (size_t i = 0; i < count; i++) {
        const Recursion *r = &b->recursions.at[i];
        add_step(b, r->from, last[i] ? r->start : r->to, last[i] ? EMPTY : r->letter);
    }
}

// ---- the deterministic automaton ----

typedef struct Subsets {
    Vec(Set) sets;
    Vec(int *) next;            // of each set, by letter; -1: none
} Subsets;

static int find_set(const Builder *b, Subsets *all, Set set)
{
    for (size_t i = 0; i < all->sets.len; i++)
        if (memcmp(all->sets.at[i].has, set.has, (size_t)b->states * sizeof *set.has) == 0)
            return (int)i;
    vec_push(b->arena, &all->sets, set);
    return (int)all->sets.len - 1;
}

static int follow_letter(const Builder *b, Subsets *all, size_t from, int letter)
{
    Set set = set_new(b);
    bool any = false;
    for (size_t i = 0; i < b->steps.len; i++) {
        const Step *s = &b->steps.at[i];
        if (s->letter == letter && all->sets.at[from].has[s->from])
            any = set.has[s->to] = true;
    }
    if (!any)
        return -1;
    close_set(b, set, -1);
    return find_set(b, all, set);
}

static bool make_subsets(const Builder *b, int start, Subsets *all)
{
    Set first = set_new(b);
    first.has[start] = true;
    close_set(b, first, -1);
    find_set(b, all, first);
    for (size_t i = 0; i < all->sets.len; i++) {
        int *next = ARENA_ARRAY(b->arena, int, b->letters.len + 1);
        for (size_t letter = 0; letter < b->letters.len; letter++)
            next[letter] = follow_letter(b, all, i, (int)letter);
        vec_push(b->arena, &all->next, next);
        if (all->sets.len > AUTOMATON_MAX_STATES)
            return false;
    }
    return true;
}

static bool same_class(const Builder *b, const Subsets *all, const int *class_, size_t x, size_t y)
{
    if (class_[x] != class_[y])
        return false;
    for (size_t i = 0; i < b->letters.len; i++) {
        int to_x = all->next.at[x][i], to_y = all->next.at[y][i];
        if ((to_x < 0) != (to_y < 0) || (to_x >= 0 && class_[to_x] != class_[to_y]))
            return false;
    }
    return true;
}

// Gives each set the first one that it cannot be told from.
static int *unite(const Builder *b, const Subsets *all, int end)
{
    size_t count = all->sets.len;
    int *class_ = ARENA_ARRAY(b->arena, int, count), *finer = ARENA_ARRAY(b->arena, int, count);
    for (size_t i = 0; i < count; i++)
        class_[i] = all->sets.at[i].has[end];
    for (bool changed = true; changed;) {
        for (size_t i = 0; i < count; i++) {
            size_t j = 0;
            while (j < i && !same_class(b, all, class_, i, j))
                j++;
            finer[i] = (int)j;
        }
        changed = memcmp(class_, finer, count * sizeof *finer) != 0;
        memcpy(class_, finer, count * sizeof *finer);
    }
    return class_;
}

// The classes in the order in which they are reached, and the edges between them.
static void number(const Builder *b, const Subsets *all, const int *class_, int end, Automaton *out)
{
    size_t count = all->sets.len;
    int *order = ARENA_ARRAY(b->arena, int, count + 1);
    size_t *numbers = ARENA_ARRAY(b->arena, size_t, count + 1);     // from 1; 0: not reached yet
    bool *final = ARENA_ARRAY(b->arena, bool, count + 1);
    Vec(AutomatonEdge) edges = {0};
    out->states = 1;
    numbers[0] = 1;
    for (size_t i = 0; i < out->states; i++) {
        final[i] = all->sets.at[order[i]].has[end];
        for (size_t letter = 0; letter < b->letters.len; letter++) {
            int to = all->next.at[order[i]][letter];
            if (to < 0)
                continue;
            to = class_[to];
            if (numbers[to] == 0) {
                order[out->states++] = to;
                numbers[to] = out->states;
            }
            AutomatonEdge edge = {i, numbers[to] - 1, b->letters.at[letter]};
            vec_push(b->arena, &edges, edge);
        }
    }
    out->final = final;
    out->edges = edges.at;
    out->len = edges.len;
}

bool automaton_make(Arena *a, const Diagram *d, Sym role, Automaton *out)
{
    Builder b = {.arena = a, .d = d, .role = role};
    int start = new_state(&b), end = sequence(&b, start, NULL, NULL);
    Subsets all = {{0}, {0}};
    add_recursions(&b);
    if (!make_subsets(&b, start, &all))
        return false;
    out->role = role;
    number(&b, &all, unite(&b, &all, end), end, out);
    return true;
}

// ---- dot ----

static void print_quoted(Buf *b, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_putc(b, '\\');
        buf_putc(b, (unsigned char)*text < ' ' ? ' ' : *text);
    }
}

// Edges between the same two states are one, with a line for each label.
static void print_edges(Buf *b, const Automaton *automaton, size_t from, size_t to)
{
    bool any = false;
    for (size_t i = 0; i < automaton->len; i++) {
        const AutomatonEdge *e = &automaton->edges[i];
        if (e->from != from || e->to != to)
            continue;
        if (any)
            buf_puts(b, "\\n");
        else
            buf_printf(b, "%zu -> %zu [label=\"", from, to);
        print_quoted(b, e->label);
        any = true;
    }
    if (any)
        buf_puts(b, "\"]\n");
}

void automaton_print_dot(Buf *b, const Automaton *automaton)
{
    buf_puts(b, "digraph \"");
    print_quoted(b, automaton->role);
    buf_puts(b, "\" {\n");
    b->indent++;
    buf_puts(b, "rankdir=LR\nnode [shape=circle, fontname=\"monospace\"]\n"
                "edge [fontname=\"monospace\"]\nstart [shape=point]\nstart -> 0\n");
    for (size_t i = 0; i < automaton->states; i++)
        if (automaton->final[i])
            buf_printf(b, "%zu [shape=doublecircle]\n", i);
    for (size_t i = 0; i < automaton->states; i++)
        for (size_t j = 0; j < automaton->states; j++)
            print_edges(b, automaton, i, j);
    b->indent--;
    buf_puts(b, "}\n");
}
