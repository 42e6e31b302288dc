// expr_table.h - a map from expressions to pointers, in an arena. Equal expressions
// (ir_equal_expr) are one key.

#ifndef PYCHORAL_EXPR_TABLE_H
#define PYCHORAL_EXPR_TABLE_H

#include "ir_gen.h"

typedef struct ExprTable ExprTable;

ExprTable  *expr_table_new(Arena *a);
const void *expr_table_get(const ExprTable *t, const Expr *key);        // NULL when absent
void        expr_table_add(ExprTable *t, const Expr *key, const void *value);   // a new key

#endif
