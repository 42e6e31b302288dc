// delta.h - dual arrays: the linear map from the inputs to a bulk term, as a graph.
//
// Each constructor is the forward derivative of one primitive; what a primitive answers is shared
// (id > 0), and ids grow from a term to what stands on it. A reverse pass takes them from the
// largest down, each once (gradient.c).

#ifndef PYCHORAL_AD_DELTA_H
#define PYCHORAL_AD_DELTA_H

#include "compiler/pass/ad/elementwise.h"

typedef enum DeltaKind {
    DELTA_ZERO, DELTA_INPUT,
    DELTA_ADD,                  // of Scale, one for each active operand; a factor NULL is 1
    DELTA_INDEX, DELTA_SUM_OUTER, DELTA_GATHER, DELTA_SCATTER, DELTA_LIT_ARRAY, DELTA_REPLICATE,
    DELTA_TRANSPOSE, DELTA_RESHAPE, DELTA_COND, DELTA_ONE_HOT,
} DeltaKind;

typedef struct Delta {
    DeltaKind kind;
    unsigned  id;               // 0: Zero, Input
    const Ty *ty;
    const Expr *term;           // the primitive; of an Input its name
    const struct Delta *const *of;
    const Expr *const *factors; // ADD
    size_t len;
} Delta;

typedef struct Deltas {
    const Delta *root;
    const Delta **shared;       // by id, from 1
    unsigned count;             // of ids
} Deltas;

// D of a bulk term whose active inputs are `inputs`: names of float.
Deltas delta_of(Terms *t, Partials *ps, const Expr *root, ExprList inputs);

// `Share(4, SumOuter(Share(3, ..)))`; what was written before is only named, `Share(1)`.
void delta_print(Buf *b, Terms *t, const Deltas *d);

#endif
