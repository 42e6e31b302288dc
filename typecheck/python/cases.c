// cases.c - `match`: what each pattern binds, and what is left for the next case.

#include "typecheck/python/body.h"

static void bind_name(PyEnv *env, const Pattern *p, Sym name, const Ty *t) {
    PySym *s = name != NULL ? pyt_find(env, name) : NULL;
    if (s == NULL || s->kind != PYSYM_VARIABLE) return;
    pyt_forget(env->py, s);
    const Ty *whole = pyt_erase_literal(env->py, t);
    if (s->type == NULL && s->annotation == NULL) {
        s->state = PY_KNOWN;
        s->captured = true;
        s->type = s->set_once || env->py->notes != NULL ? whole : env->py->any;
    } else if (s->captured && env->py->notes != NULL) {         // `case int(x) | str(x)`
        s->type = pyt_union(env->py, s->type, whole);
    }
    pyt_note_captured(env->py, p, s);
    pyt_set(env->py, s, t);
}

static const Ty *pattern_type(PyEnv *env, const Pattern *p, const Ty *t, bool *all);

// `int(n)` of `int | bool`: n is what the pattern is given.
static bool are_all_whole(Py *py, TyList parts, size_t i) {
    for (size_t j = 0; j < parts.len; j++)
        if (pyt_positional_part(py, parts.at[j], i) != parts.at[j]) return false;
    return true;
}

const Ty *pyt_positional_part(Py *py, const Ty *made, size_t i) {
    if (made->kind == TY_UNION && are_all_whole(py, made->union_.items, i)) return made;
    PyClass *k = made->kind == TY_NAMED ? pyt_class(py, made->named.name) : NULL;
    if (k == NULL) return py->any;
    pyt_class_ready(k);
    if (k->module == py->builtins) return made;
    PySigs sigs = k->is_dataclass || k->is_tuple ? pyt_constructor(py, k, made) : (PySigs){0};
    const Ty *item = sigs.len == 1 && i < sigs.at[0]->params.len
        ? pyt_member(py, made, sigs.at[0]->params.at[i].name) : NULL;
    return item != NULL ? item : py->any;
}

static const Ty *class_pattern(PyEnv *env, const Pattern *p, const Ty *t, bool *all) {
    Py *py = env->py;
    const Ty *c = pyt_infer(env, p->match_class.cls, NULL);
    const Ty *made = pyt_isinstance(py, t, c, true);
    if (py->notes != NULL) pyt_note(py, p->match_class.cls, pyt_name1(py, "type", made));
    PatternList list = p->match_class.patterns;
    for (size_t i = 0; i < list.len; i++)
        (void)pattern_type(env, list.at[i], pyt_positional_part(py, made, i), all);
    for (size_t i = 0; i < p->match_class.kwd_patterns.len; i++) {
        Sym name = p->match_class.kwd_attrs.at[i];
        const Ty *item = type_unknown(made) ? py->any
            : pyt_attribute_at(py, made, name, p->match_class.kwd_patterns.at[i]->at, NULL);
        (void)pattern_type(env, p->match_class.kwd_patterns.at[i], item, all);
    }
    return made;
}

static bool is_named_tuple(Py *py, const Ty *t) {
    PyClass *k = t->kind == TY_NAMED ? pyt_class(py, t->named.name) : NULL;
    if (k == NULL) return false;
    pyt_class_ready(k);
    return k->is_tuple;
}

const Ty *pyt_sequence_part(Py *py, PatternList list, const Ty *t, size_t index) {
    size_t star = list.len;
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i]->kind == PATTERN_MATCH_STAR) star = i;
    const Ty *whole = t;
    if (t->kind == TY_UNION) {          // those that can have this length
        whole = NULL;
        for (size_t i = 0; i < t->union_.items.len; i++) {
            const Ty *one = t->union_.items.at[i];
            bool fits = one->kind == TY_TUPLE ? star < list.len || one->tuple.items.len == list.len
                : type_is(one, "list") || type_is(one, "tuple") || type_unknown(one) ||
                    is_named_tuple(py, one);
            if (fits) whole = pyt_union(py, whole, one);
        }
        if (whole == NULL || whole->kind == TY_UNION) whole = py->any;
    }
    if (py->notes != NULL && type_is(t, "object")) whole = pyt_name1(py, "list", py->object);
    return pyt_unpack(py, (Span){0, 0}, whole, list.len, index, star);
}

static void sequence_pattern(PyEnv *env, const Pattern *p, const Ty *t) {
    PatternList list = p->match_sequence.patterns;
    bool all = false;
    for (size_t i = 0; i < list.len; i++)
        (void)pattern_type(env, list.at[i], pyt_sequence_part(env->py, list, t, i), &all);
}

// Whether `[*_]` takes every value of the type; *maybe: some, as far as types tell.
static bool is_sequence(Py *py, const Ty *t, bool *maybe) {
    if (t->kind == TY_TUPLE) return true;
    if (type_is(t, "str") || type_is(t, "bytes") || type_is(t, "bytearray")) return false;
    PyClass *c = t->kind == TY_NAMED ? pyt_class(py, t->named.name) : NULL;
    if (c != NULL) pyt_class_ready(c);
    bool unclear = type_unknown(t) || t->kind == TY_TYPE_VAR || type_is(t, "object") ||
        (c != NULL && (c->open || c->is_protocol));
    bool is = c != NULL &&
        (c->is_tuple || pyt_fits(py, t, pyt_name1(py, pyt_known(py, "Sequence"), py->any)));
    *maybe = *maybe || (unclear && !is);
    return is;
}

// What `[*_]` takes. *all stays true if it takes every value of that.
static const Ty *any_sequence(Py *py, const Ty *t, bool *all) {
    TyList items = pyt_items(&t);
    Vec(const Ty *) taken = {0};
    bool maybe = false;
    for (size_t i = 0; i < items.len; i++)
        if (is_sequence(py, items.at[i], &maybe)) vec_push(py->arena, &taken, items.at[i]);
    *all = *all && !maybe && taken.len > 0;
    return maybe || taken.len == 0 ? t : pyt_union_all(py, (TyList){taken.at, taken.len});
}

static void mapping_pattern(PyEnv *env, const Pattern *p, const Ty *t) {
    Py *py = env->py;
    bool all = false, dict = type_is(t, "dict") && t->named.args.len == 2;
    bool object = py->notes != NULL && type_is(t, "object");
    const Ty *open = object ? py->object : py->any;
    const Ty *open_rest = object ? pyt_name2(py, "dict", open, open) : py->any;
    for (size_t i = 0; i < p->match_mapping.keys.len && py->notes != NULL; i++)
        (void)pyt_infer(env, p->match_mapping.keys.at[i], NULL);
    for (size_t i = 0; i < p->match_mapping.patterns.len; i++)
        (void)pattern_type(env, p->match_mapping.patterns.at[i],
                           dict ? t->named.args.at[1] : open, &all);
    bind_name(env, p, p->match_mapping.rest, dict ? t : open_rest);
}

// What alternatives bind is what one of them does.
static const Ty *any_pattern(PyEnv *env, PatternList list, const Ty *t, bool *all) {
    Py *py = env->py;
    const Ty *any_of = NULL;
    bool each = true;
    size_t mark = pyt_mark(py);
    Vec(PyExit) exits = {0};
    for (size_t i = 0; i < list.len; i++) {
        bool one = true;
        any_of = pyt_union(py, any_of, pattern_type(env, list.at[i], t, &one));
        each = each && one;
        PyExit e = pyt_leave(py, mark);
        vec_push(py->arena, &exits, e);
    }
    if (!py->dead) pyt_join_exits(py, exits.at, exits.len);
    *all = *all && each;
    return any_of;
}

// What a value of type `t` that the pattern takes is. *all stays true if every value of the answer
// is taken.
static const Ty *pattern_type(PyEnv *env, const Pattern *p, const Ty *t, bool *all) {
    Py *py = env->py;
    pyt_note_pattern(py, p, t);
    switch (p->kind) {
    case PATTERN_MATCH_VALUE: {
        const Expr *v = p->match_value.value;
        const Ty *is = v->kind == EXPR_CONSTANT ? ty_literal(py->arena, v->constant.value)
                                                : pyt_infer(env, v, NULL);
        *all = *all && is->kind == TY_LITERAL;
        const Ty *kept = pyt_equal(py, t, is, true);
        bool literal = false;
        TyList items = pyt_items(&kept);
        for (size_t i = 0; i < items.len; i++) literal |= items.at[i]->kind == TY_LITERAL;
        *all = *all && literal && items.len == 1;
        return kept;
    }
    case PATTERN_MATCH_SINGLETON: {
        const Const *c = p->match_singleton.value;
        const Ty *is = c->kind == CONST_NONE ? py->none : ty_literal(py->arena, c);
        *all = *all && c->kind == CONST_NONE;
        return c->kind == CONST_NONE && !type_unknown(t) ? py->none : pyt_equal(py, t, is, true);
    }
    case PATTERN_MATCH_SEQUENCE: {
        sequence_pattern(env, p, t);
        bool open = p->match_sequence.patterns.len == 1 &&
            p->match_sequence.patterns.at[0]->kind == PATTERN_MATCH_STAR;
        if (open) return any_sequence(env->py, t, all);
        *all = false;
        return t;
    }
    case PATTERN_MATCH_MAPPING:
        mapping_pattern(env, p, t);
        *all = false;
        return t;
    case PATTERN_MATCH_CLASS: return class_pattern(env, p, t, all);
    case PATTERN_MATCH_STAR: bind_name(env, p, p->match_star.name, t); return t;
    case PATTERN_MATCH_AS:
        if (p->match_as.pattern != NULL) t = pattern_type(env, p->match_as.pattern, t, all);
        bind_name(env, p, p->match_as.name, t);
        return t;
    case PATTERN_MATCH_OR: return any_pattern(env, p->match_or.patterns, t, all);
    case PATTERN_COUNT: return t;
    }
    return t;
}

static const Ty *without(Py *py, const Ty *t, const Ty *taken) {
    if (type_unknown(t) || type_unknown(taken)) return t;
    TyList items = pyt_items(&t), gone = pyt_items(&taken);
    Vec(const Ty *) rest = {0};
    for (size_t i = 0; i < items.len; i++) {
        bool found = false;
        for (size_t j = 0; j < gone.len && !found; j++)
            found = !type_unknown(gone.at[j]) && !type_unknown(items.at[i]) &&
                (pyt_same(py, items.at[i], gone.at[j]) || pyt_fits(py, items.at[i], gone.at[j])) &&
                !(type_is(items.at[i], "int") && type_is(gone.at[j], "float"));
        if (!found) vec_push(py->arena, &rest, items.at[i]);
    }
    return pyt_union_all(py, (TyList){rest.at, rest.len});
}

// The members of an enum that no case has named yet; an enum is used up member by member.
typedef struct Members { PyClass *enum_; Vec(Sym) seen; } Members;

static void note_members(PyEnv *env, Members *m, const Pattern *p) {
    if (p->kind == PATTERN_MATCH_OR)
        for (size_t i = 0; i < p->match_or.patterns.len; i++)
            note_members(env, m, p->match_or.patterns.at[i]);
    if (p->kind == PATTERN_MATCH_AS && p->match_as.pattern != NULL)
        note_members(env, m, p->match_as.pattern);
    if (p->kind != PATTERN_MATCH_VALUE || p->match_value.value->kind != EXPR_ATTRIBUTE) return;
    Sym name = p->match_value.value->attribute.attr;
    PySym *s = table_get(m->enum_->env->symbols, name);
    if (s == NULL || roles_has((SymList){m->seen.at, m->seen.len}, name)) return;
    vec_push(env->py->arena, &m->seen, name);
}

static bool used_up(const Members *m) {
    size_t n = 0;
    for (size_t i = 0; i < m->enum_->env->order.len; i++) {
        PySym *s = table_get(m->enum_->env->symbols, m->enum_->env->order.at[i]);
        n += s->kind == PYSYM_VARIABLE && s->annotation == NULL && s->name[0] != '_';
    }
    return n > 0 && m->seen.len >= n;
}

void pyt_check_match(PyEnv *env, const Stmt *s) {
    Py *py = env->py;
    const Ty *subject = pyt_infer(env, s->match.subject, NULL);
    PySym *place = pyt_place(env, s->match.subject);
    PyClass *c = subject->kind == TY_NAMED ? pyt_class(py, subject->named.name) : NULL;
    Members members = {.enum_ = c};
    size_t mark = pyt_mark(py);
    Vec(PyExit) exits = {0};
    for (size_t i = 0; i < s->match.cases.len && !py->dead; i++) {
        const MatchCase *k = s->match.cases.at[i];
        size_t inner = pyt_mark(py);
        bool all = true;
        const Ty *taken = pattern_type(env, k->pattern, subject, &all);
        if (pyt_is_never(taken)) py->dead = true;
        if (place != NULL) pyt_set(py, place, taken);
        if (k->guard != NULL) {
            (void)pyt_infer(env, k->guard, NULL);
            pyt_assume(env, k->guard, true);
        }
        pyt_check_body(env, k->body);
        PyExit e = pyt_here(py, mark);
        (void)pyt_leave(py, inner);
        py->dead = false;
        vec_push(py->arena, &exits, e);
        if (k->guard != NULL) continue;
        bool wild = k->pattern->kind == PATTERN_MATCH_AS && k->pattern->match_as.pattern == NULL;
        if (wild) subject = type_named(py->p, "NoReturn");
        else if (all) subject = without(py, subject, taken);
        if (c != NULL && c->is_enum) note_members(env, &members, k->pattern);
        if (c != NULL && c->is_enum && used_up(&members)) subject = type_named(py->p, "NoReturn");
        if (pyt_is_never(subject)) py->dead = true;
        else if (place != NULL && !type_unknown(subject)) pyt_set(py, place, subject);
    }
    PyExit last = pyt_here(py, mark);
    (void)pyt_leave(py, mark);
    vec_push(py->arena, &exits, last);
    pyt_join_exits(py, exits.at, exits.len);
}
