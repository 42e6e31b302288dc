// sim.h - deterministic simulation of two C machines (runtime/c/machine.h) by seed.
//
// No sockets, clocks or threads. Two roles run a random choreography over a network that delays,
// cuts and swallows; they are killed, restarted with and without journals, stopped and woken. All
// that happens follows from the seed. The checker (check.c) looks at everything the machines do;
// the rules are those of PROTOCOL.md section 2, named where they are checked.

#ifndef PYCHORAL_SIM_H
#define PYCHORAL_SIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "machine.h"

enum {
    CONNS_BAD = 1200,      // per schedule; then the network is well
    CONNS_MAX = 6000,      // as many processes dial a listener that has ended
    MESSAGES_MAX = 64,     // of a choreography
    JOURNAL_MAX = 80,
    STEPS_MAX = 400,
    PARTS_MAX = 3,         // frames of a payload
    PAYLOAD_MAX = 9000,
    LISTENER = 0,
    DIALLER = 1,
};

// ---- random numbers ----

typedef struct Random { uint64_t state; } Random;

uint64_t random_next(Random *random);
uint32_t random_below(Random *random, uint32_t bound);  // 0 .. bound-1
bool random_chance(Random *random, uint32_t percent);
uint64_t mix(uint64_t one, uint64_t other);

// ---- the network ----

typedef struct Flight {
    struct Flight *next;
    uint64_t since;
    size_t count;
    PychoralFrame frames[];  // bytes in the arena
} Flight;

typedef struct Pipe {  // one direction of a connection, towards an end
    Flight *first, *last;
    unsigned count;
} Pipe;

typedef struct Process Process;

// What an end has said on a connection.
typedef struct Said {
    bool greeted;
    uint64_t expected;  // in its greeting
    uint64_t limit;     // the highest it told
    uint64_t ack;
    uint64_t last;      // number of its last numbered message
} Said;

typedef struct Conn {
    uint64_t id;
    Process *ends[2];       // NULL: nobody listens there (any more)
    Pipe to[2];
    bool cut;               // what is sent is lost; what is in flight may still be read
    bool told[2];           // the end knows
    bool closed[2];         // the end takes nothing more
    uint64_t cut_at;
    uint64_t notice_after;  // ms from the cut until the dialler is told
    Said said[2];           // by each end
} Conn;

// ---- the roles ----

typedef struct Journal {
    Flight *taken[JOURNAL_MAX];
    unsigned count, forced;
} Journal;

struct Process {
    struct World *world;
    int role;
    char name[24];
    PychoralMachine *machine;
    bool running;           // it is given time and frames
    bool exists;            // it has not been killed and has not exited
    bool wants_connection;
    uint64_t wants_since;
    uint64_t incarnation;
    unsigned at;            // its place in the choreography
    unsigned sent, received;
    bool done;              // the program is over: END or ERROR was given
    bool failing;           // with ERROR
    bool was_up;
    bool peer_failing;      // the other's ERROR was taken
    uint64_t last_life;     // incarnation in the last payload that was read
    uint64_t stored_told, restored, last_data;  // numbers of messages
    uint64_t allowed;       // the highest that has gone, each within the limit when it first did
    bool to_store;
    uint8_t reads_kind;     // of the frame that it is just given
    bool ticks;             // and whether it is just told the time
    // How it ended, as its machine says.
    bool left, confirmed, failed;
    PychoralEventKind end_event;
    uint64_t end_code, ended_at, left_at;
    char end_text[160];
    struct Process *next;   // all processes of a schedule
};

typedef struct Role {
    Process *process;       // the newest
    uint64_t incarnations;
    Journal journal;
    PychoralConfig config;
    bool memory_died;       // killed without a journal
    bool state_was_seen;    // and the other had taken from it, or been told that it took
    uint64_t died_at;
    unsigned of[MESSAGES_MAX + 1];  // its messages, by number from 1
} Role;

typedef enum Temper { GENTLE, HARSH } Temper;

typedef enum Action {
    ACT_DELIVER, ACT_PROGRAM, ACT_TIME, ACT_FORCE, ACT_STORED, ACT_CONNECT, ACT_NOTICE, ACT_CUT,
    ACT_KILL, ACT_RESTART, ACT_STOP, ACT_WAKE, ACT_CORRUPT, ACT_STRAY, ACTIONS,
} Action;

typedef struct World {
    uint64_t seed, now;
    Random random;
    Temper temper;
    bool calm;                        // the network is well from now on
    uint32_t weights[ACTIONS];
    bool may_kill_memory;
    unsigned steps;                   // of chaos
    const bool *skipped;              // of these, for shortening; NULL: none
    // The choreography: who sends message i, and where programs fail (MESSAGES_MAX: nowhere).
    unsigned messages;
    uint8_t sender[MESSAGES_MAX];
    unsigned fails_at[2];
    bool fails_once;                  // and is started again, and would go on
    bool differs;                     // what the two must have been given alike, in
    unsigned odd;                     // this value
    Role roles[2];
    Process *processes;
    unsigned conn_count;
    Process *old_hello_to[8];
    Flight *old_hellos[8];  // for strangers
    unsigned old_hello_count;
    // How long no connection was up while both could have had one.
    bool in_outage;
    uint64_t outage_since, longest_outage;
    unsigned faults_in_outage;
    unsigned corrupted;
    // What was found.
    char broken[300];
    FILE *record;                     // the inputs as a schedule, outputs as comments
    struct Arena *arena;
    Conn conns[CONNS_MAX];            // the last member: not cleared
} World;

extern const char *const ACTION_NAMES[ACTIONS];

// world.c
void world_start(World *world, uint64_t seed, struct Arena *arena, FILE *record);
void world_end(World *world);
void world_step(World *world, unsigned step);  // one step of chaos
void world_calm_down(World *world);            // until everybody has ended
void broken(World *world, const char *format, ...) __attribute__((format(printf, 2, 3)));

// network.c
Flight *flight_new(World *world, const PychoralFrame *frames, size_t count);
Conn *conn_of(World *world, uint64_t id);
void network_send(World *world, Process *from, uint64_t conn, const PychoralFrame *frames,
                  size_t count);
void network_close(World *world, Process *process, uint64_t conn);
bool network_deliver(World *world, Conn *conn, int end);
void network_connect(World *world, Process *dialler);
void network_cut(World *world, Conn *conn, Random *random, bool keep_all_from, int from);
bool network_notice(World *world, Conn *conn, int end);
void network_stray(World *world, Random *random);
void network_corrupt(World *world, Random *random);

// role.c
Process *process_start(World *world, int role);
void process_kill(World *world, Process *process, Random *random);
void process_exit(World *world, Process *process);
void process_program(World *world, Process *process);
void process_tick(World *world, Process *process);
void process_frame(World *world, Process *process, uint64_t conn, const Flight *flight);
void journal_force(World *world, Process *process);
void journal_stored(World *world, Process *process);

// check.c
void check_event(World *world, Process *process, const PychoralEvent *event);
void check_frame(World *world, Process *process, const Flight *flight, uint64_t expected_before);
void check_state(World *world, Process *process);
void check_sent(World *world, Process *process, Conn *conn, const PychoralFrame *frames,
                size_t count);
void check_message(World *world, Process *process, const PychoralMessage *message);
void check_outcome(World *world);
bool has_failed(const World *world, int role);  // whether a process of the role has said ERROR
void track_outage(World *world);

// agreed.c
void agreed_configure(World *world);    // both roles, once they are configured
bool agreed_excuses(const World *world, const Process *process);
void agreed_check_end(World *world, const Process *process);
void agreed_check_outcome(World *world);

// payload.c
typedef struct Payload {
    PychoralFrameKind kind;
    uint32_t site, label;
    unsigned parts;
    size_t sizes[PARTS_MAX];
} Payload;

Payload payload_of(const World *world, unsigned message);
void payload_fill(const World *world, unsigned message, unsigned part, uint64_t life, uint8_t *out,
                  size_t size);

// record.c: one line an input
void record_machine(World *world, const Process *process, const PychoralConfig *config);
void record_line(World *world, const Process *process, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void record_frames(World *world, const PychoralFrame *frames, size_t count);
void record_event(World *world, const Process *process, const PychoralEvent *event);

// arena.c: memory of a schedule
typedef struct Arena Arena;
Arena *arena_new(void);
void arena_reset(Arena *arena);
void arena_free(Arena *arena);
void *arena_take(Arena *arena, size_t size);

#endif
