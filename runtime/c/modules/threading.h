// threading.h - locks. A role is one thread: who waits for a lock that is held waits in vain, as in
// a Python program of one thread.

#ifndef PYCHORAL_THREADING_H
#define PYCHORAL_THREADING_H

#include "../builtins/object.h"

typedef struct PychoralMutex {
    PychoralObject object;
    uint64_t held;  // how often
} PychoralMutex;

extern const PychoralType pychoral_type_thread_lock, pychoral_type_thread_rlock;

PychoralMutex *pychoral_thread_lock(void);
PychoralMutex *pychoral_thread_rlock(void);

// lock.acquire(blocking, timeout). Raises ValueError, OverflowError.
bool pychoral_mutex_acquire(PychoralMutex *lock, bool blocking, double timeout);

// lock.release(). Raises RuntimeError.
void pychoral_mutex_release(PychoralMutex *lock);

bool pychoral_mutex_locked(const PychoralMutex *lock);

// `with lock`: True; and its end, whatever has ended it.
bool pychoral_mutex_enter(PychoralMutex *lock);
void pychoral_mutex_exit(PychoralMutex *lock, PychoralRef kind, PychoralRef fault,
                         PychoralRef trace);

#endif
