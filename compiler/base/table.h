// table.h - a map from names (or any pointers) to pointers, in an arena.

#ifndef PYCHORAL_TABLE_H
#define PYCHORAL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/base/arena.h"

typedef struct Table Table;

Table *table_new(Arena *a);
void  *table_get(const Table *t, const void *key);              // NULL when absent
void   table_set(Table *t, const void *key, void *value);       // replaces
bool   table_empty(const Table *t);

// A number as a key; numbers and pointers do not mix in one table.
static inline const void *table_key(uint64_t n) { return (const void *)(uintptr_t)(n + 1); }

#endif
