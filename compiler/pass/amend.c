// amend.c - amendment of choices, by applying what the errors about them offer. One error a round:
// telling a role of an outer choice often settles the inner ones.

#include "compiler/pass/amend.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/front/front.h"

enum { MAX_ROUNDS = 1000 };

static const Help *offered(const Diag *d)
{
    if (strncmp(diag_code(d->id), "E06", 3) != 0)
        return NULL;
    for (const Help *h = d->helps; h != NULL; h = h->next)
        if (h->edit_count > 0)
            return h;
    return NULL;
}

// What the first error about a choice in this source offers; NULL when there is no such error, or
// when anything else is wrong: what is not understood is not edited.
static const Help *next_help(const Diags *ds, const Source *source)
{
    const Help *found = NULL;
    for (size_t i = 0; i < diags_count(ds); i++) {
        const Diag *d = diags_get(ds, i);
        if (d->severity == SEVERITY_ERROR && strncmp(diag_code(d->id), "E06", 3) != 0)
            return NULL;
        if (found == NULL && d->source == source)
            found = offered(d);
    }
    return found;
}

static int by_place(const void *x, const void *y)
{
    const Edit *a = x, *b = y;
    return a->at.start < b->at.start ? -1 : a->at.start > b->at.start;
}

// The file keeps its line ends: those of the first line.
static void put_inserted(Buf *b, Text file, const char *inserted)
{
    const char *end = memchr(file.at, '\n', file.len);
    bool crlf = end != NULL && end > file.at && end[-1] == '\r';
    for (const char *at = inserted; *at; at++) {
        if (crlf && *at == '\n' && (at == inserted || at[-1] != '\r'))
            buf_raw(b, "\r", 1);
        buf_raw(b, at, 1);
    }
}

static Text apply(Arena *a, Text text, const Help *h)
{
    Edit *edits = ARENA_ARRAY(a, Edit, h->edit_count);
    Buf b = buf_new(a);
    size_t done = 0;
    memcpy(edits, h->edits, h->edit_count * sizeof *edits);
    qsort(edits, h->edit_count, sizeof *edits, by_place);
    for (size_t i = 0; i < h->edit_count; i++) {
        buf_raw(&b, text.at + done, edits[i].at.start - done);
        put_inserted(&b, text, edits[i].text);
        done = edits[i].at.end;
    }
    buf_raw(&b, text.at + done, text.len - done);
    return (Text){buf_text(&b), b.len};
}

// Compiles the text; what it gives lives in an arena of its own.
static Amendment judge(const PassCx *like, const char *name, Text text)
{
    PassCx cx = *like;
    cx.arena = arena_new();
    cx.diags = diags_new(cx.arena);
    cx.source = front_decode(cx.arena, name, text, cx.diags);
    if (cx.source != NULL) {
        diags_set_source(cx.diags, cx.source);
        pass_run(&cx, PASS_PROJECT);
    }
    return (Amendment){.text = text, .left = cx.diags, .source = cx.source, .arena = cx.arena};
}

// Offsets are those of the decoded text: only where it is the text of the file can it be edited.
static bool can_edit(const Amendment *m)
{
    return m->source != NULL && m->source->text.len == m->text.len &&
           memcmp(m->source->text.at, m->text.at, m->text.len) == 0;
}

Amendment amend_source(Arena *a, const PassCx *like, const char *name, Text bytes)
{
    Amendment m = judge(like, name, bytes);
    for (int round = 0; round < MAX_ROUNDS && can_edit(&m); round++) {
        const Help *help = next_help(m.left, m.source);
        if (help == NULL)
            break;
        size_t edits = m.edits + help->edit_count;
        Text text = apply(a, m.text, help);
        arena_free(m.arena);
        m = judge(like, name, text);
        m.edits = edits;
    }
    return m;
}
