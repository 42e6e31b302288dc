// subtype.c - where a value of one type may be used as another; joins; what a message says of it.
//
// Any fits everything, and so does what nothing is known of. Names are nominal, protocols
// structural. A display that nobody else has seen may be what its context wants: `[1]` is a
// list[float] where one is asked for.

#include "compiler/ir/ty.h"
#include "typecheck/python/python.h"

// ---- equality ----

static bool same_all(Py *py, TyList a, TyList b) {
    if (a.len != b.len) return false;
    for (size_t i = 0; i < a.len; i++)
        if (!pyt_same(py, a.at[i], b.at[i])) return false;
    return true;
}

static bool same_union(Py *py, TyList a, TyList b) {
    for (size_t i = 0; i < a.len; i++) {
        bool found = false;
        for (size_t j = 0; j < b.len && !found; j++) found = pyt_same(py, a.at[i], b.at[j]);
        if (!found) return false;
    }
    return a.len == b.len;
}

bool pyt_same(Py *py, const Ty *a, const Ty *b) {
    if (a == b) return true;
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case TY_NAMED:
        return a->named.name == b->named.name && same_all(py, a->named.args, b->named.args);
    case TY_TUPLE: return same_all(py, a->tuple.items, b->tuple.items);
    case TY_UNION: return same_union(py, a->union_.items, b->union_.items);
    case TY_CALLABLE:
        return pyt_sigs_of(py, a) == pyt_sigs_of(py, b) &&
            same_all(py, a->callable.params, b->callable.params) &&
            pyt_same(py, a->callable.result, b->callable.result);
    case TY_POISON: case TY_ANY: case TY_NONE_TYPE: return true;
    case TY_TYPE_VAR: return a->type_var.name == b->type_var.name;
    case TY_LITERAL: return const_equal(a->literal.value, b->literal.value);
    case TY_INST: case TY_PLACED: return ir_equal_ty(a, b);
    case TY_COUNT: return false;
    }
    return false;
}

const Const *pyt_constant(Py *py, const Expr *e) { return ty_constant(py->arena, e); }

const Ty *pyt_erase_literal(Py *py, const Ty *t) {
    if (t->kind == TY_LITERAL) return pyt_const_type(py, t->literal.value);
    if (t->kind != TY_UNION) return t;
    bool any = false;
    for (size_t i = 0; i < t->union_.items.len; i++)
        any |= t->union_.items.at[i]->kind == TY_LITERAL;
    if (!any) return t;
    const Ty **items = ARENA_ARRAY(py->arena, const Ty *, t->union_.items.len);
    for (size_t i = 0; i < t->union_.items.len; i++)
        items[i] = pyt_erase_literal(py, t->union_.items.at[i]);
    return pyt_union_all(py, (TyList){items, t->union_.items.len});
}

// ---- callables ----

typedef struct Positional { const PySig *sig; size_t next; } Positional;

// The type that a call with one more positional argument gives to a parameter; NULL: no room.
static const Ty *next_positional(Positional *p) {
    while (p->next < p->sig->params.len) {
        const PyParam *q = &p->sig->params.at[p->next];
        if (q->kind == PYPARAM_REST) return q->type;
        if (q->kind == PYPARAM_KEYWORD || q->kind == PYPARAM_KEYWORDS) return NULL;
        p->next++;
        return q->type;
    }
    return NULL;
}

static const PyParam *keyword_param(const PySig *s, Sym name) {
    const PyParam *rest = NULL;
    for (size_t i = 0; i < s->params.len; i++) {
        const PyParam *q = &s->params.at[i];
        if (q->name == name && q->kind != PYPARAM_POSITIONAL && q->kind != PYPARAM_REST) return q;
        if (q->kind == PYPARAM_KEYWORDS) rest = q;
    }
    return rest;
}

static const Ty *erased(Py *py, const PySig *s, const Ty *t) {
    if (s->own.len == 0) return t;
    const Ty **any = ARENA_ARRAY(py->arena, const Ty *, s->own.len);
    for (size_t i = 0; i < s->own.len; i++) any[i] = py->any;
    return pyt_substitute(py, t, s->own, (TyList){any, s->own.len});
}

static bool params_fit(Py *py, const PySig *from, const PySig *to) {
    if (from->any_args || to->any_args) return true;
    Positional p = {from, 0};
    for (size_t i = 0; i < to->params.len; i++) {
        const PyParam *q = &to->params.at[i];
        const Ty *into = NULL;
        if (q->kind == PYPARAM_REST || q->kind == PYPARAM_KEYWORDS) continue;
        if (q->kind == PYPARAM_KEYWORD) {
            const PyParam *k = keyword_param(from, q->name);
            into = k != NULL ? k->type : NULL;
        } else into = next_positional(&p);
        if (into == NULL || !pyt_fits(py, erased(py, to, q->type), erased(py, from, into)))
            return false;
    }
    for (size_t i = p.next; i < from->params.len; i++) {
        const PyParam *q = &from->params.at[i];
        if (q->optional || q->kind == PYPARAM_REST || q->kind == PYPARAM_KEYWORDS) continue;
        if (q->kind != PYPARAM_KEYWORD || keyword_param(to, q->name) == NULL) return false;
    }
    return true;
}

static bool sig_fits(Py *py, const PySig *from, const PySig *to) {
    return params_fit(py, from, to) &&
        pyt_fits(py, erased(py, from, from->result), erased(py, to, to->result));
}

static PySigs sigs_of(Py *py, const Ty *t) {
    const PySigs *known = pyt_sigs_of(py, t);
    if (known != NULL) return *known;
    const PySig **one = ARENA_NEW(py->arena, const PySig *);
    *one = pyt_sig_of_callable(py, t);
    return (PySigs){one, 1};
}

static bool sigs_fit(Py *py, PySigs from, PySigs to) {
    for (size_t i = 0; i < to.len; i++) {
        bool found = from.len == 0;
        for (size_t j = 0; j < from.len && !found; j++) found = sig_fits(py, from.at[j], to.at[i]);
        if (!found) return false;
    }
    return true;
}

static bool callable_fits(Py *py, const Ty *from, const Ty *to) {
    if (from->kind == TY_CALLABLE) return sigs_fit(py, sigs_of(py, from), sigs_of(py, to));
    if (from->kind != TY_NAMED) return false;
    if (type_is(from, "type") && from->named.args.len == 1) {
        const Ty *made = from->named.args.at[0];
        PyClass *c = made->kind == TY_NAMED ? pyt_class(py, made->named.name) : NULL;
        return c == NULL || sigs_fit(py, pyt_constructor(py, c, made), sigs_of(py, to));
    }
    PyClass *c = pyt_class(py, from->named.name);
    if (c == NULL || type_is(from, "type") || type_is(from, "function")) return true;
    pyt_class_ready(c);
    const Ty *call = pyt_member(py, from, names_get(py->names, "__call__"));
    return call != NULL ? pyt_fits(py, call, to) : c->open;
}

// ---- protocols ----

// Is the value itself what is called, by whatever it is made of?
static bool is_function(const Ty *t) {
    return t->kind == TY_CALLABLE || (type_is(t, "type") && t->named.args.len == 1);
}

static bool protocol_members_fit(Py *py, const Ty *from, const Ty *to, PyClass *c) {
    for (size_t i = 0; i < c->env->order.len; i++) {
        Sym name = c->env->order.at[i];
        PySym *s = table_get(c->env->symbols, name);
        if (s->kind != PYSYM_FUNCTION && s->kind != PYSYM_VARIABLE) continue;
        if (sym_is(name, "__slots__") || sym_is(name, "__doc__")) continue;
        bool called = sym_is(name, "__call__") && is_function(from);
        const Ty *has = called ? from : pyt_member(py, from, name);
        const Ty *wants = pyt_member(py, to, name);
        if (has == NULL || (wants != NULL && !pyt_fits(py, has, wants))) return false;
    }
    for (size_t i = 0; i < c->bases.len; i++) {
        const Ty *base = pyt_bind_class(py, c->bases.at[i], c, to);
        PyClass *b = base->kind == TY_NAMED ? pyt_class(py, base->named.name) : NULL;
        if (b == NULL || sym_is(b->name, "object")) continue;
        pyt_class_ready(b);
        if (!protocol_members_fit(py, from, base, b)) return false;
    }
    return true;
}

static bool protocol_fits(Py *py, const Ty *from, const Ty *to, PyClass *c) {
    if (type_is(from, "module")) return true;
    for (int i = 0; i < py->protocol; i++)
        if (pyt_same(py, py->protocol_from[i], from) && pyt_same(py, py->protocol_to[i], to))
            return true;            // while it is being asked, it holds
    if (py->protocol == 32) return true;
    py->protocol_from[py->protocol] = from;
    py->protocol_to[py->protocol++] = to;
    bool fits = protocol_members_fit(py, from, to, c);
    py->protocol--;
    return fits;
}

// ---- nominal ----

static int tower(const Ty *t) {
    return type_is(t, "bool") ? 0 : type_is(t, "int") ? 1 : type_is(t, "float") ? 2
        : type_is(t, "complex") ? 3 : -1;
}

static bool promotes(const Ty *from, const Ty *to) {
    if (tower(from) >= 0 && tower(from) <= tower(to)) return true;
    return type_is(to, "bytes") && (type_is(from, "bytearray") || type_is(from, "memoryview"));
}

// A subclass of a number is promoted as the number is.
static bool base_promotes(Py *py, const Ty *from, const Ty *to) {
    const Ty *numbers[] = {py->int_, py->float_};
    for (size_t i = 0; i < 2; i++)
        if (tower(to) > tower(numbers[i]) &&
            pyt_as(py, from, pyt_class(py, numbers[i]->named.name)) != NULL)
            return true;
    return false;
}

static bool arg_fits(Py *py, const Ty *from, const Ty *to, PyClass *c, size_t i) {
    if (type_unknown(from) || type_unknown(to)) return true;
    PyTypeVar *v = i < c->params.len ? table_get(py->type_vars, c->params.at[i]) : NULL;
    int variance = sym_is(c->name, "tuple") || sym_is(c->name, "type") ? 1
        : v != NULL ? v->variance : 0;
    if (variance > 0) return pyt_fits(py, from, to);
    if (variance < 0) return pyt_fits(py, to, from);
    return pyt_same(py, from, to) || (pyt_fits(py, from, to) && pyt_fits(py, to, from));
}

static bool args_fit(Py *py, TyList from, TyList to, PyClass *c) {
    if (from.len != to.len) return true;
    for (size_t i = 0; i < from.len; i++)
        if (!arg_fits(py, from.at[i], to.at[i], c, i)) return false;
    return true;
}

static bool named_fits(Py *py, const Ty *from, const Ty *to) {
    if (promotes(from, to) && (py->apart == 0 || tower(to) <= 1)) return true;
    PyClass *a = pyt_class(py, from->named.name), *b = pyt_class(py, to->named.name);
    if (a == NULL || b == NULL) return true;            // nothing is known of it
    pyt_class_ready(a);
    pyt_class_ready(b);
    const Ty *base = pyt_as(py, from, b);
    if (base != NULL) return args_fit(py, base->named.args, to->named.args, b);
    if (b->is_protocol) return protocol_fits(py, from, to, b);
    if (py->apart == 0 && base_promotes(py, from, to)) return true;
    if (b->is_typed_dict && type_is(from, "dict")) return true;
    return a->open;
}

static bool tuple_fits(Py *py, const Ty *from, const Ty *to) {
    if (from->kind == TY_TUPLE && to->kind == TY_TUPLE) {
        if (from->tuple.items.len != to->tuple.items.len) return false;
        for (size_t i = 0; i < from->tuple.items.len; i++)
            if (!pyt_fits(py, from->tuple.items.at[i], to->tuple.items.at[i])) return false;
        return true;
    }
    if (to->kind == TY_TUPLE) {
        PyClass *c = pyt_class_of(py, from);
        if (c == NULL) return from->kind == TY_NAMED;
        pyt_class_ready(c);
        bool any = type_is(from, "tuple") && (from->named.args.len == 0 ||
                                              type_unknown(from->named.args.at[0]));
        if (any || c->open) return true;
        const Ty *parts = pyt_named_tuple(py, from);
        return parts != from ? pyt_fits(py, parts, to) : c->is_tuple && !type_is(from, "tuple");
    }
    if (to->kind != TY_NAMED) return false;
    PyClass *c = pyt_class(py, to->named.name);
    if (c == NULL) return true;
    pyt_class_ready(c);
    const Ty *base = pyt_as(py, from, c);
    if (base != NULL) return args_fit(py, base->named.args, to->named.args, c);
    return c->is_protocol && protocol_fits(py, from, to, c);
}

static bool var_fits(Py *py, const Ty *from, const Ty *to) {
    if (to->kind == TY_TYPE_VAR)
        return from->kind == TY_TYPE_VAR && from->type_var.name == to->type_var.name;
    PyTypeVar *v = table_get(py->type_vars, from->type_var.name);
    if (v == NULL) return sym_is(from->type_var.name, "Self");
    for (size_t i = 0; i < v->constraints.len; i++)
        if (!pyt_fits(py, v->constraints.at[i], to)) return false;
    return v->constraints.len > 0 || pyt_fits(py, v->bound != NULL ? v->bound : py->object, to);
}

static bool none_fits(Py *py, const Ty *to) {
    if (to->kind == TY_NONE_TYPE) return true;
    PyClass *c = to->kind == TY_NAMED ? pyt_class(py, to->named.name) : NULL;
    if (c == NULL) return to->kind == TY_NAMED;
    pyt_class_ready(c);
    return (c->is_protocol && protocol_fits(py, py->none, to, c)) || sym_is(c->name, "NoneType");
}

static bool fits(Py *py, const Ty *from, const Ty *to) {
    if (from->kind == TY_UNION) {
        for (size_t i = 0; i < from->union_.items.len; i++)
            if (!pyt_fits(py, from->union_.items.at[i], to)) return false;
        return true;
    }
    if (to->kind == TY_UNION) {
        for (size_t i = 0; i < to->union_.items.len; i++)
            if (pyt_fits(py, from, to->union_.items.at[i])) return true;
        if (from->kind != TY_TYPE_VAR) return false;
    }
    if (from->kind == TY_TYPE_VAR || to->kind == TY_TYPE_VAR) {
        if (from->kind != TY_TYPE_VAR) return false;
        return var_fits(py, from, to);
    }
    if (to->kind == TY_LITERAL)
        return from->kind == TY_LITERAL && const_equal(from->literal.value, to->literal.value);
    if (from->kind == TY_LITERAL) return pyt_fits(py, pyt_erase_literal(py, from), to);
    if (from->kind == TY_NONE_TYPE) return none_fits(py, to);
    if (to->kind == TY_NONE_TYPE) return from->kind == TY_NAMED && pyt_class_of(py, from) == NULL;
    if (to->kind == TY_CALLABLE) return callable_fits(py, from, to);
    if (from->kind == TY_CALLABLE) {
        PyClass *c = to->kind == TY_NAMED ? pyt_class(py, to->named.name) : NULL;
        if (c == NULL) return to->kind == TY_NAMED;
        pyt_class_ready(c);
        return sym_is(c->name, "function") || (c->is_protocol && protocol_fits(py, from, to, c));
    }
    if (from->kind == TY_TUPLE || to->kind == TY_TUPLE) return tuple_fits(py, from, to);
    return named_fits(py, from, to);
}

// `Unit.id` may stand for anything.
static bool is_unit(Py *py, const Ty *t) {
    return t->kind == TY_NAMED && t->named.name == pyt_known(py, "Unit");
}

bool pyt_fits(Py *py, const Ty *from, const Ty *to) {
    if (type_unknown(from) || type_unknown(to) || from == to) return true;
    bool several = from->kind == TY_INST || to->kind == TY_INST || from->kind == TY_PLACED ||
        to->kind == TY_PLACED;
    if (several) return type_fits(py->p, from, to);
    if (type_is(to, "object") || pyt_is_never(from)) return true;
    if (py->notes != NULL && is_unit(py, from)) return true;
    if (pyt_is_never(to)) return false;
    if (py->depth > 60) return true;
    py->depth++;
    bool ok = fits(py, from, to);
    py->depth--;
    return ok;
}

// ---- displays ----

static const Ty *type_of(Py *py, const Expr *e) {
    if (e->ty != NULL && py->notes == NULL) return e->ty;
    const Ty *t = table_get(py->seen, e);
    return t != NULL ? t : py->any;
}

static bool part_fits(Py *py, const Expr *e, const Ty *to) {
    if (e == NULL || e->kind == EXPR_STARRED) return true;
    return pyt_expr_fits(py, e, type_of(py, e), to);
}

// What the elements of a `kind[...]` must be for it to be a `to`; NULL: it cannot be one.
static const Ty *wanted_item(Py *py, const char *kind, const Ty *to, size_t i) {
    if (to->kind != TY_NAMED || to->named.args.len == 0) return NULL;
    PyClass *k = pyt_class(py, names_get(py->names, kind)), *c = pyt_class(py, to->named.name);
    if (k == NULL || c == NULL) return NULL;
    const Ty *self = pyt_class_self(k), *base = pyt_as(py, self, c);
    if (base == NULL && c->is_protocol) return i == 0 ? to->named.args.at[0] : NULL;
    for (size_t j = 0; base != NULL && j < base->named.args.len && j < to->named.args.len; j++)
        if (base->named.args.at[j]->kind == TY_TYPE_VAR &&
            base->named.args.at[j]->type_var.name == k->params.at[i])
            return to->named.args.at[j];
    return base != NULL ? py->any : NULL;
}

static bool elements_fit(Py *py, ExprList elts, const char *kind, const Ty *to) {
    const Ty *item = wanted_item(py, kind, to, 0);
    for (size_t i = 0; item != NULL && i < elts.len; i++)
        if (!part_fits(py, elts.at[i], item)) return false;
    return item != NULL;
}

static bool typed_dict_fits(Py *py, const Ty *to) {
    PyClass *c = to->kind == TY_NAMED ? pyt_class(py, to->named.name) : NULL;
    if (c != NULL) pyt_class_ready(c);
    return c != NULL && (c->is_typed_dict || c->open);
}

static bool dict_fits(Py *py, const Expr *e, const Ty *to) {
    if (typed_dict_fits(py, to)) return true;
    const Ty *key = wanted_item(py, "dict", to, 0), *value = wanted_item(py, "dict", to, 1);
    if (key == NULL) return false;
    for (size_t i = 0; i < e->dict.values.len; i++) {
        if (e->dict.keys.at[i] == NULL) continue;
        if (!part_fits(py, e->dict.keys.at[i], key)) return false;
        if (value != NULL && !part_fits(py, e->dict.values.at[i], value)) return false;
    }
    return true;
}

static bool tuple_display_fits(Py *py, const Expr *e, const Ty *to) {
    if (to->kind != TY_TUPLE) return elements_fit(py, e->tuple.elts, "tuple", to);
    if (to->tuple.items.len != e->tuple.elts.len) return false;
    for (size_t i = 0; i < e->tuple.elts.len; i++)
        if (!part_fits(py, e->tuple.elts.at[i], to->tuple.items.at[i])) return false;
    return true;
}

static bool lambda_fits(Py *py, const Expr *e, const Ty *to) {
    if (to->kind != TY_CALLABLE || pyt_any_params(to)) return to->kind == TY_CALLABLE;
    const Arguments *a = e->lambda.args;
    size_t most = a->posonlyargs.len + a->args.len, n = to->callable.params.len;
    if (n + a->defaults.len < most || (n > most && a->vararg == NULL)) return false;
    return part_fits(py, e->lambda.body, to->callable.result);
}

static bool arms_fit(Py *py, const Expr *e, const Ty *to) {
    for (; e->kind == EXPR_IF_EXP; e = e->if_exp.orelse)
        if (!part_fits(py, e->if_exp.body, to)) return false;
    return part_fits(py, e, to);
}

// `frozenset([1, 2])` where one of literals is wanted: the class takes what it is asked for.
static bool copy_fits(Py *py, const Expr *e, const Ty *from, const Ty *to) {
    static const char *const COPIES[] = {"list", "set", "frozenset", NULL};
    const Expr *f = e->call.func;
    if (f->kind != EXPR_NAME || !sym_is_one_of(f->name.id, COPIES) || !type_is(from, f->name.id) ||
        e->call.args.len != 1 || e->call.keywords.len > 0)
        return false;
    const Ty *item = wanted_item(py, f->name.id, to, 0);
    return item != NULL && part_fits(py, e->call.args.at[0],
        ty_named(py->arena, pyt_known(py, "Iterable"), pyt_list(py, 1, &item)));
}

bool pyt_expr_fits(Py *py, const Expr *e, const Ty *from, const Ty *to) {
    if (pyt_fits(py, from, to)) return true;
    if (e == NULL || to == NULL) return false;
    if (to->kind == TY_UNION) {
        for (size_t i = 0; i < to->union_.items.len; i++)
            if (pyt_expr_fits(py, e, from, to->union_.items.at[i])) return true;
        return e->kind == EXPR_IF_EXP && arms_fit(py, e, to);
    }
    const Const *value = pyt_constant(py, e);
    if (value != NULL) return to->kind == TY_LITERAL && const_equal(value, to->literal.value);
    if (e->kind == EXPR_LIST) return elements_fit(py, e->list.elts, "list", to);
    if (e->kind == EXPR_SET) return elements_fit(py, e->set.elts, "set", to);
    if (e->kind == EXPR_TUPLE) return tuple_display_fits(py, e, to);
    if (e->kind == EXPR_DICT) return dict_fits(py, e, to);
    if (e->kind == EXPR_LIST_COMP)
        return elements_fit(py, (ExprList){&e->list_comp.elt, 1}, "list", to);
    if (e->kind == EXPR_SET_COMP)
        return elements_fit(py, (ExprList){&e->set_comp.elt, 1}, "set", to);
    if (e->kind == EXPR_GENERATOR_EXP)
        return elements_fit(py, (ExprList){&e->generator_exp.elt, 1}, "Generator", to);
    if (e->kind == EXPR_DICT_COMP) {
        const Ty *key = wanted_item(py, "dict", to, 0), *of = wanted_item(py, "dict", to, 1);
        return key != NULL && part_fits(py, e->dict_comp.key, key) &&
            (of == NULL || part_fits(py, e->dict_comp.value, of));
    }
    if (e->kind == EXPR_IF_EXP) return arms_fit(py, e, to);
    if (e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_MULT)        // [None] * n
        return e->bin_op.left->kind == EXPR_LIST && part_fits(py, e->bin_op.left, to);
    if (e->kind == EXPR_PIN) return part_fits(py, e->pin.value, to);
    if (e->kind == EXPR_CALL) return copy_fits(py, e, from, to);
    return e->kind == EXPR_LAMBDA && lambda_fits(py, e, to);
}

// ---- overlap, join ----

// May a value be of both types? Only what is surely apart is not.
bool pyt_overlaps(Py *py, const Ty *a, const Ty *b) {
    if (type_unknown(a) || type_unknown(b)) return true;
    TyList x = pyt_items(&a), y = pyt_items(&b);
    for (size_t i = 0; i < x.len; i++)
        for (size_t j = 0; j < y.len; j++)
            if (pyt_fits(py, x.at[i], y.at[j]) || pyt_fits(py, y.at[j], x.at[i])) return true;
    return false;
}

static const Ty *join_named(Py *py, const Ty *a, const Ty *b) {
    PyClass *c = pyt_class(py, a->named.name);
    if (c == NULL) return py->any;
    pyt_class_ready(c);
    if (a->named.name == b->named.name && a->named.args.len == b->named.args.len) {
        const Ty **args = ARENA_ARRAY(py->arena, const Ty *, a->named.args.len + 1);
        for (size_t i = 0; i < a->named.args.len; i++) {
            const Ty *x = a->named.args.at[i], *y = b->named.args.at[i];
            PyTypeVar *v = i < c->params.len ? table_get(py->type_vars, c->params.at[i]) : NULL;
            bool co = (v != NULL && v->variance > 0) || sym_is(c->name, "type");
            if (!co && !pyt_same(py, x, y)) return py->object;
            args[i] = co ? pyt_join(py, x, y) : x;
        }
        return ty_named(py->arena, a->named.name, (TyList){args, a->named.args.len});
    }
    for (size_t i = 0; i < c->bases.len; i++) {
        const Ty *base = pyt_bind_class(py, c->bases.at[i], c, a);
        if (base->kind != TY_NAMED || type_is(base, "object")) continue;
        if (pyt_fits(py, b, base)) return base;
        const Ty *up = join_named(py, base, b);
        if (!type_is(up, "object")) return up;
    }
    return c->open ? py->any : py->object;
}

static const Ty *tuple_item(Py *py, const Ty *t) {
    const Ty *item = NULL;
    for (size_t i = 0; i < t->tuple.items.len; i++)
        item = pyt_join(py, item, t->tuple.items.at[i]);
    return item != NULL ? item : type_named(py->p, "NoReturn");
}

static const Ty *join_tuples(Py *py, const Ty *a, const Ty *b) {
    size_t n = a->tuple.items.len;
    if (n != b->tuple.items.len)
        return pyt_name1(py, "tuple", pyt_join(py, tuple_item(py, a), tuple_item(py, b)));
    const Ty **items = ARENA_ARRAY(py->arena, const Ty *, n + 1);
    for (size_t i = 0; i < n; i++)
        items[i] = pyt_join(py, a->tuple.items.at[i], b->tuple.items.at[i]);
    return ty_tuple(py->arena, (TyList){items, n});
}

// As Python's type checkers have it: the nearest common base; None and unions stay apart.
const Ty *pyt_join(Py *py, const Ty *a, const Ty *b) {
    if (a == NULL || b == NULL) return a != NULL ? a : b;
    if (type_unknown(a) || type_unknown(b)) return py->any;
    if (pyt_is_never(a)) return b;
    if (pyt_is_never(b)) return a;
    if (a->kind == TY_INST || b->kind == TY_INST || a->kind == TY_PLACED || b->kind == TY_PLACED)
        return pyt_union(py, a, b);
    a = pyt_erase_literal(py, a);
    b = pyt_erase_literal(py, b);
    py->apart += py->notes != NULL;     // an int beside a float stays one
    bool into_b = pyt_fits(py, a, b), into_a = !into_b && pyt_fits(py, b, a);
    py->apart -= py->notes != NULL;
    if (into_b) return b;
    if (into_a) return a;
    if (pyt_fits(py, a, b) || pyt_fits(py, b, a)) return pyt_union(py, a, b);
    if (a->kind == TY_UNION || b->kind == TY_UNION || a->kind == TY_NONE_TYPE ||
        b->kind == TY_NONE_TYPE)
        return pyt_union(py, a, b);
    if (a->kind == TY_TUPLE && b->kind == TY_TUPLE) return join_tuples(py, a, b);
    if (a->kind == TY_CALLABLE && b->kind == TY_CALLABLE)
        return ty_callable(py->arena, pyt_list(py, 1, &py->poison), py->any);
    if (a->kind != TY_NAMED || b->kind != TY_NAMED) return py->object;
    return join_named(py, a, b);
}

// ---- messages ----

static bool invariant_at(Py *py, const Ty *from, const Ty *to, size_t i) {
    PyClass *c = pyt_class(py, to->named.name);
    if (c == NULL || i >= c->params.len) return false;
    PyTypeVar *v = table_get(py->type_vars, c->params.at[i]);
    const Ty *has = from->named.args.at[i], *want = to->named.args.at[i];
    return v != NULL && v->variance == 0 && pyt_fits(py, has, want) && !pyt_same(py, has, want);
}

// What may be None, and how that is found out: only names and paths are known better afterwards.
void pyt_help_test(Py *py, Diag *d, const Expr *e) {
    const Expr *root = e;
    while (root != NULL) {
        bool item = root->kind == EXPR_SUBSCRIPT && root->subscript.slice->kind == EXPR_CONSTANT;
        if (!item && root->kind != EXPR_ATTRIBUTE) break;
        root = item ? root->subscript.value : root->attribute.value;
    }
    const char *text = root != NULL && root->kind == EXPR_NAME ? expr_text(py->p, e) : NULL;
    if (text != NULL && text[0] == '`' && strlen(text) < 60)
        diag_help(d, "test it first: `if %.*s is not None:`", (int)(strlen(text) - 2), text + 1);
    else if (e != NULL)
        diag_help(d, "assign it to a variable, and test the variable first: `if x is not None:`");
    else
        diag_help(d, "test it first: `if x is not None:`");
}

// A text where bytes are wanted, or the other way round.
static bool help_encode(Diag *d, const Expr *e, const Ty *from, const Ty *to) {
    const char *method = type_is(from, "str") && type_is(to, "bytes") ? "encode"
        : type_is(from, "bytes") && type_is(to, "str") ? "decode" : NULL;
    bool plain = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_CALL;
    if (method == NULL) return false;
    Help *h = diag_help(d, "to convert the value, call `.%s()`", method);
    if (plain) diag_edit(d, h, (Span){e->at.end, e->at.end}, ".%s()", method);
    return true;
}

// A text where a number is wanted, or the other way round: that is seldom all there is to change.
static void help_convert(Py *py, Diag *d, const Expr *e, const Ty *from, const Ty *to) {
    bool number = type_is(from, "int") || type_is(from, "float");
    bool text = type_is(from, "str") && (type_is(to, "int") || type_is(to, "float"));
    bool written = e->kind == EXPR_CONSTANT || e->kind == EXPR_JOINED_STR;
    if (!written && help_encode(d, e, from, to)) return;
    if (written || e->kind == EXPR_FORMATTED_VALUE) return;
    if (!text && !(number && type_is(to, "str"))) return;
    const char *value = expr_text(py->p, e);
    bool shown = value[0] == '`';
    Help *h = diag_help(d, "to convert the value, write `%s(%.*s)`", to->named.name,
                        shown ? (int)strlen(value) - 2 : 3, shown ? value + 1 : "...");
    if (!text) return;
    diag_edit(d, h, (Span){e->at.start, e->at.start}, "%s(", to->named.name);
    diag_edit(d, h, (Span){e->at.end, e->at.end}, ")");
}

// `self.size` for `self.size()`.
static bool help_call(Py *py, Diag *d, const Expr *e, const Ty *from, const Ty *to) {
    bool named = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE;
    if (!named || from->kind != TY_CALLABLE || from->callable.params.len > 0 ||
        type_unknown(from->callable.result) || !pyt_fits(py, from->callable.result, to))
        return false;
    diag_edit(d, diag_help(d, "call it"), (Span){e->at.end, e->at.end}, "()");
    return true;
}

// `x: int = fetch()` of an `async def`.
static bool help_awaited(Py *py, Diag *d, const Ty *from, const Ty *to) {
    if (!type_is(from, "Coroutine") || from->named.args.len != 3 ||
        !pyt_fits(py, from->named.args.at[2], to))
        return false;
    diag_help(d, "a call of an `async def` function gives its result only after `await`, which "
                 "needs an `async def` function around it");
    return true;
}

// Says where two types part, if the headline does not show it.
void pyt_explain(Py *py, Diag *d, const Expr *e, const Ty *from, const Ty *to) {
    if (from == NULL || to == NULL) return;
    if (e != NULL && (help_call(py, d, e, from, to) || help_awaited(py, d, from, to))) return;
    if (e != NULL) help_convert(py, d, e, from, to);
    if (from->kind == TY_NONE_TYPE && e != NULL)
        diag_help(d, "if it may be `None`, declare its type as `%s | None`", type_text(py->p, to));
    if (from->kind == TY_UNION) {
        for (size_t i = 0; i < from->union_.items.len; i++) {
            const Ty *one = from->union_.items.at[i];
            if (pyt_fits(py, one, to)) continue;
            diag_note(d, "it may be `%s`", type_text(py->p, one));
            if (one->kind == TY_NONE_TYPE) pyt_help_test(py, d, e);
            return;
        }
    }
    if (from->kind == TY_NAMED && to->kind == TY_NAMED && from->named.name == to->named.name &&
        from->named.args.len == to->named.args.len)
        for (size_t i = 0; i < from->named.args.len; i++)
            if (invariant_at(py, from, to, i)) {
                diag_note(d, "the type arguments of `%s` must be the same, but `%s` is not `%s`",
                          from->named.name, type_text(py->p, from->named.args.at[i]),
                          type_text(py->p, to->named.args.at[i]));
                return;
            }
    if (to->kind == TY_UNION) pyt_note_supports(py, d, (TyList){&to, 1});
    PyClass *c = to->kind == TY_NAMED ? pyt_class(py, to->named.name) : NULL;
    if (c == NULL || !c->is_protocol) return;
    for (size_t i = 0; i < c->env->order.len; i++) {
        Sym name = c->env->order.at[i];
        PySym *s = table_get(c->env->symbols, name);
        if (s->kind == PYSYM_FUNCTION && pyt_member(py, from, name) == NULL) {
            diag_note(d, "`%s` has no `%s`", type_text(py->p, from), name);
            return;
        }
    }
}
