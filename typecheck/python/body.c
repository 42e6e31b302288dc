// body.c - statements of one role's code: assignments, calls, returns, and where control goes.
//
// Code that nobody gets to is not looked at; functions without annotations are not looked at
// inside, as Python's type checkers have it.

#include "compiler/ir/ty.h"
#include "typecheck/python/body.h"

// ---- assignments ----

static bool proper_narrowing(Py *py, const Ty *declared, const Ty *value) {
    if (type_unknown(declared) || type_unknown(value) || pyt_is_never(value)) return false;
    if (declared->kind == TY_UNION) return true;
    bool of_any = declared->kind == TY_NAMED && pyt_vague(declared);
    if (of_any && value->kind == TY_NAMED && value->named.name == declared->named.name)
        return false;                       // `list[Any]` says that it may hold anything
    bool number = type_is(declared, "float") || type_is(declared, "complex") ||
        type_is(declared, "bytes");
    return !number && value->kind != TY_LITERAL && pyt_fits(py, value, declared);
}

// After an assignment, a variable is what was assigned, as far as its declared type allows.
static const Ty *assigned_type(Py *py, const Ty *declared, const Ty *value, const Expr *e) {
    if (type_unknown(value) && declared->kind == TY_UNION) return py->any;
    if (!proper_narrowing(py, declared, value)) return NULL;
    if (declared->kind != TY_UNION) return pyt_same(py, declared, value) ? NULL : value;
    if (!pyt_fits(py, value, declared)) {            // a display that is one of the alternatives
        for (size_t i = 0; i < declared->union_.items.len; i++)
            if (pyt_expr_fits(py, e, value, declared->union_.items.at[i]))
                return declared->union_.items.at[i];
        return NULL;
    }
    TyList items = pyt_items(&value);
    for (size_t i = 0; i < items.len; i++)
        if (type_unknown(items.at[i])) return py->any;
    const Ty *all = NULL;
    for (size_t i = 0; i < items.len; i++) {        // int for `float | None` stays a float
        const Ty *into = items.at[i];
        bool direct = false;
        for (size_t j = 0; j < declared->union_.items.len && !direct; j++) {
            const Ty *alternative = declared->union_.items.at[j];
            direct = pyt_same(py, alternative, into);
            if (!direct && !pyt_vague(into) && !pyt_vague(alternative) &&
                pyt_fits(py, into, alternative) && pyt_fits(py, alternative, into))
                into = alternative;             // `list[float | int]` of a `list[float]`
        }
        for (size_t j = 0; j < declared->union_.items.len && !direct; j++) {
            const Ty *alternative = declared->union_.items.at[j];
            bool promoted = pyt_fits(py, into, alternative) &&
                (type_is(alternative, "float") || type_is(alternative, "complex"));
            if (promoted) into = alternative;
        }
        all = pyt_union(py, all, into);
    }
    return all;
}

static void mismatch(Py *py, Span at, const char *what, const Ty *want, const Ty *has,
                     const Expr *e) {
    bool none = e == NULL || (e->kind == EXPR_CONSTANT && has->kind == TY_NONE_TYPE);
    Diag *d = pyt_report(py, at, DIAG_TYPE_MISMATCH, "%s is `%s`, but %s is `%s`", what,
                        type_text(py->p, want), none ? "the value" : expr_text(py->p, e),
                        type_text(py->p, has));
    diag_primary(d, "`%s`", type_text(py->p, has));
    pyt_explain(py, d, e, has, want);
}

static bool is_none(const Ty *t) { return t->kind == TY_NONE_TYPE; }

// The first value decides the type of a variable that does not declare it.
static void decide(PySym *s, const Ty *value) {
    Py *py = s->home->py;
    const Ty *part = pyt_part(s);
    if (part != NULL) {
        s->state = PY_KNOWN;
        s->type = part;
        return;
    }
    if (is_none(value) && s->later != NULL) {
        py->quiet++;
        s->state = PY_ASKED;
        s->type = pyt_union(py, pyt_erase_literal(py, pyt_infer(s->home, s->later, NULL)), value);
        s->state = PY_KNOWN;
        py->quiet--;
        return;
    }
    s->state = PY_KNOWN;
    s->type = is_none(value) && py->notes == NULL ? py->any : pyt_erase_literal(py, value);
    if (s->or_none && !type_unknown(s->type)) s->type = pyt_union(py, s->type, py->none);
}

// A later assignment says what `[]` or None did not, and that what begins as a float may be an int.
static void learn_again(PySym *s, const Ty *declared, const Ty *value) {
    Py *py = s->home->py;
    if (py->notes == NULL || type_unknown(value) || is_none(value)) return;
    if (declared->kind == TY_ANY && s->annotation == NULL && pyt_part(s) == NULL) return;
    bool or_none = is_none(declared) || (declared->kind == TY_UNION &&
                                         pyt_fits(py, py->none, declared));
    if (type_is(declared, "float") && s->annotation == NULL && pyt_may_be(value, "int"))
        pyt_learn(s, pyt_union(py, declared, py->int_));
    else if (is_none(declared) || (pyt_vague(declared) && !pyt_vague(value)))
        pyt_learn(s, pyt_union(py, pyt_erase_literal(py, value), or_none ? py->none : NULL));
}

static void assign_name(PyEnv *env, const Expr *t, const Ty *value, const Expr *e, Span at) {
    Py *py = env->py;
    PySym *s = pyt_find(env, t->name.id);
    if (s == NULL || s->kind != PYSYM_VARIABLE || s->home->module != env->module) return;
    if (sym_is(s->name, "_") && s->annotation == NULL) {
        pyt_note(py, t, value);
        return;
    }
    pyt_forget(py, s);
    if (s->annotation == NULL && (s->type == NULL || s->state == PY_ASKED)) decide(s, value);
    const Ty *declared = pyt_symbol_type(s);
    pyt_note_target(py, t, s, value);
    learn_again(s, declared, value);
    if (!pyt_expr_fits(py, e, value, declared)) {
        mismatch(py, e != NULL ? e->at : at, names_format(py->names, "`%s`", s->name), declared,
                 value, e);
        pyt_set(py, s, NULL);
        return;
    }
    pyt_set(py, s, assigned_type(py, declared, value, e));
}

static void decide_field(PyEnv *env, const Ty *base, const Expr *t, const Ty *value) {
    if (type_is(base, "type") && base->named.args.len == 1) base = base->named.args.at[0];
    PyClass *c = base->kind == TY_NAMED ? pyt_class(env->py, base->named.name) : NULL;
    PySym *s = c != NULL ? table_get(c->env->symbols, t->attribute.attr) : NULL;
    if (s == NULL || s->annotation != NULL) return;
    if (s->target == t && s->type == NULL) decide(s, value);
    if (s->kind == PYSYM_VARIABLE && s->type != NULL) learn_again(s, s->type, value);
}

static void assign_attribute(PyEnv *env, const Expr *t, const Ty *value, const Expr *e, Span at) {
    Py *py = env->py;
    const Ty *base = pyt_infer(env, t->attribute.value, NULL), *declared;
    const char *why;
    if (type_unknown(base)) return;
    decide_field(env, base, t, value);
    if (py->notes != NULL) pyt_note(py, t, pyt_member(py, base, t->attribute.attr));
    if (!pyt_member_settable(py, base, t->attribute.attr, &declared, &why)) {
        bool self_only = why == NULL || declared == NULL;
        if (why != NULL) pyt_report(py, at, DIAG_TYPE_MISMATCH, "%s", why);
        else if (self_only) (void)pyt_attribute(py, base, t);
        return;
    }
    if (!pyt_expr_fits(py, e, value, declared)) {
        mismatch(py, e != NULL ? e->at : at, names_format(py->names, "`%s`", t->attribute.attr),
                 declared, value, e);
        return;
    }
    PySym *place = pyt_place(env, t);
    if (place == NULL) return;
    pyt_set(py, place, assigned_type(py, declared, value, e));
}

// `seen, order = {start}, []`: the list is of what the variable turns out to have.
static void note_empty(PyEnv *env, const Expr *t, const Expr *e) {
    bool empty = (e->kind == EXPR_LIST && e->list.elts.len == 0) ||
        (e->kind == EXPR_DICT && e->dict.values.len == 0);
    if (env->py->notes == NULL || !empty) return;
    PySym *s = t->kind == EXPR_NAME ? pyt_find(env, t->name.id) : NULL;
    const Ty *type = s != NULL ? pyt_symbol_type(s) : t->ty;
    if (type != NULL && type->kind == TY_NAMED && !pyt_vague(type)) pyt_note(env->py, e, type);
}

// A list that is only taken apart has no type of its own: where its items have nothing in common,
// each target gets the type of one.
static const Ty *parts_type(PyEnv *env, const Ty *list, ExprList parts) {
    Vec(const Ty *) items = {0};
    bool object = type_is(list, "list") && list->named.args.len == 1 &&
        type_is(list->named.args.at[0], "object");
    if (!object) return list;
    for (size_t i = 0; i < parts.len; i++) {
        if (parts.at[i]->kind == EXPR_STARRED) return list;
        vec_push(env->py->arena, &items, pyt_infer(env, parts.at[i], NULL));
    }
    return ty_tuple(env->py->arena, (TyList){items.at, items.len});
}

void pyt_assign(PyEnv *env, const Expr *t, const Ty *value, const Expr *e, Span at) {
    Py *py = env->py;
    if (t->kind == EXPR_NAME) assign_name(env, t, value, e, at);
    if (t->kind == EXPR_ATTRIBUTE) assign_attribute(env, t, value, e, at);
    if (t->kind == EXPR_STARRED) pyt_assign(env, t->starred.value, value, NULL, at);
    if (t->kind == EXPR_SUBSCRIPT) {
        const Ty *base = pyt_infer(env, t->subscript.value, NULL);
        const Ty *index = pyt_infer(env, t->subscript.slice, NULL);
        pyt_store(py, t->at, base, index, t->subscript.slice, value, e);
        pyt_note(py, t, value);
        pyt_learn_store(env, t, index, value);
        PySym *place = pyt_place(env, t);
        if (place != NULL) pyt_set(py, place, NULL);
    }
    if (t->kind != EXPR_TUPLE && t->kind != EXPR_LIST) return;
    pyt_note(py, t, value);
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts : t->list.elts;
    size_t star = elts.len;
    for (size_t i = 0; i < elts.len; i++)
        if (elts.at[i]->kind == EXPR_STARRED) star = i;
    ExprList parts = e == NULL ? (ExprList){0} : e->kind == EXPR_TUPLE ? e->tuple.elts
        : e->kind == EXPR_LIST ? e->list.elts : (ExprList){0};
    bool display = star == elts.len && parts.len == elts.len;
    if (display && e->kind == EXPR_LIST) value = parts_type(env, value, parts);
    for (size_t i = 0; i < elts.len; i++) {
        const Expr *part = display ? parts.at[i] : NULL;
        pyt_assign(env, elts.at[i], pyt_unpack(py, at, value, elts.len, i, star), part, at);
        if (part != NULL) note_empty(env, elts.at[i], part);
    }
}

// What a target wants of its value; NULL: nothing is known before the value is.
static const Ty *target_type(PyEnv *env, const Expr *t) {
    Py *py = env->py;
    const Ty *want = NULL;
    if (t->kind == EXPR_NAME) {
        PySym *s = pyt_find(env, t->name.id);
        bool known = s != NULL && s->kind == PYSYM_VARIABLE &&
            (s->annotation != NULL || pyt_part(s) != NULL ||
             (s->type != NULL && s->state == PY_KNOWN));
        if (known) want = pyt_symbol_type(s);
    } else if (t->kind == EXPR_ATTRIBUTE) {
        py->quiet++;
        const Ty *base = pyt_infer(env, t->attribute.value, NULL);
        want = type_unknown(base) ? NULL : pyt_member(py, base, t->attribute.attr);
        py->quiet--;
    } else if (t->kind == EXPR_SUBSCRIPT) {
        py->quiet++;
        const Ty *base = pyt_infer(env, t->subscript.value, NULL);
        if (type_is(base, "list") && base->named.args.len == 1 &&
            t->subscript.slice->kind != EXPR_SLICE)
            want = base->named.args.at[0];
        if (type_is(base, "dict") && base->named.args.len == 2) want = base->named.args.at[1];
        py->quiet--;
    } else if (t->kind == EXPR_TUPLE) {
        Vec(const Ty *) items = {0};
        for (size_t i = 0; i < t->tuple.elts.len; i++) {
            const Ty *one = target_type(env, t->tuple.elts.at[i]);
            vec_push(py->arena, &items, one != NULL ? one : py->any);
        }
        want = ty_tuple(py->arena, (TyList){items.at, items.len});
    }
    return want == NULL || type_unknown(want) ? NULL : want;
}

static void judge_assign_stmt(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    const Expr *v = s->assign.value;
    const Ty *want = target_type(env, s->assign.targets.at[0]);
    PySym *alias = s->assign.targets.at[0]->kind == EXPR_NAME
        ? pyt_find(env, s->assign.targets.at[0]->name.id) : NULL;
    if (alias != NULL && alias->kind == PYSYM_TYPE_VAR) return;
    const Ty *t = pyt_infer(env, v, want);
    table_set(py->seen, v, (void *)t);
    for (size_t i = 0; i < s->assign.targets.len; i++)
        pyt_assign(env, s->assign.targets.at[i], t, v, s->at);
    pyt_note_alias(env, s);
}

static void judge_annotated(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    const Expr *v = s->ann_assign.value;
    if (v == NULL) {
        const Ty *t = pyt_read(env, s->ann_assign.annotation);      // its names are known
        pyt_note(py, s->ann_assign.target, t);
        return;
    }
    Sym head = s->ann_assign.annotation->kind == EXPR_NAME ? s->ann_assign.annotation->name.id
        : NULL;
    if (sym_is(head, "TypeAlias")) return;
    const Ty *want = pyt_read(env, s->ann_assign.annotation);
    const Ty *t = pyt_infer(env, v, want);
    table_set(py->seen, v, (void *)t);
    bool field = env->kind == PYENV_CLASS && v->kind == EXPR_CALL;
    if (field) {
        pyt_note(py, s->ann_assign.target, want);
        if (pyt_vague(t)) pyt_note(py, v, want);
    } else pyt_assign(env, s->ann_assign.target, t, v, s->at);
}

static void judge_augmented(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    const Expr *t = s->aug_assign.target;
    const Ty *left = pyt_infer(env, t, NULL);
    const Ty *right = pyt_infer(env, s->aug_assign.value, NULL);
    table_set(py->seen, s->aug_assign.value, (void *)right);
    const Ty *result =
        pyt_augmented(py, s->at, s->aug_assign.op, left, right, s->aug_assign.value);
    PySym *place = py->notes != NULL && t->kind == EXPR_NAME ? pyt_find(env, t->name.id) : NULL;
    if (place != NULL) learn_again(place, left, right);
    if (result->kind != TY_POISON) pyt_assign(env, t, result, NULL, s->at);
}

static void judge_del(PyEnv *env, const Stmt *s) {
    for (size_t i = 0; i < s->delete.targets.len; i++) {
        const Expr *t = s->delete.targets.at[i];
        if (env->py->notes != NULL && t->kind != EXPR_SUBSCRIPT) (void)pyt_infer(env, t, NULL);
        if (t->kind != EXPR_SUBSCRIPT) continue;
        const Ty *base = pyt_infer(env, t->subscript.value, NULL);
        const Ty *key = pyt_infer(env, t->subscript.slice, NULL);
        pyt_remove(env->py, t->at, base, key, t->subscript.slice);
    }
}

// ---- results ----

static void judge_return(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    PyEnv *f = env;
    while (f->kind != PYENV_FUNCTION && f->outer != NULL) f = f->outer;
    const Expr *e = s->return_.value;
    const Ty *want = f->kind == PYENV_FUNCTION ? f->returns : NULL;
    const Ty *t = e != NULL ? pyt_infer(env, e, want) : py->none;
    if (e != NULL) table_set(py->seen, e, (void *)t);
    py->dead = true;
    if (want == NULL || (e == NULL && f->generator)) return;
    if (e != NULL && !f->generator) pyt_learn_result(env, e, want);
    if (e == NULL && !pyt_fits(py, py->none, want))
        pyt_report(py, s->at, DIAG_RETURN_MISSING, "this `return` must return `%s`",
                  type_text(py->p, want));
    else if (e != NULL && !pyt_expr_fits(py, e, t, want))
        mismatch(py, e->at, "the result", want, t, e);
}

static void judge_raise(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    const Expr *parts[] = {s->raise.exc, s->raise.cause};
    const Ty *base = type_named(py->p, "BaseException");
    for (int i = 0; i < 2; i++) {
        if (parts[i] == NULL) continue;
        const Ty *t = pyt_infer(env, parts[i], NULL);
        bool ok = pyt_fits(py, t, base) || pyt_fits(py, t, pyt_name1(py, "type", base)) ||
            (i == 1 && is_none(t));
        if (!ok)
            pyt_report(py, parts[i]->at, DIAG_TYPE_MISMATCH,
                      "exceptions must derive from `BaseException`, but %s is `%s`",
                      expr_text(py->p, parts[i]),
                      type_text(py->p, t));
    }
    py->dead = true;
}

// ---- branches ----

static void judge_if(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    size_t mark = pyt_mark(py);
    Vec(PyExit) exits = {0};
    StmtList orelse;
    for (;;) {
        int known = pyt_known_condition(s->if_.test);
        (void)pyt_infer(env, s->if_.test, NULL);
        size_t inner = pyt_mark(py);
        bool dead = py->dead;
        pyt_assume(env, s->if_.test, true);
        py->dead |= known == 0;
        pyt_check_body(env, s->if_.body);
        PyExit e = pyt_here(py, mark);
        (void)pyt_leave(py, inner);
        vec_push(py->arena, &exits, e);
        py->dead = dead;
        pyt_assume(env, s->if_.test, false);
        py->dead |= known == 1;
        orelse = s->if_.orelse;
        if (orelse.len != 1 || orelse.at[0]->kind != STMT_IF || py->dead) break;
        s = orelse.at[0];
    }
    pyt_check_body(env, orelse);
    PyExit last = pyt_here(py, mark);
    (void)pyt_leave(py, mark);
    vec_push(py->arena, &exits, last);
    pyt_join_exits(py, exits.at, exits.len);
}

// ---- loops ----

typedef struct Stores { PyEnv *env; bool narrowed; bool forget; } Stores;

static bool find_store(void *cx, const Expr *e) {
    Stores *f = cx;
    bool store = (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE) ||
        (e->kind == EXPR_ATTRIBUTE && e->attribute.ctx == EXPR_CONTEXT_STORE);
    PySym *s = store ? pyt_place(f->env, e) : NULL;
    if (s == NULL) return true;
    f->narrowed |= s->narrowed != NULL;
    for (size_t i = 0; i < s->places.len; i++) f->narrowed |= s->places.at[i]->narrowed != NULL;
    if (!f->forget) return true;
    pyt_set(f->env->py, s, NULL);
    pyt_forget(f->env->py, s);
    return true;
}

typedef struct Loop { const Expr *test, *target; const Ty *element; StmtList body; } Loop;

// One round; gives what holds where the test fails, or the iterable ends, in *out.
static void loop_round(PyEnv *env, const Loop *l, PyLoop *loop) {
    Py *py = env->py;
    if (l->test != NULL) {
        (void)pyt_infer(env, l->test, NULL);
        pyt_assume(env, l->test, true);
    } else pyt_assign(env, l->target, l->element, NULL, l->target->at);
    loop->outer = py->loop;
    py->loop = loop;
    pyt_check_body(env, l->body);
    py->loop = loop->outer;
}

// What a variable may be at the start of a round is found by trying one.
static void widen(PyEnv *env, const Loop *l) {
    Py *py = env->py;
    Stores f = {env, false, false};
    IrWalker w = {.cx = &f, .expr = find_store};
    ir_walk_stmts(&w, l->body);
    if (!f.narrowed) return;
    for (int i = 0; i < 2 && py->loops < 3; i++) {
        size_t mark = pyt_mark(py);
        PyLoop loop = {.mark = mark};
        bool dead = py->dead;
        py->quiet++;
        py->loops++;
        loop_round(env, l, &loop);
        py->loops--;
        py->quiet--;
        PyExit before = {NULL, 0, false}, end = pyt_leave(py, mark);
        py->dead = dead;
        vec_push(py->arena, &loop.continues, end);
        vec_push(py->arena, &loop.continues, before);
        pyt_join_exits(py, loop.continues.at, loop.continues.len);
        py->dead = dead;
    }
    if (py->loops < 3) return;
    f.forget = true;
    ir_walk_stmts(&w, l->body);
}

static void judge_loop(PyEnv *env, const Loop *l, StmtList orelse) {
    Py *py = env->py;
    widen(env, l);
    size_t mark = pyt_mark(py);
    bool dead = py->dead;
    PyLoop loop = {.mark = mark};
    loop_round(env, l, &loop);
    PyExit end = pyt_leave(py, mark), before = {NULL, 0, dead};
    vec_push(py->arena, &loop.continues, end);
    vec_push(py->arena, &loop.continues, before);
    pyt_join_exits(py, loop.continues.at, loop.continues.len);
    if (l->test != NULL) pyt_assume(env, l->test, false);
    pyt_check_body(env, orelse);
    PyExit ended = pyt_leave(py, mark);
    vec_push(py->arena, &loop.breaks, ended);
    pyt_join_exits(py, loop.breaks.at, loop.breaks.len);
}

static void judge_jump(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    if (py->loop != NULL) {
        PyExit e = pyt_here(py, py->loop->mark);
        if (s->kind == STMT_BREAK) vec_push(py->arena, &py->loop->breaks, e);
        else vec_push(py->arena, &py->loop->continues, e);
    }
    py->dead = true;
}

// The receiver of a selection goes on with one of the arms.
static void judge_offer(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    (void)pyt_infer(env, s->offer.channel, NULL);
    (void)pyt_infer(env, s->offer.enum_, NULL);
    size_t mark = pyt_mark(py);
    Vec(PyExit) exits = {0};
    for (size_t i = 0; i < s->offer.arms.len; i++) {
        (void)pyt_infer(env, s->offer.arms.at[i]->label, NULL);
        pyt_check_body(env, s->offer.arms.at[i]->body);
        PyExit e = pyt_leave(py, mark);
        vec_push(py->arena, &exits, e);
        py->dead = false;
    }
    pyt_join_exits(py, exits.at, exits.len);
}

// ---- with, try ----

static void judge_with(PyEnv *env, WithitemList items, StmtList body, bool async) {
    Py *py = env->py;
    bool swallows = false;
    for (size_t i = 0; i < items.len; i++) {
        bool one;
        const Expr *c = items.at[i]->context_expr;
        const Ty *t = pyt_enter(py, c->at, pyt_infer(env, c, NULL), async, &one);
        swallows |= one;
        if (items.at[i]->optional_vars != NULL)
            pyt_assign(env, items.at[i]->optional_vars, t, NULL, c->at);
    }
    bool dead = py->dead;
    size_t mark = pyt_mark(py);
    pyt_check_body(env, body);
    if (!swallows) return;
    PyExit exits[2] = {pyt_leave(py, mark), {NULL, 0, dead}};
    pyt_join_exits(py, exits, 2);
}

static void refuse_caught(Py *py, const Expr *named, const Ty *t) {
    Diag *d = pyt_report(py, named->at, DIAG_TYPE_MISMATCH,
                         "`except` needs an exception class or a tuple of exception classes, but "
                         "%s is `%s`", expr_text(py->p, named), type_text(py->p, t));
    if (named->kind == EXPR_CALL && pyt_fits(py, t, type_named(py->p, "BaseException")))
        diag_help(d, "write the class without a call: %s", expr_text(py->p, named->call.func));
    else if (named->kind == EXPR_LIST)
        diag_help(d, "write parentheses instead of brackets");
}

// The instance that a handler binds: of the class, or one of the classes, that it names.
static const Ty *caught(PyEnv *env, const Excepthandler *h) {
    Py *py = env->py;
    if (h->except_handler.type == NULL) return py->any;
    const Ty *t = pyt_infer(env, h->except_handler.type, NULL), *all = NULL;
    TyList items = t->kind == TY_TUPLE ? t->tuple.items : (TyList){&t, 1};
    const Ty *base = type_named(py->p, "BaseException");
    for (size_t i = 0; i < items.len; i++) {
        const Ty *c = items.at[i];
        const Expr *named = h->except_handler.type;
        if (t->kind == TY_TUPLE && named->kind == EXPR_TUPLE && named->tuple.elts.len == items.len)
            named = named->tuple.elts.at[i];
        if (type_unknown(c) || !type_is(c, "type") || c->named.args.len != 1) {
            bool wrong = !type_unknown(c) && c->kind == TY_NAMED && !type_is(c, "tuple") &&
                pyt_class_of(py, c) != NULL;
            if (wrong) refuse_caught(py, named, c);
            return py->any;
        }
        if (!pyt_fits(py, c->named.args.at[0], base))
            pyt_report(py, named->at, DIAG_TYPE_MISMATCH,
                       "`%s` does not derive from `BaseException`",
                      type_text(py->p, c->named.args.at[0]));
        all = pyt_union(py, all, c->named.args.at[0]);
    }
    return all != NULL ? all : py->any;
}

static void judge_handler(PyEnv *env, const Excepthandler *h, bool group) {
    Py *py = env->py;
    const Ty *t = caught(env, h);
    pyt_note_handler(py, h, t);
    if (h->except_handler.name != NULL) {
        PySym *s = pyt_find(env, h->except_handler.name);
        if (s != NULL && s->kind == PYSYM_VARIABLE) {
            s->state = PY_KNOWN;
            s->type = s->annotation == NULL ? py->any : s->type;
            pyt_set(py, s, group ? py->any : t);
        }
    }
    pyt_check_body(env, h->except_handler.body);
}

static void judge_try(PyEnv *env, StmtList body, ExcepthandlerList handlers, StmtList orelse,
                      StmtList finalbody, bool group) {
    Py *py = env->py;
    size_t mark = pyt_mark(py);
    bool dead = py->dead;
    pyt_check_body(env, body);
    PyExit middle = pyt_here(py, mark);
    pyt_check_body(env, orelse);
    Vec(PyExit) exits = {0};
    PyExit whole = pyt_leave(py, mark);
    vec_push(py->arena, &exits, whole);
    for (size_t i = 0; i < handlers.len; i++) {
        py->dead = dead;
        for (size_t j = 0; j < middle.len; j++) pyt_set(py, middle.at[j].sym, NULL);
        judge_handler(env, handlers.at[i], group);
        PyExit e = pyt_leave(py, mark);
        vec_push(py->arena, &exits, e);
    }
    pyt_join_exits(py, exits.at, exits.len);
    dead = py->dead;
    py->dead = false;               // `finally` is gone through in any case
    pyt_check_body(env, finalbody);
    py->dead |= dead;
}

// ---- definitions ----

static void judge_def(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    ExprList list = pyt_decorators(s);
    for (size_t i = 0; i < list.len; i++) {
        const Expr *d = list.at[i];
        bool accessor = d->kind == EXPR_ATTRIBUTE && d->attribute.value->kind == EXPR_NAME;
        if (!accessor) (void)pyt_infer(env, d, NULL);
    }
    const Arguments *a = pyt_arguments(s);
    for (size_t i = 0; i < a->kwonlyargs.len && py->notes != NULL; i++)
        if (a->kw_defaults.at[i] != NULL)
            (void)pyt_infer(env, a->kw_defaults.at[i],
                            pyt_read(env, a->kwonlyargs.at[i]->annotation));
    for (size_t i = 0; i < a->defaults.len; i++) {
        size_t n = a->posonlyargs.len + a->args.len - a->defaults.len + i;
        const Arg *arg = n < a->posonlyargs.len ? a->posonlyargs.at[n]
                                                : a->args.at[n - a->posonlyargs.len];
        const Ty *want = arg->annotation != NULL ? pyt_read(env, arg->annotation) : NULL;
        const Ty *t = pyt_infer(env, a->defaults.at[i], want);
        table_set(py->seen, a->defaults.at[i], (void *)t);
        bool open = ty_is_ellipsis(a->defaults.at[i]);
        if (want != NULL && !open && !pyt_has_vars(want, (SymList){0}) &&
            !pyt_expr_fits(py, a->defaults.at[i], t, want))
            mismatch(py, a->defaults.at[i]->at,
                     names_format(py->names, "parameter `%s`", arg->arg), want, t,
                     a->defaults.at[i]);
    }
    pyt_check_function(env, s, env->kind == PYENV_CLASS ? env->class_ : NULL);
}

// The stubs built in have every name of their modules, or say that there are more. Those of others
// may leave out what only some platforms or versions have.
static void judge_import(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    Sym from = s->import_from.module;
    PyModule *m = from != NULL && s->import_from.level == 0 ? pyt_module(py, from) : NULL;
    if (m == NULL || m->env->unread == NULL || m->name != from) return;
    const Ty *module = pyt_name1(py, "module", type_named(py->p, from));
    for (size_t i = 0; i < s->import_from.names.len; i++) {
        const Alias *a = s->import_from.names.at[i];
        Span at = {a->at.start, a->at.start + (uint32_t)strlen(a->name)};
        if (!sym_is(a->name, "*") && !sym_is(a->name, "abc"))
            (void)pyt_attribute_at(py, module, a->name, at, NULL);
    }
}

static void judge_stmt(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    switch (s->kind) {
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: judge_def(env, s); return;
    case STMT_CLASS_DEF: pyt_check_class(env, s); return;
    case STMT_RETURN: judge_return(env, s); return;
    case STMT_DELETE: judge_del(env, s); return;
    case STMT_ASSIGN: judge_assign_stmt(env, s); return;
    case STMT_AUG_ASSIGN: judge_augmented(env, s); return;
    case STMT_ANN_ASSIGN: judge_annotated(env, s); return;
    case STMT_FOR: {
        const Expr *iter = s->for_.iter;
        Loop l = {NULL, s->for_.target, pyt_element(py, iter->at, pyt_infer_iterable(env, iter)),
                  s->for_.body};
        judge_loop(env, &l, s->for_.orelse);
        return;
    }
    case STMT_ASYNC_FOR: {
        (void)pyt_infer(env, s->async_for.iter, NULL);
        Loop l = {NULL, s->async_for.target, py->any, s->async_for.body};
        judge_loop(env, &l, s->async_for.orelse);
        return;
    }
    case STMT_WHILE: {
        Loop l = {s->while_.test, NULL, NULL, s->while_.body};
        judge_loop(env, &l, s->while_.orelse);
        return;
    }
    case STMT_IF: judge_if(env, s); return;
    case STMT_WITH: judge_with(env, s->with.items, s->with.body, false); return;
    case STMT_ASYNC_WITH: judge_with(env, s->async_with.items, s->async_with.body, true); return;
    case STMT_MATCH: pyt_check_match(env, s); return;
    case STMT_RAISE: judge_raise(env, s); return;
    case STMT_TRY:
        judge_try(env, s->try.body, s->try.handlers, s->try.orelse, s->try.finalbody, false);
        return;
    case STMT_TRY_STAR:
        judge_try(env, s->try_star.body, s->try_star.handlers, s->try_star.orelse,
                  s->try_star.finalbody, true);
        return;
    case STMT_ASSERT: {
        (void)pyt_infer(env, s->assert.test, NULL);
        if (s->assert.msg != NULL) (void)pyt_infer(env, s->assert.msg, NULL);
        pyt_assume(env, s->assert.test, true);
        return;
    }
    case STMT_EXPR: (void)pyt_infer(env, s->expr.value, NULL); return;
    case STMT_BREAK: case STMT_CONTINUE: judge_jump(env, s); return;
    case STMT_IMPORT_FROM: judge_import(env, s); return;
    case STMT_TYPE_ALIAS: case STMT_IMPORT: case STMT_GLOBAL:
    case STMT_NONLOCAL: case STMT_PASS: case STMT_CHOREO: case STMT_TAPE:
    case STMT_KEEP: case STMT_BACK: case STMT_COUNT: return;
    case STMT_OFFER: judge_offer(env, s); return;
    case STMT_STOPPED: py->dead = true; return;
    }
}

void pyt_check_body(PyEnv *env, StmtList body) {
    for (size_t i = 0; i < body.len && !env->py->dead; i++) judge_stmt(env, body.at[i]);
}
