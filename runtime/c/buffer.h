// buffer.h - bytes that several owners share, also across threads, and the frames made of them.
//
// PROTOCOL.md sections 1 and 5.4: large payloads are lent, not copied. libzmq, the resend window
// and the program's values may hold the same buffer at once, and libzmq lets go of it in its own
// thread, so the count is atomic and `free` may be called from any thread. Nothing else in the
// runtime is counted atomically.

#ifndef PYCHORAL_BUFFER_H
#define PYCHORAL_BUFFER_H

#include <stdatomic.h>
#include <stddef.h>

// How the bytes of a wrapped buffer are given back. Must not touch anything but them.
typedef void PychoralBufferFree(void *data, void *context);

typedef struct PychoralBuffer {
    atomic_uint refs;
    void *data;
    size_t size;
    PychoralBufferFree *free;  // NULL: the bytes stand behind this struct
    void *context;             // handed to `free`
} PychoralBuffer;

// One frame of a message. Without an owner the bytes are valid during the call only.
typedef struct PychoralFrame {
    const void *data;
    size_t size;
    PychoralBuffer *owner;
} PychoralFrame;

// A buffer of `size` bytes, not initialised, aligned for anything, with one reference that the
// caller owns. NULL when memory has run out.
PychoralBuffer *pychoral_buffer_new(size_t size);

// The buffer, made larger, with what it holds: one of pychoral_buffer_new that nobody else refers
// to. It may have moved. NULL when memory has run out: nothing has changed then.
PychoralBuffer *pychoral_buffer_grow(PychoralBuffer *buffer, size_t size);

// A buffer around bytes that exist: `free(data, context)` is called with the last reference.
// NULL when memory has run out; the bytes then still belong to the caller.
PychoralBuffer *pychoral_buffer_wrap(void *data, size_t size, PychoralBufferFree *free,
                                     void *context);

// One more reference; returns `buffer`. NULL stays NULL.
PychoralBuffer *pychoral_buffer_retain(PychoralBuffer *buffer);

// One reference less. NULL is allowed.
void pychoral_buffer_release(PychoralBuffer *buffer);

#endif
