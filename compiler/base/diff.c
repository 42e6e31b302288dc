// diff.c - unified diffs: a shortest edit script between the lines of two texts, in hunks with
// three lines of context.

#include "compiler/base/diff.h"

#include <stdbool.h>
#include <string.h>

#include "compiler/base/vec.h"

enum { CONTEXT = 3 };

typedef Vec(Text) Lines;

// A line keeps its end: a text without a last newline differs from one with it.
static Lines split(Arena *a, Text text)
{
    Lines lines = {0};
    for (size_t i = 0; i < text.len;) {
        const char *end = memchr(text.at + i, '\n', text.len - i);
        size_t len = end != NULL ? (size_t)(end - text.at) + 1 - i : text.len - i;
        vec_push(a, &lines, ((Text){text.at + i, len}));
        i += len;
    }
    return lines;
}

static bool same(Text x, Text y) { return x.len == y.len && memcmp(x.at, y.at, x.len) == 0; }

// ---- the edit script ----

// keep[i]: is old line i also in the new text? Filled from the end by walking the frontiers back.
typedef struct Script {
    Arena *arena;
    const Text *old, *new_;
    long   n, m;
    Vec(long *) frontiers;      // after d edits: how far diagonal k got, at [k + d]
    bool  *keep_old, *keep_new;
} Script;

static long furthest(const Script *s, const long *v, long d, long k)
{
    bool down = k == -d || (k != d && v[k - 1] < v[k + 1]);
    long x = d == 0 ? 0 : down ? v[k + 1] : v[k - 1] + 1;
    while (x < s->n && x - k < s->m && same(s->old[x], s->new_[x - k]))
        x++;
    return x;
}

static void mark_run(Script *s, long x, long y, long until)
{
    for (; x > until; x--, y--)
        s->keep_old[x - 1] = s->keep_new[y - 1] = true;
}

static void walk_back(Script *s, long d)
{
    long x = s->n, y = s->m;
    for (; d > 0; d--) {
        const long *v = s->frontiers.at[d - 1] + (d - 1);       // of d - 1 edits
        long k = x - y;
        bool down = k == -d || (k != d && v[k - 1] < v[k + 1]);
        long from = down ? v[k + 1] : v[k - 1];
        long begin = down ? from : from + 1;
        mark_run(s, x, y, begin);
        x = from;
        y = from - (down ? k + 1 : k - 1);
    }
    mark_run(s, x, y, 0);
}

static void find_script(Script *s)
{
    long max = s->n + s->m;
    long *room = ARENA_ARRAY(s->arena, long, 2 * (size_t)max + 3), *v = room + max + 1;
    for (long i = -max - 1; i <= max + 1; i++)
        v[i] = -1;
    for (long d = 0; d <= max; d++) {
        bool done = false;
        for (long k = -d; k <= d && !done; k += 2) {
            v[k] = furthest(s, v, d, k);
            done = v[k] >= s->n && v[k] - k >= s->m;
        }
        if (done) {
            walk_back(s, d);
            return;
        }
        long *copy = ARENA_ARRAY(s->arena, long, 2 * (size_t)d + 1);
        memcpy(copy, v - d, (2 * (size_t)d + 1) * sizeof *copy);
        vec_push(s->arena, &s->frontiers, copy);
    }
}

// ---- hunks ----

typedef struct Row { char sign; Text line; size_t old, new_; } Row;     // counted from 1
typedef Vec(Row) Rows;

static Rows rows_of(const Script *s)
{
    Rows rows = {0};
    size_t i = 0, j = 0, n = (size_t)s->n, m = (size_t)s->m;
    while (i < n || j < m) {
        if (i < n && !s->keep_old[i]) {
            vec_push(s->arena, &rows, ((Row){'-', s->old[i], i + 1, j + 1}));
            i++;
        } else if (j < m && !s->keep_new[j]) {
            vec_push(s->arena, &rows, ((Row){'+', s->new_[j], i + 1, j + 1}));
            j++;
        } else {
            vec_push(s->arena, &rows, ((Row){' ', s->old[i], i + 1, j + 1}));
            i++;
            j++;
        }
    }
    return rows;
}

static void print_row(Buf *b, const Row *row)
{
    buf_putc(b, row->sign);
    buf_raw(b, row->line.at, row->line.len);
    if (row->line.len == 0 || row->line.at[row->line.len - 1] != '\n')
        buf_puts(b, "\n\\ No newline at end of file\n");
    b->mid_line = false;
}

static void print_hunk(Buf *b, const Row *rows, size_t count)
{
    size_t old = 0, new_ = 0;
    for (size_t i = 0; i < count; i++) {
        old += rows[i].sign != '+';
        new_ += rows[i].sign != '-';
    }
    buf_printf(b, "@@ -%zu,%zu +%zu,%zu @@\n", rows[0].old - (old == 0), old,
               rows[0].new_ - (new_ == 0), new_);
    for (size_t i = 0; i < count; i++)
        print_row(b, &rows[i]);
}

static void print_hunks(Buf *b, const Rows *rows)
{
    for (size_t i = 0; i < rows->len;) {
        if (rows->at[i].sign == ' ') {
            i++;
            continue;
        }
        size_t start = i > CONTEXT ? i - CONTEXT : 0, last = i;
        for (size_t j = i; j < rows->len && j <= last + 2 * CONTEXT; j++)
            if (rows->at[j].sign != ' ')
                last = j;
        size_t end = last + CONTEXT + 1 < rows->len ? last + CONTEXT + 1 : rows->len;
        print_hunk(b, rows->at + start, end - start);
        i = end;
    }
}

void diff_print(Buf *b, const char *before, Text old, const char *after, Text new_)
{
    if (same(old, new_))
        return;
    Lines x = split(b->arena, old), y = split(b->arena, new_);
    Script s = {.arena = b->arena, .old = x.at, .new_ = y.at, .n = (long)x.len, .m = (long)y.len,
                .keep_old = ARENA_ARRAY(b->arena, bool, x.len + 1),
                .keep_new = ARENA_ARRAY(b->arena, bool, y.len + 1)};
    find_script(&s);
    Rows rows = rows_of(&s);
    buf_printf(b, "--- %s\n+++ %s\n", before, after);
    print_hunks(b, &rows);
}
