// repeats.c - PROTOCOL.md section 9, records of kind 6.

#include "repeats.h"

#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_SIZE = 10,                   // at most, of 64 bits
    MOST = NUMBER_SIZE + 2 + PYCHORAL_REPEATS_NAME_SIZE + 1 + NUMBER_SIZE,      // of a result
};

// ---- writing ----

// Seven bits a byte, the lowest first.
static void put_number(PychoralRepeats *repeats, uint64_t number)
{
    for (; number > 127; number >>= 7)
        repeats->body[repeats->size++] = (uint8_t)(number | 128);
    repeats->body[repeats->size++] = (uint8_t)number;
}

static PychoralRepeated *find(PychoralRepeats *repeats, const char *name, bool is_float)
{
    for (size_t i = 0; i < repeats->count; i++)
        if (repeats->known[i].is_float == is_float && strcmp(repeats->known[i].name, name) == 0)
            return &repeats->known[i];
    return NULL;
}

static PychoralRepeated *enter(PychoralRepeats *repeats, const char *name, bool is_float)
{
    PychoralRepeated *entry = &repeats->known[repeats->count];
    size_t length = strlen(name);
    put_number(repeats, repeats->count++);
    repeats->body[repeats->size++] = (uint8_t)(length >> 8);
    repeats->body[repeats->size++] = (uint8_t)length;
    memcpy(repeats->body + repeats->size, name, length);
    repeats->size += length;
    repeats->body[repeats->size++] = is_float;
    memcpy(entry->name, name, length + 1);
    entry->is_float = is_float;
    entry->last = 0;
    return entry;
}

bool pychoral_repeats_add(PychoralRepeats *repeats, const char *name, PychoralNumber number)
{
    if (repeats->size + MOST > sizeof repeats->body)
        return false;
    PychoralRepeated *entry = find(repeats, name, number.is_float);
    if (entry)
        put_number(repeats, (uint64_t)(entry - repeats->known));
    else if (repeats->count < PYCHORAL_REPEATS_NAMES && strlen(name) < PYCHORAL_REPEATS_NAME_SIZE)
        entry = enter(repeats, name, number.is_float);
    else
        return false;
    uint64_t change = number.bits - entry->last;
    put_number(repeats, change << 1 ^ (change >> 63 ? UINT64_MAX : 0));
    entry->last = number.bits;
    return true;
}

// ---- reading ----

void pychoral_repeats_read(PychoralRepeatsReader *reader, const uint8_t *body, size_t size)
{
    free(reader->known);
    *reader = (PychoralRepeatsReader){.body = body, .size = size};
}

static bool read_number(PychoralRepeatsReader *reader, uint64_t *number)
{
    *number = 0;
    for (int shift = 0; reader->place < reader->size && shift < 7 * NUMBER_SIZE; shift += 7) {
        uint8_t byte = reader->body[reader->place++];
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

// An effect that is named for the first time.
static bool read_entry(PychoralRepeatsReader *reader)
{
    const uint8_t *at = reader->body + reader->place;
    size_t left = reader->size - reader->place;
    size_t length = left < 3 ? left : (size_t)at[0] << 8 | at[1];
    if (left < 3 || length > left - 3 || at[2 + length] > 1)
        return false;
    if ((reader->count & (reader->count - 1)) == 0) {   // room for twice as many
        size_t room = reader->count ? 2 * reader->count : 1;
        void *known = realloc(reader->known, room * sizeof *reader->known);
        if (!known)
            return false;
        reader->known = known;
    }
    reader->known[reader->count].name = reader->place + 2;
    reader->known[reader->count].length = length;
    reader->known[reader->count].is_float = at[2 + length];
    reader->known[reader->count++].last = 0;
    reader->place += 3 + length;
    return true;
}

bool pychoral_repeats_next(PychoralRepeatsReader *reader, const char **name, size_t *length,
                           PychoralNumber *number)
{
    uint64_t index, change;
    if (reader->is_bad || reader->place == reader->size)
        return false;
    bool good = read_number(reader, &index) && index <= reader->count &&
                (index < reader->count || read_entry(reader)) && read_number(reader, &change);
    reader->is_bad = !good;
    if (!good)
        return false;
    uint64_t bits = reader->known[index].last + (change >> 1 ^ (change & 1 ? UINT64_MAX : 0));
    reader->known[index].last = bits;
    *name = (const char *)reader->body + reader->known[index].name;
    *length = reader->known[index].length;
    *number = (PychoralNumber){reader->known[index].is_float, bits};
    return true;
}
