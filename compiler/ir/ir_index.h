// ir_index.h - a tree written down as a list, in the order of a walk.
//
// Walks over a whole module look for nodes of a few kinds. In the list these are found without a
// look at the others, which lie all over the memory. Types are not in it. A tree never changes, so
// the list holds as long as the tree.

#ifndef PYCHORAL_IR_INDEX_H
#define PYCHORAL_IR_INDEX_H

#include "compiler/base/arena.h"
#include "ir_gen.h"

// Its children follow it, one level deeper.
typedef struct IrMark {
    const void *node;
    uint32_t    depth;
    uint8_t     family, kind;
} IrMark;

typedef struct IrIndex {
    IrMark *const *chunks;
    size_t         from, len;       // of the marks in them
    Arena         *own;             // of the list; NULL: it is part of another
} IrIndex;

IrIndex ir_index_open(Arena *a, StmtList body);     // is closed before `a` ends
void    ir_index_close(IrIndex *index);

// The tree of the next statement of the body, which is taken off.
IrIndex ir_index_next(IrIndex *rest);

// Kinds of nodes, as bits.
typedef struct IrKinds { uint64_t exprs, stmts; } IrKinds;
#define IR_KIND(kind) ((uint64_t)1 << (kind))

// As ir_walk_stmts, but `w` sees only expressions and statements of these kinds.
void ir_index_walk(const IrWalker *w, IrIndex index, IrKinds kinds);

_Static_assert((int)EXPR_COUNT <= 64 && (int)STMT_COUNT <= 64, "a kind is a bit");

#endif
