// c_star_args.c - calls with `*`: what is known to be a tuple of some length stands for its parts;
// of others the number of items is known only when they are there.

#include <string.h>

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

bool c_has_open_star(CEmit *c, ExprList args)
{
    for (size_t i = 0; i < args.len; i++)
        if (fixed_length(c, args.at[i]) == SIZE_MAX)
            return true;
    return false;
}

// What is a function wherever it stands, and may become one that its parameter knows the type of.
static bool is_function(CEmit *c, const Expr *e)
{
    if (e->kind != EXPR_NAME)
        return e->kind == EXPR_LAMBDA;
    const CName *n = c_global(c, e->name.id);
    return c_find_variable(c, e->name.id) == NULL && (n == NULL || n->kind != CNAME_VARIABLE);
}

// The arguments with the parts of tuples in their place, all evaluated but functions.
ExprList c_with_parts(CEmit *c, ExprList args)
{
    size_t room = 0, n = 0;
    for (size_t i = 0; i < args.len; i++)
        room += fixed_length(c, args.at[i]) == SIZE_MAX ? 1 : fixed_length(c, args.at[i]);
    const Expr **list = ARENA_ARRAY(c->arena, const Expr *, room + 1);
    for (size_t i = 0; i < args.len; i++) {
        const Expr *e = args.at[i], *inner = e->kind == EXPR_STARRED ? e->starred.value : e;
        if (is_function(c, e)) {
            list[n++] = e;
            continue;
        }
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

// ---- builtins that take any number of arguments ----

// All in a list[object]: as an array of PychoralRefs, with their number.
static const char *gathered_refs(CEmit *c, ExprList args)
{
    Value items = c_gathered(c, args, rep_list(c, rep_named(c, "object")));
    Value refs = c_temp(c, c_value(items.rep, c_text(c, "pychoral_refs_of(%s)", items.text),
                                   HOLD_OWNED));
    return c_text(c, "%s->count, (const PychoralRef *)%s->items", refs.text, refs.text);
}

// What the items of `e` are iterators over, where `e` stands behind a `*`.
static const Rep *item_of_items(CEmit *c, const Expr *e)
{
    const Rep *r = c_element(c, e);
    bool known = r->kind == REP_LIST || r->kind == REP_SEQUENCE || r->kind == REP_SET
        || r->kind == REP_FROZENSET || r->kind == REP_ITERATOR;
    return known ? r->element : r->kind == REP_DICT ? r->key_rep : r->kind == REP_STR ? r
        : rep_named(c, "object");
}

static const char *gathered_iterators(CEmit *c, ExprList args)
{
    const Rep *rep = rep_iterator(c, rep_named(c, "object"));
    const Rep *many = rep_sequence(c, rep);
    Value all = c_temp(c, c_value(many, "pychoral_iterator_tuple(0, NULL)", HOLD_OWNED));
    for (size_t i = 0; i < args.len; i++) {
        bool star = args.at[i]->kind == EXPR_STARRED;
        const Expr *e = star ? args.at[i]->starred.value : args.at[i];
        const char *row = (star ? item_of_items(c, e) : c_element(c, e))->row;
        const char *ref = c_ref(c, c_place(c, c_steady(c, c_unless_view(c, e, c_expr(c, e)))));
        if (star) {
            c_line(c, "pychoral_iterator_tuple_add(%s, %s, %s);", all.text, ref, row);
        } else {
            const char *one = c_new_name(c);
            c_line(c, "PychoralIterator *%s = pychoral_iter(%s, %s);", one, row, ref);
            c_line(c, "if (%s != NULL)\n    pychoral_list_take(%s, &%s);", one, all.text, one);
        }
        c_check(c);
    }
    return c_text(c, "%s->count, (PychoralIterator **)%s->items", all.text, all.text);
}

bool c_can_spread(const char *code)
{
    return strcmp(code, "ref") == 0 || strcmp(code, "iter") == 0;
}

const char *c_spread(CEmit *c, const char *code, ExprList args)
{
    return strcmp(code, "ref") == 0 ? gathered_refs(c, args) : gathered_iterators(c, args);
}
