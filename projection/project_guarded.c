// project_guarded.c - `try` and `with` (docs/projection.md, "Exceptions").
//
// Who catches (`roles` of the statement) keeps the whole; every other role merges the ways through
// it: the body with its `else`, and each handler. Without handlers a role keeps what it has a
// `finally` for, or a manager, and only runs the body otherwise.
//
// A block that is kept ends where it ends: a path of it that jumps is not completed by what
// follows, except where that is itself a mere jump.

#include "projection/projection_internal.h"

// What a path through a kept block goes on with.
static const Code *inside(const Half *h, const Code *rest)
{
    return rest == h->end ? rest : NULL;
}

static bool is_mere_jump(const Code *c)
{
    return c == NULL || (c->next == NULL && c->stmt != NULL && stmt_is_loop_jump(c->stmt));
}

// Jumps leave a kept block as they are. Where `break` stands for all that follows a loop, that
// would come to lie inside: from here on it is a mere `break`.
static bool is_left_by_jumps(Half *h, const Stmt *s)
{
    unsigned jumps = jumps_of(s);
    if ((jumps & JUMP_BREAK) && !is_mere_jump(h->leave) && h->mere_leave != NULL)
        h->leave = h->mere_leave;
    if ((!(jumps & JUMP_BREAK) || is_mere_jump(h->leave)) &&
        (!(jumps & JUMP_CONTINUE) || is_mere_jump(h->again)))
        return true;
    if (h->quiet || h->reported)
        return true;
    Diag *d = diag_report_role(h->cx->diags, source_first_line(h->cx->source, s->at),
                               DIAG_UNSUPPORTED, h->role,
                               "at %s a jump out of this block and two loops is not supported yet",
                               h->role);
    diag_within(d, h->function->at);
    diag_help(d, "assign the decision to a variable, and jump after the block");
    h->reported = true;
    return false;
}

// A statement whose blocks are the branches, and what follows it.
static const Code *keep(Half *h, const Stmt *head, const Branch *branches, size_t count,
                        const Code *rest)
{
    return inside(h, rest) != NULL ? code_join(h->arena, head, branches, count, rest, false, NULL)
                                   : code_choice(h->arena, head, branches, count, rest);
}

// ---- try ----

static Branch branch_of(StmtList block, const Code *body)
{
    return (Branch){.at = block_span(block), .body = body};
}

static const Excepthandler *handler_head(Half *h, const Excepthandler *e)
{
    const Expr *type = project_inner(h, e->except_handler.type);
    return excepthandler_except_handler(h->arena, e->at, type, e->except_handler.name,
                                        (StmtList){0});
}

// All of it; `last` is what `finally` does at this role.
static const Code *keep_try(Half *h, const Stmt *s, const Code *last, const Code *rest)
{
    Arena *a = h->arena;
    ExcepthandlerList from = s->try.handlers;
    size_t n = from.len, count = n + 3;
    const Code *in = inside(h, rest);
    const Excepthandler **handlers = ARENA_ARRAY(a, const Excepthandler *, n);
    Branch *branches = ARENA_ARRAY(a, Branch, count);
    StmtList body = s->try.body, orelse = s->try.orelse;
    branches[0] = branch_of(body, project_block(h, body, orelse.len > 0 ? NULL : in));
    for (size_t i = 0; i < n; i++) {
        StmtList block = from.at[i]->except_handler.body;
        handlers[i] = handler_head(h, from.at[i]);
        branches[i + 1] = branch_of(block, project_block(h, block, in));
    }
    bool reached = orelse.len > 0 && !code_closed(branches[0].body);
    branches[n + 1] = branch_of(orelse, reached ? project_block(h, orelse, in) : NULL);
    branches[n + 2] = branch_of(s->try.finalbody, last);
    const Stmt *head = stmt_try(a, s->at, (StmtList){0}, (ExcepthandlerList){handlers, n},
                                (StmtList){0}, (StmtList){0});
    return keep(h, stmt_with_roles(a, head, s->roles), branches, count, rest);
}

// `try: code finally: last`
static const Code *keep_finally(Half *h, const Stmt *s, const Code *code, const Code *last,
                                const Code *rest)
{
    Branch *branches = ARENA_ARRAY(h->arena, Branch, 3);
    branches[0] = branch_of(s->try.body, code);
    branches[1] = (Branch){0};
    branches[2] = branch_of(s->try.finalbody, last);
    const Stmt *head = stmt_try(h->arena, s->at, (StmtList){0}, (ExcepthandlerList){0},
                                (StmtList){0}, (StmtList){0});
    return keep(h, head, branches, 3, rest);
}

// Stands for what decides: that the body fails.
static const Expr *failing(Half *h, const Stmt *s)
{
    Span line = source_first_line(h->cx->source, s->at);
    const Expr *head = expr_constant(h->arena, line, const_none(h->arena), NULL);
    return expr_with_ty(h->arena, head, NULL, s->roles);
}

// The ways through a `try` whose handlers run elsewhere.
static const Code *merge_ways(Half *h, const Stmt *s, const Code *rest)
{
    ExcepthandlerList handlers = s->try.handlers;
    const Code *tail = arms_end_apart(s, h->role) ? rest : NULL;
    ArmCode *arms = ARENA_ARRAY(h->arena, ArmCode, handlers.len + 1);
    const Code *orelse = project_block(h, s->try.orelse, tail);
    StmtList normal = s->try.orelse.len > 0 ? s->try.orelse : s->try.body;
    arms[0] = (ArmCode){normal, project_block(h, s->try.body, orelse),
                        s->try.orelse.len > 0 ? "in the `else`" : "if nothing is raised"};
    for (size_t i = 0; i < handlers.len; i++) {
        StmtList block = handlers.at[i]->except_handler.body;
        arms[i + 1] = (ArmCode){block, project_block(h, block, tail),
                                handlers.len == 1 ? "in the handler"
                                : names_format(h->cx->names, "in handler %zu", i + 1)};
    }
    const Code *code = project_merge_arms(h, s, failing(h, s), arms, handlers.len + 1, tail);
    return project_after(h, code, tail, rest);
}

static const Code *try_code(Half *h, const Stmt *s, const Code *rest)
{
    bool catches = role_in(s->roles, h->role), elsewhere = s->try.handlers.len > 0 && !catches;
    const Code *last = project_block(h, s->try.finalbody, NULL);
    if (elsewhere && last == NULL)
        return merge_ways(h, s, rest);
    if (elsewhere && !is_left_by_jumps(h, s))
        return code_poison(h->arena);
    if (elsewhere)
        return keep_finally(h, s, merge_ways(h, s, inside(h, rest)), last, rest);
    if (catches || last != NULL)
        return is_left_by_jumps(h, s) ? keep_try(h, s, last, rest) : code_poison(h->arena);
    return project_block(h, s->try.body, rest);
}

const Code *project_try(Half *h, const Stmt *s, const Code *rest)
{
    const Code *leave = h->leave, *code = try_code(h, s, rest);
    h->leave = leave;
    return code;
}

// ---- with ----

// The body of a `with` that others hold. Where these may swallow an exception, the body may end
// early, which only matters if it jumps: nothing else of it is here.
static const Code *run_body(Half *h, const Stmt *s, const Code *rest)
{
    if (s->roles.len == 0)
        return project_block(h, s->with.body, rest);
    const Code *tail = arms_end_apart(s, h->role) ? rest : NULL;
    ArmCode arms[] = {{s->with.body, project_block(h, s->with.body, tail),
                       "if nothing is raised"},
                      {(StmtList){0}, tail, "if the manager suppresses an exception"}};
    const Expr *manager = s->with.items.at[0]->context_expr;
    return project_after(h, project_merge_arms(h, s, manager, arms, 2, tail), tail, rest);
}

static const Code *with_code(Half *h, const Stmt *s, const Code *rest)
{
    Arena *a = h->arena;
    const Withitem *item = s->with.items.at[0];
    bool here = role_in(item->context_expr->roles, h->role);
    if (here && !is_left_by_jumps(h, s))
        return code_poison(h->arena);
    const Code *in = inside(h, rest);
    const Code *body = here ? project_block(h, s->with.body, in) : run_body(h, s, rest);
    size_t mark = h->before.len;
    h->temps = 0;
    const Expr *manager = project_expr(h, item->context_expr);
    if (!here) {
        project_discard(h, manager);
        return project_before(h, mark, body);
    }
    const Expr *vars = item->optional_vars;
    const Withitem **one = ARENA_NEW(a, const Withitem *);
    *one = withitem_new(a, project_or_unit(h, manager, s->at),
                        vars == NULL ? NULL : project_target(h, vars, true));
    Branch *branch = ARENA_NEW(a, Branch);
    *branch = branch_of(s->with.body, body);
    const Stmt *head = stmt_with(a, s->at, (WithitemList){one, 1}, (StmtList){0});
    return project_before(h, mark, keep(h, stmt_with_roles(a, head, s->roles), branch, 1, rest));
}

const Code *project_with(Half *h, const Stmt *s, const Code *rest)
{
    const Code *leave = h->leave, *code = with_code(h, s, rest);
    h->leave = leave;
    return code;
}
