// c_call.c - calls of the program's functions and methods, and of function values.

#include <string.h>

#include "compiler/emit/c/c_call.h"

// ---- functions of the program ----

static Value default_of_function(CEmit *c, const CCallee *callee, size_t i)
{
    const CParam *p = &callee->params[i];
    return c_default_value(c, p->otherwise, p->rep);
}

static const char *passed(CEmit *c, const CCallee *callee)
{
    const char *text = "";
    for (size_t i = 0; i < callee->count; i++)
        if (rep_passed(callee->params[i].rep))
            text = c_text(c, "%s%s%s", text, *text ? ", " : "", callee->params[i].v.text);
    return text;
}

// The object of a method: as the method takes it, or as what looks for that takes it.
static Value receiver(CEmit *c, Span at, const CFunction *f, const char *name, Value self)
{
    return strcmp(name, f->c_name) == 0 ? c_convert(c, self, f->params.at[0], at) : self;
}

static Value call_function(CEmit *c, Span at, CFunction *f, const char *name, ExprList args,
                           KeywordList keywords, const Value *self)
{
    CCallee callee = c_callee(c, f);
    callee.otherwise = default_of_function;
    if (self != NULL)
        c_give(&callee.params[0], receiver(c, at, f, name, *self));
    if (!c_bind(c, at, &callee, args, keywords))
        return c_value(f->result, rep_zero(c, f->result), HOLD_PLAIN);
    const char *texts = passed(c, &callee);
    if (f->last_argument != NULL)
        texts = c_text(c, "%s%s%s", texts, *texts ? ", " : "", f->last_argument);
    return c_call(c, f->result, c_text(c, "%s(%s)", name, texts), true);
}

// ---- methods ----

CFunction *c_method_function(CEmit *c, CMethod *m)
{
    return c_function(c, m->def, m->owner, m->owner->types);
}

CFunction *c_method_on(CEmit *c, const CMethod *m, CClass *k)
{
    CClass *owner = k->is_enum ? k : m->owner;
    return c_function(c, m->def, owner, owner->types);
}

// `super_call`: this very method, not one that overrides it. `at_class` NULL: by the object's type.
Value c_user_call(CEmit *c, Span at, CMethod *m, const Value *self, ExprList args,
                  KeywordList keywords, CClass *exactly)
{
    Value out;
    c_check_direct(c, m, at);
    bool open = self != NULL && exactly == NULL && !self->exact;
    if (open && c_call_of_derived(c, at, m, *self, args, keywords, &out))
        return out;
    if (m->is_class) {                          // `cls` is the class that is named
        CClass *k = exactly ? exactly : self ? self->rep->class_ : m->owner;
        CFunction *f = c_function(c, m->def, k, m->owner->types);
        return call_function(c, at, f, f->c_name, args, keywords, NULL);
    }
    CFunction *f = self ? c_method_on(c, m, self->rep->class_) : c_method_function(c, m);
    if (m->is_static || self == NULL)
        return call_function(c, at, f, f->c_name, args, keywords, NULL);
    Value steady = c_steady(c, *self);
    CClass *k = self->rep->class_;
    const char *name = c_method_name(c, m, k, exactly != NULL || self->exact);
    if (exactly == NULL && strcmp(name, f->c_name) != 0)
        return call_function(c, at, f, name, args, keywords, &steady);
    return call_function(c, at, f, f->c_name, args, keywords, &steady);
}

Value c_user_call_values(CEmit *c, Span at, CMethod *m, const Value *self, const Value *args,
                         size_t count)
{
    CFunction *f = c_method_on(c, m, self->rep->class_);
    const char *name = c_method_name(c, m, self->rep->class_, false);
    CCallee callee = c_callee(c, f);
    callee.otherwise = default_of_function;
    c_give(&callee.params[0], receiver(c, at, f, name, c_steady(c, *self)));
    for (size_t i = 0; i < count && i + 1 < callee.count; i++)
        c_give(&callee.params[i + 1], c_convert(c, args[i], callee.params[i + 1].rep, at));
    if (!c_bind(c, at, &callee, (ExprList){0}, (KeywordList){0}))
        return c_value(f->result, rep_zero(c, f->result), HOLD_PLAIN);
    return c_call(c, f->result, c_text(c, "%s(%s)", name, passed(c, &callee)), true);
}

// ---- what iterating gives ----

static const Rep *element_of_class(CEmit *c, CClass *k)
{
    CMethod *m = c_find_method(k, names_get(c->names, "__next__"));
    if (m != NULL)
        return c_method_function(c, m)->result;
    m = c_find_method(k, names_get(c->names, "__iter__"));
    const Rep *it = m ? c_method_function(c, m)->result : NULL;
    if (it != NULL && it->kind == REP_ITERATOR)
        return it->element;
    if (it != NULL && it->kind == REP_CLASS && it->class_ != k)
        return element_of_class(c, it->class_);
    m = c_find_method(k, names_get(c->names, "__getitem__"));
    return m ? c_method_function(c, m)->result : rep_named(c, "object");
}

const Rep *c_element(CEmit *c, const Expr *iterable)
{
    const Ty *t = iterable->ty ? c_ty(c, iterable->ty) : NULL;
    if (t && t->kind == TY_NAMED && t->named.args.len > 0 && c_is_abstract(t->named.name))
        return rep_of(c, t->named.args.at[0], iterable->at);
    const Rep *r = rep_of(c, t, iterable->at);
    switch (r->kind) {
    case REP_LIST: case REP_SEQUENCE: case REP_SET: case REP_FROZENSET: case REP_ITERATOR:
    case REP_DEQUE:
        return r->element;
    case REP_DICT: return r->key_rep;
    case REP_STR: return r;
    case REP_BYTES: case REP_RANGE: return rep_named(c, "int");
    case REP_TUPLE:
        return r->count == 0 ? rep_named(c, "object") : rep_union(c, r->parts, r->count);
    case REP_CLASS: return element_of_class(c, r->class_);
    case REP_FOREIGN:
        return rep_named(c, strcmp(r->key, "TextIO") == 0 ? "str"
                         : strcmp(r->key, "BinaryIO") == 0 ? "bytes" : "object");
    default: return rep_named(c, "object");
    }
}

// ---- which call it is ----

// `__call__` of the protocol that a value is declared as; NULL: there is none.
static const Arguments *called_protocol(CEmit *c, const Expr *callee)
{
    const Ty *t = callee->ty != NULL ? c_ty(c, callee->ty) : NULL;
    CClass *k = t != NULL && t->kind == TY_NAMED ? c_class_of(c, t->named.name, t->named.args)
                                                 : NULL;
    CMethod *m = k != NULL ? c_find_method(k, names_get(c->names, "__call__")) : NULL;
    return m != NULL ? m->def->function_def.args : NULL;
}

// Keywords in the order of the parameters stand for arguments by place.
static ExprList by_place(CEmit *c, const Expr *e, const Arguments *of)
{
    ExprList args = e->call.args;
    KeywordList keywords = e->call.keywords;
    const Expr **all = ARENA_ARRAY(c->arena, const Expr *, args.len + keywords.len + 1);
    for (size_t i = 0; i < args.len; i++)
        all[i] = args.at[i];
    for (size_t i = 0; i < keywords.len; i++) {
        size_t place = args.len + i + 1;        // behind `self`
        if (of == NULL || place >= of->args.len || c_has_star(args)
            || of->args.at[place]->arg != keywords.at[i]->arg)
            (void)c_refuse(c, e->at, "the C target does not support keyword arguments in this "
                           "call\npass the arguments by position, or call the function by its "
                           "name");
        all[args.len + i] = keywords.at[i]->value;
    }
    return (ExprList){all, args.len + keywords.len};
}

// A call of what is known only when it is there.
static Value call_open(CEmit *c, const Expr *e, Value f)
{
    const Arguments *of = called_protocol(c, e->call.func);
    ExprList given = by_place(c, e, of);
    if (of != NULL && !c_has_star(given) && given.len + 1 < of->args.len + of->posonlyargs.len)
        return c_refuse(c, e->at, "the C target does not know the defaults of this function\npass "
                        "all arguments");
    const Rep *rep = rep_or_object(c, e);
    const char *function = c_ref(c, c_place(c, c_steady(c, f)));
    const char *args = c_has_star(given) ? c_spread(c, "ref", given)
        : c_text(c, "%zu, %s", given.len, c_refs_of(c, given));
    Value out = c_open_or_none(c, rep);
    c_line(c, "pychoral_call_value(%s, %s, %s, %s);", function, args,
           rep->row, rep_passed(rep) ? c_text(c, "&%s", out.text) : "&(PychoralNone){0}");
    c_check(c);
    return out;
}

// A call of a function value with arguments as it takes them, each in a place.
static Value call_with(CEmit *c, Value f, const Value *given, size_t n)
{
    const Rep *result = f.rep->element;
    const char *function = c_borrowed(c, f), *args = "";
    for (size_t i = 0; i < n; i++)
        args = c_text(c, "%s%s(void *)%s", args, i ? ", " : "", c_address(c, given[i]));
    Value out = c_open_or_none(c, result);
    c_line(c, "%s->call(%s, %s, %s);", function, function,
           n ? c_text(c, "(void *const[]){%s}", args) : "NULL",
           rep_passed(result) ? c_text(c, "&%s", out.text) : "&(PychoralNone){0}");
    c_check(c);
    return out;
}

// A value has no defaults and no `*args`, whatever the function has.
static Value refuse_count(CEmit *c, const Expr *e, const Rep *rep, const char *help)
{
    return c_refuse(c, e->at, "in the C target this function has the type `%s`, and a call needs "
                    "%zu argument%s\n%s", c_type_name(c, rep), rep->count,
                    diag_s(rep->count), help);
}

static Value call_value(CEmit *c, const Expr *e, Value f)
{
    const Rep *rep = f.rep;
    if (rep->kind == REP_OBJECT || rep->kind == REP_UNION)
        return call_open(c, e, f);
    if (rep == rep_class_value(c))
        return c_call_class(c, e, f);
    CMethod *called = rep->kind != REP_CLASS && rep->kind != REP_ENUM ? NULL
        : c_find_method(rep->class_, names_get(c->names, "__call__"));
    if (called != NULL)
        return c_user_call(c, e->at, called, &f, e->call.args, e->call.keywords, NULL);
    if (rep->kind != REP_FUNCTION)
        return c_refuse_type(c, e->at, "calls of", rep);
    f = c_steady(c, f);
    if (c_has_open_star(c, e->call.args) || e->call.keywords.len > 0)
        return call_open(c, e, f);
    ExprList given = c_has_star(e->call.args) ? c_with_parts(c, e->call.args) : e->call.args;
    Value *args = ARENA_ARRAY(c->arena, Value, given.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < given.len; i++) {
        const Expr *arg = given.at[i];
        if (!rep_passed(rep_or_object(c, arg))) {
            c_effects(c, arg);
            continue;
        }
        if (n == rep->count)
            return refuse_count(c, e, rep, "pass exactly that many, or call a function defined "
                                "with `def` by its name");
        args[n] = c_place(c, c_steady(c, c_expr_as(c, arg, rep->parts[n])));
        n++;
    }
    if (n < rep->count)
        return refuse_count(c, e, rep, "pass all arguments, or call a function defined "
                            "with `def` by its name");
    return call_with(c, f, args, n);
}

static Value call_module_function(CEmit *c, const Expr *e, const Stmt *def)
{
    Table *types = c_solve_types(c, def, e->call.func, e);
    Value refused;
    CFunction *f = c_generic_function(c, e->at, def, types, &refused);
    if (f == NULL)
        return refused;
    return call_function(c, e->at, f, f->c_name, e->call.args, e->call.keywords, NULL);
}

// Of a nested function: what was evaluated where it is defined.
static Value default_of_nested(CEmit *c, const CCallee *callee, size_t i)
{
    const CParam *p = &callee->params[i];
    CFunction *f = callee->of;
    CVariable *kept = c_find_variable(c, c_default_variable(c, f->def, p->name));
    if (kept != NULL)
        return c_variable(c, kept);
    return c_is_constant(p->otherwise) ? c_expr_as(c, p->otherwise, p->rep)
        : c_refuse(c, p->otherwise->at, "the C target does not support this default of a nested "
                   "function");
}

static Value call_nested(CEmit *c, const Expr *e, CVariable *v)
{
    CCallee callee = c_callee(c, c_def_function(c, v->def));
    callee.otherwise = default_of_nested;
    Value function = c_steady(c, c_expr(c, e->call.func));
    if (!c_bind(c, e->at, &callee, e->call.args, e->call.keywords))
        return (Value){.rep = function.rep->element, .text = rep_zero(c, function.rep->element)};
    Value *args = ARENA_ARRAY(c->arena, Value, callee.count + 1);
    size_t n = 0;
    for (size_t i = 0; i < callee.count; i++)
        if (rep_passed(callee.params[i].rep))
            args[n++] = c_place(c, c_steady(c, callee.params[i].v));
    return call_with(c, function, args, n);
}

// `cls` of a class method.
static bool is_class_parameter(CEmit *c, const Expr *e)
{
    if (c->function == NULL || !c->function->is_class || e->kind != EXPR_NAME)
        return false;
    const Arguments *args = c->function->def->function_def.args;
    ArgList list = args->posonlyargs.len > 0 ? args->posonlyargs : args->args;
    return list.len > 0 && list.at[0]->arg == e->name.id;
}

static bool call_foreign(CEmit *c, const Expr *e, Sym dotted, Value *out)
{
    CFunction *f = c_foreign_function(c, dotted);
    if (f == NULL)
        return false;
    *out = call_function(c, e->at, f, f->c_name, e->call.args, e->call.keywords, NULL);
    return true;
}

// UserId(7) is 7; an alias of a class is called as the class.
static Value call_alias(CEmit *c, const Expr *e, const CName *n)
{
    if (n->def != NULL)
        return c_typed_dict(c, e, n);
    if (n->is_new && e->call.args.len == 1)
        return c_expr_as(c, e->call.args.at[0], rep_of(c, c_annotation(c, n->ty), e->at));
    const Expr *callee = expr_with_ty(c->arena, n->ty, e->call.func->ty, e->call.func->roles);
    const Expr *call = expr_call(c->arena, e->at, callee, e->call.args, e->call.keywords);
    return c_call_expr(c, expr_with_ty(c->arena, call, e->ty, e->roles));
}

// A builtin, or a function of a module that the runtime has or the user writes in C.
static bool call_known(CEmit *c, const Expr *e, Sym dotted, Value *out)
{
    if (strcmp(dotted, "open") == 0 && strcmp(rep_of(c, e->ty, e->at)->key, "BinaryIO") == 0)
        dotted = names_get(c->names, "open.binary");
    return c_special_call(c, e, dotted, out) || c_replace(c, e, dotted, out)
           || c_prim_call(c, dotted, e, NULL, e->call.args, e->call.keywords,
                          rep_of(c, e->ty, e->at), out)
           || call_foreign(c, e, dotted, out);
}

static Value refuse_known(CEmit *c, Span at, const char *name)
{
    bool other = c_prim_known(name);
    return c_refuse(c, at, "the C target does not support `%s`%s", name,
                    other ? " with these arguments" : "");
}

static Value call_name(CEmit *c, const Expr *e)
{
    const Expr *callee = e->call.func;
    Sym name = callee->name.id;
    CVariable *v = c_find_variable(c, name);
    if (v != NULL && v->def != NULL)
        return call_nested(c, e, v);
    if (v != NULL && !is_class_parameter(c, callee))
        return call_value(c, e, c_expr(c, callee));
    if (is_class_parameter(c, callee))
        return c_construct(c, e, c->function->owner);
    CName *n = c_global(c, name);
    if (n != NULL && n->kind == CNAME_FUNCTION)
        return call_module_function(c, e, n->def);
    if (n != NULL && n->kind == CNAME_VARIABLE)
        return call_value(c, e, c_expr(c, callee));
    if (n != NULL && n->kind == CNAME_TYPE && n->ty != NULL)
        return call_alias(c, e, n);
    if (n == NULL || n->kind == CNAME_CLASS) {
        const Ty *t = e->ty ? c_ty(c, e->ty) : NULL;
        TyList args = t && t->kind == TY_NAMED && t->named.name == name ? t->named.args
                                                                      : (TyList){0};
        CClass *k = c_class_of(c, name, args);
        if (k != NULL)
            return c_construct(c, e, k);
    }
    Sym dotted = c_dotted(c, callee);
    Value out;
    if (dotted != NULL && call_known(c, e, dotted, &out))
        return out;
    return refuse_known(c, e->at, dotted ? dotted : name);
}

// The class that an expression names: `C.make()`, `C.member`.
CClass *c_class_named(CEmit *c, const Expr *e)
{
    if (e->kind == EXPR_ATTRIBUTE) {            // a class inside a class
        CClass *outer = c_class_named(c, e->attribute.value);
        return outer == NULL ? NULL
            : c_class_of(c, names_format(c->names, "%s.%s", outer->name, e->attribute.attr),
                         (TyList){0});
    }
    if (is_class_parameter(c, e))
        return c->function->owner;
    if (e->kind != EXPR_NAME || c_find_variable(c, e->name.id) != NULL)
        return NULL;
    CName *n = c_global(c, e->name.id);
    if (n != NULL && n->kind == CNAME_TYPE && n->ty != NULL && n->ty->kind == EXPR_NAME)
        return c_class_named(c, n->ty);
    return n != NULL && n->kind == CNAME_CLASS ? c_class_of(c, e->name.id, (TyList){0}) : NULL;
}

static bool is_join_of_parts(const Expr *e)
{
    const Expr *f = e->call.func;
    return sym_is(f->attribute.attr, "join") && f->attribute.value->kind == EXPR_CONSTANT
           && f->attribute.value->constant.value->kind == CONST_STR
           && f->attribute.value->constant.value->text.len == 0 && e->call.args.len == 1
           && e->call.args.at[0]->kind == EXPR_TUPLE;
}

static Value concat_parts(CEmit *c, ExprList parts)
{
    const char *texts = "";
    for (size_t i = 0; i < parts.len; i++)
        texts = c_text(c, "%s%s%s", texts, i ? ", " : "",
                       c_borrowed(c, c_steady(c, c_expr(c, parts.at[i]))));
    return c_value(rep_named(c, "str"),
                   c_text(c, "pychoral_concat(%zu, (const PychoralStr *const[]){%s})", parts.len,
                          texts), HOLD_OWNED);
}

// str.upper("a"): a method of a builtin class, on the first argument.
const Expr *c_on_first(CEmit *c, const Expr *e)
{
    static const char *const CLASSES[] = {"str", "bytes", "int", "float", "complex", "list", "dict",
                                          "set", "frozenset", "tuple", "bool", NULL};
    const Expr *f = e->call.func;
    Sym dotted = f->kind == EXPR_ATTRIBUTE && e->call.args.len > 0 ? c_dotted(c, f) : NULL;
    Sym of = dotted ? c_dotted(c, f->attribute.value) : NULL;
    if (of == NULL || !sym_is_one_of(of, CLASSES) || !c_prim_of_object(dotted))
        return e;
    const Expr *method = expr_attribute(c->arena, f->at, e->call.args.at[0], f->attribute.attr,
                                        EXPR_CONTEXT_LOAD);
    ExprList rest = {e->call.args.at + 1, e->call.args.len - 1};
    const Expr *call = expr_call(c->arena, e->at, expr_with_ty(c->arena, method, f->ty, f->roles),
                                 rest, e->call.keywords);
    return expr_with_ty(c->arena, call, e->ty, e->roles);
}

// What only floats have of a number that may be an int: that has none.
static bool lacks_attribute(const Rep *r, Sym name)
{
    static const char *const OF_FLOATS[] = {"hex", "is_integer", "fromhex", NULL};
    return (r->kind == REP_INT || r->kind == REP_BOOL) && sym_is_one_of(name, OF_FLOATS);
}

void c_put_into(CEmit *c, Value out, Value v)
{
    if (rep_passed(out.rep))
        c_line(c, "%s = %s;", out.text, c_owned(c, v));
}

// One part after the other: what `make` gives of a part, for the one that the value is.
Value c_over_parts(CEmit *c, const Expr *e, const Expr *base_expr, Value base, OfPart *make)
{
    const Rep *result = rep_of(c, e->ty, e->at);
    Value out = c_open_or_none(c, result);
    Sym name = e->kind == EXPR_CALL ? e->call.func->attribute.attr : e->attribute.attr;
    base = c_place(c, c_steady(c, base));
    for (size_t i = 0; i < base.rep->count; i++) {
        const Rep *r = base.rep->parts[i];
        c_line(c, "%sif (%s.is == %zu) {", i ? "} else " : "", base.text, i);
        c->out->indent++;
        Value part = c_value(r, c_text(c, "%s.as_%s", base.text, r->name), HOLD_BORROWED);
        part.lasting = part.place = true;
        if (r->kind == REP_NONE)
            part = c_nothing(c);
        if (lacks_attribute(r, name)) {
            c_line(c, "pychoral_no_attribute(%s, \"%s\");", c_ref(c, part), name);
            c_check(c);
        } else {
            Value v = make(c, e, c_bound(c, base_expr, part));
            c_put_into(c, out, c_convert(c, v, result, e->at));
        }
        c->out->indent--;
    }
    c_line(c, "}");
    return out;
}

static Value call_on(CEmit *c, const Expr *e, const Expr *base)
{
    const Expr *f = e->call.func;
    const Expr *attribute = expr_attribute(c->arena, f->at, base, f->attribute.attr,
                                           EXPR_CONTEXT_LOAD);
    attribute = expr_with_ty(c->arena, attribute, f->ty, f->roles);
    const Expr *call = expr_call(c->arena, e->at, attribute, e->call.args, e->call.keywords);
    return c_call_expr(c, expr_with_ty(c->arena, call, e->ty, e->roles));
}

static Value call_of_union(CEmit *c, const Expr *e, Value self)
{
    size_t n = e->call.args.len;
    const Expr **args = ARENA_ARRAY(c->arena, const Expr *, n + 1);
    self = c_steady(c, self);
    for (size_t i = 0; i < n; i++)
        args[i] = c_bound(c, e->call.args.at[i], c_steady(c, c_expr(c, e->call.args.at[i])));
    const Expr *call = expr_call(c->arena, e->at, e->call.func, (ExprList){args, n},
                                 e->call.keywords);
    call = expr_with_ty(c->arena, call, e->ty, e->roles);
    return c_over_parts(c, call, e->call.func->attribute.value, self, call_on);
}

// The name by which the rows know a method of a builtin type; NULL: it has no such type.
static const char *prim_of(CEmit *c, const Expr *base, const Rep *self, Sym name)
{
    const char *kind = c_kind_name(self), *prim = c_text(c, "collections.Counter.%s", name);
    if (c_is_counter(c, base) && c_prim_known(prim))
        return prim;
    return kind != NULL ? c_text(c, "%s.%s", kind, name) : NULL;
}

// A method of what `self` is, which is the value of the expression before the dot.
static Value call_of_value(CEmit *c, const Expr *e, Value self)
{
    Value out;
    Sym name = e->call.func->attribute.attr;
    ExprList args = e->call.args;
    KeywordList keywords = e->call.keywords;
    if (self.rep == rep_class_value(c))
        return c_call_of_class(c, e, self);
    if (self.rep->kind == REP_ENUM && c_find_method(self.rep->class_, name) == NULL)
        self = c_plain_member(c, self);
    if (self.rep->kind == REP_CLASS || self.rep->kind == REP_ENUM) {
        CMethod *m = c_find_method(self.rep->class_, name);
        if (m != NULL)
            return c_user_call(c, e->at, m, &self, args, keywords, NULL);
        if (c_find_field(c, self.rep->class_, name) != NULL)
            return call_value(c, e, c_attribute(c, e->call.func));
        if (c_named_tuple_call(c, e, self, name, keywords, &out)
            || c_tuple_method(c, e, self, name, args, keywords, &out))
            return out;
        return c_refuse(c, e->at, "the C target does not support the method `%s` of `%s`", name,
                        c_type_name(c, self.rep));
    }
    if (c_tuple_method(c, e, self, name, args, keywords, &out))
        return out;
    if (self.rep->kind == REP_OBJECT)
        return c_call_by_protocol(c, e, self, name);
    if (self.rep->kind == REP_UNION)
        return call_of_union(c, e, self);
    const char *prim = prim_of(c, e->call.func->attribute.value, self.rep, name);
    if (prim && c_prim_call(c, prim, e, &self, args, keywords, rep_of(c, e->ty, e->at), &out))
        return out;
    return c_refuse(c, e->at, prim && c_prim_known(prim)
                    ? "the C target does not support the method `%s` of `%s` with these arguments"
                    : "the C target does not support the method `%s` of `%s`", name,
                    c_type_name(c, self.rep));
}

static Value call_method(CEmit *c, const Expr *e)
{
    const Expr *moved = c_on_first(c, e);
    if (moved != e)
        return call_method(c, moved);

    const Expr *f = e->call.func;
    Sym name = f->attribute.attr;
    Value out;
    if (c_is_super(f->attribute.value))
        return c_call_super(c, e->at, name, e->call.args, e->call.keywords);
    if (is_join_of_parts(e))
        return concat_parts(c, e->call.args.at[0]->tuple.elts);
    CClass *inner = c_class_named(c, f);
    if (inner != NULL)
        return c_construct(c, e, inner);
    CClass *k = c_class_named(c, f->attribute.value);
    if (k != NULL) {
        CMethod *m = c_find_method(k, name);
        if (m == NULL && (c_class_fields(c, k), c_find_constant(k, name)) != NULL)
            return call_value(c, e, c_attribute(c, f));
        if (m == NULL && c_named_tuple_make(c, e, k, name, &out))
            return out;
        if (m == NULL)
            return c_refuse(c, e->at, "the C target does not support `%s.%s`", k->name, name);
        if (m->is_static || m->is_class)
            return c_user_call(c, e->at, m, NULL, e->call.args, e->call.keywords, k);
        if (e->call.args.len > 0) {             // Base.method(self, ..)
            Value self = c_convert(c, c_expr(c, e->call.args.at[0]), rep_class(c, m->owner), e->at);
            ExprList rest = {e->call.args.at + 1, e->call.args.len - 1};
            return c_user_call(c, e->at, m, &self, rest, e->call.keywords, m->owner);
        }
    }
    Sym dotted = c_dotted(c, f);
    if (dotted != NULL && call_known(c, e, dotted, &out))
        return out;
    if (dotted != NULL)
        return refuse_known(c, e->at, dotted);
    if (sym_is(name, "__class__"))
        return call_value(c, e, c_attribute(c, f));
    return call_of_value(c, e, c_expr_of(c, f->attribute.value, name));
}

static bool names_class(CEmit *c, const Expr *e)
{
    const CName *n = e->kind == EXPR_NAME && c_find_variable(c, e->name.id) == NULL
        ? c_global(c, e->name.id) : NULL;
    return n != NULL && (n->kind == CNAME_CLASS || n->kind == CNAME_TYPE);
}

Value c_call_expr(CEmit *c, const Expr *e)
{
    const Expr *f = e->call.func;
    if (f->kind == EXPR_NAME)
        return call_name(c, e);
    if (f->kind == EXPR_ATTRIBUTE)
        return call_method(c, e);
    if (f->kind == EXPR_SUBSCRIPT && names_class(c, f->subscript.value)) {      // Box[int](3)
        CClass *k = e->ty && c_ty(c, e->ty)->kind == TY_NAMED
            ? c_class_of(c, c_ty(c, e->ty)->named.name, c_ty(c, e->ty)->named.args) : NULL;
        if (k != NULL)
            return c_construct(c, e, k);
    }
    Sym of = f->kind == EXPR_SUBSCRIPT ? c_dotted(c, f->subscript.value) : NULL;
    const Ty *made = of != NULL && e->ty != NULL ? c_ty(c, e->ty) : NULL;
    if (made != NULL && made->kind == TY_NAMED && sym_is(made->named.name, of)) {  // list[int]()
        const Expr *call = expr_call(c->arena, e->at, f->subscript.value, e->call.args,
                                     e->call.keywords);
        return c_call_expr(c, expr_with_ty(c->arena, call, made, e->roles));
    }
    return call_value(c, e, c_expr(c, f));
}
