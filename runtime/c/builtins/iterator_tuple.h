// iterator_tuple.h - what iterators hold that are made of other iterators.

#ifndef PYCHORAL_ITERATOR_TUPLE_H
#define PYCHORAL_ITERATOR_TUPLE_H

#include "iterating.h"

// A place for an item in a row, on the stack if it is small.
typedef struct PychoralSlot {
    const PychoralType *row;
    void *item;
    _Alignas(16) char small[64];
} PychoralSlot;

void *pychoral_slot_open(PychoralSlot *slot, const PychoralType *row);
void pychoral_slot_close(PychoralSlot *slot);

// The next item as `row` has it; as pychoral_next_item.
bool pychoral_next_as(PychoralIterator *iterator, const PychoralType *row, void *item);

// A value as another row has it; false: raised.
bool pychoral_give(PychoralRef value, const PychoralType *row, void *to);

// A tuple[Iterator, ...] of iterators, owned.
PychoralList *pychoral_iterator_tuple(size_t count, PychoralIterator *const *iterators);

// Adds an iterator over each item of `iterables`, as `zip(*iterables)` does. Raises.
void pychoral_iterator_tuple_add(PychoralList *several, PychoralRef iterables,
                                 const PychoralType *item);

// The items of a list[object] as a builtin takes any number of arguments: a list of PychoralRefs,
// owned, for as long as `items` stays as it is.
PychoralList *pychoral_refs_of(const PychoralList *items);

static inline PychoralIterator *pychoral_several_at(const PychoralList *several, size_t place)
{
    return ((PychoralIterator **)several->items)[place];
}

extern const PychoralType pychoral_type_several;

// list[object]
extern const PychoralType pychoral_type_pool;

// a + b of numbers, lists, and objects with __add__ or __radd__. False: raised.
bool pychoral_add_any(PychoralRef a, PychoralRef b, PychoralAny *sum);

// Other references.
PychoralIterator *pychoral_keep_iterator(PychoralIterator *iterator);
PychoralFunction *pychoral_keep_function(PychoralFunction *function);

// The row of a function, for cells.
extern const PychoralType pychoral_type_function;

// Whether bool(function(item)), or without a function bool(item). Raises what they raise.
bool pychoral_passes_filter(PychoralFunction *function, PychoralRef item);

// Puts `count` values, with references of their own, into a tuple of `row` (TUPLE or SEQUENCE).
bool pychoral_tuple_fill(const PychoralType *row, size_t count, const PychoralRef *values,
                         void *tuple);

#endif
