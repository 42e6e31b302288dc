// pychoral.h - what C endpoints stand on: one role of a choreography (PROTOCOL.md sections 2, 6,
// 8).
//
// An endpoint describes itself in a constant PychoralProgram and calls pychoral_main. Its body
// talks to the peers by the calls below. Each returns false when the role cannot continue: a peer
// stopped or is lost, a value does not fit, a signal came. The runtime then knows why; the body
// lets go of what it holds and returns, and whatever it returns, the others are told, the reason
// is printed, and the process ends with the status that it asks for (fault.h). There is no
// longjmp.
//
//     static int body(PychoralRole *role)
//     {
//         int64_t number = 42;
//         if (!pychoral_send(role, BOB, 1, &INT, &number))
//             return 1;
//         return 0;
//     }
//
// The calls are for the thread that runs the body, in the process that started it; others are
// refused with a sentence.

#ifndef PYCHORAL_H
#define PYCHORAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"
#include "value.h"

typedef struct PychoralRole PychoralRole;

// A communication's place in the source: "auth.pyc:12".
typedef struct {
    uint32_t number;
    const char *place;
} PychoralSite;

// A role that this one has a channel to. The calls below name it by its index in the table.
typedef struct {
    const char *name;
    bool secure;                        // only a private transport may carry it
} PychoralPeer;

// A value that the command line gives: `--name TEXT`.
typedef struct {
    const char *name;
    const char *type;                   // for help
    const char *standard;               // the value when none is given; NULL: there must be one
    const char *help;                   // or NULL
    // Of generated programs, which ask for the value by pychoral_option (builtins/process.h): the
    // text is read as a value of `row` before anything else is done, and `make_default`, if it is
    // not NULL, gives the value when none is given.
    const PychoralType *row;
    void (*make_default)(void *result);
    const char *const *agreed;          // the other roles that must be given the same, then NULL;
                                        // or NULL: there are none
} PychoralParameter;

// How values of parameters are read, shown and compared with those of peers, and how values that
// are sent are shown (`--show`): functions of builtins/parameter.h, short_repr.h and agreeing.h,
// which generated programs name, so that others do without them.
enum { PYCHORAL_BRIEF_MAX = 120 };      // characters of a value that is sent

typedef struct {
    bool (*read)(const PychoralType *row, const char *text, void *result, PychoralStr **reason);
    PychoralStr *(*shown)(const char *text);
    PychoralStr *(*repr_of_default)(const PychoralParameter *parameter);
    PychoralStr *(*brief)(const PychoralType *type, const void *value, size_t most);
    bool (*agree)(PychoralRole *role);
} PychoralReading;

typedef struct {
    const char *role;
    const char *const *roles;           // all, in the choreography's order
    size_t role_count;
    const char *protocol;               // SHA-256 of the global program: 64 hexadecimal digits
    const char *source;                 // the choreography's file name, for messages
    const PychoralSite *sites;          // ascending by number
    size_t site_count;
    const PychoralPeer *peers;
    size_t peer_count;
    const PychoralParameter *parameters;
    size_t parameter_count;
    int (*body)(PychoralRole *role);    // returns the exit status of its own, 0 when all is well
    const PychoralReading *reading;     // &pychoral_reading, or NULL: no parameter has a row
} PychoralProgram;

// Runs a role as a process: the command line, the conversation, the end. Returns the exit status.
int pychoral_main(const PychoralProgram *program, int argc, char **argv);

// The end of a generated program: its `main`. With PYCHORAL_LINKED, where several are linked to one
// binary, PYCHORAL_PROGRAM is the name by which that finds this one.
#ifdef PYCHORAL_LINKED
#define PYCHORAL_ENDPOINT(program)                                                                \
    extern const PychoralProgram *const PYCHORAL_PROGRAM;                                         \
    const PychoralProgram *const PYCHORAL_PROGRAM = &(program);
#else
#define PYCHORAL_ENDPOINT(program)                                                                \
    int main(int argc, char **argv) { return pychoral_main(&(program), argc, argv); }
#endif

// Runs several roles of one choreography as threads of this process, over inproc. `statuses` gets
// each one's exit status. False if that cannot be started.
bool pychoral_together(const PychoralProgram *const *programs, size_t count, int *statuses);

// Sends a value to a peer; it is the caller's still. Waits while the peer has given no credit.
bool pychoral_send(PychoralRole *role, size_t peer, uint32_t site, const PychoralType *type,
                   const void *value);

// Receives a value into `value`, which then owns it (pychoral_release). False: `value` is all
// zeros, and may be released or not.
bool pychoral_receive(PychoralRole *role, size_t peer, uint32_t site, const PychoralType *type,
                      void *value);

// Sends a selection of the enum `type`: the member's number in it, from 0.
bool pychoral_select(PychoralRole *role, size_t peer, uint32_t site, const PychoralType *type,
                     uint32_t label);

// Receives a selection of the enum `type`.
bool pychoral_branch(PychoralRole *role, size_t peer, uint32_t site, const PychoralType *type,
                     uint32_t *label);

// The role's own code fails: all peers are told `KIND: text`, the exit status is 1. Returns false.
bool pychoral_raise(PychoralRole *role, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Local effects - the clock, random numbers, input - are no function of what a role receives. A
// durable role (--journal) must have them again when it is started again:
//
//     if (!pychoral_replayed(role, "time", &pychoral_type_float, &now, &is_there))
//         return 1;
//     if (!is_there) {
//         now = clock_now();
//         if (!pychoral_record(role, "time", &pychoral_type_float, &now))
//             return 1;
//     }
//
// `is_there` says whether `value` has the recorded result. False when the role cannot go on.
bool pychoral_replayed(PychoralRole *role, const char *name, const PychoralType *type, void *value,
                       bool *is_there);
bool pychoral_record(PychoralRole *role, const char *name, const PychoralType *type,
                     const void *value);

// The text of a parameter, by its index in the program's table.
const char *pychoral_argument(const PychoralRole *role, size_t parameter);

#endif
