// core_expr.c - expressions as terms.

#include "compiler/pass/ad/core_internal.h"

#include <math.h>
#include <stdlib.h>

#include "compiler/base/vec.h"
#include "compiler/ir/control.h"

typedef Vec(const Expr *) Exprs;

// ---- nodes ----

static const Expr *typed(Core *c, const Expr *e, const Ty *ty)
{
    return expr_with_ty(c->arena, e, ty, (SymList){0});
}

const Expr *core_name(Core *c, Span at, Sym name, const Ty *ty)
{
    return typed(c, expr_name(c->arena, at, name, EXPR_CONTEXT_LOAD), ty);
}

const Expr *core_call(Core *c, const Expr *f, size_t n, const Expr *const *args)
{
    const Expr **copy = ARENA_ARRAY(c->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = args[i];
    return expr_call(c->arena, f->at, f, (ExprList){copy, n}, (KeywordList){0});
}

const Expr *core_method(Core *c, const Expr *base, const char *name, size_t n,
                        const Expr *const *args)
{
    const Expr *f = expr_attribute(c->arena, base->at, base, names_get(c->names, name),
                                   EXPR_CONTEXT_LOAD);
    return core_call(c, f, n, args);
}

const Expr *core_let(Core *c, Sym name, const Expr *value, const Expr *body)
{
    return expr_let(c->arena, value->at, name, value, body);
}

const Expr *core_int(Core *c, Span at, long n)
{
    const char *digits = names_format(c->names, "%ld", n);
    Text text = {digits, strlen(digits)};
    return typed(c, expr_constant(c->arena, at, const_int(c->arena, text), NULL), c->int_);
}

static const Expr *number(Core *c, Span at, double value)
{
    return typed(c, expr_constant(c->arena, at, const_float(c->arena, value), NULL), c->float_);
}

static const Expr *truth(Core *c, Span at, bool value)
{
    return typed(c, expr_constant(c->arena, at, const_bool(c->arena, value), NULL), c->bool_);
}

const Expr *core_compare(Core *c, const Expr *left, Cmpop op, const Expr *right)
{
    Cmpop *ops = ARENA_NEW(c->arena, Cmpop);
    const Expr **rights = ARENA_NEW(c->arena, const Expr *);
    *ops = op;
    *rights = right;
    return typed(c, expr_compare(c->arena, left->at, left, (CmpopList){ops, 1},
                                 (ExprList){rights, 1}), c->bool_);
}

static const Expr *branch(Core *c, const Expr *test, const Expr *body, const Expr *orelse)
{
    return expr_if_exp(c->arena, test->at, test, body, orelse);
}

// ---- types ----

static bool is_class(const Ty *t, const char *name)
{
    return t != NULL && t->kind == TY_NAMED && sym_is(t->named.name, name);
}

static bool is_int(const Ty *t)
{
    return is_class(t, "int") || is_class(t, "bool")
           || (t != NULL && t->kind == TY_LITERAL && t->literal.value->kind == CONST_INT);
}

static bool is_float(const Ty *t)
{
    bool found = is_class(t, "float");
    for (size_t i = 0; t != NULL && t->kind == TY_UNION && i < t->union_.items.len; i++) {
        const Ty *item = t->union_.items.at[i];
        found = found || is_class(item, "float");
        if (!is_int(item) && !is_class(item, "float") && item->kind != TY_NONE_TYPE)
            return false;
    }
    return found;
}

static const Ty *element(const Ty *t)
{
    return is_class(t, "list") && t->named.args.len == 1 ? t->named.args.at[0] : NULL;
}

// ---- names ----

const char *core_qualified(Core *c, const Expr *func)
{
    if (func->kind == EXPR_NAME) {
        if (core_is_local(c, func->name.id))
            return NULL;
        const char *meant = table_get(c->imports, func->name.id);
        return meant != NULL ? meant : func->name.id;
    }
    if (func->kind != EXPR_ATTRIBUTE || func->attribute.value->kind != EXPR_NAME)
        return NULL;
    Sym base = func->attribute.value->name.id;
    const char *module = core_is_local(c, base) ? NULL : table_get(c->imports, base);
    return module != NULL ? names_format(c->names, "%s.%s", module, func->attribute.attr) : NULL;
}

static const Expr *math_constant(Core *c, const Expr *e)
{
    static const struct { const char *name; double value; } known[] = {
        {"math.pi", 3.141592653589793}, {"math.e", 2.718281828459045},
        {"math.tau", 6.283185307179586}, {"math.inf", HUGE_VAL},
    };
    const char *name = core_qualified(c, e);
    for (size_t i = 0; name != NULL && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return number(c, e->at, known[i].value);
    return NULL;
}

static const Expr *variable(Core *c, const Expr *e)
{
    if (core_is_cell(c, e->name.id))
        return typed(c, expr_get(c->arena, e->at, core_name(c, e->at, e->name.id, NULL)), e->ty);
    const Expr *constant = math_constant(c, e);
    return constant != NULL ? constant : core_name(c, e->at, e->name.id, e->ty);
}

// ---- tests, and operators that leave operands out ----

bool core_asks_side(Core *c, const Expr *test, const Expr **subject, bool *right)
{
    if (test->kind != EXPR_CALL || test->call.args.len != 2)
        return false;
    const char *f = core_qualified(c, test->call.func);
    const char *side = core_qualified(c, test->call.args.at[1]);
    *subject = test->call.args.at[0];
    bool asks = f != NULL && strcmp(f, "isinstance") == 0 && side != NULL
                && (*subject)->kind == EXPR_NAME && strncmp(side, "pychoral.ad.In", 14) == 0;
    *right = asks && side[14] == 'r';
    return asks;
}

static const CoreCase *known_case(const Core *c, Sym name)
{
    for (const CoreCase *k = c->cases; k != NULL; k = k->outer)
        if (k->subject == name)
            return k;
    return NULL;
}

static const Expr *conditional(Core *c, const Expr *e, const Ty *wanted)
{
    const Expr *subject, *arms[2] = {e->if_exp.body, e->if_exp.orelse}, *made[2];
    bool right;
    if (!core_asks_side(c, e->if_exp.test, &subject, &right))
        return typed(c, branch(c, core_test(c, e->if_exp.test), core_expr_as(c, arms[0], wanted),
                               core_expr_as(c, arms[1], wanted)), e->ty);
    const CoreCase *known = known_case(c, subject->name.id);
    if (known != NULL)
        return core_expr_as(c, arms[known->right != right], wanted);
    Sym payload[2];
    const Expr *value = core_expr(c, subject);
    for (int i = 0; i < 2; i++) {
        payload[i] = core_fresh(c, "y");
        CoreCase here = {c->cases, subject->name.id, payload[i], right == (i == 0)};
        c->cases = core_is_cell(c, subject->name.id) ? c->cases : &here;
        made[i] = core_expr_as(c, arms[i], wanted);
        c->cases = here.outer;
    }
    return typed(c, expr_case(c->arena, e->at, value, payload[right], made[right],
                              payload[!right], made[!right]), e->ty);
}

const Expr *core_test(Core *c, const Expr *e)
{
    if (is_float(e->ty))
        return core_compare(c, core_expr(c, e), CMPOP_NOT_EQ, number(c, e->at, 0.0));
    if (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT)
        return typed(c, expr_unary_op(c->arena, e->at, UNARYOP_NOT,
                                      core_test(c, e->unary_op.operand)), c->bool_);
    if (e->kind != EXPR_BOOL_OP)
        return core_expr(c, e);
    bool both = e->bool_op.op == BOOLOP_AND;
    ExprList values = e->bool_op.values;
    const Expr *made = core_test(c, values.at[values.len - 1]);
    for (size_t i = values.len - 1; i-- > 0;) {
        const Expr *first = core_test(c, values.at[i]);
        made = both ? branch(c, first, made, truth(c, first->at, false))
                    : branch(c, first, truth(c, first->at, true), made);
        made = typed(c, made, c->bool_);
    }
    return made;
}

// `a and b` as a value: the last that was looked at.
static const Expr *chosen(Core *c, const Expr *e)
{
    if (is_class(e->ty, "bool"))
        return core_test(c, e);
    ExprList values = e->bool_op.values;
    const Expr *made = core_expr_as(c, values.at[values.len - 1], e->ty);
    for (size_t i = values.len - 1; i-- > 0;) {
        Sym name = core_fresh(c, "t");
        const Expr *value = core_expr_as(c, values.at[i], e->ty);
        const Expr *read = core_name(c, value->at, name, value->ty), *test = read;
        if (is_float(value->ty))
            test = core_compare(c, read, CMPOP_NOT_EQ, number(c, e->at, 0.0));
        made = e->bool_op.op == BOOLOP_AND ? branch(c, test, made, read)
                                           : branch(c, test, read, made);
        made = typed(c, core_let(c, name, value, typed(c, made, e->ty)), e->ty);
    }
    return made;
}

// ---- calls ----

static const Expr *arg(const Expr *call, size_t i) { return call->call.args.at[i]; }

static const Expr *applied(Core *c, const Expr *f, const Expr *to)
{
    return core_call(c, core_expr(c, f), to != NULL, &to);
}

static const Expr *shift(Core *c, const Expr *e)
{
    const Expr *f = arg(e, 0);
    if (f->kind == EXPR_LAMBDA && f->lambda.args->args.len == 1) {
        const Expr *made = core_expr(c, f);
        return expr_shift(c->arena, e->at, made->lambda.args->args.at[0]->arg, made->lambda.body);
    }
    Sym k = core_fresh(c, "k");
    return expr_shift(c->arena, e->at, k, applied(c, f, core_name(c, e->at, k, NULL)));
}

static const Expr *reset(Core *c, const Expr *e)
{
    const Expr *f = arg(e, 0);
    bool plain = f->kind == EXPR_LAMBDA && f->lambda.args->args.len == 0;
    return expr_reset(c->arena, e->at, plain ? core_expr(c, f)->lambda.body : applied(c, f, NULL));
}

// Ref, Inl, Inr, shift, reset; NULL: none of these.
static const Expr *of_calculus(Core *c, const Expr *e, const char *name)
{
    if (name == NULL || strncmp(name, "pychoral.ad.", 12) != 0 || e->call.args.len != 1)
        return NULL;
    name += 12;
    if (strcmp(name, "shift") == 0)
        return shift(c, e);
    if (strcmp(name, "reset") == 0)
        return reset(c, e);
    const Ty *held = e->ty != NULL && e->ty->kind == TY_NAMED && e->ty->named.args.len == 1
                         ? e->ty->named.args.at[0] : NULL;
    const Expr *value = core_expr_as(c, arg(e, 0), held);
    if (strcmp(name, "Ref") == 0)
        return expr_ref(c->arena, e->at, value);
    if (strcmp(name, "Inl") != 0 && strcmp(name, "Inr") != 0)
        core_refuse(c, e->at, names_format(c->names, "`%s` inside a function", name), NULL);
    return expr_inject(c->arena, e->at, strcmp(name, "Inr") == 0, value);
}

static const Expr *of_cell(Core *c, const Expr *e)
{
    const Expr *f = e->call.func;
    if (f->kind != EXPR_ATTRIBUTE || !is_class(f->attribute.value->ty, "pychoral.ad.Ref"))
        return NULL;
    const Ty *ty = f->attribute.value->ty;
    const Ty *held = ty->named.args.len == 1 ? ty->named.args.at[0] : NULL;
    const Expr *ref = core_expr(c, f->attribute.value);
    if (sym_is(f->attribute.attr, "get"))
        return expr_get(c->arena, e->at, ref);
    const Expr *value = core_expr_as(c, arg(e, 0), held);
    if (sym_is(f->attribute.attr, "set"))
        return expr_put(c->arena, e->at, ref, value);
    const Expr *old = typed(c, expr_get(c->arena, e->at, ref), held);
    const Expr *sum = expr_bin_op(c->arena, e->at, old, OPERATOR_ADD, value);
    return expr_put(c->arena, e->at, ref, typed(c, sum, held));
}

const char *const core_builtins[] = {
    "abs", "max", "min", "pow", "round", "int", "float", "bool", "len", "range", "list", "tuple",
    "str", "isinstance", "reversed", "enumerate", "zip", "print", NULL,
};
static const char *const known_methods[] = {
    "append", "pop", "insert", "extend", "reverse", "clear", "copy", NULL,
};

// The parameters as the call has them; NULL: unknown.
static TyList parameters(const Expr *e)
{
    const Ty *t = e->call.func->ty;
    return t != NULL && t->kind == TY_CALLABLE ? t->callable.params : (TyList){0};
}

static const Expr *called(Core *c, const Expr *e, const Expr *f)
{
    TyList params = parameters(e);
    Exprs args = {0};
    const Keyword **keywords = ARENA_ARRAY(c->arena, const Keyword *, e->call.keywords.len + 1);
    for (size_t i = 0; i < e->call.args.len; i++)
        vec_push(c->arena, &args, core_expr_as(c, arg(e, i), i < params.len ? params.at[i] : NULL));
    for (size_t i = 0; i < e->call.keywords.len; i++) {
        const Keyword *k = e->call.keywords.at[i];
        keywords[i] = keyword_new(c->arena, k->at, k->arg, core_expr(c, k->value));
    }
    return expr_call(c->arena, e->at, f, (ExprList){args.at, args.len},
                     (KeywordList){keywords, e->call.keywords.len});
}

static const Expr *max_of(Core *c, const Expr *e, Sym name)
{
    ExprList args = e->call.args;
    const Expr *made = core_expr_as(c, args.at[0], e->ty);
    for (size_t i = 1; i < args.len; i++) {
        const Expr *both[] = {made, core_expr_as(c, args.at[i], e->ty)};
        made = typed(c, core_call(c, core_name(c, e->at, name, NULL), 2, both), e->ty);
    }
    return made;
}

// What begins with a start value and goes through a list: letrec loop = \i, r. ..
typedef struct Fold { const char *name; double start; Operator op; } Fold;

static const Expr *item(Core *c, Span at, Sym list, Sym i, const Ty *ty)
{
    const Expr *e = expr_subscript(c->arena, at, core_name(c, at, list, NULL),
                                   core_name(c, at, i, c->int_), EXPR_CONTEXT_LOAD);
    return typed(c, e, ty);
}

static const Expr *fold(Core *c, const Expr *e, const char *name)
{
    static const Fold folds[] = {
        {"sum", 0.0, OPERATOR_ADD}, {"math.fsum", 0.0, OPERATOR_ADD},
        {"math.prod", 1.0, OPERATOR_MULT}, {"max", 0.0, OPERATOR_COUNT},
        {"min", 0.0, OPERATOR_COUNT},
    };
    const Fold *f = NULL;
    for (size_t i = 0; name != NULL && i < sizeof folds / sizeof *folds; i++)
        f = strcmp(folds[i].name, name) == 0 ? &folds[i] : f;
    const Ty *held = f != NULL ? element(arg(e, 0)->ty) : NULL;
    if (held == NULL || !is_float(held) || e->call.keywords.len > 0)
        return NULL;
    bool picks = f->op == OPERATOR_COUNT;
    Span at = e->at;
    Sym list = core_fresh(c, "xs"), loop = core_fresh(c, "loop"), i = core_fresh(c, "i"),
        r = core_fresh(c, "r");
    const Expr *so_far = core_name(c, at, r, c->float_), *next = item(c, at, list, i, c->float_);
    const Expr *both[] = {so_far, next};
    const Expr *step = picks ? core_call(c, core_name(c, at, names_get(c->names, name), NULL), 2,
                                         both)
                             : expr_bin_op(c->arena, at, so_far, f->op, next);
    const Expr *count = core_name(c, at, i, c->int_), *xs = core_name(c, at, list, NULL);
    const Expr *length = core_call(c, core_name(c, at, names_get(c->names, "len"), NULL), 1, &xs);
    const Expr *more = core_compare(c, count, CMPOP_LT, typed(c, length, c->int_));
    const Expr *one = expr_bin_op(c->arena, at, count, OPERATOR_ADD, core_int(c, at, 1));
    const Expr *again[] = {typed(c, one, c->int_), typed(c, step, c->float_)};
    const Expr *self = core_name(c, at, loop, NULL);
    const Arg *args[] = {arg_with_ty(c->arena, arg_new(c->arena, at, i, NULL), c->int_),
                         arg_with_ty(c->arena, arg_new(c->arena, at, r, NULL), c->float_)};
    const Arg **kept = ARENA_ARRAY(c->arena, const Arg *, 2);
    memcpy(kept, args, sizeof args);
    const Arguments *params = arguments_new(c->arena, (ArgList){0}, (ArgList){kept, 2}, NULL,
                                            (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
    const Expr *start[] = {core_int(c, at, picks), e->call.args.len > 1
                               ? core_expr_as(c, arg(e, 1), c->float_)
                               : number(c, at, f->start)};
    if (picks)
        start[1] = typed(c, expr_subscript(c->arena, at, xs, core_int(c, at, 0),
                                           EXPR_CONTEXT_LOAD), c->float_);
    const Expr *body = branch(c, more, core_call(c, self, 2, again), so_far);
    const Expr *whole = expr_let_rec(c->arena, at, loop, params, body,
                                     core_call(c, self, 2, start));
    return typed(c, core_let(c, list, core_expr(c, arg(e, 0)), whole), c->float_);
}

static const Expr *of_python(Core *c, const Expr *e, const char *name)
{
    const Expr *folded = e->call.args.len > 0 ? fold(c, e, name) : NULL;
    if (folded != NULL)
        return folded;
    bool picks = strcmp(name, "max") == 0 || strcmp(name, "min") == 0;
    if (picks && e->call.args.len > 1 && e->call.keywords.len == 0)
        return max_of(c, e, names_get(c->names, name));
    if (strncmp(name, "math.", 5) == 0) {
        const Expr *math = core_name(c, e->at, names_get(c->names, "math"), NULL);
        return called(c, e, expr_attribute(c->arena, e->at, math, names_get(c->names, name + 5),
                                           EXPR_CONTEXT_LOAD));
    }
    if (!sym_is_one_of(name, core_builtins) && table_get(c->classes, name) == NULL
        && strstr(name, "Error") == NULL) {
        core_refuse(c, e->at, names_format(c->names, "a call of `%s`", name), NULL);
        return e;
    }
    return called(c, e, core_name(c, e->call.func->at, names_get(c->names, name),
                                  e->call.func->ty));
}

// What a function of the program, or a method of a list, cannot be called with.
static void judge_call(Core *c, const Expr *e)
{
    const Expr *f = e->call.func;
    const Ty *base = f->kind == EXPR_ATTRIBUTE ? f->attribute.value->ty : NULL;
    bool list = is_class(base, "list");
    bool known = list ? sym_is_one_of(f->attribute.attr, known_methods)
                      : f->kind != EXPR_ATTRIBUTE || (base != NULL && base->kind == TY_NAMED
                                                      && table_get(c->classes, base->named.name));
    if (!known)
        core_refuse(c, e->at, names_format(c->names, "a call of `.%s`", f->attribute.attr), NULL);
    for (size_t i = 0; i < e->call.keywords.len; i++)
        core_refuse(c, e->call.keywords.at[i]->at, "a keyword argument",
                    "pass the argument by position");
    bool refused = diags_error_count(c->diags) > 0;     // perhaps what the callee was given
    if (!refused && !list && e->call.keywords.len == 0 && parameters(e).len > e->call.args.len)
        core_refuse(c, e->at, "a call that uses the default of a parameter", "pass all arguments");
}

static const Expr *call(Core *c, const Expr *e)
{
    const char *name = core_qualified(c, e->call.func);
    const Expr *made = of_calculus(c, e, name);
    if (made == NULL)
        made = of_cell(c, e);
    if (made != NULL)
        return made;
    if (name != NULL && table_get(c->functions, name) == NULL)
        return of_python(c, e, name);
    judge_call(c, e);
    return called(c, e, core_expr(c, e->call.func));
}

// ---- primitives as values ----

// `math.sin` that is not called here is `lambda a1: math.sin(a1)`.
static const Expr *primitive_value(Core *c, const Expr *e)
{
    static const char *const builtins[] = {"abs", "pow", "max", "min", "round", "float", "int",
                                           NULL};
    const char *name = e->ty != NULL && e->ty->kind == TY_CALLABLE ? core_qualified(c, e) : NULL;
    bool math = name != NULL && strncmp(name, "math.", 5) == 0;
    if (name == NULL || (!math && !sym_is_one_of(name, builtins))
        || table_get(c->functions, name) != NULL)
        return NULL;
    size_t n = e->ty->callable.params.len;
    if (n == 0 || n > 2 || (!math && strcmp(name, "abs") != 0))
        core_refuse(c, e->at, names_format(c->names, "`%s` as a value", name),
                    "write a lambda that calls the function");
    const Arg **params = ARENA_ARRAY(c->arena, const Arg *, n + 1);
    const Expr **given = ARENA_ARRAY(c->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++) {
        Sym param = core_fresh(c, "a");
        params[i] = arg_with_ty(c->arena, arg_new(c->arena, e->at, param, NULL), c->float_);
        given[i] = core_name(c, e->at, param, c->float_);
    }
    const Arguments *args = arguments_new(c->arena, (ArgList){0}, (ArgList){params, n}, NULL,
                                          (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
    const Expr *call = typed(c, core_call(c, e, n, given), math ? e->ty->callable.result
                                                               : c->float_);
    return typed(c, expr_lambda(c->arena, e->at, args, of_python(c, call, name)), e->ty);
}

// ---- expressions ----

static const Expr *lambda(Core *c, const Expr *e)
{
    const Arguments *args = e->lambda.args;
    return expr_lambda(c->arena, e->at, core_parameters(c, args),
                       core_body(c, args, (StmtList){0}, e->lambda.body, NULL));
}

static const Expr *attribute(Core *c, const Expr *e)
{
    const Expr *base = e->attribute.value, *constant = math_constant(c, e);
    if (constant != NULL)
        return constant;
    const CoreCase *known = base->kind == EXPR_NAME ? known_case(c, base->name.id) : NULL;
    if (known != NULL && sym_is(e->attribute.attr, "value"))
        return core_name(c, e->at, known->payload, e->ty);
    return expr_attribute(c->arena, e->at, core_expr(c, base), e->attribute.attr,
                          EXPR_CONTEXT_LOAD);
}

static const Expr *child(void *c, const Expr *e) { return core_expr(c, e); }

// What a display holds is made what its type says: the one that is declared, if there is one.
static const Expr *display(Core *c, const Expr *e, const Ty *ty)
{
    bool list = e->kind == EXPR_LIST;
    ExprList elts = list ? e->list.elts : e->tuple.elts;
    const Expr **at = ARENA_ARRAY(c->arena, const Expr *, elts.len + 1);
    for (size_t i = 0; i < elts.len; i++) {
        const Ty *wanted = element(ty);
        if (!list && ty != NULL && ty->kind == TY_TUPLE && i < ty->tuple.items.len)
            wanted = ty->tuple.items.at[i];
        at[i] = core_expr_as(c, elts.at[i], wanted);
    }
    return control_rebuild(c->arena, e, at);
}

static const Expr *form(Core *c, const Expr *e, const Ty *wanted)
{
    switch (e->kind) {
    case EXPR_NAME:      return variable(c, e);
    case EXPR_CONSTANT:  return e;
    case EXPR_BOOL_OP:   return chosen(c, e);
    case EXPR_IF_EXP:    return conditional(c, e, wanted);
    case EXPR_LAMBDA:    return lambda(c, e);
    case EXPR_CALL:      return call(c, e);
    case EXPR_ATTRIBUTE: return attribute(c, e);
    case EXPR_LIST:
    case EXPR_TUPLE:     return display(c, e, wanted);
    case EXPR_UNARY_OP:
        if (e->unary_op.op == UNARYOP_NOT)
            return core_test(c, e);
        return control_map(c->arena, e, child, c);
    case EXPR_BIN_OP: case EXPR_COMPARE: case EXPR_SUBSCRIPT: case EXPR_SLICE:
        return control_map(c->arena, e, child, c);
    EXPR_CASES_SUGAR:
    EXPR_CASES_SURFACE:
    EXPR_CASES_CHOREO:
    EXPR_CASES_LOCAL:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_DICT: case EXPR_SET: case EXPR_STARRED: case EXPR_COUNT:
        break;
    }
    bool table = e->kind == EXPR_DICT || e->kind == EXPR_SET;
    core_refuse(c, e->at, e->kind == EXPR_DICT ? "a dict" : e->kind == EXPR_SET ? "a set"
                          : e->kind == EXPR_STARRED ? "`*` before an expression"
                          : "this expression",
                table ? "use lists, tuples and dataclasses" : NULL);
    return e;
}

const Expr *core_expr_as(Core *c, const Expr *e, const Ty *wanted)
{
    const Ty *own = e->ty;
    const Expr *made = primitive_value(c, e);
    made = made != NULL ? made : form(c, e, wanted != NULL ? wanted : own);
    if (made->ty != own && own != NULL && made->ty == NULL)
        made = typed(c, made, own);
    if (!is_float(wanted) || !is_int(made->ty))
        return made;
    bool constant = made->kind == EXPR_CONSTANT && made->constant.value->kind == CONST_INT;
    if (constant)
        return number(c, e->at, strtod(made->constant.value->text.at, NULL));
    const Expr *f = core_name(c, e->at, names_get(c->names, "float"), NULL);
    return typed(c, core_call(c, f, 1, &made), c->float_);
}

const Expr *core_expr(Core *c, const Expr *e) { return core_expr_as(c, e, NULL); }
