// project_if.c - `if`: kept by the roles that decide, merged at all others (docs/projection.md).

#include "projection/projection_internal.h"

// ---- if ----

typedef Vec(const Stmt *) Chain;

// The `if` and its `elif`s; returns the last `else`.
static StmtList collect_chain(Half *h, const Stmt *s, Chain *chain)
{
    StmtList orelse;
    for (;;) {
        vec_push(h->arena, chain, s);
        orelse = s->if_.orelse;
        if (orelse.len != 1 || orelse.at[0]->kind != STMT_IF)
            break;
        s = orelse.at[0];
    }
    return orelse;
}

static bool surely_jumps(StmtList block)
{
    const Stmt *last = block.len > 0 ? block.at[block.len - 1] : NULL;
    return last != NULL && (last->kind == STMT_RETURN || last->kind == STMT_BREAK ||
                            last->kind == STMT_CONTINUE);
}

// Where the code of the `else` stands: also behind the `if`, when it alone goes on to there. (Of a
// body whose `else` jumps that would be two places, with the `else` between them.)
static Span span_of_else(const Half *h, const Stmt *s)
{
    StmtList orelse = s->if_.orelse;
    if (!surely_jumps(s->if_.body) || h->following.len == 0)
        return block_span(orelse);
    Span behind = block_span(h->following);
    return orelse.len == 0 ? behind : span_join(block_span(orelse), behind);
}

static const Code *merge_or_report(Half *h, const Stmt *s, const Code *body, const Code *orelse,
                                   const Code *tail)
{
    Clash clash = {0};
    bool ok;
    const Code *merged = merge_arms(h, block_span(s->if_.body), span_of_else(h, s), body, orelse,
                                    tail, &clash, &ok);
    if (ok)
        return merged;
    choice_report(h, s, &clash);
    return code_poison(h->arena);
}

static const Code *keep_if(Half *h, const Stmt *s, const Expr *test, const Code *body,
                           const Code *orelse, const Code *tail)
{
    Branch *arms = ARENA_ARRAY(h->arena, Branch, 2);
    arms[0] = (Branch){.at = block_span(s->if_.body), .body = body};
    arms[1] = (Branch){.at = block_span(s->if_.orelse), .body = orelse};
    if (body == orelse && expr_is_pure(test))
        return body;
    const Stmt *head = stmt_if(h->arena, s->at, test, (StmtList){0}, (StmtList){0});
    if (tail == NULL)
        return code_choice(h->arena, head, arms, 2, NULL);
    return code_join(h->arena, head, arms, 2, tail, false, NULL);
}

static const Code *project_link(Half *h, const Stmt *s, const Code *orelse, const Code *tail)
{
    bool decides = role_in(s->if_.test->roles, h->role);
    size_t mark = h->before.len;
    const Code *body = project_block(h, s->if_.body, tail);
    h->temps = 0;
    const Expr *test = project_expr(h, s->if_.test);
    const Code *code;
    if (!decides)
        project_discard(h, test);
    code = decides ? keep_if(h, s, project_or_unit(h, test, s->if_.test->at), body, orelse, tail)
                   : merge_or_report(h, s, body, orelse, tail);
    return project_before(h, mark, project_after(h, code, tail, tail));
}

const Code *project_if(Half *h, const Stmt *s, const Code *rest)
{
    Chain chain = {0};
    StmtList orelse = collect_chain(h, s, &chain);
    const Code *tail = arms_end_apart(s, h->role) ? rest : NULL;
    const Code *code = project_block(h, orelse, tail);
    for (size_t i = chain.len; i-- > 0;)
        code = project_link(h, chain.at[i], code, tail);
    return tail != NULL ? code : code_append(h->arena, code, rest);
}
