// array.c - arrays of numbers (numpy's ndarray): dtype, shape, data in C order.

#include <stdlib.h>

#include "value.h"
#include "wire.h"

size_t pychoral_dtype_size(unsigned dtype)
{
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
    return dtype < sizeof sizes ? sizes[dtype] : 0;
}

bool pychoral_array_size(unsigned dtype, unsigned dimensions, const uint64_t *shape, size_t *size)
{
    uint64_t product = pychoral_dtype_size(dtype);
    bool empty = false, fits = true;
    for (unsigned i = 0; i < dimensions; i++) {
        empty |= shape[i] == 0;
        fits &= !__builtin_mul_overflow(product, shape[i] == 0 ? 1 : shape[i], &product);
    }
    *size = empty ? 0 : (size_t)product;
    return fits && product <= PTRDIFF_MAX;
}

// The struct and shape, rounded up so that data behind it is aligned for any dtype.
static size_t head_size(unsigned dimensions)
{
    return (sizeof(PychoralArray) + dimensions * sizeof(uint64_t) + 15) / 16 * 16;
}

static PychoralArray *array_of(unsigned dtype, unsigned dimensions, const uint64_t *shape,
                               size_t size, size_t room)
{
    PychoralArray *array = malloc(head_size(dimensions) + room);
    if (array == NULL)
        return NULL;
    *array = (PychoralArray){.head = {.refs = 1},
                             .dtype = (uint8_t)dtype,
                             .dimensions = (uint8_t)dimensions,
                             .size = size,
                             .data = (char *)array + head_size(dimensions)};
    if (dimensions != 0)
        memcpy(array->shape, shape, dimensions * sizeof *shape);
    return array;
}

PychoralArray *pychoral_array_new(unsigned dtype, unsigned dimensions, const uint64_t *shape)
{
    size_t size;
    if (dimensions > PYCHORAL_MAX_DIMENSIONS ||
        !pychoral_array_size(dtype, dimensions, shape, &size))
        return NULL;
    if (size < PYCHORAL_LARGE)
        return array_of(dtype, dimensions, shape, size, size);
    PychoralBuffer *buffer = pychoral_buffer_new(size);
    PychoralArray *array =
        buffer == NULL ? NULL
                       : pychoral_array_borrow(dtype, dimensions, shape, buffer, buffer->data);
    pychoral_buffer_release(buffer);
    return array;
}

PychoralArray *pychoral_array_borrow(unsigned dtype, unsigned dimensions, const uint64_t *shape,
                                     PychoralBuffer *buffer, const void *data)
{
    size_t size;
    if (dimensions > PYCHORAL_MAX_DIMENSIONS ||
        !pychoral_array_size(dtype, dimensions, shape, &size))
        return NULL;
    PychoralArray *array = array_of(dtype, dimensions, shape, size, 0);
    if (array == NULL)
        return NULL;
    array->data = data;
    array->buffer = pychoral_buffer_retain(buffer);
    return array;
}

void *pychoral_array_writable(PychoralArray *array)
{
    PychoralBuffer *buffer = array->buffer;
    if (buffer == NULL || (atomic_load(&buffer->refs) == 1 && buffer->free == NULL))
        return (void *)array->data;
    PychoralBuffer *own = pychoral_buffer_new(array->size);
    if (own == NULL)
        return NULL;
    memcpy(own->data, array->data, array->size);
    pychoral_buffer_release(buffer);
    array->buffer = own;
    array->data = own->data;
    return own->data;
}
