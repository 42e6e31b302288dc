// double.c - the compiler with two passes that do something: `expand` doubles each constant 21,
// `grad` each constant 1000. What they change is to be seen wherever the program runs.

#include <string.h>

#include "compiler/pass/ad/expand.h"

const Unit *__real_expand_unit(PassCx *cx, const Unit *linked);
const Unit *__wrap_expand_unit(PassCx *cx, const Unit *linked);
const Unit *__real_grad_unit(PassCx *cx, const Unit *checked);
const Unit *__wrap_grad_unit(PassCx *cx, const Unit *checked);

static const Expr *doubled(IrMapper *m, const Expr *e, const char *from, const char *to)
{
    bool is_int = e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_INT;
    Text digits = is_int ? e->constant.value->text : (Text){"", 0};
    if (digits.len != strlen(from) || memcmp(digits.at, from, digits.len) != 0)
        return e;
    const Const *value = const_int(m->arena, (Text){to, strlen(to)});
    const Expr *twice = expr_constant(m->arena, e->at, value, NULL);
    return expr_with_ty(m->arena, twice, e->ty, e->roles);
}

static const Expr *double_21(IrMapper *m, const Expr *e) { return doubled(m, e, "21", "42"); }

static const Expr *double_1000(IrMapper *m, const Expr *e) { return doubled(m, e, "1000", "2000"); }

const Unit *__wrap_expand_unit(PassCx *cx, const Unit *linked)
{
    IrMapper m = {.arena = cx->arena, .expr = double_21};
    const Unit *unit = __real_expand_unit(cx, linked);
    return unit == NULL ? NULL : ir_map_unit(&m, unit);
}

const Unit *__wrap_grad_unit(PassCx *cx, const Unit *checked)
{
    IrMapper m = {.arena = cx->arena, .expr = double_1000};
    return ir_map_unit(&m, __real_grad_unit(cx, checked));
}
