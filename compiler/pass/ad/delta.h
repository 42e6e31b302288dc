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
    DELTA_LOOP, DELTA_RESULT,   // all rounds; what one of its results is
} DeltaKind;

struct DeltaLoop;

typedef struct Delta {
    DeltaKind kind;
    unsigned  id;               // 0: Zero, Input
    const Ty *ty;
    const Expr *term;           // the primitive; of an Input its name
    const struct Delta *const *of;
    const Expr *const *factors; // ADD
    size_t len;
    const struct DeltaLoop *loop;       // LOOP
    size_t result;              // RESULT: a root of the round
} Delta;

typedef struct Deltas {
    const Delta *const *roots;
    size_t len;
    const Delta **shared;       // by id, from 1
    unsigned count;             // of ids
    TyList rounds;              // of the loops around: each has one when these are computed
} Deltas;

// One round of a loop: the linear map from its states and from what it reads to what the states
// become and what is kept. `of` of the Delta has the states before the loop and what is read.
typedef struct DeltaLoop {
    TermLoop  loop;             // open
    ExprList  inputs;           // the active states, then leaves of the bodies
    size_t    states;           // how many of them are states
    const bool *each;           // by input: a leaf is one row for each round
    Deltas    round;            // roots: the states, in their order, then the records
} DeltaLoop;

// D of bulk terms whose active inputs are `inputs`: terms of float that are taken as they are.
// Loops are merged (loop.h).
Deltas delta_of(Terms *t, Partials *ps, ExprList roots, ExprList inputs);

// `Share(4, SumOuter(Share(3, ..)))`; what was written before is only named, `Share(1)`.
void delta_print(Buf *b, Terms *t, const Deltas *d);

#endif
