// diag_out.c - limits, order, and the forms that are lines of text.

#include "compiler/base/diag_out.h"

#include <string.h>

#include "compiler/base/diag_out_internal.h"
#include "compiler/base/diag_print.h"

// ---- what the forms share ----

Range diag_range(const Source *source, Span at)
{
    uint32_t end = at.end > at.start ? at.end : at.start;
    return (Range){source_place(source, at.start), source_place(source, end)};
}

void role_names_add(void *cx, const char *role)
{
    RoleNames *roles = cx;
    for (size_t i = 0; i < roles->names.len; i++)
        if (strcmp(roles->names.at[i], role) == 0)
            return;
    vec_push(roles->arena, &roles->names, role);
}

void diag_all_roles(const Diag *d, RoleNames *roles)
{
    if (d->role)
        role_names_add(roles, d->role);
    diag_each_role(d, d->text, role_names_add, roles);
    diag_each_role(d, d->label, role_names_add, roles);
    for (size_t i = 0; i < d->label_count; i++)
        diag_each_role(d, d->labels[i].text, role_names_add, roles);
    for (const Note *n = d->notes; n != NULL; n = n->next)
        diag_each_role(d, n->text, role_names_add, roles);
}

const char *diag_main_role(Arena *a, const Diag *d)
{
    RoleNames roles = {.arena = a};
    diag_all_roles(d, &roles);
    return roles.names.len > 0 ? roles.names.at[0] : NULL;
}

const char *diag_label_role(Arena *a, const Diag *d, const char *label)
{
    RoleNames roles = {.arena = a};
    diag_each_role(d, label, role_names_add, &roles);
    return roles.names.len == 1 ? roles.names.at[0] : NULL;
}

// ---- workflow commands ----

// A text within a workflow command; in a property `:` and `,` have a meaning too.
static void put_escaped(Buf *b, const char *text, bool property)
{
    for (; *text != '\0'; text++)
        if (*text == '%' || *text == '\n' || *text == '\r' ||
            (property && (*text == ':' || *text == ',')))
            buf_printf(b, "%%%02X", (unsigned)(unsigned char)*text);
        else
            buf_raw(b, text, 1);
}

static void put_github(Buf *b, const Diag *d)
{
    buf_puts(b, d->severity == SEVERITY_ERROR ? "::error " : "::warning ");
    if (d->source != NULL) {
        Range r = diag_range(d->source, d->at);
        buf_puts(b, "file=");
        put_escaped(b, d->source->name, true);
        buf_printf(b, ",line=%u,col=%u", (unsigned)r.start.line, (unsigned)r.start.column);
        if (r.end.line == r.start.line)         // columns of several lines are not shown there
            buf_printf(b, ",endColumn=%u", (unsigned)r.end.column);
        else
            buf_printf(b, ",endLine=%u", (unsigned)r.end.line);
        buf_puts(b, ",");
    }
    buf_printf(b, "title=%s::", diag_code(d->id));
    put_escaped(b, d->text, false);
    for (const Note *n = d->notes; n != NULL; n = n->next) {
        buf_puts(b, "%0Anote: ");
        put_escaped(b, n->text, false);
    }
    for (const Help *h = d->helps; h != NULL; h = h->next) {
        buf_puts(b, "%0Ahelp: ");
        put_escaped(b, h->text, false);
    }
    buf_puts(b, "\n");
}

// ---- one after the other ----

static void put_diag(DiagOut *out, Buf *b, const Diag *d)
{
    DiagStyle style = out->style;
    switch (style.format) {
    case DIAG_HUMAN:
        if (out->shown[0] + out->shown[1] > 0)
            buf_putc(b, '\n');
        style.explain = style.explain && !out->given[d->id];
        diag_print(b, d, style);
        break;
    case DIAG_SHORT:
        diag_print(b, d, style);
        break;
    case DIAG_JSON:
        diag_json_put(b, out->arena, d);
        break;
    case DIAG_SARIF:
        vec_push(out->arena, &out->kept, d);
        break;
    case DIAG_GITHUB:
        put_github(b, d);
        break;
    case DIAG_FORMAT_COUNT:
        break;
    }
}

DiagOut *diag_out_new(Arena *a, DiagStyle style)
{
    DiagOut *out = ARENA_NEW(a, DiagOut);
    out->arena = a;
    out->style = style;
    return out;
}

static bool is_alike(const Diag *a, const Diag *b)
{
    return a->id == b->id && a->role != NULL && b->role != NULL && strcmp(a->role, b->role) == 0;
}

// Whether enough like it were shown before in its declaration: one cause often has many places.
static bool is_one_of_many(const Diags *ds, size_t i)
{
    const Diag *d = diags_get(ds, i);
    size_t before = 0;
    while (d->within && i-- > 0 && before < DIAG_MAX_ALIKE) {
        const Diag *other = diags_get(ds, i);
        if (!other->within || other->declaration != d->declaration || other->source != d->source)
            break;
        before += is_alike(d, other);
    }
    return before == DIAG_MAX_ALIKE;
}

void diag_out_add(DiagOut *out, Buf *b, const Diags *ds)
{
    size_t limit = out->style.max_errors;
    for (size_t i = 0; i < diags_count(ds); i++) {
        const Diag *d = diags_get(ds, i);
        if (limit > 0 && (out->shown[d->severity] == limit || is_one_of_many(ds, i))) {
            out->hidden[d->severity]++;
            continue;
        }
        put_diag(out, b, d);
        out->shown[d->severity]++;
        out->given[d->id] = true;
    }
}

static void put_rest(Buf *b, const size_t hidden[2])
{
    static const char *const words[] = {"error", "warning"};
    const char *separator = "";
    for (int i = 0; i < 2; i++)
        if (hidden[i] > 0) {
            buf_printf(b, "%s%lu more %s%s", separator, (unsigned long)hidden[i], words[i],
                       diag_s(hidden[i]));
            separator = " and ";
        }
    buf_puts(b, " not shown; `--max-errors=0` shows all\n");
}

void diag_out_end(DiagOut *out, Buf *b, size_t files, int exit_code)
{
    bool rest = out->hidden[0] + out->hidden[1] > 0;
    switch (out->style.format) {
    case DIAG_HUMAN:
        if (rest)
            buf_putc(b, '\n');
        if (rest)
            put_rest(b, out->hidden);
        break;
    case DIAG_SHORT:
        if (rest)
            put_rest(b, out->hidden);
        break;
    case DIAG_JSON:
        diag_json_end(b, out, files);
        break;
    case DIAG_SARIF:
        diag_sarif_end(b, out, exit_code);
        break;
    case DIAG_GITHUB:
        if (rest)
            buf_puts(b, "::notice::");
        if (rest)
            put_rest(b, out->hidden);
        break;
    case DIAG_FORMAT_COUNT:
        break;
    }
}

bool diag_format_find(const char *word, DiagFormat *format)
{
    static const char *const words[DIAG_FORMAT_COUNT] = {"human", "short", "json", "sarif",
                                                         "github"};
    for (int i = 0; i < DIAG_FORMAT_COUNT; i++)
        if (strcmp(word, words[i]) == 0) {
            *format = (DiagFormat)i;
            return true;
        }
    return false;
}

void diag_print_all(Buf *b, const Diags *ds, DiagStyle style)
{
    Arena *a = arena_new();
    DiagOut *out = diag_out_new(a, style);
    diag_out_add(out, b, ds);
    diag_out_end(out, b, 1, 0);
    arena_free(a);
}
