// stage_class.c - classes of the program: plain ones, dataclasses and named tuples. A class is a
// record of its members. It is read when it is used for the first time.

#include "compiler/pass/ad/stage_internal.h"

#include <string.h>

Value *stage_class(Stage *s, const Stmt *def)
{
    Value *cls = value_of(s, VALUE_CLASS);
    cls->name = def->class_def.name;
    cls->def = def;
    return cls;
}

static void refuse_class(Stage *s, const Value *cls, Span at, const char *what)
{
    (void)stage_refuse(s, at, "an array function does not support %s, as the class `%s` has\nwrite "
                       "a plain class, a dataclass or a `NamedTuple`", what, cls->name);
}

static void add(Stage *s, Value *cls, Sym name, Value *member)
{
    vec_push(s->arena, &cls->keys, stage_text(s, name));
    vec_push(s->arena, &cls->items, member);
}

static void read_class(Stage *s, Value *cls);

// ---- reading ----

static void read_base(Stage *s, Value *cls, const Expr *e)
{
    if (e->kind == EXPR_NAME && sym_is(e->name.id, "object"))
        return;
    Value *base = stage_eval(s, s->module, e);
    if (!s->failed && base->kind == VALUE_LIBRARY && sym_is(base->name, "NamedTuple")) {
        cls->tuple = true;
    } else if (!s->failed && base->kind == VALUE_CLASS) {
        read_class(s, base);
        for (const Value *other = base; other != NULL && !s->failed; other = other->cls)
            if (other == cls)
                refuse_class(s, cls, e->at, "itself as a base");
        cls->cls = s->failed ? NULL : base;
        cls->tuple = base->tuple;
        cls->frozen = base->frozen;
        cls->args = base->args;
    } else {
        refuse_class(s, cls, e->at, "a base that is not a class of the program");
    }
}

// A dataclass; otherwise another decorator, which is refused.
static bool read_decorator(Stage *s, Value *cls, const Expr *e)
{
    static const char *const known[] = {"frozen", "eq", "repr", "order", "slots", "unsafe_hash",
                                        "match_args", NULL};
    bool call = e->kind == EXPR_CALL;
    const Value *v = stage_eval(s, s->module, call ? e->call.func : e);
    bool fits = v->kind == VALUE_LIBRARY && sym_is(v->name, "dataclass");
    for (size_t i = 0; call && fits && i < e->call.keywords.len; i++) {
        const Keyword *k = e->call.keywords.at[i];
        const Const *is = k->value->kind == EXPR_CONSTANT ? k->value->constant.value : NULL;
        fits = k->arg != NULL && sym_is_one_of(k->arg, known) && is != NULL &&
               is->kind == CONST_BOOL;
        cls->frozen = cls->frozen || (fits && sym_is(k->arg, "frozen") && is->truth);
    }
    if (!fits)
        refuse_class(s, cls, e->at, "this decorator");
    return fits;
}

static Member member_of(Stage *s, const Value *cls, const Stmt *def)
{
    static const char *const names[] = {"", "property", "staticmethod", "classmethod"};
    ExprList decorators = def->function_def.decorator_list;
    for (size_t i = MEMBER_PROPERTY; decorators.len == 1 && i <= MEMBER_OF_CLASS; i++)
        if (decorators.at[0]->kind == EXPR_NAME && sym_is(decorators.at[0]->name.id, names[i]))
            return (Member)i;
    if (decorators.len > 0)
        refuse_class(s, cls, decorators.at[0]->at, "this decorator");
    return MEMBER_PLAIN;
}

static Value *function_of(Stage *s, Value *cls, Sym name, const Arguments *args, StmtList body)
{
    Value *f = value_of(s, VALUE_FUNCTION);
    f->args = args;
    f->body = body;
    f->name = name;
    f->scope = s->module;
    f->cls = cls;
    return f;
}

static void read_method(Stage *s, Value *cls, const Stmt *def)
{
    static const char *const hooks[] = {
        "__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__new__", "__get__",
        "__set__", "__set_name__", "__init_subclass__", "__bool__", "__len__", "__iter__", NULL};
    static const char *const shown[] = {"__repr__", "__str__", NULL};
    Sym name = def->function_def.name;
    bool hook = cls->tuple && name[0] == '_' && name[1] == '_';     // in place of the tuple's own
    bool own = sym_is(name, "__init__") || sym_is(name, "__post_init__");   // its stores raise
    if (sym_is_one_of(name, hooks) || (hook && !sym_is_one_of(name, shown)) ||
        (cls->frozen && own))
        refuse_class(s, cls, def->at, names_format(s->names, "the method `%s`", name));
    Value *f = function_of(s, cls, name, def->function_def.args, def->function_def.body);
    f->member = s->failed ? MEMBER_PLAIN : member_of(s, cls, def);
    add(s, cls, name, f);
}

// `field(default=e)` and `field(default_factory=f)`, as an expression; another one is itself.
static const Expr *default_of(Stage *s, const Expr *e)
{
    const Value *v = e == NULL || e->kind != EXPR_CALL || e->call.func->kind != EXPR_NAME ? NULL
                     : stage_find(s->module, e->call.func->name.id);
    if (v == NULL || v->kind != VALUE_LIBRARY || !sym_is(v->name, "field"))
        return e;
    const Keyword *k = e->call.keywords.len == 1 ? e->call.keywords.at[0] : NULL;
    if (k != NULL && k->arg != NULL && sym_is(k->arg, "default"))
        return k->value;
    if (k != NULL && k->arg != NULL && sym_is(k->arg, "default_factory"))
        return expr_call(s->arena, e->at, k->value, (ExprList){NULL, 0}, (KeywordList){NULL, 0});
    (void)stage_refuse(s, e->at, "an array function supports `field` only with `default` or "
                                 "`default_factory`");
    return e;
}

static void add_field(Stage *s, Value *cls, const Stmt *stmt)
{
    const Expr *value = default_of(s, stmt->ann_assign.value);
    const Arguments *old = cls->args;
    Vec(const Arg *) args = {0};
    Vec(const Expr *) defaults = {0};
    for (size_t i = 0; old != NULL && i < old->args.len; i++)
        vec_push(s->arena, &args, old->args.at[i]);
    for (size_t i = 0; old != NULL && i < old->defaults.len; i++)
        vec_push(s->arena, &defaults, old->defaults.at[i]);
    vec_push(s->arena, &args, arg_new(s->arena, stmt->at, stmt->ann_assign.target->name.id, NULL));
    if (value != NULL)
        vec_push(s->arena, &defaults, value);
    else if (defaults.len > 0)
        (void)stage_refuse(s, stmt->at, "the field `%s` without a default follows one that has a "
                           "default", stmt->ann_assign.target->name.id);
    cls->args = arguments_new(s->arena, (ArgList){NULL, 0}, (ArgList){args.at, args.len}, NULL,
                              (ArgList){NULL, 0}, (ExprList){NULL, 0}, NULL,
                              (ExprList){defaults.at, defaults.len});
}

static Sym head_of(const Expr *type)
{
    const Expr *e = type->kind == EXPR_SUBSCRIPT ? type->subscript.value : type;
    return e->kind == EXPR_NAME ? e->name.id : e->kind == EXPR_ATTRIBUTE ? e->attribute.attr : NULL;
}

// `k: ClassVar[int] = 3` is not a field; other forms are refused.
static bool is_of_class(Stage *s, const Value *cls, const Stmt *stmt)
{
    static const char *const others[] = {"InitVar", "KW_ONLY", NULL};
    Sym head = head_of(stmt->ann_assign.annotation);
    if (head != NULL && sym_is_one_of(head, others))
        refuse_class(s, cls, stmt->at, names_format(s->names, "`%s`", head));
    return head != NULL && sym_is(head, "ClassVar");
}

static void read_statement(Stage *s, Value *cls, Scope *scope, const Stmt *stmt, bool fields)
{
    const Expr *target = stmt->kind == STMT_ASSIGN && stmt->assign.targets.len == 1
                             ? stmt->assign.targets.at[0]
                         : stmt->kind == STMT_ANN_ASSIGN ? stmt->ann_assign.target : NULL;
    const Expr *value = stmt->kind == STMT_ASSIGN ? stmt->assign.value
                        : stmt->kind == STMT_ANN_ASSIGN ? stmt->ann_assign.value : NULL;
    if (stmt->kind == STMT_FUNCTION_DEF) {
        read_method(s, cls, stmt);
    } else if (target != NULL && target->kind == EXPR_NAME) {
        if (fields && stmt->kind == STMT_ANN_ASSIGN && !is_of_class(s, cls, stmt)) {
            add_field(s, cls, stmt);
        } else if (value != NULL) {
            Value *v = stage_eval(s, scope, value);
            stage_note_escape(v);
            table_set(scope->names, target->name.id, v);
            add(s, cls, target->name.id, v);
        }
    } else if (stmt->kind != STMT_PASS &&
               !(stmt->kind == STMT_EXPR && stmt->expr.value->kind == EXPR_CONSTANT)) {
        refuse_class(s, cls, stmt->at, "this statement of a class");
    }
}

static const Expr *read_name(Stage *s, Span at, Sym name)
{
    return expr_name(s->arena, at, name, EXPR_CONTEXT_LOAD);
}

// The `__init__` of a dataclass: each parameter is stored under its name.
static void add_init(Stage *s, Value *cls, Span at)
{
    Arena *a = s->arena;
    Sym self = names_get(s->names, "self"), post = names_get(s->names, "__post_init__");
    Vec(const Arg *) args = {0};
    Vec(const Stmt *) body = {0};
    vec_push(a, &args, arg_new(a, at, self, NULL));
    for (size_t i = 0; cls->args != NULL && i < cls->args->args.len; i++) {
        Sym name = cls->args->args.at[i]->arg;
        const Expr *target = expr_attribute(a, at, read_name(s, at, self), name,
                                            EXPR_CONTEXT_STORE);
        vec_push(a, &args, cls->args->args.at[i]);
        vec_push(a, &body, stmt_assign(a, at, term_list(s->t, target, NULL),
                                       read_name(s, at, name)));
    }
    const Value instance = {.kind = VALUE_RECORD, .cls = cls};
    if (stage_member(s, &instance, post, at) != NULL)
        vec_push(a, &body, stmt_expr(a, at, expr_call(a, at, expr_attribute(a, at,
                     read_name(s, at, self), post, EXPR_CONTEXT_LOAD), (ExprList){NULL, 0},
                     (KeywordList){NULL, 0})));
    const Arguments *all = arguments_new(a, (ArgList){NULL, 0}, (ArgList){args.at, args.len}, NULL,
                                         (ArgList){NULL, 0}, (ExprList){NULL, 0}, NULL,
                                         cls->args == NULL ? (ExprList){NULL, 0}
                                                           : cls->args->defaults);
    Sym name = names_get(s->names, "__init__");
    Value *init = function_of(s, cls, name, all, (StmtList){body.at, body.len});
    init->fresh = true;
    add(s, cls, name, init);
}

static Value *own_member(const Value *cls, Sym name)
{
    for (size_t i = cls->keys.len; i-- > 0;)
        if (strcmp(cls->keys.at[i]->text.at, name) == 0)
            return cls->items.at[i];
    return NULL;
}

static void read_class(Stage *s, Value *cls)
{
    const Stmt *def = cls->def;
    bool data = false;
    cls->def = NULL;
    if (def == NULL || s->failed)
        return;
    if (def->class_def.bases.len > 1)
        refuse_class(s, cls, def->class_def.bases.at[1]->at, "more than one base");
    if (def->class_def.keywords.len > 0)
        refuse_class(s, cls, def->class_def.keywords.at[0]->at, "a keyword beside its bases");
    for (size_t i = 0; i < def->class_def.bases.len && !s->failed; i++)
        read_base(s, cls, def->class_def.bases.at[i]);
    for (size_t i = 0; i < def->class_def.decorator_list.len && !s->failed; i++)
        data = read_decorator(s, cls, def->class_def.decorator_list.at[i]);
    Scope *scope = scope_inside(s, s->module);
    bool fields = data || (cls->tuple && cls->cls == NULL);
    for (size_t i = 0; i < def->class_def.body.len && !s->failed; i++)
        read_statement(s, cls, scope, def->class_def.body.at[i], fields);
    if (data && !s->failed && own_member(cls, names_get(s->names, "__init__")) == NULL)
        add_init(s, cls, def->at);
}

// ---- members ----

static Value *find_member(const Value *cls, Sym name)
{
    Value *v = NULL;
    for (; cls != NULL && v == NULL; cls = cls->cls)
        v = own_member(cls, name);
    return v;
}

bool stage_is_property(Stage *s, const Value *of, Sym name)
{
    (void)s;
    const Value *v = find_member(of->cls, name);
    return v != NULL && v->kind == VALUE_FUNCTION && v->member == MEMBER_PROPERTY;
}

static Value *bound(Stage *s, const Value *f, const Value *self)
{
    Value *method = value_of(s, VALUE_FUNCTION);
    size_t made = method->made;
    *method = *f;
    method->made = made;
    method->self = self;
    return method;
}

// What `super().__init__()` is without a base.
static Value *nothing(Stage *s, const Value *self, Sym name)
{
    Vec(const Arg *) args = {0};
    vec_push(s->arena, &args, arg_new(s->arena, (Span){0}, names_get(s->names, "self"), NULL));
    const Arguments *all = arguments_new(s->arena, (ArgList){NULL, 0}, (ArgList){args.at, args.len},
                                         NULL, (ArgList){NULL, 0}, (ExprList){NULL, 0}, NULL,
                                         (ExprList){NULL, 0});
    return bound(s, function_of(s, NULL, name, all, (StmtList){NULL, 0}), self);
}

// Of an instance, a class, or `super()`.
Value *stage_member(Stage *s, const Value *of, Sym name, Span at)
{
    if (of->kind == VALUE_CLASS)
        read_class(s, (Value *)of);
    const Value *cls = of->kind == VALUE_CLASS ? of : of->cls;
    const Value *self = of->kind == VALUE_SUPER ? of->self : of;
    Value *v = s->failed ? NULL : find_member(cls, name);
    if (v == NULL && of->kind == VALUE_SUPER && sym_is(name, "__init__") && !s->failed)
        return nothing(s, self, name);
    if (v == NULL || v->kind != VALUE_FUNCTION || v->cls == NULL || v->member == MEMBER_STATIC)
        return v;
    if (v->member == MEMBER_OF_CLASS)
        return bound(s, v, self->kind == VALUE_CLASS ? self : self->cls);
    if (of->kind == VALUE_CLASS)
        return v;
    return v->member == MEMBER_PROPERTY ? stage_apply(s, bound(s, v, self), (ValueVec){0}, at)
                                        : bound(s, v, self);
}

// ---- instances ----

static Value *named_tuple(Stage *s, Value *cls, ValueVec args, KeywordList keywords, Scope *scope,
                          Span at)
{
    Vec(const Expr *) names = {0};
    for (size_t i = 0; i < cls->args->args.len; i++)
        vec_push(s->arena, &names, read_name(s, at, cls->args->args.at[i]->arg));
    Value *make = function_of(s, NULL, cls->name, cls->args, (StmtList){NULL, 0});
    make->result = expr_tuple(s->arena, at, (ExprList){names.at, names.len}, EXPR_CONTEXT_LOAD);
    Value *v = stage_call_function(s, make, args, keywords, scope, at, false);
    v->cls = cls;
    return v;
}

Value *stage_construct(Stage *s, Value *cls, ValueVec args, KeywordList keywords, Scope *scope,
                       Span at)
{
    read_class(s, cls);
    if (!s->failed && cls->tuple && cls->args != NULL)
        return named_tuple(s, cls, args, keywords, scope, at);
    Value *record = value_of(s, VALUE_RECORD);
    record->cls = cls;
    const Value *init = s->failed ? NULL
                                  : stage_member(s, record, names_get(s->names, "__init__"), at);
    if (init != NULL)
        (void)stage_call_function(s, init, args, keywords, scope, at, true);
    else if (!s->failed && args.len + keywords.len > 0)
        (void)stage_refuse(s, at, "the class `%s` has no `__init__`, so it takes no arguments",
                           cls->name);
    record->frozen = cls->frozen;
    return record;
}
