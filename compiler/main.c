// main.c - options and exit codes of pychoralc, nothing else.

#include <stdio.h>
#include <string.h>

#include "compiler/command/cmd_parse.h"
#include "compiler/command/command.h"
#include "compiler/command/crash.h"
#include "compiler/base/version.h"

static void print_help(Session *s, int argc, char **argv)
{
    Buf b = buf_new(s->arena);
    bool of_command = argc > 1 && strcmp(argv[1], command_name(s->options.command)) == 0;
    options_help(&b, of_command ? s->options.command : COMMAND_COUNT);
    fputs(buf_text(&b), stdout);
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
    case COMMAND_EXPLAIN: return cmd_explain(s);
    case COMMAND_PARSE:         // has options of its own, see main
    case COMMAND_COUNT: break;
    }
    return STATUS_INTERNAL;
}

static Status run(Session *s, int argc, char **argv)
{
    if (!options_parse(s->arena, argc, argv, &s->options, s->diags))
        return STATUS_USAGE;
    if (s->options.value[OPTION_HELP]) {
        print_help(s, argc, argv);
        return STATUS_DONE;
    }
    if (s->options.value[OPTION_VERSION]) {
        printf("pychoralc %s\n", PYCHORAL_VERSION);
        return STATUS_DONE;
    }
    return run_command(s);
}

int main(int argc, char **argv)
{
    crash_watch();
    if (argc > 1 && strcmp(argv[1], command_name(COMMAND_PARSE)) == 0)
        return cmd_parse(argc - 1, argv + 1);
    Session s = {.arena = arena_new(), .program = argv[0]};
    s.names = names_new(s.arena);
    s.diags = diags_new(s.arena);
    if (argc < 2) {
        print_help(&s, argc, argv);
        arena_free(s.arena);
        return STATUS_USAGE;
    }
    Status status = run(&s, argc, argv);
    session_print_diags(&s);
    arena_free(s.arena);
    if (fflush(stdout) != 0 && status == STATUS_DONE)
        status = STATUS_FILE;
    return (int)status;
}
