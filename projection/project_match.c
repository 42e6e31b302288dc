// project_match.c - `match`: kept by the roles that decide, its arms merged at all others
// (docs/projection.md, "Projection").
//
// The statement of a kept `match` has its cases without bodies; these are the branches. Without a
// case that takes everything there is one more, with an empty body.

#include "projection/projection_internal.h"

static const char NO_CASE[] = "if no case matches";

// ---- arms, for `try` too ----

static Span span_of(const ArmCode *arms, size_t count)
{
    Span all = {0};
    for (size_t i = 0; i < count; i++)
        if (arms[i].block.len > 0) {
            Span one = block_span(arms[i].block);
            all = all.end == 0 ? one : span_join(all, one);
        }
    return all;
}

// As an `if` of the two arms, for the report.
static void report_arms(Half *h, const Stmt *s, const Expr *head, const ArmCode *left,
                        const ArmCode *right, const Clash *clash)
{
    h->arm_words[0] = left->word;
    h->arm_words[1] = right->word;
    h->no_case = s->kind == STMT_MATCH && right->word == NO_CASE;
    h->arm_blocks[0] = left->block;
    h->arm_blocks[1] = right->block;
    h->arms_of = s;
    choice_report(h, stmt_if(h->arena, s->at, head, left->block, right->block), clash);
    h->arm_words[0] = h->arm_words[1] = NULL;
    h->no_case = false;
    h->arms_of = NULL;
}

// Halves first: each arm is merged log n times, not with each of those before it.
const Code *project_merge_halves(Half *h, const ArmCode *arms, size_t count, const Code *tail,
                                 bool *ok)
{
    *ok = true;
    if (count == 1)
        return arms[0].code;
    size_t half = count / 2;
    Clash clash = {0};
    const Code *left = project_merge_halves(h, arms, half, tail, ok);
    if (!*ok)
        return NULL;
    const Code *right = project_merge_halves(h, arms + half, count - half, tail, ok);
    if (!*ok)
        return NULL;
    return merge_arms(h, span_of(arms, half), span_of(arms + half, count - half), left, right,
                      tail, &clash, ok);
}

// One after the other, which finds the arms that differ.
static const Code *merge_in_order(Half *h, const Stmt *s, const Expr *head, const ArmCode *arms,
                                  size_t count, const Code *tail)
{
    const Code *merged = arms[0].code;
    for (size_t i = 1; i < count; i++) {
        Clash clash = {0};
        bool ok;
        Span right = span_of(arms + i, 1);
        const Code *both = merge_arms(h, span_of(arms, i), right, merged, arms[i].code, tail,
                                      &clash, &ok);
        if (ok) {
            merged = both;
            continue;
        }
        size_t left = 0;            // which of the arms so far is it that differs?
        for (size_t j = 0; j < i; j++) {
            Clash one = {0};
            merge_arms(h, span_of(arms + j, 1), right, arms[j].code, arms[i].code, tail, &one, &ok);
            if (ok)
                continue;
            left = j;
            clash = one;
            break;
        }
        report_arms(h, s, head, &arms[left], &arms[i], &clash);
        return code_poison(h->arena);
    }
    return merged;
}

const Code *project_merge_arms(Half *h, const Stmt *s, const Expr *head, const ArmCode *arms,
                               size_t count, const Code *tail)
{
    bool ok;
    const Code *merged = project_merge_halves(h, arms, count, tail, &ok);
    return ok ? merged : merge_in_order(h, s, head, arms, count, tail);
}

const Code *project_after(Half *h, const Code *code, const Code *tail, const Code *rest)
{
    if (tail != NULL && !code_poisoned(code))
        return code;
    return code_append(h->arena, code, tail != NULL ? tail : rest);
}

// ---- match ----

static bool takes_all(const Pattern *p)
{
    while (p->kind == PATTERN_MATCH_AS && p->match_as.pattern != NULL)
        p = p->match_as.pattern;
    if (p->kind != PATTERN_MATCH_OR)
        return p->kind == PATTERN_MATCH_AS;
    for (size_t i = 0; i < p->match_or.patterns.len; i++)
        if (takes_all(p->match_or.patterns.at[i]))
            return true;
    return false;
}

bool project_match_is_total(const Stmt *s)
{
    const MatchCase *last = s->match.cases.at[s->match.cases.len - 1];
    return takes_all(last->pattern) && last->guard == NULL;
}

static const Code *keep_match(Half *h, const Stmt *s, const Expr *subject, const ArmCode *arms,
                              size_t count, const Code *tail)
{
    Arena *a = h->arena;
    const MatchCase **cases = ARENA_ARRAY(a, const MatchCase *, count);
    Branch *branches = ARENA_ARRAY(a, Branch, count);
    for (size_t i = 0; i < count; i++) {
        bool given = i < s->match.cases.len;
        const MatchCase *c = given ? s->match.cases.at[i] : NULL;
        cases[i] = given ? match_case_new(a, c->pattern, project_inner(h, c->guard), (StmtList){0})
                         : match_case_new(a, pattern_match_as(a, s->at, NULL, NULL), NULL,
                                          (StmtList){0});
        branches[i] = (Branch){.at = given ? block_span(c->body) : s->at, .body = arms[i].code};
    }
    const Stmt *head = stmt_match(a, s->at, subject, (MatchCaseList){cases, count});
    return tail == NULL ? code_choice(a, head, branches, count, NULL)
                        : code_join(a, head, branches, count, tail, false, NULL);
}

const Code *project_match(Half *h, const Stmt *s, const Code *rest)
{
    MatchCaseList cases = s->match.cases;
    const Expr *source = s->match.subject;
    const Code *tail = arms_end_apart(s, h->role) ? rest : NULL;
    size_t count = cases.len + !project_match_is_total(s);
    ArmCode *arms = ARENA_ARRAY(h->arena, ArmCode, count);
    for (size_t i = 0; i < count; i++) {
        StmtList block = i < cases.len ? cases.at[i]->body : (StmtList){0};
        arms[i] = (ArmCode){block, project_block(h, block, tail),
                            i == cases.len ? NO_CASE
                            : names_format(h->cx->names, "in case %zu", i + 1)};
    }
    size_t mark = h->before.len;
    h->temps = 0;
    const Expr *subject = project_expr(h, source);
    const Code *code;
    if (role_in(source->roles, h->role)) {
        code = keep_match(h, s, project_or_unit(h, subject, source->at), arms, count, tail);
    } else {
        project_discard(h, subject);
        code = project_merge_arms(h, s, source, arms, count, tail);
    }
    return project_before(h, mark, project_after(h, code, tail, rest));
}
