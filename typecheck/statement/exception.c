// exception.c - try, with, and raise (docs/language.md, "Exceptions").
//
// Where an exception may be caught, the body is code of one role set that does not communicate:
// only these roles know how far it got. A checked `try` with handlers, and a `with` whose manager
// may swallow exceptions, say in `roles` who they are; so does a bare `raise`.

#include "typecheck/expression/narrow.h"
#include "typecheck/expression/operands.h"

static bool poisoned(const Expr *e) { return e->ty != NULL && e->ty->kind == TY_POISON; }

// ---- whose code is a body? ----

// The roles of the first thing in it that acts; else of what it assigns or returns.
typedef struct Doer { SymList acting, other; } Doer;

static bool find_doer(void *cx, const Expr *e) {
    Doer *d = cx;
    if (d->acting.len > 0) return false;
    if (e->kind == EXPR_COM || e->kind == EXPR_SELECT) return true;     // refused later
    bool call = e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST;
    if (call && e->roles.len == 0) {
        if (e->call.func->inst.actuals.len == 1) d->acting = e->call.func->inst.actuals;
        else if (d->other.len == 0) d->other = e->call.func->inst.actuals;
    } else if (call || effect_expr_acts(e)) {
        d->acting = e->roles;
    }
    return d->acting.len == 0;
}

static bool find_doing_stmt(void *cx, const Stmt *s) {
    Doer *d = cx;
    SymList roles = {0};
    if (s->kind == STMT_ASSIGN) roles = s->assign.targets.at[0]->roles;
    if (s->kind == STMT_ANN_ASSIGN) roles = s->ann_assign.target->roles;
    if (s->kind == STMT_AUG_ASSIGN) roles = s->aug_assign.target->roles;
    if (s->kind == STMT_RETURN && s->return_.value != NULL) roles = s->return_.value->roles;
    if (s->kind == STMT_RAISE) roles = s->raise.exc != NULL ? s->raise.exc->roles : s->roles;
    if (s->kind == STMT_FOR) roles = s->for_.iter->roles;
    if (s->kind == STMT_MATCH) roles = s->match.subject->roles;
    if (s->kind == STMT_RAISE || s->kind == STMT_FOR || s->kind == STMT_MATCH) d->acting = roles;
    if (d->other.len == 0) d->other = roles;
    return d->acting.len == 0 && s->kind != STMT_CHOREO && s->kind != STMT_FUNCTION_DEF;
}

static SymList doer_of(Scope *sc, StmtList body) {
    Doer d = {0};
    IrWalker w = {.cx = &d, .expr = find_doer, .stmt = find_doing_stmt};
    ir_walk_stmts(&w, body);
    return d.acting.len > 0 ? d.acting : d.other.len > 0 ? d.other : sc->roles;
}

// ---- where is a manager that says nothing? ----

// The roles that all that a body does is at.
typedef struct Doers { SymList roles; bool several; } Doers;

static bool note_doers(Doers *d, SymList roles) {
    if (roles.len > 0 && d->roles.len > 0) d->several |= !roles_equal(d->roles, roles);
    else if (roles.len > 0) d->roles = roles;
    return !d->several;
}

static bool find_doers(void *cx, const Expr *e) {
    Doers *d = cx;
    bool call = e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST;
    if (e->kind == EXPR_COM || e->kind == EXPR_SELECT) d->several = true;
    else if (call) note_doers(d, e->call.func->inst.actuals);
    else if (effect_expr_acts(e)) note_doers(d, e->roles);
    return !d->several;
}

static bool find_doers_stmt(void *cx, const Stmt *s) {
    Doer one = {0};
    find_doing_stmt(&one, s);
    return note_doers(cx, one.acting.len > 0 ? one.acting : one.other) &&
        s->kind != STMT_CHOREO && s->kind != STMT_FUNCTION_DEF;
}

// A manager that lets exceptions pass may stand round code of several roles, so only a body that is
// all of the same roles says where it is.
static bool body_places(StmtList body) {
    Doers d = {0};
    IrWalker w = {.cx = &d, .expr = find_doers, .stmt = find_doers_stmt};
    ir_walk_stmts(&w, body);
    return d.roles.len > 0 && !d.several;
}

// ---- what is raised and caught ----

// The class that a name is, as the type of its instances; NULL when nothing is known of it.
static const Ty *class_of_name(Scope *sc, const Expr *e) {
    if (e->kind != EXPR_NAME || scope_find(sc, e->name.id) != NULL) return NULL;
    PySym *symbol = pyt_find(sc->p->py->file->env, e->name.id);
    const Ty *t = symbol != NULL ? pyt_symbol_type(symbol) : NULL;
    return t != NULL && type_is(t, "type") && t->named.args.len == 1 ? t->named.args.at[0] : NULL;
}

static bool surely_no_exception(Scope *sc, const Ty *t) {
    if (type_unknown(t) || (t->kind != TY_NAMED && t->kind != TY_NONE_TYPE)) return false;
    return !pyt_fits(sc->p->py, t, type_named(sc->p, "BaseException"));
}

static bool refuse_exception(Scope *sc, const Expr *e, const Ty *t) {
    Diag *d = report_at(sc, e->at, DIAG_TYPE_MISMATCH, "%s is not an exception%s",
                        expr_text(sc->p, e), e->kind == EXPR_NAME ? "" : " class");
    diag_primary(d, "`%s`", type_text(sc->p, t));
    return false;
}

// What `except` names: a class of exceptions, or a tuple of them.
static bool check_caught(Scope *sc, const Expr *e) {
    if (sc->p->parse == NULL || poisoned(e)) return true;
    for (size_t i = 0; e->kind == EXPR_TUPLE && i < e->tuple.elts.len; i++)
        if (!check_caught(sc, e->tuple.elts.at[i])) return false;
    const Ty *t = class_of_name(sc, e);
    if (e->kind == EXPR_CONSTANT) return refuse_exception(sc, e, e->ty);
    return t == NULL || !surely_no_exception(sc, t) || refuse_exception(sc, e, t);
}

// What `raise` names: an exception, or a class of them.
static bool check_raised(Scope *sc, const Expr *e) {
    if (sc->p->parse == NULL || poisoned(e)) return true;
    const Ty *t = class_of_name(sc, e) != NULL ? class_of_name(sc, e) : e->ty;
    if (!surely_no_exception(sc, t)) return true;
    Diag *d = report_at(sc, e->at, DIAG_TYPE_MISMATCH, "%s is not an exception",
                        expr_text(sc->p, e));
    diag_primary(d, "`%s`", type_text(sc->p, t));
    return false;
}

// `raise .. from None` says that there is no cause.
static bool check_cause(Scope *sc, const Expr *e) {
    return (e->ty != NULL && e->ty->kind == TY_NONE_TYPE) || check_raised(sc, e);
}

// ---- try ----

static const Expr *handler_type(Scope *sc, const Expr *e, SymList roles) {
    if (e == NULL) return NULL;
    LocType hint = {NULL, roles};
    const Expr *type = check_expr(sc, e, &hint);
    if (poisoned(type) || !check_caught(sc, type)) return expr_poison(sc, type);
    return expr_coerce(sc, expr_place(sc, type, roles), (LocType){type->ty, roles},
                       "the exception type");
}

static const Ty *caught_type(Program *p, const Expr *type) {
    if (type->kind != EXPR_NAME) return ty_any(p->arena);
    return ty_named(p->arena, type->name.id, (TyList){0});
}

// `as e`: a variable that the handler alone has.
static bool bind_caught(Scope *sc, const Excepthandler *h, SymList roles) {
    Sym name = h->except_handler.name;
    if (name == NULL) return true;
    Var *v = table_get(sc->vars, name);
    if (v != NULL && !v->gone && !roles_equal(v->type.roles, roles)) {
        Diag *d = report_at(sc, h->at, DIAG_PLACE_WRONG,
                            "`%s` is at %s, but this exception is caught at %s", name,
                            roles_text(sc->p->arena, v->type.roles),
                            roles_text(sc->p->arena, roles));
        diag_label(d, v->at, "`%s` was placed here", name);
        diag_help(d, "use another name");
        return false;
    }
    scope_bind(sc, name, (LocType){caught_type(sc->p, h->except_handler.type), roles}, h->at);
    return true;
}

static const Excepthandler *check_handler(Scope *sc, const Excepthandler *h, SymList roles) {
    const Expr *type = handler_type(sc, h->except_handler.type, roles);
    if (!bind_caught(sc, h, roles)) return h;
    SymList around = sc->handled_by;
    sc->handled_by = roles;
    StmtList body = check_body(sc, h->except_handler.body);
    sc->handled_by = around;
    Var *v = h->except_handler.name != NULL ? table_get(sc->vars, h->except_handler.name) : NULL;
    if (v != NULL) v->gone = true;
    return excepthandler_except_handler(sc->p->arena, h->at, type, h->except_handler.name, body);
}

// A jump out of these statements; a loop in them keeps its own.
typedef struct JumpSearch { const Stmt *found; bool in_loop; } JumpSearch;

static bool find_jump(void *cx, const Stmt *s) {
    JumpSearch *j = cx;
    if (j->found != NULL || s->kind == STMT_FUNCTION_DEF || s->kind == STMT_CLASS_DEF) return false;
    bool loop = s->kind == STMT_BREAK || s->kind == STMT_CONTINUE;
    if (s->kind == STMT_RETURN || (loop && !j->in_loop)) j->found = s;
    if (s->kind != STMT_FOR && s->kind != STMT_WHILE) return true;
    JumpSearch inner = {NULL, true};
    IrWalker w = {.cx = &inner, .stmt = find_jump}, own = {.cx = j, .stmt = find_jump};
    ir_walk_stmts(&w, s->kind == STMT_FOR ? s->for_.body : s->while_.body);
    j->found = inner.found;
    ir_walk_stmts(&own, s->kind == STMT_FOR ? s->for_.orelse : s->while_.orelse);
    return false;
}

const Stmt *stmt_leaves(StmtList body) {
    JumpSearch j = {0};
    IrWalker w = {.cx = &j, .stmt = find_jump};
    ir_walk_stmts(&w, body);
    return j.found;
}

// It would swallow an exception, even that a peer has failed.
static void refuse_jump(Scope *sc, StmtList finalbody) {
    const Stmt *jump = stmt_leaves(finalbody);
    if (jump == NULL) return;
    sc->fn->failed = true;
    diag_help(report_unsupported(sc->p, jump->at, "a jump out of `finally`"),
              "move the jump after the `try`: in `finally` it would suppress every exception");
}

// It is reached from everywhere in front of it.
static StmtList check_final(Scope *sc, const Stmt *s) {
    size_t mark = pyt_mark(sc->p->py);
    narrow_forget(sc, (StmtList){&s, 1});
    StmtList body = check_body(sc, s->try.finalbody);
    (void)pyt_leave(sc->p->py, mark);
    return body;
}

bool expr_find_message(void *cx, const Expr *e) {
    if (e->kind == EXPR_COM || e->kind == EXPR_SELECT) *(bool *)cx = true;
    return !*(bool *)cx && e->kind != EXPR_LAMBDA;
}

static bool enter_stmt(void *cx, const Stmt *s) {
    (void)cx;
    return s->kind != STMT_CHOREO && s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

// Does the block send a message? In a `try` with a handler it may not: effect/handled.c says so.
static bool communicates(StmtList body) {
    bool found = false;
    IrWalker w = {.cx = &found, .expr = expr_find_message, .stmt = enter_stmt};
    ir_walk_stmts(&w, body);
    return found;
}

void check_try(Scope *sc, const Stmt *s, StmtVec *out) {
    Arena *a = sc->p->arena;
    ExcepthandlerList from = s->try.handlers;
    SymList around = sc->branch_roles;
    Py *py = sc->p->py;
    Ways ways = ways_begin(sc);
    bool deferred = sc->deferred, unsure = sc->unsure, refused = sc->refused;
    sc->deferred |= from.len > 0;
    StmtList body = check_body(sc, s->try.body);
    sc->deferred = deferred;
    PyExit tried = pyt_leave(py, ways.mark);
    SymList roles = from.len > 0 ? doer_of(sc, body) : (SymList){0};
    const Excepthandler **handlers = ARENA_ARRAY(a, const Excepthandler *, from.len + 1);
    if (from.len > 0) sc->branch_roles = roles;
    if (from.len > 0) scope_unsure(sc, roles);
    sc->refused |= roles.len > 0 && communicates(body);
    for (size_t i = 0; i < from.len; i++) {
        narrow_forget(sc, s->try.body);         // nobody knows how far it got
        handlers[i] = check_handler(sc, from.at[i], roles);
        ways_note(&ways, goes_on(from.at[i]->except_handler.body,
                                 handlers[i]->except_handler.body));
        ways_back(&ways);
    }
    sc->refused = refused;
    pyt_join_exits(py, &tried, 1);
    StmtList orelse = check_body(sc, s->try.orelse);
    ways_note(&ways, goes_on(s->try.body, body) && goes_on(s->try.orelse, orelse));
    ways_back(&ways);
    sc->branch_roles = around;
    sc->unsure = unsure;
    sc->deferred = true;
    StmtList finalbody = check_final(sc, s);
    sc->deferred = deferred;
    if (sc->round != NULL) vec_push(a, &sc->round->finals, s->try.finalbody);
    ways_join(&ways);
    narrow_forget(sc, s->try.finalbody);
    refuse_jump(sc, s->try.finalbody);
    const Stmt *made = stmt_try(a, s->at, body, (ExcepthandlerList){handlers, from.len}, orelse,
                                finalbody);
    vec_push(a, out, stmt_with_roles(a, made, roles));
}

// ---- raise ----

static void check_bare_raise(Scope *sc, const Stmt *s, StmtVec *out) {
    if (sc->handled_by.len == 0) {
        diag_help(report_at(sc, s->at, DIAG_RAISE_NOTHING,
                            "no active exception to reraise: this `raise` is not in a handler"),
                  "raise an exception at a role, as in `raise ValueError(\"...\")@%s`",
                  sc->roles.len > 0 ? sc->roles.at[0] : "Alice");
        return;
    }
    vec_push(sc->p->arena, out, stmt_with_roles(sc->p->arena, s, sc->handled_by));
}

void check_raise(Scope *sc, const Stmt *s, StmtVec *out) {
    Arena *a = sc->p->arena;
    if (s->raise.exc == NULL) {
        check_bare_raise(sc, s, out);
        return;
    }
    LocType hint = {NULL, sc->branch_roles};
    const Expr *both[2] = {check_expr(sc, s->raise.exc, &hint), NULL};
    if (s->raise.cause != NULL) both[1] = check_expr(sc, s->raise.cause, &hint);
    SymList roles;
    if (!check_raised(sc, both[0]) || (both[1] != NULL && !check_cause(sc, both[1]))) return;
    if (!expr_meet(sc, 2, both, (SymList){0}, &roles)) return;
    if (roles.len == 0) roles = sc->branch_roles;
    if (roles.len == 0 && sc->roles.len == 1) roles = sc->roles;
    if (roles.len == 0) {
        report_nowhere(sc, s->raise.exc);
        return;
    }
    const Expr *exc = expr_coerce(sc, expr_place(sc, both[0], roles), (LocType){NULL, roles},
                                  "the exception");
    const Expr *cause = both[1] == NULL ? NULL
        : expr_coerce(sc, expr_place(sc, both[1], roles), (LocType){NULL, roles}, "the cause");
    if (!poisoned(exc) && (cause == NULL || !poisoned(cause)))
        vec_push(a, out, stmt_raise(a, s->at, exc, cause));
}

// ---- with ----

static bool simple_target(const Expr *t) {
    if (t == NULL || t->kind == EXPR_NAME) return true;
    if (t->kind != EXPR_TUPLE && t->kind != EXPR_LIST) return false;
    ExprList elts = t->kind == EXPR_TUPLE ? t->tuple.elts : t->list.elts;
    for (size_t i = 0; i < elts.len; i++)
        if (!simple_target(elts.at[i])) return false;
    return true;
}

// The variables of `as` are where the manager is.
static bool bind_entered(Scope *sc, const Expr *t, const Expr *manager) {
    if (t == NULL) return true;
    if (!simple_target(t)) {
        diag_help(report_unsupported(sc->p, t->at, "this target of `as`"),
                  "use a variable, and assign the target in the body");
        sc->fn->failed = true;
        return false;
    }
    if (target_apart(sc, t, manager->roles, "this manager is")) return false;
    return target_bind(sc, t, (LocType){judge_enter(sc, manager), manager->roles});
}

// Several managers are one `with` inside the other, whose body is `rest`, and then that of `s`.
static void check_items(Scope *sc, const Stmt *s, size_t first, StmtVec *out) {
    Arena *a = sc->p->arena;
    if (first == s->with.items.len) {
        StmtList body = check_body(sc, s->with.body);
        for (size_t i = 0; i < body.len; i++) vec_push(a, out, body.at[i]);
        return;
    }
    const Withitem *item = s->with.items.at[first];
    const Expr *manager = check_expr(sc, item->context_expr, NULL), *vars = item->optional_vars;
    if (!poisoned(manager) && refuse_several(sc, manager, SEVERAL_MANAGER)) return;
    if (poisoned(manager) || !bind_entered(sc, vars, manager)) {
        bind_poison(sc, s);
        return;
    }
    StmtVec inner = {0};
    Ways ways = ways_begin(sc);
    check_items(sc, s, first + 1, &inner);
    StmtList body = {inner.at, inner.len};
    if (body.len == 0) return;          // reported
    bool catches = manager_catches(sc, manager);
    if (catches) {                      // what is behind it is reached from everywhere in it
        ways_note(&ways, goes_on(s->with.body, body));
        ways_back(&ways);
        narrow_forget(sc, s->with.body);
        ways_note(&ways, true);
        ways_join(&ways);
    }
    if (expr_unplaced(manager) && !catches && !body_places(body)) {
        report_nowhere(sc, manager);
        return;
    }
    if (expr_unplaced(manager)) {
        manager = expr_place(sc, manager, doer_of(sc, body));
        if (vars != NULL && target_apart(sc, vars, manager->roles, "this manager is")) return;
        if (vars != NULL) target_settle(sc, vars, manager->roles);
    }
    if (vars != NULL) vars = place_target(sc, vars, manager->roles);
    const Withitem **one = ARENA_NEW(a, const Withitem *);
    *one = withitem_new(a, manager, vars);
    const Stmt *made = stmt_with(a, s->at, (WithitemList){one, 1}, body);
    vec_push(a, out, stmt_with_roles(a, made, catches ? manager->roles : (SymList){0}));
}

void check_with(Scope *sc, const Stmt *s, StmtVec *out) { check_items(sc, s, 0, out); }
