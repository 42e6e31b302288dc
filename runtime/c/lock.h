// lock.h - the lock of a role: nearly free for the program, dear for the keeper.
//
// The program takes it in each call, the keeper twice a second. So the program only says that it is
// busy and looks whether somebody has claimed the lock: no atomic exchange. Who claims it pays: it
// makes all threads of the process agree on the order of what they did (membarrier), then waits
// until the program is not busy. Those who claim exclude each other by a mutex.

#ifndef PYCHORAL_LOCK_H
#define PYCHORAL_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
    atomic_bool busy;                   // the program is in a call
    atomic_bool claimed;                // somebody else is in, or wants to be
    bool has_barrier;                   // the kernel has membarrier; else the program pays a fence
    pthread_mutex_t mutex;              // of those who claim
} PychoralLock;

void pychoral_lock_init(PychoralLock *lock);
void pychoral_lock_destroy(PychoralLock *lock);

// For the program: waits until nobody else is in.
void pychoral_lock_enter_slowly(PychoralLock *lock);

// For the program's one thread: in and out.
static inline void pychoral_lock_enter(PychoralLock *lock)
{
    atomic_store_explicit(&lock->busy, true, memory_order_relaxed);
    if (lock->has_barrier)
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&lock->claimed, memory_order_acquire))
        pychoral_lock_enter_slowly(lock);
}

static inline void pychoral_lock_leave(PychoralLock *lock)
{
    atomic_store_explicit(&lock->busy, false, memory_order_release);
}

// For other threads: in, and out. Without `wait` only if the program is not in a call.
bool pychoral_lock_claim(PychoralLock *lock, bool wait);
void pychoral_lock_unclaim(PychoralLock *lock);

#endif
