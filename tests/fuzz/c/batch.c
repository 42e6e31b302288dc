// batch.c - runs every choreography of a batch, its roles as threads of one process.
//
//   batch FOLDER SECONDS
//
// Each has a child process of its own. FOLDER/NUMBER.out says of each role `NAME STATUS OUT ERR` on
// a line, then so many bytes of output and of errors; FOLDER/NUMBER.err is what the process itself
// says: a sanitizer, mostly. A line `NUMBER STATUS` on standard output ends each. One that takes
// longer than it may is ended by SIGALRM.

#define _GNU_SOURCE 1

#include "batch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "role.h"
#include "streams.h"

enum { MOST_ROLES = 32 };

typedef struct Actor {
    PychoralProgram program;            // with a body of ours
    int (*body)(PychoralRole *role);
    FILE *out, *err;
    char *out_text, *err_text;
    size_t out_size, err_size;
    int status;
} Actor;

static Actor actors[MOST_ROLES];
static _Thread_local Actor *self;

#undef stdout
#undef stderr

FILE *fuzz_stdout(void) { return self ? self->out : stdout; }
FILE *fuzz_stderr(void) { return self ? self->err : stderr; }

static int act(PychoralRole *role)
{
    Actor *actor = actors;
    while (&actor->program != role->program)
        actor++;
    self = actor;
    int status = actor->body(role);
    self = NULL;
    return status;
}

static size_t prepare(const Choreography *c, const PychoralProgram **programs)
{
    size_t count = 0;
    for (; *c->programs[count] != NULL && count < MOST_ROLES; count++) {
        Actor *actor = &actors[count];
        actor->program = **c->programs[count];
        actor->body = actor->program.body;
        actor->program.body = act;
        actor->out = open_memstream(&actor->out_text, &actor->out_size);
        actor->err = open_memstream(&actor->err_text, &actor->err_size);
        programs[count] = &actor->program;
    }
    return count;
}

static void report(size_t count, const int *statuses, const char *path)
{
    FILE *file = fopen(path, "w");
    for (size_t i = 0; i < count; i++) {
        Actor *actor = &actors[i];
        fclose(actor->out);
        fclose(actor->err);
        fprintf(file, "%s %d %zu %zu\n", actor->program.role, statuses[i], actor->out_size,
                actor->err_size);
        fwrite(actor->out_text, 1, actor->out_size, file);
        fwrite(actor->err_text, 1, actor->err_size, file);
        free(actor->out_text);
        free(actor->err_text);
    }
    fclose(file);
}

static void perform(const Choreography *c, const char *folder, unsigned seconds)
{
    const PychoralProgram *programs[MOST_ROLES];
    int statuses[MOST_ROLES] = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/%lu.err", folder, c->number);
    int errors = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(errors, STDERR_FILENO);
    close(errors);
    alarm(seconds);
    size_t count = prepare(c, programs);
    bool good = pychoral_together(programs, count, statuses);
    snprintf(path, sizeof path, "%s/%lu.out", folder, c->number);
    report(count, statuses, path);
    exit(good ? 0 : 1);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    for (const Choreography *c = batch; c->number != 0; c++) {
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            perform(c, argv[1], (unsigned)atoi(argv[2]));
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return 1;
        printf("%lu %d\n", c->number,
               WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    }
    return 0;
}
