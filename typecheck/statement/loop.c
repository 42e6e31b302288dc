// loop.c - `while` and `for` of a choreography (docs/language.md, "Loops").

#include "compiler/ir/control.h"
#include "compiler/ir/free_names.h"
#include "typecheck/expression/narrow.h"
#include "typecheck/expression/operands.h"

static SymList loop_roles(Scope *sc, const Expr *head, StmtList body, StmtList orelse) {
    if (head->roles.len > 0) return head->roles;
    Program *p = sc->p;
    SymList both = roles_join(p->arena, roles_of_stmts(p, sc->roles, body),
                              roles_of_stmts(p, sc->roles, orelse));
    return both.len > 0 ? roles_sorted(p->arena, sc->roles, both) : sc->roles;
}

// `while True@A` is a loop of A's, whatever is in it; one that nobody was named for is left out
// where a role has nothing to do in it.
static const Expr *keep_pin(Scope *sc, const Expr *test, SymList named) {
    if (named.len == 0 || test->kind != EXPR_CONSTANT) return test;
    return expr_typed(sc, expr_pin(sc->p->arena, test->at, test, named), test->ty, named);
}

// ---- what is known of types ----

// A variable that is assigned in the loop, and what was known of it in front of it. It is still
// known at the start of every round if all that the loop assigns to it is of that type: the values
// are judged as they are at the start of a round, where all else that it assigns is forgotten.
typedef struct Kept {
    Var      *var;
    const Ty *type;
    size_t    stores, plain;        // names that are stored into; plain assignments
    Vec(const Expr *) values;
    bool      lost;
} Kept;

typedef struct Keeping { Scope *sc; Vec(Kept) at; } Keeping;

static Kept *kept_find(Keeping *k, const Expr *target) {
    for (size_t i = 0; target->kind == EXPR_NAME && i < k->at.len; i++)
        if (k->at.at[i].var->name == target->name.id) return &k->at.at[i];
    return NULL;
}

static bool note_store(void *cx, const Expr *e) {
    Kept *kept = kept_find(cx, e);
    if (kept != NULL && e->name.ctx != EXPR_CONTEXT_LOAD) kept->stores++;
    return true;
}

static void note_name(Keeping *k, Sym name) {
    for (size_t i = 0; i < k->at.len; i++)
        if (k->at.at[i].var->name == name) k->at.at[i].stores++;
}

static bool note_handler(void *cx, const Excepthandler *h) {
    note_name(cx, h->except_handler.name);
    return true;
}

static bool note_pattern(void *cx, const Pattern *p) {
    note_name(cx, pattern_name(p));
    return true;
}

static void note_value(Keeping *k, const Expr *target, const Expr *value) {
    Kept *kept = kept_find(k, target);
    if (kept == NULL) return;
    kept->plain++;
    vec_push(k->sc->p->arena, &kept->values, value);
}

static bool note_assignment(void *cx, const Stmt *s) {
    Arena *a = ((Keeping *)cx)->sc->p->arena;
    if (s->kind == STMT_ASSIGN && s->assign.targets.len == 1)
        note_value(cx, s->assign.targets.at[0], s->assign.value);
    if (s->kind == STMT_AUG_ASSIGN && s->aug_assign.target->kind == EXPR_NAME) {
        const Expr *t = s->aug_assign.target;
        const Expr *old = expr_name(a, t->at, t->name.id, EXPR_CONTEXT_LOAD);
        note_value(cx, t, expr_bin_op(a, s->at, old, s->aug_assign.op, s->aug_assign.value));
    }
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

static bool binds(void *cx, const Expr *e) {
    *(bool *)cx |= e->kind == EXPR_NAMED_EXPR || e->kind == EXPR_LAMBDA;
    return !*(bool *)cx;
}

// The type of a value that is looked at again, where it stands; NULL: it is not known here.
static const Ty *type_ahead(Scope *sc, const Expr *e) {
    Program *p = sc->p;
    Diags *diags = p->diags;
    size_t sites = p->sites.len, functions = p->functions.len;
    bool failed = sc->fn->failed, own = false;
    StmtVec *front = sc->front, dropped = {0};
    IrWalker w = {.cx = &own, .expr = binds};
    ir_walk_expr(&w, e);
    if (own) return NULL;
    p->diags = diags_new(p->arena);
    diags_set_source(p->diags, p->source);
    sc->front = &dropped;
    const Ty *t = check_expr(sc, e, NULL)->ty;
    bool bad = diags_error_count(p->diags) > 0;
    p->diags = diags;
    sc->front = front;
    p->sites.len = sites;
    p->functions.len = functions;
    sc->fn->failed = failed;
    return bad || !pyt_plain(t) ? NULL : t;
}

static bool holds(Scope *sc, const Kept *k) {
    for (size_t i = 0; i < k->values.len; i++) {
        const Ty *t = type_ahead(sc, k->values.at[i]);
        if (t == NULL || !pyt_fits(sc->p->py, t, k->type)) return false;
    }
    return k->stores == k->plain;
}

static void keep(Keeping *k) {
    bool again = true;
    for (size_t i = 0; i < k->at.len; i++)
        pyt_set(k->sc->p->py, k->at.at[i].var->sym, k->at.at[i].type);
    while (again) {
        again = false;
        for (size_t i = 0; i < k->at.len; i++) {
            Kept *one = &k->at.at[i];
            if (one->lost || holds(k->sc, one)) continue;
            one->lost = again = true;
            pyt_set(k->sc->p->py, one->var->sym, NULL);
        }
    }
}

static void find_kept(Keeping *k, const Expr *test, StmtList body) {
    Scope *sc = k->sc;
    if (pyt_mark(sc->p->py) == 0) return;
    SymList bound = names_bound(sc->p->arena, sc->p->names, body);
    for (size_t i = 0; i < bound.len && k->at.len < 8; i++) {
        Var *v = table_get(sc->vars, bound.at[i]);
        if (v == NULL || v->sym->narrowed == NULL || !pyt_plain(v->sym->narrowed)) continue;
        Kept one = {.var = v, .type = v->sym->narrowed};
        vec_push(sc->p->arena, &k->at, one);
    }
    IrWalker w = {.cx = k, .expr = note_store, .stmt = note_assignment,
                  .excepthandler = note_handler, .pattern = note_pattern};
    if (k->at.len > 0) ir_walk_stmts(&w, body);
    if (k->at.len > 0 && test != NULL) ir_walk_expr(&w, test);
}

// What the loop assigns is no more than its type at the start of a round.
static void round_begin(Scope *sc, const Expr *test, StmtList body, Round *r) {
    const Stmt *first = test != NULL ? stmt_expr(sc->p->arena, test->at, test) : NULL;
    Keeping k = {.sc = sc};
    find_kept(&k, test, body);
    narrow_forget(sc, body);
    keep(&k);
    if (test != NULL) narrow_forget(sc, (StmtList){&first, 1});
    *r = (Round){.outer = sc->round, .ways = ways_begin(sc)};
    sc->round = r;
}

// Behind the body: where the condition is false, or nothing is left.
static void round_end(Scope *sc, size_t mark) {
    (void)pyt_leave(sc->p->py, mark);
    sc->round = sc->round->outer;
}

// Behind the loop: from its `else`, or from a `break`.
static void loop_end(Scope *sc, Round *r, bool ends) {
    ways_note(&r->ways, ends);
    ways_join(&r->ways);
    for (size_t i = 0; i < r->finals.len; i++) narrow_forget(sc, r->finals.at[i]);
}

// ---- the statements ----

void check_while(Scope *sc, const Stmt *s, StmtVec *out) {
    Round round;
    round_begin(sc, s->while_.test, s->while_.body, &round);
    const Expr *test = check_condition(sc, s->while_.test, SEVERAL_CONDITION);
    SymList around = sc->branch_roles;
    sc->branch_roles = test->roles;
    bool unsure = scope_unsure(sc, test->roles);
    size_t mark = pyt_mark(sc->p->py);
    narrow_by(sc, test, true);
    StmtList body = check_body(sc, s->while_.body);
    round_end(sc, mark);
    narrow_by(sc, test, false);
    StmtList orelse = check_body(sc, s->while_.orelse);
    sc->unsure = unsure;
    loop_end(sc, &round, !control_always(test) && goes_on(s->while_.orelse, orelse));
    sc->branch_roles = around;
    test = keep_pin(sc, expr_place(sc, test, loop_roles(sc, test, body, orelse)), test->roles);
    vec_push(sc->p->arena, out, stmt_while(sc->p->arena, s->at, test, body, orelse));
}

// A loop binds variables, or a tuple of them.
static bool binds_names(Scope *sc, const Expr *t) {
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++)
        if (!binds_names(sc, elts.at[i])) return false;
    if (t->kind == EXPR_STARRED) return binds_names(sc, t->starred.value);
    if (t->kind == EXPR_NAME || t->kind == EXPR_TUPLE || t->kind == EXPR_LIST) return true;
    Diag *d = report_unsupported(sc->p, t->at, "a loop whose target is not a variable");
    diag_help(d, "use a variable, and assign the target in the body");
    sc->fn->failed = true;
    return false;
}

// ---- the variables of a target ----

typedef Vec(Var *) Vars;

static void find_vars(Scope *sc, const Expr *t, Vars *out) {
    if (t->kind == EXPR_STARRED) t = t->starred.value;
    Var *v = t->kind == EXPR_NAME ? table_get(sc->vars, t->name.id) : NULL;
    if (v != NULL) vec_push(sc->p->arena, out, v);
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts
        : t->kind == EXPR_LIST ? t->list.elts : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) find_vars(sc, elts.at[i], out);
}

static Var *found_before(const Vars *olds, Sym name) {
    for (size_t i = 0; i < olds->len; i++)
        if (olds->at[i]->name == name) return olds->at[i];
    return NULL;
}

// Where the variables already are that keep their roles.
static SymList roles_of_vars(Scope *sc, const Vars *olds) {
    SymList roles = {0};
    for (size_t i = 0; i < olds->len; i++)
        if (!olds->at[i]->looped)
            roles = roles_join(sc->p->arena, roles, olds->at[i]->type.roles);
    return roles;
}

static void enter_loop(Scope *sc, const Expr *target, const Vars *olds) {
    Vars now = {0};
    find_vars(sc, target, &now);
    for (size_t i = 0; i < now.len; i++) {
        const Var *old = found_before(olds, now.at[i]->name);
        now.at[i]->looped = old == NULL || old->looped;
        now.at[i]->roams = old != NULL && old->roams;
    }
}

// A variable of nothing but loops may be at other roles in each: it has no value behind them
// (assigned.c). Any other stays where it was.
static void leave_loop(Scope *sc, const Expr *target, const Vars *olds, SymList roles,
                       bool breaks) {
    Vars now = {0};
    find_vars(sc, target, &now);
    for (size_t i = 0; i < now.len; i++) {
        const Var *old = found_before(olds, now.at[i]->name);
        now.at[i]->stays = breaks || (old != NULL && old->stays);
    }
    for (size_t i = 0; i < olds->len; i++) {
        Var *old = olds->at[i], *v = table_get(sc->vars, old->name);
        pyt_set(sc->p->py, v->sym, NULL);
        if (old->type.roles.len == 0 || roles_equal(v->type.roles, old->type.roles)) continue;
        v->roams = old->looped && v->looped;
        if (v->roams) continue;
        Diag *d = report_at(sc, v->at, DIAG_PLACE_WRONG, "`%s` is at %s, but this loop is at %s",
                            v->name, roles_text(sc->p->arena, old->type.roles),
                            roles_text(sc->p->arena, roles));
        diag_label(d, old->at, "`%s` was placed here", v->name);
        diag_help(d, "use another name");
        sc->fn->failed = true;
    }
}

// A variable that has a value already gets that of the last round, also where a role has nothing
// to do in the rounds.
static const Expr *keep_rounds(Scope *sc, const Expr *iter, const Vars *olds) {
    for (size_t i = 0; i < olds->len; i++)
        if (!olds->at[i]->looped || olds->at[i]->stays)
            return expr_typed(sc, expr_pin(sc->p->arena, iter->at, iter, iter->roles), iter->ty,
                              iter->roles);
    return iter;
}

static SymList for_roles(Scope *sc, const Expr *iter, const Vars *olds, StmtList body,
                         StmtList orelse) {
    SymList old = roles_of_vars(sc, olds);
    if (iter->roles.len > 0 || old.len == 0) return loop_roles(sc, iter, body, orelse);
    Program *p = sc->p;
    SymList both = roles_join(p->arena, roles_of_stmts(p, sc->roles, body),
                              roles_of_stmts(p, sc->roles, orelse));
    return roles_sorted(p->arena, sc->roles, roles_join(p->arena, both, old));
}

void check_for(Scope *sc, const Stmt *s, StmtVec *out) {
    Program *p = sc->p;
    const Expr *iter = check_condition(sc, s->for_.iter, SEVERAL_ITERATED);
    const Expr *target = s->for_.target;
    if (iter->ty != NULL && iter->ty->kind == TY_POISON) return;
    if (!binds_names(sc, target)) return;
    if (target_apart(sc, target, iter->roles, "this loop runs over a value")) return;
    Vars olds = {0};
    find_vars(sc, target, &olds);
    if (!target_bind(sc, target, (LocType){element_type(sc, iter), iter->roles})) {
        bind_poison(sc, s);
        return;
    }
    enter_loop(sc, target, &olds);
    SymList around = sc->branch_roles;
    size_t breaks = sc->breaks;
    sc->branch_roles = iter->roles;
    bool unsure = scope_unsure(sc, iter->roles);
    Round round;
    round_begin(sc, NULL, s->for_.body, &round);
    size_t mark = pyt_mark(p->py);
    StmtList body = check_body(sc, s->for_.body);
    round_end(sc, mark);
    StmtList orelse = check_body(sc, s->for_.orelse);
    sc->unsure = unsure;
    loop_end(sc, &round, goes_on(s->for_.orelse, orelse));
    sc->branch_roles = around;
    SymList roles = for_roles(sc, iter, &olds, body, orelse);
    iter = keep_rounds(sc, expr_place(sc, iter, roles), &olds);
    target_settle(sc, target, roles);
    leave_loop(sc, target, &olds, roles, sc->breaks > breaks);
    vec_push(p->arena, out, stmt_for(p->arena, s->at, place_target(sc, target, roles), iter, body,
                                     orelse));
}
