// ir_base.h - what the generated IR code stands on: constants and the list shapes that are not
// generated.

#ifndef PYCHORAL_IR_BASE_H
#define PYCHORAL_IR_BASE_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/base/arena.h"
#include "compiler/base/buf.h"
#include "compiler/base/intern.h"
#include "compiler/base/source.h"
#include "compiler/base/vec.h"

typedef enum ConstKind {
    CONST_NONE, CONST_BOOL, CONST_INT, CONST_FLOAT, CONST_COMPLEX, CONST_STR, CONST_BYTES,
    CONST_ELLIPSIS,
} ConstKind;

typedef unsigned IrTags;        // a set of IR_SUGAR, IR_SURFACE, ...: the `@` tags of ir.asdl

// A literal's value.
typedef struct Const {
    ConstKind kind;
    bool   truth;               // BOOL
    double number;              // FLOAT; COMPLEX: the imaginary part
    Text   text;                // INT: decimal digits; STR: UTF-8, lone surrogates as three bytes
} Const;                        // (WTF-8); BYTES: the bytes

const Const *const_none(Arena *a);
const Const *const_bool(Arena *a, bool truth);
const Const *const_int(Arena *a, Text decimal);
const Const *const_float(Arena *a, double number);
const Const *const_complex(Arena *a, double imaginary);
const Const *const_str(Arena *a, Text wtf8);
const Const *const_bytes(Arena *a, Text bytes);
const Const *const_ellipsis(Arena *a);
bool     const_equal(const Const *a, const Const *b);   // floats by their bits; True is not 1
uint64_t const_hash(const Const *c);
void     const_repr(Buf *b, const Const *c);                // as Python shows the value

#endif
