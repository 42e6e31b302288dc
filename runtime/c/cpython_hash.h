// cpython_hash.h - the hashes that are the same in each run of CPython: they are what the order of
// its sets comes from.
//
// Those of numbers, of tuples, frozensets and frozen dataclasses of them, and of objects that have
// a __hash__ of their own. Nobody can foresee those of texts, of None, of members of enums, and of
// what is equal only to itself.

#ifndef PYCHORAL_CPYTHON_HASH_H
#define PYCHORAL_CPYTHON_HASH_H

#include "value.h"

// Whether there can be values of this type whose hash is foreseen.
bool pychoral_has_cpython_hash(const PychoralType *type);

// The hash of a value. False: it is not foreseen, or there is none, or its __hash__ raised.
// `identity` (NULL: nobody asks) is set as pychoral_hash_key does.
bool pychoral_cpython_hash(const PychoralType *type, const void *value, bool *identity,
                           uint64_t *hash);

#endif
