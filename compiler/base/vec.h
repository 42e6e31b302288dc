// vec.h - growable typed arrays that live in an arena.
//
//     Vec(const Expr *) args = {0};
//     vec_push(arena, &args, e);
//     ExprList list = {args.at, args.len};     // freeze: the list shares the array
//
// An outgrown array stays in the arena; doubling keeps the waste below the final size.

#ifndef PYCHORAL_VEC_H
#define PYCHORAL_VEC_H

#include "compiler/base/arena.h"

#define Vec(T) struct { T *at; size_t len, cap; }

#define vec_push(arena, v, x)                                                            \
    ((v)->len == (v)->cap                                                                \
         ? (void)((v)->at = vec_grow((arena), (v)->at, &(v)->cap, sizeof *(v)->at))      \
         : (void)0,                                                                      \
     (v)->at[(v)->len++] = (x))

// Gives a copy of `at` (`*cap` elements of `size` bytes) with room for twice as many.
void *vec_grow(Arena *a, const void *at, size_t *cap, size_t size);

#endif
