// c_class.c - the classes of the program: bases, decorators, methods.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/c/c_internal.h"

// ---- exceptions of Python ----

typedef struct Builtin { const char *name, *base; } Builtin;

static const Builtin EXCEPTIONS[] = {
#define EXCEPTION(name, base) {#name, #base},
#include "runtime/c/builtins/exceptions.def"
#undef EXCEPTION
    {"ChannelError", "Exception"},
    {"UnexpectedSelection", "ChannelError"},
    {"PeerStopped", "ChannelError"},
    {"NotSendable", "TypeError"},
    {"json.JSONDecodeError", "ValueError"},
};

static CClass *builtin_exception(CEmit *c, const char *name)
{
    for (size_t i = 0; i < sizeof EXCEPTIONS / sizeof *EXCEPTIONS; i++) {
        if (strcmp(EXCEPTIONS[i].name, name) != 0)
            continue;
        CClass *k = ARENA_NEW(c->arena, CClass);
        const char *own = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;
        *k = (CClass){.name = names_get(c->names, name), .c_name = c_text(c, "%s", own),
                      .row = c_text(c, "pychoral_type_%s", own), .is_exception = true,
                      .fields_known = true};
        table_set(c->classes, k->name, k);
        if (strcmp(EXCEPTIONS[i].base, "NO_BASE") != 0)
            k->base = c_class_of(c, names_get(c->names, EXCEPTIONS[i].base), (TyList){0});
        return k;
    }
    const char *other = strcmp(name, "OSError") != 0 && (strcmp(name, "IOError") == 0
                        || strcmp(name, "EnvironmentError") == 0) ? "OSError" : NULL;
    return other ? builtin_exception(c, other) : NULL;
}

// ---- classes ----

static bool is_type_var(CEmit *c, const Expr *e)
{
    CName *n = e->kind == EXPR_NAME ? c_global(c, e->name.id) : NULL;
    return n != NULL && n->kind == CNAME_TYPE && n->ty == NULL;
}

// The type parameters, in order: of Generic[..], else as the bases mention them.
static TypeVars class_params(CEmit *c, const Stmt *def)
{
    Vec(Sym) vars = {0};
    for (size_t i = 0; i < def->class_def.bases.len; i++) {
        const Expr *b = def->class_def.bases.at[i];
        if (b->kind != EXPR_SUBSCRIPT)
            continue;
        const Expr *slice = b->subscript.slice;
        ExprList list = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
        for (size_t j = 0; j < list.len; j++) {
            bool seen = false;
            for (size_t k = 0; k < vars.len; k++)
                seen |= list.at[j]->kind == EXPR_NAME && vars.at[k] == list.at[j]->name.id;
            if (!seen && is_type_var(c, list.at[j]))
                vec_push(c->arena, &vars, list.at[j]->name.id);
        }
    }
    return (TypeVars){vars.at, vars.len};
}

bool c_is_generic(CEmit *c, const Stmt *def) { return class_params(c, def).len > 0; }

static bool keyword_true(const Expr *call, const char *name)
{
    for (size_t i = 0; call->kind == EXPR_CALL && i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        if (k->arg && sym_is(k->arg, name))
            return k->value->kind == EXPR_CONSTANT && k->value->constant.value->truth;
    }
    return false;
}

static bool keyword_false(const Expr *call, const char *name)
{
    for (size_t i = 0; call->kind == EXPR_CALL && i < call->call.keywords.len; i++)
        if (call->call.keywords.at[i]->arg && sym_is(call->call.keywords.at[i]->arg, name))
            return !keyword_true(call, name);
    return false;
}

static bool is_one_of(Sym name, const char *const *list)
{
    for (; *list != NULL; list++)
        if (sym_is(name, *list))
            return true;
    return false;
}

// What `@dataclass(..)` says must be known here, or be what it is without it.
static void check_dataclass(CEmit *c, const Expr *call)
{
    static const char *const KNOWN[] = {"frozen", "order", "eq", "slots", "kw_only", "match_args",
                                        NULL};
    for (size_t i = 0; call->kind == EXPR_CALL && i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        bool shown = k->arg && (sym_is(k->arg, "repr") || sym_is(k->arg, "init"))
                     && keyword_true(call, k->arg);
        if (k->arg == NULL || k->value->kind != EXPR_CONSTANT
            || (!shown && !is_one_of(k->arg, KNOWN)))
            (void)c_refuse(c, k->at, "the C target does not support `%s` in `@dataclass`",
                           c_source_text(c, k->at));
    }
}

static void read_decorators(CEmit *c, CClass *k)
{
    // Of an enum `unique` refuses two members of one value, which are refused here in any case.
    static const char *const WITHOUT_EFFECT[] = {"final", "runtime_checkable", "unique", NULL};
    ExprList list = k->def->class_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        Sym name = c_origin(c, list.at[i]);
        if (name && sym_is(name, "dataclass")) {
            k->is_dataclass = k->is_record = true;
            check_dataclass(c, list.at[i]);
            k->is_frozen = keyword_true(list.at[i], "frozen");
            k->is_ordered = keyword_true(list.at[i], "order");
            k->no_eq = keyword_false(list.at[i], "eq");
            k->by_keyword = keyword_true(list.at[i], "kw_only");
        } else if (!name || !is_one_of(name, WITHOUT_EFFECT)) {
            (void)c_refuse(c, list.at[i]->at, "the C target does not support the decorator `@%s`",
                           c_source_text(c, list.at[i]->at));
        }
    }
}

static bool has_base(CEmit *c, const Stmt *def, const char *wanted)
{
    for (size_t i = 0; i < def->class_def.bases.len; i++) {
        Sym name = c_origin(c, def->class_def.bases.at[i]);
        if (name && sym_is(name, wanted))
            return true;
    }
    return false;
}

static void read_base(CEmit *c, CClass *k, const Expr *base)
{
    Sym name = c_origin(c, base);
    static const char *const PLAIN[] = {"object", "ABC", "Generic"};
    for (size_t i = 0; name && i < 3; i++)
        if (sym_is(name, PLAIN[i]))
            return;
    if (name && sym_is(name, "Protocol")) {
        k->is_protocol = true;
        return;
    }
    if (name && (sym_is(name, "Enum") || sym_is(name, "IntEnum") || sym_is(name, "StrEnum"))) {
        k->is_enum = true;
        k->enum_base = name[0] == 'I' ? 'i' : name[0] == 'S' ? 's' : k->enum_base;
        return;
    }
    if (name && (sym_is(name, "Flag") || sym_is(name, "IntFlag"))) {
        k->is_enum = true;
        (void)c_refuse(c, base->at, "the C target does not support `%s`\nuse a set of members of "
                       "an `Enum`, or `int` values such as `1 << 2`", name);
        return;
    }
    bool of_ints = name && sym_is(name, "int"), of_texts = name && sym_is(name, "str");
    if ((of_ints || of_texts) && c_global(c, name) == NULL && has_base(c, k->def, "Enum")) {
        k->enum_base = of_ints ? 'i' : 's';
        k->is_by_name = true;
        return;
    }
    if (name && sym_is(name, "NamedTuple")) {
        k->is_named_tuple = k->is_dataclass = k->is_record = k->is_frozen = true;
        return;
    }
    const Ty *t = c_annotation(c, base);
    t = t->kind == TY_NAMED ? t : NULL;
    CClass *of = NULL;
    if (t != NULL) {
        Table *outer = c->substitution;
        c->substitution = k->types;
        const Ty **args = ARENA_ARRAY(c->arena, const Ty *, t->named.args.len + 1);
        for (size_t i = 0; i < t->named.args.len; i++)
            args[i] = c_ty(c, t->named.args.at[i]);
        of = c_class_of(c, t->named.name, (TyList){args, t->named.args.len});
        c->substitution = outer;
    }
    if (of == NULL || (of->def == NULL && strchr(of->name, '.') != NULL)) {
        (void)c_refuse(c, base->at, "the C target does not support `%s` as a base class",
                       name != NULL ? unqualified(name) : c_source_text(c, base->at));
        return;
    }
    vec_push(c->arena, &of->derived, k);
    vec_push(c->arena, &k->bases, of);
}

// `__rmul__ = __mul__`: the same method by another name.
static void read_alias(CEmit *c, CClass *k, const Stmt *s)
{
    const Expr *target = s->assign.targets.at[0], *value = s->assign.value;
    if (target->kind != EXPR_NAME || value->kind != EXPR_NAME)
        return;
    for (size_t i = k->methods.len; i-- > 0;)
        if (k->methods.at[i].name == value->name.id) {
            CMethod m = k->methods.at[i];
            m.name = target->name.id;
            vec_push(c->arena, &k->methods, m);
            return;
        }
}

// A class is made of methods, fields, constants and classes; what else its body does is refused.
static bool is_member(const Stmt *s)
{
    bool text = s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT;
    bool assigned = s->kind == STMT_ASSIGN && s->assign.targets.len == 1
                    && s->assign.targets.at[0]->kind == EXPR_NAME;
    bool annotated = s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME;
    return text || assigned || annotated || s->kind == STMT_FUNCTION_DEF
           || s->kind == STMT_CLASS_DEF || s->kind == STMT_PASS;
}

// Methods by which Python would make, free, look up or derive otherwise than the C programs do.
static void check_method(CEmit *c, const CClass *k, const Stmt *s)
{
    static const char *const OF_ENUMS[] = {
        "__str__", "__repr__", "__format__", "__bool__", "__call__", NULL};
    static const char *const OF_PLAIN_ENUMS[] = {
        "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__sub__", "__mul__", "__truediv__",
        "__floordiv__", "__mod__", "__or__", "__and__", "__xor__", "__init__", NULL};
    Sym name = s->function_def.name;
    bool known = name[0] != '_' || name[1] != '_' || is_one_of(name, OF_ENUMS)
                 || (!k->enum_base && is_one_of(name, OF_PLAIN_ENUMS));
    if (k->is_enum && !known)
        (void)c_refuse(c, s->at, sym_is(name, "__init__")
                       ? "the C target does not support `%s` in an enum of `int` or `str`\nwrite "
                         "properties that look up the value, such as `{C.A: .., C.B: ..}[self]`"
                       : "the C target does not support `%s` in an enum", name);
    static const char *const UNKNOWN[] = {
        "__new__", "__del__", "__setattr__", "__delattr__", "__getattribute__", "__getattr__",
        "__init_subclass__", "__class_getitem__", "__set_name__", "__get__", "__set__",
        "_generate_next_value_", "_missing_", NULL};
    if (is_one_of(s->function_def.name, UNKNOWN))
        (void)c_refuse(c, s->at, "the C target does not support `%s`", s->function_def.name);
}

static void check_class_keywords(CEmit *c, const Stmt *def)
{
    for (size_t i = 0; i < def->class_def.keywords.len; i++) {
        const Keyword *k = def->class_def.keywords.at[i];
        Sym value = c_origin(c, k->value);
        bool abstract = k->arg && sym_is(k->arg, "metaclass") && value && sym_is(value, "ABCMeta");
        if (!abstract)
            (void)c_refuse(c, k->at, "the C target does not support `%s` in the header of a class",
                           c_source_text(c, k->at));
    }
}

static void read_members(CEmit *c, CClass *k)
{
    StmtList body = k->def->class_def.body;
    check_class_keywords(c, k->def);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (!is_member(s))
            (void)c_refuse(c, s->at, s->kind == STMT_ASYNC_FUNCTION_DEF
                           ? "the C target does not support `async def`"
                           : "the C target does not support this statement in the body of a class");
        if (s->kind == STMT_FUNCTION_DEF)
            check_method(c, k, s);
        if (s->kind == STMT_ASSIGN)
            read_alias(c, k, s);
        if (s->kind != STMT_FUNCTION_DEF)
            continue;
        ExprList decorators = s->function_def.decorator_list;
        CMethod m = {.name = s->function_def.name, .def = s, .owner = k,
                     .is_static = c_is_decorated(c, decorators, "staticmethod"),
                     .is_class = c_is_decorated(c, decorators, "classmethod"),
                     .is_property = c_is_decorated(c, decorators, "property")};
        if (c_is_decorated(c, decorators, "setter"))
            m.name = names_format(c->names, "%s.setter", m.name);
        vec_push(c->arena, &k->methods, m);
    }
}

static int type_number(CEmit *c, const CClass *k)
{
    for (size_t i = 0; i < c->cx->types.len; i++)
        if (c->cx->types.at[i].path == k->name)
            return (int)i;
    return CLASS_UNNUMBERED + (int)c->class_order.len;
}

// What the parameters of a generic class stand for.
static void set_types(CEmit *c, CClass *k, TypeVars params, TyList args)
{
    const Ty **list = ARENA_ARRAY(c->arena, const Ty *, params.len);
    k->types = table_new(c->arena);
    for (size_t i = 0; i < params.len; i++) {
        list[i] = i < args.len ? c_settled(c, args.at[i]) : ty_any(c->arena);
        table_set(k->types, params.at[i], (void *)list[i]);
        k->is_bare |= list[i]->kind == TY_ANY;
    }
    k->args = (TyList){list, args.len == 0 ? 0 : params.len};
    Instance made = {k->name, k->args};
    vec_push(c->arena, &c->instances, made);
}

static CClass *make_class(CEmit *c, Sym path, const Stmt *def, TyList args, Sym key)
{
    CClass *k = ARENA_NEW(c->arena, CClass);
    *k = (CClass){.name = path, .def = def};
    table_set(c->classes, key, k);
    TypeVars params = class_params(c, def);
    const char *name = path;
    if (params.len > 0)
        set_types(c, k, params, args);
    for (size_t i = 0; i < params.len; i++) {
        const Ty *t = table_get(k->types, params.at[i]);
        name = c_text(c, "%s_%s", name, rep_of(c, t, def->at)->name);
    }
    const char *shown = table_get(c->shown, path), *dots;
    if (shown != NULL)
        while ((dots = strstr(name = shown, ".<locals>.")) != NULL)
            shown = c_text(c, "%.*s_%s", (int)(dots - shown), shown, dots + strlen(".<locals>."));
    k->c_name = c_unique(c, name);
    k->row = c_unique(c, c_text(c, "%s_type", k->c_name));
    k->number = type_number(c, k);
    for (size_t i = 0; i < def->class_def.bases.len; i++)
        read_base(c, k, def->class_def.bases.at[i]);
    c_choose_base(c, k);
    c_settle_mro(c, k);
    read_decorators(c, k);
    read_members(c, k);
    vec_push(c->arena, &c->class_order, k);
    return k;
}

// A class that needs itself with ever deeper arguments is one class (c_generic_erasure.c).
static bool is_endless(CEmit *c, Sym name, const Stmt *def, TyList args)
{
    bool deep = false;
    for (size_t i = 0; i < args.len; i++)
        deep |= c_nests_too_deep(c_settled(c, args.at[i]));
    if (deep && c->sends_classes)
        (void)c_refuse(c, def->at, "`%s` uses itself with ever deeper type arguments, so the C "
                       "program would need infinitely many classes", name);
    else if (deep)
        vec_push(c->arena, &c->to_erase, name);
    return deep;
}

// Instances whose arguments are all `object` in C differ where they are sent differently.
static const char *argument_key(CEmit *c, Sym name, const Ty *t, Span at)
{
    const Rep *own = rep_of(c, t, at);
    bool joined = table_get(c->joined, name);
    int sends = c->sends;
    c->sends = 0;                               // it is the same class where it is sent
    const Rep *wire = c->sends_classes ? rep_of_wire(c, t, at) : own;
    c->sends = sends;
    if (joined && wire != own && (c_converts(wire) || own->kind != REP_OBJECT))
        (void)c_refuse(c, at, "the C target does not support `%s` without type arguments, because "
                       "objects of this class are sent as `%s`\nwrite the type arguments", name,
                       c_type_name(c, wire));
    return wire == own || joined ? own->key : c_text(c, "sent as %s", c_form(c, wire));
}

CClass *c_class_of(CEmit *c, Sym name, TyList args)
{
    CName *n = c_global(c, name);
    if (n != NULL && (n->kind == CNAME_TYPE || n->kind == CNAME_VARIABLE
                      || n->kind == CNAME_FUNCTION))
        return NULL;
    if (n == NULL || n->kind != CNAME_CLASS) {
        CClass *known = table_get(c->classes, name);
        return known != NULL ? known : builtin_exception(c, name);
    }
    if (table_get(c->erased, name) || is_endless(c, name, n->def, args))
        args = (TyList){0};
    const char *key = c_text(c, "class %s", name);
    for (size_t i = 0; i < args.len; i++)
        key = c_text(c, "%s, %s", key, argument_key(c, name, args.at[i], n->def->at));
    Sym sym = names_get(c->names, key);
    CClass *known = table_get(c->classes, sym);
    return known != NULL ? known : make_class(c, name, n->def, args, sym);
}

CClass *c_class_of_any(CEmit *c, Sym path, const Stmt *def)
{
    TypeVars params = class_params(c, def);
    const Ty **args = ARENA_ARRAY(c->arena, const Ty *, params.len + 1);
    for (size_t i = 0; i < params.len; i++)
        args[i] = ty_any(c->arena);
    return c_class_of(c, path, (TyList){args, params.len});
}

bool c_is_of_any(CEmit *c, const CClass *k)
{
    TypeVars params = class_params(c, k->def);
    const Rep *object = rep_named(c, "object");
    for (size_t i = 0; i < params.len; i++) {
        const Ty *by = table_get(k->types, params.at[i]);
        if (by != NULL && strcmp(argument_key(c, k->name, by, k->def->at), object->key) != 0)
            return false;
    }
    return true;
}

// What the parameter of a class below stands for, if that is a base with these arguments.
static const Ty *given_by_base(CEmit *c, const CClass *k, const Expr *base, Sym var)
{
    const Expr *slice = base->subscript.slice;
    ExprList list = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    TypeVars params = class_params(c, k->def);
    for (size_t i = 0; i < list.len && i < params.len; i++)
        if (list.at[i]->kind == EXPR_NAME && list.at[i]->name.id == var)
            return table_get(k->types, params.at[i]);
    return NULL;
}

static void add_instance_below(CEmit *c, const CClass *k, Sym path, const Stmt *def)
{
    TypeVars params = class_params(c, def);
    for (size_t i = 0; i < def->class_def.bases.len && params.len > 0; i++) {
        const Expr *base = def->class_def.bases.at[i];
        if (base->kind != EXPR_SUBSCRIPT || base->subscript.value->kind != EXPR_NAME
            || base->subscript.value->name.id != k->name)
            continue;
        const Ty **args = ARENA_ARRAY(c->arena, const Ty *, params.len);
        for (size_t j = 0; j < params.len; j++) {
            const Ty *given = given_by_base(c, k, base, params.at[j]);
            args[j] = given != NULL ? given : ty_any(c->arena);
        }
        (void)c_class_of(c, path, (TyList){args, params.len});
    }
}

void c_add_instances_below(CEmit *c, const CClass *k)
{
    for (size_t i = 0; i < c->cx->types.len && k->types != NULL; i++) {
        const CName *n = c_global(c, c->cx->types.at[i].path);
        if (n != NULL && n->kind == CNAME_CLASS)
            add_instance_below(c, k, c->cx->types.at[i].path, n->def);
    }
}

CClass *c_exception_class(CEmit *c, const Expr *e)
{
    CClass *k = e->kind == EXPR_NAME && c_find_variable(c, e->name.id) == NULL
        ? c_class_of(c, e->name.id, (TyList){0}) : NULL;
    if (k == NULL && c_dotted(c, e) != NULL)
        k = c_class_of(c, c_dotted(c, e), (TyList){0});
    if (k == NULL && e->kind == EXPR_ATTRIBUTE)
        k = builtin_exception(c, e->attribute.attr);
    return k != NULL && k->is_exception ? k : NULL;
}
