// cps_meta.c - the modes `cps-meta` and `reverse-cps-meta`: the translation in direct style, with
// shift and reset in the translator. C has neither, so the translator is a machine whose context
// is data: a stack of pending steps. A static reset pushes a mark; a static shift takes the steps
// above the nearest mark away, and to call what it took is a reset that begins with these steps.

#include "compiler/pass/ad/mode_internal.h"

typedef struct Step Step;
typedef struct Machine Machine;

// What the machine does next: translate a term, or give a translation to the step on top.
typedef struct Todo { bool translated; const Expr *e; } Todo;

typedef Todo StepFn(Machine *x, Step *s, const Expr *value);

typedef struct Cut { Step **at; size_t len; } Cut;      // what a static shift took

struct Step {
    StepFn *run;
    const Expr *e;              // the term that waits
    Cut     k;
    Work    work;               // of an operation, and how far it is
    ExprList operands;
    const Expr **values;
    size_t  at;
    Sym     name;               // a continuation, and what it stands for
    const Expr *join;
};

struct Machine {
    Modes *m;
    Step **at;                  // NULL: a mark
    size_t len, cap;
};

static void push(Machine *x, Step *s) { vec_push(x->m->arena, x, s); }

static Step *new_step(Machine *x, StepFn *run, const Expr *e)
{
    Step *s = ARENA_NEW(x->m->arena, Step);
    *s = (Step){.run = run, .e = e};
    return s;
}

static Todo translate(const Expr *e) { return (Todo){false, e}; }
static Todo answer(const Expr *e) { return (Todo){true, e}; }

static Todo begin(Machine *x, const Expr *e);

// ---- static reset and shift ----

// ^<k T>
static const Expr *delimited(Machine *x, Cut k, Todo todo)
{
    push(x, NULL);
    for (size_t i = 0; i < k.len; i++)
        push(x, k.at[i]);
    for (;;) {
        if (!todo.translated) {
            todo = begin(x, todo.e);
            continue;
        }
        Step *s = x->at[--x->len];
        if (s == NULL)
            return todo.e;
        todo = s->run(x, s, todo.e);
    }
}

static Cut cut(Machine *x)
{
    size_t mark = x->len;
    while (x->at[mark - 1] != NULL)
        mark--;
    Cut k = {ARENA_ARRAY(x->m->arena, Step *, x->len - mark + 1), x->len - mark};
    for (size_t i = 0; i < k.len; i++)
        k.at[i] = x->at[mark + i];
    x->len = mark;
    return k;
}

// \a. ^<k a>
static const Expr *reified(Machine *x, Span at, Cut k)
{
    Sym a = mode_fresh(x->m, "a");
    return mode_contracted(x->m, a, delimited(x, k, answer(mode_name_of(x->m, at, a))));
}

static Todo run_call(Machine *x, Step *s, const Expr *value)
{
    return answer(mode_apply1(x->m, mode_name_of(x->m, value->at, s->name), value));
}

// ^<k |[e]|>, for no k: ^<|[e]|>
const Expr *cps_meta_term(Modes *m, const Expr *e, Sym k)
{
    Machine x = {.m = m};
    Step call = {.run = run_call, .name = k}, *only = &call;
    return delimited(&x, (Cut){&only, k != NULL}, translate(e));
}

static const Expr *called(Machine *x, const Expr *e, Sym k)
{
    Step *only = new_step(x, run_call, NULL);
    only->name = k;
    return delimited(x, (Cut){&only, 1}, translate(e));
}

// ---- operations ----

static Todo finish(Machine *x, Step *s)
{
    Modes *m = x->m;
    if (s->work == WORK_REAL) {
        RealOperator o = mode_operator(m, s->e);
        const Expr *result = mode_name_of(m, s->e->at, o.result);
        const Expr *rest = delimited(x, s->k, answer(result));
        return answer(operator_lets(m, &o, s->values, operator_reverse(m, &o, rest)));
    }
    if (s->work == WORK_READ)
        return answer(operator_read(m, s->e, s->values));
    if (s->work == WORK_STRUCTURE)
        return answer(control_rebuild(m->arena, s->e, s->values));
    s->values[s->operands.len] = reified(x, s->e->at, s->k);
    return answer(mode_apply(m, s->values[0], s->operands.len, s->values + 1));
}

static Todo next_operand(Machine *x, Step *s)
{
    if (s->at == s->operands.len)
        return finish(x, s);
    push(x, s);
    return translate(s->operands.at[s->at]);
}

static Todo run_operand(Machine *x, Step *s, const Expr *value)
{
    s->values[s->at++] = value;
    return next_operand(x, s);
}

static Todo operation(Machine *x, const Expr *e)
{
    Step *s = new_step(x, run_operand, e);
    s->work = mode_work(x->m, e);
    s->operands = control_operands(x->m->arena, e);
    s->values = ARENA_ARRAY(x->m->arena, const Expr *, s->operands.len + 1);
    if (s->work == WORK_APPLY || s->work == WORK_REAL)
        s->k = cut(x);
    return next_operand(x, s);
}

// ---- binders and branches ----

static Todo lambda(Machine *x, const Expr *e)
{
    Sym k = mode_fresh(x->m, "k");
    const Arguments *args = mode_parameter(x->m, e->lambda.args, k);
    return answer(expr_lambda(x->m->arena, e->at, args, called(x, e->lambda.body, k)));
}

static Todo run_let(Machine *x, Step *s, const Expr *value)
{
    Sym name = s->e->let.name;
    bool renames = value->kind == EXPR_NAME;
    if (renames)
        table_set(x->m->instead, name, (void *)value);
    const Expr *body = delimited(x, s->k, translate(s->e->let.body));
    return answer(renames ? body : mode_let(x->m, name, value, body));
}

static Todo let(Machine *x, const Expr *e)
{
    Step *s = new_step(x, run_let, e);
    s->k = cut(x);
    push(x, s);
    return translate(e->let.value);
}

static Todo let_rec(Machine *x, const Expr *e)
{
    Cut k = cut(x);
    Sym k1 = mode_fresh(x->m, "k");
    const Arguments *args = mode_parameter(x->m, e->let_rec.args, k1);
    const Expr *value = called(x, e->let_rec.value, k1);
    const Expr *body = delimited(x, k, translate(e->let_rec.body));
    return answer(expr_let_rec(x->m->arena, e->at, e->let_rec.name, args, value, body));
}

static Todo run_join(Machine *x, Step *s, const Expr *value)
{
    return answer(mode_let(x->m, s->name, s->join, value));
}

static Todo run_branch(Machine *x, Step *s, const Expr *value)
{
    const Expr *e = s->e;
    if (e->kind == EXPR_IF_EXP) {
        const Expr *body = called(x, e->if_exp.body, s->name);
        const Expr *orelse = called(x, e->if_exp.orelse, s->name);
        return answer(expr_if_exp(x->m->arena, e->at, value, body, orelse));
    }
    const Expr *left = called(x, e->case_.on_left, s->name);
    const Expr *right = called(x, e->case_.on_right, s->name);
    return answer(expr_case(x->m->arena, e->at, value, e->case_.left, left, e->case_.right,
                            right));
}

// ^shift k in let k1 = \a. ^<k a> in case |[e]| of ..
static Todo branch(Machine *x, const Expr *e)
{
    const Expr *join = reified(x, e->at, cut(x));
    Step *binds = new_step(x, run_join, e), *s = new_step(x, run_branch, e);
    s->name = join->kind == EXPR_NAME ? join->name.id : mode_fresh(x->m, "k");
    binds->name = s->name;
    binds->join = join;
    if (join->kind != EXPR_NAME)
        push(x, binds);
    push(x, s);
    return translate(e->kind == EXPR_CASE ? e->case_.value : e->if_exp.test);
}

// ^shift k1 in let k = (\v, k2. k2 ^<k1 v>) in ^<|[e]|>
static Todo shift(Machine *x, const Expr *e)
{
    Modes *m = x->m;
    Sym a = mode_fresh(m, "a"), k1 = mode_fresh(m, "k");
    const Expr *rest = delimited(x, cut(x), answer(mode_name_of(m, e->at, a)));
    const Expr *body = mode_apply1(m, mode_name_of(m, e->at, k1), rest);
    const Arguments *args = mode_parameter(m, mode_parameter(m, NULL, a), k1);
    return answer(mode_let(m, e->shift.k, expr_lambda(m->arena, e->at, args, body),
                           delimited(x, (Cut){0}, translate(e->shift.body))));
}

static Todo begin(Machine *x, const Expr *e)
{
    if (control_is_atom(e))
        return answer(mode_atom(x->m, e));
    if (e->kind == EXPR_LAMBDA)
        return lambda(x, e);
    if (e->kind == EXPR_LET)
        return let(x, e);
    if (e->kind == EXPR_LET_REC)
        return let_rec(x, e);
    if (e->kind == EXPR_CASE || e->kind == EXPR_IF_EXP)
        return branch(x, e);
    if (e->kind == EXPR_SHIFT)
        return shift(x, e);
    if (e->kind == EXPR_RESET)
        return answer(delimited(x, (Cut){0}, translate(e->reset.body)));
    return operation(x, e);
}
