// diag_json.c - a diagnostic as a JSON object on one line.
//
// Readers must accept fields that they do not know. Lines and columns count from 1, columns in code
// points; bytes count from 0 in the text as UTF-8; ends are exclusive.

#include <string.h>

#include "compiler/base/diag_out_internal.h"
#include "compiler/base/json.h"

enum { FORMAT_VERSION = 1 };

static void put_string(Buf *b, const char *name, const char *text)
{
    buf_printf(b, "\"%s\":", name);
    if (text != NULL)
        json_string(b, (Text){text, strlen(text)});
    else
        buf_puts(b, "null");
}

static void put_place(Buf *b, const Source *source, Span at)
{
    Range r = diag_range(source, at);
    put_string(b, "file", source->name);
    buf_printf(b, ",\"byte_start\":%u,\"byte_end\":%u", (unsigned)at.start,
               (unsigned)(at.end > at.start ? at.end : at.start));
    buf_printf(b, ",\"line_start\":%u,\"col_start\":%u", (unsigned)r.start.line,
               (unsigned)r.start.column);
    buf_printf(b, ",\"line_end\":%u,\"col_end\":%u", (unsigned)r.end.line,
               (unsigned)r.end.column);
}

static void put_span(Buf *b, Arena *a, const Diag *d, Span at, const char *label, bool primary)
{
    buf_puts(b, "{");
    put_place(b, d->source, at);
    buf_printf(b, ",\"primary\":%s,", primary ? "true" : "false");
    put_string(b, "label", label);
    buf_puts(b, ",");
    put_string(b, "role", diag_label_role(a, d, label));
    buf_puts(b, "}");
}

static void put_spans(Buf *b, Arena *a, const Diag *d)
{
    buf_puts(b, ",\"spans\":[");
    if (d->source != NULL) {
        put_span(b, a, d, d->at, d->label, true);
        for (size_t i = 0; i < d->label_count; i++) {
            buf_puts(b, ",");
            put_span(b, a, d, d->labels[i].at, d->labels[i].text, false);
        }
    }
    buf_puts(b, "]");
}

static void put_roles(Buf *b, Arena *a, const Diag *d)
{
    RoleNames roles = {.arena = a};
    diag_all_roles(d, &roles);
    put_string(b, "role", roles.names.len > 0 ? roles.names.at[0] : NULL);
    buf_puts(b, ",\"roles\":[");
    for (size_t i = 0; i < roles.names.len; i++) {
        const char *name = roles.names.at[i];
        buf_puts(b, i > 0 ? "," : "");
        json_string(b, (Text){name, strlen(name)});
    }
    buf_puts(b, "]");
}

static void put_notes(Buf *b, const Diag *d)
{
    buf_puts(b, ",\"notes\":[");
    for (const Note *n = d->notes; n != NULL; n = n->next) {
        buf_puts(b, n != d->notes ? "," : "");
        json_string(b, (Text){n->text, strlen(n->text)});
    }
    buf_puts(b, "]");
}

static void put_fix(Buf *b, const Diag *d, const Help *h)
{
    buf_puts(b, "{");
    put_string(b, "message", h->text);
    buf_puts(b, ",");
    put_string(b, "applicability", h->edit_count > 0 ? "machine-applicable" : "by-hand");
    buf_puts(b, ",\"edits\":[");
    for (size_t i = 0; i < h->edit_count && d->source != NULL; i++) {
        buf_puts(b, i > 0 ? ",{" : "{");
        put_place(b, d->source, h->edits[i].at);
        buf_puts(b, ",");
        put_string(b, "text", h->edits[i].text);
        buf_puts(b, "}");
    }
    buf_puts(b, "]}");
}

void diag_json_put(Buf *b, Arena *a, const Diag *d)
{
    buf_printf(b, "{\"version\":%d,", FORMAT_VERSION);
    put_string(b, "code", diag_code(d->id));
    buf_puts(b, ",");
    put_string(b, "level", d->severity == SEVERITY_ERROR ? "error" : "warning");
    buf_puts(b, ",");
    put_string(b, "message", d->text);
    buf_puts(b, ",");
    put_roles(b, a, d);
    put_spans(b, a, d);
    put_notes(b, d);
    buf_puts(b, ",\"fixes\":[");
    for (const Help *h = d->helps; h != NULL; h = h->next) {
        buf_puts(b, h != d->helps ? "," : "");
        put_fix(b, d, h);
    }
    buf_printf(b, "],\"explain\":\"pychoralc explain %s\"}\n", diag_code(d->id));
}

void diag_json_end(Buf *b, const DiagOut *out, size_t files)
{
    buf_printf(b, "{\"summary\":{\"errors\":%lu,\"warnings\":%lu,"
               "\"files\":%lu,\"not_shown\":%lu}}\n",
               (unsigned long)(out->shown[0] + out->hidden[0]),
               (unsigned long)(out->shown[1] + out->hidden[1]), (unsigned long)files,
               (unsigned long)(out->hidden[0] + out->hidden[1]));
}
