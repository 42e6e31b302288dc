// expand_narrow.c - a derivative as Python that is checked again. A test that was kept for the way
// back, and a twin, which is None where its object is, tell a checker nothing: where a
// variable of several classes is known to be of one of them, a function says so. Variables of
// lists and of several classes are declared, and powers of floats are made floats.

#include "compiler/emit/python.h"
#include "compiler/pass/ad/expand_internal.h"

typedef struct Conversion { const char *from, *to; Sym function; } Conversion;

typedef struct Narrow {
    const Ad *ad;
    Table *taken;
    Sym    base;
    Table *types;               // of the variables of a function: name -> Ty
    Table *bound;               // names that have a declaration already
    Vec(Conversion) known;
    AdBlock *more;
} Narrow;

static const char *ty_text(const Narrow *n, const Ty *t)
{
    Buf b = buf_new(n->ad->arena);
    emit_ty(&b, t);
    return buf_text(&b);
}

// ---- the types of variables ----

static bool needs_declaration(const Ty *t)
{
    return t != NULL && (t->kind == TY_UNION || ad_list_element(t) != NULL);
}

static bool note_store(void *cx, const Expr *e)
{
    Narrow *n = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE && e->ty != NULL) {
        const Ty *before = table_get(n->types, e->name.id);
        if (before == NULL || before->kind != TY_UNION)
            table_set(n->types, e->name.id, (void *)e->ty);
    }
    return true;
}

// ---- conversions ----

static size_t count(const Ty *t) { return t->kind == TY_UNION ? t->union_.items.len : 1; }

static bool has_none(const Ty *t)
{
    for (size_t i = 0; t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (t->union_.items.at[i]->kind == TY_NONE_TYPE)
            return true;
    return t->kind == TY_NONE_TYPE;
}

// Whether None is all that is left out.
static bool is_without_none(const Ty *whole, const Ty *t)
{
    return has_none(whole) && !has_none(t) && count(t) + 1 == count(whole);
}

static const Expr *test(const Narrow *n, const Expr *value, const Ty *whole, const Ty *t)
{
    const Ad *ad = n->ad;
    if (is_without_none(whole, t))
        return ad_compare(ad, value, CMPOP_IS_NOT, ad_none(ad, value->at));
    const Expr *args[] = {value, ad_list_element(t) != NULL
                                     ? ad_name(ad, value->at, names_get(ad->names, "list"), t)
                                     : ad_annotation(ad, value->at, t)};
    return ad_call_name(ad, value->at, "isinstance", ad->bool_, 2, args);
}

static void put_function(Narrow *n, Span at, Sym name, const Ty *whole, const Ty *t)
{
    const Ad *ad = n->ad;
    const Arg **args = ARENA_NEW(ad->arena, const Arg *);
    const Stmt **body = ARENA_ARRAY(ad->arena, const Stmt *, 2);
    const Expr *value = ad_name(ad, at, names_get(ad->names, "value"), t);
    *args = arg_new(ad->arena, at, value->name.id, ad_annotation(ad, at, whole));
    body[0] = stmt_assert(ad->arena, at, test(n, value, whole, t), NULL);
    body[1] = stmt_return(ad->arena, at, value);
    const Arguments *all = arguments_new(ad->arena, (ArgList){0}, (ArgList){args, 1}, NULL,
                                         (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
    vec_push(ad->arena, n->more,
             stmt_function_def(ad->arena, at, name, all, (StmtList){body, 2}, (ExprList){0},
                               ad_annotation(ad, at, t), (TypeParamList){0}));
}

static Sym conversion(Narrow *n, Span at, const Ty *whole, const Ty *t)
{
    const char *from = ty_text(n, whole), *to = ty_text(n, t);
    for (size_t i = 0; i < n->known.len; i++)
        if (strcmp(n->known.at[i].from, from) == 0 && strcmp(n->known.at[i].to, to) == 0)
            return n->known.at[i].function;
    Sym name = ad_fresh(n->ad, n->taken, n->base);
    vec_push(n->ad->arena, &n->known, ((Conversion){from, to, name}));
    put_function(n, at, name, whole, t);
    return name;
}

// Python's `**` of floats may be complex, so that its type is not known.
static bool is_float_power(const Expr *e)
{
    return e->kind == EXPR_BIN_OP && e->bin_op.op == OPERATOR_POW && ad_is_float(e->ty);
}

static const Expr *narrowed(IrMapper *m, const Expr *e)
{
    Narrow *n = m->cx;
    if (is_float_power(e))
        return ad_call_name(n->ad, e->at, "float", e->ty, 1, &e);
    const Ty *whole = e->kind == EXPR_NAME ? table_get(n->types, e->name.id) : NULL;
    bool same = whole == NULL || e->ty == NULL || whole->kind != TY_UNION
                || e->ty->kind == TY_NONE_TYPE || ir_equal_ty(whole, e->ty)
                || (e->ty->kind == TY_UNION && !is_without_none(whole, e->ty));
    if (same || e->name.ctx != EXPR_CONTEXT_LOAD)
        return e;
    return ad_call_name(n->ad, e->at, conversion(n, e->at, whole, e->ty), e->ty, 1, &e);
}

// ---- declarations ----

// `x = ..` as `x: T = ..` where it is first.
static const Stmt *declared(IrMapper *m, const Stmt *s)
{
    Narrow *n = m->cx;
    const Expr *to = s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : NULL;
    if (s->kind == STMT_ANN_ASSIGN)
        table_set(n->bound, s->ann_assign.target->name.id, n);
    if (to == NULL || to->kind != EXPR_NAME || table_get(n->bound, to->name.id) != NULL)
        return s;
    const Ty *t = table_get(n->types, to->name.id);
    table_set(n->bound, to->name.id, n);
    if (!needs_declaration(t))
        return s;
    return stmt_ann_assign(n->ad->arena, s->at, to, ad_annotation(n->ad, s->at, t),
                           s->assign.value, 1);
}

static const Stmt *narrow_function(Narrow *n, const Stmt *def)
{
    Arena *a = n->ad->arena;
    n->types = table_new(a);
    n->bound = table_new(a);
    ArgList params = def->function_def.args->args;
    for (size_t i = 0; i < params.len; i++) {
        table_set(n->types, params.at[i]->arg, (void *)params.at[i]->ty);
        table_set(n->bound, params.at[i]->arg, n);
    }
    IrWalker w = {.cx = n, .expr = note_store};
    IrMapper m = {.arena = a, .cx = n, .expr = narrowed, .stmt = declared};
    ir_walk_stmts(&w, def->function_def.body);
    return stmt_function_def(a, def->at, def->function_def.name, def->function_def.args,
                             ir_map_stmts(&m, def->function_def.body), (ExprList){0},
                             def->function_def.returns, (TypeParamList){0});
}

StmtList expand_narrowed(const Ad *ad, Table *taken, Sym base, StmtList body, AdBlock *more)
{
    Narrow n = {.ad = ad, .taken = taken, .base = base, .more = more};
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++)
        vec_push(ad->arena, &out, body.at[i]->kind == STMT_FUNCTION_DEF
                                      ? narrow_function(&n, body.at[i]) : body.at[i]);
    return ad_stmts(&out);
}
