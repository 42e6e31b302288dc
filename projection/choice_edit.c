// choice_edit.c - the help of an error about a choice: the selections to insert, as edits that can
// be applied (docs/projection.md, "Amendment").
//
// A role is told in every arm, with labels of one enum that differ. What is there already is kept:
// arms that tell the role keep their label, and the labels of a decider that tells others are used
// again. Where the file has no enum with enough members, one is added. What is inserted is text of
// the file that the choice is in: choice_text.c.

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/vec.h"
#include "projection/projection_internal.h"

// ---- arms ----

// One arm of a choice. `body` is empty for an arm that is not written: a last `else` or `case _`.
typedef struct Arm {
    StmtList    body;
    const Stmt *told;           // the selection of its first level that tells the role, or NULL
    Sym         label;          // the member that it is told with
} Arm;

typedef struct Plan {
    Half       *h;
    const Stmt *choice;         // the outermost `if` of its chain, a loop, a `match`, a `try`
    SymList     deciders;
    Vec(Arm)    arms;
    Sym         teller;
    const char *channel;        // source text
    bool        behind;         // the teller itself is told first
    Sym         decider;        // who tells the teller, where no arm does so yet; else NULL
    const char *first_channel;  // on which
    Sym         enum_;
    const char *enum_text;      // as this file calls it
    const char *enum_base;      // of a new one
    bool        import_enum;
    const Stmt *add_enum;       // the definition in front of which an enum is added
    uint32_t    enum_place;     // where that starts, with its decorators
    bool        lacks_member;   // the enum with which the role is told has none left
    SymList     elsewhere;      // labels that tell the role outside of a choice inside of others
} Plan;

static bool is_loop(const Stmt *s) { return s->kind == STMT_WHILE || s->kind == STMT_FOR; }

const Expr *choice_selection(const Stmt *s)
{
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_SELECT ? s->expr.value : NULL;
}

static const Stmt *selection_to(StmtList arm, Sym receiver)
{
    for (size_t i = 0; i < arm.len; i++) {
        const Expr *e = choice_selection(arm.at[i]);
        if (e != NULL && e->select.receiver == receiver)
            return arm.at[i];
    }
    return NULL;
}

typedef struct ChainSearch { const Stmt *link, *top; } ChainSearch;

static bool find_chain(void *cx, const Stmt *s)
{
    ChainSearch *search = cx;
    for (const Stmt *i = s; search->top == NULL && i->kind == STMT_IF; i = i->if_.orelse.at[0]) {
        if (i == search->link)
            search->top = s;
        if (i->if_.orelse.len != 1)
            break;
    }
    return search->top == NULL;
}

static bool is_elif(Half *h, const Stmt *s)
{
    Text text = h->cx->source->text;
    return s->kind == STMT_IF && s->at.start + 4 <= text.len &&
           memcmp(text.at + s->at.start, "elif", 4) == 0;
}

// The rounds, and what comes behind the last one.
static void collect_rounds(Plan *p, const Stmt *loop)
{
    bool is_for = loop->kind == STMT_FOR;
    p->choice = loop;
    vec_push(p->h->arena, &p->arms,
             ((Arm){.body = is_for ? loop->for_.body : loop->while_.body}));
    vec_push(p->h->arena, &p->arms,
             ((Arm){.body = is_for ? loop->for_.orelse : loop->while_.orelse}));
}

static bool mentions(void *cx, const Expr *e)
{
    const void **search = cx;
    Sym role = search[0];
    bool here = role_in(e->roles, role) ||
                (e->kind == EXPR_INST && role_in(e->inst.actuals, role)) ||
                (e->kind == EXPR_COM && e->com.sender == role) ||
                (e->kind == EXPR_SELECT && e->select.sender == role);
    if (here)
        search[1] = e;
    return search[1] == NULL;
}

// Does the role do anything in the arm?
static bool takes_part(const Plan *p, StmtList body)
{
    const void *search[2] = {p->h->role, NULL};
    IrWalker w = {.cx = search, .expr = mentions};
    ir_walk_stmts(&w, body);
    return search[1] != NULL;
}

// An arm that surely ends the run need tell nobody who is idle in it.
static void add_arm(Plan *p, StmtList body)
{
    if (!surely_raises(body, p->deciders) || takes_part(p, body))
        vec_push(p->h->arena, &p->arms, ((Arm){.body = body}));
}

static void collect_arms(Plan *p, const Stmt *choice)
{
    ChainSearch search = {choice, NULL};
    IrWalker w = {.cx = &search, .stmt = find_chain};
    if (is_elif(p->h, choice))
        ir_walk_stmts(&w, p->h->function->function_def.body);
    p->choice = search.top != NULL ? search.top : choice;
    for (const Stmt *s = p->choice;; s = s->if_.orelse.at[0]) {
        add_arm(p, s->if_.body);
        StmtList orelse = s->if_.orelse;
        if (orelse.len != 1 || !is_elif(p->h, orelse.at[0])) {
            add_arm(p, orelse);
            return;
        }
    }
}

static void collect_cases(Plan *p, const Stmt *s)
{
    for (size_t i = 0; i < s->match.cases.len; i++)
        add_arm(p, s->match.cases.at[i]->body);
    if (!project_match_is_total(s))
        vec_push(p->h->arena, &p->arms, ((Arm){{0}, NULL, NULL}));
}

// The handlers, then the way without an exception: the `else`.
static void collect_ways(Plan *p, const Stmt *s)
{
    for (size_t i = 0; i < s->try.handlers.len; i++)
        add_arm(p, s->try.handlers.at[i]->except_handler.body);
    if (s->try.orelse.len == 0)
        vec_push(p->h->arena, &p->arms, ((Arm){{0}, NULL, NULL}));
    else
        add_arm(p, s->try.orelse);
}

// The arms of a choice that is no `if`; false if it has none that can be told something.
static bool collect_others(Plan *p, const Stmt *s)
{
    p->choice = s;
    if (s->kind == STMT_MATCH)
        collect_cases(p, s);
    else if (s->kind == STMT_TRY && jumps_of_block(s->try.body) == 0)
        collect_ways(p, s);
    return p->arms.len > 1;
}

// ---- guard clauses ----

static bool has_unwritten(const Plan *p) { return p->arms.at[p->arms.len - 1].body.len == 0; }

// Does control never come to the end of the block? Says no where that is not plain to see.
static bool leaves(StmtList block)
{
    for (const Stmt *last; block.len > 0; block = last->if_.orelse) {
        last = block.at[block.len - 1];
        if (last->kind == STMT_RETURN || last->kind == STMT_RAISE || last->kind == STMT_BREAK ||
            last->kind == STMT_CONTINUE)
            return true;
        if (last->kind != STMT_IF || !leaves(last->if_.body))
            return false;
    }
    return false;
}

// Is the role told there, or somebody by a decider?
static bool tells(const Plan *p, StmtList block)
{
    for (size_t i = 0; i < block.len; i++) {
        const Expr *e = choice_selection(block.at[i]);
        if (e != NULL && (e->select.receiver == p->h->role ||
                          role_in(p->deciders, e->select.sender)))
            return true;
    }
    return false;
}

// Where all arms that are written leave, what follows the choice is the other arm, if it tells. It
// also follows every loop.
static void find_unwritten(Plan *p)
{
    StmtList next = p->h->following;
    if (p->arms.len < 2 || !has_unwritten(p) || !tells(p, next))
        return;
    for (size_t i = 0; i + 1 < p->arms.len; i++)
        if (!is_loop(p->choice) && !leaves(p->arms.at[i].body))
            return;
    p->arms.at[p->arms.len - 1].body = next;
}

// ---- can the text be edited? ----

// The last arm that is written, above the one that is not.
static StmtList last_written(const Plan *p)
{
    const Stmt *s = p->choice;
    if (s->kind == STMT_MATCH)
        return s->match.cases.at[s->match.cases.len - 1]->body;
    if (s->kind == STMT_TRY)
        return s->try.handlers.at[s->try.handlers.len - 1]->except_handler.body;
    if (is_loop(s))
        return p->arms.at[0].body;
    while (s->if_.orelse.len > 0)
        s = s->if_.orelse.at[0];
    return s->if_.body;
}

// Where an arm that is not written goes: below the last one that is, and what is said of it.
static uint32_t unwritten_place(const Plan *p)
{
    StmtList above = last_written(p);
    return text_block_end(p->h, above.at[0]->at.start, above.at[above.len - 1]->at.end);
}

static bool can_edit(const Plan *p)
{
    const Stmt *s = p->choice;
    if (s->kind == STMT_MATCH &&
        !text_line_begins(p->h, s->match.cases.at[0]->pattern->at.start, "case"))
        return false;
    if (has_unwritten(p) && (!text_starts_line(p->h, last_written(p).at[0]->at.start) ||
                             !text_ends_line(p->h, unwritten_place(p))))
        return false;
    for (size_t i = 0; i < p->arms.len; i++) {
        StmtList body = p->arms.at[i].body;
        if (body.len > 0 && !text_starts_line(p->h, body.at[0]->at.start))
            return false;
    }
    return text_starts_line(p->h, s->at.start) && p->arms.at[0].body.len > 0;
}

// ---- a channel that can tell ----

static bool class_selects(Sym class_, bool forth)
{
    static const char *const both[] = {"Channel", "SymChannel", "SecureChannel",
                                       "SymSelectChannel", "BiChannel"};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        if (sym_is(class_, both[i]))
            return true;
    return forth && (sym_is(class_, "DiChannel") || sym_is(class_, "DiSelectChannel"));
}

static bool joins(Sym class_, SymList ends, Sym from, Sym to)
{
    if (ends.len != 2 || !role_in(ends, from) || !role_in(ends, to))
        return false;
    return class_selects(class_, ends.at[0] == from);
}

typedef struct ChannelSearch { Half *h; Sym from, to; const char *found; } ChannelSearch;

static void try_field(ChannelSearch *c, const Expr *e, const Ty *type)
{
    if (c->found == NULL && e->kind == EXPR_ATTRIBUTE && type != NULL && type->kind == TY_INST &&
        e->attribute.value->kind == EXPR_NAME && sym_is(e->attribute.value->name.id, "self") &&
        joins(type->inst.name, type->inst.actuals, c->from, c->to))
        c->found = names_format(c->h->cx->names, "self.%s", e->attribute.attr);
}

static bool find_field(void *cx, const Expr *e)
{
    ChannelSearch *c = cx;
    try_field(c, e, e->ty);
    return c->found == NULL;
}

// `self.ch = ch`
static bool find_assigned(void *cx, const Stmt *s)
{
    ChannelSearch *c = cx;
    if (s->kind == STMT_ASSIGN)
        try_field(c, s->assign.targets.at[0], s->assign.value->ty);
    return c->found == NULL;
}

static bool find_parameter(void *cx, const Arg *arg)
{
    ChannelSearch *c = cx;
    const Expr *type = arg->annotation;
    if (type == NULL || type->kind != EXPR_LOCATED || type->located.type->kind != EXPR_INST)
        return false;
    type = type->located.type;
    if (c->found == NULL && type->inst.target->kind == EXPR_NAME &&
        joins(type->inst.target->name.id, type->inst.actuals, c->from, c->to))
        c->found = arg->arg;
    return false;
}

static const char *find_channel(Half *h, Sym from, Sym to)
{
    ChannelSearch c = {h, from, to, NULL};
    IrWalker parameters = {.cx = &c, .arg = find_parameter};
    IrWalker fields = {.cx = &c, .expr = find_field, .stmt = find_assigned};
    const Stmt *outer = h->choreo->choreo.def;
    ir_walk_arguments(&parameters, h->function->function_def.args);
    if (c.found == NULL && outer->kind == STMT_FUNCTION_DEF)
        ir_walk_arguments(&parameters, outer->function_def.args);
    if (c.found == NULL && outer->kind == STMT_CLASS_DEF)
        ir_walk_stmt(&fields, outer);
    return c.found;
}

// ---- who tells ----

// The selection that tells `receiver` in every arm, with labels that all differ.
static bool told_everywhere(const Plan *p, Sym receiver)
{
    for (size_t i = 0; i < p->arms.len; i++) {
        const Stmt *s = selection_to(p->arms.at[i].body, receiver);
        for (size_t j = 0; s != NULL && j < i; j++) {
            const Stmt *other = selection_to(p->arms.at[j].body, receiver);
            if (ir_equal_expr(choice_selection(s)->select.label,
                              choice_selection(other)->select.label))
                return false;
        }
        if (s == NULL)
            return false;
    }
    return true;
}

static bool told_somewhere(const Plan *p, Sym receiver)
{
    for (size_t i = 0; i < p->arms.len; i++)
        if (selection_to(p->arms.at[i].body, receiver) != NULL)
            return true;
    return false;
}

// A role that no arm tells yet, with channels from a decider and to the role.
static bool find_relay(Plan *p)
{
    SymList roles = p->h->choreo->choreo.formals;
    p->behind = false;
    p->channel = NULL;
    for (size_t i = 0; i < roles.len && !told_somewhere(p, p->h->role); i++)
        for (size_t j = 0; j < p->deciders.len; j++) {
            Sym relay = roles.at[i], decider = p->deciders.at[j];
            if (role_in(p->deciders, relay) || told_somewhere(p, relay))
                continue;
            p->first_channel = find_channel(p->h, decider, relay);
            p->channel = p->first_channel == NULL ? NULL
                                                  : find_channel(p->h, relay, p->h->role);
            p->teller = relay;
            p->decider = decider;
            if (p->channel != NULL)
                return true;
        }
    p->decider = NULL;
    return false;
}

// A decider with a channel to the role; or another role with one, which a decider tells in every
// arm, or can tell.
static bool find_teller(Plan *p)
{
    StmtList first = p->arms.len > 0 ? p->arms.at[0].body : (StmtList){0};
    for (size_t i = 0; i < p->deciders.len; i++) {
        p->teller = p->deciders.at[i];
        p->channel = find_channel(p->h, p->teller, p->h->role);
        if (p->channel != NULL)
            return true;
    }
    for (size_t i = 0; i < first.len; i++) {
        const Expr *e = choice_selection(first.at[i]);
        if (e == NULL || e->select.receiver == p->h->role ||
            !told_everywhere(p, e->select.receiver))
            continue;
        p->teller = e->select.receiver;
        p->channel = find_channel(p->h, p->teller, p->h->role);
        p->behind = true;
        if (p->channel != NULL)
            return true;
    }
    return find_relay(p);
}

// ---- what is told already ----

bool choice_comes_first(Sym role, StmtList arm, const Stmt *told)
{
    const void *search[2] = {role, NULL};
    IrWalker w = {.cx = search, .expr = mentions};
    for (size_t i = 0; arm.at[i] != told; i++)
        ir_walk_stmt(&w, arm.at[i]);
    return search[1] == NULL;
}

static Sym enum_of(const Expr *label)
{
    return label->kind == EXPR_ATTRIBUTE && label->attribute.value->kind == EXPR_NAME
               ? label->attribute.value->name.id : NULL;
}

// Reads the selections that are there; false when they are not as edits could complete them: too
// late, from different roles, of different enums.
static bool read_told(Plan *p)
{
    for (size_t i = 0; i < p->arms.len; i++) {
        Arm *arm = &p->arms.at[i];
        arm->told = selection_to(arm->body, p->h->role);
        if (arm->told == NULL)
            continue;
        const Expr *e = choice_selection(arm->told);
        bool fits = choice_comes_first(p->h->role, arm->body, arm->told) &&
                    e->select.sender == p->teller && enum_of(e->select.label) != NULL &&
                    (p->enum_ == NULL || p->enum_ == enum_of(e->select.label));
        if (!fits)
            return false;
        p->enum_ = enum_of(e->select.label);
        arm->label = e->select.label->attribute.attr;
    }
    return true;
}

// ---- labels ----

typedef struct LabelSearch { Plan *p; bool inside; Vec(Sym) found; } LabelSearch;

static bool find_choice_around(void *cx, const Stmt *s)
{
    LabelSearch *search = cx;
    Span choice = search->p->choice->at;
    bool chooses = is_loop(s) || s->kind == STMT_IF || s->kind == STMT_MATCH || s->kind == STMT_TRY;
    SymList deciders = s->kind == STMT_TRY ? s->roles : choice_deciders(s);
    chooses = chooses && !role_in(deciders, search->p->h->role);
    search->inside |= chooses && s->at.start < choice.start && choice.end <= s->at.end;
    return !search->inside;
}

static bool find_label(void *cx, const Stmt *s)
{
    LabelSearch *search = cx;
    const Plan *p = search->p;
    const Expr *e = choice_selection(s);
    if (s == p->choice)
        return false;
    if (e != NULL && e->select.receiver == p->h->role && enum_of(e->select.label) != NULL)
        vec_push(p->h->arena, &search->found, e->select.label->attribute.attr);
    return true;
}

// Inside of another choice the role may wait for what this one tells it and for what others do at
// one place: each label stands for one thing.
static void find_elsewhere(Plan *p)
{
    LabelSearch search = {.p = p};
    IrWalker choices = {.cx = &search, .stmt = find_choice_around};
    IrWalker labels = {.cx = &search, .stmt = find_label};
    ir_walk_stmts(&choices, p->h->function->function_def.body);
    if (search.inside)
        ir_walk_stmts(&labels, p->h->function->function_def.body);
    p->elsewhere = (SymList){search.found.at, search.found.len};
}

static bool label_used(const Plan *p, Sym label)
{
    if (role_in(p->elsewhere, label))
        return true;
    for (size_t i = 0; i < p->arms.len; i++)
        if (p->arms.at[i].label == label)
            return true;
    return false;
}

// Two arms with one label: the later one needs another.
static void drop_repeated(Plan *p)
{
    for (size_t i = 1; i < p->arms.len; i++)
        for (size_t j = 0; j < i; j++)
            if (p->arms.at[i].label != NULL && p->arms.at[i].label == p->arms.at[j].label)
                p->arms.at[i].label = NULL;
}

// Those with which a decider tells somebody else, if every arm has one of its own.
static bool reuse_labels(Plan *p)
{
    StmtList first = p->arms.at[0].body;
    for (size_t i = 0; i < first.len; i++) {
        const Expr *e = choice_selection(first.at[i]);
        if (e == NULL || !role_in(p->deciders, e->select.sender) ||
            !told_everywhere(p, e->select.receiver))
            continue;
        p->enum_ = enum_of(e->select.label);
        for (size_t j = 0; j < p->arms.len; j++) {
            const Expr *label = choice_selection(selection_to(p->arms.at[j].body,
                                                          e->select.receiver))->select.label;
            if (p->enum_ == NULL || enum_of(label) != p->enum_)
                return false;
            p->arms.at[j].label = label->attribute.attr;
        }
        return true;
    }
    return false;
}

static bool is_enum(const Stmt *s)
{
    for (size_t i = 0; s->kind == STMT_CLASS_DEF && i < s->class_def.bases.len; i++) {
        const Expr *base = s->class_def.bases.at[i];
        if (base->kind == EXPR_NAME && strcmp(unqualified(base->name.id), "Enum") == 0)
            return true;
        if (base->kind == EXPR_ATTRIBUTE && sym_is(base->attribute.attr, "Enum"))
            return true;
    }
    return false;
}

// Gives unused members of the enum to the arms that have no label; false when there are too few.
static bool take_members(Plan *p, const Stmt *enum_)
{
    StmtList body = enum_->class_def.body;
    size_t next = 0;
    for (size_t i = 0; i < p->arms.len; i++) {
        while (p->arms.at[i].label == NULL && next < body.len) {
            const Stmt *m = body.at[next++];
            bool member = m->kind == STMT_ASSIGN && m->assign.targets.at[0]->kind == EXPR_NAME;
            if (member && !label_used(p, m->assign.targets.at[0]->name.id))
                p->arms.at[i].label = m->assign.targets.at[0]->name.id;
        }
        if (p->arms.at[i].label == NULL)
            return false;
    }
    p->enum_ = enum_->class_def.name;
    return text_enum(p->h, p->enum_, p->choice->at) != NULL;
}

// ---- which label ends ----

static bool is_ending(Sym label)
{
    static const char *const ENDS[] = {"DONE", "END", "STOP", "QUIT", "LEAVE", "EXIT", "OVER",
                                       "FINISHED", "BYE", "LAST"};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++)
        if (sym_is(label, ENDS[i]))
            return true;
    return false;
}

// Of two labels that are new, the one that stands for an end goes where control leaves.
static void turn_labels(Plan *p)
{
    Arm *a = p->arms.at, *b = p->arms.at + 1;
    if (p->arms.len != 2 || is_loop(p->choice) || a->told != NULL || b->told != NULL ||
        leaves(a->body) == leaves(b->body))
        return;
    Arm *last = leaves(a->body) ? a : b, *on = last == a ? b : a;
    if (is_ending(last->label) || !is_ending(on->label))
        return;
    Sym label = last->label;
    last->label = on->label;
    on->label = label;
}

static void forget_labels(Plan *p)
{
    for (size_t i = 0; i < p->arms.len; i++)
        if (p->arms.at[i].told == NULL)
            p->arms.at[i].label = NULL;
}

static Sym fresh_label(const Plan *p, size_t i)
{
    static const char *const TWO[] = {"YES", "NO"}, *const ROUNDS[] = {"AGAIN", "DONE"};
    static const char *const WAYS[] = {"FAILED", "DONE"};
    static const char *const MORE[] = {"FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH"};
    if (p->arms.len == 2)
        return names_get(p->h->cx->names, is_loop(p->choice) ? ROUNDS[i]
                                          : p->choice->kind == STMT_TRY ? WAYS[i] : TWO[i]);
    return i < sizeof MORE / sizeof *MORE ? names_get(p->h->cx->names, MORE[i])
                                          : names_format(p->h->cx->names, "ARM_%zu", i + 1);
}

// The definition in front of which a new enum goes: the first of the file.
static const Stmt *first_definition(const Plan *p)
{
    StmtList body = p->h->cx->unit->module.body;
    for (size_t i = 0; i < body.len; i++)
        if ((body.at[i]->kind == STMT_CHOREO || body.at[i]->kind == STMT_CLASS_DEF ||
             body.at[i]->kind == STMT_FUNCTION_DEF) &&
            text_same_file(p->h, body.at[i]->at, p->choice->at))
            return body.at[i];
    return NULL;
}

static bool new_enum(Plan *p)
{
    Half *h = p->h;
    const char *base = is_loop(p->choice) ? "Again"
                       : p->choice->kind == STMT_TRY ? "Outcome" : "Choice";
    Sym name = names_get(h->cx->names, base);
    for (int n = 2; text_uses_name(h, p->choice->at.start, name); n++)
        name = names_format(h->cx->names, "%s%d", base, n);
    p->enum_ = name;
    p->enum_text = name;
    p->add_enum = first_definition(p);
    if (p->add_enum != NULL)
        p->enum_place = text_definition_place(h, p->add_enum->at);
    p->enum_base = text_enum_base(h, p->choice->at, &p->import_enum);
    for (size_t i = 0; i < p->arms.len; i++)
        p->arms.at[i].label = fresh_label(p, i);
    return p->enum_base != NULL && p->add_enum != NULL &&
           text_starts_line(h, p->enum_place);
}

// The first enum of the file with enough members; `told`: this one.
static bool use_enum(Plan *p, Sym told)
{
    StmtList body = p->h->cx->unit->module.body;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i]->kind == STMT_CHOREO ? body.at[i]->choreo.def : body.at[i];
        if (!is_enum(s) || (told != NULL && s->class_def.name != told))
            continue;
        if (take_members(p, s)) {
            turn_labels(p);
            return true;
        }
        forget_labels(p);
    }
    return false;
}

static bool find_labels(Plan *p)
{
    Sym told = p->enum_;
    drop_repeated(p);
    if (told == NULL && reuse_labels(p))
        return true;
    forget_labels(p);
    find_elsewhere(p);
    if (use_enum(p, told))
        return true;
    if (p->elsewhere.len > 0) {             // told before, it waits for this choice elsewhere
        p->elsewhere = (SymList){0};
        return told == NULL && selection_to(p->h->preceding, p->h->role) != NULL &&
               use_enum(p, told);
    }
    p->enum_ = told;
    p->lacks_member = told != NULL;
    return told == NULL && new_enum(p);
}

// ---- the edits ----

static const char *selection_text(const Plan *p, const Arm *arm, const char *indentation)
{
    const char *told = names_format(p->h->cx->names, "%s.select(%s.%s@%s)", p->channel,
                                    p->enum_text, arm->label, p->teller);
    if (p->decider == NULL)
        return told;
    return names_format(p->h->cx->names, "%s.select(%s.%s@%s)\n%s%s", p->first_channel,
                        p->enum_text, arm->label, p->decider, indentation, told);
}

// An arm that is not written yet: a last `else`, or `case _`.
static void edit_missing(const Plan *p, Diag *d, Help *help, const Arm *arm)
{
    bool match = p->choice->kind == STMT_MATCH;
    StmtList above = last_written(p);
    uint32_t end = unwritten_place(p);
    uint32_t head = match ? p->choice->match.cases.at[0]->pattern->at.start : p->choice->at.start;
    const char *inside = text_indentation(p->h, above.at[0]->at.start);
    diag_edit(d, help, (Span){end, end}, "\n%s%s:\n%s%s", text_indentation(p->h, head),
              match ? "case _" : "else", inside, selection_text(p, arm, inside));
}

static void edit_arm(const Plan *p, Diag *d, Help *help, const Arm *arm)
{
    if (arm->told != NULL) {
        const Expr *label = choice_selection(arm->told)->select.label;
        if (label->attribute.attr != arm->label)
            diag_edit(d, help, label->at, "%s.%s", p->enum_text, arm->label);
    } else if (arm->body.len == 0) {
        edit_missing(p, d, help, arm);
    } else if (p->behind) {
        const Stmt *after = selection_to(arm->body, p->teller);
        uint32_t end = text_line_end(p->h, after->at.end);
        const char *here = text_indentation(p->h, after->at.start);
        diag_edit(d, help, (Span){end, end}, "\n%s%s", here, selection_text(p, arm, here));
    } else {
        uint32_t at = arm->body.at[0]->at.start;
        const char *here = text_indentation(p->h, at);
        diag_edit(d, help, (Span){at, at}, "%s\n%s", selection_text(p, arm, here), here);
    }
}

static void edit_enum(const Plan *p, Diag *d, Help *help)
{
    Half *h = p->h;
    uint32_t at = p->enum_place, import = text_import_place(h, at);
    Buf b = buf_new(h->arena);
    if (p->import_enum)
        diag_edit(d, help, (Span){import, import}, import == at ? "from enum import Enum\n\n\n"
                                                                : "\nfrom enum import Enum");
    buf_printf(&b, "class %s(%s):\n", p->enum_text, p->enum_base);
    for (size_t i = 0; i < p->arms.len; i++)
        buf_printf(&b, "    %s = %zu\n", p->arms.at[i].label, i + 1);
    diag_edit(d, help, (Span){at, at}, "%s\n\n", buf_text(&b));
}

// Where the role is told, in words.
static const char *places_text(const Plan *p)
{
    if (p->choice->kind == STMT_MATCH)
        return has_unwritten(p) ? "every case and in a last `case _`" : "every case";
    if (p->choice->kind == STMT_TRY)
        return p->choice->try.handlers.len > 1 ? "every handler and in the `else`"
                                               : "the handler and in the `else`";
    return "each branch";
}

static void help_in_words(const Plan *p, Diag *d)
{
    Half *h = p->h;
    if (is_loop(p->choice))
        diag_help(d, "select different labels for %s: one at the start of every round, another in "
                     "the `else` of the loop%s", h->role,
                  p->channel == NULL ? "; this needs a channel to it" : "");
    else if (p->choice->kind == STMT_WITH)
        diag_help(d, "set a variable at the end of the `with` body, test it with `if` after the "
                     "`with`, and select a different label for %s in each branch", h->role);
    else if (p->channel == NULL)
        diag_help(d, "select a different label for %s at the start of each branch; this needs a "
                     "channel from %s to %s", h->role, p->deciders.at[0], h->role);
    else if (p->choice->kind == STMT_TRY && p->arms.len == 0)
        diag_help(d, "do not leave the body of the `try` early, and select different labels for "
                     "%s in every handler and in the `else`: `%s.select(...)`",
                     h->role, p->channel);
    else if (p->lacks_member)
        diag_help(d, "add a member to `%s`, and select it for %s at the start of the branch that "
                     "has no label of its own: `%s.select(...)`", p->enum_, h->role,
                  p->channel);
    else if (told_somewhere(p, p->h->role))
        diag_help(d, "select different labels of one enum for %s in %s, before its actions "
                     "differ", h->role, places_text(p));
    else
        diag_help(d, "select a different label of one enum for %s%s%s at the start of %s: "
                     "`%s.select(...)`", h->role, p->decider != NULL ? " through " : "",
                  p->decider != NULL ? p->teller : "", places_text(p), p->channel);
}

static bool collect(Plan *p, const Stmt *choice)
{
    if (p->h->arms_of != NULL)
        return collect_others(p, p->h->arms_of);
    if (is_loop(choice))
        collect_rounds(p, choice);
    else
        collect_arms(p, choice);
    return true;
}

static bool make_plan(Plan *p, const Stmt *choice)
{
    bool arms = collect(p, choice);
    find_unwritten(p);
    bool told = find_teller(p);
    if (!arms || p->arms.len < 2 || !told || !can_edit(p) || !read_told(p) || !find_labels(p))
        return false;
    if (p->add_enum == NULL)
        p->enum_text = text_enum(p->h, p->enum_, p->choice->at);
    return p->enum_text != NULL;
}

static void help_with_edits(const Plan *p, Diag *d)
{
    const char *way = p->decider != NULL ? " through " : "";
    const char *teller = p->decider != NULL ? p->teller : "";
    Help *help = is_loop(p->choice)
        ? diag_help(d, "select different labels for %s%s%s: one at the start of every round, "
                       "another in the `else` of the loop", p->h->role, way, teller)
        : diag_help(d, "select a different label for %s%s%s at the start of %s", p->h->role, way,
                    teller, places_text(p));
    if (p->add_enum != NULL)
        edit_enum(p, d, help);
    for (size_t i = 0; i < p->arms.len; i++)
        edit_arm(p, d, help, &p->arms.at[i]);
}

// The role's own selection to a decider, first in an arm: one that is pinned to the wrong end.
static const Expr *wrong_end(const Plan *p, StmtList arm)
{
    const Expr *e = arm.len > 0 ? choice_selection(arm.at[0]) : NULL;
    bool wrong = e != NULL && e->select.sender == p->h->role &&
                 role_in(p->deciders, e->select.receiver);
    return wrong ? e : NULL;
}

// `Go.YES@Bob` in every branch of a choice of Alice's: the pins are to be turned.
static bool help_turned(Plan *p, Diag *d, const Stmt *choice)
{
    if (choice->kind != STMT_IF || !collect(p, choice) || p->arms.len < 2)
        return false;
    for (size_t i = 0; i < p->arms.len; i++)
        if (wrong_end(p, p->arms.at[i].body) == NULL)
            return false;
    const Expr *first = wrong_end(p, p->arms.at[0].body);
    Help *help = diag_help(d, "%s decides and selects for %s: pin the labels to %s",
                           first->select.receiver, p->h->role, first->select.receiver);
    for (size_t i = 0; i < p->arms.len; i++) {
        const Expr *e = wrong_end(p, p->arms.at[i].body);
        uint32_t start = e->select.label->at.start;
        const char *text = p->h->cx->source->text.at;
        const char *at = memchr(text + start, '@', e->at.end - start);
        uint32_t pin = at == NULL ? 0 : (uint32_t)(at + 1 - text);
        if (at != NULL && strncmp(at + 1, e->select.sender, strlen(e->select.sender)) == 0)
            diag_edit(d, help, (Span){pin, pin + (uint32_t)strlen(e->select.sender)}, "%s",
                      e->select.receiver);
    }
    return true;
}

// The role takes part in the condition of an `elif`: no selection can come before that.
static bool help_before_chain(const Plan *p, Diag *d)
{
    const void *search[2] = {p->h->role, NULL};
    IrWalker w = {.cx = search, .expr = mentions};
    for (const Stmt *s = p->choice; s->if_.orelse.len == 1 && is_elif(p->h, s->if_.orelse.at[0]);) {
        s = s->if_.orelse.at[0];
        ir_walk_expr(&w, s->if_.test);
    }
    if (search[1] != NULL)
        diag_help(d, "communicate before the `if` statement, and use the result in its conditions: "
                     "%s cannot be told which branch it is in before the condition of an `elif`",
                  p->h->role);
    return search[1] != NULL;
}

bool choice_help(Half *h, Diag *d, const Stmt *choice, bool words)
{
    Plan p = {.h = h, .deciders = choice_deciders(choice), .choice = choice};
    if (help_turned(&p, d, choice))
        return true;
    p = (Plan){.h = h, .deciders = choice_deciders(choice), .choice = choice};
    bool known = make_plan(&p, choice);
    if (p.choice->kind == STMT_IF && help_before_chain(&p, d))
        return true;
    if (known)
        help_with_edits(&p, d);
    else if (words)
        help_in_words(&p, d);
    return known;
}
