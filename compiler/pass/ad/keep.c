// keep.c - what is kept: a value that the way back reads, where it would be lost.
//
// The analysis goes with the program. `needed` are the names whose values at a place the way back
// needs there, for what was done before. An assignment to one of them keeps the old value first
// (Hascoet, Naumann, Pascual: "To be recorded" analysis in reverse-mode automatic differentiation,
// 2005). Names of a block's own are kept where the block ends, if it is entered again.

#include "compiler/pass/ad/sweep.h"

Plan *sweep_plan_of(const Sweep *s, const Stmt *stmt)
{
    Plan *plan = table_get(s->plans, stmt);
    if (plan == NULL) {
        plan = ARENA_NEW(s->ad->arena, Plan);
        *plan = (Plan){0};
        table_set(s->plans, stmt, plan);
    }
    return plan;
}

TwinPart *sweep_twin_part(const Sweep *s, const Stmt *stmt) { return table_get(s->twins, stmt); }

// ---- what a statement's way back reads ----

static const char *primitive_name(const Expr *func)
{
    if (func->kind == EXPR_NAME)
        return func->name.id;
    return func->attribute.attr;
}

const Partial *sweep_primitive(const Sweep *s, const Expr *value, ExprList *arguments)
{
    const Ad *ad = s->ad;
    if (!ad_is_float(value->ty))
        return NULL;
    if (value->kind == EXPR_BIN_OP) {
        const Expr *both[] = {value->bin_op.left, value->bin_op.right};
        *arguments = ad_exprs(ad, 2, both);
        return partial_find(ad->partials, partial_of_operator(value->bin_op.op), 2);
    }
    if (value->kind == EXPR_UNARY_OP) {
        *arguments = ad_exprs(ad, 1, &value->unary_op.operand);
        const char *name = partial_of_unary(value->unary_op.op);
        return name == NULL ? NULL : partial_find(ad->partials, name, 1);
    }
    if (value->kind != EXPR_CALL || sweep_callee(s, value) != NULL)
        return NULL;
    const Expr *func = value->call.func;
    *arguments = value->call.args;
    if (!ad_is_atom(func))
        return NULL;
    const char *name = func->kind == EXPR_NAME ? primitive_name(func)
                       : names_format(ad->names, "math.%s", primitive_name(func));
    return partial_find(ad->partials, name, value->call.args.len);
}

const Stmt *sweep_callee(const Sweep *s, const Expr *value)
{
    bool named = value->kind == EXPR_CALL && value->call.func->kind == EXPR_NAME;
    return named ? table_get(s->functions, value->call.func->name.id) : NULL;
}

static void add_partial_reads(const Sweep *s, const Partial *p, ExprList args, const Expr *result,
                              NameSet before, NameSet after)
{
    for (size_t i = 0; i < args.len; i++) {
        size_t of = p->kind == PARTIAL_EACH ? 0 : i;
        if (!sweep_is_active(s, args.at[i]))
            continue;
        for (size_t k = 0; k < args.len && k < PARTIAL_MAX; k++)
            if (p->kind != PARTIAL_EACH && partial_reads(p, of, (char)('a' + k)))
                set_add_reads(s, before, args.at[k]);
        if (p->kind == PARTIAL_EACH && partial_reads(p, of, 'a'))
            set_add_reads(s, before, args.at[i]);
        if (partial_reads(p, of, 'r'))
            set_add_reads(s, after, result);
    }
}

static void add_twin(Sweep *s, NameSet set, const Expr *name)
{
    set_add_reads(s, set, twin_name(s, name));
}

// A field or item: its twin, and where in it.
static void add_place(Sweep *s, NameSet set, const Expr *place)
{
    if (place->kind == EXPR_ATTRIBUTE) {
        add_twin(s, set, place->attribute.value);
    } else if (place->kind == EXPR_SUBSCRIPT) {
        add_twin(s, set, place->subscript.value);
        set_add_reads(s, set, place->subscript.slice);
    }
}

static void add_store(Sweep *s, const Stmt *stmt, NameSet before)
{
    const Expr *target = stmt->assign.targets.at[0];
    const TwinPart *part = sweep_twin_part(s, stmt);
    if (part != NULL && part->old != NULL) {
        set_add_reads(s, before, target);
        set_add(before, sweep_index(s, part->old));
    } else if (ad_is_float(stmt->assign.value->ty) || ad_is_float(target->ty)) {
        add_place(s, before, target);
    }
}

// What the way back of a statement with references reads: its twins.
static void add_twins(Sweep *s, const Expr *target, const Expr *value, NameSet before,
                      NameSet after)
{
    const Expr *list = twin_method(s, value);
    bool reference = ad_is_reference(s->ad, target->ty);
    if (list != NULL && ad_holds_float(s->ad, list->ty)) {
        add_twin(s, before, list);
        if (reference)
            add_twin(s, after, target);
    } else if (reference && (value->kind == EXPR_LIST || value->kind == EXPR_CALL)) {
        add_twin(s, before, target);
    } else if (sweep_is_active(s, target)) {
        add_place(s, before, value);
    }
}

// Of `r = value` with r active.
static void add_reads(Sweep *s, const Expr *target, const Expr *value, NameSet before,
                      NameSet after)
{
    ExprList args;
    if (sweep_callee(s, value) != NULL) {
        for (size_t i = 0; i < value->call.args.len; i++)
            set_add_reads(s, before, value->call.args.at[i]);
        return;
    }
    const Partial *p = sweep_is_active(s, target) ? sweep_primitive(s, value, &args) : NULL;
    if (p != NULL)
        add_partial_reads(s, p, args, target, before, after);
    else
        add_twins(s, target, value, before, after);
}

// ---- the analysis ----

typedef struct Need {
    NameSet needed, assigned;   // assigned: surely
    bool    again;              // the block is entered again, or left for good
} Need;

static void plan_block(Sweep *s, StmtList body, Need *need);

static void plan_assign(Sweep *s, const Stmt *stmt, Need *need)
{
    const Expr *target = stmt->assign.targets.at[0];
    NameSet after = s->scratch;
    memset(after.words, 0, s->words * sizeof *after.words);
    if (target->kind != EXPR_NAME)
        add_store(s, stmt, need->needed);
    else if (sweep_twin_part(s, stmt) == NULL)
        add_reads(s, target, stmt->assign.value, need->needed, after);
    if (target->kind != EXPR_NAME)
        return;
    size_t i = sweep_index(s, target->name.id);
    Plan *plan = sweep_plan_of(s, stmt);
    plan->keep = plan->keep || set_has(need->needed, i);
    if (plan->keep && !set_has(need->assigned, i))
        vec_push(s->ad->arena, &s->unset, target->name.id);
    set_remove(need->needed, i);
    set_add(need->assigned, i);
    set_join(s, need->needed, after);
}

// The statements of the block that make needed names again, of those in `own`. What these read is
// needed in their place, so that the last one comes first.
static StmtList remake(Sweep *s, StmtList body, NameSet own, Need *need)
{
    const Stmt **out = ARENA_ARRAY(s->ad->arena, const Stmt *, body.len + 1);
    size_t first = body.len;
    for (size_t k = body.len; k-- > 0;) {
        const Expr *target = body.at[k]->kind == STMT_ASSIGN ? body.at[k]->assign.targets.at[0]
                                                             : NULL;
        if (target == NULL || target->kind != EXPR_NAME)
            continue;
        size_t i = sweep_index(s, target->name.id);
        if (!set_has(own, i) || !set_has(need->needed, i) || !set_has(s->remade, i))
            continue;
        set_remove(need->needed, i);
        set_add_reads(s, need->needed, body.at[k]->assign.value);
        out[--first] = body.at[k];
    }
    return (StmtList){out + first, body.len - first};
}

// Takes the names of `own` out of what is needed, and says how the way back gets them.
static AtEnd keep_names(Sweep *s, StmtList body, NameSet own, Need *need)
{
    AdNames kept = {0};
    StmtList again = remake(s, body, own, need);
    for (size_t i = 0; i < s->vars.len; i++) {
        if (!set_has(own, i) || !set_has(need->needed, i))
            continue;
        vec_push(s->ad->arena, &kept, s->vars.at[i]);
        if (!set_has(need->assigned, i))
            vec_push(s->ad->arena, &s->unset, s->vars.at[i]);
        set_remove(need->needed, i);
    }
    return (AtEnd){{kept.at, kept.len}, again};
}

static AtEnd keep_own(Sweep *s, StmtList body, Need *need)
{
    return keep_names(s, body, names_own(s, body), need);
}

static void plan_if(Sweep *s, const Stmt *stmt, Need *need)
{
    Need other = {set_copy(s, need->needed), set_copy(s, need->assigned), need->again};
    Plan *plan = sweep_plan_of(s, stmt);
    plan_block(s, stmt->if_.body, need);
    plan_block(s, stmt->if_.orelse, &other);
    if (need->again) {
        plan->at_end[0] = keep_own(s, stmt->if_.body, need);
        plan->at_end[1] = keep_own(s, stmt->if_.orelse, &other);
    }
    set_join(s, need->needed, other.needed);
    set_meet(s, need->assigned, other.assigned);
    set_add_reads(s, need->needed, stmt->if_.test);
}

static void plan_loop(Sweep *s, const Stmt *stmt, StmtList body, Sym counter, Need *need)
{
    Plan *plan = sweep_plan_of(s, stmt);
    for (bool grows = true; grows;) {
        Need inner = {set_copy(s, need->needed), set_copy(s, need->assigned), true};
        if (counter != NULL)
            set_add(inner.assigned, sweep_index(s, counter));
        plan_block(s, body, &inner);
        plan->at_end[0] = keep_own(s, body, &inner);
        if (counter != NULL)
            set_remove(inner.needed, sweep_index(s, counter));
        grows = set_join(s, need->needed, inner.needed);
    }
}

static void plan_block(Sweep *s, StmtList body, Need *need)
{
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *stmt = body.at[i];
        if (stmt->kind == STMT_ASSIGN) {
            plan_assign(s, stmt, need);
        } else if (stmt->kind == STMT_EXPR && sweep_twin_part(s, stmt) == NULL) {
            const Expr *list = twin_method(s, stmt->expr.value);
            if (list != NULL && ad_holds_float(s->ad, list->ty))
                add_twin(s, need->needed, list);
        } else if (stmt->kind == STMT_IF) {
            plan_if(s, stmt, need);
        } else if (stmt->kind == STMT_WHILE) {
            plan_loop(s, stmt, stmt->while_.body, NULL, need);
            set_add(need->needed, sweep_index(s, sweep_plan_of(s, stmt)->rounds));
        } else if (stmt->kind == STMT_FOR) {
            plan_loop(s, stmt, stmt->for_.body, stmt->for_.target->name.id, need);
            set_add_reads(s, need->needed, stmt->for_.iter);
        }
    }
}

void sweep_plan(Sweep *s)
{
    Need need = {set_new(s), set_new(s), s->pair};
    ArgList args = s->def->function_def.args->args;
    for (size_t i = 0; i < args.len; i++)
        set_add(need.assigned, sweep_index(s, args.at[i]->arg));
    sweep_find_remade(s);
    s->scratch = set_new(s);
    s->own = table_new(s->ad->arena);
    s->tally = NULL;
    plan_block(s, s->body, &need);
    if (s->pair)
        s->at_end = keep_names(s, s->body, names_assigned(s, s->body), &need);
}
