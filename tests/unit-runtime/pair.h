// pair.h - two machines whose frames go to each other when a test says so.

#ifndef PAIR_H
#define PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"

enum { QUEUE_MAX = 64, EVENTS_MAX = 64 };

typedef struct Sent {
    uint64_t conn;
    size_t count;
    PychoralFrame frames[4];  // owned copies
} Sent;

typedef struct End {
    PychoralConfig config;
    PychoralMachine *machine;
    Sent sent[QUEUE_MAX];
    size_t sent_count;
    PychoralEventKind events[EVENTS_MAX];
    uint64_t numbers[EVENTS_MAX];
    size_t event_count;
    char text[600];           // of the last event that had one
    unsigned dials;
    uint64_t dropped;         // the last connection
} End;

// ends[0] listens, ends[1] dials. Machines are made by pair_start.
typedef struct Pair {
    End ends[2];
    uint64_t now;
    uint64_t conn;
} Pair;

void pair_configure(Pair *pair);
void pair_make(Pair *pair, int end);     // a machine from its configuration
void pair_start(Pair *pair);             // both, started
void pair_connect(Pair *pair);           // a fresh connection for the dialler
void pair_deliver(Pair *pair, int to);   // all that waits for this end
void pair_settle(Pair *pair);            // until nothing is under way
void pair_up(Pair *pair);                // configured, started, connected
void pair_lose(Pair *pair);              // what is under way is lost
void pair_free(Pair *pair);

PychoralSent pair_send(Pair *pair, int from, const char *text);
bool pair_take(Pair *pair, int end, PychoralMessage *message);
void pair_tick(Pair *pair, uint64_t ms);
PychoralLinkState pair_state(const Pair *pair, int end);

// Whether this event was told, and its number.
bool pair_told(const Pair *pair, int end, PychoralEventKind kind, uint64_t *number);
// The frames of this kind that wait to be delivered from this end.
size_t pair_count(const Pair *pair, int from, PychoralFrameKind kind);
// Gives an end a frame as it stands.
void pair_give(Pair *pair, int to, uint64_t conn, const uint8_t *bytes, size_t size);

#endif
