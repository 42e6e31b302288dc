// list.h - Python's list, and tuple[T, ...], which has the same layout.
//
// A list of ints is `narrow` (64 bits each) until an item does not fit. The inline functions are
// for lists whose element's kind the compiler knows: one look at the bounds, one at the layout.
// What they hand to others is a copy, so that their arguments may stay in registers.
// Indices are Python's: negative ones count from the end. In slices a missing start is 0, a missing
// stop INT64_MAX; with a negative step INT64_MAX and INT64_MIN.

#ifndef PYCHORAL_LIST_H
#define PYCHORAL_LIST_H

#include <string.h>

#include "object.h"

// ---- places ----

// Raise IndexError.
void pychoral_list_no_index(const PychoralList *list);
void pychoral_list_no_place(const PychoralList *list);

// Where item `index` is. False: raised.
PYCHORAL_HOT bool pychoral_list_place(const PychoralList *list, int64_t index, size_t *place)
{
    if (PYCHORAL_UNLIKELY((uint64_t)index >= list->count)) {
        if (PYCHORAL_UNLIKELY(index >= 0 || (index += (int64_t)list->count) < 0)) {
            pychoral_list_no_index(list);
            return false;
        }
    }
    *place = (size_t)index;
    PYCHORAL_NOTHING_RAISED();
    return true;
}

PYCHORAL_HOT int64_t pychoral_list_len(const PychoralList *list) { return (int64_t)list->count; }

// Whether nobody else reads the items, so that they may be written.
PYCHORAL_HOT bool pychoral_list_is_own(const PychoralList *list)
{
    PychoralBuffer *buffer = list->buffer;
    return buffer == NULL ||
           (atomic_load_explicit(&buffer->refs, memory_order_acquire) == 1 && buffer->free == NULL);
}

// ---- items ----

// Item `index` of any list, in the element's row: owned, at `result`. Raises IndexError.
void pychoral_list_item(const PychoralList *list, int64_t index, void *result);

// Replaces item `index` by another reference to the value at `item`. Raises IndexError.
void pychoral_list_put(PychoralList *list, int64_t index, const void *item);

// Appends another reference to the value at `item`.
void pychoral_list_push(PychoralList *list, const void *item);

// list.pop(index): owned, at `result`. Raises IndexError.
void pychoral_list_pop(PychoralList *list, int64_t index, void *result);

// Makes room for one more item, in memory that nobody else reads.
void pychoral_list_more(PychoralList *list);

// What is behind the next function: indices from the end, items that are no numbers of 64 bits.
PychoralInt pychoral_list_any_int_at(const PychoralList *list, int64_t index);

// list[index] of an int. Raises IndexError.
PYCHORAL_HOT PychoralInt pychoral_list_int_at(const PychoralList *list, int64_t index)
{
    if (PYCHORAL_UNLIKELY((uint64_t)index >= list->count || !list->narrow))
        return pychoral_list_any_int_at(list, index);
    PYCHORAL_NOTHING_RAISED();
    return pychoral_int(((const int64_t *)list->items)[index]);
}

// An item that is there: borrowed.
PYCHORAL_HOT PychoralInt pychoral_list_known_int(const PychoralList *list, size_t index)
{
    return list->narrow ? pychoral_int(((const int64_t *)list->items)[index])
                        : ((const PychoralInt *)list->items)[index];
}

PYCHORAL_HOT void *pychoral_list_known_pointer(const PychoralList *list, size_t index)
{
    return ((void *const *)list->items)[index];
}

PYCHORAL_HOT void pychoral_list_int_put(PychoralList *list, int64_t index, PychoralInt item)
{
    if (!PYCHORAL_UNLIKELY((uint64_t)index >= list->count || !list->narrow || item.big != NULL ||
                           !pychoral_list_is_own(list)))
        ((int64_t *)list->items)[index] = item.small;
    else
        pychoral_list_put(list, index, &(PychoralInt){item.small, item.big});
}

PYCHORAL_HOT void pychoral_list_int_push(PychoralList *list, PychoralInt item)
{
    if (PYCHORAL_UNLIKELY(!list->narrow || item.big != NULL)) {
        pychoral_list_push(list, &(PychoralInt){item.small, item.big});
        return;
    }
    if (PYCHORAL_UNLIKELY(list->count == list->capacity || !pychoral_list_is_own(list)))
        pychoral_list_more(list);
    ((int64_t *)list->items)[list->count++] = item.small;
}

// The same for floats, bools and pointers: list[index], list[index] = item, list.append(item). What
// `pointer_at` gives is owned; items that are put, pushed or `known` (to be there) are borrowed.
#define PYCHORAL_LIST_OF(name, Type)                                                              \
    PYCHORAL_HOT Type pychoral_list_known_##name(const PychoralList *list, size_t index)          \
    {                                                                                             \
        return ((const Type *)list->items)[index];                                                \
    }                                                                                             \
    PYCHORAL_HOT Type pychoral_list_##name##_at(const PychoralList *list, int64_t index)          \
    {                                                                                             \
        size_t place;                                                                             \
        return pychoral_list_place(list, index, &place) ? ((const Type *)list->items)[place]      \
                                                        : (Type)0;                                \
    }                                                                                             \
    PYCHORAL_HOT void pychoral_list_##name##_put(PychoralList *list, int64_t index, Type item)    \
    {                                                                                             \
        if (!PYCHORAL_UNLIKELY((uint64_t)index >= list->count || !pychoral_list_is_own(list)))    \
            ((Type *)list->items)[index] = item;                                                  \
        else                                                                                      \
            pychoral_list_put(list, index, &(Type){item});                                        \
    }                                                                                             \
    PYCHORAL_HOT void pychoral_list_##name##_push(PychoralList *list, Type item)                  \
    {                                                                                             \
        if (PYCHORAL_UNLIKELY(list->count == list->capacity || !pychoral_list_is_own(list)))      \
            pychoral_list_more(list);                                                             \
        ((Type *)list->items)[list->count++] = item;                                              \
    }

PYCHORAL_LIST_OF(float, double)
PYCHORAL_LIST_OF(bool, bool)

// An item behind a pointer (str, list, dict, object ...).
PYCHORAL_HOT void *pychoral_list_pointer_at(const PychoralList *list, int64_t index)
{
    size_t place;
    if (!pychoral_list_place(list, index, &place))
        return NULL;
    PychoralHead *head = ((PychoralHead *const *)list->items)[place];
    if (head->refs != PYCHORAL_IMMORTAL)
        head->refs++;
    return head;
}

PYCHORAL_HOT void pychoral_list_pointer_push(PychoralList *list, void *item)
{
    if (PYCHORAL_UNLIKELY(list->count == list->capacity || !pychoral_list_is_own(list))) {
        pychoral_list_push(list, &(void *){item});
        return;
    }
    ((void **)list->items)[list->count++] = item;
    PychoralHead *head = item;
    if (head->refs != PYCHORAL_IMMORTAL)
        head->refs++;
}

// Where one more item goes, which is counted already. Not of lists of ints.
PYCHORAL_HOT void *pychoral_list_spot(PychoralList *list, size_t size)
{
    if (PYCHORAL_UNLIKELY(list->count == list->capacity || !pychoral_list_is_own(list)))
        pychoral_list_more(list);
    return (char *)list->items + list->count++ * size;
}

// The item where it stands, borrowed until the list is changed; NULL: raised IndexError. Not of
// lists of ints.
PYCHORAL_HOT const void *pychoral_list_look(const PychoralList *list, int64_t index, size_t size)
{
    size_t place;
    return pychoral_list_place(list, index, &place) ? (const char *)list->items + place * size
                                                    : NULL;
}

// ---- list, with Python's methods ----

// An empty list or tuple of `row`.
PychoralList *pychoral_list_empty(const PychoralType *row);

// list(iterable), tuple(iterable): a list or tuple of `row`. Raises what iterating raises.
PychoralList *pychoral_list_from(PychoralRef iterable, const PychoralType *row);

PychoralList *pychoral_list_copy(const PychoralList *list);
void pychoral_list_extend(PychoralList *list, PychoralRef iterable);
int64_t pychoral_list_index(const PychoralList *list, PychoralRef value, int64_t start,
                            int64_t stop);
int64_t pychoral_list_count(const PychoralList *list, PychoralRef value);
bool pychoral_list_contains(const PychoralList *list, PychoralRef value);
void pychoral_list_insert(PychoralList *list, int64_t index, const void *item);
void pychoral_list_remove(PychoralList *list, PychoralRef value);
void pychoral_list_clear(PychoralList *list);
void pychoral_list_reverse(PychoralList *list);

// Stable. `key`: NULL for the items themselves. Raises what comparing raises, and ValueError if
// the list is changed meanwhile.
void pychoral_list_sort(PychoralList *list, PychoralFunction *key, bool reverse);

// sorted(iterable)
PychoralList *pychoral_sorted(PychoralRef iterable, PychoralFunction *key, bool reverse,
                              const PychoralType *row);

void pychoral_list_delete(PychoralList *list, int64_t index);

// Slices: read, written, deleted. Raise ValueError.
PychoralList *pychoral_list_slice(const PychoralList *list, int64_t start, int64_t stop,
                                  int64_t step);
void pychoral_list_put_slice(PychoralList *list, int64_t start, int64_t stop, int64_t step,
                             PychoralRef iterable);
void pychoral_list_delete_slice(PychoralList *list, int64_t start, int64_t stop, int64_t step);

// a + b, as `row`. Of tuples, too, which may be of kind TUPLE.
PychoralList *pychoral_list_add(PychoralRef a, PychoralRef b, const PychoralType *row);

// list * times, and list *= times. Raise MemoryError.
PychoralList *pychoral_list_repeat(const PychoralList *list, int64_t times);
void pychoral_list_repeat_in_place(PychoralList *list, int64_t times);

// ---- tuples of kind TUPLE ----

// t[index] for an index that is not known: as `row`. Raises IndexError.
// Where an item stands in a tuple of `count`. Raises IndexError, unless something was raised.
size_t pychoral_tuple_place(int64_t index, size_t count);

void pychoral_tuple_item_at(PychoralRef tuple, int64_t index, const PychoralType *row,
                            void *result);

// t[start:stop:step] and t * times, as a SEQUENCE of `row`; of kind SEQUENCE, too. Raise.
PychoralList *pychoral_tuple_slice(PychoralRef tuple, int64_t start, int64_t stop, int64_t step,
                                   const PychoralType *row);
PychoralList *pychoral_tuple_repeat(PychoralRef tuple, int64_t times, const PychoralType *row);
int64_t pychoral_tuple_index(PychoralRef tuple, PychoralRef value, int64_t start, int64_t stop);
int64_t pychoral_tuple_count_of(PychoralRef tuple, PychoralRef value);
bool pychoral_tuple_contains(PychoralRef tuple, PychoralRef value);

// ---- for the other files about containers ----

// Clips the bounds of a slice; how many items it has.
size_t pychoral_slice_bounds(int64_t count, int64_t *start, int64_t *stop, int64_t step);

// Appends an item that it takes over.
void pychoral_list_take(PychoralList *list, void *item);

// A list with room.
PychoralList *pychoral_list_make(const PychoralType *row, size_t capacity);

#endif
