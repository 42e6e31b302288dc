// unpack.c - assignments to tuples of targets, and to several targets (docs/language.md,
// "Assignments").
//
// The parts of a tuple may be targets of any kind, at different roles if the value is a located
// tuple: a display of as many parts, or what a choreography gives. All other values are unpacked
// where they are. `x = y = e` with targets at different roles is one assignment for each, of a
// value that is evaluated once.

#include <string.h>

#include "typecheck/statement/assign.h"
#include "typecheck/expression/narrow.h"
#include "typecheck/expression/operands.h"

// A target with its parts; a leaf is read.
typedef struct Part {
    const Expr  *source;
    bool         star;
    Target       leaf;
    struct Part *parts;
    size_t       len;           // of `parts`
    bool         tuple;
    const Expr  *display;       // gives each of `parts` its own value; NULL: there is one `value`
    const Expr  *value;
} Part;

static bool poisoned(const Expr *e) { return e->ty != NULL && e->ty->kind == TY_POISON; }

static bool read_part(Scope *sc, const Expr *t, Part *out) {
    *out = (Part){.source = t, .star = t->kind == EXPR_STARRED};
    if (out->star) t = t->starred.value;
    out->tuple = target_is_tuple(t);
    if (!out->tuple) {
        out->leaf = target_read(sc, t);
        return !out->leaf.failed;
    }
    ExprList elts = target_elements(t);
    out->len = elts.len;
    out->parts = ARENA_ARRAY(sc->p->arena, Part, elts.len + 1);
    bool ok = true;
    for (size_t i = 0; i < elts.len; i++) ok &= read_part(sc, elts.at[i], &out->parts[i]);
    return ok;
}

// The roles of the targets that have some; false if they are not the same.
static bool known_roles(const Part *p, SymList *roles) {
    for (size_t i = 0; i < p->len; i++)
        if (!known_roles(&p->parts[i], roles)) return false;
    if (p->tuple || p->leaf.want.roles.len == 0) return true;
    if (roles->len > 0 && !roles_equal(*roles, p->leaf.want.roles)) return false;
    *roles = p->leaf.want.roles;
    return true;
}

// The same, for a value that is in one place: reported.
static bool one_place(Scope *sc, const Part *p, SymList *roles) {
    for (size_t i = 0; i < p->len; i++)
        if (!one_place(sc, &p->parts[i], roles)) return false;
    if (p->tuple || p->leaf.want.roles.len == 0) return true;
    if (roles->len > 0 && !roles_equal(*roles, p->leaf.want.roles)) {
        report_at(sc, p->source->at, DIAG_OPERANDS_APART,
                  "the value unpacked here is at %s, but %s is at %s",
                  roles_text(sc->p->arena, *roles), p->leaf.what,
                  roles_text(sc->p->arena, p->leaf.want.roles));
        return false;
    }
    *roles = p->leaf.want.roles;
    return true;
}

// ---- binding ----

static void bind_leaf(Scope *sc, Part *p, LocType type) {
    const Expr *stand_in = expr_typed(sc, p->source, type.ty, type.roles);
    const Ty *declared = p->leaf.expr->kind == EXPR_NAME ? p->leaf.want.ty : NULL;
    narrow_assign(sc, p->leaf.expr, declared, type.ty, NULL);
    if (p->leaf.want.roles.len == 0) {
        target_define(sc, &p->leaf, stand_in);
        p->leaf.want = type;
        return;
    }
    if (poisoned(stand_in)) return;
    if (!roles_equal(type.roles, p->leaf.want.roles)) {
        report_at(sc, p->source->at, DIAG_PLACE_WRONG, "%s is at %s, but this part is at %s",
                  p->leaf.what, roles_text(sc->p->arena, p->leaf.want.roles),
                  roles_text(sc->p->arena, type.roles));
    } else if (!type_fits(sc->p, type.ty, p->leaf.want.ty)) {
        report_at(sc, p->source->at, DIAG_TYPE_MISMATCH, "%s is `%s`, but this part is `%s`",
                  p->leaf.what, type_text(sc->p, p->leaf.want.ty), type_text(sc->p, type.ty));
    } else {
        judge_store(sc, p->leaf.expr, type.ty, NULL);
    }
}

// Binds the parts to those of a value of this type.
// Of a tuple with parts at different roles, each target has one; nothing else that is at several
// roles has parts.
static void report_parts(Scope *sc, const Part *p, const Ty *ty) {
    const char *text = type_text(sc->p, ty);
    bool starred = false;
    for (size_t i = 0; i < p->len; i++) starred |= p->parts[i].star;
    if (ty->kind != TY_TUPLE)
        report_at(sc, p->source->at, DIAG_TYPE_MISMATCH,
                  "a value of type `%s` cannot be unpacked", text);
    else if (starred)
        report_at(sc, p->source->at, DIAG_TYPE_MISMATCH,
                  "a starred target cannot take parts of `%s`, because they are at different roles",
                  text);
    else
        report_at(sc, p->source->at, DIAG_TYPE_MISMATCH, "`%s` has %zu part%s, but %zu target%s %s "
                  "given", text, ty->tuple.items.len, diag_s(ty->tuple.items.len), p->len,
                  diag_s(p->len), diag_is(p->len));
}

static void bind_part(Scope *sc, Part *p, LocType type) {
    Program *prog = sc->p;
    bool poison = type.ty != NULL && type.ty->kind == TY_POISON;
    if (!p->tuple) {
        bind_leaf(sc, p, type);
        return;
    }
    bool exact = type.ty != NULL && type.ty->kind == TY_TUPLE && type.ty->tuple.items.len == p->len;
    for (size_t i = 0; i < p->len; i++) exact &= !p->parts[i].star;
    if (type_several(type.ty) && !exact) {
        report_parts(sc, p, type.ty);
        poison = true;
    }
    for (size_t i = 0; i < p->len; i++) {
        const Ty *item = exact ? type.ty->tuple.items.at[i]
            : poison ? ty_poison(prog->arena) : ty_any(prog->arena);
        bool placed = item != NULL && item->kind == TY_PLACED;
        bind_part(sc, &p->parts[i], placed ? (LocType){item->placed.of, item->placed.at_roles}
                                           : (LocType){item, type.roles});
    }
}

// The target as the checked tree has it.
static const Expr *placed_part(Scope *sc, const Part *p) {
    Arena *a = sc->p->arena;
    const Expr *out;
    SymList roles = p->leaf.want.roles;
    if (p->tuple) {
        const Expr **elts = ARENA_ARRAY(a, const Expr *, p->len + 1);
        for (size_t i = 0; i < p->len; i++) {
            elts[i] = placed_part(sc, &p->parts[i]);
            roles = roles_join(a, roles, elts[i]->roles);
        }
        ExprList list = {elts, p->len};
        const Expr *t = p->star ? p->source->starred.value : p->source;
        out = t->kind == EXPR_TUPLE ? expr_tuple(a, t->at, list, t->tuple.ctx)
                                    : expr_list(a, t->at, list, t->list.ctx);
        out = expr_typed(sc, out, ty_any(a), roles);
    } else {
        out = place_target(sc, p->leaf.expr, roles);
    }
    if (!p->star) return out;
    return expr_typed(sc, expr_starred(a, p->source->at, out, p->source->starred.ctx), ty_any(a),
                      roles);
}

// The value of one role for several targets: it must be iterable, and a tuple of their number.
static const Expr *with_parts(Scope *sc, const Part *p, const Expr *value) {
    size_t star = p->len;
    for (size_t i = 0; i < p->len; i++)
        if (p->parts[i].star) star = i;
    bool fits = poisoned(value) || type_several(value->ty) ||
        judge_unpack(sc, value, p->len, star);
    return fits ? value : expr_poison(sc, value);
}

// Binds one of several targets: the value as that target has it.
static const Expr *give(Scope *sc, Part *p, const Expr *value) {
    SymList roles = {0};
    bool several = p->tuple && type_several(value->ty);
    if (!several && !one_place(sc, p, &roles)) return expr_poison(sc, value);
    if (roles.len > 0)
        value = expr_coerce(sc, value, (LocType){p->tuple ? value->ty : p->leaf.want.ty, roles},
                            p->tuple ? "the unpacked value" : p->leaf.what);
    if (p->tuple && !p->star) value = with_parts(sc, p, value);
    if (p->tuple || roles.len == 0) bind_part(sc, p, (LocType){value->ty, value->roles});
    else if (!poisoned(value)) judge_store(sc, p->leaf.expr, value->ty, value);
    if (!p->tuple && roles.len > 0)
        narrow_assign(sc, p->leaf.expr, p->leaf.expr->kind == EXPR_NAME ? p->leaf.want.ty : NULL,
                      value->ty, value);
    return value;
}

// ---- a display: part by part ----

static bool is_parallel(const Part *p, const Expr *value) {
    if (!p->tuple || p->star || value->kind != EXPR_TUPLE || value->tuple.elts.len != p->len)
        return false;
    for (size_t i = 0; i < p->len; i++)
        if (p->parts[i].star || value->tuple.elts.at[i]->kind == EXPR_STARRED) return false;
    return p->len > 0;
}

// Where role-less parts go: with the others, if these are together. False: they are not.
static bool common_roles(const Part *p, SymList *roles) {
    if (p->display == NULL) {
        if (p->value->roles.len == 0) return true;
        if (roles->len > 0 && !roles_equal(*roles, p->value->roles)) return false;
        *roles = p->value->roles;
        return true;
    }
    for (size_t i = 0; i < p->len; i++)
        if (!common_roles(&p->parts[i], roles)) return false;
    return true;
}

// Checks the values in Python's order, before any target is bound.
static void check_values(Scope *sc, Part *p, const Expr *value) {
    if (is_parallel(p, value)) {
        p->display = value;
        for (size_t i = 0; i < p->len; i++)
            check_values(sc, &p->parts[i], value->tuple.elts.at[i]);
        return;
    }
    if (p->tuple) {
        LocType hint = {0};
        bool known = known_roles(p, &hint.roles) && hint.roles.len > 0;
        p->value = check_expr(sc, value, known ? &hint : NULL);
        return;
    }
    const Target *t = &p->leaf;
    p->value = check_expr(sc, value, t->want.ty != NULL ? &t->want : NULL);
    if (t->want.roles.len > 0) p->value = expr_coerce(sc, p->value, t->want, t->what);
}

static const Expr *settle_values(Scope *sc, Part *p, SymList common);

static const Expr *settle_value(Scope *sc, Part *p, SymList common) {
    const Expr *v = p->value;
    if (common.len > 0) v = expr_place(sc, v, common);
    v = value_need_place(sc, v, p->tuple ? "the unpacked value" : p->leaf.what);
    if (p->tuple && !poisoned(v)) return give(sc, p, v);
    bind_part(sc, p, (LocType){v->ty, v->roles});
    return v;
}

// The display as it is checked; its targets get their parts.
static const Expr *settle_display(Scope *sc, Part *p, SymList common) {
    Arena *a = sc->p->arena;
    const Expr **parts = ARENA_ARRAY(a, const Expr *, p->len);
    const Ty **types = ARENA_ARRAY(a, const Ty *, p->len);
    SymList all = {0}, own = {0};
    bool bad = false, apart = false;
    if (common.len == 0 && common_roles(p, &own)) common = own;
    for (size_t i = 0; i < p->len; i++) {
        parts[i] = settle_values(sc, &p->parts[i], common);
        bad |= poisoned(parts[i]);
        apart |= i > 0 && !roles_equal(parts[i]->roles, parts[0]->roles);
        apart |= type_several(parts[i]->ty);
        all = roles_join(a, all, parts[i]->roles);
    }
    for (size_t i = 0; i < p->len; i++)
        types[i] = apart ? ty_placed(a, parts[i]->ty, parts[i]->roles) : parts[i]->ty;
    const Expr *made = expr_tuple(a, p->display->at, (ExprList){parts, p->len},
                                  p->display->tuple.ctx);
    if (bad) return expr_poison(sc, made);
    return expr_typed(sc, made, ty_tuple(a, (TyList){types, p->len}),
                      roles_sorted(a, sc->roles, all));
}

static const Expr *settle_values(Scope *sc, Part *p, SymList common) {
    return p->display != NULL ? settle_display(sc, p, common) : settle_value(sc, p, common);
}

static const Expr *check_parallel(Scope *sc, Part *p, const Expr *value) {
    check_values(sc, p, value);
    return settle_display(sc, p, (SymList){0});
}

// ---- several targets ----

static void push_assign(Scope *sc, const Stmt *s, const Part *parts, size_t n, const Expr *value,
                        StmtVec *out) {
    Arena *a = sc->p->arena;
    const Expr **targets = ARENA_ARRAY(a, const Expr *, n);
    for (size_t i = 0; i < n; i++) targets[i] = placed_part(sc, &parts[i]);
    vec_push(a, out, stmt_assign(a, s->at, (ExprList){targets, n}, value));
}

static bool is_in_text(Text text, const char *word) {
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= text.len; i++)
        if (text.at[i] == word[0] && memcmp(text.at + i, word, n) == 0) return true;
    return false;
}

// A name of the compiler's own: the file does not have it anywhere.
static Sym fresh_name(Scope *sc) {
    Sym name = names_get(sc->p->names, "held");
    while (scope_find(sc, name) != NULL || is_in_text(sc->p->source->text, name))
        name = names_format(sc->p->names, "%s_", name);
    return name;
}

// Keeps the value in a variable of its own, unless it is one, or a constant.
static const Expr *held_value(Scope *sc, const Stmt *s, const Expr *value, StmtVec *out) {
    Arena *a = sc->p->arena;
    if (value->kind == EXPR_NAME || value->kind == EXPR_CONSTANT) return value;
    Sym name = fresh_name(sc);
    scope_bind(sc, name, (LocType){value->ty, value->roles}, value->at);
    const Expr **one = ARENA_NEW(a, const Expr *);
    *one = expr_typed(sc, expr_name(a, value->at, name, EXPR_CONTEXT_STORE), value->ty,
                      value->roles);
    vec_push(a, out, stmt_assign(a, s->at, (ExprList){one, 1}, value));
    return expr_typed(sc, expr_name(a, value->at, name, EXPR_CONTEXT_LOAD), value->ty,
                      value->roles);
}

static void assign_all(Scope *sc, const Stmt *s, Part *parts, size_t n, StmtVec *out) {
    Arena *a = sc->p->arena;
    SymList all = {0};
    bool apart = false;
    LocType hint = {0};
    for (size_t i = 0; i < n; i++) {
        SymList roles = {0};
        if (!known_roles(&parts[i], &roles)) continue;      // a located tuple, or an error
        apart |= all.len > 0 && roles.len > 0 && !roles_equal(all, roles);
        all = roles_join(a, all, roles);
        if (!parts[i].tuple && hint.ty == NULL) hint = parts[i].leaf.want;
    }
    hint.roles = all;
    const Expr *value = check_expr(sc, s->assign.value, all.len > 0 ? &hint : NULL);
    if (all.len > 0) value = expr_place(sc, value, roles_sorted(a, sc->roles, all));
    value = value_need_place(sc, value, n > 1 || parts[0].tuple ? "the value"
                                                                : parts[0].leaf.what);
    if (apart && !poisoned(value)) value = held_value(sc, s, value, out);
    for (size_t i = 0; i < n; i++) {
        const Expr *own = give(sc, &parts[i], value);
        if (poisoned(own)) sc->fn->failed = true;
        if (sc->fn->failed) continue;
        if (apart) push_assign(sc, s, &parts[i], 1, own, out);
        else value = own;
    }
    if (!apart && !sc->fn->failed) push_assign(sc, s, parts, n, value, out);
}

void unpack_assign(Scope *sc, const Stmt *s, StmtVec *out) {
    ExprList targets = s->assign.targets;
    Part *parts = ARENA_ARRAY(sc->p->arena, Part, targets.len);
    bool ok = true;
    for (size_t i = 0; i < targets.len; i++) ok &= read_part(sc, targets.at[i], &parts[i]);
    if (!ok) {
        bind_poison(sc, s);
        sc->fn->failed = true;
        return;
    }
    if (targets.len > 1 || !is_parallel(&parts[0], s->assign.value)) {
        assign_all(sc, s, parts, targets.len, out);
        return;
    }
    const Expr *value = check_parallel(sc, &parts[0], s->assign.value);
    if (poisoned(value)) sc->fn->failed = true;
    else push_assign(sc, s, parts, 1, value, out);
}
