// c_spread.c - calls with `*`: what is known to be a tuple of some length stands for its parts; of
// others the number of items is known only when they are there.

#include "compiler/emit/c/c_call.h"

bool c_has_star(ExprList args)
{
    for (size_t i = 0; i < args.len; i++)
        if (args.at[i]->kind == EXPR_STARRED)
            return true;
    return false;
}

// All arguments in one list, as Python evaluates them.
Value c_gathered(CEmit *c, ExprList args, const Rep *rep)
{
    Value list = c_temp(c, c_value(rep, c_text(c, "pychoral_display_list(%s, 0, NULL)", rep->row),
                                   HOLD_OWNED));
    for (size_t i = 0; i < args.len; i++) {
        bool star = args.at[i]->kind == EXPR_STARRED;
        Value v = star ? c_expr(c, args.at[i]->starred.value)
                       : c_expr_as(c, args.at[i], rep->element);
        v = c_place(c, c_steady(c, v));
        if (star) {
            (void)c_check_promotion(c, c_element(c, args.at[i]->starred.value), rep->element,
                                    args.at[i]->at);
            c_line(c, "pychoral_list_extend(%s, %s);", list.text, c_ref(c, v));
            c_check(c);
        } else {
            c_line(c, "pychoral_list_push(%s, %s);", list.text, c_address(c, v));
        }
    }
    return list;
}

static size_t fixed_length(CEmit *c, const Expr *arg)
{
    const Ty *t = arg->kind == EXPR_STARRED && arg->starred.value->ty
        ? c_ty(c, arg->starred.value->ty) : NULL;
    if (arg->kind != EXPR_STARRED)
        return 1;
    return t != NULL && t->kind == TY_TUPLE ? t->tuple.items.len : SIZE_MAX;
}

// The arguments with the parts of tuples in their place, all evaluated.
ExprList c_with_parts(CEmit *c, ExprList args)
{
    size_t room = 0, n = 0;
    for (size_t i = 0; i < args.len; i++)
        room += fixed_length(c, args.at[i]) == SIZE_MAX ? 1 : fixed_length(c, args.at[i]);
    const Expr **list = ARENA_ARRAY(c->arena, const Expr *, room + 1);
    for (size_t i = 0; i < args.len; i++) {
        const Expr *e = args.at[i], *inner = e->kind == EXPR_STARRED ? e->starred.value : e;
        Value v = c_steady(c, c_expr(c, inner));
        if (e->kind != EXPR_STARRED) {
            list[n++] = c_bound(c, e, v);
            continue;
        }
        if (v.rep->kind != REP_TUPLE) {
            list[n++] = expr_starred(c->arena, e->at, c_bound(c, inner, v), EXPR_CONTEXT_LOAD);
            continue;
        }
        v = c_place(c, v);
        for (size_t j = 0; j < v.rep->count; j++) {
            Value part = c_value(v.rep->parts[j], c_text(c, "%s.item%zu", v.text, j),
                                 HOLD_BORROWED);
            part.lasting = part.place = true;
            const Expr *bound = c_bound(c, inner, rep_passed(part.rep) ? part : c_nothing(c));
            list[n++] = expr_with_ty(c->arena, bound, c_ty(c, inner->ty)->tuple.items.at[j],
                                     inner->roles);
        }
    }
    return (ExprList){list, n};
}
