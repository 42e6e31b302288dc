// python_scopes.c - what CPython's symbol table refuses although its grammar takes it: `global` and
// `nonlocal` that come too late or find nothing, parameters of one name, `:=` and `yield` in
// comprehensions. Without this, the generated programs would not compile. A class's body and a
// function's are blocks, as in the language reference, 4.2.1.

#include "compiler/ir/free_names.h"
#include "typecheck/internal.h"

typedef enum BlockKind { BLOCK_MODULE, BLOCK_CLASS, BLOCK_FUNCTION } BlockKind;

typedef struct Block {
    const struct Block *outer;
    BlockKind kind;
    SymList   params, bound;            // bound: by its statements
    SymList   globals, nonlocals;       // declared so far
    Table    *mentioned;                // Sym: so far
} Block;

// A comprehension around an expression, in the same scope.
typedef struct Frame { const struct Frame *outer; SymList targets; } Frame;

typedef struct Rules {
    Program     *p;
    Block       *scope;
    const Frame *frame;
    bool         in_iterable;   // of a comprehension
} Rules;

static bool rule_stmt(void *cx, const Stmt *s);
static bool rule_expr(void *cx, const Expr *e);

static IrWalker walker(Rules *r) {
    return (IrWalker){.cx = r, .stmt = rule_stmt, .expr = rule_expr};
}

static void walk_expr(Rules *r, const Expr *e) {
    IrWalker w = walker(r);
    if (e != NULL) ir_walk_expr(&w, e);
}

static void walk_exprs(Rules *r, ExprList list) {
    IrWalker w = walker(r);
    ir_walk_exprs(&w, list);
}

// ---- scopes ----

static SymList with_name(Program *p, SymList list, Sym name) {
    return roles_join(p->arena, list, roles_one(p->arena, name));
}

typedef struct Params { Program *p; SymList names; } Params;

static bool note_param(void *cx, const Arg *arg) {
    Params *params = cx;
    if (roles_has(params->names, arg->arg))
        diag_report(params->p->diags, arg->at, DIAG_MISPLACED, "two parameters are called `%s`",
                    arg->arg);
    params->names = with_name(params->p, params->names, arg->arg);
    return false;
}

static bool no_expr(void *cx, const Expr *e) {
    (void)cx, (void)e;
    return false;
}

static SymList params_of(Program *p, const Arguments *a) {
    Params params = {.p = p};
    IrWalker w = {.cx = &params, .arg = note_param, .expr = no_expr};
    ir_walk_arguments(&w, a);
    return params.names;
}

static void enter(Rules *r, BlockKind kind, const Arguments *a, StmtList body, const Expr *value) {
    Program *p = r->p;
    Block scope = {.outer = r->scope, .kind = kind, .mentioned = table_new(p->arena),
                   .params = a != NULL ? params_of(p, a) : (SymList){0},
                   .bound = names_bound(p->arena, p->names, body)};
    Rules inner = {.p = p, .scope = &scope};
    IrWalker w = walker(&inner);
    ir_walk_stmts(&w, body);
    walk_expr(&inner, value);
}

// Its defaults and annotations are of the scope around it.
static void enter_function(Rules *r, const Arguments *a, StmtList body, const Expr *value) {
    IrWalker w = walker(r);
    ir_walk_arguments(&w, a);
    enter(r, BLOCK_FUNCTION, a, body, value);
}

// ---- global, nonlocal ----

static bool found_outside(const Block *scope, Sym name) {
    for (const Block *s = scope->outer; s != NULL; s = s->outer)
        if (s->kind == BLOCK_FUNCTION && !roles_has(s->globals, name) &&
            (roles_has(s->params, name) || roles_has(s->bound, name) ||
             roles_has(s->nonlocals, name)))
            return true;
    return false;
}

static void check_declared(Rules *r, const Stmt *s, Sym name, bool global) {
    const Block *scope = r->scope;
    const char *word = global ? "global" : "nonlocal";
    Diags *diags = r->p->diags;
    if (roles_has(scope->params, name))
        diag_report(diags, s->at, DIAG_MISPLACED, "`%s` is a parameter, and declared `%s`", name,
                    word);
    else if (table_get(scope->mentioned, name) != NULL)
        diag_report(diags, s->at, DIAG_MISPLACED, "`%s` is used before it is declared `%s`", name,
                    word);
    else if (roles_has(global ? scope->nonlocals : scope->globals, name))
        diag_report(diags, s->at, DIAG_MISPLACED, "`%s` is declared both `global` and `nonlocal`",
                    name);
    else if (!global && scope->kind == BLOCK_MODULE)
        diag_report(diags, s->at, DIAG_MISPLACED, "`nonlocal` outside a function");
    else if (!global && !found_outside(scope, name))
        diag_report(diags, s->at, DIAG_MISPLACED,
                    "no function around this one has a variable `%s`", name);
}

static void declare(Rules *r, const Stmt *s, SymList names, bool global) {
    SymList *to = global ? &r->scope->globals : &r->scope->nonlocals;
    for (size_t i = 0; i < names.len; i++) {
        check_declared(r, s, names.at[i], global);
        *to = with_name(r->p, *to, names.at[i]);
    }
}

static void check_annotated(Rules *r, const Expr *target) {
    if (target->kind != EXPR_NAME) return;
    Sym name = target->name.id;
    bool global = roles_has(r->scope->globals, name);
    if (global || roles_has(r->scope->nonlocals, name))
        diag_report(r->p->diags, target->at, DIAG_MISPLACED,
                    "`%s` is declared `%s`, and can have no type here", name,
                    global ? "global" : "nonlocal");
}

static void check_import(Rules *r, const Stmt *s) {
    AliasList names = s->import_from.names;
    bool all = names.len == 1 && sym_is(names.at[0]->name, "*");
    if (all && r->scope->kind != BLOCK_MODULE)
        diag_report(r->p->diags, s->at, DIAG_MISPLACED,
                    "`import *` must stand outside functions and classes");
}

static bool rule_stmt(void *cx, const Stmt *s) {
    Rules *r = cx;
    switch (s->kind) {
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF:
        table_set(r->scope->mentioned, s->function_def.name, r);
        walk_exprs(r, s->function_def.decorator_list);
        enter_function(r, s->function_def.args, s->function_def.body, NULL);
        return false;
    case STMT_CLASS_DEF:
        table_set(r->scope->mentioned, s->class_def.name, r);
        walk_exprs(r, s->class_def.decorator_list);
        walk_exprs(r, s->class_def.bases);
        for (size_t i = 0; i < s->class_def.keywords.len; i++)
            walk_expr(r, s->class_def.keywords.at[i]->value);
        enter(r, BLOCK_CLASS, NULL, s->class_def.body, NULL);
        return false;
    case STMT_GLOBAL: declare(r, s, s->global.names, true); return false;
    case STMT_NONLOCAL: declare(r, s, s->nonlocal.names, false); return false;
    case STMT_ANN_ASSIGN: check_annotated(r, s->ann_assign.target); return true;
    case STMT_IMPORT_FROM: check_import(r, s); return true;
    case STMT_RETURN: case STMT_DELETE: case STMT_ASSIGN: case STMT_TYPE_ALIAS:
    case STMT_AUG_ASSIGN: case STMT_FOR: case STMT_ASYNC_FOR: case STMT_WHILE: case STMT_IF:
    case STMT_WITH: case STMT_ASYNC_WITH: case STMT_MATCH: case STMT_RAISE: case STMT_TRY:
    case STMT_TRY_STAR: case STMT_ASSERT: case STMT_IMPORT: case STMT_EXPR: case STMT_PASS:
    case STMT_BREAK: case STMT_CONTINUE: case STMT_CHOREO: case STMT_OFFER: case STMT_STOPPED:
    case STMT_COUNT:
        break;
    }
    return true;
}

// ---- comprehensions ----

static bool note_target(void *cx, const Expr *e) {
    Params *targets = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE)
        targets->names = with_name(targets->p, targets->names, e->name.id);
    return true;
}

static void enter_comprehension(Rules *r, const Expr *elt, const Expr *value,
                                ComprehensionList generators) {
    Params targets = {.p = r->p};
    IrWalker w = {.cx = &targets, .expr = note_target};
    for (size_t i = 0; i < generators.len; i++) ir_walk_expr(&w, generators.at[i]->target);
    Frame frame = {r->frame, targets.names};
    Rules inner = {r->p, r->scope, &frame, r->in_iterable};
    Rules iterable = {r->p, r->scope, &frame, true};
    for (size_t i = 0; i < generators.len; i++) {
        walk_expr(&iterable, generators.at[i]->iter);
        walk_exprs(&inner, generators.at[i]->ifs);
    }
    walk_expr(&inner, elt);
    walk_expr(&inner, value);
}

static void check_walrus(Rules *r, const Expr *e) {
    Sym name = e->named_expr.target->name.id;
    Diags *diags = r->p->diags;
    if (r->frame == NULL) return;
    if (r->in_iterable)
        diag_report(diags, e->at, DIAG_MISPLACED, "`:=` in what a comprehension goes over");
    else if (r->scope->kind == BLOCK_CLASS)
        diag_report(diags, e->at, DIAG_MISPLACED,
                    "`:=` in a comprehension in the body of a class");
    for (const Frame *f = r->frame; f != NULL && !r->in_iterable; f = f->outer)
        if (roles_has(f->targets, name)) {
            diag_report(diags, e->at, DIAG_MISPLACED,
                        "`:=` assigns to `%s`, which is a variable of the comprehension", name);
            return;
        }
}

static void check_yield(Rules *r, const Expr *e) {
    if (r->frame != NULL)
        diag_report(r->p->diags, e->at, DIAG_MISPLACED, "`yield` in a comprehension");
    else if (r->scope->kind != BLOCK_FUNCTION)
        diag_report(r->p->diags, e->at, DIAG_MISPLACED, "`yield` outside a function");
}

static bool rule_expr(void *cx, const Expr *e) {
    Rules *r = cx;
    switch (e->kind) {
    case EXPR_NAME: table_set(r->scope->mentioned, e->name.id, r); return true;
    case EXPR_LAMBDA:
        enter_function(r, e->lambda.args, (StmtList){0}, e->lambda.body);
        return false;
    case EXPR_LIST_COMP:
        enter_comprehension(r, e->list_comp.elt, NULL, e->list_comp.generators);
        return false;
    case EXPR_SET_COMP:
        enter_comprehension(r, e->set_comp.elt, NULL, e->set_comp.generators);
        return false;
    case EXPR_DICT_COMP:
        enter_comprehension(r, e->dict_comp.key, e->dict_comp.value, e->dict_comp.generators);
        return false;
    case EXPR_GENERATOR_EXP:
        enter_comprehension(r, e->generator_exp.elt, NULL, e->generator_exp.generators);
        return false;
    case EXPR_NAMED_EXPR: check_walrus(r, e); return true;
    case EXPR_YIELD: case EXPR_YIELD_FROM: check_yield(r, e); return true;
    case EXPR_BOOL_OP: case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_IF_EXP: case EXPR_DICT:
    case EXPR_SET: case EXPR_AWAIT: case EXPR_COMPARE: case EXPR_CALL: case EXPR_FORMATTED_VALUE:
    case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT:
    case EXPR_STARRED: case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE: case EXPR_LOCATED:
    case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_SEND: case EXPR_RECV:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_SEND_LABEL: case EXPR_UNIT: case EXPR_COUNT:
        break;
    }
    return true;
}

void python_scopes_check(Program *p, StmtList module) {
    Rules r = {.p = p};
    enter(&r, BLOCK_MODULE, NULL, module, NULL);
}
