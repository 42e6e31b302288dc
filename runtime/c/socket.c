// socket.c - a role's ZeroMQ sockets.

#include "socket.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "manifest.h"

enum {
    LINGER_MS = 1000,
    PULL_MS = 10,                       // how long one socket is waited for before the others
    KEPT_SIZE = 4096 + 64,              // larger frames are kept, not copied
    MAX_FRAMES = 65536,                 // the header's and 65,535 more
    MORE_BYTES = 64 << 10,              // beyond the largest payload: headers and the like
    DAY_MS = 86400000,
    ID_SIZE = 5,                        // the ids that libzmq makes: a zero and a number
    ZAP_ENFORCE_DOMAIN = 93,            // in every libzmq from 4.3; its header calls it a draft
};

// A socket and its monitor. `conn` is 0 without a socket and at the listener.
typedef struct {
    void *socket, *monitor;
    uint64_t conn;
    bool has_told;                      // an event has told of the connection
    int linger;                         // at the end
} Plug;

struct PychoralSockets {
    PychoralSocketSetup setup;
    void *context;
    PychoralZap *zap;
    uint8_t public[PYCHORAL_KEY_SIZE];
    Plug *plugs;                        // of the links; the listener is the last
    int plug_count, turn;               // whose message is looked for first
    uint64_t last_conn;                 // numbers dialled connections and monitors
    zmq_pollitem_t *items;              // two for each plug that is there
    int item_count;
    zmq_msg_t id;                       // of the connection it came from, at the listener
    zmq_msg_t *messages;                // of the last message received
    PychoralFrame *frames;
    size_t message_count, message_room;
    PychoralUnauthenticated strangers;        // at the listener
};

// --- making and ending ---

static bool zmq_fault(PychoralFault *fault, const char *what, const char *address)
{
    const char *why = zmq_errno() == EADDRINUSE ? "another program uses this address"
                    : zmq_errno() == ENODEV ? "this machine has no such address"
                    : zmq_strerror(zmq_errno());
    return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE, "cannot %s %s: %s", what, address, why);
}

static bool start_context(PychoralSockets *s, PychoralFault *fault)
{
    s->context = s->setup.context;
    if (s->context)
        return true;                    // inproc only, where libzmq has neither keys nor ZAP
    s->context = zmq_ctx_new();
    if (!s->context)
        return zmq_fault(fault, "use", "ZeroMQ");
    s->zap = pychoral_zap_start(s->context, s->setup.role_of, s->setup.who, fault);
    return s->zap != NULL;
}

static bool derive_public(PychoralSockets *s)
{
    char secret[PYCHORAL_KEY_TEXT], public[PYCHORAL_KEY_TEXT];
    bool good = zmq_z85_encode(secret, s->setup.secret, PYCHORAL_KEY_SIZE) &&
                zmq_curve_public(public, secret) == 0 && zmq_z85_decode(s->public, public);
    pychoral_key_forget(secret, sizeof secret);
    return good;
}

PychoralSockets *pychoral_sockets_new(const PychoralSocketSetup *setup, PychoralFault *fault)
{
    PychoralSockets *s = calloc(1, sizeof *s);
    if (s) {
        s->setup = *setup;
        zmq_msg_init(&s->id);
        s->plug_count = setup->links + 1;
        s->plugs = calloc((size_t)s->plug_count, sizeof *s->plugs);
        s->items = calloc((size_t)s->plug_count * 2, sizeof *s->items);
    }
    if (!s || !s->plugs || !s->items)
        pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR, "memory is exhausted");
    else if (setup->secret && !derive_public(s))
        zmq_fault(fault, "use", "the secret key");
    else if (start_context(s, fault))
        return s;
    pychoral_sockets_free(s, false);
    return NULL;
}

static void drop_frames(PychoralSockets *s)
{
    for (size_t i = 0; i < s->message_count; i++)
        if (s->frames[i].owner)
            pychoral_buffer_release(s->frames[i].owner);
    s->message_count = 0;
}

// A monitor that is left open would hang the end of the context for ever, so it is closed first.
static void unplug(Plug *plug, int linger)
{
    if (plug->monitor) {
        zmq_socket_monitor(plug->socket, NULL, 0);
        zmq_close(plug->monitor);
    }
    if (plug->socket) {
        zmq_setsockopt(plug->socket, ZMQ_LINGER, &linger, sizeof linger);
        zmq_close(plug->socket);
    }
    *plug = (Plug){0};
}

static void end_context(PychoralSockets *s)
{
    if (!s->context || s->context == s->setup.context)
        return;
    zmq_ctx_shutdown(s->context);       // ends the handler's thread
    pychoral_zap_join(s->zap);
    while (zmq_ctx_term(s->context) != 0 && zmq_errno() == EINTR)
        ;
}

void pychoral_sockets_free(PychoralSockets *s, bool linger)
{
    if (!s)
        return;
    drop_frames(s);
    zmq_msg_close(&s->id);
    for (size_t i = 0; i < s->message_room; i++)
        zmq_msg_close(&s->messages[i]);
    for (int i = 0; s->plugs && i < s->plug_count; i++)
        unplug(&s->plugs[i], linger ? s->plugs[i].linger : 0);
    end_context(s);
    pychoral_unauthenticated_free(&s->strangers);
    free(s->messages);
    free(s->frames);
    free(s->plugs);
    free(s->items);
    free(s);
}

bool pychoral_sockets_use(PychoralSockets *s, const uint8_t *secret)
{
    s->setup.secret = secret;
    return derive_public(s);
}

// --- options ---

// All options of all sockets are set here.
static bool set_options(PychoralSockets *s, void *socket, bool listens)
{
    int window = (int)s->setup.window_messages + 64;
    int sending = 2 * window;           // see below
    const struct { int name, value; } options[] = {
        // Nobody waits for a socket that is thrown away; at the end it is LINGER_MS.
        {ZMQ_LINGER, 0},
        // A receive that waits, pychoral_sockets_pull, waits so long; a send never does.
        {ZMQ_RCVTIMEO, PULL_MS},
        // libzmq's own queues hold a window and what is not numbered, never its usual 1000. Who
        // sends learns only after half a queue that some of it was taken, so it is twice as long.
        {ZMQ_SNDHWM, sending},
        {ZMQ_RCVHWM, window},
        // Who accepts a connection and says nothing has two seconds.
        {ZMQ_HANDSHAKE_IVL, 2000},
        // A frozen peer or a silent link is noticed by the I/O thread within 4 s; see set_beats.
        {ZMQ_HEARTBEAT_IVL, 1000},
        {ZMQ_HEARTBEAT_TIMEOUT, 3000},
        {ZMQ_HEARTBEAT_TTL, 3000},
        {ZMQ_IPV6, 1},
        // With it a dialler would lose what has come and is not read when its peer leaves.
        {ZMQ_IMMEDIATE, 0},
        // Without the domain libzmq takes ZMTP 1 and 2, and hands random bytes to the program;
        // enforced, so that nobody is let in when the handler of keys is missing.
        {ZAP_ENFORCE_DOMAIN, 1},
        // A dialler's socket is used once; the machine says when to dial anew.
        // Not -1: libzmq would forget, with the connection, what was read and not yet taken.
        {listens ? ZMQ_ROUTER_MANDATORY : ZMQ_RECONNECT_IVL, listens ? 1 : DAY_MS},
    };
    const char domain[] = "pychoral";
    int64_t most = (int64_t)s->setup.max_message + MORE_BYTES;
    bool good = zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &most, sizeof most) == 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        good = good && zmq_setsockopt(socket, options[i].name, &options[i].value,
                                      sizeof options[i].value) == 0;
    // Roles of one process share a context: inproc only, which knows no keys and needs no handler.
    if (s->context != s->setup.context)
        good = good && zmq_setsockopt(socket, ZMQ_ZAP_DOMAIN, domain, sizeof domain - 1) == 0;
    return good;
}

static bool set_time(void *socket, int option, int milliseconds)
{
    return zmq_setsockopt(socket, option, &milliseconds, sizeof milliseconds) == 0;
}

// Over TCP the dialler beats, and both look themselves whether anything comes (descriptor.h):
// libzmq would end a connection over which one large frame takes longer.
static bool set_beats(void *socket, bool listens, const char *address)
{
    if (strncmp(address, "tcp:", 4) != 0)
        return true;
    if (listens)
        return set_time(socket, ZMQ_HEARTBEAT_IVL, 0);
    return set_time(socket, ZMQ_HEARTBEAT_TIMEOUT, DAY_MS) &&
           set_time(socket, ZMQ_HEARTBEAT_TTL, 0);
}

// CURVE; `server` is the peer's key at a dialler, NULL at the listener.
static bool set_keys(PychoralSockets *s, void *socket, bool listens, const uint8_t *server)
{
    int one = 1;
    const uint8_t *secret = s->setup.secret;
    if (!secret || !(listens ? s->setup.keys_at_listener : server != NULL))
        return true;
    bool good = zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, secret, PYCHORAL_KEY_SIZE) == 0;
    if (listens)
        return good && zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &one, sizeof one) == 0;
    return good && zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, s->public, PYCHORAL_KEY_SIZE) == 0 &&
           zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, server, PYCHORAL_KEY_SIZE) == 0;
}

// --- listening and dialling ---

static void *open_monitor(PychoralSockets *s, void *socket)
{
    char address[80];
    int linger = 0;
    snprintf(address, sizeof address, "inproc://pychoral.monitor.%p.%" PRIu64, (void *)s,
             s->last_conn);
    int events = ZMQ_EVENT_CLOSED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                 ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
                 ZMQ_EVENT_CONNECT_RETRIED | ZMQ_EVENT_ACCEPTED;
    if (zmq_socket_monitor(socket, address, events) != 0)
        return NULL;
    void *monitor = zmq_socket(s->context, ZMQ_PAIR);
    if (monitor && zmq_setsockopt(monitor, ZMQ_LINGER, &linger, sizeof linger) == 0 &&
        zmq_connect(monitor, address) == 0)
        return monitor;
    zmq_socket_monitor(socket, NULL, 0);
    if (monitor)
        zmq_close(monitor);
    return NULL;
}

static void list_items(PychoralSockets *s)
{
    s->item_count = 0;
    for (int i = 0; i < s->plug_count; i++) {
        if (!s->plugs[i].socket)
            continue;
        s->items[s->item_count++] = (zmq_pollitem_t){s->plugs[i].socket, 0, ZMQ_POLLIN, 0};
        s->items[s->item_count++] = (zmq_pollitem_t){s->plugs[i].monitor, 0, ZMQ_POLLIN, 0};
    }
}

static bool plug_in(PychoralSockets *s, Plug *plug, int type, const uint8_t *server)
{
    s->last_conn++;
    plug->linger = LINGER_MS;
    plug->socket = zmq_socket(s->context, type);
    if (plug->socket && set_options(s, plug->socket, type == ZMQ_ROUTER) &&
        set_keys(s, plug->socket, type == ZMQ_ROUTER, server))
        plug->monitor = open_monitor(s, plug->socket);
    return plug->monitor != NULL;
}

bool pychoral_sockets_listen(PychoralSockets *s, const char *address, PychoralFault *fault)
{
    Plug *plug = &s->plugs[s->plug_count - 1];
    bool good = plug_in(s, plug, ZMQ_ROUTER, NULL) && set_beats(plug->socket, true, address) &&
                zmq_bind(plug->socket, address) == 0;
    size_t size = sizeof s->strangers.address;
    if (!good) {
        zmq_fault(fault, "listen at", address);
        unplug(plug, 0);
    } else if (zmq_getsockopt(plug->socket, ZMQ_LAST_ENDPOINT, s->strangers.address, &size) != 0) {
        s->strangers.address[0] = '\0';
    }
    list_items(s);
    return good;
}

bool pychoral_sockets_listens(const PychoralSockets *s)
{
    return s->plugs[s->plug_count - 1].socket != NULL;
}

uint64_t pychoral_sockets_dial(PychoralSockets *s, int link, const char *address,
                               const uint8_t *key, PychoralFault *fault)
{
    Plug *plug = &s->plugs[link];
    unplug(plug, 0);
    bool good = plug_in(s, plug, ZMQ_DEALER, key) && set_beats(plug->socket, false, address) &&
                zmq_connect(plug->socket, address) == 0;
    if (!good) {
        zmq_fault(fault, "connect to", address);
        unplug(plug, 0);
    }
    plug->conn = s->last_conn;
    plug->has_told = false;
    list_items(s);
    return plug->conn;
}

void pychoral_sockets_linger(PychoralSockets *s, int link, int milliseconds)
{
    s->plugs[link].linger = milliseconds;
}

// --- sending ---

// Called by an I/O thread: it may only drop the count.
static void drop_lent(void *data, void *owner)
{
    (void)data;
    pychoral_buffer_release(owner);
}

static bool fill(zmq_msg_t *message, const PychoralFrame *frame)
{
    if (!frame->owner) {
        if (zmq_msg_init_size(message, frame->size) != 0)
            return false;
        if (frame->size)
            memcpy(zmq_msg_data(message), frame->data, frame->size);
        return true;
    }
    pychoral_buffer_retain(frame->owner);
    if (zmq_msg_init_data(message, (void *)(uintptr_t)frame->data, frame->size, drop_lent,
                          frame->owner) == 0)
        return true;
    pychoral_buffer_release(frame->owner);
    return false;
}

static bool send_frame(void *socket, const PychoralFrame *frame, int flags)
{
    zmq_msg_t message;
    if (!fill(&message, frame))
        return false;
    if (zmq_msg_send(&message, socket, flags | ZMQ_DONTWAIT) >= 0)
        return true;
    zmq_msg_close(&message);
    return false;
}

// The id of a connection at the listener: a zero and four bytes of its number less one.
static bool send_id(void *socket, uint64_t conn)
{
    uint32_t number = (uint32_t)(conn - 1);
    uint8_t id[ID_SIZE] = {0, (uint8_t)(number >> 24), (uint8_t)(number >> 16),
                           (uint8_t)(number >> 8), (uint8_t)number};
    return zmq_send(socket, id, sizeof id, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0;
}

// Only the first part can find the queue full or the peer gone, so nothing is sent by halves; when
// memory is exhausted on the way, the connection is given up.
bool pychoral_sockets_send(PychoralSockets *s, int link, uint64_t conn,
                           const PychoralFrame *frames, size_t count)
{
    bool listens = link == PYCHORAL_LISTENER;
    Plug *plug = &s->plugs[listens ? s->plug_count - 1 : link];
    if (!plug->socket || (!listens && plug->conn != conn))
        return false;
    if (listens && !send_id(plug->socket, conn))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!send_frame(plug->socket, &frames[i], i + 1 < count ? ZMQ_SNDMORE : 0))
            return false;
    return true;
}

// --- receiving ---

static void close_kept(void *data, void *message)
{
    (void)data;
    zmq_msg_close(message);
    free(message);
}

// A buffer that owns a large message's bytes; NULL if memory is exhausted.
static PychoralBuffer *keep(zmq_msg_t *message)
{
    zmq_msg_t *kept = malloc(sizeof *kept);
    if (!kept)
        return NULL;
    zmq_msg_init(kept);
    zmq_msg_move(kept, message);
    PychoralBuffer *owner =
        pychoral_buffer_wrap(zmq_msg_data(kept), zmq_msg_size(kept), close_kept, kept);
    if (!owner)
        close_kept(NULL, kept);
    return owner;
}

// All of `messages` are initialised at all times: receiving into one lets go of what it held.
static bool make_room(PychoralSockets *s)
{
    size_t room = s->message_room ? s->message_room * 2 : 8;
    zmq_msg_t *messages = malloc(room * sizeof *messages);
    PychoralFrame *frames = realloc(s->frames, room * sizeof *frames);
    if (frames)
        s->frames = frames;
    if (!messages || !frames) {
        free(messages);
        return false;
    }
    for (size_t i = 0; i < room; i++)
        zmq_msg_init(&messages[i]);
    for (size_t i = 0; i < s->message_room; i++) {      // a zmq_msg_t is moved, never copied
        zmq_msg_move(&messages[i], &s->messages[i]);
        zmq_msg_close(&s->messages[i]);
        if (i < s->message_count && !s->frames[i].owner)
            s->frames[i].data = zmq_msg_data(&messages[i]);
    }
    free(s->messages);
    s->messages = messages;
    s->message_room = room;
    return true;
}

// Receives one frame into the list; false if it cannot be kept. `more` says whether others follow.
static bool receive_frame(PychoralSockets *s, void *socket, int flags, bool *more)
{
    zmq_msg_t *message = &s->messages[s->message_count];
    int size = zmq_msg_recv(message, socket, flags);
    *more = size >= 0 && zmq_msg_more(message);
    if (size < 0)
        return false;
    PychoralFrame *frame = &s->frames[s->message_count++];
    *frame = (PychoralFrame){zmq_msg_data(message), (size_t)size, NULL};
    if (size <= KEPT_SIZE)
        return true;
    frame->size = zmq_msg_size(message);        // an int may be too small for it
    frame->owner = keep(message);
    frame->data = frame->owner ? frame->owner->data : NULL;
    return frame->owner != NULL;
}

static void skip_rest(void *socket)
{
    zmq_msg_t message;
    zmq_msg_init(&message);
    while (zmq_msg_recv(&message, socket, ZMQ_DONTWAIT) >= 0 && zmq_msg_more(&message))
        ;
    zmq_msg_close(&message);
}

// Receives the frames of a message. One that is beyond all limits is read to its end and has none.
static bool receive_frames(PychoralSockets *s, void *socket, int flags)
{
    uint64_t bytes = 0, most = s->setup.max_message + MORE_BYTES;
    drop_frames(s);
    for (bool more = true; more;) {
        bool good = (s->message_count < s->message_room || make_room(s)) &&
                    receive_frame(s, socket, flags, &more);
        if (!good && s->message_count == 0)
            return false;
        bytes += good ? s->frames[s->message_count - 1].size : 0;
        if (good && bytes <= most && s->message_count <= MAX_FRAMES)
            continue;
        if (more)
            skip_rest(socket);
        drop_frames(s);
        return true;
    }
    return true;
}

// The connection that a message at the listener came from; 0 if none is there. Ids are those that
// libzmq makes; who wants to be called otherwise is not heard.
static uint64_t receive_id(PychoralSockets *s, void *socket, int flags)
{
    int size = zmq_msg_recv(&s->id, socket, flags);
    if (size < 0)
        return 0;
    const uint8_t *at = zmq_msg_data(&s->id);
    if (size == ID_SIZE && at[0] == 0)
        return ((uint64_t)at[1] << 24 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 8 | at[4]) + 1;
    if (zmq_msg_more(&s->id))
        skip_rest(socket);
    return 0;
}

static bool receive_from(PychoralSockets *s, int index, int flags, PychoralIncoming *incoming)
{
    Plug *plug = &s->plugs[index];
    if (!plug->socket)
        return false;
    bool listens = index == s->plug_count - 1;
    uint64_t conn = listens ? receive_id(s, plug->socket, flags) : plug->conn;
    if (conn == 0 || !receive_frames(s, plug->socket, flags))
        return false;
    *incoming = (PychoralIncoming){listens ? PYCHORAL_LISTENER : index, conn, s->frames,
                                   s->message_count};
    return true;
}

// A socket is read until it is empty, then it is the next one's turn: the owner's credit bounds
// what one peer can have on its way.
bool pychoral_sockets_receive(PychoralSockets *s, PychoralIncoming *incoming)
{
    for (int i = 0; i < s->plug_count; i++) {
        if (receive_from(s, s->turn, ZMQ_DONTWAIT, incoming))
            return true;
        s->turn = (s->turn + 1) % s->plug_count;
    }
    return false;
}

bool pychoral_sockets_pull(PychoralSockets *s, int link, PychoralIncoming *incoming)
{
    return receive_from(s, link == PYCHORAL_LISTENER ? s->plug_count - 1 : link, 0, incoming);
}

const char *pychoral_sockets_user(PychoralSockets *s)
{
    return s->message_count ? zmq_msg_gets(&s->messages[0], "User-Id") : NULL;
}

int pychoral_sockets_file(PychoralSockets *s)
{
    return s->message_count ? zmq_msg_get(&s->messages[0], ZMQ_SRCFD) : -1;
}

PychoralUnauthenticated *pychoral_sockets_strangers(PychoralSockets *s)
{
    return &s->strangers;
}

// --- monitors ---

static const struct {
    int number;
    PychoralMonitorKind kind;
} EVENTS[] = {
    {ZMQ_EVENT_ACCEPTED, PYCHORAL_MONITOR_ACCEPTED},
    {ZMQ_EVENT_CLOSED, PYCHORAL_MONITOR_NOBODY},
    {ZMQ_EVENT_DISCONNECTED, PYCHORAL_MONITOR_LOST},
    {ZMQ_EVENT_HANDSHAKE_FAILED_AUTH, PYCHORAL_MONITOR_NO_KEY},
    {ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL, PYCHORAL_MONITOR_NO_HANDSHAKE},
    {ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, PYCHORAL_MONITOR_NO_HANDSHAKE},
};

// An event is two frames: its number (2 bytes) and value (4 bytes, of this machine), an address.
static bool read_event(void *monitor, uint16_t *number, uint32_t *value)
{
    zmq_msg_t message;
    bool came = false;
    for (bool more = true; more;) {
        zmq_msg_init(&message);
        more = zmq_msg_recv(&message, monitor, ZMQ_DONTWAIT) >= 0;
        if (more && !came && zmq_msg_size(&message) == sizeof *number + sizeof *value) {
            const char *at = zmq_msg_data(&message);
            memcpy(number, at, sizeof *number);
            memcpy(value, at + sizeof *number, sizeof *value);
            came = true;
        }
        more = more && zmq_msg_more(&message);
        zmq_msg_close(&message);
    }
    return came;
}

bool pychoral_sockets_event(PychoralSockets *s, PychoralMonitorEvent *event)
{
    for (int i = 0; i < s->plug_count; i++) {
        uint16_t number = 0;
        uint32_t value = 0;
        bool listens = i == s->plug_count - 1;
        if (!s->plugs[i].monitor || !read_event(s->plugs[i].monitor, &number, &value))
            continue;
        *event = (PychoralMonitorEvent){.link = listens ? PYCHORAL_LISTENER : i,
                                        .conn = s->plugs[i].conn, .file = (int)value};
        for (size_t k = 0; k < sizeof EVENTS / sizeof *EVENTS; k++)
            if (EVENTS[k].number == number)
                event->kind = EVENTS[k].kind;
        event->is_mismatch = number == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL &&
                             value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH;
        event->is_unanswered = number == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL && value == EAGAIN;
        // Of what has begun another event tells before; this could not even begin.
        if (number == ZMQ_EVENT_CONNECT_RETRIED)
            event->kind = s->plugs[i].has_told ? PYCHORAL_MONITOR_ALL_THERE
                                               : PYCHORAL_MONITOR_NO_NAME;
        s->plugs[i].has_told = true;
        return true;
    }
    return false;
}

void pychoral_sockets_wait(PychoralSockets *s, long milliseconds)
{
    zmq_poll(s->items, s->item_count, milliseconds);    // EINTR: the caller looks again
}
