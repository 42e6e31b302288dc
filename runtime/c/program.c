// program.c - one role as a process, or several as threads of one (as program.py).
//
// PROTOCOL.md section 8. However a role ends - its body returns, a call has failed, `exit` was
// called, a signal came - its peers are told, the reason is printed, and the status says it.

#define _DEFAULT_SOURCE 1               // on_exit, MAP_ANONYMOUS, MADV_WIPEONFORK

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "durable.h"
#include "lines.h"
#include "rendezvous.h"
#include "room.h"
#include "show.h"
#include "trace.h"

enum {
    PAGE = 4096,
    MAPPED_SIZE = 4 * 1024 * 1024,      // buffers from here on are pages that the system clears
    SPARE_SIZE = 4 * MAPPED_SIZE,       // freed memory that is kept for the next ones
    STACK_SIZE = 64 * 1024 * 1024,      // of a role that is a thread: programs recurse
};

// --- making and ending a role ---

// A page that reads 1 in the role's own process and 0 in its forked children.
static volatile char *process_page(void)
{
    char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return NULL;
    if (madvise(page, PAGE, MADV_WIPEONFORK) != 0) {
        munmap(page, PAGE);
        return NULL;
    }
    *page = 1;
    return page;
}

// Where lines about the run go, by an option; NULL without a fault if it was not given.
static PychoralLines *open_lines(const PychoralRole *role, const char *path, const char *what,
                                 PychoralFault *fault)
{
    return path ? pychoral_lines_open(path, role->name, what, false, fault) : NULL;
}

static bool open_trace(PychoralRole *role, PychoralFault *fault)
{
    const PychoralProgram *program = role->program;
    size_t me = 0;
    while (me + 1 < program->role_count && strcmp(program->roles[me], program->role) != 0)
        me++;
    role->trace = pychoral_trace_open(role->settings->trace, program->roles, program->role_count,
                                      me, fault);
    return role->trace != NULL;
}

static bool open_files(PychoralRole *role, PychoralFault *fault)
{
    const PychoralSettings *settings = role->settings;
    role->log_json = open_lines(role, settings->log_json, "log", fault);
    if (fault->status == 0)
        role->history = open_lines(role, settings->history, "history", fault);
    if (fault->status == 0 && settings->show)
        role->show = pychoral_show_open(role->program, settings->show, fault);
    if (fault->status == 0 && settings->watch)
        role->watch = pychoral_show_open(role->program, settings->watch, fault);
    return fault->status == 0 && (!settings->trace || open_trace(role, fault));
}

static PychoralRole *new_role(const PychoralProgram *program, const PychoralSettings *settings,
                              PychoralFault *fault)
{
    PychoralRole *role = calloc(1, sizeof *role);
    if (role) {
        role->program = program;
        role->settings = settings;
        role->name = program->role;
        role->run = "";
        role->thread = pthread_self();
        role->process = getpid();
        role->place.lock = -1;
        role->same_process = process_page();
        role->links = calloc(program->peer_count + 1, sizeof *role->links);
        pychoral_lock_init(&role->lock);
    }
    if (role && role->links && role->same_process)
        return role;
    pychoral_fault_set(fault, PYCHORAL_EXIT_OWN_ERROR, "memory is exhausted");
    return role;
}

static void free_role(PychoralRole *role)
{
    if (!role)
        return;
    if (role->links)
        pychoral_rendezvous_close(role);
    for (size_t i = 0; role->links && i < role->program->peer_count; i++)
        free(role->links[i].agreed);
    pychoral_lines_close(role->log_json);
    pychoral_lines_close(role->history);
    pychoral_trace_close(role->trace);
    pychoral_show_close(role->show);
    pychoral_show_close(role->watch);
    pychoral_writer_clear(&role->writer);
    pychoral_durable_close(role);
    pychoral_lock_destroy(&role->lock);
    if (role->same_process)
        munmap((void *)(uintptr_t)role->same_process, PAGE);
    free(role->links);
    free(role);
}

// --- the run ---

// What was printed and not written yet may have no room.
static void flush_output(PychoralRole *role)
{
    const char *why = fflush(stdout) != 0 ? strerror(errno) : "some of it was not written";
    if (!ferror(stdout))
        return;
    if (role->fault.status == 0)
        pychoral_role_fail(role, PYCHORAL_EXIT_OWN_ERROR,
                           "its output is lost: standard output cannot be written: %s", why);
    else
        fprintf(stderr, "%s: its output is lost, too: standard output cannot be written: %s\n",
                role->name, why);
}

// What the body's own status says, unless a call has failed and said more.
static void judge(PychoralRole *role, int status)
{
    flush_output(role);
    if (role->fault.status || status == 0)
        return;
    if (atomic_load(&pychoral_memory_end.has_come)) {
        pychoral_role_fail(role, PYCHORAL_EXIT_OWN_ERROR, "memory is exhausted");
        return;
    }
    pychoral_role_fail(role, status, "it ended with exit status %d", status);
    role->is_own_status = true;
}

// A library has not got the memory that it cannot do without, as libzmq for a connection.
static void on_abort(int number)
{
    static const char text[] = "memory is exhausted, it seems (ulimit -v): a library has ended the "
                               "program\n";
    int status = atomic_load(&pychoral_memory_end.said);
    (void)number;
    if (status == 0 && write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(PYCHORAL_EXIT_OWN_ERROR);
    _exit(status ? status : PYCHORAL_EXIT_OWN_ERROR);
}

// Tells the peers, prints the reason. The role's exit status.
static int finish(PychoralRole *role, int status)
{
    pychoral_room_give(role->reserve);
    role->reserve = NULL;
    pychoral_lock_enter(&role->lock);
    if (!role->is_over) {
        judge(role, status & 0xFF);
        bool failed = role->fault.status != 0;
        if (failed && !role->is_own_status)
            pychoral_report_say(role, role->fault.text);
        atomic_store(&pychoral_memory_end.said, role->fault.status);
        pychoral_role_end(role);
        if (!failed && role->fault.status)      // it could not be confirmed
            pychoral_report_say(role, role->fault.text);
    }
    pychoral_lock_leave(&role->lock);
    return role->fault.status;
}

static bool is_forked(const PychoralRole *role)
{
    return !*role->same_process || role->process != getpid();
}

// The body has called `exit`. The handler cannot be taken back, so it gets a box that is emptied.
static void on_exit_called(int status, void *box)
{
    PychoralRole *role = *(PychoralRole **)box;
    free(box);
    if (!role || is_forked(role)) {
        if (atomic_load(&pychoral_memory_end.has_come))
            fputs("memory is exhausted\n", stderr);
        return;
    }
    int found = finish(role, status);
    pychoral_keeper_stop(role);
    free_role(role);
    if (found == (status & 0xFF))
        return;
    fflush(NULL);
    _exit(found);
}

static int run_body(PychoralRole *role)
{
    if (role->history)
        pychoral_report_begin(role);
    pychoral_lock_enter(&role->lock);
    bool good = pychoral_role_open(role);
    pychoral_lock_leave(&role->lock);
    return good ? role->program->body(role) : PYCHORAL_EXIT_PEER_LOST;
}

static int converse(PychoralRole *role)
{
    PychoralRole **box = role->shares_process ? NULL : malloc(sizeof *box);
    if (box) {
        *box = role;
        if (on_exit(on_exit_called, box) == 0)
            atomic_store(&pychoral_memory_end.is_awaited, true);
    }
    role->reserve = pychoral_room_reserve();
    int status = run_body(role);
    if (is_forked(role))                // a child came back from the body: it is not the role
        _exit(role->fault.status ? role->fault.status : status);
    if (box)
        *box = NULL;
    status = finish(role, status);
    pychoral_keeper_stop(role);
    return status;
}

// Whether an earlier process of a durable role has done it all.
static bool has_ended(const PychoralRole *role)
{
    if (pychoral_durable_has_ended(role))
        fprintf(stderr, "%s: has already ended, according to the journal %s\n", role->name,
                role->settings->journal);
    return pychoral_durable_has_ended(role);
}

// Peers that wait for this role to start are told why it does not. One with a journal is started
// again.
static void bid_farewell(PychoralRole *role, void *context, const PychoralFault *fault)
{
    const struct timespec while_they_look = {PYCHORAL_FAREWELL_MS / 1000, 0};
    if (!role || !role->is_placed || role->settings->journal)
        return;
    role->fault = *fault;
    if (pychoral_rendezvous_farewell(role, context, fault->text)) {
        pychoral_role_begin(role);
        pychoral_role_end(role);
    } else if (role->place.path[0]) {
        nanosleep(&while_they_look, NULL);
    }
}

// Runs one role over `context`, or a context of its own.
static int run(const PychoralProgram *program, const PychoralSettings *settings, void *context)
{
    PychoralFault fault = {0};
    PychoralRole *role = new_role(program, settings, &fault);
    int status = 0;
    if (role && fault.status == 0 && program->reading && !program->reading->agree(role)) {
        status = PYCHORAL_EXIT_OWN_ERROR;
        fault = role->fault;
    } else if (role && fault.status == 0) {
        role->shares_process = context != NULL;
        if (open_files(role, &fault) && pychoral_rendezvous_open(role, context, &fault) &&
            !has_ended(role) && pychoral_keeper_start(role, &fault))
            status = converse(role);
    }
    if (fault.status) {
        fprintf(stderr, "%s: %s\n", program->role, fault.text);
        bid_farewell(role, context, &fault);
    }
    free_role(role);
    return fault.status ? fault.status : status;
}

// A role makes and lets go of a buffer for each large message. Of pages that are fresh each time,
// as libc has them from 128 KiB on, clearing takes longer than sending. Where addresses are
// limited, threads share one arena: each would set 64 MiB of them aside.
static void keep_memory(void)
{
    if (pychoral_room_is_limited()) {
        mallopt(M_ARENA_MAX, 1);
        signal(SIGABRT, on_abort);
    }
    mallopt(M_MMAP_THRESHOLD, MAPPED_SIZE);
    mallopt(M_TRIM_THRESHOLD, SPARE_SIZE);
}

// Files that are opened first get these numbers if nothing has them: what is printed would go
// into a journal or wake a thread of libzmq.
static void open_standard(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)!open("/dev/null", file == STDIN_FILENO ? O_RDONLY : O_WRONLY);
}

int pychoral_main(const PychoralProgram *program, int argc, char **argv)
{
    PychoralSettings settings;
    PychoralFault fault = {0};
    int status = 0;
    open_standard();
    signal(SIGPIPE, SIG_IGN);           // reports that nobody reads must not end the role,
    signal(SIGXFSZ, SIG_IGN);           // nor files that must not grow
    keep_memory();
    if (!pychoral_options_read(program, argc, argv, &settings, &fault)) {
        fprintf(stderr, "%s: %s\n", program->role, fault.text);
        status = fault.status;
    } else if (settings.help) {
        pychoral_options_help(program);
    } else {
        status = run(program, &settings, NULL);
    }
    pychoral_options_free(&settings);
    return status;
}

// --- several in one process ---

typedef struct {
    const PychoralProgram *program;
    PychoralSettings settings;
    void *context;
    char *words[2];                     // a command line without options
    char *texts;                        // addresses
    pthread_t thread;
    int status;
} Actor;

static void *act(void *argument)
{
    Actor *actor = argument;
    actor->status = run(actor->program, &actor->settings, actor->context);
    return NULL;
}

// Each role has an address by its name; options have the values that they have by themselves.
static bool prepare(Actor *actor, const PychoralProgram *program, void *context)
{
    PychoralFault fault = {0};
    actor->words[0] = (char *)(uintptr_t)program->role;
    actor->program = program;
    actor->context = context;
    enum { SIZE = PYCHORAL_ADDRESS_SIZE };
    actor->texts = malloc((program->peer_count + 1) * SIZE);
    if (!actor->texts || !pychoral_options_read(program, 1, actor->words, &actor->settings, &fault))
        return false;
    snprintf(actor->texts, SIZE, "inproc://%s", program->role);
    actor->settings.bind = actor->texts;
    for (size_t i = 0; i < program->peer_count; i++) {
        char *text = actor->texts + (i + 1) * SIZE;
        snprintf(text, SIZE, "inproc://%s", program->peers[i].name);
        actor->settings.peers[i].peer_address = text;
    }
    return true;
}

static size_t start_all(Actor *actors, size_t count)
{
    size_t started = 0;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return 0;
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    while (started < count &&
           pthread_create(&actors[started].thread, &attributes, act, &actors[started]) == 0)
        started++;
    pthread_attr_destroy(&attributes);
    return started;
}

bool pychoral_together(const PychoralProgram *const *programs, size_t count, int *statuses)
{
    void *context = zmq_ctx_new();
    Actor *actors = calloc(count + 1, sizeof *actors);
    bool good = context && actors;
    for (size_t i = 0; good && i < count; i++)
        good = prepare(&actors[i], programs[i], context);
    size_t started = good ? start_all(actors, count) : 0;
    for (size_t i = 0; i < started; i++) {      // one that lacks a peer ends by its deadline
        pthread_join(actors[i].thread, NULL);
        statuses[i] = actors[i].status;
    }
    for (size_t i = 0; actors && i < count; i++) {
        free(actors[i].texts);
        pychoral_options_free(&actors[i].settings);
    }
    free(actors);
    if (context)
        zmq_ctx_term(context);
    return good && started == count;
}
