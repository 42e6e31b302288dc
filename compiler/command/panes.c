// panes.c - a pane runs `cat` on a named pipe. The roles stay processes of `run`, which writes to
// these pipes instead of to its own output: it looks after them as without panes, and a pane that a
// user closes takes nothing but its text away.

#include "compiler/command/panes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compiler/command/file.h"
#include "compiler/command/process.h"

bool panes_there(Session *s)
{
    const char *tmux = getenv("TMUX");
    if (tmux != NULL && *tmux != '\0')
        return true;
    Diag *d = session_report(s, DIAG_USAGE, "`--panes` requires tmux, but this terminal is not "
                             "inside tmux");
    diag_help(d, "start `tmux`, and run the same command there");
    return false;
}

// The pane: the name of the role, what comes through the pipe, and then a key.
static bool split(const char *role, const char *pipe)
{
    static const char SHOW[] =
        "printf '%s\\n' \"$1\"; cat \"$2\"; printf '(%s has ended; press a key to close)' \"$1\"; "
        "stty -icanon -echo; dd bs=1 count=1 >/dev/null 2>&1";
    const char *const argv[] = {"tmux", "split-window", "-d", "sh", "-c", SHOW, "sh", role, pipe,
                                NULL};
    const char *const tile[] = {"tmux", "select-layout", "tiled", NULL};
    return process_run_quietly(argv) == 0 && process_run_quietly(tile) == 0;
}

// The writing end, once the pane reads. NULL: it does not.
static FILE *open_pipe(const char *path)
{
    enum { TRIES = 250 };
    const struct timespec pause = {.tv_nsec = 20000000};
    int fd = -1;
    for (int i = 0; fd < 0 && i < TRIES; i++) {
        fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0 && errno != ENXIO && errno != EINTR)
            return NULL;
        if (fd < 0)
            nanosleep(&pause, NULL);
    }
    if (fd < 0 || fcntl(fd, F_SETFL, 0) != 0)
        return NULL;
    return fdopen(fd, "w");
}

FILE **panes_open(Session *s, const char *folder, Programs programs)
{
    FILE **panes = ARENA_ARRAY(s->arena, FILE *, programs.len + 1);
    for (size_t i = 0; i < programs.len; i++) {
        const char *role = programs.at[i].role;
        const char *pipe = path_join(s->arena, folder, names_format(s->names, "pane-%s", role));
        bool made = mkfifo(pipe, 0600) == 0 && split(role, pipe);
        panes[i] = made ? open_pipe(pipe) : NULL;
        if (panes[i] == NULL) {
            session_report(s, DIAG_FILE_MISSING, "tmux cannot open a pane for %s", role);
            panes_close(panes, i);
            return NULL;
        }
    }
    return panes;
}

void panes_close(FILE **panes, size_t count)
{
    for (size_t i = 0; panes != NULL && i < count; i++)
        fclose(panes[i]);
}
