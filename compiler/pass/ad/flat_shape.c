// flat_shape.c - what values of function types can be, and the types that the checker leaves open:
// unification over the program that is reached (Henglein, Simple Closure Analysis, 1992). Each
// pass sees the expressions from the inside out; passes go on until nothing changes.
//
// Numbers do not become one by unification: what is found to be an int may turn out to be a float,
// but what is declared stays.

#include "compiler/pass/ad/flat_closure.h"

#include <stdint.h>
#include <stdlib.h>

// ---- shapes ----

Shape *shapes_root(Shape *s)
{
    while (s->link != NULL)
        s = s->link;
    return s;
}

static Shape *new_shape(Shapes *ss, ShapeForm form)
{
    Shape *s = ARENA_NEW(ss->ad->arena, Shape);
    *s = (Shape){.form = form};
    return s;
}

static Shape *known(Shapes *ss, const Ty *ty)
{
    Shape *s = new_shape(ss, SHAPE_KNOWN);
    s->ty = ty;
    return s;
}

Shape *shapes_part(Shapes *ss, Shape *s, size_t i)
{
    s = shapes_root(s);
    while (s->len <= i)
        vec_push(ss->ad->arena, s, new_shape(ss, SHAPE_OPEN));
    return s->at[i];
}

// ---- of types ----

static bool is_list(const Ty *t)
{
    static const char *const LISTS[] = {"list", "Sequence", "Iterable", "Iterator", NULL};
    return t->kind == TY_NAMED && t->named.args.len == 1 && sym_is_one_of(t->named.name, LISTS);
}

static bool is_ref(const Ty *t)
{
    return t != NULL && t->kind == TY_NAMED && sym_is(t->named.name, REF_TYPE);
}

static bool is_open(const Shapes *ss, const Ty *t);

static bool any_open(const Shapes *ss, TyList list)
{
    for (size_t i = 0; i < list.len; i++)
        if (is_open(ss, list.at[i]))
            return true;
    return false;
}

// What the checker leaves open; functions of `math` take all that has `__float__`.
static bool is_unknown(const Ty *t)
{
    return t == NULL || t->kind == TY_ANY || t->kind == TY_POISON || t->kind == TY_TYPE_VAR
           || (t->kind == TY_NAMED && (sym_is(t->named.name, "NoReturn")
                                       || strncmp(t->named.name, "Supports", 8) == 0));
}

static bool is_open(const Shapes *ss, const Ty *t)
{
    if (is_unknown(t) || t->kind == TY_CALLABLE || is_ref(t))
        return true;
    if (t->kind == TY_UNION)
        return any_open(ss, t->union_.items);
    if (t->kind == TY_TUPLE)
        return any_open(ss, t->tuple.items);
    return t->kind == TY_NAMED && (flat_record(ss->flat, t->named.name) != NULL
                                   || any_open(ss, t->named.args));
}

static Shape *of_ty(Shapes *ss, const Ty *t);
static void unify(Shapes *ss, Shape *a, Shape *b, Span at);

static Shape *with_parts(Shapes *ss, ShapeForm form, TyList parts)
{
    Shape *s = new_shape(ss, form);
    for (size_t i = 0; i < parts.len; i++)
        vec_push(ss->ad->arena, s, of_ty(ss, parts.at[i]));
    return s;
}

static Shape *of_record(Shapes *ss, const FlatRecord *r);

// One level; what is inside may be without functions.
static Shape *expanded(Shapes *ss, const Ty *t)
{
    if (t->kind == TY_TUPLE)
        return with_parts(ss, SHAPE_TUPLE, t->tuple.items);
    if (is_list(t) || is_ref(t))
        return with_parts(ss, is_ref(t) ? SHAPE_REF : SHAPE_LIST, t->named.args);
    if (t->kind == TY_CALLABLE) {
        Shape *s = with_parts(ss, SHAPE_FUNCTION, (TyList){&t->callable.result, 1});
        for (size_t i = 0; i < t->callable.params.len; i++)
            vec_push(ss->ad->arena, s, of_ty(ss, t->callable.params.at[i]));
        return s;
    }
    const FlatRecord *r = t->kind == TY_NAMED ? flat_record(ss->flat, t->named.name) : NULL;
    return r != NULL ? of_record(ss, r) : known(ss, t);
}

static Shape *of_ty(Shapes *ss, const Ty *t)
{
    if (!is_open(ss, t))
        return known(ss, t);
    if (is_unknown(t))
        return new_shape(ss, SHAPE_OPEN);
    for (size_t i = 0; t->kind == TY_UNION && i < t->union_.items.len; i++)
        if (is_open(ss, t->union_.items.at[i]))
            return of_ty(ss, t->union_.items.at[i]);
    return expanded(ss, t);
}

// ---- unification ----

static int number_rank(const Ty *t)
{
    return ad_is(t, "bool") ? 1 : ad_is(t, "int") ? 2 : ad_is_float(t) ? 3 : 0;
}

static void clash(Shapes *ss, Shape *a, Shape *b, Span at)
{
    if (a->clashes || b->clashes)
        return;
    a->clashes = b->clashes = true;
    if (diags_error_count(ss->ad->diags) > 0)       // a value that is refused has another type
        return;
    diag_help(diag_report(ss->ad->diags, at, DIAG_GRAD_TYPE,
                          "this variable or parameter has values of incompatible types"),
              "annotate it with its type, or use one variable or function for each type");
}

// What is None or an object is one of two things, but still an object.
static bool is_either(const Shape *s)
{
    return s->form == SHAPE_KNOWN && (s->ty->kind == TY_NONE_TYPE || s->ty->kind == TY_UNION);
}

// Both are of a type without functions.
static void join(Shapes *ss, Shape *a, Shape *b, Span at)
{
    int x = number_rank(a->ty), y = number_rank(b->ty);
    if (x > 0 && y > 0) {
        Shape *low = x < y ? a : b;
        if (x != y && low->found) {
            low->ty = x < y ? b->ty : a->ty;
            ss->changed = true;
        }
    } else if ((a->found || b->found) && !ir_equal_ty(a->ty, b->ty)) {
        if (x > 0 || y > 0 || (!is_either(a) && !is_either(b)))
            clash(ss, a, b, at);
    }
}

static void take(Shapes *ss, Shape *open, Shape *s)
{
    bool none = s->form == SHAPE_KNOWN && s->ty->kind == TY_NONE_TYPE;
    bool number = s->form == SHAPE_KNOWN && number_rank(s->ty) > 0;
    if (none && open->found)
        return;
    if (number && open->found)
        clash(ss, open, s, ss->at);
    ss->changed = true;
    open->found = open->found || none || number;
    if (number) {
        open->form = SHAPE_KNOWN;
        open->ty = s->ty;
    } else if (!none) {
        open->link = s;
    }
}

// In the order in which the records were made.
static void add_record(Shapes *ss, Shape *s, const FlatRecord *r)
{
    for (size_t i = 0; i < s->records.len; i++)
        if (s->records.at[i] == r)
            return;
    vec_push(ss->ad->arena, &s->records, r);
    for (size_t i = s->records.len - 1; i > 0 && s->records.at[i - 1]->number > r->number; i--) {
        s->records.at[i] = s->records.at[i - 1];
        s->records.at[i - 1] = r;
    }
}

static void link_shapes(Shapes *ss, Shape *a, Shape *b, Span at)
{
    a->link = b;
    ss->changed = true;
    for (size_t i = 0; i < a->records.len; i++)
        add_record(ss, b, a->records.at[i]);
    for (size_t i = 0; i < a->len; i++)
        unify(ss, a->at[i], shapes_part(ss, b, i), at);
}

static void unify(Shapes *ss, Shape *a, Shape *b, Span at)
{
    a = shapes_root(a);
    b = shapes_root(b);
    ss->at = at;
    if (a == b)
        return;
    if (a->form == SHAPE_OPEN && b->form == SHAPE_OPEN) {
        b->found = b->found || a->found;
        link_shapes(ss, a, b, at);
    } else if (a->form == SHAPE_OPEN) {
        take(ss, a, b);
    } else if (b->form == SHAPE_OPEN) {
        take(ss, b, a);
    } else if (a->form == SHAPE_KNOWN && b->form == SHAPE_KNOWN) {
        join(ss, a, b, at);
    } else if (a->form == b->form) {
        link_shapes(ss, a, b, at);
    } else if (a->form == SHAPE_KNOWN || b->form == SHAPE_KNOWN) {
        Shape *plain = a->form == SHAPE_KNOWN ? a : b, *other = a->form == SHAPE_KNOWN ? b : a;
        Shape *parts = expanded(ss, plain->ty);
        if (parts->form != other->form) {
            if (!is_either(plain))
                clash(ss, plain, other, at);
            return;
        }
        for (size_t i = 0; i < parts->len; i++)
            unify(ss, parts->at[i], shapes_part(ss, other, i), at);
    } else {
        clash(ss, a, b, at);
    }
}

// ---- functions ----

static bool note_var(void *cx, const Expr *e)
{
    Shapes *ss = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE
        && table_get(ss->current->vars, e->name.id) == NULL)
        table_set(ss->current->vars, e->name.id, of_ty(ss, e->ty));
    return true;
}

static void open_function(Shapes *ss, FunctionShape *f)
{
    const Arguments *args = f->def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    FunctionShape *before = ss->current;
    IrWalker w = {.cx = ss, .expr = note_var};
    ss->current = f;
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            Shape *s = of_ty(ss, lists[l].at[i]->ty);
            vec_push(ss->ad->arena, &f->params, s);
            table_set(f->vars, lists[l].at[i]->arg, s);
        }
    size_t first = args->posonlyargs.len + args->args.len - args->defaults.len;
    for (size_t i = 0; i < args->defaults.len; i++)
        unify(ss, f->params.at[first + i], of_ty(ss, args->defaults.at[i]->ty), f->def->at);
    ir_walk_stmts(&w, f->def->function_def.body);
    ss->current = before;
}

FunctionShape *shapes_function(Shapes *ss, Sym name)
{
    Flat *flat = ss->flat;
    FunctionShape *f = table_get(ss->functions, name);
    const Stmt *def = table_get(flat->functions, name);
    if (f != NULL || def == NULL)
        return f;
    const Expr *returns = def->function_def.returns;
    def = flat_closed(flat, flat_lifted(flat, def));
    table_set(flat->functions, name, (void *)def);
    f = ARENA_NEW(ss->ad->arena, FunctionShape);
    *f = (FunctionShape){.def = def, .vars = table_new(ss->ad->arena),
                         .result = of_ty(ss, returns && returns->ty ? returns->ty
                                                                    : ss->ad->none)};
    table_set(ss->functions, name, f);
    vec_push(ss->ad->arena, &ss->reached, def);
    open_function(ss, f);
    ss->changed = true;
    return f;
}

static Shape *of_record(Shapes *ss, const FlatRecord *r)
{
    FunctionShape *f = shapes_function(ss, r->function);
    Shape *s = new_shape(ss, SHAPE_FUNCTION);
    vec_push(ss->ad->arena, s, f->result);
    for (size_t i = r->self; i < f->params.len; i++)
        vec_push(ss->ad->arena, s, f->params.at[i]);
    vec_push(ss->ad->arena, &s->records, r);
    return s;
}

// ---- fields ----

static Shape *of_field(Shapes *ss, Sym class_, Sym field)
{
    const Stmt *def = table_get(ss->ad->classes, class_);
    Sym key = names_format(ss->ad->names, "%s.%s", class_, field);
    Shape *s = table_get(ss->fields, key);
    for (size_t i = 0; def != NULL && s == NULL && i < def->class_def.body.len; i++) {
        const Stmt *f = def->class_def.body.at[i];
        if (f->kind == STMT_ANN_ASSIGN && ad_is_name(f->ann_assign.target, field)) {
            s = of_ty(ss, f->ann_assign.target->ty);
            table_set(ss->fields, key, s);
        }
    }
    return s;
}

static Shape *field_of_ty(Shapes *ss, const Ty *t, Sym field)
{
    Shape *s = NULL;
    if (t != NULL && t->kind == TY_NAMED)
        return of_field(ss, t->named.name, field);
    TyList items = t != NULL && t->kind == TY_UNION ? t->union_.items : (TyList){0};
    for (size_t i = 0; s == NULL && i < items.len; i++)
        s = field_of_ty(ss, items.at[i], field);
    return s;
}

// Of an attribute; NULL: it is a method, or of a module.
static Shape *field_shape(Shapes *ss, const Expr *e)
{
    Shape *base = shapes_root(shapes_of(ss, e->attribute.value));
    Sym field = e->attribute.attr;
    if (base->form == SHAPE_REF)
        return sym_is(field, "value") ? shapes_part(ss, base, 0) : NULL;
    Shape *s = field_of_ty(ss, e->attribute.value->ty, field);
    return s == NULL && base->form == SHAPE_KNOWN ? field_of_ty(ss, base->ty, field) : s;
}

static void unify_fields(Shapes *ss, const Expr *e, const Stmt *class_)
{
    size_t i = 0;
    for (size_t k = 0; k < class_->class_def.body.len; k++) {
        const Stmt *s = class_->class_def.body.at[k];
        if (s->kind != STMT_ANN_ASSIGN || s->ann_assign.target->kind != EXPR_NAME)
            continue;
        Sym name = s->ann_assign.target->name.id;
        Shape *field = of_field(ss, class_->class_def.name, name);
        if (i < e->call.args.len)
            unify(ss, field, shapes_of(ss, e->call.args.at[i]), e->call.args.at[i]->at);
        for (size_t w = 0; w < e->call.keywords.len; w++)
            if (e->call.keywords.at[w]->arg == name)
                unify(ss, field, shapes_of(ss, e->call.keywords.at[w]->value), e->at);
        i++;
    }
}

// ---- expressions ----

static Shape *own(Shapes *ss, const Expr *e)
{
    Shape *s = table_get(ss->of, e);
    if (s == NULL) {
        s = of_ty(ss, e->ty);
        table_set(ss->of, e, s);
    }
    return s;
}

Shape *shapes_of(Shapes *ss, const Expr *e) { return own(ss, e); }

static bool is_var(const Shapes *ss, const Expr *e)
{
    return e->kind == EXPR_NAME && table_get(ss->current->vars, e->name.id) != NULL;
}

// What an operator on numbers, or on lists, gives.
static void unify_number(Shapes *ss, const Expr *e, ExprList operands, bool divides)
{
    bool real = divides, open = false;
    for (size_t i = 0; i < operands.len; i++) {
        Shape *s = shapes_root(shapes_of(ss, operands.at[i]));
        if (s->form == SHAPE_KNOWN && ad_list_element(s->ty) != NULL && operands.len == 1)
            s = known(ss, ad_list_element(s->ty));
        else if (s->form == SHAPE_LIST && operands.len == 1)
            s = shapes_root(shapes_part(ss, s, 0));
        if (s->form == SHAPE_LIST || (s->form == SHAPE_KNOWN && number_rank(s->ty) == 0)) {
            unify(ss, own(ss, e), s, e->at);
            return;
        }
        real = real || (s->form == SHAPE_KNOWN && ad_is_float(s->ty));
        open = open || s->form != SHAPE_KNOWN;
    }
    if (real || !open)
        unify(ss, own(ss, e), known(ss, real ? ss->ad->float_ : ss->ad->int_), e->at);
}

static void unify_operator(Shapes *ss, const Expr *e)
{
    const Expr *two[] = {e->bin_op.left, e->bin_op.right};
    unify_number(ss, e, (ExprList){two, 2}, e->bin_op.op == OPERATOR_DIV);
}

static void unify_item(Shapes *ss, const Expr *e)
{
    Shape *base = shapes_root(shapes_of(ss, e->subscript.value));
    const Expr *index = e->subscript.slice;
    if (base->form == SHAPE_KNOWN && (is_list(base->ty) || base->ty->kind == TY_TUPLE))
        base = expanded(ss, base->ty);
    bool constant = index->kind == EXPR_CONSTANT && index->constant.value->kind == CONST_INT;
    size_t i = constant ? strtoul(index->constant.value->text.at, NULL, 10) : SIZE_MAX;
    if (base->form == SHAPE_LIST)
        unify(ss, own(ss, e), index->kind == EXPR_SLICE ? base : shapes_part(ss, base, 0), e->at);
    else if (base->form == SHAPE_TUPLE && i < base->len)
        unify(ss, own(ss, e), base->at[i], e->at);
}

static void unify_elements(Shapes *ss, const Expr *e, ExprList elts, bool tuple)
{
    Shape *s = shapes_root(own(ss, e));
    if (s->form == SHAPE_OPEN) {
        unify(ss, s, new_shape(ss, tuple ? SHAPE_TUPLE : SHAPE_LIST), e->at);
        s = shapes_root(s);
    }
    if (s->form != SHAPE_LIST && s->form != SHAPE_TUPLE)
        return;
    for (size_t i = 0; i < elts.len; i++)
        unify(ss, shapes_part(ss, s, tuple ? i : 0), shapes_of(ss, elts.at[i]), elts.at[i]->at);
}

// ---- calls ----

static Shape *element(Shapes *ss, const Expr *list)
{
    Shape *s = shapes_root(shapes_of(ss, list));
    if (s->form == SHAPE_KNOWN && is_list(s->ty))
        s = expanded(ss, s->ty);
    return s->form == SHAPE_LIST ? shapes_part(ss, s, 0) : NULL;
}

static void unify_arguments(Shapes *ss, const Expr *e, FunctionShape *f)
{
    const Arguments *args = f->def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t i = 0; i < e->call.args.len && i < f->params.len; i++)
        unify(ss, f->params.at[i], shapes_of(ss, e->call.args.at[i]), e->call.args.at[i]->at);
    for (size_t w = 0; w < e->call.keywords.len; w++)
        for (size_t l = 0, k = 0; l < 3; l++)
            for (size_t i = 0; i < lists[l].len; i++, k++)
                if (lists[l].at[i]->arg == e->call.keywords.at[w]->arg)
                    unify(ss, f->params.at[k], shapes_of(ss, e->call.keywords.at[w]->value), e->at);
    unify(ss, own(ss, e), f->result, e->at);
}

static void unify_tuple(Shapes *ss, const Expr *e, bool counted)
{
    Shape *list = new_shape(ss, SHAPE_LIST), *tuple = shapes_part(ss, list, 0);
    tuple->form = SHAPE_TUPLE;
    if (counted)
        unify(ss, shapes_part(ss, tuple, 0), known(ss, ss->ad->int_), e->at);
    for (size_t i = 0; i < (counted ? 1 : e->call.args.len); i++) {
        Shape *item = i < e->call.args.len ? element(ss, e->call.args.at[i]) : NULL;
        if (item != NULL)
            unify(ss, shapes_part(ss, tuple, counted + i), item, e->at);
    }
    if (shapes_root(own(ss, e))->form == SHAPE_KNOWN)
        table_set(ss->of, e, list);
    else
        unify(ss, own(ss, e), list, e->at);
}

static void unify_builtin(Shapes *ss, const Expr *e, Sym name)
{
    static const char *const NUMERIC[] = {"abs", "max", "min", "pow", "round", "sum", NULL};
    static const char *const SAME[] = {"list", "reversed", "sorted", NULL};
    if (sym_is(name, "enumerate") || sym_is(name, "zip"))
        unify_tuple(ss, e, sym_is(name, "enumerate"));
    else if (sym_is_one_of(name, SAME) && e->call.args.len > 0 && is_open(ss, e->ty))
        table_set(ss->of, e, shapes_of(ss, e->call.args.at[0]));
    else if (is_open(ss, e->ty) && sym_is_one_of(name, NUMERIC))
        unify_number(ss, e, e->call.args, false);
}

static void unify_method(Shapes *ss, const Expr *e)
{
    const Expr *func = e->call.func;
    Sym name = func->attribute.attr;
    ExprList args = e->call.args;
    Shape *base = shapes_root(shapes_of(ss, func->attribute.value));
    Shape *last = args.len > 0 ? shapes_of(ss, args.at[args.len - 1]) : NULL;
    if (base->form == SHAPE_REF) {
        unify(ss, shapes_part(ss, base, 0), sym_is(name, "get") || last == NULL ? own(ss, e) : last,
              e->at);
    } else if (base->form == SHAPE_LIST) {
        if (last != NULL && (sym_is(name, "append") || sym_is(name, "insert")))
            unify(ss, shapes_part(ss, base, 0), last, e->at);
        if (last != NULL && sym_is(name, "extend"))
            unify(ss, base, last, e->at);
        if (sym_is(name, "pop"))
            unify(ss, own(ss, e), shapes_part(ss, base, 0), e->at);
    }
}

static void unify_value_call(Shapes *ss, const Expr *e)
{
    Shape *f = shapes_root(shapes_of(ss, e->call.func));
    if (f->form == SHAPE_OPEN) {
        unify(ss, f, new_shape(ss, SHAPE_FUNCTION), e->at);
        f = shapes_root(f);
    }
    if (f->form != SHAPE_FUNCTION)
        return;
    ExprList args = e->call.args;
    for (size_t i = 0; i < args.len; i++)
        unify(ss, shapes_part(ss, f, i + 1), shapes_of(ss, args.at[i]), args.at[i]->at);
    unify(ss, own(ss, e), shapes_part(ss, f, 0), e->at);
}

// Of a function, its arguments, and tangents of those that vary, which are floats.
static void unify_derivative(Shapes *ss, const Expr *e, const char *pattern)
{
    Shape *f = shapes_root(shapes_of(ss, e->call.args.at[0]));
    if (f->form != SHAPE_FUNCTION)
        return;
    unify(ss, shapes_part(ss, f, 0), known(ss, ss->ad->float_), e->at);
    for (size_t i = 0; pattern[i] != '\0'; i++) {
        unify(ss, shapes_part(ss, f, i + 1), shapes_of(ss, e->call.args.at[i + 1]), e->at);
        if (pattern[i] == '1')
            unify(ss, shapes_part(ss, f, i + 1), known(ss, ss->ad->float_), e->at);
    }
}

static void unify_call(Shapes *ss, const Expr *e)
{
    const Expr *func = e->call.func;
    Sym name = func->kind == EXPR_NAME ? func->name.id : NULL;
    const char *path = name != NULL ? table_get(ss->flat->imports, name) : NULL;
    if (name == NULL || is_var(ss, func)) {
        bool method = func->kind == EXPR_ATTRIBUTE && field_shape(ss, func) == NULL;
        if (method)
            unify_method(ss, e);
        else
            unify_value_call(ss, e);
        return;
    }
    if (strncmp(name, FLAT_JVP, strlen(FLAT_JVP)) == 0) {
        unify_derivative(ss, e, name + strlen(FLAT_JVP));
        return;
    }
    FunctionShape *f = shapes_function(ss, name);
    const Stmt *class_ = table_get(ss->ad->classes, name);
    const FlatRecord *r = flat_record(ss->flat, name);
    if (f != NULL)
        unify_arguments(ss, e, f);
    else if (class_ != NULL)
        unify_fields(ss, e, class_);
    else if ((sym_is(name, REF_TYPE) || sym_is(path, REF_TYPE)) && e->call.args.len == 1)
        unify(ss, shapes_part(ss, own(ss, e), 0), shapes_of(ss, e->call.args.at[0]), e->at);
    else if (path == NULL)
        unify_builtin(ss, e, name);
    if (r != NULL)
        unify(ss, own(ss, e), of_record(ss, r), e->at);
}

// ---- all expressions ----

static void unify_branches(Shapes *ss, const Expr *e, ExprList values)
{
    for (size_t i = 0; i < values.len && is_open(ss, e->ty); i++)
        unify(ss, own(ss, e), shapes_of(ss, values.at[i]), values.at[i]->at);
}

static void see(Shapes *ss, const Expr *e)
{
    bool open = is_open(ss, e->ty);
    if (e->kind == EXPR_CALL) {
        unify_call(ss, e);
    } else if (e->kind == EXPR_LIST || e->kind == EXPR_TUPLE) {
        unify_elements(ss, e, e->kind == EXPR_LIST ? e->list.elts : e->tuple.elts,
                       e->kind == EXPR_TUPLE);
    } else if (!open) {
        return;
    } else if (e->kind == EXPR_NAME) {
        Shape *var = table_get(ss->current->vars, e->name.id);
        if (var != NULL)
            table_set(ss->of, e, var);
    } else if (e->kind == EXPR_ATTRIBUTE) {
        Shape *field = field_shape(ss, e);
        if (field != NULL)
            unify(ss, own(ss, e), field, e->at);
    } else if (e->kind == EXPR_SUBSCRIPT) {
        unify_item(ss, e);
    } else if (e->kind == EXPR_BIN_OP) {
        unify_operator(ss, e);
    } else if (e->kind == EXPR_UNARY_OP && e->unary_op.op != UNARYOP_NOT) {
        unify_number(ss, e, (ExprList){(const Expr **)&e->unary_op.operand, 1}, false);
    } else if (e->kind == EXPR_COMPARE || e->kind == EXPR_UNARY_OP) {
        unify(ss, own(ss, e), known(ss, ss->ad->bool_), e->at);
    } else if (e->kind == EXPR_BOOL_OP) {
        unify_branches(ss, e, e->bool_op.values);
    } else if (e->kind == EXPR_IF_EXP) {
        const Expr *two[] = {e->if_exp.body, e->if_exp.orelse};
        unify_branches(ss, e, (ExprList){two, 2});
    }
}

// ---- passes ----

static const Expr *retyped(Shapes *ss, const Expr *e)
{
    Shape *s = own(ss, e);
    if (!is_open(ss, e->ty) || e->ty == NULL)
        return e;
    const Expr *made = ad_typed(ss->ad, e, shapes_retyped(ss, e->ty, s));
    table_set(ss->of, made, s);
    return made;
}

static const Expr *see_expr(IrMapper *m, const Expr *e)
{
    Shapes *ss = m->cx;
    see(ss, e);
    if (!ss->rewrites)
        return e;
    const Expr *made = shapes_rewritten(ss, e);
    if (made != e)
        table_set(ss->of, made, own(ss, e));
    return retyped(ss, made);
}

static const Stmt *see_stmt(IrMapper *m, const Stmt *s)
{
    Shapes *ss = m->cx;
    const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value
                        : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value
                        : s->kind == STMT_RETURN ? s->return_.value : NULL;
    if (s->kind == STMT_RETURN)
        unify(ss, ss->current->result, value != NULL ? shapes_of(ss, value)
                                                     : known(ss, ss->ad->none), s->at);
    else if (value != NULL)
        unify(ss, shapes_of(ss, s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
                                                      : s->ann_assign.target),
              shapes_of(ss, value), value->at);
    Shape *item = s->kind == STMT_FOR ? element(ss, s->for_.iter) : NULL;
    if (item != NULL)
        unify(ss, shapes_of(ss, s->for_.target), item, s->at);
    return s;
}

static const Arg *new_arg(Shapes *ss, const Arg *arg, Shape *s)
{
    bool open = arg->ty == NULL || is_open(ss, arg->ty);
    return open ? arg_with_ty(ss->ad->arena, arg,
                              shapes_retyped(ss, arg->ty ? arg->ty : ty_any(ss->ad->arena), s))
                : arg;
}

static ArgList new_args(Shapes *ss, const FunctionShape *f, ArgList args, size_t from)
{
    Vec(const Arg *) out = {0};
    for (size_t i = 0; i < args.len; i++)
        vec_push(ss->ad->arena, &out, new_arg(ss, args.at[i], f->params.at[from + i]));
    return (ArgList){out.at, out.len};
}

static const Stmt *rewritten(Shapes *ss, FunctionShape *f)
{
    Arena *a = ss->ad->arena;
    const Arguments *old = f->def->function_def.args;
    const Expr *returns = f->def->function_def.returns;
    IrMapper m = {.arena = a, .cx = ss, .expr = see_expr, .stmt = see_stmt};
    size_t first = old->posonlyargs.len, more = first + old->args.len;
    const Arguments *args = arguments_new(a, new_args(ss, f, old->posonlyargs, 0),
                                          new_args(ss, f, old->args, first), old->vararg,
                                          new_args(ss, f, old->kwonlyargs, more),
                                          old->kw_defaults, old->kwarg, old->defaults);
    StmtList body = ir_map_stmts(&m, f->def->function_def.body);
    if (returns != NULL && is_open(ss, returns->ty)) {
        const Ty *ty = shapes_retyped(ss, returns->ty ? returns->ty : ty_any(a), f->result);
        returns = ad_typed(ss->ad, ad_annotation(ss->ad, returns->at, ty), ty);
    }
    return stmt_function_def(a, f->def->at, f->def->function_def.name, args, body, (ExprList){0},
                             returns, (TypeParamList){0});
}

static const Stmt *new_class(Shapes *ss, const Stmt *s)
{
    Arena *a = ss->ad->arena;
    AdBlock body = {0};
    for (size_t i = 0; i < s->class_def.body.len; i++) {
        const Stmt *f = s->class_def.body.at[i];
        const Expr *target = f->kind == STMT_ANN_ASSIGN ? f->ann_assign.target : NULL;
        if (target != NULL && target->kind == EXPR_NAME && is_open(ss, target->ty)) {
            Shape *shape = of_field(ss, s->class_def.name, target->name.id);
            const Ty *ty = shapes_retyped(ss, target->ty, shape);
            f = stmt_ann_assign(a, f->at, ad_typed(ss->ad, target, ty),
                                ad_annotation(ss->ad, f->at, ty), f->ann_assign.value, 1);
        }
        vec_push(a, &body, f);
    }
    return stmt_class_def(a, s->at, s->class_def.name, s->class_def.bases, s->class_def.keywords,
                          ad_stmts(&body), s->class_def.decorator_list, s->class_def.type_params);
}

static void rewrite_all(Shapes *ss)
{
    Flat *flat = ss->flat;
    ss->rewrites = true;
    for (size_t i = 0; i < ss->reached.len; i++) {
        Sym name = ss->reached.at[i]->function_def.name;
        ss->current = table_get(ss->functions, name);
        const Stmt *def = rewritten(ss, ss->current);
        table_set(flat->functions, name, (void *)def);
        if (flat->root->function_def.name == name)
            flat->root = def;
    }
    flat_variants_typed(flat);
    for (size_t i = 0; i < flat->classes.len; i++) {
        const Stmt *def = new_class(ss, flat->classes.at[i]);
        flat->classes.at[i] = def;
        table_set(flat->ad.classes, def->class_def.name, (void *)def);
    }
}

void flat_first_order(Flat *flat)
{
    enum { MOST_PASSES = 1000 };
    Arena *a = flat->ad.arena;
    Shapes ss = {.flat = flat, .ad = &flat->ad, .functions = table_new(a),
                 .fields = table_new(a), .of = table_new(a)};
    shapes_function(&ss, flat->root->function_def.name);
    for (int n = 0; ss.changed && n < MOST_PASSES; n++) {
        ss.changed = false;
        for (size_t i = 0; i < ss.reached.len; i++) {
            const Stmt *def = ss.reached.at[i];
            IrMapper m = {.arena = a, .cx = &ss, .expr = see_expr, .stmt = see_stmt};
            ss.current = table_get(ss.functions, def->function_def.name);
            (void)ir_map_stmts(&m, def->function_def.body);
        }
    }
    if (diags_error_count(flat->ad.diags) == 0)
        rewrite_all(&ss);
}
