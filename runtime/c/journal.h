// journal.h - the journal of a durable role: what it has taken and done, on disk before anybody
// is told.
//
// PROTOCOL.md section 9; python/pychoral/journal.py writes and reads the same files. A program that
// starts again gets its history back, runs from its beginning with the same messages and the same
// results of local effects, and so comes to the same place.

#ifndef PYCHORAL_JOURNAL_H
#define PYCHORAL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "fault.h"

typedef struct PychoralJournal PychoralJournal;

// Whose journal it is: SHA-256 of the protocol, first 16 bytes of that of the run's name, the role.
typedef struct PychoralIdentity {
    uint8_t protocol[32];
    uint8_t run_id[16];
    const char *role;
} PychoralIdentity;

// Told of the history while the journal is opened, in the order in which it came to be. Bytes are
// valid during the call. False stops: memory has run out.
typedef struct PychoralHistory {
    void *context;
    bool (*message)(void *context, const char *peer, const PychoralFrame *frames, size_t count);
    bool (*effect)(void *context, uint32_t site, const void *result, size_t size);
} PychoralHistory;

// Opens the journal at `path` or makes it (mode 0600), tells its history, cuts a torn last record
// off and begins a new incarnation, which is on disk on return. A file that is no journal, or one
// of another program, run or role, is refused and stays as it is. NULL and `fault` on failure.
//
// Each opening puts a fresh file in the place of the old one, so that an earlier process of the
// role that is still there cannot spoil the history of its successor.
PychoralJournal *pychoral_journal_open(const char *path, const PychoralIdentity *identity,
                                       const PychoralHistory *history, PychoralFault *fault);

// The number of this start in the run, from 1.
uint64_t pychoral_journal_incarnation(const PychoralJournal *journal);

// Whether an earlier incarnation has ended: then there is nothing left to do.
bool pychoral_journal_has_ended(const PychoralJournal *journal);

// How many bytes of a torn record were cut off when it was opened.
size_t pychoral_journal_cut(const PychoralJournal *journal);

// Add a record; false and `fault` if that cannot be (disk full, no memory).
bool pychoral_journal_add_message(PychoralJournal *journal, const char *peer,
                                  const PychoralFrame *frames, size_t count,
                                  PychoralFault *fault);
bool pychoral_journal_add_effect(PychoralJournal *journal, uint32_t site, const void *result,
                                 size_t size, PychoralFault *fault);
bool pychoral_journal_add_end(PychoralJournal *journal, PychoralFault *fault);

// Whether all that was added is on disk.
bool pychoral_journal_is_forced(const PychoralJournal *journal);

// Returns when all that was added is on disk; false and `fault` if that cannot be.
bool pychoral_journal_force(PychoralJournal *journal, PychoralFault *fault);

// Lets go of the file; what was added and not forced may be lost. NULL is allowed.
void pychoral_journal_close(PychoralJournal *journal);

#endif
