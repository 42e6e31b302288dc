// lines.h - lines about a run that go to a file: `--log-json`, `--history`, `--trace`, as lines.py
// (PROTOCOL.md section 8).
//
// What is written about a run must not end it, nor hold it: a file that cannot be written any more,
// as the disk is full or nobody reads the FIFO, is given up with a sentence, and the run goes on.

#ifndef PYCHORAL_LINES_H
#define PYCHORAL_LINES_H

#include <stdbool.h>
#include <stdio.h>

#include "fault.h"

typedef struct PychoralLines PychoralLines;

// Opens a file to add to, emptied if `anew`; `-` is standard error. A FIFO does not hold us: it is
// O_NONBLOCK. The descriptor, or -1 with a fault of status 2 if it cannot be written.
int pychoral_lines_file(const char *path, bool anew, PychoralFault *fault);

// Opens a file to add to, emptied if `anew`; `-` is standard error. `role` and `what` are for the
// sentence, as in "Alice: the trace ..."; all texts are kept by reference. NULL with a fault of
// status 2 if it cannot be written.
PychoralLines *pychoral_lines_open(const char *path, const char *role, const char *what, bool anew,
                                   PychoralFault *fault);
void pychoral_lines_close(PychoralLines *lines);

// Where text is put; nothing is written before `pychoral_lines_flush`.
FILE *pychoral_lines_out(PychoralLines *lines);

// Writes what was put, all of it, unless that failed before.
void pychoral_lines_flush(PychoralLines *lines);

#endif
