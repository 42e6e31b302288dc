// crash.c - signal handlers that report an internal error. Only async-signal-safe calls are made.
//
// What the handler writes is made beforehand, in the form that the command line asks for. It lies
// below the stack that the handler runs on, which is how the handler finds it.

#define _XOPEN_SOURCE 700       // sigaltstack

#include "compiler/command/crash.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
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

char *crash_watch(void) { return NULL; }

#else

enum { STACK_SIZE = 1 << 16, INTERNAL_ERROR = 70 };

static void report(int signal_number)
{
    static const char text[] = "pychoralc " PYCHORAL_VERSION ": internal error; this is a bug in "
                                                             "the compiler, please report it with "
                                                             "the file that caused it\n";
    stack_t stack;
    const char *made = NULL;
    (void)signal_number;
    if (sigaltstack(NULL, &stack) == 0 && stack.ss_size == STACK_SIZE)
        made = (const char *)stack.ss_sp - CRASH_TEXT_MAX;
    if (made && *made)
        (void)!write(STDERR_FILENO, made, strlen(made));
    else
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(INTERNAL_ERROR);
}

char *crash_watch(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    char *text = calloc(1, CRASH_TEXT_MAX + STACK_SIZE);
    stack_t stack = {.ss_sp = text ? text + CRASH_TEXT_MAX : NULL, .ss_size = STACK_SIZE};
    struct sigaction action = {.sa_handler = report};
    bool own_stack = text && sigaltstack(&stack, NULL) == 0;
    if (own_stack)
        action.sa_flags = SA_ONSTACK;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    return own_stack ? text : NULL;
}

#endif
