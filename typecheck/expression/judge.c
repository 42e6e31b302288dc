// judge.c - one role's values inside a choreography: calls, attributes, operators, items, and where
// a value goes, judged as Python's typing has them. Of what nothing is known, nothing is said.
//
// Operations on unions are never refused here.

#include <string.h>

#include "typecheck/expression/operands.h"
#include "typecheck/python/python.h"

const Ty *judge_global(Program *p, Sym name) {
    PySym *s = p->parse != NULL ? pyt_find(p->py->file->env, name) : NULL;
    if (s == NULL || (s->kind != PYSYM_VARIABLE && s->kind != PYSYM_FUNCTION)) return NULL;
    const Ty *t = pyt_erase_literal(p->py, pyt_symbol_type(s));
    return pyt_plain(t) || (s->kind == PYSYM_FUNCTION && t->kind == TY_CALLABLE) ? t : NULL;
}

// Classes of other modules have dotted names, by which programs need not know them: their types
// stay unknown, but for those whose objects can never be sent.
static bool is_foreign(Program *p, const Ty *t) {
    return t != NULL && t->kind == TY_NAMED && strchr(t->named.name, '.') != NULL &&
        wire_never(p, t);
}

// Whether an annotation names a class by which the checker does not know it: `time.struct_time`.
static bool is_unnamed(Program *p, const Expr *e, const Ty *t) {
    const PyClass *c = t->kind == TY_NAMED ? pyt_class(p->py, t->named.name) : NULL;
    return c != NULL && (e->kind == EXPR_ATTRIBUTE ||
                         (e->kind == EXPR_NAME && c->module->is_rest));
}

// What the stubs built in leave out of a module is looked for as well: for what is sent alone.
static const Ty *read_beyond(Program *p, const Expr *e) {
    p->py->beyond = true;
    const Ty *t = pyt_read(p->py->file->env, e);
    p->py->beyond = false;
    return t;
}

const Ty *judge_foreign(Program *p, const Expr *e) {
    const Expr *root = e->kind == EXPR_CALL ? e->call.func : e;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    Decl *d = root->kind == EXPR_NAME ? program_find(p, root->name.id) : NULL;
    if (p->parse == NULL || d == NULL || d->kind != DECL_IMPORT) return NULL;
    p->py->quiet++;
    const Ty *t = e->kind == EXPR_CALL ? pyt_infer(p->py->file->env, e, NULL) : NULL;
    if (t == NULL || type_unknown(t)) t = read_beyond(p, e->kind == EXPR_CALL ? e->call.func : e);
    p->py->quiet--;
    return is_foreign(p, t) || (is_unnamed(p, e, t) && wire_foreign(p, t)) ? t : NULL;
}

const Ty *judge_read(Program *p, const Expr *e) {
    if (p->parse == NULL) return ty_any(p->arena);
    p->py->quiet++;
    const Ty *t = pyt_read(p->py->file->env, e);
    p->py->quiet--;
    return t;
}

static const Ty *class_part(Py *py, const Pattern *pattern, const Ty *ty, size_t i) {
    const Ty *class_ = pyt_infer(py->file->env, pattern->match_class.cls, NULL);
    const Ty *made = pyt_isinstance(py, ty, class_, true);
    size_t positional = pattern->match_class.patterns.len;
    if (i < positional) return pyt_positional_part(py, made, i);
    return type_unknown(made) ? py->any
        : pyt_member(py, made, pattern->match_class.kwd_attrs.at[i - positional]);
}

const Ty *judge_part(Program *p, const Pattern *pattern, const Ty *ty, size_t i) {
    Py *py = p->py;
    if (p->parse == NULL) return NULL;
    if (!pyt_plain(ty)) ty = py->any;
    py->quiet++;
    const Ty *t = pattern->kind == PATTERN_MATCH_CLASS ? class_part(py, pattern, ty, i)
        : pattern->kind == PATTERN_MATCH_SEQUENCE
            ? pyt_sequence_part(py, pattern->match_sequence.patterns, ty, i)
        : type_is(ty, "dict") && ty->named.args.len == 2 ? ty->named.args.at[1] : NULL;
    py->quiet--;
    return t != NULL && pyt_plain(t) ? pyt_erase_literal(py, t) : NULL;
}

// A judgement is under way: what it reports is a refusal, and its result is poison then.
typedef struct Trial { Scope *sc; size_t errors; bool quiet; } Trial;

static Trial trial_begin(Scope *sc, const Ty *a, const Ty *b) {
    bool quiet = (a != NULL && a->kind == TY_UNION) || (b != NULL && b->kind == TY_UNION);
    sc->p->py->quiet += quiet;
    return (Trial){sc, diags_error_count(sc->p->diags), quiet};
}

static const Ty *trial_end(Trial t, const Ty *result) {
    Py *py = t.sc->p->py;
    py->quiet -= t.quiet;
    if (diags_error_count(t.sc->p->diags) > t.errors) {
        t.sc->fn->failed = true;
        return py->poison;
    }
    if (type_unknown(result)) return NULL;
    return pyt_plain(result) ? result : NULL;
}

// What a name, or attributes of it, is when an import gives it; NULL: no import does.
static const Ty *imported_type(Scope *sc, const Expr *callee) {
    Py *py = sc->p->py;
    const Expr *root = callee;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    if (root->kind != EXPR_NAME || scope_find(sc, root->name.id) != NULL) return NULL;
    const Decl *d = program_find(sc->p, root->name.id);
    if (d == NULL || d->kind != DECL_IMPORT) return NULL;
    py->quiet++;
    const Ty *t = pyt_infer(py->file->env, callee, NULL);
    py->quiet--;
    return t;
}

static const Ty *callee_type(Scope *sc, const Expr *callee) {
    Py *py = sc->p->py;
    if (callee->ty != NULL && callee->ty->kind == TY_CALLABLE) return callee->ty;
    const Ty *imported = imported_type(sc, callee);
    if (imported != NULL) return imported;
    if (callee->kind == EXPR_NAME) {
        if (scope_find(sc, callee->name.id) != NULL) return NULL;
        Decl *d = program_find(sc->p, callee->name.id);
        if (d != NULL && d->kind != DECL_LOCAL_FUNCTION && d->kind != DECL_LOCAL_CLASS) return NULL;
        PySym *s = pyt_find(py->file->env, callee->name.id);
        return s != NULL ? pyt_symbol_type(s) : NULL;
    }
    if (callee->kind != EXPR_ATTRIBUTE) return NULL;
    const Ty *base = callee->attribute.value->ty;
    return pyt_plain(base) ? pyt_member(py, base, callee->attribute.attr) : NULL;
}

static const Ty *already(void *cx, size_t i, const Ty *expected) {
    const Expr *const *args = cx;
    (void)expected;
    return args[i]->ty;
}

// The type of an argument; a class as a value has one that choreographies do not go on with.
static const Ty *arg_type(Scope *sc, const Expr *e) {
    Py *py = sc->p->py;
    if (!type_unknown(e->ty)) return e->ty;
    bool global = e->kind == EXPR_NAME && scope_find(sc, e->name.id) == NULL;
    PySym *s = global ? pyt_lookup(py->file->env, e) : NULL;
    return s != NULL && s->kind == PYSYM_CLASS ? pyt_symbol_type(s) : py->any;
}

// `asyncio.gather(ch.com(x), ..)`: a choreography has no event loop, since `com` itself waits.
static const char *help_of_import(Scope *sc, const Expr *callee) {
    const Expr *root = callee;
    while (root->kind == EXPR_ATTRIBUTE) root = root->attribute.value;
    const Decl *d = root->kind == EXPR_NAME ? program_find(sc->p, root->name.id) : NULL;
    const Stmt *s = d != NULL && d->kind == DECL_IMPORT ? d->stmt : NULL;
    Sym module = s == NULL ? NULL : s->kind == STMT_IMPORT_FROM ? s->import_from.module
        : s->import.names.at[0]->name;
    if (module == NULL || !sym_is(module, "asyncio")) return NULL;
    return names_format(sc->p->names, "remove %s: a choreography has no event loop, and `com` "
                        "gives the value itself; roles that do not wait for each other run at the "
                        "same time anyway", expr_text(sc->p, callee));
}

const Ty *judge_call(Scope *sc, const Expr *call, const Expr *callee, const Expr **args) {
    Py *py = sc->p->py;
    const Ty *t = sc->p->parse != NULL ? callee_type(sc, callee) : NULL;
    if (t == NULL || type_unknown(t)) return NULL;
    size_t n = call->call.args.len, m = call->call.keywords.len;
    PyArg *list = ARENA_ARRAY(sc->p->arena, PyArg, n + m + 1);
    for (size_t i = 0; i < n + m; i++) {
        bool star = args[i]->kind == EXPR_STARRED;
        Sym keyword = i < n ? NULL : call->call.keywords.at[i - n]->arg;
        list[i] = (PyArg){.at = args[i]->at, .e = star ? args[i]->starred.value : args[i],
                          .keyword = keyword, .star = star, .stars = i >= n && keyword == NULL,
                          .ty = arg_type(sc, args[i])};
    }
    PyCall c = {.at = call->at, .what = expr_text(sc->p, call->call.func), .args = list,
                .help = help_of_import(sc, callee), .len = n + m, .cx = (void *)args,
                .infer = already};
    Trial t0 = trial_begin(sc, NULL, NULL);
    const Ty *result = pyt_call(py, t, &c);
    if (callee->kind == EXPR_ATTRIBUTE)
        pyt_check_added(py, call, callee->attribute.value->ty, &list[0]);
    return trial_end(t0, result);
}

// The type of `base.attr`; NULL: nothing is known. Reports an attribute that is surely not there.
const Ty *judge_attribute(Scope *sc, const Expr *e, const Expr *base) {
    Py *py = sc->p->py;
    if (sc->p->parse == NULL || !(pyt_plain(base->ty) || is_foreign(sc->p, base->ty))) return NULL;
    Trial t = trial_begin(sc, NULL, NULL);
    return trial_end(t, pyt_attribute_at(py, base->ty, e->attribute.attr, e->at, base));
}

// ---- operators, items ----

static bool judged(Scope *sc, const Expr *e) { return sc->p->parse != NULL && pyt_plain(e->ty); }

const Ty *judge_binary(Scope *sc, Span at, Operator op, const Expr *l, const Expr *r) {
    if (!judged(sc, l) || !judged(sc, r)) return NULL;
    Trial t = trial_begin(sc, l->ty, r->ty);
    return trial_end(t, pyt_binary(sc->p->py, at, op, l->ty, r->ty, l, r));
}

const Ty *judge_augmented(Scope *sc, Span at, Operator op, const Ty *l, const Expr *r) {
    if (!pyt_plain(l) || !judged(sc, r)) return NULL;
    Trial t = trial_begin(sc, l, r->ty);
    return trial_end(t, pyt_augmented(sc->p->py, at, op, l, r->ty, r));
}

const Ty *judge_unary(Scope *sc, const Expr *e, const Expr *value) {
    if (!judged(sc, value)) return NULL;
    Trial t = trial_begin(sc, value->ty, NULL);
    return trial_end(t, pyt_unary(sc->p->py, e->at, e->unary_op.op, value->ty));
}

bool judge_compare(Scope *sc, Span at, Cmpop op, const Expr *l, const Expr *r) {
    if (!judged(sc, l) || !judged(sc, r)) return true;
    Trial t = trial_begin(sc, l->ty, r->ty);
    pyt_compare(sc->p->py, at, op, l->ty, r->ty, l, r);
    const Ty *out = trial_end(t, type_named(sc->p, "bool"));
    return out == NULL || out->kind != TY_POISON;
}

const Ty *judge_subscript(Scope *sc, const Expr *e, const Expr *base, const Expr *index) {
    Py *py = sc->p->py;
    bool slice = index->kind == EXPR_SLICE;
    if (!judged(sc, base) || !(slice || judged(sc, index))) return NULL;
    const Ty *ty = slice ? type_named(sc->p, "slice") : index->ty;
    Trial t = trial_begin(sc, base->ty, ty);
    return trial_end(t, pyt_subscript(py, e->at, base->ty, ty, index));
}

const Ty *judge_element(Scope *sc, const Expr *iterable) {
    if (!judged(sc, iterable)) return NULL;
    Trial t = trial_begin(sc, iterable->ty, NULL);
    return trial_end(t, pyt_element(sc->p->py, iterable->at, iterable->ty));
}

bool judge_unpack(Scope *sc, const Expr *value, size_t n, size_t star) {
    if (n == 0 || !judged(sc, value)) return true;
    Trial t = trial_begin(sc, value->ty, NULL);
    const Ty *part = trial_end(t, pyt_unpack(sc->p->py, value->at, value->ty, n, 0, star));
    return part == NULL || part->kind != TY_POISON;
}

// What a decorator has made of a function may be a manager although its result is none: what is no
// manager is not reported.
const Ty *judge_enter(Scope *sc, const Expr *manager) {
    bool swallows;
    const Ty *t = judged(sc, manager)
        ? pyt_enter(sc->p->py, (Span){0, 0}, manager->ty, false, &swallows) : NULL;
    return t != NULL && pyt_plain(t) ? pyt_erase_literal(sc->p->py, t) : ty_any(sc->p->arena);
}

// ---- where a value goes ----

// Calls and operators may give what their context asks for: their arguments are not looked at, so
// only the class counts.
static bool settled(const Expr *e) {
    return e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT ||
        e->kind == EXPR_LIST || e->kind == EXPR_SET || e->kind == EXPR_TUPLE ||
        e->kind == EXPR_DICT || (e->kind == EXPR_COM && settled(e->com.value));
}

bool judge_fits(Scope *sc, const Expr *e, const Ty *to) {
    if (!judged(sc, e) || !pyt_plain(to)) return true;
    bool same = e->ty->kind == TY_NAMED && to->kind == TY_NAMED &&
        e->ty->named.name == to->named.name;
    return (same && !settled(e)) || pyt_expr_fits(sc->p->py, e, e->ty, to);
}

void judge_explain(Scope *sc, Diag *d, const Expr *e, const Ty *to) {
    if (judged(sc, e) && pyt_plain(to)) pyt_explain(sc->p->py, d, e, e->ty, to);
}

// ---- stores ----

static bool judge_field(Scope *sc, const Expr *t, const Expr *base, const Ty *value,
                        const Expr *e) {
    Py *py = sc->p->py;
    const Ty *declared = NULL;
    const char *why = NULL;
    bool settable = pyt_member_settable(py, base->ty, t->attribute.attr, &declared, &why);
    if (!settable && why == NULL)
        (void)pyt_attribute_at(py, base->ty, t->attribute.attr, t->at, base);
    else if (!settable)
        pyt_report(py, t->at, DIAG_TYPE_MISMATCH, "%s", why);
    if (!settable || !pyt_plain(declared) || !pyt_plain(value)) return settable;
    if (e != NULL ? pyt_expr_fits(py, e, value, declared) : pyt_fits(py, value, declared))
        return true;
    Diag *d = pyt_report(py, e != NULL ? e->at : t->at, DIAG_TYPE_MISMATCH,
                         "`%s` is `%s`, but `%s` is assigned here", t->attribute.attr,
                         type_text(sc->p, declared), type_text(sc->p, value));
    pyt_explain(py, d, e, value, declared);
    return false;
}

static const Ty *index_type(Scope *sc, const Expr *index) {
    return index->kind == EXPR_SLICE ? type_named(sc->p, "slice") : index->ty;
}

bool judge_store(Scope *sc, const Expr *target, const Ty *value, const Expr *e) {
    bool field = target->kind == EXPR_ATTRIBUTE;
    if (!field && target->kind != EXPR_SUBSCRIPT) return true;
    const Expr *base = field ? target->attribute.value : target->subscript.value;
    if (!judged(sc, base)) return true;
    Trial t = trial_begin(sc, base->ty, value);
    if (field) {
        judge_field(sc, target, base, value, e);
    } else {
        const Expr *index = target->subscript.slice;
        const Ty *ty = index_type(sc, index);
        if (pyt_plain(value) && (index->kind == EXPR_SLICE || pyt_plain(ty)))
            pyt_store(sc->p->py, e != NULL ? e->at : target->at, base->ty, ty, index, value, e);
    }
    const Ty *out = trial_end(t, type_named(sc->p, "bool"));
    return out == NULL || out->kind != TY_POISON;
}

bool judge_delete(Scope *sc, const Expr *target) {
    if (target->kind != EXPR_SUBSCRIPT || !judged(sc, target->subscript.value)) return true;
    const Expr *base = target->subscript.value, *index = target->subscript.slice;
    const Ty *ty = index_type(sc, index);
    if (index->kind != EXPR_SLICE && !pyt_plain(ty)) return true;
    Trial t = trial_begin(sc, base->ty, ty);
    pyt_remove(sc->p->py, target->at, base->ty, ty, index);
    const Ty *out = trial_end(t, type_named(sc->p, "bool"));
    return out == NULL || out->kind != TY_POISON;
}

const Ty *judge_stored(Scope *sc, const Expr *target) {
    if (target->kind == EXPR_ATTRIBUTE)
        return judge_attribute(sc, target, target->attribute.value);
    if (target->kind != EXPR_SUBSCRIPT) return NULL;
    return judge_subscript(sc, target, target->subscript.value, target->subscript.slice);
}
