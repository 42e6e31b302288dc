// sent.c - PROTOCOL.md section 9, records of kind 5.

#include "sent.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put_number(uint8_t *out, uint64_t number, int size)
{
    while (size-- > 0)
        *out++ = (uint8_t)(number >> (8 * size));
}

void pychoral_sent_entry(uint8_t entry[PYCHORAL_SENT_ENTRY], PychoralFrameKind kind, uint32_t site,
                         uint32_t label, const PychoralFrame *frames, size_t count)
{
    uint64_t size = 0, check = 0;
    for (size_t i = 0; kind == PYCHORAL_DATA && i < count; i++) {
        size += frames[i].size;
        check = crc32_z(check, frames[i].data, frames[i].size);
    }
    put_number(entry, site, 4);
    put_number(entry + 4, size, 4);
    put_number(entry + 8, kind == PYCHORAL_SELECT ? label : check, 4);
}

static bool make_room(PychoralSentTo *sent)
{
    size_t used = (size_t)sent->before * PYCHORAL_SENT_ENTRY;
    if (sent->capacity - used >= PYCHORAL_SENT_ENTRY)
        return true;
    size_t capacity = 2 * used + 64 * PYCHORAL_SENT_ENTRY;
    uint8_t *entries = realloc(sent->entries, capacity);
    if (!entries)
        return false;
    sent->entries = entries;
    sent->capacity = capacity;
    return true;
}

bool pychoral_sent_restore(PychoralSentTo *sent, const uint8_t *record, size_t size)
{
    uint64_t number = 0;
    for (int i = 0; size == PYCHORAL_SENT_RECORD && i < 8; i++)
        number = number << 8 | record[i];
    if (number != sent->before + 1 || !make_room(sent))
        return false;
    memcpy(sent->entries + sent->before * PYCHORAL_SENT_ENTRY, record + 8, PYCHORAL_SENT_ENTRY);
    sent->before = sent->noted = number;
    return true;
}

const uint8_t *pychoral_sent_known(const PychoralSentTo *sent, uint64_t seq)
{
    return sent->entries + (seq - 1) * PYCHORAL_SENT_ENTRY;
}

void pychoral_sent_note(PychoralSentTo *sent, const uint8_t entry[PYCHORAL_SENT_ENTRY],
                        uint8_t record[PYCHORAL_SENT_RECORD])
{
    put_number(record, ++sent->noted, 8);
    memcpy(record + 8, entry, PYCHORAL_SENT_ENTRY);
}

void pychoral_sent_clear(PychoralSentTo *sent)
{
    free(sent->entries);
    *sent = (PychoralSentTo){0};
}
