// bare.c - the measure of the channels: the same socket pattern by hand, a ROUTER that listens
// and a DEALER that dials, without any protocol.
//
//     bare Alice MODE SIZE COUNT ADDRESS [SERVER-PUBLIC PUBLIC SECRET]    listens (Z85 keys: CURVE)
//     bare Bob   MODE SIZE COUNT ADDRESS [SERVER-PUBLIC PUBLIC SECRET]    dials
//
// MODE is `round` (Bob sends, Alice sends it back), `oneway` (Bob sends, copying, and Alice answers
// once at the end), or `lent` (the same, with zmq_msg_init_data).

#include <string.h>
#include <zmq.h>

#include "measure.h"

enum { WARM_UP = 16 };

typedef struct {
    void *context, *socket;
    const char *mode;
    size_t size;
    int64_t count;
    char *bytes;
    uint8_t id[256];
    size_t id_size;
} Bare;

static void use_keys(Bare *bare, char **keys, int listens)
{
    int one = 1;
    zmq_setsockopt(bare->socket, ZMQ_CURVE_SECRETKEY, keys[2], 41);
    if (listens) {
        zmq_setsockopt(bare->socket, ZMQ_CURVE_SERVER, &one, sizeof one);
    } else {
        zmq_setsockopt(bare->socket, ZMQ_CURVE_PUBLICKEY, keys[1], 41);
        zmq_setsockopt(bare->socket, ZMQ_CURVE_SERVERKEY, keys[0], 41);
    }
}

static void keep(void *data, void *hint)
{
    (void)data;
    (void)hint;
}

// Alice sends to the id that she heard last.
static void put(Bare *bare, int lent)
{
    if (bare->id_size)
        zmq_send(bare->socket, bare->id, bare->id_size, ZMQ_SNDMORE);
    if (!lent) {
        zmq_send(bare->socket, bare->bytes, bare->size, 0);
        return;
    }
    zmq_msg_t message;
    zmq_msg_init_data(&message, bare->bytes, bare->size, keep, NULL);
    zmq_msg_send(&message, bare->socket, 0);
}

static void get(Bare *bare, int listens)
{
    zmq_msg_t message;
    zmq_msg_init(&message);
    if (listens) {
        zmq_msg_recv(&message, bare->socket, 0);
        bare->id_size = zmq_msg_size(&message);
        memcpy(bare->id, zmq_msg_data(&message), bare->id_size);
    }
    zmq_msg_recv(&message, bare->socket, 0);
    if (zmq_msg_size(&message) != bare->size)
        exit(1);
    zmq_msg_close(&message);
}

static void round_trips(Bare *bare, int listens)
{
    double *trips = malloc(sizeof *trips * (size_t)bare->count), cpu = 0;
    for (int64_t i = -WARM_UP; i < bare->count; i++) {
        double start = clock_us();
        if (i == 0)
            cpu = cpu_seconds();
        if (listens)
            get(bare, 1), put(bare, 0);
        else
            put(bare, 0), get(bare, 0);
        if (i >= 0)
            trips[i] = clock_us() - start;
    }
    print_result(bare->count, cpu_seconds() - cpu, trips);
    free(trips);
}

static void one_way(Bare *bare, int listens, int lent)
{
    double cpu = 0;
    for (int64_t i = -WARM_UP; i < bare->count; i++) {
        if (i == 0)
            cpu = cpu_seconds();
        if (listens)
            get(bare, 1);
        else
            put(bare, lent);
    }
    if (listens)
        put(bare, 0);
    else
        get(bare, 0);
    print_result(bare->count, cpu_seconds() - cpu, NULL);
}

int main(int argc, char **argv)
{
    if (argc != 6 && argc != 9)
        return 2;
    int listens = strcmp(argv[1], "Alice") == 0, one = 1;
    Bare bare = {.mode = argv[2], .size = strtoull(argv[3], NULL, 10),
                 .count = strtoll(argv[4], NULL, 10)};
    bare.context = zmq_ctx_new();
    bare.socket = zmq_socket(bare.context, listens ? ZMQ_ROUTER : ZMQ_DEALER);
    bare.bytes = calloc(bare.size + 1, 1);
    if (argc == 9)
        use_keys(&bare, argv + 6, listens);
    zmq_setsockopt(bare.socket, ZMQ_ROUTER_MANDATORY, &one, listens ? sizeof one : 0);
    int failed = listens ? zmq_bind(bare.socket, argv[5]) : zmq_connect(bare.socket, argv[5]);
    if (failed)
        return 1;
    if (strcmp(bare.mode, "round") == 0)
        round_trips(&bare, listens);
    else
        one_way(&bare, listens, strcmp(bare.mode, "lent") == 0);
    zmq_close(bare.socket);
    zmq_ctx_term(bare.context);
    free(bare.bytes);
    return 0;
}
