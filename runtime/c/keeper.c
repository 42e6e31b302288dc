// keeper.c - the thread that serves the links while the program computes, and takes its signals.
//
// PROTOCOL.md section 6. Every 500 ms, unless the program is in a call (which serves them as
// well). SIGUSR1 asks for a report; SIGINT, SIGTERM and their like ask the role to end in order the
// first time, at once the second. The signals are blocked in all threads and waited for here, so
// that nothing is done in a handler and there is no global state; a body that is not in a call, and
// does not come to one within a second, is ended from here.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "durable.h"

enum { KEEP_MS = 500, GRACE_MS = 1000 };

// Those that end a role; but what was ignored from the start, as by `nohup`, stays so.
static void list_signals(sigset_t *set, bool all)
{
    static const int unless_ignored[] = {SIGHUP, SIGQUIT, SIGUSR2};
    struct sigaction before;
    sigemptyset(set);
    sigaddset(set, SIGUSR1);
    if (!all)
        return;
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    for (size_t i = 0; i < sizeof unless_ignored / sizeof *unless_ignored; i++)
        if (sigaction(unless_ignored[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaddset(set, unless_ignored[i]);
}

// Serves the links if the program does not.
static void serve(PychoralRole *role)
{
    if (!pychoral_lock_claim(&role->lock, false))
        return;
    uint64_t now = pychoral_now();
    pychoral_role_serve(role);
    pychoral_durable_settle(role, false);
    pychoral_role_tick(role, now);
    if (atomic_exchange(&role->status_wanted, false))
        pychoral_report_status(role, now);
    pychoral_lock_unclaim(&role->lock);
}

// The body has not noticed the signal: it computes, or waits for something of its own.
static void end_from_here(PychoralRole *role)
{
    pychoral_lock_claim(&role->lock, true);
    if (role->fault.status == 0 && !atomic_load(&role->stopping)) {
        pychoral_role_interrupted(role);
        pychoral_report_say(role, role->fault.text);
        pychoral_role_end(role);
        if (ftrylockfile(stdout) == 0)  // the body may be writing, and wait there for ever
            fflush(stdout);
        pychoral_place_leave(&role->place);
        _exit(role->fault.status);
    }
    pychoral_lock_unclaim(&role->lock); // it has noticed after all
}

static void interrupt(PychoralRole *role, int number)
{
    if (atomic_exchange(&role->interrupted, number) == 0)
        return;
    sigset_t set;                       // the second time: at once
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void *keep(void *argument)
{
    PychoralRole *role = argument;
    sigset_t set;
    uint64_t interrupted_at = 0;
    list_signals(&set, !role->shares_process);
    while (!atomic_load(&role->stopping)) {
        struct timespec pause = {0, KEEP_MS * 1000000L};
        int number = sigtimedwait(&set, NULL, &pause);
        if (number == SIGUSR1)
            atomic_store(&role->status_wanted, !atomic_load(&role->stopping));
        else if (number > 0)
            interrupt(role, number);
        if (atomic_load(&role->interrupted) && interrupted_at == 0)
            interrupted_at = pychoral_now();
        if (interrupted_at && pychoral_now() - interrupted_at >= GRACE_MS)
            end_from_here(role);
        serve(role);
    }
    return NULL;
}

// A child has no keeper: its signals do what they do in any program.
static void unblock(void)
{
    sigset_t set;
    list_signals(&set, true);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

bool pychoral_keeper_start(PychoralRole *role, PychoralFault *fault)
{
    sigset_t set;
    list_signals(&set, !role->shares_process);
    if (!role->shares_process)
        pthread_atfork(NULL, NULL, unblock);
    pthread_sigmask(SIG_BLOCK, &set, &role->old_mask);
    int why = pthread_create(&role->keeper, NULL, keep, role);
    role->has_keeper = why == 0;
    return role->has_keeper ||
           pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR,
                              "cannot start the thread that serves the connections: %s",
                              strerror(why));
}

void pychoral_keeper_stop(PychoralRole *role)
{
    atomic_store(&role->stopping, true);
    if (role->has_keeper) {
        pthread_kill(role->keeper, SIGUSR1);    // wakes it; others of the process do not see it
        pthread_join(role->keeper, NULL);
        role->has_keeper = false;
    }
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGUSR1, &ignore, &old);  // one that came too late must not end the process
    pthread_sigmask(SIG_SETMASK, &role->old_mask, NULL);
    sigaction(SIGUSR1, &old, NULL);
}
