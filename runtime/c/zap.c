// zap.c - the ZAP handler.
//
// A request: empty, "1.0", request id, domain, address, the server's own identity, mechanism,
// credentials. An answer: empty, "1.0", request id, status, text, user id, metadata.

#include "zap.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

enum { PARTS = 7, PART_SIZE = 256, KEY_SIZE = 32, NAME_SIZE = 512 };

struct PychoralZap {
    void *socket;
    PychoralRoleOf *role_of;
    void *who;
    pthread_t thread;
};

// One request, its parts cut to what is needed of them.
typedef struct {
    int count;                          // parts that came
    size_t size[PARTS];
    char part[PARTS][PART_SIZE];
} Request;

// Reads a request; false when the context ends.
static bool read_request(void *socket, Request *request)
{
    zmq_msg_t message;
    request->count = 0;
    for (bool more = true; more;) {
        zmq_msg_init(&message);
        if (zmq_msg_recv(&message, socket, 0) < 0) {
            zmq_msg_close(&message);
            return false;
        }
        size_t size = zmq_msg_size(&message);
        if (request->count < PARTS && size <= PART_SIZE) {
            memcpy(request->part[request->count], zmq_msg_data(&message), size);
            request->size[request->count] = size;
        } else {
            request->count = PARTS;     // too long or too many: nobody
        }
        request->count++;
        more = zmq_msg_more(&message);
        zmq_msg_close(&message);
    }
    return true;
}

static bool part_is(const Request *request, int part, const char *text)
{
    return request->size[part] == strlen(text) &&
           memcmp(request->part[part], text, strlen(text)) == 0;
}

// The role whose key the request shows, "" for a plain peer; false for nobody.
static bool is_known(const PychoralZap *zap, const Request *request, char *user)
{
    user[0] = 0;
    if (request->count == PARTS - 1)
        return part_is(request, 5, "NULL");
    return request->count == PARTS && part_is(request, 5, "CURVE") &&
           request->size[6] == KEY_SIZE &&
           zap->role_of(zap->who, (const uint8_t *)request->part[6], user, NAME_SIZE);
}

static bool answer(void *socket, const Request *request, bool known, const char *user)
{
    const char *status = known ? "200" : "400", *text = known ? "" : "no role has this key";
    return zmq_send(socket, "1.0", 3, ZMQ_SNDMORE) >= 0 &&
           zmq_send(socket, request->part[1], request->size[1], ZMQ_SNDMORE) >= 0 &&
           zmq_send(socket, status, 3, ZMQ_SNDMORE) >= 0 &&
           zmq_send(socket, text, strlen(text), ZMQ_SNDMORE) >= 0 &&
           zmq_send(socket, user, strlen(user), ZMQ_SNDMORE) >= 0 &&
           zmq_send(socket, "", 0, 0) >= 0;
}

// A REP socket takes the empty delimiter away and puts it back, so parts count from the version.
static void *serve(void *argument)
{
    PychoralZap *zap = argument;
    Request request;
    char user[NAME_SIZE];
    while (read_request(zap->socket, &request)) {
        bool known = is_known(zap, &request, user);
        if (!answer(zap->socket, &request, known, known ? user : ""))
            break;
    }
    zmq_close(zap->socket);
    return NULL;
}

// The thread takes no signals: they are the program's and the keeper's. 0, or why it has failed.
static int start_thread(PychoralZap *zap)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int failed = pthread_create(&zap->thread, NULL, serve, zap);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return failed;
}

PychoralZap *pychoral_zap_start(void *context, PychoralRoleOf *role_of, void *who,
                                PychoralFault *fault)
{
    PychoralZap *zap = calloc(1, sizeof *zap);
    int linger = 0;
    if (zap) {
        zap->role_of = role_of;
        zap->who = who;
        zap->socket = zmq_socket(context, ZMQ_REP);
    }
    bool bound = zap && zap->socket &&
                 zmq_setsockopt(zap->socket, ZMQ_LINGER, &linger, sizeof linger) == 0 &&
                 zmq_bind(zap->socket, "inproc://zeromq.zap.01") == 0;
    int why = bound ? start_thread(zap) : zmq_errno();
    if (bound && why == 0)
        return zap;
    pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                       "cannot start the thread that checks the keys of peers: %s",
                       zmq_strerror(why));
    if (zap && zap->socket)
        zmq_close(zap->socket);
    free(zap);
    return NULL;
}

void pychoral_zap_join(PychoralZap *zap)
{
    if (!zap)
        return;
    pthread_join(zap->thread, NULL);
    free(zap);
}
