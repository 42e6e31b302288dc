// view.c - follows the entry in Python's order of evaluation and notes every message.
//
// What the diagram does not show - frames without a message, jumps whose place is plain, where a
// call starts and ends - is noted too, hidden: the automaton of a role needs it.

#include "compiler/emit/view.h"

#include <string.h>

#include "compiler/base/table.h"
#include "compiler/base/vec.h"
#include "compiler/emit/view_label.h"
#include "compiler/ir/control.h"

enum {
    MAX_DEPTH = 100,            // of calls that are followed
    MAX_EVENTS = 5000,          // a larger diagram is unreadable
};

// A choreography that is being followed: which roles play its formal ones.
typedef struct Frame {
    const struct Frame *outer;
    const Stmt *def;
    SymList     formals, actuals;       // actuals are roles of the entry
    int         depth;
    Table      *types;          // what its type variables stand for
} Frame;

typedef struct Viewer {
    const ViewCx *cx;
    Arena *arena;
    Table *functions, *classes; // name -> Choreo
    const Frame *frame;
    Vec(ViewEvent) events;
    size_t loops;               // around what is being followed, in its function
    size_t tries;               // the same, in all: a handler may catch what is raised
    const Expr *target;         // of the assignment that is being followed, or NULL
    Span        value;          // of that assignment
} Viewer;

static void view_block(Viewer *v, StmtList block);

// ---- events ----

static Sym actual(const Viewer *v, Sym role)
{
    for (size_t i = 0; i < v->frame->formals.len; i++)
        if (v->frame->formals.at[i] == role)
            return v->frame->actuals.at[i];
    return role;
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
    const Frame *entry = v->frame;
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
static const char *text_of_choice(Viewer *v, const Expr *test)
{
    Buf b = buf_new(v->arena);
    for (size_t i = 0; i < test->roles.len; i++)
        buf_printf(&b, "%s%s", i ? ", " : "", actual(v, test->roles.at[i]));
    buf_puts(&b, ": ");
    view_label_expr(&b, v->cx, test);
    return buf_text(&b);
}

// ---- calls ----

static bool is_followed(const Viewer *v, const Stmt *def)
{
    for (const Frame *f = v->frame; f; f = f->outer)
        if (f->def == def)
            return true;
    return false;
}

static SymList actual_all(Viewer *v, SymList roles)
{
    Vec(Sym) out = {0};
    for (size_t i = 0; i < roles.len; i++)
        vec_push(v->arena, &out, actual(v, roles.at[i]));
    return (SymList){out.at, out.len};
}

static void note_body(Viewer *v, ViewKind kind, const Stmt *def, SymList roles)
{
    const char *name = view_label_name(v->arena, def->function_def.name);
    ViewEvent *event = hide(add(v, kind, NULL, NULL, name));
    event->def = def;
    event->roles = roles;
}

// Do the roles play other parts than in the call that is being followed?
static bool is_rotated(const Viewer *v, const Stmt *def, SymList roles)
{
    const Frame *f = v->frame;
    while (f != NULL && f->def != def)
        f = f->outer;
    return f != NULL && f->actuals.len == roles.len && roles.len > 0 &&
           memcmp(f->actuals.at, roles.at, roles.len * sizeof *roles.at) != 0;
}

// A call that is not followed.
static void note_call(Viewer *v, const char *what, const Stmt *def, SymList roles)
{
    Buf b = buf_new(v->arena);
    buf_puts(&b, view_label_name(v->arena, def->function_def.name));
    for (size_t i = 0; is_rotated(v, def, roles) && i < roles.len; i++)
        buf_printf(&b, "%s%s%s", i == 0 ? "[" : ", ", roles.at[i], i + 1 < roles.len ? "" : "]");
    buf_printf(&b, " %s", what);
    note_body(v, VIEW_CALL, def, roles);
    if (roles.len > 0)
        spread(v, add(v, VIEW_NOTE, NULL, NULL, buf_text(&b)), roles);
}

// A declaration of what is elsewhere: of an interface, or a method that others implement.
static bool is_bodiless(const Stmt *def)
{
    StmtList body = def->function_def.body;
    const Expr *e = body.len == 1 && body.at[0]->kind == STMT_EXPR ? body.at[0]->expr.value : NULL;
    return e && e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_ELLIPSIS;
}

static void follow_body(Viewer *v, const Frame *frame)
{
    size_t loops = v->loops;
    v->loops = 0;
    v->frame = frame;
    note_body(v, VIEW_ENTER, frame->def, frame->actuals);
    view_block(v, frame->def->function_def.body);
    note_body(v, VIEW_LEAVE, frame->def, frame->actuals);
    v->frame = frame->outer;
    v->loops = loops;
}

static void follow(Viewer *v, const Stmt *def, SymList formals, SymList actuals, Table *types)
{
    Frame frame = {v->frame, def, formals, actual_all(v, actuals), v->frame->depth + 1, types};
    if (is_followed(v, def)) {
        note_call(v, "again", def, frame.actuals);
    } else if (frame.depth > MAX_DEPTH || v->events.len > MAX_EVENTS || is_bodiless(def)) {
        note_call(v, "(not shown)", def, frame.actuals);
    } else {
        follow_body(v, &frame);
    }
}

static const Stmt *find_method(const Stmt *class_, Sym name)
{
    StmtList body = class_->class_def.body;
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF && body.at[i]->function_def.name == name)
            return body.at[i];
    return NULL;
}

static Sym class_name(const Expr *target)
{
    while (target->kind == EXPR_SUBSCRIPT)
        target = target->subscript.value;
    return target->kind == EXPR_NAME ? target->name.id : NULL;
}

// The base that is a class of several roles, who plays its roles, and the types of its variables;
// NULL if there is none.
static const Stmt *go_to_base(Viewer *v, const Stmt *choreo, SymList *actuals, Table **types)
{
    ExprList bases = choreo->choreo.def->class_def.bases;
    for (size_t i = 0; i < bases.len; i++) {
        const Stmt *base = bases.at[i]->kind == EXPR_INST
                           ? table_get(v->classes, class_name(bases.at[i]->inst.target)) : NULL;
        if (base == NULL)
            continue;
        const Frame here = {NULL, NULL, choreo->choreo.formals, *actuals, 0, NULL};
        const Frame *before = v->frame;
        v->frame = &here;
        *actuals = actual_all(v, bases.at[i]->inst.actuals);
        v->frame = before;
        *types = view_types_of_base(v->arena, *types, base->choreo.def, bases.at[i]->inst.target);
        return base;
    }
    return NULL;
}

// The method of the class, or the one that it inherits.
static void follow_method(Viewer *v, const Stmt *choreo, const Expr *call, Sym name,
                          SymList actuals, Table *types)
{
    const Stmt *method = NULL;
    while (choreo && (method = find_method(choreo->choreo.def, name)) == NULL)
        choreo = go_to_base(v, choreo, &actuals, &types);
    if (choreo) {
        view_types_of_call(v->arena, types, v->frame->types, method, call, true);
        follow(v, method, choreo->choreo.formals, actuals, types);
    }
}

// A method of an instance, of `super()`, or of the class itself.
static void view_method_call(Viewer *v, const Expr *call, const Expr *target, SymList actuals)
{
    const Expr *value = target->attribute.value;
    const Ty *object = view_type(v->arena, v->frame->types, value->ty);
    const Stmt *class_ = NULL;
    Table *types = table_new(v->arena);
    if (object && object->kind == TY_INST) {
        class_ = table_get(v->classes, object->inst.name);
        actuals = object->inst.actuals;
        if (class_)
            view_types_of_class(types, class_->choreo.def, object->inst.args);
    } else if (class_name(value)) {
        class_ = table_get(v->classes, class_name(value));
    }
    if (class_ && value->kind == EXPR_NAME && sym_is(value->name.id, "super()"))
        class_ = go_to_base(v, class_, &actuals, &types);
    follow_method(v, class_, call, target->attribute.attr, actuals, types);
}

// `C[A, B](...)`: its constructor.
static void view_constructor(Viewer *v, const Expr *call, Sym name, SymList actuals)
{
    const Stmt *class_ = name ? table_get(v->classes, name) : NULL;
    const Ty *object = view_type(v->arena, v->frame->types, call->ty);
    Table *types = table_new(v->arena);
    if (class_ && object && object->kind == TY_INST)
        view_types_of_class(types, class_->choreo.def, object->inst.args);
    follow_method(v, class_, call, names_get(v->cx->names, "__init__"), actuals, types);
}

// `f[A, B](...)`, `C[A, B](...)`, `object.method(...)`, or a nested choreography.
static void view_call(Viewer *v, const Expr *call)
{
    const Expr *inst = call->call.func, *target = inst->inst.target;
    if (target->kind == EXPR_ATTRIBUTE) {
        view_method_call(v, call, target, inst->inst.actuals);
        return;
    }
    Sym name = class_name(target);
    const Stmt *choreo = name ? table_get(v->functions, name) : NULL;
    if (choreo == NULL) {
        view_constructor(v, call, name, inst->inst.actuals);
        return;
    }
    const Stmt *def = choreo->choreo.def;
    bool nested = choreo->choreo.formals.len == 0;
    Table *types = nested ? v->frame->types : table_new(v->arena);
    view_types_of_call(v->arena, types, v->frame->types, def, call, false);
    if (nested)
        follow(v, def, v->frame->formals, v->frame->formals, types);
    else
        follow(v, def, inst->inst.formals, inst->inst.actuals, types);
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
    spread(v, jump, actual_all(v, deciders));
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

static bool asks(Viewer *v, const Expr *test)
{
    size_t before = v->events.len;
    view_expr(v, test);
    bool found = v->events.len > before;
    v->events.len = before;
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
        if (!split(v, next, after, &more, &orelse) || asks(v, next->if_.test)) {
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

static void view_loop(Viewer *v, const Expr *head, const Expr *test, StmtList body, StmtList orelse)
{
    size_t start = v->events.len;
    bool endless = test && control_always(test);
    add(v, VIEW_LOOP, NULL, NULL, endless ? "True" : text_of_choice(v, head))->closed = endless;
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
        view_loop(v, s->while_.test, s->while_.test, s->while_.body, s->while_.orelse);
        break;
    case STMT_FOR:
        view_expr(v, s->for_.iter);
        view_loop(v, s->for_.iter, NULL, s->for_.body, s->for_.orelse);
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
            table_set(v->functions, s->choreo.def->function_def.name, (void *)s);
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

static void note_choreographies(Viewer *v, StmtList body)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind != STMT_CHOREO)
            continue;
        if (s->choreo.def->kind == STMT_FUNCTION_DEF)
            table_set(v->functions, s->choreo.def->function_def.name, (void *)s);
        else
            table_set(v->classes, s->choreo.def->class_def.name, (void *)s);
    }
}

bool view_collect(const ViewCx *cx, Sym entry, Diagram *diagram)
{
    Arena *a = cx->arena;
    Viewer v = {.cx = cx, .arena = a, .functions = table_new(a), .classes = table_new(a)};
    note_choreographies(&v, cx->checked->module.body);
    const Stmt *choreo = table_get(v.functions, entry);
    if (choreo == NULL)
        return false;
    SymList roles = choreo->choreo.formals;
    Frame frame = {NULL, choreo->choreo.def, roles, roles, 0, table_new(a)};
    follow_body(&v, &frame);
    *diagram = (Diagram){entry, roles, v.events.at, v.events.len};
    return true;
}
