// desugar_display.c - displays with stars: built item by item.

#include "compiler/pass/desugar_internal.h"

static ExprList items_of(const Expr *e)
{
    return e->kind == EXPR_LIST    ? e->list.elts
           : e->kind == EXPR_TUPLE ? e->tuple.elts
           : e->kind == EXPR_SET   ? e->set.elts
                                   : (ExprList){0};
}

static bool is_target(const Expr *e)
{
    return (e->kind == EXPR_LIST && e->list.ctx != EXPR_CONTEXT_LOAD)
           || (e->kind == EXPR_TUPLE && e->tuple.ctx != EXPR_CONTEXT_LOAD);
}

bool desugar_has_star(const Expr *e)
{
    ExprList items = items_of(e);
    if (is_target(e))
        return false;
    for (size_t i = 0; i < items.len; i++)
        if (items.at[i]->kind == EXPR_STARRED)
            return true;
    for (size_t i = 0; e->kind == EXPR_DICT && i < e->dict.keys.len; i++)
        if (e->dict.keys.at[i] == NULL)
            return true;
    return false;
}

static void put_method(Desugar *d, const Expr *result, const char *method, const Expr *arg)
{
    desugar_call_stmt(d, desugar_method(d, result, method, desugar_list(d, 1, &arg),
                                        ty_none_type(d->arena)));
}

static const Expr *collected(Desugar *d, const Expr *e, const Ty *ty)
{
    bool set = e->kind == EXPR_SET;
    ExprList items = items_of(e);
    bool starts = items.at[0]->kind == EXPR_STARRED;
    const char *copy = set ? "set" : "list";
    const Expr *first = starts ? desugar_call1(d, copy,
                                               desugar_expr(d, items.at[0]->starred.value), ty)
                        : set ? desugar_call(d, desugar_builtin(d, e->at, copy), (ExprList){0}, ty)
                        : desugar_typed(d, expr_list(d->arena, e->at, (ExprList){0},
                                                     EXPR_CONTEXT_LOAD), ty);
    const Expr *result = desugar_temp(d, expr_with_at(d->arena, first, e->at), "result");
    for (size_t i = starts ? 1 : 0; i < items.len; i++) {
        const Expr *item = items.at[i];
        bool star = item->kind == EXPR_STARRED;
        put_method(d, result, star ? (set ? "update" : "extend") : (set ? "add" : "append"),
                   desugar_expr(d, star ? item->starred.value : item));
    }
    return result;
}

// Python evaluates the key of a display or comprehension first, that of an assignment last.
void desugar_put_item(Desugar *d, const Expr *dict, const Expr **pair)
{
    desugar_operands(d, 2, pair);
    const Expr *key = pair[0], *value = pair[1];
    if (!desugar_settled(d, value, 0, NULL))
        key = desugar_settle(d, key, 0, NULL, "key");
    const Expr *target = expr_subscript(d->arena, key->at, dict, key, EXPR_CONTEXT_STORE);
    target = desugar_typed(d, target, value->ty);
    desugar_put(d, stmt_assign(d->arena, key->at, desugar_list(d, 1, &target), value));
}

static const Expr *collected_dict(Desugar *d, const Expr *e)
{
    const Expr *empty = desugar_typed(d, expr_dict(d->arena, e->at, (ExprList){0}, (ExprList){0}),
                                      e->ty);
    const Expr *result = desugar_temp(d, empty, "result");
    for (size_t i = 0; i < e->dict.values.len; i++) {
        const Expr *pair[] = {e->dict.keys.at[i], e->dict.values.at[i]};
        if (pair[0] == NULL)
            put_method(d, result, "update", desugar_expr(d, pair[1]));
        else
            desugar_put_item(d, result, pair);
    }
    return result;
}

const Expr *desugar_display(Desugar *d, const Expr *e)
{
    if (e->kind == EXPR_DICT)
        return collected_dict(d, e);
    if (e->kind != EXPR_TUPLE)
        return collected(d, e, e->ty);
    const Ty *list = desugar_list_ty(d, desugar_item_ty(d, e->ty));
    return desugar_call1(d, "tuple", collected(d, e, list), e->ty);
}
