// c_home.c - where a variable is declared: by the statement that gives it its first value, if all
// that names it stands behind that in the same block. Others are declared where the function
// begins.

#include <string.h>

#include "compiler/emit/c/c_internal.h"

typedef struct Block {
    const struct Block *outer;
    const Stmt *within;         // the statement of `outer` that it belongs to
    size_t depth;
} Block;

// What is known of a variable so far.
typedef struct Home {
    CVariable *variable;
    const Block *block;         // the innermost that has all of it
    const Stmt *first;          // the statement there that names it first
} Home;

typedef struct Homes {
    CEmit *c;
    Table *of;                  // names -> Home
    const Block *block;
    const Stmt *at;
} Homes;

static bool may_have_home(const CVariable *v)
{
    return !v->param && !v->captured && !v->cell && !v->held && !v->self_function && !v->is_flag
           && v->flag == NULL && !v->exception && v->def == NULL && !v->counter
           && rep_passed(v->rep) && v->rep->drop != NULL;
}

// ---- which block has all of it ----

static void mention(Homes *w, Sym name)
{
    Home *h = table_get(w->of, name);
    if (h == NULL)
        return;
    const Block *b = w->block;
    if (h->block == NULL) {
        h->block = b;
        h->first = w->at;
    }
    while (b->depth > h->block->depth)
        b = b->outer;
    while (h->block != b) {
        if (b->depth == h->block->depth)
            b = b->outer;
        h->first = h->block->within;
        h->block = h->block->outer;
    }
}

static bool note_name(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        mention(cx, e->name.id);
    return true;
}

static bool visit(void *cx, const Stmt *s);

static void visit_expr(Homes *w, const Expr *e)
{
    IrWalker walker = {.cx = w, .expr = note_name};
    if (e != NULL)
        ir_walk_expr(&walker, e);
}

static void visit_all(Homes *w, StmtList body)
{
    IrWalker walker = {.cx = w, .expr = note_name, .stmt = visit};
    ir_walk_stmts(&walker, body);
}

// `target`: of the `for` whose body it is; else NULL.
static void visit_block(Homes *w, StmtList body, const Expr *target)
{
    const Block *outer = w->block;
    const Stmt *at = w->at;
    Block *inner = ARENA_NEW(w->c->arena, Block);
    *inner = (Block){outer, at, outer ? outer->depth + 1 : 0};
    w->block = inner;
    visit_expr(w, target);
    for (size_t i = 0; i < body.len; i++) {
        w->at = body.at[i];
        visit_all(w, (StmtList){body.at + i, 1});
    }
    w->block = outer;
    w->at = at;
}

// All arms of a chain, and what stands before their tests, are parts of the first `if`.
static void visit_chain(Homes *w, const Stmt *s)
{
    for (;;) {
        visit_expr(w, s->if_.test);
        visit_block(w, s->if_.body, NULL);
        StmtList rest = s->if_.orelse;
        const Stmt *last = rest.len > 0 ? rest.at[rest.len - 1] : NULL;
        if (last == NULL || last->kind != STMT_IF) {
            visit_block(w, rest, NULL);
            return;
        }
        visit_all(w, (StmtList){rest.at, rest.len - 1});
        s = last;
    }
}

static void visit_try(Homes *w, const Stmt *s)
{
    visit_block(w, s->try.body, NULL);
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        visit_expr(w, s->try.handlers.at[i]->except_handler.type);
        visit_block(w, s->try.handlers.at[i]->except_handler.body, NULL);
    }
    visit_block(w, s->try.orelse, NULL);
    visit_block(w, s->try.finalbody, NULL);
}

// Whether the walk goes on into it: it has no blocks.
static bool visit(void *cx, const Stmt *s)
{
    Homes *w = cx;
    switch (s->kind) {
    case STMT_IF: visit_chain(w, s); return false;
    case STMT_WHILE:
        visit_expr(w, s->while_.test);
        visit_block(w, s->while_.body, NULL);
        return false;
    case STMT_FOR:
        visit_expr(w, s->for_.iter);
        visit_block(w, s->for_.body, s->for_.target);
        return false;
    case STMT_TRY: visit_try(w, s); return false;
    case STMT_OFFER:
        visit_expr(w, s->offer.channel);
        for (size_t i = 0; i < s->offer.arms.len; i++)
            visit_block(w, s->offer.arms.at[i]->body, NULL);
        return false;
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_RETURN:
    case STMT_DELETE: case STMT_TYPE_ALIAS: case STMT_ASSIGN: case STMT_AUG_ASSIGN:
    case STMT_ANN_ASSIGN: case STMT_ASYNC_FOR: case STMT_WITH: case STMT_ASYNC_WITH:
    case STMT_MATCH: case STMT_RAISE: case STMT_TRY_STAR: case STMT_ASSERT: case STMT_IMPORT:
    case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_EXPR: case STMT_PASS:
    case STMT_BREAK: case STMT_CONTINUE: case STMT_CHOREO: case STMT_STOPPED: case STMT_TAPE:
    case STMT_KEEP: case STMT_BACK: case STMT_COUNT:
        break;
    }
    return true;
}

// ---- whether that statement gives it a value ----

typedef struct Search { Sym name; bool found; } Search;

static bool is_named(void *cx, const Expr *e)
{
    Search *search = cx;
    search->found |= e->kind == EXPR_NAME && e->name.id == search->name;
    return true;
}

static bool gives(const Expr *target, const Expr *value, Sym name)
{
    Search search = {name, false};
    IrWalker walker = {.cx = &search, .expr = is_named};
    if (value == NULL || target->kind != EXPR_NAME || target->name.id != name)
        return false;
    ir_walk_expr(&walker, value);
    return !search.found;
}

static bool is_home(const Home *h)
{
    const Stmt *s = h->first;
    if (h->block == NULL || s == NULL)
        return false;
    Sym name = h->variable->name;
    if (s->kind == STMT_FOR)
        return h->block->within == s && s->for_.target->kind == EXPR_NAME
               && s->for_.target->name.id == name;
    return (s->kind == STMT_ASSIGN && s->assign.targets.len == 1
            && gives(s->assign.targets.at[0], s->assign.value, name))
        || (s->kind == STMT_ANN_ASSIGN
            && gives(s->ann_assign.target, s->ann_assign.value, name));
}

void c_find_homes(CEmit *c, CFunction *f)
{
    Homes w = {.c = c, .of = table_new(c->arena)};
    Vec(Home *) all = {0};
    for (size_t i = 0; i < f->order.len; i++) {
        if (!may_have_home(f->order.at[i]))
            continue;
        Home *h = ARENA_NEW(c->arena, Home);
        *h = (Home){.variable = f->order.at[i]};
        table_set(w.of, h->variable->name, h);
        vec_push(c->arena, &all, h);
    }
    visit_block(&w, f->def->function_def.body, NULL);
    for (size_t i = 0; i < all.len; i++)
        if (is_home(all.at[i]))
            all.at[i]->variable->home = all.at[i]->first;
}

// ---- text ----

CVariable *c_declared_by(CEmit *c, const Stmt *s, const Expr *target)
{
    CVariable *v = target->kind == EXPR_NAME ? c_find_variable(c, target->name.id) : NULL;
    return v != NULL && v->home == s ? v : NULL;
}

// If a variable of that representation is declared with `e`, that is where the value goes.
Value c_open_for(CEmit *c, const Expr *e, const Rep *rep)
{
    CVariable *v = c->first.value == e && c->first.variable->rep == rep ? c->first.variable : NULL;
    if (v == NULL)
        return c_open_variable(c, rep);
    c->head = c_text(c, "%s;", c_declaration(c, rep, v->c_name, NULL));
    return c_variable(c, v);
}

// `T x = value;`, or `T x = 0;` before the block of what the value takes.
static void put_first(CEmit *c, CVariable *v, const char *value)
{
    if (!c->declared) {
        c_line(c, "%s;", c_declaration(c, v->rep, v->c_name, value));
        return;
    }
    c->head = c_text(c, "%s;", c_declaration(c, v->rep, v->c_name, NULL));
    c_line(c, "%s = %s;", v->c_name, value);
}

// What was made in the variable itself is there already, unless it is converted.
static void put_converted(CEmit *c, CVariable *variable, Value v, Span at)
{
    if (strcmp(v.text, variable->c_name) != 0)
        c_line(c, "PYCHORAL_SET(%s, %s, %s);", variable->rep->drop, variable->c_name,
               c_owned(c, c_convert(c, v, variable->rep, at)));
}

void c_declare(CEmit *c, CVariable *variable, const Expr *value)
{
    c->first = (struct CFirst){value, variable};
    Value v = c_expr_as(c, value, variable->rep);
    c->first = (struct CFirst){0};
    const char *call;
    if (c->head != NULL) {
        put_converted(c, variable, v, value->at);
    } else if (v.rep == variable->rep && c_take_call(c, v, &call)) {
        put_first(c, variable, call);
        c_check(c);
    } else {
        v = c_convert(c, v, variable->rep, value->at);
        put_first(c, variable, c_without_brackets(c, c_owned(c, v)));
    }
}
