// stage_store.c - stores into arrays. `y[1:] = e` gives the array a new value: a selection of what
// is stored and of what was there. Every name, list and parameter of it sees that, as long as it
// was made in the same round of a loop and arm of a condition; behind those there is one value for
// each name. So an array from outside of them is stored into only if it has one name, and an array
// that a view or another value shows never is.

#include "compiler/pass/ad/stage_internal.h"

#include <string.h>

// ---- whose array it is ----

void stage_note_binding(Value *v)
{
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->items.len; i++)
        stage_note_binding(v->items.at[i]);
    v->bindings++;
    for (Value *base = v->base; base != NULL; base = base->base)
        base->shared = true;
}

Value *value_fresh(Stage *s, const Expr *e)
{
    Value *v = value_term(s, e);
    v->fresh = true;
    return v;
}

void stage_note_escape(Value *v)
{
    for (size_t i = 0; (v->kind == VALUE_LIST || v->kind == VALUE_RECORD) && i < v->items.len; i++)
        stage_note_escape(v->items.at[i]);
    for (; v != NULL; v = v->base)
        v->escaped = true;
}

void stage_note_replaced(Value *v)
{
    if (v->kind == VALUE_LIST || v->kind == VALUE_RECORD || v->base != NULL || v->bindings > 1)
        stage_note_escape(v);
}

static bool is_own(const Value *v)
{
    return v->kind == VALUE_TERM &&
           (term_rank(v->term) == 0 || (v->fresh && !v->shared && !v->escaped && v->base == NULL));
}

bool stage_may_store(const Value *v)
{
    if (v->kind == VALUE_RECORD)
        return !v->escaped && !v->shared && v->bindings <= 1;
    return is_own(v) && (term_rank(v->term) == 0 || v->bindings <= 1);
}

size_t stage_enter(Stage *s)
{
    size_t old = s->region;
    s->region = ++s->regions;
    return old;
}

// A call inside an expression changes no array of its caller: what stands before the call in the
// expression has been read already.
static bool is_seen_by_all(const Stage *s, const Value *v)
{
    return v->region == s->region && v->made >= s->inner;
}

void stage_refuse_shared(Stage *s, Span at, Sym name)
{
    (void)stage_refuse(s, at, "another variable or a view may refer to this array\n"
                       "first copy it, `%s = %s.copy()`", name, name);
}

// The array of a name of this function, or in a record; NULL: refused.
static Value *stored_array(Stage *s, Scope *scope, const Expr *name)
{
    Value *v = name->kind == EXPR_NAME ? NULL : stage_current(s, scope, name);
    bool outside = v != NULL && v->made < s->inner;     // the record may be one of the caller
    for (Scope *at = scope; name->kind == EXPR_NAME && at != NULL && v == NULL; at = at->outer) {
        v = table_get(at->names, name->name.id);
        outside = outside || (v == NULL && at->function);
    }
    if (v != NULL && !outside && v->kind == VALUE_LIST)
        (void)stage_refuse(s, name->at, "an array function does not support assignment to an item "
                           "of a list\ncreate an array, `%s = np.array(%s)`", stage_shown(s, name),
                           stage_shown(s, name));
    else if (v != NULL && outside && name->kind != EXPR_NAME)
        (void)stage_refuse(s, name->at, "a call that is part of a larger expression must not "
                           "change the array `%s` of its caller\nassign the result of the call "
                           "to a variable first", stage_shown(s, name));
    else if (v == NULL || outside || v->kind != VALUE_TERM)
        (void)stage_refuse(s, name->at, "only an array in a variable of this function can be "
                           "assigned to\ncreate a new array with `np.where`, `build` or `scatter`");
    else if (!stage_may_store(v) && !(is_own(v) && is_seen_by_all(s, v)))
        stage_refuse_shared(s, name->at, stage_shown(s, name));
    return s->failed ? NULL : v;
}

static void set_array(Stage *s, Scope *scope, const Expr *name, const Expr *new)
{
    Value *v = stage_current(s, scope, name);
    if (is_seen_by_all(s, v)) {
        v->term = new;
        return;
    }
    v = value_fresh(s, new);
    v->bindings = name->kind == EXPR_NAME;
    stage_set_current(s, scope, name, v);
}

// ---- where ----

typedef struct Store {
    Stage *s;
    const Expr *x;
    Span at;
    const Expr *inside;         // a test for each element; NULL: all
    const Expr *open;           // .. in the dimension of a slice whose length is not known; or NULL
    const Value *selected;      // what is stored, if a condition selects it
    Vec(const Expr *) from;     // of each dimension that a slice takes; NULL: one place
    Vec(int64_t) steps;         // of them
    Vec(const Ty *) shape;      // of what is stored
} Store;

// Whole numbers along one dimension of x, for each element.
static const Expr *along(Store *u, size_t axis)
{
    Stage *s = u->s;
    TyList shape = term_shape(u->x);
    const Expr *iota = term_iota(s->t, shape.at[axis]);
    TyList thin = {ARENA_ARRAY(s->arena, const Ty *, shape.len + 1), shape.len - axis};
    for (size_t i = 0; i < thin.len; i++)
        ((const Ty **)thin.at)[i] = i == 0 ? shape.at[axis] : size_number(s->t, 1);
    return stage_broadcast(s, term_reshape(s->t, thin, iota), shape, u->at);
}

static void restrict_to(Store *u, const Expr *test)
{
    u->inside = u->inside == NULL ? test : term_binary(u->s->t, OPERATOR_BIT_AND, u->inside, test);
}

static void compare_axis(Store *u, size_t axis, Cmpop op, const Expr *with)
{
    Stage *s = u->s;
    restrict_to(u, term_compare(s->t, op, along(u, axis),
                                term_fill(s->t, term_shape(u->x), with)));
}

// (i - from) // step or % step for the i-th place along one dimension of x.
static const Expr *step_of(Store *u, size_t axis, const Expr *from, int64_t step, Operator op)
{
    Stage *s = u->s;
    const Expr *behind = stage_binary(s, OPERATOR_SUB, along(u, axis), from, u->at);
    return stage_binary(s, op, behind, term_int(s->t, step), u->at);
}

static const Expr *from_end(Store *u, size_t axis, const Expr *e)
{
    Poly p;
    int64_t n;
    bool below = term_poly(u->s->t, e, &p) && poly_is_number(p, &n) && n < 0;
    return below ? stage_binary(u->s, OPERATOR_ADD,
                                term_of_size(u->s->t, term_shape(u->x).at[axis]), e, u->at) : e;
}

static void store_slice(Store *u, Scope *scope, size_t axis, const Expr *slice)
{
    Stage *s = u->s;
    const Ty *size = term_shape(u->x).at[axis], *length = size;
    const Expr *from = term_int(s->t, 0), *to = term_of_size(s->t, size);
    int64_t step = stage_step(s, scope, slice);
    if (step < 0)
        (void)stage_refuse(s, slice->at, "an array function does not support assignment to a slice "
                           "with a negative step\nwrite `y[::2] = e[::-1]` for `y[::-2] = e`");
    if (slice->slice.lower != NULL) {
        from = from_end(u, axis, stage_term(s, scope, slice->slice.lower));
        compare_axis(u, axis, CMPOP_GT_E, from);
    }
    if (slice->slice.upper != NULL && !s->failed) {
        to = from_end(u, axis, stage_term(s, scope, slice->slice.upper));
        compare_axis(u, axis, CMPOP_LT, to);
    }
    if (u->open == NULL && step == 1 && stage_is_open(s, from, to)) {
        stage_check_open(s, from, to, size);
        u->open = stage_between(s, size, slice->slice.lower == NULL ? NULL : from,
                                slice->slice.upper == NULL ? NULL : to);
        from = term_int(s->t, 0);           // all elements lie there: some are stored
    } else if (!s->failed) {
        length = stage_slice_length(s, from, to, size, slice->at);
    }
    if (!s->failed && step > 1)
        restrict_to(u, term_compare(s->t, CMPOP_EQ, step_of(u, axis, from, step, OPERATOR_MOD),
                                    term_fill(s->t, term_shape(u->x), term_int(s->t, 0))));
    vec_push(s->arena, &u->from, from);
    vec_push(s->arena, &u->steps, step);
    vec_push(s->arena, &u->shape, s->failed ? length : stage_every(s, length, step));
}

static void store_index(Store *u, size_t axis, const Expr *index)
{
    Stage *s = u->s;
    if (term_elem(index) != ELEM_INT || term_rank(index) > 0) {
        (void)stage_refuse(s, u->at, term_elem(index) != ELEM_INT
                           ? "an index must be an integer"
                           : "an array function does not support assignment to a slice of the "
                             "elements at an array of indices\nto add to them, write "
                             "`np.add.at(x, indices, e)`");
        return;
    }
    index = from_end(u, axis, index);
    stage_check_index(s, index, term_shape(u->x).at[axis]);
    compare_axis(u, axis, CMPOP_EQ, index);
    vec_push(s->arena, &u->from, NULL);
    vec_push(s->arena, &u->steps, 1);
}

// A whole array of tests.
static bool store_mask(Store *u, Scope *scope, const Expr *slice)
{
    bool plain = slice->kind == EXPR_SLICE || slice->kind == EXPR_TUPLE ||
                 slice->kind == EXPR_CONSTANT;
    const Expr *test = plain ? NULL : stage_term(u->s, scope, slice);
    if (test == NULL || u->s->failed || term_elem(test) != ELEM_BOOL)
        return false;
    if (!shape_equal(term_shape(test), term_shape(u->x)))
        (void)stage_differ(u->s, u->at, "an assignment with a condition as the index", u->x, test);
    u->inside = test;
    return true;
}

// Whether the same condition selects what is stored, if one does.
static bool selects(Store *u, const Value *value, const Expr *test)
{
    if (value->test != test && !u->s->failed)
        (void)stage_refuse(u->s, u->at, "what is assigned is selected by another condition than "
                           "the index\nwrite `np.where(c, x, y)`");
    return !u->s->failed;
}

// What is stored, as an array of the shape of x: wrong where nothing is.
static const Expr *placed(Store *u, const Expr *value)
{
    Stage *s = u->s;
    TyList shape = term_shape(u->x);
    value = stage_broadcast(s, value, (TyList){u->shape.at, u->shape.len}, u->at);
    Vec(const Expr *) is = {0}, place = {0};
    for (size_t i = 0; i < shape.len && !s->failed; i++) {
        vec_push(s->arena, &is, term_variable(s->t));
        const Expr *from = i < u->from.len ? u->from.at[i] : term_int(s->t, 0);
        int64_t step = i < u->steps.len ? u->steps.at[i] : 1;
        const Expr *behind = from == NULL ? NULL : stage_binary(s, OPERATOR_SUB, is.at[i], from,
                                                                u->at);
        if (step > 1)
            behind = stage_binary(s, OPERATOR_FLOOR_DIV, behind, term_int(s->t, step), u->at);
        if (behind != NULL)
            vec_push(s->arena, &place, behind);
    }
    return s->failed ? value : term_gather(s->t, shape, value, (ExprList){is.at, is.len},
                                           (ExprList){place.at, place.len});
}

const Expr *stage_with_front(Stage *s, const Expr *x, const Expr *value, Span at)
{
    TyList shape = term_shape(value);
    const Expr *zero = term_int(s->t, 0), *end = term_of_size(s->t, shape.at[0]);
    if (shape_equal(shape, term_shape(x)) ||
        stage_slice_length(s, zero, end, term_shape(x).at[0], at) == NULL)
        return value;
    Store u = {.s = s, .x = x, .at = at};
    compare_axis(&u, 0, CMPOP_LT, end);
    for (size_t i = 0; i < shape.len; i++) {
        vec_push(s->arena, &u.from, zero);
        vec_push(s->arena, &u.shape, shape.at[i]);
    }
    value = placed(&u, value);
    return s->failed ? value : term_where(s->t, u.inside, value, x);
}

static const char *const elem_names[ELEM_COUNT] = {"float", "int", "bool"};

// The value as one of the type of the array; false: refused.
static bool fits_elements(Store *u, const Expr **value)
{
    Stage *s = u->s;
    if (term_elem(u->x) == ELEM_FLOAT)
        *value = stage_float(s, *value);
    if (term_elem(*value) != term_elem(u->x))
        (void)stage_refuse(s, u->at, "the elements of the array are of type `%s`, but the "
                           "assigned value is of type `%s`%s", elem_names[term_elem(u->x)],
                           elem_names[term_elem(*value)], term_elem(u->x) == ELEM_INT
                           ? "\nconvert the value with `int`" : "");
    return !s->failed;
}

// Of indices; a slice has none. A tuple alone has one for each of several axes.
static ValueVec values_of(Stage *s, Scope *scope, ExprList parts)
{
    ValueVec all = {0};
    for (size_t i = 0; i < parts.len && !s->failed; i++)
        vec_push(s->arena, &all, parts.at[i]->kind == EXPR_SLICE
                                     ? NULL : stage_eval(s, scope, parts.at[i]));
    bool several = all.len == 1 && all.at[0] != NULL && all.at[0]->kind == VALUE_LIST &&
                   all.at[0]->tuple;
    return several ? all.at[0]->items : all;
}

// The indices, if all are integers and arrays of integers; none: there is something else.
static ExprList places_of(Store *u, Scope *scope, ExprList parts)
{
    Stage *s = u->s;
    TyList shape = term_shape(u->x);
    Vec(const Expr *) places = {0};
    ValueVec of = values_of(s, scope, parts);
    if (of.len > shape.len)
        stage_refuse_indices(s, shape.len, u->at);
    for (size_t i = 0; i < of.len && !s->failed; i++) {
        if (of.at[i] == NULL || of.at[i]->kind == VALUE_NONE)
            return (ExprList){NULL, 0};
        const Expr *index = value_as_term(s, of.at[i], u->at);
        if (term_elem(index) != ELEM_INT)
            return (ExprList){NULL, 0};
        vec_push(s->arena, &places, from_end(u, i, index));
    }
    return (ExprList){places.at, s->failed ? 0 : places.len};
}

// The sums of the elements of `value` at each place, in the shape of x.
static const Expr *scattered(Store *u, ExprList places, const Expr *value)
{
    Stage *s = u->s;
    TyList shape = term_shape(u->x), rows = term_shape(places.at[0]);
    Vec(const Expr *) is = {0}, place = {0};
    for (size_t i = 1; i < places.len && !s->failed; i++)
        rows = stage_common_shape(s, term_zero(s->t, term_ty(s->t, ELEM_INT, rows)), places.at[i],
                                  u->at, "these indices");
    TyList all = shape_join(s->t, rows, shape_drop(shape, places.len));
    if (!s->failed && term_rank(value) > all.len)
        (void)stage_differ(s, u->at, "this assignment",
                           term_zero(s->t, term_ty(s->t, ELEM_FLOAT, all)), value);
    value = s->failed ? value : stage_broadcast(s, value, all, u->at);
    for (size_t i = 0; i < rows.len; i++)
        vec_push(s->arena, &is, term_variable(s->t));
    ExprList indices = {is.at, is.len};
    for (size_t i = 0; i < places.len && !s->failed; i++) {
        stage_check_index(s, places.at[i], shape.at[i]);
        vec_push(s->arena, &place, term_index(s->t, stage_broadcast(s, places.at[i], rows, u->at),
                                              indices));
    }
    return s->failed ? value : term_scatter(s->t, shape, value, indices,
                                            (ExprList){place.at, place.len});
}

// y[i, j] = e for arrays i and j; false: none of the indices is an array.
static bool store_places(Store *u, ExprList places, const Expr *value)
{
    Stage *s = u->s;
    bool arrays = false;
    for (size_t i = 0; i < places.len; i++)
        arrays = arrays || term_rank(places.at[i]) > 0;
    if (arrays && term_rank(value) > 0)
        (void)stage_refuse(s, u->at, "with arrays as the indices, only a number can be assigned: "
                           "an element may occur twice\nto add to the elements, write "
                           "`np.add.at(x, indices, e)`");
    if (arrays && !s->failed)
        u->inside = term_compare(s->t, CMPOP_GT, scattered(u, places, term_float(s->t, 1.0)),
                                 term_fill(s->t, term_shape(u->x), term_float(s->t, 0.0)));
    return arrays;
}

static const Expr *stored(Store *u, Scope *scope, const Expr *slice, const Expr *value)
{
    Stage *s = u->s;
    ExprList parts = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    TyList shape = term_shape(u->x);
    if (!fits_elements(u, &value))
        return value;
    if (store_mask(u, scope, slice)) {
        if (term_rank(value) > 0)
            (void)stage_refuse(s, u->at, "with a condition as the index, only a number can be "
                               "assigned\nwrite `np.where(c, x, y)`");
        return s->failed ? value : term_where(s->t, u->inside, term_fill(s->t, shape, value), u->x);
    }
    if (store_places(u, places_of(u, scope, parts), value))
        return s->failed ? value : term_where(s->t, u->inside, term_fill(s->t, shape, value), u->x);
    for (size_t i = 0; i < parts.len && !s->failed; i++)
        if (parts.at[i]->kind == EXPR_SLICE)
            store_slice(u, scope, i, parts.at[i]);
        else
            store_index(u, i, stage_term(s, scope, parts.at[i]));
    if (!s->failed && u->selected != NULL && u->open == NULL)
        (void)value_as_term(s, u->selected, u->at);
    for (size_t i = parts.len; i < shape.len && !s->failed; i++)
        vec_push(s->arena, &u->shape, shape.at[i]);
    if (!s->failed && term_rank(value) > u->shape.len)
        (void)stage_differ(s, u->at, "this assignment",
                           term_zero(s->t, term_ty(s->t, ELEM_FLOAT,
                                                   (TyList){u->shape.at, u->shape.len})), value);
    const Expr *new = s->failed ? value : placed(u, value);
    return s->failed || u->inside == NULL ? new : term_where(s->t, u->inside, new, u->x);
}

// y[c] = f(x[c])
static void store_selected(Stage *s, Scope *scope, const Expr *target, const Value *to,
                           const Value *value)
{
    Store u = {.s = s, .x = to->term, .at = target->at, .selected = value};
    const Expr *new = value->term, *slice = target->subscript.slice;
    if (store_mask(&u, scope, slice)) {
        if (selects(&u, value, u.inside) && fits_elements(&u, &new))
            set_array(s, scope, target->subscript.value, term_where(s->t, u.inside, new, u.x));
        return;
    }
    new = s->failed ? new : stored(&u, scope, slice, new);
    if (!s->failed && selects(&u, value, u.open))
        set_array(s, scope, target->subscript.value, new);
}

// y[i, j] for y[i][j], if y is an array and i a number.
static const Expr *one_subscript(Stage *s, Scope *scope, const Expr *target)
{
    const Expr *inner = target->subscript.value, *slice = target->subscript.slice;
    if (inner->kind != EXPR_SUBSCRIPT)
        return target;
    inner = one_subscript(s, scope, inner);
    const Expr *name = inner->subscript.value, *first = inner->subscript.slice;
    const Value *y = stage_current(s, scope, name);
    ExprList places = first->kind == EXPR_TUPLE ? first->tuple.elts : (ExprList){&first, 1};
    bool numbers = y != NULL && y->kind == VALUE_TERM;
    for (size_t i = 0; i < places.len && numbers; i++) {
        const Value *v = places.at[i]->kind == EXPR_SLICE ? NULL
                                                          : stage_eval(s, scope, places.at[i]);
        numbers = v != NULL && v->kind == VALUE_TERM && term_elem(v->term) == ELEM_INT &&
                  term_rank(v->term) == 0;
    }
    if (!numbers)
        return target;
    places = term_join(s->t, places, slice->kind == EXPR_TUPLE ? slice->tuple.elts
                                                               : (ExprList){&slice, 1});
    return expr_subscript(s->arena, target->at, name,
                          expr_tuple(s->arena, slice->at, places, EXPR_CONTEXT_LOAD),
                          target->subscript.ctx);
}

void stage_store(Stage *s, Scope *scope, const Expr *target, const Value *value)
{
    Slot place;
    if (stage_place(s, scope, target, &place)) {
        record_set(s, place.record, place.key, (Value *)value, target->at);
        return;
    }
    target = one_subscript(s, scope, target);
    const Expr *name = target->subscript.value;
    Value *v = stored_array(s, scope, name);
    if (!s->failed && value->kind == VALUE_SELECTED) {
        store_selected(s, scope, target, v, value);
        return;
    }
    const Expr *e = s->failed ? NULL : value_as_term(s, value, target->at);
    if (s->failed)
        return;
    Store u = {.s = s, .x = v->term, .at = target->at};
    const Expr *new = stored(&u, scope, target->subscript.slice, e);
    if (!s->failed && u.open != NULL && term_rank(e) > 0)
        (void)stage_refuse(s, target->at, "to a slice whose length changes only a number, or the "
                           "same slice of another array, can be assigned\nwrite "
                           "`np.where(np.arange(len(y)) < k, x, y)`");
    if (!s->failed)
        set_array(s, scope, name, new);
}

void stage_store_all(Stage *s, Scope *scope, const Expr *name, const Expr *value)
{
    const Value *v = stored_array(s, scope, name);
    Store u = {.s = s, .x = s->failed ? value : v->term, .at = name->at};
    if (!s->failed && fits_elements(&u, &value)) {
        value = stage_broadcast(s, value, term_shape(u.x), name->at);
        if (!s->failed)
            set_array(s, scope, name, value);
    }
}

// ---- y += e, y[i] += e, np.add.at(y, i, e) ----

void stage_set_augmented(Stage *s, Scope *scope, const Stmt *stmt, const Expr *new)
{
    const Expr *name = stmt->aug_assign.target;
    if (term_rank(value_as_term(s, stage_current(s, scope, name), name->at)) == 0) {
        stage_bind(s, scope, name, value_fresh(s, new), stmt->at);
        return;
    }
    if (s->depth == 1 && name->kind == EXPR_NAME)
        term_hint(s->t, new, name->name.id);
    stage_store_all(s, scope, name, new);
}

void stage_augment(Stage *s, Scope *scope, const Stmt *stmt)
{
    const Expr *target = stmt->aug_assign.target;
    Slot place;
    if (!stage_is_plain(target))
        (void)stage_refuse(s, target->at, "an array function does not support a call in the target "
                           "of an augmented assignment\nassign its result to a variable first");
    const bool in_record = target->kind != EXPR_NAME && stage_place(s, scope, target, &place);
    if (s->failed)
        return;
    if (target->kind == EXPR_SUBSCRIPT && !in_record) {
        const Value *v = stage_binary_value(s, scope, stmt->aug_assign.op, target,
                                            stmt->aug_assign.value, stmt->at);
        if (!s->failed)
            stage_store(s, scope, target, v);
        return;
    }
    const Value *old = stage_eval(s, scope, target);
    if (!s->failed && old->kind == VALUE_LIST && (old->bindings <= 1 || old->tuple)) {
        const Expr sum = {.kind = EXPR_BIN_OP, .at = stmt->at, .bin_op = {
                              .left = target, .op = stmt->aug_assign.op,
                              .right = stmt->aug_assign.value}};
        stage_bind(s, scope, target, stage_eval(s, scope, &sum), stmt->at);
        return;
    }
    if (!s->failed && old->kind == VALUE_LIST)
        (void)stage_refuse(s, target->at, STAGE_SHARED_LIST, stage_shown(s, target),
                           stage_shown(s, target));
    if (!s->failed && target->kind == EXPR_ATTRIBUTE && !in_record)
        (void)stage_refuse(s, target->at, "an array function does not support assignment to this "
                           "attribute");
    const Expr *x = s->failed ? NULL : value_as_term(s, old, target->at);
    if (!s->failed && term_rank(x) > 0 && stored_array(s, scope, target) == NULL)
        return;
    const Expr *value = s->failed ? NULL : stage_term(s, scope, stmt->aug_assign.value);
    const Expr *new = s->failed ? NULL : stage_binary(s, stmt->aug_assign.op, x, value, stmt->at);
    if (!s->failed && term_rank(x) > 0 && !shape_equal(term_shape(x), term_shape(new)))
        (void)stage_differ(s, stmt->at, "this augmented assignment", x, value);
    if (!s->failed && term_rank(x) == 0)
        stage_bind(s, scope, target, value_fresh(s, new), stmt->at);
    else if (!s->failed)
        stage_set_augmented(s, scope, stmt, new);
}

bool stage_add_at(Stage *s, Scope *scope, const Expr *call)
{
    const Expr *f = call->call.func;
    if (f->kind != EXPR_ATTRIBUTE || !sym_is(f->attribute.attr, "at") ||
        f->attribute.value->kind != EXPR_ATTRIBUTE ||
        !sym_is(f->attribute.value->attribute.attr, "add") || call->call.args.len != 3)
        return false;
    const Expr *name = call->call.args.at[0], *index = call->call.args.at[1];
    Value *v = stored_array(s, scope, name);
    const Expr *value = s->failed ? NULL : stage_float(s, stage_term(s, scope,
                                                                     call->call.args.at[2]));
    if (s->failed)
        return true;
    Store u = {.s = s, .x = v->term, .at = call->at};
    ExprList places = places_of(&u, scope, index->kind == EXPR_TUPLE ? index->tuple.elts
                                                                     : (ExprList){&index, 1});
    if (!s->failed && (places.len == 0 || term_elem(v->term) != ELEM_FLOAT))
        (void)stage_refuse(s, call->at, "an array function supports `np.add.at` only for an array "
                                        "of floats, at integers and arrays of integers");
    const Expr *sum = s->failed ? value : scattered(&u, places, value);
    if (!s->failed)
        set_array(s, scope, name, term_binary(s->t, OPERATOR_ADD, v->term, sum));
    return true;
}
