// view_svg.c - a diagram as SVG 1.1: lifelines, arrows and frames are lines and rectangles, so that
// no tool is needed to draw it. Widths are those of a monospaced font.
//
// Texts are wrapped: the label of an arrow to the way between its lifelines, a note to a few words
// or the roles that it is over, a caption to its frame. Each has a background, so that no lifeline
// crosses it.

#include <string.h>

#include "compiler/base/markup.h"
#include "compiler/base/screen_line.h"
#include "compiler/base/vec.h"
#include "compiler/emit/view.h"

enum {
    CHARACTER = 8, LINE = 16, MARGIN = 20, GAP = 14, HEAD = 32, PADDING = 14, MIN_COLUMN = 130,
    FRAME_INSET = 8, TAB = 44,
    LABEL_WIDTH = 34 * CHARACTER, NOTE_WIDTH = 24 * CHARACTER,
};

typedef struct Lines { const char **at; size_t len, cap; } Lines;

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

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

// ---- texts ----

static Text as_text(const char *text) { return (Text){text, strlen(text)}; }

static int text_width(Arena *a, const char *text)
{
    return (int)screen_line(a, as_text(text)).width * CHARACTER;
}

static const char *next_character(const char *text)
{
    for (text++; ((unsigned char)*text & 0xC0) == 0x80; text++) { }
    return text;
}

// Where the first line of a text ends that is `width` wide: after a word if there is one.
static const char *line_end(Arena *a, const char *text, int width)
{
    ScreenLine line = screen_line(a, as_text(text));
    const char *word = NULL, *at = text;
    uint32_t room = (uint32_t)(width / CHARACTER);
    while (*at && (at == text || line.columns[next_character(at) - text] <= room)) {
        if (*at == ' ')
            word = at;
        at = next_character(at);
    }
    return *at == '\0' || *at == ' ' || word == NULL || word == text ? at : word;
}

static Lines wrap(Arena *a, const char *text, int width)
{
    Lines lines = {0};
    do {
        const char *end = line_end(a, text, width);
        vec_push(a, &lines, arena_strndup(a, text, (size_t)(end - text)));
        text = *end == ' ' ? end + 1 : end;
    } while (*text);
    return lines;
}

static int lines_width(Arena *a, Lines lines)
{
    int width = 0;
    for (size_t i = 0; i < lines.len; i++)
        width = larger(width, text_width(a, lines.at[i]));
    return width;
}

// ---- measures ----

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

// How many columns an event goes over.
static int span_of(const Diagram *d, const ViewEvent *e)
{
    int span = index_of(d, e->from) - index_of(d, e->to);
    return span < 0 ? -span : span;
}

static bool is_note(const ViewEvent *e) { return e->kind == VIEW_NOTE || e->kind == VIEW_JUMP; }

// How far apart the lifelines must be for texts to fit between the ends of their arrows.
static int column_width(Arena *a, const Diagram *d)
{
    int column = MIN_COLUMN;
    for (size_t i = 0; i < d->roles.len; i++)
        column = larger(column, text_width(a, d->roles.at[i]) + 3 * PADDING);
    for (size_t i = 0; i < d->len; i++) {
        const ViewEvent *e = &d->at[i];
        if (e->hidden || e->from == NULL)
            continue;
        int limit = is_note(e) ? NOTE_WIDTH : LABEL_WIDTH;
        int text = smaller(text_width(a, e->text), limit) + 3 * PADDING;
        column = larger(column, text / larger(span_of(d, e), 1));
    }
    return column;
}

static int note_width(const Canvas *c, const ViewEvent *e)
{
    int span = span_of(c->d, e) * c->column;
    return larger(lines_width(c->arena, wrap(c->arena, e->text, larger(NOTE_WIDTH, span))), span)
           + 2 * PADDING;
}

// The first lifeline is so far right that what is over it alone fits within the deepest frame.
static int first_lifeline(const Canvas *c)
{
    int depth = 0, deepest = 0, half = 0;
    for (size_t i = 0; i < c->d->roles.len; i++)
        half = larger(half, text_width(c->arena, c->d->roles.at[i]) / 2 + PADDING);
    for (size_t i = 0; i < c->d->len; i++) {
        const ViewEvent *e = &c->d->at[i];
        if (e->hidden)
            continue;
        depth += (e->kind == VIEW_ALT || e->kind == VIEW_LOOP) - (e->kind == VIEW_END);
        deepest = larger(deepest, depth);
        if (is_note(e))
            half = larger(half, (note_width(c, e) - span_of(c->d, e) * c->column) / 2);
    }
    return MARGIN + larger((deepest + 1) * FRAME_INSET + half, 60);
}

// ---- shapes ----

static void text_at(Canvas *c, int x, int y, const char *anchor, const char *text)
{
    buf_printf(c->b, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
    markup_text(c->b, text, strlen(text));
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

// The lines from `top` on, around or after `x`, on a background.
static void text_block(Canvas *c, int x, int top, const char *anchor, Lines lines)
{
    int width = lines_width(c->arena, lines);
    int left = strcmp(anchor, "middle") == 0 ? x - width / 2 : x;
    if (width > 0)
        box_at(c, left - 2, top, width + 4, (int)lines.len * LINE, "back");
    for (size_t i = 0; i < lines.len; i++)
        text_at(c, x, top + (int)i * LINE + LINE - 4, anchor, lines.at[i]);
}

// A message is a group. Its title, which a pointer over it shows, has the roles, which may be far
// away, and the whole text.
static void open_message(Canvas *c, const ViewEvent *e)
{
    Buf title = buf_new(c->arena);
    buf_printf(&title, "%s -> %s: %s", e->from, e->to, e->text);
    buf_puts(c->b, "<g");
    if (e->site)
        buf_printf(c->b, " data-site=\"%d\"", e->site);
    buf_puts(c->b, "><title>");
    markup_text(c->b, buf_text(&title), strlen(buf_text(&title)));
    buf_puts(c->b, "</title>\n");
}

static void arrow(Canvas *c, const ViewEvent *e, const char *class_)
{
    int from = x_of(c, e->from), to = x_of(c, e->to);
    Lines lines = wrap(c->arena, e->text, span_of(c->d, e) * c->column - 2 * PADDING);
    c->y += GAP;
    open_message(c, e);
    text_block(c, (from + to) / 2, c->y, "middle", lines);
    c->y += (int)lines.len * LINE + 3;
    line_at(c, from, c->y, to, c->y, class_);
    buf_puts(c->b, "</g>\n");
}

static void note(Canvas *c, const ViewEvent *e)
{
    int width = note_width(c, e), middle = (x_of(c, e->from) + x_of(c, e->to)) / 2;
    Lines lines = wrap(c->arena, e->text, width - 2 * PADDING);
    int height = (int)lines.len * LINE + 8;
    c->y += GAP;
    box_at(c, middle - width / 2, c->y, width, height, "note");
    for (size_t i = 0; i < lines.len; i++)
        text_at(c, middle, c->y + (int)i * LINE + LINE, "middle", lines.at[i]);
    c->y += height;
}

// ---- frames ----

static int inset_of(const Canvas *c) { return MARGIN + (int)c->frames.len * FRAME_INSET; }

// The word and the caption of the part that starts here.
static void caption(Canvas *c, const char *word, const char *text)
{
    int x = inset_of(c), room = width_of(c) - 2 * x - TAB - PADDING;
    Lines lines = wrap(c->arena, text, room);
    box_at(c, x, c->y, TAB - 6, LINE + 4, "tab");
    text_at(c, x + 4, c->y + LINE - 2, "start", word);
    text_block(c, x + TAB, c->y + 2, "start", lines);
    c->y += larger(LINE, (int)lines.len * LINE) + 4;
}

static void open_frame(Canvas *c, const char *word, const ViewEvent *e)
{
    c->y += GAP;
    OpenFrame frame = {c->y};
    vec_push(c->arena, &c->frames, frame);
    caption(c, word, e->text);
}

static void next_part(Canvas *c, const ViewEvent *e)
{
    int inset = inset_of(c);
    c->y += GAP;
    line_at(c, inset, c->y, width_of(c) - inset, c->y, "part");
    caption(c, "else", e->text);
}

static void close_frame(Canvas *c)
{
    int inset = inset_of(c);
    c->y += GAP;
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
    case VIEW_ENTER: case VIEW_LEAVE: case VIEW_CALL: case VIEW_AFTER_LOOP: break;
    }
}

// ---- the picture ----

static const char style[] =
    "<style>text{font:13px monospace;fill:#222}rect{fill:none;stroke:#555}.role{fill:#eef}"
    ".note{fill:#ffd}.tab{fill:#eee}.back{fill:#fff;fill-opacity:.9;stroke:none}"
    ".paper{fill:#fff;stroke:none}"
    ".life{stroke:#999;stroke-dasharray:4 4}.part{stroke:#555;stroke-dasharray:6 3}"
    ".message{stroke:#222;marker-end:url(#full)}"
    ".select{stroke:#222;stroke-dasharray:2 3;marker-end:url(#open)}</style>\n"
    "<defs><marker id=\"full\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"8\" "
    "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
    "<path d=\"M0 0L10 5L0 10z\"/></marker>"
    "<marker id=\"open\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"9\" "
    "markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
    "<path d=\"M0 0L10 5L0 10\" fill=\"none\" stroke=\"#222\"/></marker></defs>\n";

static void draw_head(Canvas *c, Sym role, int y)
{
    int x = x_of(c, role), width = text_width(c->arena, role) + 2 * PADDING;
    box_at(c, x - width / 2, y, width, HEAD, "role");
    text_at(c, x, y + HEAD / 2 + 5, "middle", role);
}

// Each role has its name at both ends of its line.
static void draw_roles(Canvas *c, int height)
{
    for (size_t i = 0; i < c->d->roles.len; i++) {
        Sym role = c->d->roles.at[i];
        int x = x_of(c, role), foot = height - MARGIN - HEAD;
        line_at(c, x, MARGIN + HEAD, x, foot, "life");
        draw_head(c, role, MARGIN);
        draw_head(c, role, foot);
    }
}

static Canvas canvas_new(Buf *b, const Diagram *d)
{
    Canvas c = {.b = b, .d = d, .arena = b->arena, .column = column_width(b->arena, d),
                .y = MARGIN + HEAD};
    c.left = first_lifeline(&c);
    return c;
}

static void open_svg(Canvas *c, int height, const char *more)
{
    int width = width_of(c);
    buf_printf(c->b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "viewBox=\"0 0 %d %d\"%s>\n", width, height, width, height, more);
    box_at(c, 0, 0, width, height, "paper");
}

void view_print_svg(Buf *b, const Diagram *d)
{
    Buf events = buf_new(b->arena);
    Canvas c = canvas_new(&events, d);
    for (size_t i = 0; i < d->len; i++)
        if (!d->at[i].hidden)
            draw(&c, &d->at[i]);
    int height = c.y + GAP + HEAD + MARGIN;
    c.b = b;
    open_svg(&c, height, "");
    buf_puts(b, "<title>");
    markup_text(b, d->title, strlen(d->title));
    buf_puts(b, "</title>\n");
    buf_puts(b, style);
    draw_roles(&c, height);
    buf_puts(b, buf_text(&events));
    buf_puts(b, "</svg>\n");
}

void view_print_svg_head(Buf *b, const Diagram *d)
{
    Canvas c = canvas_new(b, d);
    open_svg(&c, c.y, " class=\"head\" aria-hidden=\"true\"");
    for (size_t i = 0; i < d->roles.len; i++)
        draw_head(&c, d->roles.at[i], MARGIN);
    buf_puts(b, "</svg>\n");
}
