// ad.c - types and nodes for the passes of differentiation.

#include "compiler/pass/ad/ad.h"

#include <stdint.h>
#include <stdio.h>

void ad_open(Ad *ad, Arena *a, Names *names, Diags *diags)
{
    *ad = (Ad){.arena = a, .names = names, .diags = diags, .partials = partials_new(a, names),
               .classes = table_new(a), .none = ty_none_type(a)};
    ad->float_ = ty_named(a, names_get(names, "float"), (TyList){0});
    ad->int_ = ty_named(a, names_get(names, "int"), (TyList){0});
    ad->bool_ = ty_named(a, names_get(names, "bool"), (TyList){0});
}

// ---- types ----

bool ad_is(const Ty *t, const char *name)
{
    return t != NULL && t->kind == TY_NAMED && t->named.args.len == 0
           && sym_is(t->named.name, name);
}

bool ad_is_float(const Ty *t) { return ad_is(t, "float"); }

bool ad_is_discrete(const Ty *t)
{
    static const char *const NAMES[] = {"int", "bool", "str", NULL};
    return t != NULL && (t->kind == TY_NONE_TYPE || t->kind == TY_LITERAL
                         || (t->kind == TY_NAMED && sym_is_one_of(t->named.name, NAMES)));
}

const Ty *ad_list_element(const Ty *t)
{
    bool list = t != NULL && t->kind == TY_NAMED && sym_is(t->named.name, "list")
                && t->named.args.len == 1;
    return list ? t->named.args.at[0] : NULL;
}

static bool holds(const Ad *ad, const Ty *t, Table *seen);

static bool any_holds(const Ad *ad, TyList list, Table *seen)
{
    for (size_t i = 0; i < list.len; i++)
        if (holds(ad, list.at[i], seen))
            return true;
    return false;
}

static bool class_holds(const Ad *ad, const Stmt *def, Table *seen)
{
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        if (s->kind == STMT_ANN_ASSIGN && holds(ad, s->ann_assign.target->ty, seen))
            return true;
    }
    return false;
}

static bool holds(const Ad *ad, const Ty *t, Table *seen)
{
    if (t == NULL)
        return false;
    if (t->kind == TY_UNION)
        return any_holds(ad, t->union_.items, seen);
    if (t->kind == TY_TUPLE)
        return any_holds(ad, t->tuple.items, seen);
    if (t->kind != TY_NAMED)
        return false;
    if (ad_is_float(t) || any_holds(ad, t->named.args, seen))
        return true;
    const Stmt *def = table_get(ad->classes, t->named.name);
    if (def == NULL || table_get(seen, def) != NULL)
        return false;
    table_set(seen, def, seen);
    return class_holds(ad, def, seen);
}

bool ad_holds_float(const Ad *ad, const Ty *t) { return holds(ad, t, table_new(ad->arena)); }

bool ad_is_reference(const Ad *ad, const Ty *t)
{
    return !ad_is_float(t) && ad_holds_float(ad, t);
}

// ---- what can have a twin ----

static bool has_twin(const Ad *ad, const Ty *t, Table *seen);

const char *ad_stands_for(const Stmt *class_)
{
    const ExprList marks = class_->class_def.decorator_list;
    bool made = marks.len == 1 && marks.at[0]->kind == EXPR_NAME
                && (sym_is(marks.at[0]->name.id, "tuple") || sym_is(marks.at[0]->name.id, "float"));
    return made ? marks.at[0]->name.id : NULL;
}

// `@dataclass(frozen=True)`.
bool ad_is_frozen(const Stmt *class_)
{
    const ExprList marks = class_->class_def.decorator_list;
    const Expr *mark = marks.len == 1 ? marks.at[0] : NULL;
    if (mark == NULL || mark->kind != EXPR_CALL || mark->call.keywords.len != 1)
        return false;
    const Keyword *k = mark->call.keywords.at[0];
    return k->arg != NULL && sym_is(k->arg, "frozen") && k->value->kind == EXPR_CONSTANT
           && k->value->constant.value->kind == CONST_BOOL && k->value->constant.value->truth;
}

// A class that is made field by field.
static bool is_plain_class(const Stmt *def)
{
    if (def->class_def.bases.len > 0 || def->class_def.decorator_list.len != 1
        || (def->class_def.decorator_list.at[0]->kind != EXPR_NAME && !ad_is_frozen(def)))
        return false;
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        bool doc = s->kind == STMT_EXPR && s->expr.value->kind == EXPR_CONSTANT;
        if (s->kind != STMT_ANN_ASSIGN && s->kind != STMT_PASS && !doc)
            return false;
    }
    return true;
}

bool ad_is_data(const Ad *ad, const Ty *t)
{
    if (t == NULL || ad_list_element(t) != NULL)
        return t != NULL;
    for (size_t i = 0; t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (ad_is_data(ad, t->union_.items.at[i]))
            return true;
    const Stmt *def = t->kind == TY_NAMED ? table_get(ad->classes, t->named.name) : NULL;
    return def != NULL && is_plain_class(def);
}

static bool class_has_twin(const Ad *ad, const Stmt *def, Table *seen)
{
    if (table_get(seen, def) != NULL)
        return true;
    table_set(seen, def, seen);
    if (!is_plain_class(def))
        return false;
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        if (s->kind == STMT_ANN_ASSIGN && !has_twin(ad, s->ann_assign.target->ty, seen))
            return false;
    }
    return true;
}

static bool has_twin(const Ad *ad, const Ty *t, Table *seen)
{
    if (!ad_holds_float(ad, t) || ad_is_float(t))
        return true;
    if (ad_list_element(t) != NULL)
        return has_twin(ad, ad_list_element(t), seen);
    if (t->kind == TY_UNION) {
        for (size_t i = 0; i < t->union_.items.len; i++)
            if (ad_is_float(t->union_.items.at[i]) || !has_twin(ad, t->union_.items.at[i], seen))
                return false;
        return true;
    }
    const Stmt *def = t->kind == TY_NAMED ? table_get(ad->classes, t->named.name) : NULL;
    return def != NULL && t->named.args.len == 0 && class_has_twin(ad, def, seen);
}

bool ad_has_twin(const Ad *ad, const Ty *t) { return has_twin(ad, t, table_new(ad->arena)); }

// ---- expressions ----

const Expr *ad_typed(const Ad *ad, const Expr *e, const Ty *ty)
{
    return e->ty == ty ? e : expr_with_ty(ad->arena, e, ty, e->roles);
}

const Expr *ad_name(const Ad *ad, Span at, Sym name, const Ty *ty)
{
    return ad_typed(ad, expr_name(ad->arena, at, name, EXPR_CONTEXT_LOAD), ty);
}

static const Expr *constant(const Ad *ad, Span at, const Const *value, const Ty *ty)
{
    return ad_typed(ad, expr_constant(ad->arena, at, value, NULL), ty);
}

const Expr *ad_float(const Ad *ad, Span at, double number)
{
    if (number < 0.0)
        return ad_typed(ad, expr_unary_op(ad->arena, at, UNARYOP_U_SUB,
                                          ad_float(ad, at, -number)), ad->float_);
    return constant(ad, at, const_float(ad->arena, number), ad->float_);
}

const Expr *ad_int(const Ad *ad, Span at, long number)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%ld", number < 0 ? -number : number);
    Text text = {arena_strndup(ad->arena, digits, (size_t)len), (size_t)len};
    const Expr *e = constant(ad, at, const_int(ad->arena, text), ad->int_);
    return number >= 0 ? e : ad_typed(ad, expr_unary_op(ad->arena, at, UNARYOP_U_SUB, e),
                                      ad->int_);
}

const Expr *ad_bool(const Ad *ad, Span at, bool truth)
{
    return constant(ad, at, const_bool(ad->arena, truth), ad->bool_);
}

const Expr *ad_none(const Ad *ad, Span at)
{
    return constant(ad, at, const_none(ad->arena), ad->none);
}

const Expr *ad_bin(const Ad *ad, const Expr *left, Operator op, const Expr *right, const Ty *ty)
{
    return ad_typed(ad, expr_bin_op(ad->arena, left->at, left, op, right), ty);
}

const Expr *ad_not(const Ad *ad, const Expr *e)
{
    return ad_typed(ad, expr_unary_op(ad->arena, e->at, UNARYOP_NOT, e), ad->bool_);
}

ExprList ad_exprs(const Ad *ad, size_t n, const Expr *const *at)
{
    const Expr **copy = ARENA_ARRAY(ad->arena, const Expr *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = at[i];
    return (ExprList){copy, n};
}

const Expr *ad_and(const Ad *ad, const Expr *left, const Expr *right)
{
    const Expr *both[] = {left, right};
    return ad_typed(ad, expr_bool_op(ad->arena, left->at, BOOLOP_AND, ad_exprs(ad, 2, both)),
                    ad->bool_);
}

const Expr *ad_compare(const Ad *ad, const Expr *left, Cmpop op, const Expr *right)
{
    Cmpop *ops = ARENA_NEW(ad->arena, Cmpop);
    *ops = op;
    return ad_typed(ad, expr_compare(ad->arena, left->at, left, (CmpopList){ops, 1},
                                     ad_exprs(ad, 1, &right)), ad->bool_);
}

const Expr *ad_attribute(const Ad *ad, const Expr *base, Sym attr, const Ty *ty)
{
    return ad_typed(ad, expr_attribute(ad->arena, base->at, base, attr, EXPR_CONTEXT_LOAD), ty);
}

const Expr *ad_item(const Ad *ad, const Expr *base, const Expr *index, const Ty *ty)
{
    return ad_typed(ad, expr_subscript(ad->arena, base->at, base, index, EXPR_CONTEXT_LOAD), ty);
}

const Expr *ad_call(const Ad *ad, const Expr *func, const Ty *ty, size_t n,
                    const Expr *const *args)
{
    return ad_typed(ad, expr_call(ad->arena, func->at, func, ad_exprs(ad, n, args),
                                  (KeywordList){0}), ty);
}

// The type of a function that takes these.
static const Ty *callable(const Ad *ad, const Ty *result, size_t n, const Expr *const *args)
{
    const Ty **params = ARENA_ARRAY(ad->arena, const Ty *, n + 1);
    for (size_t i = 0; i < n; i++)
        params[i] = args[i]->ty;
    return ty_callable(ad->arena, (TyList){params, n}, result);
}

const Expr *ad_call_name(const Ad *ad, Span at, const char *func, const Ty *ty, size_t n,
                         const Expr *const *args)
{
    const Ty *type = callable(ad, ty, n, args);
    return ad_call(ad, ad_name(ad, at, names_get(ad->names, func), type), ty, n, args);
}

const Expr *ad_method(const Ad *ad, const Expr *base, const char *method, const Ty *ty, size_t n,
                      const Expr *const *args)
{
    const Ty *type = callable(ad, ty, n, args);
    return ad_call(ad, ad_attribute(ad, base, names_get(ad->names, method), type), ty, n, args);
}

// ---- annotations ----

static const Expr *annotation_of(const Ad *ad, Span at, Sym name, TyList args)
{
    const Expr *base = expr_name(ad->arena, at, name, EXPR_CONTEXT_LOAD), *slice;
    if (args.len == 0)
        return base;
    const Expr **items = ARENA_ARRAY(ad->arena, const Expr *, args.len);
    for (size_t i = 0; i < args.len; i++)
        items[i] = ad_annotation(ad, at, args.at[i]);
    slice = args.len == 1 ? items[0] : expr_tuple(ad->arena, at, (ExprList){items, args.len},
                                                  EXPR_CONTEXT_LOAD);
    return expr_subscript(ad->arena, at, base, slice, EXPR_CONTEXT_LOAD);
}

const Expr *ad_annotation(const Ad *ad, Span at, const Ty *t)
{
    if (t->kind == TY_NONE_TYPE)
        return expr_constant(ad->arena, at, const_none(ad->arena), NULL);
    if (t->kind == TY_NAMED)
        return annotation_of(ad, at, t->named.name, t->named.args);
    if (t->kind == TY_TUPLE)
        return annotation_of(ad, at, names_get(ad->names, "tuple"), t->tuple.items);
    if (t->kind != TY_UNION)
        return expr_name(ad->arena, at, names_get(ad->names, "object"), EXPR_CONTEXT_LOAD);
    const Expr *e = ad_annotation(ad, at, t->union_.items.at[0]);
    for (size_t i = 1; i < t->union_.items.len; i++)
        e = expr_bin_op(ad->arena, at, e, OPERATOR_BIT_OR,
                        ad_annotation(ad, at, t->union_.items.at[i]));
    return e;
}

// ---- statements ----

static const Expr *as_target(const Ad *ad, const Expr *e)
{
    const Expr *target = e;
    if (e->kind == EXPR_NAME)
        target = expr_name(ad->arena, e->at, e->name.id, EXPR_CONTEXT_STORE);
    else if (e->kind == EXPR_ATTRIBUTE)
        target = expr_attribute(ad->arena, e->at, e->attribute.value, e->attribute.attr,
                                EXPR_CONTEXT_STORE);
    else if (e->kind == EXPR_SUBSCRIPT)
        target = expr_subscript(ad->arena, e->at, e->subscript.value, e->subscript.slice,
                                EXPR_CONTEXT_STORE);
    return ad_typed(ad, target, e->ty);
}

const Stmt *ad_store(const Ad *ad, const Expr *target, const Expr *value)
{
    const Expr *to = as_target(ad, target);
    return stmt_assign(ad->arena, value->at, ad_exprs(ad, 1, &to), value);
}

const Stmt *ad_assign(const Ad *ad, Sym name, const Expr *value)
{
    return ad_store(ad, ad_name(ad, value->at, name, value->ty), value);
}

const Stmt *ad_increase(const Ad *ad, const Expr *target, const Expr *by)
{
    return ad_store(ad, target, ad_bin(ad, target, OPERATOR_ADD, by, target->ty));
}

StmtList ad_stmts(const AdBlock *block) { return (StmtList){block->at, block->len}; }

const Endpoint *ad_module(Arena *a, Sym role, StmtList body)
{
    return endpoint_new(a, role, body, (SymList){0}, (SymList){0}, (FragmentList){0});
}

// ---- questions ----

bool ad_is_atom(const Expr *e)
{
    bool of_math = e->kind == EXPR_ATTRIBUTE && e->attribute.value->kind == EXPR_NAME
                   && sym_is(e->attribute.value->name.id, "math");
    bool negative = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB
                    && e->unary_op.operand->kind == EXPR_CONSTANT;
    return e->kind == EXPR_NAME || e->kind == EXPR_CONSTANT || of_math || negative;
}

bool ad_is_name(const Expr *e, Sym name) { return e->kind == EXPR_NAME && e->name.id == name; }

typedef struct Mention { Sym name; bool found; } Mention;

static bool find_mention(void *cx, const Expr *e)
{
    Mention *m = cx;
    m->found = m->found || ad_is_name(e, m->name);
    return !m->found;
}

bool ad_mentions(const Expr *e, Sym name)
{
    Mention m = {.name = name};
    IrWalker w = {.cx = &m, .expr = find_mention};
    ir_walk_expr(&w, e);
    return m.found;
}

Sym ad_fresh(const Ad *ad, Table *taken, const char *base)
{
    Sym name = names_get(ad->names, base), count = names_format(ad->names, "%s ", base);
    uintptr_t last = (uintptr_t)table_get(taken, count);        // those below are taken
    for (uintptr_t n = last > 2 ? last : 2; table_get(taken, name) != NULL; n++) {
        name = names_format(ad->names, "%s_%d", base, (int)n);
        table_set(taken, count, (void *)(n + 1));
    }
    table_set(taken, name, taken);
    return name;
}
