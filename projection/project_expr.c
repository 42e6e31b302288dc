// project_expr.c - endpoint projection of expressions (docs/projection.md, "Projection": literal,
// pin, attr, call, method, new, binop, other).
//
// An expression whose value a role does not hold leaves nothing but its effects there. These, and
// receipts, become statements in front of the one being projected; what Python evaluates earlier
// and could notice is kept in a fresh name first, so that the order at every role is Python's.

#include <string.h>

#include "projection/project_expr.h"

// ---- forms with parts ----

static void list_all(Arena *a, ExprList list, Parts *out)
{
    for (size_t i = 0; i < list.len; i++)
        vec_push(a, out, list.at[i]);
}

void parts_arguments(Arena *a, const Expr *call, Parts *out)
{
    list_all(a, call->call.args, out);
    for (size_t i = 0; i < call->call.keywords.len; i++)
        vec_push(a, out, call->call.keywords.at[i]->value);
}

static void list_slice(Arena *a, const Expr *e, Parts *out)
{
    vec_push(a, out, e->slice.lower);
    vec_push(a, out, e->slice.upper);
    vec_push(a, out, e->slice.step);
}

static void list_dict(Arena *a, const Expr *e, Parts *out)
{
    for (size_t i = 0; i < e->dict.values.len; i++) {
        vec_push(a, out, e->dict.keys.at[i]);
        vec_push(a, out, e->dict.values.at[i]);
    }
}

// The parts after the spine child (or all of them), in Python's order of evaluation.
static void list_parts(Arena *a, const Expr *e, Parts *out)
{
    switch (e->kind) {
    case EXPR_BIN_OP:          vec_push(a, out, e->bin_op.right); return;
    case EXPR_CALL:            parts_arguments(a, e, out); return;
    case EXPR_SUBSCRIPT:       vec_push(a, out, e->subscript.slice); return;
    case EXPR_NAMED_EXPR:      vec_push(a, out, e->named_expr.value); return;
    case EXPR_DICT:            list_dict(a, e, out); return;
    case EXPR_SET:             list_all(a, e->set.elts, out); return;
    case EXPR_LIST:            list_all(a, e->list.elts, out); return;
    case EXPR_TUPLE:           list_all(a, e->tuple.elts, out); return;
    case EXPR_JOINED_STR:      list_all(a, e->joined_str.values, out); return;
    case EXPR_FORMATTED_VALUE: vec_push(a, out, e->formatted_value.value);
                               vec_push(a, out, e->formatted_value.format_spec); return;
    case EXPR_STARRED:         vec_push(a, out, e->starred.value); return;
    case EXPR_SLICE:           list_slice(a, e, out); return;
    case EXPR_AWAIT:           vec_push(a, out, e->await.value); return;
    case EXPR_YIELD:           vec_push(a, out, e->yield.value); return;
    case EXPR_YIELD_FROM:      vec_push(a, out, e->yield_from.value); return;
    case EXPR_UNARY_OP: case EXPR_ATTRIBUTE: case EXPR_CONSTANT: case EXPR_NAME:
    case EXPR_UNIT: case EXPR_BOOL_OP: case EXPR_IF_EXP: case EXPR_COMPARE: case EXPR_LAMBDA:
    case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP:
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        return;
    }
}

static ExprList all_of(Half *h, const Expr **parts, ExprList old)
{
    for (size_t i = 0; i < old.len; i++)
        parts[i] = project_or_unit(h, parts[i], old.at[i]->at);
    return (ExprList){parts, old.len};
}

const Expr *project_with_arguments(Half *h, const Expr *e, const Expr *func, const Expr **parts)
{
    Arena *a = h->arena;
    KeywordList old = e->call.keywords;
    ExprList args = all_of(h, parts, e->call.args);
    const Keyword **keywords = ARENA_ARRAY(a, const Keyword *, old.len);
    for (size_t i = 0; i < old.len; i++) {
        const Expr *value = parts[e->call.args.len + i];
        keywords[i] = keyword_new(a, old.at[i]->at, old.at[i]->arg,
                                  project_or_unit(h, value, old.at[i]->at));
    }
    return expr_call(a, e->at, func, args, (KeywordList){keywords, old.len});
}

static const Expr *with_dict(Half *h, const Expr *e, const Expr **parts)
{
    size_t n = e->dict.values.len;
    const Expr **keys = ARENA_ARRAY(h->arena, const Expr *, n);
    const Expr **values = ARENA_ARRAY(h->arena, const Expr *, n);
    for (size_t i = 0; i < n; i++) {
        keys[i] = parts[2 * i];
        values[i] = project_or_unit(h, parts[2 * i + 1], e->at);
    }
    return expr_dict(h->arena, e->at, (ExprList){keys, n}, (ExprList){values, n});
}

// The form with other parts; `spine` is the projected spine child of a form that has one.
static const Expr *with_parts(Half *h, const Expr *e, const Expr *spine, const Expr **parts)
{
    Arena *a = h->arena;
    switch (e->kind) {
    case EXPR_BIN_OP:
        return expr_bin_op(a, e->at, spine, e->bin_op.op, project_or_unit(h, parts[0], e->at));
    case EXPR_UNARY_OP:        return expr_unary_op(a, e->at, e->unary_op.op, spine);
    case EXPR_CALL:            return project_with_arguments(h, e, spine, parts);
    case EXPR_ATTRIBUTE:
        return expr_attribute(a, e->at, spine, e->attribute.attr, e->attribute.ctx);
    case EXPR_SUBSCRIPT:
        return expr_subscript(a, e->at, spine, project_or_unit(h, parts[0], e->at),
                              e->subscript.ctx);
    case EXPR_NAMED_EXPR:
        return expr_named_expr(a, e->at, e->named_expr.target,
                               project_or_unit(h, parts[0], e->at));
    case EXPR_DICT:            return with_dict(h, e, parts);
    case EXPR_SET:             return expr_set(a, e->at, all_of(h, parts, e->set.elts));
    case EXPR_LIST:
        return expr_list(a, e->at, all_of(h, parts, e->list.elts), e->list.ctx);
    case EXPR_TUPLE:
        return expr_tuple(a, e->at, all_of(h, parts, e->tuple.elts), e->tuple.ctx);
    case EXPR_JOINED_STR:
        return expr_joined_str(a, e->at, all_of(h, parts, e->joined_str.values));
    case EXPR_FORMATTED_VALUE:
        return expr_formatted_value(a, e->at, project_or_unit(h, parts[0], e->at),
                                    e->formatted_value.conversion, parts[1]);
    case EXPR_STARRED:
        return expr_starred(a, e->at, project_or_unit(h, parts[0], e->at), e->starred.ctx);
    case EXPR_SLICE:           return expr_slice(a, e->at, parts[0], parts[1], parts[2]);
    case EXPR_AWAIT:           return expr_await(a, e->at, parts[0]);
    case EXPR_YIELD:           return expr_yield(a, e->at, parts[0]);
    case EXPR_YIELD_FROM:      return expr_yield_from(a, e->at, parts[0]);
    case EXPR_CONSTANT: case EXPR_NAME: case EXPR_UNIT: case EXPR_BOOL_OP: case EXPR_IF_EXP:
    case EXPR_COMPARE: case EXPR_LAMBDA: case EXPR_LIST_COMP: case EXPR_SET_COMP:
    case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_LOCATED: case EXPR_INST:
    case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_SEND: case EXPR_RECV:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_SEND_LABEL: case EXPR_COUNT:
        return e;
    }
    return e;
}

// Parts of a larger form that are no values themselves go where the form goes.
static bool goes_with_parts(const Expr *e)
{
    return e->kind == EXPR_STARRED || e->kind == EXPR_SLICE || e->kind == EXPR_FORMATTED_VALUE ||
           expr_unjudged(e);
}

static bool any_here(const Expr *spine, const Parts *parts)
{
    bool found = spine != NULL;
    for (size_t i = 0; i < parts->len; i++)
        found = found || parts->at[i] != NULL;
    return found;
}

// A bound method is looked up without effects; what has effects is the object.
static void discard_callee(Half *h, const Expr *e, const Expr *spine)
{
    bool method = e->kind == EXPR_CALL && spine != NULL && spine->kind == EXPR_ATTRIBUTE;
    project_discard(h, method ? spine->attribute.value : spine);
}

static bool same_parts(const Expr *e, const Expr *spine, const Parts *old, const Parts *parts)
{
    if (spine != expr_spine_child(e))
        return false;
    return old->len == 0 || memcmp(old->at, parts->at, old->len * sizeof *old->at) == 0;
}

// Whether all that values of this type have is methods: builtin types, not NULL and not Any.
static bool has_methods_only(const Ty *t)
{
    static const char *const NAMES[] = {"str", "bytes", "int", "float", "list", "dict", "set",
                                        "frozenset"};
    for (size_t i = 0; t != NULL && t->kind == TY_NAMED && i < sizeof NAMES / sizeof *NAMES; i++)
        if (sym_is(t->named.name, NAMES[i]))
            return true;
    return false;
}

// What `e` begins with is evaluated ahead of `before[mark]`; a method is looked up when it is
// called if nobody can tell.
static void hold_spine(Half *h, const Expr *e, const Expr **spine, size_t mark)
{
    const Expr *s = *spine;
    if (s == NULL || (e->kind == EXPR_CALL && expr_callee_movable(s)))
        return;
    if (e->kind != EXPR_CALL || s->kind != EXPR_ATTRIBUTE
        || !has_methods_only(s->attribute.value->ty)) {
        project_hold(h, spine, 1, mark);
        return;
    }
    const Expr *base = s->attribute.value;
    project_hold(h, &base, 1, mark);
    if (base != s->attribute.value)
        *spine = expr_with_spine_child(h->arena, s, base);
}

// Any form whose parts are all evaluated, once: kept with its parts, or dropped for their effects.
static const Expr *project_form(Half *h, const Expr *e, const Expr *spine)
{
    Parts old = {0}, parts = {0};
    bool loose = goes_with_parts(e);
    bool here = loose || role_in(e->roles, h->role);
    list_parts(h->arena, e, &old);
    if (!here)
        discard_callee(h, e, spine);
    for (size_t i = 0; i < old.len; i++) {
        size_t mark = h->before.len;
        parts_hold(h, &parts, old.at[i]);
        if (!here)
            parts_discard(h, &parts);
        else
            hold_spine(h, e, &spine, mark);
    }
    bool has_parts = any_here(expr_spine_child(e), &old);       // `:` has none
    if (!here || (loose && has_parts && !any_here(spine, &parts)))
        return NULL;
    if (same_parts(e, spine, &old, &parts))
        return e;
    if (expr_spine_child(e) != NULL)
        spine = project_or_unit(h, spine, e->at);
    return expr_with_ty(h->arena, with_parts(h, e, spine, parts.at), e->ty, e->roles);
}
// ---- all forms ----

static const Expr *typed(Half *h, const Expr *e, const Expr *projected)
{
    if (projected == NULL || projected == e || projected->ty != NULL || projected->roles.len > 0)
        return projected;
    return expr_with_ty(h->arena, projected, e->ty, e->roles);
}

static const Expr *project_node(Half *h, const Expr *e, const Expr *spine)
{
    switch (e->kind) {
    case EXPR_NAME: case EXPR_CONSTANT: case EXPR_UNIT:
        return expr_unjudged(e) || role_in(e->roles, h->role) ? e : NULL;
    case EXPR_BOOL_OP:       return typed(h, e, project_bool_op(h, e));
    case EXPR_COMPARE:       return typed(h, e, project_compare(h, e));
    case EXPR_IF_EXP:        return project_if_exp(h, e);
    case EXPR_LAMBDA:        return typed(h, e, project_lambda(h, e));
    case EXPR_LIST_COMP:
        return typed(h, e, project_comprehension(h, e, e->list_comp.generators));
    case EXPR_SET_COMP:
        return typed(h, e, project_comprehension(h, e, e->set_comp.generators));
    case EXPR_DICT_COMP:
        return typed(h, e, project_comprehension(h, e, e->dict_comp.generators));
    case EXPR_GENERATOR_EXP:
        return typed(h, e, project_comprehension(h, e, e->generator_exp.generators));
    case EXPR_COM:           return project_com(h, e);
    case EXPR_SELECT:        return project_select(h, e);
    case EXPR_PIN:           return project_pin(h, e);
    case EXPR_INST:          return project_choreography(h, e);
    case EXPR_CALL:
        return e->call.func->kind == EXPR_INST ? project_choreographic_call(h, e)
                                               : project_form(h, e, spine);
    case EXPR_NAMED_EXPR: case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_DICT: case EXPR_SET:
    case EXPR_AWAIT: case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_FORMATTED_VALUE:
    case EXPR_JOINED_STR: case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT: case EXPR_STARRED:
    case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE:
        return project_form(h, e, spine);
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_LOCATED: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        return e;
    }
    return e;
}

// The next node of a spine that is evaluated first and unconditionally.
static const Expr *first_child(const Expr *e)
{
    if (e->kind == EXPR_IF_EXP || (e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST))
        return NULL;
    return expr_spine_child(e);
}

const Expr *project_expr(Half *h, const Expr *e)
{
    Vec(const Expr *) spine = {0};
    const Expr *child = first_child(e);
    if (child == NULL)
        return project_node(h, e, NULL);
    for (; child != NULL; e = child, child = first_child(child))
        vec_push(h->arena, &spine, e);
    const Expr *r = project_node(h, e, NULL);
    for (size_t i = spine.len; i-- > 0;)
        r = project_node(h, spine.at[i], r);
    return r;
}

const Expr *project_value(Half *h, const Expr *e)
{
    h->direct = e;
    const Expr *value = project_expr(h, e);
    h->direct = NULL;
    return value;
}

// ---- targets ----

// What stands where another role's target does.
const Expr *project_ignored(Half *h, const Expr *e)
{
    Sym name = names_get(h->cx->names, "_");
    if (table_get(h->cx->identifiers, name) != NULL) {
        name = names_format(h->cx->names, "?%zu:ignored", h->temps++);
        h->any_temps = true;
    }
    const Expr *target = expr_name(h->arena, e->at, name, EXPR_CONTEXT_STORE);
    return e->kind == EXPR_STARRED ? expr_starred(h->arena, e->at, target, EXPR_CONTEXT_STORE)
                                   : target;
}

static const Expr *target_list(Half *h, const Expr *e, ExprList elts, bool value_here)
{
    const Expr **out = ARENA_ARRAY(h->arena, const Expr *, elts.len);
    bool any = elts.len == 0 && value_here;
    for (size_t i = 0; i < elts.len; i++) {
        out[i] = project_target(h, elts.at[i], value_here);
        any = any || out[i] != NULL;
    }
    if (!any)
        return NULL;
    for (size_t i = 0; i < elts.len; i++)
        out[i] = out[i] != NULL ? out[i] : project_ignored(h, elts.at[i]);
    ExprList list = {out, elts.len};
    return e->kind == EXPR_LIST ? expr_list(h->arena, e->at, list, e->list.ctx)
                                : expr_tuple(h->arena, e->at, list, e->tuple.ctx);
}

// A target at this role, or NULL; `value_here` decides for targets that the checker left alone.
const Expr *project_target(Half *h, const Expr *e, bool value_here)
{
    if (e->kind == EXPR_TUPLE)
        return target_list(h, e, e->tuple.elts, value_here);
    if (e->kind == EXPR_LIST)
        return target_list(h, e, e->list.elts, value_here);
    if (e->kind == EXPR_STARRED) {
        const Expr *inner = project_target(h, e->starred.value, value_here);
        return inner == NULL ? NULL : expr_starred(h->arena, e->at, inner, e->starred.ctx);
    }
    if (expr_unjudged(e) && !value_here)
        return NULL;
    return project_expr(h, e);
}
