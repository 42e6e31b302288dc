// site_table.c - see site_table.h.

#include "compiler/emit/site_table.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/table.h"
#include "compiler/base/vec.h"

// ---- numbers ----

// Modules have room for 10,000 sites each, of 200,000 such rooms. Two that share numbers do no
// harm: a number has the places of both then.
enum { ROOM = 10000, ROOMS = 200000 };

// FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo.
static uint32_t hash_of(const char *name)
{
    uint32_t h = 2166136261u;
    for (const char *at = name; *at; at++)
        h = (h ^ (unsigned char)*at) * 16777619u;
    return h;
}

static int first_number(Sym module)
{
    return module == NULL ? 0 : (int)(hash_of(module) % ROOMS + 1) * ROOM;
}

// ---- the table ----

const char *site_place(Arena *a, const Source *source, Span at)
{
    uint32_t offset = at.start;
    const Source *file = source_file(source, &offset);
    const char *slash = strrchr(file->name, '/');
    Buf b = buf_new(a);
    buf_line(&b, slash ? slash + 1 : file->name);
    buf_printf(&b, ":%u", source_place(file, offset).line);
    return buf_text(&b);
}

static int by_end(const void *x, const void *y)
{
    const PlacedSite *a = x, *b = y;
    return a->end < b->end ? -1 : a->end > b->end;
}

// The sites of a part have numbers that follow one another.
SiteTable site_table(Arena *a, const Source *source, SiteList sites, const Sym *modules)
{
    PlacedSite *all = ARENA_ARRAY(a, PlacedSite, sites.len + 1);
    int before = 0, last = 0;
    for (size_t i = 0; i < sites.len; i++) {
        Span at = sites.at[i]->at;
        size_t part = source_part(source, at.start);
        if (i > 0 && part != all[i - 1].part)
            before = last;
        last = sites.at[i]->number > last ? sites.at[i]->number : last;
        all[i] = (PlacedSite){at.end, first_number(modules[part]) + sites.at[i]->number - before,
                              part, site_place(a, source, at)};
    }
    if (sites.len > 1)
        qsort(all, sites.len, sizeof *all, by_end);
    return (SiteTable){all, sites.len, source};
}

int site_number(const SiteTable *t, uint32_t end)
{
    PlacedSite key = {.end = end};
    if (t == NULL || t->len == 0)
        return 0;
    const PlacedSite *found = bsearch(&key, t->at, t->len, sizeof *t->at, by_end);
    return found ? found->number : 0;
}

// ---- rows ----

static int by_number(const void *x, const void *y)
{
    const SiteRow *a = x, *b = y;
    return a->number < b->number ? -1 : a->number > b->number;
}

// A row that is being made. Places follow one another as in the source.
typedef struct OpenRow { int number; const char *last; Buf places; } OpenRow;

static void add_place(OpenRow *row, const char *place)
{
    if (row->last != NULL && strcmp(row->last, place) == 0)
        return;
    buf_printf(&row->places, "%s%s", row->last ? ", " : "", place);
    row->last = place;
}

static SiteRows close_rows(Arena *a, OpenRow *open, size_t count)
{
    SiteRows rows = {0};
    for (size_t i = 0; i < count; i++) {
        SiteRow row = {open[i].number, buf_text(&open[i].places)};
        vec_push(a, &rows, row);
    }
    if (rows.len > 1)
        qsort(rows.at, rows.len, sizeof *rows.at, by_number);
    return rows;
}

// Of those sites whose number is a key of `wanted`.
static SiteRows rows_of(Arena *a, const SiteTable *t, Table *wanted)
{
    Vec(OpenRow) open = {0};
    Table *index = table_new(a);
    for (size_t i = 0; i < t->len; i++) {
        const void *key = table_key((uint64_t)t->at[i].number);
        if (table_get(wanted, key) == NULL)
            continue;
        size_t known = (size_t)(uintptr_t)table_get(index, key);
        if (known == 0) {
            OpenRow row = {t->at[i].number, NULL, buf_new(a)};
            vec_push(a, &open, row);
            known = open.len;
            table_set(index, key, (void *)(uintptr_t)known);
        }
        add_place(&open.at[known - 1], t->at[i].place);
    }
    return close_rows(a, open.at, open.len);
}

typedef struct Wanted { const SiteTable *t; Table *numbers; } Wanted;

static void want(Wanted *w, uint32_t end)
{
    int number = site_number(w->t, end);
    if (number > 0)
        table_set(w->numbers, table_key((uint64_t)number), w);
}

static bool want_expr(void *cx, const Expr *e)
{
    if (e->kind == EXPR_SEND || e->kind == EXPR_RECV || e->kind == EXPR_SEND_LABEL)
        want(cx, e->at.end);
    return true;
}

static bool want_stmt(void *cx, const Stmt *s)
{
    if (s->kind == STMT_OFFER)
        want(cx, s->at.end);
    return true;
}

SiteRows site_rows_of(Arena *a, const SiteTable *t, StmtList body)
{
    Wanted wanted = {t, table_new(a)};
    IrWalker w = {.cx = &wanted, .expr = want_expr, .stmt = want_stmt};
    ir_walk_stmts(&w, body);
    return rows_of(a, t, wanted.numbers);
}

SiteRows site_rows_of_part(Arena *a, const SiteTable *t, size_t part)
{
    Wanted wanted = {t, table_new(a)};
    for (size_t i = 0; i < t->len; i++)
        if (t->at[i].part == part)
            want(&wanted, t->at[i].end);
    return rows_of(a, t, wanted.numbers);
}

// A number that both have is that of two modules in one room.
void site_rows_add(Arena *a, SiteRows *rows, SiteRows more)
{
    size_t before = rows->len;
    for (size_t i = 0; i < more.len; i++) {
        SiteRow key = more.at[i];
        SiteRow *known = before == 0 ? NULL : bsearch(&key, rows->at, before, sizeof *rows->at,
                                                      by_number);
        if (known == NULL) {
            vec_push(a, rows, key);
            continue;
        }
        Buf both = buf_new(a);
        buf_printf(&both, "%s, %s", known->places, key.places);
        known->places = buf_text(&both);
    }
    if (rows->len > 1)
        qsort(rows->at, rows->len, sizeof *rows->at, by_number);
}

// ---- in interfaces ----

static const char mark[] = "# site ";

void site_rows_print(Buf *b, SiteRows rows)
{
    for (size_t i = 0; i < rows.len; i++)
        buf_printf(b, "%s%d %s\n", mark, rows.at[i].number, rows.at[i].places);
}

SiteRows site_rows_read(Arena *a, const char *text)
{
    SiteRows rows = {0};
    for (size_t len; *text == '#'; text += len + (text[len] == '\n')) {
        char *end;
        len = strcspn(text, "\n");
        if (strncmp(text, mark, sizeof mark - 1) != 0)
            continue;
        long number = strtol(text + sizeof mark - 1, &end, 10);
        if (number <= 0 || number > INT32_MAX || *end != ' ' || end > text + len)
            continue;
        SiteRow row = {(int)number,
                       arena_strndup(a, end + 1, (size_t)(text + len - end) - 1)};
        vec_push(a, &rows, row);
    }
    if (rows.len > 1)
        qsort(rows.at, rows.len, sizeof *rows.at, by_number);
    return rows;
}
