// payload.c - what the messages of a choreography are: a function of the seed, so that a receiver
// knows each byte that must come.

#include <string.h>

#include "sim.h"

static size_t size_from(uint64_t bits)
{
    switch (bits & 63) {
    case 0: return 4096;
    case 1: return 4097;
    case 2: return 8192;
    case 3: return 0;
    case 4:
    case 5: return 200 + (bits >> 8) % 1000;
    default: return 1 + (bits >> 8) % 60;
    }
}

Payload payload_of(const World *world, unsigned message)
{
    uint64_t bits = mix(world->seed, message + 1000);
    Payload payload = {.kind = PYCHORAL_DATA, .site = message + 1, .parts = 1};
    if (bits % 7 == 0) {
        payload.kind = PYCHORAL_SELECT;
        payload.label = (uint32_t)(bits >> 8) % 5;
        payload.parts = 0;
        return payload;
    }
    if ((bits >> 40) % 40 == 0)
        payload.parts = 2 + (bits >> 50) % 2;
    for (unsigned i = 0; i < payload.parts; i++)
        payload.sizes[i] = size_from(mix(bits, i));
    return payload;
}

// The first byte says which life of the sender it is from.
void payload_fill(const World *world, unsigned message, unsigned part, uint64_t life, uint8_t *out,
                  size_t size)
{
    uint64_t pattern = mix(world->seed ^ part, message);
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = pattern + i;
        memcpy(out + i, &word, size - i < 8 ? size - i : 8);
    }
    if (part == 0 && size > 0)
        out[0] = (uint8_t)life;
}
