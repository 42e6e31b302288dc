// simplify_op.c - elementwise operations: constants, units, and what is the same in a whole
// dimension is computed once (an operation on replicated arrays is replicated itself).

#include "compiler/pass/ad/simplify_internal.h"

#include <math.h>

static const Expr *again(Terms *t, const Expr *e) { return simplify_here(t, e); }

// ---- constants ----

static const Const *constant_of(const Expr *e)
{
    return e->kind == EXPR_CONSTANT ? e->constant.value : NULL;
}

static bool number_of(const Expr *e, double *x)
{
    const Const *c = constant_of(e);
    if (c == NULL || c->kind != CONST_FLOAT)
        return false;
    *x = c->number;
    return true;
}

static bool compare(Cmpop op, double x, double y)
{
    return op == CMPOP_EQ       ? x == y
           : op == CMPOP_NOT_EQ ? x != y
           : op == CMPOP_LT     ? x < y
           : op == CMPOP_LT_E   ? x <= y
           : op == CMPOP_GT     ? x > y
                                : x >= y;
}

// Of numbers of which nothing else is known than their difference.
static const Expr *fold_compare(Terms *t, const Expr *e)
{
    const Expr *left = e->compare.left, *right = e->compare.comparators.at[0];
    double x, y;
    Poly p, q;
    int64_t difference;
    if (left->kind == EXPR_WHERE && e->compare.ops.at[0] == CMPOP_GT && term_is_int(right, 0) &&
        term_is_int(left->where.on_true, 1) && term_is_int(left->where.on_false, 0))
        return left->where.test;
    if (number_of(left, &x) && number_of(right, &y))
        return term_bool(t, compare(e->compare.ops.at[0], x, y));
    if (term_poly(t, left, &p) && term_poly(t, right, &q) &&
        poly_is_number(poly_sub(terms_arena(t), p, q), &difference))
        return term_bool(t, compare(e->compare.ops.at[0], (double)difference, 0.0));
    return e;
}

// Also of whole arrays.
static const Expr *fold_bool(const Expr *e)
{
    const Expr *both[] = {e->bin_op.left, e->bin_op.right};
    bool decides = e->bin_op.op == OPERATOR_BIT_OR;
    for (size_t i = 0; i < 2; i++) {
        const Const *c = term_filled_with(both[i]);
        if (c != NULL && c->kind == CONST_BOOL)
            return both[c->truth == decides ? i : 1 - i];
    }
    return e;
}

static const Expr *fold_numbers(Terms *t, const Expr *e)
{
    double x, y;
    if (!number_of(e->bin_op.left, &x) || !number_of(e->bin_op.right, &y))
        return e;
    switch ((int)e->bin_op.op) {
    case OPERATOR_ADD:  return term_float(t, x + y);
    case OPERATOR_SUB:  return term_float(t, x - y);
    case OPERATOR_MULT: return term_float(t, x * y);
    case OPERATOR_DIV:  return y != 0.0 ? term_float(t, x / y) : e;
    }
    return e;
}

static const Expr *fold_scalar(Terms *t, const Expr *e)
{
    Poly p;
    if (term_elem(e) == ELEM_INT && term_poly(t, e, &p))
        return term_of_poly(t, p);
    if (e->kind == EXPR_COMPARE)
        return fold_compare(t, e);
    if (e->kind == EXPR_UNARY_OP) {
        const Const *c = constant_of(e->unary_op.operand);
        if (c != NULL && c->kind == CONST_BOOL)
            return term_bool(t, !c->truth);
        double x;
        return number_of(e->unary_op.operand, &x) ? term_float(t, -x) : e;
    }
    return e->kind == EXPR_BIN_OP ? fold_numbers(t, e) : e;
}

// ---- units ----

static bool is_negation(const Expr *e)
{
    return e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
}

// Twice x where a number in its factors takes the 2.0, else NULL. Doubling a float is exact. At
// most `depth` products deep: a shared factor is looked at once for each way that leads to it.
enum { MOST_DEEP = 6 };

static const Expr *doubled(Terms *t, const Expr *x, int depth);

static const Expr *doubled_product(Terms *t, const Expr *x, int depth)
{
    const Expr *left = doubled(t, x->bin_op.left, depth - 1);
    if (left != NULL)
        return term_binary(t, x->bin_op.op, left, x->bin_op.right);
    double number;
    if (x->bin_op.op == OPERATOR_DIV)
        return number_of(x->bin_op.right, &number) && fabs(number) > 1e-300
                   ? term_binary(t, OPERATOR_DIV, x->bin_op.left, term_float(t, number / 2.0))
                   : NULL;
    const Expr *right = doubled(t, x->bin_op.right, depth - 1);
    return right == NULL ? NULL : term_binary(t, OPERATOR_MULT, x->bin_op.left, right);
}

static const Expr *doubled_inside(Terms *t, const Expr *x, int depth)
{
    const Expr *twice;
    switch ((int)x->kind) {
    case EXPR_REPLICATE:
        twice = doubled(t, x->replicate.array, depth);
        return twice == NULL ? NULL : term_replicate(t, term_shape(x).at[0], twice);
    case EXPR_TRANSPOSE:
        twice = doubled(t, x->transpose.array, depth);
        return twice == NULL ? NULL
                             : term_transpose(t, term_axes(t, x), term_rank(x), twice);
    case EXPR_UNARY_OP:
        twice = is_negation(x) ? doubled(t, x->unary_op.operand, depth) : NULL;
        return twice == NULL ? NULL : term_negate(t, twice);
    case EXPR_BIN_OP:
        return depth > 0 && (x->bin_op.op == OPERATOR_MULT || x->bin_op.op == OPERATOR_DIV)
                   ? doubled_product(t, x, depth) : NULL;
    }
    return NULL;
}

static const Expr *doubled(Terms *t, const Expr *x, int depth)
{
    double number;
    if (number_of(x, &number))
        return term_float(t, number * 2.0);
    const Expr *twice = doubled_inside(t, x, depth);
    return twice == NULL ? NULL : again(t, twice);
}

// x * (2.0 * y), where a number in x takes the 2.0; else NULL. Derivatives of squares have it.
static const Expr *product_with_twice(Terms *t, const Expr *x, const Expr *y)
{
    bool twice = y->kind == EXPR_BIN_OP && y->bin_op.op == OPERATOR_MULT &&
                 term_is_float(y->bin_op.left, 2.0);
    const Expr *taken = twice ? doubled(t, x, MOST_DEEP) : NULL;
    return taken == NULL ? NULL
                         : again(t, term_binary(t, OPERATOR_MULT, taken, y->bin_op.right));
}

// x * -1.0 and the like are left as -x; a sign goes to the front of a product.
static const Expr *simplify_product(Terms *t, const Expr *e, const Expr *x, const Expr *y)
{
    if (term_is_float(x, 1.0) || term_is_int(x, 1))
        return y;
    if (term_is_float(y, 1.0) || term_is_int(y, 1))
        return x;
    if (term_is_float(x, -1.0))
        return again(t, term_negate(t, y));
    if (term_is_float(y, -1.0))
        return again(t, term_negate(t, x));
    if (is_negation(x))
        return again(t, term_negate(t, again(t, term_binary(t, OPERATOR_MULT,
                                                            x->unary_op.operand, y))));
    if (is_negation(y))
        return again(t, term_negate(t, again(t, term_binary(t, OPERATOR_MULT, x,
                                                            y->unary_op.operand))));
    const Expr *taken = product_with_twice(t, x, y);
    if (taken == NULL)
        taken = product_with_twice(t, y, x);
    return taken != NULL ? taken : e;
}

static const Expr *simplify_sum(Terms *t, const Expr *e, const Expr *x, const Expr *y)
{
    if (term_is_float(x, 0.0) || term_is_int(x, 0))
        return y;
    if (term_is_float(y, 0.0) || term_is_int(y, 0))
        return x;
    if (is_negation(y))
        return again(t, term_binary(t, OPERATOR_SUB, x, y->unary_op.operand));
    if (is_negation(x))
        return again(t, term_binary(t, OPERATOR_SUB, y, x->unary_op.operand));
    const Expr *twice = x == y ? doubled(t, x, MOST_DEEP) : NULL;
    return twice != NULL ? twice : e;
}

static const Expr *simplify_difference(Terms *t, const Expr *e, const Expr *x, const Expr *y)
{
    if (term_is_float(y, 0.0) || term_is_int(y, 0))
        return x;
    if (is_negation(y))
        return again(t, term_binary(t, OPERATOR_ADD, x, y->unary_op.operand));
    return e;
}

// The derivative of a reciprocal r = 1.0 / y is -r / y: one division less, and y need not be kept.
static const Expr *simplify_quotient(Terms *t, const Expr *e, const Expr *x, const Expr *y)
{
    if (term_is_float(y, 1.0))
        return x;
    const Expr *r = is_negation(x) ? x->unary_op.operand : x;
    bool reciprocal = r->kind == EXPR_BIN_OP && r->bin_op.op == OPERATOR_DIV &&
                      r->bin_op.right == y && term_is_float(r->bin_op.left, 1.0);
    if (!reciprocal)
        return e;
    const Expr *square = term_binary(t, OPERATOR_MULT, r, r);
    return again(t, r == x ? square : term_negate(t, square));
}

static const Expr *simplify_units(Terms *t, const Expr *e)
{
    if (is_negation(e) && is_negation(e->unary_op.operand))
        return e->unary_op.operand->unary_op.operand;
    if (e->kind != EXPR_BIN_OP)
        return e;
    const Expr *x = e->bin_op.left, *y = e->bin_op.right;
    switch ((int)e->bin_op.op) {
    case OPERATOR_MULT: return simplify_product(t, e, x, y);
    case OPERATOR_ADD:  return simplify_sum(t, e, x, y);
    case OPERATOR_SUB:  return simplify_difference(t, e, x, y);
    case OPERATOR_DIV:  return simplify_quotient(t, e, x, y);
    case OPERATOR_POW:  return term_is_float(y, 1.0) ? x : e;
    }
    return e;
}

// ---- replicated and transposed operands ----

static bool all_replicate(ExprList parts)
{
    for (size_t i = 0; i < parts.len; i++)
        if (parts.at[i]->kind != EXPR_REPLICATE)
            return false;
    return parts.len > 0;
}

static const Expr *scalar_of_fill(const Expr *e)
{
    while (e->kind == EXPR_REPLICATE)
        e = e->replicate.array;
    return term_rank(e) == 0 ? e : NULL;
}

// The transposition that every operand has; what is one number everywhere has any.
static const Expr *common_transpose(ExprList parts)
{
    const Expr *found = NULL;
    for (size_t i = 0; i < parts.len; i++) {
        const Expr *part = parts.at[i];
        if (part->kind == EXPR_TRANSPOSE &&
            (found == NULL || ir_equal_exprs(found->transpose.axes, part->transpose.axes)))
            found = part;
        else if (scalar_of_fill(part) == NULL)
            return NULL;
    }
    return found;
}

static const Expr *under_transpose(Terms *t, const Expr *e, ExprList parts, const Expr *common)
{
    const Expr **at = ARENA_ARRAY(terms_arena(t), const Expr *, parts.len + 1);
    TyList shape = term_shape(common->transpose.array);
    for (size_t i = 0; i < parts.len; i++)
        at[i] = parts.at[i]->kind == EXPR_TRANSPOSE
                    ? parts.at[i]->transpose.array
                    : term_fill(t, shape, scalar_of_fill(parts.at[i]));
    const Expr *inner = again(t, term_like(t, e, (ExprList){at, parts.len}));
    return again(t, term_transpose(t, term_axes(t, common), common->transpose.axes.len, inner));
}

static const Expr *under_replicate(Terms *t, const Expr *e, ExprList parts)
{
    const Expr **at = ARENA_ARRAY(terms_arena(t), const Expr *, parts.len + 1);
    for (size_t i = 0; i < parts.len; i++)
        at[i] = parts.at[i]->replicate.array;
    const Expr *inner = again(t, term_like(t, e, (ExprList){at, parts.len}));
    return term_replicate(t, term_shape(e).at[0], inner);
}

static const Expr *lifted(Terms *t, const Expr *e)
{
    ExprList parts = term_parts(t, e);
    if (term_rank(e) == 0)
        return e;
    if (all_replicate(parts))
        return under_replicate(t, e, parts);
    const Expr *common = common_transpose(parts);
    return common == NULL ? e : under_transpose(t, e, parts, common);
}

const Expr *simplify_elementwise(Terms *t, const Expr *e)
{
    if (term_elem(e) == ELEM_BOOL && e->kind == EXPR_BIN_OP)
        return fold_bool(e);
    const Expr *new = term_rank(e) == 0 ? fold_scalar(t, e) : e;
    if (new == e)
        new = simplify_units(t, e);
    return new == e ? lifted(t, e) : new;
}

const Expr *simplify_where(Terms *t, const Expr *e)
{
    const Expr *test = e->where.test, *x = e->where.on_true, *y = e->where.on_false;
    const Expr *plain = test;
    while (plain->kind == EXPR_REPLICATE)
        plain = plain->replicate.array;
    if (constant_of(plain) != NULL)
        return constant_of(plain)->truth ? x : y;
    if (x == y)
        return x;
    if (x->kind == EXPR_WHERE && x->where.test == test)
        return again(t, term_where(t, test, x->where.on_true, y));
    if (y->kind == EXPR_WHERE && y->where.test == test)
        return again(t, term_where(t, test, x, y->where.on_false));
    return term_is_elementwise(e) ? lifted(t, e) : e;
}
