// cmd_amend.c - `check --amend [--diff]`: inserts the missing selections, or shows them as a diff.

#include "compiler/base/diff.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/pass/amend.h"

static Status print_diff(Session *s, const char *path, Text old, Text amended)
{
    Buf b = buf_new(s->arena);
    diff_print(&b, path, old, path, amended);
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_ERRORS : STATUS_FILE;
}

// What an amendment could not mend is reported about the source as it is: nothing is written then.
static Status amend_file(Session *s, const char *path)
{
    Compilation c;
    Text bytes;
    const char *why;
    Status status = session_compile(s, path, PASS_PROJECT, &c);
    if (status != STATUS_ERRORS)
        return status;
    if (!file_read(s->arena, path, &bytes, &why))
        return STATUS_FILE;
    Amendment m = amend_source(s->arena, &c.cx, path, bytes);
    bool mended = diags_error_count(m.left) == 0;
    arena_free(m.arena);
    if (!mended) {
        session_say(s, "%s: not amended: not every error is a selection that is missing\n", path);
        return STATUS_ERRORS;
    }
    s->diags = diags_new(s->arena);
    if (s->options.value[OPTION_DIFF])
        return print_diff(s, path, bytes, m.text);
    status = session_replace(s, path, m.text);
    if (status == STATUS_DONE)
        session_say(s, "%s: %zu insertion%s\n", path, m.edits, m.edits == 1 ? "" : "s");
    return status;
}

Status cmd_amend(Session *s)
{
    Status worst = STATUS_DONE;
    for (size_t i = 0; i < s->options.operands.len; i++) {
        Status status = amend_file(s, s->options.operands.at[i]);
        if (status > worst)
            worst = status;
        session_print_diags(s);
    }
    return worst;
}
