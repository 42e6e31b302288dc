// arena.h - bump allocation with one lifetime per arena.
//
// Memory taken from an arena is zeroed, never freed alone, and never moves.
// Running out of memory ends the process with exit status 70: a compiler has nothing better to do.

#ifndef PYCHORAL_ARENA_H
#define PYCHORAL_ARENA_H

#include <stdarg.h>
#include <stddef.h>

// Under AddressSanitizer there is a red zone behind everything that is handed out, so that reading
// a field that a node does not have is found.
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_RED_ZONE 64
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_RED_ZONE 64
#endif
#endif
#ifdef ARENA_RED_ZONE
#include <sanitizer/asan_interface.h>
#else
#define ARENA_RED_ZONE 0
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

typedef struct ArenaBlock ArenaBlock;

// The fields are here for arena_alloc to be inline, not for others to use.
typedef struct Arena {
    char *at, *end;             // what is left of the current block, as far as it is zeroed
    ArenaBlock *blocks;         // the current one first
    size_t used;                // bytes handed out from the blocks before the current one
    struct Arena *nodes;        // where those of trees lie; NULL: there are none yet
    struct Arena *around;       // NULL: the system
    ArenaBlock *spare;          // of those within it, which are gone
} Arena;

Arena *arena_new(void);
Arena *arena_within(Arena *around);     // is freed before that, which uses the memory again
void   arena_free(Arena *a);            // NULL is fine
void   arena_reset(Arena *a);           // forget everything, keep the memory

void  *arena_alloc_slow(Arena *a, size_t size);         // opens a block; use arena_alloc
char  *arena_strndup(Arena *a, const char *s, size_t len);  // adds a NUL
char  *arena_vformat(Arena *a, const char *format, va_list args);
size_t arena_used(const Arena *a);      // bytes handed out since the last reset

// Sizes are rounded up, so that whatever is taken next is aligned for any type.
static inline void *arena_alloc(Arena *a, size_t size)
{
    size_t rounded = ((size + 15) & ~(size_t)15) + ARENA_RED_ZONE;
    if (rounded < size || rounded > (size_t)(a->end - a->at))
        return arena_alloc_slow(a, size);
    char *p = a->at;
    a->at += rounded;
    ASAN_POISON_MEMORY_REGION(p + size, rounded - size);
    return p;
}

// For a node of a tree. Trees are walked again and again: nodes that lie side by side, apart from
// what passes note of them, are found sooner.
static inline void *arena_node(Arena *a, size_t size)
{
    if (a->nodes == NULL)
        a->nodes = arena_within(a);
    return arena_alloc(a->nodes, size);
}

// Room for `n` elements of `size` bytes, also when the product is more than a size_t holds.
static inline void *arena_array(Arena *a, size_t n, size_t size)
{
    return arena_alloc(a, n > (size_t)-1 / size ? (size_t)-1 : n * size);
}

#define ARENA_NEW(a, T)       ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n)  ((T *)arena_array((a), (n), sizeof(T)))

#endif
