// project_expr.c - endpoint projection of expressions (docs/projection.md, "Projection": literal,
// pin, attr, call, method, new, binop, other).
//
// An expression whose value a role does not hold leaves nothing but its effects there. These, and
// receipts, become statements in front of the one being projected; what Python evaluates earlier
// and could notice is kept in a fresh name first, so that the order at every role is Python's.

#include <string.h>

#include "projection/projection_internal.h"

// Parts of an expression; the first `settled` of them stay as they are whatever runs next.
typedef struct Parts {
    const Expr **at;
    size_t       len, cap, settled;
} Parts;

bool role_in(SymList roles, Sym role)
{
    for (size_t i = 0; i < roles.len; i++)
        if (roles.at[i] == role)
            return true;
    return false;
}

// Local code is left as it was parsed: without type and roles.
static bool is_unjudged(const Expr *e) { return e->roles.len == 0 && e->ty == NULL; }

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
static const Expr *bind(Half *h, const Expr *value, const char *base, size_t mark)
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

// The value as it is at `before[mark]`.
static const Expr *keep(Half *h, const Expr *e, size_t mark, Disturbance d)
{
    if (e->kind == EXPR_STARRED)
        return expr_starred(h->arena, e->at, keep(h, e->starred.value, mark, d), e->starred.ctx);
    if (e->kind == EXPR_FORMATTED_VALUE)
        return expr_formatted_value(h->arena, e->at, keep(h, e->formatted_value.value, mark, d),
                                    e->formatted_value.conversion, e->formatted_value.format_spec);
    if (e->kind == EXPR_SLICE)
        return keep_slice(h, e, mark, d);
    return is_movable(e, d) ? e : project_bind(h, e, mark);
}

const Expr *project_bind(Half *h, const Expr *e, size_t mark)
{
    return bind(h, e, "value", mark);
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

static void hold(Half *h, Parts *parts, const Expr *child)
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

// A sub-expression that Python may not evaluate: the checker lets it do nothing at other roles.
const Expr *project_inner(Half *h, const Expr *e)
{
    size_t mark = h->before.len;
    const Expr *inner = e == NULL ? NULL : project_expr(h, e);
    if (h->before.len > mark) {
        diag_report(h->cx->diags, e->at, DIAG_CONDITIONAL_COM,
                    "%s would communicate where Python may not evaluate it", h->role);
        h->before.len = mark;
    }
    return inner;
}

// ---- forms with parts ----

static void list_all(Arena *a, ExprList list, Parts *out)
{
    for (size_t i = 0; i < list.len; i++)
        vec_push(a, out, list.at[i]);
}

static void list_arguments(Arena *a, const Expr *call, Parts *out)
{
    list_all(a, call->call.args, out);
    for (size_t i = 0; i < call->call.keywords.len; i++)
        vec_push(a, out, call->call.keywords.at[i]->value);
}

static void list_slice(Arena *a, const Expr *e, Parts *out)
{
    vec_push(a, out, e->slice.lower);
    vec_push(a, out, e->slice.upper);
    vec_push(a, out, e->slice.step);
}

static void list_dict(Arena *a, const Expr *e, Parts *out)
{
    for (size_t i = 0; i < e->dict.values.len; i++) {
        vec_push(a, out, e->dict.keys.at[i]);
        vec_push(a, out, e->dict.values.at[i]);
    }
}

// The parts after the spine child (or all of them), in Python's order of evaluation.
static void list_parts(Arena *a, const Expr *e, Parts *out)
{
    switch (e->kind) {
    case EXPR_BIN_OP:          vec_push(a, out, e->bin_op.right); return;
    case EXPR_CALL:            list_arguments(a, e, out); return;
    case EXPR_SUBSCRIPT:       vec_push(a, out, e->subscript.slice); return;
    case EXPR_NAMED_EXPR:      vec_push(a, out, e->named_expr.value); return;
    case EXPR_DICT:            list_dict(a, e, out); return;
    case EXPR_SET:             list_all(a, e->set.elts, out); return;
    case EXPR_LIST:            list_all(a, e->list.elts, out); return;
    case EXPR_TUPLE:           list_all(a, e->tuple.elts, out); return;
    case EXPR_JOINED_STR:      list_all(a, e->joined_str.values, out); return;
    case EXPR_FORMATTED_VALUE: vec_push(a, out, e->formatted_value.value);
                               vec_push(a, out, e->formatted_value.format_spec); return;
    case EXPR_STARRED:         vec_push(a, out, e->starred.value); return;
    case EXPR_SLICE:           list_slice(a, e, out); return;
    case EXPR_AWAIT:           vec_push(a, out, e->await.value); return;
    case EXPR_YIELD:           vec_push(a, out, e->yield.value); return;
    case EXPR_YIELD_FROM:      vec_push(a, out, e->yield_from.value); return;
    case EXPR_UNARY_OP: case EXPR_ATTRIBUTE: case EXPR_CONSTANT: case EXPR_NAME:
    case EXPR_UNIT: case EXPR_BOOL_OP: case EXPR_IF_EXP: case EXPR_COMPARE: case EXPR_LAMBDA:
    case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP:
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        return;
    }
}

static ExprList all_of(Half *h, const Expr **parts, ExprList old)
{
    for (size_t i = 0; i < old.len; i++)
        parts[i] = project_or_unit(h, parts[i], old.at[i]->at);
    return (ExprList){parts, old.len};
}

static const Expr *with_arguments(Half *h, const Expr *e, const Expr *func, const Expr **parts)
{
    Arena *a = h->arena;
    KeywordList old = e->call.keywords;
    ExprList args = all_of(h, parts, e->call.args);
    const Keyword **keywords = ARENA_ARRAY(a, const Keyword *, old.len);
    for (size_t i = 0; i < old.len; i++) {
        const Expr *value = parts[e->call.args.len + i];
        keywords[i] = keyword_new(a, old.at[i]->at, old.at[i]->arg,
                                  project_or_unit(h, value, old.at[i]->at));
    }
    return expr_call(a, e->at, func, args, (KeywordList){keywords, old.len});
}

static const Expr *with_dict(Half *h, const Expr *e, const Expr **parts)
{
    size_t n = e->dict.values.len;
    const Expr **keys = ARENA_ARRAY(h->arena, const Expr *, n);
    const Expr **values = ARENA_ARRAY(h->arena, const Expr *, n);
    for (size_t i = 0; i < n; i++) {
        keys[i] = parts[2 * i];
        values[i] = project_or_unit(h, parts[2 * i + 1], e->at);
    }
    return expr_dict(h->arena, e->at, (ExprList){keys, n}, (ExprList){values, n});
}

// The form with other parts; `spine` is the projected spine child of a form that has one.
static const Expr *with_parts(Half *h, const Expr *e, const Expr *spine, const Expr **parts)
{
    Arena *a = h->arena;
    switch (e->kind) {
    case EXPR_BIN_OP:
        return expr_bin_op(a, e->at, spine, e->bin_op.op, project_or_unit(h, parts[0], e->at));
    case EXPR_UNARY_OP:        return expr_unary_op(a, e->at, e->unary_op.op, spine);
    case EXPR_CALL:            return with_arguments(h, e, spine, parts);
    case EXPR_ATTRIBUTE:
        return expr_attribute(a, e->at, spine, e->attribute.attr, e->attribute.ctx);
    case EXPR_SUBSCRIPT:
        return expr_subscript(a, e->at, spine, project_or_unit(h, parts[0], e->at),
                              e->subscript.ctx);
    case EXPR_NAMED_EXPR:
        return expr_named_expr(a, e->at, e->named_expr.target,
                               project_or_unit(h, parts[0], e->at));
    case EXPR_DICT:            return with_dict(h, e, parts);
    case EXPR_SET:             return expr_set(a, e->at, all_of(h, parts, e->set.elts));
    case EXPR_LIST:
        return expr_list(a, e->at, all_of(h, parts, e->list.elts), e->list.ctx);
    case EXPR_TUPLE:
        return expr_tuple(a, e->at, all_of(h, parts, e->tuple.elts), e->tuple.ctx);
    case EXPR_JOINED_STR:
        return expr_joined_str(a, e->at, all_of(h, parts, e->joined_str.values));
    case EXPR_FORMATTED_VALUE:
        return expr_formatted_value(a, e->at, project_or_unit(h, parts[0], e->at),
                                    e->formatted_value.conversion, parts[1]);
    case EXPR_STARRED:
        return expr_starred(a, e->at, project_or_unit(h, parts[0], e->at), e->starred.ctx);
    case EXPR_SLICE:           return expr_slice(a, e->at, parts[0], parts[1], parts[2]);
    case EXPR_AWAIT:           return expr_await(a, e->at, parts[0]);
    case EXPR_YIELD:           return expr_yield(a, e->at, parts[0]);
    case EXPR_YIELD_FROM:      return expr_yield_from(a, e->at, parts[0]);
    case EXPR_CONSTANT: case EXPR_NAME: case EXPR_UNIT: case EXPR_BOOL_OP: case EXPR_IF_EXP:
    case EXPR_COMPARE: case EXPR_LAMBDA: case EXPR_LIST_COMP: case EXPR_SET_COMP:
    case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP: case EXPR_LOCATED: case EXPR_INST:
    case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_SEND: case EXPR_RECV:
    case EXPR_SEND_LABEL: case EXPR_COUNT:
        return e;
    }
    return e;
}

// Parts of a larger form that are no values themselves go where the form goes.
static bool goes_with_parts(const Expr *e)
{
    return e->kind == EXPR_STARRED || e->kind == EXPR_SLICE || e->kind == EXPR_FORMATTED_VALUE ||
           is_unjudged(e);
}

static bool any_here(const Expr *spine, const Parts *parts)
{
    bool found = spine != NULL;
    for (size_t i = 0; i < parts->len; i++)
        found = found || parts->at[i] != NULL;
    return found;
}

// A bound method is looked up without effects; what has effects is the object.
static void discard_callee(Half *h, const Expr *e, const Expr *spine)
{
    bool method = e->kind == EXPR_CALL && spine != NULL && spine->kind == EXPR_ATTRIBUTE;
    project_discard(h, method ? spine->attribute.value : spine);
}

static bool same_parts(const Expr *e, const Expr *spine, const Parts *old, const Parts *parts)
{
    if (spine != expr_spine_child(e))
        return false;
    return old->len == 0 || memcmp(old->at, parts->at, old->len * sizeof *old->at) == 0;
}

static bool callee_movable(const Expr *e)
{
    return expr_is_pure(e) || (e->kind == EXPR_ATTRIBUTE && callee_movable(e->attribute.value));
}

// Any form whose parts are all evaluated, once: kept with its parts, or dropped for their effects.
static const Expr *project_form(Half *h, const Expr *e, const Expr *spine)
{
    Parts old = {0}, parts = {0};
    bool loose = goes_with_parts(e);
    bool here = loose || role_in(e->roles, h->role);
    list_parts(h->arena, e, &old);
    if (!here)
        discard_callee(h, e, spine);
    for (size_t i = 0; i < old.len; i++) {
        size_t mark = h->before.len;
        hold(h, &parts, old.at[i]);
        if (!here)
            project_discard(h, parts.at[i]);
        else if (spine != NULL && !(e->kind == EXPR_CALL && callee_movable(spine)))
            project_hold(h, &spine, 1, mark);
    }
    bool has_parts = old.len > 0 || expr_spine_child(e) != NULL;
    if (!here || (loose && has_parts && !any_here(spine, &parts)))
        return NULL;
    if (same_parts(e, spine, &old, &parts))
        return e;
    if (expr_spine_child(e) != NULL)
        spine = project_or_unit(h, spine, e->at);
    return expr_with_ty(h->arena, with_parts(h, e, spine, parts.at), e->ty, e->roles);
}

// ---- forms that evaluate a part conditionally: only what is evaluated for certain has effects at
// the roles that do not hold the result ----

static ExprList inner_list(Half *h, ExprList list, size_t from, const Expr **first)
{
    const Expr **out = ARENA_ARRAY(h->arena, const Expr *, list.len);
    for (size_t i = 0; i < list.len; i++)
        out[i] = project_or_unit(h, i < from ? first[i] : project_inner(h, list.at[i]),
                                 list.at[i]->at);
    return (ExprList){out, list.len};
}

static const Expr *project_bool_op(Half *h, const Expr *e)
{
    const Expr *first = project_expr(h, e->bool_op.values.at[0]);
    if (!role_in(e->roles, h->role) && !is_unjudged(e)) {
        project_discard(h, first);
        return NULL;
    }
    ExprList values = inner_list(h, e->bool_op.values, 1, &first);
    return expr_bool_op(h->arena, e->at, e->bool_op.op, values);
}

static const Expr *project_compare(Half *h, const Expr *e)
{
    Parts parts = {0};
    hold(h, &parts, e->compare.left);
    if (!role_in(e->roles, h->role) && !is_unjudged(e)) {
        project_discard(h, parts.at[0]);
        project_discard(h, project_expr(h, e->compare.comparators.at[0]));
        return NULL;
    }
    hold(h, &parts, e->compare.comparators.at[0]);
    ExprList comparators = inner_list(h, e->compare.comparators, 1, parts.at + 1);
    return expr_compare(h->arena, e->at, project_or_unit(h, parts.at[0], e->at), e->compare.ops,
                        comparators);
}

static const Expr *project_if_exp(Half *h, const Expr *e)
{
    const Expr *test = project_expr(h, e->if_exp.test);
    if (!role_in(e->roles, h->role) && !is_unjudged(e)) {
        project_discard(h, test);
        return NULL;
    }
    Vec(const Expr *) links = {0};
    const Expr *last = e;
    for (; last->kind == EXPR_IF_EXP; last = last->if_exp.orelse)
        vec_push(h->arena, &links, last);
    const Expr *orelse = project_or_unit(h, project_inner(h, last), last->at);
    for (size_t i = links.len; i-- > 0;) {
        const Expr *link = links.at[i], *body = project_inner(h, link->if_exp.body);
        const Expr *own = i == 0 ? test : project_inner(h, link->if_exp.test);
        orelse = expr_with_ty(h->arena,
                              expr_if_exp(h->arena, link->at, project_or_unit(h, own, link->at),
                                          project_or_unit(h, body, link->at), orelse),
                              link->ty, link->roles);
    }
    return orelse;
}

static ExprList inner_all(Half *h, ExprList list) { return inner_list(h, list, 0, NULL); }

// The first iterable is evaluated once, where the comprehension stands.
static ComprehensionList project_generators(Half *h, ComprehensionList list, const Expr *iter)
{
    const Comprehension **out = ARENA_ARRAY(h->arena, const Comprehension *, list.len);
    for (size_t i = 0; i < list.len; i++) {
        const Comprehension *c = list.at[i];
        const Expr *own = i == 0 ? iter : project_inner(h, c->iter);
        out[i] = comprehension_new(h->arena, c->target, project_or_unit(h, own, c->iter->at),
                                   inner_all(h, c->ifs), c->is_async);
    }
    return (ComprehensionList){out, list.len};
}

static const Expr *inner_or_unit(Half *h, const Expr *e)
{
    return project_or_unit(h, project_inner(h, e), e->at);
}

static const Expr *project_comprehension(Half *h, const Expr *e, ComprehensionList generators)
{
    Arena *a = h->arena;
    const Expr *iter = project_expr(h, generators.at[0]->iter);
    if (!role_in(e->roles, h->role) && !is_unjudged(e)) {
        project_discard(h, iter);
        return NULL;
    }
    generators = project_generators(h, generators, iter);
    if (e->kind == EXPR_DICT_COMP)
        return expr_dict_comp(a, e->at, inner_or_unit(h, e->dict_comp.key),
                              inner_or_unit(h, e->dict_comp.value), generators);
    if (e->kind == EXPR_LIST_COMP)
        return expr_list_comp(a, e->at, inner_or_unit(h, e->list_comp.elt), generators);
    if (e->kind == EXPR_SET_COMP)
        return expr_set_comp(a, e->at, inner_or_unit(h, e->set_comp.elt), generators);
    return expr_generator_exp(a, e->at, inner_or_unit(h, e->generator_exp.elt), generators);
}

static const Expr *project_lambda(Half *h, const Expr *e)
{
    if (!role_in(e->roles, h->role) && !is_unjudged(e))
        return NULL;
    return expr_lambda(h->arena, e->at, e->lambda.args, inner_or_unit(h, e->lambda.body));
}

// ---- choreographic forms ----

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

// `from_client`: what a received value is called.
static const char *receipt_name(Half *h, Sym sender)
{
    size_t n = strlen(sender);
    char *name = arena_alloc(h->arena, n + sizeof "from_");
    memcpy(name, "from_", 5);
    for (size_t i = 0; i < n; i++)
        name[5 + i] = lower(sender[i]);
    return name;
}

static const Expr *project_send(Half *h, const Expr *e)
{
    Parts parts = {0};
    size_t mark;
    hold(h, &parts, e->com.channel);
    const Expr *channel = project_or_unit(h, parts.at[0], e->com.channel->at);
    mark = h->before.len;
    const Expr *value = project_or_unit(h, project_expr(h, e->com.value), e->com.value->at);
    if (!callee_movable(channel))
        project_hold(h, &channel, 1, mark);
    vec_push(h->arena, &h->before,
             stmt_expr(h->arena, e->at, expr_send(h->arena, e->at, channel, value, e->ty)));
    return NULL;
}

static const Expr *project_receive(Half *h, const Expr *e)
{
    bool direct = h->direct == e;
    const Expr *channel = project_or_unit(h, project_expr(h, e->com.channel), e->at);
    size_t mark = h->before.len;
    project_discard(h, project_expr(h, e->com.value));
    if (!callee_movable(channel))
        project_hold(h, &channel, 1, mark);
    const Expr *receipt = expr_with_ty(h->arena, expr_recv(h->arena, e->at, channel, e->ty), e->ty,
                                       e->roles);
    if (direct)
        return receipt;
    return bind(h, receipt, receipt_name(h, e->com.sender), h->before.len);
}

static const Expr *project_com(Half *h, const Expr *e)
{
    if (e->com.sender == h->role)
        return project_send(h, e);
    if (e->com.receiver == h->role)
        return project_receive(h, e);
    project_discard(h, project_expr(h, e->com.channel));
    project_discard(h, project_expr(h, e->com.value));
    return NULL;
}

static const Expr *project_select(Half *h, const Expr *e)
{
    const Expr *channel = project_expr(h, e->select.channel);
    if (e->select.sender != h->role) {
        project_discard(h, channel);
        return NULL;
    }
    channel = project_or_unit(h, channel, e->at);
    vec_push(h->arena, &h->before,
             stmt_expr(h->arena, e->at,
                       expr_send_label(h->arena, e->at, channel, e->select.label)));
    return NULL;
}

static const Expr *project_pin(Half *h, const Expr *e)
{
    if (h->direct == e)
        h->direct = e->pin.value;
    const Expr *value = project_expr(h, e->pin.value);
    if (role_in(e->pin.at_roles, h->role))
        return value;
    project_discard(h, value);
    return NULL;
}

static Sym formal_of(const Expr *inst, Sym role)
{
    for (size_t i = 0; i < inst->inst.actuals.len && i < inst->inst.formals.len; i++)
        if (inst->inst.actuals.at[i] == role)
            return inst->inst.formals.at[i];
    return NULL;
}

// `f` becomes the half that this role plays; a method keeps its name.
static const Expr *project_callee(Half *h, const Expr *inst)
{
    const Expr *target = inst->inst.target;
    if (target->kind == EXPR_ATTRIBUTE) {
        const Expr *object = project_expr(h, target->attribute.value);
        return object == NULL ? NULL
                              : expr_attribute(h->arena, target->at, object,
                                               target->attribute.attr, EXPR_CONTEXT_LOAD);
    }
    Sym formal = formal_of(inst, h->role);
    if (formal == NULL || target->kind != EXPR_NAME)
        return target;
    return expr_name(h->arena, target->at, project_half_name(h->cx, target->name.id, formal),
                     EXPR_CONTEXT_LOAD);
}

static const Expr *project_choreographic_call(Half *h, const Expr *e)
{
    Parts old = {0}, parts = {0};
    const Expr *inst = e->call.func;
    bool result = role_in(e->roles, h->role);
    bool here = result || role_in(inst->inst.acts, h->role);
    const Expr *callee = project_callee(h, inst);
    if (!here && callee != NULL && callee->kind == EXPR_ATTRIBUTE)
        project_discard(h, callee->attribute.value);
    list_arguments(h->arena, e, &old);
    for (size_t i = 0; i < old.len; i++) {
        size_t mark = h->before.len;
        hold(h, &parts, old.at[i]);
        if (!here)
            project_discard(h, parts.at[i]);
        else if (callee != NULL && !callee_movable(callee))
            project_hold(h, &callee, 1, mark);
    }
    if (!here)
        return NULL;
    const Expr *call = with_arguments(h, e, project_or_unit(h, callee, inst->at), parts.at);
    call = expr_with_ty(h->arena, call, e->ty, e->roles);
    if (result)
        return call;
    vec_push(h->arena, &h->before, stmt_expr(h->arena, e->at, call));
    return NULL;
}

// ---- all forms ----

static const Expr *typed(Half *h, const Expr *e, const Expr *projected)
{
    if (projected == NULL || projected == e || projected->ty != NULL || projected->roles.len > 0)
        return projected;
    return expr_with_ty(h->arena, projected, e->ty, e->roles);
}

static const Expr *project_node(Half *h, const Expr *e, const Expr *spine)
{
    switch (e->kind) {
    case EXPR_NAME: case EXPR_CONSTANT: case EXPR_UNIT:
        return is_unjudged(e) || role_in(e->roles, h->role) ? e : NULL;
    case EXPR_BOOL_OP:       return typed(h, e, project_bool_op(h, e));
    case EXPR_COMPARE:       return typed(h, e, project_compare(h, e));
    case EXPR_IF_EXP:        return project_if_exp(h, e);
    case EXPR_LAMBDA:        return typed(h, e, project_lambda(h, e));
    case EXPR_LIST_COMP:
        return typed(h, e, project_comprehension(h, e, e->list_comp.generators));
    case EXPR_SET_COMP:
        return typed(h, e, project_comprehension(h, e, e->set_comp.generators));
    case EXPR_DICT_COMP:
        return typed(h, e, project_comprehension(h, e, e->dict_comp.generators));
    case EXPR_GENERATOR_EXP:
        return typed(h, e, project_comprehension(h, e, e->generator_exp.generators));
    case EXPR_COM:           return project_com(h, e);
    case EXPR_SELECT:        return project_select(h, e);
    case EXPR_PIN:           return project_pin(h, e);
    case EXPR_INST:          return project_callee(h, e);
    case EXPR_CALL:
        return e->call.func->kind == EXPR_INST ? project_choreographic_call(h, e)
                                               : project_form(h, e, spine);
    case EXPR_NAMED_EXPR: case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_DICT: case EXPR_SET:
    case EXPR_AWAIT: case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_FORMATTED_VALUE:
    case EXPR_JOINED_STR: case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT: case EXPR_STARRED:
    case EXPR_LIST: case EXPR_TUPLE: case EXPR_SLICE:
        return project_form(h, e, spine);
    case EXPR_LOCATED: case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        return e;
    }
    return e;
}

// The next node of a spine that is evaluated first and unconditionally.
static const Expr *first_child(const Expr *e)
{
    if (e->kind == EXPR_IF_EXP || (e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST))
        return NULL;
    return expr_spine_child(e);
}

const Expr *project_expr(Half *h, const Expr *e)
{
    Vec(const Expr *) spine = {0};
    const Expr *child = first_child(e);
    if (child == NULL)
        return project_node(h, e, NULL);
    for (; child != NULL; e = child, child = first_child(child))
        vec_push(h->arena, &spine, e);
    const Expr *r = project_node(h, e, NULL);
    for (size_t i = spine.len; i-- > 0;)
        r = project_node(h, spine.at[i], r);
    return r;
}

const Expr *project_value(Half *h, const Expr *e)
{
    h->direct = e;
    const Expr *value = project_expr(h, e);
    h->direct = NULL;
    return value;
}

// ---- targets ----

static const Expr *ignored(Half *h, const Expr *e)
{
    Sym name = names_get(h->cx->names, "_");
    const Expr *target = expr_name(h->arena, e->at, name, EXPR_CONTEXT_STORE);
    return e->kind == EXPR_STARRED ? expr_starred(h->arena, e->at, target, EXPR_CONTEXT_STORE)
                                   : target;
}

static const Expr *target_list(Half *h, const Expr *e, ExprList elts, bool value_here)
{
    const Expr **out = ARENA_ARRAY(h->arena, const Expr *, elts.len);
    bool any = elts.len == 0 && value_here;
    for (size_t i = 0; i < elts.len; i++) {
        out[i] = project_target(h, elts.at[i], value_here);
        any = any || out[i] != NULL;
    }
    if (!any)
        return NULL;
    for (size_t i = 0; i < elts.len; i++)
        out[i] = out[i] != NULL ? out[i] : ignored(h, elts.at[i]);
    ExprList list = {out, elts.len};
    return e->kind == EXPR_LIST ? expr_list(h->arena, e->at, list, e->list.ctx)
                                : expr_tuple(h->arena, e->at, list, e->tuple.ctx);
}

// A target at this role, or NULL; `value_here` decides for targets that the checker left alone.
const Expr *project_target(Half *h, const Expr *e, bool value_here)
{
    if (e->kind == EXPR_TUPLE)
        return target_list(h, e, e->tuple.elts, value_here);
    if (e->kind == EXPR_LIST)
        return target_list(h, e, e->list.elts, value_here);
    if (e->kind == EXPR_STARRED) {
        const Expr *inner = project_target(h, e->starred.value, value_here);
        return inner == NULL ? NULL : expr_starred(h->arena, e->at, inner, e->starred.ctx);
    }
    if (is_unjudged(e) && !value_here)
        return NULL;
    return project_expr(h, e);
}
