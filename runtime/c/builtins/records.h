// records.h - dataclasses.asdict and astuple.

#ifndef PYCHORAL_RECORDS_H
#define PYCHORAL_RECORDS_H

#include "../table.h"
#include "object.h"

// The fields of a dataclass by name, or in order, in `row`, which is of objects; and so of the
// dataclasses in lists, tuples and dicts in it. What else it holds is copied deeply. Raise
// TypeError: the value is of no dataclass, or stands in a named tuple that is declared to have it.
PychoralTable *pychoral_asdict(PychoralRef value, const PychoralType *row);
PychoralList *pychoral_astuple(PychoralRef value, const PychoralType *row);

#endif
