// desugar_match.c - `match` as a chain of `if`s: a test of each pattern on the parts of the
// subject, then its captures, then its guard.

#include "compiler/pass/desugar_internal.h"

typedef struct Matching Matching;

typedef struct Capture {
    Sym  name;
    const Expr *value;
    ExprList without;           // of the rest of a mapping: keys that are taken out
    const Pattern *at;
    const Matching *either;     // instead: what the first of these captures that matches,
    size_t count;               // of which one does
} Capture;

// What has to hold, and what is captured then.
struct Matching {
    const Expr *test;           // NULL: it always matches
    Vec(Capture) captures;
};

static void test_pattern(Desugar *d, Matching *m, const Expr *subject, const Pattern *p);

static void require(Desugar *d, Matching *m, const Expr *test)
{
    m->test = m->test ? desugar_bool_op(d, BOOLOP_AND, m->test, test, desugar_ty(d, "bool")) : test;
}

static void capture(Desugar *d, Matching *m, Sym name, const Expr *value, const Pattern *at)
{
    if (name)
        vec_push(d->arena, &m->captures, ((Capture){.name = name, .value = value, .at = at}));
}

// ---- parts of the subject ----

static const Expr *instance_test(Desugar *d, const Expr *subject, const Expr *class_)
{
    const Expr *args[] = {subject, class_};
    return desugar_call(d, desugar_builtin(d, subject->at, "isinstance"), desugar_list(d, 2, args),
                        desugar_ty(d, "bool"));
}

// ---- sequences ----

static bool is_sequence_ty(const Ty *t)
{
    return t && (t->kind == TY_TUPLE || desugar_is(t, "list") || desugar_is(t, "tuple"));
}

// What isinstance(.., (list, tuple)) may be true of; false: surely not.
static bool may_be_sequence(Desugar *d, const Ty *t)
{
    static const char *const OTHERS[] = {"int", "str", "float", "bool", "bytes", "complex", "dict",
                                         "set", "frozenset", "range", NULL};
    if (t->kind == TY_NAMED && table_get(d->facts->classes, t->named.name) != NULL)
        return desugar_tuple_fields(d, t).len > 0;
    for (size_t i = 0; OTHERS[i] != NULL; i++)
        if (desugar_is(t, OTHERS[i]))
            return false;
    return t->kind != TY_NONE_TYPE && t->kind != TY_LITERAL && t->kind != TY_CALLABLE;
}

// The part of a union that is a sequence, or a union of those.
static const Ty *sequence_part(Desugar *d, const Ty *t)
{
    if (t == NULL || t->kind != TY_UNION)
        return t;
    size_t n = 0;
    const Ty **parts = ARENA_ARRAY(d->arena, const Ty *, t->union_.items.len + 1);
    for (size_t i = 0; i < t->union_.items.len; i++)
        if (may_be_sequence(d, t->union_.items.at[i]))
            parts[n++] = t->union_.items.at[i];
    return n == 0 ? t : n == 1 ? parts[0] : ty_union(d->arena, (TyList){parts, n});
}

static const Ty *dict_part(const Ty *t)
{
    for (size_t i = 0; t && t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (desugar_is(t->union_.items.at[i], "dict"))
            return t->union_.items.at[i];
    return t;
}

static const Expr *as_sequence(Desugar *d, Matching *m, const Expr *subject)
{
    if (is_sequence_ty(subject->ty))
        return subject;
    const Expr *both[] = {desugar_class(d, subject->at, "list"),
                          desugar_class(d, subject->at, "tuple")};
    const Ty *types[] = {both[0]->ty, both[1]->ty};
    const Expr *classes = expr_tuple(d->arena, subject->at, desugar_list(d, 2, both),
                                     EXPR_CONTEXT_LOAD);
    classes = desugar_typed(d, classes, desugar_tuple_ty(d, 2, types));
    require(d, m, instance_test(d, subject, classes));
    return desugar_typed(d, subject, sequence_part(d, subject->ty));
}

static void test_length(Desugar *d, Matching *m, const Expr *subject, size_t n, bool star, Span at)
{
    const Ty *t = subject->ty;
    if (t && t->kind == TY_TUPLE) {
        size_t len = t->tuple.items.len;
        if (star ? len < n : len != n)
            require(d, m, desugar_bool(d, at, false));
    } else if (!star || n > 0) {
        require(d, m, desugar_compare(d, desugar_length(d, subject), star ? CMPOP_GT_E : CMPOP_EQ,
                                      desugar_int(d, at, n)));
    }
}

// Items of what may be several sequences are known when they are there.
static const Ty *item_ty(Desugar *d, const Ty *t, size_t i)
{
    SymList fields = desugar_tuple_fields(d, t);
    if (t && t->kind == TY_UNION)
        return ty_any(d->arena);
    if (fields.len > 0)
        return i < fields.len ? desugar_field_ty(d, t, fields.at[i]) : NULL;
    bool fixed = t && t->kind == TY_TUPLE;
    return !fixed ? desugar_item_ty(d, t) : i < t->tuple.items.len ? t->tuple.items.at[i] : NULL;
}

static const Expr *star_items(Desugar *d, const Expr *subject, size_t from, size_t behind,
                              const Ty *ty)
{
    bool open = subject->ty && subject->ty->kind == TY_UNION;
    if (ty == NULL || ty->kind == TY_ANY)
        ty = desugar_list_ty(d, ty_any(d->arena));
    return desugar_middle(d, subject, from, behind, open ? ty_any(d->arena) : subject->ty, ty);
}

static void test_sequence(Desugar *d, Matching *m, const Expr *subject, const Pattern *p)
{
    PatternList parts = p->match_sequence.patterns;
    size_t n = parts.len, star = 0;
    while (star < n && parts.at[star]->kind != PATTERN_MATCH_STAR)
        star++;
    subject = as_sequence(d, m, subject);
    bool fixed = subject->ty && subject->ty->kind == TY_TUPLE;
    test_length(d, m, subject, star < n ? n - 1 : n, star < n, p->at);
    for (size_t i = 0; i < n; i++) {
        const Pattern *part = parts.at[i];
        if (i == star) {
            if (part->match_star.name)
                capture(d, m, part->match_star.name,
                        star_items(d, subject, i, n - 1 - i, part->bound), part);
            continue;
        }
        size_t at = i < star ? i : fixed ? subject->ty->tuple.items.len - (n - i) : 0;
        const Expr *index = i < star || fixed ? desugar_int(d, part->at, at)
                                              : desugar_from_end(d, subject, n - i);
        test_pattern(d, m, desugar_item(d, subject, index, item_ty(d, subject->ty, at)), part);
    }
}

// ---- mappings and classes ----

static void test_mapping(Desugar *d, Matching *m, const Expr *subject, const Pattern *p)
{
    const Ty *dict = dict_part(subject->ty);
    ExprVec keys = {0};
    if (!desugar_is(subject->ty, "dict"))
        require(d, m, instance_test(d, subject, desugar_class(d, p->at, "dict")));
    subject = desugar_typed(d, subject, dict);
    const Ty *value = desugar_is(dict, "dict") && dict->named.args.len == 2
                          ? dict->named.args.at[1] : NULL;
    for (size_t i = 0; i < p->match_mapping.keys.len; i++) {
        const Expr *key = desugar_expr(d, p->match_mapping.keys.at[i]);
        vec_push(d->arena, &keys, key);
        require(d, m, desugar_compare(d, key, CMPOP_IN, subject));
        test_pattern(d, m, desugar_item(d, subject, key, value), p->match_mapping.patterns.at[i]);
    }
    if (p->match_mapping.rest) {
        const Expr *copy = desugar_call1(d, "dict", subject, dict);
        Capture rest = {.name = p->match_mapping.rest, .value = copy, .at = p,
                        .without = {keys.at, keys.len}};
        vec_push(d->arena, &m->captures, rest);
    }
}

// The one positional pattern of these is for the whole.
static bool matches_itself(Desugar *d, const Expr *class_)
{
    static const char *const names[] = {
        "bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str",
        "tuple", NULL,
    };
    return class_->kind == EXPR_NAME && sym_is_one_of(class_->name.id, names)
           && desugar_is_builtin(d, class_, class_->name.id);
}

static void test_field(Desugar *d, Matching *m, const Expr *subject, Sym field, const Pattern *p)
{
    test_pattern(d, m, desugar_attribute(d, subject, field, p->ty), p);
}

static void test_class(Desugar *d, Matching *m, const Expr *subject, const Pattern *p)
{
    const Expr *class_ = p->match_class.cls;
    SymList args = desugar_match_args(d, class_);
    PatternList parts = p->match_class.patterns;
    const Expr *value = desugar_expr(d, class_);
    if (matches_itself(d, class_))
        value = desugar_class(d, class_->at, class_->name.id);
    require(d, m, expr_with_at(d->arena, instance_test(d, subject, value), p->at));
    subject = desugar_typed(d, subject, desugar_instance_ty(d, class_));
    for (size_t i = 0; i < parts.len; i++) {
        if (matches_itself(d, class_))
            test_pattern(d, m, subject, parts.at[i]);
        else if (i < args.len)
            test_field(d, m, subject, args.at[i], parts.at[i]);
    }
    for (size_t i = 0; i < p->match_class.kwd_attrs.len; i++)
        test_field(d, m, subject, p->match_class.kwd_attrs.at[i],
                   p->match_class.kwd_patterns.at[i]);
}

// ---- all patterns ----

static void test_or(Desugar *d, Matching *m, const Expr *subject, const Pattern *p)
{
    PatternList all = p->match_or.patterns;
    Matching *either = ARENA_ARRAY(d->arena, Matching, all.len);
    const Expr *any = NULL;
    size_t n = 0;
    for (bool open = true; open && n < all.len; n++) {
        Matching *one = &either[n];
        test_pattern(d, one, subject, all.at[n]);
        open = one->test != NULL;
        any = !open ? NULL
              : any ? desugar_bool_op(d, BOOLOP_OR, any, one->test, desugar_ty(d, "bool"))
                    : one->test;
    }
    if (any)
        require(d, m, any);
    if (either[0].captures.len > 0)
        vec_push(d->arena, &m->captures, ((Capture){.at = p, .either = either, .count = n}));
}

static void test_pattern(Desugar *d, Matching *m, const Expr *subject, const Pattern *p)
{
    subject = expr_with_at(d->arena, subject, p->at);
    if (p->ty)
        subject = desugar_typed(d, subject, p->ty);
    switch (p->kind) {
    case PATTERN_MATCH_VALUE:
        require(d, m, desugar_compare(d, subject, CMPOP_EQ, desugar_expr(d, p->match_value.value)));
        return;
    case PATTERN_MATCH_SINGLETON: {
        const Const *c = p->match_singleton.value;
        const Expr *value = c->kind == CONST_BOOL ? desugar_bool(d, p->at, c->truth)
                                                  : desugar_none(d, p->at);
        require(d, m, desugar_compare(d, subject, CMPOP_IS, value));
        return;
    }
    case PATTERN_MATCH_SEQUENCE: test_sequence(d, m, subject, p); return;
    case PATTERN_MATCH_MAPPING:  test_mapping(d, m, subject, p); return;
    case PATTERN_MATCH_CLASS:    test_class(d, m, subject, p); return;
    case PATTERN_MATCH_OR:       test_or(d, m, subject, p); return;
    case PATTERN_MATCH_AS:
        if (p->match_as.pattern)
            test_pattern(d, m, subject, p->match_as.pattern);
        capture(d, m, p->match_as.name, subject, p);
        return;
    case PATTERN_MATCH_STAR: case PATTERN_COUNT:
        break;
    }
}

// ---- cases ----

static void put_captures(Desugar *d, const Matching *m);

static void put_capture(Desugar *d, const Capture *c)
{
    const Ty *ty = c->at->bound ? c->at->bound : c->value->ty;
    const Expr *target = expr_name(d->arena, c->at->at, c->name, EXPR_CONTEXT_STORE);
    target = desugar_typed(d, target, ty);
    desugar_put(d, stmt_assign(d->arena, c->at->at, desugar_list(d, 1, &target), c->value));
    for (size_t i = 0; i < c->without.len; i++) {
        const Expr *rest = desugar_name(d, c->at->at, c->name, c->value->ty);
        const Expr *item = expr_subscript(d->arena, c->at->at, rest, c->without.at[i],
                                          EXPR_CONTEXT_DEL);
        desugar_put(d, stmt_delete(d->arena, c->at->at, desugar_list(d, 1, &item)));
    }
}

static void put_either(Desugar *d, const Capture *c, size_t i)
{
    const Matching *m = &c->either[i];
    Block own = {0}, other = {0}, *before = d->out;
    if (i + 1 == c->count) {
        put_captures(d, m);
        return;
    }
    d->out = &own;
    put_captures(d, m);
    d->out = &other;
    put_either(d, c, i + 1);
    d->out = before;
    desugar_if(d, c->at->at, m->test, own, other);
}

static void put_captures(Desugar *d, const Matching *m)
{
    for (size_t i = 0; i < m->captures.len; i++) {
        if (m->captures.at[i].either)
            put_either(d, &m->captures.at[i], 0);
        else
            put_capture(d, &m->captures.at[i]);
    }
}

static void put_cases(Desugar *d, const Stmt *s, const Expr *subject, size_t i);

static Block rest_of(Desugar *d, const Stmt *s, const Expr *subject, size_t i)
{
    Block rest = {0}, *before = d->out;
    d->out = &rest;
    put_cases(d, s, subject, i + 1);
    d->out = before;
    return rest;
}

// The whole case is a test and what it captures.
static void put_simple(Desugar *d, const Stmt *s, const Expr *subject, size_t i, Matching *m)
{
    const MatchCase *c = s->match.cases.at[i];
    Block body = {0}, *before = d->out;
    if (c->guard)
        require(d, m, desugar_expr(d, c->guard));
    if (m->test == NULL) {
        put_captures(d, m);
        desugar_body_to(d, d->out, c->body);
        return;
    }
    d->out = &body;
    put_captures(d, m);
    desugar_body_to(d, &body, c->body);
    d->out = before;
    desugar_if(d, m->test->at, m->test, body, rest_of(d, s, subject, i));
}

static void put_guard(Desugar *d, const MatchCase *c, Sym matched)
{
    const Expr *test = desugar_test(d, c->guard);
    if (!desugar_is(test->ty, "bool"))
        test = desugar_call1(d, "bool", test, desugar_ty(d, "bool"));
    desugar_set(d, c->guard->at, matched, test);
}

// What always matches is captured at once; its guard decides.
static void put_guarded(Desugar *d, const Stmt *s, const Expr *subject, size_t i, const Matching *m)
{
    const MatchCase *c = s->match.cases.at[i];
    Block body = {0};
    put_captures(d, m);
    const Expr *test = desugar_test(d, c->guard);
    desugar_body_to(d, &body, c->body);
    desugar_if(d, c->pattern->at, test, body, rest_of(d, s, subject, i));
}

// matched = test; if matched: captures, matched = guard
static void put_staged(Desugar *d, const Stmt *s, const Expr *subject, size_t i,
                       const Matching *m)
{
    const MatchCase *c = s->match.cases.at[i];
    Span at = c->pattern->at;
    Block guard = {0}, body = {0}, *before = d->out;
    Sym matched = desugar_fresh(d, "matched");
    const Expr *test = desugar_name(d, at, matched, desugar_ty(d, "bool"));
    desugar_set(d, at, matched, m->test);
    d->out = &guard;
    put_captures(d, m);
    put_guard(d, c, matched);
    d->out = before;
    desugar_if(d, at, test, guard, (Block){0});
    desugar_body_to(d, &body, c->body);
    desugar_if(d, at, test, body, rest_of(d, s, subject, i));
}

static void put_cases(Desugar *d, const Stmt *s, const Expr *subject, size_t i)
{
    if (i == s->match.cases.len)
        return;
    const MatchCase *c = s->match.cases.at[i];
    Matching m = {0};
    test_pattern(d, &m, subject, c->pattern);
    bool guard_later = c->guard && (m.captures.len > 0 || desugar_needs(d, c->guard));
    if (!guard_later)
        put_simple(d, s, subject, i, &m);
    else if (m.test == NULL)
        put_guarded(d, s, subject, i, &m);
    else
        put_staged(d, s, subject, i, &m);
}

void desugar_match(Desugar *d, const Stmt *s)
{
    const Expr *subject = desugar_expr(d, s->match.subject);
    bool kept = subject->kind == EXPR_NAME && desugar_settled(d, subject, 0, NULL)
                && !desugar_binds(d, s, subject->name.id);
    put_cases(d, s, kept ? subject : desugar_temp(d, subject, "subject"), 0);
}
