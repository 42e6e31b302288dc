// generator_fusion.c - calls and loops that take all items of a generator expression at once.

#include "compiler/pass/desugar_internal.h"

// ---- what is done with each item ----

static void take_sum(Desugar *d, const Loops *l)
{
    const Expr *item = desugar_expr(d, l->elt);
    const Expr *sum = expr_bin_op(d->arena, l->elt->at, l->result, OPERATOR_ADD, item);
    desugar_set(d, l->elt->at, l->result->name.id, desugar_typed(d, sum, l->result->ty));
}

static void put_found(Desugar *d, const Loops *l, const Expr *test, bool truth)
{
    Block found = {0}, *before = d->out;
    d->out = &found;
    desugar_set(d, l->at, l->result->name.id, desugar_bool(d, l->at, truth));
    desugar_put(d, stmt_break(d->arena, l->at));
    d->out = before;
    desugar_if(d, l->elt->at, test, found, (Block){0});
}

static void take_any(Desugar *d, const Loops *l)
{
    put_found(d, l, desugar_test(d, l->elt), true);
}

static void take_all(Desugar *d, const Loops *l)
{
    put_found(d, l, desugar_negated(d, desugar_test(d, l->elt)), false);
}

// The body of a `for` is no part of the generator expression that it iterates over.
static void take_body(Desugar *d, const Loops *l)
{
    const Expr *item = desugar_expr(d, l->elt), *target = l->body->for_.target;
    const Rename *inside = d->renames;
    d->renames = NULL;
    if (l->index) {
        const Expr *index = desugar_name(d, l->at, l->index, desugar_ty(d, "int"));
        const Expr *pair[] = {index, desugar_settle(d, item, 0, NULL, "item")};
        const Expr *next = expr_bin_op(d->arena, l->at, index, OPERATOR_ADD,
                                       desugar_int(d, l->at, 1));
        item = desugar_typed(d, expr_tuple(d->arena, l->at, desugar_list(d, 2, pair),
                                           EXPR_CONTEXT_LOAD), target->ty);
        desugar_store(d, target, item);
        desugar_set(d, l->at, l->index, desugar_typed(d, next, desugar_ty(d, "int")));
    } else {
        desugar_store(d, target, item);
    }
    desugar_body_to(d, d->out, l->body->for_.body);
    d->renames = inside;
}

// ---- which calls consume ----

typedef enum Consumer {
    CONSUMER_NONE, CONSUMER_LIST, CONSUMER_SET, CONSUMER_DICT, CONSUMER_ANY, CONSUMER_ALL,
    CONSUMER_SUM, CONSUMER_OTHER,
} Consumer;

static bool is_text(const Expr *e)
{
    return desugar_is(e->ty, "str")
           || (e->kind == EXPR_CONSTANT && e->constant.value->kind == CONST_STR);
}

static bool is_of_math(const Expr *func)
{
    const Ty *of = func->attribute.value->ty;
    return of != NULL && of->kind == TY_NAMED && sym_is(of->named.name, "module")
           && of->named.args.len == 1 && desugar_is(of->named.args.at[0], "math")
           && (sym_is(func->attribute.attr, "fsum") || sym_is(func->attribute.attr, "prod"));
}

// Those that make a list of all items before they do anything with them, or might as well.
static bool is_collector(Desugar *d, const Expr *call)
{
    static const char *const builtin[] = {"tuple", "frozenset", "sorted", "sum", "min", "max"};
    const Expr *func = call->call.func;
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        if (desugar_is_builtin(d, func, builtin[i]))
            return true;
    return func->kind == EXPR_ATTRIBUTE
           && ((sym_is(func->attribute.attr, "join") && is_text(func->attribute.value))
               || (sym_is(func->attribute.attr, "extend")
                   && desugar_is(func->attribute.value->ty, "list"))
               || is_of_math(func));
}

static bool is_pair(const Expr *e) { return e->kind == EXPR_TUPLE && e->tuple.elts.len == 2; }

static bool is_int(const Ty *t) { return desugar_is(t, "int") || desugar_is(t, "bool"); }

static Consumer consumer_of(Desugar *d, const Expr *call)
{
    static const struct { const char *name; Consumer consumer; } alone[] = {
        {"list", CONSUMER_LIST}, {"set", CONSUMER_SET}, {"any", CONSUMER_ANY},
        {"all", CONSUMER_ALL}, {"sum", CONSUMER_SUM}, {"dict", CONSUMER_DICT},
    };
    ExprList args = call->call.args;
    if (args.len == 0 || args.at[0]->kind != EXPR_GENERATOR_EXP)
        return CONSUMER_NONE;
    const Expr *elt = args.at[0]->generator_exp.elt;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (args.len + call->call.keywords.len == 1
            && desugar_is_builtin(d, call->call.func, alone[i].name)) {
            Consumer c = alone[i].consumer;
            bool other = (c == CONSUMER_DICT && !is_pair(elt))
                         || (c == CONSUMER_SUM && !is_int(elt->ty));
            return other ? CONSUMER_OTHER : c;
        }
    return is_collector(d, call) ? CONSUMER_OTHER : CONSUMER_NONE;
}

bool desugar_consumes(Desugar *d, const Expr *call)
{
    return consumer_of(d, call) != CONSUMER_NONE;
}

// ---- calls ----

static const Expr *as_list_comp(Desugar *d, const Expr *g)
{
    const Expr *copy = expr_list_comp(d->arena, g->at, g->generator_exp.elt,
                                      g->generator_exp.generators);
    return desugar_typed(d, copy, desugar_list_ty(d, g->generator_exp.elt->ty));
}

static const Expr *as_comprehension(Desugar *d, const Expr *call, Consumer consumer)
{
    const Expr *g = call->call.args.at[0], *elt = g->generator_exp.elt;
    ComprehensionList generators = g->generator_exp.generators;
    const Expr *copy = consumer == CONSUMER_LIST
                           ? expr_list_comp(d->arena, call->at, elt, generators)
                       : consumer == CONSUMER_SET
                           ? expr_set_comp(d->arena, call->at, elt, generators)
                           : expr_dict_comp(d->arena, call->at, elt->tuple.elts.at[0],
                                            elt->tuple.elts.at[1], generators);
    return desugar_comprehension(d, desugar_typed(d, copy, call->ty));
}

// The arguments behind the first are evaluated before any item is.
static const Expr *with_list(Desugar *d, const Expr *call)
{
    ExprList args = call->call.args;
    const Expr *func = call->call.func, *comp = as_list_comp(d, args.at[0]);
    ExprVec v = {0};
    Vec(const Keyword *) keywords = {0};
    if (func->kind == EXPR_ATTRIBUTE) {
        const Expr *base = desugar_settle(d, desugar_expr(d, func->attribute.value), 1, &comp,
                                          "receiver");
        func = expr_with_spine_child(d->arena, func, base);
    }
    const Comprehension *g = args.at[0]->generator_exp.generators.at[0];
    const Expr *first = desugar_expr(d, g->iter);
    if (args.len + call->call.keywords.len > 1)
        first = desugar_settle(d, first, 0, NULL, "items");
    vec_push(d->arena, &v, NULL);
    for (size_t i = 1; i < args.len; i++)
        vec_push(d->arena, &v, desugar_settle(d, desugar_expr(d, args.at[i]), 0, NULL, "value"));
    for (size_t i = 0; i < call->call.keywords.len; i++) {
        const Keyword *k = call->call.keywords.at[i];
        const Expr *value = desugar_settle(d, desugar_expr(d, k->value), 0, NULL, "value");
        vec_push(d->arena, &keywords, keyword_new(d->arena, k->at, k->arg, value));
    }
    v.at[0] = desugar_needs_function(d, comp) ? desugar_outline(d, comp, first, desugar_collect)
                                              : desugar_collect(d, comp, first);
    return desugar_typed(d, expr_call(d->arena, call->at, func, (ExprList){v.at, v.len},
                                      (KeywordList){keywords.at, keywords.len}), call->ty);
}

static const Expr *make_sum(Desugar *d, const Expr *g, const Expr *first)
{
    Loops l = desugar_loops_of(g);
    l.first = first;
    l.result = desugar_temp(d, desugar_int(d, g->at, 0), "total");
    l.take = take_sum;
    desugar_run(d, &l);
    return l.result;
}

static const Expr *sought(Desugar *d, const Expr *g, const Expr *first, bool any)
{
    Loops l = desugar_loops_of(g);
    l.first = first;
    l.result = desugar_temp(d, desugar_bool(d, g->at, !any), any ? "found" : "holds");
    l.take = any ? take_any : take_all;
    l.stop = any ? l.result : desugar_not(d, l.result);
    desugar_run(d, &l);
    return l.result;
}

static const Expr *make_any(Desugar *d, const Expr *g, const Expr *first)
{
    return sought(d, g, first, true);
}

static const Expr *make_all(Desugar *d, const Expr *g, const Expr *first)
{
    return sought(d, g, first, false);
}

static const Expr *made(Desugar *d, const Expr *call, Maker *make)
{
    const Expr *g = call->call.args.at[0];
    const Expr *first = desugar_expr(d, g->generator_exp.generators.at[0]->iter);
    return desugar_needs_function(d, g) ? desugar_outline(d, g, first, make) : make(d, g, first);
}

const Expr *desugar_consumer(Desugar *d, const Expr *call)
{
    Consumer consumer = consumer_of(d, call);
    switch (consumer) {
    case CONSUMER_LIST: case CONSUMER_SET: case CONSUMER_DICT:
        return as_comprehension(d, call, consumer);
    case CONSUMER_ANY: return made(d, call, make_any);
    case CONSUMER_ALL: return made(d, call, make_all);
    case CONSUMER_SUM: return made(d, call, make_sum);
    case CONSUMER_OTHER: case CONSUMER_NONE:
        break;
    }
    return with_list(d, call);
}

// ---- loops ----

static bool is_enumerated(Desugar *d, const Expr *e)
{
    return e->kind == EXPR_CALL && desugar_is_builtin(d, e->call.func, "enumerate")
           && e->call.args.len > 0 && e->call.args.at[0]->kind == EXPR_GENERATOR_EXP;
}

static const Expr *generator_of(Desugar *d, const Stmt *s)
{
    const Expr *iter = s->for_.iter;
    return is_enumerated(d, iter) ? iter->call.args.at[0] : iter;
}

bool desugar_is_lazy(Desugar *d, const Stmt *s)
{
    const Expr *g = generator_of(d, s);
    return g->kind == EXPR_GENERATOR_EXP && !desugar_needs_function(d, g);
}

static const Expr *start_of(Desugar *d, const Expr *call)
{
    return call->call.args.len > 1       ? call->call.args.at[1]
           : call->call.keywords.len > 0 ? call->call.keywords.at[0]->value
                                         : desugar_int(d, call->at, 0);
}

void desugar_for_lazy(Desugar *d, const Stmt *s)
{
    const Expr *iter = s->for_.iter, *g = generator_of(d, s);
    Loops l = desugar_loops_of(g);
    l.at = s->at;
    l.first = desugar_expr(d, l.generators.at[0]->iter);
    l.body = s;
    l.take = take_body;
    if (iter != g) {
        l.first = desugar_settle(d, l.first, 0, NULL, "items");
        l.index = desugar_temp(d, desugar_expr(d, start_of(d, iter)), "index")->name.id;
    }
    if (d->broken && l.generators.len > 1)
        l.stop = desugar_name(d, s->at, d->broken, desugar_ty(d, "bool"));
    desugar_run(d, &l);
}
