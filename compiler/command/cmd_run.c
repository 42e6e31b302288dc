// cmd_run.c - `run`: compiles to a temporary folder, starts one process for each role, shows what
// each one prints behind its role's name, and says which of them failed.

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "compiler/base/json.h"
#include "compiler/base/suggest.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/command/panes.h"
#include "compiler/command/process.h"
#include "compiler/command/program.h"
#include "compiler/command/python.h"
#include "compiler/command/target.h"
#include "compiler/command/terminal.h"

// Whom a role waits for, and where in the source; `peer` is NULL while it does not.
typedef struct Wait { const char *peer, *place; } Wait;

// What a role that waits for the terminal has printed of a line; `of` is NULL when none does.
typedef struct Prompt { const Process *of; Text text; } Prompt;

typedef struct Run {
    Session    *session;
    const Compilation *compilation;
    Programs    programs;       // in Python; those that are in C are other files
    Targets     targets;
    const char **binaries;      // by role; NULL: it is in Python
    RoleParameters parameters;
    const char *folder;         // temporary
    const char *python;
    const char *name;           // tells this run from others at the same time
    Process    *processes;
    Process    *shown;          // in front of the processes: reads what they say of themselves
    int         show;           // where they write that; -1: nowhere
    Wait       *waits;          // by role
    const char **refused;       // by role: what it says of its command line; NULL: nothing
    const char *reader;         // the role that reads what is typed; NULL: none
    FILE      **panes;          // by role: where its lines go; NULL: to our own output
    Prompt      prompt;
    bool        said_runs, said_waits;
    bool        killed;         // a signal has ended one, and nobody starts it again
    bool        colors[PROCESS_STREAMS];
} Run;

// ---- before the start ----

static bool is_of(const RoleParameter *p, const char *role)
{
    for (size_t i = 0; i < p->roles.len; i++)
        if (strcmp(p->roles.at[i], role) == 0)
            return true;
    return false;
}

static bool gives(const RoleOption *option, const RoleParameter *p)
{
    return is_of(p, option->role) && strcmp(option->parameter, p->name) == 0;
}

// What the command line says last of a parameter; NULL: nothing.
static const RoleOption *given(const Run *r, const RoleParameter *p)
{
    const Options *o = &r->session->options;
    for (size_t i = o->role_options.len; i-- > 0;)
        if (gives(&o->role_options.at[i], p))
            return &o->role_options.at[i];
    return NULL;
}

// The parameter that an option gives; NULL: there is none.
static const RoleParameter *parameter_of(const Run *r, const RoleOption *option)
{
    for (size_t i = 0; i < r->parameters.len; i++)
        if (gives(option, &r->parameters.at[i]))
            return &r->parameters.at[i];
    return NULL;
}

// A parameter that several roles must be given alike is given once, by any of their names.
static bool check_alike(Run *r, const RoleParameter *p)
{
    const Options *o = &r->session->options;
    const RoleOption *last = given(r, p);
    for (size_t i = 0; last != NULL && i < o->role_options.len; i++) {
        const RoleOption *each = &o->role_options.at[i];
        if (!gives(each, p) || strcmp(each->role, last->role) == 0
            || strcmp(each->value, last->value) == 0)
            continue;
        session_report(r->session, DIAG_USAGE, "`%s.%s` is %s but `%s.%s` is %s; they must have "
                       "the same value", each->role, p->name, each->value, last->role, p->name,
                       last->value);
        return false;
    }
    return true;
}

static void report_unknown(Run *r, const RoleOption *option)
{
    Session *s = r->session;
    Vec(const char *) names = {0};
    for (size_t i = 0; i < r->parameters.len; i++)
        if (is_of(&r->parameters.at[i], option->role))
            vec_push(s->arena, &names, r->parameters.at[i].name);
    vec_push(s->arena, &names, "stdin");
    Diag *d = session_report(s, DIAG_USAGE, "%s has no parameter `%s`", option->role,
                             option->parameter);
    const char *near = suggest_nearest(option->parameter, names.at, names.len);
    if (near)
        diag_help(d, "did you mean `--%s.%s`?", option->role, near);
    else
        diag_help(d, "the parameters are %s", names_listed(s, option->role, names.at, names.len));
}

// Looked at before anything is started, since a role that does not start lets the others wait.
static bool check_role_options(Run *r)
{
    Session *s = r->session;
    const Options *o = &s->options;
    bool fine = true;
    for (size_t i = 0; i < o->role_options.len; i++) {
        if (programs_find(s, r->programs, o->role_options.at[i].role) == NULL)
            return false;
        if (strcmp(o->role_options.at[i].parameter, "stdin") == 0
            || parameter_of(r, &o->role_options.at[i]) != NULL)
            continue;
        report_unknown(r, &o->role_options.at[i]);
        fine = false;
    }
    for (size_t i = 0; i < r->parameters.len; i++) {
        const RoleParameter *p = &r->parameters.at[i];
        fine &= check_alike(r, p);
        if (p->standard != NULL || given(r, p) != NULL)
            continue;
        Sym role = p->roles.at[0];
        session_report(s, DIAG_USAGE, "%s needs a value for `%s`: write `--%s.%s=VALUE`", role,
                       p->name, role, p->name);
        fine = false;
    }
    return fine;
}

// ---- what was sent when ----

static const char *const trace_kinds[] = {".shiviz", ".log", ".json"};

// The suffix of --trace, which says how it is written; NULL for another one.
static const char *trace_kind(const char *path)
{
    const char *dot = strrchr(path_base(path), '.');
    for (size_t i = 0; dot && i < sizeof trace_kinds / sizeof *trace_kinds; i++)
        if (strcmp(dot, trace_kinds[i]) == 0)
            return trace_kinds[i];
    return NULL;
}

// Before the run, whose events would be lost.
static bool has_folder(Session *s, const char *path)
{
    const char *folder = path_folder(s->arena, path);
    if (folder_exists(folder))
        return true;
    Diag *d = session_report(s, DIAG_OUTPUT_FAILED, "cannot write `%s`: the folder `%s` does not "
                             "exist", path, folder);
    diag_help(d, "create the folder, or choose another one");
    return false;
}

static bool check_trace(Run *r)
{
    Session *s = r->session;
    const char *path = s->options.value[OPTION_TRACE];
    if (path == NULL)
        return true;
    if (trace_kind(path))
        return has_folder(s, path) && session_may_write(s, path, false);
    Diag *d = session_report(s, DIAG_USAGE, "the suffix of `--trace=%s` does not say what to write",
                             path);
    diag_help(d, "use `.shiviz` or `.log` for ShiViz, and `.json` for Chrome and Perfetto");
    return false;
}

static const char *trace_of(const Run *r, size_t role)
{
    const char *name = names_format(r->session->names, "trace-%s%s", r->programs.at[role].role,
                                    trace_kind(r->session->options.value[OPTION_TRACE]));
    return path_join(r->session->arena, r->folder, name);
}

// All roles' events in one file; a role that did not come so far has none.
static Status join_traces(Run *r)
{
    Session *s = r->session;
    const char *path = s->options.value[OPTION_TRACE], *why;
    const char *whole = path_join(s->arena, r->folder,
                                  names_format(s->names, "trace%s", trace_kind(path)));
    Vec(const char *) argv = {0};
    Text bytes;
    vec_push(s->arena, &argv, "env");
    vec_push(s->arena, &argv, names_format(s->names, "PYTHONPATH=%s", output_runtime_folder(s)));
    vec_push(s->arena, &argv, r->python);
    vec_push(s->arena, &argv, "-m");
    vec_push(s->arena, &argv, "pychoral.trace");
    bool traced = false;
    for (size_t i = 0; i < r->programs.len; i++)
        if (file_exists(trace_of(r, i))) {
            vec_push(s->arena, &argv, trace_of(r, i));
            traced = true;
        }
    vec_push(s->arena, &argv, "-o");
    vec_push(s->arena, &argv, whole);
    vec_push(s->arena, &argv, NULL);
    if (process_run_quietly(argv.at) == 0 && file_read(s->arena, whole, &bytes, &why))
        return session_write_new(s, path, bytes);
    session_report(s, DIAG_OUTPUT_FAILED, "cannot write `%s`: %s", path, traced
                   ? "the traces of the roles cannot be joined" : "the roles wrote no traces");
    return STATUS_FILE;
}

// ---- one role ----

static const char *format_option(Run *r, const char *name, const char *value)
{
    Buf b = buf_new(r->session->arena);
    buf_printf(&b, "--%s=%s", name, value);
    return buf_text(&b);
}

static bool start_role(Run *r, size_t i)
{
    Session *s = r->session;
    const RoleProgram *program = &r->programs.at[i];
    const Options *o = &s->options;
    bool reader = r->reader && strcmp(r->reader, program->role) == 0;
    const char *input = reader ? "-" : NULL, *why;
    Vec(const char *) argv = {0};
    if (r->binaries[i]) {
        vec_push(s->arena, &argv, path_join(s->arena, r->folder, r->binaries[i]));
    } else {
        vec_push(s->arena, &argv, r->python);
        vec_push(s->arena, &argv, path_join(s->arena, r->folder, program->file.name));
    }
    vec_push(s->arena, &argv, format_option(r, "run", r->name));
    if (o->value[OPTION_TIMEOUT])
        vec_push(s->arena, &argv, format_option(r, "timeout", o->value[OPTION_TIMEOUT]));
    vec_push(s->arena, &argv, names_format(s->names, "--watch=/dev/fd/%d", PROCESS_INHERITED));
    if (o->value[OPTION_SHOW])
        vec_push(s->arena, &argv, names_format(s->names, "--show=/dev/fd/%d", PROCESS_INHERITED));
    if (o->value[OPTION_TRACE])
        vec_push(s->arena, &argv, format_option(r, "trace", trace_of(r, i)));
    for (size_t j = 0; j < o->role_options.len; j++) {
        const RoleOption *option = &o->role_options.at[j];
        const RoleParameter *p = parameter_of(r, option);
        if (p != NULL && is_of(p, program->role))
            vec_push(s->arena, &argv,
                     format_option(r, names_format(s->names, "%s.%s", program->role, p->name),
                                   option->value));
        else if (p == NULL && strcmp(option->role, program->role) == 0)
            input = option->value;
    }
    vec_push(s->arena, &argv, NULL);
    Inherited from = {input, r->show};
    if (process_start(&r->processes[i], program->role, argv.at, from, &why))
        return true;
    if (input != NULL && strcmp(input, "-") != 0 && access(input, R_OK) != 0)
        session_report(s, DIAG_FILE_MISSING, "cannot read `%s`, the standard input of %s: %s",
                       input, program->role, why);
    else
        session_report(s, DIAG_FILE_MISSING, "`%s` cannot be started for %s: %s", argv.at[0],
                       program->role, why);
    return false;
}

// ---- what they print ----

static int color_of(size_t role)
{
    static const int colors[] = {36, 33, 35, 32, 34, 31};       // ECMA-48
    return colors[role % (sizeof colors / sizeof *colors)];
}

static size_t index_of(const Run *r, Text name)
{
    size_t i = 0;
    while (i < r->programs.len && (strlen(r->programs.at[i].role) != name.len
                                   || memcmp(r->programs.at[i].role, name.at, name.len) != 0))
        i++;
    return i;
}

static void print_role(const Run *r, FILE *out, Text name, const char *behind)
{
    size_t i = index_of(r, name);
    bool color = r->colors[out == stdout ? 0 : 1] && i < r->programs.len;
    if (color)
        fprintf(out, "\033[%dm", color_of(i));
    fwrite(name.at, 1, name.len, out);
    fputs(behind, out);
    if (color)
        fputs("\033[0m", out);
}

// The next of the fields of a line, which tabs separate.
static Text next_field(Text *line)
{
    const char *tab = memchr(line->at, '\t', line->len);
    Text field = {line->at, tab ? (size_t)(tab - line->at) : line->len};
    size_t skip = field.len + (tab != NULL);
    *line = (Text){line->at + skip, line->len - skip};
    return field;
}

static const char *kept(const Run *r, Text text)
{
    return arena_strndup(r->session->arena, text.at, text.len);
}

static void note_wait(Run *r, Text line)
{
    size_t i = index_of(r, next_field(&line));
    Text peer = next_field(&line);
    if (i == r->programs.len)
        return;
    r->waits[i] = peer.len == 0 ? (Wait){NULL, ""} : (Wait){kept(r, peer), kept(r, line)};
}

// `Client -> IP  com auth.pyc:12  'alice'`: runtime/python/pychoral/show.py has written it. A line
// without a sender says whom a role waits for.
static void print_message(Run *r, Text line)
{
    FILE *out = stdout;
    Text sender = next_field(&line);
    if (sender.len == 0) {
        note_wait(r, line);
        return;
    }
    Text receiver = next_field(&line), kind = next_field(&line), place = next_field(&line);
    print_role(r, out, sender, "");
    fputs(" -> ", out);
    print_role(r, out, receiver, "");
    fprintf(out, "  %.*s%s%.*s  %.*s\n", (int)kind.len, kind.at, place.len > 0 ? " " : "",
            (int)place.len, place.at, (int)line.len, line.at);
    fflush(out);
}

// The runtime's own lines to standard error begin with the role already.
static bool starts_with_role(const Process *p, Text line)
{
    size_t len = strlen(p->name);
    return line.len > len + 1 && memcmp(line.at, p->name, len) == 0 && line.at[len] == ':'
           && line.at[len + 1] == ' ';
}

// `--n: 'x' is not a valid int`, `--A.run: ..` for a name that the runtime has too: what a role
// says of a parameter on its command line, before it does anything. Gives what follows it.
static const char *after_parameter(const Run *r, const Process *p, const char *line)
{
    size_t role = strlen(p->name);
    const char *name = strncmp(line, "--", 2) == 0 ? line + 2 : line;
    if (strncmp(name, p->name, role) == 0 && name[role] == '.')
        name += role + 1;
    for (size_t i = 0; name != line && i < r->parameters.len; i++) {
        const RoleParameter *one = &r->parameters.at[i];
        size_t len = strlen(one->name);
        if (is_of(one, p->name) && strncmp(name, one->name, len) == 0 && name[len] == ':')
            return name + len;
    }
    return NULL;
}

// A line to standard error, for a program that reads objects there.
static void print_object(const Process *p, Text line)
{
    Arena *a = arena_new();
    Buf b = buf_new(a);
    buf_puts(&b, "{\"output\":{\"role\":");
    json_string(&b, (Text){p->name, strlen(p->name)});
    buf_puts(&b, ",\"text\":");
    json_string(&b, line);
    buf_puts(&b, "}}\n");
    fputs(buf_text(&b), stderr);
    arena_free(a);
}

static void print_prompt(Run *r)
{
    print_role(r, stdout, (Text){r->prompt.of->name, strlen(r->prompt.of->name)}, ":");
    fputc(' ', stdout);
    fwrite(r->prompt.text.at, 1, r->prompt.text.len, stdout);
    fflush(stdout);
}

static void note_prompt(void *cx, const Process *p, int stream, Text line)
{
    Run *r = cx;
    (void)stream;
    r->prompt = (Prompt){p, {kept(r, line), line.len}};
    print_prompt(r);
}

static void print_output(Run *r, const Process *p, int stream, Text line)
{
    FILE *out = stream == 0 ? stdout : stderr;
    bool by_runtime = stream == 1 && starts_with_role(p, line);
    if (by_runtime) {
        line.at += strlen(p->name) + 2;
        line.len -= strlen(p->name) + 2;
    }
    if (by_runtime && after_parameter(r, p, kept(r, line))) {
        r->refused[p - r->processes] = kept(r, line);       // a diagnostic, when it has ended
        return;
    }
    DiagFormat format = options_error_format(&r->session->options);
    if (stream == 1 && format == DIAG_JSON) {
        print_object(p, line);
        return;
    }
    if (format == DIAG_SARIF)           // a document has no place for it
        out = stdout;
    if (r->panes != NULL) {
        out = r->panes[p - r->processes];
    } else {
        print_role(r, out, (Text){p->name, strlen(p->name)}, ":");
        fputc(' ', out);
    }
    fwrite(line.at, 1, line.len, out);
    fputc('\n', out);
    fflush(out);
}

// A prompt that is not answered yet gives way to the line of another role, and comes again.
static void print_line(void *cx, const Process *p, int stream, Text line)
{
    Run *r = cx;
    if (r->prompt.of && !process_reads_input(r->prompt.of))
        r->prompt.of = NULL;
    if (r->prompt.of)
        fputc('\n', stdout);
    if (p == r->shown)
        print_message(r, line);
    else
        print_output(r, p, stream, line);
    if (r->prompt.of)
        print_prompt(r);
}

// ---- all roles ----

enum { PEER_LOST = 75 };        // exit status of a role that needed one that had stopped

static bool failed_alone(const Process *p)
{
    return p->status != 0 && p->status != PEER_LOST && !p->stopped;
}

// Of those that failed by themselves the first to end; without any, of those that lost a peer.
static const Process *first_failed(const Run *r)
{
    const Process *first = NULL;
    for (size_t i = 0; i < r->programs.len; i++) {
        const Process *p = &r->processes[i];
        if (p->status == 0 || p->stopped)
            continue;
        if (first == NULL || failed_alone(p) > failed_alone(first)
            || (failed_alone(p) == failed_alone(first) && p->place < first->place))
            first = p;
    }
    return first;
}

typedef Vec(const char *) RoleNames;

// `A, B and C`
static const char *names_joined(Arena *a, const RoleNames *names)
{
    Buf b = buf_new(a);
    for (size_t i = 0; i < names->len; i++)
        buf_printf(&b, "%s%s", i == 0 ? "" : i + 1 == names->len ? " and " : ", ", names->at[i]);
    return buf_text(&b);
}

// The roles that lost a peer, or those that were stopped, in one note.
static void note_others(Run *r, Diag *d, const Process *first, bool lost)
{
    Arena *a = r->session->arena;
    RoleNames names = {0};
    for (size_t i = 0; i < r->programs.len; i++) {
        const Process *p = &r->processes[i];
        if (p != first && (lost ? p->status == PEER_LOST : p->stopped))
            vec_push(a, &names, p->name);
    }
    if (names.len > 0 && lost)
        diag_note(d, "%s exited with status %d because another role had stopped",
                  names_joined(a, &names), PEER_LOST);
    else if (names.len > 0)
        diag_note(d, "%s did not fail: `run` stopped %s", names_joined(a, &names),
                  names.len == 1 ? "it" : "them");
}

static bool is_fault(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL
           || number == SIGABRT;
}

static Diag *report_failed(Run *r, const Process *p, const char *first)
{
    Session *s = r->session;
    if (p->killed_by == 0)
        return session_report(s, DIAG_ENDPOINT_FAILED, "%s failed%s with exit status %d", p->name,
                              first, p->status);
    Diag *d = session_report(s, DIAG_ENDPOINT_FAILED, "%s was killed%s by %s", p->name, first,
                             process_signal(s->arena, p->killed_by));
    const char *program = r->binaries[p - r->processes];
    if (program && is_fault(p->killed_by)) {
        diag_note(d, "the likely cause is a C module that the program imports; if it imports none, "
                  "this is a bug in pychoralc");
        diag_help(d, "to find the place, run `pychoralc %s --target=c -o DIR --compile`, then `gdb "
                  "--args DIR/%s`", r->compilation->path, program);
    }
    return d;
}

// A value that no role could have taken: the run did not begin.
static bool report_refused(Run *r)
{
    bool refused = false;
    const RoleParameter *told = NULL;
    for (size_t i = 0; i < r->programs.len; i++) {
        const char *said = r->refused[i];
        if (said == NULL || r->processes[i].status != STATUS_USAGE)
            continue;
        const char *after = after_parameter(r, &r->processes[i], said), *name = after;
        while (name[-1] != '.' && name[-1] != '-')
            name--;
        const RoleOption it = {r->processes[i].name,
                               arena_strndup(r->session->arena, name, (size_t)(after - name)), ""};
        const RoleParameter *p = parameter_of(r, &it);
        const RoleOption *option = p != NULL && given(r, p) != NULL ? given(r, p) : &it;
        if (told != p)                  // all roles of a parameter say the same
            session_report(r->session, DIAG_USAGE, "`--%s.%s`%s", option->role, it.parameter,
                           after);
        told = p;
        refused = true;
    }
    return refused;
}

static Status judge(Run *r, bool interrupted)
{
    if (!interrupted && report_refused(r))
        return STATUS_USAGE;
    if (interrupted) {
        session_report(r->session, DIAG_ENDPOINT_FAILED, "interrupted");
        return STATUS_ENDPOINT;
    }
    const Process *first = first_failed(r);
    if (first == NULL)
        return STATUS_DONE;
    bool others = false;
    for (size_t i = 0; i < r->programs.len; i++)
        others |= &r->processes[i] != first && failed_alone(&r->processes[i]);
    Diag *d = report_failed(r, first, others ? " first," : "");
    note_others(r, d, first, true);
    note_others(r, d, first, false);
    for (size_t i = 0; i < r->programs.len; i++)
        if (&r->processes[i] != first && failed_alone(&r->processes[i]))
            report_failed(r, &r->processes[i], "");
    return STATUS_ENDPOINT;
}

// Who runs still, when others have failed: nobody should have to guess why there is no end.
static void say_who_runs(Run *r)
{
    Arena *a = r->session->arena;
    RoleNames names = {0};
    for (size_t i = 0; i < r->programs.len; i++)
        if (r->processes[i].place == 0)
            vec_push(a, &names, r->processes[i].name);
    bool one = names.len == 1;
    session_say(r->session, "waiting for %s, which %s still running (Ctrl-C stops %s)\n",
                names_joined(a, &names), one ? "is" : "are", one ? "it" : "them");
}

// Whether nobody goes on: none is left who could send what another waits for. It is said once.
static bool say_who_waits(Run *r)
{
    Buf b = buf_new(r->session->arena);
    for (size_t i = 0; i < r->programs.len; i++) {
        const Wait *w = &r->waits[i];
        if (r->processes[i].place > 0)
            continue;
        if (w->peer == NULL)
            return false;
        buf_printf(&b, "%s%s waits for %s%s%s", b.len > 0 ? ", " : "", r->processes[i].name,
                   w->peer, *w->place ? " at " : "", w->place);
    }
    if (b.len > 0)
        session_say(r->session, "all roles are blocked: %s%s\n", buf_text(&b),
                    r->killed ? "" : " (Ctrl-C stops them)");
    r->said_waits = true;
    return true;
}

static Silence say_silence(void *cx, bool failed)
{
    Run *r = cx;
    if (r->killed && say_who_waits(r))
        return SILENCE_HOPELESS;
    if (failed && !r->said_runs) {
        r->said_runs = true;
        say_who_runs(r);
    } else if (!r->said_waits) {
        say_who_waits(r);
    }
    return r->said_runs && r->said_waits ? SILENCE_SAID_ALL : SILENCE_SAY_MORE;
}

// A program that does not start, as of a wrong option, leaves the others without a chance. One that
// a signal ended tells nobody, so that they would wait for it until they give up.
static EndAnswer note_end(void *cx, const Process *p)
{
    Run *r = cx;
    if (p->status == STATUS_USAGE && r->refused[p - r->processes])
        return END_OTHERS_AT_ONCE;
    if (p->killed_by != 0 && !p->stopped) {
        session_say(r->session, "%s was killed by %s\n", p->name,
                    process_signal(r->session->arena, p->killed_by));
        r->killed = true;
    }
    return p->status == STATUS_USAGE ? END_OTHERS_STOP : END_OTHERS_GO_ON;
}

static void stop_started(Run *r, size_t count)
{
    processes_stop(r->processes, count);
    processes_wait(r->session->arena, r->processes, count, (ProcessEvents){.line = print_line}, r);
}

// One pipe for all: what is written there in one piece is in the order in which it happened.
static bool open_show(Run *r)
{
    const char *why;
    r->waits = ARENA_ARRAY(r->session->arena, Wait, r->programs.len + 1);
    r->refused = ARENA_ARRAY(r->session->arena, const char *, r->programs.len + 1);
    r->shown = ARENA_ARRAY(r->session->arena, Process, r->programs.len + 1);
    r->processes = r->shown + 1;
    r->show = process_listen(r->shown, "messages", &why);
    if (r->show < 0)
        session_report(r->session, DIAG_FILE_MISSING, "cannot create a pipe for the roles: %s",
                       why);
    return r->show >= 0;
}

static Status run_all(Run *r)
{
    fflush(stdout);
    if (!open_show(r))
        return STATUS_FILE;
    if (r->session->options.value[OPTION_PANES]
        && (r->panes = panes_open(r->session, r->folder, r->programs)) == NULL) {
        close(r->show);
        return STATUS_FILE;
    }
    size_t started = 0;
    while (started < r->programs.len && start_role(r, started))
        started++;
    close(r->show);
    if (started < r->programs.len) {
        stop_started(r, started);
        return STATUS_FILE;
    }
    DiagFormat format = options_error_format(&r->session->options);
    bool objects = format == DIAG_JSON || format == DIAG_SARIF;
    const ProcessEvents events = {print_line, note_end, say_silence, objects ? NULL : note_prompt};
    struct termios before;
    bool has_terminal = r->reader && tcgetattr(STDIN_FILENO, &before) == 0;
    bool interrupted = processes_wait(r->session->arena, r->shown, r->programs.len + 1, events, r);
    if (has_terminal)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    panes_close(r->panes, r->programs.len);
    return judge(r, interrupted);
}

// ---- programs in C ----

// `client.c` is compiled to `client`.
static const char *binary_of(Run *r, Programs in_c, Sym role)
{
    for (size_t i = 0; i < in_c.len; i++)
        if (in_c.at[i].role == role) {
            const char *name = in_c.at[i].file.name;
            return arena_strndup(r->session->arena, name, strlen(name) - strlen(".c"));
        }
    return NULL;
}

static Status build_c(Run *r, Programs in_c)
{
    if (!r->targets.any_c)
        return STATUS_DONE;
    Status status = programs_write(r->session, in_c, r->folder, RUNTIME_NONE);
    return status == STATUS_DONE ? programs_make(r->session, r->compilation, r->folder, false)
                                 : status;
}

// The programs of the roles that are in C, with the library that is installed.
static Status compile_c(Run *r, Programs *in_c)
{
    Session *s = r->session;
    CRuntime runtime;
    *in_c = (Programs){NULL, 0, {NULL, 0}};
    r->binaries = ARENA_ARRAY(s->arena, const char *, r->programs.len + 1);
    if (r->targets.any_c && !output_c_runtime(s, true, &runtime))
        return STATUS_FILE;
    if (r->targets.any_c && !programs_in_c(s, r->compilation, r->targets.in_c, &runtime, in_c))
        return STATUS_ERRORS;
    for (size_t i = 0; i < r->programs.len; i++)
        r->binaries[i] = binary_of(r, *in_c, r->programs.at[i].role);
    return STATUS_DONE;
}

static Status run_programs(Run *r)
{
    Session *s = r->session;
    const char *why;
    Programs in_c;
    Status status = compile_c(r, &in_c);
    if (status != STATUS_DONE)
        return status;
    bool needs_python = r->targets.any_python || s->options.value[OPTION_TRACE];
    if (needs_python && (r->python = python_required(s)) == NULL)
        return STATUS_FILE;
    if (!folder_make_temporary(s->arena, "pychoralc", &r->folder, &why)) {
        session_report(s, DIAG_OUTPUT_FAILED, "cannot create a temporary folder: %s", why);
        return STATUS_FILE;
    }
    r->name = path_base(r->folder);
    signal(SIGPIPE, SIG_IGN);       // a reader that leaves ends the roles, not us before them
    if (r->targets.any_python)
        status = programs_write(s, r->programs, r->folder, RUNTIME_PYTHON);
    if (status == STATUS_DONE)
        status = build_c(r, in_c);
    if (status == STATUS_DONE)
        status = run_all(r);
    if (s->options.value[OPTION_TRACE] && (status == STATUS_DONE || status == STATUS_ENDPOINT)) {
        Status joined = join_traces(r);
        status = status == STATUS_DONE ? joined : status;
    }
    folder_remove(s->arena, r->folder);
    return status;
}

// ---- help ----

static void help_parameter(Buf *b, const RoleParameter *p)
{
    Buf words = buf_new(b->arena);
    buf_puts(&words, p->type);
    if (p->standard != NULL)
        buf_printf(&words, " (%s)", p->standard);
    else
        buf_puts(&words, ", required");
    for (size_t i = 1; i < p->roles.len; i++)
        buf_printf(&words, "%s%s", i == 1 ? "; also of " : i + 1 < p->roles.len ? ", " : " and ",
                   p->roles.at[i]);
    Buf name = buf_new(b->arena);
    buf_printf(&name, "%s.%s", p->roles.at[0], p->name);
    options_help_line(b, buf_text(&name), "VALUE", buf_text(&words));
}

Status cmd_run_help(Session *s)
{
    Compilation c;
    Buf b = buf_new(s->arena);
    Status status = session_compile(s, s->options.operands.at[0], pass_after(PASS_PROJECT), &c);
    if (status != STATUS_DONE)
        return status;
    if (!programs_runnable(s, &c))
        return STATUS_ERRORS;
    RoleParameters parameters = programs_parameters(s, &c);
    SymList roles = programs_roles(s, &c);
    buf_printf(&b, "\nOptions of %s\n", c.name);
    for (size_t i = 0; i < parameters.len; i++)
        help_parameter(&b, &parameters.at[i]);
    for (size_t i = 0; i < roles.len; i++)
        options_help_line(&b, names_format(s->names, "%s.stdin", roles.at[i]), "FILE",
                          names_format(s->names, "the standard input of %s; `-`: this terminal",
                                       roles.at[i]));
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
}

// ---- the command ----

// Programs in Python show the lines of these sources in tracebacks (tracebacks.py). What a role
// prints appears at once, in both languages.
static void set_environment(Session *s, const Source *source)
{
    Buf b = buf_new(s->arena);
    for (size_t i = 0; i < source->part_count; i++)
        buf_printf(&b, "%s:", path_folder(s->arena, source->parts[i].file->name));
    if (source->part_count == 0)
        buf_puts(&b, path_folder(s->arena, source->name));
    setenv("PYCHORAL_SOURCES", buf_text(&b), 1);
    setenv("PYTHONUNBUFFERED", "1", 1);
}

Status cmd_run(Session *s)
{
    Compilation c;
    Status status = session_compile(s, s->options.operands.at[0], PASS_PROJECT, &c);
    if (status != STATUS_DONE)
        return status;
    Run r = {.session = s, .compilation = &c, .programs = programs_of(s, &c)};
    r.colors[0] = session_colors(s, STDOUT_FILENO);
    r.colors[1] = session_colors(s, STDERR_FILENO);
    if (!programs_runnable(s, &c))
        return STATUS_ERRORS;
    if (!targets_read(s, r.programs, &r.targets))
        return STATUS_USAGE;
    if (r.targets.any_python && !programs_add_compiled(s, &c, &r.programs, NULL, true))
        return STATUS_FILE;
    r.parameters = programs_parameters(s, &c);
    set_environment(s, c.cx.source);
    if (!check_trace(&r))
        return trace_kind(s->options.value[OPTION_TRACE]) ? STATUS_FILE : STATUS_USAGE;
    if ((s->options.value[OPTION_PANES] && !panes_there(s)) || !check_role_options(&r)
        || !terminal_reader(s, &c, &r.reader))
        return STATUS_USAGE;
    return run_programs(&r);
}
