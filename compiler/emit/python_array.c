// python_array.c - the forms of tag @array, as calls of the functions of `pychoral.ad` that have
// their names: what is printed runs in numpy.
//
//   Build    build(n, lambda i: e)              Gather     gather((n, m), x, lambda i, j: (e, e))
//   Reduce   sum_outer(x), argmax_outer(x)      Scatter    scatter((n,), x, lambda i: (e,))
//   ArgSort  argsort_outer(x)
//   Stack    stack(x, y)                        Replicate  replicate(n, x)
//   OneHot   one_hot((n,), (i,), x)             Transpose  transpose((1, 0), x)
//   PutAt    put_at(x, (0,), (i,), y, test, adds)
//   Where    where(c, x, y)                     Reshape    reshape((n, m), x)
//   Loop     loop(n, lambda i, x: (e, e), (x0,), which, down)

#include "compiler/emit/python_internal.h"

#include <stdio.h>

static const char *const reduction_text[REDUCTION_COUNT] = {
    [REDUCTION_SUM] = "sum_outer", [REDUCTION_MAX] = "max_outer", [REDUCTION_MIN] = "min_outer",
    [REDUCTION_ARG_MAX] = "argmax_outer", [REDUCTION_ARG_MIN] = "argmin_outer",
};

static void put_comma(Py *p)
{
    py_puts(p, ", ");
    py_mark(p, MARK_BREAK);
}

static void put_next(Py *p, const Expr *e)
{
    put_comma(p);
    py_expr(p, e, PREC_TEST);
}

static void put_list(Py *p, ExprList items)
{
    for (size_t i = 0; i < items.len; i++) {
        if (i > 0)
            put_comma(p);
        py_expr(p, items.at[i], PREC_TEST);
    }
}

// A tuple: `()`, `(n,)`, `(n, m)`.
static void put_tuple(Py *p, ExprList items)
{
    py_puts(p, "(");
    py_mark(p, MARK_OPEN);
    put_list(p, items);
    py_mark(p, MARK_CLOSE);
    py_puts(p, items.len == 1 ? ",)" : ")");
}

static void put_lambda(Py *p, SymList indices)
{
    put_comma(p);
    py_puts(p, "lambda");
    for (size_t i = 0; i < indices.len; i++) {
        py_puts(p, i > 0 ? ", " : " ");
        py_puts(p, indices.at[i]);
    }
    py_puts(p, ": ");
}

static void put_moved(Py *p, ExprList shape, const Expr *array, SymList indices, ExprList place)
{
    put_tuple(p, shape);
    put_next(p, array);
    put_lambda(p, indices);
    put_tuple(p, place);
}

static void open_call(Py *p, const char *function)
{
    py_puts(p, function);
    py_puts(p, "(");
    py_mark(p, MARK_OPEN);
}

static void put_build(Py *p, const Expr *e)
{
    open_call(p, "build");
    py_expr(p, e->build.size, PREC_TEST);
    put_lambda(p, (SymList){&e->build.index, 1});
    py_expr(p, e->build.body, PREC_TEST);
}

static void put_where(Py *p, const Expr *e)
{
    open_call(p, "where");
    py_expr(p, e->where.test, PREC_TEST);
    put_next(p, e->where.on_true);
    put_next(p, e->where.on_false);
}

static void put_one_hot(Py *p, const Expr *e)
{
    open_call(p, "one_hot");
    put_tuple(p, e->one_hot.shape);
    put_comma(p);
    put_tuple(p, e->one_hot.place);
    put_next(p, e->one_hot.value);
}

static void put_put_at(Py *p, const Expr *e)
{
    open_call(p, "put_at");
    py_expr(p, e->put_at.array, PREC_TEST);
    put_comma(p);
    put_tuple(p, e->put_at.axes);
    put_comma(p);
    put_tuple(p, e->put_at.place);
    put_next(p, e->put_at.value);
    put_next(p, e->put_at.test);
    py_puts(p, e->put_at.adds ? ", True" : ", False");
}

static void put_loop(Py *p, const Expr *e)
{
    open_call(p, "loop");
    py_expr(p, e->loop.size, PREC_TEST);
    put_lambda(p, e->loop.indices);
    put_tuple(p, e->loop.bodies);
    put_comma(p);
    put_tuple(p, e->loop.before);
    char which[40];
    snprintf(which, sizeof which, ", %d%s", (int)e->loop.which, e->loop.down ? ", True" : "");
    py_puts(p, which);
}

static void put_shaped(Py *p, const char *function, ExprList numbers, const Expr *array)
{
    open_call(p, function);
    put_tuple(p, numbers);
    put_next(p, array);
}

void py_array(Py *p, const Expr *e)
{
    if (e->kind == EXPR_BUILD) {
        put_build(p, e);
    } else if (e->kind == EXPR_GATHER) {
        open_call(p, "gather");
        put_moved(p, e->gather.shape, e->gather.array, e->gather.indices, e->gather.place);
    } else if (e->kind == EXPR_SCATTER) {
        open_call(p, "scatter");
        put_moved(p, e->scatter.shape, e->scatter.array, e->scatter.indices, e->scatter.place);
    } else if (e->kind == EXPR_REDUCE) {
        open_call(p, reduction_text[e->reduce.op]);
        py_expr(p, e->reduce.array, PREC_TEST);
    } else if (e->kind == EXPR_ARG_SORT) {
        open_call(p, "argsort_outer");
        py_expr(p, e->arg_sort.array, PREC_TEST);
    } else if (e->kind == EXPR_REPLICATE) {
        open_call(p, "replicate");
        py_expr(p, e->replicate.size, PREC_TEST);
        put_next(p, e->replicate.array);
    } else if (e->kind == EXPR_TRANSPOSE) {
        put_shaped(p, "transpose", e->transpose.axes, e->transpose.array);
    } else if (e->kind == EXPR_RESHAPE) {
        put_shaped(p, "reshape", e->reshape.shape, e->reshape.array);
    } else if (e->kind == EXPR_STACK) {
        open_call(p, "stack");
        put_list(p, e->stack.parts);
    } else if (e->kind == EXPR_WHERE) {
        put_where(p, e);
    } else if (e->kind == EXPR_ONE_HOT) {
        put_one_hot(p, e);
    } else if (e->kind == EXPR_PUT_AT) {
        put_put_at(p, e);
    } else if (e->kind == EXPR_LOOP) {
        put_loop(p, e);
    }
    py_mark(p, MARK_CLOSE);
    py_puts(p, ")");
}
