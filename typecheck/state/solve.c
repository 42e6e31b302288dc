// solve.c - nodes, inclusions between them, operations on what they hold; the objects.

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
    Node n = {0};
    vec_push(s->arena, &s->nodes, n);
    return (Id)(s->nodes.len - 1);
}

static void queue(State *s, Id id) {
    if (s->nodes.at[id].queued || s->nodes.at[id].set.len == 0) return;
    s->nodes.at[id].queued = true;
    vec_push(s->arena, &s->queue, id);
}

IdSet state_set(const State *s, Id node) { return s->nodes.at[node].set; }

bool state_has(const State *s, Id node, Id element) {
    return node != 0 && set_has(&s->nodes.at[node].set, element);
}

void state_add(State *s, Id node, Id element) {
    if (node != 0 && set_add(s->arena, &s->nodes.at[node].set, element)) queue(s, node);
}

static bool includes(State *s, Node *n, Id to) {
    if (n->goes != NULL) {
        bool known = table_get(n->goes, table_key(to)) != NULL;
        table_set(n->goes, table_key(to), s);
        return known;
    }
    for (size_t i = 0; i < n->to.len; i++)
        if (n->to.at[i].to == to) return true;
    if (n->to.len < SMALL) return false;
    n->goes = table_new(s->arena);
    for (size_t i = 0; i < n->to.len; i++) table_set(n->goes, table_key(n->to.at[i].to), s);
    table_set(n->goes, table_key(to), s);
    return false;
}

static void include(State *s, Id from, Id to, bool stays) {
    if (from == 0 || to == 0 || from == to) return;
    Node *n = &s->nodes.at[from];
    if (includes(s, n, to)) return;
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

static uint64_t hash_of(Id node, const Op *op) {
    const uint64_t parts[] = {node, op->kind, op->place, op->result, op->len, (uintptr_t)op->name,
                              (uintptr_t)op->key, (uintptr_t)op->cx, (uintptr_t)op->self,
                              (uintptr_t)op->around, (uintptr_t)op->names};
    uint64_t h = 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        h = (h ^ parts[i]) * 0xBF58476D1CE4E5B9u;
        h ^= h >> 29;
    }
    for (size_t i = 0; i < op->len; i++) h = (h ^ op->args[i].node) * 0xBF58476D1CE4E5B9u;
    return h ^ h >> 31;
}

static bool same_op(const Op *a, const Op *b) {
    bool same = a->kind == b->kind && a->place == b->place && a->result == b->result &&
        a->len == b->len && a->name == b->name && a->key == b->key && a->cx == b->cx &&
        a->self == b->self && a->around == b->around && a->names == b->names;
    for (size_t i = 0; same && i < a->len; i++)
        same = a->args[i].node == b->args[i].node && a->args[i].name == b->args[i].name &&
            a->args[i].many == b->args[i].many;
    return same;
}

// Once: what an operation does may ask for it again.
void state_when(State *s, Id node, const Op *op) {
    if (node == 0) return;
    const void *key = table_key(hash_of(node, op) >> 1);
    Op *first = table_get(s->ops, key);
    for (Op *same = first; same != NULL; same = same->next)
        if (same->node == node && same_op(same, op)) return;
    Op *copy = ARENA_NEW(s->arena, Op);
    *copy = *op;
    copy->done = 0;
    copy->node = node;
    copy->next = first;
    table_set(s->ops, key, copy);
    vec_push(s->arena, &s->nodes.at[node].ops, copy);
    queue(s, node);
}

// The node of two things in a function as it is called.
Id state_memo(State *s, Ctx *cx, const void *a, const void *b) {
    if (cx->memo == NULL) cx->memo = table_new(s->arena);
    Table *t = table_get(cx->memo, a);
    if (t == NULL) {
        t = table_new(s->arena);
        table_set(cx->memo, a, t);
    }
    uintptr_t node = (uintptr_t)table_get(t, b);
    if (node != 0) return (Id)node;
    node = state_node(s);
    table_set(t, b, (void *)node);
    return (Id)node;
}

// What an operation does may move the nodes, and add to this one: it is then queued again. Only new
// elements go along the inclusions that are settled; a node may have thousands of them.
static void process(State *s, Id id) {
    size_t len = s->nodes.at[id].set.len, i;
    bool grown = len > s->nodes.at[id].settled;
    s->nodes.at[id].queued = false;
    for (i = grown ? 0 : s->nodes.at[id].settled_to; i < s->nodes.at[id].to.len; i++) {
        while (s->nodes.at[id].to.at[i].done < len) {
            Inclusion *in = &s->nodes.at[id].to.at[i];
            state_add(s, in->to, s->nodes.at[id].set.at[in->done++]);
        }
    }
    s->nodes.at[id].settled_to = i;
    for (i = grown ? 0 : s->nodes.at[id].settled_ops; i < s->nodes.at[id].ops.len; i++) {
        Op *op = s->nodes.at[id].ops.at[i];
        while (op->done < len)
            state_apply(s, op, s->objs.at[s->nodes.at[id].set.at[op->done++]]);
    }
    s->nodes.at[id].settled_ops = i;
    s->nodes.at[id].settled = len;
}

// In rounds: what comes to a node meanwhile is taken on together.
void state_solve(State *s) {
    size_t at = 0;
    while (at < s->queue.len || s->bodies.len > 0) {
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
    for (size_t i = 0; i < s->nodes.len; i++) {
        Node *n = &s->nodes.at[i];
        size_t kept = 0;
        for (size_t j = 0; j < n->to.len; j++)
            if (n->to.at[j].stays) n->to.at[kept++] = n->to.at[j];
        n->to.len = kept;
        n->settled_to = n->settled_ops = n->settled = 0;
        n->goes = NULL;
        n->ops.len = 0;
    }
    s->load = false;
    s->ops = table_new(s->arena);
}

// ---- objects ----

Obj *state_obj(State *s, ObjKind kind, const Ctx *cx, Span at) {
    Obj *o = ARENA_NEW(s->arena, Obj);
    o->kind = kind;
    o->id = (Id)s->objs.len;
    o->load = cx == NULL || cx->load;
    o->depth = cx == NULL ? 0 : cx->depth;
    o->root = cx == NULL ? NULL : cx->root;
    o->at = at;
    vec_push(s->arena, &s->objs, o);
    return o;
}

// One object for an expression of a function as it is called; of methods of what methods made, one
// for the expression.
enum { DEEP = 2 };

Obj *state_made(State *s, Ctx *cx, const void *key, ObjKind kind, Span at) {
    bool deep = cx->depth >= DEEP;
    if (cx->made == NULL) cx->made = table_new(s->arena);
    Table *made = deep ? s->shared : cx->made;
    Obj *o = table_get(made, key);
    if (o != NULL) return o;
    o = state_obj(s, kind, cx, at);
    if (deep) o->depth = 0;
    table_set(made, key, o);
    return o;
}

// What an operation makes: an object for each class.
Obj *state_made_like(State *s, const Op *op, ObjKind kind, Obj *of, PyClass *class_) {
    Obj *o = state_made(s, op->cx, op->key, kind, op->at);
    while (o->used && (o->kind != kind || o->of != of || o->class_ != class_)) {
        if (o->next == NULL) {
            o->next = state_obj(s, kind, op->cx, op->at);
            o->next->depth = o->depth;
        }
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
    if (o->fields == NULL) o->fields = table_new(s->arena);
    uintptr_t node = (uintptr_t)table_get(o->fields, name);
    if (node == 0) {
        node = part_of(s, o);
        table_set(o->fields, name, (void *)node);
        vec_push(s->arena, &o->names, name);
    }
    return (Id)node;
}

Id state_items(State *s, Obj *o) {
    if (o->items == 0) o->items = part_of(s, o);
    return o->items;
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

Id state_one(State *s, Obj *o) {
    Id node = state_node(s);
    state_add(s, node, o->id);
    return node;
}

void state_change(State *s, Obj *o, const Op *op) {
    Change c = {o, op->place, op->at, op->cx->from, op->cx};
    if (s->load) vec_push(s->arena, &s->loads, c);
    else vec_push(s->arena, &s->changes, c);
}
