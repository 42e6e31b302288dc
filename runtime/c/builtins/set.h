// set.h - Python's set and frozenset: a table without values. `others` and `other` are of any type:
// what is iterated over, for operators sets.

#ifndef PYCHORAL_SET_H
#define PYCHORAL_SET_H

#include "dict.h"

// set(iterable), frozenset(iterable). Raise.
PychoralTable *pychoral_set_from(PychoralRef iterable, const PychoralType *row);

void pychoral_set_add(PychoralTable *set, const void *element);
void pychoral_set_discard(PychoralTable *set, PychoralRef element);

// Raise KeyError.
void pychoral_set_remove(PychoralTable *set, PychoralRef element);
void pychoral_set_pop(PychoralTable *set, void *result);

void pychoral_set_clear(PychoralTable *set);

PychoralTable *pychoral_set_union(const PychoralTable *set, size_t count,
                                  const PychoralRef *others, const PychoralType *row);
PychoralTable *pychoral_set_intersection(const PychoralTable *set, size_t count,
                                         const PychoralRef *others, const PychoralType *row);
PychoralTable *pychoral_set_difference(const PychoralTable *set, size_t count,
                                       const PychoralRef *others, const PychoralType *row);
PychoralTable *pychoral_set_symmetric_difference(const PychoralTable *set, PychoralRef other,
                                                 const PychoralType *row);

// The same in place.
void pychoral_set_update(PychoralTable *set, size_t count, const PychoralRef *others);
void pychoral_set_intersection_update(PychoralTable *set, size_t count, const PychoralRef *others);
void pychoral_set_difference_update(PychoralTable *set, size_t count, const PychoralRef *others);
void pychoral_set_symmetric_difference_update(PychoralTable *set, PychoralRef other);

bool pychoral_set_isdisjoint(const PychoralTable *set, PychoralRef other);
bool pychoral_set_issubset(const PychoralTable *set, PychoralRef other);
bool pychoral_set_issuperset(const PychoralTable *set, PychoralRef other);

// set & other, | - ^; and &= |= -= ^=.
PychoralTable *pychoral_set_and(PychoralRef set, PychoralRef other, const PychoralType *row);
PychoralTable *pychoral_set_or(PychoralRef set, PychoralRef other, const PychoralType *row);
PychoralTable *pychoral_set_sub(PychoralRef set, PychoralRef other, const PychoralType *row);
PychoralTable *pychoral_set_xor(PychoralRef set, PychoralRef other, const PychoralType *row);
void pychoral_set_iand(PychoralTable *set, PychoralRef other);
void pychoral_set_ior(PychoralTable *set, PychoralRef other);
void pychoral_set_isub(PychoralTable *set, PychoralRef other);
void pychoral_set_ixor(PychoralTable *set, PychoralRef other);

#endif
