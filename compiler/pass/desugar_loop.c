// desugar_loop.c - comprehensions, and generator expressions whose consumer takes all items at
// once, as loops. Their variables become variables of the function, of a name that is free there;
// a comprehension whose variables live on in a function value becomes a function of its own.

#include "compiler/pass/desugar_internal.h"

// ---- what is done with each item ----

Loops desugar_loops_of(const Expr *e)
{
    Loops l = {.at = e->at};
    if (e->kind == EXPR_LIST_COMP) {
        l.elt = e->list_comp.elt;
        l.generators = e->list_comp.generators;
    } else if (e->kind == EXPR_SET_COMP) {
        l.elt = e->set_comp.elt;
        l.generators = e->set_comp.generators;
    } else if (e->kind == EXPR_DICT_COMP) {
        l.elt = e->dict_comp.key;
        l.value = e->dict_comp.value;
        l.generators = e->dict_comp.generators;
    } else {
        l.elt = e->generator_exp.elt;
        l.generators = e->generator_exp.generators;
    }
    return l;
}

static void put_loops(Desugar *d, const Loops *l, size_t i);

static void put_rest(Desugar *d, const Loops *l, size_t i, size_t condition)
{
    ExprList ifs = l->generators.at[i]->ifs;
    if (condition < ifs.len) {
        const Expr *test = desugar_test(d, ifs.at[condition]);
        Block body = {0}, *before = d->out;
        d->out = &body;
        put_rest(d, l, i, condition + 1);
        d->out = before;
        desugar_if(d, test->at, test, body, (Block){0});
    } else if (i + 1 < l->generators.len) {
        put_loops(d, l, i + 1);
        if (l->stop == NULL)
            return;
        Block leave = {0};
        vec_push(d->arena, &leave, stmt_break(d->arena, l->at));
        desugar_if(d, l->at, l->stop, leave, (Block){0});
    } else {
        l->take(d, l);
    }
}

static void put_loops(Desugar *d, const Loops *l, size_t i)
{
    const Comprehension *g = l->generators.at[i];
    const Expr *iter = i == 0 ? l->first : desugar_expr(d, g->iter);
    Block body = {0}, *before = d->out;
    d->out = &body;
    const Expr *target = desugar_for_target(d, g->target,
                                            desugar_target_ty(d, g->target, iter->ty));
    put_rest(d, l, i, 0);
    d->out = before;
    desugar_put(d, stmt_for(d->arena, g->target->at, target, iter,
                            desugar_stmts(d, l->at, body), (StmtList){0}));
}

static void put_method(Desugar *d, const Loops *l, const char *method)
{
    const Expr *item = desugar_expr(d, l->elt);
    const Expr *call = desugar_method(d, l->result, method, desugar_list(d, 1, &item),
                                      ty_none_type(d->arena));
    desugar_call_stmt(d, expr_with_at(d->arena, call, l->elt->at));
}

static void take_append(Desugar *d, const Loops *l) { put_method(d, l, "append"); }

static void take_add(Desugar *d, const Loops *l) { put_method(d, l, "add"); }

static void take_yield(Desugar *d, const Loops *l)
{
    const Expr *item = desugar_expr(d, l->elt);
    desugar_call_stmt(d, desugar_typed(d, expr_yield(d->arena, l->elt->at, item),
                                       ty_none_type(d->arena)));
}

static void take_pair(Desugar *d, const Loops *l)
{
    const Expr *pair[] = {l->elt, l->value};
    desugar_put_item(d, l->result, pair);
}

// ---- variables ----

typedef struct Variables { Desugar *d; Vec(Sym) names; bool captured; } Variables;

static bool note_variable(void *cx, const Expr *e)
{
    Variables *v = cx;
    if (e->kind == EXPR_NAME && e->name.ctx == EXPR_CONTEXT_STORE)
        vec_push(v->d->arena, &v->names, e->name.id);
    return true;
}

static Variables variables_of(Desugar *d, ComprehensionList generators)
{
    Variables v = {.d = d};
    IrWalker w = {.cx = &v, .expr = note_variable};
    for (size_t i = 0; i < generators.len; i++)
        ir_walk_expr(&w, generators.at[i]->target);
    return v;
}

// Gives each a name of its own, until `d->renames` is set back.
static void rename_variables(Desugar *d, ComprehensionList generators)
{
    Variables v = variables_of(d, generators);
    for (size_t i = 0; i < v.names.len; i++) {
        Rename *r = ARENA_NEW(d->arena, Rename);
        bool again = false;
        for (size_t j = 0; j < i; j++)
            again = again || v.names.at[j] == v.names.at[i];
        if (again)
            continue;
        *r = (Rename){d->renames, v.names.at[i], desugar_own(d, v.names.at[i])};
        d->renames = r;
    }
}

// ---- variables that outlive their loop ----

static bool mentions(void *cx, const Expr *e)
{
    Variables *v = cx;
    for (size_t i = 0; e->kind == EXPR_NAME && i < v->names.len; i++)
        v->captured = v->captured || v->names.at[i] == e->name.id;
    return !v->captured;
}

static bool find_capture(void *cx, const Expr *e);

// The generator expression that a call consumes is no function value.
static void find_in_consumer(Variables *v, const Expr *call)
{
    IrWalker w = {.cx = v, .expr = find_capture};
    ir_walk_expr(&w, call->call.func);
    for (size_t i = 0; i < call->call.args.len; i++) {
        const Expr *arg = call->call.args.at[i];
        if (arg->kind == EXPR_GENERATOR_EXP) {
            ir_walk_expr(&w, arg->generator_exp.elt);
            ir_walk_comprehensions(&w, arg->generator_exp.generators);
        } else {
            ir_walk_expr(&w, arg);
        }
    }
    ir_walk_keywords(&w, call->call.keywords);
}

static bool find_capture(void *cx, const Expr *e)
{
    Variables *v = cx;
    IrWalker inner = {.cx = v, .expr = mentions};
    if (e->kind == EXPR_LAMBDA || e->kind == EXPR_GENERATOR_EXP)
        ir_walk_expr(&inner, e);
    if (e->kind == EXPR_CALL && desugar_consumes(v->d, e)) {
        find_in_consumer(v, e);
        return false;
    }
    return !v->captured;
}

// Whether a function value in it may live longer than its variables.
static bool is_captured(Desugar *d, const Expr *e)
{
    Loops l = desugar_loops_of(e);
    Variables v = variables_of(d, l.generators);
    IrWalker w = {.cx = &v, .expr = find_capture};
    ir_walk_comprehensions(&w, l.generators);
    ir_walk_expr(&w, l.elt);
    if (l.value)
        ir_walk_expr(&w, l.value);
    return v.captured;
}

// ---- comprehensions ----

void desugar_run(Desugar *d, Loops *l)
{
    const Rename *before = d->renames;
    rename_variables(d, l->generators);
    put_loops(d, l, 0);
    d->renames = before;
}

static const Expr *empty_of(Desugar *d, const Expr *e)
{
    ExprList none = {0};
    const Expr *empty = e->kind == EXPR_SET_COMP
                            ? desugar_call(d, desugar_builtin(d, e->at, "set"), none, e->ty)
                        : e->kind == EXPR_DICT_COMP
                            ? expr_dict(d->arena, e->at, none, none)
                            : expr_list(d->arena, e->at, none, EXPR_CONTEXT_LOAD);
    return desugar_typed(d, expr_with_at(d->arena, empty, e->at), e->ty);
}

// The first iterable is given; a generator expression is collected in a list.
const Expr *desugar_collect(Desugar *d, const Expr *e, const Expr *first)
{
    Loops l = desugar_loops_of(e);
    l.first = first;
    l.result = desugar_temp(d, empty_of(d, e), "result");
    l.take = e->kind == EXPR_SET_COMP ? take_add : e->kind == EXPR_DICT_COMP ? take_pair
                                                                             : take_append;
    desugar_run(d, &l);
    return l.result;
}

// ---- functions ----

// Enters the scope around all classes, whose bodies must not get variables that are no attributes.
static DesugarScope *leave_class(Desugar *d)
{
    DesugarScope *here = d->scope;
    while (d->scope->of_class) {
        d->out = d->scope->before;
        d->scope = d->scope->outer;
    }
    return here;
}

static Arguments *one_parameter(Desugar *d, Span at, Sym name, const Ty *ty)
{
    Arguments *args = ARENA_NEW(d->arena, Arguments);
    const Arg **arg = ARENA_NEW(d->arena, const Arg *);
    *arg = arg_with_ty(d->arena, arg_new(d->arena, at, name, desugar_annotation(d, at, ty)), ty);
    args->args = (ArgList){arg, 1};
    return args;
}

static void put_function(Desugar *d, Span at, Sym name, const Arguments *args, Block body,
                         const Ty *result)
{
    desugar_put(d, stmt_function_def(d->arena, at, name, args, (StmtList){body.at, body.len},
                                     (ExprList){0}, desugar_result(d, at, result),
                                     (TypeParamList){0}));
}

static const Expr *without_first(Desugar *d, const Expr *e)
{
    Loops l = desugar_loops_of(e);
    const Comprehension *g = l.generators.at[0];
    Vec(const Comprehension *) all = {0};
    vec_push(d->arena, &all, comprehension_new(d->arena, g->target, desugar_none(d, e->at), g->ifs,
                                               g->is_async));
    for (size_t i = 1; i < l.generators.len; i++)
        vec_push(d->arena, &all, l.generators.at[i]);
    ComprehensionList generators = {all.at, all.len};
    const Expr *copy = e->kind == EXPR_LIST_COMP ? expr_list_comp(d->arena, e->at, l.elt,
                                                                  generators)
                       : e->kind == EXPR_SET_COMP ? expr_set_comp(d->arena, e->at, l.elt,
                                                                  generators)
                       : e->kind == EXPR_DICT_COMP
                           ? expr_dict_comp(d->arena, e->at, l.elt, l.value, generators)
                           : expr_generator_exp(d->arena, e->at, l.elt, generators);
    return desugar_typed(d, copy, e->ty);
}

typedef struct Assigned { Arena *arena; Vec(Sym) names; ExprVec targets; } Assigned;

static bool note_walrus(void *cx, const Expr *e)
{
    Assigned *v = cx;
    if (e->kind == EXPR_NAMED_EXPR) {
        const Expr *target = e->named_expr.target;
        vec_push(v->arena, &v->names, target->name.id);
        vec_push(v->arena, &v->targets, expr_with_ty(v->arena, target, e->ty, e->roles));
    }
    return e->kind != EXPR_LAMBDA;
}

// What `:=` in a comprehension assigns to is the function's around it.
static void declare_outer(Desugar *d, const Expr *e, DesugarScope *inner)
{
    Assigned v = {.arena = d->arena};
    IrWalker w = {.cx = &v, .expr = note_walrus};
    ir_walk_expr(&w, e);
    SymList names = {v.names.at, v.names.len};
    if (names.len == 0)
        return;
    desugar_put(d, inner->outer->of_module ? stmt_global(d->arena, e->at, names)
                                           : stmt_nonlocal(d->arena, e->at, names));
    for (size_t i = 0; i < v.targets.len; i++)
        vec_push(d->arena, &inner->outer->lent, v.targets.at[i]);
}

// def collect(items): result = [] .. return result
// What `make` gives is returned; NULL: the function yields.
static const Expr *outline(Desugar *d, const Expr *e, const Expr *first, const char *base,
                           Maker *make)
{
    const Expr *rest = without_first(d, e);
    const Stmt *statement = stmt_expr(d->arena, e->at, rest);
    Block body = {0}, *before = d->out;
    DesugarScope *scope = leave_class(d);
    Sym name = desugar_fresh(d, base);
    DesugarScope inner = desugar_scope(d, (StmtList){&statement, 1}, NULL);
    Block *around = d->out;
    d->scope = &inner;
    d->out = &body;
    declare_outer(d, rest, &inner);
    Sym items = desugar_fresh(d, "items");
    const Expr *result = make(d, rest, desugar_name(d, e->at, items, first->ty));
    const Ty *gives = result ? result->ty : e->ty;
    if (result)
        desugar_put(d, stmt_return(d->arena, e->at, result));
    d->scope = inner.outer;
    d->out = around;
    put_function(d, e->at, name, one_parameter(d, e->at, items, first->ty), body, gives);
    d->scope = scope;
    d->out = before;
    const Ty *ty = desugar_callable(d, desugar_list(d, 1, &first), gives);
    return desugar_call(d, desugar_name(d, e->at, name, ty), desugar_list(d, 1, &first), gives);
}

const Expr *desugar_outline(Desugar *d, const Expr *e, const Expr *first, Maker *make)
{
    return outline(d, e, first, "collect", make);
}

static const Expr *make_yields(Desugar *d, const Expr *e, const Expr *first)
{
    Loops l = desugar_loops_of(e);
    l.first = first;
    l.take = take_yield;
    desugar_run(d, &l);
    return NULL;
}

// A generator expression that runs step by step. Python asks its first iterable for an iterator at
// once.
const Expr *desugar_generator(Desugar *d, const Expr *e)
{
    const Comprehension *g = e->generator_exp.generators.at[0];
    const Expr *first = desugar_expr(d, g->iter);
    const Ty *item = desugar_target_ty(d, g->target, first->ty);
    const Ty *iterator = item ? desugar_ty1(d, "Iterator", item) : NULL;
    return outline(d, e, desugar_call1(d, "iter", first, iterator), "generate", make_yields);
}

bool desugar_needs_function(Desugar *d, const Expr *e)
{
    return d->scope->of_class || is_captured(d, e);
}

const Expr *desugar_comprehension(Desugar *d, const Expr *e)
{
    const Expr *first = desugar_expr(d, desugar_loops_of(e).generators.at[0]->iter);
    return desugar_needs_function(d, e) ? desugar_outline(d, e, first, desugar_collect)
                                        : desugar_collect(d, e, first);
}

static const Arguments *lowered_defaults(Desugar *d, const Arguments *args)
{
    Arguments *out = ARENA_NEW(d->arena, Arguments);
    ExprVec all = {0};
    for (size_t i = 0; i < args->defaults.len; i++)
        vec_push(d->arena, &all, args->defaults.at[i]);
    for (size_t i = 0; i < args->kw_defaults.len; i++)
        vec_push(d->arena, &all, args->kw_defaults.at[i]);
    desugar_operands(d, all.len, all.at);
    *out = *args;
    out->defaults = (ExprList){all.at, args->defaults.len};
    out->kw_defaults = (ExprList){all.at + args->defaults.len, args->kw_defaults.len};
    return out;
}

const Arguments *desugar_defaults(Desugar *d, const Arguments *args)
{
    return args->defaults.len + args->kw_defaults.len > 0 ? lowered_defaults(d, args) : args;
}

const Expr *desugar_lambda(Desugar *d, const Expr *e)
{
    const Arguments *args = desugar_defaults(d, e->lambda.args);
    if (!desugar_needs(d, e->lambda.body))
        return desugar_typed(d, expr_lambda(d->arena, e->at, args,
                                            desugar_expr(d, e->lambda.body)), e->ty);
    const Stmt *statement = stmt_return(d->arena, e->at, e->lambda.body);
    Block body = {0}, *before = d->out;
    DesugarScope *scope = leave_class(d);
    Sym name = desugar_fresh(d, "function");
    Block *around = d->out;
    DesugarScope inner = desugar_scope(d, (StmtList){&statement, 1}, args);
    d->scope = &inner;
    d->out = &body;
    desugar_put(d, stmt_return(d->arena, e->lambda.body->at, desugar_expr(d, e->lambda.body)));
    d->scope = inner.outer;
    d->out = around;
    put_function(d, e->at, name, desugar_typed_parameters(d, args, e->ty), body,
                 e->lambda.body->ty);
    d->scope = scope;
    d->out = before;
    return desugar_name(d, e->at, name, e->ty);
}
