// cmd_doctor.c - `doctor`: is everything there? One line for each thing, with what to do about it.
//
// What only some uses need is `absent` and does not count; what every run needs is `missing`, and
// makes the exit status that of a missing file.

#define _XOPEN_SOURCE 700       // realpath

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/version.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/command/output.h"
#include "compiler/command/process.h"
#include "compiler/command/python.h"
#include "compiler/command/search.h"

typedef struct Doctor {
    Session *session;
    bool     missing;           // something that every run needs
} Doctor;

static void say_fine(const char *what, const char *found)
{
    printf("ok       %-13s %s\n", what, found);
}

static void say_missing(Doctor *d, bool needed, const char *what, const char *advice)
{
    printf("%-8s %-13s %s\n", needed ? "missing" : "absent", what, advice);
    d->missing = d->missing || needed;
}

// ---- what other programs say ----

typedef struct Answer { Arena *arena; const char *line; } Answer;

static void keep_first(void *cx, const Process *p, int stream, Text line)
{
    Answer *answer = cx;
    (void)p;
    if (stream == 0 && answer->line == NULL)
        answer->line = arena_strndup(answer->arena, line.at, line.len);
}

// The first line that a program prints; NULL if it fails or there is none.
static const char *ask(Doctor *d, const char *const *argv)
{
    Answer answer = {.arena = d->session->arena};
    Process process = {0};
    const char *why;
    if (!process_start(&process, argv[0], argv, (Inherited){NULL, -1}, &why))
        return NULL;
    processes_wait(d->session->arena, &process, 1, (ProcessEvents){.line = keep_first}, &answer);
    return process.status == 0 ? answer.line : NULL;
}

static const char *ask_python(Doctor *d, const char *python, const char *program)
{
    const char *const argv[] = {python, "-c", program, NULL};
    return ask(d, argv);
}

static void look(Doctor *d, bool needed, const char *what, const char *answer, const char *advice)
{
    if (answer)
        say_fine(what, answer);
    else
        say_missing(d, needed, what, advice);
}

// ---- what is looked at ----

static void look_at_python(Doctor *d)
{
    const char *python = python_find();
    if (python == NULL)
        python = "python3";
    const char *found = ask_python(d, python, "import sys; print('%d.%d.%d' % sys.version_info[:3]"
                                              " + ', ' + sys.executable)");
    look(d, true, "python", found, "apt-get install python3, or set PYTHON to another interpreter");
    if (found == NULL)
        return;
    look(d, true, "zmq", ask_python(d, python, "import zmq; print(zmq.__version__ + ', libzmq ' +"
                                               " zmq.zmq_version())"),
         "apt-get install python3-zmq, or set PYTHON to an interpreter that has it");
    look(d, true, "msgpack", ask_python(d, python, "import msgpack; print('.'.join(map(str,"
                                                   " msgpack.version)))"),
         "apt-get install python3-msgpack, or set PYTHON to an interpreter that has it");
    look(d, false, "mypy", ask_python(d, python, "from mypy.version import __version__ as v;"
                                                 " print(v)"),
         "apt-get install mypy, to type-check sources and programs");
}

static void look_at_compiler(Doctor *d)
{
    const char *const argv[] = {"cc", "--version", NULL};
    look(d, false, "cc", ask(d, argv), "apt-get install gcc libc6-dev, to build programs in C");
    const char *const make[] = {"make", "--version", NULL};
    look(d, false, "make", ask(d, make), "apt-get install make, to build programs in C");
}

static void look_at_headers(Doctor *d)
{
    static const struct { const char *header, *package; } needed[] = {
        {"zmq.h", "libzmq3-dev"}, {"gmp.h", "libgmp-dev"}, {"zlib.h", "zlib1g-dev"},
        {"openssl/evp.h", "libssl-dev"},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        const char *const argv[] = {"cc", "-E", "-include", needed[i].header, "-x", "c",
                                    "/dev/null", NULL};
        if (process_run_quietly(argv) == 0)
            say_fine(needed[i].header, "there");
        else
            say_missing(d, false, needed[i].header,
                        names_format(d->session->names,
                                     "apt-get install %s, to build programs in C",
                                     needed[i].package));
    }
}

static void look_at_c_runtime(Doctor *d)
{
    CRuntime runtime;
    char path[PATH_MAX];
    bool found = output_find_c_runtime(d->session, &runtime) && runtime.library;
    if (found && realpath(runtime.library, path))
        runtime.library = path;
    look(d, false, "C runtime", found ? runtime.library : NULL,
         "install pychoralc again: its library for programs in C is missing");
}

static void look_at_runtime(Doctor *d)
{
    const char *folder = output_find_runtime(d->session);
    char path[PATH_MAX];
    if (folder && realpath(folder, path))
        folder = path;
    look(d, true, "runtime", folder,
         "install pychoralc again: its package `pychoral` is missing");
}

static void look_at_typeshed(Doctor *d)
{
    look(d, false, "typeshed", search_typeshed(d->session),
         "apt-get install mypy, for the types of the standard library; or --typeshed=DIR");
}

static void look_at_temporary(Doctor *d)
{
    const char *folder, *why;
    if (!folder_make_temporary(d->session->arena, "pychoralc-doctor", &folder, &why)) {
        Buf advice = buf_new(d->session->arena);
        buf_printf(&advice, "cannot write (%s): choose another folder with TMPDIR", why);
        say_missing(d, true, "temporary", buf_text(&advice));
        return;
    }
    say_fine("temporary", path_folder(d->session->arena, folder));
    folder_remove(d->session->arena, folder);
}

static void look_at_terminal(Doctor *d)
{
    bool colors = session_colors(d->session, STDERR_FILENO);
    const char *no_color = getenv("NO_COLOR");
    const char *why = !isatty(STDERR_FILENO) ? "standard error is not a terminal"
                      : no_color && *no_color ? "NO_COLOR is set" : "disabled by an option, or "
                                                                    "TERM is dumb";
    printf("ok       %-13s %s%s\n", "colour", colors ? "on" : "off: ", colors ? "" : why);
}

Status cmd_doctor(Session *s)
{
    Doctor d = {.session = s};
    say_fine("pychoralc", PYCHORAL_VERSION);
    look_at_runtime(&d);
    look_at_python(&d);
    look_at_typeshed(&d);
    look_at_compiler(&d);
    look_at_headers(&d);
    look_at_c_runtime(&d);
    look_at_temporary(&d);
    look_at_terminal(&d);
    return d.missing ? STATUS_FILE : STATUS_DONE;
}
