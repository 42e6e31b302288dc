// loop_exit.c - the ways out of a loop that a role is told about, or whose condition communicates
// (docs/projection.md, "Loops").
//
// Such a loop is projected with all that follows it: its paths end in a jump back to its head, or
// go on up to the end of the function. Here each of these becomes a `break`, and what the paths go
// on with is put behind the loop, once. There are at most three ways on: what follows the loop,
// and - from its `else`, which lies inside the new `while True` - a `continue` or a `break` of the
// loop around. One is the way of the plain `break`; the others are told apart by a flag. Out of a
// block that is kept (`try`, `with`) leads a mere `break` to begin with.

#include "projection/projection_internal.h"

typedef struct Way {
    const Code *code;               // all of it
    size_t      keep;               // how many of its statements stay behind the loop
    size_t      uses;
    bool        joined;             // it is the way on from there
    const Code *out;                // what takes a path there: `break`, behind `flag = True`
    const Stmt *flag;               // `flag = True`; NULL: no flag
} Way;

enum { ON, LEAVE, AGAIN, WAYS };

typedef struct Exits {
    Half       *h;
    const Loop *loop;
    const Code *rest;               // what follows the loop
    bool        marked;             // the way on ends in the loop's own `break`
    bool        mere;               // some path ends in a `break` that is not completed
    size_t      again;              // paths that go on with the next round
    Way         ways[WAYS];
} Exits;

const Code *loop_leave(Half *h, const Loop *loop, const Code *rest)
{
    if (code_closed(rest))
        return rest;
    return code_append(h->arena, rest, code_cons(h->arena, loop->leave, NULL));
}

static size_t length(const Code *c) { return c == NULL ? 0 : c->len; }

static bool is_jump_out(const Code *c)
{
    return c != NULL && c->end->stmt != NULL && stmt_is_loop_jump(c->end->stmt);
}

// Which way the code goes in the end, and how many statements of that way it holds; WAYS: none, it
// returns or raises by itself.
static int way_of(const Exits *x, const Code *c, size_t *n)
{
    const Way *on = &x->ways[ON];
    size_t most = length(on->code);
    *n = length(code_shared(c, on->code));
    if (*n > 0 && (*n == most || *n > 1 || x->marked))
        return ON;
    for (int i = LEAVE; i < WAYS; i++) {
        const Way *w = &x->ways[i];
        *n = length(code_shared(c, w->code));
        if (*n > 1 || (*n == 1 && is_jump_out(w->code)))
            return i;
    }
    return WAYS;
}

// ---- which ways are taken ----

static void survey(Exits *x, const Code *c)
{
    size_t n = 0;
    int way = c == NULL ? WAYS : way_of(x, c, &n);
    if (way < WAYS) {
        Way *w = &x->ways[way];
        w->keep = w->uses == 0 || n < w->keep ? n : w->keep;
        w->uses++;
    } else {
        x->mere = x->mere || (c != NULL && c->end->stmt == x->loop->leave);
        n = 0;
    }
    for (; length(c) > n && c->stmt != NULL; c = c->next) {
        x->again += c->stmt == x->loop->again;
        for (size_t i = c->loop != NULL ? 1 : 0; i < c->branch_count; i++)
            survey(x, c->branches[i].body);
    }
}

// A mere `break` needs all of the way on behind the loop; false if other paths do parts of it.
static bool fit_mere(Exits *x)
{
    Way *on = &x->ways[ON];
    size_t all = length(on->code);
    if (!x->mere)
        return true;
    bool fits = on->uses == 0 || on->keep == all;
    on->uses += 2;                  // it cannot be moved into the loop
    on->keep = all;
    return fits;
}

// The statements of the way on that another way ends with too may stay behind the loop for both.
static void join_ways(Exits *x)
{
    Way *on = &x->ways[ON];
    for (int i = LEAVE; i < WAYS; i++) {
        Way *w = &x->ways[i];
        size_t both = length(code_shared(on->code, w->code));
        if (w->uses == 0 || both < w->keep || on->uses > 1)
            continue;
        on->keep = w->keep;
        on->uses += w->uses;
        w->uses = 0;
        w->joined = true;
    }
}

// ---- flags ----

static const Expr *flag_name(const Exits *x, int way, ExprContext ctx)
{
    Half *h = x->h;
    size_t depth = 0;
    for (const Loop *l = h->loop; l != NULL; l = l->outer)
        depth++;
    Sym name = names_format(h->cx->names, "?f%zu:%s", depth, way == LEAVE ? "leave" : "again");
    h->any_temps = true;
    const Ty *ty = ty_named(h->arena, names_get(h->cx->names, "bool"), (TyList){0});
    return expr_with_ty(h->arena, expr_name(h->arena, x->loop->leave->at, name, ctx), ty,
                        (SymList){0});
}

static const Stmt *set_flag(const Exits *x, int way, bool value)
{
    Half *h = x->h;
    Span at = x->loop->leave->at;
    const Expr **target = ARENA_NEW(h->arena, const Expr *);
    *target = flag_name(x, way, EXPR_CONTEXT_STORE);
    const Expr *truth = expr_constant(h->arena, at, const_bool(h->arena, value), NULL);
    return stmt_assign(h->arena, at, (ExprList){target, 1}, truth);
}

// The first way taken needs no flag.
static int set_ways(Exits *x)
{
    Arena *a = x->h->arena;
    int plain = WAYS;
    for (int i = 0; i < WAYS; i++) {
        Way *w = &x->ways[i];
        if (w->uses == 0)
            continue;
        w->out = code_cons(a, x->loop->leave, NULL);
        if (plain == WAYS)
            plain = i;
        else
            w->out = code_cons(a, set_flag(x, i, true), w->out), w->flag = set_flag(x, i, false);
    }
    return plain;
}

// ---- the body ----

static const Code *rebuild(Exits *x, const Code *c);

// Where one case alone goes on behind a wait, it may as well hold what follows; a jump, all may.
static size_t only_open(const Code *c)
{
    size_t open = c->branch_count;
    for (size_t i = 0; i < c->branch_count; i++) {
        if (code_closed(c->branches[i].body))
            continue;
        if (open < c->branch_count)
            return c->branch_count;
        open = i;
    }
    return open;
}

static const Code *rebuild_cell(Exits *x, const Code *c, const Code *rest)
{
    Arena *a = x->h->arena;
    Branch *branches = ARENA_ARRAY(a, Branch, c->branch_count);
    size_t open = only_open(c);
    bool jump = length(rest) == 1 && stmt_is_loop_jump(rest->stmt);
    bool inside = rest != NULL && c->stmt->kind == STMT_OFFER &&
                  (jump || open < c->branch_count);
    for (size_t i = 0; i < c->branch_count; i++) {
        branches[i] = c->branches[i];
        if (c->loop == NULL || i > 0)
            branches[i].body = rebuild(x, branches[i].body);
        if (inside && (jump || i == open))
            branches[i].body = code_append(a, branches[i].body, rest);
    }
    return code_put(a, c, branches, inside ? NULL : rest);
}

static const Code *rebuild(Exits *x, const Code *c)
{
    size_t n = 0;
    int way = c == NULL ? WAYS : way_of(x, c, &n);
    const Code *stop = NULL, *rest = NULL;
    Vec(const Code *) cells = {0};
    if (way < WAYS && x->ways[way].joined)
        way = ON;
    if (way < WAYS) {
        stop = code_suffix(c, x->ways[way].keep);
        rest = x->ways[way].out;
    }
    for (; c != stop && c->stmt != NULL; c = c->next)
        vec_push(x->h->arena, &cells, c);
    if (c != stop)
        rest = c;                   // nobody gets here
    for (size_t i = cells.len; i-- > 0;)
        rest = rebuild_cell(x, cells.at[i], rest);
    return rest;
}

// ---- the loop ----

static void report_torn(Half *h, const Loop *loop)
{
    if (h->quiet || h->reported)
        return;
    Diag *d = diag_report_role(h->cx->diags, source_first_line(h->cx->source, loop->leave->at),
                               DIAG_UNSUPPORTED, h->role,
                               "this loop is not supported yet: %s leaves it in several ways, "
                               "which continue with different parts of the code after it", h->role);
    diag_help(d, "assign the reason to a variable, leave the loop only with `break`, and test the "
                 "variable after the loop");
    h->reported = true;
}

// What follows the loop on the plain way: where its own `break` marks the end of that, the very
// cells that other ways past the loop end with.
static const Code *behind(const Exits *x, const Way *w, bool on)
{
    const Code *c = code_suffix(w->code, w->keep);
    if (!on || !x->marked)
        return c;
    return code_poisoned(x->rest) ? code_without(x->h->arena, c, code_suffix(c, 1))
                                  : code_suffix(x->rest, w->keep - 1);
}

static const Code *put_flags(const Exits *x, int plain, const Code *rest)
{
    Arena *a = x->h->arena;
    for (int i = WAYS; i-- > 0;) {
        const Way *w = &x->ways[i];
        if (w->flag == NULL || i == plain)
            continue;
        Branch *arms = ARENA_ARRAY(a, Branch, 2);
        Span at = x->loop->leave->at;
        arms[0] = (Branch){.at = at, .body = behind(x, w, i == ON)};
        arms[1] = (Branch){.at = at};
        const Stmt *head = stmt_if(a, at, flag_name(x, i, EXPR_CONTEXT_LOAD), (StmtList){0},
                                   (StmtList){0});
        rest = code_choice(a, head, arms, 2, rest);
    }
    return rest;
}

const Code *loop_close(Half *h, const Stmt *head, Loop *loop, const Code *body,
                       const Code *leave, const Code *rest)
{
    Arena *a = h->arena;
    Exits x = {.h = h, .loop = loop, .rest = rest, .marked = !code_closed(rest)};
    x.ways[ON].code = leave;
    if (h->loop != NULL) {
        x.ways[LEAVE].code = h->leave;
        x.ways[AGAIN].code = h->again;
    }
    survey(&x, body);
    if (x.again == 0 && !x.marked && !x.mere)
        return body;                // one round at most
    if (!fit_mere(&x)) {
        report_torn(h, loop);
        return code_poison(a);
    }
    join_ways(&x);
    int plain = set_ways(&x);
    Branch *block = ARENA_NEW(a, Branch);
    *block = (Branch){.at = head->at, .body = rebuild(&x, body)};
    loop->endless = plain == WAYS;
    const Code *code = NULL;
    if (!loop->endless)
        code = put_flags(&x, plain, behind(&x, &x.ways[plain], plain == ON));
    code = code_loop(a, head, loop, block, 1, code);
    for (int i = 0; i < WAYS; i++)
        if (x.ways[i].flag != NULL)
            code = code_cons(a, x.ways[i].flag, code);
    return code;
}
