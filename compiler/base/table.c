// table.c - open addressing, at most three quarters full. Many stay empty: these have no slots.

#include "compiler/base/table.h"

#include <stdint.h>

typedef struct Slot { const void *key; void *value; } Slot;

struct Table {
    Arena *arena;
    Slot  *slots;
    size_t used, cap;               // cap is a power of two
};

Table *table_new(Arena *a) {
    Table *t = ARENA_NEW(a, Table);
    t->arena = a;
    return t;
}

// There are slots.
static Slot *slot_of(const Table *t, const void *key) {
    uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(h >> 32) & (t->cap - 1);
    while (t->slots[i].key != NULL && t->slots[i].key != key) i = (i + 1) & (t->cap - 1);
    return &t->slots[i];
}

void *table_get(const Table *t, const void *key) {
    return t->used == 0 ? NULL : slot_of(t, key)->value;
}

bool table_empty(const Table *t) { return t->used == 0; }

static void grow(Table *t) {
    Slot *old = t->slots;
    size_t n = t->cap;
    t->cap = n == 0 ? 4 : 2 * n;
    t->slots = ARENA_ARRAY(t->arena, Slot, t->cap);
    for (size_t i = 0; i < n; i++)
        if (old[i].key != NULL) *slot_of(t, old[i].key) = old[i];
}

void table_set(Table *t, const void *key, void *value) {
    if (t->cap == 0) grow(t);
    Slot *s = slot_of(t, key);
    if (s->key == NULL) {
        if (++t->used * 4 > t->cap * 3) {
            grow(t);
            s = slot_of(t, key);
        }
        s->key = key;
    }
    s->value = value;
}
