// crowd.h - dicts and sets whose keys have too many hashes in common (PROTOCOL.md 5.2).
//
// Tables here have hashes with a seed and fear nothing; but a peer in Python would compare each of
// such keys with all others, and refuses them. So that both languages take the same values, they
// are counted here by the hashes that Python gives them.

#ifndef PYCHORAL_CROWD_H
#define PYCHORAL_CROWD_H

#include "table.h"

typedef enum PychoralCrowd {
    PYCHORAL_CROWD_NONE,
    PYCHORAL_CROWD_FOUND,   // more than 1,000 keys have the hash of another
    PYCHORAL_CROWD_MEMORY   // none left to tell
} PychoralCrowd;

#define PYCHORAL_CROWD_TEXT "one in which more than 1000 have the hash of another"

PychoralCrowd pychoral_table_crowd(const PychoralTable *table);

#endif
