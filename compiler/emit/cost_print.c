// cost_print.c - the cost of a choreography as a table for people, and as JSON.

#include <string.h>

#include "compiler/base/json.h"
#include "compiler/emit/cost.h"

enum { TEXT_WIDTH = 60 };

// ---- for people ----

static void put_range(Buf *b, Range r)
{
    buf_printf(b, "%zu", r.min);
    if (r.max == COST_UNBOUNDED)
        buf_puts(b, " or more");
    else if (r.max != r.min)
        buf_printf(b, " to %zu", r.max);
}

static void put_blanks(Buf *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_putc(b, ' ');
}

static void put_line(Buf *b, size_t margin, const char *text, const CostRow *row, Range r)
{
    size_t start = b->len;
    put_blanks(b, margin);
    buf_puts(b, text);
    put_blanks(b, b->len - start < TEXT_WIDTH ? TEXT_WIDTH - (b->len - start) : 1);
    if (row == NULL || row->reached)
        put_range(b, r);
    else
        buf_puts(b, "ends the run");
    buf_putc(b, '\n');
}

static unsigned line_of(const Source *source, Span at)
{
    const Source *file = source_file(source, &at.start);
    return source_place(file, at.start).line;
}

static void print_row(Buf *b, const CostRow *row, const Source *source)
{
    buf_printf(b, "  line %-5u", line_of(source, row->at));
    put_line(b, 2 * (size_t)row->depth, row->text, row, row->range);
}

static void print_function(Buf *b, const FunctionCost *f, const Source *source)
{
    buf_printf(b, "%s(", f->name);
    for (size_t i = 0; i < f->roles.len; i++)
        buf_printf(b, "%s%s", i == 0 ? "" : ", ", f->roles.at[i]);
    Span at = f->at;
    if (source->part_count > 0)
        buf_printf(b, ") in %s: ", source_file(source, &at.start)->name);
    else
        buf_puts(b, "): ");
    if (f->returns)
        put_range(b, f->total);
    buf_puts(b, !f->returns ? "never returns\n"
                : f->total.min == 1 && f->total.max == 1 ? " message\n" : " messages\n");
    for (size_t i = 0; i < f->pair_count; i++) {
        buf_printf(b, "  %s to %s: ", f->pairs[i].from, f->pairs[i].to);
        put_range(b, f->pairs[i].range);
        buf_putc(b, '\n');
    }
    for (size_t i = 0; i < f->row_count; i++)
        print_row(b, &f->rows[i], source);
}

void cost_print(Buf *b, const CostReport *report, const Source *source)
{
    for (size_t i = 0; i < report->len; i++)
        print_function(b, &report->at[i], source);
    if (!report->exact)
        buf_printf(b, "calls of function values%s are counted as any number of messages\n",
                   report->beyond ? " and of what only an interface declares" : "");
}

// ---- JSON ----

static void json_text(Buf *b, const char *text)
{
    json_string(b, (Text){text, strlen(text)});
}

// No maximum is null.
static void json_range(Buf *b, Range r)
{
    if (r.max == COST_UNBOUNDED)
        buf_printf(b, "\"min\": %zu, \"max\": null", r.min);
    else
        buf_printf(b, "\"min\": %zu, \"max\": %zu", r.min, r.max);
}

static void json_pair(Buf *b, const CostPair *p)
{
    buf_puts(b, "{\"from\": ");
    json_text(b, p->from);
    buf_puts(b, ", \"to\": ");
    json_text(b, p->to);
    buf_puts(b, ", ");
    json_range(b, p->range);
    buf_putc(b, '}');
}

static void json_row(Buf *b, const CostRow *row, const Source *source)
{
    buf_printf(b, "{\"line\": %u, \"depth\": %d, \"text\": ",
               line_of(source, row->at), row->depth);
    json_text(b, row->text);
    buf_printf(b, ", \"returns\": %s, ", row->reached ? "true" : "false");
    json_range(b, row->range);
    buf_putc(b, '}');
}

static void json_function(Buf *b, const FunctionCost *f, const Source *source)
{
    buf_puts(b, "{\"name\": ");
    Span at = f->at;
    json_text(b, f->name);
    buf_puts(b, ", \"file\": ");
    json_text(b, source_file(source, &at.start)->name);
    buf_printf(b, ", \"line\": %u", line_of(source, f->at));
    buf_puts(b, ", \"roles\": [");
    for (size_t i = 0; i < f->roles.len; i++) {
        buf_puts(b, i == 0 ? "" : ", ");
        json_text(b, f->roles.at[i]);
    }
    buf_printf(b, "], \"returns\": %s, ", f->returns ? "true" : "false");
    json_range(b, f->total);
    buf_puts(b, ", \"pairs\": [");
    for (size_t i = 0; i < f->pair_count; i++) {
        buf_puts(b, i == 0 ? "" : ", ");
        json_pair(b, &f->pairs[i]);
    }
    buf_puts(b, "], \"rows\": [");
    for (size_t i = 0; i < f->row_count; i++) {
        buf_puts(b, i == 0 ? "" : ", ");
        json_row(b, &f->rows[i], source);
    }
    buf_puts(b, "]}");
}

void cost_print_json(Buf *b, const CostReport *report, const Source *source)
{
    buf_puts(b, "{\"functions\": [");
    for (size_t i = 0; i < report->len; i++) {
        buf_puts(b, i == 0 ? "" : ", ");
        json_function(b, &report->at[i], source);
    }
    buf_printf(b, "], \"exact\": %s}\n", report->exact ? "true" : "false");
}
