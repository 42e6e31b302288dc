// vec.c - growth of the arrays declared in vec.h.

#include "compiler/base/vec.h"

#include <string.h>

void *vec_grow(Arena *a, const void *at, size_t *cap, size_t size)
{
    size_t grown = *cap == 0 ? 4 : *cap * 2;
    void *copy = arena_array(a, grown, size);
    if (*cap > 0)
        memcpy(copy, at, *cap * size);
    *cap = grown;
    return copy;
}
