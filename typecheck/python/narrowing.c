// narrowing.c - what a test says of a type: what remains of it on either side.

#include <string.h>

#include "typecheck/python/python.h"

bool pyt_plain(const Ty *t) {
    if (type_unknown(t)) return false;
    switch (t->kind) {
    case TY_NONE_TYPE: case TY_LITERAL: return true;
    case TY_NAMED:
        if (strchr(t->named.name, '.') != NULL || strchr(t->named.name, '\'') != NULL) return false;
        for (size_t i = 0; i < t->named.args.len; i++)
            if (!pyt_plain(t->named.args.at[i])) return false;
        return !type_is(t, "type") && !type_is(t, "module") && !type_is(t, "NoReturn");
    case TY_TUPLE:
        for (size_t i = 0; i < t->tuple.items.len; i++)
            if (!pyt_plain(t->tuple.items.at[i])) return false;
        return true;
    case TY_UNION:
        for (size_t i = 0; i < t->union_.items.len; i++)
            if (!pyt_plain(t->union_.items.at[i])) return false;
        return true;
    case TY_POISON: case TY_ANY: case TY_INST: case TY_CALLABLE: case TY_PLACED:
    case TY_TYPE_VAR: case TY_COUNT: return false;
    }
    return false;
}

static const Ty *keep(Py *py, const Ty *t, bool (*wanted)(Py *, const Ty *, const Ty *, bool),
                      const Ty *other, bool truth) {
    TyList items = pyt_items(&t);
    Vec(const Ty *) rest = {0};
    for (size_t i = 0; i < items.len; i++)
        if (wanted(py, items.at[i], other, truth)) vec_push(py->arena, &rest, items.at[i]);
    if (rest.len == items.len) return t;
    return pyt_union_all(py, (TyList){rest.at, rest.len});
}

static bool not_none(Py *py, const Ty *t, const Ty *other, bool truth) {
    (void)py, (void)other, (void)truth;
    return t->kind != TY_NONE_TYPE;
}

const Ty *pyt_without_none(Py *py, const Ty *t) {
    return t == NULL || type_unknown(t) ? t : keep(py, t, not_none, NULL, true);
}

// Values that are always true: instances of classes that say nothing of their truth or length.
static bool can_be(Py *py, const Ty *t, const Ty *other, bool truth) {
    (void)other;
    if (t->kind == TY_NONE_TYPE) return !truth;
    if (t->kind == TY_LITERAL) {
        const Const *c = t->literal.value;
        bool is = c->kind == CONST_BOOL ? c->truth
            : c->kind == CONST_INT ? !(c->text.len == 1 && c->text.at[0] == '0') : c->text.len > 0;
        return is == truth;
    }
    if (truth || t->kind != TY_NAMED) return true;
    PyClass *c = pyt_class(py, t->named.name);
    if (c == NULL) return true;
    pyt_class_ready(c);
    if (c->open || c->is_protocol || type_is(t, "object")) return true;
    return pyt_member(py, t, names_get(py->names, "__bool__")) != NULL ||
        pyt_member(py, t, names_get(py->names, "__len__")) != NULL || !c->is_enum;
}

const Ty *pyt_truthy(Py *py, const Ty *t, bool truth) {
    return t == NULL || type_unknown(t) ? t : keep(py, t, can_be, NULL, truth);
}

// The instance types that the second argument of isinstance stands for; NULL: not known.
static const Ty *instances(Py *py, const Ty *classes) {
    if (type_unknown(classes)) return NULL;
    if (classes->kind == TY_TUPLE) {
        const Ty *all = NULL;
        for (size_t i = 0; i < classes->tuple.items.len; i++) {
            const Ty *one = instances(py, classes->tuple.items.at[i]);
            if (one == NULL) return NULL;
            all = pyt_union(py, all, one);
        }
        return all;
    }
    if (classes->kind == TY_UNION || classes->kind != TY_NAMED) return NULL;
    return type_is(classes, "type") && classes->named.args.len == 1 ? classes->named.args.at[0]
                                                                    : NULL;
}

static bool nominal(Py *py, const Ty *t, const Ty *c) {
    if (c->kind != TY_NAMED) return pyt_fits(py, t, c);
    PyClass *k = pyt_class(py, c->named.name);
    if (k == NULL || type_is(c, "object")) return true;
    pyt_class_ready(k);
    if (t->kind == TY_CALLABLE) return k->is_protocol;
    return pyt_as(py, t, k) != NULL || (k->is_protocol && pyt_fits(py, t, c));
}

// One alternative of the variable against one class: what a value of both is.
static const Ty *meet(Py *py, const Ty *t, const Ty *c) {
    if (type_unknown(t)) return c;
    if (nominal(py, t, c)) return t;
    PyClass *has = pyt_class_of(py, t), *wants = pyt_class_of(py, c);
    if (t->kind == TY_TYPE_VAR || has == NULL || wants == NULL) return c;
    pyt_class_ready(has);
    pyt_class_ready(wants);
    const Ty *base = pyt_as(py, pyt_class_self(wants), has);
    if (base != NULL) {                     // a subclass: its parameters as far as known
        PySolver s = pyt_solver(py, wants->params);
        pyt_solve(&s, base, t);
        return pyt_solved(&s, pyt_class_self(wants), py->any);
    }
    if (type_is(t, "object") || has->is_protocol || wants->is_protocol) return c;
    if (has->open || wants->open) return c;
    if (has->module->stub && wants->module->stub) return NULL;      // int and str: no value is both
    if (type_is(t, "int") || type_is(t, "str") || type_is(t, "float") || type_is(t, "bool"))
        return NULL;
    return has->module->stub || py->notes != NULL ? NULL : c;       // in C one class has one base
}

const Ty *pyt_isinstance(Py *py, const Ty *t, const Ty *classes, bool truth) {
    const Ty *c = instances(py, classes);
    if (c == NULL || t == NULL) return truth ? py->any : t;
    if (type_unknown(t)) return truth ? c : t;
    TyList items = pyt_items(&t), wanted = pyt_items(&c);
    const Ty *all = type_named(py->p, "NoReturn");
    for (size_t i = 0; i < items.len; i++) {
        bool taken = false;
        for (size_t j = 0; j < wanted.len; j++) {
            const Ty *both = meet(py, items.at[i], wanted.at[j]);
            if (truth && both != NULL) all = pyt_union(py, all, both);
            taken |= nominal(py, items.at[i], wanted.at[j]) && !type_unknown(items.at[i]);
        }
        if (!truth && !taken) all = pyt_union(py, all, items.at[i]);
    }
    return all;
}

static bool may_equal(Py *py, const Ty *t, const Ty *other, bool truth) {
    bool literal = other->kind == TY_LITERAL || other->kind == TY_NONE_TYPE;
    if (!truth) return !(literal && pyt_same(py, t, other));
    if (t->kind == TY_LITERAL && other->kind == TY_LITERAL) return pyt_same(py, t, other);
    if (t->kind == TY_NONE_TYPE) return pyt_fits(py, t, other) || other->kind == TY_UNION;
    return true;
}

static bool may_be_none(Py *py, const Ty *t, const Ty *other, bool truth) {
    (void)other, (void)truth;
    return t->kind == TY_TYPE_VAR || type_unknown(t) || type_is(t, "object") ||
        t->kind == TY_NONE_TYPE || t->kind == TY_INST || t->kind == TY_PLACED ||
        (t->kind == TY_NAMED && pyt_class_of(py, t) == NULL);
}

// After `x == v` (truth) or `x != v`: what x may be.
const Ty *pyt_equal(Py *py, const Ty *t, const Ty *other, bool truth) {
    if (t == NULL || type_unknown(t) || other == NULL || type_unknown(other)) return t;
    if (other->kind == TY_UNION) return t;
    if (other->kind == TY_NONE_TYPE && truth && t->kind == TY_UNION) {
        const Ty *none = keep(py, t, may_be_none, NULL, true);
        return pyt_is_never(none) ? t : none;
    }
    return keep(py, t, may_equal, other, truth);
}
