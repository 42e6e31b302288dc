// ast_json.c - the JSON form of a module.

#include "compiler/emit/ast_json.h"

#include <stdio.h>
#include <string.h>

#include "compiler/base/json.h"
#include "compiler/emit/ast_walk.h"
#include "compiler/ir/pytext.h"

typedef struct Json {
    Buf          *b;
    const Source *source;
} Json;

static void put(Json *j, const char *s)
{
    buf_raw(j->b, s, strlen(s));
}

static void put_number(Json *j, unsigned long value)
{
    char text[24];
    int len = snprintf(text, sizeof text, "%lu", value);
    buf_raw(j->b, text, (size_t)len);
}

// ---- positions ----

static void put_place(Json *j, const char *line_name, const char *column_name, uint32_t offset)
{
    size_t line = source_line_index(j->source, offset);
    put(j, line_name);
    put_number(j, line + 1);
    put(j, column_name);
    put_number(j, offset - j->source->lines[line]);
}

static const IrField *find_span(const IrForm *form)
{
    for (int i = 0; i < form->field_count; i++)
        if (form->fields[i].type == FIELD_SPAN)
            return &form->fields[i];
    return NULL;
}

static void put_span(Json *j, AstNode n)
{
    const IrField *f = find_span(n.form);
    if (f == NULL)
        return;
    Span at = ir_span(n.node, f);
    put_place(j, ",\"lineno\":", ",\"col_offset\":", at.start);
    put_place(j, ",\"end_lineno\":", ",\"end_col_offset\":", at.end);
}

// ---- nodes ----

// Fields of Python's that the IR has no use for: they are always empty here.
typedef struct Missing { const char *type, *before, *text; } Missing;

static const Missing missing[] = {
    {"Module", NULL, ",\"type_ignores\":[]"},
    {"FunctionDef", "type_params", ",\"type_comment\":null"},
    {"AsyncFunctionDef", "type_params", ",\"type_comment\":null"},
    {"Assign", NULL, ",\"type_comment\":null"},
    {"For", NULL, ",\"type_comment\":null"},
    {"AsyncFor", NULL, ",\"type_comment\":null"},
    {"With", NULL, ",\"type_comment\":null"},
    {"AsyncWith", NULL, ",\"type_comment\":null"},
    {"arg", NULL, ",\"type_comment\":null"},
};

// Prints those that come before the field `before`, or at the end (NULL).
static void put_missing(Json *j, AstNode n, const char *before)
{
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        const Missing *m = &missing[i];
        bool here = before == NULL ? m->before == NULL
                                   : m->before != NULL && strcmp(before, m->before) == 0;
        if (here && strcmp(m->type, ast_node_name(n)) == 0)
            put(j, m->text);
    }
}

static void enter(void *cx, AstNode n)
{
    Json *j = cx;
    put(j, "{\"_type\":\"");
    put(j, ast_node_name(n));
    put(j, "\"");
}

static void leave(void *cx, AstNode n)
{
    Json *j = cx;
    put_missing(j, n, NULL);
    put_span(j, n);
    put(j, "}");
}

static void field(void *cx, AstNode n, const IrField *f)
{
    Json *j = cx;
    if (f->name[0] == 't')
        put_missing(j, n, f->name);
    put(j, ",\"");
    put(j, f->name);
    put(j, "\":");
}

static void open_list(void *cx, size_t len)
{
    (void)len;
    put(cx, "[");
}

static void item(void *cx, size_t index)
{
    if (index > 0)
        put(cx, ",");
}

static void close_list(void *cx, size_t len)
{
    (void)len;
    put(cx, "]");
}

static void absent(void *cx)
{
    put(cx, "null");
}

static void identifier(void *cx, Sym s)
{
    json_string(((Json *)cx)->b, (Text){s, strlen(s)});
}

static void integer(void *cx, int value)
{
    Json *j = cx;
    if (value < 0)
        put(j, "-");
    put_number(j, (unsigned long)(value < 0 ? -(long)value : value));
}

static void bare(void *cx, const char *name)
{
    Json *j = cx;
    put(j, "{\"_type\":\"");
    put(j, name);
    put(j, "\"}");
}

static void put_hex(Json *j, Text bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char c = (unsigned char)bytes.at[i];
        char pair[] = {digits[c >> 4], digits[c & 15]};
        buf_raw(j->b, pair, 2);
    }
}

static void put_kind(Json *j, const char *kind)
{
    put(j, "{\"kind\":\"");
    put(j, kind);
    put(j, "\",\"value\":");
}

static void constant(void *cx, const Const *c)
{
    Json *j = cx;
    switch (c->kind) {
    case CONST_NONE:     put(j, "{\"kind\":\"none\",\"value\":\"\"}"); return;
    case CONST_ELLIPSIS: put(j, "{\"kind\":\"ellipsis\",\"value\":\"\"}"); return;
    case CONST_STR:
        put_kind(j, "str");
        json_string(j->b, c->text);
        put(j, "}");
        return;
    case CONST_BOOL:
        put_kind(j, "bool");
        put(j, c->truth ? "\"True" : "\"False");
        break;
    case CONST_INT:
        put_kind(j, "int");
        put(j, "\"");
        buf_raw(j->b, c->text.at, c->text.len);
        break;
    case CONST_FLOAT:
    case CONST_COMPLEX:
        put_kind(j, c->kind == CONST_FLOAT ? "float" : "complex");
        put(j, "\"");
        pytext_float_hex(j->b, c->number);
        break;
    case CONST_BYTES:
        put_kind(j, "bytes");
        put(j, "\"");
        put_hex(j, c->text);
        break;
    }
    put(j, "\"}");
}

void emit_ast_json(Buf *b, const Unit *u, const Source *s)
{
    Json json = {b, s};
    AstSink sink = {
        .cx = &json, .enter = enter, .leave = leave, .field = field, .open = open_list,
        .item = item, .close = close_list, .absent = absent, .identifier = identifier,
        .integer = integer, .constant = constant, .bare = bare,
    };
    ast_walk(b->arena, &sink, u);
}
