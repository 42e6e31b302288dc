// cmd_help.c - `help`, `manual` and `completions`: what pychoralc says of itself.

#include <stdio.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/command/manual.h"

static Status print(Buf *b)
{
    return file_write_stdout((Text){buf_text(b), b->len}) ? STATUS_DONE : STATUS_FILE;
}

Status cmd_help(Session *s)
{
    const char *word = s->options.operands.len > 0 ? s->options.operands.at[0] : NULL;
    CommandId id = COMMAND_COUNT;
    Buf b = buf_new(s->arena);
    if (word && !command_find(word, &id)) {
        options_report_command(s->diags, word);
        return STATUS_USAGE;
    }
    options_help(&b, id);
    return print(&b);
}

Status cmd_manual(Session *s)
{
    Buf b = buf_new(s->arena);
    manual_page(&b);
    return print(&b);
}

Status cmd_completions(Session *s)
{
    const char *word = s->options.operands.at[0];
    Buf b = buf_new(s->arena);
    for (int i = 0; i < SHELL_COUNT; i++)
        if (strcmp(word, shell_names[i]) == 0) {
            completion_script(&b, (Shell)i);
            return print(&b);
        }
    Diag *d = session_report(s, DIAG_USAGE, "completion is not supported for the shell `%s`", word);
    const char *near = suggest_nearest(word, shell_names, SHELL_COUNT);
    if (near)
        diag_help(d, "did you mean `%s`?", near);
    diag_note(d, "the supported shells are bash, zsh and fish");
    return STATUS_USAGE;
}
