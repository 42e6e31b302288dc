// edit.c - a stable sort, one pass over the text.

#include "compiler/base/edit.h"

#include <string.h>

#include "compiler/base/buf.h"

// ---- order ----

static bool is_sorted(const Edits *edits)
{
    for (size_t i = 1; i < edits->len; i++)
        if (edits->at[i - 1].at.start > edits->at[i].at.start)
            return false;
    return true;
}

static void merge(const Edit *from, Edit *to, size_t low, size_t middle, size_t high)
{
    size_t left = low, right = middle;
    for (size_t i = low; i < high; i++) {
        bool take_left = left < middle
                         && (right == high || from[left].at.start <= from[right].at.start);
        to[i] = take_left ? from[left++] : from[right++];
    }
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void sort(Arena *a, Edits *edits)
{
    Edit *from = edits->at, *to = ARENA_ARRAY(a, Edit, edits->len);
    for (size_t run = 1; run < edits->len; run *= 2) {
        for (size_t low = 0; low < edits->len; low += 2 * run)
            merge(from, to, low, least(low + run, edits->len), least(low + 2 * run, edits->len));
        Edit *swap = from;
        from = to;
        to = swap;
    }
    edits->at = from;
    edits->cap = edits->len;
}

// ---- applying ----

// The line ends of a text are those of its first line.
static const char *line_end_of(Text text)
{
    size_t at = 0;
    while (at < text.len && text.at[at] != '\n' && text.at[at] != '\r')
        at++;
    if (at == text.len || text.at[at] == '\n')
        return "\n";
    return at + 1 < text.len && text.at[at + 1] == '\n' ? "\r\n" : "\r";
}

// What is inserted may be a copy of the text, which has its line ends.
static void put_inserted(Buf *b, const char *line_end, const char *inserted)
{
    for (const char *end; (end = strchr(inserted, '\n')) != NULL; inserted = end + 1) {
        bool has_cr = end > inserted && end[-1] == '\r';
        buf_raw(b, inserted, (size_t)(end - inserted) - has_cr);
        buf_raw(b, has_cr ? "\r\n" : line_end, has_cr ? 2 : strlen(line_end));
    }
    buf_raw(b, inserted, strlen(inserted));
}

Edited edits_apply(Arena *a, Text text, Edits *edits)
{
    Buf b = buf_new(a);
    Moved *moved = ARENA_ARRAY(a, Moved, edits->len);
    size_t done = 0;
    const char *line_end = line_end_of(text);
    if (!is_sorted(edits))
        sort(a, edits);
    for (size_t i = 0; i < edits->len; i++) {
        Span at = edits->at[i].at;
        if (at.start < done || at.end < at.start || at.end > text.len)
            return (Edited){.text = {NULL, 0}};
        buf_raw(&b, text.at + done, at.start - done);
        size_t start = b.len;
        put_inserted(&b, line_end, edits->at[i].text);
        done = at.end;
        moved[i] = (Moved){at.start, at.end, (uint32_t)(b.len - start)};
    }
    buf_raw(&b, text.at + done, text.len - done);
    return (Edited){{buf_text(&b), b.len}, moved, edits->len};
}

// ---- undoing ----

// How much the text has grown is a difference modulo 2^32: it may have shrunk.
uint32_t edited_before_next(const Edited *e, EditedPlace *place, uint32_t at)
{
    for (; place->edit < e->count; place->edit++) {
        const Moved *m = &e->moved[place->edit];
        if (at < m->start + place->grown)
            break;
        if (at < m->start + place->grown + m->len)
            return m->start;
        place->grown += m->len - (m->end - m->start);
    }
    return at - place->grown;
}

uint32_t edited_before(const Edited *e, uint32_t at)
{
    EditedPlace place = {0};
    return edited_before_next(e, &place, at);
}

Text edited_undo(Arena *a, const Edited *e, Text old)
{
    Buf b = buf_new(a);
    size_t done = 0, from = 0;
    for (size_t i = 0; i < e->count; i++) {
        const Moved *m = &e->moved[i];
        buf_raw(&b, e->text.at + from, m->start - done);
        from += m->start - done + m->len;
        buf_raw(&b, old.at + m->start, m->end - m->start);
        done = m->end;
    }
    buf_raw(&b, e->text.at + from, e->text.len - from);
    return (Text){buf_text(&b), b.len};
}
