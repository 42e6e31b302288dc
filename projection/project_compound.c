// project_compound.c - local compound statements: of one role set, kept whole or dropped whole.

#include "projection/projection_internal.h"

static bool find_role(void *cx, const Expr *e)
{
    const void **search = cx;
    if (role_in(e->roles, search[0]))
        search[1] = e;
    return search[1] == NULL;
}

static bool mentions_role(const Stmt *s, Sym role)
{
    const void *search[2] = {role, NULL};
    IrWalker w = {.cx = search, .expr = find_role};
    ir_walk_stmt(&w, s);
    return search[1] != NULL;
}

// A jump out of what this role does not follow must lead where it goes anyway.
const Code *project_drop(Half *h, const Stmt *s, const Code *rest)
{
    const Code *ways[] = {h->end, h->leave, h->again};
    const unsigned bits[] = {JUMP_RETURN, JUMP_BREAK, JUMP_CONTINUE};
    unsigned jumps = jumps_of(s);
    for (size_t i = 0; i < 3; i++) {
        Clash clash = {0};
        bool ok = true;
        if (jumps & bits[i])
            merge_arms(h, s->at, s->at, ways[i], rest, rest, &clash, &ok);
        if (!ok) {
            choice_report_jump(h, s, false, &clash);
            return rest;
        }
    }
    return rest;
}

StmtList project_inner_block(Half *h, StmtList block)
{
    return code_finish(h, project_block(h, block, NULL), BLOCK_FALLS);
}

static StmtList full_block(Half *h, StmtList block, Span at)
{
    return block_or_pass(h, project_inner_block(h, block), at);
}

const Code *project_with(Half *h, const Stmt *s, const Code *rest)
{
    Arena *a = h->arena;
    WithitemList items = s->with.items;
    const Withitem **out = ARENA_ARRAY(a, const Withitem *, items.len);
    if (!role_in(items.at[0]->context_expr->roles, h->role))
        return project_drop(h, s, rest);
    for (size_t i = 0; i < items.len; i++) {
        const Expr *vars = items.at[i]->optional_vars;
        const Expr *context = project_inner(h, items.at[i]->context_expr);
        context = project_or_unit(h, context, s->at);
        out[i] = withitem_new(a, context, vars == NULL ? NULL : project_target(h, vars, true));
    }
    return code_cons(a, stmt_with(a, s->at, (WithitemList){out, items.len},
                                  full_block(h, s->with.body, s->at)), rest);
}

static ExcepthandlerList project_handlers(Half *h, ExcepthandlerList handlers)
{
    Arena *a = h->arena;
    const Excepthandler **out = ARENA_ARRAY(a, const Excepthandler *, handlers.len);
    for (size_t i = 0; i < handlers.len; i++) {
        const Excepthandler *e = handlers.at[i];
        out[i] = excepthandler_except_handler(a, e->at, e->except_handler.type,
                                              e->except_handler.name,
                                              full_block(h, e->except_handler.body, e->at));
    }
    return (ExcepthandlerList){out, handlers.len};
}

const Code *project_try(Half *h, const Stmt *s, const Code *rest)
{
    if (!mentions_role(s, h->role))
        return project_drop(h, s, rest);
    return code_cons(h->arena,
                     stmt_try(h->arena, s->at, full_block(h, s->try.body, s->at),
                              project_handlers(h, s->try.handlers),
                              project_inner_block(h, s->try.orelse),
                              project_inner_block(h, s->try.finalbody)),
                     rest);
}

const Code *project_match(Half *h, const Stmt *s, const Code *rest)
{
    Arena *a = h->arena;
    size_t mark = h->before.len;
    MatchCaseList cases = s->match.cases;
    const Expr *subject = project_expr(h, s->match.subject);
    if (!role_in(s->match.subject->roles, h->role)) {
        project_discard(h, subject);
        return project_before(h, mark, project_drop(h, s, rest));
    }
    const MatchCase **out = ARENA_ARRAY(a, const MatchCase *, cases.len);
    for (size_t i = 0; i < cases.len; i++)
        out[i] = match_case_new(a, cases.at[i]->pattern, project_inner(h, cases.at[i]->guard),
                                full_block(h, cases.at[i]->body, s->at));
    return project_emit(h, mark, stmt_match(a, s->at, project_or_unit(h, subject, s->at),
                                    (MatchCaseList){out, cases.len}), rest);
}
