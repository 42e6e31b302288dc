// diag_print.c - the layout of diagnostics.
//
//     auth.py:41:32: error[E0402]: `salt` is at Client but `pepper` is at IP
//        |
//     33 |     salt: At[str, Client] = ...
//        |           --------------- `salt` was placed at Client here
//     ...
//     41 |     h: At[str, IP] = calc_hash(salt + pepper)
//        |                                ^^^^   ------ at IP
//        |                                |
//        |                                at Client
//        = note: ...
//     help: send `salt` to IP first
//        |
//     41 |     h: At[str, IP] = calc_hash(self.ch_Client_IP.com(salt) + pepper)
//        |                                ++++++++++++++++++++++    +
//
// The primary span is marked by `^`, others by `-`. In a help `+` marks what is put in and `~` what
// replaces something; lines that come or go as a whole are shown as `49 +` and `49 -`. Lines that
// go have the numbers of the user's file, those that come or change have their new ones.

#include "compiler/base/diag_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/screen_line.h"
#include "compiler/base/vec.h"

enum {
    WINDOW = 160,               // columns shown of a line that is longer
    WINDOW_BEFORE = 40,         // of them before the first mark
    WHOLE_SPAN_LINES = 4,       // a span of more lines is shown by its first and last one
};

typedef struct Printer {
    Buf *b;
    Arena *arena;               // for scratch
    const Source *source;
    bool color;
    Severity severity;
    int gutter;                 // digits of the largest line number
} Printer;

// What is to be marked in one line, by bytes of that line.
typedef struct Mark {
    uint32_t line, start, end;
    char paint;                 // one of ^ - + ~
    const char *label;
    uint32_t from, to;          // the same in columns of the terminal, known when it is drawn
} Mark;

typedef Vec(Mark) MarkVec;

// ---- small output -----------------------------------------------------------------------------

static const char *style_of(const Printer *p, char paint)
{
    switch (paint) {
    case '^': return p->severity == SEVERITY_ERROR ? "\033[1;31m" : "\033[1;33m";
    case '-': return "\033[1;34m";
    case '+': return "\033[32m";
    case '~': return "\033[33m";
    default:  return "\033[1m";
    }
}

static void style_on(Printer *p, char paint)
{
    if (p->color)
        buf_puts(p->b, style_of(p, paint));
}

static void style_off(Printer *p)
{
    if (p->color)
        buf_puts(p->b, "\033[0m");
}

static void styled(Printer *p, char paint, const char *text, size_t len)
{
    style_on(p, paint);
    buf_write(p->b, text, len);
    style_off(p);
}

static void blanks(Printer *p, size_t n)
{
    while (n-- > 0)
        buf_putc(p->b, ' ');
}

// A text of ours with names of the user's in it; later lines of it start below the first.
static void put_text(Printer *p, const char *text, size_t indent)
{
    for (;;) {
        size_t len = strcspn(text, "\n");
        Text shown = screen_line(p->arena, (Text){text, len}).shown;
        buf_write(p->b, shown.at, shown.len);
        if (text[len] == '\0')
            return;
        buf_putc(p->b, '\n');
        blanks(p, indent);
        text += len + 1;
    }
}

static void put_gutter(Printer *p, uint32_t number, char separator)
{
    char text[32];
    int len = number > 0 ? snprintf(text, sizeof text, "%*lu %c", p->gutter,
                                    (unsigned long)number, separator)
                         : snprintf(text, sizeof text, "%*s %c", p->gutter, "", separator);
    styled(p, separator == '|' ? '-' : separator, text, (size_t)len);
}

static void put_line(Printer *p, uint32_t number, char separator, Text text)
{
    while (text.len > 0 && text.at[text.len - 1] == ' ')
        text.len--;
    put_gutter(p, number, separator);
    if (text.len > 0)
        buf_putc(p->b, ' ');
    buf_write(p->b, text.at, text.len);
    buf_putc(p->b, '\n');
}

// ---- one line with its marks ------------------------------------------------------------------

// The columns of a line that are shown.
typedef struct Window { uint32_t from, to; } Window;

static Window choose_window(const ScreenLine *line, const Mark *marks, size_t n)
{
    Window w = {0, line->width};
    uint32_t first = n > 0 ? marks[0].from : 0;
    if (line->width <= WINDOW)
        return w;
    for (size_t i = 0; i < n; i++)
        if (marks[i].paint == '^')
            first = marks[i].from;
    w.from = first > WINDOW_BEFORE ? first - WINDOW_BEFORE : 0;
    w.to = w.from + WINDOW < line->width ? w.from + WINDOW : line->width;
    return w;
}

static Text cut_line(Printer *p, const ScreenLine *line, Window w)
{
    Buf b = buf_new(p->arena);
    Text part = screen_line_part(line, w.from, w.to);
    if (w.from > 0)
        buf_puts(&b, "...");
    buf_raw(&b, part.at, part.len);
    if (w.to < line->width)
        buf_puts(&b, "...");
    return (Text){buf_text(&b), b.len};
}

static uint32_t in_window(uint32_t column, Window w)
{
    uint32_t inside = column < w.from ? w.from : column > w.to ? w.to : column;
    return inside - w.from + (w.from > 0 ? 3 : 0);
}

static void place_marks(const ScreenLine *line, Mark *marks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        marks[i].from = line->columns[marks[i].start];
        marks[i].to = line->columns[marks[i].end];
        if (marks[i].to <= marks[i].from)
            marks[i].to = marks[i].from + 1;
    }
}

static int by_column(const void *a, const void *b)
{
    const Mark *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

// Wide marks first, so that narrow ones inside them stay visible; the primary one last of equals.
static int by_width(const void *a, const void *b)
{
    const Mark *x = a, *y = b;
    uint32_t width_x = x->to - x->from, width_y = y->to - y->from;
    if (width_x != width_y)
        return width_x > width_y ? -1 : 1;
    return (x->paint == '^') - (y->paint == '^');
}

static Text draw_underline(Printer *p, const Mark *marks, size_t n)
{
    Mark *sorted = ARENA_ARRAY(p->arena, Mark, n);
    uint32_t width = 0;
    memcpy(sorted, marks, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_width);
    for (size_t i = 0; i < n; i++)
        width = sorted[i].to > width ? sorted[i].to : width;
    char *text = arena_alloc(p->arena, width + 1);
    memset(text, ' ', width);
    for (size_t i = 0; i < n; i++)
        memset(text + sorted[i].from, sorted[i].paint, sorted[i].to - sorted[i].from);
    return (Text){text, width};
}

static void put_underline(Printer *p, Text text)
{
    put_gutter(p, 0, '|');
    buf_putc(p->b, ' ');
    for (size_t i = 0, len; i < text.len; i += len) {
        for (len = 1; i + len < text.len && text.at[i + len] == text.at[i];)
            len++;
        if (text.at[i] == ' ')
            blanks(p, len);
        else
            styled(p, text.at[i], text.at + i, len);
    }
}

// Bars below the first `n` marks that have labels; gives the column behind the last bar.
static uint32_t put_bars(Printer *p, const Mark *const *hung, size_t n, uint32_t before)
{
    uint32_t column = 0;
    put_gutter(p, 0, '|');
    buf_putc(p->b, ' ');
    for (size_t i = 0; i < n; i++) {
        if (hung[i]->from < column || hung[i]->from >= before)
            continue;
        blanks(p, hung[i]->from - column);
        styled(p, hung[i]->paint, "|", 1);
        column = hung[i]->from + 1;
    }
    return column;
}

// Labels that find no place beside their mark hang below it, the rightmost first.
static void put_hung_labels(Printer *p, const Mark *const *hung, size_t n)
{
    if (n == 0)
        return;
    put_bars(p, hung, n, UINT32_MAX);
    buf_putc(p->b, '\n');
    for (size_t i = n; i-- > 0;) {
        uint32_t column = put_bars(p, hung, i, hung[i]->from);
        blanks(p, hung[i]->from - column);
        style_on(p, hung[i]->paint);
        put_text(p, hung[i]->label, (size_t)p->gutter + 3 + hung[i]->from);
        style_off(p);
        buf_putc(p->b, '\n');
    }
}

static void put_marks(Printer *p, const Mark *marks, size_t n)
{
    Text underline = draw_underline(p, marks, n);
    const Mark *last = &marks[n - 1];
    bool beside = last->to == underline.len;
    const Mark **hung = ARENA_ARRAY(p->arena, const Mark *, n);
    size_t count = 0;
    put_underline(p, underline);
    if (beside && *last->label != '\0') {
        buf_putc(p->b, ' ');
        style_on(p, last->paint);
        put_text(p, last->label, (size_t)p->gutter + 4 + last->to);
        style_off(p);
    }
    buf_putc(p->b, '\n');
    for (size_t i = 0; i < n; i++)
        if (*marks[i].label != '\0' && !(beside && &marks[i] == last))
            hung[count++] = &marks[i];
    put_hung_labels(p, hung, count);
}

static void put_marked_line(Printer *p, uint32_t number, Text text, Mark *marks, size_t n)
{
    ScreenLine line = screen_line(p->arena, text);
    place_marks(&line, marks, n);
    Window w = choose_window(&line, marks, n);
    for (size_t i = 0; i < n; i++) {
        marks[i].from = in_window(marks[i].from, w);
        marks[i].to = in_window(marks[i].to, w);
        if (marks[i].to <= marks[i].from)
            marks[i].to = marks[i].from + 1;
    }
    if (n > 0)
        qsort(marks, n, sizeof *marks, by_column);
    put_line(p, number, '|', cut_line(p, &line, w));
    if (n > 0)
        put_marks(p, marks, n);
}

// ---- the snippet ------------------------------------------------------------------------------

static uint32_t first_text(Text line)
{
    uint32_t i = 0;
    while (i < line.len && (line.at[i] == ' ' || line.at[i] == '\t'))
        i++;
    return i;
}

// The lines of a span. One that ends at the start of a line ends with the line before.
static void span_ends(const Source *s, Span at, Place *start, Place *end)
{
    *start = source_place(s, at.start);
    *end = source_place(s, at.end > at.start ? at.end : at.start);
    if (end->byte == 0 && end->line > start->line) {
        end->line--;
        end->byte = (uint32_t)source_line(s, end->line).len;
    }
}

// In a span of several lines each line that is shown is marked from its first to its last byte.
static void add_mark(Printer *p, MarkVec *marks, Span at, char paint, const char *label)
{
    Place start, end;
    span_ends(p->source, at, &start, &end);
    bool whole = end.line - start.line < WHOLE_SPAN_LINES;
    for (uint32_t n = start.line; n <= end.line; n++) {
        Text line = source_line(p->source, n);
        uint32_t len = (uint32_t)line.len;
        uint32_t from = n == start.line ? start.byte : first_text(line);
        uint32_t to = n == end.line ? end.byte : len;
        Mark mark = {.line = n, .start = from < len ? from : len, .end = to < len ? to : len,
                     .paint = paint, .label = n == end.line ? label : ""};
        vec_push(p->arena, marks, mark);
        if (!whole && n == start.line)
            n = end.line - 1;
    }
}

static int by_line(const void *a, const void *b)
{
    const Mark *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

// What stands between two lines that are shown: nothing, one line, or dots.
static void put_gap(Printer *p, uint32_t before, uint32_t after)
{
    if (before == 0 || after <= before + 1)
        return;
    if (after == before + 2)
        put_marked_line(p, before + 1, source_line(p->source, before + 1), NULL, 0);
    else
        buf_puts(p->b, "...\n");
}

static void put_snippet(Printer *p, const Diag *d)
{
    MarkVec marks = {0};
    uint32_t before = 0;
    add_mark(p, &marks, d->at, '^', d->label);
    for (size_t i = 0; i < d->label_count; i++)
        add_mark(p, &marks, d->labels[i].at, '-', d->labels[i].text);
    qsort(marks.at, marks.len, sizeof *marks.at, by_line);
    put_line(p, 0, '|', (Text){"", 0});
    for (size_t i = 0, n; i < marks.len; i += n) {
        uint32_t line = marks.at[i].line;
        for (n = 1; i + n < marks.len && marks.at[i + n].line == line;)
            n++;
        put_gap(p, before, line);
        put_marked_line(p, line, source_line(p->source, line), marks.at + i, n);
        before = line;
    }
}

// ---- helps ------------------------------------------------------------------------------------

// Edits of the same lines, and the text that these lines become.
typedef struct Change {
    uint32_t first, last;       // lines
    int32_t moved;              // how far edits above have moved them
    const Edit *edits;
    size_t count;
    Text old, new;
    MarkVec marks;              // bytes of `new`
    bool deletes;               // some edit only takes away
} Change;

static int by_start(const void *a, const void *b)
{
    const Edit *x = a, *y = b;
    if (x->at.start != y->at.start)
        return x->at.start < y->at.start ? -1 : 1;
    return (x->at.end > y->at.end) - (x->at.end < y->at.end);
}

static void apply_edits(Printer *p, Change *c)
{
    const char *text = p->source->text.at;
    uint32_t at = p->source->lines[c->first - 1], line_end;
    Text last = source_line(p->source, c->last);
    Buf b = buf_new(p->arena);
    line_end = (uint32_t)(last.at - text + (ptrdiff_t)last.len);
    c->old = (Text){text + at, line_end - at};
    for (size_t i = 0; i < c->count; i++) {
        const Edit *e = &c->edits[i];
        uint32_t end = e->at.end < line_end ? e->at.end : line_end;
        if (e->at.start < at || end < e->at.start)
            continue;
        buf_raw(&b, text + at, e->at.start - at);
        uint32_t from = (uint32_t)b.len;
        buf_raw(&b, e->text, strlen(e->text));
        at = end;
        c->deletes = c->deletes || *e->text == '\0';
        Mark mark = {.start = from, .end = (uint32_t)b.len, .label = "",
                     .paint = e->at.end > e->at.start ? '~' : '+'};
        vec_push(p->arena, &c->marks, mark);
    }
    buf_raw(&b, text + at, line_end - at);
    c->new = (Text){buf_text(&b), b.len};
}

typedef Vec(Text) TextVec;

// A text that ends with a newline has an empty last line.
static TextVec split_lines(Printer *p, Text text)
{
    TextVec lines = {0};
    const char *newline;
    do {
        newline = memchr(text.at, '\n', text.len);
        size_t len = newline != NULL ? (size_t)(newline - text.at) : text.len;
        bool crlf = len > 0 && text.at[len - 1] == '\r';
        Text line = {text.at, len - crlf};
        vec_push(p->arena, &lines, line);
        text = (Text){text.at + len + 1, text.len - len - (newline != NULL)};
    } while (newline != NULL);
    return lines;
}

static bool same_text(Text a, Text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static void put_changed_lines(Printer *p, uint32_t number, char sign, const Text *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ScreenLine line = screen_line(p->arena, lines[i]);
        Text shown = cut_line(p, &line, choose_window(&line, NULL, 0));
        put_line(p, number + (uint32_t)i, sign, shown);
    }
}

// Lines that go and lines that come, without those that stay at both ends.
static void put_difference(Printer *p, const Change *c)
{
    TextVec old = split_lines(p, c->old), new = split_lines(p, c->new);
    size_t head = 0, shorter = old.len < new.len ? old.len : new.len;
    while (head < shorter && same_text(old.at[head], new.at[head]))
        head++;
    while (old.len > head && new.len > head &&
           same_text(old.at[old.len - 1], new.at[new.len - 1])) {
        old.len--;
        new.len--;
    }
    uint32_t number = c->first + (uint32_t)head;
    put_changed_lines(p, number, '-', old.at + head, old.len - head);
    number += (uint32_t)c->moved;
    put_changed_lines(p, number, '+', new.at + head, new.len - head);
}

static void put_change(Printer *p, Change *c)
{
    apply_edits(p, c);
    bool one_line = c->first == c->last && memchr(c->new.at, '\n', c->new.len) == NULL;
    if (one_line && !c->deletes)
        put_marked_line(p, c->first + (uint32_t)c->moved, c->new, c->marks.at, c->marks.len);
    else
        put_difference(p, c);
}

static int32_t count_newlines(Text text)
{
    int32_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        n += text.at[i] == '\n';
    return n;
}

// Lines that go have the numbers of the file as it is, all others those of the edited file.
static void put_edits(Printer *p, const Help *help)
{
    int32_t moved = 0;
    Edit *edits = ARENA_ARRAY(p->arena, Edit, help->edit_count);
    memcpy(edits, help->edits, help->edit_count * sizeof *edits);
    qsort(edits, help->edit_count, sizeof *edits, by_start);
    put_line(p, 0, '|', (Text){"", 0});
    for (size_t i = 0; i < help->edit_count;) {
        Change c = {.edits = &edits[i], .first = source_place(p->source, edits[i].at.start).line,
                    .moved = moved};
        for (c.last = c.first; i < help->edit_count; i++, c.count++) {
            if (source_place(p->source, edits[i].at.start).line > c.last)
                break;
            uint32_t end = source_place(p->source, edits[i].at.end).line;
            c.last = end > c.last ? end : c.last;
        }
        put_change(p, &c);
        moved += count_newlines(c.new) - count_newlines(c.old);
    }
}

static void put_help(Printer *p, const Help *help)
{
    styled(p, ' ', "help: ", 6);
    put_text(p, help->text, 6);
    buf_putc(p->b, '\n');
    if (help->edit_count > 0 && p->source != NULL)
        put_edits(p, help);
}

// ---- whole diagnostics ------------------------------------------------------------------------

static uint32_t last_line(const Printer *p, Span at)
{
    uint32_t end = at.end > at.start ? at.end : at.start;
    return source_place(p->source, end).line;
}

static int gutter_width(const Printer *p, const Diag *d)
{
    if (p->source == NULL)
        return 2;
    uint32_t largest = last_line(p, d->at);
    for (size_t i = 0; i < d->label_count; i++) {
        uint32_t line = last_line(p, d->labels[i].at);
        largest = line > largest ? line : largest;
    }
    for (const Help *h = d->helps; h != NULL; h = h->next) {
        uint32_t line = 0, added = 0;
        for (size_t i = 0; i < h->edit_count; i++) {
            const char *text = h->edits[i].text;
            uint32_t last = last_line(p, h->edits[i].at);
            line = last > line ? last : line;
            added += (uint32_t)count_newlines((Text){text, strlen(text)});
        }
        largest = line + added > largest ? line + added : largest;
    }
    int width = 1;
    for (; largest >= 10; largest /= 10)
        width++;
    return width;
}

static void put_header(Printer *p, const Diag *d)
{
    const char *word = d->severity == SEVERITY_ERROR ? "error" : "warning";
    if (d->source != NULL) {
        Place place = source_place(d->source, d->at.start);
        style_on(p, ' ');
        put_text(p, d->source->name, 0);
        buf_printf(p->b, ":%lu:%lu: ", (unsigned long)place.line, (unsigned long)place.column);
        style_off(p);
    }
    style_on(p, '^');
    buf_printf(p->b, "%s[%s]", word, diag_code(d->id));
    style_off(p);
    style_on(p, ' ');
    buf_puts(p->b, ": ");
    put_text(p, d->text, 4);
    style_off(p);
    buf_putc(p->b, '\n');
}

static void put_remark(Printer *p, const char *kind, const char *text)
{
    size_t gutter = (size_t)p->gutter + 1;
    blanks(p, gutter);
    styled(p, '-', "= ", 2);
    styled(p, ' ', kind, strlen(kind));
    put_text(p, text, gutter + 2 + strlen(kind));
    buf_putc(p->b, '\n');
}

static void put_diag(Printer *p, const Diag *d, bool brief, bool explain)
{
    p->source = d->source;
    p->severity = d->severity;
    p->gutter = gutter_width(p, d);
    put_header(p, d);
    if (brief)
        return;
    if (d->source != NULL)
        put_snippet(p, d);
    for (const Note *n = d->notes; n != NULL; n = n->next)
        put_remark(p, "note: ", n->text);
    for (const Help *h = d->helps; h != NULL; h = h->next)
        put_help(p, h);
    if (explain) {
        Buf text = buf_new(p->arena);
        buf_printf(&text, "pychoralc explain %s", diag_code(d->id));
        put_remark(p, "for more: ", buf_text(&text));
    }
}

void diag_print(Buf *b, const Diag *d, DiagStyle style)
{
    Printer p = {.b = b, .arena = arena_new(), .color = style.color};
    put_diag(&p, d, style.format == DIAG_SHORT, style.explain);
    arena_free(p.arena);
}
