// project_stmt.c - endpoint projection of statements (docs/projection.md, "Projection": assign,
// select, if, loop, try, jumps).
//
// A block is projected from its end, so that every statement is given the code that follows it.
// Inside an `if` with a path that jumps, that is all the code up to the end of the function (or
// of the loop body); otherwise it is the rest of the arm, and the rest of the block is appended
// after merging.

#include "projection/projection_internal.h"
#include "projection/project_expr.h"


// ---- statements out of parts ----

// What the expressions of a statement left to do first, then the rest.
const Code *project_before(Half *h, size_t mark, const Code *rest)
{
    while (h->before.len > mark)
        rest = code_cons(h->arena, h->before.at[--h->before.len], rest);
    return rest;
}

const Code *project_emit(Half *h, size_t mark, const Stmt *s, const Code *rest)
{
    return project_before(h, mark, code_cons(h->arena, s, rest));
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

// `x, y = a, b` of parts at different roles: those that are at this role. What is elsewhere is
// Unit, and has been evaluated for its effects.
static void keep_parts(Half *h, const Expr *source, const Expr **target, const Expr **value)
{
    Vec(const Expr *) targets = {0}, values = {0};
    if (*value == NULL || (*value)->kind != EXPR_TUPLE || (*target)->kind != EXPR_TUPLE ||
        source->kind != EXPR_TUPLE || (*value)->tuple.elts.len != source->tuple.elts.len)
        return;
    for (size_t i = 0; i < source->tuple.elts.len; i++) {
        const Expr *own = source->tuple.elts.at[i];
        if (own->kind == EXPR_STARRED || (*value)->tuple.elts.at[i]->kind == EXPR_STARRED)
            return;
        if (!role_in(own->roles, h->role))
            continue;
        vec_push(h->arena, &targets, (*target)->tuple.elts.at[i]);
        vec_push(h->arena, &values, (*value)->tuple.elts.at[i]);
    }
    if (targets.len == 0 || targets.len == source->tuple.elts.len)
        return;
    bool one = targets.len == 1;
    const Expr *t = expr_tuple(h->arena, (*target)->at, (ExprList){targets.at, targets.len},
                               EXPR_CONTEXT_STORE);
    const Expr *v = expr_tuple(h->arena, (*value)->at, (ExprList){values.at, values.len},
                               EXPR_CONTEXT_LOAD);
    *target = one ? targets.at[0] : expr_with_ty(h->arena, t, (*target)->ty, (*target)->roles);
    *value = one ? values.at[0] : expr_with_ty(h->arena, v, (*value)->ty, (*value)->roles);
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
        return project_before(h, mark, rest);
    }
    if (s->assign.value->ty != NULL && s->assign.value->ty->kind == TY_TUPLE && targets.len == 1)
        keep_parts(h, s->assign.targets.at[0], &targets.at[0], &value);
    ExprList list = {targets.at, targets.len};
    value = project_or_unit(h, value, s->assign.value->at);
    return project_emit(h, mark, stmt_assign(h->arena, s->at, list, value), rest);
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
        return project_before(h, mark, rest);
    }
    return project_emit(h, mark,
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
    const Expr **one = ARENA_NEW(a, const Expr *);
    *one = target;
    // Not a store: the temporary is bound already, and stays the same one.
    const Expr *into = expr_name(a, old->at, old->name.id, EXPR_CONTEXT_LOAD);
    into = expr_with_ty(a, into, old->ty, old->roles);
    rest = code_cons(a, stmt_assign(a, s->at, (ExprList){one, 1}, old), rest);
    return project_emit(h, mark, stmt_aug_assign(a, s->at, into, s->aug_assign.op, value), rest);
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
        return project_before(h, mark, rest);
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
    return project_emit(h, mark, stmt_aug_assign(h->arena, s->at, target, s->aug_assign.op, value),
                        rest);
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
        return project_before(h, mark, rest);
    ExprList list = {targets.at, targets.len};
    return project_emit(h, mark, stmt_delete(h->arena, s->at, list), rest);
}

static bool find_type_var(void *cx, const Expr *e)
{
    Half *h = ((void **)cx)[0];
    bool *found = ((void **)cx)[1];
    *found = *found || (e->kind == EXPR_NAME && table_get(h->cx->type_vars, e->name.id) != NULL) ||
             (e->kind == EXPR_NAME && (strcmp(e->name.id, "Any") == 0 ||
                                       strcmp(e->name.id, "object") == 0));
    return !*found;
}

// A value of which nothing is known is returned by a variable of the declared type.
static const Expr *declare_result(Half *h, const Expr *value)
{
    const Expr *returns = h->function->function_def.returns;
    bool unknown = value->ty != NULL && value->ty->kind == TY_ANY && value->kind != EXPR_CONSTANT;
    const Expr *type = unknown && returns != NULL && returns->kind == EXPR_LOCATED
                           ? project_annotation(h, returns) : NULL;
    bool open = false;
    IrWalker w = {.cx = (void *[]){h, &open}, .expr = find_type_var};
    if (type != NULL)
        ir_walk_expr(&w, type);
    if (type == NULL || open)
        return value;
    value = project_bind_as(h, value, "result", h->before.len);
    table_set(h->annotations, value->name.id, (void *)type);
    return value;
}

static const Code *project_return(Half *h, const Stmt *s)
{
    size_t mark = h->before.len;
    const Expr *value = s->return_.value == NULL ? NULL : project_expr(h, s->return_.value);
    if (value != NULL && h->result_here)
        value = declare_result(h, value);
    if (value != NULL && h->result_here)
        return project_emit(h, mark, stmt_return(h->arena, s->at, value), NULL);
    project_discard(h, value);
    return project_before(h, mark, h->end);
}

static const Code *project_raise(Half *h, const Stmt *s)
{
    size_t mark = h->before.len;
    const Expr *exc = s->raise.exc == NULL ? NULL : project_expr(h, s->raise.exc);
    const Expr *cause = NULL;
    if (s->raise.cause != NULL) {
        size_t before = h->before.len;
        cause = project_expr(h, s->raise.cause);
        project_hold(h, &exc, 1, before);
    }
    if (exc != NULL || (s->raise.exc == NULL && role_in(s->roles, h->role)))
        return project_emit(h, mark, stmt_raise(h->arena, s->at, exc, cause), NULL);
    project_discard(h, cause);
    SymList peers = s->raise.exc != NULL ? s->raise.exc->roles : s->roles;
    return project_before(h, mark, code_stopped_by(h->arena, s->at, peers));
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
    const Stmt *head = stmt_offer(h->arena, e->at, channel, enum_, (OfferArmList){0});
    return project_before(h, mark, code_choice(h->arena, head, arm, 1, rest));
}

static const Code *project_expr_stmt(Half *h, const Stmt *s, const Code *rest)
{
    size_t mark = h->before.len;
    const Expr *e = s->expr.value;
    if (e->kind == EXPR_SELECT && e->select.receiver == h->role)
        return project_offer(h, s, rest);
    const Expr *value = project_value(h, e);
    project_discard(h, value);
    if (never_returns(e) && !role_in(e->roles, h->role))
        rest = code_stopped_by(h->arena, s->at, e->roles);
    return project_before(h, mark, rest);
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
    case STMT_RAISE:        return project_raise(h, s);
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
    case STMT_TYPE_ALIAS: case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        return code_cons(h->arena, s, rest);
    }
    return rest;
}

const Code *project_block(Half *h, StmtList block, const Code *rest)
{
    StmtList above = h->preceding, below = h->following;
    for (size_t i = block.len; i-- > 0;) {
        h->preceding = (StmtList){block.at, i};
        h->following = (StmtList){block.at + i + 1, block.len - i - 1};
        rest = project_stmt(h, block.at[i], rest);
    }
    h->preceding = above;
    h->following = below;
    return rest;
}
