// desugar_expr.c - expressions. What takes no statements is mapped where it stands; the rest is
// taken apart, with Python's order of evaluation.

#include "compiler/pass/desugar_internal.h"

// ---- which expressions take statements ----

typedef struct Need { Desugar *d; bool found; } Need;

// Whether the operand of a chain may be written twice.
static bool may_repeat(Desugar *d, const Expr *e)
{
    return e->kind == EXPR_NAME || desugar_settled(d, e, 0, NULL);
}

static bool takes_variables(Desugar *d, const Expr *chain)
{
    ExprList parts = chain->compare.comparators;
    for (size_t i = 0; i + 1 < parts.len; i++)
        if (!may_repeat(d, parts.at[i]))
            return true;
    return false;
}

// A tuple of known length that is given as `*t`: its items are arguments.
static bool is_fixed_star(const Expr *e)
{
    return e->kind == EXPR_STARRED && e->starred.value->ty
           && e->starred.value->ty->kind == TY_TUPLE;
}

static bool takes_stars(Desugar *d, const Expr *call)
{
    for (size_t i = 0; i < call->call.args.len; i++) {
        const Expr *arg = call->call.args.at[i];
        if (is_fixed_star(arg) && arg->starred.value->kind != EXPR_TUPLE
            && !desugar_settled(d, arg->starred.value, 0, NULL))
            return true;
    }
    return false;
}

static bool is_async(const Expr *generator)
{
    ComprehensionList all = generator->generator_exp.generators;
    for (size_t i = 0; i < all.len; i++)
        if (all.at[i]->is_async)
            return true;
    return false;
}

static bool see(void *cx, const Expr *e)
{
    Need *n = cx;
    switch (e->kind) {
    case EXPR_NAMED_EXPR: case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP:
        n->found = true;
        break;
    case EXPR_GENERATOR_EXP:
        if (is_async(e))                        // left as it is, as all that is asynchronous
            return false;
        n->found = true;
        break;
    case EXPR_COMPARE:
        n->found = n->found || (e->compare.ops.len > 1 && takes_variables(n->d, e));
        break;
    case EXPR_CALL:
        n->found = n->found || desugar_consumes(n->d, e) || takes_stars(n->d, e);
        break;
    case EXPR_LIST: case EXPR_TUPLE: case EXPR_SET: case EXPR_DICT:
        n->found = n->found || desugar_has_star(e);
        break;
    case EXPR_BOOL_OP: case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_LAMBDA: case EXPR_IF_EXP:
    case EXPR_AWAIT: case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_FORMATTED_VALUE:
    case EXPR_JOINED_STR: case EXPR_CONSTANT: case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT:
    case EXPR_STARRED: case EXPR_NAME: case EXPR_SLICE: case EXPR_LOCATED: case EXPR_INST:
    case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_UNIT: case EXPR_SEND:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        break;
    }
    return !n->found;
}

bool desugar_needs(Desugar *d, const Expr *e)
{
    static const char yes, no;
    const void *known = table_get(d->needs, e);
    if (known)
        return known == &yes;
    Need n = {d, false};
    IrWalker w = {.cx = &n, .expr = see};
    ir_walk_expr(&w, e);
    table_set(d->needs, e, (void *)(n.found ? &yes : &no));
    return n.found;
}

// ---- expressions that take no statements ----

static const Expr *plain_chain(Desugar *d, const Expr *e)
{
    const Expr *left = e->compare.left, *all = NULL;
    for (size_t i = 0; i < e->compare.ops.len; i++) {
        const Expr *right = e->compare.comparators.at[i];
        const Expr *one = desugar_compare(d, left, e->compare.ops.at[i], right);
        all = all ? desugar_bool_op(d, BOOLOP_AND, all, one, e->ty) : one;
        left = right;
    }
    return all;
}

// f(*pair) as f(pair[0], pair[1]).
static const Expr *plain_stars(Desugar *d, const Expr *call)
{
    ExprVec args = {0};
    bool any = false;
    for (size_t i = 0; i < call->call.args.len; i++) {
        const Expr *arg = call->call.args.at[i];
        if (!is_fixed_star(arg)) {
            vec_push(d->arena, &args, arg);
            continue;
        }
        const Expr *all = arg->starred.value;
        any = true;
        for (size_t j = 0; j < all->ty->tuple.items.len; j++)
            vec_push(d->arena, &args,
                     all->kind == EXPR_TUPLE ? all->tuple.elts.at[j]
                     : desugar_item(d, all, desugar_int(d, arg->at, j),
                                    all->ty->tuple.items.at[j]));
    }
    return any ? desugar_typed(d, expr_call(d->arena, call->at, call->call.func,
                                            (ExprList){args.at, args.len}, call->call.keywords),
                               call->ty)
               : call;
}

static const Expr *plain(IrMapper *m, const Expr *e)
{
    Desugar *d = m->cx;
    if (e->kind == EXPR_NAME) {
        bool unread = d->scope->splits_underscore && sym_is(e->name.id, "_");
        Sym name = unread ? desugar_fresh(d, "unused") : desugar_renamed(d, e->name.id);
        return name == e->name.id
                   ? e : desugar_typed(d, expr_name(m->arena, e->at, name, e->name.ctx), e->ty);
    }
    if (e->kind == EXPR_JOINED_STR)
        return desugar_fstring(d, e);
    if (e->kind == EXPR_COMPARE && e->compare.ops.len > 1)
        return plain_chain(d, e);
    return e->kind == EXPR_CALL ? plain_stars(d, e) : e;
}

static const Expr *map_plain(Desugar *d, const Expr *e)
{
    IrMapper m = {.arena = d->arena, .cx = d, .expr = plain};
    return ir_map_expr(&m, e);
}

// ---- operands ----

// A method is looked up when its arguments are there: nothing can have changed it.
static const Expr *settle_callee(Desugar *d, const Expr *func, size_t n, const Expr *const *later)
{
    if (func->kind != EXPR_ATTRIBUTE || table_get(d->facts->changing, func->attribute.attr))
        return desugar_settle(d, func, n, later, "function");
    const Expr *base = desugar_settle(d, func->attribute.value, n, later, "receiver");
    return base == func->attribute.value ? func
                                         : expr_with_spine_child(d->arena, func, base);
}

// Lowers what is evaluated one after the other. The first is lowered already if `ready` is set, and
// is called if `called` is.
static void lower_operands(Desugar *d, size_t n, const Expr **at, bool ready, bool called)
{
    const Expr **later = ARENA_ARRAY(d->arena, const Expr *, n + 1);
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        later[i] = at[i];
        if (at[i] && !(i == 0 && ready) && desugar_needs(d, at[i]))
            last = i;
    }
    for (size_t i = 0; i < n; i++) {
        if (at[i] == NULL)
            continue;
        if (!(i == 0 && ready))
            at[i] = desugar_expr(d, at[i]);
        if (i >= last)
            continue;
        at[i] = i == 0 && called ? settle_callee(d, at[i], n - 1, later + 1)
                                 : desugar_settle(d, at[i], n - i - 1, later + i + 1, "value");
    }
}

void desugar_operands(Desugar *d, size_t n, const Expr **at)
{
    lower_operands(d, n, at, false, false);
}

static void push_all(Desugar *d, ExprVec *v, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        vec_push(d->arena, v, list.at[i]);
}

static void push_values(Desugar *d, ExprVec *v, KeywordList keywords)
{
    for (size_t i = 0; i < keywords.len; i++)
        vec_push(d->arena, v, keywords.at[i]->value);
}

static void push_entries(Desugar *d, ExprVec *v, const Expr *dict)
{
    for (size_t i = 0; i < dict->dict.values.len; i++) {
        vec_push(d->arena, v, dict->dict.keys.at[i]);
        vec_push(d->arena, v, dict->dict.values.at[i]);
    }
}

// The operands of a form that evaluates all of them, in order.
static ExprVec operands_of(Desugar *d, const Expr *e)
{
    ExprVec v = {0};
    switch (e->kind) {
    case EXPR_BIN_OP:
        vec_push(d->arena, &v, e->bin_op.left);
        vec_push(d->arena, &v, e->bin_op.right);
        break;
    case EXPR_UNARY_OP: vec_push(d->arena, &v, e->unary_op.operand); break;
    case EXPR_COMPARE:
        vec_push(d->arena, &v, e->compare.left);
        push_all(d, &v, e->compare.comparators);
        break;
    case EXPR_CALL:
        vec_push(d->arena, &v, e->call.func);
        push_all(d, &v, e->call.args);
        push_values(d, &v, e->call.keywords);
        break;
    case EXPR_ATTRIBUTE: vec_push(d->arena, &v, e->attribute.value); break;
    case EXPR_SUBSCRIPT:
        vec_push(d->arena, &v, e->subscript.value);
        vec_push(d->arena, &v, e->subscript.slice);
        break;
    case EXPR_SLICE:
        vec_push(d->arena, &v, e->slice.lower);
        vec_push(d->arena, &v, e->slice.upper);
        vec_push(d->arena, &v, e->slice.step);
        break;
    case EXPR_STARRED: vec_push(d->arena, &v, e->starred.value); break;
    case EXPR_LIST:    push_all(d, &v, e->list.elts); break;
    case EXPR_TUPLE:   push_all(d, &v, e->tuple.elts); break;
    case EXPR_SET:     push_all(d, &v, e->set.elts); break;
    case EXPR_DICT:    push_entries(d, &v, e); break;
    case EXPR_UNIT: push_all(d, &v, e->unit.effects); break;
    case EXPR_SEND:
        vec_push(d->arena, &v, e->send.channel);
        vec_push(d->arena, &v, e->send.value);
        break;
    case EXPR_YIELD:
        if (e->yield.value != NULL)
            vec_push(d->arena, &v, e->yield.value);
        break;
    case EXPR_YIELD_FROM: vec_push(d->arena, &v, e->yield_from.value); break;
    case EXPR_RECV: vec_push(d->arena, &v, e->recv.channel); break;
    case EXPR_SEND_LABEL: vec_push(d->arena, &v, e->send_label.channel); break;
    case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR: case EXPR_BOOL_OP: case EXPR_NAMED_EXPR:
    case EXPR_LAMBDA: case EXPR_IF_EXP:
    case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP:
    case EXPR_AWAIT: case EXPR_CONSTANT: case EXPR_NAME:
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_COUNT:
        break;
    }
    return v;
}

// ---- the same form with other operands ----

static KeywordList with_values(Desugar *d, KeywordList list, const Expr *const *values)
{
    Vec(const Keyword *) out = {0};
    for (size_t i = 0; i < list.len; i++)
        vec_push(d->arena, &out, keyword_new(d->arena, list.at[i]->at, list.at[i]->arg, values[i]));
    return (KeywordList){out.at, out.len};
}

static const Expr *dict_of(Desugar *d, Span at, const Expr *const *v, size_t n)
{
    ExprVec keys = {0}, values = {0};
    for (size_t i = 0; i < n; i += 2) {
        vec_push(d->arena, &keys, v[i]);
        vec_push(d->arena, &values, v[i + 1]);
    }
    return expr_dict(d->arena, at, (ExprList){keys.at, keys.len},
                     (ExprList){values.at, values.len});
}

static const Expr *rebuilt(Desugar *d, const Expr *e, const Expr *const *v, size_t n)
{
    Arena *a = d->arena;
    switch (e->kind) {
    case EXPR_BIN_OP:    return expr_bin_op(a, e->at, v[0], e->bin_op.op, v[1]);
    case EXPR_UNARY_OP:  return expr_unary_op(a, e->at, e->unary_op.op, v[0]);
    case EXPR_COMPARE:   return expr_compare(a, e->at, v[0], e->compare.ops,
                                             (ExprList){v + 1, n - 1});
    case EXPR_CALL:
        return expr_call(a, e->at, v[0], (ExprList){v + 1, e->call.args.len},
                         with_values(d, e->call.keywords, v + 1 + e->call.args.len));
    case EXPR_ATTRIBUTE: return expr_attribute(a, e->at, v[0], e->attribute.attr,
                                               e->attribute.ctx);
    case EXPR_SUBSCRIPT: return expr_subscript(a, e->at, v[0], v[1], e->subscript.ctx);
    case EXPR_SLICE:     return expr_slice(a, e->at, v[0], v[1], v[2]);
    case EXPR_YIELD:     return expr_yield(a, e->at, n > 0 ? v[0] : NULL);
    case EXPR_YIELD_FROM: return expr_yield_from(a, e->at, v[0]);
    case EXPR_STARRED:   return expr_starred(a, e->at, v[0], e->starred.ctx);
    case EXPR_LIST:      return expr_list(a, e->at, (ExprList){v, n}, e->list.ctx);
    case EXPR_TUPLE:     return expr_tuple(a, e->at, (ExprList){v, n}, e->tuple.ctx);
    case EXPR_SET:       return expr_set(a, e->at, (ExprList){v, n});
    case EXPR_DICT:      return dict_of(d, e->at, v, n);
    case EXPR_UNIT:      return expr_unit(a, e->at, (ExprList){v, n});
    case EXPR_SEND:      return expr_send(a, e->at, v[0], v[1], e->send.payload, e->send.shared);
    case EXPR_RECV:      return expr_recv(a, e->at, v[0], e->recv.payload);
    case EXPR_SEND_LABEL: return expr_send_label(a, e->at, v[0], e->send_label.label);
    case EXPR_FORMATTED_VALUE: case EXPR_JOINED_STR: case EXPR_BOOL_OP: case EXPR_NAMED_EXPR:
    case EXPR_LAMBDA: case EXPR_IF_EXP:
    case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP: case EXPR_GENERATOR_EXP:
    case EXPR_AWAIT: case EXPR_CONSTANT: case EXPR_NAME:
    case EXPR_LOCATED: case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_COUNT:
        break;
    }
    return e;
}

// Operands of calls: what `*t` stands for, where t has to be put into a variable, is settled.
static void settle_stars(Desugar *d, const Expr *e, ExprVec *v)
{
    for (size_t i = 1; e->kind == EXPR_CALL && i <= e->call.args.len; i++) {
        const Expr *arg = v->at[i];
        if (!is_fixed_star(arg) || arg->starred.value->kind == EXPR_TUPLE)
            continue;
        const Expr *all = desugar_settle(d, arg->starred.value, 0, NULL, "items");
        v->at[i] = desugar_typed(d, expr_starred(d->arena, arg->at, all, EXPR_CONTEXT_LOAD),
                                 arg->ty);
    }
}

static const Expr *as_wanted(Desugar *d, const Expr *e, const Ty *wanted);

// The arguments by position, until a star.
static void arguments_as_wanted(Desugar *d, const Expr *call, ExprVec *v)
{
    const Ty *f = call->call.func->ty;
    for (size_t i = 0; i < call->call.args.len && f && f->kind == TY_CALLABLE
                       && i < f->callable.params.len; i++) {
        if (call->call.args.at[i]->kind == EXPR_STARRED)
            return;
        v->at[i + 1] = as_wanted(d, call->call.args.at[i], f->callable.params.at[i]);
    }
}

static const Expr *lower_parts(Desugar *d, const Expr *e, const Expr *left)
{
    ExprVec v = operands_of(d, e);
    if (left)
        v.at[0] = left;
    if (e->kind == EXPR_CALL)
        arguments_as_wanted(d, e, &v);
    lower_operands(d, v.len, v.at, left != NULL, e->kind == EXPR_CALL);
    settle_stars(d, e, &v);
    const Expr *done = desugar_typed(d, rebuilt(d, e, v.at, v.len), e->ty);
    return done->kind == EXPR_CALL ? plain_stars(d, done) : done;
}

// ---- forms that evaluate some of their parts ----

static Block lowered_to(Desugar *d, Sym name, const Expr *e, const Ty *ty)
{
    Block block = {0}, *before = d->out;
    d->out = &block;
    desugar_set_as(d, e->at, name, desugar_expr(d, e), ty);
    d->out = before;
    return block;
}

static const Expr *lower_if_exp(Desugar *d, const Expr *e)
{
    const Expr *test = desugar_test(d, e->if_exp.test);
    if (!desugar_needs(d, e->if_exp.body) && !desugar_needs(d, e->if_exp.orelse))
        return desugar_typed(d, expr_if_exp(d->arena, e->at, test, map_plain(d, e->if_exp.body),
                                            map_plain(d, e->if_exp.orelse)), e->ty);
    Sym name = desugar_fresh(d, "value");
    Block body = lowered_to(d, name, e->if_exp.body, e->ty);
    Block orelse = lowered_to(d, name, e->if_exp.orelse, e->ty);
    desugar_if(d, e->at, test, body, orelse);
    return desugar_name(d, e->at, name, e->ty);
}

// Where the next operand is that takes statements and is not evaluated first.
static size_t next_needing(Desugar *d, const Expr *e, size_t from)
{
    ExprList v = e->bool_op.values;
    size_t i = from + 1;
    while (i < v.len && !desugar_needs(d, v.at[i]))
        i++;
    return i;
}

static bool of_one_type(const Expr *e)
{
    for (size_t i = 0; i < e->bool_op.values.len; i++) {
        const Ty *t = e->bool_op.values.at[i]->ty;
        if (t != e->ty && (t == NULL || e->ty == NULL || !ir_equal_ty(t, e->ty)))
            return false;
    }
    return true;
}

// What some of the operands give. The type of the whole leaves out what an operand gives only
// where the next one is evaluated.
static const Ty *type_of_parts(Desugar *d, const Expr *e, size_t from, size_t to)
{
    Vec(const Ty *) all = {0};
    for (size_t i = from; i < to; i++) {
        const Ty *t = e->bool_op.values.at[i]->ty;
        if (t == NULL)
            return e->ty;
        vec_push(d->arena, &all, t);
    }
    return of_one_type(e) ? e->ty : ty_union(d->arena, (TyList){all.at, all.len});
}

static const Expr *lower_first(Desugar *d, const Expr *e, size_t from, size_t to)
{
    ExprList v = e->bool_op.values;
    const Expr *first = desugar_expr(d, v.at[from]);
    for (size_t i = from + 1; i < to; i++)
        first = desugar_bool_op(d, e->bool_op.op, first, map_plain(d, v.at[i]),
                                type_of_parts(d, e, from, i + 1));
    return first;
}

// One variable for all operands; only for values of one type, or for their truth.
static const Expr *lower_flat(Desugar *d, const Expr *e, bool truth_only)
{
    size_t n = e->bool_op.values.len, next = next_needing(d, e, 0);
    const Expr *first = lower_first(d, e, 0, next);
    const Ty *ty = type_of_parts(d, e, 0, n);
    if (next == n)
        return first;
    Sym name = desugar_fresh(d, truth_only || desugar_is(e->ty, "bool") ? "test" : "value");
    desugar_set_as(d, e->at, name, first, ty);
    while (next < n) {
        size_t from = next;
        Block block = {0}, *before = d->out;
        next = next_needing(d, e, from);
        d->out = &block;
        const Expr *value = lower_first(d, e, from, next);
        desugar_set_as(d, value->at, name, value, ty);
        d->out = before;
        const Expr *test = desugar_name(d, e->at, name, ty);
        desugar_if(d, e->at, e->bool_op.op == BOOLOP_AND ? test : desugar_not(d, test), block,
                   (Block){0});
    }
    return desugar_name(d, e->at, name, ty);
}

// `first or rest` as `if first: value = first`, `else: value = rest`.
static const Expr *lower_apart(Desugar *d, const Expr *e, size_t from)
{
    size_t n = e->bool_op.values.len, next = next_needing(d, e, from);
    if (next == n)
        return lower_first(d, e, from, n);
    const Expr *first = desugar_temp(d, lower_first(d, e, from, next), "value");
    Sym name = desugar_fresh(d, "value");
    Block own = {0}, other = {0}, *before = d->out;
    d->out = &own;
    desugar_set_as(d, e->at, name, first, e->ty);
    d->out = &other;
    desugar_set_as(d, e->at, name, lower_apart(d, e, next), e->ty);
    d->out = before;
    bool is_or = e->bool_op.op == BOOLOP_OR;
    desugar_if(d, e->at, first, is_or ? own : other, is_or ? other : own);
    return desugar_name(d, e->at, name, e->ty);
}

static const Expr *lower_bool_op(Desugar *d, const Expr *e)
{
    return of_one_type(e) ? lower_flat(d, e, false) : lower_apart(d, e, 0);
}

// a < b < c: every operand in the middle has a variable, and the whole is a conjunction.
static const Expr *chain_as_and(Desugar *d, const Expr *e)
{
    ExprVec tests = {0};
    ExprList right = e->compare.comparators;
    const Expr *left = e->compare.left;
    for (size_t i = 0; i < right.len; i++) {
        const Expr *value = right.at[i], *again = value;
        if (i + 1 < right.len && !may_repeat(d, value)) {
            Sym name = desugar_fresh(d, "value");
            const Expr *target = desugar_typed(d, expr_name(d->arena, value->at, name,
                                                            EXPR_CONTEXT_STORE), value->ty);
            again = desugar_name(d, value->at, name, value->ty);
            value = desugar_typed(d, expr_named_expr(d->arena, value->at, target, value),
                                  value->ty);
        }
        const Expr *test = desugar_compare(d, left, e->compare.ops.at[i], value);
        vec_push(d->arena, &tests, expr_with_at(d->arena, test, e->at));
        left = again;
    }
    return desugar_typed(d, expr_bool_op(d->arena, e->at, BOOLOP_AND,
                                         (ExprList){tests.at, tests.len}), e->ty);
}

static const Expr *lower_walrus(Desugar *d, const Expr *e)
{
    const Expr *value = desugar_expr(d, e->named_expr.value), *target = e->named_expr.target;
    desugar_put(d, stmt_assign(d->arena, e->at, desugar_list(d, 1, &target), value));
    return desugar_name(d, e->at, target->name.id, e->ty);
}

static bool is_spine(Desugar *d, const Expr *e)
{
    return (e->kind == EXPR_CALL && !desugar_consumes(d, e)) || e->kind == EXPR_BIN_OP
           || e->kind == EXPR_UNARY_OP || e->kind == EXPR_ATTRIBUTE
           || e->kind == EXPR_SUBSCRIPT;
}

// Whether a form takes statements, its left end aside.
static bool needs_apart(Desugar *d, const Expr *e)
{
    ExprVec v = operands_of(d, e);
    for (size_t i = 1; i < v.len; i++)
        if (desugar_needs(d, v.at[i]))
            return true;
    return e->kind == EXPR_CALL && takes_stars(d, e);
}

// The left ends of operators, calls and items nest deep: in a loop.
static const Expr *lower_spine(Desugar *d, const Expr *e)
{
    ExprVec up = {0};
    for (; is_spine(d, e); e = expr_spine_child(e))
        vec_push(d->arena, &up, e);
    bool lowered = desugar_needs(d, e);
    if (lowered)
        e = desugar_expr(d, e);
    for (size_t i = up.len; i-- > 0;) {
        bool apart = needs_apart(d, up.at[i]);
        if (apart && !lowered)
            e = map_plain(d, e);
        lowered = lowered || apart;
        e = lowered ? lower_parts(d, up.at[i], e) : up.at[i];
    }
    return e;
}

const Expr *desugar_expr(Desugar *d, const Expr *e)
{
    if (!desugar_needs(d, e))
        return map_plain(d, e);
    switch (e->kind) {
    case EXPR_NAMED_EXPR: return lower_walrus(d, e);
    case EXPR_BOOL_OP:    return lower_bool_op(d, e);
    case EXPR_IF_EXP:     return lower_if_exp(d, e);
    case EXPR_LAMBDA:     return desugar_lambda(d, e);
    case EXPR_LIST_COMP: case EXPR_SET_COMP: case EXPR_DICT_COMP:
        return desugar_comprehension(d, e);
    case EXPR_GENERATOR_EXP: return desugar_generator(d, e);
    case EXPR_JOINED_STR: return desugar_expr(d, desugar_fstring(d, e));
    case EXPR_COMPARE:
        return e->compare.ops.len > 1 ? lower_flat(d, chain_as_and(d, e), true)
                                      : lower_parts(d, e, NULL);
    case EXPR_LIST: case EXPR_TUPLE: case EXPR_SET: case EXPR_DICT:
        return desugar_has_star(e) ? desugar_display(d, e) : lower_parts(d, e, NULL);
    case EXPR_CALL:
        return desugar_consumes(d, e) ? desugar_consumer(d, e) : lower_spine(d, e);
    case EXPR_BIN_OP: case EXPR_UNARY_OP: case EXPR_ATTRIBUTE: case EXPR_SUBSCRIPT:
        return lower_spine(d, e);
    case EXPR_AWAIT: case EXPR_YIELD: case EXPR_YIELD_FROM: case EXPR_FORMATTED_VALUE:
    case EXPR_CONSTANT: case EXPR_STARRED: case EXPR_NAME: case EXPR_SLICE: case EXPR_LOCATED:
    case EXPR_INST: case EXPR_PIN: case EXPR_COM: case EXPR_SELECT: case EXPR_UNIT:
    EXPR_CASES_ARRAY:
    EXPR_CASES_CONTROL:
    case EXPR_SEND: case EXPR_RECV: case EXPR_SEND_LABEL: case EXPR_COUNT:
        break;
    }
    return lower_parts(d, e, NULL);
}

// ---- containers that are made as what is wanted ----

// The class whose instance an expression makes; NULL: none of these.
static const char *made_class(Desugar *d, const Expr *e)
{
    static const char *const MAKERS[][2] = {
        {"list", "list"}, {"set", "set"}, {"dict", "dict"}, {"sorted", "list"}};
    for (size_t i = 0; e->kind == EXPR_CALL && i < sizeof MAKERS / sizeof *MAKERS; i++)
        if (desugar_is_builtin(d, e->call.func, MAKERS[i][0]))
            return MAKERS[i][1];
    return e->kind == EXPR_LIST_COMP || e->kind == EXPR_LIST   ? "list"
           : e->kind == EXPR_SET_COMP || e->kind == EXPR_SET   ? "set"
           : e->kind == EXPR_DICT_COMP || e->kind == EXPR_DICT ? "dict"
                                                               : NULL;
}

// The part of a type that is an instance of a class; NULL: there is none, or more than one.
static const Ty *part_of_class(const Ty *t, const char *name)
{
    const Ty *found = NULL;
    if (t->kind != TY_UNION)
        return desugar_is(t, name) && t->named.args.len > 0 ? t : NULL;
    for (size_t i = 0; i < t->union_.items.len; i++) {
        const Ty *part = part_of_class(t->union_.items.at[i], name);
        if (part && found)
            return NULL;
        found = part ? part : found;
    }
    return found;
}

// `list[Any]` is as a context wants it, where Python's typing is content with `list[int]`.
static const Expr *as_wanted(Desugar *d, const Expr *e, const Ty *wanted)
{
    if (e->kind == EXPR_IF_EXP) {
        const Expr *body = as_wanted(d, e->if_exp.body, wanted);
        const Expr *orelse = as_wanted(d, e->if_exp.orelse, wanted);
        bool same = body == e->if_exp.body && orelse == e->if_exp.orelse;
        return same ? e : desugar_typed(d, expr_if_exp(d->arena, e->at, e->if_exp.test, body,
                                                       orelse), wanted);
    }
    const char *name = made_class(d, e);
    const Ty *t = name ? part_of_class(wanted, name) : NULL;
    return t == NULL || e->ty == NULL || ir_equal_ty(t, e->ty) ? e : desugar_typed(d, e, t);
}

const Expr *desugar_expr_as(Desugar *d, const Expr *e, const Ty *wanted)
{
    return desugar_expr(d, wanted ? as_wanted(d, e, wanted) : e);
}

const Expr *desugar_test(Desugar *d, const Expr *e)
{
    if (e->kind == EXPR_BOOL_OP && desugar_needs(d, e))
        return lower_flat(d, e, true);
    return desugar_expr(d, e);
}

// ---- the opposite of a test ----

static bool opposite(Cmpop op, Cmpop *other)
{
    switch (op) {
    case CMPOP_IS:     *other = CMPOP_IS_NOT; return true;
    case CMPOP_IS_NOT: *other = CMPOP_IS; return true;
    case CMPOP_IN:     *other = CMPOP_NOT_IN; return true;
    case CMPOP_NOT_IN: *other = CMPOP_IN; return true;
    case CMPOP_EQ: case CMPOP_NOT_EQ: case CMPOP_LT: case CMPOP_LT_E: case CMPOP_GT:
    case CMPOP_GT_E: case CMPOP_COUNT:
        break;
    }
    return false;
}

const Expr *desugar_negated(Desugar *d, const Expr *test)
{
    Cmpop op;
    if (test->kind == EXPR_UNARY_OP && test->unary_op.op == UNARYOP_NOT)
        return test->unary_op.operand;
    if (test->kind == EXPR_COMPARE && test->compare.ops.len == 1
        && opposite(test->compare.ops.at[0], &op)) {
        const Expr *other = desugar_compare(d, test->compare.left, op,
                                            test->compare.comparators.at[0]);
        return expr_with_at(d->arena, other, test->at);
    }
    return desugar_not(d, test);
}
