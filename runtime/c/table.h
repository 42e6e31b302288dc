// table.h - dict, set and frozenset: one compact array of entries and an index.
//
// As CPython's dict: `entries` are in order of insertion, each a hash, a key and (dict) a value, at
// the row's sizes; `index` is an open-addressing hash table of entry numbers, made only when there
// are more than eight entries. A removed entry has hash 0 (no key has) until the table is rebuilt.
// Hashes are mixed with the table's address, so that no peer can choose keys that collide.
//
// Programs print sets, and the order of a set of ints is the same in each run of Python. As long as
// all hashes in a set can be foreseen (cpython_hash.h) it is `slotted`: its index has the slots of
// CPython's hash table, from the first element on, and the order is that of the slots. Entries are
// in any order then; `used` is what CPython calls fill. With the first element that cannot be
// foreseen the order can be any, and the set becomes a table as all others are, for good.

#ifndef PYCHORAL_TABLE_H
#define PYCHORAL_TABLE_H

#include "value.h"

// A slot of the index: which entry, and some of its hash, so that others are seldom looked at.
typedef struct PychoralTableSlot {
    uint32_t number, tag;
} PychoralTableSlot;

typedef struct PychoralTable {
    PychoralObject object;
    uint32_t count;     // keys
    uint32_t used;      // entries, removed ones included
    uint32_t first, last;  // before the first, and from the last on, all entries are removed ones
    uint32_t capacity;  // room in entries
    uint32_t mask;      // slots in the index less 1; 0: no index
    uint32_t stride, value_offset;  // of an entry; its key is at PYCHORAL_KEY_OFFSET
    uint64_t seed;
    bool by_fields, identity;  // while it is read from the wire (wire.h)
    bool slotted;
    uint32_t finger;    // of a slotted set: where the next pop() begins to look
    char *entries;
    PychoralTableSlot *index;
    PychoralFunction *factory;  // of a defaultdict: makes what is missing; pychoral_counts: the
                                // dict is a collections.Counter; else NULL
} PychoralTable;

extern PychoralFunction pychoral_counts;

static inline bool pychoral_is_counter(const PychoralTable *table)
{
    return table->factory == &pychoral_counts;
}

enum { PYCHORAL_KEY_OFFSET = 8 };

typedef enum PychoralPut {
    PYCHORAL_PUT_NEW,
    PYCHORAL_PUT_REPLACED,    // the key was there: its value has been replaced, its key kept
    PYCHORAL_PUT_UNHASHABLE,  // nothing done
    PYCHORAL_PUT_MEMORY       // nothing done
} PychoralPut;

// An empty table of a row of kind DICT, SET or FROZENSET; NULL when memory has run out.
PychoralTable *pychoral_table_new(const PychoralType *type, size_t capacity);

// A copy as an object of `type`, whose keys and values are of the same rows; NULL: out of memory.
// The slots of a set are what CPython's copy has.
PychoralTable *pychoral_table_clone(const PychoralTable *table, const PychoralType *type);

// Puts key and value (NULL for sets); takes over their references when it answers NEW. When it
// answers REPLACED, it has taken over the value's, and the key is still the caller's.
PychoralPut pychoral_table_put(PychoralTable *table, const void *key, const void *value);

// Puts other references to key and value, which are of the table's own rows and stay the caller's
// whatever the answer is. False: nothing done, as they stand in the table itself or are large.
bool pychoral_table_keep(PychoralTable *table, const void *key, const void *value,
                         PychoralPut *answer);

// Puts a key that must be new: REPLACED then means that it is there, and nothing is done.
PychoralPut pychoral_table_add(PychoralTable *table, const void *key, const void *value);

// The value of `key` in place (sets: the key itself); NULL if it is not there or not hashable.
void *pychoral_table_find(const PychoralTable *table, const void *key);

// Takes `key` out and releases what it had; false if it is not there.
bool pychoral_table_remove(PychoralTable *table, const void *key);

// Takes the entry out whose key stands at `key`, and releases what it had.
void pychoral_table_remove_at(PychoralTable *table, void *key);

// The element of a slotted set that pop() takes next; NULL: it is empty.
void *pychoral_table_pointed(PychoralTable *set);

// Room in a slotted set for `more` elements at once, as CPython makes it before it puts in those of
// another set or of a dict. Other tables stay as they are. False: no memory.
bool pychoral_table_expect(PychoralTable *set, uint32_t more);

// After elements of another set have been taken out of a slotted set.
bool pychoral_table_thin(PychoralTable *set);

// Gives a slotted set as many slots as CPython's copy of it has.
bool pychoral_table_tidy(PychoralTable *set);

// An empty table of `type` with room for what `other` has. When a set has got that, in order, by
// pychoral_table_put, pychoral_table_align gives it the very slots of `other`. False: it is not so.
PychoralTable *pychoral_table_like(const PychoralType *type, const PychoralTable *other);
bool pychoral_table_align(PychoralTable *set, const PychoralTable *other);

// The entries in order: start with *position 0; false at the end. `value` may be NULL.
bool pychoral_table_next(const PychoralTable *table, uint32_t *position, void **key, void **value);

// The entries from the last one on: start with *position `used`; false at the end.
bool pychoral_table_before(const PychoralTable *table, int64_t *position, void **key,
                           void **value);

// As pychoral_table_find for a key of another row (for values compared across types).
void *pychoral_table_find_of(const PychoralTable *table, const PychoralType *type,
                             const void *key);

#endif
