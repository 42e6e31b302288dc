// c_collect.c - what the names of a module stand for.

#include <string.h>

#include "compiler/emit/c/c_internal.h"

static bool is_overload(CEmit *c, const CName *n)
{
    return n->kind == CNAME_FUNCTION
           && c_is_decorated(c, n->def->function_def.decorator_list, "overload");
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
        (void)c_refuse(c, at, "the C target does not support a second definition of `%s` in a "
                       "module\nuse another name", name);
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
    if (e->kind == EXPR_SUBSCRIPT) {
        Sym head = c_dotted(c, e->subscript.value);
        if (head != NULL && (strncmp(head, "collections.", 12) == 0
                             || strncmp(head, "typing.", 7) == 0))
            return true;
        return is_type_text(c, e->subscript.value);
    }
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
            (void)c_refuse(c, s->at, "Python keeps an `int` in this field of a `TypedDict`, but "
                           "the C target converts it to the declared type\nuse a dataclass");
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
        case STMT_CHOREO: case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
        case STMT_BACK: case STMT_COUNT:
            break;
        }
    }
}

// `Final` alone leaves the type to the value.
bool c_is_final(const Expr *annotation)
{
    return (annotation->kind == EXPR_NAME && sym_is(annotation->name.id, "Final"))
           || (annotation->kind == EXPR_ATTRIBUTE && sym_is(annotation->attribute.attr, "Final"));
}

// The types of the module's variables, when all names are known.
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
