// table.c - compact ordered tables; the layout and its rules are in table.h.

#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "builtins/raise.h"
#include "wire.h"

// Up to so many entries are searched one by one; their index would cost more than it saves.
enum { FEW = 8, NO_ENTRY = -1 };

enum { MOST_KEPT = 64 };  // bytes of a value that pychoral_table_keep replaces

static const uint32_t EMPTY = UINT32_MAX;       // a slot that ends a search
static const uint32_t REMOVED = UINT32_MAX - 1;  // a slot whose entry is gone

static const PychoralType *key_type(const PychoralTable *table)
{
    const PychoralType *type = table->object.type;
    return type->kind == PYCHORAL_DICT ? type->key : type->element;
}

static uint32_t value_size(const PychoralTable *table)
{
    const PychoralType *type = table->object.type;
    return type->kind == PYCHORAL_DICT ? type->element->size : 0;
}

static char *entry_at(const PychoralTable *table, uint32_t number)
{
    return table->entries + (size_t)number * table->stride;
}

static uint64_t hash_at(const PychoralTable *table, uint32_t number)
{
    uint64_t hash;
    memcpy(&hash, entry_at(table, number), sizeof hash);
    return hash;
}

static uint32_t round_up(uint32_t size) { return (size + 7) / 8 * 8; }

// ---- room ----

static uint32_t slots_for(uint32_t capacity)
{
    uint32_t slots = 16;
    while (slots / 3 * 2 < capacity)
        slots *= 2;
    return slots;
}

static uint32_t tag_of(uint64_t hash) { return (uint32_t)(hash >> 32); }

static void enter(PychoralTable *table, uint32_t number)
{
    uint64_t hash = hash_at(table, number);
    uint32_t slot = (uint32_t)hash & table->mask;
    while (table->index[slot].number != EMPTY)
        slot = (slot + 1) & table->mask;
    table->index[slot] = (PychoralTableSlot){number, tag_of(hash)};
}

// The entries that are left, moved to `entries` without gaps.
static void move_entries(PychoralTable *table, char *entries)
{
    char *to = entries;
    for (uint32_t i = 0; i < table->used; i++) {
        if (hash_at(table, i) == 0)
            continue;
        memcpy(to, entry_at(table, i), table->stride);
        to += table->stride;
    }
    free(table->entries);
    table->entries = entries;
    table->used = table->last = table->count;
    table->first = 0;
}

static bool rebuild(PychoralTable *table, uint32_t capacity)
{
    if (capacity > UINT32_MAX / 4)
        return false;
    uint32_t slots = capacity > FEW ? slots_for(capacity) : 0;
    char *entries = malloc((size_t)capacity * table->stride);
    PychoralTableSlot *index = slots == 0 ? NULL : malloc(slots * sizeof *index);
    if (entries == NULL || (slots != 0 && index == NULL)) {
        free(entries);
        free(index);
        return false;
    }
    move_entries(table, entries);
    free(table->index);
    table->index = index;
    table->capacity = capacity;
    table->mask = slots == 0 ? 0 : slots - 1;
    if (slots != 0)
        memset(index, 0xff, slots * sizeof *index);
    for (uint32_t i = 0; slots != 0 && i < table->used; i++)
        enter(table, i);
    return true;
}

static bool make_room(PychoralTable *table)
{
    if (table->used < table->capacity)
        return true;
    bool gaps = table->count < table->used / 2;
    return rebuild(table, gaps ? table->capacity : table->capacity < 4 ? 4 : table->capacity * 2);
}

PychoralTable *pychoral_table_new(const PychoralType *type, size_t capacity)
{
    PychoralTable *table = calloc(1, sizeof *table);
    if (table == NULL)
        return NULL;
    table->object = (PychoralObject){.head = {.refs = 1}, .type = type};
    table->value_offset = round_up(PYCHORAL_KEY_OFFSET + key_type(table)->size);
    table->stride = table->value_offset + round_up(value_size(table));
    table->seed = (uint64_t)(uintptr_t)table * 0x9e3779b97f4a7c15u;
    if (capacity != 0 && (capacity > UINT32_MAX / 4 || !rebuild(table, (uint32_t)capacity))) {
        free(table);
        return NULL;
    }
    return table;
}

// Another reference to all that there is.
static void retain_entries(const PychoralTable *table)
{
    const PychoralType *element = table->object.type->element;
    void *key, *value;
    for (uint32_t position = 0; pychoral_table_next(table, &position, &key, &value);) {
        pychoral_retain(key_type(table), key);
        if (value_size(table) != 0)
            pychoral_retain(element, value);
    }
}

PychoralTable *pychoral_table_clone(const PychoralTable *table, const PychoralType *type)
{
    size_t entries = (size_t)table->capacity * table->stride;
    size_t slots = table->index == NULL ? 0 : (size_t)table->mask + 1;
    PychoralTable *clone = pychoral_table_new(type, 0);
    if (clone == NULL || table->capacity == 0)
        return clone;
    PychoralObject object = clone->object;
    *clone = *table;            // with its seed, so that the index is the same
    clone->object = object;
    clone->factory = NULL;
    clone->entries = malloc(entries);
    clone->index = slots == 0 ? NULL : malloc(slots * sizeof *clone->index);
    if (clone->entries == NULL || (slots != 0 && clone->index == NULL)) {
        free(clone->entries);
        free(clone->index);
        free(clone);
        return NULL;
    }
    memcpy(clone->entries, table->entries, (size_t)table->used * table->stride);
    if (slots != 0)
        memcpy(clone->index, table->index, slots * sizeof *clone->index);
    retain_entries(clone);
    return clone;
}

// ---- finding ----

static bool hash_key(const PychoralTable *table, const PychoralType *type, const void *key,
                     bool *identity, uint64_t *hash)
{
    if (!pychoral_hash_key(type, key, table->seed, table->by_fields, identity, hash))
        return false;
    if (*hash == 0)
        *hash = 1;
    return true;
}

// Whether the search ends here: with the key, or since a class's own __eq__ has raised.
static bool is_end(const PychoralTable *table, uint32_t number, const PychoralType *type,
                   const void *key, uint64_t hash)
{
    return hash_at(table, number) == hash &&
           (pychoral_equal_keys(key_type(table), entry_at(table, number) + PYCHORAL_KEY_OFFSET,
                                type, key, table->by_fields) ||
            pychoral_raised != NULL);
}

static int64_t found(uint32_t number)
{
    return pychoral_raised == NULL ? (int64_t)number : NO_ENTRY;
}

// The number of the key's entry, or NO_ENTRY; its slot if there is an index.
static int64_t find_entry(const PychoralTable *table, const PychoralType *type, const void *key,
                          uint64_t hash, uint32_t *slot)
{
    if (table->index == NULL) {
        for (uint32_t i = 0; i < table->used; i++)
            if (is_end(table, i, type, key, hash))
                return found(i);
        return NO_ENTRY;
    }
    for (*slot = (uint32_t)hash & table->mask; table->index[*slot].number != EMPTY;
         *slot = (*slot + 1) & table->mask) {
        PychoralTableSlot at = table->index[*slot];
        if (at.tag == tag_of(hash) && at.number != REMOVED &&
            is_end(table, at.number, type, key, hash))
            return found(at.number);
    }
    return NO_ENTRY;
}

static char *find(const PychoralTable *table, const PychoralType *type, const void *key)
{
    uint64_t hash;
    uint32_t slot;
    if (!hash_key(table, type, key, NULL, &hash))
        return NULL;
    int64_t number = find_entry(table, type, key, hash, &slot);
    return number == NO_ENTRY ? NULL : entry_at(table, (uint32_t)number);
}

void *pychoral_table_find_of(const PychoralTable *table, const PychoralType *type, const void *key)
{
    char *entry = find(table, type, key);
    if (entry == NULL)
        return NULL;
    return entry + (value_size(table) == 0 ? PYCHORAL_KEY_OFFSET : table->value_offset);
}

void *pychoral_table_find(const PychoralTable *table, const void *key)
{
    return pychoral_table_find_of(table, key_type(table), key);
}

// ---- changing ----

bool pychoral_table_spot(PychoralTable *table, void **key, void **value)
{
    if (!make_room(table))
        return false;
    *key = entry_at(table, table->used) + PYCHORAL_KEY_OFFSET;
    if (value != NULL)
        *value = entry_at(table, table->used) + table->value_offset;
    return true;
}

static void append(PychoralTable *table, uint64_t hash)
{
    memcpy(entry_at(table, table->used), &hash, sizeof hash);
    if (table->index != NULL)
        enter(table, table->used);
    table->last = ++table->used;
    table->count++;
}

PychoralPut pychoral_table_commit(PychoralTable *table)
{
    const char *key = entry_at(table, table->used) + PYCHORAL_KEY_OFFSET;
    uint64_t hash;
    uint32_t slot;
    if (!hash_key(table, key_type(table), key, &table->identity, &hash))
        return PYCHORAL_PUT_UNHASHABLE;
    if (find_entry(table, key_type(table), key, hash, &slot) != NO_ENTRY)
        return PYCHORAL_PUT_REPLACED;
    append(table, hash);
    return PYCHORAL_PUT_NEW;
}

static PychoralPut put(PychoralTable *table, const void *key, const void *value, bool replace)
{
    uint64_t hash;
    uint32_t slot;
    if (!hash_key(table, key_type(table), key, &table->identity, &hash))
        return PYCHORAL_PUT_UNHASHABLE;
    int64_t known = find_entry(table, key_type(table), key, hash, &slot);
    if (PYCHORAL_UNLIKELY(pychoral_raised != NULL))
        return PYCHORAL_PUT_UNHASHABLE;
    if (known != NO_ENTRY) {
        char *place = entry_at(table, (uint32_t)known) + table->value_offset;
        if (replace && value != NULL) {
            pychoral_release(table->object.type->element, place);
            memcpy(place, value, value_size(table));
        }
        return PYCHORAL_PUT_REPLACED;
    }
    void *key_spot, *value_spot;
    if (!pychoral_table_spot(table, &key_spot, &value_spot))
        return PYCHORAL_PUT_MEMORY;
    memcpy(key_spot, key, key_type(table)->size);
    if (value != NULL)
        memcpy(value_spot, value, value_size(table));
    append(table, hash);
    return PYCHORAL_PUT_NEW;
}

static bool is_within(const PychoralTable *table, const void *at)
{
    uintptr_t start = (uintptr_t)table->entries;
    return (uintptr_t)at - start < (size_t)table->capacity * table->stride;
}

// Another reference to `value` in place of the one that stands there, which is released last.
static void replace_value(PychoralTable *table, char *place, const void *value)
{
    const PychoralType *element = table->object.type->element;
    _Alignas(16) char old[MOST_KEPT];
    memcpy(old, place, element->size);
    pychoral_assign(element, place, value);
    pychoral_release(element, old);
}

bool pychoral_table_keep(PychoralTable *table, const void *key, const void *value,
                         PychoralPut *answer)
{
    const PychoralType *keys = key_type(table);
    if (value_size(table) > MOST_KEPT || is_within(table, key) || is_within(table, value))
        return false;
    uint64_t hash;
    uint32_t slot;
    *answer = PYCHORAL_PUT_UNHASHABLE;
    if (!hash_key(table, keys, key, &table->identity, &hash))
        return true;
    int64_t known = find_entry(table, keys, key, hash, &slot);
    if (PYCHORAL_UNLIKELY(pychoral_raised != NULL))
        return true;
    if (known != NO_ENTRY) {
        if (value_size(table) != 0)
            replace_value(table, entry_at(table, (uint32_t)known) + table->value_offset, value);
        *answer = PYCHORAL_PUT_REPLACED;
        return true;
    }
    void *key_spot, *value_spot;
    *answer = PYCHORAL_PUT_MEMORY;
    if (!pychoral_table_spot(table, &key_spot, &value_spot))
        return true;
    pychoral_assign(keys, key_spot, key);
    if (value_size(table) != 0)
        pychoral_assign(table->object.type->element, value_spot, value);
    append(table, hash);
    *answer = PYCHORAL_PUT_NEW;
    return true;
}

PychoralPut pychoral_table_put(PychoralTable *table, const void *key, const void *value)
{
    return put(table, key, value, true);
}

PychoralPut pychoral_table_add(PychoralTable *table, const void *key, const void *value)
{
    return put(table, key, value, false);
}

PychoralTable *pychoral_table_reading(const PychoralType *type, size_t capacity)
{
    PychoralTable *table = pychoral_table_new(type, capacity);
    if (table != NULL)
        table->by_fields = true;
    return table;
}

// Objects that are equal only to themselves were hashed by their fields so far.
void pychoral_table_settle(PychoralTable *table)
{
    table->by_fields = false;
    if (!table->identity)
        return;
    if (table->index != NULL)
        memset(table->index, 0xff, ((size_t)table->mask + 1) * sizeof *table->index);
    for (uint32_t i = 0; i < table->used; i++) {
        uint64_t hash = 0;
        char *entry = entry_at(table, i);
        hash_key(table, key_type(table), entry + PYCHORAL_KEY_OFFSET, NULL, &hash);
        memcpy(entry, &hash, sizeof hash);
        if (table->index != NULL)
            enter(table, i);
    }
}

static bool is_removed(const PychoralTable *table, uint32_t number)
{
    return hash_at(table, number) == 0;
}

// What the entry had is released last: whatever that brings about finds the table in order.
static void remove_entry(PychoralTable *table, char *entry)
{
    const PychoralType *type = table->object.type;
    memset(entry, 0, sizeof(uint64_t));
    table->count--;
    while (table->first < table->last && is_removed(table, table->first))
        table->first++;
    while (table->last > table->first && is_removed(table, table->last - 1))
        table->last--;
    pychoral_release(key_type(table), entry + PYCHORAL_KEY_OFFSET);
    if (value_size(table) != 0)
        pychoral_release(type->element, entry + table->value_offset);
}

bool pychoral_table_remove(PychoralTable *table, const void *key)
{
    uint64_t hash;
    uint32_t slot = 0;
    if (!hash_key(table, key_type(table), key, NULL, &hash))
        return false;
    int64_t number = find_entry(table, key_type(table), key, hash, &slot);
    if (number == NO_ENTRY)
        return false;
    if (table->index != NULL)
        table->index[slot].number = REMOVED;
    remove_entry(table, entry_at(table, (uint32_t)number));
    return true;
}

void pychoral_table_remove_at(PychoralTable *table, void *key)
{
    char *entry = (char *)key - PYCHORAL_KEY_OFFSET;
    uint32_t number = (uint32_t)((size_t)(entry - table->entries) / table->stride);
    if (table->index != NULL) {
        uint32_t slot = (uint32_t)hash_at(table, number) & table->mask;
        while (table->index[slot].number != number)
            slot = (slot + 1) & table->mask;
        table->index[slot].number = REMOVED;
    }
    remove_entry(table, entry);
}

bool pychoral_table_next(const PychoralTable *table, uint32_t *position, void **key, void **value)
{
    if (*position < table->first)
        *position = table->first;
    while (*position < table->used && hash_at(table, *position) == 0)
        ++*position;
    if (*position >= table->used)
        return false;
    char *entry = entry_at(table, (*position)++);
    *key = entry + PYCHORAL_KEY_OFFSET;
    if (value != NULL)
        *value = entry + table->value_offset;
    return true;
}

bool pychoral_table_before(const PychoralTable *table, int64_t *position, void **key,
                           void **value)
{
    if (*position > table->last)
        *position = table->last;
    do
        if (--*position < 0)
            return false;
    while (hash_at(table, (uint32_t)*position) == 0);
    char *entry = entry_at(table, (uint32_t)*position);
    *key = entry + PYCHORAL_KEY_OFFSET;
    if (value != NULL)
        *value = entry + table->value_offset;
    return true;
}
