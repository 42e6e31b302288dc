// arena.c - memory and random numbers of a schedule.

#include <stdlib.h>
#include <string.h>

#include "sim.h"

enum { CHUNK = 1 << 20 };

typedef struct Chunk {
    struct Chunk *next;
    size_t size, used;
    _Alignas(16) uint8_t bytes[];
} Chunk;

struct Arena { Chunk *first, *current; };

static Chunk *chunk_new(size_t size)
{
    Chunk *chunk = malloc(sizeof *chunk + size);
    if (chunk == NULL)
        abort();
    *chunk = (Chunk){.size = size};
    return chunk;
}

Arena *arena_new(void)
{
    Arena *arena = malloc(sizeof *arena);
    if (arena == NULL)
        abort();
    arena->first = arena->current = chunk_new(CHUNK);
    return arena;
}

void arena_reset(Arena *arena)
{
    arena->current = arena->first;
    arena->first->used = 0;
}

void arena_free(Arena *arena)
{
    for (Chunk *chunk = arena->first, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

void *arena_take(Arena *arena, size_t size)
{
    size = (size + 15) / 16 * 16;
    while (arena->current->size - arena->current->used < size) {
        if (arena->current->next == NULL)
            arena->current->next = chunk_new(size > CHUNK ? size : CHUNK);
        arena->current = arena->current->next;
        arena->current->used = 0;
    }
    void *taken = arena->current->bytes + arena->current->used;
    arena->current->used += size;
    return taken;
}

// ---- random numbers: splitmix64 ----

uint64_t mix(uint64_t one, uint64_t other)
{
    Random random = {one * UINT64_C(0xD1342543DE82EF95) + other};
    return random_next(&random);
}

uint64_t random_next(Random *random)
{
    uint64_t mixed = random->state += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

uint32_t random_below(Random *random, uint32_t bound)
{
    return (uint32_t)((random_next(random) >> 32) * bound >> 32);
}

bool random_chance(Random *random, uint32_t percent)
{
    return random_below(random, 100) < percent;
}
