// expr.c - expressions. Chains (`a + b + c`, `x.f().g()`) are walked in a loop along their spine:
// every link opens, what is below is emitted, every link closes.

#include "compiler/virtualize/internal.h"
#include "parser.h"

// ---- lambdas around operands ----

const char *why_no_lambda(Virt *v, unsigned facts)
{
    const Frame *f = v->w.frame;
    if (f->block->kind == BLOCK_CLASS)
        return "in a class body";
    if (f->observes || (f->block->kind == BLOCK_MODULE && facts & FACT_LOCALS))
        return "it may read the variables of its own frame";
    if (facts & FACT_WALRUS)
        return "an operand contains `:=`";
    if (facts & (FACT_YIELD | FACT_AWAIT))
        return "an operand contains `yield` or `await`";
    if (facts & FACT_SUPER && f->first == NULL)
        return "it contains `super()`, but the first parameter is missing or reassigned";
    return NULL;
}

void virt_lambda_body(Virt *v, const Expr *e)
{
    bool before = v->w.moved;
    v->w.moved = true;
    virt_argument(v, e);
    v->w.moved = before;
}

bool virt_takes(Virt *v, const Expr *e, HookId hook, unsigned brackets, const char *why)
{
    if (!wants(v, hook) || is_off(v, e->at))
        return false;
    if (why == NULL && deep_enough(v, brackets))
        why = "brackets are nested too deeply";
    if (why != NULL) {
        note_plain(v, e->at, hook, why);
        return false;
    }
    note_changed(v, hook);
    return true;
}

const char *why_no_string(const Virt *v)
{
    return v->w.quote == 0 ? "the enclosing f-string uses all kinds of quotes" : NULL;
}

// ---- operators ----

static const HookId binary_hooks[] = {
    [OPERATOR_ADD] = HOOK_ADD,       [OPERATOR_SUB] = HOOK_SUB,
    [OPERATOR_MULT] = HOOK_MUL,      [OPERATOR_MAT_MULT] = HOOK_MATMUL,
    [OPERATOR_DIV] = HOOK_TRUEDIV,   [OPERATOR_MOD] = HOOK_MOD,
    [OPERATOR_POW] = HOOK_POW,       [OPERATOR_L_SHIFT] = HOOK_LSHIFT,
    [OPERATOR_R_SHIFT] = HOOK_RSHIFT, [OPERATOR_BIT_OR] = HOOK_BITOR,
    [OPERATOR_BIT_XOR] = HOOK_BITXOR, [OPERATOR_BIT_AND] = HOOK_BITAND,
    [OPERATOR_FLOOR_DIV] = HOOK_FLOORDIV,
};

static const HookId unary_hooks[] = {
    [UNARYOP_INVERT] = HOOK_INVERT, [UNARYOP_NOT] = HOOK_NOT,
    [UNARYOP_U_ADD] = HOOK_POS,     [UNARYOP_U_SUB] = HOOK_NEG,
};

static const HookId compare_hooks[] = {
    [CMPOP_EQ] = HOOK_EQ,     [CMPOP_NOT_EQ] = HOOK_NE,     [CMPOP_LT] = HOOK_LT,
    [CMPOP_LT_E] = HOOK_LE,   [CMPOP_GT] = HOOK_GT,         [CMPOP_GT_E] = HOOK_GE,
    [CMPOP_IS] = HOOK_IS,     [CMPOP_IS_NOT] = HOOK_IS_NOT, [CMPOP_IN] = HOOK_IN,
    [CMPOP_NOT_IN] = HOOK_NOT_IN,
};

// A sign of a number is part of it.
static bool is_sign(const Expr *e)
{
    return e->unary_op.op != UNARYOP_NOT && e->unary_op.operand->kind == EXPR_CONSTANT;
}

// ---- and, or ----

void virt_asked(Virt *v, const Expr *e, Asked asked)
{
    v->w.asked = asked;
    virt_expr(v, e);
}

// Operands of an `and` or `or` that stays: all but the last go to it.
static void virt_operands(Virt *v, ExprList values, Asked to_it, Asked asked)
{
    for (size_t i = 0; i < values.len; i++)
        virt_asked(v, values.at[i], i + 1 < values.len ? to_it : asked);
}

static void virt_tests(Virt *v, ExprList operands)
{
    for (size_t i = 0; i < operands.len; i++)
        virt_test(v, operands.at[i]);
}

static void virt_bool_call(Virt *v, const Expr *e, const char *hook, Asked asked)
{
    ExprList values = e->bool_op.values;
    int kind = e->bool_op.op == BOOLOP_AND ? TOK_AND : TOK_OR;
    Asked next = asked == ASKED_TEST ? ASKED_TEST : ASKED_OPERAND;
    virt_put(v, e->at.start, "%s(", hook);
    v->w.depth += 2;
    virt_asked(v, values.at[0], next);
    for (size_t i = 1; i < values.len; i++) {
        virt_replace(v, token_of_kind(v, values.at[i - 1]->at.end, kind)->at,
                i == 1 ? ", (lambda:" : ", lambda:");
        v->w.asked = i + 1 < values.len ? next : asked;
        virt_lambda_body(v, values.at[i]);
    }
    v->w.depth -= 2;
    virt_put(v, e->at.end, values.len == 2 ? ",))" : "))");
}

static unsigned facts_behind_first(Virt *v, ExprList values)
{
    unsigned facts = 0;
    for (size_t i = 1; i < values.len; i++)
        facts |= facts_of_expr(v, values.at[i]);
    return facts;
}

static const char *bool_hook(Virt *v, bool and_, bool by_truth, Asked asked)
{
    if (asked == ASKED_NO && !by_truth)
        return use_hook(v, and_ ? HOOK_AND : HOOK_OR, FORM_PLAIN);
    return use_derived(v, virt_text(v, "%s%s%s", by_truth ? "truth_" : "", and_ ? "and" : "or",
                                    asked != ASKED_NO ? "_part" : ""));
}

static void virt_bool_op(Virt *v, const Expr *e, Asked asked)
{
    bool and_ = e->bool_op.op == BOOLOP_AND;
    HookId hook = and_ ? HOOK_AND : HOOK_OR;
    bool by_truth = !wants(v, hook) && wants(v, HOOK_TRUTH);
    if (by_truth && asked == ASKED_TEST) {
        virt_tests(v, e->bool_op.values);
        return;
    }
    const char *why = asked == ASKED_PLAIN
                          ? "the enclosing `and` or `or` is not virtualized"
                          : why_no_lambda(v, facts_behind_first(v, e->bool_op.values));
    if (virt_takes(v, e, by_truth ? HOOK_TRUTH : hook, 2, why))
        virt_bool_call(v, e, bool_hook(v, and_, by_truth, asked), asked);
    else
        virt_operands(v, e->bool_op.values,
                      asked == ASKED_NO && (wants(v, hook) || by_truth) ? ASKED_PLAIN : asked,
                      asked);
}

// ---- truth ----

void virt_test(Virt *v, const Expr *e)
{
    bool is_not = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT;
    if (!wants(v, HOOK_TRUTH)) {
        virt_asked(v, e, ASKED_TEST);
    } else if (e->kind == EXPR_BOOL_OP
               && !wants(v, e->bool_op.op == BOOLOP_AND ? HOOK_AND : HOOK_OR)) {
        virt_tests(v, e->bool_op.values);
    } else if (is_not && !wants(v, HOOK_NOT)) {
        virt_test(v, e->unary_op.operand);
    } else if (!virt_takes(v, e, HOOK_TRUTH, 1, NULL)) {
        virt_asked(v, e, ASKED_TEST);
    } else {
        virt_put(v, e->at.start, "%s(", use_hook(v, HOOK_TRUTH, FORM_PLAIN));
        v->w.depth++;
        v->w.asked = ASKED_TEST;
        virt_argument(v, e);
        v->w.depth--;
        virt_put(v, e->at.end, ")");
    }
}

// ---- comparisons ----

// `not in` and `is not` are two tokens.
static void replace_operator(Virt *v, uint32_t behind, const char *text)
{
    const Token *t = token_past_parens(v, behind);
    bool two = (t->kind == TOK_NOT && t[1].kind == TOK_IN)
               || (t->kind == TOK_IS && t[1].kind == TOK_NOT);
    virt_replace(v, t->at, "%s", text);
    if (two)
        virt_replace(v, t[1].at, "%s", "");
}

static void virt_chain_of_comparisons(Virt *v, const Expr *e, Asked asked)
{
    ExprList to = e->compare.comparators;
    unsigned facts = 0;
    for (size_t i = 0; i < to.len; i++)
        facts |= facts_of_expr(v, to.at[i]);
    if (!wants(v, HOOK_COMPARE)
        || !virt_takes(v, e, HOOK_COMPARE, 3, why_no_lambda(v, facts))) {
        virt_expr(v, e->compare.left);
        virt_exprs(v, to);
        return;
    }
    virt_put(v, e->at.start, "%s(", asked == ASKED_TEST ? use_derived(v, "compare_part")
                                                        : use_hook(v, HOOK_COMPARE, FORM_PLAIN));
    v->w.depth += 3;
    virt_expr(v, e->compare.left);
    for (size_t i = 0; i < to.len; i++) {
        uint32_t behind = i > 0 ? to.at[i - 1]->at.end : e->compare.left->at.end;
        const char *by = use_default(v, compare_hooks[e->compare.ops.at[i]]);
        replace_operator(v, behind, virt_text(v, "%s(%s, lambda:", i > 0 ? "), " : ", (", by));
        virt_lambda_body(v, to.at[i]);
    }
    v->w.depth -= 3;
    virt_put(v, e->at.end, ")))");
}

static void virt_compare(Virt *v, const Expr *e, Asked asked)
{
    if (e->compare.ops.len > 1) {
        virt_chain_of_comparisons(v, e, asked);
        return;
    }
    HookId hook = compare_hooks[e->compare.ops.at[0]];
    bool taken = virt_takes(v, e, hook, 1, NULL);
    if (taken)
        virt_put(v, e->at.start, "%s(", use_hook(v, hook, FORM_PLAIN));
    v->w.depth += taken;
    virt_expr(v, e->compare.left);
    if (taken)
        replace_operator(v, e->compare.left->at.end, ",");
    virt_expr(v, e->compare.comparators.at[0]);
    v->w.depth -= taken;
    if (taken)
        virt_put(v, e->at.end, ")");
}

// ---- comprehensions ----

typedef struct Comp { const char *kind; const Expr *elt, *value; ComprehensionList of; } Comp;

static unsigned facts_of_comp(Virt *v, const Comp *c)
{
    unsigned facts = facts_of_expr(v, c->elt) | facts_of_expr(v, c->value);
    for (size_t i = 0; i < c->of.len; i++) {
        const Comprehension *g = c->of.at[i];
        facts |= facts_of_expr(v, g->target) | facts_of_expr(v, g->iter)
                 | (g->is_async ? FACT_AWAIT : 0);
        for (size_t j = 0; j < g->ifs.len; j++)
            facts |= facts_of_expr(v, g->ifs.at[j]);
    }
    return facts;
}

static void virt_generators(Virt *v, ComprehensionList of, const char *get, const Block *outer)
{
    const Block *inner = v->w.block;
    for (size_t i = 0; i < of.len; i++) {
        const Comprehension *g = of.at[i];
        virt_target(v, g->target);
        if (i == 0 && get != NULL)
            virt_put(v, g->iter->at.start, "%s(lambda: ", get);
        v->w.block = i == 0 ? outer : inner;
        virt_expr(v, g->iter);
        v->w.block = inner;
        if (i == 0 && get != NULL)
            virt_put(v, g->iter->at.end, ")");
        for (size_t j = 0; j < g->ifs.len; j++)
            virt_test(v, g->ifs.at[j]);
    }
}

static void virt_plain_comp(Virt *v, const Expr *e, const Comp *c)
{
    const Block *outer = v->w.block;
    v->w.block = scopes_block(&v->scopes, e);
    virt_expr(v, c->elt);
    virt_expr(v, c->value);
    virt_generators(v, c->of, NULL, outer);
    v->w.block = outer;
}

// `[x for t in e]` is `_pc_comp_of('list', lambda _pc_v: (x for t in _pc_v(lambda: e)))`. A
// generator expression keeps its parentheses: they may be those of a call.
static void virt_comp(Virt *v, const Expr *e, Comp c)
{
    bool lazy = e->kind == EXPR_GENERATOR_EXP;
    const char *why = why_no_lambda(v, facts_of_comp(v, &c));
    if (why == NULL)
        why = why_no_string(v);
    if (!wants(v, HOOK_COMP) || !virt_takes(v, e, HOOK_COMP, 4, why)) {
        virt_plain_comp(v, e, &c);
        return;
    }
    const char *open = virt_text(v, "%s(%s, lambda %sv: (%s", use_derived(v, "comp_of"),
                                 quoted(v, c.kind), v->prefix, c.value != NULL ? "(" : "");
    Where outer = v->w;
    v->w.moved = true;
    v->w.depth += 4;
    v->w.block = scopes_block(&v->scopes, e);
    virt_replace(v, (Span){e->at.start + (lazy ? 1 : 0), e->at.start + 1}, "%s", open);
    virt_expr(v, c.elt);
    if (c.value != NULL) {
        virt_replace(v, token_past_parens(v, c.elt->at.end)->at, ",");
        virt_expr(v, c.value);
        virt_put(v, token_past_parens(v, c.value->at.end)[-1].at.end, ")");
    }
    virt_generators(v, c.of, virt_text(v, "%sv", v->prefix), outer.block);
    virt_replace(v, (Span){e->at.end - 1, e->at.end - (lazy ? 1 : 0)}, "))");
    v->w = outer;
}

// ---- waiting ----

static void virt_waiting(Virt *v, const Expr *e, HookId hook, const Expr *value, int word)
{
    bool taken = virt_takes(v, e, hook, 1, NULL);
    const Token *t = token_of_kind(v, e->at.start, word);
    if (taken && value == NULL)
        virt_put(v, t->at.end, " %s(None)", use_hook(v, hook, FORM_PLAIN));
    else if (taken)
        virt_put(v, t->at.end, " %s(", use_hook(v, hook, FORM_PLAIN));
    v->w.depth += taken;
    if (taken)
        virt_argument(v, value);
    else
        virt_expr(v, value);
    v->w.depth -= taken;
    if (taken && value != NULL)
        virt_put(v, e->at.end, ")");
}

// ---- slices ----

static void put_bound(Virt *v, const Expr *e, uint32_t at)
{
    if (e != NULL)
        virt_expr(v, e);
    else
        virt_put(v, at, "None");
}

static void virt_slice(Virt *v, const Expr *e, bool as_call)
{
    const Expr *lower = e->slice.lower, *upper = e->slice.upper, *step = e->slice.step;
    if (!as_call) {
        virt_expr(v, lower);
        virt_expr(v, upper);
        virt_expr(v, step);
        return;
    }
    const Token *first = token_past_parens(v, lower ? lower->at.end : e->at.start);
    const Token *second = token_past_parens(v, upper ? upper->at.end : first->at.end);
    bool two = second->kind == TOK_COLON && second->at.start < e->at.end;
    virt_put(v, e->at.start, "%s(", use_helper(v, "slice"));
    v->w.depth++;
    put_bound(v, lower, e->at.start);
    virt_replace(v, first->at, ", ");
    put_bound(v, upper, first->at.end);
    if (two)
        virt_replace(v, second->at, ", ");
    if (two)
        put_bound(v, step, second->at.end);
    v->w.depth--;
    virt_put(v, e->at.end, two ? ")" : ", None)");
}

// Whether the parentheses that a tuple starts with are its own: `(a, b)`, not `(a), (b)`.
static bool has_parens(const Virt *v, const Expr *tuple)
{
    const Token *t = token_from(v, tuple->at.start);
    size_t depth = 0;
    if (t->kind != TOK_LPAR)
        return false;
    for (; t->at.start < tuple->at.end && t->kind != TOK_END; t++) {
        depth += t->kind == TOK_LPAR || t->kind == TOK_LSQB || t->kind == TOK_LBRACE
                 || t->kind == TOK_FSTRING_LBRACE;
        depth -= t->kind == TOK_RPAR || t->kind == TOK_RSQB || t->kind == TOK_RBRACE
                 || t->kind == TOK_FSTRING_RBRACE;
        if (depth == 0)
            break;
    }
    return t->at.end == tuple->at.end;
}

static bool ends_with_comma(const Virt *v, const Expr *tuple)
{
    return token_before(v, tuple->at.end)->kind == TOK_COMMA;
}

static void virt_index(Virt *v, const Expr *e);

static void virt_bare_tuple(Virt *v, const Expr *e, bool index)
{
    virt_put(v, e->at.start, "(");
    v->w.depth++;
    for (size_t i = 0; i < e->tuple.elts.len; i++) {
        if (index)
            virt_index(v, e->tuple.elts.at[i]);
        else
            virt_expr(v, e->tuple.elts.at[i]);
    }
    v->w.depth--;
    virt_put(v, e->at.end, e->tuple.elts.len == 1 && !ends_with_comma(v, e) ? ",)" : ")");
}

static bool has_slices(const Expr *e)
{
    for (size_t i = 0; e->kind == EXPR_TUPLE && i < e->tuple.elts.len; i++)
        if (e->tuple.elts.at[i]->kind == EXPR_SLICE)
            return true;
    return false;
}

// The index of a call of getitem: slices are calls, and a tuple without parentheses gets some.
static void virt_index(Virt *v, const Expr *e)
{
    if (e->kind == EXPR_SLICE)
        virt_slice(v, e, true);
    else if (has_slices(e))
        virt_bare_tuple(v, e, true);
    else
        virt_argument(v, e);
}

void virt_argument(Virt *v, const Expr *e)
{
    if (e == NULL)
        return;
    bool display = wants(v, HOOK_NEW_TUPLE) && !is_off(v, e->at) && !deep_enough(v, 2);
    if (e->kind == EXPR_TUPLE && !display && !has_parens(v, e)) {
        virt_bare_tuple(v, e, false);
        return;
    }
    bool parens = e->kind == EXPR_YIELD || e->kind == EXPR_YIELD_FROM;
    if (parens)
        virt_put(v, e->at.start, "(");
    virt_expr(v, e);
    if (parens)
        virt_put(v, e->at.end, ")");
}

// ---- displays and literals ----

static void virt_items(Virt *v, const Expr *e)
{
    switch (e->kind) {
    case EXPR_LIST: virt_exprs(v, e->list.elts); return;
    case EXPR_SET: virt_exprs(v, e->set.elts); return;
    case EXPR_DICT: virt_exprs(v, e->dict.keys); virt_exprs(v, e->dict.values); return;
    case EXPR_TUPLE: virt_exprs(v, e->tuple.elts); return;
    EXPR_CASES_CHOREO: EXPR_CASES_LOCAL: EXPR_CASES_ARRAY: EXPR_CASES_CONTROL: EXPR_CASES_SURFACE:
    case EXPR_BOOL_OP: case EXPR_NAMED_EXPR: case EXPR_BIN_OP: case EXPR_UNARY_OP:
    case EXPR_LAMBDA: case EXPR_IF_EXP: case EXPR_LIST_COMP: case EXPR_SET_COMP:
    case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_COMPARE: case EXPR_CALL:
    case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_ATTRIBUTE:
    case EXPR_SUBSCRIPT: case EXPR_STARRED: case EXPR_NAME: case EXPR_SLICE: case EXPR_COUNT:
        break;
    }
}

static void virt_display(Virt *v, const Expr *e, HookId hook)
{
    if (has_slices(e) || !virt_takes(v, e, hook, 2, NULL)) {
        virt_items(v, e);
        return;
    }
    virt_put(v, e->at.start, "%s(", use_hook(v, hook, FORM_PLAIN));
    v->w.depth++;
    if (e->kind == EXPR_TUPLE && !has_parens(v, e))
        virt_bare_tuple(v, e, false);
    else
        virt_items(v, e);
    v->w.depth--;
    virt_put(v, e->at.end, ")");
}

static void virt_constant(Virt *v, const Expr *e)
{
    if (!virt_takes(v, e, HOOK_CONSTANT, 1, NULL))
        return;
    virt_put(v, e->at.start, "%s(", use_hook(v, HOOK_CONSTANT, FORM_PLAIN));
    virt_put(v, e->at.end, ")");
}

// ---- calls ----

// Looked at by name: what they do depends on the frame that calls them.
static bool is_exempt(const Expr *func)
{
    static const char *const names[] = {"super", "locals", "vars", "dir", "globals", "eval",
                                        "exec", "__import__", "breakpoint", NULL};
    return func->kind == EXPR_NAME && sym_is_one_of(func->name.id, names);
}

static bool shares_parens(const Expr *e, const Token *open)
{
    return e->call.args.len == 1 && e->call.keywords.len == 0
           && e->call.args.at[0]->kind == EXPR_GENERATOR_EXP
           && e->call.args.at[0]->at.start == open->at.start;
}

static bool is_builtin(const Virt *v, Sym name)
{
    const Symbol *here = block_symbol(v->w.block, name);
    const Symbol *module = block_symbol(v->scopes.module, name);
    bool global = here == NULL || !(here->scope == SYMBOL_LOCAL || here->scope == SYMBOL_CELL
                                    || here->scope == SYMBOL_FREE);
    return global && (module == NULL || !(module->flags & SYMBOL_BOUND));
}

// In code that has moved, super() cannot find its function.
static void complete_super(Virt *v, const Expr *e, const Token *open)
{
    const Expr *f = e->call.func;
    bool bare = e->call.args.len == 0 && e->call.keywords.len == 0;
    bool moved = v->w.frame->first != NULL && (v->w.moved || is_boxed(v, v->w.frame->first));
    if (bare && moved && f->kind == EXPR_NAME && sym_is(f->name.id, "super")
        && is_builtin(v, f->name.id))
        virt_put(v, open->at.end, "__class__, %s", boxed_value(v, v->w.frame->first));
}

// `f(*args)`, or `f(*args, **kwargs)`.
static bool has_stars_alone(const Expr *e)
{
    KeywordList keywords = e->call.keywords;
    return e->call.args.len == 1 && e->call.args.at[0]->kind == EXPR_STARRED
           && (keywords.len == 0 || (keywords.len == 1 && keywords.at[0]->arg == NULL));
}

static void drop_stars(Virt *v, const Expr *e)
{
    virt_replace(v, token_from(v, e->call.args.at[0]->at.start)->at, "%s", "");
    if (e->call.keywords.len > 0)
        virt_replace(v, token_from(v, e->call.keywords.at[0]->at.start)->at, "%s", "");
}

static void close_call(Virt *v, const Expr *e, bool taken)
{
    const Token *open = token_of_kind(v, e->call.func->at.end, TOK_LPAR);
    bool empty = e->call.args.len == 0 && e->call.keywords.len == 0;
    bool shared = shares_parens(e, open);
    if (taken && has_stars_alone(e))
        drop_stars(v, e);
    if (!taken)
        complete_super(v, e, open);
    else if (shared)
        virt_put(v, open->at.start, ", ");
    else
        virt_replace(v, open->at, empty ? "" : ", ");
    virt_exprs(v, e->call.args);
    for (size_t i = 0; i < e->call.keywords.len; i++)
        virt_expr(v, e->call.keywords.at[i]->value);
    if (taken && shared)
        virt_put(v, e->at.end, ")");
}

// ---- attributes and items ----

void replace_attribute(Virt *v, const Expr *e)
{
    const Token *dot = token_past_parens(v, e->attribute.value->at.end);
    virt_replace(v, dot->at, ", ");
    virt_replace(v, dot[1].at, "%s", quoted(v, mangled(v, e->attribute.attr)));
}

void replace_index(Virt *v, const Expr *e, const char *end)
{
    virt_replace(v, token_of_kind(v, e->subscript.value->at.end, TOK_LSQB)->at, ", ");
    virt_index(v, e->subscript.slice);
    virt_replace(v, (Span){e->at.end - 1, e->at.end}, "%s", end);
}

static void close_subscript(Virt *v, const Expr *e, bool taken)
{
    if (!taken) {
        virt_expr(v, e->subscript.slice);
        return;
    }
    replace_index(v, e, ")");
}

// ---- conditional expressions ----

// CPython asks once more for what comes from the first arm, if it is a value.
static Asked asked_body(Asked asked) { return asked == ASKED_TEST ? ASKED_TEST : ASKED_NO; }

static bool open_if_exp(Virt *v, const Expr *e, Asked asked)
{
    const Expr *body = e->if_exp.body, *test = e->if_exp.test;
    const char *why = why_no_lambda(v, facts_of_expr(v, body) | facts_of_expr(v, e->if_exp.orelse));
    if (!wants(v, HOOK_IF_EXPR) || !virt_takes(v, e, HOOK_IF_EXPR, 1, why)) {
        virt_asked(v, body, asked_body(asked));
        virt_test(v, test);
        return false;
    }
    virt_put(v, e->at.start, "%s(lambda: ", use_derived(v, "if_expr_of"));
    v->w.depth++;
    v->w.asked = asked_body(asked);
    virt_lambda_body(v, body);
    virt_replace(v, token_of_kind(v, body->at.end, TOK_IF)->at, ",");
    virt_asked(v, test, ASKED_TEST);
    virt_replace(v, token_of_kind(v, test->at.end, TOK_ELSE)->at, ", lambda:");
    v->w.depth--;
    return true;
}

// ---- chains ----

static bool open_unary(Virt *v, const Expr *e)
{
    HookId hook = unary_hooks[e->unary_op.op];
    const Token *word = token_from(v, e->at.start);
    if (is_sign(e) || !virt_takes(v, e, hook, 1, NULL))
        return false;
    virt_replace(v, word->at, "%s(", use_hook(v, hook, FORM_PLAIN));
    return true;
}

// `not` as a value, where only truth can be overloaded.
static bool open_not(Virt *v, const Expr *e)
{
    const Token *word = token_from(v, e->at.start);
    if (e->unary_op.op != UNARYOP_NOT || wants(v, HOOK_NOT) || !wants(v, HOOK_TRUTH))
        return open_unary(v, e);
    if (!virt_takes(v, e, HOOK_TRUTH, 1, NULL))
        return false;
    virt_put(v, word->at.end, " %s(", use_hook(v, HOOK_TRUTH, FORM_PLAIN));
    return true;
}

static bool open_with(Virt *v, const Expr *e, HookId hook, const char *why)
{
    bool taken = virt_takes(v, e, hook, 1, why);
    if (taken)
        virt_put(v, e->at.start, "%s(", use_hook(v, hook, FORM_PLAIN));
    return taken;
}

static bool open_call(Virt *v, const Expr *e)
{
    bool taken = virt_takes(v, e, HOOK_CALL, 1, NULL);
    if (taken)
        virt_put(v, e->at.start, "%s(", has_stars_alone(e) ? use_derived(v, "call_star")
                                                           : use_hook(v, HOOK_CALL, FORM_PLAIN));
    return taken;
}

// Opens a link of a chain, or emits what is none. Gives whether it became a call.
static bool open_expr(Virt *v, const Expr *e, Asked asked);

static void close_expr(Virt *v, const Expr *e, bool taken)
{
    switch (e->kind) {
    case EXPR_CALL: close_call(v, e, taken); break;
    case EXPR_ATTRIBUTE:
        if (taken)
            replace_attribute(v, e);
        break;
    case EXPR_SUBSCRIPT: close_subscript(v, e, taken); return;
    case EXPR_BIN_OP:
        if (taken)
            replace_operator(v, e->bin_op.left->at.end, ",");
        virt_expr(v, e->bin_op.right);
        break;
    case EXPR_UNARY_OP: case EXPR_IF_EXP: break;
    case EXPR_BOOL_OP: case EXPR_NAMED_EXPR: case EXPR_LAMBDA: case EXPR_DICT: case EXPR_SET:
    case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP:
    case EXPR_AWAIT: case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_COMPARE:
    case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_STARRED:
    case EXPR_NAME: case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE: case EXPR_LOCATED:
    case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_SEND: case EXPR_RECV:
    case EXPR_SEND_LABEL: case EXPR_UNIT: case EXPR_COUNT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
        return;
    }
    bool ends = e->kind != EXPR_CALL;           // a call has its own parenthesis
    if (taken && ends)
        virt_put(v, e->at.end, ")");
}

static void virt_lambda(Virt *v, const Expr *e)
{
    const Arguments *args = e->lambda.args;
    virt_exprs(v, args->defaults);
    virt_exprs(v, args->kw_defaults);
    Where outer = frame_enter(v, scopes_block(&v->scopes, e), args,
                              facts_of_expr(v, e->lambda.body), false, e->at);
    virt_expr(v, e->lambda.body);
    frame_leave(v, outer);
}

static bool open_expr(Virt *v, const Expr *e, Asked asked)
{
    switch (e->kind) {
    case EXPR_CALL: return !is_exempt(e->call.func) && open_call(v, e);
    case EXPR_ATTRIBUTE: return open_with(v, e, HOOK_GETATTR, why_no_string(v));
    case EXPR_SUBSCRIPT: return open_with(v, e, HOOK_GETITEM, NULL);
    case EXPR_BIN_OP: return open_with(v, e, binary_hooks[e->bin_op.op], NULL);
    case EXPR_UNARY_OP: return open_not(v, e);
    case EXPR_IF_EXP: return open_if_exp(v, e, asked);
    case EXPR_BOOL_OP: virt_bool_op(v, e, asked); break;
    case EXPR_NAMED_EXPR: virt_named(v, e); break;
    case EXPR_LAMBDA: virt_lambda(v, e); break;
    case EXPR_DICT: virt_display(v, e, HOOK_NEW_DICT); break;
    case EXPR_SET: virt_display(v, e, HOOK_NEW_SET); break;
    case EXPR_LIST_COMP:
        virt_comp(v, e, (Comp){"list", e->list_comp.elt, NULL, e->list_comp.generators});
        break;
    case EXPR_SET_COMP:
        virt_comp(v, e, (Comp){"set", e->set_comp.elt, NULL, e->set_comp.generators});
        break;
    case EXPR_DICT_COMP:
        virt_comp(v, e, (Comp){"dict", e->dict_comp.key, e->dict_comp.value,
                               e->dict_comp.generators});
        break;
    case EXPR_GENERATOR_EXP:
        virt_comp(v, e, (Comp){"gen", e->generator_exp.elt, NULL, e->generator_exp.generators});
        break;
    case EXPR_AWAIT: virt_waiting(v, e, HOOK_AWAIT, e->await.value, TOK_AWAIT); break;
    case EXPR_YIELD: virt_waiting(v, e, HOOK_YIELD, e->yield.value, TOK_YIELD); break;
    case EXPR_YIELD_FROM:
        virt_waiting(v, e, HOOK_YIELD_FROM, e->yield_from.value, TOK_FROM);
        break;
    case EXPR_COMPARE: virt_compare(v, e, asked); break;
    case EXPR_JOINED_STR: virt_fstring(v, e); break;
    case EXPR_STARRED: virt_expr(v, e->starred.value); break;
    case EXPR_LIST: virt_display(v, e, HOOK_NEW_LIST); break;
    case EXPR_TUPLE: virt_display(v, e, HOOK_NEW_TUPLE); break;
    case EXPR_CONSTANT: virt_constant(v, e); break;
    case EXPR_SLICE: virt_slice(v, e, false); break;
    case EXPR_NAME:
        if (is_boxed(v, e->name.id))
            virt_replace(v, e->at, "%s", boxed_value(v, e->name.id));
        break;
    case EXPR_FORMATTED_VALUE: case EXPR_LOCATED:
    case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_SEND: case EXPR_RECV:
    case EXPR_SEND_LABEL: case EXPR_UNIT: case EXPR_COUNT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
        break;
    }
    return false;
}

// What becomes of the next link's value: an arm goes where the whole goes, `not` asks.
static Asked asked_below(const Expr *e, Asked asked)
{
    bool negates = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT;
    return e->kind == EXPR_IF_EXP || (negates && asked == ASKED_TEST) ? asked : ASKED_NO;
}

void virt_expr(Virt *v, const Expr *e)
{
    Asked asked = v->w.asked;
    v->w.asked = ASKED_NO;
    if (e == NULL)
        return;
    if (expr_spine_child(e) == NULL) {
        open_expr(v, e, asked);
        return;
    }
    size_t n;
    bool moved = v->w.moved;
    const Expr **spine = expr_spine(v->arena, e, &n);
    bool *taken = ARENA_ARRAY(v->arena, bool, n), *was_moved = ARENA_ARRAY(v->arena, bool, n);
    for (size_t i = 0; i < n; i++) {
        was_moved[i] = v->w.moved;
        taken[i] = open_expr(v, spine[i], asked);
        asked = asked_below(spine[i], asked);
        v->w.depth += taken[i];
        v->w.moved |= taken[i] && spine[i]->kind == EXPR_IF_EXP;
    }
    for (size_t i = n; i-- > 0;) {
        v->w.moved = was_moved[i];
        close_expr(v, spine[i], taken[i]);
        v->w.depth -= taken[i];
    }
    v->w.moved = moved;
}

void virt_exprs(Virt *v, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        virt_expr(v, list.at[i]);
}
