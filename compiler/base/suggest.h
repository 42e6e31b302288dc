// suggest.h - "did you mean": the nearest of some known words to a mistyped one.

#ifndef PYCHORAL_SUGGEST_H
#define PYCHORAL_SUGGEST_H

#include <stddef.h>

// Gives the candidate with the smallest edit distance (insertion, deletion, substitution, swap of
// neighbours; case counts little) if it is near enough to be meant, else NULL. The first of several
// wins.
const char *suggest_nearest(const char *word, const char *const *candidates, size_t count);

#endif
