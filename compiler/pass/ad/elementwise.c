// elementwise.c - rows of partial.def are Python over scalars; here they are read as operations on
// whole arrays: numbers are replicated, `x if c else y` is a selection, `math` is numpy.

#include "compiler/pass/ad/elementwise.h"

#include "compiler/base/table.h"

#include <stdlib.h>
#include <string.h>

static const ArrayFunction rows[] = {
#define FUNCTION(np, partial, arguments) {np, partial, arguments},
#include "compiler/pass/ad/array.def"
#undef FUNCTION
#undef ALIAS
};

static const struct { const char *name, *function; } aliases[] = {
#define FUNCTION(np, partial, arguments)
#define ALIAS(np, function) {np, function},
#include "compiler/pass/ad/array.def"
#undef FUNCTION
#undef ALIAS
};

const ArrayFunction *array_function(Sym np)
{
    const char *name = np;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].name, np) == 0)
            name = aliases[i].function;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].np, name) == 0)
            return &rows[i];
    return NULL;
}

const ArrayFunction *array_function_of_math(Sym name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(rows[i].partial, "math.", 5) == 0 && strcmp(rows[i].partial + 5, name) == 0)
            return &rows[i];
    return NULL;
}

// ---- partials ----

typedef struct Lift { Terms *t; const Expr *e; ExprList arguments; } Lift;

static const Expr *lift(Lift *l, const Expr *e);

static const Expr *lift_name(Lift *l, Sym name)
{
    return name[0] == 'r' ? l->e : l->arguments.at[name[0] - 'a'];
}

static const Expr *lift_call(Lift *l, const Expr *e)
{
    const Expr **args = ARENA_ARRAY(terms_arena(l->t), const Expr *, e->call.args.len + 1);
    const Expr *called = e->call.func;
    Sym name = called->kind == EXPR_NAME ? called->name.id : called->attribute.attr;
    for (size_t i = 0; i < e->call.args.len; i++)
        args[i] = lift(l, e->call.args.at[i]);
    const ArrayFunction *f = array_function_of_math(name);
    f = f == NULL ? array_function(name) : f;
    if (f == NULL)
        return term_binary(l->t, OPERATOR_POW, args[0], args[1]);       // math.pow
    return term_call(l->t, names_get(terms_names(l->t), f->np), ELEM_FLOAT,
                     (ExprList){args, e->call.args.len});
}

static const Expr *lift(Lift *l, const Expr *e)
{
    Terms *t = l->t;
    switch ((int)e->kind) {
    case EXPR_CONSTANT:
        return term_fill(t, term_shape(l->e), term_float(t, e->constant.value->number));
    case EXPR_NAME:     return lift_name(l, e->name.id);
    case EXPR_UNARY_OP: return term_negate(t, lift(l, e->unary_op.operand));
    case EXPR_BIN_OP:
        return term_binary(t, e->bin_op.op, lift(l, e->bin_op.left), lift(l, e->bin_op.right));
    case EXPR_COMPARE:
        return term_compare(t, e->compare.ops.at[0], lift(l, e->compare.left),
                            lift(l, e->compare.comparators.at[0]));
    case EXPR_BOOL_OP:
        return term_binary(t, e->bool_op.op == BOOLOP_OR ? OPERATOR_BIT_OR : OPERATOR_BIT_AND,
                           lift(l, e->bool_op.values.at[0]), lift(l, e->bool_op.values.at[1]));
    case EXPR_IF_EXP:
        return term_where(t, lift(l, e->if_exp.test), lift(l, e->if_exp.body),
                          lift(l, e->if_exp.orelse));
    }
    return lift_call(l, e);
}

static const char *row_of(const Expr *e)
{
    if (e->kind == EXPR_BIN_OP)
        return partial_of_operator(e->bin_op.op);
    if (e->kind == EXPR_UNARY_OP)
        return partial_of_unary(e->unary_op.op);
    const ArrayFunction *f = e->kind == EXPR_CALL ? array_function(term_function(e)) : NULL;
    return f == NULL ? NULL : f->partial;
}

static const Expr *as_float(Terms *t, const Expr *e)
{
    return term_elem(e) == ELEM_FLOAT ? e : term_call1(t, "float64", ELEM_FLOAT, e);
}

const Expr *elementwise_partial(Terms *t, Partials *ps, const Expr *e, size_t i)
{
    ExprList parts = term_parts(t, e);
    const char *name = row_of(e);
    const Partial *p = name == NULL ? NULL : partial_find(ps, name, parts.len);
    if (p == NULL || p->kind == PARTIAL_LOOP || p->kind == PARTIAL_REFUSED)
        return NULL;
    const Expr **args = ARENA_ARRAY(terms_arena(t), const Expr *, parts.len + 1);
    for (size_t k = 0; k < parts.len; k++)
        args[k] = as_float(t, parts.at[p->kind == PARTIAL_EACH ? i : k]);
    Lift l = {t, e, {args, parts.len}};
    const Expr *row = p->of[p->kind == PARTIAL_EACH ? 0 : i];
    return row == NULL ? NULL : lift(&l, row);
}

// ---- finite ----

typedef struct Facts { Terms *t; Table *known; } Facts;

// How many rounds a loop around has, or a size that is never 0.
static bool is_filled(Facts f, const Expr *e)
{
    while (e->kind == EXPR_RESHAPE || e->kind == EXPR_REPLICATE)
        e = e->kind == EXPR_RESHAPE ? e->reshape.array : e->replicate.array;
    const Ty *size = term_elem(e) == ELEM_INT ? size_of_term(f.t, e) : NULL;
    return size != NULL && (table_get(f.known, size) == f.t || size_is_filled(f.t, size));
}

// Never 0 and not infinite, whatever it stands on: a number, 1 + what is never negative.
static bool never_negative(Facts f, const Expr *e, int depth);

static bool is_positive(Facts f, const Expr *e, int depth)
{
    while (e->kind == EXPR_REPLICATE)
        e = e->replicate.array;
    if (e->kind == EXPR_CONSTANT)
        return e->constant.value->kind == CONST_FLOAT && e->constant.value->number > 0.0;
    if (e->kind == EXPR_CALL && sym_is(term_function(e), "float64"))
        return is_filled(f, e->call.args.at[0]);
    if (e->kind == EXPR_CALL && sym_is(term_function(e), "sqrt"))
        return is_positive(f, e->call.args.at[0], depth + 1);
    if (e->kind != EXPR_BIN_OP || depth > 20)
        return false;
    const Expr *x = e->bin_op.left, *y = e->bin_op.right;
    if (e->bin_op.op == OPERATOR_MULT)
        return is_positive(f, x, depth + 1) && is_positive(f, y, depth + 1);
    if (e->bin_op.op != OPERATOR_ADD)
        return false;
    return (is_positive(f, x, depth + 1) && never_negative(f, y, depth + 1)) ||
           (is_positive(f, y, depth + 1) && never_negative(f, x, depth + 1));
}

static bool never_negative(Facts f, const Expr *e, int depth)
{
    while (e->kind == EXPR_REPLICATE || e->kind == EXPR_REDUCE)
        e = e->kind == EXPR_REDUCE ? e->reduce.array : e->replicate.array;
    if (depth > 20 || is_positive(f, e, depth + 1))
        return depth <= 20;
    Sym name = term_function(e);
    if (name != NULL)
        return sym_is(name, "exp") || sym_is(name, "fabs") || sym_is(name, "cosh") ||
               sym_is(name, "sqrt");
    if (e->kind != EXPR_BIN_OP)
        return false;
    const Expr *x = e->bin_op.left, *y = e->bin_op.right;
    if (e->bin_op.op == OPERATOR_MULT && x == y)
        return true;
    if (e->bin_op.op == OPERATOR_POW)
        return term_is_float(y, 2.0);
    return (e->bin_op.op == OPERATOR_ADD || e->bin_op.op == OPERATOR_MULT) &&
           never_negative(f, x, depth + 1) && never_negative(f, y, depth + 1);
}

static bool finite_here(Facts facts, const Expr *e)
{
    static const char *const tame[] = {"sin", "cos", "tanh", "arctan", "arctan2", "fabs", "floor",
                                       "ceil", "trunc", "rint", "hypot", "maximum", "minimum",
                                       "copysign", "float64", "arcsinh", "degrees", "radians",
                                       NULL};
    Sym f = term_function(e);
    if (f != NULL)
        return term_is_iota(e) || sym_is_one_of(f, tame) ||
               (sym_is(f, "sqrt") && never_negative(facts, e->call.args.at[0], 0));
    if (e->kind == EXPR_CONSTANT)
        return e->constant.value->kind != CONST_FLOAT ||
               e->constant.value->number - e->constant.value->number == 0.0;
    if (e->kind != EXPR_BIN_OP)
        return e->kind != EXPR_LOOP;
    Operator op = e->bin_op.op;
    const Expr *y = e->bin_op.right;
    return op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT ||
           (op == OPERATOR_DIV && is_positive(facts, y, 0)) ||
           (op == OPERATOR_POW && (term_is_float(y, 2.0) || term_is_float(y, 3.0)));
}

Table *elementwise_known(Terms *t, TyList rounds)
{
    Table *known = table_new(terms_arena(t));
    for (size_t i = 0; i < rounds.len; i++)
        table_set(known, size_rounds(t, rounds.at[i]), t);
    return known;
}

bool elementwise_is_finite(Terms *t, Table *known, const Expr *e)
{
    ExprList order = term_order_new(t, e, known);
    for (size_t i = 0; i < order.len; i++) {
        const Expr *x = order.at[i];
        ExprList parts = term_parts(t, x);
        bool finite = term_elem(x) != ELEM_FLOAT || finite_here((Facts){t, known}, x);
        if (x->kind == EXPR_LOOP && (size_t)x->loop.which >= x->loop.before.len)
            finite = elementwise_is_finite(t, known, x->loop.bodies.at[x->loop.which]);
        for (size_t k = 0; k < parts.len; k++)
            finite = finite && table_get(known, parts.at[k]) == t;
        table_set(known, x, finite ? (void *)t : (void *)known);
    }
    return table_get(known, e) == t;
}

// ---- empty arrays ----

// What sizes of 0 do to a term: nothing; something; it may be no finite number then. Kept in a
// table as a pointer to one of these.
static const char FREE, MOVED, POLE;

static bool may_be_empty(Facts f, const Ty *size)
{
    const Ty *rounds = size_rounds(f.t, size);
    return table_get(f.known, rounds) != f.t && !size_is_filled(f.t, rounds);
}

static bool any_may_be_empty(Facts f, TyList shape)
{
    bool any = false;
    for (size_t i = 0; i < shape.len; i++)
        any = any || may_be_empty(f, shape.at[i]);
    return any;
}

static bool has_size(Facts f, Poly p)
{
    bool any = false;
    for (size_t i = 0; i < p.len; i++)
        any = any || (p.at[i].names.len > 0 && p.at[i].names.at[0][0] != '%');
    return any && may_be_empty(f, size_of_poly(f.t, p));
}

// By itself, not by its parts. What a loop hands on may be anything.
static bool is_moved_here(Facts f, const Expr *e)
{
    Poly p;
    switch ((int)e->kind) {
    case EXPR_REDUCE:
        return e->reduce.op == REDUCTION_SUM && any_may_be_empty(f, term_shape(e->reduce.array));
    case EXPR_SCATTER: return any_may_be_empty(f, term_shape(e->scatter.array));
    case EXPR_LOOP:    return true;
    case EXPR_NAME:
        if (term_elem(e) == ELEM_FLOAT)
            return e->name.id[0] == '%';
        break;
    }
    return term_rank(e) == 0 && term_elem(e) == ELEM_INT && term_poly(f.t, e, &p) &&
           has_size(f, p);
}

static bool bears(Facts f, const Expr *e);

// Whether what it makes of finite operands is finite.
static bool bears_here(Facts f, const Expr *e)
{
    static const char *const whole[] = {"exp", "exp2", "expm1", "sinh", "cosh", "erf", "erfc",
                                        "cbrt", NULL};
    Sym name = term_function(e);
    if (e->kind == EXPR_LOOP) {
        bool all = true;
        for (size_t i = 0; i < e->loop.bodies.len; i++)
            all = all && bears(f, e->loop.bodies.at[i]);
        return all;
    }
    return term_elem(e) != ELEM_FLOAT || finite_here(f, e) ||
           (name != NULL && (sym_is_one_of(name, whole) ||
                             (sym_is(name, "log") && is_positive(f, e->call.args.at[0], 0)) ||
                             (sym_is(name, "log1p") && never_negative(f, e->call.args.at[0], 0))));
}

static const char *emptied(Facts f, const Expr *e)
{
    ExprList parts = term_parts(f.t, e);
    const char *most = is_moved_here(f, e) ? &MOVED : &FREE;
    for (size_t i = 0; i < parts.len && most != &POLE; i++) {
        const char *part = table_get(f.known, parts.at[i]);
        most = part == &POLE || (part == &MOVED && most == &FREE) ? part : most;
    }
    return most == &MOVED && !bears_here(f, e) ? &POLE : most;
}

static bool bears(Facts f, const Expr *e)
{
    ExprList order = term_order_new(f.t, e, f.known);
    for (size_t i = 0; i < order.len; i++)
        table_set(f.known, order.at[i], (void *)emptied(f, order.at[i]));
    return table_get(f.known, e) != &POLE;
}

bool elementwise_bears_empty(Terms *t, const Expr *e, TyList filled)
{
    return bears((Facts){t, size_facts(t, shape_join(t, term_shape(e), filled))}, e);
}
