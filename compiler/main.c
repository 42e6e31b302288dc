// main.c - options and exit codes of pychoralc, nothing else.

#include <stdio.h>
#include <string.h>

#include "compiler/command/command.h"
#include "compiler/command/crash.h"
#include "compiler/base/version.h"

static void print_help(CommandId id)
{
    Arena *a = arena_new();
    Buf b = buf_new(a);
    options_help(&b, id);
    fputs(buf_text(&b), stdout);
    fflush(stdout);                     // what comes behind may be written past it
    arena_free(a);
}

static Status run_command(Session *s)
{
    if (s->options.value[OPTION_PASSES])
        return cmd_passes(s);
    switch (s->options.command) {
    case COMMAND_BUILD: return cmd_build(s);
    case COMMAND_CHECK: return cmd_check(s);
    case COMMAND_RUN: return cmd_run(s);
    case COMMAND_VIEW: return cmd_view(s);
    case COMMAND_GRAD: return cmd_grad(s);
    case COMMAND_KEYGEN: return cmd_keygen(s);
    case COMMAND_DISTRIBUTE: return cmd_distribute(s);
    case COMMAND_PARSE: return cmd_parse(s);
    case COMMAND_VIRTUALIZE: return cmd_virtualize(s);
    case COMMAND_EXPLAIN: return cmd_explain(s);
    case COMMAND_DOCTOR: return cmd_doctor(s);
    case COMMAND_COMPLETIONS: return cmd_completions(s);
    case COMMAND_MANUAL: return cmd_manual(s);
    case COMMAND_HELP: return cmd_help(s);
    case COMMAND_COUNT: break;
    }
    return STATUS_INTERNAL;
}

static Status run(Session *s, int argc, char **argv, char *crash_text)
{
    if (!options_parse(s->arena, argc, argv, &s->options, s->diags))
        return STATUS_USAGE;
    if (crash_text)
        session_describe_crash(s, crash_text, CRASH_TEXT_MAX);
    if (s->options.value[OPTION_HELP]) {
        CommandId of = s->options.command;
        bool named = argc > 1 && strcmp(argv[1], command_name(of)) == 0;
        print_help(named ? of : COMMAND_COUNT);
        bool of_program = named && of == COMMAND_RUN && s->options.operands.len == 1;
        return of_program ? cmd_run_help(s) : STATUS_DONE;
    }
    if (s->options.value[OPTION_VERSION]) {
        printf("pychoralc %s\n", PYCHORAL_VERSION);
        return STATUS_DONE;
    }
    return run_command(s);
}

int main(int argc, char **argv)
{
    char *crash_text = crash_watch();
    if (argc < 2) {
        print_help(COMMAND_COUNT);
        return STATUS_USAGE;
    }
    Session s = {.arena = arena_new(), .program = argv[0]};
    s.names = names_new(s.arena);
    s.diags = diags_new(s.arena);
    Status status = run(&s, argc, argv, crash_text);
    if (fflush(stdout) != 0 && status == STATUS_DONE)
        status = STATUS_FILE;
    session_end(&s, status);
    arena_free(s.arena);
    return (int)status;
}
