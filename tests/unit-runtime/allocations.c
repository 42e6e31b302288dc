// allocations.c - see allocations.h.
//
// Blocks are known by their addresses: the test library, which is linked in too, frees what the C
// library allocated, and is not to be counted.

#include "allocations.h"

#include <stdint.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

enum { SLOTS = 1 << 16 };

// Open addressing; 0 is an empty slot.
static _Thread_local uintptr_t blocks[SLOTS];
static _Thread_local long open_blocks, left = -1;
static _Thread_local size_t largest;

long allocations_open(void) { return open_blocks; }

size_t allocations_largest(void)
{
    size_t answer = largest;
    largest = 0;
    return answer;
}

void allocations_fail_after(long count) { left = count; }

static size_t first_slot(uintptr_t block) { return (block >> 4) * 2654435761u % SLOTS; }

static void *taken(void *block)
{
    size_t slot = first_slot((uintptr_t)block);
    if (block == NULL || open_blocks > SLOTS / 2)
        return block;
    while (blocks[slot] != 0)
        slot = (slot + 1) % SLOTS;
    blocks[slot] = (uintptr_t)block;
    open_blocks++;
    return block;
}

// Empties a slot, and moves into it what could not stand there.
static void empty(size_t slot)
{
    for (size_t next = slot;;) {
        blocks[slot] = 0;
        size_t home;
        do {
            next = (next + 1) % SLOTS;
            if (blocks[next] == 0)
                return;
            home = first_slot(blocks[next]);
        } while ((next - home) % SLOTS < (next - slot) % SLOTS);
        blocks[slot] = blocks[next];
        slot = next;
    }
}

static void given_back(void *block)
{
    size_t slot = first_slot((uintptr_t)block);
    while (blocks[slot] != 0 && blocks[slot] != (uintptr_t)block)
        slot = (slot + 1) % SLOTS;
    if (block == NULL || blocks[slot] == 0)
        return;
    empty(slot);
    open_blocks--;
}

static int may_allocate(size_t size)
{
    if (size > largest)
        largest = size;
    if (left > 0)
        left--;
    else if (left == 0)
        return 0;
    return 1;
}

void *__wrap_malloc(size_t size)
{
    return may_allocate(size) ? taken(__real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_allocate(count * size) ? taken(__real_calloc(count, size)) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    if (!may_allocate(size))
        return NULL;
    given_back(block);
    return taken(__real_realloc(block, size));
}

void __wrap_free(void *block)
{
    given_back(block);
    __real_free(block);
}
