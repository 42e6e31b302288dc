// python.c - looks for a Python that has the packages of the runtime.

#include "compiler/command/python.h"

#include <stdlib.h>

#include "compiler/command/process.h"

const char *python_find(void)
{
    static const char *const candidates[] = {"python3", "/usr/bin/python3"};
    // `-c` looks in the current folder first, where `json.pyc` may be a choreography.
    static const char only_installed[] =
        "import sys; sys.path = [p for p in sys.path if p]; import zmq, msgpack";
    const char *chosen = getenv("PYTHON");
    if (chosen && *chosen)
        return chosen;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        const char *const argv[] = {candidates[i], "-c", only_installed, NULL};
        if (process_run_quietly(argv) == 0)
            return candidates[i];
    }
    return NULL;
}

const char *python_required(Session *s)
{
    const char *python = python_find();
    if (python)
        return python;
    Diag *d = session_report(s, DIAG_FILE_MISSING,
                             "no Python interpreter with the packages zmq and msgpack was found");
    diag_help(d, "apt-get install python3-zmq python3-msgpack, or set PYTHON to another "
              "interpreter");
    return NULL;
}
