// c_enum.c - the members of enums: their values, which are constants, and the attributes that
// `__init__` gives them.
//
// A member is a number in C. Its value stands in the row of the class. Attributes are variables of
// the module, one for all members: `self.mass` is Planet_mass[self].

#include <stdlib.h>
#include <string.h>

#include "compiler/emit/c/c_call.h"

// ---- values ----

static bool is_auto(const Expr *e)
{
    const Expr *f = e->kind == EXPR_CALL ? e->call.func : NULL;
    return f && ((f->kind == EXPR_NAME && sym_is(f->name.id, "auto"))
                 || (f->kind == EXPR_ATTRIBUTE && sym_is(f->attribute.attr, "auto")));
}

// What `auto()` gives member `i`: one more than the int before it.
static long long auto_value(const CClass *k, size_t i)
{
    long long last = 0;
    for (size_t j = 0; j <= i; j++) {
        const Expr *e = k->constants.at[j].value;
        bool minus = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
        const Expr *digits = minus ? e->unary_op.operand : e;
        if (is_auto(e))
            last++;
        else if (digits->kind == EXPR_CONSTANT && digits->constant.value->kind == CONST_INT)
            last = strtoll(digits->constant.value->text.at, NULL, 10) * (minus ? -1 : 1);
    }
    return last;
}

static const Const *constant_of(const Expr *e, bool *minus)
{
    *minus = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB;
    const Expr *of = *minus ? e->unary_op.operand : e;
    return of->kind == EXPR_CONSTANT ? of->constant.value : NULL;
}

const char *c_constant_text(CEmit *c, const Expr *e)
{
    bool minus;
    const Const *value = constant_of(e, &minus);
    if (value == NULL)
        return NULL;
    const char *sign = minus ? "-" : "";
    switch (value->kind) {
    case CONST_INT:
        return value->text.len > 18 ? NULL
            : c_text(c, "{%s%.*s, NULL}", sign, (int)value->text.len, value->text.at);
    case CONST_FLOAT: return c_text(c, "%s%.17g", sign, value->number);
    case CONST_STR: return c_string(c, value->text, false);
    case CONST_BOOL: return minus ? NULL : value->truth ? "true" : "false";
    case CONST_NONE: return minus ? NULL : "0";
    case CONST_COMPLEX: case CONST_BYTES: case CONST_ELLIPSIS: break;
    }
    return NULL;
}

static const char *initialiser(CEmit *c, const Expr *e, const Rep *rep)
{
    if (e->kind != EXPR_TUPLE)
        return rep->kind <= REP_FLOAT || rep->kind == REP_STR ? c_constant_text(c, e) : NULL;
    const char *text = "";
    if (rep->kind != REP_TUPLE || rep->count != e->tuple.elts.len || rep->count == 0)
        return NULL;
    for (size_t i = 0; i < rep->count; i++) {
        const Expr *item = e->tuple.elts.at[i];
        const char *one = rep_or_object(c, item) == rep->parts[i]
            ? initialiser(c, item, rep->parts[i]) : NULL;
        if (one == NULL)
            return NULL;
        text = c_text(c, "%s%s%s", text, i ? ", " : "", one);
    }
    return c_text(c, "{%s}", text);
}

// A tuple is larger than what an `object` has room for: it has a box.
static const char *boxed(CEmit *c, const CClass *k, size_t i, const Expr *e, Buf *rows)
{
    const Rep *rep = rep_or_object(c, e);
    const char *text = initialiser(c, e, rep);
    if (text == NULL)
        return NULL;
    buf_printf(rows, "static struct { PychoralObject object; _Alignas(16) %svalue; } box_%s_%zu = "
               "{\n    {{.refs = PYCHORAL_IMMORTAL}, %s},\n    %s};\n", rep->type, k->c_name, i,
               rep->row, text);
    return c_text(c, "{.type = %s, .box = (PychoralBox *)&box_%s_%zu}", rep->row, k->c_name, i);
}

static const char *lower_name(CEmit *c, const char *name)
{
    char *lower = arena_alloc(c->arena, strlen(name) + 1);
    for (size_t j = 0; (lower[j] = name[j]); j++)
        if (lower[j] >= 'A' && lower[j] <= 'Z')
            lower[j] = (char)(lower[j] + 32);
    return lower;
}

static const char *auto_text(CEmit *c, const CClass *k, size_t i)
{
    const CField *f = &k->constants.at[i];
    if (k->enum_base != 's')
        return c_text(c, "{.type = &pychoral_type_int, .number = {%lld, NULL}}", auto_value(k, i));
    if (k->is_by_name)
        (void)c_refuse(c, f->value->at, "the C target does not support `auto()` in an enum of "
                       "`str`\nwrite the value");
    const char *lower = lower_name(c, f->name);
    return c_text(c, "{.type = &pychoral_type_str, .pointer = %s}",
                  c_string(c, (Text){lower, strlen(lower)}, false));
}

// The value of a member, as `object`: constants, and tuples of them, only.
static const char *member_value(CEmit *c, CClass *k, size_t i, Buf *rows)
{
    static const char *const MEMBERS[] = {
        [CONST_INT] = "&pychoral_type_int, .number", [CONST_STR] = "&pychoral_type_str, .pointer",
        [CONST_BOOL] = "&pychoral_type_bool, .truth", [CONST_FLOAT] = "&pychoral_type_float, .real",
        [CONST_NONE] = "&pychoral_type_none, .truth"};
    const Expr *e = k->constants.at[i].value;
    bool minus;
    if (is_auto(e))
        return auto_text(c, k, i);
    const char *text = e->kind == EXPR_TUPLE ? boxed(c, k, i, e, rows) : c_constant_text(c, e);
    if (text != NULL)
        return e->kind == EXPR_TUPLE ? text
            : c_text(c, "{.type = %s = %s}", MEMBERS[constant_of(e, &minus)->kind], text);
    (void)c_refuse(c, e->at, "in the C target the value of an enum member must be an `int`, "
                   "`str`, `float` or `bool` literal, `None`, or a tuple of these\nwrite out the "
                   "value, or keep it in a dict whose keys are the members");
    return "{0}";
}

// The same text for values that are equal in Python: 1, 1.0 and True.
static const char *equal_text(CEmit *c, const Expr *e)
{
    bool minus;
    const Const *value = constant_of(e, &minus);
    if (e->kind == EXPR_TUPLE) {
        const char *text = "";
        for (size_t i = 0; i < e->tuple.elts.len; i++)
            text = c_text(c, "%s%s,", text, equal_text(c, e->tuple.elts.at[i]));
        return c_text(c, "(%s)", text);
    }
    if (value != NULL && value->kind == CONST_BOOL)
        return value->truth ? "1" : "0";
    if (value != NULL && value->kind == CONST_NONE)
        return "None";
    if (value != NULL && value->kind == CONST_FLOAT && value->number > -1e15
        && value->number < 1e15 && value->number == (double)(long long)value->number)
        return c_text(c, "%lld", (long long)value->number * (minus ? -1 : 1));
    if (value != NULL && value->kind == CONST_INT)
        return c_text(c, "%s%.*s", minus && value->text.at[0] != '0' ? "-" : "",
                      (int)value->text.len, value->text.at);
    const char *text = c_constant_text(c, e);
    return text != NULL ? text : "";
}

// Two names of one value are one member in Python.
static void check_aliases(CEmit *c, CClass *k)
{
    const char **values = ARENA_ARRAY(c->arena, const char *, k->constants.len);
    for (size_t i = 0; i < k->constants.len; i++) {
        const Expr *e = k->constants.at[i].value;
        values[i] = !is_auto(e) ? equal_text(c, e)
            : k->enum_base != 's' ? c_text(c, "%lld", auto_value(k, i))
            : c_string(c, (Text){lower_name(c, k->constants.at[i].name),
                                 strlen(k->constants.at[i].name)}, false);
        for (size_t j = 0; j < i; j++)
            if (*values[i] != '\0' && strcmp(values[i], values[j]) == 0)
                (void)c_refuse(c, e->at, "the C target does not support two members with the same "
                               "value\ngive each member a value of its own");
    }
}

// The values of an IntEnum or StrEnum, which are there as objects, as what they are.
static void print_literals(CEmit *c, const CClass *k, const char *const *values, Buf *rows)
{
    bool is_int = k->enum_base == 'i';
    const char *before = is_int ? ".number = " : ".pointer = ";
    buf_printf(rows, "static %sliterals_%s[] = {", is_int ? "const PychoralInt "
               : "PychoralStr *const ", k->c_name);
    for (size_t i = 0; i < k->constants.len; i++) {
        const char *at = strstr(values[i], before);
        if (at == NULL)
            (void)c_refuse(c, k->constants.at[i].value->at, "the C target supports only `%s` "
                           "values in this enum",
                           is_int ? "int" : "str");
        at = at ? at + strlen(before) : "0}";
        buf_printf(rows, "%s%.*s", i ? ", " : "", (int)strlen(at) - 1, at);
    }
    buf_printf(rows, "};\n");
}

void c_print_members(CEmit *c, CClass *k, Buf *types, Buf *rows)
{
    size_t n = k->constants.len;
    const char **values = ARENA_ARRAY(c->arena, const char *, n);
    check_aliases(c, k);
    buf_printf(types, "enum {");
    for (size_t i = 0; i < n; i++)
        buf_printf(types, "%s %s", i ? "," : "", k->constants.at[i].c_name);
    buf_printf(types, " };\n\n");
    for (size_t i = 0; i < n; i++)
        values[i] = member_value(c, k, i, rows);
    buf_printf(rows, "static const char *const members_%s[] = {", k->c_name);
    for (size_t i = 0; i < n; i++)
        buf_printf(rows, "%s\"%s\"", i ? ", " : "", k->constants.at[i].name);
    buf_printf(rows, "};\nstatic const PychoralAny values_%s[] = {\n", k->c_name);
    for (size_t i = 0; i < n; i++)
        buf_printf(rows, "    %s,\n", values[i]);
    buf_printf(rows, "};\n");
    if (k->enum_base)
        print_literals(c, k, values, rows);
}

// ---- attributes ----

void c_name_member_fields(CEmit *c, CClass *k)
{
    for (size_t i = 0; i < k->fields.len; i++)
        k->fields.at[i].c_name = c_unique(c, c_text(c, "%s_%s", k->c_name, k->fields.at[i].name));
}

Value c_member_field(CEmit *c, Value member, const CField *f)
{
    Value v = c_value(f->rep, c_text(c, "%s[%s]", f->c_name, c_steady(c, member).text),
                      f->rep->drop ? HOLD_BORROWED : HOLD_PLAIN);
    v.place = true;
    return v;
}

static void check_fields(CEmit *c, const CClass *k)
{
    for (size_t i = 0; i < k->fields.len; i++)
        if (c_is_unset(c, &k->fields.at[i]) || !rep_passed(k->fields.at[i].rep))
            (void)c_refuse(c, k->def->at, "the C target requires that `__init__` of an enum always "
                           "sets each attribute, but `%s` may stay unset", k->fields.at[i].name);
}

void c_start_members(CEmit *c, CClass *k)
{
    CMethod *init = c_find_method(k, names_get(c->names, "__init__"));
    bool is_base = k->constants.len == 0;       // others derive from it: its methods may read them
    check_fields(c, k);
    for (size_t i = 0; i < k->fields.len; i++)
        buf_printf(&c->globals, "static _Thread_local %s%s%s[%zu];\n",
                   is_base ? "__attribute__((unused)) " : "", k->fields.at[i].rep->type,
                   k->fields.at[i].c_name, is_base ? 1 : k->constants.len);
    for (size_t i = 0; i < k->constants.len && init != NULL; i++) {
        const CField *f = &k->constants.at[i];
        Value self = {.rep = rep_class(c, k), .text = f->c_name, .lasting = true};
        ExprList args = f->value->kind == EXPR_TUPLE ? f->value->tuple.elts
                                                     : (ExprList){&f->value, 1};
        c->line = c_line_of(c, f->value->at);
        if (is_auto(f->value))
            (void)c_refuse(c, f->value->at, "the C target does not support `auto()` in an enum "
                           "with an `__init__`\nwrite the value");
        else
            (void)c_user_call(c, f->value->at, init, &self, args, (KeywordList){0}, k);
    }
}

// ---- members in displays ----

static ExprList items_of(const Expr *display)
{
    return display->kind == EXPR_DICT ? display->dict.values
        : display->kind == EXPR_LIST ? display->list.elts
        : display->kind == EXPR_TUPLE ? display->tuple.elts
        : display->kind == EXPR_SET ? display->set.elts : (ExprList){0};
}

// What is an int or a text, too; NULL: another value.
static const Rep *member_rep(CEmit *c, const Expr *e)
{
    const Rep *r = e != NULL ? rep_or_object(c, e) : NULL;
    return r != NULL && r->kind == REP_ENUM && r->class_->enum_base ? r : NULL;
}

bool c_has_members(CEmit *c, const Expr *display)
{
    ExprList items = items_of(display);
    bool dict = display->kind == EXPR_DICT, found = false;
    for (size_t i = 0; i < items.len && !found; i++)
        found = member_rep(c, items.at[i]) != NULL
            || (dict && member_rep(c, display->dict.keys.at[i]) != NULL);
    return found;
}

// The enum of a member that would be only its number or text in a place of that type, or NULL.
static const Rep *lost_enum(CEmit *c, const Expr *e, const Rep *to)
{
    const Rep *own = member_rep(c, e);
    bool kept = own == NULL || own == to || to->kind == REP_OBJECT;
    for (size_t j = 0; to->kind == REP_UNION && j < to->count; j++)
        kept |= to->parts[j] == own;
    return kept ? NULL : own;
}

void c_refuse_kept(CEmit *c, const Expr *e, const Rep *to)
{
    if (e->kind == EXPR_IF_EXP) {
        c_refuse_kept(c, e->if_exp.body, to);
        c_refuse_kept(c, e->if_exp.orelse, to);
        return;
    }
    const Rep *own = to->kind == REP_INT || to->kind == REP_STR ? lost_enum(c, e, to) : NULL;
    if (own != NULL && c->sends_value == 0)
        (void)c_refuse(c, e->at, "Python keeps the member of `%s` where `%s` is expected, but the "
                       "C target does not\nwrite `.value`", c_type_name(c, own),
                       c_type_name(c, to));
}

static void refuse_members(CEmit *c, ExprList items, const Rep *to)
{
    for (size_t i = 0; i < items.len; i++) {
        const Rep *own = lost_enum(c, items.at[i], to);
        if (own != NULL)
            (void)c_refuse(c, items.at[i]->at, "the C target does not support a member "
                           "of `%s` in a list, tuple, set or dict of `%s`\nwrite `.value`",
                           c_type_name(c, own), c_type_name(c, to));
    }
}

// A display of ints has ints in C; what is sent is to be that.
void c_refuse_members(CEmit *c, const Expr *display, const Rep *rep)
{
    ExprList items = items_of(display);
    if (c->sends_value > 0)
        return;
    if (rep->element != NULL)
        refuse_members(c, items, rep->element);
    if (display->kind == EXPR_DICT && rep->key_rep != NULL)
        refuse_members(c, display->dict.keys, rep->key_rep);
    for (size_t i = 0; rep->kind == REP_TUPLE && items.len == rep->count && i < rep->count; i++)
        refuse_members(c, (ExprList){&items.at[i], 1}, rep->parts[i]);
}
