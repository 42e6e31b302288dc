// origins.c - one walk against the direction of assignments, for all rules.

#include "compiler/distribute/origins.h"

enum { MAX_DEPTH = 16 };       // of items within items

static void go(Origins *o, const Expr *e, const Binding *by);

static void lose(Origins *o, const Expr *e)
{
    if (o->lost == NULL)
        o->lost = e;
}

static void go_all(Origins *o, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        go(o, list.at[i], NULL);
}

// `a, b = f()`, where it is known what f returns: there is another binding of that part.
static bool is_known_part(const Scan *s, const Binding *part)
{
    for EACH_BINDING(b, s, part->slot)
        if (b->stmt == part->stmt && b->how == BIND_VALUE)
            return true;
    return false;
}

// `values.append(x)`: what a slot is filled with by its methods.
static void go_filled(Origins *o, const Slot *slot)
{
    static const char *const FILLS[] = {"append", "extend", "insert", "update", "add",
                                        "setdefault", NULL};
    for (size_t i = 0; i < o->s->calls.len; i++) {
        const Expr *call = o->s->calls.at[i].call, *f = call->call.func;
        if (f->kind == EXPR_ATTRIBUTE && sym_is_one_of(f->attribute.attr, FILLS) &&
            scan_slot(o->s, f->attribute.value) == slot)
            go_all(o, call->call.args);
    }
}

bool origins_walk_binding(Origins *o, const Binding *b)
{
    if (expr_is_none(b->value) || (b->how == BIND_PART && is_known_part(o->s, b)) ||
        (!o->contents && b->how != BIND_VALUE && b->how != BIND_PART))
        return false;
    go(o, b->value, b);
    return true;
}

static bool go_slot(Origins *o, const Slot *slot)
{
    bool known = false;
    for EACH_BINDING(b, o->s, slot)
        known |= origins_walk_binding(o, b);
    if (o->contents)
        go_filled(o, slot);
    return known;
}

// ---- items ----

static bool is_other_key(const Expr *key, const Expr *wanted)
{
    return key != NULL && key->kind == EXPR_CONSTANT && wanted->kind == EXPR_CONSTANT &&
           !ir_equal_expr(key, wanted);
}

static void go_item(Origins *o, const Expr *key, const Expr *value)
{
    o->key = key;
    go(o, value, NULL);
    o->key = NULL;
}

static bool go_items(Origins *o, const Expr *dict, const Expr *wanted);

static bool go_items_of_slot(Origins *o, const Slot *slot, const Expr *wanted)
{
    bool known = slot != NULL && slot->first != 0;
    for EACH_BINDING(b, o->s, slot) {
        if (b->how == BIND_MORE)                // `d[k] = v`
            go_item(o, NULL, b->value);
        else
            known &= b->how == BIND_VALUE && go_items(o, b->value, wanted);
    }
    if (slot != NULL)
        go_filled(o, slot);
    return known;
}

static bool go_display(Origins *o, const Expr *dict, const Expr *wanted)
{
    bool known = true;
    for (size_t i = 0; i < dict->dict.keys.len; i++) {
        const Expr *key = dict->dict.keys.at[i];
        known &= key != NULL;
        if (!is_other_key(key, wanted))
            go_item(o, key, dict->dict.values.at[i]);
    }
    return known;
}

// `dict[wanted]`: one item, or any where the key is not a constant. False: what it is, is unknown.
static bool go_items(Origins *o, const Expr *dict, const Expr *wanted)
{
    const Slot *slot = scan_slot(o->s, dict);
    bool known = true;
    if (slot != NULL) {
        known = ++o->depth < MAX_DEPTH && go_items_of_slot(o, slot, wanted);
        o->depth--;
    } else if (dict->kind == EXPR_DICT) {
        known = go_display(o, dict, wanted);
    } else if (dict->kind == EXPR_DICT_COMP) {
        go_item(o, dict->dict_comp.key, dict->dict_comp.value);
    } else if (dict->kind == EXPR_LIST || dict->kind == EXPR_TUPLE) {
        go_all(o, dict->kind == EXPR_LIST ? dict->list.elts : dict->tuple.elts);
    } else if (call_is_name(dict, "dict") && dict->call.args.len == 0) {
        for (size_t i = 0; i < dict->call.keywords.len; i++)
            go(o, dict->call.keywords.at[i]->value, NULL);
    } else {
        known = false;
    }
    return known;
}

// ---- the walk ----

typedef struct Parts { Origins *o; const Expr *whole; } Parts;

static bool see_part(void *cx, const Expr *e)
{
    const Parts *parts = cx;
    if (e != parts->whole)
        go(parts->o, e, NULL);
    return e == parts->whole;
}

static void go_variable(Origins *o, const Expr *e)
{
    const Slot *slot = scan_slot(o->s, e);
    if (slot != NULL && table_get(o->seen, slot) != NULL)
        return;
    if (slot != NULL)
        table_set(o->seen, slot, o);
    if (!go_slot(o, slot))
        lose(o, e);
}

static void go_call(Origins *o, const Expr *e, const Binding *by)
{
    const Func *callee = scan_callee(o->s, e);
    bool known = callee != NULL && callee->returns.len > 0;
    bool passed = known && table_get(o->seen, callee) != NULL;
    if (known)
        table_set(o->seen, callee, o);
    for (size_t i = 0; known && !passed && i < callee->returns.len; i++)
        go(o, callee->returns.at[i], by);
    if (!known)
        lose(o, e);
}

static void go_parts(Origins *o, const Expr *e)
{
    Parts parts = {o, e};
    const IrWalker w = {.cx = &parts, .expr = see_part};
    ir_walk_expr(&w, e);
}

static void go(Origins *o, const Expr *e, const Binding *by)
{
    e = expr_unwrap(e);
    const Expr *from = o->asked(o->cx, e, by);
    if (from == NULL)
        return;
    if (from != e) {
        go(o, from, by);
    } else if (e->kind == EXPR_IF_EXP && !o->contents) {
        go(o, e->if_exp.body, by);
        go(o, e->if_exp.orelse, by);
    } else if (e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE) {
        go_variable(o, e);
    } else if (e->kind == EXPR_NAMED_EXPR) {
        go(o, e->named_expr.value, by);
    } else if (e->kind == EXPR_SUBSCRIPT) {
        if (!go_items(o, e->subscript.value, e->subscript.slice))
            lose(o, e);
    } else {
        if (e->kind == EXPR_CALL)
            go_call(o, e, by);
        else
            lose(o, e);
        if (o->contents)
            go_parts(o, e);
    }
}

void origins_walk(Origins *o, const Expr *e) { go(o, e, NULL); }

typedef struct Any { OriginIs *is; void *cx; bool found; } Any;

static const Expr *see_any(void *cx, const Expr *e, const Binding *by)
{
    Any *k = cx;
    (void)by;
    k->found = k->found || k->is(k->cx, e);
    return k->found ? NULL : e;
}

bool origins_any(Scan *s, const Expr *e, OriginIs *is, void *cx)
{
    Any k = {is, cx, false};
    Origins o = {.s = s, .asked = see_any, .cx = &k, .contents = true, .seen = table_new(s->arena)};
    origins_walk(&o, e);
    return k.found;
}
