// sent.h - what a durable role has sent, in twelve bytes a message: if it runs again it must send
// the same (as python/pychoral/sent.py).
//
// PROTOCOL.md section 9, records of kind 5. What was sent is computed anew after a restart and is
// not in the journal; but a program that depends on something that is not recorded either may come
// to something else than what its peers have. That must not pass in silence.

#ifndef PYCHORAL_SENT_H
#define PYCHORAL_SENT_H

#include "machine.h"

enum {
    PYCHORAL_SENT_ENTRY = 12,           // site, size of the payload, its CRC-32; or site, 0, label
    PYCHORAL_SENT_RECORD = 8 + PYCHORAL_SENT_ENTRY,     // behind the message's number
};

// What was sent to one peer. All zeros: nothing.
typedef struct PychoralSentTo {
    uint64_t before;                    // the last message that an earlier incarnation has noted
    uint64_t noted;                     // the last that is noted
    uint8_t *entries;                   // those up to `before`
    size_t capacity;
} PychoralSentTo;

// What is kept of a message.
void pychoral_sent_entry(uint8_t entry[PYCHORAL_SENT_ENTRY], PychoralFrameKind kind, uint32_t site,
                         uint32_t label, const PychoralFrame *frames, size_t count);

// Takes a record; false if it does not follow the one before, or memory has run out.
bool pychoral_sent_restore(PychoralSentTo *sent, const uint8_t *record, size_t size);

// What is known of message `seq`, up to `before`.
const uint8_t *pychoral_sent_known(const PychoralSentTo *sent, uint64_t seq);

// The record of the next message.
void pychoral_sent_note(PychoralSentTo *sent, const uint8_t entry[PYCHORAL_SENT_ENTRY],
                        uint8_t record[PYCHORAL_SENT_RECORD]);

void pychoral_sent_clear(PychoralSentTo *sent);

#endif
