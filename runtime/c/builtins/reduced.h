// reduced.h - what travels for a value under an abstract type (PROTOCOL.md 5.6).

#ifndef PYCHORAL_BUILTINS_REDUCED_H
#define PYCHORAL_BUILTINS_REDUCED_H

#include "../wire.h"
#include "object.h"

// What a receiver that expects `wire`, a row that says what it admits, is sent for a value: of a
// range, a deque or a view a list or a set; of a member of an IntEnum or StrEnum what it is, unless
// the enum is admitted; containers of such anew; else the value. Owned.
PychoralAny pychoral_reduced(PychoralRef value, const PychoralType *wire);

// Whether who reads it as `wire` can convert all its numbers. False: `why` says which part not.
bool pychoral_is_readable(const PychoralType *wire, const PychoralAny *made,
                          PychoralWireFault *why);

#endif
