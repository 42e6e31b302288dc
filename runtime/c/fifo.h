// fifo.h - records that are made and let go in the same order, without a malloc for each.
//
// What a link keeps of small messages, sent or taken (PROTOCOL.md sections 2 and 3). Records lie in
// blocks and never move, so that a program may read one while others are added.

#ifndef PYCHORAL_FIFO_H
#define PYCHORAL_FIFO_H

#include <stddef.h>

enum {
    PYCHORAL_FIFO_BLOCK = 64 * 1024,
    PYCHORAL_FIFO_RECORD_MAX = 8 * 1024,
};

typedef struct PychoralBlock PychoralBlock;

// All zero: empty.
typedef struct PychoralFifo {
    PychoralBlock *first, *last, *spare;
} PychoralFifo;

// Room for a record of `size` bytes (at most RECORD_MAX), aligned to 16, behind all others; it
// belongs to the fifo. NULL when memory has run out.
void *pychoral_fifo_push(PychoralFifo *fifo, size_t size);

// Lets go of the oldest record, which there must be.
void pychoral_fifo_pop(PychoralFifo *fifo);

// Lets go of everything.
void pychoral_fifo_clear(PychoralFifo *fifo);

#endif
