// diff.c - the pass: activity, the sweeps of each function, and the functions that are called from
// outside.

#include "compiler/pass/ad/diff.h"

#include "compiler/pass/ad/sweep.h"

typedef struct Diff {
    Ad     ad;
    const GradRequest *request;
    Table *functions;           // those that take part: name -> FunctionDef
    AdBlock out;
} Diff;

// ---- activity ----

// A name is active if it depends on an input, and the result on it. Calls and cells are taken to
// depend on all that goes in.
typedef struct Activity {
    Sweep  *sweep;
    Table  *varied, *useful;
    bool    changed;
} Activity;

static void mark(Activity *a, Table *set, const Expr *e)
{
    bool real = e->kind == EXPR_NAME && ad_is_float(sweep_ty(a->sweep, e->name.id));
    if (!real || table_get(set, e->name.id) != NULL)
        return;
    table_set(set, e->name.id, a);
    a->changed = true;
}

static bool is_varied(const Activity *a, const Expr *value)
{
    ExprList args = {0};
    if (value->kind == EXPR_NAME)
        return table_get(a->varied, value->name.id) != NULL;
    const Partial *p = sweep_primitive(a->sweep, value, &args);
    if (p == NULL)
        return !ad_is_atom(value) && ad_is_float(value->ty);
    for (size_t i = 0; i < args.len; i++)
        if (args.at[i]->kind == EXPR_NAME && table_get(a->varied, args.at[i]->name.id) != NULL
            && p->of[p->kind == PARTIAL_EACH ? 0 : i] != NULL)
            return true;
    return false;
}

static void mark_operands(Activity *a, const Expr *value)
{
    ExprList args = {0};
    if (value->kind == EXPR_NAME) {
        mark(a, a->useful, value);
        return;
    }
    const Partial *p = sweep_primitive(a->sweep, value, &args);
    if (p == NULL && value->kind == EXPR_CALL)
        args = value->call.args;
    for (size_t i = 0; i < args.len; i++)
        if (p == NULL || p->of[p->kind == PARTIAL_EACH ? 0 : i] != NULL)
            mark(a, a->useful, args.at[i]);
}

static bool spread(void *cx, const Stmt *s)
{
    Activity *a = cx;
    if (s->kind != STMT_ASSIGN)
        return true;
    const Expr *target = s->assign.targets.at[0], *value = s->assign.value;
    bool named = target->kind == EXPR_NAME;
    if (named && is_varied(a, value))
        mark(a, a->varied, target);
    bool useful = !named || !ad_is_float(target->ty)
                  || table_get(a->useful, target->name.id) != NULL;
    if (useful)
        mark_operands(a, value);
    return true;
}

static bool is_wanted(const Diff *d, const Sweep *s, Sym name)
{
    const GradRequest *r = d->request;
    bool all = r->wrt.len == 0 || s->pair || s->def->function_def.name != r->function;
    for (size_t i = 0; !all && i < r->wrt.len; i++)
        all = r->wrt.at[i] == name;
    return all;
}

static void find_active(const Diff *d, Sweep *s)
{
    Activity a = {.sweep = s, .varied = table_new(d->ad.arena), .useful = table_new(d->ad.arena)};
    ArgList args = s->def->function_def.args->args;
    IrWalker w = {.cx = &a, .stmt = spread};
    for (size_t i = 0; i < args.len; i++)
        if (is_wanted(d, s, args.at[i]->arg))
            mark(&a, a.varied, ad_name(&d->ad, s->def->at, args.at[i]->arg, args.at[i]->ty));
    mark(&a, a.useful, s->result);
    do {
        a.changed = false;
        ir_walk_stmts(&w, s->body);
    } while (a.changed);
    for (size_t i = 0; i < s->vars.len; i++)
        if (table_get(a.varied, s->vars.at[i]) && table_get(a.useful, s->vars.at[i]))
            table_set(s->active, s->vars.at[i], s);
}

// ---- one function ----

static Sweep open_sweep(Diff *d, const Stmt *def, bool pair)
{
    Arena *a = d->ad.arena;
    StmtList body = def->function_def.body;
    Sweep s = {.ad = &d->ad, .functions = d->functions, .def = def, .pair = pair,
               .taken = table_new(a), .index = table_new(a), .plans = table_new(a),
               .active = table_new(a), .cotangents = table_new(a)};
    static const char *const KEPT[] = {"math", "range", "len", "reversed", "tape", "r_", NULL};
    for (size_t i = 0; KEPT[i] != NULL; i++)
        table_set(s.taken, names_get(d->ad.names, KEPT[i]), d);
    s.result = body.at[body.len - 1]->return_.value;
    s.body = (StmtList){body.at, body.len - 1};
    sweep_names(&s);
    s.body = sweep_count_rounds(&s, s.body);
    sweep_names(&s);
    find_active(d, &s);
    sweep_plan(&s);
    return s;
}

static const Arguments *arguments_of(Diff *d, const Stmt *def, const Arg *more)
{
    Vec(const Arg *) all = {0};
    ArgList args = def->function_def.args->args;
    for (size_t i = 0; i < args.len; i++)
        vec_push(d->ad.arena, &all, args.at[i]);
    if (more != NULL)
        vec_push(d->ad.arena, &all, more);
    return arguments_new(d->ad.arena, (ArgList){0}, (ArgList){all.at, all.len}, NULL,
                         (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
}

static void put_function(Diff *d, const Stmt *like, Sym name, const Arg *more, AdBlock *body,
                         const Expr *answer)
{
    const Ad *ad = &d->ad;
    const Expr *returns = ad_typed(ad, ad_annotation(ad, like->at, answer->ty), answer->ty);
    vec_push(ad->arena, body, stmt_return(ad->arena, like->at, answer));
    vec_push(ad->arena, &d->out,
             stmt_function_def(ad->arena, like->at, name, arguments_of(d, like, more),
                               ad_stmts(body), (ExprList){0}, returns, (TypeParamList){0}));
}

static void put_all(Diff *d, AdBlock *block, StmtList more)
{
    for (size_t i = 0; i < more.len; i++)
        vec_push(d->ad.arena, block, more.at[i]);
}

// One value as it is, several as a tuple, none as None.
static const Expr *together(Diff *d, Span at, ExprList parts)
{
    const Ad *ad = &d->ad;
    if (parts.len == 1)
        return parts.at[0];
    if (parts.len == 0)
        return ad_none(ad, at);
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, parts.len);
    for (size_t i = 0; i < parts.len; i++)
        items[i] = parts.at[i]->ty;
    return ad_typed(ad, expr_tuple(ad->arena, at, parts, EXPR_CONTEXT_LOAD),
                    ty_tuple(ad->arena, (TyList){items, parts.len}));
}

static void put_pair(Diff *d, const Stmt *def)
{
    const Ad *ad = &d->ad;
    Sweep s = open_sweep(d, def, true);
    Sym name = def->function_def.name;
    AdBlock there = {0}, back = {0};
    ExprList answers;
    put_all(d, &there, sweep_there(&s));
    put_function(d, def, sweep_there_name(ad, name), NULL, &there, s.result);
    Sym seed = NULL;
    const Arg *seed_arg = NULL;
    if (ad_is_float(s.result->ty)) {
        seed = names_get(ad->names, "r_");
        seed_arg = arg_with_ty(ad->arena,
                               arg_new(ad->arena, def->at, seed,
                                       ad_annotation(ad, def->at, ad->float_)), ad->float_);
    }
    put_all(d, &back, sweep_back(&s, seed ? ad_name(ad, def->at, seed, ad->float_) : NULL,
                                 &answers));
    put_function(d, def, sweep_back_name(ad, name), seed_arg, &back,
                 together(d, def->at, answers));
}

// ---- what is called from outside ----

static ExprList wanted_only(Diff *d, const Stmt *def, ExprList all)
{
    const GradRequest *r = d->request;
    AdExprs out = {0};
    ArgList params = def->function_def.args->args;
    for (size_t i = 0, k = 0; i < params.len; i++) {
        if (!ad_is_float(params.at[i]->ty))
            continue;
        bool wanted = r->wrt.len == 0;
        for (size_t w = 0; w < r->wrt.len; w++)
            wanted = wanted || r->wrt.at[w] == params.at[i]->arg;
        if (wanted)
            vec_push(d->ad.arena, &out, all.at[k]);
        k++;
    }
    return (ExprList){out.at, out.len};
}

static bool find_tape_use(void *cx, const Stmt *s)
{
    bool *found = cx;
    *found = *found || s->kind == STMT_KEEP;
    return !*found;
}

static bool uses_tape(StmtList body)
{
    bool found = false;
    IrWalker w = {.cx = &found, .stmt = find_tape_use};
    ir_walk_stmts(&w, body);
    return found;
}

typedef struct Asks { const Sweep *sweep; bool found; } Asks;

static bool find_asked(void *cx, const Expr *e)
{
    Asks *a = cx;
    a->found = a->found || sweep_callee(a->sweep, e) != NULL;
    return !a->found;
}

static bool calls_functions(const Sweep *s)
{
    Asks a = {.sweep = s};
    IrWalker w = {.cx = &a, .expr = find_asked};
    ir_walk_stmts(&w, s->body);
    return a.found;
}

static const Expr *value_and(Diff *d, const Expr *value, const Expr *gradient)
{
    const Expr *both[] = {value, gradient};
    return together(d, value->at, ad_exprs(&d->ad, 2, both));
}

static const Expr *put_combined(Diff *d, const Stmt *def, Sym name)
{
    const Ad *ad = &d->ad;
    Sweep s = open_sweep(d, def, false);
    AdBlock body = {0};
    ExprList answers;
    StmtList there = sweep_there(&s);
    StmtList back = sweep_back(&s, ad_float(ad, def->at, 1.0), &answers);
    if (uses_tape(there) || calls_functions(&s))
        vec_push(ad->arena, &body, stmt_tape(ad->arena, def->at));
    put_all(d, &body, there);
    put_all(d, &body, back);
    const Expr *gradient = together(d, def->at, wanted_only(d, def, answers));
    put_function(d, def, name, NULL, &body, value_and(d, s.result, gradient));
    return gradient;
}

static ExprList parameter_names(Diff *d, const Stmt *def, const Expr *more)
{
    AdExprs args = {0};
    ArgList params = def->function_def.args->args;
    for (size_t i = 0; i < params.len; i++)
        vec_push(d->ad.arena, &args,
                 ad_name(&d->ad, def->at, params.at[i]->arg, params.at[i]->ty));
    if (more != NULL)
        vec_push(d->ad.arena, &args, more);
    return (ExprList){args.at, args.len};
}

// The function is a pair: it is called by others, or by itself.
static const Expr *put_over_pair(Diff *d, const Stmt *def, Sym name)
{
    const Ad *ad = &d->ad;
    Sym f = def->function_def.name, value = names_get(ad->names, "value");
    ArgList params = def->function_def.args->args;
    AdBlock body = {0};
    AdExprs items = {0};
    size_t floats = 0;
    Table *taken = table_new(ad->arena);
    for (size_t i = 0; i < params.len; i++)
        table_set(taken, params.at[i]->arg, d);
    value = ad_fresh(ad, taken, "value");
    for (size_t i = 0; i < params.len; i++)
        floats += ad_is_float(params.at[i]->ty);
    ExprList args = parameter_names(d, def, NULL);
    ExprList back = parameter_names(d, def, ad_float(ad, def->at, 1.0));
    const Expr *there = ad_call_name(ad, def->at, sweep_there_name(ad, f), ad->float_, args.len,
                                     args.at);
    vec_push(ad->arena, &body, stmt_tape(ad->arena, def->at));
    vec_push(ad->arena, &body, ad_assign(ad, value, there));
    const Ty **types = ARENA_ARRAY(ad->arena, const Ty *, floats + 1);
    for (size_t i = 0; i < floats; i++)
        types[i] = ad->float_;
    const Ty *ty = floats == 1 ? ad->float_ : ty_tuple(ad->arena, (TyList){types, floats});
    Sym all = ad_fresh(ad, taken, "gradient");
    vec_push(ad->arena, &body, ad_assign(ad, all, ad_call_name(ad, def->at,
             sweep_back_name(ad, f), ty, back.len, back.at)));
    const Expr *whole = ad_name(ad, def->at, all, ty);
    for (size_t i = 0; i < floats; i++)
        vec_push(ad->arena, &items, floats == 1 ? whole
                 : ad_item(ad, whole, ad_int(ad, def->at, (long)i), ad->float_));
    ExprList wanted = wanted_only(d, def, (ExprList){items.at, items.len});
    const Expr *gradient = wanted.len == floats ? whole : together(d, def->at, wanted);
    put_function(d, def, name, NULL, &body,
                 value_and(d, ad_name(ad, def->at, value, ad->float_), gradient));
    return gradient;
}

static void put_gradient(Diff *d, const Stmt *def, Sym whole, const Ty *ty)
{
    const Ad *ad = &d->ad;
    const Ty *parts[] = {ad->float_, ty};
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, 2);
    items[0] = parts[0];
    items[1] = parts[1];
    const Ty *both = ty_tuple(ad->arena, (TyList){items, 2});
    ExprList args = parameter_names(d, def, NULL);
    AdBlock body = {0};
    const Expr *call = ad_call_name(ad, def->at, whole, both, args.len, args.at);
    put_function(d, def, names_format(ad->names, "%s_grad", def->function_def.name), NULL, &body,
                 ad_item(ad, call, ad_int(ad, def->at, 1), ty));
}

// ---- the pass ----

static bool takes_part(const Diff *d, const Stmt *def)
{
    ArgList params = def->function_def.args->args;
    bool part = ad_holds_float(&d->ad, def->function_def.returns->ty);
    for (size_t i = 0; i < params.len; i++)
        part = part || ad_is_reference(&d->ad, params.at[i]->ty);
    return part;
}

typedef struct Called { Sym name; bool found; } Called;

static bool find_called(void *cx, const Expr *e)
{
    Called *c = cx;
    c->found = c->found || (e->kind == EXPR_CALL && ad_is_name(e->call.func, c->name));
    return !c->found;
}

static void reverse(Diff *d, StmtList body)
{
    const Ad *ad = &d->ad;
    const Stmt *root = body.at[body.len - 1];
    Called called = {.name = d->request->function};
    IrWalker w = {.cx = &called, .expr = find_called};
    ir_walk_stmts(&w, body);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind != STMT_FUNCTION_DEF)
            vec_push(ad->arena, &d->out, s);
        else if (takes_part(d, s) && (s != root || called.found))
            put_pair(d, s);
    }
    Sym name = names_format(ad->names, "%s_value_and_grad", root->function_def.name);
    const Expr *gradient = called.found ? put_over_pair(d, root, name)
                                        : put_combined(d, root, name);
    put_gradient(d, root, name, gradient->ty);
}

const Unit *diff_unit(PassCx *cx, const Unit *flat)
{
    if (cx->grad == NULL || diags_error_count(cx->diags) > 0)
        return flat;
    Diff d = {.request = cx->grad, .functions = table_new(cx->arena)};
    StmtList body = flat->endpoints.modules.at[0]->body;
    ad_open(&d.ad, cx->arena, cx->names, cx->diags);
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_CLASS_DEF)
            table_set(d.ad.classes, body.at[i]->class_def.name, (void *)body.at[i]);
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF && takes_part(&d, body.at[i]))
            table_set(d.functions, body.at[i]->function_def.name, (void *)body.at[i]);
    reverse(&d, body);
    const Endpoint **module = ARENA_NEW(cx->arena, const Endpoint *);
    *module = endpoint_new(cx->arena, flat->endpoints.modules.at[0]->role, ad_stmts(&d.out));
    return unit_endpoints(cx->arena, (EndpointList){0}, (EndpointList){module, 1}, (SiteList){0});
}
