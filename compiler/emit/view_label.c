// view_label.c - see view_label.h.

#include "compiler/emit/view_label.h"

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/screen_line.h"
#include "compiler/emit/python.h"

enum { MAX_TEXT = 40 };         // characters of source text

const char *view_label_name(Arena *a, const char *name)
{
    Buf b = buf_new(a);
    buf_puts(&b, name);
    return qualified_show((char *)buf_text(&b));
}

// Shortened, and without what would change the direction of the text around it.
static void put_shown(Buf *b, const char *text, uint32_t limit)
{
    ScreenLine line = screen_line(b->arena, (Text){text, strlen(text)});
    Text part = screen_line_part(&line, 0, limit);
    buf_printf(b, "%.*s%s", (int)part.len, part.at, part.len < line.shown.len ? "..." : "");
}

// Code that the compiler made has no text of its own.
static bool is_written(Span at) { return at.end > at.start; }

void view_label_expr(Buf *b, const ViewCx *cx, const Expr *e)
{
    Buf whole = buf_new(cx->arena);
    if (is_written(e->at))
        buf_puts(&whole, source_written(cx->arena, cx->source, e->at));
    else
        emit_python_expr(&whole, e);
    put_shown(b, qualified_show((char *)buf_text(&whole)), MAX_TEXT);
}

void view_label_pattern(Buf *b, const ViewCx *cx, const Pattern *pattern)
{
    put_shown(b, source_written(cx->arena, cx->source, pattern->at), MAX_TEXT);
}

static bool is_variable(const Expr *e)
{
    while (e->kind == EXPR_ATTRIBUTE)
        e = e->attribute.value;
    return e->kind == EXPR_NAME;
}

const char *view_label_variable(const ViewCx *cx, const Expr *com, const Expr *target)
{
    Buf b = buf_new(cx->arena);
    const Expr *named = target && is_variable(target) ? target : com->com.value;
    if (!is_variable(named))
        return NULL;
    view_label_expr(&b, cx, named);
    return buf_text(&b);
}

const char *view_label_type(Arena *a, const Ty *t)
{
    Buf whole = buf_new(a), shown = buf_new(a);
    emit_ty(&whole, t);
    put_shown(&shown, qualified_show((char *)buf_text(&whole)), UINT32_MAX);
    return buf_text(&shown);
}

// ---- type variables ----

typedef struct Bindings { const Table *types; } Bindings;

static const Ty *replace_variable(IrMapper *m, const Ty *t)
{
    const Bindings *known = m->cx;
    const Ty *bound = t->kind == TY_TYPE_VAR ? table_get(known->types, t->type_var.name) : NULL;
    return bound ? bound : t;
}

const Ty *view_type(Arena *a, const Table *types, const Ty *t)
{
    Bindings known = {types};
    IrMapper m = {.arena = a, .cx = &known, .ty = replace_variable};
    return t ? ir_map_ty(&m, t) : NULL;
}

static void bind(Table *types, Sym name, const Ty *t) { table_set(types, name, (void *)t); }

// The parts of `X[a, b]`; those of `X[a]` are one.
static ExprList subscripts(const Expr *e)
{
    const Expr *const *one = &e->subscript.slice;
    return (*one)->kind == EXPR_TUPLE ? (*one)->tuple.elts : (ExprList){one, 1};
}

// What `Generic[T, U]` among the bases lists.
static ExprList generic_variables(const Stmt *class_)
{
    ExprList bases = class_->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const Expr *e = bases.at[i];
        if (e->kind == EXPR_SUBSCRIPT && e->subscript.value->kind == EXPR_NAME
            && strcmp(unqualified(e->subscript.value->name.id), "Generic") == 0)
            return subscripts(e);
    }
    return (ExprList){0};
}

static Sym variable_name(const Stmt *class_, size_t i)
{
    TypeParamList params = class_->class_def.type_params;
    ExprList listed = generic_variables(class_);
    if (i < params.len)
        return params.at[i]->kind == TYPE_PARAM_TYPE_VAR ? params.at[i]->type_var.name : NULL;
    return i < listed.len && listed.at[i]->kind == EXPR_NAME ? listed.at[i]->name.id : NULL;
}

void view_types_of_class(Table *types, const Stmt *class_, TyList args)
{
    for (size_t i = 0; i < args.len; i++) {
        Sym name = variable_name(class_, i);
        if (name)
            bind(types, name, args.at[i]);
    }
}

Table *view_types_of_base(Arena *a, const Table *types, const Stmt *class_, const Expr *base)
{
    Table *out = table_new(a);
    ExprList args = base->kind == EXPR_SUBSCRIPT ? subscripts(base) : (ExprList){0};
    for (size_t i = 0; i < args.len; i++) {
        Sym name = variable_name(class_, i);
        if (name == NULL || args.at[i]->kind != EXPR_NAME)
            continue;
        const Ty *known = table_get(types, args.at[i]->name.id);
        bind(out, name, known ? known : ty_named(a, args.at[i]->name.id, (TyList){0}));
    }
    return out;
}

static TyList parts_of_type(const Ty *t)
{
    return t->kind == TY_NAMED  ? t->named.args
           : t->kind == TY_INST ? t->inst.args
           : t->kind == TY_TUPLE ? t->tuple.items
                                 : (TyList){0};
}

// Binds each name of an annotation to the type that stands in its place.
static void match_types(Table *types, const Expr *annotation, const Ty *t)
{
    if (t->kind == TY_PLACED)
        t = t->placed.of;
    if (annotation->kind == EXPR_LOCATED) {
        match_types(types, annotation->located.type, t);
    } else if (annotation->kind == EXPR_INST) {
        match_types(types, annotation->inst.target, t);
    } else if (annotation->kind == EXPR_NAME) {
        bind(types, annotation->name.id, t);
    } else if (annotation->kind == EXPR_SUBSCRIPT) {
        ExprList parts = subscripts(annotation);
        TyList types_of = parts_of_type(t);
        for (size_t i = 0; i < parts.len && i < types_of.len; i++)
            match_types(types, parts.at[i], types_of.at[i]);
    }
}

void view_types_of_argument(Arena *a, Table *types, const Table *outer, const Arg *param,
                            const Expr *value)
{
    if (param->annotation && value->ty)
        match_types(types, param->annotation, view_type(a, outer, value->ty));
}
