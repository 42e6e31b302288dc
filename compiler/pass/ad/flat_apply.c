// flat_apply.c - the types that shapes stand for, and calls through values: of the function of the
// one record that it can be, or of one that asks which it is.

#include "compiler/emit/python.h"
#include "compiler/pass/ad/flat_closure.h"

enum { MOST_LEVELS = 32 };      // of types that were found: a list that holds itself has no type

// ---- types ----

static const Ty *ty_at(Shapes *ss, Shape *s, int level);

static const Ty *named(Shapes *ss, const char *name, const Ty *arg)
{
    const Ty **args = ARENA_NEW(ss->ad->arena, const Ty *);
    *args = arg;
    return ty_named(ss->ad->arena, names_get(ss->ad->names, name), (TyList){args, arg != NULL});
}

// What a value may be, each once; nested unions are one.
static const Ty *one_of(Shapes *ss, TyList items)
{
    Vec(const Ty *) all = {0};
    for (size_t i = 0; i < items.len; i++) {
        const Ty *t = items.at[i];
        TyList parts = t->kind == TY_UNION ? t->union_.items : (TyList){&t, 1};
        for (size_t k = 0; k < parts.len; k++) {
            bool has = false;
            for (size_t j = 0; j < all.len; j++)
                has = has || ir_equal_ty(all.at[j], parts.at[k]);
            if (!has)
                vec_push(ss->ad->arena, &all, parts.at[k]);
        }
    }
    return all.len == 1 ? all.at[0] : ty_union(ss->ad->arena, (TyList){all.at, all.len});
}

static const Ty *of_records(Shapes *ss, const Shape *s)
{
    Vec(const Ty *) items = {0};
    for (size_t i = 0; i < s->records.len; i++)
        vec_push(ss->ad->arena, &items, named(ss, s->records.at[i]->class_, NULL));
    return items.len == 0 ? ss->ad->none : one_of(ss, (TyList){items.at, items.len});
}

// A Ref is an object of a class for what it holds.
static const Ty *of_ref(Shapes *ss, const Ty *item)
{
    Flat *flat = ss->flat;
    Buf b = buf_new(ss->ad->arena);
    FlatFields fields = {0};
    emit_ty(&b, item);
    Sym key = names_get(ss->ad->names, buf_text(&b)), name = table_get(flat->refs, key);
    if (name == NULL) {
        bool simple = item->kind == TY_NAMED && item->named.args.len == 0;
        name = flat_free_name(flat, simple ? names_format(ss->ad->names, "Ref_%s", key) : "Ref_");
        vec_push(ss->ad->arena, &fields,
                 flat_arg(ss->ad, (Span){0, 0}, names_get(ss->ad->names, "value"), item));
        flat_add_class(flat, (Span){0, 0}, name, &fields);
        table_set(flat->refs, key, (void *)name);
        table_set(flat->ref_classes, name, flat);
    }
    return named(ss, name, NULL);
}

static const Ty *ty_at(Shapes *ss, Shape *s, int level)
{
    s = shapes_root(s);
    if (level > MOST_LEVELS)
        return ty_any(ss->ad->arena);
    switch (s->form) {
    case SHAPE_OPEN: return s->found ? ss->ad->none : ty_any(ss->ad->arena);
    case SHAPE_KNOWN: return s->ty;
    case SHAPE_LIST: return named(ss, "list", ty_at(ss, shapes_part(ss, s, 0), level + 1));
    case SHAPE_REF: return of_ref(ss, ty_at(ss, shapes_part(ss, s, 0), level + 1));
    case SHAPE_FUNCTION: return of_records(ss, s);
    case SHAPE_TUPLE: break;
    }
    const Ty **items = ARENA_ARRAY(ss->ad->arena, const Ty *, s->len + 1);
    for (size_t i = 0; i < s->len; i++)
        items[i] = ty_at(ss, s->at[i], level + 1);
    return ty_tuple(ss->ad->arena, (TyList){items, s->len});
}

const Ty *shapes_ty(Shapes *ss, Shape *s) { return ty_at(ss, s, 0); }

// The type with what was found in the place of what is open in it.
const Ty *shapes_retyped(Shapes *ss, const Ty *ty, Shape *s)
{
    s = shapes_root(s);
    bool function = ty->kind == TY_CALLABLE && s->form == SHAPE_FUNCTION;
    if (s->form == SHAPE_OPEN && !s->found)
        return ty;
    if (function)
        return s->records.len > 0 ? of_records(ss, s) : ty;
    if (ty->kind != TY_UNION)
        return ty->kind == TY_NAMED && flat_record(ss->flat, ty->named.name) ? ty
                                                                             : shapes_ty(ss, s);
    const Ty **items = ARENA_ARRAY(ss->ad->arena, const Ty *, ty->union_.items.len);
    for (size_t i = 0; i < ty->union_.items.len; i++) {
        const Ty *t = ty->union_.items.at[i];
        bool plain = t->kind == TY_NONE_TYPE || ad_is_float(t) || ad_is_discrete(t);
        items[i] = plain ? t : shapes_retyped(ss, t, s);
    }
    return one_of(ss, (TyList){items, ty->union_.items.len});
}

// ---- calls ----

// The call of the function of a record.
static const Expr *record_call(Shapes *ss, Span at, const FlatRecord *r, const Expr *value,
                               const AdExprs *given, const Ty *ty)
{
    const Ad *ad = ss->ad;
    AdExprs args = {0};
    if (r->self)
        vec_push(ad->arena, &args, value);
    for (size_t i = 0; i < given->len; i++)
        vec_push(ad->arena, &args, given->at[i]);
    size_t missing = r->params.len > given->len ? r->params.len - given->len : 0;
    for (size_t i = 0; missing <= r->defaults.len && i < missing; i++) {
        Sym field = r->defaults.at[r->defaults.len - missing + i];
        vec_push(ad->arena, &args, ad_attribute(ad, value, field, ty_any(ad->arena)));
    }
    return ad_call_name(ad, at, r->function, ty, args.len, args.at);
}

static const Expr *typed_call(Shapes *ss, Span at, const FlatRecord *r, const Expr *value,
                              const AdExprs *given, const Ty *ty)
{
    const Ad *ad = ss->ad;
    const Expr *call = record_call(ss, at, r, value, given, ty);
    const FunctionShape *f = shapes_function(ss, r->function);
    const Expr **args = ARENA_ARRAY(ad->arena, const Expr *, call->call.args.len + 1);
    for (size_t i = 0; i < call->call.args.len; i++) {
        const Expr *arg = call->call.args.at[i];
        bool open = arg->ty == NULL || arg->ty->kind == TY_ANY;
        args[i] = open && i < f->params.len ? ad_typed(ad, arg, shapes_ty(ss, f->params.at[i]))
                                            : arg;
    }
    return ad_call(ad, call->call.func, ty, call->call.args.len, args);
}

static const Stmt *returned(const Ad *ad, const Expr *value)
{
    return stmt_return(ad->arena, value->at, value);
}

// `def call_it(f, a1, ..): if isinstance(f, R1): return r1(f, a1, ..) ..`
static Sym asking_function(Shapes *ss, Shape *s, Span at, size_t count)
{
    const Ad *ad = ss->ad;
    Sym key = names_format(ad->names, "%zu", count);
    s->calls = s->calls != NULL ? s->calls : table_new(ad->arena);
    Sym name = table_get(s->calls, key);
    if (name != NULL)
        return name;
    name = flat_free_name(ss->flat, "call_value");
    FlatFields params = {0};
    AdExprs given = {0};
    AdBlock body = {0};
    Sym f = names_get(ad->names, "f");
    const Ty *ty = of_records(ss, s), *result = shapes_ty(ss, shapes_part(ss, s, 0));
    vec_push(ad->arena, &params, flat_arg(ad, at, f, ty));
    for (size_t i = 0; i < count; i++) {
        const Ty *of = shapes_ty(ss, shapes_part(ss, s, i + 1));
        Sym param = names_format(ad->names, "a%zu", i + 1);
        vec_push(ad->arena, &params, flat_arg(ad, at, param, of));
        vec_push(ad->arena, &given, ad_name(ad, at, param, of));
    }
    for (size_t i = 0; i < s->records.len; i++) {
        const FlatRecord *r = s->records.at[i];
        const Ty *class_ = named(ss, r->class_, NULL);
        const Stmt **answer = ARENA_NEW(ad->arena, const Stmt *);
        *answer = returned(ad, typed_call(ss, at, r, ad_name(ad, at, f, class_), &given, result));
        const Expr *test[] = {ad_name(ad, at, f, ty),
                              ad_name(ad, at, r->class_, named(ss, "type", class_))};
        if (i + 1 == s->records.len)
            vec_push(ad->arena, &body, *answer);
        else
            vec_push(ad->arena, &body,
                     stmt_if(ad->arena, at, ad_call_name(ad, at, "isinstance", ad->bool_, 2, test),
                             (StmtList){answer, 1}, (StmtList){0}));
    }
    flat_add_function(ss->flat, at, name, &params, (ExprList){0}, ad_stmts(&body), result);
    table_set(s->calls, key, (void *)name);
    return name;
}

static bool has_no_effect(const Expr *e)
{
    while (e->kind == EXPR_ATTRIBUTE)
        e = e->attribute.value;
    return e->kind == EXPR_NAME;
}

static bool positional(Shapes *ss, const Expr *e, const Shape *s, AdExprs *given)
{
    for (size_t i = 0; i < e->call.args.len; i++) {
        if (e->call.args.at[i]->kind == EXPR_STARRED)
            return false;
        vec_push(ss->ad->arena, given, e->call.args.at[i]);
    }
    const FlatRecord *r = s->records.at[0];
    for (size_t w = 0; w < e->call.keywords.len; w++) {
        bool next = s->records.len == 1 && given->len < r->params.len
                    && e->call.keywords.at[w]->arg == r->params.at[given->len];
        if (!next)
            return false;
        vec_push(ss->ad->arena, given, e->call.keywords.at[w]->value);
    }
    return true;
}

static Shape *called_shape(Shapes *ss, const Expr *e)
{
    const Expr *func = e->call.func;
    Sym name = func->kind == EXPR_NAME ? func->name.id : NULL;
    bool direct = name != NULL && table_get(ss->current->vars, name) == NULL;
    Shape *s = direct ? NULL : shapes_root(shapes_of(ss, func));
    return s != NULL && s->form == SHAPE_FUNCTION && s->records.len > 0 ? s : NULL;
}

static const Expr *value_call(Shapes *ss, const Expr *e, Shape *s)
{
    const Ad *ad = ss->ad;
    AdExprs given = {0};
    if (!positional(ss, e, s, &given)) {
        diag_help(diag_report(ad->diags, e->at, DIAG_GRAD_CONSTRUCT,
                              "the parameters of this function value are not known, so keyword and "
                              "default arguments are not supported"),
                  "pass all arguments by position");
        return e;
    }
    if (ad_is_discrete(e->ty) && ad_is_float(shapes_ty(ss, shapes_part(ss, s, 0)))) {
        diag_help(diag_report(ad->diags, e->at, DIAG_GRAD_TYPE,
                              "this call does not return a `float`, but other calls of the same "
                              "function value do"),
                  "where the function is assigned to a variable for functions that return a "
                  "`float`, write a function that does, as in `lambda x: float(k(x))`");
        return e;
    }
    const FlatRecord *r = s->records.at[0];
    const Ty *ty = shapes_retyped(ss, e->ty ? e->ty : ty_any(ad->arena), shapes_of(ss, e));
    bool whole = given.len == r->params.len || r->defaults.len == 0;
    if (s->records.len == 1 && whole && (r->self || has_no_effect(e->call.func)))
        return typed_call(ss, e->at, r, e->call.func, &given, ty);
    AdExprs all = {0};
    vec_push(ad->arena, &all, e->call.func);
    for (size_t i = 0; i < given.len; i++)
        vec_push(ad->arena, &all, given.at[i]);
    return ad_call_name(ad, e->at, asking_function(ss, s, e->at, given.len), ty, all.len, all.at);
}

// A value and its tangent: of the function of the one record, or of one that asks.
static const Expr *derivative_call(Shapes *ss, const Expr *e, const char *pattern)
{
    const Ad *ad = ss->ad;
    const Expr *f = e->call.args.at[0];
    Shape *s = shapes_root(shapes_of(ss, f));
    if (s->form != SHAPE_FUNCTION || s->records.len == 0)
        return e;
    const FlatRecord *r = s->records.at[0];
    bool one = s->records.len == 1 && r->params.len == strlen(pattern);
    bool self = !one || r->self;
    Sym of = one ? r->function : asking_function(ss, s, e->at, strlen(pattern));
    AdExprs args = {0};
    for (size_t i = self ? 0 : 1; i < e->call.args.len; i++)
        vec_push(ad->arena, &args, e->call.args.at[i]);
    Sym name = flat_variant(ss->flat, e->at, of, names_format(ad->names, "%s%s", self ? "0" : "",
                                                             pattern));
    return ad_call_name(ad, e->at, name, e->ty, args.len, args.at);
}

const Expr *shapes_rewritten(Shapes *ss, const Expr *e)
{
    const Ad *ad = ss->ad;
    if (e->kind != EXPR_CALL)
        return e;
    const Expr *func = e->call.func;
    const char *path = func->kind == EXPR_NAME ? table_get(ss->flat->imports, func->name.id) : NULL;
    if (func->kind == EXPR_NAME && strncmp(func->name.id, FLAT_JVP, strlen(FLAT_JVP)) == 0)
        return derivative_call(ss, e, func->name.id + strlen(FLAT_JVP));
    Shape *own = shapes_root(shapes_of(ss, e)), *called = called_shape(ss, e);
    if (called != NULL)
        return value_call(ss, e, called);
    if (own->form == SHAPE_REF && func->kind == EXPR_NAME
        && (sym_is(func->name.id, REF_TYPE) || sym_is(path, REF_TYPE))) {
        const Ty *ty = shapes_ty(ss, own);
        return ad_call(ad, ad_name(ad, func->at, ty->named.name, NULL), ty, e->call.args.len,
                       e->call.args.at);
    }
    return e;
}
