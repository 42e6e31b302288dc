// bodies.c - the statement lists within a statement.

#include "compiler/distribute/bodies.h"

static void give(BodySeen *seen, void *cx, const Stmt *s, BodyKind kind, StmtList body)
{
    if (body.len > 0)
        seen(cx, s, kind, body);
}

static void give_try(BodySeen *seen, void *cx, const Stmt *s, StmtList body,
                     ExcepthandlerList handlers, StmtList orelse, StmtList finalbody)
{
    give(seen, cx, s, BODY_TRY, body);
    for (size_t i = 0; i < handlers.len; i++)
        give(seen, cx, s, BODY_HANDLER, handlers.at[i]->except_handler.body);
    give(seen, cx, s, BODY_ELSE, orelse);
    give(seen, cx, s, BODY_FINALLY, finalbody);
}

void bodies_each(const Stmt *s, BodySeen *seen, void *cx)
{
    switch (s->kind) {
    case STMT_FUNCTION_DEF: give(seen, cx, s, BODY_FUNCTION, s->function_def.body); break;
    case STMT_ASYNC_FUNCTION_DEF:
        give(seen, cx, s, BODY_FUNCTION, s->async_function_def.body);
        break;
    case STMT_CLASS_DEF: give(seen, cx, s, BODY_CLASS, s->class_def.body); break;
    case STMT_FOR:
        give(seen, cx, s, BODY_LOOP, s->for_.body);
        give(seen, cx, s, BODY_ELSE, s->for_.orelse);
        break;
    case STMT_ASYNC_FOR:
        give(seen, cx, s, BODY_LOOP, s->async_for.body);
        give(seen, cx, s, BODY_ELSE, s->async_for.orelse);
        break;
    case STMT_WHILE:
        give(seen, cx, s, BODY_LOOP, s->while_.body);
        give(seen, cx, s, BODY_ELSE, s->while_.orelse);
        break;
    case STMT_IF:
        give(seen, cx, s, BODY_BRANCH, s->if_.body);
        give(seen, cx, s, BODY_ELSE, s->if_.orelse);
        break;
    case STMT_WITH: give(seen, cx, s, BODY_WITH, s->with.body); break;
    case STMT_ASYNC_WITH: give(seen, cx, s, BODY_WITH, s->async_with.body); break;
    case STMT_MATCH:
        for (size_t i = 0; i < s->match.cases.len; i++)
            give(seen, cx, s, BODY_CASE, s->match.cases.at[i]->body);
        break;
    case STMT_TRY:
        give_try(seen, cx, s, s->try.body, s->try.handlers, s->try.orelse, s->try.finalbody);
        break;
    case STMT_TRY_STAR:
        give_try(seen, cx, s, s->try_star.body, s->try_star.handlers, s->try_star.orelse,
                 s->try_star.finalbody);
        break;
    case STMT_RETURN: case STMT_DELETE: case STMT_ASSIGN: case STMT_TYPE_ALIAS:
    case STMT_AUG_ASSIGN: case STMT_ANN_ASSIGN: case STMT_RAISE: case STMT_ASSERT:
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL:
    case STMT_EXPR: case STMT_PASS: case STMT_BREAK: case STMT_CONTINUE: case STMT_CHOREO:
    case STMT_OFFER: case STMT_STOPPED: case STMT_COUNT:
    STMT_CASES_GRAD:
        break;
    }
}

typedef struct Walk { void *cx; bool (*stmt)(void *, const Stmt *); ExprSeen *expr;
                      StmtSeen *seen; const Stmt *top; } Walk;

static bool see_stmt(void *cx, const Stmt *s)
{
    const Walk *w = cx;
    w->seen(w->cx, s);
    return true;
}

static bool skip_expr(void *cx, const Expr *e)
{
    (void)cx, (void)e;
    return false;
}

void bodies_walk(StmtList list, StmtSeen *seen, void *cx)
{
    Walk w = {.cx = cx, .seen = seen};
    const IrWalker walker = {.cx = &w, .stmt = see_stmt, .expr = skip_expr};
    ir_walk_stmts(&walker, list);
}

static bool enter_top(void *cx, const Stmt *s)
{
    const Walk *w = cx;
    return s == w->top;
}

static bool see_expr(void *cx, const Expr *e)
{
    const Walk *w = cx;
    return w->expr(w->cx, e);
}

void stmt_exprs(const Stmt *s, ExprSeen *seen, void *cx)
{
    Walk w = {.cx = cx, .expr = seen, .top = s};
    const IrWalker walker = {.cx = &w, .stmt = enter_top, .expr = see_expr};
    ir_walk_stmt(&walker, s);
}
