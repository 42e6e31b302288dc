// crash.h - the last resort: a fault of ours ends with a sentence and exit code 70, not a bare
// signal.

#ifndef PYCHORAL_COMMAND_CRASH_H
#define PYCHORAL_COMMAND_CRASH_H

// Catches SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, also when the stack is used up. Builds with
// a sanitizer keep the sanitizer's own report.
void crash_watch(void);

#endif
