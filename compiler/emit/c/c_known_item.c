// c_known_item.c - items of a list that are known to be there.
//
// In `len(xs) == 2 and xs[0] == "go"`, which is what a pattern `["go", d]` becomes, the second
// comparison cannot raise: the length has just been tested, and nothing between changes the list.
// So the item is read where it stands, within the expression, and cases stay one chain.
//
// Rule: the operand is a *plain comparison*, of constants and of items of variables at constant
// places, or an `and` or `or` of those; one before it in the same `and` compares the length of that
// variable; all between are plain comparisons, too. None of these runs code of the program.

#include "compiler/emit/c/c_internal.h"

// A variable whose length and items are those of a builtin type: no code of the program runs.
static bool is_builtin(CEmit *c, const Expr *e)
{
    if (e->kind != EXPR_NAME || e->ty == NULL)
        return false;
    RepKind kind = rep_or_object(c, e)->kind;
    return kind == REP_LIST || kind == REP_SEQUENCE || kind == REP_TUPLE || kind == REP_STR;
}

// `len(x)` of a variable: its name; NULL: it is something else.
static Sym length_of(CEmit *c, const Expr *e)
{
    if (e->kind != EXPR_CALL || e->call.args.len != 1 || e->call.keywords.len > 0
        || !is_builtin(c, e->call.args.at[0]))
        return NULL;
    Sym dotted = c_dotted(c, e->call.func);
    return dotted != NULL && sym_is(dotted, "len") ? e->call.args.at[0]->name.id : NULL;
}

static bool is_item(CEmit *c, const Expr *e)
{
    return e->kind == EXPR_SUBSCRIPT && is_builtin(c, e->subscript.value)
           && c_small_constant(e->subscript.slice) >= 0;
}

static bool is_plain_part(CEmit *c, const Expr *e)
{
    RepKind kind = e->ty != NULL ? rep_or_object(c, e)->kind : REP_OBJECT;
    bool known = kind == REP_INT || kind == REP_STR || kind == REP_BOOL || kind == REP_FLOAT;
    return known && (e->kind == EXPR_CONSTANT || is_item(c, e) || length_of(c, e) != NULL);
}

static bool is_plain(CEmit *c, const Expr *e)
{
    if (e->kind == EXPR_BOOL_OP) {
        bool all = true;
        for (size_t i = 0; all && i < e->bool_op.values.len; i++)
            all = is_plain(c, e->bool_op.values.at[i]);
        return all;
    }
    return e->kind == EXPR_COMPARE && e->compare.ops.len == 1 && is_plain_part(c, e->compare.left)
           && is_plain_part(c, e->compare.comparators.at[0]);
}

// The least length of the variable once `e` holds.
static size_t least_length(CEmit *c, const Expr *e, Sym name)
{
    size_t least = 0;
    if (e->kind == EXPR_BOOL_OP) {
        bool all = e->bool_op.op == BOOLOP_AND;
        for (size_t i = 0; all && i < e->bool_op.values.len; i++) {
            size_t n = least_length(c, e->bool_op.values.at[i], name);
            least = n > least ? n : least;
        }
        return least;
    }
    Cmpop op = e->compare.ops.at[0];
    long n = c_small_constant(e->compare.comparators.at[0]);
    if (n < 0 || length_of(c, e->compare.left) != name)
        return 0;
    return (size_t)(op == CMPOP_EQ || op == CMPOP_GT_E ? n : op == CMPOP_GT ? n + 1 : 0);
}

// The operands before operand i under which its items may be known to be there.
static ExprList tests_before(CEmit *c, ExprList values, size_t i)
{
    size_t first = i;
    if (!is_plain(c, values.at[i]))
        return (ExprList){0};
    while (first > 0 && is_plain(c, values.at[first - 1]))
        first--;
    return (ExprList){values.at + first, i - first};
}

const char *c_operand(CEmit *c, const Expr *e, size_t i)
{
    ExprList outer = c->tested;
    if (e->bool_op.op == BOOLOP_AND)
        c->tested = tests_before(c, e->bool_op.values, i);
    else if (!is_plain(c, e))               // of an `or` that is plain: what holds before it
        c->tested = (ExprList){0};
    const char *text = c_condition(c, e->bool_op.values.at[i]);
    c->tested = outer;
    return text;
}

bool c_item_is_there(CEmit *c, const Expr *item, size_t *at)
{
    if (c->tested.len == 0 || !is_item(c, item))
        return false;
    *at = (size_t)c_small_constant(item->subscript.slice);
    for (size_t i = 0; i < c->tested.len; i++)
        if (*at < least_length(c, c->tested.at[i], item->subscript.value->name.id))
            return true;
    return false;
}
