// stage_python.c - handlers of calls of Python's own functions and of those of pychoral.ad.

#include "compiler/pass/ad/bulk.h"
#include "compiler/pass/ad/gradient.h"
#include "compiler/pass/ad/loop.h"
#include "compiler/pass/ad/simplify.h"
#include "compiler/pass/ad/stage_call.h"

// ---- Python's own ----

// The numbers of a range with a step, all of them known.
static Value *stepped(Call *c, int64_t first, int64_t end, int64_t step)
{
    Value *all = value_list(c->s, (ValueVec){0}, false);
    for (int64_t i = first; step > 0 ? i < end : i > end; i += step)
        vec_push(c->s->arena, &all->items, value_term(c->s, term_int(c->s->t, i)));
    return all;
}

static Value *range_of(Call *c, const Expr *first, const Expr *end, bool down)
{
    Value *v = value_of(c->s, VALUE_RANGE);
    v->down = down;
    vec_push(c->s->arena, &v->items, value_term(c->s, first));
    vec_push(c->s->arena, &v->items, value_term(c->s, end));
    return v;
}

Value *stage_py_range(Call *c)
{
    Stage *s = c->s;
    int64_t step = 1, first, last;
    if (call_all(c)->len == 0 || c->args.len > 3)
        return term(c, stage_refuse(s, c->at, "`range` requires one to three arguments"));
    const Expr *end = value_as_term(s, c->args.at[c->args.len > 1], c->at);
    const Expr *start = c->args.len > 1 ? value_as_term(s, c->args.at[0], c->at)
                                        : term_int(s->t, 0);
    if (!s->failed && (term_elem(end) != ELEM_INT || term_elem(start) != ELEM_INT))
        (void)stage_refuse(s, c->at, "the arguments of `%s` must be integers", c->name);
    if (c->args.len == 3 && (!value_number(s, c->args.at[2], &step) || step == 0))
        (void)stage_refuse(s, c->at, "the step of `%s` must be an integer constant other than 0",
                           c->name);
    if (s->failed || step == 1)
        return range_of(c, start, end, false);
    if (value_number(s, value_term(s, start), &first) &&
        value_number(s, value_term(s, end), &last))
        return stepped(c, first, last, step);
    if (step != -1) {
        Value *v = range_of(c, start, end, false);
        v->step = step;
        return v;
    }
    const Expr *one = term_int(s->t, 1);
    return range_of(c, stage_binary(s, OPERATOR_ADD, end, one, c->at),
                    stage_binary(s, OPERATOR_ADD, start, one, c->at), true);
}

Value *stage_py_reversed(Call *c)
{
    Stage *s = c->s;
    const Value *v = stage_iterated(s, call_wanted(c, 0, "sequence"));
    if (v->kind == VALUE_RANGE && v->step == 0)
        return range_of(c, v->items.at[0]->term, v->items.at[1]->term, !v->down);
    if (v->kind != VALUE_LIST)
        return term(c, stage_refuse(s, c->at, v->kind == VALUE_TERM && term_rank(v->term) > 0
                                    ? "an array function supports `reversed` only for a list, a "
                                      "tuple or a `range`\nfor an array `x`, write `x[::-1]`"
                                    : "an array function supports `reversed` only for a list, a "
                                      "tuple or a `range` whose step is 1 or -1"));
    Value *all = value_list(s, (ValueVec){0}, false);
    for (size_t i = v->items.len; i-- > 0;)
        vec_push(s->arena, &all->items, v->items.at[i]);
    return all;
}

Value *stage_py_len(Call *c)
{
    Stage *s = c->s;
    const Value *v = stage_iterated(s, call_wanted(c, 0, "obj"));
    if (v->kind == VALUE_LIST)
        return term(c, term_int(s->t, (int64_t)v->items.len));
    if (v->kind == VALUE_SELECTED)
        return term(c, stage_count_selected(s, v, term_int(s->t, 1), c->at));
    const Expr *x = value_as_term(s, v, c->at);
    if (!s->failed && term_rank(x) == 0)
        return term(c, stage_refuse(s, c->at, "`len` is not supported for a number"));
    return term(c, s->failed ? x : term_of_size(s->t, term_shape(x).at[0]));
}

static bool length(Stage *s, const Value *v, int64_t *n)
{
    if (v->kind == VALUE_LIST)
        *n = (int64_t)v->items.len;
    else if (v->kind != VALUE_TERM || term_rank(v->term) == 0 ||
             !poly_is_number(size_poly(s->t, term_shape(v->term).at[0]), n))
        return false;
    return true;
}

static Value *item(Stage *s, const Value *v, int64_t i)
{
    if (v->kind == VALUE_LIST)
        return v->items.at[i];
    Value *one = value_term(s, term_index(s->t, v->term, term_list(s->t, term_int(s->t, i), NULL)));
    one->base = (Value *)v;
    return one;
}

static Value *tuples(Call *c, ValueVec of, bool numbered)
{
    Stage *s = c->s;
    Value *all = value_list(s, (ValueVec){0}, false);
    int64_t n = 0, shortest = -1;
    for (size_t k = 0; k < of.len; k++)
        of.at[k] = stage_iterated(s, of.at[k]);
    for (size_t k = 0; k < of.len; k++) {
        if (!length(s, of.at[k], &n)) {
            Value *rows = value_of(s, VALUE_ROWS);
            rows->items = of;
            rows->numbered = numbered;
            return rows;
        }
        shortest = shortest < 0 || n < shortest ? n : shortest;
    }
    for (int64_t i = 0; i < shortest; i++) {
        Value *one = value_list(s, (ValueVec){0}, true);
        if (numbered)
            vec_push(s->arena, &one->items, value_term(s, term_int(s->t, i)));
        for (size_t k = 0; k < of.len; k++)
            vec_push(s->arena, &one->items, item(s, of.at[k], i));
        vec_push(s->arena, &all->items, one);
    }
    return all;
}

Value *stage_py_zip(Call *c)     { return tuples(c, *call_all(c), false); }
Value *stage_same_value(Call *c) { return call_wanted(c, 0, "x"); }

// A list of its own.
Value *stage_py_list(Call *c)
{
    Stage *s = c->s;
    if (c->args.len == 0)
        return value_list(s, (ValueVec){0}, sym_is(c->name, "tuple"));
    Value *of = stage_iterated(s, call_wanted(c, 0, "x"));
    if (of->kind != VALUE_LIST)
        return of;
    Value *all = value_list(s, (ValueVec){0}, sym_is(c->name, "tuple"));
    for (size_t i = 0; i < of->items.len; i++)
        vec_push(s->arena, &all->items, of->items.at[i]);
    return all;
}

Value *stage_py_super(Call *c)
{
    Value *v = stage_find(c->scope, names_get(c->s->names, "super()"));
    return v != NULL ? v : term(c, stage_refuse(c->s, c->at, "an array function supports `super()` "
                                                "only in a method"));
}

Value *stage_py_str(Call *c)
{
    int64_t n;
    Value *v = call_wanted(c, 0, "object");
    if (v->kind == VALUE_TEXT)
        return v;
    return value_number(c->s, v, &n)
               ? stage_text(c->s, names_format(c->s->names, "%lld", (long long)n))
               : term(c, stage_refuse(c->s, c->at, "an array function supports `str` only for an "
                                      "integer that is known when the function is compiled"));
}

Value *stage_py_isinstance(Call *c)
{
    const Value *v = call_wanted(c, 0, "object"), *cls = call_wanted(c, 1, "class");
    if (!c->s->failed && cls->kind != VALUE_CLASS)
        return term(c, stage_refuse(c->s, c->at, "an array function supports `isinstance` only for "
                                                 "a class of the program"));
    const Value *of = v->kind == VALUE_RECORD || v->kind == VALUE_LIST ? v->cls : NULL;
    while (of != NULL && of != cls)
        of = of->cls;
    return term(c, term_bool(c->s->t, of != NULL));
}

// x._replace(a=..): a tuple with some other items.
Value *stage_replace(Call *c)
{
    Stage *s = c->s;
    const Value *old = call_wanted(c, 0, "self");
    Value *new = value_list(s, (ValueVec){0}, true);
    new->cls = old->cls;
    for (size_t i = 0; i < old->items.len; i++) {
        Value *v = call_given(c, (size_t)-1, old->cls->args->args.at[i]->arg);
        vec_push(s->arena, &new->items, v != NULL ? v : old->items.at[i]);
    }
    return new;
}

Value *stage_py_enumerate(Call *c)
{
    ValueVec one = {0};
    vec_push(c->s->arena, &one, call_wanted(c, 0, "iterable"));
    return tuples(c, one, true);
}

// ---- pychoral.ad ----

typedef struct Indexed {
    const Value *f;
    TyList   shape;
    size_t   axis;
    ValueVec indices;
    Span     at;
} Indexed;

static Value *indexed(void *cx, Stage *s, const Expr *index)
{
    Indexed inner = *(Indexed *)cx;
    ValueVec indices = {0};
    for (size_t i = 0; i < inner.indices.len; i++)
        vec_push(s->arena, &indices, inner.indices.at[i]);
    vec_push(s->arena, &indices, value_term(s, index));
    inner.indices = indices;
    if (++inner.axis == inner.shape.len)
        return stage_apply(s, inner.f, indices, inner.at);
    return value_term(s, stage_build(s, inner.shape.at[inner.axis], indexed, &inner, inner.at));
}

Value *stage_ad_build(Call *c)
{
    Stage *s = c->s;
    TyList shape = call_shape(c, call_wanted(c, 0, "shape"));
    Indexed in = {call_wanted(c, 1, "f"), shape, 0, {0}, c->at};
    if (s->failed || shape.len == 0)
        return s->failed ? term(c, term_float(s->t, 0.0)) : stage_apply(s, in.f, in.indices, c->at);
    return term(c, stage_build(s, shape.at[0], indexed, &in, c->at));
}

// Whether what is sorted in e depends on one of the variables.
static bool sorts_by(Terms *t, const Expr *e, ExprList variables, Table *seen)
{
    bool depends = false;
    for (size_t i = 0; i < variables.len; i++)
        depends = depends || term_has(t, e, variables.at[i]);
    if (!depends || e->kind == EXPR_ARG_SORT || table_get(seen, e) != NULL)
        return depends && e->kind == EXPR_ARG_SORT;
    table_set(seen, e, seen);
    ExprList inner = term_inner(t, e);
    for (size_t i = 0; i < inner.len; i++)
        if (sorts_by(t, inner.at[i], variables, seen))
            return true;
    return false;
}

// A place that is found by a sort of its own: all of them are an array, of which it is one.
static const Expr *found_by_sort(Stage *s, const Expr *e, ExprList indices, TyList extents)
{
    if (indices.len > extents.len || !sorts_by(s->t, e, indices, table_new(s->arena)))
        return e;
    for (size_t i = indices.len; i-- > 0;)
        e = term_build(s->t, indices.at[i], extents.at[i], e);
    return term_index(s->t, e, indices);
}

// The indices go over the first sizes of `extents`.
static ExprList place_of(Call *c, const Value *f, ExprList indices, TyList extents)
{
    Stage *s = c->s;
    ValueVec args = {0};
    Vec(const Expr *) place = {0};
    for (size_t i = 0; i < indices.len; i++) {
        vec_push(s->arena, &args, value_term(s, indices.at[i]));
        if (i < extents.len) {
            vec_push(s->arena, &s->bound, indices.at[i]);
            vec_push(s->arena, &s->extents, extents.at[i]);
        }
    }
    Journal journal;
    journal_open(s, &journal);
    const Value *at = stage_apply(s, f, args, c->at);
    journal_end(s, &journal, c->at);
    size_t known = indices.len < extents.len ? indices.len : extents.len;
    s->bound.len -= known;
    s->extents.len -= known;
    size_t n = at->kind == VALUE_LIST ? at->items.len : 1;
    for (size_t i = 0; i < n && !s->failed; i++) {
        const Expr *e = value_as_term(s, at->kind == VALUE_LIST ? at->items.at[i] : at, c->at);
        if (!s->failed && (term_elem(e) != ELEM_INT || term_rank(e) > 0))
            (void)stage_refuse(s, c->at, "the function of `%s` must return an integer or a tuple "
                                         "of integers", c->name);
        vec_push(s->arena, &place, s->failed ? e : found_by_sort(s, e, indices, extents));
    }
    return (ExprList){place.at, place.len};
}

static size_t parameters_of(const Value *f)
{
    return f->kind == VALUE_FUNCTION ? f->args->args.len - (f->self != NULL) : 0;
}

static ExprList new_indices(Stage *s, size_t n)
{
    Vec(const Expr *) indices = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(s->arena, &indices, term_variable(s->t));
    return (ExprList){indices.at, indices.len};
}

// The shapes of a gather or a scatter do not go together.
static Value *misfit(Call *c, const Expr *x, TyList shape)
{
    const Expr *other = term_zero(c->s->t, term_ty(c->s->t, ELEM_FLOAT, shape));
    return term(c, stage_differ(c->s, c->at, names_format(c->s->names, "`%s`", c->name), x, other));
}

// The function has a parameter for each index of `from`, and returns a place in `to`. False:
// refused.
static bool has_places(Call *c, size_t indices, size_t from, size_t places, size_t to)
{
    if (indices > from)
        (void)stage_refuse(c->s, c->at, "the function of `%s` has %zu parameters, but the array "
                           "that it goes over has %zu dimension%s", c->name, indices, from,
                           diag_s(from));
    else if (places > to)
        (void)stage_refuse(c->s, c->at, "the function of `%s` returns %zu indices, but the array "
                                        "has %zu dimension%s", c->name, places, to, diag_s(to));
    return !c->s->failed;
}

Value *stage_ad_gather(Call *c)
{
    Stage *s = c->s;
    TyList shape = call_shape(c, call_wanted(c, 0, "shape"));
    const Expr *x = call_array(c, 1, "x");
    const Value *f = call_wanted(c, 2, "f");
    ExprList indices = new_indices(s, parameters_of(f));
    ExprList place = s->failed ? indices : place_of(c, f, indices, shape);
    if (s->failed || !has_places(c, indices.len, shape.len, place.len, term_rank(x)))
        return term(c, x);
    if (!shape_equal(shape_drop(shape, indices.len), shape_drop(term_shape(x), place.len)))
        return misfit(c, x, shape);
    return term(c, term_gather(s->t, shape, x, indices, place));
}

Value *stage_ad_scatter(Call *c)
{
    Stage *s = c->s;
    TyList shape = call_shape(c, call_wanted(c, 0, "shape"));
    const Expr *x = stage_whole_tests(s, call_array(c, 1, "x"));
    const Value *f = call_wanted(c, 2, "f");
    ExprList indices = new_indices(s, parameters_of(f));
    ExprList place = s->failed ? indices : place_of(c, f, indices, term_shape(x));
    if (s->failed || !has_places(c, indices.len, term_rank(x), place.len, shape.len))
        return term(c, x);
    if (!shape_equal(shape_drop(shape, place.len), shape_drop(term_shape(x), indices.len)))
        return misfit(c, x, shape);
    return term(c, term_scatter(s->t, shape, x, indices, place));
}

Value *stage_ad_replicate(Call *c)
{
    TyList size = call_shape(c, call_wanted(c, 0, "size"));
    const Expr *x = call_array(c, 1, "x");
    return term(c, c->s->failed ? x : term_replicate(c->s->t, size.at[0], x));
}

const Expr *call_refuse_axes(Call *c, const char *function, size_t rank, size_t given)
{
    if (given != rank)
        return stage_refuse(c->s, c->at, "the array has %zu dimension%s, but %zu %s given", rank,
                            diag_s(rank), given, given == 1 ? "axis is" : "axes are");
    if (rank == 1)
        return stage_refuse(c->s, c->at, "the axis of `%s` must be 0", function);
    return stage_refuse(c->s, c->at, "the axes of `%s` must be a permutation of 0 to %zu", function,
                        rank - 1);
}

// transpose((1, 0), x): fewer axes than dimensions are those in front.
Value *stage_ad_transpose(Call *c)
{
    Stage *s = c->s;
    const Value *list = call_wanted(c, 0, "axes");
    const Expr *x = call_array(c, 1, "x");
    size_t n = list->items.len, *axes = ARENA_ARRAY(s->arena, size_t, n + 1);
    bool *seen = ARENA_ARRAY(s->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        int64_t axis;
        if (!value_number(s, list->items.at[i], &axis) || axis < 0 || (size_t)axis >= n ||
            seen[axis] || n > term_rank(x))
            return term(c, call_refuse_axes(c, "transpose", n > term_rank(x) ? term_rank(x)
                                                                             : n, n));
        seen[axis] = true;
        axes[i] = (size_t)axis;
    }
    return term(c, s->failed ? x : term_transpose(s->t, axes, n, x));
}

Value *stage_ad_reshape(Call *c)
{
    const Expr *x = call_array(c, 1, "x");
    return term(c, c->s->failed ? x : call_reshaped(c, x, call_wanted(c, 0, "shape")));
}

Value *stage_ad_stack(Call *c)
{
    return term(c, value_as_term(c->s, value_list(c->s, *call_all(c), false), c->at));
}

static Value *outer(Call *c, Reduction op)
{
    const Expr *x = call_array(c, 0, "x");
    if (!c->s->failed && term_rank(x) == 0)
        (void)stage_refuse(c->s, c->at, "`%s` requires an array, not a number", c->name);
    return term(c, c->s->failed ? x : term_reduce(c->s->t, op, x));
}

Value *stage_ad_sum(Call *c)    { return outer(c, REDUCTION_SUM); }
Value *stage_ad_max(Call *c)    { return outer(c, REDUCTION_MAX); }
Value *stage_ad_min(Call *c)    { return outer(c, REDUCTION_MIN); }
Value *stage_ad_argmax(Call *c) { return outer(c, REDUCTION_ARG_MAX); }
Value *stage_ad_argmin(Call *c) { return outer(c, REDUCTION_ARG_MIN); }

Value *stage_ad_argsort(Call *c)
{
    const Expr *x = stage_float(c->s, call_array(c, 0, "x"));
    if (!c->s->failed && term_rank(x) == 0)
        (void)stage_refuse(c->s, c->at, "`%s` requires an array, not a number", c->name);
    return term(c, c->s->failed ? x : term_argsort(c->s->t, x));
}

Value *stage_ad_one_hot(Call *c)
{
    Stage *s = c->s;
    TyList shape = call_shape(c, call_wanted(c, 0, "shape"));
    const Value *at = call_wanted(c, 1, "place");
    const Expr *x = call_array(c, 2, "x");
    Vec(const Expr *) place = {0};
    for (size_t i = 0; i < at->items.len; i++)
        vec_push(s->arena, &place, value_as_term(s, at->items.at[i], c->at));
    if (s->failed)
        return term(c, x);
    if (place.len > shape.len || !shape_equal(shape_drop(shape, place.len), term_shape(x)))
        return misfit(c, x, shape);
    return term(c, term_one_hot(s->t, shape, (ExprList){place.at, place.len}, x));
}


// ---- gradients ----

static Value *gradient_function(Call *c, bool with_value)
{
    Value *v = value_of(c->s, VALUE_GRADIENT);
    v->self = call_wanted(c, 0, "f");
    v->with_value = with_value;
    if (!c->s->failed && v->self->kind != VALUE_FUNCTION)
        (void)stage_refuse(c->s, c->at, v->self->kind == VALUE_LIBRARY
                           ? "the argument of `%s` must be a lambda or a function of the program\n"
                             "write a lambda that calls the function"
                           : "the argument of `%s` must be a lambda or a function of the program",
                           c->name);
    return v;
}

Value *stage_ad_grad(Call *c)           { return gradient_function(c, false); }
Value *stage_ad_value_and_grad(Call *c) { return gradient_function(c, true); }

// The gradient of a result by symbols for the arguments, which is then taken at the arguments.
static ExprList gradient_at(Stage *s, const Expr *result, ExprList symbols, ExprList args)
{
    Simplifier simplifier;
    simplify_open(&simplifier, s->t);
    const Expr *bulk = simplify_term(&simplifier, bulk_term(s->t, result));
    ExprList roots = loop_merge(s->t, term_list(s->t, bulk, NULL));
    Deltas d = delta_of(s->t, partials_new(s->arena, s->names), roots, symbols);
    ExprList grads = gradient_of(s->t, &d, term_list(s->t, term_float(s->t, 1.0), NULL), symbols);
    const Expr **at = ARENA_ARRAY(s->arena, const Expr *, grads.len + 1);
    for (size_t i = 0; i < grads.len; i++)
        at[i] = term_with(s->t, grads.at[i], symbols, args);
    return (ExprList){at, grads.len};
}

static bool reads_any(Stage *s, ExprList terms, ExprList symbols)
{
    for (size_t i = 0; i < terms.len; i++)
        for (size_t k = 0; k < symbols.len; k++)
            if (term_has(s->t, terms.at[i], symbols.at[k]))
                return true;
    return false;
}

// Whether a check reads what stands for an argument while its function is differentiated.
static bool checks_read(Stage *s, ExprList symbols)
{
    bool read = reads_any(s, (ExprList){s->checks.at, s->checks.len}, symbols);
    for (const Rounds *r = s->rounds; r != NULL; r = r->outer)
        read = read || reads_any(s, (ExprList){r->counts.at, r->counts.len}, symbols);
    return read;
}

Value *call_gradient(Call *c, const Value *gradient)
{
    Stage *s = c->s;
    ValueVec values = {0};
    Vec(const Expr *) symbols = {0}, args = {0};
    if (c->keywords.len > 0)
        (void)stage_refuse(s, c->at, "a call of a gradient supports only positional "
                           "arguments in an array function");
    for (size_t i = 0; i < c->args.len && !s->failed; i++) {
        Value *arg = c->args.at[i];
        bool active = arg->kind == VALUE_TERM && term_elem(arg->term) == ELEM_FLOAT;
        if (active) {
            vec_push(s->arena, &args, value_as_term(s, arg, c->at));
            vec_push(s->arena, &symbols, term_state(s->t, args.at[args.len - 1]->ty));
            arg = value_term(s, symbols.at[symbols.len - 1]);
        }
        vec_push(s->arena, &values, arg);
    }
    Journal journal;
    journal_open(s, &journal);
    Value *result = s->failed ? NULL : stage_apply(s, gradient->self, values, c->at);
    journal_end(s, &journal, c->at);
    const Expr *e = s->failed ? NULL : stage_float(s, value_as_term(s, result, c->at));
    ExprList from = {symbols.at, symbols.len}, to = {args.at, args.len};
    if (!s->failed && (term_rank(e) > 0 || symbols.len == 0 || checks_read(s, from)))
        (void)stage_refuse(s, c->at, symbols.len == 0 ? "a gradient requires an argument that "
                                                        "contains floats"
                                     : term_rank(e) > 0 ? "a function that is differentiated must "
                                                          "return a single float"
                                     : "a function cannot be differentiated here if an index "
                                       "that depends on its argument may be out of range");
    if (s->failed)
        return term(c, term_float(s->t, 0.0));
    ExprList grads = gradient_at(s, e, from, to);
    Value *all = value_list(s, (ValueVec){0}, true), *both = value_list(s, (ValueVec){0}, true);
    for (size_t i = 0; i < grads.len; i++)
        vec_push(s->arena, &all->items, value_fresh(s, grads.at[i]));
    if (grads.len == 1)
        all = all->items.at[0];
    vec_push(s->arena, &both->items, value_term(s, term_with(s->t, e, from, to)));
    vec_push(s->arena, &both->items, all);
    return gradient->with_value ? both : all;
}
