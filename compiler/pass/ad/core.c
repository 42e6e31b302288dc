// core.c - functions and statements as terms: what follows a statement is the body of a `let`.

#include "compiler/pass/ad/core_internal.h"

#include "compiler/base/vec.h"
#include "compiler/ir/control.h"
#include "compiler/ir/free_names.h"

typedef Vec(const Stmt *) Stmts;

// Where a loop goes on, and where it ends.
typedef struct Loop {
    const Expr *again;
    const struct Rest *after;
} Loop;

// What is still to be done: the statements of a list from one on, then those of the list around it;
// or a term that is short enough to stand in several places.
typedef struct Rest {
    StmtList list;
    size_t from;
    const struct Rest *outer;
    const Loop *loop;
    const Expr *term;
} Rest;

static const Expr *rest_term(Core *c, Rest r);

// ---- names and messages ----

Sym core_fresh(Core *c, const char *base)
{
    for (int n = 1;; n++) {
        Sym name = names_format(c->names, "%s%d", base, n);
        if (table_get(c->used, name) == NULL) {
            table_set(c->used, name, c);
            return name;
        }
    }
}

void core_refuse(Core *c, Span at, const char *what, const char *instead)
{
    Diag *d = diag_report(c->diags, at, DIAG_GRAD_CONSTRUCT,
                          "this mode of `grad` does not support %s", what);
    if (instead != NULL)
        diag_help(d, "%s", instead);
    else
        diag_help(d, "rewrite this code, or try `--mode=reverse`, which supports more of Python");
}

static const CoreScope *scope_of(const Core *c, Sym name)
{
    const CoreScope *s = c->scope;
    while (s != NULL && table_get(s->bound, name) == NULL)
        s = s->outer;
    return s;
}

bool core_is_local(const Core *c, Sym name) { return scope_of(c, name) != NULL; }

bool core_is_cell(const Core *c, Sym name)
{
    const CoreScope *s = scope_of(c, name);
    return s != NULL && table_get(s->cells, name) != NULL;
}

// ---- binding ----

static const Expr *cell_name(Core *c, Span at, Sym name) { return core_name(c, at, name, NULL); }

static const Expr *then(Core *c, const Expr *first, const Expr *next)
{
    return core_let(c, names_get(c->names, "_"), first, next);
}

// The first statement of a function that mentions a cell binds it at once.
static bool begins(const Core *c, const Rest *r, Sym name)
{
    const Stmt *s = r->list.at[r->from];
    if (r->outer != NULL || r->term != NULL || scope_of(c, name) != c->scope)
        return false;
    if (core_loads(r->list.at, r->from, name) + core_stores(r->list.at, r->from, name) > 0)
        return false;
    return (s->kind == STMT_ASSIGN || s->kind == STMT_ANN_ASSIGN) && core_loads(&s, 1, name) == 0;
}

static const Expr *bound(Core *c, const Rest *r, Sym name, const Expr *value, Rest after)
{
    if (!core_is_cell(c, name))
        return core_let(c, name, value, rest_term(c, after));
    if (begins(c, r, name))
        return core_let(c, name, expr_ref(c->arena, value->at, value), rest_term(c, after));
    const Expr *put = expr_put(c->arena, value->at, cell_name(c, value->at, name), value);
    return then(c, put, rest_term(c, after));
}

// ---- what needs to stand in two places ----

static Rest unwound(Rest r)
{
    while (r.term == NULL && r.from == r.list.len && r.outer != NULL)
        r = *r.outer;
    return r;
}

static bool is_short(Rest r)
{
    r = unwound(r);
    return r.term != NULL || r.from == r.list.len;
}

static const Expr *thunk(Core *c, Span at, const Expr *body)
{
    const Arguments *none = arguments_new(c->arena, (ArgList){0}, (ArgList){0}, NULL,
                                          (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
    return expr_lambda(c->arena, at, none, body);
}

// What follows, bound to a name if it is long: then `*name` is that, and `*body` what it is.
static Rest joined(Core *c, Span at, Rest after, Sym *name, const Expr **body)
{
    *name = NULL;
    if (is_short(after))
        return after;
    *body = thunk(c, at, rest_term(c, after));
    *name = core_fresh(c, "next");
    return (Rest){.term = core_call(c, core_name(c, at, *name, NULL), 0, NULL)};
}

static const Expr *with_join(Core *c, Sym name, const Expr *body, const Expr *term)
{
    return name != NULL ? core_let(c, name, body, term) : term;
}

static bool falls_through(StmtList list)
{
    if (list.len == 0)
        return true;
    const Stmt *s = list.at[list.len - 1];
    if (s->kind == STMT_IF)
        return falls_through(s->if_.body) || falls_through(s->if_.orelse);
    return s->kind != STMT_RETURN && s->kind != STMT_BREAK && s->kind != STMT_CONTINUE
           && s->kind != STMT_RAISE;
}

// ---- branches ----

static Rest arm(const Rest *r, StmtList list, const Rest *after)
{
    return (Rest){.list = list, .outer = after, .loop = r->loop};
}

static const Expr *sided(Core *c, const Stmt *s, const Expr *subject, bool right, Rest first,
                         Rest second)
{
    Sym payload[2], name = subject->name.id;
    const Expr *made[2], *value = core_expr(c, subject);
    for (int i = 0; i < 2; i++) {
        payload[i] = core_fresh(c, "y");
        CoreCase here = {c->cases, name, payload[i], right == (i == 0)};
        c->cases = core_is_cell(c, name) ? c->cases : &here;
        made[i] = rest_term(c, i == 0 ? first : second);
        c->cases = here.outer;
    }
    return expr_case(c->arena, s->at, value, payload[right], made[right], payload[!right],
                     made[!right]);
}

static const Expr *chosen(Core *c, const Stmt *s, Rest first, Rest second)
{
    const Expr *subject, *test = s->if_.test;
    bool right, swap = false;
    while (test->kind == EXPR_UNARY_OP && test->unary_op.op == UNARYOP_NOT) {
        test = test->unary_op.operand;
        swap = !swap;
    }
    if (!core_asks_side(c, test, &subject, &right))
        return expr_if_exp(c->arena, s->at, core_test(c, s->if_.test), rest_term(c, first),
                           rest_term(c, second));
    right = right != swap;
    for (const CoreCase *k = c->cases; k != NULL; k = k->outer)
        if (k->subject == subject->name.id)
            return rest_term(c, k->right == right ? first : second);
    return sided(c, s, subject, right, first, second);
}

static const Expr *branch(Core *c, const Rest *r, const Stmt *s, Rest after)
{
    Sym name = NULL;
    const Expr *body = NULL;
    bool both = falls_through(s->if_.body) && falls_through(s->if_.orelse);
    Rest next = both ? joined(c, s->at, after, &name, &body) : after;
    const Expr *term = chosen(c, s, arm(r, s->if_.body, &next), arm(r, s->if_.orelse, &next));
    return with_join(c, name, body, term);
}

// ---- loops ----

static bool breaks(StmtList list)
{
    for (size_t i = 0; i < list.len; i++) {
        const Stmt *s = list.at[i];
        if (s->kind == STMT_BREAK
            || (s->kind == STMT_IF && (breaks(s->if_.body) || breaks(s->if_.orelse))))
            return true;
    }
    return false;
}

static const Arguments *one_parameter(Core *c, Span at, Sym name)
{
    const Arg **args = ARENA_NEW(c->arena, const Arg *);
    *args = name != NULL ? arg_with_ty(c->arena, arg_new(c->arena, at, name, NULL), c->int_) : NULL;
    return arguments_new(c->arena, (ArgList){0}, (ArgList){args, name != NULL}, NULL, (ArgList){0},
                         (ExprList){0}, NULL, (ExprList){0});
}

static Rest loop_body(StmtList body, const Loop *loop, const Rest *again)
{
    return (Rest){.list = body, .outer = again, .loop = loop};
}

static const Expr *while_loop(Core *c, const Stmt *s, Rest after)
{
    Sym name = NULL, loop = core_fresh(c, "loop");
    const Expr *join = NULL;
    Rest next = breaks(s->while_.body) && !control_always(s->while_.test)
                    ? joined(c, s->at, after, &name, &join) : after;
    if (control_always(s->while_.test))
        next = joined(c, s->at, after, &name, &join);
    const Expr *again = core_call(c, core_name(c, s->at, loop, NULL), 0, NULL);
    Loop here = {again, &next};
    Rest back = {.term = again};
    const Expr *body = rest_term(c, loop_body(s->while_.body, &here, &back));
    if (!control_always(s->while_.test))
        body = expr_if_exp(c->arena, s->at, core_test(c, s->while_.test), body,
                           rest_term(c, next));
    return with_join(c, name, join, expr_let_rec(c->arena, s->at, loop,
                                                 one_parameter(c, s->at, NULL), body, again));
}

// A counter goes from `first` by `step` while `more` holds, and `value` is what the variable is.
enum { ONCE_MAX = 8 };

typedef struct Counting {
    Sym i;
    const Expr *first, *more, *step, *value;
    Sym names[ONCE_MAX];        // of what is evaluated once, in front
    const Expr *once[ONCE_MAX];
    size_t count;
} Counting;

static const Expr *once(Core *c, Counting *k, const Expr *e, const char *base)
{
    if (e->kind == EXPR_CONSTANT || (e->kind == EXPR_NAME))
        return e;
    k->names[k->count] = core_fresh(c, base);
    k->once[k->count] = e;
    return core_name(c, e->at, k->names[k->count++], e->ty);
}

static bool is_negative(const Expr *e)
{
    return e->kind == EXPR_UNARY_OP && e->unary_op.op == UNARYOP_U_SUB
           && e->unary_op.operand->kind == EXPR_CONSTANT;
}

static const Expr *more_in_range(Core *c, Counting *k, const Expr *stop, const Expr *step)
{
    const Expr *i = core_name(c, stop->at, k->i, c->int_);
    const Expr *up = core_compare(c, i, CMPOP_LT, stop), *down = core_compare(c, i, CMPOP_GT, stop);
    if (step == NULL || step->kind == EXPR_CONSTANT)
        return up;
    if (is_negative(step))
        return down;
    const Expr *rises = core_compare(c, step, CMPOP_GT, core_int(c, stop->at, 0));
    return expr_if_exp(c->arena, stop->at, rises, up, down);
}

// A step that may be 0 would have to raise ValueError; the loop would only end.
static void judge_step(Core *c, const Expr *step)
{
    const Const *value = step->kind == EXPR_CONSTANT ? step->constant.value : NULL;
    if (is_negative(step))
        value = step->unary_op.operand->constant.value;
    if (value == NULL || value->kind != CONST_INT
        || (value->text.len == 1 && value->text.at[0] == '0'))
        core_refuse(c, step->at, "a `range` whose step may be 0", "write the step as a number "
                    "literal");
}

static Counting count_range(Core *c, const Expr *range)
{
    Counting k = {.i = core_fresh(c, "i")};
    ExprList args = range->call.args;
    const Expr *zero = core_int(c, range->at, 0);
    k.first = args.len > 1 ? once(c, &k, core_expr(c, args.at[0]), "first") : zero;
    const Expr *stop = once(c, &k, core_expr(c, args.at[args.len > 1]), "stop");
    if (args.len > 2)
        judge_step(c, args.at[2]);
    k.step = args.len > 2 ? core_expr(c, args.at[2]) : core_int(c, range->at, 1);
    if (!is_negative(k.step))
        k.step = once(c, &k, k.step, "step");
    k.more = more_in_range(c, &k, stop, args.len > 2 ? k.step : NULL);
    k.value = core_name(c, range->at, k.i, c->int_);
    return k;
}

static bool is_indexed(const Ty *t)
{
    static const char *const known[] = {"list", "tuple", "str", "range", NULL};
    return t != NULL && (t->kind == TY_TUPLE
                         || (t->kind == TY_NAMED && sym_is_one_of(t->named.name, known)));
}

static const Expr *int_typed(Core *c, const Expr *e)
{
    return expr_with_ty(c->arena, e, c->int_, (SymList){0});
}

static const Expr *length(Core *c, const Expr *list)
{
    const Expr *len = core_name(c, list->at, names_get(c->names, "len"), NULL);
    return int_typed(c, core_call(c, len, 1, &list));
}

static const Expr *item_at(Core *c, const Expr *list, const Expr *i, const Ty *ty)
{
    return expr_with_ty(c->arena, expr_subscript(c->arena, list->at, list, i, EXPR_CONTEXT_LOAD),
                        ty, (SymList){0});
}

static const Expr *both_hold(Core *c, const Expr *a, const Expr *b)
{
    if (a == NULL)
        return b;
    const Expr *no = expr_constant(c->arena, a->at, const_bool(c->arena, false), NULL);
    no = expr_with_ty(c->arena, no, c->bool_, (SymList){0});
    return expr_with_ty(c->arena, expr_if_exp(c->arena, a->at, a, b, no), c->bool_, (SymList){0});
}

static const Expr *source(Core *c, Counting *k, const Expr *iter, const Ty *item);

// `enumerate(a)`: the counter and an item; `zip(a, b)`: an item of each.
static const Expr *tuple_of(Core *c, Counting *k, const Expr *iter, const Ty *item, bool counted)
{
    ExprList args = iter->call.args;
    TyList types = item != NULL && item->kind == TY_TUPLE ? item->tuple.items : (TyList){0};
    const Expr **at = ARENA_ARRAY(c->arena, const Expr *, args.len + 1);
    size_t n = 0;
    if (counted)
        at[n++] = core_name(c, iter->at, k->i, c->int_);
    for (size_t i = 0; i < args.len; i++, n++)
        at[n] = source(c, k, args.at[i], n < types.len ? types.at[n] : NULL);
    return expr_with_ty(c->arena, expr_tuple(c->arena, iter->at, (ExprList){at, n},
                                             EXPR_CONTEXT_LOAD), item, (SymList){0});
}

// What a round takes of `iter`. A list may change in the loop, so it is looked at in each round.
static const Expr *source(Core *c, Counting *k, const Expr *iter, const Ty *item)
{
    const char *name = iter->kind == EXPR_CALL && iter->call.keywords.len == 0
                           ? core_qualified(c, iter->call.func) : NULL;
    size_t n = name != NULL ? iter->call.args.len : 0;
    bool counted = n == 1 && strcmp(name, "enumerate") == 0;
    bool back = n == 1 && strcmp(name, "reversed") == 0 && is_indexed(iter->call.args.at[0]->ty);
    if (counted || (n > 0 && strcmp(name, "zip") == 0))
        return tuple_of(c, k, iter, item, counted);
    const Expr *list = core_expr(c, back ? iter->call.args.at[0] : iter);
    if (!back && !is_indexed(iter->ty))
        list = core_call(c, core_name(c, iter->at, names_get(c->names, "list"), NULL), 1, &list);
    if (k->count + 2 > ONCE_MAX) {
        core_refuse(c, iter->at, "a loop over this many lists",
                    "iterate over `range`, and index the lists");
        return iter;
    }
    list = once(c, k, list, "xs");
    const Expr *i = core_name(c, iter->at, k->i, c->int_), *len = length(c, list);
    if (back)
        len = once(c, k, len, "n");
    k->more = both_hold(c, k->more, core_compare(c, i, CMPOP_LT, len));
    if (!back)
        return item_at(c, list, i, item);
    const Expr *last = int_typed(c, expr_bin_op(c->arena, iter->at, len, OPERATOR_SUB,
                                                core_int(c, iter->at, 1)));
    return item_at(c, list, int_typed(c, expr_bin_op(c->arena, iter->at, last, OPERATOR_SUB, i)),
                   item);
}

static Counting count_list(Core *c, const Expr *iter, const Ty *item)
{
    Counting k = {.i = core_fresh(c, "i")};
    k.value = source(c, &k, iter, item);
    k.first = core_int(c, iter->at, 0);
    k.step = core_int(c, iter->at, 1);
    return k;
}

static bool is_range(Core *c, const Expr *e)
{
    const char *name = e->kind == EXPR_CALL ? core_qualified(c, e->call.func) : NULL;
    return name != NULL && strcmp(name, "range") == 0 && e->call.args.len > 0
           && e->call.keywords.len == 0;
}

static const Expr *for_loop(Core *c, const Stmt *s, Rest after)
{
    Sym name = NULL, loop = core_fresh(c, "loop"), x = s->for_.target->name.id;
    const Expr *join = NULL;
    Rest next = breaks(s->for_.body) ? joined(c, s->at, after, &name, &join) : after;
    Counting k = is_range(c, s->for_.iter) ? count_range(c, s->for_.iter)
                                           : count_list(c, s->for_.iter, s->for_.target->ty);
    const Expr *self = core_name(c, s->at, loop, NULL), *i = core_name(c, s->at, k.i, c->int_);
    const Expr *stepped = expr_with_ty(c->arena, expr_bin_op(c->arena, s->at, i, OPERATOR_ADD,
                                                             k.step), c->int_, (SymList){0});
    const Expr *again = core_call(c, self, 1, &stepped);
    Loop here = {again, &next};
    Rest back = {.term = again};
    const Expr *body = rest_term(c, loop_body(s->for_.body, &here, &back));
    body = core_is_cell(c, x) ? then(c, expr_put(c->arena, s->at, cell_name(c, s->at, x), k.value),
                                     body)
                              : core_let(c, x, k.value, body);
    body = expr_if_exp(c->arena, s->at, k.more, body, rest_term(c, next));
    const Expr *term = expr_let_rec(c->arena, s->at, loop, one_parameter(c, s->at, k.i), body,
                                    core_call(c, self, 1, &k.first));
    for (size_t n = k.count; n-- > 0;)
        term = core_let(c, k.names[n], k.once[n], term);
    return with_join(c, name, join, term);
}

// ---- statements ----

static const Expr *none(Core *c, Span at)
{
    return expr_constant(c->arena, at, const_none(c->arena), NULL);
}

static bool is_atom(const Expr *e)
{
    return e->kind == EXPR_NAME || e->kind == EXPR_CONSTANT;
}

// o.f = e, xs[i] = e: e is evaluated first.
static const Expr *stored(Core *c, const Expr *target, const Expr *value, Rest after)
{
    bool field = target->kind == EXPR_ATTRIBUTE;
    const Expr *base = core_expr(c, field ? target->attribute.value : target->subscript.value);
    Sym early = is_atom(value) ? NULL : core_fresh(c, "t");
    const Expr *read = early != NULL ? core_name(c, value->at, early, value->ty) : value, *store;
    if (field) {
        Text text = {target->attribute.attr, strlen(target->attribute.attr)};
        const Expr *name = expr_constant(c->arena, target->at, const_str(c->arena, text), NULL);
        const Expr *args[] = {base, name, read};
        store = core_call(c, core_name(c, target->at, names_get(c->names, "setattr"), NULL), 3,
                          args);
    } else {
        const Expr *args[] = {core_expr(c, target->subscript.slice), read};
        store = core_method(c, base, "__setitem__", 2, args);
    }
    const Expr *term = then(c, store, rest_term(c, after));
    return early != NULL ? core_let(c, early, value, term) : term;
}

static const Expr *assigned(Core *c, const Rest *r, const Expr *target, const Expr *value,
                            Rest after)
{
    const Ty *wanted = target->ty;
    if (target->kind == EXPR_SUBSCRIPT) {
        const Ty *base = target->subscript.value->ty;
        wanted = base != NULL && base->kind == TY_NAMED && base->named.args.len == 1
                     ? base->named.args.at[0] : NULL;
    }
    const Expr *made = core_expr_as(c, value, wanted);
    return target->kind == EXPR_NAME ? bound(c, r, target->name.id, made, after)
                                     : stored(c, target, made, after);
}

static const Expr *defined(Core *c, const Rest *r, const Stmt *s, Rest after)
{
    Sym name = s->function_def.name;
    if (s->function_def.decorator_list.len > 0)
        core_refuse(c, s->at, "a decorated function", NULL);
    const Arguments *args = core_parameters(c, s->function_def.args);
    const Ty *returns = s->function_def.returns != NULL ? s->function_def.returns->ty : NULL;
    const Expr *body = core_body(c, s->function_def.args, s->function_def.body, NULL, returns);
    if (core_is_cell(c, name) || core_loads(&s, 1, name) == 0)
        return bound(c, r, name, expr_lambda(c->arena, s->at, args, body), after);
    return expr_let_rec(c->arena, s->at, name, args, body, rest_term(c, after));
}

static const Expr *raised(Core *c, const Stmt *s)
{
    const Expr *exc = s->raise.exc != NULL ? core_expr(c, s->raise.exc) : none(c, s->at);
    return core_call(c, core_name(c, s->at, names_get(c->names, "throw"), NULL), 1, &exc);
}

static const Expr *jumped(Core *c, const Rest *r, const Stmt *s)
{
    if (r->loop == NULL)
        return none(c, s->at);
    return s->kind == STMT_BREAK ? rest_term(c, *r->loop->after) : r->loop->again;
}

static const Expr *refused(Core *c, const Stmt *s, const char *what)
{
    bool moves = s->kind == STMT_CLASS_DEF || s->kind == STMT_IMPORT
                 || s->kind == STMT_IMPORT_FROM;
    bool nowhere = s->kind == STMT_GLOBAL || s->kind == STMT_ASYNC_FUNCTION_DEF;
    core_refuse(c, s->at, what, moves     ? "move it to the top level of the module"
                                : nowhere ? "write the function without it"
                                          : NULL);
    return none(c, s->at);
}

static const Expr *statement(Core *c, const Rest *r, const Stmt *s, Rest after)
{
    switch (s->kind) {
    case STMT_RETURN:
        return s->return_.value == NULL ? none(c, s->at)
                                        : core_expr_as(c, s->return_.value, c->scope->returns);
    case STMT_ASSIGN:   return assigned(c, r, s->assign.targets.at[0], s->assign.value, after);
    case STMT_ANN_ASSIGN:
        if (s->ann_assign.value == NULL)
            return rest_term(c, after);
        return assigned(c, r, s->ann_assign.target, s->ann_assign.value, after);
    case STMT_FUNCTION_DEF: return defined(c, r, s, after);
    case STMT_IF:       return branch(c, r, s, after);
    case STMT_WHILE:    return while_loop(c, s, after);
    case STMT_FOR:      return for_loop(c, s, after);
    case STMT_EXPR:
        if (s->expr.value->kind == EXPR_CONSTANT)
            return rest_term(c, after);
        return then(c, core_expr(c, s->expr.value), rest_term(c, after));
    case STMT_RAISE:    return raised(c, s);
    case STMT_BREAK:
    case STMT_CONTINUE: return jumped(c, r, s);
    case STMT_PASS:
    case STMT_NONLOCAL: return rest_term(c, after);
    case STMT_TRY:      return refused(c, s, "`try` and `with`");
    case STMT_DELETE:   return refused(c, s, "`del`");
    case STMT_GLOBAL:   return refused(c, s, "`global`");
    case STMT_CLASS_DEF: return refused(c, s, "a class inside a function");
    case STMT_IMPORT:
    case STMT_IMPORT_FROM: return refused(c, s, "an import inside a function");
    STMT_CASES_SUGAR:
    STMT_CASES_SURFACE:
    STMT_CASES_CHOREO:
    STMT_CASES_LOCAL:
    STMT_CASES_GRAD:
    case STMT_TYPE_ALIAS: case STMT_COUNT:
        break;
    }
    return refused(c, s, s->kind == STMT_ASYNC_FUNCTION_DEF ? "`async def`" : "this statement");
}

static const Expr *rest_term(Core *c, Rest r)
{
    r = unwound(r);
    if (r.term != NULL)
        return r.term;
    if (r.from == r.list.len)
        return none(c, (Span){0, 0});
    Rest after = r;
    after.from++;
    return statement(c, &r, r.list.at[r.from], after);
}

// ---- functions ----

static void refuse_parameters(Core *c, const Arguments *args)
{
    const Arg *star = args->vararg != NULL ? args->vararg : args->kwarg;
    if (star != NULL)
        core_refuse(c, star->at, "`*args` and `**kwargs`", "use a parameter that is a list");
    if (args->posonlyargs.len > 0)
        core_refuse(c, args->posonlyargs.at[0]->at, "positional-only parameters",
                    "remove the `/` from the parameters");
    if (args->kwonlyargs.len > 0)
        core_refuse(c, args->kwonlyargs.at[0]->at, "keyword-only parameters",
                    "remove the `*` from the parameters");
    if (args->defaults.len > 0)
        core_refuse(c, args->defaults.at[0]->at, "default values of parameters", NULL);
}

const Arguments *core_parameters(Core *c, const Arguments *args)
{
    refuse_parameters(c, args);
    const Arg **at_ = ARENA_ARRAY(c->arena, const Arg *, args->args.len + 1);
    for (size_t i = 0; i < args->args.len; i++) {
        const Arg *a = args->args.at[i];
        at_[i] = arg_with_ty(c->arena, arg_new(c->arena, a->at, a->arg, NULL), a->ty);
    }
    return arguments_new(c->arena, (ArgList){0}, (ArgList){at_, args->args.len}, NULL,
                         (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
}

static bool begins_in(Core *c, StmtList body, Sym name)
{
    for (size_t k = 0; k < body.len; k++) {
        Rest r = {.list = body, .from = k};
        const Stmt *s = body.at[k];
        const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
                             : s->kind == STMT_ANN_ASSIGN && s->ann_assign.value != NULL
                                 ? s->ann_assign.target : NULL;
        if (target != NULL && target->kind == EXPR_NAME && target->name.id == name
            && begins(c, &r, name))
            return true;
    }
    return false;
}

static const Expr *with_cell(Core *c, Sym name, const Expr *first, const Expr *term)
{
    return core_let(c, name, expr_ref(c->arena, term->at, first), term);
}

// Cells that no statement can begin are there from the start; those of parameters also where
// only functions inside assign them.
static const Expr *with_cells(Core *c, const Arguments *args, StmtList body, const Expr *term)
{
    SymList names = names_bound(c->arena, c->names, body);
    Table *parameters = table_new(c->arena);
    for (size_t i = 0; i < args->args.len; i++) {
        Sym name = args->args.at[i]->arg;
        table_set(parameters, name, c);
        if (core_is_cell(c, name))
            term = with_cell(c, name, core_name(c, term->at, name, NULL), term);
    }
    for (size_t i = 0; i < names.len; i++)
        if (scope_of(c, names.at[i]) == c->scope && core_is_cell(c, names.at[i])
            && table_get(parameters, names.at[i]) == NULL && !begins_in(c, body, names.at[i]))
            term = with_cell(c, names.at[i], none(c, term->at), term);
    return term;
}

const Expr *core_body(Core *c, const Arguments *args, StmtList body, const Expr *result,
                      const Ty *returns)
{
    CoreScope scope = core_scope(c, args, body);
    scope.returns = returns;
    c->scope = &scope;
    const Expr *term = result != NULL ? core_expr(c, result)
                                      : rest_term(c, (Rest){.list = body});
    term = with_cells(c, args, body, term);
    c->scope = scope.outer;
    return term;
}

static const Stmt *core_function(Core *c, const Stmt *s)
{
    const Arguments *args = core_parameters(c, s->function_def.args);
    const Ty *returns = s->function_def.returns != NULL ? s->function_def.returns->ty : NULL;
    const Expr *term = core_body(c, s->function_def.args, s->function_def.body, NULL, returns);
    const Stmt **body = ARENA_NEW(c->arena, const Stmt *);
    *body = stmt_return(c->arena, s->at, term);
    return stmt_function_def(c->arena, s->at, s->function_def.name, args, (StmtList){body, 1},
                             (ExprList){0}, NULL, (TypeParamList){0});
}

// ---- units ----

static const Stmt *core_class(Core *c, const Stmt *s)
{
    StmtList old = s->class_def.body;
    const Stmt **body = ARENA_ARRAY(c->arena, const Stmt *, old.len + 1);
    for (size_t i = 0; i < old.len; i++) {
        body[i] = old.at[i];
        if (old.at[i]->kind != STMT_FUNCTION_DEF)
            continue;
        Sym name = old.at[i]->function_def.name;
        if (strncmp(name, "__", 2) == 0 || old.at[i]->function_def.decorator_list.len > 0)
            core_refuse(c, old.at[i]->at,
                        names_format(c->names, "the method `%s`, which has a special name or a "
                                     "decorator", name),
                        "use dataclasses with plain methods");
        body[i] = core_function(c, old.at[i]);
    }
    return stmt_class_def(c->arena, s->at, s->class_def.name, s->class_def.bases,
                          s->class_def.keywords, (StmtList){body, old.len},
                          s->class_def.decorator_list, s->class_def.type_params);
}

static void note_imports(Core *c, const Stmt *s)
{
    AliasList names = s->kind == STMT_IMPORT ? s->import.names : s->import_from.names;
    for (size_t i = 0; i < names.len; i++) {
        const Alias *a = names.at[i];
        Sym meant = s->kind == STMT_IMPORT ? a->name
                                           : names_format(c->names, "%s.%s",
                                                          s->import_from.module, a->name);
        table_set(c->imports, a->asname != NULL ? a->asname : a->name, (void *)meant);
    }
}

static bool use_name(void *cx, const Expr *e)
{
    Core *c = cx;
    if (e->kind == EXPR_NAME)
        table_set(c->used, e->name.id, c);
    return true;
}

static bool use_arg(void *cx, const Arg *arg)
{
    table_set(((Core *)cx)->used, arg->arg, cx);
    return true;
}

static bool use_stmt(void *cx, const Stmt *s)
{
    if (s->kind == STMT_FUNCTION_DEF)
        table_set(((Core *)cx)->used, s->function_def.name, cx);
    return true;
}

static void survey(Core *c, StmtList body)
{
    IrWalker w = {.cx = c, .stmt = use_stmt, .expr = use_name, .arg = use_arg};
    ir_walk_stmts(&w, body);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind == STMT_IMPORT || s->kind == STMT_IMPORT_FROM)
            note_imports(c, s);
        if (s->kind == STMT_CLASS_DEF)
            table_set(c->classes, s->class_def.name, (void *)s);
        if (s->kind == STMT_FUNCTION_DEF)
            table_set(c->functions, s->function_def.name, (void *)s);
    }
}

// Terms nest as deep as a function has steps, and so do those who read them.
enum { MAX_STEPS = 3000 };

static bool count_expr(void *cx, const Expr *e)
{
    (void)e;
    return ++*(size_t *)cx <= MAX_STEPS;
}

static bool count_stmt(void *cx, const Stmt *s)
{
    (void)s;
    return ++*(size_t *)cx <= MAX_STEPS;
}

static bool is_small(Core *c, const Stmt *s)
{
    size_t steps = 0;
    IrWalker w = {.cx = &steps, .stmt = count_stmt, .expr = count_expr};
    ir_walk_stmt(&w, s);
    if (steps > MAX_STEPS)
        core_refuse(c, s->at, "a function of this size",
                    "divide the function into several functions");
    return steps <= MAX_STEPS;
}

static bool defines(const Stmt *s, Sym name)
{
    AliasList names = s->kind == STMT_IMPORT_FROM ? s->import_from.names : (AliasList){0};
    for (size_t i = 0; i < names.len; i++)
        if ((names.at[i]->asname != NULL ? names.at[i]->asname : names.at[i]->name) == name)
            return true;
    if (s->kind == STMT_FUNCTION_DEF)
        return s->function_def.name == name;
    if (s->kind == STMT_CLASS_DEF)
        return s->class_def.name == name;
    const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
                         : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target : NULL;
    return target != NULL && target->kind == EXPR_NAME && target->name.id == name;
}

// Marks the statements that `name` needs.
static void reach(Core *c, StmtList body, bool *needed, Sym name)
{
    for (size_t i = 0; i < body.len; i++) {
        if (needed[i] || !defines(body.at[i], name))
            continue;
        needed[i] = true;
        SymList free = names_free(c->arena, c->names, (StmtList){body.at + i, 1});
        for (size_t k = 0; k < free.len; k++)
            reach(c, body, needed, free.at[k]);
    }
}

// Classes and names of types stand on these; all else that is imported is written out.
static bool is_needed_import(const Stmt *s, bool reached)
{
    static const char *const classes[] = {"dataclasses", "enum", NULL};
    static const char *const types[] = {"typing", "collections.abc", NULL};
    Sym from = s->kind == STMT_IMPORT_FROM ? s->import_from.module : NULL;
    return from != NULL && (sym_is_one_of(from, classes)
                            || (reached && sym_is_one_of(from, types)));
}

static const Stmt *core_value(Core *c, const Stmt *s)
{
    const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : s->ann_assign.target;
    const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value : s->ann_assign.value;
    if (value == NULL)
        return s;
    const Expr **targets = ARENA_NEW(c->arena, const Expr *);
    *targets = target;
    return stmt_assign(c->arena, s->at, (ExprList){targets, 1},
                       core_expr_as(c, value, target->ty));
}

static const Ty *class_ty(Core *c, const char *name)
{
    return ty_named(c->arena, names_get(c->names, name), (TyList){0});
}

const Unit *core_unit(Arena *a, Names *names, Diags *diags, Sym function, const Unit *unit)
{
    Core c = {.arena = a, .names = names, .diags = diags, .used = table_new(a),
              .imports = table_new(a), .classes = table_new(a), .functions = table_new(a)};
    c.float_ = class_ty(&c, "float");
    c.int_ = class_ty(&c, "int");
    c.bool_ = class_ty(&c, "bool");
    StmtList body = {0};
    if (unit->kind == UNIT_ENDPOINTS && unit->endpoints.modules.len > 0)
        body = unit->endpoints.modules.at[0]->body;
    survey(&c, body);
    if (table_get(c.functions, function) == NULL)
        diag_report(diags, (Span){0, 0}, DIAG_GRAD_INPUT, "the file has no function `%s`",
                    function);
    bool *needed = ARENA_ARRAY(a, bool, body.len + 1);
    reach(&c, body, needed, function);
    Stmts out = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (is_needed_import(s, needed[i]))
            vec_push(a, &out, s);
        else if (!needed[i] || s->kind == STMT_IMPORT_FROM || !is_small(&c, s))
            continue;
        else if (s->kind == STMT_FUNCTION_DEF)
            vec_push(a, &out, core_function(&c, s));
        else
            vec_push(a, &out, s->kind == STMT_CLASS_DEF ? core_class(&c, s) : core_value(&c, s));
    }
    return unit_module(a, (StmtList){out.at, out.len});
}
