// record_types.c - what is written down while a program of a role is gone through: the type of each
// expression at its place, of parameters, of what patterns take, of variables where they are set.
//
// The nodes are copies that belong to who notes (typecheck/endpoint.c), so that each place is a
// node of its own, and they are written to. What a trial sees (an overload, the first rounds of a
// loop) counts only where nothing else sees the place.

#include "compiler/ir/ty.h"
#include "typecheck/python/python.h"

bool pyt_vague(const Ty *t) {
    if (type_unknown(t)) return true;
    TyList of = t->kind == TY_NAMED ? t->named.args : t->kind == TY_TUPLE ? t->tuple.items
        : t->kind == TY_UNION ? t->union_.items : (TyList){0};
    for (size_t i = 0; i < of.len; i++)
        if (pyt_vague(of.at[i])) return true;
    return false;
}

// ---- places ----

void pyt_note(Py *py, const Expr *e, const Ty *t) {
    PyNotes *n = py->notes;
    if (n == NULL || e == NULL || t == NULL) return;
    if (py->quiet > 0 && table_get(n->sure, e) != NULL) return;
    if (py->quiet == 0) table_set(n->sure, e, n);
    ((Expr *)e)->ty = t;
}

void pyt_note_target(Py *py, const Expr *target, PySym *s, const Ty *value) {
    if (py->notes == NULL) return;
    pyt_note(py, target, value);
    PyStore store = {.e = target, .sym = s};
    if (s != NULL) vec_push(py->arena, &py->notes->stores, store);
}

void pyt_note_callee(Py *py, const Expr *f, const Ty *callee, const PyCall *call) {
    bool function = callee->kind == TY_CALLABLE || type_is(callee, "type");
    if (function && call->solved != NULL) pyt_note(py, f, call->solved);
}

// ---- functions of several types as values ----

const Ty *pyt_result_for(Py *py, const Ty *function, TyList params) {
    PyArg *list = ARENA_ARRAY(py->arena, PyArg, params.len + 1);
    for (size_t i = 0; i < params.len; i++) {
        if (pyt_vague(params.at[i]) || params.at[i]->kind == TY_TYPE_VAR) return NULL;
        list[i] = (PyArg){.ty = params.at[i]};
    }
    PyCall c = {.what = "this", .args = list, .len = params.len};
    py->quiet++;
    const Ty *t = pyt_call(py, function, &c);
    py->quiet--;
    return type_unknown(t) ? NULL : t;
}

bool pyt_is_open_function(Py *py, const Ty *t) {
    return type_is(t, "type") || (t->kind == TY_CALLABLE && pyt_sigs_of(py, t) != NULL);
}

// What functions look like that are taken as a protocol which is called.
static const Ty *as_called(Py *py, const Ty *t) {
    PyClass *c = t->kind == TY_NAMED ? pyt_class(py, t->named.name) : NULL;
    if (c != NULL) pyt_class_ready(c);
    const Ty *call = c != NULL && c->is_protocol
        ? pyt_member(py, t, names_get(py->names, "__call__")) : NULL;
    return call != NULL ? call : t;
}

const Ty *pyt_function_as(Py *py, const Ty *function, const Ty *want) {
    TyList all = want != NULL ? pyt_items(&want) : (TyList){0};
    for (size_t i = 0; i < all.len && pyt_is_open_function(py, function); i++) {
        const Ty *t = as_called(py, all.at[i]);
        if (t->kind != TY_CALLABLE || pyt_any_params(t)) continue;
        const Ty *result = pyt_result_for(py, function, t->callable.params);
        if (result == NULL) continue;
        bool said = t->callable.result != NULL && !pyt_vague(t->callable.result) &&
            t->callable.result->kind != TY_TYPE_VAR && pyt_fits(py, result, t->callable.result);
        return ty_callable(py->arena, t->callable.params, said ? t->callable.result : result);
    }
    return function;
}

static bool names_function(const Expr *e) {
    return e != NULL && (e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE);
}

const Ty *pyt_note_as(Py *py, const Expr *e, const Ty *t, const Ty *want) {
    if (py->notes == NULL || !names_function(e)) return t;
    const Ty *as = pyt_function_as(py, t, want);
    pyt_note(py, e, as);
    return as;
}

// ---- parameters, handlers, patterns ----

void pyt_note_arg(Py *py, const Arg *arg, const Ty *t) {
    if (py->notes != NULL && arg != NULL) ((Arg *)arg)->ty = t;
}

void pyt_note_handler(Py *py, const Excepthandler *h, const Ty *t) {
    if (py->notes != NULL) ((Excepthandler *)h)->ty = t;
}

void pyt_note_pattern(Py *py, const Pattern *p, const Ty *given) {
    if (py->notes == NULL || (py->quiet > 0 && table_get(py->notes->sure, p) != NULL)) return;
    if (py->quiet == 0) table_set(py->notes->sure, p, py->notes);
    ((Pattern *)p)->ty = given;
    const Expr *value = p->kind == PATTERN_MATCH_VALUE ? p->match_value.value : NULL;
    if (value != NULL && value->kind == EXPR_CONSTANT)
        pyt_note(py, value, pyt_const_type(py, value->constant.value));
}

void pyt_note_captured(Py *py, const Pattern *p, PySym *s) {
    if (py->notes == NULL) return;
    PyStore store = {.p = p, .sym = s};
    vec_push(py->arena, &py->notes->stores, store);
}

// ---- variables that begin as nothing in particular ----

// The name in a target; in a tuple only beside values that are written out.
static const Expr *begun(const Expr *target, const Expr *value, Sym name) {
    if (target->kind != EXPR_TUPLE && target->kind != EXPR_LIST) return pyt_name_in(target, name);
    ExprList elts = target->kind == EXPR_TUPLE ? target->tuple.elts : target->list.elts;
    if (value == NULL || value->kind != EXPR_TUPLE || value->tuple.elts.len != elts.len)
        return NULL;
    const Expr *found = NULL;
    for (size_t i = 0; i < elts.len && found == NULL; i++) {
        const Expr *part = value->tuple.elts.at[i];
        if (elts.at[i]->kind == EXPR_STARRED || part->kind == EXPR_STARRED) return NULL;
        found = begun(elts.at[i], part, name);
    }
    return found;
}

// Where a variable begins; NULL: not by an assignment that says how.
static const Expr *beginning(const PySym *s) {
    if (s->target == NULL || (s->target->kind != EXPR_TUPLE && s->target->kind != EXPR_LIST))
        return s->target;
    bool assigned = s->stmt == NULL || s->stmt->kind == STMT_ASSIGN;
    return assigned ? begun(s->target, s->value, s->name) : NULL;
}

const Ty *pyt_part(const PySym *s) {
    const PyNotes *n = s->home->py->notes;
    const Expr *at = n != NULL && s->annotation == NULL ? beginning(s) : NULL;
    return at != NULL ? table_get(n->parts, at) : NULL;
}

void pyt_learn(PySym *s, const Ty *t) {
    Py *py = s->home->py;
    bool open = py->notes != NULL && s->kind == PYSYM_VARIABLE && s->annotation == NULL;
    const Expr *at = open ? beginning(s) : NULL;
    if (at == NULL || type_unknown(t)) return;
    const Ty *known = table_get(py->notes->parts, at);
    if (known != NULL && (!pyt_vague(known) || pyt_same(py, known, t))) return;
    table_set(py->notes->parts, at, (void *)t);
    py->notes->learned = true;
}

// The variable that an expression names, if its type says too little; NULL: none.
static PySym *vague_variable(PyEnv *env, const Expr *e) {
    PySym *s = NULL;
    if (e->kind == EXPR_NAME) s = pyt_find(env, e->name.id);
    if (e->kind == EXPR_ATTRIBUTE && e->attribute.value->ty != NULL) {
        const Ty *at;
        bool open = false;
        if (e->attribute.value->ty->kind == TY_NAMED)
            s = pyt_class_member(env->py, e->attribute.value->ty, e->attribute.attr, &at, &open);
    }
    bool ours = s != NULL && s->kind == PYSYM_VARIABLE && s->annotation == NULL &&
        s->home->module == env->module;
    return ours && s->type != NULL && s->type->kind == TY_NAMED && pyt_vague(s->type) ? s : NULL;
}

// `old` with its parts that are not known as given (NULL: nothing is known of it either).
static const Ty *with_parts(Py *py, const Ty *old, const Ty *first, const Ty *second) {
    const Ty *given[] = {first, second};
    TyList parts = old->named.args;
    const Ty **args = ARENA_ARRAY(py->arena, const Ty *, parts.len + 1);
    for (size_t i = 0; i < parts.len; i++) {
        bool better = i < 2 && given[i] != NULL && pyt_vague(parts.at[i]);
        args[i] = better ? pyt_erase_literal(py, given[i]) : parts.at[i];
    }
    return ty_named(py->arena, old->named.name, (TyList){args, parts.len});
}

static const Ty *with_whole(Py *py, const Ty *old, const Ty *from) {
    if (old->named.args.len != 2)
        return with_parts(py, old, pyt_element(py, (Span){0, 0}, from), NULL);
    PyClass *dict = pyt_class(py, pyt_known(py, "dict"));
    const Ty *d = dict != NULL ? pyt_as(py, from, dict) : NULL;
    bool known = d != NULL && d->named.args.len == 2;
    return known ? with_parts(py, old, d->named.args.at[0], d->named.args.at[1]) : old;
}

// What a container turns out to be when its method is called.
static const Ty *after_call(Py *py, const Ty *old, Sym method, const PyCall *c) {
    static const char *const ADD[] = {"append", "add", "appendleft", NULL};
    static const char *const WHOLE[] = {"extend", "update", "extendleft", NULL};
    const Ty *first = c->args[0].ty, *last = c->args[c->len - 1].ty;
    if (first == NULL || last == NULL) return old;
    if (sym_is_one_of(method, ADD)) return with_parts(py, old, first, NULL);
    if (sym_is_one_of(method, WHOLE)) return with_whole(py, old, first);
    if (sym_is(method, "insert") && c->len == 2) return with_parts(py, old, last, NULL);
    return sym_is(method, "setdefault") && c->len == 2 ? with_parts(py, old, first, last) : old;
}

void pyt_learn_call(PyEnv *env, const Expr *call, const PyCall *c) {
    Py *py = env->py;
    const Expr *f = call->call.func;
    if (py->notes == NULL || f->kind != EXPR_ATTRIBUTE || c->len == 0) return;
    const Expr *on = f->attribute.value;
    PySym *s = vague_variable(env, on->kind == EXPR_SUBSCRIPT ? on->subscript.value : on);
    if (s == NULL) return;
    if (on->kind != EXPR_SUBSCRIPT) {
        pyt_learn(s, after_call(py, s->type, f->attribute.attr, c));
        return;
    }
    const Ty *item = on->ty, *key = on->subscript.slice->ty;    // `d[k].append(v)`
    bool inner = item != NULL && item->kind == TY_NAMED && s->type->named.args.len == 2;
    if (inner)
        pyt_learn(s, with_parts(py, s->type, key, after_call(py, item, f->attribute.attr, c)));
}

void pyt_learn_store(PyEnv *env, const Expr *target, const Ty *index, const Ty *value) {
    Py *py = env->py;
    if (py->notes == NULL || target->subscript.slice->kind == EXPR_SLICE) return;
    PySym *s = vague_variable(env, target->subscript.value);
    if (s == NULL) return;
    bool pairs = s->type->named.args.len == 2;
    pyt_learn(s, with_parts(py, s->type, pairs ? index : value, pairs ? value : NULL));
}

static bool is_empty(const Expr *e) {
    return (e->kind == EXPR_LIST && e->list.elts.len == 0) ||
        (e->kind == EXPR_DICT && e->dict.values.len == 0);
}

// What is given something of another type than its default may be of any.
void pyt_learn_given(Py *py, const PyParam *q, const Ty *given) {
    if (q->lambda == NULL || q->lambda->ty == NULL || given == NULL ||
        type_unknown(q->lambda->ty) || pyt_same(py, pyt_erase_literal(py, given), q->lambda->ty))
        return;
    table_set(py->notes->parts, q->lambda, (void *)py->any);
    py->notes->learned = true;
}

void pyt_learn_result(PyEnv *env, const Expr *e, const Ty *want) {
    PySym *s = env->py->notes != NULL && e->kind == EXPR_NAME ? vague_variable(env, e) : NULL;
    bool says = s != NULL && want->kind == TY_NAMED && want->named.name == s->type->named.name &&
        !pyt_vague(want);
    const Expr *made = says ? s->value : NULL;
    bool called = made != NULL && made->kind == EXPR_CALL && made->call.args.len == 0 &&
        made->call.keywords.len == 0;       // `dict()`
    if (made != NULL && (called || is_empty(made))) pyt_learn(s, want);
}

// ---- what Python's typing leaves open ----

static bool whole(const Ty *t) { return type_is(t, "int") || type_is(t, "bool"); }

// A power of ints is an int unless the exponent is negative, which only its value shows. One of
// floats may be complex.
const Ty *pyt_noted_power(Py *py, const Ty *left, const Ty *right, const Ty *t) {
    bool ints = py->notes != NULL && whole(pyt_erase_literal(py, left)) &&
        whole(pyt_erase_literal(py, right));
    bool first = type_is(left, "float"), second = type_is(right, "float");
    bool floats = py->notes != NULL && first && whole(right);
    if (py->notes != NULL && py->notes->real)
        floats = (first || second) && (first || whole(left)) && (second || whole(right));
    return ints ? py->int_ : floats ? py->float_ : t;
}

const Ty *pyt_noted_tuple(Py *py, const Ty *t) {
    return py->notes != NULL ? pyt_named_tuple(py, t) : t;
}

const Ty *pyt_named_tuple(Py *py, const Ty *t) {
    PyClass *c = t->kind == TY_NAMED ? pyt_class(py, t->named.name) : NULL;
    if (c != NULL) pyt_class_ready(c);
    if (c == NULL || !c->is_tuple || c->module->stub) return t;
    PySigs made = pyt_constructor(py, c, t);
    if (made.len != 1 || made.at[0]->any_args) return t;
    Vec(const Ty *) parts = {0};
    for (size_t i = 0; i < made.at[0]->params.len; i++) {
        const Ty *part = pyt_member(py, t, made.at[0]->params.at[i].name);
        vec_push(py->arena, &parts, part != NULL ? part : py->any);
    }
    return ty_tuple(py->arena, (TyList){parts.at, parts.len});
}

// The tuples that `zip` makes of arguments among which is a starred one; NULL: none is. Of tuples
// the number of items is known.
static const Ty *zipped(Py *py, const PyCall *c) {
    const Span quiet = {0, 0};
    const Ty *all = NULL;
    Vec(const Ty *) parts = {0};
    bool star = false, open = false;
    for (size_t i = 0; i < c->len; i++) {
        const PyArg *a = &c->args[i];
        if (a->keyword != NULL) continue;
        if (a->ty == NULL || a->stars) return NULL;
        bool tuple = a->star && a->ty->kind == TY_TUPLE;
        for (size_t j = 0; tuple && j < a->ty->tuple.items.len; j++)
            vec_push(py->arena, &parts, pyt_element(py, quiet, a->ty->tuple.items.at[j]));
        if (!tuple) {
            const Ty *iterable = a->star ? pyt_element(py, quiet, a->ty) : a->ty;
            vec_push(py->arena, &parts, pyt_element(py, quiet, iterable));
        }
        star |= a->star;
        open |= a->star && !tuple;
    }
    for (size_t i = 0; i < parts.len; i++) all = pyt_union(py, all, parts.at[i]);
    if (!star || all == NULL) return NULL;
    return open ? pyt_name1(py, "tuple", all)
                : ty_tuple(py->arena, (TyList){parts.at, parts.len});
}

static bool is_builtin(PyEnv *env, const Expr *e, const char *name) {
    PySym *s = e != NULL && e->kind == EXPR_NAME && sym_is(e->name.id, name)
        ? pyt_find(env, e->name.id) : NULL;
    return s != NULL && s->home->module->stub;
}

// `getattr(x, "name")` is `x.name`, or what is given besides. NULL: nothing is known of it.
static const Ty *attribute_named(PyEnv *env, const Expr *call, const PyCall *c) {
    Py *py = env->py;
    const Expr *name = c->len > 1 ? c->args[1].e : NULL;
    bool known = is_builtin(env, call->call.func, "getattr") && name != NULL &&
        name->kind == EXPR_CONSTANT && name->constant.value->kind == CONST_STR;
    if (!known || c->args[0].ty == NULL) return NULL;
    Text text = name->constant.value->text;
    const Ty *t = pyt_member(py, c->args[0].ty, names_intern(py->names, text.at, text.len));
    bool either = t != NULL && c->len == 3 && c->args[2].ty != NULL;
    return either ? pyt_union(py, t, pyt_erase_literal(py, c->args[2].ty)) : t;
}

// What `map(max, *rows)` gives: one of the items. NULL: it is nothing like that.
static const Ty *greatest_of_rows(PyEnv *env, const PyCall *c) {
    Py *py = env->py;
    const Span quiet = {0, 0};
    const Ty *all = NULL;
    bool star = false;
    const Expr *f = c->len > 1 ? c->args[0].e : NULL;
    if (!is_builtin(env, f, "max") && !is_builtin(env, f, "min")) return NULL;
    for (size_t i = 1; i < c->len; i++) {
        const PyArg *a = &c->args[i];
        if (a->keyword != NULL || a->stars || a->ty == NULL) return NULL;
        const Ty *iterable = a->star ? pyt_element(py, quiet, a->ty) : a->ty;
        all = pyt_union(py, all, pyt_element(py, quiet, iterable));
        star |= a->star;
    }
    return star && !type_unknown(all) ? all : NULL;
}

const Ty *pyt_noted_result(PyEnv *env, const Expr *call, PyCall *c, const Ty *t) {
    Py *py = env->py;
    const Expr *f = call->call.func;
    Sym name = f->kind == EXPR_NAME ? f->name.id : f->kind == EXPR_ATTRIBUTE ? f->attribute.attr
        : NULL;
    const Ty *row = sym_is(name, "zip") && type_is(t, "zip") ? zipped(py, c) : NULL;
    const Ty *item = sym_is(name, "map") && type_is(t, "map") ? greatest_of_rows(env, c) : NULL;
    if (row != NULL) {                  // `zip(*rows)`: as many as there are
        t = pyt_name1(py, "zip", row);
    } else if (item != NULL) {
        t = pyt_name1(py, "map", item);
    } else if (!type_unknown(t)) {
        return t;
    }
    if (sym_is(name, "auto") && c->len == 0) t = py->int_;
    if (sym_is(name, "getattr") && f->kind == EXPR_NAME) {
        const Ty *found = attribute_named(env, call, c);
        if (found != NULL) t = found;
    }
    if (sym_is(name, "pow") && f->kind == EXPR_NAME && c->len == 2)
        t = pyt_noted_power(py, c->args[0].ty, c->args[1].ty, t);
    if (c->solved != NULL && !type_unknown(t))
        c->solved = ty_callable(py->arena, c->solved->callable.params, t);
    return t;
}

// `Row = list[int]`, `Maybe = Optional[int]`, `Id = NewType("Id", int)`: a type by another name.
void pyt_note_alias(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    const Expr *t = s->assign.targets.at[0], *v = s->assign.value;
    bool type_ = v->kind == EXPR_SUBSCRIPT || v->kind == EXPR_BIN_OP || v->kind == EXPR_CALL;
    if (py->notes == NULL || t->kind != EXPR_NAME || !type_ || env->kind == PYENV_FUNCTION ||
        v->ty == NULL || !pyt_vague(v->ty))
        return;
    py->quiet++;
    const Ty *meant = pyt_read(env, t);
    py->quiet--;
    if (type_unknown(meant)) return;
    const Ty *alias = pyt_name1(py, "type", meant);
    ((Expr *)v)->ty = alias;
    PySym *s_ = pyt_find(env, t->name.id);
    if (s_ != NULL) s_->type = alias;
}

// ---- code that runs later ----

// A variable may have another value by the time that a function runs, unless it has only one.
void pyt_forget_outer(PyEnv *env) {
    Py *py = env->py;
    if (py->notes == NULL) return;
    size_t n = pyt_mark(py);
    for (size_t i = 0; i < n; i++) {
        PySym *s = py->trail.at[i].sym;
        if (s->home->kind != PYENV_FUNCTION || !s->set_once) pyt_set(py, s, NULL);
    }
}

// ---- the end ----

static PyClass *new_type(Py *py, const Ty *t) {
    PyClass *c = t->kind == TY_NAMED ? table_get(py->classes, t->named.name) : NULL;
    return c != NULL && c->is_new_type ? c : NULL;
}

// `list` for `list[Any]`.
static bool bare(Py *py, const Ty *t) {
    bool named = t->kind == TY_NAMED && t->named.args.len == 0;
    PyClass *c = named ? pyt_class(py, t->named.name) : NULL;
    if (c != NULL) pyt_class_ready(c);
    return c != NULL && c->params.len > 0;
}

// Whether a type is written as values do not know it: literals, classes that are only names for
// others, classes without their arguments.
static bool is_written(Py *py, const Ty *t) {
    if (t->kind == TY_LITERAL || new_type(py, t) != NULL || bare(py, t)) return true;
    TyList of = t->kind == TY_NAMED ? t->named.args : t->kind == TY_TUPLE ? t->tuple.items
        : t->kind == TY_UNION ? t->union_.items
        : t->kind == TY_CALLABLE ? t->callable.params : (TyList){0};
    for (size_t i = 0; i < of.len; i++)
        if (is_written(py, of.at[i])) return true;
    return t->kind == TY_CALLABLE && t->callable.result != NULL &&
        is_written(py, t->callable.result);
}

static const Ty *as_value(IrMapper *m, const Ty *t) {
    Py *py = m->cx;
    if (t->kind == TY_LITERAL) return pyt_const_type(py, t->literal.value);
    PyClass *c = new_type(py, t);
    if (c != NULL) return ir_map_ty(m, c->bases.at[0]);
    if (bare(py, t)) {
        c = pyt_class(py, t->named.name);
        return pyt_bind_class(py, pyt_class_self(c), c, t);
    }
    return t->kind == TY_UNION ? pyt_union_all(py, t->union_.items) : t;
}

static const Ty *plain(Py *py, const Ty *t) {
    if (t == NULL || !is_written(py, t)) return t;
    IrMapper m = {.arena = py->arena, .cx = py, .ty = as_value};
    return ir_map_ty(&m, t);
}

// `[]` that nobody asks to be anything has no elements.
static const Ty *of_nothing(Py *py, const Expr *e) {
    if (!is_empty(e) || e->ty->kind != TY_NAMED || !pyt_vague(e->ty)) return e->ty;
    if (e->ty->named.args.len == 2 && !type_unknown(e->ty->named.args.at[0])) return e->ty;
    const Ty *never = type_named(py->p, "NoReturn");
    return e->kind == EXPR_LIST ? pyt_name1(py, "list", never)
                                : pyt_name2(py, "dict", never, never);
}

static const Ty *with_arm(Py *py, const Expr *arm, const Ty *all) {
    if (arm->ty != NULL || arm->kind != EXPR_CONSTANT) return all;
    const Ty *own = pyt_erase_literal(py, pyt_const_type(py, arm->constant.value));
    return pyt_fits(py, own, all) ? all : pyt_union(py, all, own);
}

// An arm that the types say is never reached has not been looked at. It is reached where an int
// stands for a float, or where a call has changed what was tested: what is written there counts.
static const Ty *with_unreached(Py *py, const Expr *e, const Ty *all) {
    for (; e->kind == EXPR_IF_EXP; e = e->if_exp.orelse) all = with_arm(py, e->if_exp.body, all);
    return with_arm(py, e, all);
}

// To an arm without one. What else is never reached stays without, which C says where it is.
static void give_type(Py *py, Expr *arm, const Ty *all) {
    if (arm->kind == EXPR_CONSTANT)
        arm->ty = pyt_erase_literal(py, pyt_const_type(py, arm->constant.value));
    else if (arm->kind == EXPR_IF_EXP)
        arm->ty = all;
}

static bool finish_expr(void *cx, const Expr *e) {
    Py *py = cx;
    Expr *own = (Expr *)e;
    if (e->kind == EXPR_STARRED && e->ty == NULL) own->ty = e->starred.value->ty;
    if (e->ty == NULL) return true;
    own->ty = ty_is_ellipsis(e) ? type_named(py->p, "ellipsis") : plain(py, of_nothing(py, e));
    if (e->kind != EXPR_IF_EXP) return true;
    own->ty = with_unreached(py, e, own->ty);
    const Expr *arms[] = {e->if_exp.body, e->if_exp.orelse};
    for (size_t i = 0; i < 2; i++)
        if (arms[i]->ty == NULL) give_type(py, (Expr *)arms[i], own->ty);
    return true;
}

static bool finish_arg(void *cx, const Arg *arg) {
    ((Arg *)arg)->ty = plain(cx, arg->ty);
    return true;
}

static bool finish_handler(void *cx, const Excepthandler *h) {
    ((Excepthandler *)h)->ty = plain(cx, h->ty);
    return true;
}

static bool finish_pattern(void *cx, const Pattern *p) {
    ((Pattern *)p)->ty = plain(cx, p->ty);
    ((Pattern *)p)->bound = plain(cx, p->bound);
    return true;
}

void pyt_note_finish(Py *py, StmtList body) {
    for (size_t i = 0; i < py->notes->stores.len; i++) {
        const PyStore *s = &py->notes->stores.at[i];
        const Ty *t = pyt_symbol_type(s->sym);
        if (s->p != NULL) ((Pattern *)s->p)->bound = t;
        else ((Expr *)s->e)->ty = t;
    }
    IrWalker w = {.cx = py, .expr = finish_expr, .arg = finish_arg, .excepthandler = finish_handler,
                  .pattern = finish_pattern};
    ir_walk_stmts(&w, body);
}
