// handled.c - what the parts of `try`, `with` and `match` may do (docs/language.md, "Exceptions"),
// judged once the effects of all choreographies are known.
//
// A body whose exceptions are caught may end anywhere, and only the roles that run it know where:
// all that acts in it acts at exactly these roles, and nothing in it communicates. `finally` runs
// while messages of the body may still be unsent: it does not communicate.

#include "typecheck/internal.h"

typedef struct Search {
    const Effects *fx;
    SymList     roles;              // who may act; empty: anybody
    const Expr *com, *act;          // the first that is not allowed
    const Stmt *store;
    SymList     who;                // who communicates, or acts
} Search;

static bool done(const Search *s) { return s->com != NULL || s->act != NULL || s->store != NULL; }

static void note_com(Search *s, const Expr *e, SymList who) {
    s->com = e;
    s->who = who;
}

static bool look_at_expr(void *cx, const Expr *e);

// A message in it counts before what else it does: in `print(ch.com(x))`, in `y = ch.com(x)`.
static bool note_inside(Search *s, const Expr *e) {
    Search inside = {.fx = s->fx};
    IrWalker w = {.cx = &inside, .expr = look_at_expr};
    if (e != NULL) ir_walk_expr(&w, e);
    if (inside.com != NULL) note_com(s, inside.com, inside.who);
    return inside.com != NULL;
}

static void note_act(Search *s, const Expr *e, SymList who) {
    if (s->roles.len == 0 || who.len == 0 || roles_equal(who, s->roles) || note_inside(s, e))
        return;
    s->act = e;
    s->who = who;
}

// A callee that acts at two roles has code of both, whatever holds its values; so has a function
// value, which may communicate besides.
static void look_at_call(Search *s, const Expr *e, const CallSite *site) {
    Arena *a = effect_program(s->fx)->arena;
    SymList com, acts = e->call.func->inst.acts;
    if (site != NULL) {
        Function *f = site->callee;
        SymList from = site->formals, to = site->actuals;
        com = roles_map_all(a, from, to, (SymList){f->communicates.at, f->communicates.len});
        acts = roles_map_all(a, from, to, (SymList){f->acts.at, f->acts.len});
    } else {
        com = acts.len > 1 ? acts : (SymList){0};
    }
    if (com.len > 0) {
        note_com(s, e, com);
        return;
    }
    bool alone = acts.len == 0 || (s->roles.len == 1 && roles_subset(acts, s->roles));
    if (s->roles.len == 0 || alone) return;
    s->act = e;
    s->who = acts;
}

static bool look_at_expr(void *cx, const Expr *e) {
    Search *s = cx;
    Arena *a = effect_program(s->fx)->arena;
    if (done(s)) return false;
    const CallSite *site = effect_site(s->fx, e);
    if (e->kind == EXPR_COM)
        note_com(s, e, roles_join(a, roles_one(a, e->com.sender), roles_one(a, e->com.receiver)));
    else if (e->kind == EXPR_SELECT)
        note_com(s, e, roles_join(a, roles_one(a, e->select.sender),
                                  roles_one(a, e->select.receiver)));
    else if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST) look_at_call(s, e, site);
    else if (effect_expr_acts(e)) note_act(s, e, e->roles);
    return !done(s);
}

static void look_at_store(Search *s, const Stmt *at, const Expr *target, const Expr *value) {
    if (s->roles.len == 0 || done(s) || roles_subset(target->roles, s->roles) ||
        note_inside(s, value))
        return;
    s->store = at;
    s->who = target->roles;
}

// `raise` alone has no expression: it is at the roles of its handler.
static void look_at_raise(Search *s, const Stmt *at) {
    if (at->raise.exc != NULL) {
        note_act(s, at->raise.exc, at->raise.exc->roles);
    } else if (s->roles.len > 0 && !done(s) && !roles_equal(at->roles, s->roles)) {
        s->store = at;
        s->who = at->roles;
    }
}

static bool look_at_stmt(void *cx, const Stmt *at) {
    Search *s = cx;
    if (done(s) || at->kind == STMT_CHOREO || at->kind == STMT_FUNCTION_DEF) return false;
    for (size_t i = 0; at->kind == STMT_ASSIGN && i < at->assign.targets.len; i++)
        look_at_store(s, at, at->assign.targets.at[i], at->assign.value);
    if (at->kind == STMT_ANN_ASSIGN)
        look_at_store(s, at, at->ann_assign.target, at->ann_assign.value);
    if (at->kind == STMT_AUG_ASSIGN)
        look_at_store(s, at, at->aug_assign.target, at->aug_assign.value);
    if (at->kind == STMT_RAISE) look_at_raise(s, at);
    if (at->kind == STMT_FOR) note_act(s, at->for_.iter, at->for_.iter->roles);
    if (at->kind == STMT_WITH) {
        const Expr *manager = at->with.items.at[0]->context_expr;
        note_act(s, manager, manager->roles);
    }
    if (at->kind == STMT_MATCH) note_act(s, at->match.subject, at->match.subject->roles);
    return !done(s);
}

static Search search(const Effects *fx, StmtList body, SymList roles) {
    Search s = {.fx = fx, .roles = roles};
    IrWalker w = {.cx = &s, .expr = look_at_expr, .stmt = look_at_stmt};
    ir_walk_stmts(&w, body);
    return s;
}

// ---- reports ----

static Span found_at(const Search *s) {
    return s->com != NULL ? s->com->at : s->act != NULL ? s->act->at : s->store->at;
}

// The roles that the `try` or `with` tells nothing; none if each knows of its own code only.
static SymList untold(const Search *s, Arena *a) {
    SymVec who = {0};
    for (size_t i = 0; i < s->who.len; i++)
        if (!roles_has(s->roles, s->who.at[i])) vec_push(a, &who, s->who.at[i]);
    return (SymList){who.at, who.len};
}

static SymList others(const Search *s, Arena *a) {
    SymList who = untold(s, a);
    return who.len > 0 ? who : s->who;
}

static Diag *report_handled(const Search *s, const Stmt *at, const char *where) {
    Program *p = effect_program(s->fx);
    effect_refuse(s->fx, at);
    if (s->com != NULL)
        return diag_report(p->diags, found_at(s), DIAG_CONDITIONAL_COM,
                           "%s communicate%s in %s, which an exception may interrupt",
                           roles_text(p->arena, s->who), s->who.len == 1 ? "s" : "", where);
    const char *who = roles_text(p->arena, others(s, p->arena));
    if (untold(s, p->arena).len == 0)
        return diag_report(p->diags, found_at(s), DIAG_CONDITIONAL_ACT,
                           "%s would act in %s, but %s each know only how much of their own code "
                           "runs", who, where, roles_text(p->arena, s->roles));
    return diag_report(p->diags, found_at(s), DIAG_CONDITIONAL_ACT,
                       "%s would act in %s, but only %s know%s how much of it runs", who, where,
                       roles_text(p->arena, s->roles),
                       s->roles.len == 1 ? "s" : "");
}

static void report_try(const Search *body, const Stmt *s) {
    Program *p = effect_program(body->fx);
    Diag *d = report_handled(body, s, "the body of a `try` with a handler");
    if (body->com != NULL) {
        help_try_message(p, d, s, body->com, untold(body, p->arena));
        return;
    }
    help_try_body(p, d, s->roles);
    diag_help(d, "move the code of %s before the `try`; or move it into its `else`, after a "
              "selection, and select another label in every handler",
              roles_text(p->arena, others(body, p->arena)));
}

void handled_judge_try(const Effects *fx, const Stmt *s) {
    Program *p = effect_program(fx);
    if (s->roles.len > 0) {
        Search body = search(fx, s->try.body, s->roles);
        if (done(&body)) report_try(&body, s);
    }
    for (size_t i = 0; i < s->try.handlers.len; i++)
        effect_judge_place(fx, s->try.handlers.at[i]->except_handler.type, s->roles,
                           "in the exception type of a handler");
    Search last = search(fx, s->try.finalbody, (SymList){0});
    if (last.com == NULL) return;
    effect_refuse(fx, s);
    Diag *d = diag_report(p->diags, last.com->at, DIAG_CONDITIONAL_COM,
                          "%s communicate%s in `finally`, which a role enters early if its part of "
                          "the body raises an exception",
                          roles_text(p->arena, last.who), last.who.len == 1 ? "s" : "");
    diag_help(d, "communicate after the `try`; use `finally` only for code of one role");
}

void handled_judge_with(const Effects *fx, const Stmt *s) {
    if (s->roles.len == 0) return;
    Search body = search(fx, s->with.body, s->roles);
    if (!done(&body)) return;
    Diag *d = report_handled(&body, s,
                             "the body of a `with` whose manager may suppress exceptions");
    diag_help(d, "use a context manager whose `__exit__` returns `None`, or keep only code of one "
                 "role in the body");
}

void handled_judge_match(const Effects *fx, const Stmt *s) {
    for (size_t i = 0; i < s->match.cases.len; i++)
        effect_judge_place(fx, s->match.cases.at[i]->guard, s->match.subject->roles,
                           "in the guard of a case");
}
