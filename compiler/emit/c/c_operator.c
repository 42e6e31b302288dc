// c_operator.c - operators, comparisons, subscripts. Those of ints and floats are inline functions
// of the runtime (number.h); of other builtin types, rows of c_prim; of classes, their methods.

#include <string.h>

#include "compiler/emit/c/c_call.h"

static const char *const METHODS[OPERATOR_COUNT] = {
    "add", "sub", "mul", "matmul", "truediv", "mod", "pow", "lshift", "rshift", "or", "xor", "and",
    "floordiv"};

static const char *const SIGNS[OPERATOR_COUNT] = {
    "+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"};

const char *c_kind_name(const Rep *r)
{
    switch (r->kind) {
    case REP_BOOL: return "bool";
    case REP_INT: return "int";
    case REP_FLOAT: return "float";
    case REP_COMPLEX: return "complex";
    case REP_STR: return "str";
    case REP_BYTES: return "bytes";
    case REP_LIST: return "list";
    case REP_SEQUENCE: case REP_TUPLE: return "tuple";
    case REP_DICT: return "dict";
    case REP_SET: return "set";
    case REP_FROZENSET: return "frozenset";
    case REP_RANGE: return "range";
    case REP_ITERATOR: return "iterator";
    case REP_FOREIGN: return r->key;
    case REP_DEQUE: return "collections.deque";
    case REP_NONE: case REP_ENUM: case REP_CLASS: case REP_UNION: case REP_OBJECT:
    case REP_FUNCTION: case REP_CHANNEL: case REP_CELL:
        return NULL;
    }
    return NULL;
}

static bool is_whole(const Rep *r)
{
    return r->kind == REP_BOOL || r->kind == REP_INT
           || (r->kind == REP_ENUM && r->class_->enum_base == 'i');
}

static bool is_real(const Rep *r) { return is_whole(r) || r->kind == REP_FLOAT; }

static bool is_number(const Rep *r) { return is_real(r) || r->kind == REP_COMPLEX; }

// ---- arithmetic ----

static Value refuse_operator(CEmit *c, const Expr *e, const char *sign, Value l, Value r)
{
    bool in_place = e == c->augmented;
    return c_refuse(c, e->at, "the C target does not support `%s%s` for `%s` and `%s`\n%s", sign,
                    in_place ? "=" : "", c_type_name(c, l.rep), c_type_name(c, r.rep),
                    in_place ? "call a method that changes the object, such as `extend`"
                    : "convert one of the operands, or write the operation in another way");
}

static bool int_raises(Operator op)
{
    return op != OPERATOR_ADD && op != OPERATOR_SUB && op != OPERATOR_MULT
           && op != OPERATOR_BIT_OR && op != OPERATOR_BIT_XOR && op != OPERATOR_BIT_AND;
}

static Value int_binary(CEmit *c, Operator op, Value l, Value r)
{
    const Rep *rep = rep_named(c, op == OPERATOR_DIV ? "float" : "int");
    const char *function = c_text(c, "pychoral_int_%s", METHODS[op]);
    return c_call(c, rep, c_of_two(c, function, l, r), int_raises(op));
}

static Value float_binary(CEmit *c, Operator op, Value l, Value r)
{
    const Rep *rep = rep_named(c, "float");
    bool plain = op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT;
    if (plain)
        return c_value(rep, c_text(c, "(%s %s %s)", l.text, SIGNS[op], r.text), HOLD_PLAIN);
    return c_call(c, rep, c_text(c, "pychoral_float_%s(%s, %s)", METHODS[op], l.text, r.text),
                  true);
}

static Value complex_binary(CEmit *c, Operator op, Value l, Value r)
{
    return c_call(c, rep_named(c, "complex"), c_text(c, "pychoral_complex_%s(%s, %s)", METHODS[op],
                                                     l.text, r.text), true);
}

static Value bool_binary(CEmit *c, Operator op, Value l, Value r)
{
    const char *sign = op == OPERATOR_BIT_XOR ? "!=" : SIGNS[op];
    return c_value(rep_named(c, "bool"), c_text(c, "(%s %s %s)", l.text, sign, r.text), HOLD_PLAIN);
}

static bool is_bitwise(Operator op)
{
    return op == OPERATOR_BIT_OR || op == OPERATOR_BIT_XOR || op == OPERATOR_BIT_AND;
}

// Whether numbers of the kind have it: where a type is not known, the checker does not say.
static bool has_operator(RepKind kind, Operator op)
{
    if (op == OPERATOR_MAT_MULT)
        return false;
    if (kind == REP_INT)
        return true;
    bool whole = kind == REP_COMPLEX && (op == OPERATOR_MOD || op == OPERATOR_FLOOR_DIV);
    return !whole && !is_bitwise(op) && op != OPERATOR_L_SHIFT && op != OPERATOR_R_SHIFT;
}

// An int to a power whose type says that it is a float, as that of `-1`.
static bool gives_float(CEmit *c, const Expr *e)
{
    const Ty *t = e->ty != NULL ? c_ty(c, e->ty) : NULL;
    return t != NULL && t->kind == TY_NAMED && sym_is(t->named.name, "float");
}

static Value number_binary(CEmit *c, const Expr *e, Operator op, Value l, Value r)
{
    if (l.rep->kind == REP_BOOL && r.rep->kind == REP_BOOL && is_bitwise(op))
        return bool_binary(c, op, l, r);
    const char *kind = is_whole(l.rep) && is_whole(r.rep) ? "int"
        : is_real(l.rep) && is_real(r.rep) ? "float" : "complex";
    const Rep *rep = rep_named(c, kind);
    if (!has_operator(rep->kind, op))
        return refuse_operator(c, e, SIGNS[op], l, r);
    c->promotes++;
    l = c_convert(c, l, rep, e->at);
    r = c_convert(c, r, rep, e->at);
    c->promotes--;
    if (rep->kind == REP_INT && op == OPERATOR_POW && gives_float(c, e))
        return c_call(c, rep_named(c, "float"), c_of_two(c, "pychoral_int_pow_float", l, r), true);
    return rep->kind == REP_INT ? int_binary(c, op, l, r)
        : rep->kind == REP_FLOAT ? float_binary(c, op, l, r) : complex_binary(c, op, l, r);
}

// ---- all binary operators ----

// What the operands are is known only when they are there.
static bool is_open(const Rep *r) { return r->kind == REP_OBJECT || r->kind == REP_UNION; }

// The result of a runtime function whose last argument says where it goes.
static Value open_result(CEmit *c, const Expr *e, const char *call)
{
    const Rep *rep = rep_or_object(c, e);
    if (rep_is_open(rep))                       // of what items, shows when it is there
        rep = rep_named(c, "object");
    Value v = c_open_or_none(c, rep);
    c_line(c, "%s, %s, %s);", call, rep->row,
           rep_passed(rep) ? c_text(c, "&%s", v.text) : "&(PychoralNone){0}");
    c_check(c);
    return v;
}

Value c_open_binary(CEmit *c, const Expr *e, const char *name, Value l, Value r)
{
    const char *a = c_ref(c, c_place(c, l)), *b = c_ref(c, c_place(c, r));
    return open_result(c, e, c_text(c, "pychoral_binary(PYCHORAL_%s, %s, %s, %s", name,
                                    e == c->augmented ? "true" : "false", a, b));
}

static Value open_binary(CEmit *c, const Expr *e, Value l, Value r)
{
    static const char *const NAMES[OPERATOR_COUNT] = {
        "ADD", "SUB", "MUL", "MATMUL", "TRUEDIV", "MOD", "POW", "LSHIFT", "RSHIFT", "OR", "XOR",
        "AND", "FLOORDIV"};
    return c_open_binary(c, e, NAMES[e->bin_op.op], l, r);
}

// Whether the right operand may be of a class that derives from the left one's and has a swapped
// operator of its own: it is asked first, which shows when it is there.
static bool may_ask_right(CEmit *c, const Rep *l, const Rep *r, Sym name)
{
    if (l->kind != REP_CLASS || r->kind != REP_CLASS)
        return false;
    ClassVec all = c_deriving(c, r->class_);
    vec_push(c->arena, &all, r->class_);
    for (size_t i = 0; i < all.len; i++)
        if (all.at[i] != l->class_ && c_derives(all.at[i], l->class_)
            && c_find_method(all.at[i], name) != c_find_method(l->class_, name))
            return true;
    return false;
}

// `a.__add__(b)`, or `b.__radd__(a)`.
static bool by_class(CEmit *c, const Expr *e, Operator op, Value l, Value r, Value *out)
{
    CMethod *m = NULL, *swapped = NULL;
    Sym swapped_name = names_format(c->names, "__r%s__", METHODS[op]);
    if (l.rep->kind == REP_CLASS || l.rep->kind == REP_ENUM)
        m = c_find_method(l.rep->class_, names_format(c->names, "__%s__", METHODS[op]));
    if (r.rep->kind == REP_CLASS)
        swapped = c_find_method(r.rep->class_, swapped_name);
    if (may_ask_right(c, l.rep, r.rep, swapped_name)) {
        *out = open_binary(c, e, l, r);
        return true;
    }
    if (m == NULL && swapped == NULL)
        return false;
    const char *sign = e == c->augmented ? c_text(c, "%s=", SIGNS[op])
        : op == OPERATOR_POW ? "** or pow()" : SIGNS[op];
    *out = c_operator_call(c, e, sign, m, swapped, l, r);
    return true;
}

static bool by_row(CEmit *c, const Expr *e, const char *method, Value l, const Expr *right,
                   const Rep *result, Value *out)
{
    const char *kind = c_kind_name(l.rep);
    if (kind == NULL)
        return false;
    return c_prim_call(c, c_text(c, "%s.__%s__", kind, method), e, &l, (ExprList){&right, 1},
                       (KeywordList){0}, result, out);
}

// `d.keys() - x`: a set. What is on the other side may be any iterable.
static bool view_binary(CEmit *c, const Expr *e, Value l, Value *out)
{
    Operator op = e->bin_op.op;
    const char *name = op == OPERATOR_SUB ? "sub" : op == OPERATOR_BIT_OR ? "or"
        : op == OPERATOR_BIT_AND ? "and" : NULL;
    const Rep *rep = rep_or_object(c, e);
    if (l.rep->kind != REP_ITERATOR || name == NULL || rep->kind != REP_SET)
        return false;
    l = c_place(c, c_steady(c, l));
    const char *other = c_ref(c, c_place(c, c_steady(c, c_expr(c, e->bin_op.right))));
    *out = c_call(c, rep, c_text(c, "pychoral_set_%s(%s, %s, %s)", name, c_ref(c, l), other,
                                 rep->row), true);
    return true;
}

static Value other_binary(CEmit *c, const Expr *e, Value l)
{
    const Expr *right = e->bin_op.right;
    Operator op = e->bin_op.op;
    Value out;
    const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
    const Rep *result = t && t->kind != TY_ANY && t->kind != TY_POISON ? rep_of(c, t, e->at)
                                                                     : l.rep;
    if (c_is_counter(c, e->bin_op.left))
        return open_binary(c, e, l, c_steady(c, c_expr(c, right)));
    if (by_row(c, e, METHODS[op], l, right, result, &out) || view_binary(c, e, l, &out))
        return out;
    Value r = c_steady(c, c_expr(c, right));
    r = c_plain_member(c, r);
    if (is_number(l.rep) && is_number(r.rep))       // as the checker does not know: `round(x, 1)`
        return number_binary(c, e, op, l, r);
    if (by_class(c, e, op, l, r, &out))
        return out;
    bool swapped = op == OPERATOR_MULT && is_whole(l.rep) && c_kind_name(r.rep) != NULL;
    if (swapped && c_prim_call(c, c_text(c, "%s.__mul__", c_kind_name(r.rep)), e, &r,
                               (ExprList){&e->bin_op.left, 1}, (KeywordList){0}, result, &out))
        return out;
    if (is_open(l.rep) || is_open(r.rep) || c_is_named_tuple(c, l.rep, NULL)
        || c_is_named_tuple(c, r.rep, NULL))
        return open_binary(c, e, l, r);
    return refuse_operator(c, e, SIGNS[op], l, r);
}

Value c_binary(CEmit *c, const Expr *e)
{
    Value l = c_plain_member(c, c_expr(c, e->bin_op.left));
    if (!c_is_simple(c, e->bin_op.right))
        l = c_steady(c, l);
    const Ty *rt = e->bin_op.right->ty ? c_ty(c, e->bin_op.right->ty) : NULL;
    const Rep *right = rt ? rep_of(c, rt, e->bin_op.right->at) : NULL;
    if (is_number(l.rep) && right && is_number(right))
        return number_binary(c, e, e->bin_op.op, l, c_plain_member(c, c_expr(c, e->bin_op.right)));
    if (l.hold == HOLD_OWNED)
        l = c_temp(c, l);
    return other_binary(c, e, l);
}

static bool some_derived_has(const CClass *k, Sym method)
{
    for (size_t i = 0; i < k->derived.len; i++)
        if (c_find_method(k->derived.at[i], method) != NULL
            || some_derived_has(k->derived.at[i], method))
            return true;
    return false;
}

bool c_in_place(CEmit *c, const Expr *call, Sym name, Value *out)
{
    size_t op = 0;
    while (op < OPERATOR_COUNT && strcmp(name, c_text(c, "operator.i%s", METHODS[op])) != 0)
        op++;
    if (op == OPERATOR_COUNT || call->call.args.len != 2 || call->call.keywords.len > 0
        || c_has_star(call->call.args))
        return false;
    const Expr *left = call->call.args.at[0], *outer = c->augmented;
    const Rep *rep = rep_or_object(c, left);
    if (rep->kind == REP_CLASS
        && some_derived_has(rep->class_, names_format(c->names, "__i%s__", METHODS[op]))) {
        *out = c_refuse(c, call->at, "the C target cannot tell whether this assignment changes "
                        "the `%s` object in place, because a derived class may do so",
                        c_type_name(c, rep));
        return true;
    }
    const Expr *e = expr_bin_op(c->arena, call->at, left, (Operator)op, call->call.args.at[1]);
    c->augmented = e = expr_with_ty(c->arena, e, call->ty, call->roles);
    *out = c_binary(c, e);
    c->augmented = outer;
    return true;
}

Value c_unary(CEmit *c, const Expr *e)
{
    static const char *const NAMES[] = {"invert", "not", "pos", "neg"};
    static const char *const UNARY_SIGNS[] = {"~", "not", "+", "-"};
    if (e->unary_op.op == UNARYOP_NOT) {
        const char *test = c_negated(c, c_condition(c, e->unary_op.operand));
        return c_value(rep_named(c, "bool"), *test == '!' ? test : c_in_brackets(c, test),
                       HOLD_PLAIN);
    }
    Value v = c_expr(c, e->unary_op.operand);
    const char *name = NAMES[e->unary_op.op];
    if (is_whole(v.rep)) {
        bool literal = e->unary_op.op == UNARYOP_U_SUB && v.rep->kind == REP_INT
                       && e->unary_op.operand->kind == EXPR_CONSTANT && v.hold == HOLD_PLAIN;
        if (literal) {
            v.text = c_text(c, "pychoral_int(-%s", v.text + strlen("pychoral_int("));
            return v;
        }
        v = c_convert(c, v, rep_named(c, "int"), e->at);
        return c_value(v.rep, c_text(c, "pychoral_int_%s(%s)", name, c_borrowed(c, v)), HOLD_OWNED);
    }
    if (v.rep->kind == REP_FLOAT)
        return c_value(v.rep, c_text(c, "(%s%s)", e->unary_op.op == UNARYOP_U_SUB ? "-" : "+",
                                     v.text), HOLD_PLAIN);
    if (v.rep->kind == REP_COMPLEX)
        return c_value(v.rep, c_text(c, "pychoral_complex_%s(%s)", name, v.text), HOLD_PLAIN);
    if (v.rep->kind == REP_CLASS) {
        CMethod *m = c_find_method(v.rep->class_, names_format(c->names, "__%s__", name));
        v = c_steady(c, v);
        if (m != NULL)
            return c_user_call_values(c, e->at, m, &v, NULL, 0);
    }
    if (is_open(v.rep) || c_is_counter(c, e->unary_op.operand))
        return open_result(c, e, c_text(c, "pychoral_unary(PYCHORAL_%s, %s",
                                        e->unary_op.op == UNARYOP_U_SUB ? "SUB"
                                        : e->unary_op.op == UNARYOP_U_ADD ? "ADD" : "XOR",
                                        c_ref(c, c_place(c, c_steady(c, v)))));
    return c_refuse(c, e->at, "the C target does not support the operator `%s` for `%s`",
                    UNARY_SIGNS[e->unary_op.op], c_type_name(c, v.rep));
}

// ---- comparisons ----

static Value truth_of(CEmit *c, const char *text)
{
    return c_value(rep_named(c, "bool"), text, HOLD_PLAIN);
}

static const char *c_sign(Cmpop op)
{
    static const char *const COMPARISONS[CMPOP_COUNT] = {"==", "!=", "<", "<=", ">", ">=",
                                                         "==", "!="};
    return COMPARISONS[op];
}

static const char *method_of(Cmpop op)
{
    static const char *const NAMES[CMPOP_COUNT] = {"eq", "ne", "lt", "le", "gt", "ge"};
    return NAMES[op];
}

// A C compiler warns of what is compared with itself.
static Value by_sign(CEmit *c, Cmpop op, Value l, Value r)
{
    if (l.rep->kind != REP_FLOAT && strcmp(l.text, r.text) == 0)
        return truth_of(c, c_text(c, "((void)%s, %s)", l.text,
                                  op == CMPOP_EQ || op == CMPOP_IS || op == CMPOP_LT_E
                                  || op == CMPOP_GT_E ? "true" : "false"));
    return truth_of(c, c_text(c, "(%s %s %s)", l.text, c_sign(op), r.text));
}

static Value compare_numbers(CEmit *c, const Expr *e, Cmpop op, Value l, Value r)
{
    if (is_whole(l.rep) && is_whole(r.rep)) {
        const Rep *rep = rep_named(c, "int");
        if (l.rep->kind == REP_BOOL && r.rep->kind == REP_BOOL)
            return by_sign(c, op, l, r);
        l = c_convert(c, l, rep, e->at);
        r = c_convert(c, r, rep, e->at);
        const char *plain = c_compared_ints(c, c_sign(op), l, r);
        if (plain != NULL)
            return truth_of(c, plain);
        return truth_of(c, c_of_two(c, c_text(c, "pychoral_int_%s", method_of(op)), l, r));
    }
    if (l.rep->kind == REP_FLOAT && r.rep->kind == REP_FLOAT)
        return by_sign(c, op, l, r);
    const char *whole = l.rep->kind == REP_FLOAT ? c_plain_int(c, r) : NULL;
    if (whole != NULL && strlen(whole) <= strlen("999999999999999"))
        return truth_of(c, c_text(c, "(%s %s %s)", l.text, c_sign(op), whole));
    return (Value){0};
}

static Value generic_compare(CEmit *c, Cmpop op, Value l, Value r)
{
    const char *a = c_ref(c, c_place(c, l)), *b = c_ref(c, c_place(c, r));
    if (op == CMPOP_EQ || op == CMPOP_NOT_EQ) {
        Value v = c_call(c, rep_named(c, "bool"), c_text(c, "pychoral_eq(%s, %s)", a, b), true);
        if (op == CMPOP_NOT_EQ)
            v.text = c_text(c, "!%s", v.text);
        v.place = false;
        return v;
    }
    char letter = op == CMPOP_LT ? '<' : op == CMPOP_LT_E ? 'l' : op == CMPOP_GT ? '>' : 'g';
    return c_call(c, rep_named(c, "bool"), c_text(c, "pychoral_ordered(%s, %s, '%c')", a, b,
                                                  letter), true);
}

static Value is_none(CEmit *c, Value v, bool negated)
{
    const char *sign = negated ? "!=" : "==";
    if (v.rep->kind == REP_NONE)
        return truth_of(c, negated ? "false" : "true");
    if (v.rep->kind == REP_UNION && v.rep->parts[0]->kind == REP_NONE)
        return truth_of(c, c_text(c, "(%s.is %s 0)", c_place(c, v).text, sign));
    if (v.rep->kind == REP_OBJECT)
        return truth_of(c, c_text(c, "(%s.type %s &pychoral_type_none)", c_place(c, v).text, sign));
    (void)c_borrowed(c, v);
    return truth_of(c, negated ? "true" : "false");
}

static Value identity(CEmit *c, Cmpop op, Value l, Value r)
{
    bool negated = op == CMPOP_IS_NOT;
    if (r.rep->kind == REP_NONE)
        return is_none(c, l, negated);
    if (l.rep->kind == REP_NONE)
        return is_none(c, r, negated);
    if (l.rep->kind == REP_ENUM || l.rep->kind == REP_BOOL)
        if (l.rep == r.rep)
            return by_sign(c, op, l, r);
    const char *text = l.rep == rep_class_value(c) && r.rep == l.rep
        ? c_of_two(c, "pychoral_same_class", l, r) : c_of_two_refs(c, "pychoral_is", l, r);
    return truth_of(c, negated ? c_text(c, "!%s", text) : text);
}

// `member in Colour`. Of what is no member at all, Python's versions do not say the same.
static Value is_member(CEmit *c, const Expr *e, const CClass *k, bool negated)
{
    Value v = c_steady(c, c_expr(c, e->compare.left));
    if (v.rep->kind != REP_ENUM)
        return c_refuse(c, e->at, "the C target supports `x in E` with an enum `E` only if `x` is "
                        "an enum member");
    c_line(c, "(void)%s;", v.text);
    return truth_of(c, c_derives(v.rep->class_, k) != negated ? "true" : "false");
}

static Value contains(CEmit *c, const Expr *e, Cmpop op)
{
    const Expr *item = e->compare.left, *whole = e->compare.comparators.at[0];
    const CClass *of = c_enum_named(c, whole);
    if (of != NULL)
        return is_member(c, e, of, op == CMPOP_NOT_IN);
    Value held = c_steady(c, c_expr(c, item));
    Value box = c_steady(c, c_plain_member(c, c_expr(c, whole)));
    item = c_bound(c, item, held);
    bool negated = op == CMPOP_NOT_IN;
    Value v;
    const char *kind = c_kind_name(box.rep);
    if (box.rep->kind == REP_STR && held.rep->kind == REP_STR)
        v = truth_of(c, c_text(c, "pychoral_str_contains(%s, %s)", box.text, held.text));
    else if (box.rep->kind == REP_BYTES && held.rep->kind == REP_BYTES)
        v = truth_of(c, c_text(c, "pychoral_bytes_contains(%s, %s)", box.text, held.text));
    else if (box.rep->kind == REP_CLASS && c_find_method(box.rep->class_,
                                            names_get(c->names, "__contains__")))
        v = c_user_call_values(c, e->at, c_find_method(box.rep->class_,
                               names_get(c->names, "__contains__")), &box, &held, 1);
    else if (kind == NULL || !c_prim_call(c, c_text(c, "%s.__contains__", kind), e, &box,
                                          (ExprList){&item, 1}, (KeywordList){0},
                                          rep_named(c, "bool"), &v))
        v = c_call(c, rep_named(c, "bool"), c_of_two_refs(c, "pychoral_contains", box, held), true);
    if (negated) {
        v.text = c_text(c, "!%s", v.text);
        v.place = false;
    }
    return v;
}

// d.keys() and d.items() are compared as sets are.
static Value view_as_set(CEmit *c, const Expr *e, Value v)
{
    static const char *const SETS[] = {"dict_keys", "dict_items", "KeysView", "ItemsView", NULL};
    const Ty *t = e->ty != NULL ? c_ty(c, e->ty) : NULL;
    if (v.rep->kind != REP_ITERATOR || t == NULL || t->kind != TY_NAMED
        || !sym_is_one_of(t->named.name, SETS))
        return v;
    const Rep *rep = rep_set(c, REP_SET, v.rep->element);
    return c_steady(c, c_call(c, rep, c_text(c, "pychoral_set_from(%s, %s)",
                                             c_ref(c, c_place(c, c_steady(c, v))), rep->row),
                              true));
}

Value c_compare(CEmit *c, const Expr *e)
{
    if (e->compare.ops.len != 1)
        return c_refuse(c, e->at, "the C target does not support chained comparisons");
    int known = c_known_condition(e);
    if (known >= 0)
        return (Value){.rep = rep_named(c, "bool"), .text = known ? "true" : "false",
                       .lasting = true};
    Cmpop op = e->compare.ops.at[0];
    const Expr *right = e->compare.comparators.at[0];
    if (op == CMPOP_IN || op == CMPOP_NOT_IN)
        return contains(c, e, op);
    Value l = c_expr(c, e->compare.left);
    if (!c_is_simple(c, right) || l.hold == HOLD_OWNED)
        l = c_steady(c, l);
    Value r = c_expr(c, right);
    if (op == CMPOP_IS || op == CMPOP_IS_NOT)
        return identity(c, op, l, r);
    if (is_number(l.rep) && is_number(r.rep)) {
        l = c_plain_member(c, l);
        r = c_plain_member(c, r);
        Value v = compare_numbers(c, e, op, l, r);
        if (v.rep != NULL)
            return v;
    }
    if (l.rep->kind == REP_STR && r.rep->kind == REP_STR)
        return truth_of(c, c_of_two(c, c_text(c, "pychoral_str_%s", method_of(op)), l, r));
    if (l.rep->kind == REP_ENUM && l.rep == r.rep && !l.rep->class_->enum_base
        && (op == CMPOP_EQ || op == CMPOP_NOT_EQ))
        return by_sign(c, op, l, r);
    l = c_steady(c, view_as_set(c, e->compare.left, l));
    r = c_steady(c, view_as_set(c, right, r));
    return generic_compare(c, op, l, r);
}

// ---- subscripts ----

static bool constant_index(const Expr *e, size_t count, size_t *at)
{
    bool minus = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
    long number = c_small_constant(minus ? e->unary_op.operand : e);
    size_t n = (size_t)number;
    if (number < 0)
        return false;
    *at = minus ? count - n : n;
    return minus ? n >= 1 && n <= count : n < count;
}

// A part of a slice that is written out, or left out; false: it is neither.
static bool constant_bound(const Expr *e, int64_t missing, int64_t *at)
{
    if (e == NULL || (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE)) {
        *at = missing;
        return true;
    }
    bool minus = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
    size_t n;
    if (!constant_index(minus ? e->unary_op.operand : e, SIZE_MAX, &n))
        return false;
    *at = minus ? -(int64_t)n : (int64_t)n;
    return true;
}

static int64_t clipped(int64_t at, int64_t count, int64_t least, int64_t most)
{
    at += at < 0 ? count : 0;
    return at < least ? least : at > most ? most : at;
}

static const char *bound(CEmit *c, const Expr *e, const char *missing)
{
    if (e == NULL || (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE))
        return missing;
    Value v = c_expr(c, e);
    if (rep_optional_part(v.rep) != NULL) {
        v = c_place(c, v);
        return c_text(c, "(%s.is ? pychoral_int_clip(%s.as_int) : %s)", v.text, v.text, missing);
    }
    v = c_steady(c, c_convert(c, v, rep_named(c, "int"), e->at));
    const char *plain = c_plain_int(c, v);
    return plain != NULL ? plain : c_text(c, "pychoral_int_clip(%s)", c_borrowed(c, v));
}

// start, stop, step. With a negative step a missing start is the end, a missing stop the beginning.
static const char *slice_bounds(CEmit *c, const Expr *slice)
{
    const Expr *s = slice->slice.step;
    bool down = s && s->kind == EXPR_UNARY_OP && s->unary_op.op == UNARYOP_U_SUB
                && s->unary_op.operand->kind == EXPR_CONSTANT;
    bool known = s == NULL || down || s->kind == EXPR_CONSTANT;
    const char *start = bound(c, slice->slice.lower, down ? "INT64_MAX" : "0");
    const char *stop = bound(c, slice->slice.upper, down ? "INT64_MIN" : "INT64_MAX");
    const char *step = bound(c, s, "1");
    if (!known && (slice->slice.lower == NULL || slice->slice.upper == NULL)) {
        const char *t = c_new_name(c);
        c_line(c, "int64_t %s = %s;", t, step);
        step = t;
        if (slice->slice.lower == NULL)
            start = c_text(c, "(%s < 0 ? INT64_MAX : 0)", t);
        if (slice->slice.upper == NULL)
            stop = c_text(c, "(%s < 0 ? INT64_MIN : INT64_MAX)", t);
    }
    return c_text(c, "%s, %s, %s", start, stop, step);
}

static Value slice_of(CEmit *c, const Expr *e, Value base)
{
    if (is_open(base.rep) || c_is_named_tuple(c, base.rep, "__getitem__")) {
        const char *ref = c_ref(c, c_place(c, c_steady(c, base)));
        return open_result(c, e, c_text(c, "pychoral_slice(%s, %s", ref,
                                        slice_bounds(c, e->subscript.slice)));
    }
    const char *kind = c_kind_name(base.rep);
    bool known = base.rep->kind == REP_LIST || base.rep->kind == REP_SEQUENCE
        || base.rep->kind == REP_STR || base.rep->kind == REP_BYTES || base.rep->kind == REP_RANGE;
    if (!known)
        return c_refuse_type(c, e->at, "slices of", base.rep);
    const char *bounds = slice_bounds(c, e->subscript.slice);
    if (base.rep->kind == REP_SEQUENCE)
        kind = "list";
    return c_call(c, base.rep, c_text(c, "pychoral_%s_slice(%s, %s)", kind, base.text, bounds),
                  true);
}

// ---- items ----

static const char *index_of(CEmit *c, const Expr *e)
{
    const Const *k = e->kind == EXPR_CONSTANT ? e->constant.value : NULL;
    if (k && k->kind == CONST_INT && k->text.len <= 18)
        return c_text(c, "%.*s", (int)k->text.len, k->text.at);
    Value v = c_expr_as(c, e, rep_named(c, "int"));
    return c_text(c, "pychoral_item_index(%s)", c_borrowed(c, c_steady(c, v)));
}

// ---- items and slices of tuples ----

// How many items a slice has whose bounds are no constants, nobody can say: it is a tuple[T, ...].
static Value slice_of_any(CEmit *c, const Expr *e, Value base)
{
    const Rep *rep = rep_or_object(c, e);
    if (rep->kind != REP_SEQUENCE)
        return c_refuse(c, e->at, "the C target supports only constant bounds in a slice of `%s`\n"
                        "use a list, or write the bounds as numbers", c_type_name(c, base.rep));
    return slice_of(c, e, c_steady(c, c_convert(c, base, rep, e->at)));
}

// A slice of a tuple whose items have types of their own is another such tuple.
static Value tuple_slice(CEmit *c, const Expr *e, Value base)
{
    const Expr *s = e->subscript.slice;
    int64_t count = (int64_t)base.rep->count, start, stop, step;
    if (!constant_bound(s->slice.step, 1, &step) || step == 0
        || !constant_bound(s->slice.lower, step < 0 ? count : 0, &start)
        || !constant_bound(s->slice.upper, step < 0 ? -count - 1 : count, &stop))
        return slice_of_any(c, e, base);
    start = clipped(start, count, step < 0 ? -1 : 0, step < 0 ? count - 1 : count);
    stop = clipped(stop, count, step < 0 ? -1 : 0, step < 0 ? count - 1 : count);
    base = c_place(c, c_steady(c, base));
    const Rep **parts = ARENA_ARRAY(c->arena, const Rep *, base.rep->count + 1);
    const char *items = "";
    size_t n = 0;
    for (int64_t i = start; step < 0 ? i > stop : i < stop; i += step, n++) {
        parts[n] = base.rep->parts[i];
        Value part = c_value(parts[n], c_text(c, "%s.item%d", base.text, (int)i), HOLD_BORROWED);
        items = c_text(c, "%s%s.item%zu = %s", items, n ? ", " : "", n,
                       rep_passed(parts[n]) ? c_owned(c, part) : "0");
    }
    const Rep *rep = rep_tuple(c, parts, n);
    return c_value(rep, n == 0 ? rep_zero(c, rep) : c_text(c, "(%s){%s}", rep->name, items),
                   rep->drop ? HOLD_OWNED : HOLD_PLAIN);
}

// One of items that are all alike: they stand in a row.
static Value item_of_alike(CEmit *c, Value base, const char *index)
{
    const Rep *item = base.rep->parts[0];
    const char *at = c_new_name(c);
    c_line(c, "size_t %s = pychoral_tuple_place(%s, %zu);", at, index, base.rep->count);
    c_check(c);
    base = c_place(c, base);
    Value v = c_value(item, c_text(c, "((%s*)(void *)%s)[%s]", item->type, c_address(c, base), at),
                      item->drop ? HOLD_BORROWED : HOLD_PLAIN);
    v.place = true;
    v.lasting = base.lasting;
    return v;
}

// The item at an index that is known only when it is there.
static Value any_item(CEmit *c, const Expr *e, Value base)
{
    const Rep *const *parts = base.rep->parts;
    size_t count = base.rep->count, alike = 1;
    const char *index = index_of(c, e->subscript.slice);
    while (alike < count && parts[alike] == parts[0])
        alike++;
    if (alike == count && rep_passed(parts[0]))
        return item_of_alike(c, base, index);
    Value out = c_open_or_none(c, rep_or_object(c, e));
    for (size_t i = 0; i < count; i++)
        (void)c_check_promotion(c, parts[i], out.rep, e->at);
    c_line(c, "pychoral_tuple_item_at(%s, %s, %s, %s);", c_ref(c, c_place(c, c_steady(c, base))),
           index, out.rep->row, rep_passed(out.rep) ? c_text(c, "&%s", out.text)
                                                    : "&(PychoralNone){0}");
    c_check(c);
    return out;
}

static Value tuple_item(CEmit *c, const Expr *e, Value base)
{
    size_t at;
    if (e->subscript.slice->kind == EXPR_SLICE)
        return tuple_slice(c, e, base);
    if (!constant_index(e->subscript.slice, base.rep->count, &at))
        return any_item(c, e, base);
    base = c_place(c, c_steady(c, base));
    Value v = c_value(base.rep->parts[at], c_text(c, "%s.item%zu", base.text, at), HOLD_BORROWED);
    if (!rep_passed(v.rep))
        v.text = "0";
    v.place = rep_passed(v.rep);
    v.lasting = base.lasting;
    return v;
}

// ---- items of the others ----

const char *c_list_access(const Rep *item)
{
    switch (item->kind) {
    case REP_INT: return "int";
    case REP_FLOAT: return "float";
    case REP_BOOL: return "bool";
    default: break;
    }
    bool pointer = item->drop && (strcmp(item->drop, "object") == 0
                                  || strcmp(item->drop, "str") == 0);
    return pointer ? "pointer" : NULL;
}

static Value list_item(CEmit *c, const Expr *e, Value base)
{
    const Rep *item = base.rep->element;
    const char *index, *access = c_list_access(item);
    size_t at;
    if (access != NULL && base.hold != HOLD_OWNED && c_item_is_there(c, e, &at))
        return c_value(item, c_text(c, "pychoral_list_known_%s(%s, %zu)", access, base.text, at),
                       item->drop != NULL ? HOLD_BORROWED : HOLD_PLAIN);
    index = index_of(c, e->subscript.slice);
    if (access != NULL)
        return c_call(c, item, c_text(c, "pychoral_list_%s_at(%s, %s)", access, base.text, index),
                      true);
    if (!rep_passed(item)) {
        c_line(c, "pychoral_list_item(%s, %s, &(PychoralNone){0});", base.text, index);
        c_check(c);
        return c_lasting(c_value(item, "0", HOLD_PLAIN));
    }
    const char *place = c_new_name(c);
    c_line(c, "const %s*%s = pychoral_list_look(%s, %s, sizeof *%s);", item->type, place,
           base.text, index, place);
    c_check(c);
    const char *found = c_text(c, "*%s", place);
    return c_temp(c, c_value(item, item->keep ? c_text(c, "%s(%s)", item->keep, found) : found,
                             HOLD_OWNED));
}

static Value dict_item(CEmit *c, const Expr *e, Value base)
{
    Value key = c_place(c, c_steady(c, c_expr_as(c, e->subscript.slice, base.rep->key_rep)));
    Value v = c_open_or_none(c, base.rep->element);
    c_line(c, "pychoral_dict_item(%s, %s, %s);", base.text, c_address(c, key),
           rep_passed(v.rep) ? c_text(c, "&%s", v.text) : "&(PychoralNone){0}");
    c_check(c);
    return v;
}

Value c_subscript(CEmit *c, const Expr *e)
{
    CClass *k = c_class_named(c, e->subscript.value);
    if (k != NULL && k->is_enum) {
        Value name = c_expr_as(c, e->subscript.slice, rep_named(c, "str"));
        return c_call(c, rep_class(c, k), c_text(c, "pychoral_enum_named(&%s, %s)", k->row,
                                                 c_borrowed(c, name)), true);
    }
    Value base = c_plain_member(c, c_expr(c, e->subscript.value));
    const Expr *slice = e->subscript.slice;
    if (!c_is_simple(c, slice) || base.hold == HOLD_OWNED)
        base = c_steady(c, base);
    Value out;
    if (base.rep->kind == REP_TUPLE)
        return tuple_item(c, e, base);
    if (slice->kind == EXPR_SLICE)
        return slice_of(c, e, base);
    bool open = is_open(base.rep) || c_has_open_index(c, base.rep, slice);
    if (!open && (base.rep->kind == REP_LIST || base.rep->kind == REP_SEQUENCE))
        return list_item(c, e, base);
    if (base.rep->kind == REP_DICT)
        return dict_item(c, e, base);
    if (base.rep->kind == REP_CLASS) {
        CMethod *m = c_find_method(base.rep->class_, names_get(c->names, "__getitem__"));
        Value key = m ? c_steady(c, c_expr(c, slice)) : base;
        if (m != NULL)
            return c_user_call_values(c, e->at, m, &base, &key, 1);
    }
    bool named = c_is_named_tuple(c, base.rep, NULL);
    size_t at;
    if (named && constant_index(slice, base.rep->class_->fields.len, &at))
        return c_tuple_field_at(c, base, at);
    if (open || named) {
        Value key = c_place(c, c_steady(c, c_expr(c, slice)));
        const char *ref = c_ref(c, c_place(c, base));
        return open_result(c, e, c_text(c, "pychoral_subscript(%s, %s", ref, c_ref(c, key)));
    }
    const char *kind = c_kind_name(base.rep);
    if (kind && c_prim_call(c, c_text(c, "%s.__getitem__", kind), e, &base, (ExprList){&slice, 1},
                            (KeywordList){0}, rep_of(c, e->ty, e->at), &out))
        return out;
    return c_refuse_type(c, e->at, "subscripts of", base.rep);
}

void c_store_item(CEmit *c, const Expr *target, Value v)
{
    Value base = c_steady(c, c_expr(c, target->subscript.value));
    const Expr *slice = target->subscript.slice;
    if (base.rep->kind == REP_LIST && slice->kind == EXPR_SLICE) {
        const char *bounds = slice_bounds(c, slice);
        c_line(c, "pychoral_list_put_slice(%s, %s, %s);", base.text, bounds,
               c_ref(c, c_place(c, v)));
        c_check(c);
        return;
    }
    if (base.rep->kind == REP_LIST) {
        const char *index = index_of(c, slice), *access = c_list_access(base.rep->element);
        v = c_steady(c, c_convert(c, v, base.rep->element, target->at));
        if (access != NULL && strcmp(access, "pointer") != 0)
            c_line(c, "pychoral_list_%s_put(%s, %s, %s);", access, base.text, index, v.text);
        else
            c_line(c, "pychoral_list_put(%s, %s, %s);", base.text, index, c_address(c, v));
        c_check(c);
        return;
    }
    if (base.rep->kind == REP_DICT) {
        Value key = c_place(c, c_steady(c, c_expr_as(c, slice, base.rep->key_rep)));
        v = c_place(c, c_steady(c, c_convert(c, v, base.rep->element, target->at)));
        c_put_key(c, base, key, v);
        c_check(c);
        return;
    }
    if (base.rep->kind == REP_DEQUE && slice->kind != EXPR_SLICE) {
        const char *index = index_of(c, slice);
        v = c_place(c, c_steady(c, c_convert(c, v, base.rep->element, target->at)));
        c_line(c, "pychoral_deque_put(%s, %s, %s);", base.text, index, c_address(c, v));
        c_check(c);
        return;
    }
    CMethod *m = base.rep->kind == REP_CLASS
        ? c_find_method(base.rep->class_, names_get(c->names, "__setitem__")) : NULL;
    if (m != NULL) {
        Value args[] = {c_steady(c, c_expr(c, slice)), v};
        (void)c_user_call_values(c, target->at, m, &base, args, 2);
        return;
    }
    if (is_open(base.rep) && slice->kind != EXPR_SLICE) {
        Value key = c_place(c, c_steady(c, c_expr(c, slice)));
        const char *ref = c_ref(c, c_place(c, base)), *at = c_ref(c, key);
        c_line(c, "pychoral_put_item(%s, %s, %s);", ref, at, c_ref(c, c_place(c, v)));
        c_check(c);
        return;
    }
    (void)c_refuse_type(c, target->at, "item assignment to", base.rep);
}

void c_delete_item(CEmit *c, const Expr *target)
{
    Value base = c_steady(c, c_expr(c, target->subscript.value));
    const Expr *slice = target->subscript.slice;
    if (base.rep->kind == REP_LIST && slice->kind == EXPR_SLICE) {
        c_line(c, "pychoral_list_delete_slice(%s, %s);", base.text, slice_bounds(c, slice));
    } else if (base.rep->kind == REP_LIST) {
        c_line(c, "pychoral_list_delete(%s, %s);", base.text, index_of(c, slice));
    } else if (base.rep->kind == REP_DEQUE && slice->kind != EXPR_SLICE) {
        c_line(c, "pychoral_deque_delete(%s, %s);", base.text, index_of(c, slice));
    } else if (base.rep->kind == REP_DICT) {
        Value key = c_place(c, c_steady(c, c_expr_as(c, slice, base.rep->key_rep)));
        c_line(c, "pychoral_dict_delete(%s, %s);", base.text, c_ref(c, key));
    } else if (is_open(base.rep) && slice->kind != EXPR_SLICE) {
        Value key = c_place(c, c_steady(c, c_expr(c, slice)));
        c_line(c, "%s;", c_of_two_refs(c, "pychoral_delete_item", base, key));
    } else {
        CMethod *m = base.rep->kind == REP_CLASS
            ? c_find_method(base.rep->class_, names_get(c->names, "__delitem__")) : NULL;
        Value key = m ? c_steady(c, c_expr(c, slice)) : base;
        if (m != NULL)
            (void)c_user_call_values(c, target->at, m, &base, &key, 1);
        else
            (void)c_refuse_type(c, target->at, "item deletion from", base.rep);
        return;
    }
    c_check(c);
}
