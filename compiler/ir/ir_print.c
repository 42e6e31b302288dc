// ir_print.c - the exact text form of the IR: S-expressions that ir_read.c reads back.
//
//     node    (Form @START:END :attribute value ... field ...)    the place only where there is one
//     absent  nil                      list  [item ...]
//     name    bare when made of letters, digits, `_` and `.`, otherwise "quoted"
//     const   (none) (ellipsis) (bool true) (int 12) (float 1.5) (complex 2) (str "x") (bytes "x")
//
// Attributes marked `~` in ir.asdl are written only where they are set. Statements stand on lines
// of their own; a spine (elif) is not indented further.

#include "compiler/ir/ir_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_escape(Buf *b, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";
    char text[] = {'\\', 'x', digits[c >> 4], digits[c & 15]};
    buf_write(b, text, sizeof text);
}

// Bytes from 0x80 stand for themselves in text, but for encoded surrogates (0xed 0xa0..0xbf),
// which would make the output no UTF-8.
static void print_quoted(Buf *b, Text text, bool binary)
{
    buf_putc(b, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        unsigned char next = i + 1 < text.len ? (unsigned char)text.at[i + 1] : 0;
        if (c == '"' || c == '\\') {
            buf_putc(b, '\\');
            buf_putc(b, (char)c);
        } else if (c == '\n') {
            buf_puts(b, "\\n");
        } else if (c < 0x20 || c == 0x7f || (c >= 0x80 && binary) || (c == 0xed && next >= 0xa0)) {
            print_escape(b, c);
        } else {
            buf_putc(b, (char)c);
        }
    }
    buf_putc(b, '"');
}

static bool is_bare(Sym s)
{
    if (*s == '\0' || strcmp(s, "nil") == 0)
        return false;
    for (; *s != '\0'; s++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", *s) == NULL)
            return false;
    return true;
}

static void print_name(Buf *b, Sym s)
{
    if (s == NULL)
        buf_puts(b, "nil");
    else if (is_bare(s))
        buf_puts(b, s);
    else
        print_quoted(b, (Text){s, strlen(s)}, false);
}

// The shortest decimal form that reads back as the same number; NaNs by their bits.
static void print_number(Buf *b, double number)
{
    char text[40];
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (number != number) {
        buf_printf(b, "nan:%llx", (unsigned long long)bits);
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, number);
        if (strtod(text, NULL) == number)
            break;
    }
    buf_puts(b, text);
}

static void print_const(Buf *b, const Const *c)
{
    if (c == NULL) {
        buf_puts(b, "nil");
        return;
    }
    switch (c->kind) {
    case CONST_NONE:
        buf_puts(b, "(none");
        break;
    case CONST_ELLIPSIS:
        buf_puts(b, "(ellipsis");
        break;
    case CONST_BOOL:
        buf_puts(b, c->truth ? "(bool true" : "(bool false");
        break;
    case CONST_INT:
        buf_puts(b, "(int ");
        buf_write(b, c->text.at, c->text.len);
        break;
    case CONST_FLOAT:
    case CONST_COMPLEX:
        buf_puts(b, c->kind == CONST_FLOAT ? "(float " : "(complex ");
        print_number(b, c->number);
        break;
    case CONST_STR:
    case CONST_BYTES:
        buf_puts(b, c->kind == CONST_STR ? "(str " : "(bytes ");
        print_quoted(b, c->text, c->kind == CONST_BYTES);
        break;
    }
    buf_putc(b, ')');
}

static void print_item(Buf *b, const IrField *f, IrList list, size_t i)
{
    unsigned value;
    switch (f->type) {
    case FIELD_NODE:
        ir_print_node(b, f->family, ir_list_pointer(list, i));
        break;
    case FIELD_ENUM:
        memcpy(&value, (const char *)list.at + i * sizeof value, sizeof value);
        buf_puts(b, f->family->forms[value].name);
        break;
    case FIELD_IDENTIFIER:
    case FIELD_INT:
    case FIELD_BOOL:
    case FIELD_CONSTANT:
    case FIELD_SPAN:
        print_name(b, ir_list_pointer(list, i));
        break;
    }
}

// Whether the nodes of a family begin a line: those that hold or are statements.
static bool begins_line(const IrFamily *family)
{
    return family != NULL && (strcmp(family->name, "stmt") == 0 ||
                              strcmp(family->name, "endpoint") == 0);
}

static void print_list(Buf *b, const IrField *f, IrList list)
{
    bool lines = begins_line(f->family);
    buf_putc(b, '[');
    b->indent += lines;
    for (size_t i = 0; i < list.len; i++) {
        if (lines || i > 0)
            buf_putc(b, lines ? '\n' : ' ');
        print_item(b, f, list, i);
    }
    b->indent -= lines;
    buf_putc(b, ']');
}

static void print_one(Buf *b, const IrField *f, const void *node)
{
    switch (f->type) {
    case FIELD_NODE:
        ir_print_node(b, f->family, ir_pointer(node, f));
        break;
    case FIELD_ENUM:
        buf_puts(b, f->family->forms[ir_enum(node, f)].name);
        break;
    case FIELD_IDENTIFIER:
        print_name(b, ir_pointer(node, f));
        break;
    case FIELD_INT:
        buf_printf(b, "%d", (int)ir_enum(node, f));
        break;
    case FIELD_BOOL:
        buf_puts(b, *((const unsigned char *)node + f->offset) ? "true" : "false");
        break;
    case FIELD_CONSTANT:
        print_const(b, ir_pointer(node, f));
        break;
    case FIELD_SPAN:
        buf_printf(b, "@%lu:%lu", (unsigned long)ir_span(node, f).start,
                   (unsigned long)ir_span(node, f).end);
        break;
    }
}

static bool is_set(const IrField *f, const void *node)
{
    return f->count >= COUNT_MANY ? ir_list(node, f).len > 0 : ir_pointer(node, f) != NULL;
}

static void print_field(Buf *b, const IrField *f, const void *node)
{
    if (f->quiet && !is_set(f, node))
        return;
    buf_putc(b, ' ');
    if (f->quiet)
        buf_printf(b, ":%s ", f->name);
    if (f->count >= COUNT_MANY)
        print_list(b, f, ir_list(node, f));
    else
        print_one(b, f, node);
}

static void print_fields(Buf *b, const IrForm *form, const void *node, int from, int to)
{
    for (int i = from; i < to; i++)
        print_field(b, &form->fields[i], node);
}

// What stands before the spine child, up to the bracket of a spine that is a list.
static void print_before(Buf *b, const IrForm *form, const void *node)
{
    const IrField *f = &form->fields[form->spine];
    print_fields(b, form, node, 0, form->spine);
    buf_putc(b, ' ');
    if (f->count >= COUNT_MANY)
        buf_putc(b, '[');
    if (begins_line(f->family))
        buf_putc(b, '\n');
}

static void print_after(Buf *b, const IrForm *form, const void *node)
{
    if (form->fields[form->spine].count >= COUNT_MANY)
        buf_putc(b, ']');
    print_fields(b, form, node, form->spine + 1, form->field_count);
    buf_putc(b, ')');
}

void ir_print_node(Buf *b, const IrFamily *family, const void *node)
{
    IrChain c;
    if (node == NULL) {
        buf_puts(b, "nil");
        return;
    }
    ir_chain_open(&c, family, node);
    for (size_t i = 0; i < c.len; i++) {
        const IrForm *form = ir_form_of(family, c.at[i]);
        buf_putc(b, '(');
        buf_puts(b, form->name);
        if (i + 1 < c.len)
            print_before(b, form, c.at[i]);
        else
            print_fields(b, form, c.at[i], 0, form->field_count);
    }
    if (c.len > 0)
        buf_putc(b, ')');
    for (size_t i = c.len - 1; i-- > 0;)
        print_after(b, ir_form_of(family, c.at[i]), c.at[i]);
    ir_chain_close(&c);
}
