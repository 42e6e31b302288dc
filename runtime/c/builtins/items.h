// items.h - the items of tuples and lists by place, and the entries of tables, with their rows.

#ifndef PYCHORAL_ITEMS_H
#define PYCHORAL_ITEMS_H

#include "object.h"
#include "plain.h"

// The items of what pychoral_look has seen: a TUPLE, LIST or SEQUENCE.
static inline PychoralItems pychoral_items(PychoralRef seen)
{
    return pychoral_items_of((PychoralPlain){seen.type, seen.value});
}

// Item `index` as it stands; a narrow one is put into `*room`.
static inline PychoralRef pychoral_item_ref(const PychoralItems *items, size_t index,
                                            PychoralInt *room)
{
    const PychoralType *type = items->tuple.type;
    if (items->list == NULL) {
        const PychoralField *field = &type->fields[index];
        return (PychoralRef){field->type, (const char *)items->tuple.value + field->offset};
    }
    if (items->list->narrow) {
        *room = pychoral_int(((const int64_t *)items->list->items)[index]);
        return (PychoralRef){&pychoral_type_int, room};
    }
    const PychoralType *element = items->list->object.type->element;
    return (PychoralRef){element, (const char *)items->list->items + index * element->size};
}

// The list or table that was made, or NULL if something was raised meanwhile.
static inline void *pychoral_unless_raised(void *made)
{
    PychoralObject *object = made;
    if (pychoral_raised == NULL)
        return made;
    pychoral_release(object->type, &object);
    return NULL;
}

static inline const PychoralType *pychoral_key_row(const PychoralType *table)
{
    return table->kind == PYCHORAL_DICT ? table->key : table->element;
}

static inline bool pychoral_is_tuple(const PychoralType *type)
{
    return type->kind == PYCHORAL_TUPLE || type->kind == PYCHORAL_SEQUENCE;
}

static inline bool pychoral_is_set(const PychoralType *type)
{
    return type->kind == PYCHORAL_SET || type->kind == PYCHORAL_FROZENSET;
}

#endif
