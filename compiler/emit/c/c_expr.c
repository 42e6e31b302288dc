// c_expr.c - expressions: constants, names, displays, conditions, messages. Python's order of
// evaluation is that of the lines that are written before the statement.

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/emit/c/c_internal.h"
#include "compiler/emit/site_table.h"

// ---- constants ----

// The limbs of a number in decimal digits, the lowest first; how many.
static size_t limbs_of(Text digits, uint64_t *limbs)
{
    __extension__ typedef unsigned __int128 Wide;
    size_t count = 0;
    for (size_t i = 0; i < digits.len; i++) {
        uint64_t carry = (uint64_t)(digits.at[i] - '0');
        for (size_t j = 0; j < count; j++) {
            Wide product = (Wide)limbs[j] * 10 + carry;
            limbs[j] = (uint64_t)product;
            carry = (uint64_t)(product >> 64);
        }
        if (carry != 0)
            limbs[count++] = carry;
    }
    return count;
}

// A constant of the file for a number of more than 64 bits.
static const char *big_constant(CEmit *c, Text digits, const uint64_t *limbs, size_t count)
{
    Sym key = names_format(c->names, "i%.*s", (int)digits.len, digits.at);
    const char *known = table_get(c->texts, key);
    if (known != NULL)
        return known;
    const char *name = c_unique(c, c_text(c, "INT_%.*s", digits.len < 24 ? (int)digits.len : 24,
                                          digits.at));
    buf_printf(&c->constants, "static PychoralBig %s = PYCHORAL_BIG_CONSTANT(%zu", name, count);
    for (size_t i = 0; i < count; i++)
        buf_printf(&c->constants, "%s0x%" PRIx64, i % 4 == 0 ? ",\n    " : ", ", limbs[i]);
    buf_puts(&c->constants, ");\n");
    const char *text = c_text(c, "(PychoralInt){0, &%s}", name);
    table_set(c->texts, key, (void *)text);
    return text;
}

static Value int_constant(CEmit *c, const Rep *rep, Text digits)
{
    uint64_t *limbs = ARENA_ARRAY(c->arena, uint64_t, digits.len / 19 + 1);
    size_t count = limbs_of(digits, limbs);
    if (count == 0 || (count == 1 && limbs[0] <= INT64_MAX))
        return (Value){.rep = rep, .lasting = true,
                       .text = c_text(c, "pychoral_int(%.*s)", (int)digits.len, digits.at)};
    return (Value){.rep = rep, .lasting = true, .hold = HOLD_BORROWED,
                   .text = big_constant(c, digits, limbs, count)};
}

static const char *float_text(CEmit *c, double number)
{
    if (isinf(number))
        return "HUGE_VAL";
    const char *text = c_text(c, "%.17g", number);
    for (int digits = 1; digits < 17; digits++) {
        const char *shorter = c_text(c, "%.*g", digits, number);
        if (strtod(shorter, NULL) == number) {
            text = shorter;
            break;
        }
    }
    return strpbrk(text, ".en") ? text : c_text(c, "%s.0", text);
}

static Value constant(CEmit *c, const Expr *e)
{
    const Const *k = e->constant.value;
    Value v = {.lasting = true};
    switch (k->kind) {
    case CONST_NONE: v.rep = rep_named(c, "None"); v.text = "0"; return v;
    case CONST_BOOL: v.rep = rep_named(c, "bool"); v.text = k->truth ? "true" : "false"; return v;
    case CONST_INT: return int_constant(c, rep_named(c, "int"), k->text);
    case CONST_FLOAT: v.rep = rep_named(c, "float"); v.text = float_text(c, k->number); return v;
    case CONST_COMPLEX:
        v.rep = rep_named(c, "complex");
        v.text = c_text(c, "(PychoralComplex){0.0, %s}", float_text(c, k->number));
        return v;
    case CONST_STR: v.rep = rep_named(c, "str"); v.text = c_string(c, k->text, false); return v;
    case CONST_BYTES: v.rep = rep_named(c, "bytes"); v.text = c_string(c, k->text, true); return v;
    case CONST_ELLIPSIS: break;
    }
    return c_refuse(c, e->at, "the C target does not support `...` as a value");
}

// ---- names ----

CVariable *c_find_variable(CEmit *c, Sym name)
{
    return c->function ? table_get(c->function->variables, name) : NULL;
}

static const char *variable_text(CEmit *c, const CVariable *v)
{
    const char *text = v->held ? c_text(c, "held->%s", v->c_name) : v->c_name;
    if (!v->cell)
        return text;
    return c_text(c, "(*(%s*)%s->value)", v->rep->type, text);
}

Value c_variable(CEmit *c, CVariable *v)
{
    if (v->counter)
        return c_lasting(c_value(v->rep, c_text(c, "pychoral_int(%s)", v->c_name), HOLD_PLAIN));
    if (v->rep->kind == REP_NONE)               // it is not there
        return c_lasting(c_value(v->rep, "0", HOLD_PLAIN));
    Value value = c_value(v->rep, variable_text(c, v), HOLD_BORROWED);
    if (v->self_function)
        value.text = "self_function";
    value.place = !v->self_function;
    value.lasting = !v->cell && (c->function != NULL || !v->stored);
    return value;
}

static Value class_as_value(CEmit *c, const Expr *e)
{
    CClass *k = c_class_of(c, e->name.id, (TyList){0});
    const char *row = k != NULL ? k->row : c_builtin_class(c, e);
    if (row == NULL)
        return c_refuse(c, e->at, "the C target does not support the class `%s` as a value",
                        e->name.id);
    if (k != NULL)
        c_note_asked(c, k, e->at);
    Sym key = names_format(c->names, "class value %s", row);
    const char *name = table_get(c->functions, key);
    if (name == NULL) {
        name = c_unique(c, c_text(c, "%s_class", k != NULL ? k->c_name : e->name.id));
        table_set(c->functions, key, (void *)name);
        buf_printf(&c->functions_as_values, "PYCHORAL_HELPER PychoralClass %s = PYCHORAL_CLASS(%s)"
                   ";\n", name, row);
    }
    return (Value){.rep = rep_class_value(c), .text = c_text(c, "&%s", name), .lasting = true};
}

const Expr *c_bound(CEmit *c, const Expr *like, Value v)
{
    const Expr *e = expr_name(c->arena, like->at, names_get(c->names, "(value)"),
                              EXPR_CONTEXT_LOAD);
    Value *kept = ARENA_NEW(c->arena, Value);
    *kept = v;
    kept->movable = false;                      // it may be looked at more than once
    e = expr_with_ty(c->arena, e, like->ty, like->roles);
    table_set(c->values, e, kept);
    return e;
}

static Value name(CEmit *c, const Expr *e)
{
    Sym id = e->name.id;
    const Value *known = table_get(c->values, e);
    if (known != NULL)
        return *known;
    CVariable *v = c_find_variable(c, id);
    if (v != NULL && c_may_be_uninit(c, e))
        c_check_value(c, v);
    if (v != NULL)
        return c_variable(c, v);
    const CField *member = c->function == NULL ? c_member_before(c, e) : NULL;
    if (member != NULL)
        return member->factory ? c_refuse(c, e->at, "the C target does not support the use of `%s` "
                                          "here", id)
                               : c_field_default(c, member, e->at);
    const CName *n = c_global(c, id);
    if (n != NULL && n->kind == CNAME_VARIABLE) {
        Value value = c_variable(c, n->variable);
        value.lasting = false;
        return value;
    }
    Value out;
    bool class_value = e->ty != NULL && c_ty(c, e->ty)->kind == TY_NAMED
                       && sym_is(c_ty(c, e->ty)->named.name, "type");
    if (class_value)
        return class_as_value(c, e);
    Sym dotted = c_dotted(c, e);
    if (dotted != NULL && c_prim_constant(c, dotted, e, &out))
        return out;
    if (e->ty != NULL && c_ty(c, e->ty)->kind == TY_CALLABLE)
        return c_function_value(c, e);
    if (dotted != NULL && (strcmp(dotted, "typing.TYPE_CHECKING") == 0
                           || strcmp(dotted, "TYPE_CHECKING") == 0))
        return (Value){.rep = rep_named(c, "bool"), .text = "false", .lasting = true};
    if (strcmp(id, "__name__") == 0)
        return (Value){.rep = rep_named(c, "str"), .lasting = true,
                       .text = c_string(c, (Text){"__main__", 8}, false)};
    return c_refuse(c, e->at, "the C target does not support `%s` as a value", id);
}

// ---- parts that may not run ----

typedef struct Scratch { Buf text; Buf *outer; } Scratch;

static void scratch_begin(CEmit *c, Scratch *s)
{
    s->text = buf_new(c->arena);
    s->outer = c->out;
    c->out = &s->text;
}

static void scratch_end(CEmit *c, Scratch *s) { c->out = s->outer; }

static void print_scratch(CEmit *c, Scratch *s)
{
    c->out->indent++;
    buf_write(c->out, s->text.at ? s->text.at : "", s->text.len);
    c->out->indent--;
}

// ---- conditions ----

static const char *truth(CEmit *c, Value v)
{
    switch (v.rep->kind) {
    case REP_NONE: return "false";
    case REP_BOOL: return v.text;
    case REP_INT: return c_text(c, "%s != 0", c_small(c, v));
    case REP_FLOAT: return c_text(c, "%s != 0", v.text);
    case REP_STR: case REP_BYTES:
        return c_text(c, "%s != 0", c_member(c, c_borrowed(c, v), "size"));
    case REP_LIST: case REP_SEQUENCE: case REP_DICT: case REP_SET: case REP_FROZENSET:
        return c_text(c, "%s->count != 0", c_borrowed(c, v));
    case REP_DEQUE: return c_text(c, "pychoral_deque_len(%s) != 0", c_borrowed(c, v));
    case REP_TUPLE: (void)c_borrowed(c, v); return v.rep->count ? "true" : "false";
    case REP_ENUM:
        if (!v.rep->class_->enum_base
            && !c_find_method(v.rep->class_, names_get(c->names, "__bool__"))) {
            (void)c_borrowed(c, v);
            return "true";
        }
        break;
    case REP_FUNCTION: case REP_ITERATOR: case REP_CHANNEL: case REP_CELL:
    case REP_FOREIGN:
        (void)c_borrowed(c, v); return "true";
    case REP_CLASS:
        if (!c_find_method(v.rep->class_, names_get(c->names, "__bool__"))
            && !c_find_method(v.rep->class_, names_get(c->names, "__len__"))
            && v.rep->class_->derived.len == 0 && !v.rep->class_->is_named_tuple) {
            (void)c_borrowed(c, v);
            return "true";
        }
        break;
    case REP_COMPLEX: case REP_UNION: case REP_OBJECT: case REP_RANGE: break;
    }
    return c_call(c, rep_named(c, "bool"), c_text(c, "pychoral_truth(%s)", c_ref(c, v)), true).text;
}

CTruth c_known_truth(CEmit *c, const Expr *e)
{
    if (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT) {
        CTruth of = c_known_truth(c, e->unary_op.operand);
        return of == C_OPEN ? of : of == C_TRUE ? C_FALSE : C_TRUE;
    }
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_BOOL)
        return e->constant.value->truth ? C_TRUE : C_FALSE;
    bool name = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE;
    Sym dotted = name ? c_dotted(c, e) : NULL;
    bool checking = dotted != NULL && (strcmp(dotted, "typing.TYPE_CHECKING") == 0
                                       || strcmp(dotted, "TYPE_CHECKING") == 0);
    return checking ? C_FALSE : C_OPEN;
}

static const char *condition_bool_op(CEmit *c, const Expr *e)
{
    bool is_and = e->bool_op.op == BOOLOP_AND;
    const char *text = c_condition(c, e->bool_op.values.at[0]);
    for (size_t i = 1; i < e->bool_op.values.len; i++) {
        Scratch s;
        scratch_begin(c, &s);
        const char *next = c_operand(c, e, i);
        if (s.text.len > 0) {
            const char *t = c_new_name(c);
            c_line(c, "%s = %s;", t, next);
            scratch_end(c, &s);
            c_line(c, "bool %s = %s;\nif (%s%s) {", t, text, is_and ? "" : "!", t);
            print_scratch(c, &s);
            c_line(c, "}");
            text = t;
            continue;
        }
        scratch_end(c, &s);
        text = c_joined(c, text, next, is_and);
    }
    return c_in_brackets(c, text);
}

const char *c_condition(CEmit *c, const Expr *e)
{
    if (e->kind == EXPR_BOOL_OP)
        return condition_bool_op(c, e);
    if (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT)
        return c_negated(c, c_condition(c, e->unary_op.operand));
    return truth(c, c_expr_declared(c, e));
}

// ---- values of conditional parts ----

// A variable without a value yet that owns what it gets.
Value c_open_variable(CEmit *c, const Rep *rep)
{
    Value v = {.rep = rep, .lasting = true, .place = true,
               .text = rep->drop != NULL ? c_new_name(c) : c_plain_name(c),
               .movable = rep->drop != NULL, .hold = rep->drop ? HOLD_BORROWED : HOLD_PLAIN};
    c_line(c, "%s;", c_declaration(c, rep, v.text, NULL));
    return v;
}

Value c_open_or_none(CEmit *c, const Rep *rep)
{
    return rep->kind == REP_NONE ? (Value){.rep = rep, .text = "0", .lasting = true}
                                 : c_open_variable(c, rep);
}

static void put_first(CEmit *c, Value to, Value v)
{
    if (to.rep->kind == REP_NONE)
        (void)c_temp(c, v);
    else
        c_line(c, "%s = %s;", to.text, c_owned(c, v));
}

static Value bool_op(CEmit *c, const Expr *e)
{
    const Rep *rep = rep_of(c, e->ty, e->at);
    if (rep->kind == REP_BOOL)
        return c_value(rep, condition_bool_op(c, e), HOLD_PLAIN);
    bool is_and = e->bool_op.op == BOOLOP_AND;
    Value all = c_open_or_none(c, rep);
    for (size_t i = 0; i < e->bool_op.values.len; i++) {
        Value v = c_expr(c, e->bool_op.values.at[i]);
        bool last = i + 1 == e->bool_op.values.len;
        if (last) {
            put_first(c, all, c_convert(c, v, rep, e->at));
            break;
        }
        v = c_steady(c, v);
        const char *t = c_new_name(c);
        c_line(c, "bool %s = %s;", t, truth(c, v));
        bool skipped = v.rep->kind == REP_NONE && !is_and;      // never the result
        if (skipped)
            v = (Value){.rep = rep, .text = rep_zero(c, rep)};
        c_line(c, "if (%s%s) {", is_and ? "!" : "", t);
        c->out->indent++;
        put_first(c, all, c_convert(c, v, rep, e->at));
        c->out->indent--;
        c_line(c, "} else {");
        c->out->indent++;
    }
    for (size_t i = 1; i < e->bool_op.values.len; i++) {
        c->out->indent--;
        c_line(c, "}");
    }
    return all;
}

static Value if_exp(CEmit *c, const Expr *e, const Rep *wanted)
{
    bool chosen = wanted != NULL && wanted->kind == REP_FUNCTION;
    const Rep *rep = chosen ? wanted : rep_of(c, e->ty, e->at);
    CTruth known = c_known_truth(c, e->if_exp.test);
    if (known != C_OPEN)
        return c_expr_as(c, known == C_TRUE ? e->if_exp.body : e->if_exp.orelse, rep);
    const char *test = c_condition(c, e->if_exp.test);
    Scratch body, orelse;
    scratch_begin(c, &body);
    Value x = c_expr_as(c, e->if_exp.body, rep);
    scratch_end(c, &body);
    scratch_begin(c, &orelse);
    Value y = c_expr_as(c, e->if_exp.orelse, rep);
    scratch_end(c, &orelse);
    if (body.text.len == 0 && orelse.text.len == 0 && rep->kind != REP_NONE) {
        bool plain = x.hold == HOLD_PLAIN && y.hold == HOLD_PLAIN;
        return (Value){.rep = rep, .hold = plain ? HOLD_PLAIN : HOLD_OWNED,
                       .text = c_text(c, "(%s ? %s : %s)", test, c_owned(c, x), c_owned(c, y))};
    }
    Value all = c_open_or_none(c, rep);
    c_line(c, "if %s {", c_in_brackets(c, test));
    c->out = &body.text;
    put_first(c, all, x);
    c->out = body.outer;
    print_scratch(c, &body);
    c_line(c, "} else {");
    c->out = &orelse.text;
    put_first(c, all, y);
    c->out = orelse.outer;
    print_scratch(c, &orelse);
    c_line(c, "}");
    return all;
}

// ---- displays ----

bool c_is_simple(CEmit *c, const Expr *e)
{
    switch (e->kind) {
    case EXPR_CONSTANT: case EXPR_LAMBDA: return true;
    case EXPR_NAME: return !c_may_be_uninit(c, e);
    case EXPR_ATTRIBUTE: return c_is_simple(c, e->attribute.value);
    case EXPR_UNARY_OP: return c_is_simple(c, e->unary_op.operand);
    case EXPR_UNIT: return e->unit.effects.len == 0;
    case EXPR_BOOL_OP: case EXPR_NAMED_EXPR: case EXPR_BIN_OP: case EXPR_IF_EXP: case EXPR_DICT:
    case EXPR_SET: case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP:
    case EXPR_GENERATOR_EXP: case EXPR_AWAIT: case EXPR_YIELD: case EXPR_YIELD_FROM:
    case EXPR_COMPARE: case EXPR_CALL: case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR:
    case EXPR_SUBSCRIPT: case EXPR_STARRED: case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE:
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        break;
    }
    return false;
}

// After so many, all that is left is simple.
static size_t until_simple(CEmit *c, ExprList list)
{
    size_t last = list.len;
    while (last > 0 && c_is_simple(c, list.at[last - 1]))
        last--;
    return last;
}

// The elements, evaluated in order, as owned texts with commas between them.
static const char *owned_items(CEmit *c, ExprList elts, const Rep *const *reps, const Rep *all)
{
    Value *values = ARENA_ARRAY(c->arena, Value, elts.len + 1);
    Buf text = buf_new(c->arena);
    size_t last = until_simple(c, elts);
    for (size_t i = 0; i < elts.len; i++) {
        values[i] = c_expr_as(c, elts.at[i], all ? all : reps[i]);
        if (i + 1 < last)
            values[i] = c_steady(c, values[i]);
    }
    for (size_t i = 0; i < elts.len; i++)
        buf_printf(&text, "%s%s%s", i ? ", " : "",
                   reps != NULL ? c_text(c, ".item%zu = ", i) : "", c_owned(c, values[i]));
    return buf_text(&text);
}

static const char *array_of(CEmit *c, ExprList elts, const Rep *rep)
{
    if (elts.len == 0)
        return "NULL";
    const char *items = owned_items(c, elts, NULL, rep);
    return c_text(c, "(%s[]){%s}", rep->type, items);
}

static Value list_of(CEmit *c, const Rep *rep, ExprList elts, const char *maker, bool raises)
{
    const char *items = array_of(c, elts, rep->element);
    return c_call(c, rep, c_text(c, "%s(%s, %zu, %s)", maker, rep->row, elts.len, items), raises);
}

static Value display_refused(CEmit *c, const Expr *e, const Rep *rep)
{
    return c_refuse(c, e->at, "the C target does not support this expression as a value of type "
                    "`%s`", c_type_name(c, rep));
}

static Value list_display(CEmit *c, const Expr *e, const Rep *rep)
{
    return rep->kind == REP_LIST ? list_of(c, rep, e->list.elts, "pychoral_display_list", false)
                                 : display_refused(c, e, rep);
}

// Whether Python knows the value before the program runs.
static bool is_folded(const Expr *e)
{
    if (e->kind == EXPR_UNARY_OP)
        return is_folded(e->unary_op.operand);
    if (e->kind == EXPR_BIN_OP)
        return is_folded(e->bin_op.left) && is_folded(e->bin_op.right);
    if (e->kind != EXPR_TUPLE)
        return e->kind == EXPR_CONSTANT;
    for (size_t i = 0; i < e->tuple.elts.len; i++)
        if (!is_folded(e->tuple.elts.at[i]))
            return false;
    return true;
}

// Python's compiler makes a set that a loop walks along, and one of three constants or more; both
// have an order of their own.
static Value set_display(CEmit *c, const Expr *e, const Rep *rep)
{
    ExprList elts = e->set.elts;
    bool is_walked = e == c->walked, is_made = is_walked || elts.len > 2;
    if (rep->kind != REP_SET)
        return display_refused(c, e, rep);
    for (size_t i = 0; i < elts.len && is_made; i++)
        is_made = is_folded(elts.at[i]);
    if (!is_made)
        return list_of(c, rep, elts, "pychoral_display_set", true);
    const char *items = array_of(c, elts, rep->element);
    return c_call(c, rep, c_text(c, "pychoral_display_constant_set(%s, %zu, %s, %s)", rep->row,
                                 elts.len, items, is_walked ? "false" : "true"), true);
}

static Value tuple_display(CEmit *c, const Expr *e, const Rep *rep)
{
    if (rep->kind == REP_SEQUENCE)
        return list_of(c, rep, e->tuple.elts, "pychoral_display_list", false);
    if (rep->kind != REP_TUPLE || rep->count != e->tuple.elts.len)
        return display_refused(c, e, rep);
    if (rep->count == 0)
        return c_value(rep, c_text(c, "(%s){0}", rep->name), HOLD_PLAIN);
    const char *items = owned_items(c, e->tuple.elts, rep->parts, NULL);
    return c_value(rep, c_text(c, "(%s){%s}", rep->name, items), HOLD_OWNED);
}

// Keys and values by turns, as Python evaluates them.
static Value dict_display(CEmit *c, const Expr *e, const Rep *rep)
{
    size_t n = e->dict.values.len;
    if (rep->kind != REP_DICT)
        return display_refused(c, e, rep);
    if (n == 0)
        return c_value(rep, c_text(c, "pychoral_display_dict(%s, 0, NULL, NULL)", rep->row),
                       HOLD_OWNED);
    Value *keys = ARENA_ARRAY(c->arena, Value, n), *values = ARENA_ARRAY(c->arena, Value, n);
    const char *k = "", *v = "";
    for (size_t i = 0; i < n; i++) {
        if (e->dict.keys.at[i] == NULL)
            return c_refuse(c, e->at, "the C target does not support `**` in a dict display");
        keys[i] = c_steady(c, c_expr_as(c, e->dict.keys.at[i], rep->key_rep));
        values[i] = c_steady(c, c_expr_as(c, e->dict.values.at[i], rep->element));
    }
    for (size_t i = 0; i < n; i++) {
        k = c_text(c, "%s%s%s", k, i ? ", " : "", c_owned(c, keys[i]));
        v = c_text(c, "%s%s%s", v, i ? ", " : "", c_owned(c, values[i]));
    }
    return c_call(c, rep,
                  c_text(c, "pychoral_display_dict(%s, %zu, (%s[]){%s}, (%s[]){%s})", rep->row, n,
                         rep->key_rep->type, k, rep->element->type, v), true);
}

static bool is_made_as(const Expr *display, const Rep *rep)
{
    switch (rep->kind) {
    case REP_LIST: return display->kind == EXPR_LIST;
    case REP_SET: return display->kind == EXPR_SET;
    case REP_DICT: return display->kind == EXPR_DICT;
    case REP_SEQUENCE: return display->kind == EXPR_TUPLE;
    case REP_TUPLE:
        return display->kind == EXPR_TUPLE && rep->count == display->tuple.elts.len;
    default: return false;
    }
}

// The representation of a display: what its context wants if it is of that kind.
static const Rep *display_rep(CEmit *c, const Expr *e, const Rep *wanted)
{
    const Rep *own = rep_of(c, e->ty, e->at), *rep = NULL, *object = rep_named(c, "object");
    bool any = wanted == object;                // nothing says what will be put into an empty one
    if (any && e->kind == EXPR_LIST && e->list.elts.len == 0)
        return rep_list(c, object);
    if (any && e->kind == EXPR_DICT && e->dict.values.len == 0)
        return own->kind == REP_DICT && own->element == object ? own
                                                               : rep_dict(c, object, object);
    if ((any || wanted == NULL) && c_has_members(c, e) && (rep = c_made_rep(c, e)) != NULL)
        return rep;                             // whose type may be that of what they stand for
    if (wanted == NULL || wanted->kind != REP_UNION)
        return wanted != NULL && is_made_as(e, wanted) ? wanted : own;
    const Rep *made = NULL;                     // the one that is exactly this, if there is one
    for (size_t i = 0; i < wanted->count; i++) {
        if (wanted->parts[i] == own)
            return own;
        if (rep == NULL && is_made_as(e, wanted->parts[i]))
            rep = wanted->parts[i];
    }
    for (size_t i = 0; i < wanted->count && rep != NULL && made == NULL; i++)
        if (wanted->parts[i] == c_made_rep(c, e))
            made = wanted->parts[i];
    return made != NULL ? made : rep != NULL ? rep : own;
}

static Value display_of(CEmit *c, const Expr *e, const Rep *wanted)
{
    const Rep *rep = display_rep(c, e, wanted);
    c_refuse_members(c, e, rep);
    if (e->kind == EXPR_DICT)
        return dict_display(c, e, rep);
    return e->kind == EXPR_LIST ? list_display(c, e, rep)
        : e->kind == EXPR_SET ? set_display(c, e, rep) : tuple_display(c, e, rep);
}

static Value display(CEmit *c, const Expr *e, const Rep *wanted)
{
    int promotes = c->promotes;
    if (!c->converts)
        c->promotes = 0;
    Value v = display_of(c, e, wanted);
    c->promotes = promotes;
    return v;
}

// ---- messages ----

static int site_of(CEmit *c, const Expr *e) { return site_number(&c->cx->sites, e->at.end); }

static Value send(CEmit *c, const Expr *e)
{
    const Rep *rep = rep_of(c, e->send.payload, e->at);
    const Rep *sent = rep_of_sent(c, e->send.payload, e->at);
    const Rep *wire = e->send.shared ? rep_of_wire(c, e->send.payload, e->at) : sent;
    Value channel = c_steady(c, c_expr(c, e->send.channel));
    c->promotes++;                              // the receiver has it converted in any case
    Value v = c_expr_sent(c, e->send.value, rep);
    if (sent != rep)
        v = c_convert(c, v, rep_named(c, "object"), e->at);
    c->promotes--;
    v = c_place(c, v);
    const Rep *own = sent == rep && (v.rep == sent || v.rep->kind != REP_OBJECT)
        ? v.rep : rep_admitting(c, sent);
    const char *place = c_address(c, v);
    Value copy = {0};
    if (e->send.shared) {                       // before anything is sent, as it may be refused
        c_note_received(c, wire);
        copy = c_open_for(c, e, wire);
        c_line(c, "pychoral_copy_as(%d, %s, %s, %s, &%s);", site_of(c, e), own->row, place,
               wire->row, copy.text);
        c_check(c);
    } else if (own != wire && (c_converts(wire) || c_keeps_numbers(c, own, wire))) {
        c_note_received(c, wire);               // it is read back here, or where it is written
        if (!c_is_read_back(c, own)) {
            c_line(c, "pychoral_check_as(%d, %s, %s, %s);", site_of(c, e), own->row, place,
                   wire->row);
            c_check(c);
        }
    }
    c_line(c, "pychoral_com_send(%s, %d, %s, %s);", channel.text, site_of(c, e), own->row, place);
    c_check(c);
    return e->send.shared ? c_made_as(c, copy, rep)
        : (Value){.rep = rep_named(c, "None"), .text = "0", .lasting = true};
}

static Value receive(CEmit *c, const Expr *e)
{
    const Rep *rep = rep_of_wire(c, e->recv.payload, e->at);
    Value channel = c_expr(c, e->recv.channel);
    c_note_received(c, rep);
    Value v = rep->kind == REP_NONE ? c_open_or_none(c, rep) : c_open_for(c, e, rep);
    c_line(c, "pychoral_com_receive(%s, %d, %s, %s);", channel.text, site_of(c, e), rep->row,
           rep->kind == REP_NONE ? "&(PychoralNone){0}" : c_text(c, "&%s", v.text));
    c_check(c);
    const Rep *own = rep_of(c, e->recv.payload, e->at);
    if (rep->checked)
        v.rep = own;
    return c_made_as(c, v, own);
}

static Value send_label(CEmit *c, const Expr *e)
{
    Value channel = c_steady(c, c_expr(c, e->send_label.channel));
    Value label = c_expr(c, e->send_label.label);
    c_line(c, "pychoral_com_select(%s, %d, %s, %s);", channel.text, site_of(c, e), label.rep->row,
           label.text);
    c_check(c);
    return (Value){.rep = rep_named(c, "None"), .text = "0", .lasting = true};
}

static Value unit(CEmit *c, const Expr *e)
{
    for (size_t i = 0; i < e->unit.effects.len; i++)
        c_effects(c, e->unit.effects.at[i]);
    return (Value){.rep = rep_named(c, "None"), .text = "0", .lasting = true};
}

// ---- all ----

static Value lambda(CEmit *c, const Expr *e) { return c_closure(c, c_nested(c, NULL, e)); }

// What `x = yield v` gets.
static Value sent(CEmit *c, const Expr *e)
{
    const Ty *t = e->ty != NULL ? c_ty(c, e->ty) : NULL;
    if (t != NULL && t->kind == TY_NAMED)
        return c_refuse(c, e->at, "the C target does not support `send`, so `yield` has no value\n"
                        "write a class with a method that receives the value");
    return c_yield(c, e);
}

// What `yield from` stands for where its value is used: what the other generator returned.
static Value returned(CEmit *c, const Expr *e)
{
    const Ty *t = e->ty != NULL ? c_ty(c, e->ty) : NULL;
    if (t != NULL && t->kind != TY_NONE_TYPE)
        return c_refuse(c, e->at, "the C target does not support the value of `yield from`\nstore "
                        "the result in an object that both generators share");
    return c_yield_from(c, e);
}

static Value any_expr(CEmit *c, const Expr *e, const Rep *wanted)
{
    Value out;
    switch (e->kind) {
    case EXPR_BOOL_OP: return bool_op(c, e);
    case EXPR_BIN_OP: return c_binary(c, e);
    case EXPR_UNARY_OP: return c_unary(c, e);
    case EXPR_LAMBDA: return lambda(c, e);
    case EXPR_IF_EXP: return if_exp(c, e, wanted);
    case EXPR_DICT: case EXPR_SET: case EXPR_LIST: case EXPR_TUPLE:
        return c_typed_display(c, e, &out) ? out : display(c, e, wanted);
    case EXPR_COMPARE: return c_compare(c, e);
    case EXPR_CALL: return c_call_expr(c, e);
    case EXPR_CONSTANT: return constant(c, e);
    case EXPR_ATTRIBUTE: return c_attribute(c, e);
    case EXPR_SUBSCRIPT: return c_subscript(c, e);
    case EXPR_NAME: return name(c, e);
    case EXPR_UNIT: return unit(c, e);
    case EXPR_SEND: return send(c, e);
    case EXPR_RECV: return receive(c, e);
    case EXPR_SEND_LABEL: return send_label(c, e);
    case EXPR_YIELD: return sent(c, e);
    case EXPR_YIELD_FROM: return returned(c, e);
    case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR:
    case EXPR_NAMED_EXPR: case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP:
    case EXPR_GENERATOR_EXP: case EXPR_AWAIT:
    case EXPR_STARRED: case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_COM: case EXPR_SELECT: case EXPR_COUNT: break;
    }
    return c_refuse(c, e->at, e->kind == EXPR_STARRED
                    ? "the C target does not support a `*` argument of this call"
                    : "the C target does not support this expression");
}

// Whether only this function changes it.
static bool is_own_variable(CEmit *c, const Expr *e)
{
    const CVariable *v = e->kind == EXPR_NAME ? c_find_variable(c, e->name.id) : NULL;
    return v != NULL && !v->cell;
}

// A container of anything, or what may be one.
static bool may_be_open(const Rep *r)
{
    bool open = rep_is_open(r);
    for (size_t i = 0; r->kind == REP_UNION && i < r->count; i++)
        open = open || rep_is_open(r->parts[i]);
    return open;
}

// A value narrowed to what is known where it stands: `x` of type `int | None` after a test.
static Value narrowed(CEmit *c, const Expr *e, Value v)
{
    bool reads = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT
                 || (e->kind == EXPR_CALL                                   // `Self`
                     && (v.rep->kind == REP_CLASS || !table_empty(c->erased)));
    if (!reads || (v.rep->kind != REP_UNION && v.rep->kind != REP_OBJECT
                   && v.rep->kind != REP_CLASS) || e->ty == NULL || table_get(c->values, e))
        return v;
    const Ty *t = c_ty(c, e->ty);
    if (t->kind == TY_ANY || t->kind == TY_POISON || t->kind == TY_TYPE_VAR)
        return v;
    bool class_value = t->kind == TY_CALLABLE && rep_optional_part(v.rep) == rep_class_value(c);
    const Rep *rep = class_value ? rep_class_value(c) : rep_of(c, t, e->at);    // a class is called
    bool named = v.rep->kind == REP_OBJECT && rep->kind == REP_SEQUENCE
                 && rep->element->kind == REP_OBJECT;   // a named tuple, maybe: it stays one
    bool open = v.rep->kind == REP_OBJECT && may_be_open(rep);  // it may hold ints only
    if (rep->kind == REP_OBJECT || named || open)
        return v;
    c->promotes++;                              // it is that already
    v = is_own_variable(c, e) ? c_convert(c, v, rep, e->at) : c_narrow_place(c, v, rep, e->at);
    c->promotes--;
    return v;
}

Value c_expr(CEmit *c, const Expr *e) { return narrowed(c, e, any_expr(c, e, NULL)); }

// ---- places that others can change ----
//
// What a test said of such a place need not hold any more. Where the type that it is declared with
// is enough, it is not asked whether it does: Python goes on, too. An assignment asks, as what it
// gives to is known to be what the test said.

static bool is_shared_place(CEmit *c, const Expr *e, Value v)
{
    bool place = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE || e->kind == EXPR_SUBSCRIPT;
    return place && (v.rep->kind == REP_UNION || v.rep->kind == REP_CLASS)
           && !is_own_variable(c, e) && table_get(c->values, e) == NULL;
}

static bool same_method(const CMethod *a, const CMethod *b)
{
    if (a == b || a->def == b->def)
        return true;
    const Arguments *x = a->def->function_def.args, *y = b->def->function_def.args;
    const Expr *r = a->def->function_def.returns, *s = b->def->function_def.returns;
    return a->is_property == b->is_property && x->args.len == y->args.len
           && x->defaults.len == y->defaults.len && x->kwonlyargs.len == y->kwonlyargs.len
           && !x->vararg == !y->vararg && !x->kwarg == !y->kwarg
           && r != NULL && s != NULL && ir_equal_expr(r, s);
}

// Whether a member is used alike, whichever of both classes an object is known to be of.
static bool same_member(CEmit *c, CClass *declared, CClass *known, Sym name)
{
    const CField *f = c_find_field(c, declared, name), *g = c_find_field(c, known, name);
    if (f != NULL || g != NULL)
        return f != NULL && g != NULL && f->rep == g->rep;
    f = c_find_constant(declared, name), g = c_find_constant(known, name);
    if (f != NULL || g != NULL)
        return f != NULL && g != NULL && f->rep == g->rep;
    const CMethod *m = c_find_method(declared, name), *n = c_find_method(known, name);
    return m != NULL && n != NULL && declared->args.len == 0 && same_method(m, n);
}

Value c_expr_declared(CEmit *c, const Expr *e)
{
    Value v = any_expr(c, e, NULL);
    return is_shared_place(c, e, v) ? v : narrowed(c, e, v);
}

Value c_expr_untested(CEmit *c, const Expr *e)
{
    Value v = any_expr(c, e, NULL);
    bool whole = v.rep->kind == REP_UNION && e->kind == EXPR_NAME
                 && rep_or_object(c, e)->kind != REP_DEQUE;
    return whole || is_shared_place(c, e, v) ? v : narrowed(c, e, v);
}

Value c_expr_of(CEmit *c, const Expr *e, Sym member)
{
    Value v = any_expr(c, e, NULL);
    if (v.rep->kind != REP_CLASS || e->ty == NULL || !is_shared_place(c, e, v))
        return narrowed(c, e, v);
    const Ty *t = c_ty(c, e->ty);
    const Rep *known = t->kind == TY_NAMED ? rep_of(c, t, e->at) : NULL;
    bool enough = known != NULL && known->kind == REP_CLASS
        && same_member(c, v.rep->class_, known->class_, member);
    return enough ? v : narrowed(c, e, v);
}

static Value converted(CEmit *c, const Expr *e, Value v, const Rep *to)
{
    if (v.rep == to)
        return v;
    if (c_is_of_erased(c, e, v.rep))
        return c_refuse_as(c, e->at, v.rep, to);
    return c_convert(c, narrowed(c, e, v), to, e->at);
}

Value c_expr_as(CEmit *c, const Expr *e, const Rep *to)
{
    return converted(c, e, any_expr(c, e, to), to);
}

Value c_option_default(CEmit *c, const Expr *e, const Rep *to)
{
    c->promotes++;
    c->converts = true;
    Value v = c_expr_as(c, e, to);
    c->converts = false;
    c->promotes--;
    return v;
}

Value c_expr_sent(CEmit *c, const Expr *e, const Rep *to)
{
    bool named = e->kind == EXPR_CALL || e->kind == EXPR_NAME;
    const Rep *made = named ? NULL : c_made_rep(c, e);
    c->sends_value++;
    Value v = any_expr(c, e, made != NULL && c_read_as(c, made, to) ? made : to);
    c->sends_value--;
    bool read = v.rep->kind != REP_NONE && c_read_as(c, v.rep, to);
    return read || v.rep->kind == REP_OBJECT ? v : converted(c, e, v, to);
}

void c_effects(CEmit *c, const Expr *e)
{
    Value v = e->kind == EXPR_YIELD ? c_yield(c, e)
        : e->kind == EXPR_YIELD_FROM ? c_yield_from(c, e) : c_expr(c, e);
    if (v.rep->kind == REP_NONE && strcmp(v.text, "0") != 0)
        c_line(c, "%s;", v.text);
    else if (v.hold == HOLD_OWNED)
        (void)c_temp(c, v);
    else if (v.rep->kind != REP_NONE)
        c_line(c, "(void)(%s);", v.text);
}
