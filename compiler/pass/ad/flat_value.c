// flat_value.c - values that hold floats and are none themselves. From here on a tuple is an object
// of a class of the derivative's own, with a field for each part, and so is a float that may be
// None: both sweeps and C know objects only. Who calls the derivative gives and gets tuples
// (value_text.c, kernel/twin/). What may be a float or an int is a float.
//
// What an expression is made of decides how it is read: a name has the type that it is declared
// with, although the checker knows more at some places. `flat_as` makes of a value what a place
// holds.

#include <stdlib.h>

#include "compiler/pass/ad/flat_internal.h"

// ---- classes ----

static bool is_taken(const Flat *flat, Sym name)
{
    return table_get(flat->functions, name) || table_get(flat->imports, name)
           || table_get(flat->globals, name) || table_get(flat->ad.classes, name);
}

static const Stmt *field_of(const Ad *ad, Sym name, const Ty *ty)
{
    Span at = {0, 0};
    const Expr *target = ad_typed(ad, expr_name(ad->arena, at, name, EXPR_CONTEXT_STORE), ty);
    return stmt_ann_assign(ad->arena, at, target, ad_annotation(ad, at, ty), NULL, 1);
}

// `kind` is what it stands for: "tuple", "float".
static const Ty *made_class(Flat *flat, const char *kind, const char *base, TyList items)
{
    const Ad *ad = &flat->ad;
    bool tuple = strcmp(kind, "tuple") == 0;
    AdBlock body = {0};
    Sym name = names_get(ad->names, base);
    for (int n = 2; is_taken(flat, name); n++)
        name = names_format(ad->names, "%s_%d", base, n);
    for (size_t i = 0; i < items.len; i++)
        vec_push(ad->arena, &body, field_of(ad, tuple ? names_format(ad->names, "at%zu", i)
                                                : names_get(ad->names, "value"), items.at[i]));
    const Expr *mark = expr_name(ad->arena, (Span){0, 0}, names_get(ad->names, kind),
                                 EXPR_CONTEXT_LOAD);
    const Stmt *def = stmt_class_def(ad->arena, (Span){0, 0}, name, (ExprList){0},
                                     (KeywordList){0}, ad_stmts(&body), ad_exprs(ad, 1, &mark),
                                     (TypeParamList){0});
    table_set(ad->classes, name, (void *)def);
    vec_push(ad->arena, &flat->classes, def);
    return ty_named(ad->arena, name, (TyList){0});
}

static const Ty *value_class(Flat *flat, const char *kind, const char *base, const Ty *of,
                             TyList items)
{
    Buf key = buf_new(flat->ad.arena);
    ir_print_ty(&key, of);
    Sym text = names_get(flat->ad.names, buf_text(&key));
    const Ty *known = table_get(flat->values, text);
    if (known == NULL)
        table_set(flat->values, text, (void *)(known = made_class(flat, kind, base, items)));
    return known;
}

static bool stands_for(const Flat *flat, const Ty *t, const char *kind)
{
    const Stmt *def = t != NULL && t->kind == TY_NAMED
                          ? table_get(flat->ad.classes, t->named.name) : NULL;
    return def != NULL && ad_stands_for(def) != NULL && strcmp(ad_stands_for(def), kind) == 0;
}

// What of a union, or the type itself, stands for that; NULL: nothing. `parts`: how many fields.
static const Ty *member(const Flat *flat, const Ty *t, const char *kind, size_t parts)
{
    if (t != NULL && t->kind == TY_UNION) {
        const Ty *found = NULL;
        for (size_t i = 0; i < t->union_.items.len && found == NULL; i++)
            found = member(flat, t->union_.items.at[i], kind, parts);
        return found;
    }
    if (!stands_for(flat, t, kind))
        return NULL;
    const Stmt *def = table_get(flat->ad.classes, t->named.name);
    return def->class_def.body.len == parts ? t : NULL;
}

static const Ty *box_of(const Flat *flat, const Ty *t) { return member(flat, t, "float", 1); }

// How many parts a tuple has, as an object; SIZE_MAX: it is none.
static size_t part_count(const Fun *f, const Ty *t)
{
    const Flat *flat = f->flat;
    if (!stands_for(flat, t, "tuple"))
        return SIZE_MAX;
    return ((const Stmt *)table_get(flat->ad.classes, t->named.name))->class_def.body.len;
}

static const Expr *field_target(const Fun *f, const Ty *t, size_t i)
{
    const Stmt *def = table_get(f->flat->ad.classes, t->named.name);
    return def->class_def.body.at[i]->ann_assign.target;
}

// ---- types ----

static const Ty *mapped_tuple(Flat *flat, const Ty *t)
{
    if (!ad_holds_float(&flat->ad, t))
        return t;
    return value_class(flat, "tuple", names_format(flat->ad.names, "Tuple%zu", t->tuple.items.len),
                       t, t->tuple.items);
}

static const Ty *mapped_union(Flat *flat, const Ty *t)
{
    Arena *a = flat->ad.arena;
    Vec(const Ty *) items = {0};
    bool real = false, none = false;
    for (size_t i = 0; i < t->union_.items.len; i++) {
        real = real || ad_is_float(t->union_.items.at[i]);
        none = none || t->union_.items.at[i]->kind == TY_NONE_TYPE;
    }
    if (!real)
        return t;
    const Ty *number = flat->ad.float_;
    if (none)
        number = value_class(flat, "float", "Number", number, (TyList){&flat->ad.float_, 1});
    vec_push(a, &items, number);
    for (size_t i = 0; i < t->union_.items.len; i++) {
        const Ty *item = t->union_.items.at[i];
        if (!ad_is_float(item) && !ad_is(item, "int") && !ad_is(item, "bool"))
            vec_push(a, &items, item);
    }
    return items.len == 1 ? items.at[0] : ty_union(a, (TyList){items.at, items.len});
}

static const Ty *mapped(IrMapper *m, const Ty *t)
{
    if (t->kind == TY_TUPLE)
        return mapped_tuple(m->cx, t);
    return t->kind == TY_UNION ? mapped_union(m->cx, t) : t;
}

const Ty *flat_ty(Flat *flat, const Ty *t)
{
    const Ty *known = t != NULL ? table_get(flat->tys, t) : NULL;
    if (t == NULL || known != NULL)
        return known;
    IrMapper m = {.arena = flat->ad.arena, .cx = flat, .ty = mapped};
    known = ir_map_ty(&m, t);
    table_set(flat->tys, t, (void *)known);
    return known;
}

static const Expr *typed_expr(IrMapper *m, const Expr *e)
{
    return e->ty == NULL ? e : ad_typed(&((Flat *)m->cx)->ad, e, flat_ty(m->cx, e->ty));
}

static const Arg *typed_arg(IrMapper *m, const Arg *arg)
{
    return arg->ty == NULL ? arg : arg_with_ty(m->arena, arg, flat_ty(m->cx, arg->ty));
}

const Stmt *flat_typed(Flat *flat, const Stmt *s)
{
    IrMapper m = {.arena = flat->ad.arena, .cx = flat, .expr = typed_expr, .arg = typed_arg};
    return ir_map_stmt(&m, s);
}

void flat_type_classes(Flat *flat)
{
    for (size_t i = 0; i < flat->classes.len; i++) {
        const Stmt *def = flat->classes.at[i];
        if (ad_stands_for(def) != NULL)
            continue;
        def = flat_typed(flat, def);
        flat->classes.at[i] = def;
        table_set(flat->ad.classes, def->class_def.name, (void *)def);
    }
}

// ---- reading ----

// What a place of type `held` gives where the checker knows `e->ty`. `e` is a name or place.
const Expr *flat_held(Fun *f, const Expr *e, const Ty *held)
{
    const Ad *ad = &f->flat->ad;
    const Ty *box = box_of(f->flat, held);
    size_t parts = part_count(f, e->ty);
    if (box != NULL && (ad_is_float(e->ty) || ad_is_discrete(e->ty))
        && e->ty->kind != TY_NONE_TYPE)
        return ad_attribute(ad, ad_typed(ad, e, box), names_get(ad->names, "value"), ad->float_);
    const Ty *tuple = parts == SIZE_MAX ? NULL : member(f->flat, held, "tuple", parts);
    return tuple != NULL ? ad_typed(ad, e, tuple) : e;
}

static const Ty *field_ty(const Fun *f, const Ty *object, Sym name)
{
    const Stmt *def = object != NULL && object->kind == TY_NAMED
                          ? table_get(f->flat->ad.classes, object->named.name) : NULL;
    for (size_t i = 0; def != NULL && i < def->class_def.body.len; i++) {
        const Stmt *s = def->class_def.body.at[i];
        if (s->kind == STMT_ANN_ASSIGN && ad_is_name(s->ann_assign.target, name))
            return s->ann_assign.target->ty;
    }
    return NULL;
}

bool flat_is_int(const Expr *e, long *i)
{
    const Expr *number = e->kind == EXPR_UNARY_OP ? e->unary_op.operand : e;
    if (number->kind != EXPR_CONSTANT || number->constant.value->kind != CONST_INT)
        return false;
    *i = strtol(number->constant.value->text.at, NULL, 10);
    *i = e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB ? -*i : *i;
    return true;
}

// Part i of a tuple: of a display, of an object.
static const Expr *part(const Fun *f, const Expr *tuple, size_t i)
{
    if (tuple->kind == EXPR_TUPLE)
        return tuple->tuple.elts.at[i];
    const Expr *field = field_target(f, tuple->ty, i);
    return ad_attribute(&f->flat->ad, tuple, field->name.id, field->ty);
}

static const Expr *part_at(Fun *f, const Expr *e)
{
    const Expr *base = e->subscript.value;
    size_t n = part_count(f, base->ty);
    long i;
    if (!flat_is_int(e->subscript.slice, &i)) {
        bool slice = e->subscript.slice->kind == EXPR_SLICE;
        diag_help(flat_refuse(f, e->at, slice ? "a slice of a tuple cannot be differentiated"
                                              : "the index of this tuple item is not a constant"),
                  slice ? "take each item by its index" : "use a list instead of the tuple");
        return ad_float(&f->flat->ad, e->at, 0.0);
    }
    i = i < 0 ? i + (long)n : i;
    return i >= 0 && (size_t)i < n ? flat_held(f, ad_typed(&f->flat->ad, part(f, base, (size_t)i),
                                                           e->ty), field_target(f, base->ty,
                                                                                (size_t)i)->ty)
                                   : e;
}

// ---- comparing ----

static bool is_compared(const Fun *f, const Expr *e)
{
    const Stmt *def = e->ty != NULL && e->ty->kind == TY_NAMED
                          ? table_get(f->flat->ad.classes, e->ty->named.name) : NULL;
    return def != NULL && ad_holds_float(&f->flat->ad, e->ty) && ad_is_data(&f->flat->ad, e->ty);
}

// `a == b` part by part.
static const Expr *equal_parts(Fun *f, const Expr *a, const Expr *b, int depth)
{
    const Ad *ad = &f->flat->ad;
    if (!is_compared(f, a) || !is_compared(f, b))
        return ad_compare(ad, a, CMPOP_EQ, b);
    const Stmt *x = table_get(ad->classes, a->ty->named.name);
    const Stmt *y = table_get(ad->classes, b->ty->named.name);
    const Expr *all = NULL;
    bool tuples = ad_stands_for(x) != NULL && ad_stands_for(y) != NULL;
    if (depth > 4 || x->class_def.body.len != y->class_def.body.len || (x != y && !tuples)) {
        diag_help(flat_refuse(f, a->at, "objects of these types cannot be compared here"),
                  "compare their fields or items");
        return ad_bool(ad, a->at, false);
    }
    for (size_t i = 0; i < x->class_def.body.len; i++) {
        if (x->class_def.body.at[i]->kind != STMT_ANN_ASSIGN)
            continue;
        const Expr *same = equal_parts(f, part(f, a, i), part(f, b, i), depth + 1);
        all = all == NULL ? same : ad_and(ad, all, same);
    }
    return all != NULL ? all : ad_bool(ad, a->at, true);
}

static const Expr *compared(Fun *f, const Expr *e)
{
    const Expr *a = e->compare.left, *b = e->compare.comparators.at[0];
    Cmpop op = e->compare.ops.at[0];
    bool values = is_compared(f, a) || is_compared(f, b);
    bool none = values && (a->ty->kind == TY_NONE_TYPE || b->ty->kind == TY_NONE_TYPE);
    if (!values || none || op == CMPOP_IS || op == CMPOP_IS_NOT || op == CMPOP_IN
        || op == CMPOP_NOT_IN)
        return e;
    if (op != CMPOP_EQ && op != CMPOP_NOT_EQ) {
        diag_help(flat_refuse(f, e->at, "the order of tuples cannot be compared here"),
                  "compare their fields or items");
        return e;
    }
    const Expr *same = equal_parts(f, a, b, 0);
    return ad_typed(&f->flat->ad, op == CMPOP_EQ ? same : ad_not(&f->flat->ad, same), e->ty);
}

// ---- places and questions, whose parts are made already ----

const Expr *flat_read(Fun *f, const Expr *e)
{
    const Ad *ad = &f->flat->ad;
    if (e->kind == EXPR_SUBSCRIPT && part_count(f, e->subscript.value->ty) != SIZE_MAX)
        return part_at(f, e);
    if (e->kind == EXPR_SUBSCRIPT && ad_list_element(e->subscript.value->ty) != NULL)
        return flat_held(f, e, ad_list_element(e->subscript.value->ty));
    if (e->kind == EXPR_ATTRIBUTE)
        return flat_held(f, e, field_ty(f, e->attribute.value->ty, e->attribute.attr));
    if (e->kind == EXPR_COMPARE)
        return compared(f, e);
    bool length = e->kind == EXPR_CALL && e->call.args.len == 1 && e->call.func->kind == EXPR_NAME
                  && sym_is(e->call.func->name.id, "len");
    size_t n = length ? part_count(f, e->call.args.at[0]->ty) : SIZE_MAX;
    return n != SIZE_MAX ? ad_int(ad, e->at, (long)n) : e;
}

// ---- making ----

static const Expr *made_tuple(Fun *f, Span at, const Expr *from, const Ty *to)
{
    const Ad *ad = &f->flat->ad;
    AdExprs atoms = {0};
    for (size_t i = 0; i < part_count(f, to); i++)
        vec_push(ad->arena, &atoms, flat_part(f, part(f, from, i), field_target(f, to, i)->ty));
    return ad_call_name(ad, at, to->named.name, to, atoms.len, atoms.at);
}

static bool is_value(const Fun *f, const Ty *want, size_t parts)
{
    return box_of(f->flat, want) != NULL || member(f->flat, want, "tuple", parts) != NULL;
}

static const Expr *fitted(Fun *f, const Expr *v, const Ty *want)
{
    const Ad *ad = &f->flat->ad;
    const Ty *box = box_of(f->flat, want);
    size_t parts = part_count(f, v->ty);
    const Ty *tuple = parts == SIZE_MAX ? NULL : member(f->flat, want, "tuple", parts);
    bool number = ad_is_float(v->ty) || ad_is(v->ty, "int") || ad_is(v->ty, "bool");
    if (box != NULL && number) {
        const Expr *atom = flat_part(f, v, ad->float_);
        return ad_call_name(ad, v->at, box->named.name, box, 1, &atom);
    }
    if (tuple == NULL || tuple->named.name == v->ty->named.name)
        return v;
    return made_tuple(f, v->at, flat_atom(f, v), tuple);
}

const Expr *flat_as(Fun *f, const Expr *e, const Ty *want)
{
    bool display = e->kind == EXPR_TUPLE && e->ty != NULL;
    size_t parts = display ? e->tuple.elts.len : part_count(f, e->ty);
    const Ty *tuple = display ? member(f->flat, want, "tuple", parts) : NULL;
    if (tuple == NULL && display && part_count(f, e->ty) == parts)
        tuple = e->ty;
    if (tuple != NULL)
        return made_tuple(f, e->at, e, tuple);
    if (want == NULL || !is_value(f, want, parts))
        return flat_value(f, e);
    if (e->kind == EXPR_IF_EXP)
        return flat_value(f, ad_typed(&f->flat->ad, e, want));
    return fitted(f, flat_value(f, e), want);
}

// ---- as a list ----

const Expr *flat_as_list(Fun *f, const Expr *e)
{
    const Ad *ad = &f->flat->ad;
    size_t n = e->kind == EXPR_TUPLE ? e->tuple.elts.len : part_count(f, e->ty);
    AdExprs parts = {0};
    const Ty **item = ARENA_NEW(ad->arena, const Ty *);
    *item = NULL;
    if (n == SIZE_MAX || n == 0)
        return e;
    const Expr *from = e->kind == EXPR_TUPLE ? e : flat_atom(f, e);
    for (size_t i = 0; i < n; i++) {
        const Expr *one = part(f, from, i);
        bool real = ad_is_float(one->ty) || (*item != NULL && ad_is_float(*item));
        if (*item != NULL && !ir_equal_ty(*item, one->ty)
            && !(real && (ad_is(one->ty, "int") || ad_is(*item, "int") || ad_is_float(one->ty))))
            return e;
        *item = real ? ad->float_ : one->ty;
        vec_push(ad->arena, &parts, one);
    }
    const Expr *list = expr_list(ad->arena, e->at, (ExprList){parts.at, parts.len},
                                 EXPR_CONTEXT_LOAD);
    return ad_typed(ad, list, ty_named(ad->arena, names_get(ad->names, "list"),
                                       (TyList){item, 1}));
}

// ---- truth ----

static void check_truth(Fun *f, const Expr *e)
{
    if (e != NULL && e->ty != NULL && box_of(f->flat, e->ty) != NULL)
        diag_help(flat_refuse(f, e->at, "this condition is false for both `None` and `0.0`, so "
                              "it cannot be differentiated"),
                  "compare the value with `None`, and then with `0.0`");
}

static bool truth_expr(void *cx, const Expr *e)
{
    if (e->kind == EXPR_IF_EXP)
        check_truth(cx, e->if_exp.test);
    if (e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_NOT)
        check_truth(cx, e->unary_op.operand);
    for (size_t i = 0; e->kind == EXPR_BOOL_OP && i < e->bool_op.values.len; i++)
        check_truth(cx, e->bool_op.values.at[i]);
    return true;
}

static bool truth_stmt(void *cx, const Stmt *s)
{
    if (s->kind == STMT_IF || s->kind == STMT_WHILE)
        check_truth(cx, s->kind == STMT_IF ? s->if_.test : s->while_.test);
    return true;
}

void flat_check_truths(Fun *f)
{
    IrWalker w = {.cx = f, .expr = truth_expr, .stmt = truth_stmt};
    ir_walk_stmts(&w, f->def->function_def.body);
}
