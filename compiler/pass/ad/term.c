// term.c - types of terms and their constructors: the typing rules of the core language.

#include "compiler/pass/ad/term_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const elem_name[ELEM_COUNT] = {
    [ELEM_FLOAT] = "float", [ELEM_INT] = "int", [ELEM_BOOL] = "bool",
};

Terms *terms_new(Arena *a, Names *names)
{
    Terms *t = ARENA_NEW(a, Terms);
    *t = (Terms){.arena = a, .names = names, .nodes = table_new(a), .tys = table_new(a),
                 .info = table_new(a), .hints = table_new(a), .clamped = table_new(a),
                 .quotients = table_new(a), .filled = table_new(a)};
    t->array = names_get(names, "Array");
    t->np = expr_name(a, (Span){0, 0}, names_get(names, "np"), EXPR_CONTEXT_LOAD);
    for (int i = 0; i < ELEM_COUNT; i++)
        t->elems[i] = ty_named(a, names_get(names, elem_name[i]), (TyList){NULL, 0});
    return t;
}

Arena *terms_arena(const Terms *t) { return t->arena; }
Names *terms_names(const Terms *t) { return t->names; }

// ---- what is made once ----

typedef struct Made { const void *node; struct Made *next; } Made;

static const Ty *make_ty(Terms *t, const Ty *ty)
{
    const void *key = table_key(ir_hash_ty(ty) >> 1);
    Made *chain = table_get(t->tys, key);
    for (Made *m = chain; m != NULL; m = m->next)
        if (ir_equal_ty(m->node, ty))
            return m->node;
    Made *m = ARENA_NEW(t->arena, Made);
    *m = (Made){ty, chain};
    table_set(t->tys, key, m);
    return ty;
}

const Expr *term_make(Terms *t, const Expr *e, const Ty *ty)
{
    const void *key = table_key(ir_same_hash_expr(e) >> 1);
    Made *chain = table_get(t->nodes, key);
    for (Made *m = chain; m != NULL; m = m->next)
        if (ir_same_expr(m->node, e) && (ty == NULL || ((const Expr *)m->node)->ty == ty))
            return m->node;
    Made *m = ARENA_NEW(t->arena, Made);
    const Expr *typed = ty == NULL ? e : expr_with_ty(t->arena, e, ty, (SymList){NULL, 0});
    *m = (Made){typed, chain};
    table_set(t->nodes, key, m);
    term_note(t, typed);
    return typed;
}

// ---- sizes ----

const Ty *size_of_poly(Terms *t, Poly p) { return make_ty(t, poly_ty(t->arena, p)); }

Poly size_poly(Terms *t, const Ty *size) { return poly_of_ty(t->arena, size); }

const Ty *size_number(Terms *t, int64_t number)
{
    return size_of_poly(t, poly_number(t->arena, number));
}

const Ty *size_name(Terms *t, Sym name) { return size_of_poly(t, poly_name(t->arena, name)); }

const Ty *size_mul(Terms *t, const Ty *x, const Ty *y)
{
    return size_of_poly(t, poly_mul(t->arena, size_poly(t, x), size_poly(t, y)));
}

bool size_is(Terms *t, const Ty *size, int64_t number)
{
    int64_t n;
    return poly_is_number(size_poly(t, size), &n) && n == number;
}

void size_fill(Terms *t, const Ty *size)
{
    const Ty *rounds = size_rounds(t, size);
    Poly p = size_poly(t, rounds);
    t->facts.len = 0;
    table_set(t->filled, rounds, t);
    for (size_t k = 0; p.len == 1 && k < p.at[0].names.len; k++)
        table_set(t->filled, p.at[0].names.at[k], t);
}

Table *size_facts(Terms *t, TyList shape)
{
    for (size_t i = 0; i < t->facts.len; i++)
        if (shape_equal(t->facts.at[i].shape, shape))
            return t->facts.at[i].of;
    TermFacts new = {shape, table_new(t->arena)};
    for (size_t i = 0; i < shape.len; i++)
        table_set(new.of, size_rounds(t, shape.at[i]), t);
    vec_push(t->arena, &t->facts, new);
    return new.of;
}

// p where each name that is at least 1 is written as 1 more than itself.
static Poly above_one(Terms *t, Poly p)
{
    Poly sum = {NULL, 0}, one = poly_number(t->arena, 1);
    for (size_t i = 0; i < p.len; i++) {
        Poly product = poly_number(t->arena, p.at[i].factor);
        for (size_t k = 0; k < p.at[i].names.len; k++) {
            Sym name = p.at[i].names.at[k];
            Poly factor = poly_name(t->arena, name);
            if (table_get(t->filled, name) != NULL)
                factor = poly_add(t->arena, factor, one);
            product = poly_mul(t->arena, product, factor);
        }
        sum = poly_add(t->arena, sum, product);
    }
    return sum;
}

bool size_is_filled(Terms *t, const Ty *size)
{
    const Ty *rounds = size_rounds(t, size);
    Poly least = above_one(t, size_poly(t, rounds));
    return table_get(t->filled, rounds) != NULL ||
           poly_never_negative(poly_sub(t->arena, least, poly_number(t->arena, 1)));
}

// A name that stands for max(p, 0), as the text of it that Python reads.
static Sym clamped_name(Terms *t, Poly p)
{
    Buf b = buf_new(t->arena);
    buf_puts(&b, "max(");
    size_print(&b, p);
    buf_puts(&b, ", 0)");
    Sym name = names_get(t->names, buf_text(&b));
    Poly *of = ARENA_NEW(t->arena, Poly);
    *of = p;
    table_set(t->clamped, name, of);
    return name;
}

static Poly clamped(Terms *t, Poly p)
{
    int64_t n;
    if (poly_is_number(p, &n))
        return poly_number(t->arena, n > 0 ? n : 0);
    return poly_name(t->arena, clamped_name(t, p));
}

const Ty *size_clamped(Terms *t, const Ty *length)
{
    return size_of_poly(t, clamped(t, size_poly(t, length)));
}

const Poly *size_clamped_of(const Terms *t, Sym name) { return table_get(t->clamped, name); }

// A name that stands for p // by.
static Sym quotient_name(Terms *t, Poly p, int64_t by)
{
    Buf b = buf_new(t->arena);
    buf_puts(&b, "((");
    size_print(&b, p);
    buf_printf(&b, ")//%lld)", (long long)by);
    Sym name = names_get(t->names, buf_text(&b));
    Quotient *q = ARENA_NEW(t->arena, Quotient);
    *q = (Quotient){p, by};
    table_set(t->quotients, name, q);
    return name;
}

// What is a multiple of `by` is divided: the rest has factors from 0 to by - 1.
static Poly quotient(Terms *t, Poly p, int64_t by)
{
    Poly whole = {NULL, 0}, rest = whole;
    int64_t n;
    for (size_t i = 0; i < p.len; i++) {
        Mono m = p.at[i], part = m;
        part.factor = m.factor / by - (m.factor % by < 0);
        m.factor -= part.factor * by;
        whole = part.factor == 0 ? whole : poly_add(t->arena, whole, (Poly){&part, 1});
        rest = m.factor == 0 ? rest : poly_add(t->arena, rest, (Poly){&m, 1});
    }
    return poly_is_number(rest, &n) ? whole
           : poly_add(t->arena, whole, poly_name(t->arena, quotient_name(t, rest, by)));
}

const Ty *size_quotient(Terms *t, const Ty *size, int64_t by)
{
    return size_of_poly(t, quotient(t, size_poly(t, size), by));
}

const Poly *size_quotient_of(const Terms *t, Sym name, int64_t *by)
{
    const Quotient *q = table_get(t->quotients, name);
    *by = q == NULL ? 1 : q->by;
    return q == NULL ? NULL : &q->of;
}

Poly size_unquotient(Terms *t, Poly x, bool above)
{
    Arena *a = t->arena;
    Poly sum = {NULL, 0};
    for (size_t i = 0; i < x.len; i++) {
        int64_t by, factor = x.at[i].factor;
        const Poly *of = x.at[i].names.len == 1 ? size_quotient_of(t, x.at[i].names.at[0], &by)
                                                : NULL;
        Poly one = {x.at + i, 1};
        if (of != NULL && factor % by == 0)
            one = poly_mul(a, poly_number(a, factor / by), (factor > 0) == above ? *of
                           : poly_sub(a, *of, poly_number(a, by - 1)));
        sum = poly_add(a, sum, one);
    }
    return sum;
}

const Ty *size_rounds(Terms *t, const Ty *size)
{
    const Poly *of = size->kind == TY_TYPE_VAR ? size_clamped_of(t, size->type_var.name) : NULL;
    return of == NULL ? size : size_of_poly(t, *of);
}

// max(p, 0): p.
static bool is_clamp(Terms *t, const Expr *e, Poly *p)
{
    Sym function = term_function(e);
    return function != NULL && sym_is(function, "maximum") && term_is_closed(t, e) &&
           e->call.args.len == 2 && term_is_int(e->call.args.at[1], 0) &&
           term_poly(t, e->call.args.at[0], p);
}

// The polynomial of a scalar of int built of numbers, names and `+ - *`, and of max(.., 0) and
// `.. // 2` of one that no round changes.
bool term_poly(Terms *t, const Expr *e, Poly *p)
{
    Arena *a = t->arena;
    Poly x, y;
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_INT)
        return *p = poly_number(a, strtoll(e->constant.value->text.at, NULL, 10)), true;
    if (e->kind == EXPR_NAME && term_rank(e) == 0 && term_elem(e) == ELEM_INT)
        return *p = poly_name(a, e->name.id), true;
    if (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB &&
        term_poly(t, e->unary_op.operand, &x))
        return *p = poly_sub(a, (Poly){NULL, 0}, x), true;
    if (is_clamp(t, e, &x))
        return *p = clamped(t, x), true;
    if (e->kind != EXPR_BIN_OP || !term_poly(t, e->bin_op.left, &x) ||
        !term_poly(t, e->bin_op.right, &y))
        return false;
    int64_t by;
    if (e->bin_op.op == OPERATOR_FLOOR_DIV && poly_is_number(y, &by) && by > 0 &&
        term_is_closed(t, e))
        return *p = quotient(t, x, by), true;
    if (e->bin_op.op != OPERATOR_ADD && e->bin_op.op != OPERATOR_SUB &&
        e->bin_op.op != OPERATOR_MULT)
        return false;
    *p = e->bin_op.op == OPERATOR_ADD   ? poly_add(a, x, y)
         : e->bin_op.op == OPERATOR_SUB ? poly_sub(a, x, y)
                                        : poly_mul(a, x, y);
    return true;
}

const Ty *size_of_term(Terms *t, const Expr *e)
{
    Poly p;
    if (!term_is_closed(t, e) || term_rank(e) > 0 || !term_poly(t, e, &p))
        return NULL;
    return size_of_poly(t, p);
}

static const Expr *poly_expr(Terms *t, Poly p, bool text);

static const Expr *name_term(Terms *t, Sym name, bool text)
{
    int64_t by;
    const Poly *of = size_clamped_of(t, name), *divided = size_quotient_of(t, name, &by);
    const Ty *ty = term_ty(t, ELEM_INT, (TyList){NULL, 0});
    if (divided != NULL)
        return term_binary(t, OPERATOR_FLOOR_DIV, poly_expr(t, *divided, text), term_int(t, by));
    if (of == NULL)
        return term_name(t, name, ty);
    ExprList args = term_list(t, term_of_poly(t, *of), term_int(t, 0));
    if (!text)
        return term_call(t, names_get(t->names, "maximum"), ELEM_INT, args);
    const Span nowhere = {0, 0};
    const Expr *max = expr_name(t->arena, nowhere, names_get(t->names, "max"),
                                EXPR_CONTEXT_LOAD);
    return expr_with_ty(t->arena, expr_call(t->arena, nowhere, max, args, (KeywordList){NULL, 0}),
                        ty, (SymList){NULL, 0});
}

// A monomial without its sign.
static const Expr *mono_term(Terms *t, Mono m, bool text)
{
    int64_t factor = m.factor < 0 ? -m.factor : m.factor;
    const Expr *product = factor == 1 && m.names.len > 0 ? NULL : term_int(t, factor);
    for (size_t i = 0; i < m.names.len; i++) {
        const Expr *name = name_term(t, m.names.at[i], text);
        product = product == NULL ? name : term_binary(t, OPERATOR_MULT, product, name);
    }
    return product;
}

// `n - k + 1`: the first that is not negative leads.
static const Expr *poly_expr(Terms *t, Poly p, bool text)
{
    size_t first = 0;
    while (first < p.len && p.at[first].factor < 0)
        first++;
    const Expr *sum = first < p.len ? mono_term(t, p.at[first], text) : term_int(t, 0);
    for (size_t i = 0; i < p.len; i++)
        if (i != first)
            sum = term_binary(t, p.at[i].factor < 0 ? OPERATOR_SUB : OPERATOR_ADD, sum,
                              mono_term(t, p.at[i], text));
    return sum;
}

const Expr *term_of_poly(Terms *t, Poly p) { return poly_expr(t, p, false); }

const Expr *term_of_size(Terms *t, const Ty *size) { return term_of_poly(t, size_poly(t, size)); }

const Expr *size_shown(Terms *t, const Ty *size) { return poly_expr(t, size_poly(t, size), true); }

static void print_mono(Buf *b, Mono m)
{
    int64_t factor = m.factor < 0 ? -m.factor : m.factor;
    if (factor != 1 || m.names.len == 0)
        buf_printf(b, m.names.len > 0 ? "%lld*" : "%lld", (long long)factor);
    for (size_t i = 0; i < m.names.len; i++)
        buf_printf(b, i > 0 ? "*%s" : "%s", m.names.at[i]);
}

void size_print(Buf *b, Poly p)
{
    size_t first = 0;
    while (first < p.len && p.at[first].factor < 0)
        first++;
    if (first < p.len)
        print_mono(b, p.at[first]);
    else
        buf_puts(b, "0");
    for (size_t i = 0; i < p.len; i++)
        if (i != first) {
            buf_puts(b, p.at[i].factor < 0 ? " - " : " + ");
            print_mono(b, p.at[i]);
        }
}

// ---- types ----

const Ty *term_ty(Terms *t, Elem elem, TyList shape)
{
    const Ty **args = ARENA_ARRAY(t->arena, const Ty *, shape.len + 1);
    args[0] = t->elems[elem];
    for (size_t i = 0; i < shape.len; i++)
        args[i + 1] = shape.at[i];
    return make_ty(t, ty_named(t->arena, t->array, (TyList){args, shape.len + 1}));
}

Elem ty_elem(const Ty *ty)
{
    const char *name = ty->named.args.at[0]->named.name;
    return name[0] == 'f' ? ELEM_FLOAT : name[0] == 'i' ? ELEM_INT : ELEM_BOOL;
}

TyList ty_shape(const Ty *ty) { return shape_drop(ty->named.args, 1); }

TyList shape_drop(TyList shape, size_t n) { return (TyList){shape.at + n, shape.len - n}; }

TyList shape_join(Terms *t, TyList x, TyList y)
{
    const Ty **at = ARENA_ARRAY(t->arena, const Ty *, x.len + y.len + 1);
    for (size_t i = 0; i < x.len + y.len; i++)
        at[i] = i < x.len ? x.at[i] : y.at[i - x.len];
    return (TyList){at, x.len + y.len};
}

TyList shape_cons(Terms *t, const Ty *size, TyList shape)
{
    return shape_join(t, (TyList){&size, 1}, shape);
}

bool shape_equal(TyList x, TyList y)
{
    return x.len == y.len && (x.len == 0 || memcmp(x.at, y.at, x.len * sizeof *x.at) == 0);
}

// ---- leaves ----

#define NOWHERE ((Span){0, 0})
static const TyList SCALAR = {NULL, 0};

const Expr *term_int(Terms *t, int64_t number)
{
    char text[24];
    int len = snprintf(text, sizeof text, "%lld", (long long)number);
    Text copy = {arena_strndup(t->arena, text, (size_t)len), (size_t)len};
    return term_make(t, expr_constant(t->arena, NOWHERE, const_int(t->arena, copy), NULL),
                     term_ty(t, ELEM_INT, SCALAR));
}

const Expr *term_float(Terms *t, double number)
{
    return term_make(t, expr_constant(t->arena, NOWHERE, const_float(t->arena, number), NULL),
                     term_ty(t, ELEM_FLOAT, SCALAR));
}

const Expr *term_bool(Terms *t, bool truth)
{
    return term_make(t, expr_constant(t->arena, NOWHERE, const_bool(t->arena, truth), NULL),
                     term_ty(t, ELEM_BOOL, SCALAR));
}

const Expr *term_name(Terms *t, Sym name, const Ty *ty)
{
    return term_make(t, expr_name(t->arena, NOWHERE, name, EXPR_CONTEXT_LOAD), ty);
}

const Expr *term_state(Terms *t, const Ty *ty)
{
    return term_name(t, names_format(t->names, "%%v%u", ++t->variables), ty);
}

const Expr *term_variable(Terms *t) { return term_state(t, term_ty(t, ELEM_INT, SCALAR)); }

// ---- elementwise ----

const Expr *term_binary(Terms *t, Operator op, const Expr *x, const Expr *y)
{
    bool whole = term_elem(x) != ELEM_FLOAT && term_elem(y) != ELEM_FLOAT && op != OPERATOR_DIV;
    bool test = op == OPERATOR_BIT_AND || op == OPERATOR_BIT_OR;
    Elem elem = test ? ELEM_BOOL : whole ? ELEM_INT : ELEM_FLOAT;
    return term_make(t, expr_bin_op(t->arena, NOWHERE, x, op, y),
                     term_ty(t, elem, term_shape(x)));
}

const Expr *term_negate(Terms *t, const Expr *x)
{
    return term_make(t, expr_unary_op(t->arena, NOWHERE, UNARYOP_U_SUB, x), x->ty);
}

const Expr *term_not(Terms *t, const Expr *x)
{
    if (term_rank(x) > 0)
        return term_call1(t, "logical_not", ELEM_BOOL, x);
    if (x->kind == EXPR_CONSTANT)
        return term_bool(t, !x->constant.value->truth);
    return term_make(t, expr_unary_op(t->arena, NOWHERE, UNARYOP_NOT, x), x->ty);
}

const Expr *term_compare(Terms *t, Cmpop op, const Expr *x, const Expr *y)
{
    Cmpop *ops = ARENA_NEW(t->arena, Cmpop);
    const Expr **others = ARENA_NEW(t->arena, const Expr *);
    *ops = op;
    *others = y;
    return term_make(t, expr_compare(t->arena, NOWHERE, x, (CmpopList){ops, 1},
                                     (ExprList){others, 1}),
                     term_ty(t, ELEM_BOOL, term_shape(x)));
}

static const Expr *call_of(Terms *t, Sym function, ExprList args, const Ty *ty)
{
    const Expr *f = term_make(t, expr_attribute(t->arena, NOWHERE, t->np, function,
                                                EXPR_CONTEXT_LOAD), NULL);
    return term_make(t, expr_call(t->arena, NOWHERE, f, args, (KeywordList){NULL, 0}), ty);
}

const Expr *term_call(Terms *t, Sym function, Elem elem, ExprList args)
{
    return call_of(t, function, args, term_ty(t, elem, term_shape(args.at[0])));
}

const Expr *term_call1(Terms *t, const char *function, Elem elem, const Expr *x)
{
    return term_call(t, names_get(t->names, function), elem, term_list(t, x, NULL));
}

const Expr *term_iota(Terms *t, const Ty *size)
{
    return call_of(t, names_get(t->names, "arange"), term_list(t, term_of_size(t, size), NULL),
                   term_ty(t, ELEM_INT, (TyList){&size, 1}));
}

const Expr *term_where(Terms *t, const Expr *test, const Expr *x, const Expr *y)
{
    return term_make(t, expr_where(t->arena, NOWHERE, test, x, y), x->ty);
}

// ---- lists ----

ExprList term_list(Terms *t, const Expr *first, const Expr *second)
{
    const Expr **at = ARENA_ARRAY(t->arena, const Expr *, 2);
    at[0] = first;
    at[1] = second;
    return (ExprList){at, second == NULL ? 1 : 2};
}

ExprList term_join(Terms *t, ExprList x, ExprList y)
{
    const Expr **at = ARENA_ARRAY(t->arena, const Expr *, x.len + y.len + 1);
    for (size_t i = 0; i < x.len + y.len; i++)
        at[i] = i < x.len ? x.at[i] : y.at[i - x.len];
    return (ExprList){at, x.len + y.len};
}

ExprList term_drop(ExprList x, size_t n) { return (ExprList){x.at + n, x.len - n}; }

static ExprList sizes_as_terms(Terms *t, TyList shape)
{
    const Expr **at = ARENA_ARRAY(t->arena, const Expr *, shape.len + 1);
    for (size_t i = 0; i < shape.len; i++)
        at[i] = term_of_size(t, shape.at[i]);
    return (ExprList){at, shape.len};
}

// ---- arrays ----

const Expr *term_index(Terms *t, const Expr *x, ExprList place)
{
    if (place.len == 0)
        return x;
    const Expr *tuple = term_make(t, expr_tuple(t->arena, NOWHERE, place, EXPR_CONTEXT_LOAD), NULL);
    return term_make(t, expr_subscript(t->arena, NOWHERE, x, tuple, EXPR_CONTEXT_LOAD),
                     term_ty(t, term_elem(x), shape_drop(term_shape(x), place.len)));
}

const Expr *term_reduce(Terms *t, Reduction op, const Expr *x)
{
    bool place = op == REDUCTION_ARG_MAX || op == REDUCTION_ARG_MIN;
    return term_make(t, expr_reduce(t->arena, NOWHERE, op, x),
                     term_ty(t, place ? ELEM_INT : term_elem(x), shape_drop(term_shape(x), 1)));
}

const Expr *term_argsort(Terms *t, const Expr *x)
{
    return term_make(t, expr_arg_sort(t->arena, NOWHERE, x),
                     term_ty(t, ELEM_INT, term_shape(x)));
}

const Expr *term_replicate(Terms *t, const Ty *size, const Expr *x)
{
    return term_make(t, expr_replicate(t->arena, NOWHERE, term_of_size(t, size), x),
                     term_ty(t, term_elem(x), shape_cons(t, size, term_shape(x))));
}

const Expr *term_transpose(Terms *t, const size_t *axes, size_t n, const Expr *x)
{
    TyList old = term_shape(x);
    const Ty **shape = ARENA_ARRAY(t->arena, const Ty *, old.len + 1);
    const Expr **numbers = ARENA_ARRAY(t->arena, const Expr *, n + 1);
    for (size_t i = 0; i < old.len; i++)
        shape[i] = old.at[i < n ? axes[i] : i];
    for (size_t i = 0; i < n; i++)
        numbers[i] = term_int(t, (int64_t)axes[i]);
    return term_make(t, expr_transpose(t->arena, NOWHERE, (ExprList){numbers, n}, x),
                     term_ty(t, term_elem(x), (TyList){shape, old.len}));
}

const Expr *term_swap(Terms *t, const Expr *x)
{
    static const size_t axes[] = {1, 0};
    return term_transpose(t, axes, 2, x);
}

const Expr *term_reshape(Terms *t, TyList shape, const Expr *x)
{
    return term_make(t, expr_reshape(t->arena, NOWHERE, sizes_as_terms(t, shape), x),
                     term_ty(t, term_elem(x), shape));
}

const Expr *term_stack(Terms *t, ExprList parts)
{
    const Ty *size = size_number(t, (int64_t)parts.len);
    return term_make(t, expr_stack(t->arena, NOWHERE, parts),
                     term_ty(t, term_elem(parts.at[0]),
                             shape_cons(t, size, term_shape(parts.at[0]))));
}

const Expr *term_one_hot(Terms *t, TyList shape, ExprList place, const Expr *value)
{
    return term_make(t, expr_one_hot(t->arena, NOWHERE, sizes_as_terms(t, shape), place, value),
                     term_ty(t, term_elem(value), shape));
}

const Expr *term_put_at(Terms *t, const Expr *x, ExprList places, const Expr *value,
                        const Expr *test, bool adds)
{
    const Expr **axes = ARENA_ARRAY(t->arena, const Expr *, places.len + 1);
    const Expr **place = ARENA_ARRAY(t->arena, const Expr *, places.len + 1);
    size_t n = 0;
    for (size_t q = 0; q < places.len; q++) {
        if (places.at[q] == NULL)
            continue;
        axes[n] = term_int(t, (int64_t)q);
        place[n++] = places.at[q];
    }
    return term_make(t, expr_put_at(t->arena, NOWHERE, x, (ExprList){axes, n},
                                    (ExprList){place, n}, value, test, adds), x->ty);
}

const Expr *term_fill(Terms *t, TyList shape, const Expr *scalar)
{
    for (size_t i = shape.len; i-- > 0;)
        scalar = term_replicate(t, shape.at[i], scalar);
    return scalar;
}

const Expr *term_zero(Terms *t, const Ty *ty)
{
    Elem elem = ty_elem(ty);
    return term_fill(t, ty_shape(ty), elem == ELEM_FLOAT ? term_float(t, 0.0)
                                      : elem == ELEM_INT ? term_int(t, 0)
                                                         : term_bool(t, false));
}

const Expr *term_spread(Terms *t, const Expr *x, TyList shape)
{
    size_t *axes = ARENA_ARRAY(t->arena, size_t, shape.len + 1);
    axes[0] = shape.len;
    for (size_t i = 0; i < shape.len; i++)
        axes[i + 1] = i;
    const Expr *filled = term_fill(t, shape, x);
    return shape.len == 0 ? x : term_transpose(t, axes, shape.len + 1, filled);
}

// ---- binders ----

const Expr *term_build(Terms *t, const Expr *index, const Ty *size, const Expr *body)
{
    ExprList indices = term_list(t, index, NULL), bodies = term_list(t, body, NULL);
    SymList bound = term_close(t, indices, (ExprList){NULL, 0}, &bodies);
    return term_make(t, expr_build(t->arena, NOWHERE, bound.at[0], term_of_size(t, size),
                                   bodies.at[0]),
                     term_ty(t, term_elem(body), shape_cons(t, size, term_shape(body))));
}

const Expr *term_gather(Terms *t, TyList shape, const Expr *x, ExprList indices, ExprList place)
{
    SymList bound = term_close(t, indices, (ExprList){NULL, 0}, &place);
    return term_make(t, expr_gather(t->arena, NOWHERE, sizes_as_terms(t, shape), x, bound, place),
                     term_ty(t, term_elem(x), shape));
}

const Expr *term_scatter(Terms *t, TyList shape, const Expr *x, ExprList indices, ExprList place)
{
    SymList bound = term_close(t, indices, (ExprList){NULL, 0}, &place);
    return term_make(t, expr_scatter(t->arena, NOWHERE, sizes_as_terms(t, shape), x, bound, place),
                     term_ty(t, term_elem(x), shape));
}

const Expr *term_loop(Terms *t, const TermLoop *l, size_t which)
{
    ExprList indices = term_join(t, term_list(t, l->index, NULL), l->states);
    ExprList bodies = term_join(t, l->next, l->records);
    const Ty *ty = bodies.at[which]->ty;
    if (which >= l->next.len)
        ty = term_ty(t, ty_elem(ty), shape_cons(t, l->size, ty_shape(ty)));
    SymList bound = term_close(t, indices, l->before, &bodies);
    return term_make(t, expr_loop(t->arena, NOWHERE, term_of_size(t, l->size), l->down, bound,
                                  l->before, bodies, (int64_t)which), ty);
}

const Expr *term_loop_result(Terms *t, const Expr *e, size_t which)
{
    const Ty *ty = e->loop.bodies.at[which]->ty;
    if (which >= e->loop.before.len)
        ty = term_ty(t, ty_elem(ty), shape_cons(t, size_of_term(t, e->loop.size), ty_shape(ty)));
    return term_make(t, expr_loop(t->arena, NOWHERE, e->loop.size, e->loop.down, e->loop.indices,
                                  e->loop.before, e->loop.bodies, (int64_t)which), ty);
}

const Expr *term_final(Terms *t, const TermLoop *l, size_t state)
{
    TermLoop plain = *l;
    plain.records = (ExprList){NULL, 0};
    return term_loop(t, &plain, state);
}

const Expr *term_kept(Terms *t, const TermLoop *l, const Expr *record)
{
    TermLoop plain = *l;
    plain.records = term_list(t, record, NULL);
    return term_loop(t, &plain, l->next.len);
}
