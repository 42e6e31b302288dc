// back.c - the way back: the adjoint of each statement, the last one first (Griewank and Walther,
// Evaluating Derivatives, 2008, chapter 4).
//
// The definition of a name ends its cotangent: its way back takes the cotangent and leaves 0. The
// cotangent of a block's own name need not be a variable: until something has to be added to it in
// an inner block, or is changed that it is made of, it is an expression that waits for its use.
//
// Sums do not wait for calls: what is added to a cotangent, or to a place of a twin that the
// program never assigns, goes in front of the calls that it does not depend on. So less is alive
// in a call, and the last one may be all that is left to do.

#include "compiler/pass/ad/sweep.h"

// A cotangent that is known where it stands.
typedef struct Cotangent {
    bool own;                   // of the present block
    bool started;               // something has been added
    bool zero;                  // the variable holds 0
    const Expr *waiting;        // what it is; NULL: the variable has it
} Cotangent;

typedef struct Back {
    Sweep *sweep;
    const Ad *ad;
    Cotangent *of;              // by the index of the name
    Table *mentions;            // name -> how many of the waiting mention it
    Vec(size_t) waits;          // those whose cotangents wait and mention a name; some did once
    AdBlock *out;
    Table *called;              // ways back
    bool calls;                 // there are some
} Back;

static void block_back(Back *b, StmtList body, const AtEnd *end, NameSet own);

// ---- putting statements ----

static const Expr *cotangent(Back *b, size_t i, Span at)
{
    return ad_name(b->ad, at, sweep_cotangent(b->sweep, b->sweep->vars.at[i]), b->ad->float_);
}

static void put(Back *b, const Stmt *s);

typedef struct Mention { Back *back; int by; bool any; } Mention;

static bool count_mention(void *cx, const Expr *e)
{
    Mention *m = cx;
    if (e->kind != EXPR_NAME)
        return true;
    m->any = true;
    intptr_t now = (intptr_t)table_get(m->back->mentions, e->name.id) + m->by;
    table_set(m->back->mentions, e->name.id, (void *)now);
    return true;
}

static bool count_mentions(Back *b, const Expr *value, int by)
{
    Mention m = {b, by, false};
    IrWalker w = {.cx = &m, .expr = count_mention};
    ir_walk_expr(&w, value);
    return m.any;
}

static void wait_for(Back *b, size_t i, const Expr *value)
{
    b->of[i].waiting = value;
    if (count_mentions(b, value, 1))
        vec_push(b->ad->arena, &b->waits, i);
}

static const Expr *stop_waiting(Back *b, size_t i)
{
    const Expr *value = b->of[i].waiting;
    b->of[i].waiting = NULL;
    if (value != NULL)
        count_mentions(b, value, -1);
    return value;
}

// Gives the waiting cotangent of a name to its variable.
static void settle(Back *b, size_t i, Span at)
{
    const Expr *value = stop_waiting(b, i);
    if (value != NULL)
        b->of[i].zero = partial_is_number(value, 0.0);
    if (value != NULL)
        put(b, ad_store(b->ad, cotangent(b, i, at), value));
}

static bool is_waited_for(const Back *b, Sym name) { return table_get(b->mentions, name) != NULL; }

// Settles what is made of a name that is about to change, the first names first.
static void settle_made_of(Back *b, Sym name, Span at)
{
    while (is_waited_for(b, name)) {
        size_t kept = 0, first = SIZE_MAX;
        for (size_t k = 0; k < b->waits.len; k++) {
            size_t i = b->waits.at[k];
            const Expr *waiting = b->of[i].waiting;
            if (waiting == NULL)
                continue;
            b->waits.at[kept++] = i;
            if (i < first && ad_mentions(waiting, name))
                first = i;
        }
        b->waits.len = kept;
        if (first == SIZE_MAX)
            return;
        settle(b, first, at);
    }
}

static const Expr *put_aside(Back *b, const Expr *value, const char *base)
{
    Sym name = ad_fresh(b->ad, b->sweep->taken, base);
    vec_push(b->ad->arena, b->out, ad_assign(b->ad, name, value));
    return ad_name(b->ad, value->at, name, value->ty);
}

// A value that stays what it is when others are settled. A name that is defined several times may
// have a cotangent that waits while its variable still holds the one of a later definition.
typedef struct Holding { const Back *back; bool found; } Holding;

static bool find_holding(void *cx, const Expr *e)
{
    Holding *h = cx;
    Sym of = e->kind == EXPR_NAME ? sweep_name_of(h->back->sweep, e->name.id) : NULL;
    size_t i = of != NULL ? sweep_index(h->back->sweep, of) : SIZE_MAX;
    h->found = h->found || (i != SIZE_MAX && h->back->of[i].waiting != NULL);
    return !h->found;
}

static const Expr *lasting(Back *b, const Expr *value)
{
    Holding h = {.back = b};
    IrWalker w = {.cx = &h, .expr = find_holding};
    ir_walk_expr(&w, value);
    return h.found ? put_aside(b, value, "c") : value;
}

static void put(Back *b, const Stmt *s)
{
    const Expr *target = s->kind == STMT_BACK ? s->back.target : s->assign.targets.at[0];
    if (target->kind == EXPR_NAME && is_waited_for(b, target->name.id)) {
        if (s->kind == STMT_ASSIGN)
            s = ad_store(b->ad, target, lasting(b, s->assign.value));
        settle_made_of(b, target->name.id, s->at);
    }
    vec_push(b->ad->arena, b->out, s);
}

static void put_back(Back *b, Span at, Sym name)
{
    const Expr *target = ad_typed(b->ad, expr_name(b->ad->arena, at, name, EXPR_CONTEXT_STORE),
                                  sweep_ty(b->sweep, name));
    put(b, stmt_back(b->ad->arena, at, target));
}

// ---- in front of calls ----

static const Expr *minus(const Ad *ad, const Expr *e)
{
    return ad_typed(ad, expr_unary_op(ad->arena, e->at, UNARYOP_U_SUB, e), e->ty);
}

static bool look_for_call(void *cx, const Expr *e)
{
    const Back **b = cx;
    bool called = *b != NULL && e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
                  && table_get((*b)->called, e->call.func->name.id) != NULL;
    if (called)
        *b = NULL;
    return *b != NULL;
}

static bool has_call(const Back *b, const Stmt *s)
{
    const Back *looking = b;
    IrWalker w = {.cx = &looking, .expr = look_for_call};
    ir_walk_stmt(&w, s);
    return looking == NULL;
}

static bool is_arithmetic(const Expr *e)
{
    while (e->kind == EXPR_BIN_OP && is_arithmetic(e->bin_op.right))
        e = e->bin_op.left;
    return e->kind == EXPR_UNARY_OP ? is_arithmetic(e->unary_op.operand) : ad_is_atom(e);
}

// `x = x + e`, `x = x - e`, where e does not read x.
static bool is_sum(const Stmt *s, Sym x)
{
    const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value : NULL;
    return value != NULL && ad_is_name(s->assign.targets.at[0], x) && value->kind == EXPR_BIN_OP
           && (value->bin_op.op == OPERATOR_ADD || value->bin_op.op == OPERATOR_SUB)
           && ad_is_name(value->bin_op.left, x) && !ad_mentions(value->bin_op.right, x);
}

static const Expr *target_of(const Stmt *s)
{
    return s->kind == STMT_BACK ? s->back.target
           : s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : NULL;
}

static bool reads(const Stmt *s, Sym name)
{
    const Expr *target = target_of(s);
    return (s->kind == STMT_EXPR && ad_mentions(s->expr.value, name))
           || (s->kind == STMT_ASSIGN && ad_mentions(s->assign.value, name))
           || (target != NULL && target->kind != EXPR_NAME && ad_mentions(target, name));
}

// Whether a sum may as well be done before another statement.
static bool may_pass(const Stmt *sum, const Stmt *s)
{
    const Expr *to = target_of(sum), *target = target_of(s);
    Sym x = to->kind == EXPR_NAME ? to->name.id : NULL;
    if (target == NULL && s->kind != STMT_EXPR)
        return false;
    if (x != NULL && is_sum(s, x))
        return true;
    if (x != NULL && (reads(s, x) || (target != NULL && ad_is_name(target, x))))
        return false;
    return target == NULL || target->kind != EXPR_NAME || !reads(sum, target->name.id);
}

// `x = g()` and then `x = x + e`: the two change places.
static bool is_first_call(const Back *b, const Stmt *sum, const Stmt *s)
{
    const Expr *to = target_of(sum);
    return s->kind == STMT_ASSIGN && to->kind == EXPR_NAME && has_call(b, s)
           && ad_is_name(s->assign.targets.at[0], to->name.id) && !reads(s, to->name.id);
}

static const Stmt *without_first(const Ad *ad, const Stmt *sum)
{
    const Expr *value = sum->assign.value->bin_op.right;
    if (sum->assign.value->bin_op.op == OPERATOR_SUB)
        value = minus(ad, value);
    return ad_store(ad, target_of(sum), value);
}

// Puts a sum, `to = to + e`, in front of the calls that it may pass; `x = g(); x = x + e` becomes
// `x = e; x = x + g()`.
static void put_sum(Back *b, const Stmt *sum)
{
    enum { FAR = 64 };              // statements that are looked at
    put(b, sum);
    size_t at = b->out->len - 1, to = at, i = at, least = at > FAR ? at - FAR : 0;
    const Stmt **out = b->out->at;
    if (!b->calls || out[at] != sum || !is_arithmetic(sum->assign.value->bin_op.right))
        return;
    for (; i > least && may_pass(sum, out[i - 1]); i--)
        if (has_call(b, out[i - 1]))
            to = i - 1;
    if (i > least && is_first_call(b, sum, out[i - 1])) {
        const Expr *target = target_of(sum);
        to = i - 1;
        out[to] = ad_store(b->ad, target, sweep_plus(b->ad, target, out[to]->assign.value));
        sum = without_first(b->ad, sum);
    }
    memmove(&out[to + 1], &out[to], (at - to) * sizeof *out);
    out[to] = sum;
}

// ---- adding ----

const Expr *sweep_times(const Ad *ad, const Expr *x, const Expr *partial)
{
    if (partial_is_number(partial, 1.0))
        return x;
    if (partial_is_number(partial, -1.0))
        return minus(ad, x);
    if (partial_is_number(x, 1.0))
        return ad_is_float(partial->ty) ? partial
               : ad_call_name(ad, partial->at, "float", ad->float_, 1, &partial);
    if (partial->kind == EXPR_BIN_OP && partial->bin_op.op == OPERATOR_DIV
        && partial_is_number(partial->bin_op.left, 1.0))
        return ad_bin(ad, x, OPERATOR_DIV, partial->bin_op.right, ad->float_);
    return ad_bin(ad, x, OPERATOR_MULT, partial, ad->float_);
}

const Expr *sweep_plus(const Ad *ad, const Expr *x, const Expr *y)
{
    if (y->kind == EXPR_UNARY_OP && y->unary_op.op == UNARYOP_U_SUB
        && y->unary_op.operand->kind != EXPR_CONSTANT)
        return ad_bin(ad, x, OPERATOR_SUB, y->unary_op.operand, ad->float_);
    return ad_bin(ad, x, OPERATOR_ADD, y, ad->float_);
}

static void add(Back *b, size_t i, const Expr *value)
{
    Cotangent *c = &b->of[i];
    if (c->own && !c->started) {
        c->started = true;
        wait_for(b, i, value);
        return;
    }
    value = lasting(b, value);
    settle(b, i, value->at);
    const Expr *now = cotangent(b, i, value->at);
    if (c->zero)
        put(b, ad_store(b->ad, now, value));
    else
        put_sum(b, ad_store(b->ad, now, sweep_plus(b->ad, now, value)));
    c->zero = false;
}

static void add_to(Back *b, const Expr *e, const Expr *value)
{
    if (sweep_is_active(b->sweep, e))
        add(b, sweep_index(b->sweep, e->name.id), value);
}

// The cotangent of a name whose definition is reached, to be read `uses` times; NULL: it is 0.
static const Expr *take(Back *b, size_t i, size_t uses, Span at)
{
    Cotangent *c = &b->of[i];
    if (!c->own)
        return cotangent(b, i, at);
    if (!c->started)
        return NULL;
    if (c->waiting != NULL && uses > 1 && !ad_is_atom(c->waiting))
        settle(b, i, at);
    const Expr *value = c->waiting != NULL ? stop_waiting(b, i) : cotangent(b, i, at);
    c->started = false;
    return value;
}

// What a definition leaves: nothing, or what its own operands give.
static void leave(Back *b, size_t i, const Expr *value, Span at)
{
    bool same = value != NULL && ad_is_name(value, sweep_cotangent(b->sweep, b->sweep->vars.at[i]));
    if (b->of[i].own && value != NULL)
        add(b, i, value);
    else if (same)
        return;
    else if (!b->of[i].own)
        put(b, ad_store(b->ad, cotangent(b, i, at), value ? value : ad_float(b->ad, at, 0.0)));
    b->of[i].zero = !b->of[i].own && value == NULL;
}

// ---- primitives ----

typedef struct Rule {
    const Partial *partial;
    ExprList args;
    const Expr *result;         // what the name holds after the operation
    size_t target;
} Rule;

const Expr *sweep_partial(const Sweep *s, const Partial *p, ExprList args, size_t i,
                          const Expr *result)
{
    PartialUse use = {.at = result->at, .result = result};
    if (p->kind == PARTIAL_EACH)
        use.argument[0] = args.at[i];
    for (size_t k = 0; p->kind != PARTIAL_EACH && k < args.len; k++)
        use.argument[k] = args.at[k];
    return partial_with(s->ad->partials, p, p->kind == PARTIAL_EACH ? 0 : i, &use);
}

static const Expr *partial_for(Back *b, const Rule *r, size_t i)
{
    return sweep_partial(b->sweep, r->partial, r->args, i, r->result);
}

static size_t count_uses(Back *b, const Rule *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->args.len; i++)
        n += sweep_is_active(b->sweep, r->args.at[i])
             && r->partial->of[r->partial->kind == PARTIAL_EACH ? 0 : i] != NULL;
    return n;
}

static bool is_argument(const Rule *r, Sym name)
{
    for (size_t i = 0; i < r->args.len; i++)
        if (ad_is_name(r->args.at[i], name))
            return true;
    return false;
}

static void primitive_back(Back *b, const Rule *r)
{
    Span at = r->result->at;
    const Expr *seed = take(b, r->target, count_uses(b, r), at), *own = NULL;
    if (seed == NULL)
        return;
    if (b->of[r->target].own && r->args.len > 2 && !partial_is_number(seed, 1.0)
        && is_argument(r, b->sweep->vars.at[r->target]))
        seed = put_aside(b, seed, "c");
    seed = lasting(b, seed);
    for (size_t i = 0; i < r->args.len; i++) {
        const Expr *arg = r->args.at[i];
        const Expr *p = sweep_is_active(b->sweep, arg) ? partial_for(b, r, i) : NULL;
        if (p == NULL)
            continue;
        const Expr *part = sweep_times(b->ad, seed, p);
        if (sweep_index(b->sweep, arg->name.id) == r->target)
            own = own == NULL ? part : sweep_plus(b->ad, own, part);
        else
            add_to(b, arg, part);
    }
    leave(b, r->target, own, at);
}

static bool reads_result(Back *b, const Rule *r)
{
    for (size_t i = 0; i < r->args.len; i++)
        if (sweep_is_active(b->sweep, r->args.at[i])
            && partial_reads(r->partial, r->partial->kind == PARTIAL_EACH ? 0 : i, 'r'))
            return true;
    return false;
}

// `x = p(.., x)` whose partials read both values of x: the later one is set aside.
static const Expr *set_aside(Back *b, const Expr *result)
{
    return put_aside(b, result, "r");
}

// ---- calls ----

static const Expr *call_back(Back *b, const Expr *value, const Expr *seed, const Ty *ty)
{
    const Ad *ad = b->ad;
    AdExprs args = {0};
    for (size_t i = 0; i < value->call.args.len; i++)
        vec_push(ad->arena, &args, value->call.args.at[i]);
    if (seed != NULL)
        vec_push(ad->arena, &args, seed);
    Sym name = sweep_back_name(ad, value->call.func->name.id);
    table_set(b->called, name, b);
    b->calls = true;
    return ad_call_name(ad, value->at, name, ty, args.len, args.at);
}

static void add_settled(Back *b, const Expr *e, const Expr *value)
{
    add_to(b, e, value);
    if (sweep_is_active(b->sweep, e))
        settle(b, sweep_index(b->sweep, e->name.id), value->at);
}

static const Expr *first_float(const Expr *call, ArgList params)
{
    size_t i = 0;
    while (i + 1 < params.len && !ad_is_float(params.at[i]->ty))
        i++;
    return call->call.args.at[i];
}

static void put_call(Back *b, const Expr *call)
{
    vec_push(b->ad->arena, b->out, stmt_expr(b->ad->arena, call->at, call));
}

static const Ty *floats_ty(const Ad *ad, size_t n)
{
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, n + 1);
    for (size_t i = 0; i < n; i++)
        items[i] = ad->float_;
    return n == 0 ? ad->none : n == 1 ? ad->float_ : ty_tuple(ad->arena, (TyList){items, n});
}

static bool is_operand(const Expr *call, const Expr *target)
{
    for (size_t i = 0; i < call->call.args.len; i++)
        if (ad_is_name(call->call.args.at[i], target->name.id))
            return true;
    return false;
}

// The cotangent of the result goes to the callee's way back, which answers those of the floats.
static void function_back(Back *b, const Expr *target, const Expr *value, const Stmt *callee)
{
    const Ad *ad = b->ad;
    ArgList params = callee->function_def.args->args;
    size_t i = sweep_index(b->sweep, target->name.id), floats = 0, k = 0;
    bool active = sweep_is_active(b->sweep, target);
    const Expr *seed = active ? take(b, i, 1, target->at) : NULL;
    if (ad_is_float(target->ty) && seed == NULL)
        seed = ad_float(ad, target->at, 0.0);
    for (size_t p = 0; p < params.len; p++)
        floats += ad_is_float(params.at[p]->ty);
    const Expr *answer = call_back(b, value, seed, floats_ty(ad, floats));
    bool set_first = active && !b->of[i].own && is_operand(value, target);
    if (floats == 0 || (floats == 1 && !sweep_is_active(b->sweep, first_float(value, params))))
        put_call(b, answer);
    else if (floats > 1 || set_first)
        answer = put_aside(b, answer, "d");
    if (set_first)
        leave(b, i, NULL, target->at);
    for (size_t p = 0; p < params.len; p++)
        if (ad_is_float(params.at[p]->ty))
            add_settled(b, value->call.args.at[p], floats == 1 ? answer
                        : ad_item(ad, answer, ad_int(ad, target->at, (long)k++), ad->float_));
    if (active && !set_first)
        leave(b, i, NULL, target->at);
}

// ---- assignments ----

static void copy_back(Back *b, const Expr *target, const Expr *value)
{
    size_t i = sweep_index(b->sweep, target->name.id);
    const Expr *seed = take(b, i, 1, target->at);
    if (seed == NULL)
        return;
    add_to(b, value, seed);
    leave(b, i, NULL, target->at);
}

// ---- references ----

static const Expr *twin_place(Back *b, const Expr *place)
{
    const Ad *ad = b->ad;
    if (place->kind == EXPR_ATTRIBUTE)
        return ad_attribute(ad, twin_name(b->sweep, place->attribute.value),
                            place->attribute.attr, ad->float_);
    return ad_item(ad, twin_name(b->sweep, place->subscript.value), place->subscript.slice,
                   ad->float_);
}

// `t = o.f`.
static void load_back(Back *b, const Expr *target, const Expr *place)
{
    size_t i = sweep_index(b->sweep, target->name.id);
    const Expr *seed = take(b, i, 1, target->at);
    if (seed == NULL)
        return;
    const Expr *to = twin_place(b, place);
    const Stmt *sum = ad_store(b->ad, to, sweep_plus(b->ad, to, seed));
    if (changes_has(b->sweep->changes, place))
        put(b, sum);
    else
        put_sum(b, sum);
    leave(b, i, NULL, target->at);
}

// `o.f = t`.
static void store_back(Back *b, const Stmt *stmt)
{
    const Expr *target = stmt->assign.targets.at[0], *value = stmt->assign.value;
    const TwinPart *part = sweep_twin_part(b->sweep, stmt);
    if (part != NULL && part->old != NULL)
        put(b, ad_store(b->ad, target, ad_name(b->ad, stmt->at, part->old, target->ty)));
    if (part != NULL || !(ad_is_float(value->ty) || ad_is_float(target->ty)))
        return;
    const Expr *place = twin_place(b, target);
    add_settled(b, value, place);
    put(b, ad_store(b->ad, place, ad_float(b->ad, stmt->at, 0.0)));
}

// `o = C(a, n)`, `o = [a, b]`: what the twin holds goes to what it was made of.
static void made_back(Back *b, const Expr *target, const Expr *value)
{
    const Ad *ad = b->ad;
    const Expr *twin = twin_name(b->sweep, target);
    ExprList parts = value->kind == EXPR_LIST ? value->list.elts : value->call.args;
    const Stmt *def = value->kind == EXPR_LIST ? NULL
                      : table_get(ad->classes, value->call.func->name.id);
    size_t field = 0;
    if (def != NULL)            // the variable may be of several classes
        twin = ad_typed(ad, twin, ty_named(ad->arena, def->class_def.name, (TyList){0}));
    for (size_t i = 0; i < parts.len; i++, field++) {
        while (def != NULL && def->class_def.body.at[field]->kind != STMT_ANN_ASSIGN)
            field++;
        const Expr *from = def == NULL ? ad_item(ad, twin, ad_int(ad, target->at, (long)i),
                                                 ad->float_)
            : ad_attribute(ad, twin, def->class_def.body.at[field]->ann_assign.target->name.id,
                           ad->float_);
        add_settled(b, parts.at[i], from);
    }
}

// `t = xs.pop()`.
static void pop_back(Back *b, const Expr *target, const Expr *list)
{
    const Ad *ad = b->ad;
    const Expr *twin = twin_name(b->sweep, list), *item;
    if (!ad_is_float(target->ty)) {
        item = twin_name(b->sweep, target);
    } else {
        size_t i = sweep_index(b->sweep, target->name.id);
        bool active = sweep_is_active(b->sweep, target);
        item = active ? take(b, i, 1, target->at) : NULL;
        if (item == NULL)
            item = ad_float(ad, target->at, 0.0);
        put_call(b, ad_method(ad, twin, "append", ad->none, 1, &item));
        if (active)
            leave(b, i, NULL, target->at);
        return;
    }
    put_call(b, ad_method(ad, twin, "append", ad->none, 1, &item));
}

// `xs.append(a)`.
static void append_back(Back *b, const Stmt *stmt)
{
    const Ad *ad = b->ad;
    const Expr *value = stmt->expr.value, *list = twin_method(b->sweep, value);
    if (sweep_twin_part(b->sweep, stmt) != NULL || list == NULL || !ad_holds_float(ad, list->ty))
        return;
    const Expr *pop = ad_method(ad, twin_name(b->sweep, list), "pop", ad_list_element(list->ty), 0,
                                NULL);
    const Expr *arg = value->call.args.at[0];
    if (sweep_is_active(b->sweep, arg))
        add_settled(b, arg, pop);
    else
        put_call(b, pop);
}

// What is no operation of floats.
static void reference_back(Back *b, const Expr *target, const Expr *value)
{
    const Expr *list = twin_method(b->sweep, value);
    bool place = value->kind == EXPR_ATTRIBUTE || value->kind == EXPR_SUBSCRIPT;
    if (list != NULL && ad_holds_float(b->ad, list->ty))
        pop_back(b, target, list);
    else if (ad_is_reference(b->ad, target->ty)
             && (value->kind == EXPR_LIST || value->kind == EXPR_CALL))
        made_back(b, target, value);
    else if (sweep_is_active(b->sweep, target) && place && !ad_is_atom(value))
        load_back(b, target, value);
    else if (sweep_is_active(b->sweep, target))
        copy_back(b, target, value);
}

static void rule_back(Back *b, const Stmt *stmt, Rule *r, bool kept)
{
    const Expr *target = stmt->assign.targets.at[0];
    bool reads = reads_result(b, r);
    if (kept && reads && is_argument(r, target->name.id)) {
        r->result = set_aside(b, r->result);
        reads = false;
    }
    if (kept && !reads)
        put_back(b, stmt->at, target->name.id);
    primitive_back(b, r);
    if (kept && reads)
        put_back(b, stmt->at, target->name.id);
}

static void assign_back(Back *b, const Stmt *stmt)
{
    const Expr *target = stmt->assign.targets.at[0], *value = stmt->assign.value;
    bool kept = sweep_plan_of(b->sweep, stmt)->keep;
    ExprList args;
    const Stmt *callee = sweep_callee(b->sweep, value);
    const Partial *p = sweep_is_active(b->sweep, target)
                           ? sweep_primitive(b->sweep, value, &args) : NULL;
    if (p != NULL) {
        const Expr *result = ad_name(b->ad, target->at, target->name.id, target->ty);
        Rule r = {p, args, result, sweep_index(b->sweep, target->name.id)};
        rule_back(b, stmt, &r, kept);
        return;
    }
    if (callee == NULL && sweep_twin_part(b->sweep, stmt) == NULL)
        reference_back(b, target, value);
    if (kept)
        put_back(b, stmt->at, target->name.id);
    if (callee != NULL)
        function_back(b, target, value, callee);
}

// ---- blocks ----

// What an inner block adds to must be in its variable.
static void open_inner(Back *b, NameSet inside, NameSet own_inside, Span at)
{
    for (size_t i = 0; i < b->sweep->vars.len; i++) {
        Cotangent *c = &b->of[i];
        const Expr *name = ad_name(b->ad, at, b->sweep->vars.at[i], b->sweep->types.at[i]);
        if (!sweep_is_active(b->sweep, name))
            continue;
        bool met = set_has(inside, i) && !set_has(own_inside, i);
        if (met && c->own && !c->started)
            c->waiting = ad_float(b->ad, at, 0.0);
        if (met && c->own)
            c->started = true;
        if (c->waiting != NULL && (met || c->waiting->kind != EXPR_CONSTANT))
            settle(b, i, at);
    }
}

static void close_inner(Back *b, NameSet inside)
{
    for (size_t i = 0; i < b->sweep->vars.len; i++)
        b->of[i].zero = b->of[i].zero && !set_has(inside, i);
}

// `once`: what is 0 in front of the block is so where it begins.
static StmtList inner_back(Back *b, StmtList body, const AtEnd *end, NameSet own, bool once)
{
    AdBlock out = {0}, *outer = b->out;
    size_t n = b->sweep->vars.len;
    Cotangent *saved = b->of;
    Table *mentions = b->mentions;
    b->of = ARENA_ARRAY(b->ad->arena, Cotangent, n + 1);
    memset(b->of, 0, (n + 1) * sizeof *b->of);
    b->mentions = table_new(b->ad->arena);
    b->out = &out;
    for (size_t i = 0; once && i < n; i++)
        b->of[i].zero = saved[i].zero && saved[i].waiting == NULL;
    block_back(b, body, end, own);
    b->out = outer;
    b->of = saved;
    b->mentions = mentions;
    return ad_stmts(&out);
}

static NameSet own_of_both(Back *b, StmtList yes, StmtList no)
{
    NameSet own = set_copy(b->sweep, names_own(b->sweep, yes));
    set_join(b->sweep, own, names_own(b->sweep, no));
    return own;
}

static void if_back(Back *b, const Stmt *stmt)
{
    const Ad *ad = b->ad;
    const Plan *plan = sweep_plan_of(b->sweep, stmt);
    NameSet inside = names_in(b->sweep, stmt->if_.body);
    set_join(b->sweep, inside, names_in(b->sweep, stmt->if_.orelse));
    NameSet own = own_of_both(b, stmt->if_.body, stmt->if_.orelse);
    open_inner(b, inside, own, stmt->at);
    StmtList yes = inner_back(b, stmt->if_.body, &plan->at_end[0],
                              names_own(b->sweep, stmt->if_.body), true);
    StmtList no = inner_back(b, stmt->if_.orelse, &plan->at_end[1],
                             names_own(b->sweep, stmt->if_.orelse), true);
    close_inner(b, inside);
    const Expr *test = stmt->if_.test;
    if (yes.len == 0 && no.len == 0)
        return;
    if (yes.len == 0) {
        test = ad_not(ad, test);
        yes = no;
        no = (StmtList){0};
    }
    vec_push(ad->arena, b->out, stmt_if(ad->arena, stmt->at, test, yes, no));
}

static void loop_back(Back *b, const Stmt *stmt, const Expr *target, const Expr *iter,
                      StmtList body)
{
    const Ad *ad = b->ad;
    const Plan *plan = sweep_plan_of(b->sweep, stmt);
    NameSet own = names_own(b->sweep, body);
    open_inner(b, names_in(b->sweep, body), own, stmt->at);
    StmtList back = inner_back(b, body, &plan->at_end[0], own, false);
    close_inner(b, names_in(b->sweep, body));
    if (back.len > 0)
        vec_push(ad->arena, b->out, stmt_for(ad->arena, stmt->at, target, iter, back,
                                             (StmtList){0}));
}

static void for_back(Back *b, const Stmt *stmt)
{
    const Ad *ad = b->ad;
    const Expr *iter = ad_call_name(ad, stmt->at, "reversed", stmt->for_.iter->ty, 1,
                                    &stmt->for_.iter);
    loop_back(b, stmt, stmt->for_.target, iter, stmt->for_.body);
}

static void while_back(Back *b, const Stmt *stmt)
{
    const Ad *ad = b->ad;
    Sym count = ad_fresh(ad, b->sweep->taken, "_");
    const Expr *rounds = ad_name(ad, stmt->at, sweep_plan_of(b->sweep, stmt)->rounds, ad->int_);
    const Ty *range = ty_named(ad->arena, names_get(ad->names, "range"), (TyList){0});
    const Expr *target = ad_typed(ad, expr_name(ad->arena, stmt->at, count, EXPR_CONTEXT_STORE),
                                  ad->int_);
    loop_back(b, stmt, target, ad_call_name(ad, stmt->at, "range", range, 1, &rounds),
              stmt->while_.body);
}

static void stmts_back(Back *b, StmtList body)
{
    for (size_t k = body.len; k-- > 0;) {
        const Stmt *stmt = body.at[k];
        if (stmt->kind == STMT_EXPR)
            append_back(b, stmt);
        else if (stmt->kind == STMT_ASSIGN && stmt->assign.targets.at[0]->kind != EXPR_NAME)
            store_back(b, stmt);
        else if (stmt->kind == STMT_ASSIGN)
            assign_back(b, stmt);
        else if (stmt->kind == STMT_IF)
            if_back(b, stmt);
        else if (stmt->kind == STMT_FOR)
            for_back(b, stmt);
        else if (stmt->kind == STMT_WHILE)
            while_back(b, stmt);
    }
}

static void end_back(Back *b, Span at, const AtEnd *end)
{
    for (size_t i = end->kept.len; i-- > 0;)
        put_back(b, at, end->kept.at[i]);
    for (size_t i = 0; i < end->again.len; i++)
        put(b, end->again.at[i]);
}

static void block_back(Back *b, StmtList body, const AtEnd *end, NameSet own)
{
    for (size_t i = 0; i < b->sweep->vars.len; i++)
        b->of[i].own = set_has(own, i);
    end_back(b, body.len > 0 ? body.at[0]->at : (Span){0, 0}, end);
    stmts_back(b, body);
}

// ---- the function ----

StmtList sweep_back(Sweep *s, const Expr *seed, ExprList *of_parameters)
{
    AdBlock out = {0};
    AdExprs answers = {0};
    ArgList params = s->def->function_def.args->args;
    size_t n = s->vars.len;
    Back b = {.sweep = s, .ad = s->ad, .of = ARENA_ARRAY(s->ad->arena, Cotangent, n + 1),
              .mentions = table_new(s->ad->arena), .out = &out,
              .called = table_new(s->ad->arena)};
    memset(b.of, 0, (n + 1) * sizeof *b.of);
    for (size_t i = 0; i < n; i++)
        b.of[i].own = true;
    end_back(&b, s->def->at, &s->at_end);
    if (seed != NULL)
        add_to(&b, s->result, seed);
    stmts_back(&b, s->body);
    for (size_t i = 0; i < params.len; i++) {
        if (!ad_is_float(params.at[i]->ty))
            continue;
        size_t of = sweep_index(s, params.at[i]->arg);
        const Expr *value = take(&b, of, 1, s->def->at);
        vec_push(s->ad->arena, &answers, value ? value : ad_float(s->ad, s->def->at, 0.0));
    }
    *of_parameters = (ExprList){answers.at, answers.len};
    return ad_stmts(&out);
}
