// solve.c - nodes, inclusions between them, operations on what they hold; the objects.

#include <stdlib.h>
#include <string.h>

#include "typecheck/state/state.h"

// ---- sets ----

enum { SMALL = 12, WORD = 64 };

static bool set_has(const IdSet *set, Id id) {
    if (set->bits != NULL)
        return id / WORD < set->words && (set->bits[id / WORD] >> (id % WORD) & 1) != 0;
    for (size_t i = 0; i < set->len; i++)
        if (set->at[i] == id) return true;
    return false;
}

static void set_bit(Arena *a, IdSet *set, Id id) {
    if (id / WORD >= set->words) {
        size_t words = id / WORD * 2 + 4;
        uint64_t *bits = ARENA_ARRAY(a, uint64_t, words);
        for (size_t i = 0; i < set->words; i++) bits[i] = set->bits[i];
        set->bits = bits;
        set->words = words;
    }
    set->bits[id / WORD] |= (uint64_t)1 << (id % WORD);
}

static bool set_add(Arena *a, IdSet *set, Id id) {
    if (set_has(set, id)) return false;
    if (set->bits != NULL) set_bit(a, set, id);
    vec_push(a, set, id);
    for (size_t i = 0; set->len == SMALL && i < SMALL; i++) set_bit(a, set, set->at[i]);
    return true;
}

// ---- nodes ----

Id state_node(State *s) {
    if (s->node_count % NODES_TOGETHER == 0) {
        Node *more = ARENA_ARRAY(s->arena, Node, NODES_TOGETHER);
        vec_push(s->arena, &s->nodes, more);
    }
    return s->node_count++;
}

// Nodes that hold the same are one: see state_merge.
static Id rep(const State *s, Id id) {
    while (node_at(s, id)->same != 0) {
        Node *n = node_at(s, id);
        if (node_at(s, n->same)->same != 0) n->same = node_at(s, n->same)->same;
        id = n->same;
    }
    return id;
}

static void queue(State *s, Id id) {
    if (node_at(s, id)->queued || node_at(s, id)->set.len == 0) return;
    node_at(s, id)->queued = true;
    vec_push(s->arena, &s->queue, id);
}

IdSet state_set(const State *s, Id node) { return node_at(s, rep(s, node))->set; }

bool state_has(const State *s, Id node, Id element) {
    return node != 0 && set_has(&node_at(s, rep(s, node))->set, element);
}

void state_add(State *s, Id node, Id element) {
    node = rep(s, node);
    if (node == 0 || !set_add(s->arena, &node_at(s, node)->set, element)) return;
    s->held++;
    queue(s, node);
}

static void include(State *s, Id from, Id to, bool stays) {
    from = rep(s, from);
    to = rep(s, to);
    if (from == 0 || to == 0 || from == to) return;
    Node *n = node_at(s, from);
    if (!set_add(s->arena, &n->goes, to)) {
        for (size_t i = 0; stays && i < n->to.len; i++) n->to.at[i].stays |= n->to.at[i].to == to;
        return;
    }
    Inclusion in = {to, 0, stays};
    vec_push(s->arena, &n->to, in);
    queue(s, from);
}

void state_flow(State *s, Id from, Id to) { include(s, from, to, false); }

Id state_both(State *s, Id a, Id b) {
    if (a == 0 || b == 0 || a == b) return a == 0 ? b : a;
    Id both = state_node(s);
    state_flow(s, a, both);
    state_flow(s, b, both);
    return both;
}

// What makes it another operation, beside its arguments.
typedef struct Parts { uint64_t at[11]; } Parts;

static Parts parts_of(const Op *op) {
    return (Parts){{op->kind, op->place, op->result, op->len, op->anyhow, (uintptr_t)op->name,
                    (uintptr_t)op->key, (uintptr_t)op->cx, (uintptr_t)op->self,
                    (uintptr_t)op->around, (uintptr_t)op->names}};
}

static uint64_t hash_of(Id node, const Op *op) {
    const Parts parts = parts_of(op);
    uint64_t h = 0x9E3779B97F4A7C15u ^ node;
    for (size_t i = 0; i < sizeof parts.at / sizeof *parts.at; i++) {
        h = (h ^ parts.at[i]) * 0xBF58476D1CE4E5B9u;
        h ^= h >> 29;
    }
    for (size_t i = 0; i < op->len; i++) h = (h ^ op->args[i].node) * 0xBF58476D1CE4E5B9u;
    return h ^ h >> 31;
}

static bool same_op(const Op *a, const Op *b) {
    const Parts left = parts_of(a), right = parts_of(b);
    bool same = memcmp(&left, &right, sizeof left) == 0;
    for (size_t i = 0; same && i < a->len; i++)
        same = a->args[i].node == b->args[i].node && a->args[i].name == b->args[i].name &&
            a->args[i].text == b->args[i].text && a->args[i].many == b->args[i].many;
    return same;
}

static const void *key_of(Id node, const Op *op) { return table_key(hash_of(node, op) >> 1); }

static bool is_listed(const State *s, Id node, const Op *op) {
    const Op *same = table_get(s->ops, key_of(node, op));
    while (same != NULL && (same->node != node || !same_op(same, op))) same = same->next;
    return same != NULL;
}

// Unless the node has it already: what an operation does may ask for it again.
static void enlist(State *s, Id node, Op *op) {
    if (is_listed(s, node, op)) return;
    op->done = 0;
    op->node = node;
    op->next = table_get(s->ops, key_of(node, op));
    table_set(s->ops, key_of(node, op), op);
    vec_push(s->arena, &node_at(s, node)->ops, op);
    queue(s, node);
}

Span state_from(const Op *op) {
    return op->cx->choreography != NULL ? op->at : op->cx->from;
}

Op state_as(const Op *op, OpKind kind, Id result) {
    Op as = *op;
    as.kind = kind;
    as.result = result;
    return as;
}

Op state_each(State *s, const Op *op, OpKind kind, Id result, Id node) {
    Op each = state_as(op, kind, result);
    each.args = ARENA_NEW(s->arena, Operand);
    *each.args = (Operand){.node = node, .many = EACH};
    each.len = 1;
    return each;
}

static void join(State *s, Id node, Op *op);

void state_when(State *s, Id node, const Op *op) {
    Op like = state_taken(op);
    node = rep(s, node);
    like.result = rep(s, op->result);
    like.anyhow = rep(s, op->anyhow);
    for (size_t i = 0; i < like.len; i++) op->args[i].node = rep(s, op->args[i].node);
    if (node == 0 || is_listed(s, node, &like)) return;
    Op *copy = ARENA_NEW(s->arena, Op);
    *copy = like;
    if (like.len > 0) copy->args = ARENA_ARRAY(s->arena, Operand, like.len);
    for (size_t i = 0; i < like.len; i++) copy->args[i] = op->args[i];
    if (op->kind == OP_UNKNOWN) join(s, node, copy);
    else enlist(s, node, copy);
}

Op *state_unknown(const State *s, Id node) { return node_at(s, rep(s, node))->unknown; }

// So many are taken together.
enum { MANY = 32 };

bool state_many(const State *s, Id node) { return state_set(s, node).len > MANY; }

void state_part(State *s, Id node, Id whole) { node_at(s, rep(s, node))->part_of = whole; }

// Where such code has much, all parts of it are that much again, and what is done with one of it
// that code does: so the cost is linear.
Op *state_world(const State *s, Id node) {
    return node != 0 && state_many(s, node) ? state_unknown(s, node) : NULL;
}

void state_calls(State *s, Ctx *from, Ctx *to) {
    if (table_get(state_own(s, &from->called), to) != NULL) return;
    table_set(from->called, to, to);
    vec_push(s->arena, &from->callees, to);
}

CtxList state_reached(State *s, Ctx *from, const void *mark) {
    Vec(Ctx *) all = {0};
    if (from->seen != mark) vec_push(s->arena, &all, from);
    from->seen = mark;
    for (size_t i = 0; i < all.len; i++)
        for (size_t k = 0; k < all.at[i]->callees.len; k++) {
            Ctx *to = all.at[i]->callees.at[k];
            if (to->seen != mark) vec_push(s->arena, &all, to);
            to->seen = mark;
        }
    return (CtxList){all.at, all.len};
}

// What code that nothing is known of does with a node, it does once.
static void join(State *s, Id node, Op *op) {
    Op *first = node_at(s, node)->unknown;
    if (first == NULL) {
        node_at(s, node)->unknown = op;
        enlist(s, node, op);
    } else if (first != op) {
        state_calls(s, first->cx, op->cx);
        state_calls(s, op->cx, first->cx);
        state_merge(s, first->place, op->place);
    }
}

// What code that nothing is known of can reach, it may put into everything of it: all these parts
// hold the same, and are one node.
void state_merge(State *s, Id a, Id b) {
    a = rep(s, a);
    b = rep(s, b);
    if (a == b || a == 0 || b == 0) return;
    if (node_at(s, a)->set.len + node_at(s, a)->ops.len <
        node_at(s, b)->set.len + node_at(s, b)->ops.len) {
        Id other = a;
        a = b;
        b = other;
    }
    Node *kept = node_at(s, a), gone = *node_at(s, b);
    *node_at(s, b) = (Node){.same = a};
    kept->deep |= gone.deep;
    if (kept->part_of == 0) kept->part_of = gone.part_of;
    s->held -= gone.set.len;
    for (size_t i = 0; i < gone.set.len; i++) state_add(s, a, gone.set.at[i]);
    for (size_t i = 0; i < gone.to.len; i++) include(s, a, gone.to.at[i].to, gone.to.at[i].stays);
    for (size_t i = 0; i < gone.ops.len; i++) {
        Op *op = gone.ops.at[i];
        if (op->kind == OP_UNKNOWN) join(s, a, op);
        else enlist(s, a, op);
    }
}

Sym state_sym(const State *s, const char *name) { return names_get(s->p->names, name); }

Table *state_own(State *s, Table **t) {
    if (*t == NULL) *t = table_new(s->arena);
    return *t;
}

Table *state_table(State *s, Table *t, const void *key) {
    Table *made = table_get(t, key);
    if (made == NULL) table_set(t, key, made = table_new(s->arena));
    return made;
}

Id state_in(State *s, Table *t, const void *key) {
    uintptr_t node = (uintptr_t)table_get(t, key);
    if (node == 0) table_set(t, key, (void *)(node = state_node(s)));
    return (Id)node;
}

// The node of two things in a function as it is called.
Id state_memo(State *s, Ctx *cx, const void *a, const void *b) {
    return state_in(s, state_table(s, state_own(s, &cx->memo), a), b);
}

// What an operation does may add to this node: it is then queued again. Only new elements go along
// the inclusions that are settled; a node may have thousands of them.
static void process(State *s, Id id) {
    Node *n = node_at(s, id);
    if (n->same != 0) return;
    if (state_world(s, n->part_of)) state_merge(s, id, n->part_of);
    if (n->same != 0) return;
    size_t len = n->set.len, i;
    bool grown = len > n->settled;
    n->queued = false;
    for (i = grown ? 0 : n->settled_to; i < n->to.len; i++) {
        while (n->to.at[i].done < len) {
            Inclusion *in = &n->to.at[i];
            state_add(s, in->to, n->set.at[in->done++]);
        }
    }
    n->settled_to = (uint32_t)i;
    for (i = grown ? 0 : n->settled_ops; i < n->ops.len; i++) {
        Op *op = n->ops.at[i];
        while (op->done < len) {
            state_apply(s, op, s->objs.at[n->set.at[op->done++]]);
            if (n->same != 0) return;
        }
    }
    n->settled_ops = (uint32_t)i;
    n->settled = (uint32_t)len;
}

// ---- cycles ----

// Nodes that include each other hold the same: they become one (Tarjan's algorithm, with a path of
// its own instead of recursion).
typedef struct Visit { Id node; size_t next; } Visit;

typedef struct Cycles {
    State *s;
    Id    *order, *low, *root;      // of each node; 0: not yet
    Vec(Id) open;                   // those that have no root yet
    Vec(Visit) path;
    Id     count;
} Cycles;

static void visit(Cycles *c, Id node) {
    Visit v = {node, 0};
    c->order[node] = c->low[node] = ++c->count;
    vec_push(c->s->arena, &c->open, node);
    vec_push(c->s->arena, &c->path, v);
}

static void lower(Cycles *c, Id node, Id low) {
    if (low < c->low[node]) c->low[node] = low;
}

static void leave(Cycles *c, Id node) {
    c->path.len--;
    if (c->path.len > 0) lower(c, c->path.at[c->path.len - 1].node, c->low[node]);
    bool first = c->low[node] == c->order[node];
    while (first && c->root[node] == 0) c->root[c->open.at[--c->open.len]] = node;
}

static void visit_all(Cycles *c, Id start) {
    visit(c, start);
    while (c->path.len > 0) {
        Visit *v = &c->path.at[c->path.len - 1];
        const Node *n = node_at(c->s, v->node);
        if (v->next == n->to.len) {
            leave(c, v->node);
            continue;
        }
        Id to = rep(c->s, n->to.at[v->next++].to);
        if (c->order[to] == 0) visit(c, to);
        else if (c->root[to] == 0) lower(c, v->node, c->order[to]);
    }
}

static void merge_cycles(State *s) {
    size_t len = s->node_count;
    Cycles c = {.s = s, .order = ARENA_ARRAY(s->arena, Id, len),
                .low = ARENA_ARRAY(s->arena, Id, len), .root = ARENA_ARRAY(s->arena, Id, len)};
    for (Id i = 1; i < len; i++)
        if (c.order[i] == 0 && node_at(s, i)->same == 0) visit_all(&c, i);
    for (Id i = 1; i < len; i++)
        if (c.root[i] != 0 && c.root[i] != i) state_merge(s, i, c.root[i]);
}

// Nodes and objects are as many as the program is large, but each node may hold each object. The
// nodes of usual programs hold a few thousand in all.
enum { MOST_HELD = 2000000, MUCH_HELD = 25000 };

bool state_lost(const State *s) { return s->held > MOST_HELD; }

// In rounds: what comes to a node meanwhile is taken on together. While modules load, no cycle is
// one node, since its inclusions go with the phase.
void state_solve(State *s) {
    s->much = MUCH_HELD;
    size_t at = 0;
    while ((at < s->queue.len || s->bodies.len > 0) && !state_lost(s)) {
        if (!s->load && s->held > s->much) {
            merge_cycles(s);
            s->much = s->held * 2;
        }
        if (at < s->queue.len) {
            process(s, s->queue.at[at++]);
        } else {
            s->queue.len = at = 0;
            state_body(s, s->bodies.at[--s->bodies.len]);
        }
    }
    s->queue.len = 0;
}

void state_end_phase(State *s) {
    for (Id i = 0; i < s->node_count; i++) {
        Node *n = node_at(s, i);
        size_t kept = 0;
        n->goes = (IdSet){0};
        for (size_t j = 0; j < n->to.len; j++)
            if (n->to.at[j].stays && set_add(s->arena, &n->goes, n->to.at[j].to))
                n->to.at[kept++] = n->to.at[j];
        n->to.len = kept;
        n->settled_to = n->settled_ops = n->settled = 0;
        n->ops.len = 0;
        n->unknown = NULL;
    }
    s->load = false;
    s->unknown.len = 0;
    s->swept = table_new(s->arena);
    s->ops = table_new(s->arena);
}

// ---- objects ----

Obj *state_obj(State *s, ObjKind kind, const Ctx *cx, Span at) {
    Obj *o = ARENA_NEW(s->arena, Obj);
    o->kind = kind;
    o->id = (Id)s->objs.len;
    o->load = cx == NULL || cx->load;
    o->by = cx;
    o->at = at;
    vec_push(s->arena, &s->objs, o);
    return o;
}

// One object for an expression of a function as it is called.
Obj *state_made(State *s, Ctx *cx, const void *key, ObjKind kind, Span at) {
    Obj *o = table_get(state_own(s, &cx->made), key);
    if (o != NULL) return o;
    o = state_obj(s, kind, cx, at);
    table_set(cx->made, key, o);
    return o;
}

// What an operation makes: an object for each class.
Obj *state_made_like(State *s, const Op *op, ObjKind kind, Obj *of, PyClass *class_) {
    Obj *o = state_made(s, op->cx, op->key, kind, op->at);
    while (o->kind != kind || ((o->used || o->of != NULL) &&
                               (o->of != of || o->class_ != class_))) {
        if (o->next == NULL) o->next = state_obj(s, kind, op->cx, op->at);
        o = o->next;
    }
    o->used = true;
    o->of = of;
    o->class_ = class_;
    return o;
}

static Id part_of(State *s, Obj *o) {
    Id node = state_node(s);
    if (o->all != 0) include(s, node, o->all, true);
    return node;
}

Id state_field(State *s, Obj *o, Sym name) {
    uintptr_t node = (uintptr_t)table_get(state_own(s, &o->fields), name);
    if (node == 0) {
        node = o->open != 0 && *name != '=' ? o->open : part_of(s, o);
        table_set(o->fields, name, (void *)node);
        vec_push(s->arena, &o->names, name);
    }
    return (Id)node;
}

Id state_known_field(const Obj *o, Sym name) {
    return o->fields != NULL ? (Id)(uintptr_t)table_get(o->fields, name) : 0;
}

Id state_items(State *s, Obj *o) {
    if (o->items == 0) o->items = o->open != 0 ? o->open : part_of(s, o);
    return o->items;
}

// The name of an operation that was made from another one may be that of a method.
static bool is_index(Sym name) {
    return name != NULL && (*name == '-' || (*name >= '0' && *name <= '9'));
}

Id state_at(State *s, Obj *o, Sym index) {
    if (!is_index(index) || o->length == 0) return state_items(s, o);
    long i = strtol(index, NULL, 10), length = (long)o->length;
    if (i < 0) i += length;
    return i < 0 || i >= length ? state_items(s, o)
        : state_field(s, o, names_format(s->p->names, "%ld", i));
}

Id state_all(State *s, Obj *o) {
    if (o->all != 0) return o->all;
    o->all = state_node(s);
    include(s, o->items, o->all, true);
    if (o->of != NULL && o->kind == OBJ_METHOD) state_add(s, o->all, o->of->id);
    if (o->self != NULL) state_add(s, o->all, o->self->id);
    for (size_t i = 0; o->fields != NULL && i < o->names.len; i++)
        include(s, state_field(s, o, o->names.at[i]), o->all, true);
    return o->all;
}

void state_open(State *s, Obj *o, Id node) {
    if (o->open != 0) {
        state_merge(s, o->open, node);
        return;
    }
    o->open = node;
    state_merge(s, state_items(s, o), node);
    state_merge(s, state_all(s, o), node);
    for (size_t i = 0; i < o->names.len; i++)
        if (*o->names.at[i] != '=') state_merge(s, state_field(s, o, o->names.at[i]), node);
}

Id state_one(State *s, Obj *o) {
    if (o->one == 0) {
        o->one = state_node(s);
        state_add(s, o->one, o->id);
    }
    return o->one;
}

// Of objects of the program a store changes one field; code of libraries, and what has no type, may
// look at more.
static Sym field_of(const Obj *o, const Op *op) {
    bool own = o->kind == OBJ_INSTANCE || o->kind == OBJ_CLASS || o->kind == OBJ_FUNCTION;
    return own && op->kind == OP_STORE ? op->name : NULL;
}

void state_change(State *s, Obj *o, const Op *op) {
    Ctx *cx = op->cx;
    Sym field = field_of(o, op);
    const Change *before = table_get(state_own(s, &cx->changes), o);
    for (const Change *c = before; c != NULL; c = c->before)
        if (c->field == field &&
            (s->load || (c->place == op->place && c->at.start == op->at.start)))
            return;
    Change *c = ARENA_NEW(s->arena, Change);
    *c = (Change){o, op->place, op->at, state_from(op), field, before};
    table_set(cx->changes, o, c);
    if (s->load) vec_push(s->arena, &cx->loads, c);
    else vec_push(s->arena, &s->changes, c);
}

void state_read(State *s, const Op *op, Eval e) {
    if (e.node == 0) return;
    e.place = op->place;
    e.at = op->at;
    e.from = state_from(op);
    if (op->cx->load) vec_push(s->arena, &op->cx->evals, e);
    else vec_push(s->arena, &s->evals, e);
}

// A field that nobody stores to is not looked at.
void state_see(State *s, const Op *op, Obj *o, Sym field) {
    if (field != NULL && !s->stores && table_get(s->stored, field) == NULL) return;
    state_read(s, op, (Eval){.node = state_one(s, o), .field = field, .all = field == NULL});
}

void state_look_into(State *s, const Op *op, Obj *o) {
    if (s->load) state_see(s, op, o, NULL);
}
