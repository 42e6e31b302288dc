// view_html.c - one page with the sources, the diagram and the programs side by side.
//
// A message and its lines have the same `data-site`; a few lines of script mark all of them when
// the pointer is on one. Nothing else needs the script, and nothing is loaded.

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/markup.h"
#include "compiler/emit/view.h"

static const char head[] =
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>body{margin:0;font:14px sans-serif;color:#222}"
    "h1{margin:0;padding:8px 14px;font-size:17px;background:#eef}"
    "main{display:flex;height:calc(100vh - 38px);overflow-x:auto}"
    "section{flex:none;max-width:46em;overflow:auto;padding:0 14px 14px;"
    "border-right:1px solid #ccc}"
    "h2{position:sticky;top:0;margin:0;padding:8px 0;font-size:14px;background:#fff}"
    "pre{margin:0;font:13px/1.45 monospace;counter-reset:row}"
    ".row{counter-increment:row}.row::before{content:counter(row);display:inline-block;"
    "width:3em;margin-right:1em;text-align:right;color:#999}"
    "[data-site]{cursor:pointer}.row[data-site]{background:#f4f4fa}.row.on{background:#fd8}"
    "g.on .back{fill:#fd8;fill-opacity:1}g.on line{stroke-width:3}"
    "@media print{main{display:block;height:auto}}</style>\n";

// Marks everything of a message; a click moves the other panels to it. When the page opens, each
// panel shows its first message.
static const char script[] =
    "<script>\n"
    "function all(from) {\n"
    "  const found = from ? from.dataset.site.split(\" \") : [];\n"
    "  return found.flatMap(n => [...document.querySelectorAll(`[data-site~=\"${n}\"]`)]);\n"
    "}\n"
    "document.addEventListener(\"mouseover\", event => {\n"
    "  document.querySelectorAll(\".on\").forEach(e => e.classList.remove(\"on\"));\n"
    "  all(event.target.closest(\"[data-site]\")).forEach(e => e.classList.add(\"on\"));\n"
    "});\n"
    "document.querySelectorAll(\"pre\").forEach(pre => {\n"
    "  const first = pre.querySelector(\"[data-site]\");\n"
    "  first?.scrollIntoView({block: \"center\", inline: \"nearest\"});\n"
    "});\n"
    "document.querySelector(\"main\").scrollLeft = 0;\n"
    "document.addEventListener(\"click\", event => {\n"
    "  const here = event.target.closest(\"section\");\n"
    "  all(event.target.closest(\"[data-site]\")).reverse().forEach(e => {\n"
    "    if (e.closest(\"section\") !== here)\n"
    "      e.scrollIntoView({block: \"center\", inline: \"nearest\"});\n"
    "  });\n"
    "});\n"
    "</script>\n";

// What is known while the messages of a line are printed, and how many there were.
typedef struct Marks { const Diagram *d; const ViewCx *cx; Buf *b; size_t count; } Marks;

static bool is_shown(const Diagram *d, int site)
{
    for (size_t i = 0; i < d->len; i++)
        if (d->at[i].site == site)
            return true;
    return false;
}

static void mark(Marks *m, int site)
{
    buf_printf(m->b, "%s%d", m->count++ ? " " : " data-site=\"", site);
}

static bool is_on(const ViewEvent *e, uint32_t start, uint32_t end)
{
    return e->site && e->at.start < end && e->at.end > start;
}

// Of a line of a source, from `start` to `end` in the text of all of them.
static void mark_source_line(Marks *m, uint32_t start, uint32_t end)
{
    for (size_t i = 0; i < m->d->len; i++) {
        const ViewEvent *e = &m->d->at[i];
        bool known = false;
        for (size_t j = 0; j < i && !known && is_on(e, start, end); j++)
            known = m->d->at[j].site == e->site && is_on(&m->d->at[j], start, end);
        if (!known && is_on(e, start, end))
            mark(m, e->site);
    }
}

// Of a line of a program, whose messages end with `site=7)`.
static void mark_program_line(Marks *m, Text line)
{
    static const char word[] = "site=";
    const char *end = line.at + line.len;
    for (const char *at = line.at; at + sizeof word <= end; at++) {
        if (strncmp(at, word, sizeof word - 1) != 0)
            continue;
        char *after;
        long site = strtol(at + sizeof word - 1, &after, 10);
        if (*after == ')' && is_shown(m->d, (int)site))
            mark(m, (int)site);
    }
}

static void print_line(Buf *b, const ViewCx *cx, const Diagram *d, const ViewPanel *panel,
                       uint32_t base, Text line)
{
    Marks m = {d, cx, b, 0};
    uint32_t start = base + (uint32_t)(line.at - panel->text.at);
    buf_puts(b, "<span class=\"row\"");
    if (panel->source)
        mark_source_line(&m, start, start + (uint32_t)line.len);
    else
        mark_program_line(&m, line);
    buf_puts(b, m.count ? "\">" : ">");
    markup_text(b, line.at, line.len);
    buf_puts(b, "</span>\n");
}

// Where the text of a panel is in the joined text of all sources.
static uint32_t base_of(const ViewCx *cx, const ViewPanel *panel)
{
    for (size_t i = 0; i < cx->source->part_count; i++)
        if (cx->source->parts[i].file == panel->source)
            return cx->source->parts[i].at;
    return 0;
}

static void print_panel(Buf *b, const ViewCx *cx, const Diagram *d, const ViewPanel *panel)
{
    const char *at = panel->text.at, *end = at + panel->text.len;
    uint32_t base = base_of(cx, panel);
    buf_puts(b, "<section><h2>");
    markup_text(b, panel->title, strlen(panel->title));
    buf_puts(b, "</h2>\n<pre>");
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        print_line(b, cx, d, panel, base, (Text){at, (size_t)(stop - at)});
        at = stop + 1;
    }
    buf_puts(b, "</pre></section>\n");
}

static void print_diagram(Buf *b, const Diagram *d)
{
    buf_puts(b, "<section><h2>");
    markup_text(b, d->title, strlen(d->title));
    buf_puts(b, "</h2>\n");
    view_print_svg(b, d);
    buf_puts(b, "</section>\n");
}

void view_print_html(Buf *b, const ViewCx *cx, const Diagram *d, ViewPanels panels)
{
    const char *title = panels.len > 0 ? panels.at[0].title : d->title;
    bool drawn = false;
    buf_puts(b, "<!DOCTYPE html>\n<html lang=\"en\"><head><title>");
    markup_text(b, title, strlen(title));
    buf_puts(b, "</title>\n");
    buf_puts(b, head);
    buf_puts(b, "</head><body>\n<h1>");
    markup_text(b, title, strlen(title));
    buf_puts(b, "</h1>\n<main>\n");
    for (size_t i = 0; i < panels.len; i++) {
        if (!drawn && panels.at[i].source == NULL) {
            print_diagram(b, d);
            drawn = true;
        }
        print_panel(b, cx, d, &panels.at[i]);
    }
    buf_puts(b, "</main>\n");
    buf_puts(b, script);
    buf_puts(b, "</body></html>\n");
}
