// grad_compare.c - `grad --check`: the derivative that was written, against differences. The points
// are made and compared by the runtime's Python (pychoral/compared.py).

#include <stdio.h>
#include <string.h>

#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/command/output.h"
#include "compiler/command/process.h"
#include "compiler/command/python.h"

static void print_line(void *cx, const Process *p, int stream, Text line)
{
    (void)cx;
    (void)p;
    fprintf(stream == 0 ? stdout : stderr, "%.*s\n", (int)line.len, line.at);
}

// The package is not looked for in the current folder, where anything may lie.
static const char program[] =
    "import sys; sys.path = [sys.argv[1]] + [p for p in sys.path if p]; "
    "from pychoral.compared import main; sys.exit(main(sys.argv[2:]))";

// The Python of the output: it, or what stands beside its C.
static const char *module_of(Session *s)
{
    const char *path = s->options.value[OPTION_OUTPUT];
    size_t len = strlen(path);
    if (len > 2 && strcmp(path + len - 2, ".c") == 0)
        return names_format(s->names, "%.*s.py", (int)len - 2, path);
    return path;
}

Status grad_compare(Session *s, const GradRequest *r)
{
    const char *python = python_required(s), *runtime = output_runtime_folder(s), *why;
    const char *wrt = s->options.value[OPTION_WRT];
    if (python == NULL || runtime == NULL)
        return STATUS_FILE;
    const char *const argv[] = {python, "-c", program, runtime, module_of(s),
                                s->options.operands.at[0], r->function, wrt ? wrt : "", NULL};
    Process process = {0};
    if (!process_start(&process, python, argv, (Inherited){NULL, -1}, &why)) {
        session_report(s, DIAG_FILE_MISSING, "`%s` cannot be started: %s", python, why);
        return STATUS_FILE;
    }
    fflush(stdout);
    processes_wait(s->arena, &process, 1, (ProcessEvents){.line = print_line}, s);
    return process.status == 0 ? STATUS_DONE : STATUS_ERRORS;
}
