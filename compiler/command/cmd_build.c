// cmd_build.c - `build`: one program for each role, or with --erase the central program.

#include <string.h>

#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/command/program.h"
#include "compiler/emit/erase.h"
#include "compiler/pass/link.h"

Status build_central(Session *s, const Compilation *c)
{
    const char *path = s->options.value[OPTION_OUTPUT];
    Buf b = buf_new(s->arena);
    for (size_t i = 1; i < c->cx.linked_count; i++)
        if (c->cx.linked[i].interface) {
            programs_report_source(s, DIAG_FILE_MISSING, "the central program", &c->cx.linked[i]);
            return STATUS_FILE;
        }
    CentralCx cx = {.arena = s->arena, .names = s->names, .source_name = c->name,
                    .source_hash = session_source_hash(c), .entry = c->cx.entry,
                    .source = s->options.value[OPTION_NO_SITES] ? NULL : c->cx.source};
    emit_central(&b, &cx, pass_before(&c->cx, PASS_PROJECT));
    if (path == NULL || strcmp(path, "-") == 0 || file_is_stream(path))
        return session_write(s, path, &b);
    // Like the programs of the roles, it has the runtime beside it.
    OutputFile file = {path_base(path), {buf_text(&b), b.len}};
    const char *folder = path_folder(s->arena, path);
    bool runtime = s->options.value[OPTION_NO_RUNTIME] == NULL;
    Status status = output_write(s, folder, (OutputFiles){&file, 1},
                                 runtime ? RUNTIME_PYTHON : RUNTIME_NONE);
    if (status == STATUS_DONE)
        session_say(s, runtime ? "wrote %s and the runtime %s\n" : "wrote %s\n", path,
                    path_join(s->arena, folder, "pychoral/"));
    return status;
}

static void say_written(Session *s, OutputFiles files, const char *folder, bool runtime)
{
    session_say(s, "wrote");
    for (size_t i = 0; i < files.len; i++)
        session_say(s, "%s %s", i ? "," : "", path_join(s->arena, folder, files.at[i].name));
    session_say(s, runtime ? " and the runtime %s\n" : "\n",
                path_join(s->arena, folder, "pychoral/"));
}

// Old programs of roles that are gone are left alone, but mentioned: they look like current ones.
static void say_stale(Session *s, Programs programs, const char *suffix, const char *source)
{
    const char *folder = s->options.value[OPTION_OUTPUT];
    StaleFiles stale = output_stale(s, folder, programs_files(s, programs), suffix, source);
    for (size_t i = 0; i < stale.len; i++)
        session_say(s, "note: %s is from an earlier compilation; %s has no such role now\n",
                    stale.at[i], source);
}

static Status write_programs(Session *s, Programs programs, Runtimes runtimes)
{
    const char *folder = s->options.value[OPTION_OUTPUT];
    if (strcmp(folder, "-") == 0) {
        Buf b = buf_new(s->arena);
        for (size_t i = 0; i < programs.len; i++)
            buf_raw(&b, programs.at[i].file.text.at, programs.at[i].file.text.len);
        return session_write(s, "-", &b);
    }
    Status status = programs_write(s, programs, folder, runtimes);
    if (status == STATUS_DONE)
        say_written(s, programs_files(s, programs), folder, runtimes != RUNTIME_NONE);
    return status;
}

static Status build_python_programs(Session *s, const Compilation *c)
{
    const char *folder = s->options.value[OPTION_OUTPUT], *role = s->options.value[OPTION_ROLE];
    Programs all = programs_of(s, c), programs;
    if (!programs_add_compiled(s, c, &all, folder, false))
        return STATUS_FILE;
    programs = all;
    if (role) {
        const RoleProgram *one = programs_find(s, programs, role);
        if (one == NULL)
            return STATUS_USAGE;
        programs = (Programs){one, 1, all.modules};
    }
    Status status = write_programs(s, programs, s->options.value[OPTION_NO_RUNTIME]
                                                    ? RUNTIME_NONE : RUNTIME_PYTHON);
    if (status == STATUS_DONE && strcmp(folder, "-") != 0)
        say_stale(s, all, ".py", c->name);
    return status;
}

// The roles that --role names; NULL: all.
static bool wanted_roles(Session *s, const Compilation *c, const bool **wanted)
{
    const char *role = s->options.value[OPTION_ROLE];
    *wanted = NULL;
    if (role == NULL)
        return true;
    Programs all = programs_of(s, c);
    const RoleProgram *one = programs_find(s, all, role);
    if (one == NULL)
        return false;
    bool *only = ARENA_ARRAY(s->arena, bool, all.len);
    for (size_t i = 0; i < all.len; i++)
        only[i] = &all.at[i] == one;
    *wanted = only;
    return true;
}

static Status build_c_programs(Session *s, const Compilation *c)
{
    const char *folder = s->options.value[OPTION_OUTPUT];
    bool installed = s->options.value[OPTION_NO_RUNTIME] != NULL;
    const bool *wanted;
    CRuntime runtime;
    Programs programs;
    if (!wanted_roles(s, c, &wanted))
        return STATUS_USAGE;
    if (installed && !output_c_runtime(s, true, &runtime))
        return STATUS_FILE;
    if (!programs_in_c(s, c, wanted, installed ? &runtime : NULL, &programs))
        return STATUS_ERRORS;
    Status status = write_programs(s, programs, installed ? RUNTIME_NONE : RUNTIME_C);
    if (status != STATUS_DONE || strcmp(folder, "-") == 0)
        return status;
    if (wanted == NULL)
        say_stale(s, programs, ".c", c->name);
    return s->options.value[OPTION_COMPILE] ? programs_make(s, c, folder, true) : STATUS_DONE;
}

Status build_programs(Session *s, const Compilation *c)
{
    const char *target = s->options.value[OPTION_TARGET];
    bool in_c = target && strcmp(target, "c") == 0;
    return in_c ? build_c_programs(s, c) : build_python_programs(s, c);
}

Status cmd_build(Session *s)
{
    Compilation c;
    const char *output = s->options.value[OPTION_OUTPUT];
    bool erase = s->options.value[OPTION_ERASE] != NULL;
    bool dump = s->options.value[OPTION_DUMP] || s->options.value[OPTION_DUMP_IR];
    if (output == NULL && !erase && !dump) {
        Diag *d = session_report(s, DIAG_USAGE, "no output folder for the programs");
        diag_help(d, "write `-o DIR`, or use `pychoralc check` to only report errors");
        return STATUS_USAGE;
    }
    Status status = session_compile(s, s->options.operands.at[0], PASS_PROJECT, &c);
    if (status != STATUS_DONE || (output == NULL && !erase))
        return status;
    return erase ? build_central(s, &c) : build_programs(s, &c);
}
