// normalise.c - projected code becomes statements that read as if written by hand
// (docs/projection.md, "Normalising").
//
// The projector has put effects in their place and left out what has none; here empty blocks get
// their `pass`, choices that decide nothing go, a jump to where control goes anyway goes,
// temporaries are named, and types are written where a variable is first bound.

#include <string.h>

#include "compiler/ir/free_names.h"
#include "compiler/ir/ty.h"
#include "projection/projection_internal.h"

typedef Vec(const Stmt *) Stmts;

StmtList block_or_pass(Half *h, StmtList block, Span at)
{
    if (block.len > 0)
        return block;
    const Stmt **pass = ARENA_NEW(h->arena, const Stmt *);
    *pass = stmt_pass(h->arena, at);
    return (StmtList){pass, 1};
}

// ---- code to statements ----

// The jump that would happen at this end anyway. Where nothing follows, nobody has to be stopped; a
// caller would go on, and leave those waiting who were not told and follow another arm.
static bool is_implied(const Half *h, const Stmt *s, BlockEnd end)
{
    return (end == BLOCK_RETURNS && s->kind == STMT_RETURN && s->return_.value == NULL) ||
           (end == BLOCK_RETURNS && s->kind == STMT_STOPPED && !h->goes_on) ||
           (end == BLOCK_CONTINUES && h->loop != NULL && s == h->loop->again);
}

static void finish_loop(Half *h, const Code *c, BlockEnd end, Stmts *out)
{
    Arena *a = h->arena;
    const Loop *around = h->loop;
    const Stmt *s = c->stmt;
    h->loop = c->loop;
    StmtList body = code_finish(h, c->branches[0].body, BLOCK_CONTINUES), orelse = {0};
    h->loop = around;
    body = block_or_pass(h, body, s->at);
    if (c->branch_count > 1)
        orelse = code_finish(h, c->branches[1].body, end);
    vec_push(a, out, s->kind == STMT_WHILE
                         ? stmt_while(a, s->at, s->while_.test, body, orelse)
                         : stmt_for(a, s->at, s->for_.target, s->for_.iter, body, orelse));
}

static void finish_offer(Half *h, const Code *c, BlockEnd end, Stmts *out)
{
    Arena *a = h->arena;
    const OfferArm **arms = ARENA_ARRAY(a, const OfferArm *, c->branch_count);
    for (size_t i = 0; i < c->branch_count; i++) {
        const Branch *b = &c->branches[i];
        StmtList body = block_or_pass(h, code_finish(h, b->body, end), b->at);
        arms[i] = offer_arm_new(a, b->at, b->label, body);
    }
    vec_push(a, out, stmt_offer(a, c->stmt->at, c->stmt->offer.channel, c->stmt->offer.enum_,
                                (OfferArmList){arms, c->branch_count}));
}

// Pure statements of projected conditions leave nothing.
static void finish_if(Half *h, const Code *c, StmtList body, StmtList orelse, Stmts *out)
{
    const Expr *test = c->stmt->if_.test;
    Arena *a = h->arena;
    if (body.len == 0 && orelse.len == 0) {
        if (!expr_is_pure(test))
            vec_push(a, out, stmt_expr(a, c->stmt->at, test));
        return;
    }
    body = block_or_pass(h, body, c->stmt->at);
    vec_push(a, out, stmt_if(a, c->stmt->at, test, body, orelse));
}

// An `if` whose `else` is an `if` and nothing more: the chain is finished from its end.
static const Code *next_link(const Code *c)
{
    const Code *orelse = c->branches[1].body;
    bool link = orelse != NULL && orelse->next == NULL && orelse->stmt != NULL &&
                orelse->stmt->kind == STMT_IF && orelse->branch_count == 2;
    return link ? orelse : NULL;
}

static void finish_chain(Half *h, const Code *c, BlockEnd end, Stmts *out)
{
    Vec(const Code *) links = {0};
    for (const Code *l = c; l != NULL; l = next_link(l))
        vec_push(h->arena, &links, l);
    StmtList orelse = code_finish(h, links.at[links.len - 1]->branches[1].body, end);
    for (size_t i = links.len; i-- > 0;) {
        Stmts one = {0};
        StmtList body = code_finish(h, links.at[i]->branches[0].body, end);
        finish_if(h, links.at[i], body, orelse, i == 0 ? out : &one);
        orelse = (StmtList){one.at, one.len};
    }
}

// The source has no such jump: it comes of a loop whose `else` has a loop or a jump.
static void report_far_jump(Half *h, const Stmt *s)
{
    Diag *d = diag_report_role(h->cx->diags, s->at, DIAG_UNSUPPORTED, h->role,
                               "these loops are not supported yet: in %s's program, one jump would "
                               "have to leave two loops", h->role);
    diag_within(d, h->function->at);
    diag_primary(d, s->kind == STMT_BREAK ? "%s's program goes on after both loops from here"
                                          : "%s's program goes on with the outer loop from here",
                 h->role);
    diag_help(d, "move the code of the loop's `else` after the loop: assign a variable before "
                 "`break`, and test it there");
    h->reported = true;
}

// A jump goes to the innermost loop: the projector has seen to that where it can.
static void finish_plain(Half *h, const Stmt *s, Stmts *out)
{
    bool known = h->loop != NULL && (s == h->loop->again || s == h->loop->leave);
    bool nowhere = h->loop == NULL && diags_error_count(h->cx->diags) > 0;      // it was refused
    if (stmt_is_loop_jump(s) && !known && !nowhere && !h->quiet && !h->reported)
        report_far_jump(h, s);
    vec_push(h->arena, out, s);
}

static StmtList finish_branch(Half *h, const Branch *b, BlockEnd end, Span at)
{
    return block_or_pass(h, code_finish(h, b->body, end), at);
}

// The case that stands for no case is left out if it does nothing.
static void finish_match(Half *h, const Code *c, BlockEnd end, Stmts *out)
{
    MatchCaseList heads = c->stmt->match.cases;
    Vec(const MatchCase *) cases = {0};
    for (size_t i = 0; i < heads.len; i++) {
        StmtList body = code_finish(h, c->branches[i].body, end);
        bool added = i + 1 == heads.len && heads.at[i]->pattern->at.start == c->stmt->at.start;
        if (added && body.len == 0)
            continue;
        body = block_or_pass(h, body, c->stmt->at);
        vec_push(h->arena, &cases,
                 match_case_new(h->arena, heads.at[i]->pattern, heads.at[i]->guard, body));
    }
    vec_push(h->arena, out, stmt_match(h->arena, c->stmt->at, c->stmt->match.subject,
                                       (MatchCaseList){cases.at, cases.len}));
}

// What the body and `finally` end with is followed by something else.
static void finish_try(Half *h, const Code *c, BlockEnd end, Stmts *out)
{
    Arena *a = h->arena;
    size_t n = c->branch_count;
    const Stmt *s = c->stmt;
    ExcepthandlerList heads = s->try.handlers;
    const Excepthandler **handlers = ARENA_ARRAY(a, const Excepthandler *, heads.len);
    StmtList orelse = code_finish(h, c->branches[n - 2].body, end);
    BlockEnd first = orelse.len > 0 ? BLOCK_FALLS : end;
    StmtList body = finish_branch(h, &c->branches[0], first, s->at);
    for (size_t i = 0; i < heads.len; i++)
        handlers[i] = excepthandler_except_handler(
            a, heads.at[i]->at, heads.at[i]->except_handler.type,
            heads.at[i]->except_handler.name, finish_branch(h, &c->branches[i + 1], end, s->at));
    StmtList last = code_finish(h, c->branches[n - 1].body, BLOCK_FALLS);
    vec_push(a, out, stmt_try(a, s->at, body, (ExcepthandlerList){handlers, heads.len}, orelse,
                              last));
}

// Managers of one `with` are printed as such.
static void finish_with(Half *h, const Code *c, BlockEnd end, Stmts *out)
{
    Arena *a = h->arena;
    const Stmt *s = c->stmt;
    StmtList body = finish_branch(h, &c->branches[0], end, s->at);
    Vec(const Withitem *) items = {0};
    vec_push(a, &items, s->with.items.at[0]);
    const Stmt *inner = body.len == 1 ? body.at[0] : NULL;
    if (inner != NULL && inner->kind == STMT_WITH && inner->at.start == s->at.start) {
        for (size_t i = 0; i < inner->with.items.len; i++)
            vec_push(a, &items, inner->with.items.at[i]);
        body = inner->with.body;
    }
    vec_push(a, out, stmt_with(a, s->at, (WithitemList){items.at, items.len}, body));
}

StmtList code_finish(Half *h, const Code *c, BlockEnd end)
{
    Stmts out = {0};
    for (; c != NULL && c->stmt != NULL; c = c->next) {
        const Code *next = c->next;
        if (next == NULL && is_implied(h, c->stmt, end))
            break;
        bool last = next == NULL || next->poison ||
                    (next->next == NULL && is_implied(h, next->stmt, end));
        BlockEnd inner = last ? end : BLOCK_FALLS;
        if (c->branch_count == 0)
            finish_plain(h, c->stmt, &out);
        else if (c->loop != NULL)
            finish_loop(h, c, inner, &out);
        else if (c->stmt->kind == STMT_OFFER)
            finish_offer(h, c, inner, &out);
        else if (c->stmt->kind == STMT_MATCH)
            finish_match(h, c, inner, &out);
        else if (c->stmt->kind == STMT_TRY)
            finish_try(h, c, inner, &out);
        else if (c->stmt->kind == STMT_WITH)
            finish_with(h, c, inner, &out);
        else
            finish_chain(h, c, inner, &out);
    }
    return (StmtList){out.at, out.len};
}

// ---- names of temporaries ----

// A temporary of one type; the same one may serve in several statements.
typedef struct Temp { Sym to; const Ty *ty; struct Temp *next; } Temp;

typedef struct TempNames {
    Half  *h;
    Table *temps;               // name of the temporary -> Temp *: of each type
    Table *counters;            // base -> Counter *
    Table *taken;
} TempNames;

typedef struct Counter { int count; } Counter;     // names tried so far

static bool is_taken(const TempNames *t, Sym name)
{
    return table_get(t->h->cx->identifiers, name) != NULL || table_get(t->taken, name) != NULL;
}

// `base`, `base_2`, `base_3` ...: the first that nothing else is called.
static Sym new_name(TempNames *t, const char *text)
{
    Names *names = t->h->cx->names;
    Sym base = names_get(names, text), name;
    Counter *c = table_get(t->counters, base);
    if (c == NULL) {
        c = ARENA_NEW(t->h->arena, Counter);
        table_set(t->counters, base, c);
    }
    do
        name = ++c->count == 1 ? base : names_format(names, "%s_%d", base, c->count);
    while (is_taken(t, name));
    table_set(t->taken, name, t);
    return name;
}

// A generic class of the builtins whose arguments are not known.
static bool is_bare(const Ty *t)
{
    static const char *const GENERIC[] = {"list", "dict", "set", "frozenset", "tuple", "type"};
    for (size_t i = 0; i < sizeof GENERIC / sizeof *GENERIC; i++)
        if (t->named.args.len == 0 && strcmp(t->named.name, GENERIC[i]) == 0)
            return true;
    return false;
}

// Bindings of one type share the name: what follows several of them reads whichever was run. Two
// functions are one type here, and may be two to a type checker: each has a name of its own, and
// nothing follows several of them (code_cell_equal).
static Sym temp_name(TempNames *t, Sym from, const Ty *ty, bool binds)
{
    Temp *first = table_get(t->temps, from), *temp;
    bool own = binds && (ty == NULL || ty->kind == TY_ANY || ty->kind == TY_CALLABLE);
    for (temp = first; temp != NULL && !own; temp = temp->next)
        if (ir_equal_ty(temp->ty, ty))
            return temp->to;
    temp = ARENA_NEW(t->h->arena, Temp);
    *temp = (Temp){new_name(t, strchr(from, ':') + 1), ty, first};
    table_set(t->temps, from, temp);
    const Expr *declared = table_get(t->h->annotations, from);
    if (declared != NULL)
        table_set(t->h->annotations, temp->to, (void *)declared);
    return temp->to;
}

static const Expr *name_temp(IrMapper *m, const Expr *e)
{
    if (e->kind != EXPR_NAME || e->name.id[0] != '?')
        return e;
    Sym name = temp_name(m->cx, e->name.id, e->ty, e->name.ctx == EXPR_CONTEXT_STORE);
    return expr_with_ty(m->arena, expr_name(m->arena, e->at, name, e->name.ctx), e->ty, e->roles);
}

// ---- types where variables are first bound ----

typedef struct Binder { Half *h; Table *bound; } Binder;

static bool bind_name(void *cx, const Expr *e)
{
    Binder *b = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE)
        table_set(b->bound, e->name.id, b);
    return true;
}

static bool bind_arg(void *cx, const Arg *arg)
{
    Binder *b = cx;
    table_set(b->bound, arg->arg, b);
    return false;
}

static bool bind_pattern(void *cx, const Pattern *p)
{
    Binder *b = cx;
    if (pattern_name(p) != NULL)
        table_set(b->bound, pattern_name(p), b);
    return true;
}

static void bind_names_of(Binder *b, const Expr *e)
{
    IrWalker w = {.cx = b, .expr = bind_name};
    if (e != NULL)
        ir_walk_expr(&w, e);
}

static const Expr *type_expr(Half *h, const Ty *t, Span at);

static const Expr *any_type(Half *h, Span at)
{
    return expr_name(h->arena, at, project_any_name(h->cx), EXPR_CONTEXT_LOAD);
}

static const Expr *subscript(Half *h, Span at, const Expr *base, const Expr **items, size_t n)
{
    const Expr *index = n == 1 ? items[0]
                               : expr_tuple(h->arena, at, (ExprList){items, n}, EXPR_CONTEXT_LOAD);
    return expr_subscript(h->arena, at, base, index, EXPR_CONTEXT_LOAD);
}

static const Expr *dotted_name(Half *h, Span at, Sym name)
{
    Names *names = h->cx->names;
    size_t n = strcspn(name, ".");
    const Expr *e = expr_name(h->arena, at, names_intern(names, name, n), EXPR_CONTEXT_LOAD);
    while (name[n] == '.') {
        name += n + 1;
        n = strcspn(name, ".");
        e = expr_attribute(h->arena, at, e, names_intern(names, name, n), EXPR_CONTEXT_LOAD);
    }
    return e;
}

// `Base[a, b]`, with `Any` for a part that has no name.
static const Expr *applied(Half *h, Span at, const Expr *base, TyList args)
{
    const Expr **items = ARENA_ARRAY(h->arena, const Expr *, args.len);
    for (size_t i = 0; i < args.len; i++)
        if ((items[i] = type_expr(h, args.at[i], at)) == NULL)
            items[i] = any_type(h, at);
    return args.len == 0 ? base : subscript(h, at, base, items, args.len);
}

// `list[Any]`: a generic class without its arguments is an error of `mypy --strict`.
static const Expr *bare_expr(Half *h, const Ty *t, Span at)
{
    Arena *a = h->arena;
    const Expr *base = dotted_name(h, at, t->named.name);
    const Expr **items = ARENA_ARRAY(a, const Expr *, 2);
    items[0] = items[1] = any_type(h, at);
    if (strcmp(t->named.name, "tuple") == 0)
        items[1] = expr_constant(a, at, const_ellipsis(a), NULL);
    bool pair = strcmp(t->named.name, "tuple") == 0 || strcmp(t->named.name, "dict") == 0;
    return subscript(h, at, base, items, pair ? 2 : 1);
}

// `list[int]`, `tuple[int, ...]`.
static const Expr *named_expr(Half *h, const Ty *t, Span at)
{
    if (is_bare(t))
        return bare_expr(h, t, at);
    const Expr *base = dotted_name(h, at, t->named.name);
    if (!ty_is_open_tuple(t->named.name, t->named.args))
        return applied(h, at, base, t->named.args);
    const Expr **items = ARENA_ARRAY(h->arena, const Expr *, 2);
    items[0] = type_expr(h, t->named.args.at[0], at);
    items[0] = items[0] == NULL ? any_type(h, at) : items[0];
    items[1] = expr_constant(h->arena, at, const_ellipsis(h->arena), NULL);
    return subscript(h, at, base, items, 2);
}

static const Expr *union_expr(Half *h, TyList items, Span at)
{
    const Expr *all = NULL;
    for (size_t i = 0, run; i < items.len; i += run == 0 ? 1 : run) {
        run = ty_literal_run(items, i);
        const Expr *one = run > 0
            ? ty_literal_expr(h->arena, h->cx->names, at, (TyList){items.at + i, run})
            : type_expr(h, items.at[i], at);
        if (one == NULL)
            return NULL;
        all = all == NULL ? one : expr_bin_op(h->arena, at, all, OPERATOR_BIT_OR, one);
    }
    return all;
}

// The type as an annotation; NULL when it says nothing (or needs a name that may not be there).
static const Expr *type_expr(Half *h, const Ty *t, Span at)
{
    if (t == NULL)
        return NULL;
    switch (t->kind) {
    case TY_NONE_TYPE: return expr_constant(h->arena, at, const_none(h->arena), NULL);
    case TY_TYPE_VAR:  return dotted_name(h, at, t->type_var.name);
    case TY_NAMED:     return named_expr(h, t, at);
    case TY_UNION:     return union_expr(h, t->union_.items, at);
    case TY_TUPLE:
        if (t->tuple.items.len == 0)
            return NULL;
        return applied(h, at, dotted_name(h, at, names_get(h->cx->names, "tuple")),
                       t->tuple.items);
    case TY_LITERAL:   return union_expr(h, (TyList){&t, 1}, at);
    case TY_POISON: case TY_ANY: case TY_INST: case TY_CALLABLE: case TY_PLACED: case TY_COUNT:
        return NULL;
    }
    return NULL;
}

// What the first binding of a variable says about its type: the declaration, or the type received.
static const Expr *first_type(Binder *b, const Stmt *s)
{
    const Expr *target = s->assign.targets.at[0], *value = s->assign.value;
    if (s->assign.targets.len != 1 || target->kind != EXPR_NAME ||
        table_get(b->bound, target->name.id) != NULL)
        return NULL;
    const Expr *declared = table_get(b->h->annotations, target->name.id);
    bool shared = value->kind == EXPR_SEND && value->send.shared;
    bool open = value->kind == EXPR_CALL &&
                table_get(b->h->cx->open_calls, type_vars_callee(value->call.func)) != NULL;
    if (declared != NULL || (value->kind != EXPR_RECV && !shared && !open))
        return declared;
    const Expr *type = type_expr(b->h, target->ty, s->at);
    return type != NULL ? type : type_expr(b->h, value->ty, s->at);
}

static const Stmt *annotate_assign(Binder *b, const Stmt *s)
{
    const Expr *type = first_type(b, s);
    bind_names_of(b, s->assign.value);
    for (size_t i = 0; i < s->assign.targets.len; i++)
        bind_names_of(b, s->assign.targets.at[i]);
    if (type == NULL)
        return s;
    return stmt_ann_assign(b->h->arena, s->at, s->assign.targets.at[0], type, s->assign.value, 1);
}

static StmtList annotate_block(Binder *b, StmtList block);

// `elif` chains are as long as they like: down in a loop, then up again.
static const Stmt *annotate_if(Binder *b, const Stmt *s)
{
    Arena *a = b->h->arena;
    Stmts links = {0};
    Vec(StmtList) bodies = {0};
    StmtList orelse;
    for (;; s = orelse.at[0]) {
        bind_names_of(b, s->if_.test);
        vec_push(a, &links, s);
        vec_push(a, &bodies, annotate_block(b, s->if_.body));
        orelse = s->if_.orelse;
        if (orelse.len != 1 || orelse.at[0]->kind != STMT_IF)
            break;
    }
    orelse = annotate_block(b, orelse);
    for (size_t i = links.len; i-- > 0;) {
        const Stmt **one = ARENA_NEW(a, const Stmt *);
        *one = stmt_if(a, links.at[i]->at, links.at[i]->if_.test, bodies.at[i], orelse);
        orelse = (StmtList){one, 1};
    }
    return orelse.at[0];
}

static const Stmt *annotate_offer(Binder *b, const Stmt *s)
{
    Arena *a = b->h->arena;
    OfferArmList old = s->offer.arms;
    const OfferArm **arms = ARENA_ARRAY(a, const OfferArm *, old.len);
    for (size_t i = 0; i < old.len; i++)
        arms[i] = offer_arm_new(a, old.at[i]->at, old.at[i]->label,
                                annotate_block(b, old.at[i]->body));
    return stmt_offer(a, s->at, s->offer.channel, s->offer.enum_, (OfferArmList){arms, old.len});
}

static const Stmt *annotate_loop(Binder *b, const Stmt *s)
{
    Arena *a = b->h->arena;
    if (s->kind == STMT_WHILE) {
        bind_names_of(b, s->while_.test);
        StmtList body = annotate_block(b, s->while_.body);
        return stmt_while(a, s->at, s->while_.test, body, annotate_block(b, s->while_.orelse));
    }
    bind_names_of(b, s->for_.iter);
    bind_names_of(b, s->for_.target);
    StmtList body = annotate_block(b, s->for_.body);
    return stmt_for(a, s->at, s->for_.target, s->for_.iter, body,
                    annotate_block(b, s->for_.orelse));
}

static const Stmt *annotate_match(Binder *b, const Stmt *s)
{
    Arena *a = b->h->arena;
    MatchCaseList old = s->match.cases;
    const MatchCase **cases = ARENA_ARRAY(a, const MatchCase *, old.len);
    bind_names_of(b, s->match.subject);
    for (size_t i = 0; i < old.len; i++) {
        IrWalker w = {.cx = b, .pattern = bind_pattern};
        ir_walk_pattern(&w, old.at[i]->pattern);
        bind_names_of(b, old.at[i]->guard);
        cases[i] = match_case_new(a, old.at[i]->pattern, old.at[i]->guard,
                                  annotate_block(b, old.at[i]->body));
    }
    return stmt_match(a, s->at, s->match.subject, (MatchCaseList){cases, old.len});
}

static const Stmt *annotate_try(Binder *b, const Stmt *s)
{
    Arena *a = b->h->arena;
    ExcepthandlerList old = s->try.handlers;
    const Excepthandler **handlers = ARENA_ARRAY(a, const Excepthandler *, old.len);
    StmtList body = annotate_block(b, s->try.body);
    for (size_t i = 0; i < old.len; i++) {
        if (old.at[i]->except_handler.name != NULL)
            table_set(b->bound, old.at[i]->except_handler.name, b);
        handlers[i] = excepthandler_except_handler(
            a, old.at[i]->at, old.at[i]->except_handler.type, old.at[i]->except_handler.name,
            annotate_block(b, old.at[i]->except_handler.body));
    }
    StmtList orelse = annotate_block(b, s->try.orelse);
    return stmt_try(a, s->at, body, (ExcepthandlerList){handlers, old.len}, orelse,
                    annotate_block(b, s->try.finalbody));
}

static const Stmt *annotate_with(Binder *b, const Stmt *s)
{
    for (size_t i = 0; i < s->with.items.len; i++) {
        bind_names_of(b, s->with.items.at[i]->context_expr);
        bind_names_of(b, s->with.items.at[i]->optional_vars);
    }
    return stmt_with(b->h->arena, s->at, s->with.items, annotate_block(b, s->with.body));
}

// Any other statement only binds.
static void bind_statement(Binder *b, const Stmt *s)
{
    IrWalker w = {.cx = b, .expr = bind_name};
    if (s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF)
        ir_walk_stmt(&w, s);
}

static const Stmt *annotate_stmt(Binder *b, const Stmt *s)
{
    switch (s->kind) {
    case STMT_ASSIGN: return annotate_assign(b, s);
    case STMT_IF:     return annotate_if(b, s);
    case STMT_OFFER:  return annotate_offer(b, s);
    case STMT_WHILE: case STMT_FOR: return annotate_loop(b, s);
    case STMT_MATCH:  return annotate_match(b, s);
    case STMT_TRY:    return annotate_try(b, s);
    case STMT_WITH:   return annotate_with(b, s);
    case STMT_FUNCTION_DEF:
    case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_RETURN: case STMT_DELETE:
    case STMT_TYPE_ALIAS: case STMT_AUG_ASSIGN: case STMT_ANN_ASSIGN: case STMT_ASYNC_FOR:
    case STMT_ASYNC_WITH: case STMT_RAISE: case STMT_TRY_STAR: case STMT_ASSERT: case STMT_IMPORT:
    case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_EXPR: case STMT_PASS:
    case STMT_BREAK: case STMT_CONTINUE: case STMT_CHOREO: case STMT_STOPPED:
    case STMT_TAPE: case STMT_KEEP: case STMT_BACK: case STMT_COUNT:
        bind_statement(b, s);
        return s;
    }
    return s;
}

static StmtList annotate_block(Binder *b, StmtList block)
{
    const Stmt **out = ARENA_ARRAY(b->h->arena, const Stmt *, block.len);
    for (size_t i = 0; i < block.len; i++)
        out[i] = annotate_stmt(b, block.at[i]);
    return (StmtList){out, block.len};
}

StmtList normalise_names(Half *h, StmtList body, const Arguments *args)
{
    Binder b = {h, table_new(h->arena)};
    IrWalker w = {.cx = &b, .arg = bind_arg};
    if (h->any_temps) {
        TempNames names = {h, table_new(h->arena), table_new(h->arena), table_new(h->arena)};
        IrMapper m = {.arena = h->arena, .cx = &names, .expr = name_temp};
        body = ir_map_stmts(&m, body);
    }
    ir_walk_arguments(&w, args);
    return annotate_block(&b, body);
}
