// binary_ops.h - Python's operators on values whose types are known only when they are there.

#ifndef PYCHORAL_BINARY_OPS_H
#define PYCHORAL_BINARY_OPS_H

#include "object.h"

typedef enum PychoralOperator {
    PYCHORAL_ADD, PYCHORAL_SUB, PYCHORAL_MUL, PYCHORAL_MATMUL, PYCHORAL_TRUEDIV, PYCHORAL_MOD,
    PYCHORAL_POW, PYCHORAL_LSHIFT, PYCHORAL_RSHIFT, PYCHORAL_OR, PYCHORAL_XOR, PYCHORAL_AND,
    PYCHORAL_FLOORDIV, PYCHORAL_DIVMOD
} PychoralOperator;

// a + b and so on; `in_place`: a += b, which changes a list, dict or set. The result is converted
// to `row`; zero bits if it raised what the operation raises in Python.
void pychoral_binary(PychoralOperator operator, bool in_place, PychoralRef a, PychoralRef b,
                     const PychoralType *row, void *result);

// -a (PYCHORAL_SUB), +a (PYCHORAL_ADD), ~a (PYCHORAL_XOR). Raises TypeError.
void pychoral_unary(PychoralOperator operator, PychoralRef a, const PychoralType *row,
                    void *result);

// value[start:stop:step] with the bounds of list.h. Raises TypeError, ValueError.
void pychoral_slice(PychoralRef value, int64_t start, int64_t stop, int64_t step,
                    const PychoralType *row, void *result);

// base[key] = value, del base[key]. Raise what Python raises.
void pychoral_put_item(PychoralRef base, PychoralRef key, PychoralRef value);
void pychoral_delete_item(PychoralRef base, PychoralRef key);

// callee(arguments...). Raises TypeError if it cannot be called.
void pychoral_call_value(PychoralRef callee, size_t count, const PychoralRef *arguments,
                         const PychoralType *row, void *result);

#endif
