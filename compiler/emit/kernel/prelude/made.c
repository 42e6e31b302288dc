// for offsetof
#include <stddef.h>

// for Shape Part
// What an object is made of, for copies of it; a part without a shape is a float.
typedef struct Shape Shape;
typedef struct Part { size_t offset; const Shape *shape; } Part;
struct Shape {
    size_t size;                    // of an object, or of an item of a list
    bool list;
    size_t count;
    const Part *parts;              // in the object, or in each item
    const Shape *const *by_class;   // an object of one of these classes; NULL: it is known
};

// Of a text, which is as long as it is.
static const Shape SHAPE_Text = {0};

static size_t object_size(const void *object, const Shape *shape)
{
    if (shape == &SHAPE_Text)
        return strlen(object) + 1;
    return shape->list ? sizeof(Items) : shape->size;
}

typedef struct Items { char *at; int64_t len, cap; } Items;

// A copy, and what it was made from.
typedef struct Copy { const void *from; void *to; const Shape *shape; } Copy;

// Makes copies, each object once; with zeros for the floats if they are twins.
typedef struct Maker {
    Call *call;
    bool zeros;
    size_t len, cap, slots;
    Copy *all;
    size_t *table;                  // place in `all` + 1, by the object; 0: free
} Maker;

static size_t *maker_slot(const Maker *m, const void *from)
{
    size_t i = (size_t)((uintptr_t)from / 8 * 0x9e3779b97f4a7c15u >> 20) & (m->slots - 1);
    while (m->table[i] != 0 && m->all[m->table[i] - 1].from != from)
        i = (i + 1) & (m->slots - 1);
    return &m->table[i];
}

static void maker_grow(Maker *m)
{
    size_t cap = m->cap == 0 ? 16 : m->cap * 2;
    Copy *all = arena_take(m->call, cap * sizeof *all);
    if (m->len > 0)
        memcpy(all, m->all, m->len * sizeof *all);
    m->all = all;
    m->cap = cap;
    m->slots = cap * 2;
    m->table = arena_take(m->call, m->slots * sizeof *m->table);
    memset(m->table, 0, m->slots * sizeof *m->table);
    for (size_t i = 0; i < m->len; i++)
        *maker_slot(m, all[i].from) = i + 1;
}

static const Shape *shape_of(const void *object, const Shape *shape)
{
    int number;
    if (shape->by_class == NULL)
        return shape;
    memcpy(&number, object, sizeof number);
    return shape->by_class[number];
}

// The copy of an object; what is in it is filled in later.
static void *maker_copy(Maker *m, const void *from, const Shape *shape)
{
    if (from == NULL)
        return NULL;
    if (m->len == m->cap)
        maker_grow(m);
    size_t *slot = maker_slot(m, from);
    if (*slot == 0) {
        shape = shape_of(from, shape);
        void *to = arena_take(m->call, object_size(from, shape));
        m->all[m->len] = (Copy){from, to, shape};
        *slot = ++m->len;
    }
    return m->all[*slot - 1].to;
}

static void maker_fill(Maker *m, size_t i)
{
    const Shape *shape = m->all[i].shape;
    char *at = m->all[i].to;
    size_t n = 1;
    memcpy(at, m->all[i].from, object_size(m->all[i].from, shape));
    if (shape->list) {
        Items items;
        memcpy(&items, at, sizeof items);
        n = (size_t)items.len;
        char *made = arena_take(m->call, n * shape->size);
        if (n > 0)
            memcpy(made, items.at, n * shape->size);
        items = (Items){made, items.len, items.len};
        memcpy(at, &items, sizeof items);
        at = made;
    }
    for (size_t j = 0; j < n * shape->count; j++) {
        const Part *part = &shape->parts[j % shape->count];
        char *place = at + j / shape->count * shape->size + part->offset;
        void *inner;
        if (part->shape == NULL && m->zeros)
            memset(place, 0, sizeof(double));
        if (part->shape == NULL)
            continue;
        memcpy(&inner, place, sizeof inner);
        inner = maker_copy(m, inner, part->shape);
        memcpy(place, &inner, sizeof inner);
    }
}

static void maker_finish(Maker *m)
{
    for (size_t i = 0; i < m->len; i++)
        maker_fill(m, i);
}
