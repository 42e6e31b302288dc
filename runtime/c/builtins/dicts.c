// dicts.c - the methods of dict; contracts in dict.h.

#include <stdlib.h>
#include <string.h>

#include "../modules/counter.h"
#include "call.h"
#include "dict.h"
#include "items.h"
#include "iterating.h"
#include "iterator_tuple.h"
#include "tables.h"

static PychoralRef key_ref(const PychoralTable *dict, const void *key)
{
    return (PychoralRef){dict->object.type->key, key};
}

static PychoralRef value_ref(const PychoralTable *dict, const void *value)
{
    return (PychoralRef){dict->object.type->element, value};
}

static void give(PychoralRef value, const PychoralType *row, void *result)
{
    memset(result, 0, row->size);
    if (pychoral_raised == NULL)
        pychoral_convert(value.type, value.value, row, result);
}

PychoralTable *pychoral_table_empty(const PychoralType *row) { return pychoral_table_make(row, 0); }

// ---- items ----

// None as a factory.
static PychoralFunction no_factory = {
    .object = {.head = {.refs = PYCHORAL_IMMORTAL}, .type = &pychoral_type_any_function},
    .name = "None"};

PychoralTable *pychoral_defaultdict_new(PychoralFunction *factory, const PychoralType *row)
{
    PychoralTable *dict = pychoral_table_make(row, 0);
    dict->factory = factory != NULL ? factory : &no_factory;
    pychoral_retain(&pychoral_type_any_function, &dict->factory);
    return dict;
}

const PychoralType *pychoral_dict_class(const PychoralTable *dict)
{
    return pychoral_is_counter(dict)  ? &pychoral_type_any_counter
           : dict->factory != NULL ? &pychoral_type_any_defaultdict
                                   : &pychoral_type_any_dict;
}

// What a Counter has of each key that is not there; NULL: its values are no numbers.
static const void *zero_of(const PychoralType *element)
{
    static const PychoralInt ZERO = {0, NULL};
    static const PychoralAny OBJECT = {.type = &pychoral_type_int};
    return element->kind == PYCHORAL_INT      ? (const void *)&ZERO
           : element->kind == PYCHORAL_OBJECT ? (const void *)&OBJECT
                                              : NULL;
}

static const void *make_missing(PychoralTable *dict, PychoralRef key)
{
    const PychoralType *element = dict->object.type->element;
    PychoralSlot slot;
    if (pychoral_is_counter(dict) && zero_of(element) != NULL)
        return zero_of(element);
    if (dict->factory == NULL || dict->factory->call == NULL) {
        pychoral_throw_key(key.type, key.value);
        return NULL;
    }
    pychoral_slot_open(&slot, element);
    pychoral_call_with(dict->factory, 0, NULL, element, slot.item);
    if (pychoral_raised == NULL) {
        pychoral_table_insert(dict, key, (PychoralRef){element, slot.item});
        pychoral_release(element, slot.item);
    }
    pychoral_slot_close(&slot);
    return pychoral_raised != NULL ? NULL : pychoral_table_lookup(dict, key);
}

const void *pychoral_dict_find(const PychoralTable *dict, PychoralRef key)
{
    const void *found = pychoral_table_lookup(dict, key);
    return found != NULL || pychoral_raised != NULL
               ? found : make_missing((PychoralTable *)(uintptr_t)dict, key);
}

const void *pychoral_dict_look(const PychoralTable *dict, const void *key)
{
    if (dict->object.type->key->kind > PYCHORAL_BYTES)
        return pychoral_dict_find(dict, key_ref(dict, key));
    const void *found = pychoral_table_find(dict, key);
    return found != NULL ? found
                         : make_missing((PychoralTable *)(uintptr_t)dict, key_ref(dict, key));
}

void pychoral_dict_item(const PychoralTable *dict, const void *key, void *result)
{
    const PychoralType *element = dict->object.type->element;
    const void *found = pychoral_dict_look(dict, key);
    if (found == NULL)
        memset(result, 0, element->size);
    else
        pychoral_assign(element, result, found);
}

void pychoral_dict_put(PychoralTable *dict, const void *key, const void *value)
{
    pychoral_table_insert(dict, key_ref(dict, key), value_ref(dict, value));
}

void pychoral_dict_delete(PychoralTable *dict, PychoralRef key)
{
    if (!pychoral_table_take(dict, key, NULL, NULL) && pychoral_raised == NULL &&
        !pychoral_is_counter(dict))
        pychoral_throw_key(key.type, key.value);
}

bool pychoral_table_contains(const PychoralTable *table, PychoralRef key)
{
    return pychoral_table_lookup(table, key) != NULL;
}

void pychoral_dict_get(const PychoralTable *dict, PychoralRef key, PychoralRef missing,
                       const PychoralType *row, void *result)
{
    const void *found = pychoral_table_lookup(dict, key);
    give(found == NULL ? missing : value_ref(dict, found), row, result);
}

void pychoral_dict_pop(PychoralTable *dict, PychoralRef key, PychoralRef missing,
                       const PychoralType *row, void *result)
{
    const void *found = dict->count == 0 ? NULL : pychoral_table_lookup(dict, key);
    if (found == NULL && pychoral_raised == NULL && missing.type == NULL)
        pychoral_throw_key(key.type, key.value);
    give(found == NULL ? missing : value_ref(dict, found), row, result);
    if (found != NULL) {
        char *entry = (char *)(uintptr_t)found - dict->value_offset;
        pychoral_table_remove_at(dict, entry + PYCHORAL_KEY_OFFSET);
    }
}

void pychoral_dict_popitem(PychoralTable *dict, const PychoralType *row, void *result)
{
    int64_t position = dict->used;
    void *key, *value;
    memset(result, 0, row->size);
    if (!pychoral_table_before(dict, &position, &key, &value)) {
        pychoral_throw(&pychoral_type_KeyError, "popitem(): dictionary is empty");
        return;
    }
    give(key_ref(dict, key), row->fields[0].type, (char *)result + row->fields[0].offset);
    give(value_ref(dict, value), row->fields[1].type, (char *)result + row->fields[1].offset);
    pychoral_table_remove_at(dict, key);
}

void pychoral_dict_setdefault(PychoralTable *dict, PychoralRef key, PychoralRef missing,
                              const PychoralType *row, void *result)
{
    const void *found = pychoral_table_lookup(dict, key);
    give(found == NULL ? missing : value_ref(dict, found), row, result);
    if (found == NULL && pychoral_raised == NULL)
        pychoral_table_insert(dict, key, missing);
}

// ---- many ----

static void update_by_table(PychoralTable *dict, const PychoralTable *other)
{
    void *key, *value;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(other, &position, &key, &value);)
        pychoral_table_insert(dict, key_ref(other, key), value_ref(other, value));
}

// An item of a sequence of pairs.
static void update_by_pair(PychoralTable *dict, PychoralRef pair, size_t place)
{
    PychoralRef seen = pychoral_as_tuple(pychoral_look(pair.type, pair.value), "__iter__");
    if (seen.type->kind != PYCHORAL_LIST && !pychoral_is_tuple(seen.type)) {
        pychoral_throw(&pychoral_type_TypeError,
                       "cannot convert dictionary update sequence element #%zu to a sequence",
                       place);
        return;
    }
    PychoralItems items = pychoral_items(seen);
    PychoralInt rooms[2];
    if (items.count == 2)
        pychoral_table_insert(dict, pychoral_item_ref(&items, 0, &rooms[0]),
                              pychoral_item_ref(&items, 1, &rooms[1]));
    else
        pychoral_throw(&pychoral_type_ValueError,
                       "dictionary update sequence element #%zu has length %zu; 2 is required",
                       place, items.count);
}

static void update_by_pairs(PychoralTable *dict, PychoralRef pairs)
{
    PychoralIterator *iterator = pychoral_iter(&pychoral_type_object, pairs);
    PychoralAny pair;
    if (iterator == NULL)
        return;
    for (size_t i = 0; pychoral_raised == NULL && pychoral_next_item(iterator, &pair); i++) {
        update_by_pair(dict, (PychoralRef){&pychoral_type_object, &pair}, i);
        pychoral_release(&pychoral_type_object, &pair);
    }
    pychoral_iterator_drop(iterator);
}

void pychoral_dict_update(PychoralTable *dict, PychoralRef other)
{
    PychoralRef seen = pychoral_look(other.type, other.value);
    if (pychoral_is_counter(dict))
        pychoral_counter_update(dict, other, 0, NULL);
    else if (seen.type->kind != PYCHORAL_DICT)
        update_by_pairs(dict, seen);
    else if (pychoral_pointer_at(seen.value) != dict)
        update_by_table(dict, pychoral_pointer_at(seen.value));
}

void pychoral_dict_update_named(PychoralTable *dict, PychoralRef other, size_t count,
                                const PychoralNamed *named)
{
    if (pychoral_is_counter(dict)) {
        pychoral_counter_update(dict, other.type != NULL ? other : PYCHORAL_NONE_REF, count, named);
        return;
    }
    if (other.type != NULL)
        pychoral_dict_update(dict, other);
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++) {
        PychoralStr *name = pychoral_str_new(named[i].name, strlen(named[i].name));
        if (name == NULL)
            pychoral_no_memory();
        pychoral_table_insert(dict, PYCHORAL_REF(pychoral_type_str, name), named[i].value);
        pychoral_release(&pychoral_type_str, &name);
    }
}

PychoralTable *pychoral_dict_from(PychoralRef iterable, const PychoralType *row)
{
    PychoralTable *dict = pychoral_table_make(row, 0);
    pychoral_dict_update(dict, iterable);
    return pychoral_unless_raised(dict);
}

PychoralTable *pychoral_dict_fromkeys(PychoralRef iterable, PychoralRef value,
                                      const PychoralType *row)
{
    PychoralIterator *keys = pychoral_iter(row->key, iterable);
    if (keys == NULL)
        return NULL;
    PychoralTable *dict = pychoral_table_make(row, 0);
    void *key = pychoral_allocate(row->key->size);
    while (pychoral_raised == NULL && pychoral_next_item(keys, key)) {
        pychoral_table_insert(dict, key_ref(dict, key), value);
        pychoral_release(row->key, key);
    }
    free(key);
    pychoral_iterator_drop(keys);
    return pychoral_unless_raised(dict);
}

// Of two dicts the first that is a defaultdict says what their union is.
static void keep_factory(PychoralTable *dict, PychoralRef from)
{
    const PychoralTable *other = from.type->kind == PYCHORAL_DICT
                                     ? pychoral_pointer_at(from.value) : NULL;
    if (other != NULL && other->factory != NULL && !pychoral_is_counter(other))
        pychoral_assign_factory(dict, other);
}

PychoralTable *pychoral_dict_or(PychoralRef a, PychoralRef b, const PychoralType *row)
{
    PychoralTable *dict = pychoral_counter_or(a, b, row);
    if (dict != NULL || pychoral_raised != NULL)
        return dict;
    dict = pychoral_table_make(row, 0);
    keep_factory(dict, pychoral_look(b.type, b.value));
    keep_factory(dict, pychoral_look(a.type, a.value));
    pychoral_dict_update(dict, a);
    if (pychoral_raised == NULL)
        pychoral_dict_update(dict, b);
    return pychoral_unless_raised(dict);
}

static PychoralTable *copy_of_set(const PychoralTable *set)
{
    const PychoralType *type = set->object.type;
    PychoralTable *copy = (PychoralTable *)(uintptr_t)set;
    if (type->kind == PYCHORAL_SET)
        copy = pychoral_table_clone(set, type);
    else
        pychoral_retain(type, &copy);
    if (copy == NULL)
        pychoral_no_memory();
    return copy;
}

PychoralTable *pychoral_table_copy(const PychoralTable *table)
{
    const PychoralType *type = table->object.type;
    if (type->kind != PYCHORAL_DICT)
        return copy_of_set(table);
    PychoralTable *copy = pychoral_table_make(type, table->count);
    pychoral_assign_factory(copy, table);
    void *key, *value;
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(table, &position, &key, &value);)
        pychoral_table_insert(copy, (PychoralRef){pychoral_key_row(type), key},
                              (PychoralRef){type->element, value});
    return copy;
}

void pychoral_dict_clear(PychoralTable *dict) { pychoral_table_clear(dict); }

// ---- values and pairs ----

typedef struct DictWalk {
    PychoralAny over;
    uint32_t position, count;
    const char *view;           // "dict_keys": it is that view, and an iterator over it at once
} DictWalk;

static const PychoralField WALK_FIELDS[] = {
    {.type = &pychoral_type_object, .offset = offsetof(DictWalk, over)}};
static const PychoralType WALK = {.kind = PYCHORAL_TUPLE, .size = sizeof(DictWalk), .count = 1,
                                  .fields = WALK_FIELDS, .name = "dict_iterator"};

static bool next_entry(PychoralIterator *self, void **key, void **value)
{
    DictWalk *walk = (DictWalk *)self->cells;
    if (walk->over.type == NULL)
        return false;
    const PychoralTable *dict = walk->over.pointer;
    if (walk->count != dict->count) {
        pychoral_throw(&pychoral_type_RuntimeError, "dictionary changed size during iteration");
        return false;
    }
    if (pychoral_table_next(dict, &walk->position, key, value))
        return true;
    PychoralAny over = walk->over;
    walk->over = (PychoralAny){.type = NULL};
    pychoral_release(&pychoral_type_object, &over);
    return false;
}

static const PychoralTable *dict_of(PychoralIterator *self)
{
    return ((DictWalk *)self->cells)->over.pointer;
}

static bool next_key(PychoralIterator *self, void *item)
{
    void *key, *value;
    if (!next_entry(self, &key, &value))
        return false;
    give(key_ref(dict_of(self), key), pychoral_item_row(self), item);
    return pychoral_raised == NULL;
}

static bool next_value(PychoralIterator *self, void *item)
{
    void *key, *value;
    if (!next_entry(self, &key, &value))
        return false;
    give(value_ref(dict_of(self), value), pychoral_item_row(self), item);
    return pychoral_raised == NULL;
}

// Into a pair, or what else the iterator gives.
static bool next_pair(PychoralIterator *self, void *item)
{
    void *key, *value;
    const PychoralType *row = pychoral_item_row(self);
    if (!next_entry(self, &key, &value))
        return false;
    const PychoralTable *dict = dict_of(self);
    if (row->kind == PYCHORAL_TUPLE && row->count == 2) {
        memset(item, 0, row->size);
        give(key_ref(dict, key), row->fields[0].type, (char *)item + row->fields[0].offset);
        give(value_ref(dict, value), row->fields[1].type, (char *)item + row->fields[1].offset);
        return pychoral_raised == NULL;
    }
    PychoralAny pair[2] = {pychoral_any(dict->object.type->key, key),
                           pychoral_any(dict->object.type->element, value)};
    static const PychoralField PAIR_FIELDS[] = {
        {.type = &pychoral_type_object},
        {.type = &pychoral_type_object, .offset = sizeof(PychoralAny)}};
    static const PychoralType PAIR = {.kind = PYCHORAL_TUPLE, .size = sizeof pair, .count = 2,
                                      .fields = PAIR_FIELDS, .name = "tuple[object, object]"};
    give((PychoralRef){&PAIR, pair}, row, item);
    pychoral_release(&PAIR, pair);
    return pychoral_raised == NULL;
}

static PychoralIterator *walk_along(const PychoralTable *dict, const PychoralType *row,
                                    bool (*next)(PychoralIterator *self, void *item),
                                    const char *view)
{
    PychoralIterator *iterator = pychoral_iterator_new(row, &WALK, next);
    DictWalk *walk = (DictWalk *)iterator->cells;
    walk->over = pychoral_any(dict->object.type, &dict);
    walk->count = dict->count;
    walk->view = view;
    return iterator;
}

const PychoralTable *pychoral_view_of(const PychoralIterator *iterator, const char **name)
{
    const DictWalk *walk = (const DictWalk *)iterator->cells;
    if (iterator->held != &WALK || walk->view == NULL || walk->over.type == NULL)
        return NULL;
    *name = walk->view;
    return walk->over.pointer;
}

PychoralIterator *pychoral_view_iter(const PychoralIterator *view, const PychoralType *row)
{
    const char *name;
    const PychoralTable *dict = pychoral_view_of(view, &name);
    return dict != NULL ? walk_along(dict, row, view->next, NULL) : NULL;
}

PychoralIterator *pychoral_dict_keys(const PychoralTable *dict, const PychoralType *row)
{
    return walk_along(dict, row, next_key, "dict_keys");
}

PychoralIterator *pychoral_dict_values(const PychoralTable *dict, const PychoralType *row)
{
    return walk_along(dict, row, next_value, "dict_values");
}

PychoralIterator *pychoral_dict_items(const PychoralTable *dict, const PychoralType *row)
{
    return walk_along(dict, row, next_pair, "dict_items");
}
