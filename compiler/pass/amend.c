// amend.c - amendment of choices, by applying what the errors about them offer. One error a round:
// telling a role of an outer choice often settles the inner ones.

#include "compiler/pass/amend.h"

#include <string.h>

#include "compiler/base/edit.h"
#include "compiler/base/vec.h"
#include "compiler/front/front.h"

enum { MAX_ROUNDS = 1000 };

typedef struct Round { size_t file; Edited made; } Round;

typedef struct Amender {
    Arena *arena;
    const PassCx *like;
    Vec(AmendedFile) files;     // all that were read; the main one is the first
    Vec(Round) rounds;
    Arena *judged;              // where what follows lives
    Diags *left;
    const char *unwritable;
} Amender;

// ---- files ----

static AmendedFile *file_at(Amender *m, const char *path)
{
    for (size_t i = 0; i < m->files.len; i++)
        if (strcmp(m->files.at[i].path, path) == 0)
            return &m->files.at[i];
    return NULL;
}

// The files of modules as they are amended so far.
static bool find(void *cx, const char *beside, bool path, const char *stem,
                 const char *const *suffixes, LoadedFile *file)
{
    Amender *m = cx;
    if (!loader_find(m->like->loader, beside, path, stem, suffixes, file))
        return false;
    const AmendedFile *known = file_at(m, file->path);
    if (known != NULL)
        file->bytes = known->text;
    else
        vec_push(m->arena, &m->files, ((AmendedFile){file->path, file->bytes, file->bytes, 0}));
    return true;
}

static bool find_standard(void *cx, const char *stem, const char *const *suffixes,
                          LoadedFile *file)
{
    const Amender *m = cx;
    return loader_find_standard(m->like->loader, stem, suffixes, file);
}

// ---- what is offered ----

static bool is_about_choice(const Diag *d) { return strncmp(diag_code(d->id), "E06", 3) == 0; }

static const Help *offered(const Diag *d)
{
    if (!is_about_choice(d))
        return NULL;
    for (const Help *h = d->helps; h != NULL; h = h->next)
        if (h->edit_count > 0)
            return h;
    return NULL;
}

static AmendedFile *file_of(Amender *m, const Diag *d)
{
    return d->source == NULL ? NULL : file_at(m, d->source->name);
}

// The first error about a choice that offers something; NULL when there is none, or when anything
// else is wrong: what is not understood is not edited.
static const Diag *next_error(Amender *m)
{
    const Diag *found = NULL;
    for (size_t i = 0; i < diags_count(m->left); i++) {
        const Diag *d = diags_get(m->left, i);
        if (d->severity == SEVERITY_ERROR && !is_about_choice(d))
            return NULL;
        if (found == NULL && offered(d) != NULL && file_of(m, d) != NULL)
            found = d;
    }
    return found;
}

// Why it goes no further: another error, or one about a choice that offers nothing.
static const Diag *find_cause(Amender *m)
{
    const Diag *cause = NULL;
    for (size_t i = 0; i < diags_count(m->left); i++) {
        const Diag *d = diags_get(m->left, i);
        if (d->severity != SEVERITY_ERROR)
            continue;
        if (!is_about_choice(d))
            return d;
        if (cause == NULL || (offered(cause) != NULL && offered(d) == NULL))
            cause = d;
    }
    return cause;
}

// ---- applying it ----

// Gives false where the edits overlap, or the file cannot hold them: then nothing is changed.
static bool apply(Amender *m, const Diag *d)
{
    const Help *h = offered(d);
    AmendedFile *f = file_of(m, d);
    Edits edits = {0};
    Text bytes;
    for (size_t i = 0; i < h->edit_count; i++)
        vec_push(m->arena, &edits, h->edits[i]);
    Edited edited = edits_apply(m->arena, d->source->text, &edits);
    if (edited.text.at == NULL)
        return false;
    if (!front_encode(m->arena, f->text, d->source, &edited, &bytes)) {
        m->unwritable = f->path;
        return false;
    }
    f->text = bytes;
    f->edits += h->edit_count;
    vec_push(m->arena, &m->rounds, ((Round){(size_t)(f - m->files.at), edited}));
    return true;
}

static Place place_before(Amender *m, const Diag *d)
{
    const AmendedFile *f = file_of(m, d);
    uint32_t at = d->at.start;
    if (f == NULL || f->edits == 0)
        return d->source == NULL ? (Place){0, 0, 0} : source_place(d->source, at);
    for (size_t i = m->rounds.len; i-- > 0;)
        if (m->rounds.at[i].file == (size_t)(f - m->files.at))
            at = edited_before(&m->rounds.at[i].made, at);
    return source_place(front_decode(m->arena, f->path, f->old, m->left), at);
}

// ---- rounds ----

// Compiles what the files hold now; what it gives lives in an arena of its own.
static void judge(Amender *m)
{
    const Loader loader = {m, find, find_standard, NULL};
    PassCx cx = *m->like;
    memset(cx.units, 0, sizeof cx.units);
    if (m->judged != NULL)
        arena_free(m->judged);
    m->judged = arena_new();
    cx.arena = m->judged;
    cx.diags = m->left = diags_new(cx.arena);
    cx.loader = cx.loader == NULL ? NULL : &loader;
    cx.source = front_decode(cx.arena, m->files.at[0].path, m->files.at[0].text, cx.diags);
    if (cx.source == NULL)
        return;
    diags_set_source(cx.diags, cx.source);
    pass_run(&cx, PASS_PROJECT);
}

Amendment amend_program(Arena *a, const PassCx *like, const char *name, Text bytes)
{
    Amender m = {.arena = a, .like = like};
    const Diag *error;
    vec_push(a, &m.files, ((AmendedFile){name, bytes, bytes, 0}));
    judge(&m);
    for (int round = 0; round < MAX_ROUNDS && (error = next_error(&m)) != NULL; round++) {
        if (!apply(&m, error))
            break;
        judge(&m);
    }
    Vec(AmendedFile) changed = {0};
    for (size_t i = 0; i < m.files.len; i++)
        if (m.files.at[i].edits > 0)
            vec_push(a, &changed, m.files.at[i]);
    Amendment out = {.at = changed.at, .len = changed.len, .left = m.left, .arena = m.judged,
                     .cause = find_cause(&m), .unwritable = m.unwritable};
    if (out.cause != NULL)
        out.cause_at = place_before(&m, out.cause);
    return out;
}
