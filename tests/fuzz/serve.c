// serve.c - the compiler for the fuzzer: what three calls of pychoralc give, of one compilation,
// and without a process for each.
//
//   fuzz_serve          standard input is a socket: requests come in there, answers go out
//
// A request is a line, the words of `build FILE -o DIR ...` and last the file of the central
// program, with tabs between them. The answer is a line too, the exit code. Standard error then
// holds the diagnostics, and standard output the first line of `check --cost=json`: both are files,
// cut off before each request. A crash ends the server, as it would end pychoralc.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/command/command.h"
#include "compiler/command/crash.h"
#include "compiler/command/file.h"
#include "compiler/command/program.h"
#include "compiler/emit/cost.h"

enum { MOST_WORDS = 16, LONGEST = 1 << 14 };

// Splits a line at its tabs; the first word stands for the program.
static int split(char *line, char **words)
{
    int count = 1;
    words[0] = "pychoralc";
    for (char *at = strtok(line, "\t\n"); at && count < MOST_WORDS; at = strtok(NULL, "\t\n"))
        words[count++] = at;
    return count;
}

static Status compile(Session *s, const char *central)
{
    Compilation c;
    Status status = session_compile(s, s->options.operands.at[0], PASS_PROJECT, &c);
    if (status == STATUS_DONE)
        status = build_programs(s, &c);
    s->options.value[OPTION_OUTPUT] = central;
    if (status == STATUS_DONE)
        status = build_central(s, &c);
    if (status != STATUS_DONE)
        return status;
    Buf b = buf_new(s->arena);      // without the selections that nobody needs: they take longest
    const Unit *unit = pass_before(&c.cx, PASS_PROJECT);
    CostReport report = cost_collect(s->arena, s->names, c.cx.source, unit);
    cost_print_json(&b, &report, c.cx.source);
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
}

static Status answer(char *line)
{
    char *words[MOST_WORDS];
    int count = split(line, words);
    Session s = {.arena = arena_new(), .program = words[0]};
    s.names = names_new(s.arena);
    s.diags = diags_new(s.arena);
    Status status = options_parse(s.arena, count - 1, words, &s.options, s.diags)
                    ? compile(&s, words[count - 1]) : STATUS_USAGE;
    fflush(stdout);
    session_end(&s, status);
    arena_free(s.arena);
    return status;
}

static bool cut_off(int fd)
{
    return ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0;
}

int main(void)
{
    static char line[LONGEST];
    FILE *requests = fdopen(STDIN_FILENO, "r");
    crash_watch();
    while (requests && fgets(line, sizeof line, requests)) {
        if (!cut_off(STDOUT_FILENO) || !cut_off(STDERR_FILENO))
            return STATUS_FILE;
        Status status = answer(line);
        fflush(stderr);
        if (dprintf(STDIN_FILENO, "%d\n", (int)status) < 0)
            return STATUS_FILE;
    }
    return STATUS_DONE;
}
