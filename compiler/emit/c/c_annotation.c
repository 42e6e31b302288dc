// c_annotation.c - the type that an annotation writes. Annotations of endpoints are plain Python.

#include <string.h>

#include "compiler/emit/c/c_internal.h"
#include "compiler/ir/ty.h"

static const Ty *any_type(CEmit *c) { return ty_any(c->arena); }

static const Ty *named(CEmit *c, const char *name, TyList args)
{
    return ty_named(c->arena, names_get(c->names, name), args);
}

// The last part of `typing.List`, `collections.abc.Sequence`, `list`. A name that typing has, and
// the program by another one, is that of typing.
static Sym last_part(CEmit *c, const Expr *e)
{
    Sym dotted = c_dotted(c, e);
    if (dotted != NULL && sym_is(dotted, "collections.abc.Set"))
        return names_get(c->names, "AbstractSet");
    if (e->kind == EXPR_ATTRIBUTE)
        return e->attribute.attr;
    if (e->kind != EXPR_NAME)
        return NULL;
    return c_is_typing(c, e->name.id) ? c_global(c, e->name.id)->member : e->name.id;
}

static TyList annotations(CEmit *c, const Expr *slice)
{
    ExprList list = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    const Ty **items = ARENA_ARRAY(c->arena, const Ty *, list.len + 1);
    for (size_t i = 0; i < list.len; i++)
        items[i] = c_annotation(c, list.at[i]);
    return (TyList){items, list.len};
}

static const Ty *callable(CEmit *c, const Expr *slice)
{
    if (slice->kind != EXPR_TUPLE || slice->tuple.elts.len != 2
        || slice->tuple.elts.at[0]->kind != EXPR_LIST)
        return any_type(c);
    ExprList params = slice->tuple.elts.at[0]->list.elts;
    const Ty **items = ARENA_ARRAY(c->arena, const Ty *, params.len + 1);
    for (size_t i = 0; i < params.len; i++)
        items[i] = c_annotation(c, params.at[i]);
    return ty_callable(c->arena, (TyList){items, params.len},
                       c_annotation(c, slice->tuple.elts.at[1]));
}

static const Ty *tuple(CEmit *c, const Expr *slice)
{
    ExprList list = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    const Expr *last = list.len == 2 ? list.at[1] : NULL;
    if (last && ty_is_ellipsis(last)) {
        const Ty **item = ARENA_NEW(c->arena, const Ty *);
        *item = c_annotation(c, list.at[0]);
        return named(c, "tuple", (TyList){item, 1});
    }
    return ty_tuple(c->arena, annotations(c, slice));
}

static const Ty *literal(CEmit *c, const Expr *slice)
{
    ExprList list = slice->kind == EXPR_TUPLE ? slice->tuple.elts : (ExprList){&slice, 1};
    const Ty **items = ARENA_ARRAY(c->arena, const Ty *, list.len + 1);
    for (size_t i = 0; i < list.len; i++) {
        const Const *value = ty_constant(c->arena, list.at[i]);
        items[i] = value != NULL ? ty_literal(c->arena, value)
            : list.at[i]->ty != NULL ? list.at[i]->ty : any_type(c);
    }
    return list.len == 1 ? items[0] : ty_union(c->arena, (TyList){items, list.len});
}

static const Ty *optional(CEmit *c, const Ty *t)
{
    const Ty **items = ARENA_ARRAY(c->arena, const Ty *, 2);
    items[0] = t;
    items[1] = ty_none_type(c->arena);
    return ty_union(c->arena, (TyList){items, 2});
}

// Names of typing for what has another one.
static Sym builtin_name(CEmit *c, Sym name)
{
    static const char *const OLD[][2] = {{"List", "list"}, {"Dict", "dict"}, {"Set", "set"},
                                         {"FrozenSet", "frozenset"}, {"Type", "type"}};
    for (size_t i = 0; i < sizeof OLD / sizeof *OLD; i++)
        if (strcmp(OLD[i][0], name) == 0 && (c_global(c, name) == NULL || c_is_typing(c, name)))
            return names_get(c->names, OLD[i][1]);
    return name;
}

// An alias that names itself is of anything there.
static const Ty *of_alias(CEmit *c, CName *n)
{
    if (n->being_read)
        return any_type(c);
    n->being_read = true;
    const Ty *t = c_annotation(c, n->ty);
    n->being_read = false;
    return t;
}

static const Ty *subscript(CEmit *c, const Expr *e)
{
    Sym name = last_part(c, e->subscript.value);
    const Expr *slice = e->subscript.slice;
    if (name == NULL)
        return any_type(c);
    Sym dotted = c_dotted(c, e->subscript.value);
    static const char *const COLLECTIONS[] = {"collections.defaultdict", "collections.deque",
                                              "collections.Counter", NULL};
    if (dotted != NULL && sym_is_one_of(dotted, COLLECTIONS))
        return ty_named(c->arena, dotted, annotations(c, slice));
    if (strcmp(name, "Optional") == 0)
        return optional(c, c_annotation(c, slice));
    if (strcmp(name, "Union") == 0)
        return ty_union(c->arena, annotations(c, slice));
    if (strcmp(name, "Callable") == 0)
        return callable(c, slice);
    if (strcmp(name, "tuple") == 0 || strcmp(name, "Tuple") == 0)
        return tuple(c, slice);
    if (strcmp(name, "Literal") == 0)
        return literal(c, slice);
    static const char *const ASIDE[] = {"Final", "ClassVar", "Required", "NotRequired", "ReadOnly",
                                        NULL};
    if (sym_is_one_of(name, ASIDE))
        return c_annotation(c, slice);
    if (strcmp(name, "TypeGuard") == 0 || strcmp(name, "TypeIs") == 0)
        return ty_named(c->arena, names_get(c->names, "bool"), (TyList){0});
    if (strcmp(name, "Annotated") == 0 && slice->kind == EXPR_TUPLE)
        return c_annotation(c, slice->tuple.elts.at[0]);
    CName *alias = e->subscript.value->kind == EXPR_NAME ? c_global(c, name) : NULL;
    const Ty *t = alias != NULL && alias->kind == CNAME_TYPE && alias->ty != NULL
                  ? of_alias(c, alias) : NULL;
    TyList args = annotations(c, slice);
    SymList vars = t != NULL ? ty_vars(c->arena, t) : (SymList){0};
    if (args.len > 0 && vars.len == args.len)
        return ty_apply(c->arena, t, vars, args);
    return ty_named(c->arena, builtin_name(c, name), args);
}

// What projection writes where the file has a `Unit` or a `Channel` of its own.
static Sym of_runtime(CEmit *c, Sym name)
{
    bool known = sym_is(name, "Unit_") || sym_is(name, "Channel_");
    return known ? names_format(c->names, "builtins.%.*s", (int)strlen(name) - 1, name) : name;
}

// A class in the class whose annotations are read.
static Sym of_class(CEmit *c, Sym name)
{
    Sym path = c->class_ ? names_format(c->names, "%s.%s", c->class_->name, name) : NULL;
    const CName *n = path ? c_global(c, path) : NULL;
    return n != NULL && n->kind == CNAME_CLASS ? path : NULL;
}

static const Ty *of_name(CEmit *c, const Expr *e, Sym name)
{
    if (e->kind == EXPR_NAME && of_class(c, name) != NULL)
        return ty_named(c->arena, of_class(c, name), (TyList){0});
    CName *n = e->kind == EXPR_NAME ? c_global(c, name) : NULL;
    if (n == NULL)
        name = of_runtime(c, name);
    if (n != NULL && n->kind == CNAME_TYPE && n->def == NULL)
        return n->ty != NULL ? of_alias(c, n) : ty_type_var(c->arena, name);
    if (strcmp(name, "Any") == 0 && (n == NULL || c_is_typing(c, name)))
        return any_type(c);
    if (strcmp(name, "Self") == 0 && c_is_typing(c, name) && c->self != NULL)
        return c->self;
    static const char *const ONE[] = {"list", "set", "frozenset", "List", "Set"};
    for (size_t i = 0; i < sizeof ONE / sizeof *ONE; i++)
        if (strcmp(ONE[i], name) == 0 && (n == NULL || n->kind == CNAME_IMPORTED)) {
            const Ty **item = ARENA_NEW(c->arena, const Ty *);
            *item = any_type(c);
            return ty_named(c->arena, builtin_name(c, name), (TyList){item, 1});
        }
    return ty_named(c->arena, name, (TyList){0});
}

// Text in quotes is an annotation, too.
static const Ty *quoted(CEmit *c, const Expr *e)
{
    const Ty *known = e->ty;
    bool vague = known == NULL || known->kind == TY_ANY || known->kind == TY_POISON;
    if (!vague && !(known->kind == TY_NAMED && sym_is(known->named.name, "str"))
        && known->kind != TY_LITERAL)
        return known;
    Text text = e->constant.value->text;
    const char *line = c_text(c, "%.*s\n", (int)text.len, text.at);
    const Source *source = source_new(c->arena, "annotation", (Text){line, text.len + 1});
    const Unit *unit = c->parse(c->arena, c->names, source, c->scrap);
    StmtList body = unit->module.body;
    if (body.len != 1 || body.at[0]->kind != STMT_EXPR)
        return any_type(c);
    return c_annotation(c, body.at[0]->expr.value);
}

const Ty *c_annotation(CEmit *c, const Expr *e)
{
    switch (e->kind) {
    case EXPR_CONSTANT:
        if (e->constant.value->kind == CONST_STR)
            return quoted(c, e);
        return e->constant.value->kind == CONST_NONE ? ty_none_type(c->arena) : any_type(c);
    case EXPR_NAME: return of_name(c, e, e->name.id);
    case EXPR_ATTRIBUTE: return of_name(c, e, e->attribute.attr);
    case EXPR_SUBSCRIPT: return subscript(c, e);
    case EXPR_BIN_OP: {
        const Ty **items = ARENA_ARRAY(c->arena, const Ty *, 2);
        items[0] = c_annotation(c, e->bin_op.left);
        items[1] = c_annotation(c, e->bin_op.right);
        return ty_union(c->arena, (TyList){items, 2});
    }
    case EXPR_BOOL_OP: case EXPR_NAMED_EXPR: case EXPR_UNARY_OP: case EXPR_LAMBDA:
    case EXPR_IF_EXP: case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP: case EXPR_SET_COMP:
    case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_AWAIT: case EXPR_YIELD:
    case EXPR_YIELD_FROM: case EXPR_COMPARE: case EXPR_CALL: case EXPR_FORMATTED_VALUE:
    case EXPR_JOINED_STR: case EXPR_STARRED: case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE:
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        break;
    }
    return any_type(c);
}
