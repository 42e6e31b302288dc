// table.c - compact ordered tables; the layout and its rules are in table.h.

#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "builtins/raise.h"
#include "cpython_hash.h"
#include "wire.h"

PychoralFunction pychoral_counts = {
    .object = {.head = {.refs = PYCHORAL_IMMORTAL}, .type = &pychoral_type_any_function},
    .name = "<class 'collections.Counter'>"};

// Up to so many entries are searched one by one; their index would cost more than it saves.
enum { FEW = 8, NO_ENTRY = -1 };

enum { MOST_KEPT = 64 };  // bytes of a value that pychoral_table_keep replaces

static const uint32_t EMPTY = UINT32_MAX;       // a slot that ends a search
static const uint32_t REMOVED = UINT32_MAX - 1;  // a slot whose entry is gone; of a set: the tag
                                                  // is the number of that entry

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

// ---- the slots of sets ----

enum {
    FEWEST_SLOTS = 8,
    IN_A_ROW = 9,       // slots that are looked at behind the first, if the table goes on so far
    SHIFT = 5,          // bits of the hash that come in with each jump
    MANY = 50000        // elements from which on a set grows less
};

// A walk along the slots where a key with some hash may stand.
typedef struct Probe {
    uint64_t rest;
    uint64_t start;
    uint32_t at, left, mask;
} Probe;

static void stand(Probe *probe)
{
    probe->at = (uint32_t)probe->start;
    probe->left = probe->start + IN_A_ROW <= probe->mask ? IN_A_ROW : 0;
}

static Probe probe_for(const PychoralTable *set, uint64_t hash)
{
    Probe probe = {.rest = hash, .start = hash & set->mask, .mask = set->mask};
    stand(&probe);
    return probe;
}

static void go_on(Probe *probe)
{
    if (probe->left > 0) {
        probe->left--;
        probe->at++;
        return;
    }
    probe->rest >>= SHIFT;
    probe->start = (probe->start * 5 + 1 + probe->rest) & probe->mask;
    stand(probe);
}

// What stands in an entry for a hash that is foreseen: not 0, as no hash in Python is -1.
static uint64_t kept_hash(uint64_t foreseen) { return ~foreseen; }
static uint64_t foreseen_hash(uint64_t kept) { return ~kept; }

static uint32_t slot_tag(uint64_t kept) { return (uint32_t)(kept ^ kept >> 32); }

static void enter_slot(PychoralTable *set, uint32_t number)
{
    uint64_t hash = hash_at(set, number);
    Probe probe = probe_for(set, foreseen_hash(hash));
    while (set->index[probe.at].number != EMPTY)
        go_on(&probe);
    set->index[probe.at] = (PychoralTableSlot){number, slot_tag(hash)};
}

// Where an element goes that is not there: the last slot on its way that was given up, or the end.
static PychoralTableSlot *slot_for(const PychoralTable *set, uint64_t hash)
{
    Probe probe = probe_for(set, foreseen_hash(hash));
    PychoralTableSlot *free_slot = NULL;
    for (; set->index[probe.at].number != EMPTY; go_on(&probe))
        if (set->index[probe.at].number == REMOVED)
            free_slot = &set->index[probe.at];
    return free_slot != NULL ? free_slot : &set->index[probe.at];
}

static bool is_live(PychoralTableSlot slot) { return slot.number < REMOVED; }

// Whether so many entries, removed ones included, make a set of so many slots grow.
static bool is_full(uint64_t used, uint64_t mask) { return used * 5 >= mask * 3; }

// Moves all into a power of two of slots above `above`, in order.
static bool lay_out(PychoralTable *set, uint64_t above)
{
    uint64_t slots = FEWEST_SLOTS;
    while (slots <= above)
        slots *= 2;
    uint32_t capacity = (uint32_t)(((slots - 1) * 3 + 4) / 5), used = 0;
    if (slots > UINT32_MAX / 4)
        return false;
    char *entries = malloc((size_t)capacity * set->stride);
    PychoralTableSlot *index = malloc(slots * sizeof *index), *old = set->index;
    if (entries == NULL || index == NULL) {
        free(entries);
        free(index);
        return false;
    }
    for (size_t i = 0; old != NULL && i <= set->mask; i++)
        if (is_live(old[i]))
            memcpy(entries + (size_t)used++ * set->stride, entry_at(set, old[i].number),
                   set->stride);
    free(set->entries);
    free(old);
    memset(index, 0xff, slots * sizeof *index);
    set->entries = entries;
    set->index = index;
    set->capacity = capacity;
    set->mask = (uint32_t)slots - 1;
    set->used = set->last = used;
    set->first = 0;
    for (uint32_t i = 0; i < used; i++)
        enter_slot(set, i);
    return true;
}

static uint64_t to_grow(const PychoralTable *set)
{
    return (uint64_t)set->count * (set->count > MANY ? 2 : 4);
}

bool pychoral_table_expect(PychoralTable *set, uint32_t more)
{
    uint32_t mask = set->index == NULL ? FEWEST_SLOTS - 1 : set->mask;
    if (!set->slotted || !is_full((uint64_t)set->used + more, mask))
        return true;
    return lay_out(set, ((uint64_t)set->count + more) * 2);
}

bool pychoral_table_thin(PychoralTable *set)
{
    return !set->slotted || set->used - set->count <= set->mask / 4 || lay_out(set, to_grow(set));
}

void *pychoral_table_pointed(PychoralTable *set)
{
    if (set->count == 0)
        return NULL;
    uint32_t at = set->finger & set->mask;
    while (!is_live(set->index[at]))
        at = (at + 1) & set->mask;
    set->finger = at + 1;
    return entry_at(set, set->index[at].number) + PYCHORAL_KEY_OFFSET;
}

// ---- more room ----

static bool make_room(PychoralTable *table)
{
    if (table->slotted)
        return table->used < table->capacity || lay_out(table, table->index == NULL ? 0
                                                                   : to_grow(table));
    if (table->used < table->capacity)
        return true;
    bool gaps = table->count < table->used / 2;
    return rebuild(table, gaps ? table->capacity : table->capacity < 4 ? 4 : table->capacity * 2);
}

static PychoralTable *new_table(const PychoralType *type, size_t capacity, bool slotted)
{
    PychoralTable *table = calloc(1, sizeof *table);
    if (table == NULL)
        return NULL;
    table->object = (PychoralObject){.head = {.refs = 1}, .type = type};
    table->value_offset = round_up(PYCHORAL_KEY_OFFSET + key_type(table)->size);
    table->stride = table->value_offset + round_up(value_size(table));
    table->seed = (uint64_t)(uintptr_t)table * 0x9e3779b97f4a7c15u;
    table->slotted = slotted;
    if (capacity != 0 && !slotted &&
        (capacity > UINT32_MAX / 4 || !rebuild(table, (uint32_t)capacity))) {
        free(table);
        return NULL;
    }
    return table;
}

static bool can_be_slotted(const PychoralType *type)
{
    return type->kind != PYCHORAL_DICT && pychoral_has_cpython_hash(type->element);
}

PychoralTable *pychoral_table_new(const PychoralType *type, size_t capacity)
{
    return new_table(type, capacity, can_be_slotted(type));
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

// The slots of the original are kept if there are as many as are needed, and no gaps.
bool pychoral_table_tidy(PychoralTable *copy)
{
    if (!copy->slotted || copy->index == NULL)
        return true;
    uint64_t above = is_full(copy->count, FEWEST_SLOTS - 1) ? (uint64_t)copy->count * 2 : 0;
    uint64_t slots = FEWEST_SLOTS;
    while (slots <= above)
        slots *= 2;
    copy->finger = 0;
    return (slots == (uint64_t)copy->mask + 1 && copy->used == copy->count) || lay_out(copy, above);
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
    if (!pychoral_table_tidy(clone)) {
        free(clone->entries);
        free(clone->index);
        free(clone);
        return NULL;
    }
    retain_entries(clone);
    return clone;
}

PychoralTable *pychoral_table_like(const PychoralType *type, const PychoralTable *other)
{
    PychoralTable *table = pychoral_table_new(type, other->count);
    if (table == NULL || !table->slotted || !other->slotted || other->index == NULL ||
        lay_out(table, other->mask))
        return table;
    free(table);
    return NULL;
}

// The elements are entries 0, 1, ... as no slots have been added.
bool pychoral_table_align(PychoralTable *set, const PychoralTable *other)
{
    if (!set->slotted || !other->slotted || set->mask != other->mask ||
        set->used != other->count || set->count != other->count || other->index == NULL)
        return false;
    uint32_t number = 0;
    for (size_t i = 0; i <= other->mask; i++) {
        set->index[i] = other->index[i];
        if (is_live(other->index[i]))
            set->index[i].number = number++;
        else if (other->index[i].number == REMOVED)
            set->index[i].tag = set->used++;
    }
    for (uint32_t i = set->count; i < set->used; i++)
        memset(entry_at(set, i), 0, sizeof(uint64_t));
    return true;
}

// ---- finding ----

static bool seeded_hash(const PychoralTable *table, const PychoralType *type, const void *key,
                        bool *identity, uint64_t *hash)
{
    if (!pychoral_hash_key(type, key, table->seed, table->by_fields, identity, hash))
        return false;
    if (*hash == 0)
        *hash = 1;
    return true;
}

static bool hash_key(const PychoralTable *table, const PychoralType *type, const void *key,
                     bool *identity, uint64_t *hash)
{
    if (!table->slotted)
        return seeded_hash(table, type, key, identity, hash);
    uint64_t foreseen;
    if (!pychoral_cpython_hash(type, key, identity, &foreseen))
        return false;
    *hash = kept_hash(foreseen);
    return true;
}

// The hashes that all entries have in a table that is not slotted; NULL: out of memory, or raised.
static uint64_t *seeded_hashes(PychoralTable *set)
{
    uint64_t *hashes = malloc((set->used + 1) * sizeof *hashes);
    for (uint32_t i = 0; hashes != NULL && i < set->used; i++) {
        hashes[i] = 0;
        if (hash_at(set, i) != 0 &&
            !seeded_hash(set, key_type(set), entry_at(set, i) + PYCHORAL_KEY_OFFSET,
                         &set->identity, &hashes[i])) {
            free(hashes);
            return NULL;
        }
    }
    return hashes;
}

// From now on the elements of the set are in the order of its entries.
static bool leave_slots(PychoralTable *set)
{
    uint64_t *hashes = seeded_hashes(set);
    if (hashes == NULL)
        return false;
    for (uint32_t i = 0; i < set->used; i++)
        memcpy(entry_at(set, i), &hashes[i], sizeof hashes[i]);
    free(hashes);
    set->slotted = false;
    return rebuild(set, set->count < 4 ? 4 : set->count * 2);
}

// The hash of a key that may be put in.
static bool hash_new(PychoralTable *table, const void *key, uint64_t *hash)
{
    const PychoralType *type = key_type(table);
    if (hash_key(table, type, key, &table->identity, hash))
        return true;
    return table->slotted && pychoral_raised == NULL &&
           seeded_hash(table, type, key, &table->identity, hash) && leave_slots(table);
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

static int64_t find_slot(const PychoralTable *set, const PychoralType *type, const void *key,
                         uint64_t hash, uint32_t *slot)
{
    if (set->index == NULL)
        return NO_ENTRY;
    for (Probe probe = probe_for(set, foreseen_hash(hash));; go_on(&probe)) {
        PychoralTableSlot at = set->index[*slot = probe.at];
        if (at.number == EMPTY)
            return NO_ENTRY;
        if (at.tag == slot_tag(hash) && at.number != REMOVED &&
            is_end(set, at.number, type, key, hash))
            return found(at.number);
    }
}

// The number of the key's entry, or NO_ENTRY; its slot if there is an index.
static int64_t find_entry(const PychoralTable *table, const PychoralType *type, const void *key,
                          uint64_t hash, uint32_t *slot)
{
    if (table->slotted)
        return find_slot(table, type, key, hash, slot);
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

// Puts an element of a slotted set into the entry of its slot. One that cannot grow, as there is no
// memory, does so with the next element.
static void append_slotted(PychoralTable *set, uint64_t hash, PychoralTableSlot *slot)
{
    bool is_old = slot->number == REMOVED;
    uint32_t number = is_old ? slot->tag : set->used;
    memcpy(entry_at(set, number), &hash, sizeof hash);
    *slot = (PychoralTableSlot){number, slot_tag(hash)};
    set->count++;
    if (is_old)
        return;
    set->last = ++set->used;
    if (set->used == set->capacity)
        lay_out(set, to_grow(set));
}

// Puts a key that is not there: another reference, or (`taken`) the caller's. False: no memory.
static bool add_slotted(PychoralTable *set, const void *key, uint64_t hash, bool taken)
{
    if (!make_room(set))
        return false;
    PychoralTableSlot *slot = slot_for(set, hash);
    char *place = entry_at(set, slot->number == REMOVED ? slot->tag : set->used);
    if (taken)
        memcpy(place + PYCHORAL_KEY_OFFSET, key, key_type(set)->size);
    else
        pychoral_assign(key_type(set), place + PYCHORAL_KEY_OFFSET, key);
    append_slotted(set, hash, slot);
    return true;
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
    if (!hash_new(table, key, &hash))
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
    if (table->slotted)
        return add_slotted(table, key, hash, true) ? PYCHORAL_PUT_NEW : PYCHORAL_PUT_MEMORY;
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
    if (!hash_new(table, key, &hash))
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
    if (table->slotted) {
        if (add_slotted(table, key, hash, false))
            *answer = PYCHORAL_PUT_NEW;
        return true;
    }
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
    PychoralTable *table = new_table(type, capacity, false);
    if (table != NULL)
        table->by_fields = true;
    return table;
}

// A set that has been read gets its elements one after the other. It stays as it is if one of them
// cannot be foreseen.
static bool become_slotted(PychoralTable *set)
{
    if (!can_be_slotted(set->object.type))
        return false;
    PychoralTable *slotted = new_table(set->object.type, 0, true);
    bool good = slotted != NULL;
    for (uint32_t i = 0; good && i < set->used; i++) {
        const char *key = entry_at(set, i) + PYCHORAL_KEY_OFFSET;
        uint64_t hash;
        good = hash_key(slotted, key_type(set), key, NULL, &hash) &&
               add_slotted(slotted, key, hash, true);
    }
    PychoralTable *useless = slotted;
    if (good) {
        PychoralTable old = *set;
        *set = *slotted;
        set->object = old.object;
        set->identity = old.identity;
        *slotted = old;
    }
    if (useless != NULL) {
        free(useless->entries);
        free(useless->index);
        free(useless);
    }
    return good;
}

// Objects that are equal only to themselves were hashed by their fields so far.
void pychoral_table_settle(PychoralTable *table)
{
    table->by_fields = false;
    if (become_slotted(table) || !table->identity)
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
        table->index[slot] = (PychoralTableSlot){REMOVED, (uint32_t)number};
    remove_entry(table, entry_at(table, (uint32_t)number));
    return true;
}

void pychoral_table_remove_at(PychoralTable *table, void *key)
{
    char *entry = (char *)key - PYCHORAL_KEY_OFFSET;
    uint32_t number = (uint32_t)((size_t)(entry - table->entries) / table->stride);
    if (table->slotted) {
        Probe probe = probe_for(table, foreseen_hash(hash_at(table, number)));
        while (table->index[probe.at].number != number)
            go_on(&probe);
        table->index[probe.at] = (PychoralTableSlot){REMOVED, number};
    } else if (table->index != NULL) {
        uint32_t slot = (uint32_t)hash_at(table, number) & table->mask;
        while (table->index[slot].number != number)
            slot = (slot + 1) & table->mask;
        table->index[slot].number = REMOVED;
    }
    remove_entry(table, entry);
}

static bool next_slot(const PychoralTable *set, uint32_t *position, void **key)
{
    for (; set->index != NULL && *position <= set->mask; ++*position) {
        PychoralTableSlot slot = set->index[*position];
        if (!is_live(slot))
            continue;
        ++*position;
        *key = entry_at(set, slot.number) + PYCHORAL_KEY_OFFSET;
        return true;
    }
    return false;
}

bool pychoral_table_next(const PychoralTable *table, uint32_t *position, void **key, void **value)
{
    if (table->slotted)
        return next_slot(table, position, key);
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
