// flat_tuple.c - tuples, before a function is made flat: a variable that is a tuple, and is only
// made, copied and taken apart, becomes one variable for each part. What else is done with a tuple
// stays: it becomes an object (flat_value.c).

#include "compiler/pass/ad/flat_internal.h"

#include <stdlib.h>

enum { MOST_PARTS = 64 };           // of a variable, on all levels

typedef struct Var {
    Sym       name;
    const Ty *ty;
    size_t    mentions, known;      // how often it stands anywhere; and where it can be replaced
    bool      stays;
    Sym      *parts;
} Var;

typedef struct Apart {
    Flat       *flat;
    const Stmt *def;
    Table      *taken, *stored;
    Table      *whole;              // names of what functions have answered
    Table      *vars;
    Vec(Var *)  all;
} Apart;

// ---- types ----

static bool is_tuple(const Ty *t) { return t != NULL && t->kind == TY_TUPLE; }

static size_t parts_of(const Ty *t, size_t most)
{
    size_t n = 1;
    if (!is_tuple(t))
        return n;
    for (size_t i = 0; i < t->tuple.items.len && n <= most; i++)
        n += parts_of(t->tuple.items.at[i], most - n);
    return n;
}

// ---- which expressions ----

static Var *var_of(const Apart *p, const Expr *e)
{
    Var *v = e->kind == EXPR_NAME ? table_get(p->vars, e->name.id) : NULL;
    return v == NULL || v->stays ? NULL : v;
}

// The call of a function of the program.
static bool is_own_call(const Apart *p, const Expr *e)
{
    return e->kind == EXPR_CALL && e->call.func->kind == EXPR_NAME
           && table_get(p->stored, e->call.func->name.id) == NULL
           && table_get(p->flat->functions, e->call.func->name.id) != NULL;
}

// Which part of a tuple with so many; `n`: none of them.
static size_t part_at(const Expr *e, size_t n)
{
    const Expr *index = e->subscript.slice;
    bool number = index->kind == EXPR_CONSTANT && index->constant.value->kind == CONST_INT;
    if (!number || e->subscript.ctx != EXPR_CONTEXT_LOAD)
        return n;
    unsigned long i = strtoul(index->constant.value->text.at, NULL, 10);
    return i < n ? i : n;
}

static Var *var_of_part(const Apart *p, const Expr *e)
{
    Var *v = e->kind == EXPR_SUBSCRIPT ? var_of(p, e->subscript.value) : NULL;
    size_t n = v != NULL ? v->ty->tuple.items.len : 0;
    return v != NULL && part_at(e, n) < n ? v : NULL;
}

static bool comes_apart(const Apart *p, const Expr *e, size_t n)
{
    if (!is_tuple(e->ty) || e->ty->tuple.items.len != n)
        return false;
    if (e->kind == EXPR_IF_EXP)
        return comes_apart(p, e->if_exp.body, n) && comes_apart(p, e->if_exp.orelse, n);
    if (e->kind != EXPR_TUPLE)
        return var_of(p, e) != NULL || is_own_call(p, e);
    for (size_t i = 0; i < e->tuple.elts.len; i++)
        if (e->tuple.elts.at[i]->kind == EXPR_STARRED)
            return false;
    return e->tuple.elts.len == n;
}

// ---- which variables ----

static void add_var(Apart *p, const Expr *e)
{
    if (table_get(p->vars, e->name.id) != NULL || !is_tuple(e->ty) || e->ty->tuple.items.len == 0)
        return;
    Var *v = ARENA_NEW(p->flat->ad.arena, Var);
    *v = (Var){.name = e->name.id, .ty = e->ty};
    v->stays = parts_of(e->ty, MOST_PARTS) > MOST_PARTS || table_get(p->whole, v->name) != NULL;
    table_set(p->vars, v->name, v);
    vec_push(p->flat->ad.arena, &p->all, v);
}

static bool see_name(void *cx, const Expr *e)
{
    Apart *p = cx;
    if (e->kind != EXPR_NAME)
        return true;
    table_set(p->taken, e->name.id, p);
    if (e->name.ctx == EXPR_CONTEXT_STORE) {
        table_set(p->stored, e->name.id, p);
        add_var(p, e);
    }
    return true;
}

static bool count_mention(void *cx, const Expr *e)
{
    Var *v = var_of(cx, e);
    if (v != NULL)
        v->mentions++;
    return true;
}

static bool count_part(void *cx, const Expr *e)
{
    Var *v = var_of_part(cx, e);
    if (v != NULL)
        v->known++;
    return v == NULL && e->kind != EXPR_LAMBDA;
}

static void count_in(Apart *p, const Expr *e)
{
    IrWalker w = {.cx = p, .expr = count_part};
    if (e != NULL)
        ir_walk_expr(&w, e);
}

static void count_value(Apart *p, const Expr *e)
{
    Var *v = var_of(p, e);
    if (v != NULL) {
        v->known++;
    } else if (e->kind == EXPR_IF_EXP) {
        count_in(p, e->if_exp.test);
        count_value(p, e->if_exp.body);
        count_value(p, e->if_exp.orelse);
    } else {
        count_in(p, e);
    }
}

static void count_assign(Apart *p, const Expr *target, const Expr *value)
{
    Var *v = var_of(p, target);
    if (v != NULL && (value == NULL || comes_apart(p, value, v->ty->tuple.items.len))) {
        v->known++;
        if (value != NULL)
            count_value(p, value);
    } else {
        count_in(p, target);
        count_in(p, value);
    }
}

static void count_block(Apart *p, StmtList body);

static void count_stmt(Apart *p, const Stmt *s)
{
    if (s->kind == STMT_ASSIGN) {
        count_assign(p, s->assign.targets.at[0], s->assign.value);
    } else if (s->kind == STMT_ANN_ASSIGN) {
        count_assign(p, s->ann_assign.target, s->ann_assign.value);
    } else if (s->kind == STMT_RETURN) {
        count_in(p, s->return_.value);
    } else if (s->kind == STMT_EXPR) {
        count_in(p, s->expr.value);
    } else if (s->kind == STMT_IF) {
        count_in(p, s->if_.test);
        count_block(p, s->if_.body);
        count_block(p, s->if_.orelse);
    } else if (s->kind == STMT_TRY) {
        count_block(p, s->try.body);
        count_block(p, s->try.orelse);
        for (size_t i = 0; i < s->try.handlers.len; i++)
            count_block(p, s->try.handlers.at[i]->except_handler.body);
    } else if (s->kind == STMT_FOR) {
        count_in(p, s->for_.iter);
        count_block(p, s->for_.body);
    } else if (s->kind == STMT_WHILE) {
        count_in(p, s->while_.test);
        count_block(p, s->while_.body);
    }
}

static void count_block(Apart *p, StmtList body)
{
    for (size_t i = 0; i < body.len; i++)
        count_stmt(p, body.at[i]);
}

// A variable that stays may make others stay that are copied from it.
static bool choose_vars(Apart *p, StmtList body)
{
    IrWalker w = {.cx = p, .expr = count_mention};
    bool changed = true, any = false;
    ir_walk_stmts(&w, body);
    while (changed) {
        changed = any = false;
        for (size_t i = 0; i < p->all.len; i++)
            p->all.at[i]->known = 0;
        count_block(p, body);
        for (size_t i = 0; i < p->all.len; i++) {
            Var *v = p->all.at[i];
            bool loses = !v->stays && v->known != v->mentions;
            changed = changed || loses;
            v->stays = v->stays || loses;
            any = any || !v->stays;
        }
    }
    return any;
}

static void name_parts(Apart *p)
{
    const Ad *ad = &p->flat->ad;
    for (size_t i = 0; i < p->all.len; i++) {
        Var *v = p->all.at[i];
        v->parts = v->stays ? NULL : ARENA_ARRAY(ad->arena, Sym, v->ty->tuple.items.len);
        for (size_t k = 0; !v->stays && k < v->ty->tuple.items.len; k++)
            v->parts[k] = ad_fresh(ad, p->taken, names_format(ad->names, "%s_%zu", v->name, k));
    }
}

// ---- the new function ----

static const Expr *part_name(const Apart *p, const Var *v, size_t i, Span at)
{
    return ad_name(&p->flat->ad, at, v->parts[i], v->ty->tuple.items.at[i]);
}

static const Expr *new_expr(IrMapper *m, const Expr *e)
{
    const Apart *p = m->cx;
    const Var *v = var_of_part(p, e);
    size_t n = v != NULL ? v->ty->tuple.items.len : 0;
    return v == NULL ? e : ad_typed(&p->flat->ad, part_name(p, v, part_at(e, n), e->at), e->ty);
}

static const Expr *renewed(Apart *p, const Expr *e)
{
    IrMapper m = {.arena = p->flat->ad.arena, .cx = p, .expr = new_expr};
    return e == NULL ? NULL : ir_map_expr(&m, e);
}

static void put(const Apart *p, AdBlock *out, Sym name, const Ty *ty, const Expr *value)
{
    const Ad *ad = &p->flat->ad;
    vec_push(ad->arena, out, ad_store(ad, ad_name(ad, value->at, name, ty), value));
}

// The old parts are read before one of them is new.
static void put_display(Apart *p, AdBlock *out, const Var *v, const Expr *e)
{
    const Ad *ad = &p->flat->ad;
    ExprList elts = e->tuple.elts;
    const Expr **values = ARENA_ARRAY(ad->arena, const Expr *, elts.len);
    bool reads = false;
    for (size_t i = 1; i < elts.len; i++)
        reads = reads || ad_mentions(elts.at[i], v->name);
    for (size_t i = 0; i < elts.len; i++) {
        const Ty *ty = v->ty->tuple.items.at[i];
        values[i] = renewed(p, elts.at[i]);
        if (!reads)
            continue;
        Sym name = ad_fresh(ad, p->taken, "part");
        put(p, out, name, ty, values[i]);
        values[i] = ad_name(ad, e->at, name, ty);
    }
    for (size_t i = 0; i < elts.len; i++)
        put(p, out, v->parts[i], v->ty->tuple.items.at[i], values[i]);
}

static void put_parts(Apart *p, AdBlock *out, const Var *v, const Expr *e)
{
    const Ad *ad = &p->flat->ad;
    const Var *from = var_of(p, e);
    if (e->kind == EXPR_TUPLE) {
        put_display(p, out, v, e);
        return;
    }
    if (e->kind == EXPR_IF_EXP) {
        AdBlock yes = {0}, no = {0};
        put_parts(p, &yes, v, e->if_exp.body);
        put_parts(p, &no, v, e->if_exp.orelse);
        vec_push(ad->arena, out, stmt_if(ad->arena, e->at, renewed(p, e->if_exp.test),
                                         ad_stmts(&yes), ad_stmts(&no)));
        return;
    }
    Sym answer = from == NULL ? ad_fresh(ad, p->taken, "answer") : NULL;
    if (from == NULL) {
        table_set(p->whole, answer, p);
        put(p, out, answer, e->ty, renewed(p, e));
    }
    for (size_t i = 0; i < v->ty->tuple.items.len; i++)
        put(p, out, v->parts[i], v->ty->tuple.items.at[i],
            from != NULL ? part_name(p, from, i, e->at)
                         : ad_item(ad, ad_name(ad, e->at, answer, e->ty),
                                   ad_int(ad, e->at, (long)i), e->ty->tuple.items.at[i]));
}

static StmtList new_block(Apart *p, StmtList body);

static const Stmt *new_try(Apart *p, const Stmt *s)
{
    Arena *a = p->flat->ad.arena;
    ExcepthandlerList old = s->try.handlers;
    const Excepthandler **handlers = ARENA_ARRAY(a, const Excepthandler *, old.len + 1);
    for (size_t i = 0; i < old.len; i++)
        handlers[i] = excepthandler_except_handler(a, old.at[i]->at,
                                                   old.at[i]->except_handler.type,
                                                   old.at[i]->except_handler.name,
                                                   new_block(p, old.at[i]->except_handler.body));
    return stmt_try(a, s->at, new_block(p, s->try.body), (ExcepthandlerList){handlers, old.len},
                    new_block(p, s->try.orelse), s->try.finalbody);
}

static const Stmt *new_stmt(Apart *p, const Stmt *s)
{
    Arena *a = p->flat->ad.arena;
    IrMapper m = {.arena = a, .cx = p, .expr = new_expr};
    if (s->kind == STMT_IF)
        return stmt_if(a, s->at, renewed(p, s->if_.test), new_block(p, s->if_.body),
                       new_block(p, s->if_.orelse));
    if (s->kind == STMT_TRY)
        return new_try(p, s);
    if (s->kind == STMT_FOR)
        return stmt_for(a, s->at, s->for_.target, renewed(p, s->for_.iter),
                        new_block(p, s->for_.body), (StmtList){0});
    if (s->kind == STMT_WHILE)
        return stmt_while(a, s->at, renewed(p, s->while_.test), new_block(p, s->while_.body),
                          (StmtList){0});
    return ir_map_stmt(&m, s);
}

static StmtList new_block(Apart *p, StmtList body)
{
    AdBlock out = {0};
    for (size_t i = 0; i < body.len; i++) {
        const Stmt *s = body.at[i];
        const Expr *target = s->kind == STMT_ASSIGN ? s->assign.targets.at[0]
                             : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.target : NULL;
        const Expr *value = s->kind == STMT_ASSIGN ? s->assign.value
                            : s->kind == STMT_ANN_ASSIGN ? s->ann_assign.value : NULL;
        const Var *v = target != NULL ? var_of(p, target) : NULL;
        if (v == NULL)
            vec_push(p->flat->ad.arena, &out, new_stmt(p, s));
        else if (value != NULL)
            put_parts(p, &out, v, value);
    }
    return ad_stmts(&out);
}

// ---- functions ----

static void take_parameters(Apart *p)
{
    const Arguments *args = p->def->function_def.args;
    const ArgList lists[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            Var *v = table_get(p->vars, lists[l].at[i]->arg);
            if (v != NULL)
                v->stays = true;
            table_set(p->taken, lists[l].at[i]->arg, p);
            table_set(p->stored, lists[l].at[i]->arg, p);
        }
}

// One level of tuples; gives whether there was one.
static bool take_level(Apart *p, StmtList *body)
{
    IrWalker w = {.cx = p, .expr = see_name};
    p->vars = table_new(p->flat->ad.arena);
    p->all.len = 0;
    ir_walk_stmts(&w, *body);
    take_parameters(p);
    bool any = choose_vars(p, *body);
    name_parts(p);
    *body = new_block(p, *body);
    return any;
}

const Stmt *flat_apart(Flat *flat, const Stmt *def)
{
    Arena *a = flat->ad.arena;
    Apart p = {.flat = flat, .def = def, .taken = table_new(a), .stored = table_new(a),
               .whole = table_new(a)};
    StmtList body = def->function_def.body;
    while (take_level(&p, &body)) {
    }
    return stmt_function_def(a, def->at, def->function_def.name, def->function_def.args, body,
                             def->function_def.decorator_list, def->function_def.returns,
                             def->function_def.type_params);
}
