// block.c - `with`, `try`, `match`.

#include <string.h>

#include "compiler/virtualize/internal.h"
#include "parser.h"

// What stands between `return (` and `)`: a tuple needs no more parentheses than these.
static void virt_part(Virt *v, const Expr *e, Asked asked)
{
    Where outer = thunk_enter(v);
    v->w.depth++;
    virt_asked(v, e, asked);
    v->w = outer;
}

// The head of `def _pc_a1(_pc_v): nonlocal x;` and the like.
static const char *binder_head(Virt *v, const Shape *h, char letter, unsigned n, SymList names)
{
    const char *start = thunk_start(v, h, names, 0);
    return virt_text(v, "%s: %s%s", thunk_head(v, h, letter, n, virt_text(v, "%sv", v->prefix)),
                     start, *start ? ";" : "");
}

// ---- with ----

static void virt_plain_with(Virt *v, const Stmt *s)
{
    for (size_t i = 0; i < s->with.items.len; i++) {
        virt_expr(v, s->with.items.at[i]->context_expr);
        if (s->with.items.at[i]->optional_vars != NULL)
            virt_target(v, s->with.items.at[i]->optional_vars);
    }
    virt_stmts(v, s->with.body);
}

// The parenthesis around all items of a `with`, if it has one: the token behind `with` opens it.
static const Token *items_paren(const Virt *v, const Stmt *s)
{
    const Token *open = token_from(v, s->at.start) + 1;
    const Withitem *first = s->with.items.at[0];
    if (open->kind != TOK_LPAR || open->at.start == first->context_expr->at.start)
        return NULL;
    const Token *t = open;
    for (size_t depth = 0; t->kind != TOK_END; t++) {
        depth += t->kind == TOK_LPAR || t->kind == TOK_LSQB || t->kind == TOK_LBRACE;
        depth -= t->kind == TOK_RPAR || t->kind == TOK_RSQB || t->kind == TOK_RBRACE;
        if (depth == 0)
            break;
    }
    bool several = s->with.items.len > 1 || first->optional_vars != NULL || t[-1].kind == TOK_COMMA;
    return t[1].kind == TOK_COLON && several ? open : NULL;
}

static uint32_t item_end(const Withitem *item)
{
    return item->optional_vars != NULL ? item->optional_vars->at.end : item->context_expr->at.end;
}

// From the manager on: `as` binds; the manager without it ends with the item. Gives what closes.
// The first manager is evaluated where it stands, the others in thunks.
static const char *virt_item_parts(Virt *v, const Shape *h, const Withitem *item, unsigned n,
                                      bool first)
{
    const Expr *target = item->optional_vars;
    Where outer = first ? v->w : thunk_enter(v);
    v->w.depth++;
    virt_expr(v, item->context_expr);
    v->w = outer;
    if (target == NULL)
        return first ? "]" : ")";
    const Token *as = token_of_kind(v, item->context_expr->at.end, TOK_AS);
    virt_replace(v, token_with_blanks(v, as), "%s\n%s%s ", first ? "]" : ")", h->indent,
                 binder_head(v, h, 'a', n, names_of(v, target, (StmtList){0})));
    outer = thunk_enter(v);
    virt_target(v, target);
    v->w = outer;
    return virt_text(v, " = %sv", v->prefix);
}

static bool has_line_end(const Virt *v, uint32_t from, uint32_t to)
{
    return memchr(v->source->text.at + from, '\n', to - from) != NULL;
}

// A target becomes a statement: within the parentheses around all items it must stand on one line.
// Why it cannot be one; or NULL.
static const char *unfit(Virt *v, const Withitem *item)
{
    const Expr *target = item->optional_vars;
    if (target == NULL)
        return NULL;
    if (facts_of_expr(v, target) & (FACT_YIELD | FACT_AWAIT))
        return "its target contains `yield` or `await`";
    const Token *as = token_of_kind(v, item->context_expr->at.end, TOK_AS);
    const Token *behind = token_past_parens(v, target->at.end);
    uint32_t end = behind->kind == TOK_COMMA ? behind->at.start : target->at.end;
    return has_line_end(v, as->at.end, end) ? "its target is on several lines" : NULL;
}

static const char *manager_head(Virt *v, const Shape *h, unsigned n, const Expr *manager)
{
    SymList names = names_of(v, manager, (StmtList){0});
    const char *start = thunk_start(v, h, names, facts_of_expr(v, manager));
    return virt_text(v, "%s: %s%sreturn (", thunk_head(v, h, 'm', n, ""), start,
                     *start ? "; " : "");
}

// The token behind an item: the comma, or the colon; with a parenthesis around all, that.
static const Token *behind_item(const Virt *v, const Withitem *item, bool open)
{
    const Token *t = token_from(v, item_end(item));
    while (t->kind == TOK_RPAR && t[1].kind != TOK_COLON)
        t++;
    return t->kind == TOK_RPAR && !open ? t + 1 : t;
}

// Closes the last item. What is left of the parenthesis around all items needs one that opens.
static const Token *close_items(Virt *v, const Token *t, const char *end, bool open, bool closes)
{
    if (!open) {
        virt_put(v, t[-1].at.end, "%s", end);
        return t;
    }
    if (t->kind == TOK_COMMA) {
        virt_replace(v, t->at, "%s", closes ? "" : virt_text(v, "%s; (", end));
        return t + 2;
    }
    if (!closes)
        virt_put(v, t[-1].at.end, "%s; (", end);
    return t + 1;
}

// The parts of all items, `)` of the header included. Gives the colon.
static const Token *virt_items(Virt *v, const Shape *h, const Stmt *s, unsigned first)
{
    const Token *word = token_from(v, s->at.start), *open = items_paren(v, s);
    WithitemList items = s->with.items;
    uint32_t header = open != NULL ? open->at.end : token_with_blanks(v, word).end;
    virt_replace(v, (Span){word->at.start, header}, "%s = [", define(v, h, 'i', first));
    for (size_t i = 0;; i++) {
        const char *end = virt_item_parts(v, h, items.at[i], first + (unsigned)i, i == 0);
        const Token *t = behind_item(v, items.at[i], open != NULL);
        if (i + 1 == items.len)
            return close_items(v, t, end, open != NULL,
                               i > 0 && items.at[i]->optional_vars == NULL);
        virt_replace(v, token_with_blanks(v, t), "%s\n%s%s", end, h->indent,
                     manager_head(v, h, first + (unsigned)i + 1, items.at[i + 1]->context_expr));
    }
}

static const char *with_call(Virt *v, const Shape *h, const Stmt *s, size_t i, unsigned n,
                             const char *writes)
{
    const char *manager = virt_text(v, i == 0 ? "%si%u.pop()" : "%sm%u()", v->prefix, n);
    if (h->form != FORM_PLAIN && i > 0)
        manager = virt_text(v, h->form == FORM_GEN ? "(yield from %s)" : "(await %s)", manager);
    const char *target = s->with.items.at[i]->optional_vars != NULL
                             ? virt_text(v, "%sa%u", v->prefix, n) : "None";
    return hook_call(v, h, virt_text(v, "%s, %s, %sb%u, %s", manager, target, v->prefix, n,
                                     writes));
}

void virt_with(Virt *v, const Stmt *s)
{
    Shape h;
    unsigned facts = facts_of_stmt(v, s);
    size_t count = s->with.items.len;
    const char *why = NULL;
    for (size_t i = 0; i < count && why == NULL; i++)
        why = unfit(v, s->with.items.at[i]);
    if (why != NULL && wants(v, HOOK_WITH_STMT))
        note_plain(v, source_first_line(v->source, s->at), HOOK_WITH_STMT, why);
    if (why != NULL || !shape_of(v, s, HOOK_WITH_STMT, facts, &h)) {
        virt_plain_with(v, s);
        return;
    }
    unsigned first = v->number + 1, last = v->number + (unsigned)count;
    v->number = last;
    const Token *colon = virt_items(v, &h, s, first);
    virt_replace(v, colon->at, "\n%s%s:", h.indent, thunk_head(v, &h, 'b', last, ""));
    SymList names = names_of(v, NULL, s->with.body);
    thunk_suite(v, &h, colon, s->with.body, names, "");
    uint32_t end = virt_line_end(v, s->at.end);
    const char *writes = local_writes(v, names_of(v, NULL, (StmtList){&s, 1}));
    for (size_t i = count; i-- > 1;)
        virt_put(v, end, "\n%s%s: return %s", h.indent,
                 thunk_head(v, &h, 'b', first + (unsigned)i - 1, ""),
                 with_call(v, &h, s, i, first + (unsigned)i, writes));
    hook_end(v, &h, end, with_call(v, &h, s, 0, first, writes), facts);
}

// ---- try ----

static void virt_plain_try(Virt *v, const Stmt *s)
{
    virt_stmts(v, s->try.body);
    for (size_t i = 0; i < s->try.handlers.len; i++) {
        virt_expr(v, s->try.handlers.at[i]->except_handler.type);
        virt_stmts(v, s->try.handlers.at[i]->except_handler.body);
    }
    virt_stmts(v, s->try.orelse);
    virt_stmts(v, s->try.finalbody);
}

// Two statements: they bind the name of a handler to `_pc_v`, and unbind it for UNBOUND.
static const char *bind_or_unbind(Virt *v, const char *indent, Sym name)
{
    const char *unbound = use_helper(v, "UNBOUND");
    if (!is_boxed(v, name))
        return virt_text(v, "%s = %sv\n%s if %sv is %s: del %s", name, v->prefix, indent, v->prefix,
                         unbound, name);
    note_changed(v, HOOK_ASSIGN);
    note_changed(v, HOOK_DELETE);
    return virt_text(v, "%s(%s, None if %sv is %s else %sv)\n%s if %sv is %s: %s(%s)",
                     use_default(v, HOOK_ASSIGN), name, v->prefix, unbound, v->prefix, indent,
                     v->prefix, unbound, use_default(v, HOOK_DELETE), name);
}

// The function that does this with its argument.
static const char *bind_handled(Virt *v, const Shape *h, Sym name, unsigned n)
{
    SymList names = {&name, 1};
    const char *head = binder_head(v, h, 'x', n, names);
    const char *at = strchr(head, ':');
    const char *start = at[1] != '\0' && at[2] != '\0' ? at + 2 : "";
    return virt_text(v, "%s%.*s:\n%s %s%s%s", h->indent, (int)(at - head), head, h->indent, start,
                     *start ? " " : "", bind_or_unbind(v, h->indent, name));
}

// `except E as x:` is the types, then what binds and unbinds the name, then the handler. Gives its
// tuple for the hook.
static const char *virt_handler(Virt *v, const Shape *h, const Excepthandler *handler)
{
    unsigned n = ++v->number;
    const Expr *type = handler->except_handler.type;
    Sym name = handler->except_handler.name;
    const Token *word = token_from(v, handler->at.start), *colon = word + 1;
    const char *handle = thunk_head(v, h, 'h', n, ""), *bind = "None", *types = "None";
    if (type == NULL) {
        virt_replace(v, word->at, "%s", handle);
    } else {
        const char *start = thunk_start(v, h, names_of(v, type, (StmtList){0}), 0);
        Span header = {word->at.start, token_with_blanks(v, word).end};
        virt_replace(v, header, "%s: %s%sreturn (", thunk_head(v, h, 'e', n, ""), start,
                     *start ? "; " : "");
        virt_part(v, type, ASKED_NO);
        colon = token_past_parens(v, type->at.end);
        types = virt_text(v, "%se%u", v->prefix, n);
    }
    if (name != NULL) {
        const Token *as = colon;
        colon = as + 2;
        virt_replace(v, (Span){token_with_blanks(v, as).start, colon->at.end}, ")\n%s\n%s%s:",
                     bind_handled(v, h, name, n), h->indent, handle);
        bind = virt_text(v, "%sx%u", v->prefix, n);
    } else if (type != NULL) {
        virt_replace(v, colon->at, ")\n%s%s:", h->indent, handle);
    }
    thunk_suite(v, h, colon, handler->except_handler.body,
                names_of(v, NULL, handler->except_handler.body), "");
    return virt_text(v, "(%s, %s, %sh%u)", types, bind, v->prefix, n);
}

static const char *virt_handlers(Virt *v, const Shape *h, ExcepthandlerList handlers)
{
    const char *all = "";
    for (size_t i = 0; i < handlers.len; i++)
        all = virt_text(v, "%s%s%s", all, i > 0 ? ", " : "", virt_handler(v, h, handlers.at[i]));
    return virt_text(v, handlers.len == 1 ? "(%s,)" : "(%s)", all);
}

// The suite behind `else` or `finally`, which stands behind `end`.
static void virt_branch(Virt *v, const Shape *h, uint32_t end, int kind, StmtList body,
                           const char *head)
{
    const Token *word = token_of_kind(v, end, kind);
    virt_replace(v, word->at, "%s", head);
    thunk_suite(v, h, word + 1, body, names_of(v, NULL, body), "");
}

static uint32_t stmts_end(StmtList body) { return body.at[body.len - 1]->at.end; }

// A generator that is thrown into while another one drives it does not see what the other handles
// (CPython 3.11): a handler that waits stays in its own frame.
static bool handlers_wait(Virt *v, const Stmt *s)
{
    unsigned facts = 0;
    for (size_t i = 0; i < s->try.handlers.len; i++)
        facts |= facts_of_expr(v, s->try.handlers.at[i]->except_handler.type)
                 | facts_of_stmts(v, s->try.handlers.at[i]->except_handler.body);
    return (facts & (FACT_YIELD | FACT_AWAIT)) != 0;
}

bool is_try_hooked(Virt *v, const Stmt *s)
{
    Shape h;
    const char *why;
    return !handlers_wait(v, s) && shape_fits(v, s, HOOK_TRY_STMT, facts_of_stmt(v, s), &h, &why);
}

void virt_try(Virt *v, const Stmt *s)
{
    Shape h;
    unsigned facts = facts_of_stmt(v, s);
    bool wait = handlers_wait(v, s);
    if (wait && wants(v, HOOK_TRY_STMT))
        note_plain(v, source_first_line(v->source, s->at), HOOK_TRY_STMT,
                   "a handler contains `yield` or `await`");
    if (wait || !shape_of(v, s, HOOK_TRY_STMT, facts, &h)) {
        virt_plain_try(v, s);
        return;
    }
    unsigned n = ++v->number;
    const Token *word = token_from(v, s->at.start);
    virt_replace(v, word->at, "%s", thunk_head(v, &h, 'b', n, ""));
    thunk_suite(v, &h, word + 1, s->try.body, names_of(v, NULL, s->try.body), "");
    const char *handlers = virt_handlers(v, &h, s->try.handlers);
    uint32_t end = stmts_end(s->try.body);
    if (s->try.handlers.len > 0)
        end = s->try.handlers.at[s->try.handlers.len - 1]->at.end;
    if (s->try.orelse.len > 0) {
        virt_branch(v, &h, end, TOK_ELSE, s->try.orelse, thunk_head(v, &h, 'o', n, ""));
        end = stmts_end(s->try.orelse);
    }
    if (s->try.finalbody.len > 0)
        virt_branch(v, &h, end, TOK_FINALLY, s->try.finalbody, thunk_head(v, &h, 'f', n, ""));
    const char *final = s->try.finalbody.len > 0 ? virt_text(v, "%sf%u", v->prefix, n) : "None";
    const char *call = hook_call(v, &h, virt_text(
        v, "%sb%u, %s, %s, %s, %s", v->prefix, n, handlers,
        orelse_name(v, &h, s->try.orelse.len > 0, n), final,
        local_writes(v, names_of(v, NULL, (StmtList){&s, 1}))));
    hook_end(v, &h, virt_line_end(v, s->at.end), call, facts);
}

// ---- match ----

static void virt_plain_match(Virt *v, const Stmt *s)
{
    virt_expr(v, s->match.subject);
    for (size_t i = 0; i < s->match.cases.len; i++) {
        if (s->match.cases.at[i]->guard != NULL)
            virt_test(v, s->match.cases.at[i]->guard);
        virt_stmts(v, s->match.cases.at[i]->body);
    }
}

typedef struct Captures { Virt *v; Vec(Sym) names; } Captures;

Sym captured_name(const Pattern *p)
{
    return p->kind == PATTERN_MATCH_AS        ? p->match_as.name
           : p->kind == PATTERN_MATCH_STAR    ? p->match_star.name
           : p->kind == PATTERN_MATCH_MAPPING ? p->match_mapping.rest
                                              : NULL;
}

// Where the name stands that a pattern binds: at its end or, of `{**rest}`, before that.
static const Token *captured_at(const Virt *v, const Pattern *p, Sym name)
{
    const Token *t = token_before(v, p->at.end);
    while (t->kind != TOK_NAME || t->sym != name)
        t--;
    return t;
}

static bool note_capture(void *cx, const Pattern *p)
{
    Captures *c = cx;
    Sym name = captured_name(p);
    if (name != NULL && is_boxed(c->v, name))
        virt_replace(c->v, captured_at(c->v, p, name)->at, "%sc_%s", c->v->prefix, name);
    for (size_t i = 0; name != NULL && i < c->names.len; i++)
        if (c->names.at[i] == name)
            return true;
    if (name != NULL)
        vec_push(c->v->arena, &c->names, name);
    return true;
}

// What puts the captures into their boxes.
static const char *box_captures(Virt *v, SymList names)
{
    const char *text = "";
    for (size_t i = 0; i < names.len; i++)
        if (is_boxed(v, names.at[i])) {
            note_changed(v, HOOK_ASSIGN);
            text = virt_text(v, "%s%s(%s, %sc_%s); ", text, use_default(v, HOOK_ASSIGN),
                             names.at[i], v->prefix, names.at[i]);
        }
    return text;
}

// `case P if G:` is a function that matches its argument, the guard, and the body.
static const char *virt_case(Virt *v, const Shape *h, const MatchCase *c)
{
    unsigned n = ++v->number;
    Captures captures = {.v = v};
    IrWalker w = {.cx = &captures, .pattern = note_capture};
    ir_walk_pattern(&w, c->pattern);
    SymList names = {captures.names.at, captures.names.len};
    const char *boxes = box_captures(v, names);
    const Token *word = token_before(v, c->pattern->at.start);
    while (word->kind == TOK_LPAR || word->kind == TOK_LSQB)
        word--;
    const char *indent = virt_indent(v, word->at.start), *guard = "None";
    const char *start = thunk_start(v, h, names, 0);
    const char *parameter = virt_text(v, "%sv", v->prefix), *body = thunk_head(v, h, 'b', n, "");
    virt_replace(v, word->at, "%s:\n%s %s%smatch %sv:\n%s  case",
                 thunk_head(v, h, 'p', n, parameter), indent, start,
                 *start ? virt_text(v, "\n%s ", indent) : "", v->prefix, indent);
    const Token *t = token_from(v, c->pattern->at.end);
    while (t->kind != TOK_IF && t->kind != TOK_COLON)
        t++;
    if (c->guard == NULL) {
        virt_replace(v, t->at, ": %sreturn True\n%s%s:", boxes, indent, body);
    } else {
        const char *first = thunk_start(v, h, names_of(v, c->guard, (StmtList){0}),
                                        facts_of_expr(v, c->guard));
        virt_replace(v, token_with_blanks(v, t), ": %sreturn True\n%s%s: %s%sreturn (", boxes,
                     indent, thunk_head(v, h, 'g', n, ""), first, *first ? "; " : "");
        virt_part(v, c->guard, ASKED_TEST);
        t = token_past_parens(v, c->guard->at.end);
        virt_replace(v, t->at, ")\n%s%s:", indent, body);
        guard = virt_text(v, "%sg%u", v->prefix, n);
    }
    thunk_suite(v, h, t, c->body, names_of(v, NULL, c->body), "");
    return virt_text(v, "(%sp%u, %s, %sb%u)", v->prefix, n, guard, v->prefix, n);
}

// Of what becomes thunks.
static unsigned facts_of_cases(Virt *v, const Stmt *s)
{
    unsigned facts = 0;
    for (size_t i = 0; i < s->match.cases.len; i++)
        facts |= facts_of_expr(v, s->match.cases.at[i]->guard)
                 | facts_of_stmts(v, s->match.cases.at[i]->body);
    return facts;
}

bool is_match_hooked(Virt *v, const Stmt *s)
{
    Shape h;
    const char *why;
    return shape_fits(v, s, HOOK_MATCH_STMT, facts_of_cases(v, s), &h, &why);
}

void virt_match(Virt *v, const Stmt *s)
{
    Shape h;
    unsigned facts = facts_of_cases(v, s);
    if (!shape_of(v, s, HOOK_MATCH_STMT, facts, &h)) {
        virt_plain_match(v, s);
        return;
    }
    unsigned n = ++v->number;
    const Token *word = token_from(v, s->at.start);
    Span header = {word->at.start, token_with_blanks(v, word).end};
    virt_replace(v, header, "%s = [", define(v, &h, 'i', n));
    virt_argument(v, s->match.subject);
    const Token *colon = token_past_parens(v, s->match.subject->at.end);
    virt_replace(v, colon->at, "]\n%sif 1:", h.indent);
    const char *cases = "";
    for (size_t i = 0; i < s->match.cases.len; i++)
        cases = virt_text(v, "%s%s%s", cases, i > 0 ? ", " : "",
                          virt_case(v, &h, s->match.cases.at[i]));
    const char *writes = local_writes(v, names_of(v, NULL, (StmtList){&s, 1}));
    const char *call = hook_call(v, &h, virt_text(
        v, s->match.cases.len == 1 ? "%si%u.pop(), (%s,), %s" : "%si%u.pop(), (%s), %s", v->prefix,
        n, cases, writes));
    hook_end(v, &h, virt_line_end(v, s->at.end), call, facts);
}
