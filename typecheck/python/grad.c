// grad.c - the types of `grad(f)` and its kin of `pychoral.ad`, which no stub says: a gradient is
// of the types of those parameters that hold floats, one as it is, several in a tuple.
//
//   grad(f)            takes what f takes, and answers the gradient
//   value_and_grad(f)  .. and answers (what f answers, the gradient)
//   jvp(f, xs, ts)     (what f answers, its tangent)
//   vjp(f, x, ..)      (what f answers, a function of its cotangent that answers the gradient)

#include <string.h>

#include "typecheck/python/python.h"

// ---- which parameters ----

static bool holds_float(Py *py, const Ty *t, Table *seen);

static bool any_holds(Py *py, TyList list, Table *seen) {
    for (size_t i = 0; i < list.len; i++)
        if (holds_float(py, list.at[i], seen)) return true;
    return false;
}

static bool fields_hold(Py *py, const Ty *t, Table *seen) {
    PyClass *c = pyt_class_of(py, t);
    if (c == NULL || table_get(seen, c) != NULL) return false;
    table_set(seen, c, c);
    pyt_class_ready(c);
    if (!c->is_dataclass && !c->is_tuple) return false;
    PySigs made = pyt_constructor(py, c, t);
    for (size_t i = 0; made.len == 1 && i < made.at[0]->params.len; i++)
        if (holds_float(py, made.at[0]->params.at[i].type, seen)) return true;
    return false;
}

// Itself, or somewhere in it; what is not known may.
static bool holds_float(Py *py, const Ty *t, Table *seen) {
    if (t == NULL || type_unknown(t)) return true;
    if (t->kind == TY_UNION) return any_holds(py, t->union_.items, seen);
    if (t->kind == TY_TUPLE) return any_holds(py, t->tuple.items, seen);
    if (t->kind != TY_NAMED) return false;
    return type_is(t, "float") || any_holds(py, t->named.args, seen) || fields_hold(py, t, seen);
}

// Whether `wrt`, names with commas between them, has a name; without it all count.
static bool is_wanted(const char *wrt, Sym name) {
    if (wrt == NULL || *wrt == '\0') return true;
    for (size_t len; *wrt != '\0'; wrt += len + (wrt[len] == ',')) {
        while (*wrt == ' ') wrt++;
        len = strcspn(wrt, ",");
        size_t word = strcspn(wrt, ", ");
        if (name != NULL && strlen(name) == word && memcmp(wrt, name, word) == 0) return true;
    }
    return false;
}

static const Ty *gradient(Py *py, const PySig *f, const char *wrt) {
    Vec(const Ty *) items = {0};
    for (size_t i = 0; i < f->params.len; i++) {
        const PyParam *q = &f->params.at[i];
        if (is_wanted(wrt, q->name) && holds_float(py, q->type, table_new(py->arena)))
            vec_push(py->arena, &items, q->type);
    }
    if (f->any_args || items.len == 0) return py->any;
    return items.len == 1 ? items.at[0] : ty_tuple(py->arena, (TyList){items.at, items.len});
}

// ---- calls ----

static const Ty *pair(Py *py, const Ty *a, const Ty *b) {
    const Ty *both[] = {a, b};
    return ty_tuple(py->arena, pyt_list(py, 2, both));
}

// The function that takes what another does, and answers something else.
static const Ty *with_result(Py *py, const PySig *f, const Ty *result) {
    PySig *s = ARENA_NEW(py->arena, PySig);
    const PySig **one = ARENA_NEW(py->arena, const PySig *);
    *s = *f;
    s->result = result;
    *one = s;
    return pyt_callable(py, (PySigs){one, 1});
}

static const PySig *signature(Py *py, const Ty *t) {
    if (t == NULL || t->kind != TY_CALLABLE) return NULL;
    const PySigs *known = pyt_sigs_of(py, t);
    if (known == NULL) return pyt_sig_of_callable(py, t);
    return known->len == 1 ? known->at[0] : NULL;
}

// The constant of `wrt`; NULL: not given, or not as a constant.
static const char *read_wrt(Py *py, const Expr *e) {
    const Expr *value = e->call.args.len > 1 ? e->call.args.at[1] : NULL;
    for (size_t i = 0; i < e->call.keywords.len; i++)
        if (sym_is(e->call.keywords.at[i]->arg, "wrt")) value = e->call.keywords.at[i]->value;
    bool text = value != NULL && value->kind == EXPR_CONSTANT &&
        value->constant.value->kind == CONST_STR;
    const Text *t = text ? &value->constant.value->text : NULL;
    return text ? arena_strndup(py->arena, t->at, t->len) : NULL;
}

// What a function of `pychoral.ad` is called there; NULL: it is none.
static Sym word_of(PyEnv *env, const Expr *f) {
    bool named = f->kind == EXPR_NAME || f->kind == EXPR_ATTRIBUTE;
    PySym *s = named ? pyt_lookup(env, f) : NULL;
    return s != NULL && sym_is(s->home->module->name, "pychoral.ad") ? s->name : NULL;
}

static void infer_rest(PyEnv *env, const Expr *e) {
    for (size_t i = 1; i < e->call.args.len; i++) {
        const Expr *a = e->call.args.at[i];
        (void)pyt_infer(env, a->kind == EXPR_STARRED ? a->starred.value : a, NULL);
    }
    for (size_t i = 0; i < e->call.keywords.len; i++)
        (void)pyt_infer(env, e->call.keywords.at[i]->value, NULL);
}

const Ty *pyt_grad_call(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    Sym word = word_of(env, e->call.func);
    bool grad = sym_is(word, "grad"), both = sym_is(word, "value_and_grad");
    bool jvp = sym_is(word, "jvp"), known = grad || both || jvp || sym_is(word, "vjp");
    if (!known || e->call.args.len == 0 || e->call.args.at[0]->kind == EXPR_STARRED) return NULL;
    const PySig *f = signature(py, pyt_infer(env, e->call.args.at[0], NULL));
    if (f == NULL) return NULL;
    infer_rest(env, e);
    const Ty *all = gradient(py, f, grad || both ? read_wrt(py, e) : NULL);
    if (grad) return with_result(py, f, all);
    if (both) return with_result(py, f, pair(py, f->result, all));
    if (jvp) return pair(py, f->result, f->result);
    return pair(py, f->result, ty_callable(py->arena, pyt_list(py, 1, &f->result), all));
}
