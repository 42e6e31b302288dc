// ast_walk.h - a module as a stream of events, in the order of Python's `ast` fields.
//
// The tree printers (ast_dump.c, ast_json.c) are sinks of this stream. It needs no recursion, so
// chains of any length and any nesting can be printed. Attributes (positions, types, roles) are no
// events; a sink finds them in the node.

#ifndef PYCHORAL_AST_WALK_H
#define PYCHORAL_AST_WALK_H

#include "compiler/ir/ir_engine.h"

// A node with the row that describes it.
typedef struct AstNode {
    const IrFamily *family;
    const IrForm   *form;
    const void     *node;
} AstNode;

typedef struct AstSink {
    void *cx;
    void (*enter)(void *cx, AstNode n);                         // before its fields
    void (*leave)(void *cx, AstNode n);
    void (*field)(void *cx, AstNode n, const IrField *f);       // before the field's value
    void (*open)(void *cx, size_t len);                         // a list of so many items
    void (*item)(void *cx, size_t index);                       // before an item of a list
    void (*close)(void *cx, size_t len);
    void (*absent)(void *cx);                                   // None
    void (*identifier)(void *cx, Sym s);
    void (*integer)(void *cx, int value);
    void (*constant)(void *cx, const Const *c);
    void (*bare)(void *cx, const char *name);                   // a node without fields: Load, Add
} AstSink;

AstNode     ast_node(const IrFamily *family, const void *node);
const char *ast_node_name(AstNode n);                           // of the Python class
bool        ast_is_field(const IrField *f);                     // as against an attribute
// Whether a dump leaves the field out: it is None or an empty list.
bool        ast_is_empty(AstNode n, const IrField *f);

void ast_walk(Arena *scratch, const AstSink *sink, const Unit *u);

#endif
