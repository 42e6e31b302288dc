// slots.h - what is known of a run of consecutive message numbers.
//
// A ring indexed by number: a slot says where a message lies and how many bytes of payload there
// were up to it, so that the bytes between any two numbers are one subtraction.

#ifndef PYCHORAL_SLOTS_H
#define PYCHORAL_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct PychoralSlot {
    uint64_t total;  // bytes of payload up to this message, itself included
    void *record;    // NULL: not kept
} PychoralSlot;

// All zero but `first` and `next`, which are equal: empty.
typedef struct PychoralSlots {
    uint64_t first, next;  // numbers held: first .. next-1
    PychoralSlot *ring;
    size_t capacity;       // 0, or a power of two
} PychoralSlots;

// Makes room for `next`; false when memory has run out.
bool pychoral_slots_grow(PychoralSlots *slots);

// Adds the slot of `next`; false when memory has run out.
static inline bool pychoral_slots_push(PychoralSlots *slots, uint64_t total, void *record)
{
    if (slots->next - slots->first == slots->capacity && !pychoral_slots_grow(slots))
        return false;
    slots->ring[slots->next++ & (slots->capacity - 1)] = (PychoralSlot){total, record};
    return true;
}

// The slot of a number that is held.
static inline PychoralSlot *pychoral_slots_at(PychoralSlots *slots, uint64_t seq)
{
    return &slots->ring[seq & (slots->capacity - 1)];
}

#endif
