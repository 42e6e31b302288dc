// lock.c - the dear side of a role's lock.

#define _DEFAULT_SOURCE 1               // syscall

#include "lock.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_AGAIN_NS = 200000 };

static bool barrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}

void pychoral_lock_init(PychoralLock *lock)
{
    atomic_init(&lock->busy, false);
    atomic_init(&lock->claimed, false);
    lock->has_barrier = barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    pthread_mutex_init(&lock->mutex, NULL);
}

void pychoral_lock_destroy(PychoralLock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

void pychoral_lock_enter_slowly(PychoralLock *lock)
{
    do {
        atomic_store_explicit(&lock->busy, false, memory_order_release);
        pthread_mutex_lock(&lock->mutex);       // whoever has claimed it holds this
        pthread_mutex_unlock(&lock->mutex);
        atomic_store(&lock->busy, true);
    } while (atomic_load(&lock->claimed));
}

bool pychoral_lock_claim(PychoralLock *lock, bool wait)
{
    struct timespec pause = {0, LOOK_AGAIN_NS};
    pthread_mutex_lock(&lock->mutex);
    atomic_store(&lock->claimed, true);
    if (lock->has_barrier)
        barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    while (atomic_load_explicit(&lock->busy, memory_order_acquire)) {
        if (!wait) {
            pychoral_lock_unclaim(lock);
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

void pychoral_lock_unclaim(PychoralLock *lock)
{
    atomic_store_explicit(&lock->claimed, false, memory_order_release);
    pthread_mutex_unlock(&lock->mutex);
}
