// short_repr.h - a value on one line of bounded length, whatever it is (`--show`).

#ifndef PYCHORAL_SHORT_REPR_H
#define PYCHORAL_SHORT_REPR_H

#include "../pychoral.h"
#include "object.h"

// As `short` of python/pychoral/show.py, in at most so many characters; no code of the program is
// called. Owned.
PychoralStr *pychoral_short_repr(const PychoralType *type, const void *value, size_t most);

#endif
