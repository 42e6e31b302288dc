// cps.c - the modes `cps` and `reverse-cps`: |[e]| K, with K a function of the compiler that is
// given the term of e's value and answers the rest of the program. Every rule uses K at most once,
// so that the result is linear in the program.

#include "compiler/pass/ad/mode_internal.h"

typedef struct Kont Kont;
struct Kont {
    const Expr *(*run)(Modes *m, Kont *k, const Expr *value);
};

static const Expr *cps(Modes *m, const Expr *e, Kont *k);

// ---- K from a continuation of the program, and the other way ----

typedef struct CallKont { Kont kont; Sym k; } CallKont;

static const Expr *run_call(Modes *m, Kont *kont, const Expr *value)
{
    Sym k = ((CallKont *)kont)->k;
    return k == NULL ? value : mode_apply1(m, mode_name_of(m, value->at, k), value);
}

// ^\m. k m; for no k: ^\m. m
const Expr *cps_term(Modes *m, const Expr *e, Sym k)
{
    CallKont call = {{run_call}, k};
    return cps(m, e, &call.kont);
}

// \a. K a
static const Expr *reified(Modes *m, Span at, Kont *k)
{
    Sym a = mode_fresh(m, "a");
    return mode_contracted(m, a, k->run(m, k, mode_name_of(m, at, a)));
}

// ---- operations ----

typedef struct OperandKont {
    Kont kont, *next;
    const Expr *e;
    Work work;
    ExprList operands;
    const Expr **values;
    size_t at;
} OperandKont;

static const Expr *finish(Modes *m, OperandKont *o)
{
    if (o->work == WORK_REAL) {
        RealOperator op = mode_operator(m, o->e);
        const Expr *rest = o->next->run(m, o->next, mode_name_of(m, o->e->at, op.result));
        return operator_lets(m, &op, o->values, operator_reverse(m, &op, rest));
    }
    if (o->work != WORK_APPLY)
        return o->next->run(m, o->next, o->work == WORK_READ
                                            ? operator_read(m, o->e, o->values)
                                            : control_rebuild(m->arena, o->e, o->values));
    o->values[o->operands.len] = reified(m, o->e->at, o->next);
    return mode_apply(m, o->values[0], o->operands.len, o->values + 1);
}

static const Expr *next_operand(Modes *m, OperandKont *o)
{
    return o->at == o->operands.len ? finish(m, o) : cps(m, o->operands.at[o->at], &o->kont);
}

static const Expr *run_operand(Modes *m, Kont *kont, const Expr *value)
{
    OperandKont *o = (OperandKont *)kont;
    o->values[o->at++] = value;
    return next_operand(m, o);
}

static const Expr *operation(Modes *m, const Expr *e, Kont *k)
{
    OperandKont o = {.kont = {run_operand}, .next = k, .e = e, .work = mode_work(m, e),
                     .operands = control_operands(m->arena, e)};
    o.values = ARENA_ARRAY(m->arena, const Expr *, o.operands.len + 1);
    return next_operand(m, &o);
}

// ---- binders and branches ----

typedef struct TermKont { Kont kont, *next; const Expr *e; } TermKont;

static const Expr *run_let(Modes *m, Kont *kont, const Expr *value)
{
    const TermKont *t = (const TermKont *)kont;
    if (value->kind == EXPR_NAME) {
        table_set(m->instead, t->e->let.name, (void *)value);
        return cps(m, t->e->let.body, t->next);
    }
    return mode_let(m, t->e->let.name, value, cps(m, t->e->let.body, t->next));
}

static const Expr *lambda(Modes *m, const Expr *e)
{
    Sym k = mode_fresh(m, "k");
    const Arguments *args = mode_parameter(m, e->lambda.args, k);
    return expr_lambda(m->arena, e->at, args, cps_term(m, e->lambda.body, k));
}

static const Expr *let_rec(Modes *m, const Expr *e, Kont *k)
{
    Sym k1 = mode_fresh(m, "k");
    const Arguments *args = mode_parameter(m, e->let_rec.args, k1);
    const Expr *value = cps_term(m, e->let_rec.value, k1);
    return expr_let_rec(m->arena, e->at, e->let_rec.name, args, value,
                        cps(m, e->let_rec.body, k));
}

// let k = (\a. K a) in case v of ..: of a K that is a name already, nothing is bound.
static const Expr *run_branch(Modes *m, Kont *kont, const Expr *value)
{
    const TermKont *t = (const TermKont *)kont;
    const Expr *e = t->e, *made, *join = reified(m, e->at, t->next);
    Sym k = join->kind == EXPR_NAME ? join->name.id : mode_fresh(m, "k");
    if (e->kind == EXPR_IF_EXP) {
        const Expr *body = cps_term(m, e->if_exp.body, k);
        made = expr_if_exp(m->arena, e->at, value, body, cps_term(m, e->if_exp.orelse, k));
    } else {
        const Expr *left = cps_term(m, e->case_.on_left, k);
        made = expr_case(m->arena, e->at, value, e->case_.left, left, e->case_.right,
                         cps_term(m, e->case_.on_right, k));
    }
    return join->kind == EXPR_NAME ? made : mode_let(m, k, join, made);
}

// let k = (\a, k1. k1 (K a)) in |[e]| (^\m. m)
static const Expr *shift(Modes *m, const Expr *e, Kont *k)
{
    Sym a = mode_fresh(m, "a"), k1 = mode_fresh(m, "k");
    const Expr *rest = k->run(m, k, mode_name_of(m, e->at, a));
    const Expr *body = mode_apply1(m, mode_name_of(m, e->at, k1), rest);
    const Arguments *args = mode_parameter(m, mode_parameter(m, NULL, a), k1);
    return mode_let(m, e->shift.k, expr_lambda(m->arena, e->at, args, body),
                    cps_term(m, e->shift.body, NULL));
}

static const Expr *cps(Modes *m, const Expr *e, Kont *k)
{
    TermKont let = {{run_let}, k, e}, branch = {{run_branch}, k, e};
    if (control_is_atom(e))
        return k->run(m, k, mode_atom(m, e));
    if (e->kind == EXPR_LAMBDA)
        return k->run(m, k, lambda(m, e));
    if (e->kind == EXPR_LET)
        return cps(m, e->let.value, &let.kont);
    if (e->kind == EXPR_LET_REC)
        return let_rec(m, e, k);
    if (e->kind == EXPR_CASE)
        return cps(m, e->case_.value, &branch.kont);
    if (e->kind == EXPR_IF_EXP)
        return cps(m, e->if_exp.test, &branch.kont);
    if (e->kind == EXPR_SHIFT)
        return shift(m, e, k);
    if (e->kind == EXPR_RESET)
        return k->run(m, k, cps_term(m, e->reset.body, NULL));
    return operation(m, e, k);
}
