// k_prim.c - builtins, functions of math, methods of lists, and constructors.
//
// Which C function a function of math is, is in emit/c_prim; what is `pychoral_NAME` there is NAME
// of the prelude here, if that has it.

#include <math.h>

#include "compiler/emit/kernel/k_internal.h"
#include "compiler/ir/pytext.h"

typedef struct PrimRow { const char *name, *function, *params, *result; bool raises; } PrimRow;

#define RAISES true
#define SURE   false
#define PRIM(name, function, params, result, raises) {name, #function, params, result, raises},
static const PrimRow ROWS[] = {
#include "compiler/emit/c_prim/all.def"
};
#undef PRIM

const char *k_number(Kernel *k, double number)
{
    if (isnan(number))
        return "NAN";
    if (isinf(number))
        return number < 0 ? "-INFINITY" : "INFINITY";
    Buf b = buf_new(k->arena);
    pytext_float_repr(&b, number);
    return buf_text(&b);
}

const char *k_math_constant(Kernel *k, Sym name, Span at)
{
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (ROWS[i].params == NULL && sym_is(name, ROWS[i].name))
            return ROWS[i].function;
    k_refuse(k, at, "a gradient in C does not support `%s`", name);
    return "0.0";
}

// ---- functions of math ----

static const char *piece_of(Kernel *k, const PrimRow *row)
{
    static const char PREFIX[] = "pychoral_";
    if (strncmp(row->function, PREFIX, sizeof PREFIX - 1) != 0)
        return row->function;
    const char *name = row->function + sizeof PREFIX - 1;
    return k_prelude_has(k, name) ? name : NULL;
}

// The types of the parameters, written as `_x:float _i:int`. False: there are others, or not so
// many.
static bool param_kinds(const char *params, KKind *kinds, size_t count)
{
    size_t n = 0;
    for (const char *at = params; *at != '\0'; n++) {
        const char *colon = strchr(at, ':'), *end = at + strcspn(at, " ");
        if (n == count)
            return false;
        if (end - at == 4 && memcmp(at, "self", 4) == 0) {      // of a method of float
            kinds[n] = K_FLOAT;
            at = end + strspn(end, " ");
            continue;
        }
        if (*at == '*' || colon == NULL || colon > end)
            return false;
        size_t len = (size_t)(end - colon - 1);
        if (len == 5 && memcmp(colon + 1, "float", 5) == 0)
            kinds[n] = K_FLOAT;
        else if (len == 3 && memcmp(colon + 1, "int", 3) == 0)
            kinds[n] = K_INT;
        else
            return false;
        at = end + strspn(end, " ");
    }
    return n == count;
}

static bool takes(const KKind *kinds, const KValue *args, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (args[i].type->kind > K_BOOL || (kinds[i] == K_INT && args[i].type->kind == K_FLOAT))
            return false;
    return true;
}

static KValue row_call(Kernel *k, const Expr *e, const PrimRow *row, const KKind *kinds, KValue *v,
                       size_t count)
{
    Buf b = buf_new(k->arena);
    buf_printf(&b, "%s(%s", piece_of(k, row), row->raises ? k_call_line(k, e->at) : "");
    for (size_t i = 0; i < count; i++)
        buf_printf(&b, "%s%s", i > 0 ? ", " : "",
                   k_convert(k, v[i], k_simple(k, kinds[i]), e->at).text);
    buf_putc(&b, ')');
    KKind result = strcmp(row->result, "int") == 0 ? K_INT
                   : strcmp(row->result, "bool") == 0 ? K_BOOL : K_FLOAT;
    return k_value(buf_text(&b), KPREC_POSTFIX, k_simple(k, result));
}

static bool by_table(Kernel *k, const Expr *e, Sym name, KValue *v, size_t count, KValue *result)
{
    enum { MOST = 3 };
    KKind kinds[MOST];
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS && count <= MOST; i++) {
        const PrimRow *row = &ROWS[i];
        if (row->params != NULL && sym_is(name, row->name) && piece_of(k, row) != NULL
            && param_kinds(row->params, kinds, count) && takes(kinds, v, count)) {
            *result = row_call(k, e, row, kinds, v, count);
            return true;
        }
    }
    return false;
}

// ---- builtins ----

static bool all_numbers(const KValue *v, size_t n, bool *reals)
{
    *reals = false;
    for (size_t i = 0; i < n; i++) {
        if (v[i].type->kind > K_BOOL)
            return false;
        *reals |= v[i].type->kind == K_FLOAT;
    }
    return n > 0;
}

// f(f(a, b), c) of a function of two.
static KValue fold(Kernel *k, const char *function, KKind kind, KValue *v, size_t n, Span at)
{
    const KType *t = k_simple(k, kind);
    const char *text = k_convert(k, v[0], t, at).text;
    for (size_t i = 1; i < n; i++)
        text = k_text(k, "%s(%s, %s)", function, text, k_convert(k, v[i], t, at).text);
    return k_value(text, n > 1 ? KPREC_POSTFIX : KPREC_COND, t);
}

static KValue absolute(Kernel *k, KValue v, Span at)
{
    if (v.type->kind == K_FLOAT)
        return k_value(k_text(k, "fabs(%s)", v.text), KPREC_POSTFIX, v.type);
    return k_value(k_text(k, "int_abs(%s%s)", k_call_line(k, at), v.text), KPREC_POSTFIX,
                   k_simple(k, K_INT));
}

static KValue whole(Kernel *k, KValue v, const char *how, Span at)
{
    if (v.type->kind != K_FLOAT)
        return k_convert(k, v, k_simple(k, K_INT), at);
    return k_value(k_text(k, "%s(%s%s)", how, k_call_line(k, at), v.text), KPREC_POSTFIX,
                   k_simple(k, K_INT));
}

static KValue sum(Kernel *k, KValue *v, size_t n, const char *how)
{
    return k_value(k_text(k, "%s_%s(%s, %s)", v[0].type->name, how, v[0].text,
                          n > 1 ? v[1].text : "0.0"), KPREC_POSTFIX, k_simple(k, K_FLOAT));
}

static KValue power(Kernel *k, KValue *v, Span at)
{
    bool reals = v[0].type->kind == K_FLOAT || v[1].type->kind == K_FLOAT;
    const KType *t = k_simple(k, reals ? K_FLOAT : K_INT);
    return k_value(k_text(k, "%s_pow(%s%s, %s)", reals ? "float" : "int", k_call_line(k, at),
                          k_convert(k, v[0], t, at).text, k_convert(k, v[1], t, at).text),
                   KPREC_POSTFIX, t);
}

static bool builtin(Kernel *k, const Expr *e, Sym name, KValue *v, KValue *result)
{
    size_t n = e->call.args.len;
    bool reals, numbers = all_numbers(v, n, &reals);
    bool list = n > 0 && v[0].type->kind == K_LIST && v[0].type->items.at[0]->kind == K_FLOAT;
    if (numbers && n > 1 && (sym_is(name, "min") || sym_is(name, "max")))
        *result = fold(k, k_text(k, "%s_%s", reals ? "float" : "int", name),
                       reals ? K_FLOAT : K_INT, v, n, e->at);
    else if (numbers && sym_is(name, "math.hypot"))
        *result = n > 1 ? fold(k, "hypot", K_FLOAT, v, n, e->at)
                  : absolute(k, k_convert(k, v[0], k_simple(k, K_FLOAT), e->at), e->at);
    else if (numbers && n == 1 && sym_is(name, "abs"))
        *result = absolute(k, v[0], e->at);
    else if (numbers && n == 1 && sym_is(name, "int"))
        *result = whole(k, v[0], "float_int", e->at);
    else if (numbers && n == 1 && sym_is(name, "round"))
        *result = whole(k, v[0], "float_round", e->at);
    else if (numbers && n == 1 && sym_is(name, "float"))
        *result = k_convert(k, v[0], k_simple(k, K_FLOAT), e->at);
    else if (numbers && n == 2 && sym_is(name, "pow"))
        *result = power(k, v, e->at);
    else if (n == 1 && sym_is(name, "bool"))
        *result = k_truth(k, v[0]);
    else if (n == 1 && v[0].type->kind == K_LIST && sym_is(name, "len"))
        *result = k_value(k_text(k, "%s->len", k_at(k, v[0], KPREC_POSTFIX)), KPREC_POSTFIX,
                          k_simple(k, K_INT));
    else if (n == 1 && v[0].type->kind == K_LIST && sym_is(name, "list"))
        *result = k_value(k_text(k, "%s_copy(%s, %s)", v[0].type->name, k_call(k), v[0].text),
                          KPREC_POSTFIX, v[0].type);
    else if (n == 1 && v[0].type->kind == K_TEXT && sym_is(name, "len"))
        *result = k_value(k_text(k, "text_len(%s)", v[0].text), KPREC_POSTFIX, k_simple(k, K_INT));
    else if (n == 1 && v[0].type->kind == K_TUPLE && sym_is(name, "len"))
        *result = k_value(k_text(k, "%zu", v[0].type->items.len), KPREC_ATOM, k_simple(k, K_INT));
    else if (list && n <= 2 && sym_is(name, "sum"))
        *result = sum(k, v, n, "sum");
    else if (list && n == 1 && sym_is(name, "math.fsum"))
        *result = sum(k, v, n, "fsum");
    else
        return false;
    return result->type != NULL;
}

// ---- isinstance ----

static bool derives(const KClass *c, const KClass *from)
{
    for (; c != NULL; c = c->base)
        if (c == from)
            return true;
    return false;
}

static const char *is_of_class(Kernel *k, const char *object, const KClass *of)
{
    Buf b = buf_new(k->arena);
    for (size_t i = 0; i < k->all_classes.len; i++)
        if (derives(k->all_classes.at[i], of) && k->all_classes.at[i]->tagged) {
            k_use_class(k->all_classes.at[i]);
            buf_printf(&b, "%s((Object *)%s)->class_ == CLASS_%s", b.len > 0 ? " || " : "", object,
                       k->all_classes.at[i]->c);
        }
    return k_text(k, "(%s != NULL && (%s))", object, buf_text(&b));
}

// A value of one type in C: the class is known only at run time of Python.
static void refuse_class(Kernel *k, KValue v, const Expr *class_)
{
    const char *name = class_->kind == EXPR_NAME ? class_->name.id : NULL;
    Diag *d = name != NULL
        ? k_refuse(k, class_->at, "a gradient in C does not support `isinstance` with `%s` for "
                   "this value", name)
        : k_refuse(k, class_->at, "a gradient in C does not support `isinstance` with this class");
    if (k_is_pointer(v.type) && name != NULL && sym_is(class_->name.id, "float"))
        diag_help(d, "to test for `None`, write `is not None`");    // `float | None`: an object
}

static const char *is_of(Kernel *k, KValue v, const Expr *class_)
{
    static const struct { const char *name; KKind kind; } SIMPLE[] = {
        {"float", K_FLOAT}, {"int", K_INT}, {"bool", K_BOOL}, {"str", K_TEXT}};
    KClass *c = class_->kind == EXPR_NAME ? k_class(k, class_->name.id) : NULL;
    const KType *t = c ? c->type : NULL;
    for (size_t i = 0; i < 4 && class_->kind == EXPR_NAME; i++)
        t = sym_is(class_->name.id, SIMPLE[i].name) ? k_simple(k, SIMPLE[i].kind) : t;
    size_t tag = t != NULL && v.type->kind == K_UNION ? k_tag(v.type, t) : 0;
    if (t != NULL && v.type->kind == K_UNION && tag < v.type->items.len)
        return k_text(k, "%s.tag == %zu", v.text, tag);
    bool object = v.type->kind == K_RECORD || v.type->kind == K_CHOICE;
    if (c != NULL && object && c->tagged)
        return is_of_class(k, v.text, c);
    if (c != NULL && v.type == c->type)
        return k_text(k, "%s != NULL", v.text);
    refuse_class(k, v, class_);
    return "false";
}

static KValue is_instance(Kernel *k, const Expr *e)
{
    KValue v = k_expr(k, e->call.args.at[0]);
    v = k_value(k_temp(k, v), KPREC_ATOM, v.type);
    const Expr *of = e->call.args.at[1];
    const Expr *const one[] = {of};
    ExprList classes = of->kind == EXPR_TUPLE ? of->tuple.elts : (ExprList){one, 1};
    const char *text = "false";
    for (size_t i = 0; i < classes.len; i++)
        text = i == 0 ? is_of(k, v, classes.at[i])
               : k_text(k, "%s || %s", text, is_of(k, v, classes.at[i]));
    return k_value(text, KPREC_OR, k_simple(k, K_BOOL));
}

// ---- methods of lists and floats ----

typedef struct MethodRow { const char *name; size_t args; const char *piece, *how; } MethodRow;

// How: c takes the call, l the line; the arguments i an int, t an item, x a list. The result: n
// none, t an item, x a list.
static const MethodRow METHODS[] = {
    {"append", 1, "append", "ct:n"}, {"pop", 0, "pop", "cl:t"}, {"pop", 1, "pop_at", "cli:t"},
    {"insert", 2, "insert", "cit:n"}, {"extend", 1, "extend", "cx:n"}, {"clear", 0, "clear", ":n"},
    {"reverse", 0, "reverse", ":n"}, {"copy", 0, "copy", "c:x"},
};

static KValue method_call(Kernel *k, const Expr *e, const MethodRow *row)
{
    const Expr *parts[3] = {e->call.func->attribute.value};
    KValue v[3];
    for (size_t i = 0; i < row->args; i++)
        parts[i + 1] = e->call.args.at[i];
    k_operands(k, (ExprList){parts, row->args + 1}, v);
    const KType *list = v[0].type, *item = list->items.at[0];
    const char *how = row->how, *lead = *how == 'c' ? how[1] == 'l' ? k_call_line(k, e->at)
                                                    : k_text(k, "%s, ", k_call(k)) : "";
    how += strspn(how, "cl");
    Buf b = buf_new(k->arena);
    buf_printf(&b, "%s_%s(%s%s", list->name, row->piece, lead, v[0].text);
    for (size_t i = 1; *how != ':'; i++, how++) {
        const KType *want = *how == 't' ? item : *how == 'x' ? list : k_simple(k, K_INT);
        bool display = parts[i]->kind == EXPR_LIST || parts[i]->kind == EXPR_TUPLE;
        buf_printf(&b, ", %s", display ? k_expr_as(k, parts[i], want)
                               : k_convert(k, v[i], want, e->at).text);
    }
    buf_putc(&b, ')');
    return k_value(buf_text(&b), KPREC_POSTFIX, how[1] == 't' ? item : how[1] == 'x' ? list
                   : k_simple(k, K_NONE));
}

// Of texts, those that make none.
static bool text_method(Kernel *k, const Expr *e, KValue *result)
{
    const Expr *f = e->call.func;
    bool starts = sym_is(f->attribute.attr, "startswith");
    if (e->call.args.len != 1 || !(starts || sym_is(f->attribute.attr, "endswith")))
        return false;
    KValue text = k_expr(k, f->attribute.value), part = k_expr(k, e->call.args.at[0]);
    *result = k_value(k_text(k, "text_%s(%s, %s)", starts ? "starts" : "ends", text.text,
                             part.text), KPREC_POSTFIX, k_simple(k, K_BOOL));
    return part.type->kind == K_TEXT;
}

static bool method(Kernel *k, const Expr *e, KValue *result)
{
    const Expr *f = e->call.func;
    const Ty *of = f->kind == EXPR_ATTRIBUTE ? f->attribute.value->ty : NULL;
    bool list = of != NULL && of->kind == TY_NAMED && sym_is(of->named.name, "list");
    for (size_t i = 0; list && i < sizeof METHODS / sizeof *METHODS; i++)
        if (sym_is(f->attribute.attr, METHODS[i].name) && METHODS[i].args == e->call.args.len) {
            *result = method_call(k, e, &METHODS[i]);
            return true;
        }
    if (of != NULL && of->kind == TY_NAMED && sym_is(of->named.name, "str"))
        return text_method(k, e, result);
    if (of == NULL || of->kind != TY_NAMED || !sym_is(of->named.name, "float"))
        return false;
    KValue v = k_expr(k, f->attribute.value);
    Sym name = names_format(k->names, "float.%s", f->attribute.attr);
    return e->call.args.len == 0 && by_table(k, e, name, &v, 1, result);
}

bool k_prim(Kernel *k, const Expr *e, Sym name, KValue *result)
{
    if (name == NULL)
        return method(k, e, result);
    if (e->call.keywords.len > 0)
        return false;
    if (sym_is(name, "_twins") || sym_is(name, "_copies") || sym_is(name, "_tangents")) {
        *result = k_made(k, e, name);
        return true;
    }
    if (sym_is(name, "_seeds")) {
        *result = k_seeds(k, e);
        return true;
    }
    if (sym_is(name, "isinstance") && e->call.args.len == 2) {
        *result = is_instance(k, e);
        return true;
    }
    KValue *v = ARENA_ARRAY(k->arena, KValue, e->call.args.len + 1);
    k_operands(k, e->call.args, v);
    return builtin(k, e, name, v, result) || k_np_call(k, e, name, v, result)
           || by_table(k, e, name, v, e->call.args.len,
                                                       result);
}

// ---- constructors ----

static void base_first(const KClass *c, const KClass **chain, size_t *n)
{
    if (c->base != NULL)
        base_first(c->base, chain, n);
    chain[(*n)++] = c;
}

// The fields of a class and its bases, in the order of the constructor's parameters.
typedef struct OwnedField { const KField *field; const KClass *owner; } OwnedField;
typedef struct OwnedFields { OwnedField *at; size_t len; } OwnedFields;

static OwnedFields all_fields(Kernel *k, const KClass *c)
{
    const KClass *chain[64];
    size_t n = 0;
    Vec(OwnedField) all = {0};
    const KField *none;
    k_field(k, c, "", &none);                   // they are read when they are asked for
    base_first(c, chain, &n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < chain[i]->fields.len; j++)
            vec_push(k->arena, &all, ((OwnedField){&chain[i]->fields.at[j], chain[i]}));
    return (OwnedFields){all.at, all.len};
}

static void print_maker(Kernel *k, const KClass *c, OwnedFields fields)
{
    Buf *b = &k->makers;
    buf_printf(b, "static inline %s *%s_new(Call *call", c->c, c->c);
    for (size_t i = 0; i < fields.len; i++)
        buf_printf(b, ", %sa%zu", fields.at[i].field->type->c, i);
    buf_printf(b, ")\n{\n    %s *o = arena_take(call, sizeof *o);\n", c->c);
    if (c->tagged)
        buf_printf(b, "    ((Object *)o)->class_ = CLASS_%s;\n", c->c);
    for (size_t i = 0; i < fields.len; i++) {
        buf_puts(b, "    o->");
        for (const KClass *at = c; at != fields.at[i].owner; at = at->base)
            buf_puts(b, "base.");
        buf_printf(b, "%s = a%zu;\n", fields.at[i].field->c, i);
    }
    buf_puts(b, "    return o;\n}\n\n");
}

static const Expr *given(const Expr *call, OwnedFields fields, size_t i)
{
    if (i < call->call.args.len)
        return call->call.args.at[i];
    for (size_t j = 0; j < call->call.keywords.len; j++)
        if (call->call.keywords.at[j]->arg == fields.at[i].field->name)
            return call->call.keywords.at[j]->value;
    const Expr *value = fields.at[i].field->value;
    return value != NULL && value->kind == EXPR_CONSTANT ? value : NULL;
}

KValue k_construct(Kernel *k, const Expr *e, KClass *c)
{
    k_use_class(c);
    OwnedFields fields = all_fields(k, c);
    const Expr **args = ARENA_ARRAY(k->arena, const Expr *, fields.len + 1);
    KValue *v = ARENA_ARRAY(k->arena, KValue, fields.len + 1);
    Buf b = buf_new(k->arena);
    bool known = !c->is_enum && e->call.args.len <= fields.len;
    for (size_t i = 0; i < fields.len && known; i++)
        known = (args[i] = given(e, fields, i)) != NULL;
    if (!known) {
        Diag *d = k_refuse(k, e->at, "a gradient in C does not support this call of `%s`", c->name);
        if (!c->is_enum)
            diag_help(d, "pass a value for each field");
        return k_value("NULL", KPREC_ATOM, c->type);
    }
    if (!c->made)
        print_maker(k, c, fields);
    c->made = true;
    k_operands(k, (ExprList){args, fields.len}, v);
    buf_printf(&b, "%s_new(%s", c->c, k_call(k));
    for (size_t i = 0; i < fields.len; i++)
        buf_printf(&b, ", %s", k_convert(k, v[i], fields.at[i].field->type, args[i]->at).text);
    buf_putc(&b, ')');
    return k_value(buf_text(&b), KPREC_POSTFIX, c->type);
}
