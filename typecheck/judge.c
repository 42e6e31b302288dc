// judge.c - calls and attributes of one role's values inside a choreography, judged as Python's
// typing has them. Of what nothing is known, nothing is said.

#include <string.h>

#include "typecheck/operands.h"
#include "typecheck/python/python.h"

// Types that a choreography can go on with: no part is a stub's own class or a variable.
static bool plain(const Ty *t) {
    if (type_unknown(t)) return false;
    switch (t->kind) {
    case TY_NONE_TYPE: return true;
    case TY_NAMED:
        if (strchr(t->named.name, '.') != NULL || strchr(t->named.name, '\'') != NULL) return false;
        for (size_t i = 0; i < t->named.args.len; i++)
            if (!plain(t->named.args.at[i])) return false;
        return !type_is(t, "type") && !type_is(t, "module") && !type_is(t, "NoReturn");
    case TY_TUPLE:
        for (size_t i = 0; i < t->tuple.items.len; i++)
            if (!plain(t->tuple.items.at[i])) return false;
        return true;
    case TY_UNION:
        for (size_t i = 0; i < t->union_.items.len; i++)
            if (!plain(t->union_.items.at[i])) return false;
        return true;
    case TY_POISON: case TY_ANY: case TY_INST: case TY_CALLABLE: case TY_LITERAL: case TY_PLACED:
    case TY_TYPE_VAR: case TY_COUNT: return false;
    }
    return false;
}

static const Ty *callee_type(Scope *sc, const Expr *callee) {
    Py *py = sc->p->py;
    if (callee->kind == EXPR_NAME) {
        if (scope_find(sc, callee->name.id) != NULL) return NULL;
        Decl *d = program_find(sc->p, callee->name.id);
        if (d != NULL && d->kind != DECL_LOCAL_FUNCTION && d->kind != DECL_LOCAL_CLASS) return NULL;
        PySym *s = pyt_find(py->file->env, callee->name.id);
        return s != NULL ? pyt_symbol_type(s) : NULL;
    }
    if (callee->kind != EXPR_ATTRIBUTE) return NULL;
    const Ty *base = callee->attribute.value->ty;
    return plain(base) ? pyt_member(py, base, callee->attribute.attr) : NULL;
}

static const Ty *already(void *cx, size_t i, const Ty *expected) {
    const Expr *const *args = cx;
    (void)expected;
    return args[i]->ty;
}

const Ty *judge_call(Scope *sc, const Expr *call, const Expr *callee, const Expr **args) {
    Py *py = sc->p->py;
    const Ty *t = sc->p->parse != NULL ? callee_type(sc, callee) : NULL;
    if (t == NULL || type_unknown(t)) return NULL;
    size_t n = call->call.args.len, m = call->call.keywords.len;
    PyArg *list = ARENA_ARRAY(sc->p->arena, PyArg, n + m + 1);
    for (size_t i = 0; i < n + m; i++) {
        bool star = args[i]->kind == EXPR_STARRED;
        Sym keyword = i < n ? NULL : call->call.keywords.at[i - n]->arg;
        list[i] = (PyArg){.at = args[i]->at, .e = star ? args[i]->starred.value : args[i],
                          .keyword = keyword, .star = star, .stars = i >= n && keyword == NULL,
                          .ty = args[i]->ty != NULL ? args[i]->ty : py->any};
    }
    PyCall c = {.at = call->at, .what = expr_text(sc->p, call->call.func), .args = list,
                .len = n + m, .cx = (void *)args, .infer = already};
    size_t before = diags_error_count(sc->p->diags);
    const Ty *result = pyt_call(py, t, &c);
    if (diags_error_count(sc->p->diags) > before) {
        sc->fn->failed = true;
        return py->poison;
    }
    result = pyt_erase_literal(py, result);
    return plain(result) ? result : NULL;
}

// The type of `base.attr`; NULL: nothing is known. Reports an attribute that is surely not there.
const Ty *judge_attribute(Scope *sc, const Expr *e, const Expr *base) {
    Py *py = sc->p->py;
    if (sc->p->parse == NULL || !plain(base->ty)) return NULL;
    size_t before = diags_error_count(sc->p->diags);
    const Ty *t = pyt_attribute_at(py, base->ty, e->attribute.attr, e->at,
                                   expr_text(sc->p, base));
    if (diags_error_count(sc->p->diags) > before) {
        sc->fn->failed = true;
        return py->poison;
    }
    t = pyt_erase_literal(py, t);
    return plain(t) ? t : NULL;
}
