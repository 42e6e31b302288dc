// hash_collisions.h - dicts and sets whose keys have too many hashes in common (PROTOCOL.md 5.2).
//
// Tables here have hashes with a seed and fear nothing; but a peer in Python would compare each of
// such keys with all others, and refuses them. So that both languages take the same values, they
// are counted here by the hashes that Python gives them.

#ifndef PYCHORAL_HASH_COLLISIONS_H
#define PYCHORAL_HASH_COLLISIONS_H

#include "plain.h"
#include "table.h"

typedef enum PychoralCollisions {
    PYCHORAL_CROWD_NONE,
    PYCHORAL_CROWD_FOUND,   // more than 1,000 keys have the hash of another
    PYCHORAL_CROWD_MEMORY   // none left to tell
} PychoralCollisions;

// "keys" or "elements"
#define PYCHORAL_CROWD_TEXT(parts) "more than 1000 " parts " whose hashes collide"

PychoralCollisions pychoral_table_collisions(const PychoralTable *table);

// CPython's hashes, from their parts: of a number (`at`: where it stands, the hash of NaN), of a
// tuple (start, add each, finish), of a frozenset (from 0).
uint64_t pychoral_collisions_number(const PychoralNumber *number, const void *at);
uint64_t pychoral_collisions_start(void);
uint64_t pychoral_collisions_add(uint64_t hash, uint64_t part);
uint64_t pychoral_collisions_finish(uint64_t hash, uint64_t count);
uint64_t pychoral_collisions_add_unordered(uint64_t hash, uint64_t part);
uint64_t pychoral_collisions_finish_unordered(uint64_t hash, uint64_t count);

#endif
