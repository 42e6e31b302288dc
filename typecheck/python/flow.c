// flow.c - what is known of variables where the program is: a trail of what was narrowed, taken
// back when an arm is left and joined where arms meet.

#include "typecheck/python/python.h"

size_t pyt_mark(const Py *py) { return py->trail.len; }

void pyt_set(Py *py, PySym *s, const Ty *narrowed) {
    if (s->narrowed == narrowed) return;
    PyChange c = {s, s->narrowed};
    vec_push(py->arena, &py->trail, c);
    s->narrowed = narrowed;
}

// What changed since the mark, and what it is now; the trail stays.
static PyExit now(Py *py, size_t mark) {
    Vec(PyChange) out = {0};
    unsigned stamp = ++py->stamp;
    for (size_t i = mark; i < py->trail.len; i++) {
        PySym *s = py->trail.at[i].sym;
        if (s->stamp == stamp) continue;
        s->stamp = stamp;
        PyChange c = {s, s->narrowed};
        vec_push(py->arena, &out, c);
    }
    return (PyExit){out.at, out.len, py->dead};
}

PyExit pyt_here(Py *py, size_t mark) { return now(py, mark); }

PyExit pyt_leave(Py *py, size_t mark) {
    PyExit e = now(py, mark);
    while (py->trail.len > mark) {
        PyChange *c = &py->trail.at[--py->trail.len];
        c->sym->narrowed = c->before;
    }
    return e;
}

// A variable of no type is only known to be what it is on all ways.
static const Ty *either(Py *py, const PySym *s, const Ty *a, const Ty *b) {
    if (s->type != NULL && type_unknown(s->type) && !pyt_same(py, a, b)) return NULL;
    return pyt_union(py, a, b);
}

// Goes on with what holds on every way that gets here. A variable that some way does not mention
// is there as it was before the ways parted.
void pyt_join_exits(Py *py, const PyExit *exits, size_t n) {
    Vec(PySym *) touched = {0};
    unsigned stamp = ++py->stamp;
    size_t live = 0;
    for (size_t i = 0; i < n; i++) {
        if (exits[i].dead) continue;
        live++;
        for (size_t j = 0; j < exits[i].len; j++) {
            PySym *s = exits[i].at[j].sym;
            const Ty *t = exits[i].at[j].before;
            if (s->stamp != stamp) {
                s->stamp = stamp;
                s->joined = t;
                s->joins = 1;
                vec_push(py->arena, &touched, s);
                continue;
            }
            s->joined = s->joined != NULL && t != NULL ? either(py, s, s->joined, t) : NULL;
            s->joins++;
        }
    }
    py->dead = live == 0;
    for (size_t i = 0; i < touched.len; i++) {
        PySym *s = touched.at[i];
        const Ty *t = s->joined;
        if (s->joins < live)
            t = t != NULL && s->narrowed != NULL ? either(py, s, t, s->narrowed) : NULL;
        pyt_set(py, s, t);
    }
}

// ---- places ----

static PySym *below(PyEnv *env, PySym *base, Sym attr) {
    PySym *root = base->root != NULL ? base->root : base;
    const char *dot = attr[0] == '[' ? "" : ".";
    Sym path = names_format(env->py->names, "%s%s%s", base->name, dot, attr);
    for (size_t i = 0; i < root->places.len; i++)
        if (root->places.at[i]->name == path) return root->places.at[i];
    if (root->places.len > 200) return NULL;
    PySym *s = ARENA_NEW(env->py->arena, PySym);
    *s = (PySym){.kind = PYSYM_VARIABLE, .name = path, .home = env, .root = root};
    vec_push(env->py->arena, &root->places, s);
    return s;
}

// `.x` and `[constant]` lead to a place; NULL: anything else.
static Sym step_of(Py *py, const Expr *e) {
    if (e->kind == EXPR_ATTRIBUTE) return e->attribute.attr;
    if (e->kind != EXPR_SUBSCRIPT) return NULL;
    const Expr *i = e->subscript.slice;
    bool minus = i->kind == EXPR_UNARY_OP && i->unary_op.op == UNARYOP_U_SUB;
    if (minus) i = i->unary_op.operand;
    if (i->kind != EXPR_CONSTANT) return NULL;
    const Const *c = i->constant.value;
    bool plain = (c->kind == CONST_INT || c->kind == CONST_STR) && c->text.len < 40 &&
        memchr(c->text.at, '\0', c->text.len) == NULL;
    return plain ? names_format(py->names, "[%s%s%.*s]", minus ? "-" : "",
                                c->kind == CONST_STR ? "'" : "", (int)c->text.len, c->text.at)
                 : NULL;
}

// A class has attributes that may change, too; the members of an enum are constants.
static PySym *base_of_place(PyEnv *env, const Expr *e) {
    PySym *s = e->kind == EXPR_NAME ? pyt_find(env, e->name.id) : NULL;
    bool holds = s != NULL && s->kind == PYSYM_CLASS && s->class_ != NULL && !s->class_->is_enum;
    return holds ? s : pyt_place(env, e);
}

PySym *pyt_place(PyEnv *env, const Expr *e) {
    if (e->kind == EXPR_NAMED_EXPR) e = e->named_expr.target;
    if (e->kind == EXPR_NAME) {
        PySym *s = pyt_find(env, e->name.id);
        return s != NULL && s->kind == PYSYM_VARIABLE ? s : NULL;
    }
    Sym step = step_of(env->py, e);
    const Expr *root = e;
    for (int depth = 0; step_of(env->py, root) != NULL; depth++) {
        if (depth == 4) return NULL;
        root = root->kind == EXPR_ATTRIBUTE ? root->attribute.value : root->subscript.value;
    }
    if (step == NULL || root->kind != EXPR_NAME) return NULL;
    PySym *base = base_of_place(env, e->kind == EXPR_ATTRIBUTE ? e->attribute.value
                                                               : e->subscript.value);
    return base != NULL ? below(env, base, step) : NULL;
}

void pyt_forget(Py *py, PySym *s) {
    PySym *root = s->root != NULL ? s->root : s;
    size_t n = strlen(s->name);
    for (size_t i = 0; i < root->places.len; i++) {
        Sym path = root->places.at[i]->name;
        bool below = strncmp(path, s->name, n) == 0 && (path[n] == '.' || path[n] == '[');
        if (below) pyt_set(py, root->places.at[i], NULL);
    }
}

// ---- conditions ----

static const Ty *infer_quietly(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    py->quiet++;
    const Ty *t = pyt_infer(env, e, NULL);
    py->quiet--;
    return t;
}

static const Ty *known_type(PyEnv *env, const Expr *e) {
    return env->checked && !type_unknown(e->ty) ? e->ty : infer_quietly(env, e);
}

static void narrow_to(PyEnv *env, const Expr *e, const Ty *t) {
    Py *py = env->py;
    PySym *s = pyt_place(env, e);
    if (s == NULL || t == NULL || (env->checked && type_unknown(t))) return;
    if (pyt_is_never(t)) py->dead = true;
    else pyt_set(py, s, t);
}

static const Ty *literal_of(PyEnv *env, const Expr *e) {
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind != CONST_NONE &&
        e->constant.value->kind != CONST_ELLIPSIS)
        return ty_literal(env->py->arena, e->constant.value);
    return known_type(env, e);
}

static void assume_compare(PyEnv *env, const Expr *e, bool truth) {
    Py *py = env->py;
    if (e->compare.ops.len != 1) return;
    const Expr *l = e->compare.left, *r = e->compare.comparators.at[0];
    Cmpop op = e->compare.ops.at[0];
    bool same = op == CMPOP_IS || op == CMPOP_EQ;
    if (same || op == CMPOP_IS_NOT || op == CMPOP_NOT_EQ) {
        bool equal = same == truth;
        if (pyt_place(env, l) != NULL)
            narrow_to(env, l, pyt_equal(py, known_type(env, l), literal_of(env, r), equal));
        else if (pyt_place(env, r) != NULL)
            narrow_to(env, r, pyt_equal(py, known_type(env, r), literal_of(env, l), equal));
        return;
    }
    bool in = (op == CMPOP_IN) == truth;
    if ((op != CMPOP_IN && op != CMPOP_NOT_IN) || !in || pyt_place(env, l) == NULL) return;
    const Ty *item = pyt_element(py, (Span){0, 0}, known_type(env, r)), *t = known_type(env, l);
    bool never_none = !type_unknown(item) && !pyt_fits(py, py->none, item) &&
        !type_is(item, "object");
    if (never_none) narrow_to(env, l, pyt_without_none(py, t));
}

// After `hasattr(x, "name")`, `x.name` is something, of which no more is known.
static void assume_attribute(PyEnv *env, const Expr *call) {
    Py *py = env->py;
    const Expr *name = call->call.args.len == 2 ? call->call.args.at[1] : NULL;
    if (name == NULL || name->kind != EXPR_CONSTANT || name->constant.value->kind != CONST_STR)
        return;
    const Ty *base = known_type(env, call->call.args.at[0]);
    Sym attr = names_intern(py->names, name->constant.value->text.at,
                            name->constant.value->text.len);
    if (pyt_member(py, base, attr) != NULL) return;
    PySym *s = below(env, pyt_place(env, call->call.args.at[0]), attr);
    if (s != NULL) pyt_set(py, s, py->any);
}

// A choreography calls the classes of other modules by the names that it has for them.
static const Ty *instance_of(PyEnv *env, const Ty *t, const Expr *classes, bool truth) {
    Py *py = env->py;
    const Ty *is = pyt_isinstance(py, t, infer_quietly(env, classes), truth);
    bool unnamed = env->checked && truth && !pyt_plain(is) && !pyt_is_never(is);
    if (!unnamed || type_unknown(t) || classes->kind != EXPR_NAME) return is;
    return ty_named(py->arena, classes->name.id, (TyList){0});
}

// After `is_text(x)`, a function that gives `TypeGuard[str]`.
static void assume_guard(PyEnv *env, const Expr *call, bool truth) {
    Py *py = env->py;
    const Ty *f = known_type(env, call->call.func);
    const PySigs *sigs = f->kind == TY_CALLABLE ? pyt_sigs_of(py, f) : NULL;
    const PySig *s = sigs != NULL && sigs->len == 1 ? sigs->at[0] : NULL;
    if (s == NULL || s->guards == NULL || s->params.len == 0 || (!truth && !s->guards_both)) return;
    const Expr *x = call->call.args.at[0];
    const Ty *has = known_type(env, x);
    PySolver solver = pyt_solver(py, s->own);
    pyt_solve(&solver, s->params.at[0].type, has);
    const Ty *is = pyt_solved(&solver, s->guards, py->any);
    if (env->checked && !pyt_plain(is)) return;
    if (s->guards_both) is = pyt_isinstance(py, has, pyt_name1(py, "type", is), truth);
    narrow_to(env, x, is);
}

static void assume_call(PyEnv *env, const Expr *e, bool truth) {
    Py *py = env->py;
    const Expr *f = e->call.func;
    if (e->call.args.len == 0 || pyt_place(env, e->call.args.at[0]) == NULL) return;
    assume_guard(env, e, truth);
    if (f->kind != EXPR_NAME) return;
    const Expr *x = e->call.args.at[0];
    if (sym_is(f->name.id, "isinstance") && e->call.args.len == 2)
        narrow_to(env, x, instance_of(env, known_type(env, x), e->call.args.at[1], truth));
    if (sym_is(f->name.id, "issubclass") && truth) narrow_to(env, x, py->any);
    if (sym_is(f->name.id, "hasattr") && truth) assume_attribute(env, e);
    if (sym_is(f->name.id, "callable")) {
        const Ty *t = known_type(env, x);
        if (t->kind != TY_UNION) return;
        const Ty *all = NULL;
        for (size_t i = 0; i < t->union_.items.len; i++)
            if ((t->union_.items.at[i]->kind == TY_CALLABLE) == truth)
                all = pyt_union(py, all, t->union_.items.at[i]);
        if (all != NULL) narrow_to(env, x, all);
    }
}

// `a or b` is true in as many ways as it has operands; each is taken alone, then they are joined.
static void assume_any(PyEnv *env, ExprList values, bool truth) {
    Py *py = env->py;
    size_t mark = pyt_mark(py);
    Vec(PyExit) ways = {0};
    bool dead = py->dead;
    for (size_t i = 0; i < values.len && i < 50; i++) {
        size_t inner = pyt_mark(py);
        bool before = py->dead;
        pyt_assume(env, values.at[i], truth);
        PyExit way = pyt_here(py, mark);
        (void)pyt_leave(py, inner);
        vec_push(py->arena, &ways, way);
        py->dead = before;
        pyt_assume(env, values.at[i], !truth);
    }
    (void)pyt_leave(py, mark);
    py->dead = dead;
    if (values.len <= 50) pyt_join_exits(py, ways.at, ways.len);
}

void pyt_assume(PyEnv *env, const Expr *e, bool truth) {
    Py *py = env->py;
    while (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT) {
        e = e->unary_op.operand;
        truth = !truth;
    }
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_BOOL) {
        if (e->constant.value->truth != truth) py->dead = true;
    } else if (e->kind == EXPR_BOOL_OP) {
        if ((e->bool_op.op == BOOLOP_AND) == truth)
            for (size_t i = 0; i < e->bool_op.values.len; i++)
                pyt_assume(env, e->bool_op.values.at[i], truth);
        else assume_any(env, e->bool_op.values, truth);
    } else if (e->kind == EXPR_COMPARE) {
        assume_compare(env, e, truth);
    } else if (e->kind == EXPR_CALL) {
        assume_call(env, e, truth);
    } else if (pyt_place(env, e) != NULL) {
        narrow_to(env, e, pyt_truthy(py, known_type(env, e), truth));
    }
}
