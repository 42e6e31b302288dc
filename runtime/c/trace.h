// trace.h - what happened in which order: `--trace FILE`, with vector clocks (PROTOCOL.md 1).
//
// The same as python/pychoral/trace.py, whose main program joins the files of all roles: ShiViz's
// two lines an event for NAME.shiviz and NAME.log, Chrome's trace events for NAME.json. An event is
// a message that the program has sent or read; each is written at once.

#ifndef PYCHORAL_TRACE_H
#define PYCHORAL_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "fault.h"
#include "machine.h"
#include "value.h"

typedef struct PychoralTrace PychoralTrace;

// A trace of the role `roles[me]` of `count`, whose names are kept by reference. NULL with a fault
// of status 2: the file's name says nothing, or it cannot be written. Path and names are kept.
PychoralTrace *pychoral_trace_open(const char *path, const char *const *roles, size_t count,
                                   size_t me, PychoralFault *fault);
void pychoral_trace_close(PychoralTrace *trace);

// What lengthens the header of the next message that is sent: the clock as it will be then. The
// bytes are valid until the next call for this trace.
const uint8_t *pychoral_trace_stamp(PychoralTrace *trace, size_t *size);

// A message of this kind was sent to, or read from, a peer. `about` is a value's type or a
// selection's enum, NULL if it is not known; `place` is ` (auth.pyc:12)` or "".
void pychoral_trace_sent(PychoralTrace *trace, const char *peer, uint64_t seq,
                         PychoralFrameKind kind, uint32_t label, const PychoralType *about,
                         const char *place);
void pychoral_trace_taken(PychoralTrace *trace, const char *peer, const PychoralMessage *message,
                          const PychoralType *about, const char *place);

#endif
