// prune.c - takes out of the sweeps what they do not need.
//
// A name is needed if a statement that stays reads it. A statement stays if it does something
// besides giving a value to a name that is not needed. An argument is needed if the callee needs
// the parameter; so the functions are looked at together, until nothing changes. A twin that only
// goes down to further calls, a cotangent that nobody asks for, go that way.
//
// On the way back a test of which kind an object is may be asked of its twin, which is None where
// the object is, and else of the same class: then the object itself need not be known.

#include "compiler/pass/ad/prune.h"

struct Pruned {
    const Stmt *def;
    bool   inner, again;
    Table *twins;               // statements that are about twins
    Table *twin_of;             // parameter -> its twin, where nothing assigns either
    Table *needed;              // names
    Table *by_twin;             // an `if` -> the twin that its test may ask
};

typedef struct Prune {
    const Ad *ad;
    Table *functions;           // name -> Pruned
    Pruned *f;                  // the present one
    bool changed;
    bool last;                  // tests that nothing decides ask the object
} Prune;

static void need(Prune *p, Sym name)
{
    if (table_get(p->f->needed, name) != NULL)
        return;
    table_set(p->f->needed, name, p);
    p->changed = true;
}

static bool is_needed(const Pruned *f, Sym name) { return table_get(f->needed, name) != NULL; }

// The function that is called, if its parameters may go.
static Pruned *inner_callee(const Prune *p, const Expr *e)
{
    bool named = e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME;
    Pruned *f = named ? table_get(p->functions, e->call.func->name.id) : NULL;
    return f != NULL && f->inner ? f : NULL;
}

static bool is_param_needed(const Pruned *f, size_t i)
{
    return is_needed(f, f->def->function_def.args->args.at[i]->arg);
}

static bool need_expr(void *cx, const Expr *e);

static void need_all(Prune *p, const Expr *e)
{
    IrWalker w = {.cx = p, .expr = need_expr};
    ir_walk_expr(&w, e);
}

static bool need_expr(void *cx, const Expr *e)
{
    Prune *p = cx;
    const Pruned *callee = inner_callee(p, e);
    if (e->kind == EXPR_NAME)
        need(p, e->name.id);
    for (size_t i = 0; callee != NULL && i < e->call.args.len; i++)
        if (is_param_needed(callee, i))
            need_all(p, e->call.args.at[i]);
    return callee == NULL;
}

static void need_block(Prune *p, StmtList body)
{
    IrWalker w = {.cx = p, .expr = need_expr};
    ir_walk_stmts(&w, body);
}

// ---- what does nothing but answer a value ----

static bool is_idle(const Prune *p, const Stmt *s, const Expr *e);

static bool is_idle_item(const Prune *p, const Stmt *s, const Expr *e)
{
    const Ty *base = e->subscript.value->ty;
    bool known = p->f->again || table_get(p->f->twins, s) != NULL
                 || (base != NULL && base->kind == TY_TUPLE);
    return known && is_idle(p, s, e->subscript.value) && is_idle(p, s, e->subscript.slice);
}

static bool are_idle(const Prune *p, const Stmt *s, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        if (!is_idle(p, s, list.at[i]))
            return false;
    return true;
}

// A test of a class, or a twin that is made.
static bool is_idle_call(const Prune *p, const Stmt *s, const Expr *e)
{
    if (e->call.func->kind != EXPR_NAME)
        return false;
    bool made = table_get(p->ad->classes, e->call.func->name.id) != NULL
                && table_get(p->f->twins, s) != NULL;
    return (made || sym_is(e->call.func->name.id, "isinstance")) && are_idle(p, s, e->call.args);
}

static bool is_idle_operator(const Expr *e)
{
    Operator op = e->bin_op.op;
    return ad_is_float(e->ty)
           && (op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT);
}

static bool is_idle(const Prune *p, const Stmt *s, const Expr *e)
{
    if (ad_is_atom(e))
        return true;
    if (e->kind == EXPR_ATTRIBUTE)
        return is_idle(p, s, e->attribute.value);
    if (e->kind == EXPR_SUBSCRIPT)
        return is_idle_item(p, s, e);
    if (e->kind == EXPR_CALL)
        return is_idle_call(p, s, e);
    if (e->kind == EXPR_COMPARE)
        return is_idle(p, s, e->compare.left) && are_idle(p, s, e->compare.comparators);
    if (e->kind == EXPR_BOOL_OP)
        return are_idle(p, s, e->bool_op.values);
    if (e->kind == EXPR_UNARY_OP)
        return (ad_is_float(e->ty) || e->unary_op.op == UNARYOP_NOT)
               && is_idle(p, s, e->unary_op.operand);
    return e->kind == EXPR_BIN_OP && is_idle_operator(e) && is_idle(p, s, e->bin_op.left)
           && is_idle(p, s, e->bin_op.right);
}

static bool is_counted(const Expr *iter)
{
    bool named = iter->kind == EXPR_CALL && iter->call.func->kind == EXPR_NAME;
    if (named && sym_is(iter->call.func->name.id, "reversed"))
        return is_counted(iter->call.args.at[0]);
    bool counted = named && sym_is(iter->call.func->name.id, "range");
    for (size_t i = 0; counted && i < iter->call.args.len; i++)
        counted = ad_is_atom(iter->call.args.at[i]);
    return counted;
}

// ---- tests that may be asked of a twin ----

// The name that `x is None`, `x is not None`, `isinstance(x, C)` is about; NULL: it is another.
static const Expr *tested(const Prune *p, const Expr *test)
{
    if (test->kind == EXPR_UNARY_OP && test->unary_op.op == UNARYOP_NOT)
        return tested(p, test->unary_op.operand);
    const Expr *name = NULL;
    if (test->kind == EXPR_COMPARE && test->compare.ops.len == 1
        && (test->compare.ops.at[0] == CMPOP_IS || test->compare.ops.at[0] == CMPOP_IS_NOT)
        && test->compare.comparators.at[0]->kind == EXPR_CONSTANT)
        name = test->compare.left;
    if (test->kind == EXPR_CALL && test->call.func->kind == EXPR_NAME
        && sym_is(test->call.func->name.id, "isinstance")
        && test->call.args.at[1]->kind == EXPR_NAME) {
        const Stmt *def = table_get(p->ad->classes, test->call.args.at[1]->name.id);
        if (def != NULL && !ad_is_frozen(def) && ad_stands_for(def) == NULL)
            name = test->call.args.at[0];
    }
    return name != NULL && name->kind == EXPR_NAME ? name : NULL;
}

static void need_test(Prune *p, const Stmt *s)
{
    const Expr *name = tested(p, s->if_.test);
    Sym twin = name != NULL ? table_get(p->f->twin_of, name->name.id) : NULL;
    if (twin != NULL && (is_needed(p->f, name->name.id) || table_get(p->f->by_twin, s) != NULL))
        return;
    if (twin != NULL && is_needed(p->f, twin))
        table_set(p->f->by_twin, s, (void *)twin);
    else if (twin == NULL || p->last)
        need_all(p, s->if_.test);
}

// ---- what stays ----

static bool stays_in(Prune *p, StmtList body);

static bool is_given(const Prune *p, const Stmt *s)
{
    const Expr *target = s->assign.targets.at[0];
    return target->kind != EXPR_NAME || is_needed(p->f, target->name.id)
           || !is_idle(p, s, s->assign.value);
}

// Whether it stays; what it then needs.
static bool stays(Prune *p, const Stmt *s)
{
    if (s->kind == STMT_ASSIGN && !is_given(p, s))
        return false;
    if (s->kind == STMT_ASSIGN) {
        if (s->assign.targets.at[0]->kind != EXPR_NAME)
            need_all(p, s->assign.targets.at[0]);
        need_all(p, s->assign.value);
    } else if (s->kind == STMT_IF) {
        bool body = stays_in(p, s->if_.body), orelse = stays_in(p, s->if_.orelse);
        if (!body && !orelse && is_idle(p, s, s->if_.test))
            return false;
        if (!body && !orelse)
            need_block(p, (StmtList){&s, 1});
        else
            need_test(p, s);
    } else if (s->kind == STMT_FOR && is_counted(s->for_.iter)) {
        if (!stays_in(p, s->for_.body))
            return false;
        need_all(p, s->for_.iter);
    } else if (s->kind == STMT_WHILE) {
        need_all(p, s->while_.test);
        if (!stays_in(p, s->while_.body))
            need_block(p, s->while_.body);
    } else if (s->kind != STMT_BACK) {
        need_block(p, (StmtList){&s, 1});
    }
    return true;
}

static bool stays_in(Prune *p, StmtList body)
{
    bool any = false;
    for (size_t i = body.len; i-- > 0;)
        any |= stays(p, body.at[i]);
    return any;
}

// ---- without the rest ----

static const Expr *ask_twin(IrMapper *m, const Expr *e)
{
    const Prune *p = m->cx;
    Sym twin = e->kind == EXPR_NAME ? table_get(p->f->twin_of, e->name.id) : NULL;
    return twin != NULL ? ad_name(p->ad, e->at, twin, e->ty) : e;
}

static const Expr *pruned_test(Prune *p, const Stmt *s)
{
    const Expr *name = tested(p, s->if_.test);
    bool by_twin = name != NULL && table_get(p->f->by_twin, s) != NULL
                   && !is_needed(p->f, name->name.id);
    IrMapper m = {.arena = p->ad->arena, .cx = p, .expr = ask_twin};
    return by_twin ? ir_map_expr(&m, s->if_.test) : s->if_.test;
}

static StmtList pruned(Prune *p, StmtList body);

static const Stmt *pruned_stmt(Prune *p, const Stmt *s)
{
    Arena *a = p->ad->arena;
    if (s->kind == STMT_IF) {
        StmtList body = pruned(p, s->if_.body), orelse = pruned(p, s->if_.orelse);
        const Expr *test = pruned_test(p, s);
        return body.len > 0 ? stmt_if(a, s->at, test, body, orelse)
                            : stmt_if(a, s->at, ad_not(p->ad, test), orelse, (StmtList){0});
    }
    if (s->kind == STMT_FOR && is_counted(s->for_.iter))
        return stmt_for(a, s->at, s->for_.target, s->for_.iter, pruned(p, s->for_.body),
                        (StmtList){0});
    if (s->kind == STMT_WHILE)
        return stmt_while(a, s->at, s->while_.test, pruned(p, s->while_.body), (StmtList){0});
    return s;
}

static StmtList pruned(Prune *p, StmtList body)
{
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++)
        if (stays(p, body.at[i]))
            vec_push(p->ad->arena, &out, pruned_stmt(p, body.at[i]));
    return ad_stmts(&out);
}

static const Expr *fewer_arguments(IrMapper *m, const Expr *e)
{
    const Prune *p = m->cx;
    const Pruned *callee = inner_callee(p, e);
    AdExprs args = {0};
    for (size_t i = 0; callee != NULL && i < e->call.args.len; i++)
        if (is_param_needed(callee, i))
            vec_push(p->ad->arena, &args, e->call.args.at[i]);
    return callee == NULL ? e : ad_call(p->ad, e->call.func, e->ty, args.len, args.at);
}

static const Arguments *fewer_parameters(const Prune *p)
{
    const Arguments *old = p->f->def->function_def.args;
    Vec(const Arg *) args = {0};
    if (!p->f->inner)
        return old;
    for (size_t i = 0; i < old->args.len; i++)
        if (is_param_needed(p->f, i))
            vec_push(p->ad->arena, &args, old->args.at[i]);
    return arguments_new(p->ad->arena, (ArgList){0}, (ArgList){args.at, args.len}, NULL,
                         (ArgList){0}, (ExprList){0}, NULL, (ExprList){0});
}

static const Stmt *pruned_function(Prune *p)
{
    const Stmt *s = p->f->def;
    IrMapper m = {.arena = p->ad->arena, .cx = p, .expr = fewer_arguments};
    StmtList body = ir_map_stmts(&m, pruned(p, s->function_def.body));
    return stmt_function_def(p->ad->arena, s->at, s->function_def.name, fewer_parameters(p), body,
                             s->function_def.decorator_list, s->function_def.returns,
                             s->function_def.type_params);
}

static void find_needed(Prune *p, const PrunedList *functions)
{
    do {
        p->changed = false;
        for (size_t i = functions->len; i-- > 0;) {
            p->f = functions->at[i];
            stays_in(p, p->f->def->function_def.body);
        }
    } while (p->changed);
}

void prune_add(PrunedList *list, const Sweep *s, const AdBlock *unit, bool inner, bool again)
{
    Arena *a = s->ad->arena;
    const Stmt *def = unit->at[unit->len - 1];
    Pruned *f = ARENA_NEW(a, Pruned);
    ArgList args = def->function_def.args->args;
    *f = (Pruned){.def = def, .inner = inner, .again = again, .twins = s->twins,
                  .twin_of = table_new(a), .needed = table_new(a), .by_twin = table_new(a)};
    for (size_t i = 0; again && i < args.len; i++) {
        Sym twin = table_get(s->cotangents, args.at[i]->arg);
        size_t of = twin != NULL ? sweep_index(s, twin) : SIZE_MAX;
        if (of != SIZE_MAX && set_has(s->still, of)
            && set_has(s->still, sweep_index(s, args.at[i]->arg)))
            table_set(f->twin_of, args.at[i]->arg, (void *)twin);
    }
    vec_push(a, list, f);
}

StmtList prune_unit(const Ad *ad, StmtList unit, const PrunedList *functions)
{
    Prune p = {.ad = ad, .functions = table_new(ad->arena)};
    AdBlock out = {0};
    for (size_t i = 0; i < functions->len; i++) {
        Pruned *f = functions->at[i];
        table_set(p.functions, f->def->function_def.name, f);
    }
    find_needed(&p, functions);
    p.last = true;
    find_needed(&p, functions);
    for (size_t i = 0; i < unit.len; i++) {
        bool function = unit.at[i]->kind == STMT_FUNCTION_DEF;
        p.f = function ? table_get(p.functions, unit.at[i]->function_def.name) : NULL;
        vec_push(ad->arena, &out, p.f != NULL ? pruned_function(&p) : unit.at[i]);
    }
    return ad_stmts(&out);
}
