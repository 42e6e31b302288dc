// arena.h - bump allocation with one lifetime per arena.
//
// Memory taken from an arena is zeroed, never freed alone, and never moves.
// Running out of memory ends the process with exit status 70: a compiler has nothing better to do.

#ifndef PYCHORAL_ARENA_H
#define PYCHORAL_ARENA_H

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void   arena_free(Arena *a);            // NULL is fine
void   arena_reset(Arena *a);           // forget everything, keep one block

void  *arena_alloc(Arena *a, size_t size);
char  *arena_strndup(Arena *a, const char *s, size_t len);  // adds a NUL
size_t arena_used(const Arena *a);      // bytes handed out since the last reset

#define ARENA_NEW(a, T)       ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n)  ((T *)arena_alloc((a), sizeof(T) * (n)))

#endif
