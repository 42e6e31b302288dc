// fifo.c - records in blocks, first in first out; contracts in fifo.h.

#include "fifo.h"

#include <stdint.h>
#include <stdlib.h>

struct PychoralBlock {
    PychoralBlock *next;
    uint32_t used;     // bytes given out
    uint32_t records;  // of them not let go yet
    uint8_t bytes[];
};

enum { CAPACITY = PYCHORAL_FIFO_BLOCK - sizeof(PychoralBlock) };

_Static_assert(sizeof(PychoralBlock) % 16 == 0, "records are aligned");

static PychoralBlock *add_block(PychoralFifo *fifo)
{
    PychoralBlock *block = fifo->spare != NULL ? fifo->spare : malloc(PYCHORAL_FIFO_BLOCK);
    if (block == NULL)
        return NULL;
    fifo->spare = NULL;
    *block = (PychoralBlock){.next = NULL};
    if (fifo->last != NULL)
        fifo->last->next = block;
    else
        fifo->first = block;
    fifo->last = block;
    return block;
}

void *pychoral_fifo_push(PychoralFifo *fifo, size_t size)
{
    size = (size + 15) / 16 * 16;
    PychoralBlock *block = fifo->last;
    if (block == NULL || size > CAPACITY - block->used) {
        block = add_block(fifo);
        if (block == NULL)
            return NULL;
    }
    void *record = block->bytes + block->used;
    block->used += (uint32_t)size;
    block->records++;
    return record;
}

void pychoral_fifo_pop(PychoralFifo *fifo)
{
    PychoralBlock *block = fifo->first;
    if (--block->records > 0)
        return;
    if (block == fifo->last) {  // the only one is used from its start again
        block->used = 0;
        return;
    }
    fifo->first = block->next;
    if (fifo->spare == NULL)
        fifo->spare = block;
    else
        free(block);
}

void pychoral_fifo_clear(PychoralFifo *fifo)
{
    for (PychoralBlock *block = fifo->first, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    free(fifo->spare);
    *fifo = (PychoralFifo){0};
}
