// generic.c - type parameters: what stands for them in one use of a generic definition.

#include "compiler/ir/ty.h"
#include "typecheck/internal.h"

Sym type_param_name(const TypeParam *t) {
    switch (t->kind) {
    case TYPE_PARAM_TYPE_VAR: return t->type_var.name;
    case TYPE_PARAM_PARAM_SPEC: return t->param_spec.name;
    case TYPE_PARAM_TYPE_VAR_TUPLE: return t->type_var_tuple.name;
    case TYPE_PARAM_COUNT: break;
    }
    return NULL;
}

typedef struct Substitution { Program *p; const Subst *s; } Substitution;

static const Ty *subst_node(IrMapper *m, const Ty *t) {
    const Substitution *x = m->cx;
    const Subst *s = x->s;
    if (t->kind == TY_TYPE_VAR) {
        for (size_t i = 0; i < s->vars.len; i++)
            if (s->vars.at[i] == t->type_var.name)
                return i < s->to_types.len && s->to_types.at[i] != NULL ? s->to_types.at[i]
                                                                       : ty_any(m->arena);
        return t;
    }
    if (t->kind == TY_PLACED)
        return ty_placed(m->arena, t->placed.of,
                         roles_map_all(m->arena, s->roles, s->to_roles, t->placed.at_roles));
    if (t->kind != TY_INST) return t;
    return ty_inst(m->arena, t->inst.name, t->inst.args,
                   roles_map_all(m->arena, s->roles, s->to_roles, t->inst.actuals));
}

const Ty *type_subst(Program *p, const Ty *t, const Subst *s) {
    if (t == NULL || s->roles.len + s->vars.len == 0) return t;
    Substitution x = {p, s};
    IrMapper m = {.arena = p->arena, .cx = &x, .ty = subst_node};
    return ir_map_ty(&m, t);
}

LocType located_subst(Program *p, LocType t, const Subst *s) {
    return (LocType){type_subst(p, t.ty, s),
                     roles_map_all(p->arena, s->roles, s->to_roles, t.roles)};
}

// ---- learning type parameters ----

static void learn_lists(Program *p, SymList vars, const Ty **known, TyList params, TyList given) {
    for (size_t i = 0; i < params.len && i < given.len; i++)
        type_learn(p, vars, known, params.at[i], given.at[i]);
}

static bool mentions_var(SymList vars, const Ty *t) {
    return t->kind == TY_TYPE_VAR && roles_has(vars, t->type_var.name);
}

// `T | None` for `int | None`: what is in both does not count.
static void learn_union(Program *p, SymList vars, const Ty **known, const Ty *param,
                        const Ty *given) {
    TyList from = given->kind == TY_UNION ? given->union_.items : (TyList){&given, 1};
    for (size_t i = 0; i < from.len; i++) {
        bool there = false;
        for (size_t j = 0; j < param->union_.items.len; j++)
            there |= !mentions_var(vars, param->union_.items.at[j]) &&
                type_fits(p, from.at[i], param->union_.items.at[j]);
        for (size_t j = 0; !there && j < param->union_.items.len; j++)
            type_learn(p, vars, known, param->union_.items.at[j], from.at[i]);
    }
}

// A channel of `object` takes anything: it does not say what T is.
static void learn_var(Program *p, SymList vars, const Ty **known, Sym name, const Ty *given) {
    for (size_t i = 0; i < vars.len; i++)
        if (vars.at[i] == name)
            known[i] = known[i] == NULL || type_is(known[i], "object") ? given
                : type_is(given, "object") ? known[i] : type_join(p, known[i], given);
}

void type_learn(Program *p, SymList vars, const Ty **known, const Ty *param, const Ty *given) {
    if (vars.len == 0 || param == NULL || given == NULL || given->kind == TY_POISON) return;
    switch (param->kind) {
    case TY_TYPE_VAR: learn_var(p, vars, known, param->type_var.name, given); return;
    case TY_UNION: learn_union(p, vars, known, param, given); return;
    case TY_NAMED:
        if (given->kind == TY_NAMED && given->named.name == param->named.name)
            learn_lists(p, vars, known, param->named.args, given->named.args);
        return;
    case TY_INST:
        if (given->kind == TY_INST)
            learn_lists(p, vars, known, param->inst.args, given->inst.args);
        return;
    case TY_TUPLE:
        if (given->kind == TY_TUPLE)
            learn_lists(p, vars, known, param->tuple.items, given->tuple.items);
        return;
    case TY_CALLABLE:
        if (given->kind != TY_CALLABLE) return;
        learn_lists(p, vars, known, param->callable.params, given->callable.params);
        type_learn(p, vars, known, param->callable.result, given->callable.result);
        return;
    case TY_PLACED:
        type_learn(p, vars, known, param->placed.of,
                   given->kind == TY_PLACED ? given->placed.of : given);
        return;
    case TY_POISON: case TY_ANY: case TY_NONE_TYPE: case TY_LITERAL: case TY_COUNT: return;
    }
}

void type_learn_rest(Program *p, SymList vars, const Ty **known, const Ty *result,
                     const Ty *want) {
    const Ty **more = ARENA_ARRAY(p->arena, const Ty *, vars.len + 1);
    type_learn(p, vars, more, result, want);
    for (size_t i = 0; i < vars.len; i++)
        if (known[i] == NULL) known[i] = more[i];
}

// ---- bounds ----

static Bound param_bound(Program *p, const TypeParam *t) {
    Bound b = {0};
    const Expr *e = t->kind == TYPE_PARAM_TYPE_VAR ? t->type_var.bound : NULL;
    if (e == NULL) return b;
    if (e->kind != EXPR_TUPLE) {
        b.upper = annotation_local(p, e);
        return b;
    }
    const Ty **at = ARENA_ARRAY(p->arena, const Ty *, e->tuple.elts.len + 1);
    for (size_t i = 0; i < e->tuple.elts.len; i++)
        at[i] = annotation_local(p, e->tuple.elts.at[i]);
    b.constraints = (TyList){at, e->tuple.elts.len};
    return b;
}

// `TypeVar("T", int, str)`, `TypeVar("T", bound=Shape)`
static Bound call_bound(Program *p, const Expr *call) {
    Bound b = {0};
    ExprList args = call->call.args;
    const Ty **at = ARENA_ARRAY(p->arena, const Ty *, args.len + 1);
    for (size_t i = 1; i < args.len; i++) at[i - 1] = annotation_local(p, args.at[i]);
    if (args.len > 1) b.constraints = (TyList){at, args.len - 1};
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        if (k->arg != NULL && sym_is(k->arg, "bound")) b.upper = annotation_local(p, k->value);
    }
    return b;
}

Bound type_bound(Program *p, const Stmt *def, Sym var) {
    TypeParamList list = def == NULL ? (TypeParamList){0} : def->kind == STMT_CLASS_DEF
        ? def->class_def.type_params : def->function_def.type_params;
    for (size_t i = 0; i < list.len; i++)
        if (type_param_name(list.at[i]) == var) return param_bound(p, list.at[i]);
    Decl *d = program_find(p, var);
    return program_is_type_var(d) ? call_bound(p, d->stmt->assign.value) : (Bound){0};
}

// ---- types as annotations ----

static const Expr *named_expr(Program *p, const char *name, Span at) {
    return expr_name(p->arena, at, names_get(p->names, name), EXPR_CONTEXT_LOAD);
}

static const Expr *apply(Program *p, const Expr *head, TyList args, bool open) {
    Span at = head->at;
    const Expr **list = ARENA_ARRAY(p->arena, const Expr *, args.len + 1);
    if (args.len == 0) return head;
    for (size_t i = 0; i < args.len; i++) list[i] = type_to_expr(p, args.at[i], at);
    if (open) list[args.len] = expr_constant(p->arena, at, const_ellipsis(p->arena), NULL);
    size_t n = args.len + open;
    const Expr *slice = n == 1
        ? list[0] : expr_tuple(p->arena, at, (ExprList){list, n}, EXPR_CONTEXT_LOAD);
    return expr_subscript(p->arena, at, head, slice, EXPR_CONTEXT_LOAD);
}

const Expr *type_apply(Program *p, const Expr *head, TyList args) {
    return apply(p, head, args, false);
}

static const Expr *union_expr(Program *p, TyList items, Span at) {
    p->needs_union = true;
    return type_apply(p, named_expr(p, "Union", at), items);
}

const Expr *type_to_expr(Program *p, const Ty *t, Span at) {
    if (t == NULL) return named_expr(p, "Any", at);
    switch (t->kind) {
    case TY_NONE_TYPE: return expr_constant(p->arena, at, const_none(p->arena), NULL);
    case TY_NAMED:
        return apply(p, named_expr(p, t->named.name, at), t->named.args,
                     ty_is_open_tuple(t->named.name, t->named.args));
    case TY_TYPE_VAR: return named_expr(p, t->type_var.name, at);
    case TY_UNION: return union_expr(p, t->union_.items, at);
    case TY_TUPLE: return type_apply(p, named_expr(p, "tuple", at), t->tuple.items);
    case TY_CALLABLE: case TY_POISON: case TY_ANY: case TY_INST: case TY_LITERAL: case TY_PLACED:
    case TY_COUNT: return named_expr(p, "Any", at);
    }
    return named_expr(p, "Any", at);
}

// ---- the type parameters of a function ----

typedef struct Mentions { Program *p; SymList outer, found; } Mentions;

static bool find_var(void *cx, const Expr *e) {
    Mentions *m = cx;
    if (e->kind == EXPR_NAME && program_is_type_var(program_find(m->p, e->name.id)) &&
        !roles_has(m->outer, e->name.id))
        m->found = roles_join(m->p->arena, m->found, roles_one(m->p->arena, e->name.id));
    return true;
}

static void find_vars(Mentions *m, ArgList args) {
    IrWalker w = {.cx = m, .expr = find_var};
    for (size_t i = 0; i < args.len; i++)
        if (args.at[i]->annotation != NULL) ir_walk_expr(&w, args.at[i]->annotation);
}

SymList type_params_written(Arena *a, TypeParamList list) {
    SymVec out = {0};
    for (size_t i = 0; i < list.len; i++) vec_push(a, &out, type_param_name(list.at[i]));
    return (SymList){out.at, out.len};
}

SymList type_params_of(Program *p, const Stmt *s, SymList outer) {
    const Arguments *args = s->function_def.args;
    Mentions m = {p, outer, type_params_written(p->arena, s->function_def.type_params)};
    find_vars(&m, args->posonlyargs);
    find_vars(&m, args->args);
    find_vars(&m, args->kwonlyargs);
    IrWalker w = {.cx = &m, .expr = find_var};
    if (s->function_def.returns != NULL) ir_walk_expr(&w, s->function_def.returns);
    return m.found;
}

SymList type_params_enter(Program *p, SymList more) {
    SymList before = p->type_vars;
    p->type_vars = roles_join(p->arena, before, more);
    return before;
}
