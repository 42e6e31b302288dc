// cmd_keygen.c - `keygen`: one key pair for each role, and the manifest of the run
// (runtime/PROTOCOL.md section 7). The keys are made by the runtime's Python (pychoral/keygen.py),
// and never come through here.

#include <string.h>

#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/command/output.h"
#include "compiler/command/process.h"
#include "compiler/command/program.h"
#include "compiler/command/python.h"

enum { FIRST_PORT = 21000, LAST_PORT = 32767 };     // above these the system gives ports away

typedef struct Keygen {
    Session    *session;
    SymList     roles;
    const char **addresses;     // as options say, by role; NULL: the next port of this machine
} Keygen;

// ---- the roles ----

static bool is_file(const char *word) { return strpbrk(word, "./") != NULL; }

static bool add_role(Keygen *k, const char *word)
{
    Session *s = k->session;
    Sym role = names_get(s->names, word);
    for (size_t i = 0; i < k->roles.len; i++)
        if (k->roles.at[i] == role) {
            session_report(s, DIAG_USAGE, "role %s is given twice", role);
            return false;
        }
    ((Sym *)k->roles.at)[k->roles.len++] = role;
    return true;
}

static Status roles_of_file(Keygen *k, const char *path)
{
    Session *s = k->session;
    Compilation c;
    Status status = session_compile(s, path, PASS_PROJECT, &c);
    if (status != STATUS_DONE)
        return status;
    if (!programs_runnable(s, &c))
        return STATUS_ERRORS;
    k->roles = programs_roles(s, &c);
    return STATUS_DONE;
}

static Status find_roles(Keygen *k)
{
    Session *s = k->session;
    size_t count = s->options.operands.len;
    const char *const *words = s->options.operands.at;
    for (size_t i = 0; i < count; i++)
        if (is_file(words[i]) && count > 1) {
            Diag *d = session_report(s, DIAG_USAGE, "`keygen` accepts either one file or a list of "
                                     "roles");
            diag_note(d, "`%s` is a file", words[i]);
            return STATUS_USAGE;
        }
    if (is_file(words[0]))
        return roles_of_file(k, words[0]);
    k->roles = (SymList){ARENA_ARRAY(s->arena, Sym, count), 0};
    for (size_t i = 0; i < count; i++)
        if (!add_role(k, words[i]))
            return STATUS_USAGE;
    return STATUS_DONE;
}

// ---- their addresses ----

static bool read_address(Keygen *k, const char *given)
{
    Session *s = k->session;
    const char *equals = strchr(given, '=');
    if (equals == NULL || equals == given || equals[1] == '\0') {
        session_report(s, DIAG_USAGE, "`--address` must have the form ROLE=ADDRESS, not `%s`",
                       given);
        return false;
    }
    Sym role = programs_role(s, k->roles, names_intern(s->names, given, (size_t)(equals - given)));
    for (size_t i = 0; i < k->roles.len; i++)
        if (k->roles.at[i] == role)
            k->addresses[i] = equals + 1;
    return role != NULL;
}

static bool find_addresses(Keygen *k)
{
    Session *s = k->session;
    int port = FIRST_PORT;
    k->addresses = ARENA_ARRAY(s->arena, const char *, k->roles.len + 1);
    for (size_t i = 0; i < s->options.addresses.len; i++)
        if (!read_address(k, s->options.addresses.at[i]))
            return false;
    for (size_t i = 0; i < k->roles.len; i++, port++) {
        if (k->addresses[i] != NULL)
            continue;
        if (port > LAST_PORT) {
            session_report(s, DIAG_USAGE, "there are too many roles for the ports of one machine; "
                           "set the address of role %s with `--address`", k->roles.at[i]);
            return false;
        }
        k->addresses[i] = names_format(s->names, "tcp://127.0.0.1:%d", port);
    }
    return true;
}

// ---- the program that makes them ----

typedef struct Said { Arena *arena; Vec(const char *) lines; } Said;

static void keep_line(void *cx, const Process *p, int stream, Text line)
{
    Said *said = cx;
    (void)p;
    if (stream == 1)
        vec_push(said->arena, &said->lines, arena_strndup(said->arena, line.at, line.len));
}

// The package is not looked for in the current folder, where anything may lie.
static const char program[] =
    "import sys; sys.path = [sys.argv[1]] + [p for p in sys.path if p]; "
    "from pychoral.keygen import main; sys.exit(main(sys.argv[2:]))";

static const char *folder_of(Session *s) { return s->options.value[OPTION_OUTPUT]; }

static int make_keys(Keygen *k, const char *python, const char *runtime, Said *said)
{
    Session *s = k->session;
    Vec(const char *) argv = {0};
    const char *const first[] = {python, "-c", program, runtime, folder_of(s)};
    Process process = {0};
    const char *why;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        vec_push(s->arena, &argv, first[i]);
    if (s->options.value[OPTION_FORCE])
        vec_push(s->arena, &argv, "--force");
    for (size_t i = 0; i < k->roles.len; i++)
        vec_push(s->arena, &argv, names_format(s->names, "%s=%s", k->roles.at[i],
                                               k->addresses[i]));
    vec_push(s->arena, &argv, NULL);
    if (!process_start(&process, python, argv.at, (Inherited){NULL, -1}, &why)) {
        vec_push(s->arena, &said->lines, names_format(s->names, "`%s` cannot be started: %s",
                                                      python, why));
        return -1;
    }
    processes_wait(s->arena, &process, 1, (ProcessEvents){.line = keep_line}, said);
    return process.status;
}

static void say_written(Keygen *k)
{
    Session *s = k->session;
    session_say(s, "wrote");
    for (size_t i = 0; i < k->roles.len; i++)
        session_say(s, " %s,", path_join(s->arena, folder_of(s),
                                         names_format(s->names, "%s.key", k->roles.at[i])));
    session_say(s, " %s\n", path_join(s->arena, folder_of(s), "manifest.json"));
    session_say(s, "note: give each role the manifest and only its own key\n");
}

// The exit statuses of the program: runtime/python/pychoral/keygen.py.
static Status judge(Keygen *k, int status, const Said *said)
{
    Session *s = k->session;
    const char *last = said->lines.len > 0 ? said->lines.at[said->lines.len - 1] : "unknown reason";
    if (status == STATUS_DONE) {
        say_written(k);
        for (size_t i = 0; i < said->lines.len; i++)
            session_say(s, "note: %s\n", said->lines.at[i]);
        return STATUS_DONE;
    }
    if (status == STATUS_USAGE) {
        session_report(s, DIAG_USAGE, "%s", last);
        return STATUS_USAGE;
    }
    if (status == STATUS_FILE && said->lines.len > 1) {         // the line before the advice
        Diag *d = session_report(s, DIAG_OUTPUT_FOREIGN, "%s",
                                 said->lines.at[said->lines.len - 2]);
        diag_note(d, "new keys do not match the keys that the roles already have");
        diag_help(d, "choose another folder, or replace all keys with `--force`");
        return STATUS_FILE;
    }
    session_report(s, DIAG_OUTPUT_FAILED, "cannot create the keys: %s", last);
    return STATUS_FILE;
}

Status cmd_keygen(Session *s)
{
    Keygen k = {.session = s};
    Said said = {.arena = s->arena};
    if (folder_of(s) == NULL) {
        Diag *d = session_report(s, DIAG_USAGE, "no output folder for the keys");
        diag_help(d, "write `-o DIR`");
        return STATUS_USAGE;
    }
    Status status = find_roles(&k);
    if (status != STATUS_DONE)
        return status;
    if (!find_addresses(&k))
        return STATUS_USAGE;
    const char *python = python_required(s), *runtime = output_runtime_folder(s);
    if (python == NULL || runtime == NULL)
        return STATUS_FILE;
    return judge(&k, make_keys(&k, python, runtime, &said), &said);
}
