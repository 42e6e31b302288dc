// mode_make.c - nodes of terms, and operators of reals in the four modes that differentiate.

#include "compiler/pass/ad/mode_internal.h"

#include <stdio.h>

// ---- nodes ----

const Expr *mode_name_of(Modes *m, Span at, Sym name)
{
    return expr_name(m->arena, at, name, EXPR_CONTEXT_LOAD);
}

ExprList mode_list(Modes *m, size_t n, const Expr *const *at)
{
    const Expr **copy = ARENA_ARRAY(m->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = at[i];
    return (ExprList){copy, n};
}

const Expr *mode_let(Modes *m, Sym name, const Expr *value, const Expr *body)
{
    return expr_let(m->arena, value->at, name, value, body);
}

const Expr *mode_then(Modes *m, const Expr *first, const Expr *next)
{
    return mode_let(m, names_get(m->names, "_"), first, next);
}

const Expr *mode_apply(Modes *m, const Expr *f, size_t n, const Expr *const *args)
{
    return expr_call(m->arena, f->at, f, mode_list(m, n, args), (KeywordList){0});
}

const Expr *mode_apply1(Modes *m, const Expr *f, const Expr *arg)
{
    return mode_apply(m, f, 1, &arg);
}

const Arguments *mode_parameter(Modes *m, const Arguments *before, Sym name)
{
    size_t n = before != NULL ? before->args.len : 0;
    const Arg **args = ARENA_ARRAY(m->arena, const Arg *, n + 1);
    for (size_t i = 0; i < n; i++)
        args[i] = before->args.at[i];
    args[n] = arg_new(m->arena, (Span){0, 0}, name, NULL);
    return arguments_new(m->arena, (ArgList){0}, (ArgList){args, n + 1}, NULL, (ArgList){0},
                         (ExprList){0}, NULL, (ExprList){0});
}

const Expr *mode_lambda1(Modes *m, Sym name, const Expr *body)
{
    return expr_lambda(m->arena, body->at, mode_parameter(m, NULL, name), body);
}

const Expr *mode_pair(Modes *m, const Expr *first, const Expr *second)
{
    const Expr *both[] = {first, second};
    return expr_tuple(m->arena, first->at, mode_list(m, 2, both), EXPR_CONTEXT_LOAD);
}

const Expr *mode_part(Modes *m, const Expr *e, int i)
{
    Text digit = {i == 0 ? "0" : "1", 1};
    const Expr *index = expr_constant(m->arena, e->at, const_int(m->arena, digit), NULL);
    return expr_subscript(m->arena, e->at, e, index, EXPR_CONTEXT_LOAD);
}

const Expr *mode_zero(Modes *m, Span at)
{
    return expr_constant(m->arena, at, const_float(m->arena, 0.0), NULL);
}

const Expr *mode_lifted(Modes *m, const Expr *e)
{
    const Expr *zero = mode_zero(m, e->at);
    return mode_pair(m, e, m->mode == MODE_FORWARD ? zero : expr_ref(m->arena, e->at, zero));
}

const Expr *mode_contracted(Modes *m, Sym y, const Expr *body)
{
    bool calls = body->kind == EXPR_CALL && body->call.func->kind == EXPR_NAME
                 && body->call.args.len == 1 && body->call.keywords.len == 0
                 && body->call.args.at[0]->kind == EXPR_NAME;
    if (calls && body->call.args.at[0]->name.id == y && body->call.func->name.id != y
        && table_get(m->bound, body->call.func->name.id) != NULL)
        return body->call.func;
    return mode_lambda1(m, y, body);
}

const Expr *mode_atom(Modes *m, const Expr *e)
{
    if (e->kind == EXPR_NAME) {
        const Expr *name = table_get(m->instead, e->name.id);
        return name != NULL ? name : e;
    }
    // None in place of a float is not a pair.
    bool none = e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE;
    return mode_differentiates(m->mode) && kinds_real(m->kinds, e) && !none ? mode_lifted(m, e) : e;
}

// ---- what an operation does with its operands ----

// A list of floats and the like: no partial is by it.
static bool any_structure(Modes *m, ExprList operands)
{
    for (size_t i = 0; i < operands.len; i++)
        if (kinds_holds_real(m->kinds, operands.at[i]) && !kinds_real(m->kinds, operands.at[i]))
            return true;
    return false;
}

static bool any_real(Modes *m, ExprList operands, bool inside)
{
    for (size_t i = 0; i < operands.len; i++)
        if (inside ? kinds_holds_real(m->kinds, operands.at[i])
                   : kinds_real(m->kinds, operands.at[i]))
            return true;
    return false;
}

// The name of a primitive in partial.def; NULL: it is none.
static const char *primitive(Modes *m, const Expr *e)
{
    if (e->kind == EXPR_BIN_OP)
        return partial_of_operator(e->bin_op.op);
    if (e->kind == EXPR_UNARY_OP)
        return partial_of_unary(e->unary_op.op);
    if (e->kind != EXPR_CALL)
        return NULL;
    const Expr *f = e->call.func;
    if (f->kind == EXPR_NAME)
        return f->name.id;
    bool of_module = f->kind == EXPR_ATTRIBUTE && f->attribute.value->kind == EXPR_NAME;
    return of_module ? names_format(m->names, "%s.%s", f->attribute.value->name.id,
                                    f->attribute.attr) : NULL;
}

static bool makes_instance(const Expr *f)
{
    const Ty *result = f->ty != NULL && f->ty->kind == TY_CALLABLE ? f->ty->callable.result : NULL;
    return result != NULL && result->kind == TY_NAMED && result->named.name == f->name.id;
}

// `x is None`, also where x may be a float.
static bool is_identity(const Expr *e)
{
    Cmpop op = e->compare.ops.at[0];
    return e->compare.ops.len == 1 && (op == CMPOP_IS || op == CMPOP_IS_NOT);
}

static bool is_structure(const Expr *e)
{
    static const char *const known[] = {"len", "isinstance", "list", "tuple", "range", "setattr",
                                        "reversed", "enumerate", "zip", NULL};
    static const char *const conversions[] = {"float", "int", "bool", "str", NULL};
    if (e->kind == EXPR_COMPARE && is_identity(e))
        return true;
    if (e->kind == EXPR_COMPARE || e->kind == EXPR_BIN_OP || e->kind == EXPR_UNARY_OP)
        return false;
    if (e->kind != EXPR_CALL)
        return true;
    const Expr *f = e->call.func;
    if (f->kind == EXPR_NAME)
        return sym_is_one_of(f->name.id, known)
               || (makes_instance(f) && !sym_is_one_of(f->name.id, conversions));
    const Ty *base = f->attribute.value->ty;
    return base != NULL && base->kind == TY_NAMED && sym_is(base->named.name, "list");
}

static void refuse(Modes *m, const Expr *e, const char *what)
{
    Diag *d = diag_report(m->diags, e->at, DIAG_GRAD_CONSTRUCT,
                          "mode `%s` does not support the derivative of %s", mode_name(m->mode),
                          what);
    diag_help(d, "use operators, functions of `math`, or functions that this module defines");
}

// The row of a primitive with real operands; NULL: there is none, and it has been said.
static const Partial *partial_of(Modes *m, const Expr *e)
{
    ExprList o = control_operands(m->arena, e);
    const char *name = primitive(m, e);
    size_t n = o.len - (e->kind == EXPR_CALL);
    const Partial *p = name != NULL ? partial_find(m->partials, name, n) : NULL;
    bool known = p != NULL && (p->kind == PARTIAL_ARGUMENTS || p->kind == PARTIAL_EACH);
    if (!known)
        refuse(m, e, name != NULL ? names_format(m->names, "`%s`", name) : "this expression");
    return known ? p : NULL;
}

static const Ty *structure_type(Modes *m, ExprList operands)
{
    size_t i = 0;
    while (!kinds_holds_real(m->kinds, operands.at[i]) || kinds_real(m->kinds, operands.at[i]))
        i++;
    return operands.at[i]->ty;
}

static bool is_list(const Ty *ty)
{
    return ty != NULL && ty->kind == TY_NAMED && sym_is(ty->named.name, "list");
}

static bool is_tuple(const Ty *ty) { return ty != NULL && ty->kind == TY_TUPLE; }

static const char *structure_help(const Expr *e, bool has_length)
{
    bool calls_bool = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
                      && sym_is(e->call.func->name.id, "bool");
    if ((e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT) || calls_bool)
        return has_length ? "compare the length, as in `len(xs) == 0`, or use `--mode=reverse`"
                          : "compare the value with `None`, or use `--mode=reverse`";
    return e->kind == EXPR_COMPARE ? "compare single floats"
                                   : "compute the value from single floats";
}

// An operation on all floats of a list, a tuple or an object at once.
static void refuse_structure(Modes *m, const Expr *e, ExprList operands)
{
    const char *name = e->kind != EXPR_UNARY_OP ? primitive(m, e)
                       : e->unary_op.op == UNARYOP_NOT ? "not"
                       : e->unary_op.op == UNARYOP_U_SUB ? "-" : "+";
    const char *what = e->kind == EXPR_COMPARE ? "comparing"
                       : name != NULL ? names_format(m->names, "`%s` of", name)
                       : "this operation with";
    const Ty *ty = structure_type(m, operands);
    const char *structure = is_list(ty) ? "a list of floats" : is_tuple(ty) ? "a tuple of floats"
                            : "a value that contains floats";
    Diag *d = diag_report(m->diags, e->at, DIAG_GRAD_CONSTRUCT, "mode `%s` does not support %s %s",
                          mode_name(m->mode), what, structure);
    diag_help(d, "%s", structure_help(e, is_list(ty) || is_tuple(ty)));
}

Work mode_work(Modes *m, const Expr *e)
{
    if (mode_applies(m, e))
        return WORK_APPLY;
    if (!mode_differentiates(m->mode) || is_structure(e))
        return WORK_STRUCTURE;
    ExprList o = control_operands(m->arena, e);
    if (kinds_real(m->kinds, e)) {
        if (e->kind == EXPR_CALL && any_structure(m, o))
            refuse_structure(m, e, o);
        return WORK_REAL;
    }
    if (any_real(m, o, false))
        return WORK_READ;
    if (e->kind != EXPR_BIN_OP && any_real(m, o, true))
        refuse_structure(m, e, o);
    return WORK_STRUCTURE;
}

const Expr *operator_read(Modes *m, const Expr *e, const Expr *const *values)
{
    ExprList o = control_operands(m->arena, e);
    const Expr **at = ARENA_ARRAY(m->arena, const Expr *, o.len + 1);
    for (size_t i = 0; i < o.len; i++) {
        bool lifted = kinds_real(m->kinds, o.at[i]) && o.at[i]->kind != EXPR_CONSTANT;
        at[i] = lifted ? mode_part(m, values[i], 0) : values[i];
        at[i] = o.at[i]->kind == EXPR_CONSTANT ? o.at[i] : at[i];
    }
    return control_rebuild(m->arena, e, at);
}

// ---- operators of reals ----

RealOperator mode_operator(Modes *m, const Expr *e)
{
    RealOperator o = {.e = e, .operands = control_operands(m->arena, e),
                  .first = e->kind == EXPR_CALL};
    if (any_real(m, o.operands, false))
        o.partial = partial_of(m, e);
    o.names = ARENA_ARRAY(m->arena, Sym, o.operands.len + 1);
    for (size_t i = o.first; i < o.operands.len; i++)
        o.names[i] = mode_fresh(m, "y");
    o.result = mode_fresh(m, "z");
    return o;
}

static bool flows(const Modes *m, const RealOperator *o, size_t i)
{
    return kinds_real(m->kinds, o->operands.at[i]);
}

static const Expr *operand(Modes *m, const RealOperator *o, size_t i)
{
    return mode_name_of(m, o->operands.at[i]->at, o->names[i]);
}

static const Expr *half(Modes *m, const RealOperator *o, size_t i)
{
    return flows(m, o, i) ? mode_part(m, operand(m, o, i), 0) : operand(m, o, i);
}

const Expr *operator_values(Modes *m, const RealOperator *o)
{
    const Expr **at = ARENA_ARRAY(m->arena, const Expr *, o->operands.len + 1);
    for (size_t i = 0; i < o->operands.len; i++)
        at[i] = i < o->first ? o->operands.at[i] : half(m, o, i);
    return control_rebuild(m->arena, o->e, at);
}

const Expr *operator_lets(Modes *m, const RealOperator *o, const Expr *const *values,
                          const Expr *body)
{
    for (size_t i = o->operands.len; i-- > o->first;)
        body = mode_let(m, o->names[i], values[i], body);
    return body;
}

static void note_helper(Modes *m, const char *helper)
{
    if (helper != NULL)
        table_set(m->helpers, names_get(m->names, helper), m);
}

// The partial for operand i; NULL: nothing flows.
static const Expr *partial(Modes *m, const RealOperator *o, size_t i, const Expr *result)
{
    const Partial *p = o->partial;
    if (p == NULL || !flows(m, o, i))
        return NULL;
    PartialUse use = {.at = o->e->at, .result = result};
    size_t k = p->kind == PARTIAL_EACH ? 0 : i - o->first;
    if (p->kind == PARTIAL_EACH)
        use.argument[0] = half(m, o, i);
    for (size_t j = o->first; p->kind == PARTIAL_ARGUMENTS && j < o->operands.len; j++)
        use.argument[j - o->first] = half(m, o, j);
    if (p->of[k] != NULL)
        note_helper(m, p->helper[k]);
    return partial_with(m->partials, p, k, &use);
}

static const Expr *negated(Modes *m, const Expr *e)
{
    return expr_unary_op(m->arena, e->at, UNARYOP_U_SUB, e);
}

// A product with a partial: what is 1 is left out.
static const Expr *times(Modes *m, const Expr *cotangent, const Expr *p)
{
    if (partial_is_number(p, 1.0))
        return cotangent;
    if (partial_is_number(p, -1.0))
        return negated(m, cotangent);
    return expr_bin_op(m->arena, p->at, cotangent, OPERATOR_MULT, p);
}

const Expr *operator_reverse(Modes *m, const RealOperator *o, const Expr *rest)
{
    Span at = o->e->at;
    const Expr *result = mode_name_of(m, at, o->result), *adds = NULL;
    for (size_t i = o->operands.len; i-- > o->first;) {
        const Expr *p = partial(m, o, i, mode_part(m, result, 0));
        if (p == NULL)
            continue;
        const Expr *to = mode_part(m, operand(m, o, i), 1);
        const Expr *share = times(m, expr_get(m->arena, at, mode_part(m, result, 1)), p);
        const Expr *sum = expr_bin_op(m->arena, at, expr_get(m->arena, at, to), OPERATOR_ADD,
                                      share);
        const Expr *add = expr_put(m->arena, at, to, sum);
        adds = adds == NULL ? add : mode_then(m, add, adds);
    }
    if (adds != NULL)
        rest = mode_then(m, rest, adds);
    return mode_let(m, o->result, mode_lifted(m, operator_values(m, o)), rest);
}

// The factor that a partial is, if it is the value of another operand: else -1.
static int factor(Modes *m, const RealOperator *o, const Expr *p)
{
    for (size_t i = o->first; i < o->operands.len; i++)
        if (ir_equal_expr(p, half(m, o, i)))
            return (int)i;
    return -1;
}

static const Expr *added(Modes *m, const Expr *sum, const Expr *term)
{
    if (sum == NULL)
        return term;
    if (term->kind == EXPR_UNARY_OP && term->unary_op.op == UNARYOP_U_SUB)
        return expr_bin_op(m->arena, sum->at, sum, OPERATOR_SUB, term->unary_op.operand);
    return expr_bin_op(m->arena, sum->at, sum, OPERATOR_ADD, term);
}

// The terms of a sum and the factors of a term stand in the order of the operands, values before
// tangents, as in y1[0] * y2[1] + y1[1] * y2[0].
static const Expr *tangents(Modes *m, const RealOperator *o, const Expr *result)
{
    const Expr *early = NULL, *late = NULL;
    for (size_t i = o->first; i < o->operands.len; i++) {
        const Expr *p = partial(m, o, i, result);
        if (p == NULL)
            continue;
        const Expr *tangent = mode_part(m, operand(m, o, i), 1);
        int of = factor(m, o, p);
        if (of >= 0 && (size_t)of < i)
            early = added(m, early, expr_bin_op(m->arena, p->at, p, OPERATOR_MULT, tangent));
        else
            late = added(m, late, times(m, tangent, p));
    }
    if (early != NULL && late != NULL)
        return added(m, early, late);
    return early != NULL ? early : late != NULL ? late : mode_zero(m, o->e->at);
}

static bool reads_result(const RealOperator *o)
{
    const Partial *p = o->partial;
    for (size_t i = 0; p != NULL && i < PARTIAL_MAX; i++)
        if (partial_reads(p, i, 'r'))
            return true;
    return false;
}

const Expr *operator_forward(Modes *m, const RealOperator *o)
{
    const Expr *values = operator_values(m, o);
    if (!reads_result(o))
        return mode_pair(m, values, tangents(m, o, NULL));
    const Expr *result = mode_name_of(m, o->e->at, o->result);
    return mode_let(m, o->result, values, mode_pair(m, result, tangents(m, o, result)));
}
