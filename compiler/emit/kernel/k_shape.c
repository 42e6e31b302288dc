// k_shape.c - copies of data, and twins: objects of the same classes and sharing, with cotangents
// where the data hold floats. prelude/made.c makes them by tables of what is in an object.

#include "compiler/emit/kernel/k_internal.h"

static void put_parts(Kernel *k, Buf *b, const char *of, const char *path, const KType *t, Span at)
{
    const char *place = path[0] ? k_text(k, "offsetof(%s, %s)", of, path) : "0";
    if (t->kind == K_FLOAT)
        buf_printf(b, "{%s, NULL}, ", place);
    else if (k_is_pointer(t))
        buf_printf(b, "{%s, &%s}, ", place, k_shape(k, t, at));
    else if (t->kind == K_TEXT && k->o->saved != NULL)      // it may go before what was kept
        buf_printf(b, "{%s, &SHAPE_Text}, ", place);
    for (size_t i = 0; t->kind == K_UNION && i < t->items.len; i++)
        if (t->items.at[i]->kind == K_FLOAT || t->items.at[i]->kind > K_ENUM
            || (t->items.at[i]->kind == K_TEXT && k->o->saved != NULL)) {
            k_refuse(k, at, "a gradient in C does not support `%s` in the data of an input",
                     k_type_text(k, t));
            return;
        }
    for (size_t i = 0; t->kind == K_TUPLE && i < t->items.len; i++)
        put_parts(k, b, of[0] ? of : t->name, k_text(k, "%s%sat%zu", path, path[0] ? "." : "", i),
                  t->items.at[i], at);
}

static void put_fields(Kernel *k, Buf *b, const KClass *c, Span at)
{
    const char *path = "";
    const KField *none;
    k_field(k, c, "", &none);
    for (const KClass *of = c; of != NULL; of = of->base, path = k_text(k, "%sbase.", path))
        for (size_t i = 0; i < of->fields.len; i++)
            put_parts(k, b, c->c, k_text(k, "%s%s", path, of->fields.at[i].c),
                      of->fields.at[i].type, at);
}

static const char *object_shape(Kernel *k, const KType *t, Span at)
{
    const char *name = k_text(k, "SHAPE_%s", t->name);
    if (table_get(k->shapes, t) != NULL)
        return name;
    table_set(k->shapes, t, k);
    Buf parts = buf_new(k->arena);
    bool list = t->kind == K_LIST;
    const KType *item = list ? t->items.at[0] : NULL;
    if (list)
        put_parts(k, &parts, item->kind == K_TUPLE ? item->name : "", "", item, at);
    else
        put_fields(k, &parts, t->class_, at);
    const char *size = !list ? t->name : k_text(k, "%.*s", (int)strlen(item->c)
                                                - (item->c[strlen(item->c) - 1] == ' '), item->c);
    buf_printf(&k->shape_heads, "static const Shape %s;\n", name);
    if (parts.len > 0)
        buf_printf(&k->shape_bodies, "static const Part PARTS_%s[] = {%s};\n", t->name,
                   buf_text(&parts));
    const char *table = parts.len > 0 ? k_text(k, "PARTS_%s", t->name) : "NULL";
    const char *count = parts.len > 0 ? k_text(k, "sizeof %s / sizeof *%s", table, table) : "0";
    buf_printf(&k->shape_bodies, "static const Shape %s = {sizeof(%s), %s, %s, %s, NULL};\n", name,
               size, list ? "true" : "false", count, table);
    return name;
}

// Whichever class an object says it is of.
static const char *any_class(Kernel *k, Span at)
{
    if (table_get(k->shapes, "SHAPE_Object") != NULL)
        return "SHAPE_Object";
    table_set(k->shapes, "SHAPE_Object", k);
    Buf b = buf_new(k->arena);
    for (size_t i = 0; i < k->all_classes.len; i++)
        if (k->all_classes.at[i]->tagged && k->all_classes.at[i]->used)
            buf_printf(&b, "[CLASS_%s] = &%s, ", k->all_classes.at[i]->c,
                       object_shape(k, k->all_classes.at[i]->type, at));
    buf_puts(&k->shape_heads, "static const Shape SHAPE_Object;\n");
    buf_printf(&k->shape_bodies, "static const Shape *const SHAPES[] = {%s};\n"
               "static const Shape SHAPE_Object = {.by_class = SHAPES};\n", buf_text(&b));
    return "SHAPE_Object";
}

const char *k_shape(Kernel *k, const KType *t, Span at)
{
    bool any = t->kind == K_CHOICE || (t->kind == K_RECORD && t->class_->tagged);
    return any ? any_class(k, at) : object_shape(k, t, at);
}

// `_tangents(a, a_dot, b, b_dot)`: a tuple of copies of the tangents.
static KValue made_tangents(Kernel *k, const Expr *call, const KType *t)
{
    const char *maker = k_fresh(k, "maker");
    ExprList args = call->call.args;
    Buf items = buf_new(k->arena);
    k_line_out(k, "Tangents %s = {.maker = {.call = %s}};", maker, k_call(k));
    for (size_t i = 0; i < args.len; i += 2) {
        KValue v = k_expr(k, args.at[i]), tangent = k_expr(k, args.at[i + 1]);
        k_line_out(k, "%s%s_%zu = tangents_copy(&%s, %s, %s, &%s);", v.type->c, maker, i, maker,
                   v.text, tangent.text, k_shape(k, v.type, args.at[i]->at));
        buf_printf(&items, "%s%s_%zu", i > 0 ? ", " : "", maker, i);
    }
    k_line_out(k, "tangents_finish(&%s);", maker);
    return k_value(k_text(k, "(%s){%s}", t->name, buf_text(&items)), KPREC_POSTFIX, t);
}

// `_seeds(value_, dvalue)`.
KValue k_seeds(Kernel *k, const Expr *call)
{
    ExprList args = call->call.args;
    KValue to = k_expr(k, args.at[0]), from = k_expr(k, args.at[1]);
    return k_value(k_text(k, "seeds_add(%s, %s, %s, &%s)", k_call(k), to.text, from.text,
                          k_shape(k, to.type, call->at)), KPREC_POSTFIX, k_simple(k, K_NONE));
}

// `_twins(a, b)`, `_copies(a, b)`: a tuple. The twin of a parameter of a public function is what
// the caller has for its gradient.
KValue k_made(Kernel *k, const Expr *call, const char *name)
{
    const KType *t = k_type(k, call->ty, call->at);
    bool twins = strcmp(name, "_twins") == 0;
    if (strcmp(name, "_tangents") == 0)
        return made_tangents(k, call, t);
    const char *maker = k_fresh(k, "maker");
    k->function->copied |= !twins;
    Buf lines = buf_new(k->arena), items = buf_new(k->arena);
    for (size_t i = 0; i < call->call.args.len; i++) {
        const Expr *e = call->call.args.at[i];
        const char *given = twins ? k_twin_param(k, e->name.id) : NULL;
        KValue v = k_expr(k, e);
        buf_puts(&items, i > 0 ? ", " : "");
        if (given != NULL) {
            buf_puts(&items, given);
            continue;
        }
        buf_printf(&lines, "%s%s_%zu = maker_copy(&%s, %s, &%s);\n", v.type->c, maker, i, maker,
                   v.text, k_shape(k, v.type, e->at));
        buf_printf(&items, "%s_%zu", maker, i);
    }
    if (lines.len > 0) {
        k_line_out(k, "Maker %s = {.call = %s, .zeros = %s};", maker, k_call(k),
                   twins ? "true" : "false");
        buf_puts(k->out, buf_text(&lines));
        k_line_out(k, "maker_finish(&%s);", maker);
    }
    return k_value(k_text(k, "(%s){%s}", t->name, buf_text(&items)), KPREC_POSTFIX, t);
}
