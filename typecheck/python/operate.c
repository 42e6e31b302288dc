// operate.c - operators, subscripts, iteration, `with` and `await`: the methods that Python calls
// for them.

#include <string.h>

#include "typecheck/python/python.h"

static bool quietly(Span at) { return at.end == 0; }

// ---- operators ----

static const char *const METHODS[][3] = {
    [OPERATOR_ADD] = {"__add__", "__radd__", "__iadd__"},
    [OPERATOR_SUB] = {"__sub__", "__rsub__", "__isub__"},
    [OPERATOR_MULT] = {"__mul__", "__rmul__", "__imul__"},
    [OPERATOR_MAT_MULT] = {"__matmul__", "__rmatmul__", "__imatmul__"},
    [OPERATOR_DIV] = {"__truediv__", "__rtruediv__", "__itruediv__"},
    [OPERATOR_MOD] = {"__mod__", "__rmod__", "__imod__"},
    [OPERATOR_POW] = {"__pow__", "__rpow__", "__ipow__"},
    [OPERATOR_L_SHIFT] = {"__lshift__", "__rlshift__", "__ilshift__"},
    [OPERATOR_R_SHIFT] = {"__rshift__", "__rrshift__", "__irshift__"},
    [OPERATOR_BIT_OR] = {"__or__", "__ror__", "__ior__"},
    [OPERATOR_BIT_XOR] = {"__xor__", "__rxor__", "__ixor__"},
    [OPERATOR_BIT_AND] = {"__and__", "__rand__", "__iand__"},
    [OPERATOR_FLOOR_DIV] = {"__floordiv__", "__rfloordiv__", "__ifloordiv__"},
};

const char *const *pyt_operator_methods(Operator op) { return METHODS[op]; }

static const char *const SIGNS[] = {
    [OPERATOR_ADD] = "+", [OPERATOR_SUB] = "-", [OPERATOR_MULT] = "*", [OPERATOR_MAT_MULT] = "@",
    [OPERATOR_DIV] = "/", [OPERATOR_MOD] = "%", [OPERATOR_POW] = "**", [OPERATOR_L_SHIFT] = "<<",
    [OPERATOR_R_SHIFT] = ">>", [OPERATOR_BIT_OR] = "|", [OPERATOR_BIT_XOR] = "^",
    [OPERATOR_BIT_AND] = "&", [OPERATOR_FLOOR_DIV] = "//",
};

static bool constrained(Py *py, const Ty *t) {
    PyTypeVar *v = t->kind == TY_TYPE_VAR ? table_get(py->type_vars, t->type_var.name) : NULL;
    return v != NULL && v->constraints.len > 0;
}

static const Ty *binary_one(Py *py, Operator op, const Ty *l, const Ty *r, const Expr *le,
                            const Expr *re) {
    if (type_unknown(l) || type_unknown(r)) return py->any;
    if (constrained(py, l) && pyt_same(py, l, r)) return l;
    const Ty *t = pyt_call_method(py, l, METHODS[op][0], 1, &r, re != NULL ? &re : NULL);
    if (t == NULL) t = pyt_call_method(py, r, METHODS[op][1], 1, &l, le != NULL ? &le : NULL);
    return t;
}

// Does it start with a text that the program writes?
static bool starts_with_text(const Expr *e) {
    while (e != NULL && e->kind == EXPR_BIN_OP) e = e->bin_op.left;
    return e != NULL && (e->kind == EXPR_JOINED_STR ||
                         (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR));
}

// `"n: " + n`: beside a text that is written, the number is to become a text.
static void help_text_and_number(Diag *d, const Expr *text, const Expr *number, const Ty *of) {
    if (!starts_with_text(text) || number == NULL) {
        diag_help(d, "convert one operand: the number with `str(..)`, to join texts, or the text "
                     "with `%s(..)`, to add numbers", of->named.name);
        return;
    }
    Help *h = diag_help(d, "convert the number to text");
    diag_edit(d, h, (Span){number->at.start, number->at.start}, "str(");
    diag_edit(d, h, (Span){number->at.end, number->at.end}, ")");
}

// The operands of an operator; x and y are the alternatives of their types that do not fit.
typedef struct Operands {
    const Ty *l, *r;
    const Expr *le, *re;
    const Ty *x, *y;
} Operands;

// `int | None`, and it is `None` that does not fit.
static void note_none(Py *py, Diag *d, const char *what, const Ty *whole, const Ty *unfit,
                      const Expr *e) {
    if (whole->kind != TY_UNION || unfit->kind != TY_NONE_TYPE) return;
    diag_note(d, "%s may be `None`", what);
    if (e != NULL) pyt_help_test(py, d, e);
}

static bool is_number(const Ty *t) { return type_is(t, "int") || type_is(t, "float"); }

static void report_operands(Py *py, Span at, const char *sign, Operands o) {
    Diag *d = pyt_report(py, at, DIAG_TYPE_MISMATCH, "unsupported operand types for `%s`: `%s` "
                                                     "and `%s`", sign,
                        type_text(py->p, o.l), type_text(py->p, o.r));
    note_none(py, d, "the left operand", o.l, o.x, o.le);
    note_none(py, d, "the right operand", o.r, o.y, o.re);
    bool before = type_is(o.l, "str") && is_number(o.r);
    bool after = is_number(o.l) && type_is(o.r, "str");
    if ((before || after) && strcmp(sign, "+") == 0)
        help_text_and_number(d, before ? o.le : o.re, before ? o.re : o.le,
                             before ? o.r : o.l);
}

const Ty *pyt_binary(Py *py, Span at, Operator op, const Ty *l, const Ty *r, const Expr *le,
                    const Expr *re) {
    if (type_unknown(l) || type_unknown(r)) return py->any;
    if (op == OPERATOR_BIT_OR && (type_is(l, "type") || type_is(r, "type"))) return py->any;
    const Ty *all = NULL;
    TyList a = pyt_items(&l), b = pyt_items(&r);
    for (size_t i = 0; i < a.len; i++)
        for (size_t j = 0; j < b.len; j++) {
            const Ty *t = binary_one(py, op, a.at[i], b.at[j], a.len == 1 ? le : NULL,
                                     b.len == 1 ? re : NULL);
            if (t == NULL) {
                report_operands(py, at, SIGNS[op],
                                (Operands){l, r, le, re, a.at[i], b.at[j]});
                return py->poison;
            }
            all = pyt_union(py, all, t);
        }
    return all;
}

const Ty *pyt_augmented(Py *py, Span at, Operator op, const Ty *l, const Ty *r, const Expr *re) {
    if (type_unknown(l) || type_unknown(r)) return py->any;
    if (l->kind != TY_UNION) {
        const Ty *t = pyt_call_method(py, l, METHODS[op][2], 1, &r, &re);
        if (t != NULL) return t;
    }
    return pyt_binary(py, at, op, l, r, NULL, re);
}

const Ty *pyt_unary(Py *py, Span at, Unaryop op, const Ty *t) {
    if (op == UNARYOP_NOT) return py->bool_;
    if (type_unknown(t)) return py->any;
    const char *method = op == UNARYOP_INVERT ? "__invert__"
        : op == UNARYOP_U_SUB ? "__neg__" : "__pos__";
    TyList items = pyt_items(&t);
    const Ty *all = NULL;
    for (size_t i = 0; i < items.len; i++) {
        const Ty *one = pyt_call_method(py, items.at[i], method, 0, NULL, NULL);
        if (one == NULL) {
            Diag *d = pyt_report(py, at, DIAG_TYPE_MISMATCH,
                                 "bad operand type for unary `%s`: `%s`",
                                 op == UNARYOP_INVERT ? "~" : op == UNARYOP_U_SUB ? "-" : "+",
                                 type_text(py->p, t));
            note_none(py, d, "the operand", t, items.at[i], NULL);
            return py->poison;
        }
        all = pyt_union(py, all, one);
    }
    return all;
}

// ---- comparisons ----

static const char *const ORDERS[][3] = {
    [CMPOP_LT] = {"__lt__", "__gt__", "<"}, [CMPOP_LT_E] = {"__le__", "__ge__", "<="},
    [CMPOP_GT] = {"__gt__", "__lt__", ">"}, [CMPOP_GT_E] = {"__ge__", "__le__", ">="},
};

const char *pyt_operator_sign(Sym method) {
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++)
        for (size_t j = 0; j < 3 && METHODS[i][j] != NULL; j++)
            if (sym_is(method, METHODS[i][j])) return SIGNS[i];
    for (size_t i = 0; i < sizeof ORDERS / sizeof *ORDERS; i++)
        if (ORDERS[i][0] != NULL && sym_is(method, ORDERS[i][0])) return ORDERS[i][2];
    return NULL;
}

static bool generated_order(Py *py, const Ty *l, const Ty *r) {
    PyClass *c = l->kind == TY_NAMED ? pyt_class(py, l->named.name) : NULL;
    if (c == NULL) return false;
    pyt_class_ready(c);
    return c->ordered && pyt_fits(py, r, l);
}

static void compare_order(Py *py, Span at, Cmpop op, const Ty *l, const Ty *r, const Expr *le,
                          const Expr *re) {
    TyList a = pyt_items(&l), b = pyt_items(&r);
    for (size_t i = 0; i < a.len; i++)
        for (size_t j = 0; j < b.len; j++) {
            const Ty *x = a.at[i], *y = b.at[j];
            if (type_unknown(x) || type_unknown(y) || generated_order(py, x, y)) continue;
            if (constrained(py, x) && pyt_same(py, x, y)) continue;
            if (pyt_call_method(py, x, ORDERS[op][0], 1, &y, a.len + b.len == 2 ? &re : NULL))
                continue;
            if (pyt_call_method(py, y, ORDERS[op][1], 1, &x, a.len + b.len == 2 ? &le : NULL))
                continue;
            report_operands(py, at, ORDERS[op][2], (Operands){l, r, le, re, x, y});
            return;
        }
}

static void compare_in(Py *py, Span at, const Ty *l, const Ty *r, const Expr *le,
                       const Expr *re) {
    TyList b = pyt_items(&r);
    for (size_t j = 0; j < b.len; j++) {
        if (type_unknown(b.at[j])) continue;
        if (pyt_call_method(py, b.at[j], "__contains__", 1, &l, &le) != NULL) continue;
        const Ty *has = pyt_member(py, b.at[j], names_get(py->names, "__contains__"));
        const Ty *item = has == NULL ? pyt_element(py, (Span){0, 0}, b.at[j]) : NULL;
        if (item != NULL && !type_unknown(item)) continue;
        if (item != NULL && pyt_member(py, b.at[j], names_get(py->names, "__iter__")) != NULL)
            continue;
        if (type_is(b.at[j], "type")) continue;         // the members of an enum
        report_operands(py, at, "in", (Operands){l, r, le, re, l, b.at[j]});
        return;
    }
}

// Values of two builtin types that are never equal: mypy --strict refuses the comparison.
static bool plain(const Ty *t) {
    static const char *const NAMES[] = {"int", "float", "complex", "bool", "str", "bytes", "list",
                                        "dict", "set", "tuple", "range"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (type_is(t, NAMES[i])) return true;
    return false;
}

static void compare_equal(Py *py, Span at, const Ty *l, const Ty *r) {
    if (!plain(l) || !plain(r) || pyt_overlaps(py, l, r)) return;
    if (l->named.name == r->named.name) return;
    bool number = !type_is(l, "str") && !type_is(r, "str");
    if (number && l->named.args.len == 0 && r->named.args.len == 0 && !type_is(l, "bytes") &&
        !type_is(r, "bytes") && !type_is(l, "range") && !type_is(r, "range"))
        return;
    pyt_report(py, at, DIAG_TYPE_MISMATCH, "`%s` and `%s` are never equal",
               type_text(py->p, l), type_text(py->p, r));
}

void pyt_compare(Py *py, Span at, Cmpop op, const Ty *l, const Ty *r, const Expr *le,
                const Expr *re) {
    if (l == NULL || r == NULL || type_unknown(l) || type_unknown(r)) return;
    switch (op) {
    case CMPOP_LT: case CMPOP_LT_E: case CMPOP_GT: case CMPOP_GT_E:
        compare_order(py, at, op, l, r, le, re);
        return;
    case CMPOP_IN: case CMPOP_NOT_IN: compare_in(py, at, l, r, le, re); return;
    case CMPOP_EQ: case CMPOP_NOT_EQ: compare_equal(py, at, l, r); return;
    case CMPOP_IS: case CMPOP_IS_NOT: case CMPOP_COUNT: return;
    }
}

// ---- subscripts ----

static bool constant_index(const Expr *e, size_t n, size_t *i, bool *range) {
    bool minus = e != NULL && e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
    if (minus) e = e->unary_op.operand;
    if (e == NULL || e->kind != EXPR_CONSTANT || e->constant.value->kind != CONST_INT) return false;
    size_t k = 0;
    Text t = e->constant.value->text;
    for (size_t j = 0; j < t.len && k < 100000; j++) k = 10 * k + (size_t)(t.at[j] - '0');
    *range = minus ? k <= n && k > 0 : k < n;
    *i = minus ? n - k : k;
    return true;
}

static const Ty *tuple_item(Py *py, Span at, const Ty *t, const Expr *index) {
    size_t i;
    bool range;
    if (!constant_index(index, t->tuple.items.len, &i, &range)) return NULL;
    if (range) return t->tuple.items.at[i];
    pyt_report(py, at, DIAG_TYPE_MISMATCH, "tuple index out of range for `%s`",
              type_text(py->p, t));
    return py->poison;
}

// A bound of a slice of n items, as Python cuts it: what lies before the first item is 0, what lies
// behind the last is n. False: it is no constant.
static bool slice_bound(const Expr *e, size_t n, size_t otherwise, size_t *bound) {
    bool range = true;
    *bound = otherwise;
    if (e == NULL) return true;
    if (!constant_index(e, n, bound, &range)) return false;
    if (*bound > n) *bound = e->kind == EXPR_UNARY_OP ? 0 : n;
    return true;
}

static const Ty *sliced_tuple(Py *py, const Ty *t, const Expr *e) {
    size_t n = t->tuple.items.len, from, to;
    if (e == NULL || e->slice.step != NULL) return NULL;
    if (!slice_bound(e->slice.lower, n, 0, &from) || !slice_bound(e->slice.upper, n, n, &to))
        return NULL;
    return ty_tuple(py->arena, pyt_list(py, to > from ? to - from : 0, t->tuple.items.at + from));
}

static const Ty *typed_dict_item(Py *py, const Ty *base, const Expr *index) {
    PyClass *c = base->kind == TY_NAMED ? pyt_class(py, base->named.name) : NULL;
    if (c == NULL) return NULL;
    pyt_class_ready(c);
    if (!c->is_typed_dict || index == NULL || index->kind != EXPR_CONSTANT ||
        index->constant.value->kind != CONST_STR)
        return c->is_typed_dict ? py->any : NULL;
    Text t = index->constant.value->text;
    const Ty *at;
    bool open = false;
    PySym *s = pyt_class_member(py, base, names_intern(py->names, t.at, t.len), &at, &open);
    return s != NULL && s->kind == PYSYM_VARIABLE ? pyt_symbol_type(s) : py->any;
}

static const Ty *subscript_one(Py *py, Span at, const Ty *base, const Ty *index,
                               const Expr *index_expr) {
    if (type_unknown(base)) return py->any;
    if (base->kind == TY_TUPLE) {
        bool slice = index_expr != NULL && index_expr->kind == EXPR_SLICE;
        const Ty *t = slice ? sliced_tuple(py, base, index_expr)
                            : tuple_item(py, at, base, index_expr);
        if (t != NULL) return t;
    }
    const Ty *item = typed_dict_item(py, base, index_expr);
    if (item != NULL) return item;
    if (type_is(base, "type") && base->named.args.len == 1) {
        PyClass *c = pyt_class_of(py, base->named.args.at[0]);
        if (c == NULL) return py->any;
        pyt_class_ready(c);
        return c->is_enum ? base->named.args.at[0] : base;      // E["M"], C[int]
    }
    return pyt_call_method(py, base, "__getitem__", 1, &index, &index_expr);
}

static void report_subscript(Py *py, Span at, const Ty *base, const Ty *index,
                             const char *method) {
    const Ty *m = pyt_member(py, base, names_get(py->names, method));
    if (m == NULL) {
        const char *lacks = strcmp(method, "__getitem__") == 0 ? "is not subscriptable"
            : strcmp(method, "__setitem__") == 0 ? "does not support item assignment"
            : "does not support item deletion";
        Diag *d = pyt_report(py, at, DIAG_TYPE_MISMATCH, "`%s` object %s",
                            type_text(py->p, base), lacks);
        TyList items = pyt_items(&base);
        const Ty *unfit = base;
        for (size_t i = items.len; i-- > 0;)
            if (pyt_member(py, items.at[i], names_get(py->names, method)) == NULL)
                unfit = items.at[i];
        note_none(py, d, "it", base, unfit, NULL);
        return;
    }
    pyt_report(py, at, DIAG_TYPE_MISMATCH, "`%s` cannot be indexed with `%s`",
              type_text(py->p, base), type_text(py->p, index));
}

const Ty *pyt_subscript(Py *py, Span at, const Ty *base, const Ty *index, const Expr *index_expr) {
    if (type_unknown(base)) return py->any;
    base = pyt_noted_tuple(py, base);
    TyList items = pyt_items(&base);
    const Ty *all = NULL;
    if (type_is(base, "dict") && !pyt_check_hashable(py, index_expr, index, "a key"))
        return py->poison;
    for (size_t i = 0; i < items.len; i++) {
        const Ty *t = subscript_one(py, at, items.at[i], index, index_expr);
        if (t == NULL) {
            report_subscript(py, at, base, index, "__getitem__");
            return py->poison;
        }
        all = pyt_union(py, all, t);
    }
    return all;
}

void pyt_store(Py *py, Span at, const Ty *base, const Ty *index, const Expr *index_expr,
              const Ty *value, const Expr *value_expr) {
    if (type_unknown(base)) return;
    if (type_is(base, "dict") && !pyt_check_hashable(py, index_expr, index, "a key")) return;
    TyList items = pyt_items(&base);
    for (size_t i = 0; i < items.len; i++) {
        PyClass *c = pyt_class_of(py, items.at[i]);
        if (c != NULL) pyt_class_ready(c);
        if (type_unknown(items.at[i]) || (c != NULL && c->is_typed_dict)) continue;
        const Ty *args[] = {index, value};
        const Expr *exprs[] = {index_expr, value_expr};
        if (pyt_call_method(py, items.at[i], "__setitem__", 2, args, exprs) != NULL) continue;
        const Ty *item = pyt_call_method(py, items.at[i], "__getitem__", 1, &index, &index_expr);
        const Ty *set = pyt_member(py, items.at[i], names_get(py->names, "__setitem__"));
        if (item == NULL || set == NULL) {
            report_subscript(py, at, base, index, "__setitem__");
            return;
        }
        Diag *d = pyt_report(py, at, DIAG_TYPE_MISMATCH, "the items of `%s` are `%s`, but `%s` is "
                                                         "assigned here",
                            type_text(py->p, items.at[i]), type_text(py->p, item),
                            type_text(py->p, value));
        pyt_explain(py, d, value_expr, value, item);
        return;
    }
}

void pyt_remove(Py *py, Span at, const Ty *base, const Ty *index, const Expr *index_expr) {
    if (type_unknown(base) || base->kind == TY_UNION) return;
    if (pyt_call_method(py, base, "__delitem__", 1, &index, &index_expr) == NULL)
        report_subscript(py, at, base, index, "__delitem__");
}

// ---- iteration ----

static const Ty *joined_items(Py *py, const Ty *t) {
    const Ty *item = NULL;
    for (size_t i = 0; i < t->tuple.items.len; i++)
        item = pyt_union(py, item, t->tuple.items.at[i]);
    return item != NULL ? item : py->any;
}

static const Ty *element_one(Py *py, const Ty *t) {
    if (type_unknown(t)) return py->any;
    if (t->kind == TY_TUPLE) return joined_items(py, t);
    if (type_is(t, "type") && t->named.args.len == 1) {
        PyClass *c = pyt_class_of(py, t->named.args.at[0]);
        if (c == NULL) return py->any;
        pyt_class_ready(c);
        return c->is_enum ? t->named.args.at[0] : c->open ? py->any : NULL;
    }
    const Ty *it = pyt_call_method(py, t, "__iter__", 0, NULL, NULL);
    if (it != NULL) {
        const Ty *next = type_unknown(it) ? py->any
            : pyt_call_method(py, it, "__next__", 0, NULL, NULL);
        return next;
    }
    if (t->kind == TY_NAMED && pyt_class_of(py, t) == NULL) return py->any;
    return pyt_call_method(py, t, "__getitem__", 1, &py->int_, NULL);
}

const Ty *pyt_element(Py *py, Span at, const Ty *t) {
    if (type_unknown(t)) return py->any;
    TyList items = pyt_items(&t);
    const Ty *all = NULL;
    for (size_t i = 0; i < items.len; i++) {
        const Ty *one = element_one(py, items.at[i]);
        if (one == NULL) {
            if (quietly(at)) return py->any;
            Diag *d = pyt_report(py, at, DIAG_TYPE_MISMATCH, "`%s` object is not iterable",
                                type_text(py->p, t));
            note_none(py, d, "it", t, items.at[i], NULL);
            return py->poison;
        }
        all = pyt_union(py, all, one);
    }
    return all;
}

// What target i of n gets; `star` is the index of the starred one (n: there is none).
const Ty *pyt_unpack(Py *py, Span at, const Ty *t, size_t n, size_t i, size_t star) {
    if (type_unknown(t)) return py->any;
    if (t->kind == TY_UNION) {
        const Ty *all = NULL;
        for (size_t k = 0; k < t->union_.items.len; k++) {
            const Ty *one = pyt_unpack(py, at, t->union_.items.at[k], n, i, star);
            if (one->kind == TY_POISON) return one;
            all = pyt_union(py, all, one);
        }
        return all;
    }
    if (t->kind != TY_TUPLE) {
        PyClass *c = pyt_class_of(py, t);
        const Ty *parts = pyt_noted_tuple(py, t);
        if (parts != t) return pyt_unpack(py, at, parts, n, i, star);
        if (c != NULL && c->is_tuple && !type_is(t, "tuple")) return py->any;
        const Ty *item = pyt_element(py, at, t);
        return i == star ? pyt_name1(py, "list", item) : item;
    }
    size_t has = t->tuple.items.len;
    bool ok = star < n ? has + 1 >= n : has == n;
    if (!ok) {
        if (!quietly(at))
            pyt_report(py, at, DIAG_TYPE_MISMATCH, has > n
                       ? "too many values to unpack (expected %s%zu, got %zu)"
                       : "not enough values to unpack (expected %s%zu, got %zu)",
                       star < n ? "at least " : "", star < n ? n - 1 : n, has);
        return py->poison;
    }
    if (i < star) return t->tuple.items.at[i];
    if (i > star) return t->tuple.items.at[has - (n - i)];
    const Ty *all = NULL;
    for (size_t k = star; k < has - (n - 1 - star); k++)
        all = pyt_join(py, all, t->tuple.items.at[k]);
    return pyt_name1(py, "list", all != NULL ? all : py->any);
}

// ---- with, await ----

// An `__exit__` of type `bool` is taken to swallow exceptions, one of type `bool | None` not (PEP
// 484's checkers agree on that). Who notes types wants them of all that may run.
static bool may_swallow(Py *py, const Ty *result) {
    return type_is(result, "bool") || (py->notes != NULL && !pyt_fits(py, result, py->none));
}

static void report_manager(Py *py, Span at, const Ty *t, bool async, const char *lacks) {
    Diag *d = pyt_report(py, at, DIAG_TYPE_MISMATCH,
                         "`%s` object does not support the %scontext manager protocol",
                         type_text(py->p, t), async ? "asynchronous " : "");
    if (pyt_member(py, t, names_get(py->names, async ? "__exit__" : "__aexit__")) != NULL)
        diag_help(d, "write `%s`", async ? "with` instead of `async with"
                                         : "async with` instead of `with");
    else
        diag_note(d, "it has no `__%s%s__`", async ? "a" : "", lacks);
}

const Ty *pyt_enter(Py *py, Span at, const Ty *t, bool async, bool *swallows) {
    *swallows = false;
    if (type_unknown(t) || t->kind == TY_UNION) return py->any;
    const Ty *exit = pyt_member(py, t, names_get(py->names, async ? "__aexit__" : "__exit__"));
    const Ty *enter = pyt_call_method(py, t, async ? "__aenter__" : "__enter__", 0, NULL, NULL);
    if (exit == NULL || enter == NULL) {
        if (!quietly(at)) report_manager(py, at, t, async, enter == NULL ? "enter" : "exit");
        return py->any;
    }
    if (exit->kind == TY_CALLABLE && exit->callable.result != NULL)
        *swallows = may_swallow(py, exit->callable.result);
    return async ? pyt_await(py, (Span){0, 0}, enter) : enter;
}

const Ty *pyt_await(Py *py, Span at, const Ty *t) {
    if (type_unknown(t)) return py->any;
    if (type_is(t, "Coroutine") && t->named.args.len == 3) return t->named.args.at[2];
    if (type_is(t, "Awaitable") && t->named.args.len == 1) return t->named.args.at[0];
    const Ty *g = pyt_call_method(py, t, "__await__", 0, NULL, NULL);
    if (g == NULL) {
        PyClass *c = pyt_class_of(py, t);
        if (!quietly(at) && c != NULL) {
            Diag *d = pyt_report(py, at, DIAG_TYPE_MISMATCH,
                                 "`%s` object cannot be used in `await`", type_text(py->p, t));
            bool function = t->kind == TY_CALLABLE && type_is(t->callable.result, "Coroutine");
            if (function) diag_help(d, "call the function: await its result");
        }
        return py->any;
    }
    bool generator = type_is(g, "Generator") && g->named.args.len == 3;
    return generator ? g->named.args.at[2] : py->any;
}
