// symbol.c - the type of what a name is bound to.

#include "typecheck/python/python.h"

static const Ty *item_of(Py *py, const Expr *target, const Expr *wanted, const Ty *t) {
    if (target == wanted) return t;
    ExprList elts = target->kind == EXPR_TUPLE ? target->tuple.elts
        : target->kind == EXPR_LIST ? target->list.elts : (ExprList){0};
    size_t star = elts.len;
    for (size_t i = 0; i < elts.len; i++)
        if (elts.at[i]->kind == EXPR_STARRED) star = i;
    for (size_t i = 0; i < elts.len; i++) {
        const Expr *e = elts.at[i]->kind == EXPR_STARRED ? elts.at[i]->starred.value : elts.at[i];
        const Ty *item = pyt_unpack(py, (Span){0, 0}, t, elts.len, i, star);
        const Ty *found = item_of(py, e, wanted, item);
        if (found != NULL) return found;
    }
    return NULL;
}

const Expr *pyt_name_in(const Expr *target, Sym name) {
    if (target->kind == EXPR_NAME) return target->name.id == name ? target : NULL;
    if (target->kind == EXPR_ATTRIBUTE) return target->attribute.attr == name ? target : NULL;
    if (target->kind == EXPR_STARRED) return pyt_name_in(target->starred.value, name);
    ExprList elts = target->kind == EXPR_TUPLE ? target->tuple.elts
        : target->kind == EXPR_LIST ? target->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) {
        const Expr *e = pyt_name_in(elts.at[i], name);
        if (e != NULL) return e;
    }
    return NULL;
}

static bool is_none(const Expr *e) {
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE;
}

// A field that a method makes is what is known of its value there: the method is gone through.
static const Ty *field_value(PySym *s) {
    PyEnv *env = s->home;
    pyt_check_function(env->class_->env, env->def, env->class_);
    return s->state == PY_KNOWN ? s->type : NULL;
}

static const Ty *infer_value(PySym *s) {
    Py *py = s->home->py;
    if (s->target != NULL && s->target->kind == EXPR_ATTRIBUTE && s->home->def != NULL) {
        const Ty *t = field_value(s);
        if (t != NULL) return t;
    }
    if (s->value == NULL || s->target == NULL) return py->any;
    if (is_none(s->value) && s->target == pyt_name_in(s->target, s->name)) {
        if (s->later == NULL) return py->any;
        return pyt_union(py, pyt_erase_literal(py, pyt_infer(s->home, s->later, NULL)), py->none);
    }
    const Ty *t = pyt_erase_literal(py, pyt_infer(s->home, s->value, NULL));
    StmtKind k = s->stmt != NULL ? s->stmt->kind : STMT_ASSIGN;
    if (k == STMT_FOR) t = pyt_element(py, (Span){0, 0}, t);
    if (k == STMT_ASYNC_FOR || k == STMT_ASYNC_WITH) return py->any;
    bool swallows;
    if (k == STMT_WITH) t = pyt_enter(py, (Span){0, 0}, t, false, &swallows);
    const Expr *wanted = pyt_name_in(s->target, s->name);
    const Ty *found = wanted != NULL ? item_of(py, s->target, wanted, t) : NULL;
    return found != NULL ? found : py->any;
}

static bool only_final(const Expr *a) {
    Sym name = a->kind == EXPR_NAME ? a->name.id
        : a->kind == EXPR_ATTRIBUTE ? a->attribute.attr : NULL;
    return sym_is(name, "Final") || sym_is(name, "ClassVar");
}

static const Ty *variable_type(PySym *s) {
    Py *py = s->home->py;
    if (s->annotation != NULL && !only_final(s->annotation))
        return pyt_read(s->home, s->annotation);
    if (pyt_part(s) != NULL) return pyt_part(s);
    py->quiet++;
    bool dead = py->dead;
    const Ty *t = s->annotation != NULL && s->value != NULL
        ? pyt_erase_literal(py, pyt_infer(s->home, s->value, NULL)) : infer_value(s);
    py->dead = dead;
    py->quiet--;
    return t;
}

static const Ty *class_type(PySym *s) {
    Py *py = s->home->py;
    if (s->class_ == NULL) s->class_ = pyt_class_new(s->home, s->stmt, s->name);
    PyClass *c = s->class_;
    if (s->state == PY_ASKED) return pyt_name1(py, "type", py->any);
    s->state = PY_ASKED;
    pyt_class_ready(c);
    s->state = PY_KNOWN;
    const Ty **any = ARENA_ARRAY(py->arena, const Ty *, c->params.len + 1);
    for (size_t i = 0; i < c->params.len; i++) any[i] = py->any;
    return pyt_name1(py, "type", ty_named(py->arena, c->name, (TyList){any, c->params.len}));
}

static const Ty *import_type(PySym *s) {
    Py *py = s->home->py;
    PyModule *module;
    PySym *to = pyt_follow(s, &module);
    if (module != NULL)
        return pyt_name1(py, "module", ty_named(py->arena, module->name, (TyList){0}));
    return to != NULL ? pyt_symbol_type(to) : py->any;
}

const Ty *pyt_symbol_type(PySym *s) {
    Py *py = s->home->py;
    if (s->type != NULL) return s->type;
    if (s->kind == PYSYM_CLASS) return s->type = class_type(s);
    if (s->state == PY_ASKED) return py->any;       // it depends on itself
    s->state = PY_ASKED;
    const Ty *t = py->any;
    switch (s->kind) {
    case PYSYM_FUNCTION: t = pyt_callable(py, pyt_sigs_of_symbol(s)); break;
    case PYSYM_VARIABLE: t = variable_type(s); break;
    case PYSYM_IMPORT: t = import_type(s); break;
    case PYSYM_CLASS: case PYSYM_TYPE_VAR: case PYSYM_OPAQUE: break;
    }
    s->state = PY_KNOWN;
    return s->type = t;
}
