// buffer.c - reference-counted bytes; the rules are in buffer.h.

#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>

// The struct, rounded up so that the bytes behind it are aligned for anything.
enum { HEAD_SIZE = (sizeof(PychoralBuffer) + 15) / 16 * 16 };

PychoralBuffer *pychoral_buffer_new(size_t size)
{
    PychoralBuffer *buffer = size > SIZE_MAX - HEAD_SIZE ? NULL : malloc(HEAD_SIZE + size);
    if (buffer == NULL)
        return NULL;
    atomic_init(&buffer->refs, 1);
    buffer->data = (char *)buffer + HEAD_SIZE;
    buffer->size = size;
    buffer->free = NULL;
    buffer->context = NULL;
    return buffer;
}

PychoralBuffer *pychoral_buffer_grow(PychoralBuffer *buffer, size_t size)
{
    buffer = size > SIZE_MAX - HEAD_SIZE ? NULL : realloc(buffer, HEAD_SIZE + size);
    if (buffer == NULL)
        return NULL;
    buffer->data = (char *)buffer + HEAD_SIZE;
    buffer->size = size;
    return buffer;
}

PychoralBuffer *pychoral_buffer_wrap(void *data, size_t size, PychoralBufferFree *free,
                                     void *context)
{
    PychoralBuffer *buffer = malloc(sizeof *buffer);
    if (buffer == NULL)
        return NULL;
    atomic_init(&buffer->refs, 1);
    buffer->data = data;
    buffer->size = size;
    buffer->free = free;
    buffer->context = context;
    return buffer;
}

PychoralBuffer *pychoral_buffer_retain(PychoralBuffer *buffer)
{
    if (buffer != NULL)
        atomic_fetch_add_explicit(&buffer->refs, 1, memory_order_relaxed);
    return buffer;
}

// Who lets go last must see all that the others did to the bytes before.
void pychoral_buffer_release(PychoralBuffer *buffer)
{
    if (buffer == NULL || atomic_fetch_sub_explicit(&buffer->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (buffer->free != NULL)
        buffer->free(buffer->data, buffer->context);
    free(buffer);
}
