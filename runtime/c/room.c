// room.c - descriptors, threads and memory; contracts in room.h.

#define _DEFAULT_SOURCE 1               // MAP_ANONYMOUS

#include "room.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    RESERVE = 4 << 20,                  // bytes
    USUAL = 1024,                       // the soft limit that systems give
    THREADS = 4,                        // two of libzmq, the handler of keys, the keeper
};

// How many can be opened, up to those that are needed.
static int count_free(int needed)
{
    int count = 0, *taken = malloc((size_t)needed * sizeof *taken);
    while (taken && count < needed &&
           (taken[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        count++;
    for (int i = 0; i < count; i++)
        close(taken[i]);
    free(taken);
    return count;
}

static void lower(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= USUAL)
        return;
    limit.rlim_cur = USUAL;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static bool raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
        return false;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 && pthread_atfork(NULL, NULL, lower) == 0;
}

bool pychoral_room_make(int needed, PychoralFault *fault)
{
    int count = count_free(needed);
    if (count < needed && raise_limit())
        count = count_free(needed);
    return count == needed ||
           pychoral_fault_set(fault, PYCHORAL_EXIT_PEER_LOST,
                              "only %d file descriptors are left, but %d are needed (ulimit -n)",
                              count, needed);
}

// Waits until all have been tried, as all are there at once later.
static void *wait_for_all(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

bool pychoral_room_for_threads(PychoralFault *fault)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[THREADS];
    sigset_t all, old;
    int count = 0, why = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_mutex_lock(&lock);
    while (count < THREADS &&
           (why = pthread_create(&threads[count], NULL, wait_for_all, &lock)) == 0)
        count++;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&lock);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return count == THREADS ||
           pychoral_fault_set(fault, PYCHORAL_EXIT_PEER_LOST,
                              "only %d threads can be started, but %d are needed: %s", count,
                              THREADS, strerror(why));
}

static void *reserve(size_t size)
{
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return made != MAP_FAILED ? made : NULL;
}

void *pychoral_room_reserve(void) { return reserve(RESERVE); }

void pychoral_room_give(void *reserved)
{
    if (reserved)
        munmap(reserved, RESERVE);
}

bool pychoral_room_is_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool pychoral_room_for_message(size_t size, size_t *needed)
{
    *needed = RESERVE + 4 * size;
    if (!pychoral_room_is_limited())
        return true;
    void *free_now = reserve(*needed);
    if (free_now)
        munmap(free_now, *needed);
    return free_now != NULL;
}
