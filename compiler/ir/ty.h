// ty.h - what is to be known of types beyond their constructors.

#ifndef PYCHORAL_IR_TY_H
#define PYCHORAL_IR_TY_H

#include "ir_gen.h"

// `tuple[int, ...]` is Named("tuple", [int]); `tuple[int]`, of one part, is a Tuple.
static inline bool ty_is_open_tuple(Sym name, TyList args)
{
    return sym_is(name, "tuple") && args.len == 1;
}

#endif
