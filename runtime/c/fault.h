// fault.h - why a call failed: an exit status (PROTOCOL.md section 8) and a sentence for people.

#ifndef PYCHORAL_FAULT_H
#define PYCHORAL_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>

// How an endpoint ends (runtime/README.md); errors.py has the same names.
enum {
    PYCHORAL_EXIT_OWN_ERROR = 1,        // the role's own code failed
    PYCHORAL_EXIT_USAGE = 2,            // the command line cannot be understood
    PYCHORAL_EXIT_PEER_LOST = 75,       // may be tried again
    PYCHORAL_EXIT_PROTOCOL = 76,
    PYCHORAL_EXIT_REFUSED = 77,
};

typedef struct {
    int status;                         // 0: no fault
    char text[1000];
} PychoralFault;

// Memory has run out in code that cannot answer so, which calls `exit`: a role says it, and tells
// its peers.
typedef struct {
    atomic_bool has_come;
    atomic_bool is_awaited;             // `has_come` is read when the process ends
    atomic_int said;                    // with which status the role ends, once it has said why
} PychoralMemoryEnd;
extern PychoralMemoryEnd pychoral_memory_end;

// Sets the fault (a longer text is cut at a character) and returns false, so that a caller can
// `return pychoral_fault_set(..)`.
bool pychoral_fault_set(PychoralFault *fault, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Cuts UTF-8 text at `size` bytes, NUL included, at a character.
void pychoral_string_cut(char *text, unsigned long size);

// Makes a peer's text safe for a terminal, in place, in a buffer of `size` bytes: a character that
// is not printable becomes its escape in Python (`\n`, `\x1b`, `\u202e`), and a byte that is not
// UTF-8 becomes `\udcff`. A text that grows beyond the buffer is cut off.
void pychoral_string_clean(char *text, unsigned long size);

#endif
