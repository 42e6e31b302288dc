// c_collections.c - what of `collections` needs more than a row of c_prim.

#include <string.h>

#include "compiler/emit/c/c_call.h"

// What makes the values that are missing: a function, or a class, which is shown as one.
static Value factory_of(CEmit *c, const Expr *e, const Ty *made)
{
    static const char *const KNOWN[] = {"int", "str", "float", "bool", "bytes", "complex", "list",
                                        "dict", "set", "tuple", "frozenset"};
    Sym name = e->kind == EXPR_NAME && c_find_variable(c, e->name.id) == NULL ? e->name.id : NULL;
    CName *own = name ? c_global(c, name) : NULL;
    const char *shown = NULL;
    for (size_t i = 0; name && own == NULL && i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (sym_is(name, KNOWN[i]))
            shown = c_text(c, "<class '%s'>", name);
    if (own != NULL && own->kind == CNAME_CLASS)
        shown = c_text(c, "<class '%s%s'>", strchr(name, '.') ? "" : "__main__.", name);
    const Ty *ty = ty_callable(c->arena, (TyList){0}, made);
    const Expr *typed = expr_with_ty(c->arena, e, ty, e->roles);
    Value f = shown != NULL ? c_function_value(c, typed, rep_of(c, ty, e->at))
                            : c_expr_as(c, e, rep_of(c, ty, e->at));
    f = c_steady(c, f);
    if (shown != NULL)
        c_line(c, "%s->name = \"%s\";", f.text, shown);
    return f;
}

static bool is_none(const Expr *e)
{
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE;
}

// collections.defaultdict(factory, items)
Value c_defaultdict(CEmit *c, const Expr *e)
{
    const Rep *rep = rep_of(c, e->ty, e->at);
    ExprList args = e->call.args;
    if (rep->kind != REP_DICT || args.len > 2 || e->call.keywords.len > 0 || c_has_star(args))
        return c_refuse(c, e->at, "the C target has no `defaultdict` that takes these arguments");
    const char *factory = "NULL";
    if (args.len > 0 && !is_none(args.at[0]))
        factory = c_borrowed(c, factory_of(c, args.at[0], c_ty(c, e->ty)->named.args.at[1]));
    Value dict = c_temp(c, c_value(rep, c_text(c, "pychoral_defaultdict_new(%s, %s)", factory,
                                               rep->row), HOLD_OWNED));
    if (args.len == 2) {
        Value items = c_place(c, c_steady(c, c_expr(c, args.at[1])));
        c_line(c, "pychoral_dict_update(%s, %s);", dict.text, c_ref(c, items));
        c_check(c);
    }
    return dict;
}
