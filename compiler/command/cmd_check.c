// cmd_check.c - `check` and `--passes`: what only tells.

#include <stdio.h>

#include "compiler/command/command.h"

Status cmd_check(Session *s)
{
    Status worst = STATUS_DONE;
    if (s->options.value[OPTION_AMEND])
        return cmd_amend(s);
    if (s->options.value[OPTION_COLLECTIVES])
        return cmd_collectives(s);
    for (size_t i = 0; i < s->options.operands.len; i++) {
        Compilation c;
        Status status = session_compile(s, s->options.operands.at[i], PASS_PROJECT, &c);
        if (status == STATUS_DONE && s->options.value[OPTION_COST])
            status = cost_show(s, &c);
        if (status > worst)
            worst = status;
        session_print_diags(s);         // the next file is judged on its own
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
