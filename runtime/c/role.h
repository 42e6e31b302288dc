// role.h - inside the runtime: a role, its links, its waits (as role.py, link.py, report.py).
//
// One lock guards everything: the program's thread holds it in each call, the keeper while it
// serves the links. Machines call back into link.c; what those calls ask for (dialling) is done
// when the machine has returned.

#ifndef PYCHORAL_ROLE_H
#define PYCHORAL_ROLE_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "codec.h"
#include "descriptor.h"
#include "deployment.h"
#include "lock.h"
#include "machine.h"
#include "options.h"
#include "pychoral.h"
#include "socket.h"

enum {
    PYCHORAL_MISUSED = -1,              // another thread has used a channel
    PYCHORAL_TROUBLES = 4,              // the last things that went wrong on the way to a peer
    PYCHORAL_ADDRESS_SIZE = 520,
    PYCHORAL_FAREWELL_MS = 2000,        // for peers to come and hear why a role cannot start
};

// Why a peer has not started and never will. It counts from then on, if the peer has not come.
typedef struct {
    bool is_known;
    char type[501], text[501];
    uint64_t at;
} PychoralCause;

// What a peer said of itself, and when.
typedef struct {
    uint64_t when, steps;               // when: 0: nothing yet
    int state;
    uint32_t site;
    char role[200];
} PychoralPong;

typedef struct {
    PychoralRole *role;
    int index;                          // in the program's peers, and of the socket
    const char *peer;
    bool dials;
    char address[PYCHORAL_ADDRESS_SIZE];        // where the peer is, or where it comes to
    bool at_meeting;                    // found at the meeting place
    bool dials_with_key;                // CURVE was used for the connection dialled last
    PychoralMachine *machine;
    PychoralConfig config;
    PychoralAgreed *agreed;             // what the peer must have been given alike
    bool disagrees;                     // and was not
    uint64_t conn;                      // listener: the accepted connection; dialler: the dialled
    PychoralDescriptor descriptor;      // that connection's
    PychoralDescriptor held;            // of what may be a second process of the peer
    uint64_t held_conn;
    uint64_t feeding;                   // the connection whose frames the machine looks at
    bool wants_dial;                    // put off until the machine has returned
    uint64_t lost_at;                   // when the connection is taken to be lost; 0: it is not
    PychoralFault failure;              // why nothing more will come, once that is so
    char refusal[400];                  // who is there has other keys, or none; said once
    bool is_refused;                    // and there was no connection since
    bool came_up, is_up, peer_ended;
    PychoralCause cause;
    bool left, confirmed;
    uint64_t cut_at;                    // when the connection was lost, for the last time
    uint64_t up_at, expected_then;      // when one came up, and the message that was next
    int fruitless;                      // how many in a row have brought none
    PychoralPong pong;
    char trouble[PYCHORAL_TROUBLES][160];
    int troubles;
} PychoralLink;

typedef enum {
    PYCHORAL_WAIT_START,
    PYCHORAL_WAIT_VALUE,
    PYCHORAL_WAIT_SELECTION,
    PYCHORAL_WAIT_SEND,
    PYCHORAL_WAIT_END,
} PychoralWaitKind;

// What a role waits for; texts are made when somebody asks.
typedef struct {
    PychoralLink *link;                 // NULL: the program computes
    PychoralWaitKind kind;
    const char *what;                   // the type awaited
    uint32_t site;
    uint64_t since, report_due;
} PychoralWaiting;

typedef struct PychoralDurability PychoralDurability;   // durable.c

struct PychoralRole {
    const PychoralProgram *program;
    const PychoralSettings *settings;
    const char *name, *run;
    PychoralLock lock;
    pthread_t thread;                   // the one that may call
    pid_t process;
    volatile char *same_process;        // a page that a forked child finds zeroed
    PychoralLink *links;                // one for each of the program's peers
    PychoralSockets *sockets;
    PychoralManifest manifest;
    PychoralPlace place;
    uint8_t secret[PYCHORAL_KEY_SIZE];
    bool has_secret;
    bool has_keys;                      // whether those who dial are known by their keys
    uint64_t max_decoded;               // the highest price of a value (price.h)
    bool is_placed;                     // its peers may be told how it ends
    bool shares_process;                // other roles are threads of this process
    PychoralWaiting waiting;
    bool is_told;                       // whether peers are told that this role waits
    uint64_t tick_due;
    uint64_t look_due;                  // when a role that sends looks at what has come
    uint64_t mark_due;                  // when one that starts looks who could not

    PychoralFault fault;                // why the role cannot go on; status 0: it can
    char origin_role[501], origin_type[501], origin_text[501];  // where that began, for ERROR

    pthread_t keeper;
    bool has_keeper;
    atomic_bool stopping;
    atomic_int interrupted;             // the number of a signal, or PYCHORAL_MISUSED
    atomic_bool status_wanted;          // SIGUSR1
    sigset_t old_mask;

    PychoralDurability *durability;     // NULL: a memory of its own is all the role has
    struct PychoralLines *log_json, *history;           // NULL: none
    struct PychoralTrace *trace;        // NULL: none
    struct PychoralShow *show, *watch;  // NULL: none
    PychoralWriter writer;              // of values
    PychoralFault spare;                // what encoder and decoder say
    void *reserve;                      // memory to end with (room.h); NULL: it is given back
    bool is_own_status;                 // the body gave the status and has said why, if it wants
    bool is_superseded;                 // another process speaks for the role, now or later
    bool is_past;                       // none can: a peer has its ERROR
    bool is_over;                       // the peers have been told the end
    bool arriving;                      // a message is being looked at: none may be received
    bool ends_early;                    // by sys.exit: what is still to come need not be read
};

// --- channel.c ---

// Around each call of the role's body: takes the lock if the caller is the one that may call and
// the role can go on; lets it go again and returns `good`.
bool pychoral_enter(PychoralRole *role);
bool pychoral_leave(PychoralRole *role, bool good);

// No body begins before the peers that must have been given the same have met theirs: each tells
// the others so by a selection without a site. False when the role cannot go on.
bool pychoral_begin_together(PychoralRole *role);

// --- link.c ---

bool pychoral_link_open(PychoralLink *link, PychoralFault *fault);
void pychoral_link_close(PychoralLink *link);

// Does what the machine asked for while it was at work.
void pychoral_link_settle(PychoralLink *link);
void pychoral_link_check_memory(PychoralLink *link);    // whether it lacks for what the peer sends

// Takes in a message or a monitor's event for one of the role's links.
void pychoral_link_arrived(PychoralRole *role, const PychoralIncoming *incoming, uint64_t now);
void pychoral_link_noticed(PychoralRole *role, const PychoralMonitorEvent *event, uint64_t now);

// Keeps what went wrong on the way to the peer, for reports.
void pychoral_link_trouble(PychoralLink *link, const char *text);

// A sentence on a peer that is not there.
void pychoral_link_never_came(const PychoralLink *link, double seconds, PychoralFault *fault);

// How long what was sent may take to leave, at most so many milliseconds.
int pychoral_link_linger(const PychoralLink *link, int most);

// Notes why the peer cannot start; `after` milliseconds from now it counts.
void pychoral_link_note_cause(PychoralLink *link, PychoralText type, PychoralText text,
                              uint64_t after);

// Whether the peer will never be there. Only what needs it ends by that.
bool pychoral_link_cannot_start(const PychoralLink *link);

// The role fails, as it needs such a peer.
bool pychoral_link_never_started(PychoralLink *link, const char *phrase, const char *place);

// Whether nothing more needs to be said on it.
bool pychoral_link_has_left(PychoralLink *link);

// --- role.c ---

// Milliseconds of a clock that only goes forward, a few of them coarse.
uint64_t pychoral_now(void);

// Begins to meet all peers.
void pychoral_role_begin(PychoralRole *role);

// Meets all peers. False when the role cannot go on.
bool pychoral_role_open(PychoralRole *role);

// Takes in what the monitors have to tell.
void pychoral_role_notice(PychoralRole *role, uint64_t now);

// Takes in what has come, at most a batch; does not wait. Whether anything came.
bool pychoral_role_serve(PychoralRole *role);

// The same, and whether connections are as they were. For a role that sends and never waits.
void pychoral_role_look_around(PychoralRole *role, uint64_t now);

// Takes in the next message that comes the way of this link, for which it waits a little. False if
// none came, or if something else must be looked at.
bool pychoral_role_pull(PychoralLink *link, uint64_t now);

// Tells the machines the time and the peers what this role does, if it is time for that.
void pychoral_role_tick(PychoralRole *role, uint64_t now);

// The program computes again.
void pychoral_role_computes(PychoralRole *role);

// Waits a little for what role->waiting says. False when that will never come.
bool pychoral_role_wait(PychoralRole *role);

// The role cannot continue: false. The first reason stays.
bool pychoral_role_fail(PychoralRole *role, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same for a signal that has come.
bool pychoral_role_interrupted(PychoralRole *role);

// Tells all peers how this role ends and leaves when they have it (rule 11). One that has failed
// gives those who have not come two seconds.
void pychoral_role_end(PychoralRole *role);

// " (auth.pyc:12)", or "" if the place is not known.
void pychoral_role_place(const PychoralRole *role, uint32_t site, char *text, size_t size);

// A peer that has certainly ended, without END or ERROR, is not waited for.
void pychoral_role_check_alive(PychoralLink *link, uint64_t now);

// --- keeper.c ---

bool pychoral_keeper_start(PychoralRole *role, PychoralFault *fault);
void pychoral_keeper_stop(PychoralRole *role);

// --- report.c ---

void pychoral_report_phrase(const PychoralRole *role, char *text, size_t size);

// What is known of a peer, as in "Bob answers; it computes".
void pychoral_report_peer(const PychoralLink *link, uint64_t now, char *text, size_t size);
void pychoral_report_waits(PychoralRole *role, uint64_t now);
void pychoral_report_status(PychoralRole *role, uint64_t now);
void pychoral_report_failed(PychoralRole *role, uint64_t now);
void pychoral_report_event(const PychoralLink *link, PychoralLogLevel level, const char *word,
                           const char *arguments);

// `--history`: the start of this process, and a value or selection (nothing else) that was sent or
// taken. The format is that of tests/history/check.py.
void pychoral_report_begin(PychoralRole *role);
void pychoral_report_history(PychoralLink *link, const char *event, const PychoralMessage *message);

// --- observe.c ---

// `--history` and `--trace`: before a message goes out; when the machine has taken it (END and
// ERROR have no frames); when the program has read one. `about` is a value's type or a selection's
// enum, NULL if it is not known.
static inline bool pychoral_is_observed(const PychoralRole *role)
{
    return role->history != NULL || role->trace != NULL;
}

void pychoral_observe_before(PychoralLink *link);
void pychoral_observe_sent(PychoralLink *link, PychoralFrameKind kind, uint32_t site,
                           uint32_t label, const PychoralType *about, const PychoralFrame *frames,
                           size_t count);
void pychoral_observe_taken(PychoralLink *link, const PychoralMessage *message,
                            const PychoralType *about);

// Prints a line for people.
void pychoral_report_say(const PychoralRole *role, const char *text);

// A peer is not let in, or lets nobody in: what is tried again, for so long.
void pychoral_report_refusal(const PychoralLink *link);

#endif
