// project_stmt.c - endpoint projection of statements (docs/projection.md, "Projection": assign,
// select, if, loop, try, jumps).
//
// A block is projected from its end, so that every statement is given the code that follows it.
// Inside an `if` with a path that jumps, that is all the code up to the end of the function (or
// of the loop body); otherwise it is the rest of the arm, and the rest of the block is appended
// after merging.

#include "projection/projection_internal.h"

// ---- jumps ----

typedef enum Jumps { JUMP_RETURN = 1, JUMP_BREAK = 2, JUMP_CONTINUE = 4 } Jumps;

static unsigned jumps_of_block(StmtList block);

static unsigned jumps_of_if(const Stmt *s)
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
static unsigned jumps_of(const Stmt *s)
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
        return (jumps_of_block(s->for_.body) & JUMP_RETURN) | jumps_of_block(s->for_.orelse);
    case STMT_WHILE:
        return (jumps_of_block(s->while_.body) & JUMP_RETURN) | jumps_of_block(s->while_.orelse);
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_DELETE:
    case STMT_ASSIGN: case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_ANN_ASSIGN:
    case STMT_RAISE: case STMT_ASSERT: case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL:
    case STMT_NONLOCAL: case STMT_EXPR: case STMT_PASS: case STMT_CHOREO: case STMT_OFFER:
    case STMT_COUNT:
        return 0;
    }
    return 0;
}

static unsigned jumps_of_block(StmtList block)
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

static bool never_returns(const Expr *e)
{
    return e->kind == EXPR_CALL && e->ty != NULL && e->ty->kind == TY_NAMED &&
           (sym_is(e->ty->named.name, "NoReturn") || sym_is(e->ty->named.name, "Never"));
}

// Every path through the block ends in a raise at one of the deciders.
static bool surely_raises(StmtList block, SymList deciders)
{
    while (block.len > 0) {
        const Stmt *last = block.at[block.len - 1];
        if (last->kind == STMT_RAISE)
            return last->raise.exc != NULL && roles_meet_any(last->raise.exc->roles, deciders);
        if (last->kind == STMT_EXPR)
            return never_returns(last->expr.value) &&
                   roles_meet_any(last->expr.value->roles, deciders);
        if (last->kind != STMT_IF || !surely_raises(last->if_.body, deciders))
            return false;
        block = last->if_.orelse;
    }
    return false;
}

// ---- statements out of parts ----

// What the expressions of a statement left to do first, then the rest.
static const Code *with_before(Half *h, size_t mark, const Code *rest)
{
    while (h->before.len > mark)
        rest = code_cons(h->arena, h->before.at[--h->before.len], rest);
    return rest;
}

static const Code *emit(Half *h, size_t mark, const Stmt *s, const Code *rest)
{
    return with_before(h, mark, code_cons(h->arena, s, rest));
}

static bool is_single_name(ExprList targets)
{
    return targets.len == 1 && targets.at[0]->kind == EXPR_NAME;
}

// `x = receipt` needs no other name for what is received.
static const Expr *assigned_value(Half *h, const Expr *target, const Expr *value)
{
    bool here = target->kind == EXPR_NAME && role_in(target->roles, h->role);
    return here ? project_value(h, value) : project_expr(h, value);
}

static const Code *project_assign(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    Vec(const Expr *) targets = {0};
    const Expr *value = is_single_name(s->assign.targets)
                            ? assigned_value(h, s->assign.targets.at[0], s->assign.value)
                            : project_expr(h, s->assign.value);
    for (size_t i = 0; i < s->assign.targets.len; i++) {
        size_t before = h->before.len;
        const Expr *target = project_target(h, s->assign.targets.at[i], value != NULL);
        project_hold(h, &value, 1, before);
        if (target != NULL)
            vec_push(h->arena, &targets, target);
    }
    if (targets.len == 0) {
        project_discard(h, value);
        return with_before(h, mark, rest);
    }
    ExprList list = {targets.at, targets.len};
    value = project_or_unit(h, value, s->assign.value->at);
    return emit(h, mark, stmt_assign(h->arena, s->at, list, value), rest);
}

// A declared variable is a plain assignment here: normalise_names writes its type where it is
// first bound.
static const Code *project_declaration(Half *h, const Stmt *s, const Code *rest)
{
    const Expr *target = s->ann_assign.target;
    if (role_in(target->roles, h->role)) {
        const Expr *annotation = project_annotation(h, s->ann_assign.annotation);
        if (annotation != NULL && table_get(h->annotations, target->name.id) == NULL)
            table_set(h->annotations, target->name.id, (void *)annotation);
    }
    if (s->ann_assign.value == NULL)
        return rest;
    const Expr **one = ARENA_NEW(h->arena, const Expr *);
    *one = target;
    return project_assign(
        h, stmt_assign(h->arena, s->at, (ExprList){one, 1}, s->ann_assign.value), rest);
}

static const Code *project_ann_assign(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    const Expr *annotation, *target, *value = NULL;
    if (s->ann_assign.target->kind == EXPR_NAME)
        return project_declaration(h, s, rest);
    annotation = project_annotation(h, s->ann_assign.annotation);
    if (s->ann_assign.value != NULL)
        value = annotation != NULL ? project_value(h, s->ann_assign.value)
                                   : project_expr(h, s->ann_assign.value);
    size_t before = h->before.len;
    target = project_target(h, s->ann_assign.target, value != NULL);
    project_hold(h, &value, 1, before);
    if (target == NULL || annotation == NULL) {
        project_discard(h, value);
        project_discard(h, target);
        return with_before(h, mark, rest);
    }
    return emit(h, mark,
                stmt_ann_assign(h->arena, s->at, target, annotation, value, s->ann_assign.simple),
                rest);
}

static const Expr *with_context(Half *h, const Expr *e, ExprContext ctx)
{
    Arena *a = h->arena;
    const Expr *out = e->kind == EXPR_ATTRIBUTE
                          ? expr_attribute(a, e->at, e->attribute.value, e->attribute.attr, ctx)
                          : expr_subscript(a, e->at, e->subscript.value, e->subscript.slice, ctx);
    return expr_with_ty(a, out, e->ty, e->roles);
}

// `t[i] += v` where v does something first: Python has read t[i] by then.
static const Code *project_late_aug_assign(Half *h, const Stmt *s, const Expr *target,
                                           const Expr *value, size_t loaded, size_t mark,
                                           const Code *rest)
{
    Arena *a = h->arena;
    const Expr *old = project_bind(h, with_context(h, target, EXPR_CONTEXT_LOAD), loaded);
    const Expr *into = expr_name(a, old->at, old->name.id, EXPR_CONTEXT_STORE);
    const Expr **one = ARENA_NEW(a, const Expr *);
    *one = target;
    into = expr_with_ty(a, into, old->ty, old->roles);
    rest = code_cons(a, stmt_assign(a, s->at, (ExprList){one, 1}, old), rest);
    return emit(h, mark, stmt_aug_assign(a, s->at, into, s->aug_assign.op, value), rest);
}

// The operands of a target, which Python evaluates before the value of `+=`.
static const Expr *held_target(Half *h, const Expr *target, size_t mark)
{
    const Expr *parts[2] = {target->kind == EXPR_ATTRIBUTE ? target->attribute.value
                                                           : target->subscript.value, NULL};
    if (target->kind == EXPR_SUBSCRIPT)
        parts[1] = target->subscript.slice;
    project_hold(h, parts, 2, mark);
    const Expr *out = target->kind == EXPR_ATTRIBUTE
                          ? expr_attribute(h->arena, target->at, parts[0],
                                           target->attribute.attr, target->attribute.ctx)
                          : expr_subscript(h->arena, target->at, parts[0], parts[1],
                                           target->subscript.ctx);
    return expr_with_ty(h->arena, out, target->ty, target->roles);
}

static const Code *project_aug_assign(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    const Expr *target = project_target(h, s->aug_assign.target, true);
    size_t loaded = h->before.len;
    bool late = target != NULL && !expr_is_pure(target);    // when it is read can be noticed
    const Expr *value = late ? project_value(h, s->aug_assign.value)
                             : project_expr(h, s->aug_assign.value);
    if (target == NULL) {
        project_discard(h, value);
        return with_before(h, mark, rest);
    }
    value = project_or_unit(h, value, s->aug_assign.value->at);
    late = late ? h->before.len > loaded
                : target->kind == EXPR_ATTRIBUTE && project_changes_fields(h, loaded);
    if (late) {
        size_t all = h->before.len;
        target = held_target(h, target, loaded);
        return project_late_aug_assign(h, s, target, value, loaded + h->before.len - all, mark,
                                       rest);
    }
    return emit(h, mark, stmt_aug_assign(h->arena, s->at, target, s->aug_assign.op, value), rest);
}

static const Code *project_delete(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    Vec(const Expr *) targets = {0};
    for (size_t i = 0; i < s->delete.targets.len; i++) {
        const Expr *target = project_target(h, s->delete.targets.at[i], false);
        if (target != NULL)
            vec_push(h->arena, &targets, target);
    }
    if (targets.len == 0)
        return with_before(h, mark, rest);
    ExprList list = {targets.at, targets.len};
    return emit(h, mark, stmt_delete(h->arena, s->at, list), rest);
}

static const Code *project_return(Half *h, const Stmt *s)
{
    size_t mark = h->before.len;
    const Expr *value = s->return_.value == NULL ? NULL : project_expr(h, s->return_.value);
    if (value != NULL && h->result_here)
        return emit(h, mark, stmt_return(h->arena, s->at, value), NULL);
    project_discard(h, value);
    return with_before(h, mark, h->end);
}

static const Code *project_raise(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    const Expr *exc = s->raise.exc == NULL ? NULL : project_expr(h, s->raise.exc);
    const Expr *cause = NULL;
    if (s->raise.cause != NULL) {
        size_t before = h->before.len;
        cause = project_expr(h, s->raise.cause);
        project_hold(h, &exc, 1, before);
    }
    if (exc != NULL || s->raise.exc == NULL)
        return emit(h, mark, stmt_raise(h->arena, s->at, exc, cause), NULL);
    project_discard(h, cause);
    return with_before(h, mark, rest);
}

static const Code *project_assert(Half *h, const Stmt *s, const Code *rest)
{
    const Expr *test = project_inner(h, s->assert.test);
    if (test == NULL || !role_in(s->assert.test->roles, h->role))
        return rest;
    return code_cons(h->arena,
                     stmt_assert(h->arena, s->at, test, project_inner(h, s->assert.msg)), rest);
}

// ---- selections ----

// `ch.select(E.M@B)` at its receiver: waits for a label; what follows is its only arm.
static const Code *project_offer(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    const Expr *e = s->expr.value, *label = e->select.label;
    const Expr *channel = project_or_unit(h, project_expr(h, e->select.channel), e->at);
    const Expr *enum_ = label->kind == EXPR_ATTRIBUTE ? label->attribute.value : label;
    Branch *arm = ARENA_NEW(h->arena, Branch);
    *arm = (Branch){.label = label, .at = s->at};
    const Stmt *head = stmt_offer(h->arena, s->at, channel, enum_, (OfferArmList){0});
    return with_before(h, mark, code_choice(h->arena, head, arm, 1, rest));
}

static const Code *project_expr_stmt(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    const Expr *e = s->expr.value;
    if (e->kind == EXPR_SELECT && e->select.receiver == h->role)
        return project_offer(h, s, rest);
    const Expr *value = project_value(h, e);
    project_discard(h, value);
    return with_before(h, mark, rest);
}

// ---- if ----

typedef struct Link {
    const Stmt *s;
    bool        orelse_raises;      // its `else` surely ends the run at its decider
} Link;
typedef Vec(Link) Chain;

static bool same_roles(SymList a, SymList b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (!role_in(b, a.at[i]))
            return false;
    return true;
}

// The `if` and its `elif`s, and which of their `else`s end the run.
static StmtList collect_chain(Half *h, const Stmt *s, Chain *chain)
{
    StmtList orelse;
    for (;;) {
        vec_push(h->arena, chain, ((Link){s, false}));
        orelse = s->if_.orelse;
        if (orelse.len != 1 || orelse.at[0]->kind != STMT_IF)
            break;
        s = orelse.at[0];
    }
    bool raises = surely_raises(orelse, s->if_.test->roles);
    for (size_t i = chain->len; i-- > 0;) {
        Link *link = &chain->at[i];
        SymList deciders = link->s->if_.test->roles;
        link->orelse_raises = raises;
        raises = raises && surely_raises(link->s->if_.body, deciders) && i > 0 &&
                 same_roles(deciders, chain->at[i - 1].s->if_.test->roles);
    }
    return orelse;
}

static const Code *merge_or_report(Half *h, const Stmt *s, const Code *body, const Code *orelse,
                                   const Code *tail)
{
    Clash clash = {0};
    bool ok;
    const Code *merged = merge_arms(h, block_span(s->if_.body), block_span(s->if_.orelse), body,
                                    orelse, tail, &clash, &ok);
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
    return code_join(h->arena, head, arms, 2, tail, false);
}

static const Code *project_link(Half *h, const Link *link, const Code *orelse, const Code *tail)
{
    const Stmt *s = link->s;
    SymList deciders = s->if_.test->roles;
    bool decides = role_in(deciders, h->role);
    size_t mark = h->before.len;
    bool raises = !decides && surely_raises(s->if_.body, deciders);
    const Code *body = project_block(h, s->if_.body, raises ? code_diverge(h->arena) : tail);
    h->temps = 0;
    const Expr *test = project_expr(h, s->if_.test);
    const Code *code;
    if (!decides)
        project_discard(h, test);
    code = decides ? keep_if(h, s, project_or_unit(h, test, s->if_.test->at), body, orelse, tail)
                   : merge_or_report(h, s, body, orelse, tail);
    return with_before(h, mark, code_append(h->arena, code, tail));
}

static const Code *project_if(Half *h, const Stmt *s, const Code *rest)
{
    Chain chain = {0};
    StmtList orelse = collect_chain(h, s, &chain);
    const Code *tail = jumps_of_if(s) != 0 ? rest : NULL;
    const Code *code = NULL;
    for (size_t i = chain.len; i-- > 0;) {
        bool decides = role_in(chain.at[i].s->if_.test->roles, h->role);
        bool nowhere = chain.at[i].orelse_raises && !decides;
        if (i + 1 == chain.len)
            code = project_block(h, orelse, nowhere ? code_diverge(h->arena) : tail);
        else if (nowhere)
            code = code_diverge(h->arena);
        code = project_link(h, &chain.at[i], code, tail);
    }
    return tail != NULL ? code : code_append(h->arena, code, rest);
}

// ---- local compound statements: of one role set, kept whole or dropped whole ----

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
static const Code *drop(Half *h, const Stmt *s, const Code *rest)
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
            choice_report_jump(h, s, &clash);
            return rest;
        }
    }
    return rest;
}

static StmtList loop_body(Half *h, StmtList body, Span at)
{
    return block_or_pass(h, code_finish(h, project_block(h, body, h->again), BLOCK_CONTINUES), at);
}

static StmtList inner_block(Half *h, StmtList block)
{
    return code_finish(h, project_block(h, block, NULL), BLOCK_FALLS);
}

static StmtList full_block(Half *h, StmtList block, Span at)
{
    return block_or_pass(h, inner_block(h, block), at);
}

static const Code *project_while(Half *h, const Stmt *s, const Code *rest)
{
    if (!role_in(s->while_.test->roles, h->role))
        return drop(h, s, rest);
    const Expr *test = project_or_unit(h, project_inner(h, s->while_.test), s->at);
    return code_cons(h->arena,
                     stmt_while(h->arena, s->at, test, loop_body(h, s->while_.body, s->at),
                                inner_block(h, s->while_.orelse)),
                     rest);
}

static const Code *project_for(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    const Expr *iter = project_expr(h, s->for_.iter);
    if (!role_in(s->for_.iter->roles, h->role)) {
        project_discard(h, iter);
        return with_before(h, mark, drop(h, s, rest));
    }
    const Expr *target = project_or_unit(h, project_target(h, s->for_.target, true), s->at);
    StmtList body = loop_body(h, s->for_.body, s->at), orelse = inner_block(h, s->for_.orelse);
    iter = project_or_unit(h, iter, s->at);
    return emit(h, mark, stmt_for(h->arena, s->at, target, iter, body, orelse), rest);
}

static const Code *project_with(Half *h, const Stmt *s, const Code *rest)
{
    Arena *a = h->arena;
    WithitemList items = s->with.items;
    const Withitem **out = ARENA_ARRAY(a, const Withitem *, items.len);
    if (!role_in(items.at[0]->context_expr->roles, h->role))
        return drop(h, s, rest);
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

static const Code *project_try(Half *h, const Stmt *s, const Code *rest)
{
    if (!mentions_role(s, h->role))
        return drop(h, s, rest);
    return code_cons(h->arena,
                     stmt_try(h->arena, s->at, full_block(h, s->try.body, s->at),
                              project_handlers(h, s->try.handlers),
                              inner_block(h, s->try.orelse), inner_block(h, s->try.finalbody)),
                     rest);
}

static const Code *project_match(Half *h, const Stmt *s, const Code *rest)
{
    Arena *a = h->arena;
    size_t mark = h->before.len;
    MatchCaseList cases = s->match.cases;
    const Expr *subject = project_expr(h, s->match.subject);
    if (!role_in(s->match.subject->roles, h->role)) {
        project_discard(h, subject);
        return with_before(h, mark, drop(h, s, rest));
    }
    const MatchCase **out = ARENA_ARRAY(a, const MatchCase *, cases.len);
    for (size_t i = 0; i < cases.len; i++)
        out[i] = match_case_new(a, cases.at[i]->pattern, project_inner(h, cases.at[i]->guard),
                                full_block(h, cases.at[i]->body, s->at));
    return emit(h, mark, stmt_match(a, s->at, project_or_unit(h, subject, s->at),
                                    (MatchCaseList){out, cases.len}), rest);
}

// ---- definitions and imports inside a function: at the roles that use what they bind ----

static Sym bound_name(const Alias *alias, Names *names)
{
    size_t n = 0;
    if (alias->asname != NULL)
        return alias->asname;
    while (alias->name[n] != '\0' && alias->name[n] != '.')
        n++;
    return names_intern(names, alias->name, n);
}

static const Code *project_import(Half *h, const Stmt *s, const Code *rest)
{
    AliasList all = s->kind == STMT_IMPORT ? s->import.names : s->import_from.names;
    Vec(const Alias *) kept = {0};
    for (size_t i = 0; i < all.len; i++)
        if (project_needs(h, bound_name(all.at[i], h->cx->names)))
            vec_push(h->arena, &kept, all.at[i]);
    if (kept.len == 0)
        return rest;
    AliasList list = {kept.at, kept.len};
    const Stmt *own = s->kind == STMT_IMPORT
                          ? stmt_import(h->arena, s->at, list)
                          : stmt_import_from(h->arena, s->at, s->import_from.module, list,
                                             s->import_from.level);
    return code_cons(h->arena, own, rest);
}

static const Code *project_scope_names(Half *h, const Stmt *s, const Code *rest)
{
    SymList all = s->kind == STMT_GLOBAL ? s->global.names : s->nonlocal.names;
    Vec(Sym) kept = {0};
    for (size_t i = 0; i < all.len; i++)
        if (project_needs(h, all.at[i]))
            vec_push(h->arena, &kept, all.at[i]);
    SymList list = {kept.at, kept.len};
    if (kept.len == 0)
        return rest;
    const Stmt *own = s->kind == STMT_GLOBAL ? stmt_global(h->arena, s->at, list)
                                             : stmt_nonlocal(h->arena, s->at, list);
    return code_cons(h->arena, own, rest);
}

static const Code *keep_if_needed(Half *h, Sym name, const Stmt *s, const Code *rest)
{
    return project_needs(h, name) ? code_cons(h->arena, s, rest) : rest;
}

static const Code *project_nested_choreo(Half *h, const Stmt *s, const Code *rest)
{
    Sym name = s->choreo.def->function_def.name;
    if (!project_needs(h, name))
        return rest;
    return code_cons(h->arena, project_nested(h, s->choreo.def), rest);
}

// ---- all statements ----

static const Code *project_stmt(Half *h, const Stmt *s, const Code *rest)
{
    h->temps = 0;
    switch (s->kind) {
    case STMT_ASSIGN:       return project_assign(h, s, rest);
    case STMT_ANN_ASSIGN:   return project_ann_assign(h, s, rest);
    case STMT_AUG_ASSIGN:   return project_aug_assign(h, s, rest);
    case STMT_DELETE:       return project_delete(h, s, rest);
    case STMT_RETURN:       return project_return(h, s);
    case STMT_RAISE:        return project_raise(h, s, rest);
    case STMT_ASSERT:       return project_assert(h, s, rest);
    case STMT_EXPR:         return project_expr_stmt(h, s, rest);
    case STMT_IF:           return project_if(h, s, rest);
    case STMT_WHILE:        return project_while(h, s, rest);
    case STMT_FOR:          return project_for(h, s, rest);
    case STMT_WITH:         return project_with(h, s, rest);
    case STMT_TRY:          return project_try(h, s, rest);
    case STMT_MATCH:        return project_match(h, s, rest);
    case STMT_IMPORT: case STMT_IMPORT_FROM: return project_import(h, s, rest);
    case STMT_GLOBAL: case STMT_NONLOCAL:    return project_scope_names(h, s, rest);
    case STMT_FUNCTION_DEF: return keep_if_needed(h, s->function_def.name, s, rest);
    case STMT_CLASS_DEF:    return keep_if_needed(h, s->class_def.name, s, rest);
    case STMT_CHOREO:       return project_nested_choreo(h, s, rest);
    case STMT_BREAK:        return h->leave;
    case STMT_CONTINUE:     return h->again;
    case STMT_PASS:         return rest;
    case STMT_ASYNC_FUNCTION_DEF: case STMT_ASYNC_FOR: case STMT_ASYNC_WITH: case STMT_TRY_STAR:
    case STMT_TYPE_ALIAS: case STMT_OFFER: case STMT_COUNT:
        return code_cons(h->arena, s, rest);
    }
    return rest;
}

const Code *project_block(Half *h, StmtList block, const Code *rest)
{
    for (size_t i = block.len; i-- > 0;)
        rest = project_stmt(h, block.at[i], rest);
    return rest;
}
