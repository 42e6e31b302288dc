// table.h - a map from names (or any pointers) to pointers, in an arena.

#ifndef PYCHORAL_TABLE_H
#define PYCHORAL_TABLE_H

#include "compiler/base/arena.h"

typedef struct Table Table;

Table *table_new(Arena *a);
void  *table_get(const Table *t, const void *key);              // NULL when absent
void   table_set(Table *t, const void *key, void *value);       // replaces

#endif
