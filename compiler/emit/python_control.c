// python_control.c - lowers terms to statements. A lambda whose body has several steps is a `def`,
// else a `lambda`; a term in the place of an operand that takes statements goes in front, and the
// operands before it, unless they are names or constants, are put into variables first.

#include "compiler/emit/python_control.h"

#include <stdio.h>
#include <string.h>

#include "compiler/base/table.h"
#include "compiler/ir/control.h"

typedef Vec(const Stmt *) Stmts;

typedef struct Lower {
    Arena *arena;
    Table *used;                // names of the unit, by the hash of their spelling
    Stmts *out;
} Lower;

// What becomes of a term's value.
typedef struct Want {
    enum { WANT_RETURN, WANT_NAME, WANT_NOTHING } kind;
    Sym name;
} Want;

static void put_term(Lower *l, const Expr *e, Want want);
static const Expr *value(Lower *l, const Expr *e);

// ---- names ----

static const void *spelling(Sym name)
{
    uint64_t h = 14695981039346656037u;
    for (const char *c = name; *c != '\0'; c++)
        h = (h ^ (unsigned char)*c) * 1099511628211u;
    return table_key(h >> 1);
}

static void use_name(Lower *l, Sym name)
{
    if (name != NULL)
        table_set(l->used, spelling(name), l);
}

static bool use_expr(void *cx, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        use_name(cx, e->name.id);
    if (e->kind == EXPR_LET)
        use_name(cx, e->let.name);
    if (e->kind == EXPR_LET_REC)
        use_name(cx, e->let_rec.name);
    if (e->kind == EXPR_SHIFT)
        use_name(cx, e->shift.k);
    if (e->kind == EXPR_CASE) {
        use_name(cx, e->case_.left);
        use_name(cx, e->case_.right);
    }
    return true;
}

static bool use_arg(void *cx, const Arg *arg)
{
    use_name(cx, arg->arg);
    return true;
}

static Sym fresh(Lower *l, const char *base)
{
    char name[32];
    for (int n = 1;; n++) {
        (void)snprintf(name, sizeof name, "%s%d", base, n);
        if (table_get(l->used, spelling(name)) == NULL) {
            use_name(l, name);
            return arena_strndup(l->arena, name, strlen(name));
        }
    }
}

// ---- what an expression can say ----

static bool is_simple(Lower *l, const Expr *e)
{
    if (e->kind == EXPR_LAMBDA)
        return is_simple(l, e->lambda.body);
    if (e->kind == EXPR_SHIFT)
        return is_simple(l, e->shift.body);
    if (e->kind == EXPR_RESET)
        return is_simple(l, e->reset.body);
    if (e->kind == EXPR_IF_EXP)
        return is_simple(l, e->if_exp.test) && is_simple(l, e->if_exp.body)
               && is_simple(l, e->if_exp.orelse);
    if (e->kind == EXPR_LET || e->kind == EXPR_LET_REC || e->kind == EXPR_CASE)
        return false;
    ExprList operands = control_operands(l->arena, e);
    for (size_t i = 0; i < operands.len; i++)
        if (!is_simple(l, operands.at[i]))
            return false;
    return true;
}

// Whether what goes in front of an operand does something: a definition alone does not.
static bool acts_in_front(Lower *l, const Expr *e)
{
    if (is_simple(l, e) || e->kind == EXPR_LAMBDA || e->kind == EXPR_SHIFT
        || e->kind == EXPR_RESET)
        return false;
    if (!control_is_operation(e))
        return true;
    ExprList operands = control_operands(l->arena, e);
    for (size_t i = 0; i < operands.len; i++)
        if (acts_in_front(l, operands.at[i]))
            return true;
    return false;
}

// ---- nodes ----

static const Expr *name_at(Lower *l, Span at, Sym name)
{
    return expr_name(l->arena, at, name, EXPR_CONTEXT_LOAD);
}

static ExprList one(Lower *l, const Expr *e)
{
    const Expr **at = ARENA_NEW(l->arena, const Expr *);
    *at = e;
    return (ExprList){at, 1};
}

static const Expr *call1(Lower *l, const char *function, const Expr *arg)
{
    return expr_call(l->arena, arg->at, name_at(l, arg->at, function), one(l, arg),
                     (KeywordList){0});
}

static const Expr *method(Lower *l, const Expr *base, const char *name, const Expr *arg)
{
    const Expr *func = expr_attribute(l->arena, base->at, base, name, EXPR_CONTEXT_LOAD);
    ExprList args = arg != NULL ? one(l, arg) : (ExprList){0};
    return expr_call(l->arena, base->at, func, args, (KeywordList){0});
}

static void put(Lower *l, const Stmt *s) { vec_push(l->arena, l->out, s); }

static StmtList block(Lower *l, Span at, const Expr *e, Want want)
{
    Stmts *outer = l->out, inner = {0};
    l->out = &inner;
    put_term(l, e, want);
    if (inner.len == 0)
        put(l, stmt_pass(l->arena, at));
    l->out = outer;
    return (StmtList){inner.at, inner.len};
}

static void define(Lower *l, Span at, Sym name, const Arguments *args, const Expr *body)
{
    put(l, stmt_function_def(l->arena, at, name, args, block(l, at, body, (Want){0}),
                             (ExprList){0}, NULL, (TypeParamList){0}));
}

static void assign(Lower *l, Sym name, const Expr *e)
{
    const Expr *target = expr_name(l->arena, e->at, name, EXPR_CONTEXT_STORE);
    put(l, stmt_assign(l->arena, e->at, one(l, target), e));
}

static const Arguments *parameters(Lower *l, Span at, Sym name)
{
    const Arg **args = ARENA_NEW(l->arena, const Arg *);
    size_t n = 0;
    if (name != NULL)
        args[n++] = arg_new(l->arena, at, name, NULL);
    return arguments_new(l->arena, (ArgList){0}, (ArgList){args, n}, NULL, (ArgList){0},
                         (ExprList){0}, NULL, (ExprList){0});
}

// ---- expressions ----

// `shift(lambda k: body)`, or of a function defined in front.
static const Expr *delimited(Lower *l, const char *function, const char *base, Span at, Sym k,
                             const Expr *body)
{
    const Arguments *args = parameters(l, at, k);
    if (is_simple(l, body))
        return call1(l, function, expr_lambda(l->arena, at, args, value(l, body)));
    Sym name = fresh(l, base);
    define(l, at, name, args, body);
    return call1(l, function, name_at(l, at, name));
}

// `Put(r, Get(r) + e)`: e; else NULL.
static const Expr *added(const Expr *e)
{
    const Expr *sum = e->put.value;
    bool adds = sum->kind == EXPR_BIN_OP && sum->bin_op.op == OPERATOR_ADD
                && sum->bin_op.left->kind == EXPR_GET
                && ir_equal_expr(sum->bin_op.left->get.ref, e->put.ref);
    return adds ? sum->bin_op.right : NULL;
}

// The operands of an operation as expressions; what they take goes in front.
static const Expr *const *operand_values(Lower *l, ExprList operands)
{
    const Expr **at = ARENA_ARRAY(l->arena, const Expr *, operands.len + 1);
    size_t last = 0;
    for (size_t i = 0; i < operands.len; i++)
        if (acts_in_front(l, operands.at[i]))
            last = i;
    for (size_t i = 0; i < operands.len; i++) {
        at[i] = value(l, operands.at[i]);
        if (i < last && !control_is_atom(at[i])) {
            Sym name = fresh(l, "t");
            assign(l, name, at[i]);
            at[i] = name_at(l, at[i]->at, name);
        }
    }
    return at;
}

static const Expr *operation(Lower *l, const Expr *e)
{
    if (e->kind == EXPR_PUT && added(e) != NULL) {
        const Expr *both[] = {e->put.ref, added(e)};
        const Expr *const *o = operand_values(l, (ExprList){both, 2});
        return method(l, o[0], "add", o[1]);
    }
    const Expr *const *o = operand_values(l, control_operands(l->arena, e));
    if (e->kind == EXPR_INJECT)
        return call1(l, e->inject.right ? "Inr" : "Inl", o[0]);
    if (e->kind == EXPR_REF)
        return call1(l, "Ref", o[0]);
    if (e->kind == EXPR_GET)
        return method(l, o[0], "get", NULL);
    if (e->kind == EXPR_PUT)
        return method(l, o[0], "set", o[1]);
    return control_rebuild(l->arena, e, o);
}

static const Expr *in_variable(Lower *l, const Expr *e, const char *base)
{
    Sym name = fresh(l, base);
    put_term(l, e, (Want){WANT_NAME, name});
    return name_at(l, e->at, name);
}

static const Expr *value(Lower *l, const Expr *e)
{
    if (e->kind == EXPR_SHIFT)
        return delimited(l, "shift", "handler", e->at, e->shift.k, e->shift.body);
    if (e->kind == EXPR_RESET)
        return delimited(l, "reset", "body", e->at, NULL, e->reset.body);
    if (control_is_operation(e))
        return operation(l, e);
    bool simple = is_simple(l, e);
    if (e->kind == EXPR_LAMBDA && simple)
        return expr_lambda(l->arena, e->at, e->lambda.args, value(l, e->lambda.body));
    if (e->kind == EXPR_IF_EXP && simple)
        return expr_if_exp(l->arena, e->at, value(l, e->if_exp.test), value(l, e->if_exp.body),
                           value(l, e->if_exp.orelse));
    if (e->kind == EXPR_LAMBDA) {
        Sym name = fresh(l, "k");
        define(l, e->at, name, e->lambda.args, e->lambda.body);
        return name_at(l, e->at, name);
    }
    return simple ? e : in_variable(l, e, "v");
}

// ---- statements ----

static void bind(Lower *l, Sym name, const Expr *e)
{
    if (strcmp(name, "_") == 0)
        put_term(l, e, (Want){WANT_NOTHING, NULL});
    else if (e->kind == EXPR_LAMBDA && !is_simple(l, e))
        define(l, e->at, name, e->lambda.args, e->lambda.body);
    else
        put_term(l, e, (Want){WANT_NAME, name});
}

static const Pattern *injected(Lower *l, Span at, const char *class_, Sym name)
{
    const Pattern **parts = ARENA_NEW(l->arena, const Pattern *);
    *parts = pattern_match_as(l->arena, at, NULL, name);
    return pattern_match_class(l->arena, at, name_at(l, at, class_), (PatternList){parts, 1},
                               (SymList){0}, (PatternList){0});
}

static void put_case(Lower *l, const Expr *e, Want want)
{
    const Expr *subject = value(l, e->case_.value);
    const MatchCase **cases = ARENA_ARRAY(l->arena, const MatchCase *, 2);
    cases[0] = match_case_new(l->arena, injected(l, e->at, "Inl", e->case_.left), NULL,
                              block(l, e->at, e->case_.on_left, want));
    cases[1] = match_case_new(l->arena, injected(l, e->at, "Inr", e->case_.right), NULL,
                              block(l, e->at, e->case_.on_right, want));
    put(l, stmt_match(l->arena, e->at, subject, (MatchCaseList){cases, 2}));
}

static void put_if(Lower *l, const Expr *e, Want want)
{
    const Expr *test = value(l, e->if_exp.test);
    StmtList body = block(l, e->at, e->if_exp.body, want);
    put(l, stmt_if(l->arena, e->at, test, body, block(l, e->at, e->if_exp.orelse, want)));
}

// `o.__setitem__(i, v)` and `setattr(o, "f", v)` are what they are short for.
static const Stmt *stored(Lower *l, const Expr *e)
{
    if (e->kind != EXPR_CALL || e->call.keywords.len > 0)
        return NULL;
    const Expr *func = e->call.func, *const *args = e->call.args.at;
    const Expr *target = NULL;
    if (func->kind == EXPR_ATTRIBUTE && strcmp(func->attribute.attr, "__setitem__") == 0)
        target = expr_subscript(l->arena, e->at, func->attribute.value, args[0],
                                EXPR_CONTEXT_STORE);
    if (func->kind == EXPR_NAME && strcmp(func->name.id, "setattr") == 0
        && e->call.args.len == 3 && args[1]->kind == EXPR_CONSTANT)
        target = expr_attribute(l->arena, e->at, args[0], args[1]->constant.value->text.at,
                                EXPR_CONTEXT_STORE);
    if (target == NULL)
        return NULL;
    return stmt_assign(l->arena, e->at, one(l, target), args[e->call.args.len - 1]);
}

static void finish(Lower *l, const Expr *e, Want want)
{
    bool acts = !control_is_atom(e);
    const Stmt *store = want.kind != WANT_NAME ? stored(l, e) : NULL;
    if (store != NULL)
        put(l, store);
    else if (want.kind == WANT_NAME)
        assign(l, want.name, e);
    else if (want.kind == WANT_RETURN)
        put(l, stmt_return(l->arena, e->at, e));
    else if (acts)
        put(l, stmt_expr(l->arena, e->at, e));
}

static void put_term(Lower *l, const Expr *e, Want want)
{
    while (e->kind == EXPR_LET || e->kind == EXPR_LET_REC) {
        if (e->kind == EXPR_LET) {
            bind(l, e->let.name, e->let.value);
            e = e->let.body;
        } else {
            define(l, e->at, e->let_rec.name, e->let_rec.args, e->let_rec.value);
            e = e->let_rec.body;
        }
    }
    if (e->kind == EXPR_CASE)
        put_case(l, e, want);
    else if (e->kind == EXPR_IF_EXP && (!is_simple(l, e) || want.kind == WANT_NOTHING))
        put_if(l, e, want);
    else if (e->kind == EXPR_PUT && want.kind == WANT_RETURN)
        finish(l, value(l, e), (Want){WANT_NOTHING, NULL});     // its value is nobody's
    else
        finish(l, value(l, e), want);
}

// ---- units ----

static StmtList lowered(Lower *l, StmtList body);

static const Stmt *lowered_def(Lower *l, const Stmt *s)
{
    if (s->kind == STMT_CLASS_DEF)
        return stmt_class_def(l->arena, s->at, s->class_def.name, s->class_def.bases,
                              s->class_def.keywords, lowered(l, s->class_def.body),
                              s->class_def.decorator_list, s->class_def.type_params);
    return stmt_function_def(l->arena, s->at, s->function_def.name, s->function_def.args,
                             lowered(l, s->function_def.body), s->function_def.decorator_list,
                             s->function_def.returns, s->function_def.type_params);
}

static void put_lowered(Lower *l, const Stmt *s)
{
    const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : NULL;
    if (!(ir_tags_of_stmt(s) & IR_CONTROL))
        put(l, s);
    else if (s->kind == STMT_RETURN)
        put_term(l, s->return_.value, (Want){WANT_RETURN, NULL});
    else if (s->kind == STMT_EXPR)
        put_term(l, s->expr.value, (Want){WANT_NOTHING, NULL});
    else if (target != NULL && target->kind == EXPR_NAME)
        bind(l, target->name.id, s->assign.value);
    else if (s->kind == STMT_FUNCTION_DEF || s->kind == STMT_CLASS_DEF)
        put(l, lowered_def(l, s));
    else if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.value != NULL)
        put(l, stmt_ann_assign(l->arena, s->at, s->ann_assign.target, s->ann_assign.annotation,
                               value(l, s->ann_assign.value), s->ann_assign.simple));
    else
        put(l, s);
}

static StmtList lowered(Lower *l, StmtList body)
{
    Stmts *outer = l->out, inner = {0};
    l->out = &inner;
    for (size_t i = 0; i < body.len; i++)
        put_lowered(l, body.at[i]);
    l->out = outer;
    return (StmtList){inner.at, inner.len};
}

const Unit *control_as_python(Arena *a, const Unit *unit)
{
    if (unit->kind != UNIT_MODULE || !(ir_tags_of_unit(unit) & IR_CONTROL))
        return unit;
    Lower l = {.arena = a, .used = table_new(a)};
    IrWalker w = {.cx = &l, .expr = use_expr, .arg = use_arg};
    ir_walk_unit(&w, unit);
    return unit_module(a, lowered(&l, unit->module.body));
}
