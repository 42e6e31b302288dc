// project_inner.c - forms that evaluate a part conditionally: only what is evaluated for certain
// has effects at the roles that do not hold the result (docs/projection.md, "Conditional parts").

#include "projection/project_expr.h"

static ExprList inner_list(Half *h, ExprList list, size_t from, const Expr **first)
{
    const Expr **out = ARENA_ARRAY(h->arena, const Expr *, list.len);
    for (size_t i = 0; i < list.len; i++)
        out[i] = project_or_unit(h, i < from ? first[i] : project_inner(h, list.at[i]),
                                 list.at[i]->at);
    return (ExprList){out, list.len};
}

const Expr *project_bool_op(Half *h, const Expr *e)
{
    const Expr *first = project_expr(h, e->bool_op.values.at[0]);
    if (!role_in(e->roles, h->role) && !expr_unjudged(e)) {
        project_discard(h, first);
        return NULL;
    }
    ExprList values = inner_list(h, e->bool_op.values, 1, &first);
    return expr_bool_op(h->arena, e->at, e->bool_op.op, values);
}

const Expr *project_compare(Half *h, const Expr *e)
{
    Parts parts = {0};
    parts_hold(h, &parts, e->compare.left);
    if (!role_in(e->roles, h->role) && !expr_unjudged(e)) {
        project_discard(h, parts.at[0]);
        project_discard(h, project_expr(h, e->compare.comparators.at[0]));
        return NULL;
    }
    parts_hold(h, &parts, e->compare.comparators.at[0]);
    ExprList comparators = inner_list(h, e->compare.comparators, 1, parts.at + 1);
    return expr_compare(h->arena, e->at, project_or_unit(h, parts.at[0], e->at), e->compare.ops,
                        comparators);
}

const Expr *project_if_exp(Half *h, const Expr *e)
{
    const Expr *test = project_expr(h, e->if_exp.test);
    if (!role_in(e->roles, h->role) && !expr_unjudged(e)) {
        project_discard(h, test);
        return NULL;
    }
    Vec(const Expr *) links = {0};
    const Expr *last = e;
    for (; last->kind == EXPR_IF_EXP; last = last->if_exp.orelse)
        vec_push(h->arena, &links, last);
    const Expr *orelse = project_or_unit(h, project_inner(h, last), last->at);
    for (size_t i = links.len; i-- > 0;) {
        const Expr *link = links.at[i], *body = project_inner(h, link->if_exp.body);
        const Expr *own = i == 0 ? test : project_inner(h, link->if_exp.test);
        orelse = expr_with_ty(h->arena,
                              expr_if_exp(h->arena, link->at, project_or_unit(h, own, link->at),
                                          project_or_unit(h, body, link->at), orelse),
                              link->ty, link->roles);
    }
    return orelse;
}

static ExprList inner_all(Half *h, ExprList list) { return inner_list(h, list, 0, NULL); }

// The first iterable is evaluated once, where the comprehension stands.
static ComprehensionList project_generators(Half *h, ComprehensionList list, const Expr *iter)
{
    const Comprehension **out = ARENA_ARRAY(h->arena, const Comprehension *, list.len);
    for (size_t i = 0; i < list.len; i++) {
        const Comprehension *c = list.at[i];
        const Expr *own = i == 0 ? iter : project_inner(h, c->iter);
        out[i] = comprehension_new(h->arena, c->target, project_or_unit(h, own, c->iter->at),
                                   inner_all(h, c->ifs), c->is_async);
    }
    return (ComprehensionList){out, list.len};
}

static const Expr *inner_or_unit(Half *h, const Expr *e)
{
    return project_or_unit(h, project_inner(h, e), e->at);
}

const Expr *project_comprehension(Half *h, const Expr *e, ComprehensionList generators)
{
    Arena *a = h->arena;
    const Expr *iter = project_expr(h, generators.at[0]->iter);
    if (!role_in(e->roles, h->role) && !expr_unjudged(e)) {
        project_discard(h, iter);
        return NULL;
    }
    generators = project_generators(h, generators, iter);
    if (e->kind == EXPR_DICT_COMP) {
        const Expr *key = inner_or_unit(h, e->dict_comp.key);
        return expr_dict_comp(a, e->at, key, inner_or_unit(h, e->dict_comp.value), generators);
    }
    if (e->kind == EXPR_LIST_COMP)
        return expr_list_comp(a, e->at, inner_or_unit(h, e->list_comp.elt), generators);
    if (e->kind == EXPR_SET_COMP)
        return expr_set_comp(a, e->at, inner_or_unit(h, e->set_comp.elt), generators);
    return expr_generator_exp(a, e->at, inner_or_unit(h, e->generator_exp.elt), generators);
}

static ExprList inner_defaults(Half *h, ExprList list)
{
    const Expr **out = ARENA_ARRAY(h->arena, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        out[i] = list.at[i] ? inner_or_unit(h, list.at[i]) : NULL;
    return (ExprList){out, list.len};
}

const Expr *project_lambda(Half *h, const Expr *e)
{
    if (!role_in(e->roles, h->role) && !expr_unjudged(e))
        return NULL;
    const Arguments *args = e->lambda.args;
    ExprList defaults = inner_defaults(h, args->defaults);
    const Arguments *made = arguments_new(h->arena, args->posonlyargs, args->args, args->vararg,
                                          args->kwonlyargs, inner_defaults(h, args->kw_defaults),
                                          args->kwarg, defaults);
    return expr_lambda(h->arena, e->at, made, inner_or_unit(h, e->lambda.body));
}
