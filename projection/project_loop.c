// project_loop.c - `while` and `for` (docs/projection.md, "Loops").
//
// A role that holds the condition or the iterable loops. One that is idle in the rounds drops the
// loop and does its `else` once. Any other is told: its code is L = [c; S1; L] merged with
// [c; S2; rest], where L is a jump back to the head of the loop (`loop->again`), so that it merges
// with nothing but itself.

#include "compiler/ir/control.h"
#include "projection/projection_internal.h"

// What `while` and `for` have in common.
typedef struct Rounds {
    const Stmt *s;
    const Expr *test;               // evaluated in every round; NULL in a `for`
    SymList     knows;              // who counts the rounds
    StmtList    body, orelse;
} Rounds;

static Loop *loop_new(Half *h, Span at)
{
    Loop *loop = ARENA_NEW(h->arena, Loop);
    *loop = (Loop){stmt_continue(h->arena, at), stmt_break(h->arena, at), false, h->loop};
    return loop;
}

// The rounds: `continue` goes on with `again`, as does the end, and `break` with `leave`.
static const Code *project_rounds(Half *h, const Loop *loop, StmtList body, const Code *again,
                                  const Code *leave, const Code *rest)
{
    const Code *outer_again = h->again, *outer_leave = h->leave, *outer_mere = h->mere_leave;
    const Loop *outer = h->loop;
    h->again = again;
    h->leave = leave;
    h->mere_leave = code_cons(h->arena, loop->leave, NULL);
    h->loop = loop;
    const Code *code = project_block(h, body, rest);
    h->again = outer_again;
    h->leave = outer_leave;
    h->mere_leave = outer_mere;
    h->loop = outer;
    return code;
}

// ---- idle roles ----

// Does the role nothing in the rounds, whatever follows them? All ways on are one here.
static bool is_idle(Half *h, const Expr *test, StmtList body)
{
    const Code *on = code_cons(h->arena, stmt_return(h->arena, block_span(body), NULL), NULL);
    Half probe = *h;
    probe.quiet = true;
    probe.reported = false;
    probe.before.at = NULL;
    probe.before.len = probe.before.cap = 0;
    probe.end = probe.again = probe.leave = on;
    if (test != NULL)
        project_discard(&probe, project_expr(&probe, test));
    const Code *code = project_block(&probe, body, on);
    bool idle = probe.before.len == 0 && (code == on || code_stopped(code)) &&
                !probe.reported;    // an error merges with anything
    h->usage = probe.usage;
    h->used = probe.used;
    return idle;
}

// The answer is kept: loops inside loops are asked once.
static bool idle_in(Half *h, const Rounds *r)
{
    static const char YES, NO;
    if (h->idle == NULL)
        h->idle = table_new(h->arena);
    const char *known = table_get(h->idle, r->s);
    if (known == NULL) {
        known = is_idle(h, r->test, r->body) ? &YES : &NO;
        table_set(h->idle, r->s, (void *)known);
    }
    return known == &YES;
}

// A jump out of rounds that this role does not follow: it must make no difference.
static const Code *merge_way(Half *h, const Rounds *r, bool breaks, const Code *code,
                             const Code *rest)
{
    const Code *way = breaks ? rest : h->end;
    Clash clash = {0};
    bool ok;
    const Code *merged = merge_arms(h, r->s->at, r->s->at, way, code, rest, &clash, &ok);
    if (ok)
        return merged;
    choice_report_jump(h, r->s, breaks, &clash);
    return code_poison(h->arena);
}

// Nobody gets behind `while True` without a `break`: this role has nothing more to do.
static bool is_endless(const Rounds *r)
{
    return r->test != NULL && control_always(r->test) && !(jumps_of_block(r->body) & JUMP_BREAK);
}

static const Code *drop_rounds(Half *h, const Rounds *r, const Code *rest)
{
    if (is_endless(r) && !role_in(r->knows, h->role))
        rest = code_stopped_by(h->arena, r->s->at, r->knows);
    const Code *code = project_block(h, r->orelse, rest);
    unsigned jumps = jumps_of_block(r->body);
    if (jumps & JUMP_BREAK)
        code = merge_way(h, r, true, code, rest);
    if (jumps & JUMP_RETURN)
        code = merge_way(h, r, false, code, rest);
    return code;
}

// ---- roles that are told ----

static const Expr *always(Half *h, Span at)
{
    return expr_constant(h->arena, at, const_bool(h->arena, true), NULL);
}

static const Code *merge_rounds(Half *h, const Rounds *r, const Code *round, const Code *done,
                                const Code *leave)
{
    Clash clash = {0};
    bool ok;
    const Code *merged = merge_arms(h, block_span(r->body), block_span(r->orelse), round, done,
                                    leave, &clash, &ok);
    // Behind an error nobody knows what follows; who is not told is wrong all the same.
    bool unknown = done != NULL && done->stmt == NULL && done->poison;
    bool waits = round != NULL && round->stmt != NULL && round->stmt->kind == STMT_OFFER;
    if (ok && (!unknown || waits))
        return merged;
    if (ok)
        clash = (Clash){.left = round};
    choice_report(h, r->s, &clash);
    return NULL;
}

static const Code *project_else(Half *h, const Rounds *r, const Code *rest)
{
    const Loop *outer = h->loop;
    const Code *outer_mere = h->mere_leave;
    h->loop = loop_new(h, r->s->at);    // the outer loop's jumps do not reach out of blocks in here
    h->mere_leave = NULL;
    const Code *code = project_block(h, r->orelse, rest);
    h->mere_leave = outer_mere;
    h->loop = outer;
    return code;
}

// The statements of the `else` from the first one on that jumps: without a `break` in the body they
// may as well stand behind the loop, and there the jump leaves one loop only.
static StmtList jumping_end(const Rounds *r)
{
    size_t i = jumps_of_block(r->body) & JUMP_BREAK ? r->orelse.len : 0;
    while (i < r->orelse.len && jumps_of_block((StmtList){r->orelse.at + i, 1}) == 0)
        i++;
    size_t left = r->orelse.len - i;
    return left > 0 ? (StmtList){r->orelse.at + i, left} : (StmtList){0};
}

static const Code *project_told(Half *h, const Rounds *rounds, const Code *rest)
{
    StmtList later = jumping_end(rounds);
    Rounds shorter = *rounds, *r = &shorter;
    r->orelse.len -= later.len;
    rest = later.len > 0 ? project_block(h, later, rest) : rest;
    size_t mark = h->before.len;
    Loop *loop = loop_new(h, r->s->at);
    const Code *again = code_cons(h->arena, loop->again, NULL);
    const Code *leave = loop_leave(h, loop, rest);
    const Code *done = project_else(h, r, leave);
    const Code *round = project_rounds(h, loop, r->body, again, leave, again);
    const Code *code = merge_rounds(h, r, round, done, leave);
    if (code == NULL)
        return code_poison(h->arena);
    h->temps = 0;
    if (r->test != NULL)
        project_discard(h, project_expr(h, r->test));
    code = project_before(h, mark, code);
    const Stmt *head = stmt_while(h->arena, r->s->at, always(h, r->s->at), (StmtList){0},
                                  (StmtList){0});
    return loop_close(h, head, loop, code_append(h->arena, code, leave), leave, rest);
}

// At a role that does not count the rounds.
static const Code *follow_rounds(Half *h, const Rounds *r, const Code *rest)
{
    if (idle_in(h, r))
        return drop_rounds(h, r, rest);
    return h->quiet ? code_cons(h->arena, r->s, rest) : project_told(h, r, rest);
}

// ---- roles that count the rounds ----

static const Code *keep_rounds(Half *h, const Rounds *r, const Stmt *head, Loop *loop,
                               const Code *rest)
{
    const Code *again = code_cons(h->arena, loop->again, NULL);
    const Code *leave = code_cons(h->arena, loop->leave, NULL);
    Branch *blocks = ARENA_ARRAY(h->arena, Branch, 2);
    blocks[0].at = blocks[1].at = r->s->at;
    blocks[0].body = project_rounds(h, loop, r->body, again, leave, again);
    blocks[1].body = project_block(h, r->orelse, NULL);
    return code_loop(h->arena, head, loop, blocks, 2, rest);
}

static const Expr *negated(Half *h, const Expr *test)
{
    const Expr *e = expr_unary_op(h->arena, test->at, UNARYOP_NOT, test);
    return expr_with_ty(h->arena, e, test->ty, test->roles);
}

// A condition that does something first: `while True`, and the way out is an `if` behind that.
static const Code *keep_open_while(Half *h, const Rounds *r, size_t mark, const Expr *test,
                                   const Code *rest)
{
    Arena *a = h->arena;
    Loop *loop = loop_new(h, r->s->at);
    const Code *again = code_cons(a, loop->again, NULL), *leave = loop_leave(h, loop, rest);
    Branch *ways = ARENA_ARRAY(a, Branch, 2);
    ways[0].at = ways[1].at = r->test->at;
    ways[0].body = project_else(h, r, leave);
    const Code *round = project_rounds(h, loop, r->body, again, leave, again);
    const Stmt *out = stmt_if(a, r->s->at, negated(h, test), (StmtList){0}, (StmtList){0});
    const Code *code = project_before(h, mark, code_choice(a, out, ways, 2, round));
    const Stmt *head = stmt_while(a, r->s->at, always(h, r->s->at), (StmtList){0}, (StmtList){0});
    return loop_close(h, head, loop, code, leave, rest);
}

const Code *project_while(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    Rounds r = {s, s->while_.test, s->while_.test->roles, s->while_.body, s->while_.orelse};
    bool holds = role_in(r.knows, h->role), constant = control_always(r.test);
    if (!holds && !constant)
        return follow_rounds(h, &r, rest);
    bool pinned = holds && r.test->kind == EXPR_PIN;        // to this role: it loops even if idle
    if (constant && !pinned && idle_in(h, &r))
        return drop_rounds(h, &r, rest);
    if (h->quiet)
        return code_cons(h->arena, s, rest);
    const Expr *test = holds ? project_or_unit(h, project_expr(h, r.test), s->at)
                             : always(h, s->at);
    if (h->before.len > mark)
        return keep_open_while(h, &r, mark, test, rest);
    Loop *loop = loop_new(h, s->at);
    loop->endless = is_endless(&r);
    const Stmt *head = stmt_while(h->arena, s->at, test, (StmtList){0}, (StmtList){0});
    return keep_rounds(h, &r, head, loop, rest);
}

// ---- for ----

// `range(3)`: nobody misses it who is idle in the rounds.
static bool is_timeless(const Expr *e)
{
    if (e->kind == EXPR_CONSTANT)
        return true;
    if (e->kind != EXPR_CALL || e->call.func->kind != EXPR_NAME ||
        !sym_is(e->call.func->name.id, "range") || e->call.keywords.len > 0)
        return false;
    for (size_t i = 0; i < e->call.args.len; i++)
        if (e->call.args.at[i]->kind != EXPR_CONSTANT)
            return false;
    return true;
}

const Code *project_for(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    Rounds r = {s, NULL, s->for_.iter->roles, s->for_.body, s->for_.orelse};
    const Expr *iter = project_expr(h, s->for_.iter);
    if (!role_in(r.knows, h->role)) {
        project_discard(h, iter);
        return project_before(h, mark, follow_rounds(h, &r, rest));
    }
    if (is_timeless(s->for_.iter) && idle_in(h, &r))
        return drop_rounds(h, &r, rest);
    if (h->quiet)
        return code_cons(h->arena, s, rest);
    const Expr *target = project_target(h, s->for_.target, true);
    if (target == NULL)
        target = project_ignored(h, s->for_.target);
    iter = project_or_unit(h, iter, s->at);
    const Stmt *head = stmt_for(h->arena, s->at, target, iter, (StmtList){0}, (StmtList){0});
    return project_before(h, mark, keep_rounds(h, &r, head, loop_new(h, s->at), rest));
}
