// ast_walk.c - the event stream, by the tables that describe the IR's forms.

#include "compiler/emit/ast_walk.h"

AstNode ast_node(const IrFamily *family, const void *node)
{
    return (AstNode){family, ir_form_of(family, node), node};
}

const char *ast_node_name(AstNode n)
{
    return n.family->product ? n.family->name : n.form->name;
}

bool ast_is_field(const IrField *f)
{
    return f->type != FIELD_SPAN && !f->quiet;
}

static bool is_list(const IrField *f)
{
    return f->count == COUNT_MANY || f->count == COUNT_SPARSE;
}

bool ast_is_empty(AstNode n, const IrField *f)
{
    if (is_list(f))
        return ir_list(n.node, f).len == 0;
    return f->count == COUNT_OPTIONAL && ir_pointer(n.node, f) == NULL;
}

// A node whose fields are being given: where we are in it.
typedef struct Frame {
    AstNode node;
    int     field;              // the next one, or the one whose list is being given
    IrList  list;
    size_t  index;
    bool    in_list;
} Frame;

typedef struct Walk {
    const AstSink *sink;
    Arena *scratch;
    Vec(Frame) stack;
} Walk;

static void enter(Walk *w, AstNode n)
{
    w->sink->enter(w->sink->cx, n);
    vec_push(w->scratch, &w->stack, ((Frame){.node = n}));
}

static const void *read_pointer(const Frame *top, const IrField *f)
{
    return top->in_list ? ir_list_pointer(top->list, top->index) : ir_pointer(top->node.node, f);
}

static int read_int(const Frame *top, const IrField *f)
{
    return *(const int *)(const void *)((const char *)top->node.node + f->offset);
}

static unsigned read_enum(const Frame *top, const IrField *f)
{
    return top->in_list ? ((const unsigned *)top->list.at)[top->index]
                        : ir_enum(top->node.node, f);
}

// Gives one value: a field's, or that of an item of its list. A node is entered; its fields follow.
static void give_value(Walk *w, const Frame *top, const IrField *f)
{
    const AstSink *sink = w->sink;
    const void *pointer = NULL;
    if (f->type == FIELD_NODE || f->type == FIELD_IDENTIFIER || f->type == FIELD_CONSTANT) {
        pointer = read_pointer(top, f);
        if (pointer == NULL) {
            sink->absent(sink->cx);
            return;
        }
    }
    switch (f->type) {
    case FIELD_NODE:       enter(w, ast_node(f->family, pointer)); break;
    case FIELD_IDENTIFIER: sink->identifier(sink->cx, pointer); break;
    case FIELD_CONSTANT:   sink->constant(sink->cx, pointer); break;
    case FIELD_ENUM:       sink->bare(sink->cx, f->family->forms[read_enum(top, f)].name); break;
    case FIELD_INT:
    case FIELD_BOOL:       sink->integer(sink->cx, read_int(top, f)); break;
    case FIELD_SPAN:       break;
    }
}

// The frame may move when a node is entered: it is advanced first, from a copy the value is given.
static void step_list(Walk *w, Frame *top, const IrField *f)
{
    const AstSink *sink = w->sink;
    if (top->index == top->list.len) {
        sink->close(sink->cx, top->list.len);
        top->in_list = false;
        top->field++;
        return;
    }
    Frame now = *top;
    sink->item(sink->cx, top->index++);
    give_value(w, &now, f);
}

static void step_field(Walk *w, Frame *top, const IrField *f)
{
    const AstSink *sink = w->sink;
    if (!ast_is_field(f)) {
        top->field++;
        return;
    }
    sink->field(sink->cx, top->node, f);
    if (is_list(f)) {
        top->list = ir_list(top->node.node, f);
        top->index = 0;
        top->in_list = true;
        sink->open(sink->cx, top->list.len);
        return;
    }
    Frame now = *top;
    top->field++;
    give_value(w, &now, f);
}

void ast_walk(Arena *scratch, const AstSink *sink, const Unit *u)
{
    Walk w = {.sink = sink, .scratch = scratch};
    enter(&w, ast_node(ir_family(FAMILY_UNIT), u));
    while (w.stack.len > 0) {
        Frame *top = &w.stack.at[w.stack.len - 1];
        if (top->field == top->node.form->field_count) {
            sink->leave(sink->cx, top->node);
            w.stack.len--;
            continue;
        }
        const IrField *f = &top->node.form->fields[top->field];
        if (top->in_list)
            step_list(&w, top, f);
        else
            step_field(&w, top, f);
    }
}
