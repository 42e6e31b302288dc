// cmd_amend.c - `check --amend [--diff]`: inserts the missing selections, or shows them as a diff.

#include <string.h>

#include "compiler/base/diff.h"
#include "compiler/base/vec.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/pass/amend.h"
#include "compiler/pass/entry.h"

// Files of which a diff was printed: a module that two programs import is amended once.
typedef Vec(const char *) PathList;

static bool was_printed(const PathList *printed, const char *path)
{
    for (size_t i = 0; i < printed->len; i++)
        if (strcmp(printed->at[i], path) == 0)
            return true;
    return false;
}

static Status print_diffs(Session *s, const Amendment *m, PathList *printed)
{
    Buf b = buf_new(s->arena);
    for (size_t i = 0; i < m->len; i++) {
        const AmendedFile *f = &m->at[i];
        if (was_printed(printed, f->path))
            continue;
        diff_print(&b, f->path, f->old, f->path, f->text);
        vec_push(s->arena, printed, f->path);
    }
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_ERRORS : STATUS_FILE;
}

static Status fail(Session *s, const char *path, const char *why)
{
    session_report(s, DIAG_OUTPUT_FAILED, "cannot write `%s`: %s", path, why);
    return STATUS_FILE;
}

static Status write_files(Session *s, const Amendment *m)
{
    const char *failed, *why;
    Replacement r = replace_begin(s->arena);
    for (size_t i = 0; i < m->len; i++)
        if (!replace_stage(&r, m->at[i].path, m->at[i].text, REPLACE_EDITED, &why)) {
            replace_discard(&r);
            return fail(s, m->at[i].path, why);
        }
    if (!replace_commit(&r, &failed, &why))
        return fail(s, failed, why);
    for (size_t i = 0; i < m->len; i++)
        session_say(s, "%s: %zu insertion%s\n", m->at[i].path, m->at[i].edits,
                    diag_s(m->at[i].edits));
    return STATUS_DONE;
}

static void say_why_not(Session *s, const char *path, const Amendment *m)
{
    const Diag *d = m->cause;
    if (m->unwritable != NULL) {
        session_say(s, "%s: not amended: the encoding of %s cannot be edited; save it as UTF-8, "
                    "and remove the declaration of its encoding\n", path, m->unwritable);
        return;
    }
    if (d == NULL || d->source == NULL)
        return;
    bool choice = strncmp(diag_code(d->id), "E06", 3) == 0;
    session_say(s, "%s: not amended: %s %s at %s:%u:%u\n", path,
                choice ? "no inserted selection fixes" : "fix another error first,",
                                                         diag_code(d->id), d->source->name,
                                                         (unsigned)m->cause_at.line,
                                                         (unsigned)m->cause_at.column);
}

// The entry as the options name it: compiling has made another of it.
static void reset_entry(Session *s, Compilation *c)
{
    const char *entry = s->options.value[OPTION_ENTRY];
    c->cx.entry = names_get(s->names, entry ? entry : "main");
    c->cx.entry_class = c->cx.entry_method = NULL;
    entry_read(&c->cx);
}

// What an amendment could not mend is reported about the sources as they are: nothing is written
// then.
static Status amend_file(Session *s, const char *path, PathList *printed)
{
    Compilation c;
    Text bytes;
    const char *why;
    Status status = session_compile(s, path, PASS_PROJECT, &c);
    if (status != STATUS_ERRORS)
        return status;
    if (!file_read(s->arena, path, &bytes, &why))
        return STATUS_FILE;
    reset_entry(s, &c);
    Amendment m = amend_program(s->arena, &c.cx, path, bytes);
    bool mended = diags_error_count(m.left) == 0;
    if (!mended)
        say_why_not(s, path, &m);
    arena_free(m.arena);
    if (!mended)
        return STATUS_ERRORS;
    s->diags = diags_new(s->arena);
    return s->options.value[OPTION_DIFF] ? print_diffs(s, &m, printed) : write_files(s, &m);
}

Status cmd_amend(Session *s)
{
    Status worst = STATUS_DONE;
    PathList printed = {0};
    for (size_t i = 0; i < s->options.operands.len; i++) {
        Status status = amend_file(s, s->options.operands.at[i], &printed);
        if (status > worst)
            worst = status;
        session_print_diags(s);
    }
    return worst;
}
