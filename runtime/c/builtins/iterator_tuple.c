// iterator_tuple.c - what iterators hold that are made of other iterators; contracts in
// iterator_tuple.h.

#include "iterator_tuple.h"

#include <stdlib.h>
#include <string.h>

#include "list.h"

const PychoralType pychoral_type_several = {
    .kind = PYCHORAL_SEQUENCE, .size = sizeof(PychoralList *), .name = "tuple[iterator, ...]",
    .element = &pychoral_type_iterator};
const PychoralType pychoral_type_pool = {.kind = PYCHORAL_LIST, .size = sizeof(PychoralList *),
                                         .name = "list[object]", .element = &pychoral_type_object};
const PychoralType pychoral_type_function = {
    .kind = PYCHORAL_FUNCTION, .size = sizeof(PychoralFunction *), .name = "function"};

void *pychoral_slot_open(PychoralSlot *slot, const PychoralType *row)
{
    slot->row = row;
    slot->item = row->size <= sizeof slot->small ? slot->small : pychoral_allocate(row->size);
    return slot->item;
}

void pychoral_slot_close(PychoralSlot *slot)
{
    if (slot->item != slot->small)
        free(slot->item);
}

bool pychoral_give(PychoralRef value, const PychoralType *row, void *to)
{
    pychoral_convert(value.type, value.value, row, to);
    return pychoral_raised == NULL;
}

bool pychoral_next_as(PychoralIterator *iterator, const PychoralType *row, void *item)
{
    const PychoralType *own = pychoral_item_row(iterator);
    PychoralSlot slot;
    if (pychoral_same_type(own, row))
        return pychoral_next_item(iterator, item);
    bool given = pychoral_next_item(iterator, pychoral_slot_open(&slot, own));
    if (given) {
        given = pychoral_give((PychoralRef){own, slot.item}, row, item);
        pychoral_release(own, slot.item);
    }
    pychoral_slot_close(&slot);
    return given;
}

PychoralIterator *pychoral_keep_iterator(PychoralIterator *iterator)
{
    pychoral_retain(&pychoral_type_iterator, &iterator);
    return iterator;
}

PychoralFunction *pychoral_keep_function(PychoralFunction *function)
{
    if (function != NULL)
        pychoral_retain(&pychoral_type_function, &function);
    return function;
}

PychoralList *pychoral_iterator_tuple(size_t count, PychoralIterator *const *iterators)
{
    PychoralList *several = pychoral_list_make(&pychoral_type_several, count);
    for (size_t i = 0; i < count; i++)
        pychoral_list_push(several, &iterators[i]);
    return several;
}

void pychoral_iterator_tuple_add(PychoralList *several, PychoralRef iterables,
                                 const PychoralType *item)
{
    PychoralIterator *all = pychoral_iter(&pychoral_type_object, iterables);
    PychoralAny one;
    while (all != NULL && pychoral_raised == NULL && pychoral_next_item(all, &one)) {
        PychoralRef ref = {&pychoral_type_object, &one};
        PychoralIterator *iterator = pychoral_iter(item, ref);
        if (iterator != NULL)
            pychoral_list_take(several, &iterator);
        pychoral_release(&pychoral_type_object, &one);
    }
    if (all != NULL)
        pychoral_iterator_drop(all);
}

PychoralList *pychoral_refs_of(const PychoralList *items)
{
    static const PychoralType REF = {
        .kind = PYCHORAL_NONE, .size = sizeof(PychoralRef), .name = "ref"};
    static const PychoralType REFS = {.kind = PYCHORAL_LIST, .size = sizeof(PychoralList *),
                                      .name = "list[ref]", .element = &REF};
    PychoralList *refs = pychoral_list_make(&REFS, items->count);
    for (size_t i = 0; i < items->count; i++) {
        PychoralRef ref = {&pychoral_type_object, (const PychoralAny *)items->items + i};
        pychoral_list_take(refs, &ref);
    }
    return refs;
}

static bool fill_fields(const PychoralType *row, size_t count, const PychoralRef *values,
                        char *tuple)
{
    memset(tuple, 0, row->size);
    for (size_t i = 0; i < count; i++) {
        if (pychoral_give(values[i], row->fields[i].type, tuple + row->fields[i].offset))
            continue;
        pychoral_release(row, tuple);
        memset(tuple, 0, row->size);
        return false;
    }
    return true;
}

bool pychoral_tuple_fill(const PychoralType *row, size_t count, const PychoralRef *values,
                         void *tuple)
{
    if (row->kind == PYCHORAL_TUPLE && row->count == count)
        return fill_fields(row, count, values, tuple);
    if (row->kind != PYCHORAL_SEQUENCE) {
        memset(tuple, 0, row->size);
        pychoral_throw(&pychoral_type_TypeError, "expected %s, got tuple", row->name);
        return false;
    }
    PychoralList *list = pychoral_list_make(row, count);
    PychoralSlot slot;
    pychoral_slot_open(&slot, row->element);
    for (size_t i = 0; i < count && pychoral_raised == NULL; i++)
        if (pychoral_give(values[i], row->element, slot.item))
            pychoral_list_take(list, slot.item);
    pychoral_slot_close(&slot);
    if (pychoral_raised != NULL) {
        pychoral_release(row, &list);
        list = NULL;
    }
    memcpy(tuple, &list, sizeof list);
    return list != NULL;
}
