// desugar_classes.c - what is known of names: imports, classes, their fields.

#include "compiler/pass/desugar_internal.h"

#include "compiler/ir/free_names.h"

// `contextlib.suppress`, whatever it is called here; NULL: not imported.
const char *desugar_imported(Desugar *d, const Expr *e)
{
    if (e->kind == EXPR_NAME)
        return table_get(d->facts->imports, e->name.id);
    if (e->kind != EXPR_ATTRIBUTE || e->attribute.value->kind != EXPR_NAME)
        return NULL;
    const char *module = table_get(d->facts->imports, e->attribute.value->name.id);
    return module ? names_format(d->names, "%s.%s", module, e->attribute.attr) : NULL;
}

// Whether a statement binds the name, anywhere in it.
bool desugar_binds(Desugar *d, const Stmt *s, Sym name)
{
    SymList bound = names_bound(d->arena, d->names, (StmtList){&s, 1});
    for (size_t i = 0; i < bound.len; i++)
        if (bound.at[i] == name)
            return true;
    return false;
}

static bool ends_with(const char *name, const char *end)
{
    size_t len = strlen(name), tail = strlen(end);
    return len > tail && strcmp(name + len - tail, end) == 0;
}

static bool is_exception_name(Sym name)
{
    static const char *const others[] = {
        "BaseException", "Exception", "ExceptionGroup", "BaseExceptionGroup", "GeneratorExit",
        "KeyboardInterrupt", "StopAsyncIteration", "StopIteration", "SystemExit", "Warning", NULL,
    };
    return ends_with(name, "Error") || ends_with(name, "Warning") || sym_is_one_of(name, others);
}

bool desugar_is_class(Desugar *d, const Expr *e)
{
    if (desugar_is(e->ty, "type"))
        return true;
    if (e->kind != EXPR_NAME)
        return false;
    return table_get(d->facts->classes, e->name.id) != NULL
           || (is_exception_name(e->name.id) && desugar_is_builtin(d, e, e->name.id));
}

const Ty *desugar_instance_ty(Desugar *d, const Expr *class_)
{
    if (desugar_is(class_->ty, "type") && class_->ty->named.args.len == 1)
        return class_->ty->named.args.at[0];
    return class_->kind == EXPR_NAME ? desugar_ty(d, class_->name.id) : NULL;
}

// ---- fields ----

static const Stmt *class_of(Desugar *d, const Expr *e)
{
    if (e->kind == EXPR_SUBSCRIPT)
        e = e->subscript.value;
    return e->kind == EXPR_NAME ? table_get(d->facts->classes, e->name.id) : NULL;
}

static bool is_dataclass(Desugar *d, const Stmt *class_)
{
    ExprList all = class_->class_def.decorator_list;
    for (size_t i = 0; i < all.len; i++) {
        const Expr *e = all.at[i]->kind == EXPR_CALL ? all.at[i]->call.func : all.at[i];
        const char *known = desugar_imported(d, e);
        if (known && strcmp(known, "dataclasses.dataclass") == 0)
            return true;
    }
    return false;
}

static const Expr *explicit_args(const Stmt *class_)
{
    for (size_t i = 0; i < class_->class_def.body.len; i++) {
        const Stmt *s = class_->class_def.body.at[i];
        const Expr *target = s->kind == STMT_ASSIGN       ? s->assign.targets.at[0]
                             : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target
                                                          : NULL;
        if (target && target->kind == EXPR_NAME && sym_is(target->name.id, "__match_args__"))
            return s->kind == STMT_ASSIGN ? s->assign.value : s->ann_assign.value;
    }
    return NULL;
}

static bool is_off(const Keyword *k, const char *name, bool truth)
{
    return sym_is(k->arg, name) && k->value->kind == EXPR_CONSTANT
           && k->value->constant.value->kind == CONST_BOOL
           && k->value->constant.value->truth == truth;
}

static bool all_by_keyword(const Stmt *class_)
{
    ExprList all = class_->class_def.decorator_list;
    for (size_t i = 0; i < all.len; i++)
        for (size_t j = 0; all.at[i]->kind == EXPR_CALL && j < all.at[i]->call.keywords.len; j++)
            if (is_off(all.at[i]->call.keywords.at[j], "kw_only", true))
                return true;
    return false;
}

static bool is_marker(Desugar *d, const Stmt *s)
{
    const char *known = desugar_imported(d, s->ann_assign.annotation);
    return known != NULL && strcmp(known, "dataclasses.KW_ONLY") == 0;
}

static bool is_positional(const Stmt *s, bool by_keyword)
{
    const Expr *value = s->ann_assign.value, *annotation = s->ann_assign.annotation;
    if (annotation->kind == EXPR_SUBSCRIPT)
        annotation = annotation->subscript.value;
    if (annotation->kind == EXPR_NAME && sym_is(annotation->name.id, "ClassVar"))
        return false;
    for (size_t i = 0; value && value->kind == EXPR_CALL && i < value->call.keywords.len; i++)
        if (is_off(value->call.keywords.at[i], "init", false)
            || is_off(value->call.keywords.at[i], "kw_only", true))
            return false;
        else if (is_off(value->call.keywords.at[i], "kw_only", false))
            by_keyword = false;
    return s->ann_assign.target->kind == EXPR_NAME && !by_keyword;
}

typedef Vec(Sym) SymVec;

static void push_once(Desugar *d, SymVec *names, Sym name)
{
    for (size_t i = 0; i < names->len; i++)
        if (names->at[i] == name)
            return;
    vec_push(d->arena, names, name);
}

static void push_explicit(Desugar *d, const Expr *e, SymVec *names)
{
    names->len = 0;
    for (size_t i = 0; e->kind == EXPR_TUPLE && i < e->tuple.elts.len; i++) {
        const Expr *item = e->tuple.elts.at[i];
        if (item->kind == EXPR_CONSTANT && item->constant.value->kind == CONST_STR)
            vec_push(d->arena, names, names_intern(d->names, item->constant.value->text.at,
                                                   item->constant.value->text.len));
    }
}

static void push_fields(Desugar *d, const Stmt *class_, SymVec *names)
{
    bool by_keyword = all_by_keyword(class_);
    for (size_t i = 0; i < class_->class_def.body.len; i++) {
        const Stmt *s = class_->class_def.body.at[i];
        if (s->kind != STMT_ANN_ASSIGN)
            continue;
        if (is_marker(d, s))
            by_keyword = true;
        else if (is_positional(s, by_keyword))
            push_once(d, names, s->ann_assign.target->name.id);
    }
}

static void push_args(Desugar *d, const Stmt *class_, SymVec *names, int depth)
{
    bool named_tuple = false;
    if (class_ == NULL || depth > 100)
        return;
    for (size_t i = 0; i < class_->class_def.bases.len; i++) {
        const char *known = desugar_imported(d, class_->class_def.bases.at[i]);
        named_tuple = named_tuple || (known && strcmp(known, "typing.NamedTuple") == 0);
        push_args(d, class_of(d, class_->class_def.bases.at[i]), names, depth + 1);
    }
    if (explicit_args(class_))
        push_explicit(d, explicit_args(class_), names);
    else if (named_tuple || is_dataclass(d, class_))
        push_fields(d, class_, names);
}

SymList desugar_match_args(Desugar *d, const Expr *class_)
{
    static const char *const sums[] = {"pychoral.ad.Inl", "pychoral.ad.Inr", NULL};
    SymVec names = {0};
    const char *known = desugar_imported(d, class_);
    if (known != NULL && sym_is_one_of(known, sums))
        vec_push(d->arena, &names, names_get(d->names, "value"));
    else
        push_args(d, class_of(d, class_), &names, 0);
    return (SymList){names.at, names.len};
}

static bool is_named_tuple(Desugar *d, const Stmt *class_)
{
    for (size_t i = 0; i < class_->class_def.bases.len; i++) {
        const char *known = desugar_imported(d, class_->class_def.bases.at[i]);
        if (known && strcmp(known, "typing.NamedTuple") == 0)
            return true;
    }
    return false;
}

static const Stmt *class_named(Desugar *d, const Ty *t)
{
    return t && t->kind == TY_NAMED ? table_get(d->facts->classes, t->named.name) : NULL;
}

SymList desugar_tuple_fields(Desugar *d, const Ty *t)
{
    const Stmt *class_ = class_named(d, t);
    SymVec names = {0};
    if (class_ != NULL && is_named_tuple(d, class_))
        push_args(d, class_, &names, 0);
    return (SymList){names.at, names.len};
}

// The type that an annotation stands for, if it is simple; else NULL.
static const Ty *annotated(Desugar *d, const Expr *e)
{
    if (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_NONE)
        return ty_none_type(d->arena);
    if (e->kind == EXPR_NAME)
        return desugar_ty(d, e->name.id);
    if (e->kind != EXPR_SUBSCRIPT || e->subscript.value->kind != EXPR_NAME)
        return NULL;
    const Expr *index = e->subscript.slice;
    ExprList items = index->kind == EXPR_TUPLE ? index->tuple.elts : (ExprList){&index, 1};
    Vec(const Ty *) args = {0};
    for (size_t i = 0; i < items.len; i++) {
        const Ty *t = annotated(d, items.at[i]);
        if (t == NULL)
            return NULL;
        vec_push(d->arena, &args, t);
    }
    TyList list = {args.at, args.len};
    return sym_is(e->subscript.value->name.id, "tuple")
               ? ty_tuple(d->arena, list)
               : ty_named(d->arena, e->subscript.value->name.id, list);
}

const Ty *desugar_field_ty(Desugar *d, const Ty *t, Sym field)
{
    const Stmt *class_ = class_named(d, t);
    for (size_t i = 0; class_ && i < class_->class_def.body.len; i++) {
        const Stmt *s = class_->class_def.body.at[i];
        if (s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME
            && s->ann_assign.target->name.id == field)
            return s->ann_assign.target->ty ? s->ann_assign.target->ty
                                            : annotated(d, s->ann_assign.annotation);
    }
    return NULL;
}

static const Ty *result_in(Desugar *d, const Stmt *class_, const char *method, int depth)
{
    const Ty *found = NULL;
    if (class_ == NULL || depth > 100)
        return NULL;
    for (size_t i = 0; i < class_->class_def.body.len; i++) {
        const Stmt *s = class_->class_def.body.at[i];
        if (s->kind == STMT_FUNCTION_DEF && sym_is(s->function_def.name, method)
            && s->function_def.returns)
            return s->function_def.returns->ty;
    }
    for (size_t i = 0; i < class_->class_def.bases.len && found == NULL; i++)
        found = result_in(d, class_of(d, class_->class_def.bases.at[i]), method, depth + 1);
    return found;
}

// What a method of a class of the program gives; NULL: unknown.
const Ty *desugar_result_ty(Desugar *d, const Ty *t, const char *method)
{
    return result_in(d, class_named(d, t), method, 0);
}
