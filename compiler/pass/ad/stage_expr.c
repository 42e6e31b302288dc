// stage_expr.c - expressions, run on symbols: operators with numpy's rule for shapes, conditional
// expressions, comprehensions.

#include "compiler/pass/ad/simplify.h"
#include "compiler/pass/ad/stage_internal.h"

#include <stdlib.h>
#include <string.h>

// ---- elements and shapes ----

const Expr *stage_float(Stage *s, const Expr *e)
{
    if (term_elem(e) == ELEM_FLOAT)
        return e;
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_INT)
        return term_float(s->t, strtod(e->constant.value->text.at, NULL));
    return term_call1(s->t, "float64", ELEM_FLOAT, e);
}

// x, whose dimensions of size 1 are stretched and whose missing outer ones are added.
const Expr *stage_broadcast(Stage *s, const Expr *x, TyList shape, Span at)
{
    TyList old = term_shape(x);
    Vec(const Ty *) kept = {0};
    size_t offset = shape.len - old.len, *axes = ARENA_ARRAY(s->arena, size_t, shape.len + 1);
    if (shape_equal(old, shape))
        return x;
    if (old.len > shape.len)
        return stage_differ(s, at, "broadcasting", x, term_zero(s->t, term_ty(s->t, ELEM_FLOAT,
                                                                              shape)));
    for (size_t i = 0; i < old.len; i++)
        if (old.at[i] == shape.at[offset + i])
            vec_push(s->arena, &kept, old.at[i]);
        else if (!size_is(s->t, old.at[i], 1))
            return stage_differ(s, at, "broadcasting", x, term_zero(s->t,
                                term_ty(s->t, ELEM_FLOAT, shape)));
    if (kept.len < old.len)
        x = term_reshape(s->t, (TyList){kept.at, kept.len}, x);
    size_t missing = 0, have = 0, added = shape.len - kept.len;
    for (size_t i = shape.len; i-- > 0;) {
        bool keep = i >= offset && old.at[i - offset] == shape.at[i];
        if (!keep)
            x = term_replicate(s->t, shape.at[i], x);
    }
    for (size_t i = 0; i < shape.len; i++) {
        bool keep = i >= offset && old.at[i - offset] == shape.at[i];
        axes[i] = keep ? added + have++ : missing++;
    }
    return term_transpose(s->t, axes, shape.len, x);
}

TyList stage_common_shape(Stage *s, const Expr *x, const Expr *y, Span at, const char *what)
{
    TyList p = term_shape(x), q = term_shape(y);
    TyList longer = p.len >= q.len ? p : q, shorter = p.len >= q.len ? q : p;
    const Ty **shape = ARENA_ARRAY(s->arena, const Ty *, longer.len + 1);
    size_t offset = longer.len - shorter.len;
    for (size_t i = 0; i < longer.len; i++) {
        const Ty *a = longer.at[i], *b = i < offset ? a : shorter.at[i - offset];
        if (a != b && !size_is(s->t, a, 1) && !size_is(s->t, b, 1))
            (void)stage_differ(s, at, what, x, y);
        shape[i] = size_is(s->t, a, 1) ? b : a;
    }
    return (TyList){shape, longer.len};
}

// Makes two operands one shape and one kind of element.
Value *stage_same(Stage *s, const Expr **x, const Expr **y, Span at, const char *what)
{
    if (term_elem(*x) == ELEM_FLOAT || term_elem(*y) == ELEM_FLOAT) {
        *x = stage_float(s, *x);
        *y = stage_float(s, *y);
    }
    TyList shape = stage_common_shape(s, *x, *y, at, what);
    if (s->failed)
        return NULL;
    *x = stage_broadcast(s, *x, shape, at);
    *y = stage_broadcast(s, *y, shape, at);
    return NULL;
}

// ---- operators ----

static const Expr *folded(Stage *s, const Expr *e)
{
    Poly p;
    bool whole = term_elem(e) == ELEM_INT && term_rank(e) == 0;
    return whole && term_poly(s->t, e, &p) ? term_of_poly(s->t, p) : e;
}

static const Expr *whole_quotient(Stage *s, Operator op, const Expr *x, const Expr *y)
{
    Poly p, by, divided;
    if (term_elem(x) != ELEM_INT || term_elem(y) != ELEM_INT || term_is_int(y, 0) ||
        term_rank(x) > 0 || term_rank(y) > 0)
        return NULL;
    if (x->kind != EXPR_CONSTANT && y->kind == EXPR_CONSTANT && term_poly(s->t, x, &p) &&
        term_poly(s->t, y, &by) && poly_quotient(s->arena, p, by, &divided))
        return op == OPERATOR_MOD ? term_int(s->t, 0) : term_of_poly(s->t, divided);
    if (x->kind != EXPR_CONSTANT || y->kind != EXPR_CONSTANT)
        return NULL;
    int64_t a = strtoll(x->constant.value->text.at, NULL, 10);
    int64_t b = strtoll(y->constant.value->text.at, NULL, 10);
    int64_t q = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return term_int(s->t, op == OPERATOR_MOD ? a - q * b : q);
}

const Expr *stage_binary(Stage *s, Operator op, const Expr *x, const Expr *y, Span at)
{
    if (op == OPERATOR_MAT_MULT)
        return stage_matmul(s, x, y, at);
    if (op == OPERATOR_BIT_AND || op == OPERATOR_BIT_OR) {
        if (term_elem(x) != ELEM_BOOL || term_elem(y) != ELEM_BOOL)
            return stage_refuse(s, at, "an array function supports `&` and `|` only for "
                                "conditions, such as `x > 0.0`");
        (void)stage_same(s, &x, &y, at, "this operator");
        return s->failed ? x : term_binary(s->t, op, x, y);
    }
    if (op == OPERATOR_L_SHIFT || op == OPERATOR_R_SHIFT || op == OPERATOR_BIT_XOR)
        return stage_refuse(s, at, "an array function does not support this operator");
    if (op == OPERATOR_DIV || op == OPERATOR_POW) {
        x = stage_float(s, x);
        y = stage_float(s, y);
    }
    const Expr *known = op == OPERATOR_FLOOR_DIV || op == OPERATOR_MOD
                            ? whole_quotient(s, op, x, y) : NULL;
    if (known != NULL)
        return known;
    (void)stage_same(s, &x, &y, at, "this operator");
    return s->failed ? x : folded(s, term_binary(s->t, op, x, y));
}

static const Expr *unary(Stage *s, Unaryop op, const Expr *x, Span at)
{
    if (op == UNARYOP_U_ADD)
        return x;
    if (op == UNARYOP_U_SUB && x->kind == EXPR_CONSTANT && term_elem(x) == ELEM_FLOAT)
        return term_float(s->t, -x->constant.value->number);
    if (op == UNARYOP_U_SUB)
        return folded(s, term_negate(s->t, x));
    if (term_elem(x) != ELEM_BOOL)
        return stage_refuse(s, at, "an array function supports `not` and `~` only for conditions, "
                            "such as `x > 0.0`");
    return term_not(s->t, x);
}

const Expr *stage_elementwise(Stage *s, const ArrayFunction *f, ExprList args, Span at)
{
    const Expr *x = stage_float(s, args.at[0]);
    const Expr *y = args.len == 2 ? stage_float(s, args.at[1]) : NULL;
    if (y != NULL)
        (void)stage_same(s, &x, &y, at, "this function");
    return s->failed ? x : term_call(s->t, names_get(s->names, f->np), ELEM_FLOAT,
                                     term_list(s->t, x, y));
}

const Expr *stage_where(Stage *s, const Expr *c, const Expr *x, const Expr *y, Span at)
{
    if (term_elem(c) != ELEM_BOOL)
        return stage_refuse(s, at, "the first argument of `np.where` must be a condition\nwrite "
                            "`c != 0` for a number or an array of numbers");
    (void)stage_same(s, &x, &y, at, "the two branches of this condition");
    if (s->failed)
        return x;
    if (term_rank(c) > 0) {
        TyList shape = stage_common_shape(s, c, x, at, "a selection");
        if (s->failed)
            return x;
        c = stage_broadcast(s, c, shape, at);
        x = stage_broadcast(s, x, shape, at);
        y = stage_broadcast(s, y, shape, at);
    }
    return s->failed ? x : term_where(s->t, c, x, y);
}

bool stage_decides(Stage *s, const Expr *test, Span at)
{
    if (term_rank(test) > 0)
        (void)stage_refuse(s, at, "the condition of `if` must be a single value\nfor an array, "
                           "write `np.where(c, x, y)`");
    else if (term_elem(test) != ELEM_BOOL)
        (void)stage_refuse(s, at, "the condition of `if` must be a comparison or another `bool`\n"
                           "for a number `x`, write `x != 0`");
    return !s->failed;
}

// What may not run: it changes nothing.
static Value *eval_apart(Stage *s, Scope *scope, const Expr *e)
{
    Journal journal;
    journal_open(s, &journal);
    Value *v = stage_eval(s, scope, e);
    journal_end(s, &journal, e->at);
    return v;
}

// What is chosen may be the array of a name itself.
static const Expr *arm(Stage *s, Scope *scope, const Expr *e)
{
    Value *v = eval_apart(s, scope, e);
    stage_note_escape(v);
    return value_as_term(s, v, e->at);
}

static Value *conditional(Stage *s, Scope *scope, const Expr *e)
{
    const Expr *test = stage_condition(s, scope, e->if_exp.test);
    if (!s->failed && test->kind == EXPR_CONSTANT)
        return stage_eval(s, scope, test->constant.value->truth ? e->if_exp.body
                                                                : e->if_exp.orelse);
    if (!stage_decides(s, test, e->if_exp.test->at))
        return value_term(s, test);
    const Expr *old = stage_guard(s, test);
    const Expr *x = arm(s, scope, e->if_exp.body);
    s->guard = old;
    (void)stage_guard(s, term_not(s->t, test));
    const Expr *y = arm(s, scope, e->if_exp.orelse);
    s->guard = old;
    return value_term(s, s->failed ? x : stage_where(s, test, x, y, e->at));
}

// ---- builds ----

const Expr *stage_build(Stage *s, const Ty *size, StageBody *body, void *cx, Span at)
{
    const Expr *index = term_variable(s->t);
    vec_push(s->arena, &s->bound, index);
    vec_push(s->arena, &s->extents, size);
    Journal journal;
    journal_open(s, &journal);
    const Expr *e = value_as_term(s, body(cx, s, index), at);
    journal_end(s, &journal, at);
    s->bound.len--;
    s->extents.len--;
    return s->failed ? e : term_build(s->t, index, size, e);
}

typedef struct Each {
    Scope *scope;
    const Expr *elt;
    ComprehensionList generators;
    size_t at;
    const Value *over;
    bool open;                  // how many there are depends on the rounds around
    size_t depth;               // of the loops inside
    Value *base;                // an array that the elements are or show
    const Expr *index, *test;   // of what is there; NULL: of all
} Each;

// The element of what is gone over, for an index.
Value *stage_element(Stage *s, const Value *over, const Expr *index, Span at)
{
    if (over->kind == VALUE_RANGE && over->down) {
        const Expr *last = stage_binary(s, OPERATOR_SUB, over->items.at[1]->term,
                                        term_int(s->t, 1), at);
        return value_term(s, stage_binary(s, OPERATOR_SUB, last, index, at));
    }
    if (over->kind == VALUE_RANGE && over->step != 0)
        index = stage_binary(s, OPERATOR_MULT, index, term_int(s->t, over->step), at);
    if (over->kind == VALUE_RANGE)
        return value_term(s, stage_binary(s, OPERATOR_ADD, over->items.at[0]->term, index, at));
    if (over->kind == VALUE_ROWS) {
        Value *row = value_list(s, (ValueVec){0}, true);
        if (over->numbered)
            vec_push(s->arena, &row->items, value_term(s, index));
        for (size_t i = 0; i < over->items.len; i++)
            vec_push(s->arena, &row->items, stage_element(s, over->items.at[i], index, at));
        return row;
    }
    const Expr *all = value_as_term(s, over, at);
    if (s->failed || term_rank(all) == 0)
        return value_term(s, stage_refuse(s, at, "a number is not iterable"));
    Value *element = value_term(s, term_index(s->t, all, term_list(s->t, index, NULL)));
    if (term_rank(element->term) > 0)
        element->base = over->kind == VALUE_TERM && over->bindings > 0 ? (Value *)over : over->base;
    return element;
}

static Value *each_value(Each *each, Stage *s, const Expr *index)
{
    Scope *inside = scope_inside(s, each->scope);
    const Comprehension *c = each->generators.at[each->at];
    stage_bind(s, inside, c->target, stage_element(s, each->over, index, c->iter->at),
               c->target->at);
    if (each->at + 1 < each->generators.len) {
        Value *rest = stage_comprehension(s, inside, each->elt, each->generators, each->at + 1,
                                          c->iter->at);
        each->depth = rest->depth;
        each->base = rest->base;
        each->test = rest->kind == VALUE_SELECTED ? rest->test : NULL;
        return value_term(s, rest->depth > 0 ? rest->term : value_as_term(s, rest, c->iter->at));
    }
    Value *v = stage_eval(s, inside, each->elt);
    each->base = v->kind == VALUE_TERM && v->bindings > 0 ? v : v->base;
    return v;
}

static Value *each_body(void *cx, Stage *s, const Expr *index)
{
    Each *each = cx;
    const Expr *old = s->guard, *own = NULL;
    each->index = index;
    if (each->open)
        (void)stage_guard(s, own = stage_is_round(s, each->over, index, each->elt->at));
    Value *v = each_value(each, s, index);
    s->guard = old;
    if (own == NULL || s->failed)
        return v;
    v = value_term(s, value_as_term(s, v, each->elt->at));
    own = stage_broadcast(s, own, term_shape(v->term), each->elt->at);
    each->test = each->test == NULL ? own : term_binary(s->t, OPERATOR_BIT_AND, own, each->test);
    return v;
}

// How far a range goes.
static const Expr *extent(Stage *s, const Value *range, Span at)
{
    bool back = range->step < 0;
    return stage_binary(s, OPERATOR_SUB, range->items.at[!back]->term,
                        range->items.at[back]->term, at);
}

static int64_t step_of(const Value *range) { return range->step == 0 ? 1 : llabs(range->step); }

// The two of which a whole number is the smaller one, or the larger one; none: it is neither.
static ExprList either(Stage *s, const Expr *e, bool larger)
{
    const Expr *test = e->kind == EXPR_WHERE ? e->where.test : NULL;
    if (test == NULL || test->kind != EXPR_COMPARE)
        return (ExprList){NULL, 0};
    ExprList of = term_parts(s->t, e), sides = term_parts(s->t, test);
    Cmpop op = test->compare.ops.at[0];
    bool less = op == CMPOP_LT || op == CMPOP_LT_E, more = op == CMPOP_GT || op == CMPOP_GT_E;
    bool same = of.at[1] == sides.at[0] && of.at[2] == sides.at[1];
    bool swapped = of.at[1] == sides.at[1] && of.at[2] == sides.at[0];
    if ((!same && !swapped) || !(same != larger ? less : more))
        return (ExprList){NULL, 0};
    return term_drop(of, 1);
}

// A bound of end - start, if there is one of sizes.
static bool most_between(Stage *s, const Expr *start, const Expr *end, Span at, Poly *most)
{
    const struct { ExprList of; bool at_end; } both[] = {{either(s, end, false), true},
                                                         {either(s, start, true), false}};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < both[k].of.len; i++)
            if (most_between(s, both[k].at_end ? start : both[k].of.at[i],
                             both[k].at_end ? both[k].of.at[i] : end, at, most))
                return true;
    return simplify_largest(s->t, stage_binary(s, OPERATOR_SUB, end, start, at),
                            (ExprList){s->bound.at, s->bound.len},
                            (TyList){s->extents.at, s->extents.len}, most);
}

const Ty *stage_most_rounds(Stage *s, const Value *over, Span at)
{
    Poly most;
    const Expr *n = s->failed || over->kind != VALUE_RANGE ? NULL : extent(s, over, at);
    bool back = over->step < 0;
    if (n == NULL || s->failed || size_of_term(s->t, n) != NULL ||
        !most_between(s, over->items.at[back]->term, over->items.at[!back]->term, at, &most))
        return NULL;
    return stage_every(s, stage_clamped(s, size_of_poly(s->t, most)), step_of(over));
}

const Expr *stage_is_round(Stage *s, const Value *over, const Expr *index, Span at)
{
    const Expr *way = stage_binary(s, OPERATOR_MULT, index, term_int(s->t, step_of(over)), at);
    return term_compare(s->t, CMPOP_LT, way, extent(s, over, at));
}

const Ty *stage_length(Stage *s, const Value *over, Span at)
{
    if (over->kind == VALUE_RANGE) {
        const Ty *size = size_of_term(s->t, extent(s, over, at));
        if (size == NULL)
            (void)stage_refuse(s, at, "the length of this `range` must be computed from "
                               STAGE_SIZES "\nwrite `range(min(k, n))`, where `n` is a size that "
                               "`k` does not exceed");
        return s->failed ? NULL
               : stage_every(s, stage_clamped(s, size), step_of(over));
    }
    if (over->kind == VALUE_ROWS) {
        const Ty *size = stage_length(s, over->items.at[0], at);
        for (size_t i = 1; i < over->items.len && !s->failed; i++)
            if (stage_length(s, over->items.at[i], at) != size)
                (void)stage_refuse(s, at, "it is not known which iterable is shorter\niterate over "
                                   "`range(n)`");
        return s->failed ? NULL : size;
    }
    const Expr *all = value_as_term(s, over, at);
    if (!s->failed && term_rank(all) == 0)
        (void)stage_refuse(s, at, "a number is not iterable");
    return s->failed ? NULL : term_shape(all).at[0];
}

static Value *over_list(Stage *s, Scope *scope, const Expr *elt, ComprehensionList generators,
                        size_t at, const Value *over)
{
    Value *all = value_list(s, (ValueVec){0}, false);
    for (size_t i = 0; i < over->items.len && !s->failed; i++) {
        Scope *inside = scope_inside(s, scope);
        const Expr *target = generators.at[at]->target;
        stage_bind(s, inside, target, over->items.at[i], target->at);
        vec_push(s->arena, &all->items,
                 at + 1 < generators.len
                     ? stage_comprehension(s, inside, elt, generators, at + 1, elt->at)
                     : stage_eval(s, inside, elt));
    }
    return all;
}

typedef struct ListReads { Scope *scope; bool found; } ListReads;

static bool note_list_read(void *cx, const Expr *e)
{
    ListReads *r = cx;
    const Value *v = e->kind == EXPR_NAME ? stage_find(r->scope, e->name.id) : NULL;
    const Expr *of = e->kind == EXPR_SUBSCRIPT ? e->subscript.value : NULL;
    const Value *list = of != NULL && of->kind == EXPR_NAME ? stage_find(r->scope, of->name.id)
                                                            : NULL;
    r->found = r->found || (list != NULL && list->kind == VALUE_LIST) ||
               e->kind == EXPR_DICT || e->kind == EXPR_JOINED_STR ||
               (v != NULL && (v->kind == VALUE_RECORD || v->kind == VALUE_CLASS));
    return true;
}

enum { MAX_LIST = 50 };

Value *stage_known_list(Stage *s, Value *v)
{
    int64_t first, end;
    Value *over = stage_iterated(s, v);
    if (over->kind == VALUE_LIST)
        return over;
    if (over->kind != VALUE_RANGE || over->step != 0 ||
        !value_number(s, over->items.at[0], &first) ||
        !value_number(s, over->items.at[1], &end) || end - first > MAX_LIST)
        return NULL;
    Value *all = value_list(s, (ValueVec){0}, false);
    for (int64_t i = 0; i < end - first; i++)
        vec_push(s->arena, &all->items, stage_element(s, over, term_int(s->t, i), (Span){0}));
    return all;
}

// A short range of known numbers, where the element takes items of a list or has to do with dicts
// and instances, or in a constant of the module: Python's own list. NULL: something else.
static Value *known_numbers(Stage *s, Scope *scope, const Expr *elt, Value *over)
{
    ListReads reads = {scope, scope->outer == NULL};
    IrWalker w = {.cx = &reads, .expr = note_list_read};
    if (over->kind != VALUE_RANGE)
        return NULL;
    ir_walk_expr(&w, elt);
    return reads.found ? stage_known_list(s, over) : NULL;
}

Value *stage_comprehension(Stage *s, Scope *scope, const Expr *elt, ComprehensionList generators,
                           size_t from, Span at)
{
    const Comprehension *c = generators.at[from];
    if (c->ifs.len > 0)
        return value_term(s, stage_refuse(s, c->ifs.at[0]->at, "an array function supports `if` "
                                          "after `for` only in a `sum`\nfor a list of all, write "
                                          "`[e if c else 0.0 for ..]`"));
    Value *over = stage_iterated(s, stage_eval(s, scope, c->iter));
    Value *numbers = s->failed ? NULL : known_numbers(s, scope, elt, over);
    if (numbers != NULL)
        over = numbers;
    if (over->kind == VALUE_LIST)
        return over_list(s, scope, elt, generators, from, over);
    const Ty *most = stage_most_rounds(s, over, c->iter->at);
    const Ty *size = s->failed || most != NULL ? most : stage_length(s, over, c->iter->at);
    if (size == NULL)
        return value_term(s, term_float(s->t, 0.0));
    Each each = {scope, elt, generators, from, over, most != NULL, 0, NULL, NULL, NULL};
    const Expr *built = stage_build(s, size, each_body, &each, at);
    Value *all = value_term(s, built);
    if (each.test != NULL && !s->failed)
        all = stage_selected(s, built, term_build(s->t, each.index, size, each.test));
    all->depth = each.depth + 1;
    all->base = term_rank(all->term) > all->depth ? each.base : NULL;
    return all;
}

// ---- names ----

static bool is_assigned_somewhere(Stage *s, Sym name)
{
    Assigned a = stage_assigned(s, s->program);
    for (size_t i = 0; i < a.names.len; i++)
        if (a.names.at[i] == name)
            return true;
    return false;
}

static Value *known_name(Stage *s, const Expr *e)
{
    static const char *const builtins[] = {"range", "sum", "len", "max", "min", "abs", "float",
                                           "int", "round", "enumerate", "zip", "pow", "list",
                                           "tuple", "reversed", "divmod", "bool", "dict", "super",
                                           "str", "isinstance", NULL};
    if (!sym_is_one_of(e->name.id, builtins))
        return value_term(s, stage_refuse(s, e->at, is_assigned_somewhere(s, e->name.id)
                                          ? "`%s` is not assigned on every path to this line\n"
                                            "assign it also before the branch or loop"
                                          : "an array function does not support `%s`", e->name.id));
    Value *v = value_of(s, VALUE_LIBRARY);
    v->name = e->name.id;
    return v;
}

static bool has_record(const Value *v)
{
    bool found = v->kind == VALUE_RECORD;
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->items.len; i++)
        found = found || has_record(v->items.at[i]);
    return found;
}

// Made anew whenever it is read: nothing is stored into it.
static Value *module_constant(Stage *s, const Value *v)
{
    Value *made = stage_eval(s, s->module, v->result);
    if (has_record(made))
        stage_note_escape(made);
    return made;
}

static Value *name(Stage *s, Scope *scope, const Expr *e)
{
    for (; scope != NULL; scope = scope->outer) {
        Value *v = table_get(scope->names, e->name.id);
        if (v == NULL)
            continue;
        if (v->kind == VALUE_TEXT && v->text.at == NULL)
            return value_term(s, stage_refuse(s, e->at, "`%s` keeps its value from one round of "
                                              "the loop to the next, which an array function does "
                                              "not support", e->name.id));
        if (v->kind == VALUE_NONE && v->result != NULL)
            return module_constant(s, v);
        return v;
    }
    return known_name(s, e);
}

static Value *items(Stage *s, Scope *scope, ExprList elts, bool tuple)
{
    Value *all = value_list(s, (ValueVec){0}, tuple);
    for (size_t i = 0; i < elts.len && !s->failed; i++) {
        bool star = elts.at[i]->kind == EXPR_STARRED;
        Value *v = stage_eval(s, scope, star ? elts.at[i]->starred.value : elts.at[i]);
        v = star ? stage_iterated(s, v) : v;
        if (star && v->kind != VALUE_LIST)
            (void)stage_refuse(s, elts.at[i]->at, STAGE_UNPACKS "\nfor an array `x`, write "
                               "`np.concatenate([[..], x])`");
        for (size_t k = 0; star && k < v->items.len; k++)
            vec_push(s->arena, &all->items, v->items.at[k]);
        if (!star)
            vec_push(s->arena, &all->items, v);
    }
    return all;
}

static Value *constant(Stage *s, const Expr *e)
{
    const Const *c = e->constant.value;
    if (c->kind == CONST_FLOAT)
        return value_term(s, term_float(s->t, c->number));
    if (c->kind == CONST_BOOL)
        return value_term(s, term_bool(s->t, c->truth));
    if (c->kind == CONST_INT && c->text.len < 19)
        return value_term(s, term_int(s->t, strtoll(c->text.at, NULL, 10)));
    if (c->kind == CONST_STR) {
        Value *v = value_of(s, VALUE_TEXT);
        v->text = c->text;
        return v;
    }
    if (c->kind == CONST_NONE)
        return value_of(s, VALUE_NONE);
    return value_term(s, stage_refuse(s, e->at, c->kind == CONST_INT
                                      ? "an array function does not support an integer of more "
                                        "than 18 digits"
                                      : c->kind == CONST_ELLIPSIS
                                      ? "an array function supports `...` only where it reads a "
                                        "subscript"
                                      : "an array function does not support this constant"));
}

static Value *closure(Stage *s, Scope *scope, const Expr *e)
{
    Value *v = value_of(s, VALUE_FUNCTION);
    v->args = e->lambda.args;
    v->result = e->lambda.body;
    v->scope = scope_captured(scope);
    stage_defaults(s, scope, v);
    return v;
}

// What may be a view of an array. An element is a number of its own; `y[..., 0]` shows one.
static Value *shown(Stage *s, Value *of, const Expr *slice, const Expr *e)
{
    size_t given = slice->kind == EXPR_TUPLE ? slice->tuple.elts.len : 1;
    Value *v = value_term(s, e);
    bool view = of->kind == VALUE_TERM && (term_rank(e) > 0 || given != term_rank(of->term));
    v->base = view ? of : NULL;
    return v;
}

// A bound of a slice of a list; false: it is not known.
static bool list_bound(Stage *s, Scope *scope, const Expr *e, int64_t otherwise, int64_t len,
                       int64_t *n)
{
    *n = otherwise;
    if (e != NULL && !value_number(s, stage_eval(s, scope, e), n))
        return false;
    *n = *n < 0 ? *n + len : *n;
    *n = *n < 0 ? 0 : *n > len ? len : *n;
    return true;
}

// xs[a:b] of a list; NULL: a bound is not known, or there is a step.
static Value *sublist(Stage *s, Scope *scope, const Value *list, const Expr *slice)
{
    int64_t len = (int64_t)list->items.len, from, to;
    if (slice->slice.step != NULL || !list_bound(s, scope, slice->slice.lower, 0, len, &from) ||
        !list_bound(s, scope, slice->slice.upper, len, len, &to))
        return NULL;
    Value *part = value_list(s, (ValueVec){0}, list->tuple);
    for (int64_t i = from; i < to; i++)
        vec_push(s->arena, &part->items, list->items.at[i]);
    return part;
}

// A slice may select as many elements as data says.
static Value *part_of_array(Stage *s, Scope *scope, Value *of, const Expr *e)
{
    const Expr *open = NULL, *slice = e->subscript.slice;
    const Expr *x = stage_subscript(s, value_as_term(s, of, e->at), slice, scope, e->at, &open);
    if (open == NULL)
        return shown(s, of, slice, x);
    Value *part = stage_selected(s, x, open);
    part->base = of->kind == VALUE_TERM ? of : NULL;
    return part;
}

Value *stage_item(Stage *s, Scope *scope, const Expr *e)
{
    Value *of = stage_eval(s, scope, e->subscript.value);
    const Expr *slice = e->subscript.slice;
    int64_t n;
    if (of->kind == VALUE_RECORD && of->cls == NULL)
        return stage_dict_item(s, scope, of, slice);
    const Expr *x = of->kind == VALUE_TERM ? value_as_term(s, of, e->at) : NULL;
    const Expr *test = x == NULL ? NULL : stage_selection(s, scope, slice, x);
    if (test != NULL)
        return stage_selected(s, x, test);
    if (of->kind != VALUE_LIST)
        return part_of_array(s, scope, of, e);
    Value *part = slice->kind == EXPR_SLICE ? sublist(s, scope, of, slice) : NULL;
    if (part != NULL)
        return part;
    if (slice->kind != EXPR_SLICE && slice->kind != EXPR_TUPLE) {
        Value *at = stage_eval(s, scope, slice);
        int64_t len = (int64_t)of->items.len;
        if (value_number(s, at, &n)) {
            if (n < -len || n >= len)
                return value_term(s, stage_refuse(s, e->at, "index %lld is out of bounds: the "
                                                  "size is %lld", (long long)n, (long long)len));
            return of->items.at[n < 0 ? n + len : n];
        }
    }
    return part_of_array(s, scope, of, e);
}

static bool is_count(const Value *v)
{
    return v->kind == VALUE_TERM && term_elem(v->term) == ELEM_INT && term_rank(v->term) == 0;
}

// A list, n times, where n is a size.
static Value *repeated(Stage *s, const Expr *x, const Expr *n, Span at)
{
    const Ty *size = s->failed ? NULL : size_of_term(s->t, n);
    if (s->failed || size == NULL)
        return value_term(s, stage_refuse(s, at, "the length of this list must be computed from "
                                          STAGE_SIZES));
    size = stage_clamped(s, size);
    TyList old = term_shape(x);
    return value_fresh(s, term_reshape(s->t, shape_cons(s->t, size_mul(s->t, size, old.at[0]),
                                                        shape_drop(old, 1)),
                                       term_replicate(s->t, size, x)));
}

enum { MAX_REPEATED = 10000 };

// [x] + list, [x] * n, n * [x]; NULL: something else.
static Value *list_operation(Stage *s, Operator op, const Value *x, const Value *y, Span at)
{
    int64_t n = 1;
    bool product = op == OPERATOR_MULT;
    if (product && y->kind == VALUE_LIST)
        return x->kind == VALUE_LIST ? NULL : list_operation(s, op, y, x, at);
    if (s->failed || x->kind != VALUE_LIST || (op != OPERATOR_ADD && !product) ||
        (product ? !is_count(y) : y->kind != VALUE_LIST))
        return NULL;
    Value *all = value_list(s, (ValueVec){0}, x->tuple);
    if (product && (!value_number(s, y, &n) || n > MAX_REPEATED))
        return repeated(s, value_as_term(s, x, at), y->term, at);
    for (int64_t k = 0; k < n; k++)
        for (size_t i = 0; i < x->items.len; i++)
            vec_push(s->arena, &all->items, x->items.at[i]);
    for (size_t i = 0; !product && i < y->items.len; i++)
        vec_push(s->arena, &all->items, y->items.at[i]);
    return all;
}

// Texts behind one another.
static Value *joined(Stage *s, Value *const *parts, size_t len)
{
    Buf b = buf_new(s->arena);
    for (size_t i = 0; i < len; i++)
        buf_printf(&b, "%.*s", (int)parts[i]->text.len, parts[i]->text.at);
    return stage_text(s, buf_text(&b));
}

Value *stage_binary_value(Stage *s, Scope *scope, Operator op, const Expr *left, const Expr *right,
                          Span at)
{
    Value *both[] = {stage_eval(s, scope, left), stage_eval(s, scope, right)};
    if (!s->failed && both[0]->kind == VALUE_TEXT && both[1]->kind == VALUE_TEXT &&
        op == OPERATOR_ADD)
        return joined(s, both, 2);
    Value *list = list_operation(s, op, both[0], both[1], at);
    if (list != NULL)
        return list;
    const Value *some = stage_first_selected(both, 2);
    if (some != NULL && op == OPERATOR_MAT_MULT)
        return value_fresh(s, stage_dot_selected(s, both, at));
    const Expr *x = stage_whole(s, both[0], some, left->at);
    const Expr *y = stage_whole(s, both[1], some, right->at);
    return stage_as_selected(s, s->failed ? x : stage_binary(s, op, x, y, at), some);
}

// `f"w{i}"` of what is known.
static Value *formatted(Stage *s, Scope *scope, const Expr *e)
{
    ValueVec parts = {0};
    for (size_t i = 0; i < e->joined_str.values.len && !s->failed; i++) {
        const Expr *one = e->joined_str.values.at[i];
        bool value = one->kind == EXPR_FORMATTED_VALUE;
        int64_t n;
        Value *v = stage_eval(s, scope, value ? one->formatted_value.value : one);
        if (value_number(s, v, &n))
            v = stage_text(s, names_format(s->names, "%lld", (long long)n));
        if (!s->failed && (v->kind != VALUE_TEXT || (value && (one->formatted_value.format_spec ||
                                                      one->formatted_value.conversion >= 0))))
            (void)stage_refuse(s, one->at, "an array function supports in an f-string only "
                               "integers and strings that are known when the function is compiled");
        vec_push(s->arena, &parts, v);
    }
    return s->failed ? value_of(s, VALUE_TEXT) : joined(s, parts.at, parts.len);
}

static Value *unary_value(Stage *s, Scope *scope, const Expr *e)
{
    Value *x = stage_eval(s, scope, e->unary_op.operand);
    if (!s->failed && e->unary_op.op == UNARYOP_NOT &&
        (x->kind != VALUE_TERM || term_rank(x->term) == 0))
        return value_fresh(s, term_not(s->t, stage_truth(s, x, e->at)));
    const Value *some = stage_first_selected(&x, 1);
    const Expr *all = stage_whole(s, x, some, e->at);
    return stage_as_selected(s, s->failed ? all : unary(s, e->unary_op.op, all, e->at), some);
}

Value *stage_eval(Stage *s, Scope *scope, const Expr *e)
{
    if (s->failed)
        return value_term(s, term_float(s->t, 0.0));
    switch ((int)e->kind) {
    case EXPR_CONSTANT: return constant(s, e);
    case EXPR_NAME:     return name(s, scope, e);
    case EXPR_TUPLE:    return items(s, scope, e->tuple.elts, true);
    case EXPR_LIST:     return items(s, scope, e->list.elts, false);
    case EXPR_LAMBDA:   return closure(s, scope, e);
    case EXPR_CALL:     return stage_call(s, scope, e);
    case EXPR_IF_EXP:   return conditional(s, scope, e);
    case EXPR_COMPARE:  return value_fresh(s, stage_comparison(s, scope, e));
    case EXPR_BOOL_OP:  return value_term(s, stage_tests(s, scope, e, stage_term));
    case EXPR_DICT: case EXPR_DICT_COMP: return stage_dict(s, scope, e);
    case EXPR_JOINED_STR: return formatted(s, scope, e);
    case EXPR_SUBSCRIPT: return stage_item(s, scope, e);
    case EXPR_ATTRIBUTE:
        return stage_attribute(s, stage_eval(s, scope, e->attribute.value), e->attribute.attr,
                               e->at);
    case EXPR_UNARY_OP: return unary_value(s, scope, e);
    case EXPR_BIN_OP:
        return stage_binary_value(s, scope, e->bin_op.op, e->bin_op.left, e->bin_op.right, e->at);
    case EXPR_LIST_COMP:
        return stage_comprehension(s, scope, e->list_comp.elt, e->list_comp.generators, 0, e->at);
    case EXPR_GENERATOR_EXP:
        return stage_comprehension(s, scope, e->generator_exp.elt, e->generator_exp.generators, 0,
                                   e->at);
    }
    return value_term(s, stage_refuse(s, e->at, "an array function does not support this "
                                                "expression"));
}

const Expr *stage_term(Stage *s, Scope *scope, const Expr *e)
{
    return value_as_term(s, stage_eval(s, scope, e), e->at);
}
