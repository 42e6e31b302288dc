// remake.c - what the way back reads again instead of taking it off the tape: a field, or an item
// of a list, that nothing in the program assigns (control-ad 3.3, "What is kept").
//
// Names may be aliases, so what is assigned is judged by class and field and by the elements of
// lists, over the whole unit. A place whose type is not known in full is all places. Fields of
// twins change only where those of the objects do, but for floats, which no name of a twin holds.

#include "compiler/pass/ad/sweep.h"

// ---- what the program changes ----

// Adds a name for each kind of place that `base.field`, or an item of `base`, may be; false if
// that is not known.
static bool find_places(const Ad *ad, const Ty *base, Sym field, AdNames *out);

static bool find_items(const Ad *ad, const Ty *element, AdNames *out)
{
    if (element->kind == TY_UNION) {
        bool known = true;
        for (size_t i = 0; i < element->union_.items.len; i++)
            known = known && (element->union_.items.at[i]->kind == TY_NONE_TYPE
                              || find_items(ad, element->union_.items.at[i], out));
        return known;
    }
    if (element->kind == TY_TUPLE)
        vec_push(ad->arena, out, names_get(ad->names, "[tuple]"));
    else if (element->kind == TY_NAMED && !sym_is(element->named.name, "object"))
        vec_push(ad->arena, out, names_format(ad->names, "[%s]", element->named.name));
    else
        return false;
    return true;
}

static bool find_places(const Ad *ad, const Ty *base, Sym field, AdNames *out)
{
    if (base == NULL)
        return false;
    if (base->kind == TY_UNION) {
        bool known = true;
        for (size_t i = 0; i < base->union_.items.len; i++)
            known = known && find_places(ad, base->union_.items.at[i], field, out);
        return known;
    }
    if (field == NULL && ad_list_element(base) != NULL)
        return find_items(ad, ad_list_element(base), out);
    const Stmt *def = base->kind == TY_NAMED ? table_get(ad->classes, base->named.name) : NULL;
    if (def == NULL || field == NULL)
        return ad_is_discrete(base);
    vec_push(ad->arena, out, names_format(ad->names, "%s.%s", base->named.name, field));
    return def->class_def.bases.len == 0;
}

static void change(Changes *c, const Ty *base, Sym field)
{
    AdNames places = {0};
    if (!find_places(c->ad, base, field, &places))
        c->all = true;
    for (size_t i = 0; i < places.len; i++)
        table_set(c->places, places.at[i], c);
}

static bool changes_stmt(void *cx, const Stmt *s)
{
    Changes *c = cx;
    for (size_t i = 0; s->kind == STMT_ASSIGN && i < s->assign.targets.len; i++) {
        const Expr *target = s->assign.targets.at[i];
        if (target->kind == EXPR_ATTRIBUTE)
            change(c, target->attribute.value->ty, target->attribute.attr);
        else if (target->kind == EXPR_SUBSCRIPT)
            change(c, target->subscript.value->ty, NULL);
        else if (target->kind != EXPR_NAME)
            c->all = true;
    }
    return true;
}

// A method of a list is taken to change it.
static bool changes_expr(void *cx, const Expr *e)
{
    const Expr *func = e->kind == EXPR_CALL ? e->call.func : NULL;
    bool method = func != NULL && func->kind == EXPR_ATTRIBUTE && !ad_is_atom(func);
    if (method && !ad_is_discrete(func->attribute.value->ty))
        change(cx, func->attribute.value->ty, NULL);
    return true;
}

void changes_find(Changes *c, const Ad *ad, StmtList unit)
{
    IrWalker w = {.cx = c, .stmt = changes_stmt, .expr = changes_expr};
    *c = (Changes){.ad = ad, .places = table_new(ad->arena)};
    ir_walk_stmts(&w, unit);
}

bool changes_has(const Changes *c, const Expr *place)
{
    bool field = place->kind == EXPR_ATTRIBUTE;
    const Expr *base = field ? place->attribute.value : place->subscript.value;
    AdNames places = {0};
    bool known = find_places(c->ad, base->ty, field ? place->attribute.attr : NULL, &places);
    bool changed = c->all || !known || places.len == 0;
    for (size_t i = 0; i < places.len; i++)
        changed = changed || table_get(c->places, places.at[i]) != NULL;
    return changed;
}

// ---- which names are made again ----

// Names whose value at a place is their value at the end of each block around it: parameters and
// counters that nothing assigns, and what a function with both sweeps assigns once, outside blocks.
typedef struct Still {
    Sweep   *sweep;
    uint32_t *assigned;         // by the index of the name: how often
    bool     cheap;             // the expression that is looked at
} Still;

static bool count_assigned(void *cx, const Stmt *s)
{
    Still *still = cx;
    const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : NULL;
    if (target != NULL && target->kind == EXPR_NAME)
        still->assigned[sweep_index(still->sweep, target->name.id)]++;
    if (s->kind == STMT_FOR)
        set_add(still->sweep->still, sweep_index(still->sweep, s->for_.target->name.id));
    return true;
}

static bool is_cheap_operator(Operator op)
{
    return op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MULT;
}

static bool look_cheap(void *cx, const Expr *e)
{
    Still *still = cx;
    const Sweep *s = still->sweep;
    bool cheap = e->kind == EXPR_CONSTANT || e->kind == EXPR_UNARY_OP
                 || (e->kind == EXPR_BIN_OP && is_cheap_operator(e->bin_op.op));
    if (e->kind == EXPR_NAME) {
        size_t i = sweep_index(s, e->name.id);
        cheap = i != SIZE_MAX && (set_has(s->still, i) || set_has(s->remade, i));
    }
    still->cheap = still->cheap && cheap;
    return still->cheap;
}

static bool is_cheap(Still *still, const Expr *e)
{
    IrWalker w = {.cx = still, .expr = look_cheap};
    still->cheap = true;
    if (e->kind == EXPR_ATTRIBUTE) {
        ir_walk_expr(&w, e->attribute.value);
    } else if (e->kind == EXPR_SUBSCRIPT) {
        ir_walk_expr(&w, e->subscript.value);
        ir_walk_expr(&w, e->subscript.slice);
    } else {
        ir_walk_expr(&w, e);
    }
    return still->cheap;
}

// A place that is never changed, a name, or a few operations of ints.
static bool is_made_again(Still *still, const Expr *value)
{
    bool place = (value->kind == EXPR_ATTRIBUTE || value->kind == EXPR_SUBSCRIPT)
                 && !ad_is_atom(value);
    if (place)
        return !changes_has(still->sweep->changes, value) && is_cheap(still, value);
    return (value->kind == EXPR_NAME || ad_is(value->ty, "int")) && is_cheap(still, value);
}

static bool mark_remade(void *cx, const Stmt *s)
{
    Still *still = cx;
    Sweep *sweep = still->sweep;
    const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0] : NULL;
    if (target == NULL || target->kind != EXPR_NAME)
        return true;
    size_t i = sweep_index(sweep, target->name.id);
    if (still->assigned[i] == 1 && !set_has(sweep->still, i)
        && is_made_again(still, s->assign.value))
        set_add(sweep->remade, i);
    return true;
}

void sweep_find_remade(Sweep *s)
{
    size_t bytes = (s->vars.len + 1) * sizeof(uint32_t);
    Still still = {.sweep = s, .assigned = ARENA_ARRAY(s->ad->arena, uint32_t, s->vars.len + 1)};
    ArgList args = s->def->function_def.args->args;
    memset(still.assigned, 0, bytes);
    s->still = set_new(s);
    s->remade = set_new(s);
    for (size_t i = 0; i < args.len; i++)
        set_add(s->still, sweep_index(s, args.at[i]->arg));
    IrWalker count = {.cx = &still, .stmt = count_assigned};
    ir_walk_stmts(&count, s->body);
    for (size_t i = 0; i < s->vars.len; i++)
        if (still.assigned[i] > 0)
            set_remove(s->still, i);
    for (size_t i = 0; !s->pair && i < s->body.len; i++) {
        const Stmt *stmt = s->body.at[i];
        const Expr *target = stmt->kind == STMT_ASSIGN ? stmt->assign.targets.at[0] : NULL;
        if (target == NULL || target->kind != EXPR_NAME)
            continue;
        size_t name = sweep_index(s, target->name.id);
        if (still.assigned[name] == 1 && name >= args.len)
            set_add(s->still, name);
    }
    IrWalker mark = {.cx = &still, .stmt = mark_remade};
    ir_walk_stmts(&mark, s->body);
}
