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
#include "identity.h"
#include "repeats.h"

typedef struct PychoralJournal PychoralJournal;

// Told of the history while the journal is opened, in the order in which it came to be. Bytes are
// valid during the call. False stops: the record cannot be understood, or memory has run out.
typedef struct PychoralHistory {
    void *context;
    bool (*message)(void *context, const char *peer, const PychoralFrame *frames, size_t count);
    // A local effect's result, behind its name (2 bytes of length first); or a record of repeats.h.
    bool (*effect)(void *context, bool is_repeats, const uint8_t *body, size_t size);
    // What was sent (sent.h).
    bool (*sent)(void *context, const char *peer, const uint8_t *record, size_t size);
} PychoralHistory;

// Opens the journal at `path` or makes it (mode 0600), tells its history, cuts a torn last record
// off and begins a new incarnation, which is on disk on return. A file that is no journal, or one
// of another program, run or role or with other options, is refused and stays as it is. NULL and
// `fault` on failure.
//
// Each opening puts a fresh file in the place of the old one, so that an earlier process of the
// role that is still there cannot spoil the history of its successor. Nor can it tell anybody that
// something is safe which its successor has not got: the old file is marked (nobody may write to
// it) before it is read, and whoever has forced a record to disk looks for the mark before he
// speaks of it. So what was spoken of was there before the mark, and is read. Of several that start
// at once, a lock on the file lets one after the other go through that.
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
bool pychoral_journal_add_effect(PychoralJournal *journal, const char *name, const void *result,
                                 size_t size, PychoralFault *fault);
bool pychoral_journal_add_end(PychoralJournal *journal, PychoralFault *fault);

// A local effect's result that is a number, in few bytes. Its name is shorter than
// PYCHORAL_REPEATS_NAME_SIZE.
bool pychoral_journal_add_number(PychoralJournal *journal, const char *name, PychoralNumber number,
                                 PychoralFault *fault);

// A message is about to leave for `peer` (sent.h). It outlives this process, if not the machine: it
// is written and not forced, as it can be computed again.
bool pychoral_journal_add_sent(PychoralJournal *journal, const char *peer, const uint8_t *record,
                               size_t size, PychoralFault *fault);

// Whether all that was added is on disk.
bool pychoral_journal_is_forced(const PychoralJournal *journal);

// Returns when all that was added is on disk; false and `fault` if that cannot be.
bool pychoral_journal_force(PychoralJournal *journal, PychoralFault *fault);

// Lets go of the file; what was added and not forced may be lost. NULL is allowed.
void pychoral_journal_close(PychoralJournal *journal);

#endif
