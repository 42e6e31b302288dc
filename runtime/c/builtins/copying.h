// copying.h - copy.copy and copy.deepcopy.

#ifndef PYCHORAL_COPYING_H
#define PYCHORAL_COPYING_H

#include "object.h"

// A copy of a value, in `row`; deepcopy copies what it holds, too, each thing once. Raise what
// __copy__, __deepcopy__, __eq__ and __hash__ raise.
void pychoral_copy(PychoralRef value, const PychoralType *row, void *result);
void pychoral_deepcopy(PychoralRef value, const PychoralType *row, void *result);

#endif
