// diff.h - the difference of two texts as a unified diff.

#ifndef PYCHORAL_DIFF_H
#define PYCHORAL_DIFF_H

#include "compiler/base/buf.h"
#include "compiler/base/source.h"

// Writes nothing when the texts are equal. `before` and `after` are the names in the heading.
// Finds a shortest edit script (Myers, "An O(ND) difference algorithm and its variations", 1986).
void diff_print(Buf *b, const char *before, Text old, const char *after, Text new_);

#endif
