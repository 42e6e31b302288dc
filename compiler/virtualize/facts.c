// facts.c - what a part of the program has in its own function: it decides whether, and in which
// form, the part may become a thunk. Compound statements are looked at once.

#include "compiler/virtualize/internal.h"
#include "parser.h"

typedef struct Finder { Virt *v; unsigned facts; } Finder;

static bool find_stmt(void *cx, const Stmt *s);
static bool find_expr(void *cx, const Expr *e);

static IrWalker walker(Finder *f)
{
    return (IrWalker){.cx = f, .stmt = find_stmt, .expr = find_expr};
}

static void find_in_expr(Finder *f, const Expr *e)
{
    IrWalker w = walker(f);
    if (e != NULL)
        ir_walk_expr(&w, e);
}

static void find_in_exprs(Finder *f, ExprList list)
{
    IrWalker w = walker(f);
    ir_walk_exprs(&w, list);
}

unsigned facts_of_expr(Virt *v, const Expr *e)
{
    Finder f = {v, 0};
    find_in_expr(&f, e);
    return f.facts;
}

unsigned facts_of_stmts(Virt *v, StmtList list)
{
    Finder f = {v, 0};
    IrWalker w = walker(&f);
    ir_walk_stmts(&w, list);
    return f.facts;
}

bool is_elif(const Virt *v, const Stmt *s)
{
    return s->kind == STMT_IF && token_from(v, s->at.start)->kind == TOK_ELIF;
}

// ---- compound statements ----

static unsigned facts_of_loop(Virt *v, StmtList body, StmtList orelse)
{
    return (facts_of_stmts(v, body) & ~(unsigned)(FACT_BREAK | FACT_CONTINUE))
           | facts_of_stmts(v, orelse);
}

// A chain of `elif` may be long: it is followed in a loop, and counts as one statement.
static unsigned facts_of_if(Virt *v, const Stmt *s)
{
    unsigned facts = 0;
    for (;;) {
        facts |= facts_of_expr(v, s->if_.test) | facts_of_stmts(v, s->if_.body);
        if (s->if_.orelse.len != 1 || !is_elif(v, s->if_.orelse.at[0]))
            return facts | facts_of_stmts(v, s->if_.orelse);
        s = s->if_.orelse.at[0];
    }
}

static unsigned facts_of_with(Virt *v, WithitemList items, StmtList body)
{
    unsigned facts = FACT_CATCHES | facts_of_stmts(v, body);
    for (size_t i = 0; i < items.len; i++)
        facts |= facts_of_expr(v, items.at[i]->context_expr)
                 | facts_of_expr(v, items.at[i]->optional_vars);
    return facts;
}

static bool find_caught(void *cx, const Expr *e)
{
    static const char *const closing[] = {"BaseException", "GeneratorExit", NULL};
    static const char *const unset[] = {"BaseException", "Exception", "NameError",
                                        "UnboundLocalError", NULL};
    unsigned *facts = cx;
    if (e->kind != EXPR_NAME)
        return true;
    *facts |= sym_is(e->name.id, "UnboundLocalError") ? FACT_UNBOUND : 0;
    *facts |= sym_is_one_of(e->name.id, unset) ? FACT_UNMENDED : 0;
    *facts |= sym_is_one_of(e->name.id, closing) ? FACT_REVIVES : 0;
    return true;
}

// What a handler catches, as facts of a `try` that waits.
static unsigned facts_of_caught(Virt *v, const Excepthandler *h)
{
    StmtList body = h->except_handler.body;
    bool raises = body.at[body.len - 1]->kind == STMT_RAISE
                  && !(facts_of_stmts(v, body) & FACT_JUMPS);
    unsigned caught = h->except_handler.type == NULL ? FACT_REVIVES | FACT_UNMENDED : 0;
    IrWalker w = {.cx = &caught, .expr = find_caught};
    if (h->except_handler.type != NULL)
        ir_walk_expr(&w, h->except_handler.type);
    return raises ? caught & ~(unsigned)FACT_REVIVES : caught;
}

static unsigned facts_of_try(Virt *v, const Stmt *s)
{
    unsigned tried = facts_of_stmts(v, s->try.body), ends = facts_of_stmts(v, s->try.finalbody);
    unsigned caught = ends & FACT_JUMPS ? FACT_REVIVES : 0;
    unsigned handled = 0, waits = FACT_YIELD | FACT_AWAIT;
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        const Excepthandler *h = s->try.handlers.at[i];
        handled |= facts_of_expr(v, h->except_handler.type)
                   | facts_of_stmts(v, h->except_handler.body);
        caught |= facts_of_caught(v, h);
    }
    if (!(tried & waits))
        caught &= ~(unsigned)FACT_REVIVES;
    if (!(handled & waits))                     // then `try` itself becomes a call
        caught &= ~(unsigned)FACT_UNMENDED;
    return FACT_CATCHES | tried | ends | handled | caught | facts_of_stmts(v, s->try.orelse);
}

static unsigned facts_of_match(Virt *v, const Stmt *s)
{
    unsigned facts = facts_of_expr(v, s->match.subject);
    for (size_t i = 0; i < s->match.cases.len; i++)
        facts |= facts_of_expr(v, s->match.cases.at[i]->guard)
                 | facts_of_stmts(v, s->match.cases.at[i]->body);
    return facts;
}

static unsigned facts_of_compound(Virt *v, const Stmt *s, bool *compound)
{
    *compound = true;
    if (s->kind == STMT_IF)
        return facts_of_if(v, s);
    if (s->kind == STMT_WHILE)
        return facts_of_expr(v, s->while_.test)
               | facts_of_loop(v, s->while_.body, s->while_.orelse);
    if (s->kind == STMT_FOR || s->kind == STMT_ASYNC_FOR)
        return facts_of_expr(v, s->for_.target) | facts_of_expr(v, s->for_.iter)
               | facts_of_loop(v, s->for_.body, s->for_.orelse)
               | (s->kind == STMT_ASYNC_FOR ? FACT_AWAIT : 0);
    if (s->kind == STMT_WITH || s->kind == STMT_ASYNC_WITH)
        return facts_of_with(v, s->with.items, s->with.body)
               | (s->kind == STMT_ASYNC_WITH ? FACT_AWAIT : 0);
    if (s->kind == STMT_TRY || s->kind == STMT_TRY_STAR)
        return facts_of_try(v, s);
    if (s->kind == STMT_MATCH)
        return facts_of_match(v, s);
    *compound = false;
    return 0;
}

// ---- simple statements and definitions ----

// Of a definition, what is evaluated where it stands.
static void find_in_function(Finder *f, const Stmt *s)
{
    find_in_exprs(f, s->function_def.decorator_list);
    find_in_exprs(f, s->function_def.args->defaults);
    for (size_t i = 0; i < s->function_def.args->kw_defaults.len; i++)
        find_in_expr(f, s->function_def.args->kw_defaults.at[i]);
}

static void find_in_class(Finder *f, const Stmt *s)
{
    find_in_exprs(f, s->class_def.decorator_list);
    find_in_exprs(f, s->class_def.bases);
    for (size_t i = 0; i < s->class_def.keywords.len; i++)
        find_in_expr(f, s->class_def.keywords.at[i]->value);
}

static unsigned facts_of_import(const Stmt *s)
{
    AliasList names = s->import_from.names;
    return names.len > 0 && sym_is(names.at[0]->name, "*") ? FACT_IMPORT_STAR : 0;
}

static bool find_stmt(void *cx, const Stmt *s)
{
    Finder *f = cx;
    switch (s->kind) {
    case STMT_IF: case STMT_WHILE: case STMT_FOR: case STMT_ASYNC_FOR: case STMT_WITH:
    case STMT_ASYNC_WITH: case STMT_TRY: case STMT_TRY_STAR: case STMT_MATCH:
        f->facts |= facts_of_stmt(f->v, s);
        return false;
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: find_in_function(f, s); return false;
    case STMT_CLASS_DEF: find_in_class(f, s); return false;
    case STMT_RETURN: f->facts |= FACT_RETURN; return true;
    case STMT_BREAK: f->facts |= FACT_BREAK; return true;
    case STMT_CONTINUE: f->facts |= FACT_CONTINUE; return true;
    case STMT_GLOBAL: case STMT_NONLOCAL: f->facts |= FACT_DECLARES; return true;
    case STMT_IMPORT_FROM: f->facts |= facts_of_import(s); return true;
    case STMT_ANN_ASSIGN: f->facts |= s->ann_assign.simple ? FACT_ANNOTATES : 0; return true;
    case STMT_TYPE_ALIAS: return false;
    case STMT_DELETE: case STMT_ASSIGN: case STMT_AUG_ASSIGN: case STMT_RAISE: case STMT_ASSERT:
    case STMT_IMPORT: case STMT_EXPR: case STMT_PASS: case STMT_CHOREO: case STMT_OFFER:
    case STMT_STOPPED: case STMT_COUNT:
    STMT_CASES_GRAD:
        break;
    }
    return true;
}

unsigned facts_of_stmt(Virt *v, const Stmt *s)
{
    uintptr_t known = (uintptr_t)table_get(v->facts, s);
    if (known != 0)
        return (unsigned)(known - 1);
    bool compound;
    unsigned facts = facts_of_compound(v, s, &compound);
    if (!compound)
        return facts_of_stmts(v, (StmtList){&s, 1});
    table_set(v->facts, s, (void *)((uintptr_t)facts + 1));
    return facts;
}

// ---- expressions ----

// A list is made by code of its own, but waits in its function; a generator waits by itself. What
// it goes over first belongs outside.
static bool find_in_generators(Finder *f, const Expr *e, ComprehensionList of)
{
    bool lazy = e->kind == EXPR_GENERATOR_EXP;
    for (size_t i = 0; i < of.len && !lazy; i++)
        f->facts |= of.at[i]->is_async ? FACT_AWAIT : 0;
    if (!lazy)
        return true;
    unsigned before = f->facts;
    IrWalker w = walker(f);
    ir_walk_comprehensions(&w, of);
    find_in_expr(f, e->generator_exp.elt);
    f->facts = before | (f->facts & (FACT_WALRUS | FACT_LOCALS));
    find_in_expr(f, of.at[0]->iter);
    return false;
}

static bool is_bare_super(const Expr *e)
{
    return e->call.args.len == 0 && e->call.keywords.len == 0 && e->call.func->kind == EXPR_NAME
           && sym_is(e->call.func->name.id, "super");
}

static unsigned facts_of_name(Sym name)
{
    static const char *const looks[] = {"locals", "vars", "dir", "exec", NULL};
    return sym_is_one_of(name, looks) ? FACT_LOCALS : 0;
}

static bool find_expr(void *cx, const Expr *e)
{
    Finder *f = cx;
    switch (e->kind) {
    case EXPR_LAMBDA:
        find_in_exprs(f, e->lambda.args->defaults);
        for (size_t i = 0; i < e->lambda.args->kw_defaults.len; i++)
            find_in_expr(f, e->lambda.args->kw_defaults.at[i]);
        return false;
    case EXPR_NAMED_EXPR: f->facts |= FACT_WALRUS; return true;
    case EXPR_YIELD: case EXPR_YIELD_FROM: f->facts |= FACT_YIELD; return true;
    case EXPR_AWAIT: f->facts |= FACT_AWAIT; return true;
    case EXPR_CALL: f->facts |= is_bare_super(e) ? FACT_SUPER : 0; return true;
    case EXPR_NAME: f->facts |= facts_of_name(e->name.id); return true;
    case EXPR_LIST_COMP: return find_in_generators(f, e, e->list_comp.generators);
    case EXPR_SET_COMP: return find_in_generators(f, e, e->set_comp.generators);
    case EXPR_DICT_COMP: return find_in_generators(f, e, e->dict_comp.generators);
    case EXPR_GENERATOR_EXP: return find_in_generators(f, e, e->generator_exp.generators);
    case EXPR_BOOL_OP: case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_IF_EXP: case EXPR_DICT:
    case EXPR_SET: case EXPR_COMPARE: case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR:
    case EXPR_CONSTANT: case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT: case EXPR_STARRED:
    case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST:
    case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_SEND: case EXPR_RECV:
    case EXPR_SEND_LABEL: case EXPR_UNIT: case EXPR_COUNT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
        break;
    }
    return true;
}

// ---- functions that look at their own frame ----

static bool mentions_frame(const Symbol *s)
{
    static const char *const looks[] = {"eval", "exec", "locals", "vars", "dir", NULL};
    return sym_is_one_of(s->name, looks);
}

bool block_observes(const Block *b)
{
    for (size_t i = 0; i < b->symbols.len; i++)
        if (mentions_frame(b->symbols.at[i]) && b->symbols.at[i]->flags != 0)
            return true;
    for (size_t i = 0; i < b->inner.len; i++)
        if (b->inner.at[i]->kind == BLOCK_COMPREHENSION && block_observes(b->inner.at[i]))
            return true;
    return false;
}
