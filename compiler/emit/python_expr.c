// python_expr.c - expressions. Precedences follow the grammar of the Python reference, chapter 6
// and 10 ("Full Grammar specification"). Spines are written in a loop, see compiler/README.md.

#include "compiler/emit/python_internal.h"

#include <stdio.h>
#include <string.h>

static const char *const operator_text[OPERATOR_COUNT] = {
    [OPERATOR_ADD] = "+", [OPERATOR_SUB] = "-", [OPERATOR_MULT] = "*", [OPERATOR_MAT_MULT] = "@",
    [OPERATOR_DIV] = "/", [OPERATOR_MOD] = "%", [OPERATOR_POW] = "**", [OPERATOR_L_SHIFT] = "<<",
    [OPERATOR_R_SHIFT] = ">>", [OPERATOR_BIT_OR] = "|", [OPERATOR_BIT_XOR] = "^",
    [OPERATOR_BIT_AND] = "&", [OPERATOR_FLOOR_DIV] = "//",
};

static const char *const cmpop_text[CMPOP_COUNT] = {
    [CMPOP_EQ] = "==", [CMPOP_NOT_EQ] = "!=", [CMPOP_LT] = "<", [CMPOP_LT_E] = "<=",
    [CMPOP_GT] = ">", [CMPOP_GT_E] = ">=", [CMPOP_IS] = "is", [CMPOP_IS_NOT] = "is not",
    [CMPOP_IN] = "in", [CMPOP_NOT_IN] = "not in",
};

const char *py_operator_text(Operator op)
{
    return operator_text[op];
}

// ---- precedence ----

static Prec operator_prec(Operator op)
{
    switch (op) {
    case OPERATOR_ADD: case OPERATOR_SUB:
        return PREC_ARITH;
    case OPERATOR_MULT: case OPERATOR_MAT_MULT: case OPERATOR_DIV: case OPERATOR_MOD:
    case OPERATOR_FLOOR_DIV:
        return PREC_TERM;
    case OPERATOR_POW:
        return PREC_POWER;
    case OPERATOR_L_SHIFT: case OPERATOR_R_SHIFT:
        return PREC_SHIFT;
    case OPERATOR_BIT_OR:
        return PREC_BIT_OR;
    case OPERATOR_BIT_XOR:
        return PREC_BIT_XOR;
    case OPERATOR_BIT_AND:
        return PREC_BIT_AND;
    case OPERATOR_COUNT:
        break;
    }
    return PREC_ATOM;
}

static Prec prec_of(const Expr *e)
{
    switch (e->kind) {
    case EXPR_NAMED_EXPR:
        return PREC_NAMED;
    case EXPR_YIELD: case EXPR_YIELD_FROM:
        return PREC_YIELD;
    case EXPR_TUPLE:
        return e->tuple.elts.len > 0 ? PREC_TUPLE : PREC_ATOM;
    case EXPR_IF_EXP: case EXPR_LAMBDA:
        return PREC_TEST;
    case EXPR_BOOL_OP:
        return e->bool_op.op == BOOLOP_OR ? PREC_OR : PREC_AND;
    case EXPR_UNARY_OP:
        return e->unary_op.op == UNARYOP_NOT ? PREC_NOT : PREC_FACTOR;
    case EXPR_COMPARE:
        return PREC_COMPARE;
    case EXPR_BIN_OP:
        return operator_prec(e->bin_op.op);
    case EXPR_PIN:
        return PREC_TERM;
    case EXPR_AWAIT:
        return PREC_AWAIT;
    case EXPR_CONSTANT:
        return py_constant_prec(e->constant.value);
    case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP:
    case EXPR_GENERATOR_EXP: case EXPR_CALL: case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR:
    case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT: case EXPR_STARRED: case EXPR_NAME: case EXPR_LIST:
    case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        break;
    }
    return PREC_ATOM;
}

// What the child on the spine has to be.
static Prec spine_min(const Expr *e)
{
    if (e->kind == EXPR_BIN_OP)
        return e->bin_op.op == OPERATOR_POW ? PREC_AWAIT : operator_prec(e->bin_op.op);
    if (e->kind == EXPR_UNARY_OP)
        return prec_of(e);
    return e->kind == EXPR_IF_EXP ? PREC_TEST : PREC_ATOM;
}

// `1.real` is no Python.
static bool is_bare_integer_before_dot(const Expr *parent, const Expr *e)
{
    return parent != NULL && parent->kind == EXPR_ATTRIBUTE && e->kind == EXPR_CONSTANT &&
           e->constant.value->kind == CONST_INT;
}

// ---- lists ----

static void put_separator(Py *p, size_t i)
{
    if (i == 0)
        return;
    py_puts(p, ", ");
    py_mark(p, MARK_BREAK);
}

static void put_items(Py *p, ExprList items)
{
    for (size_t i = 0; i < items.len; i++) {
        put_separator(p, i);
        py_expr(p, items.at[i], PREC_TEST);
    }
}

static void open_bracket(Py *p, const char *bracket)
{
    py_puts(p, bracket);
    py_mark(p, MARK_OPEN);
}

static void close_bracket(Py *p, const char *bracket)
{
    py_mark(p, MARK_CLOSE);
    py_puts(p, bracket);
}

// The items of a tuple without its parentheses; no line can be broken there.
static void put_bare_tuple(Py *p, ExprList items)
{
    for (size_t i = 0; i < items.len; i++) {
        if (i > 0)
            py_puts(p, ", ");
        py_expr(p, items.at[i], PREC_TEST);
    }
    if (items.len == 1)
        py_puts(p, ",");
}

// In parentheses where a bare one cannot stand.
static void put_tuple(Py *p, const Expr *e, Prec min)
{
    ExprList items = e->tuple.elts;
    if (items.len > 0 && min <= PREC_TUPLE) {
        put_bare_tuple(p, items);
        return;
    }
    open_bracket(p, "(");
    put_items(p, items);
    if (items.len == 1)
        py_puts(p, ",");
    close_bracket(p, ")");
}

static void put_dict(Py *p, const Expr *e)
{
    open_bracket(p, "{");
    for (size_t i = 0; i < e->dict.keys.len; i++) {
        put_separator(p, i);
        if (e->dict.keys.at[i] == NULL) {
            py_puts(p, "**");
            py_expr(p, e->dict.values.at[i], PREC_BIT_OR);
            continue;
        }
        py_expr(p, e->dict.keys.at[i], PREC_TEST);
        py_puts(p, ": ");
        py_expr(p, e->dict.values.at[i], PREC_TEST);
    }
    close_bracket(p, "}");
}

// There is no literal for the empty set.
static void put_set(Py *p, ExprList elts)
{
    open_bracket(p, "{");
    if (elts.len == 0)
        py_puts(p, "*()");
    put_items(p, elts);
    close_bracket(p, "}");
}

// ---- comprehensions ----

static void put_generators(Py *p, ComprehensionList generators)
{
    for (size_t i = 0; i < generators.len; i++) {
        const Comprehension *c = generators.at[i];
        py_puts(p, " ");
        py_mark(p, MARK_BREAK);
        py_puts(p, c->is_async ? "async for " : "for ");
        py_target(p, c->target);
        py_puts(p, " in ");
        py_expr(p, c->iter, PREC_OR);
        for (size_t k = 0; k < c->ifs.len; k++) {
            py_puts(p, " ");
            py_mark(p, MARK_BREAK);
            py_puts(p, "if ");
            py_expr(p, c->ifs.at[k], PREC_OR);
        }
    }
}

static void put_comprehension(Py *p, const char *open, const Expr *elt, const Expr *value,
                              ComprehensionList generators, const char *close)
{
    open_bracket(p, open);
    if (value != NULL) {
        py_expr(p, elt, PREC_TEST);
        py_puts(p, ": ");
        py_expr(p, value, PREC_TEST);
    } else {
        py_named(p, elt);
    }
    put_generators(p, generators);
    close_bracket(p, close);
}

// ---- calls ----

static void put_keyword(Py *p, const Keyword *k)
{
    if (k->arg == NULL) {
        py_puts(p, "**");
        py_expr(p, k->value, PREC_BIT_OR);
        return;
    }
    py_puts(p, k->arg);
    py_puts(p, "=");
    py_expr(p, k->value, PREC_TEST);
}

void py_call_args(Py *p, ExprList args, KeywordList keywords, bool bare_generator)
{
    if (bare_generator && args.len == 1 && keywords.len == 0 &&
        args.at[0]->kind == EXPR_GENERATOR_EXP) {
        py_expr(p, args.at[0], PREC_ATOM);
        return;
    }
    open_bracket(p, "(");
    for (size_t i = 0; i < args.len; i++) {
        put_separator(p, i);
        py_named(p, args.at[i]);
    }
    for (size_t i = 0; i < keywords.len; i++) {
        put_separator(p, args.len + i);
        put_keyword(p, keywords.at[i]);
    }
    close_bracket(p, ")");
}

// ---- subscripts ----

static bool has_starred(ExprList items)
{
    for (size_t i = 0; i < items.len; i++)
        if (items.at[i]->kind == EXPR_STARRED)
            return true;
    return false;
}

static bool has_slice(ExprList items)
{
    for (size_t i = 0; i < items.len; i++)
        if (items.at[i]->kind == EXPR_SLICE)
            return true;
    return false;
}

// A star in a subscript is Python 3.11, unless the tuple is in parentheses; those cannot hold a
// slice.
static void put_index(Py *p, const Expr *slice)
{
    if (slice->kind != EXPR_TUPLE || slice->tuple.elts.len == 0 ||
        (has_starred(slice->tuple.elts) && !has_slice(slice->tuple.elts))) {
        py_expr(p, slice, PREC_TEST);
        return;
    }
    put_items(p, slice->tuple.elts);
    if (slice->tuple.elts.len == 1)
        py_puts(p, ",");
}

static void put_slice(Py *p, const Expr *e)
{
    if (e->slice.lower != NULL)
        py_expr(p, e->slice.lower, PREC_TEST);
    py_puts(p, ":");
    if (e->slice.upper != NULL)
        py_expr(p, e->slice.upper, PREC_TEST);
    if (e->slice.step == NULL)
        return;
    py_puts(p, ":");
    py_expr(p, e->slice.step, PREC_TEST);
}

// ---- parameters ----

static void put_arg(Py *p, const Arg *a, bool annotated)
{
    py_puts(p, a->arg);
    if (annotated && a->annotation != NULL) {
        py_puts(p, ": ");
        py_expr(p, a->annotation, PREC_TEST);
    }
}

static void put_default(Py *p, const Arg *a, const Expr *value, bool annotated)
{
    if (value == NULL)
        return;
    py_puts(p, annotated && a->annotation != NULL ? " = " : "=");
    py_expr(p, value, PREC_TEST);
}

// Defaults belong to the last of the positional parameters.
static size_t put_positional(Py *p, const Arguments *args, bool annotated)
{
    size_t total = args->posonlyargs.len + args->args.len;
    for (size_t i = 0; i < total; i++) {
        size_t only = args->posonlyargs.len;
        const Arg *a = i < only ? args->posonlyargs.at[i] : args->args.at[i - only];
        put_separator(p, i);
        put_arg(p, a, annotated);
        if (i + args->defaults.len >= total)
            put_default(p, a, args->defaults.at[i + args->defaults.len - total], annotated);
        if (i + 1 == only)
            py_puts(p, ", /");
    }
    return total;
}

static void put_starred(Py *p, const char *stars, const Arg *a, size_t *count, bool annotated)
{
    put_separator(p, (*count)++);
    py_puts(p, stars);
    if (a != NULL)
        put_arg(p, a, annotated);
}

void py_arguments(Py *p, const Arguments *args, bool annotated)
{
    size_t count = put_positional(p, args, annotated);
    if (args->vararg != NULL || args->kwonlyargs.len > 0)
        put_starred(p, "*", args->vararg, &count, annotated);
    for (size_t i = 0; i < args->kwonlyargs.len; i++) {
        put_separator(p, count++);
        put_arg(p, args->kwonlyargs.at[i], annotated);
        put_default(p, args->kwonlyargs.at[i], args->kw_defaults.at[i], annotated);
    }
    if (args->kwarg != NULL)
        put_starred(p, "**", args->kwarg, &count, annotated);
}

static bool has_parameters(const Arguments *args)
{
    return args->posonlyargs.len + args->args.len + args->kwonlyargs.len > 0 ||
           args->vararg != NULL || args->kwarg != NULL;
}

// The commas of a lambda's parameters belong to no bracket.
static void put_lambda(Py *p, const Expr *e)
{
    py_puts(p, has_parameters(e->lambda.args) ? "lambda " : "lambda");
    p->unbreakable++;
    py_arguments(p, e->lambda.args, false);
    p->unbreakable--;
    py_puts(p, ": ");
    py_expr(p, e->lambda.body, PREC_TEST);
}

// ---- operators ----

// An operator that may start a line.
static void put_operator(Py *p, const char *text)
{
    py_puts(p, " ");
    py_mark(p, MARK_BREAK);
    py_puts(p, text);
    py_puts(p, " ");
}

static void put_bool_op(Py *p, const Expr *e)
{
    bool is_or = e->bool_op.op == BOOLOP_OR;
    py_mark(p, MARK_OPERATION);
    for (size_t i = 0; i < e->bool_op.values.len; i++) {
        if (i > 0)
            put_operator(p, is_or ? "or" : "and");
        py_expr(p, e->bool_op.values.at[i], is_or ? PREC_AND : PREC_NOT);
    }
    py_mark(p, MARK_CLOSE);
}

static void put_compare(Py *p, const Expr *e)
{
    py_mark(p, MARK_OPERATION);
    py_expr(p, e->compare.left, PREC_BIT_OR);
    for (size_t i = 0; i < e->compare.ops.len; i++) {
        put_operator(p, cmpop_text[e->compare.ops.at[i]]);
        py_expr(p, e->compare.comparators.at[i], PREC_BIT_OR);
    }
    py_mark(p, MARK_CLOSE);
}

static void put_unary_op(Py *p, Unaryop op)
{
    switch (op) {
    case UNARYOP_INVERT: py_puts(p, "~"); break;
    case UNARYOP_NOT:    py_puts(p, "not "); break;
    case UNARYOP_U_ADD:  py_puts(p, "+"); break;
    case UNARYOP_U_SUB:  py_puts(p, "-"); break;
    case UNARYOP_COUNT:  break;
    }
}

static void put_prefixed(Py *p, const char *prefix, const Expr *value, Prec min)
{
    py_puts(p, prefix);
    py_expr(p, value, min);
}

static void put_named_expr(Py *p, const Expr *e)
{
    py_expr(p, e->named_expr.target, PREC_ATOM);
    put_prefixed(p, " := ", e->named_expr.value, PREC_TEST);
}

// ---- our own forms ----

void py_roles(Py *p, SymList roles)
{
    for (size_t i = 0; i < roles.len; i++) {
        if (i > 0)
            py_puts(p, ", ");
        py_puts(p, roles.at[i]);
    }
}

static void put_located(Py *p, const Expr *e)
{
    py_puts(p, "At[");
    py_expr(p, e->located.type, PREC_TEST);
    py_puts(p, ", ");
    py_roles(p, e->located.at_roles);
    py_puts(p, "]");
}

static void put_inst(Py *p, const Expr *e)
{
    py_expr(p, e->inst.target, PREC_ATOM);
    if (e->inst.actuals.len == 0)
        return;
    py_puts(p, "[");
    py_roles(p, e->inst.actuals);
    py_puts(p, "]");
}

static void put_pin(Py *p, const Expr *e)
{
    SymList roles = e->pin.at_roles;
    py_expr(p, e->pin.value, PREC_TERM);
    py_puts(p, roles.len == 1 ? "@" : "@(");
    py_roles(p, roles);
    py_puts(p, roles.len == 1 ? "" : ")");
}

static void put_method(Py *p, const Expr *channel, const char *method, const Expr *argument)
{
    py_expr(p, channel, PREC_ATOM);
    open_bracket(p, method);
    if (argument != NULL)
        py_expr(p, argument, PREC_TEST);
}

static void put_com(Py *p, const Expr *channel, const Expr *value, bool shared)
{
    put_method(p, channel, shared ? ".share(" : ".com(", value);
    close_bracket(p, ")");
}

bool py_has_site(const Py *p, uint32_t end) { return site_number(p->options.sites, end) > 0; }

void py_site(Py *p, uint32_t end)
{
    char text[32];
    snprintf(text, sizeof text, "site=%d", site_number(p->options.sites, end));
    py_puts(p, text);
}

// The number of the communication that ends there, as the last argument.
static void put_site(Py *p, const Expr *e)
{
    if (!py_has_site(p, e->at.end))
        return;
    put_separator(p, 1);
    py_site(p, e->at.end);
}

static void put_expected(Py *p, const Ty *payload)
{
    Buf type = buf_new(p->arena);
    emit_ty(&type, payload);
    py_puts(p, "expect=");
    py_puts(p, buf_text(&type));
}

// By its wire type a value is sent as what it stands for; what is shared is kept as it is read.
static void put_send(Py *p, const Expr *e)
{
    put_method(p, e->send.channel, e->send.shared ? ".share(" : ".com(", e->send.value);
    put_separator(p, 1);
    put_expected(p, e->send.payload);
    put_site(p, e);
    close_bracket(p, ")");
}

static void put_select(Py *p, const Expr *channel, const Expr *label, Sym sender)
{
    put_method(p, channel, ".select(", label);
    if (sender != NULL) {
        py_puts(p, "@");
        py_puts(p, sender);
    }
    close_bracket(p, ")");
}

static void put_send_label(Py *p, const Expr *e)
{
    put_method(p, e->send_label.channel, ".select(", e->send_label.label);
    put_site(p, e);
    close_bracket(p, ")");
}

static void put_recv(Py *p, const Expr *e)
{
    put_method(p, e->recv.channel, ".com(", NULL);
    put_expected(p, e->recv.payload);
    put_site(p, e);
    close_bracket(p, ")");
}

static void put_unit(Py *p, ExprList effects)
{
    py_puts(p, "Unit.id");
    if (effects.len > 0)
        py_call_args(p, effects, (KeywordList){0}, true);
}

// ---- expressions ----

// What stands before the child on the spine.
static void open_spine(Py *p, const Expr *e)
{
    if (e->kind == EXPR_UNARY_OP) {
        put_unary_op(p, e->unary_op.op);
    } else if (e->kind == EXPR_IF_EXP) {
        py_expr(p, e->if_exp.body, PREC_OR);
        put_operator(p, "if");
        py_expr(p, e->if_exp.test, PREC_OR);
        put_operator(p, "else");
    }
}

static void close_bin_op(Py *p, const Expr *e)
{
    Operator op = e->bin_op.op;
    put_operator(p, operator_text[op]);
    py_expr(p, e->bin_op.right,
            op == OPERATOR_POW ? PREC_FACTOR : (Prec)(operator_prec(op) + 1));
}

// What stands behind it.
static void close_spine(Py *p, const Expr *e)
{
    if (e->kind == EXPR_BIN_OP) {
        close_bin_op(p, e);
    } else if (e->kind == EXPR_CALL) {
        py_call_args(p, e->call.args, e->call.keywords, true);
    } else if (e->kind == EXPR_ATTRIBUTE) {
        py_puts(p, ".");
        py_puts(p, e->attribute.attr);
    } else if (e->kind == EXPR_SUBSCRIPT) {
        open_bracket(p, "[");
        put_index(p, e->subscript.slice);
        close_bracket(p, "]");
    }
}

// A form that has no spine, without parentheses of its own precedence.
static void put_leaf(Py *p, const Expr *e, Prec min)
{
    switch (e->kind) {
    case EXPR_BOOL_OP:      put_bool_op(p, e); break;
    case EXPR_NAMED_EXPR:   put_named_expr(p, e); break;
    case EXPR_LAMBDA:       put_lambda(p, e); break;
    case EXPR_DICT:         put_dict(p, e); break;
    case EXPR_SET:          put_set(p, e->set.elts); break;
    case EXPR_LIST_COMP:
        put_comprehension(p, "[", e->list_comp.elt, NULL, e->list_comp.generators, "]");
        break;
    case EXPR_SET_COMP:
        put_comprehension(p, "{", e->set_comp.elt, NULL, e->set_comp.generators, "}");
        break;
    case EXPR_DICT_COMP:
        put_comprehension(p, "{", e->dict_comp.key, e->dict_comp.value, e->dict_comp.generators,
                          "}");
        break;
    case EXPR_GENERATOR_EXP:
        put_comprehension(p, "(", e->generator_exp.elt, NULL, e->generator_exp.generators, ")");
        break;
    case EXPR_AWAIT:        put_prefixed(p, "await ", e->await.value, PREC_ATOM); break;
    case EXPR_YIELD:
        py_puts(p, "yield");
        if (e->yield.value != NULL)
            put_prefixed(p, " ", e->yield.value, PREC_TUPLE);
        break;
    case EXPR_YIELD_FROM:   put_prefixed(p, "yield from ", e->yield_from.value, PREC_TEST); break;
    case EXPR_COMPARE:      put_compare(p, e); break;
    case EXPR_FORMATTED_VALUE: py_field(p, e); break;
    case EXPR_JOINED_STR:   py_fstring(p, e); break;
    case EXPR_CONSTANT:     py_constant(p, e->constant.value, e->constant.kind); break;
    case EXPR_STARRED:      put_prefixed(p, "*", e->starred.value, PREC_BIT_OR); break;
    case EXPR_NAME:         py_puts(p, e->name.id); break;
    case EXPR_LIST:
        open_bracket(p, "[");
        put_items(p, e->list.elts);
        close_bracket(p, "]");
        break;
    case EXPR_TUPLE:        put_tuple(p, e, min); break;
    case EXPR_SLICE:        put_slice(p, e); break;
    case EXPR_LOCATED:      put_located(p, e); break;
    case EXPR_INST:         put_inst(p, e); break;
    case EXPR_PIN:          put_pin(p, e); break;
    case EXPR_COM:          put_com(p, e->com.channel, e->com.value, e->com.shared); break;
    case EXPR_SELECT:       put_select(p, e->select.channel, e->select.label, e->select.sender);
                            break;
    case EXPR_UNIT:         put_unit(p, e->unit.effects); break;
    case EXPR_SEND:         put_send(p, e); break;
    case EXPR_RECV:         put_recv(p, e); break;
    case EXPR_SEND_LABEL:   put_send_label(p, e); break;
    EXPR_CASES_ARRAY:       py_array(p, e); break;
    EXPR_CASES_CONTROL:     break;  // are statements by now (python_control.c)
    case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_IF_EXP: case EXPR_CALL: case EXPR_ATTRIBUTE:
    case EXPR_SUBSCRIPT: case EXPR_COUNT:
        break;                  // have a spine
    }
}

// A tuple puts its own parentheses, in which a line may be broken.
static bool needs_parens(const Expr *e, const Expr *parent, Prec min)
{
    return (prec_of(e) < min && e->kind != EXPR_TUPLE) || is_bare_integer_before_dot(parent, e);
}

// Operators of one precedence, or conditions, are broken together.
static bool starts_operation(const Expr *e, const Expr *parent)
{
    if (e->kind != EXPR_BIN_OP && e->kind != EXPR_IF_EXP)
        return false;
    return parent == NULL || parent->kind != e->kind || prec_of(parent) != prec_of(e);
}

typedef enum Around { AROUND_NOTHING, AROUND_PARENS, AROUND_MARKS } Around;

static Around open_around(Py *p, const Expr *e, const Expr *parent, Prec min)
{
    if (needs_parens(e, parent, min)) {
        open_bracket(p, "(");
        return AROUND_PARENS;
    }
    if (!starts_operation(e, parent))
        return AROUND_NOTHING;
    py_mark(p, MARK_OPERATION);
    return AROUND_MARKS;
}

static void close_around(Py *p, Around around)
{
    if (around == AROUND_PARENS)
        close_bracket(p, ")");
    else if (around == AROUND_MARKS)
        py_mark(p, MARK_CLOSE);
}

static void put_chain(Py *p, const Expr *e, Prec min)
{
    size_t n;
    const Expr **spine = expr_spine(p->arena, e, &n);
    Around *around = ARENA_ARRAY(p->arena, Around, n);
    for (size_t i = 0; i < n; i++) {
        const Expr *parent = i == 0 ? NULL : spine[i - 1];
        Prec least = parent == NULL ? min : spine_min(parent);
        around[i] = open_around(p, spine[i], parent, least);
        if (i + 1 < n)
            open_spine(p, spine[i]);
        else
            put_leaf(p, spine[i], least);
    }
    for (size_t i = n; i-- > 0; ) {
        if (i + 1 < n)
            close_spine(p, spine[i]);
        close_around(p, around[i]);
    }
}

void py_expr(Py *p, const Expr *e, Prec min)
{
    if (expr_spine_child(e) != NULL) {
        put_chain(p, e, min);
        return;
    }
    bool parens = needs_parens(e, NULL, min);
    if (parens)
        open_bracket(p, "(");
    put_leaf(p, e, min);
    if (parens)
        close_bracket(p, ")");
}

void py_named(Py *p, const Expr *e)
{
    py_expr(p, e, e->kind == EXPR_NAMED_EXPR ? PREC_NAMED : PREC_TEST);
}

void py_target(Py *p, const Expr *e)
{
    py_expr(p, e, PREC_TUPLE);
}
