// move_message.c - edits for a message where only one role knows whether, or how often, it is sent:
// a `for` loop in place of a comprehension, the `else` of a `try` in place of its body. The
// selections that both need are added where edits are tried (compiler/pass/prove_edits.c).

#include <string.h>

#include "typecheck/internal.h"

// ---- the text around ----

static Text text_of(const Program *p, uint32_t start, uint32_t end) {
    return (Text){p->source->text.at + start, end - start};
}

static const char *copy_of(Program *p, Span at) {
    return arena_strndup(p->arena, p->source->text.at + at.start, at.end - at.start);
}

// The definition of the module that a place is in.
static Span definition_around(const Program *p, Span at) {
    for (size_t i = 0; i < p->body.len; i++)
        if (p->body.at[i]->at.start <= at.start && at.end <= p->body.at[i]->at.end)
            return p->body.at[i]->at;
    return at;
}

static bool is_used_before(const Program *p, Span at, Sym name) {
    Span around = definition_around(p, at);
    return text_has_word(text_of(p, around.start, at.start), name, strlen(name));
}

static bool is_used_outside(const Program *p, Span at, Sym name) {
    Span around = definition_around(p, at);
    return is_used_before(p, at, name) ||
        text_has_word(text_of(p, at.end, around.end), name, strlen(name));
}

static Sym fresh_name(Program *p, Span at, const char *base) {
    Span around = definition_around(p, at);
    Text text = text_of(p, around.start, around.end);
    Sym name = names_get(p->names, base);
    for (int n = 2; text_has_word(text, name, strlen(name)); n++)
        name = names_format(p->names, "%s%d", base, n);
    return name;
}

// The blanks before the first statement of a line; NULL: it is not the first.
static const char *indentation(Program *p, Span at) {
    const char *text = p->source->text.at;
    uint32_t line = p->source->lines[source_line_index(p->source, at.start)];
    size_t blanks = strspn(text + line, " \t");
    return line + blanks == at.start ? arena_strndup(p->arena, text + line, blanks) : NULL;
}

static uint32_t line_end(const Program *p, uint32_t at) {
    return at + (uint32_t)strcspn(p->source->text.at + at, "\r\n");
}

// Nothing else is on the lines of the statement; a comment may follow it.
static bool is_alone(Program *p, const Stmt *s) {
    const char *text = p->source->text.at;
    char after = text[s->at.end + strspn(text + s->at.end, " \t")];
    return indentation(p, s->at) != NULL &&
        (after == '\0' || after == '\n' || after == '\r' || after == '#');
}

// ---- a loop in place of a comprehension ----

static const Expr *value_of(const Stmt *s) {
    if (s->kind == STMT_RETURN) return s->return_.value;
    if (s->kind == STMT_ASSIGN)
        return s->assign.targets.len == 1 && s->assign.targets.at[0]->kind == EXPR_NAME
            ? s->assign.value : NULL;
    bool declares = s->kind == STMT_ANN_ASSIGN && s->ann_assign.target->kind == EXPR_NAME;
    return declares ? s->ann_assign.value : NULL;
}

typedef struct Holder { Span value; const Stmt *found; } Holder;

static bool find_holder(void *cx, const Stmt *s) {
    Holder *h = cx;
    const Expr *value = value_of(s);
    if (value != NULL && value->at.start == h->value.start && value->at.end == h->value.end)
        h->found = s;
    return h->found == NULL;
}

// The statement that assigns or returns the value.
static const Stmt *holder_of(const Program *p, Span value) {
    Holder h = {value, NULL};
    IrWalker w = {.cx = &h, .stmt = find_holder};
    ir_walk_stmts(&w, p->body);
    return h.found;
}

static bool is_plain_loop(Program *p, const Expr *e, const Expr *elt, ComprehensionList list) {
    const Comprehension *c = list.at[0];
    return e->kind == EXPR_LIST_COMP && list.len == 1 && c->ifs.len == 0 && !c->is_async &&
        c->target->kind == EXPR_NAME && !is_used_outside(p, e->at, c->target->name.id) &&
        strchr(copy_of(p, c->iter->at), '\n') == NULL && !type_unknown(elt->ty) &&
        elt->roles.len > 0;
}

// The statement with an empty list in place of the comprehension.
static const char *start_of_list(Program *p, const Stmt *s, const Expr *elt, Sym name) {
    const char *type = names_format(p->names, "At[list[%s], %s]", type_text(p, elt->ty),
                                    roles_list(p->arena, elt->roles));
    if (s->kind == STMT_ANN_ASSIGN)
        return names_format(p->names, "%s[]",
                            copy_of(p, (Span){s->at.start, s->ann_assign.value->at.start}));
    return s->kind == STMT_ASSIGN && is_used_before(p, s->at, name)
        ? names_format(p->names, "%s = []", name)
        : names_format(p->names, "%s: %s = []", name, type);
}

static void edit_loop(Program *p, Diag *d, Help *h, const Expr *e, const Expr *elt,
                      ComprehensionList list) {
    const Stmt *s = holder_of(p, e->at);
    if (s == NULL || !is_alone(p, s) || !is_plain_loop(p, e, elt, list)) return;
    const Comprehension *c = list.at[0];
    const char *in = indentation(p, s->at);
    Sym name = s->kind == STMT_RETURN ? fresh_name(p, e->at, "results")
        : s->kind == STMT_ASSIGN ? s->assign.targets.at[0]->name.id
        : s->ann_assign.target->name.id;
    Buf b = buf_new(p->arena);
    buf_printf(&b, "%s\n%sfor %s in %s:\n%s    %s.append(%s)", start_of_list(p, s, elt, name), in,
               c->target->name.id, copy_of(p, c->iter->at), in, name, copy_of(p, elt->at));
    if (s->kind == STMT_RETURN) buf_printf(&b, "\n%sreturn %s", in, name);
    diag_edit(d, h, s->at, "%s", buf_text(&b));
}

static bool find_com(void *cx, const Expr *e) {
    const Expr **found = cx;
    if (e->kind == EXPR_COM && *found == NULL) *found = e;
    return *found == NULL;
}

typedef struct Sent { Sym name; const Expr *com; } Sent;

// The message that sends the variable of the loop itself.
static bool find_sent(void *cx, const Expr *e) {
    Sent *s = cx;
    if (e->kind == EXPR_COM && e->com.value->kind == EXPR_NAME &&
        e->com.value->name.id == s->name)
        s->com = e;
    return s->com == NULL;
}

static void help_list(Program *p, Diag *d, const Expr *elt, const Comprehension *c) {
    Sent s = {c->target->kind == EXPR_NAME ? c->target->name.id : NULL, NULL};
    IrWalker w = {.cx = &s, .expr = find_sent};
    if (s.name != NULL) ir_walk_expr(&w, elt);
    if (s.com == NULL || c->iter->kind != EXPR_NAME || type_unknown(c->iter->ty)) {
        diag_help(d, "or send all values before this statement, as one list");
        return;
    }
    diag_help(d, "or send the list itself before this statement, with `%s.com(%s)` over a "
                 "`Channel[%s, %s, %s]`", copy_of(p, s.com->com.channel->at), c->iter->name.id,
              type_text(p, c->iter->ty), s.com->com.sender, s.com->com.receiver);
}

const char *rounds_text(Program *p, SymList who, SymList knows) {
    SymVec others = {0};
    for (size_t i = 0; i < who.len; i++)
        if (!roles_has(knows, who.at[i])) vec_push(p->arena, &others, who.at[i]);
    if (others.len == 0 || knows.len == 0) return ", which Python may run any number of times";
    return names_format(p->names, ", but %s do%s not know how many rounds there are",
                        roles_text(p->arena, (SymList){others.at, others.len}),
                        others.len == 1 ? "es" : "");
}

void help_comprehension(Program *p, Diag *d, const Expr *e, const Expr *elt,
                        ComprehensionList list) {
    const Expr *com = NULL;
    IrWalker w = {.cx = &com, .expr = find_com};
    if (elt != NULL) ir_walk_expr(&w, elt);
    Help *h = diag_help(d, "communicate in a `for` loop that selects a label in each round, and "
                           "another one in its `else`");
    if (com == NULL) return;
    edit_loop(p, d, h, e, elt, list);
    help_list(p, d, elt, list.at[0]);
}

// ---- the `else` of a `try` in place of its body ----

typedef struct Local {
    SymList roles;              // that run the body
    Span without;               // what is not asked
    const Expr *may_raise;      // the innermost of the first call, or another operation
    bool calls;                 // only calls count
} Local;

static bool meets(SymList a, SymList b) {
    for (size_t i = 0; i < a.len; i++)
        if (roles_has(b, a.at[i])) return true;
    return false;
}

static bool is_print(const Expr *e) {
    return e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME &&
        sym_is(e->call.func->name.id, "print");
}

static bool find_local(void *cx, const Expr *e) {
    Local *l = cx;
    if (l->without.start <= e->at.start && e->at.end <= l->without.end) return false;
    bool call = e->kind == EXPR_CALL && !is_print(e) && e->call.func->kind != EXPR_INST;
    bool other = e->kind == EXPR_BIN_OP || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_ATTRIBUTE;
    if (!meets(e->roles, l->roles) || !(call || (other && !l->calls))) return true;
    bool inside = l->may_raise == NULL || (l->may_raise->at.start <= e->at.start &&
                                           e->at.end <= l->may_raise->at.end);
    if (inside) l->may_raise = e;
    return true;
}

// A call at the roles in these statements, but for what is in `without`.
static const Expr *may_raise(StmtList body, SymList roles, Span without, bool calls) {
    Local l = {roles, without, NULL, calls};
    IrWalker w = {.cx = &l, .expr = find_local};
    ir_walk_stmts(&w, body);
    return l.may_raise;
}

static size_t index_of(StmtList body, const Expr *e) {
    size_t i = 0;
    while (i < body.len && body.at[i]->at.end < e->at.end) i++;
    return i;
}

static StmtList part_of(StmtList body, size_t from, size_t to) {
    return (StmtList){body.at + from, to - from};
}

// What follows the value of the message, in its statement and below, raises nothing that a handler
// catches now, as far as is plain to see.
static bool can_move(Program *p, const Stmt *s, size_t at, const Expr *com) {
    static const Span nowhere = {UINT32_MAX, 0};
    StmtList body = s->try.body, own = part_of(body, at, at + 1);
    const Expr *nested = NULL;
    IrWalker w = {.cx = &nested, .expr = find_com};
    ir_walk_expr(&w, com->com.value);
    bool simple = own.at[0]->kind == STMT_EXPR || own.at[0]->kind == STMT_ASSIGN ||
        own.at[0]->kind == STMT_ANN_ASSIGN;
    return nested == NULL && simple && roles_has(s->roles, com->com.sender) &&
        s->try.orelse.len + s->try.finalbody.len == 0 &&
        is_alone(p, body.at[at]) && is_alone(p, body.at[body.len - 1]) &&
        may_raise(own, s->roles, com->com.value->at, false) == NULL &&
        may_raise(part_of(body, at + 1, body.len), s->roles, nowhere, false) == NULL;
}

static void edit_else(Program *p, Diag *d, Help *h, const Stmt *s, const Expr *com) {
    StmtList body = s->try.body;
    size_t at = index_of(body, com);
    if (at == body.len || com->kind != EXPR_COM || !can_move(p, s, at, com)) return;
    const Expr *value = com->com.value;
    bool named = value->kind == EXPR_NAME || value->kind == EXPR_CONSTANT;
    if (named && at == 0) return;
    StmtList last = s->try.handlers.at[s->try.handlers.len - 1]->except_handler.body;
    Span moved = {body.at[at]->at.start, line_end(p, body.at[body.len - 1]->at.end)};
    Sym name = fresh_name(p, s->at, "value");
    uint32_t end = line_end(p, last.at[last.len - 1]->at.end);
    const char *in = indentation(p, body.at[at]->at), *outer = indentation(p, s->at);
    if (in == NULL || outer == NULL) return;
    uint32_t from = named ? line_end(p, body.at[at - 1]->at.end) : moved.start;
    diag_edit(d, h, (Span){from, moved.end}, named ? "%s%.0s" : "%s = %s", named ? "" : name,
              copy_of(p, value->at));
    diag_edit(d, h, (Span){end, end}, "\n%selse:\n%s%s%s%s", outer, in,
              copy_of(p, (Span){moved.start, value->at.start}),
              named ? copy_of(p, value->at) : name,
              copy_of(p, (Span){value->at.end, moved.end}));
}

void help_try_body(const Program *p, Diag *d, SymList roles) {
    diag_help(d, "keep in the body of the `try` only code of %s that may raise an exception",
              roles.len > 1 ? "one role" : roles_text(p->arena, roles));
}

void help_try_message(Program *p, Diag *d, const Stmt *s, const Expr *com, SymList untold) {
    const char *who = untold.len > 0 ? roles_text(p->arena, untold) : "the other role";
    Span before = {com->at.end, UINT32_MAX};
    const Expr *raises = may_raise(s->try.body, s->roles, before, true);
    if (raises != NULL)
        diag_label(d, raises->at, "if this raises an exception, %s still wait%s", who,
                   untold.len > 1 ? "" : "s");
    Help *h = diag_help(d, "communicate in the `else` of the `try`, where a selection tells %s so, "
                           "and select another label in every handler", who);
    edit_else(p, d, h, s, com);
    if (h->edit_count == 0) help_try_body(p, d, s->roles);
}
