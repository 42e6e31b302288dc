// k_array.c - arrays of numbers: pointers. What works on them (compiler/pass/ad/nest.h) has proved
// or tested that a place is in range, its ints are places that memory bounds, and its floats are
// numpy's: nothing raises, what has no value is no number.

#include <stdlib.h>

#include "compiler/emit/kernel/k_internal.h"

typedef struct NpRow { const char *name; size_t args; const char *of_floats, *of_ints; } NpRow;

// Functions of np: of floats, and of ints (NULL: as floats).
static const NpRow ROWS[] = {
    {"exp", 1, "np_exp", NULL},      {"exp2", 1, "exp2", NULL},     {"expm1", 1, "np_expm1", NULL},
    {"log", 1, "np_log", NULL},      {"log2", 1, "log2", NULL},     {"log10", 1, "log10", NULL},
    {"log1p", 1, "np_log1p", NULL},  {"sqrt", 1, "sqrt", NULL},     {"cbrt", 1, "cbrt", NULL},
    {"sin", 1, "sin", NULL},         {"cos", 1, "cos", NULL},       {"tan", 1, "tan", NULL},
    {"arcsin", 1, "asin", NULL},     {"arccos", 1, "acos", NULL},   {"arctan", 1, "atan", NULL},
    {"arctan2", 2, "atan2", NULL},   {"sinh", 1, "sinh", NULL},     {"cosh", 1, "cosh", NULL},
    {"tanh", 1, "np_tanh", NULL},    {"arcsinh", 1, "asinh", NULL}, {"arccosh", 1, "acosh", NULL},
    {"arctanh", 1, "atanh", NULL},   {"degrees", 1, "math_degrees", NULL},
    {"radians", 1, "math_radians", NULL}, {"fabs", 1, "fabs", NULL},
    {"copysign", 2, "copysign", NULL},    {"fmod", 2, "fmod", NULL}, {"floor", 1, "floor", NULL},
    {"ceil", 1, "ceil", NULL},       {"trunc", 1, "trunc", NULL},   {"rint", 1, "rint", NULL},
    {"hypot", 2, "hypot", NULL},     {"power", 2, "pow", "np_int_power"},
    {"erf", 1, "erf", NULL},         {"erfc", 1, "erfc", NULL},
    {"lgamma", 1, "np_lgamma", NULL},     {"digamma", 1, "np_digamma", NULL},
    {"polygamma", 2, "np_polygamma", NULL},
    {"maximum", 2, "np_maximum", "int_max"},   {"minimum", 2, "np_minimum", "int_min"},
    {"remainder", 2, "np_remainder", "np_int_remainder"},
    {"floor_divide", 2, "np_floor_divide", "np_int_floor_divide"},
    {"add", 2, NULL, "np_int_add"},  {"subtract", 2, NULL, "np_int_subtract"},
    {"multiply", 2, NULL, "np_int_multiply"},  {"int64", 1, "np_int64", "np_int_same"},
};

bool k_np_call(Kernel *k, const Expr *e, Sym name, KValue *v, KValue *result)
{
    static const char PREFIX[] = "numpy.";
    size_t n = e->call.args.len;
    const KType *real = k_simple(k, K_FLOAT), *whole = k_simple(k, K_INT);
    if (!k->o->arrays || strncmp(name, PREFIX, sizeof PREFIX - 1) != 0)
        return false;
    name += sizeof PREFIX - 1;
    if (sym_is(name, "argsort_into") && n == 5) {
        *result = k_value(k_text(k, "np_argsort(%s, %s, %s, %s, %s)", v[0].text, v[1].text,
                                 v[2].text, v[3].text, v[4].text), KPREC_POSTFIX,
                          k_simple(k, K_NONE));
        return true;
    }
    bool reals = false;
    for (size_t i = 0; i < n; i++)
        reals = reals || v[i].type->kind == K_FLOAT;
    if (sym_is(name, "float64") && n == 1) {
        *result = k_convert(k, v[0], real, e->at);
        return true;
    }
    if (sym_is(name, "logical_not") && n == 1) {
        *result = k_value(k_text(k, "!%s", k_at(k, v[0], KPREC_UNARY)), KPREC_AND,
                          k_simple(k, K_BOOL));
        return true;
    }
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const NpRow *row = &ROWS[i];
        if (!sym_is(name, row->name) || row->args != n)
            continue;
        bool ints = !reals && row->of_ints != NULL;
        const KType *t = ints ? whole : real;
        const char *text = k_text(k, "%s(", ints ? row->of_ints : row->of_floats);
        for (size_t j = 0; j < n; j++)
            text = k_text(k, "%s%s%s", text, j > 0 ? ", " : "",
                          k_convert(k, v[j], t, e->at).text);
        *result = k_value(k_text(k, "%s)", text), KPREC_POSTFIX,
                          sym_is(name, "int64") ? whole : t);
        return true;
    }
    return false;
}

// Operators that do not raise. False: it is none of these.
bool k_np_operator(Kernel *k, const Expr *e, KValue a, KValue b, KValue *result)
{
    static const struct { Operator op; const char *sign; KPrec prec; } SIGNS[] = {
        {OPERATOR_ADD, "+", KPREC_ADD}, {OPERATOR_SUB, "-", KPREC_ADD},
        {OPERATOR_MULT, "*", KPREC_MUL}, {OPERATOR_DIV, "/", KPREC_MUL}};
    bool reals = a.type->kind == K_FLOAT || b.type->kind == K_FLOAT
                 || e->bin_op.op == OPERATOR_DIV;
    const KType *t = k_simple(k, reals ? K_FLOAT : K_INT);
    for (size_t i = 0; k->o->arrays && !k->checked && i < sizeof SIGNS / sizeof *SIGNS; i++) {
        if (SIGNS[i].op != e->bin_op.op)
            continue;
        a = k_convert(k, a, t, e->at);
        b = k_convert(k, b, t, e->at);
        *result = k_value(k_text(k, "%s %s %s", k_at(k, a, SIGNS[i].prec), SIGNS[i].sign,
                                 k_at(k, b, SIGNS[i].prec + 1)), SIGNS[i].prec, t);
        return true;
    }
    return false;
}

// `x = np.empty(count, kind)`: a few numbers lie on the stack.
bool k_new_array(Kernel *k, const Expr *target, const Expr *value)
{
    enum { FEW = 1024 };
    KLocal *l = target->kind == EXPR_NAME ? table_get(k->locals, target->name.id) : NULL;
    if (l == NULL || l->type->kind != K_ARRAY || value->kind != EXPR_CALL)
        return false;
    const Expr *count = value->call.args.at[0];
    const KType *item = l->type->items.at[0];
    l->declared = true;
    k->checked = true;
    const char *many = k_expr(k, count).text;
    k->checked = false;
    if (count->kind == EXPR_CONSTANT && strtoll(count->constant.value->text.at, NULL, 10) <= FEW)
        k_line_out(k, "_Alignas(64) %s%s[%s];", item->c, l->c, many);
    else
        k_line_out(k, "%s%s = array_take(%s, %s, sizeof *%s);", l->type->c, l->c, k_call(k),
                   many, l->c);
    if (!l->read)
        k_line_out(k, "(void)%s;", l->c);
    return true;
}

typedef struct Stores { Kernel *k; Sym name; bool found; } Stores;

// It is handed to a function that stores to it.
static bool is_stored_by_callee(Kernel *k, const Expr *e, Sym name)
{
    const KFunction *f = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
        ? table_get(k->functions, e->call.func->name.id) : NULL;
    for (size_t i = 0; f != NULL && i < e->call.args.len; i++) {
        const Expr *given = e->call.args.at[i];
        if (given->kind == EXPR_NAME && given->name.id == name &&
            !k_is_read_only(k, f, k_param(f, i)))
            return true;
    }
    return false;
}

static bool find_store(void *cx, const Expr *e)
{
    Stores *s = cx;
    s->found |= e->kind == EXPR_SUBSCRIPT && e->subscript.ctx == EXPR_CONTEXT_STORE
                && e->subscript.value->kind == EXPR_NAME
                && e->subscript.value->name.id == s->name;
    s->found |= is_stored_by_callee(s->k, e, s->name);
    return !s->found;
}

// Whether it is an array that the function only reads. Functions over arrays are not recursive.
bool k_is_read_only(Kernel *k, const KFunction *f, const Arg *a)
{
    if (k_type(k, a->ty, a->at)->kind != K_ARRAY)
        return false;
    Stores s = {.k = k, .name = a->arg};
    IrWalker w = {.cx = &s, .expr = find_store};
    ir_walk_stmts(&w, f->def->function_def.body);
    return !s.found;
}
