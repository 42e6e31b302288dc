// cmd_cost.c - `check --cost`: what a choreography sends on every path, and which of its selections
// nobody needs.

#include <string.h>

#include "compiler/base/json.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/emit/cost.h"
#include "compiler/pass/redundant.h"

static void print_redundant(Buf *b, const Redundant *r, const Source *source)
{
    buf_printf(b, "not needed: telling %s in line", r->receiver);
    for (size_t i = 0; i < r->count; i++)
        buf_printf(b, "%s %u", i == 0 ? "" : i + 1 == r->count ? " and" : ",",
                   (unsigned)source_place(source, r->at[i].start).line);
    buf_puts(b, "\n");
}

static void json_redundant(Buf *b, const Redundant *r, const Source *source)
{
    buf_puts(b, "{\"redundant\": {\"receiver\": ");
    json_string(b, (Text){r->receiver, strlen(r->receiver)});
    buf_puts(b, ", \"lines\": [");
    for (size_t i = 0; i < r->count; i++)
        buf_printf(b, "%s%u", i == 0 ? "" : ", ",
                   (unsigned)source_place(source, r->at[i].start).line);
    buf_puts(b, "]}}\n");
}

Status cost_show(Session *s, const Compilation *c)
{
    Buf b = buf_new(s->arena);
    bool json = strcmp(s->options.value[OPTION_COST], "json") == 0;
    CostReport report = cost_collect(s->arena, s->names, c->cx.units[PASS_CHECK]);
    RedundantList redundant = redundant_find(&c->cx);
    if (json)
        cost_print_json(&b, &report, c->cx.source);
    else
        cost_print(&b, &report, c->cx.source);
    for (size_t i = 0; i < redundant.len; i++)
        (json ? json_redundant : print_redundant)(&b, &redundant.at[i], c->cx.source);
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
}
