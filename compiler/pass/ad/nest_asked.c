// nest_asked.c - results that a caller may leave out: what writes them is inside an `if` that asks
// whether their array is None. Nothing else reads them.

#include "compiler/pass/ad/nest_internal.h"

#define NOWHERE ((Span){0, 0})

const Store *nest_optional(const Nest *n, const Item *item)
{
    const Store *s = item->to.store;
    return s->optional && s != n->asked ? s : NULL;
}

void nest_if_asked(Nest *n, const Store *s, Stmts body)
{
    Cmpop *ops = ARENA_NEW(n->arena, Cmpop);
    *ops = CMPOP_IS_NOT;
    const Expr *none = expr_constant(n->arena, NOWHERE, const_none(n->arena), NULL);
    const Expr *array = expr_with_ty(n->arena, nest_var(n, s->name, s->elem, false),
                                     nest_array_ty(n, s->elem), (SymList){NULL, 0});
    const Expr *test = expr_compare(n->arena, NOWHERE, array, (CmpopList){ops, 1},
                                    term_list(n->t, none, NULL));
    test = expr_with_ty(n->arena, test, nest_ty(n, ELEM_BOOL), (SymList){NULL, 0});
    vec_push(n->arena, n->out, stmt_if(n->arena, NOWHERE, test, (StmtList){body.at, body.len},
                                       (StmtList){NULL, 0}));
}

static void items_if_asked(Nest *n, const Items *items, const Store *s)
{
    Items own = {0};
    Stmts body = {0}, *outer = n->out;
    for (size_t i = 0; i < items->len; i++)
        if (items->at[i].to.store == s)
            vec_push(n->arena, &own, items->at[i]);
    n->out = &body;
    n->asked = s;
    nest_items_here(n, own.at, own.len);
    n->asked = NULL;
    n->out = outer;
    nest_if_asked(n, s, body);
}

void nest_items(Nest *n, const Item *items, size_t len)
{
    Items always = {0}, optional = {0};
    Table *done = table_new(n->arena);
    for (size_t i = 0; i < len; i++)
        if (nest_optional(n, &items[i]) == NULL)
            vec_push(n->arena, &always, items[i]);
        else
            vec_push(n->arena, &optional, items[i]);
    nest_items_here(n, always.at, always.len);
    for (size_t i = 0; i < optional.len; i++) {
        const Store *s = optional.at[i].to.store;
        if (table_get(done, s->name) == NULL)
            items_if_asked(n, &optional, s);
        table_set(done, s->name, n);
    }
}
