// expr_table.c - a map from expressions: chains of those that have one hash.

#include "compiler/ir/expr_table.h"

#include "compiler/base/table.h"

typedef struct Entry {
    const Expr         *key;
    const void         *value;
    const struct Entry *next;
} Entry;

struct ExprTable { Arena *arena; Table *chains; };

ExprTable *expr_table_new(Arena *a)
{
    ExprTable *t = ARENA_NEW(a, ExprTable);
    *t = (ExprTable){a, table_new(a)};
    return t;
}

static const void *hash_key(const Expr *key) { return table_key(ir_hash_expr(key) >> 1); }

const void *expr_table_get(const ExprTable *t, const Expr *key)
{
    for (const Entry *e = table_get(t->chains, hash_key(key)); e != NULL; e = e->next)
        if (ir_equal_expr(e->key, key))
            return e->value;
    return NULL;
}

void expr_table_add(ExprTable *t, const Expr *key, const void *value)
{
    Entry *e = ARENA_NEW(t->arena, Entry);
    *e = (Entry){key, value, table_get(t->chains, hash_key(key))};
    table_set(t->chains, hash_key(key), e);
}
