// desugar_augmented.c - `x += e`: in place where the type of `x` works so, else an assignment; of
// what is not known which of both, `x = operator.iadd(x, e)`.

#include <string.h>

#include "compiler/pass/desugar_internal.h"

// The method of a container that does what an augmented assignment does; NULL: none does.
static const char *method_of(const Ty *t, Operator op)
{
    static const struct { const char *type; Operator op; const char *method; } rows[] = {
        {"list", OPERATOR_ADD, "extend"},
        {"bytearray", OPERATOR_ADD, "extend"},
        {"dict", OPERATOR_BIT_OR, "update"},
        {"set", OPERATOR_BIT_OR, "update"},
        {"set", OPERATOR_BIT_AND, "intersection_update"},
        {"set", OPERATOR_SUB, "difference_update"},
        {"set", OPERATOR_BIT_XOR, "symmetric_difference_update"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op && desugar_is(t, rows[i].type))
            return rows[i].method;
    return NULL;
}

static const char *own_method(Operator op)
{
    static const char *const names[OPERATOR_COUNT] = {
        [OPERATOR_ADD] = "__iadd__", [OPERATOR_SUB] = "__isub__", [OPERATOR_MULT] = "__imul__",
        [OPERATOR_MAT_MULT] = "__imatmul__", [OPERATOR_DIV] = "__itruediv__",
        [OPERATOR_MOD] = "__imod__", [OPERATOR_POW] = "__ipow__",
        [OPERATOR_L_SHIFT] = "__ilshift__", [OPERATOR_R_SHIFT] = "__irshift__",
        [OPERATOR_BIT_OR] = "__ior__", [OPERATOR_BIT_XOR] = "__ixor__",
        [OPERATOR_BIT_AND] = "__iand__", [OPERATOR_FLOOR_DIV] = "__ifloordiv__",
    };
    return names[op];
}

static bool defines(const Stmt *class_, const char *method)
{
    for (size_t i = 0; i < class_->class_def.body.len; i++) {
        const Stmt *s = class_->class_def.body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && sym_is(s->function_def.name, method))
            return true;
    }
    return false;
}

static const Stmt *base_class(const Desugar *d, const Expr *base)
{
    if (base->kind == EXPR_SUBSCRIPT)
        base = base->subscript.value;
    return base->kind == EXPR_NAME ? table_get(d->facts->classes, base->name.id) : NULL;
}

static bool has_method(const Desugar *d, const Stmt *class_, const char *method, int depth)
{
    if (class_ == NULL || depth > 100)
        return false;
    if (defines(class_, method))
        return true;
    for (size_t i = 0; i < class_->class_def.bases.len; i++)
        if (has_method(d, base_class(d, class_->class_def.bases.at[i]), method, depth + 1))
            return true;
    return false;
}

static bool is_own_method(const Desugar *d, const Ty *t, const char *method)
{
    return t && t->kind == TY_NAMED
           && has_method(d, table_get(d->facts->classes, t->named.name), method, 0);
}

// `x`, or `base.x` or `base[index]` whose parts can be evaluated twice.
static const Expr *settled_target(Desugar *d, const Stmt *s)
{
    const Expr *target = s->aug_assign.target, *value = s->aug_assign.value;
    if (target->kind == EXPR_NAME)
        return expr_name(d->arena, target->at, target->name.id, EXPR_CONTEXT_LOAD);
    if (target->kind == EXPR_ATTRIBUTE) {
        const Expr *base = desugar_settle(d, desugar_expr(d, target->attribute.value), 1, &value,
                                          "owner");
        return expr_attribute(d->arena, target->at, base, target->attribute.attr,
                              EXPR_CONTEXT_LOAD);
    }
    const Expr *later[] = {target->subscript.slice, value};
    const Expr *base = desugar_settle(d, desugar_expr(d, target->subscript.value), 2, later,
                                      "owner");
    const Expr *index = desugar_settle(d, desugar_expr(d, target->subscript.slice), 1, &value,
                                       "index");
    return expr_subscript(d->arena, target->at, base, index, EXPR_CONTEXT_LOAD);
}

static const Expr *as_target(Desugar *d, const Expr *e)
{
    const Expr *target = e->kind == EXPR_NAME
                             ? expr_name(d->arena, e->at, e->name.id, EXPR_CONTEXT_STORE)
                         : e->kind == EXPR_ATTRIBUTE
                             ? expr_attribute(d->arena, e->at, e->attribute.value,
                                              e->attribute.attr, EXPR_CONTEXT_STORE)
                             : expr_subscript(d->arena, e->at, e->subscript.value,
                                              e->subscript.slice, EXPR_CONTEXT_STORE);
    return desugar_typed(d, target, e->ty);
}

static void put_assign(Desugar *d, const Stmt *s, const Expr *target, const Expr *value)
{
    desugar_put(d, stmt_assign(d->arena, s->at, desugar_list(d, 1, &target),
                               desugar_expr(d, value)));
}

static bool is_slice(const Expr *e)
{
    return e->kind == EXPR_SUBSCRIPT && e->subscript.slice->kind == EXPR_SLICE;
}

// Whether Python's storing of the same object has an effect of its own.
static bool is_stored_back(const Desugar *d, const Expr *target)
{
    if (target->kind == EXPR_ATTRIBUTE)
        return table_get(d->facts->computed, target->attribute.attr) != NULL;
    if (target->kind != EXPR_SUBSCRIPT)
        return false;
    const Ty *base = target->subscript.value->ty;
    return is_slice(target) || !(desugar_is(base, "list") || desugar_is(base, "dict"));
}

static void put_in_place(Desugar *d, const Stmt *s, const Expr *current, const char *method)
{
    const Expr *value = s->aug_assign.value, *target = NULL;
    if (is_stored_back(d, current)) {
        target = as_target(d, current);
        current = desugar_temp(d, current, "value");
    }
    const Expr *call = desugar_method(d, current, method, desugar_list(d, 1, &value),
                                      ty_none_type(d->arena));
    desugar_call_stmt(d, desugar_expr(d, expr_with_at(d->arena, call, s->at)));
    if (target)
        put_assign(d, s, target, current);
}

// None has no operators: it is not what the variable holds.
static const Ty *without_none(Desugar *d, const Ty *t)
{
    Vec(const Ty *) left = {0};
    for (size_t i = 0; t && t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (t->union_.items.at[i]->kind != TY_NONE_TYPE)
            vec_push(d->arena, &left, t->union_.items.at[i]);
    return left.len == 1 ? left.at[0]
           : left.len > 1 ? ty_union(d->arena, (TyList){left.at, left.len}) : t;
}

// ---- what only the value knows ----

static bool is_immutable(const Ty *t)
{
    static const char *const names[] = {"int", "float", "complex", "bool", "str", "bytes", "tuple",
                                        "frozenset", "range", NULL};
    return t->kind == TY_NAMED && sym_is_one_of(t->named.name, names);
}

static bool is_protocol(const Stmt *class_)
{
    for (size_t i = 0; i < class_->class_def.bases.len; i++) {
        const Expr *base = class_->class_def.bases.at[i];
        if (base->kind == EXPR_SUBSCRIPT)
            base = base->subscript.value;
        Sym name = base->kind == EXPR_NAME ? base->name.id
            : base->kind == EXPR_ATTRIBUTE ? base->attribute.attr : NULL;
        if (name != NULL && sym_is(name, "Protocol"))
            return true;
    }
    return false;
}

// Whether a value of the type may have a method of its own for the operation.
static bool may_update(const Desugar *d, const Ty *t, Operator op)
{
    if (t == NULL)
        return true;
    if (t->kind == TY_UNION) {
        for (size_t i = 0; i < t->union_.items.len; i++)
            if (may_update(d, t->union_.items.at[i], op))
                return true;
        return false;
    }
    if (t->kind == TY_NONE_TYPE || t->kind == TY_LITERAL || t->kind == TY_TUPLE || is_immutable(t))
        return false;
    if (t->kind == TY_NAMED && method_of(t, op) == NULL) {
        static const char *const containers[] = {"list", "bytearray", "dict", "set", NULL};
        if (sym_is_one_of(t->named.name, containers))
            return op == OPERATOR_MULT;
        const Stmt *class_ = table_get(d->facts->classes, t->named.name);
        if (class_ != NULL && !is_protocol(class_))
            return table_get(d->facts->methods, names_get(d->names, own_method(op))) != NULL;
    }
    return true;
}

// operator.iadd(x, e)
static const Expr *updated(Desugar *d, const Stmt *s, const Expr *current)
{
    const char *method = own_method(s->aug_assign.op);          // "__iadd__"
    Sym name = names_format(d->names, "%.*s", (int)strlen(method) - 4, method + 2);
    const Expr *module = desugar_name(d, s->at, d->operator_,
                                      desugar_ty1(d, "module", desugar_ty(d, "operator")));
    const Expr *args[] = {current, s->aug_assign.value};
    d->uses_operator = true;
    return expr_call(d->arena, s->at, desugar_attribute(d, module, name, NULL),
                     desugar_list(d, 2, args), (KeywordList){0});
}

void desugar_aug_assign(Desugar *d, const Stmt *s)
{
    const Expr *value = s->aug_assign.value;
    Operator op = s->aug_assign.op;
    const Ty *whole = s->aug_assign.target->ty, *ty = without_none(d, whole);
    const Expr *current = desugar_typed(d, settled_target(d, s), ty);
    const Expr *target = desugar_typed(d, as_target(d, current), whole);
    const Expr *result = expr_bin_op(d->arena, s->at, current, op, value);
    if (method_of(ty, op)) {
        put_in_place(d, s, current, method_of(ty, op));
        return;
    }
    if (is_own_method(d, ty, own_method(op)))
        result = desugar_method(d, current, own_method(op), desugar_list(d, 1, &value), ty);
    else if (op == OPERATOR_MULT && (desugar_is(ty, "list") || desugar_is(ty, "bytearray"))
             && !is_slice(current))
        target = desugar_typed(d, expr_subscript(d->arena, s->at, current,
                                                 expr_slice(d->arena, s->at, NULL, NULL, NULL),
                                                 EXPR_CONTEXT_STORE), ty);
    else if (may_update(d, ty, op))
        result = updated(d, s, current);
    put_assign(d, s, target, desugar_typed(d, result, ty));
}
