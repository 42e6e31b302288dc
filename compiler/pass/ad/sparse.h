// sparse.h - sparse Jacobians: where they can be other than 0 is known from the terms.

#ifndef PYCHORAL_AD_SPARSE_H
#define PYCHORAL_AD_SPARSE_H

#include "compiler/pass/ad/elementwise.h"

// Derivatives by elements of one input: those of all elements of the root, in this order, and of
// each of them by the elements that it reads. Two terms of one shape: the numbers of the elements
// of the input, and the derivatives. Those of one place add up. They are `Build`s of bulk terms.
typedef struct SparseBlock {
    size_t input;               // its number
    const Expr *columns, *values;
} SparseBlock;

// `value`: the root, row by row, of the terms that the blocks are of.
typedef struct SparseBlocks { SparseBlock *at; size_t len; const Expr *value; } SparseBlocks;

// Of a bulk term of rank 1 at least. Rows of one input are in order.
SparseBlocks sparse_jacobian(Terms *t, Partials *ps, const Expr *root, ExprList inputs);

#endif
