// cost.c - counts messages. A statement has one tally for each way of leaving it; those of a
// sequence are added, those of arms are joined. Calls make it a fixed point over all functions:
// what still grows after as many rounds as there are functions grows for ever.

#include "compiler/emit/cost.h"

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/ir/control.h"

// The messages of all paths to one place: at least and at most; `pairs` by the function's numbers
// of ordered pairs of roles, what is missing is 0.
typedef struct Tally {
    bool  reached;
    Range total;
    Vec(Range) pairs;
} Tally;

typedef enum Way { FALLS, RETURNS, BREAKS, CONTINUES, WAYS } Way;

typedef struct Flow { Tally at[WAYS]; } Flow;

typedef struct Function {
    const Stmt *def;
    Sym     name;
    SymList formals;
    struct Function *outer;     // of a nested one: the function at module level, or the method
    Table  *nested;             // of an outer one: name -> Function *
    bool    beyond;             // its body is elsewhere: there is only an interface
    Tally   cost;
    Vec(CostPair) pairs;        // the ordered pairs of roles, by their number
} Function;

typedef Vec(CostRow) Rows;

typedef struct Counter {
    Arena *arena;
    Names *names;
    const Source *source;
    Table *functions;           // definition -> Function *
    Table *named;               // name -> Choreo
    Vec(const Stmt *) classes;  // the Choreos of classes
    Vec(Function *) order;
    Function *now;
    bool   changed, widen, inexact, beyond;
    bool   rows_on;
    Rows   rows;
    int    depth;
} Counter;

static void count_block(Counter *c, StmtList block, Flow *flow);

// ---- ranges and tallies ----

static size_t plus(size_t x, size_t y)
{
    return x == COST_UNBOUNDED || y == COST_UNBOUNDED || x + y < x ? COST_UNBOUNDED : x + y;
}

static size_t times(size_t x, size_t y)
{
    if (x == 0 || y == 0)
        return 0;
    return x == COST_UNBOUNDED || y == COST_UNBOUNDED || x > COST_UNBOUNDED / y ? COST_UNBOUNDED
                                                                                : x * y;
}

static Range range_add(Range x, Range y)
{
    return (Range){plus(x.min, y.min), plus(x.max, y.max)};
}

static Range range_join(Range x, Range y)
{
    return (Range){x.min < y.min ? x.min : y.min, x.max > y.max ? x.max : y.max};
}

static Range range_times(Range x, Range rounds)
{
    return (Range){times(x.min, rounds.min), times(x.max, rounds.max)};
}

static Range pair_of(const Tally *t, size_t i)
{
    return i < t->pairs.len ? t->pairs.at[i] : (Range){0, 0};
}

static void set_pair(Counter *c, Tally *t, size_t i, Range r)
{
    while (t->pairs.len <= i)
        vec_push(c->arena, &t->pairs, ((Range){0, 0}));
    t->pairs.at[i] = r;
}

static Tally tally_copy(Counter *c, const Tally *t)
{
    Tally out = {.reached = t->reached, .total = t->total};
    for (size_t i = 0; i < t->pairs.len; i++)
        vec_push(c->arena, &out.pairs, t->pairs.at[i]);
    return out;
}

// First the one, then the other.
static void tally_add(Counter *c, Tally *into, const Tally *more)
{
    into->reached = into->reached && more->reached;
    if (!into->reached)
        return;
    into->total = range_add(into->total, more->total);
    for (size_t i = 0; i < more->pairs.len; i++)
        if (more->pairs.at[i].max > 0)
            set_pair(c, into, i, range_add(pair_of(into, i), more->pairs.at[i]));
}

// Either of them.
static void tally_join(Counter *c, Tally *into, const Tally *other)
{
    if (!other->reached)
        return;
    if (!into->reached) {
        *into = tally_copy(c, other);
        return;
    }
    into->total = range_join(into->total, other->total);
    size_t n = into->pairs.len > other->pairs.len ? into->pairs.len : other->pairs.len;
    for (size_t i = 0; i < n; i++)
        set_pair(c, into, i, range_join(pair_of(into, i), pair_of(other, i)));
}

static Tally tally_times(Counter *c, const Tally *t, Range rounds)
{
    Tally out = {.reached = true};
    if (!t->reached)
        return out;
    out.total = range_times(t->total, rounds);
    for (size_t i = 0; i < t->pairs.len; i++)
        vec_push(c->arena, &out.pairs, range_times(t->pairs.at[i], rounds));
    return out;
}

static Tally nothing(void) { return (Tally){.reached = true}; }

static size_t pair_number(Counter *c, Function *f, Sym from, Sym to)
{
    for (size_t i = 0; i < f->pairs.len; i++)
        if (f->pairs.at[i].from == from && f->pairs.at[i].to == to)
            return i;
    vec_push(c->arena, &f->pairs, ((CostPair){from, to, {0, 0}}));
    return f->pairs.len - 1;
}

static void message(Counter *c, Tally *t, Sym from, Sym to, Range r)
{
    size_t i = pair_number(c, c->now, from, to);
    t->total = range_add(t->total, r);
    set_pair(c, t, i, range_add(pair_of(t, i), r));
}

// ---- rows ----

// Opens a row; what is in it follows, one level deeper.
static size_t row_open(Counter *c, Span at, const char *text)
{
    if (c->rows_on)
        vec_push(c->arena, &c->rows, ((CostRow){.depth = c->depth, .at = at, .text = text}));
    c->depth++;
    return c->rows.len;
}

// A row without messages says nothing, and goes with what is in it.
static void row_close(Counter *c, size_t row, const Tally *t, bool keep)
{
    c->depth--;
    if (!c->rows_on)
        return;
    bool silent = !keep && c->rows.len == row && t->total.max == 0;
    if (silent) {
        c->rows.len = row - 1;
        return;
    }
    c->rows.at[row - 1].range = t->total;
    c->rows.at[row - 1].reached = t->reached;
}

static void row(Counter *c, Span at, const char *text, const Tally *t)
{
    row_close(c, row_open(c, at, text), t, false);
}

static const char *roles_text(Counter *c, SymList roles)
{
    Buf b = buf_new(c->arena);
    for (size_t i = 0; i < roles.len; i++)
        buf_printf(&b, "%s%s", i == 0 ? "" : i + 1 == roles.len ? " and " : ", ", roles.at[i]);
    return buf_text(&b);
}

// A name with a dot in place of the qualifier.
static const char *shown(Counter *c, const char *name)
{
    return qualified_show(arena_strndup(c->arena, name, strlen(name)));
}

// As it is written, cut where it is long.
static const char *expr_text(Counter *c, const Expr *e)
{
    enum { MAX = 40 };
    Text text = c->source->text;
    const char *start = text.at + e->at.start;
    size_t len = e->at.end - e->at.start, end = len;
    const char *newline = memchr(start, '\n', len);
    if (newline != NULL)
        end = (size_t)(newline - start);
    if (end > MAX)
        for (end = MAX; end > 0 && ((unsigned char)start[end] & 0xc0) == 0x80; end--) { }
    return names_format(c->names, "%.*s%s", (int)end, start, end < len ? "..." : "");
}

// ---- calls ----

static Function *function_at(const Counter *c, const Stmt *def)
{
    return def == NULL ? NULL : table_get(c->functions, def);
}

static const Stmt *method_of(const Counter *c, Sym class_, Sym name)
{
    const Stmt *choreo = table_get(c->named, class_);
    if (choreo == NULL || choreo->choreo.def->kind != STMT_CLASS_DEF)
        return NULL;
    StmtList body = choreo->choreo.def->class_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF && body.at[i]->function_def.name == name)
            return body.at[i];
    return NULL;
}

// What a class of several roles inherits from, or NULL.
static const Expr *base_of(const Counter *c, Sym class_)
{
    const Stmt *choreo = table_get(c->named, class_);
    if (choreo == NULL || choreo->choreo.def->kind != STMT_CLASS_DEF)
        return NULL;
    ExprList bases = choreo->choreo.def->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const Expr *target = bases.at[i]->kind == EXPR_INST ? bases.at[i]->inst.target : NULL;
        while (target != NULL && target->kind == EXPR_SUBSCRIPT)
            target = target->subscript.value;
        if (target != NULL && target->kind == EXPR_NAME &&
            table_get(c->named, target->name.id) != NULL)
            return bases.at[i];
    }
    return NULL;
}

static Sym name_of_base(const Expr *base)
{
    const Expr *target = base->inst.target;
    while (target->kind == EXPR_SUBSCRIPT)
        target = target->subscript.value;
    return target->name.id;
}

static Sym role_of(SymList formals, SymList actuals, Sym role)
{
    for (size_t i = 0; i < formals.len && i < actuals.len; i++)
        if (formals.at[i] == role)
            return actuals.at[i];
    return role;
}

// The class that an instance's base is, with the roles of the instance.
static Sym go_to_base(Counter *c, Sym class_, SymList *actuals)
{
    const Expr *base = base_of(c, class_);
    const Stmt *choreo = table_get(c->named, class_);
    if (base == NULL)
        return NULL;
    Sym *at = ARENA_ARRAY(c->arena, Sym, base->inst.actuals.len);
    for (size_t i = 0; i < base->inst.actuals.len; i++)
        at[i] = role_of(choreo->choreo.formals, *actuals, base->inst.actuals.at[i]);
    *actuals = (SymList){at, base->inst.actuals.len};
    return name_of_base(base);
}

// May another class stand for this one, whose method is another?
static bool is_overridden(Counter *c, Sym class_, Sym method)
{
    for (size_t i = 0; i < c->classes.len; i++) {
        Sym name = c->classes.at[i]->choreo.def->class_def.name, up = name;
        SymList roles = {0};
        if (name == class_ || method_of(c, name, method) == NULL)
            continue;
        while (up != NULL && up != class_)
            up = go_to_base(c, up, &roles);
        if (up == class_)
            return true;
    }
    return false;
}

// The method of an instance, own or inherited; NULL if it depends on the instance.
static Function *method_called(Counter *c, const Expr *object, Sym method, SymList *actuals)
{
    Sym class_ = object->ty->inst.name;
    bool super = object->kind == EXPR_NAME && sym_is(object->name.id, "super()");
    *actuals = object->ty->inst.actuals;
    if (!super && is_overridden(c, class_, method))
        return NULL;
    if (super)
        class_ = go_to_base(c, class_, actuals);
    while (class_ != NULL && method_of(c, class_, method) == NULL)
        class_ = go_to_base(c, class_, actuals);
    return class_ == NULL ? NULL : function_at(c, method_of(c, class_, method));
}

// The definition that an Inst calls, and the roles of its class or function.
static Function *callee_of(Counter *c, const Expr *inst, SymList *actuals)
{
    const Expr *target = inst->inst.target;
    *actuals = inst->inst.actuals;
    if (target->kind == EXPR_ATTRIBUTE) {
        const Ty *object = target->attribute.value->ty;
        if (object == NULL || object->kind != TY_INST)
            return NULL;
        return method_called(c, target->attribute.value, target->attribute.attr, actuals);
    }
    if (target->kind != EXPR_NAME)
        return NULL;
    const Function *around = c->now->outer != NULL ? c->now->outer : c->now;
    Function *nested = table_get(around->nested, target->name.id);
    if (nested != NULL) {
        *actuals = nested->formals;
        return nested;
    }
    const Stmt *choreo = table_get(c->named, target->name.id);
    if (choreo == NULL)
        return NULL;
    const Stmt *def = choreo->choreo.def;
    if (def->kind != STMT_CLASS_DEF)
        return function_at(c, def);
    Sym init = names_get(c->names, "__init__"), class_ = target->name.id;
    while (class_ != NULL && method_of(c, class_, init) == NULL)
        class_ = go_to_base(c, class_, actuals);
    return class_ == NULL ? NULL : function_at(c, method_of(c, class_, init));
}

static bool is_constructor(const Counter *c, const Expr *inst)
{
    const Expr *target = inst->inst.target;
    const Stmt *choreo = target->kind == EXPR_NAME ? table_get(c->named, target->name.id) : NULL;
    return choreo != NULL && choreo->choreo.def->kind == STMT_CLASS_DEF;
}

static void count_call(Counter *c, const Expr *call, Tally *t)
{
    SymList actuals;
    const Expr *inst = call->call.func;
    Function *f = callee_of(c, inst, &actuals);
    Tally own = {.reached = true};
    if (f == NULL && is_constructor(c, inst))
        return;
    // A function value, a method that is overridden, a body elsewhere: anything at its roles.
    if (f == NULL || (f->beyond && f->cost.total.max > 0)) {
        own.total = (Range){0, COST_UNBOUNDED};
        c->inexact = true;
        c->beyond |= f != NULL;
    } else {
        own.reached = f->cost.reached;
        own.total = f->cost.total;
        for (size_t i = 0; i < f->cost.pairs.len && own.reached; i++) {
            Sym from = role_of(f->formals, actuals, f->pairs.at[i].from);
            Sym to = role_of(f->formals, actuals, f->pairs.at[i].to);
            if (f->cost.pairs.at[i].max > 0)
                set_pair(c, &own, pair_number(c, c->now, from, to), f->cost.pairs.at[i]);
        }
    }
    row(c, call->at, f == NULL ? "call of a function value"
                              : names_format(c->names, "call of `%s`", shown(c, f->name)),
        &own);
    tally_add(c, t, &own);
}

// ---- expressions ----

typedef struct Found { Counter *c; Tally *t, sent; Span first; } Found;

static bool count_node(void *cx, const Expr *e)
{
    Found *f = cx;
    if (e->kind == EXPR_LAMBDA)
        return false;
    if (e->kind == EXPR_COM || e->kind == EXPR_SELECT) {
        Sym from = e->kind == EXPR_COM ? e->com.sender : e->select.sender;
        Sym to = e->kind == EXPR_COM ? e->com.receiver : e->select.receiver;
        if (f->sent.total.max == 0)
            f->first = e->at;
        message(f->c, &f->sent, from, to, (Range){1, 1});
    } else if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST) {
        count_call(f->c, e, f->t);
    }
    return true;
}

static const char *messages_text(Counter *c, const Tally *t)
{
    Buf b = buf_new(c->arena);
    for (size_t i = 0, n = 0; i < t->pairs.len; i++) {
        if (t->pairs.at[i].max == 0)
            continue;
        const CostPair *p = &c->now->pairs.at[i];
        buf_printf(&b, "%s%s to %s", n++ > 0 ? ", " : "", p->from, p->to);
    }
    return buf_text(&b);
}

static void count_expr(Counter *c, const Expr *e, Tally *t)
{
    Found f = {c, t, nothing(), {0, 0}};
    IrWalker w = {.cx = &f, .expr = count_node};
    if (e == NULL || !t->reached)
        return;
    ir_walk_expr(&w, e);
    if (f.sent.total.max == 0)
        return;
    if (c->rows_on)
        row(c, f.first, messages_text(c, &f.sent), &f.sent);
    tally_add(c, t, &f.sent);
}

static void count_exprs(Counter *c, ExprList list, Tally *t)
{
    for (size_t i = 0; i < list.len; i++)
        count_expr(c, list.at[i], t);
}

// ---- choices ----

// What leaves a part joins what leaves the whole; control comes to the part as in *here.
static void leave(Counter *c, Flow *flow, const Tally *here, const Flow *part)
{
    for (Way way = RETURNS; way < WAYS; way++) {
        if (!part->at[way].reached)
            continue;
        Tally t = tally_copy(c, here);
        tally_add(c, &t, &part->at[way]);
        tally_join(c, &flow->at[way], &t);
    }
}

// All ways of a part, for its row.
static Tally any_way(Counter *c, const Flow *part)
{
    Tally all = {0};
    for (Way way = FALLS; way < WAYS; way++)
        tally_join(c, &all, &part->at[way]);
    return all;
}

static Flow count_arm(Counter *c, StmtList block, Span at, const char *text)
{
    Flow part = {0};
    size_t r = row_open(c, at, text);
    part.at[FALLS] = nothing();
    count_block(c, block, &part);
    Tally all = any_way(c, &part);
    row_close(c, r, &all, true);
    return part;
}

// A choice that is being counted: its arms' ways joined.
typedef struct Choice { Flow arms; Tally here; size_t row; Span at; } Choice;

static Choice choice_open(Counter *c, Span at, const char *text)
{
    return (Choice){.here = nothing(), .row = row_open(c, at, text), .at = at};
}

static void choice_arm(Counter *c, Choice *k, StmtList block, Span at, const char *text)
{
    Flow part = count_arm(c, block, at, text);
    Tally falls = tally_copy(c, &k->here);
    tally_add(c, &falls, &part.at[FALLS]);
    tally_join(c, &k->arms.at[FALLS], &falls);
    leave(c, &k->arms, &k->here, &part);
}

static void choice_close(Counter *c, Choice *k, Flow *flow)
{
    Tally all = any_way(c, &k->arms);
    bool silent = all.total.max == 0;
    if (silent && c->rows_on)
        c->rows.len = k->row;                   // its arms are silent too
    row_close(c, k->row, &all, false);
    leave(c, flow, &flow->at[FALLS], &k->arms);
    tally_add(c, &flow->at[FALLS], &k->arms.at[FALLS]);
}

static Span span_of(StmtList block, Span otherwise)
{
    return block.len > 0 ? block.at[0]->at : otherwise;
}

// An `if` with its `elif`s, of which there may be many.
static void count_if(Counter *c, const Stmt *s, Flow *flow)
{
    StmtList orelse;
    Choice k = choice_open(c, s->if_.test->at,
                           names_format(c->names, "%s decide%s", roles_text(c, s->if_.test->roles),
                                        s->if_.test->roles.len == 1 ? "s" : ""));
    for (;;) {
        count_expr(c, s->if_.test, &k.here);
        choice_arm(c, &k, s->if_.body, s->if_.test->at,
                   names_format(c->names, "if `%s`", expr_text(c, s->if_.test)));
        orelse = s->if_.orelse;
        if (orelse.len != 1 || orelse.at[0]->kind != STMT_IF)
            break;
        s = orelse.at[0];
    }
    choice_arm(c, &k, orelse, span_of(orelse, s->at), "otherwise");
    choice_close(c, &k, flow);
}

static bool irrefutable(const MatchCase *m)
{
    const Pattern *p = m->pattern;
    return m->guard == NULL && p->kind == PATTERN_MATCH_AS && p->match_as.pattern == NULL;
}

static void count_match(Counter *c, const Stmt *s, Flow *flow)
{
    MatchCaseList cases = s->match.cases;
    count_expr(c, s->match.subject, &flow->at[FALLS]);
    Choice k = choice_open(c, s->match.subject->at,
                           names_format(c->names, "%s match%s",
                                        roles_text(c, s->match.subject->roles),
                                        s->match.subject->roles.len == 1 ? "es" : ""));
    for (size_t i = 0; i < cases.len; i++)
        choice_arm(c, &k, cases.at[i]->body, span_of(cases.at[i]->body, s->at),
                   names_format(c->names, "case %zu", i + 1));
    if (cases.len == 0 || !irrefutable(cases.at[cases.len - 1]))
        choice_arm(c, &k, (StmtList){0}, s->at, "no case");
    choice_close(c, &k, flow);
}

static void count_try(Counter *c, const Stmt *s, Flow *flow)
{
    ExcepthandlerList handlers = s->try.handlers;
    Choice k = choice_open(c, s->at, "try");
    Flow body = {0};
    body.at[FALLS] = nothing();
    count_block(c, s->try.body, &body);
    count_block(c, s->try.orelse, &body);
    k.arms = body;
    for (size_t i = 0; i < handlers.len; i++)
        choice_arm(c, &k, handlers.at[i]->except_handler.body, handlers.at[i]->at, "except");
    choice_close(c, &k, flow);
    count_block(c, s->try.finalbody, flow);
}

// ---- loops ----

// `range(N)` with N written: how often the loop runs; otherwise any number of times.
static Range rounds_of(const Expr *iter)
{
    Range any = {0, COST_UNBOUNDED};
    const Expr *f = iter->kind == EXPR_CALL ? iter->call.func : NULL;
    bool range = f != NULL && f->kind == EXPR_NAME && sym_is(f->name.id, "range") &&
                 iter->call.args.len == 1 && iter->call.args.at[0]->kind == EXPR_CONSTANT &&
                 iter->call.args.at[0]->constant.value->kind == CONST_INT;
    if (!range)
        return any;
    Text digits = iter->call.args.at[0]->constant.value->text;
    size_t n = 0;
    if (digits.len > 9)
        return any;
    for (size_t i = 0; i < digits.len; i++)
        n = 10 * n + (size_t)(digits.at[i] - '0');
    return (Range){n, n};
}

// `head` is evaluated in every round and once more (a `for` has none).
static void count_loop(Counter *c, const Stmt *s, const Expr *head, Range rounds, bool endless,
                       StmtList body, StmtList orelse, Flow *flow)
{
    Flow round = {0};
    Tally *here = &flow->at[FALLS], test = nothing();
    size_t r = row_open(c, s->at, "each round of the loop");
    count_expr(c, head, &test);
    round.at[FALLS] = tally_copy(c, &test);
    count_block(c, body, &round);
    Tally again = tally_copy(c, &round.at[FALLS]), out = {0}, all = any_way(c, &round);
    row_close(c, r, &all, false);
    tally_join(c, &again, &round.at[CONTINUES]);
    bool leaves = round.at[BREAKS].reached || round.at[RETURNS].reached;
    Range before = {0, rounds.max};
    Tally some = tally_times(c, &again, before);
    Tally full = tally_times(c, &again, leaves ? before : rounds);
    bool runs_out = !endless && (again.reached || rounds.min == 0);
    Tally start = tally_copy(c, here);
    tally_add(c, here, &some);
    Flow part = {.at = {[RETURNS] = round.at[RETURNS]}};
    leave(c, flow, here, &part);
    if (round.at[BREAKS].reached) {
        out = tally_copy(c, here);
        tally_add(c, &out, &round.at[BREAKS]);
    }
    *here = start;
    here->reached = here->reached && runs_out;
    tally_add(c, here, &full);
    tally_add(c, here, &test);
    count_block(c, orelse, flow);
    tally_join(c, here, &out);
}

// ---- statements ----

static void jump(Counter *c, Flow *flow, Way way)
{
    tally_join(c, &flow->at[way], &flow->at[FALLS]);
    flow->at[FALLS].reached = false;
}

static void count_stmt(Counter *c, const Stmt *s, Flow *flow)
{
    Tally *here = &flow->at[FALLS];
    switch (s->kind) {
    case STMT_EXPR: count_expr(c, s->expr.value, here); return;
    case STMT_ASSIGN:
        count_expr(c, s->assign.value, here);
        count_exprs(c, s->assign.targets, here);
        return;
    case STMT_ANN_ASSIGN:
        count_expr(c, s->ann_assign.value, here);
        count_expr(c, s->ann_assign.target, here);
        return;
    case STMT_AUG_ASSIGN:
        count_expr(c, s->aug_assign.target, here);
        count_expr(c, s->aug_assign.value, here);
        return;
    case STMT_DELETE: count_exprs(c, s->delete.targets, here); return;
    case STMT_ASSERT: count_expr(c, s->assert.test, here); return;
    case STMT_RETURN:
        count_expr(c, s->return_.value, here);
        jump(c, flow, RETURNS);
        return;
    case STMT_RAISE:
        count_expr(c, s->raise.exc, here);
        here->reached = false;
        return;
    case STMT_BREAK: jump(c, flow, BREAKS); return;
    case STMT_CONTINUE: jump(c, flow, CONTINUES); return;
    case STMT_IF: count_if(c, s, flow); return;
    case STMT_MATCH: count_match(c, s, flow); return;
    case STMT_TRY: count_try(c, s, flow); return;
    case STMT_WITH:
        for (size_t i = 0; i < s->with.items.len; i++)
            count_expr(c, s->with.items.at[i]->context_expr, here);
        count_block(c, s->with.body, flow);
        return;
    case STMT_WHILE:
        count_loop(c, s, s->while_.test, (Range){0, COST_UNBOUNDED}, control_always(s->while_.test),
                   s->while_.body, s->while_.orelse, flow);
        return;
    case STMT_FOR:
        count_expr(c, s->for_.iter, here);
        count_loop(c, s, NULL, rounds_of(s->for_.iter), false, s->for_.body, s->for_.orelse, flow);
        return;
    // Definitions, and forms that only one role's code has.
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF: case STMT_CHOREO:
    case STMT_TYPE_ALIAS: case STMT_ASYNC_FOR: case STMT_ASYNC_WITH: case STMT_TRY_STAR:
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_PASS:
    case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP:
    case STMT_BACK: case STMT_COUNT:
        return;
    }
}

static void count_block(Counter *c, StmtList block, Flow *flow)
{
    for (size_t i = 0; i < block.len && flow->at[FALLS].reached; i++)
        count_stmt(c, block.at[i], flow);
}

// ---- functions ----

static Tally count_function(Counter *c, Function *f)
{
    Flow flow = {0};
    c->now = f;
    if (f->beyond)
        return f->cost;
    flow.at[FALLS] = nothing();
    count_block(c, f->def->function_def.body, &flow);
    tally_join(c, &flow.at[RETURNS], &flow.at[FALLS]);
    return flow.at[RETURNS];
}

// Widened, a range only grows: where roles rotate in a recursion, what one pair of them sends is
// computed from another pair, and would otherwise pass the bounds round for ever.
static bool grew(Range old, Range now, bool widen, Range *out)
{
    if (widen) {
        now.min = now.min < old.min ? now.min : old.min;
        now.max = now.max > old.max ? COST_UNBOUNDED : old.max;
    }
    *out = now;
    return old.min != now.min || old.max != now.max;
}

static void update(Counter *c, Function *f, Tally now)
{
    c->changed |= now.reached != f->cost.reached;
    if (now.reached && f->cost.reached) {
        c->changed |= grew(f->cost.total, now.total, c->widen, &now.total);
        for (size_t i = 0; i < now.pairs.len; i++)
            c->changed |= grew(pair_of(&f->cost, i), now.pairs.at[i], c->widen, &now.pairs.at[i]);
    }
    f->cost = now;
}

static Function *add_function(Counter *c, const Stmt *def, Sym name, SymList formals,
                              Function *outer)
{
    Function *f = ARENA_NEW(c->arena, Function);
    *f = (Function){.def = def, .name = name, .formals = formals, .outer = outer,
                    .nested = outer == NULL ? table_new(c->arena) : NULL};
    table_set(c->functions, def, f);
    vec_push(c->arena, &c->order, f);
    return f;
}

typedef struct Nested { Counter *c; Function *outer; } Nested;

static bool note_nested(void *cx, const Stmt *s)
{
    Nested *n = cx;
    if (s->kind == STMT_CHOREO) {
        const Stmt *def = s->choreo.def;
        Sym name = def->function_def.name;
        table_set(n->outer->nested, name,
                  add_function(n->c, def, name, n->outer->formals, n->outer));
    }
    return true;
}

static void note_function(Counter *c, const Stmt *def, Sym name, SymList formals)
{
    Nested n = {c, add_function(c, def, name, formals, NULL)};
    IrWalker w = {.cx = &n, .stmt = note_nested};
    ir_walk_stmts(&w, def->function_def.body);
}

// What is declared in an interface: how much it sends is not known, only whether it does.
static void note_beyond(Counter *c, const Stmt *choreo, size_t first)
{
    const Source *s = c->source;
    if (s->part_count == 0 || !s->parts[source_part(s, choreo->at.start)].interface)
        return;
    for (size_t i = first; i < c->order.len; i++) {
        Function *f = c->order.at[i];
        f->beyond = true;
        f->cost = nothing();
        f->cost.total.max = choreo->choreo.communicates.len > 0 ? COST_UNBOUNDED : 0;
    }
}

static void note_choreo(Counter *c, const Stmt *s)
{
    const Stmt *def = s->choreo.def;
    if (def->kind == STMT_FUNCTION_DEF) {
        table_set(c->named, def->function_def.name, (void *)s);
        note_function(c, def, def->function_def.name, s->choreo.formals);
        return;
    }
    table_set(c->named, def->class_def.name, (void *)s);
    vec_push(c->arena, &c->classes, s);
    for (size_t i = 0; i < def->class_def.body.len; i++) {
        const Stmt *m = def->class_def.body.at[i];
        if (m->kind == STMT_FUNCTION_DEF)
            note_function(c, m, names_format(c->names, "%s.%s", def->class_def.name,
                                             m->function_def.name), s->choreo.formals);
    }
}

static FunctionCost finish(Counter *c, Function *f)
{
    c->rows = (Rows){0};
    c->rows_on = true;
    count_function(c, f);
    c->rows_on = false;
    Vec(CostPair) pairs = {0};
    for (size_t i = 0; i < f->cost.pairs.len; i++)
        if (f->cost.pairs.at[i].max > 0)
            vec_push(c->arena, &pairs, ((CostPair){f->pairs.at[i].from, f->pairs.at[i].to,
                                                   f->cost.pairs.at[i]}));
    return (FunctionCost){.name = shown(c, f->name), .at = f->def->at, .roles = f->formals,
                          .returns = f->cost.reached, .total = f->cost.total,
                          .pairs = pairs.at, .pair_count = pairs.len,
                          .rows = c->rows.at, .row_count = c->rows.len};
}

CostReport cost_collect(Arena *a, Names *names, const Source *source, const Unit *checked)
{
    Counter c = {.arena = a, .names = names, .source = source, .functions = table_new(a),
                 .named = table_new(a)};
    StmtList body = checked->module.body;
    for (size_t i = 0; i < body.len; i++) {
        size_t first = c.order.len;
        if (body.at[i]->kind != STMT_CHOREO)
            continue;
        note_choreo(&c, body.at[i]);
        note_beyond(&c, body.at[i], first);
    }
    c.changed = true;
    for (size_t round = 0; c.changed; round++) {
        c.changed = false;
        c.widen = round > c.order.len;
        for (size_t i = 0; i < c.order.len; i++)
            update(&c, c.order.at[i], count_function(&c, c.order.at[i]));
    }
    Vec(FunctionCost) out = {0};
    for (size_t i = 0; i < c.order.len; i++)
        if (!c.order.at[i]->beyond)
            vec_push(a, &out, finish(&c, c.order.at[i]));
    return (CostReport){out.at, out.len, !c.inexact, c.beyond};
}
