// diag.c - storage of diagnostics, kept in source order as they come in.

#include "compiler/base/diag.h"

#include <stdarg.h>
#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/base/qualified.h"
#include "compiler/base/vec.h"

typedef struct DiagInfo { const char *code, *summary; Severity severity; } DiagInfo;

static const DiagInfo infos[DIAG_COUNT] = {
#define DIAG(id, code, severity, summary) {code, summary, SEVERITY_##severity},
#include "compiler/base/diag.def"
#undef DIAG
};

// A diagnostic and the number of its source, counted in the order of diags_set_source.
typedef struct Entry { Diag diag; size_t source_number; } Entry;

struct Diags {
    Arena *arena;
    const Source *source;
    Vec(const Source *) sources;
    Vec(Entry *) entries;
    Vec(const char *) roles;
    size_t error_count;
};

Diags *diags_new(Arena *a)
{
    Diags *ds = ARENA_NEW(a, Diags);
    ds->arena = a;
    return ds;
}

// Its number from 1, new or as before; 0 for none.
static size_t number_of(Diags *ds, const Source *source)
{
    size_t i = 0;
    if (source == NULL)
        return 0;
    while (i < ds->sources.len && ds->sources.at[i] != source)
        i++;
    if (i == ds->sources.len)
        vec_push(ds->arena, &ds->sources, source);
    return i + 1;
}

void diags_set_source(Diags *ds, const Source *source)
{
    ds->source = source;
    for (size_t i = 0; source && i < source->part_count; i++)
        number_of(ds, source->parts[i].file);
    if (source && source->part_count == 0)
        number_of(ds, source);
}

// The file that a span of the present source is in; the span is made one of that file.
static const Source *find_file(const Diags *ds, Span *at)
{
    uint32_t start = at->start;
    const Source *file = ds->source == NULL ? NULL : source_file(ds->source, &start);
    *at = (Span){start, at->end - (at->start - start)};
    return file;
}

void diags_add_role(Diags *ds, const char *role)
{
    for (size_t i = 0; i < ds->roles.len; i++)
        if (ds->roles.at[i] == role)
            return;
    vec_push(ds->arena, &ds->roles, role);
}

static bool is_before(const Entry *e, size_t source_number, uint32_t start)
{
    if (e->source_number != source_number)
        return e->source_number < source_number;
    return e->diag.at.start < start;
}

// Index of the first entry at or after a place.
static size_t find_place(const Diags *ds, size_t source_number, uint32_t start)
{
    size_t low = 0, high = ds->entries.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(ds->entries.at[middle], source_number, start))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool same_role(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// Puts the entry behind those at the same place, unless one of them has its code. Without a
// source there are no places, so nothing is a repetition.
static void insert(Diags *ds, Entry *e)
{
    uint32_t start = e->diag.at.start;
    size_t i = find_place(ds, e->source_number, start);
    for (; i < ds->entries.len; i++) {
        const Entry *other = ds->entries.at[i];
        if (other->source_number != e->source_number || other->diag.at.start != start)
            break;
        if (other->diag.id == e->diag.id && e->diag.source != NULL &&
            same_role(other->diag.role, e->diag.role))
            return;
    }
    vec_push(ds->arena, &ds->entries, e);
    memmove(ds->entries.at + i + 1, ds->entries.at + i,
            (ds->entries.len - 1 - i) * sizeof *ds->entries.at);
    ds->entries.at[i] = e;
    ds->error_count += e->diag.severity == SEVERITY_ERROR;
}

static Diag *report(Diags *ds, Span at, DiagId id, const char *role, const char *text)
{
    Entry *e = ARENA_NEW(ds->arena, Entry);
    const Source *file = find_file(ds, &at);
    e->diag = (Diag){
        .id = id, .severity = infos[id].severity, .source = file, .at = at, .role = role,
        .text = text, .label = "", .owner = ds,
    };
    e->diag.last_note = &e->diag.notes;
    e->diag.last_help = &e->diag.helps;
    e->source_number = number_of(ds, file);
    insert(ds, e);
    return &e->diag;
}

static bool is_utf8_rest(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

// A name of a megabyte tells nobody more than its ends do. Changes the text and gives it.
static char *cut_names(char *text)
{
    enum { LONGEST = 1000, HEAD = 60, TAIL = 20 };
    for (char *at = text; *at != '\0';) {
        size_t len = strcspn(at, " \n"), head = HEAD, tail = TAIL;
        if (len > LONGEST) {
            while (is_utf8_rest(at[head]))
                head++;
            while (is_utf8_rest(at[len - tail]))
                tail--;
            memcpy(at + head, "...", 3);
            memmove(at + head + 3, at + len - tail, strlen(at + len - tail) + 1);
            len = head + 3 + tail;
        }
        at += len + (at[len] != '\0');
    }
    return text;
}

static const char *module_shown(const Source *s, const char *name, size_t len)
{
    for (size_t i = 0; s != NULL && i < s->part_count; i++)
        if (strlen(s->parts[i].name) == len && memcmp(s->parts[i].name, name, len) == 0)
            return s->parts[i].shown;
    return NULL;
}

// Names of modules as the program imports them: `pkg.lib.f`, whose generated module is `pkg_lib`.
static char *show_modules(Diags *ds, char *text)
{
    Buf b = buf_new(ds->arena);
    const char *rest = text;
    for (const char *at; (at = strstr(rest, QUALIFIER)) != NULL; rest = at) {
        const char *start = at;
        while (start > rest && text_in_word(start[-1]))
            start--;
        const char *module = module_shown(ds->source, start, (size_t)(at - start));
        buf_raw(&b, rest, (size_t)((module ? start : at) - rest));
        buf_printf(&b, "%s.", module ? module : "");
        at += strlen(QUALIFIER);
    }
    buf_raw(&b, rest, strlen(rest));
    return rest == text ? text : (char *)buf_text(&b);
}

// What a person reads of a text.
static const char *shown(Diags *ds, const char *format, va_list args)
{
    return cut_names(show_modules(ds, arena_vformat(ds->arena, format, args)));
}

Diag *diag_report(Diags *ds, Span at, DiagId id, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = shown(ds, format, args);
    va_end(args);
    return report(ds, at, id, NULL, text);
}

Diag *diag_report_role(Diags *ds, Span at, DiagId id, const char *role, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = shown(ds, format, args);
    va_end(args);
    return report(ds, at, id, role, text);
}

void diag_within(Diag *d, Span declaration)
{
    d->within = true;
    d->declaration = declaration.start;
}

void diag_primary(Diag *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    d->label = shown(d->owner, format, args);
    va_end(args);
}

void diag_label(Diag *d, Span at, const char *format, ...)
{
    Arena *a = d->owner->arena;
    const Source *file = find_file(d->owner, &at);
    va_list args;
    if (d->owner->source && d->owner->source->part_count > 0 && file != d->source) {
        va_start(args, format);
        const char *text = shown(d->owner, format, args);
        va_end(args);
        Place place = source_place(file, at.start);
        diag_note(d, "%s: %s:%u:%u", text, file->name, place.line, place.column);
        return;
    }
    if (d->label_count == d->label_cap)
        d->labels = vec_grow(a, d->labels, &d->label_cap, sizeof *d->labels);
    va_start(args, format);
    d->labels[d->label_count++] = (Label){at, shown(d->owner, format, args)};
    va_end(args);
}

void diag_note(Diag *d, const char *format, ...)
{
    Note *note = ARENA_NEW(d->owner->arena, Note);
    va_list args;
    va_start(args, format);
    note->text = shown(d->owner, format, args);
    va_end(args);
    *d->last_note = note;
    d->last_note = &note->next;
}

Help *diag_help(Diag *d, const char *format, ...)
{
    Help *help = ARENA_NEW(d->owner->arena, Help);
    va_list args;
    va_start(args, format);
    help->text = shown(d->owner, format, args);
    va_end(args);
    *d->last_help = help;
    d->last_help = &help->next;
    return help;
}

void diag_edit(Diag *d, Help *h, Span at, const char *format, ...)
{
    Arena *a = d->owner->arena;
    va_list args;
    const Source *file = find_file(d->owner, &at);
    if (d->owner->source && d->owner->source->part_count > 0 && file != d->source)
        return;                 // an edit of another file is not offered
    if (h->edit_count == h->edit_cap)
        h->edits = vec_grow(a, h->edits, &h->edit_cap, sizeof *h->edits);
    va_start(args, format);
    h->edits[h->edit_count++] = (Edit){at, show_modules(d->owner, arena_vformat(a, format, args))};
    va_end(args);
}

void diag_replace_edits(Diag *d, Help *h, const Edit *edits, size_t count)
{
    Arena *a = d->owner->arena;
    h->edit_count = h->edit_cap = count;
    h->edits = ARENA_ARRAY(a, Edit, count);
    for (size_t i = 0; i < count; i++)
        h->edits[i] = (Edit){edits[i].at, arena_strndup(a, edits[i].text, strlen(edits[i].text))};
}

static const char *find_role(const Diags *ds, const char *word, size_t len)
{
    for (size_t i = 0; i < ds->roles.len; i++)
        if (strlen(ds->roles.at[i]) == len && memcmp(ds->roles.at[i], word, len) == 0)
            return ds->roles.at[i];
    return NULL;
}

void diag_each_role(const Diag *d, const char *text, void (*add)(void *cx, const char *role),
                    void *cx)
{
    bool quoted = false;
    for (size_t len; *text != '\0'; text += len) {
        for (len = 0; text_in_word(text[len]); len++) { }
        const char *role = len > 0 && !quoted ? find_role(d->owner, text, len) : NULL;
        if (role)
            add(cx, role);
        quoted ^= len == 0 && *text == '`';
        len += len == 0;
    }
}

const char *diag_code(DiagId id)
{
    return infos[id].code;
}

const char *diag_summary(DiagId id)
{
    return infos[id].summary;
}

size_t diags_error_count(const Diags *ds)
{
    return ds->error_count;
}

size_t diags_count(const Diags *ds)
{
    return ds->entries.len;
}

const Diag *diags_get(const Diags *ds, size_t i)
{
    return &ds->entries.at[i]->diag;
}

Diag *diags_change(Diags *ds, size_t i)
{
    return &ds->entries.at[i]->diag;
}

static bool is_known(const Diags *known, const Diag *d)
{
    for (size_t i = 0; i < known->entries.len; i++) {
        const Diag *other = &known->entries.at[i]->diag;
        if (other->id == d->id && other->at.start == d->at.start && same_role(other->role, d->role)
            && strcmp(other->source->name, d->source->name) == 0
            && strcmp(other->text, d->text) == 0)
            return true;
    }
    return false;
}

void diags_drop_known(Diags *ds, Diags *known)
{
    size_t kept = 0;
    for (size_t i = 0; i < ds->entries.len; i++) {
        Entry *e = ds->entries.at[i];
        if (e->diag.source && is_known(known, &e->diag)) {
            ds->error_count -= e->diag.severity == SEVERITY_ERROR;
            continue;
        }
        ds->entries.at[kept++] = e;
        if (e->diag.source)
            vec_push(known->arena, &known->entries, e);
    }
    ds->entries.len = kept;
}

void diags_take(Diags *ds, const Diags *from, Span at, const char *label)
{
    Span here = at;
    const Source *file = find_file(ds, &here);
    for (size_t i = 0; i < from->entries.len; i++) {
        Entry *e = from->entries.at[i];
        e->diag.owner = ds;
        e->source_number = number_of(ds, e->diag.source);
        if (e->diag.source != file || e->diag.at.start != here.start)
            diag_label(&e->diag, at, "%s", label);
        insert(ds, e);
    }
}
