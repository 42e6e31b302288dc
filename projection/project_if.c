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

// Links in a row that leave nothing at this role but their arms: the bodies, then the last `else`.
static const Code *merge_links(Half *h, const Stmt *const *links, const ArmCode *arms, size_t count,
                               const Code *tail)
{
    bool ok = false;
    const Code *code = count > 2 ? project_merge_halves(h, arms, count, tail, &ok) : NULL;
    if (ok)
        return code;
    code = arms[count - 1].code;
    for (size_t i = count - 1; i-- > 0;)
        code = merge_or_report(h, links[i], arms[i].code, code, tail);
    return code;
}

// What the test leaves at this role goes to `before`; gives it to a role that decides.
static const Expr *project_test(Half *h, const Expr *test)
{
    h->temps = 0;
    const Expr *at_role = project_expr(h, test);
    if (role_in(test->roles, h->role))
        return project_or_unit(h, at_role, test->at);
    project_discard(h, at_role);
    return NULL;
}

const Code *project_if(Half *h, const Stmt *s, const Code *rest)
{
    Chain chain = {0};
    StmtList orelse = collect_chain(h, s, &chain);
    const Code *tail = arms_end_apart(s, h->role) ? rest : NULL;
    ArmCode *arms = ARENA_ARRAY(h->arena, ArmCode, chain.len + 1);
    size_t end = chain.len + 1;     // of the arms that are not merged yet
    arms[chain.len] = (ArmCode){orelse, project_block(h, orelse, tail), NULL};
    for (size_t i = chain.len; i-- > 0;) {
        const Stmt *link = chain.at[i];
        size_t mark = h->before.len;
        arms[i] = (ArmCode){link->if_.body, project_block(h, link->if_.body, tail), NULL};
        const Expr *test = project_test(h, link->if_.test);
        if (test == NULL && h->before.len == mark)
            continue;
        if (test != NULL)
            arms[i].code = keep_if(h, link, test, arms[i].code,
                                   merge_links(h, chain.at + i + 1, arms + i + 1, end - i - 1,
                                               tail), tail);
        else
            arms[i].code = merge_links(h, chain.at + i, arms + i, end - i, tail);
        arms[i].block = (StmtList){&chain.at[i], 1};
        arms[i].code = project_before(h, mark, arms[i].code);
        end = i + 1;
    }
    const Code *code = merge_links(h, chain.at, arms, end, tail);
    return tail != NULL ? code : code_append(h->arena, code, rest);
}
