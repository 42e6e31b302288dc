// threading.c - locks of a single thread; the contract is in threading.h.

#include "threading.h"

#include <math.h>

#include "time.h"

const PychoralType pychoral_type_thread_lock = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralMutex *), .body = sizeof(PychoralMutex),
    .flags = PYCHORAL_PLAIN, .name = "lock", .module = "_thread"};
const PychoralType pychoral_type_thread_rlock = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralMutex *), .body = sizeof(PychoralMutex),
    .flags = PYCHORAL_PLAIN, .name = "RLock", .module = "_thread"};

static bool is_reentrant(const PychoralMutex *lock)
{
    return lock->object.type == &pychoral_type_thread_rlock;
}

static PychoralMutex *mutex_new(const PychoralType *type)
{
    PychoralMutex *lock = pychoral_object_new(type);
    if (lock == NULL)
        pychoral_no_memory();
    return lock;
}

PychoralMutex *pychoral_thread_lock(void) { return mutex_new(&pychoral_type_thread_lock); }
PychoralMutex *pychoral_thread_rlock(void) { return mutex_new(&pychoral_type_thread_rlock); }

static bool is_timeout(bool blocking, double timeout)
{
    if (isnan(timeout))
        pychoral_throw(&pychoral_type_ValueError, "Invalid value NaN (not a number)");
    else if (!blocking && timeout != -1)
        pychoral_throw(&pychoral_type_ValueError,
                       "can't specify a timeout for a non-blocking call");
    else if (timeout < 0 && timeout != -1)
        pychoral_throw(&pychoral_type_ValueError, "timeout value must be a non-negative number");
    else if (timeout > 1e9)
        pychoral_throw(&pychoral_type_OverflowError, "timeout value is too large");
    return pychoral_raised == NULL;
}

bool pychoral_mutex_acquire(PychoralMutex *lock, bool blocking, double timeout)
{
    if (!is_timeout(blocking, timeout))
        return false;
    if (lock->held == 0 || is_reentrant(lock)) {
        lock->held++;
        return true;
    }
    if (blocking && timeout >= 0)
        pychoral_time_sleep(timeout);
    while (blocking && timeout < 0 && pychoral_raised == NULL)
        pychoral_time_sleep(3600);
    return false;
}

void pychoral_mutex_release(PychoralMutex *lock)
{
    if (lock->held > 0)
        lock->held--;
    else
        pychoral_throw(&pychoral_type_RuntimeError, is_reentrant(lock)
                       ? "cannot release un-acquired lock" : "release unlocked lock");
}

bool pychoral_mutex_locked(const PychoralMutex *lock) { return lock->held > 0; }

bool pychoral_mutex_enter(PychoralMutex *lock) { return pychoral_mutex_acquire(lock, true, -1); }

void pychoral_mutex_exit(PychoralMutex *lock, PychoralRef kind, PychoralRef fault,
                         PychoralRef trace)
{
    (void)kind, (void)fault, (void)trace;
    pychoral_mutex_release(lock);
}
