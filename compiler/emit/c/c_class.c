// c_class.c - what the module's names stand for, and its classes: fields, methods, rows.

#include <string.h>

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
};

static CClass *builtin_exception(CEmit *c, const char *name)
{
    for (size_t i = 0; i < sizeof EXCEPTIONS / sizeof *EXCEPTIONS; i++) {
        if (strcmp(EXCEPTIONS[i].name, name) != 0)
            continue;
        CClass *k = ARENA_NEW(c->arena, CClass);
        *k = (CClass){.name = names_get(c->names, name), .c_name = c_text(c, "%s", name),
                      .row = c_text(c, "pychoral_type_%s", name), .is_exception = true,
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

// ---- names of the module ----

// The name that an expression has where it comes from, whatever it was imported as.
static Sym name_of(CEmit *c, const Expr *e)
{
    if (e->kind == EXPR_SUBSCRIPT)
        e = e->subscript.value;
    if (e->kind == EXPR_CALL)
        e = e->call.func;
    if (e->kind == EXPR_ATTRIBUTE)
        return e->attribute.attr;
    const CName *n = e->kind == EXPR_NAME ? c_global(c, e->name.id) : NULL;
    return n && n->kind == CNAME_IMPORTED ? n->member : e->kind == EXPR_NAME ? e->name.id : NULL;
}

static bool is_decorated(CEmit *c, const Stmt *def, const char *name)
{
    for (size_t i = 0; i < def->function_def.decorator_list.len; i++) {
        Sym d = name_of(c, def->function_def.decorator_list.at[i]);
        if (d && sym_is(d, name))
            return true;
    }
    return false;
}

static bool is_overload(CEmit *c, const CName *n)
{
    return n->kind == CNAME_FUNCTION && is_decorated(c, n->def, "overload");
}

// A name that stands for one thing first and for another one then.
static bool is_other(CEmit *c, const CName *known, const CName *n)
{
    if (known->kind != n->kind)
        return true;
    switch (n->kind) {
    case CNAME_FUNCTION: return known->def != n->def && !is_overload(c, known);
    case CNAME_CLASS: return known->def != n->def;
    case CNAME_MODULE: return known->module != n->module;
    case CNAME_IMPORTED: return known->module != n->module || known->member != n->member;
    case CNAME_TYPE: return known->ty != n->ty;
    case CNAME_VARIABLE: break;
    }
    return false;
}

static void bind(CEmit *c, Sym name, Span at, CName n)
{
    const CName *known = table_get(c->module, name);
    if (known != NULL && is_other(c, known, &n))
        (void)c_refuse(c, at, "the C target has no second meaning of `%s` in a module", name);
    CName *kept = ARENA_NEW(c->arena, CName);
    *kept = n;
    table_set(c->module, name, kept);
}

bool c_is_typing(CEmit *c, Sym name)
{
    CName *n = c_global(c, name);
    return n != NULL && n->kind == CNAME_IMPORTED
           && (sym_is(n->module, "typing") || sym_is(n->module, "collections.abc"));
}

static void collect_import(CEmit *c, const Stmt *s)
{
    if (s->kind == STMT_IMPORT) {
        for (size_t i = 0; i < s->import.names.len; i++) {
            const Alias *a = s->import.names.at[i];
            Sym top = names_intern(c->names, a->name, strcspn(a->name, "."));
            bind(c, a->asname ? a->asname : top, a->at,
                 (CName){.kind = CNAME_MODULE, .module = a->asname ? a->name : top});
        }
        return;
    }
    for (size_t i = 0; i < s->import_from.names.len; i++) {
        const Alias *a = s->import_from.names.at[i];
        Sym module = s->import_from.module ? s->import_from.module : names_get(c->names, "");
        bind(c, a->asname ? a->asname : a->name, a->at,
             (CName){.kind = CNAME_IMPORTED, .module = module, .member = a->name});
    }
}

static bool is_type_maker(const Expr *e)
{
    if (e->kind != EXPR_CALL)
        return false;
    const Expr *f = e->call.func;
    Sym name = f->kind == EXPR_NAME ? f->name.id : f->kind == EXPR_ATTRIBUTE ? f->attribute.attr
                                                                             : NULL;
    return name && (sym_is(name, "TypeVar") || sym_is(name, "ParamSpec"));
}

// UserId = NewType("UserId", int)
static bool is_new_type(CEmit *c, const Expr *e)
{
    Sym made = e->kind == EXPR_CALL && e->call.args.len == 2 ? c_dotted(c, e->call.func) : NULL;
    return made != NULL && sym_is(made, "typing.NewType");
}

// An alias: `Pair = tuple[int, str]`. A class by another name counts as one.
static bool is_type_text(CEmit *c, const Expr *e)
{
    static const char *const KNOWN[] = {"int", "str", "float", "bool", "bytes", "list", "dict",
                                        "set", "tuple", "frozenset", "object", "complex"};
    Sym name = e->kind == EXPR_NAME ? e->name.id : NULL;
    if (e->kind == EXPR_BIN_OP)
        return e->bin_op.op == OPERATOR_BIT_OR && is_type_text(c, e->bin_op.left);
    if (e->kind == EXPR_SUBSCRIPT)
        return is_type_text(c, e->subscript.value);
    for (size_t i = 0; name && i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (sym_is(name, KNOWN[i]))
            return c_global(c, name) == NULL;
    CName *n = name ? c_global(c, name) : NULL;
    return n != NULL && (n->kind == CNAME_CLASS || n->kind == CNAME_TYPE
                         || (n->kind == CNAME_IMPORTED && c_is_typing(c, name)));
}

static void collect_variable(CEmit *c, const Expr *target, const Expr *annotation,
                             const Expr *value)
{
    if (target->kind != EXPR_NAME)
        return;
    Sym name = target->name.id;
    bool alias = annotation && annotation->kind == EXPR_NAME
                 && sym_is(annotation->name.id, "TypeAlias");
    CName *known = c_global(c, name);
    if (known != NULL && known->kind == CNAME_VARIABLE)
        return;
    if (value != NULL && is_new_type(c, value)) {
        bind(c, name, target->at,
             (CName){.kind = CNAME_TYPE, .ty = value->call.args.at[1], .is_new = true});
        return;
    }
    if (value != NULL && (is_type_maker(value) || alias || is_type_text(c, value))) {
        bind(c, name, target->at,
             (CName){.kind = CNAME_TYPE, .ty = is_type_maker(value) ? NULL : value});
        return;
    }
    CVariable *v = ARENA_NEW(c->arena, CVariable);
    *v = (CVariable){.name = name, .stored = true,
                     .c_name = c_unique(c, c_of_module(c, name))};
    bind(c, name, target->at, (CName){.kind = CNAME_VARIABLE, .variable = v, .ty = annotation,
                                      .target = target});
}

// Classes inside a class are known by their path: "Reply.Kind".
static void collect_inner(CEmit *c, Sym path, const Stmt *outer)
{
    StmtList body = outer->class_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CLASS_DEF) {
            Sym inner = names_format(c->names, "%s.%s", path, body.at[i]->class_def.name);
            bind(c, inner, body.at[i]->at, (CName){.kind = CNAME_CLASS, .def = body.at[i]});
            collect_inner(c, inner, body.at[i]);
        }
}

// A class derived from TypedDict is a dict in all but the types of its values.
static bool is_typed_dict(CEmit *c, const Stmt *def)
{
    for (size_t i = 0; i < def->class_def.bases.len; i++) {
        const Expr *base = def->class_def.bases.at[i];
        Sym dotted = c_dotted(c, base);
        CName *n = base->kind == EXPR_NAME ? c_global(c, base->name.id) : NULL;
        if ((dotted != NULL && strcmp(dotted, "typing.TypedDict") == 0)
            || (n != NULL && n->kind == CNAME_TYPE && n->def != NULL))
            return true;
    }
    return false;
}

// dict[str, object]
static const Expr *any_dict(CEmit *c, Span at)
{
    const Expr **parts = ARENA_ARRAY(c->arena, const Expr *, 2);
    parts[0] = expr_name(c->arena, at, names_get(c->names, "str"), EXPR_CONTEXT_LOAD);
    parts[1] = expr_name(c->arena, at, names_get(c->names, "object"), EXPR_CONTEXT_LOAD);
    const Expr *both = expr_tuple(c->arena, at, (ExprList){parts, 2}, EXPR_CONTEXT_LOAD);
    const Expr *dict = expr_name(c->arena, at, names_get(c->names, "dict"), EXPR_CONTEXT_LOAD);
    return expr_subscript(c->arena, at, dict, both, EXPR_CONTEXT_LOAD);
}

static bool holds_float(const Rep *r)
{
    for (size_t i = 0; r->kind == REP_UNION && i < r->count; i++)
        if (holds_float(r->parts[i]))
            return true;
    return r->kind == REP_FLOAT || r->kind == REP_COMPLEX;
}

void c_check_typed_dict(CEmit *c, const Stmt *def)
{
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        if (s->kind == STMT_ANN_ASSIGN
            && holds_float(rep_of(c, c_annotation(c, s->ann_assign.annotation), s->at)))
            (void)c_refuse(c, s->at, "Python keeps the ints that a TypedDict has for this, and a "
                           "C program cannot: use a dataclass");
    }
}

void c_collect_module(CEmit *c, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        switch (s->kind) {
        case STMT_IMPORT: case STMT_IMPORT_FROM: collect_import(c, s); break;
        case STMT_FUNCTION_DEF:
            bind(c, s->function_def.name, s->at, (CName){.kind = CNAME_FUNCTION, .def = s});
            break;
        case STMT_CLASS_DEF:
            if (is_typed_dict(c, s)) {
                bind(c, s->class_def.name, s->at,
                     (CName){.kind = CNAME_TYPE, .def = s, .ty = any_dict(c, s->at)});
                break;
            }
            bind(c, s->class_def.name, s->at, (CName){.kind = CNAME_CLASS, .def = s});
            collect_inner(c, s->class_def.name, s);
            break;
        case STMT_ASSIGN:
            for (size_t j = 0; j < s->assign.targets.len; j++)
                collect_variable(c, s->assign.targets.at[j], NULL, s->assign.value);
            break;
        case STMT_ANN_ASSIGN:
            collect_variable(c, s->ann_assign.target, s->ann_assign.annotation,
                             s->ann_assign.value);
            break;
        case STMT_TYPE_ALIAS:
            bind(c, s->type_alias.name->name.id, s->at,
                 (CName){.kind = CNAME_TYPE, .ty = s->type_alias.value});
            break;
        case STMT_FOR:
            collect_variable(c, s->for_.target, NULL, NULL);
            c_collect_module(c, s->for_.body);
            break;
        case STMT_WHILE: c_collect_module(c, s->while_.body); break;
        case STMT_IF:
            c_collect_module(c, s->if_.body);
            c_collect_module(c, s->if_.orelse);
            break;
        case STMT_TRY:
            c_collect_module(c, s->try.body);
            for (size_t j = 0; j < s->try.handlers.len; j++)
                c_collect_module(c, s->try.handlers.at[j]->except_handler.body);
            c_collect_module(c, s->try.orelse);
            c_collect_module(c, s->try.finalbody);
            break;
        case STMT_ASYNC_FUNCTION_DEF: case STMT_RETURN: case STMT_DELETE: case STMT_AUG_ASSIGN:
        case STMT_ASYNC_FOR: case STMT_WITH: case STMT_ASYNC_WITH: case STMT_MATCH:
        case STMT_RAISE: case STMT_TRY_STAR: case STMT_ASSERT: case STMT_GLOBAL:
        case STMT_NONLOCAL: case STMT_EXPR: case STMT_PASS: case STMT_BREAK: case STMT_CONTINUE:
        case STMT_CHOREO: case STMT_OFFER: case STMT_STOPPED: case STMT_COUNT:
            break;
        }
    }
}

// The types of the module's variables, when all names are known.
// `Final` alone leaves the type to the value.
bool c_is_final(const Expr *annotation)
{
    return (annotation->kind == EXPR_NAME && sym_is(annotation->name.id, "Final"))
           || (annotation->kind == EXPR_ATTRIBUTE && sym_is(annotation->attribute.attr, "Final"));
}

void c_settle_variables(CEmit *c, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        SymList names = c_bound_names(c, s);
        for (size_t j = 0; j < names.len; j++) {
            CName *n = c_global(c, names.at[j]);
            if (n == NULL || n->kind != CNAME_VARIABLE || n->variable->rep != NULL)
                continue;
            const Ty *t = n->ty && !c_is_final(n->ty) ? c_annotation(c, n->ty) : n->target->ty;
            n->variable->rep = rep_of(c, t, n->target->at);
            if (rep_passed(n->variable->rep))
                buf_printf(&c->globals, "static _Thread_local %s%s;\n", n->variable->rep->type,
                           n->variable->c_name);
        }
    }
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
            (void)c_refuse(c, k->at, "the C target does not know this of a dataclass");
    }
}

static void read_decorators(CEmit *c, CClass *k)
{
    ExprList list = k->def->class_def.decorator_list;
    for (size_t i = 0; i < list.len; i++) {
        Sym name = name_of(c, list.at[i]);
        if (name && sym_is(name, "dataclass")) {
            k->is_dataclass = k->is_record = true;
            check_dataclass(c, list.at[i]);
            k->is_frozen = keyword_true(list.at[i], "frozen");
            k->is_ordered = keyword_true(list.at[i], "order");
            k->no_eq = keyword_false(list.at[i], "eq");
        } else if (!name || (!sym_is(name, "final") && !sym_is(name, "runtime_checkable"))) {
            (void)c_refuse(c, list.at[i]->at, "the C target does not know this decorator");
        }
    }
}

static bool has_base(CEmit *c, const Stmt *def, const char *wanted)
{
    for (size_t i = 0; i < def->class_def.bases.len; i++) {
        Sym name = name_of(c, def->class_def.bases.at[i]);
        if (name && sym_is(name, wanted))
            return true;
    }
    return false;
}

static void read_base(CEmit *c, CClass *k, const Expr *base)
{
    Sym name = name_of(c, base);
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
    if (of == NULL) {
        (void)c_refuse(c, base->at, "the C target has no such base class");
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
        "__floordiv__", "__mod__", "__or__", "__and__", "__xor__", NULL};
    Sym name = s->function_def.name;
    bool known = name[0] != '_' || name[1] != '_' || is_one_of(name, OF_ENUMS)
                 || (!k->enum_base && is_one_of(name, OF_PLAIN_ENUMS));
    if (k->is_enum && !known)
        (void)c_refuse(c, s->at, "the C target has no `%s` of enums", name);
    static const char *const UNKNOWN[] = {
        "__new__", "__del__", "__setattr__", "__delattr__", "__getattribute__", "__getattr__",
        "__init_subclass__", "__class_getitem__", "__set_name__", "__get__", "__set__",
        "_generate_next_value_", "_missing_", NULL};
    if (is_one_of(s->function_def.name, UNKNOWN))
        (void)c_refuse(c, s->at, "the C target has no `%s`", s->function_def.name);
}

static void check_class_keywords(CEmit *c, const Stmt *def)
{
    for (size_t i = 0; i < def->class_def.keywords.len; i++) {
        const Keyword *k = def->class_def.keywords.at[i];
        Sym value = name_of(c, k->value);
        bool abstract = k->arg && sym_is(k->arg, "metaclass") && value && sym_is(value, "ABCMeta");
        if (!abstract)
            (void)c_refuse(c, k->at, "the C target has no keywords of classes");
    }
}

static void read_members(CEmit *c, CClass *k)
{
    StmtList body = k->def->class_def.body;
    check_class_keywords(c, k->def);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (!is_member(s))
            (void)c_refuse(c, s->at, "the C target has no such statement in the body of a class");
        if (s->kind == STMT_FUNCTION_DEF)
            check_method(c, k, s);
        if (s->kind == STMT_ASSIGN)
            read_alias(c, k, s);
        if (s->kind != STMT_FUNCTION_DEF)
            continue;
        CMethod m = {.name = s->function_def.name, .def = s, .owner = k,
                     .is_static = is_decorated(c, s, "staticmethod"),
                     .is_class = is_decorated(c, s, "classmethod"),
                     .is_property = is_decorated(c, s, "property")};
        if (is_decorated(c, s, "setter"))
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

static CClass *make_class(CEmit *c, Sym path, const Stmt *def, TyList args, Sym key)
{
    CClass *k = ARENA_NEW(c->arena, CClass);
    *k = (CClass){.name = path, .def = def};
    table_set(c->classes, key, k);
    TypeVars params = class_params(c, def);
    const char *name = path;
    if (params.len > 0) {
        k->types = table_new(c->arena);
        for (size_t i = 0; i < params.len; i++) {
            const Ty *t = i < args.len ? c_ty(c, args.at[i]) : ty_any(c->arena);
            table_set(k->types, params.at[i], (void *)t);
            name = c_text(c, "%s_%s", name, rep_of(c, t, def->at)->name);
        }
    }
    const char *shown = table_get(c->shown, path), *dots;
    if (shown != NULL)
        while ((dots = strstr(name = shown, ".<locals>.")) != NULL)
            shown = c_text(c, "%.*s_%s", (int)(dots - shown), shown, dots + strlen(".<locals>."));
    k->c_name = c_unique(c, name);
    k->row = c_text(c, "%s_type", k->c_name);
    k->number = type_number(c, k);
    for (size_t i = 0; i < def->class_def.bases.len; i++)
        read_base(c, k, def->class_def.bases.at[i]);
    c_choose_base(c, k);
    c_settle_order(c, k);
    read_decorators(c, k);
    read_members(c, k);
    vec_push(c->arena, &c->class_order, k);
    return k;
}

CClass *c_class_of(CEmit *c, Sym name, TyList args)
{
    CName *n = c_global(c, name);
    if (n != NULL && n->kind != CNAME_CLASS)
        n = n->kind == CNAME_TYPE || n->kind == CNAME_VARIABLE || n->kind == CNAME_FUNCTION
            ? n : NULL;
    if (n != NULL && n->kind != CNAME_CLASS)
        return NULL;
    if (n == NULL) {
        CClass *known = table_get(c->classes, name);
        return known != NULL ? known : builtin_exception(c, name);
    }
    const char *key = c_text(c, "class %s", name);
    for (size_t i = 0; i < args.len; i++)
        key = c_text(c, "%s, %s", key, rep_of(c, args.at[i], n->def->at)->key);
    Sym sym = names_get(c->names, key);
    CClass *known = table_get(c->classes, sym);
    return known != NULL ? known : make_class(c, name, n->def, args, sym);
}

CClass *c_exception_class(CEmit *c, const Expr *e)
{
    CClass *k = e->kind == EXPR_NAME && c_find_variable(c, e->name.id) == NULL
        ? c_class_of(c, e->name.id, (TyList){0}) : NULL;
    if (k == NULL && e->kind == EXPR_ATTRIBUTE)
        k = builtin_exception(c, e->attribute.attr);
    return k != NULL && k->is_exception ? k : NULL;
}

// ---- fields ----

static CField *own_field(CClass *k, Sym name)
{
    for (size_t i = 0; i < k->fields.len; i++)
        if (k->fields.at[i].name == name)
            return &k->fields.at[i];
    return NULL;
}

// A field of a base that a derived class has, too: it keeps its place.
static void declare_again(CEmit *c, const CClass *k, CField *known, CField f)
{
    if (f.attribute) {
        known->value = f.value ? f.value : known->value;
        known->constant = f.constant ? f.constant : known->constant;
        return;
    }
    if (f.rep != known->rep)
        (void)c_refuse(c, f.value ? f.value->at : k->def->at,
                       "the C target has `%s` as a `%s` here, as the base has", f.name,
                       known->rep->key);
    if (f.value == NULL && !f.is_call && !known->factory)       // the class has that of its base
        f.value = known->value, f.constant = known->constant;
    f.c_name = known->c_name;
    f.rep = known->rep;
    *known = f;
}

static void add_field(CEmit *c, CClass *k, CField f)
{
    CField *known = own_field(k, f.name);
    if (known != NULL && known->attribute && !f.attribute)
        (void)c_refuse(c, f.value ? f.value->at : k->def->at,
                       "the C target has no field `%s` that a base sets as an attribute", f.name);
    if (known != NULL) {
        declare_again(c, k, known, f);
        return;
    }
    f.no_init |= f.attribute;
    f.no_compare |= f.attribute;
    f.hidden |= f.attribute;
    f.c_name = c_identifier(c, f.name);
    if (sym_is(f.name, "object") || sym_is(f.name, "exception"))
        f.c_name = c_text(c, "%s_", f.c_name);
    vec_push(c->arena, &k->fields, f);
}

static bool is_field_call(CEmit *c, const Expr *e)
{
    Sym name = e && e->kind == EXPR_CALL ? name_of(c, e) : NULL;
    return name && sym_is(name, "field");
}

// `f = staticmethod(g)`: what stands in the class is g.
static const Expr *static_function(CEmit *c, const Expr *value)
{
    bool is_call = value->kind == EXPR_CALL && value->call.func->kind == EXPR_NAME
                   && sym_is(value->call.func->name.id, "staticmethod")
                   && c_global(c, value->call.func->name.id) == NULL && value->call.args.len == 1;
    return is_call ? value->call.args.at[0] : NULL;
}

const Expr *c_field_value(CEmit *c, const Expr *e)
{
    const Expr *function = static_function(c, e);
    if (!is_field_call(c, e))
        return function ? function : e;
    for (size_t i = 0; i < e->call.keywords.len; i++)
        if (e->call.keywords.at[i]->arg && sym_is(e->call.keywords.at[i]->arg, "default"))
            return e->call.keywords.at[i]->value;
    return NULL;
}

// What `field(..)` says.
static void read_field_call(CEmit *c, CField *f)
{
    const Expr *call = f->value;
    f->value = NULL;
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        bool truth = k->value->kind == EXPR_CONSTANT && k->value->constant.value->truth;
        if (k->arg && sym_is(k->arg, "default"))
            f->value = k->value;
        else if (k->arg && sym_is(k->arg, "default_factory"))
            f->value = k->value, f->factory = true;
        else if (k->arg && sym_is(k->arg, "init"))
            f->no_init = !truth;
        else if (k->arg && sym_is(k->arg, "compare"))
            f->no_compare = !truth;
        else if (k->arg && sym_is(k->arg, "repr"))
            f->hidden = !truth;
        else if (k->arg == NULL || (!sym_is(k->arg, "kw_only") && !sym_is(k->arg, "metadata")))
            (void)c_refuse(c, k->at, "the C target does not know this of a field");
    }
}

// A generic class has its constants once, whatever its parameters are.
static const char *shared_constant(CEmit *c, CClass *first, CField f)
{
    c_class_fields(c, first);
    for (size_t i = 0; i < first->constants.len; i++) {
        const CField *known = &first->constants.at[i];
        if (known->name == f.name && known->rep == f.rep)
            return known->c_name;
    }
    (void)c_refuse(c, f.value->at, "the C target has no constants whose type depends on the "
                   "parameters of the class");
    return "0";
}

bool c_has_constants(CEmit *c, const Stmt *def)
{
    bool is_record = def->class_def.decorator_list.len > 0;
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        const Expr *a = s->kind == STMT_ANN_ASSIGN && s->ann_assign.value
            ? s->ann_assign.annotation : NULL;
        Sym outer = a && a->kind == EXPR_SUBSCRIPT ? name_of(c, a->subscript.value) : NULL;
        if (s->kind == STMT_ASSIGN || (a && !is_record) || (outer && sym_is(outer, "ClassVar")))
            return true;
    }
    return false;
}

// A value that the class has; objects begin with it where code gives them one of their own.
static void class_value(CEmit *c, CClass *k, CField f)
{
    const CField *known = own_field(k, f.name);
    if (known == NULL)
        known = c_find_constant(k, f.name);
    if (known != NULL && known->rep != NULL)
        f.rep = known->rep;
    CClass *first = k->types != NULL ? c_class_of(c, k->name, (TyList){0}) : k;
    f.c_name = first != k ? shared_constant(c, first, f)
        : c_unique(c, c_text(c, "%s_%s", k->c_name, f.name));
    vec_push(c->arena, &k->constants, f);
    bool own = own_field(k, f.name) != NULL || c_is_stored(c, k, f.name);
    if (!own || k->is_enum || k->is_protocol)
        return;
    add_field(c, k, (CField){.name = f.name, .rep = f.rep, .constant = f.c_name,
                             .attribute = true});
}

static void declared_field(CEmit *c, CClass *k, const Stmt *s)
{
    const Expr *a = s->ann_assign.annotation;
    Sym outer = a->kind == EXPR_SUBSCRIPT ? name_of(c, a->subscript.value) : NULL;
    bool constant = (outer && sym_is(outer, "ClassVar") && !k->is_named_tuple)
                    || (!k->is_dataclass && s->ann_assign.value != NULL);
    CField f = {.name = s->ann_assign.target->name.id, .value = s->ann_assign.value,
                .attribute = !k->is_dataclass};
    f.rep = rep_of(c, c_annotation(c, a), a->at);
    if (constant) {
        class_value(c, k, f);
        return;
    }
    f.is_call = is_field_call(c, f.value);
    if (f.is_call)
        read_field_call(c, &f);
    if (f.value != NULL && !f.factory && !c_is_constant(f.value)) {     // made once, by the class
        if (k->types != NULL)
            (void)c_refuse(c, f.value->at, "the C target has no such defaults in generic classes");
        f.constant = c_unique(c, c_text(c, "%s_default_%s", k->c_name, f.name));
    }
    add_field(c, k, f);
}

typedef struct SelfFields { CEmit *c; CClass *k; Sym self; } SelfFields;

static void field_of_store(SelfFields *s, const Expr *t, const Expr *annotation, const Expr *value)
{
    if (t->kind != EXPR_ATTRIBUTE || t->attribute.value->kind != EXPR_NAME
        || t->attribute.value->name.id != s->self || own_field(s->k, t->attribute.attr)
        || c_find_constant(s->k, t->attribute.attr)
        || c_find_method(s->k, names_format(s->c->names, "%s.setter", t->attribute.attr)))
        return;
    const Ty *ty = annotation ? c_annotation(s->c, annotation) : t->ty ? t->ty : value->ty;
    add_field(s->c, s->k, (CField){.name = t->attribute.attr, .rep = rep_of(s->c, ty, t->at),
                                   .attribute = true});
}

static bool note_store(void *cx, const Stmt *s)
{
    if (s->kind == STMT_ASSIGN)
        for (size_t i = 0; i < s->assign.targets.len; i++)
            field_of_store(cx, s->assign.targets.at[i], NULL, s->assign.value);
    if (s->kind == STMT_ANN_ASSIGN)
        field_of_store(cx, s->ann_assign.target, s->ann_assign.annotation, s->ann_assign.value);
    return true;
}

static void fields_of_methods(CEmit *c, CClass *k)
{
    for (int pass = 0; pass < 2; pass++)            // those of __init__ first
        for (size_t i = 0; i < k->methods.len; i++) {
            const CMethod *m = &k->methods.at[i];
            const Arguments *args = m->def->function_def.args;
            ArgList list = args->posonlyargs.len > 0 ? args->posonlyargs : args->args;
            if (sym_is(m->name, "__init__") != (pass == 0) || m->is_static || m->is_class
                || list.len == 0)
                continue;
            SelfFields s = {c, k, list.at[0]->arg};
            IrWalker w = {.cx = &s, .stmt = note_store};
            ir_walk_stmts(&w, m->def->function_def.body);
        }
}

static void class_constant(CEmit *c, CClass *k, const Expr *target, const Expr *value)
{
    const Expr *function = static_function(c, value);
    const Ty *ty = function ? function->ty : target->ty ? target->ty : value->ty;
    CField f = {.name = target->name.id, .value = function ? function : value};
    bool slots = sym_is(f.name, "__slots__") || sym_is(f.name, "__match_args__");
    bool alias = value->kind == EXPR_NAME && c_find_method(k, value->name.id);
    if (slots || alias)
        return;
    if (!k->is_enum)
        f.rep = rep_of(c, ty, target->at);
    class_value(c, k, f);
}

void c_class_fields(CEmit *c, CClass *k)
{
    if (k->fields_known)
        return;
    k->fields_known = true;
    Table *outer = c->substitution;
    for (size_t i = 0; i < k->bases.len; i++)
        c_class_fields(c, k->bases.at[i]);
    if (k->base != NULL) {
        c_class_fields(c, k->base);
        for (size_t i = 0; i < k->base->fields.len; i++)
            vec_push(c->arena, &k->fields, k->base->fields.at[i]);
    }
    CClass *outer_class = c->class_;
    c->substitution = k->types;
    c->class_ = k;
    StmtList body = k->def->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME)
            declared_field(c, k, s);
        else if (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME)
            class_constant(c, k, s->assign.targets.at[0], s->assign.value);
    }
    if (!k->is_enum && !k->is_protocol)
        fields_of_methods(c, k);
    c_check_named_tuple(c, k);
    c->substitution = outer;
    c->class_ = outer_class;
}

CField *c_find_field(CEmit *c, CClass *k, Sym name)
{
    c_class_fields(c, k);
    return own_field(k, name);
}

// What a name in the body of a class stands for if a statement of the body has set it before.
const CField *c_member_before(CEmit *c, const Expr *e)
{
    StmtList body = c->body_of ? c->body_of->def->class_def.body : (StmtList){0};
    for (size_t i = 0; i < body.len && body.at[i]->at.end <= e->at.start; i++) {
        const Stmt *s = body.at[i];
        const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
            : s->kind == STMT_ANN_ASSIGN && s->ann_assign.value ? s->ann_assign.target : NULL;
        if (target == NULL || target->kind != EXPR_NAME || target->name.id != e->name.id)
            continue;
        const CField *f = c_find_constant(c->body_of, e->name.id);
        return f != NULL ? f : own_field(c->body_of, e->name.id);
    }
    return NULL;
}
