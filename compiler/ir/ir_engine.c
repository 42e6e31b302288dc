// ir_engine.c - walk, map, equality, hash and verification, driven by the tables in ir_gen.c.
//
// Fields are read with memcpy: a list of `const Expr *` is not a list of `const void *` to C, but
// all object pointers have one representation on the machines we build for.

#include "compiler/ir/ir_engine.h"
#include "compiler/ir/ir_index.h"

#include <string.h>

// ---- access -----------------------------------------------------------------------------------

const IrForm *ir_form_of(const IrFamily *family, const void *node)
{
    unsigned kind = 0;
    if (!family->product)
        memcpy(&kind, (const char *)node + family->kind_offset, sizeof kind);
    return &family->forms[kind];
}

const void *ir_pointer(const void *node, const IrField *f)
{
    const void *p;
    memcpy(&p, (const char *)node + f->offset, sizeof p);
    return p;
}

IrList ir_list(const void *node, const IrField *f)
{
    IrList list;
    memcpy(&list, (const char *)node + f->offset, sizeof list);
    return list;
}

const void *ir_list_pointer(IrList list, size_t i)
{
    const void *p;
    memcpy(&p, (const char *)list.at + i * sizeof p, sizeof p);
    return p;
}

unsigned ir_enum(const void *node, const IrField *f)
{
    unsigned value;
    memcpy(&value, (const char *)node + f->offset, sizeof value);
    return value;
}

Span ir_span(const void *node, const IrField *f)
{
    Span span;
    memcpy(&span, (const char *)node + f->offset, sizeof span);
    return span;
}

static bool is_list(const IrField *f)
{
    return f->count >= COUNT_MANY;
}

// ---- the spine --------------------------------------------------------------------------------

// A spine that is a list goes on only when it holds a single node.
const void *ir_spine_child(const IrFamily *family, const void *node)
{
    const IrForm *form = ir_form_of(family, node);
    if (form->spine < 0)
        return NULL;
    const IrField *f = &form->fields[form->spine];
    if (!is_list(f))
        return ir_pointer(node, f);
    IrList list = ir_list(node, f);
    return list.len == 1 ? ir_list_pointer(list, 0) : NULL;
}

void *ir_copy_node(Arena *a, const IrFamily *family, const void *node)
{
    size_t size = ir_form_of(family, node)->size;
    return memcpy(arena_node(a, size), node, size);
}

static void store_spine_child(Arena *a, const IrField *f, char *into, const void *child)
{
    if (!is_list(f)) {
        memcpy(into + f->offset, &child, sizeof child);
        return;
    }
    void *at = arena_alloc(a, sizeof child);
    memcpy(at, &child, sizeof child);
    IrList list = {at, 1};
    memcpy(into + f->offset, &list, sizeof list);
}

const void *ir_with_spine_child(const IrFamily *family, Arena *a, const void *node,
                                const void *child)
{
    if (ir_spine_child(family, node) == child)
        return node;
    const IrForm *form = ir_form_of(family, node);
    char *copy = ir_copy_node(a, family, node);
    store_spine_child(a, &form->fields[form->spine], copy, child);
    return copy;
}

static void chain_spill(IrChain *c, size_t *cap)
{
    if (c->own == NULL)
        c->own = arena_new();
    c->at = vec_grow(c->own, c->at, cap, sizeof *c->at);
}

void ir_chain_open(IrChain *c, const IrFamily *family, const void *node)
{
    size_t cap = sizeof c->few / sizeof c->few[0];
    c->at = c->few;
    c->len = 0;
    c->own = NULL;
    for (; node != NULL; node = ir_spine_child(family, node)) {
        if (c->len == cap)
            chain_spill(c, &cap);
        c->at[c->len++] = node;
    }
}

void ir_chain_close(IrChain *c)
{
    arena_free(c->own);
}

// ---- walk -------------------------------------------------------------------------------------

// What is written down of a walk.
typedef struct Writing {
    Arena   *arena;
    Vec(IrMark *) chunks;
    size_t   len;
    uint32_t depth;
} Writing;

// A walk with the families that anybody asked to see: the rest is not looked at.
typedef struct Walk {
    const IrWalker *w;
    uint64_t        wanted;
    Writing        *into;           // NULL: the walk is not written down
} Walk;

static void walk_node(const Walk *walk, const IrFamily *family, const void *node);

static void walk_field(const Walk *walk, const IrField *f, const void *node)
{
    if ((f->family->reach & walk->wanted) == 0)
        return;
    if (!is_list(f)) {
        walk_node(walk, f->family, ir_pointer(node, f));
        return;
    }
    IrList list = ir_list(node, f);
    for (size_t i = 0; i < list.len; i++)
        walk_node(walk, f->family, ir_list_pointer(list, i));
}

// Fields as bits by their number: a walk looks at millions of nodes, and most fields hold none.
static uint32_t before_field(int i) { return ((uint32_t)1 << i) - 1; }
static uint32_t behind_field(int i) { return ~before_field(i) << 1; }
#define ALL_FIELDS (~(uint32_t)0)

static void walk_fields(const Walk *walk, const IrForm *form, const void *node, uint32_t which)
{
    if ((form->reach & walk->wanted) == 0)
        return;
    for (uint32_t left = form->nodes & which; left != 0; left &= left - 1)
        walk_field(walk, &form->fields[__builtin_ctz(left)], node);
}

enum { CHUNK = 1024 };

static bool write_down(Writing *into, const IrFamily *family, const void *node)
{
    size_t kind = (size_t)(ir_form_of(family, node) - family->forms);
    if (into->len % CHUNK == 0) {
        IrMark *more = ARENA_ARRAY(into->arena, IrMark, CHUNK);
        vec_push(into->arena, &into->chunks, more);
    }
    into->chunks.at[into->len / CHUNK][into->len % CHUNK] =
        (IrMark){node, into->depth++, (uint8_t)family->id, (uint8_t)kind};
    into->len++;
    return true;
}

static bool enter(const Walk *walk, const IrFamily *family, const void *node)
{
    if (walk->into != NULL)
        return write_down(walk->into, family, node);
    return (walk->wanted >> family->id & 1) == 0 || ir_walker_enter(walk->w, family->id, node);
}

static void leave(const Walk *walk)
{
    if (walk->into != NULL)
        walk->into->depth--;
}

// On the way down the spine a node is entered and what stands before its spine is walked, on the
// way up what stands behind: the order of the text.
static void walk_spine(const Walk *walk, const IrFamily *family, const void *node)
{
    IrChain c;
    size_t entered = 0;
    ir_chain_open(&c, family, node);
    while (entered < c.len && enter(walk, family, c.at[entered])) {
        const void *at = c.at[entered++];
        const IrForm *form = ir_form_of(family, at);
        walk_fields(walk, form, at, entered < c.len ? before_field(form->spine) : ALL_FIELDS);
    }
    for (size_t i = entered; i-- > 0;) {
        const IrForm *form = ir_form_of(family, c.at[i]);
        if (i + 1 < c.len)
            walk_fields(walk, form, c.at[i], behind_field(form->spine));
        leave(walk);
    }
    ir_chain_close(&c);
}

// Whether the spine goes on below the child. Most are short: a name with one attribute.
static bool is_chain(const IrFamily *family, const IrForm *form, const void *node)
{
    const void *child = form->spine < 0 ? NULL : ir_spine_child(family, node);
    return child != NULL && ir_form_of(family, child)->spine >= 0;
}

static void walk_node(const Walk *walk, const IrFamily *family, const void *node)
{
    if (node == NULL)
        return;
    const IrForm *form = ir_form_of(family, node);
    if (is_chain(family, form, node)) {
        walk_spine(walk, family, node);
    } else if (enter(walk, family, node)) {
        walk_fields(walk, form, node, ALL_FIELDS);
        leave(walk);
    }
}

void ir_walk_node(const IrWalker *w, const IrFamily *family, const void *node)
{
    Walk walk = {w, ir_walker_families(w), NULL};
    walk_node(&walk, family, node);
}

// ---- index ------------------------------------------------------------------------------------

IrIndex ir_index_open(Arena *a, StmtList body)
{
    Writing into = {.arena = arena_within(a)};
    Walk walk = {NULL, ~((uint64_t)1 << FAMILY_TY), &into};
    for (size_t i = 0; i < body.len; i++)
        walk_node(&walk, ir_family(FAMILY_STMT), body.at[i]);
    return (IrIndex){into.chunks.at, 0, into.len, into.arena};
}

void ir_index_close(IrIndex *index)
{
    arena_free(index->own);
    *index = (IrIndex){0};
}

static const IrMark *mark_at(const IrIndex *index, size_t at)
{
    return &index->chunks[(index->from + at) / CHUNK][(index->from + at) % CHUNK];
}

// The number of the first mark after the tree that begins at `at`.
static size_t behind_tree(const IrIndex *index, size_t at)
{
    uint32_t depth = mark_at(index, at++)->depth;
    while (at < index->len && mark_at(index, at)->depth > depth)
        at++;
    return at;
}

IrIndex ir_index_next(IrIndex *rest)
{
    IrIndex tree = {rest->chunks, rest->from, behind_tree(rest, 0), NULL};
    rest->from += tree.len;
    rest->len -= tree.len;
    return tree;
}

static bool is_asked(const IrMark *mark, uint64_t families, IrKinds kinds)
{
    return (families >> mark->family & 1) != 0 &&
        (mark->family != FAMILY_EXPR || (kinds.exprs >> mark->kind & 1) != 0) &&
        (mark->family != FAMILY_STMT || (kinds.stmts >> mark->kind & 1) != 0);
}

void ir_index_walk(const IrWalker *w, IrIndex index, IrKinds kinds)
{
    uint64_t families = ir_walker_families(w);
    for (size_t i = 0; i < index.len;) {
        const IrMark *mark = mark_at(&index, i);
        bool enters = !is_asked(mark, families, kinds) ||
            ir_walker_enter(w, mark->family, mark->node);
        i = enters ? i + 1 : behind_tree(&index, i);
    }
}

// ---- map --------------------------------------------------------------------------------------

typedef struct Mapping { IrMapper *m; uint64_t wanted; } Mapping;

static const void *map_node(const Mapping *map, const IrFamily *family, const void *node);

static IrList map_list(const Mapping *map, const IrFamily *family, IrList list)
{
    char *copy = NULL;
    for (size_t i = 0; i < list.len; i++) {
        const void *old = ir_list_pointer(list, i);
        const void *new = map_node(map, family, old);
        if (new == old)
            continue;
        if (copy == NULL) {
            copy = arena_node(map->m->arena, list.len * sizeof old);
            memcpy(copy, list.at, list.len * sizeof old);
        }
        memcpy(copy + i * sizeof new, &new, sizeof new);
    }
    return copy == NULL ? list : (IrList){copy, list.len};
}

// Maps one field of `original`; a change goes into `copy`, which is made when there is none.
static char *map_field(const Mapping *map, const IrFamily *family, const IrField *f,
                       const void *original, char *copy)
{
    Arena *a = map->m->arena;
    if (is_list(f)) {
        IrList old = ir_list(original, f), new = map_list(map, f->family, old);
        if (new.at == old.at)
            return copy;
        copy = copy != NULL ? copy : ir_copy_node(a, family, original);
        memcpy(copy + f->offset, &new, sizeof new);
        return copy;
    }
    const void *old = ir_pointer(original, f), *new = map_node(map, f->family, old);
    if (new == old)
        return copy;
    copy = copy != NULL ? copy : ir_copy_node(a, family, original);
    memcpy(copy + f->offset, &new, sizeof new);
    return copy;
}

// Maps the children of a node but for the spine child, whose result is given (NULL: there is none).
static const void *map_children(const Mapping *map, const IrFamily *family, const void *node,
                                const void *below)
{
    const IrForm *form = ir_form_of(family, node);
    char *copy = NULL;
    if (below != NULL && below != ir_spine_child(family, node)) {
        copy = ir_copy_node(map->m->arena, family, node);
        store_spine_child(map->m->arena, &form->fields[form->spine], copy, below);
    }
    for (int i = 0; i < form->field_count && (form->reach & map->wanted) != 0; i++) {
        const IrField *f = &form->fields[i];
        if (form->nodes >> i & 1 && (f->family->reach & map->wanted) != 0 &&
            !(below != NULL && i == form->spine))
            copy = map_field(map, family, f, node, copy);
    }
    return copy != NULL ? copy : node;
}

static const void *map_node(const Mapping *map, const IrFamily *family, const void *node)
{
    IrChain c;
    const void *below = NULL;
    if (node == NULL)
        return NULL;
    if (ir_form_of(family, node)->spine < 0)
        return ir_mapper_leave(map->m, family, map_children(map, family, node, NULL));
    ir_chain_open(&c, family, node);
    for (size_t i = c.len; i-- > 0;)
        below = ir_mapper_leave(map->m, family, map_children(map, family, c.at[i], below));
    ir_chain_close(&c);
    return below;
}

const void *ir_map_node(IrMapper *m, const IrFamily *family, const void *node)
{
    Mapping map = {m, ir_mapper_families(m)};
    return map_node(&map, family, node);
}

IrList ir_map_list(IrMapper *m, const IrFamily *family, IrList list)
{
    Mapping map = {m, ir_mapper_families(m)};
    return map_list(&map, family, list);
}

// ---- equality ---------------------------------------------------------------------------------

static bool equal_list_field(const IrField *f, IrList a, IrList b)
{
    if (f->type == FIELD_NODE)
        return ir_equal_list(f->family, a, b);
    size_t size = f->type == FIELD_ENUM ? sizeof(unsigned) : sizeof(Sym);
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len * size) == 0);
}

static bool equal_field(const IrField *f, const void *a, const void *b)
{
    if (is_list(f))
        return equal_list_field(f, ir_list(a, f), ir_list(b, f));
    switch (f->type) {
    case FIELD_NODE:
        return ir_equal_node(f->family, ir_pointer(a, f), ir_pointer(b, f));
    case FIELD_CONSTANT:
        return const_equal(ir_pointer(a, f), ir_pointer(b, f));
    case FIELD_IDENTIFIER:
        return ir_pointer(a, f) == ir_pointer(b, f);
    case FIELD_ENUM:
    case FIELD_INT:
        return ir_enum(a, f) == ir_enum(b, f);
    case FIELD_BOOL:
        return memcmp((const char *)a + f->offset, (const char *)b + f->offset, sizeof(bool)) == 0;
    case FIELD_SPAN:
        return true;
    }
    return true;
}

// All but the spine, when both nodes have a spine child.
static bool equal_besides(const IrForm *form, const void *a, const void *b, bool spine)
{
    for (int i = 0; i < form->field_count; i++) {
        const IrField *f = &form->fields[i];
        if (!f->quiet && !(spine && i == form->spine) && !equal_field(f, a, b))
            return false;
    }
    return true;
}

bool ir_equal_node(const IrFamily *family, const void *a, const void *b)
{
    while (a != b) {
        if (a == NULL || b == NULL)
            return false;
        const IrForm *form = ir_form_of(family, a);
        const void *below_a = ir_spine_child(family, a), *below_b = ir_spine_child(family, b);
        bool spine = below_a != NULL && below_b != NULL;
        if (form != ir_form_of(family, b) || !equal_besides(form, a, b, spine))
            return false;
        if (!spine)
            return true;
        a = below_a;
        b = below_b;
    }
    return true;
}

bool ir_equal_list(const IrFamily *family, IrList a, IrList b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (!ir_equal_node(family, ir_list_pointer(a, i), ir_list_pointer(b, i)))
            return false;
    return true;
}

// The same with children that are one object, not only equal: for whoever makes equal nodes once.
static bool equal_children(const IrField *f, const void *a, const void *b)
{
    if (f->type != FIELD_NODE)
        return equal_field(f, a, b);
    if (!is_list(f))
        return ir_pointer(a, f) == ir_pointer(b, f);
    IrList x = ir_list(a, f), y = ir_list(b, f);
    return x.len == y.len && (x.len == 0 || memcmp(x.at, y.at, x.len * sizeof(void *)) == 0);
}

bool ir_same_node(const IrFamily *family, const void *a, const void *b)
{
    const IrForm *form = ir_form_of(family, a);
    if (form != ir_form_of(family, b))
        return false;
    for (int i = 0; i < form->field_count; i++)
        if (!form->fields[i].quiet && !equal_children(&form->fields[i], a, b))
            return false;
    return true;
}

// ---- hash -------------------------------------------------------------------------------------

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

// Names are hashed by their spelling, so that hashes are the same in every run.
static uint64_t hash_name(Sym s)
{
    uint64_t h = 14695981039346656037u;
    for (; s != NULL && *s != '\0'; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return h;
}

static uint64_t hash_list(const IrField *f, IrList list, uint64_t h)
{
    h = mix(h, list.len);
    for (size_t i = 0; i < list.len; i++) {
        unsigned value = 0;
        if (f->type == FIELD_ENUM)
            memcpy(&value, (const char *)list.at + i * sizeof value, sizeof value);
        h = mix(h, f->type == FIELD_ENUM   ? value
                   : f->type == FIELD_NODE ? ir_hash_node(f->family, ir_list_pointer(list, i))
                                           : hash_name(ir_list_pointer(list, i)));
    }
    return h;
}

static uint64_t hash_field(const IrField *f, const void *node, uint64_t h)
{
    if (is_list(f))
        return hash_list(f, ir_list(node, f), h);
    switch (f->type) {
    case FIELD_NODE:
        return mix(h, ir_hash_node(f->family, ir_pointer(node, f)));
    case FIELD_CONSTANT:
        return mix(h, const_hash(ir_pointer(node, f)));
    case FIELD_IDENTIFIER:
        return mix(h, hash_name(ir_pointer(node, f)));
    case FIELD_ENUM:
    case FIELD_INT:
        return mix(h, ir_enum(node, f));
    case FIELD_BOOL:
        return mix(h, *((const unsigned char *)node + f->offset));
    case FIELD_SPAN:
        return h;
    }
    return h;
}

// A spine child goes into the same running hash, a child elsewhere is hashed by itself.
uint64_t ir_hash_node(const IrFamily *family, const void *node)
{
    uint64_t h = (uint64_t)family->id;
    while (node != NULL) {
        const IrForm *form = ir_form_of(family, node);
        const void *below = ir_spine_child(family, node);
        h = mix(h, (uint64_t)(form - family->forms) + 1);
        for (int i = 0; i < form->field_count; i++)
            if (!form->fields[i].quiet && !(below != NULL && i == form->spine))
                h = hash_field(&form->fields[i], node, h);
        node = below;
    }
    return h;
}

static uint64_t hash_children(const IrField *f, const void *node, uint64_t h)
{
    if (f->type != FIELD_NODE)
        return hash_field(f, node, h);
    if (!is_list(f))
        return mix(h, (uintptr_t)ir_pointer(node, f));
    IrList list = ir_list(node, f);
    h = mix(h, list.len);
    for (size_t i = 0; i < list.len; i++)
        h = mix(h, (uintptr_t)ir_list_pointer(list, i));
    return h;
}

uint64_t ir_same_hash_node(const IrFamily *family, const void *node)
{
    const IrForm *form = ir_form_of(family, node);
    uint64_t h = mix((uint64_t)family->id, (uint64_t)(form - family->forms) + 1);
    for (int i = 0; i < form->field_count; i++)
        if (!form->fields[i].quiet)
            h = hash_children(&form->fields[i], node, h);
    return h;
}

// ---- verification -----------------------------------------------------------------------------

typedef struct Verifier {
    IrTags allowed, seen;
    const char *form;           // the offending one; NULL: none
    Span at;                    // the innermost place that is known
} Verifier;

static void verify_node(Verifier *v, const IrFamily *family, const void *node);

static bool is_whole(const IrField *f, const void *node)
{
    bool pointer = f->type == FIELD_NODE || f->type == FIELD_IDENTIFIER ||
                   f->type == FIELD_CONSTANT;
    if (!pointer || f->count == COUNT_OPTIONAL || f->count == COUNT_SPARSE)
        return true;
    if (f->count == COUNT_ONE)
        return ir_pointer(node, f) != NULL;
    IrList list = ir_list(node, f);
    for (size_t i = 0; i < list.len; i++)
        if (ir_list_pointer(list, i) == NULL)
            return false;
    return true;
}

static void verify_field(Verifier *v, const IrField *f, const void *node)
{
    if (f->type != FIELD_NODE)
        return;
    if (!is_list(f)) {
        verify_node(v, f->family, ir_pointer(node, f));
        return;
    }
    IrList list = ir_list(node, f);
    for (size_t i = 0; i < list.len && v->form == NULL; i++)
        verify_node(v, f->family, ir_list_pointer(list, i));
}

// The form itself: its tags, and that nothing it needs is missing.
static void verify_form(Verifier *v, const IrForm *form, const void *node)
{
    v->seen |= form->tags;
    for (int i = 0; i < form->field_count; i++) {
        if (form->fields[i].type == FIELD_SPAN)
            v->at = ir_span(node, &form->fields[i]);
        if (!is_whole(&form->fields[i], node))
            v->form = form->name;
    }
    if ((form->tags & ~v->allowed) != 0)
        v->form = form->name;
}

static void verify_node(Verifier *v, const IrFamily *family, const void *node)
{
    while (node != NULL && v->form == NULL) {
        const IrForm *form = ir_form_of(family, node);
        const void *below = ir_spine_child(family, node);
        verify_form(v, form, node);
        for (int i = 0; i < form->field_count && v->form == NULL; i++)
            if (!(below != NULL && i == form->spine))
                verify_field(v, &form->fields[i], node);
        node = below;
    }
}

bool ir_verify_node(const IrFamily *family, const void *node, IrTags allowed, const char **form,
                    Span *at)
{
    Verifier v = {.allowed = allowed};
    verify_node(&v, family, node);
    if (v.form == NULL)
        return true;
    *form = v.form;
    *at = v.at;
    return false;
}

IrTags ir_tags_of_node(const IrFamily *family, const void *node)
{
    Verifier v = {.allowed = ~0u};
    verify_node(&v, family, node);
    return v.seen;
}
