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

static PychoralTable *unless_raised(PychoralTable *table)
{
    if (pychoral_raised == NULL)
        return table;
    pychoral_release(table->object.type, &table);
    return NULL;
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

static void add_all(PychoralTable *set, PychoralRef iterable)
{
    PychoralRef seen = pychoral_look(iterable.type, iterable.value);
    if (pychoral_is_set(seen.type) || seen.type->kind == PYCHORAL_DICT) {
        if (pychoral_pointer_at(seen.value) != set)
            add_table(set, pychoral_pointer_at(seen.value));
        return;
    }
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

PychoralTable *pychoral_set_from(PychoralRef iterable, const PychoralType *row)
{
    PychoralTable *set = pychoral_table_make(row, 0);
    add_all(set, iterable);
    return unless_raised(set);
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
    if (!pychoral_table_next(set, &position, &key, NULL)) {
        memset(result, 0, set->object.type->element->size);
        pychoral_throw(&pychoral_type_KeyError, "pop from an empty set");
        return;
    }
    pychoral_assign(set->object.type->element, result, key);
    pychoral_table_remove_at(set, key);
}

void pychoral_set_clear(PychoralTable *set) { pychoral_table_clear(set); }

// ---- other sets ----

// What `other` has, as a table: itself, or a new one of its items. NULL: raised.
static PychoralTable *table_of(PychoralRef other)
{
    PychoralRef seen = pychoral_look(other.type, other.value);
    if (!pychoral_is_set(seen.type) && seen.type->kind != PYCHORAL_DICT)
        return pychoral_set_from(seen, &ANYTHING);
    PychoralTable *table = pychoral_pointer_at(seen.value);
    pychoral_retain(seen.type, seen.value);
    return table;
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
    return unless_raised(result);
}

static PychoralTable *copy_as(const PychoralTable *set, const PychoralType *row)
{
    bool alike = set->object.type->kind != PYCHORAL_DICT &&
                 pychoral_key_row(set->object.type) == pychoral_key_row(row);
    PychoralTable *copy = alike ? pychoral_table_clone(set, row)
                                : pychoral_table_make(row, set->count);
    if (copy == NULL)
        pychoral_no_memory();
    if (!alike)
        add_table(copy, set);
    return unless_raised(copy);
}

// Of two equal elements the one of the smaller set stays; of what is no set, its own.
static PychoralTable *common(const PychoralTable *set, const PychoralTable *other, bool is_set,
                             const PychoralType *row)
{
    return is_set && other->count > set->count ? chosen(set, other, true, row)
                                               : chosen(other, set, true, row);
}

// One after the other.
static PychoralTable *choose(const PychoralTable *set, size_t count, const PychoralRef *others,
                             bool within, const PychoralType *row)
{
    PychoralTable *result = copy_as(set, row);
    for (size_t i = 0; i < count && result != NULL; i++) {
        PychoralTable *other = table_of(others[i]), *next = NULL;
        bool is_set = pychoral_is_set(pychoral_look(others[i].type, others[i].value).type);
        if (other != NULL)
            next = within ? common(result, other, is_set, row)
                          : chosen(result, other, false, row);
        drop(other);
        drop(result);
        result = next;
    }
    return result;
}

PychoralTable *pychoral_set_union(const PychoralTable *set, size_t count,
                                  const PychoralRef *others, const PychoralType *row)
{
    PychoralTable *result = copy_as(set, row);
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++)
        add_all(result, others[i]);
    return result == NULL ? NULL : unless_raised(result);
}

PychoralTable *pychoral_set_intersection(const PychoralTable *set, size_t count,
                                         const PychoralRef *others, const PychoralType *row)
{
    return choose(set, count, others, true, row);
}

PychoralTable *pychoral_set_difference(const PychoralTable *set, size_t count,
                                       const PychoralRef *others, const PychoralType *row)
{
    return choose(set, count, others, false, row);
}

PychoralTable *pychoral_set_symmetric_difference(const PychoralTable *set, PychoralRef other,
                                                 const PychoralType *row)
{
    PychoralTable *table = table_of(other);
    if (table == NULL)
        return NULL;
    PychoralTable *result = chosen(set, table, false, row);
    void *key;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(table, &position, &key, NULL);)
        if (pychoral_table_lookup(set, element_ref(table, key)) == NULL)
            pychoral_table_insert(result, element_ref(table, key), PYCHORAL_NO_REF);
    drop(table);
    return result == NULL ? NULL : unless_raised(result);
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
    become(set, choose(set, count, others, true, set->object.type));
}

void pychoral_set_difference_update(PychoralTable *set, size_t count, const PychoralRef *others)
{
    become(set, choose(set, count, others, false, set->object.type));
}

void pychoral_set_symmetric_difference_update(PychoralTable *set, PychoralRef other)
{
    become(set, pychoral_set_symmetric_difference(set, other, set->object.type));
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

PychoralTable *pychoral_set_and(PychoralRef set, PychoralRef other, const PychoralType *row)
{
    return operate(set, other, row, pychoral_set_intersection);
}

PychoralTable *pychoral_set_or(PychoralRef set, PychoralRef other, const PychoralType *row)
{
    return operate(set, other, row, pychoral_set_union);
}

PychoralTable *pychoral_set_sub(PychoralRef set, PychoralRef other, const PychoralType *row)
{
    return operate(set, other, row, pychoral_set_difference);
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
