// project_loop.c - `while` and `for` (docs/projection.md, "Loops").

#include "projection/projection_internal.h"

static StmtList loop_body(Half *h, StmtList body, Span at)
{
    return block_or_pass(h, code_finish(h, project_block(h, body, h->again), BLOCK_CONTINUES), at);
}

const Code *project_while(Half *h, const Stmt *s, const Code *rest)
{
    if (!role_in(s->while_.test->roles, h->role))
        return project_drop(h, s, rest);
    const Expr *test = project_or_unit(h, project_inner(h, s->while_.test), s->at);
    return code_cons(h->arena,
                     stmt_while(h->arena, s->at, test, loop_body(h, s->while_.body, s->at),
                                project_inner_block(h, s->while_.orelse)),
                     rest);
}

const Code *project_for(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    const Expr *iter = project_expr(h, s->for_.iter);
    if (!role_in(s->for_.iter->roles, h->role)) {
        project_discard(h, iter);
        return project_before(h, mark, project_drop(h, s, rest));
    }
    const Expr *target = project_or_unit(h, project_target(h, s->for_.target, true), s->at);
    StmtList body = loop_body(h, s->for_.body, s->at);
    StmtList orelse = project_inner_block(h, s->for_.orelse);
    iter = project_or_unit(h, iter, s->at);
    return project_emit(h, mark, stmt_for(h->arena, s->at, target, iter, body, orelse), rest);
}
