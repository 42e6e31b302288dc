// deployment.h - where roles meet when nobody says so: ipc sockets in a private directory of this
// user (as python/pychoral/deployment.py, so that C and Python roles meet).
//
// `BASE/pychoral-UID/HASH/` has mode 0700 and belongs to the user; HASH comes from the protocol and
// the run's name, so that all roles compute the same. A role holds a lock there while it runs, so
// that others can tell when it has ended; with N its place in the order of roles, `N.lock` is that
// file, `N` its socket, and `N.key` its public key if it listens with CURVE (then it is `N.server`
// too) or has dialled a role that does. Such keys are made for the one run, as nobody else can
// write here.

#ifndef PYCHORAL_DEPLOYMENT_H
#define PYCHORAL_DEPLOYMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"

enum { PYCHORAL_PLACE_SIZE = 200 };

typedef struct {
    char path[PYCHORAL_PLACE_SIZE];     // the directory; "" before one has entered
    int index;
    int lock;                           // a file descriptor, or -1
} PychoralPlace;

// Takes the role's place in the directory of a run. False with a fault of status 77 if a program of
// it is already there, or no directory can be used. `takes_over`: of a durable role, whoever is
// there is an earlier process of it.
bool pychoral_place_enter(PychoralPlace *place, const char *protocol, const char *run,
                          const char *role, int index, bool takes_over, PychoralFault *fault);

// Where a durable role listens so that the address of its socket can lead there, and having it lead
// there. Each process has a socket of its own: an earlier one takes its own along when it ends, and
// not that of its successor.
void pychoral_place_bindable(const PychoralPlace *place, char *text, size_t size);
bool pychoral_place_lead(const PychoralPlace *place, PychoralFault *fault);

// The address of a role's socket, by the role's index.
void pychoral_place_address(const PychoralPlace *place, int index, char *text, size_t size);

// Whether a role that has been there still runs.
bool pychoral_place_is_alive(const PychoralPlace *place, int index);

// Tells the other roles this one's public key (Z85), before it dials or (`serves`) listens with it.
// Says at the place why the role cannot start; and what another has said, if it is still there.
bool pychoral_place_mark(const PychoralPlace *place, const char *why, PychoralFault *fault);
bool pychoral_place_mark_of(const PychoralPlace *place, int index, char *why, size_t size);

bool pychoral_place_publish_key(const PychoralPlace *place, const char *key, bool serves,
                                PychoralFault *fault);

// The public key of a role, if it has told one; only if it listens with it (`serves`).
bool pychoral_place_key_of(const PychoralPlace *place, int index, bool serves, char *key,
                           size_t size);

// Gives the place up; the last role to leave removes the directory.
void pychoral_place_leave(PychoralPlace *place);

#endif
