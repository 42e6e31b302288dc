// view.c - follows the entry in Python's order of evaluation and notes every message.
//
// What the diagram does not show - frames without a message, jumps whose place is plain, where a
// call starts and ends - is noted too, hidden: the automaton of a role needs it.

#include "compiler/ir/ty.h"
#include "compiler/emit/view.h"

#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/emit/view_callee.h"
#include "compiler/emit/view_label.h"
#include "compiler/ir/control.h"

enum {
    MAX_DEPTH = 100,            // of calls that are followed
    MAX_EVENTS = 5000,          // a larger diagram is unreadable
};

typedef struct Viewer {
    const ViewCx *cx;
    Arena *arena;
    ViewChoreos choreos;
    const ViewFrame *frame;
    int bodies;                 // that were followed
    Vec(ViewEvent) events;
    size_t loops;               // around what is being followed, in its function
    size_t tries;               // the same, in all: a handler may catch what is raised
    const Expr *target;         // of the assignment that is being followed, or NULL
    Span        value;          // of that assignment
} Viewer;

static void view_block(Viewer *v, StmtList block);

// ---- events ----

static SymList actual_all(const Viewer *v, SymList roles)
{
    return view_roles(v->arena, v->frame, roles);
}

static Sym actual(const Viewer *v, Sym role)
{
    return actual_all(v, (SymList){&role, 1}).at[0];
}

static ViewEvent *add(Viewer *v, ViewKind kind, Sym from, Sym to, const char *text)
{
    ViewEvent event = {.kind = kind, .from = from, .to = to, .text = text};
    vec_push(v->arena, &v->events, event);
    return &v->events.at[v->events.len - 1];
}

static ViewEvent *hide(ViewEvent *event)
{
    event->hidden = true;
    return event;
}

// Puts an event over all of these roles of the entry: from the leftmost to the rightmost, in
// whatever order they are given.
static void spread(const Viewer *v, ViewEvent *event, SymList roles)
{
    const ViewFrame *entry = v->frame;
    while (entry->outer != NULL)
        entry = entry->outer;
    for (size_t i = entry->actuals.len; i > 0; i--)
        if (sym_in(roles, entry->actuals.at[i - 1]))
            event->from = entry->actuals.at[i - 1];
    for (size_t i = 0; i < entry->actuals.len; i++)
        if (sym_in(roles, entry->actuals.at[i]))
            event->to = entry->actuals.at[i];
}

static void add_message(Viewer *v, ViewKind kind, const Expr *e, Sym from, Sym to,
                        const char *variable, const char *type)
{
    Buf b = buf_new(v->arena);
    buf_printf(&b, "%s%s%s", variable ? variable : "", variable ? ": " : "", type);
    ViewEvent *event = add(v, kind, actual(v, from), actual(v, to), buf_text(&b));
    event->type = type;
    event->at = e->at;
    event->site = site_number(v->cx->sites, e->at.end);
}

// A condition as it was written, shortened, after the roles that decide.
static void label_roles(Viewer *v, Buf *b, const Expr *e)
{
    for (size_t i = 0; i < e->roles.len; i++)
        buf_printf(b, "%s%s", i ? ", " : "", actual(v, e->roles.at[i]));
    buf_puts(b, ": ");
}

static const char *text_of_choice(Viewer *v, const Expr *test)
{
    Buf b = buf_new(v->arena);
    label_roles(v, &b, test);
    view_label_expr(&b, v->cx, test);
    return buf_text(&b);
}

// `A: for x in xs`, as it is written.
static const char *text_of_rounds(Viewer *v, const Stmt *s)
{
    Buf b = buf_new(v->arena);
    label_roles(v, &b, s->for_.iter);
    buf_puts(&b, "for ");
    view_label_expr(&b, v->cx, s->for_.target);
    buf_puts(&b, " in ");
    view_label_expr(&b, v->cx, s->for_.iter);
    return buf_text(&b);
}

// ---- calls ----

// The body that does the same and is being followed already, or NULL.
static const ViewFrame *followed(const Viewer *v, const ViewFrame *callee)
{
    const ViewFrame *f = v->frame;
    while (f && !view_same_body(&v->choreos, f, callee))
        f = f->outer;
    return f;
}

static ViewEvent *note_body(Viewer *v, ViewKind kind, const char *name, const ViewFrame *frame)
{
    ViewEvent *event = hide(add(v, kind, NULL, NULL, view_label_name(v->arena, name)));
    event->roles = frame->actuals;
    event->body = frame->number;
    return event;
}

static bool same_roles(SymList a, SymList b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len * sizeof *a.at) == 0);
}

// A call that is not followed; a role alone sends nothing. `again`: it does what this body does,
// perhaps with the roles in other parts.
static void note_call(Viewer *v, const char *name, const ViewFrame *callee, const ViewFrame *again)
{
    Buf b = buf_new(v->arena);
    SymList roles = callee->actuals;
    if (roles.len < 2)
        return;
    buf_puts(&b, view_label_name(v->arena, name));
    for (size_t i = 0; again && !same_roles(again->actuals, roles) && i < roles.len; i++)
        buf_printf(&b, "%s%s%s", i == 0 ? "[" : ", ", roles.at[i], i + 1 < roles.len ? "" : "]");
    buf_puts(&b, again ? " again" : " (not shown)");
    note_body(v, VIEW_CALL, name, callee)->body = again ? again->number : 0;
    spread(v, add(v, VIEW_NOTE, NULL, NULL, buf_text(&b)), roles);
}

// A declaration of what is elsewhere: of an interface, or a method that others implement.
static bool is_bodiless(const Stmt *def)
{
    StmtList body = def->function_def.body;
    const Expr *e = body.len == 1 && body.at[0]->kind == STMT_EXPR ? body.at[0]->expr.value : NULL;
    return e && ty_is_ellipsis(e);
}

static void follow_body(Viewer *v, ViewFrame *frame)
{
    Sym name = frame->def->function_def.name;
    size_t loops = v->loops;
    frame->number = ++v->bodies;
    v->loops = 0;
    v->frame = frame;
    note_body(v, VIEW_ENTER, name, frame);
    view_block(v, frame->def->function_def.body);
    note_body(v, VIEW_LEAVE, name, frame);
    v->frame = frame->outer;
    v->loops = loops;
}

static void follow(Viewer *v, ViewFrame *callee)
{
    const ViewFrame *again = followed(v, callee);
    if (again || callee->depth > MAX_DEPTH || v->events.len > MAX_EVENTS
        || is_bodiless(callee->def))
        note_call(v, callee->def->function_def.name, callee, again);
    else
        follow_body(v, callee);
}

static void view_call(Viewer *v, const Expr *call)
{
    const Expr *target = call->call.func->inst.target;
    Buf text = buf_new(v->arena);
    ViewFrame callee;
    switch (view_callee(&v->choreos, v->frame, call, &callee)) {
    case VIEW_FOUND: follow(v, &callee); break;
    case VIEW_UNKNOWN:
        if (target->kind == EXPR_ATTRIBUTE)
            buf_puts(&text, target->attribute.attr);
        else
            view_label_expr(&text, v->cx, target);
        note_call(v, buf_text(&text), &callee, NULL);
        break;
    case VIEW_SILENT: break;
    }
}

// ---- expressions ----

// In generic code the payload is that of all instances; here it is that of this one.
static void view_com(Viewer *v, const Expr *e)
{
    bool all = e->at.start == v->value.start && e->at.end == v->value.end;
    const Ty *generic = e->com.value->ty, *payload = view_type(v->arena, v->frame->types, generic);
    if (payload == generic || payload == NULL)
        payload = e->com.payload;
    add_message(v, VIEW_MESSAGE, e, e->com.sender, e->com.receiver,
                view_label_variable(v->cx, e, all ? v->target : NULL),
                view_label_type(v->arena, payload));
}

// The mapper calls this for a node after its parts, which is the order of evaluation.
static const Expr *view_node(IrMapper *m, const Expr *e)
{
    Viewer *v = m->cx;
    if (e->kind == EXPR_COM)
        view_com(v, e);
    else if (e->kind == EXPR_SELECT)
        add_message(v, VIEW_SELECT, e, e->select.sender, e->select.receiver, NULL,
                    e->select.label->attribute.attr);
    else if (e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST)
        view_call(v, e);
    return e;
}

static void view_expr(Viewer *v, const Expr *e)
{
    IrMapper m = {.arena = v->arena, .cx = v, .expr = view_node};
    if (e)
        ir_map_expr(&m, e);
}

static void view_exprs(Viewer *v, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        view_expr(v, list.at[i]);
}

// ---- statements ----

// Says that nothing is sent in any part of the frame: those who decide it together go on alone.
static void keep_silent(Viewer *v, size_t start, SymList deciders)
{
    size_t count = v->events.len - start;
    ViewEvent *parts = ARENA_ARRAY(v->arena, ViewEvent, count);
    memcpy(parts, v->events.at + start, count * sizeof *parts);
    v->events.len = start;
    for (size_t i = 0; i < count; i++) {
        vec_push(v->arena, &v->events, parts[i]);
        if (!parts[i].hidden && (parts[i].kind == VIEW_ALT || parts[i].kind == VIEW_ELSE))
            spread(v, add(v, VIEW_NOTE, NULL, NULL, "no message"), actual_all(v, deciders));
    }
}

static bool has_message(const Viewer *v, size_t start)
{
    for (size_t i = start; i < v->events.len; i++) {
        ViewKind kind = v->events.at[i].kind;
        if (kind == VIEW_MESSAGE || kind == VIEW_SELECT || kind == VIEW_NOTE)
            return true;
    }
    return false;
}

// Ends the frame that was opened at `start`; one without a message in it is hidden, unless it is a
// choice that several make, each with its own copy of a value.
static void close_frame(Viewer *v, size_t start, SymList deciders)
{
    bool hidden = !has_message(v, start);
    if (hidden && deciders.len > 1 && v->events.at[start].kind == VIEW_ALT) {
        keep_silent(v, start, deciders);
        hidden = false;
    }
    add(v, VIEW_END, NULL, NULL, "");
    for (size_t i = start; hidden && i < v->events.len; i++)
        hide(&v->events.at[i]);
}

// ---- paths that end ----

static bool block_ends(StmtList block);

static bool takes_all(const MatchCase *c)
{
    return c->guard == NULL && c->pattern->kind == PATTERN_MATCH_AS
           && c->pattern->match_as.pattern == NULL;
}

static bool is_total(const Stmt *s)
{
    size_t count = s->match.cases.len;
    return count > 0 && takes_all(s->match.cases.at[count - 1]);
}

static bool match_ends(const Stmt *s)
{
    for (size_t i = 0; i < s->match.cases.len; i++)
        if (!block_ends(s->match.cases.at[i]->body))
            return false;
    return is_total(s);
}

static bool stmt_ends(const Stmt *s)
{
    if (s->kind == STMT_IF)
        return block_ends(s->if_.body) && block_ends(s->if_.orelse);
    if (s->kind == STMT_MATCH)
        return match_ends(s);
    return s->kind == STMT_RETURN || s->kind == STMT_RAISE || s->kind == STMT_BREAK
           || s->kind == STMT_CONTINUE;
}

// Whether what follows the block is never reached from it.
static bool block_ends(StmtList block)
{
    for (size_t i = 0; i < block.len; i++)
        if (stmt_ends(block.at[i]))
            return true;
    return false;
}

// What a jump is called. The return of a choreography that was called is not the end of its role.
static const char *jump_text(Viewer *v, StmtKind kind)
{
    Buf b = buf_new(v->arena);
    if (kind == STMT_RETURN && v->frame->outer) {
        buf_puts(&b, "returns from ");
        buf_puts(&b, view_label_name(v->arena, v->frame->def->function_def.name));
        return buf_text(&b);
    }
    return kind == STMT_BREAK      ? "leaves the loop"
           : kind == STMT_CONTINUE ? "next round"
           : kind == STMT_RETURN   ? "returns"
                                   : "raises";
}

static void view_jump(Viewer *v, StmtKind kind)
{
    hide(add(v, VIEW_JUMP, NULL, NULL, ""))->jump = kind;
}

// An arm of a choice of `deciders`. How it ends is said where the picture would not show it: if it
// skips what follows the choice, or leaves a loop.
static void view_arm(Viewer *v, StmtList arm, StmtList rest, SymList deciders)
{
    view_block(v, arm);
    const ViewEvent *last = v->events.len > 0 ? &v->events.at[v->events.len - 1] : NULL;
    if (arm.len == 0 || last == NULL || last->kind != VIEW_JUMP || !last->hidden)
        return;
    StmtKind kind = last->jump;
    bool leaves = kind == STMT_BREAK || (kind == STMT_RETURN && v->loops > 0);
    if (deciders.len == 0 || (rest.len == 0 && !leaves))
        return;
    ViewEvent *jump = &v->events.at[v->events.len - 1];
    jump->hidden = false;
    spread(v, jump, v->frame->actuals);
    jump->text = jump_text(v, kind);
}

static StmtList join(Viewer *v, StmtList first, StmtList second)
{
    Vec(const Stmt *) all = {0};
    for (size_t i = 0; i < first.len; i++)
        vec_push(v->arena, &all, first.at[i]);
    for (size_t i = 0; i < second.len; i++)
        vec_push(v->arena, &all, second.at[i]);
    return (StmtList){all.at, all.len};
}

// The arms of an `if`. What follows it belongs to one of them if the other ends; false: it follows
// both.
static bool split(Viewer *v, const Stmt *s, StmtList rest, StmtList *body, StmtList *orelse)
{
    bool ends = block_ends(s->if_.body), other = block_ends(s->if_.orelse);
    *body = s->if_.body;
    *orelse = s->if_.orelse;
    if (rest.len > 0 && ends && !other)
        *orelse = join(v, s->if_.orelse, rest);
    else if (rest.len > 0 && other && !ends)
        *body = join(v, s->if_.body, rest);
    return rest.len == 0 || ends != other;
}

// ---- choices, loops, exceptions ----

static bool find_message(void *cx, const Expr *e)
{
    *(bool *)cx |= e->kind == EXPR_COM || e->kind == EXPR_SELECT
                   || (e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST);
    return true;
}

// Whether a message may be sent while the test is evaluated.
static bool asks(const Expr *test)
{
    bool found = false;
    IrWalker w = {.cx = &found, .expr = find_message};
    ir_walk_expr(&w, test);
    return found;
}

// An `if`: a frame with a part for each arm, left out when nothing is sent in any of them. An
// `elif` at the same roles that asks without messages is one more part; another one is a frame in
// the last part. Gives whether `rest`, which follows, is drawn in one of the parts.
static bool view_if(Viewer *v, const Stmt *s, StmtList rest)
{
    StmtList body, orelse, more, after;
    bool inside = split(v, s, rest, &body, &orelse);
    SymList deciders = s->if_.test->roles;
    view_expr(v, s->if_.test);
    size_t start = v->events.len;
    add(v, VIEW_ALT, NULL, NULL, text_of_choice(v, s->if_.test));
    view_arm(v, body, rest, deciders);
    while (orelse.len > 0 && orelse.at[0]->kind == STMT_IF) {
        const Stmt *next = orelse.at[0];
        after = (StmtList){orelse.at + 1, orelse.len - 1};
        if (!split(v, next, after, &more, &orelse) || asks(next->if_.test)) {
            orelse = (StmtList){after.at - 1, after.len + 1};
            break;
        }
        add(v, VIEW_ELSE, NULL, NULL, text_of_choice(v, next->if_.test));
        view_arm(v, more, rest, next->if_.test->roles);
    }
    if (orelse.len > 0) {
        v->events.at[start].closed = true;
        add(v, VIEW_ELSE, NULL, NULL, "otherwise");
        view_arm(v, orelse, inside ? (StmtList){0} : rest, deciders);
    }
    close_frame(v, start, deciders);
    return inside;
}

static bool find_break(void *cx, const Stmt *s)
{
    *(bool *)cx |= s->kind == STMT_BREAK;
    return s->kind != STMT_WHILE && s->kind != STMT_FOR && s->kind != STMT_FUNCTION_DEF
           && s->kind != STMT_CLASS_DEF && s->kind != STMT_CHOREO;
}

// The `else` of a loop; it is skipped by `break`.
static void view_loop_else(Viewer *v, StmtList body, StmtList orelse)
{
    bool breaks = false;
    IrWalker w = {.cx = &breaks, .stmt = find_break};
    ir_walk_stmts(&w, body);
    size_t start = v->events.len;
    if (breaks && orelse.len > 0)
        add(v, VIEW_ALT, NULL, NULL, "no break")->closed = true;
    view_block(v, orelse);
    if (breaks && orelse.len > 0)
        close_frame(v, start, (SymList){0});
}

static void view_loop(Viewer *v, const char *title, const Expr *test, StmtList body,
                      StmtList orelse)
{
    size_t start = v->events.len;
    bool endless = test && control_always(test);
    add(v, VIEW_LOOP, NULL, NULL, endless ? "True" : title)->closed = endless;
    view_expr(v, test);
    v->loops++;
    view_block(v, body);
    v->loops--;
    close_frame(v, start, (SymList){0});
    view_expr(v, test);             // it is false now
    view_loop_else(v, body, orelse);
    hide(add(v, VIEW_AFTER_LOOP, NULL, NULL, ""));
}

static const char *text_of_case(Viewer *v, const Stmt *s, size_t index)
{
    Buf b = buf_new(v->arena);
    const MatchCase *c = s->match.cases.at[index];
    if (index == 0)
        buf_printf(&b, "%s is ", text_of_choice(v, s->match.subject));
    view_label_pattern(&b, v->cx, c->pattern);
    if (c->guard) {
        buf_puts(&b, " if ");
        view_label_expr(&b, v->cx, c->guard);
    }
    return buf_text(&b);
}

// The checker adds a last case to a `match` that is total by the types alone; it is unreachable.
static bool is_added(const Stmt *s, const MatchCase *c)
{
    return c->pattern->at.start == s->at.start;
}

static bool view_match(Viewer *v, const Stmt *s, StmtList rest)
{
    view_expr(v, s->match.subject);
    MatchCaseList cases = s->match.cases;
    size_t start = v->events.len, open = 0, count = cases.len;
    while (count > 1 && is_added(s, cases.at[count - 1]))
        count--;
    for (size_t i = 0; i < count; i++)
        open += !block_ends(cases.at[i]->body);
    bool inside = rest.len > 0 && open == 1 && count > 1;
    for (size_t i = 0; i < count; i++) {
        StmtList body = cases.at[i]->body;
        bool goes_on = inside && !block_ends(body);
        add(v, i > 0 ? VIEW_ELSE : VIEW_ALT, NULL, NULL, text_of_case(v, s, i));
        view_arm(v, goes_on ? join(v, body, rest) : body, rest, s->match.subject->roles);
    }
    v->events.at[start].closed = is_total(s);
    close_frame(v, start, s->match.subject->roles);
    return inside || rest.len == 0;
}

static const char *text_of_exception(Viewer *v, const Expr *type)
{
    Buf b = buf_new(v->arena);
    if (type == NULL)
        return "an exception";
    view_label_expr(&b, v->cx, type);
    return buf_text(&b);
}

static void view_try(Viewer *v, const Stmt *s)
{
    ExcepthandlerList handlers = s->try.handlers;
    v->tries++;
    view_block(v, s->try.body);
    v->tries--;
    size_t start = v->events.len;
    if (handlers.len > 0)
        add(v, VIEW_ALT, NULL, NULL, "no exception")->closed = true;
    view_block(v, s->try.orelse);
    for (size_t i = 0; i < handlers.len; i++) {
        add(v, VIEW_ELSE, NULL, NULL, text_of_exception(v, handlers.at[i]->except_handler.type));
        view_block(v, handlers.at[i]->except_handler.body);
    }
    if (handlers.len > 0)
        close_frame(v, start, (SymList){0});
    view_block(v, s->try.finalbody);
}

static void view_with(Viewer *v, const Stmt *s)
{
    for (size_t i = 0; i < s->with.items.len; i++)
        view_expr(v, s->with.items.at[i]->context_expr);
    view_block(v, s->with.body);
}

// The value of an assignment: a message that is all of it is named after the variable.
static void view_assigned(Viewer *v, const Expr *target, const Expr *value)
{
    if (value == NULL)
        return;
    v->target = target;
    v->value = value->at;
    view_expr(v, value);
    v->target = NULL;
}

static void view_stmt(Viewer *v, const Stmt *s)
{
    switch (s->kind) {
    case STMT_EXPR: view_expr(v, s->expr.value); break;
    case STMT_RETURN:
        view_expr(v, s->return_.value);
        view_jump(v, s->kind);
        break;
    case STMT_ASSIGN:
        view_assigned(v, s->assign.targets.len == 1 ? s->assign.targets.at[0] : NULL,
                      s->assign.value);
        view_exprs(v, s->assign.targets);
        break;
    case STMT_ANN_ASSIGN:
        view_assigned(v, s->ann_assign.target, s->ann_assign.value);
        view_expr(v, s->ann_assign.target);
        break;
    case STMT_AUG_ASSIGN:
        view_expr(v, s->aug_assign.target);
        view_expr(v, s->aug_assign.value);
        break;
    case STMT_DELETE: view_exprs(v, s->delete.targets); break;
    case STMT_WHILE:
        view_loop(v, text_of_choice(v, s->while_.test), s->while_.test, s->while_.body,
                  s->while_.orelse);
        break;
    case STMT_FOR:
        view_expr(v, s->for_.iter);
        view_loop(v, text_of_rounds(v, s), NULL, s->for_.body, s->for_.orelse);
        break;
    case STMT_TRY: view_try(v, s); break;
    case STMT_WITH: view_with(v, s); break;
    case STMT_RAISE:
        view_expr(v, s->raise.exc);
        if (v->tries == 0)
            view_jump(v, s->kind);
        break;
    case STMT_BREAK: case STMT_CONTINUE: view_jump(v, s->kind); break;
    case STMT_ASSERT: view_expr(v, s->assert.test); break;
    case STMT_CHOREO:
        if (s->choreo.def->kind == STMT_FUNCTION_DEF)
            table_set(v->frame->nested, s->choreo.def->function_def.name, (void *)s);
        break;
    case STMT_IF: case STMT_MATCH:      // of view_block
    // Definitions, and forms that only one role's code has: no message in them.
    case STMT_FUNCTION_DEF: case STMT_ASYNC_FUNCTION_DEF: case STMT_CLASS_DEF:
    case STMT_TYPE_ALIAS: case STMT_ASYNC_FOR: case STMT_ASYNC_WITH: case STMT_TRY_STAR:
    case STMT_IMPORT: case STMT_IMPORT_FROM: case STMT_GLOBAL: case STMT_NONLOCAL: case STMT_PASS:
    case STMT_OFFER: case STMT_STOPPED: case STMT_TAPE: case STMT_KEEP: case STMT_BACK:
    case STMT_COUNT:
        break;
    }
}

static void view_block(Viewer *v, StmtList block)
{
    for (size_t i = 0; i < block.len; i++) {
        const Stmt *s = block.at[i];
        StmtList rest = {block.at + i + 1, block.len - i - 1};
        if ((s->kind == STMT_IF && view_if(v, s, rest))
            || (s->kind == STMT_MATCH && view_match(v, s, rest)))
            return;
        if (s->kind != STMT_IF && s->kind != STMT_MATCH)
            view_stmt(v, s);
    }
}

bool view_collect(const ViewCx *cx, Sym entry, Diagram *diagram)
{
    Arena *a = cx->arena;
    Viewer v = {.cx = cx, .arena = a,
                .choreos = view_choreos(a, cx->names, cx->checked->module.body)};
    const Stmt *choreo = table_get(v.choreos.functions, entry);
    if (choreo == NULL)
        return false;
    ViewFrame frame;
    view_entry(&v.choreos, choreo, &frame);
    follow_body(&v, &frame);
    *diagram = (Diagram){entry, frame.actuals, v.events.at, v.events.len};
    return true;
}
