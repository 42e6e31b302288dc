// choice.c - what to say when a role cannot know a choice (docs/projection.md, "Knowledge of
// choice"): who decides where, which role was not told, what it does differently in the two
// branches, and the selection to insert. Everything is said about the choreography, not about its
// projections.

#include <string.h>

#include "projection/projection_internal.h"

// ---- words ----

static const char *roles_text(Half *h, SymList roles)
{
    Buf b = buf_new(h->arena);
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

static const char *effect_text(Half *h, const Expr *e)
{
    if (e->kind == EXPR_CALL)
        return call_text(h, e);
    if (e->kind == EXPR_SEND)
        return format_text(h, "sends `", type_text(h, e->send.payload), "`");
    if (e->kind == EXPR_SEND_LABEL)
        return format_text(h, "selects `", label_text(h, e->send_label.label), "`");
    if (e->kind == EXPR_RECV)
        return receipt_text(h, e);
    return "evaluates this";
}

// What the role does first, as a verb with its object; NULL when it does nothing more.
static const char *action_text(Half *h, const Code *c)
{
    if (c == NULL || c->stmt == NULL)
        return NULL;
    const Stmt *s = c->stmt;
    switch (s->kind) {
    case STMT_EXPR:   return effect_text(h, s->expr.value);
    case STMT_ASSIGN:
        return s->assign.value->kind == EXPR_RECV ? receipt_text(h, s->assign.value)
                                                  : "assigns this";
    case STMT_ANN_ASSIGN:
        return s->ann_assign.value != NULL && s->ann_assign.value->kind == EXPR_RECV
                   ? receipt_text(h, s->ann_assign.value) : "assigns this";
    case STMT_OFFER:
        return format_text(h, "is told `", label_text(h, c->branches[0].label), "`");
    case STMT_RETURN: return s->return_.value == NULL ? NULL : "returns this";
    case STMT_IF:     return "decides this";
    case STMT_WHILE: case STMT_FOR: return "runs this loop";
    case STMT_RAISE:  return "raises this";
    case STMT_DELETE: return "deletes this";
    case STMT_AUG_ASSIGN: return "assigns this";
    case STMT_BREAK: case STMT_CONTINUE: return "leaves the loop";
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF:
    case STMT_TYPE_ALIAS: case STMT_ASYNC_FOR: case STMT_WITH: case STMT_ASYNC_WITH:
    case STMT_MATCH: case STMT_TRY: case STMT_TRY_STAR: case STMT_ASSERT: case STMT_IMPORT:
    case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_PASS: case STMT_CHOREO:
    case STMT_COUNT:
        return "does this";
    }
    return "does this";
}

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

static bool in_block(const Code *c, StmtList block)
{
    if (block.len == 0)
        return false;
    Span all = block_span(block), at = action_span(c);
    return at.start >= all.start && at.end <= all.end;
}

// Labels one side of the first difference.
static void label_side(Half *h, Diag *d, const Code *side, StmtList arm)
{
    const char *what = action_text(h, side);
    if (what == NULL) {
        const Stmt *s = return_in(arm);
        if (s != NULL)
            diag_label(d, s->at, "in this branch the function ends here for %s", h->role);
    } else if (in_block(side, arm)) {
        diag_label(d, action_span(side), "in this branch %s %s", h->role, what);
    } else {
        diag_label(d, action_span(side), "after the other branch %s %s", h->role, what);
    }
}

static const Expr *selection_of(const Stmt *s)
{
    return s->kind == STMT_EXPR && s->expr.value->kind == EXPR_SELECT ? s->expr.value : NULL;
}

// Who is told in this branch.
static void label_told(Half *h, Diag *d, StmtList arm, SymList deciders)
{
    for (size_t i = 0; i < arm.len; i++) {
        const Expr *e = selection_of(arm.at[i]);
        if (e != NULL && e->select.receiver != h->role && role_in(deciders, e->select.sender))
            diag_label(d, e->at, "%s is told here", e->select.receiver);
    }
}

// Says what the role does in one branch and not in the other.
static void note_difference(Half *h, Diag *d, const Clash *clash)
{
    const char *left = action_text(h, clash->left), *right = action_text(h, clash->right);
    if (left != NULL && right != NULL && strcmp(left, right) != 0)
        diag_note(d, "%s %s in one branch, and %s in the other", h->role, left, right);
    else if (left != NULL && right != NULL)
        diag_note(d, "%s %s in both branches, but not in the same way", h->role, left);
    else if (left != NULL || right != NULL)
        diag_note(d, "%s %s in one branch, and does nothing more in the other", h->role,
                  left != NULL ? left : right);
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

static bool find_field(void *cx, const Expr *e)
{
    ChannelSearch *c = cx;
    if (c->found == NULL && e->kind == EXPR_ATTRIBUTE && e->ty != NULL &&
        e->ty->kind == TY_INST && e->attribute.value->kind == EXPR_NAME &&
        sym_is(e->attribute.value->name.id, "self") &&
        joins(e->ty->inst.name, e->ty->inst.actuals, c->from, c->to))
        c->found = format_text(c->h, "self.", e->attribute.attr, "");
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

static const char *find_channel(Half *h, Sym from)
{
    ChannelSearch c = {h, from, h->role, NULL};
    IrWalker parameters = {.cx = &c, .arg = find_parameter};
    IrWalker fields = {.cx = &c, .expr = find_field};
    const Stmt *outer = h->choreo->choreo.def;
    ir_walk_arguments(&parameters, h->function->function_def.args);
    if (c.found == NULL && outer->kind == STMT_FUNCTION_DEF)
        ir_walk_arguments(&parameters, outer->function_def.args);
    if (c.found == NULL && outer->kind == STMT_CLASS_DEF)
        ir_walk_stmt(&fields, outer);
    return c.found;
}

// ---- two labels ----

typedef struct Labels { Sym enum_, left, right; } Labels;

static const Expr *first_label(StmtList arm, SymList deciders)
{
    for (size_t i = 0; i < arm.len; i++) {
        const Expr *e = selection_of(arm.at[i]);
        if (e != NULL && role_in(deciders, e->select.sender) &&
            e->select.label->kind == EXPR_ATTRIBUTE &&
            e->select.label->attribute.value->kind == EXPR_NAME)
            return e->select.label;
    }
    return NULL;
}

static Sym enum_of(const Expr *label) { return label->attribute.value->name.id; }

// Those with which the branches tell somebody else.
static bool labels_used(const Stmt *choice, Labels *out)
{
    SymList deciders = choice->if_.test->roles;
    const Expr *left = first_label(choice->if_.body, deciders);
    const Expr *right = first_label(choice->if_.orelse, deciders);
    if (left == NULL || right == NULL || enum_of(left) != enum_of(right) ||
        left->attribute.attr == right->attribute.attr)
        return false;
    *out = (Labels){enum_of(left), left->attribute.attr, right->attribute.attr};
    return true;
}

static bool is_enum(const Stmt *s)
{
    for (size_t i = 0; s->kind == STMT_CLASS_DEF && i < s->class_def.bases.len; i++) {
        const Expr *base = s->class_def.bases.at[i];
        if (base->kind == EXPR_NAME && sym_is(base->name.id, "Enum"))
            return true;
    }
    return false;
}

static bool two_members(const Stmt *s, Labels *out)
{
    size_t n = 0;
    *out = (Labels){.enum_ = s->class_def.name};
    for (size_t i = 0; i < s->class_def.body.len && n < 2; i++) {
        const Stmt *m = s->class_def.body.at[i];
        if (m->kind != STMT_ASSIGN || m->assign.targets.at[0]->kind != EXPR_NAME)
            continue;
        *(n == 0 ? &out->left : &out->right) = m->assign.targets.at[0]->name.id;
        n++;
    }
    return n == 2;
}

static bool find_labels(Half *h, const Stmt *choice, Labels *out)
{
    StmtList body = h->cx->unit->module.body;
    if (labels_used(choice, out))
        return true;
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i]->kind == STMT_CHOREO ? body.at[i]->choreo.def : body.at[i];
        if (is_enum(s) && two_members(s, out))
            return true;
    }
    return false;
}

// ---- the edits ----

static const char *indentation_at(Half *h, uint32_t offset)
{
    const Source *source = h->cx->source;
    Place place = source_place(source, offset);
    Text line = source_line(source, place.line);
    size_t n = 0;
    while (n < line.len && (line.at[n] == ' ' || line.at[n] == '\t'))
        n++;
    return arena_strndup(h->arena, line.at, n);
}

static bool starts_line(Half *h, uint32_t offset)
{
    Place place = source_place(h->cx->source, offset);
    Text line = source_line(h->cx->source, place.line);
    size_t n = 0;
    while (n < line.len && (line.at[n] == ' ' || line.at[n] == '\t'))
        n++;
    return n == place.byte;
}

static bool is_elif(Half *h, StmtList orelse)
{
    Text text = h->cx->source->text;
    return orelse.len > 0 && orelse.at[0]->kind == STMT_IF &&
           orelse.at[0]->at.start + 4 <= text.len &&
           memcmp(text.at + orelse.at[0]->at.start, "elif", 4) == 0;
}

static bool can_edit(Half *h, const Stmt *choice)
{
    StmtList body = choice->if_.body, orelse = choice->if_.orelse;
    return body.len > 0 && starts_line(h, body.at[0]->at.start) &&
           starts_line(h, choice->at.start) && !is_elif(h, orelse) &&
           (orelse.len == 0 || starts_line(h, orelse.at[0]->at.start));
}

// Puts the selection in front of a branch, or behind the statement of it that tells its sender.
static void edit_branch(Half *h, Diag *d, Help *help, const Stmt *first, const Stmt *after,
                        const char *selection)
{
    const Stmt *next_to = after != NULL ? after : first;
    const char *indent = indentation_at(h, next_to->at.start);
    uint32_t at = after != NULL ? after->at.end : first->at.start;
    if (after != NULL)
        diag_edit(d, help, (Span){at, at}, "\n%s%s", indent, selection);
    else
        diag_edit(d, help, (Span){at, at}, "%s\n%s", selection, indent);
}

static void edit_missing_branch(Half *h, Diag *d, Help *help, const Stmt *choice,
                                const char *selection)
{
    StmtList body = choice->if_.body;
    uint32_t end = body.at[body.len - 1]->at.end;
    diag_edit(d, help, (Span){end, end}, "\n%selse:\n%s%s",
              indentation_at(h, choice->at.start), indentation_at(h, body.at[0]->at.start),
              selection);
}

static const char *selection_text(Half *h, const char *channel, const Labels *labels, Sym member,
                                  Sym sender)
{
    Buf b = buf_new(h->arena);
    buf_printf(&b, "%s.select(%s.%s@%s)", channel, labels->enum_, member, sender);
    return buf_text(&b);
}

// Who could tell the role: a decider, or somebody whom the deciders tell in both branches.
typedef struct Teller {
    Sym         role;
    const char *channel;
    const Stmt *left, *right;       // the selections that tell the teller; NULL for a decider
} Teller;

static const Stmt *selection_to(StmtList arm, Sym receiver)
{
    for (size_t i = 0; i < arm.len; i++) {
        const Expr *e = selection_of(arm.at[i]);
        if (e != NULL && e->select.receiver == receiver)
            return arm.at[i];
    }
    return NULL;
}

static bool find_teller(Half *h, const Stmt *choice, Teller *out)
{
    SymList deciders = choice->if_.test->roles;
    StmtList body = choice->if_.body;
    for (size_t i = 0; i < deciders.len; i++) {
        *out = (Teller){deciders.at[i], find_channel(h, deciders.at[i]), NULL, NULL};
        if (out->channel != NULL)
            return true;
    }
    for (size_t i = 0; i < body.len; i++) {
        const Expr *e = selection_of(body.at[i]);
        const Stmt *other = e == NULL || e->select.receiver == h->role
                                ? NULL : selection_to(choice->if_.orelse, e->select.receiver);
        if (other == NULL || ir_equal_expr(e->select.label, other->expr.value->select.label))
            continue;
        *out = (Teller){e->select.receiver, find_channel(h, e->select.receiver), body.at[i], other};
        if (out->channel != NULL)
            return true;
    }
    return false;
}

// Selections that come too late, or in one branch only, are to be moved or completed by hand.
static bool is_told_somewhere(Half *h, const Stmt *choice)
{
    return selection_to(choice->if_.body, h->role) != NULL ||
           selection_to(choice->if_.orelse, h->role) != NULL;
}

static void help_edits(Half *h, Diag *d, const Stmt *choice, const Teller *teller,
                       const Labels *labels)
{
    Help *help = diag_help(d, "tell %s as well, as the first thing in both branches", h->role);
    const char *left = selection_text(h, teller->channel, labels, labels->left, teller->role);
    const char *right = selection_text(h, teller->channel, labels, labels->right, teller->role);
    StmtList orelse = choice->if_.orelse;
    edit_branch(h, d, help, choice->if_.body.at[0], teller->left, left);
    if (orelse.len > 0)
        edit_branch(h, d, help, orelse.at[0], teller->right, right);
    else
        edit_missing_branch(h, d, help, choice, right);
}

static void help_tell(Half *h, Diag *d, const Stmt *choice)
{
    Teller teller;
    Labels labels;
    Sym decider = choice->if_.test->roles.at[0];
    if (!find_teller(h, choice, &teller))
        diag_help(d, "tell %s as well, as the first thing in both branches; "
                     "this needs a channel from %s to %s", h->role, decider, h->role);
    else if (is_told_somewhere(h, choice))
        diag_help(d, "tell %s in both branches, with different labels, before it does anything "
                     "that differs", h->role);
    else if (find_labels(h, choice, &labels) && can_edit(h, choice))
        help_edits(h, d, choice, &teller, &labels);
    else
        diag_help(d, "tell %s as the first thing in every branch, with a label of one enum: "
                     "`%s.select(...)`", h->role, teller.channel);
}

// ---- reports ----

static void report_same_label(Half *h, const Stmt *choice, const Clash *clash)
{
    const Expr *test = choice->if_.test;
    const char *deciders = roles_text(h, test->roles), *label = label_text(h, clash->label);
    Diag *d = diag_report_role(h->cx->diags, test->at, DIAG_CHOICE_SAME_LABEL, h->role,
                               "%s cannot tell which branch %s chose: both tell it `%s`", h->role,
                               deciders, label);
    diag_primary(d, "decided at %s", deciders);
    label_side(h, d, clash->left, choice->if_.body);
    label_side(h, d, clash->right, choice->if_.orelse);
    note_difference(h, d, clash);
    diag_help(d, "tell %s with a different label in one of the branches", h->role);
}

static void report_told_apart(Half *h, const Stmt *choice, const Clash *clash)
{
    const Expr *test = choice->if_.test;
    const char *deciders = roles_text(h, test->roles);
    bool same_channel = ir_equal_expr(clash->left->stmt->offer.channel,
                                      clash->right->stmt->offer.channel);
    Diag *d = diag_report_role(h->cx->diags, test->at, DIAG_CHOICE_TOLD_APART, h->role,
                               "%s cannot tell which branch %s chose: it is told %s", h->role,
                               deciders, same_channel ? "with labels of different enums"
                                                      : "on different channels");
    diag_primary(d, "decided at %s", deciders);
    label_side(h, d, clash->left, choice->if_.body);
    label_side(h, d, clash->right, choice->if_.orelse);
    diag_note(d, "a role waits for one selection at a time: on one channel, with labels of one "
                 "enum");
    diag_help(d, "tell %s in both branches on the same channel, with labels of the same enum",
              h->role);
}

void choice_report(Half *h, const Stmt *choice, const Clash *clash)
{
    const Expr *test = choice->if_.test;
    const char *deciders = roles_text(h, test->roles);
    if (clash->label != NULL) {
        report_same_label(h, choice, clash);
        return;
    }
    if (is_offer(clash->left) && is_offer(clash->right)) {
        report_told_apart(h, choice, clash);
        return;
    }
    Diag *d = diag_report_role(h->cx->diags, test->at, DIAG_CHOICE_UNTOLD, h->role,
                               "%s cannot tell which branch %s chose", h->role, deciders);
    diag_primary(d, "decided at %s", deciders);
    label_told(h, d, choice->if_.body, test->roles);
    label_side(h, d, clash->left, choice->if_.body);
    label_told(h, d, choice->if_.orelse, test->roles);
    label_side(h, d, clash->right, choice->if_.orelse);
    note_difference(h, d, clash);
    help_tell(h, d, choice);
}

static Span head_span(const Stmt *s)
{
    if (s->kind == STMT_WHILE)
        return s->while_.test->at;
    if (s->kind == STMT_FOR)
        return s->for_.iter->at;
    return s->kind == STMT_MATCH ? s->match.subject->at : s->at;
}

static SymList head_roles(const Stmt *s)
{
    if (s->kind == STMT_WHILE)
        return s->while_.test->roles;
    if (s->kind == STMT_FOR)
        return s->for_.iter->roles;
    return s->kind == STMT_MATCH ? s->match.subject->roles : (SymList){0};
}

void choice_report_jump(Half *h, const Stmt *dropped, const Clash *clash)
{
    SymList roles = head_roles(dropped);
    const char *who = roles.len == 0 ? "the others" : roles_text(h, roles);
    const Stmt *jump = return_in((StmtList){&dropped, 1});
    const Code *side = action_text(h, clash->left) != NULL ? clash->left : clash->right;
    const char *what = action_text(h, side);
    Diag *d = diag_report_role(h->cx->diags, head_span(dropped), DIAG_CHOICE_JUMP, h->role,
                               "%s cannot tell whether %s left the function here", h->role, who);
    diag_primary(d, "known at %s", who);
    if (jump != NULL)
        diag_label(d, jump->at, "this skips what follows");
    if (what != NULL)
        diag_label(d, action_span(side), "otherwise %s %s", h->role, what);
    diag_help(d, "keep the result in a variable, leave with `break`, and return it at the end; "
                 "or tell %s with a selection after the loop", h->role);
}
