// table.c - open addressing, at most half full.

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
    t->cap = 8;
    t->slots = ARENA_ARRAY(a, Slot, t->cap);
    return t;
}

static Slot *slot_of(const Table *t, const void *key) {
    uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(h >> 32) & (t->cap - 1);
    while (t->slots[i].key != NULL && t->slots[i].key != key) i = (i + 1) & (t->cap - 1);
    return &t->slots[i];
}

void *table_get(const Table *t, const void *key) { return slot_of(t, key)->value; }

static void grow(Table *t) {
    Slot *old = t->slots;
    size_t n = t->cap;
    t->cap *= 2;
    t->slots = ARENA_ARRAY(t->arena, Slot, t->cap);
    for (size_t i = 0; i < n; i++)
        if (old[i].key != NULL) *slot_of(t, old[i].key) = old[i];
}

void table_set(Table *t, const void *key, void *value) {
    Slot *s = slot_of(t, key);
    if (s->key == NULL) {
        if (++t->used * 2 > t->cap) {
            grow(t);
            s = slot_of(t, key);
        }
        s->key = key;
    }
    s->value = value;
}
