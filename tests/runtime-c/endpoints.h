// endpoints.h - what the hand-written endpoints of this folder share.
//
// Each file is one choreography with all its roles in one program: its first argument says which
// role to run (`together`: all, as threads over inproc), the rest are the endpoint's options.

#ifndef PYCHORAL_TESTS_ENDPOINTS_H
#define PYCHORAL_TESTS_ENDPOINTS_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pychoral.h"

// A choreography of Alice and Bob, who have one channel.
typedef struct {
    const char *source, *protocol;
    const PychoralSite *sites;
    size_t site_count;
    const PychoralParameter *parameters;        // of both
    size_t parameter_count;
    int (*alice)(PychoralRole *role), (*bob)(PychoralRole *role);
    bool secure;
} Pair;

// Runs the role that the command line names. Returns the exit status.
int run_pair(const Pair *pair, int argc, char **argv);

// A parameter as a whole number.
int64_t number_argument(const PychoralRole *role, size_t parameter);

#endif
