// sets.c - the methods and operators of set and frozenset; contracts in set.h.

#include "set.h"

#include <stdlib.h>
#include <string.h>

#include "items.h"
#include "iterating.h"
#include "tables.h"

static const PychoralType ANYTHING = {.kind = PYCHORAL_SET, .size = sizeof(PychoralTable *),
                                      .name = "set[object]", .element = &pychoral_type_object};

static PychoralRef element_ref(const PychoralTable *set, const void *key)
{
    return (PychoralRef){pychoral_key_row(set->object.type), key};
}

// ---- elements ----

// Puts in what there is in a table, or what an iterator gives.
static void add_table(PychoralTable *set, const PychoralTable *other)
{
    void *key;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(other, &position, &key, NULL);)
        pychoral_table_insert(set, element_ref(other, key), PYCHORAL_NO_REF);
}

// Makes room first, as CPython does: the order of sets comes from how many slots they have.
static void merge(PychoralTable *set, const PychoralTable *other)
{
    if (other == set || other->count == 0)
        return;
    if (!pychoral_table_expect(set, other->count))
        pychoral_no_memory();
    bool is_copy = set->used == 0 && other->used == other->count;
    add_table(set, other);
    if (is_copy && pychoral_raised == NULL)
        (void)pychoral_table_align(set, other);
}

static void add_items(PychoralTable *set, PychoralRef seen)
{
    const PychoralType *element = set->object.type->element;
    PychoralIterator *iterator = pychoral_iter(element, seen);
    if (iterator == NULL)
        return;
    void *item = pychoral_allocate(element->size);
    while (pychoral_raised == NULL && pychoral_next_item(iterator, item)) {
        pychoral_table_insert(set, (PychoralRef){element, item}, PYCHORAL_NO_REF);
        pychoral_release(element, item);
    }
    free(item);
    pychoral_iterator_drop(iterator);
}

static bool is_table(PychoralRef seen)
{
    return pychoral_is_set(seen.type) || seen.type->kind == PYCHORAL_DICT;
}

static void add_all(PychoralTable *set, PychoralRef iterable)
{
    PychoralRef seen = pychoral_look(iterable.type, iterable.value);
    if (is_table(seen))
        merge(set, pychoral_pointer_at(seen.value));
    else
        add_items(set, seen);
}

PychoralTable *pychoral_set_from(PychoralRef iterable, const PychoralType *row)
{
    PychoralRef seen = pychoral_look(iterable.type, iterable.value);
    PychoralTable *set;
    if (row->kind == PYCHORAL_FROZENSET && seen.type->kind == PYCHORAL_FROZENSET &&
        pychoral_key_row(seen.type) == pychoral_key_row(row)) {
        set = pychoral_pointer_at(seen.value);
        pychoral_retain(seen.type, seen.value);
        return set;
    }
    set = pychoral_table_make(row, 0);
    add_all(set, seen);
    return pychoral_unless_raised(set);
}

void pychoral_set_add(PychoralTable *set, const void *element)
{
    pychoral_table_insert(set, element_ref(set, element), PYCHORAL_NO_REF);
}

void pychoral_set_discard(PychoralTable *set, PychoralRef element)
{
    pychoral_table_take(set, element, NULL, NULL);
}

void pychoral_set_remove(PychoralTable *set, PychoralRef element)
{
    if (!pychoral_table_take(set, element, NULL, NULL) && pychoral_raised == NULL)
        pychoral_throw_key(element.type, element.value);
}

void pychoral_set_pop(PychoralTable *set, void *result)
{
    uint32_t position = 0;
    void *key;
    if (set->slotted)
        key = pychoral_table_pointed(set);
    else if (!pychoral_table_next(set, &position, &key, NULL))
        key = NULL;
    if (key == NULL) {
        memset(result, 0, set->object.type->element->size);
        pychoral_throw(&pychoral_type_KeyError, "pop from an empty set");
        return;
    }
    pychoral_assign(set->object.type->element, result, key);
    pychoral_table_remove_at(set, key);
}

void pychoral_set_clear(PychoralTable *set) { pychoral_table_clear(set); }

// ---- other sets ----

// What `other` has, as a table, in order: itself, or a new one of its items. NULL: raised.
static PychoralTable *table_of(PychoralRef other)
{
    PychoralRef seen = pychoral_look(other.type, other.value);
    PychoralTable *table;
    if (is_table(seen)) {
        table = pychoral_pointer_at(seen.value);
        pychoral_retain(seen.type, seen.value);
        return table;
    }
    table = pychoral_table_make(&ANYTHING, 0);
    table->slotted = false;
    add_items(table, seen);
    return pychoral_unless_raised(table);
}

static void drop(PychoralTable *table)
{
    if (table != NULL)
        pychoral_release(table->object.type, &table);
}

// A set of `row` with those of `set` that are in `other`, or with those that are not.
static PychoralTable *chosen(const PychoralTable *set, const PychoralTable *other, bool within,
                             const PychoralType *row)
{
    PychoralTable *result = pychoral_table_make(row, 0);
    void *key;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(set, &position, &key, NULL);) {
        bool is_there = pychoral_table_lookup(other, element_ref(set, key)) != NULL;
        if (pychoral_raised == NULL && is_there == within)
            pychoral_table_insert(result, element_ref(set, key), PYCHORAL_NO_REF);
    }
    return pychoral_unless_raised(result);
}

static PychoralTable *copy_as(const PychoralTable *set, const PychoralType *row)
{
    const PychoralType *type = set->object.type;  // ANYTHING: in the order of what it was made of
    bool alike = type->kind != PYCHORAL_DICT && type != &ANYTHING &&
                 pychoral_key_row(type) == pychoral_key_row(row);
    PychoralTable *copy = alike ? pychoral_table_clone(set, row) : pychoral_table_make(row, 0);
    if (copy == NULL)
        pychoral_no_memory();
    if (!alike)
        merge(copy, set);
    return pychoral_unless_raised(copy);
}

// Of two equal elements the one of the smaller set stays; of what is no set, its own.
static PychoralTable *common(const PychoralTable *set, const PychoralTable *other, bool is_set,
                             const PychoralType *row)
{
    if (set == other)
        return copy_as(set, row);
    return is_set && other->count > set->count ? chosen(set, other, true, row)
                                               : chosen(other, set, true, row);
}

static bool refers_to_set(PychoralRef other)
{
    return pychoral_is_set(pychoral_look(other.type, other.value).type);
}

static void take_out(PychoralTable *set, const PychoralTable *other)
{
    void *key;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(other, &position, &key, NULL);)
        pychoral_table_take(set, element_ref(other, key), NULL, NULL);
    if (!pychoral_table_thin(set))
        pychoral_no_memory();
}

// set -= other
static void subtract(PychoralTable *set, PychoralRef other)
{
    enum { MUCH_LARGER = 8 };
    PychoralTable *table = table_of(other);
    if (table == set) {
        pychoral_table_clear(set);
    } else if (table != NULL && table->count / MUCH_LARGER > set->count) {
        PychoralTable *few = common(set, table, true, set->object.type);
        if (few != NULL)
            take_out(set, few);
        drop(few);
    } else if (table != NULL) {
        take_out(set, table);
    }
    drop(table);
}

// set - other. Of a set that is much larger than the other one, a copy loses some.
static PychoralTable *difference(const PychoralTable *set, PychoralRef other,
                                 const PychoralType *row)
{
    enum { MUCH_LARGER = 4 };
    PychoralRef seen = pychoral_look(other.type, other.value);
    const PychoralTable *table = is_table(seen) ? pychoral_pointer_at(seen.value) : NULL;
    if (table != NULL && set->count / MUCH_LARGER <= table->count)
        return chosen(set, table, false, row);
    PychoralTable *result = copy_as(set, row);
    if (result == NULL)
        return NULL;
    subtract(result, seen);
    return pychoral_unless_raised(result);
}

static bool is_itself(const PychoralTable *set, PychoralRef other)
{
    PychoralRef seen = pychoral_look(other.type, other.value);
    return is_table(seen) && pychoral_pointer_at(seen.value) == set;
}

PychoralTable *pychoral_set_union(const PychoralTable *set, size_t count,
                                  const PychoralRef *others, const PychoralType *row)
{
    PychoralTable *result = copy_as(set, row);
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++)
        if (!is_itself(set, others[i]))
            add_all(result, others[i]);
    return result == NULL ? NULL : pychoral_unless_raised(result);
}

PychoralTable *pychoral_set_intersection(const PychoralTable *set, size_t count,
                                         const PychoralRef *others, const PychoralType *row)
{
    if (count == 0)
        return copy_as(set, row);
    PychoralTable *result = NULL;
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++) {
        PychoralTable *other = table_of(others[i]), *old = result;
        if (other != NULL)
            result = common(i == 0 ? set : old, other, refers_to_set(others[i]), row);
        drop(other);
        drop(old);
    }
    return pychoral_raised == NULL ? result : NULL;
}

PychoralTable *pychoral_set_difference(const PychoralTable *set, size_t count,
                                       const PychoralRef *others, const PychoralType *row)
{
    PychoralTable *result = count == 0 ? copy_as(set, row) : difference(set, others[0], row);
    for (size_t i = 1; i < count && pychoral_raised == NULL; i++)
        subtract(result, others[i]);
    return result == NULL ? NULL : pychoral_unless_raised(result);
}

// Takes out what is there, and puts in what is not.
static void toggle(PychoralTable *set, const PychoralTable *other)
{
    void *key;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(other, &position, &key, NULL);) {
        PychoralRef element = element_ref(other, key);
        if (!pychoral_table_take(set, element, NULL, NULL) && pychoral_raised == NULL)
            pychoral_table_insert(set, element, PYCHORAL_NO_REF);
    }
}

PychoralTable *pychoral_set_symmetric_difference(const PychoralTable *set, PychoralRef other,
                                                 const PychoralType *row)
{
    PychoralTable *result = pychoral_table_make(row, 0);
    add_all(result, other);
    toggle(result, set);
    return pychoral_unless_raised(result);
}

// ---- in place ----

// The set takes over what another one has.
static void become(PychoralTable *set, PychoralTable *other)
{
    if (other == NULL)
        return;
    PychoralTable old = *set;
    *set = *other;
    set->object = old.object;
    set->finger = old.finger;
    old.object = other->object;
    *other = old;
    drop(other);
}

void pychoral_set_update(PychoralTable *set, size_t count, const PychoralRef *others)
{
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++)
        add_all(set, others[i]);
}

void pychoral_set_intersection_update(PychoralTable *set, size_t count, const PychoralRef *others)
{
    become(set, pychoral_set_intersection(set, count, others, set->object.type));
}

void pychoral_set_difference_update(PychoralTable *set, size_t count, const PychoralRef *others)
{
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++)
        subtract(set, others[i]);
}

void pychoral_set_symmetric_difference_update(PychoralTable *set, PychoralRef other)
{
    PychoralRef seen = pychoral_look(other.type, other.value);
    PychoralTable *table = is_table(seen) ? table_of(seen) : pychoral_set_from(seen, &ANYTHING);
    if (table == set)
        pychoral_table_clear(set);
    else if (table != NULL)
        toggle(set, table);
    drop(table);
}

// ---- comparing ----

// Whether each key of `a` is in `b` (`within`), or none is.
static bool all_are(const PychoralTable *a, const PychoralTable *b, bool within)
{
    void *key;
    for (uint32_t position = 0; pychoral_table_next(a, &position, &key, NULL);) {
        bool is_there = pychoral_table_lookup(b, element_ref(a, key)) != NULL;
        if (pychoral_raised != NULL || is_there != within)
            return false;
    }
    return true;
}

bool pychoral_set_isdisjoint(const PychoralTable *set, PychoralRef other)
{
    PychoralTable *table = table_of(other);
    bool is_so = table != NULL && all_are(table, set, false);
    drop(table);
    return is_so;
}

bool pychoral_set_issubset(const PychoralTable *set, PychoralRef other)
{
    PychoralTable *table = table_of(other);
    bool is_so = table != NULL && set->count <= table->count && all_are(set, table, true);
    drop(table);
    return is_so;
}

bool pychoral_set_issuperset(const PychoralTable *set, PychoralRef other)
{
    PychoralTable *table = table_of(other);
    bool is_so = table != NULL && all_are(table, set, true);
    drop(table);
    return is_so;
}

// ---- operators ----

// The left side may be the keys of a dict, or an iterator over them.
static PychoralTable *operate(PychoralRef set, PychoralRef other, const PychoralType *row,
                              PychoralTable *(*method)(const PychoralTable *set, size_t count,
                                                       const PychoralRef *others,
                                                       const PychoralType *row))
{
    PychoralTable *own = table_of(set), *result = NULL;
    if (own != NULL)
        result = method(own, 1, &other, row);
    drop(own);
    return result;
}

static bool is_view(PychoralRef value)
{
    return !is_table(pychoral_look(value.type, value.value));
}

// Of the keys of a dict and a set, in any order: the smaller one is gone through, or the keys.
static PychoralTable *common_with_view(PychoralRef view, PychoralRef other,
                                       const PychoralType *row)
{
    PychoralTable *keys = table_of(view), *table = table_of(other), *result = NULL;
    if (keys != NULL && table != NULL)
        result = keys->count <= table->count ? chosen(keys, table, true, row)
                                             : chosen(table, keys, true, row);
    drop(keys);
    drop(table);
    return result;
}

PychoralTable *pychoral_set_and(PychoralRef set, PychoralRef other, const PychoralType *row)
{
    if (is_view(set) != is_view(other))
        return is_view(set) ? common_with_view(set, other, row)
                            : common_with_view(other, set, row);
    return operate(set, other, row, pychoral_set_intersection);
}

static PychoralTable *copy_of(const PychoralTable *set, size_t count, const PychoralRef *others,
                              const PychoralType *row)
{
    (void)count, (void)others;
    return copy_as(set, row);
}

PychoralTable *pychoral_set_or(PychoralRef set, PychoralRef other, const PychoralType *row)
{
    return operate(set, other, row, pychoral_set_union);
}

// The keys of a dict become a set that loses some.
PychoralTable *pychoral_set_sub(PychoralRef set, PychoralRef other, const PychoralType *row)
{
    if (!is_view(set))
        return operate(set, other, row, pychoral_set_difference);
    PychoralTable *result = operate(set, set, row, copy_of);
    if (result == NULL)
        return NULL;
    subtract(result, other);
    return pychoral_unless_raised(result);
}

static PychoralTable *either(const PychoralTable *set, size_t count, const PychoralRef *others,
                             const PychoralType *row)
{
    (void)count;
    return pychoral_set_symmetric_difference(set, *others, row);
}

PychoralTable *pychoral_set_xor(PychoralRef set, PychoralRef other, const PychoralType *row)
{
    return operate(set, other, row, either);
}

void pychoral_set_iand(PychoralTable *set, PychoralRef other)
{
    pychoral_set_intersection_update(set, 1, &other);
}

void pychoral_set_ior(PychoralTable *set, PychoralRef other)
{
    pychoral_set_update(set, 1, &other);
}

void pychoral_set_isub(PychoralTable *set, PychoralRef other)
{
    pychoral_set_difference_update(set, 1, &other);
}

void pychoral_set_ixor(PychoralTable *set, PychoralRef other)
{
    pychoral_set_symmetric_difference_update(set, other);
}
