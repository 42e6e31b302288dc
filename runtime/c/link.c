// link.c - one role's end of the link to a peer: what its machine asks for and tells (as link.py).
//
// PROTOCOL.md sections 3 and 6. A machine must not be called while it is at work, so what it asks
// for is noted and done in pychoral_link_settle.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "durable.h"
#include "reachability.h"
#include "rendezvous.h"
#include "room.h"

enum {
    DOUBT_MS = 20,                      // what a connection brought may show so long after its end
    LEFT_MS = 20,                       // for an acknowledgement that the other can do without
    HEARSAY_MS = 1000,                  // for a peer that another speaks of to say so itself
    FRUITLESS = 10,                     // connections in a row that bring no message
};

// --- what machines tell ---

static void copy_text(PychoralText from, char *to, size_t size)
{
    size_t length = from.size < size ? from.size : size - 1;
    if (length)
        memcpy(to, from.data, length);
    to[length] = 0;
    if (length < from.size)
        pychoral_string_cut(to, size);
    pychoral_string_clean(to, size);
}

static bool is_text(PychoralText text, const char *string)
{
    return text.size == strlen(string) && memcmp(text.data, string, text.size) == 0;
}

static void on_send(void *context, uint64_t conn, const PychoralFrame *frames, size_t count)
{
    PychoralLink *link = context;
    int to = link->dials ? link->index : PYCHORAL_LISTENER;
    if (pychoral_sockets_send(link->role->sockets, to, conn, frames, count))
        return;
    if (conn == link->conn && !link->lost_at)
        link->lost_at = pychoral_now() + DOUBT_MS;
}

static void on_dial(void *context)
{
    ((PychoralLink *)context)->wants_dial = true;
}

static void on_drop(void *context, uint64_t conn)
{
    PychoralLink *link = context;
    if (conn != link->conn)
        return;
    link->conn = 0;                     // what still comes from it is nobody's
    link->lost_at = 0;
}

static int status_of(uint64_t code)
{
    switch (code) {
    case PYCHORAL_BAD_VERSION: case PYCHORAL_BAD_PROTOCOL: case PYCHORAL_BAD_ROLE:
    case PYCHORAL_LIMITS: case PYCHORAL_DISAGREED:
        return PYCHORAL_EXIT_PROTOCOL;
    case PYCHORAL_BAD_RUN: case PYCHORAL_OLDER: case PYCHORAL_BUSY:
        return PYCHORAL_EXIT_REFUSED;
    default:
        return PYCHORAL_EXIT_PEER_LOST;
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// A sentence on a peer that is in another run.
static void other_run(const PychoralLink *link, const char *run, char *text, size_t size)
{
    const char *own = link->role->run;
    snprintf(text, size, "%.80s is in the run %.120s, but %.80s is in the run %.120s (--run)",
             link->peer, *run ? run : "without a name", link->role->name,
             *own ? own : "without a name");
}

// "ME is in the run MINE, not THEIRS", as the peer says, or "PEER is in the run THEIRS, not MINE":
// people want to know which run the peer is in, and a run may have no name.
static void turn_round(const PychoralLink *link, char *text, size_t size)
{
    char own[2 * PYCHORAL_TEXT_MAX], mine[PYCHORAL_TEXT_MAX + 1], theirs[PYCHORAL_TEXT_MAX + 1];
    snprintf(mine, sizeof mine, "%s", link->role->run);
    pychoral_string_clean(mine, sizeof mine);
    int length = snprintf(own, sizeof own, "%s is in the run %s, not ", link->role->name, mine);
    if (strncmp(text, own, (size_t)length) != 0) {
        length = snprintf(own, sizeof own, "%s is in the run ", link->peer);
        if (strncmp(text, own, (size_t)length) != 0)
            return;
        snprintf(own, sizeof own, ", not %s", mine);
        if (!ends_with(text + length, own))
            return;
        text[strlen(text) - strlen(own)] = 0;
    }
    snprintf(theirs, sizeof theirs, "%s", text + length);
    other_run(link, theirs, text, size);
}

// Whether the peer goes on, and has heard that this role has stopped.
static bool is_of_us(const PychoralLink *link, const char *text)
{
    size_t length = strlen(link->role->name);
    return strncmp(text, link->role->name, length) == 0 &&
           strncmp(text + length, " cannot continue: ", strlen(" cannot continue: ")) == 0;
}

// What can be done about it.
static const char *advice_on(uint64_t code, const char *text)
{
    if (code == PYCHORAL_BAD_VERSION)
        return "; build both with the same pychoralc";
    if (code == PYCHORAL_BAD_PROTOCOL && ends_with(text, "another program"))
        return "; rebuild both from the same source";
    if (code == PYCHORAL_LIMITS)
        return "; give both the same manifest";
    if (code == PYCHORAL_STATE_LOST && strstr(text, " has lost its state: ") != NULL)
        return "; begin the run anew (only a role with --journal can be restarted)";
    return "";
}

static void note_refusal(PychoralLink *link, const PychoralEvent *event)
{
    char text[PYCHORAL_TEXT_MAX + 1];
    copy_text(event->text, text, sizeof text);
    if (event->number == PYCHORAL_BAD_RUN)
        turn_round(link, text, sizeof text);
    link->disagrees = link->disagrees || event->number == PYCHORAL_DISAGREED;
    bool is_own = event->number == PYCHORAL_STOPPED && is_of_us(link, text);
    link->role->is_past = link->role->is_past || is_own;
    if (event->number == PYCHORAL_STOPPED && !is_own)
        pychoral_fault_set(&link->failure, PYCHORAL_EXIT_PEER_LOST, "%s stopped: %s", link->peer,
                           text);
    else
        pychoral_fault_set(&link->failure, status_of(event->number), "%s%s", text,
                           advice_on(event->number, text));
}

static void note_failure(PychoralLink *link, const PychoralEvent *event)
{
    bool gave_up = event->kind == PYCHORAL_EVENT_ABSENT || event->kind == PYCHORAL_EVENT_GONE;
    if (link->failure.status)
        return;
    if (gave_up && link->is_refused)
        pychoral_fault_set(&link->failure, PYCHORAL_EXIT_REFUSED, "%s", link->refusal);
    else if (event->kind == PYCHORAL_EVENT_ABSENT)
        pychoral_link_never_came(link, link->config.connect / 1000.0, &link->failure);
    else if (event->kind == PYCHORAL_EVENT_GONE)
        pychoral_fault_set(&link->failure, PYCHORAL_EXIT_PEER_LOST,
                           "%s has been unreachable for %g s (--lost-after)", link->peer,
                           link->config.lost / 1000.0);
    else
        note_refusal(link, event);
}

static void note_pong(PychoralLink *link, const PychoralEvent *event)
{
    link->pong = (PychoralPong){.when = pychoral_now(), .steps = event->number,
                                .state = event->state, .site = event->site};
    copy_text(event->role, link->pong.role, sizeof link->pong.role);
}

// A connection has ended. One that brought no message counts, unless it lasted.
static void note_down(PychoralLink *link)
{
    uint64_t now = pychoral_now(), expected = pychoral_machine_state(link->machine).expected;
    bool is_fruitless = expected == link->expected_then &&
                        pychoral_elapsed(now, link->up_at) < link->config.lost;
    link->fruitless = is_fruitless ? link->fruitless + 1 : 0;
    link->is_up = false;
    link->cut_at = now;
}

static void note_up(PychoralLink *link)
{
    PychoralRole *role = link->role;
    PychoralLinkState state = pychoral_machine_state(link->machine);
    if (link->is_up)                    // the peer has noticed the end of that first
        note_down(link);
    link->is_up = true;
    link->up_at = pychoral_now();
    link->expected_then = state.expected;
    // Who takes no message cannot start, and says why next.
    link->came_up = link->came_up || state.peer_window > 0;
    link->is_refused = false;
    bool was_held = !link->dials && state.conn == link->held_conn;
    link->descriptor = was_held ? link->held
                                : pychoral_descriptor_of(pychoral_sockets_file(role->sockets));
    if (link->dials)
        return;
    link->conn = state.conn;
    link->lost_at = 0;
    link->held_conn = 0;
    if (was_held)
        pychoral_unauthenticated_forget(pychoral_sockets_strangers(role->sockets),
                                        link->descriptor.file);
}

// A peer has said ERROR, of itself or of another, which may be awaited by this role. Where there
// are journals that is started again.
static void note_error(PychoralLink *link, const PychoralEvent *event)
{
    PychoralRole *role = link->role;
    if (!link->came_up) {
        pychoral_link_note_cause(link, event->type, event->text, 0);
        return;
    }
    for (size_t i = 0; !role->durability && i < role->program->peer_count; i++)
        if (is_text(event->role, role->links[i].peer))
            pychoral_link_note_cause(&role->links[i], event->type, event->text, HEARSAY_MS);
}

static void log_event(PychoralLink *link, const PychoralEvent *event)
{
    static const char *const words[] = {
        "up", "down", "stored_wanted", "peer_end", "peer_error", "pong", "refused", "fault",
        "absent", "gone", "left"};
    char arguments[PYCHORAL_TEXT_MAX + 80] = "", text[PYCHORAL_TEXT_MAX + 1];
    bool says = event->kind == PYCHORAL_EVENT_REFUSED || event->kind == PYCHORAL_EVENT_FAULT;
    bool quiet = event->kind == PYCHORAL_EVENT_PONG || event->kind == PYCHORAL_EVENT_PEER_END ||
                 event->kind == PYCHORAL_EVENT_PEER_ERROR || event->kind == PYCHORAL_EVENT_LEFT;
    if (link->role->settings->log_level < PYCHORAL_LOG_INFO)
        return;
    copy_text(event->text, text, sizeof text);
    if (says)
        snprintf(arguments, sizeof arguments, "%" PRIu64 " %s", event->number, text);
    else if (event->kind == PYCHORAL_EVENT_UP)
        snprintf(arguments, sizeof arguments, "(incarnation %" PRIu64 ")", event->number);
    pychoral_report_event(link, quiet ? PYCHORAL_LOG_DEBUG : PYCHORAL_LOG_INFO,
                          words[event->kind], arguments);
}

static void on_event(void *context, const PychoralEvent *event)
{
    PychoralLink *link = context;
    switch (event->kind) {
    case PYCHORAL_EVENT_UP:
        note_up(link);
        break;
    case PYCHORAL_EVENT_DOWN:
        note_down(link);
        break;
    case PYCHORAL_EVENT_PONG:
        note_pong(link, event);
        break;
    case PYCHORAL_EVENT_LEFT:
        link->left = true;
        link->confirmed = event->number == 1;
        break;
    case PYCHORAL_EVENT_PEER_ERROR:
        note_error(link, event);
        link->peer_ended = true;
        break;
    case PYCHORAL_EVENT_PEER_END:
        link->peer_ended = true;
        break;
    case PYCHORAL_EVENT_STORED_WANTED:
        return;
    case PYCHORAL_EVENT_REFUSED:
        link->is_up = false;
        link->role->is_superseded |= event->number == PYCHORAL_OLDER ||
                                     event->number == PYCHORAL_BUSY;
        note_failure(link, event);
        break;
    case PYCHORAL_EVENT_FAULT:
    case PYCHORAL_EVENT_ABSENT:
    case PYCHORAL_EVENT_GONE:
        note_failure(link, event);
        break;
    }
    log_event(link, event);
}

// --- making and ending ---

bool pychoral_link_open(PychoralLink *link, PychoralFault *fault)
{
    PychoralOutput output = {link, on_send, on_dial, on_drop, on_event};
    link->machine = pychoral_machine_new(&link->config, &output);
    return link->machine || pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR,
                                               "memory is exhausted, or a name is too long");
}

void pychoral_link_close(PychoralLink *link)
{
    if (link->machine)
        pychoral_machine_free(link->machine);
    link->machine = NULL;
}

// --- trouble ---

// Keeps the last few things that went wrong, each said once.
void pychoral_link_trouble(PychoralLink *link, const char *text)
{
    char cut[sizeof link->trouble[0]];
    int from = 0;
    snprintf(cut, sizeof cut, "%s", text);
    pychoral_string_cut(cut, sizeof cut);
    while (from < link->troubles && strcmp(link->trouble[from], cut) != 0)
        from++;
    if (from == link->troubles && link->troubles < PYCHORAL_TROUBLES)
        link->troubles++;
    else if (from == link->troubles)
        from = 0;
    int last = link->troubles - 1;
    if (from < last)
        memmove(link->trouble[from], link->trouble[from + 1],
                (size_t)(last - from) * sizeof link->trouble[0]);
    memcpy(link->trouble[last], cut, sizeof cut);
}

void pychoral_link_never_came(const PychoralLink *link, double seconds, PychoralFault *fault)
{
    const char *trouble = link->troubles ? link->trouble[link->troubles - 1] : "";
    pychoral_fault_set(fault, PYCHORAL_EXIT_PEER_LOST,
                       "waited %g s for %s to start, but no connection to %s was made at %s%s%s%s; "
                       "check that the program of %s runs and has the same addresses "
                       "(`pychoralc run` starts all roles)",
                       seconds, link->peer, link->peer, link->address, *trouble ? " (" : "",
                       trouble, *trouble ? ")" : "", link->peer);
}

// Something else may stand in the peer's place for a while, so this ends nothing before the
// deadline; but who has set it up wrongly is told at once.
// The same of the peer's address, as `format` has it.
static void trouble_there(PychoralLink *link, const char *format)
{
    char text[sizeof link->trouble[0]];
    if (snprintf(text, sizeof text, format, link->address) >= (int)sizeof text)
        pychoral_string_cut(text, sizeof text);
    pychoral_link_trouble(link, text);
}

static void note_keys(PychoralLink *link, const char *format, const char *one, const char *two)
{
    char text[sizeof link->refusal];
    snprintf(text, sizeof text, format, one, two);
    pychoral_string_cut(text, sizeof text);
    link->is_refused = true;
    if (strcmp(text, link->refusal) == 0)
        return;
    memcpy(link->refusal, text, sizeof text);
    pychoral_report_refusal(link);
}

// --- connections ---

static void dial(PychoralLink *link, uint64_t now)
{
    PychoralFault fault = {0};
    link->wants_dial = false;
    link->lost_at = 0;
    uint8_t room[PYCHORAL_KEY_SIZE];
    const uint8_t *key = pychoral_rendezvous_key(link, room);
    link->dials_with_key = key != NULL;
    link->conn = pychoral_sockets_dial(link->role->sockets, link->index, link->address, key,
                                       &fault);
    if (fault.status) {
        pychoral_link_trouble(link, fault.text);
        link->lost_at = now;
    }
    pychoral_machine_connected(link->machine, now, link->conn);
}

static void lose(PychoralLink *link, uint64_t now)
{
    uint64_t conn = link->conn;
    link->lost_at = 0;
    if (!link->dials)
        link->conn = 0;
    pychoral_machine_lost(link->machine, now, conn);
}

void pychoral_link_settle(PychoralLink *link)
{
    while (link->wants_dial || link->lost_at) {
        uint64_t now = pychoral_now();
        if (link->wants_dial)
            dial(link, now);
        else if (link->lost_at <= now)
            lose(link, now);
        else
            return;                     // what is still on its way through libzmq comes first
    }
}

// libzmq ends a connection when it has no memory for what comes, and says nothing of it; the peer
// sends the same again over the next one. So many in a row are taken for that where addresses are
// limited.
void pychoral_link_check_memory(PychoralLink *link)
{
    char place[400] = "";
    PychoralRole *role = link->role;
    if (link->fruitless < FRUITLESS || role->is_over || !pychoral_room_is_limited())
        return;
    if (role->waiting.link)
        pychoral_role_place(role, role->waiting.site, place, sizeof place);
    pychoral_role_fail(role, PYCHORAL_EXIT_OWN_ERROR,
                       "memory is exhausted, it seems: %d connections in a row ended before a "
                       "message from %s was received (ulimit -v)%s", FRUITLESS, link->peer, place);
}

// --- what comes ---

// Tells who will never be served here, and notes it.
static void refuse_stranger(PychoralRole *role, const PychoralIncoming *incoming, const char *text)
{
    uint8_t bytes[PYCHORAL_HEADER_SIZE + 2 + 2 + PYCHORAL_TEXT_MAX];
    PychoralHeader header = {.kind = PYCHORAL_REFUSE, .length = PYCHORAL_HEADER_SIZE};
    size_t size = pychoral_frame_write_header(bytes, &header);
    size += pychoral_frame_write_refusal(bytes + size, PYCHORAL_BAD_ROLE, pychoral_text(text));
    PychoralFrame frame = {bytes, size, NULL};
    pychoral_sockets_send(role->sockets, PYCHORAL_LISTENER, incoming->conn, &frame, 1);
    for (size_t i = 0; i < role->program->peer_count; i++)
        if (!role->links[i].came_up && !role->links[i].dials)
            pychoral_link_trouble(&role->links[i], text);
}

// A role that has no link which waits for it, or that looked for another role at this address.
static void tell_unexpected(char *text, size_t size, const char *me, const char *peer,
                            const char *wanted)
{
    if (strcmp(wanted, me) == 0)
        snprintf(text, size, "%s connected to %.130s, but the program of %.130s does not expect "
                 "this connection", peer, me, me);
    else
        snprintf(text, size, "%s tried to connect to %s, but %.150s listens at this address", peer,
                 wanted, me);
}

// The link of an unknown connection's HELLO; NULL if there is none, and for anything else.
static PychoralLink *greeted_link(PychoralRole *role, const PychoralIncoming *incoming)
{
    PychoralText own, peer;
    char name[150], wanted[150], text[PYCHORAL_TEXT_MAX];
    if (incoming->count != 1 ||
        !pychoral_frame_peek_hello(&incoming->frames[0], &own, &peer))
        return NULL;
    const char *user = pychoral_sockets_user(role->sockets);
    copy_text(own, name, sizeof name);
    if (role->has_keys && (!user || !is_text(own, user))) {
        snprintf(text, sizeof text, "the key of %.100s is not that of %s",
                 user ? user : "no role", name);
    } else if (is_text(own, role->name)) {
        snprintf(text, sizeof text, "%.200s has connected to itself", role->name);
    } else {
        for (size_t i = 0; i < role->program->peer_count; i++)
            if (is_text(own, role->links[i].peer) && !role->links[i].dials)
                return &role->links[i];
        copy_text(peer, wanted, sizeof wanted);
        tell_unexpected(text, sizeof text, role->name, name, wanted);
    }
    refuse_stranger(role, incoming, text);
    return NULL;
}

static PychoralLink *link_of(PychoralRole *role, const PychoralIncoming *incoming)
{
    if (incoming->link != PYCHORAL_LISTENER)
        return &role->links[incoming->link];
    for (size_t i = 0; i < role->program->peer_count; i++)
        if (role->links[i].conn == incoming->conn && !role->links[i].dials)
            return &role->links[i];
    return greeted_link(role, incoming);
}

// A peer in another run is refused by the machine, which says so to the peer only.
static void note_run(PychoralLink *link, const PychoralIncoming *incoming)
{
    PychoralParsed hello;
    char run[PYCHORAL_TEXT_MAX], text[PYCHORAL_TEXT_MAX];
    if (link->dials || !pychoral_frame_parse(incoming->frames, incoming->count, &hello) ||
        hello.header.kind != PYCHORAL_HELLO || is_text(hello.as.greeting.run, link->role->run))
        return;
    copy_text(hello.as.greeting.run, run, sizeof run);
    other_run(link, run, text, sizeof text);
    pychoral_link_trouble(link, text);
}

static void take_durably(PychoralLink *link, const PychoralIncoming *incoming, uint64_t now)
{
    uint64_t expected = pychoral_machine_state(link->machine).expected;
    pychoral_machine_frame(link->machine, now, incoming->conn, incoming->frames, incoming->count);
    if (pychoral_machine_state(link->machine).expected > expected)
        pychoral_durable_taken(link, incoming->frames, incoming->count);
}

void pychoral_link_arrived(PychoralRole *role, const PychoralIncoming *incoming, uint64_t now)
{
    PychoralLink *link = link_of(role, incoming);
    if (!link)
        return;
    link->feeding = incoming->conn;
    bool is_new = incoming->conn != link->conn;
    if (is_new) {
        // It may have the descriptor of one whose end has been told and not been looked at.
        role->arriving = true;          // the frames are those of the last message received
        pychoral_role_notice(role, now);
        role->arriving = false;
        note_run(link, incoming);
    }
    if (role->durability)
        take_durably(link, incoming, now);
    else
        pychoral_machine_frame(link->machine, now, incoming->conn, incoming->frames,
                               incoming->count);
    if (is_new && pychoral_machine_state(link->machine).held_conn == incoming->conn) {
        link->held_conn = incoming->conn;
        link->held = pychoral_descriptor_of(pychoral_sockets_file(role->sockets));
    }
    if (is_new && incoming->conn == link->conn)         // else it was refused, or is held
        pychoral_unauthenticated_forget(pychoral_sockets_strangers(role->sockets),
                                        link->descriptor.file);
    if (link->wants_dial || link->lost_at)
        pychoral_link_settle(link);
}

// --- what monitors tell ---

// Whether one of the two ends has keys and the other has not.
static bool is_mismatch(const PychoralLink *link, const PychoralMonitorEvent *event)
{
    char mechanism[PYCHORAL_MECHANISM_SIZE];
    if (event->is_mismatch || event->is_unanswered || link->is_refused)
        return event->is_mismatch;
    return pychoral_probe_mechanism(link->address, mechanism) &&
           strcmp(mechanism, link->dials_with_key ? "CURVE" : "NULL") != 0;
}

// A listener whose key is another looks just like something in between that accepts while the
// listener is away: that is suspected and said.
static void handshake_failed(PychoralLink *link, const PychoralMonitorEvent *event)
{
    uint8_t room[PYCHORAL_KEY_SIZE];
    bool differs = is_mismatch(link, event) &&  // a key may have come after it was dialled
                   link->dials_with_key == (pychoral_rendezvous_key(link, room) != NULL);
    if (differs && link->dials_with_key)
        note_keys(link, "%s listens at %s without keys: start it with --manifest and --key",
                  link->peer, link->address);
    else if (differs)
        note_keys(link, "%s listens at %s with keys: give --manifest and --key", link->peer,
                  link->address);
    const char *what =
        event->is_unanswered            // as by who is stopped: this says nothing of keys
            ? "something is listening at %s, but it does not answer"
        : link->dials_with_key
            ? "a handshake failed: it may have another key than in the manifest, or none"
            : "a handshake failed: it may require keys";
    trouble_there(link, what);
}

static void noticed_at_dialler(PychoralLink *link, const PychoralMonitorEvent *event, uint64_t now)
{
    if (event->conn != link->conn)
        return;
    switch (event->kind) {
    case PYCHORAL_MONITOR_OTHER:
    case PYCHORAL_MONITOR_ACCEPTED:
        return;
    case PYCHORAL_MONITOR_NO_NAME:
        if (strncmp(link->address, "tcp://", 6) == 0)
            trouble_there(link, "the name in %s does not resolve");
        return;                         // the machine dials again by itself
    case PYCHORAL_MONITOR_NOBODY:
        trouble_there(link, "nothing is listening at %s");
        break;
    case PYCHORAL_MONITOR_LOST:
        if (!link->lost_at)
            link->lost_at = now + DOUBT_MS;
        return;
    case PYCHORAL_MONITOR_ALL_THERE:
        if (!link->lost_at || link->role->arriving)     // then the doubt ends by itself
            return;
        pychoral_role_serve(link->role);
        if (!link->lost_at || event->conn != link->conn)
            return;
        break;
    case PYCHORAL_MONITOR_NO_KEY:
        note_keys(link, "%s refuses the key of %s: it is not the one in its manifest", link->peer,
                  link->role->name);
        break;
    case PYCHORAL_MONITOR_NO_HANDSHAKE:
        handshake_failed(link, event);
        break;
    }
    link->lost_at = now;
}

static void noticed_at_listener(PychoralRole *role, const PychoralMonitorEvent *event,
                                uint64_t now)
{
    bool bad = event->kind == PYCHORAL_MONITOR_NO_KEY ||
               event->kind == PYCHORAL_MONITOR_NO_HANDSHAKE;
    PychoralUnauthenticated *strangers = pychoral_sockets_strangers(role->sockets);
    if (event->kind == PYCHORAL_MONITOR_ACCEPTED)
        pychoral_unauthenticated_add(strangers, event->file, now);
    else if (event->kind == PYCHORAL_MONITOR_LOST)
        pychoral_unauthenticated_forget(strangers, event->file);
    for (size_t i = 0; i < role->program->peer_count; i++) {
        PychoralLink *link = &role->links[i];
        if (link->dials)
            continue;
        if (event->kind == PYCHORAL_MONITOR_LOST && link->conn && !link->lost_at &&
            link->descriptor.file == event->file)
            link->lost_at = now + DOUBT_MS;
        if (event->kind == PYCHORAL_MONITOR_LOST && link->held_conn &&
            link->held.file == event->file) {
            pychoral_machine_lost(link->machine, now, link->held_conn);
            link->held_conn = 0;
        }
        if (bad && !link->came_up)
            pychoral_link_trouble(link, event->kind == PYCHORAL_MONITOR_NO_KEY
                                            ? "a connection with an unknown key was rejected"
                                            : "a connection was rejected: a wrong key, keys at "
                                              "one end only, or not a pychoral program");
    }
}

void pychoral_link_noticed(PychoralRole *role, const PychoralMonitorEvent *event, uint64_t now)
{
    if (event->link == PYCHORAL_LISTENER) {
        noticed_at_listener(role, event, now);
        return;
    }
    PychoralLink *link = &role->links[event->link];
    noticed_at_dialler(link, event, now);
    pychoral_link_settle(link);
}

// The peer has ended, has acknowledged all that was sent, and is certain to be gone: there is
// nobody to answer then, so there is nothing to wait for (rule 11).
static bool peer_has_left(const PychoralLink *link)
{
    PychoralLinkState state = pychoral_machine_state(link->machine);
    return !link->is_up && link->peer_ended && state.next_seq - state.acked <= 2 &&
           !pychoral_rendezvous_is_alive(link);
}

// At the end. A dialler's socket keeps what it has for a peer that is not there for as long as it
// may. What was acknowledged, or came after the other's end, is worth a moment; what the other may
// still want, as why this role refuses it, all the time there is.
int pychoral_link_linger(const PychoralLink *link, int most)
{
    bool has_a_word = link->is_up || link->failure.status == PYCHORAL_EXIT_PROTOCOL;
    return link->left ? LEFT_MS : has_a_word ? most : 0;
}

bool pychoral_link_has_left(PychoralLink *link)
{
    if (!link->left && peer_has_left(link))
        link->left = link->confirmed = true;
    return link->left || link->failure.status != 0 || pychoral_link_cannot_start(link);
}

// --- a peer that cannot start ---

void pychoral_link_note_cause(PychoralLink *link, PychoralText type, PychoralText text,
                              uint64_t after)
{
    PychoralCause *cause = &link->cause;
    uint64_t at = pychoral_now() + after;
    if (cause->is_known && cause->at <= at)
        return;
    *cause = (PychoralCause){.is_known = true, .at = at};
    copy_text(type, cause->type, sizeof cause->type);
    copy_text(text, cause->text, sizeof cause->text);
}

bool pychoral_link_cannot_start(const PychoralLink *link)
{
    return !link->came_up && link->cause.is_known && pychoral_now() >= link->cause.at;
}

bool pychoral_link_never_started(PychoralLink *link, const char *phrase, const char *place)
{
    PychoralRole *role = link->role;
    const PychoralCause *cause = &link->cause;
    snprintf(role->origin_role, sizeof role->origin_role, "%.500s", link->peer);
    snprintf(role->origin_type, sizeof role->origin_type, "%s", cause->type);
    snprintf(role->origin_text, sizeof role->origin_text, "%s", cause->text);
    return pychoral_role_fail(role, PYCHORAL_EXIT_PEER_LOST, "waited %s%s, but %s stopped: %s%s%s",
                              phrase, place, link->peer, cause->type, cause->type[0] ? ": " : "",
                              cause->text);
}
