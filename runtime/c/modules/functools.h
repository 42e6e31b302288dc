// functools.h - what functools.cache and lru_cache keep: a dict from arguments to results.

#ifndef PYCHORAL_FUNCTOOLS_H
#define PYCHORAL_FUNCTOOLS_H

#include "../builtins/dict.h"

// The result for the arguments at `key`, owned, into `result`; it is the last to be dropped then.
// `*cache`: a dict of `row`, made at the first call. False: there is none, or TypeError was raised,
// as the arguments cannot be hashed.
bool pychoral_cache_find(PychoralTable **cache, const PychoralType *row, const void *key,
                         void *result);

// Keeps a result. `most`: so many at most, the one that was not asked for the longest goes; -1:
// all.
void pychoral_cache_put(PychoralTable *cache, int64_t most, const void *key, const void *result);

#endif
