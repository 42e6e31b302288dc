// size.c - polynomials with integer coefficients, as sorted lists of monomials.

#include "compiler/pass/ad/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef Vec(Mono) Monos;

static int compare_names(SymList x, SymList y)
{
    if (x.len != y.len)
        return x.len > y.len ? -1 : 1;
    for (size_t i = 0; i < x.len; i++) {
        int order = strcmp(x.at[i], y.at[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

Poly poly_number(Arena *a, int64_t number)
{
    if (number == 0)
        return (Poly){NULL, 0};
    Mono *m = ARENA_NEW(a, Mono);
    m->factor = number;
    return (Poly){m, 1};
}

Poly poly_name(Arena *a, Sym name)
{
    Mono *m = ARENA_NEW(a, Mono);
    Sym *at = ARENA_NEW(a, Sym);
    *at = name;
    *m = (Mono){1, {at, 1}};
    return (Poly){m, 1};
}

Poly poly_add(Arena *a, Poly x, Poly y)
{
    Monos sum = {0};
    size_t i = 0, j = 0;
    while (i < x.len || j < y.len) {
        int order = i == x.len ? 1 : j == y.len ? -1 : compare_names(x.at[i].names, y.at[j].names);
        Mono m = order <= 0 ? x.at[i] : y.at[j];
        if (order == 0)
            m.factor = (int64_t)((uint64_t)m.factor + (uint64_t)y.at[j].factor);
        i += order <= 0;
        j += order >= 0;
        if (m.factor != 0)
            vec_push(a, &sum, m);
    }
    return (Poly){sum.at, sum.len};
}

static int by_spelling(const void *x, const void *y)
{
    return strcmp(*(const Sym *)x, *(const Sym *)y);
}

static Mono mono_mul(Arena *a, Mono x, Mono y)
{
    size_t len = x.names.len + y.names.len;
    Sym *at = ARENA_ARRAY(a, Sym, len + 1);
    for (size_t i = 0; i < len; i++)
        at[i] = i < x.names.len ? x.names.at[i] : y.names.at[i - x.names.len];
    qsort(at, len, sizeof *at, by_spelling);
    return (Mono){(int64_t)((uint64_t)x.factor * (uint64_t)y.factor), {at, len}};
}

Poly poly_mul(Arena *a, Poly x, Poly y)
{
    Poly sum = {NULL, 0};
    for (size_t i = 0; i < x.len; i++)
        for (size_t j = 0; j < y.len; j++) {
            Mono m = mono_mul(a, x.at[i], y.at[j]);
            sum = poly_add(a, sum, (Poly){&m, 1});
        }
    return sum;
}

Poly poly_sub(Arena *a, Poly x, Poly y)
{
    return poly_add(a, x, poly_mul(a, poly_number(a, -1), y));
}

bool poly_is_number(Poly x, int64_t *number)
{
    *number = x.len == 0 ? 0 : x.at[0].factor;
    return x.len == 0 || (x.len == 1 && x.at[0].names.len == 0);
}

bool poly_equal(Poly x, Poly y)
{
    if (x.len != y.len)
        return false;
    for (size_t i = 0; i < x.len; i++)
        if (x.at[i].factor != y.at[i].factor || compare_names(x.at[i].names, y.at[i].names) != 0)
            return false;
    return true;
}

Poly poly_with(Arena *a, Poly x, Sym name, Poly value)
{
    Poly sum = {NULL, 0};
    for (size_t i = 0; i < x.len; i++) {
        Poly product = poly_number(a, x.at[i].factor);
        for (size_t k = 0; k < x.at[i].names.len; k++) {
            Sym factor = x.at[i].names.at[k];
            product = poly_mul(a, product, factor == name ? value : poly_name(a, factor));
        }
        sum = poly_add(a, sum, product);
    }
    return sum;
}

bool poly_never_negative(Poly x)
{
    for (size_t i = 0; i < x.len; i++)
        if (x.at[i].factor < 0)
            return false;
    return true;
}

// ---- as types ----

Poly poly_of_ty(Arena *a, const Ty *size)
{
    if (size->kind == TY_LITERAL)
        return poly_number(a, strtoll(size->literal.value->text.at, NULL, 10));
    if (size->kind == TY_TYPE_VAR)
        return poly_name(a, size->type_var.name);
    if (size->kind != TY_NAMED)
        return poly_number(a, 0);
    bool product = sym_is(size->named.name, "*");
    Poly all = poly_number(a, product);
    for (size_t i = 0; i < size->named.args.len; i++) {
        Poly one = poly_of_ty(a, size->named.args.at[i]);
        all = product ? poly_mul(a, all, one) : poly_add(a, all, one);
    }
    return all;
}

static const Ty *ty_number(Arena *a, int64_t number)
{
    char text[24];
    int len = snprintf(text, sizeof text, "%lld", (long long)number);
    return ty_literal(a, const_int(a, (Text){arena_strndup(a, text, (size_t)len), (size_t)len}));
}

static const Ty *mono_ty(Arena *a, Mono m)
{
    Vec(const Ty *) factors = {0};
    if (m.factor != 1 || m.names.len == 0)
        vec_push(a, &factors, ty_number(a, m.factor));
    for (size_t i = 0; i < m.names.len; i++)
        vec_push(a, &factors, ty_type_var(a, m.names.at[i]));
    return factors.len == 1 ? factors.at[0]
                            : ty_named(a, "*", (TyList){factors.at, factors.len});
}

const Ty *poly_ty(Arena *a, Poly x)
{
    const Ty **terms = ARENA_ARRAY(a, const Ty *, x.len + 1);
    for (size_t i = 0; i < x.len; i++)
        terms[i] = mono_ty(a, x.at[i]);
    if (x.len == 0)
        return ty_number(a, 0);
    return x.len == 1 ? terms[0] : ty_named(a, "+", (TyList){terms, x.len});
}

// m without one of the names; false: it does not have it.
static bool without_name(Arena *a, Mono m, Sym name, Mono *left)
{
    Sym *at = ARENA_ARRAY(a, Sym, m.names.len + 1);
    size_t n = 0;
    bool found = false;
    for (size_t i = 0; i < m.names.len; i++)
        if (!found && m.names.at[i] == name)
            found = true;
        else
            at[n++] = m.names.at[i];
    *left = (Mono){m.factor, {at, n}};
    return found;
}

bool poly_quotient(Arena *a, Poly x, Poly by, Poly *quotient)
{
    Mono *at = ARENA_ARRAY(a, Mono, x.len + 1);
    if (by.len != 1)
        return false;
    for (size_t i = 0; i < x.len; i++) {
        Mono m = x.at[i];
        if (m.factor % by.at[0].factor != 0)
            return false;
        for (size_t k = 0; k < by.at[0].names.len; k++)
            if (!without_name(a, m, by.at[0].names.at[k], &m))
                return false;
        at[i] = (Mono){m.factor / by.at[0].factor, m.names};
    }
    *quotient = (Poly){at, x.len};
    return true;
}
