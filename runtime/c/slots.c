// slots.c - a ring of slots indexed by message number; contracts in slots.h.

#include "slots.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 16 };

bool pychoral_slots_grow(PychoralSlots *slots)
{
    size_t capacity = slots->capacity == 0 ? FIRST_CAPACITY : slots->capacity * 2;
    if (capacity > SIZE_MAX / sizeof(PychoralSlot))
        return false;
    PychoralSlot *ring = malloc(capacity * sizeof *ring);
    if (ring == NULL)
        return false;
    for (uint64_t seq = slots->first; seq != slots->next; seq++)
        ring[seq & (capacity - 1)] = slots->ring[seq & (slots->capacity - 1)];
    free(slots->ring);
    slots->ring = ring;
    slots->capacity = capacity;
    return true;
}
