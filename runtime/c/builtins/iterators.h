// iterators.h - Python's builtin functions about iterables. `row` is the row of the result: for
// iterators of kind ITERATOR, whose element each item is converted to.

#ifndef PYCHORAL_ITERATORS_H
#define PYCHORAL_ITERATORS_H

#include "dict.h"
#include "iterating.h"

PychoralIterator *pychoral_enumerate(PychoralIterator *items, PychoralInt start,
                                     const PychoralType *row);

// zip(*iterators, strict=strict)
PychoralIterator *pychoral_zip(size_t count, PychoralIterator *const *iterators, bool strict,
                               const PychoralType *row);

PychoralIterator *pychoral_map(PychoralFunction *function, size_t count,
                               PychoralIterator *const *iterators, const PychoralType *row);

// map(min, *iterators) and map(max, *iterators). Raise TypeError if there are none.
PychoralIterator *pychoral_map_min(size_t count, PychoralIterator *const *iterators,
                                   const PychoralType *row);
PychoralIterator *pychoral_map_max(size_t count, PychoralIterator *const *iterators,
                                   const PychoralType *row);

// `function` NULL: items that are true.
PychoralIterator *pychoral_filter(PychoralFunction *function, PychoralIterator *items,
                                  const PychoralType *row);

// iter(function, sentinel)
PychoralIterator *pychoral_iter_until(PychoralFunction *function, PychoralRef sentinel,
                                      const PychoralType *row);

// sum(items, start); min and max of what is iterated over, or of arguments. A missing default is
// PYCHORAL_NO_REF. Raise what adding and comparing raise, and ValueError where there is nothing.
void pychoral_sum(PychoralIterator *items, PychoralRef start, const PychoralType *row,
                  void *result);
void pychoral_min(PychoralIterator *items, PychoralFunction *key, PychoralRef missing,
                  const PychoralType *row, void *result);
void pychoral_max(PychoralIterator *items, PychoralFunction *key, PychoralRef missing,
                  const PychoralType *row, void *result);
void pychoral_min_of(size_t count, const PychoralRef *values, PychoralFunction *key,
                     const PychoralType *row, void *result);
void pychoral_max_of(size_t count, const PychoralRef *values, PychoralFunction *key,
                     const PychoralType *row, void *result);

bool pychoral_any_of(PychoralIterator *items);
bool pychoral_all_of(PychoralIterator *items);

// value in items, for what only can be iterated over.
bool pychoral_iterator_contains(PychoralIterator *items, PychoralRef value);

// value in container, of any types. Raises TypeError.
bool pychoral_contains(PychoralRef container, PychoralRef value);

// functools.reduce(function, items, first); a missing first is PYCHORAL_NO_REF.
void pychoral_reduce(PychoralFunction *function, PychoralIterator *items, PychoralRef first,
                     const PychoralType *row, void *result);

#endif
