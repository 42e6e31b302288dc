// cmd_cost.c - `check --cost`: what a choreography sends on every path, and which of its selections
// nobody needs.

#include <string.h>

#include "compiler/base/json.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/emit/cost.h"
#include "compiler/pass/redundant.h"

static unsigned line_of(const Source *source, Span at)
{
    const Source *file = source_file(source, &at.start);
    return source_place(file, at.start).line;
}

// The selections of one choice are in one file.
static const Source *file_of(const Redundant *r, const Source *source)
{
    uint32_t start = r->at[0].start;
    return source_file(source, &start);
}

static void print_redundant(Buf *b, const Redundant *r, const Source *source)
{
    const Source *file = file_of(r, source);
    buf_printf(b, "not needed: the selection for %s in ", r->receiver);
    if (source->part_count > 0)
        buf_printf(b, "%s, ", file->name);
    buf_puts(b, "line");
    for (size_t i = 0; i < r->count; i++)
        buf_printf(b, "%s %u", i == 0 ? "" : i + 1 == r->count ? " and" : ",",
                   line_of(source, r->at[i]));
    buf_puts(b, "\n");
}

static void json_redundant(Buf *b, const Redundant *r, const Source *source)
{
    buf_puts(b, "{\"redundant\": {\"receiver\": ");
    json_string(b, (Text){r->receiver, strlen(r->receiver)});
    const char *name = file_of(r, source)->name;
    buf_puts(b, ", \"file\": ");
    json_string(b, (Text){name, strlen(name)});
    buf_puts(b, ", \"lines\": [");
    for (size_t i = 0; i < r->count; i++)
        buf_printf(b, "%s%u", i == 0 ? "" : ", ", line_of(source, r->at[i]));
    buf_puts(b, "]}}\n");
}

Status cost_show(Session *s, const Compilation *c)
{
    Buf b = buf_new(s->arena);
    bool json = strcmp(s->options.value[OPTION_COST], "json") == 0;
    const Unit *unit = pass_before(&c->cx, PASS_PROJECT);
    CostReport report = cost_collect(s->arena, s->names, c->cx.source, unit);
    RedundantList redundant = redundant_find(&c->cx);
    if (json)
        cost_print_json(&b, &report, c->cx.source);
    else
        cost_print(&b, &report, c->cx.source);
    for (size_t i = 0; i < redundant.len; i++)
        (json ? json_redundant : print_redundant)(&b, &redundant.at[i], c->cx.source);
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
}
