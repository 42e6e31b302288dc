// narrow.c - what a condition or an assignment says about the types of variables and of places, as
// Python's type checkers have it. The work is done by python/flow.c, over expressions that are
// checked; what only calls may change is not forgotten, as mypy has it.

#include "typecheck/expression/narrow.h"

#include "compiler/ir/free_names.h"

const Ty *type_without_none(Program *p, const Ty *t) {
    if (t == NULL || t->kind != TY_UNION) return t;
    Vec(const Ty *) rest = {0};
    for (size_t i = 0; i < t->union_.items.len; i++)
        if (t->union_.items.at[i]->kind != TY_NONE_TYPE)
            vec_push(p->arena, &rest, t->union_.items.at[i]);
    if (rest.len == 1) return rest.at[0];
    return ty_union(p->arena, (TyList){rest.at, rest.len});
}

// Is `now` what is left of the union? (A class that is not known fits everything.)
static bool is_rest_of(Py *py, const Ty *now, const Ty *declared) {
    TyList items = pyt_items(&now);
    if (declared->kind != TY_UNION || items.len >= declared->union_.items.len) return false;
    for (size_t i = 0; i < items.len; i++) {
        bool found = false;
        for (size_t j = 0; j < declared->union_.items.len && !found; j++)
            found = pyt_same(py, items.at[i], declared->union_.items.at[j]);
        if (!found) return false;
    }
    return true;
}

const Ty *var_type(const Var *v) {
    const Ty *now = v->sym->narrowed;
    if (now == NULL || type_unknown(v->type.ty)) return now != NULL ? now : v->type.ty;
    Py *py = v->sym->home->py;
    bool foreign = now->kind == TY_NAMED && pyt_class_of(py, now) == NULL;
    if (foreign || is_rest_of(py, now, v->type.ty)) return now;
    return pyt_fits(py, v->type.ty, now) ? v->type.ty : now;
}

// Nobody is refused for a condition that cannot be true: the arm is checked like any other.
void narrow_by(Scope *sc, const Expr *test, bool truth) {
    bool dead = sc->p->py->dead;
    pyt_assume(sc->env, test, truth);
    sc->p->py->dead = dead;
}

// ---- places ----

static PySym *root_of(Scope *sc, const Expr *e) {
    while (e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT)
        e = e->kind == EXPR_ATTRIBUTE ? e->attribute.value : e->subscript.value;
    return e->kind == EXPR_NAME ? pyt_find(sc->env, e->name.id) : NULL;
}

const Ty *narrow_known(Scope *sc, const Expr *e) {
    bool path = e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT;
    const PySym *root = path ? root_of(sc, e) : NULL;
    if (root == NULL || root->places.len == 0) return NULL;
    const PySym *s = pyt_place(sc->env, e);
    return s != NULL ? s->narrowed : NULL;
}

const Expr *narrow_read(Scope *sc, const Expr *e) {
    const Ty *known = narrow_known(sc, e);
    bool poison = e->ty != NULL && e->ty->kind == TY_POISON;
    if (known == NULL || poison) return e;
    bool same = !type_unknown(e->ty) && pyt_fits(sc->p->py, e->ty, known);
    return same ? e : expr_typed(sc, e, known, e->roles);
}

const Expr *narrow_now(Scope *sc, const Expr *e) {
    const PySym *s = pyt_place(sc->env, e);
    return s != NULL && s->narrowed != NULL ? expr_typed(sc, e, s->narrowed, e->roles) : e;
}

// ---- assignments ----

// The alternatives of a declared union that an assigned value may be; NULL: any of them.
static const Ty *alternatives(Py *py, const Ty *declared, const Ty *value, const Expr *e) {
    if (declared == NULL || declared->kind != TY_UNION) return NULL;
    if (!pyt_plain(declared) || !pyt_plain(value)) return NULL;
    TyList items = pyt_items(&value), wanted = declared->union_.items;
    const Ty *all = NULL;
    for (size_t i = 0; i < items.len; i++) {
        const Ty *found = NULL;
        for (size_t j = 0; j < wanted.len && found == NULL; j++)
            if (pyt_same(py, items.at[i], wanted.at[j])) found = wanted.at[j];
        for (size_t j = 0; j < wanted.len && found == NULL; j++)
            if (pyt_expr_fits(py, items.len == 1 ? e : NULL, items.at[i], wanted.at[j]))
                found = wanted.at[j];
        if (found == NULL) return NULL;
        all = pyt_union(py, all, found);
    }
    return pyt_same(py, all, declared) ? NULL : all;
}

void narrow_assign(Scope *sc, const Expr *t, const Ty *declared, const Ty *value, const Expr *e) {
    Py *py = sc->p->py;
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) narrow_assign(sc, elts.at[i], NULL, NULL, NULL);
    if (t->kind == EXPR_STARRED) narrow_assign(sc, t->starred.value, NULL, NULL, NULL);
    if (elts.len > 0 || t->kind == EXPR_STARRED) return;
    PySym *s = pyt_place(sc->env, t);
    const Expr *base = t->kind == EXPR_ATTRIBUTE ? t->attribute.value
        : t->kind == EXPR_SUBSCRIPT ? t->subscript.value : NULL;
    if (s == NULL && base != NULL) {            // `xs[i]` may be any item
        s = pyt_place(sc->env, base);
        if (s == NULL) s = root_of(sc, t);
        if (s != NULL) pyt_forget(py, s);
        return;
    }
    if (s == NULL) return;
    const Ty *now = value != NULL ? alternatives(py, declared, value, e) : NULL;
    bool tested = s->narrowed != NULL && (s->narrowed->kind == TY_NONE_TYPE ||
                                          type_without_none(sc->p, s->narrowed) != s->narrowed);
    bool unknown = value != NULL && !pyt_plain(value);
    if (tested && unknown) now = type_without_none(sc->p, declared);    // as mypy has it
    if (now != NULL || s->narrowed != NULL) pyt_set(py, s, now);
    pyt_forget(py, s);
}

// ---- what may have been assigned ----

static bool find_store(void *cx, const Expr *e) {
    Scope *sc = cx;
    bool name = e->kind == EXPR_NAME && e->name.ctx != EXPR_CONTEXT_LOAD;
    bool place = (e->kind == EXPR_ATTRIBUTE && e->attribute.ctx != EXPR_CONTEXT_LOAD) ||
        (e->kind == EXPR_SUBSCRIPT && e->subscript.ctx != EXPR_CONTEXT_LOAD);
    if (name || place) narrow_assign(sc, e, NULL, NULL, NULL);
    return true;
}

void narrow_forget(Scope *sc, StmtList body) {
    Program *p = sc->p;
    if (pyt_mark(p->py) == 0) return;           // nothing is known
    IrWalker w = {.cx = sc, .expr = find_store};
    ir_walk_stmts(&w, body);
    SymList bound = names_bound(p->arena, p->names, body);      // by handlers and patterns too
    for (size_t i = 0; i < bound.len; i++) {
        Var *v = scope_find(sc, bound.at[i]);
        if (v == NULL) continue;
        pyt_set(p->py, v->sym, NULL);
        pyt_forget(p->py, v->sym);
    }
}

void narrow_forget_all(Scope *sc) {
    Py *py = sc->p->py;
    for (size_t i = 0, n = pyt_mark(py); i < n; i++) pyt_set(py, py->trail.at[i].sym, NULL);
}

// ---- ways ----

Ways ways_begin(Scope *sc) { return (Ways){.sc = sc, .mark = pyt_mark(sc->p->py)}; }

void ways_note(Ways *w, bool goes_on) {
    PyExit e = pyt_here(w->sc->p->py, w->mark);
    e.dead = !goes_on;
    vec_push(w->sc->p->arena, &w->exits, e);
}

void ways_back(Ways *w) { (void)pyt_leave(w->sc->p->py, w->mark); }

void ways_join(Ways *w) {
    Py *py = w->sc->p->py;
    (void)pyt_leave(py, w->mark);
    pyt_join_exits(py, w->exits.at, w->exits.len);
    py->dead = false;
}

void narrow_end(Scope *sc, size_t mark) {
    if (pyt_mark(sc->p->py) == mark) return;
    PyExit ways[2] = {pyt_leave(sc->p->py, mark), {NULL, 0, false}};
    ways[0].dead = false;
    pyt_join_exits(sc->p->py, ways, 2);
}
