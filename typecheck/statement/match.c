// match.c - `match` (docs/language.md, "Match"): a chain of `if`s at the roles of its subject.
//
// Values, classes and guards are placed there, and what patterns capture is there. A `match` that
// takes some case whatever comes has a last case that takes everything; where only the type of the
// subject says that it does, such a case is added, which raises.

#include <string.h>

#include "typecheck/expression/narrow.h"
#include "typecheck/expression/operands.h"

typedef struct Matching {
    Scope      *sc;
    const Stmt *s;
    SymList     roles;
    bool        bad;            // reported
} Matching;

static bool poisoned(const Expr *e) { return e->ty != NULL && e->ty->kind == TY_POISON; }

// ---- patterns ----

// A name that several cases capture may have another type in each.
static void capture(Matching *m, Sym name, const Ty *ty, Span at) {
    Scope *sc = m->sc;
    if (name == NULL) return;
    Var *v = table_get(sc->vars, name);
    if (v == NULL) {
        scope_bind(sc, name, (LocType){ty, m->roles}, at);
        return;
    }
    const Expr *target = expr_name(sc->p->arena, at, name, EXPR_CONTEXT_STORE);
    if (target_apart(sc, target, m->roles, "the matched value is")) {
        m->bad = true;
        return;
    }
    narrow_assign(sc, target, NULL, NULL, NULL);
    m->bad |= target_roams(sc, v, at);
    bool here = v->at.start >= m->s->at.start && v->at.end <= m->s->at.end;
    if (here && !v->declared && !type_fits(sc->p, ty, v->type.ty)) {
        v->type.ty = v->sym->type = ty_any(sc->p->arena);
    } else if (!type_fits(sc->p, ty, v->type.ty)) {
        diag_help(report_at(sc, at, DIAG_TYPE_MISMATCH,
                            "`%s` is `%s`, but the captured value is `%s`", name,
                            type_text(sc->p, v->type.ty), type_text(sc->p, ty)),
                  "use another name");
        m->bad = true;
    }
}

static const Expr *check_part(Matching *m, const Expr *e, const char *what) {
    LocType want = {NULL, m->roles};
    const Expr *value = check_placed(m->sc, e, want, what);
    m->bad |= poisoned(value);
    return value;
}

static const Pattern *check_pattern(Matching *m, const Pattern *p, const Ty *ty);

// The parts of a pattern for a `ty`; before them are `first` others.
static PatternList check_patterns(Matching *m, PatternList list, const Pattern *whole,
                                  const Ty *ty, size_t first) {
    Program *p = m->sc->p;
    const Pattern **out = ARENA_ARRAY(p->arena, const Pattern *, list.len + 1);
    for (size_t i = 0; i < list.len; i++) {
        const Ty *part = judge_part(p, whole, ty, first + i);
        out[i] = check_pattern(m, list.at[i], part != NULL ? part : ty_any(p->arena));
    }
    return (PatternList){out, list.len};
}

static const Pattern *check_mapping(Matching *m, const Pattern *p, const Ty *ty) {
    Arena *a = m->sc->p->arena;
    ExprList keys = p->match_mapping.keys;
    const Expr **out = ARENA_ARRAY(a, const Expr *, keys.len + 1);
    for (size_t i = 0; i < keys.len; i++) out[i] = check_part(m, keys.at[i], "the key");
    PatternList patterns = check_patterns(m, p->match_mapping.patterns, p, ty, 0);
    const Ty *rest = type_is(ty, "dict") ? ty : type_named(m->sc->p, "dict");
    capture(m, p->match_mapping.rest, rest, p->at);
    return pattern_match_mapping(a, p->at, (ExprList){out, keys.len}, patterns,
                                 p->match_mapping.rest);
}

// What a pattern says about the type of what it matches.
static const Ty *pattern_type(Matching *m, const Pattern *p, const Ty *ty) {
    if (p->kind != PATTERN_MATCH_CLASS) return ty_any(m->sc->p->arena);
    const Expr *cls = p->match_class.cls;
    if (cls->kind != EXPR_NAME || (ty != NULL && ty->kind == TY_NAMED)) return ty;
    return ty_named(m->sc->p->arena, cls->name.id, (TyList){0});
}

static const Pattern *check_pattern(Matching *m, const Pattern *p, const Ty *ty) {
    Arena *a = m->sc->p->arena;
    switch (p->kind) {
    case PATTERN_MATCH_VALUE:
        return pattern_match_value(a, p->at, check_part(m, p->match_value.value, "the value"));
    case PATTERN_MATCH_SINGLETON: return p;
    case PATTERN_MATCH_SEQUENCE:
        return pattern_match_sequence(a, p->at, check_patterns(m, p->match_sequence.patterns, p,
                                                               ty, 0));
    case PATTERN_MATCH_MAPPING: return check_mapping(m, p, ty);
    case PATTERN_MATCH_CLASS: {
        const Expr *cls = check_part(m, p->match_class.cls, "the class");
        PatternList patterns = check_patterns(m, p->match_class.patterns, p, ty, 0);
        return pattern_match_class(a, p->at, cls, patterns, p->match_class.kwd_attrs,
                                   check_patterns(m, p->match_class.kwd_patterns, p, ty,
                                                  patterns.len));
    }
    case PATTERN_MATCH_STAR:
        capture(m, p->match_star.name, type_unknown(ty) ? type_named(m->sc->p, "list") : ty, p->at);
        return p;
    case PATTERN_MATCH_AS: {
        const Pattern *inner = p->match_as.pattern;
        if (inner != NULL) {
            ty = pattern_type(m, inner, ty);
            inner = check_pattern(m, inner, ty);
        }
        capture(m, p->match_as.name, ty, p->at);
        return pattern_match_as(a, p->at, inner, p->match_as.name);
    }
    case PATTERN_MATCH_OR: {
        PatternList list = p->match_or.patterns;
        const Pattern **out = ARENA_ARRAY(a, const Pattern *, list.len + 1);
        for (size_t i = 0; i < list.len; i++) out[i] = check_pattern(m, list.at[i], ty);
        return pattern_match_or(a, p->at, (PatternList){out, list.len});
    }
    case PATTERN_COUNT: return p;
    }
    return p;
}

// ---- does some case match whatever comes? ----

static bool irrefutable(const Pattern *p) {
    while (p->kind == PATTERN_MATCH_AS && p->match_as.pattern != NULL) p = p->match_as.pattern;
    if (p->kind == PATTERN_MATCH_AS) return true;
    if (p->kind != PATTERN_MATCH_OR) return false;
    for (size_t i = 0; i < p->match_or.patterns.len; i++)
        if (irrefutable(p->match_or.patterns.at[i])) return true;
    return false;
}

bool match_is_total(const Stmt *s) {
    for (size_t i = 0; i < s->match.cases.len; i++)
        if (s->match.cases.at[i]->guard == NULL && irrefutable(s->match.cases.at[i]->pattern))
            return true;
    return false;
}

// One value that a type has only a few of.
typedef struct Wanted { Sym member, class_; const Const *value; } Wanted;

static bool all_irrefutable(PatternList list) {
    for (size_t i = 0; i < list.len; i++)
        if (!irrefutable(list.at[i])) return false;
    return true;
}

static bool takes(const Pattern *p, const Wanted *w) {
    while (p->kind == PATTERN_MATCH_AS && p->match_as.pattern != NULL) p = p->match_as.pattern;
    if (p->kind == PATTERN_MATCH_OR) {
        for (size_t i = 0; i < p->match_or.patterns.len; i++)
            if (takes(p->match_or.patterns.at[i], w)) return true;
        return false;
    }
    if (p->kind == PATTERN_MATCH_SINGLETON)
        return w->value != NULL && const_equal(p->match_singleton.value, w->value);
    if (p->kind == PATTERN_MATCH_CLASS)
        return w->class_ != NULL && p->match_class.cls->kind == EXPR_NAME &&
            p->match_class.cls->name.id == w->class_ && all_irrefutable(p->match_class.patterns) &&
            all_irrefutable(p->match_class.kwd_patterns);
    if (p->kind != PATTERN_MATCH_VALUE) return irrefutable(p);
    const Expr *e = p->match_value.value;
    if (e->kind == EXPR_CONSTANT)
        return w->value != NULL && const_equal(e->constant.value, w->value);
    return w->member != NULL && e->kind == EXPR_ATTRIBUTE && e->attribute.attr == w->member &&
        e->attribute.value->kind == EXPR_NAME && e->attribute.value->name.id == w->class_;
}

static bool some_takes(const Stmt *s, Wanted w) {
    for (size_t i = 0; i < s->match.cases.len; i++)
        if (s->match.cases.at[i]->guard == NULL && takes(s->match.cases.at[i]->pattern, &w))
            return true;
    return false;
}

static bool members_taken(const Stmt *s, const Decl *d) {
    StmtList body = d->stmt->class_def.body;
    size_t members = 0;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *m = body.at[i];
        if (m->kind != STMT_ASSIGN || m->assign.targets.at[0]->kind != EXPR_NAME) continue;
        members++;
        if (!some_takes(s, (Wanted){m->assign.targets.at[0]->name.id, d->name, NULL}))
            return false;
    }
    return members > 0;
}

static bool type_taken(Program *p, const Stmt *s, const Ty *t);

static bool named_taken(Program *p, const Stmt *s, const Ty *t) {
    if (some_takes(s, (Wanted){NULL, t->named.name, NULL})) return true;
    Decl *d = program_find(p, t->named.name);
    if (d != NULL && d->kind == DECL_ENUM) return members_taken(s, d);
    return type_is(t, "bool") && some_takes(s, (Wanted){.value = const_bool(p->arena, true)}) &&
        some_takes(s, (Wanted){.value = const_bool(p->arena, false)});
}

// `case (x, y)` for a tuple of two.
static bool tuple_taken(const Stmt *s, const Ty *t) {
    for (size_t i = 0; i < s->match.cases.len; i++) {
        const Pattern *p = s->match.cases.at[i]->pattern;
        if (s->match.cases.at[i]->guard == NULL && p->kind == PATTERN_MATCH_SEQUENCE &&
            p->match_sequence.patterns.len == t->tuple.items.len &&
            all_irrefutable(p->match_sequence.patterns))
            return true;
    }
    return false;
}

static bool type_taken(Program *p, const Stmt *s, const Ty *t) {
    if (type_unknown(t)) return false;
    switch (t->kind) {
    case TY_NONE_TYPE: return some_takes(s, (Wanted){.value = const_none(p->arena)});
    case TY_LITERAL: return some_takes(s, (Wanted){.value = t->literal.value});
    case TY_NAMED: return named_taken(p, s, t);
    case TY_TUPLE: return tuple_taken(s, t);
    case TY_UNION:
        for (size_t i = 0; i < t->union_.items.len; i++)
            if (!type_taken(p, s, t->union_.items.at[i])) return false;
        return true;
    case TY_POISON: case TY_ANY: case TY_INST: case TY_CALLABLE: case TY_TYPE_VAR:
    case TY_PLACED: case TY_COUNT: return false;
    }
    return false;
}

// `case _: raise AssertionError("no case matches")`
static const MatchCase *case_raise(Matching *m) {
    Arena *a = m->sc->p->arena;
    Span at = m->s->at;
    Text why = {"no case matches", strlen("no case matches")};
    const Ty *any = ty_any(a);
    const Expr *f = expr_name(a, at, names_get(m->sc->p->names, "AssertionError"),
                              EXPR_CONTEXT_LOAD);
    const Expr **args = ARENA_NEW(a, const Expr *);
    *args = expr_with_ty(a, expr_constant(a, at, const_str(a, why), NULL), any, m->roles);
    const Expr *call = expr_call(a, at, expr_with_ty(a, f, any, m->roles), (ExprList){args, 1},
                                 (KeywordList){0});
    const Stmt **body = ARENA_NEW(a, const Stmt *);
    *body = stmt_raise(a, at, expr_with_ty(a, call, any, m->roles), NULL);
    return match_case_new(a, pattern_match_as(a, at, NULL, NULL), NULL, (StmtList){body, 1});
}

// ---- what a case says about the variable that is matched ----

// The pattern as a condition on the subject; NULL when it says nothing of its type.
static const Expr *as_condition(Program *p, const Expr *subject, const Pattern *pattern) {
    Arena *a = p->arena;
    const Expr **args = ARENA_ARRAY(a, const Expr *, 2);
    while (pattern->kind == PATTERN_MATCH_AS && pattern->match_as.pattern != NULL)
        pattern = pattern->match_as.pattern;
    args[0] = subject;
    if (pattern->kind == PATTERN_MATCH_CLASS) {
        args[1] = pattern->match_class.cls;
        const Expr *f = expr_name(a, subject->at, names_get(p->names, "isinstance"),
                                  EXPR_CONTEXT_LOAD);
        return expr_call(a, subject->at, f, (ExprList){args, 2}, (KeywordList){0});
    }
    if (pattern->kind != PATTERN_MATCH_SINGLETON ||
        pattern->match_singleton.value->kind != CONST_NONE)
        return NULL;
    args[1] = expr_constant(a, subject->at, const_none(a), NULL);
    Cmpop *op = ARENA_NEW(a, Cmpop);
    *op = CMPOP_IS;
    return expr_compare(a, subject->at, subject, (CmpopList){op, 1}, (ExprList){args + 1, 1});
}

static bool looks_inside(const Pattern *p) {
    while (p->kind == PATTERN_MATCH_AS && p->match_as.pattern != NULL) p = p->match_as.pattern;
    return p->kind == PATTERN_MATCH_CLASS &&
        p->match_class.patterns.len + p->match_class.kwd_patterns.len > 0;
}

// ---- the statement ----

static const MatchCase *check_case(Matching *m, const MatchCase *c, const Expr *subject,
                                   Ways *ways) {
    Scope *sc = m->sc;
    const Expr *guard = NULL, *known = as_condition(sc->p, subject, c->pattern);
    size_t mark = pyt_mark(sc->p->py);
    const Expr *now = narrow_now(sc, subject);
    const Pattern *pattern = check_pattern(m, c->pattern, now->ty);
    if (known != NULL) narrow_by(sc, known, true);
    if (c->guard != NULL) {
        bool deferred = sc->deferred;
        sc->deferred = true;
        guard = expr_place(sc, check_condition(sc, c->guard, SEVERAL_CONDITION), m->roles);
        if (!poisoned(guard))
            guard = expr_coerce(sc, guard, (LocType){NULL, m->roles}, "the guard");
        sc->deferred = deferred;
        m->bad |= poisoned(guard);
        narrow_by(sc, guard, true);
    }
    StmtList body = check_body(sc, c->body);
    ways_note(ways, goes_on(c->body, body));
    (void)pyt_leave(sc->p->py, mark);
    if (known != NULL && c->guard == NULL && !looks_inside(c->pattern))
        narrow_by(sc, known, false);
    return match_case_new(sc->p->arena, pattern, guard, body);
}

void check_match(Scope *sc, const Stmt *s, StmtVec *out) {
    Arena *a = sc->p->arena;
    const Expr *subject = expr_place(sc, check_condition(sc, s->match.subject, SEVERAL_MATCHED),
                                     sc->roles);
    if (poisoned(subject)) {
        bind_poison(sc, s);
        return;
    }
    Matching m = {sc, s, subject->roles, false};
    SymList around = sc->branch_roles;
    Vec(const MatchCase *) cases = {0};
    Ways ways = ways_begin(sc);
    sc->branch_roles = subject->roles;
    bool unsure = scope_unsure(sc, subject->roles);
    for (size_t i = 0; i < s->match.cases.len; i++)
        vec_push(a, &cases, check_case(&m, s->match.cases.at[i], subject, &ways));
    ways_note(&ways, !match_is_total(s) && !type_taken(sc->p, s, subject->ty));
    ways_join(&ways);
    sc->unsure = unsure;
    sc->branch_roles = around;
    if (m.bad) return;
    if (!match_is_total(s) && type_taken(sc->p, s, subject->ty))
        vec_push(a, &cases, case_raise(&m));
    vec_push(a, out, stmt_match(a, s->at, subject, (MatchCaseList){cases.at, cases.len}));
}
