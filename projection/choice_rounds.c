// choice_rounds.c - the help for a loop whose rounds only one role counts, where branches of a
// round tell another role already (docs/projection.md, "Knowledge of choice"). A selection in front
// of them would come on top of theirs: what is missing is one in the branches without, or at the
// end of the loop.
//
// A loop on a flag that such a branch clears is one that the branch leaves: `while True`, and a
// `break` where the role was told. That is offered as edits where it surely means the same.

#include <string.h>

#include "projection/projection_internal.h"

// The first selection for the role in a branch of a round, and what ends another round before.
typedef struct Told { Half *h; SymList deciders; const Stmt *selects, *skips; } Told;

static bool find_told(void *cx, const Stmt *s)
{
    Told *t = cx;
    const Expr *e = choice_selection(s);
    if (e != NULL && e->select.receiver == t->h->role && role_in(t->deciders, e->select.sender)
        && t->selects == NULL)
        t->selects = s;
    if (s->kind == STMT_CONTINUE && t->selects == NULL && t->skips == NULL)
        t->skips = s;
    return s->kind != STMT_WHILE && s->kind != STMT_FOR &&
           s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}


static StmtList round_of(const Stmt *loop)
{
    return loop->kind == STMT_FOR ? loop->for_.body : loop->while_.body;
}

static StmtList else_of(const Stmt *loop)
{
    return loop->kind == STMT_FOR ? loop->for_.orelse : loop->while_.orelse;
}

// ---- do all branches tell it? ----

// The ends of a round: the blocks with which its last statement, an `if`, ends. `acts`: the role
// takes part in a round before that.
typedef struct Ends {
    Half *h;
    bool  all, acts;
    StmtList          round;
    Vec(StmtList)     at;
    Vec(const Expr *) labels;
} Ends;

static const Stmt *selection_in(Half *h, StmtList block)
{
    for (size_t i = 0; i < block.len; i++) {
        const Expr *e = choice_selection(block.at[i]);
        if (e != NULL && e->select.receiver == h->role)
            return block.at[i];
    }
    return NULL;
}

static void find_ends(Ends *x, StmtList block)
{
    const Stmt *told = selection_in(x->h, block);
    const Stmt *last = block.len > 0 ? block.at[block.len - 1] : NULL;
    const Stmt *first = told != NULL ? told : last;
    bool branches = told == NULL && last != NULL && last->kind == STMT_IF;
    bool outermost = block.at == x->round.at;
    x->all = x->all && (told != NULL || branches);
    if (x->all && !choice_comes_first(x->h->role, block, first)) {
        x->acts = outermost && branches;
        x->all = x->acts;
    }
    if (!x->all)
        return;
    if (branches) {
        find_ends(x, last->if_.body);
        find_ends(x, last->if_.orelse);
        return;
    }
    vec_push(x->h->arena, &x->at, block);
    vec_push(x->h->arena, &x->labels, choice_selection(told));
}

// Every end of a round tells the role by one sender.
static void all_tell(Ends *x, const Stmt *loop)
{
    x->all = true;
    x->round = round_of(loop);
    find_ends(x, x->round);
    for (size_t i = 0; x->all && i < x->labels.len; i++)
        x->all = x->labels.at[i]->select.sender == x->labels.at[0]->select.sender &&
                 ir_equal_expr(x->labels.at[i]->select.channel, x->labels.at[0]->select.channel);
    x->all = x->all && x->at.len > 1;
}

// ---- a flag ----

typedef struct Flag { Sym name; bool goes_on; size_t seen; } Flag;

static bool count_name(void *cx, const Expr *e)
{
    Flag *f = cx;
    f->seen += e->kind == EXPR_NAME && e->name.id == f->name;
    return true;
}

// `while talking`, `while not done`
static bool read_flag(const Stmt *loop, Flag *f)
{
    const Expr *test = loop->kind == STMT_WHILE ? loop->while_.test : NULL;
    bool inverted = test != NULL && test->kind == EXPR_UNARY_OP &&
                    test->unary_op.op == UNARYOP_NOT;
    if (inverted)
        test = test->unary_op.operand;
    if (test == NULL || test->kind != EXPR_NAME || loop->while_.orelse.len > 0)
        return false;
    *f = (Flag){test->name.id, !inverted, 0};
    return true;
}

// Does the statement do nothing but give the flag that constant?
static bool sets(const Stmt *s, const Flag *f, bool truth)
{
    bool plain = s->kind == STMT_ASSIGN && s->assign.targets.len == 1;
    if (!plain && (s->kind != STMT_ANN_ASSIGN || s->ann_assign.value == NULL))
        return false;
    const Expr *target = plain ? s->assign.targets.at[0] : s->ann_assign.target;
    const Expr *value = plain ? s->assign.value : s->ann_assign.value;
    if (value->kind == EXPR_PIN)
        value = value->pin.value;
    return target->kind == EXPR_NAME && target->name.id == f->name &&
           value->kind == EXPR_CONSTANT && value->constant.value->kind == CONST_BOOL &&
           value->constant.value->truth == truth;
}

// The statement of an end that clears the flag, or NULL.
static const Stmt *clear_in(StmtList block, const Flag *f)
{
    for (size_t i = 0; i < block.len; i++)
        if (sets(block.at[i], f, !f->goes_on))
            return block.at[i];
    return NULL;
}

// No label stands for both the end of the loop and another round.
static bool labels_tell_the_end(const Ends *x, const Flag *f)
{
    for (size_t i = 0; i < x->at.len; i++)
        for (size_t j = 0; clear_in(x->at.at[i], f) != NULL && j < x->at.len; j++)
            if (clear_in(x->at.at[j], f) == NULL &&
                ir_equal_expr(x->labels.at[i]->select.label, x->labels.at[j]->select.label))
                return false;
    return true;
}

static const Stmt *find_start(const Half *h, const Flag *f)
{
    for (size_t i = h->preceding.len; i-- > 0;)
        if (sets(h->preceding.at[i], f, f->goes_on))
            return h->preceding.at[i];
    return NULL;
}

// A statement that can be taken out with its line.
static bool has_own_line(Half *h, const Stmt *s)
{
    return text_starts_line(h, s->at.start) && h->cx->source->text.at[s->at.end] == '\n';
}

// The flag has no use but this loop: it is set before, and cleared where a round ends.
static bool only_ends_the_loop(Half *h, const Ends *x, const Stmt *start, Flag *f)
{
    IrWalker w = {.cx = f, .expr = count_name};
    size_t clears = 0;
    if (start == NULL || !has_own_line(h, start))
        return false;
    for (size_t i = 0; i < x->at.len; i++) {
        const Stmt *clear = clear_in(x->at.at[i], f);
        clears += clear != NULL;
        if (clear != NULL && !has_own_line(h, clear))
            return false;
    }
    ir_walk_stmts(&w, h->function->function_def.body);
    return clears > 0 && f->seen == clears + 2 && labels_tell_the_end(x, f);
}

static void delete_line(Half *h, Diag *d, Help *help, const Stmt *s)
{
    uint32_t line = s->at.start - (uint32_t)strlen(text_indentation(h, s->at.start));
    diag_edit(d, help, (Span){line, s->at.end + 1}, "%s", "");
}

// `break` for what clears the flag, at the end of its block.
static void edit_clear(Half *h, Diag *d, Help *help, StmtList block, const Stmt *clear)
{
    const Stmt *last = block.at[block.len - 1];
    if (clear == last) {
        diag_edit(d, help, clear->at, "break");
        return;
    }
    uint32_t end = text_block_end(h, last->at.start, last->at.end);
    delete_line(h, d, help, clear);
    diag_edit(d, help, (Span){end, end}, "\n%sbreak", text_indentation(h, clear->at.start));
}

static bool help_flag(Half *h, Diag *d, const Stmt *loop, const Ends *x)
{
    Flag f;
    const Stmt *start = read_flag(loop, &f) ? find_start(h, &f) : NULL;
    if (!only_ends_the_loop(h, x, start, &f))
        return false;
    Help *help = diag_help(d, "leave the loop in the round that selects the last label for %s: "
                              "write `while True` and `break`", h->role);
    delete_line(h, d, help, start);
    diag_edit(d, help, loop->while_.test->at, "True");
    for (size_t i = 0; i < x->at.len; i++)
        if (clear_in(x->at.at[i], &f) != NULL)
            edit_clear(h, d, help, x->at.at[i], clear_in(x->at.at[i], &f));
    if (!x->acts)
        diag_help(d, "or keep the condition, and in the `else` of the loop select for %s a label "
                     "that no round uses", h->role);
    return true;
}

// ---- the help ----

static void help_end(Half *h, Diag *d, const Stmt *loop, const Ends *x)
{
    if (!x->all || jumps_of_block(round_of(loop)) != 0 ||
        selection_in(h, else_of(loop)) != NULL)
        return;
    if (!help_flag(h, d, loop, x) && !x->acts)
        diag_help(d, "select for %s, in the `else` of the loop, a label that no round uses; or "
                     "write `while True`, and `break` in the branch that selects the last label "
                     "for %s", h->role, h->role);
}

// The first `if` or `match` of a round in which the role is told; none after a selection.
static const Stmt *find_branching(Told *t, StmtList round)
{
    IrWalker w = {.cx = t, .stmt = find_told};
    for (size_t i = 0; i < round.len && choice_selection(round.at[i]) == NULL; i++) {
        if (round.at[i]->kind == STMT_IF || round.at[i]->kind == STMT_MATCH)
            ir_walk_stmts(&w, (StmtList){&round.at[i], 1});
        if (t->selects != NULL)
            return round.at[i];
    }
    return NULL;
}

bool rounds_help(Half *h, Diag *d, const Stmt *loop)
{
    Told t = {.h = h, .deciders = choice_deciders(loop)};
    Ends x = {.h = h};
    const Stmt *branching = find_branching(&t, round_of(loop));
    if (branching == NULL)
        return false;
    diag_label(d, t.selects->at, "%s receives a label in this branch of a round", h->role);
    if (t.skips != NULL)
        diag_label(d, t.skips->at, "this branch selects no label");
    all_tell(&x, loop);
    help_end(h, d, loop, &x);
    bool acts = !choice_comes_first(h->role, round_of(loop), branching);
    bool ends = selection_in(h, else_of(loop)) != NULL;
    if (d->helps == NULL && !acts && x.all)
        diag_help(d, ends ? "select labels of one enum for %s in every branch of a round and in "
                            "the `else` of the loop"
                          : "select for %s, in the `else` of the loop, a label that no round uses",
                  h->role);
    else if (d->helps == NULL && !acts)
        diag_help(d, "select labels of one enum for %s also in the other branches of a round%s%s",
                  h->role, t.skips != NULL ? ", before `continue`" : "",
                  ends ? "" : ", and in the `else` of the loop");
    return d->helps != NULL;
}
