// code.c - projected code as lists that share their tails.
//
// Every cell carries a jump pointer (the skew-binary scheme of E. W. Myers, "An applicative
// random-access stack", 1983), so that the common suffix of two lists is found in logarithmic time.

#include <string.h>

#include "projection/projection_internal.h"

static size_t length(const Code *c) { return c == NULL ? 0 : c->len; }
static const Code *jump_of(const Code *c) { return c == NULL ? NULL : c->jump; }

static bool is_jump(const Stmt *s)
{
    return s->kind == STMT_RETURN || s->kind == STMT_RAISE || s->kind == STMT_BREAK ||
           s->kind == STMT_CONTINUE || s->kind == STMT_STOPPED;
}

bool stmt_is_loop_jump(const Stmt *s)
{
    return s->kind == STMT_BREAK || s->kind == STMT_CONTINUE;
}

// The branches are the body, the handlers, `else`, and `finally`.
static bool try_never_falls(const Code *c)
{
    size_t n = c->branch_count;
    const Branch *b = c->branches;
    if (code_closed(b[n - 1].body))
        return true;
    for (size_t i = 1; i + 2 < n; i++)
        if (!code_closed(b[i].body))
            return false;
    return code_closed(b[0].body) || code_closed(b[n - 2].body);
}

static bool never_falls(const Code *c)
{
    if (c->next != NULL || c->stmt == NULL)
        return code_closed(c->next);
    if (c->loop != NULL)
        return c->loop->endless;
    if (c->stmt->kind == STMT_TRY && c->branch_count > 0)
        return try_never_falls(c);
    if (c->stmt->kind == STMT_WITH && c->stmt->roles.len > 0)
        return false;               // its manager may swallow exceptions
    for (size_t i = 0; i < c->branch_count; i++)
        if (!code_closed(c->branches[i].body))
            return false;
    return c->branch_count > 0 || is_jump(c->stmt);
}

static const Code *cell(Arena *a, Code value)
{
    const Code *next = value.next, *far = jump_of(next);
    Code *c = ARENA_NEW(a, Code);
    *c = value;
    c->end = next != NULL ? next->end : c;
    c->len = length(next) + (value.stmt != NULL);
    c->closed = never_falls(c);
    c->jump = length(next) - length(far) == length(far) - length(jump_of(far)) && far != NULL
                  ? far->jump : next;
    return c;
}

const Code *code_cons(Arena *a, const Stmt *s, const Code *next)
{
    return cell(a, (Code){.stmt = s, .next = next});
}

const Code *code_choice(Arena *a, const Stmt *head, const Branch *branches, size_t count,
                        const Code *next)
{
    return cell(a, (Code){.stmt = head, .next = next, .branches = branches, .branch_count = count});
}

const Code *code_loop(Arena *a, const Stmt *head, const Loop *loop, const Branch *branches,
                      size_t count, const Code *next)
{
    return cell(a, (Code){.stmt = head, .next = loop->endless ? NULL : next, .loop = loop,
                          .branches = branches, .branch_count = count});
}

const Code *code_put(Arena *a, const Code *model, const Branch *branches, const Code *next)
{
    return cell(a, (Code){.stmt = model->stmt, .next = next, .loop = model->loop,
                          .branches = branches, .branch_count = model->branch_count});
}

const Code *code_poison(Arena *a) { return cell(a, (Code){.poison = true}); }

bool code_poisoned(const Code *c) { return c != NULL && c->end->poison; }

const Code *code_stopped_by(Arena *a, Span at, SymList peers)
{
    return code_cons(a, stmt_stopped(a, at, peers), NULL);
}

bool code_stopped(const Code *c)
{
    return c != NULL && c->stmt != NULL && c->stmt->kind == STMT_STOPPED;
}

bool code_closed(const Code *c) { return c != NULL && c->closed; }

// The first `count` cells of c, then rest.
static const Code *copy_front(Arena *a, const Code *c, size_t count, const Code *rest)
{
    const Code **cells = ARENA_ARRAY(a, const Code *, count);
    for (size_t i = 0; i < count; i++, c = c->next)
        cells[i] = c;
    for (size_t i = count; i-- > 0;)
        rest = code_put(a, cells[i], cells[i]->branches, rest);
    return rest;
}

const Code *code_append(Arena *a, const Code *c, const Code *rest)
{
    if (rest == NULL || code_closed(c) || code_poisoned(c))
        return c;
    return copy_front(a, c, length(c), rest);
}

const Code *code_suffix(const Code *c, size_t len)
{
    while (length(c) > len)
        c = length(c->jump) >= len ? c->jump : c->next;
    return c;
}

const Code *code_shared(const Code *a, const Code *b)
{
    if (a == NULL || b == NULL || a->end != b->end || a->end->poison)
        return NULL;
    a = code_suffix(a, length(b));
    b = code_suffix(b, length(a));
    while (a != b) {
        bool far = a->jump != b->jump;
        a = far ? a->jump : a->next;
        b = far ? b->jump : b->next;
    }
    return a;
}

const Code *code_without(Arena *a, const Code *c, const Code *suffix)
{
    if (length(suffix) == 0)
        return c;
    return copy_front(a, c, length(c) - length(suffix), NULL);
}

static bool code_equal(const Code *a, const Code *b)
{
    while (a != b) {
        if (a == NULL || b == NULL || !code_cell_equal(a, b))
            return false;
        a = a->next;
        b = b->next;
    }
    return true;
}

enum { MAX_TEMPS = 16 };            // of a statement that is compared

// The types of the temporaries in a statement. Two of one name get different names in the end if
// their types differ, or if nothing is known of these (temp_name).
typedef struct TempTypes { const Ty *at[MAX_TEMPS]; size_t len; } TempTypes;

static bool note_temp(void *cx, const Expr *e)
{
    TempTypes *t = cx;
    if (e->kind == EXPR_NAME && e->name.id[0] == '?' && t->len++ < MAX_TEMPS)
        t->at[t->len - 1] = e->ty;
    return true;
}

static bool temps_alike(const Stmt *a, const Stmt *b)
{
    TempTypes one = {.len = 0}, two = {.len = 0};
    IrWalker w = {.cx = &one, .expr = note_temp};
    ir_walk_stmt(&w, a);
    w.cx = &two;
    ir_walk_stmt(&w, b);
    if (one.len != two.len || one.len > MAX_TEMPS)
        return false;
    for (size_t i = 0; i < one.len; i++)
        if (!ir_equal_ty(one.at[i], two.at[i]) ||
            one.at[i] == NULL || one.at[i]->kind == TY_ANY || one.at[i]->kind == TY_CALLABLE)
            return false;
    return true;
}

bool code_cell_equal(const Code *a, const Code *b)
{
    if (a->stmt == NULL || b->stmt == NULL)
        return a->stmt == b->stmt;
    if (a->loop != NULL || b->loop != NULL || stmt_is_loop_jump(a->stmt))
        return a == b || (a->loop == NULL && a->stmt == b->stmt);
    if (a->branch_count != b->branch_count || !ir_equal_stmt(a->stmt, b->stmt) ||
        !temps_alike(a->stmt, b->stmt))
        return false;
    for (size_t i = 0; i < a->branch_count; i++)
        if (!ir_equal_expr(a->branches[i].label, b->branches[i].label) ||
            !code_equal(a->branches[i].body, b->branches[i].body))
            return false;
    return true;
}

// Of two cells that are equal, and their blocks.
static void become_one(Arena *arena, const Code *a, const Code *b, OneStmts *ones)
{
    if (a == b || a->stmt == NULL)
        return;
    OneStmt one = {a->stmt, b->stmt};
    vec_push(arena, ones, one);
    for (size_t i = 0; a->loop == NULL && i < a->branch_count; i++) {
        const Code *x = a->branches[i].body, *y = b->branches[i].body;
        for (; x != y; x = x->next, y = y->next)
            become_one(arena, x, y, ones);
    }
}

// The longest suffix of a that b ends with too, compared by structure where pointers differ.
static const Code *common_suffix(Arena *arena, const Code *a, const Code *b, OneStmts *ones)
{
    const Code *shared = code_shared(a, b);
    size_t na = length(a) - length(shared), nb = length(b) - length(shared);
    const Code **above_a = ARENA_ARRAY(arena, const Code *, na);
    const Code **above_b = ARENA_ARRAY(arena, const Code *, nb);
    for (size_t i = 0; i < na; i++, a = a->next)
        above_a[i] = a;
    for (size_t i = 0; i < nb; i++, b = b->next)
        above_b[i] = b;
    const Code *common = shared;
    while (na > 0 && nb > 0 && code_cell_equal(above_a[na - 1], above_b[nb - 1])) {
        common = above_a[--na];
        become_one(arena, common, above_b[--nb], ones);
    }
    return common;
}

// How many statements of `tail` the branch ends with.
static size_t reach(const Code *body, const Code *tail)
{
    return length(code_shared(body, tail));
}

static bool falls_through(const Code *c) { return !code_closed(c) && !code_poisoned(c); }

// Which branches go on behind the choice: those that share more of `tail` than its last jump, if
// there are any, and all that fall through.
static void mark_open(const Branch *branches, size_t count, const Code *tail, bool *open)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t n = reach(branches[i].body, tail);
        most = n > most ? n : most;
    }
    for (size_t i = 0; i < count; i++) {
        const Code *body = branches[i].body;
        size_t n = reach(body, tail);
        open[i] = falls_through(body) || n > 1 || (n == 1 && most == 1);
    }
}

// What the open branches have in common, of what follows the choice or altogether.
static const Code *common_tail(Arena *a, const Branch *branches, size_t count, const bool *open,
                               const Code *tail, bool whole, OneStmts *ones)
{
    const Code *common = NULL;
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        if (!open[i])
            continue;
        const Code *own = whole ? branches[i].body : code_shared(branches[i].body, tail);
        common = first ? own : whole ? common_suffix(a, common, own, ones)
                              : code_shared(common, own);
        first = false;
    }
    return common;
}

const Code *code_join(Arena *a, const Stmt *head, const Branch *branches, size_t count,
                      const Code *tail, bool whole, OneStmts *ones)
{
    bool *open = ARENA_ARRAY(a, bool, count);
    mark_open(branches, count, tail, open);
    const Code *common = common_tail(a, branches, count, open, tail, whole, ones);
    Branch *own = ARENA_ARRAY(a, Branch, count);
    for (size_t i = 0; i < count; i++) {
        own[i] = branches[i];
        if (open[i])
            own[i].body = code_without(a, own[i].body, common);
    }
    return code_choice(a, head, own, count, common);
}
