// desugar_target.c - what assigns: several targets, targets with parts, `x += e`, `del a, b`.

#include "compiler/pass/desugar_internal.h"

// ---- names that a target binds ----

typedef struct Stores { const Expr *value; bool found; } Stores;
typedef struct Mention { Sym name; bool found; } Mention;

static bool see_name(void *cx, const Expr *e)
{
    Mention *m = cx;
    m->found = m->found || (e->kind == EXPR_NAME && e->name.id == m->name);
    return !m->found;
}

static bool see_store(void *cx, const Expr *e)
{
    Stores *s = cx;
    if (e->kind != EXPR_NAME || e->name.ctx != EXPR_CONTEXT_STORE)
        return !s->found;
    Mention m = {e->name.id, false};
    IrWalker w = {.cx = &m, .expr = see_name};
    ir_walk_expr(&w, s->value);
    s->found = s->found || m.found;
    return !s->found;
}

// Whether a value mentions what one of the targets binds.
static bool is_overwritten(const Expr *value, size_t n, const Expr *const *targets)
{
    Stores s = {value, false};
    IrWalker w = {.cx = &s, .expr = see_store};
    for (size_t i = 0; i < n; i++)
        ir_walk_expr(&w, targets[i]);
    return s.found;
}

// ---- targets without parts of their own ----

static void put_assign(Desugar *d, const Expr *target, const Expr *value)
{
    desugar_put(d, stmt_assign(d->arena, target->at, desugar_list(d, 1, &target), value));
}

static const Expr *base_of(const Expr *target)
{
    return target->kind == EXPR_ATTRIBUTE ? target->attribute.value : target->subscript.value;
}

static const Expr *with_parts(Desugar *d, const Expr *target, const Expr *base, const Expr *index,
                              ExprContext ctx)
{
    const Expr *e = target->kind == EXPR_ATTRIBUTE
                        ? expr_attribute(d->arena, target->at, base, target->attribute.attr, ctx)
                        : expr_subscript(d->arena, target->at, base, index, ctx);
    return desugar_typed(d, e, target->ty);
}

// Python evaluates the value first, then the parts of the target.
static void store_part(Desugar *d, const Expr *target, const Expr *value)
{
    const Expr *parts[] = {base_of(target), NULL};
    if (target->kind == EXPR_SUBSCRIPT)
        parts[1] = target->subscript.slice;
    if (desugar_needs(d, parts[0]) || (parts[1] && desugar_needs(d, parts[1])))
        value = desugar_settle(d, value, 2, parts, "value");
    desugar_operands(d, 2, parts);
    put_assign(d, with_parts(d, target, parts[0], parts[1], EXPR_CONTEXT_STORE), value);
}

// ---- targets with parts ----

static ExprList elements(const Expr *target)
{
    return target->kind == EXPR_LIST ? target->list.elts : target->tuple.elts;
}

static size_t star_of(ExprList targets)
{
    size_t i = 0;
    while (i < targets.len && targets.at[i]->kind != EXPR_STARRED)
        i++;
    return i;
}

static bool is_display(const Expr *e)
{
    return (e->kind == EXPR_TUPLE || e->kind == EXPR_LIST) && !desugar_has_star(e);
}

static bool is_part_by_part(const Expr *target, const Expr *value)
{
    return (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) && is_display(value)
           && star_of(elements(target)) == elements(target).len
           && elements(value).len == elements(target).len;
}

// (a, b), c = (x, y), z has the parts a = x, b = y, c = z.
static void push_parts(Desugar *d, const Expr *target, const Expr *value, ExprVec *targets,
                       ExprVec *values)
{
    if (!is_part_by_part(target, value)) {
        vec_push(d->arena, targets, target);
        vec_push(d->arena, values, value);
        return;
    }
    for (size_t i = 0; i < elements(target).len; i++)
        push_parts(d, elements(target).at[i], elements(value).at[i], targets, values);
}

// The values are evaluated first; those that an assignment overwrites are saved.
static void store_each(Desugar *d, const Expr *target, const Expr *value)
{
    ExprVec targets = {0}, values = {0};
    push_parts(d, target, value, &targets, &values);
    for (size_t i = 0; i < values.len; i++)
        values.at[i] = desugar_settle(d, values.at[i], 0, NULL, "value");
    for (size_t i = 0; i < values.len; i++)
        if (is_overwritten(values.at[i], i, targets.at))
            values.at[i] = desugar_temp(d, values.at[i], "saved");
    for (size_t i = 0; i < values.len; i++)
        desugar_store(d, targets.at[i], values.at[i]);
}

// Whether its items can be taken one by one while the targets are assigned.
static bool is_kept(Desugar *d, const Expr *value, ExprList targets)
{
    return (value->kind == EXPR_NAME || value->kind == EXPR_ATTRIBUTE)
           && desugar_settled(d, value, 0, NULL) && !is_overwritten(value, targets.len, targets.at);
}

static void store_tuple(Desugar *d, ExprList targets, const Expr *value)
{
    TyList types = value->ty->tuple.items;
    size_t star = star_of(targets);
    if (!is_kept(d, value, targets))
        value = desugar_temp(d, value, "items");
    size_t next = 0;
    for (size_t i = 0; i < targets.len; i++) {
        size_t last = i == star ? next + types.len + 1 - targets.len : next + 1;
        ExprVec parts = {0};
        for (; next < last; next++)
            vec_push(d->arena, &parts,
                     desugar_item(d, value, desugar_int(d, targets.at[i]->at, next),
                                  types.at[next]));
        if (i != star) {
            desugar_store(d, targets.at[i], parts.at[0]);
            continue;
        }
        const Expr *target = targets.at[i]->starred.value;
        const Expr *list = expr_list(d->arena, target->at, (ExprList){parts.at, parts.len},
                                     EXPR_CONTEXT_LOAD);
        desugar_store(d, target, desugar_typed(d, list, target->ty));
    }
}

static void put_value_error(Desugar *d, const Expr *test, const Expr *message)
{
    Block body = {0};
    const Expr *error = desugar_call1(d, "ValueError", message, desugar_ty(d, "ValueError"));
    vec_push(d->arena, &body, stmt_raise(d->arena, test->at, error, NULL));
    desugar_if(d, test->at, test, body, (Block){0});
}

static const Expr *added(Desugar *d, const Expr *left, const Expr *right)
{
    return desugar_typed(d, expr_bin_op(d->arena, left->at, left, OPERATOR_ADD, right),
                         desugar_ty(d, "str"));
}

static void check_length(Desugar *d, const Expr *items, size_t n, bool star)
{
    Span at = items->at;
    Sym few = names_format(d->names, "not enough values to unpack (expected %s%zu, got ",
                           star ? "at least " : "", n);
    const Expr *length = desugar_length(d, items);
    const Expr *got = desugar_call1(d, "str", length, desugar_ty(d, "str"));
    const Expr *message = added(d, added(d, desugar_str(d, at, few), got), desugar_str(d, at, ")"));
    if (n > 0)
        put_value_error(d, desugar_compare(d, length, CMPOP_LT, desugar_int(d, at, n)), message);
    if (!star)
        put_value_error(d, desugar_compare(d, length, CMPOP_GT, desugar_int(d, at, n)),
                        desugar_str(d, at, names_format(d->names, "too many values to unpack "
                                                                  "(expected %zu)", n)));
}

static bool all_names(ExprList targets)
{
    for (size_t i = 0; i < targets.len; i++)
        if (targets.at[i]->kind != EXPR_NAME
            && !(targets.at[i]->kind == EXPR_STARRED
                 && targets.at[i]->starred.value->kind == EXPR_NAME))
            return false;
    return true;
}

static const Ty *item_of(Desugar *d, const Expr *value)
{
    const Ty *item = desugar_item_ty(d, value->ty);
    return item != NULL ? item : ty_any(d->arena);
}

// A sequence of which nothing changes while its items are assigned.
static const Expr *as_sequence(Desugar *d, ExprList targets, const Expr *value)
{
    bool fixed = desugar_is(value->ty, "str") || desugar_is(value->ty, "tuple")
                 || (desugar_is(value->ty, "list") && all_names(targets));
    if (fixed && is_kept(d, value, targets))
        return value;
    if (!fixed)
        value = desugar_call1(d, "list", value, desugar_list_ty(d, item_of(d, value)));
    return desugar_temp(d, value, "items");
}

static void store_sequence(Desugar *d, ExprList targets, const Expr *value)
{
    const Ty *item = item_of(d, value);
    const Expr *items = as_sequence(d, targets, value);
    size_t n = targets.len, star = star_of(targets);
    check_length(d, items, star < n ? n - 1 : n, star < n);
    for (size_t i = 0; i < n; i++) {
        const Expr *target = targets.at[i];
        if (i == star) {
            target = target->starred.value;
            desugar_store(d, target,
                          desugar_middle(d, items, i, n - 1 - i, items->ty, target->ty));
            continue;
        }
        const Expr *index = i < star ? desugar_int(d, target->at, i)
                                     : desugar_from_end(d, items, n - i);
        desugar_store(d, target, desugar_item(d, items, index, item));
    }
}

static const Expr *field_of(Desugar *d, const Expr *value, Sym field)
{
    return desugar_attribute(d, value, field, desugar_field_ty(d, value->ty, field));
}

static const Expr *list_of_fields(Desugar *d, const Expr *value, const Sym *fields, size_t n,
                                  const Ty *ty)
{
    const Expr **items = ARENA_ARRAY(d->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        items[i] = field_of(d, value, fields[i]);
    return desugar_typed(d, expr_list(d->arena, value->at, (ExprList){items, n},
                                      EXPR_CONTEXT_LOAD), ty);
}

// a, *b = pair of a class made by NamedTuple.
static bool store_fields(Desugar *d, ExprList targets, const Expr *value)
{
    SymList fields = desugar_tuple_fields(d, value->ty);
    size_t star = star_of(targets), n = targets.len, at = 0;
    bool starred = star < n;
    if (fields.len == 0 || (starred ? fields.len + 1 < n : fields.len != n))
        return false;
    if (!is_kept(d, value, targets))
        value = desugar_temp(d, value, "items");
    for (size_t i = 0; i < n; i++) {
        size_t count = i == star ? fields.len + 1 - n : 1;
        if (i == star)
            desugar_store(d, targets.at[i]->starred.value,
                          list_of_fields(d, value, fields.at + at, count,
                                         targets.at[i]->starred.value->ty));
        else
            desugar_store(d, targets.at[i], field_of(d, value, fields.at[at]));
        at += count;
    }
    return true;
}

static void unpack(Desugar *d, const Expr *target, const Expr *value)
{
    ExprList targets = elements(target);
    bool star = star_of(targets) < targets.len;
    bool tuple = value->ty && value->ty->kind == TY_TUPLE;
    size_t len = tuple ? value->ty->tuple.items.len : 0;
    if (is_part_by_part(target, value))
        store_each(d, target, value);
    else if (tuple && (star ? len + 1 >= targets.len : len == targets.len))
        store_tuple(d, targets, value);
    else if (!store_fields(d, targets, value))
        store_sequence(d, targets, value);
}

void desugar_store(Desugar *d, const Expr *target, const Expr *value)
{
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST)
        unpack(d, target, value);
    else if (target->kind == EXPR_NAME)
        put_assign(d, desugar_expr(d, target), value);
    else
        store_part(d, target, value);
}

const Expr *desugar_for_target(Desugar *d, const Expr *target, const Ty *item)
{
    if (target->kind == EXPR_NAME)
        return desugar_expr(d, target);
    Sym name = desugar_fresh(d, "item");
    desugar_store(d, target, desugar_name(d, target->at, name, item));
    return desugar_typed(d, expr_name(d->arena, target->at, name, EXPR_CONTEXT_STORE), item);
}

// ---- statements ----

void desugar_assign(Desugar *d, const Stmt *s)
{
    ExprList targets = s->assign.targets;
    const Expr *first = targets.at[0];
    const Expr *value = desugar_expr_as(d, s->assign.value, targets.len == 1 ? first->ty : NULL);
    if (targets.len == 1) {
        desugar_store(d, first, value);
        return;
    }
    size_t next = 0;
    if (!desugar_settled(d, value, 0, NULL) && first->kind == EXPR_NAME) {
        desugar_store(d, first, value);
        value = desugar_name(d, first->at, first->name.id, value->ty);
        next = 1;
    }
    value = desugar_settle(d, value, 0, NULL, "value");
    if (is_overwritten(value, targets.len, targets.at) && next == 0)
        value = desugar_temp(d, value, "value");
    for (; next < targets.len; next++)
        desugar_store(d, targets.at[next], value);
}

void desugar_ann_assign(Desugar *d, const Stmt *s)
{
    const Expr *target = s->ann_assign.target, *value = s->ann_assign.value;
    if (value)
        value = desugar_expr_as(d, value, target->ty);
    if (target->kind != EXPR_NAME) {
        const Expr *parts[] = {base_of(target), NULL};
        if (target->kind == EXPR_SUBSCRIPT)
            parts[1] = target->subscript.slice;
        if (value && desugar_needs(d, target))
            value = desugar_settle(d, value, 2, parts, "value");
        desugar_operands(d, 2, parts);
        target = with_parts(d, target, parts[0], parts[1], EXPR_CONTEXT_STORE);
    }
    desugar_put(d, stmt_ann_assign(d->arena, s->at, target, s->ann_assign.annotation, value,
                                   s->ann_assign.simple));
}

static void delete_one(Desugar *d, Span at, const Expr *target)
{
    if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        for (size_t i = 0; i < elements(target).len; i++)
            delete_one(d, at, elements(target).at[i]);
        return;
    }
    const Expr *done = desugar_expr(d, target);
    desugar_put(d, stmt_delete(d->arena, at, desugar_list(d, 1, &done)));
}

void desugar_delete(Desugar *d, const Stmt *s)
{
    for (size_t i = 0; i < s->delete.targets.len; i++)
        delete_one(d, s->at, s->delete.targets.at[i]);
}
