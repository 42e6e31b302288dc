// bare.c - the yardstick of the C rows of bench_runtime.py: the same sockets by hand, a ROUTER that
// listens and a DEALER that dials, without any protocol.
//
//     bare A|B ADDRESS [--lent] [--keys SERVER,PUBLIC,SECRET] --size N --rounds N --messages N
//
// A listens. B sends first in the round trips, and alone in the stream, which A answers at its end.
// `--lent`: the stream's payload is lent to libzmq, not copied. Keys (Z85): CURVE.

#include <string.h>
#include <zmq.h>

#include "measure.h"

typedef struct {
    void *context, *socket;
    int listens, lent;
    const char *keys;
    size_t size;
    int64_t rounds, messages;
    char *bytes;
    uint8_t id[256];
    size_t id_size;
} Bare;

static void use_keys(Bare *bare)
{
    char server[41], public[41], secret[41];
    int one = 1;
    if (!bare->keys || sscanf(bare->keys, "%40[^,],%40[^,],%40[^,]", server, public, secret) != 3)
        return;
    zmq_setsockopt(bare->socket, ZMQ_CURVE_SECRETKEY, secret, sizeof secret);
    if (bare->listens) {
        zmq_setsockopt(bare->socket, ZMQ_CURVE_SERVER, &one, sizeof one);
    } else {
        zmq_setsockopt(bare->socket, ZMQ_CURVE_PUBLICKEY, public, sizeof public);
        zmq_setsockopt(bare->socket, ZMQ_CURVE_SERVERKEY, server, sizeof server);
    }
}

static void keep(void *data, void *hint)
{
    (void)data;
    (void)hint;
}

// A sends to the id that it heard last.
static void put(Bare *bare, int lent)
{
    zmq_msg_t message;
    if (bare->id_size)
        zmq_send(bare->socket, bare->id, bare->id_size, ZMQ_SNDMORE);
    if (!lent) {
        zmq_send(bare->socket, bare->bytes, bare->size, 0);
        return;
    }
    zmq_msg_init_data(&message, bare->bytes, bare->size, keep, NULL);
    zmq_msg_send(&message, bare->socket, 0);
}

static void get(Bare *bare)
{
    zmq_msg_t message;
    zmq_msg_init(&message);
    if (bare->listens) {
        zmq_msg_recv(&message, bare->socket, 0);
        bare->id_size = zmq_msg_size(&message);
        memcpy(bare->id, zmq_msg_data(&message), bare->id_size);
    }
    zmq_msg_recv(&message, bare->socket, 0);
    if (zmq_msg_size(&message) != bare->size)
        exit(1);
    zmq_msg_close(&message);
}

static void round_trips(Bare *bare)
{
    double *trips = malloc(sizeof *trips * (size_t)(bare->rounds + 1));
    for (int64_t i = -WARM_UP; i < bare->rounds; i++) {
        double start = clock_seconds();
        if (bare->listens)
            get(bare), put(bare, 0);
        else
            put(bare, 0), get(bare);
        if (i >= 0)
            trips[i] = clock_seconds() - start;
    }
    if (!bare->listens)
        print_median(trips, bare->rounds);
    free(trips);
}

static void one_way(Bare *bare)
{
    double start = 0, cpu_start = 0;
    for (int64_t i = -WARM_UP; i < bare->messages; i++) {
        if (i == 0) {
            start = clock_seconds();
            cpu_start = cpu_seconds();
        }
        if (bare->listens)
            get(bare);
        else
            put(bare, bare->lent);
    }
    if (bare->listens)
        put(bare, 0);
    else
        get(bare);
    print_cpu(cpu_start, start);
}

// Options are `--name value` or `--name=value`.
static int read_options(Bare *bare, int argc, char **argv)
{
    for (int i = 3; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (strcmp(argv[i], "--lent") == 0) {
            bare->lent = 1;
            continue;
        }
        size_t length = value ? (size_t)(value - argv[i]) : strlen(argv[i]);
        value = value ? value + 1 : argv[++i];
        if (!value)
            return 0;
        const char *name = argv[value[-1] == '=' ? i : i - 1];
        if (strncmp(name, "--keys", length) == 0)
            bare->keys = value;
        else if (strncmp(name, "--size", length) == 0)
            bare->size = strtoull(value, NULL, 10);
        else if (strncmp(name, "--rounds", length) == 0)
            bare->rounds = strtoll(value, NULL, 10);
        else
            bare->messages = strtoll(value, NULL, 10);
    }
    return 1;
}

int main(int argc, char **argv)
{
    Bare bare = {.listens = argc > 1 && strcmp(argv[1], "A") == 0};
    if (argc < 3 || !read_options(&bare, argc, argv))
        return 2;
    bare.context = zmq_ctx_new();
    bare.socket = zmq_socket(bare.context, bare.listens ? ZMQ_ROUTER : ZMQ_DEALER);
    bare.bytes = calloc(bare.size + 1, 1);
    use_keys(&bare);
    if (bare.listens ? zmq_bind(bare.socket, argv[2]) : zmq_connect(bare.socket, argv[2]))
        return 1;
    round_trips(&bare);
    one_way(&bare);
    zmq_close(bare.socket);
    zmq_ctx_term(bare.context);
    free(bare.bytes);
    return 0;
}
