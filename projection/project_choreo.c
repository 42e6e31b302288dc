// project_choreo.c - messages, selections, pins, and calls of choreographies
// (docs/projection.md, "Messages" and "Calls").

#include <string.h>

#include "projection/project_expr.h"

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

// `from_client`: what a received value is called.
static const char *receipt_name(Half *h, Sym sender)
{
    size_t n = strlen(sender);
    char *name = arena_alloc(h->arena, n + sizeof "from_");
    memcpy(name, "from_", 5);
    for (size_t i = 0; i < n; i++)
        name[5 + i] = lower(sender[i]);
    return name;
}

static const Expr *project_send(Half *h, const Expr *e)
{
    Parts parts = {0};
    size_t mark;
    bool direct = h->direct == e;
    parts_hold(h, &parts, e->com.channel);
    const Expr *channel = project_or_unit(h, parts.at[0], e->com.channel->at);
    mark = h->before.len;
    const Expr *value = project_or_unit(h, project_expr(h, e->com.value), e->com.value->at);
    if (!expr_callee_movable(channel))
        project_hold(h, &channel, 1, mark);
    const Expr *send = expr_send(h->arena, e->at, channel, value, e->com.payload,
                                 e->com.shared);
    send = expr_with_ty(h->arena, send, e->ty, e->com.shared ? e->roles : (SymList){0});
    if (e->com.shared)
        return direct ? send : project_bind_as(h, send, "shared", h->before.len);
    vec_push(h->arena, &h->before, stmt_expr(h->arena, e->at, send));
    return NULL;
}

static const Expr *project_receive(Half *h, const Expr *e)
{
    bool direct = h->direct == e;
    const Expr *channel = project_or_unit(h, project_expr(h, e->com.channel), e->at);
    size_t mark = h->before.len;
    project_discard(h, project_expr(h, e->com.value));
    if (!expr_callee_movable(channel))
        project_hold(h, &channel, 1, mark);
    const Expr *receipt = expr_recv(h->arena, e->at, channel, e->com.payload);
    receipt = expr_with_ty(h->arena, receipt, e->ty, e->roles);
    if (direct)
        return receipt;
    return project_bind_as(h, receipt, receipt_name(h, e->com.sender), h->before.len);
}

const Expr *project_com(Half *h, const Expr *e)
{
    if (e->com.sender == h->role)
        return project_send(h, e);
    if (e->com.receiver == h->role)
        return project_receive(h, e);
    project_discard(h, project_expr(h, e->com.channel));
    project_discard(h, project_expr(h, e->com.value));
    return NULL;
}

const Expr *project_select(Half *h, const Expr *e)
{
    const Expr *channel = project_expr(h, e->select.channel);
    if (e->select.sender != h->role) {
        project_discard(h, channel);
        return NULL;
    }
    channel = project_or_unit(h, channel, e->at);
    vec_push(h->arena, &h->before,
             stmt_expr(h->arena, e->at,
                       expr_send_label(h->arena, e->at, channel, e->select.label)));
    return NULL;
}

const Expr *project_pin(Half *h, const Expr *e)
{
    if (h->direct == e)
        h->direct = e->pin.value;
    const Expr *value = project_expr(h, e->pin.value);
    if (role_in(e->pin.at_roles, h->role))
        return value;
    project_discard(h, value);
    return NULL;
}

static Sym formal_of(const Expr *inst, Sym role)
{
    for (size_t i = 0; i < inst->inst.actuals.len && i < inst->inst.formals.len; i++)
        if (inst->inst.actuals.at[i] == role)
            return inst->inst.formals.at[i];
    return NULL;
}

// The callee is a function value, not the name of a choreography.
static bool calls_value(const Expr *inst)
{
    const Ty *t = inst->inst.target->ty;
    return t != NULL && t->kind == TY_CALLABLE;
}

// `f` becomes the half that this role plays; a method keeps its name.
const Expr *project_callee(Half *h, const Expr *inst)
{
    const Expr *target = inst->inst.target;
    if (calls_value(inst))
        return project_expr(h, target);
    Sym formal = formal_of(inst, h->role);
    if (target->kind == EXPR_ATTRIBUTE && inst->inst.formals.len > 0)
        return formal == NULL ? NULL
                              : expr_attribute(h->arena, target->at,
                                               project_half_of(h, target->attribute.value, formal),
                                               target->attribute.attr, EXPR_CONTEXT_LOAD);
    if (target->kind == EXPR_ATTRIBUTE) {
        const Expr *object = project_expr(h, target->attribute.value);
        return object == NULL ? NULL
                              : expr_attribute(h->arena, target->at, object,
                                               target->attribute.attr, EXPR_CONTEXT_LOAD);
    }
    return formal == NULL ? target : project_half_of(h, target, formal);
}

// A choreography as a value: the half that this role plays, if the value's type shows the role.
const Expr *project_choreography(Half *h, const Expr *inst)
{
    const Expr *callee = project_callee(h, inst);
    bool plays = inst->inst.formals.len == 0 || formal_of(inst, h->role) != NULL;
    if (role_in(inst->roles, h->role) && plays)
        return callee;
    if (callee != NULL && callee->kind == EXPR_ATTRIBUTE)
        project_discard(h, callee->attribute.value);
    return NULL;
}

const Expr *project_choreographic_call(Half *h, const Expr *e)
{
    Parts old = {0}, parts = {0};
    const Expr *inst = e->call.func;
    bool direct = h->direct == e;
    bool result = role_in(e->roles, h->role);
    bool here = result || role_in(inst->inst.acts, h->role);
    const Expr *callee = project_callee(h, inst);
    bool fixed = !calls_value(inst) && callee != NULL && expr_callee_movable(callee);
    if (!here && calls_value(inst))
        project_discard(h, callee);
    else if (!here && callee != NULL && callee->kind == EXPR_ATTRIBUTE)
        project_discard(h, callee->attribute.value);
    parts_arguments(h->arena, e, &old);
    for (size_t i = 0; i < old.len; i++) {
        size_t mark = h->before.len;
        parts_hold(h, &parts, old.at[i]);
        if (!here)
            parts_discard(h, &parts);
        else if (callee != NULL && !fixed)
            project_hold(h, &callee, 1, mark);
    }
    if (!here)
        return NULL;
    const Expr *call = project_with_arguments(h, e, project_or_unit(h, callee, inst->at), parts.at);
    call = expr_with_ty(h->arena, call, e->ty, e->roles);
    bool open = result && type_vars_open_result(h, inst, callee);
    if (open && !direct)
        return project_bind_as(h, call, "given", h->before.len);
    if (result)
        return call;
    vec_push(h->arena, &h->before, stmt_expr(h->arena, e->at, call));
    return NULL;
}
