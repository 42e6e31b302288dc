// c_collections.c - dicts of other names: defaultdict, Counter, and classes derived from TypedDict;
// what is read of the views of dicts.

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
    Sym dotted = c_dotted(c, e);
    if (dotted != NULL && sym_is(dotted, "collections.Counter"))
        shown = "<class 'collections.Counter'>";
    if (own != NULL && own->kind == CNAME_CLASS)
        shown = c_text(c, "<class '%s%s'>", strchr(name, '.') ? "" : "__main__.", name);
    const Ty *ty = ty_callable(c->arena, (TyList){0}, made);
    const Expr *typed = expr_with_ty(c->arena, e, ty, e->roles);
    Value f = shown != NULL ? c_function_value(c, typed)
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
        return c_refuse(c, e->at, "the C target does not support `defaultdict` with these "
                        "arguments");
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

bool c_is_counter(CEmit *c, const Expr *e)
{
    const Ty *t = e->ty != NULL ? c_ty(c, e->ty) : NULL;
    return t != NULL && t->kind == TY_NAMED && sym_is(t->named.name, "collections.Counter");
}

// ---- classes derived from TypedDict ----

// What the class, or one that it derives from, says of a key; NULL: nothing.
static const Rep *rep_of_key(CEmit *c, const Stmt *def, Sym key)
{
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME
            && s->ann_assign.target->name.id == key)
            return rep_of(c, c_annotation(c, s->ann_assign.annotation), s->at);
    }
    for (size_t i = 0; i < def->class_def.bases.len; i++) {
        const Expr *base = def->class_def.bases.at[i];
        const CName *n = base->kind == EXPR_NAME ? c_global(c, base->name.id) : NULL;
        const Rep *r = n != NULL && n->kind == CNAME_TYPE && n->def != NULL
            ? rep_of_key(c, n->def, key) : NULL;
        if (r != NULL)
            return r;
    }
    return NULL;
}

static void put(CEmit *c, Value dict, Sym name, Value v, Span at)
{
    Value key = {.rep = rep_named(c, "str"), .lasting = true, .hold = HOLD_BORROWED,
                 .text = c_string(c, (Text){name, strlen(name)}, false)};
    key = c_place(c, c_steady(c, c_convert(c, key, dict.rep->key_rep, at)));
    v = c_place(c, c_steady(c, c_convert(c, v, dict.rep->element, at)));
    c_put_key(c, dict, key, v);
    c_check(c);
}

static void put_key(CEmit *c, const Stmt *def, Value dict, Sym name, const Expr *value)
{
    const Rep *rep = rep_of_key(c, def, name);
    Value v = rep != NULL ? c_steady(c, c_expr_as(c, value, rep)) : c_expr(c, value);
    put(c, dict, name, v, value->at);
}

static Value empty_dict(CEmit *c, const Rep *rep)
{
    return c_temp(c, c_value(rep, c_text(c, "pychoral_display_dict(%s, 0, NULL, NULL)", rep->row),
                             HOLD_OWNED));
}

// The keywords are evaluated before what stands before them is copied.
Value c_dict_of_keywords(CEmit *c, const Expr *e)
{
    const Rep *rep = rep_of(c, e->ty, e->at);
    KeywordList given = e->call.keywords;
    ExprList args = e->call.args;
    const Expr *first;
    if (rep->kind != REP_DICT)
        return c_refuse(c, e->at, "the C target cannot infer the type of this `dict`\ndeclare "
                        "the type, such as `dict[str, int]`");
    if (args.len > 0) {
        first = c_bound(c, args.at[0], c_steady(c, c_expr(c, args.at[0])));
        args.at = &first;
    }
    Value *values = ARENA_ARRAY(c->arena, Value, given.len);
    for (size_t i = 0; i < given.len; i++) {
        if (given.at[i]->arg == NULL)
            return c_refuse(c, given.at[i]->at, "the C target does not support `**` arguments of "
                            "`dict`");
        values[i] = c_steady(c, c_expr_as(c, given.at[i]->value, rep->element));
    }
    Value dict;
    if (args.len == 0)
        dict = empty_dict(c, rep);
    else if (c_prim_call(c, "dict", e, NULL, args, (KeywordList){0}, rep, &dict))
        dict = c_steady(c, dict);
    else
        return c_refuse(c, e->at, "the C target does not support `dict` with these arguments");
    for (size_t i = 0; i < given.len; i++)
        put(c, dict, given.at[i]->arg, values[i], given.at[i]->at);
    return dict;
}

Value c_typed_dict(CEmit *c, const Expr *e, const CName *class_)
{
    KeywordList given = e->call.keywords;
    Value dict = empty_dict(c, rep_of(c, c_annotation(c, class_->ty), e->at));
    for (size_t i = 0; i < given.len; i++)
        if (given.at[i]->arg != NULL)
            put_key(c, class_->def, dict, given.at[i]->arg, given.at[i]->value);
        else
            (void)c_refuse(c, given.at[i]->at, "the C target supports a call of a `TypedDict` only "
                           "with keyword arguments");
    if (e->call.args.len > 0)
        return c_refuse(c, e->at, "the C target supports a call of a `TypedDict` only with keyword "
                        "arguments");
    return dict;
}

// {"key": 7}, where a TypedDict is wanted
bool c_typed_display(CEmit *c, const Expr *e, Value *out)
{
    const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
    const CName *n = e->kind == EXPR_DICT && t && t->kind == TY_NAMED
        ? c_global(c, t->named.name) : NULL;
    if (n == NULL || n->kind != CNAME_TYPE || n->def == NULL)
        return false;
    *out = empty_dict(c, rep_of(c, c_annotation(c, n->ty), e->at));
    for (size_t i = 0; i < e->dict.values.len; i++) {
        const Expr *key = e->dict.keys.at[i];
        const Const *k = key != NULL && key->kind == EXPR_CONSTANT ? key->constant.value : NULL;
        if (k != NULL && k->kind == CONST_STR)
            put_key(c, n->def, *out, names_intern(c->names, k->text.at, k->text.len),
                    e->dict.values.at[i]);
        else
            (void)c_refuse(c, e->at, "the C target supports only string literals as keys of a "
                           "`TypedDict`");
    }
    return true;
}

// ---- views ----

Value c_unless_view(CEmit *c, const Expr *e, Value v)
{
    static const char *const VIEWS[] = {"dict_keys", "dict_values", "dict_items", "KeysView",
                                        "ValuesView", "ItemsView", NULL};
    const Ty *t = e->ty != NULL ? c_ty(c, e->ty) : NULL;
    if (v.rep->kind != REP_ITERATOR || v.hold == HOLD_OWNED || e->kind == EXPR_CALL || t == NULL
        || t->kind != TY_NAMED || !sym_is_one_of(t->named.name, VIEWS))
        return v;
    return c_call(c, v.rep, c_text(c, "pychoral_iter(%s, %s)", v.rep->element->row,
                                   c_ref(c, c_place(c, v))), true);
}

// What an index of unknown type is and does shows only when the program runs.
bool c_has_open_index(CEmit *c, const Rep *base, const Expr *slice)
{
    bool indexed = base->kind == REP_LIST || base->kind == REP_SEQUENCE || base->kind == REP_STR
                   || base->kind == REP_BYTES || base->kind == REP_RANGE;
    return indexed && slice->ty != NULL && rep_or_object(c, slice)->kind == REP_OBJECT;
}
