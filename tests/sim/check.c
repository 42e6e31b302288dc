// check.c - what must never be, whatever happens; the rules are those of PROTOCOL.md section 2.

#include <stdarg.h>
#include <string.h>

#include "sim.h"

void broken(World *world, const char *format, ...)
{
    char what[200];
    if (world->broken[0] != '\0')
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(world->broken, sizeof world->broken, "at %llu: %s", (unsigned long long)world->now,
             what);
    if (world->record != NULL)
        fprintf(world->record, "# BROKEN %s\n", world->broken);
}

// ---- events ----

static void check_end(World *world, Process *process, const PychoralEvent *event)
{
    if (process->left || process->failed)
        broken(world, "%s: ends twice", process->name);
    process->end_event = event->kind;
    process->end_code = event->number;
    process->left_at = world->now;
    if (event->kind == PYCHORAL_EVENT_LEFT) {
        process->left = true;
        process->confirmed = event->number == 1;
        if (!process->done)
            broken(world, "%s: left before its program ended", process->name);
        return;
    }
    process->failed = true;
    snprintf(process->end_text, sizeof process->end_text, "%.*s", (int)event->text.size,
             event->text.data);
}

void check_event(World *world, Process *process, const PychoralEvent *event)
{
    const Role *peer = &world->roles[1 - process->role];
    switch (event->kind) {
    case PYCHORAL_EVENT_UP:
        if (event->number > peer->incarnations)
            broken(world, "%s: up with an incarnation that never was", process->name);
        process->was_up = true;
        break;
    case PYCHORAL_EVENT_PEER_END:
        if (world->fails_at[1 - process->role] < world->messages && peer->process->failing)
            broken(world, "%s: END of a role that failed", process->name);
        break;
    case PYCHORAL_EVENT_REFUSED:
    case PYCHORAL_EVENT_FAULT:
    case PYCHORAL_EVENT_ABSENT:
    case PYCHORAL_EVENT_GONE:
    case PYCHORAL_EVENT_LEFT: check_end(world, process, event); break;
    case PYCHORAL_EVENT_DOWN:
        if (process->reads_kind != 0 && process->reads_kind != PYCHORAL_REFUSE &&
            world->corrupted == 0)
            broken(world, "%s: a frame of kind %u is taken for a break", process->name,
                   process->reads_kind);
        if (process->ticks && world->temper == GENTLE && !world->may_kill_memory)
            broken(world, "%s: silence on a connection that is well", process->name);
        break;
    case PYCHORAL_EVENT_STORED_WANTED:
    case PYCHORAL_EVENT_PEER_ERROR:
    case PYCHORAL_EVENT_PONG: break;
    }
}

// ---- what comes ----

// A numbered message that was taken is of the process that is known (rule 2: fencing).
void check_frame(World *world, Process *process, const Flight *flight, uint64_t expected_before)
{
    PychoralParsed parsed;
    PychoralLinkState state = pychoral_machine_state(process->machine);
    const Conn *conn = conn_of(world, state.conn);
    if (state.expected == expected_before ||
        !pychoral_frame_parse(flight->frames, flight->count, &parsed))
        return;
    if (state.peer_ended && conn != NULL && !world->roles[process->role].config.durable &&
        conn->said[process->role].ack != parsed.header.seq)
        broken(world, "%s: END is not acknowledged at once", process->name);
    if (parsed.header.kind != PYCHORAL_DATA && parsed.header.kind != PYCHORAL_SELECT)
        return;
    process->last_data = parsed.header.seq;
    const uint8_t *body = flight->count > 1 ? flight->frames[1].data : parsed.body;
    size_t size = flight->count > 1 ? flight->frames[1].size : parsed.size;
    if (size > 0 && body[0] != (uint8_t)state.peer_incarnation)
        broken(world, "%s: took a message of incarnation %u, not %u", process->name, body[0],
               (unsigned)state.peer_incarnation);
}

// Nothing lost, doubled, reordered or changed (rules 3 and 4).
void check_message(World *world, Process *process, const PychoralMessage *message)
{
    static uint8_t wanted[PAYLOAD_MAX];
    bool restored = message->seq <= process->restored;
    Payload payload = payload_of(world, process->at);
    if (message->seq != process->received + 1 || message->kind != payload.kind ||
        message->site != payload.site || message->label != payload.label ||
        message->count != payload.parts) {
        broken(world, "%s: message %u came where %u was due", process->name, message->site,
               payload.site);
        return;
    }
    for (unsigned i = 0; i < payload.parts; i++) {
        const uint8_t *bytes = message->frames[i].data;
        size_t size = payload.sizes[i];
        bool first = i == 0 && size > 0;
        uint64_t life = first ? bytes[0] : 0;
        if (message->frames[i].size != size ||
            (first && !restored && life < process->last_life)) {
            broken(world, "%s: message %u is not what was sent", process->name, payload.site);
            return;
        }
        if (first && !restored)
            process->last_life = life;
        payload_fill(world, process->at, i, life, wanted, size);
        if (size > 0 && memcmp(bytes, wanted, size) != 0)
            broken(world, "%s: message %u is changed", process->name, payload.site);
    }
}

// ---- what goes (rules 1, 3, 4, 6 and 7) ----

// What has gone once may go again, also to a HELLO that was read late and tells an earlier limit.
static void check_numbered(World *world, Process *process, const PychoralHeader *header,
                           Said *said, const Said *other)
{
    bool is_last = header->kind == PYCHORAL_END || header->kind == PYCHORAL_ERROR;
    unsigned long long seq = header->seq;
    if (header->seq < other->expected)
        broken(world, "%s: message %llu goes to one who has it", process->name, seq);
    if (said->last != 0 && header->seq != said->last + 1 && !is_last)
        broken(world, "%s: message %llu goes out of order", process->name, seq);
    if (header->seq > other->limit && header->seq > process->allowed && !is_last)
        broken(world, "%s: message %llu goes beyond the limit", process->name, seq);
    said->last = header->seq;
    if (header->seq > process->allowed)
        process->allowed = header->seq;
}

void check_sent(World *world, Process *process, Conn *conn, const PychoralFrame *frames,
                size_t count)
{
    PychoralParsed parsed;
    Said *said = &conn->said[process->role], *other = &conn->said[1 - process->role];
    if (!pychoral_frame_parse(frames, count, &parsed)) {
        broken(world, "%s: sends what is not well-formed", process->name);
        return;
    }
    const PychoralHeader *header = &parsed.header;
    if (header->kind == PYCHORAL_REFUSE)
        return;
    bool is_greeting = header->kind == PYCHORAL_HELLO || header->kind == PYCHORAL_WELCOME;
    if (is_greeting != !said->greeted && !(is_greeting && process->role == LISTENER))
        broken(world, "%s: greets in the wrong place", process->name);
    if (is_greeting)
        *said = (Said){.greeted = true, .expected = parsed.as.greeting.expected};
    if (header->limit < said->limit)
        broken(world, "%s: its limit falls", process->name);
    said->limit = header->limit;
    said->ack = header->ack;
    if (world->roles[process->role].config.durable && header->ack > process->stored_told)
        broken(world, "%s: acknowledges what is not on disk", process->name);
    if (header->seq != 0)
        check_numbered(world, process, header, said, other);
}

// ---- bounds (rules 5 to 7) ----

typedef struct Amount {
    uint64_t messages, bytes, sized;  // sized: those with bytes
} Amount;

// What the messages of a role with numbers from .. to are in all.
static Amount amount(const World *world, int role, uint64_t from, uint64_t to)
{
    Amount all = {.messages = to >= from ? to - from + 1 : 0};
    const Role *its = &world->roles[role];
    for (uint64_t seq = from; seq <= to && seq <= its->of[0]; seq++) {
        Payload payload = payload_of(world, its->of[seq]);
        uint64_t bytes = 0;
        for (unsigned i = 0; i < payload.parts; i++)
            bytes += payload.sizes[i];
        all.bytes += bytes;
        all.sized += bytes > 0;
    }
    return all;
}

static void check_bound(World *world, const Process *process, const char *what, Amount amount)
{
    const PychoralConfig *config = &world->roles[process->role].config;
    if (amount.messages > (uint64_t)config->window_messages)
        broken(world, "%s: %llu messages %s", process->name, (unsigned long long)amount.messages,
               what);
    if (amount.bytes > config->window_bytes && amount.sized > 1)
        broken(world, "%s: %llu bytes %s", process->name, (unsigned long long)amount.bytes, what);
}

void check_state(World *world, Process *process)
{
    PychoralLinkState state = pychoral_machine_state(process->machine);
    uint64_t read = state.read > process->restored ? state.read : process->restored;
    uint64_t given = state.next_seq - 1 - state.ended;  // END and ERROR do not count
    check_bound(world, process, "unread", amount(world, 1 - process->role, read + 1,
                                                 process->last_data));
    if (state.peer_ended && state.kept > state.ended)
        broken(world, "%s: keeps what nobody will read", process->name);
    check_bound(world, process, "kept", amount(world, process->role, state.next_seq - state.kept,
                                               given));
    if (state.safe >= state.expected || state.read >= state.expected)
        broken(world, "%s: more safe or read than taken", process->name);
    if (world->roles[process->role].config.durable && state.safe > process->stored_told)
        broken(world, "%s: safe before it was stored", process->name);
}

// ---- in the end ----

static bool both_there(const World *world)
{
    for (int role = 0; role < 2; role++) {
        const Process *process = world->roles[role].process;
        if (process->left || process->failed)
            return false;
    }
    return true;
}

static bool are_connected(World *world)
{
    const Process *listener = world->roles[LISTENER].process;
    const Process *dialler = world->roles[DIALLER].process;
    if (!listener->exists || !dialler->exists)
        return false;
    PychoralLinkState one = pychoral_machine_state(listener->machine);
    PychoralLinkState other = pychoral_machine_state(dialler->machine);
    const Conn *conn = conn_of(world, one.conn);
    return one.phase == PYCHORAL_UP && other.phase == PYCHORAL_UP && one.conn == other.conn &&
           conn != NULL && !conn->cut;
}

void track_outage(World *world)
{
    if (!both_there(world) || are_connected(world)) {
        world->in_outage = false;
        world->faults_in_outage = 0;
        return;
    }
    if (!world->in_outage)
        world->outage_since = world->now;
    world->in_outage = true;
    if (world->now - world->outage_since > world->longest_outage)
        world->longest_outage = world->now - world->outage_since;
}

bool has_failed(const World *world, int role)
{
    for (const Process *process = world->processes; process != NULL; process = process->next)
        if (process->role == role && process->failing)
            return true;
    return false;
}

// Whether a failure of this kind can be the network's or a death's doing.
static bool is_excused(const World *world, const Process *process)
{
    const Role *peer = &world->roles[1 - process->role], *own = &world->roles[process->role];
    const Process *other = peer->process;
    bool died = peer->memory_died || own->memory_died;
    bool other_is_over = other->failed || (other->left && !other->confirmed);
    if (process->incarnation > 1 && (!process->was_up || world->temper == HARSH) && other->left &&
        process->end_event != PYCHORAL_EVENT_FAULT)
        return true;  // a restarted role may find that nobody is there any more
    switch (process->end_event) {
    case PYCHORAL_EVENT_FAULT: return died && process->end_code == PYCHORAL_STATE_LOST;
    case PYCHORAL_EVENT_REFUSED:
        return (died && process->end_code == PYCHORAL_STATE_LOST) ||
               (process->end_code == PYCHORAL_STOPPED &&
                (other_is_over || died || has_failed(world, process->role) ||
                 (world->temper == HARSH && process->done)));
    case PYCHORAL_EVENT_ABSENT:
    case PYCHORAL_EVENT_GONE:
        return died || other_is_over || (world->temper == HARSH && world->longest_outage >= 9500);
    case PYCHORAL_EVENT_LEFT:
        return process->confirmed || died || other_is_over ||
               (world->temper == HARSH && (other->left || world->longest_outage >= 150));
    case PYCHORAL_EVENT_UP:
    case PYCHORAL_EVENT_DOWN:
    case PYCHORAL_EVENT_STORED_WANTED:
    case PYCHORAL_EVENT_PEER_END:
    case PYCHORAL_EVENT_PEER_ERROR:
    case PYCHORAL_EVENT_PONG: break;
    }
    return false;
}

static void check_process(World *world, const Process *process)
{
    const Role *role = &world->roles[process->role];
    bool newest = role->process == process;
    if (!process->left && !process->failed) {
        if (process->exists)
            broken(world, "%s: waits for ever, at %u of %u", process->name, process->at,
                   world->messages);
        return;
    }
    if (!newest)  // was replaced while it stood still: what it says is its own affair
        return;
    if (!is_excused(world, process))
        broken(world, "%s: ends with event %d, %llu %s", process->name, (int)process->end_event,
               (unsigned long long)process->end_code, process->end_text);
    if (process->left && process->confirmed && role->state_was_seen &&
        process->sent + process->received > 0)
        broken(world, "%s: lost its state and nobody noticed", process->name);
}

void check_outcome(World *world)
{
    const Process *one = world->roles[0].process, *other = world->roles[1].process;
    for (const Process *process = world->processes; process != NULL; process = process->next)
        check_process(world, process);
    bool fail = one->failing || other->failing;
    if (one->left && one->confirmed && other->left && other->confirmed && !fail &&
        (one->at < world->messages || other->at < world->messages))
        broken(world, "both left, and something was never read");
}
