// network.c - connections between processes: delays, cuts, late notices, strangers.
//
// A connection that is cut loses the tail of what is in flight in each direction; the rest may be
// read long after, even when its dialler has another connection already. The dialler always learns
// of the cut in the end, the listener (a ROUTER, which is not told) perhaps.

#include <string.h>

#include "sim.h"

Flight *flight_new(World *world, const PychoralFrame *frames, size_t count)
{
    Flight *flight = arena_take(world->arena, sizeof *flight + count * sizeof *frames);
    flight->next = NULL;
    flight->since = world->now;
    flight->count = count;
    for (size_t i = 0; i < count; i++) {
        uint8_t *bytes = arena_take(world->arena, frames[i].size);
        if (frames[i].size > 0)
            memcpy(bytes, frames[i].data, frames[i].size);
        flight->frames[i] = (PychoralFrame){bytes, frames[i].size, NULL};
    }
    return flight;
}

Conn *conn_of(World *world, uint64_t id)
{
    return id >= 1 && id <= world->conn_count ? &world->conns[id - 1] : NULL;
}

static void push(Pipe *pipe, Flight *flight)
{
    if (pipe->last != NULL)
        pipe->last->next = flight;
    else
        pipe->first = flight;
    pipe->last = flight;
    pipe->count++;
}

static Flight *pop(Pipe *pipe)
{
    Flight *flight = pipe->first;
    if (flight == NULL)
        return NULL;
    pipe->first = flight->next;
    if (pipe->first == NULL)
        pipe->last = NULL;
    pipe->count--;
    return flight;
}

static void keep_only(Pipe *pipe, unsigned count)
{
    Pipe kept = {0};
    while (kept.count < count) {
        Flight *flight = pop(pipe);
        flight->next = NULL;
        push(&kept, flight);
    }
    *pipe = kept;
}

static void remember_hello(World *world, const Flight *hello, const Conn *conn)
{
    world->old_hello_to[world->old_hello_count] = conn->ends[LISTENER];
    world->old_hellos[world->old_hello_count++] = flight_new(world, hello->frames, hello->count);
}

void network_send(World *world, Process *from, uint64_t id, const PychoralFrame *frames,
                  size_t count)
{
    Conn *conn = conn_of(world, id);
    int other = 1 - from->role;
    Flight *flight = flight_new(world, frames, count);
    if (from->role == DIALLER && world->old_hello_count < 8 && conn != NULL &&
        ((const uint8_t *)frames[0].data)[4] == PYCHORAL_HELLO)
        remember_hello(world, flight, conn);
    if (conn != NULL && conn->ends[from->role] == from)
        check_sent(world, from, conn, frames, count);
    if (conn == NULL || conn->cut || conn->ends[other] == NULL || conn->ends[from->role] != from)
        return;
    push(&conn->to[other], flight);
}

// What is in flight from the process that goes may be kept: it lingers.
void network_cut(World *world, Conn *conn, Random *random, bool lingers, int from)
{
    if (conn->cut)
        return;
    conn->cut = true;
    conn->cut_at = world->now;
    conn->notice_after = world->temper == GENTLE ? random_below(random, 6)
                                                 : random_below(random, 400);
    for (int end = 0; end < 2; end++)
        if (!(lingers && end != from))
            keep_only(&conn->to[end], random_below(random, conn->to[end].count + 1));
}

// The process takes nothing more from it, and the other end will learn if it is a real end.
void network_close(World *world, Process *process, uint64_t id)
{
    Conn *conn = conn_of(world, id);
    if (conn == NULL || conn->ends[process->role] != process)
        return;
    conn->closed[process->role] = conn->told[process->role] = true;
    if (process->role == DIALLER)  // a ROUTER only stops to listen
        network_cut(world, conn, &world->random, true, DIALLER);
}

bool network_deliver(World *world, Conn *conn, int end)
{
    Flight *flight = pop(&conn->to[end]);
    Process *process = conn->ends[end];
    if (flight == NULL)
        return false;
    if (process == NULL || !process->exists || conn->closed[end] ||
        (end == DIALLER && conn->told[end]))
        return true;
    process_frame(world, process, conn->id, flight);
    return true;
}

void network_connect(World *world, Process *dialler)
{
    Process *listener = world->roles[LISTENER].process;
    bool there = listener->exists;
    if (world->conn_count == CONNS_MAX) {
        broken(world, "too many connections");
        return;
    }
    Conn *conn = &world->conns[world->conn_count++];
    *conn = (Conn){.id = world->conn_count, .ends = {there ? listener : NULL, dialler}};
    if (!there) {
        conn->cut = true;
        conn->cut_at = world->now;
        conn->notice_after = 1;
    }
    dialler->wants_connection = false;
    record_line(world, dialler, "connected %llu", (unsigned long long)conn->id);
    pychoral_machine_connected(dialler->machine, world->now, conn->id);
    check_state(world, dialler);
}

// Tells an end that its connection is gone; false if there is nothing to tell.
bool network_notice(World *world, Conn *conn, int end)
{
    Process *process = conn->ends[end];
    if (!conn->cut || conn->told[end] || process == NULL || !process->exists || !process->running)
        return false;
    conn->told[end] = true;
    record_line(world, process, "lost %llu", (unsigned long long)conn->id);
    pychoral_machine_lost(process->machine, world->now, conn->id);
    check_state(world, process);
    return true;
}

// ---- what nobody wants ----

// A connection from nowhere with junk, or with a HELLO of long ago.
void network_stray(World *world, Random *random)
{
    Process *listener = world->roles[LISTENER].process;
    uint8_t junk[64];
    PychoralFrame frame = {junk, random_below(random, sizeof junk), NULL};
    if (!listener->exists || !listener->running || world->conn_count == CONNS_MAX)
        return;
    Conn *conn = &world->conns[world->conn_count++];
    *conn = (Conn){.id = world->conn_count, .ends = {listener, NULL},
                   .said[DIALLER] = {.greeted = true, .limit = UINT64_MAX}};
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = (uint8_t)random_next(random);
    if (random_chance(random, 50))
        memcpy(junk, "CHZ1", 4);
    const Flight *flight = flight_new(world, &frame, 1);
    unsigned old = random_below(random, 8);  // what this process may read late
    if (old < world->old_hello_count && world->old_hello_to[old] == listener) {
        flight = world->old_hellos[old];
        world->old_hello_to[old] = NULL;  // once
    }
    process_frame(world, listener, conn->id, flight);
}

// Changes a byte of something in flight; both ends have CRCs.
void network_corrupt(World *world, Random *random)
{
    if (world->conn_count == 0 || world->corrupted >= 4)
        return;
    Conn *conn = &world->conns[random_below(random, world->conn_count)];
    Flight *flight = conn->to[random_below(random, 2)].first;
    if (flight == NULL)
        return;
    PychoralFrame *frame = &flight->frames[random_below(random, (uint32_t)flight->count)];
    if (frame->size == 0)
        return;
    uint8_t *bytes = (uint8_t *)frame->data;
    bytes[random_below(random, (uint32_t)frame->size)] ^= (uint8_t)(1u << random_below(random, 8));
    world->corrupted++;
}
