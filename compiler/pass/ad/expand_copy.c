// expand_copy.c - what makes the twins and copies of the inputs of a function, as typed Python that
// any target takes. With one memo for a call, as a list of pairs for each type: what is one
// object stays one.

#include <stdlib.h>

#include "compiler/base/buf.h"
#include "compiler/emit/python.h"
#include "compiler/front/front.h"
#include "compiler/pass/ad/expand_internal.h"

// A type that is copied, and the function for it.
typedef struct Shape { const char *text; const Ty *ty; Sym function; } Shape;

typedef struct Copier {
    const Ad *ad;
    Diags *diags;
    Span   at;
    Table *taken;
    const char *base;           // of the names of the functions
    bool   zeros;
    Vec(Shape) shapes;
    bool   fails;
} Copier;

// ---- which types ----

static const char *ty_text(const Copier *c, const Ty *t)
{
    Buf b = buf_new(c->ad->arena);
    emit_ty(&b, t);
    return buf_text(&b);
}

static void refuse(Copier *c, const Ty *t)
{
    if (!c->fails)
        diag_help(diag_report(c->diags, c->at, DIAG_GRAD_TYPE,
                              "an argument of type `%s` cannot be differentiated in a choreography "
                              "yet",
                              ty_text(c, t)),
                  "use floats, lists, or dataclasses that are not frozen");
    c->fails = true;
}

static size_t shape_of(Copier *c, const Ty *t)
{
    const char *text = ty_text(c, t);
    for (size_t i = 0; i < c->shapes.len; i++)
        if (strcmp(c->shapes.at[i].text, text) == 0)
            return i;
    Shape s = {text, t, ad_fresh(c->ad, c->taken, c->base)};
    vec_push(c->ad->arena, &c->shapes, s);
    return c->shapes.len - 1;
}

static const Stmt *class_of(const Copier *c, const Ty *t)
{
    return t->kind == TY_NAMED && t->named.args.len == 0
               ? table_get(c->ad->classes, t->named.name) : NULL;
}

static bool has_memo(const Copier *c, const Ty *t)
{
    return ad_list_element(t) != NULL || class_of(c, t) != NULL;
}

// ---- texts; the type of shape n is written _Tn, and replaced when the text has been read ----

// `, known_0, known_2`: the memos that each function gets.
static void put_memos(const Copier *c, Buf *b, bool types)
{
    for (size_t i = 0; i < c->shapes.len; i++)
        if (has_memo(c, c->shapes.at[i].ty))
            buf_printf(b, types ? ", known_%zu: list[tuple[_T%zu, _T%zu]]" : ", known_%zu", i, i,
                       i);
}

// A copy of a value, or what stands for it in a twin. The memos are written as `@`.
static const char *leaf(Copier *c, const Ty *t, const char *value)
{
    Buf b = buf_new(c->ad->arena);
    if (ad_is_float(t))
        return c->zeros ? "0.0" : names_format(c->ad->names, "float(%s)", value);
    if (!ad_is_data(c->ad, t)) {
        if (ad_holds_float(c->ad, t))
            refuse(c, t);
        return value;
    }
    size_t n = shape_of(c, t);
    buf_printf(&b, "%s(%s@)", c->shapes.at[n].function, value);
    return buf_text(&b);
}

static void put_known(Buf *b, size_t n)
{
    buf_printf(b, "    for given, there in known_%zu:\n        if given is value:\n"
                  "            return there\n", n);
}

static void put_list(Copier *c, Buf *b, size_t n)
{
    const Ty *item = ad_list_element(c->shapes.at[n].ty);
    put_known(b, n);
    if (ad_is_float(item) && c->zeros)
        buf_printf(b, "    made: _T%zu = [0.0] * len(value)\n", n);
    else
        buf_printf(b, "    made: _T%zu = []\n", n);
    buf_printf(b, "    known_%zu.append((value, made))\n", n);
    if (!ad_is_float(item) || !c->zeros)
        buf_printf(b, "    for item in value:\n        made.append(%s)\n", leaf(c, item, "item"));
    buf_puts(b, "    return made\n");
}

static bool is_class_variable(const Stmt *s)
{
    const Expr *a = s->ann_assign.annotation;
    const Expr *head = a->kind == EXPR_SUBSCRIPT ? a->subscript.value : a;
    return (head->kind == EXPR_NAME && sym_is(head->name.id, "ClassVar"))
           || (head->kind == EXPR_ATTRIBUTE && sym_is(head->attribute.attr, "ClassVar"));
}

// The fields of a class that is made from them, in order; refused where some are not.
static AdExprs fields_of(Copier *c, const Ty *t)
{
    AdExprs out = {0};
    StmtList body = class_of(c, t)->class_def.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind != STMT_ANN_ASSIGN || is_class_variable(s))
            continue;
        const Expr *value = s->ann_assign.value;
        for (size_t k = 0; value && value->kind == EXPR_CALL && k < value->call.keywords.len; k++)
            if (sym_is(value->call.keywords.at[k]->arg, "init")
                || sym_is(value->call.keywords.at[k]->arg, "kw_only"))
                refuse(c, t);
        vec_push(c->ad->arena, &out, s->ann_assign.target);
    }
    return out;
}

// With the fields as they are at first: one may lead back to the object.
static void put_class(Copier *c, Buf *b, size_t n)
{
    AdExprs fields = fields_of(c, c->shapes.at[n].ty);
    put_known(b, n);
    buf_printf(b, "    made = _T%zu(", n);
    for (size_t i = 0; i < fields.len; i++)
        buf_printf(b, "%svalue.%s", i > 0 ? ", " : "", fields.at[i]->name.id);
    buf_printf(b, ")\n    known_%zu.append((value, made))\n", n);
    for (size_t i = 0; i < fields.len; i++) {
        Sym name = fields.at[i]->name.id;
        const char *value = names_format(c->ad->names, "value.%s", name);
        const char *made = leaf(c, fields.at[i]->ty, value);
        if (made != value)
            buf_printf(b, "    made.%s = %s\n", name, made);
    }
    buf_puts(b, "    return made\n");
}

static void put_union(Copier *c, Buf *b, TyList items)
{
    for (size_t i = 0; i < items.len; i++) {
        const Ty *t = items.at[i];
        bool list = ad_list_element(t) != NULL;
        if (ad_is_float(t))
            refuse(c, t);
        if (t->kind == TY_NONE_TYPE)
            buf_puts(b, "    if value is None:\n        return None\n");
        else if (ad_is_data(c->ad, t))
            buf_printf(b, list ? "    if isinstance(value, list):\n"
                               : "    if isinstance(value, _T%zu):\n", shape_of(c, t));
        if (ad_is_data(c->ad, t))
            buf_printf(b, "        return %s\n", leaf(c, t, "value"));
    }
    buf_puts(b, "    return value\n");
}

static void put_body(Copier *c, Buf *b, size_t n)
{
    const Ty *t = c->shapes.at[n].ty;
    if (t->kind == TY_UNION)
        put_union(c, b, t->union_.items);
    else if (ad_list_element(t) != NULL)
        put_list(c, b, n);
    else
        put_class(c, b, n);
}

// ---- reading ----

static const Expr *with_type(IrMapper *m, const Expr *e)
{
    const Copier *c = m->cx;
    if (e->kind != EXPR_NAME || strncmp(e->name.id, "_T", 2) != 0)
        return e;
    size_t n = (size_t)atoi(e->name.id + 2);
    return ad_annotation(c->ad, c->at, c->shapes.at[n].ty);
}

static StmtList read(Copier *c, const char *text)
{
    Arena *a = c->ad->arena;
    const Source *source = source_new(a, c->base, (Text){text, strlen(text)});
    const Unit *unit = front_parse(a, c->ad->names, source, diags_new(a));
    IrMapper m = {.arena = a, .cx = c, .expr = with_type};
    return ir_map_stmts(&m, unit->module.body);
}

// The memos are known when all functions are.
static void put_expanded(const Copier *c, Buf *b, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '@')
            put_memos(c, b, false);
        else
            buf_putc(b, *text);
}

static void put_main(Copier *c, Buf *b, Sym name, ExprList values, const char *calls)
{
    buf_printf(b, "def %s(", name);
    for (size_t i = 0; i < values.len; i++)
        buf_printf(b, "%svalue_%zu: _T%zu", i > 0 ? ", " : "", i,
                   shape_of(c, values.at[i]->ty));
    buf_puts(b, ") -> tuple[");
    for (size_t i = 0; i < values.len; i++)
        buf_printf(b, "%s_T%zu", i > 0 ? ", " : "", shape_of(c, values.at[i]->ty));
    buf_puts(b, "]:\n");
    for (size_t i = 0; i < c->shapes.len; i++)
        if (has_memo(c, c->shapes.at[i].ty))
            buf_printf(b, "    known_%zu: list[tuple[_T%zu, _T%zu]] = []\n", i, i, i);
    buf_puts(b, "    return (");
    put_expanded(c, b, calls);
    buf_puts(b, ")\n");
}

bool expand_copier(const Ad *ad, Table *taken, Sym name, ExprList values, bool zeros,
                   StmtList *out)
{
    const char *base = names_format(ad->names, "%s_of", name);
    Copier c = {.ad = ad, .diags = ad->diags, .at = values.at[0]->at, .taken = taken,
                .base = base, .zeros = zeros};
    Buf calls = buf_new(ad->arena), all = buf_new(ad->arena);
    Vec(const char *) bodies = {0};
    for (size_t i = 0; i < values.len; i++)
        buf_printf(&calls, "%s, ", leaf(&c, values.at[i]->ty,
                                        names_format(ad->names, "value_%zu", i)));
    for (size_t n = 0; n < c.shapes.len; n++) {
        Buf body = buf_new(ad->arena);
        put_body(&c, &body, n);
        vec_push(ad->arena, &bodies, buf_text(&body));
    }
    for (size_t n = 0; n < bodies.len; n++) {
        buf_printf(&all, "def %s(value: _T%zu", c.shapes.at[n].function, n);
        put_memos(&c, &all, true);
        buf_printf(&all, ") -> _T%zu:\n", n);
        put_expanded(&c, &all, bodies.at[n]);
    }
    put_main(&c, &all, name, values, buf_text(&calls));
    if (!c.fails)
        *out = read(&c, buf_text(&all));
    return !c.fails;
}
