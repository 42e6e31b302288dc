// mode_names.c - names of terms: fresh ones, binders renamed apart, operands bound in order.

#include "compiler/pass/ad/mode_internal.h"

#include <ctype.h>

Sym mode_fresh(Modes *m, const char *base)
{
    Sym name = names_get(m->names, base);
    const char *between = isdigit((unsigned char)base[strlen(base) - 1]) ? "_" : "";
    for (int n = 1; table_get(m->used, name) != NULL; n++)
        name = names_format(m->names, "%s%s%d", base, between, n);
    table_set(m->used, name, m);
    table_set(m->bound, name, m);
    return name;
}

static void reserve_stmt(Modes *m, const Stmt *s)
{
    Sym bound = s->kind == STMT_FUNCTION_DEF ? s->function_def.name : NULL;
    if (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME)
        bound = s->assign.targets.at[0]->name.id;
    if (bound != NULL) {
        table_set(m->bound, bound, m);
        table_set(m->used, bound, m);
    }
    if (s->kind == STMT_CLASS_DEF)
        table_set(m->used, s->class_def.name, m);
}

// ---- renaming ----

typedef struct Env {
    const struct Env *outer;
    Sym from, to;
} Env;

typedef struct Apart {
    Modes *m;
    bool   canonical;           // every binder gets a number; names that none binds are taken
    int    next;
} Apart;

static const Expr *apart(Apart *p, const Expr *e, const Env *env);

static Sym rename_binder(Apart *p, Sym name)
{
    if (name[0] == '_' && name[1] == '\0')
        return name;
    if (p->canonical)
        return names_format(p->m->names, "#%d", p->next++);
    return mode_fresh(p->m, name);
}

static const Env *bound_in(Apart *p, Env *env, const Env *outer, Sym name)
{
    *env = (Env){outer, name, rename_binder(p, name)};
    return env;
}

static const Env *bound_args(Apart *p, const Env *env, const Arguments **args)
{
    const Arguments *old = *args;
    size_t n = old->args.len;
    const Arg **at = ARENA_ARRAY(p->m->arena, const Arg *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const Arg *arg = old->args.at[i];
        env = bound_in(p, ARENA_NEW(p->m->arena, Env), env, arg->arg);
        at[i] = arg_with_ty(p->m->arena, arg_new(p->m->arena, arg->at, env->to, NULL), arg->ty);
    }
    *args = arguments_new(p->m->arena, (ArgList){0}, (ArgList){at, n}, NULL, (ArgList){0},
                          (ExprList){0}, NULL, (ExprList){0});
    return env;
}

static const Expr *apart_name(Apart *p, const Expr *e, const Env *env)
{
    for (; env != NULL; env = env->outer)
        if (env->from == e->name.id)
            return mode_name_of(p->m, e->at, env->to);
    table_set(p->m->used, e->name.id, p);
    return e;
}

static const Expr *apart_operation(Apart *p, const Expr *e, const Env *env)
{
    ExprList o = control_operands(p->m->arena, e);
    const Expr **at = ARENA_ARRAY(p->m->arena, const Expr *, o.len + 1);
    for (size_t i = 0; i < o.len; i++)
        at[i] = apart(p, o.at[i], env);
    return control_rebuild(p->m->arena, e, at);
}

static const Expr *apart_binder(Apart *p, const Expr *e, const Env *env)
{
    Arena *a = p->m->arena;
    Env one, two;
    if (e->kind == EXPR_LAMBDA) {
        const Arguments *args = e->lambda.args;
        env = bound_args(p, env, &args);
        return expr_lambda(a, e->at, args, apart(p, e->lambda.body, env));
    }
    if (e->kind == EXPR_CASE) {
        const Expr *value = apart(p, e->case_.value, env);
        const Env *left = bound_in(p, &one, env, e->case_.left);
        const Expr *on_left = apart(p, e->case_.on_left, left);
        const Env *right = bound_in(p, &two, env, e->case_.right);
        return expr_case(a, e->at, value, one.to, on_left, two.to,
                         apart(p, e->case_.on_right, right));
    }
    if (e->kind == EXPR_SHIFT) {
        env = bound_in(p, &one, env, e->shift.k);
        return expr_shift(a, e->at, one.to, apart(p, e->shift.body, env));
    }
    if (e->kind == EXPR_LET_REC) {
        const Env *inner = bound_in(p, &one, env, e->let_rec.name);
        const Arguments *args = e->let_rec.args;
        const Expr *value = apart(p, e->let_rec.value, bound_args(p, inner, &args));
        return expr_let_rec(a, e->at, one.to, args, value, apart(p, e->let_rec.body, inner));
    }
    const Expr *value = apart(p, e->let.value, env);
    env = bound_in(p, &one, env, e->let.name);
    return expr_let(a, e->at, one.to, value, apart(p, e->let.body, env));
}

static const Expr *apart_form(Apart *p, const Expr *e, const Env *env)
{
    Arena *a = p->m->arena;
    if (e->kind == EXPR_NAME)
        return apart_name(p, e, env);
    if (e->kind == EXPR_IF_EXP)
        return expr_if_exp(a, e->at, apart(p, e->if_exp.test, env), apart(p, e->if_exp.body, env),
                           apart(p, e->if_exp.orelse, env));
    if (e->kind == EXPR_RESET)
        return expr_reset(a, e->at, apart(p, e->reset.body, env));
    bool binds = e->kind == EXPR_LAMBDA || e->kind == EXPR_CASE || e->kind == EXPR_SHIFT
                 || e->kind == EXPR_LET_REC || e->kind == EXPR_LET;
    return binds ? apart_binder(p, e, env) : apart_operation(p, e, env);
}

static const Expr *apart(Apart *p, const Expr *e, const Env *env)
{
    const Expr *made = apart_form(p, e, env);
    return made->ty == e->ty ? made : expr_with_ty(p->m->arena, made, e->ty, e->roles);
}

const Expr *mode_apart(Modes *m, const Expr *e, const Arguments **args)
{
    Apart p = {.m = m};
    const Env *env = args != NULL ? bound_args(&p, NULL, args) : NULL;
    return apart(&p, e, env);
}

const Expr *mode_canonical(Arena *a, Names *names, const Expr *term)
{
    Modes m = {.arena = a, .names = names, .used = table_new(a), .bound = table_new(a)};
    Apart p = {.m = &m, .canonical = true};
    return apart(&p, term, NULL);
}

void mode_reserve_free(Modes *m, const Expr *e, const Arguments *args)
{
    Apart p = {.m = m, .canonical = true};
    const Env *env = args != NULL ? bound_args(&p, NULL, &args) : NULL;
    (void)apart(&p, e, env);
}

void mode_reserve(Modes *m, const Unit *unit)
{
    static const char *const taken[] = {"Inl", "Inr", "Ref", "shift", "reset", "throw",
                                        "Inputs", "digamma", "math", NULL};
    for (size_t i = 0; taken[i] != NULL; i++)
        table_set(m->used, names_get(m->names, taken[i]), m);
    for (size_t i = 0; i < unit->module.body.len; i++)
        reserve_stmt(m, unit->module.body.at[i]);
}

// ---- order ----

static bool is_module(Modes *m, const Expr *e)
{
    if (e->ty != NULL && e->ty->kind == TY_NAMED)
        return sym_is(e->ty->named.name, "module");
    return e->kind == EXPR_NAME && sym_is(e->name.id, "math")
           && table_get(m->bound, e->name.id) == NULL;
}

bool mode_applies(Modes *m, const Expr *e)
{
    static const char *const known[] = {"list", "str", "float", "int", NULL};
    if (e->kind != EXPR_CALL)
        return false;
    const Expr *f = e->call.func;
    if (f->kind == EXPR_NAME)
        return table_get(m->bound, f->name.id) != NULL;
    if (f->kind != EXPR_ATTRIBUTE)
        return true;
    const Ty *base = f->attribute.value->ty;
    bool of_python = base != NULL && base->kind == TY_NAMED
                     && sym_is_one_of(base->named.name, known);
    return !is_module(m, f->attribute.value) && !of_python
           && strncmp(f->attribute.attr, "__", 2) != 0;
}

// Whether something happens when an operand is evaluated that others may notice.
static bool acts(Modes *m, const Expr *e)
{
    if (control_is_atom(e) || e->kind == EXPR_LAMBDA)
        return false;
    if (!control_is_operation(e) || e->kind == EXPR_PUT || mode_applies(m, e))
        return true;
    if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_ATTRIBUTE)
        return !is_module(m, e->call.func->attribute.value);
    ExprList o = control_operands(m->arena, e);
    for (size_t i = 0; i < o.len; i++)
        if (acts(m, o.at[i]))
            return true;
    return false;
}

// What is the same whenever it is read: a name, a constant, a part of a tuple.
static bool is_stable(Modes *m, const Expr *e)
{
    while (e->kind == EXPR_SUBSCRIPT && e->subscript.slice->kind == EXPR_CONSTANT
           && kinds_tuple(m->kinds, e->subscript.value))
        e = e->subscript.value;
    return control_is_atom(e) || e->kind == EXPR_LAMBDA;
}

// The operands with what is not stable, and stands left of one that acts, put into names.
typedef struct Early {
    Sym *names;
    const Expr **values;
    size_t count;
} Early;

static const Expr *bound_early(Modes *m, Early *early, const Expr *read, const Expr *made)
{
    if (is_stable(m, read))
        return made;
    Sym name = mode_fresh(m, "t");
    early->names[early->count] = name;
    early->values[early->count++] = made;
    return expr_with_ty(m->arena, mode_name_of(m, made->at, name), made->ty, (SymList){0});
}

// Of `xs.append`, which is called, only xs is bound.
static const Expr *bound_method(Modes *m, Early *early, const Expr *read, const Expr *made)
{
    const Expr *base = bound_early(m, early, read->attribute.value, made->attribute.value);
    return control_rebuild(m->arena, made, &base);
}

static const Expr *ordered_operation(Modes *m, const Expr *e)
{
    ExprList o = control_operands(m->arena, e);
    const Expr **at = ARENA_ARRAY(m->arena, const Expr *, o.len + 1);
    Early early = {ARENA_ARRAY(m->arena, Sym, o.len + 1),
                   ARENA_ARRAY(m->arena, const Expr *, o.len + 1), 0};
    size_t last = 0;
    for (size_t i = 0; i < o.len; i++) {
        at[i] = mode_ordered(m, o.at[i]);
        last = acts(m, at[i]) ? i : last;
    }
    for (size_t i = 0; i < last; i++) {
        bool method = i == 0 && e->kind == EXPR_CALL && at[i]->kind == EXPR_ATTRIBUTE;
        at[i] = method ? bound_method(m, &early, o.at[i], at[i])
                       : bound_early(m, &early, o.at[i], at[i]);
    }
    const Expr *made = control_rebuild(m->arena, e, at);
    for (size_t i = early.count; i-- > 0;)
        made = expr_with_ty(m->arena, mode_let(m, early.names[i], early.values[i], made), e->ty,
                            e->roles);
    return made;
}

static const Expr *ordered(void *m, const Expr *e) { return mode_ordered(m, e); }

const Expr *mode_ordered(Modes *m, const Expr *e)
{
    return control_is_operation(e) ? ordered_operation(m, e)
                                   : control_map(m->arena, e, ordered, m);
}
