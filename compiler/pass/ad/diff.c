// diff.c - the pass: the sweeps of each function, and the functions that are called from
// outside.

#include "compiler/pass/ad/diff.h"

#include "compiler/pass/ad/activity.h"
#include "compiler/pass/ad/prune.h"

typedef struct Diff {
    Ad     ad;
    const GradRequest *request;
    Table *functions;           // those that take part: name -> FunctionDef
    Table *program;             // name -> its FunctionDef or ClassDef
    bool   changes;             // something is stored into: inputs are copied first
    Changes places;             // what
    AdBlock out;
    PrunedList pruned;          // of them, those that have sweeps
} Diff;

// ---- one function ----

static const Arguments *arguments_of(Diff *d, const Stmt *def, ExprList more);

// The parameters are followed by the twins of those that have one.
static const Stmt *with_twins(Diff *d, Sweep *s, const Stmt *def)
{
    AdExprs twins = {0};
    ExprList names = twin_parameters(s, def);
    for (size_t i = 0; i < names.len; i++)
        vec_push(d->ad.arena, &twins, twin_name(s, names.at[i]));
    return stmt_function_def(d->ad.arena, def->at, def->function_def.name,
                             arguments_of(d, def, (ExprList){twins.at, twins.len}),
                             def->function_def.body, (ExprList){0}, def->function_def.returns,
                             (TypeParamList){0});
}

static void add_twins(Diff *d, Sweep *s, const Stmt *def)
{
    AdBlock body = {0};
    StmtList with = twin_block(s, s->body);
    if (s->pair)
        s->def = with_twins(d, s, def);
    else
        twin_inputs(s, def, d->changes, &body);
    for (size_t i = 0; i < with.len; i++)
        vec_push(d->ad.arena, &body, with.at[i]);
    s->body = ad_stmts(&body);
}

static Sweep open_sweep(Diff *d, const Stmt *def, bool pair)
{
    Arena *a = d->ad.arena;
    StmtList body = def->function_def.body;
    Sweep s = {.ad = &d->ad, .functions = d->functions, .changes = &d->places, .def = def,
               .pair = pair,
               .taken = table_new(a), .index = table_new(a), .plans = table_new(a),
               .active = table_new(a), .cotangents = table_new(a),
               .cotangent_of = table_new(a), .twins = table_new(a)};
    static const char *const KEPT[] = {"math", "range", "len", "reversed", "tape", "r_", NULL};
    for (size_t i = 0; KEPT[i] != NULL; i++)
        table_set(s.taken, names_get(d->ad.names, KEPT[i]), d);
    s.result = body.at[body.len - 1]->return_.value;
    s.body = (StmtList){body.at, body.len - 1};
    s.tangent = d->request->mode == GRAD_TANGENT;
    sweep_names(&s);
    if (!s.tangent) {
        add_twins(d, &s, def);
        s.body = sweep_count_rounds(&s, s.body);
        sweep_names(&s);
    }
    activity_find(&d->ad, d->request, &s);
    if (!s.tangent)
        sweep_plan(&s);
    return s;
}

static const Arguments *arguments_of(Diff *d, const Stmt *def, ExprList more)
{
    const Ad *ad = &d->ad;
    Vec(const Arg *) all = {0};
    ArgList args = def->function_def.args->args;
    for (size_t i = 0; i < args.len; i++)
        vec_push(d->ad.arena, &all, args.at[i]);
    for (size_t i = 0; i < more.len; i++) {
        const Ty *ty = more.at[i]->ty;
        const Arg *arg = arg_new(ad->arena, def->at, more.at[i]->name.id,
                                 ad_annotation(ad, def->at, ty));
        vec_push(ad->arena, &all, arg_with_ty(ad->arena, arg, ty));
    }
    return arguments_new(d->ad.arena, (ArgList){0}, (ArgList){all.at, all.len}, NULL,
                         (ArgList){0}, (ExprList){0}, NULL,
                         more.len > 0 ? (ExprList){0} : def->function_def.args->defaults);
}

static void check_own(Diff *d, Sym name)
{
    const Stmt *own = table_get(d->program, name);
    if (own != NULL)
        diag_help(diag_report(d->ad.diags, own->at, DIAG_GRAD_CONSTRUCT,
                              "`%s` is defined in the program, but the derivative defines the same "
                              "name", name),
                  "rename this function");
}

static void put_function(Diff *d, const Stmt *like, Sym name, ExprList more, AdBlock *body,
                         const Expr *answer)
{
    const Ad *ad = &d->ad;
    check_own(d, name);
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

static const Expr *value_and(Diff *d, const Expr *value, const Expr *gradient)
{
    const Expr *both[] = {value, gradient};
    return together(d, value->at, ad_exprs(&d->ad, 2, both));
}

static void put_pair(Diff *d, const Stmt *def)
{
    const Ad *ad = &d->ad;
    Sweep s = open_sweep(d, def, true);
    Sym name = def->function_def.name;
    AdBlock there = {0}, back = {0};
    ExprList answers;
    put_all(d, &there, sweep_there(&s));
    const Expr *answer = s.result, *seed = NULL;
    if (ad_is_reference(ad, answer->ty))
        answer = value_and(d, answer, twin_name(&s, answer));
    put_function(d, s.def, sweep_there_name(ad, name), (ExprList){0}, &there, answer);
    prune_add(&d->pruned, &s, &d->out, true, false);
    Sym r = names_get(ad->names, "r_");
    if (sweep_index(&s, r) != SIZE_MAX)
        r = ad_fresh(ad, s.taken, "r_");
    if (ad_is_float(s.result->ty))
        seed = ad_name(ad, def->at, r, ad->float_);
    put_all(d, &back, sweep_back(&s, seed, &answers));
    put_function(d, s.def, sweep_back_name(ad, name), ad_exprs(ad, seed != NULL, &seed), &back,
                 together(d, def->at, answers));
    prune_add(&d->pruned, &s, &d->out, true, true);
}

// ---- what is called from outside ----

// `all` are the cotangents of the floats; those of references are their twins.
static ExprList wanted_only(Diff *d, Sweep *s, const Stmt *def, ExprList all)
{
    const GradRequest *r = d->request;
    AdExprs out = {0};
    ArgList params = def->function_def.args->args;
    for (size_t i = 0, k = 0; i < params.len; i++) {
        bool real = ad_is_float(params.at[i]->ty);
        bool wanted = r->wrt.len == 0 && ad_holds_float(&d->ad, params.at[i]->ty);
        const Expr *name = ad_name(&d->ad, def->at, params.at[i]->arg, params.at[i]->ty);
        for (size_t w = 0; w < r->wrt.len; w++)
            wanted = wanted || r->wrt.at[w] == params.at[i]->arg;
        if (wanted)
            vec_push(d->ad.arena, &out, real ? all.at[k] : twin_name(s, name));
        k += real;
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
    const Expr *gradient = together(d, def->at, wanted_only(d, &s, def, answers));
    put_function(d, def, name, (ExprList){0}, &body, value_and(d, s.result, gradient));
    prune_add(&d->pruned, &s, &d->out, false, false);
    return gradient;
}

static ExprList parameter_names(Diff *d, const Stmt *def, ExprList twins, const Expr *more)
{
    AdExprs args = {0};
    ArgList params = def->function_def.args->args;
    for (size_t i = 0; i < params.len; i++)
        vec_push(d->ad.arena, &args,
                 ad_name(&d->ad, def->at, params.at[i]->arg, params.at[i]->ty));
    for (size_t i = 0; i < twins.len; i++)
        vec_push(d->ad.arena, &args, twins.at[i]);
    if (more != NULL)
        vec_push(d->ad.arena, &args, more);
    return (ExprList){args.at, args.len};
}

static ExprList twin_names(Sweep *s, const Stmt *def)
{
    AdExprs twins = {0};
    ExprList references = twin_parameters(s, def);
    for (size_t i = 0; i < references.len; i++)
        vec_push(s->ad->arena, &twins, twin_name(s, references.at[i]));
    return (ExprList){twins.at, twins.len};
}

// Calls the way back, and gives the gradient.
static const Expr *put_back_call(Diff *d, Sweep *s, const Stmt *def, ExprList args, AdBlock *body)
{
    const Ad *ad = &d->ad;
    ArgList params = def->function_def.args->args;
    AdExprs items = {0};
    for (size_t i = 0; i < params.len; i++)
        if (ad_is_float(params.at[i]->ty))
            vec_push(ad->arena, &items, ad_float(ad, def->at, 0.0));
    const Ty *ty = together(d, def->at, (ExprList){items.at, items.len})->ty;
    const Expr *call = ad_call_name(ad, def->at, sweep_back_name(ad, def->function_def.name), ty,
                                    args.len, args.at);
    const Expr *whole = ad_name(ad, def->at, ad_fresh(ad, s->taken, "gradient"), ty);
    vec_push(ad->arena, body, items.len == 0 ? stmt_expr(ad->arena, def->at, call)
                                             : ad_assign(ad, whole->name.id, call));
    for (size_t i = 0; i < items.len; i++)
        items.at[i] = items.len == 1 ? whole
                      : ad_item(ad, whole, ad_int(ad, def->at, (long)i), ad->float_);
    return together(d, def->at, wanted_only(d, s, def, (ExprList){items.at, items.len}));
}

// The function is a pair: it is called by others, or by itself.
static const Expr *put_over_pair(Diff *d, const Stmt *def, Sym name)
{
    const Ad *ad = &d->ad;
    Sym f = def->function_def.name;
    Sweep s = {.ad = ad, .taken = table_new(ad->arena), .cotangents = table_new(ad->arena),
               .cotangent_of = table_new(ad->arena),
               .twins = table_new(ad->arena)};
    ArgList params = def->function_def.args->args;
    AdBlock body = {0};
    for (size_t i = 0; i < params.len; i++)
        table_set(s.taken, params.at[i]->arg, d);
    ExprList beside = twin_names(&s, def);
    ExprList args = parameter_names(d, def, beside, NULL);
    ExprList back = parameter_names(d, def, beside, ad_float(ad, def->at, 1.0));
    twin_inputs(&s, def, d->changes, &body);
    vec_push(ad->arena, &body, stmt_tape(ad->arena, def->at));
    Sym value = ad_fresh(ad, s.taken, "value");
    vec_push(ad->arena, &body, ad_assign(ad, value, ad_call_name(ad, def->at,
             sweep_there_name(ad, f), ad->float_, args.len, args.at)));
    const Expr *gradient = put_back_call(d, &s, def, back, &body);
    put_function(d, def, name, (ExprList){0}, &body,
                 value_and(d, ad_name(ad, def->at, value, ad->float_), gradient));
    prune_add(&d->pruned, &s, &d->out, false, false);
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
    ExprList args = parameter_names(d, def, (ExprList){0}, NULL);
    AdBlock body = {0};
    const Expr *call = ad_call_name(ad, def->at, whole, both, args.len, args.at);
    put_function(d, def, names_format(ad->names, "%s_grad", def->function_def.name),
                 (ExprList){0}, &body,
                 ad_item(ad, call, ad_int(ad, def->at, 1), ty));
}

// ---- names of the table ----

// A program that has a name of its own for a function that its partials call.
typedef struct Clash { const Ad *ad; Sym name; Span at; Table *own; } Clash;

static bool note_own(void *cx, const Expr *e)
{
    Clash *c = cx;
    if (e->kind == EXPR_NAME)
        table_set(c->own, e->name.id, c);
    return true;
}

static bool find_clash(void *cx, const Expr *e)
{
    Clash *c = cx;
    if (e->kind != EXPR_ATTRIBUTE || !ad_is_atom(e))
        return true;
    const char *name = names_format(c->ad->names, "math.%s", e->attribute.attr);
    const Partial *p = partial_find(c->ad->partials, name, 1);
    const char *helper = p != NULL ? p->helper[0] : NULL;
    bool clash = helper != NULL && table_get(c->own, names_get(c->ad->names, helper)) != NULL;
    if (clash && c->name == NULL) {
        c->name = names_get(c->ad->names, helper);
        c->at = e->at;
    }
    return true;
}

static void check_helpers(Diff *d, StmtList body)
{
    Clash c = {.ad = &d->ad, .own = table_new(d->ad.arena)};
    IrWalker own = {.cx = &c, .expr = note_own}, clash = {.cx = &c, .expr = find_clash};
    ir_walk_stmts(&own, body);
    for (size_t i = 0; i < body.len; i++) {
        if (body.at[i]->kind != STMT_FUNCTION_DEF)
            continue;
        ArgList params = body.at[i]->function_def.args->args;
        for (size_t k = 0; k < params.len; k++)
            table_set(c.own, params.at[k]->arg, &c);
    }
    ir_walk_stmts(&clash, body);
    if (c.name != NULL)
        diag_help(diag_report(d->ad.diags, c.at, DIAG_GRAD_CONSTRUCT,
                              "`%s` is used in this code, but its derivative defines the same name",
                              c.name),
                  "rename `%s` in the program", c.name);
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

static bool find_change(void *cx, const Stmt *s)
{
    const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value : NULL;
    bool method = value != NULL && value->kind == EXPR_CALL
                  && value->call.func->kind == EXPR_ATTRIBUTE && !ad_is_atom(value->call.func);
    if (s->kind == STMT_EXPR || method
        || (value != NULL && s->assign.targets.at[0]->kind != EXPR_NAME))
        *(bool *)cx = true;
    return true;
}

typedef struct Called { Sym name; bool found; } Called;

static bool find_called(void *cx, const Expr *e)
{
    Called *c = cx;
    c->found = c->found || (e->kind == EXPR_CALL && ad_is_name(e->call.func, c->name));
    return !c->found;
}

// ---- tangents ----

// Of the parameters that hold floats; those that are not asked for begin as 0.
static ExprList tangent_parameters(Diff *d, Sweep *s, AdBlock *zeros)
{
    AdExprs out = {0};
    ArgList params = s->def->function_def.args->args;
    for (size_t i = 0; i < params.len; i++) {
        const Arg *arg = params.at[i];
        const Expr *name = ad_name(&d->ad, s->def->at, arg->arg, arg->ty);
        if (!ad_holds_float(&d->ad, arg->ty))
            continue;
        if (activity_is_wanted(d->request, s, arg->arg))
            vec_push(d->ad.arena, &out, twin_name(s, name));
        else
            vec_push(d->ad.arena, zeros, ad_store(&d->ad, twin_name(s, name),
                                                  ad_float(&d->ad, s->def->at, 0.0)));
    }
    return (ExprList){out.at, out.len};
}

static void put_tangent(Diff *d, const Stmt *def, Sym name, bool pair)
{
    Sweep s = open_sweep(d, def, pair);
    AdBlock body = {0};
    ExprList more = tangent_parameters(d, &s, &body);
    if (!pair)
        twin_inputs(&s, def, d->changes, &body);
    put_all(d, &body, sweep_tangent(&s, s.body));
    const Expr *answer = s.result;
    if (ad_holds_float(&d->ad, answer->ty))
        answer = value_and(d, answer, twin_value(&s, answer));
    put_function(d, def, name, more, &body, answer);
}

// A function that is called by others takes all tangents.
static void put_over_tangent(Diff *d, const Stmt *def, Sym name)
{
    const Ad *ad = &d->ad;
    Sweep s = open_sweep(d, def, false);
    AdBlock body = {0};
    ExprList more = tangent_parameters(d, &s, &body);
    twin_inputs(&s, def, d->changes, &body);
    AdExprs twins = {0};
    ArgList params = def->function_def.args->args;
    for (size_t i = 0; i < params.len; i++)
        if (ad_holds_float(ad, params.at[i]->ty))
            vec_push(ad->arena, &twins, twin_name(&s, ad_name(ad, def->at, params.at[i]->arg,
                                                              params.at[i]->ty)));
    ExprList args = parameter_names(d, def, (ExprList){twins.at, twins.len}, NULL);
    put_function(d, def, name, more, &body,
                 ad_call_name(ad, def->at, sweep_tangent_name(ad, def->function_def.name),
                              sweep_with_tangent(ad, def->function_def.returns->ty), args.len,
                              args.at));
}

static void tangent(Diff *d, StmtList body, bool called)
{
    const Stmt *root = body.at[body.len - 1];
    Sym name = names_format(d->ad.names, "%s_jvp", root->function_def.name);
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind != STMT_FUNCTION_DEF)
            vec_push(d->ad.arena, &d->out, s);
        else if (takes_part(d, s) && (s != root || called))
            put_tangent(d, s, sweep_tangent_name(&d->ad, s->function_def.name), true);
    }
    if (called)
        put_over_tangent(d, root, name);
    else
        put_tangent(d, root, name, false);
}

// ---- the two sweeps as two functions ----

// `f_fwd` answers the value and what the way back needs: the tapes, the parameters, their twins and
// that of the value. `f_rev` works on copies of these.
typedef struct Split {
    Diff *diff;
    const Ad *ad;
    const Stmt *def;
    Sweep sweep;                // for names
    Sym saved;                  // of the class
    ExprList tapes, kept;       // all that is kept: `tapes` first
    const Expr *twin;           // of the value; NULL: it is a float
} Split;

static const Stmt *function_of(StmtList body, Sym name)
{
    size_t i = 0;
    while (body.at[i]->kind != STMT_FUNCTION_DEF || body.at[i]->function_def.name != name)
        i++;
    return body.at[i];
}

Sym diff_saved_name(Names *names, Sym function)
{
    return names_format(names, "%s_saved", function);
}

// Copies do not look into tuples.
static void check_tapes(const Split *s)
{
    for (size_t i = 0; i < s->tapes.len; i++) {
        const Ty *item = ad_list_element(s->tapes.at[i]->ty);
        if (item->kind == TY_TUPLE && ad_is_reference(s->ad, item))
            diag_help(diag_report(s->ad->diags, s->def->at, DIAG_GRAD_CONSTRUCT,
                                  "`--split` does not support `%s`: it saves tuples of objects, "
                                  "which the backward sweep would change",
                                  s->def->function_def.name), "remove `--split`");
    }
}

static Split open_split(Diff *d, const Stmt *def, StmtList listed)
{
    const Ad *ad = &d->ad;
    Arena *a = ad->arena;
    const Ty *value = def->function_def.returns->ty;
    const Stmt *there = function_of(listed, sweep_there_name(ad, def->function_def.name));
    ArgList params = there->function_def.args->args;
    Split s = {.diff = d, .ad = ad, .def = def,
               .saved = diff_saved_name(ad->names, def->function_def.name),
               .sweep = {.ad = ad, .taken = table_new(a), .cotangents = table_new(a),
                         .cotangent_of = table_new(a), .twins = table_new(a)}};
    table_set(s.sweep.taken, names_get(ad->names, "saved"), d);
    table_set(s.sweep.taken, names_get(ad->names, "dvalue"), d);
    size_t own = params.len - twin_parameters(&s.sweep, def).len;
    AdExprs kept = {0};
    for (size_t i = 0; i < own; i++) {
        table_set(s.sweep.taken, params.at[i]->arg, d);
        vec_push(a, &kept, ad_name(ad, def->at, params.at[i]->arg, params.at[i]->ty));
    }
    ExprList twins = twin_names(&s.sweep, def);
    for (size_t i = 0; i < twins.len; i++)
        vec_push(a, &kept, twins.at[i]);
    if (ad_is_reference(ad, value)) {
        s.twin = ad_name(ad, def->at, ad_fresh(ad, s.sweep.taken, "value_"), value);
        vec_push(a, &kept, s.twin);
    }
    s.kept = (ExprList){kept.at, kept.len};
    s.tapes = (ExprList){kept.at, own - def->function_def.args->args.len};
    check_tapes(&s);
    return s;
}

static ExprList arguments_kept(const Split *s)
{
    return (ExprList){s->kept.at, s->kept.len - (s->twin != NULL)};
}

// What is kept as one: an object of the class in C, a tuple in Python.
static const Expr *all_kept(const Split *s)
{
    Span at = s->def->at;
    const Ty *ty = ty_named(s->ad->arena, s->saved, (TyList){0});
    if (!s->diff->request->c)
        return together(s->diff, at, s->kept);
    return ad_call_name(s->ad, at, s->saved, ty, s->kept.len, s->kept.at);
}

static const Expr *one_kept(const Split *s, const Expr *saved, size_t i)
{
    const Expr *name = s->kept.at[i];
    if (s->diff->request->c)
        return ad_attribute(s->ad, saved, name->name.id, name->ty);
    return s->kept.len == 1 ? saved
           : ad_item(s->ad, saved, ad_int(s->ad, name->at, (long)i), name->ty);
}

static void put_saved_class(Split *s)
{
    Arena *a = s->ad->arena;
    AdBlock fields = {0};
    check_own(s->diff, s->saved);
    for (size_t i = 0; i < s->kept.len; i++) {
        const Expr *name = s->kept.at[i];
        vec_push(a, &fields, stmt_ann_assign(a, name->at, name,
                                             ad_annotation(s->ad, name->at, name->ty), NULL, 1));
    }
    const Expr *mark = ad_name(s->ad, s->def->at, names_get(s->ad->names, "dataclass"), NULL);
    vec_push(a, &s->diff->out,
             stmt_class_def(a, s->def->at, s->saved, (ExprList){0}, (KeywordList){0},
                            ad_stmts(&fields), ad_exprs(s->ad, 1, &mark), (TypeParamList){0}));
}

// `targets` are the items of what a maker answers for `from`.
static void put_copies(Split *s, AdBlock *body, ExprList targets, ExprList from)
{
    const Ad *ad = s->ad;
    Span at = s->def->at;
    if (from.len == 0)
        return;
    const Ty **items = ARENA_ARRAY(ad->arena, const Ty *, from.len);
    for (size_t i = 0; i < from.len; i++)
        items[i] = from.at[i]->ty;
    const Ty *ty = ty_tuple(ad->arena, (TyList){items, from.len});
    const Expr *all = ad_name(ad, at, ad_fresh(ad, s->sweep.taken, "copies"), ty);
    vec_push(ad->arena, body, ad_assign(ad, all->name.id, ad_call_name(ad, at, AD_COPIES, ty,
                                                                       from.len, from.at)));
    for (size_t i = 0; i < from.len; i++)
        vec_push(ad->arena, body, ad_store(ad, targets.at[i], ad_item(ad, all,
                                           ad_int(ad, at, (long)i), items[i])));
}

static void put_forward(Split *s, Sym name)
{
    const Ad *ad = s->ad;
    Span at = s->def->at;
    AdBlock body = {0};
    const Ty *ty = s->def->function_def.returns->ty;
    twin_inputs(&s->sweep, s->def, true, &body);
    for (size_t i = 0; i < s->tapes.len; i++) {
        const Expr *tape = s->tapes.at[i];
        const Expr *empty = ad_typed(ad, expr_list(ad->arena, at, (ExprList){0},
                                                   EXPR_CONTEXT_LOAD), tape->ty);
        vec_push(ad->arena, &body, stmt_ann_assign(ad->arena, at, tape,
                                                   ad_annotation(ad, at, tape->ty), empty, 1));
    }
    ExprList args = arguments_kept(s);
    Sym value = ad_fresh(ad, s->sweep.taken, "value");
    const Expr *answer = ad_name(ad, at, value, ty);
    const Ty *both = s->twin == NULL ? ty : value_and(s->diff, answer, s->twin)->ty;
    const Expr *call = ad_call_name(ad, at, sweep_there_name(ad, s->def->function_def.name), both,
                                    args.len, args.at);
    if (s->twin == NULL) {
        vec_push(ad->arena, &body, ad_assign(ad, value, call));
    } else {
        const Expr *pair = ad_name(ad, at, ad_fresh(ad, s->sweep.taken, "both"), both);
        vec_push(ad->arena, &body, ad_assign(ad, pair->name.id, call));
        vec_push(ad->arena, &body, ad_store(ad, s->twin, ad_item(ad, pair, ad_int(ad, at, 1), ty)));
        const Expr *first = ad_item(ad, pair, ad_int(ad, at, 0), ty);
        put_copies(s, &body, ad_exprs(ad, 1, &answer), ad_exprs(ad, 1, &first));
    }
    put_function(s->diff, s->def, name, (ExprList){0}, &body,
                 value_and(s->diff, answer, all_kept(s)));
}

static bool is_copied(const Split *s, const Ty *ty)
{
    return ad_is_data(s->ad, ty) || ad_is_reference(s->ad, ty);
}

// A tape of numbers: nothing in it is in another place.
static bool is_plain_tape(const Split *s, size_t i)
{
    const Ty *item = i < s->tapes.len ? ad_list_element(s->tapes.at[i]->ty) : NULL;
    return item != NULL && (ad_is_float(item) || ad_is_discrete(item));
}

static const Stmt *taking_saved(Split *s, const Ty *saved)
{
    const Ad *ad = s->ad;
    const Stmt *def = s->def;
    const Arg *arg = arg_with_ty(ad->arena, arg_new(ad->arena, def->at, names_get(ad->names,
                                 "saved"), ad_annotation(ad, def->at, saved)), saved);
    const Arg **args = ARENA_NEW(ad->arena, const Arg *);
    *args = arg;
    const Arguments *all = arguments_new(ad->arena, (ArgList){0}, (ArgList){args, 1}, NULL,
                                         (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
    return stmt_function_def(ad->arena, def->at, def->function_def.name, all,
                             def->function_def.body, (ExprList){0}, def->function_def.returns,
                             (TypeParamList){0});
}

static void put_reverse(Split *s, Sym name)
{
    const Ad *ad = s->ad;
    Span at = s->def->at;
    AdBlock body = {0};
    AdExprs targets = {0}, from = {0}, args = {0};
    const Expr *saved = ad_name(ad, at, names_get(ad->names, "saved"), all_kept(s)->ty);
    const Expr *seed = ad_name(ad, at, names_get(ad->names, "dvalue"),
                               s->def->function_def.returns->ty);
    for (size_t i = 0; i < s->kept.len; i++) {
        const Expr *part = one_kept(s, saved, i);
        bool plain = is_plain_tape(s, i);
        if (plain || !is_copied(s, part->ty)) {
            part = plain ? ad_method(ad, part, "copy", part->ty, 0, NULL) : part;
            vec_push(ad->arena, &body, ad_store(ad, s->kept.at[i], part));
            continue;
        }
        vec_push(ad->arena, &targets, s->kept.at[i]);
        vec_push(ad->arena, &from, part);
    }
    put_copies(s, &body, (ExprList){targets.at, targets.len}, (ExprList){from.at, from.len});
    const Expr *both[] = {s->twin, seed};
    if (s->twin != NULL)
        vec_push(ad->arena, &body,
                 stmt_expr(ad->arena, at, ad_call_name(ad, at, AD_SEEDS, ad->none, 2, both)));
    for (size_t i = 0; i < arguments_kept(s).len; i++)
        vec_push(ad->arena, &args, s->kept.at[i]);
    if (s->twin == NULL)
        vec_push(ad->arena, &args, seed);
    const Expr *gradient = put_back_call(s->diff, &s->sweep, s->def,
                                         (ExprList){args.at, args.len}, &body);
    put_function(s->diff, taking_saved(s, saved->ty), name, ad_exprs(ad, 1, &seed), &body,
                 gradient);
}

static void split(Diff *d, const Stmt *root, Sym role)
{
    const Ad *ad = &d->ad;
    const Endpoint **module = ARENA_NEW(ad->arena, const Endpoint *);
    Sym f = root->function_def.name;
    *module = ad_module(ad->arena, role, ad_stmts(&d->out));
    const Unit *unit = unit_endpoints(ad->arena, (EndpointList){0}, (EndpointList){module, 1},
                                      (SiteList){0});
    StmtList listed = tape_lists(ad->arena, ad->names, unit, false)->endpoints.modules.at[0]->body;
    Split s = open_split(d, root, listed);
    d->out = (AdBlock){0};
    d->pruned.len = 0;          // it hands on what both ways know
    if (d->request->c)
        put_saved_class(&s);
    put_all(d, &d->out, listed);
    put_forward(&s, names_format(ad->names, "%s_fwd", f));
    put_reverse(&s, names_format(ad->names, "%s_rev", f));
}

static void reverse(Diff *d, StmtList body, bool called)
{
    const Ad *ad = &d->ad;
    const Stmt *root = body.at[body.len - 1];
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        if (s->kind != STMT_FUNCTION_DEF)
            vec_push(ad->arena, &d->out, s);
        else if (takes_part(d, s) && (s != root || called || d->request->split))
            put_pair(d, s);
    }
    if (d->request->split) {
        split(d, root, names_get(ad->names, "grad"));
        return;
    }
    Sym name = names_format(ad->names, "%s_value_and_grad", root->function_def.name);
    const Expr *gradient = called ? put_over_pair(d, root, name) : put_combined(d, root, name);
    put_gradient(d, root, name, gradient->ty);
}

const Unit *diff_unit(PassCx *cx, const Unit *flat)
{
    if (cx->grad == NULL || diags_error_count(cx->diags) > 0)
        return flat;
    Diff d = {.request = cx->grad, .functions = table_new(cx->arena),
              .program = table_new(cx->arena)};
    StmtList body = flat->endpoints.modules.at[0]->body;
    ad_open(&d.ad, cx->arena, cx->names, cx->diags);
    for (size_t i = 0; i < body.len; i++) {
        bool made = body.at[i]->kind == STMT_CLASS_DEF;
        Sym name = made ? body.at[i]->class_def.name : body.at[i]->function_def.name;
        table_set(d.program, name, (void *)body.at[i]);
        if (made)
            table_set(d.ad.classes, name, (void *)body.at[i]);
    }
    for (size_t i = 0; i < body.len; i++)
        if (body.at[i]->kind == STMT_FUNCTION_DEF && takes_part(&d, body.at[i]))
            table_set(d.functions, body.at[i]->function_def.name, (void *)body.at[i]);
    IrWalker w = {.cx = &d.changes, .stmt = find_change};
    ir_walk_stmts(&w, body);
    changes_find(&d.places, &d.ad, body);
    check_helpers(&d, body);
    Called called = {.name = cx->grad->function};
    IrWalker calls = {.cx = &called, .expr = find_called};
    ir_walk_stmts(&calls, body);
    if (cx->grad->mode == GRAD_TANGENT)
        tangent(&d, body, called.found);
    else
        reverse(&d, body, called.found);
    const Endpoint **module = ARENA_NEW(cx->arena, const Endpoint *);
    StmtList all = prune_unit(&d.ad, ad_stmts(&d.out), &d.pruned);
    *module = ad_module(cx->arena, flat->endpoints.modules.at[0]->role, all);
    return unit_endpoints(cx->arena, (EndpointList){0}, (EndpointList){module, 1}, (SiteList){0});
}
