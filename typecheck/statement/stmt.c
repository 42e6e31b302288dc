// stmt.c - statements of a choreography (docs/language.md, "Statements").

#include <string.h>

#include "compiler/ir/free_names.h"
#include "typecheck/expression/narrow.h"

static void check_stmt(Scope *sc, const Stmt *s, StmtVec *out);

static bool poisoned(const Expr *e) { return e->ty != NULL && e->ty->kind == TY_POISON; }

void bind_poison(Scope *sc, const Stmt *s) {
    Program *p = sc->p;
    bool outer = s->kind == STMT_GLOBAL || s->kind == STMT_NONLOCAL;
    SymList bound = s->kind == STMT_GLOBAL ? s->global.names
        : s->kind == STMT_NONLOCAL ? s->nonlocal.names
        : names_bound(p->arena, p->names, (StmtList){&s, 1});
    for (size_t i = 0; i < bound.len; i++) {
        Sym name = bound.at[i];
        // What is declared to be found around here is not said to be missing here.
        bool known = outer ? table_get(sc->vars, name) != NULL : scope_find(sc, name) != NULL;
        if (!known && !roles_has(sc->roles, name))
            scope_bind(sc, name, (LocType){ty_poison(p->arena), sc->roles}, s->at);
    }
}

static Diag *unsupported(Scope *sc, const Stmt *s, const char *what) {
    bind_poison(sc, s);
    sc->fn->failed = true;
    return report_unsupported(sc->p, source_first_line(sc->p->source, s->at), what);
}

// Once for a block: what stands behind a jump, a raise, or a loop without end.
static void warn_unreachable(Scope *sc, const Stmt *last, const Stmt *next) {
    Span at = source_first_line(sc->p->source, next->at);
    Diag *d = diag_report(sc->p->diags, at, DIAG_UNREACHABLE, "unreachable code");
    diag_label(d, source_first_line(sc->p->source, last->at), "execution never continues after "
                                                              "this");
    diag_help(d, "remove this code, or make the statement before it conditional");
}

StmtList check_body(Scope *sc, StmtList body) {
    StmtVec out = {0};
    StmtVec *front = sc->front;
    sc->front = &out;
    bool told = false, before_here = sc->unreachable;
    for (size_t i = 0; i < body.len; i++) {
        size_t before = out.len;
        check_stmt(sc, body.at[i], &out);
        if (told || i + 1 == body.len || out.len == before) continue;
        told = !body_falls_through((StmtList){out.at + out.len - 1, 1});
        sc->unreachable |= told;
        if (told) warn_unreachable(sc, out.at[out.len - 1], body.at[i + 1]);
    }
    sc->unreachable = before_here;
    sc->front = front;
    return (StmtList){out.at, out.len};
}

// ---- which roles take part in checked statements ----

typedef struct Found { Program *p; SymList all; bool *in; size_t count; } Found;

static void note_roles(Found *f, SymList roles) {
    for (size_t i = 0; i < roles.len; i++)
        for (size_t j = 0; j < f->all.len; j++)
            if (f->all.at[j] == roles.at[i] && !f->in[j]) f->in[j] = true, f->count++;
}

// A nested choreography has all roles around it in scope; those that its body mentions take part.
static SymList roles_of_inst(const Found *f, const Expr *inst) {
    const Expr *target = inst->inst.target;
    bool nested = inst->inst.formals.len == 0 && target->kind == EXPR_NAME;
    const Function *g = nested ? table_get(f->p->nested, target->name.id) : NULL;
    return g != NULL ? g->body_roles : inst->inst.actuals;
}

static bool find_in_expr(void *cx, const Expr *e) {
    Found *f = cx;
    if (e->kind != EXPR_INST) note_roles(f, e->roles);
    if (e->kind == EXPR_INST) note_roles(f, roles_of_inst(f, e));
    if (e->kind == EXPR_COM) note_roles(f, (SymList){&e->com.sender, 1});
    if (e->kind == EXPR_SELECT) note_roles(f, (SymList){&e->select.sender, 1});
    return f->count < f->all.len;
}

SymList roles_of_stmts(Program *p, SymList all, StmtList body) {
    Found f = {p, all, ARENA_ARRAY(p->arena, bool, all.len + 1), 0};
    IrWalker w = {.cx = &f, .expr = find_in_expr};
    ir_walk_stmts(&w, body);
    Vec(Sym) out = {0};
    for (size_t i = 0; i < all.len; i++)
        if (f.in[i]) vec_push(p->arena, &out, all.at[i]);
    return (SymList){out.at, out.len};
}

// ---- conditions ----

const Expr *check_condition(Scope *sc, const Expr *e, Several as) {
    const Expr *test = check_expr(sc, e, NULL);
    if (poisoned(test)) return test;
    if (test->roles.len == 0 && !expr_unplaced(test)) {
        report_at(sc, e->at, DIAG_PLACE_WRONG, "%s does not return a value",
                  expr_text(sc->p, e));
        return expr_poison(sc, test);
    }
    return refuse_several(sc, test, as) ? expr_poison(sc, test) : test;
}

bool goes_on(StmtList body, StmtList checked) {
    return body_falls_through(body) && body_falls_through(checked);
}

// An `elif` chain is as long as it likes: down in a loop, then up again.
static void check_if(Scope *sc, const Stmt *s, StmtVec *out) {
    Arena *a = sc->p->arena;
    typedef struct Link { const Stmt *s; const Expr *test; StmtList body; } Link;
    Vec(Link) chain = {0};
    SymList around = sc->branch_roles;
    StmtList orelse;
    Ways ways = ways_begin(sc);
    bool unsure = sc->unsure, refused = sc->refused, deferred = sc->deferred;
    for (;;) {
        sc->deferred = deferred || chain.len > 0;   // other roles that act there must be told first
        const Expr *test = expr_place(sc, check_condition(sc, s->if_.test, SEVERAL_CONDITION),
                                      sc->roles);
        sc->deferred = deferred;
        sc->branch_roles = test->roles;
        sc->refused |= poisoned(test);      // who decides is not known
        scope_unsure(sc, test->roles);
        size_t mark = pyt_mark(sc->p->py);
        narrow_by(sc, test, true);
        Link link = {s, test, check_body(sc, s->if_.body)};
        bool on = goes_on(s->if_.body, link.body);
        ways_note(&ways, on);
        unsure |= !on && sc->unsure;        // then so is what follows
        (void)pyt_leave(sc->p->py, mark);
        narrow_by(sc, test, false);
        vec_push(a, &chain, link);
        orelse = s->if_.orelse;
        if (orelse.len != 1 || orelse.at[0]->kind != STMT_IF) break;
        s = orelse.at[0];
    }
    StmtList last = check_body(sc, orelse);
    ways_note(&ways, goes_on(orelse, last));
    ways_join(&ways);
    orelse = last;
    sc->refused = refused;
    sc->branch_roles = around;
    sc->unsure = unsure;
    for (size_t i = chain.len; i-- > 0;) {
        const Stmt **one = ARENA_NEW(a, const Stmt *);
        *one = stmt_if(a, chain.at[i].s->at, chain.at[i].test, chain.at[i].body, orelse);
        orelse = (StmtList){one, 1};
    }
    vec_push(a, out, orelse.at[0]);
}

// ---- simple statements ----

static void check_return(Scope *sc, const Stmt *s, StmtVec *out) {
    Arena *a = sc->p->arena;
    LocType result = sc->fn->result;
    const Expr *e = s->return_.value;
    if (result.roles.len > 0 && e == NULL) {
        report_at(sc, s->at, DIAG_RETURN_MISSING, "`%s` must return `%s` at %s", sc->fn->name,
                  type_text(sc->p, result.ty), roles_text(a, result.roles));
        return;
    }
    if (e == NULL) {
        vec_push(a, out, stmt_return(a, s->at, NULL));
        return;
    }
    if (result.roles.len > 0 || result.ty->kind == TY_POISON) {
        const Expr *value = check_placed(sc, e, result, "the result");
        if (!poisoned(value)) vec_push(a, out, stmt_return(a, s->at, value));
        sc->fn->misplaced |= sc->misplaced == e->at.start;
        return;
    }
    const Expr *value = check_expr(sc, e, NULL);
    if (poisoned(value)) return;
    bool none = value->roles.len == 0 && value->ty != NULL && value->ty->kind == TY_NONE_TYPE;
    if (!none) {
        Diag *d = report_at(sc, e->at, DIAG_TYPE_MISMATCH,
                            "`%s` declares no result, but returns %s", sc->fn->name,
                            expr_text(sc->p, e));
        const char *type = type_text(sc->p, value->ty);
        Sym role = value->roles.len > 0 ? value->roles.at[0] : sc->roles.at[0];
        Help *h = diag_help(d, "declare the result: `-> At[%s, %s]`", type, role);
        const Expr *returns = sc->fn->def->function_def.returns;
        if (returns != NULL) diag_edit(d, h, returns->at, "At[%s, %s]", type, role);
        sc->fn->lacks_result = true;
        return;
    }
    if (!expr_unplaced(value)) vec_push(a, out, stmt_expr(a, s->at, value));
    vec_push(a, out, stmt_return(a, s->at, NULL));
}

void report_nowhere(Scope *sc, const Expr *e) {
    if (sc->refused) return;
    Diag *d = report_at(sc, e->at, DIAG_PLACE_MISSING, "the role that runs %s cannot be inferred",
                        expr_text(sc->p, e));
    if (!help_coroutine(sc->p, d, e, sc->roles)) help_pin(sc, d, e);
}

static const Expr *selection(Scope *sc, const Expr *e) {
    if (e->kind != EXPR_CALL || e->call.func->kind != EXPR_ATTRIBUTE ||
        !sym_is(e->call.func->attribute.attr, "select"))
        return NULL;
    const Expr *f = e->call.func, *base = check_expr(sc, f->attribute.value, NULL);
    Decl *d = base->ty != NULL && base->ty->kind == TY_INST
        ? program_find(sc->p, base->ty->inst.name) : NULL;
    if (d == NULL || d->channel == NULL) return NULL;
    const Expr *callee = expr_attribute(sc->p->arena, f->at, base, f->attribute.attr,
                                        EXPR_CONTEXT_LOAD);
    return check_select(sc, e, callee);
}

static bool names_import(Scope *sc, const Expr *e, const char *module) {
    if (e->kind != EXPR_NAME || !sym_is(e->name.id, module)) return false;
    Decl *d = scope_find(sc, e->name.id) == NULL ? program_find(sc->p, e->name.id) : NULL;
    return d != NULL && d->kind == DECL_IMPORT;
}

// A call that does not come back is a kind of raise, and placed as one: by who decided on it.
static bool ends_the_run(Scope *sc, const Expr *e) {
    if (e->kind != EXPR_CALL) return false;
    if (type_is(e->ty, "NoReturn") || type_is(e->ty, "Never")) return true;
    const Expr *f = e->call.func;
    if (f->kind == EXPR_NAME)
        return (sym_is(f->name.id, "exit") || sym_is(f->name.id, "quit")) &&
            scope_find(sc, f->name.id) == NULL && program_find(sc->p, f->name.id) == NULL;
    return f->kind == EXPR_ATTRIBUTE && names_import(sc, f->attribute.value, "sys") &&
        sym_is(f->attribute.attr, "exit");
}

bool stmt_never_returns(const Stmt *s) {
    const Expr *e = s->kind == STMT_EXPR ? s->expr.value : NULL;
    while (e != NULL && e->kind == EXPR_PIN) e = e->pin.value;
    return e != NULL && e->kind == EXPR_CALL &&
        (type_is(e->ty, "NoReturn") || type_is(e->ty, "Never"));
}

static void check_expr_stmt(Scope *sc, const Stmt *s, StmtVec *out) {
    Arena *a = sc->p->arena;
    const Expr *e = s->expr.value;
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR) {
        const Expr *text = expr_with_ty(a, e, type_named(sc->p, "str"), sc->roles);
        vec_push(a, out, stmt_expr(a, s->at, text));
        return;
    }
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_ELLIPSIS) return;
    const Expr *done = selection(sc, e);
    if (done == NULL) done = check_expr(sc, e, NULL);
    if (poisoned(done)) return;
    bool last = ends_the_run(sc, done);
    if (last) done = expr_with_ty(a, done, type_named(sc->p, "NoReturn"), done->roles);
    if (expr_unplaced(done) && sc->roles.len == 1) done = expr_place(sc, done, sc->roles);
    if (expr_unplaced(done) && last) done = expr_place(sc, done, sc->branch_roles);
    if (expr_unplaced(done)) {
        report_nowhere(sc, e);
        return;
    }
    vec_push(a, out, stmt_expr(a, s->at, done));
}

static void check_assert(Scope *sc, const Stmt *s, StmtVec *out) {
    Arena *a = sc->p->arena;
    bool deferred = sc->deferred;
    sc->deferred = true;
    const Expr *both[2] = {check_condition(sc, s->assert.test, SEVERAL_CONDITION), NULL};
    if (s->assert.msg != NULL) both[1] = check_expr(sc, s->assert.msg, NULL);
    SymList roles;
    bool met = expr_meet(sc, 2, both, (SymList){0}, &roles);
    sc->deferred = deferred;
    if (!met) return;
    if (roles.len == 0) {
        report_nowhere(sc, s->assert.test);
        return;
    }
    const Expr *test = expr_place(sc, both[0], roles);
    const Expr *msg = both[1] != NULL ? expr_place(sc, both[1], roles) : NULL;
    if (!roles_equal(test->roles, roles) && !poisoned(test))
        test = expr_coerce(sc, test, (LocType){test->ty, roles}, "the condition");
    narrow_by(sc, test, true);
    if (!poisoned(test)) vec_push(a, out, stmt_assert(a, s->at, test, msg));
}

static void refuse_class(Scope *sc, const Stmt *s) {
    Diag *d = unsupported(sc, s, "this class inside a choreography");
    const char *why = table_get(sc->p->hoist_trouble, s);
    if (why != NULL) diag_note(d, "%s", why);
    diag_help(d, "move the class to the top level of the file%s",
              why != NULL ? ", and pass to its constructor what it uses of the function" : "");
}

// One role's code may use an event loop.
static void refuse_async(Scope *sc, const Stmt *s, const char *what) {
    diag_help(unsupported(sc, s, what), s->kind == STMT_ASYNC_FUNCTION_DEF
              ? "move it to the top level of the file, and call it here with `asyncio.run`"
              : "write it in an `async` function of one role, and call that function here with "
                "`asyncio.run`");
}

static void refuse_import(Scope *sc, const Stmt *s) {
    Diag *d = unsupported(sc, s, "an import inside a choreography");
    Text all = sc->p->source->text;
    bool whole = s->at.end <= all.len && s->at.end - s->at.start < 80 &&
        memchr(all.at + s->at.start, '\n', s->at.end - s->at.start) == NULL;
    diag_help(d, "write %s at the top level of the file; only the roles that use the module "
                 "import it",
              !whole ? "it" : names_format(sc->p->names, "`%.*s`", (int)(s->at.end - s->at.start),
                                           all.at + s->at.start));
}

static void check_stmt(Scope *sc, const Stmt *s, StmtVec *out) {
    Arena *a = sc->p->arena;
    switch (s->kind) {
    case STMT_FUNCTION_DEF: check_nested(sc, s, out); return;
    case STMT_ASYNC_FUNCTION_DEF: refuse_async(sc, s, "`async def` in a choreography"); return;
    case STMT_CLASS_DEF:
        refuse_class(sc, s);
        return;
    case STMT_RETURN: check_return(sc, s, out); return;
    case STMT_DELETE: check_delete(sc, s, out); return;
    case STMT_ASSIGN: check_assign(sc, s, out); return;
    case STMT_TYPE_ALIAS:
        diag_help(unsupported(sc, s, "a `type` statement in a choreography"),
                  "move it to the top level of the file");
        return;
    case STMT_AUG_ASSIGN: check_aug_assign(sc, s, out); return;
    case STMT_ANN_ASSIGN: check_ann_assign(sc, s, out); return;
    case STMT_FOR: check_for(sc, s, out); return;
    case STMT_ASYNC_FOR: refuse_async(sc, s, "`async for` in a choreography"); return;
    case STMT_WHILE: check_while(sc, s, out); return;
    case STMT_IF: check_if(sc, s, out); return;
    case STMT_WITH: check_with(sc, s, out); return;
    case STMT_ASYNC_WITH: refuse_async(sc, s, "`async with` in a choreography"); return;
    case STMT_MATCH: check_match(sc, s, out); return;
    case STMT_RAISE: check_raise(sc, s, out); return;
    case STMT_TRY: check_try(sc, s, out); return;
    case STMT_TRY_STAR: unsupported(sc, s, "`except*`"); return;
    case STMT_ASSERT: check_assert(sc, s, out); return;
    case STMT_IMPORT: case STMT_IMPORT_FROM:
        refuse_import(sc, s);
        return;
    case STMT_GLOBAL:
        diag_help(unsupported(sc, s, "`global` in a choreography"),
                  "a choreography cannot change module state: use a parameter and a result, or "
                  "change the variable in a local function that one role calls");
        return;
    case STMT_NONLOCAL: unsupported(sc, s, "`nonlocal`"); return;
    case STMT_EXPR: check_expr_stmt(sc, s, out); return;
    case STMT_BREAK:
        sc->breaks++;
        if (sc->round != NULL) ways_note(&sc->round->ways, true);
        vec_push(a, out, s);
        return;
    case STMT_PASS: case STMT_CONTINUE: vec_push(a, out, s); return;
    case STMT_CHOREO: case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT: return;
    }
}
