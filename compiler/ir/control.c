// control.c - the operands of operations. A form that is no term of the calculus is no operation.

#include "compiler/ir/control.h"

typedef Vec(const Expr *) Operands;

bool control_always(const Expr *test)
{
    if (test->kind == EXPR_PIN)
        test = test->pin.value;
    return test->kind == EXPR_CONSTANT && test->constant.value->kind == CONST_BOOL
           && test->constant.value->truth;
}

bool control_is_atom(const Expr *e)
{
    return e->kind == EXPR_NAME || e->kind == EXPR_CONSTANT;
}

bool control_is_operation(const Expr *e)
{
    switch (e->kind) {
    case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_COMPARE: case EXPR_CALL: case EXPR_ATTRIBUTE:
    case EXPR_SUBSCRIPT: case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE: case EXPR_INJECT:
    case EXPR_REF: case EXPR_GET: case EXPR_PUT:
        return true;
    EXPR_CASES_SUGAR:
    EXPR_CASES_SURFACE:
    EXPR_CASES_CHOREO:
    EXPR_CASES_LOCAL:
    EXPR_CASES_ARRAY:
    case EXPR_BOOL_OP: case EXPR_LAMBDA: case EXPR_IF_EXP: case EXPR_DICT: case EXPR_SET:
    case EXPR_CONSTANT: case EXPR_STARRED: case EXPR_NAME: case EXPR_LET: case EXPR_LET_REC:
    case EXPR_CASE: case EXPR_SHIFT: case EXPR_RESET: case EXPR_COUNT:
        break;
    }
    return false;
}

static void push(Arena *a, Operands *v, const Expr *e)
{
    if (e != NULL)
        vec_push(a, v, e);
}

static void push_all(Arena *a, Operands *v, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        push(a, v, list.at[i]);
}

static void push_call(Arena *a, Operands *v, const Expr *e)
{
    push(a, v, e->call.func);
    push_all(a, v, e->call.args);
    for (size_t i = 0; i < e->call.keywords.len; i++)
        push(a, v, e->call.keywords.at[i]->value);
}

ExprList control_operands(Arena *a, const Expr *e)
{
    Operands v = {0};
    switch (e->kind) {
    case EXPR_BIN_OP:
        push(a, &v, e->bin_op.left);
        push(a, &v, e->bin_op.right);
        break;
    case EXPR_UNARY_OP:  push(a, &v, e->unary_op.operand); break;
    case EXPR_COMPARE:
        push(a, &v, e->compare.left);
        push_all(a, &v, e->compare.comparators);
        break;
    case EXPR_CALL:      push_call(a, &v, e); break;
    case EXPR_ATTRIBUTE: push(a, &v, e->attribute.value); break;
    case EXPR_SUBSCRIPT:
        push(a, &v, e->subscript.value);
        push(a, &v, e->subscript.slice);
        break;
    case EXPR_LIST:      push_all(a, &v, e->list.elts); break;
    case EXPR_TUPLE:     push_all(a, &v, e->tuple.elts); break;
    case EXPR_SLICE:
        push(a, &v, e->slice.lower);
        push(a, &v, e->slice.upper);
        push(a, &v, e->slice.step);
        break;
    case EXPR_INJECT:    push(a, &v, e->inject.value); break;
    case EXPR_REF:       push(a, &v, e->ref.value); break;
    case EXPR_GET:       push(a, &v, e->get.ref); break;
    case EXPR_PUT:
        push(a, &v, e->put.ref);
        push(a, &v, e->put.value);
        break;
    EXPR_CASES_SUGAR:
    EXPR_CASES_SURFACE:
    EXPR_CASES_CHOREO:
    EXPR_CASES_LOCAL:
    EXPR_CASES_ARRAY:
    case EXPR_BOOL_OP: case EXPR_LAMBDA: case EXPR_IF_EXP: case EXPR_DICT: case EXPR_SET:
    case EXPR_CONSTANT: case EXPR_STARRED: case EXPR_NAME: case EXPR_LET: case EXPR_LET_REC:
    case EXPR_CASE: case EXPR_SHIFT: case EXPR_RESET: case EXPR_COUNT:
        break;
    }
    return (ExprList){v.at, v.len};
}

static ExprList list_of(Arena *a, const Expr *const *at, size_t n)
{
    const Expr **copy = ARENA_ARRAY(a, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = at[i];
    return (ExprList){copy, n};
}

static const Expr *rebuild_call(Arena *a, const Expr *e, const Expr *const *o)
{
    size_t args = e->call.args.len, n = e->call.keywords.len;
    const Keyword **keywords = ARENA_ARRAY(a, const Keyword *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const Keyword *k = e->call.keywords.at[i];
        keywords[i] = keyword_new(a, k->at, k->arg, o[1 + args + i]);
    }
    return expr_call(a, e->at, o[0], list_of(a, o + 1, args), (KeywordList){keywords, n});
}

static const Expr *rebuild_slice(Arena *a, const Expr *e, const Expr *const *o)
{
    const Expr *lower = e->slice.lower ? *o++ : NULL;
    const Expr *upper = e->slice.upper ? *o++ : NULL;
    return expr_slice(a, e->at, lower, upper, e->slice.step ? *o : NULL);
}

static const Expr *rebuild(Arena *a, const Expr *e, const Expr *const *o)
{
    switch (e->kind) {
    case EXPR_BIN_OP:    return expr_bin_op(a, e->at, o[0], e->bin_op.op, o[1]);
    case EXPR_UNARY_OP:  return expr_unary_op(a, e->at, e->unary_op.op, o[0]);
    case EXPR_COMPARE:
        return expr_compare(a, e->at, o[0], e->compare.ops,
                            list_of(a, o + 1, e->compare.comparators.len));
    case EXPR_CALL:      return rebuild_call(a, e, o);
    case EXPR_ATTRIBUTE:
        return expr_attribute(a, e->at, o[0], e->attribute.attr, e->attribute.ctx);
    case EXPR_SUBSCRIPT: return expr_subscript(a, e->at, o[0], o[1], e->subscript.ctx);
    case EXPR_LIST:      return expr_list(a, e->at, list_of(a, o, e->list.elts.len), e->list.ctx);
    case EXPR_TUPLE:
        return expr_tuple(a, e->at, list_of(a, o, e->tuple.elts.len), e->tuple.ctx);
    case EXPR_SLICE:     return rebuild_slice(a, e, o);
    case EXPR_INJECT:    return expr_inject(a, e->at, e->inject.right, o[0]);
    case EXPR_REF:       return expr_ref(a, e->at, o[0]);
    case EXPR_GET:       return expr_get(a, e->at, o[0]);
    case EXPR_PUT:       return expr_put(a, e->at, o[0], o[1]);
    EXPR_CASES_SUGAR:
    EXPR_CASES_SURFACE:
    EXPR_CASES_CHOREO:
    EXPR_CASES_LOCAL:
    EXPR_CASES_ARRAY:
    case EXPR_BOOL_OP: case EXPR_LAMBDA: case EXPR_IF_EXP: case EXPR_DICT: case EXPR_SET:
    case EXPR_CONSTANT: case EXPR_STARRED: case EXPR_NAME: case EXPR_LET: case EXPR_LET_REC:
    case EXPR_CASE: case EXPR_SHIFT: case EXPR_RESET: case EXPR_COUNT:
        break;
    }
    return e;
}

const Expr *control_rebuild(Arena *a, const Expr *e, const Expr *const *operands)
{
    const Expr *made = rebuild(a, e, operands);
    return made == e ? e : expr_with_ty(a, made, e->ty, e->roles);
}

static const Expr *mapped(Arena *a, const Expr *e, ControlMap *of, void *cx)
{
    if (control_is_operation(e)) {
        ExprList o = control_operands(a, e);
        const Expr **at = ARENA_ARRAY(a, const Expr *, o.len + 1);
        for (size_t i = 0; i < o.len; i++)
            at[i] = of(cx, o.at[i]);
        return rebuild(a, e, at);
    }
    const Expr *first, *second;
    if (e->kind == EXPR_LAMBDA)
        return expr_lambda(a, e->at, e->lambda.args, of(cx, e->lambda.body));
    if (e->kind == EXPR_SHIFT)
        return expr_shift(a, e->at, e->shift.k, of(cx, e->shift.body));
    if (e->kind == EXPR_RESET)
        return expr_reset(a, e->at, of(cx, e->reset.body));
    if (e->kind == EXPR_LET) {
        first = of(cx, e->let.value);
        return expr_let(a, e->at, e->let.name, first, of(cx, e->let.body));
    }
    if (e->kind == EXPR_LET_REC) {
        first = of(cx, e->let_rec.value);
        return expr_let_rec(a, e->at, e->let_rec.name, e->let_rec.args, first,
                            of(cx, e->let_rec.body));
    }
    if (e->kind == EXPR_IF_EXP) {
        first = of(cx, e->if_exp.test);
        second = of(cx, e->if_exp.body);
        return expr_if_exp(a, e->at, first, second, of(cx, e->if_exp.orelse));
    }
    if (e->kind != EXPR_CASE)
        return e;
    first = of(cx, e->case_.value);
    second = of(cx, e->case_.on_left);
    return expr_case(a, e->at, first, e->case_.left, second, e->case_.right,
                     of(cx, e->case_.on_right));
}

const Expr *control_map(Arena *a, const Expr *e, ControlMap *of, void *cx)
{
    const Expr *made = mapped(a, e, of, cx);
    return made == e ? e : expr_with_ty(a, made, e->ty, e->roles);
}
