// tables.c - what dict, set and frozenset share; contracts in tables.h.

#include "tables.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "items.h"

PychoralTable *pychoral_table_make(const PychoralType *row, size_t capacity)
{
    PychoralTable *table = pychoral_table_new(row, capacity);
    if (table == NULL)
        pychoral_no_memory();
    return table;
}

void pychoral_assign_factory(PychoralTable *to, const PychoralTable *from)
{
    PychoralFunction *old = to->factory;
    to->factory = from->factory;
    if (to->factory != NULL)
        pychoral_retain(&pychoral_type_any_function, &to->factory);
    if (old != NULL)
        pychoral_release(&pychoral_type_any_function, &old);
}

// ---- what cannot be a key ----

static bool refuse(PychoralRef seen)
{
    pychoral_throw(&pychoral_type_TypeError, "unhashable type: '%s'", pychoral_type_name(seen));
    return false;
}

static bool are_hashable(PychoralRef seen)
{
    PychoralItems items = pychoral_items(seen);
    for (size_t i = 0; i < items.count; i++) {
        PychoralInt room;
        if (!pychoral_is_hashable(pychoral_item_ref(&items, i, &room)))
            return false;
    }
    return true;
}

static bool has_hashable_fields(PychoralRef seen)
{
    bool refused;
    PychoralSource source = pychoral_source_of_hash(seen.type, &refused);
    const char *object = pychoral_pointer_at(seen.value);
    for (uint32_t i = 0; source.made != NULL && i < source.made->count; i++) {
        const PychoralField *field = &seen.type->fields[i];
        if (!field->ignored &&
            !pychoral_is_hashable((PychoralRef){field->type, object + field->offset}))
            return false;
    }
    return refused ? refuse(seen) : true;
}

bool pychoral_is_hashable(PychoralRef value)
{
    PychoralRef seen = pychoral_look(value.type, value.value);
    switch (seen.type->kind) {
    case PYCHORAL_LIST:
    case PYCHORAL_DICT:
    case PYCHORAL_SET:
    case PYCHORAL_NDARRAY: return refuse(seen);
    case PYCHORAL_TUPLE:
    case PYCHORAL_SEQUENCE: return are_hashable(seen);
    case PYCHORAL_DATACLASS: return has_hashable_fields(seen);
    default: return true;
    }
}

// ---- in and out ----

static void judge(PychoralPut put, PychoralRef key)
{
    if (put == PYCHORAL_PUT_MEMORY)
        pychoral_no_memory();
    if (put == PYCHORAL_PUT_UNHASHABLE && pychoral_raised == NULL)
        pychoral_is_hashable(key);
}

static void insert_converted(PychoralTable *table, PychoralRef key, PychoralRef value)
{
    const PychoralType *type = table->object.type, *row = pychoral_key_row(type);
    bool is_dict = type->kind == PYCHORAL_DICT;
    size_t offset = ((size_t)row->size + 15) / 16 * 16;
    _Alignas(16) char small[96] = {0};
    size_t size = offset + (is_dict ? type->element->size : 0);
    char *room = size <= sizeof small ? small : pychoral_allocate_zeroed(1, size);
    pychoral_convert(key.type, key.value, row, room);
    if (pychoral_raised == NULL && is_dict)
        pychoral_convert(value.type, value.value, type->element, room + offset);
    if (pychoral_raised != NULL) {
        pychoral_release(row, room);
    } else {
        PychoralPut put = pychoral_table_put(table, room, is_dict ? room + offset : NULL);
        if (is_dict && put == PYCHORAL_PUT_UNHASHABLE)
            pychoral_release(type->element, room + offset);
        judge(put, (PychoralRef){row, room});
        if (put != PYCHORAL_PUT_NEW)
            pychoral_release(row, room);
    }
    if (room != small)
        free(room);
}

void pychoral_table_insert(PychoralTable *table, PychoralRef key, PychoralRef value)
{
    const PychoralType *type = table->object.type;
    PychoralPut put;
    bool as_they_are = key.type == pychoral_key_row(type) &&
                       (type->kind != PYCHORAL_DICT || value.type == type->element);
    if (as_they_are && pychoral_table_keep(table, key.value, value.value, &put))
        judge(put, key);
    else
        insert_converted(table, key, value);
}

// A set is looked for in a set as the frozenset that it is equal to.
static PychoralRef as_frozen(const PychoralTable *table, PychoralRef key)
{
    static const PychoralType FROZEN = {.kind = PYCHORAL_FROZENSET, .name = "frozenset",
                                        .size = sizeof(PychoralTable *),
                                        .element = &pychoral_type_object};
    PychoralRef seen = pychoral_look(key.type, key.value);
    return seen.type->kind == PYCHORAL_SET && pychoral_is_set(table->object.type)
               ? (PychoralRef){&FROZEN, seen.value}
               : key;
}

// Apart, since gcc puts the key of all lookups into memory for what is only done here.
static __attribute__((noinline)) void *look_up_any(const PychoralTable *table,
                                                   const PychoralType *row, const void *value)
{
    PychoralRef key = as_frozen(table, (PychoralRef){row, value});
    void *found = pychoral_table_find_of(table, key.type, key.value);
    if (found == NULL && pychoral_raised == NULL)
        pychoral_is_hashable(key);
    return found;
}

void *pychoral_table_lookup(const PychoralTable *table, PychoralRef key)
{
    return key.type->kind <= PYCHORAL_BYTES ? pychoral_table_find_of(table, key.type, key.value)
                                            : look_up_any(table, key.type, key.value);
}

bool pychoral_table_take(PychoralTable *table, PychoralRef key, void *key_to, void *value_to)
{
    const PychoralType *type = table->object.type;
    char *found = pychoral_table_lookup(table, key);
    if (found == NULL)
        return false;
    char *key_at = found;
    if (type->kind == PYCHORAL_DICT)
        key_at = found - table->value_offset + PYCHORAL_KEY_OFFSET;
    if (key_to != NULL)
        pychoral_assign(pychoral_key_row(type), key_to, key_at);
    if (value_to != NULL)
        pychoral_assign(type->element, value_to, found);
    pychoral_table_remove_at(table, key_at);
    return true;
}

bool pychoral_table_take_last(PychoralTable *table, void *key_to, void *value_to)
{
    const PychoralType *type = table->object.type;
    int64_t position = table->used;
    void *key, *value;
    if (!pychoral_table_before(table, &position, &key, &value))
        return false;
    pychoral_assign(pychoral_key_row(type), key_to, key);
    if (value_to != NULL)
        pychoral_assign(type->element, value_to, value);
    pychoral_table_remove_at(table, key);
    return true;
}

// The entries are released as those of another table, so that this one is empty before.
void pychoral_table_clear(PychoralTable *table)
{
    PychoralTable *old = pychoral_table_make(table->object.type, 0);
    PychoralTable content = *table;
    *table = *old;
    table->object = content.object;
    content.object = old->object;
    table->factory = content.factory;
    table->finger = content.finger;
    content.factory = NULL;
    *old = content;
    pychoral_release(old->object.type, &old);
}
