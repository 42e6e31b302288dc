// crash.c - signal handlers that report an internal error. Only async-signal-safe calls are made.

#define _XOPEN_SOURCE 700       // sigaltstack

#include "compiler/command/crash.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "compiler/base/version.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

#ifdef SANITIZED

void crash_watch(void) { }

#else

enum { STACK_SIZE = 1 << 16, INTERNAL_ERROR = 70 };

static void report(int signal_number)
{
    static const char text[] = "pychoralc " PYCHORAL_VERSION ": internal error; this is a fault of "
                               "the compiler, please report it with the file that caused it\n";
    (void)signal_number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(INTERNAL_ERROR);
}

void crash_watch(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    stack_t stack = {.ss_sp = malloc(STACK_SIZE), .ss_size = STACK_SIZE};
    struct sigaction action = {.sa_handler = report};
    if (stack.ss_sp && sigaltstack(&stack, NULL) == 0)
        action.sa_flags = SA_ONSTACK;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

#endif
