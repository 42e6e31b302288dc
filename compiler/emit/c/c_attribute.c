// c_attribute.c - attributes, and functions and methods as values.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_call.h"

// ---- functions as values ----

static const Expr *typed(CEmit *c, const Expr *e, const Ty *t)
{
    return expr_with_ty(c->arena, e, t, e->roles);
}

// What takes whatever is like a number takes values of one type in C, which nothing has said here.
static bool takes_any_number(CEmit *c, const Ty *t)
{
    t = c_ty(c, t);
    for (size_t i = 0; t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (t->union_.items.at[i]->kind == TY_NAMED
            && sym_is(t->union_.items.at[i]->named.name, "SupportsIndex"))
            return true;
    return false;
}

// `len`, `str`, `Point` where a function is wanted: a lambda that calls it.
static Value wrapped(CEmit *c, const Expr *e)
{
    const Ty *t = c_ty(c, e->ty);
    size_t n = t->kind == TY_CALLABLE ? t->callable.params.len : 0;
    if (t->kind != TY_CALLABLE)
        return c_refuse(c, e->at, "the C target cannot infer the type of this function\nassign it "
                        "to a variable with a declared type, such as `Callable[[int], str]`");
    for (size_t i = 0; i < n; i++)
        if (takes_any_number(c, t->callable.params.at[i]))
            return c_refuse(c, e->at, "the C target cannot infer which type of number this "
                            "function receives\ndeclare the variable that holds it, such as "
                            "`Callable[[float], float]`");
    const Arg **params = ARENA_ARRAY(c->arena, const Arg *, n + 1);
    const Expr **args = ARENA_ARRAY(c->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++) {
        Sym name = names_format(c->names, "value_%zu", i);
        params[i] = arg_new(c->arena, e->at, name, NULL);
        args[i] = typed(c, expr_name(c->arena, e->at, name, EXPR_CONTEXT_LOAD),
                        t->callable.params.at[i]);
    }
    const Expr *call = expr_call(c->arena, e->at, e, (ExprList){args, n}, (KeywordList){0});
    if (n > 0)
        call = c_on_first(c, call);
    call = typed(c, call, t->callable.result);
    const Arguments *list = arguments_new(c->arena, (ArgList){0}, (ArgList){params, n}, NULL,
                                          (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
    const Expr *lambda = typed(c, expr_lambda(c->arena, e->at, list, call), t);
    CFunction *f = c_nested(c, NULL, lambda);
    Sym origin = c_origin(c, e);
    f->called = origin != NULL ? unqualified(origin) : NULL;
    return c_closure(c, f);
}

Value c_function_value(CEmit *c, const Expr *e)
{
    CName *n = e->kind == EXPR_NAME ? c_global(c, e->name.id) : NULL;
    if (n == NULL || n->kind != CNAME_FUNCTION)
        return wrapped(c, e);
    const Arguments *args = n->def->function_def.args;
    bool exact = args->defaults.len == 0 && args->kwonlyargs.len == 0 && args->vararg == NULL;
    if (!exact)                                 // what the type leaves out has a default
        return wrapped(c, e);
    Value refused;
    Table *types = c_solve_types(c, n->def, e, NULL);
    CFunction *f = c_generic_function(c, e->at, n->def, types, &refused);
    return f != NULL ? c_closure(c, f) : refused;
}

// ---- attributes ----

void c_instances_of_module(CEmit *c)
{
    for (size_t m = 0; m < c->modules.len; m++)
        for (size_t i = 0; i < c->modules.at[m].body.len; i++) {
            const Stmt *s = c->modules.at[m].body.at[i];
            if (s->kind == STMT_CLASS_DEF && !c_is_generic(c, s))
                (void)c_class_of(c, s->class_def.name, (TyList){0});
        }
}

static Value attribute_on(CEmit *c, const Expr *e, const Expr *base)
{
    const Expr *attribute = expr_attribute(c->arena, e->at, base, e->attribute.attr,
                                           EXPR_CONTEXT_LOAD);
    return c_attribute(c, expr_with_ty(c->arena, attribute, e->ty, e->roles));
}

CClass *c_enum_named(CEmit *c, const Expr *e)
{
    CClass *k = e->kind == EXPR_NAME || e->kind == EXPR_ATTRIBUTE ? c_class_named(c, e) : NULL;
    return k != NULL && k->is_enum ? k : NULL;
}

bool c_enum_members(CEmit *c, const Expr *e, Value *out)
{
    CClass *k = c_enum_named(c, e);
    if (k == NULL)
        return false;
    c_class_fields(c, k);
    const Rep *list = rep_list(c, rep_class(c, k));
    const char *items = "";
    for (size_t i = 0; i < k->constants.len; i++)
        items = c_text(c, "%s%s%s", items, i ? ", " : "", k->constants.at[i].c_name);
    *out = c_value(list, c_text(c, "pychoral_display_list(%s, %zu, (uint32_t[]){%s})", list->row,
                                k->constants.len, items), HOLD_OWNED);
    return true;
}

// Whether instances of a class have an attribute that is no method.
static bool has_attribute(CEmit *c, CClass *k, Sym name)
{
    if (k->is_protocol || k->is_enum || k->def == NULL)
        return false;
    CMethod *m = c_find_method(k, name);
    return c_find_field(c, k, name) != NULL || c_find_constant(k, name) != NULL
           || (m != NULL && m->is_property);
}

void c_no_attribute(CEmit *c, Value place, Sym name)
{
    c_line(c, "} else {");
    c->out->indent++;
    c_line(c, "pychoral_no_attribute(%s, \"%s\");", c_ref(c, place), name);
    c_check(c);
    c->out->indent--;
    c_line(c, "}");
}

// What values of builtin types may have, as far as the tables tell, and what they have besides.
static bool is_builtin_attribute(CEmit *c, Sym name)
{
    static const char *const KINDS[] = {"int", "float", "complex", "str", "bytes", "list", "tuple",
                                        "dict", "set", "frozenset", "range", "iterator"};
    static const char *const OTHERS[] = {
        "real", "imag", "numerator", "denominator", "conjugate", "as_integer_ratio", "start",
        "stop", "step", "args", "name", "value", "send", "throw", "add_note", "with_traceback",
        NULL};
    if (name[0] == '_' || sym_is_one_of(name, OTHERS))
        return true;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (c_prim_known(c_text(c, "%s.%s", KINDS[i], name)))
            return true;
    return false;
}

static Value protocol_field(CEmit *c, const Expr *e, Value base)
{
    const Rep *result = rep_of(c, e->ty, e->at);
    Value out = c_open_or_none(c, result);
    Value place = c_place(c, c_steady(c, base));
    bool any = false;
    c_instances_of_module(c);
    for (size_t i = 0; i < c->class_order.len; i++) {
        CClass *k = c->class_order.at[i];
        if (k->is_enum && c_find_field(c, k, e->attribute.attr) != NULL)
            return c_refuse_member(c, e->at, e->attribute.value, "attribute", e->attribute.attr);
        if (!has_attribute(c, k, e->attribute.attr))
            continue;
        c_line(c, "%sif (%s.type == &%s) {", any ? "} else " : "", place.text, k->row);
        any = true;
        c->out->indent++;
        Value object = c_value(rep_class(c, k), c_text(c, "((%s *)%s.pointer)", k->c_name,
                                                       place.text), HOLD_BORROWED);
        object.lasting = true;
        Value v = attribute_on(c, e, c_bound(c, e->attribute.value, object));
        v = c_convert(c, v, result, e->at);
        if (rep_passed(result))
            c_line(c, "%s = %s;", out.text, c_owned(c, v));
        c->out->indent--;
    }
    if (!any && is_builtin_attribute(c, e->attribute.attr))
        return c_refuse_member(c, e->at, e->attribute.value, "attribute", e->attribute.attr);
    if (any) {
        c_no_attribute(c, place, e->attribute.attr);
        return out;
    }
    c_line(c, "pychoral_no_attribute(%s, \"%s\");", c_ref(c, place), e->attribute.attr);
    c_check(c);                                 // as behind `hasattr`
    return out;
}

// ---- hasattr ----

// Whether every object of a class has the attribute (C_TRUE), none has (C_FALSE), or it depends.
static CTruth attribute_of_class(CEmit *c, CClass *k, Sym name)
{
    if (c_find_method(k, name) != NULL || (c_class_fields(c, k), c_find_constant(k, name)) != NULL)
        return C_TRUE;
    const CField *f = c_find_field(c, k, name);
    return f == NULL ? C_FALSE : c_is_unset(c, f) ? C_OPEN : C_TRUE;
}

static bool has_generic_class(CEmit *c)
{
    for (size_t m = 0; m < c->modules.len; m++)
        for (size_t i = 0; i < c->modules.at[m].body.len; i++) {
            const Stmt *s = c->modules.at[m].body.at[i];
            if (s->kind == STMT_CLASS_DEF && c_is_generic(c, s))
                return true;
        }
    return false;
}

// The constant name that `hasattr` and `getattr` are given; NULL: none that is looked up as it is.
static Sym name_given(CEmit *c, const Expr *call)
{
    const Expr *given = call->call.args.at[1];
    if (given->kind != EXPR_CONSTANT || given->constant.value->kind != CONST_STR)
        return NULL;
    Text text = given->constant.value->text;
    bool own = text.len > 1 && text.at[0] == '_' && text.at[1] == '_';
    return own ? NULL : names_intern(c->names, text.at, text.len);
}

// Whether an object of a class has a field now, as C text.
static const char *field_is_set(CEmit *c, Value object, const CField *f)
{
    const char *flag = c_is_unset(c, f) ? c_field_flag(c, f) : NULL;
    return !c_is_unset(c, f) ? "true"
        : flag != NULL ? c_text(c, "%s->%s", object.text, flag)
        : c_text(c, "(%s->%s != NULL)", object.text, f->c_name);
}

// Whether a value is an object of one of the classes that have it. NULL: nobody can tell.
static const char *is_of_those(CEmit *c, Value v, ClassVec classes, Sym name)
{
    const char *test = "false";
    const char *pointer = v.rep->kind == REP_CLASS ? v.text
        : v.rep->kind == REP_OBJECT ? c_text(c, "%s.pointer", v.text) : NULL;
    for (size_t i = 0; i < classes.len; i++) {
        CClass *k = classes.at[i];
        CTruth has = k->is_protocol || k->def == NULL ? C_FALSE : attribute_of_class(c, k, name);
        if (has == C_OPEN && pointer == NULL)
            return NULL;
        Value object = {.text = c_text(c, "((%s *)%s)", k->c_name, pointer)};
        const char *is = c_text(c, "pychoral_is_instance(%s, %s, &%s)", v.rep->row,
                                c_address(c, v), k->row);
        if (has == C_OPEN)
            is = c_text(c, "(%s && %s)", is, field_is_set(c, object, c_find_field(c, k, name)));
        if (has != C_FALSE)
            test = c_text(c, "%s || %s", test, is);
    }
    return c_text(c, "(%s)", test);
}

// Whether a value, which has a place, has the attribute now. NULL: nobody can tell.
static const char *has_now(CEmit *c, Value v, Sym name)
{
    CClass *k = v.rep->kind == REP_CLASS ? v.rep->class_ : NULL;
    if (k != NULL)
        c_class_fields(c, k);
    if (k != NULL && (c_find_method(k, name) != NULL || c_find_constant(k, name) != NULL))
        return "true";
    const CField *f = k != NULL ? c_find_field(c, k, name) : NULL;
    if (f != NULL)
        return field_is_set(c, v, f);
    bool plain = k != NULL && !k->is_exception && !k->is_named_tuple;
    if ((!plain && is_builtin_attribute(c, name)) || has_generic_class(c))
        return NULL;
    c_instances_of_module(c);
    ClassVec all = {0};
    for (size_t i = 0; k == NULL && i < c->class_order.len; i++)
        vec_push(c->arena, &all, c->class_order.at[i]);
    return is_of_those(c, v, k != NULL ? c_deriving(c, k) : all, name);
}

Value c_has_attribute(CEmit *c, const Expr *call)
{
    Sym name = name_given(c, call);
    const char *test = NULL;
    if (name != NULL) {
        Value v = c_place(c, c_steady(c, c_expr(c, call->call.args.at[0])));
        test = has_now(c, v, name);
        if (test != NULL && (strcmp(test, "true") == 0 || strcmp(test, "(false)") == 0))
            c_line(c, "(void)%s;", v.text);     // the class says all
    }
    if (test == NULL)
        return c_refuse(c, call->at, name == NULL
                        ? "the C target supports `hasattr` only with a string literal as the name"
                        : "the C target cannot tell whether this object has the attribute `%s`",
                        name);
    return c_value(rep_named(c, "bool"), test, HOLD_PLAIN);
}

// ---- getattr ----

static bool is_declared(CEmit *c, Value v, Sym name)
{
    CClass *k = v.rep->kind == REP_CLASS ? v.rep->class_ : NULL;
    return k != NULL && (c_find_field(c, k, name) != NULL || c_find_method(k, name) != NULL
                         || c_find_constant(k, name) != NULL);
}

// Of what may be an object of a class that has it, or of none: it shows when it is there.
static Value attribute_of(CEmit *c, const Expr *call, Value v, Sym name)
{
    if (v.rep->kind == REP_CLASS && !is_declared(c, v, name))
        v = c_place(c, c_steady(c, c_convert(c, v, rep_named(c, "object"), call->at)));
    const Expr *value = c_bound(c, call->call.args.at[0], v);
    const Expr *e = expr_attribute(c->arena, call->at, value, name, EXPR_CONTEXT_LOAD);
    return c_attribute(c, expr_with_ty(c->arena, e, call->ty, call->roles));
}

// A property may raise AttributeError, which nobody would see; a method of an object whose class
// shows only then cannot be bound.
static bool is_some_code(CEmit *c, Value v, Sym name)
{
    bool declared = is_declared(c, v, name);
    c_instances_of_module(c);
    for (size_t i = 0; i < c->class_order.len; i++) {
        const CMethod *m = c_find_method(c->class_order.at[i], name);
        if (m != NULL && (m->is_property || !declared))
            return true;
    }
    return false;
}

static Value attribute_or_else(CEmit *c, const Expr *call, Value v, Sym name)
{
    Value otherwise = c_steady(c, c_expr(c, call->call.args.at[2]));
    const char *test = is_some_code(c, v, name) ? NULL : has_now(c, v, name);
    if (test == NULL)
        return c_refuse(c, call->at, "the C target cannot tell whether this object has the "
                        "attribute `%s`", name);
    Value out = c_open_or_none(c, rep_or_object(c, call));
    c_line(c, "if (%s) {", c_in_brackets(c, test));
    c->out->indent++;
    c_put_into(c, out, c_convert(c, attribute_of(c, call, v, name), out.rep, call->at));
    c->out->indent--;
    c_line(c, "} else {");
    c->out->indent++;
    c_put_into(c, out, c_convert(c, otherwise, out.rep, call->at));
    c->out->indent--;
    c_line(c, "}");
    return out;
}

Value c_get_attribute(CEmit *c, const Expr *call)
{
    ExprList args = call->call.args;
    Sym name = name_given(c, call);
    bool class_ = c_class_named(c, args.at[0]) != NULL || c_dotted(c, args.at[0]) != NULL;
    if (name == NULL || (class_ && args.len > 2))
        return c_refuse(c, call->at, "the C target supports `getattr` only for objects, with a "
                        "string literal as the name");
    if (class_) {
        const Expr *e = expr_attribute(c->arena, call->at, args.at[0], name, EXPR_CONTEXT_LOAD);
        return c_attribute(c, expr_with_ty(c->arena, e, call->ty, call->roles));
    }
    Value v = c_place(c, c_steady(c, c_expr(c, args.at[0])));
    return args.len > 2 ? attribute_or_else(c, call, v, name) : attribute_of(c, call, v, name);
}

static Value bound_method(CEmit *c, const Expr *e)
{
    const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
    if (t == NULL || t->kind != TY_CALLABLE)
        return c_refuse(c, e->at, "the C target does not support the attribute `%s` of this value",
                        e->attribute.attr);
    return wrapped(c, e);
}

// `object.method` as a value: the object is that of now. It becomes a variable that the function
// captures.
static Value method_of_value(CEmit *c, const Expr *e, Value base)
{
    if (c->function == NULL || e->ty == NULL)
        return bound_method(c, e);
    base = c_steady(c, base);
    if (base.hold == HOLD_PLAIN && !base.place)
        base = c_temp(c, base);
    Sym name = names_format(c->names, "(object %s)", base.text);
    CVariable *v = ARENA_NEW(c->arena, CVariable);
    *v = (CVariable){.name = name, .c_name = base.text, .rep = base.rep, .captured = true};
    table_set(c->function->variables, name, v);
    const Expr *value = e->attribute.value;
    const Expr *object = expr_name(c->arena, value->at, name, EXPR_CONTEXT_LOAD);
    object = expr_with_ty(c->arena, object, value->ty, value->roles);
    const Expr *method = expr_attribute(c->arena, e->at, object, e->attribute.attr,
                                        EXPR_CONTEXT_LOAD);
    return bound_method(c, expr_with_ty(c->arena, method, e->ty, e->roles));
}

static Value enum_attribute(CEmit *c, const Expr *e, Value v)
{
    Sym name = e->attribute.attr;
    CMethod *m = c_find_method(v.rep->class_, name);
    v = c_steady(c, v);
    if (m != NULL && m->is_property)
        return c_user_call(c, e->at, m, &v, (ExprList){0}, (KeywordList){0}, NULL);
    const CField *f = c_find_field(c, v.rep->class_, name);
    if (f != NULL)
        return c_member_field(c, v, f);
    if (sym_is(name, "name"))
        return c_call(c, rep_named(c, "str"), c_text(c, "pychoral_enum_name(%s, %s)", v.rep->row,
                                                     v.text), false);
    if (sym_is(name, "value")) {
        const Rep *rep = rep_of(c, e->ty, e->at);
        Value out = c_open_variable(c, rep);
        c_line(c, "pychoral_enum_value_as(%s, %s, %s, &%s);", v.rep->row, v.text, rep->row,
               out.text);
        c_check(c);
        return out;
    }
    return c_refuse(c, e->at, "the C target does not support the attribute `%s` of enum members",
                    name);
}

static Value field_value(CEmit *c, Value base, const CField *f)
{
    if (!rep_passed(f->rep)) {
        (void)c_steady(c, base);
        return c_nothing(c);
    }
    base = base.hold == HOLD_OWNED ? c_temp(c, base) : base;
    const char *text = base.text[0] == '(' && base.text[1] != '*' ? c_text(c, "(%s)", base.text)
                                                                  : base.text;
    Value v = c_value(f->rep, c_text(c, "%s->%s", text, f->c_name), HOLD_BORROWED);
    v.place = true;
    return v;
}

// An attribute that may have no value yet: AttributeError, as Python has it.
static Value set_field(CEmit *c, Value base, const CField *f)
{
    if (!c_is_unset(c, f))
        return field_value(c, base, f);
    base = c_steady(c, base);
    const char *flag = c_field_flag(c, f);
    c_line(c, "if (!%s->%s)\n    pychoral_no_attribute(%s, \"%s\");", base.text,
           flag != NULL ? flag : f->c_name, c_ref(c, base), f->name);
    c_check(c);
    return field_value(c, base, f);
}

static Value class_member(CEmit *c, const Expr *e, CClass *k)
{
    c_class_fields(c, k);
    CField *f = c_find_constant(k, e->attribute.attr);
    Value out;
    if (f == NULL && sym_is(e->attribute.attr, "__name__")) {
        const char *name = c_shown_name(c, k);
        return c_value(rep_named(c, "str"), c_string(c, (Text){name, strlen(name)}, false),
                       HOLD_BORROWED);
    }
    if (f == NULL)
        return c_named_tuple_attribute(c, k, e->attribute.attr, &out) ? out : bound_method(c, e);
    if (k->is_enum)
        return (Value){.rep = rep_class(c, k), .text = f->c_name, .lasting = true};
    Value v = c_value(f->rep, f->c_name, HOLD_BORROWED);
    v.place = true;
    return v;
}

// Not that of a base, which has one of its own then.
static bool own_constant(const CClass *k, Sym name)
{
    for (size_t i = 0; i < k->constants.len; i++)
        if (k->constants.at[i].name == name)
            return true;
    return false;
}

// `object.CONSTANT`, which a derived class may have another value of.
static const char *constant_of_derived(CEmit *c, const char *object, CClass *k, Sym name,
                                       const char *otherwise)
{
    ClassVec all = c_deriving(c, k);
    for (size_t i = all.len; i-- > 0;) {
        CClass *d = all.at[i];
        c_class_fields(c, d);
        CField *f = own_constant(d, name) || d->bases.len > 1 ? c_find_constant(d, name) : NULL;
        if (f != NULL)
            otherwise = c_text(c, "(pychoral_derives(((PychoralObject *)%s)->type, &%s) ? %s : %s)",
                               object, d->row, f->c_name, otherwise);
    }
    return otherwise;
}

static Value constant_of_object(CEmit *c, const Expr *e, Value base)
{
    Value v = class_member(c, e, base.rep->class_);
    base = c_steady(c, base);
    const char *text = constant_of_derived(c, base.text, base.rep->class_, e->attribute.attr,
                                           v.text);
    v.place = v.place && text == v.text;
    if (text == v.text)
        c_line(c, "(void)%s;", base.text);
    v.text = text;
    return v;
}

// What a json.JSONDecodeError says of the text.
static bool json_attribute(CEmit *c, const Expr *e, Value base, Value *out)
{
    static const char *const NAMES[] = {"msg", "doc", "pos", "lineno", "colno", NULL};
    if (!sym_is(base.rep->class_->name, "json.JSONDecodeError")
        || !sym_is_one_of(e->attribute.attr, NAMES))
        return false;
    *out = c_value(rep_of(c, e->ty, e->at),
                   c_text(c, "((PychoralJsonError *)%s)->%s", c_steady(c, base).text,
                          e->attribute.attr), HOLD_BORROWED);
    return true;
}

// What every exception has. False: the attribute is none of that.
static bool exception_attribute(CEmit *c, const Expr *e, Value base, Value *out)
{
    static const char *const PARTS[][2] = {
        {"__cause__", "cause"}, {"__context__", "context"}, {"__traceback__", "trace"},
        {"code", "value"}, {"value", "value"}, {"errno", "errno"}, {"strerror", "strerror"},
        {"filename", "filename"}, {"filename2", "filename2"}};
    Sym name = e->attribute.attr;
    if (!base.rep->class_->is_exception)
        return false;
    if (json_attribute(c, e, base, out))
        return true;
    base = c_steady(c, base);
    if (sym_is(name, "args")) {
        Value v = c_call(c, rep_sequence(c, rep_named(c, "object")),
                         c_text(c, "pychoral_exception_args((PychoralException *)%s)", base.text),
                         false);
        *out = c_convert(c, v, rep_of(c, e->ty, e->at), e->at);
        return true;
    }
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        if (!sym_is(name, PARTS[i][0]))
            continue;
        Value v = c_value(rep_named(c, "object"),
                          c_text(c, "pychoral_exception_%s((PychoralException *)%s)", PARTS[i][1],
                                 base.text), HOLD_OWNED);
        *out = c_convert(c, v, rep_of(c, e->ty, e->at), e->at);
        return true;
    }
    return false;
}

static Value object_attribute(CEmit *c, const Expr *e, Value base)
{
    Value out;
    CClass *k = base.rep->class_;
    CField *f = c_find_field(c, k, e->attribute.attr);
    if (f != NULL)
        return set_field(c, base, f);
    CMethod *m = c_find_method(k, e->attribute.attr);
    if (m != NULL && m->is_property)
        return c_user_call(c, e->at, m, &base, (ExprList){0}, (KeywordList){0}, NULL);
    if (m != NULL && c_is_decorated(c, m->def->function_def.decorator_list, "cached_property"))
        return c_refuse(c, e->at, "the C target does not support `cached_property`\n"
                        "use `property`, or compute `%s` in `__init__`", m->name);
    if (c_find_constant(k, e->attribute.attr) != NULL)
        return constant_of_object(c, e, base);
    if (c_named_tuple_attribute(c, k, e->attribute.attr, &out))
        return out;
    return exception_attribute(c, e, base, &out) ? out : method_of_value(c, e, base);
}

// `run.__name__` of a function of a module.
static bool function_named(CEmit *c, const Expr *e, Value *out)
{
    bool free = e->kind == EXPR_NAME && c_find_variable(c, e->name.id) == NULL;
    const CName *n = free ? c_global(c, e->name.id) : NULL;
    if (n == NULL || n->kind != CNAME_FUNCTION)
        return false;
    const char *name = unqualified(n->def->function_def.name);
    *out = (Value){.rep = rep_named(c, "str"), .lasting = true,
                   .text = c_string(c, (Text){name, strlen(name)}, false)};
    return true;
}

Value c_attribute(CEmit *c, const Expr *e)
{
    Value out;
    Sym name = e->attribute.attr;
    CClass *k = c_class_named(c, e->attribute.value);
    if (k != NULL)
        return class_member(c, e, k);
    Sym dotted = c_dotted(c, e);
    if (dotted != NULL) {
        if (sym_is(dotted, "Unit_.id"))         // where the file has a `Unit` of its own
            return c_nothing(c);
        if (c_prim_constant(c, dotted, e, &out))
            return out;
        if (e->ty != NULL && c_ty(c, e->ty)->kind == TY_CALLABLE)
            return bound_method(c, e);
        return c_refuse(c, e->at, "the C target does not support `%s`", dotted);
    }
    if (c_is_super(e->attribute.value))
        return c_super_attribute(c, e);
    if (sym_is(name, "__class__"))
        return c_type_of(c, e->attribute.value);
    if (sym_is(name, "__name__") && function_named(c, e->attribute.value, &out))
        return out;
    Value base = c_expr_of(c, e->attribute.value, name);
    if (base.rep->kind == REP_ENUM)
        return enum_attribute(c, e, base);
    if (base.rep->kind == REP_CLASS)
        return object_attribute(c, e, base);
    if (base.rep == rep_class_value(c))
        return c_attribute_of_class(c, e, base);
    if (base.rep->kind == REP_FUNCTION && sym_is(name, "__name__"))
        return c_value(rep_named(c, "str"), c_text(c, "pychoral_function_name(%s)",
                                                   c_borrowed(c, c_steady(c, base))), HOLD_OWNED);
    if (base.rep->kind == REP_BOOL)
        base = c_convert(c, base, rep_named(c, "int"), e->at);
    bool known = base.rep->kind == REP_FOREIGN || base.rep->kind == REP_DEQUE
        || base.rep->kind == REP_INT || base.rep->kind == REP_FLOAT;
    if (known && e->ty != NULL && c_ty(c, e->ty)->kind != TY_CALLABLE
        && c_prim_call(c, c_text(c, "%s.%s", c_kind_name(base.rep), name), e, &base, (ExprList){0},
                       (KeywordList){0}, rep_of(c, e->ty, e->at), &out))
        return out;
    if (base.rep->kind == REP_COMPLEX)
        return c_value(rep_named(c, "float"), c_text(c, "(%s).%s", base.text, name), HOLD_PLAIN);
    if (base.rep->kind == REP_RANGE)
        return c_value(rep_named(c, "int"), c_text(c, "%s->%s", c_borrowed(c, c_steady(c, base)),
                                                   name), HOLD_BORROWED);
    if (base.rep->kind == REP_OBJECT)
        return protocol_field(c, e, base);
    if (base.rep->kind == REP_UNION)
        return c_over_parts(c, e, e->attribute.value, base, attribute_on);
    return method_of_value(c, e, base);
}

static bool constant_place(CEmit *c, const Expr *target, CClass *k, Value *place)
{
    Sym name = target->attribute.attr;
    CField *f = (c_class_fields(c, k), c_find_constant(k, name));
    bool of_objects = c_find_field(c, k, name) != NULL, plain = f != NULL && !k->is_enum;
    if (!plain || of_objects || !own_constant(k, name) || table_get(c->shown, k->name) != NULL) {
        (void)c_refuse(c, target->at, plain && !own_constant(k, name)
                       ? "the C target cannot assign to `%s` of `%s`, which is inherited from "
                         "another class\nalso define the attribute in this class"
                       : plain && of_objects
                       ? "the C target cannot assign to `%s` of `%s`, because objects have an "
                         "attribute of this name, too\nuse another name for one of them"
                       : "the C target does not support assignment to the class attribute `%s` "
                         "of `%s`", name, unqualified(k->name));
        return false;
    }
    *place = c_value(f->rep, f->c_name, HOLD_BORROWED);
    return true;
}

bool c_attribute_place(CEmit *c, const Expr *target, Value base, Value *place, const char **flag)
{
    *flag = NULL;
    Sym name = target->attribute.attr;
    CClass *k = c_class_named(c, target->attribute.value);
    if (k == NULL && base.rep == rep_class_value(c)) {
        k = c_only_class(c, target->attribute.value);
        if (k == NULL) {
            (void)c_refuse(c, target->at, "the C target supports assignment to a class attribute "
                           "only by the name of the class\nwrite `C.%s`, where `C` is the class",
                           name);
            return false;
        }
    }
    if (k != NULL)
        return constant_place(c, target, k, place);
    const Ty *t = target->attribute.value->ty ? c_ty(c, target->attribute.value->ty) : NULL;
    if (base.rep->kind == REP_OBJECT && (t == NULL || t->kind == TY_ANY)) {
        (void)c_refuse_member(c, target->at, target->attribute.value, "attribute", name);
        return false;
    }
    if (base.rep->kind != REP_CLASS && base.rep->kind != REP_ENUM) {
        (void)c_refuse_type(c, target->at, "assignment to an attribute of", base.rep);
        return false;
    }
    CField *f = c_find_field(c, base.rep->class_, name);
    if (f == NULL) {
        (void)c_refuse(c, target->at, "the C target does not support assignment to the attribute "
                       "`%s` of `%s`", name, c_type_name(c, base.rep));
        return false;
    }
    bool frozen = base.rep->class_->is_frozen && c->function && !c->function->owner;
    if (frozen || base.rep->class_->is_named_tuple) {
        (void)c_refuse(c, target->at, "cannot assign to field `%s`: `%s` is frozen", name,
                       c_type_name(c, base.rep));
        return false;
    }
    if (base.rep->kind == REP_ENUM) {
        *place = c_member_field(c, base, f);
        return true;
    }
    base = c_steady(c, base);
    *place = field_value(c, base, f);
    *flag = c_field_flag(c, f) ? c_text(c, "%s->%s", base.text, c_field_flag(c, f)) : NULL;
    return true;
}
