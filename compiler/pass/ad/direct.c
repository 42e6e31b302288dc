// direct.c - the modes in direct style: identity, forward, and reverse with shift and reset. All
// but constants and operators of reals is mapped to itself.

#include "compiler/pass/ad/mode_internal.h"

static const Expr *child(void *m, const Expr *e) { return direct_term(m, e); }

static const Expr *const *children(Modes *m, ExprList list)
{
    const Expr **at = ARENA_ARRAY(m->arena, const Expr *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        at[i] = direct_term(m, list.at[i]);
    return at;
}

// shift k in let y = (y1 op y2, ref 0.0) in k y; ..
static const Expr *shifted(Modes *m, const RealOperator *o)
{
    Sym k = mode_fresh(m, "k");
    Span at = o->e->at;
    const Expr *rest = mode_apply1(m, mode_name_of(m, at, k), mode_name_of(m, at, o->result));
    return expr_shift(m->arena, at, k, operator_reverse(m, o, rest));
}

static const Expr *real_operator(Modes *m, const Expr *e)
{
    RealOperator o = mode_operator(m, e);
    const Expr *const *values = children(m, o.operands);
    const Expr *made = m->mode == MODE_FORWARD ? operator_forward(m, &o) : shifted(m, &o);
    return operator_lets(m, &o, values, made);
}

const Expr *direct_term(Modes *m, const Expr *e)
{
    if (e->kind == EXPR_CONSTANT)
        return mode_atom(m, e);
    if (!control_is_operation(e))
        return control_map(m->arena, e, child, m);
    Work work = mode_work(m, e);
    if (work == WORK_REAL)
        return real_operator(m, e);
    if (work == WORK_READ)
        return operator_read(m, e, children(m, control_operands(m->arena, e)));
    return control_map(m->arena, e, child, m);
}
