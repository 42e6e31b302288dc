// python_layout.c - logical lines: written flat, then broken inside brackets where they are too
// long. A bracket whose contents do not fit is opened at the end of the line; its items fill the
// following lines, one level deeper. Strings over several lines are never moved.

#include "compiler/emit/python_internal.h"

#include <string.h>

void py_puts(Py *p, const char *s)
{
    buf_raw(&p->line, s, strlen(s));
}

void py_mark(Py *p, MarkKind kind)
{
    if (p->unbreakable == 0)
        vec_push(p->arena, &p->marks, ((Mark){p->line.len, kind}));
}

// ---- measuring ----

// Columns of a part of the line; a code point counts as one.
static size_t width(const Py *p, size_t from, size_t to)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        n += ((unsigned char)p->line.at[i] & 0xc0) != 0x80;
    return n;
}

static size_t limit(const Py *p)
{
    return p->options.width > 0 ? (size_t)p->options.width : PYTHON_WIDTH;
}

// Whether a part of the line ends within the limit when it starts in this column. Looks no
// further than that, so that nested groups are not measured again and again.
static bool ends_within(const Py *p, size_t column, size_t from, size_t to)
{
    size_t most = limit(p);
    for (size_t i = from; i < to && column <= most; i++)
        column += ((unsigned char)p->line.at[i] & 0xc0) != 0x80;
    return column <= most;
}

static bool opens(MarkKind kind)
{
    return kind == MARK_OPEN || kind == MARK_SOFT || kind == MARK_OPERATION;
}

// For each mark of a group the next mark of the same group, for a CLOSE the CLOSE itself.
static size_t *link_marks(Py *p)
{
    size_t *next = ARENA_ARRAY(p->arena, size_t, p->marks.len);
    Vec(size_t) last = {0};
    for (size_t i = 0; i < p->marks.len; i++) {
        MarkKind kind = p->marks.at[i].kind;
        next[i] = i;
        if (opens(kind)) {
            vec_push(p->arena, &last, i);
            continue;
        }
        next[last.at[last.len - 1]] = i;
        last.at[last.len - 1] = i;
        if (kind == MARK_CLOSE)
            last.len--;
    }
    return next;
}

typedef enum Group {
    GROUP_HARD,                 // broken; its brackets are in the text
    GROUP_SOFT,                 // broken; its brackets are added
    GROUP_HUG,                  // only what is inside is broken
} Group;

typedef struct Layout {
    Py     *p;
    size_t *next, *close;       // by mark: the next of its group; the CLOSE of its group
    size_t  done;               // so much of the line is written
    size_t  column, base;
    size_t  depth;              // of broken groups
    size_t  hang;               // levels by which the first one is deeper than the line
} Layout;

static size_t *link_closes(Py *p, const size_t *next)
{
    size_t *close = ARENA_ARRAY(p->arena, size_t, p->marks.len);
    for (size_t i = p->marks.len; i-- > 0; )
        close[i] = next[i] == i ? i : close[next[i]];
    return close;
}

// Where the text that has to stay on the line of mark `i` ends: at the next chance to break.
static size_t chunk_end(const Layout *l, size_t i)
{
    const MarkVec *marks = &l->p->marks;
    for (i++; i < marks->len; i++)
        if (marks->at[i].kind != MARK_CLOSE)
            return marks->at[i].at;
    return l->p->line.len;
}

// ---- writing ----

static void write_to(Layout *l, size_t end)
{
    if (end <= l->done)
        return;
    buf_write(l->p->out, l->p->line.at + l->done, end - l->done);
    l->column += width(l->p, l->done, end);
    l->done = end;
}

static void new_line(Layout *l)
{
    Buf *out = l->p->out;
    while (out->len > 0 && out->at[out->len - 1] == ' ')
        out->len--;
    buf_putc(out, '\n');
    size_t levels = l->depth == 0 ? 0 : l->depth - 1 + l->hang;
    l->column = l->base + 4 * levels;
    for (size_t i = 0; i < levels; i++)
        buf_puts(out, "    ");
}

// `f(g(...))`: the only item ends with a group, so it is enough to break that one.
static bool is_hug(const Layout *l, size_t i)
{
    const Mark *marks = l->p->marks.at;
    size_t close = l->close[i];
    return l->next[i] == close && marks[close - 1].kind == MARK_CLOSE &&
           marks[close - 1].at + 1 == marks[close].at && marks[i].kind == MARK_OPEN;
}

// Opens a group that is not written flat.
static Group open_group(Layout *l, size_t i)
{
    if (is_hug(l, i))
        return GROUP_HUG;
    MarkKind kind = l->p->marks.at[i].kind;
    l->depth++;
    if (kind != MARK_OPEN) {
        buf_putc(l->p->out, '(');
        l->column++;
    }
    if (kind != MARK_OPERATION)
        new_line(l);
    return kind == MARK_OPEN ? GROUP_HARD : GROUP_SOFT;
}

// Whether the group can stay on this line; empty brackets always do.
static bool fits(Layout *l, size_t i)
{
    size_t start = l->p->marks.at[i].at;
    write_to(l, start);
    if (start == l->p->marks.at[l->close[i]].at)
        return true;
    return ends_within(l->p, l->column, start, chunk_end(l, l->close[i]));
}

// An item in a broken group: on this line if it fits.
static void place_item(Layout *l, size_t i)
{
    const Mark *m = &l->p->marks.at[i];
    write_to(l, m->at);
    size_t next = l->next[i];
    size_t end = l->p->marks.at[next].kind == MARK_CLOSE ? chunk_end(l, next)
                                                         : l->p->marks.at[next].at;
    while (end > m->at && l->p->line.at[end - 1] == ' ')
        end--;
    if (!ends_within(l->p, l->column, m->at, end))
        new_line(l);
}

static void close_group(Layout *l, size_t i, Group group)
{
    write_to(l, l->p->marks.at[i].at);
    if (group == GROUP_SOFT)
        buf_putc(l->p->out, ')');
    l->depth -= group != GROUP_HUG;
}

static void write_broken(Py *p, bool header)
{
    size_t *next = link_marks(p);
    Layout l = {
        .p = p, .next = next, .close = link_closes(p, next), .hang = header ? 2 : 1,
        .base = 4 * (size_t)p->out->indent, .column = 4 * (size_t)p->out->indent,
    };
    Vec(Group) open = {0};
    for (size_t i = 0; i < p->marks.len; i++) {
        MarkKind kind = p->marks.at[i].kind;
        if (kind == MARK_BREAK)
            place_item(&l, i);
        else if (kind == MARK_CLOSE)
            close_group(&l, i, open.at[--open.len]);
        else if (fits(&l, i))
            i = l.close[i];
        else
            vec_push(p->arena, &open, open_group(&l, i));
    }
    write_to(&l, p->line.len);
}

// A line with newlines in it is indented only at its start.
static void write_raw(Py *p)
{
    const char *newline = memchr(p->line.at, '\n', p->line.len);
    size_t first = newline != NULL ? (size_t)(newline - p->line.at) : p->line.len;
    buf_write(p->out, p->line.at, first);
    buf_raw(p->out, p->line.at + first, p->line.len - first);
}

void py_line_end(Py *p, bool header)
{
    size_t indent = 4 * (size_t)p->out->indent;
    if (p->raw_newline || p->marks.len == 0 || ends_within(p, indent, 0, p->line.len))
        write_raw(p);
    else
        write_broken(p, header);
    buf_putc(p->out, '\n');
    p->line.len = 0;
    p->marks.len = 0;
    p->raw_newline = false;
}
