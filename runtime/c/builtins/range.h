// range.h - Python's range: three ints, whatever their size.

#ifndef PYCHORAL_RANGE_H
#define PYCHORAL_RANGE_H

#include "object.h"

// range(start, stop, step). Raises ValueError for step 0.
PychoralRange *pychoral_range_new(PychoralInt start, PychoralInt stop, PychoralInt step);

// range(stop)
PychoralRange *pychoral_range_to(PychoralInt stop);

// len(r). Raises OverflowError where it is more than an int64_t holds.
int64_t pychoral_range_len(const PychoralRange *range);
bool pychoral_range_is_empty(const PychoralRange *range);

// r[index]. Raises IndexError.
PychoralInt pychoral_range_at(const PychoralRange *range, int64_t index);

// r[start:stop:step], as of lists (list.h). Raises ValueError for step 0.
PychoralRange *pychoral_range_slice(const PychoralRange *range, int64_t start, int64_t stop,
                                    int64_t step);

bool pychoral_range_contains(const PychoralRange *range, PychoralRef value);
bool pychoral_range_eq(const PychoralRange *a, const PychoralRange *b);
int64_t pychoral_range_hash(const PychoralRange *range);

// r.index(value). Raises ValueError.
PychoralInt pychoral_range_index(const PychoralRange *range, PychoralInt value);
int64_t pychoral_range_count(const PychoralRange *range, PychoralInt value);

// iter(r) and reversed(r), of ints.
PychoralIterator *pychoral_range_iter(const PychoralType *row, const PychoralRange *range);
PychoralIterator *pychoral_range_reversed(const PychoralRange *range, const PychoralType *row);

#endif
