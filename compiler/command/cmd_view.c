// cmd_view.c - `view`: the sequence diagram of the entry, as Mermaid text or as a picture.

#include <string.h>

#include "compiler/command/command.h"
#include "compiler/command/program.h"
#include "compiler/emit/module_text.h"
#include "compiler/emit/view.h"
#include "compiler/base/version.h"

// Says who wrote it, in a comment of the language, so that the file may be written again.
static void print_heading(Buf *b, const Compilation *c, bool svg)
{
    buf_printf(b, "%s " GENERATED_MARK " %s (sha256 %.16s of the source)%s\n", svg ? "<!--" : "%%",
               PYCHORAL_VERSION, session_source_hash(c), svg ? " -->" : "");
}

// As `--format` says; without it, as the name of the output does.
static bool wants_svg(const Session *s)
{
    const char *format = s->options.value[OPTION_FORMAT], *out = s->options.value[OPTION_OUTPUT];
    size_t len = out ? strlen(out) : 0;
    return format ? strcmp(format, "svg") == 0 : len > 4 && strcmp(out + len - 4, ".svg") == 0;
}

Status cmd_view(Session *s)
{
    Compilation c;
    Diagram diagram;
    bool svg = wants_svg(s);
    Buf b = buf_new(s->arena);
    Status status = session_compile(s, s->options.operands.at[0], pass_after(PASS_PROJECT), &c);
    if (status != STATUS_DONE)
        return status;
    if (!view_collect(s->arena, s->names, pass_before(&c.cx, PASS_PROJECT), c.cx.entry, &diagram)) {
        programs_runnable(s, &c);
        return STATUS_ERRORS;
    }
    print_heading(&b, &c, svg);
    if (svg)
        view_print_svg(&b, &diagram);
    else
        view_print_mermaid(&b, &diagram);
    return session_write(s, s->options.value[OPTION_OUTPUT], &b);
}
