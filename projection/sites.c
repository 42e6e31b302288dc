// sites.c - which communications are one site (docs/projection.md, "Sites").
//
// A message is sent and received under the number of its site, so both ends must number alike.
// Where merging makes one statement of two, at any role, the communications in them can no longer
// be told apart there: they become one site for everybody. A communication is known by where it
// ends in the source, as nothing else ends at the same bracket; what projection makes of it keeps
// its span.

#include <stdlib.h>

#include "projection/projection_internal.h"

typedef struct Member {
    Span           at;
    struct Member *first;           // on the way to the first of its site; itself if it is that
    int            number;
} Member;

struct Sites {
    Arena *arena;
    Table *by_end;                  // the end of a span -> Member *
    Vec(Member *) members;          // in source order
};

// ---- the communications of the unit ----

static bool note_communication(void *cx, const Expr *e)
{
    Sites *s = cx;
    const void *key = table_key(e->at.end);
    if ((e->kind != EXPR_COM && e->kind != EXPR_SELECT) || table_get(s->by_end, key) != NULL)
        return true;
    Member *m = ARENA_NEW(s->arena, Member);
    *m = (Member){.at = e->at, .first = m};
    table_set(s->by_end, key, m);
    vec_push(s->arena, &s->members, m);
    return true;
}

// As they are run: what a message carries first.
static int by_end(const void *x, const void *y)
{
    const Member *a = *(Member *const *)x, *b = *(Member *const *)y;
    return a->at.end < b->at.end ? -1 : a->at.end > b->at.end;
}

Sites *sites_open(Arena *a, IrIndex index)
{
    Sites *s = ARENA_NEW(a, Sites);
    *s = (Sites){.arena = a, .by_end = table_new(a)};
    IrWalker w = {.cx = s, .expr = note_communication};
    ir_index_walk(&w, index, (IrKinds){.exprs = IR_KIND(EXPR_COM) | IR_KIND(EXPR_SELECT)});
    if (s->members.len > 1)
        qsort(s->members.at, s->members.len, sizeof *s->members.at, by_end);
    return s;
}

// ---- the communications of a projected statement ----

typedef struct Ends { Arena *arena; Vec(uint32_t) ends; } Ends;

static bool note_end(void *cx, const Expr *e)
{
    Ends *x = cx;
    if (e->kind == EXPR_SEND || e->kind == EXPR_RECV || e->kind == EXPR_SEND_LABEL)
        vec_push(x->arena, &x->ends, e->at.end);
    return true;
}

static bool note_offer(void *cx, const Stmt *s)
{
    Ends *x = cx;
    if (s->kind == STMT_OFFER)
        vec_push(x->arena, &x->ends, s->at.end);
    return true;
}

static Ends ends_of(Arena *a, const Stmt *s)
{
    Ends x = {.arena = a};
    IrWalker w = {.cx = &x, .expr = note_end, .stmt = note_offer};
    ir_walk_stmt(&w, s);
    return x;
}

// ---- one site out of two ----

static Member *first_of(const Sites *s, uint32_t end)
{
    Member *m = table_get(s->by_end, table_key(end));
    while (m != NULL && m->first != m) {
        m->first = m->first->first;
        m = m->first;
    }
    return m;
}

static void unite(Sites *s, uint32_t kept, uint32_t other)
{
    Member *a = first_of(s, kept), *b = first_of(s, other);
    if (a == NULL || b == NULL || a == b)
        return;
    if (by_end(&a, &b) < 0)
        b->first = a;
    else
        a->first = b;
}

void sites_unite(Sites *s, const Stmt *kept, const Stmt *other)
{
    if (kept == NULL || other == NULL || kept == other)
        return;
    Ends a = ends_of(s->arena, kept), b = ends_of(s->arena, other);
    for (size_t i = 0; i < a.ends.len && i < b.ends.len; i++)
        unite(s, a.ends.at[i], b.ends.at[i]);
}

SiteList sites_number(const Sites *s)
{
    const Site **all = ARENA_ARRAY(s->arena, const Site *, s->members.len);
    int count = 0;
    for (size_t i = 0; i < s->members.len; i++) {
        Member *m = s->members.at[i], *first = first_of(s, m->at.end);
        m->number = first == m ? ++count : first->number;
        all[i] = site_new(s->arena, m->at, m->number);
    }
    return (SiteList){all, s->members.len};
}
