// control_flow.c - the ways in which control leaves a statement (docs/projection.md, "Jumps"), and
// arms that end the run.

#include "projection/projection_internal.h"

// ---- jumps ----

unsigned jumps_of_if(const Stmt *s)
{
    unsigned jumps = 0;
    while (s->kind == STMT_IF) {
        jumps |= jumps_of_block(s->if_.body);
        if (s->if_.orelse.len != 1)
            return jumps | jumps_of_block(s->if_.orelse);
        s = s->if_.orelse.at[0];
    }
    return jumps | jumps_of_block((StmtList){&s, 1});
}

static unsigned jumps_of_try(const Stmt *s)
{
    unsigned jumps = jumps_of_block(s->try.body) | jumps_of_block(s->try.orelse) |
                     jumps_of_block(s->try.finalbody);
    for (size_t i = 0; i < s->try.handlers.len; i++)
        jumps |= jumps_of_block(s->try.handlers.at[i]->except_handler.body);
    return jumps;
}

static unsigned jumps_of_match(const Stmt *s)
{
    unsigned jumps = 0;
    for (size_t i = 0; i < s->match.cases.len; i++)
        jumps |= jumps_of_block(s->match.cases.at[i]->body);
    return jumps;
}

// The ways in which control can leave the statement other than to the one behind it.
unsigned jumps_of(const Stmt *s)
{
    switch (s->kind) {
    case STMT_RETURN:   return JUMP_RETURN;
    case STMT_BREAK:    return JUMP_BREAK;
    case STMT_CONTINUE: return JUMP_CONTINUE;
    case STMT_IF:       return jumps_of_if(s);
    case STMT_TRY: case STMT_TRY_STAR: return jumps_of_try(s);
    case STMT_WITH: case STMT_ASYNC_WITH: return jumps_of_block(s->with.body);
    case STMT_MATCH:    return jumps_of_match(s);
    case STMT_FOR: case STMT_ASYNC_FOR:
        return JUMP_ROUND | (jumps_of_block(s->for_.body) & JUMP_RETURN) |
               jumps_of_block(s->for_.orelse);
    case STMT_WHILE:
        return JUMP_ROUND | (jumps_of_block(s->while_.body) & JUMP_RETURN) |
               jumps_of_block(s->while_.orelse);
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_DELETE:
    case STMT_ASSIGN: case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_ANN_ASSIGN:
    case STMT_RAISE: case STMT_ASSERT: case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL:
    case STMT_NONLOCAL: case STMT_EXPR: case STMT_PASS: case STMT_CHOREO: case STMT_OFFER:
    case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        return 0;
    }
    return 0;
}

unsigned jumps_of_block(StmtList block)
{
    unsigned jumps = 0;
    for (size_t i = 0; i < block.len; i++)
        jumps |= jumps_of(block.at[i]);
    return jumps;
}
// ---- arms that end the run ----

static bool roles_meet_any(SymList a, SymList b)
{
    for (size_t i = 0; i < a.len; i++)
        if (role_in(b, a.at[i]))
            return true;
    return false;
}

bool never_returns(const Expr *e)
{
    return e->kind == EXPR_CALL && e->ty != NULL && e->ty->kind == TY_NAMED &&
           (sym_is(e->ty->named.name, "NoReturn") || sym_is(e->ty->named.name, "Never"));
}

static bool try_surely_raises(const Stmt *s, SymList deciders)
{
    if (surely_raises(s->try.finalbody, deciders))
        return true;
    for (size_t i = 0; i < s->try.handlers.len; i++)
        if (!surely_raises(s->try.handlers.at[i]->except_handler.body, deciders))
            return false;
    return surely_raises(s->try.body, deciders) || surely_raises(s->try.orelse, deciders);
}

static bool match_surely_raises(const Stmt *s, SymList deciders)
{
    for (size_t i = 0; i < s->match.cases.len; i++)
        if (!surely_raises(s->match.cases.at[i]->body, deciders))
            return false;
    return project_match_is_total(s);
}

// Every path through the block ends in a raise at one of the deciders.
bool surely_raises(StmtList block, SymList deciders)
{
    while (block.len > 0) {
        const Stmt *last = block.at[block.len - 1];
        if (last->kind == STMT_RAISE)
            return roles_meet_any(last->raise.exc != NULL ? last->raise.exc->roles : last->roles,
                                  deciders);
        if (last->kind == STMT_EXPR)
            return never_returns(last->expr.value) &&
                   roles_meet_any(last->expr.value->roles, deciders);
        if (last->kind == STMT_TRY)
            return try_surely_raises(last, deciders);
        if (last->kind == STMT_MATCH)
            return match_surely_raises(last, deciders);
        if (last->kind == STMT_WITH && last->roles.len == 0) {
            block = last->with.body;
            continue;
        }
        if (last->kind != STMT_IF || !surely_raises(last->if_.body, deciders))
            return false;
        block = last->if_.orelse;
    }
    return false;
}

// ---- arms that end the run, and say so ----

static bool tells_and_raises(StmtList block, Sym role, bool told);

static bool arm_tells_and_raises(const Stmt *s, Sym role, bool told)
{
    for (; s->kind == STMT_IF; s = s->if_.orelse.at[0]) {
        if (tells_and_raises(s->if_.body, role, told))
            return true;
        if (s->if_.orelse.len != 1)
            return tells_and_raises(s->if_.orelse, role, told);
    }
    for (size_t i = 0; s->kind == STMT_MATCH && i < s->match.cases.len; i++)
        if (tells_and_raises(s->match.cases.at[i]->body, role, told))
            return true;
    if (s->kind == STMT_WITH)
        return tells_and_raises(s->with.body, role, told);
    for (size_t i = 0; s->kind == STMT_TRY && i < s->try.handlers.len; i++)
        if (tells_and_raises(s->try.handlers.at[i]->except_handler.body, role, told))
            return true;
    return s->kind == STMT_TRY && (tells_and_raises(s->try.body, role, told) ||
                                   tells_and_raises(s->try.orelse, role, told));
}

static bool tells_and_raises(StmtList block, Sym role, bool told)
{
    for (size_t i = 0; i < block.len; i++) {
        const Stmt *s = block.at[i];
        const Expr *e = choice_selection(s);
        told = told || (e != NULL && e->select.receiver == role);
        if (s->kind == STMT_RAISE || (s->kind == STMT_EXPR && never_returns(s->expr.value)))
            return told;
        if (arm_tells_and_raises(s, role, told))
            return true;
    }
    return false;
}

// Whether the arms of a choice go on to the end of the function each: one of them jumps, or ends
// the run and has told the role so, which then knows that what follows is of the others.
bool arms_end_apart(const Stmt *s, Sym role)
{
    return jumps_of(s) != 0 || arm_tells_and_raises(s, role, false);
}
