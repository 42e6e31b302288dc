// prove_edits.c - tries what the messages of a compilation advise, help by help.
//
// Errors that the program had before are no reason against an edit, and neither is the same mistake
// at another place, or what is found because a text can be read at last. But it is one where that
// place uses the variable that the edit changes. The selections that one edit inserts may leave
// other choices open. An edit that moves a message to where only one role knows about it (E0505,
// E0506) takes over the selections that the message about that choice then offers.
// Not tried, and shown as they are: edits of other modules, of files above MAX_BYTES, and what
// follows MAX_PROVEN messages with edits.

#include "compiler/pass/prove_edits.h"

#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/base/edit.h"
#include "compiler/base/vec.h"
#include "compiler/front/front.h"

enum { MAX_PROVEN = 20, MAX_CHOICES = 4, MAX_BYTES = 1 << 17 };  // what a person waits for

typedef enum Verdict { VERDICT_GOOD, VERDICT_FURTHER, VERDICT_WRONG } Verdict;

typedef struct Trial {
    const Diags *before;
    const PassCx *like;
    PassId last;
    const Diag *diag;           // what is mended, by this help
    const Help *help;
    Edited edited;
    const char *path;           // the main file, which is edited
    Text old, bytes;            // as it is, and with the edit
} Trial;

static bool is_family(const Diag *d, const char *family)
{
    return strncmp(diag_code(d->id), family, 3) == 0;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static const char *file_of(const Diag *d) { return d->source == NULL ? "" : d->source->name; }

// ---- the program with the edit ----

static Diags *compile(const Trial *t, Arena *a)
{
    PassCx cx = *t->like;
    cx.arena = a;
    cx.diags = diags_new(a);
    cx.source = front_decode(a, t->path, t->bytes, cx.diags);
    if (cx.source != NULL) {
        diags_set_source(cx.diags, cx.source);
        pass_run(&cx, t->last);
    }
    return cx.diags;
}

// ---- what is wrong then ----

static uint32_t old_place(const Trial *t, const Diag *d, uint32_t at)
{
    return strcmp(file_of(d), t->path) == 0 ? edited_before(&t->edited, at) : at;
}

static bool is_same_place(const Trial *t, const Diag *now, const Diag *then)
{
    return now->id == then->id && is_same_text(now->role, then->role) &&
           strcmp(file_of(now), file_of(then)) == 0 &&
           old_place(t, now, now->at.start) == then->at.start;
}

static bool was_there(const Trial *t, const Diag *now)
{
    for (size_t i = 0; i < diags_count(t->before); i++)
        if (is_same_place(t, now, diags_get(t->before, i)))
            return true;
    return false;
}

// Whether a span of the new text is on a line that the edit changed.
static bool is_touched(const Trial *t, const Diag *now, Span at)
{
    const Source *old = t->diag->source;
    if (strcmp(file_of(now), t->path) != 0)
        return false;
    uint32_t first = source_place(old, old_place(t, now, at.start)).line;
    uint32_t last = source_place(old, old_place(t, now, at.end)).line;
    for (size_t i = 0; i < t->help->edit_count; i++) {
        Span edit = t->help->edits[i].at;
        if (source_place(old, edit.start).line <= last &&
            source_place(old, edit.end).line >= first)
            return true;
    }
    return false;
}

static bool is_because_of(const Trial *t, const Diag *now)
{
    for (size_t i = 0; i < now->label_count; i++)
        if (is_touched(t, now, now->labels[i].at))
            return true;
    return false;
}

// ---- what uses the changed variable ----

// Whether a span of the new text uses the variable that an old line assigns, as in `x: int = 1`.
static bool uses_variable(const Diag *now, const char *line)
{
    const char *name = line + strspn(line, " "), *end = name + strcspn(name, " =:,.([#\n");
    const char *after = end + strspn(end, " ");
    bool assigned = *after == ':' || (*after == '=' && after[1] != '=');
    Text used = {now->source->text.at + now->at.start, now->at.end - now->at.start};
    return assigned && text_has_word(used, name, (size_t)(end - name));
}

static bool uses_changed(const Trial *t, const Diag *now)
{
    const Source *old = t->diag->source;
    bool uses = false;
    for (size_t i = 0; i < t->help->edit_count && strcmp(file_of(now), t->path) == 0; i++) {
        uint32_t line = source_place(old, t->help->edits[i].at.start).line;
        uses |= uses_variable(now, source_line(old, line).at);
    }
    return uses;
}

static Verdict judge_error(const Trial *t, const Diag *now)
{
    bool choice = is_family(now, "E06");
    if (is_same_place(t, now, t->diag))
        return choice ? VERDICT_FURTHER : VERDICT_WRONG;
    if (was_there(t, now) || (choice && is_family(t->diag, "E06")))
        return VERDICT_GOOD;
    if (is_touched(t, now, now->at))
        return choice || now->id == t->diag->id ? VERDICT_FURTHER : VERDICT_WRONG;
    if (now->id == t->diag->id && uses_changed(t, now))
        return VERDICT_WRONG;
    bool elsewhere = now->id == t->diag->id || is_family(t->diag, "E01");
    return elsewhere && !is_because_of(t, now) ? VERDICT_GOOD : VERDICT_FURTHER;
}

static Verdict judge(const Trial *t)
{
    Arena *a = arena_new();
    const Diags *now = compile(t, a);
    Verdict worst = VERDICT_GOOD;
    for (size_t i = 0; i < diags_count(now); i++) {
        const Diag *d = diags_get(now, i);
        Verdict v = d->severity == SEVERITY_ERROR ? judge_error(t, d) : VERDICT_GOOD;
        worst = v > worst ? v : worst;
    }
    arena_free(a);
    return worst;
}

// ---- edits ----

static void add_edits(Arena *a, const Help *h, Edits *edits)
{
    for (size_t i = 0; i < h->edit_count; i++)
        vec_push(a, edits, h->edits[i]);
}

// False where edits overlap, or the file cannot hold them.
static bool apply(Trial *t, Arena *a, const Source *source, Edits *edits)
{
    t->edited = edits_apply(a, source->text, edits);
    return t->edited.text.at != NULL &&
           front_encode(a, t->old, source, &t->edited, &t->bytes);
}

// ---- selections that an edit still needs ----

static const Help *edited_help(const Diag *d)
{
    for (const Help *h = d->helps; h != NULL; h = h->next)
        if (h->edit_count > 0)
            return h;
    return NULL;
}

// How an edit of the edited text lies to those that made it.
typedef enum Lies { LIES_BESIDE, LIES_INSIDE, LIES_ACROSS } Lies;

// `edit`: the one in whose text it is; `grown`: how far those before it have moved it, or the text.
static Lies find_place(const Edited *e, Span at, size_t *edit, uint32_t *grown)
{
    *grown = 0;
    for (size_t i = 0; i < e->count && at.end >= e->moved[i].start + *grown; i++) {
        const Moved *m = &e->moved[i];
        uint32_t start = m->start + *grown, end = start + m->len;
        *edit = i;
        if (at.start >= start && at.end <= end && m->len > 0)
            return LIES_INSIDE;
        if (at.start < end)
            return LIES_ACROSS;
        *grown += m->len - (m->end - m->start);
    }
    return LIES_BESIDE;
}

static void insert_sorted(Arena *a, Edits *list, Edit e)
{
    vec_push(a, list, e);
    for (size_t i = list->len - 1; i > 0 && list->at[i - 1].at.start > e.at.start; i--) {
        list->at[i] = list->at[i - 1];
        list->at[i - 1] = e;
    }
}

static void change_text(Arena *a, Edit *made, uint32_t start, const Edit *more)
{
    Buf b = buf_new(a);
    buf_raw(&b, made->text, more->at.start - start);
    buf_puts(&b, more->text);
    buf_puts(&b, made->text + (more->at.end - start));
    made->text = buf_text(&b);
}

// Those inside of inserted text from the last to the first, so that the places before stay. False
// where one is inside only in part.
static bool join_edits(const Trial *t, Arena *a, Edits *edits, const Help *more)
{
    Edits list = {0}, beside = {0};
    for (size_t i = 0; i < more->edit_count; i++)
        insert_sorted(a, &list, more->edits[i]);
    for (size_t i = list.len; i-- > 0;) {
        Span at = list.at[i].at;
        size_t edit = 0;
        uint32_t grown;
        Lies lies = find_place(&t->edited, at, &edit, &grown);
        if (lies == LIES_ACROSS)
            return false;
        if (lies == LIES_INSIDE)
            change_text(a, &edits->at[edit], edits->at[edit].at.start + grown, &list.at[i]);
        else
            vec_push(a, &beside, ((Edit){{at.start - grown, at.end - grown}, list.at[i].text}));
    }
    for (size_t i = beside.len; i-- > 0;)
        vec_push(a, edits, beside.at[i]);
    return true;
}

// What the message about the first choice offers that the edit has left open.
static const Help *open_choice(const Trial *t, const Diags *now)
{
    for (size_t i = 0; i < diags_count(now); i++) {
        const Diag *d = diags_get(now, i);
        if (d->severity == SEVERITY_ERROR && is_family(d, "E06") && !was_there(t, d) &&
            strcmp(file_of(d), t->path) == 0 && edited_help(d) != NULL)
            return edited_help(d);
    }
    return NULL;
}

// Adds the selections for one choice to the edits of the help; false: there are none to add.
static bool add_selections(Trial *t, Arena *a, Diag *d, Help *h)
{
    Edits edits = {0};
    add_edits(a, h, &edits);
    if (!apply(t, a, d->source, &edits))
        return false;
    const Help *more = open_choice(t, compile(t, a));
    if (more == NULL || !join_edits(t, a, &edits, more))
        return false;
    diag_replace_edits(d, h, edits.at, edits.len);
    return true;
}

static Verdict try_help(Trial *t, Arena *a)
{
    Edits edits = {0};
    add_edits(a, t->help, &edits);
    return apply(t, a, t->diag->source, &edits) ? judge(t) : VERDICT_FURTHER;
}

// Inserted lines end with "\n" in an edit, whatever the file's do: they are joined only where the
// edited text holds them as they are.
static Verdict try_completed(Trial *t, Arena *a, Diag *d, Help *h)
{
    Verdict v = try_help(t, a);
    Text text = d->source->text;
    bool joins = is_family(d, "E05") && memchr(text.at, '\r', text.len) == NULL;
    for (int i = 0; i < MAX_CHOICES && joins && v == VERDICT_FURTHER; i++) {
        if (!add_selections(t, a, d, h))
            break;
        v = try_help(t, a);
    }
    return v;
}


// ---- helps ----

static void prove_helps(Trial *t, Diag *d)
{
    Arena *a = arena_new();
    t->diag = d;
    for (Help **h = &d->helps; *h != NULL;) {
        t->help = *h;
        Verdict v = (*h)->edit_count > 0 ? try_completed(t, a, d, *h) : VERDICT_GOOD;
        if (v != VERDICT_GOOD)
            (*h)->edit_count = 0;
        if (v == VERDICT_WRONG)
            *h = (*h)->next;
        else
            h = &(*h)->next;
    }
    arena_free(a);
}

// How another file is encoded is not known here.
static bool can_prove(const Trial *t, const Diag *d)
{
    return edited_help(d) != NULL && strcmp(file_of(d), t->path) == 0;
}

// With all that is offered nothing is left to say: two edits may need each other.
static bool all_together(Trial *t)
{
    Arena *a = arena_new();
    Edits edits = {0};
    const Diag *last = NULL;
    for (size_t i = 0; i < diags_count(t->before); i++) {
        const Diag *d = diags_get(t->before, i);
        if (!can_prove(t, d))
            continue;
        add_edits(a, edited_help(d), &edits);
        last = d;
    }
    bool good = last != NULL && apply(t, a, last->source, &edits) &&
                diags_error_count(compile(t, a)) == 0;
    arena_free(a);
    return good;
}

void prove_edits(Diags *diags, const PassCx *like, PassId last, const char *name, Text bytes)
{
    Trial t = {.before = diags, .like = like, .last = last, .path = name, .old = bytes};
    size_t proven = 0;
    if (diags_count(diags) == 0 || bytes.len > MAX_BYTES || all_together(&t))
        return;
    for (size_t i = 0; i < diags_count(diags); i++) {
        Diag *d = diags_change(diags, i);
        if (can_prove(&t, d) && proven++ < MAX_PROVEN)
            prove_helps(&t, d);
    }
}
