// k_expr.c - expressions. Evaluation order is Python's: what stands to the left of a call that may
// change something is put into a temporary first.

#include <stdlib.h>

#include "compiler/emit/kernel/k_internal.h"

KValue k_value(const char *text, KPrec prec, const KType *type)
{
    return (KValue){.text = text, .prec = prec, .type = type};
}

const char *k_call(Kernel *k)
{
    k->function->calls = k->function->asks = true;
    return "call";
}

const char *k_call_line(Kernel *k, Span at)
{
    return k_text(k, "%s, %d, ", k_call(k), k_line(k, at));
}

const char *k_temp(Kernel *k, KValue v)
{
    bool simple = v.prec == KPREC_ATOM && strpbrk(v.text, "(*->[") == NULL;
    if (simple)
        return v.text;
    const char *name = k_fresh(k, "t");
    k_line_out(k, "%s%s = %s;", v.type->c, name, v.text);
    return name;
}

// gcc wants brackets around `&&` in `||` and around what is shifted or masked.
const char *k_at(Kernel *k, KValue v, KPrec prec)
{
    return v.prec >= prec ? v.text : k_text(k, "(%s)", v.text);
}

static KValue expr_to(Kernel *k, const Expr *e, const KType *to);

// ---- what a call in an expression may do ----

typedef struct Acts { const Kernel *k; bool found; } Acts;

static bool find_act(void *cx, const Expr *e)
{
    Acts *a = cx;
    if (e->kind == EXPR_CALL) {
        const Expr *f = e->call.func;
        bool own = f->kind == EXPR_NAME && table_get(a->k->functions, f->name.id) != NULL;
        bool method = f->kind == EXPR_ATTRIBUTE && f->attribute.value->kind == EXPR_NAME
                      && table_get(a->k->modules, f->attribute.value->name.id) == NULL;
        a->found |= own || method;
    }
    return !a->found;
}

bool k_acts(const Kernel *k, const Expr *e)
{
    Acts a = {.k = k};
    IrWalker w = {.cx = &a, .expr = find_act};
    ir_walk_expr(&w, e);
    return a.found;
}

// Each as it is evaluated; those in front of one that acts are kept in temporaries.
void k_operands(Kernel *k, ExprList list, KValue *to)
{
    size_t acting = list.len;
    for (size_t i = list.len; i-- > 1 && acting == list.len;)
        if (k_acts(k, list.at[i]))
            acting = i;
    for (size_t i = 0; i < list.len; i++) {
        to[i] = k_expr(k, list.at[i]);
        if (acting < list.len && i < acting && list.at[i]->kind != EXPR_CONSTANT)
            to[i] = k_value(k_temp(k, k_value(to[i].text, KPREC_COND, to[i].type)), KPREC_ATOM,
                            to[i].type);
    }
}

// ---- atoms ----

static KValue constant(Kernel *k, const Expr *e)
{
    const Const *c = e->constant.value;
    switch (c->kind) {
    case CONST_NONE: return k_value("0", KPREC_ATOM, k_simple(k, K_NONE));
    case CONST_BOOL: return k_value(c->truth ? "true" : "false", KPREC_ATOM, k_simple(k, K_BOOL));
    case CONST_INT:
        if (c->text.len > 18 && !k->o->arrays) {
            k_refuse(k, e->at, "a gradient in C does not support an `int` of more than 18 "
                     "digits");
            return k_value("0", KPREC_ATOM, k_simple(k, K_INT));
        }
        return k_value(k_text(k, c->text.len > 9 ? "INT64_C(%.*s)" : "%.*s", (int)c->text.len,
                              c->text.at), KPREC_ATOM, k_simple(k, K_INT));
    case CONST_FLOAT: return k_value(k_number(k, c->number), KPREC_ATOM, k_simple(k, K_FLOAT));
    case CONST_STR:
        if (memchr(c->text.at, '\0', c->text.len) != NULL)
            k_refuse(k, e->at, "a gradient in C does not support a string with a null character");
        return k_value(k_string(k, c->text), KPREC_ATOM, k_simple(k, K_TEXT));
    case CONST_COMPLEX: case CONST_BYTES: case CONST_ELLIPSIS: break;
    }
    k_refuse(k, e->at, "a gradient in C does not support this constant");
    return k_value("0", KPREC_ATOM, k_simple(k, K_INT));
}

static const KType *type_at(Kernel *k, const Expr *e, const KType *otherwise)
{
    bool open = e->ty == NULL || e->ty->kind == TY_ANY || e->ty->kind == TY_POISON;
    return open ? otherwise : k_type(k, e->ty, e->at);
}

static KValue name(Kernel *k, const Expr *e)
{
    KLocal *l = table_get(k->locals, e->name.id);
    if (l == NULL) {
        const char *global = k_global_value(k, e->name.id);
        if (global == NULL)
            k_refuse(k, e->at, "a gradient in C does not support `%s` as a value", e->name.id);
        return k_value(global ? global : "0", KPREC_ATOM, type_at(k, e, k_simple(k, K_FLOAT)));
    }
    l->read = true;
    KValue v = k_value(l->c, KPREC_ATOM, l->type);
    const KType *here = type_at(k, e, l->type);
    return here->kind == K_NONE ? k_value("0", KPREC_ATOM, here) : k_convert(k, v, here, e->at);
}

// ---- fields and items ----

KValue k_attribute(Kernel *k, const Expr *e)
{
    Sym dotted = k_callee(k, e);
    if (dotted != NULL && strncmp(dotted, "math.", 5) == 0)
        return k_value(k_math_constant(k, dotted, e->at), KPREC_ATOM, k_simple(k, K_FLOAT));
    const Expr *of = e->attribute.value;
    KClass *c = of->kind == EXPR_NAME ? k_class(k, of->name.id) : NULL;
    if (c != NULL && c->is_enum && table_get(k->locals, of->name.id) == NULL) {
        k_use_class(c);
        return k_value(k_text(k, "%s_%s", c->c, e->attribute.attr), KPREC_ATOM, c->type);
    }
    KValue object = k_expr(k, of);
    const KField *f = NULL;
    const KClass *owner = object.type->kind == K_RECORD
                          ? k_field(k, object.type->class_, e->attribute.attr, &f) : NULL;
    if (owner == NULL) {
        k_refuse(k, e->at, "a gradient in C does not support the field `%s` of `%s`",
                 e->attribute.attr, k_type_text(k, object.type));
        return object;
    }
    Buf path = buf_new(k->arena);
    for (const KClass *at = object.type->class_; at != owner; at = at->base)
        buf_puts(&path, path.len > 0 ? "base." : "base.");
    return k_value(k_text(k, "%s->%s%s", k_at(k, object, KPREC_POSTFIX), buf_text(&path), f->c),
                   KPREC_POSTFIX, f->type);
}

// The field as it is at this place: `left` of a Node where None has been excluded.
static KValue field(Kernel *k, const Expr *e)
{
    KValue v = k_attribute(k, e);
    const KType *here = type_at(k, e, v.type);
    return here->kind == K_NONE ? k_value("0", KPREC_ATOM, here) : k_convert(k, v, here, e->at);
}

static bool constant_index(const Expr *e, int64_t *value)
{
    bool minus = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
    const Expr *c = minus ? e->unary_op.operand : e;
    if (c->kind != EXPR_CONSTANT || c->constant.value->kind != CONST_INT
        || c->constant.value->text.len > 9)
        return false;
    *value = strtoll(c->constant.value->text.at, NULL, 10);
    *value = minus ? -*value : *value;
    return true;
}

static KValue element(Kernel *k, const Expr *e, const char *look_up)
{
    const Expr *parts[] = {e->subscript.value, e->subscript.slice};
    KValue v[2];
    int64_t i = 0;
    bool known = constant_index(parts[1], &i);
    k_operands(k, (ExprList){parts, known ? 1 : 2}, v);
    const KType *of = v[0].type;
    if (of->kind == K_ARRAY)
        return k_value(k_text(k, "%s[%s]", v[0].text, known ? k_expr(k, parts[1]).text
                                                            : v[1].text),
                       KPREC_POSTFIX, of->items.at[0]);
    if (of->kind == K_LIST) {
        const char *at = known ? k_text(k, "%lld", (long long)i) : v[1].text;
        return k_value(k_text(k, "*%s_%s(%s%s, %s)", of->name, look_up, k_call_line(k, e->at),
                              v[0].text, at), KPREC_UNARY, of->items.at[0]);
    }
    i = i < 0 ? i + (int64_t)of->items.len : i;
    if (of->kind == K_TUPLE && known && i >= 0 && (size_t)i < of->items.len)
        return k_value(k_text(k, "%s.at%lld", k_at(k, v[0], KPREC_POSTFIX), (long long)i),
                       KPREC_POSTFIX, of->items.at[i]);
    k_refuse(k, e->at, "a gradient in C does not support this subscript of `%s`",
             k_type_text(k, of));
    return k_value("0.0", KPREC_ATOM, k_simple(k, K_FLOAT));
}

KValue k_element(Kernel *k, const Expr *e) { return element(k, e, "at"); }

KValue k_element_target(Kernel *k, const Expr *e) { return element(k, e, "target"); }

static const char *bound(Kernel *k, const Expr *e, const char *otherwise)
{
    return e ? k_expr_as(k, e, k_simple(k, K_INT)) : otherwise;
}

const char *k_slice_bounds(Kernel *k, const Expr *slice)
{
    if (slice->slice.step != NULL)
        k_refuse(k, slice->at, "a gradient in C supports only slices without a step");
    return k_text(k, "%s, %s", bound(k, slice->slice.lower, "0"),
                  bound(k, slice->slice.upper, "INT64_MAX"));
}

static KValue subscript(Kernel *k, const Expr *e)
{
    if (e->subscript.slice->kind == EXPR_SLICE) {
        KValue of = k_expr(k, e->subscript.value);
        if (of.type->kind != K_LIST)
            k_refuse(k, e->at, "a gradient in C supports only slices of lists");
        return k_value(k_text(k, "%s_slice(%s, %s, %s)", of.type->name, k_call(k), of.text,
                              k_slice_bounds(k, e->subscript.slice)), KPREC_POSTFIX, of.type);
    }
    KValue v = k_element(k, e);
    const KType *here = type_at(k, e, v.type);
    return here->kind == K_NONE ? k_value("0", KPREC_ATOM, here) : k_convert(k, v, here, e->at);
}

// ---- displays ----

static const char *items_text(Kernel *k, ExprList elts, const KTypes *types, const KType *one)
{
    KValue *v = ARENA_ARRAY(k->arena, KValue, elts.len + 1);
    Buf b = buf_new(k->arena);
    k_operands(k, elts, v);
    for (size_t i = 0; i < elts.len; i++)
        buf_printf(&b, "%s%s", i > 0 ? ", " : "",
                   k_convert(k, v[i], one ? one : types->at[i], elts.at[i]->at).text);
    return buf_text(&b);
}

static KValue list_display(Kernel *k, const Expr *e, const KType *t)
{
    const KType *item = t->items.at[0];
    if (e->list.elts.len == 0)
        return k_value(k_text(k, "%s_sized(%s, 0)", t->name, k_call(k)), KPREC_POSTFIX, t);
    const char *items = items_text(k, e->list.elts, NULL, item);
    return k_value(k_text(k, "%s_of(%s, %zu, (%s[]){%s})", t->name, k_call(k), e->list.elts.len,
                          k_text(k, "%.*s", (int)(strlen(item->c) - (item->c[strlen(item->c) - 1]
                                                                     == ' ')), item->c), items),
                   KPREC_POSTFIX, t);
}

static KValue tuple_display(Kernel *k, const Expr *e, const KType *t)
{
    if (t->kind != K_TUPLE || t->items.len != e->tuple.elts.len) {
        k_refuse(k, e->at, "a gradient in C cannot convert this tuple to `%s`",
                 k_type_text(k, t));
        return k_value("0", KPREC_ATOM, t);
    }
    return k_value(k_text(k, "(%s){%s}", t->name, items_text(k, e->tuple.elts, &t->items, NULL)),
                   KPREC_POSTFIX, t);
}

// ---- operators ----

typedef struct OpRow {
    Operator    op;
    const char *sign;           // of floats; NULL: a call
    KPrec       prec;
    const char *word;           // of the functions float_ and int_
} OpRow;

static const OpRow OPS[] = {
    {OPERATOR_ADD, "+", KPREC_ADD, "add"},          {OPERATOR_SUB, "-", KPREC_ADD, "sub"},
    {OPERATOR_MULT, "*", KPREC_MUL, "mul"},         {OPERATOR_DIV, NULL, KPREC_MUL, "truediv"},
    {OPERATOR_MOD, NULL, KPREC_MUL, "mod"},         {OPERATOR_POW, NULL, KPREC_MUL, "pow"},
    {OPERATOR_FLOOR_DIV, NULL, KPREC_MUL, "floordiv"},
    {OPERATOR_L_SHIFT, NULL, KPREC_SHIFT, "lshift"},
    {OPERATOR_R_SHIFT, NULL, KPREC_SHIFT, "rshift"},
    {OPERATOR_BIT_OR, "|", KPREC_BIT_OR, NULL},     {OPERATOR_BIT_XOR, "^", KPREC_BIT_XOR, NULL},
    {OPERATOR_BIT_AND, "&", KPREC_BIT_AND, NULL},
};

static const OpRow *row_of(Operator op)
{
    for (size_t i = 0; i < sizeof OPS / sizeof *OPS; i++)
        if (OPS[i].op == op)
            return &OPS[i];
    return NULL;
}

static bool is_real(const KType *t) { return t->kind == K_FLOAT; }

static KValue on_lists(Kernel *k, const Expr *e, KValue a, KValue b)
{
    bool add = e->bin_op.op == OPERATOR_ADD;
    if (add ? a.type != b.type : e->bin_op.op != OPERATOR_MULT
        || (a.type->kind == K_LIST) == (b.type->kind == K_LIST)) {
        k_refuse(k, e->at, "a gradient in C does not support this operator for lists");
        return a;
    }
    KValue list = a.type->kind == K_LIST ? a : b, other = a.type->kind == K_LIST ? b : a;
    return k_value(k_text(k, "%s_%s(%s, %s, %s)", list.type->name, add ? "add" : "mul", k_call(k),
                          list.text, other.text), KPREC_POSTFIX, list.type);
}

static bool find_call(void *cx, const Expr *e)
{
    bool *found = cx;
    *found |= e->kind == EXPR_CALL;
    return !*found;
}

// Both operands are computed, so that a loop of them can be done in vectors: a cast says to clang
// that no `&&` is meant where the second one calls a function.
static const char *second_truth(Kernel *k, const Expr *e, KValue b)
{
    bool calls = false;
    IrWalker w = {.cx = &calls, .expr = find_call};
    ir_walk_expr(&w, e);
    const char *text = k_at(k, b, calls ? KPREC_UNARY : KPREC_MUL);
    return calls ? k_text(k, "(int)%s", text) : text;
}

static KValue integers(Kernel *k, const Expr *e, const OpRow *row, KValue a, KValue b)
{
    const KType *t = k_simple(k, K_INT);
    if (row->word == NULL) {
        bool bools = a.type->kind == K_BOOL && b.type->kind == K_BOOL;
        return k_value(k_text(k, "%s %s %s", k_at(k, a, KPREC_MUL), row->sign,
                              bools ? second_truth(k, e->bin_op.right, b)
                                    : k_at(k, b, KPREC_MUL)), row->prec,
                       bools ? k_simple(k, K_BOOL) : t);
    }
    const KType *result = row->op == OPERATOR_DIV ? k_simple(k, K_FLOAT) : t;
    return k_value(k_text(k, "int_%s(%s%s, %s)", row->word, k_call_line(k, e->at), a.text, b.text),
                   KPREC_POSTFIX, result);
}

static KValue binary(Kernel *k, const Expr *e, KValue a, KValue b)
{
    const OpRow *row = row_of(e->bin_op.op);
    const KType *real = k_simple(k, K_FLOAT);
    if (a.type->kind == K_LIST || b.type->kind == K_LIST)
        return on_lists(k, e, a, b);
    bool numbers = a.type->kind <= K_BOOL && b.type->kind <= K_BOOL;
    bool reals = is_real(a.type) || is_real(b.type)
                 || (row != NULL && row->op == OPERATOR_POW && e->ty != NULL
                     && is_real(type_at(k, e, real)));
    if (row == NULL || !numbers || (reals && row->prec < KPREC_ADD)) {
        k_refuse(k, e->at, "a gradient in C does not support this operator for `%s` and `%s`",
                 k_type_text(k, a.type), k_type_text(k, b.type));
        return k_value("0.0", KPREC_ATOM, real);
    }
    KValue plain;
    if (k_np_operator(k, e, a, b, &plain))
        return plain;
    if (!reals)
        return integers(k, e, row, a, b);
    a = k_convert(k, a, real, e->at);
    b = k_convert(k, b, real, e->at);
    if (row->sign == NULL)
        return k_value(k_text(k, "float_%s(%s%s, %s)", row->word, k_call_line(k, e->at), a.text,
                              b.text), KPREC_POSTFIX, real);
    return k_value(k_text(k, "%s %s %s", k_at(k, a, row->prec), row->sign,
                          k_at(k, b, row->prec + 1)), row->prec, real);
}

// Along the left operands in a loop: sums may have 100,000 of them.
static KValue bin_op(Kernel *k, const Expr *e)
{
    Vec(const Expr *) chain = {0};
    for (; e->kind == EXPR_BIN_OP; e = e->bin_op.left)
        vec_push(k->arena, &chain, e);
    KValue v = k_expr(k, e);
    for (size_t i = chain.len; i-- > 0;) {
        const Expr *right = chain.at[i]->bin_op.right;
        if (v.prec < KPREC_ATOM && k_acts(k, right))
            v = k_value(k_temp(k, v), KPREC_ATOM, v.type);
        else if (k_acts(k, right))
            v = k_value(k_temp(k, k_value(v.text, KPREC_COND, v.type)), KPREC_ATOM, v.type);
        v = binary(k, chain.at[i], v, k_expr(k, right));
    }
    return v;
}

static KValue unary(Kernel *k, const Expr *e)
{
    if (e->unary_op.op == UNARYOP_NOT)          // an operand of `&` in parentheses: compilers warn
        return k_value(k_text(k, "!%s", k_at(k, k_value(k_condition(k, e->unary_op.operand),
                                                        KPREC_COND, NULL), KPREC_UNARY)),
                       KPREC_AND, k_simple(k, K_BOOL));
    KValue v = k_expr(k, e->unary_op.operand);
    if (v.type->kind == K_BOOL)
        v = k_convert(k, v, k_simple(k, K_INT), e->at);
    bool literal = e->unary_op.operand->kind == EXPR_CONSTANT;
    if (e->unary_op.op == UNARYOP_U_ADD)
        return v;
    bool checked = !k->o->arrays || k->checked;
    if (v.type->kind == K_INT && e->unary_op.op == UNARYOP_U_SUB && !literal && checked)
        return k_value(k_text(k, "int_neg(%s%s)", k_call_line(k, e->at), v.text), KPREC_POSTFIX,
                       v.type);
    const char *text = k_at(k, v, KPREC_UNARY);
    bool twice = text[0] == '-';
    return k_value(k_text(k, twice ? "%s(%s)" : "%s%s",
                          e->unary_op.op == UNARYOP_INVERT ? "~" : "-", text), KPREC_UNARY, v.type);
}

// ---- truth ----

KValue k_truth(Kernel *k, KValue v)
{
    const KType *t = k_simple(k, K_BOOL);
    const char *at = k_at(k, v, KPREC_POSTFIX);
    switch (v.type->kind) {
    case K_BOOL:  return v;
    case K_NONE:  return k_value("false", KPREC_ATOM, t);
    case K_FLOAT: return k_value(k_text(k, "%s != 0.0", k_at(k, v, KPREC_SHIFT)), KPREC_EQUAL, t);
    case K_INT: case K_ENUM:
        return k_value(k_text(k, "%s != 0", k_at(k, v, KPREC_SHIFT)), KPREC_EQUAL, t);
    case K_TEXT:  return k_value(k_text(k, "%s[0] != '\\0'", at), KPREC_EQUAL, t);
    case K_LIST:
        at = k_temp(k, v);
        return k_value(k_text(k, "(%s != NULL && %s->len > 0)", at, at), KPREC_ATOM, t);
    case K_RECORD: case K_CHOICE: case K_ARRAY:
        return k_value(k_text(k, "%s != NULL", k_at(k, v, KPREC_SHIFT)), KPREC_EQUAL, t);
    case K_TUPLE: return k_value(v.type->items.len > 0 ? "true" : "false", KPREC_ATOM, t);
    case K_UNION: break;
    }
    return k_value(k_text(k, "%s.tag", at), KPREC_POSTFIX, NULL);
}

static KValue condition(Kernel *k, const Expr *e)
{
    KValue whole = k_expr(k, e), v = k_truth(k, whole);
    if (v.type == NULL) {
        Diag *d = k_refuse(k, e->at, "a gradient in C does not support the truth value of `%s`",
                           k_type_text(k, whole.type));
        bool none = k_tag(whole.type, k_simple(k, K_NONE)) < whole.type->items.len;
        bool text = k_tag(whole.type, k_simple(k, K_TEXT)) < whole.type->items.len;
        diag_help(d, !none  ? "test the type first, as in `isinstance(n, int) and n != 0`"
                     : text ? "test for `None` first, as in `s is not None and s != \"\"`"
                            : "test for `None` first, as in `n is not None and n != 0`");
    }
    return v;
}

const char *k_condition(Kernel *k, const Expr *e) { return condition(k, e).text; }

// Prints what an expression needs beforehand apart, to see whether there is any.
static KValue apart(Kernel *k, const Expr *e, const KType *to, Buf *before)
{
    Buf *out = k->out;
    *before = buf_new(k->arena);
    k->out = before;
    KValue v = to ? expr_to(k, e, to) : condition(k, e);
    k->out = out;
    return v;
}

static void put_arm(Kernel *k, const char *name, Buf *before, const char *value)
{
    k->out->indent++;
    buf_puts(k->out, before->len > 0 ? buf_text(before) : "");
    k_line_out(k, "%s = %s;", name, value);
    k->out->indent--;
}

// clang warns where a bitwise operation stands before `?` without parentheses.
static const char *asked(Kernel *k, KValue test)
{
    return k_at(k, test, test.prec < KPREC_BIT_OR ? KPREC_OR : KPREC_EQUAL);
}

static KValue if_exp(Kernel *k, const Expr *e, const KType *t)
{
    Buf a, b;
    KValue test = condition(k, e->if_exp.test);
    KValue yes = apart(k, e->if_exp.body, t, &a), no = apart(k, e->if_exp.orelse, t, &b);
    if (a.len + b.len == 0)
        return k_value(k_text(k, "%s ? %s : %s", asked(k, test), k_at(k, yes, KPREC_OR),
                              no.text), KPREC_COND, t);
    const char *name = k_fresh(k, "t");
    k_line_out(k, "%s%s;", t->c, name);
    k_line_out(k, "if (%s) {", test.text);
    put_arm(k, name, &a, yes.text);
    k_line_out(k, "} else {");
    put_arm(k, name, &b, no.text);
    k_line_out(k, "}");
    return k_value(name, KPREC_ATOM, t);
}

static KValue bool_op(Kernel *k, const Expr *e)
{
    bool and = e->bool_op.op == BOOLOP_AND;
    KPrec prec = and ? KPREC_AND : KPREC_OR, inner = KPREC_BIT_OR;
    const KType *t = k_simple(k, K_BOOL);
    ExprList values = e->bool_op.values;
    KValue v = condition(k, values.at[0]);
    const char *text = k_at(k, v, inner);
    for (size_t i = 1; i < values.len; i++) {
        Buf before;
        KValue next = apart(k, values.at[i], NULL, &before);
        if (before.len == 0) {
            text = k_text(k, "%s %s %s", text, and ? "&&" : "||", k_at(k, next, inner));
            continue;
        }
        const char *name = k_fresh(k, "t");
        k_line_out(k, "bool %s = %s;", name, text);
        k_line_out(k, "if (%s%s) {", and ? "" : "!", name);
        put_arm(k, name, &before, next.text);
        k_line_out(k, "}");
        text = name;
    }
    return k_value(text, prec, t);
}

// `a or b` where a value is wanted, not whether it is true.
static KValue either(Kernel *k, const Expr *e, const KType *t)
{
    ExprList values = e->bool_op.values;
    const char *name = k_fresh(k, "t");
    k_line_out(k, "%s%s = %s;", t->c, name, k_expr_as(k, values.at[0], t));
    for (size_t i = 1; i < values.len; i++) {
        Buf before;
        KValue so_far = k_truth(k, k_value(name, KPREC_ATOM, t));
        KValue next = apart(k, values.at[i], t, &before);
        k_line_out(k, e->bool_op.op == BOOLOP_AND ? "if (%s) {" : "if (!(%s)) {", so_far.text);
        put_arm(k, name, &before, next.text);
        k_line_out(k, "}");
    }
    return k_value(name, KPREC_ATOM, t);
}

// ---- comparisons ----

static const char *const SIGNS[CMPOP_COUNT] = {
    [CMPOP_EQ] = "==", [CMPOP_NOT_EQ] = "!=", [CMPOP_LT] = "<", [CMPOP_LT_E] = "<=",
    [CMPOP_GT] = ">", [CMPOP_GT_E] = ">=", [CMPOP_IS] = "==", [CMPOP_IS_NOT] = "!="};

static KValue with_none(Kernel *k, KValue v, bool same)
{
    const KType *t = k_simple(k, K_BOOL);
    if (k_is_pointer(v.type) || v.type->kind == K_ARRAY)
        return k_value(k_text(k, "%s %s NULL", k_at(k, v, KPREC_SHIFT), same ? "==" : "!="),
                       KPREC_EQUAL, t);
    size_t tag = v.type->kind == K_UNION ? k_tag(v.type, k_simple(k, K_NONE)) : 0;
    if (v.type->kind == K_UNION && tag < v.type->items.len)
        return k_value(k_text(k, "%s.tag %s %zu", k_at(k, v, KPREC_POSTFIX), same ? "==" : "!=",
                              tag), KPREC_EQUAL, t);
    return k_value((v.type->kind == K_NONE) == same ? "true" : "false", KPREC_ATOM, t);
}

static bool is_identity(Cmpop op) { return op == CMPOP_IS || op == CMPOP_IS_NOT; }

static KValue compared(Kernel *k, const Expr *e, Cmpop op, const Expr *right, KValue a, KValue b)
{
    const KType *t = k_simple(k, K_BOOL);
    bool equality = op == CMPOP_EQ || op == CMPOP_NOT_EQ || is_identity(op);
    bool same = op == CMPOP_EQ || op == CMPOP_IS;
    KPrec prec = equality ? KPREC_EQUAL : KPREC_LESS;
    if (equality && (a.type->kind == K_NONE || b.type->kind == K_NONE))
        return with_none(k, a.type->kind == K_NONE ? b : a, same);
    bool numbers = a.type->kind <= K_BOOL && b.type->kind <= K_BOOL;
    bool alike = a.type == b.type && (a.type->kind == K_ENUM || (k_is_pointer(a.type)
                                                                 && is_identity(op)));
    bool objects = is_identity(op) && k_is_pointer(a.type) && k_is_pointer(b.type);
    if (objects && !alike)
        return k_value(k_text(k, "(void *)%s %s (void *)%s", k_at(k, a, KPREC_UNARY), SIGNS[op],
                              k_at(k, b, KPREC_UNARY)), prec, t);
    if (a.type->kind == K_TEXT && b.type->kind == K_TEXT)
        return k_value(k_text(k, "strcmp(%s, %s) %s 0", a.text, b.text, SIGNS[op]), prec, t);
    if (SIGNS[op] == NULL || !(numbers || (alike && equality)))
        k_refuse(k, e->at, "a gradient in C does not support this comparison of `%s` and `%s`",
                 k_source_type(k, e->compare.left, a.type), k_source_type(k, right, b.type));
    return k_value(k_text(k, "%s %s %s", k_at(k, a, KPREC_SHIFT), SIGNS[op] ? SIGNS[op] : "==",
                          k_at(k, b, KPREC_SHIFT)), prec, t);
}

// `x in (a, b)`: one comparison with each.
static KValue among(Kernel *k, const Expr *e, bool in)
{
    const Expr *of = e->compare.comparators.at[0];
    bool display = of->kind == EXPR_TUPLE || of->kind == EXPR_LIST;
    ExprList items = of->kind == EXPR_TUPLE ? of->tuple.elts : of->list.elts;
    if (!display)
        k_refuse(k, e->at, "a gradient in C supports `in` only for tuples and lists");
    KValue v = k_expr(k, e->compare.left);
    v = k_value(k_temp(k, v), KPREC_ATOM, v.type);
    const char *text = in ? "false" : "true";
    for (size_t i = 0; display && i < items.len; i++) {
        KValue one = compared(k, e, in ? CMPOP_EQ : CMPOP_NOT_EQ, items.at[i], v,
                              k_expr(k, items.at[i]));
        text = i == 0 ? one.text : k_text(k, "%s %s %s", text, in ? "||" : "&&", one.text);
    }
    return k_value(text, in ? KPREC_OR : KPREC_AND, k_simple(k, K_BOOL));
}

static KValue compare(Kernel *k, const Expr *e)
{
    Cmpop op = e->compare.ops.at[0];
    if (op == CMPOP_IN || op == CMPOP_NOT_IN)
        return among(k, e, op == CMPOP_IN);
    const Expr *parts[] = {e->compare.left, e->compare.comparators.at[0]};
    KValue v[2];
    k_operands(k, (ExprList){parts, 2}, v);
    return compared(k, e, op, parts[1], v[0], v[1]);
}

// ---- calls ----

Sym k_callee(Kernel *k, const Expr *f)
{
    if (f->kind == EXPR_NAME) {
        Sym import = table_get(k->modules, f->name.id);
        return table_get(k->locals, f->name.id) ? NULL : import ? import : f->name.id;
    }
    if (f->kind != EXPR_ATTRIBUTE || f->attribute.value->kind != EXPR_NAME)
        return NULL;
    Sym module = table_get(k->locals, f->attribute.value->name.id)
                 ? NULL : table_get(k->modules, f->attribute.value->name.id);
    return module ? names_format(k->names, "%s.%s", module, f->attribute.attr) : NULL;
}

const char *k_own_call(Kernel *k, const Expr *e)
{
    KFunction *f = table_get(k->functions, k_callee(k, e->call.func));
    const Arguments *args = f->def->function_def.args;
    KValue *v = ARENA_ARRAY(k->arena, KValue, e->call.args.len + 1);
    Buf b = buf_new(k->arena);
    size_t count = args->posonlyargs.len + args->args.len;
    if (e->call.keywords.len > 0 || e->call.args.len != count)
        k_refuse(k, e->at, "a gradient in C supports only positional arguments of `%s`", f->name);
    k_operands(k, e->call.args, v);
    buf_printf(&b, "%s(%s", k_body_name(k, f), f->calls ? k_call(k) : "");
    if (f->tapes)
        buf_printf(&b, ", %s", k->top);
    for (size_t i = 0; i < e->call.args.len && i < count; i++) {
        const Arg *a = k_param(f, i);
        buf_printf(&b, "%s%s", i > 0 || f->calls ? ", " : "",
                   k_convert(k, v[i], k_type(k, a->ty, a->at), e->call.args.at[i]->at).text);
    }
    buf_putc(&b, ')');
    return buf_text(&b);
}

// What a function that uses the tape answers is taken apart.
static KValue own_call(Kernel *k, const Expr *e, KFunction *f)
{
    const KType *t = k_result_type(k, f);
    const char *text = k_own_call(k, e);
    if (!f->tapes)
        return k_value(text, KPREC_POSTFIX, t);
    if (t->kind == K_NONE) {
        k_line_out(k, "%s = %s;", k->top, text);
        return k_value(k_zero(t), KPREC_ATOM, t);
    }
    const char *both = k_fresh(k, "t");
    k_line_out(k, "%s%s = %s;", k_answer_c(k, f), both, text);
    k_line_out(k, "%s = %s.top;", k->top, both);
    return k_value(k_text(k, "%s.result", both), KPREC_POSTFIX, t);
}

static KValue call(Kernel *k, const Expr *e)
{
    Sym name = k_callee(k, e->call.func);
    KFunction *f = name ? table_get(k->functions, name) : NULL;
    KClass *c = name ? k_class(k, name) : NULL;
    KValue v;
    if (f != NULL)
        return own_call(k, e, f);
    if (c != NULL)
        return k_construct(k, e, c);
    if (k_prim(k, e, name, &v))
        return v;
    if (name != NULL)
        k_refuse(k, e->at, "a gradient in C does not support this call of `%s`", name);
    else if (e->call.func->kind == EXPR_ATTRIBUTE)
        k_refuse(k, e->at, "a gradient in C does not support this call of the method `%s`",
                 e->call.func->attribute.attr);
    else
        k_refuse(k, e->at, "a gradient in C does not support this call");
    return k_value("0.0", KPREC_ATOM, k_simple(k, K_FLOAT));
}

// ---- all of them ----

KValue k_expr(Kernel *k, const Expr *e)
{
    switch (e->kind) {
    case EXPR_BOOL_OP: {
        const KType *t = type_at(k, e, k_simple(k, K_BOOL));
        return t->kind == K_BOOL ? bool_op(k, e) : either(k, e, t);
    }
    case EXPR_BIN_OP:    return bin_op(k, e);
    case EXPR_UNARY_OP:  return unary(k, e);
    case EXPR_IF_EXP:    return if_exp(k, e, type_at(k, e, k_simple(k, K_FLOAT)));
    case EXPR_COMPARE:   return compare(k, e);
    case EXPR_CALL:      return call(k, e);
    case EXPR_CONSTANT:  return constant(k, e);
    case EXPR_ATTRIBUTE: return field(k, e);
    case EXPR_SUBSCRIPT: return subscript(k, e);
    case EXPR_NAME:      return name(k, e);
    case EXPR_LIST:      return list_display(k, e, k_type(k, e->ty, e->at));
    case EXPR_TUPLE:     return tuple_display(k, e, k_type(k, e->ty, e->at));
    case EXPR_NAMED_EXPR: case EXPR_LAMBDA: case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP:
    case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_AWAIT:
    case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR:
    case EXPR_STARRED: case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN:
    case EXPR_COM: case EXPR_SELECT: case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV:
    case EXPR_SEND_LABEL: case EXPR_COUNT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
        break;
    }
    k_refuse(k, e->at, "a gradient in C does not support this expression");
    return k_value("0.0", KPREC_ATOM, k_simple(k, K_FLOAT));
}

static KValue expr_to(Kernel *k, const Expr *e, const KType *to)
{
    if (e->kind == EXPR_LIST && to->kind == K_LIST)
        return list_display(k, e, to);
    if (e->kind == EXPR_TUPLE && to->kind == K_TUPLE)
        return tuple_display(k, e, to);
    if (e->kind == EXPR_IF_EXP)
        return if_exp(k, e, to);
    return k_convert(k, k_expr(k, e), to, e->at);
}

const char *k_expr_as(Kernel *k, const Expr *e, const KType *to) { return expr_to(k, e, to).text; }
