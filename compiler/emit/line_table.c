// line_table.c - see line_table.h.

#include "compiler/emit/line_table.h"

#include <stdio.h>

#include "compiler/emit/python.h"

void line_table_note(LineTable *t, size_t at, Span span)
{
    if (span.end == 0 || source_part(t->source, span.start) != t->part)
        return;
    uint32_t offset = span.start;
    const Source *file = source_file(t->source, &offset);
    NotedLine noted = {at, (uint32_t)source_line_index(file, offset) + 1};
    vec_push(t->arena, &t->noted, noted);
}

// Lines `first` to `last` come from line `source` and those that follow it, one from each.
typedef struct Run { size_t first, last; uint32_t source; } Run;

static size_t put_run(Buf *b, Run run, size_t column)
{
    char text[64];
    int len = run.first == run.last
        ? snprintf(text, sizeof text, " %zu:%u", run.first, run.source)
        : snprintf(text, sizeof text, " %zu-%zu:%u", run.first, run.last, run.source);
    if (column + (size_t)len > PYTHON_WIDTH) {
        buf_puts(b, "\n#");
        column = 1;
    }
    buf_puts(b, text);
    return column + (size_t)len;
}

void line_table_print(Buf *b, const LineTable *t, const Buf *body, size_t before)
{
    size_t at = 0, line = before + 1, column = PYTHON_WIDTH;
    Run run = {0};
    if (t->noted.len == 0)
        return;
    buf_puts(b, "\n# lines of ");
    buf_line(b, t->name);
    buf_printf(b, " (sha256 %.16s):", t->hash);
    for (size_t i = 0; i < t->noted.len; i++) {
        for (; at < t->noted.at[i].at; at++)
            line += body->at[at] == '\n';
        uint32_t source = t->noted.at[i].line, last = run.source + (uint32_t)(run.last - run.first);
        if (run.first > 0 && line == run.last + 1 && source == last + 1) {
            run.last++;
        } else if (run.first == 0 || source != last) {
            column = run.first > 0 ? put_run(b, run, column) : column;
            run = (Run){line, line, source};
        }
    }
    put_run(b, run, column);
    buf_putc(b, '\n');
}
