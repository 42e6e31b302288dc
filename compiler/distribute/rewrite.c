// rewrite.c - edits of a source by statement, laid out.

#include "compiler/distribute/rewrite.h"

#include <string.h>

#include "compiler/base/buf.h"
#include "compiler/base/table.h"
#include "compiler/distribute/bodies.h"

typedef Vec(const char *) LineList;

typedef struct Change {
    LineList before, after;
    const char *header, *otherwise;
    bool removed;
} Change;

struct Rewrite {
    Arena *arena;
    const Source *source;
    const Unit *unit;
    Table *changes;             // Stmt: Change
    Table *string_lines;        // lines that begin inside a string
    Edits front, edits, tails, back;    // at one place: lines before, expressions, arguments, lines
    bool join;                  // guards of neighbours
    const char *step;           // the file's unit of indentation
    Vec(Span) touched;
    size_t count;
};

// A list of statements in the text: the indentation of its lines, and how much more guards add.
typedef struct Level { Rewrite *r; const char *indent, *more; } Level;

// ---- what the text looks like ----

static char text_at(const Rewrite *r, uint32_t at)
{
    return at < r->source->text.len ? r->source->text.at[at] : '\n';
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }
static bool is_end(char c) { return c == '\n' || c == '\r'; }

static uint32_t line_start(const Rewrite *r, uint32_t at)
{
    return r->source->lines[source_line_index(r->source, at)];
}

static bool is_first_on_line(const Rewrite *r, uint32_t at)
{
    for (uint32_t i = line_start(r, at); i < at; i++)
        if (!is_blank(text_at(r, i)))
            return false;
    return true;
}

static const char *indent_of(const Rewrite *r, uint32_t at)
{
    uint32_t start = line_start(r, at), end = start;
    while (is_blank(text_at(r, end)) && end < at)
        end++;
    return arena_strndup(r->arena, r->source->text.at + start, end - start);
}

// Where a statement starts with its decorators.
static uint32_t start_of(const Rewrite *r, const Stmt *s)
{
    ExprList d = s->kind == STMT_FUNCTION_DEF ? s->function_def.decorator_list
                 : s->kind == STMT_ASYNC_FUNCTION_DEF ? s->async_function_def.decorator_list
                 : s->kind == STMT_CLASS_DEF ? s->class_def.decorator_list : (ExprList){NULL, 0};
    uint32_t at = d.len > 0 ? d.at[0]->at.start : s->at.start;
    while (d.len > 0 && at > 0 && text_at(r, at) != '@')
        at--;
    return at;
}

// Where the line of a statement's end stops, after a `;`, a comment, a continuation.
static uint32_t line_end(const Rewrite *r, uint32_t at)
{
    while (at < r->source->text.len && !is_end(text_at(r, at)))
        at += text_at(r, at) == '\\' && text_at(r, at + 1) == '\n' ? 2 : 1;
    return at;
}

static bool find_step(void *cx, const Stmt *owner, StmtList body)
{
    Rewrite *r = cx;
    if (r->step != NULL || !is_first_on_line(r, owner->at.start))
        return r->step != NULL;
    const char *outer = indent_of(r, owner->at.start);
    const char *inner = indent_of(r, body.at[0]->at.start);
    size_t n = strlen(outer);
    if (is_first_on_line(r, body.at[0]->at.start) && strncmp(inner, outer, n) == 0 && inner[n])
        r->step = inner + n;
    return r->step != NULL;
}

static void see_step(void *cx, const Stmt *owner, BodyKind kind, StmtList body)
{
    (void)kind;
    find_step(cx, owner, body);
}

static void see_owner(void *cx, const Stmt *s)
{
    if (((Rewrite *)cx)->step == NULL)
        bodies_each(s, see_step, cx);
}

static bool see_string(void *cx, const Expr *e)
{
    Rewrite *r = cx;
    bool string = e->kind == EXPR_JOINED_STR || (e->kind == EXPR_CONSTANT &&
                  (e->constant.value->kind == CONST_STR || e->constant.value->kind == CONST_BYTES));
    if (string) {
        size_t last = source_line_index(r->source, e->at.end);
        for (size_t i = source_line_index(r->source, e->at.start) + 1; i <= last; i++)
            table_set(r->string_lines, table_key(i), r);
    }
    return true;
}

// ---- asking ----

Rewrite *rewrite_new(Arena *a, const Source *source, const Unit *unit)
{
    Rewrite *r = ARENA_NEW(a, Rewrite);
    *r = (Rewrite){.arena = a, .source = source, .unit = unit, .changes = table_new(a),
                   .string_lines = table_new(a)};
    return r;
}

static Change *change_of(Rewrite *r, const Stmt *s)
{
    Change *c = table_get(r->changes, s);
    if (c == NULL) {
        c = ARENA_NEW(r->arena, Change);
        table_set(r->changes, s, c);
    }
    vec_push(r->arena, &r->touched, s->at);
    r->count++;
    return c;
}

void rewrite_replace(Rewrite *r, Span at, const char *text)
{
    vec_push(r->arena, &r->edits, ((Edit){at, text}));
    vec_push(r->arena, &r->touched, at);
    r->count++;
}

void rewrite_insert(Rewrite *r, uint32_t at, const char *text)
{
    rewrite_replace(r, (Span){at, at}, text);
}

void rewrite_around(Rewrite *r, Span at, const char *before, const char *after)
{
    if (*before)
        rewrite_insert(r, at.start, before);
    rewrite_insert(r, at.end, after);
}

void rewrite_argument(Rewrite *r, const Expr *call, const char *text)
{
    bool first = call->call.args.len + call->call.keywords.len == 0;
    uint32_t at = call->at.end - 1;
    for (size_t i = 0; i < r->tails.len; i++)
        first &= r->tails.at[i].at.start != at;
    Buf b = buf_new(r->arena);
    buf_printf(&b, "%s%s", first ? "" : ", ", text);
    vec_push(r->arena, &r->tails, ((Edit){{at, at}, buf_text(&b)}));
    vec_push(r->arena, &r->touched, call->at);
    r->count++;
}

bool rewrite_touches(const Rewrite *r, Span at)
{
    for (size_t i = 0; i < r->touched.len; i++)
        if (r->touched.at[i].start >= at.start && r->touched.at[i].end <= at.end)
            return true;
    return false;
}

static void move_within(Rewrite *r, Edits *from, Span at, Edits *within)
{
    size_t kept = 0;
    for (size_t i = 0; i < from->len; i++) {
        Edit e = from->at[i];
        if (e.at.start < at.start || e.at.end > at.end) {
            from->at[kept++] = e;
            continue;
        }
        e.at = (Span){e.at.start - at.start, e.at.end - at.start};
        vec_push(r->arena, within, e);
    }
    from->len = kept;
}

const char *rewrite_take(Rewrite *r, Span at)
{
    Text text = {r->source->text.at + at.start, at.end - at.start};
    Edits within = {0};
    move_within(r, &r->edits, at, &within);
    move_within(r, &r->tails, at, &within);
    Edited done = edits_apply(r->arena, text, &within);
    return arena_strndup(r->arena, done.text.at, done.text.len);
}

static void add_lines(Rewrite *r, LineList *list, const char *lines)
{
    for (const char *end; *lines; lines = *end ? end + 1 : end) {
        end = strchr(lines, '\n');
        if (end == NULL)
            end = lines + strlen(lines);
        const char *line = arena_strndup(r->arena, lines, (size_t)(end - lines));
        vec_push(r->arena, list, line);
    }
}

void rewrite_before(Rewrite *r, const Stmt *s, const char *lines)
{
    add_lines(r, &change_of(r, s)->before, lines);
}

void rewrite_after(Rewrite *r, const Stmt *s, const char *lines)
{
    add_lines(r, &change_of(r, s)->after, lines);
}

void rewrite_guard(Rewrite *r, const Stmt *s, const char *header, const char *otherwise)
{
    Change *c = change_of(r, s);
    if (c->header != NULL)
        return;
    c->header = header;
    c->otherwise = otherwise;
}

void rewrite_join(Rewrite *r) { r->join = true; }

bool rewrite_is_guarded(const Rewrite *r, const Stmt *s)
{
    const Change *c = table_get(r->changes, s);
    return c != NULL && c->header != NULL;
}

void rewrite_remove(Rewrite *r, const Stmt *s) { change_of(r, s)->removed = true; }

void rewrite_undecorate(Rewrite *r, const Stmt *def)
{
    uint32_t start = start_of(r, def), end = def->function_def.decorator_list.at[0]->at.end;
    uint32_t next = end;
    while (is_blank(text_at(r, end)))
        end++;
    while (is_blank(text_at(r, next)) || is_end(text_at(r, next)))
        next++;
    rewrite_replace(r, (Span){start, next == def->at.start ? next : end}, "");
}

size_t rewrite_count(const Rewrite *r) { return r->count; }

// ---- laying out ----

static void put_edit(Rewrite *r, Edits *list, uint32_t start, uint32_t end, Buf *b)
{
    vec_push(r->arena, list, ((Edit){{start, end}, buf_text(b)}));
}

static void put_raw(Buf *b, const char *text) { buf_raw(b, text, strlen(text)); }

static void put_line(const Level *l, Buf *b, const char *line)
{
    for (; *line == '\t'; line++)
        put_raw(b, l->r->step);
    put_raw(b, line);
}

static void put_break(const Level *l, Buf *b)
{
    put_raw(b, "\n");
    put_raw(b, l->indent);
    put_raw(b, l->more);
}

// The lines in front of a statement: the first has the indentation that is there.
static void place_before(const Level *l, const Stmt *s, const Change *c, bool joined)
{
    Buf b = buf_new(l->r->arena);
    for (size_t i = 0; i < c->before.len; i++) {
        put_line(l, &b, c->before.at[i]);
        put_break(l, &b);
    }
    if (c->header != NULL && !joined) {
        put_line(l, &b, c->header);
        put_break(l, &b);
    }
    if (c->header != NULL)
        put_raw(&b, l->r->step);
    if (b.len > 0) {
        uint32_t at = start_of(l->r, s);
        put_edit(l->r, &l->r->front, at, at, &b);
    }
}

// The lines after a statement, each with the line break in front of it.
static void gather_after(const Level *l, const Change *c, Buf *b)
{
    LineList otherwise = {0};
    if (c->otherwise != NULL)
        add_lines(l->r, &otherwise, c->otherwise);
    for (size_t i = 0; i < otherwise.len + c->after.len; i++) {
        const char *line = i < otherwise.len ? otherwise.at[i] : c->after.at[i - otherwise.len];
        if (*line == '\0') {
            put_raw(b, "\n");
            continue;
        }
        put_break(l, b);
        put_line(l, b, line);
    }
}

// Whether a line begins in what is replaced.
static bool is_replaced(const Rewrite *r, uint32_t at)
{
    for (size_t i = 0; i < r->edits.len; i++)
        if (r->edits.at[i].at.start < at && at < r->edits.at[i].at.end)
            return true;
    return false;
}

static void indent_lines(const Level *l, const Stmt *s)
{
    const Rewrite *r = l->r;
    size_t last = source_line_index(r->source, s->at.end > 0 ? s->at.end - 1 : 0);
    for (size_t i = source_line_index(r->source, start_of(r, s)) + 1; i <= last; i++) {
        uint32_t at = r->source->lines[i];
        if (table_get(r->string_lines, table_key(i)) == NULL && !is_end(text_at(r, at)) &&
            !is_replaced(r, at))
            vec_push(r->arena, &l->r->front, ((Edit){{at, at}, r->step}));
    }
}

static void place_list(const Level *outer, uint32_t owner, StmtList list);

typedef struct Inner { Level level; uint32_t owner; } Inner;

static void place_body(void *cx, const Stmt *owner, BodyKind kind, StmtList body)
{
    const Inner *in = cx;
    (void)kind;
    (void)owner;
    place_list(&in->level, in->owner, body);
}

static bool is_elif(const Rewrite *r, const Stmt *s)
{
    const char *word = r->source->text.at + s->if_.orelse.at[0]->at.start;
    return s->if_.orelse.len == 1 && s->if_.orelse.at[0]->kind == STMT_IF &&
           strncmp(word, "elif", 4) == 0;
}

// What is within a statement. A chain of `elif` is followed in a loop.
static void place_within(const Level *l, const Stmt *s, bool guarded)
{
    Inner in = {*l, start_of(l->r, s)};
    if (guarded) {
        Buf b = buf_new(l->r->arena);
        put_raw(&b, l->more);
        put_raw(&b, l->r->step);
        in.level.more = buf_text(&b);
    }
    while (s->kind == STMT_IF && s->if_.orelse.len > 0 && is_elif(l->r, s)) {
        place_body(&in, s, BODY_BRANCH, s->if_.body);
        s = s->if_.orelse.at[0];
    }
    bodies_each(s, place_body, &in);
}

// Statements at..end of a list begin on one line.
static size_t line_group(const Rewrite *r, StmtList list, size_t at)
{
    size_t end = at + 1;
    while (end < list.len && source_line_index(r->source, list.at[end]->at.start) ==
                             source_line_index(r->source, list.at[end - 1]->at.end))
        end++;
    return end;
}

static bool group_changes(const Rewrite *r, StmtList list, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (table_get(r->changes, list.at[i]) != NULL)
            return true;
    return false;
}

static void place_after(const Level *l, const Stmt *s, const Change *c)
{
    Buf b = buf_new(l->r->arena);
    gather_after(l, c, &b);
    uint32_t at = line_end(l->r, s->at.end);
    if (b.len > 0)
        put_edit(l->r, &l->r->back, at, at, &b);
}

// Between two statements of one line: the break, and what follows the first.
static void place_between(const Level *l, const Stmt *s, const Change *c, const Stmt *next)
{
    Buf b = buf_new(l->r->arena);
    if (c != NULL)
        gather_after(l, c, &b);
    put_break(l, &b);
    put_edit(l->r, &l->r->back, s->at.end, start_of(l->r, next), &b);
}

static void take_out(const Level *l, const Stmt *s)
{
    Buf b = buf_new(l->r->arena);
    put_raw(&b, "pass");
    put_edit(l->r, &l->r->edits, s->at.start, s->at.end, &b);
}

// Whether a statement goes under the guard of the one before it.
static bool is_joined(const Rewrite *r, StmtList list, size_t at)
{
    const Change *c = table_get(r->changes, list.at[at]);
    const Change *before = at > 0 ? table_get(r->changes, list.at[at - 1]) : NULL;
    return r->join && c != NULL && before != NULL && c->header != NULL && before->header != NULL &&
           strcmp(c->header, before->header) == 0 && c->before.len == 0 &&
           before->after.len == 0 && before->otherwise == NULL;
}

// Lines of comments between two statements under one guard.
static void indent_comments(const Level *l, const Stmt *from, const Stmt *to)
{
    const Rewrite *r = l->r;
    size_t end = source_line_index(r->source, start_of(r, to));
    for (size_t i = source_line_index(r->source, from->at.end) + 1; i < end; i++) {
        uint32_t at = r->source->lines[i];
        while (is_blank(text_at(r, at)))
            at++;
        if (text_at(r, at) == '#')
            vec_push(r->arena, &l->r->front, ((Edit){{at, at}, r->step}));
    }
}

static void place_group(const Level *l, StmtList list, size_t from, size_t to)
{
    Rewrite *r = l->r;
    bool split = group_changes(r, list, from, to);
    uint32_t start = start_of(r, list.at[from]);
    if (split && !is_first_on_line(r, start)) {         // a one-line suite
        uint32_t colon = start;
        Buf b = buf_new(r->arena);
        while (colon > 0 && is_blank(text_at(r, colon - 1)))
            colon--;
        put_break(l, &b);
        put_edit(r, &r->front, colon, start, &b);
    }
    for (size_t i = from; i < to; i++) {
        const Stmt *s = list.at[i];
        const Change *c = table_get(r->changes, s);
        if (c != NULL && is_joined(r, list, i))
            indent_comments(l, list.at[i - 1], s);
        if (c != NULL)
            place_before(l, s, c, is_joined(r, list, i));
        if (c != NULL && c->removed)
            take_out(l, s);
        if (c != NULL && c->header != NULL)
            indent_lines(l, s);
        place_within(l, s, c != NULL && c->header != NULL);
        if (split && i + 1 < to)
            place_between(l, s, c, list.at[i + 1]);
        else if (c != NULL)
            place_after(l, s, c);
    }
}

// `owner` is where the statement starts that has the list.
static void place_list(const Level *outer, uint32_t owner, StmtList list)
{
    Level l = *outer;
    uint32_t first = start_of(l.r, list.at[0]);
    if (is_first_on_line(l.r, first)) {
        l.indent = indent_of(l.r, first);
    } else {
        Buf b = buf_new(l.r->arena);
        put_raw(&b, indent_of(l.r, owner));
        put_raw(&b, l.r->step);
        l.indent = buf_text(&b);
    }
    for (size_t i = 0; i < list.len;) {
        size_t end = line_group(l.r, list, i);
        place_group(&l, list, i, end);
        i = end;
    }
}

Edits rewrite_edits(Rewrite *r)
{
    const IrWalker strings = {.cx = r, .expr = see_string};
    const Level top = {r, "", ""};
    if (r->count == 0 || r->unit->module.body.len == 0)
        return r->edits;
    bodies_walk(r->unit->module.body, see_owner, r);
    if (r->step == NULL)
        r->step = "    ";
    ir_walk_unit(&strings, r->unit);
    place_list(&top, 0, r->unit->module.body);
    for (size_t i = 0; i < r->edits.len; i++)
        vec_push(r->arena, &r->front, r->edits.at[i]);
    for (size_t i = 0; i < r->tails.len; i++)
        vec_push(r->arena, &r->front, r->tails.at[i]);
    for (size_t i = 0; i < r->back.len; i++)
        vec_push(r->arena, &r->front, r->back.at[i]);
    return r->front;
}
