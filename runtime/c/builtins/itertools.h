// itertools.h - Python's itertools, as far as its stub goes. `row` is the row of the result, of
// kind ITERATOR.

#ifndef PYCHORAL_ITERTOOLS_H
#define PYCHORAL_ITERTOOLS_H

#include "iterators.h"

// count(start, step): numbers of any kind that the row's element is.
PychoralIterator *pychoral_itertools_count(PychoralRef start, PychoralRef step,
                                           const PychoralType *row);
PychoralIterator *pychoral_itertools_cycle(PychoralIterator *items, const PychoralType *row);

// `times` INT64_MIN: without end.
PychoralIterator *pychoral_itertools_repeat(PychoralRef value, int64_t times,
                                            const PychoralType *row);
PychoralIterator *pychoral_itertools_chain(size_t count, PychoralIterator *const *iterators,
                                           const PychoralType *row);
PychoralIterator *pychoral_itertools_from_iterable(PychoralIterator *iterables,
                                                   const PychoralType *row);

// islice(items, start, stop, step); for islice(items, stop), `stop` is PYCHORAL_NO_REF, and `start`
// is the stop. Raises ValueError.
PychoralIterator *pychoral_itertools_islice(PychoralIterator *items, PychoralRef start,
                                            PychoralRef stop, PychoralRef step,
                                            const PychoralType *row);
PychoralIterator *pychoral_itertools_takewhile(PychoralFunction *function, PychoralIterator *items,
                                               const PychoralType *row);
PychoralIterator *pychoral_itertools_dropwhile(PychoralFunction *function, PychoralIterator *items,
                                               const PychoralType *row);

// `function` NULL: items that are false.
PychoralIterator *pychoral_itertools_filterfalse(PychoralFunction *function,
                                                 PychoralIterator *items, const PychoralType *row);

// Raise ValueError for a negative r; permutations with `r` INT64_MIN are of all.
PychoralIterator *pychoral_itertools_combinations(PychoralIterator *items, int64_t r,
                                                  const PychoralType *row);
PychoralIterator *pychoral_itertools_permutations(PychoralIterator *items, int64_t r,
                                                  const PychoralType *row);
PychoralIterator *pychoral_itertools_combinations_with_replacement(PychoralIterator *items,
                                                                   int64_t r,
                                                                   const PychoralType *row);

// Raises ValueError for a negative `repeat`, and what iterating raises.
PychoralIterator *pychoral_itertools_product(size_t count, PychoralIterator *const *iterators,
                                             int64_t repeat, const PychoralType *row);

// `function` NULL: sums. `initial` PYCHORAL_NO_REF or None: the first item.
PychoralIterator *pychoral_itertools_accumulate(PychoralIterator *items,
                                                PychoralFunction *function, PychoralRef initial,
                                                const PychoralType *row);
PychoralIterator *pychoral_itertools_zip_longest(size_t count, PychoralIterator *const *iterators,
                                                 PychoralRef fill, const PychoralType *row);
PychoralIterator *pychoral_itertools_pairwise(PychoralIterator *items, const PychoralType *row);

#endif
