// choice.c - what to say when a role cannot know a choice (docs/projection.md, "Knowledge of
// choice"): who decides where, which role was not told, what it does differently in the two
// branches, and the selection to insert. Everything is said about the choreography, not about its
// projections.

#include <string.h>

#include "projection/projection_internal.h"

enum { MAX_QUOTED = 40 };

// ---- words ----

const char *project_roles_text(Arena *a, SymList roles)
{
    Buf b = buf_new(a);
    for (size_t i = 0; i < roles.len; i++) {
        if (i > 0)
            buf_puts(&b, i + 1 == roles.len ? " and " : ", ");
        buf_puts(&b, roles.at[i]);
    }
    return buf_text(&b);
}

static void put_type(Buf *b, const Ty *t);

static void put_types(Buf *b, TyList types, const char *between)
{
    for (size_t i = 0; i < types.len; i++) {
        if (i > 0)
            buf_puts(b, between);
        put_type(b, types.at[i]);
    }
}

// A type that can travel, as it is written; anything else is `object`.
static void put_type(Buf *b, const Ty *t)
{
    if (t->kind == TY_UNION) {
        put_types(b, t->union_.items, " | ");
        return;
    }
    bool tuple = t->kind == TY_TUPLE, named = t->kind == TY_NAMED;
    TyList args = tuple ? t->tuple.items : named ? t->named.args : (TyList){0};
    buf_puts(b, tuple ? "tuple" : named ? t->named.name
                : t->kind == TY_NONE_TYPE ? "None" : "object");
    if (args.len == 0)
        return;
    buf_puts(b, "[");
    put_types(b, args, ", ");
    buf_puts(b, "]");
}

static const char *type_text(Half *h, const Ty *t)
{
    Buf b = buf_new(h->arena);
    if (t == NULL)
        return "object";
    put_type(&b, t);
    return buf_text(&b);
}

static const char *label_text(Half *h, const Expr *label)
{
    Buf b = buf_new(h->arena);
    if (label->kind == EXPR_ATTRIBUTE && label->attribute.value->kind == EXPR_NAME) {
        buf_puts(&b, label->attribute.value->name.id);
        buf_puts(&b, ".");
        buf_puts(&b, label->attribute.attr);
    }
    return buf_text(&b);
}

static const char *format_text(Half *h, const char *before, const char *middle, const char *after)
{
    Buf b = buf_new(h->arena);
    buf_puts(&b, before);
    buf_puts(&b, middle);
    buf_puts(&b, after);
    return buf_text(&b);
}

static const char *receipt_text(Half *h, const Expr *e)
{
    return format_text(h, "receives `", type_text(h, e->recv.payload), "`");
}

// `f` of `f(..)`: choreographies by the name that the choreography gives them.
static const char *call_text(Half *h, const Expr *call)
{
    Text text = h->cx->source->text;
    uint32_t start = call->call.func->at.start, end = call->call.func->at.end;
    bool shown = end <= text.len && end > start && end - start < 40 &&
                 memchr(text.at + start, '\n', end - start) == NULL;
    return !shown ? "runs this"
                  : format_text(h, "runs `", arena_strndup(h->arena, text.at + start, end - start),
                                "`");
}

static const char *effect_text(Half *h, const Expr *e, bool placed)
{
    if (e->kind == EXPR_CALL)
        return call_text(h, e);
    if (e->kind == EXPR_SEND)
        return format_text(h, "sends `", type_text(h, e->send.payload), "`");
    if (e->kind == EXPR_SEND_LABEL)
        return format_text(h, "selects `", label_text(h, e->send_label.label), "`");
    if (e->kind == EXPR_RECV)
        return receipt_text(h, e);
    return placed ? "evaluates this" : "evaluates an expression";
}

// What the role does first, as a verb with its object; NULL when it does nothing more. `placed`: it
// is said at its place in the source, which "this" points at.
static const char *said_action(Half *h, const Code *c, bool placed)
{
    if (c == NULL || c->stmt == NULL)
        return NULL;
    const Stmt *s = c->stmt;
    const char *assigns = placed ? "assigns this" : "assigns a variable";
    switch (s->kind) {
    case STMT_EXPR:   return effect_text(h, s->expr.value, placed);
    case STMT_ASSIGN:
        return s->assign.value->kind == EXPR_RECV ? receipt_text(h, s->assign.value) : assigns;
    case STMT_ANN_ASSIGN:
        return s->ann_assign.value != NULL && s->ann_assign.value->kind == EXPR_RECV
                   ? receipt_text(h, s->ann_assign.value) : assigns;
    case STMT_AUG_ASSIGN: return assigns;
    case STMT_OFFER:
        return format_text(h, "receives the label `", label_text(h, c->branches[0].label), "`");
    case STMT_RETURN:
        return s->return_.value == NULL ? NULL : placed ? "returns this" : "returns a value";
    case STMT_IF:     return placed ? "evaluates this condition" : "evaluates a condition";
    case STMT_WHILE: case STMT_FOR: return placed ? "runs this loop" : "runs a loop";
    case STMT_RAISE:  return placed ? "raises this" : "raises an exception";
    case STMT_STOPPED: return "cannot continue here";
    case STMT_DELETE: return placed ? "deletes this" : "deletes a variable";
    case STMT_BREAK:  return "leaves the loop";
    case STMT_CONTINUE: return "continues with the next round";
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF:
    case STMT_TYPE_ALIAS: case STMT_ASYNC_FOR: case STMT_WITH: case STMT_ASYNC_WITH:
    case STMT_MATCH: case STMT_TRY: case STMT_TRY_STAR: case STMT_ASSERT: case STMT_IMPORT:
    case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_PASS: case STMT_CHOREO:
    case STMT_TAPE: case STMT_KEEP: case STMT_BACK:
    case STMT_COUNT:
        break;
    }
    return placed ? "executes this" : "executes a statement";
}

static const char *action_text(Half *h, const Code *c) { return said_action(h, c, true); }

// The part of the source to underline: of compound statements only the head.
static Span action_span(const Code *c)
{
    const Stmt *s = c->stmt;
    if (s->kind == STMT_IF)
        return s->if_.test->at;
    if (s->kind == STMT_WHILE)
        return s->while_.test->at;
    return s->kind == STMT_FOR ? s->for_.iter->at : s->at;
}

static bool is_offer(const Code *c)
{
    return c != NULL && c->stmt != NULL && c->stmt->kind == STMT_OFFER;
}

// ---- the two branches ----

static bool find_return(void *cx, const Stmt *s)
{
    const Stmt **found = cx;
    if (s->kind == STMT_RETURN && *found == NULL)
        *found = s;
    return *found == NULL && s->kind != STMT_FUNCTION_DEF && s->kind != STMT_CLASS_DEF;
}

static const Stmt *return_in(StmtList block)
{
    const Stmt *found = NULL;
    IrWalker w = {.cx = &found, .stmt = find_return};
    ir_walk_stmts(&w, block);
    return found;
}

// A `break` of this very loop.
static const Stmt *break_in(StmtList rounds)
{
    for (size_t i = 0; i < rounds.len; i++) {
        const Stmt *s = rounds.at[i], *found = NULL;
        if (s->kind == STMT_BREAK)
            return s;
        if (s->kind == STMT_IF && (found = break_in(s->if_.body)) == NULL)
            found = break_in(s->if_.orelse);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static bool in_block(const Code *c, StmtList block)
{
    if (block.len == 0)
        return false;
    Span all = block_span(block), at = action_span(c);
    return at.start >= all.start && at.end <= all.end;
}

// What this arm is called where the choice is no `if`.
static const char *where_in(Half *h, StmtList arm)
{
    for (size_t i = 0; i < 2; i++)
        if (h->arm_words[i] != NULL && arm.at == h->arm_blocks[i].at)
            return h->arm_words[i];
    return "in this branch";
}

// Its words also say where the code after the choice runs: a loop's, and that of an empty arm.
static bool is_named(const Half *h, StmtList arm)
{
    return h->arm_words[0] != NULL && (h->arms_of == NULL || arm.len == 0);
}

// Labels one side of the first difference.
static void label_side(Half *h, Diag *d, const Code *side, StmtList arm)
{
    const char *what = action_text(h, side);
    if (what == NULL) {
        const Stmt *s = return_in(arm);
        if (s != NULL)
            diag_label(d, s->at, "%s the function ends here for %s", where_in(h, arm), h->role);
    } else if (stmt_is_loop_jump(side->stmt)) {
        return;                     // there is no such place: the note says it
    } else if (in_block(side, arm) || is_named(h, arm)) {
        diag_label(d, action_span(side), "%s %s %s", where_in(h, arm), h->role, what);
    } else {
        diag_label(d, action_span(side), "after the other branch %s %s", h->role, what);
    }
}

// Who is told in this branch.
static void label_told(Half *h, Diag *d, StmtList arm, SymList deciders)
{
    for (size_t i = 0; i < arm.len; i++) {
        const Expr *e = choice_selection(arm.at[i]);
        if (e != NULL && e->select.receiver != h->role && role_in(deciders, e->select.sender))
            diag_label(d, e->at, "%s receives a label here", e->select.receiver);
    }
}

// The value that a return gives, or the expression that runs; NULL: another statement, or too long
// to be quoted.
static const char *quoted_action(Half *h, const Code *c)
{
    const Stmt *s = c->stmt;
    const Expr *e = s->kind == STMT_RETURN ? s->return_.value
                    : s->kind == STMT_EXPR ? s->expr.value
                                           : NULL;
    const char *text = e ? source_written(h->arena, h->cx->source, e->at) : NULL;
    return text && strlen(text) <= MAX_QUOTED ? text : NULL;
}

// The same for a note, which has no place that "this" could point at.
static const char *noted_text(Half *h, const Code *c)
{
    bool returns = c != NULL && c->stmt != NULL && c->stmt->kind == STMT_RETURN;
    const char *value = returns ? quoted_action(h, c) : NULL;
    return value != NULL ? format_text(h, "returns `", value, "`") : said_action(h, c, false);
}

// Both branches do something of one kind: the source says in what they differ.
static void note_two_ways(Half *h, Diag *d, const Clash *clash, const char *const *words)
{
    const char *left = quoted_action(h, clash->left), *right = quoted_action(h, clash->right);
    const char *action = noted_text(h, clash->left);
    bool alike = strcmp(action, noted_text(h, clash->right)) == 0;
    if (alike && (left == NULL || right == NULL || strcmp(left, right) == 0))
        diag_note(d, "%s %s %s and %s, but differently", h->role, action, words[0], words[1]);
    else if (left == NULL || right == NULL)
        diag_note(d, "%s %s %s, and %s %s", h->role, action, words[0],
                  noted_text(h, clash->right), words[1]);
    else
        diag_note(d, "%s %s `%s` %s and `%s` %s", h->role,
                  clash->left->stmt->kind == STMT_RETURN ? "returns" : "runs", left, words[0],
                  right, words[1]);
}

// Says what the role does in one branch and not in the other.
static void note_difference(Half *h, Diag *d, const Clash *clash)
{
    static const char *const BRANCHES[] = {"in one branch", "in the other"};
    const char *left = noted_text(h, clash->left), *right = noted_text(h, clash->right);
    const char *const *words = h->arm_words[0] != NULL ? h->arm_words : BRANCHES;
    bool alike = left != NULL && right != NULL &&
        strcmp(action_text(h, clash->left), action_text(h, clash->right)) == 0;
    bool named = words != BRANCHES;
    if (left != NULL && right != NULL && alike)
        note_two_ways(h, d, clash, words);
    else if (left != NULL && right != NULL)
        diag_note(d, "%s %s %s, and %s %s", h->role, left, words[0], right, words[1]);
    else if (left != NULL || right != NULL)
        diag_note(d, "%s %s %s and does nothing more %s", h->role, left != NULL ? left : right,
                  words[named && left == NULL], words[!named || left != NULL]);
}

// ---- the choice ----

static Span head_span(const Stmt *s)
{
    if (s->kind == STMT_IF)
        return s->if_.test->at;
    if (s->kind == STMT_WHILE)
        return s->while_.test->at;
    if (s->kind == STMT_FOR)
        return s->for_.iter->at;
    return s->kind == STMT_MATCH ? s->match.subject->at : s->at;
}

SymList choice_deciders(const Stmt *s)
{
    if (s->kind == STMT_IF)
        return s->if_.test->roles;
    if (s->kind == STMT_WHILE)
        return s->while_.test->roles;
    if (s->kind == STMT_FOR)
        return s->for_.iter->roles;
    return s->kind == STMT_MATCH ? s->match.subject->roles : (SymList){0};
}

static bool is_loop(const Stmt *s) { return s->kind == STMT_WHILE || s->kind == STMT_FOR; }

static StmtList first_arm(const Stmt *s)
{
    return s->kind == STMT_WHILE ? s->while_.body : s->kind == STMT_FOR ? s->for_.body
                                                                        : s->if_.body;
}

static StmtList second_arm(const Stmt *s)
{
    return s->kind == STMT_WHILE ? s->while_.orelse : s->kind == STMT_FOR ? s->for_.orelse
                                                                          : s->if_.orelse;
}

// What the role cannot tell.
static const char *doubt(const Stmt *s)
{
    return is_loop(s) ? "whether there is another round at" : "which branch";
}

static const char *deed(const Stmt *s) { return is_loop(s) ? "" : " chose"; }

static const char *two_arms(const Stmt *s, const char *branches)
{
    return is_loop(s) ? "a round and the end of the loop" : branches;
}

// ---- reports ----

static void report_same_label(Half *h, const Stmt *choice, const Clash *clash)
{
    const char *deciders = project_roles_text(h->arena, choice_deciders(choice));
    const char *label = label_text(h, clash->label);
    Diag *d = diag_report_role(h->cx->diags, head_span(choice), DIAG_CHOICE_SAME_LABEL, h->role,
                               "%s cannot know %s %s%s: %s select `%s`", h->role,
                               doubt(choice), deciders, deed(choice),
                               two_arms(choice, "both branches"), label);
    diag_within(d, h->function->at);
    diag_primary(d, "decided at %s", deciders);
    label_side(h, d, clash->left, first_arm(choice));
    label_side(h, d, clash->right, second_arm(choice));
    note_difference(h, d, clash);
    choice_help(h, d, choice, true);
}

static void report_told_apart(Half *h, const Stmt *choice, const Clash *clash)
{
    const char *deciders = project_roles_text(h->arena, choice_deciders(choice));
    bool same_channel = ir_equal_expr(clash->left->stmt->offer.channel,
                                      clash->right->stmt->offer.channel);
    const char *how = same_channel ? "of different enums" : "on different channels";
    Diag *d = diag_report_role(h->cx->diags, head_span(choice), DIAG_CHOICE_TOLD_APART, h->role,
                               "%s cannot know %s %s%s: %s select labels %s", h->role,
                               doubt(choice), deciders, deed(choice),
                               two_arms(choice, "the branches"), how);
    diag_within(d, h->function->at);
    diag_primary(d, "decided at %s", deciders);
    label_side(h, d, clash->left, first_arm(choice));
    label_side(h, d, clash->right, second_arm(choice));
    diag_note(d, "a role waits for one selection at a time: on one channel, with labels of one "
                 "enum");
    diag_help(d, "select labels of the same enum for %s %s, on the same channel", h->role,
              is_loop(choice) ? "in every round and after the last one" : "in both branches");
}

static bool is_next_round(const Code *c)
{
    return c != NULL && c->stmt != NULL && c->stmt->kind == STMT_CONTINUE;
}

// The labels of the rounds cannot tell about a `continue` as well; a match may take no case.
static bool help_skipped(Half *h, Diag *d, const Clash *clash)
{
    if (h->no_case && is_offer(clash->left)) {
        if (choice_help(h, d, h->arms_of, false))
            return true;
        diag_help(d, "add a last `case _:` that selects another label of the same enum for %s, or "
                     "raises an exception", h->role);
        return true;
    }
    bool left = is_next_round(clash->left) && is_offer(clash->right);
    if (!left && !(is_next_round(clash->right) && is_offer(clash->left)))
        return false;
    diag_help(d, "in the rounds that continue, select for %s a label of the same enum that the "
                 "loop does not use elsewhere", h->role);
    return true;
}

// What `name` was given last before the choice, in its block.
static const Expr *given(const Half *h, Sym name)
{
    for (size_t i = h->preceding.len; i-- > 0;) {
        const Stmt *s = h->preceding.at[i];
        if (s->kind == STMT_ASSIGN && s->assign.targets.at[0]->kind == EXPR_NAME &&
            s->assign.targets.at[0]->name.id == name)
            return s->assign.value;
    }
    return NULL;
}

// The role itself sent what decides: with `share` it keeps a copy, and decides as well.
static void help_share(Half *h, Diag *d, const Expr *test)
{
    const Expr *e = test->kind == EXPR_NAME ? given(h, test->name.id) : NULL;
    if (e == NULL || e->kind != EXPR_COM || e->com.shared || e->com.sender != h->role)
        return;
    uint32_t method = e->com.channel->at.end;
    Help *help = diag_help(d, "or `share` `%s`, so that %s has the value and decides in the same "
                              "way",
                           test->name.id, h->role);
    if (strncmp(h->cx->source->text.at + method, ".com(", 5) == 0)
        diag_edit(d, help, (Span){method + 1, method + 4}, "share");
}

static void report_untold(Half *h, const Stmt *choice, const Clash *clash)
{
    const Expr *test = choice->if_.test;
    const char *deciders = project_roles_text(h->arena, test->roles);
    Diag *d = diag_report_role(h->cx->diags, test->at, DIAG_CHOICE_UNTOLD, h->role,
                               "%s cannot know which branch %s chose", h->role, deciders);
    diag_within(d, h->function->at);
    diag_primary(d, "decided at %s", deciders);
    label_told(h, d, choice->if_.body, test->roles);
    label_side(h, d, clash->left, choice->if_.body);
    label_told(h, d, choice->if_.orelse, test->roles);
    label_side(h, d, clash->right, choice->if_.orelse);
    note_difference(h, d, clash);
    if (!help_skipped(h, d, clash))
        choice_help(h, d, choice, true);
    help_share(h, d, test);
}

// What the role does in a round, and what it does instead when there is no other one.
static void label_rounds(Half *h, Diag *d, const Stmt *loop, const Clash *clash)
{
    const char *round = action_text(h, clash->left), *done = action_text(h, clash->right);
    if (round != NULL && in_block(clash->left, first_arm(loop)))
        diag_label(d, action_span(clash->left), "in a round %s %s", h->role, round);
    if (done != NULL && !stmt_is_loop_jump(clash->right->stmt))
        diag_label(d, action_span(clash->right), "after the last round %s %s", h->role,
                   done);
}

static void report_rounds(Half *h, const Stmt *loop, const Clash *clash)
{
    SymList roles = choice_deciders(loop);
    const char *deciders = project_roles_text(h->arena, roles);
    Diag *d = diag_report_role(h->cx->diags, head_span(loop), DIAG_LOOP_UNTOLD, h->role,
                               "%s takes part in a loop, but only %s know%s whether there is "
                               "another round", h->role, deciders, roles.len == 1 ? "s" : "");
    diag_within(d, h->function->at);
    diag_primary(d, "decided at %s", deciders);
    label_told(h, d, first_arm(loop), roles);
    label_rounds(h, d, loop, clash);
    if (!rounds_help(h, d, loop))
        choice_help(h, d, loop, true);
}

// What messages call the arms of a loop.
static void name_rounds(Half *h, const Stmt *loop)
{
    h->arm_words[0] = "in a round";
    h->arm_words[1] = "after the last round";
    h->arm_blocks[0] = first_arm(loop);
    h->arm_blocks[1] = second_arm(loop);
}

void choice_report(Half *h, const Stmt *choice, const Clash *clash)
{
    h->reported = true;
    if (h->quiet)
        return;
    if (is_loop(choice))
        name_rounds(h, choice);
    if (clash->label != NULL)
        report_same_label(h, choice, clash);
    else if (is_offer(clash->left) && is_offer(clash->right))
        report_told_apart(h, choice, clash);
    else if (is_loop(choice))
        report_rounds(h, choice, clash);
    else
        report_untold(h, choice, clash);
    if (is_loop(choice))
        h->arm_words[0] = h->arm_words[1] = NULL;
}

static const Stmt *jump_in(const Stmt *s, bool breaks)
{
    return breaks ? break_in(first_arm(s)) : return_in((StmtList){&s, 1});
}

void choice_report_jump(Half *h, const Stmt *dropped, bool breaks, const Clash *clash)
{
    h->reported = true;
    if (h->quiet)
        return;
    SymList roles = choice_deciders(dropped);
    const char *who = roles.len == 0 ? "the others" : project_roles_text(h->arena, roles);
    const Stmt *jump = jump_in(dropped, breaks);
    const Code *side = action_text(h, clash->left) != NULL ? clash->left : clash->right;
    const char *what = action_text(h, side);
    Diag *d = diag_report_role(h->cx->diags, head_span(dropped), DIAG_CHOICE_JUMP, h->role,
                               "%s cannot know whether %s left the %s here", h->role, who,
                               breaks ? "loop" : "function");
    diag_within(d, h->function->at);
    diag_primary(d, "known at %s", who);
    if (jump != NULL)
        diag_label(d, jump->at, breaks ? "this skips the `else`" : "this skips the code that "
                                                                   "follows");
    if (what != NULL)
        diag_label(d, action_span(side), "otherwise %s %s", h->role, what);
    if (breaks)
        diag_help(d, "select different labels for %s: one before the `break`, one in each round "
                     "that continues, and one in the `else` of the loop", h->role);
    else
        diag_help(d, "set a variable and leave the loop with `break`; after the loop, test the "
                     "variable with `if`, and select a different label for %s in each branch",
                  h->role);
}
