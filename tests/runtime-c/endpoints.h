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

// Runs the role that the command line names. Returns the exit status.
int run_endpoint(const PychoralProgram *const *programs, size_t count, int argc, char **argv);

// A parameter as a whole number.
int64_t number_argument(const PychoralRole *role, size_t parameter);

#endif
