// heapq.h - lists that are heaps. Items are compared in CPython's order, so that equal ones lie
// where they do there.

#ifndef PYCHORAL_HEAPQ_H
#define PYCHORAL_HEAPQ_H

#include "../builtins/list.h"

// They raise what comparing raises, RuntimeError if that changes the length of the list, and
// IndexError where there is no item (then zero bits). `item` is of the list's element type.
void pychoral_heapq_push(PychoralList *heap, const void *item);
void pychoral_heapq_pop(PychoralList *heap, void *result);
void pychoral_heapq_push_pop(PychoralList *heap, const void *item, void *result);
void pychoral_heapq_replace(PychoralList *heap, const void *item, void *result);
void pychoral_heapq_heapify(PychoralList *heap);

// The first n of sorted(iterable, key=key), and of the same with reverse=True, in a list of `row`.
// Raise what sorting raises.
PychoralList *pychoral_heapq_smallest(int64_t n, PychoralRef iterable, PychoralFunction *key,
                                      const PychoralType *row);
PychoralList *pychoral_heapq_largest(int64_t n, PychoralRef iterable, PychoralFunction *key,
                                     const PychoralType *row);

#endif
