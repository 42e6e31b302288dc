// view_svg.c - a diagram as SVG 1.1: lifelines, arrows and frames are lines and rectangles, so that
// no tool is needed to draw it. Widths are those of a monospaced font.

#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/emit/view.h"

enum {
    CHARACTER = 8, MARGIN = 20, ROW = 34, HEAD = 32, PADDING = 14, MIN_COLUMN = 130, TAB = 18,
    FRAME_INSET = 6,
};

// A frame that is open while the rows below it are drawn.
typedef struct OpenFrame { int top; } OpenFrame;

typedef struct Canvas {
    Buf *b;
    const Diagram *d;
    int column;                 // from lifeline to lifeline
    int left;                   // of the first lifeline
    int y;
    Vec(OpenFrame) frames;
    Arena *arena;
} Canvas;

// Code points, near enough to columns.
static int text_width(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n * CHARACTER;
}

static int index_of(const Diagram *d, Sym role)
{
    int i = 0;
    while (d->roles.at[i] != role)
        i++;
    return i;
}

static int x_of(const Canvas *c, Sym role) { return c->left + index_of(c->d, role) * c->column; }

static int width_of(const Canvas *c)
{
    return 2 * c->left + ((int)c->d->roles.len - 1) * c->column;
}

static int larger(int a, int b) { return a > b ? a : b; }

// How far apart the lifelines must be for all texts to fit between the ends of their arrows.
static int column_width(const Diagram *d)
{
    int column = MIN_COLUMN;
    for (size_t i = 0; i < d->roles.len; i++)
        column = larger(column, text_width(d->roles.at[i]) + 3 * PADDING);
    for (size_t i = 0; i < d->len; i++) {
        const ViewEvent *e = &d->at[i];
        if (e->from == NULL)
            continue;
        int span = index_of(d, e->from) - index_of(d, e->to);
        span = larger(span < 0 ? -span : span, 1);
        column = larger(column, (text_width(e->text) + 3 * PADDING) / span);
    }
    return column;
}

static int frame_margin(const Diagram *d)
{
    int depth = 0, deepest = 0, widest = 0;
    for (size_t i = 0; i < d->len; i++) {
        ViewKind kind = d->at[i].kind;
        depth += (kind == VIEW_ALT || kind == VIEW_LOOP) - (kind == VIEW_END);
        deepest = larger(deepest, depth);
        if (d->at[i].from == NULL)
            widest = larger(widest, text_width(d->at[i].text) + 6 * CHARACTER);
    }
    int columns = ((int)d->roles.len - 1) * column_width(d);
    return larger(MARGIN + 50 + deepest * FRAME_INSET, MARGIN + (widest - columns) / 2);
}

// ---- shapes ----

static void print_escaped(Buf *b, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': buf_puts(b, "&lt;"); break;
        case '>': buf_puts(b, "&gt;"); break;
        case '&': buf_puts(b, "&amp;"); break;
        case '"': buf_puts(b, "&quot;"); break;
        default: buf_putc(b, (unsigned char)*text < ' ' ? ' ' : *text); break;
        }
    }
}

static void text_at(Canvas *c, int x, int y, const char *anchor, const char *text)
{
    buf_printf(c->b, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
    print_escaped(c->b, text);
    buf_puts(c->b, "</text>\n");
}

static void box_at(Canvas *c, int x, int y, int width, int height, const char *class_)
{
    buf_printf(c->b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%s\"/>\n", x, y,
               width, height, class_);
}

static void line_at(Canvas *c, int x1, int y1, int x2, int y2, const char *class_)
{
    buf_printf(c->b, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"%s\"/>\n", x1, y1, x2,
               y2, class_);
}

static void arrow(Canvas *c, const ViewEvent *e, const char *class_)
{
    int from = x_of(c, e->from), to = x_of(c, e->to);
    c->y += ROW;
    text_at(c, (from + to) / 2, c->y - 6, "middle", e->text);
    line_at(c, from, c->y, to, c->y, class_);
}

static void note(Canvas *c, const ViewEvent *e)
{
    int from = x_of(c, e->from), to = x_of(c, e->to);
    int left = from < to ? from : to, right = from < to ? to : from;
    int width = larger(right - left, text_width(e->text)) + 2 * PADDING;
    int middle = (left + right) / 2;
    c->y += ROW;
    box_at(c, middle - width / 2, c->y - 18, width, 24, "note");
    text_at(c, middle, c->y - 2, "middle", e->text);
}

// ---- frames ----

static void tab(Canvas *c, const char *word, const char *text)
{
    int x = MARGIN + (int)c->frames.len * FRAME_INSET;
    text_at(c, x + 4, c->y + 13, "start", word);
    text_at(c, x + 4 + 5 * CHARACTER, c->y + 13, "start", text);
}

static void open_frame(Canvas *c, const char *word, const ViewEvent *e)
{
    c->y += ROW / 2;
    OpenFrame frame = {c->y};
    vec_push(c->arena, &c->frames, frame);
    tab(c, word, e->text);
    c->y += TAB;
}

static void next_part(Canvas *c, const ViewEvent *e)
{
    int inset = MARGIN + (int)c->frames.len * FRAME_INSET;
    c->y += ROW / 2;
    line_at(c, inset, c->y, width_of(c) - inset, c->y, "part");
    tab(c, "else", e->text);
    c->y += TAB;
}

static void close_frame(Canvas *c)
{
    int inset = MARGIN + (int)c->frames.len * FRAME_INSET;
    c->y += ROW / 2;
    c->frames.len--;
    int top = c->frames.at[c->frames.len].top;
    box_at(c, inset, top, width_of(c) - 2 * inset, c->y - top, "frame");
}

static void draw(Canvas *c, const ViewEvent *e)
{
    switch (e->kind) {
    case VIEW_MESSAGE: arrow(c, e, "message"); break;
    case VIEW_SELECT: arrow(c, e, "select"); break;
    case VIEW_NOTE: case VIEW_JUMP: note(c, e); break;
    case VIEW_ALT: open_frame(c, "alt", e); break;
    case VIEW_LOOP: open_frame(c, "loop", e); break;
    case VIEW_ELSE: next_part(c, e); break;
    case VIEW_END: close_frame(c); break;
    }
}

// ---- the picture ----

static const char style[] =
    "<style>text{font:13px monospace;fill:#222}rect{fill:none;stroke:#555}.role{fill:#eef}"
    ".note{fill:#ffd}.life{stroke:#999;stroke-dasharray:4 4}.part{stroke:#555;stroke-dasharray:6 3}"
    ".message{stroke:#222;marker-end:url(#full)}"
    ".select{stroke:#222;stroke-dasharray:2 3;marker-end:url(#open)}</style>\n"
    "<defs><marker id=\"full\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"8\" "
    "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\"/></marker>"
    "<marker id=\"open\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"9\" "
    "markerHeight=\"9\" orient=\"auto\"><path d=\"M0 0L10 5L0 10\" fill=\"none\" "
    "stroke=\"#222\"/></marker></defs>\n";

static void draw_roles(Canvas *c, int height)
{
    for (size_t i = 0; i < c->d->roles.len; i++) {
        Sym role = c->d->roles.at[i];
        int x = x_of(c, role), width = text_width(role) + 2 * PADDING;
        line_at(c, x, MARGIN + HEAD, x, height - MARGIN, "life");
        box_at(c, x - width / 2, MARGIN, width, HEAD, "role");
        text_at(c, x, MARGIN + HEAD / 2 + 5, "middle", role);
    }
}

void view_print_svg(Buf *b, const Diagram *d)
{
    Buf events = buf_new(b->arena);
    Canvas c = {.b = &events, .d = d, .arena = b->arena, .column = column_width(d),
                .left = frame_margin(d), .y = MARGIN + HEAD};
    for (size_t i = 0; i < d->len; i++)
        draw(&c, &d->at[i]);
    int height = c.y + ROW + MARGIN, width = width_of(&c);
    buf_printf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "viewBox=\"0 0 %d %d\">\n<title>", width, height, width, height);
    print_escaped(b, d->title);
    buf_puts(b, "</title>\n");
    buf_puts(b, style);
    c.b = b;
    draw_roles(&c, height);
    buf_puts(b, buf_text(&events));
    buf_puts(b, "</svg>\n");
}
