// tables.h - what dict, set and frozenset share: keys of any type, put, found and refused.

#ifndef PYCHORAL_TABLES_H
#define PYCHORAL_TABLES_H

#include "object.h"
#include "table.h"

// A table of `row` with room.
PychoralTable *pychoral_table_make(const PychoralType *row, size_t capacity);

// Puts copies of a key and (dict) a value, converted to the table's rows. Raises TypeError:
// unhashable type, and what __hash__ and __eq__ raise.
void pychoral_table_insert(PychoralTable *table, PychoralRef key, PychoralRef value);

// The value of a key of any type in place (sets: the key); NULL: it is not there, or raised.
void *pychoral_table_lookup(const PychoralTable *table, PychoralRef key);

// Takes a key of any type out; false: it is not there, or raised. What it had goes to `key_to` and
// `value_to`, or, where they are NULL, is released.
bool pychoral_table_take(PychoralTable *table, PychoralRef key, void *key_to, void *value_to);

// The place of the last entry goes to `key_to` and `value_to`. False: there is none.
bool pychoral_table_take_last(PychoralTable *table, void *key_to, void *value_to);

// Makes a dict the defaultdict that `from` is, if it is one.
void pychoral_assign_factory(PychoralTable *to, const PychoralTable *from);

// Lets go of all entries.
void pychoral_table_clear(PychoralTable *table);

// Raises TypeError if a value, or a part of it, cannot be hashed; whether it can.
bool pychoral_is_hashable(PychoralRef value);

#endif
