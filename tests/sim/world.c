// world.c - a schedule: its configuration from the seed, the steps of chaos, and the time after, in
// which the network is well and everybody must come to an end.
//
// GENTLE: whatever happens is mended within a short time, so that both must leave confirmed.
// HARSH: time may leap while a connection is down; then giving up is excused, but nothing else.

#include <stddef.h>
#include <string.h>

#include "sim.h"

const char *const ACTION_NAMES[ACTIONS] = {
    "deliver", "program", "time", "force", "stored", "connect", "notice", "cut",
    "kill", "restart", "stop", "wake", "corrupt", "stray"};

// ---- the beginning ----

static void configure_role(World *world, int role, Random *random, bool crc)
{
    static const uint64_t bytes[] = {1, 30, 100, 400, 5000, 1 << 20};
    PychoralConfig *config = &world->roles[role].config;
    *config = pychoral_config_default();
    config->me = role == LISTENER ? "A" : "B";
    config->peer = role == LISTENER ? "B" : "A";
    config->run_name = "sim";
    config->dials = role == DIALLER;
    config->durable = random_chance(random, 50);
    config->crc = crc;
    config->window_messages = random_chance(random, 85) ? 1 + random_below(random, 8) : 1024;
    config->window_bytes = bytes[random_below(random, 6)];
    config->max_message = 3 * PAYLOAD_MAX;
}

static void configure_choreography(World *world, Random *random)
{
    world->messages = random_below(random, random_chance(random, 20) ? 6 : 40);
    uint32_t lean = random_below(random, 101);  // how much of it role 0 sends
    for (unsigned i = 0; i < world->messages; i++) {
        world->sender[i] = !random_chance(random, lean);
        Role *role = &world->roles[world->sender[i]];
        role->of[++role->of[0]] = i;
    }
    for (int role = 0; role < 2; role++)
        world->fails_at[role] = random_chance(random, 10)
                                    ? random_below(random, world->messages + 1) : MESSAGES_MAX;
    world->fails_once = mix(world->seed, 2) % 2;
}

static void configure_weights(World *world, Random *random, bool crc)
{
    static const uint8_t usual[ACTIONS] = {30, 24, 12, 5, 5, 6, 5, 3, 2, 4, 1, 2, 1, 1};
    static const uint8_t factors[] = {0, 1, 1, 2, 5};
    for (int act = 0; act < ACTIONS; act++)
        world->weights[act] = usual[act] * (act < ACT_CUT ? 1 + random_below(random, 3)
                                                          : factors[random_below(random, 5)]);
    if (!crc || world->temper == GENTLE)
        world->weights[ACT_CORRUPT] = 0;
}

void world_start(World *world, uint64_t seed, Arena *arena, FILE *record)
{
    memset(world, 0, offsetof(World, conns));
    world->seed = seed;
    world->random = (Random){mix(seed, 1)};
    world->now = 1000;
    world->arena = arena;
    world->record = record;
    Random *random = &world->random;
    world->temper = random_chance(random, 60) ? GENTLE : HARSH;
    world->may_kill_memory = random_chance(random, 15);
    world->steps = 20 + random_below(random, STEPS_MAX - 20);
    bool crc = random_chance(random, 15);
    for (int role = 0; role < 2; role++)
        configure_role(world, role, random, crc);
    agreed_configure(world);
    configure_choreography(world, random);
    configure_weights(world, random, crc);
    process_start(world, LISTENER);
    process_start(world, DIALLER);
}

void world_end(World *world)
{
    for (Process *process = world->processes; process != NULL; process = process->next)
        pychoral_machine_free(process->machine);
}

// ---- what may happen ----

static bool deliver_one(World *world, Random *random)
{
    if (world->conn_count == 0)
        return false;
    unsigned at = random_below(random, world->conn_count);
    if (random_chance(random, 70) && world->conn_count > 2)  // mostly what is new
        at = world->conn_count - 1 - random_below(random, 2);
    Conn *conn = &world->conns[at];
    int end = (int)random_below(random, 2);
    return network_deliver(world, conn, end) || network_deliver(world, conn, 1 - end);
}

static void connect(World *world)
{
    Process *dialler = world->roles[DIALLER].process;
    if (dialler->exists && dialler->running && dialler->wants_connection)
        network_connect(world, dialler);
    for (Process *old = dialler->next; old != NULL; old = old->next)
        if (old->exists && old->running && old->wants_connection)
            network_connect(world, old);
}

static void notice(World *world, Random *random)
{
    if (world->conn_count == 0)
        return;
    Conn *conn = &world->conns[random_below(random, world->conn_count)];
    network_notice(world, conn, (int)random_below(random, 2));
}

// GENTLE: at most two things at once, and then it is mended first.
static bool may_break(World *world)
{
    track_outage(world);
    if (world->temper == GENTLE && world->in_outage &&
        (world->faults_in_outage >= 2 || world->now - world->outage_since > 40))
        return false;
    world->faults_in_outage++;
    return true;
}

static void cut(World *world, Random *random)
{
    if (world->conn_count == 0 || !may_break(world))
        return;
    network_cut(world, &world->conns[world->conn_count - 1 - random_below(random,
                    world->conn_count > 2 ? 2 : 1)], random, false, 0);
    track_outage(world);
}

// A listener that starts again does not know how new its dialler's processes are, so that an old
// one may take the place of a new one until that comes: not here.
static bool is_haunted(const World *world, int role)
{
    if (role == LISTENER)
        for (const Process *it = world->processes; it != NULL; it = it->next)
            if (it->role == DIALLER && it->exists && it != world->roles[DIALLER].process)
                return true;
    return false;
}

static void kill(World *world, Random *random)
{
    int role = (int)random_below(random, 2);
    Process *process = world->roles[role].process;
    bool durable = world->roles[role].config.durable;
    if (!process->exists || process->left || process->failed ||
        (!durable && !world->may_kill_memory) || is_haunted(world, role) || !may_break(world))
        return;
    process_kill(world, process, random);
    track_outage(world);
}

static bool is_dead(const Process *process)
{
    return !process->exists && !process->left && !process->failed;
}

// It has said ERROR, and is started again by somebody who does not know what that means.
static bool is_retried(const World *world, int role)
{
    const Process *process = world->roles[role].process;
    return world->fails_once && world->roles[role].config.durable && !process->exists &&
           process->left && process->failing && process->incarnation < 4 &&
           !is_haunted(world, role);
}

static void restart(World *world, int role)
{
    if (is_dead(world->roles[role].process) || is_retried(world, role))
        process_start(world, role);
}

// The dialler stands still, another process takes its place, and later the first goes on.
static void stop(World *world)
{
    Process *process = world->roles[DIALLER].process;
    if (!process->exists || process->left || process->failed || process->next == NULL ||
        !world->roles[DIALLER].config.durable || world->may_kill_memory || !may_break(world))
        return;
    process->running = false;
    process_start(world, DIALLER);
    track_outage(world);
}

static void wake(World *world)
{
    for (Process *process = world->processes; process != NULL; process = process->next)
        if (process->exists)
            process->running = true;
}

// ---- time ----

static void tick_all(World *world, Random *random, uint32_t percent)
{
    for (Process *process = world->processes; process != NULL; process = process->next)
        if (process->exists && process->running && random_chance(random, percent))
            process_tick(world, process);
}

// GENTLE: what is due is done before time goes on.
static void catch_up(World *world)
{
    for (unsigned i = 0; i < world->conn_count; i++) {
        Conn *conn = &world->conns[i];
        for (int end = 0; end < 2; end++)
            while (conn->to[end].first != NULL && world->now - conn->to[end].first->since >= 10)
                network_deliver(world, conn, end);
        if (conn->cut && world->now - conn->cut_at >= conn->notice_after)
            network_notice(world, conn, DIALLER);
    }
    Process *dialler = world->roles[DIALLER].process;
    if (dialler->wants_connection && world->now - dialler->wants_since >= 3)
        connect(world);
    for (int role = 0; role < 2; role++)
        if (world->now - world->roles[role].died_at >= 5)
            restart(world, role);
}

static void pass_time(World *world, Random *random)
{
    static const uint16_t leaps[] = {20, 60, 300, 2500, 12000};
    if (world->temper == GENTLE) {
        world->now += 1 + random_below(random, 6);
        catch_up(world);
        tick_all(world, random, 90);
    } else {
        uint32_t kind = random_below(random, 100);
        uint32_t leap = random_below(random, kind < 97 ? 3 : 5);
        world->now += kind < 70 ? 1 + random_below(random, 20) : leaps[leap];
        tick_all(world, random, 60);
    }
    track_outage(world);
}

// ---- chaos ----

static Action choose(const World *world, Random *random)
{
    uint32_t sum = 0;
    for (int act = 0; act < ACTIONS; act++)
        sum += world->weights[act];
    uint32_t at = random_below(random, sum);
    for (int act = 0; act < ACTIONS; act++) {
        if (at < world->weights[act])
            return (Action)act;
        at -= world->weights[act];
    }
    return ACT_DELIVER;
}

static void act(World *world, Action action, Random *random)
{
    Process *process = world->roles[random_below(random, 2)].process;
    switch (action) {
    case ACT_DELIVER: deliver_one(world, random); break;
    case ACT_PROGRAM: process_program(world, process); break;
    case ACT_TIME: pass_time(world, random); break;
    case ACT_FORCE: journal_force(world, process); break;
    case ACT_STORED: journal_stored(world, process); break;
    case ACT_CONNECT: connect(world); break;
    case ACT_NOTICE: notice(world, random); break;
    case ACT_CUT: cut(world, random); break;
    case ACT_KILL: kill(world, random); break;
    case ACT_RESTART: restart(world, process->role); break;
    case ACT_STOP: stop(world); break;
    case ACT_WAKE: wake(world); break;
    case ACT_CORRUPT: network_corrupt(world, random); break;
    case ACT_STRAY: network_stray(world, random); break;
    case ACTIONS: break;
    }
}

// Each step has random numbers of its own, so that steps can be left out when a seed is shortened.
void world_step(World *world, unsigned step)
{
    Random random = {mix(world->seed, 100000 + step)};
    if (world->conn_count + 8 < CONNS_BAD)
        act(world, choose(world, &random), &random);
}

// ---- calm ----

static unsigned deliver_all(World *world)
{
    unsigned count = 0, before;
    do {
        before = count;
        for (unsigned i = 0; i < world->conn_count; i++)
            for (int end = 0; end < 2; end++)
                count += network_deliver(world, &world->conns[i], end);
        if (count > 20000)
            broken(world, "frames without end");
    } while (count > before && world->broken[0] == '\0');
    return count;
}

static unsigned run_programs(World *world)
{
    unsigned steps = 0;
    for (Process *process = world->processes; process != NULL; process = process->next) {
        for (unsigned at; process->exists; steps++) {
            at = process->at + (process->done ? 1000 : 0);
            process_program(world, process);
            if (at == process->at + (process->done ? 1000 : 0))
                break;
        }
        journal_force(world, process);
        journal_stored(world, process);
    }
    return steps;
}

static bool somebody_is_there(const World *world)
{
    for (const Process *process = world->processes; process != NULL; process = process->next)
        if (process->exists)
            return true;
    return false;
}

static void calm_round(World *world)
{
    for (unsigned i = 0; i < world->conn_count; i++)
        network_notice(world, &world->conns[i], DIALLER);
    connect(world);
    unsigned happened = deliver_all(world);
    happened += run_programs(world);
    world->now += happened > 0 ? 5 : 100;
    for (Process *process = world->processes; process != NULL; process = process->next)
        if (process->exists)
            process_tick(world, process);
    track_outage(world);
}

void world_calm_down(World *world)
{
    world->calm = true;
    wake(world);
    for (int role = 0; role < 2; role++)
        if (!world->roles[role].memory_died || random_chance(&world->random, 50))
            restart(world, role);
    for (uint64_t until = world->now + 70000;
         world->now < until && somebody_is_there(world) && world->broken[0] == '\0';)
        calm_round(world);
    if (world->broken[0] == '\0')
        check_outcome(world);
}
