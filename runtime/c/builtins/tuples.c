// tuples.c - tuples of kind TUPLE, whose items have rows of their own; contracts in list.h.

#include <string.h>

#include "call.h"
#include "items.h"
#include "list.h"
#include "wire.h"

static PychoralItems items_of(PychoralRef tuple)
{
    return pychoral_items(pychoral_as_tuple(pychoral_look(tuple.type, tuple.value), NULL));
}

size_t pychoral_tuple_place(int64_t index, size_t count)
{
    if (index < 0)
        index += (int64_t)count;
    if ((uint64_t)index < count)
        return (size_t)index;
    if (pychoral_raised == NULL)                // the index is no int of 64 bits
        pychoral_throw(&pychoral_type_IndexError, "tuple index out of range");
    return 0;
}

void pychoral_tuple_item_at(PychoralRef tuple, int64_t index, const PychoralType *row,
                            void *result)
{
    PychoralItems items = items_of(tuple);
    PychoralInt room;
    memset(result, 0, row->size);
    size_t place = pychoral_tuple_place(index, items.count);
    if (pychoral_raised != NULL)
        return;
    PychoralRef item = pychoral_item_ref(&items, place, &room);
    pychoral_convert(item.type, item.value, row, result);
}

// The tuple as a list of `row`.
static PychoralList *list_of(PychoralRef tuple, const PychoralType *row)
{
    return pychoral_list_from(pychoral_as_tuple(pychoral_look(tuple.type, tuple.value), NULL), row);
}

PychoralList *pychoral_tuple_slice(PychoralRef tuple, int64_t start, int64_t stop, int64_t step,
                                   const PychoralType *row)
{
    PychoralList *list = list_of(tuple, row);
    if (list == NULL)
        return NULL;
    PychoralList *slice = pychoral_list_slice(list, start, stop, step);
    pychoral_release(row, &list);
    return slice;
}

PychoralList *pychoral_tuple_repeat(PychoralRef tuple, int64_t times, const PychoralType *row)
{
    PychoralList *list = list_of(tuple, row);
    if (list == NULL)
        return NULL;
    PychoralList *repeated = pychoral_list_repeat(list, times);
    pychoral_release(row, &list);
    return repeated;
}

// The first item from `start` on, before `stop`, that is equal; SIZE_MAX: none, or raised.
static size_t find(const PychoralItems *items, PychoralRef value, size_t start, size_t stop)
{
    for (size_t i = start; i < stop; i++) {
        PychoralInt room;
        PychoralRef item = pychoral_item_ref(items, i, &room);
        if (pychoral_equal_keys(item.type, item.value, value.type, value.value, false))
            return i;
        if (pychoral_raised != NULL)
            break;
    }
    return SIZE_MAX;
}

int64_t pychoral_tuple_index(PychoralRef tuple, PychoralRef value, int64_t start, int64_t stop)
{
    PychoralItems items = items_of(tuple);
    pychoral_slice_bounds((int64_t)items.count, &start, &stop, 1);
    size_t place = find(&items, value, (size_t)start, (size_t)stop);
    if (place == SIZE_MAX && pychoral_raised == NULL)
        pychoral_throw(&pychoral_type_ValueError, "tuple.index(x): x not in tuple");
    return place == SIZE_MAX ? 0 : (int64_t)place;
}

int64_t pychoral_tuple_count_of(PychoralRef tuple, PychoralRef value)
{
    PychoralItems items = items_of(tuple);
    int64_t count = 0;
    for (size_t i = find(&items, value, 0, items.count); i != SIZE_MAX && pychoral_raised == NULL;
         i = find(&items, value, i + 1, items.count))
        count++;
    return pychoral_raised != NULL ? 0 : count;
}

bool pychoral_tuple_contains(PychoralRef tuple, PychoralRef value)
{
    PychoralItems items = items_of(tuple);
    return find(&items, value, 0, items.count) != SIZE_MAX;
}
