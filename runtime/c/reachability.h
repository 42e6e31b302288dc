// reachability.h - asking a listener which mechanism it has (PROTOCOL.md section 6), as
// reachability.py.
//
// Of two ends that differ in having keys, the one that reads first hangs up, and only it knows why.
// So who was hung up on asks once more, with the beginning of a greeting: who has not told its own
// mechanism yet is told the other's, and nobody has a reason to hang up before.

#ifndef PYCHORAL_REACHABILITY_H
#define PYCHORAL_REACHABILITY_H

#include <stdbool.h>

enum { PYCHORAL_MECHANISM_SIZE = 21 };

// What the listener at an address says of itself, as `NULL` or `CURVE`. False if that cannot be
// found out within a quarter of a second.
bool pychoral_probe_mechanism(const char *address, char mechanism[PYCHORAL_MECHANISM_SIZE]);

// Whether somebody listens at an ipc address: libzmq would take the path of a listener that lives.
bool pychoral_probe_listens(const char *address);

#endif
