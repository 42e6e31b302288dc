// infer.c - the types of expressions of one role's code, with what the context expects.

#include "typecheck/python/python.h"

const Ty *pyt_const_type(Py *py, const Const *c) {
    switch (c->kind) {
    case CONST_NONE: return py->none;
    case CONST_BOOL: return py->bool_;
    case CONST_INT: return py->int_;
    case CONST_FLOAT: return py->float_;
    case CONST_COMPLEX: return py->complex_;
    case CONST_STR: return py->str_;
    case CONST_BYTES: return py->bytes_;
    case CONST_ELLIPSIS: return py->any;
    }
    return py->any;
}

// ---- names ----

// The class around whose body binds it, which code inside does not see by its bare name.
static PySym *of_class_around(PyEnv *env, Sym name) {
    for (; env != NULL; env = env->outer) {
        PySym *s = env->kind == PYENV_CLASS ? pyt_symbol(env, name) : NULL;
        if (s != NULL && s->home->kind == PYENV_CLASS) return s;
    }
    return NULL;
}

static void note_class(PyEnv *env, Diag *d, const Expr *e, const PySym *attribute) {
    Sym class_ = attribute->home->class_->name, name = attribute->name;
    if (class_[0] == '<') class_ = attribute->home->class_->def->class_def.name;
    diag_label(d, attribute->at, "this is an attribute of `%s`", class_);
    const char *written = env->py->p->source->text.at + e->at.start;    // `__x` of `_C__x`
    size_t length = e->at.end - e->at.start;
    PyEnv *at = env;
    bool later = false;                 // it runs when the class is there
    for (; env != attribute->home; env = env->outer)
        later |= env->kind == PYENV_FUNCTION || env->lambda;
    if (later) {
        bool self = pyt_find(at, names_get(at->py->names, "self")) != NULL;
        const char *of = self ? "self" : class_;
        Help *h = diag_help(d, "write `%s.%.*s`", of, (int)length, written);
        diag_edit(d, h, e->at, "%s.%.*s", of, (int)length, written);
    } else
        diag_help(d, "in a comprehension, only the first iterable can use names of the enclosing "
                     "class: assign `%s` outside of `%s`", name, class_);
}

// `x` for `self.x`, which a method may set.
static bool help_self(PyEnv *env, Diag *d, const Expr *e) {
    Py *py = env->py;
    PySym *self = pyt_find(env, names_get(py->names, "self"));
    const Ty *t = self != NULL && self->is_param ? pyt_symbol_type(self) : py->any;
    const Ty *member = type_unknown(t) ? NULL : pyt_member(py, t, e->name.id);
    if (type_unknown(member)) return false;
    diag_edit(d, diag_help(d, "did you mean `self.%s`?", e->name.id),
              (Span){e->at.start, e->at.start}, "self.");
    return true;
}

static void report_unknown(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (program_misspelt_import(py->p, e->name.id)) return;
    Diag *d = pyt_report(py, e->at, DIAG_NAME_UNKNOWN, "name `%s` is not defined",
                         e->name.id);
    note_private(d, e);
    PySym *attribute = of_class_around(env, e->name.id);
    if (attribute != NULL) {
        note_class(env, d, e, attribute);
        return;
    }
    if (help_self(env, d, e)) return;
    Vec(Sym) near = {0};
    for (PyEnv *s = env; s != NULL; s = s->outer)
        for (size_t i = 0; i < s->order.len; i++) vec_push(py->arena, &near, s->order.at[i]);
    help_unknown(py->p, d, e->name.id, e->at, (SymList){near.at, near.len}, false);
}

bool pyt_name_bound(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (pyt_find(env, e->name.id) != NULL) return true;
    bool known = e->name.id[0] == '_' && e->name.id[1] == '_';
    known |= local_names_role(py->p, e->name.id);               // reported as what it is
    if (!known && py->builtins != NULL) report_unknown(env, e);
    return false;
}

static const Ty *super_type(PyEnv *env) {
    Py *py = env->py;
    PyClass *c = NULL;
    for (PyEnv *s = env; s != NULL && c == NULL; s = s->outer) c = s->class_;
    if (c == NULL) return py->any;
    pyt_class_ready(c);
    if (c->open || (c->bases.len > 1 && py->notes == NULL)) return py->any;
    return c->bases.len > 0 ? c->bases.at[0] : py->object;
}

static const Ty *infer_name(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    if (py->notes != NULL && sym_is(e->name.id, "super()")) return super_type(env);
    if (!pyt_name_bound(env, e)) return py->any;
    PySym *s = pyt_find(env, e->name.id);
    if (s->kind == PYSYM_VARIABLE && s->narrowed != NULL) return s->narrowed;
    if (s->kind == PYSYM_VARIABLE && s->home->kind == PYENV_FUNCTION && s->home != env &&
        s->state != PY_KNOWN && s->annotation == NULL && py->notes == NULL)
        return py->any;                     // captured before it has a value
    return pyt_symbol_type(s);
}

// ---- displays ----

static const Ty *remembered(PyEnv *env, const Expr *e, const Ty *expected) {
    const Ty *t = pyt_infer(env, e, expected);
    table_set(env->py->seen, e, (void *)t);
    return t;
}

// What the elements of a display that should be `expected` should be: Any, too, where that is said.
// Of a union, the members that are of this kind count if there are any.
static const Ty *expected_item(Py *py, const Ty *expected, size_t i, const char *kind) {
    if (expected == NULL) return NULL;
    if (expected->kind == TY_UNION) {
        const Ty *found = NULL;
        bool same = false;
        for (size_t j = 0; j < expected->union_.items.len; j++)
            same = same || type_is(expected->union_.items.at[j], kind);
        for (size_t j = 0; j < expected->union_.items.len; j++) {
            if (same && !type_is(expected->union_.items.at[j], kind)) continue;
            const Ty *t = expected_item(py, expected->union_.items.at[j], i, kind);
            if (t != NULL && found != NULL) return NULL;
            if (t != NULL) found = t;
        }
        return found;
    }
    if (expected->kind != TY_NAMED || i >= expected->named.args.len) return NULL;
    const Ty *t = expected->named.args.at[i];
    return t->kind == TY_POISON ? NULL : t;
}

static const Ty *element_of(PyEnv *env, const Expr *e, const Ty *item) {
    Py *py = env->py;
    if (e->kind != EXPR_STARRED) return remembered(env, e, item);
    return pyt_element(py, e->at, pyt_infer(env, e->starred.value, NULL));
}

// `[]` and `{}`, and tuples with one, are of the type of the others beside them: they are looked at
// behind those.
static bool is_empty(const Expr *e) {
    for (size_t i = 0; e->kind == EXPR_TUPLE && i < e->tuple.elts.len; i++)
        if (is_empty(e->tuple.elts.at[i])) return true;
    return (e->kind == EXPR_LIST && e->list.elts.len == 0) ||
        (e->kind == EXPR_DICT && e->dict.values.len == 0);
}

// [1, [2, [3]]] where a list of anything is wanted, or a union with one: what is in a list may be a
// list like this one, so the lists in it are lists of anything, too. ([[1], [2]] may be rows.)
static const Ty *tree_of(Py *py, const Ty *expected, const Ty *item, ExprList elts) {
    size_t lists = 0;
    for (size_t i = 0; i < elts.len; i++) lists += elts.at[i]->kind == EXPR_LIST;
    if (item == NULL || item->kind != TY_ANY) return NULL;
    bool mixed = lists > 0 && lists < elts.len;
    return expected->kind == TY_UNION || mixed ? expected : py->tree;
}

static const Ty *item_wanted(const Py *py, const Expr *e, const Ty *item) {
    bool inner = py->tree != NULL && item != NULL && item->kind == TY_ANY &&
        (e->kind == EXPR_LIST || e->kind == EXPR_DICT);
    return inner ? py->tree : item;
}

// Whether items of one type are kept so where Iterable[one | other] is wanted, which only reads.
static bool stays(const Ty *expected, const char *kind, const Ty *item, const Ty *all) {
    bool member = false;
    if (expected->kind != TY_NAMED || type_is(expected, kind) || item->kind != TY_UNION)
        return false;
    for (size_t i = 0; all != NULL && i < item->union_.items.len; i++)
        member = member || ir_equal_ty(item->union_.items.at[i], all);
    return member;
}

static const Ty *infer_elements(PyEnv *env, const char *kind, ExprList elts, const Ty *expected) {
    Py *py = env->py;
    const Ty *item = expected_item(py, expected, 0, kind), *all = NULL, *around = py->tree;
    bool fits = item != NULL;
    py->tree = strcmp(kind, "list") == 0 ? tree_of(py, expected, item, elts) : NULL;
    for (size_t i = 0; i < 2 * elts.len; i++) {
        const Expr *e = elts.at[i % elts.len];
        if (is_empty(e) != (i >= elts.len)) continue;
        const Ty *want = item != NULL ? item_wanted(py, e, item) : is_empty(e) ? all : NULL;
        const Ty *t = element_of(env, e, want);
        if (strcmp(kind, "set") == 0 && e->kind != EXPR_STARRED)
            pyt_check_hashable(py, e, t, "an element of a set");
        fits = fits && pyt_expr_fits(py, e, t, item);
        all = all == NULL ? pyt_erase_literal(py, t) : pyt_join(py, all, t);
    }
    py->tree = around;
    if (fits && !stays(expected, kind, item, all)) all = item;
    return pyt_name1(py, kind, all != NULL ? all : py->any);
}

static const Ty *infer_tuple(PyEnv *env, ExprList elts, const Ty *expected) {
    Py *py = env->py;
    Vec(const Ty *) items = {0};
    bool starred = false;
    if (expected != NULL && expected->kind == TY_UNION)
        for (size_t i = 0; i < expected->union_.items.len; i++) {
            const Ty *one = expected->union_.items.at[i];
            if (one->kind == TY_TUPLE && one->tuple.items.len == elts.len) {
                expected = one;
                break;
            }
        }
    for (size_t i = 0; i < elts.len; i++) {
        const Ty *want = expected == NULL ? NULL
            : expected->kind == TY_TUPLE && i < expected->tuple.items.len
            ? expected->tuple.items.at[i] : expected_item(py, expected, 0, "tuple");
        const Ty *t = elts.at[i]->kind == EXPR_STARRED
            ? pyt_infer(env, elts.at[i]->starred.value, NULL) : element_of(env, elts.at[i], want);
        if (elts.at[i]->kind == EXPR_STARRED && t->kind == TY_TUPLE) {
            for (size_t j = 0; j < t->tuple.items.len; j++)
                vec_push(py->arena, &items, t->tuple.items.at[j]);
            continue;
        }
        if (elts.at[i]->kind == EXPR_STARRED) {
            starred = true;
            t = pyt_element(py, elts.at[i]->at, t);
        }
        if (want != NULL && !type_unknown(want) && want->kind != TY_UNION &&
            !pyt_fits(py, t, want) && pyt_expr_fits(py, elts.at[i], t, want))
            t = want;
        vec_push(py->arena, &items, t);
    }
    if (!starred) return ty_tuple(py->arena, (TyList){items.at, items.len});
    if (expected != NULL && expected->kind == TY_TUPLE) return pyt_name1(py, "tuple", py->any);
    const Ty *all = NULL;
    for (size_t i = 0; i < items.len; i++) all = pyt_join(py, all, items.at[i]);
    return pyt_name1(py, "tuple", all);
}

static const Ty *infer_dict(PyEnv *env, const Expr *e, const Ty *expected) {
    Py *py = env->py;
    PyClass *c = expected != NULL && expected->kind == TY_NAMED ? pyt_class_of(py, expected) : NULL;
    if (c != NULL) pyt_class_ready(c);
    const Ty *key = expected_item(py, expected, 0, "dict");
    const Ty *value = expected_item(py, expected, 1, "dict"), *around = py->tree;
    const Ty *keys = NULL, *values = NULL;
    bool fits = key != NULL && value != NULL;
    py->tree = tree_of(py, expected, value, (ExprList){0});
    for (size_t n = e->dict.values.len, j = 0; j < 2 * n; j++) {
        size_t i = j % n;
        bool empty = e->dict.keys.at[i] != NULL && is_empty(e->dict.values.at[i]);
        if (empty != (j >= n)) continue;
        const Ty *k = e->dict.keys.at[i] != NULL ? remembered(env, e->dict.keys.at[i], key) : NULL;
        const Ty *v = remembered(env, e->dict.values.at[i], k == NULL ? expected
                                 : value != NULL ? item_wanted(py, e->dict.values.at[i], value)
                                 : empty ? values : NULL);
        if (k != NULL) pyt_check_hashable(py, e->dict.keys.at[i], k, "a key");
        if (k == NULL) {                    // **d
            k = pyt_element(py, (Span){0, 0}, v);
            v = type_is(v, "dict") && v->named.args.len == 2 ? v->named.args.at[1] : py->any;
        }
        fits = fits && pyt_expr_fits(py, e->dict.keys.at[i], k, key) &&
            pyt_expr_fits(py, e->dict.keys.at[i] != NULL ? e->dict.values.at[i] : NULL, v, value);
        keys = keys == NULL ? pyt_erase_literal(py, k) : pyt_join(py, keys, k);
        values = values == NULL ? pyt_erase_literal(py, v) : pyt_join(py, values, v);
    }
    py->tree = around;
    if (c != NULL && c->is_typed_dict) return expected;
    if (fits) keys = key, values = value;
    return pyt_name2(py, "dict", keys != NULL ? keys : py->any, values != NULL ? values : py->any);
}

// ---- scopes inside expressions ----

void pyt_bind_type(PyEnv *env, const Expr *t, const Ty *type) {
    Py *py = env->py;
    if (t->kind == EXPR_NAME) {
        PySym *s = pyt_bind(env, t->name.id, PYSYM_VARIABLE, t->at);
        s->state = PY_KNOWN;
        s->type = type;
        pyt_note(py, t, type);
        return;
    }
    pyt_note(py, t, type);
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    size_t star = elts.len;
    for (size_t i = 0; i < elts.len; i++)
        if (elts.at[i]->kind == EXPR_STARRED) star = i;
    for (size_t i = 0; i < elts.len; i++) {
        const Expr *e = elts.at[i]->kind == EXPR_STARRED ? elts.at[i]->starred.value : elts.at[i];
        pyt_bind_type(env, e, pyt_unpack(py, t->at, type, elts.len, i, star));
    }
}

static PyEnv *generators(PyEnv *env, ComprehensionList list) {
    Py *py = env->py;
    PyEnv *in = pyt_env_new(py, env, PYENV_INNER);
    for (size_t i = 0; i < list.len; i++) {
        const Comprehension *c = list.at[i];
        const Ty *iter = pyt_infer_iterable(i == 0 ? env : in, c->iter);
        pyt_bind_type(in, c->target, c->is_async ? py->any : pyt_element(py, c->iter->at, iter));
        for (size_t j = 0; j < c->ifs.len; j++) {
            (void)pyt_infer(in, c->ifs.at[j], NULL);
            pyt_assume(in, c->ifs.at[j], true);
        }
    }
    return in;
}

static const Ty *infer_comprehension(PyEnv *env, const char *kind, const Expr *elt,
                                     ComprehensionList list, const Ty *expected) {
    Py *py = env->py;
    size_t mark = pyt_mark(py);
    bool dead = py->dead;
    PyEnv *in = generators(env, list);
    const Ty *want = expected_item(py, expected, 0, kind), *t = remembered(in, elt, want);
    (void)pyt_leave(py, mark);
    py->dead = dead;
    if (strcmp(kind, "set") == 0) pyt_check_hashable(py, elt, t, "an element of a set");
    t = want != NULL && pyt_expr_fits(py, elt, t, want) ? want : pyt_erase_literal(py, t);
    if (strcmp(kind, "Generator") != 0) return pyt_name1(py, kind, t);
    const Ty *three[] = {t, py->none, py->none};
    return ty_named(py->arena, pyt_known(py, kind), pyt_list(py, 3, three));
}

static const Ty *infer_dict_comp(PyEnv *env, const Expr *e, const Ty *expected) {
    Py *py = env->py;
    size_t mark = pyt_mark(py);
    bool dead = py->dead;
    PyEnv *in = generators(env, e->dict_comp.generators);
    const Ty *key = expected_item(py, expected, 0, "dict");
    const Ty *value = expected_item(py, expected, 1, "dict");
    const Ty *k = remembered(in, e->dict_comp.key, key);
    const Ty *v = remembered(in, e->dict_comp.value, value);
    (void)pyt_leave(py, mark);
    py->dead = dead;
    pyt_check_hashable(py, e->dict_comp.key, k, "a key");
    if (key != NULL && pyt_expr_fits(py, e->dict_comp.key, k, key)) k = key;
    if (value != NULL && pyt_expr_fits(py, e->dict_comp.value, v, value)) v = value;
    return pyt_name2(py, "dict", pyt_erase_literal(py, k), pyt_erase_literal(py, v));
}

// ---- calls ----

typedef struct CallArgs { PyEnv *env; PyArg *args; } CallArgs;

static const Ty *infer_arg(void *cx, size_t i, const Ty *expected) {
    CallArgs *c = cx;
    return remembered(c->env, c->args[i].e, expected);
}

static PyCall call_of(PyEnv *env, const Expr *e, const Ty *expected) {
    Py *py = env->py;
    size_t n = e->call.args.len, m = e->call.keywords.len;
    PyArg *args = ARENA_ARRAY(py->arena, PyArg, n + m + 1);
    for (size_t i = 0; i < n; i++) {
        const Expr *a = e->call.args.at[i];
        bool star = a->kind == EXPR_STARRED;
        args[i] = (PyArg){.at = a->at, .e = star ? a->starred.value : a, .star = star};
    }
    for (size_t i = 0; i < m; i++) {
        const Keyword *k = e->call.keywords.at[i];
        args[n + i] = (PyArg){.at = k->at, .e = k->value, .keyword = k->arg,
                              .stars = k->arg == NULL};
    }
    CallArgs *cx = ARENA_NEW(py->arena, CallArgs);
    *cx = (CallArgs){env, args};
    return (PyCall){.at = e->at, .what = expr_text(py->p, e->call.func), .args = args,
                    .len = n + m, .cx = cx, .infer = infer_arg, .expected = expected};
}

static bool named(const Expr *f, const char *name) {
    return f->kind == EXPR_NAME && sym_is(f->name.id, name);
}

static const Ty *class_of_value(Py *py, const Ty *t) {
    const Ty *all = NULL;
    for (size_t i = 0; py->notes != NULL && t->kind == TY_UNION && i < t->union_.items.len; i++)
        all = pyt_union(py, all, pyt_name1(py, "type", t->union_.items.at[i]));
    return all != NULL ? all : pyt_name1(py, "type", t);
}

// Calls that mean something to the checker; NULL: an ordinary one.
static const Ty *special_call(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    const Expr *f = e->call.func;
    ExprList args = e->call.args;
    if (named(f, "super") && args.len == 0) return super_type(env);
    if (named(f, "type") && args.len == 1 && e->call.keywords.len == 0)
        return class_of_value(py, pyt_erase_literal(py, pyt_infer(env, args.at[0], NULL)));
    if (named(f, "reveal_type") && args.len == 1) return pyt_infer(env, args.at[0], NULL);
    if (pyt_expr_is(env, f, "cast") && args.len == 2) {
        (void)pyt_infer(env, args.at[1], NULL);
        return pyt_read(env, args.at[0]);
    }
    if (pyt_expr_is(env, f, "NewType") || pyt_expr_is(env, f, "TypeVar") ||
        pyt_expr_is(env, f, "NamedTuple") || pyt_expr_is(env, f, "TypedDict"))
        return py->any;
    return pyt_grad_call(env, e);
}

// A function that is called where it is written takes what it is given there.
static const Ty *called_lambda(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    Vec(const Ty *) given = {0};
    for (size_t i = 0; i < e->call.args.len; i++) {
        const Ty *t = pyt_infer(env, e->call.args.at[i], NULL);
        bool star = e->call.args.at[i]->kind == EXPR_STARRED;
        if (star && t->kind != TY_TUPLE) return pyt_infer(env, e->call.func, NULL);
        TyList parts = star ? t->tuple.items : (TyList){&t, 1};
        for (size_t j = 0; j < parts.len; j++)
            vec_push(py->arena, &given, pyt_erase_literal(py, parts.at[j]));
    }
    const Ty *want = ty_callable(py->arena, (TyList){given.at, given.len}, py->any);
    return pyt_infer(env, e->call.func, want);
}

// `xs: list[int | None] = field(default_factory=lambda: [None])`
static void infer_factory(PyEnv *env, PyCall *c) {
    Py *py = env->py;
    bool field = c->expected != NULL && env->kind == PYENV_CLASS;
    for (size_t i = 0; field && i < c->len; i++)
        if (c->args[i].keyword != NULL && sym_is(c->args[i].keyword, "default_factory"))
            c->args[i].ty = pyt_infer(env, c->args[i].e,
                                      ty_callable(py->arena, (TyList){0}, c->expected));
}

static void check_added(PyEnv *env, const Expr *e, const PyCall *c) {
    const Expr *f = e->call.func;
    if (f->kind != EXPR_ATTRIBUTE || c->len != 1 || !sym_is(f->attribute.attr, "add")) return;
    env->py->quiet++;
    const Ty *base = pyt_infer(env, f->attribute.value, NULL);
    env->py->quiet--;
    pyt_check_added(env->py, e, base, &c->args[0]);
}

static const Ty *call_noted(PyEnv *env, const Expr *e, const Ty *callee, PyCall *c) {
    Py *py = env->py;
    if (py->notes != NULL) infer_factory(env, c);
    if (py->notes != NULL && e->call.func->kind == EXPR_LAMBDA && e->call.keywords.len == 0)
        callee = called_lambda(env, e);
    const Ty *t = pyt_call(py, callee, c);
    check_added(env, e, c);
    if (py->notes != NULL) t = pyt_noted_result(env, e, c, t);
    pyt_note_callee(env->py, e->call.func, callee, c);
    pyt_learn_call(env, e, c);
    return t;
}

static const Ty *infer_call(PyEnv *env, const Expr *e, const Ty *callee, const Ty *expected) {
    Py *py = env->py;
    const Ty *special = special_call(env, e);
    if (special != NULL) return special;
    PyCall c = call_of(env, e, expected);
    const Expr *f = e->call.func;
    if (f->kind == EXPR_NAME) {             // an alias such as `Row = list[int]`, a NewType
        PySym *s = pyt_lookup(env, f);
        if (s != NULL && s->kind == PYSYM_VARIABLE && s->home->kind == PYENV_MODULE &&
            s->value != NULL && s->annotation == NULL) {
            py->quiet++;
            const Ty *t = pyt_read(env, f);
            py->quiet--;
            if (t->kind == TY_NAMED) return call_noted(env, e, pyt_name1(py, "type", t), &c);
        }
    }
    if (f->kind == EXPR_SUBSCRIPT) {
        const Ty *t = pyt_read(env, f);
        PySym *s = pyt_lookup(env, f->subscript.value);
        if (s != NULL && s->kind == PYSYM_CLASS && t->kind == TY_NAMED)
            return call_noted(env, e, pyt_name1(py, "type", t), &c);
    }
    const Ty *t = call_noted(env, e, callee, &c);
    if (pyt_is_never(t)) py->dead = true;
    return t;
}

// ---- operators ----

// What an operand of `or` is if it is what the whole is: of `a and b`, only `b` can be.
static const Ty *as_result(Py *py, const Expr *e, const Ty *t, bool truth) {
    bool last_only = e->kind == EXPR_BOOL_OP && (e->bool_op.op == BOOLOP_AND) == truth;
    if (last_only) {
        const Expr *last = e->bool_op.values.at[e->bool_op.values.len - 1];
        const Ty *known = table_get(py->seen, last);
        if (known != NULL) t = known;
    }
    return pyt_truthy(py, t, truth);
}

// What stands beside something is to be like it, if nothing else is asked of it.
static const Ty *alike(Py *py, const Ty *t) {
    return py->notes != NULL && t != NULL && !pyt_vague(t) ? pyt_without_none(py, t) : NULL;
}

static const Ty *infer_bool_op(PyEnv *env, const Expr *e, const Ty *expected) {
    Py *py = env->py;
    size_t mark = pyt_mark(py);
    bool dead = py->dead, and_ = e->bool_op.op == BOOLOP_AND;
    const Ty *all = NULL;
    for (size_t i = 0; i < e->bool_op.values.len; i++) {
        const Expr *v = e->bool_op.values.at[i];
        const Ty *t = remembered(env, v, i > 0 && expected == NULL ? alike(py, all) : expected);
        bool last = i + 1 == e->bool_op.values.len;
        all = pyt_union(py, all, last ? t : as_result(py, v, t, !and_));
        if (last) break;
        pyt_assume(env, v, and_);
        if (py->dead) break;
    }
    (void)pyt_leave(py, mark);
    py->dead = dead;
    return all;
}

static const Ty *either(Py *py, const Ty *a, const Ty *b, const Ty *expected) {
    if (a == NULL || b == NULL) return a != NULL ? a : b;
    bool both = expected != NULL && !type_unknown(expected) && pyt_fits(py, a, expected) &&
        pyt_fits(py, b, expected);
    return both ? pyt_union(py, a, b) : pyt_join(py, a, b);
}

static const Ty *want(Py *py, const Ty *before, const Ty *expected) {
    return expected != NULL ? expected : alike(py, before);
}

// `a if c else b if d else ...` is as long as it likes.
static const Ty *infer_if_exp(PyEnv *env, const Expr *e, const Ty *expected) {
    Py *py = env->py;
    bool dead = py->dead;
    size_t mark = pyt_mark(py);
    const Ty *all = NULL;
    for (; e->kind == EXPR_IF_EXP && !py->dead; e = e->if_exp.orelse) {
        (void)pyt_infer(env, e->if_exp.test, NULL);
        size_t inner = pyt_mark(py);
        pyt_assume(env, e->if_exp.test, true);
        if (!py->dead)
            all = either(py, all, remembered(env, e->if_exp.body, want(py, all, expected)),
                         expected);
        (void)pyt_leave(py, inner);
        py->dead = dead;
        pyt_assume(env, e->if_exp.test, false);
    }
    if (!py->dead) all = either(py, all, remembered(env, e, want(py, all, expected)), expected);
    (void)pyt_leave(py, mark);
    py->dead = dead;
    return all != NULL ? all : py->any;
}

static const Ty *infer_compare(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    const Expr *le = e->compare.left;
    const Ty *l = pyt_infer(env, le, NULL), *result = NULL;
    for (size_t i = 0; i < e->compare.ops.len; i++) {
        const Expr *re = e->compare.comparators.at[i];
        const Ty *r = remembered(env, re, alike(py, l));
        Cmpop op = e->compare.ops.at[i];
        pyt_compare(py, e->at, op, l, r, le, re);
        bool order = op != CMPOP_IS && op != CMPOP_IS_NOT && op != CMPOP_IN && op != CMPOP_NOT_IN;
        bool foreign = order && (type_unknown(l) || type_unknown(r));
        result = pyt_union(py, result, foreign ? py->any : py->bool_);
        l = r;
        le = re;
    }
    return result;
}

// `n ** -1`: an int to the power of a negative literal is a float.
static bool is_inverse(const Expr *e, const Ty *left) {
    const Expr *right = e->bin_op.right;
    const Expr *digits = e->bin_op.op == OPERATOR_POW && right->kind == EXPR_UNARY_OP &&
        right->unary_op.op == UNARYOP_U_SUB ? right->unary_op.operand : NULL;
    const Const *n = digits != NULL && digits->kind == EXPR_CONSTANT ? digits->constant.value
                                                                     : NULL;
    return n != NULL && n->kind == CONST_INT && strspn(n->text.at, "0") < n->text.len &&
        (type_is(left, "int") || type_is(left, "bool"));
}

static const Ty *infer_bin_op(PyEnv *env, const Expr *e, const Ty *left, const Ty *expected) {
    bool both = (expected != NULL || env->py->notes != NULL) && type_is(left, "list") &&
        (e->bin_op.op == OPERATOR_ADD || e->bin_op.op == OPERATOR_BIT_OR);
    table_set(env->py->seen, e->bin_op.left, (void *)left);
    const Ty *right = remembered(env, e->bin_op.right, both ? left : NULL);
    const Ty *t = pyt_binary(env->py, e->at, e->bin_op.op, left, right, e->bin_op.left,
                             e->bin_op.right);
    if (is_inverse(e, pyt_erase_literal(env->py, left))) return type_named(env->py->p, "float");
    bool power = e->bin_op.op == OPERATOR_POW && type_unknown(t);
    return power ? pyt_noted_power(env->py, left, right, t) : t;
}

static const Ty *narrowed_place(PyEnv *env, const Expr *e) {
    PySym *s = pyt_place(env, e);
    return s != NULL ? s->narrowed : NULL;
}

static const Ty *infer_attribute(PyEnv *env, const Expr *e, const Ty *base) {
    const Ty *known = narrowed_place(env, e);
    if (known != NULL) return known;
    return pyt_attribute(env->py, base, e);
}

static const Ty *infer_slice(PyEnv *env, const Expr *e) {
    const Expr *parts[] = {e->slice.lower, e->slice.upper, e->slice.step};
    for (int i = 0; i < 3; i++)
        if (parts[i] != NULL) (void)pyt_infer(env, parts[i], NULL);
    return type_named(env->py->p, "slice");
}

static const Ty *infer_named(PyEnv *env, const Expr *e, const Ty *expected) {
    const Ty *t = remembered(env, e->named_expr.value, expected);
    PyEnv *home = env;
    while (home->kind == PYENV_INNER && !home->lambda && home->outer != NULL) home = home->outer;
    pyt_assign(home, e->named_expr.target, t, e->named_expr.value, e->at);
    return t;
}

static const Ty *infer_yield(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    PyEnv *f = env;
    while (f != NULL && f->kind != PYENV_FUNCTION) f = f->outer;
    const Ty *want = f != NULL ? f->yields : NULL;
    const Ty *t = e->yield.value != NULL ? remembered(env, e->yield.value, want) : py->none;
    if (want != NULL && !pyt_expr_fits(py, e->yield.value, t, want)) {
        Diag *d = pyt_report(py, e->at, DIAG_TYPE_MISMATCH, "this generator must yield `%s`, but "
                                                            "the value is `%s`",
                            type_text(py->p, want), type_text(py->p, t));
        pyt_explain(py, d, e->yield.value, t, want);
    }
    bool sent = f != NULL && f->sends != NULL && (py->notes == NULL || !type_unknown(f->sends));
    return sent ? f->sends : py->notes != NULL ? py->none : py->any;
}

static const Ty *infer_yield_from(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    const Ty *t = pyt_infer(env, e->yield_from.value, NULL);
    (void)pyt_element(py, e->at, t);
    if (type_is(t, "Generator") && t->named.args.len == 3) return t->named.args.at[2];
    return py->notes != NULL ? py->none : py->any;
}

// ---- what projection makes of messages ----

static const Ty *infer_projected(PyEnv *env, const Expr *e, const Ty *expected) {
    Py *py = env->py;
    const Ty *unit = ty_named(py->arena, pyt_known(py, "Unit"), (TyList){0});
    if (e->kind == EXPR_UNIT) {
        for (size_t i = 0; i < e->unit.effects.len; i++)
            (void)pyt_infer(env, e->unit.effects.at[i], NULL);
        return unit;
    }
    if (e->kind == EXPR_SEND) {
        (void)pyt_infer(env, e->send.channel, NULL);
        const Ty *read = e->send.payload, *sent = remembered(env, e->send.value, read);
        if (!e->send.shared) return unit;
        return read == NULL || pyt_vague(read) ? sent : read;
    }
    if (e->kind == EXPR_SEND_LABEL) {
        (void)pyt_infer(env, e->send_label.channel, NULL);
        (void)pyt_infer(env, e->send_label.label, NULL);
        return unit;
    }
    (void)pyt_infer(env, e->recv.channel, NULL);
    const Ty *t = e->recv.payload;      // in a generic choreography: what may come, or Any
    bool wanted = expected != NULL && !type_unknown(expected) && (t == NULL || pyt_vague(t));
    return wanted ? expected : t != NULL ? t : py->any;
}

// ---- the judgement ----

// A node whose spine child has the type `below` (NULL for forms without a spine).
static const Ty *infer_node(PyEnv *env, const Expr *e, const Ty *below, const Ty *expected) {
    Py *py = env->py;
    switch (e->kind) {
    case EXPR_BOOL_OP: return infer_bool_op(env, e, expected);
    case EXPR_NAMED_EXPR: return infer_named(env, e, expected);
    case EXPR_BIN_OP: return infer_bin_op(env, e, below, expected);
    case EXPR_UNARY_OP: return pyt_unary(py, e->at, e->unary_op.op, below);
    case EXPR_LAMBDA: return pyt_infer_lambda(env, e, expected);
    case EXPR_IF_EXP: return infer_if_exp(env, e, expected);
    case EXPR_DICT: return infer_dict(env, e, expected);
    case EXPR_SET: return infer_elements(env, "set", e->set.elts, expected);
    case EXPR_LIST: return infer_elements(env, "list", e->list.elts, expected);
    case EXPR_TUPLE: return infer_tuple(env, e->tuple.elts, expected);
    case EXPR_LIST_COMP:
        return infer_comprehension(env, "list", e->list_comp.elt, e->list_comp.generators,
                                   expected);
    case EXPR_SET_COMP:
        return infer_comprehension(env, "set", e->set_comp.elt, e->set_comp.generators, expected);
    case EXPR_GENERATOR_EXP:
        return infer_comprehension(env, "Generator", e->generator_exp.elt,
                                   e->generator_exp.generators, expected);
    case EXPR_DICT_COMP: return infer_dict_comp(env, e, expected);
    case EXPR_AWAIT: return pyt_await(py, e->at, pyt_infer(env, e->await.value, NULL));
    case EXPR_YIELD: return infer_yield(env, e);
    case EXPR_YIELD_FROM: return infer_yield_from(env, e);
    case EXPR_COMPARE: return infer_compare(env, e);
    case EXPR_CALL: return infer_call(env, e, below, expected);
    case EXPR_FORMATTED_VALUE:
        (void)pyt_infer(env, e->formatted_value.value, NULL);
        if (e->formatted_value.format_spec != NULL)
            (void)pyt_infer(env, e->formatted_value.format_spec, NULL);
        return py->str_;
    case EXPR_JOINED_STR:
        for (size_t i = 0; i < e->joined_str.values.len; i++)
            (void)pyt_infer(env, e->joined_str.values.at[i], NULL);
        return py->str_;
    case EXPR_CONSTANT: return pyt_const_type(py, e->constant.value);
    case EXPR_ATTRIBUTE: return infer_attribute(env, e, below);
    case EXPR_SUBSCRIPT:
        if (narrowed_place(env, e) != NULL) return narrowed_place(env, e);
        return pyt_subscript(py, e->at, below, pyt_infer(env, e->subscript.slice, NULL),
                            e->subscript.slice);
    case EXPR_STARRED: return pyt_infer(env, e->starred.value, NULL);
    case EXPR_NAME: return infer_name(env, e);
    case EXPR_SLICE: return infer_slice(env, e);
    case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL:
        return infer_projected(env, e, expected);
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_COUNT:
        return e->ty != NULL ? e->ty : py->any;
    }
    return py->any;
}

// Does the type of a node need that of its spine child? (A conditional looks at its arms itself.)
static bool needs_below(const Expr *e) {
    return e->kind == EXPR_BIN_OP || e->kind == EXPR_UNARY_OP || e->kind == EXPR_ATTRIBUTE ||
        e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_CALL;
}

// `[None] * n`: the list is to be what the whole is.
static bool repeats(const Expr *e) {
    return e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_MULT &&
        e->bin_op.left->kind == EXPR_LIST;
}

const Ty *pyt_infer(PyEnv *env, const Expr *e, const Ty *expected) {
    Vec(const Expr *) chain = {0};
    const Expr *at = e;
    for (; needs_below(at); at = expr_spine_child(at)) vec_push(env->py->arena, &chain, at);
    const Ty *t = infer_node(env, at, NULL, chain.len == 0 || repeats(e) ? expected : NULL);
    iteration_order_note(env->py->p, at, t);
    pyt_note(env->py, at, t);
    for (size_t i = chain.len; i-- > 0;) {
        t = infer_node(env, chain.at[i], t, i == 0 ? expected : NULL);
        iteration_order_note(env->py->p, chain.at[i], t);
        pyt_note(env->py, chain.at[i], t);
    }
    return expected != NULL ? pyt_note_as(env->py, e, t, expected) : t;
}

// The items of a tuple that a loop goes over are of one type, as those of a list are.
const Ty *pyt_infer_iterable(PyEnv *env, const Expr *e) {
    Py *py = env->py;
    ExprList elts = e->kind == EXPR_TUPLE ? e->tuple.elts : (ExprList){0};
    const Ty **items = ARENA_ARRAY(py->arena, const Ty *, elts.len + 1), *all = NULL;
    bool plain = elts.len > 0;
    for (size_t i = 0; i < elts.len; i++) plain = plain && elts.at[i]->kind != EXPR_STARRED;
    if (!plain) return pyt_infer(env, e, NULL);
    for (size_t i = 0; i < 2 * elts.len; i++) {
        const Expr *one = elts.at[i % elts.len];
        if (is_empty(one) != (i >= elts.len)) continue;
        items[i % elts.len] = remembered(env, one, is_empty(one) ? all : NULL);
        all = pyt_join(py, all, items[i % elts.len]);
    }
    const Ty *t = ty_tuple(py->arena, (TyList){items, elts.len});
    iteration_order_note(py->p, e, t);
    pyt_note(py, e, t);
    return t;
}
