// iterating.h - iterators: made of containers, driven, and what is common to all of them.

#ifndef PYCHORAL_ITERATING_H
#define PYCHORAL_ITERATING_H

#include "object.h"

// A row for an iterator over `item`s, where the program has none: the iterator copies it (`body`).
#define PYCHORAL_ITERATOR_ROW(item)                                                               \
    ((PychoralType){.kind = PYCHORAL_ITERATOR, .size = sizeof(PychoralIterator *), .body = 1,     \
                    .name = "iterator", .element = (item)})

// An iterator of `row` (of kind ITERATOR) over a value of any type, whose items are converted to
// row->element. Raises TypeError where the value cannot be iterated over, and what __iter__ raises.
PychoralIterator *pychoral_iterate(const PychoralType *row, PychoralRef iterable);

// iter(value), with the row last.
PychoralIterator *pychoral_iter_of(PychoralRef iterable, const PychoralType *row);

// reversed(value): of a list, tuple, str, dict, range, or an object with __reversed__, or with
// __len__ and __getitem__.
PychoralIterator *pychoral_reversed(PychoralRef iterable, const PychoralType *row);

// The next item: into `item`, owned. False: there is none (nothing raised), or it raised.
static inline bool pychoral_next_item(PychoralIterator *iterator, void *item)
{
    return iterator->next(iterator, item);
}

static inline const PychoralType *pychoral_item_row(const PychoralIterator *iterator)
{
    return iterator->object.type->element;
}

// The items that an iterator over a list still has, where they stand as its row has them, narrow
// ints as int64_t; they are taken then: what follows is the end. NULL: it is none such, and nothing
// has been taken. For what runs no code of the program, which might change the list.
const void *pychoral_take_rest(PychoralIterator *iterator, size_t *count);

// Any iterator, for releasing.
extern const PychoralType pychoral_type_iterator;

static inline void pychoral_iterator_drop(PychoralIterator *iterator)
{
    pychoral_release(&pychoral_type_iterator, &iterator);
}

// next(i), and next(i, default), whose default is a value of `row`, the row of the result. Raises
// StopIteration.
void pychoral_next(PychoralIterator *iterator, const PychoralType *row, void *result);
void pychoral_next_or(PychoralIterator *iterator, PychoralRef missing, const PychoralType *row,
                      void *result);

#endif
