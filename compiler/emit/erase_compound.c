// erase_compound.c - `try`, `with` and `match` of several roles in the central program.
//
// Exceptions are those of a role, and only that role ends by one: what `finally`, or a manager,
// would do for another role while it passes is left out, since that role is not there yet or has
// been cut short.

#include "compiler/emit/erase_internal.h"

static const Expr *central_call(const Eraser *x, const char *method, SymList roles,
                                const Expr *argument)
{
    const Expr *f = expr_attribute(x->arena, (Span){0, 0}, erase_name(x, x->central),
                                   names_get(x->names, method), EXPR_CONTEXT_LOAD);
    Vec(const Expr *) args = {0};
    if (roles.len > 0)
        vec_push(x->arena, &args, erase_roles(x, roles));
    if (argument != NULL)
        vec_push(x->arena, &args, argument);
    return expr_call(x->arena, (Span){0, 0}, f, (ExprList){args.at, args.len}, (KeywordList){0});
}

// ---- try ----

static bool find_finally(void *cx, const Stmt *s)
{
    bool *found = cx;
    *found = *found || s->kind == STMT_WITH || (s->kind == STMT_TRY && s->try.finalbody.len > 0);
    return !*found;
}

// A choreography that is called may ask, too.
static bool find_choreography(void *cx, const Expr *e)
{
    bool *found = cx;
    bool call = e->kind == EXPR_CALL;
    const Ty *of = call ? e->call.func->ty : NULL;
    *found = *found || (call && e->call.func->kind == EXPR_INST) ||
             (of != NULL && (of->kind == TY_PLACED || of->kind == TY_CALLABLE));
    return !*found;
}

// `CENTRAL.caught()` where something in a handler asks whether an exception is passing.
static StmtList erase_handler(const Eraser *x, StmtList block)
{
    bool asks = false;
    IrWalker w = {.cx = &asks, .stmt = find_finally, .expr = find_choreography};
    StmtList body = erase_block(x, block);
    ir_walk_stmts(&w, block);
    if (!asks)
        return body;
    Vec(const Stmt *) out = {0};
    vec_push(x->arena, &out, stmt_expr(x->arena, (Span){0, 0},
                                       central_call(x, "caught", (SymList){0}, NULL)));
    for (size_t i = 0; i < body.len; i++)
        vec_push(x->arena, &out, body.at[i]);
    return (StmtList){out.at, out.len};
}

// Each statement of `finally`, if those that act in it have not been cut short.
static StmtList erase_finally(const Eraser *x, StmtList block)
{
    Vec(const Stmt *) out = {0};
    for (size_t i = 0; i < block.len; i++) {
        StmtList body = erase_block(x, (StmtList){block.at + i, 1});
        Survey s = survey_stmt(x, block.at[i]);
        const Expr *goes_on = s.acts && !s.mixed && s.roles.len > 0
                                  ? central_call(x, "goes_on", s.roles, NULL) : NULL;
        if (goes_on != NULL)
            vec_push(x->arena, &out, stmt_if(x->arena, block.at[i]->at, goes_on, body,
                                             (StmtList){0}));
        for (size_t j = 0; goes_on == NULL && j < body.len; j++)
            vec_push(x->arena, &out, body.at[j]);
    }
    return (StmtList){out.at, out.len};
}

const Stmt *erase_try(const Eraser *x, const Stmt *s)
{
    ExcepthandlerList from = s->try.handlers;
    const Excepthandler **handlers = ARENA_ARRAY(x->arena, const Excepthandler *, from.len);
    for (size_t i = 0; i < from.len; i++) {
        const Excepthandler *h = from.at[i];
        handlers[i] = excepthandler_except_handler(
            x->arena, h->at, h->except_handler.type, h->except_handler.name,
            erase_handler(x, h->except_handler.body));
    }
    StmtList body = erase_block(x, s->try.body), orelse = erase_block(x, s->try.orelse);
    return stmt_try(x->arena, s->at, body, (ExcepthandlerList){handlers, from.len}, orelse,
                    erase_finally(x, s->try.finalbody));
}

// ---- with, match ----

const Stmt *erase_with(const Eraser *x, const Stmt *s)
{
    const Withitem *item = s->with.items.at[0];
    const Withitem **items = ARENA_NEW(x->arena, const Withitem *);
    const Expr *manager = erase_test(x, item->context_expr);
    *items = withitem_new(x->arena,
                          central_call(x, "managed", item->context_expr->roles, manager),
                          item->optional_vars);
    return stmt_with(x->arena, s->at, (WithitemList){items, 1}, erase_block(x, s->with.body));
}

const Stmt *erase_match(const Eraser *x, const Stmt *s)
{
    MatchCaseList from = s->match.cases;
    const MatchCase **cases = ARENA_ARRAY(x->arena, const MatchCase *, from.len);
    for (size_t i = 0; i < from.len; i++) {
        const Expr *guard = from.at[i]->guard;
        cases[i] = match_case_new(x->arena, from.at[i]->pattern,
                                  guard == NULL ? NULL : erase_test(x, guard),
                                  erase_block(x, from.at[i]->body));
    }
    return stmt_match(x->arena, s->at, erase_test(x, s->match.subject),
                      (MatchCaseList){cases, from.len});
}
