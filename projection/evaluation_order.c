// evaluation_order.c - the order of evaluation (docs/projection.md, "Order"): what must run before
// the statement that is being projected, and what Python evaluates earlier and could notice.

#include "projection/project_expr.h"

bool role_in(SymList roles, Sym role)
{
    for (size_t i = 0; i < roles.len; i++)
        if (roles.at[i] == role)
            return true;
    return false;
}

bool expr_is_pure(const Expr *e)
{
    if (e->kind == EXPR_ATTRIBUTE)      // a field of an instance of several roles
        return e->attribute.value->ty != NULL && e->attribute.value->ty->kind == TY_INST &&
               expr_is_pure(e->attribute.value);
    return e->kind == EXPR_NAME || e->kind == EXPR_CONSTANT || e->kind == EXPR_UNIT ||
           e->kind == EXPR_LAMBDA;
}

// What running some statements earlier than Python does can change for an expression.
typedef enum Disturbance { LEAVES_ALL, CHANGES_FIELDS, CHANGES_NAMES } Disturbance;

static bool note_disturbance(void *cx, const Expr *e)
{
    Disturbance *d = cx;
    if (e->kind == EXPR_NAMED_EXPR)
        *d = CHANGES_NAMES;
    else if (e->kind == EXPR_CALL && *d == LEAVES_ALL)
        *d = CHANGES_FIELDS;
    return *d != CHANGES_NAMES;
}

static Disturbance disturbance_since(Half *h, size_t mark)
{
    Disturbance d = LEAVES_ALL;
    IrWalker w = {.cx = &d, .expr = note_disturbance};
    if (h->before.len > mark)
        ir_walk_stmts(&w, (StmtList){h->before.at + mark, h->before.len - mark});
    return d;
}

bool project_changes_fields(Half *h, size_t mark)
{
    return disturbance_since(h, mark) >= CHANGES_FIELDS;
}

static bool is_temporary(const Expr *e) { return e->kind == EXPR_NAME && e->name.id[0] == '?'; }

// Nothing can change it.
static bool is_firm(const Expr *e)
{
    return e == NULL || is_temporary(e) || e->kind == EXPR_CONSTANT || e->kind == EXPR_UNIT;
}

// Gives the same before and after what disturbs it this much.
static bool is_movable(const Expr *e, Disturbance d)
{
    if (e->kind == EXPR_STARRED)
        return is_movable(e->starred.value, d);
    if (e->kind != EXPR_TUPLE)
        return is_firm(e) || (expr_is_pure(e) &&
                              d < (e->kind == EXPR_ATTRIBUTE ? CHANGES_FIELDS : CHANGES_NAMES));
    for (size_t i = 0; i < e->tuple.elts.len; i++)
        if (!is_movable(e->tuple.elts.at[i], d))
            return false;
    return true;
}

const Expr *project_or_unit(Half *h, const Expr *e, Span at)
{
    if (e != NULL)
        return e;
    Sym unit = project_runtime_name(h->cx, "Unit");
    if (sym_is(unit, "Unit"))
        return expr_unit(h->arena, at, (ExprList){0});
    return expr_attribute(h->arena, at, expr_name(h->arena, at, unit, EXPR_CONTEXT_LOAD),
                          names_get(h->cx->names, "id"), EXPR_CONTEXT_LOAD);
}
// ---- effects and fresh names ----

static void discard_all(Half *h, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        project_discard(h, list.at[i]);
}

void project_discard(Half *h, const Expr *e)
{
    if (e == NULL || expr_is_pure(e))
        return;
    if (e->kind == EXPR_SEND)           // nobody wants the copy
        e = expr_send(h->arena, e->at, e->send.channel, e->send.value, e->send.payload, false);
    switch (e->kind) {
    case EXPR_STARRED:
        project_discard(h, e->starred.value);
        return;
    case EXPR_TUPLE:
        discard_all(h, e->tuple.elts);
        return;
    case EXPR_LIST:
        discard_all(h, e->list.elts);
        return;
    case EXPR_SLICE:
        project_discard(h, e->slice.lower);
        project_discard(h, e->slice.upper);
        project_discard(h, e->slice.step);
        return;
    case EXPR_FORMATTED_VALUE:
        project_discard(h, e->formatted_value.value);
        return;
    case EXPR_BOOL_OP: case EXPR_NAMED_EXPR: case EXPR_BIN_OP: case EXPR_UNARY_OP:
    case EXPR_LAMBDA: case EXPR_IF_EXP: case EXPR_DICT: case EXPR_SET: case EXPR_LIST_COMP:
    case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_AWAIT:
    case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_COMPARE: case EXPR_CALL:
    case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT:
    case EXPR_NAME: case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM:
    case EXPR_SELECT: case EXPR_UNIT: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_COUNT:
        vec_push(h->arena, &h->before, stmt_expr(h->arena, e->at, e));
        return;
    }
}

static void insert_before(Half *h, size_t mark, const Stmt *s)
{
    vec_push(h->arena, &h->before, s);
    memmove(h->before.at + mark + 1, h->before.at + mark,
            (h->before.len - 1 - mark) * sizeof *h->before.at);
    h->before.at[mark] = s;
}

// Binds the value to a name that no program can write; normalise_names gives it a readable one.
const Expr *project_bind_as(Half *h, const Expr *value, const char *base, size_t mark)
{
    Arena *a = h->arena;
    Sym name = names_format(h->cx->names, "?%zu:%s", h->temps++, base);
    const Expr **target = ARENA_NEW(a, const Expr *);
    *target = expr_with_ty(a, expr_name(a, value->at, name, EXPR_CONTEXT_STORE), value->ty,
                           value->roles);
    insert_before(h, mark, stmt_assign(a, value->at, (ExprList){target, 1}, value));
    h->any_temps = true;
    return expr_with_ty(a, expr_name(a, value->at, name, EXPR_CONTEXT_LOAD), value->ty,
                        value->roles);
}

static const Expr *keep(Half *h, const Expr *e, size_t mark, Disturbance d);

static const Expr *keep_slice(Half *h, const Expr *e, size_t mark, Disturbance d)
{
    const Expr *parts[3] = {e->slice.lower, e->slice.upper, e->slice.step};
    for (size_t i = 0; i < 3; i++) {
        size_t was = h->before.len;
        parts[i] = parts[i] == NULL ? NULL : keep(h, parts[i], mark, d);
        mark += h->before.len - was;
    }
    return expr_slice(h->arena, e->at, parts[0], parts[1], parts[2]);
}

static bool has_fields(const Expr *spec)
{
    for (size_t i = 0; spec != NULL && i < spec->joined_str.values.len; i++)
        if (spec->joined_str.values.at[i]->kind != EXPR_CONSTANT)
            return true;
    return false;
}

// A field of an f-string: its text, where the format is computed too.
static const Expr *keep_field(Half *h, const Expr *e, size_t mark, Disturbance d)
{
    const Expr *value = e->formatted_value.value, *spec = e->formatted_value.format_spec;
    if (!has_fields(spec))
        return expr_formatted_value(h->arena, e->at, keep(h, value, mark, d),
                                    e->formatted_value.conversion, spec);
    const Expr **field = ARENA_NEW(h->arena, const Expr *);
    *field = e;
    const Expr *text = expr_joined_str(h->arena, e->at, (ExprList){field, 1});
    return expr_formatted_value(h->arena, e->at, project_bind(h, text, mark), -1, NULL);
}

// The value as it is at `before[mark]`.
static const Expr *keep(Half *h, const Expr *e, size_t mark, Disturbance d)
{
    if (e->kind == EXPR_STARRED)
        return expr_starred(h->arena, e->at, keep(h, e->starred.value, mark, d), e->starred.ctx);
    if (e->kind == EXPR_FORMATTED_VALUE)
        return keep_field(h, e, mark, d);
    if (e->kind == EXPR_SLICE)
        return keep_slice(h, e, mark, d);
    return is_movable(e, d) ? e : project_bind(h, e, mark);
}

const Expr *project_bind(Half *h, const Expr *e, size_t mark)
{
    return project_bind_as(h, e, "value", mark);
}

// The first `count` values were projected before `before[mark]` was: if anything was added since,
// they must be evaluated ahead of it.
void project_hold(Half *h, const Expr **held, size_t count, size_t mark)
{
    if (h->before.len == mark)
        return;
    Disturbance d = disturbance_since(h, mark);
    for (size_t i = 0; i < count; i++) {
        size_t was = h->before.len;
        if (held[i] == NULL)
            continue;
        held[i] = keep(h, held[i], mark, d);
        mark += h->before.len - was;
    }
}

void parts_hold(Half *h, Parts *parts, const Expr *child)
{
    size_t mark = h->before.len;
    const Expr *e = child == NULL ? NULL : project_expr(h, child);
    if (h->before.len > mark && parts->len > 0) {
        project_hold(h, parts->at + parts->settled, parts->len - parts->settled, mark);
        while (parts->settled < parts->len && is_firm(parts->at[parts->settled]))
            parts->settled++;
    }
    vec_push(h->arena, parts, e);
}

void parts_discard(Half *h, Parts *parts)
{
    project_discard(h, parts->at[parts->len - 1]);
    parts->at[parts->len - 1] = NULL;           // what comes later must not keep it again
}

// A sub-expression that Python may not evaluate: the checker lets it do nothing at other roles.
const Expr *project_inner(Half *h, const Expr *e)
{
    size_t mark = h->before.len;
    const Expr *inner = e == NULL ? NULL : project_expr(h, e);
    if (h->before.len > mark) {
        Diag *d = diag_report(h->cx->diags, e->at, DIAG_CONDITIONAL_COM,
                              "%s would communicate in an expression that Python may skip",
                              h->role);
        diag_help(d, "communicate in a statement before this one, and use the result here");
        h->before.len = mark;
    }
    return inner;
}

// Looked up without effects.
bool expr_callee_movable(const Expr *e)
{
    while (e->kind == EXPR_ATTRIBUTE && !expr_is_pure(e))
        e = e->attribute.value;
    return expr_is_pure(e);
}
