// process.h - child processes whose output is read line by line.

#ifndef PYCHORAL_COMMAND_PROCESS_H
#define PYCHORAL_COMMAND_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"

enum { PROCESS_STREAMS = 2 };           // standard output, standard error

typedef struct Process {
    const char *name;
    pid_t pid;
    int   fds[PROCESS_STREAMS];         // -1 once at its end
    struct { char *at; size_t len, cap; } pending[PROCESS_STREAMS];     // the start of a line
    int   status;                       // exit status; 128 + n for signal n
    size_t place;                       // it was the first to end, or the second ...; from 1
    bool  stopped;                      // it ended because it was told to
} Process;

// Called for each line, without its line end. `stream` is 0 for output, 1 for errors.
typedef void LineFn(void *cx, const Process *p, int stream, Text line);

// Called when nothing has been read for a while, and again after that time; answers whether there
// is anything more that it could say. `failed`: some have failed, others still run.
typedef bool SilenceFn(void *cx, bool failed);

// What a program inherits besides its own output.
typedef struct Inherited {
    const char *input;          // the file that is its standard input; NULL: nothing
    int         fd;             // its descriptor 3; -1: none
} Inherited;

enum { PROCESS_INHERITED = 3 };

// Starts a program with its output in pipes. Gives false and says why when there is no such program
// or file.
bool process_start(Process *p, const char *name, const char *const *argv, Inherited from,
                   const char **why);

// Makes of `p` no process, but the reader of a pipe that processes inherit: it is at its end when
// they all are. Gives the writing end, to be closed when they are started, or -1 and says why.
int process_listen(Process *p, const char *name, const char **why);

// Reads what the processes print until all have ended, and takes their statuses. One that ends with
// the status `hopeless` ends them all. So does SIGINT, SIGTERM or SIGHUP to this program, politely
// at first; then true is given.
bool processes_wait(Arena *a, Process *processes, size_t count, int hopeless, LineFn *line,
                    SilenceFn *silence, void *cx);

// Asks them to end.
void processes_stop(Process *processes, size_t count);

// Runs a program in silence; gives its exit status, -1 if it could not be started.
int process_run_quietly(const char *const *argv);

#endif
