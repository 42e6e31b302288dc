// crash.h - the last resort: a fault of ours ends with a message and exit code 70, not a bare
// signal.

#ifndef PYCHORAL_COMMAND_CRASH_H
#define PYCHORAL_COMMAND_CRASH_H

enum { CRASH_TEXT_MAX = 1 << 14 };

// Catches SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, also when the stack is used up. Gives where
// the text to write in such a case may be put, CRASH_TEXT_MAX bytes with its NUL; until then a
// plain sentence is written. NULL: there is no room for one. Builds with a sanitizer keep the
// sanitizer's own report.
char *crash_watch(void);

#endif
