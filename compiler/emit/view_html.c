// view_html.c - one page with the sources, the diagram and the programs side by side.
//
// A message and its lines have the same `data-site`; a few lines of script mark all of them when
// the pointer is on one. Nothing else needs the script, and nothing is loaded.

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/markup.h"
#include "compiler/base/screen_line.h"
#include "compiler/emit/view.h"

static const char head[] =
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>body{margin:0;font:14px sans-serif;color:#222;display:flex;flex-direction:column;"
    "height:100vh}"
    "header{padding:8px 14px;background:#eef}h1{display:inline;margin:0 1em 0 0;font-size:17px}"
    "nav{display:inline}nav a{margin-right:.8em}"
    "main{flex:1;min-height:0;display:flex;overflow-x:auto}"
    "section{flex:none;max-width:46em;display:flex;flex-direction:column;"
    "border-right:1px solid #ccc}#diagram0{max-width:90vw}"
    "h2{margin:0;padding:8px 14px;font-size:14px}"
    ".text{flex:1;overflow:auto;padding:0 14px 14px}"
    "pre{margin:0;font:13px/1.45 monospace}.text pre{min-width:max-content}"
    ".rows{counter-reset:row}.row{display:block;counter-increment:row}"
    ".row::before{content:counter(row);display:inline-block;"
    "width:3em;margin-right:1em;text-align:right;color:#999}"
    "svg{display:block}.head{position:sticky;top:0;margin-bottom:-52px}"
    "details{margin-top:1em}"
    "[data-site]{cursor:pointer}.row[data-site]{background:#f4f4fa}.row.on{background:#fd8}"
    "g.on .back{fill:#fd8;fill-opacity:1}g.on line{stroke-width:3}"
    "@media print{body,main,section{display:block;height:auto;max-width:none}"
    ".head{display:none}}</style>\n";

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
    "document.querySelectorAll(\".rows\").forEach(pre => {\n"
    "  const first = pre.querySelector(\"[data-site]\");\n"
    "  first?.scrollIntoView({block: \"center\", inline: \"nearest\"});\n"
    "});\n"
    "document.querySelector(\"main\").scrollLeft = 0;\n"
    "document.addEventListener(\"click\", event => {\n"
    "  const shown = new Set([event.target.closest(\"section\")]);\n"
    "  const main = document.querySelector(\"main\"), left = main.scrollLeft;\n"
    "  all(event.target.closest(\"[data-site]\")).forEach(e => {\n"
    "    if (!shown.has(e.closest(\"section\")))\n"
    "      e.scrollIntoView({block: \"center\", inline: \"nearest\"});\n"
    "    shown.add(e.closest(\"section\"));\n"
    "  });\n"
    "  main.scrollLeft = left;\n"
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
    Text shown = screen_line(b->arena, line).shown;
    markup_text(b, shown.at, shown.len);
    buf_puts(b, "\n</span>");
}

// Where the text of a panel is in the joined text of all sources.
static uint32_t base_of(const ViewCx *cx, const ViewPanel *panel)
{
    for (size_t i = 0; i < cx->source->part_count; i++)
        if (cx->source->parts[i].file == panel->source)
            return cx->source->parts[i].at;
    return 0;
}

static void print_element(Buf *b, const char *tag, const char *text)
{
    buf_printf(b, "<%s>", tag);
    markup_text(b, text, strlen(text));
    buf_printf(b, "</%s>", tag);
}

static void open_section(Buf *b, const char *id, size_t index, const char *title)
{
    buf_printf(b, "<section id=\"%s%zu\">", id, index);
    print_element(b, "h2", title);
    buf_puts(b, "\n<div class=\"text\">");
}

static void print_panel(Buf *b, const ViewCx *cx, const Diagram *d, ViewPanels panels, size_t index)
{
    const ViewPanel *panel = &panels.at[index];
    const char *at = panel->text.at, *end = at + panel->text.len;
    uint32_t base = base_of(cx, panel);
    open_section(b, "text", index, panel->title);
    buf_puts(b, "<pre class=\"rows\">");
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        print_line(b, cx, d, panel, base, (Text){at, (size_t)(stop - at)});
        at = stop + 1;
    }
    buf_puts(b, "</pre></div></section>\n");
}

// The picture, and the same as text, which a program without pictures shows.
static void print_diagram(Buf *b, const Diagram *d)
{
    Buf text = buf_new(b->arena);
    view_print_mermaid(&text, d);
    open_section(b, "diagram", 0, d->title);
    view_print_svg_head(b, d);
    view_print_svg(b, d);
    buf_puts(b, "<details><summary>as text</summary>");
    print_element(b, "pre", buf_text(&text));
    buf_puts(b, "</details></div></section>\n");
}

static void print_link(Buf *b, const char *id, size_t index, const char *title)
{
    buf_printf(b, "<a href=\"#%s%zu\">", id, index);
    markup_text(b, title, strlen(title));
    buf_puts(b, "</a> ");
}

// How many panels are sources; they come before the programs.
static size_t past_sources(ViewPanels panels)
{
    size_t i = 0;
    while (i < panels.len && panels.at[i].source)
        i++;
    return i;
}

static void print_header(Buf *b, const Diagram *d, ViewPanels panels, const char *title)
{
    size_t sources = past_sources(panels);
    buf_puts(b, "<header>");
    print_element(b, "h1", title);
    buf_puts(b, "<nav>");
    for (size_t i = 0; i < sources; i++)
        print_link(b, "text", i, panels.at[i].title);
    print_link(b, "diagram", 0, d->title);
    for (size_t i = sources; i < panels.len; i++)
        print_link(b, "text", i, panels.at[i].title);
    buf_puts(b, "</nav></header>\n");
}

void view_print_html(Buf *b, const ViewCx *cx, const Diagram *d, ViewPanels panels)
{
    const char *title = panels.len > 0 ? panels.at[0].title : d->title;
    size_t sources = past_sources(panels);
    buf_puts(b, "<!DOCTYPE html>\n<html lang=\"en\"><head>");
    print_element(b, "title", title);
    buf_puts(b, "\n");
    buf_puts(b, head);
    buf_puts(b, "</head><body>\n");
    print_header(b, d, panels, title);
    buf_puts(b, "<main>\n");
    for (size_t i = 0; i < sources; i++)
        print_panel(b, cx, d, panels, i);
    print_diagram(b, d);
    for (size_t i = sources; i < panels.len; i++)
        print_panel(b, cx, d, panels, i);
    buf_puts(b, "</main>\n");
    buf_puts(b, script);
    buf_puts(b, "</body></html>\n");
}
