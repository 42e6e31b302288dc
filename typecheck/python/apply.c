// apply.c - calls: which parameter an argument is for, which overload is meant, what comes back.

#include "typecheck/python/python.h"

// ---- arguments to parameters ----

// to[i]: the parameter of argument i; -1 for a starred one, whose length nobody knows.
typedef struct Binding { const PySig *sig; int *to; bool *given; } Binding;

static int next_positional(const PySig *s, size_t *next) {
    while (*next < s->params.len) {
        const PyParam *q = &s->params.at[*next];
        if (q->kind == PYPARAM_REST) return (int)*next;
        if (q->kind == PYPARAM_KEYWORD || q->kind == PYPARAM_KEYWORDS) return -1;
        return (int)(*next)++;
    }
    return -1;
}

static int keyword_param(const PySig *s, Sym name) {
    int rest = -1;
    for (size_t i = 0; i < s->params.len; i++) {
        const PyParam *q = &s->params.at[i];
        bool named = q->kind == PYPARAM_PLAIN || q->kind == PYPARAM_KEYWORD;
        if (named && q->name == name) return (int)i;
        if (q->kind == PYPARAM_KEYWORDS) rest = (int)i;
    }
    return rest;
}

static size_t room(const PySig *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->params.len; i++)
        n += s->params.at[i].kind == PYPARAM_POSITIONAL || s->params.at[i].kind == PYPARAM_PLAIN;
    return n;
}

static bool has_optional(const PySig *s) {
    for (size_t i = 0; i < s->params.len; i++) {
        PyParamKind kind = s->params.at[i].kind;
        bool positional = kind == PYPARAM_POSITIONAL || kind == PYPARAM_PLAIN;
        if (positional && s->params.at[i].optional) return true;
    }
    return false;
}

static bool too_many(Py *py, const PySig *s, const PyCall *c, const PyArg *a, size_t given) {
    pyt_report(py, a->at, DIAG_CALL_ARGUMENTS,
               "%s takes %s%zu positional argument%s, but %zu %s given", c->what,
               has_optional(s) ? "at most " : "", room(s), diag_s(room(s)), given,
               diag_was(given));
    return false;
}

static bool no_keyword(Py *py, const PySig *s, const PyCall *c, const PyArg *a) {
    Diag *d = pyt_report(py, a->at, DIAG_CALL_ARGUMENTS,
                         "%s got an unexpected keyword argument `%s`", c->what, a->keyword);
    SymVec names = {0};
    bool by_position = false;
    for (size_t i = 0; i < s->params.len; i++) {
        const PyParam *q = &s->params.at[i];
        by_position |= q->kind == PYPARAM_POSITIONAL && q->name == a->keyword;
        if (q->name != NULL && (q->kind == PYPARAM_PLAIN || q->kind == PYPARAM_KEYWORD))
            vec_push(py->arena, &names, q->name);
    }
    help_keyword(d, a->keyword, by_position, (SymList){names.at, names.len});
    return false;
}

static void give_rest(Binding *b) {
    for (size_t i = 0; i < b->sig->params.len; i++) b->given[i] = true;
}

static bool bind_positional(Py *py, Binding *b, const PyCall *c) {
    size_t next = 0, given = 0;
    for (size_t i = 0; i < c->len; i++) {
        const PyArg *a = &c->args[i];
        if (a->keyword != NULL || a->stars) continue;
        given++;
        if (a->star) {
            give_rest(b);
            continue;
        }
        int to = next_positional(b->sig, &next);
        if (to < 0) return too_many(py, b->sig, c, a, given);
        b->to[i] = to;
        b->given[to] = true;
    }
    return true;
}

static bool bind_keywords(Py *py, Binding *b, const PyCall *c, bool starred) {
    for (size_t i = 0; i < c->len; i++) {
        const PyArg *a = &c->args[i];
        if (a->stars) give_rest(b);
        if (a->keyword == NULL) continue;
        int to = keyword_param(b->sig, a->keyword);
        if (to < 0) return no_keyword(py, b->sig, c, a);
        bool rest = b->sig->params.at[to].kind == PYPARAM_KEYWORDS;
        if (b->given[to] && !rest && !starred) {
            pyt_report(py, a->at, DIAG_CALL_ARGUMENTS, "%s got multiple values for argument `%s`",
                                                       c->what, a->keyword);
            return false;
        }
        b->to[i] = to;
        b->given[to] = true;
    }
    return true;
}

static bool bind(Py *py, Binding *b, const PySig *s, const PyCall *c) {
    *b = (Binding){s, ARENA_ARRAY(py->arena, int, c->len + 1),
                   ARENA_ARRAY(py->arena, bool, s->params.len + 1)};
    bool starred = false;
    for (size_t i = 0; i < c->len; i++) {
        b->to[i] = -1;
        starred |= c->args[i].star || c->args[i].stars;
    }
    if (s->any_args) return true;
    if (!bind_positional(py, b, c) || !bind_keywords(py, b, c, starred)) return false;
    for (size_t i = 0; i < s->params.len; i++) {
        const PyParam *q = &s->params.at[i];
        if (b->given[i] || q->optional || q->kind == PYPARAM_REST || q->kind == PYPARAM_KEYWORDS)
            continue;
        if (q->name != NULL)
            pyt_report(py, c->at, DIAG_CALL_ARGUMENTS, "%s is missing the required argument `%s`",
                                                       c->what,
                      q->name);
        else
            pyt_report(py, c->at, DIAG_CALL_ARGUMENTS,
                       "%s takes %s%zu argument%s, but %zu %s given", c->what,
                       has_optional(s) ? "at most " : "", room(s), diag_s(room(s)), c->len,
                       diag_was(c->len));
        return false;
    }
    return true;
}

// ---- one signature ----

static bool wants_context(const Expr *e) { return e != NULL && e->kind == EXPR_LAMBDA; }

static const Ty *param_type(const Binding *b, size_t i) {
    return b->to[i] < 0 ? NULL : b->sig->params.at[b->to[i]].type;
}

static const Ty *arg_type(PyCall *c, size_t i, const Ty *expected) {
    PyArg *a = &c->args[i];
    if (a->ty == NULL) a->ty = c->infer(c->cx, i, expected);
    return a->ty;
}

static void infer_rest(PyCall *c) {
    for (size_t i = 0; i < c->len; i++) (void)arg_type(c, i, NULL);
}

static bool arg_fits(Py *py, const PyCall *c, size_t i, const Ty *want) {
    const PyArg *a = &c->args[i];
    if (pyt_expr_fits(py, a->e, a->ty, want)) return true;
    Diag *d = pyt_report(py, a->at, DIAG_TYPE_MISMATCH, "%s expects `%s`, but this argument is "
                                                        "`%s`",
                        c->what, type_text(py->p, want), type_text(py->p, a->ty));
    diag_primary(d, "`%s`", type_text(py->p, a->ty));
    if (c->help != NULL) diag_help(d, "%s", c->help);
    else pyt_explain(py, d, a->e, a->ty, want);
    return false;
}

static bool is_constraint(Py *py, const PyTypeVar *v, const Ty *t, bool exactly) {
    for (size_t i = 0; i < v->constraints.len; i++)
        if (exactly ? pyt_same(py, t, v->constraints.at[i]) : pyt_fits(py, t, v->constraints.at[i]))
            return true;
    return false;
}

// A variable of the caller is handed on: whatever it may be is one of these.
static bool keeps_within(Py *py, const PyTypeVar *v, const Ty *t) {
    const PyTypeVar *own = t->kind == TY_TYPE_VAR ? table_get(py->type_vars, t->type_var.name)
                                                  : NULL;
    if (own == NULL || own->constraints.len == 0) return is_constraint(py, v, t, false);
    for (size_t i = 0; i < own->constraints.len; i++)
        if (!is_constraint(py, v, own->constraints.at[i], true)) return false;
    return true;
}

// `int`, or ``int` or `str``: what a type parameter may be.
static const char *allowed(Py *py, const PyTypeVar *v) {
    if (v->bound != NULL) return names_format(py->names, "`%s`", type_text(py->p, v->bound));
    Buf b = buf_new(py->arena);
    for (size_t i = 0; i < v->constraints.len; i++)
        buf_printf(&b, "%s`%s`", i == 0 ? "" : i + 1 < v->constraints.len ? ", " : " or ",
                   type_text(py->p, v->constraints.at[i]));
    return buf_text(&b);
}

// A solution of a variable must keep within its bound, or be one of its constraints.
static bool bounds_hold(Py *py, PySolver *s, const PyCall *c) {
    for (size_t i = 0; i < s->vars.len; i++) {
        PyTypeVar *v = table_get(py->type_vars, s->vars.at[i]);
        const Ty *t = s->found[i];
        if (v == NULL || t == NULL || type_unknown(t)) continue;
        if (v->constraints.len > 0 ? keeps_within(py, v, t)
            : v->bound == NULL || pyt_fits(py, t, v->bound))
            continue;
        Diag *d = pyt_report(py, c->at, DIAG_TYPE_MISMATCH,
                            "%s cannot be used with `%s`, because its type parameter `%s` must be "
                            "%s", c->what, type_text(py->p, t),
                            type_text(py->p, ty_type_var(py->arena, v->name)), allowed(py, v));
        if (v->bound != NULL) pyt_explain(py, d, NULL, t, v->bound);
        return false;
    }
    return true;
}

// Whether an argument might be of another type if it knew what is asked of it.
static bool would_change(Py *py, const Expr *e, const Ty *t, const Ty *wanted) {
    if (e == NULL || type_unknown(wanted) || type_is(wanted, "object") || pyt_same(py, t, wanted))
        return false;
    bool display = e->kind == EXPR_LIST || e->kind == EXPR_DICT || e->kind == EXPR_SET ||
        e->kind == EXPR_TUPLE || e->kind == EXPR_LIST_COMP || e->kind == EXPR_SET_COMP ||
        e->kind == EXPR_DICT_COMP || e->kind == EXPR_GENERATOR_EXP;
    return display || e->kind == EXPR_IF_EXP || e->kind == EXPR_BOOL_OP ||
        (e->kind == EXPR_CALL && pyt_vague(t));
}

// What is known once the call is solved: of what was called, and of arguments looked at too early.
static void settle(Py *py, const Binding *b, PySolver *solver, PyCall *c) {
    const PySig *s = b->sig;
    Vec(const Ty *) params = {0};
    for (size_t i = 0; i < s->params.len; i++)
        vec_push(py->arena, &params, pyt_solved(solver, s->params.at[i].type, py->any));
    const Ty *result = pyt_solved(solver, s->result, py->any);
    TyList all = s->any_args ? pyt_list(py, 1, &py->poison) : (TyList){params.at, params.len};
    c->solved = ty_callable(py->arena, all, result);
    for (size_t i = 0; i < c->len && py->quiet == 0; i++)
        if (b->to[i] >= 0 && would_change(py, c->args[i].e, c->args[i].ty, params.at[b->to[i]]))
            c->args[i].ty = c->infer(c->cx, i, params.at[b->to[i]]);
    for (size_t i = 0; i < c->len; i++)
        if (b->to[i] >= 0) pyt_learn_given(py, &s->params.at[b->to[i]], c->args[i].ty);
    for (size_t i = 0; i < c->len && py->quiet == 0; i++)
        if (b->to[i] >= 0) (void)pyt_note_as(py, c->args[i].e, c->args[i].ty, params.at[b->to[i]]);
}

// A lambda, and where types are noted any function that may be called in several ways, is looked at
// when what it is given is known.
static bool is_late(Py *py, const PyArg *a, const Ty *param) {
    bool function = param != NULL && param->kind == TY_CALLABLE && a->ty != NULL;
    return wants_context(a->e) ||
        (py->notes != NULL && function && pyt_is_open_function(py, a->ty));
}

// What an argument tells of a variable: a constant also that it is a literal, which the variable's
// bound may ask for.
static const Ty *given_type(Py *py, const PyArg *a, const Ty *param) {
    const Const *value = param->kind == TY_TYPE_VAR && a->e != NULL ? pyt_constant(py, a->e) : NULL;
    bool literal = value != NULL && (value->kind == CONST_STR || value->kind == CONST_BYTES ||
                                     value->kind == CONST_INT || value->kind == CONST_BOOL);
    return literal ? ty_literal(py->arena, value) : a->ty;
}

// A display of which the context says that its items are literals: `frozenset([1, 2])`.
static bool is_display_of(Py *py, const PyArg *a, const Ty *want) {
    bool display = a->e != NULL &&
        (a->e->kind == EXPR_LIST || a->e->kind == EXPR_SET || a->e->kind == EXPR_TUPLE);
    if (!display || want == NULL || want->kind != TY_NAMED || want->named.args.len != 1)
        return false;
    const Ty *item = want->named.args.at[0];
    return pyt_erase_literal(py, item) != item && pyt_expr_fits(py, a->e, a->ty, want);
}

// The result of calling one signature; NULL after reporting that the call does not fit it.
static const Ty *call_one(Py *py, const PySig *s, PyCall *c) {
    Binding b;
    if (!bind(py, &b, s, c)) {
        infer_rest(c);
        return NULL;
    }
    PySolver solver = pyt_solver(py, s->own);
    pyt_solve_result(&solver, s->result, c->expected);
    for (int late = 0; late < 2; late++)
        for (size_t i = 0; i < c->len; i++) {
            const Ty *param = param_type(&b, i);
            const Ty *want = param != NULL ? pyt_solved(&solver, param, late ? py->any : NULL)
                                           : NULL;
            bool open = want != NULL && pyt_has_vars(want, s->own);
            if (late == wants_context(c->args[i].e)) (void)arg_type(c, i, open ? NULL : want);
            if (is_late(py, &c->args[i], param) != (late == 1)) continue;
            bool as_wanted = !open && is_display_of(py, &c->args[i], want);
            if (param != NULL)
                pyt_solve(&solver, param, as_wanted ? want : given_type(py, &c->args[i], param));
        }
    bool ok = bounds_hold(py, &solver, c);
    for (size_t i = 0; i < c->len && ok; i++)
        if (param_type(&b, i) != NULL)
            ok = arg_fits(py, c, i, pyt_solved(&solver, param_type(&b, i), py->any));
    if (ok && py->notes != NULL) settle(py, &b, &solver, c);
    return ok ? pyt_solved(&solver, s->result, py->any) : NULL;
}

// ---- overloads ----

static const Ty *try_one(Py *py, const PySig *s, PyCall *c) {
    PyArg *kept = ARENA_ARRAY(py->arena, PyArg, c->len + 1);
    for (size_t i = 0; i < c->len; i++) kept[i] = c->args[i];
    py->quiet++;
    const Ty *t = call_one(py, s, c);
    py->quiet--;
    for (size_t i = 0; i < c->len; i++) c->args[i] = kept[i];
    return t;
}

static bool vague(const PyCall *c) {
    for (size_t i = 0; i < c->len; i++)
        if (c->args[i].ty != NULL && type_unknown(c->args[i].ty)) return true;
    return false;
}

static bool takes_any_number(const PySig *s) {
    for (size_t i = 0; i < s->params.len; i++)
        if (s->params.at[i].kind == PYPARAM_REST) return true;
    return false;
}

// Of how many arguments nobody knows, as of `*rows`, those that take any number are for.
static size_t first_to_try(PySigs sigs, const PyCall *c) {
    bool star = false;
    for (size_t i = 0; i < c->len; i++) star |= c->args[i].star;
    for (size_t i = 0; star && i < sigs.len; i++)
        if (takes_any_number(sigs.at[i])) return i;
    return 0;
}

// With Any among the arguments several may be meant; then the result is known only if they agree.
static const Ty *choose(Py *py, PySigs sigs, PyCall *c, size_t *which) {
    const Ty *result = NULL;
    size_t first = first_to_try(sigs, c);
    for (size_t n = 0; n < sigs.len; n++) {
        size_t i = (first + n) % sigs.len;
        const Ty *t = try_one(py, sigs.at[i], c);
        if (t == NULL) continue;
        if (result != NULL && !pyt_same(py, result, t)) return py->any;
        if (result == NULL) *which = i;
        result = t;
        if (!vague(c)) break;
    }
    return result;
}

// Whether one overload takes an int as a float where another, for ints, gives something else: of
// what may be either, divmod and pow give either, as the operators do.
static bool is_either(const PyCall *c, int depth) {
    for (size_t i = 0; depth < 3 && i < c->len; i++)
        if (c->args[i].ty != NULL && pyt_may_be(c->args[i].ty, "int") &&
            pyt_may_be(c->args[i].ty, "float"))
            return true;
    return false;
}

// An argument that may be of several types is tried as each of them.
static const Ty *choose_each(Py *py, PySigs sigs, PyCall *c, size_t *which, int depth) {
    bool each = py->notes != NULL && is_either(c, depth);
    const Ty *result = each ? NULL : choose(py, sigs, c, which);
    for (size_t i = 0; result == NULL && depth < 3 && i < c->len; i++) {
        const Ty *whole = c->args[i].ty;
        if (whole == NULL || whole->kind != TY_UNION) continue;
        const Expr *e = c->args[i].e;
        const Ty *all = NULL;
        c->args[i].e = NULL;
        for (size_t j = 0; j < whole->union_.items.len; j++) {
            c->args[i].ty = whole->union_.items.at[j];
            const Ty *t = choose_each(py, sigs, c, which, depth + 1);
            all = t == NULL || (j > 0 && all == NULL) ? NULL : pyt_union(py, all, t);
            if (t == NULL) break;
        }
        c->args[i].ty = whole;
        c->args[i].e = e;
        result = all;
    }
    return result;
}

// The names of a stub's own type variables, such as `_T`, say nothing to a user: what they may be.
static const Ty *without_private(Py *py, const PySig *s, const Ty *t) {
    const Ty **by = ARENA_ARRAY(py->arena, const Ty *, s->own.len + 1);
    for (size_t i = 0; i < s->own.len; i++) {
        const PyTypeVar *v = table_get(py->type_vars, s->own.at[i]);
        bool shown = v == NULL || v->is_spec || v->name[0] != '_';
        by[i] = shown ? ty_type_var(py->arena, s->own.at[i])
            : v->bound != NULL ? v->bound : py->any;
    }
    return pyt_substitute(py, t, s->own, (TyList){by, s->own.len});
}

typedef Vec(const Ty *) TyVec;

// The parameters as Python writes them in a stub: names where an argument may have the name.
static const char *signature_text(Py *py, const PySig *s, TyVec *shown) {
    Buf b = buf_new(py->arena);
    bool star = false;
    for (size_t i = 0; i < s->params.len; i++) {
        const PyParam *q = &s->params.at[i];
        if (i > 0) buf_puts(&b, ", ");
        if (q->kind == PYPARAM_KEYWORD && !star) buf_puts(&b, "*, ");
        star |= q->kind == PYPARAM_REST || q->kind == PYPARAM_KEYWORD;
        if (q->kind == PYPARAM_REST) buf_putc(&b, '*');
        if (q->kind == PYPARAM_KEYWORDS) buf_puts(&b, "**");
        if (q->name != NULL && (q->kind == PYPARAM_PLAIN || q->kind == PYPARAM_KEYWORD))
            buf_printf(&b, "%s: ", q->name);
        bool rest = q->kind == PYPARAM_REST || q->kind == PYPARAM_KEYWORDS;
        const Ty *t = without_private(py, s, q->type);
        vec_push(py->arena, shown, t);
        bool closed = rest && t->kind == TY_UNION;
        buf_printf(&b, closed ? "(%s)" : "%s", type_text(py->p, t));
        if (q->optional && !rest) buf_puts(&b, " = ...");
    }
    return buf_text(&b);
}

static void report_overloads(Py *py, PySigs sigs, const PyCall *c) {
    Buf b = buf_new(py->arena);
    for (size_t i = 0; i < c->len; i++) {
        if (i > 0) buf_puts(&b, ", ");
        if (c->args[i].keyword != NULL) buf_printf(&b, "%s=", c->args[i].keyword);
        buf_puts(&b, c->args[i].ty != NULL ? type_text(py->p, c->args[i].ty) : "...");
    }
    Diag *d = pyt_report(py, c->at, DIAG_TYPE_MISMATCH, "no overload of %s matches the argument "
                                                        "types `(%s)`", c->what,
                        buf_text(&b));
    if (c->help != NULL) diag_help(d, "%s", c->help);
    enum { SHOWN = 4 };
    TyVec shown = {0};
    for (size_t i = 0; c->help == NULL && i < sigs.len && i < SHOWN; i++)
        diag_note(d, "it accepts `(%s)`", signature_text(py, sigs.at[i], &shown));
    if (c->help == NULL && sigs.len > SHOWN)
        diag_note(d, "it has %zu more overload%s", sigs.len - SHOWN, diag_s(sigs.len - SHOWN));
    pyt_note_supports(py, d, (TyList){shown.at, shown.len});
}

const Ty *pyt_call_sigs(Py *py, PySigs sigs, PyCall *c) {
    if (sigs.len == 0) {
        infer_rest(c);
        return py->any;
    }
    if (sigs.len == 1) {
        const Ty *t = call_one(py, sigs.at[0], c);
        return t != NULL ? t : py->poison;
    }
    for (size_t i = 0; i < c->len; i++)
        if (!wants_context(c->args[i].e)) (void)arg_type(c, i, NULL);
    size_t which = 0;
    const Ty *t = choose_each(py, sigs, c, &which, 0);
    if (t == NULL) {
        infer_rest(c);
        report_overloads(py, sigs, c);
        return py->poison;
    }
    bool late = py->notes != NULL && py->quiet == 0;
    for (size_t i = 0; i < c->len; i++) late |= c->args[i].ty == NULL;
    if (late) (void)call_one(py, sigs.at[which], c);
    if (type_unknown(t) && vague(c)) c->solved = NULL;          // which one is meant shows then
    return t;
}

// ---- what is called ----

static const Ty *call_class(Py *py, const Ty *made, PyCall *c) {
    if (made->kind == TY_TYPE_VAR) {
        infer_rest(c);
        return made;
    }
    PyClass *k = made->kind == TY_NAMED ? pyt_class(py, made->named.name) : NULL;
    if (k == NULL) {
        infer_rest(c);
        return made->kind == TY_NAMED ? made : py->any;
    }
    return pyt_call_sigs(py, pyt_constructor(py, k, made), c);
}

static const Ty *call_union(Py *py, const Ty *callee, PyCall *c) {
    const Ty *all = NULL;
    infer_rest(c);
    for (size_t i = 0; i < callee->union_.items.len; i++) {
        if (callee->union_.items.at[i]->kind == TY_NONE_TYPE) {
            pyt_report(py, c->at, DIAG_CALL_ARGUMENTS, "%s may be `None`, which is not callable",
                       c->what);
            return py->poison;
        }
        const Ty *t = pyt_call(py, callee->union_.items.at[i], c);
        if (t->kind == TY_POISON) return t;
        all = pyt_union(py, all, t);
    }
    return all;
}

const Ty *pyt_call(Py *py, const Ty *callee, PyCall *c) {
    if (type_unknown(callee)) {
        infer_rest(c);
        return py->any;
    }
    if (callee->kind == TY_UNION) return call_union(py, callee, c);
    if (callee->kind == TY_CALLABLE) {
        const PySigs *known = pyt_sigs_of(py, callee);
        if (known != NULL) return pyt_call_sigs(py, *known, c);
        const PySig *s = pyt_sig_of_callable(py, callee);
        return pyt_call_sigs(py, (PySigs){&s, 1}, c);
    }
    if (type_is(callee, "type"))
        return callee->named.args.len == 1 ? call_class(py, callee->named.args.at[0], c)
                                           : (infer_rest(c), py->any);
    const Ty *call = pyt_member(py, callee, names_get(py->names, "__call__"));
    if (call != NULL && (call->kind == TY_CALLABLE || type_unknown(call)))
        return pyt_call(py, call, c);
    infer_rest(c);
    if (callee->kind == TY_NAMED && pyt_class_of(py, callee) == NULL) return py->any;
    pyt_report(py, c->at, DIAG_CALL_ARGUMENTS, "`%s` object is not callable",
              type_text(py->p, callee));
    return py->poison;
}

const Ty *pyt_expected(Py *py, const Ty *callee, const PyCall *c, size_t i) {
    if (callee == NULL || type_unknown(callee)) return NULL;
    PySigs sigs = {0};
    const PySig *one;
    if (callee->kind == TY_CALLABLE) {
        const PySigs *known = pyt_sigs_of(py, callee);
        one = known == NULL ? pyt_sig_of_callable(py, callee) : NULL;
        sigs = known != NULL ? *known : (PySigs){&one, 1};
    } else if (type_is(callee, "type") && callee->named.args.len == 1 &&
               callee->named.args.at[0]->kind == TY_NAMED) {
        PyClass *k = pyt_class(py, callee->named.args.at[0]->named.name);
        if (k != NULL) sigs = pyt_constructor(py, k, callee->named.args.at[0]);
    }
    if (sigs.len != 1) return NULL;
    Binding b;
    py->quiet++;
    bool ok = bind(py, &b, sigs.at[0], c);
    py->quiet--;
    const Ty *t = ok ? param_type(&b, i) : NULL;
    if (t == NULL || sigs.at[0]->own.len == 0) return t;
    PySolver solver = pyt_solver(py, sigs.at[0]->own);
    pyt_solve_result(&solver, sigs.at[0]->result, c->expected);
    for (size_t j = 0; j < c->len; j++)
        if (c->args[j].ty != NULL && param_type(&b, j) != NULL)
            pyt_solve(&solver, param_type(&b, j), c->args[j].ty);
    t = pyt_solved(&solver, t, wants_context(c->args[i].e) ? py->any : NULL);
    return pyt_has_vars(t, sigs.at[0]->own) ? NULL : t;
}

const Ty *pyt_call_method(Py *py, const Ty *base, const char *method, size_t n,
                         const Ty *const *args, const Expr *const *exprs) {
    const Ty *m = pyt_member(py, base, names_get(py->names, method));
    if (m == NULL) return NULL;
    PyArg *list = ARENA_ARRAY(py->arena, PyArg, n + 1);
    for (size_t i = 0; i < n; i++)
        list[i] = (PyArg){.ty = args[i], .e = exprs != NULL ? exprs[i] : NULL};
    PyCall c = {.what = method, .args = list, .len = n};
    py->quiet++;
    const Ty *t = pyt_call(py, m, &c);
    py->quiet--;
    return t->kind == TY_POISON ? NULL : t;
}
