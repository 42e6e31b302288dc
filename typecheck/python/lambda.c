// lambda.c - functions without a name: what their parameters are, and how they may be called.
//
// Where a function is wanted, its type says what the parameters are given. Of one that is kept in a
// variable nobody says that: its parameters take anything.

#include "typecheck/python/python.h"

static const Ty *wanted_function(const Ty *expected) {
    TyList all = expected != NULL ? pyt_items(&expected) : (TyList){0};
    const Ty *found = NULL;
    for (size_t i = 0; i < all.len; i++)
        if (all.at[i]->kind == TY_CALLABLE) found = all.at[i];
    return found;
}

// A parameter of which nothing else is known is as its default, if that is all that it is ever
// given; None says nothing.
static const Ty *default_type(PyEnv *env, const Arg *arg, const Expr *value) {
    Py *py = env->py;
    if (value == NULL) return py->any;
    const Ty *t = pyt_erase_literal(py, pyt_infer(env, value, NULL));
    bool open = py->notes == NULL || table_get(py->notes->parts, arg) != NULL;
    return open || t->kind == TY_NONE_TYPE ? py->any : t;
}

static void add_param(PyEnv *in, PySig *s, const Arg *arg, PyParam q) {
    Py *py = in->py;
    PySym *bound = pyt_bind(in, arg->arg, PYSYM_VARIABLE, arg->at);
    bound->state = PY_KNOWN;
    bound->type = q.type;
    if (q.kind != PYPARAM_REST && q.kind != PYPARAM_KEYWORDS) pyt_note_arg(py, arg, q.type);
    q.name = arg->arg;
    if (q.optional) q.type = py->any;
    vec_push(py->arena, &s->params, q);
}

// `want`: what is said of how it is called; NULL: nothing.
static PySig *signature(PyEnv *in, const Arguments *a, const Ty *want) {
    Py *py = in->py;
    PyEnv *env = in->outer;
    PySig *s = ARENA_NEW(py->arena, PySig);
    s->name = names_get(py->names, "the function");
    size_t n = a->posonlyargs.len + a->args.len, required = n - a->defaults.len;
    for (size_t i = 0; i < n; i++) {
        bool only = i < a->posonlyargs.len, optional = i >= required;
        const Arg *arg = only ? a->posonlyargs.at[i] : a->args.at[i - a->posonlyargs.len];
        const Ty *t = default_type(env, arg, optional ? a->defaults.at[i - required] : NULL);
        if (want != NULL && i < want->callable.params.len) t = want->callable.params.at[i];
        PyParamKind kind = only ? PYPARAM_POSITIONAL : PYPARAM_PLAIN;
        add_param(in, s, arg, (PyParam){.kind = kind, .optional = optional, .type = t,
                                        .lambda = optional ? arg : NULL});
    }
    if (a->vararg != NULL)
        add_param(in, s, a->vararg, (PyParam){.kind = PYPARAM_REST, .optional = true,
                                              .type = py->any});
    for (size_t i = 0; i < a->kwonlyargs.len; i++) {
        const Arg *arg = a->kwonlyargs.at[i];
        const Expr *value = a->kw_defaults.at[i];
        add_param(in, s, arg, (PyParam){.kind = PYPARAM_KEYWORD, .optional = value != NULL,
                                        .type = default_type(env, arg, value),
                                        .lambda = value != NULL ? arg : NULL});
    }
    if (a->kwarg != NULL)
        add_param(in, s, a->kwarg, (PyParam){.kind = PYPARAM_KEYWORDS, .optional = true,
                                             .type = py->any});
    return s;
}

// It takes as many arguments as `want` gives it, or, if that says nothing, as it has parameters.
static const Ty *of_one_call(Py *py, const PySig *s, const Arguments *a, const Ty *want) {
    Vec(const Ty *) params = {0};
    size_t n = want != NULL ? want->callable.params.len : s->params.len;
    if (n + a->defaults.len < s->params.len) n = s->params.len - a->defaults.len;
    for (size_t i = 0; i < n && i < s->params.len; i++)
        vec_push(py->arena, &params, want != NULL && i < want->callable.params.len
                 ? want->callable.params.at[i] : s->params.at[i].type);
    return ty_callable(py->arena, (TyList){params.at, params.len}, s->result);
}

const Ty *pyt_infer_lambda(PyEnv *env, const Expr *e, const Ty *expected) {
    Py *py = env->py;
    PyEnv *in = pyt_env_new(py, env, PYENV_INNER);
    in->lambda = true;
    const Arguments *a = e->lambda.args;
    const Ty *function = wanted_function(expected);
    const Ty *want = function != NULL ? function->callable.result : NULL;
    if (function != NULL && pyt_any_params(function)) function = NULL;
    PySig *s = signature(in, a, function);
    size_t mark = pyt_mark(py);
    pyt_forget_outer(env);
    pyt_collect_walrus(in, e->lambda.body);
    s->result = pyt_infer(in, e->lambda.body, want);
    table_set(py->seen, e->lambda.body, (void *)s->result);
    (void)pyt_leave(py, mark);
    if (want != NULL && pyt_expr_fits(py, e->lambda.body, s->result, want) && !type_unknown(want))
        s->result = want;
    bool rest = a->vararg != NULL || a->kwonlyargs.len > 0 || a->kwarg != NULL;
    if (!rest && (a->defaults.len == 0 || function != NULL))
        return of_one_call(py, s, a, function);
    const PySig **one = ARENA_NEW(py->arena, const PySig *);
    *one = s;
    return pyt_callable(py, (PySigs){one, 1});
}
