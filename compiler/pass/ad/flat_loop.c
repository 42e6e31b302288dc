// flat_loop.c - loops: over ranges, over lists by index, and `while`. Where a loop may be left
// early it becomes a `while` that asks for that first.

#include "compiler/pass/ad/flat_internal.h"

#include <stdlib.h>

// ---- questions ----

typedef struct Writes { Sym name; bool found; } Writes;

static bool find_write(void *cx, const Expr *e)
{
    Writes *w = cx;
    w->found = w->found || (ad_is_name(e, w->name) && e->name.ctx != EXPR_CONTEXT_LOAD);
    return !w->found;
}

bool flat_assigns(StmtList body, Sym name)
{
    Writes writes = {.name = name};
    IrWalker w = {.cx = &writes, .expr = find_write};
    ir_walk_stmts(&w, body);
    return writes.found;
}

static bool find_read(void *cx, const Expr *e)
{
    Writes *w = cx;
    w->found = w->found || (ad_is_name(e, w->name) && e->name.ctx == EXPR_CONTEXT_LOAD);
    return !w->found;
}

bool flat_reads(StmtList body, Sym name)
{
    Writes reads = {.name = name};
    IrWalker w = {.cx = &reads, .expr = find_read};
    ir_walk_stmts(&w, body);
    return reads.found;
}

typedef struct Count { Sym name; size_t n; } Count;

static bool count_name(void *cx, const Expr *e)
{
    Count *c = cx;
    c->n += ad_is_name(e, c->name);
    return true;
}

static size_t occurrences(StmtList body, Sym name)
{
    Count c = {.name = name};
    IrWalker w = {.cx = &c, .expr = count_name};
    ir_walk_stmts(&w, body);
    return c.n;
}

typedef struct Growth { const Fun *fun; bool found; } Growth;

// Methods, and functions of the program, may change how long lists are.
static bool find_growth(void *cx, const Expr *e)
{
    Growth *g = cx;
    if (e->kind != EXPR_CALL || flat_primitive(g->fun, e->call.func) != NULL)
        return true;
    const Expr *func = e->call.func;
    bool method = func->kind == EXPR_ATTRIBUTE;
    bool own = func->kind == EXPR_NAME && table_get(g->fun->flat->functions, func->name.id);
    g->found = g->found || method || own;
    return !g->found;
}

Flag *flat_flag(Fun *f, const char *name)
{
    const Ad *ad = &f->flat->ad;
    Flag *flag = ARENA_NEW(ad->arena, Flag);
    *flag = (Flag){.name = ad_fresh(ad, f->taken, name)};
    vec_push(ad->arena, &f->flags, flag);
    return flag;
}

// ---- bodies ----

static bool leaves(StmtList body);

static bool leaves_try(const Stmt *s)
{
    bool found = leaves(s->try.body) || leaves(s->try.orelse);
    for (size_t i = 0; i < s->try.handlers.len; i++)
        found = found || leaves(s->try.handlers.at[i]->except_handler.body);
    return found;
}

static bool leaves(StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_BREAK || s->kind == STMT_RETURN)
            return true;
        if (s->kind == STMT_IF && (leaves(s->if_.body) || leaves(s->if_.orelse)))
            return true;
        if (s->kind == STMT_TRY && leaves_try(s))
            return true;
    }
    return false;
}

typedef struct Returns { bool found; } Returns;

static bool find_return(void *cx, const Stmt *s)
{
    Returns *r = cx;
    r->found = r->found || s->kind == STMT_RETURN;
    return s->kind != STMT_FUNCTION_DEF;
}

static bool returns(StmtList body)
{
    Returns r = {0};
    IrWalker w = {.cx = &r, .stmt = find_return};
    ir_walk_stmts(&w, body);
    return r.found;
}

static Loop *open_loop(Fun *f)
{
    Loop *loop = ARENA_NEW(f->flat->ad.arena, Loop);
    *loop = (Loop){f->loop, flat_flag(f, "stop"), flat_flag(f, "skip")};
    return loop;
}

// The body, behind what starts each round.
static StmtList round_of(Fun *f, const Loop *loop, AdBlock *start, StmtList body)
{
    const Ad *ad = &f->flat->ad;
    StmtList rest = flat_arm(f, body, loop);
    if (loop->skip->asked && rest.len > 0)
        vec_push(ad->arena, start,
                 ad_assign(ad, loop->skip->name, ad_bool(ad, rest.at[0]->at, false)));
    for (size_t i = 0; i < rest.len; i++)
        vec_push(ad->arena, start, rest.at[i]);
    return ad_stmts(start);
}

// `not stop and not returned and test`, with `stop = False` in front.
static const Expr *guarded(Fun *f, const Expr *test, const Loop *loop, StmtList body)
{
    const Ad *ad = &f->flat->ad;
    if (leaves(body)) {
        loop->stop->asked = true;
        flat_put(f, loop->stop->name, ad_bool(ad, test->at, false));
        test = ad_and(ad, ad_not(ad, ad_name(ad, test->at, loop->stop->name, ad->bool_)), test);
    }
    if (returns(body)) {
        f->returned.asked = true;
        test = ad_and(ad, ad_not(ad, ad_name(ad, test->at, f->returned.name, ad->bool_)), test);
    }
    return flat_block_may_raise(f, body) ? flat_not_raised(f, test->at, test) : test;
}

static void put_while(Fun *f, Span at, const Expr *test, StmtList body)
{
    Arena *a = f->flat->ad.arena;
    vec_push(a, f->out, stmt_while(a, at, test, body, (StmtList){0}));
}

void flat_while(Fun *f, const Stmt *s)
{
    const Ad *ad = &f->flat->ad;
    const Loop *loop = open_loop(f);
    AdBlock start = {0};
    size_t raises = f->raises;
    if (!flat_calls(f, s->while_.test)) {
        const Expr *test = guarded(f, flat_test(f, s->while_.test), loop, s->while_.body);
        put_while(f, s->at, test, round_of(f, loop, &start, s->while_.body));
        flat_go_on(f, s->at, raises);
        return;
    }
    Sym going = ad_fresh(ad, f->taken, "going");
    flat_put(f, going, ad_typed(ad, flat_test(f, s->while_.test), ad->bool_));
    const Expr *test = guarded(f, ad_name(ad, s->at, going, ad->bool_), loop, s->while_.body);
    if (!flat_block_may_raise(f, s->while_.body) && flat_may_raise(f, s->while_.test))
        test = flat_not_raised(f, s->at, test);
    AdBlock round = {0};
    raises = f->raises;
    round_of(f, loop, &round, s->while_.body);
    FlatPlace place = flat_into(f, &round);
    flat_go_on(f, s->at, raises);
    flat_put(f, going, ad_typed(ad, flat_test(f, s->while_.test), ad->bool_));
    flat_back_to(f, place);
    put_while(f, s->at, test, ad_stmts(&round));
    flat_go_on(f, s->at, raises);
}

// ---- ranges ----

typedef struct Range { const Expr *from, *to, *step; } Range;     // atoms; step NULL: 1

static const Expr *limit(Fun *f, const Expr *e, StmtList body)
{
    const Expr *atom = flat_atom(f, e);
    if (atom->kind != EXPR_NAME || !flat_assigns(body, atom->name.id))
        return atom;
    const Ad *ad = &f->flat->ad;
    Sym copy = ad_fresh(ad, f->taken, atom->name.id);
    flat_put(f, copy, atom);
    return ad_name(ad, e->at, copy, atom->ty);
}

static Range range_of(Fun *f, const Expr *call, StmtList body)
{
    ExprList args = call->call.args;
    const Expr *zero = ad_int(&f->flat->ad, call->at, 0);
    if (args.len == 1)
        return (Range){zero, limit(f, args.at[0], body), NULL};
    const Expr *from = limit(f, args.at[0], body), *to = limit(f, args.at[1], body);
    return (Range){from, to, args.len == 3 ? limit(f, args.at[2], body) : NULL};
}

static bool is_zero(const Expr *e)
{
    return e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_INT
           && e->constant.value->text.len == 1 && e->constant.value->text.at[0] == '0';
}

static void put_for(Fun *f, Span at, Sym counter, Range r, StmtList body)
{
    const Ad *ad = &f->flat->ad;
    const Expr *args[] = {r.from, r.to, r.step};
    size_t skip = is_zero(r.from) && r.step == NULL ? 1 : 0;
    const Ty *range = ty_named(ad->arena, names_get(ad->names, "range"), (TyList){0});
    const Expr *iter = ad_call_name(ad, at, "range", range, (r.step ? 3 : 2) - skip, args + skip);
    const Expr *target = ad_typed(ad, expr_name(ad->arena, at, counter, EXPR_CONTEXT_STORE),
                                  ad->int_);
    vec_push(ad->arena, f->out, stmt_for(ad->arena, at, target, iter, body, (StmtList){0}));
}

// How far a step goes: 1, -1, or 0 if only the run knows.
static int direction(const Expr *step)
{
    if (step == NULL)
        return 1;
    const Expr *e = step->kind == EXPR_UNARY_OP ? step->unary_op.operand : step;
    return e->kind != EXPR_CONSTANT ? 0 : step->kind == EXPR_UNARY_OP ? -1 : 1;
}

// What is done in each round before the body.
typedef void Start(Fun *f, Sym counter, const void *cx);

// `asked_again`: the end is asked for in each round.
static void for_range(Fun *f, const Stmt *s, Range r, bool asked_again, Start *begin,
                      const void *cx)
{
    const Ad *ad = &f->flat->ad;
    const Loop *loop = open_loop(f);
    StmtList body = s->for_.body;
    AdBlock start = {0}, *outer = f->out;
    bool early = asked_again || leaves(body) || returns(body) || flat_block_may_raise(f, body);
    size_t raises = f->raises;
    Sym k = ad_fresh(ad, f->taken, "k");
    if (!early) {
        f->out = &start;
        begin(f, k, cx);
        f->out = outer;
        put_for(f, s->at, k, r, round_of(f, loop, &start, body));
        return;
    }
    int way = direction(r.step);
    if (way == 0)
        diag_help(flat_refuse(f, s->at, "the step of this `range` must be a constant, because the "
                              "loop may end early"), "write the step as a number");
    Sym next = ad_fresh(ad, f->taken, "next");
    const Expr *at_next = ad_name(ad, s->at, next, ad->int_);
    flat_put(f, next, r.from);
    const Expr *test = guarded(f, ad_compare(ad, at_next, way < 0 ? CMPOP_GT : CMPOP_LT, r.to),
                               loop, body);
    f->out = &start;
    flat_put(f, k, at_next);
    flat_put(f, next, ad_bin(ad, at_next, OPERATOR_ADD, r.step ? r.step : ad_int(ad, s->at, 1),
                             ad->int_));
    begin(f, k, cx);
    f->out = outer;
    put_while(f, s->at, test, round_of(f, loop, &start, body));
    flat_go_on(f, s->at, raises);
}

static void name_counter(Fun *f, Sym counter, const void *cx)
{
    const Stmt *s = cx;
    const Ad *ad = &f->flat->ad;
    flat_put(f, s->for_.target->name.id, ad_name(ad, s->at, counter, ad->int_));
}

// The loop's own variable counts, if nothing else uses it.
static bool counts_itself(const Fun *f, const Stmt *s)
{
    Sym name = s->for_.target->name.id;
    size_t all = occurrences(f->def->function_def.body, name);
    return !leaves(s->for_.body) && !returns(s->for_.body)
           && !flat_block_may_raise(f, s->for_.body) && !flat_assigns(s->for_.body, name)
           && all == occurrences(s->for_.body, name) + 1;
}

static void over_range(Fun *f, const Stmt *s, const Expr *call, bool backwards)
{
    Range r = range_of(f, call, s->for_.body);
    const Ad *ad = &f->flat->ad;
    if (backwards && r.step != NULL) {
        diag_help(flat_refuse(f, s->at, "`reversed` of a range with a step cannot be "
                              "differentiated"),
                  "write the range from its last number to its first, with a negative step");
    } else if (backwards) {
        const Expr *one = ad_int(ad, s->at, 1);
        Sym last = ad_fresh(ad, f->taken, "last"), end = ad_fresh(ad, f->taken, "end");
        flat_put(f, last, ad_bin(ad, r.to, OPERATOR_SUB, one, ad->int_));
        flat_put(f, end, ad_bin(ad, r.from, OPERATOR_SUB, one, ad->int_));
        r = (Range){ad_name(ad, s->at, last, ad->int_), ad_name(ad, s->at, end, ad->int_),
                    ad_int(ad, s->at, -1)};
    }
    AdBlock start = {0};
    if (counts_itself(f, s))
        put_for(f, s->at, s->for_.target->name.id, r,
                round_of(f, open_loop(f), &start, s->for_.body));
    else
        for_range(f, s, r, false, name_counter, s);
}

// ---- lists ----

typedef struct Over {
    const Stmt *loop;
    const Expr *lists[8];       // atoms
    size_t      count;
    const Expr *first;          // of `enumerate`: where it starts; NULL: no number is asked
    bool        tuple;          // the target is a tuple of the items
    bool        inner;          // of `enumerate(zip(..))`: the items are a tuple in it
    bool        reversed;
    const Expr *last;           // then: the number of the last item
} Over;

static const Expr *item_name(Fun *f, const Expr *list, Sym counter, Sym name)
{
    const Ad *ad = &f->flat->ad;
    const Ty *ty = ad_list_element(list->ty);
    flat_put(f, name, ad_item(ad, list, ad_name(ad, list->at, counter, ad->int_), ty));
    return ad_name(ad, list->at, name, ty);
}

static const Expr *number_of(Fun *f, const Over *o, Sym counter)
{
    const Ad *ad = &f->flat->ad;
    const Expr *k = ad_name(ad, o->loop->at, counter, ad->int_);
    if (is_zero(o->first))
        return k;
    Sym name = ad_fresh(ad, f->taken, "number");
    flat_put(f, name, ad_bin(ad, k, OPERATOR_ADD, o->first, ad->int_));
    return ad_name(ad, k->at, name, ad->int_);
}

static const Expr *display(Fun *f, Span at, const AdExprs *parts)
{
    const Ad *ad = &f->flat->ad;
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, parts->len + 1);
    for (size_t i = 0; i < parts->len; i++)
        items[i] = parts->at[i]->ty;
    const Ty *ty = flat_ty(f->flat, ty_tuple(ad->arena, (TyList){items, parts->len}));
    return ad_typed(ad, expr_tuple(ad->arena, at, (ExprList){parts->at, parts->len},
                                   EXPR_CONTEXT_LOAD), ty);
}

static bool only_parts(const Stmt *s);

static void name_parts(Fun *f, Sym counter, const Over *o)
{
    const Ad *ad = &f->flat->ad;
    Sym target = o->loop->for_.target->name.id;
    AdExprs parts = {0}, items = {0};
    for (size_t i = 0; i < o->count; i++)
        vec_push(ad->arena, &items,
                 item_name(f, o->lists[i], counter, ad_fresh(ad, f->taken, "item")));
    if (o->first != NULL)
        vec_push(ad->arena, &parts, number_of(f, o, counter));
    if (o->inner)
        vec_push(ad->arena, &parts, display(f, o->loop->at, &items));
    for (size_t i = 0; !o->inner && i < o->count; i++)
        vec_push(ad->arena, &parts, items.at[i]);
    ExprList *list = ARENA_NEW(ad->arena, ExprList);
    *list = (ExprList){parts.at, parts.len};
    if (only_parts(o->loop))
        table_set(f->parts, target, list);
    else
        flat_put(f, target, flat_as(f, display(f, o->loop->at, &parts),
                                    table_get(f->locals, target)));
}

static void name_items(Fun *f, Sym counter, const void *cx)
{
    const Over *o = cx;
    const Ad *ad = &f->flat->ad;
    if (o->reversed) {
        Sym place = ad_fresh(ad, f->taken, "place");
        flat_put(f, place, ad_bin(ad, o->last, OPERATOR_SUB,
                                  ad_name(ad, o->loop->at, counter, ad->int_), ad->int_));
        counter = place;
    }
    if (o->tuple)
        name_parts(f, counter, o);
    else
        item_name(f, o->lists[0], counter, o->loop->for_.target->name.id);
}

// The tuple of a round is only ever taken apart.
static bool find_whole(void *cx, const Expr *e)
{
    Writes *w = cx;
    bool part = e->kind == EXPR_SUBSCRIPT && ad_is_name(e->subscript.value, w->name)
                && e->subscript.slice->kind == EXPR_CONSTANT;
    if (part)
        return false;
    w->found = w->found || ad_is_name(e, w->name);
    return true;
}

static bool only_parts(const Stmt *s)
{
    Writes whole = {.name = s->for_.target->name.id};
    IrWalker w = {.cx = &whole, .expr = find_whole};
    ir_walk_stmts(&w, s->for_.body);
    return !whole.found;
}

static bool lengthens(Fun *f, StmtList body)
{
    Growth growth = {.fun = f};
    IrWalker w = {.cx = &growth, .expr = find_growth};
    ir_walk_stmts(&w, body);
    return growth.found;
}

static void over_lists(Fun *f, Over *o)
{
    const Ad *ad = &f->flat->ad;
    const Stmt *s = o->loop;
    const Expr *lens[8];
    if (lengthens(f, s->for_.body) && !o->reversed) {
        for (size_t i = 0; i < o->count; i++)
            lens[i] = ad_call_name(ad, s->at, "len", ad->int_, 1, &o->lists[i]);
        const Expr *least = o->count == 1 ? lens[0]
                            : ad_call_name(ad, s->at, "min", ad->int_, o->count, lens);
        for_range(f, s, (Range){ad_int(ad, s->at, 0), least, NULL}, true, name_items, o);
        return;
    }
    for (size_t i = 0; i < o->count; i++) {
        Sym n = ad_fresh(ad, f->taken, "n");
        flat_put(f, n, ad_call_name(ad, s->at, "len", ad->int_, 1, &o->lists[i]));
        lens[i] = ad_name(ad, s->at, n, ad->int_);
    }
    const Expr *n = lens[0];
    if (o->count > 1) {
        Sym least = ad_fresh(ad, f->taken, "n");
        flat_put(f, least, ad_call_name(ad, s->at, "min", ad->int_, o->count, lens));
        n = ad_name(ad, s->at, least, ad->int_);
    }
    if (o->reversed) {
        Sym last = ad_fresh(ad, f->taken, "last");
        flat_put(f, last, ad_bin(ad, n, OPERATOR_SUB, ad_int(ad, s->at, 1), ad->int_));
        o->last = ad_name(ad, s->at, last, ad->int_);
    }
    for_range(f, s, (Range){ad_int(ad, s->at, 0), n, NULL}, false, name_items, o);
}

static bool is_call_of(const Fun *f, const Expr *e, const char *name)
{
    return e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
           && sym_is(e->call.func->name.id, name)
           && table_get(f->locals, e->call.func->name.id) == NULL;
}

static bool open_list(Fun *f, Over *o, const Expr *e)
{
    e = flat_as_list(f, e);
    if (ad_list_element(e->ty) == NULL || o->count == 8)
        return false;
    o->lists[o->count++] = limit(f, e, o->loop->for_.body);
    return true;
}

static bool open_lists(Fun *f, Over *o, const Expr *iter)
{
    bool enumerated = is_call_of(f, iter, "enumerate"), zipped = is_call_of(f, iter, "zip");
    if (!enumerated && !zipped)
        return open_list(f, o, iter);
    ExprList args = iter->call.args;
    o->tuple = true;
    KeywordList named = iter->call.keywords;
    bool start = enumerated && named.len == 1 && sym_is(named.at[0]->arg, "start");
    if ((named.len > 0 && !start) || args.len == 0)
        return false;
    const Expr *first = start ? named.at[0]->value : args.len == 2 ? args.at[1] : NULL;
    if (enumerated)
        o->first = first != NULL ? limit(f, first, o->loop->for_.body)
                                 : ad_int(&f->flat->ad, iter->at, 0);
    if (enumerated && is_call_of(f, args.at[0], "zip")) {
        o->inner = true;
        args = args.at[0]->call.args;
        zipped = true;
    }
    for (size_t i = 0; i < (zipped ? args.len : 1); i++)
        if (!open_list(f, o, args.at[i]))
            return false;
    return true;
}

void flat_for(Fun *f, const Stmt *s)
{
    const Expr *iter = s->for_.iter;
    Over o = {.loop = s};
    bool reversed = is_call_of(f, iter, "reversed") && iter->call.args.len == 1;
    const Expr *inner = reversed ? iter->call.args.at[0] : iter;
    if (is_call_of(f, inner, "range")) {
        over_range(f, s, inner, reversed);
    } else if (reversed ? open_list(f, &o, inner) : open_lists(f, &o, iter)) {
        o.reversed = reversed;
        over_lists(f, &o);
    } else {
        Diag *d = flat_refuse(f, iter->at, "a loop over this iterable cannot be differentiated");
        diag_help(d, "loop over a range, a list or a tuple, or `enumerate` or `zip` of lists");
    }
}
