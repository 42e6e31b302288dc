// role.c - processes of a role: their machine, their program, their journal.
//
// The program is the projection of the choreography: it sends what is its to send and reads what is
// not, in order. A process that is killed loses everything but what its journal has forced to disk;
// one without a journal loses everything.

#include <string.h>

#include "sim.h"

// ---- what the machine asks for ----

static void on_send(void *context, uint64_t conn, const PychoralFrame *frames, size_t count)
{
    Process *process = context;
    World *world = process->world;
    if (world->record != NULL) {
        fprintf(world->record, "# %s send %llu ", process->name, (unsigned long long)conn);
        record_frames(world, frames, count);
        fputc('\n', world->record);
    }
    network_send(world, process, conn, frames, count);
}

static void close_current(Process *process)
{
    World *world = process->world;
    for (unsigned i = 0; i < world->conn_count; i++) {
        const Conn *conn = &world->conns[i];
        if (conn->ends[process->role] == process && !conn->closed[process->role])
            network_close(world, process, conn->id);
    }
}

static void on_dial(void *context)
{
    Process *process = context;
    if (process->world->record != NULL)
        fprintf(process->world->record, "# %s dial\n", process->name);
    if (process->role != DIALLER)
        broken(process->world, "a listener dials");
    close_current(process);
    process->wants_connection = true;
    process->wants_since = process->world->now;
}

static void on_drop(void *context, uint64_t conn)
{
    Process *process = context;
    if (process->world->record != NULL)
        fprintf(process->world->record, "# %s drop %llu\n", process->name,
                (unsigned long long)conn);
    network_close(process->world, process, conn);
}

static void on_event(void *context, const PychoralEvent *event)
{
    Process *process = context;
    World *world = process->world;
    record_event(world, process, event);
    if (event->kind == PYCHORAL_EVENT_STORED_WANTED)
        process->to_store = true;
    if (event->kind == PYCHORAL_EVENT_PEER_ERROR)
        process->peer_failing = true;
    check_event(world, process, event);
}

// ---- life ----

static uint64_t seq_of(const Flight *flight)
{
    PychoralParsed parsed;
    return pychoral_frame_parse(flight->frames, flight->count, &parsed) ? parsed.header.seq : 0;
}

// The number of the last message on disk; of the last DATA or SELECT, if END does not count.
static uint64_t last_forced(const Journal *journal, bool end_too)
{
    for (unsigned i = journal->forced; i > 0; i--) {
        uint8_t kind = ((const uint8_t *)journal->taken[i - 1]->frames[0].data)[4];
        if (end_too || kind == PYCHORAL_DATA || kind == PYCHORAL_SELECT)
            return seq_of(journal->taken[i - 1]);
    }
    return 0;
}

static void restore(World *world, Process *process)
{
    Journal *journal = &world->roles[process->role].journal;
    for (unsigned i = 0; i < journal->forced; i++) {
        Flight *flight = journal->taken[i];
        if (world->record != NULL) {
            fprintf(world->record, "%llu %s restore ", (unsigned long long)world->now,
                    process->name);
            record_frames(world, flight->frames, flight->count);
            fputc('\n', world->record);
        }
        pychoral_machine_restore(process->machine, flight->frames, flight->count);
    }
    journal->count = journal->forced;
    process->stored_told = process->restored = last_forced(journal, true);
    process->last_data = last_forced(journal, false);
}

Process *process_start(World *world, int role)
{
    Role *its = &world->roles[role];
    Role *other = &world->roles[1 - role];
    Process *process = arena_take(world->arena, sizeof *process);
    *process = (Process){.world = world, .role = role, .running = true, .exists = true,
                         .incarnation = ++its->incarnations, .next = world->processes};
    snprintf(process->name, sizeof process->name, "%s%u", its->config.me,
             (unsigned)process->incarnation);
    PychoralConfig config = its->config;
    config.incarnation = process->incarnation;
    config.seed = mix(world->seed, process->incarnation * 2 + (unsigned)role);
    PychoralOutput output = {process, on_send, on_dial, on_drop, on_event};
    record_machine(world, process, &config);
    process->machine = pychoral_machine_new(&config, &output);
    world->processes = its->process = process;
    if (config.durable)
        restore(world, process);
    record_line(world, process, "start");
    pychoral_machine_start(process->machine, world->now);
    PychoralLinkState state = pychoral_machine_state(process->machine);
    other->state_was_seen &= state.expected > 1 || state.acked > 0;  // now nobody knows of it
    return process;
}

static void cut_all(World *world, Process *process, Random *random, bool lingers)
{
    for (unsigned i = 0; i < world->conn_count; i++) {
        Conn *conn = &world->conns[i];
        if (conn->ends[process->role] == process) {
            network_cut(world, conn, random, lingers, process->role);
            conn->closed[process->role] = conn->told[process->role] = true;
        }
    }
}

void process_kill(World *world, Process *process, Random *random)
{
    Role *role = &world->roles[process->role];
    role->died_at = world->now;
    if (!role->config.durable) {
        const Process *other = world->roles[1 - process->role].process;
        PychoralLinkState its = pychoral_machine_state(other->machine);
        role->memory_died = true;
        role->state_was_seen |= its.expected > 1 || its.acked > 0;
    }
    Journal *journal = &role->journal;
    if (role->config.durable && role->process == process)  // what was written may be on disk
        journal->forced += random_below(random, journal->count - journal->forced + 1);
    process->exists = process->running = process->wants_connection = false;
    cut_all(world, process, random, false);
}

void process_exit(World *world, Process *process)
{
    process->exists = process->running = process->wants_connection = false;
    cut_all(world, process, &world->random, true);
}

void process_tick(World *world, Process *process)
{
    record_line(world, process, "tick");
    process->ticks = true;
    pychoral_machine_tick(process->machine, world->now);
    process->ticks = false;
    check_state(world, process);
}

// ---- frames, with owners as sockets give them ----

static size_t give_owners(const Flight *flight, PychoralFrame *out)
{
    for (size_t i = 0; i < flight->count; i++) {
        out[i] = flight->frames[i];
        if (out[i].size <= PYCHORAL_INLINE_MAX)
            continue;
        out[i].owner = pychoral_buffer_new(out[i].size);
        memcpy(out[i].owner->data, out[i].data, out[i].size);
        out[i].data = out[i].owner->data;
    }
    return flight->count;
}

void process_frame(World *world, Process *process, uint64_t conn, const Flight *flight)
{
    PychoralFrame frames[PARTS_MAX + 1];
    PychoralLinkState before = pychoral_machine_state(process->machine);
    Journal *journal = &world->roles[process->role].journal;
    size_t count = give_owners(flight, frames);
    if (world->record != NULL) {
        fprintf(world->record, "%llu %s frame %llu ", (unsigned long long)world->now,
                process->name, (unsigned long long)conn);
        record_frames(world, frames, count);
        fputc('\n', world->record);
    }
    process->to_store = false;
    process->reads_kind = frames[0].size > 4 ? ((const uint8_t *)frames[0].data)[4] : 0;
    pychoral_machine_frame(process->machine, world->now, conn, frames, count);
    process->reads_kind = 0;
    for (size_t i = 0; i < count; i++)
        pychoral_buffer_release(frames[i].owner);
    if (process->to_store && process == world->roles[process->role].process) {
        if (journal->count == JOURNAL_MAX)
            broken(world, "more messages than there are");
        else
            journal->taken[journal->count++] = (Flight *)flight;
    }
    check_frame(world, process, flight, before.expected);
    check_state(world, process);
}

// ---- the journal ----

void journal_force(World *world, Process *process)
{
    Journal *journal = &world->roles[process->role].journal;
    if (process->exists && process->running && process == world->roles[process->role].process)
        journal->forced = journal->count;
}

void journal_stored(World *world, Process *process)
{
    uint64_t forced = last_forced(&world->roles[process->role].journal, true);
    if (!process->exists || !process->running || forced <= process->stored_told ||
        process != world->roles[process->role].process)
        return;
    process->stored_told = forced;
    record_line(world, process, "stored %llu", (unsigned long long)forced);
    pychoral_machine_stored(process->machine, world->now, forced);
    check_state(world, process);
}

// ---- the program ----

// What was read is on disk before END or ERROR goes out (PROTOCOL.md section 3).
// False: another process has the journal now, so that this one must stop.
static bool force_before_end(World *world, Process *process)
{
    if (process != world->roles[process->role].process) {
        process_exit(world, process);
        return false;
    }
    journal_force(world, process);
    journal_stored(world, process);
    return true;
}

static void fail(World *world, Process *process)
{
    if (!force_before_end(world, process))
        return;
    process->done = process->failing = true;
    process->ended_at = world->now;
    record_line(world, process, "error 41 42 43");
    pychoral_machine_error(process->machine, world->now, pychoral_text("A"), pychoral_text("B"),
                           pychoral_text("C"));
}

static void end(World *world, Process *process)
{
    if (!force_before_end(world, process))
        return;
    process->done = true;
    process->ended_at = world->now;
    record_line(world, process, "end 0");
    pychoral_machine_end(process->machine, world->now, 0);
}

static size_t make_frames(World *world, Process *process, const Payload *payload,
                          PychoralFrame *out)
{
    for (unsigned i = 0; i < payload->parts; i++) {
        size_t size = payload->sizes[i];
        PychoralBuffer *owner = i > 0 ? pychoral_buffer_new(size) : NULL;
        uint8_t *bytes = owner != NULL ? owner->data : arena_take(world->arena, size + 8);
        payload_fill(world, process->at, i, process->incarnation, bytes, size);
        out[i] = (PychoralFrame){bytes, size, owner};
    }
    return payload->parts;
}

static void send(World *world, Process *process)
{
    PychoralFrame frames[PARTS_MAX];
    Payload payload = payload_of(world, process->at);
    size_t count = make_frames(world, process, &payload, frames);
    if (world->record != NULL) {
        fprintf(world->record, "%llu %s send %s %u %u ", (unsigned long long)world->now,
                process->name, payload.kind == PYCHORAL_DATA ? "DATA" : "SELECT", payload.site,
                payload.label);
        record_frames(world, frames, count);
        fputc('\n', world->record);
    }
    PychoralSent sent = pychoral_machine_send(process->machine, world->now, payload.kind,
                                              payload.site, payload.label, frames, count);
    for (size_t i = 0; i < count; i++)
        pychoral_buffer_release(frames[i].owner);
    if (sent == PYCHORAL_LARGE)
        broken(world, "%s: a message within the limit is refused", process->name);
    if (sent == PYCHORAL_GONE && !process->peer_failing && !process->failed &&
        process->incarnation == 1)
        broken(world, "%s: nobody wants message %u", process->name, process->at);
    if (sent == PYCHORAL_SENT || sent == PYCHORAL_GONE) {
        process->at++;
        process->sent++;
    }
}

static void receive(World *world, Process *process)
{
    PychoralMessage message;
    record_line(world, process, "take");
    if (!pychoral_machine_take(process->machine, world->now, &message))
        return;
    // Who has been told ERROR sends nothing more: its END comes early, for a later process.
    bool is_early = message.kind == PYCHORAL_END && has_failed(world, process->role);
    if (message.kind == PYCHORAL_ERROR || is_early) {
        fail(world, process);
    } else {
        check_message(world, process, &message);
        process->at++;
        process->received++;
    }
    pychoral_message_drop(&message);
}

// One step of the program, or nothing if it waits or is over.
void process_program(World *world, Process *process)
{
    if (!process->exists || !process->running)
        return;
    if (process->left || process->failed) {
        process_exit(world, process);
        return;
    }
    if (process->done)
        return;
    if (process->at == world->fails_at[process->role] &&
        !(world->fails_once && process->incarnation > 1))
        fail(world, process);
    else if (process->at == world->messages)
        end(world, process);
    else if (world->sender[process->at] == process->role)
        send(world, process);
    else
        receive(world, process);
    check_state(world, process);
}
