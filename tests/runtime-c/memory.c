// memory.c - how much memory a channel takes (test_memory.py runs it).
//
//     Alice sends --count messages of --size bytes; Bob reads them, or is gone after --leave of
// them.
//
// Alice prints `first BYTES` and `last BYTES`: what is allocated when a tenth was sent and at the
// end; and `peak BYTES`, the most that was in use from half a second after her last message on,
// which is when she waits for a peer that is gone. All are beyond what was in use at the start.

#define _DEFAULT_SOURCE 1               // mallinfo2

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "endpoints.h"

enum { PEER = 0, LOOK_MS = 20, QUIET = 25 };

static size_t in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

typedef struct {
    atomic_llong sent;
    atomic_bool over;
    size_t peak;
} Watch;

// The most that is in use while nothing is sent any more.
static void *watch(void *argument)
{
    Watch *w = argument;
    struct timespec pause = {0, LOOK_MS * 1000000L};
    long long last = -1;
    for (int quiet = 0; !atomic_load(&w->over); quiet++) {
        nanosleep(&pause, NULL);
        long long sent = atomic_load(&w->sent);
        if (sent != last)
            quiet = 0;
        last = sent;
        size_t now = in_use();
        if (quiet >= QUIET && now > w->peak)
            w->peak = now;
    }
    return NULL;
}

static int alice(PychoralRole *role)
{
    int64_t count = number_argument(role, 0), size = number_argument(role, 1);
    size_t start = in_use(), first = 0;
    char *text = calloc((size_t)size + 1, 1);
    PychoralBytes *bytes = pychoral_bytes_new(text, (size_t)size);
    free(text);
    Watch w = {0};
    pthread_t thread;
    pthread_create(&thread, NULL, watch, &w);
    bool good = true;
    for (int64_t i = 0; good && i < count; i++) {
        good = pychoral_send(role, PEER, 1, &pychoral_type_bytes, &bytes);
        atomic_store(&w.sent, i);
        if (i == count / 10)
            first = in_use();
    }
    printf("first %zd\nlast %zd\n", (ssize_t)(first - start), (ssize_t)(in_use() - start));
    atomic_store(&w.over, true);
    pthread_join(thread, NULL);
    printf("peak %zd\n", w.peak ? (ssize_t)(w.peak - start) : 0);
    fflush(stdout);
    pychoral_release(&pychoral_type_bytes, &bytes);
    return good ? 0 : 1;
}

static int bob(PychoralRole *role)
{
    int64_t count = number_argument(role, 0), leave = number_argument(role, 2);
    for (int64_t i = 0; i < count; i++) {
        PychoralBytes *bytes;
        if (leave && i == leave)
            kill(getpid(), SIGKILL);
        if (!pychoral_receive(role, PEER, 1, &pychoral_type_bytes, &bytes))
            return 1;
        pychoral_release(&pychoral_type_bytes, &bytes);
    }
    return 0;
}

static const PychoralParameter PARAMETERS[] = {
    {.name = "count", .type = "int", .standard = "1000"},
    {.name = "size", .type = "int", .standard = "64"},
    {.name = "leave", .type = "int", .standard = "0"}};
static const PychoralSite SITES[] = {{1, "memory.pyc:1"}};

static const Pair PAIR = {
    .source = "memory.pyc",
    .protocol = "3f5c8b0b2a0e4f63b1d8f1d0a9c3e57712345678900000000000000000000003",
    .sites = SITES, .site_count = 1, .parameters = PARAMETERS, .parameter_count = 3,
    .alice = alice, .bob = bob,
};

int main(int argc, char **argv)
{
    return run_pair(&PAIR, argc, argv);
}
