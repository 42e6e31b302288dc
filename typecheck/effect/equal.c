// equal.c - what is left of an iterator is not the same at two roles (docs/language.md,
// "Replicated values stay equal").

#include "typecheck/internal.h"

// ---- iterators, which are used up by whoever reads them ----

static bool makes_iterator(Program *p, const Expr *call) {
    static const char *const MAKERS[] = {"enumerate", "filter", "iter", "map", "reversed", "zip",
                                         NULL};
    const Expr *f = call->call.func;
    if (f->kind != EXPR_NAME) return false;
    const Decl *d = program_find(p, f->name.id);
    if (d == NULL) return sym_is_one_of(f->name.id, MAKERS);
    return d->kind == DECL_LOCAL_FUNCTION && stmts_yield(d->stmt->function_def.body);
}

// What only names an iterator has been judged where it was made.
static bool is_iterator(Program *p, const Expr *e) {
    if (e->kind == EXPR_GENERATOR_EXP) return true;
    return e->kind == EXPR_CALL &&
        (type_is(e->ty, "Iterator") || type_is(e->ty, "Generator") || makes_iterator(p, e));
}

// An iterator at several roles is read where it is made. If it were kept, one of them could read
// on, and the others would not know.
static void kept(Program *p, const Expr *e) {
    if (e == NULL || e->roles.len < 2 || type_several(e->ty) || !is_iterator(p, e)) return;
    Diag *d = diag_report(p->diags, e->at, DIAG_REPLICATED_UNSURE,
                          "the iterator %s is replicated at %s, but each role could read a "
                          "different part of it", expr_text(p, e), roles_text(p->arena, e->roles));
    diag_help(d, "store a list instead: `list(..)`");
}

// Does a call give a function that keeps something between its calls? A method by its name.
static bool makes_closure(Program *p, const Expr *call) {
    const Expr *f = call->call.func;
    if (f->kind == EXPR_NAME) {
        const Decl *d = program_find(p, f->name.id);
        if (d != NULL) return d->kind == DECL_LOCAL_FUNCTION && closure_makes(p, d->stmt);
        const StmtVec *inner = table_get(p->inner, f->name.id);
        for (size_t i = 0; inner != NULL && i < inner->len; i++)
            if (closure_makes(p, inner->at[i])) return true;
        return false;
    }
    const Ty *t = f->kind == EXPR_ATTRIBUTE ? f->attribute.value->ty : NULL;
    Decl *d = t != NULL && t->kind == TY_NAMED ? program_find(p, t->named.name) : NULL;
    for (; d != NULL && d->kind == DECL_LOCAL_CLASS; d = program_local_base(p, d)) {
        const Stmt *m = table_get(d->members, f->attribute.attr);
        if (m != NULL) return closure_makes(p, m);
    }
    return false;
}

// No copy can be made of what a function keeps.
static void closure_kept(Program *p, const Expr *e) {
    if (e == NULL || e->roles.len < 2 || e->kind != EXPR_CALL || !makes_closure(p, e)) return;
    Diag *d = diag_report(p->diags, e->at, DIAG_REPLICATED_STORE,
                          "the function that %s returns keeps state at %s, but one role alone "
                          "could call it", expr_text(p, e),
                          roles_text(p->arena, e->roles));
    diag_help(d, "use an object of a class instead: a role that uses the object alone has a copy");
}

// A function at several roles that may change what they all hold: one of them could call it.
static void function_kept(Program *p, const Expr *e) {
    if (e == NULL || e->roles.len < 2) return;
    closure_kept(p, e);
    bool method = bound_method_changes(p, e);
    if (!method && !(e->kind == EXPR_LAMBDA && lambda_captures(p, e))) return;
    Diag *d = diag_report(p->diags, e->at, DIAG_REPLICATED_STORE,
                          "%s uses an object that is replicated at %s, but one role alone could "
                          "call it",
                          expr_text(p, e), roles_text(p->arena, e->roles));
    diag_help(d, method ? "call the method directly, at all roles of the object, instead of "
                          "storing it"
              : "pass the object to the lambda as an argument");
}

static void all_kept(Program *p, ExprList list) {
    for (size_t i = 0; i < list.len; i++) kept(p, list.at[i]);
}

static void kept_in(Program *p, const Expr *e) {
    ExprList elts = e->kind == EXPR_LIST ? e->list.elts : e->kind == EXPR_TUPLE ? e->tuple.elts
        : e->kind == EXPR_DICT ? e->dict.values : (ExprList){0};
    for (size_t i = 0; i < elts.len; i++) function_kept(p, elts.at[i]);
    if (e->kind == EXPR_LIST) all_kept(p, e->list.elts);
    if (e->kind == EXPR_TUPLE) all_kept(p, e->tuple.elts);
    if (e->kind == EXPR_DICT) all_kept(p, e->dict.values);
    if (e->kind == EXPR_NAMED_EXPR) kept(p, e->named_expr.value);
    if (e->kind == EXPR_NAMED_EXPR) closure_kept(p, e->named_expr.value);
    if (e->kind == EXPR_BOOL_OP) all_kept(p, e->bool_op.values);
    if (e->kind != EXPR_IF_EXP) return;
    kept(p, e->if_exp.body);
    kept(p, e->if_exp.orelse);
}

// What is called may keep what it is given, unless it is a builtin.
static void kept_by_call(Program *p, const Expr *e) {
    const Expr *f = e->call.func;
    if (f->kind == EXPR_NAME && builtin_deterministic(f->name.id)) return;
    for (size_t i = 0; i < e->call.args.len; i++) closure_kept(p, e->call.args.at[i]);
    for (size_t i = 0; i < e->call.keywords.len; i++)
        closure_kept(p, e->call.keywords.at[i]->value);
    if (f->kind == EXPR_ATTRIBUTE && !type_several(f->attribute.value->ty)) return;
    all_kept(p, e->call.args);
    for (size_t i = 0; i < e->call.keywords.len; i++) kept(p, e->call.keywords.at[i]->value);
}

static const IrKinds KEEPING = {
    IR_KIND(EXPR_CALL) | IR_KIND(EXPR_LIST) | IR_KIND(EXPR_TUPLE) | IR_KIND(EXPR_DICT) |
        IR_KIND(EXPR_NAMED_EXPR) | IR_KIND(EXPR_BOOL_OP) | IR_KIND(EXPR_IF_EXP),
    IR_KIND(STMT_RETURN) | IR_KIND(STMT_ASSIGN) | IR_KIND(STMT_ANN_ASSIGN),
};

static bool judge_expr(void *cx, const Expr *e) {
    Program *p = cx;
    if (e->kind == EXPR_CALL) kept_by_call(p, e);
    if (e->roles.len < 2) return true;
    kept_in(p, e);
    return true;
}

// Unpacking reads an iterator at once.
static void kept_assigned(Program *p, const Stmt *s) {
    for (size_t i = 0; i < s->assign.targets.len; i++) {
        ExprKind target = s->assign.targets.at[i]->kind;
        if (target != EXPR_TUPLE && target != EXPR_LIST) {
            kept(p, s->assign.value);
            return;
        }
    }
}

static bool judge_stmt(void *cx, const Stmt *s) {
    Program *p = cx;
    if (s->kind == STMT_RETURN) function_kept(p, s->return_.value);
    if (s->kind == STMT_ANN_ASSIGN) function_kept(p, s->ann_assign.value);
    if (s->kind == STMT_ASSIGN) function_kept(p, s->assign.value);
    if (s->kind == STMT_RETURN) kept(p, s->return_.value);
    if (s->kind == STMT_ANN_ASSIGN) kept(p, s->ann_assign.value);
    if (s->kind == STMT_ASSIGN) kept_assigned(p, s);
    return true;
}

void equal_check(Program *p, IrIndex checked) {
    IrWalker w = {.cx = p, .expr = judge_expr, .stmt = judge_stmt};
    ir_index_walk(&w, checked, KEEPING);
}
