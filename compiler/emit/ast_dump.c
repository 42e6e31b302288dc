// ast_dump.c - ast.dump(tree, indent=2) of Python 3.13: absent fields and empty lists are left out;
// a node stands on one line when it has at most three fields and no field has fields itself.

#include "compiler/emit/ast_dump.h"

#include <stdio.h>
#include <string.h>

#include "compiler/emit/ast_walk.h"
#include "compiler/ir/pytext.h"

enum { LARGE = 1 << 20 };       // bytes of output that are handed on

typedef struct Dump {
    Buf  *b;
    const AstDumpOutput *output;
    bool  failed;               // the output takes no more
    bool  skip;                 // the value that comes is that of a field that is left out
    Vec(bool) flat;             // for each open node: it stands on one line
    Vec(bool) started;          // for each open node: a field was printed
    size_t level;
} Dump;

static void hand_on(Dump *d)
{
    if (d->output == NULL || d->b->len < LARGE)
        return;
    d->failed |= !d->failed && !d->output->write(d->output->cx, (Text){d->b->at, d->b->len});
    d->b->len = 0;
}

static void new_line(Dump *d)
{
    hand_on(d);
    buf_putc(d->b, '\n');
    for (size_t i = 0; i < d->level; i++)
        buf_raw(d->b, "  ", 2);
}

static int printed_fields(AstNode n)
{
    int count = 0;
    for (int i = 0; i < n.form->field_count; i++)
        count += ast_is_field(&n.form->fields[i]) && !ast_is_empty(n, &n.form->fields[i]);
    return count;
}

// Whether the value of a printed field has no parts of its own.
static bool is_simple(AstNode n, const IrField *f)
{
    if (f->count == COUNT_MANY || f->count == COUNT_SPARSE)
        return false;
    return f->type != FIELD_NODE ||
           printed_fields(ast_node(f->family, ir_pointer(n.node, f))) == 0;
}

static bool is_flat(AstNode n)
{
    if (printed_fields(n) > 3)
        return false;
    for (int i = 0; i < n.form->field_count; i++) {
        const IrField *f = &n.form->fields[i];
        if (ast_is_field(f) && !ast_is_empty(n, f) && !is_simple(n, f))
            return false;
    }
    return true;
}

static void enter(void *cx, AstNode n)
{
    Dump *d = cx;
    buf_puts(d->b, ast_node_name(n));
    buf_putc(d->b, '(');
    vec_push(d->b->arena, &d->flat, is_flat(n));
    vec_push(d->b->arena, &d->started, false);
    d->level++;
}

static void leave(void *cx, AstNode n)
{
    Dump *d = cx;
    (void)n;
    buf_putc(d->b, ')');
    d->flat.len--;
    d->started.len--;
    d->level--;
}

static void field(void *cx, AstNode n, const IrField *f)
{
    Dump *d = cx;
    d->skip = ast_is_empty(n, f);
    if (d->skip)
        return;
    bool *started = &d->started.at[d->started.len - 1];
    bool flat = d->flat.at[d->flat.len - 1];
    if (*started)
        buf_puts(d->b, flat ? ", " : ",");
    if (!flat)
        new_line(d);
    *started = true;
    buf_puts(d->b, f->name);
    buf_putc(d->b, '=');
}

static void open_list(void *cx, size_t len)
{
    Dump *d = cx;
    d->level++;
    if (len > 0)
        buf_putc(d->b, '[');
}

static void item(void *cx, size_t index)
{
    Dump *d = cx;
    d->skip = false;
    if (index > 0)
        buf_putc(d->b, ',');
    new_line(d);
}

static void close_list(void *cx, size_t len)
{
    Dump *d = cx;
    d->level--;
    if (len > 0)
        buf_putc(d->b, ']');
}

static void absent(void *cx)
{
    Dump *d = cx;
    if (!d->skip)
        buf_puts(d->b, "None");
}

static void identifier(void *cx, Sym s)
{
    Dump *d = cx;
    pytext_str_repr(d->b, (Text){s, strlen(s)});
}

static void integer(void *cx, int value)
{
    Dump *d = cx;
    buf_printf(d->b, "%d", value);
}

static void bare(void *cx, const char *name)
{
    Dump *d = cx;
    buf_puts(d->b, name);
    buf_puts(d->b, "()");
}

static void constant(void *cx, const Const *c)
{
    const_repr(((Dump *)cx)->b, c);
}

void emit_ast_dump(Buf *b, const Unit *u, const AstDumpOutput *output)
{
    Dump dump = {.b = b, .output = output};
    AstSink sink = {
        .cx = &dump, .enter = enter, .leave = leave, .field = field, .open = open_list,
        .item = item, .close = close_list, .absent = absent, .identifier = identifier,
        .integer = integer, .constant = constant, .bare = bare,
    };
    ast_walk(b->arena, &sink, u);
    buf_putc(b, '\n');
}
