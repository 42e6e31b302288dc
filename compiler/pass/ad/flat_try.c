// flat_try.c - exceptions that the function itself takes (control-ad 3.1). A `raise` with its
// handler in the same function sets a truth, and what is done in the `try` behind it asks for that.
// An operation that may raise has its test in front; what no test can tell is refused.
//
//     failed = x == 0.0
//     if failed:
//         raised = True
//     else:
//         y = 1.0 / x             and what stands behind it in the `try`
//     if raised:
//         ...                     the handler

#include "compiler/pass/ad/flat_internal.h"

typedef struct Class { const char *name, *base; } Class;

static const Class CLASSES[] = {
#define EXCEPTION(name, base) {name, base},
#include "compiler/pass/ad/raise.def"
};

typedef struct Raise { const char *primitive, *exception, *test; } Raise;

static const Raise RAISES[] = {
#define RAISES(primitive, exception, test) {primitive, exception, test},
#include "compiler/pass/ad/raise.def"
};

// A `try` while its body is made flat.
struct Attempt {
    const Attempt *outer;
    ExcepthandlerList handlers;
    Flag **reached;             // one for each handler
};

// Statements go to `block`, which becomes the second arm of an `if` in `outer`.
struct Open {
    Open    *before;
    AdBlock *outer, block;
    const Expr *test;
    StmtList yes;
};

// ---- where statements go ----

FlatPlace flat_into(Fun *f, AdBlock *block)
{
    FlatPlace place = {f->out, f->open};
    f->out = block;
    f->open = NULL;
    return place;
}

void flat_back_to(Fun *f, FlatPlace place)
{
    Arena *a = f->flat->ad.arena;
    for (Open *o = f->open; o != NULL; o = o->before) {
        StmtList no = ad_stmts(&o->block);
        if (o->yes.len > 0)
            vec_push(a, o->outer, stmt_if(a, o->test->at, o->test, o->yes, no));
        else if (no.len > 0)
            vec_push(a, o->outer, stmt_if(a, o->test->at, ad_not(&f->flat->ad, o->test), no,
                                          (StmtList){0}));
    }
    f->out = place.out;
    f->open = place.open;
}

// What follows is done where the test is false.
static void open_else(Fun *f, const Expr *test, StmtList yes)
{
    Open *o = ARENA_NEW(f->flat->ad.arena, Open);
    *o = (Open){.before = f->open, .outer = f->out, .test = test, .yes = yes};
    f->out = &o->block;
    f->open = o;
}

static const Expr *named(Fun *f, const char *base, const Expr *test)
{
    const Ad *ad = &f->flat->ad;
    Sym name = ad_fresh(ad, f->taken, base);
    flat_put(f, name, ad_typed(ad, test, ad->bool_));
    return ad_name(ad, test->at, name, ad->bool_);
}

// ---- which handler ----

static const char *base_of(const Fun *f, const char *name)
{
    for (size_t i = 0; i < sizeof CLASSES / sizeof *CLASSES; i++)
        if (strcmp(CLASSES[i].name, name) == 0)
            return CLASSES[i].base;
    const Stmt *def = table_get(f->flat->ad.classes, names_get(f->flat->ad.names, name));
    ExprList bases = def != NULL ? def->class_def.bases : (ExprList){0};
    return bases.len == 1 && bases.at[0]->kind == EXPR_NAME ? bases.at[0]->name.id : NULL;
}

static bool is_kind_of(const Fun *f, const char *exception, Sym class_)
{
    for (const char *at = exception; at != NULL; at = base_of(f, at))
        if (sym_is(class_, at))
            return true;
    return false;
}

static bool takes(const Fun *f, const Excepthandler *h, const char *exception)
{
    const Expr *type = h->except_handler.type;
    if (type == NULL)
        return true;
    if (type->kind == EXPR_NAME)
        return is_kind_of(f, exception, type->name.id);
    for (size_t i = 0; type->kind == EXPR_TUPLE && i < type->tuple.elts.len; i++)
        if (type->tuple.elts.at[i]->kind == EXPR_NAME
            && is_kind_of(f, exception, type->tuple.elts.at[i]->name.id))
            return true;
    return false;
}

static Flag *handler_of(const Fun *f, const char *exception)
{
    for (const Attempt *t = f->attempt; t != NULL; t = t->outer)
        for (size_t i = 0; i < t->handlers.len; i++)
            if (takes(f, t->handlers.at[i], exception))
                return t->reached[i];
    return NULL;
}

static const Stmt *reaching(Fun *f, Span at, const Flag *reached)
{
    f->raises++;
    return ad_assign(&f->flat->ad, reached->name, ad_bool(&f->flat->ad, at, true));
}

bool flat_raise(Fun *f, const Stmt *s)
{
    const Expr *e = s->raise.exc;
    const Expr *class_ = e != NULL && e->kind == EXPR_CALL ? e->call.func : e;
    if (f->attempt == NULL)
        return false;
    if (class_ == NULL || class_->kind != EXPR_NAME
        || (base_of(f, class_->name.id) == NULL && !sym_is(class_->name.id, "BaseException"))) {
        diag_help(flat_refuse(f, s->at, "the class of this exception is not known"),
                  "raise an exception by calling its class");
        return true;
    }
    const Flag *reached = handler_of(f, class_->name.id);
    if (reached != NULL)
        vec_push(f->flat->ad.arena, f->out, reaching(f, s->at, reached));
    return reached != NULL;
}

// ---- operations that raise ----

static void refuse_untold(Fun *f, Span at, const char *what)
{
    diag_help(flat_refuse(f, at, "%s may raise an exception that a handler here catches", what),
              "test the operands with an `if` in place of the `try`, or move the operation out of "
              "the `try`");
}

static void guard(Fun *f, const Raise *row, Span at, const Expr *const *args, size_t n)
{
    const Ad *ad = &f->flat->ad;
    const Flag *reached = handler_of(f, row->exception);
    PartialUse use = {.at = at};
    if (reached == NULL)
        return;
    if (row->test == NULL) {
        refuse_untold(f, at, "this operation");
        return;
    }
    for (size_t i = 0; i < n && i < PARTIAL_MAX; i++)
        use.argument[i] = args[i];
    const Expr *test = partial_put(ad->partials, partial_parse(ad->partials, row->test), &use);
    const Expr *failed = named(f, "failed", test);
    const Stmt **yes = ARENA_NEW(ad->arena, const Stmt *);
    *yes = reaching(f, at, reached);
    open_else(f, failed, (StmtList){yes, 1});
}

void flat_guard(Fun *f, Span at, const char *primitive, size_t n, const Expr *const *args)
{
    bool known = false;
    for (size_t i = 0; f->attempt != NULL && i < sizeof RAISES / sizeof *RAISES; i++) {
        if (strcmp(RAISES[i].primitive, primitive) != 0)
            continue;
        known = true;
        if (RAISES[i].exception != NULL)
            guard(f, &RAISES[i], at, args, n);
    }
    if (f->attempt != NULL && !known)
        refuse_untold(f, at, "this call");
}

void flat_guard_operator(Fun *f, Span at, Operator op, const Expr *left, const Expr *right)
{
    static const Operator SURE[] = {OPERATOR_ADD, OPERATOR_SUB, OPERATOR_MULT, OPERATOR_BIT_AND,
                                    OPERATOR_BIT_OR, OPERATOR_BIT_XOR};
    const Expr *both[] = {left, right};
    const char *name = partial_of_operator(op);
    for (size_t i = 0; i < sizeof SURE / sizeof *SURE; i++)
        if (op == SURE[i])
            return;
    flat_guard(f, at, name != NULL ? name : "", 2, both);
}

// ---- what may raise ----

static bool find_raise(void *cx, const Expr *e)
{
    bool *found = cx;
    bool operator_ = e->kind == EXPR_BIN_OP && e->bin_op.op != OPERATOR_ADD
                     && e->bin_op.op != OPERATOR_SUB && e->bin_op.op != OPERATOR_MULT;
    *found = *found || operator_ || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_CALL;
    return !*found;
}

bool flat_may_raise(const Fun *f, const Expr *e)
{
    bool found = false;
    IrWalker w = {.cx = &found, .expr = find_raise};
    if (f->attempt != NULL)
        ir_walk_expr(&w, e);
    return found;
}

static bool find_raise_stmt(void *cx, const Stmt *s)
{
    *(bool *)cx = *(bool *)cx || s->kind == STMT_RAISE;
    return !*(bool *)cx;
}

bool flat_block_may_raise(const Fun *f, StmtList body)
{
    bool found = false;
    IrWalker w = {.cx = &found, .expr = find_raise, .stmt = find_raise_stmt};
    if (f->attempt != NULL)
        ir_walk_stmts(&w, body);
    return found;
}

// ---- going on ----

const Expr *flat_not_raised(Fun *f, Span at, const Expr *test)
{
    const Ad *ad = &f->flat->ad;
    for (const Attempt *t = f->attempt; t != NULL; t = t->outer)
        for (size_t i = 0; i < t->handlers.len; i++) {
            const Expr *no = ad_not(ad, ad_name(ad, at, t->reached[i]->name, ad->bool_));
            test = test == NULL ? no : ad_and(ad, no, test);
        }
    return test;
}

void flat_go_on(Fun *f, Span at, size_t raises)
{
    if (f->attempt == NULL || f->raises == raises)
        return;
    const Expr *going = named(f, "going", flat_not_raised(f, at, NULL));
    open_else(f, ad_not(&f->flat->ad, going), (StmtList){0});
}

// ---- the statement ----

static bool names_exception(const Excepthandler *h)
{
    Sym name = h->except_handler.name;
    bool found = false;
    for (size_t i = 0; name != NULL && i < h->except_handler.body.len; i++)
        found = found || flat_reads((StmtList){&h->except_handler.body.at[i], 1}, name);
    return found;
}

static const Attempt *open_attempt(Fun *f, const Stmt *s)
{
    const Ad *ad = &f->flat->ad;
    Attempt *t = ARENA_NEW(ad->arena, Attempt);
    *t = (Attempt){f->attempt, s->try.handlers,
                   ARENA_ARRAY(ad->arena, Flag *, s->try.handlers.len + 1)};
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        const Excepthandler *h = s->try.handlers.at[i];
        t->reached[i] = flat_flag(f, "raised");
        t->reached[i]->asked = true;
        flat_put(f, t->reached[i]->name, ad_bool(ad, h->at, false));
        if (names_exception(h))
            diag_help(flat_refuse(f, h->at, "the function reads the exception `%s`, which cannot "
                                  "be differentiated",
                                  h->except_handler.name),
                      "remove `as %s`, and use a handler for each exception class",
                      h->except_handler.name);
    }
    return t;
}

// `if raised: .. elif raised_2: .. else: ..` with the bodies as they are written.
static StmtList handlers_of(Fun *f, const Stmt *s, const Attempt *t)
{
    const Ad *ad = &f->flat->ad;
    StmtList rest = s->try.orelse;
    for (size_t i = t->handlers.len; i-- > 0;) {
        const Excepthandler *h = t->handlers.at[i];
        const Stmt **if_ = ARENA_NEW(ad->arena, const Stmt *);
        *if_ = stmt_if(ad->arena, h->at, ad_name(ad, h->at, t->reached[i]->name, ad->bool_),
                       h->except_handler.body, rest);
        rest = (StmtList){if_, 1};
    }
    return rest;
}

StmtList flat_try(Fun *f, const Stmt *s)
{
    if (s->try.finalbody.len > 0)
        diag_help(flat_refuse(f, s->try.finalbody.at[0]->at,
                              "`finally` cannot be differentiated"),
                  "move its statements after the `try`");
    const Attempt *t = open_attempt(f, s);
    size_t raises = f->raises;
    f->attempt = t;
    StmtList body = flat_arm(f, s->try.body, f->loop);
    f->attempt = t->outer;
    for (size_t i = 0; i < body.len; i++)
        vec_push(f->flat->ad.arena, f->out, body.at[i]);
    flat_go_on(f, s->at, raises);
    return handlers_of(f, s, t);
}
