// counter.h - collections.Counter: a dict whose `factory` is pychoral_counts (table.h). What it
// has in common with other dicts is in builtins/dict.h, whose functions look which it is.

#ifndef PYCHORAL_COUNTER_H
#define PYCHORAL_COUNTER_H

#include "../builtins/dict.h"
#include "../builtins/format.h"
#include "../builtins/binary_ops.h"

// Counter(other, a=2), c.update(other, a=2), c.subtract(other, a=2). `other` is what is counted, or
// a dict of counts, or None. Raise.
PychoralTable *pychoral_counter_from(const PychoralType *row, PychoralRef other, size_t count,
                                     const PychoralNamed *named);
void pychoral_counter_update(PychoralTable *counter, PychoralRef other, size_t count,
                             const PychoralNamed *named);
void pychoral_counter_subtract(PychoralTable *counter, PychoralRef other, size_t count,
                               const PychoralNamed *named);

// A dict with the entries in descending order of counts; those that are alike stay in order.
PychoralTable *pychoral_counter_sorted(const PychoralTable *counter);

// c.most_common(n), a list of pairs of `row`; c.elements(); c.total(). They raise AttributeError if
// the dict is no Counter.
PychoralList *pychoral_counter_most_common(const PychoralTable *counter, int64_t most,
                                           const PychoralType *row);
PychoralIterator *pychoral_counter_elements(const PychoralTable *counter, const PychoralType *row);
void pychoral_counter_total(const PychoralTable *counter, const PychoralType *row, void *result);

// a | b of two Counters; NULL and nothing raised: they are not both Counters.
PychoralTable *pychoral_counter_or(PychoralRef a, PychoralRef b, const PychoralType *row);

// a + b, a - b, a | b, a & b of two Counters, as a Counter of `row`; NULL as above.
PychoralTable *pychoral_counter_binary(PychoralOperator operator, PychoralRef a, PychoralRef b,
                                       const PychoralType *row);

// a += b and so on. False: `a` is no Counter, or `b` no dict.
bool pychoral_counter_in_place(PychoralOperator operator, PychoralRef a, PychoralRef b);

// +a, -a: NULL as above.
PychoralTable *pychoral_counter_unary(PychoralOperator operator, PychoralRef a,
                                      const PychoralType *row);

// a < b and so on, `op` as for pychoral_ordered, of two Counters.
bool pychoral_counter_ordered(const PychoralTable *a, const PychoralTable *b, char op);

#endif
