// undamaged.c - what can be checked of a file with syntax errors.
//
// The parser goes on after an error, but what it makes of the statement around is not what was
// meant. A region of the text is given up: from the statement at the left margin that the error is
// in up to the next definition. A line at the margin that no statement left has been read from
// defines names that are unknown; so does whatever uses one of them.

#include "compiler/pass/undamaged.h"

#include <ctype.h>
#include <string.h>

#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/ir/free_names.h"

typedef struct Damage {
    Arena *arena;
    Names *names;
    const Source *source;
    bool  *given_up;            // of each line, from 1
    Table *lost;                // names whose definition was not read, as key
    Vec(const Stmt *) left;
} Damage;

// ---- lines ----

static bool in_word(char c) { return c == '_' || isalnum((unsigned char)c) || (c & 0x80) != 0; }

static bool is_decorator(Text line) { return line.len > 0 && *line.at == '@'; }

static bool at_margin(Text line)
{
    return is_decorator(line) || (line.len > 0 && in_word(*line.at));
}

static bool begins(Text line, const char *word)
{
    size_t len = strlen(word);
    return line.len > len && memcmp(line.at, word, len) == 0 && !in_word(line.at[len]);
}

static bool defines(Text line)
{
    return begins(line, "def") || begins(line, "class") || begins(line, "async");
}

static void give_up(Damage *d, uint32_t offset)
{
    uint32_t line = source_place(d->source, offset).line, count = (uint32_t)d->source->line_count;
    while (line > 1 && !at_margin(source_line(d->source, line)))
        line--;
    bool decorated = is_decorator(source_line(d->source, line));
    for (uint32_t first = line; line <= count && !d->given_up[line]; line++) {
        Text text = source_line(d->source, line);
        if (line > first && (defines(text) || is_decorator(text)) && !decorated)
            return;
        decorated = decorated && !defines(text);
        d->given_up[line] = true;
    }
}

// An error may be noticed where what follows begins.
static void give_up_around(Damage *d, uint32_t offset)
{
    Text text = d->source->text;
    give_up(d, offset);
    while (offset > 0 && isspace((unsigned char)text.at[offset - 1]))
        offset--;
    give_up(d, offset > 0 ? offset - 1 : 0);
}

static void find_regions(Damage *d, const Diags *diags)
{
    d->given_up = ARENA_ARRAY(d->arena, bool, d->source->line_count + 2);
    for (size_t i = 0; i < diags_count(diags); i++) {
        const Diag *error = diags_get(diags, i);
        if (error->source != d->source || error->severity != SEVERITY_ERROR)
            continue;
        give_up_around(d, error->at.start);
        for (size_t j = 0; j < error->label_count; j++)
            give_up(d, error->labels[j].at.start);
    }
}

// ---- names ----

static void lose(Damage *d, Sym name) { table_set(d->lost, name, d); }

// The words of a line may be names that it defines; of a definition those before its parameters.
static void lose_words(Damage *d, Text line)
{
    const char *end = defines(line) ? memchr(line.at, '(', line.len) : NULL;
    size_t stop = end != NULL ? (size_t)(end - line.at) : line.len;
    for (size_t i = 0, len; i < stop; i += len + 1) {
        for (len = 0; i + len < line.len && in_word(line.at[i + len]);)
            len++;
        if (len > 0)
            lose(d, names_get(d->names, arena_strndup(d->arena, line.at + i, len)));
    }
}

// Lines below the first of a statement belong to it; those of a definition define nothing here.
static void find_lost(Damage *d)
{
    bool lost = false, defined = false;
    size_t next = 0;
    for (uint32_t n = 1; n <= d->source->line_count; n++) {
        Text line = source_line(d->source, n);
        uint32_t start = d->source->lines[n - 1];
        while (next < d->left.len && d->left.at[next]->at.end <= start)
            next++;
        if (at_margin(line) && !is_decorator(line)) {
            lost = next == d->left.len || d->left.at[next]->at.start > start;
            if (lost)
                lose_words(d, line);
            defined = defines(line);
            lost = lost && !defined;
        } else if (lost || (d->given_up[n] && !defined)) {
            lose_words(d, line);
        }
    }
}

static bool uses_lost(const Damage *d, SymList free)
{
    for (size_t i = 0; i < free.len; i++)
        if (table_get(d->lost, free.at[i]) != NULL)
            return true;
    return false;
}

static void seen(void *cx, const Expr *e)
{
    (void)cx;
    (void)e;
}

// Takes away what uses a lost name, which loses what it defines; true if there was something.
static bool take_users(Damage *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->left.len; i++) {
        StmtList one = {&d->left.at[i], 1};
        if (!uses_lost(d, names_visit(d->arena, d->names, one, seen, NULL))) {
            d->left.at[kept++] = d->left.at[i];
            continue;
        }
        SymList bound = names_bound(d->arena, d->names, one);
        for (size_t j = 0; j < bound.len; j++)
            lose(d, bound.at[j]);
    }
    bool fewer = kept < d->left.len;
    d->left.len = kept;
    return fewer;
}

const Unit *undamaged_part(Arena *a, Names *names, const Source *source, const Unit *unit,
                           const Diags *diags)
{
    Damage d = {.arena = a, .names = names, .source = source, .lost = table_new(a)};
    StmtList body = unit->module.body;
    find_regions(&d, diags);
    for (size_t i = 0; i < body.len; i++)
        if (!d.given_up[source_place(source, body.at[i]->at.start).line])
            vec_push(a, &d.left, body.at[i]);
    find_lost(&d);
    while (take_users(&d)) {}
    return unit_module(a, (StmtList){d.left.at, d.left.len});
}
