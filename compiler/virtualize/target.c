// target.c - what stands to the left of `=`. Python evaluates the value first and then stores into
// each target, while the text has the target first: so a target becomes a target, an object whose
// `val` calls the hook when Python stores into it or deletes it.

#include <string.h>

#include "compiler/virtualize/internal.h"
#include "parser.h"

bool target_is_simple(Virt *v, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        return !is_boxed(v, e->name.id);
    if (e->kind == EXPR_STARRED)
        return target_is_simple(v, e->starred.value);
    if (e->kind != EXPR_TUPLE && e->kind != EXPR_LIST)
        return false;
    ExprList elts = e->kind == EXPR_TUPLE ? e->tuple.elts : e->list.elts;
    for (size_t i = 0; i < elts.len; i++)
        if (!target_is_simple(v, elts.at[i]))
            return false;
    return true;
}

// Inside of another target: a tuple, or a list, stands in brackets of its own.
static const char *inner_text(Virt *v, const Expr *e)
{
    if (e->kind == EXPR_STARRED)
        return virt_text(v, "*%s", inner_text(v, e->starred.value));
    const char *text = target_text(v, e);
    bool empty = strcmp(text, "[]") == 0;
    return e->kind == EXPR_NAME || empty ? text : virt_text(v, "[%s]", text);
}

static const char *elements_text(Virt *v, ExprList elts)
{
    const char *text = "";
    for (size_t i = 0; i < elts.len; i++)
        text = virt_text(v, "%s%s%s", text, i > 0 ? ", " : "", inner_text(v, elts.at[i]));
    return elts.len == 1 ? virt_text(v, "%s,", text) : text;
}

const char *target_text(Virt *v, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        return e->name.id;
    ExprList elts = e->kind == EXPR_TUPLE ? e->tuple.elts : e->list.elts;
    return elts.len == 0 ? "[]" : elements_text(v, elts);
}

// ---- stores and deletions ----

static void virt_attribute(Virt *v, const Expr *e)
{
    HookId hook = e->attribute.ctx == EXPR_CONTEXT_DEL ? HOOK_DELATTR : HOOK_SETATTR;
    bool taken = virt_takes(v, e, hook, 1, why_no_string(v));
    if (taken)
        virt_put(v, e->at.start, "%s(", use_derived(v, "attr_ref"));
    v->w.depth += taken;
    virt_expr(v, e->attribute.value);
    v->w.depth -= taken;
    if (taken) {
        replace_attribute(v, e);
        virt_put(v, e->at.end, ").val");
    }
}

static void virt_item(Virt *v, const Expr *e)
{
    HookId hook = e->subscript.ctx == EXPR_CONTEXT_DEL ? HOOK_DELITEM : HOOK_SETITEM;
    bool taken = virt_takes(v, e, hook, 1, NULL);
    if (taken)
        virt_put(v, e->at.start, "%s(", use_derived(v, "item_ref"));
    v->w.depth += taken;
    virt_expr(v, e->subscript.value);
    if (taken)
        replace_index(v, e, ").val");
    else
        virt_expr(v, e->subscript.slice);
    v->w.depth -= taken;
}

void virt_target(Virt *v, const Expr *e)
{
    switch (e->kind) {
    case EXPR_TUPLE:
        for (size_t i = 0; i < e->tuple.elts.len; i++)
            virt_target(v, e->tuple.elts.at[i]);
        return;
    case EXPR_LIST:
        for (size_t i = 0; i < e->list.elts.len; i++)
            virt_target(v, e->list.elts.at[i]);
        return;
    case EXPR_STARRED: virt_target(v, e->starred.value); return;
    case EXPR_ATTRIBUTE: virt_attribute(v, e); return;
    case EXPR_SUBSCRIPT: virt_item(v, e); return;
    case EXPR_NAME:
        if (is_boxed(v, e->name.id))
            virt_replace(v, e->at, "%s",
                         box_target(v, e->name.id, e->name.ctx == EXPR_CONTEXT_DEL));
        return;
    case EXPR_BOOL_OP: case EXPR_NAMED_EXPR: case EXPR_BIN_OP: case EXPR_UNARY_OP:
    case EXPR_LAMBDA: case EXPR_IF_EXP: case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP:
    case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_AWAIT:
    case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_COMPARE: case EXPR_CALL:
    case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_SLICE:
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_UNIT: case EXPR_COUNT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
        break;
    }
}

// ---- augmented assignment ----

static const HookId hooks_in_place[] = {
    [OPERATOR_ADD] = HOOK_IADD,       [OPERATOR_SUB] = HOOK_ISUB,
    [OPERATOR_MULT] = HOOK_IMUL,      [OPERATOR_MAT_MULT] = HOOK_IMATMUL,
    [OPERATOR_DIV] = HOOK_ITRUEDIV,   [OPERATOR_MOD] = HOOK_IMOD,
    [OPERATOR_POW] = HOOK_IPOW,       [OPERATOR_L_SHIFT] = HOOK_ILSHIFT,
    [OPERATOR_R_SHIFT] = HOOK_IRSHIFT, [OPERATOR_BIT_OR] = HOOK_IBITOR,
    [OPERATOR_BIT_XOR] = HOOK_IBITXOR, [OPERATOR_BIT_AND] = HOOK_IBITAND,
    [OPERATOR_FLOOR_DIV] = HOOK_IFLOORDIV,
};

static void virt_plain_aug(Virt *v, const Stmt *s)
{
    const Expr *target = s->aug_assign.target;
    if (target->kind == EXPR_ATTRIBUTE) {
        virt_expr(v, target->attribute.value);
    } else if (target->kind == EXPR_SUBSCRIPT) {
        virt_expr(v, target->subscript.value);
        virt_expr(v, target->subscript.slice);
    }
    virt_expr(v, s->aug_assign.value);
}

// `x += v` is `x = _pc_iadd(x, v)`.
static void virt_aug_name(Virt *v, const Stmt *s, HookId hook)
{
    const Expr *target = s->aug_assign.target, *value = s->aug_assign.value;
    const Token *op = token_past_parens(v, target->at.end);
    bool boxed = is_boxed(v, target->name.id);
    if (!virt_takes(v, target, hook, 1, NULL) && !boxed) {
        virt_plain_aug(v, s);
        return;
    }
    const char *first = virt_text(v, "%s(%s,", use_default(v, hook),
                                  boxed_value(v, target->name.id));
    if (boxed) {
        note_changed(v, HOOK_ASSIGN);
        virt_replace(v, (Span){s->at.start, op->at.end}, "%s(%s, %s", use_default(v, HOOK_ASSIGN),
                     target->name.id, first);
    } else {
        virt_replace(v, op->at, "= %s", first);
    }
    v->w.depth += 2;
    virt_argument(v, value);
    v->w.depth -= 2;
    virt_put(v, s->at.end, boxed ? "))" : ")");
}

static const char *why_no_aug(Virt *v, const Stmt *s)
{
    if (s->aug_assign.target->at.start != s->at.start)
        return "the target is in parentheses";
    const char *why = why_no_lambda(v, facts_of_expr(v, s->aug_assign.value));
    return why != NULL ? why : why_no_string(v);
}

// `o.a += v` is `_pc_aug_attr(get, iadd, set, o, 'a', lambda: v)`: `o` is evaluated once, first.
static void virt_aug_ref(Virt *v, const Stmt *s, const HookId hooks[3], bool item)
{
    const Expr *target = s->aug_assign.target, *value = s->aug_assign.value;
    HookId wanted = wants(v, hooks[1]) ? hooks[1] : wants(v, hooks[0]) ? hooks[0] : hooks[2];
    if (!wants(v, wanted) || !virt_takes(v, target, wanted, 2, why_no_aug(v, s))) {
        virt_plain_aug(v, s);
        return;
    }
    const char *helper = use_helper(v, item ? "aug_item" : "aug_attr");
    virt_put(v, s->at.start, "%s(%s, %s, %s, ", helper, use_default(v, hooks[0]),
             use_default(v, hooks[1]), use_default(v, hooks[2]));
    v->w.depth++;
    virt_expr(v, item ? target->subscript.value : target->attribute.value);
    if (item)
        replace_index(v, target, "");
    else
        replace_attribute(v, target);
    virt_replace(v, token_from(v, target->at.end)->at, ", lambda:");
    virt_lambda_body(v, value);
    v->w.depth--;
    virt_put(v, s->at.end, ")");
}

void virt_aug_assign(Virt *v, const Stmt *s)
{
    HookId op = hooks_in_place[s->aug_assign.op];
    if (s->aug_assign.target->kind == EXPR_NAME)
        virt_aug_name(v, s, op);
    else if (s->aug_assign.target->kind == EXPR_ATTRIBUTE)
        virt_aug_ref(v, s, (HookId[]){HOOK_GETATTR, op, HOOK_SETATTR}, false);
    else
        virt_aug_ref(v, s, (HookId[]){HOOK_GETITEM, op, HOOK_SETITEM}, true);
}
