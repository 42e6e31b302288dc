// effect.c - communication effects: who may communicate, and who may act, in every choreography.
//
// The effects are the least fixed point over the call graph (docs/language.md, "Communication
// effects"). With them, what must not depend on whether Python evaluates something is judged: the
// right side of `and`, arms of conditional expressions, comprehension bodies, asserts.

#include <stdint.h>

#include "typecheck/internal.h"

static SymList frozen(const SymVec *v) { return (SymList){v->at, v->len}; }

static bool add_role(Arena *a, SymVec *v, Sym r) {
    if (roles_has(frozen(v), r)) return false;
    vec_push(a, v, r);
    return true;
}

static void add_roles(Arena *a, SymVec *v, SymList roles) {
    for (size_t i = 0; i < roles.len; i++) add_role(a, v, roles.at[i]);
}

// ---- where is the callee of a call? ----

static const void *site_key(Span at) { return table_key((uint64_t)at.start << 32 | at.end); }

struct Effects {
    Program *p;
    Table   *sites;         // by the span of the callee: CallSite *
    Table   *functions;     // by the start of the definition: Function *
    Table   *refused;       // by the start of a statement: it is left out of the unit
    Determinism determinism;
};

Program *effect_program(const Effects *fx) { return fx->p; }

static CallSite *site_of(const Effects *fx, const Expr *call) {
    if (call->kind != EXPR_CALL || call->call.func->kind != EXPR_INST) return NULL;
    return table_get(fx->sites, site_key(call->call.func->at));
}

static Function *function_of(const Effects *fx, const Stmt *def) {
    return table_get(fx->functions, table_key(def->at.start));
}

static Function *choreography_of(void *cx, const Stmt *def) { return function_of(cx, def); }

// ---- what a piece of checked code does ----

typedef struct Doing {
    const Effects *fx;
    SymVec communicates, acts;
    bool   assignments;     // count plain assignments as acting
    bool   direct;          // leave the effects of callees out
    bool   certain;         // leave out what is evaluated under a condition of its own
} Doing;

// All but the forms that give a value and do nothing else: an operator may call anything.
static bool acts_by_itself(const Expr *e) {
    static const bool QUIET[EXPR_COUNT] = {
        [EXPR_NAME] = true, [EXPR_CONSTANT] = true, [EXPR_INST] = true, [EXPR_LOCATED] = true,
        [EXPR_PIN] = true, [EXPR_LAMBDA] = true, [EXPR_STARRED] = true, [EXPR_SLICE] = true};
    if (e->kind == EXPR_TUPLE || e->kind == EXPR_LIST) return e->list.ctx == EXPR_CONTEXT_LOAD;
    if (e->kind == EXPR_ATTRIBUTE)
        return e->attribute.value->ty == NULL || e->attribute.value->ty->kind != TY_INST;
    if (e->kind == EXPR_CALL) return e->call.func->kind != EXPR_INST;
    return !QUIET[e->kind];
}

static ComprehensionList generators_of(const Expr *e) {
    if (e->kind == EXPR_LIST_COMP) return e->list_comp.generators;
    if (e->kind == EXPR_SET_COMP) return e->set_comp.generators;
    if (e->kind == EXPR_DICT_COMP) return e->dict_comp.generators;
    if (e->kind == EXPR_GENERATOR_EXP) return e->generator_exp.generators;
    return (ComprehensionList){0};
}

static void walk_unconditional(const IrWalker *w, const Expr *e) {
    ComprehensionList generators = generators_of(e);
    if (e->kind == EXPR_BOOL_OP) ir_walk_expr(w, e->bool_op.values.at[0]);
    if (e->kind == EXPR_IF_EXP) ir_walk_expr(w, e->if_exp.test);
    if (generators.len > 0) ir_walk_expr(w, generators.at[0]->iter);
}

static bool has_conditional_parts(const Expr *e) {
    return e->kind == EXPR_BOOL_OP || e->kind == EXPR_IF_EXP || e->kind == EXPR_LAMBDA ||
        generators_of(e).len > 0;
}

static bool do_expr(void *cx, const Expr *e) {
    Doing *d = cx;
    Arena *a = d->fx->p->arena;
    const CallSite *site = d->direct ? NULL : site_of(d->fx, e);
    if (site != NULL) {
        const SymVec *c = &site->callee->communicates, *x = &site->callee->acts;
        add_roles(a, &d->communicates, roles_map_all(a, site->formals, site->actuals, frozen(c)));
        add_roles(a, &d->acts, roles_map_all(a, site->formals, site->actuals, frozen(x)));
    }
    // Nothing else has said yet who acts in a call: the callee is a value.
    if (site == NULL && e->kind == EXPR_CALL && e->call.func->kind == EXPR_INST) {
        SymList acts = e->call.func->inst.acts;
        if (acts.len > 1) add_roles(a, &d->communicates, acts);
        add_roles(a, &d->acts, acts);
    }
    if (e->kind == EXPR_COM || e->kind == EXPR_SELECT) {
        Sym from = e->kind == EXPR_COM ? e->com.sender : e->select.sender;
        Sym to = e->kind == EXPR_COM ? e->com.receiver : e->select.receiver;
        Sym both[] = {from, to};
        add_roles(a, &d->communicates, (SymList){both, 2});
        add_roles(a, &d->acts, (SymList){both, 2});
    } else if (acts_by_itself(e)) {
        add_roles(a, &d->acts, e->roles);
    }
    if (!d->certain || !has_conditional_parts(e)) return true;
    IrWalker w = {.cx = d, .expr = do_expr};
    walk_unconditional(&w, e);
    return false;
}

static void do_target(Doing *d, const Expr *t) {
    if (d->assignments || t->kind == EXPR_ATTRIBUTE || t->kind == EXPR_SUBSCRIPT)
        add_roles(d->fx->p->arena, &d->acts, t->roles);
}

static bool do_stmt(void *cx, const Stmt *s) {
    Doing *d = cx;
    Arena *a = d->fx->p->arena;
    // A nested choreography acts when it is called.
    if (s->kind == STMT_CHOREO || s->kind == STMT_FUNCTION_DEF) return false;
    if (s->kind == STMT_ASSIGN)
        for (size_t i = 0; i < s->assign.targets.len; i++) do_target(d, s->assign.targets.at[i]);
    if (s->kind == STMT_ANN_ASSIGN) do_target(d, s->ann_assign.target);
    if (s->kind == STMT_AUG_ASSIGN) add_roles(a, &d->acts, s->aug_assign.target->roles);
    if (s->kind == STMT_DELETE)
        for (size_t i = 0; i < s->delete.targets.len; i++)
            add_roles(a, &d->acts, s->delete.targets.at[i]->roles);
    if (s->kind == STMT_FOR) add_roles(a, &d->acts, s->for_.iter->roles);
    if (s->kind == STMT_WHILE) add_roles(a, &d->acts, s->while_.test->roles);
    if (s->kind == STMT_RAISE)
        add_roles(a, &d->acts, s->raise.exc != NULL ? s->raise.exc->roles : s->roles);
    if (s->kind == STMT_WITH) add_roles(a, &d->acts, s->with.items.at[0]->context_expr->roles);
    if (s->kind == STMT_MATCH) add_roles(a, &d->acts, s->match.subject->roles);
    return true;
}

static Doing doing_of_stmts(const Effects *fx, StmtList body, bool assignments, bool direct) {
    Doing d = {.fx = fx, .assignments = assignments, .direct = direct};
    IrWalker w = {.cx = &d, .expr = do_expr, .stmt = do_stmt};
    ir_walk_stmts(&w, body);
    return d;
}

// ---- the fixed point ----

static void note_direct(Effects *fx, const Stmt *def) {
    Function *f = function_of(fx, def);
    if (f == NULL) return;
    Doing d = doing_of_stmts(fx, def->function_def.body, false, true);
    add_roles(fx->p->arena, &f->communicates, frozen(&d.communicates));
    add_roles(fx->p->arena, &f->acts, frozen(&d.acts));
}

static bool each_choreo(void *cx, const Stmt *s) {
    if (s->kind == STMT_FUNCTION_DEF) note_direct(cx, s);
    return true;
}

static bool flow(Program *p, const CallSite *s, SymVec *from, SymVec *to) {
    bool changed = false;
    for (size_t i = 0; i < from->len; i++)
        changed |= add_role(p->arena, to, roles_map(s->formals, s->actuals, from->at[i]));
    return changed;
}

static bool flow_effects(void *cx, const CallSite *s) {
    if (s->value || s->dispatch) return false;
    bool talks = flow(cx, s, &s->callee->communicates, &s->caller->communicates);
    return flow(cx, s, &s->callee->acts, &s->caller->acts) || talks;
}

// ---- writing the effects into the tree ----

static const Expr *fill_call(IrMapper *m, const Expr *e) {
    const Effects *fx = m->cx;
    const CallSite *site = site_of(fx, e);
    if (site == NULL) return e;
    const Expr *inst = e->call.func;
    SymList acts = roles_map_all(m->arena, site->formals, site->actuals,
                                 frozen(&site->callee->acts));
    acts = roles_sorted(m->arena, site->actuals, acts);
    const Expr *filled = expr_inst(m->arena, inst->at, inst->inst.target, inst->inst.formals,
                                   inst->inst.actuals, acts);
    const Expr *call = expr_call(m->arena, e->at, filled, e->call.args, e->call.keywords);
    return expr_with_ty(m->arena, call, e->ty, e->roles);
}

static const Stmt *fill_choreo(IrMapper *m, const Stmt *s) {
    const Effects *fx = m->cx;
    if ((s->kind == STMT_TRY || s->kind == STMT_WITH) &&
        table_get(fx->refused, table_key(s->at.start)) != NULL)
        return stmt_pass(m->arena, s->at);
    if (s->kind != STMT_CHOREO) return s;
    SymVec communicates = {0}, acts = {0};
    const Stmt *def = s->choreo.def;
    StmtList defs = def->kind == STMT_CLASS_DEF ? def->class_def.body : (StmtList){&def, 1};
    for (size_t i = 0; i < defs.len; i++) {
        Function *f = defs.at[i]->kind == STMT_FUNCTION_DEF ? function_of(fx, defs.at[i]) : NULL;
        if (f == NULL) continue;
        add_roles(m->arena, &communicates, frozen(&f->communicates));
        add_roles(m->arena, &acts, frozen(&f->acts));
    }
    return stmt_choreo(m->arena, s->at, s->choreo.formals, frozen(&communicates), frozen(&acts),
                       def);
}

// ---- places that Python may evaluate not at all, or often ----

// A comprehension, whose parts Python may evaluate often.
typedef struct Rounds { const Expr *e, *elt; ComprehensionList list; } Rounds;

// What a place is part of, and what Python does with it; of `rounds`, it may evaluate it often.
// A default is evaluated `once`, at the roles that have the parameter.
typedef struct Part { const char *where, *python; const Rounds *rounds; bool once; } Part;

static void report_com(Program *p, const Expr *place, SymList who, SymList knows,
                       const Part *part) {
    const Rounds *rounds = part->rounds;
    const char *why = rounds != NULL ? rounds_text(p, who, knows)
                                     : names_format(p->names, ", which Python %s", part->python);
    Diag *d = diag_report(p->diags, place->at, DIAG_CONDITIONAL_COM, "%s communicate%s %s%s",
                          roles_text(p->arena, who), who.len == 1 ? "s" : "", part->where, why);
    if (rounds != NULL)
        help_comprehension(p, d, rounds->e, place == rounds->elt ? place : NULL, rounds->list);
    else
        diag_help(d, "communicate in a statement before this one, and use the result here");
}

static void report_act(Program *p, const Expr *place, SymList others, SymList knows,
                       const Part *part) {
    const char *idle = roles_text(p->arena, others), *rest = roles_text(p->arena, knows);
    if (part->once) {
        Diag *d = diag_report(p->diags, place->at, DIAG_CONDITIONAL_ACT,
                              "%s would act %s, but only %s evaluate%s it", idle, part->where, rest,
                              knows.len == 1 ? "s" : "");
        diag_help(d, "evaluate it in a statement before this one, and use the result here");
        return;
    }
    Diag *d = diag_report(p->diags, place->at, DIAG_CONDITIONAL_ACT,
                          "%s would act %s, but only %s know%s %s", idle, part->where, rest,
                          knows.len == 1 ? "s" : "", part->rounds != NULL
                          ? "how many rounds there are" : "whether it is evaluated");
    diag_help(d, part->rounds != NULL
              ? "write a `for` statement, and select labels for %s: one at the start of every "
                "round, another in the `else` of the loop"
              : "write an `if` statement, and select a label for %s in each branch", idle);
}

static void judge_may(const Effects *fx, const Expr *place, SymList knows, Part part) {
    if (place == NULL) return;
    Doing d = {.fx = fx, .certain = true};
    IrWalker w = {.cx = &d, .expr = do_expr};
    if (do_expr(&d, place)) ir_walk_expr(&w, place);    // a chain is not opened for its first link
    Program *p = fx->p;
    if (d.communicates.len > 0) {
        report_com(p, place, frozen(&d.communicates), knows, &part);
        return;
    }
    if (knows.len == 0 || roles_subset(frozen(&d.acts), knows)) return;
    SymVec others = {0};
    for (size_t i = 0; i < d.acts.len; i++)
        if (!roles_has(knows, d.acts.at[i])) vec_push(p->arena, &others, d.acts.at[i]);
    report_act(p, place, frozen(&others), knows, &part);
}

static void judge_place(const Effects *fx, const Expr *place, SymList knows, const char *where) {
    judge_may(fx, place, knows, (Part){where, "may skip", NULL, false});
}

static void judge_comprehension(const Effects *fx, const Expr *e, const Expr *a, const Expr *b,
                                ComprehensionList list) {
    const Rounds rounds = {e, b == NULL ? a : NULL, list};
    const Part body = {"in the body of a comprehension", NULL, &rounds, false};
    const Part inner = {"in an inner `for` of a comprehension", NULL, &rounds, false};
    const Part condition = {"in the condition of a comprehension", NULL, &rounds, false};
    judge_may(fx, a, e->roles, body);
    judge_may(fx, b, e->roles, body);
    for (size_t i = 0; i < list.len; i++) {
        if (i > 0) judge_may(fx, list.at[i]->iter, e->roles, inner);
        for (size_t j = 0; j < list.at[i]->ifs.len; j++)
            judge_may(fx, list.at[i]->ifs.at[j], e->roles, condition);
    }
}

static void judge_parts(const Effects *fx, const Expr *e, ExprList parts, size_t from,
                        const char *where) {
    for (size_t i = from; i < parts.len; i++) judge_place(fx, parts.at[i], e->roles, where);
}

static void judge_defaults(const Effects *fx, const Arguments *a) {
    const Part part = {"in a default argument", "evaluates once, where the function is defined",
                       NULL, true};
    for (size_t i = 0; i < a->defaults.len + a->kw_defaults.len; i++) {
        const Expr *e = i < a->defaults.len ? a->defaults.at[i]
            : a->kw_defaults.at[i - a->defaults.len];
        if (e != NULL) judge_may(fx, e, e->roles, part);
    }
}

static bool judge_expr(void *cx, const Expr *e) {
    const Effects *fx = cx;
    if (!determinism_judge(&fx->determinism, e)) return false;
    if (e->kind == EXPR_BOOL_OP)
        judge_parts(fx, e, e->bool_op.values, 1, e->bool_op.op == BOOLOP_AND
                    ? "on the right of `and`" : "on the right of `or`");
    if (e->kind == EXPR_IF_EXP) {
        judge_place(fx, e->if_exp.body, e->roles, "in an arm of a conditional expression");
        judge_place(fx, e->if_exp.orelse, e->roles, "in an arm of a conditional expression");
    }
    if (e->kind == EXPR_COMPARE)
        judge_parts(fx, e, e->compare.comparators, 1, "in a later operand of a chained comparison");
    if (e->kind == EXPR_LAMBDA) {
        judge_place(fx, e->lambda.body, e->roles, "in the body of a lambda");
        judge_defaults(fx, e->lambda.args);
    }
    ComprehensionList generators = generators_of(e);
    if (generators.len == 0) return true;
    bool dict = e->kind == EXPR_DICT_COMP;
    const Expr *body = dict ? e->dict_comp.key : e->kind == EXPR_LIST_COMP ? e->list_comp.elt
        : e->kind == EXPR_SET_COMP ? e->set_comp.elt : e->generator_exp.elt;
    judge_comprehension(fx, e, body, dict ? e->dict_comp.value : NULL, generators);
    return true;
}

// The targets inside are evaluated between the stores.
static void judge_unpacking(const Effects *fx, ExprList targets) {
    for (size_t i = 0; i < targets.len; i++) {
        ExprKind kind = targets.at[i]->kind;
        if (kind == EXPR_TUPLE || kind == EXPR_LIST)
            judge_may(fx, targets.at[i], (SymList){0},
                      (Part){"in a target of an unpacking assignment",
                             "evaluates after an earlier target is assigned", NULL, false});
    }
}

static bool judge_stmt(void *cx, const Stmt *s) {
    const Effects *fx = cx;
    determinism_judge_stmt(&fx->determinism, s);
    if (s->kind == STMT_TRY) handled_judge_try(fx, s);
    if (s->kind == STMT_WITH) handled_judge_with(fx, s);
    if (s->kind == STMT_MATCH) handled_judge_match(fx, s);
    if (s->kind == STMT_ASSIGN) judge_unpacking(fx, s->assign.targets);
    if (s->kind == STMT_ASSERT) {
        judge_place(fx, s->assert.test, s->assert.test->roles, "in the condition of an `assert`");
        judge_place(fx, s->assert.msg, s->assert.test->roles, "in the message of an `assert`");
    }
    if (s->kind == STMT_FUNCTION_DEF) judge_defaults(fx, s->function_def.args);
    return true;
}

// ---- for handled.c ----

void effect_refuse(const Effects *fx, const Stmt *s) {
    table_set(fx->refused, table_key(s->at.start), fx->p);
}

bool effect_expr_acts(const Expr *e) { return acts_by_itself(e); }

const CallSite *effect_site(const Effects *fx, const Expr *call) { return site_of(fx, call); }

void effect_judge_place(const Effects *fx, const Expr *place, SymList knows, const char *where) {
    judge_place(fx, place, knows, where);
}

// ---- roles that take no part ----

static bool mentioned(const Function *f, Sym role) {
    for (size_t i = 0; i < f->params.len; i++)
        if (roles_has(f->params.at[i].type.roles, role)) return true;
    return roles_has(f->result.roles, role) || roles_has(frozen(&f->acts), role);
}

static void warn_unused_roles(Program *p) {
    for (size_t i = 0; i < p->functions.len; i++) {
        const Function *f = p->functions.at[i];
        if (f->owner != NULL || f->failed || f->broken) continue;
        for (size_t j = 0; j < f->formals.len; j++) {
            if (mentioned(f, f->formals.at[j])) continue;
            Span at = source_first_line(p->source, f->def->at);
            Diag *d = diag_report(p->diags, at, DIAG_ROLE_UNUSED,
                                  "%s takes no part in `%s`", f->formals.at[j], f->name);
            diag_help(d, "remove the role from the signature, or use it in the body");
        }
    }
}

// ---- the whole ----

const Unit *effect_run(Program *p, const Unit *unit) {
    Effects fx = {p, table_new(p->arena), table_new(p->arena), table_new(p->arena),
                  {p, table_new(p->arena)}};
    for (size_t i = 0; i < p->sites.len; i++)
        if (!p->sites.at[i].value)
            table_set(fx.sites, site_key(p->sites.at[i].at), &p->sites.at[i]);
    for (size_t i = 0; i < p->functions.len; i++)
        table_set(fx.functions, table_key(p->functions.at[i]->def->at.start),
                  p->functions.at[i]);
    IrWalker direct = {.cx = &fx, .stmt = each_choreo};
    StmtList body = unit->module.body;
    IrIndex index = ir_index_open(p->arena, body), rest = index;
    ir_index_walk(&direct, index, (IrKinds){.stmts = IR_KIND(STMT_FUNCTION_DEF)});
    sites_flow(p, flow_effects, p, false);
    values_check(p);
    override_check_effects(p);
    IrWalker judge = {.cx = &fx, .expr = judge_expr, .stmt = judge_stmt};
    const IrKinds any = {~(uint64_t)0, ~(uint64_t)0};
    for (size_t i = 0; i < body.len; i++) {
        IrIndex tree = ir_index_next(&rest);
        if (body.at[i]->kind == STMT_CHOREO) ir_index_walk(&judge, tree, any);
    }
    warn_unused_roles(p);
    iteration_order_check(p, index);
    equal_check(p, index);
    p->loads = shared_check(p, unit, index, choreography_of, &fx);
    ir_index_close(&index);
    IrMapper m = {.arena = p->arena, .cx = &fx, .expr = fill_call, .stmt = fill_choreo};
    return payload_write(p, ir_map_unit(&m, unit), choreography_of, &fx);
}
