// numpy.c - from bulk terms to numpy. What is the same in a whole dimension is not stored: an
// operand is a view, an array without these dimensions, and numpy's broadcasting does the rest. A
// sum of products is a matrix product or an einsum, a gather of neighbours is a slice.

#include "compiler/pass/ad/numpy.h"

#include <stdio.h>
#include <string.h>

#include "compiler/base/table.h"
#include "compiler/pass/ad/bulk.h"
#include "compiler/pass/ad/simplify.h"

static const char *const helper_texts[] = {
#define HELPER(id, text) text,
#include "compiler/pass/ad/numpy_helper.def"
#undef HELPER
};

const char *numpy_helper_text(unsigned i)
{
    return i < sizeof helper_texts / sizeof *helper_texts ? helper_texts[i] : NULL;
}

// An array and the axis of it that each dimension is; THIN: the dimension is not stored.
enum { THIN = -1 };
typedef struct View { const Expr *base; size_t rank; int *axis; } View;

#define NOWHERE ((Span){0, 0})

// ---- Python ----

static const Expr *name(Numpy *np, const char *text)
{
    return expr_name(terms_arena(np->t), NOWHERE, names_get(terms_names(np->t), text),
                     EXPR_CONTEXT_LOAD);
}

static const Expr *number(Numpy *np, int64_t n) { return term_int(np->t, n); }

static const Expr *attribute(Numpy *np, const Expr *of, const char *text)
{
    return expr_attribute(terms_arena(np->t), NOWHERE, of, names_get(terms_names(np->t), text),
                          EXPR_CONTEXT_LOAD);
}

static const Expr *call(Numpy *np, const Expr *f, ExprList args)
{
    return expr_call(terms_arena(np->t), NOWHERE, f, args, (KeywordList){NULL, 0});
}

static const Expr *np_call(Numpy *np, const char *f, ExprList args)
{
    return call(np, attribute(np, name(np, "np"), f), args);
}

static const Expr *np_call1(Numpy *np, const char *f, const Expr *x, const Expr *y)
{
    return np_call(np, f, term_list(np->t, x, y));
}

static const Expr *tuple(Numpy *np, ExprList list)
{
    return expr_tuple(terms_arena(np->t), NOWHERE, list, EXPR_CONTEXT_LOAD);
}

static const Expr *rounds(Numpy *np, const Ty *size)
{
    return size_shown(np->t, size_rounds(np->t, size));
}

static const Expr *subscript(Numpy *np, const Expr *x, ExprList at)
{
    const Expr *slice = at.len == 1 ? at.at[0] : tuple(np, at);
    return expr_subscript(terms_arena(np->t), NOWHERE, x, slice, EXPR_CONTEXT_LOAD);
}

static const Expr *slice(Numpy *np, const Expr *lower, const Expr *upper)
{
    return expr_slice(terms_arena(np->t), NOWHERE, lower, upper, NULL);
}

static const Expr *none(Numpy *np)
{
    return expr_constant(terms_arena(np->t), NOWHERE, const_none(terms_arena(np->t)), NULL);
}

static const Expr *shape_tuple(Numpy *np, TyList shape)
{
    const Expr **at = ARENA_ARRAY(terms_arena(np->t), const Expr *, shape.len + 1);
    for (size_t i = 0; i < shape.len; i++)
        at[i] = size_shown(np->t, shape.at[i]);
    return tuple(np, (ExprList){at, shape.len});
}

static const Expr *helper(Numpy *np, int id, const char *f, ExprList args)
{
    np->helpers |= 1u << id;
    return call(np, name(np, f), args);
}

// ---- views ----

static View view_of(Numpy *np, const Expr *e);

static View new_view(Numpy *np, const Expr *base, size_t rank)
{
    View v = {base, rank, ARENA_ARRAY(terms_arena(np->t), int, rank + 1)};
    for (size_t i = 0; i < rank; i++)
        v.axis[i] = (int)i;
    return v;
}

static size_t stored_rank(View v)
{
    size_t n = 0;
    for (size_t i = 0; i < v.rank; i++)
        n += v.axis[i] != THIN;
    return n;
}

static const Expr *transposed(Numpy *np, const Expr *x, const size_t *axes, size_t n)
{
    bool identity = true;
    for (size_t i = 0; i < n; i++)
        identity = identity && axes[i] == i;
    if (identity)
        return x;
    if (n == 2)
        return attribute(np, x, "T");
    const Expr **numbers = ARENA_ARRAY(terms_arena(np->t), const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        numbers[i] = number(np, (int64_t)axes[i]);
    return np_call1(np, "transpose", x, tuple(np, (ExprList){numbers, n}));
}

// The stored dimensions in the order of the view.
static const Expr *ordered(Numpy *np, View v)
{
    size_t n = 0, *axes = ARENA_ARRAY(terms_arena(np->t), size_t, v.rank + 1);
    for (size_t i = 0; i < v.rank; i++)
        if (v.axis[i] != THIN)
            axes[n++] = (size_t)v.axis[i];
    return transposed(np, v.base, axes, n);
}

static size_t first_stored(View v)
{
    size_t i = 0;
    while (i < v.rank && v.axis[i] == THIN)
        i++;
    return i;
}

// Between and behind stored dimensions are thin ones.
static bool has_gap(View v) { return first_stored(v) + stored_rank(v) < v.rank; }

static const Expr *thin_axis(Numpy *np, bool new) { return new ? none(np) : number(np, 0); }

// The thin dimensions after the first stored one: `new` adds an axis to `x` for each of them;
// otherwise their axes are taken away.
static const Expr *at_thin(Numpy *np, const Expr *x, View v, bool new)
{
    Vec(const Expr *) at = {0};
    for (size_t i = first_stored(v); i < v.rank; i++)
        vec_push(terms_arena(np->t), &at,
                 v.axis[i] == THIN ? thin_axis(np, new) : slice(np, NULL, NULL));
    return subscript(np, x, (ExprList){at.at, at.len});
}

// For broadcasting.
static const Expr *aligned(Numpy *np, View v)
{
    const Expr *x = ordered(np, v);
    return has_gap(v) ? at_thin(np, x, v, true) : x;
}

static bool is_whole(View v) { return stored_rank(v) == v.rank; }

static const Expr *full(Numpy *np, View v, TyList shape)
{
    const Expr *x = aligned(np, v);
    return is_whole(v) ? x : np_call1(np, "broadcast_to", x, shape_tuple(np, shape));
}

static const Expr *full_of(Numpy *np, const Expr *e)
{
    return full(np, view_of(np, e), term_shape(e));
}

// ---- element by element ----

// Of two numbers in a round of a loop: Python chooses faster than numpy.
static bool is_choice_in_round(const Numpy *np, const Expr *e)
{
    return term_rank(e) == 0 && term_elem(e) == ELEM_FLOAT && np->printer != NULL &&
           np->printer->counters.len > 0;
}

// A number of Python would raise where one of numpy is inf: 1.0 / x.
static const Expr *numpy_number(Numpy *np, const Expr *e, const Expr *x)
{
    return e->kind == EXPR_CONSTANT ? np_call1(np, "float64", x, NULL) : x;
}

static const Expr *choice_of(Numpy *np, const Expr *e, const Expr *const *x)
{
    return expr_if_exp(terms_arena(np->t), NOWHERE, x[0],
                       numpy_number(np, e->where.on_true, x[1]),
                       numpy_number(np, e->where.on_false, x[2]));
}

// `array`: what it gives has a dimension. `np.float64` of an array with one element is a number.
static const Expr *elementwise(Numpy *np, const Expr *e, const Expr *const *x, bool array)
{
    Arena *a = terms_arena(np->t);
    if (array && e->kind == EXPR_CALL && strcmp(term_function(e), "float64") == 0)
        return np_call1(np, "asarray", x[0], attribute(np, name(np, "np"), "float64"));
    switch ((int)e->kind) {
    case EXPR_BIN_OP:
        return expr_bin_op(a, NOWHERE, x[0], e->bin_op.op, x[1]);
    case EXPR_UNARY_OP:
        return e->unary_op.op == UNARYOP_NOT
                   ? np_call1(np, "logical_not", x[0], NULL)
                   : expr_unary_op(a, NOWHERE, UNARYOP_U_SUB, x[0]);
    case EXPR_COMPARE:
        return expr_compare(a, NOWHERE, x[0], e->compare.ops, term_list(np->t, x[1], NULL));
    case EXPR_WHERE: {
        ExprList args = {x, 3};
        if (!array && is_choice_in_round(np, e))
            return choice_of(np, e, x);
        return np_call(np, "where", args);
    }
    }
    static const struct { const char *f; int id; const char *helper; } helped[] = {
        {"erf", HELP_ERF, "_erf"}, {"erfc", HELP_ERFC, "_erfc"}, {"lgamma", HELP_LGAMMA, "_lgamma"},
        {"digamma", HELP_DIGAMMA, "_digamma"}, {"polygamma", HELP_POLYGAMMA, "_polygamma"}};
    Sym f = term_function(e);
    ExprList args = {x, e->call.args.len};
    for (size_t i = 0; i < sizeof helped / sizeof *helped; i++)
        if (sym_is(f, helped[i].f))
            return helper(np, helped[i].id, helped[i].helper, args);
    return np_call(np, f, args);
}

static View operation(Numpy *np, const Expr *e, const size_t *order);

static View in_order(Numpy *np, View v, const size_t *order)
{
    View r = new_view(np, v.base, v.rank);
    for (size_t i = 0; i < v.rank; i++)
        r.axis[i] = v.axis[order[i]];
    return r;
}

// With its dimensions in that order, if it has one; a number has none.
static View operand(Numpy *np, const Expr *e, const size_t *order)
{
    if (order == NULL || term_rank(e) == 0)
        return view_of(np, e);
    return term_is_elementwise(e) || e->kind == EXPR_WHERE ? operation(np, e, order)
                                                           : in_order(np, view_of(np, e), order);
}

// A dimension is stored when an operand stores it; between stored ones numpy keeps it as 1.
static View operation(Numpy *np, const Expr *e, const size_t *order)
{
    Arena *a = terms_arena(np->t);
    ExprList parts = term_parts(np->t, e);
    size_t rank = term_rank(e);
    const Expr **x = ARENA_ARRAY(a, const Expr *, parts.len + 1);
    bool *stored = ARENA_ARRAY(a, bool, rank + 1);
    for (size_t i = 0; i < parts.len; i++) {
        View part = operand(np, parts.at[i], order);
        x[i] = aligned(np, part);
        for (size_t k = 0; k < part.rank; k++)
            stored[k + rank - part.rank] |= part.axis[k] != THIN;
    }
    bool array = false;
    for (size_t k = 0; k < rank; k++)
        array |= stored[k];
    View v = {elementwise(np, e, x, array), rank, ARENA_ARRAY(a, int, rank + 1)};
    int next = 0;
    for (size_t k = 0; k < rank; k++)
        v.axis[k] = stored[k] ? next++ : THIN;
    if (has_gap(v))
        v.base = at_thin(np, v.base, v, false);
    return v;
}

// ---- sums ----

// A sum of a product x * y: which dimensions of the product are summed, and in which order those
// that are left stand.
typedef struct Contraction {
    const Expr *x, *y;
    size_t rank;
    bool   summed[26];
    size_t left[26], left_len;
} Contraction;

// A product, or the square of a name: any other base would be computed twice.
static bool is_product(const Expr *e, Contraction *c)
{
    bool square = e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_POW &&
                  e->bin_op.left->kind == EXPR_NAME && term_is_float(e->bin_op.right, 2.0);
    if (!square && (e->kind != EXPR_BIN_OP || e->bin_op.op != OPERATOR_MULT))
        return false;
    *c = (Contraction){.x = e->bin_op.left, .y = square ? e->bin_op.left : e->bin_op.right};
    return true;
}

static bool find_contraction(Numpy *np, const Expr *e, Contraction *c)
{
    size_t sums = 0;
    while (e->kind == EXPR_REDUCE && e->reduce.op == REDUCTION_SUM) {
        sums++;
        e = e->reduce.array;
    }
    size_t rank = term_rank(e), *axes = ARENA_ARRAY(terms_arena(np->t), size_t, rank + 1);
    for (size_t i = 0; i < rank; i++)
        axes[i] = i;
    if (e->kind == EXPR_TRANSPOSE) {
        axes = term_axes(np->t, e);
        e = e->transpose.array;
    }
    if (sums == 0 || rank > 26 || !is_product(e, c))
        return false;
    c->rank = rank;
    for (size_t i = 0; i < rank; i++) {
        if (i < sums)
            c->summed[axes[i]] = true;
        else
            c->left[c->left_len++] = axes[i];
    }
    return true;
}

// An array and the label of each of its axes.
typedef struct Labelled { const Expr *base; char labels[27]; } Labelled;

static Labelled labelled(View v)
{
    Labelled x = {.base = v.base};
    for (size_t i = 0; i < v.rank; i++)
        if (v.axis[i] != THIN)
            x.labels[v.axis[i]] = (char)('a' + i);
    return x;
}

static bool has(const char *labels, char label) { return strchr(labels, label) != NULL; }

// Summed beforehand over what the other does not store.
static Labelled summed_alone(Numpy *np, Labelled x, const char *other, const Contraction *c)
{
    Vec(const Expr *) axes = {0};
    Labelled left = {.base = x.base};
    for (size_t i = 0, n = 0; x.labels[i] != '\0'; i++) {
        if (c->summed[x.labels[i] - 'a'] && !has(other, x.labels[i]))
            vec_push(terms_arena(np->t), &axes, number(np, (int64_t)i));
        else
            left.labels[n++] = x.labels[i];
    }
    if (axes.len > 0)
        left.base = np_call1(np, "sum", x.base, axes.len == 1 ? axes.at[0]
                                                : tuple(np, (ExprList){axes.at, axes.len}));
    return left;
}

static size_t place_of_label(const Labelled *x, char label)
{
    return (size_t)(strchr(x->labels, label) - x->labels);
}

static const Expr *with_labels(Numpy *np, const Labelled *x, const char *wanted)
{
    size_t n = strlen(wanted), *axes = ARENA_ARRAY(terms_arena(np->t), size_t, n + 1);
    for (size_t i = 0; i < n; i++)
        axes[i] = place_of_label(x, wanted[i]);
    return transposed(np, x->base, axes, n);
}

static void add_label(char *labels, char label)
{
    size_t n = strlen(labels);
    labels[n] = label;
    labels[n + 1] = '\0';
}

// Whether the dimensions do not stand as they are stored.
static bool is_moved(const Labelled *x, const char *wanted)
{
    for (size_t i = 1; wanted[i] != '\0'; i++)
        if (place_of_label(x, wanted[i - 1]) > place_of_label(x, wanted[i]))
            return true;
    return false;
}

// An operand of a product of many matrices: the place among these first, then rows and columns as
// they are. That it is stored so is of use if it is moved now.
static void note_order(Numpy *np, const Labelled *x, const char *wanted)
{
    size_t n = strlen(wanted), *order = ARENA_ARRAY(terms_arena(np->t), size_t, n + 1);
    bool moved = false;
    for (size_t i = 0; i < n; i++)
        order[i] = place_of_label(x, wanted[i]);
    if (n > 2 && order[n - 2] > order[n - 1]) {
        size_t last = order[n - 1];
        order[n - 1] = order[n - 2];
        order[n - 2] = last;
    }
    for (size_t i = 0; i < n; i++)
        moved = moved || order[i] != i;
    if (n > 2 && moved && np->orders != NULL && x->base->kind == EXPR_NAME)
        table_set(np->orders, x->base->name.id, order);
}

// `@`; what is done with the result element by element is fast along its longer side.
static const Expr *product_of(Numpy *np, const Labelled *x, const char *left, const Labelled *y,
                              const char *right)
{
    const Expr *a = with_labels(np, x, left), *b = with_labels(np, y, right);
    note_order(np, x, left);
    note_order(np, y, right);
    bool matrices = strlen(left) >= 2 && strlen(right) >= 2;
    if (matrices && (is_moved(x, left) || is_moved(y, right)))
        return helper(np, HELP_PRODUCT, "_product", term_list(np->t, a, b));
    return expr_bin_op(terms_arena(np->t), NOWHERE, a, OPERATOR_MAT_MULT, b);
}

// `@` for what it can say: matrices with one shared dimension that is summed, for each index of
// those that the result has too; without these, vectors too.
static bool matrix_product(Numpy *np, Labelled x, Labelled y, const char *result, Labelled *z)
{
    char shared[27] = "", rows[27] = "", columns[27] = "", batch[27] = "";
    for (const char *c = x.labels; *c != '\0'; c++)
        add_label(!has(y.labels, *c) ? rows : has(result, *c) ? batch : shared, *c);
    for (const char *c = y.labels; *c != '\0'; c++)
        if (!has(x.labels, *c))
            add_label(columns, *c);
    size_t p = strlen(rows), q = strlen(columns), each = strlen(batch);
    if (strlen(shared) != 1 || p > 1 || q > 1 || (each > 0 && p + q < 2))
        return false;
    if (p + q == 2 && strchr(result, *rows) > strchr(result, *columns))
        return matrix_product(np, y, x, result, z);
    char left[27 * 3], right[27 * 3];
    snprintf(left, sizeof left, "%s%s%s", batch, rows, shared);
    snprintf(right, sizeof right, "%s%s%s", batch, shared, columns);
    snprintf(z->labels, sizeof z->labels, "%s%s%s", batch, rows, columns);
    z->base = product_of(np, &x, left, &y, right);
    return true;
}

static const Expr *text(Numpy *np, const char *s)
{
    Arena *a = terms_arena(np->t);
    return expr_constant(a, NOWHERE, const_str(a, (Text){s, strlen(s)}), NULL);
}

static const Expr *einsum(Numpy *np, Labelled x, Labelled y, const char *result)
{
    Buf b = buf_new(terms_arena(np->t));
    buf_printf(&b, "%s,%s->%s", x.labels, y.labels, result);
    const Expr *args[] = {text(np, buf_text(&b)), x.base, y.base};
    return np_call(np, "einsum", term_join(np->t, (ExprList){args, 3}, (ExprList){NULL, 0}));
}

// The sum of all elements of a product of equal shapes is np.sum: it adds in pairs, and einsum is
// no faster. For sums of rows it is einsum, which stores no product.
static bool contraction(Numpy *np, const Expr *e, View *result)
{
    Contraction c;
    Labelled z = {0};
    if (!find_contraction(np, e, &c))
        return false;
    View x = view_of(np, c.x), y = view_of(np, c.y);
    bool summed_twice = false;          // a summed dimension that both store
    for (size_t i = 0; i < c.rank; i++) {
        if (x.axis[i] == THIN && y.axis[i] == THIN)
            return false;
        summed_twice = summed_twice || (c.summed[i] && x.axis[i] != THIN && y.axis[i] != THIN);
    }
    if (!summed_twice || (is_whole(x) && is_whole(y) && c.rank > 1 && c.left_len == 0))
        return false;
    Labelled left = labelled(x), right = labelled(y);
    left = summed_alone(np, left, right.labels, &c);
    right = summed_alone(np, right, left.labels, &c);
    char out[27] = "";
    for (size_t i = 0; i < c.left_len; i++)
        add_label(out, (char)('a' + c.left[i]));
    if (!matrix_product(np, left, right, out, &z)) {
        memcpy(z.labels, out, sizeof out);
        z.base = einsum(np, left, right, out);
    }
    *result = new_view(np, z.base, c.left_len);
    for (size_t i = 0; i < c.left_len; i++)
        result->axis[i] = (int)(strchr(z.labels, out[i]) - z.labels);
    return true;
}

static const char *const reduction_names[REDUCTION_COUNT] = {
    [REDUCTION_SUM] = "sum", [REDUCTION_MAX] = "max", [REDUCTION_MIN] = "min",
    [REDUCTION_ARG_MAX] = "argmax", [REDUCTION_ARG_MIN] = "argmin",
};

// Sums of sums are one call.
static View reduction(Numpy *np, const Expr *e)
{
    View v;
    if (contraction(np, e, &v))
        return v;
    Reduction op = e->reduce.op;
    const Expr *x = e->reduce.array;
    size_t count = 1;
    bool several = op == REDUCTION_SUM || op == REDUCTION_MAX || op == REDUCTION_MIN;
    for (; several && x->kind == EXPR_REDUCE && x->reduce.op == op; count++)
        x = x->reduce.array;
    View in = view_of(np, x);
    for (size_t i = 0; i < count; i++)
        if (in.axis[i] == THIN)
            in = new_view(np, full(np, in, term_shape(x)), in.rank);
    const Expr **axes = ARENA_ARRAY(terms_arena(np->t), const Expr *, count + 1);
    v = (View){NULL, in.rank - count, ARENA_ARRAY(terms_arena(np->t), int, in.rank + 1)};
    for (size_t i = 0; i < in.rank; i++) {
        int gone = 0;
        for (size_t k = 0; k < count; k++)
            gone += in.axis[k] < in.axis[i];
        if (i < count)
            axes[i] = number(np, in.axis[i]);
        else
            v.axis[i - count] = in.axis[i] == THIN ? THIN : in.axis[i] - gone;
    }
    const Expr *f = attribute(np, name(np, "np"), reduction_names[op]);
    bool all = stored_rank(in) == count;
    const Expr *axis = count == 1 ? axes[0] : tuple(np, (ExprList){axes, count});
    v.base = call(np, f, term_list(np->t, in.base, all ? NULL : axis));
    return v;
}

// Each dimension stays where it is stored.
static View sorted(Numpy *np, const Expr *e)
{
    View v = view_of(np, e->arg_sort.array);
    if (v.axis[0] == THIN)
        v = new_view(np, full(np, v, term_shape(e)), v.rank);
    const Const *stable = const_str(terms_arena(np->t), (Text){"stable", 6});
    ExprList args = term_list(np->t, v.base, number(np, v.axis[0]));
    v.base = np_call(np, "argsort", term_join(np->t, args, term_list(np->t, expr_constant(
                                        terms_arena(np->t), NOWHERE, stable, NULL), NULL)));
    return v;
}

// ---- moving ----

// An index component as an array over the index variables, which are axes from the left.
typedef struct Grid { Numpy *np; Opened *o; TyList extents; } Grid;

static const Expr *index_variable(Grid *g, size_t i)
{
    Numpy *np = g->np;
    const Expr *range = np_call1(np, "arange", rounds(np, g->extents.at[i]), NULL);
    Vec(const Expr *) at = {0};
    for (size_t k = i; k < g->o->indices.len; k++)
        vec_push(terms_arena(np->t), &at, k == i ? slice(np, NULL, NULL) : none(np));
    return at.len == 1 ? range : subscript(np, range, (ExprList){at.at, at.len});
}

static const Expr *component(Grid *g, const Expr *e);

static ExprList components(Grid *g, ExprList list)
{
    const Expr **at = ARENA_ARRAY(terms_arena(g->np->t), const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = component(g, list.at[i]);
    return (ExprList){at, list.len};
}

// x[i, j] for all i and j below the sizes of x.
static bool is_whole_grid(const Grid *g, const Expr *e)
{
    ExprList at = e->subscript.slice->tuple.elts;
    return at.len == g->o->indices.len &&
           memcmp(at.at, g->o->indices.at, at.len * sizeof *at.at) == 0 &&
           shape_equal(term_shape(e->subscript.value), g->extents);
}

// The values of an expression that is neither an element nor made of elements, such as the place of
// the largest: an array that is computed for the whole grid.
static const Expr *computed_grid(const Grid *g, const Expr *e)
{
    Numpy *np = g->np;
    for (size_t i = g->o->indices.len; i-- > 0;)
        e = bulk_build(np->t, g->o->indices.at[i], g->extents.at[i], e);
    return full_of(np, e);
}

// Of a scalar in a place: the whole grid of its values. Arrays that it reads are closed.
static const Expr *component(Grid *g, const Expr *e)
{
    Numpy *np = g->np;
    for (size_t i = 0; i < g->o->indices.len; i++)
        if (e == g->o->indices.at[i])
            return index_variable(g, i);
    if (term_is_closed(np->t, e))
        return full_of(np, e);
    if (e->kind == EXPR_SUBSCRIPT && is_whole_grid(g, e))
        return full_of(np, e->subscript.value);
    if (e->kind == EXPR_SUBSCRIPT && term_is_closed(np->t, e->subscript.value))
        return subscript(np, full_of(np, e->subscript.value),
                         components(g, e->subscript.slice->tuple.elts));
    if (!term_is_elementwise(e) && e->kind != EXPR_WHERE)
        return computed_grid(g, e);
    ExprList parts = components(g, term_parts(np->t, e));
    return elementwise(np, e, parts.at, true);
}

// A component that is one index variable and a number: `first` is where it starts.
static bool is_shift(Numpy *np, const Expr *e, const Opened *o, size_t *variable,
                     const Expr **first)
{
    Arena *a = terms_arena(np->t);
    Poly p, rest;
    int found = 0;
    if (!term_poly(np->t, e, &p))
        return false;
    rest = p;
    for (size_t v = 0; v < o->indices.len; v++) {
        Poly with = poly_sub(a, rest, poly_name(a, o->indices.at[v]->name.id));
        if (!term_has(np->t, e, o->indices.at[v]))
            continue;
        found++;
        *variable = v;
        rest = with;
    }
    *first = term_of_poly(np->t, rest);
    return found == 1 && term_is_closed(np->t, *first);
}

// An index below a size, for these variables and in the loops around.
static bool is_in_range(Numpy *np, const Expr *index, const Ty *size, ExprList variables,
                        TyList extents)
{
    Arena *a = terms_arena(np->t);
    Poly p;
    size_t n = np->printer == NULL ? 0 : np->printer->counters.len;
    const Expr **at = ARENA_ARRAY(a, const Expr *, n + 1);
    if (!term_poly(np->t, index, &p))
        return false;
    for (size_t i = 0; i < n; i++) {
        at[i] = term_variable(np->t);
        p = poly_with(a, p, np->printer->counters.at[i], poly_name(a, at[i]->name.id));
    }
    TyList sizes = {n == 0 ? NULL : np->printer->sizes.at, n};
    return simplify_in_range(np->t, term_of_poly(np->t, p), size,
                             term_join(np->t, variables, (ExprList){at, n}),
                             shape_join(np->t, extents, sizes));
}

// x[c:c + n, 3]: every component in range, and each index variable in one of them.
static bool slices(Numpy *np, const Expr *e, Opened *o, TyList extents, View *result)
{
    Arena *a = terms_arena(np->t);
    const Expr *x = e->gather.array;
    size_t rank = term_rank(e), given = o->bodies.len, stored = 0;
    Vec(const Expr *) at = {0};
    View v = new_view(np, NULL, rank);
    bool *used = ARENA_ARRAY(a, bool, o->indices.len + 1), plain = true;
    for (size_t i = 0; i < given; i++) {
        const Expr *c = o->bodies.at[i], *first;
        size_t variable, count = term_is_closed(np->t, c) ? 0 : o->indices.len;
        if (!is_in_range(np, c, term_shape(x).at[i], (ExprList){o->indices.at, count},
                         (TyList){extents.at, count}))
            return false;
        if (count == 0) {
            vec_push(a, &at, c);
            plain = false;
            continue;
        }
        if (!is_shift(np, c, o, &variable, &first) || used[variable])
            return false;
        used[variable] = true;
        v.axis[variable] = (int)stored++;
        Poly p;
        bool whole = extents.at[variable] == term_shape(x).at[i];
        (void)term_poly(np->t, first, &p);
        p = poly_add(a, p, size_poly(np->t, extents.at[variable]));
        const Expr *end = size_shown(np->t, size_of_poly(np->t, p));
        vec_push(a, &at, whole ? slice(np, NULL, NULL)
                               : slice(np, term_is_int(first, 0) ? NULL : first, end));
        plain = plain && whole;
    }
    if (stored != o->indices.len)
        return false;
    for (size_t i = stored; i < rank; i++)
        v.axis[i] = (int)i;
    const Expr *base = full_of(np, x);
    v.base = plain ? base : subscript(np, base, (ExprList){at.at, at.len});
    *result = v;
    return true;
}

static bool all_in_range(Numpy *np, const Expr *x, const Opened *o, TyList extents)
{
    for (size_t i = 0; i < o->bodies.len; i++)
        if (!is_in_range(np, o->bodies.at[i], term_shape(x).at[i], o->indices, extents))
            return false;
    return o->bodies.len > 0;
}

static View read_if_there(Numpy *np, const Expr *e, const Expr *x, ExprList place)
{
    ExprList args = term_join(np->t, term_list(np->t, full_of(np, x), NULL), place);
    return new_view(np, helper(np, HELP_READ, "_read", args), term_rank(e));
}

static View gather(Numpy *np, const Expr *e)
{
    Opened o = term_open(np->t, e);
    TyList extents = {term_shape(e).at, o.indices.len};
    View v;
    if (slices(np, e, &o, extents, &v))
        return v;
    Grid g = {np, &o, extents};
    ExprList place = components(&g, o.bodies);
    if (o.indices.len == 0)
        return read_if_there(np, e, e->gather.array, place);
    const Expr *x = full_of(np, e->gather.array);
    bool every = true;                  // index variable stands alone or is used: no axis is lost
    for (size_t i = 0; i < o.indices.len; i++) {
        bool used = false;
        for (size_t k = 0; k < o.bodies.len; k++)
            used = used || term_has(np->t, o.bodies.at[k], o.indices.at[i]);
        every = every && used;
    }
    if (every && all_in_range(np, e->gather.array, &o, extents))
        return new_view(np, subscript(np, x, place), term_rank(e));
    ExprList args = term_join(np->t, term_list(np->t, shape_tuple(np, extents), x), place);
    return new_view(np, helper(np, HELP_GATHER, "_gather", args), term_rank(e));
}

static View scatter(Numpy *np, const Expr *e)
{
    Opened o = term_open(np->t, e);
    const Expr *x = e->scatter.array;
    TyList extents = {term_shape(x).at, o.indices.len};
    Grid g = {np, &o, extents};
    ExprList place = components(&g, o.bodies);
    const Expr *head[] = {shape_tuple(np, term_shape(e)), full_of(np, x),
                          number(np, (int64_t)o.indices.len)};
    ExprList args = term_join(np->t, (ExprList){head, 3}, place);
    return new_view(np, helper(np, HELP_SCATTER, "_scatter", args), term_rank(e));
}

static View one_hot(Numpy *np, const Expr *e)
{
    const Expr *head[] = {shape_tuple(np, term_shape(e)), full_of(np, e->one_hot.value),
                          number(np, 0)};
    Vec(const Expr *) place = {0};
    for (size_t i = 0; i < e->one_hot.place.len; i++)
        vec_push(terms_arena(np->t), &place, full_of(np, e->one_hot.place.at[i]));
    ExprList args = term_join(np->t, (ExprList){head, 3}, (ExprList){place.at, place.len});
    return new_view(np, helper(np, HELP_SCATTER, "_scatter", args), term_rank(e));
}

static View replicated(Numpy *np, const Expr *e)
{
    View in = view_of(np, e->replicate.array);
    View v = {in.base, in.rank + 1, ARENA_ARRAY(terms_arena(np->t), int, in.rank + 2)};
    v.axis[0] = THIN;
    for (size_t i = 0; i < in.rank; i++)
        v.axis[i + 1] = in.axis[i];
    return v;
}

static View moved(Numpy *np, const Expr *e)
{
    View in = view_of(np, e->transpose.array);
    size_t *axes = term_axes(np->t, e);
    View v = {in.base, in.rank, ARENA_ARRAY(terms_arena(np->t), int, in.rank + 1)};
    for (size_t i = 0; i < in.rank; i++)
        v.axis[i] = in.axis[axes[i]];
    return v;
}

static View stacked(Numpy *np, const Expr *e)
{
    Vec(const Expr *) parts = {0};
    for (size_t i = 0; i < e->stack.parts.len; i++)
        vec_push(terms_arena(np->t), &parts, full_of(np, e->stack.parts.at[i]));
    const Expr *list = expr_list(terms_arena(np->t), NOWHERE, (ExprList){parts.at, parts.len},
                                 EXPR_CONTEXT_LOAD);
    return new_view(np, np_call1(np, term_rank(e) == 1 ? "array" : "stack", list, NULL),
                    term_rank(e));
}

// Out of range it is 0 where that may be and no one looks at it.
static View read(Numpy *np, const Expr *e)
{
    Vec(const Expr *) place = {0};
    bool inside = true;
    ExprList at = e->subscript.slice->tuple.elts;
    for (size_t i = 0; i < at.len; i++) {
        vec_push(terms_arena(np->t), &place, full_of(np, at.at[i]));
        inside = inside && is_in_range(np, at.at[i], term_shape(e->subscript.value).at[i],
                                       (ExprList){NULL, 0}, (TyList){NULL, 0});
    }
    if (np->guarded && !inside)
        return read_if_there(np, e, e->subscript.value, (ExprList){place.at, place.len});
    return new_view(np, subscript(np, full_of(np, e->subscript.value),
                                  (ExprList){place.at, place.len}), term_rank(e));
}

static View view_of(Numpy *np, const Expr *e)
{
    const Ty *size = e->kind == EXPR_CALL && term_rank(e) == 0 ? size_of_term(np->t, e) : NULL;
    if (size != NULL)
        return new_view(np, size_shown(np->t, size), 0);
    if (term_is_elementwise(e) || e->kind == EXPR_WHERE)
        return operation(np, e, NULL);
    switch ((int)e->kind) {
    case EXPR_REDUCE:    return reduction(np, e);
    case EXPR_ARG_SORT:  return sorted(np, e);
    case EXPR_GATHER:    return gather(np, e);
    case EXPR_SCATTER:   return scatter(np, e);
    case EXPR_ONE_HOT:   return one_hot(np, e);
    case EXPR_REPLICATE: return replicated(np, e);
    case EXPR_TRANSPOSE: return moved(np, e);
    case EXPR_STACK:     return stacked(np, e);
    case EXPR_SUBSCRIPT: return read(np, e);
    case EXPR_RESHAPE:
        return new_view(np, np_call1(np, "reshape", full_of(np, e->reshape.array),
                                     shape_tuple(np, term_shape(e))), term_rank(e));
    case EXPR_CALL:
        return new_view(np, np_call1(np, "arange", rounds(np, term_shape(e).at[0]), NULL), 1);
    }
    return new_view(np, e, term_rank(e));
}

const Expr *numpy_expr(Numpy *np, const Expr *e, bool stored)
{
    View v = view_of(np, e);
    TyList shape = term_shape(e);
    if (stored && stored_rank(v) == 0 && v.rank > 0)
        return np_call1(np, "full", shape_tuple(np, shape), v.base);
    const Expr *x = full(np, v, shape);
    return stored && !is_whole(v) ? call(np, attribute(np, x, "copy"), (ExprList){NULL, 0}) : x;
}

// What numpy may answer a view of its argument for.
static bool may_show_another(const Expr *e)
{
    switch ((int)e->kind) {
    case EXPR_NAME: case EXPR_SUBSCRIPT: case EXPR_GATHER: case EXPR_TRANSPOSE: case EXPR_RESHAPE:
        return true;
    }
    return term_rank(e) > 0 && sym_is(term_function(e), "float64");
}

const Expr *numpy_own(Numpy *np, const Expr *e)
{
    const Expr *x = numpy_expr(np, e, true);
    bool copied = term_rank(e) > 0 && may_show_another(e);
    return copied ? call(np, attribute(np, x, "copy"), (ExprList){NULL, 0}) : x;
}

const Expr *numpy_spread(Numpy *np, const Expr *e) { return aligned(np, view_of(np, e)); }

const Expr *numpy_let(Numpy *np, Sym name, const Expr *e)
{
    const size_t *order = np->orders == NULL ? NULL : table_get(np->orders, name);
    if (order == NULL || !(term_is_elementwise(e) || e->kind == EXPR_WHERE))
        return numpy_expr(np, e, true);
    View v = operation(np, e, order), r = new_view(np, v.base, v.rank);
    for (size_t i = 0; i < v.rank; i++)
        r.axis[order[i]] = v.axis[i];
    return is_whole(r) ? full(np, r, term_shape(e)) : numpy_expr(np, e, true);
}
