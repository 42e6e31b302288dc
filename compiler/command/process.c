// process.c - fork and ppoll. Signals are let in only while ppoll waits, so that none is
// missed and nothing has to be remembered outside the stack.

#define _GNU_SOURCE             // ppoll, in POSIX since 2024

#include "compiler/command/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compiler/base/buf.h"

enum { CHUNK = 4096, MOST_CHUNKS = 64, GRACE_SECONDS = 3, SILENCE_SECONDS = 3,
       PROMPT_NANOSECONDS = 30000000 };

// ---- starting ----

static bool is_typed(Inherited from) { return from.input && strcmp(from.input, "-") == 0; }

static bool take_files(Inherited from, const int *out)
{
    int input = is_typed(from) ? STDIN_FILENO
                               : open(from.input ? from.input : "/dev/null", O_RDONLY);
    return input >= 0 && dup2(input, STDIN_FILENO) >= 0
           && (input == STDIN_FILENO || close(input) == 0) && dup2(out[0], STDOUT_FILENO) >= 0
           && dup2(out[1], STDERR_FILENO) >= 0
           && (from.fd < 0 || dup2(from.fd, PROCESS_INHERITED) >= 0);
}

// The child. It ends by itself when this process is killed; and it has a group of its own, so that
// Ctrl-C reaches it once, through this process, and not twice. One that reads what is typed stays
// in ours: a terminal stops a reader of another group.
static bool become(const char *const *argv, Inherited from, const int *out, pid_t parent)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t none;
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        signal(ending[i], SIG_DFL);
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent
        || (!is_typed(from) && setpgid(0, 0) != 0) || !take_files(from, out)
        || sigprocmask(SIG_SETMASK, &none, NULL) != 0)
        return false;
    execvp(argv[0], (char *const *)argv);
    return false;
}

// What errno was in a child that came no further than to say so; 0 if it became the program.
static int wait_for_start(pid_t pid, int file)
{
    int why = 0, status;
    ssize_t got;
    while ((got = read(file, &why, sizeof why)) < 0 && errno == EINTR)
        ;
    if (got <= 0)
        return 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return why;
}

static int spawn(pid_t *pid, const char *const *argv, Inherited from, const int *out)
{
    int told[2];
    pid_t parent = getpid();
    if (pipe2(told, O_CLOEXEC) != 0)
        return errno;
    int teller = fcntl(told[1], F_DUPFD_CLOEXEC, PROCESS_INHERITED + 1);
    close(told[1]);
    *pid = teller < 0 ? -1 : fork();
    int why = errno;
    if (*pid == 0) {
        become(argv, from, out, parent);
        why = errno;
        _exit(write(teller, &why, sizeof why) < 0 ? 126 : 127);
    }
    close(teller);
    why = *pid < 0 ? why : wait_for_start(*pid, told[0]);
    close(told[0]);
    return why;
}

static void close_pair(const int *fds)
{
    close(fds[0]);
    close(fds[1]);
}

int process_listen(Process *p, const char *name, const char **why)
{
    int ends[2];
    *p = (Process){.name = name, .fds = {-1, -1}};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        *why = strerror(errno);
        return -1;
    }
    p->fds[0] = ends[0];
    return ends[1];
}

bool process_start(Process *p, const char *name, const char *const *argv, Inherited from,
                   const char **why)
{
    int output[2], errors[2];
    *p = (Process){.name = name, .fds = {-1, -1}, .status = -1, .typed = is_typed(from)};
    if (from.input && !p->typed && access(from.input, R_OK) != 0) {
        *why = strerror(errno);
        return false;
    }
    if (pipe2(output, O_CLOEXEC) != 0) {
        *why = strerror(errno);
        return false;
    }
    if (pipe2(errors, O_CLOEXEC) != 0) {
        *why = strerror(errno);
        close_pair(output);
        return false;
    }
    const int ends[PROCESS_STREAMS] = {output[1], errors[1]};
    int error = spawn(&p->pid, argv, from, ends);
    close_pair(ends);
    p->fds[0] = output[0];
    p->fds[1] = errors[0];
    if (error) {
        *why = strerror(error);
        close_pair(p->fds);
        p->fds[0] = p->fds[1] = -1;
    }
    return error == 0;
}

static int exit_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

const char *process_signal(Arena *a, int number)
{
    static const struct { int number; const char *text; } known[] = {
        {SIGSEGV, "SIGSEGV (segmentation fault)"}, {SIGBUS, "SIGBUS (bus error)"},
        {SIGFPE, "SIGFPE (arithmetic error)"}, {SIGILL, "SIGILL (illegal instruction)"},
        {SIGABRT, "SIGABRT (aborted)"}, {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"},
        {SIGINT, "SIGINT"}, {SIGHUP, "SIGHUP"}, {SIGXCPU, "SIGXCPU (CPU time limit)"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].number == number)
            return known[i].text;
    Buf b = buf_new(a);
    buf_printf(&b, "signal %d", number);
    return buf_text(&b);
}

int process_run_quietly(const char *const *argv)
{
    pid_t pid;
    int status, null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int out[PROCESS_STREAMS] = {null, null};
    int error = spawn(&pid, argv, (Inherited){NULL, -1}, out);
    close(null);
    if (error)
        return -1;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return exit_status(status);
}

// ---- reading ----

static void append(Arena *a, Process *p, int stream, const char *at, size_t len)
{
    size_t have = p->pending[stream].len;
    if (have + len > p->pending[stream].cap) {
        size_t cap = 2 * (have + len);
        char *bigger = arena_alloc(a, cap);
        if (have)
            memcpy(bigger, p->pending[stream].at, have);
        p->pending[stream].at = bigger;
        p->pending[stream].cap = cap;
    }
    memcpy(p->pending[stream].at + have, at, len);
    p->pending[stream].len = have + len;
}

static void flush_line(Process *p, int stream, LineFn *line, void *cx)
{
    line(cx, p, stream, (Text){p->pending[stream].at, p->pending[stream].len});
    p->pending[stream].len = 0;
}

static void read_stream(Arena *a, Process *p, int stream, LineFn *line, void *cx)
{
    char chunk[CHUNK];
    ssize_t got = read(p->fds[stream], chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        if (p->pending[stream].len > 0)
            flush_line(p, stream, line, cx);
        close(p->fds[stream]);
        p->fds[stream] = -1;
        return;
    }
    for (const char *at = chunk, *end = chunk + got; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        append(a, p, stream, at, (size_t)((newline ? newline : end) - at));
        if (newline)
            flush_line(p, stream, line, cx);
        at = newline ? newline + 1 : end;
    }
}

// ---- prompts ----

// The kernel says in which system call a thread is, and with what: `0 0x0 ...` is a read of
// descriptor 0.
bool process_reads_input(const Process *p)
{
    char path[32], line[64] = "", wanted[32];
    snprintf(path, sizeof path, "/proc/%ld/syscall", (long)p->pid);
    int fd = p->pid > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    ssize_t got = read(fd, line, sizeof line - 1);
    close(fd);
    snprintf(wanted, sizeof wanted, "%d 0x%x ", SYS_read, STDIN_FILENO);
    return got > 0 && strncmp(line, wanted, strlen(wanted)) == 0;
}

static bool may_prompt(const Process *p)
{
    return p->typed && (p->pending[0].len > 0 || p->pending[1].len > 0);
}

// ---- waiting ----

static void note_signal(int number) { (void)number; }

static void signal_all(Process *processes, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (processes[i].pid > 0 && (processes[i].fds[0] >= 0 || processes[i].fds[1] >= 0)) {
            kill(processes[i].pid, number);
            processes[i].stopped = true;
        }
}

void processes_stop(Process *processes, size_t count)
{
    signal_all(processes, count, SIGTERM);
}

// Fills the table for ppoll; gives how many streams are still open.
static size_t open_streams(Process *processes, size_t count, struct pollfd *polls)
{
    size_t open = 0;
    for (size_t i = 0; i < count * PROCESS_STREAMS; i++) {
        int fd = processes[i / PROCESS_STREAMS].fds[i % PROCESS_STREAMS];
        polls[i] = (struct pollfd){.fd = fd, .events = POLLIN};
        open += fd >= 0;
    }
    return open;
}

// Takes the status of a process both of whose streams are at their ends. One that was told to stop
// may have ended otherwise before it heard of it.
static void reap(Process *p, size_t place)
{
    int status;
    while (waitpid(p->pid, &status, 0) < 0)
        if (errno != EINTR)
            return;
    p->status = exit_status(status);
    p->killed_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    p->stopped = p->stopped && (p->status == 128 + SIGTERM || p->status == 128 + SIGKILL);
    p->place = place;
    p->pid = 0;
}

typedef struct Pump {
    Arena   *arena;
    Process *processes;
    size_t   count;
    ProcessEvents events;       // `silence` is NULL once it has nothing more to say
    void    *cx;
    struct pollfd *polls;
    bool     ending;            // they have been told to end
} Pump;

static bool has_more(int fd)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    return fd >= 0 && poll(&one, 1, 0) > 0;
}

// Reads the output of a process as far as it is there; false: there is still more.
static bool drain(Pump *p, Process *one)
{
    for (int chunks = 0; chunks < MOST_CHUNKS && has_more(one->fds[0]); chunks++)
        read_stream(p->arena, one, 0, p->events.line, p->cx);
    return !has_more(one->fds[0]);
}

// How a process has failed is the last that it writes, to standard error: that is read when all
// that it has printed, and what all say of their messages, has been.
static void read_ready(Pump *p)
{
    bool said = true;
    for (size_t i = 0; i < p->count; i++) {
        Process *one = &p->processes[i];
        const struct pollfd *polls = &p->polls[i * PROCESS_STREAMS];
        bool printed = drain(p, one);
        if (one->pid == 0)              // it listens to all
            said = printed;
        if (said && printed && polls[1].fd >= 0 && polls[1].revents)
            read_stream(p->arena, one, 1, p->events.line, p->cx);
    }
}

static bool some_may_prompt(const Pump *p)
{
    for (size_t i = 0; p->events.prompt && i < p->count; i++)
        if (may_prompt(&p->processes[i]))
            return true;
    return false;
}

static void show_prompts(Pump *p)
{
    for (size_t i = 0; i < p->count; i++) {
        Process *one = &p->processes[i];
        if (!may_prompt(one) || !process_reads_input(one))
            continue;
        for (int stream = PROCESS_STREAMS - 1; stream >= 0; stream--)
            if (one->pending[stream].len > 0)
                flush_line(one, stream, p->events.prompt, p->cx);
    }
}

static void end_all(Pump *p)
{
    processes_stop(p->processes, p->count);
    p->ending = true;
}

// Ends all if one that has just ended leaves the others without a chance.
static void reap_ended(Pump *p)
{
    size_t ended = 0;
    EndAnswer worst = END_OTHERS_GO_ON;
    for (size_t i = 0; i < p->count; i++)
        ended += p->processes[i].place > 0;
    for (size_t i = 0; i < p->count; i++) {
        Process *one = &p->processes[i];
        if (one->pid <= 0 || one->fds[0] >= 0 || one->fds[1] >= 0)
            continue;
        reap(one, ++ended);
        EndAnswer answer = p->events.ended ? p->events.ended(p->cx, one) : END_OTHERS_GO_ON;
        worst = answer > worst ? answer : worst;
    }
    if (worst == END_OTHERS_AT_ONCE)
        signal_all(p->processes, p->count, SIGKILL);
    if (worst != END_OTHERS_GO_ON)
        end_all(p);
}

static bool some_failed(const Pump *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->processes[i].place > 0 && p->processes[i].status != 0)
            return true;
    return false;
}

static void tell_silence(Pump *p)
{
    Silence answer = p->events.silence(p->cx, some_failed(p));
    if (answer != SILENCE_SAY_MORE)
        p->events.silence = NULL;
    if (answer == SILENCE_HOPELESS)
        end_all(p);
}

// Reads all streams to their ends; gives whether a signal interrupted.
static bool pump(Pump *p, const sigset_t *outside)
{
    const struct timespec grace = {.tv_sec = GRACE_SECONDS}, silence = {.tv_sec = SILENCE_SECONDS},
                          prompt = {.tv_nsec = PROMPT_NANOSECONDS};
    bool interrupted = false;
    while (open_streams(p->processes, p->count, p->polls) > 0) {
        bool prompts = !p->ending && some_may_prompt(p), curious = !p->ending && p->events.silence;
        int ready = ppoll(p->polls, p->count * PROCESS_STREAMS, p->ending ? &grace :
                          prompts ? &prompt : curious ? &silence : NULL, outside);
        if (ready == 0 && prompts) {
            show_prompts(p);
        } else if (ready == 0 && curious) {
            tell_silence(p);
        } else if (ready < 0 && errno == EINTR) {
            end_all(p);
            interrupted = true;
        } else if (ready == 0) {
            signal_all(p->processes, p->count, SIGKILL);
        } else if (ready > 0) {
            read_ready(p);
        }
        reap_ended(p);
    }
    return interrupted;
}

bool processes_wait(Arena *a, Process *processes, size_t count, ProcessEvents events, void *cx)
{
    Pump p = {a, processes, count, events, cx,
              ARENA_ARRAY(a, struct pollfd, count * PROCESS_STREAMS + 1), false};
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction old[sizeof numbers / sizeof *numbers];
    struct sigaction action = {.sa_handler = note_signal};
    sigset_t caught, outside;
    sigemptyset(&caught);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&caught, numbers[i]);
    sigprocmask(SIG_BLOCK, &caught, &outside);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, &old[i]);
    bool interrupted = pump(&p, &outside);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &old[i], NULL);
    sigprocmask(SIG_SETMASK, &outside, NULL);
    return interrupted;
}
