// cmd_check.c - `check`, `explain` and `--passes`: what only tells.

#include <stdio.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/command/command.h"

Status cmd_check(Session *s)
{
    Status worst = STATUS_DONE;
    if (s->options.value[OPTION_AMEND])
        return cmd_amend(s);
    for (size_t i = 0; i < s->options.operands.len; i++) {
        Compilation c;
        Status status = session_compile(s, s->options.operands.at[i], PASS_PROJECT, &c);
        if (status > worst)
            worst = status;
        session_print_diags(s);         // the next file is judged on its own
        s->diags = diags_new(s->arena);
    }
    return worst;
}

Status cmd_passes(Session *s)
{
    (void)s;
    for (int i = 0; i < PASS_COUNT; i++)
        printf("%-10s %s\n", pass_name((PassId)i), pass_summary((PassId)i));
    return STATUS_DONE;
}

static bool explain(const char *code)
{
    for (int i = 0; i < DIAG_COUNT; i++)
        if (strcmp(code, diag_code((DiagId)i)) == 0) {
            printf("%s: %s\n", code, diag_summary((DiagId)i));
            return true;
        }
    return false;
}

static void report_no_code(Session *s, const char *code)
{
    const char *codes[DIAG_COUNT];
    for (int i = 0; i < DIAG_COUNT; i++)
        codes[i] = diag_code((DiagId)i);
    Diag *d = session_report(s, DIAG_USAGE, "no such code: `%s`", code);
    const char *near = suggest_nearest(code, codes, DIAG_COUNT);
    if (near)
        diag_help(d, "did you mean `%s`?", near);
}

Status cmd_explain(Session *s)
{
    Status status = STATUS_DONE;
    for (size_t i = 0; i < s->options.operands.len; i++)
        if (!explain(s->options.operands.at[i])) {
            report_no_code(s, s->options.operands.at[i]);
            status = STATUS_USAGE;
        }
    return status;
}
