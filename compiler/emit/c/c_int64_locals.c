// c_int64_locals.c - which local ints stay within 64 bits: counters. They are an int64_t in C.
//
// A counter is a variable of one function alone, no parameter, and whatever is assigned to it is
// *near*, never a bool:
//     a constant of up to nine digits, `len` of a builtin container, another counter, `-e` of it;
//     `e + k` and `e - k` of near e, for constants of at most 16;
//     `e % k` and `e & k` of any int, for positive constants of up to nine digits;
//     `e // k` and `e >> k` of near e; of the sum or difference of two if that halves it;
//     what a `for` over a `range` of near bounds gives.
// Only the steps by constants make what was near larger, by 16 each. It would take 2**58 of them to
// leave 64 bits, which is years; a program that does ends there (pychoral_counter, number.h).
//
// All are counters at first; then those are none that something else is assigned to, until nothing
// changes.

#include <string.h>

#include "compiler/emit/c/c_internal.h"

enum { MOST_STEP = 16 };

// One assignment of the function: of a value, or of what `range(..)` gives.
typedef struct Store { CVariable *to; const Expr *value; bool of_range; } Store;

typedef struct Count { CEmit *c; CFunction *f; Vec(Store) stores; } Count;

// ---- what is near ----

// Whether `e` is an int constant from `least` to `most`.
static bool is_constant(const Expr *e, long least, long most)
{
    long number = c_small_constant(e);
    return number >= 0 && number >= least && number <= most;
}

static bool is_int(Count *w, const Expr *e)
{
    const Ty *t = e->ty ? c_ty(w->c, e->ty) : NULL;
    return t != NULL && t->kind == TY_NAMED && sym_is(t->named.name, "int");
}

static bool calls(Count *w, const Expr *e, const char *builtin)
{
    if (e->kind != EXPR_CALL || e->call.keywords.len > 0)
        return false;
    Sym dotted = c_dotted(w->c, e->call.func);
    return dotted != NULL && sym_is(dotted, builtin);
}

static bool is_length(Count *w, const Expr *e)
{
    const Expr *of = calls(w, e, "len") && e->call.args.len == 1 ? e->call.args.at[0] : NULL;
    const Ty *t = of && of->ty ? c_ty(w->c, of->ty) : NULL;
    if (t == NULL || t->kind != TY_NAMED)
        return false;
    static const char *const SIZED[] = {"list", "str", "bytes", "dict", "set", "frozenset"};
    for (size_t i = 0; i < sizeof SIZED / sizeof *SIZED; i++)
        if (sym_is(t->named.name, SIZED[i]))
            return true;
    return false;
}

static bool is_near(Count *w, const Expr *e);

// Whether it is near, or at most twice as far.
static bool is_near_sum(Count *w, const Expr *e)
{
    bool sum = e->kind == EXPR_BIN_OP
        && (e->bin_op.op == OPERATOR_ADD || e->bin_op.op == OPERATOR_SUB);
    return is_near(w, e) || (sum && is_near(w, e->bin_op.left) && is_near(w, e->bin_op.right));
}

static bool is_near_operation(Count *w, Operator op, const Expr *left, const Expr *right)
{
    const long most = 999999999;
    switch (op) {
    case OPERATOR_ADD:
        if (is_constant(left, 0, MOST_STEP) && is_near(w, right))
            return true;
        return is_constant(right, 0, MOST_STEP) && is_near(w, left);
    case OPERATOR_SUB:
        return is_constant(right, 0, MOST_STEP) && is_near(w, left);
    case OPERATOR_MOD:
        return is_constant(right, 1, most) && is_int(w, left);
    case OPERATOR_BIT_AND:
        return (is_constant(right, 0, most) && is_int(w, left))
               || (is_constant(left, 0, most) && is_int(w, right));
    case OPERATOR_FLOOR_DIV:
        return (is_constant(right, 1, most) && is_near(w, left))
               || (is_constant(right, 2, most) && is_near_sum(w, left));
    case OPERATOR_R_SHIFT:
        return (is_constant(right, 0, 63) && is_near(w, left))
               || (is_constant(right, 1, 63) && is_near_sum(w, left));
    case OPERATOR_MULT: case OPERATOR_MAT_MULT: case OPERATOR_DIV: case OPERATOR_POW:
    case OPERATOR_L_SHIFT: case OPERATOR_BIT_OR: case OPERATOR_BIT_XOR: case OPERATOR_COUNT:
        break;
    }
    return false;
}

static bool is_near(Count *w, const Expr *e)
{
    if (is_constant(e, 0, 999999999) || is_length(w, e))
        return true;
    if (e->kind == EXPR_NAME) {
        const CVariable *v = table_get(w->f->variables, e->name.id);
        return v != NULL && v->counter;
    }
    if (e->kind == EXPR_UNARY_OP)
        return e->unary_op.op == UNARYOP_U_SUB && is_near(w, e->unary_op.operand);
    if (e->kind == EXPR_BIN_OP)
        return is_near_operation(w, e->bin_op.op, e->bin_op.left, e->bin_op.right);
    return false;
}

static bool is_near_range(Count *w, const Expr *e)
{
    if (!calls(w, e, "range") || e->call.args.len == 0)
        return false;
    for (size_t i = 0; i < e->call.args.len; i++)
        if (!is_near(w, e->call.args.at[i]))
            return false;
    return true;
}

// ---- what is assigned ----

static void note(Count *w, const Expr *target, const Expr *value, bool of_range)
{
    CVariable *v = target->kind == EXPR_NAME ? table_get(w->f->variables, target->name.id) : NULL;
    if (v != NULL)
        vec_push(w->c->arena, &w->stores, ((Store){v, value, of_range}));
}

static bool note_stores(void *cx, const Stmt *s)
{
    Count *w = cx;
    if (s->kind == STMT_ASSIGN)
        for (size_t i = 0; i < s->assign.targets.len; i++)
            note(w, s->assign.targets.at[i], s->assign.value, false);
    if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.value != NULL)
        note(w, s->ann_assign.target, s->ann_assign.value, false);
    if (s->kind == STMT_FOR)
        note(w, s->for_.target, s->for_.iter, true);
    if (s->kind == STMT_DELETE)
        for (size_t i = 0; i < s->delete.targets.len; i++)
            note(w, s->delete.targets.at[i], s->delete.targets.at[i], true);
    return s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

static bool may_count(const CVariable *v)
{
    return v->rep->kind == REP_INT && !v->param && !v->captured && !v->cell && !v->held
           && !v->self_function && !v->exception && v->flag == NULL && v->def == NULL;
}

void c_find_counters(CEmit *c, CFunction *f)
{
    Count w = {.c = c, .f = f};
    IrWalker walker = {.cx = &w, .stmt = note_stores};
    CFunction *outer = c->function;
    ir_walk_stmts(&walker, f->def->function_def.body);
    for (size_t i = 0; i < w.stores.len; i++)
        w.stores.at[i].to->counter = may_count(w.stores.at[i].to);
    c->function = f;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < w.stores.len; i++) {
            Store *s = &w.stores.at[i];
            if (!s->to->counter
                || (s->of_range ? is_near_range(&w, s->value) : is_near(&w, s->value)))
                continue;
            s->to->counter = false;
            changed = true;
        }
    }
    c->function = outer;
}
