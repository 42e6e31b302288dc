// target.h - which language the program of each role of a run is in: `--target`.

#ifndef PYCHORAL_COMMAND_TARGET_H
#define PYCHORAL_COMMAND_TARGET_H

#include "compiler/command/program.h"

typedef struct Targets {
    bool *in_c;                 // by role, in the order of the programs
    bool  any_c, any_python;
} Targets;

// One language for all, `mixed` (C, Python, C ... in the order of the roles), or
// `ROLE=c,ROLE=python`, where roles that are not named are in Python. Reports what is none of it.
bool targets_read(Session *s, Programs programs, Targets *targets);

#endif
