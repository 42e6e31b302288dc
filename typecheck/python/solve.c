// solve.c - type variables of a call: what its arguments, and the place of its result, make them.

#include "typecheck/python/python.h"

PySolver pyt_solver(Py *py, SymList vars) {
    return (PySolver){py, vars, ARENA_ARRAY(py->arena, const Ty *, vars.len + 1),
                      ARENA_ARRAY(py->arena, const Ty *, vars.len + 1), -1,
                      ARENA_ARRAY(py->arena, bool, vars.len + 1)};
}

static int index_of(const PySolver *s, const Ty *t) {
    if (t->kind != TY_TYPE_VAR) return -1;
    for (size_t i = 0; i < s->vars.len; i++)
        if (s->vars.at[i] == t->type_var.name) return (int)i;
    return -1;
}

// Whether a variable's bound takes the literals of `t`, and not any value of their class.
static bool asks_for_literal(const PySolver *s, int i, const Ty *t) {
    const PyTypeVar *v = table_get(s->py->type_vars, s->vars.at[i]);
    return v != NULL && v->bound != NULL && pyt_fits(s->py, t, v->bound) &&
        !pyt_fits(s->py, pyt_erase_literal(s->py, t), v->bound);
}

static void learn(PySolver *s, int i, const Ty *t) {
    Py *py = s->py;
    bool wanted = s->upper[i] != NULL && pyt_fits(py, t, s->upper[i]);
    if (!wanted && !asks_for_literal(s, i, t)) t = pyt_erase_literal(py, t);
    bool says_nothing = py->notes != NULL && type_unknown(t);
    if (says_nothing && s->found[i] != NULL) return;
    s->found[i] = s->found[i] == NULL || s->weak[i] ? t : pyt_join(py, s->found[i], t);
    s->weak[i] = says_nothing;
}

// What a function takes is the most that a variable may be, not the least: another argument that
// decides it counts more.
static void learn_taken(PySolver *s, const Ty *param, const Ty *taken) {
    bool *before = ARENA_ARRAY(s->py->arena, bool, s->vars.len + 1);
    for (size_t i = 0; i < s->vars.len; i++) before[i] = s->found[i] != NULL;
    pyt_solve(s, param, taken);
    for (size_t i = 0; i < s->vars.len; i++) s->weak[i] |= s->found[i] != NULL && !before[i];
}

// `T | None` given `int | None`: what no other alternative takes is T's.
static void solve_union(PySolver *s, TyList items, const Ty *actual) {
    Vec(const Ty *) rest = {0};
    TyList has = pyt_items(&actual);
    for (size_t i = 0; i < has.len; i++) {
        bool taken = false;
        for (size_t j = 0; j < items.len && !taken; j++)
            taken = !pyt_has_vars(items.at[j], s->vars) && pyt_fits(s->py, has.at[i],
                                                                                 items.at[j]) &&
                !type_unknown(has.at[i]);
        if (!taken) vec_push(s->py->arena, &rest, has.at[i]);
    }
    if (rest.len == 0) return;
    const Ty *left = pyt_union_all(s->py, (TyList){rest.at, rest.len});
    size_t plain = items.len;
    for (size_t j = 0; j < items.len; j++) {
        if (index_of(s, items.at[j]) >= 0) plain = j;
        else if (pyt_has_vars(items.at[j], s->vars)) pyt_solve(s, items.at[j], left);
    }
    if (plain < items.len) pyt_solve(s, items.at[plain], left);
}

static void solve_sigs(PySolver *s, const Ty *param, const PySig *actual) {
    TyList params = param->callable.params;
    size_t next = 0;
    for (size_t i = 0; i < params.len && !pyt_any_params(param); i++) {
        while (next < actual->params.len && actual->params.at[next].kind == PYPARAM_KEYWORD) next++;
        if (next >= actual->params.len || actual->any_args) break;
        const PyParam *q = &actual->params.at[next];
        int v = index_of(s, params.at[i]);
        bool known = v >= 0 && s->found[v] != NULL;
        if (!known && !pyt_has_vars(q->type, actual->own) && !type_unknown(q->type))
            learn_taken(s, params.at[i], q->type);
        if (q->kind != PYPARAM_REST) next++;
    }
    if (param->callable.result == NULL) return;
    const Ty *result = actual->result;
    if (pyt_has_vars(result, actual->own)) {         // a generic function: as far as we know it
        PySolver inner = pyt_solver(s->py, actual->own);
        size_t known = pyt_any_params(param) ? 0 : params.len;
        for (size_t i = 0; i < known && i < actual->params.len; i++)
            pyt_solve(&inner, actual->params.at[i].type, pyt_solved(s, params.at[i], s->py->any));
        result = pyt_solved(&inner, result, s->py->any);
    }
    pyt_solve(s, param->callable.result, result);
}

static bool takes(const PySig *s, const Ty *param) {
    size_t most = 0, least = 0;
    if (s->any_args || pyt_any_params(param)) return true;
    for (size_t i = 0; i < s->params.len; i++) {
        const PyParam *q = &s->params.at[i];
        if (q->kind == PYPARAM_REST) most = (size_t)-1 / 2;
        bool positional = q->kind == PYPARAM_POSITIONAL || q->kind == PYPARAM_PLAIN;
        most += positional;
        least += !q->optional && q->kind != PYPARAM_REST && q->kind != PYPARAM_KEYWORDS;
    }
    return param->callable.params.len >= least && param->callable.params.len <= most;
}

// As the arguments that are known by now choose.
static bool solve_called(PySolver *s, const Ty *param, const Ty *actual) {
    Py *py = s->py;
    TyList params = param->callable.params;
    if (py->notes == NULL || pyt_any_params(param) || !pyt_is_open_function(py, actual))
        return false;
    const Ty **given = ARENA_ARRAY(py->arena, const Ty *, params.len + 1);
    for (size_t i = 0; i < params.len; i++) {
        given[i] = pyt_solved(s, params.at[i], NULL);
        if (pyt_has_vars(given[i], s->vars)) return false;
    }
    const Ty *result = pyt_result_for(py, actual, (TyList){given, params.len});
    if (result == NULL || param->callable.result == NULL) return false;
    pyt_solve(s, param->callable.result, result);
    return true;
}

static void solve_callable(PySolver *s, const Ty *param, const Ty *actual) {
    Py *py = s->py;
    if (solve_called(s, param, actual)) return;
    if (actual->kind == TY_NAMED && type_is(actual, "type") && actual->named.args.len == 1 &&
        actual->named.args.at[0]->kind == TY_NAMED) {
        PyClass *c = pyt_class(py, actual->named.args.at[0]->named.name);
        if (c == NULL) return;
        PySigs sigs = pyt_constructor(py, c, actual->named.args.at[0]);
        for (size_t i = 0; i < sigs.len; i++)
            if (takes(sigs.at[i], param)) {
                solve_sigs(s, param, sigs.at[i]);
                return;
            }
        return;
    }
    if (actual->kind == TY_NAMED) {
        const Ty *call = pyt_member(py, actual, names_get(py->names, "__call__"));
        if (call == NULL || call->kind != TY_CALLABLE) return;
        actual = call;
    }
    if (actual->kind != TY_CALLABLE) return;
    const PySigs *sigs = pyt_sigs_of(py, actual);
    if (sigs == NULL) {
        solve_sigs(s, param, pyt_sig_of_callable(py, actual));
        return;
    }
    for (size_t i = 0; i < sigs->len; i++)
        if (takes(sigs->at[i], param)) {
            solve_sigs(s, param, sigs->at[i]);
            return;
        }
}

static const Ty *sig_as_callable(Py *py, const Ty *t) {
    const PySigs *sigs = pyt_sigs_of(py, t);
    if (sigs == NULL || sigs->len != 1) return t;
    Vec(const Ty *) params = {0};
    for (size_t i = 0; i < sigs->at[0]->params.len; i++)
        vec_push(py->arena, &params, sigs->at[0]->params.at[i].type);
    return ty_callable(py->arena, (TyList){params.at, params.len}, sigs->at[0]->result);
}

// Is the same asked further out? Members of many a protocol give the protocol itself again.
static bool is_asked(Py *py, const Ty *param, const Ty *actual) {
    for (int i = 0; i < py->protocol; i++) {
        const Ty *to = py->protocol_to[i];
        bool same = to->kind == TY_NAMED && param->kind == TY_NAMED &&
            to->named.name == param->named.name;
        if (same && pyt_same(py, py->protocol_from[i], actual)) return true;
    }
    return false;
}

static void solve_protocol(PySolver *s, const Ty *param, const Ty *actual, PyClass *c) {
    Py *py = s->py;
    if (py->protocol >= 30 || is_asked(py, param, actual)) return;
    py->protocol_from[py->protocol] = actual;
    py->protocol_to[py->protocol++] = param;
    for (size_t i = 0; i < c->env->order.len; i++) {
        Sym name = c->env->order.at[i];
        const Ty *wants = pyt_member(py, param, name), *has = pyt_member(py, actual, name);
        if (wants == NULL || has == NULL) continue;
        if (wants->kind == TY_CALLABLE) wants = sig_as_callable(py, wants);
        pyt_solve(s, wants, has);
    }
    for (size_t i = 0; i < c->bases.len; i++) {
        const Ty *base = pyt_bind_class(py, c->bases.at[i], c, param);
        PyClass *b = base->kind == TY_NAMED ? pyt_class(py, base->named.name) : NULL;
        if (b == NULL || sym_is(b->name, "object")) continue;
        pyt_class_ready(b);
        if (b->is_protocol) solve_protocol(s, base, actual, b);
    }
    py->protocol--;
}

static void solve_named(PySolver *s, const Ty *param, const Ty *actual) {
    Py *py = s->py;
    if (actual->kind == TY_UNION) {
        for (size_t i = 0; i < actual->union_.items.len; i++)
            solve_named(s, param, actual->union_.items.at[i]);
        return;
    }
    if (actual->kind == TY_TYPE_VAR) {
        PyTypeVar *v = table_get(py->type_vars, actual->type_var.name);
        if (v != NULL && v->bound != NULL) solve_named(s, param, v->bound);
        return;
    }
    PyClass *c = pyt_class(py, param->named.name);
    if (c == NULL) return;
    pyt_class_ready(c);
    const Ty *base = pyt_as(py, actual, c);
    if (base == NULL) {
        if (type_is(param, "type") && type_unknown(actual)) return;
        if (c->is_protocol) solve_protocol(s, param, actual, c);
        return;
    }
    for (size_t i = 0; i < base->named.args.len && i < param->named.args.len; i++)
        pyt_solve(s, param->named.args.at[i], base->named.args.at[i]);
}

void pyt_solve(PySolver *s, const Ty *param, const Ty *actual) {
    Py *py = s->py;
    if (actual == NULL || !pyt_has_vars(param, s->vars) || s->vars.len == 0) return;
    int i = index_of(s, param);
    if (i >= 0) {
        learn(s, i, actual);
        return;
    }
    if (type_unknown(actual)) {             // what depends on it is not known either
        for (size_t j = 0; j < s->vars.len; j++)
            if (s->found[j] == NULL && pyt_has_vars(param, (SymList){&s->vars.at[j], 1}))
                s->found[j] = py->any;
        return;
    }
    if (py->depth > 60) return;
    py->depth++;
    if (param->kind == TY_UNION) solve_union(s, param->union_.items, actual);
    else if (param->kind == TY_CALLABLE) solve_callable(s, param, actual);
    else if (param->kind == TY_NAMED) solve_named(s, param, actual);
    else if (param->kind == TY_TUPLE && actual->kind == TY_TUPLE)
        for (size_t j = 0; j < param->tuple.items.len && j < actual->tuple.items.len; j++)
            pyt_solve(s, param->tuple.items.at[j], actual->tuple.items.at[j]);
    py->depth--;
}

static void solve_result(PySolver *s, const Ty *result, const Ty *expected) {
    Py *py = s->py;
    if (expected == NULL || type_unknown(expected) || !pyt_has_vars(result, s->vars)) return;
    int i = index_of(s, result);
    if (i >= 0) {
        if (s->upper[i] == NULL) s->upper[i] = expected;
        return;
    }
    if (expected->kind == TY_UNION && result->kind != TY_UNION) {
        for (size_t j = 0; j < expected->union_.items.len; j++)
            solve_result(s, result, expected->union_.items.at[j]);
        return;
    }
    if (result->kind == TY_TUPLE && expected->kind == TY_TUPLE) {
        for (size_t j = 0; j < result->tuple.items.len && j < expected->tuple.items.len; j++)
            solve_result(s, result->tuple.items.at[j], expected->tuple.items.at[j]);
        return;
    }
    if (result->kind != TY_NAMED || expected->kind != TY_NAMED) return;
    PyClass *c = pyt_class(py, expected->named.name);
    const Ty *base = c != NULL ? pyt_as(py, result, c) : NULL;
    for (size_t j = 0; base != NULL && j < base->named.args.len && j < expected->named.args.len;
         j++)
        solve_result(s, base->named.args.at[j], expected->named.args.at[j]);
}

// What a builtin asks of its argument, as `math.floor` does: a method, whatever the type is.
static bool asks_for_method(Py *py, const Ty *t) {
    TyList items = pyt_items(&t);
    for (size_t i = 0; i < items.len; i++) {
        PyClass *c = items.at[i]->kind == TY_NAMED ? pyt_class_of(py, items.at[i]) : NULL;
        if (c == NULL || !c->module->stub || items.at[i]->named.args.len > 0) continue;
        pyt_class_ready(c);
        if (c->is_protocol) return true;
    }
    return false;
}

// What the context wants of the result, as far as it decides a variable. A result that is a
// variable may be of less than what is wanted: `print(max(xs, key=lambda x: x.size))`; where an
// Optional is wanted, `first([1], 2)` gives an int.
void pyt_solve_result(PySolver *s, const Ty *result, const Ty *expected) {
    s->whole = index_of(s, result);
    if (s->whole >= 0 && expected != NULL && expected->kind == TY_UNION)
        expected = pyt_without_none(s->py, expected);
    bool vague = s->whole >= 0 && expected != NULL &&
        (type_is(expected, "object") || (s->py->notes != NULL && asks_for_method(s->py, expected)));
    if (!vague)
        solve_result(s, result, expected);
}

static const Ty *constrained(Py *py, const PyTypeVar *v, const Ty *t) {
    for (size_t i = 0; v != NULL && i < v->constraints.len; i++)
        if (pyt_fits(py, t, v->constraints.at[i])) return v->constraints.at[i];
    return t;
}

static const Ty *solution(PySolver *s, size_t i, const Ty *unsolved) {
    Py *py = s->py;
    PyTypeVar *v = table_get(py->type_vars, s->vars.at[i]);
    const Ty *found = s->found[i], *upper = s->upper[i];
    if ((int)i == s->whole && found != NULL) upper = NULL;
    if (upper != NULL && found != NULL && !pyt_fits(py, found, upper)) upper = NULL;
    if (upper != NULL && v != NULL && v->bound != NULL && !pyt_fits(py, upper, v->bound))
        upper = NULL;
    const Ty *t = upper != NULL ? upper : found != NULL ? found : unsolved;
    return t != NULL && !type_unknown(t) ? constrained(py, v, t) : t;
}

// `t` with what is known of the variables; those that nothing is known of become `unsolved`.
const Ty *pyt_solved(PySolver *s, const Ty *t, const Ty *unsolved) {
    if (s->vars.len == 0) return t;
    const Ty **by = ARENA_ARRAY(s->py->arena, const Ty *, s->vars.len);
    for (size_t i = 0; i < s->vars.len; i++) {
        by[i] = solution(s, i, unsolved);
        if (by[i] == NULL) by[i] = ty_type_var(s->py->arena, s->vars.at[i]);
    }
    return pyt_substitute(s->py, t, s->vars, (TyList){by, s->vars.len});
}
