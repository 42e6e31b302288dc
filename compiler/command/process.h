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
    int   killed_by;                    // the signal that ended it; 0: none
    size_t place;                       // it was the first to end, or the second ...; from 1
    bool  stopped;                      // it ended because it was told to
    bool  typed;                        // its standard input is that of this program
} Process;

// Called for each line, without its line end. `stream` is 0 for output, 1 for errors.
typedef void LineFn(void *cx, const Process *p, int stream, Text line);

// Called when a process has ended; answers what becomes of the others: they may have no chance, and
// are asked to end; if they have done nothing yet, they need not even say so.
typedef enum EndAnswer { END_OTHERS_GO_ON, END_OTHERS_STOP, END_OTHERS_AT_ONCE } EndAnswer;
typedef EndAnswer EndFn(void *cx, const Process *p);

// Called when nothing has been read for a while, and again after that time, until it has said all
// or finds that the processes have no chance: they are ended then. `failed`: some have failed,
// others still run.
typedef enum Silence { SILENCE_SAY_MORE, SILENCE_SAID_ALL, SILENCE_HOPELESS } Silence;
typedef Silence SilenceFn(void *cx, bool failed);

typedef struct ProcessEvents {
    LineFn    *line;
    EndFn     *ended;           // NULL: nobody asks
    SilenceFn *silence;         // NULL: nobody asks
    LineFn    *prompt;          // a line without its end, of one that waits for what is typed
} ProcessEvents;

// What a program inherits besides its own output.
typedef struct Inherited {
    const char *input;          // the file that is its standard input; NULL: nothing; `-`: ours
    int         fd;             // its descriptor 3; -1: none
} Inherited;

enum { PROCESS_INHERITED = 3 };

// Starts a program with its output in pipes. Gives false and says why when there is no such program
// or file.
bool process_start(Process *p, const char *name, const char *const *argv, Inherited from,
                   const char **why);

// Whether it waits for something to be typed just now; false also where nobody can tell.
bool process_reads_input(const Process *p);

// Makes of `p` no process, but the reader of a pipe that processes inherit: it is at its end when
// they all are. Gives the writing end, to be closed when they are started, or -1 and says why.
int process_listen(Process *p, const char *name, const char **why);

// Reads what the processes print until all have ended, and takes their statuses. SIGINT, SIGTERM or
// SIGHUP to this program ends them all, politely at first; then true is given.
bool processes_wait(Arena *a, Process *processes, size_t count, ProcessEvents events, void *cx);

// "SIGSEGV (segmentation fault)", "signal 40".
const char *process_signal(Arena *a, int number);

// Asks them to end.
void processes_stop(Process *processes, size_t count);

// Runs a program in silence; gives its exit status, -1 if it could not be started.
int process_run_quietly(const char *const *argv);

#endif
